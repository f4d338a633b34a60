"""Densities of a sum of two t variables, as tables that every pair shares.

Notes
-----
Given the three parameters of the population (centre delta0, scale sigma0 and
degrees of freedom nu), the mean of a dataset's runs is delta0 plus a t variable
with nu degrees of freedom and scale sigma0 plus another with k = n - 2 degrees of
freedom and scale s, the within-dataset deviation integrated out. With
S = hypot(s, sigma0) and y = log(sigma0 / s) the density of the sum is ::

    g(distance / S, y) / S

where g depends on k and nu alone. For one (k, nu), log g plus that power of the
distance with which it falls in the end is tabled on a grid uniform in z / (z + 10),
z the distance in units of S, and in asinh(y / 4), and read by a cubic B-spline.

g itself is the integral of p(v) q(z - v) over v, where p and q are the
densities of scales a = s / S and b = sigma0 / S. Under the map ::

    v(u) = z / (1 + exp(-u)) + (b ** 2 * exp(u) - a ** 2 * exp(-u)) / c,
    c = hypot(z, a + b)

which is about 2 a sinh near v = 0 and z + 2 b sinh near v = z, both features
have width about 1 in u however small their scales, and the trapezoidal rule
converges geometrically: a step of 0.3 leaves less than 1e-6 of g, and 5e-5 where
both densities are nearly Cauchy's.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy  # its parts load when they are used
from numpy.typing import NDArray

from beam_pandas.kernels.hierarchical_prior import degrees

__all__ = ["RunTables", "Table", "cubic_weights", "log_convolution"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Scales of the grid; it is read for y from -12 to 10 and all z.
_Z_SCALE = 10.0
_Y_SCALE, _Y_FIRST, _Y_LAST = 4.0, -12.0, 10.0
# Cells of the grid for many runs; fewer runs have smoother densities. Some more
# cells beyond the ends in y keep away what the spline does wrong at its border.
_Z_CELLS, _Y_CELLS, _SPARE = 200, 90, 5
_SHARE_BEYOND = 1e-10  # of a dataset's density outside the nodes
_BLOCK = 64  # distances at a time
_BYTES = 1 << 28  # of all tables together
# From call to call, for groups: some 25 tables of up to 0.2 MB for a number of runs.
_REMEMBERED = 256


class Table(NamedTuple):
    """
    Spline coefficients of log g for one number of runs and one nu.

    Attributes
    ----------
    coefficients : ndarray of float64
        Row by y, column by distance, with a mirrored column at either end.
    steps : tuple of two floats
        Steps of the grid in asinh(y / 4) and z / (z + 10).
    power : float
        The power of 1 / z with which g falls in the end.
    """

    coefficients: Floats
    steps: tuple[float, float]
    power: float

    def rows(self, y: Floats) -> Floats:
        """Return the coefficients in distance at each y; y is held to the grid."""
        first = np.arcsinh(_Y_FIRST / _Y_SCALE)
        last = self.coefficients.shape[0] - 1 - 2 * _SPARE
        place = (np.arcsinh(y / _Y_SCALE) - first) / self.steps[0]
        place = np.minimum(np.maximum(place, 0.0), last)
        cell = place.astype(np.int64)
        weights = np.stack(cubic_weights(place - cell), axis=-1)
        columns = cell[..., None] + np.arange(_SPARE - 1, _SPARE + 3)
        pick = scipy.sparse.csr_array(
            (weights.reshape(-1), columns.reshape(-1), np.arange(0, 4 * y.size + 1, 4)),
            shape=(y.size, self.coefficients.shape[0]),
        )
        return np.asarray(pick @ self.coefficients).reshape(*y.shape, -1)

    def read(self, rows: Floats, place: Ints, z: Floats) -> Floats:
        """
        Return log g at distances z >= 0.

        Parameters
        ----------
        rows : ndarray of float64, shape (..., n_columns)
            Coefficients from `rows`.
        place : ndarray of int64, broadcast to the shape of z
            Number of the row that each distance needs, the rows counted through.
        z : ndarray of float64
            Distances in units of S.
        """
        scaled = z / _Z_SCALE
        at = scaled / ((scaled + 1.0) * self.steps[1])
        last = rows.shape[-1] - 3
        np.minimum(at, last, out=at)
        cell = np.minimum(at.astype(np.int64), last - 1)
        weights = cubic_weights(at - cell)
        cell += place * rows.shape[-1]
        flat = rows.reshape(-1)
        value = weights[0] * flat.take(cell)
        for shift in (1, 2, 3):
            cell += 1
            value += weights[shift] * flat.take(cell)
        scaled *= scaled
        value -= self.power / 2.0 * np.log1p(scaled)
        return np.asarray(value)


class RunTables:
    """
    The tables of one call, made when first asked for.

    Parameters
    ----------
    fineness : {1, 2}, default 1
        2 for a finer grid everywhere, to check the results of the other.
    """

    def __init__(self, fineness: int = 1) -> None:
        self.fineness = fineness
        self._tables: OrderedDict[tuple[int, float], Table] = OrderedDict()
        self._bytes = 0

    def get(self, n_runs: int, t: float) -> Table:
        """Return the table for n runs and the point t of a lattice of nu."""
        key = (n_runs, t)
        if key in self._tables:
            self._tables.move_to_end(key)
            return self._tables[key]
        table = _tabulate(n_runs - 2, float(degrees(t)), self.fineness)
        self._tables[key] = table
        self._bytes += table.coefficients.nbytes
        while self._bytes > _BYTES and len(self._tables) > 1:
            old = self._tables.popitem(last=False)[1]
            self._bytes -= old.coefficients.nbytes
        return table


@lru_cache(maxsize=_REMEMBERED)
def _tabulate(k: int, nu: float, fineness: int) -> Table:
    """Return the table of log g for k and nu degrees of freedom."""
    finer = 1.4 if fineness > 1 else 1.0
    share = finer * min(1.0, np.sqrt((k + 20.0) / 60.0))
    n_y, n_z = int(_Y_CELLS * share), int(_Z_CELLS * share)
    x_step = 1.0 / (n_z + 0.5)
    x = x_step * np.arange(n_z + 1)
    first, last = np.arcsinh(np.array([_Y_FIRST, _Y_LAST]) / _Y_SCALE)
    w_step = float(last - first) / n_y
    w = first + w_step * np.arange(-_SPARE, n_y + _SPARE + 1)
    z, step = _Z_SCALE * x / (1.0 - x), 0.25 if fineness > 1 else 0.3
    grid = np.empty((w.size, z.size))
    for row, y in zip(grid, _Y_SCALE * np.sinh(w), strict=True):
        for start in range(0, z.size, _BLOCK):  # far points need more nodes than near
            part = slice(start, start + _BLOCK)
            row[part] = log_convolution(z[part], float(y), k, nu, step)
    power = 1.0 + min(k, nu)
    grid += power / 2.0 * np.log1p((z / _Z_SCALE) ** 2)
    filtered = scipy.ndimage.spline_filter(grid, 3, mode="mirror")
    mirrored = np.pad(filtered, ((0, 0), (1, 1)), mode="reflect")
    return Table(mirrored, (w_step, x_step), power)


def log_convolution(z: Floats, y: float, k: float, nu: float, step: float) -> Floats:
    """
    Return log g at distances z, by the trapezoidal rule of this module's notes.

    Parameters
    ----------
    z : ndarray of float64
        Distances, not negative.
    y : float
        Logarithm of the ratio of the scales, nu's over k's.
    k, nu : float
        Degrees of freedom.
    step : float
        Largest step of the rule.
    """
    a = 1.0 / np.hypot(1.0, np.exp(y))
    b = np.exp(y) * a
    z = z[:, None]
    c = np.hypot(z, a + b)
    reach = np.maximum(c * _SHARE_BEYOND ** (-1.0 / (k + 2.0)), z + 9.0) * c
    low, high = -np.log(reach / a**2), np.log(reach / b**2)
    n_nodes = int(np.ceil(np.max(high - low) / step)) + 1
    h = (high - low) / (n_nodes - 1)
    grown = np.exp(low + h * np.arange(n_nodes))
    share = 1.0 / (1.0 + grown)
    rest = z * share  # of the way from v = 0 to v = z
    right, left = grown * (b * b / c), a * a / c / grown
    shift = right - left
    right += left
    right += rest * (1.0 - share)  # now the derivative of v
    log_term = _log_kernel((z - rest) + shift, a, k)
    log_term += _log_kernel(rest - shift, b, nu)  # z - v, exact near v = z
    top = log_term.max(axis=1, keepdims=True)
    log_term -= top
    total = np.einsum("ij,ij->i", np.exp(log_term, out=log_term), right) * h[:, 0]
    scale = _log_constant(k) + _log_constant(nu) - np.log(a * b)
    return np.asarray(np.log(total) + top[:, 0] + scale)


def _log_kernel(v: Floats, scale: float, df: float) -> Floats:
    """Return the logarithm of a t density without its constant; v is overwritten."""
    v *= 1.0 / (scale * np.sqrt(df))
    v *= v
    np.log1p(v, out=v)
    v *= -(df + 1.0) / 2.0
    return v


def _log_constant(df: float) -> float:
    """Return the logarithm of the standard t density at 0."""
    ratio = scipy.special.gammaln((df + 1.0) / 2.0) - scipy.special.gammaln(df / 2.0)
    return float(ratio - 0.5 * np.log(df * np.pi))


def cubic_weights(share: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the weights of the four coefficients around a point of a cell."""
    rest = 1.0 - share
    square, rest_square = share * share, rest * rest
    second = 2.0 / 3.0 - square * (1.0 - 0.5 * share)
    third = 2.0 / 3.0 - rest_square * (1.0 - 0.5 * rest)
    return rest_square * rest / 6.0, second, third, square * share / 6.0
