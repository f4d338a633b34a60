"""Which scores are missing, and what can be tested all the same?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from beam_pandas.errors import BeamError, check_truth, list_labels, of_metric, warn
from beam_pandas.gate.scores import ScoreMatrix, read_cells, read_scores
from beam_pandas.kernels.skillings_mack_statistics import (
    SkillingsMackResult,
    skillings_mack_statistics,
)
from beam_pandas.results.build import build_result
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.types import Aggregate, Errors, HigherIsBetter, UnevenRuns


@gives(
    "metric",
    "method",
    "n_scores",
    "n_missing",
    "share_missing",
    "n_runs_min",
    "n_runs_max",
    "n_runs_failed",
)
def coverage(frame: pd.DataFrame) -> pd.DataFrame:
    """
    How many datasets each method has a score for, and over how many runs.

    Every method of the frame is listed for every metric: one that failed everywhere is
    there with no scores. (By group, every method that has a row in the group.) A dataset
    counts for a metric if any method has a score of it. Neither the direction of a metric
    nor repeated scores matter here.

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
        - **n_runs_failed** : number of runs that some method has on a dataset and this one
          has not, whether it failed there (a row without a score) or was never made. Runs
          are the same if they have the same label in the column `run`; without it only
          their numbers are compared.

    Raises
    ------
    BeamError
        If the frame is not a table of scores.

    See Also
    --------
    missing_scores : which scores are missing, one row each.
    skillings_mack : the test that uses every score.

    Examples
    --------
    >>> import beam_pandas
    >>> folds = beam_pandas.load_benchmark(folds=True)
    >>> table = folds.query("metric == 'accuracy'").beam.coverage()
    >>> int(table["n_runs_max"].max())
    10
    """
    parts = []
    for matrix in read_cells(frame, tolerant=True):
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
            "n_runs_failed": matrix.n_runs_missing.sum(axis=0),
        }
        parts.append((matrix.named, columns))
    return build_result(coverage, parts)


@gives(
    "metric",
    "method",
    "dataset",
    "n_runs",
    "n_runs_missing",
)
def missing_scores(frame: pd.DataFrame) -> pd.DataFrame:
    """
    List the scores and runs that are missing, to look at them or to make them.

    An absent row and a row without a score are the same. Every method of the frame should
    have a score on every dataset that any method has a score of, in that metric, and as
    many runs as any other has there: those of the same labels, if the frame has a column
    `run`.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.

    Returns
    -------
    DataFrame
        One row per method and dataset without a score or with fewer runs than others
        have, none if there is no such, with leading `metric` if `frame` has it:

        - **method**, **dataset** : labels, in label order.
        - **n_runs** : number of runs with a score; 0 if there is no score at all.
        - **n_runs_missing** : number of runs that others have there and it has not.

    Raises
    ------
    BeamError
        If the frame is not a table of scores.

    See Also
    --------
    coverage : the same as counts by method.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> missing = scores.beam.missing_scores()
    >>> missing.query("method == 'GaussianProcess'")["dataset"].tolist()
    ['phoneme', 'segment', 'spambase']
    """
    parts = []
    for matrix in read_cells(frame, tolerant=True):
        method, dataset = np.nonzero(matrix.n_runs_missing.T > 0)
        columns = {
            "method": matrix.methods.take(method),
            "dataset": matrix.datasets.take(dataset),
            "n_runs": matrix.n_runs[dataset, method],
            "n_runs_missing": matrix.n_runs_missing[dataset, method],
        }
        parts.append((matrix.named, columns))
    return build_result(missing_scores, parts)


@gives(
    "metric",
    "n_methods",
    "n_datasets",
    "n_components",
    "statistic",
    "df",
    "p_value",
)
def skillings_mack(
    frame: pd.DataFrame,
    *,
    tie_correction: bool = True,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Test whether the methods differ, with missing scores: Friedman's test for such tables.

    Every dataset that scores at least two methods counts, with the methods it has; nothing
    is imputed or dropped. Which methods differ is then answered by `pairwise`, on the
    datasets that each pair shares; a single critical difference needs a complete table.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    tie_correction : bool, default True
        Whether the variance takes account of ties. False is the published form; with True
        a complete table gives Friedman's chi-square corrected for ties.
    higher_is_better : bool or mapping from metric to bool, optional
        Direction of the metrics; those not told are looked up in the registry.
    aggregate : {"mean", "median", "min", "max", "best"}, optional
        How to combine several runs of one method, dataset and metric; ``"best"`` is the
        better of them by direction. By default several scores are an error.
    uneven_runs : {"raise", "ignore", "shared"}, default "raise"
        With `aggregate`, where methods have different runs on a dataset: an error, or
        combine what is there, or keep the runs that all methods with a score there have,
        by the column `run`.
    errors : {"raise", "warn"}, default "raise"
        Whether metrics that their own data do not allow to analyse are an error, or are
        left out with a `BeamWarning` that names them.

    Returns
    -------
    DataFrame
        One row per metric, with leading `metric` if `frame` has it:

        - **n_methods** : methods with a part in the test: those that meet another one on
          some dataset, with the tie correction on one that tells some apart.
        - **n_datasets** : datasets with at least two scores, tied or not.
        - **n_components** : groups of methods that are linked by common datasets; methods
          of different groups never meet, even through others. With more than one group
          the test compares within each only.
        - **statistic** : sum over the groups; 0 if no dataset tells any methods apart.
        - **df** : n_methods - n_components.
        - **p_value** : upper tail of the chi-square distribution.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, or no dataset has two of them.

    Warns
    -----
    BeamWarning
        If methods have no part in the test, with their names.

    See Also
    --------
    friedman : the test for a complete table.
    adjusted_rank_sums : what each method adds to the statistic.
    pairwise : which methods differ.

    Notes
    -----
    With ties the published statistic is conservative. The correction multiplies the share
    that a dataset has in the covariance of the rank sums by the variance of its ranks over
    that of ranks without ties. This is the covariance over all permutations of the ranks
    at hand; scaling the ranks of each dataset to a common variance instead would not give
    Friedman's statistic on a complete table.

    References
    ----------
    Skillings, J. H., Mack, G. A. (1981). On the use of a Friedman-type statistic in
    balanced and unbalanced block designs. Technometrics 23(2), 171-177.
    doi:10.1080/00401706.1981.10486261

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> scores.beam.skillings_mack()[["n_methods", "n_datasets", "df"]].iloc[0].tolist()
    [16, 32, 15]
    """
    check_truth("tie_correction", tie_correction)
    idle: list[str] = []

    def compute(matrix: ScoreMatrix) -> Mapping[str, Any]:
        test = _test(matrix, "skillings_mack", tie_correction)
        idle.extend(_idle(matrix, test))
        return {
            "n_methods": [test.n_methods],
            "n_datasets": [test.n_datasets],
            "n_components": [test.n_components],
            "statistic": [test.statistic],
            "df": [test.df],
            "p_value": [test.p_value],
        }

    items = read_scores(
        frame,
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        uneven_runs=uneven_runs,
    )
    result = analyse(skillings_mack, items, compute, errors)
    _warn_of_idle(idle)
    return result


@gives(
    "metric",
    "method",
    "n_datasets",
    "adjusted_rank_sum",
)
def adjusted_rank_sums(
    frame: pd.DataFrame,
    *,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Sum the ranks of each method over datasets with different numbers of methods.

    Within a dataset with k methods, the rank from 1 for the worst to k for the best counts
    as (rank - (k + 1) / 2) sqrt(12 / (k + 1)): 0 is the middle of the field.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    higher_is_better : bool or mapping from metric to bool, optional
        Direction of the metrics; those not told are looked up in the registry.
    aggregate : {"mean", "median", "min", "max", "best"}, optional
        How to combine several runs of one method, dataset and metric; ``"best"`` is the
        better of them by direction. By default several scores are an error.
    uneven_runs : {"raise", "ignore", "shared"}, default "raise"
        With `aggregate`, where methods have different runs on a dataset: an error, or
        combine what is there, or keep the runs that all methods with a score there have,
        by the column `run`.
    errors : {"raise", "warn"}, default "raise"
        Whether metrics that their own data do not allow to analyse are an error, or are
        left out with a `BeamWarning` that names them.

    Returns
    -------
    DataFrame
        One row per method, largest sum first, with leading `metric` if `frame` has it:

        - **method** : label.
        - **n_datasets** : datasets that score it and at least one other method.
        - **adjusted_rank_sum** : positive is better than the middle of the fields it was
          in. A sum grows with the number of datasets, and groups of methods without a
          dataset in common cannot be compared by it. NaN if it meets no other method.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, or no dataset has two of them.

    See Also
    --------
    skillings_mack : the test that these sums make.
    standing : the share of datasets won, over the opponents met.

    References
    ----------
    Skillings, J. H., Mack, G. A. (1981). Technometrics 23(2), 171-177.
    doi:10.1080/00401706.1981.10486261

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> scores.beam.adjusted_rank_sums()["method"].iloc[0]
    'SVC'
    """

    def compute(matrix: ScoreMatrix) -> Mapping[str, Any]:
        test = _test(matrix, "adjusted_rank_sums", tie_correction=False)
        rounded = np.round(
            test.adjusted_rank_sums, 9
        )  # sums equal but for their last digits
        order = np.argsort(-rounded, kind="stable")
        return {
            "method": matrix.methods[order],
            "n_datasets": test.n_datasets_by_method[order],
            "adjusted_rank_sum": test.adjusted_rank_sums[order],
        }

    items = read_scores(
        frame,
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        uneven_runs=uneven_runs,
    )
    return analyse(adjusted_rank_sums, items, compute, errors)


def _test(matrix: ScoreMatrix, purpose: str, tie_correction: bool) -> SkillingsMackResult:
    """Run the test; without a single comparison there is none."""
    test = skillings_mack_statistics(matrix.benefit, tie_correction)
    if test.n_datasets == 0:
        raise of_metric(
            BeamError(
                f"{purpose} needs a dataset with scores of at least 2 methods, found none"
                f"{matrix.place}"
            )
        )
    return test


def _idle(matrix: ScoreMatrix, test: SkillingsMackResult) -> list[str]:
    """Name the methods that have no part in the test, with the reason."""
    alone = (test.n_datasets_by_method == 0) & ~test.usable
    tied = (test.n_datasets_by_method > 0) & ~test.usable
    return [
        f"{list_labels(matrix.methods[names])}{matrix.place} ({reason})"
        for names, reason in (
            (alone, "no dataset shared with another method"),
            (tied, "ties with all others"),
        )
        if names.any()
    ]


def _warn_of_idle(idle: list[str]) -> None:
    if idle:
        more = f"; and {len(idle) - 5} more metrics" if len(idle) > 5 else ""
        warn(f"some methods have no part in the test: {'; '.join(idle[:5])}{more}")
