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

__all__ = ["SUMS", "Cells", "cut_points", "region_sums", "widest_rope"]

Floats = NDArray[np.float64]

# What `region_sums` adds up: the mass, its parts where better and where worse is the
# most probable, the mass times the probability of better and of worse, times delta0.
SUMS = 6

NODES = 8  # of a cell
_INNER = 6  # of a part of a cell
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


class Cells(NamedTuple):
    """
    Intervals of delta0 and the nodes of a Gauss-Legendre rule in each.

    Attributes
    ----------
    low, high : ndarray of float64
        Ends of the intervals.
    """

    low: Floats
    high: Floats

    @property
    def middle(self) -> Floats:
        """Middles of the intervals."""
        return (self.low + self.high) / 2.0

    @property
    def half(self) -> Floats:
        """Half of the widths."""
        return (self.high - self.low) / 2.0

    @property
    def nodes(self) -> Floats:
        """Nodes, a row an interval."""
        return self.middle[:, None] + self.half[:, None] * _NODE


def widest_rope(nu: float, rope: float) -> float:
    """Return the sigma0 from which on the rope is never the most probable region."""
    return rope / float(scipy.special.stdtrit(nu, 2.0 / 3.0))


def cut_points(sigma: Floats, nu: float, rope: float) -> Floats:
    """Return for each sigma0 the delta0 from which on better is the most probable."""
    reach = rope / sigma
    low, high = np.zeros(sigma.size), reach.copy()
    below = 3.0 * scipy.special.stdtr(nu, reach) <= 2.0
    for _ in range(54):
        middle = (low + high) / 2.0
        beyond = 2.0 * scipy.special.stdtr(nu, middle - reach) > scipy.special.stdtr(
            nu, middle + reach
        )
        high = np.where(beyond, middle, high)
        low = np.where(beyond, low, middle)
    return np.where(below, 0.0, (low + high) / 2.0 * sigma)


def region_sums(
    log_mass: Floats, cells: Cells, sigma: Floats, cut: Floats, nu: float, rope: float
) -> Floats:
    """
    Integrate over delta0.

    Parameters
    ----------
    log_mass : ndarray of float64, shape (n_sigma, n_cells, 8)
        Logarithm of the density at the nodes of each cell.
    cells : Cells
        The cells.
    sigma, cut : ndarray of float64, shape (n_sigma,)
        Scales, and for each where the most probable region changes.
    nu, rope : float
        Degrees of freedom and half-width of the rope.

    Returns
    -------
    ndarray of float64, shape (n_sigma, 6)
        See `SUMS`.
    """
    middle, half = cells.middle, cells.half
    width = sigma[:, None]
    broken = (cut[:, None] > cells.low) & (cut[:, None] < cells.high)
    broken |= (-cut[:, None] > cells.low) & (-cut[:, None] < cells.high)
    for edge in (-rope, rope):
        broken |= (np.abs(middle - edge) < half + 3.0 * width) & (half > width)
    shape = (*broken.shape, NODES)
    delta = np.broadcast_to(cells.nodes, shape)[~broken]
    place = np.nonzero(~broken)[0]
    mass = np.exp(log_mass[~broken]) * (_WEIGHT * half[:, None])[np.nonzero(~broken)[1]]
    sums = np.zeros((sigma.size, SUMS))
    _add(sums, place, delta, mass, sigma, cut, nu, rope)
    at_sigma, at_cell = np.nonzero(broken)
    if at_sigma.size:
        owner, delta, log_inner, weight = _parts(
            log_mass[broken], middle[at_cell], half[at_cell], sigma[at_sigma],
            cut[at_sigma], rope,
        )
        mass = np.exp(log_inner) * weight
        _add(sums, at_sigma[owner], delta, mass, sigma, cut, nu, rope)
    return sums


def _parts(
    log_mass: Floats, middle: Floats, half: Floats, sigma: Floats, cut: Floats, rope: float
) -> tuple[NDArray[np.int64], Floats, Floats, Floats]:
    """
    Break cells where the integrand does, its logarithm interpolated from the nodes.

    Returns
    -------
    owner : ndarray of int64
        The cell of each part.
    delta, log_inner, weight : ndarray of float64, shape (n_parts, 6)
        Nodes of the parts, the logarithm of the density there, and weights.
    """
    steps = _STEPS * sigma[:, None]
    breaks = np.concatenate(
        [cut[:, None], -cut[:, None], rope + steps, -rope + steps], axis=1
    )
    local = np.sort(np.clip((breaks - middle[:, None]) / half[:, None], -1.0, 1.0), axis=1)
    ends = np.ones((middle.size, 1))
    local = np.concatenate([-ends, local, ends], axis=1)
    length = np.diff(local, axis=1)
    owner, part = np.nonzero(length > 0.0)
    start, length = local[owner, part], length[owner, part]
    node = start[:, None] + length[:, None] * ((_INNER_NODE + 1.0) / 2.0)
    coefficient = (log_mass @ _TO_LEGENDRE)[owner].T[:, :, None]
    log_inner = np.polynomial.legendre.legval(node, coefficient, tensor=False)
    weight = (length * half[owner] / 2.0)[:, None] * _INNER_WEIGHT
    delta = middle[owner][:, None] + half[owner][:, None] * node
    return owner, delta, np.asarray(log_inner), weight


def _add(
    sums: Floats,
    place: NDArray[np.intp],
    delta: Floats,
    mass: Floats,
    sigma: Floats,
    cut: Floats,
    nu: float,
    rope: float,
) -> None:
    """Add to the sums what rows of nodes hold, each between two breaks."""
    scale = sigma[place][:, None]
    better = scipy.special.stdtr(nu, (delta - rope) / scale)
    worse = scipy.special.stdtr(nu, (-rope - delta) / scale)
    centre = (delta[:, 0] + delta[:, -1]) / 2.0
    total = mass.sum(axis=1)
    parts = (
        total,
        np.where(centre > cut[place], total, 0.0),
        np.where(centre < -cut[place], total, 0.0),
        np.sum(mass * better, axis=1),
        np.sum(mass * worse, axis=1),
        np.sum(mass * delta, axis=1),
    )
    for column, part in enumerate(parts):
        sums[:, column] += np.bincount(place, part, minlength=sigma.size)
