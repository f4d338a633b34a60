from fractions import Fraction
from math import factorial, inf

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy.stats import binom

import beam_pandas as bp
from tests.strategies import frame_of, matrices
from tests.tables import CYCLE, DEMSAR, DEMSAR_RANKED, FEW, SPLIT, TIES, TWO, long, ordered

few = settings(max_examples=25, deadline=None)


# Holm over all pairs can never reach .05: facts of 2^(1-n) k (k - 1) / 2
@pytest.mark.parametrize(
    ("n", "k", "can"),
    [
        (5, 2, False), (6, 2, True), (6, 3, False), (7, 3, True), (7, 4, False),
        (8, 4, True), (8, 5, False), (10, 7, True), (10, 8, False), (12, 14, True),
        (12, 15, False),
    ],
)  # fmt: skip
def test_whether_a_perfect_pair_can_be_significant_after_holm(n, k, can):
    (row,) = bp.resolution(ordered(k, n)).to_dict("records")
    assert row["smallest_sign_p"] == 2.0 ** (1 - n)
    assert row["smallest_sign_p_adjusted"] == min(1.0, k * (k - 1) / 2 * 2.0 ** (1 - n))
    assert row["smallest_wilcoxon_p_adjusted"] == row["smallest_sign_p_adjusted"]
    assert (row["smallest_sign_p_adjusted"] <= 0.05) == can
    assert (row["datasets_needed"] <= n) == can
    assert row["smallest_friedman_p"] == float(1 / Fraction(factorial(k)) ** (n - 1))


def test_it_is_reached_by_the_tests_themselves():
    frame = long({"A": [3] * 7, "B": [2] * 7, "C": [1] * 7}, "elo")
    (row,) = bp.resolution(frame).to_dict("records")
    pairs = bp.pairwise(frame, adjust="bonferroni")
    assert pairs["p_value"].tolist() == [row["smallest_sign_p"]] * 3
    assert pairs["p_adjusted"].tolist() == [row["smallest_sign_p_adjusted"]] * 3
    wilcoxon = bp.compare_to_control(frame, "C", test="wilcoxon", adjust="none")
    assert wilcoxon["p_value"].tolist() == [row["smallest_sign_p"]] * 2
    exact = bp.friedman(frame, exact=True)["exact_p_value"]
    assert exact.tolist() == pytest.approx([row["smallest_friedman_p"]], rel=1e-13)


def test_nine_methods_on_two_datasets_cannot_be_told_apart():
    (row,) = bp.resolution(FEW, higher_is_better=True).to_dict("records")
    assert (row["n_methods"], row["n_datasets"]) == (9, 2)
    assert round(row["critical_difference"], 4) == 8.4944
    assert row["largest_rank_diff"] == 8.0
    assert row["can_separate"] is False
    assert row["datasets_needed"] == 11  # 36 / 2^10 = .035
    with pytest.warns(
        bp.BeamWarning, match="the sign test of all pairs with Holm needs 11"
    ):
        bp.critical_difference(FEW, higher_is_better=True)


def test_resolution_is_per_metric_and_of_the_complete_table():
    both = pd.concat([TIES.assign(metric="f1"), CYCLE])
    table = bp.resolution(both)
    assert table["metric"].tolist() == ["elo", "f1"]
    assert table["n_datasets"].tolist() == [3, 4]
    with pytest.raises(bp.IncompleteScoresError, match="resolution"):
        bp.resolution(SPLIT)


# Hollander, Wolfe, Table A.22, and Demšar's table
def test_the_exact_p_value_of_friedman():
    found = bp.friedman(DEMSAR, exact=True)["exact_p_value"]
    assert found.tolist() == pytest.approx([0.009124952], abs=5e-10)
    ranked = bp.friedman(DEMSAR_RANKED, exact=True)["exact_p_value"]
    assert ranked.tolist() == pytest.approx([0.013592870], abs=5e-10)
    perfect = bp.friedman(ordered(3, 5), exact=True)["exact_p_value"]
    assert perfect.tolist() == pytest.approx([1 / 1296], rel=1e-14)
    equal = bp.friedman(TIES.assign(score=1.0), exact=True)
    assert equal["exact_p_value"].tolist() == [1.0]


def test_the_exact_p_value_is_there_when_asked_for():
    plain, exact = bp.friedman(DEMSAR), bp.friedman(DEMSAR, exact=True)
    assert plain["exact_p_value"].isna().all()
    assert plain.columns.tolist()[-1] == "exact_p_value"
    pd.testing.assert_frame_equal(
        plain.drop(columns="exact_p_value"), exact.drop(columns="exact_p_value")
    )
    uncorrected = bp.friedman(DEMSAR, exact=True, tie_correction=False)
    assert uncorrected["exact_p_value"].tolist() == exact["exact_p_value"].tolist()
    with pytest.raises(bp.BeamError, match="exact must be True or False"):
        bp.friedman(DEMSAR, exact="yes")


def test_a_table_too_large_says_how_large_it_may_be():
    with pytest.raises(bp.BeamError) as caught:
        bp.friedman(ordered(5, 40), exact=True)
    assert str(caught.value) == (
        "exact=True with 5 methods goes to 26 datasets with such ties, found 40 datasets "
        "in metric 'accuracy': leave exact out"
    )
    with pytest.raises(bp.BeamError, match="20 methods goes to no table of so many"):
        bp.friedman(ordered(20, 2), exact=True)
    both = pd.concat([ordered(5, 40), ordered(5, 5).assign(metric="f1")])
    with pytest.warns(bp.BeamWarning, match="1 of 2 metrics are left out"):
        table = bp.friedman(both, exact=True, errors="warn", missing="drop_datasets")
    assert table["metric"].tolist() == ["f1"]


def power(n, better, worse, alpha):
    """The probability that the sign test favours the better one, by all outcomes."""
    total = 0.0
    for decisive in range(n + 1):
        wins = np.arange(decisive + 1)
        p = np.minimum(1, 2 * binom.sf(wins - 1, decisive, 0.5))
        found = (wins > decisive / 2) & (p <= alpha)
        share = better / (better + worse)
        total += binom.pmf(decisive, n, better + worse) * (
            binom.pmf(wins, decisive, share)[found].sum()
        )
    return total


@few
@given(matrices(min_side=3, max_side=6))
def test_required_datasets_is_the_least_from_which_on_the_power_holds(matrix):
    table = bp.required_datasets(frame_of(matrix), 0.05, power=0.8)
    for row in table.head(3).itertuples():
        low, high = sorted([row.share_better, row.share_worse])
        if low == high:
            assert row.n_required == inf
            continue
        n = int(row.n_required)
        if n > 60:
            continue
        assert power(n - 1, high, low, 0.05) < 0.8
        for more in range(n, n + 6):
            assert power(more, high, low, 0.05) >= 0.8 - 1e-12


def test_required_datasets_of_known_shares():
    # always better: six datasets are the first with p <= .05, and the power is then 1
    table = bp.required_datasets(long({"A": [2, 2, 2], "B": [1, 1, 1]}, "elo"), 0.0)
    assert table["n_required"].tolist() == [6.0]
    assert table["share_better"].tolist() == [1.0]
    even = bp.required_datasets(CYCLE.query("method != 'C'"), 2.0)
    assert even["n_required"].tolist() == [inf]
    assert even["share_equivalent"].tolist() == [1.0]
    unmet = bp.required_datasets(SPLIT, 0.0).set_index(["method_1", "method_2"])
    assert np.isnan(unmet.loc[("A", "C"), "n_required"])
    assert unmet.loc[("A", "B"), "n_required"] == 6.0


def test_required_datasets_agrees_with_pairwise_and_swaps():
    table, pairs = bp.required_datasets(DEMSAR, 0.01), bp.pairwise(DEMSAR, 0.01)
    same = ["method_1", "method_2", "n_datasets", "share_better", "share_equivalent"]
    pd.testing.assert_frame_equal(table[same], pairs[same])
    turned = bp.required_datasets(DEMSAR, 0.01, higher_is_better=False)
    assert turned["n_required"].tolist() == table["n_required"].tolist()
    assert turned["share_better"].tolist() == table["share_worse"].tolist()
    square = bp.to_matrix(table, "n_required")
    assert (square.fillna(0) == square.T.fillna(0)).all(axis=None)


@pytest.mark.parametrize("option", ["power", "alpha"])
def test_odd_levels_are_refused(option):
    for odd in (0, 1, "x", None, True):
        with pytest.raises(bp.BeamError, match=f"{option} must be a number between"):
            bp.required_datasets(TWO, 0.1, **{option: odd})
    with pytest.raises(bp.BeamError, match="rope"):
        bp.required_datasets(TWO, -1)
