import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

import beam_pandas as bp
from tests.strategies import frame_of, matrices
from tests.tables import CYCLE, HOLE, REFERENCE, SPLIT, TIES, TWO, long, ordered

SKEW = long({"A": [0.52] * 6 + [0.3], "B": [0.5] * 7}, "accuracy")
SIGN = long({"A": [0.9] * 6 + [0.1] * 2 + [0.5] * 2, "B": [0.5] * 10}, "accuracy")


def only(frame):
    (row,) = frame.to_dict("records")
    return row


@given(matrices(missing=True, min_side=1), st.sampled_from([0.0, 0.1, 0.2, 0.5]))
def test_pairwise_equals_the_twin(matrix, rope):
    if np.isnan(matrix).all():
        return
    table = bp.pairwise(frame_of(matrix), rope)
    k = matrix.shape[1]
    assert len(table) == k * (k - 1) // 2
    for row in table.itertuples():
        first, second = (matrix[:, int(name[1:])] for name in (row.method_1, row.method_2))
        difference = np.round((first - second)[~np.isnan(first - second)], 9)
        wins, losses = (difference > rope).sum(), (difference < -rope).sum()
        n = len(difference)
        assert (row.n_datasets, row.wins, row.losses) == (n, wins, losses)
        assert row.ties == n - wins - losses
        if n == 0:
            numbers = [row.share_better, row.share_equivalent, row.mean_diff, row.p_value]
            assert np.isnan(numbers).all()
            assert not row.significant
            continue
        assert row.share_better == wins / n
        assert row.share_better + row.share_equivalent + row.share_worse == pytest.approx(1)
        assert row.mean_diff == pytest.approx(difference.mean(), abs=1e-9)
        decided = int(wins + losses)
        expected = binomtest(int(wins), decided).pvalue if decided else 1.0
        assert row.p_value == pytest.approx(expected, rel=1e-10)
        assert row.rope == rope


@given(matrices(missing=True), st.sampled_from([0.0, 0.1]))
def test_swapping_two_methods_swaps_wins_and_losses(matrix, rope):
    if np.isnan(matrix[:, :2]).all():
        return
    there, back = frame_of(matrix[:, :2]), frame_of(matrix[:, 1::-1])
    first, second = only(bp.pairwise(there, rope)), only(bp.pairwise(back, rope))
    assert (first["wins"], first["losses"]) == (second["losses"], second["wins"])
    for name in ("ties", "p_value", "share_equivalent"):
        np.testing.assert_equal(first[name], second[name])
    np.testing.assert_array_equal(first["mean_diff"], -second["mean_diff"])


@given(matrices(missing=True))
def test_other_methods_change_no_pair(matrix):
    if np.isnan(matrix[:, :2]).all():
        return
    columns = ["wins", "ties", "losses", "mean_diff", "p_value", "n_datasets"]
    pool = bp.pairwise(frame_of(matrix)).iloc[[0]]
    alone = bp.pairwise(frame_of(matrix[:, :2]))
    pd.testing.assert_frame_equal(pool[columns], alone[columns])


def test_mean_and_wins_may_disagree():
    row = only(SKEW.beam.pairwise())
    assert (row["wins"], row["losses"], row["p_value"]) == (6, 1, 0.125)
    assert row["mean_diff"] == pytest.approx(-0.08 / 7)


def test_the_sign_test_leaves_ties_out():
    row = only(SIGN.beam.pairwise())
    assert (row["wins"], row["ties"], row["losses"]) == (6, 2, 2)
    assert row["p_value"] == pytest.approx(0.2890625)
    assert only(TWO.beam.pairwise())["p_value"] == pytest.approx(0.0703125)


def test_equal_scores_are_no_evidence():
    row = only(long({"A": [0.5] * 4, "B": [0.5] * 4}, "f1").beam.pairwise())
    assert (row["p_value"], row["ties"], row["mean_diff"]) == (1.0, 4, 0.0)
    runs = long({"A": [29.39958, 29.21756, 29.350915]}, "elo")
    both = pd.concat([runs, runs.assign(method="B")])
    assert only(both.beam.pairwise())["p_value"] == 1.0


def test_of_a_loss_the_smaller_wins_and_the_difference_is_turned():
    row = only(long({"A": [1.0, 2.0], "B": [3.0, 3.0]}, "rmse").beam.pairwise(rope=1))
    assert (row["wins"], row["ties"], row["mean_diff"]) == (1, 1, 1.5)


def test_a_narrow_rope_is_the_decimal_it_was_written_as():
    frame = long({"A": [0.8], "B": [0.1]}, "accuracy")
    for rope in (np.float32(0.7), {"accuracy": np.float32(0.7)}):
        row = only(frame.beam.pairwise(rope))
        assert (row["ties"], row["rope"]) == (1, 0.7)


def test_rescaling_scores_and_rope_together_changes_nothing():
    seconds = long({"A": [1.2, 1.4, 1.9], "B": [1.9, 1.5, 1.2]}, "latency")
    millis = seconds.assign(score=seconds["score"] * 1000)
    columns = ["wins", "ties", "losses", "p_value"]
    pd.testing.assert_frame_equal(
        seconds.beam.pairwise(rope=0.1)[columns], millis.beam.pairwise(rope=100)[columns]
    )


def test_pairs_that_never_met_have_no_p_value_and_do_not_count():
    table = SPLIT.beam.pairwise().set_index(["method_1", "method_2"])
    unmet = table[table["n_datasets"] == 0]
    assert len(unmet) == 4
    assert (
        unmet[["share_better", "mean_diff", "p_value", "p_adjusted"]].isna().all(axis=None)
    )
    assert not unmet["significant"].any()
    met = table.loc[[("A", "B"), ("C", "D")]]
    assert met["p_value"].tolist() == [0.25, 0.25]
    assert met["p_adjusted"].tolist() == [0.5, 0.5]


def test_incomplete_pairs_use_what_they_share():
    table = HOLE.beam.pairwise()
    assert table["n_datasets"].tolist() == [6, 5, 5]
    assert table["wins"].tolist() == [6, 5, 5]


def test_adjustment_is_within_a_metric():
    both = pd.concat([ordered(4, 9), ordered(4, 9).assign(metric="f1")])
    table = both.beam.pairwise()
    alone = ordered(4, 9).beam.pairwise()
    assert table["p_adjusted"].tolist() == 2 * alone["p_adjusted"].tolist()
    assert alone["p_adjusted"].tolist() == pytest.approx([6 * 2 / 2**9] * 6)
    none = ordered(4, 9).beam.pairwise(adjust="none", alpha=0.003)
    assert (none["p_adjusted"] == none["p_value"]).all()
    assert not none["significant"].any()
    assert ordered(4, 9).beam.pairwise(alpha=0.03)["significant"].all()


def test_one_method_has_no_pairs():
    assert len(long({"A": [1, 2]}, "elo").beam.pairwise()) == 0
    alone = only(long({"A": [1, 2]}, "elo").beam.standing())
    assert alone["n_opponents"] == 0
    assert np.isnan([alone["standing"], alone["standing_rank"]]).all()


# The rope ------------------------------------------------------------------------------


def test_the_rope_decides():
    frame = long({"A": [0.505, 0.305, 0.905], "B": [0.5, 0.3, 0.9]}, "accuracy")
    assert only(frame.beam.pairwise(0.0))["wins"] == 3
    assert only(frame.beam.pairwise(0.01))["ties"] == 3


def test_a_rope_by_metric_and_the_noise_floor():
    frame = pd.concat([TIES.assign(metric="ari"), TIES.assign(metric="f1")])
    told = frame.beam.pairwise({"ari": 0.2, "f1": 0})
    assert told.groupby("metric")["rope"].unique().map(list).to_dict() == {
        "ari": [0.2], "f1": [0.0],
    }  # fmt: skip
    floor = TIES.assign(metric="ari").beam.pairwise("noise_floor")
    assert floor["rope"].unique().tolist() == [0.01]


@pytest.mark.parametrize(
    ("rope", "message"),
    [
        (-0.1, "rope must be a finite number, not negative.*got -0.1"),
        (np.nan, "got nan"),
        (np.inf, "got inf"),
        (10**400, "got 1000"),
        ("0.1", "got '0.1'"),
        (True, "got True"),
        (None, "got None"),
        ("noise_floor", r"noise floor of metric 'accuracy'.*register_metric\('accuracy'"),
        (
            {"f1": 0.1},
            "for each metric, 'accuracy', but it names 'f1', which the frame has not",
        ),
        ({}, "says nothing of 'accuracy'"),
        ({"accuracy": -1}, "got -1"),
    ],
)
def test_a_rope_that_is_none(rope, message):
    for name in ("pairwise", "standing", "transitivity", "majority", "bayesian_sign"):
        with pytest.raises(bp.BeamError, match=message):
            getattr(TIES.beam, name)(rope)
    with pytest.raises(bp.BeamError, match=message):
        TIES.beam.comparison_matrix(rope=rope)


@pytest.mark.parametrize("rope", ["noise_floor", {"accuracy": 0.1}])
def test_a_rope_by_metric_needs_metrics(rope):
    frame = TIES.drop(columns="metric")
    with pytest.raises(bp.BeamError, match="needs a column 'metric', the frame has none"):
        frame.beam.pairwise(rope, higher_is_better=True)


# Standing ------------------------------------------------------------------------------


@given(matrices(missing=True), st.sampled_from([0.0, 0.2]))
def test_standing_is_the_mean_over_opponents(matrix, rope):
    if np.isnan(matrix).all():
        return
    pairs = bp.pairwise(frame_of(matrix), rope)
    table = bp.standing(frame_of(matrix), rope).set_index("method")
    for method, row in table.iterrows():
        as_first = pairs[(pairs["method_1"] == method) & (pairs["n_datasets"] > 0)]
        as_second = pairs[(pairs["method_2"] == method) & (pairs["n_datasets"] > 0)]
        better = [
            *(as_first["share_better"] + as_first["share_equivalent"] / 2),
            *(as_second["share_worse"] + as_second["share_equivalent"] / 2),
        ]
        assert row["n_opponents"] == len(better)
        expected = np.mean(better) if better else np.nan
        np.testing.assert_allclose(row["standing"], expected, atol=1e-12)
    values = table["standing"].dropna()
    assert values.is_monotonic_decreasing
    if (table["n_opponents"] == len(table) - 1).all():
        assert values.mean() == pytest.approx(0.5)


def test_standing_of_a_cycle_and_of_equals_is_even():
    for frame in (CYCLE, long({"A": [1, 1], "B": [1, 1], "C": [1, 1]}, "elo")):
        table = frame.beam.standing()
        assert table["standing"].tolist() == [0.5] * 3
        assert table["standing_rank"].tolist() == [2.0] * 3
        assert table["method"].tolist() == ["A", "B", "C"]


def test_a_tie_is_half_a_win_for_both():
    table = long({"A": [2.0], "B": [2.0], "C": [1.0]}, "elo").beam.standing()
    assert table["standing"].tolist() == [0.75, 0.75, 0.0]
    assert table["standing_rank"].tolist() == [1.5, 1.5, 3.0]


def test_a_missing_dataset_is_no_loss():
    frame = long({"A": [3, 3, None], "B": [2, 2, 2], "C": [1, 1, 1]}, "elo")
    assert frame.beam.standing().set_index("method").loc["A", "standing"] == 1.0


@pytest.mark.parametrize(("kind", "n"), [("posterior", 10), ("frequency", 185)])
def test_methods_in_the_same_position_share_a_rank(kind, n):
    scores = np.full((2 * n, 3), np.nan)
    scores[:n, 0], scores[:n, 1], scores[n:, 1], scores[n:, 2] = 0, 1, 1, 0
    scores[0, 0] = scores[n, 2] = 2
    table = bp.standing(frame_of(scores, "elo"), kind=kind)
    assert table["method"].tolist() == ["m1", "m0", "m2"]
    assert table["standing_rank"].tolist() == [1.0, 2.5, 2.5]


def test_standing_from_the_posterior():
    table = REFERENCE.beam.standing(0.5, kind="posterior", prior="uniform")
    pairs = REFERENCE.beam.bayesian_sign(0.5, prior="uniform")
    expected = pairs["prob_better"] + pairs["prob_equivalent"] / 2
    values = table.set_index("method")["standing"]
    assert values["A"] == pytest.approx((expected[0] + expected[1]) / 2)
    assert values["C"] == pytest.approx((2 - expected[1] - expected[2]) / 2)
    split = SPLIT.beam.standing(kind="posterior")
    assert split["n_opponents"].tolist() == [1] * 4
    with pytest.raises(
        bp.BeamError, match=r"kind must be one of \['frequency', 'posterior'\]"
    ):
        REFERENCE.beam.standing(kind="bayes")


# Counts --------------------------------------------------------------------------------

ACCURACY = long(
    {
        "A": [0.0, 0.0, 0.2, 0.0, 0.4, 0.1, 0.0, 0.3, 0.2, 0.5, 0.0, 0.6, 0.1, 0.7],
        "B": [0.0, 0.1, 0.2, 0.0, 0.3, 0.0, 0.0, 0.4, 0.2, 0.4, 0.0, 0.7, 0.1, 0.6],
        "C": [0.1, 0.0, 0.3, 0.0, 0.5, 0.2, 0.0, 0.2, 0.2, 0.6, 0.1, 0.5, 0.2, 0.8],
        "D": [0.0, 0.2, 0.1, 0.0, 0.2, 0.1, 0.1, 0.3, 0.1, 0.5, 0.0, 0.4, 0.0, 0.9],
    },
    "accuracy",
)


def test_relations_of_a_table_with_zeros_that_tie():
    counts = {
        name: ACCURACY.beam.comparison_matrix(relation=name)
        for name in ("better", "better_or_equal", "equal", "worse_or_equal", "worse")
    }
    wide = ACCURACY.beam.wide_scores()
    for name, operator in (
        ("better", np.greater), ("better_or_equal", np.greater_equal), ("equal", np.equal),
        ("worse_or_equal", np.less_equal), ("worse", np.less),
    ):  # fmt: skip
        for first in "ABCD":
            for second in "ABCD":
                expected = operator(wide[first], wide[second]).sum()
                assert counts[name].loc[first, second] == expected, (name, first, second)
    assert (counts["better"] + counts["equal"] + counts["worse"] == 14).all(axis=None)
    ties = counts["better_or_equal"] - counts["better"]
    pd.testing.assert_frame_equal(ties, counts["equal"])
    assert ties.loc["A", "B"] == 7
    assert np.diag(counts["better"]).tolist() == [0] * 4
    assert np.diag(counts["equal"]).tolist() == [14] * 4
    assert (counts["better"].dtypes == np.int64).all()
    assert counts["better"].index.name == counts["better"].columns.name == "method"


def test_counts_of_incomplete_scores_with_a_rope():
    counts = HOLE.beam.comparison_matrix(0.1, relation="equal")
    assert counts.to_numpy().tolist() == [[6, 6, 1], [6, 6, 5], [1, 5, 5]]


def test_bare_comparison_of_a_loss():
    frame = long({"A": [1, 2], "B": [3, 4]}, "rmse")
    assert frame.beam.comparison_matrix().loc["A", "B"] == 2
    assert frame.beam.comparison_matrix(higher_is_better=True).loc["A", "B"] == 0


def test_several_metrics_lead_the_rows_of_counts():
    frame = pd.concat([ACCURACY, REFERENCE])
    counts = frame.beam.comparison_matrix()
    assert counts.index.names == ["metric", "method"]
    assert counts.columns.tolist() == ["A", "B", "C", "D"]
    alone = REFERENCE.beam.comparison_matrix()
    pd.testing.assert_frame_equal(counts.loc["elo"].loc["A":"C", "A":"C"], alone)
    assert counts.loc["elo", "D"].tolist() == [0, 0, 0, 0]
    with pytest.raises(
        bp.BeamError, match=r"relation must be one of \['better', .*got '>'"
    ):
        frame.beam.comparison_matrix(relation=">")


def test_a_square_of_pairs_swaps_what_belongs_to_either():
    pairs = HOLE.beam.pairwise(rope=0.1)
    wins = bp.to_matrix(pairs, "wins")
    counts = HOLE.beam.comparison_matrix(rope=0.1).astype(float)
    np.testing.assert_array_equal(wins.fillna(0), counts)
    np.testing.assert_array_equal(bp.to_matrix(pairs, "losses"), wins.T)
    difference = bp.to_matrix(pairs, "mean_diff")
    np.testing.assert_array_equal(difference, -difference.T)
    for name in ("ties", "p_value", "share_equivalent", "rope", "p_adjusted"):
        square = bp.to_matrix(pairs, name)
        np.testing.assert_array_equal(square, square.T)
    posterior = HOLE.beam.bayesian_sign(0.1)
    square = bp.to_matrix(posterior, "prob_better")
    np.testing.assert_array_equal(bp.to_matrix(posterior, "prob_worse"), square.T)
    assert square.loc["A", "C"] == posterior.loc[1, "prob_better"]
    decisions = bp.to_matrix(posterior, "decision")
    turned = decisions.T.replace({"better": "worse", "worse": "better"})
    pd.testing.assert_frame_equal(turned, decisions)
