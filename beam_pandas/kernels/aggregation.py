"""Several scores for one cell, made one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.equal_scores import EQUALITY


def aggregate_runs(
    score: NDArray[np.float64],
    cell: NDArray[np.int64],
    n_runs: NDArray[np.int64],
    how: str,
) -> NDArray[np.float64]:
    """
    Mean, median, least or largest of the scores of each cell.

    The scores of a cell are sorted first, so that the result does not depend on the
    order in which they come, to the last bit. The mean is taken as the smallest plus the
    mean excess over it: equal scores have exactly their own value as mean. A mean within
    `EQUALITY` of the largest score of the cell is 0, which scores that cancel would miss.

    Parameters
    ----------
    score : ndarray of float64, shape (n,)
        Scores, none missing.
    cell : ndarray of int64, shape (n,)
        Cell of each score.
    n_runs : ndarray of int64, shape (n_cells,)
        Number of scores of each cell.
    how : {"mean", "median", "min", "max"}
        How to aggregate.

    Returns
    -------
    ndarray of float64, shape (n_cells,)
        NaN for a cell without a score.
    """
    ordered = score[np.lexsort((score, cell))]
    filled = np.flatnonzero(n_runs)
    length = n_runs[filled]
    start = np.cumsum(length) - length
    if how == "mean":
        largest = np.maximum(np.abs(ordered[start]), np.abs(ordered[start + length - 1]))
        # the sum of halves cannot overflow, but halves of tiny scores would lose bits
        scale = np.where(largest > 1.0, 0.5, 1.0)
        part = ordered * np.repeat(scale, length)
        smallest = part[start]
        share = part / np.repeat(length, length) - np.repeat(smallest / length, length)
        value = (smallest + np.add.reduceat(share, start)) / scale
        value[np.abs(value) <= EQUALITY * largest] = 0.0
    elif how == "min":
        value = ordered[start]
    elif how == "max":
        value = ordered[start + length - 1]
    else:
        low, high = ordered[start + (length - 1) // 2], ordered[start + length // 2]
        value = low + (high / 2.0 - low / 2.0)
    result = np.full(n_runs.shape, np.nan)
    result[filled] = value
    return result
