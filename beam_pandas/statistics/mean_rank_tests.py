"""Which pairs of methods differ by their mean ranks, one test for each pair?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import (
    BeamError,
    check_option,
    check_probability,
    check_truth,
    count,
    of_metric,
)
from beam_pandas.kernels.adjustment import adjust_p_values
from beam_pandas.kernels.logical_adjustment import (
    MOST_METHODS,
    bergmann_hommel,
    shaffer,
)
from beam_pandas.kernels.nemenyi import normal_p_values, standard_error
from beam_pandas.kernels.rank_sum_law import rank_difference_p_values
from beam_pandas.kernels.tails import TableTooLargeError
from beam_pandas.labels import Picked
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.statistics.pair_tables import LOGICAL_ADJUSTMENTS, choose_pairs
from beam_pandas.statistics.rank_tables import MeanRanks, read_mean_ranks
from beam_pandas.types import (
    Aggregate,
    Alternative,
    Errors,
    HigherIsBetter,
    Missing,
    UnevenRuns,
)

RankAdjustment = Literal[
    "holm",
    "hochberg",
    "hommel",
    "bonferroni",
    "fdr_bh",
    "none",
    "shaffer",
    "bergmann_hommel",
]


@gives(
    "metric",
    "method_1",
    "method_2",
    "n_datasets",
    "mean_rank_1",
    "mean_rank_2",
    "rank_diff",
    "statistic",
    "p_value",
    "p_adjusted",
    "significant",
)
def mean_rank_tests(
    frame: pd.DataFrame,
    *,
    exact: bool = False,
    alpha: float = 0.05,
    adjust: RankAdjustment = "holm",
    alternative: Alternative = "two-sided",
    control: Hashable | None = None,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    missing: Missing = "raise",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Test each pair of methods by its mean ranks, and adjust for the number of pairs.

    As with `nemenyi`, which two methods differ depends on what else is in the pool: the
    ranks do. `wilcoxon` and `pairwise` look at the two methods alone.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    exact : bool, default False
        Whether p-values come from the exact law of the difference of two rank sums, ties
        and all, in place of the normal law; `statistic` stays the same.
    alpha : float, default 0.05
        Significance level of the adjusted p-values.
    adjust : {"holm", "hochberg", "hommel", "bonferroni", "fdr_bh", "none", \
"shaffer", "bergmann_hommel"}, default "holm"
        Adjustment for the number of pairs of a metric. ``"shaffer"`` and
        ``"bergmann_hommel"``, this to 12 methods, use that equality of mean ranks is
        transitive: of three pairs not just two can be equal. They find more than
        ``"holm"`` at the same error rate, for all pairs and two-sided tests alone.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What the test looks for: any difference, that method_1 is better, or that it is
        worse.
    control : label, optional
        Only the pairs with this method; the adjustment is for these.
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
        - **statistic** : z, `rank_diff` over its standard error sqrt(k (k + 1) / (6 N)),
          k the number of methods.
        - **p_value** : from the normal law of z, or from the exact one; not adjusted.
        - **p_adjusted** : adjusted for the pairs of the metric; a smaller p-value never
          has a larger one.
        - **significant** : whether `p_adjusted` is at most alpha.

    Raises
    ------
    IncompleteScoresError
        If scores are missing and `missing` is ``"raise"``.
    BeamError
        If the frame is not a table of scores, has fewer than two methods or datasets, or
        is too large for ``exact=True`` or ``adjust="bergmann_hommel"``; or if
        ``"shaffer"`` or ``"bergmann_hommel"`` is asked for with a control or one side.

    See Also
    --------
    nemenyi : all pairs against one critical difference.
    compare_to_control : each method against a control, best first.
    pairwise : the sign test of each pair, whatever else is in the pool.
    letters : the result in letters, a row a method.

    Notes
    -----
    Demšar's z has no correction for ties, which makes it conservative with them; the
    exact law has them. The normal law is close from some ten datasets on, and poor far
    out: for ten methods on ten datasets it gives 1.3e-5 for 3.5e-6.

    References
    ----------
    García, S., Herrera, F. (2008). An extension on "Statistical comparisons of
    classifiers over multiple data sets" for all pairwise comparisons. JMLR 9, 2677-2694.
    https://www.jmlr.org/papers/v9/garcia08a.html
    Shaffer, J. P. (1986). JASA 81(395), 826-831. doi:10.1080/01621459.1986.10478341
    Bergmann, B., Hommel, G. (1988). Improvements of general multiple test procedures for
    redundant systems of hypotheses. doi:10.1007/978-3-642-52307-6_8
    Eisinga, R., Heskes, T., Pelzer, B., Te Grotenhuis, M. (2017). BMC Bioinformatics 18,
    68. doi:10.1186/s12859-017-1486-2

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> pairs = scores.beam.mean_rank_tests(adjust="shaffer", missing="drop_datasets")
    >>> int(pairs["significant"].sum())
    29
    """
    check_truth("exact", exact)
    check_probability("alpha", alpha)
    check_option("adjust", adjust, get_args(RankAdjustment))
    check_option("alternative", alternative, get_args(Alternative))
    _check_family(adjust, alternative, control)

    def compute(table: MeanRanks) -> Mapping[str, Any]:
        at = None if control is None else table.position(control)
        first, second = choose_pairs(table.n_methods, at)
        sums = table.doubled_sums  # so that equal gaps have p-values equal to the bit
        doubled = sums[second] - sums[first]
        error = standard_error(table.n_methods, table.n_datasets)
        z = doubled / (2.0 * table.n_datasets) / error
        if exact:
            p_value = _exact_p_values(table, doubled, alternative)
        else:
            p_value = normal_p_values(z, alternative)
        p_adjusted = _adjust(p_value, adjust, table)
        return {
            "method_1": Picked(table.methods, first),
            "method_2": Picked(table.methods, second),
            "n_datasets": np.full(len(first), table.n_datasets),
            "mean_rank_1": table.mean[first],
            "mean_rank_2": table.mean[second],
            "rank_diff": table.mean[second] - table.mean[first],
            "statistic": z,
            "p_value": p_value,
            "p_adjusted": p_adjusted,
            "significant": p_adjusted <= alpha,
        }

    items = read_mean_ranks(
        frame,
        "mean_rank_tests",
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        missing=missing,
        uneven_runs=uneven_runs,
    )
    return analyse(mean_rank_tests, items, compute, errors)


def _check_family(adjust: str, alternative: str, control: Hashable | None) -> None:
    """Refuse what the transitive adjustments are not for."""
    if adjust not in LOGICAL_ADJUSTMENTS:
        return
    if control is not None:
        raise BeamError(
            f"adjust={adjust!r} is for all pairs of methods and not for those with a "
            "control, of which any number can be equal: use adjust='holm' or 'hommel'"
        )
    if alternative != "two-sided":
        raise BeamError(
            f"adjust={adjust!r} is for alternative='two-sided', got {alternative!r}: that "
            "two methods are equal is transitive, that one is no better is not; use "
            "adjust='holm' or 'hommel'"
        )


def _exact_p_values(
    table: MeanRanks, doubled: NDArray[np.int64], alternative: Alternative
) -> NDArray[np.float64]:
    """Take the p-values from the law of the difference of two rank sums."""
    try:
        return rank_difference_p_values(table.ranks, doubled, alternative)
    except TableTooLargeError as error:
        raise table.too_large(error.most_datasets) from None


def _adjust(
    p_values: NDArray[np.float64], adjust: str, table: MeanRanks
) -> NDArray[np.float64]:
    """Adjust for the number of pairs."""
    if adjust == "shaffer":
        return shaffer(p_values, table.n_methods)
    if adjust != "bergmann_hommel":
        return adjust_p_values(p_values, adjust)
    if table.n_methods > MOST_METHODS:
        raise of_metric(
            BeamError(
                f"adjust='bergmann_hommel' goes to {count(MOST_METHODS, 'method')}, found "
                f"{table.n_methods:,}{table.matrix.place}: use adjust='shaffer'"
            )
        )
    return bergmann_hommel(p_values, table.n_methods)
