"""Adjustment of a family of p-values for multiplicity."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Adjustment = Literal["holm", "hochberg", "hommel", "bonferroni", "fdr_bh", "none"]
ADJUSTMENTS: tuple[str, ...] = get_args(Adjustment)


def adjust_p_values(p_values: NDArray[np.float64], adjust: str) -> NDArray[np.float64]:
    """
    Adjust p-values for the size of their family.

    Parameters
    ----------
    p_values : ndarray of float64, shape (m,)
        NaN entries are no members of the family and stay NaN.
    adjust : {"holm", "hochberg", "hommel", "bonferroni", "fdr_bh", "none"}
        Holm's step-down, Hochberg's step-up, Hommel's closed test, Bonferroni, the
        false discovery rate of Benjamini and Hochberg, or none. All are monotone in p:
        a smaller p-value never gets a larger adjusted one, hence repeated values.

    Returns
    -------
    ndarray of float64, shape (m,)
        Adjusted p-values, at most 1.

    References
    ----------
    Holm, S. (1979). Scandinavian Journal of Statistics 6(2), 65-70.
    Hochberg, Y. (1988). Biometrika 75(4), 800-802. doi:10.1093/biomet/75.4.800
    Hommel, G. (1988). Biometrika 75(2), 383-386. doi:10.1093/biomet/75.2.383
    Benjamini, Y., Hochberg, Y. (1995). JRSS B 57(1), 289-300.
    doi:10.1111/j.2517-6161.1995.tb02031.x
    """
    adjusted = np.array(p_values, dtype=np.float64)
    family = np.flatnonzero(~np.isnan(adjusted))
    m = family.size
    if adjust == "none" or m == 0:
        return adjusted
    order = family[np.argsort(adjusted[family], kind="stable")]
    ascending = adjusted[order]
    if adjust == "bonferroni":
        ascending = ascending * m
    elif adjust == "holm":
        ascending = np.maximum.accumulate(ascending * np.arange(m, 0, -1))
    elif adjust == "hochberg":
        ascending = _running_minimum_from_end(ascending * np.arange(m, 0, -1))
    elif adjust == "hommel":
        ascending = _hommel(ascending)
    else:
        ascending = _running_minimum_from_end(ascending * m / np.arange(1, m + 1))
    adjusted[order] = np.minimum(ascending, 1.0)
    return adjusted


def _running_minimum_from_end(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.minimum.accumulate(values[::-1])[::-1]


def _hommel(ascending: NDArray[np.float64]) -> NDArray[np.float64]:
    """
    Give the adjusted p-values of the closed test that takes Simes' test for each subset.

    Among the subsets of one size that of the largest p-values is rejected last. With
    A(s) the level at which all subsets of size s or more are rejected, a hypothesis is
    rejected at a level if for any one s from 0 to m the level is A(s + 1) or more, and
    s times the p-value or more (Meijer, Krebs, Goeman 2019, section 3,
    doi:10.1002/bimj.201700316). A falls in s and the multiple rises: the best s lies
    where they cross, which is found by bisection.
    """
    m = ascending.size
    levels = np.append(np.maximum.accumulate(_simes(ascending)[::-1])[::-1], 0.0)
    low, high = np.zeros(m, dtype=np.int64), np.full(m, m)
    for _ in range(m.bit_length()):  # to the first size whose multiple reaches A(s + 1)
        middle = (low + high) // 2
        reached = middle * ascending >= levels[middle]
        low, high = np.where(reached, low, middle + 1), np.where(reached, middle, high)
    before = np.where(high > 0, levels[high - 1], 1.0)
    return np.minimum(high * ascending, before)


def _simes(ascending: NDArray[np.float64]) -> NDArray[np.float64]:
    """
    Give the p-values of Simes' test for the s largest p-values, for each s from 1.

    They are min s p(i) / (i - start) over i > start = m - s. As start rises, the i of
    the least value never falls, since a larger i gains on a smaller one. So it is found
    for every other start, and for those in between only between their neighbours'.
    """
    m = ascending.size
    least, place = np.empty(m), np.zeros(m + 1, dtype=np.int64)
    step = 1 << (m - 1).bit_length()
    while step:
        start = np.arange(0 if step >= m else step, m, 2 * step)
        first = np.maximum(place[np.maximum(start - step, 0)], start + 1)
        last = np.full(start.size, m)
        inner = start + step < m
        last[inner] = place[start[inner] + step]
        length = last - first + 1
        opening = np.cumsum(length) - length
        at = np.arange(length.sum()) + np.repeat(first - opening, length)
        size, gap = np.repeat(m - start, length), at - np.repeat(start, length)
        values = size * ascending[at - 1] / gap
        least[start] = np.minimum.reduceat(values, opening)
        hits = np.flatnonzero(values == np.repeat(least[start], length))
        place[start] = at[hits[np.searchsorted(hits, opening)]]
        step //= 2
    return least[::-1]
