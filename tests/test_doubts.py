import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest

import beam_pandas as bp
from tests import surface
from tests.surface import DIRECTED, FUNCTIONS, run
from tests.tables import REFERENCE, TIES, long


def only_warning(function, frame, **kwargs):
    """Give the text of the one warning of a call, which points here."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(frame, **kwargs)
    assert [warning.category for warning in caught] == [bp.BeamWarning]
    assert caught[0].filename in (__file__, surface.__file__)
    return str(caught[0].message)


def advised(text, frame):
    """Run the advice at the end of a message."""
    return eval(text.split(", df.")[-1].join(["df.", ""]), {"df": frame})


# Labels that nearly collide -----------------------------------------------------------


@pytest.mark.parametrize("other", ["A ", " A", "a", "\tA", "A\u00a0", "A\u200b"])
@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n != "bradley_terry"])
def test_labels_that_differ_only_in_case_or_spaces_are_listed_once(name, other):
    frame = pd.concat(
        [REFERENCE, REFERENCE[REFERENCE["method"] == "A"].assign(method=other)]
    )
    first, second = sorted(["A", other])
    text = only_warning(partial(run, name), frame)
    second = repr(second) if second.isascii() else ascii(second)
    assert text == (
        "labels that differ only in case, spaces or invisible marks count as different, found "
        f"{first!r} and {second} in column 'method': if they mean the same, "
        f"df.assign(method=df['method'].astype(str).replace({{{second}: {first!r}}}))"
    )


@pytest.mark.parametrize("dtype", ["object", "str", "string", "category"])
def test_the_advice_joins_the_labels(dtype):
    names = {"d01": "iris ", "d02": "Iris", "d03": "IRIS"}
    frame = TIES.assign(dataset=TIES["dataset"].replace(names)).astype({"dataset": dtype})
    text = only_warning(bp.coverage, frame)
    assert "'IRIS', 'Iris' and 'iris ' in column 'dataset'" in text
    joined = advised(text, frame)
    assert sorted(set(joined["dataset"])) == ["IRIS", "d04"]


def test_all_columns_of_labels_are_looked_at_and_at_most_five_groups_are_listed():
    names = {"A": "one method", "B": "one  method", "C": "ONE METHOD"}
    frame = TIES.assign(method=TIES["method"].map(names))
    frame = pd.concat([frame, frame.assign(metric="ACCURACY")])
    text = only_warning(bp.ranks, frame)
    assert "found 'ACCURACY' and 'accuracy' in column 'metric'; 'ONE METHOD', " in text
    assert "'one  method' and 'one method' in column 'method': if" in text
    many = long({f"{letter}{at}": [1, 2] for at in range(7) for letter in "mM"}, "elo")
    text = only_warning(bp.ranks, many)
    assert text.count("in column 'method'") == 5
    assert "'M4' and 'm4' in column 'method' and 2 more such: if" in text
    assert advised(text, many)["method"].nunique() == 7
    assert ".replace({'m0': 'M0', 'm1': 'M1', " in text
    text = only_warning(bp.ranks, many[many["method"].str[1] < "5"])
    assert "'M4' and 'm4' in column 'method': if" in text


@pytest.mark.parametrize(
    "labels", [["A", "B", "AB"], ["A", "Å", "B"], ["a-b", "a_b", "ab"], [1, 2, 3]]
)
def test_other_labels_are_no_matter(labels):
    frame = REFERENCE.assign(
        method=REFERENCE["method"].map(dict(zip("ABC", labels, strict=True)))
    )
    assert bp.friedman(frame)["n_methods"].tolist() == [3]


def test_letters_of_another_form_look_the_same():
    frame = REFERENCE.assign(
        method=REFERENCE["method"].replace(["A", "B"], ["\u00e9", "e\u0301"])
    )
    text = only_warning(bp.coverage, frame)
    assert "found 'e\\u0301' and '\u00e9' in column 'method'" in text
    assert set(advised(text, frame)["method"]) == {"e\u0301", "C"}


def test_case_is_that_of_any_script():
    frame = TIES.assign(method=TIES["method"].replace(["A", "B"], ["Fluß", "FLUSS"]))
    text = only_warning(bp.coverage, frame)
    assert "found 'FLUSS' and 'Fluß' in column 'method'" in text
    assert set(advised(text, frame)["method"]) == {"FLUSS", "C"}


def test_an_unused_category_does_not_collide():
    frame = REFERENCE.astype({"method": pd.CategoricalDtype(["a", "A", "B", "C"])})
    assert bp.friedman(frame)["n_methods"].tolist() == [3]


def test_each_group_is_looked_at_on_its_own():
    frame = pd.concat(
        [TIES.assign(domain=1), TIES.assign(domain=2, method=TIES["method"].str.lower())]
    )
    assert frame.groupby("domain").beam.friedman()["n_methods"].tolist() == [3, 3]
    assert "'A' and 'a'" in only_warning(bp.coverage, frame)


# Scores on mixed scales ---------------------------------------------------------------


def mixed(metric="accuracy"):
    """Method A in fractions; one score of B is in percent."""
    return long({"A": [0.71, 0.68] * 4, "B": [72.0, 0.69] + [0.6] * 6}, metric)


STATISTICS = [name for name in FUNCTIONS if name in DIRECTED]


@pytest.mark.parametrize("name", STATISTICS)
def test_fractions_among_percent_are_named_once(name):
    text = only_warning(partial(run, name), mixed())
    assert text == (
        "'accuracy' is at most 1, or 100 in percent, and scores are found on both scales, "
        "15 up to 1 (other than 0) and 1 beyond: 'B' on 'd01' (72); if some are in percent, "
        "divide those by 100"
    )


def test_the_rarer_scale_is_listed_and_counted():
    scores = {"A": [80, 90, 70], "B": [0.8, 0.9, 0.7], "C": [0.5, 0.6, 0.4]}
    frame = pd.concat([long(scores, "f1"), long({"D": [50, 60, 70], "E": [1, 2, 3]}, "f1")])
    text = only_warning(bp.ranks, frame)
    assert "7 up to 1 (other than 0) and 8 beyond: 'B' on 'd01' (0.8), 'B' on 'd02'" in text
    assert text.count(" on 'd0") == 5
    assert "and 2 more; if" in text


def test_runs_are_looked_at_before_they_are_averaged():
    runs = pd.concat([long({"A": [0.5, 0.6], "B": [0.7, 0.7]}, "auc"),
                      long({"A": [0.5, 2.2], "B": [0.7, 0.7]}, "auc")])  # fmt: skip
    assert "1 beyond: 'A' on 'd02' (2.2)" in only_warning(bp.ranks, runs, aggregate="mean")


@pytest.mark.parametrize("higher_is_better", [True, {"accuracy": True}])
def test_a_given_direction_does_not_settle_the_scale(higher_is_better):
    assert "1 beyond" in only_warning(bp.ranks, mixed(), higher_is_better=higher_is_better)


def test_below_zero_both_scales_show_too_where_there_is_a_lower_bound():
    frame = long({"A": [-0.5, 0.2], "B": [-30.0, 0.1]}, "mcc")
    assert "3 up to 1 (other than 0) and 1 beyond: 'B' on 'd01' (-30)" in only_warning(
        bp.ranks, frame
    )
    assert len(bp.ranks(frame.assign(metric="r2"))) == 4  # as low as it likes
    less = frame.assign(score=[-0.5, 0.2, -2.5, 0.1])
    assert "1 beyond: 'B' on 'd01' (-2.5)" in only_warning(bp.ranks, less)
    assert len(bp.ranks(frame.assign(score=[-0.5, 0.2, -2.0, 0.1]))) == 4


def test_a_billionth_beyond_1_is_1_and_a_thousandth_is_not():
    percent = long({"A": [1 + 1e-9, 70], "B": [1, 90]}, "accuracy")
    assert "2 up to 1 (other than 0) and 2 beyond: 'A' on 'd01' (1)," in only_warning(
        bp.ranks, percent
    )
    single = long({"A": [1 + 1e-9, 70], "B": [80, 90]}, "accuracy")
    assert len(bp.ranks(single)) == 4  # a share of 1 percent may be the only one
    share = long({"A": [1.001, 0.3, 50], "B": [0.2, 1 + 1e-9, 0.5]}, "accuracy")
    assert "4 up to 1 (other than 0) and 2 beyond: 'A' on 'd01' (1.001), 'A' on" in (
        only_warning(bp.ranks, share)
    )


@pytest.mark.parametrize(
    ("scores", "metric"),
    [
        ({"A": [0.71, 0.68], "B": [0.7, 1.0]}, "accuracy"),
        ({"A": [71, 68], "B": [70, 100]}, "accuracy"),
        ({"A": [71, 0], "B": [70, -0.0]}, "accuracy"),  # 0 is 0 on any scale
        ({"A": [1.0000000000000002, 0.3], "B": [0.2, 0.1]}, "accuracy"),
        ({"A": [None, 70], "B": [80, 90]}, "accuracy"),
        ({"A": [0.5, 70], "B": [80, 90]}, "rmse"),
        ({"A": [0.5, 70], "B": [80, 90]}, "elo"),
    ],
)
def test_no_doubt_without_two_scales_of_a_bounded_metric(scores, metric):
    assert len(bp.ranks(long(scores, metric))) == 4


def test_metrics_without_a_name_or_unknown_have_no_bounds():
    unnamed = mixed().drop(columns="metric")
    assert len(bp.ranks(unnamed, higher_is_better=True)) == 16
    for metric in ("never heard of", 3):
        frame = mixed().assign(metric=metric)
        assert len(bp.ranks(frame, higher_is_better=True)) == 16


def test_only_the_metric_at_hand_is_looked_at():
    frame = pd.concat([long({"A": [80, 70], "B": [60, 50]}, "f1"), TIES])
    assert len(bp.ranks(frame)) == 18
    doubled = pd.concat([frame, mixed("auc"), mixed("mcc")])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        bp.ranks(doubled)
    assert [str(w.message).split(" is")[0] for w in caught] == ["'auc'", "'mcc'"]


def test_a_registered_bound_counts(monkeypatch):
    from beam_pandas.gate import registry

    monkeypatch.setattr(registry, "_custom", {})
    bp.register_metric("share_of_votes", higher_is_better=True, lower=0, upper=1)
    assert "1 beyond" in only_warning(bp.ranks, mixed("share_of_votes"))


# Doubts never get in the way ----------------------------------------------------------


def test_the_repr_of_a_doubtful_frame_describes_it_without_a_warning():
    frame = pd.concat([mixed(), mixed().assign(method="a")])[1:]
    frame["method"] = frame["method"].replace("B", "A ")
    frame = frame.rename(columns={"metric": "measure"}).assign(
        measure=["x", "y"] * 15 + ["x"]
    )
    assert (
        repr(frame.beam)
        == "<df.beam: 3 methods, 8 datasets, 31 scores; begin with .leaderboard()>"
    )


def test_the_result_is_that_of_the_labels_as_they_are():
    frame = pd.concat([REFERENCE, REFERENCE[REFERENCE["method"] == "A"].assign(method="a")])
    with pytest.warns(bp.BeamWarning, match="'A' and 'a'"):
        ranks = bp.critical_difference(frame)
    assert sorted(ranks["method"]) == ["A", "B", "C", "a"]
    np.testing.assert_array_equal(
        ranks.set_index("method").loc[["A", "a"], "mean_rank"], [3.5, 3.5]
    )


def test_scores_below_the_bounds_are_on_neither_scale():
    assert len(bp.ranks(long({"A": [-50.0, 0.2], "B": [-0.5, 0.1]}, "accuracy"))) == 4
    assert len(bp.ranks(long({"A": [-50.0, 60], "B": [-0.5, 70]}, "accuracy"))) == 4
    rows = {"A": [-50.0, 60, 60], "B": [0.5, 70, 0.6]}
    text = only_warning(bp.ranks, long(rows, "accuracy"))
    assert "2 up to 1 (other than 0) and 3 beyond: 'B' on 'd01' (0.5), 'B' on" in text


def test_a_rounded_1_of_a_narrow_float_is_1():
    above = np.nextafter(np.float32(1), np.float32(2))
    scores = pd.Series([0.5, 0.3, 0.2, above], dtype="float32")
    frame = pd.DataFrame(
        {
            "method": list("AABB"),
            "dataset": [1, 2] * 2,
            "metric": "accuracy",
            "score": scores,
        }
    )
    assert bp.ranks(frame)["score"].max() > 1


@pytest.mark.parametrize("missing", [np.nan, None, pd.NA])
def test_a_column_like_the_metric_that_is_all_missing_tells_nothing_apart(missing):
    frame = TIES.drop(columns="metric")
    empty = frame.assign(measure=pd.Series([missing] * len(frame), dtype=object))
    assert len(bp.ranks(empty, higher_is_better=True)) == 12
    one = empty.assign(measure=empty["measure"].where(empty.index > 0, "f1"))
    assert len(bp.ranks(one, higher_is_better=True)) == 12
