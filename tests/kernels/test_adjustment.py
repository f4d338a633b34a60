import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from beam_pandas.kernels.adjustment import ADJUSTMENTS, adjust_p_values

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12).map(np.array)


# R: p.adjust(c(.01, .04, .03), "holm"), "hochberg", "hommel", "bonferroni", "BH"
@pytest.mark.parametrize(
    ("adjust", "expected"),
    [
        ("holm", [0.03, 0.06, 0.06]),
        ("hochberg", [0.03, 0.04, 0.04]),
        ("hommel", [0.03, 0.04, 0.04]),
        ("bonferroni", [0.03, 0.12, 0.09]),
        ("fdr_bh", [0.03, 0.04, 0.04]),
        ("none", [0.01, 0.04, 0.03]),
    ],
)
def test_values_of_r(adjust, expected):
    np.testing.assert_allclose(
        adjust_p_values(np.array([0.01, 0.04, 0.03]), adjust), expected
    )


def test_missing_p_values_are_no_members_of_the_family():
    for adjust in ("holm", "hommel"):
        found = adjust_p_values(np.array([0.01, np.nan, 0.04]), adjust)
        np.testing.assert_allclose(found, [0.02, np.nan, 0.04])
    assert np.isnan(adjust_p_values(np.array([np.nan]), "hochberg")).all()


def naive(p_values, adjust):
    """Each method as a sequence of tests: the smallest level at which one rejects."""
    m = len(p_values)
    order = np.argsort(p_values)
    adjusted = np.empty(m)
    for place, at in enumerate(order):
        if adjust == "holm":
            steps = [(m - j) * p_values[order[j]] for j in range(place + 1)]
            adjusted[at] = max(steps)
        else:
            steps = [(m - j) * p_values[order[j]] for j in range(place, m)]
            adjusted[at] = min(steps)
    return np.minimum(adjusted, 1)


@given(P_VALUES)
def test_step_methods_equal_their_twins(p_values):
    for adjust in ("holm", "hochberg"):
        np.testing.assert_allclose(
            adjust_p_values(p_values, adjust), naive(p_values, adjust), atol=1e-15
        )


# all pairs of Garcia and Herrera (2008), JMLR 9, 2677-2694; R: p.adjust(p, "hommel")
def test_hommel_of_all_pairs_of_mean_ranks():
    p_values = [4.48699e-08, 1.73612e-07, 0.00288048, 0.00484876, 0.00796349,
                0.0101123, 0.0127630, 0.0247447, 0.743971, 0.806496]  # fmt: skip
    expected = [4.487e-07, 1.5625e-06, 0.020163, 0.025526, 0.031908,
                0.040449, 0.049489, 0.074234, 0.8065, 0.8065]  # fmt: skip
    found = adjust_p_values(np.array(p_values), "hommel")
    np.testing.assert_allclose(found, expected, rtol=5e-5)


def closed_test_of_simes(p_values):
    """The largest p-value of Simes' test among all subsets that hold a hypothesis."""
    adjusted = np.zeros(len(p_values))
    for size in range(1, len(p_values) + 1):
        for subset in map(list, itertools.combinations(range(len(p_values)), size)):
            ascending = sorted(p_values[subset])
            simes = min(size * p / place for place, p in enumerate(ascending, start=1))
            adjusted[subset] = np.maximum(adjusted[subset], simes)
    return adjusted


COARSE = st.sampled_from([0.0, 0.01, 0.02, 0.025, 0.04, 0.5, 1.0])


@given(st.lists(st.floats(0, 1) | COARSE, min_size=1, max_size=8).map(np.array))
def test_hommel_equals_the_closed_test_over_all_subsets(p_values):
    np.testing.assert_allclose(
        adjust_p_values(p_values, "hommel"),
        closed_test_of_simes(p_values),
        rtol=1e-14,
        atol=1e-300,
    )


def hommel_of_r(p_values):
    """p.adjust(p, "hommel") of R's stats package, line by line."""
    n = len(p_values)
    order = np.argsort(p_values, kind="stable")
    p = p_values[order]
    q = np.full(n, min(n * p / np.arange(1, n + 1)))
    adjusted = q.copy()
    for m in range(n - 1, 1, -1):
        head, tail = np.arange(n - m + 1), np.arange(n - m + 1, n)
        q[head] = np.minimum(m * p[head], min(m * p[tail] / np.arange(2, m + 1)))
        q[tail] = q[n - m]
        adjusted = np.maximum(adjusted, q)
    result = np.empty(n)
    result[order] = np.maximum(adjusted, p)
    return result


@given(
    st.integers(1, 300),
    st.integers(0, 2**32 - 1),
    st.sampled_from([1.0, 0.3, 6.0]),
    st.booleans(),
)
def test_hommel_equals_the_algorithm_of_r(m, seed, power, tied):
    p_values = np.random.default_rng(seed).random(m) ** power
    if tied:
        p_values = np.round(p_values, 1)
    np.testing.assert_allclose(
        adjust_p_values(p_values, "hommel"), hommel_of_r(p_values), rtol=1e-14, atol=0
    )


def test_hommel_of_a_family_of_half_a_million():
    p_values = np.random.default_rng(0).random(499_500) ** 3
    adjusted = adjust_p_values(p_values, "hommel")
    assert (adjusted >= p_values).all()
    assert (adjusted <= adjust_p_values(p_values, "hochberg") * (1 + 1e-15)).all()


@given(P_VALUES)
def test_false_discovery_rate_equals_scipy(p_values):
    np.testing.assert_allclose(
        adjust_p_values(p_values, "fdr_bh"), false_discovery_control(p_values), atol=1e-15
    )


@given(P_VALUES, st.sampled_from(ADJUSTMENTS))
def test_adjusting_never_lowers_and_keeps_the_order_and_the_input(p_values, adjust):
    before = p_values.copy()
    adjusted = adjust_p_values(p_values, adjust)
    assert (adjusted >= p_values - 1e-15).all()
    assert (np.diff(adjusted[np.argsort(p_values)]) >= -1e-15).all()
    np.testing.assert_array_equal(p_values, before)
