"""With what probability is one method better on the next dataset, given all runs?"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, check_option, is_number, settle_failures
from beam_pandas.kernels.hierarchical_grid import (
    HierarchicalPosterior,
    RunTables,
    integrate_hierarchy,
)
from beam_pandas.kernels.hierarchical_prior import Hyperprior
from beam_pandas.labels import Picked
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse, attempt
from beam_pandas.statistics.posteriors import by_region, check_threshold, decide
from beam_pandas.statistics.rope import resolve_widths
from beam_pandas.statistics.run_pairs import RunPairs, describe_pairs
from beam_pandas.statistics.run_posteriors import check_test_share
from beam_pandas.statistics.run_tables import read_paired_runs
from beam_pandas.types import Errors, HigherIsBetter, PairedRuns, Rope

Progress = Callable[[int, int], object]
Floats = NDArray[np.float64]

_WIDEST = 1e90  # rope, and the inverse of the narrowest, in about the largest score


@gives(
    "metric",
    "method_1",
    "method_2",
    "n_datasets",
    "rope",
    "prob_better",
    "prob_equivalent",
    "prob_worse",
    "expected_better",
    "expected_equivalent",
    "expected_worse",
    "mean_diff",
    "decision",
)
def hierarchical(
    frame: pd.DataFrame,
    rope: Rope,
    *,
    test_share: float | None = None,
    hyperprior: Hyperprior = "paper",
    threshold: float = 0.95,
    fineness: int = 1,
    progress: Progress | None = None,
    control: Hashable | None = None,
    higher_is_better: HigherIsBetter = None,
    uneven_runs: PairedRuns = "raise",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Compute the posterior of the next dataset from all runs of all datasets, by quadrature.

    The hierarchical correlated t test of Corani et al.: the runs of a dataset are normal
    around its true difference, with a correlation and a spread of their own for each
    dataset; the true differences of datasets come from a Student law, whose centre, scale
    and degrees of freedom are unknown. Datasets with much noise weigh less, and each
    dataset's difference is drawn towards the others'.

    Nothing is sampled: the spread within each dataset and its true difference integrate
    out, and the three parameters of the law of datasets are integrated on an adaptive
    grid, to about 1e-5. It needs some seconds for each number of runs and up to two for
    each pair; with `control` there are fewer pairs.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `run`, `score` and optionally `metric`. Runs of
        two methods are paired by their label in the column `run`.
    rope : float, "noise_floor", or mapping from metric to either
        Half-width of the region of practical equivalence, in the unit of the score, one for
        all datasets. ``"noise_floor"`` takes it from the registry, where few metrics have
        one: see `metrics`. It has no default, since without a rope nothing is ever
        equivalent.
    test_share : float
        Share of the data of a dataset that a run is tested on, from 0 to below 1. It must
        be given: 1 / k for k folds, repeated or not (0.1 for ten folds, ten times ten
        folds too), the share held out for a repeated hold-out, and 0 for runs that are
        independent, such as seeds on a given split.
    hyperprior : {"paper", "baycomp"}, default "paper"
        Prior of the degrees of freedom nu, a gamma law of nu - 1 with shape a and rate b:
        a uniform from .5 to 5 and b from .05 to .15 as in the paper, or a from 1 to 2 and
        b from .01 to .1 as in baycomp. It matters: the probabilities move by up to .12,
        the expected shares by up to .035.
    threshold : float, default 0.95
        Probability from which a pair is decided, above 0.5 and at most 1.
    fineness : {1, 2}, default 1
        2 for a grid twice as fine everywhere, several times slower, to check that it
        changes nothing that matters.
    progress : callable, optional
        Is called after each pair with the number of pairs that are done and that of all
        (of the group, by group), for a bar or a log; nothing is printed. What it raises
        ends the computation.
    control : label, optional
        Only the pairs with this method.
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
        One row per pair, with leading `metric` if `frame` has it:

        - **method_1**, **method_2** : labels, the first before the second in label order.
        - **n_datasets** : number of datasets on which both have runs.
        - **rope** : as used, in the unit of the score.
        - **prob_better**, **prob_equivalent**, **prob_worse** : posterior probability that
          this region is the most probable one for the next dataset's true difference: that
          method_1 is better by more than the rope, neither is, method_2 is. They sum to 1.
          NaN, as all that follows, without a shared dataset.
        - **expected_better**, **expected_equivalent**, **expected_worse** : probability
          that the next dataset's true difference is in the region; they sum to 1.
        - **mean_diff** : posterior mean of the centre of the law of true differences, in
          the unit of the score, positive if method_1 is better.
        - **decision** : of method_1, ``"better"``, ``"equivalent"`` or ``"worse"`` if
          `prob_better`, `prob_equivalent` or `prob_worse` reaches the threshold, else
          ``"undecided"``.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, if `test_share` is not given, if runs have
        no labels by which to pair them, if the rope differs by dataset; or if a pair has
        one or two datasets, one or two runs on one of them, or runs that all differ by the
        same on one of them while the rope is 0.
    UnevenRunsError
        If methods have different runs on a dataset, unless told what to do.

    See Also
    --------
    bayesian_sign : asks for the mean of the runs only, and assumes no law of sizes.
    correlated_t : one dataset at a time.
    to_matrix : a column of the result as a square.

    Notes
    -----
    A dataset whose runs all differ by the same, as where both methods are always right,
    would make its likelihood infinite. It keeps its mean and gets the standard deviation of
    a uniform law over the rope, rope / sqrt(3); baycomp puts noise around 0 in its place,
    whatever its mean. The priors of the centre and of the scales are flat and without
    bounds, which with three datasets or more is a proper posterior. The correlation is
    taken as the share of the data that a run is tested on; it is a rule of thumb. The
    probabilities are of each pair by itself and are not adjusted for the number of pairs.

    References
    ----------
    Corani, G., Benavoli, A., Demšar, J., Mangili, F., Zaffalon, M. (2017). Statistical
    comparison of classifiers through Bayesian hierarchical modelling. Machine Learning 106,
    1817-1837, section 3. doi:10.1007/s10994-017-5641-9

    Examples
    --------
    Twice five folds on 32 datasets: a fifth of the data is tested on.

    >>> import beam_pandas
    >>> folds = beam_pandas.load_benchmark(folds=True).query("metric == 'accuracy'")
    >>> two = folds.query("method in ['RandomForest', 'SVC']")
    >>> result = two.beam.hierarchical(rope=0.01, test_share=1 / 5)
    >>> columns = ["n_datasets", "prob_better", "prob_equivalent", "prob_worse", "decision"]
    >>> print(result[columns].round(3).to_string(index=False))
     n_datasets  prob_better  prob_equivalent  prob_worse  decision
             32        0.188            0.431       0.381 undecided
    """
    check_option("hyperprior", hyperprior, get_args(Hyperprior))
    check_threshold(threshold)
    check_option("errors", errors, get_args(Errors))
    _check_fineness(fineness)
    if progress is not None and not callable(progress):
        raise BeamError(f"progress must be a callable (done, total), got {progress!r}")
    found = read_paired_runs(
        frame,
        "hierarchical",
        higher_is_better=higher_is_better,
        uneven_runs=uneven_runs,
    )
    share = check_test_share(test_share)
    widths = resolve_widths(rope, [runs.matrix for runs in found], frame, "hierarchical")
    items = [
        attempt(describe_pairs, runs, width, control)
        for runs, width in zip(found, widths, strict=True)
    ]
    failed = [item for item in items if isinstance(item, BeamError)]
    if failed and errors == "raise":  # before minutes are spent on the others
        settle_failures(failed, len(items), "metrics", errors)
    tables = RunTables(int(fineness))
    step = _count_steps(items, progress)

    def compute(item: RunPairs) -> Mapping[str, Any]:
        posteriors = np.full((len(item.first), len(HierarchicalPosterior._fields)), np.nan)
        for pair in item.met:
            posteriors[pair] = _integrate_pair(item, pair, share, hyperprior, tables)
            step()
        return _columns(item, posteriors, threshold)

    return analyse(hierarchical, items, compute, errors)


def _check_fineness(fineness: object) -> None:
    """Refuse what is neither 1 nor 2."""
    if not (is_number(fineness) and float(fineness) in (1.0, 2.0)):
        raise BeamError(f"fineness must be 1, or 2 to check the result, got {fineness!r}")


def _count_steps(
    items: list[RunPairs | BeamError], progress: Progress | None
) -> Callable[[], None]:
    """Give a function to call after each pair, which tells how many are done."""
    total = sum(len(item.met) for item in items if isinstance(item, RunPairs))
    done = iter(range(1, total + 1))

    def step() -> None:
        if progress is not None:
            progress(next(done), total)

    return step


def _integrate_pair(
    pairs: RunPairs, at: int, share: float, hyperprior: Hyperprior, tables: RunTables
) -> HierarchicalPosterior:
    """Integrate the posterior of one pair, over the datasets on which it has runs."""
    met = pairs.n_runs[:, at] > 0
    rope = pairs.rope
    if rope > 0.0:
        with np.errstate(over="ignore"):
            scaled = float(np.ldexp(rope, -pairs.exponent))
        rope = min(max(scaled, 1.0 / _WIDEST), _WIDEST)
    return integrate_hierarchy(
        pairs.n_runs[met, at],
        pairs.means[met, at],
        pairs.sum_squares[met, at],
        rope,
        share,
        hyperprior=hyperprior,
        tables=tables,
    )


def _columns(pairs: RunPairs, posteriors: Floats, threshold: float) -> dict[str, Any]:
    """Name the columns of the result, given those of `HierarchicalPosterior`."""
    prob, expected, centre = posteriors[:, :3], posteriors[:, 3:6], posteriors[:, 6]
    return {
        "method_1": Picked(pairs.matrix.methods, pairs.first),
        "method_2": Picked(pairs.matrix.methods, pairs.second),
        "n_datasets": np.count_nonzero(pairs.n_runs, axis=0),
        "rope": np.full(len(pairs.first), pairs.rope),
        **by_region("prob", prob),
        **by_region("expected", expected),
        "mean_diff": np.ldexp(centre, pairs.exponent),
        "decision": decide(prob, threshold),
    }
