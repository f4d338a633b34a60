"""Where the posterior of the hierarchical model has its mass.

The posterior of the three parameters of the population is looked for on coarse grids,
delta0 at the means of the datasets and half-way between them, and panels for the
integration are laid where it is within `DEPTH` of its largest logarithm. In delta0,
where there may be several modes far from each other, panels come from halving intervals:
one is dropped only if a strict bound of the likelihood in it is too low, so that no mode
can be overlooked however narrow it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy  # its parts load when they are used
from numpy.typing import NDArray

from beam_pandas.kernels.hierarchical_likelihood import (
    Datasets,
    Likelihood,
    likelihood_at,
)
from beam_pandas.kernels.hierarchical_prior import (
    STEP,
    Hyperprior,
    lattice,
    log_prior,
)
from beam_pandas.kernels.hierarchical_table import RunTables

__all__ = ["Search", "cells", "panel_edges", "profile", "search"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DEPTH = 18.0  # logarithms of the density below its maximum that still count
_NU_DEPTH = 13.0  # the same for nu, whose sum has light tails
_MOST_MEANS = 24  # of which the coarse grid is made
_COARSE, _POINTS = 0.75, 16  # largest step in log sigma0, points of a finer grid
_CELL = 3.5  # width of a cell in delta0, in widths of the likelihood


class Search(NamedTuple):
    """
    What the coarse grids found.

    Attributes
    ----------
    t : ndarray of float64
        Points of the lattice of nu to integrate over.
    step : float
        The lattice's step.
    windows : ndarray of float64, shape (n, 2)
        Lowest and highest log sigma0 for each.
    top : float
        The largest logarithm of the coarse posterior.
    candidates : ndarray of float64
        The values of delta0 that were tried.
    """

    t: Floats
    step: float
    windows: Floats
    top: float
    candidates: Floats


def search(
    datasets: Datasets, tables: RunTables, hyperprior: Hyperprior, fineness: int
) -> Search:
    """Return the points of nu and the windows of sigma0 that hold the posterior."""
    candidates = _candidates(datasets)
    t = lattice(0)[::2]
    prior = log_prior(t, hyperprior)
    possible = prior > prior.max() - DEPTH
    t, prior = t[possible], prior[possible]
    windows, marginal, top = np.empty((t.size, 2)), np.empty(t.size), np.empty(t.size)
    for at, point in enumerate(t.tolist()):
        likelihood = likelihood_at(point, datasets, tables)
        x, height = _scan(likelihood, candidates)
        windows[at] = x[0], x[-1]
        top[at] = height.max()
        marginal[at] = top[at] + np.log(np.trapezoid(np.exp(height - top[at]), x))
    marginal += prior
    fine = np.linspace(t[0], t[-1], 40 * t.size)
    smooth = scipy.interpolate.make_interp_spline(t, marginal, k=3)(fine)
    weight = np.exp(smooth - smooth.max())
    centre = np.sum(weight * fine) / weight.sum()
    deviation = np.sqrt(np.sum(weight * (fine - centre) ** 2) / weight.sum())
    level = int(np.clip(np.ceil(np.log2(STEP / (1.1 * deviation))), 0, 5)) + fineness - 1
    kept = fine[smooth > smooth.max() - _NU_DEPTH]
    points = lattice(level)
    step = STEP / 2.0**level
    points = points[(points > kept[0] - step) & (points < kept[-1] + step)]
    low, high = windows.T
    around = np.stack(  # the nearest points of the coarse lattice on either side
        [
            np.minimum(_before(t, points, low), _after(t, points, low)),
            np.maximum(_before(t, points, high), _after(t, points, high)),
        ],
        axis=1,
    )
    return Search(points, step, around, float((top + prior).max()), candidates)


def _before(t: Floats, points: Floats, values: Floats) -> Floats:
    """Return the values at the last t that is not above each point."""
    at = np.clip(np.searchsorted(t, points, side="right") - 1, 0, t.size - 1)
    return values[at]


def _after(t: Floats, points: Floats, values: Floats) -> Floats:
    """Return the values at the first t that is not below each point."""
    return values[np.clip(np.searchsorted(t, points), 0, t.size - 1)]


def _candidates(datasets: Datasets) -> Floats:
    """Return means, thinned if they are many, and if few the points half-way between."""
    distinct = np.unique(datasets.means)
    if distinct.size <= _MOST_MEANS:
        return np.sort(np.concatenate([distinct, (distinct[1:] + distinct[:-1]) / 2.0]))
    place = np.rint(np.linspace(0, distinct.size - 1, _MOST_MEANS)).astype(np.int64)
    sharpest = np.argsort(datasets.scales, kind="stable")[: _MOST_MEANS // 3]
    return np.unique(np.concatenate([distinct[place], datasets.means[sharpest]]))


def profile(likelihood: Likelihood, x: Floats, candidates: Floats) -> Floats:
    """Return about the log posterior of x = log sigma0, whose prior is flat in sigma0."""
    place = np.repeat(np.arange(x.size), candidates.size)
    tried = np.tile(candidates, x.size)
    conditional = likelihood.given(np.exp(x))
    height = conditional.at(place, tried) + np.log(conditional.width(place, tried, tried))
    return np.asarray(height.reshape(x.size, -1).max(axis=1) + x)


def _scan(likelihood: Likelihood, candidates: Floats) -> tuple[Floats, Floats]:
    """Return a grid of log sigma0 over what counts, and the profile there."""
    n_datasets = likelihood.means.size
    reach = np.ptp(likelihood.means) + likelihood.scales.max()
    low = float(np.log(likelihood.scales.min() / n_datasets)) - DEPTH
    high = float(np.log(reach)) + DEPTH / max(1, n_datasets - 2) + 2.0
    step = float(np.clip(4.0 / np.sqrt(n_datasets), 0.25, _COARSE))
    x = np.linspace(low, high, int((high - low) / step) + 2)
    height = profile(likelihood, x, candidates)
    first, last = 0, x.size - 1
    for _ in range(6):
        kept = np.flatnonzero(height > height.max() - DEPTH)
        first, last = max(0, kept[0] - 1), min(x.size - 1, kept[-1] + 1)
        if last - first >= _POINTS // 3:
            break
        x = np.linspace(x[first], x[last], _POINTS)
        height = profile(likelihood, x, candidates)
    return x[first : last + 1], height[first : last + 1]


def panel_edges(
    x: Floats, height: Floats, top: float, n_datasets: int, fineness: int
) -> Floats:
    """
    Return edges of panels in log sigma0, narrow where the posterior is high.

    Parameters
    ----------
    x, height : ndarray of float64
        A grid and about the log posterior on it.
    top : float
        What `height` is compared with.
    n_datasets : int
        The more, the narrower the posterior can be: its deviation is about
        1 / sqrt(2 n) at least.
    fineness : {1, 2}
        2 for panels half as wide.
    """
    kept = np.flatnonzero(height > top - DEPTH - 2.0)
    if kept.size == 0:
        return np.empty(0)
    part = slice(max(0, kept[0] - 1), kept[-1] + 2)
    x, height = x[part], height[part]
    width = 2.0 / np.sqrt(n_datasets) / fineness
    per_length = 1.0 / (width * (1.0 + (height.max() - height) / 5.0))
    total = np.concatenate(
        [[0.0], np.cumsum(np.diff(x) * (per_length[1:] + per_length[:-1]) / 2.0)]
    )
    n_panels = int(np.ceil(total[-1]))
    return np.interp(np.linspace(0.0, total[-1], n_panels + 1), total, x)


def cells(
    likelihood: Likelihood, edges: Floats, top: float, fineness: int
) -> tuple[Ints, Floats, Floats]:
    """
    Return the intervals of delta0 that count in panels of log sigma0.

    Parameters
    ----------
    likelihood : Likelihood
        The likelihood at one nu.
    edges : ndarray of float64
        Edges of the panels.
    top : float
        The logarithm of the density with which a bound of it is compared, at both edges
        of a panel.
    fineness : {1, 2}
        2 for intervals half as wide.

    Returns
    -------
    panel : ndarray of int64
        The panel of each interval.
    low, high : ndarray of float64
        Ends of intervals that do not overlap.
    """
    means, sigma = likelihood.means, np.exp(edges)
    conditional = likelihood.given(sigma)
    reach = np.ptp(means) + likelihood.scales.max() + sigma[1:]
    reach *= np.exp((DEPTH + 2.0) / (2.0 * means.size))  # no tail is below 1 / z ** 2
    least = _CELL / fineness / np.sqrt(np.sum(conditional.spread[:-1] ** -2.0, axis=1))
    times = np.ceil(np.log2((np.ptp(means) / 2.0 + reach) * 2.0 / least))
    half = least * 2.0 ** (times - 1.0)  # so that narrowest cells have the least width
    middle = (means.min() + means.max()) / 2.0
    panel, low, high = np.arange(half.size), middle - half, middle + half
    done: list[tuple[Ints, Floats, Floats]] = []
    while panel.size:
        bound = np.maximum(
            conditional.bound(panel, low, high) + edges[panel],
            conditional.bound(panel + 1, low, high) + edges[panel + 1],
        )
        kept = bound > top - DEPTH
        panel, low, high = panel[kept], low[kept], high[kept]
        goal = _CELL / fineness * conditional.width(panel, low, high)
        narrow = high - low < 1.001 * goal
        done.append((panel[narrow], low[narrow], high[narrow]))
        panel, low, high = panel[~narrow], low[~narrow], high[~narrow]
        centre = (low + high) / 2.0
        low, high = np.concatenate([low, centre]), np.concatenate([centre, high])
        panel = np.tile(panel, 2)
    joined = [np.concatenate(part) for part in zip(*done, strict=True)]
    return joined[0], joined[1], joined[2]
