"""How good are methods over all runs and datasets, in one number or pair by pair?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import (
    BeamError,
    check_option,
    check_probability,
    is_number,
    of_metric,
    warn,
)
from beam_pandas.kernels.draws import percentile_interval
from beam_pandas.kernels.run_aggregates import KINDS, AggregateKind, aggregate_over_runs
from beam_pandas.kernels.run_comparison import compare_runs, resample_runs
from beam_pandas.kernels.run_draws import RESAMPLES, Resample
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.statistics.normalising import Normalize, normalised, read_references
from beam_pandas.statistics.pair_tables import choose_pairs
from beam_pandas.statistics.rank_tables import find_control
from beam_pandas.statistics.run_tables import RunTable, complete_runs, read_run_tables
from beam_pandas.statistics.streams import check_resamples, start_stream
from beam_pandas.types import Errors, HigherIsBetter, MissingRuns, UnevenRuns

_BLOCK = 2**24  # numbers of a bootstrap held at a time

Floats = NDArray[np.float64]


@gives(
    "metric",
    "method",
    "n_datasets",
    "n_runs_min",
    "n_runs_max",
    "estimate",
    "ci_low",
    "ci_high",
)
def aggregate_scores(
    frame: pd.DataFrame,
    kind: AggregateKind = "mean",
    *,
    gamma: float = 1.0,
    normalize: Normalize = None,
    resample: Resample = "datasets",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: int | np.random.Generator | None = 0,
    higher_is_better: HigherIsBetter = None,
    uneven_runs: UnevenRuns = "raise",
    missing: MissingRuns = "raise",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Aggregate the scores of each method over its runs and datasets, with an interval.

    Each dataset weighs the same. What the interval speaks of is chosen by `resample`: the
    default asks how far the number would be another on other datasets of the kind.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric` and `run`.
    kind : {"mean", "median", "iqm", "optimality_gap"}, default "mean"
        Mean or median of the means on the datasets; the interquartile mean, that of all
        scores without the int(n / 4) smallest and largest of them; or the mean shortfall
        from `gamma`. The last two mix scores of all datasets: if nothing says that these
        share a scale, they are refused unless `normalize` gives them one.
    gamma : float, default 1.0
        Score to be reached, in the unit of the score, or on the scale of `normalize`. Only
        for ``"optimality_gap"``.
    normalize : "min_max", mapping or DataFrame, optional
        Put the scores of each dataset on a scale from 0, the worse end, to 1: by the
        smallest and largest score there of any method and run; or by two reference scores
        (low, high), whichever is the better, in a mapping from dataset to both or in a
        frame with the columns `dataset`, `low`, `high` and, for several metrics, `metric`.
    resample : {"datasets", "runs", "both"}, default "datasets"
        What is drawn with replacement for the interval: datasets, with the runs they have
        (all ways to draw them, if there are up to seven); runs within each dataset, which
        answers what other runs on these datasets would give; or datasets and then runs.
    confidence_level : float, default 0.95
        Level of the intervals.
    n_resamples : int, default 2000
        Number of bootstrap draws.
    rng : int, Generator or None, default 0
        Seed of the draws. The stream starts anew for each metric and group; a generator is
        copied; None takes another seed each time.
    higher_is_better : bool or mapping from metric to bool, optional
        Direction of the metrics; those not told are looked up in the registry.
    uneven_runs : {"raise", "ignore", "shared"}, default "raise"
        Where methods have different runs on a dataset: an error, or take what is there, or
        keep the runs that all methods with a score there have, by the column `run`.
    missing : {"raise", "drop_datasets", "drop_methods", "largest_block"}, default "raise"
        What to do if a method has no score on a dataset: an error, or drop the datasets or
        the methods concerned, or keep the complete block with the most scores.
    errors : {"raise", "warn"}, default "raise"
        Whether metrics that their own data do not allow to analyse are an error, or are
        left out with a `BeamWarning` that names them.

    Returns
    -------
    DataFrame
        One row per method, best first, with leading `metric` if `frame` has it:

        - **method** : label.
        - **n_datasets** : number of datasets.
        - **n_runs_min**, **n_runs_max** : least and largest number of runs on a dataset.
        - **estimate** : the number, in the unit of the score and not turned, or on the
          scale of `normalize`, where more is better; an optimality gap is never negative
          and less is better.
        - **ci_low**, **ci_high** : ends of its percentile interval. With one dataset, or
          one run each, nothing varies in a draw of these, and the ends are the estimate.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, or the scores of datasets of different scale
        would be mixed.
    UnevenRunsError
        If methods have different runs on a dataset, unless told what to do.
    IncompleteScoresError
        If a method has no score on a dataset, unless told what to do.

    See Also
    --------
    improvement : pairs of methods over runs, without any scale.
    performance_profile : the whole distribution of the scores.
    pairwise : pairs of methods over datasets, with a test.

    Notes
    -----
    Intervals of two methods may overlap although one is better on each dataset, since
    datasets differ more than methods do: for a pair look at `pairwise` or `improvement`.

    References
    ----------
    Agarwal, R., Schwarzer, M., Castro, P. S., Courville, A., Bellemare, M. G. (2021). Deep
    reinforcement learning at the edge of the statistical precipice. NeurIPS 34, sections
    4.2 and 4.3. doi:10.48550/arXiv.2108.13264

    Examples
    --------
    >>> import beam_pandas
    >>> folds = beam_pandas.load_benchmark(folds=True).query("metric == 'accuracy'")
    >>> some = ["DecisionTree", "RandomForest", "SVC"]
    >>> some = folds.query("method in @some")
    >>> print(some.beam.aggregate_scores("iqm").drop(columns="metric").round(3).to_string())
             method  n_datasets  n_runs_min  n_runs_max  estimate  ci_low  ci_high
    0           SVC          32          10          10     0.834   0.779    0.889
    1  RandomForest          32          10          10     0.830   0.772    0.889
    2  DecisionTree          32          10          10     0.769   0.710    0.833
    """
    check_option("kind", kind, KINDS)
    check_option("resample", resample, RESAMPLES)
    check_option("missing", missing, get_args(MissingRuns))
    check_probability("confidence_level", confidence_level)
    n_draws, start = check_resamples(n_resamples), start_stream(rng)
    if not (is_number(gamma) and np.isfinite(gamma)):
        raise BeamError(f"gamma must be a finite number, got {gamma!r}")
    items = read_run_tables(
        frame,
        "aggregate_scores",
        higher_is_better=higher_is_better,
        uneven_runs=uneven_runs,
    )
    metrics = [
        label
        for item in items
        if isinstance(item, RunTable)
        for label in ([None] if item.metric is None else item.metric.tolist())
    ]
    references = None if normalize is None else read_references(normalize, metrics)

    def compute(table: RunTable) -> Mapping[str, Any]:
        table = complete_runs(table, missing, "aggregate_scores")
        if normalize is None:
            _check_one_scale(table, kind)
            scores, sign = table.sign * table.benefit.transpose(1, 0, 2), table.sign
        else:
            scores, sign = normalised(table, references), 1.0
        if kind == "optimality_gap":
            _warn_of_gamma(table, scores, gamma, sign)
        found = aggregate_over_runs(
            scores,
            kind,
            resample=resample,
            n_resamples=n_draws,
            confidence_level=confidence_level,
            rng=start(),
            gamma=float(gamma),
            sign=sign,
        )
        value = found.estimate * (-1.0 if kind == "optimality_gap" else sign)
        best = np.argsort(-value, kind="stable")
        n_runs = table.n_runs[:, best]
        return {
            "method": table.matrix.methods.take(best),
            "n_datasets": np.full(len(best), len(n_runs)),
            "n_runs_min": n_runs.min(axis=0),
            "n_runs_max": n_runs.max(axis=0),
            "estimate": found.estimate[best],
            "ci_low": found.ci_low[best],
            "ci_high": found.ci_high[best],
        }

    return analyse(aggregate_scores, items, compute, errors)


def _check_one_scale(table: RunTable, kind: AggregateKind) -> None:
    """Refuse to mix scores of datasets that may be of different scale."""
    upper = table.matrix.upper
    # negated losses end at 0 and have no other end; whatever ends above 0 has a scale
    if kind in ("mean", "median") or len(table.benefit) < 2 or (upper and upper > 0.0):
        return
    name = None if table.metric is None else table.metric.tolist()[0]
    entry = "" if not isinstance(name, str) else (
        "; if they share a scale, tell its end: beam_pandas.register_metric("
        f"{name!r}, higher_is_better={table.sign > 0.0}, upper=...)"
    )  # fmt: skip
    raise of_metric(
        BeamError(
            f"kind={kind!r} mixes the scores of all datasets, whose scales may differ"
            f"{table.matrix.place}: pass normalize='min_max', or reference scores of each "
            f"dataset{entry}"
        )
    )


def _warn_of_gamma(table: RunTable, scores: Floats, gamma: float, sign: float) -> None:
    """Warn if there is no gap at all, as if gamma were made for another scale."""
    short = sign * (gamma - scores)
    if not np.nanmax(short, initial=-np.inf) <= 0.0:
        return
    least, most = np.nanmin(scores), np.nanmax(scores)
    hint = "pass one that is hard to reach"
    if sign < 0.0:
        hint = "less is better here, gamma=0.0 may be meant"
    elif table.matrix.upper == 1.0 and most > 2.0:
        hint = f"scores are in percent, gamma={100.0 * gamma:g} may be meant"
    warn(
        f"every gap is 0{table.matrix.place}: all scores, from {least:.6g} to {most:.6g}, "
        f"reach gamma={gamma:g}; {hint}"
    )


@gives(
    "metric",
    "method_1",
    "method_2",
    "n_datasets",
    "share_improved",
    "ci_low",
    "ci_high",
)
def improvement(
    frame: pd.DataFrame,
    *,
    resample: Resample = "runs",
    control: Hashable | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: int | np.random.Generator | None = 0,
    higher_is_better: HigherIsBetter = None,
    uneven_runs: UnevenRuns = "raise",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    How often a run of one method is better than a run of another, for each pair.

    On a dataset, the share of all pairs of a run of each method in which that of method_1
    is better, and half of those in which both are equal (the statistic of Mann and Whitney
    over its largest value); then the mean over the datasets. Neither the scale of a
    dataset nor the size of a difference matters.

    It is over runs where `share_better` of `pairwise` is over datasets: two methods whose
    runs overlap may be at 0.6 here although one has the better mean on each dataset.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric` and `run`.
    resample : {"runs", "datasets", "both"}, default "runs"
        What is drawn with replacement for the interval: runs of each method within each
        dataset (the stratified bootstrap), which answers what other runs on these datasets
        would give; datasets, with the runs they have, which answers what other datasets
        would; or datasets and then runs.
    control : label, optional
        Only the pairs with this method.
    confidence_level : float, default 0.95
        Level of the intervals.
    n_resamples : int, default 2000
        Number of bootstrap draws.
    rng : int, Generator or None, default 0
        Seed of the draws. The stream starts anew for each metric and group; a generator is
        copied; None takes another seed each time.
    higher_is_better : bool or mapping from metric to bool, optional
        Direction of the metrics; those not told are looked up in the registry.
    uneven_runs : {"raise", "ignore", "shared"}, default "raise"
        Where methods have different runs on a dataset: an error, or take what is there, or
        keep the runs that all methods with a score there have, by the column `run`.
    errors : {"raise", "warn"}, default "raise"
        Whether metrics that their own data do not allow to analyse are an error, or are
        left out with a `BeamWarning` that names them.

    Returns
    -------
    DataFrame
        One row per pair, with leading `metric` if `frame` has it:

        - **method_1**, **method_2** : labels, the first before the second in label order.
        - **n_datasets** : number of datasets on which both have a run; each weighs the
          same.
        - **share_improved** : mean share of pairs of runs in which method_1 is better,
          ties half; above 0.5 speaks for method_1. NaN without a shared dataset.
        - **ci_low**, **ci_high** : ends of its percentile interval. With one run each,
          nothing varies in a draw of runs, and the ends are the share.

    Raises
    ------
    BeamError
        If the frame is not a table of scores.
    UnevenRunsError
        If methods have different runs on a dataset, unless told what to do.

    See Also
    --------
    pairwise : shares of datasets instead of runs, with a test.
    correlated_t : each dataset by itself, where runs can be paired.
    aggregate_scores : one number for each method.

    References
    ----------
    Agarwal, R., Schwarzer, M., Castro, P. S., Courville, A., Bellemare, M. G. (2021). Deep
    reinforcement learning at the edge of the statistical precipice. NeurIPS 34, section
    4.3 (probability of improvement). doi:10.48550/arXiv.2108.13264

    Examples
    --------
    >>> import beam_pandas
    >>> folds = beam_pandas.load_benchmark(folds=True).query("metric == 'accuracy'")
    >>> some = ["DecisionTree", "RandomForest", "SVC"]
    >>> some = folds.query("method in @some")
    >>> print(some.beam.improvement().drop(columns="metric").round(3).to_string())
           method_1      method_2  n_datasets  share_improved  ci_low  ci_high
    0  DecisionTree  RandomForest          32           0.150   0.124    0.179
    1  DecisionTree           SVC          32           0.182   0.160    0.206
    2  RandomForest           SVC          32           0.467   0.429    0.507
    """
    check_option("resample", resample, RESAMPLES)
    check_probability("confidence_level", confidence_level)
    n_draws, start = check_resamples(n_resamples), start_stream(rng)

    def compute(table: RunTable) -> Mapping[str, Any]:
        methods = table.matrix.methods
        at = None if control is None else find_control(control, table.matrix)
        first, second = choose_pairs(len(methods), at)
        found = compare_runs(table.benefit, first, second)
        low, high = np.empty(len(first)), np.empty(len(first))
        step = max(1, _BLOCK // n_draws)
        for begin in range(0, len(first), step):  # each block of pairs sees the same draws
            part = slice(begin, begin + step)
            shares = resample_runs(
                table.benefit,
                first[part],
                second[part],
                n_resamples=n_draws,
                resample=resample,
                rng=start(),
            )
            ends = percentile_interval(shares.T, np.ones(n_draws), confidence_level)
            low[part], high[part] = ends
        return {
            "method_1": methods.take(first),
            "method_2": methods.take(second),
            "n_datasets": found.n_datasets,
            "share_improved": found.share,
            "ci_low": low,
            "ci_high": high,
        }

    items = read_run_tables(
        frame, "improvement", higher_is_better=higher_is_better, uneven_runs=uneven_runs
    )
    return analyse(improvement, items, compute, errors)
