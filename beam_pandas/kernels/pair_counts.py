"""For each pair of methods: on how many datasets one outperforms the other."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.equal_scores import EQUALITY

_BLOCK = 2**18  # comparisons at a time, few enough for the processor's cache
_ROWS = 2**15  # scores placed at a time
_SMALL = 2**17  # comparisons, no more than which are of the scores themselves
_CLOSE = 1e-4  # share of the totals below which their difference has lost digits
_MOST = 255  # comparisons that a byte can count


class PairCounts(NamedTuple):
    """
    Counts of datasets, method in the row against method in the column.

    Attributes
    ----------
    wins : ndarray of int64, shape (n_methods, n_methods)
        Datasets on which the method in the row outperforms that in the column.
    shared : ndarray of int64, same shape
        Datasets that both have; on the diagonal, that the method has.
    """

    wins: NDArray[np.int64]
    shared: NDArray[np.int64]

    @property
    def losses(self) -> NDArray[np.int64]:
        """Datasets on which the method in the column outperforms that in the row."""
        return self.wins.T

    @property
    def ties(self) -> NDArray[np.int64]:
        """Datasets on which the scores are within the rope."""
        return self.shared - self.wins - self.wins.T


def count_pairs(benefit: NDArray[np.float64], rope: float) -> PairCounts:
    """
    Count for all pairs the datasets on which one method outperforms the other.

    The method with score x outperforms that with y if x - y is above the rope by more
    than `EQUALITY` of the larger of y and y + rope, so that a difference which equals the
    rope in decimals is within it. A missing score outperforms nothing and is
    outperformed by nothing.

    Parameters
    ----------
    benefit : ndarray of float64, shape (n_datasets, n_methods)
        Scores turned so that more is better; NaN where missing, never infinite.
    rope : float
        Half-width of the region of practical equivalence, in the unit of the scores, not
        negative.

    Returns
    -------
    PairCounts
        Counts of all ordered pairs.
    """
    n_datasets, n_methods = benefit.shape
    place: NDArray[Any]
    bar: NDArray[Any]
    reaches: np.ufunc
    if benefit.size * n_methods <= _SMALL:  # places would cost more than they save
        place, bar = benefit, _threshold(benefit, rope)
        reaches = np.greater
    else:
        place, bar = place_rows(benefit, rope)
        reaches = np.greater_equal
    wins = np.zeros((n_methods, n_methods), dtype=np.int64)
    depth = min(_MOST, max(1, n_datasets))
    height = max(1, _BLOCK // (depth * max(1, n_methods)))
    for top in range(0, n_methods, height):
        rows = slice(top, top + height)
        for start in range(0, n_datasets, depth):
            part = slice(start, start + depth)
            won = reaches(place[part, rows, None], bar[part, None, :])
            wins[rows] += np.add.reduce(won.view(np.uint8), axis=0, dtype=np.uint8)
    return PairCounts(wins, _count_shared(benefit))


def _threshold(benefit: NDArray[np.float64], rope: float) -> NDArray[np.float64]:
    """Give for each score the one that another must exceed to outperform it."""
    with np.errstate(over="ignore"):  # nothing lies beyond an infinite threshold
        beyond = benefit + rope
        width = EQUALITY * np.maximum(np.abs(benefit), np.abs(beyond))
        threshold: NDArray[np.float64] = beyond + width
    return threshold


def _count_shared(benefit: NDArray[np.float64]) -> NDArray[np.int64]:
    """Count the datasets that two methods both have."""
    present = ~np.isnan(benefit)
    if present.all():
        return np.full((benefit.shape[1],) * 2, len(benefit), dtype=np.int64)
    held = present.astype(np.float64)
    return (held.T @ held).astype(np.int64)


def count_pairs_within(
    benefit: NDArray[np.float64], ropes: NDArray[np.float64]
) -> PairCounts:
    """
    Count as `count_pairs`, with a rope for each score: for a pair the larger of both holds.

    Parameters
    ----------
    benefit : ndarray of float64, shape (n_datasets, n_methods)
        Scores turned so that more is better; NaN where missing, never infinite.
    ropes : ndarray of float64, same shape
        Half-widths, not negative; read where there is a score.

    Returns
    -------
    PairCounts
        Counts of all ordered pairs.
    """
    n_datasets, n_methods = benefit.shape
    wins = np.zeros((n_methods, n_methods), dtype=np.int64)
    height = max(1, _BLOCK // max(1, n_methods * n_methods))
    for start in range(0, n_datasets, height):
        part = slice(start, start + height)
        rope = np.maximum(ropes[part, :, None], ropes[part, None, :])
        other = benefit[part, None, :]
        with np.errstate(over="ignore", invalid="ignore"):
            beyond = other + rope
            bar = beyond + EQUALITY * np.maximum(np.abs(other), np.abs(beyond))
            wins += np.count_nonzero(benefit[part, :, None] > bar, axis=0)
    return PairCounts(wins, _count_shared(benefit))


def count_missing_as_worst(counts: PairCounts, benefit: NDArray[np.float64]) -> PairCounts:
    """
    Let a missing score lose against every score, and tie with another missing one.

    Parameters
    ----------
    counts : PairCounts
        Of the scores that are there.
    benefit : ndarray of float64, shape (n_datasets, n_methods)
        The scores, on datasets that anybody scored.
    """
    present = (~np.isnan(benefit)).astype(np.float64)
    forfeits = (present.T @ (1.0 - present)).astype(np.int64)
    shared = np.full_like(counts.shared, len(benefit))
    return PairCounts(counts.wins + forfeits, shared)


def place_rows(
    benefit: NDArray[np.float64], rope: float
) -> tuple[NDArray[np.unsignedinteger], NDArray[np.unsignedinteger]]:
    """
    Turn scores into small whole numbers that compare as they do.

    Returns
    -------
    place, bar : ndarray of the smallest unsigned type, same shape as benefit
        A method outperforms another on a dataset if its place, counted from 1 for the
        lowest score, is at least the bar of the other. 0 and a bar that no place reaches
        stand for a missing score.
    """
    n_datasets, n_methods = benefit.shape
    place = np.empty(benefit.shape, dtype=np.min_scalar_type(n_methods + 1))
    bar = np.empty_like(place)
    step = max(1, _ROWS // max(1, n_methods))
    for start in range(0, n_datasets, step):
        part = benefit[start : start + step]
        order = np.argsort(np.where(np.isnan(part), np.inf, part), axis=1)
        ascending = np.take_along_axis(part, order, axis=1)
        places = np.broadcast_to(np.arange(1, n_methods + 1), part.shape)
        np.put_along_axis(place[start : start + step], order, places.astype(place.dtype), 1)
        bar[start : start + step] = _count_up_to(ascending, _threshold(part, rope)) + 1
    missing = np.isnan(benefit)
    place[missing], bar[missing] = 0, n_methods + 1
    return place, bar


def _count_up_to(
    ascending: NDArray[np.float64], limit: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Count the values of each ascending row up to each limit of that row, by bisection."""
    n_rows, n_columns = ascending.shape
    offset = n_columns * np.arange(n_rows)[:, None]
    flat = ascending.ravel()
    count = np.zeros(limit.shape, dtype=np.intp)
    width = 1 << max(0, n_columns.bit_length() - 1)
    while width:
        ahead = np.minimum(count + width, n_columns)
        below = flat[offset + ahead - 1] <= limit  # NaN, which sort last, are not
        count = np.where(below & (ahead == count + width), ahead, count)
        width >>= 1
    return count


def mean_differences(
    benefit: NDArray[np.float64], first: NDArray[np.intp], second: NDArray[np.intp]
) -> NDArray[np.float64]:
    """
    Average the difference of each pair over the datasets that both have.

    The difference of two totals is fast, one matrix product for all pairs, but loses digits
    where the totals are close. Such pairs are averaged difference by difference, and have
    a mean of exactly 0 where it is no more than `EQUALITY` of the scores that differ: where
    differences cancel in decimals.

    Parameters
    ----------
    benefit : ndarray of float64, shape (n_datasets, n_methods)
        Scores turned so that more is better, equal ones the same; NaN where missing.
    first, second : ndarray of intp, shape (n_pairs,)
        The pairs.

    Returns
    -------
    ndarray of float64, shape (n_pairs,)
        Positive if the first is better; NaN if they share no dataset.
    """
    present = ~np.isnan(benefit)
    mean = np.empty(len(first))
    close = np.empty(len(first), dtype=bool)
    if len(benefit) and present.all():
        with np.errstate(over="ignore", invalid="ignore"):  # averaged below
            total, size = benefit.sum(axis=0), np.abs(benefit).sum(axis=0)
            gap = total[first] - total[second]
            mean[:] = gap / len(benefit)
            close[:] = ~(np.abs(gap) > _CLOSE * (size[first] + size[second]))
        mean[close] = _average_differences(benefit, first[close], second[close])
        return mean
    filled = np.where(present, benefit, 0.0)
    weight = present.astype(np.float64)
    step = max(1, _BLOCK // max(1, benefit.shape[1]))  # methods at a time
    with np.errstate(over="ignore", invalid="ignore"):  # averaged below if it overflows
        for start in range(0, benefit.shape[1], step):
            rows = slice(start, start + step)
            here = np.flatnonzero((first >= start) & (first < start + step))
            one, other = first[here] - start, second[here]
            shared = (weight[:, rows].T @ weight)[one, other]
            ours = (filled[:, rows].T @ weight)[one, other]
            theirs = (weight[:, rows].T @ filled)[one, other]
            size = (np.abs(filled[:, rows]).T @ weight)[one, other]
            size += (weight[:, rows].T @ np.abs(filled))[one, other]
            mean[here] = (ours - theirs) / shared
            close[here] = ~(np.abs(ours - theirs) > _CLOSE * size) & (shared > 0)
    mean[close] = _average_differences(benefit, first[close], second[close])
    return mean


def _average_differences(
    benefit: NDArray[np.float64], first: NDArray[np.intp], second: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Average the differences of the pairs given, pair by pair in blocks."""
    result = np.empty(len(first))
    step = max(1, _BLOCK // max(1, len(benefit)))
    half = benefit / 2.0  # no difference of halves overflows
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        one, other = half[:, first[part]], half[:, second[part]]
        difference = one - other
        count = np.count_nonzero(~np.isnan(difference), axis=0)
        larger = np.maximum(np.abs(one), np.abs(other))
        differs = np.abs(difference) > EQUALITY * larger
        difference[~differs & ~np.isnan(difference)] = 0.0
        with np.errstate(over="ignore"):  # a mean too large for a float is infinite
            mean = np.nansum(difference / count, axis=0)
            noise = EQUALITY * np.sum(np.where(differs, larger, 0.0) / count, axis=0)
            mean[np.abs(mean) <= noise] = 0.0
            result[part] = 2.0 * mean
    return result
