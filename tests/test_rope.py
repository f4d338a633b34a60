"""The region of practical equivalence: numbers, shares of the score, other columns."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import beam_pandas as bp
from tests.strategies import frame_of, matrices
from tests.tables import long

FRAME = long({"A": [100, 50, 10], "B": [98, 49, 9.5], "C": [90, 49.5, 10]}, "elo")


def counts(table):
    return table[["wins", "ties", "losses"]].to_numpy().tolist()


def test_a_share_of_the_larger_score_and_the_value_on_its_bound():
    # A - B: 2 of 100 is 2 %, 1 of 50 is 2 %, .5 of 10 is 5 %
    table = FRAME.beam.pairwise("2%")
    assert counts(table)[0] == [1, 2, 0]
    assert counts(FRAME.beam.pairwise("1.99%"))[0] == [3, 0, 0]
    assert table["rope"].isna().all()
    assert counts(FRAME.beam.pairwise(" 2.0 % "))[0] == [1, 2, 0]
    assert counts(FRAME.beam.pairwise("0%")) == counts(FRAME.beam.pairwise(0))


@given(matrices(missing=True), st.sampled_from([0, 1, 10, 50]))
def test_a_share_is_that_of_a_plain_loop(matrix, percent):
    if np.isnan(matrix).all():
        return
    table = bp.pairwise(frame_of(matrix, None), f"{percent}%", higher_is_better=True)
    names = [f"m{at}" for at in range(matrix.shape[1])]
    for row in table.itertuples():
        one, other = (matrix[:, names.index(m)] for m in (row.method_1, row.method_2))
        both = ~np.isnan(one) & ~np.isnan(other)
        width = percent / 100 * np.maximum(abs(one[both]), abs(other[both]))
        difference = one[both] - other[both]
        assert row.wins == (difference > width + 1e-12).sum()
        assert row.losses == (difference < -width - 1e-12).sum()


def test_a_column_with_a_rope_for_each_score():
    frame = FRAME.assign(stderr=[2, 0.5, 0.1] * 2 + [0.1, 1, 9.0])
    table = frame.beam.pairwise("stderr")  # of a pair the larger of both holds
    assert counts(table) == [[2, 1, 0], [1, 2, 0], [1, 2, 0]]
    assert table["rope"].isna().all()
    shuffled = frame.sample(frac=1, random_state=1)
    pd.testing.assert_frame_equal(shuffled.beam.pairwise("stderr"), table)
    posterior = frame.beam.bayesian_sign("stderr")
    assert counts(posterior) == counts(table)


def test_over_runs_the_mean_of_the_column_holds():
    runs = pd.concat(
        [FRAME.assign(run=run, half=width) for run, width in ((0, 1.0), (1, 3.0))]
    )
    found = runs.beam.pairwise("half", aggregate="mean")
    assert counts(found) == counts(FRAME.beam.pairwise(2.0))


@pytest.mark.parametrize("value", [-0.1, np.nan, np.inf])
def test_a_score_without_a_rope_is_named(value):
    frame = FRAME.assign(half=[0.1, value] + [0.1] * 7)
    with pytest.raises(bp.BeamError, match="column 'half' needs .* for 'A' on 'd02'"):
        frame.beam.pairwise("half")


def test_a_rope_beside_a_missing_score_does_not_matter():
    frame = long({"A": [1, None], "B": [2, 3]}, "elo").assign(half=[0.1, np.nan, 0.1, 0.1])
    assert frame.beam.pairwise("half")["losses"].tolist() == [1]


def test_by_metric_each_may_have_its_own_kind():
    both = pd.concat([FRAME, FRAME.assign(metric="f1", score=FRAME["score"] / 100)])
    table = both.beam.pairwise({"elo": "2%", "f1": 0.02})
    assert table["rope"].isna().tolist() == [True] * 3 + [False] * 3


def test_a_text_that_is_no_rope_is_refused():
    for odd in ("two", "2", "-2%", "%", ""):
        with pytest.raises(bp.BeamError, match="rope must be a number, 'noise_floor'"):
            FRAME.beam.pairwise(odd)


def scaled(factor):
    rows = {"A": [0.9, 0.8, 0.7], "B": [0.8, 0.7, 0.75]}
    return long({m: [factor * s for s in scores] for m, scores in rows.items()}, "accuracy")


def test_a_rope_for_fractions_among_percent_is_doubted_and_the_reverse():
    with pytest.warns(bp.BeamWarning, match="rope=0.01 looks as if made for fractions"):
        scaled(100).beam.pairwise(0.01)
    with pytest.warns(bp.BeamWarning, match="rope=1 looks as if made for percent"):
        scaled(1).beam.pairwise(1)


@pytest.mark.parametrize(("factor", "rope"), [(100, 0.051), (100, 0), (1, 0.99), (1, 0.01)])
def test_an_ordinary_rope_is_not_doubted(factor, rope):
    scaled(factor).beam.pairwise(rope)


def test_a_missing_score_can_be_the_worst():
    frame = long({"A": [1, None, 3], "B": [2, 3, None], "C": [None, None, 1]}, "elo")
    table = frame.beam.pairwise(missing="worst", rope=100.0)
    assert table["n_datasets"].tolist() == [3, 3, 3]
    assert counts(table) == [[1, 1, 1], [1, 2, 0], [2, 0, 1]]
    shares = table[["share_better", "share_equivalent", "share_worse"]].sum(axis=1)
    assert shares.tolist() == pytest.approx([1, 1, 1])
    assert table["mean_diff"].tolist() == [-1.0, 2.0, pytest.approx(np.nan, nan_ok=True)]
    ranks = frame.beam.critical_difference(missing="worst").set_index("method")["mean_rank"]
    assert ranks.to_dict() == {
        "A": (2 + 2.5 + 1) / 3,
        "B": (1 + 1 + 3) / 3,
        "C": (3 + 2.5 + 2) / 3,
    }
    with pytest.raises(bp.BeamError, match="missing must be one of"):
        frame.beam.pairwise(missing="drop_datasets")


def test_pairs_with_a_control_are_their_own_family():
    table = FRAME.beam.pairwise(control="B")
    assert table[["method_1", "method_2"]].to_numpy().tolist() == [["A", "B"], ["B", "C"]]
    assert table["p_adjusted"].tolist() == [0.5, 1.0]
    for alternative, p_value in (("greater", 0.125), ("less", 1.0)):
        one = FRAME.beam.pairwise(control="B", alternative=alternative)
        assert one["p_value"].iloc[0] == p_value
    with pytest.raises(bp.BeamError, match="control must be one of the methods"):
        FRAME.beam.pairwise(control="Z")


def test_a_metric_that_fails_is_left_out_with_a_warning():
    both = pd.concat([FRAME, long({"A": [1], "B": [2], "C": [1]}, "f1")])
    with pytest.raises(bp.BeamError, match="needs at least 2 methods and 2 datasets"):
        both.beam.friedman()
    with pytest.warns(bp.BeamWarning, match="1 of 2 metrics are left out: friedman needs"):
        table = both.beam.friedman(errors="warn")
    assert table["metric"].tolist() == ["elo"]
    alone = both[both["metric"] == "f1"]
    with pytest.raises(bp.BeamError, match="needs at least 2"):
        alone.beam.friedman(errors="warn")
    three = pd.concat([both, alone.assign(metric="auc")])
    with pytest.raises(bp.BeamError, match="2 of 3 metrics allow no analysis: .* | .*"):
        three.beam.friedman()
    with pytest.raises(bp.UnknownMetricError):
        three.assign(metric="zeal").beam.friedman(errors="warn")
    keyed = both.assign(key=both["metric"]).drop(columns="metric")
    with pytest.warns(
        bp.BeamWarning, match="1 of 2 groups are left out: in group key='f1'"
    ):
        groups = keyed.groupby("key").beam.friedman(errors="warn", higher_is_better=True)
    assert groups["key"].tolist() == ["elo"]
