"""Do the differences of a pair lie around zero, by their order of size?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, get_args

import pandas as pd

from beam_pandas.errors import check_option, check_probability, count, warn
from beam_pandas.gate.scores import ScoreMatrix, read_scores
from beam_pandas.kernels.adjustment import ADJUSTMENTS, Adjustment, adjust_p_values
from beam_pandas.kernels.signed_rank_law import MOST_TIED, MOST_UNTIED
from beam_pandas.kernels.signed_ranks import Zeros, signed_rank_tests
from beam_pandas.labels import Picked
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.statistics.pair_tables import choose_pairs, refuse_logical_adjustment
from beam_pandas.statistics.rank_tables import find_control
from beam_pandas.types import Aggregate, Alternative, Errors, HigherIsBetter, UnevenRuns


@gives(
    "metric",
    "method_1",
    "method_2",
    "n_datasets",
    "n_zeros",
    "rank_sum_1",
    "rank_sum_2",
    "mean_diff",
    "median_diff",
    "ci_low",
    "ci_high",
    "ci_level",
    "cohen_d",
    "rank_biserial",
    "p_value",
    "p_adjusted",
    "significant",
)
def wilcoxon(
    frame: pd.DataFrame,
    *,
    zeros: Zeros = "drop",
    alpha: float = 0.05,
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
    control: Hashable | None = None,
    confidence_level: float | None = 0.95,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Compare each pair of methods by Wilcoxon's signed-rank test over the datasets it shares.

    The law under the null hypothesis is the exact one of the ranks at hand, with ties and
    with equal scores, for up to 2,000 datasets of a pair without ties and 500 with. Sizes
    of differences that are equal in decimals are tied, although their floats may differ.

    Above, the p-value is of the normal law with the variance of those ranks and a
    correction for continuity, and a `BeamWarning` says so. Just above the limits a
    two-sided one is off by at most 0.0001 without ties and 0.0005 with, near p = 0.46; at
    p = 0.01 by 0.2 % of itself, at 0.0001 by 1.5 %, and if there are but two sizes of
    differences by up to 0.03.

    There is no `rope`: the test ranks sizes, and a small difference is not a difference of
    zero. Where a region of equivalence matters see `pairwise` or `bayesian_sign`.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    zeros : {"drop", "pratt"}, default "drop"
        Datasets on which both methods are equal: left out before ranking (Wilcoxon), or
        given the lowest ranks, which then count for neither (Pratt).
    alpha : float, default 0.05
        Significance level of the adjusted p-values.
    adjust : {"holm", "hochberg", "hommel", "bonferroni", "fdr_bh", "none"}, default "holm"
        Adjustment for the number of pairs of a metric; pairs without a shared dataset do
        not count.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What the test looks for: any difference, that method_1 is better, or that it is
        worse.
    control : label, optional
        Only the pairs with this method; the adjustment is for these.
    confidence_level : float or None, default 0.95
        Level of the interval, at least. None leaves out the estimate and the interval,
        whose columns are then NaN: several times faster for many methods.
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
        One row per pair, with leading `metric` if `frame` has it; differences are in the
        unit of the score and positive if method_1 is better. All numbers of a pair without
        a shared dataset are NaN:

        - **method_1**, **method_2** : labels, the first before the second in label order.
        - **n_datasets** : number of datasets that both have.
        - **n_zeros** : on how many of them their scores are equal.
        - **rank_sum_1**, **rank_sum_2** : sums of the ranks of the sizes of the differences
          that favour method_1, and method_2; tied sizes share their mean rank.
        - **mean_diff** : mean of the differences.
        - **median_diff** : Hodges-Lehmann estimate, the median of the means of every two
          differences (each with itself too), over all shared datasets, equal ones included.
        - **ci_low**, **ci_high** : ends of its interval, one-sided for a one-sided
          alternative. Infinite where so few datasets cannot give the level: below six for
          95 % on two sides.
        - **ci_level** : the level that the interval has, exact without ties and at least
          that with ties; 1 for one without ends.
        - **cohen_d** : paired: mean over standard deviation (n - 1) of the differences.
          Infinite if all are equal, NaN if all are zero or there is but one.
        - **rank_biserial** : matched pairs: rank_sum_1 - rank_sum_2 over the sum of all
          ranks, those of equal scores included under Pratt. 1 if every difference favours
          method_1; if all scores are equal NaN, or 0 under Pratt.
        - **p_value** : exact, see above; 1 if all scores are equal. On n datasets the
          two-sided one cannot be below 2 to the power of 1 - n.
        - **p_adjusted** : adjusted for the pairs of the metric.
        - **significant** : whether `p_adjusted` is at most alpha.

    Raises
    ------
    BeamError
        If the frame is not a table of scores. Shaffer's adjustment and that of Bergmann
        and Hommel are refused: `mean_rank_tests` has them.

    Warns
    -----
    BeamWarning
        If a p-value or an interval is of the normal law.

    See Also
    --------
    pairwise : the sign test, which counts wins and looks at no size.
    mean_difference_tests : for thousands of items in place of datasets.
    bayesian_sign : the probability that one is better, by more than the rope.

    References
    ----------
    Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin
    1(6), 80-83. doi:10.2307/3001968
    Pratt, J. W. (1959). Remarks on zeros and ties in the Wilcoxon signed rank procedures.
    JASA 54, 655-667. doi:10.1080/01621459.1959.10501526
    Hollander, M., Wolfe, D. A., Chicken, E. (2014). Nonparametric statistical methods, 3rd
    ed., sections 3.1 to 3.3. doi:10.1002/9781119196037
    Kerby, D. S. (2014). The simple difference formula. Comprehensive Psychology 3.
    doi:10.2466/11.IT.3.1
    Demšar, J. (2006). JMLR 7, 1-30, section 3.1.3.
    https://www.jmlr.org/papers/v7/demsar06a.html

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> pairs = scores.beam.wilcoxon(control="SVC")
    >>> columns = ["method_1", "method_2", "rank_sum_1", "rank_sum_2", "significant"]
    >>> print(pairs[columns].head(2).to_string(index=False))
        method_1 method_2  rank_sum_1  rank_sum_2  significant
        AdaBoost      SVC        92.0       436.0         True
    ComplementNB      SVC         1.0       324.0         True
    """
    check_option("zeros", zeros, get_args(Zeros))
    check_probability("alpha", alpha)
    refuse_logical_adjustment(adjust, "signed-rank test")
    check_option("adjust", adjust, ADJUSTMENTS)
    check_option("alternative", alternative, get_args(Alternative))
    if confidence_level is not None:
        check_probability("confidence_level", confidence_level)
    approximate: list[int] = []

    def compute(matrix: ScoreMatrix) -> Mapping[str, Any]:
        at = None if control is None else find_control(control, matrix)
        tests = signed_rank_tests(
            matrix.benefit,
            zeros=zeros,
            alternative=alternative,
            confidence_level=confidence_level,
            pairs=choose_pairs(len(matrix.methods), at),
        )
        approximate.append(int(tests.approximate.sum()))
        p_adjusted = adjust_p_values(tests.p_value, adjust)
        return {
            **tests._asdict(),
            "method_1": Picked(matrix.methods, tests.first),
            "method_2": Picked(matrix.methods, tests.second),
            "p_adjusted": p_adjusted,
            "significant": p_adjusted <= alpha,
        }

    items = read_scores(
        frame,
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        uneven_runs=uneven_runs,
    )
    result = analyse(wilcoxon, items, compute, errors)
    _warn_of_normal_law(sum(approximate), len(result))
    return result


def _warn_of_normal_law(n_approximate: int, n_pairs: int) -> None:
    """Say of how many pairs the numbers are not exact."""
    if n_approximate:
        warn(
            f"the p-value or the interval of {n_approximate:,} of {count(n_pairs, 'pair')} "
            f"is of the normal law: the exact one goes to {MOST_UNTIED:,} datasets of a "
            f"pair, and to {MOST_TIED:,} where differences are tied or Pratt ranks zeros. "
            "The docstring says how far it is off"
        )
