"""Ranks within a row, ties averaged."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.equal_scores import continues_class

_BLOCK = 2**16  # scores ranked at a time


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
    result = np.empty(benefit.shape)
    step = max(1, _BLOCK // max(1, benefit.shape[1]))
    for start in range(0, benefit.shape[0], step):
        rows = slice(start, start + step)
        result[rows] = _rank_block(benefit[rows])
    return result


def _rank_block(benefit: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rank some rows, few enough for the processor's cache."""
    n_rows, n_columns = benefit.shape
    loss = -benefit
    # an infinity is sorted several times faster than NaN, and no score is one
    order = np.argsort(np.where(np.isnan(loss), np.inf, loss), axis=1)
    order += n_columns * np.arange(n_rows)[:, None]  # positions in the flat table
    ordered = loss.ravel()[order]
    ranks = _average_positions(continues_class(ordered))
    if n_columns and np.isnan(ordered[:, -1]).any():  # NaN sort last
        ranks[np.isnan(ordered)] = np.nan
    result = np.empty(benefit.size)
    result[order] = ranks
    return result.reshape(benefit.shape)


def _average_positions(continues: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Give every member of a level the mean of the positions (from 1) it spans."""
    n_rows, n_columns = continues.shape
    ranks = np.tile(np.arange(1.0, n_columns + 1.0), (n_rows, 1))
    later = np.flatnonzero(continues)  # every row opens a level at its first column
    if later.size:
        opening = np.flatnonzero(np.diff(later, prepend=-2) > 1)
        length = np.diff(opening, append=later.size) + 1
        first = later[opening] - 1
        start = np.cumsum(length) - length
        member = np.arange(length.sum()) - np.repeat(start - first, length)
        mean = first % n_columns + (length + 1) / 2.0
        ranks.ravel()[member] = np.repeat(mean, length)
    return ranks
