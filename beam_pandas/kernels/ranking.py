"""Ranks within a row, ties averaged."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: Two scores that differ by no more than this share of the larger are equal.
EQUALITY = 1e-14


def rank_rows(benefit: NDArray[np.float64]) -> NDArray[np.float64]:
    """
    Rank each row from 1 for its largest value, ties averaged.

    Values of a row that lie next to each other in order and differ by no more
    than `EQUALITY` of the larger one share the mean of their ranks.

    Parameters
    ----------
    benefit : ndarray of float64, shape (n_datasets, n_methods)
        Scores turned so that more is better; NaN where missing, never infinite.

    Returns
    -------
    ndarray of float64, shape (n_datasets, n_methods)
        Rank of each value among the values present in its row; NaN where missing.
    """
    order = np.argsort(-benefit, axis=1)
    ordered = np.take_along_axis(benefit, order, axis=1)
    ranks = _average_positions(_opens_level(ordered))
    if np.isnan(ordered[:, -1:]).any():  # NaN sort last
        ranks[np.isnan(ordered)] = np.nan
    result = np.empty_like(ranks)
    np.put_along_axis(result, order, ranks, axis=1)
    return result


def _opens_level(ordered: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mark the values of a descending row that differ from the one before."""
    opens = np.ones(ordered.shape, dtype=bool)
    before, after = ordered[:, :-1], ordered[:, 1:]
    with np.errstate(over="ignore"):  # a gap too wide for a float is no tie
        gap = before - after
        larger = np.maximum(np.abs(before), np.abs(after))
    np.logical_not(gap <= EQUALITY * larger, out=opens[:, 1:])  # NaN equals nothing
    return opens


def _average_positions(opens: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Give every member of a level the mean of the positions (from 1) it spans."""
    n_columns = opens.shape[1]
    position = np.arange(n_columns, dtype=np.float64)
    if opens.all():
        return np.tile(position + 1.0, (opens.shape[0], 1))
    flat = opens.ravel()
    first = np.flatnonzero(flat)  # every row opens a level at its first column
    length = np.diff(first, append=flat.size)
    mean = (first % n_columns) + (length + 1) / 2.0
    return np.repeat(mean, length).reshape(opens.shape)
