"""How strong is each method, on one scale made of wins and ties?"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any, NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import (
    BeamError,
    check_option,
    check_probability,
    count,
    is_number,
    list_labels,
    warn,
)
from beam_pandas.gate.scores import ScoreMatrix, read_scores
from beam_pandas.kernels.draws import draw_units
from beam_pandas.kernels.pair_signs import pair_signs
from beam_pandas.kernels.paired_strengths import (
    Finding,
    PairedStrengths,
    TiesAs,
    elo,
    paired_strengths,
)
from beam_pandas.kernels.strength_draws import (
    StrengthIntervals,
    strength_draws,
    strength_intervals,
)
from beam_pandas.labels import Picked
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.statistics.pair_tables import count_matrix
from beam_pandas.statistics.rope import Ropes, resolve_ropes
from beam_pandas.statistics.streams import check_resamples, start_stream
from beam_pandas.types import (
    Aggregate,
    Errors,
    HigherIsBetter,
    MissingPairs,
    Rng,
    Rope,
    UnevenRuns,
)

_DIGITS = 9  # strengths that agree so far are one place in the order
_SHOWN = 5  # groups that a warning names


@gives(
    "metric",
    "method",
    "n_opponents",
    "component",
    "strength",
    "standard_error",
    "ci_low",
    "ci_high",
    "elo",
)
def bradley_terry(
    frame: pd.DataFrame,
    rope: Rope = 0.0,
    *,
    ties: TiesAs = "half",
    prior_strength: float | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    rng: Rng = 0,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    missing: MissingPairs = "available",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Strengths of the methods after Bradley and Terry, from wins and ties over datasets.

    A method of strength a outperforms one of strength b with probability
    e^a / (e^a + e^b). The strengths are those of the largest likelihood; missing scores
    are no obstacle, a pair counts on the datasets that both have.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    rope : float, text, or mapping from metric to either, default 0.0
        Differences up to it, in the unit of the score, are ties. A text is
        ``"noise_floor"`` (of the registry, where few metrics have one: see `metrics`), a
        share of the larger score such as ``"2%"``, or the name of a column with a number
        for each score, of which for a pair the larger holds.
    ties : {"half", "davidson"}, default "half"
        Whether a tie is half a win for either, or an outcome of its own whose probability
        is estimated too (Davidson 1970). Half ties understate the spread a little.
    prior_strength : float, optional
        Wins added in both directions to each pair that met. They pull strengths together
        and make them finite where the data do not; by default there are none.
    confidence_level : float, default 0.95
        Level of the intervals.
    n_resamples : int, default 1000
        Number of bootstrap draws; 0 leaves out the intervals.
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
        One row per method, best first in each component, with leading `metric` if `frame`
        has it:

        - **method** : label.
        - **n_opponents** : number of methods it shares a dataset with.
        - **component** : number of the group of methods that met, directly or through
          others, from 1 in label order. Nothing compares two components.
        - **strength** : log of the worth, with mean 0 in the component; a difference of 1
          is odds of e to one. NaN where the likelihood has no finite maximum, and for a
          method that met no other.
        - **standard_error** : of the strength against the mean of its component, by the
          model, as if all comparisons were independent. On one dataset they come from one
          ranking, so that it is too small: the interval is the one to report.
        - **ci_low**, **ci_high** : percentile interval of the strength over draws of
          datasets, all compositions of them for seven and fewer. A draw without a finite
          maximum counts as infinite, or as undetermined against either end; in a draw in
          which one method loses everything, that one is at -inf and all others at +inf,
          as they run off from the mean that follows it down. An end is infinite
          where so many draws are; NaN where more than half have no finite maximum.
        - **elo** : 1500 + 400 / ln 10 times the strength: 400 more are odds of ten to one.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, or the rope of a metric is not known.

    Warns
    -----
    BeamWarning
        If a component has no finite strengths, since some of its methods never lost to,
        nor tied with, the others; the groups are named. If more than half of the draws
        have none. If several components are not comparable.

    See Also
    --------
    standing : mean share of datasets won, without a model.
    rank_intervals : intervals of mean ranks and places.

    References
    ----------
    Bradley, R. A., Terry, M. E. (1952). Rank analysis of incomplete block designs: I.
    Biometrika 39(3/4), 324-345. doi:10.2307/2334029
    Davidson, R. R. (1970). On extending the Bradley-Terry model to accommodate ties in
    paired comparison experiments. JASA 65(329), 317-328.
    doi:10.1080/01621459.1970.10481082
    Ford, L. R. (1957). Solution of a ranking problem from binary comparisons. American
    Mathematical Monthly 64(8), 28-33. doi:10.2307/2308513
    Elo, A. E. (1978). The Rating of Chessplayers, Past and Present.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> table = scores.beam.bradley_terry(rope=0.01)
    >>> print(table[["method", "strength", "elo"]].head(2).round(2).to_string(index=False))
    method  strength     elo
       MLP      0.87 1650.29
       SVC      0.82 1642.64
    """
    check_option("ties", ties, get_args(TiesAs))
    prior = _checked_prior(prior_strength)
    check_probability("confidence_level", confidence_level)
    n_draws = 0 if _is_zero(n_resamples) else check_resamples(n_resamples)
    stream = start_stream(rng)
    check_option("missing", missing, get_args(MissingPairs))

    def compute(scores: _Scores) -> Mapping[str, Any]:
        found, n_opponents = scores.fit(ties, prior)
        _warn_of_apart(scores.matrix, found)
        ends = np.full((2, len(found.strength)), np.nan)
        if n_draws and (found.finding == Finding.FINITE).any():
            rule = _Draws(n_draws, float(confidence_level), stream())
            drawn = scores.draw(rule, ties, prior)
            _warn_of_unknown(scores.matrix, found, drawn)
            ends = np.stack([drawn.low, drawn.high])
        falling = np.round(-found.strength, _DIGITS)
        order = np.lexsort((falling, found.component))
        return {
            "method": Picked(scores.matrix.methods, order),
            "n_opponents": n_opponents[order],
            "component": found.component[order] + 1,
            "strength": found.strength[order],
            "standard_error": found.standard_error[order],
            "ci_low": ends[0, order],
            "ci_high": ends[1, order],
            "elo": elo(found.strength[order]),
        }

    matrices = list(
        read_scores(
            frame,
            higher_is_better=higher_is_better,
            aggregate=aggregate,
            uneven_runs=uneven_runs,
        )
    )
    ropes = resolve_ropes(rope, matrices, frame)
    items = [
        _Scores(matrix, width, missing == "worst") if matrix.refusal is None
        else matrix.refusal
        for matrix, width in zip(matrices, ropes, strict=True)
    ]  # fmt: skip
    return analyse(bradley_terry, items, compute, errors)


class _Draws(NamedTuple):
    """How intervals are made."""

    n_resamples: int
    confidence_level: float
    rng: np.random.Generator


class _Scores(NamedTuple):
    """Scores of one metric, and what counts as a win there."""

    matrix: ScoreMatrix
    rope: Ropes
    missing_is_worst: bool

    @property
    def metric(self) -> pd.Index | None:
        """The metric, as an index of one label, or None."""
        return self.matrix.metric

    def fit(self, ties: TiesAs, prior: float) -> tuple[PairedStrengths, NDArray[np.int64]]:
        """Estimate the strengths, and count the opponents of each method."""
        counts = count_matrix(self.matrix, self.rope, self.missing_is_worst).counts
        even, met = counts.ties, counts.shared > 0
        np.fill_diagonal(even, 0)
        np.fill_diagonal(met, val=False)
        found = paired_strengths(counts.wins, even, ties, prior)
        return found, met.sum(axis=1).astype(np.int64)

    def draw(self, rule: _Draws, ties: TiesAs, prior: float) -> StrengthIntervals:
        """Draw datasets, of those on which anybody is compared, and fit each draw."""
        benefit = self.matrix.benefit
        kept = np.count_nonzero(~np.isnan(benefit), axis=1) >= 2
        kept |= self.missing_is_worst
        cells = self.rope.cells
        width = self.rope.width if cells is None else cells[kept]
        signs = pair_signs(benefit[kept], width, missing_is_worst=self.missing_is_worst)
        n_datasets, k = int(kept.sum()), benefit.shape[1]
        blocks = list(draw_units(n_datasets, rule.n_resamples, rule.rng, width=n_datasets))
        weights = np.concatenate([block.counts() for block in blocks])
        mass = np.concatenate([block.weights for block in blocks])
        drawn = strength_draws(signs, weights, k, ties, prior)
        return strength_intervals(drawn, rule.confidence_level, mass)


def _is_zero(n_resamples: object) -> bool:
    """Tell whether no draws are asked for."""
    return (
        isinstance(n_resamples, Integral)
        and not isinstance(n_resamples, bool)
        and (int(n_resamples) == 0)
    )


def _checked_prior(prior_strength: float | None) -> float:
    """Read the wins to be added, 0 if there are none."""
    if prior_strength is None:
        return 0.0
    if not is_number(prior_strength) or not 0.0 < float(prior_strength) < np.inf:
        raise BeamError(
            f"prior_strength must be a positive number or None, got {prior_strength!r}"
        )
    return float(prior_strength)


def _warn_of_apart(matrix: ScoreMatrix, found: PairedStrengths) -> None:
    """Name the components that have no finite strengths, and those that never met."""
    size = np.bincount(found.component)
    if np.count_nonzero(size > 1) > 1:
        groups = [found.component == number for number in np.flatnonzero(size > 1)]
        warn(
            f"bradley_terry compares strengths only within each of {len(groups)} groups "
            f"of methods that never met{matrix.place}: {_name_groups(matrix, groups)}"
        )
    for number, finding in enumerate(found.finding.tolist()):
        here = found.component == number
        if finding == Finding.NOT_CONNECTED:
            parts = found.strong_component[here]
            groups = [found.strong_component == part for part in np.unique(parts)]
            warn(
                f"bradley_terry has no finite strengths{matrix.place}: between these "
                f"{len(groups)} groups of methods wins and ties lead one way only: "
                f"{_name_groups(matrix, groups)}. prior_strength=0.5 adds half a win "
                "either way to each pair that met, which makes them finite and pulls them "
                "together"
            )
        elif finding == Finding.TIES_WITHOUT_BOUND:
            warn(
                f"bradley_terry has no finite strengths with ties='davidson'"
                f"{matrix.place}: ties are so many that their parameter has no bound "
                f"for {list_labels(matrix.methods[here])}. ties='half' has none"
            )
        elif finding == Finding.NOT_CONVERGED:
            warn(
                f"bradley_terry has no strengths that floats can hold{matrix.place} for "
                f"{list_labels(matrix.methods[here])}: a prior_strength may help"
            )


def _name_groups(matrix: ScoreMatrix, groups: list[NDArray[np.bool_]]) -> str:
    """Write the members of the first few groups."""
    named = [f"({list_labels(matrix.methods[group])})" for group in groups[:_SHOWN]]
    more = len(groups) - _SHOWN
    return ", ".join(named) + (f" and {count(more, 'more group')}" if more > 0 else "")


def _warn_of_unknown(
    matrix: ScoreMatrix, found: PairedStrengths, drawn: StrengthIntervals
) -> None:
    """Warn of components whose draws mostly have no finite maximum."""
    finite = found.finding == Finding.FINITE
    lost = finite & np.isnan(drawn.low)[_first_members(found.component)]
    for number in np.flatnonzero(lost):
        share = 1.0 - drawn.share_finite[number]
        here = matrix.methods[found.component == number]
        warn(
            f"bradley_terry has no intervals{matrix.place} for {list_labels(here)}: "
            f"{share:.0%} of the draws of datasets have no finite strengths"
        )


def _first_members(component: NDArray[np.int64]) -> NDArray[np.intp]:
    """Give the first method of each component."""
    return np.unique(component, return_index=True)[1]
