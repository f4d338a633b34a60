import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beam_pandas.kernels.adjustment import adjust_p_values
from beam_pandas.kernels.binomial_sign import sign_p_values
from beam_pandas.kernels.friedman_law import friedman_permutation_p_value
from beam_pandas.kernels.small_samples import (
    fewest_separating_datasets,
    smallest_friedman_p,
    smallest_sign_p,
    smallest_sign_p_adjusted,
)


def test_smallest_sign_p_is_that_of_wins_everywhere():
    n = np.arange(0, 200)
    found = smallest_sign_p(n)
    assert found[:7].tolist() == [1, 1, 0.5, 0.25, 0.125, 0.0625, 0.03125]
    np.testing.assert_allclose(found, sign_p_values(n, np.zeros_like(n)), rtol=1e-14)


@pytest.mark.parametrize("k", [2, 3, 4, 9])
@pytest.mark.parametrize("n", [1, 2, 5, 6, 12])
def test_smallest_adjusted_sign_p_is_that_of_holm(k, n):
    p_values = np.ones(k * (k - 1) // 2)
    p_values[0] = sign_p_values(np.array([n]), np.array([0]))[0]
    expected = adjust_p_values(p_values, "holm")[0]
    assert smallest_sign_p_adjusted(np.array([n]), k)[0] == pytest.approx(expected)


# 1 / (3!)^4: three methods in the same order on five datasets
def test_smallest_friedman_p_of_a_small_table():
    assert smallest_friedman_p(3, 5) == 1 / 1296
    assert smallest_friedman_p(5, 1) == smallest_friedman_p(5, 0) == 1.0
    assert smallest_friedman_p(2, 2000) == 0.0
    assert 0.0 < smallest_friedman_p(2, 1000) == 2.0**-999
    assert smallest_friedman_p(1000, 100_000) == 0.0


@pytest.mark.parametrize(("k", "n"), [(2, 7), (3, 9), (4, 5), (5, 4)])
def test_smallest_friedman_p_is_the_exact_one(k, n):
    ranks = np.tile(np.arange(1.0, k + 1), (n, 1))
    expected = friedman_permutation_p_value(ranks)
    assert smallest_friedman_p(k, n) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("k", "alpha", "expected"),
    [
        (2, 0.05, 6),  # 2^-5 = .03125
        (2, 0.0625, 5),  # equal: 2^-4
        (2, np.nextafter(0.0625, 0), 6),
        (3, 0.05, 7),  # 3 / 64 = .046875
        (3, 0.046875, 7),  # equal
        (3, np.nextafter(0.046875, 0), 8),
        (4, 0.05, 8),  # 6 / 128 = .046875
        (9, 0.05, 11),  # 36 / 1024 = .03516
        (2, 1.0, 1),
        (2, 0.5, 2),
    ],
)
def test_fewest_datasets_at_the_boundary(k, alpha, expected):
    assert fewest_separating_datasets(k, alpha) == expected


@given(st.integers(2, 2000), st.floats(1e-12, 1.0))
def test_fewest_datasets_equal_fractions(k, alpha):
    found = fewest_separating_datasets(k, alpha)
    m = math.comb(k, 2)
    assert Fraction(m) * Fraction(1, 2) ** (found - 1) <= Fraction(alpha)
    assert found == 1 or Fraction(m) * Fraction(1, 2) ** (found - 2) > Fraction(alpha)
