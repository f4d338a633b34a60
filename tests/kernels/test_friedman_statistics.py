from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from scipy.stats import friedmanchisquare

from beam_pandas.kernels.friedman_statistics import friedman_statistics
from beam_pandas.kernels.row_ranks import rank_rows
from tests.strategies import matrices


@given(matrices(min_side=3))
def test_equals_scipy(matrix):
    ranks = rank_rows(matrix)
    assume(np.ptp(ranks) > 0)
    expected = friedmanchisquare(*matrix.T)
    found = friedman_statistics(ranks)
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert 0.0 <= found.kendall_w <= 1.0


@given(matrices())
def test_both_forms_equal_their_textbook_formulas(matrix):
    ranks = rank_rows(matrix)
    n, k = ranks.shape
    sums = [sum(Fraction(rank) for rank in column) for column in ranks.T.tolist()]
    plain = Fraction(12, n * k * (k + 1)) * sum(s * s for s in sums) - 3 * n * (k + 1)
    tied = sum(
        row.count(rank) ** 2 - 1 for row in ranks.tolist() for rank in row
    )  # t³ - t for each group of t
    correction = 1 - Fraction(tied, n * k * (k * k - 1))
    assume(correction != 0)
    for statistic, tie_correction in ((plain, False), (plain / correction, True)):
        found = friedman_statistics(ranks, tie_correction)
        assert found.statistic == pytest.approx(float(statistic), rel=1e-12, abs=1e-12)
        residual = n * (k - 1) - statistic
        expected = float((n - 1) * statistic / residual) if residual else np.inf
        assert found.f_statistic == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_perfect_agreement_gives_an_infinite_f_and_p_zero():
    found = friedman_statistics(np.tile([1.0, 2.5, 2.5, 4.0], (7, 1)))
    assert found.statistic == pytest.approx(21.0)
    assert (found.f_statistic, found.f_p_value, found.kendall_w) == (np.inf, 0.0, 1.0)


def test_equal_scores_everywhere_are_no_evidence():
    found = friedman_statistics(np.full((5, 3), 2.0))
    assert (found.statistic, found.p_value, found.f_statistic, found.f_p_value) == (
        0,
        1,
        0,
        1,
    )
    assert np.isnan(found.kendall_w)


def test_the_far_tail_is_no_zero():
    assert 0.0 < friedman_statistics(np.tile([1.0, 2.0, 3.0], (300, 1))).p_value < 1e-100
