"""Maximal runs of methods whose mean ranks lie within a critical difference."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.critical_gap import beyond

_FEW = 100  # methods all gaps of which are looked at


def find_cliques(
    mean_ranks: NDArray[np.float64], critical_difference: float
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """
    Find the maximal runs whose first and last differ by no more than the given gap.

    Parameters
    ----------
    mean_ranks : ndarray of float64, shape (n_methods,)
        In ascending order.
    critical_difference : float
        The largest gap within a clique; one equal to it is within.

    Returns
    -------
    first, last : ndarray of intp, shape (n_cliques,)
        Position of the first and the last member of each clique, best clique first.
        Every method is in at least one; one that differs from all others is alone.
    """
    if mean_ranks.size <= _FEW:
        last = _last_of_few(mean_ranks, critical_difference)
    else:
        last = _last_of_many(mean_ranks, critical_difference)
    starts = np.flatnonzero(np.concatenate([[-1], last[:-1]]) < last)
    return starts, last[starts]


def _last_of_few(
    mean_ranks: NDArray[np.float64], critical_difference: float
) -> NDArray[np.intp]:
    """Find the last method within the critical difference of each, by all gaps."""
    apart = beyond(mean_ranks - mean_ranks[:, np.newaxis], critical_difference)
    return np.asarray(mean_ranks.size - 1 - apart.sum(axis=1), dtype=np.intp)


def _last_of_many(
    mean_ranks: NDArray[np.float64], critical_difference: float
) -> NDArray[np.intp]:
    """Find the same by bisection, of the very gaps that `beyond` judges of pairs."""
    last = np.arange(mean_ranks.size)  # within, as the method itself is
    outside = np.full(mean_ranks.size, mean_ranks.size)  # beyond, or nobody
    while (outside - last > 1).any():
        middle = (last + outside) // 2
        apart = beyond(mean_ranks[middle] - mean_ranks, critical_difference)
        last, outside = np.where(apart, last, middle), np.where(apart, middle, outside)
    return last
