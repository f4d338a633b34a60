"""The likelihood of the population of true differences, all datasets together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.hierarchical_table import RunTables, Table

__all__ = ["Conditional", "Datasets", "Likelihood", "likelihood_at", "prepare_datasets"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_ELEMENTS = 1 << 15  # at a time


class Datasets(NamedTuple):
    """
    What the runs say of each dataset, in canonical order, sign and unit.

    Attributes
    ----------
    n_runs : ndarray of int64
        Ascending, so that datasets with one number of runs are neighbours.
    means : ndarray of float64
        Mean differences, in units of `unit`, turned by `sign`.
    scales : ndarray of float64
        Scales of the t distributions around them, with n_runs - 2 degrees of freedom.
    unit : float
        The mean over datasets of the standard deviation of the runs.
    sign : float
        -1.0 if the methods have changed places, 0.0 if it makes no difference.
    """

    n_runs: Ints
    means: Floats
    scales: Floats
    unit: float
    sign: float


class Likelihood(NamedTuple):
    """
    The likelihood for one nu.

    Attributes
    ----------
    means, scales : ndarray of float64
        As those of `Datasets`.
    groups : tuple of (Table, slice)
        For each number of runs its table and its datasets.
    """

    means: Floats
    scales: Floats
    groups: tuple[tuple[Table, slice], ...]

    def given(self, sigma: Floats) -> Conditional:
        """Return the likelihood of delta0 at values of sigma0."""
        spread = np.hypot(self.scales, sigma[:, None])
        rows = [
            table.rows(np.log(sigma[:, None] / self.scales[group]))
            for table, group in self.groups
        ]
        return Conditional(self, spread, np.log(spread).sum(axis=1), rows)


class Conditional(NamedTuple):
    """
    The likelihood of delta0 for one nu and some values of sigma0.

    Attributes
    ----------
    likelihood : Likelihood
        That of all values of sigma0.
    spread : ndarray of float64, shape (n_sigma, n_datasets)
        Scales of the datasets' densities, and the sums of their logarithms.
    log_spread : ndarray of float64, shape (n_sigma,)
        The sums of their logarithms.
    rows : list of ndarray
        For each number of runs what its table reads.
    """

    likelihood: Likelihood
    spread: Floats
    log_spread: Floats
    rows: list[Floats]

    def at(self, place: Ints, delta: Floats) -> Floats:
        """Return the log-likelihood at points, each a sigma0 by its number and a delta0."""
        return self._total(place, delta, delta)

    def bound(self, place: Ints, low: Floats, high: Floats) -> Floats:
        """
        Return what the log-likelihood cannot exceed for delta0 in intervals.

        Each dataset's density falls with the distance from its own mean, so none exceeds
        its value at the point of the interval that is nearest to the mean.
        """
        return self._total(place, low, high)

    def width(self, place: Ints, low: Floats, high: Floats) -> Floats:
        """
        Return about the width over which the likelihood changes by a factor in intervals.

        The curvature of a dataset's log density falls with the distance from its mean, so
        that one with a tiny scale counts near its mean only.
        """
        result = np.empty(place.size)
        height = max(1, _ELEMENTS // self.spread.shape[1])
        for start in range(0, place.size, height):
            part = slice(start, start + height)
            distance = self._distance(low[part], high[part], slice(None))
            square = self.spread[place[part]] ** 2 + distance**2
            result[part] = 1.0 / np.sqrt(np.sum(1.0 / square, axis=1))
        return result

    def _distance(self, low: Floats, high: Floats, group: slice) -> Floats:
        """Return the distances of the means from intervals, an interval a row."""
        means = self.likelihood.means[group]
        beyond = np.maximum(low[:, None] - means, means - high[:, None])
        return np.asarray(np.maximum(beyond, 0.0))

    def _total(self, place: Ints, low: Floats, high: Floats) -> Floats:
        """Return the sums of log densities at the distances of the means to intervals."""
        result = -self.log_spread[place]
        height = max(1, _ELEMENTS // self.spread.shape[1])
        for start in range(0, place.size, height):
            part = slice(start, start + height)
            row = place[part]
            for (table, group), rows in zip(self.likelihood.groups, self.rows, strict=True):
                distance = self._distance(low[part], high[part], group)
                z = distance / self.spread[row, group]
                n_means = group.stop - group.start
                number = row[:, None] * n_means + np.arange(n_means)
                result[part] += table.read(rows, number, z).sum(axis=1)
        return result


def likelihood_at(t: float, datasets: Datasets, tables: RunTables) -> Likelihood:
    """Return the likelihood for a point t of a lattice of nu."""
    number, first = np.unique(datasets.n_runs, return_index=True)
    ends = [*first[1:].tolist(), datasets.n_runs.size]
    groups = tuple(
        (tables.get(n, t), slice(start, stop))
        for n, start, stop in zip(number.tolist(), first.tolist(), ends, strict=True)
    )
    return Likelihood(datasets.means, datasets.scales, groups)


def prepare_datasets(
    n_runs: Ints, means: Floats, sum_squares: Floats, rope: float, test_share: float
) -> Datasets:
    """
    Bring sufficient statistics into a form that both orders of the methods share.

    Parameters
    ----------
    n_runs : ndarray of int64
        Runs on each dataset, at least 3.
    means, sum_squares : ndarray of float64
        Mean of the runs' differences, and sum of their squared deviations from it. Zero
        stands for runs that are all equal: their standard deviation is taken as that of
        a uniform distribution over the rope.
    rope : float
        Half-width of the region of practical equivalence, not negative.
    test_share : float
        Correlation of two runs: the share of the data that a run tests on.

    Raises
    ------
    ValueError
        If there are too few runs, values that are not finite, or equal runs without rope.
    """
    if means.size < 1 or n_runs.shape != means.shape or sum_squares.shape != means.shape:
        raise ValueError("one number of runs, mean and sum of squares a dataset is needed")
    if int(n_runs.min()) < 3:
        raise ValueError("each dataset needs at least 3 runs")
    if not (np.isfinite(means).all() and np.isfinite(sum_squares).all()):
        raise ValueError("means and sums of squares must be finite")
    if float(sum_squares.min()) < 0.0 or not (0.0 <= rope < np.inf):
        raise ValueError("sums of squares and the rope must be at least 0")
    if not 0.0 <= test_share < 1.0:
        raise ValueError(f"test_share must lie between 0 and 1, got {test_share}")
    constant = sum_squares == 0.0
    if rope == 0.0 and constant.any():
        raise ValueError("runs that are all equal on a dataset need a rope above 0")
    variance = np.where(constant, rope * rope / 3.0, sum_squares / n_runs)
    unit = float(np.sort(np.sqrt(variance)).mean())
    inflation = 1.0 / n_runs + test_share / (1.0 - test_share)
    scales = np.sqrt(inflation * variance * (n_runs / (n_runs - 2.0))) / unit
    means = means / unit
    forward = np.lexsort((scales, means, n_runs))
    backward = np.lexsort((scales, -means, n_runs))
    unequal = np.flatnonzero(
        (means[forward] != -means[backward]) | (scales[forward] != scales[backward])
    )
    sign = 0.0
    if unequal.size:  # the order of the methods with the larger first value
        here, there = means[forward[unequal[0]]], -means[backward[unequal[0]]]
        if here == there:
            here, there = scales[forward[unequal[0]]], scales[backward[unequal[0]]]
        sign = 1.0 if here > there else -1.0
    order = backward if sign < 0.0 else forward
    turned = -means[order] if sign < 0.0 else means[order]
    return Datasets(n_runs[order], turned + 0.0, scales[order], unit, sign)
