"""Numbers that stand beside the scores, in another column of the frame."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, plain
from beam_pandas.gate.columns import as_frame, read_numbers
from beam_pandas.gate.matrix import ScoreMatrix


def read_beside(
    frame: pd.DataFrame, column: str, matrix: ScoreMatrix, what: str
) -> NDArray[np.float64]:
    """
    Read the numbers of another column for each score, over runs their mean.

    Parameters
    ----------
    frame : DataFrame
        The scores.
    column : str
        Name of the other column.
    matrix : ScoreMatrix
        Scores of one metric.
    what : str
        What the numbers are, for the message.

    Returns
    -------
    ndarray of float64, shape (n_datasets, n_methods)
        0 where the score is missing.

    Raises
    ------
    BeamError
        If a score has no number beside it, or a negative one; the first cell is named.
    """
    frame = as_frame(frame)
    rows = frame[frame["score"].notna()]
    if matrix.metric is not None:
        rows = rows[(rows["metric"] == matrix.label).to_numpy(dtype=bool)]
    numbers = read_numbers(rows[column], f"column {column!r}")
    dataset = matrix.datasets.get_indexer(pd.Index(rows["dataset"]))
    method = matrix.methods.get_indexer(pd.Index(rows["method"]))
    wrong = np.flatnonzero(~(numbers >= 0.0) | np.isinf(numbers))
    if wrong.size:
        at = wrong[0]
        raise BeamError(
            f"column {column!r} needs {what} for each score, found {numbers[at]:g} for "
            f"{plain(rows['method'].iloc[at])!r} on {plain(rows['dataset'].iloc[at])!r}"
            f"{matrix.place}"
        )
    kept = (dataset >= 0) & (method >= 0)
    place = (dataset * len(matrix.methods) + method)[kept]
    total = np.bincount(place, weights=numbers[kept], minlength=matrix.scores.size)
    n_runs = np.bincount(place, minlength=matrix.scores.size)
    mean = total / np.maximum(n_runs, 1)
    return np.where(np.isnan(matrix.scores), 0.0, mean.reshape(matrix.scores.shape))
