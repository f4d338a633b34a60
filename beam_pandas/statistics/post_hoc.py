"""Which pairs of methods differ by their mean ranks, against one critical difference?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from beam_pandas.errors import check_probability
from beam_pandas.kernels.critical_gap import beyond
from beam_pandas.kernels.nemenyi import (
    nemenyi_gap,
    nemenyi_p_values,
    normal_p_values,
    standard_error,
)
from beam_pandas.labels import Picked
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.statistics.rank_tables import MeanRanks, read_mean_ranks
from beam_pandas.types import Aggregate, Errors, HigherIsBetter, Missing, UnevenRuns


@gives(
    "metric",
    "method_1",
    "method_2",
    "n_datasets",
    "mean_rank_1",
    "mean_rank_2",
    "rank_diff",
    "critical_difference",
    "p_value",
    "p_adjusted",
    "significant",
)
def nemenyi(
    frame: pd.DataFrame,
    *,
    alpha: float = 0.05,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    missing: Missing = "raise",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Compare all pairs of methods by their mean ranks, after Nemenyi.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    alpha : float, default 0.05
        Probability of any false difference, if there is none at all.
    higher_is_better : bool or mapping from metric to bool, optional
        Direction of the metrics; those not told are looked up in the registry.
    aggregate : {"mean", "median", "min", "max", "best"}, optional
        How to combine several runs of one method, dataset and metric; ``"best"`` is the
        better of them by direction. By default several scores are an error.
    uneven_runs : {"raise", "ignore", "shared"}, default "raise"
        With `aggregate`, where methods have different runs on a dataset: an error, or
        combine what is there, or keep the runs that all methods with a score there have,
        by the column `run`.
    missing : {"raise", "drop_datasets", "drop_methods", "largest_block", "worst"}
        What to do if a method lacks a dataset: an error (default), leave out such
        datasets or such methods, keep the complete block with the most scores, or rank a
        missing score last, as a tie with other missing ones.
    errors : {"raise", "warn"}, default "raise"
        Whether metrics that their own data do not allow to analyse are an error, or are
        left out with a `BeamWarning` that names them.

    Returns
    -------
    DataFrame
        One row per pair, with leading `metric` if `frame` has it:

        - **method_1**, **method_2** : labels, the first before the second in label order.
        - **n_datasets** : number of datasets, N.
        - **mean_rank_1**, **mean_rank_2** : mean ranks of both, 1 is the best.
        - **rank_diff** : mean rank of method_2 minus that of method_1; positive if
          method_1 is better.
        - **critical_difference** : gap in mean rank beyond which a pair differs.
        - **p_value** : two-sided, from the normal distribution of `rank_diff` over its
          standard error sqrt(k (k + 1) / (6 N)); not adjusted.
        - **p_adjusted** : upper tail of the range of k standard normals, adjusted for all
          pairs by its nature.
        - **significant** : whether `rank_diff` is beyond the critical difference; one equal
          to it is within.

    Raises
    ------
    IncompleteScoresError
        If scores are missing and `missing` is ``"raise"``.
    BeamError
        If the frame is not a table of scores, or has fewer than two methods or datasets.

    Warns
    -----
    BeamWarning
        If so few datasets could not tell any two methods apart, whatever the scores.

    See Also
    --------
    critical_difference : the same comparison, one row per method.
    compare_to_control : fewer comparisons, so more power.
    mean_rank_tests : all pairs, with adjustments that find more.
    pairwise : each pair alone, whatever else is in the pool.
    to_matrix : a column of the result as a square.

    References
    ----------
    Demšar, J. (2006). JMLR 7, 1-30, section 3.2.2.
    https://www.jmlr.org/papers/v7/demsar06a.html

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> len(scores.beam.nemenyi(missing="drop_datasets"))
    120
    """
    check_probability("alpha", alpha)

    def compute(table: MeanRanks) -> Mapping[str, Any]:
        gap = nemenyi_gap(alpha, table.n_methods, table.n_datasets)
        table.warn_if_hopeless(gap, alpha=alpha)
        first, second = np.triu_indices(table.n_methods, k=1)
        rank_diff = table.mean[second] - table.mean[first]
        error = standard_error(table.n_methods, table.n_datasets)
        return {
            "method_1": Picked(table.methods, first),
            "method_2": Picked(table.methods, second),
            "n_datasets": np.full(len(first), table.n_datasets),
            "mean_rank_1": table.mean[first],
            "mean_rank_2": table.mean[second],
            "rank_diff": rank_diff,
            "critical_difference": np.full(len(first), gap),
            "p_value": normal_p_values(rank_diff / error),
            "p_adjusted": nemenyi_p_values(rank_diff, table.n_methods, table.n_datasets),
            "significant": beyond(np.abs(rank_diff), gap),
        }

    items = read_mean_ranks(
        frame,
        "nemenyi",
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        missing=missing,
        uneven_runs=uneven_runs,
    )
    return analyse(nemenyi, items, compute, errors)
