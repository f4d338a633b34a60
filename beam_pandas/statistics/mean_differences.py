"""How far apart are the mean scores of two methods over many items, and how sure is it?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, get_args

import numpy as np
import pandas as pd

from beam_pandas.errors import check_option, check_probability
from beam_pandas.gate.scores import ScoreMatrix, check_cluster, read_clusters, read_scores
from beam_pandas.kernels.adjustment import ADJUSTMENTS, Adjustment, adjust_p_values
from beam_pandas.kernels.clustered_means import clustered_means, mean_tests
from beam_pandas.labels import Picked
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.statistics.pair_tables import choose_pairs
from beam_pandas.statistics.rank_tables import find_control
from beam_pandas.types import Aggregate, Alternative, Errors, HigherIsBetter, UnevenRuns


@gives(
    "metric",
    "method_1",
    "method_2",
    "n_datasets",
    "n_clusters",
    "mean_diff",
    "standard_error",
    "df",
    "ci_low",
    "ci_high",
    "smallest_detectable",
    "statistic",
    "p_value",
    "p_adjusted",
    "significant",
)
def mean_difference_tests(
    frame: pd.DataFrame,
    *,
    cluster: str | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
    control: Hashable | None = None,
    confidence_level: float = 0.95,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Compare the mean scores of each pair of methods over many items, by a paired t test.

    Meant for the items of one benchmark (questions, games, images) in place of datasets:
    hundreds or thousands, which are a sample of more such items and often come in families
    that are alike (questions on one passage, images of one patient). Then the standard
    error must be that of the families: see `cluster`. For a handful of datasets, whose
    scores are no sample of one population, take `pairwise` or `wilcoxon`.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    cluster : str, optional
        Name of a column that says which family each dataset belongs to, the same for all
        rows of a dataset. By default every dataset is a family of its own.
    power : float, default 0.8
        Probability with which `smallest_detectable` is found.
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
    confidence_level : float, default 0.95
        Level of the interval.
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
        unit of the score and positive if method_1 is better. All but the mean is NaN with
        fewer than two families, and the mean without a shared dataset:

        - **method_1**, **method_2** : labels, the first before the second in label order.
        - **n_datasets** : number of datasets (items) that both have.
        - **n_clusters** : number of families that these are in.
        - **mean_diff** : mean of the differences, each dataset weighing the same.
        - **standard_error** : of this mean, robust to any likeness within families.
        - **df** : degrees of freedom, families less one.
        - **ci_low**, **ci_high** : ends of the interval for the mean; a one-sided
          alternative leaves one of them infinite.
        - **smallest_detectable** : the true difference that this many items, as spread as
          these, would show with the probability `power` at level alpha, without adjustment.
        - **statistic** : mean over standard error; infinite where all differences are
          equal and not zero, 0 where all are zero.
        - **p_value** : of Student's t with `df` degrees of freedom; 1 where all
          differences are zero.
        - **p_adjusted** : adjusted for the pairs of the metric.
        - **significant** : whether `p_adjusted` is at most alpha.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, or `cluster` differs between the rows of a
        dataset, which is named.

    See Also
    --------
    pairwise : the sign test, for 0/1 scores the exact test of McNemar.
    wilcoxon : the signed-rank test, for few datasets.

    Notes
    -----
    With differences d of mean m over n datasets in G families, the squared standard error
    is G / (G - 1) times the sum over families of the squared sum of d - m, over n squared.
    With every dataset a family of its own that is the usual one. It relies on many
    families: with fewer than some thirty it tends to be too small.

    References
    ----------
    Miller, E. (2024). Adding error bars to evals: a statistical approach to language model
    evaluations, sections 2.2 and 5. doi:10.48550/arXiv.2411.00640
    Cameron, A. C., Miller, D. L. (2015). A practitioner's guide to cluster-robust
    inference. Journal of Human Resources 50(2), 317-372, equation 11.
    doi:10.3368/jhr.50.2.317

    Examples
    --------
    >>> import pandas as pd
    >>> import beam_pandas
    >>> items = pd.DataFrame(
    ...     {
    ...         "method": ["large"] * 6 + ["small"] * 6,
    ...         "dataset": ["q1", "q2", "q3", "q4", "q5", "q6"] * 2,
    ...         "passage": ["a", "a", "b", "b", "c", "c"] * 2,
    ...         "score": [1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 1],
    ...     }
    ... )
    >>> pair = items.beam.mean_difference_tests(cluster="passage", higher_is_better=True)
    >>> print(pair[["n_clusters", "mean_diff", "standard_error", "df"]].to_string())
       n_clusters  mean_diff  standard_error  df
    0           3        1.5        1.154701   2
    """
    check_probability("power", power)
    check_probability("alpha", alpha)
    check_option("adjust", adjust, ADJUSTMENTS)
    check_option("alternative", alternative, get_args(Alternative))
    check_probability("confidence_level", confidence_level)

    def compute(matrix: ScoreMatrix) -> Mapping[str, Any]:
        at = None if control is None else find_control(control, matrix)
        first, second = choose_pairs(len(matrix.methods), at)
        family = None if cluster is None else read_clusters(frame, cluster, matrix)
        means = clustered_means(matrix.benefit, first, second, family)
        tests = mean_tests(
            means, alternative=alternative, level=confidence_level, alpha=alpha, power=power
        )
        p_adjusted = adjust_p_values(tests.p_value, adjust)
        return {
            "method_1": Picked(matrix.methods, first),
            "method_2": Picked(matrix.methods, second),
            "n_datasets": means.n_items,
            "n_clusters": means.n_clusters,
            "mean_diff": means.mean,
            "standard_error": means.standard_error,
            "df": np.maximum(means.n_clusters - 1, 0),
            "ci_low": tests.low,
            "ci_high": tests.high,
            "smallest_detectable": tests.smallest_detectable,
            "statistic": tests.statistic,
            "p_value": tests.p_value,
            "p_adjusted": p_adjusted,
            "significant": p_adjusted <= alpha,
        }

    items = read_scores(
        frame,
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        uneven_runs=uneven_runs,
    )
    if cluster is not None:
        check_cluster(frame, cluster)
    return analyse(mean_difference_tests, items, compute, errors)
