"""
Regions of highest density of a Dirichlet distribution with three parts.

The first part has a beta distribution, and the share of the second in the rest another,
independent one. A lattice over both distribution functions, finer towards their ends, gives
points whose probabilities are known, and the density which a share of the distribution
exceeds is a quantile of the densities at these points: no draws, no random error.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainccinv, betaincinv

__all__ = ["density_levels", "log_density"]

_POINTS = 20_000
_GOLDEN = 0.6180339887498949  # its multiples spread evenly over 0 to 1


def log_density(
    weights: NDArray[np.float64], points: NDArray[np.float64]
) -> NDArray[np.float64]:
    """
    Give the logarithm of the density up to a constant.

    Parameters
    ----------
    weights : ndarray of float64, shape (n_parts,)
        Parameters of the Dirichlet distribution, all above 0.
    points : ndarray of float64, shape (..., n_parts)
        Shares that add up to 1.

    Returns
    -------
    ndarray of float64, shape (...)
    """
    powers = weights - 1.0
    found = np.zeros(points.shape[:-1])
    with np.errstate(divide="ignore"):
        for at in np.flatnonzero(powers):  # a power of 0 is 1 even at the edge
            found = found + powers[at] * np.log(points[..., at])
    return found


def density_levels(
    weights: NDArray[np.float64], shares: Sequence[float]
) -> NDArray[np.float64]:
    """
    Find the densities that shares of the distribution exceed.

    Parameters
    ----------
    weights : ndarray of float64, shape (3,)
        Parameters of the Dirichlet distribution, all above 0.
    shares : sequence of float
        Between 0 and 1, such as .95 for the region that holds 95 %.

    Returns
    -------
    ndarray of float64
        Logarithms of the densities, up to the constant of `log_density`.
    """
    at = np.arange(_POINTS) + 0.5
    parts = np.stack([at / _POINTS, at * _GOLDEN % 1.0])
    one_step, other_step = parts * parts * (3.0 - 2.0 * parts)
    mass = np.prod(parts * (1.0 - parts), axis=0)
    first, rest_of = _both(weights[0], weights[1] + weights[2], one_step)
    second, third = _both(weights[1], weights[2], other_step)
    powers = weights - 1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        one = powers[0] * np.log(first) + (powers[1] + powers[2]) * np.log(rest_of)
        other = powers[1] * np.log(second) + powers[2] * np.log(third)
    densities = one + other
    order = np.argsort(-densities, kind="stable")
    inside = np.cumsum(mass[order])
    found: NDArray[np.float64] = np.interp(
        np.asarray(shares) * inside[-1], inside - mass[order] / 2.0, densities[order]
    )
    return found


def _both(
    one: float, other: float, steps: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give quantiles of a beta distribution and what they lack to 1, both exact."""
    return betaincinv(one, other, steps), betainccinv(other, one, steps)
