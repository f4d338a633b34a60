"""How do the scores look, arranged otherwise?"""

from __future__ import annotations

import numpy as np
import pandas as pd

from beam_pandas.gate.scores import read_cells
from beam_pandas.labels import join_labels
from beam_pandas.types import Aggregate, HigherIsBetter, UnevenRuns


def wide_scores(
    frame: pd.DataFrame,
    *,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
) -> pd.DataFrame:
    """
    Arrange scores with a row for each dataset and a column for each method.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    higher_is_better : bool or mapping from metric to bool, optional
        Direction of the metrics; those not told are looked up in the registry. Only
        ``aggregate="best"`` asks for it.
    aggregate : {"mean", "median", "min", "max", "best"}, optional
        How to combine several runs of one method, dataset and metric; ``"best"`` is the
        better of them by direction. By default several scores are an error.
    uneven_runs : {"raise", "ignore", "shared"}, default "raise"
        With `aggregate`, where methods have different runs on a dataset: an error, or
        combine what is there, or keep the runs that all methods with a score there have,
        by the column `run`.

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

    See Also
    --------
    from_matrix : the way back.
    ranks : the scores with their ranks, in long form.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> scores.beam.wide_scores().index.name
    'dataset'
    """
    matrices = list(
        read_cells(
            frame,
            aggregate=aggregate,
            higher_is_better=higher_is_better,
            uneven_runs=uneven_runs,
        )
    )
    for matrix in matrices:
        if matrix.refusal is not None and len(matrix.datasets):
            raise matrix.refusal
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
