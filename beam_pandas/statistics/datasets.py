"""Which datasets tell the methods apart, and which of them agree?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, check_probability, is_number
from beam_pandas.gate.scores import ScoreMatrix, ScoreStack, read_scores, read_stack
from beam_pandas.kernels.all_pairs import list_pairs
from beam_pandas.kernels.concordance import kendall_tau
from beam_pandas.kernels.discrimination import (
    metric_agreement,
    pool_scores,
    spread_rows,
    varying_metrics,
)
from beam_pandas.kernels.row_ranks import rank_rows
from beam_pandas.results.build import build_result
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.types import Aggregate, Errors, HigherIsBetter, UnevenRuns


@gives(
    "dataset",
    "spread",
    "spread_rank",
    "kendall_w",
    "p_value",
    "significant",
    "n_methods",
    "n_metrics",
)
def dataset_discrimination(
    frame: pd.DataFrame,
    *,
    alpha: float = 0.05,
    min_methods: int = 3,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
) -> pd.DataFrame:
    """
    Tell how far each dataset separates the methods, over all metrics together.

    Two things are looked at: how far apart the methods are (`spread`), and whether the
    metrics of the dataset agree on their order (`kendall_w`). A dataset on which all
    methods are equal, or on which the metrics contradict each other, separates nothing.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    alpha : float, default 0.05
        Significance level of each dataset by itself.
    min_methods : int, default 3
        Least number of methods for which `kendall_w` is given, at least 2.
    higher_is_better : bool or mapping from metric to bool, optional
        Direction of the metrics; those not told are looked up in the registry.
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
        One row per dataset, largest spread first; no column `metric`:

        - **dataset** : label.
        - **spread** : standard deviation (n - 1) over the methods of the pooled score of
          `pooled_scores`, from 0, in units of the range of each metric in the frame; 0 if
          all are equal, NaN with fewer than two methods or if no metric varies anywhere.
        - **spread_rank** : 1 for the largest, ties averaged; NaN where `spread` is.
        - **kendall_w** : concordance of the metrics with correction for ties, from 0 to 1
          (one order); NaN with fewer than two metrics or `min_methods` methods, or if all
          methods are equal in all metrics.
        - **p_value** : upper tail of chi-square, n_metrics (n_methods - 1) W with
          n_methods - 1 degrees of freedom; NaN where W is.
        - **significant** : whether `p_value` is at most alpha, not adjusted for the number
          of datasets; False where it is NaN.
        - **n_methods**, **n_metrics** : size of the block behind W: the metrics with a
          score on the dataset, and the methods that have all of them. A metric with few
          scores makes the block small; one that is constant in the whole frame tells
          nothing and is left out of everything.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, or the direction of a metric is not known.

    See Also
    --------
    pooled_scores : the scores that are spread.
    dataset_concordance : which datasets order the methods alike.

    References
    ----------
    Kendall, M. G., Babington Smith, B. (1939). The problem of m rankings. Annals of
    Mathematical Statistics 10(3), 275-287. doi:10.1214/aoms/1177732186

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric != 'fit_time'")
    >>> scores.beam.dataset_discrimination()["dataset"].iloc[0]
    'vowel'
    """
    check_probability("alpha", alpha)
    if not (
        is_number(min_methods) and float(min_methods).is_integer() and min_methods >= 2
    ):
        raise BeamError(f"min_methods must be a whole number from 2, got {min_methods!r}")
    stack = read_stack(
        frame,
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        uneven_runs=uneven_runs,
    )
    varying = _varying(stack)
    spread = spread_rows(pool_scores(varying))
    rank = rank_rows(spread[None])[0]
    agreement = metric_agreement(varying, int(min_methods))
    order = np.argsort(rank, kind="stable")
    columns = {
        "dataset": stack.datasets,
        "spread": spread,
        "spread_rank": rank,
        **agreement._asdict(),
        "significant": agreement.p_value <= alpha,
    }
    sorted_columns = {name: values[order] for name, values in columns.items()}
    return build_result(dataset_discrimination, [(None, sorted_columns)])


@gives(
    "dataset",
    "method",
    "pooled_score",
)
def pooled_scores(
    frame: pd.DataFrame,
    *,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
) -> pd.DataFrame:
    """
    Average the metrics of each method and dataset, each scaled to the range from 0 to 1.

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

    Returns
    -------
    DataFrame
        One row per dataset and method; no column `metric`:

        - **dataset**, **method** : labels, in label order.
        - **pooled_score** : mean of the scaled metrics, more is better: 0 is the worst
          score of each metric anywhere in the frame, 1 the best. A metric that is constant
          has no scale and drops out. NaN without a score. A mean over fewer metrics is
          not marked: see `missing_scores`.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, or the direction of a metric is not known.

    See Also
    --------
    dataset_discrimination : how far they are spread on each dataset.

    Examples
    --------
    >>> import beam_pandas
    >>> table = beam_pandas.load_benchmark().beam.pooled_scores()
    >>> bool(table["pooled_score"].dropna().between(0, 1).all())
    True
    """
    stack = read_stack(
        frame,
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        uneven_runs=uneven_runs,
    )
    n_datasets, n_methods = len(stack.datasets), len(stack.methods)
    columns = {
        "dataset": stack.datasets.repeat(n_methods),
        "method": stack.methods.take(np.tile(np.arange(n_methods), n_datasets)),
        "pooled_score": pool_scores(stack.benefit).ravel(),
    }
    return build_result(pooled_scores, [(None, columns)])


@gives(
    "metric",
    "dataset_1",
    "dataset_2",
    "n_methods",
    "kendall_tau",
)
def dataset_concordance(
    frame: pd.DataFrame,
    *,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Correlate the order of the methods on each dataset with that on each other dataset.

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
        One row per pair of datasets, with leading `metric` if `frame` has it:

        - **dataset_1**, **dataset_2** : labels, the first before the second in label
          order.
        - **n_methods** : number of methods that have a score on both.
        - **kendall_tau** : Kendall's tau-b over them, from -1 (opposite order) to 1 (same
          order); NaN with fewer than two, or if one dataset is constant on them.

    Raises
    ------
    BeamError
        If the frame is not a table of scores.

    See Also
    --------
    dataset_discrimination : which datasets tell the methods apart.
    to_matrix : a column of the result as a square.

    References
    ----------
    Kendall, M. G. (1945). The treatment of ties in ranking problems. Biometrika 33(3),
    239-251. doi:10.1093/biomet/33.3.239

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> len(scores.beam.dataset_concordance())
    496
    """

    def compute(matrix: ScoreMatrix) -> Mapping[str, Any]:
        first, second = list_pairs(len(matrix.datasets))
        found = kendall_tau(matrix.benefit)
        return {
            "dataset_1": matrix.rows[first],
            "dataset_2": matrix.rows[second],
            "n_methods": found.n_common,
            "kendall_tau": found.tau,
        }

    items = read_scores(
        frame,
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        uneven_runs=uneven_runs,
    )
    return analyse(dataset_concordance, items, compute, errors)


def _varying(stack: ScoreStack) -> NDArray[np.float64]:
    """Leave out the metrics that are constant in the whole frame."""
    varying: NDArray[np.float64] = stack.benefit[varying_metrics(stack.benefit)]
    return varying
