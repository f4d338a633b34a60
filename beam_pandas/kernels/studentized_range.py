"""Upper tail and quantile of the range of k standard normal variables."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import cast

import numpy as np
import scipy  # its parts load when they are used
from numpy.typing import NDArray

_STEP = 1.0 / 16.0
_CELL = 1.0  # width of an interpolation cell
_NODES = 20  # Chebyshev nodes in each cell
_TAIL = 39.0  # exp(-39**2 / 2) is below the smallest positive float
_SECTIONS, _ROUNDS = 16, 12  # 16**-12 is below the precision of a float
_BEYOND = 60.0  # a range that even a million variables exceed with probability 0.0


def range_sf(q: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """
    Probability that the range of k independent standard normals exceeds q.

    This is the studentized range with infinite degrees of freedom. With phi and Phi
    the normal density and distribution and z the largest of the k values,

        P(range > q) = integral of k phi(z) Phi(z)**(k-1) (1 - (1 - r)**(k-1)) dz,
        r = Phi(z - q) / Phi(z),

    where no two terms cancel: the result has full relative accuracy far into the
    tail. The integrand is analytic and falls off like a normal density, so that the
    trapezoidal rule converges faster than any power of its step. Many distinct q are
    interpolated: ln P on Chebyshev nodes, cell by cell.

    Parameters
    ----------
    q : ndarray of float64
        Ranges, not negative.
    k : int
        Number of variables, at least 2.

    Returns
    -------
    ndarray of float64, same shape as q
        Relative error about 1e-12; 0 only below the smallest positive float.

    References
    ----------
    Harter, H. L. (1960). Annals of Mathematical Statistics 31(4), 1122-1147, eq. 1.
    doi:10.1214/aoms/1177705684
    """
    points = np.minimum(np.asarray(q, dtype=np.float64), _BEYOND)
    distinct, inverse = np.unique(points, return_inverse=True)
    n_cells = max(math.ceil(distinct[-1] / _CELL), 1) if distinct.size else 1
    if distinct.size <= n_cells * _NODES:
        log_sf = _log_sf(distinct, k)
    else:
        log_sf = _interpolated_log_sf(distinct, k, n_cells)
    return np.exp(np.minimum(log_sf, 0.0))[inverse].reshape(points.shape)


@lru_cache(maxsize=512)
def range_quantile(alpha: float, k: int) -> float:
    """
    Value that the range of k independent standard normals exceeds with probability alpha.

    Parameters
    ----------
    alpha : float
        Upper tail probability, between 0 and 1.
    k : int
        Number of variables, at least 2.

    Returns
    -------
    float
        Divided by the square root of 2 it is the q of Nemenyi's critical difference.
    """
    target = math.log(alpha)
    low, high = 0.0, 4.0
    while _log_sf(np.array([high]), k)[0] > target:
        low, high = high, 2.0 * high
    for _ in range(_ROUNDS):  # scipy.optimize would take longer to load than all of this
        points = np.linspace(low, high, _SECTIONS + 1)
        beyond = np.flatnonzero(_log_sf(points[1:-1], k) <= target)
        at = int(beyond[0]) + 1 if beyond.size else _SECTIONS
        low, high = float(points[at - 1]), float(points[at])
    return (low + high) / 2.0


def _log_sf(q: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """Natural logarithm of the upper tail by the trapezoidal rule, one row a q."""
    upper = math.sqrt(2.0 * math.log(k)) + _TAIL / 2.0
    z = np.arange(-upper, upper + float(q.max(initial=0.0)) / 2.0 + _STEP, _STEP)
    log_cdf = scipy.special.log_ndtr(z)
    log_density = (
        math.log(k) - 0.5 * math.log(2.0 * math.pi) - 0.5 * z**2 + (k - 1) * log_cdf
    )
    log_ratio = scipy.special.log_ndtr(z - q[:, None]) - log_cdf
    log_miss = _log_one_minus_power(np.minimum(log_ratio, 0.0), k)
    log_sum = scipy.special.logsumexp(log_density + log_miss, axis=1) + math.log(_STEP)
    return cast("NDArray[np.float64]", log_sum)


def _log_one_minus_power(log_r: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """Evaluate ln(1 - (1 - r)**(k - 1)) from ln r without cancellation."""
    with np.errstate(divide="ignore", under="ignore"):
        r = np.exp(log_r)
        log_none = (k - 1) * np.log1p(-r)
        log_some = np.log(-np.expm1(log_none))
        tiny = r < 1e-290  # 1 - (1 - r)**m is m r there, even where r underflows
    result: NDArray[np.float64] = np.where(tiny, math.log(k - 1) + log_r, log_some)
    return result


def _interpolated_log_sf(
    q: NDArray[np.float64], k: int, n_cells: int
) -> NDArray[np.float64]:
    """Interpolate the logarithm between Chebyshev nodes by the barycentric formula."""
    index = np.arange(_NODES)
    angle = (2 * index + 1) * math.pi / (2 * _NODES)
    node = (1.0 - np.cos(angle)) / 2.0  # in (0, 1), ascending
    weight = (-1.0) ** index * np.sin(angle)
    knots = (np.arange(n_cells)[:, None] + node) * _CELL
    values = _log_sf(knots.ravel(), k).reshape(knots.shape)
    cell = np.minimum((q / _CELL).astype(np.intp), n_cells - 1)
    offset = (q / _CELL - cell)[:, None] - node
    exact = offset == 0.0
    offset[exact] = 1.0
    share = weight / offset
    result: NDArray[np.float64] = (share * values[cell]).sum(axis=1) / share.sum(axis=1)
    row, column = np.nonzero(exact)
    result[row] = values[cell[row], column]
    return result
