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
