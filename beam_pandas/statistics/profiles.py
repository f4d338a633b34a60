"""What share of the runs of a method is good enough, for each meaning of good enough?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, check_option, is_number, list_labels, of_metric
from beam_pandas.kernels.run_profiles import (
    ratios_to_best,
    share_reaching,
    spread_thresholds,
)
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.statistics.run_tables import RunTable, read_run_tables
from beam_pandas.types import Errors, HigherIsBetter, UnevenRuns

ProfileKind = Literal["score", "ratio"]

Floats = NDArray[np.float64]


@gives("metric", "method", "threshold", "share")
def performance_profile(
    frame: pd.DataFrame,
    kind: ProfileKind = "score",
    *,
    thresholds: Sequence[float] | NDArray[np.floating] | None = None,
    higher_is_better: HigherIsBetter = None,
    uneven_runs: UnevenRuns = "raise",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Share of the runs of each method that are at least as good as a threshold.

    Each dataset weighs the same. A missing score reaches no threshold: a dataset without
    any run of a method, or a run that only others have, counts against it.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric` and `run`.
    kind : {"score", "ratio"}, default "score"
        Whether scores have to reach the threshold (score distributions), or costs have to
        be within that factor of the least of any method and run on the dataset
        (performance profiles of Dolan and Moré; costs are positive and less is better).
    thresholds : sequence of float, optional
        In the unit of the score, or factors from 1. By default every distinct value if
        there are up to 201, else 201 equal steps from the least to the largest.
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
        One row per method and threshold, methods of the largest mean share first,
        thresholds ascending, with leading `metric` if `frame` has it:

        - **method** : label.
        - **threshold** : in the unit of the score, or a factor.
        - **share** : mean over the datasets of the share of runs that reach it; a score
          that equals the threshold does.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, or scores are no costs where these are
        needed.
    UnevenRunsError
        If methods have different runs on a dataset, unless told what to do.

    See Also
    --------
    aggregate_scores : one number for each method.

    Notes
    -----
    A ratio is to the best of the pool: which of two methods is ahead of the other at a
    factor may change with a third one (Gould and Scott 2016).

    References
    ----------
    Dolan, E. D., Moré, J. J. (2002). Benchmarking optimization software with performance
    profiles. Mathematical Programming 91, 201-213, equation 2.1.
    doi:10.1007/s101070100263
    Agarwal, R., Schwarzer, M., Castro, P. S., Courville, A., Bellemare, M. G. (2021). Deep
    reinforcement learning at the edge of the statistical precipice. NeurIPS 34, section
    4.2; there a run has to exceed the threshold. doi:10.48550/arXiv.2108.13264
    Gould, N., Scott, J. (2016). A note on performance profiles for benchmarking software.
    ACM Transactions on Mathematical Software 43(2), 15. doi:10.1145/2950048

    Examples
    --------
    >>> import beam_pandas
    >>> folds = beam_pandas.load_benchmark(folds=True)
    >>> some = ["DecisionTree", "RandomForest", "SVC"]
    >>> some = folds.query("metric == 'fit_time' and method in @some")
    >>> profile = some.beam.performance_profile("ratio", thresholds=[1, 10, 100])
    >>> print(profile.drop(columns="metric").round(3).to_string())
             method  threshold  share
    0  DecisionTree        1.0  0.084
    1  DecisionTree       10.0  0.991
    2  DecisionTree      100.0  1.000
    3           SVC        1.0  0.016
    4           SVC       10.0  0.984
    5           SVC      100.0  1.000
    6  RandomForest        1.0  0.000
    7  RandomForest       10.0  0.053
    8  RandomForest      100.0  1.000
    """
    check_option("kind", kind, get_args(ProfileKind))
    told = None if thresholds is None else _check_thresholds(thresholds, kind)

    def compute(table: RunTable) -> Mapping[str, Any]:
        values, sign = table.benefit, table.sign
        if kind == "ratio":
            _check_costs(table)
            values = -ratios_to_best(-table.benefit)
        bars = spread_thresholds(values) if told is None else sign * told
        order = np.argsort(sign * bars, kind="stable")
        n_runs = np.broadcast_to(table.expected[:, None], table.n_runs.shape)
        share = share_reaching(values, n_runs, bars[order])
        best = np.argsort(-share.sum(axis=1), kind="stable")
        return {
            "method": table.matrix.methods.take(best).repeat(len(bars)),
            "threshold": np.tile(sign * bars[order], len(best)),
            "share": share[best].ravel(),
        }

    items = read_run_tables(
        frame,
        "performance_profile",
        higher_is_better=higher_is_better,
        uneven_runs=uneven_runs,
    )
    return analyse(performance_profile, items, compute, errors)


def _check_thresholds(thresholds: object, kind: ProfileKind) -> Floats:
    """Refuse thresholds that are none; give them in ascending order, each once."""
    try:
        listed = list(thresholds)  # type: ignore[call-overload]
    except TypeError:
        listed = []
    wrong = [one for one in listed if not (is_number(one) and np.isfinite(one))]
    if not listed or wrong or isinstance(thresholds, (str, bytes, Mapping)):
        raise BeamError(
            "thresholds must be None or a list of finite numbers, got "
            f"{(wrong[0] if wrong else thresholds)!r:.80}"
        )
    result = np.unique(np.array(listed, dtype=np.float64))
    if kind == "ratio" and result[0] < 1.0:
        raise BeamError(
            "thresholds of kind='ratio' are factors of the least cost, 1 and more, got "
            f"{result[0]:g}"
        )
    return result


def _check_costs(table: RunTable) -> None:
    """Refuse ratios of what is no positive cost."""
    if table.sign > 0.0:
        raise of_metric(
            BeamError(
                "kind='ratio' needs costs, less is better, and more is better"
                f"{table.matrix.place}: use kind='score'"
            )
        )
    wrong = table.benefit >= 0.0
    if wrong.any():
        where = table.matrix.datasets[np.any(wrong, axis=(1, 2))]
        raise of_metric(
            BeamError(
                f"kind='ratio' needs positive costs{table.matrix.place}, found some of 0 "
                f"or less on {list_labels(where)}: use kind='score'"
            )
        )
