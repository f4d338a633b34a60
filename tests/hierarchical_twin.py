"""A slow and obvious twin of the hierarchical posterior: sums over uniform grids."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import interpolate, special, stats

Floats = NDArray[np.float64]

BOUNDS = {"paper": (0.5, 5.0, 0.05, 0.15), "baycomp": (1.0, 2.0, 0.01, 0.1)}
_FINER = 10  # points of log sigma for each, where the most probable region is looked up
_COUNT = 81  # points of each hyperparameter


def twin(
    differences: list[Floats],
    rope: float,
    share: float,
    hyperprior: str,
    *,
    step: float,
    reach: float,
    log_sigma: tuple[float, float, int],
    n_nu: int = 27,
) -> Floats:
    """
    The three prob and the three expected of the next dataset.

    Parameters
    ----------
    differences : list of ndarray of float64
        For each dataset the differences of its runs.
    rope, share, hyperprior
        As in `hierarchical`.
    step, reach : float
        Distance of the points for a true difference, and how far beyond the means they go.
    log_sigma : tuple of float, float, int
        Ends and number of the points for the logarithm of the scale.
    n_nu : int
        Number of points for the logarithm of nu - 1.
    """
    means = np.array([d.mean() for d in differences])
    first = np.floor((means.min() - reach) / step) + 0.25  # 0 is half-way, once refined
    grid = step * np.arange(first, (means.max() + reach) / step)
    within = np.stack([_likelihood(d, grid, rope, share) for d in differences], axis=1)
    x = np.linspace(*log_sigma)
    fine_grid, fine_x = (_refine(points, by) for points, by in ((grid, 2), (x, _FINER)))
    offset = np.arange(-grid.size, grid.size + 1) * step - step / 2.0
    total, top = np.zeros(6), None
    for at in np.linspace(-20.0, 6.0, n_nu):
        nu, height = 1.0 + np.exp(at), np.empty((x.size, grid.size))
        for row, log_scale in enumerate(x):
            cells = np.diff(special.stdtr(nu, offset / np.exp(log_scale)))
            shifts = np.lib.stride_tricks.sliding_window_view(cells, grid.size)
            height[row] = np.log(shifts[1:][::-1] @ within).sum(axis=1) + log_scale
        top = height.max() if top is None else top
        smooth = interpolate.make_interp_spline(x, height, k=3)(fine_x)
        weight = _prior(at, hyperprior)
        for log_scale, log_mass in zip(fine_x, smooth, strict=True):
            sigma = np.exp(log_scale)
            mass = weight * np.exp(np.interp(fine_grid, grid, log_mass) - top)
            better = special.stdtr(nu, (fine_grid - rope) / sigma)
            worse = special.stdtr(nu, (-rope - fine_grid) / sigma)
            regions = np.stack([better, 1.0 - better - worse, worse])
            largest = regions == regions.max(axis=0)
            total[:3] += largest @ mass
            total[3:] += regions @ mass
    return total / total[:3].sum()


def _refine(points: Floats, by: int) -> Floats:
    """Put points between those of a uniform grid."""
    return np.linspace(points[0], points[-1], by * (points.size - 1) + 1)


def _likelihood(runs: Floats, grid: Floats, rope: float, share: float) -> Floats:
    """The density of a dataset's runs as a function of its true difference."""
    n = runs.size
    variance = runs.var() if np.ptp(runs) > 1e-13 else rope**2 / 3.0
    scale = np.sqrt((1.0 / n + share / (1.0 - share)) * n * variance / (n - 2))
    return stats.t.pdf(grid, n - 2, runs.mean(), scale)


def _prior(log_excess: float, hyperprior: str) -> float:
    """The density of the logarithm of nu - 1, by midpoints of both hyperparameters."""
    a_low, a_high, b_low, b_high = BOUNDS[hyperprior]
    middle = (np.arange(_COUNT) + 0.5) / _COUNT
    a, b = a_low + (a_high - a_low) * middle[:, None], b_low + (b_high - b_low) * middle
    excess = np.exp(log_excess)
    return float(stats.gamma.pdf(excess, a, scale=1.0 / b).mean() * excess)
