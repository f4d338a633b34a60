"""The prior of the degrees of freedom in the hierarchical correlated t model.

Notes
-----
The population of the datasets' true differences is a t distribution whose
degrees of freedom nu have nu - 1 ~ Gamma(shape a, rate b), with a and b uniform
on intervals ([1]_, section 4). Both are integrated out here, once for all pairs.

Everything is a function of t with nu - 1 = exp(t - exp(-t - 3)), on a lattice of
equal steps: for large t this is the logarithm of nu - 1; for small t, nu comes
so fast to 1 that no lattice point beyond about -6 matters, whatever the power
of nu - 1 with which the prior starts. The trapezoidal rule in t then converges
geometrically.

References
----------
.. [1] G. Corani, A. Benavoli, J. Demsar, F. Mangili and M. Zaffalon,
   "Statistical comparison of classifiers through Bayesian hierarchical
   modelling", Machine Learning 106, 1817-1837, 2017.
   https://doi.org/10.1007/s10994-017-5641-9
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import scipy  # its parts load when they are used
from numpy.typing import NDArray

__all__ = ["HYPERPRIORS", "STEP", "Hyperprior", "degrees", "lattice", "log_prior"]

Floats = NDArray[np.float64]

Hyperprior = Literal["paper", "baycomp"]

# Bounds of a, then of b: those of the paper, and those that baycomp has.
HYPERPRIORS: dict[Hyperprior, tuple[float, float, float, float]] = {
    "paper": (0.5, 5.0, 0.05, 0.15),
    "baycomp": (1.0, 2.0, 0.01, 0.1),
}

# Step of the coarsest lattice; its first and last point, where nu is 1 + 1e-11
# and above 1000, and what lies beyond has less than 1e-6 of the prior.
STEP = 0.5
_LOWEST, _HIGHEST = -6.0, 7.0
_BEND = 3.0
_NODES = 24


def lattice(level: int) -> Floats:
    """Return the points t of the lattice whose step is `STEP` halved `level` times."""
    step = STEP / 2.0**level
    place = np.arange(round(_LOWEST / step), round(_HIGHEST / step) + 1)
    return np.asarray(place * step, dtype=np.float64)


def degrees(t: Floats | float) -> Floats:
    """Return nu at the points t."""
    return np.asarray(1.0 + np.exp(_log_excess(np.asarray(t, dtype=np.float64))))


def log_prior(t: Floats, hyperprior: Hyperprior) -> Floats:
    """
    Return the logarithm of the prior density of t.

    Parameters
    ----------
    t : ndarray of float64
        Points, as in the notes of this module.
    hyperprior : {"paper", "baycomp"}
        The bounds of the uniform distributions of a and b.

    Returns
    -------
    ndarray of float64, same shape
        The density of nu - 1, its parameters integrated out by Gauss-Legendre rules of
        24 nodes each, times the derivative of nu with respect to t.
    """
    a_low, a_high, b_low, b_high = HYPERPRIORS[hyperprior]
    node, weight = np.polynomial.legendre.leggauss(_NODES)
    a = ((a_low + a_high) + (a_high - a_low) * node)[:, None] / 2.0
    b = ((b_low + b_high) + (b_high - b_low) * node) / 2.0
    log_x = _log_excess(t)[..., None, None]
    power = a * (np.log(b) + log_x) - b * np.exp(log_x) - scipy.special.gammaln(a)
    joint = weight[:, None] * weight / 4.0
    density = np.sum(joint * np.exp(power), axis=(-2, -1))  # of log(nu - 1)
    with np.errstate(divide="ignore"):  # beyond the last double: no probability
        return np.asarray(np.log(density) + np.log1p(np.exp(-t - _BEND)))


def _log_excess(t: Floats) -> Floats:
    """Return log(nu - 1)."""
    return np.asarray(t - np.exp(-t - _BEND))
