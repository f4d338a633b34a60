"""With what probability is one method better, by the signed sizes of the differences?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from beam_pandas.errors import BeamError
from beam_pandas.gate.scores import ScoreMatrix, read_scores
from beam_pandas.kernels.signed_rank_posterior import simulate_signed_ranks
from beam_pandas.labels import Picked
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.statistics.pair_tables import choose_pairs
from beam_pandas.statistics.posteriors import by_region, check_threshold, decide
from beam_pandas.statistics.rank_tables import find_control
from beam_pandas.statistics.rope import resolve_widths
from beam_pandas.statistics.streams import check_resamples, start_stream
from beam_pandas.types import Aggregate, Errors, HigherIsBetter, Rng, Rope, UnevenRuns

_WIDEST = 1e300  # rope, in about the largest score


class _Roped(NamedTuple):
    """Scores of one metric and its rope."""

    matrix: ScoreMatrix
    rope: float

    @property
    def refusal(self) -> BeamError | None:
        """Why the scores of this metric allow no analysis."""
        return self.matrix.refusal


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
    "simulation_error",
    "decision",
)
def bayesian_signed_rank(
    frame: pd.DataFrame,
    rope: Rope,
    *,
    n_draws: int = 50_000,
    rng: Rng = 0,
    threshold: float = 0.95,
    control: Hashable | None = None,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Compute the posterior of the Bayesian signed-rank test for each pair, by simulation.

    `bayesian_sign` answers the same question exactly and with fewer assumptions: this one
    takes for granted that differences of all datasets have one scale and lie
    symmetrically around their centre. It is here for comparison with what others report.

    The differences of the datasets, and a pseudo-difference 0 of weight 1/2, have weights
    with a Dirichlet posterior. The share of method_1 is the weight of all pairs of
    datasets, each with itself and with every other, whose mean difference is above the
    rope. Expected shares are exact; the probability that a share is the largest has no
    closed form and is counted in draws of the weights.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    rope : float, "noise_floor", or mapping from metric to either
        Half-width of the region of practical equivalence, in the unit of the score, one for
        all datasets. ``"noise_floor"`` takes it from the registry, where few metrics have
        one: see `metrics`. It has no default, since without a rope nothing is ever
        equivalent.
    n_draws : int, default 50000
        Number of draws of the weights, from 1 to 1,000,000.
    rng : int, Generator or None, default 0
        Seed of the draws. The stream starts anew for each metric and group; a generator is
        copied; None takes another seed each time.
    threshold : float, default 0.95
        Probability from which a pair is decided, above 0.5 and at most 1.
    control : label, optional
        Only the pairs with this method.
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
        One row per pair, with leading `metric` if `frame` has it:

        - **method_1**, **method_2** : labels, the first before the second in label order.
        - **n_datasets** : number of datasets that both have.
        - **rope** : as used.
        - **prob_better**, **prob_equivalent**, **prob_worse** : posterior probability that
          the region holds the largest share, counted in the draws; they sum to 1. NaN
          without a shared dataset.
        - **expected_better**, **expected_equivalent**, **expected_worse** : posterior mean
          of the shares, exact; NaN likewise.
        - **simulation_error** : the largest standard error of the three probabilities, at
          most 1 / sqrt(4 n_draws).
        - **decision** : of method_1, ``"better"``, ``"equivalent"`` or ``"worse"`` if that
          probability reaches the threshold, else ``"undecided"``.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, the rope of a metric is not known or differs
        by dataset, or an option is out of its range.

    See Also
    --------
    bayesian_sign : exact, and of no assumption about sizes.
    wilcoxon : the signed-rank test, and an interval of the typical difference.
    hierarchical : from the runs themselves, where there are several on each dataset.

    Notes
    -----
    A sum of two differences that equals twice the rope in decimals is within it, where
    baycomp gives half of it to either side: that matters for rounded scores. Pairs with
    as many datasets share their draws, so that a pair has the same result whatever other
    pairs there are.

    References
    ----------
    Benavoli, A., Mangili, F., Corani, G., Zaffalon, M., Ruggeri, F. (2014). A Bayesian
    Wilcoxon signed-rank test based on the Dirichlet process. Proceedings of the 31st
    International Conference on Machine Learning, PMLR 32(2), 1026-1034, section 3.
    https://proceedings.mlr.press/v32/benavoli14.html
    Benavoli, A., Corani, G., Demšar, J., Zaffalon, M. (2017). Time for a change: a
    tutorial for comparing multiple classifiers through Bayesian analysis. JMLR 18(77),
    1-36, section 4.2.2. https://www.jmlr.org/papers/v18/16-305.html

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> two = scores.query("method in ['RandomForest', 'SVC']")
    >>> columns = ["n_datasets", "expected_better", "expected_worse", "prob_worse"]
    >>> result = two.beam.bayesian_signed_rank(rope=0.01)
    >>> print(result[columns].round(2).to_string(index=False))
     n_datasets  expected_better  expected_worse  prob_worse
             32             0.25            0.41        0.61
    """
    check_threshold(threshold)
    size = check_resamples(n_draws, "n_draws")
    start = start_stream(rng)

    def compute(item: _Roped) -> Mapping[str, Any]:
        matrix = item.matrix
        at = None if control is None else find_control(control, matrix)
        first, second = choose_pairs(len(matrix.methods), at)
        benefit = matrix.benefit
        # near 1, so that no sum overflows: a power of two changes no result
        exponent = int(np.frexp(np.nanmax(np.abs(benefit), initial=0.0))[1])
        benefit = np.ldexp(benefit, -exponent)
        with np.errstate(over="ignore"):
            scaled = min(float(np.ldexp(item.rope, -exponent)), _WIDEST)
        one, other = benefit[:, first], benefit[:, second]
        posterior = simulate_signed_ranks(
            one - other,
            np.maximum(np.abs(one), np.abs(other)),
            scaled,
            n_draws=size,
            rng=start(),
        )
        return {
            "method_1": Picked(matrix.methods, first),
            "method_2": Picked(matrix.methods, second),
            "n_datasets": np.count_nonzero(~np.isnan(one - other), axis=0),
            "rope": np.full(len(first), item.rope),
            **by_region("prob", posterior.prob),
            **by_region("expected", posterior.expected),
            "simulation_error": posterior.simulation_error,
            "decision": decide(posterior.prob, threshold),
        }

    matrices = list(
        read_scores(
            frame,
            higher_is_better=higher_is_better,
            aggregate=aggregate,
            uneven_runs=uneven_runs,
        )
    )
    ropes = resolve_widths(rope, matrices, frame, "bayesian_signed_rank")
    return analyse(bayesian_signed_rank, map(_Roped, matrices, ropes), compute, errors)
