"""The maximum of the likelihood of paired comparisons, many tables at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.strength_model import (
    Counts,
    Slope,
    ground,
    log_likelihood,
    slope_of,
)

_MOST_ROUNDS = 1000  # far more than any fit that double precision can hold
_SMALL = 1e-8  # a step whose square is lost in rounding, so that it is the last
_SETTLING = 1e-5  # steps below this shrink by their square, unless rounding is all there is
_STALE = 3  # so often may they fail to halve
_ENOUGH = 1e-4  # share of the expected gain that a long step must bring (Armijo)


class Solution(NamedTuple):
    """
    Strengths of a batch of fits.

    Attributes
    ----------
    strength : ndarray of float64, shape (n_fits, n_methods)
        Log-worths with mean 0.
    log_tie : ndarray of float64, shape (n_fits,)
        Davidson's log nu, -inf where there are no ties.
    converged : ndarray of bool, shape (n_fits,)
        Whether the last step was small, or small and no longer shrinking.
    """

    strength: NDArray[np.float64]
    log_tie: NDArray[np.float64]
    converged: NDArray[np.bool_]


def maximise(
    won: NDArray[np.float64], tied: NDArray[np.float64], start: NDArray[np.float64]
) -> Solution:
    """
    Find the maximum of each likelihood of a batch, which must have one that is finite.

    Parameters
    ----------
    won, tied : ndarray of float64, shape (n_fits, n_methods, n_methods)
        Wins of the method in the row, and ties; half ties are wins already. A fit without
        ties has nu = 0.
    start : ndarray of float64, shape (n_fits, n_methods)
        Strengths to start from; the result does not depend on them.

    Returns
    -------
    Solution
        Strengths to about 1e-10, or as far as rounding allows.
    """
    strength = start - start.mean(axis=1, keepdims=True)
    log_tie = np.full(len(won), -np.inf)
    converged = np.zeros(len(won), dtype=bool)
    has_ties = tied.any(axis=(1, 2))
    for free in (False, True):
        fits = np.flatnonzero(has_ties == free)
        if fits.size:
            # At equal strengths nu is two ties for each win.
            total = won[fits].sum(axis=(1, 2)), tied[fits].sum(axis=(1, 2))
            log_tie[fits] = np.log(total[1] / total[0]) if free else -np.inf
            solution = _climb(won[fits], tied[fits], strength[fits], log_tie[fits])
            strength[fits], log_tie[fits], converged[fits] = solution
    return Solution(strength, log_tie, converged)


def _climb(
    won: NDArray[np.float64],
    tied: NDArray[np.float64],
    strength: NDArray[np.float64],
    log_tie: NDArray[np.float64],
) -> Solution:
    """Take Newton steps until they are small; fits that are done are left out."""
    n_methods = won.shape[1]
    converged = np.zeros(len(won), dtype=bool)
    before = np.full(len(won), np.inf)
    stale = np.zeros(len(won), dtype=np.int64)
    open_ = np.arange(len(won))
    part = Counts(won, tied, won + won.swapaxes(1, 2) + tied)
    for _ in range(_MOST_ROUNDS):
        here = strength[open_], log_tie[open_]
        slope = slope_of(part, *here)
        step = _newton_step(slope, n_methods)
        reach = _reach(part.games, step)
        climb = np.einsum("fm,fm->f", slope.gradient, step)
        step *= _stride(part, *here, climb, step, reach)[:, np.newaxis]
        strength[open_] += step[:, :n_methods]
        if step.shape[1] > n_methods:
            log_tie[open_] += step[:, -1]
        stale[open_] += (reach <= _SETTLING) & (reach > before[open_] / 2.0)
        before[open_] = reach
        done = (reach <= _SMALL) | (stale[open_] >= _STALE)
        converged[open_[done]] = True
        if done.all():
            break
        if done.any():
            open_ = open_[~done]
            part = Counts(*(counts[~done] for counts in part))
    strength -= strength.mean(axis=1, keepdims=True)
    return Solution(strength, log_tie, converged)


def _newton_step(slope: Slope, n_methods: int) -> NDArray[np.float64]:
    """
    Give the step to the maximum of the quadratic approximation.

    Where underflow has made a matrix singular, diagonals count twice: a shorter step
    that still leads upwards.
    """
    system = ground(slope.information, n_methods)
    gradient = slope.gradient[:, :, np.newaxis]
    try:
        step = np.linalg.solve(system, gradient)
    except np.linalg.LinAlgError:
        diagonal = np.arange(system.shape[1])
        system[:, diagonal, diagonal] *= 2.0
        system[:, diagonal, diagonal] += np.finfo(np.float64).tiny
        step = np.linalg.solve(system, gradient)
    return np.asarray(step[:, :, 0], dtype=np.float64)


def _reach(games: NDArray[np.float64], step: NDArray[np.float64]) -> NDArray[np.float64]:
    """
    Give the most that a step moves two outcomes of one game apart, in log-odds.

    Within it the information changes by a factor of e^reach at most, as the third
    derivative of a log-sum of exponentials is at most range times variance.
    """
    n_methods = games.shape[1]
    strength = step[:, :n_methods]
    apart = np.abs(strength[:, :, np.newaxis] - strength[:, np.newaxis, :])
    apart[games == 0.0] = 0.0
    widest = apart.max(axis=(1, 2))
    if step.shape[1] > n_methods:
        widest = np.maximum(widest, widest / 2.0 + np.abs(step[:, -1]))
    return np.asarray(widest)


def _stride(
    part: Counts,
    strength: NDArray[np.float64],
    log_tie: NDArray[np.float64],
    climb: NDArray[np.float64],
    step: NDArray[np.float64],
    reach: NDArray[np.float64],
) -> NDArray[np.float64]:
    """
    Choose the share of each Newton step that is taken, so that the likelihood rises.

    With reach r and slope s along the step, the slope after a share t is at least
    s (1 - (e^(rt) - 1) / r): a whole step rises if r <= 1, a share of log(1 + r) / r
    always (Bach 2010, Proposition 1). Larger shares are tried first.
    """
    n_methods = strength.shape[1]
    safe = np.log1p(reach) / np.maximum(reach, 1.0)
    share = np.ones(len(reach))
    open_ = np.flatnonzero(reach > 1.0)
    if not open_.size:
        return share
    least = log_likelihood(
        part.won[open_], part.tied[open_], strength[open_], log_tie[open_]
    )
    while open_.size:
        move = share[open_, np.newaxis] * step[open_]
        tie = log_tie[open_] + (move[:, -1] if move.shape[1] > n_methods else 0.0)
        value = log_likelihood(
            part.won[open_], part.tied[open_], strength[open_] + move[:, :n_methods], tie
        )
        short = value < least + _ENOUGH * share[open_] * climb[open_]
        open_, least = open_[short], least[short]
        share[open_] = np.maximum(share[open_] / 2.0, safe[open_])
        unsure = share[open_] > safe[open_]
        open_, least = open_[unsure], least[unsure]
    return share
