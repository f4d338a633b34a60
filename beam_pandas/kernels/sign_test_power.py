"""The number of datasets that the exact sign test needs."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import scipy  # its parts load when they are used
from numpy.typing import NDArray

from beam_pandas.kernels.binomial_sign import sign_p_values

#: Up to so many datasets the power is exact.
MOST_EXACT_DATASETS = 5000
_BEYOND = 500  # datasets beyond, where a power may still fall short
_LENGTHS = (
    64,
    128,
    256,
    512,
    1024,
    2048,
    4096,
    6500,
)  # of tables of the power by decisive datasets
_REACH, _MARGIN = 9.0, 10.0  # standard deviations, and datasets beside, that matter
_BLOCK = 2**18  # values of a table at a time
#: Numbers that differ by no more than this share are equal: the shares are rounded.
_EQUALITY = 1e-12


def required_sign_test_datasets(
    share_better: NDArray[np.float64],
    share_worse: NDArray[np.float64],
    alpha: float,
    power: float,
) -> NDArray[np.float64]:
    """
    Give the fewest datasets with which the exact sign test has a power.

    A dataset favours one method, the other, or neither, with the probabilities given,
    and the test is two-sided at `alpha`. Only rejections in favour of the method with
    the larger share count. The power is no monotone function of the number of
    datasets: the result is the least number from which on it never falls short.

    Parameters
    ----------
    share_better, share_worse : ndarray of float64, shape (m,)
        Of each pair; what is left to 1 is decided for neither.
    alpha : float
        Level of the test, between 0 and 1.
    power : float
        Between 0 and 1.

    Returns
    -------
    ndarray of float64, shape (m,)
        Whole numbers; infinite where the shares are equal, NaN where they are missing.
        Exact up to `MOST_EXACT_DATASETS`, above that by the normal approximation
        (Miettinen 1968, doi:10.2307/2528540; Connor 1987, doi:10.2307/2531961).

    Notes
    -----
    With g(d) the power at d decisive datasets, that at n datasets is the mean of g over
    the binomial law of d. The mean of the least of g(d), g(d + 1), ... bounds it from
    below and rises with n. Where this bound reaches the power, no larger n falls short;
    from there the n below are tried one after the other until one does. A table of g
    is twice as long as what is asked of it, or longer by 1,000: g falls by no more than
    one probability of a binomial law when the critical number of wins rises, and makes
    up for it within some square roots of d.
    """
    larger = np.maximum(share_better, share_worse)
    smaller = np.minimum(share_better, share_worse)
    pairs, inverse = np.unique(
        np.column_stack([larger, smaller]), axis=0, return_inverse=True
    )
    larger, smaller = pairs.T
    result = np.where(np.isnan(larger), np.nan, np.inf)
    differ = np.flatnonzero(larger > smaller)
    result[differ] = _required(larger[differ], smaller[differ], alpha, power)
    return result[inverse.ravel()]


def _required(
    larger: NDArray[np.float64], smaller: NDArray[np.float64], alpha: float, power: float
) -> NDArray[np.float64]:
    """Give the number for pairs whose shares differ, with tables as short as will do."""
    decisive = np.minimum(larger + smaller, 1.0)
    decisive[decisive > 1.0 - _EQUALITY] = 1.0
    favoured = np.minimum(larger / decisive, 1.0)
    normal = _required_by_normal_law(larger, smaller, alpha, power)
    result = np.maximum(normal, MOST_EXACT_DATASETS + 1.0)
    # with the smallest alpha the normal law asks for 2 log 2 = 1.39 times too many
    left = np.flatnonzero(normal <= 2 * MOST_EXACT_DATASETS)
    for length in _LENGTHS:
        most = _most_datasets_for(decisive[left], length)
        short = (1.2 * normal[left] < most) | (length == _LENGTHS[-1])
        trial, left = left[short], left[~short]
        for start in range(0, trial.size, max(1, _BLOCK // length)):
            block = trial[start : start + max(1, _BLOCK // length)]
            found = _required_within(decisive[block], favoured[block], alpha, power, length)
            exact = found <= MOST_EXACT_DATASETS
            result[block[exact]] = found[exact]
            if length < _LENGTHS[-1]:
                left = np.append(left, block[np.isinf(found)])
    return result


def _required_by_normal_law(
    larger: NDArray[np.float64], smaller: NDArray[np.float64], alpha: float, power: float
) -> NDArray[np.float64]:
    """Give (z_(alpha / 2) sqrt(s) + z_power sqrt(s - d²))² / d²; s sum, d difference."""
    decisive, difference = larger + smaller, larger - smaller
    spread = np.sqrt(np.maximum(decisive - difference**2, 0.0))
    root = -scipy.special.ndtri(alpha / 2) * np.sqrt(decisive)
    root = np.maximum(root + scipy.special.ndtri(power) * spread, 0.0)
    return np.asarray(np.ceil((root / difference) ** 2), dtype=np.float64)


def _required_within(
    decisive: NDArray[np.float64],
    favoured: NDArray[np.float64],
    alpha: float,
    power: float,
    length: int,
) -> NDArray[np.float64]:
    """Give the number, by a table of so many decisive datasets; infinite if too short."""
    table = _power_by_decisive(favoured, alpha, length)
    bound = np.minimum.accumulate(table[:, ::-1], axis=1)[:, ::-1]
    goal = power * (1.0 - _EQUALITY)
    high = _most_datasets_for(decisive, length)
    enough = np.flatnonzero(_mean_power(bound, high, decisive) >= goal)
    table, bound, share = table[enough], bound[enough], decisive[enough]
    low, high = np.zeros(enough.size, dtype=np.int64), high[enough]
    while (high - low > 1).any():  # the bound reaches the power at high, not at low
        middle = (low + high) // 2
        reached = _mean_power(bound, middle, share) >= goal
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
    falling = np.arange(enough.size)
    while falling.size:  # down to the last number that falls short
        before = high[falling] - 1
        holds = _mean_power(table[falling], before, share[falling]) >= goal
        high[falling[holds]] -= 1
        falling = falling[holds]
    result = np.full(decisive.size, np.inf)
    result[enough] = high
    return result


def _most_datasets_for(decisive: NDArray[np.float64], length: int) -> NDArray[np.int64]:
    """Give the most datasets whose decisive ones stay within the first half of a table."""
    most = MOST_EXACT_DATASETS + _BEYOND
    if length == _LENGTHS[-1]:
        return np.full(decisive.size, most)
    reach = _REACH * np.sqrt(1.0 - decisive)
    root = (np.sqrt(reach**2 + 4.0 * (length / 2 - _MARGIN)) - reach) / 2.0
    return np.minimum(root**2 / decisive, most).astype(np.int64)


@lru_cache(maxsize=8)
def critical_wins(alpha: float) -> NDArray[np.int64]:
    """
    Give the fewest wins that are significant, by the number of decisive datasets.

    One more than there are datasets where no number of wins is.
    """
    n = np.arange(_LENGTHS[-1])
    low, high = n // 2, n + 1  # not significant at low; at high, or there is no more
    while (high - low > 1).any():
        middle = (low + high) // 2
        inside = sign_p_values(middle, n - middle) <= alpha
        low, high = np.where(inside, low, middle), np.where(inside, middle, high)
    high.setflags(write=False)
    return high


def _power_by_decisive(
    favoured: NDArray[np.float64], alpha: float, length: int
) -> NDArray[np.float64]:
    """Give the probability of critical wins or more, a column for each decisive number."""
    wins, n = critical_wins(alpha)[:length], np.arange(length)
    possible = wins <= n
    tail = scipy.special.betainc(
        np.where(possible, wins, 1),
        np.where(possible, n - wins + 1.0, 1.0),
        favoured[:, None],
    )
    return np.where(possible, tail, 0.0)


def _mean_power(
    table: NDArray[np.float64], n: NDArray[np.int64], decisive: NDArray[np.float64]
) -> NDArray[np.float64]:
    """
    Give the mean of a row of the table over the binomial law of its decisive datasets.

    The probabilities follow one from the other, from far below the mean to far above it,
    and are divided by their sum.
    """
    is_certain = decisive == 1.0
    odds = decisive / np.where(is_certain, 1.0, 1.0 - decisive)
    centre = n * decisive
    reach = _REACH * np.sqrt(centre * (1.0 - decisive)) + _MARGIN
    first = np.maximum(np.floor(centre - reach), 0.0).astype(np.int64)
    first = np.where(is_certain, n, first)
    last = np.minimum(np.ceil(centre + reach).astype(np.int64), n)
    at = first[:, None] + np.arange(1, int((last - first).max(initial=0)) + 1)
    within = at <= last[:, None]
    ratio = np.where(within, (n[:, None] - at + 1.0) / at * odds[:, None], 0.0)
    weights = np.cumprod(np.column_stack([np.ones(n.size), ratio]), axis=1)
    places = np.minimum(np.column_stack([first, at]), table.shape[1] - 1)
    values = np.take_along_axis(table, places, axis=1)
    return np.asarray((weights * values).sum(axis=1) / weights.sum(axis=1))
