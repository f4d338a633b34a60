"""Adjustments for all pairs of mean ranks, which use that equality is transitive."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

#: As many methods as `bergmann_hommel` takes.
MOST_METHODS = 12


def shaffer(p_values: NDArray[np.float64], n_methods: int) -> NDArray[np.float64]:
    """
    Adjust the p-values of all pairs by Shaffer's static procedure.

    Holm's step-down, but the smallest j - 1 p-values taken away, the multiple is the
    largest number of pairs that can be equal at once and is at most m - j + 1.

    Parameters
    ----------
    p_values : ndarray of float64, shape (m,)
        Of the m = k (k - 1) / 2 pairs, none missing.
    n_methods : int
        The number k of methods.

    Returns
    -------
    ndarray of float64, shape (m,)
        Adjusted p-values, at most 1; a smaller p-value never gets a larger one.

    References
    ----------
    Shaffer, J. P. (1986). JASA 81(395), 826-831. doi:10.1080/01621459.1986.10478341
    Garcia, S., Herrera, F. (2008). JMLR 9, 2677-2694.
    """
    order = np.argsort(p_values, kind="stable")
    adjusted = np.empty(p_values.size)
    steps = largest_true_numbers(n_methods) * p_values[order]
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


@lru_cache(maxsize=32)
def largest_true_numbers(n_methods: int) -> NDArray[np.int64]:
    """
    Give, for j from 1 to m, how many of m - j + 1 pairs can be equal at once.

    Garcia and Herrera (2008), section 2.2: the largest element of S(k) that is no more
    than m - j + 1; S(k) are the numbers of pairs within the blocks of a partition of
    the k methods.
    """
    possible = np.flatnonzero(_fewest_methods(n_methods) <= n_methods)
    n_pairs = n_methods * (n_methods - 1) // 2
    at_most = np.arange(n_pairs, 0, -1)
    result = possible[np.searchsorted(possible, at_most, side="right") - 1]
    result.setflags(write=False)
    return result


def _fewest_methods(n_methods: int) -> NDArray[np.int64]:
    """
    Give the fewest methods in which x pairs can lie within blocks, for x from 0.

    With j methods in the largest block, x = C(j, 2) + the pairs of the others. These
    others need n - j methods, and no block of n methods is larger than j: so
    x <= n (j - 1) / 2. A count n that can be had thus bounds j from below. The values
    from C(j, 2) to C(j + 1, 2) - 1 are found together, from those below.
    """
    n_pairs = n_methods * (n_methods - 1) // 2
    fewest = np.zeros(n_pairs + 1, dtype=np.int64)
    for few in range(1, min(n_pairs + 1, 45)):  # from 45 on, what is left is known
        blocks = [j for j in range(2, few + 2) if j * (j - 1) // 2 <= few]
        fewest[few] = min(j + fewest[few - j * (j - 1) // 2] for j in blocks)
    for largest in range(10, n_methods):
        x = np.arange(largest * (largest - 1) // 2, largest * (largest + 1) // 2)
        best = largest + fewest[x - x[0]]
        lowest = 1 + -(-2 * x[0] // int(best.max()))
        sizes = np.arange(lowest, largest)[:, None]
        others = sizes + fewest[x - sizes * (sizes - 1) // 2]
        fewest[x] = np.minimum(best, others.min(axis=0, initial=n_pairs + 1))
    if n_methods > 9:
        fewest[n_pairs] = n_methods
    return fewest


def bergmann_hommel(p_values: NDArray[np.float64], n_methods: int) -> NDArray[np.float64]:
    """
    Adjust the p-values of all pairs by the procedure of Bergmann and Hommel.

    Each partition of the methods gives an exhaustive set: the pairs within its blocks,
    which can be true together. The adjusted p-value of a pair is the largest, over the
    exhaustive sets E that hold it, of #E times the least p-value in E. No set is
    listed: for each p-value t the most pairs that a set with no p-value below t can
    hold is found by dynamic programming over the subsets of methods.

    That need not rise with p (it does not in the example of Garcia and Herrera 2008):
    a pair gets the largest value among the pairs whose p-value is no larger than its
    own, so that a smaller p-value never gets a larger adjusted one and equal ones get
    the same.

    Parameters
    ----------
    p_values : ndarray of float64, shape (m,)
        Of the m = k (k - 1) / 2 pairs, in the order of `numpy.triu_indices(k, 1)`,
        none missing.
    n_methods : int
        The number k of methods, at most `MOST_METHODS`.

    Returns
    -------
    ndarray of float64, shape (m,)
        Adjusted p-values, at most 1.

    References
    ----------
    Bergmann, B., Hommel, G. (1988). Improvements of general multiple test procedures
    for redundant systems of hypotheses. doi:10.1007/978-3-642-52307-6_8
    Garcia, S., Herrera, F. (2008). JMLR 9, 2677-2694.
    """
    if p_values.size == 0:
        return p_values.copy()
    thresholds, level = np.unique(p_values, return_inverse=True)
    sizes = _most_pairs_with(level, thresholds.size, n_methods)
    # a set that holds the pair and a p-value of t has been counted at t or below
    products = np.where(
        np.arange(thresholds.size) <= level[:, None], thresholds * sizes, 0.0
    ).max(axis=1)
    by_level = np.zeros(thresholds.size)
    np.maximum.at(by_level, level, products)
    return np.minimum(np.maximum.accumulate(by_level)[level], 1.0)


def _most_pairs_with(
    level: NDArray[np.int64], n_levels: int, n_methods: int
) -> NDArray[np.int8]:
    """
    Give the size of the largest exhaustive set that holds a pair, for each threshold.

    Row: pair; column: the place t of the least p-value allowed. The set is a block B
    that holds the pair, and the best partition of the methods outside B.
    """
    n_subsets = 1 << n_methods
    member = (np.arange(n_subsets)[:, None] >> np.arange(n_methods)) & 1 == 1
    count = member.sum(axis=1)
    n_within = (count * (count - 1) // 2).astype(np.int8)
    first, second = np.triu_indices(n_methods, 1)
    lowest = np.full(n_subsets, n_levels - 1)  # the last threshold at which all is allowed
    for pair in range(level.size):
        holds = member[:, first[pair]] & member[:, second[pair]]
        lowest[holds] = np.minimum(lowest[holds], level[pair])
    most = _most_pairs_within(n_within, lowest, n_levels, n_methods)
    with_block = most[::-1] + n_within[:, None]  # the complement of s is ~s
    with_block[np.arange(n_levels) > lowest[:, None]] = 0
    result = np.empty((level.size, n_levels), dtype=np.int8)
    for pair in range(level.size):
        holds = member[:, first[pair]] & member[:, second[pair]]
        result[pair] = with_block[holds].max(axis=0)
    return result


def _most_pairs_within(
    n_within: NDArray[np.int8],
    lowest: NDArray[np.int64],
    n_levels: int,
    n_methods: int,
) -> NDArray[np.int8]:
    """
    Give the most pairs within the blocks of a partition, by subset and threshold.

    The block of the highest member takes some of the lower ones, and what is left are
    lower ones alone, whose value is known. Blocks are allowed up to threshold `lowest`.
    """
    most = np.zeros((n_within.size, n_levels), dtype=np.int8)
    for highest in range(1, n_methods):
        base = 1 << highest
        below = np.arange(base)
        most[base : 2 * base] = most[:base]  # the highest member on its own
        for others in range(1, base):
            block = base + others
            stop = lowest[block] + 1
            rest = below[below & others == 0]
            value = most[rest, :stop] + n_within[block]
            target = most[base + others + rest, :stop]
            most[base + others + rest, :stop] = np.maximum(target, value)
    return most
