import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import erfc
from scipy.stats import studentized_range

from beam_pandas.kernels.studentized_range import range_quantile, range_sf


# Quantiles at infinite degrees of freedom over the square root of 2, alpha .05
@pytest.mark.parametrize(
    ("k", "q"),
    [(2, 1.9600), (3, 2.3437), (5, 2.7278), (9, 3.1017), (10, 3.1637), (20, 3.5438),
     (50, 3.9923), (100, 4.3025)],
)  # fmt: skip
def test_quantiles_of_nemenyi(k, q):
    assert range_quantile(0.05, k) / math.sqrt(2) == pytest.approx(q, abs=5e-5)


# Harter (1960), Table 3, infinite degrees of freedom, to two decimals
@pytest.mark.parametrize(
    ("k", "alpha", "q"),
    [(3, 0.10, 2.90), (4, 0.10, 3.24), (3, 0.01, 4.12), (10, 0.01, 5.16)],
)
def test_other_levels(k, alpha, q):
    assert range_quantile(alpha, k) == pytest.approx(q, abs=5e-3)


@pytest.mark.parametrize("k", [2, 3, 4, 7, 14, 40, 200, 1000])
def test_tail_equals_scipy(k):
    q = np.array([0.0, 0.05, 0.4, 1.0, 2.2, 3.3145, 4.0, 5.5, 7.0, 9.0])
    expected = [studentized_range.sf(value, k, np.inf) for value in q]
    np.testing.assert_allclose(range_sf(q, k), expected, atol=1e-10, rtol=0)


def test_two_variables_have_a_closed_form_into_the_far_tail():
    q = np.array([0.3, 5.0, 20.0, 36.0, 52.0])
    np.testing.assert_allclose(range_sf(q, 2), erfc(q / 2), rtol=1e-12)


# P(range > q) from the density of the largest, at 350 digits
@pytest.mark.slow
@pytest.mark.parametrize(("k", "q"), [(3, 30.0), (10, 15.5), (50, 5.2), (1000, 50.0)])
def test_tail_equals_high_precision_quadrature(k, q):
    with mpmath.workdps(350):

        def integrand(z):
            below = mpmath.ncdf(z)
            return (
                k
                * mpmath.npdf(z)
                * (below ** (k - 1) - (below - mpmath.ncdf(z - q)) ** (k - 1))
            )

        step = mpmath.mpf(1) / 8
        expected = step * mpmath.fsum(integrand(step * at) for at in range(-160, 560))
    assert range_sf(np.array([q]), k)[0] == pytest.approx(float(expected), rel=1e-11)


@given(st.integers(2, 300), st.integers(0, 2**32 - 1))
def test_many_ranges_at_once_equal_each_by_itself(k, seed):
    q = np.random.default_rng(seed).uniform(0, 9, 1000)
    few = q[:20]
    np.testing.assert_allclose(range_sf(q, k)[:20], range_sf(few, k), rtol=1e-11)


def test_never_zero_where_a_float_can_hold_it_and_never_above_one():
    found = range_sf(np.linspace(0, 52, 5000), 1000)
    assert found.max() == 1.0
    assert (np.diff(found) <= 1e-13 * found[1:]).all()
    assert 1e-300 < found.min() < 1e-280
    assert range_sf(np.array([1e6]), 3)[0] == 0.0


def test_quantile_inverts_the_tail():
    for k in (2, 5, 1000):
        for alpha in (1e-12, 0.05, 0.5, 0.999):
            assert range_sf(np.array([range_quantile(alpha, k)]), k)[0] == pytest.approx(
                alpha, rel=1e-11
            )
