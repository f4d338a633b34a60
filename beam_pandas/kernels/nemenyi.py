"""Comparison of mean ranks: with each other (Nemenyi) and with a control (Dunn)."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import scipy  # its parts load when they are used
from numpy.typing import NDArray

from beam_pandas.kernels.studentized_range import range_quantile, range_sf

_MOST_SUMS = 20_000  # possible differences that are tabled


def standard_error(n_methods: int, n_datasets: int) -> float:
    """
    Give the standard error of the difference of two mean ranks, without ties.

    Demšar (2006), the denominator of z in section 3.2.2.
    """
    return math.sqrt(n_methods * (n_methods + 1) / (6.0 * n_datasets))


def nemenyi_gap(alpha: float, n_methods: int, n_datasets: int) -> float:
    """
    Give the critical difference of Nemenyi's test, for any number of methods and any alpha.

    Demšar (2006), section 3.2.2: CD = q sqrt(k (k + 1) / (6 N)).
    """
    q = range_quantile(alpha, n_methods) / math.sqrt(2.0)
    return q * standard_error(n_methods, n_datasets)


def nemenyi_p_values(
    rank_diff: NDArray[np.float64], n_methods: int, n_datasets: int
) -> NDArray[np.float64]:
    """Give the probability that some two mean ranks are so far apart by chance."""
    scale = math.sqrt(2.0) / standard_error(n_methods, n_datasets)
    size = np.abs(rank_diff)
    doubled = np.rint(2.0 * n_datasets * size)  # rank sums are halves of whole numbers
    largest = 2 * n_datasets * (n_methods - 1)
    if largest > _MOST_SUMS:
        return range_sf(size * scale, n_methods)
    return _tails_by_sum(n_methods, n_datasets)[doubled.astype(np.intp)]


@lru_cache(maxsize=64)
def _tails_by_sum(n_methods: int, n_datasets: int) -> NDArray[np.float64]:
    """Give the tail for each possible difference of two doubled rank sums."""
    scale = math.sqrt(2.0) / standard_error(n_methods, n_datasets)
    doubled = np.arange(2 * n_datasets * (n_methods - 1) + 1)
    tails = range_sf(doubled / (2.0 * n_datasets) * scale, n_methods)
    tails.flags.writeable = False
    return tails


def dunn_gap(alpha: float, n_comparisons: int, error: float) -> float:
    """
    Give the critical difference from a control, alpha split evenly over the comparisons.

    Demšar (2006), section 3.2.2, the Bonferroni-Dunn test; `error` is the
    `standard_error`.
    """
    return -float(scipy.special.ndtri(alpha / (2.0 * n_comparisons))) * error


def normal_p_values(
    z: NDArray[np.float64], alternative: str = "two-sided"
) -> NDArray[np.float64]:
    """Give p-values of standard normal statistics, accurate in the far tail."""
    if alternative == "two-sided":
        p_values = scipy.special.erfc(np.abs(z) / math.sqrt(2.0))
    else:
        p_values = scipy.special.ndtr(-z if alternative == "greater" else z)
    return np.asarray(p_values, dtype=np.float64)
