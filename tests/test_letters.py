from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import beam_pandas as bp
from tests.strategies import frame_of, good_frames, matrices
from tests.tables import CYCLE, DEMSAR, REFERENCE, TIES, TWO, ordered

few = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
hopeless = pytest.mark.filterwarnings("ignore::beam_pandas.BeamWarning")


def pattern(told_apart, k, **columns):
    """A result whose pairs, by number from 1, are told apart."""
    pairs = list(combinations(range(1, k + 1), 2))
    table = pd.DataFrame(pairs, columns=["method_1", "method_2"])
    table["significant"] = [f"{i}{j}" in told_apart for i, j in pairs]
    return table.assign(**columns)


def groups(result, **kwargs):
    return bp.letters(result, **kwargs)["groups"].str.replace(",", "").tolist()


# R multcompView::multcompLetters, but where fewer letters do (k = 6)
@pytest.mark.parametrize(
    ("k", "told_apart", "expected"),
    [
        (4, ["14"], "a ab ab b"),
        (5, ["12", "13", "14", "15"], "a b b b b"),
        (5, ["13", "24", "35", "14", "25"], "ab ac cd de be"),
        (4, ["12", "34"], "ab cd ac bd"),
        (6, ["15", "16", "23", "25", "45"], "ab ac bd abc d cd"),
        (3, ["12", "13", "23"], "a b c"),
        (3, [], "a a a"),
        (4, ["13", "14", "24"], "a ab bc c"),
    ],
)
def test_known_patterns(k, told_apart, expected):
    order = list(range(1, k + 1))
    assert groups(pattern(told_apart, k), order=order) == expected.split()


def shares(text_1, text_2):
    return bool(set(text_1.split(",")) & set(text_2.split(",")))


@few
@given(st.integers(1, 7), st.data())
def test_two_methods_share_a_letter_if_and_only_if_they_are_not_told_apart(k, data):
    pairs = [f"{i}{j}" for i, j in combinations(range(1, k + 1), 2)]
    told_apart = data.draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    result = pattern(told_apart, k)
    order = data.draw(st.permutations(range(1, k + 1)))
    table = bp.letters(result, order if len(result) else None)
    if len(result):
        assert table["method"].tolist() == list(order)
        assert table["groups"].iloc[0].startswith("a")
    named = table.set_index("method")["groups"]
    for i, j in combinations(range(1, k + 1), 2):
        assert shares(named[i], named[j]) == (f"{i}{j}" not in told_apart)
    again = bp.letters(
        result.sample(frac=1, random_state=1), order if len(result) else None
    )
    pd.testing.assert_frame_equal(again, table)


@hopeless
@few
@given(matrices(min_side=2), st.sampled_from([0.05, 0.5, 0.9]))
def test_those_of_nemenyi_are_the_groups_of_the_critical_difference(matrix, alpha):
    frame = frame_of(matrix)
    table = bp.critical_difference(frame, alpha=alpha)
    found = bp.letters(bp.nemenyi(frame, alpha=alpha))
    expected = table[["metric", "method", "groups"]]
    pd.testing.assert_frame_equal(found, expected)


# the best first and the last are not told apart, the second and the last are
def test_demsars_table_with_wilcoxon_and_holm_is_no_interval():
    order = ["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]
    names = sorted(order)
    told_apart = {("C4.5", "C4.5+m")}
    result = pd.DataFrame(list(combinations(names, 2)), columns=["method_1", "method_2"])
    result["significant"] = [tuple(row) in told_apart for row in result.to_numpy()]
    assert groups(result, order=order) == ["ab", "a", "ab", "b"]


def test_the_order_is_that_of_significant_wins_then_the_estimate_then_the_label():
    wins = {"12": 5, "13": 5, "14": 0, "23": 5, "24": 5, "34": 5}
    result = pattern(["12", "34"], 4, mean_diff=[0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    result = result.assign(wins=list(wins.values()), losses=1)
    # 1 and 3 win, 2 and 4 lose; the estimates are equal
    assert bp.letters(result)["method"].tolist() == [1, 3, 2, 4]
    later = result.assign(mean_diff=[0.0, -1.0, 0.0, 0.0, -1.0, 0.0])
    assert bp.letters(later)["method"].tolist() == [3, 1, 4, 2]
    ranked = result.assign(rank_diff=[-1.0, -2.0, -3.0, -1.0, -2.0, -1.0])
    assert bp.letters(ranked)["method"].tolist() == [4, 3, 2, 1]


def test_the_order_does_not_hang_on_the_last_digit():
    frame = ordered(6, 3)
    equal = frame.assign(score=frame["score"].where(frame["method"] != "m4", 0.7))
    found = bp.letters(bp.nemenyi(equal, alpha=0.5))
    assert found["method"].tolist() == ["m1", "m2", "m3", "m4", "m5", "m6"]


@pytest.mark.parametrize(
    "function", [bp.nemenyi, bp.pairwise, bp.mean_rank_tests], ids=lambda f: f.__name__
)
@hopeless
@few
@given(good_frames(complete=True))
def test_every_pair_result_has_letters_block_by_block(function, frame):
    if frame["score"].isna().any() or frame.duplicated(["method", "dataset"]).any():
        frame = frame[frame["dataset"] == "none"]
    kwargs = {} if "metric" in frame else {"higher_is_better": True}
    try:
        result = function(frame, **kwargs)
    except bp.BeamError:
        return
    table = bp.letters(result)
    has_metric = "metric" in frame
    schema = bp.result_schema("letters", metric=has_metric)
    assert table.columns.tolist() == schema.columns.tolist()
    assert table["groups"].dtype == schema["groups"].dtype
    assert table["method"].dtype == result["method_1"].dtype
    assert isinstance(table.index, pd.RangeIndex)
    blocks = [(None, result)] if not has_metric else result.groupby("metric", observed=True)
    parts = [bp.letters(part) for _, part in blocks]
    pd.testing.assert_frame_equal(
        table.astype(object), pd.concat(parts, ignore_index=True).astype(object)
    )


def test_groups_and_metrics_lead():
    both = pd.concat([TIES.assign(metric="f1"), REFERENCE]).assign(domain="x")
    more = pd.concat([both, both.assign(domain="y")])
    table = bp.letters(more.groupby("domain").beam.nemenyi())
    assert table.columns.tolist() == ["domain", "metric", "method", "groups"]
    assert table["domain"].tolist() == ["x"] * 6 + ["y"] * 6
    assert table["metric"].tolist() == (["elo"] * 3 + ["f1"] * 3) * 2
    alone = bp.letters(bp.nemenyi(REFERENCE))
    pd.testing.assert_frame_equal(table.iloc[:3, 1:], alone)
    shuffled = more.groupby("domain").beam.nemenyi().sample(frac=1, random_state=0)
    pd.testing.assert_frame_equal(bp.letters(shuffled), table)


def test_what_never_met_is_not_told_apart():
    missing = pattern(["12"], 3).astype({"significant": object})
    missing.loc[2, "significant"] = None
    assert groups(missing, order=[1, 2, 3]) == ["a", "b", "ab"]
    nullable = missing.astype({"significant": "boolean"})
    assert groups(nullable, order=[1, 2, 3]) == ["a", "b", "ab"]


def test_an_empty_result_has_no_letters():
    for metric in (True, False):
        empty = bp.result_schema("nemenyi", metric=metric)
        schema = bp.result_schema("letters", metric=metric)
        pd.testing.assert_frame_equal(bp.letters(empty), schema)


def test_many_letters_go_on_after_z():
    result = pattern([f"{i}{j}" for i, j in combinations(range(1, 31), 2)], 30)
    result["significant"] = True
    found = groups(result, order=range(1, 31))
    assert found[:2] == ["a", "b"]
    assert found[25:28] == ["z", "aa", "ab"]


def test_more_methods_than_are_always_exact():
    rng = np.random.default_rng(4)
    result = pattern([], 16)
    result["significant"] = rng.random(len(result)) < 0.3
    order = list(range(1, 17))
    near, exact = groups(result, order=order), groups(result, order=order, exact=True)
    number = [len(set("".join(found))) for found in (near, exact)]
    assert number[1] <= number[0]


@pytest.mark.parametrize(
    ("result", "kwargs", "error", "message"),
    [
        (1, {}, bp.ScoreTypeError, "result must be a pandas DataFrame, found int"),
        (REFERENCE, {}, bp.MissingColumnsError, "'method_1', 'method_2', 'significant'"),
        (bp.nemenyi(TWO).drop(columns="significant"), {}, bp.MissingColumnsError, "'signif"),
        (bp.nemenyi(REFERENCE).head(2), {}, bp.BeamError, "all pairs of 3 methods.*2 of 3"),
        (bp.pairwise(DEMSAR, control="C4.5"), {}, bp.BeamError, "without control="),
        (pd.concat([bp.nemenyi(TWO)] * 2), {}, bp.BeamError, "found one twice"),
        (bp.nemenyi(CYCLE), {"order": ["A", "B"]}, bp.BeamError, "it lacks 'C'"),
        (bp.nemenyi(CYCLE), {"order": ["A", "B", "C", "D"]}, bp.BeamError, "it has 'D', not"),
        (bp.nemenyi(CYCLE), {"order": ["A", "B", "C", "A"]}, bp.BeamError, "got 'A' twice"),
        (bp.nemenyi(CYCLE), {"order": "ABC"}, bp.BeamError, "must be a list of methods"),
        (bp.nemenyi(CYCLE), {"order": 3}, bp.BeamError, "must be a list of methods, got 3"),
        (bp.nemenyi(CYCLE), {"exact": 1}, bp.BeamError, "exact must be True or False"),
    ],
)  # fmt: skip
def test_what_has_no_letters_is_refused(result, kwargs, error, message):
    with pytest.raises(error, match=message):
        bp.letters(result, **kwargs)


def test_the_result_is_left_as_it_was():
    result = bp.nemenyi(DEMSAR)
    before = result.copy(deep=True)
    bp.letters(result)
    pd.testing.assert_frame_equal(result, before)
