"""The maximum of the likelihood of paired comparisons, many tables at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy  # its parts load when they are used
from numpy.typing import NDArray

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


class _Counts(NamedTuple):
    """What is fitted: wins of the row over the column, ties, and both ways together."""

    won: NDArray[np.float64]
    tied: NDArray[np.float64]
    games: NDArray[np.float64]


class _Slope(NamedTuple):
    """Gradient and information of strengths, and of log nu last where it is free."""

    gradient: NDArray[np.float64]
    information: NDArray[np.float64]


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
    part = _Counts(won, tied, won + won.swapaxes(1, 2) + tied)
    for _ in range(_MOST_ROUNDS):
        here = strength[open_], log_tie[open_]
        slope = _slope(part, *here)
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
            part = _Counts(*(counts[~done] for counts in part))
    strength -= strength.mean(axis=1, keepdims=True)
    return Solution(strength, log_tie, converged)


def _chances(
    strength: NDArray[np.float64], log_tie: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
    """Give the probability that the row outperforms the column, and that they tie."""
    gap = strength[:, :, np.newaxis] - strength[:, np.newaxis, :]
    if np.isneginf(log_tie).all():
        return scipy.special.expit(gap), None
    gap /= 2.0
    tie = log_tie[:, np.newaxis, np.newaxis]
    largest = np.maximum(np.abs(gap), tie)
    ahead, even = np.exp(gap - largest), np.exp(tie - largest)
    total = ahead + ahead.swapaxes(1, 2) + even
    return ahead / total, even / total


def _slope(
    part: _Counts, strength: NDArray[np.float64], log_tie: NDArray[np.float64]
) -> _Slope:
    """
    Give the first and minus the second derivatives of the log-likelihood.

    All terms are products of counts and probabilities, never 1 minus a probability, so
    that small ones keep their digits. The information of the strengths is the
    Laplacian of a graph whose edge i-j weighs games times the variance of (wins of i -
    wins of j) / 2 in one game, P_ij P_ji without ties.
    """
    won, tied, games = part
    win, even = _chances(strength, log_tie)
    lose = win.swapaxes(1, 2)
    n_methods = won.shape[1]
    weight = games * win
    if even is None:
        push = won * lose
        weight *= lose
        size = n_methods
    else:
        push = won * (lose + even / 2.0) - tied * win / 2.0
        weight *= lose + even / 2.0
        weight = (weight + weight.swapaxes(1, 2)) / 2.0
        size = n_methods + 1
    gradient = np.empty((len(won), size))
    gradient[:, :n_methods] = push.sum(axis=2) - push.sum(axis=1)
    information = np.empty((len(won), size, size))
    np.negative(weight, out=information[:, :n_methods, :n_methods])
    diagonal = np.arange(n_methods)
    information[:, diagonal, diagonal] = weight.sum(axis=2)
    if even is not None:
        gradient[:, -1] = (tied * win - won * even).sum(axis=(1, 2))
        shared = games * even
        cross = (shared * (lose - win)).sum(axis=2) / 2.0
        information[:, :-1, -1] = information[:, -1, :-1] = cross
        information[:, -1, -1] = (shared * win).sum(axis=(1, 2))
    return _Slope(gradient, information)


def _ground(information: NDArray[np.float64], n_methods: int) -> NDArray[np.float64]:
    """
    Make the information regular: hold the strength of one method.

    Strengths are determined up to a constant. Counting the best known method's own entry
    twice holds it where it is and leaves all differences as they are.
    """
    grounded = information.copy()
    fit = np.arange(len(information))
    diagonal = np.arange(n_methods)
    held = np.argmax(information[:, diagonal, diagonal], axis=1)
    grounded[fit, held, held] *= 2.0
    return grounded


def _newton_step(slope: _Slope, n_methods: int) -> NDArray[np.float64]:
    """
    Give the step to the maximum of the quadratic approximation.

    Where underflow has made a matrix singular, diagonals count twice: a shorter step
    that still leads upwards.
    """
    system = _ground(slope.information, n_methods)
    gradient = slope.gradient[:, :, np.newaxis]
    try:
        step = np.linalg.solve(system, gradient)
    except np.linalg.LinAlgError:
        diagonal = np.arange(system.shape[1])
        system[:, diagonal, diagonal] *= 2.0
        system[:, diagonal, diagonal] += np.finfo(np.float64).tiny
        step = np.linalg.solve(system, gradient)
    return np.asarray(step[:, :, 0])


def _reach(
    games: NDArray[np.float64], step: NDArray[np.float64]
) -> NDArray[np.float64]:
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
    part: _Counts,
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
    least = log_likelihood(part.won[open_], part.tied[open_], strength[open_], log_tie[open_])
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


def log_likelihood(
    won: NDArray[np.float64],
    tied: NDArray[np.float64],
    strength: NDArray[np.float64],
    log_tie: NDArray[np.float64],
) -> NDArray[np.float64]:
    """
    Add up the logarithms of the probabilities of all outcomes, fit by fit.

    Either no fit of the batch has ties, all `log_tie` being -inf, or each has.
    """
    gap = strength[:, :, np.newaxis] - strength[:, np.newaxis, :]
    if np.isneginf(log_tie).all():
        return np.asarray((won * scipy.special.log_expit(gap)).sum(axis=(1, 2)))
    gap /= 2.0
    tie = log_tie[:, np.newaxis, np.newaxis]
    largest = np.maximum(np.abs(gap), tie)
    total = np.exp(gap - largest) + np.exp(-gap - largest) + np.exp(tie - largest)
    total = largest + np.log(total)
    return np.asarray((won * (gap - total) + tied * (tie - total) / 2.0).sum(axis=(1, 2)))


def covariance_against_mean(
    won: NDArray[np.float64], tied: NDArray[np.float64], solution: Solution
) -> NDArray[np.float64]:
    """
    Give the covariance of strengths less their mean: the pseudo-inverse of information.

    Davidson's log nu is a nuisance: its row of the inverse is left out.

    Parameters
    ----------
    won, tied : ndarray of float64, shape (n_fits, n_methods, n_methods)
        As in `maximise`; either no fit has ties or each has.
    solution : Solution
        Where the likelihood has its maximum.

    Returns
    -------
    ndarray of float64, shape (n_fits, n_methods, n_methods)
        Rows add up to 0.
    """
    n_methods = won.shape[1]
    games = won + won.swapaxes(1, 2) + tied
    slope = _slope(_Counts(won, tied, games), solution.strength, solution.log_tie)
    inverse = np.linalg.inv(_ground(slope.information, n_methods))
    inverse = inverse[:, :n_methods, :n_methods]
    inverse -= inverse.mean(axis=1, keepdims=True)
    inverse -= inverse.mean(axis=2, keepdims=True)
    return np.asarray(inverse)
