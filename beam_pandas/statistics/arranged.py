"""How do the scores look, arranged otherwise?"""

from __future__ import annotations

import numpy as np
import pandas as pd

from beam_pandas.gate.scores import read_cells
from beam_pandas.labels import join_labels
from beam_pandas.types import Aggregate


def wide_scores(frame: pd.DataFrame, *, aggregate: Aggregate = None) -> pd.DataFrame:
    """
    Arrange scores with a row for each dataset and a column for each method.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    aggregate : {"mean", "median"}, optional
        How to combine several scores of one method, dataset and metric; by default they
        are an error.

    Returns
    -------
    DataFrame
        float64 scores as given, NaN where missing. Index `dataset`, or `metric` and
        `dataset` if there are several metrics; columns `method`; all in label order.

    Raises
    ------
    DuplicateScoresError
        If a cell has several scores and `aggregate` does not say what to do.
    BeamError
        If the frame is not a table of scores.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> scores.beam.wide_scores().index.name
    'dataset'
    """
    matrices = list(read_cells(frame, aggregate=aggregate))
    datasets = [matrix.datasets for matrix in matrices]
    index = pd.Index(join_labels(datasets), name="dataset")
    metrics = [matrix.metric for matrix in matrices if matrix.metric is not None]
    if len(metrics) > 1:
        repeated = [m.repeat(len(d)) for m, d in zip(metrics, datasets, strict=True)]
        index = pd.MultiIndex.from_arrays(
            [join_labels(repeated), index], names=["metric", "dataset"]
        )
    return pd.DataFrame(
        np.vstack([matrix.scores for matrix in matrices]),
        index=index,
        columns=matrices[0].methods.rename("method"),
    )
