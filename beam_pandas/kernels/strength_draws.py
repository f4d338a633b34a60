"""Strengths of tables whose datasets are drawn anew, and intervals from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.pair_counts import place_rows
from beam_pandas.kernels.paired_strengths import (
    Finding,
    TiesAs,
    find_maximum,
    paired_strengths,
    settle_counts,
)
from beam_pandas.kernels.strength_solver import maximise
from beam_pandas.kernels.strong_connection import reachable

NOT_COMPARED = 2  # beside 1, 0 and -1: a dataset that lacks a score of the pair

_COUNTED = 2**22  # counts of pairs at a time
_FITTED = 2**17  # entries of the matrices that are solved at a time
_EQUAL = 1e-9  # shares of draws this close to a confidence level are at it


class StrengthDraws(NamedTuple):
    """
    Strengths in each draw.

    Attributes
    ----------
    strength : ndarray of float64, shape (n_draws, n_methods)
        Log-worths against the mean of the component; infinite or NaN in draws without
        a finite maximum, see `strength_draws`.
    finite : ndarray of bool, shape (n_draws, n_components)
        Whether the draw has a finite maximum.
    component : ndarray of int64, shape (n_methods,)
        Groups of methods that comparisons of the whole table join.
    """

    strength: NDArray[np.float64]
    finite: NDArray[np.bool_]
    component: NDArray[np.int64]


class StrengthIntervals(NamedTuple):
    """
    Percentile intervals of strengths.

    Attributes
    ----------
    low, high : ndarray of float64, shape (n_methods,)
        Ends, infinite where so many draws are; NaN in a component of which more than half
        of the draws have no finite maximum.
    share_finite : ndarray of float64, shape (n_components,)
        Share of the draws that have one.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    share_finite: NDArray[np.float64]


def outcome_signs(benefit: NDArray[np.float64], rope: float) -> NDArray[np.int8]:
    """
    Say on each dataset which method of each pair outperforms the other.

    Parameters
    ----------
    benefit : ndarray of float64, shape (n_datasets, n_methods)
        Scores turned so that more is better; NaN where missing.
    rope : float
        As in `count_pairs`.

    Returns
    -------
    ndarray of int8, shape (n_datasets, n_methods * (n_methods - 1) / 2)
        Pairs in the order of ``np.triu_indices(n_methods, 1)``: 1 if the first outperforms
        the second, -1 if the second does, 0 if neither, `NOT_COMPARED` if a score is
        missing.
    """
    first, second = np.triu_indices(benefit.shape[1], 1)
    place, bar = place_rows(benefit, rope)
    signs = (place[:, first] >= bar[:, second]).astype(np.int8)
    signs -= place[:, second] >= bar[:, first]
    missing = np.isnan(benefit)
    signs[missing[:, first] | missing[:, second]] = NOT_COMPARED
    return signs


def strength_draws(
    signs: NDArray[np.int8],
    weights: NDArray[np.int64],
    n_methods: int,
    ties_as: TiesAs = "half",
    prior_strength: float = 0.0,
) -> StrengthDraws:
    """
    Estimate the strengths anew for every draw of datasets.

    The comparisons on one dataset come from one ranking, so that whole datasets are drawn.
    Counts of a draw are the product of its weights and the outcomes; all draws are solved
    together.

    Where a draw has no finite maximum, its strengths against the mean of the component run
    off. With edges from winner to loser and both ways for a tie, the likelihood rises as
    long as whoever is reached falls behind. So a method that reaches every other goes to
    +inf against the mean, one that every other reaches to -inf, and where any other
    goes depends on how fast the groups part: undetermined, NaN. A complete table has one
    group at the top and one at the bottom: if one method loses everything, it is at -inf
    and all others at +inf, as the mean follows it down. Where Davidson's tie
    parameter has no bound all are undetermined (see `paired_strengths`).

    Parameters
    ----------
    signs : ndarray of int8, shape (n_datasets, n_pairs)
        Outcomes as from `outcome_signs`.
    weights : ndarray of int64, shape (n_draws, n_datasets)
        How often each draw holds each dataset.
    n_methods : int
        Number of methods.
    ties_as, prior_strength
        As in `paired_strengths`. Prior wins go to the pairs that met in the whole table, so
        that with them every draw has a finite maximum.

    Returns
    -------
    StrengthDraws
        NaN also for a method that met no other, whose draws have no maximum.
    """
    first, second = np.triu_indices(n_methods, 1)
    whole = paired_strengths(
        *count_signs(signs, n_methods), ties_as=ties_as, prior_strength=prior_strength
    )
    strength = np.full((len(weights), n_methods), np.nan)
    finite = np.zeros((len(weights), len(whole.finding)), dtype=bool)
    for number, finding in enumerate(whole.finding):
        members = np.flatnonzero(whole.component == number)
        if finding != Finding.FINITE:
            continue  # fewer datasets never make a maximum finite
        pairs = (whole.component[first] == number) & (whole.component[second] == number)
        start = whole.strength[members]
        options = start, ties_as, prior_strength
        for draws, drawn in _fit_draws(signs[:, pairs], weights, *options):
            strength[draws.start : draws.stop, members] = drawn.strength
            finite[draws, number] = drawn.finite[:, 0]
    return StrengthDraws(strength, finite, whole.component)


def count_signs(
    signs: NDArray[np.int8], n_methods: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Count wins and ties over all datasets, once each."""
    first, second = np.triu_indices(n_methods, 1)
    wins, ties = np.zeros((2, n_methods, n_methods))
    wins[first, second] = np.count_nonzero(signs == 1, axis=0)
    wins[second, first] = np.count_nonzero(signs == -1, axis=0)
    ties[first, second] = ties[second, first] = np.count_nonzero(signs == 0, axis=0)
    return wins, ties


def _fit_draws(
    signs: NDArray[np.int8],
    weights: NDArray[np.int64],
    start: NDArray[np.float64],
    ties_as: TiesAs,
    prior_strength: float,
) -> Iterator[tuple[slice, StrengthDraws]]:
    """Give the strengths of one component, block of draws by block."""
    n_methods, n_pairs = start.size, signs.shape[1]
    met = _square((signs != NOT_COMPARED).any(axis=0)[np.newaxis], n_methods) > 0.0
    met |= met.swapaxes(1, 2)
    step = max(1, _COUNTED // (3 * n_pairs))
    inner = max(1, _FITTED // n_methods**2)
    for outer in range(0, len(weights), step):
        counts = _count_draws(weights[outer : outer + step], signs)
        for at in range(0, counts.shape[1], inner):
            won, lost, tied = counts[:, at : at + inner]
            wins = _square(won, n_methods) + _square(lost, n_methods).swapaxes(1, 2)
            ties = _square(tied, n_methods)
            ties += ties.swapaxes(1, 2)
            fitted = settle_counts(wins, ties, met, ties_as, prior_strength)
            yield slice(outer + at, outer + at + len(won)), _fit_block(*fitted, start)


def _count_draws(
    weights: NDArray[np.int64], signs: NDArray[np.int8]
) -> NDArray[np.float32]:
    """Count wins, losses and ties of each pair in each draw, exact below 2**24."""
    times = weights.astype(np.float32)
    counts = np.empty((3, len(times), signs.shape[1]), dtype=np.float32)
    width = max(1, _COUNTED // max(1, len(signs)))
    for left in range(0, signs.shape[1], width):
        part = slice(left, left + width)
        for result, sign in zip(counts, (1, -1, 0), strict=True):
            np.matmul(times, (signs[:, part] == sign).astype(np.float32), result[:, part])
    return counts


def _square(
    values: NDArray[np.float32] | NDArray[np.bool_], n_methods: int
) -> NDArray[np.float64]:
    """Put the values of pairs above the diagonal of matrices, 0 elsewhere."""
    result = np.zeros((len(values), n_methods, n_methods))
    result[:, *np.triu_indices(n_methods, 1)] = values
    return result


def _fit_block(
    won: NDArray[np.float64], tied: NDArray[np.float64], start: NDArray[np.float64]
) -> StrengthDraws:
    """Fit the draws that have a finite maximum, and say where the others run off."""
    strength = np.full(won.shape[:2], np.nan)
    finding = find_maximum(won, tied)
    fits = np.flatnonzero(finding == Finding.FINITE)
    apart = np.flatnonzero(finding == Finding.NOT_CONNECTED)
    if fits.size:
        where = np.broadcast_to(start, (fits.size, start.size))
        solution = maximise(won[fits], tied[fits], where)
        strength[fits] = solution.strength
        fits = fits[solution.converged]
    if apart.size:
        paths = reachable((won[apart] > 0.0) | (tied[apart] > 0.0))
        top, bottom = paths.all(axis=2), paths.all(axis=1)
        strength[apart] = np.where(top, np.inf, np.where(bottom, -np.inf, np.nan))
    finite = np.zeros((len(won), 1), dtype=bool)
    finite[fits] = True
    strength[~finite[:, 0] & np.isfinite(strength).any(axis=1)] = np.nan
    return StrengthDraws(strength, finite, np.zeros(start.size, dtype=np.int64))


def strength_intervals(
    draws: StrengthDraws,
    confidence_level: float,
    mass: NDArray[np.float64] | None = None,
) -> StrengthIntervals:
    """
    Give the percentile interval of each strength, by the inverted distribution function.

    An end is the smallest drawn strength that at least a share of (1 - level)/2, or
    (1 + level)/2, of the draws does not exceed. An undetermined strength counts
    against either end: as -inf for the lower, as +inf for the upper.

    Parameters
    ----------
    draws : StrengthDraws
        Strengths in each draw.
    confidence_level : float
        Between 0 and 1.
    mass : ndarray of float64, shape (n_draws,), optional
        Probability of each draw; the same for all by default.

    Returns
    -------
    StrengthIntervals
        NaN where more than half of the draws have no finite maximum.
    """
    n_draws = len(draws.strength)
    share = np.full(n_draws, 1.0 / n_draws) if mass is None else mass / mass.sum()
    tail = (1.0 - confidence_level) / 2.0
    undetermined = np.isnan(draws.strength)
    low = _quantile(np.where(undetermined, -np.inf, draws.strength), share, tail)
    high = _quantile(np.where(undetermined, np.inf, draws.strength), share, 1.0 - tail)
    share_finite = share @ draws.finite
    unknown = (share_finite < 0.5 - _EQUAL)[draws.component]
    low[unknown] = high[unknown] = np.nan
    return StrengthIntervals(low, high, share_finite)


def _quantile(
    values: NDArray[np.float64], share: NDArray[np.float64], level: float
) -> NDArray[np.float64]:
    """Give the smallest value of each column that a share of `level` does not exceed."""
    order = np.argsort(values, axis=0, kind="stable")
    reached = np.cumsum(share[order], axis=0) >= level - _EQUAL
    at = np.take_along_axis(order, np.argmax(reached, axis=0)[np.newaxis], axis=0)
    return np.asarray(np.take_along_axis(values, at, axis=0)[0])
