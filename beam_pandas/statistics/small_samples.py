"""What can so few datasets show, and how many would be needed?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from beam_pandas.errors import check_probability
from beam_pandas.kernels.nemenyi import nemenyi_gap
from beam_pandas.kernels.sign_test_power import required_sign_test_datasets
from beam_pandas.kernels.small_samples import (
    fewest_separating_datasets,
    smallest_friedman_p,
    smallest_sign_p,
    smallest_sign_p_adjusted,
)
from beam_pandas.labels import Picked
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.statistics.pair_tables import Pairs, read_pairs
from beam_pandas.statistics.rank_tables import MeanRanks, read_mean_ranks, separates
from beam_pandas.types import (
    Aggregate,
    Errors,
    HigherIsBetter,
    Missing,
    MissingPairs,
    Rope,
    UnevenRuns,
)


@gives(
    "metric",
    "n_methods",
    "n_datasets",
    "critical_difference",
    "largest_rank_diff",
    "smallest_sign_p",
    "smallest_sign_p_adjusted",
    "smallest_wilcoxon_p_adjusted",
    "smallest_friedman_p",
    "can_separate",
    "datasets_needed",
)
def resolution(
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
    Say what a table of this size can show at best, whatever its scores are.

    Look at it before anything is concluded from no difference. The values depend on the
    numbers of methods and datasets alone; ties make them worse.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    alpha : float, default 0.05
        Significance level of all pairs together.
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
        - **critical_difference** : Nemenyi's, in ranks.
        - **largest_rank_diff** : the largest possible gap of two mean ranks, k - 1.
        - **smallest_sign_p** : two-sided p-value of the sign test for a method that wins
          on every dataset, 2 to the power of 1 - N; Wilcoxon's test has the same.
        - **smallest_sign_p_adjusted** : the same after Holm's first step over all pairs,
          k (k - 1) / 2 times as large, at most 1.
        - **smallest_wilcoxon_p_adjusted** : that of Wilcoxon's signed-rank test.
        - **smallest_friedman_p** : exact p-value of Friedman's test if all datasets agree,
          k! to the power of 1 - N.
        - **can_separate** : whether any two mean ranks can be further apart than the
          critical difference.
        - **datasets_needed** : the smallest number of datasets at which a method that wins
          on all of them can be significantly better by the sign test after Holm.

    Raises
    ------
    IncompleteScoresError
        If scores are missing and `missing` is ``"raise"``.
    BeamError
        If the frame is not a table of scores, or has fewer than two methods or datasets.

    See Also
    --------
    required_datasets : how many datasets like these each pair would need.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets.
    JMLR 7, 1-30. https://www.jmlr.org/papers/v7/demsar06a.html

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> few = scores[scores["dataset"].isin(["iris", "wine"])]
    >>> table = few.beam.resolution()
    >>> bool(table.loc[0, "can_separate"]), int(table.loc[0, "datasets_needed"])
    (False, 13)
    """
    check_probability("alpha", alpha)

    def compute(table: MeanRanks) -> Mapping[str, Any]:
        k, n = table.n_methods, table.n_datasets
        gap = nemenyi_gap(alpha, k, n)
        adjusted = float(smallest_sign_p_adjusted(np.array(n), k))
        columns = {
            "n_methods": k,
            "n_datasets": n,
            "critical_difference": gap,
            "largest_rank_diff": k - 1.0,
            "smallest_sign_p": float(smallest_sign_p(np.array(n))),
            "smallest_sign_p_adjusted": adjusted,
            "smallest_wilcoxon_p_adjusted": adjusted,
            "smallest_friedman_p": smallest_friedman_p(k, n),
            "can_separate": separates(k, gap),
            "datasets_needed": fewest_separating_datasets(k, alpha),
        }
        return {name: [value] for name, value in columns.items()}

    items = read_mean_ranks(
        frame,
        "resolution",
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        missing=missing,
        uneven_runs=uneven_runs,
    )
    return analyse(resolution, items, compute, errors)


@gives(
    "metric",
    "method_1",
    "method_2",
    "n_datasets",
    "share_better",
    "share_equivalent",
    "share_worse",
    "n_required",
)
def required_datasets(
    frame: pd.DataFrame,
    rope: Rope,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    missing: MissingPairs = "available",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    How many datasets like these each pair would need to be told apart by the sign test.

    The shares observed are taken as if they were the true ones, and are uncertain
    themselves: read the numbers as orders of magnitude for the plan of a study, never as
    the power of the one that gave them.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    rope : float, text, or mapping from metric to either
        Half-width of the region of practical equivalence, in the unit of the score. A text
        is ``"noise_floor"`` (of the registry, where few metrics have one: see `metrics`),
        a share of the larger score such as ``"2%"``, or the name of a column with a number
        for each score, of which for a pair the larger holds. It has no default, since
        without a rope nothing is ever equivalent.
    power : float, default 0.8
        Probability that the method which is better more often is found to be so.
    alpha : float, default 0.05
        Level of the two-sided test of one pair, not adjusted for their number.
    higher_is_better : bool or mapping from metric to bool, optional
        Direction of the metrics; those not told are looked up in the registry.
    aggregate : {"mean", "median", "min", "max", "best"}, optional
        How to combine several runs of one method, dataset and metric; ``"best"`` is the
        better of them by direction. By default several scores are an error.
    uneven_runs : {"raise", "ignore", "shared"}, default "raise"
        With `aggregate`, where methods have different runs on a dataset: an error, or
        combine what is there, or keep the runs that all methods with a score there have,
        by the column `run`.
    missing : {"available", "worst"}, default "available"
        Whether a pair is compared on the datasets that both have, or a missing score of a
        dataset that anybody scored is worse than every score by more than any rope and
        ties with another missing one.
    errors : {"raise", "warn"}, default "raise"
        Whether metrics that their own data do not allow to analyse are an error, or are
        left out with a `BeamWarning` that names them.

    Returns
    -------
    DataFrame
        One row per pair, with leading `metric` if `frame` has it:

        - **method_1**, **method_2** : labels, the first before the second in label order.
        - **n_datasets** : number of datasets that both have.
        - **share_better**, **share_equivalent**, **share_worse** : on which share of them
          method_1 is better by more than the rope, neither is, method_2 is; NaN without a
          shared dataset.
        - **n_required** : the smallest number of datasets from which on the exact sign
          test always has that power, a whole number; infinite if either wins as often,
          NaN without a shared dataset. Exact up to 5,000, by the normal approximation,
          rounded up, above.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, or the rope of a metric is not known.

    See Also
    --------
    resolution : what a table of this size can show at best.
    pairwise : the sign test of the datasets at hand.

    References
    ----------
    Miettinen, O. S. (1968). Biometrics 24(2), 339-352. doi:10.2307/2528540
    Connor, R. J. (1987). Biometrics 43(1), 207-211. doi:10.2307/2531961

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> pairs = scores.beam.required_datasets(0.01)
    >>> float(pairs["n_required"].min())
    7.0
    """
    check_probability("power", power)
    check_probability("alpha", alpha)

    def compute(pairs: Pairs) -> Mapping[str, Any]:
        shared = np.where(pairs.shared > 0, pairs.shared, np.nan)
        better, worse = pairs.wins / shared, pairs.losses / shared
        return {
            "method_1": Picked(pairs.methods, pairs.first),
            "method_2": Picked(pairs.methods, pairs.second),
            "n_datasets": pairs.shared,
            "share_better": better,
            "share_equivalent": pairs.ties / shared,
            "share_worse": worse,
            "n_required": required_sign_test_datasets(better, worse, alpha, power),
        }

    items = read_pairs(
        frame,
        rope=rope,
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        uneven_runs=uneven_runs,
        missing=missing,
    )
    return analyse(required_datasets, items, compute, errors)
