"""
Regions of highest density of a Dirichlet distribution with three parts.

The first part has a beta distribution, and the share of the second in the rest another,
independent one. Points with equal steps in both distribution functions each carry the same
probability, so that the density which a share of the distribution exceeds is a quantile of
the densities at these points: no draws, no random error.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainccinv, betaincinv

__all__ = ["density_levels", "log_density"]

_STEPS = 600  # of each distribution function


def log_density(weights: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray:
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
    steps = (np.arange(_STEPS) + 0.5) / _STEPS
    first, rest_of = _both(weights[0], weights[1] + weights[2], steps)
    second, third = _both(weights[1], weights[2], steps)
    powers = weights - 1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        one = powers[0] * np.log(first) + (powers[1] + powers[2]) * np.log(rest_of)
        other = powers[1] * np.log(second) + powers[2] * np.log(third)
    densities = (one[:, None] + other).ravel()
    densities = np.nan_to_num(densities, nan=np.inf, posinf=np.inf, neginf=-np.inf)
    found: NDArray[np.float64] = np.quantile(densities, 1.0 - np.asarray(shares))
    return found


def _both(
    one: float, other: float, steps: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give quantiles of a beta distribution and what they lack to 1, both exact."""
    return betaincinv(one, other, steps), betainccinv(other, one, steps)
