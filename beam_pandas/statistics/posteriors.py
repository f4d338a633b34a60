"""With what probability is one method better than another, by more than a rope?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, check_option, is_number
from beam_pandas.kernels.dirichlet import largest_share
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.statistics.pair_tables import Pairs, read_pairs
from beam_pandas.types import (
    Aggregate,
    Errors,
    HigherIsBetter,
    MissingPairs,
    Rope,
    UnevenRuns,
)

Prior = Literal["rope", "uniform", "neutral"]

_REGIONS = ("better", "equivalent", "worse")
_STRONGEST = 1e9  # pseudo-datasets
_LARGEST_BASE = 2_000_000  # whose cube is an int64
_MOST_KNOWN = 500_000  # distinct counts that are remembered
#: Shares of the prior on wins, ties and losses.
_PRIORS = {
    "rope": (0.0, 1.0, 0.0),
    "uniform": (1 / 3, 1 / 3, 1 / 3),
    "neutral": (0.5, 0.0, 0.5),
}


class PairPosterior(NamedTuple):
    """For each pair and region (method_1 better, equivalent, method_2 better)."""

    probability: NDArray[np.float64]  # that the region has the largest share
    mean: NDArray[np.float64]  # expected share of the region


class Posteriors:
    """
    Posteriors under one prior; those of counts that come again are computed once.

    Parameters
    ----------
    prior, prior_strength
        As in `bayesian_sign`.
    """

    def __init__(self, prior: Prior, prior_strength: float) -> None:
        self._pseudo = prior_strength * np.array(_PRIORS[prior])
        self._codes = np.empty(0, dtype=np.int64)  # of the counts known, ascending
        self._known = np.empty((0, 2, 3))  # their probabilities and means

    def of(self, pairs: Pairs) -> PairPosterior:
        """
        Compute the posterior of each pair.

        Parameters
        ----------
        pairs : Pairs
            Counts of one metric.

        Returns
        -------
        PairPosterior
            Both of shape (n_pairs, 3); NaN for pairs without a shared dataset.
        """
        counts = np.column_stack([pairs.wins, pairs.ties, pairs.losses])
        if counts.max(initial=0) >= _LARGEST_BASE:
            rows, which = np.unique(counts, axis=0, return_inverse=True)
            found = self._compute(rows)[which.reshape(-1)]
        else:  # one number for each row: sorts and is found much faster than rows are
            base = _LARGEST_BASE
            code = (counts[:, 0] * base + counts[:, 1]) * base + counts[:, 2]
            found = self._look_up(code, counts)
        return PairPosterior(found[:, 0], found[:, 1])

    def _look_up(
        self, code: NDArray[np.int64], counts: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Take what is known, after computing what is not."""
        at = np.searchsorted(self._codes, code)
        new = np.ones(len(code), dtype=bool)
        inside = at < len(self._codes)
        new[inside] = self._codes[at[inside]] != code[inside]
        if new.any():
            if len(self._codes) > _MOST_KNOWN:
                self._codes, self._known = self._codes[:0], self._known[:0]
                new[:] = True
            added, first = np.unique(code[new], return_index=True)
            values = self._compute(counts[new][first])
            codes = np.concatenate([self._codes, added])
            order = np.argsort(codes, kind="stable")
            self._codes = codes[order]
            self._known = np.concatenate([self._known, values])[order]
            at = np.searchsorted(self._codes, code)
        return self._known[at]

    def _compute(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Compute the posteriors of distinct counts."""
        alpha = counts + self._pseudo
        with np.errstate(invalid="ignore"):
            mean = alpha / alpha.sum(axis=1, keepdims=True)
        found = np.stack([largest_share(alpha), mean], axis=1)
        found[counts.sum(axis=1) == 0] = np.nan
        return found


@gives(
    "metric",
    "method_1",
    "method_2",
    "n_datasets",
    "wins",
    "ties",
    "losses",
    "rope",
    "prob_better",
    "prob_equivalent",
    "prob_worse",
    "expected_better",
    "expected_equivalent",
    "expected_worse",
    "decision",
)
def bayesian_sign(
    frame: pd.DataFrame,
    rope: Rope,
    *,
    prior: Prior = "rope",
    prior_strength: float = 1.0,
    threshold: float = 0.95,
    control: Hashable | None = None,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    missing: MissingPairs = "available",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Compute the posterior of the Bayesian sign test for each pair, exactly.

    The shares of datasets on which method_1 is better, the two are equivalent, or
    method_2 is better have a Dirichlet posterior. No draws are taken from it: the
    probability that a share is the largest is a one-dimensional integral over
    independent gamma variables, computed to 1e-9 and better.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    rope : float, text, or mapping from metric to either
        Half-width of the region of practical equivalence, in the unit of the score. A text
        is
        ``"noise_floor"`` (of the registry, where few metrics have one: see `metrics`), a
        share of the larger score such as ``"2%"``, or the name of a column with a number
        for each score, of which for a pair the larger holds. It has no
        default, since without a rope nothing is ever equivalent.
    prior : {"rope", "uniform", "neutral"}, default "rope"
        Where the pseudo-datasets of the prior are: all within the rope, a third in each
        region, or half on either side of the rope.
    prior_strength : float, default 1.0
        Number of pseudo-datasets, from 0 to 1e9.
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
        - **wins**, **ties**, **losses** : on how many of them method_1 is better by more
          than the rope, neither is, method_2 is.
        - **rope** : as used.
        - **prob_better**, **prob_equivalent**, **prob_worse** : posterior probability that
          the region holds the largest share; they sum to 1. NaN without a shared dataset,
          or without any dataset or prior.
        - **expected_better**, **expected_equivalent**, **expected_worse** : posterior mean
          of the shares; NaN likewise.
        - **decision** : of method_1, ``"better"``, ``"equivalent"`` or ``"worse"`` if that
          probability reaches the threshold, else ``"undecided"``.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, the rope of a metric is not known, or an
        option is out of its range.

    See Also
    --------
    pairwise : the counts with the sign test.
    standing : the probabilities of each method, averaged over its opponents.
    to_matrix : a column of the result as a square.

    References
    ----------
    Benavoli, A., Corani, G., Demšar, J., Zaffalon, M. (2017). Time for a change: a
    tutorial for comparing multiple classifiers through Bayesian analysis. JMLR 18(77),
    1-36, section 4.2.1. https://www.jmlr.org/papers/v18/16-305.html

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> table = scores.beam.bayesian_sign(rope=0.01)
    >>> table["decision"].value_counts().to_dict()
    {'undecided': 67, 'worse': 41, 'better': 8, 'equivalent': 4}
    """
    check_prior(prior, prior_strength)
    check_threshold(threshold)

    posteriors = Posteriors(prior, prior_strength)

    def compute(pairs: Pairs) -> Mapping[str, Any]:
        posterior = posteriors.of(pairs)
        return {
            **pairs.labels_and_counts(),
            **by_region("prob", posterior.probability),
            **by_region("expected", posterior.mean),
            "decision": decide(posterior.probability, threshold),
        }

    items = read_pairs(
        frame,
        rope=rope,
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        uneven_runs=uneven_runs,
        missing=missing,
        control=control,
    )
    return analyse(bayesian_sign, items, compute, errors)


def check_prior(prior: Prior, prior_strength: float) -> None:
    """Refuse a prior that is none."""
    check_option("prior", prior, get_args(Prior))
    if not (is_number(prior_strength) and 0.0 <= prior_strength <= _STRONGEST):
        raise BeamError(
            f"prior_strength must be a number from 0 to {_STRONGEST:g}, got "
            f"{prior_strength!r}"
        )


def check_threshold(threshold: object) -> None:
    """Refuse a probability that two regions could reach, or none."""
    if not (is_number(threshold) and 0.5 < threshold <= 1.0):
        raise BeamError(
            f"threshold must be a number above 0.5 and at most 1, got {threshold!r}"
        )


def by_region(stem: str, values: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Name the columns better, equivalent and worse of an array."""
    return {f"{stem}_{region}": values[:, at] for at, region in enumerate(_REGIONS)}


def decide(probability: NDArray[np.float64], threshold: float) -> list[str]:
    """Name the region of each pair that reaches the threshold, if one does."""
    names = np.array([*_REGIONS, "undecided"], dtype=object)
    reached = probability >= threshold
    which = np.where(reached.any(axis=1), reached.argmax(axis=1), len(_REGIONS))
    decided: list[str] = names[which].tolist()
    return decided
