"""The one rule of when two scores are equal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: Two scores that differ by no more than this share of the larger are equal.
EQUALITY = 1e-14
_BLOCK = 2**16  # scores looked at at a time


def merge_equal(benefit: NDArray[np.float64]) -> NDArray[np.float64]:
    """
    Give the scores of a dataset that are equal the same value, to the last bit.

    Scores of a row that lie next to each other in order and differ by no more than
    `EQUALITY` of the larger one are linked; all that are linked by a chain are one class,
    and take the value of the one of them that is farthest from 0. What compares scores
    after this, in ranks, in pairs or in differences, agrees on who is equal.

    Parameters
    ----------
    benefit : ndarray of float64, shape (n_datasets, n_methods)
        NaN where missing, never infinite.

    Returns
    -------
    ndarray of float64, same shape
        The array itself where no two different scores of a row are equal.
    """
    merged = benefit
    step = max(1, _BLOCK // max(1, benefit.shape[1]))
    for start in range(0, benefit.shape[0], step):
        rows = slice(start, start + step)
        part = benefit[rows]
        ascending = np.sort(part, axis=1)
        if not _may_be_merged(ascending):
            continue
        linked = continues_class(ascending)
        row, column = np.nonzero(linked)
        if not (ascending[row, column] != ascending[row, column - 1]).any():
            continue  # what is linked is equal to the bit already
        if merged is benefit:
            merged = benefit.copy()
        touched = np.unique(row)
        merged[rows][touched] = _merge_rows(part[touched])
    return merged


def _may_be_merged(ascending: NDArray[np.float64]) -> bool:
    """Tell whether any two scores next to each other are close, but not the same."""
    gap, near = _find_near(ascending)
    return bool(((gap > 0.0) & near).any())


def _find_near(
    ascending: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Give the gaps of ascending rows, and mark all that may be of equal values."""
    with np.errstate(over="ignore", invalid="ignore"):  # a gap too wide is no tie
        gap = ascending[:, 1:] - ascending[:, :-1]
    widest = np.fmax.reduce(np.abs(ascending), axis=1, keepdims=True, initial=0.0)
    return gap, gap <= EQUALITY * widest


def continues_class(ascending: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mark the values of ascending rows that are equal to the one before."""
    before, after = ascending[:, :-1], ascending[:, 1:]
    gap, near = _find_near(ascending)
    row, column = np.nonzero(near)
    larger = np.maximum(np.abs(before[row, column]), np.abs(after[row, column]))
    tied = gap[row, column] <= EQUALITY * larger
    continues = np.zeros(ascending.shape, dtype=bool)
    continues[row[tied], column[tied] + 1] = True
    return continues


def _merge_rows(part: NDArray[np.float64]) -> NDArray[np.float64]:
    """Merge the classes of a few rows."""
    order = np.argsort(part, axis=1, kind="stable")
    ascending = np.take_along_axis(part, order, axis=1)
    number = np.cumsum(~continues_class(ascending).ravel()) - 1  # rows begin anew
    first = np.flatnonzero(np.diff(number, prepend=-1))
    last = np.append(first[1:], number.size) - 1
    flat = ascending.ravel()
    farthest = np.where(np.abs(flat[last]) >= np.abs(flat[first]), flat[last], flat[first])
    result = np.empty_like(part)
    np.put_along_axis(result, order, farthest[number].reshape(part.shape), axis=1)
    return result
