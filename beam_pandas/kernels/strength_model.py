"""The likelihood of paired comparisons and its derivatives, many tables at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy  # its parts load when they are used
from numpy.typing import NDArray


class Counts(NamedTuple):
    """What is fitted: wins of the row over the column, ties, and both ways together."""

    won: NDArray[np.float64]
    tied: NDArray[np.float64]
    games: NDArray[np.float64]


class Slope(NamedTuple):
    """Gradient and information of strengths, and of log nu last where it is free."""

    gradient: NDArray[np.float64]
    information: NDArray[np.float64]


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


def slope_of(
    part: Counts, strength: NDArray[np.float64], log_tie: NDArray[np.float64]
) -> Slope:
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
    return Slope(gradient, information)


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


def ground(information: NDArray[np.float64], n_methods: int) -> NDArray[np.float64]:
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


def covariance_against_mean(
    won: NDArray[np.float64],
    tied: NDArray[np.float64],
    strength: NDArray[np.float64],
    log_tie: NDArray[np.float64],
) -> NDArray[np.float64]:
    """
    Give the covariance of strengths less their mean: the pseudo-inverse of information.

    Davidson's log nu is a nuisance: its row of the inverse is left out.

    Parameters
    ----------
    won, tied : ndarray of float64, shape (n_fits, n_methods, n_methods)
        As in `log_likelihood`.
    strength : ndarray of float64, shape (n_fits, n_methods)
    log_tie : ndarray of float64, shape (n_fits,)
        Where the likelihood has its maximum.

    Returns
    -------
    ndarray of float64, shape (n_fits, n_methods, n_methods)
        Rows add up to 0.
    """
    n_methods = won.shape[1]
    games = won + won.swapaxes(1, 2) + tied
    slope = slope_of(Counts(won, tied, games), strength, log_tie)
    inverse = np.linalg.inv(ground(slope.information, n_methods))
    inverse = inverse[:, :n_methods, :n_methods]
    inverse -= inverse.mean(axis=1, keepdims=True)
    inverse -= inverse.mean(axis=2, keepdims=True)
    return np.asarray(inverse)
