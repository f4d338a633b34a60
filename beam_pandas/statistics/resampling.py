"""Is first place safe: what if the datasets, or the methods, had been others?"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any, NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, check_option, check_probability, of_metric
from beam_pandas.gate.scores import ScoreMatrix, check_cluster, read_clusters, read_scores
from beam_pandas.kernels.adjustment import ADJUSTMENTS, Adjustment
from beam_pandas.kernels.leave_one_out import (
    count_pool_flips,
    count_rank_flips,
    mean_ranks_without,
)
from beam_pandas.kernels.nemenyi import nemenyi_gap
from beam_pandas.kernels.pair_signs import pair_signs
from beam_pandas.kernels.rank_bootstrap import bootstrap_mean_ranks
from beam_pandas.kernels.sign_flips import count_sign_flips
from beam_pandas.labels import Picked
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.statistics.pair_tables import count_matrix
from beam_pandas.statistics.rank_tables import MeanRanks, rank_matrices, read_mean_ranks
from beam_pandas.statistics.rope import Ropes, resolve_ropes
from beam_pandas.statistics.streams import check_resamples, start_stream
from beam_pandas.types import (
    Aggregate,
    Errors,
    HigherIsBetter,
    Missing,
    MissingRanks,
    Rng,
    Rope,
    UnevenRuns,
)


@gives(
    "metric",
    "method",
    "n_datasets",
    "mean_rank",
    "ci_low",
    "ci_high",
    "place_low",
    "place_high",
    "prob_best",
    "prob_top",
    "standard_error",
)
def rank_intervals(
    frame: pd.DataFrame,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    top: int = 3,
    cluster: str | None = None,
    rng: Rng = 0,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    missing: MissingRanks = "raise",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    How sure the order by mean ranks is: the bootstrap over datasets.

    As many datasets as there are are drawn with replacement, again and again, each with
    the ranks it has. With seven datasets (families) and fewer nothing is drawn: all
    compositions are gone through with their weights, and no random number is needed.

    The intervals say how much the order depends on which datasets were chosen, out of a
    population of such datasets. With few of them they are too narrow: the variance of
    the draws is (N - 1) / N of what it should be, and they know of no dataset that was
    not there. Of 95 % intervals of the mean rank about 90 % hold the truth with ten
    datasets and 94 % with thirty; see ``docs/calibration.md``.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    confidence_level : float, default 0.95
        Level of the intervals.
    n_resamples : int, default 10000
        Number of bootstrap draws.
    top : int, default 3
        Number of places that count for `prob_top`.
    cluster : str, optional
        Name of a column that says which family each dataset belongs to, the same for all
        rows of a dataset. By default every dataset is a family of its own.
    rng : int, Generator or None, default 0
        Seed of the draws. The stream starts anew for each metric and group; a generator is
        copied; None takes another seed each time.
    higher_is_better : bool or mapping from metric to bool, optional
        Direction of the metrics; those not told are looked up in the registry.
    aggregate : {"mean", "median", "min", "max", "best"}, optional
        How to combine several runs of one method, dataset and metric; ``"best"`` is the
        better of them by direction. By default several scores are an error.
    uneven_runs : {"raise", "ignore", "shared"}, default "raise"
        With `aggregate`, where methods have different runs on a dataset: an error, or
        combine what is there, or keep the runs that all methods with a score there have,
        by the column `run`.
    missing : {"raise", "drop_datasets", "drop_methods", "largest_block", "worst", ...}
        What to do if a method lacks a dataset: an error (default), leave out such
        datasets or such methods, keep the complete block with the most scores, or rank a
        missing score last, as a tie with other missing ones. ``"available"`` ranks the
        methods present on each dataset and takes means over the datasets that a method
        has; a rank among few is not the same as one among many.
    errors : {"raise", "warn"}, default "raise"
        Whether metrics that their own data do not allow to analyse are an error, or are
        left out with a `BeamWarning` that names them.

    Returns
    -------
    DataFrame
        One row per method, best first, with leading `metric` if `frame` has it:

        - **method** : label.
        - **n_datasets** : number of datasets that the mean is over.
        - **mean_rank** : mean over the datasets, 1 is the best; NaN without any.
        - **ci_low**, **ci_high** : percentile interval of the mean rank, its ends by the
          inverse of the distribution function.
        - **place_low**, **place_high** : likewise of the place: 1, the methods with a
          smaller mean rank, and half of the others with the same one.
        - **prob_best** : share of the draws in which its mean rank is the smallest, shared
          evenly by those that have it, so that the column sums to 1. It is no posterior
          probability.
        - **prob_top** : share of the draws in which it is among the best `top`, shared
          evenly where equal ones straddle the last place; sums to `top`.
        - **standard_error** : deviation of the mean rank over the draws, in ranks.

        A draw without any dataset of a method says nothing of it: its intervals are over
        the other draws.

    Raises
    ------
    IncompleteScoresError
        If scores are missing and `missing` is ``"raise"``.
    BeamError
        If the frame is not a table of scores, or has fewer than two methods, datasets or
        families.

    See Also
    --------
    influence : which single dataset the order depends on.
    bradley_terry : strengths, with intervals from the same bootstrap.

    References
    ----------
    Efron, B., Tibshirani, R. J. (1993). An Introduction to the Bootstrap, chapter 13.
    doi:10.1201/9780429246593
    Goldstein, H., Spiegelhalter, D. J. (1996). League tables and their limitations. JRSS A
    159(3), 385-443. doi:10.2307/2983325

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> order = scores.beam.rank_intervals(missing="drop_methods")
    >>> print(order[["method", "mean_rank", "place_high"]].head(2).to_string(index=False))
    method  mean_rank  place_high
       SVC   4.609375         6.0
       MLP   4.937500         7.0
    """
    check_probability("confidence_level", confidence_level)
    n_draws = check_resamples(n_resamples)
    _check_top(top)
    stream = start_stream(rng)
    check_option("missing", missing, get_args(MissingRanks))

    def compute(table: MeanRanks) -> Mapping[str, Any]:
        found = bootstrap_mean_ranks(
            table.ranks,
            n_resamples=n_draws,
            confidence_level=float(confidence_level),
            top=int(top),
            rng=stream(),
            cluster=None if cluster is None else _families(frame, cluster, table),
        )
        columns = {name: values[table.order] for name, values in found._asdict().items()}
        return columns | {"method": Picked(table.methods, table.order)}

    matrices = read_scores(
        frame,
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        uneven_runs=uneven_runs,
    )
    if cluster is not None:
        check_cluster(frame, cluster)
    items = rank_matrices(matrices, missing, "rank_intervals")
    return analyse(rank_intervals, items, compute, errors)


def _check_top(top: object) -> None:
    """Refuse a number of places that is none."""
    is_whole = isinstance(top, Integral) and not isinstance(top, (bool, np.bool_))
    if not (is_whole and int(top) >= 1):  # type: ignore[call-overload]
        raise BeamError(f"top must be a whole number from 1, got {top!r}")


def _families(frame: pd.DataFrame, cluster: str, table: MeanRanks) -> NDArray[np.int64]:
    """Read the family of each dataset, of which one alone says nothing."""
    families = read_clusters(frame, cluster, table.matrix)
    if families.max(initial=0) < 1:
        raise of_metric(
            BeamError(
                f"cluster={cluster!r} needs two families of datasets, found one"
                f"{table.matrix.place}: leave cluster out to draw single datasets"
            )
        )
    return families


class _Leaving(NamedTuple):
    """Ranks of one metric, and what counts as a win there."""

    table: MeanRanks
    rope: Ropes

    @property
    def matrix(self) -> ScoreMatrix:
        """Scores of the metric."""
        return self.table.matrix

    @property
    def metric(self) -> pd.Index | None:
        """The metric, as an index of one label, or None."""
        return self.table.metric


@gives(
    "metric",
    "dataset",
    "rank_shift",
    "best_method",
    "n_best",
    "n_flips_nemenyi",
    "n_flips_sign",
    "friedman_p_value",
)
def influence(
    frame: pd.DataFrame,
    rope: Rope = 0.0,
    *,
    alpha: float = 0.05,
    adjust: Adjustment = "holm",
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    missing: Missing = "raise",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Leave out one dataset after the other, and see what each decides.

    A table whose best method, or whose verdicts, hang on one dataset says little about
    the next one. Nothing is drawn: leaving out is exact.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    rope : float, text, or mapping from metric to either, default 0.0
        Differences up to it, in the unit of the score, are ties. A text is
        ``"noise_floor"`` (of the registry, where few metrics have one: see `metrics`), a
        share of the larger score such as ``"2%"``, or the name of a column with a number
        for each score, of which for a pair the larger holds.
    alpha : float, default 0.05
        Significance level of the adjusted p-values.
    adjust : {"holm", "hochberg", "hommel", "bonferroni", "fdr_bh", "none"}, default "holm"
        Adjustment for the number of pairs of a metric; pairs without a shared dataset do
        not count.
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
        One row per dataset, with leading `metric` if `frame` has it:

        - **dataset** : label of the dataset left out, in label order.
        - **rank_shift** : largest distance by which leaving it out moves a mean rank.
        - **best_method** : method with the smallest mean rank without it, the first in
          label order of those that share it.
        - **n_best** : number of methods that share it.
        - **n_flips_nemenyi** : pairs whose verdict in `nemenyi` changes at alpha, in
          either direction; the critical difference is that of one dataset less.
        - **n_flips_sign** : pairs whose verdict in `pairwise` changes at alpha after
          adjustment, in either direction.
        - **friedman_p_value** : of `friedman` without it, corrected for ties; NaN where
          fewer than two datasets are left.

    Raises
    ------
    IncompleteScoresError
        If scores are missing and `missing` is ``"raise"``.
    BeamError
        If the frame is not a table of scores, has fewer than two methods or datasets, or
        the rope of a metric is not known.

    See Also
    --------
    pool_sensitivity : what each method decides.
    rank_intervals : how sure the order is over draws of datasets.

    References
    ----------
    Belsley, D. A., Kuh, E., Welsch, R. E. (1980). Regression Diagnostics, chapter 2
    (leaving out one case). doi:10.1002/0471725153

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> without = scores.beam.influence(missing="drop_methods")
    >>> without["best_method"].unique().tolist()
    ['SVC']
    """
    check_probability("alpha", alpha)
    check_option("adjust", adjust, ADJUSTMENTS)
    check_option("missing", missing, get_args(Missing))

    def compute(leaving: _Leaving) -> Mapping[str, Any]:
        table = leaving.table
        k, n = table.n_methods, table.n_datasets
        without = mean_ranks_without(table.ranks)
        gaps = nemenyi_gap(alpha, k, n), nemenyi_gap(alpha, k, n - 1)
        return {
            "dataset": table.matrix.rows,
            "rank_shift": without.rank_shift,
            "best_method": Picked(table.methods, without.best),
            "n_best": without.n_best,
            "n_flips_nemenyi": count_rank_flips(table.ranks, *gaps),
            "n_flips_sign": _sign_flips(leaving, missing == "worst", alpha, adjust),
            "friedman_p_value": without.friedman_p_value,
        }

    matrices = list(
        read_scores(
            frame,
            higher_is_better=higher_is_better,
            aggregate=aggregate,
            uneven_runs=uneven_runs,
        )
    )
    tables = rank_matrices(matrices, missing, "influence")
    kept = [
        matrix if isinstance(table, BeamError) else table.matrix
        for matrix, table in zip(matrices, tables, strict=True)
    ]
    items = [
        table if isinstance(table, BeamError) else _Leaving(table, width)
        for table, width in zip(tables, resolve_ropes(rope, kept, frame), strict=True)
    ]
    return analyse(influence, items, compute, errors)


def _sign_flips(
    leaving: _Leaving, missing_is_worst: bool, alpha: float, adjust: str
) -> NDArray[np.int64]:
    """Count the verdicts of the sign test that change without each dataset."""
    matrix, rope = leaving.table.matrix, leaving.rope
    pairs = count_matrix(matrix, rope, missing_is_worst)

    def outcomes(part: slice) -> NDArray[np.int8]:
        width = rope.width if rope.cells is None else rope.cells[part]
        return pair_signs(matrix.benefit[part], width, missing_is_worst=missing_is_worst)

    return count_sign_flips(
        outcomes,
        pairs.wins,
        pairs.losses,
        len(matrix.datasets),
        alpha=alpha,
        adjust=adjust,
    )


@gives(
    "metric",
    "method",
    "n_flips",
    "n_pairs",
)
def pool_sensitivity(
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
    Leave out one method after the other, and see what each decides for the others.

    A mean rank, and the critical difference, depend on who else is in the pool. Where
    many verdicts change when one method is left out, those of `pairwise` and
    `wilcoxon` are the ones to report: they look at two methods alone.

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
        One row per method, best first by mean rank, with leading `metric` if `frame` has
        it:

        - **method** : label of the method left out.
        - **n_flips** : pairs of the others whose verdict in `nemenyi` changes, in either
          direction.
        - **n_pairs** : pairs of the others, (k - 1)(k - 2) / 2.

    Raises
    ------
    IncompleteScoresError
        If scores are missing and `missing` is ``"raise"``.
    BeamError
        If the frame is not a table of scores, or has fewer than two methods or datasets.

    See Also
    --------
    influence : what each dataset decides.
    pairwise : compares two methods whoever else is there.

    References
    ----------
    Benavoli, A., Corani, G., Mangili, F. (2016). Should we really use post-hoc tests
    based on mean-ranks? JMLR 17(5), 1-10. https://www.jmlr.org/papers/v17/benavoli16a.html

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> table = scores.beam.pool_sensitivity(missing="drop_methods")
    >>> int(table["n_pairs"].iloc[0])
    66
    """
    check_probability("alpha", alpha)

    def compute(table: MeanRanks) -> Mapping[str, Any]:
        k, n = table.n_methods, table.n_datasets
        smaller = nemenyi_gap(alpha, k - 1, n) if k > 2 else float("nan")
        flips = count_pool_flips(table.ranks, nemenyi_gap(alpha, k, n), smaller)
        return {
            "method": Picked(table.methods, table.order),
            "n_flips": flips[table.order],
            "n_pairs": np.full(k, (k - 1) * (k - 2) // 2),
        }

    items = read_mean_ranks(
        frame,
        "pool_sensitivity",
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        missing=missing,
        uneven_runs=uneven_runs,
    )
    return analyse(pool_sensitivity, items, compute, errors)
