"""Comparisons with the value exactly on the boundary, and next to it."""

import math

import numpy as np
import pandas as pd
import pytest

import beam_pandas as bp
from beam_pandas.kernels.rank_cliques import find_cliques
from beam_pandas.kernels.studentized_range import _log_one_minus_power
from tests.tables import DEMSAR, REFERENCE, TIES, long, ordered

below = np.nextafter  # below(x, 0) is the next float towards 0

# one always better on four datasets: a gap of 1, and z = 2 exactly; the probability that
# a standard normal is beyond 2 on either side makes 1 the critical difference
FOUR = long({"A": [2, 2, 2, 2], "B": [1, 1, 1, 1]}, "elo")
TWO_SIGMA = 0.04550026389635841


@pytest.mark.filterwarnings("ignore::beam_pandas.BeamWarning")
def test_a_gap_equal_to_the_critical_difference_is_within_for_pairs_and_cliques():
    pairs = bp.nemenyi(FOUR, alpha=TWO_SIGMA)
    assert pairs["critical_difference"].tolist() == pytest.approx([1.0], rel=1e-14)
    assert pairs["rank_diff"].tolist() == [1.0]
    assert pairs["significant"].tolist() == [False]
    table = bp.critical_difference(FOUR, alpha=TWO_SIGMA)
    assert table["groups"].tolist() == ["a", "a"]
    assert bp.letters(pairs)["groups"].tolist() == ["a", "a"]
    assert bp.cliques(FOUR, alpha=TWO_SIGMA)["groups"].tolist() == ["a", "a"]
    (size,) = bp.resolution(FOUR, alpha=TWO_SIGMA).to_dict("records")
    assert size["can_separate"] is False
    dunn = bp.compare_to_control(FOUR, "B", alpha=TWO_SIGMA, adjust="bonferroni")
    assert dunn["significant"].tolist() == [False]


def test_a_gap_just_beyond_is_significant_for_pairs_and_cliques():
    alpha = TWO_SIGMA * (1 + 1e-12)
    assert bp.nemenyi(FOUR, alpha=alpha)["significant"].tolist() == [True]
    assert bp.critical_difference(FOUR, alpha=alpha)["groups"].tolist() == ["a", "b"]
    assert bp.resolution(FOUR, alpha=alpha)["can_separate"].tolist() == [True]
    dunn = bp.compare_to_control(FOUR, "B", alpha=alpha, adjust="none")
    assert dunn["significant"].tolist() == [True]


@pytest.mark.parametrize(
    "function", [bp.nemenyi, bp.critical_difference, bp.cliques], ids=lambda f: f.__name__
)
def test_a_critical_difference_equal_to_the_largest_gap_is_warned_of(function):
    with pytest.warns(bp.BeamWarning, match="critical difference 1 is no less than 1"):
        function(FOUR, alpha=TWO_SIGMA)
    function(FOUR, alpha=TWO_SIGMA * (1 + 1e-12))  # a warning would be an error


@pytest.mark.parametrize("gap", [1.0, below(1.0, 0), below(1.0, 2)])
def test_the_edge_of_a_clique_is_within_it(gap):
    first, last = find_cliques(np.array([1.0, 2.0, 4.0]), gap)
    assert (first.tolist(), last.tolist()) == ([0, 2], [1, 2])
    first, last = find_cliques(np.array([1.0, 2.0, 4.0]), 1.0 - 1e-13)
    assert (first.tolist(), last.tolist()) == ([0, 1, 2], [0, 1, 2])


FIVE = long({"A": [2.0] * 5, "B": [1.0] * 5}, "elo")  # 5 : 0, p = 1 / 16 exactly


@pytest.mark.parametrize(("alpha", "expected"), [(0.0625, True), (below(0.0625, 0), False)])
def test_p_values_equal_to_alpha_are_significant(alpha, expected):
    tables = [
        bp.pairwise(FIVE, alpha=alpha),
        bp.compare_to_control(FIVE, "B", test="sign", alpha=alpha),
        bp.compare_to_control(FIVE, "B", test="wilcoxon", alpha=alpha),
        bp.mean_rank_tests(FIVE, exact=True, alpha=alpha),
    ]
    for table in tables:
        assert table["p_adjusted"].tolist() == [0.0625]
        assert table["significant"].tolist() == [expected]


def test_a_p_value_of_a_control_equal_to_alpha_is_significant():
    p_adjusted = bp.compare_to_control(REFERENCE, "A")["p_adjusted"]
    for alpha, expected in ((p_adjusted[0], True), (below(p_adjusted[0], 0), False)):
        table = bp.compare_to_control(REFERENCE, "A", alpha=float(alpha))
        assert bool(table.loc[0, "significant"]) is expected


def test_a_p_value_of_a_dataset_equal_to_alpha_is_significant():
    both = pd.concat([DEMSAR, DEMSAR.assign(metric="f1")])
    p_value = bp.dataset_discrimination(both)["p_value"].min()
    for alpha, expected in ((p_value, True), (below(p_value, 0), False)):
        table = bp.dataset_discrimination(both, alpha=float(alpha))
        assert bool(table.loc[table["p_value"].idxmin(), "significant"]) is expected


def test_a_probability_equal_to_the_threshold_decides():
    told = {"prior_strength": 0, "rope": 0.5}
    sure = bp.bayesian_sign(FIVE, threshold=1, **told)
    assert sure["prob_better"].tolist() == [1.0]
    assert sure["decision"].tolist() == ["better"]
    frame = long({"A": [2, 2, 2, 1], "B": [1, 1, 1, 2]}, "elo")
    prob = float(bp.bayesian_sign(frame, 0.5).loc[0, "prob_better"])
    for threshold, expected in ((prob, "better"), (float(below(prob, 1)), "undecided")):
        table = bp.bayesian_sign(frame, 0.5, threshold=threshold)
        assert table["decision"].tolist() == [expected]


def test_the_resolution_of_a_level_that_is_reached_exactly():
    # 3 methods, 3 pairs: 3 times 2 to the power of 1 - n
    for n in (3, 5, 8):
        alpha = 3 * 2.0 ** (1 - n)
        frame = ordered(3, 3)
        assert bp.resolution(frame, alpha=alpha).loc[0, "datasets_needed"] == n
        less = float(below(alpha, 0))
        assert bp.resolution(frame, alpha=less).loc[0, "datasets_needed"] == n + 1


@pytest.mark.parametrize("k", [2, 3, 10])
def test_the_far_tail_of_the_range_goes_on_where_numbers_underflow(k):
    log_r = np.array([math.log(1e-290) + step for step in (-1e-9, 0.0, 1e-9)] + [-800.0])
    found = _log_one_minus_power(log_r, k)
    np.testing.assert_allclose(found, math.log(k - 1) + log_r, rtol=1e-14)


def test_ties_have_no_say_in_what_is_on_a_boundary():
    table = bp.pairwise(TIES.assign(score=0.5))
    assert table["p_adjusted"].tolist() == [1.0] * 3
    assert not table["significant"].any()
