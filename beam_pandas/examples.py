"""The table of real scores that comes with the package."""

from __future__ import annotations

from importlib import resources

import pandas as pd


def load_benchmark(*, folds: bool = False) -> pd.DataFrame:
    """
    Scores of scikit-learn classifiers on real datasets, from cross-validation.

    Twice five folds of each dataset were scored with accuracy, balanced_accuracy,
    roc_auc, log_loss and fit_time (seconds). Where a fit failed or took too long, or a
    method gives no probabilities, there is no row. How the table was made, and where each
    dataset comes from, is told in ``benchmark_scores.md`` beside this module.

    Parameters
    ----------
    folds : bool, default False
        Whether to return the score of every fold, in place of the mean over the folds
        that have one.

    Returns
    -------
    DataFrame
        One row per method, dataset, metric and, if asked for, run:

        - **method**, **dataset** : text.
        - **run** : the fold, 0 to 9, only with `folds`; 0 to 4 are the first repetition.
        - **metric** : text.
        - **score** : in the unit of the metric.

    See Also
    --------
    from_columns : a table of your own to this form.
    metrics : what is known of its metrics.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark()
    >>> list(scores.columns)
    ['method', 'dataset', 'metric', 'score']
    """
    source = resources.files("beam_pandas").joinpath("benchmark_scores.csv.gz")
    with source.open("rb") as packed:
        scores = pd.read_csv(packed, compression="gzip").rename(columns={"fold": "run"})
    if folds:
        return scores
    keys = ["method", "dataset", "metric"]
    return scores.groupby(keys, sort=True)["score"].mean().reset_index()
