"""Shares of a posterior of delta0 in which a region is the most probable.

For the next dataset the true difference is delta0 plus sigma0 times a t variable with nu
degrees of freedom. It is better than, within or worse than the rope with probabilities
T((delta0 - rope) / sigma0), the rest and T((-rope - delta0) / sigma0). The most probable
of them changes at delta0 = cut and -cut, where cut solves ::

    2 T((cut - rope) / sigma0) = T((cut + rope) / sigma0)

and is 0 where the rope is never the most probable, that is from sigma0 = rope / q on, q
the quantile of 2/3. Integrals over delta0 are broken there, exactly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy  # its parts load when they are used
from numpy.typing import NDArray

__all__ = ["NODES", "SUMS", "Strips", "cut_points", "nodes", "region_sums", "widest_rope"]

Floats = NDArray[np.float64]

# What `region_sums` adds up: the mass, its parts where better and where worse is the
# most probable, the mass times the probability of better and of worse, times delta0.
SUMS = 6

NODES = 8  # of a cell
_INNER = 6  # of a part of a cell
_ROUNDS = 10  # of Newton's method
# Breaks around the rope, in units of sigma0: the probabilities change there.
_STEPS = np.array([-24.0, -6.0, -1.5, 0.0, 1.5, 6.0, 24.0])
_NODE, _WEIGHT = np.polynomial.legendre.leggauss(NODES)
_INNER_NODE, _INNER_WEIGHT = np.polynomial.legendre.leggauss(_INNER)
# From values at the nodes to coefficients of Legendre polynomials.
_TO_LEGENDRE = (
    np.polynomial.legendre.legvander(_NODE, NODES - 1)
    * _WEIGHT[:, None]
    * (np.arange(NODES) + 0.5)
)


class Strips(NamedTuple):
    """
    Intervals of delta0, each at one sigma0.

    Attributes
    ----------
    middle, half : ndarray of float64
        Middles of the intervals and halves of their widths.
    sigma, cut : ndarray of float64
        For each sigma0, and the delta0 where the most probable region changes.
    """

    middle: Floats
    half: Floats
    sigma: Floats
    cut: Floats

    def of(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> Strips:
        """Return some of the strips."""
        return Strips(*(field[rows] for field in self))


def widest_rope(nu: float, rope: float) -> float:
    """Return the sigma0 from which on the rope is never the most probable region."""
    return rope / float(scipy.special.stdtrit(nu, 2.0 / 3.0))


def cut_points(sigma: Floats, nu: float, rope: float) -> Floats:
    """
    Return for each sigma0 the delta0 from which on better is the most probable.

    Newton's method, held in a bracket.
    """
    reach = rope / sigma
    low, high = np.zeros(sigma.size), reach.copy()
    never = 3.0 * scipy.special.stdtr(nu, reach) <= 2.0
    cut = reach
    constant = scipy.special.gammaln((nu + 1.0) / 2.0) - scipy.special.gammaln(nu / 2.0)
    constant = np.exp(constant) / np.sqrt(nu * np.pi)
    for _ in range(_ROUNDS):
        near, far = cut - reach, cut + reach
        excess = 2.0 * scipy.special.stdtr(nu, near) - scipy.special.stdtr(nu, far)
        high = np.where(excess > 0.0, cut, high)
        low = np.where(excess > 0.0, low, cut)
        density = np.exp(-(nu + 1.0) / 2.0 * np.log1p(np.stack([near, far]) ** 2 / nu))
        slope = constant * (2.0 * density[0] - density[1])
        with np.errstate(divide="ignore", invalid="ignore"):
            cut = cut - excess / slope
        cut = np.where((cut >= low) & (cut <= high), cut, (low + high) / 2.0)
    return np.where(never, 0.0, cut * sigma)


def nodes(middle: Floats, half: Floats) -> Floats:
    """Return the nodes of the Gauss-Legendre rule, a row an interval."""
    return middle[:, None] + half[:, None] * _NODE


def region_sums(log_mass: Floats, strips: Strips, nu: float, rope: float) -> Floats:
    """
    Integrate over delta0.

    Parameters
    ----------
    log_mass : ndarray of float64, shape (n_strips, 8)
        Logarithm of the density at the nodes of each strip.
    strips : Strips
        The intervals.
    nu, rope : float
        Degrees of freedom and half-width of the rope.

    Returns
    -------
    ndarray of float64, shape (n_strips, 6)
        See `SUMS`.
    """
    middle, half, sigma, cut = strips
    broken = (np.abs(middle - cut) < half) | (np.abs(middle + cut) < half)
    for edge in (-rope, rope):
        broken |= (np.abs(middle - edge) < half + 3.0 * sigma) & (half > sigma)
    sums = np.empty((middle.size, SUMS))
    whole = ~broken
    mass = np.exp(log_mass[whole]) * (_WEIGHT * half[whole, None])
    delta = nodes(middle[whole], half[whole])
    sums[whole] = _row_sums(delta, mass, sigma[whole], cut[whole], nu, rope)
    part = strips.of(broken)
    owner, delta, log_inner, weight = _parts(log_mass[broken], part, rope)
    mass = np.exp(log_inner) * weight
    inner = _row_sums(delta, mass, part.sigma[owner], part.cut[owner], nu, rope)
    sums[broken] = np.stack(
        [np.bincount(owner, column, minlength=part.half.size) for column in inner.T], axis=1
    )
    return sums


def _parts(
    log_mass: Floats, strips: Strips, rope: float
) -> tuple[NDArray[np.intp], Floats, Floats, Floats]:
    """
    Break strips where the integrand does, its logarithm interpolated from the nodes.

    Returns
    -------
    owner : ndarray of int64
        The strip of each part.
    delta, log_inner, weight : ndarray of float64, shape (n_parts, 6)
        Nodes of the parts, the logarithm of the density there, and weights.
    """
    middle, half, sigma, cut = (field[:, None] for field in strips)
    steps = _STEPS * sigma
    breaks = np.concatenate([cut, -cut, rope + steps, -rope + steps], axis=1)
    local = np.sort(np.clip((breaks - middle) / half, -1.0, 1.0), axis=1)
    ends = np.ones_like(half)
    local = np.concatenate([-ends, local, ends], axis=1)
    length = np.diff(local, axis=1)
    owner, part = np.nonzero(length > 0.0)
    start, size = local[owner, part][:, None], length[owner, part][:, None]
    node = start + size * ((_INNER_NODE + 1.0) / 2.0)
    coefficient = (log_mass @ _TO_LEGENDRE)[owner].T[:, :, None]
    log_inner = np.polynomial.legendre.legval(node, coefficient, tensor=False)
    delta: Floats = middle[owner] + half[owner] * node
    weight: Floats = size * half[owner] / 2.0 * _INNER_WEIGHT
    log_density: Floats = np.asarray(log_inner, dtype=np.float64)
    return owner, delta, log_density, weight


def _row_sums(
    delta: Floats, mass: Floats, sigma: Floats, cut: Floats, nu: float, rope: float
) -> Floats:
    """Return the sums over rows of nodes, each row between two breaks."""
    scale = sigma[:, None]
    better = scipy.special.stdtr(nu, (delta - rope) / scale)
    worse = scipy.special.stdtr(nu, (-rope - delta) / scale)
    centre, total = (delta[:, 0] + delta[:, -1]) / 2.0, mass.sum(axis=1)
    return np.stack(
        [
            total,
            np.where(centre > cut, total, 0.0),
            np.where(centre < -cut, total, 0.0),
            np.einsum("ij,ij->i", mass, better),
            np.einsum("ij,ij->i", mass, worse),
            np.einsum("ij,ij->i", mass, delta),
        ],
        axis=1,
    )
