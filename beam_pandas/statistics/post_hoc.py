"""Which pairs differ by their mean ranks, and which methods from a control?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, get_args

import numpy as np
import pandas as pd

from beam_pandas.errors import check_option, check_probability
from beam_pandas.kernels.adjustment import ADJUSTMENTS, Adjustment, adjust_p_values
from beam_pandas.kernels.nemenyi import (
    dunn_gap,
    nemenyi_gap,
    nemenyi_p_values,
    normal_p_values,
    standard_error,
)
from beam_pandas.labels import Picked
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.statistics.rank_tables import MeanRanks, read_mean_ranks
from beam_pandas.types import (
    Aggregate,
    Alternative,
    Errors,
    HigherIsBetter,
    Missing,
    UnevenRuns,
)

_WHO = "no method can differ from the control"


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
        - **significant** : whether `rank_diff` is beyond the critical difference.

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
        table.warn_if_hopeless(gap)
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
            "significant": np.abs(rank_diff) > gap,
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


@gives(
    "metric",
    "control",
    "method",
    "n_datasets",
    "control_mean_rank",
    "mean_rank",
    "rank_diff",
    "critical_difference",
    "statistic",
    "p_value",
    "p_adjusted",
    "significant",
)
def compare_to_control(
    frame: pd.DataFrame,
    control: Hashable,
    *,
    alpha: float = 0.05,
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    missing: Missing = "raise",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Compare each method with a control by mean ranks, after Dunn.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    control : label
        The method to compare with.
    alpha : float, default 0.05
        Significance level of the adjusted p-values.
    adjust : {"holm", "hochberg", "hommel", "bonferroni", "fdr_bh", "none"}, default "holm"
        Adjustment for the k - 1 comparisons of a metric. ``"bonferroni"`` gives the
        Bonferroni-Dunn test; the step methods have more power but no single critical
        difference.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What the test looks for: any difference, that the method is better than the
        control, or that it is worse.
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
        One row per method other than the control, best first, with leading `metric` if
        `frame` has it:

        - **control**, **method** : labels.
        - **n_datasets** : number of datasets, N.
        - **control_mean_rank**, **mean_rank** : mean ranks of the control and of the
          method, 1 is the best.
        - **rank_diff** : mean rank of the control minus that of the method; positive if
          the method beats the control.
        - **critical_difference** : z sqrt(k (k + 1) / (6 N)) in ranks, z the normal
          quantile for alpha / (2 (k - 1)), or for alpha / 2 without adjustment; NaN for
          the step methods and for one-sided tests.
        - **statistic** : `rank_diff` over its standard error sqrt(k (k + 1) / (6 N)).
        - **p_value** : from the normal distribution.
        - **p_adjusted** : adjusted for the comparisons of the metric.
        - **significant** : whether `p_adjusted` is at most alpha.

    Raises
    ------
    IncompleteScoresError
        If scores are missing and `missing` is ``"raise"``.
    BeamError
        If the control is none of the methods, the frame is not a table of scores, or has
        fewer than two methods or datasets.

    Warns
    -----
    BeamWarning
        If so few datasets could not tell any method from the control.

    See Also
    --------
    nemenyi : all pairs, by the same mean ranks.
    pairwise : each pair alone, whatever else is in the pool.

    References
    ----------
    Demšar, J. (2006). JMLR 7, 1-30, section 3.2.2.
    https://www.jmlr.org/papers/v7/demsar06a.html
    Dunn, O. J. (1961). JASA 56(293), 52-64. doi:10.1080/01621459.1961.10482090

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> table = scores.beam.compare_to_control("GaussianNB", missing="drop_datasets")
    >>> bool(table.loc[0, "significant"])
    True
    """
    check_probability("alpha", alpha)
    check_option("adjust", adjust, ADJUSTMENTS)
    check_option("alternative", alternative, get_args(Alternative))

    def compute(table: MeanRanks) -> Mapping[str, Any]:
        at = table.position(control)
        others = table.order[table.order != at]
        rank_diff = table.mean[at] - table.mean[others]
        error = standard_error(table.n_methods, table.n_datasets)
        gap = _control_gap(table, alpha, adjust, alternative)
        p_value = normal_p_values(rank_diff / error, alternative)
        p_adjusted = adjust_p_values(p_value, adjust)
        return {
            "control": Picked(table.methods, np.full(len(others), at)),
            "method": Picked(table.methods, others),
            "n_datasets": np.full(len(others), table.n_datasets),
            "control_mean_rank": np.full(len(others), table.mean[at]),
            "mean_rank": table.mean[others],
            "rank_diff": rank_diff,
            "critical_difference": np.full(len(others), gap),
            "statistic": rank_diff / error,
            "p_value": p_value,
            "p_adjusted": p_adjusted,
            "significant": p_adjusted <= alpha,
        }

    items = read_mean_ranks(
        frame,
        "compare_to_control",
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        missing=missing,
        uneven_runs=uneven_runs,
    )
    return analyse(compare_to_control, items, compute, errors)


def _control_gap(table: MeanRanks, alpha: float, adjust: str, alternative: str) -> float:
    """
    Give the critical difference from the control; the step methods have none.

    Holm's first step is Bonferroni's, and no method is significant in the others that is
    not so without adjustment, so that a gap that nothing can exceed is known for all.
    """
    strict = adjust in ("bonferroni", "holm")
    n_comparisons = table.n_methods - 1 if strict else 1
    error = standard_error(table.n_methods, table.n_datasets)
    gap = dunn_gap(alpha, n_comparisons, error)
    if alternative != "two-sided":  # one side has the whole of alpha
        table.warn_if_hopeless(
            dunn_gap(2.0 * min(alpha, 0.499), n_comparisons, error), _WHO
        )
        return float("nan")
    table.warn_if_hopeless(gap, _WHO)
    return gap if adjust in ("bonferroni", "none") else float("nan")
