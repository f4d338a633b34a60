"""Differences of pairs of methods, and the ranks of their sizes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.equal_scores import EQUALITY


class PairedScores(NamedTuple):
    """
    Scores of some pairs on the datasets that both methods have, a pair a row.

    Attributes
    ----------
    differences : ndarray of float64, shape (n_pairs, n)
        First minus second; 0 where the scores are equal.
    scales : ndarray of float64, shape (n_pairs, n)
        The larger of the two absolute scores.
    """

    differences: NDArray[np.float64]
    scales: NDArray[np.float64]


def pair_scores(
    first: NDArray[np.float64], second: NDArray[np.float64], n: int
) -> PairedScores:
    """
    Subtract scores, and leave out the datasets that a pair does not share.

    Parameters
    ----------
    first, second : ndarray of float64, shape (n_pairs, n_datasets)
        Scores of the two methods; NaN where missing.
    n : int
        Datasets that each of the pairs shares.

    Returns
    -------
    PairedScores
        In the order of the datasets.
    """
    differences = first - second
    scales = np.maximum(np.abs(first), np.abs(second))
    if n < differences.shape[1]:
        present = ~np.isnan(differences)
        differences = differences[present].reshape(-1, n)
        scales = scales[present].reshape(-1, n)
    differences[np.abs(differences) <= EQUALITY * scales] = 0.0
    return PairedScores(differences, scales)


class SizeRanks(NamedTuple):
    """
    Ranks of the sizes of the differences, a pair a place, all sums doubled.

    Attributes
    ----------
    n_zeros : ndarray of int64
        Differences that are 0.
    plus, total : ndarray of int64
        Twice the sum of the mid-ranks of the positive differences, and of all but zeros.
    constant : ndarray of bool
        All differences are equal and none is 0.
    uneven : ndarray of intp
        Pairs whose mid-ranks are not those from 1 on.
    doubled : ndarray of int64, shape (len(uneven), n)
        Twice their mid-ranks, ascending; first 0 for each zero.
    """

    n_zeros: NDArray[np.int64]
    plus: NDArray[np.int64]
    total: NDArray[np.int64]
    constant: NDArray[np.bool_]
    uneven: NDArray[np.intp]
    doubled: NDArray[np.int64]


def rank_sizes(scores: PairedScores, *, rank_zeros: bool) -> SizeRanks:
    """
    Rank the sizes of the differences of each pair, ties averaged.

    Two sizes next to each other in order are tied if they differ by no more than `EQUALITY`
    of the largest of the four scores: the error of a difference grows with the scores.

    Parameters
    ----------
    scores : PairedScores
        At least one dataset.
    rank_zeros : bool
        Whether zeros take the lowest ranks or none.

    Returns
    -------
    SizeRanks
        Of the pairs given.
    """
    # The sign moved from the first bit to the last: the order is that of the sizes.
    bits = (scores.differences + 0.0).view(np.uint64)  # no negative zero
    keys = np.sort((bits << np.uint64(1)) | (bits >> np.uint64(63)), axis=1)
    sizes = (keys >> np.uint64(1)).view(np.float64)
    negative = (keys & np.uint64(1)).astype(np.float64)
    n_rows, n = sizes.shape
    n_zeros = n - np.count_nonzero(sizes, axis=1)
    below = np.zeros(n_rows, dtype=np.int64) if rank_zeros else n_zeros
    continues = _continues_size(scores, sizes)

    n_negative = negative.sum(axis=1)
    minus = 2.0 * (negative @ np.arange(1.0, n + 1.0) - below * n_negative)
    uneven = continues.any(axis=1)
    if rank_zeros:
        uneven |= n_zeros > 0
    rows = np.flatnonzero(uneven)
    doubled = _double_mid_ranks(continues[rows]) - 2 * below[rows, None]
    doubled[sizes[rows] == 0.0] = 0
    minus[rows] = np.einsum("pn,pn->p", negative[rows], doubled.astype(np.float64))

    ranked = n - below
    total = ranked * (ranked + 1)
    if rank_zeros:
        total = total - n_zeros * (n_zeros + 1)
    one_sign = (n_negative == 0) | (n_negative == n)
    constant = (np.count_nonzero(continues, axis=1) == n - 1) & one_sign & (n_zeros == 0)
    return SizeRanks(
        n_zeros, total - minus.astype(np.int64), total, constant, rows, doubled
    )


def _continues_size(scores: PairedScores, sizes: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mark the sizes of an ascending row that are tied with the one before."""
    gaps = np.diff(sizes, axis=1)
    continues = np.zeros(sizes.shape, dtype=bool)
    nonzero = sizes[:, :-1] > 0.0
    widest = EQUALITY * scores.scales.max(axis=1, keepdims=True)
    maybe = (gaps <= widest) & nonzero
    continues[:, 1:] = maybe
    # Where every score is large enough the single ones need no look.
    some = np.flatnonzero(maybe.any(axis=1))
    of_sizes = np.where(scores.differences[some] == 0.0, np.inf, scores.scales[some])
    narrowest = EQUALITY * of_sizes.min(axis=1, keepdims=True)
    open_ = some[(maybe[some] & (gaps[some] > narrowest)).any(axis=1)]
    if open_.size:
        continues[open_, 1:] = nonzero[open_] & _ties_by_scales(
            scores.differences[open_], scores.scales[open_]
        )
    return continues


def _ties_by_scales(
    differences: NDArray[np.float64], scales: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Compare the gap between sizes next to each other with the scales of both."""
    sizes = np.abs(differences)
    order = np.argsort(sizes, axis=1)
    sizes = np.take_along_axis(sizes, order, axis=1)
    scales = np.take_along_axis(scales, order, axis=1)
    # the same size may come with several scales: the largest counts, whatever the order
    opens = np.ones(sizes.shape, dtype=bool)
    opens[:, 1:] = sizes[:, 1:] != sizes[:, :-1]
    start = np.flatnonzero(opens)
    length = np.diff(start, append=sizes.size)
    scales = np.repeat(np.maximum.reduceat(scales.ravel(), start), length)
    scales = scales.reshape(sizes.shape)
    larger = np.maximum(scales[:, 1:], scales[:, :-1])
    return np.diff(sizes, axis=1) <= EQUALITY * larger


def _double_mid_ranks(continues: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Add the first and the last position, from 1, of the class of each place."""
    n = continues.shape[1]
    position = np.broadcast_to(np.arange(1, n + 1), continues.shape)
    first = np.maximum.accumulate(np.where(continues, 0, position), axis=1)
    ends = np.ones(continues.shape, dtype=bool)
    ends[:, :-1] = ~continues[:, 1:]
    backward = np.where(ends, position, n)[:, ::-1]
    return first + np.minimum.accumulate(backward, axis=1)[:, ::-1]
