"""Rows of a table that are the mean of others, and columns on another scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_DECIMALS = 3  # to which a printed mean is compared, where so many are printed
_CHANCE = 1e-3  # below this no coincidence explains an equal mean
_ALIKE = 20  # rows that may be means of the others, of which one can be meant
_SHOWN = 4  # columns that are looked at first
_APART = 100.0


def find_mean_rows(scores: NDArray[np.float64], max_rows: int = 1000) -> list[int]:
    """
    Find rows that equal the mean of all others in every column, as far as is printed.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_rows, n_columns)
        NaN where missing.
    max_rows : int
        Of a longer table none is looked for: one row among thousands changes nothing.

    Returns
    -------
    list of int
        Rows, at most one of which can be meant; none if chance may have made it so.
    """
    n_rows = len(scores)
    if not 3 <= n_rows <= max_rows:
        return []
    near = _equal_means(scores[:, :_SHOWN])
    if near.any():
        near &= _equal_means(scores)
    alike = np.flatnonzero(near).tolist()
    if len(alike) > _ALIKE:  # rows that hardly differ are all near their mean
        return []
    return [at for at in alike if is_mean_of(scores[at], np.delete(scores, at, axis=0))]


def is_mean_of(row: NDArray[np.float64], others: NDArray[np.float64]) -> bool:
    """
    Tell whether a row is the mean of others in every column, beyond chance.

    Values are compared to the decimals that are printed, at most three. The chance is that
    of independent values that are spread over the range of each column, on the grid of
    the printed decimals.
    """
    present = ~np.isnan(row) & ~np.isnan(others).all(axis=0)
    if not present.any() or len(others) < 2:
        return False
    both = np.unique(np.vstack([row, others])[:, present], axis=1)  # twins tell nothing
    row, others = both[0], both[1:]
    decimals = int(_decimals(row).max())
    slack = _slack(decimals, row)
    if not (np.abs(row - np.nanmean(others, axis=0)) <= slack).all():
        return False
    size = np.nanmax(others, axis=0) - np.nanmin(others, axis=0)
    printed = np.where(np.isnan(others), 0, _decimals(np.nan_to_num(others))).max(axis=0)
    grid = 10.0 ** -printed.astype(np.float64) / len(others)
    step = np.maximum(2.0 * slack, grid)
    chance = np.where(size > step, step / np.where(size > 0.0, size, 1.0), 1.0)
    return bool((len(others) + 1) * np.prod(chance) < _CHANCE)


def _equal_means(scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mark rows that may be the mean of all others in every column."""
    present = ~np.isnan(scores)
    number = present.sum(axis=0) - 1
    filled = np.where(present, scores, 0.0)
    total = filled.sum(axis=0)
    mean = (total - filled) / np.maximum(number, 1)
    decimals = np.where(present, _decimals(filled), 0).max(axis=1, keepdims=True)
    near = np.abs(filled - mean) <= _slack(decimals, filled)
    marked: NDArray[np.bool_] = (near | ~present | (number < 1)).all(axis=1)
    return marked


def _slack(
    decimals: NDArray[np.int64] | int, size: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Half a unit of the last decimal, and the rounding of floats."""
    half: NDArray[np.float64] = 0.5 * 10.0 ** -np.asarray(decimals, dtype=np.float64)
    return half * (1.0 + 1e-9) + 1e-12 * np.abs(size)


def _decimals(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Count the decimals that values are printed with, at most three."""
    found = np.full(values.shape, _DECIMALS, dtype=np.int64)
    for decimals in range(_DECIMALS - 1, -1, -1):
        scaled = values * 10.0**decimals
        whole = np.abs(scaled - np.rint(scaled)) <= 1e-9 * np.maximum(np.abs(scaled), 1.0)
        found[whole] = decimals
    return found


def find_far_columns(scores: NDArray[np.float64]) -> list[int]:
    """
    Find columns that are on another scale than all others, by 100 and more.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_rows, n_columns)
        NaN where missing.

    Returns
    -------
    list of int
        The columns, if there are at least two others and two rows: those whose sizes are,
        on every row, at least 100 times the largest of the others, or at most a hundredth
        of the smallest. A zero is on any scale.
    """
    n_rows, n_columns = scores.shape
    if n_rows < 2 or n_columns < 3:
        return []
    if not _parted(np.abs(scores[:: max(1, n_rows // _SHOWN)])).any():
        return []
    return np.flatnonzero(_parted(np.abs(scores))).tolist()


def _parted(sizes: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mark columns that lie apart from all others on every row, by sizes above 0."""
    nothing = np.zeros(sizes.shape[1], dtype=bool)
    sizes = np.where(sizes > 0.0, sizes, np.nan)
    full = (~np.isnan(sizes)).sum(axis=1) >= 3
    if full.sum() < 2:
        return nothing
    sizes = sizes[full]
    order = np.sort(sizes, axis=1)
    last = (~np.isnan(order)).sum(axis=1, keepdims=True) - 1
    top = np.take_along_axis(order, last, axis=1)
    second = np.take_along_axis(order, last - 1, axis=1)
    gap = np.isnan(sizes)
    above = ((sizes == top) & (top >= _APART * second)) | gap
    below = ((sizes == order[:, :1]) & (_APART * order[:, :1] <= order[:, 1:2])) | gap
    enough = (~gap).sum(axis=0) >= 2
    marked: NDArray[np.bool_] = (above.all(axis=0) | below.all(axis=0)) & enough
    return marked


def parts_with_mean_rows(
    scores: NDArray[np.float64], starts: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """
    Mark the parts of a stack of tables in which a row may be the mean of all others.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_rows, n_columns)
        Tables under each other; the first two columns are looked at.
    starts : ndarray of intp
        First row of each table, none of which is empty.
    """
    head = scores[:, :2]
    present = ~np.isnan(head)
    filled = np.where(present, head, 0.0)
    length = np.diff(np.append(starts, len(scores)))
    total = np.repeat(np.add.reduceat(filled, starts, axis=0), length, axis=0)
    number = np.repeat(np.add.reduceat(present.astype(np.int64), starts, axis=0), length, 0)
    mean = (total - filled) / np.maximum(number - 1, 1)
    slack = _slack(_decimals(filled).max(axis=1, keepdims=True), filled)
    near = ((np.abs(filled - mean) <= slack) | ~present | (number < 2)).all(axis=1)
    return np.asarray(np.logical_or.reduceat(near, starts), dtype=np.bool_)


def parts_with_mean_columns(
    scores: NDArray[np.float64], starts: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """
    Mark the parts of a stack of tables in which a column may be the mean of all others.

    Parameters as in `parts_with_mean_rows`; the first and last row of each are looked at.
    """
    ends = np.append(starts[1:], len(scores)) - 1
    near = np.ones((len(starts), scores.shape[1]), dtype=bool)
    for rows in (starts, ends):
        head = scores[rows]
        present = ~np.isnan(head)
        filled = np.where(present, head, 0.0)
        number = present.sum(axis=1, keepdims=True) - 1
        mean = (filled.sum(axis=1, keepdims=True) - filled) / np.maximum(number, 1)
        slack = _slack(_decimals(filled), filled)
        near &= (np.abs(filled - mean) <= slack) | ~present | (number < 1)
    return np.asarray(near.any(axis=1), dtype=np.bool_)


def parts_with_far_columns(
    scores: NDArray[np.float64], starts: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """
    Mark the parts of a stack of tables in which a column may be on another scale.

    Parameters as in `parts_with_mean_rows`; the first and last row of each are looked at.
    """
    marked = np.ones(len(starts), dtype=bool)
    if scores.shape[1] < 3:
        return ~marked
    for rows in (starts, np.append(starts[1:], len(scores)) - 1):
        sizes = np.abs(scores[rows])
        order = np.sort(np.where(sizes > 0.0, sizes, np.nan), axis=1)  # missing ones last
        last = np.maximum((~np.isnan(order)).sum(axis=1, keepdims=True) - 1, 1)
        top = np.take_along_axis(order, last, axis=1)[:, 0]
        second = np.take_along_axis(order, last - 1, axis=1)[:, 0]
        gap = np.isnan(top) | np.isnan(second) | np.isnan(sizes).any(axis=1)
        marked &= gap | (top >= _APART * second) | (_APART * order[:, 0] <= order[:, 1])
    return marked
