"""Tails and quantiles of Student's t law, to the last digits on either side."""

from __future__ import annotations

import numpy as np
import scipy  # its parts load when they are used
from numpy.typing import NDArray

_FEW = 32  # degrees of freedom up to which the usual formula loses no digit to speak of

Floats = NDArray[np.float64]


def t_tail(statistic: Floats, df: Floats) -> Floats:
    """
    Give P(T > statistic) for T with so many degrees of freedom.

    Written as an incomplete beta function of t^2 or df over their sum, whichever keeps its
    digits, so that neither a tail far out nor one next to one half loses any.

    Parameters
    ----------
    statistic, df : ndarray of float64, of shapes that broadcast
        A statistic may be infinite, degrees of freedom are above 0; NaN stays NaN.

    Returns
    -------
    ndarray of float64
        From 0 to 1.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        ratio = np.asarray(statistic / np.sqrt(df))
        square = ratio * ratio
        df = np.broadcast_to(df, square.shape)
        centre = square * df < 1.0
        middle = (square < 0.5) & (df > _FEW) & ~centre
    tail = np.full(square.shape, np.nan)
    for chosen, law in ((centre, _centre), (middle, _middle), (~(centre | middle), _far)):
        tail[chosen] = 0.5 * law(df[chosen] / 2.0, square[chosen])
    return np.where(ratio < 0.0, 1.0 - tail, tail)


def _centre(half: Floats, square: Floats) -> Floats:
    """Give both tails as the complement of what is between, which is no smaller."""
    between = scipy.special.betainc(0.5, half, square / (1.0 + square))
    return np.asarray(1.0 - between, dtype=np.float64)


def _middle(half: Floats, square: Floats) -> Floats:
    """Give both tails of many degrees of freedom, of which 1 / (1 + square) says little."""
    tails = scipy.special.betaincc(0.5, half, square / (1.0 + square))
    return np.asarray(tails, dtype=np.float64)


def _far(half: Floats, square: Floats) -> Floats:
    """Give both tails by the usual formula."""
    tails = scipy.special.betainc(half, 0.5, 1.0 / (1.0 + square))
    return np.asarray(tails, dtype=np.float64)


def t_quantile(tail: float, df: Floats) -> Floats:
    """
    Give the value that is exceeded with a probability.

    Parameters
    ----------
    tail : float
        The probability, above 0 and below 1.
    df : ndarray of float64
        Degrees of freedom, above 0, or NaN.

    Returns
    -------
    ndarray of float64, same shape
        NaN where the degrees of freedom are.
    """
    each, place = np.unique(df, return_inverse=True)
    smaller = min(tail, 1.0 - tail)
    value = np.asarray(-scipy.special.stdtrit(each, smaller), dtype=np.float64)
    norm = scipy.special.gammaln((each + 1.0) / 2.0) - scipy.special.gammaln(each / 2.0)
    power = (each + 1.0) / 2.0 * np.log1p(value * value / each)
    density = np.exp(norm - power) / np.sqrt(each * np.pi)
    value += (t_tail(value, each) - smaller) / density  # one step of Newton's
    value = value if tail <= 0.5 else -value
    return np.asarray(value[place.reshape(df.shape)], dtype=np.float64)


def t_p_values(statistic: Floats, df: Floats, alternative: str) -> Floats:
    """
    Give the p-values of t statistics.

    Parameters
    ----------
    statistic, df : ndarray of float64, of shapes that broadcast
        Where there is no spread the statistic is infinite, and 0 if there is no difference
        either.
    alternative : {"two-sided", "greater", "less"}
        Which statistics speak against the hypothesis.

    Returns
    -------
    ndarray of float64
        NaN where the statistic or the degrees of freedom are.
    """
    if alternative == "two-sided":
        return np.minimum(2.0 * t_tail(np.abs(statistic), df), 1.0)
    return t_tail(statistic if alternative == "greater" else -statistic, df)
