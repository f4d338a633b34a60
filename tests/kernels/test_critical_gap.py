from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beam_pandas.kernels.critical_gap import beyond, least_beyond


def test_a_gap_equal_to_the_critical_difference_is_within():
    critical = 1.25
    gaps = np.array([0.0, 1.0, np.nextafter(1.25, 0), 1.25, np.nextafter(1.25, 2), 1.5])
    np.testing.assert_array_equal(beyond(gaps, critical), [False] * 5 + [True])


def test_equal_is_within_a_hundred_trillionth_of_the_larger():
    for critical in (1e-3, 0.1, 1.0, 64.0):
        gaps = critical * (1.0 + np.array([0.5e-14, 0.9e-14, 1.1e-14, 2e-14]))
        np.testing.assert_array_equal(beyond(gaps, critical), [False, False, True, True])


def test_nothing_is_beyond_what_is_not_there():
    assert not beyond(np.array([0.0, 1e300]), float("nan")).any()
    for none in (float("nan"), float("inf")):
        assert least_beyond(none, 10) == np.iinfo(np.int64).max


def test_no_gap_is_beyond_none():
    np.testing.assert_array_equal(beyond(np.array([0.0, 1e-300]), 0.0), [False, True])
    assert least_beyond(0.0, 8) == 1


@given(st.integers(0, 500), st.integers(1, 300))
def test_a_critical_difference_that_is_reached_exactly(whole, divisor):
    # critical difference whole / divisor: the next whole number is the first beyond
    assert least_beyond(whole / divisor, divisor) == whole + 1


@given(st.floats(0.0, 100.0, allow_subnormal=False), st.integers(1, 4000))
def test_the_least_is_the_first_of_all(critical, divisor):
    found = least_beyond(critical, divisor)
    around = np.array([found - 1, found])
    assert found >= 1
    np.testing.assert_array_equal(beyond(around / divisor, critical), [False, True])


@pytest.mark.parametrize("divisor", [3, 28, 60])
def test_an_independent_count_in_fractions(divisor):
    for critical in (0.3, 0.7, 1.9, 4.1):
        first = next(
            d for d in range(1000) if Fraction(d, divisor) > Fraction(str(critical))
        )
        assert least_beyond(critical, divisor) == first
