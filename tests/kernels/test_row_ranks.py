import numpy as np
from hypothesis import given
from scipy.stats import rankdata

from beam_pandas.kernels.row_ranks import rank_rows
from tests.strategies import matrices


@given(matrices(missing=True, min_side=1))
def test_ranks_equal_those_of_scipy_where_no_score_is_missing_or_nearly_tied(matrix):
    expected = rankdata(-matrix, axis=1, nan_policy="omit")
    np.testing.assert_array_equal(rank_rows(matrix), expected)


def test_scores_equal_but_for_the_order_of_a_sum_are_tied():
    mean_1, mean_2 = (0.1 + 0.2 + 0.3) / 3, (0.3 + 0.2 + 0.1) / 3
    assert mean_1 != mean_2
    np.testing.assert_array_equal(
        rank_rows(np.array([[mean_1, 0.1, mean_2]])), [[1.5, 3, 1.5]]
    )


def test_equality_is_relative_to_the_larger_score():
    scores = np.array([[1e-20, 2e-20], [1e20, 1e20 * (1 + 5e-15)], [1.0, 1.0 + 3e-14]])
    np.testing.assert_array_equal(rank_rows(scores), [[2, 1], [1.5, 1.5], [2, 1]])


def test_extreme_magnitudes_and_signed_zero():
    scores = np.array([[1.7e308, -1.7e308, 0.0, -0.0, 1e-300]])
    np.testing.assert_array_equal(rank_rows(scores), [[1, 5, 3.5, 3.5, 2]])


def test_three_equal_differences_of_unequal_floats_share_a_rank():
    first = np.array([0.5, 0.825, 0.375, 0.5])
    second = np.array([0.525, 0.775, 0.325, 0.55])
    np.testing.assert_array_equal(rank_rows(-np.abs(first - second)[None]), [[1, 3, 3, 3]])
