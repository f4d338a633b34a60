import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from beam_pandas.kernels.adjustment import ADJUSTMENTS, adjust_p_values

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12).map(np.array)


# R: p.adjust(c(.01, .04, .03), "holm"), "hochberg", "bonferroni", "BH"
@pytest.mark.parametrize(
    ("adjust", "expected"),
    [
        ("holm", [0.03, 0.06, 0.06]),
        ("hochberg", [0.03, 0.04, 0.04]),
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
    found = adjust_p_values(np.array([0.01, np.nan, 0.04]), "holm")
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
