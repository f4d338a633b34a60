"""What mean ranks and Friedman's test are without one dataset, and without one method."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy  # its parts load when they are used
from numpy.typing import NDArray

from beam_pandas.kernels.critical_gap import least_beyond
from beam_pandas.kernels.pair_counts import count_pairs

_BLOCK = 2**19  # pairs looked at in one go


class DatasetInfluence(NamedTuple):
    """
    The mean ranks without each dataset, an entry for each dataset left out.

    Attributes
    ----------
    rank_shift : ndarray of float64
        Largest distance by which a mean rank moves.
    best : ndarray of intp
        First in label order of the methods with the smallest mean rank.
    n_best : ndarray of int64
        Number of methods with that mean rank.
    friedman_p_value : ndarray of float64
        Chi-square with the correction for ties; NaN where fewer than two datasets are left.
    """

    rank_shift: NDArray[np.float64]
    best: NDArray[np.intp]
    n_best: NDArray[np.int64]
    friedman_p_value: NDArray[np.float64]


def mean_ranks_without(ranks: NDArray[np.float64]) -> DatasetInfluence:
    """
    Leave out one dataset after the other, in closed form.

    With doubled rank sums S of N datasets and doubled ranks r of the one left out, the
    mean rank moves by (S - N r) / (2 N (N - 1)), and S - r are the sums without it, all
    whole numbers. Friedman's statistic is made of sums that the dataset is taken from.

    Parameters
    ----------
    ranks : ndarray of float64, shape (n_datasets, n_methods)
        Ranks within each row, ties averaged, none missing; at least two rows and columns.

    Returns
    -------
    DatasetInfluence
        An entry for each row.
    """
    doubled = _doubled(ranks)
    n = len(doubled)
    sums = doubled.sum(axis=0)
    shift = np.abs(sums - n * doubled).max(axis=1) / (2.0 * n * (n - 1))
    rest = sums - doubled
    best = rest.argmin(axis=1)
    n_best = np.count_nonzero(rest == rest.min(axis=1, keepdims=True), axis=1)
    return DatasetInfluence(shift, best, n_best.astype(np.int64), _friedman_without(ranks))


def _friedman_without(ranks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give Friedman's p-value without each dataset; see `friedman` for the formula."""
    n, k = ranks.shape
    if n < 3:
        return np.full(n, np.nan)
    deviations = 2.0 * ranks - (k + 1)
    own = np.sum(deviations**2, axis=1)
    within = own.sum() - own  # exact: whole numbers
    between = np.sum((deviations.sum(axis=0) - deviations) ** 2, axis=1)
    varied = within > 0.0
    statistic = np.zeros(n)
    np.divide((k - 1) * between, within, out=statistic, where=varied)
    p_value = scipy.special.chdtrc(k - 1, statistic)
    return np.where(varied, p_value, 1.0)


def count_rank_flips(
    ranks: NDArray[np.float64], critical: float, critical_without: float
) -> NDArray[np.int64]:
    """
    Count the pairs whose verdict by mean ranks changes without each dataset.

    Parameters
    ----------
    ranks : ndarray of float64, shape (n_datasets, n_methods)
        Ranks within each row, ties averaged, none missing; at least two rows.
    critical, critical_without : float
        Critical difference with all datasets, and with one less.

    Returns
    -------
    ndarray of int64, shape (n_datasets,)
        Pairs of which one verdict, but not the other, is that the gap is beyond the
        critical difference.
    """
    doubled = _doubled(ranks)
    n, k = doubled.shape
    first, second = np.triu_indices(k, k=1)
    gap = _differences(doubled.sum(axis=0)[None], first, second)[0]
    verdict = np.abs(gap) >= least_beyond(critical, 2 * n)
    least = least_beyond(critical_without, 2 * (n - 1))
    flips = np.empty(n, dtype=np.int64)
    step = max(1, _BLOCK // max(1, len(first)))
    for start in range(0, n, step):
        part = slice(start, start + step)
        without = np.abs(gap - _differences(doubled[part], first, second)) >= least
        flips[part] = np.count_nonzero(without != verdict, axis=1)
    return flips


def count_pool_flips(
    ranks: NDArray[np.float64], critical: float, critical_without: float
) -> NDArray[np.int64]:
    """
    Count the pairs of the others whose verdict by mean ranks changes without each method.

    Without a method, those behind it on a dataset move up by one rank, those tied with it
    by half a rank: the sums of all that are gaps in its count of pairs.

    Parameters
    ----------
    ranks : ndarray of float64, shape (n_datasets, n_methods)
        Ranks within each row, ties averaged, none missing.
    critical, critical_without : float
        Critical difference with all methods, and with one less (of two methods none
        is left to compare, whatever it is).

    Returns
    -------
    ndarray of int64, shape (n_methods,)
        Of (k - 1)(k - 2) / 2 pairs those of which one verdict, but not the other, is that
        the gap is beyond the critical difference.

    References
    ----------
    Benavoli, A., Corani, G., Mangili, F. (2016). JMLR 17(5), 1-10.
    https://jmlr.org/papers/v17/benavoli16a.html
    """
    doubled = _doubled(ranks)
    n, k = doubled.shape
    counts = count_pairs(-ranks, 0.0)
    rest = doubled.sum(axis=0) - 2 * counts.wins - counts.ties  # row: the method left out
    first, second = np.triu_indices(k, k=1)
    gap = _differences(doubled.sum(axis=0)[None], first, second)[0]
    verdict = np.abs(gap) >= least_beyond(critical, 2 * n)
    least = least_beyond(critical_without, 2 * n)
    flips = np.empty(k, dtype=np.int64)
    step = max(1, _BLOCK // max(1, len(first)))
    for start in range(0, k, step):
        gone = np.arange(start, min(start + step, k))
        without = np.abs(_differences(rest[gone], first, second)) >= least
        changed = without != verdict
        changed &= (first != gone[:, None]) & (second != gone[:, None])
        flips[gone] = np.count_nonzero(changed, axis=1)
    return flips


def _doubled(ranks: NDArray[np.float64]) -> NDArray[np.int64]:
    """Turn ranks into whole numbers."""
    return (2.0 * ranks).astype(np.int64)


def _differences(
    values: NDArray[np.int64], first: NDArray[np.intp], second: NDArray[np.intp]
) -> NDArray[np.int64]:
    """Subtract, in each row, the second of each pair from the first."""
    return values[:, first] - values[:, second]
