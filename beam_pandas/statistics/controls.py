"""Which methods differ from a control?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, check_option, check_probability, count, warn
from beam_pandas.gate.scores import ScoreMatrix, read_scores
from beam_pandas.kernels.adjustment import ADJUSTMENTS, Adjustment, adjust_p_values
from beam_pandas.kernels.binomial_sign import sign_p_values
from beam_pandas.kernels.critical_gap import beyond
from beam_pandas.kernels.nemenyi import dunn_gap, normal_p_values, standard_error
from beam_pandas.kernels.pair_counts import mean_differences
from beam_pandas.kernels.signed_ranks import signed_rank_tests
from beam_pandas.labels import Picked
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.statistics.pair_tables import refuse_logical_adjustment
from beam_pandas.statistics.rank_tables import MeanRanks, find_control, read_mean_ranks
from beam_pandas.types import (
    Aggregate,
    Alternative,
    Errors,
    HigherIsBetter,
    Missing,
    UnevenRuns,
)

ControlTest = Literal["mean_rank", "sign", "wilcoxon"]
_WHO = "no method can differ from the control"


@gives(
    "metric",
    "control",
    "method",
    "n_datasets",
    "control_mean_rank",
    "mean_rank",
    "rank_diff",
    "critical_difference",
    "share_better",
    "share_worse",
    "mean_diff",
    "statistic",
    "p_value",
    "p_adjusted",
    "significant",
)
def compare_to_control(
    frame: pd.DataFrame,
    control: Hashable,
    *,
    test: ControlTest = "mean_rank",
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
    Compare each method with a control, by mean ranks after Dunn or on shared datasets.

    The mean ranks of two methods depend on what else is in the pool; the sign test and
    Wilcoxon's look at the method and the control alone, and missing scores are no
    obstacle to them.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    control : label
        The method to compare with.
    test : {"mean_rank", "sign", "wilcoxon"}, default "mean_rank"
        What is compared: mean ranks on the complete table; or, on the datasets that the
        method and the control share, wins and losses by the exact sign test, or the
        ranks of the sizes of the differences by Wilcoxon's signed-rank test, equal scores
        dropped.
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
        missing score last, as a tie with other missing ones. Only for mean ranks: the
        other tests take what is there.
    errors : {"raise", "warn"}, default "raise"
        Whether metrics that their own data do not allow to analyse are an error, or are
        left out with a `BeamWarning` that names them.

    Returns
    -------
    DataFrame
        One row per method other than the control, best first, with leading `metric` if
        `frame` has it; columns of ranks are NaN for the tests on shared datasets, and
        best is then the largest `share_better` minus `share_worse`:

        - **control**, **method** : labels.
        - **n_datasets** : number of datasets, N; for the other tests those that both have.
        - **control_mean_rank**, **mean_rank** : mean ranks of the control and of the
          method, 1 is the best.
        - **rank_diff** : mean rank of the control minus that of the method; positive if
          the method beats the control.
        - **critical_difference** : z sqrt(k (k + 1) / (6 N)) in ranks, z the normal
          quantile for alpha / (2 (k - 1)), or for alpha / 2 without adjustment; NaN for
          the step methods and for one-sided tests.
        - **share_better**, **share_worse** : shares of the datasets on which the method is
          better than the control, and worse; NaN without a shared dataset.
        - **mean_diff** : mean of the differences, in the unit of the score, positive if
          the method is better than the control; NaN without a shared dataset.
        - **statistic** : `rank_diff` over its standard error sqrt(k (k + 1) / (6 N)); NaN
          for the other tests.
        - **p_value** : from the normal distribution; exact for the other tests, and NaN
          without a shared dataset.
        - **p_adjusted** : adjusted for the comparisons of the metric.
        - **significant** : whether `rank_diff` is beyond the critical difference where
          there is one, else whether `p_adjusted` is at most alpha.

    Raises
    ------
    IncompleteScoresError
        If scores are missing and `missing` is ``"raise"``.
    BeamError
        If the control is none of the methods, the frame is not a table of scores, or has
        fewer than two methods or datasets; or if `missing` is told for a test on shared
        datasets.

    Warns
    -----
    BeamWarning
        If so few datasets could not tell any method from the control; if there are too
        many for the exact law of Wilcoxon's test, see `wilcoxon`.

    See Also
    --------
    nemenyi : all pairs, by the same mean ranks.
    mean_rank_tests : all pairs by mean ranks, or those with a control.
    pairwise : the same by counts of datasets.
    wilcoxon : the same by signed ranks.

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
    check_option("test", test, get_args(ControlTest))
    check_probability("alpha", alpha)
    refuse_logical_adjustment(adjust, "comparisons with a control")
    check_option("adjust", adjust, ADJUSTMENTS)
    check_option("alternative", alternative, get_args(Alternative))
    if test != "mean_rank":
        _refuse_missing(missing, test)

    def by_ranks(table: MeanRanks) -> Mapping[str, Any]:
        return _compare_ranks(table, control, alpha, adjust, alternative)

    def by_scores(matrix: ScoreMatrix) -> Mapping[str, Any]:
        return _compare_scores(matrix, control, test, alpha, adjust, alternative)

    how: dict[str, Any] = {
        "higher_is_better": higher_is_better,
        "aggregate": aggregate,
        "uneven_runs": uneven_runs,
    }
    if test != "mean_rank":
        return analyse(compare_to_control, read_scores(frame, **how), by_scores, errors)
    tables = read_mean_ranks(frame, "compare_to_control", missing=missing, **how)
    return analyse(compare_to_control, tables, by_ranks, errors)


def _refuse_missing(missing: object, test: str) -> None:
    check_option("missing", missing, get_args(Missing))
    if missing != "raise":
        raise BeamError(
            f"missing={missing!r} is for test='mean_rank': test={test!r} compares on the "
            "datasets that the method and the control share; leave missing out"
        )


def _compare_ranks(
    table: MeanRanks, control: Hashable, alpha: float, adjust: str, alternative: str
) -> Mapping[str, Any]:
    """Compare by mean ranks."""
    at = table.position(control)
    others = table.order[table.order != at]
    rank_diff = table.mean[at] - table.mean[others]
    error = standard_error(table.n_methods, table.n_datasets)
    gap = _control_gap(table, alpha, adjust, alternative)
    p_value = normal_p_values(rank_diff / error, alternative)
    p_adjusted = adjust_p_values(p_value, adjust)
    benefit = table.matrix.benefit
    filled = np.where(np.isnan(benefit), -np.inf, benefit)  # a missing score is the worst
    return {
        "control": Picked(table.methods, np.full(len(others), at)),
        "method": Picked(table.methods, others),
        "n_datasets": np.full(len(others), table.n_datasets),
        "control_mean_rank": np.full(len(others), table.mean[at]),
        "mean_rank": table.mean[others],
        "rank_diff": rank_diff,
        "critical_difference": np.full(len(others), gap),
        "share_better": _count(filled[:, others] > filled[:, [at]]) / table.n_datasets,
        "share_worse": _count(filled[:, others] < filled[:, [at]]) / table.n_datasets,
        "mean_diff": mean_differences(benefit, others, np.full(len(others), at)),
        "statistic": rank_diff / error,
        "p_value": p_value,
        "p_adjusted": p_adjusted,
        "significant": p_adjusted <= alpha
        if np.isnan(gap)
        else beyond(np.abs(rank_diff), gap),
    }


def _compare_scores(
    matrix: ScoreMatrix,
    control: Hashable,
    test: str,
    alpha: float,
    adjust: str,
    alternative: Alternative,
) -> Mapping[str, Any]:
    """Compare on the datasets that each method shares with the control."""
    at = find_control(control, matrix)
    others = np.delete(np.arange(len(matrix.methods)), at)
    benefit = matrix.benefit
    wins = _count(benefit[:, others] > benefit[:, [at]])  # never so where one is missing
    losses = _count(benefit[:, others] < benefit[:, [at]])
    shared = _count(~np.isnan(benefit[:, others]) & ~np.isnan(benefit[:, [at]]))
    n = np.where(shared > 0, shared, np.nan)
    order = np.argsort(-(wins - losses) / n, kind="stable")  # without any shared: last
    others, wins, losses = others[order], wins[order], losses[order]
    shared, n = shared[order], n[order]
    if test == "sign":
        p_value = np.where(shared > 0, sign_p_values(wins, losses, alternative), np.nan)
    else:
        p_value = _signed_rank_p_values(matrix, others, at, alternative)
    p_adjusted = adjust_p_values(p_value, adjust)
    unknown = np.full(len(others), np.nan)
    ranked = ("control_mean_rank", "mean_rank", "rank_diff", "critical_difference")
    return {
        "control": Picked(matrix.methods, np.full(len(others), at)),
        "method": Picked(matrix.methods, others),
        "n_datasets": shared,
        **dict.fromkeys((*ranked, "statistic"), unknown),
        "share_better": wins / n,
        "share_worse": losses / n,
        "mean_diff": mean_differences(benefit, others, np.full(len(others), at)),
        "p_value": p_value,
        "p_adjusted": p_adjusted,
        "significant": p_adjusted <= alpha,
    }


def _signed_rank_p_values(
    matrix: ScoreMatrix, others: NDArray[np.intp], at: int, alternative: Alternative
) -> NDArray[np.float64]:
    """Test the sizes of the differences, and say where the normal law had to do."""
    tests = signed_rank_tests(
        matrix.benefit,
        alternative=alternative,
        confidence_level=None,
        pairs=(others, np.full(len(others), at)),
    )
    if tests.approximate.any():
        warn(
            f"{count(int(tests.approximate.sum()), 'p-value')} of {len(others):,}"
            f"{matrix.place} come from the normal law: so many datasets, or so many ties "
            "among them, are too many for the exact one"
        )
    return tests.p_value


def _count(marks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count the datasets that are marked, for each method."""
    return np.asarray(np.count_nonzero(marks, axis=0), dtype=np.int64)


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
