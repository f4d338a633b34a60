"""With what probability is one method better than another, given their runs?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import (
    BeamError,
    check_option,
    check_probability,
    is_number,
)
from beam_pandas.gate.scores import RunScores, ScoreMatrix
from beam_pandas.kernels.adjustment import ADJUSTMENTS, Adjustment, adjust_p_values
from beam_pandas.kernels.correlated_runs import correlated_t_law, run_differences
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.statistics.pair_tables import choose_pairs
from beam_pandas.statistics.posteriors import by_region, check_threshold, decide
from beam_pandas.statistics.rank_tables import find_control
from beam_pandas.statistics.rope import Ropes, resolve_ropes
from beam_pandas.statistics.run_tables import read_paired_runs
from beam_pandas.types import Alternative, Errors, HigherIsBetter, PairedRuns, Rope


class _Roped(NamedTuple):
    """Runs of one metric and its rope."""

    runs: RunScores
    rope: Ropes

    @property
    def metric(self) -> pd.Index | None:
        """The metric, as an index of one label, or None."""
        return self.runs.metric

    @property
    def matrix(self) -> ScoreMatrix:
        """Labels and direction."""
        return self.runs.matrix

    @property
    def refusal(self) -> BeamError | None:
        """Why the runs of this metric allow no analysis."""
        return self.runs.refusal

    def widths(
        self, first: NDArray[np.intp], second: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """Give the rope of each dataset and pair, the larger of those of two scores."""
        cells = self.rope.cells
        if cells is None:
            return np.full((len(self.runs.scores), len(first)), self.rope.width)
        return np.fmax(cells[:, first], cells[:, second])


@gives(
    "metric",
    "dataset",
    "method_1",
    "method_2",
    "n_runs",
    "mean_diff",
    "scale",
    "df",
    "rope",
    "p_value",
    "p_adjusted",
    "significant",
    "prob_better",
    "prob_equivalent",
    "prob_worse",
    "decision",
)
def correlated_t(
    frame: pd.DataFrame,
    rope: Rope,
    *,
    test_share: float | None = None,
    threshold: float = 0.95,
    alpha: float = 0.05,
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
    control: Hashable | None = None,
    higher_is_better: HigherIsBetter = None,
    uneven_runs: PairedRuns = "raise",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Compare each pair of methods on each dataset by its runs: test and posterior.

    The true difference on a dataset is the mean that infinitely many runs would have.
    Runs that share training data are alike, and the variance of their mean is larger than
    that of independent runs by as much as their correlation says, for which the share of
    the data used for testing stands. The test is the corrected resampled t test of Nadeau
    and Bengio; the posterior is its Bayesian reading, a Student law around the mean.

    It speaks of one dataset at a time. Whether a method is better on other datasets is
    what `pairwise` and `bayesian_sign` ask, with the mean of the runs of each dataset.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `run`, `score` and optionally `metric`. Runs of
        two methods are paired by their label in the column `run`.
    rope : float, mapping from metric to float, "noise_floor", "2%" or name of a column
        Half-width of the region of practical equivalence, in the unit of the score.
        ``"noise_floor"`` takes it from the registry, where few metrics have one: see
        `metrics`. A text that ends in % is relative to the larger of the two mean absolute
        scores; of a column of the frame, over runs its mean, the larger of both methods
        counts.
    test_share : float
        Share of the data of a dataset that a run is tested on, from 0 to below 1. It must
        be given: 1 / k for k folds, repeated or not (0.1 for ten folds, ten times ten
        folds too), the share held out for a repeated hold-out, and 0 for runs that are
        independent, such as seeds on a given split.
    threshold : float, default 0.95
        Probability from which a pair is decided, above 0.5 and at most 1.
    alpha : float, default 0.05
        Significance level of the adjusted p-values.
    adjust : {"holm", "hochberg", "hommel", "bonferroni", "fdr_bh", "none"}, default "holm"
        Adjustment for the number of pairs of a dataset and metric; pairs with fewer than
        two runs do not count.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What the test looks for: any difference, that method_1 is better, or that it is
        worse.
    control : label, optional
        Only the pairs with this method; the adjustment is for these.
    higher_is_better : bool or mapping from metric to bool, optional
        Direction of the metrics; those not told are looked up in the registry.
    uneven_runs : {"raise", "shared"}, default "raise"
        Where methods have different runs on a dataset: an error, or compare each pair on
        the runs that both have.
    errors : {"raise", "warn"}, default "raise"
        Whether metrics that their own data do not allow to analyse are an error, or are
        left out with a `BeamWarning` that names them.

    Returns
    -------
    DataFrame
        One row per dataset and pair, with leading `metric` if `frame` has it:

        - **dataset** : label.
        - **method_1**, **method_2** : labels, the first before the second in label order.
        - **n_runs** : number of runs that both have. All that follows is NaN, but for the
          rope and the mean of a single run, if it is below 2.
        - **mean_diff** : mean of the differences, in the unit of the score, positive if
          method_1 is better.
        - **scale** : of the Student law, in the unit of the score: the root of
          (1 / n_runs + test_share / (1 - test_share)) times the variance of the
          differences; 0 if these are all equal, which makes the law a point.
        - **df** : degrees of freedom, one less than the runs; 0 without a run.
        - **rope** : as used on this dataset, in the unit of the score.
        - **p_value** : of the corrected resampled t test; without any spread 1 if the
          methods are equal and 0 if they are not.
        - **p_adjusted** : adjusted for the pairs of the dataset and metric.
        - **significant** : whether `p_adjusted` is at most alpha.
        - **prob_better**, **prob_equivalent**, **prob_worse** : posterior probability that
          the true difference is above the rope, within it, or below it.
        - **decision** : "better", "equivalent" or "worse", if the probability of it
          reaches the threshold, else "undecided".

    Raises
    ------
    BeamError
        If the frame is not a table of scores, if `test_share` is not given, or if runs
        have no labels by which to pair them.
    UnevenRunsError
        If methods have different runs on a dataset, unless told what to do.

    See Also
    --------
    bayesian_sign : many datasets at once, each with one score.
    pairwise : the same by a test, with ``aggregate="mean"`` where there are runs.
    improvement : how often a run is better, over many datasets.

    Notes
    -----
    The probabilities are of each pair by itself and are not adjusted: among many pairs
    some are decided by chance. The correction is a rule of thumb: no unbiased estimate of
    the variance of a cross-validation exists.

    References
    ----------
    Nadeau, C., Bengio, Y. (2003). Inference for the generalization error. Machine Learning
    52, 239-281, section 4. doi:10.1023/A:1024068626366
    Corani, G., Benavoli, A. (2015). A Bayesian approach for comparing cross-validated
    algorithms on multiple data sets. Machine Learning 100, 285-304, equation 8.
    doi:10.1007/s10994-015-5486-z

    Examples
    --------
    Twice five folds on one dataset: a fifth of the data is tested on.

    >>> import beam_pandas
    >>> folds = beam_pandas.load_benchmark(folds=True).query("metric == 'accuracy'")
    >>> some = ["DecisionTree", "RandomForest", "SVC"]
    >>> sonar = folds.query("dataset == 'sonar' and method in @some")
    >>> result = sonar.beam.correlated_t(rope=0.01, test_share=1 / 5)
    >>> columns = ["method_1", "method_2", "mean_diff", "p_adjusted", "prob_worse"]
    >>> print(result[columns].round(3).to_string(index=False))
        method_1     method_2  mean_diff  p_adjusted  prob_worse
    DecisionTree RandomForest     -0.094       0.096       0.964
    DecisionTree          SVC     -0.116       0.024       0.994
    RandomForest          SVC     -0.022       0.462       0.656
    """
    check_probability("alpha", alpha)
    check_option("adjust", adjust, ADJUSTMENTS)
    check_option("alternative", alternative, get_args(Alternative))
    check_threshold(threshold)

    def compute(item: _Roped) -> Mapping[str, Any]:
        matrix = item.matrix
        at = None if control is None else find_control(control, matrix)
        first, second = choose_pairs(len(matrix.methods), at)
        differences = run_differences(item.runs.benefit, first, second)
        widths = item.widths(first, second)
        law = correlated_t_law(differences, share, widths, alternative)
        regions = np.stack([law.better, law.equivalent, law.worse], axis=-1).reshape(-1, 3)
        p_adjusted = [adjust_p_values(of_dataset, adjust) for of_dataset in law.p_value]
        adjusted = np.concatenate([*p_adjusted, np.empty(0)])
        return {
            **_label_rows(matrix.datasets, matrix.methods, first, second),
            "n_runs": differences.n_runs.ravel(),
            "mean_diff": differences.mean.ravel(),
            "scale": law.scale.ravel(),
            "df": np.maximum(differences.n_runs - 1, 0).ravel(),
            "rope": widths.ravel(),
            "p_value": law.p_value.ravel(),
            "p_adjusted": adjusted,
            "significant": adjusted <= alpha,
            **by_region("prob", regions),
            "decision": decide(regions, threshold),
        }

    found = read_paired_runs(
        frame,
        "correlated_t",
        higher_is_better=higher_is_better,
        uneven_runs=uneven_runs,
    )
    share = check_test_share(test_share)
    ropes = resolve_ropes(rope, [runs.matrix for runs in found], frame)
    return analyse(correlated_t, map(_Roped, found, ropes), compute, errors)


def check_test_share(test_share: object) -> float:
    """
    Refuse a share of the data that is none.

    Parameters
    ----------
    test_share : object
        As the caller gave it.

    Raises
    ------
    BeamError
        If it was not given, with what it is for each kind of runs.
    """
    if test_share is None:
        raise BeamError(
            "test_share must be given, the share of the data that each run is tested on, "
            "since runs that share training data are correlated: 1 / k for k folds, "
            "repeated or not (test_share=0.1 for ten folds), the share held out for a "
            "repeated hold-out (test_share=0.3), test_share=0 for independent runs such as "
            "seeds"
        )
    if not (is_number(test_share) and 0.0 <= float(test_share) < 1.0):
        raise BeamError(
            f"test_share must be a number from 0 to below 1, got {test_share!r}: 1 / k for "
            "k folds, the share held out for a repeated hold-out, 0 for seeds"
        )
    return float(test_share)


def _label_rows(
    datasets: pd.Index,
    methods: pd.Index,
    first: NDArray[np.intp],
    second: NDArray[np.intp],
) -> dict[str, Any]:
    """Name the dataset and the pair of each row, all pairs of a dataset together."""
    return {
        "dataset": datasets.repeat(len(first)),
        "method_1": methods.take(np.tile(first, len(datasets))),
        "method_2": methods.take(np.tile(second, len(datasets))),
    }
