"""Which methods differ over all datasets, by their mean ranks?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from beam_pandas.errors import check_probability, check_truth
from beam_pandas.gate.scores import ScoreMatrix, read_scores
from beam_pandas.kernels.friedman_law import friedman_permutation_p_value
from beam_pandas.kernels.friedman_statistics import friedman_statistics
from beam_pandas.kernels.nemenyi import nemenyi_gap
from beam_pandas.kernels.rank_cliques import find_cliques
from beam_pandas.kernels.row_ranks import rank_rows
from beam_pandas.kernels.tails import TableTooLargeError
from beam_pandas.labels import Picked
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.statistics.rank_tables import (
    MeanRanks,
    group_letters,
    name_letters,
    read_mean_ranks,
)
from beam_pandas.types import Aggregate, Errors, HigherIsBetter, Missing, UnevenRuns


@gives(
    "metric",
    "dataset",
    "method",
    "score",
    "score_rank",
)
def ranks(
    frame: pd.DataFrame,
    *,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Rank of each method on each dataset, 1 for the best, ties averaged.

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
        One row per dataset and method, with leading `metric` if `frame` has it:

        - **dataset**, **method** : labels, in label order.
        - **score** : the score, in its unit; NaN if missing.
        - **score_rank** : rank among the methods present, 1 is the best; NaN if missing.

    Raises
    ------
    BeamError
        If the frame is not a table of scores; the kinds of it say in which way.

    See Also
    --------
    friedman : whether the methods differ at all, by these ranks.
    critical_difference : their means, and which of them differ.
    wide_scores : the scores with a column for each method.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> table = scores.beam.ranks()
    >>> float(table["score_rank"].min())
    1.0
    """

    def compute(matrix: ScoreMatrix) -> Mapping[str, Any]:
        n_datasets, n_methods = matrix.scores.shape
        return {
            "dataset": matrix.rows.repeat(n_methods),
            "method": Picked(matrix.methods, np.tile(np.arange(n_methods), n_datasets)),
            "score": matrix.scores.ravel(),
            "score_rank": rank_rows(matrix.turned).ravel(),
        }

    items = read_scores(
        frame,
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        uneven_runs=uneven_runs,
    )
    return analyse(ranks, items, compute, errors)


@gives(
    "metric",
    "n_methods",
    "n_datasets",
    "statistic",
    "df",
    "p_value",
    "kendall_w",
    "f_statistic",
    "f_df_1",
    "f_df_2",
    "f_p_value",
    "exact_p_value",
)
def friedman(
    frame: pd.DataFrame,
    *,
    tie_correction: bool = True,
    exact: bool = False,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    missing: Missing = "raise",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Test whether all methods have the same mean rank.

    With two methods this is the sign test's chi-square.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    tie_correction : bool, default True
        Whether to correct for ties; False gives the form printed by Demšar, which is
        conservative with ties.
    exact : bool, default False
        Whether to compute `exact_p_value` too: the law over all ways to deal the ranks at
        hand. It goes to 500 datasets with three methods, 99 with four, 26 with five, 10
        with six; to about two thirds of that where there are ties. An error says how
        far.
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
        One row per metric, with leading `metric` if `frame` has it:

        - **n_methods**, **n_datasets** : size of the complete table, k and N.
        - **statistic** : Friedman's chi-square; 0 if all scores are equal.
        - **df** : its degrees of freedom, k - 1.
        - **p_value** : upper tail of the chi-square distribution.
        - **kendall_w** : coefficient of concordance, statistic / (N (k - 1)), from 0 (the
          datasets contradict each other) to 1 (one order on all); NaN if all scores are
          equal.
        - **f_statistic** : F form of Iman and Davenport, less conservative; infinite if
          chi-square has its largest value N (k - 1), 0 if all scores are equal.
        - **f_df_1**, **f_df_2** : its degrees of freedom, k - 1 and (k - 1)(N - 1).
        - **f_p_value** : upper tail of the F distribution; 0 where the statistic is
          infinite, however few the datasets: look at p_value there.
        - **exact_p_value** : probability that ranks dealt at random within each dataset,
          ties and all, give a statistic as large; the same for both forms. NaN unless
          asked for.

    Raises
    ------
    IncompleteScoresError
        If scores are missing and `missing` is ``"raise"``.
    BeamError
        If the frame is not a table of scores, has fewer than two methods or datasets, or
        is too large for ``exact=True``.

    See Also
    --------
    critical_difference : which methods differ.
    resolution : the smallest p-value that so few datasets can give.
    skillings_mack : the test for a table with missing scores.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets.
    JMLR 7, 1-30, section 3.2.2. https://www.jmlr.org/papers/v7/demsar06a.html
    Iman, R. L., Davenport, J. M. (1980). Communications in Statistics - Theory and
    Methods 9(6), 571-595. doi:10.1080/03610928008827904

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> int(scores.beam.friedman(missing="drop_datasets").loc[0, "df"])
    15
    """
    check_truth("tie_correction", tie_correction)
    check_truth("exact", exact)

    def compute(table: MeanRanks) -> Mapping[str, Any]:
        test = friedman_statistics(table.ranks, tie_correction)
        columns = {"n_methods": table.n_methods, "n_datasets": table.n_datasets}
        columns |= test._asdict()
        rows = {name: [value] for name, value in columns.items()}
        return {**rows, "exact_p_value": [_exact_p_value(table) if exact else np.nan]}

    items = read_mean_ranks(
        frame,
        "friedman",
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        missing=missing,
        uneven_runs=uneven_runs,
    )
    return analyse(friedman, items, compute, errors)


def _exact_p_value(table: MeanRanks) -> float:
    try:
        return friedman_permutation_p_value(table.ranks)
    except TableTooLargeError as error:
        raise table.too_large(error.most_datasets) from None


@gives(
    "metric",
    "method",
    "n_methods",
    "n_datasets",
    "mean_rank",
    "groups",
    "critical_difference",
    "friedman_statistic",
    "friedman_p_value",
)
def critical_difference(
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
    Mean ranks, and which methods Nemenyi's critical difference does not tell apart.

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
        One row per method, best first, with leading `metric` if `frame` has it:

        - **method** : label.
        - **n_methods**, **n_datasets** : size of the complete table, k and N.
        - **mean_rank** : mean over the datasets, 1 is the best.
        - **groups** : letters of the cliques the method belongs to, such as ``"a,b"``.
          Methods that share no letter differ significantly.
        - **critical_difference** : q sqrt(k (k + 1) / (6 N)) in ranks, q the upper alpha
          quantile of the range of k standard normals over the square root of 2. Mean
          ranks differ significantly if they are further apart.
        - **friedman_statistic**, **friedman_p_value** : as in `friedman`, corrected for
          ties. It stands beside the groups and does not decide them.

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
    cliques : the groups, one row per member.
    nemenyi : the same comparison pair by pair, with p-values.
    compare_to_control : each method against one.
    pairwise : each pair alone, whatever else is in the pool.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets.
    JMLR 7, 1-30, section 3.2.2. https://www.jmlr.org/papers/v7/demsar06a.html
    Nemenyi, P. B. (1963). Distribution-free multiple comparisons. PhD thesis, Princeton.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> table = scores.beam.critical_difference(missing="drop_datasets")
    >>> table["groups"].iloc[0]
    'a'
    """
    check_probability("alpha", alpha)

    def compute(table: MeanRanks) -> Mapping[str, Any]:
        gap = nemenyi_gap(alpha, table.n_methods, table.n_datasets)
        table.warn_if_hopeless(gap, alpha=alpha)
        test = friedman_statistics(table.ranks)
        first, last = find_cliques(table.mean[table.order], gap)
        return {
            "method": Picked(table.methods, table.order),
            "n_methods": np.full(table.n_methods, table.n_methods),
            "n_datasets": np.full(table.n_methods, table.n_datasets),
            "mean_rank": table.mean[table.order],
            "groups": group_letters(first, last, table.n_methods),
            "critical_difference": np.full(table.n_methods, gap),
            "friedman_statistic": np.full(table.n_methods, test.statistic),
            "friedman_p_value": np.full(table.n_methods, test.p_value),
        }

    items = read_mean_ranks(
        frame,
        "critical_difference",
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        missing=missing,
        uneven_runs=uneven_runs,
    )
    return analyse(critical_difference, items, compute, errors)


@gives(
    "metric",
    "groups",
    "method",
    "mean_rank",
    "n_methods",
)
def cliques(
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
    Maximal groups of methods that Nemenyi's critical difference does not tell apart.

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
        One row per clique and member, with leading `metric` if `frame` has it:

        - **groups** : letter of the clique, as in `critical_difference`; ``"a"`` is that
          of the best method.
        - **method** : label of a member, best first.
        - **mean_rank** : its mean over the datasets, 1 is the best.
        - **n_methods** : number of members; 1 for a method that differs from all others.

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
    critical_difference : the same groups as letters, one row per method.
    nemenyi : the same comparison pair by pair, with p-values.

    References
    ----------
    Demšar, J. (2006). JMLR 7, 1-30, section 3.2.4.
    https://www.jmlr.org/papers/v7/demsar06a.html

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> scores.beam.cliques(missing="drop_datasets").loc[0, "groups"]
    'a'
    """
    check_probability("alpha", alpha)

    def compute(table: MeanRanks) -> Mapping[str, Any]:
        gap = nemenyi_gap(alpha, table.n_methods, table.n_datasets)
        table.warn_if_hopeless(gap, alpha=alpha)
        ordered = table.mean[table.order]
        first, last = find_cliques(ordered, gap)
        size = last - first + 1
        start = np.cumsum(size) - size
        member = np.arange(size.sum()) - np.repeat(start - first, size)
        return {
            "groups": np.repeat(name_letters(len(first)), size),
            "method": Picked(table.methods, table.order[member]),
            "mean_rank": ordered[member],
            "n_methods": np.repeat(size, size),
        }

    items = read_mean_ranks(
        frame,
        "cliques",
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        missing=missing,
        uneven_runs=uneven_runs,
    )
    return analyse(cliques, items, compute, errors)
