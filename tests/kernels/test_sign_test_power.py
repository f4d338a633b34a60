import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import bdtrc, gammaln

from beam_pandas.kernels.sign_test_power import (
    MOST_EXACT_DATASETS,
    critical_wins,
    required_sign_test_datasets,
)


def required(better, worse, alpha=0.05, power=0.8):
    return required_sign_test_datasets(
        np.array([float(better)]), np.array([float(worse)]), alpha, power
    )[0]


@cache
def fewest_wins(n, alpha):
    """The fewest wins with 2 P(X >= wins) <= alpha, or None."""
    tail, found = 0, None
    for wins in range(n, n // 2, -1):
        tail += math.comb(n, wins)
        if Fraction(2 * tail, 2**n) > alpha:
            break
        found = wins
    return found


def exact_power(n, better, worse, alpha):
    """By all numbers of wins and losses, in fractions; better is the larger share."""
    equivalent, total = 1 - better - worse, Fraction(0)
    for d in range(n + 1):
        wins = fewest_wins(d, alpha)
        if wins is None:
            continue
        ways = sum(
            math.comb(d, w) * better**w * worse ** (d - w) for w in range(wins, d + 1)
        )
        total += math.comb(n, d) * equivalent ** (n - d) * ways
    return total


def by_trial(better, worse, alpha, power, most):
    last = 0
    for n in range(1, most + 1):
        if exact_power(n, better, worse, alpha) < power:
            last = n
    return last + 1 if last < most else math.inf


@given(
    st.integers(0, 12),
    st.integers(0, 12),
    st.integers(0, 6),
    st.sampled_from([0.05, 0.1, 0.01, 0.0625, 0.3]),
    st.sampled_from([0.8, 0.5, 0.9, 0.3]),
)
@settings(deadline=None, max_examples=30)
def test_equals_all_outcomes_in_fractions(wins, losses, ties, alpha, power):
    total = max(wins + losses + ties, 1)
    better, worse = Fraction(wins, total), Fraction(losses, total)
    larger, smaller = max(better, worse), min(better, worse)
    found = required(better, worse, alpha, power)
    most = 30
    expected = (
        by_trial(larger, smaller, Fraction(alpha), Fraction(power), most)
        if wins != losses
        else math.inf
    )
    if expected <= most - 10:  # else what lies beyond could fall short
        assert found == expected
    else:
        assert found > most - 10


@pytest.mark.parametrize(
    ("better", "worse", "alpha", "power", "expected"),
    [
        (1, 0, 0.05, 0.8, 6),  # 2 / 2^6 = .03125 and 2 / 2^5 = .0625
        (1, 0, 0.0625, 0.8, 5),  # equal to alpha is significant
        (0, 1, 0.0625, 0.8, 5),
        (1, 0, np.nextafter(0.0625, 0), 0.8, 6),
        (0.5, 0, 0.05, 0.5, 11),  # P(X >= 6) is one half with 11 fair coins
        (0.5, 0, 0.05, 0.5000001, 12),
    ],
)
def test_values_on_the_boundary(better, worse, alpha, power, expected):
    assert required(better, worse, alpha, power) == expected


def test_no_number_is_enough_without_a_difference():
    found = required_sign_test_datasets(
        np.array([0.3, 0.0, np.nan, 0.5]), np.array([0.3, 0.0, np.nan, 0.5]), 0.05, 0.8
    )
    np.testing.assert_array_equal(found, [np.inf, np.inf, np.nan, np.inf])


def float_power(n, better, worse, alpha):
    """The same as the kernel's in plain loops over all decisive numbers."""
    d = np.arange(n + 1)
    wins = critical_wins(alpha)[: n + 1]
    possible, share = wins <= d, better / (better + worse)
    tails = np.where(possible, bdtrc(wins - 1.0, np.maximum(d, wins), share), 0.0)
    decisive = better + worse
    if decisive > 1 - 1e-12:
        return float(tails[n])
    logs = gammaln(n + 1) - gammaln(d + 1) - gammaln(n - d + 1)
    weights = np.exp(logs + d * np.log(decisive) + (n - d) * np.log1p(-decisive))
    return float(np.sum(weights * tails))


@pytest.mark.parametrize(
    ("better", "worse"),
    [(0.6, 0.4), (0.55, 0.45), (0.53, 0.47), (0.35, 0.25), (0.31, 0.27), (0.1, 0.02),
     (0.02, 0.01), (0.011, 0.001), (0.9, 0.1)],
)  # fmt: skip
@pytest.mark.parametrize("power", [0.8, 0.95, 0.2])
def test_larger_numbers_equal_a_scan(better, worse, power):
    found = int(required(better, worse, power=power))
    assert 1 < found <= MOST_EXACT_DATASETS
    assert float_power(found - 1, better, worse, 0.05) < power
    beyond = [*range(found, found + 40), *range(found + 41, found + 400, 7)]
    assert min(float_power(n, better, worse, 0.05) for n in beyond) >= power - 1e-10


def test_beyond_the_exact_numbers_the_normal_law_is_rounded_up():
    better, worse = 0.51, 0.49
    z, z_power = 1.959963984540054, 0.8416212335729143
    root = z + z_power * math.sqrt(1 - 0.02**2)
    assert required(better, worse) == math.ceil((root / 0.02) ** 2) == 19620
    assert required(0.5, np.nextafter(0.5, 0)) > 1e30


def test_where_the_exact_numbers_end():
    # both sides of the end: the last exact one, and the normal law's
    shares = np.linspace(0.5190, 0.5210, 11)
    found = required_sign_test_datasets(shares, 1 - shares, 0.05, 0.8)
    assert (np.diff(found) <= 0).all()
    assert found[0] > MOST_EXACT_DATASETS > found[-1]
    at = np.flatnonzero(found <= MOST_EXACT_DATASETS)[0]
    n = int(found[at])
    better, worse = shares[at], 1 - shares[at]
    assert float_power(n - 1, better, worse, 0.05) < 0.8
    assert min(float_power(n + i, better, worse, 0.05) for i in range(0, 500, 3)) >= 0.8


def test_the_two_sides_are_alike_and_pairs_are_done_together():
    rng = np.random.default_rng(0)
    counts = rng.multinomial(50, [0.4, 0.3, 0.3], size=300) / 50
    better, worse = counts[:, 0], counts[:, 1]
    found = required_sign_test_datasets(better, worse, 0.05, 0.8)
    np.testing.assert_array_equal(
        found, required_sign_test_datasets(worse, better, 0.05, 0.8)
    )
    single = [required(b, w) for b, w in zip(better[:40], worse[:40], strict=True)]
    np.testing.assert_array_equal(found[:40], single)


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.0625, 0.25, 1e-6])
def test_critical_wins_equal_fractions(alpha):
    found = critical_wins(alpha)
    for n in [*range(80), 300]:
        expected = fewest_wins(n, Fraction(alpha))
        assert found[n] == (n + 1 if expected is None else expected)
