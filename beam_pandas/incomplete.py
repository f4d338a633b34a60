"""Missing scores: who has how many."""

from __future__ import annotations

import numpy as np
import pandas as pd

from beam_pandas.gate import read_cells
from beam_pandas.results import build_result


def coverage(frame: pd.DataFrame) -> pd.DataFrame:
    """
    How many datasets each method has a score for, and over how many runs.

    Every method of the frame is listed for every metric: one that failed everywhere is
    there with no scores. A dataset counts for a metric if any method has a score of it.
    Neither the direction of a metric nor repeated scores matter here.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.

    Returns
    -------
    DataFrame
        One row per method, in label order, with leading `metric` if `frame` has it:

        - **method** : label.
        - **n_scores** : number of datasets with at least one score of the method.
        - **n_missing** : number of datasets without.
        - **share_missing** : share of datasets without, from 0 to 1; NaN if the metric
          has no score at all.
        - **n_runs_min**, **n_runs_max** : least and largest number of scores on a dataset
          that has any; 0 for a method without scores.

    Raises
    ------
    BeamError
        If the frame is not a table of scores.

    Examples
    --------
    >>> import beam_pandas
    >>> folds = beam_pandas.load_benchmark(folds=True)
    >>> table = folds.query("metric == 'accuracy'").beam.coverage()
    >>> int(table["n_runs_max"].max())
    10
    """
    parts = []
    for matrix in read_cells(frame):
        present = matrix.n_runs > 0
        n_datasets = present.shape[0]
        n_scores = present.sum(axis=0)
        most = np.iinfo(np.int64).max
        fewest = np.where(present, matrix.n_runs, most).min(axis=0, initial=most)
        columns = {
            "method": matrix.methods,
            "n_scores": n_scores,
            "n_missing": n_datasets - n_scores,
            "share_missing": (n_datasets - n_scores) / (n_datasets or np.nan),
            "n_runs_min": np.where(n_scores > 0, fewest, 0),
            "n_runs_max": matrix.n_runs.max(axis=0, initial=0),
        }
        parts.append((matrix.metric, columns))
    return build_result("coverage", parts)
