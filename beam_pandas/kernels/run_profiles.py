"""Shares of runs that reach a threshold, datasets weighing alike.

References
----------
.. [1] E. D. Dolan and J. J. More, "Benchmarking optimization software with performance
   profiles", Mathematical Programming 91, 201-213, 2002 (equation 2.1).
.. [2] R. Agarwal, M. Schwarzer, P. S. Castro, A. Courville and M. G. Bellemare, "Deep
   reinforcement learning at the edge of the statistical precipice", Advances in Neural
   Information Processing Systems 34, 2021 (section 4.2; there a run has to exceed the
   threshold).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.equal_scores import EQUALITY

_BLOCK = 2**20  # comparisons held at a time
_MOST = 201  # thresholds

Floats = NDArray[np.float64]


def share_reaching(
    benefit: Floats, n_runs: NDArray[np.int64], thresholds: Floats
) -> Floats:
    """
    Average over datasets the share of a method's runs that are at least as good.

    A score that is below a threshold by no more than `EQUALITY` of it reaches it. A
    missing score reaches none.

    Parameters
    ----------
    benefit : ndarray of float64, shape (n_datasets, n_methods, n_runs)
        Scores turned so that more is better; NaN where missing.
    n_runs : ndarray of int64, shape (n_datasets, n_methods)
        Runs that a method has on a dataset, those that failed among them. With none its
        share there is 0.
    thresholds : ndarray of float64, shape (n_thresholds,)
        Turned as the scores.

    Returns
    -------
    ndarray of float64, shape (n_methods, n_thresholds)
        NaN without a dataset.
    """
    n_datasets, n_methods, _ = benefit.shape
    bars = thresholds - EQUALITY * np.abs(thresholds)
    result = np.empty((n_methods, len(bars)))
    runs = np.maximum(n_runs, 1)[..., None]
    step = max(1, _BLOCK // max(1, benefit.size))
    for start in range(0, len(bars), step):
        part = slice(start, start + step)
        reached = benefit[..., None] >= bars[part]
        share = np.count_nonzero(reached, axis=2) / runs
        with np.errstate(invalid="ignore"):
            result[:, part] = share.sum(axis=0) / np.float64(n_datasets)
    return result


def ratios_to_best(cost: Floats) -> Floats:
    """
    Divide the costs by the least of their dataset, over all methods and runs.

    Equation 2.1 of [1]_ is the share of `share_reaching` of these ratios, turned, with
    turned thresholds.

    Parameters
    ----------
    cost : ndarray of float64, shape (n_datasets, n_methods, n_runs)
        Above 0, less is better; NaN where missing.

    Returns
    -------
    ndarray of float64, same shape
        At least 1; NaN where missing.
    """
    best: Floats = np.fmin.reduce(cost, axis=(1, 2), keepdims=True, initial=np.nan)
    return cost / best


def spread_thresholds(values: Floats) -> Floats:
    """
    Choose thresholds for all values: each distinct one, or equal steps if they are many.

    Parameters
    ----------
    values : ndarray of float64
        Of any shape; NaN are left out.

    Returns
    -------
    ndarray of float64, shape (n_thresholds,)
        Ascending, at most 201, from the least value to the largest. Of values that differ
        by no more than `EQUALITY` of the larger one is taken, the largest.
    """
    distinct: Floats = np.unique(values[~np.isnan(values)])
    gap = np.diff(distinct)
    size = np.maximum(np.abs(distinct[1:]), np.abs(distinct[:-1]))
    distinct = distinct[np.append(gap > EQUALITY * size, True)[: len(distinct)]]
    if len(distinct) <= _MOST:
        return distinct
    return np.linspace(distinct[0], distinct[-1], _MOST)
