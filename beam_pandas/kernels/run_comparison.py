"""How often a run of one method is better than a run of another, datasets weighing alike.

References
----------
.. [1] R. Agarwal, M. Schwarzer, P. S. Castro, A. Courville and M. G. Bellemare, "Deep
   reinforcement learning at the edge of the statistical precipice", Advances in Neural
   Information Processing Systems 34, 2021 (probability of improvement, section 4.3, and
   the stratified bootstrap, section 4.1).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.row_ranks import rank_rows

_BLOCK = 2**18  # comparisons held at a time
_DRAWS = 2**14  # draws held at a time

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


class RunShares(NamedTuple):
    """
    Shares of pairs of runs in which the first method of a pair is better.

    Attributes
    ----------
    n_datasets : ndarray of int64, shape (n_pairs,)
        Datasets on which both methods have a run.
    share : ndarray of float64, shape (n_pairs,)
        Mean over these; equal runs count one half. NaN without a dataset.
    """

    n_datasets: NDArray[np.int64]
    share: Floats


class _Runs(NamedTuple):
    """Ranks of the runs among all of their dataset, the best first."""

    place: Floats  # ([n_datasets,] n_methods, n_runs), ascending
    n_runs: NDArray[np.int64]  # ([n_datasets,] n_methods): these come first, then NaN


def compare_runs(scores: Floats, first: Places, second: Places) -> RunShares:
    """
    Average over datasets P(X > Y) + P(X = Y) / 2, over all pairs of a run of each method.

    On a dataset it is the statistic of Mann and Whitney over its largest value; runs with
    the same place are not paired ([1]_, section 4.3). Scores of a dataset that lie next to
    each other in order and differ by no more than `EQUALITY` of the larger are equal.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_datasets, n_methods, n_runs)
        Turned so that more is better; NaN where there is no run.
    first, second : ndarray of intp, shape (n_pairs,)
        The methods of each pair.

    Returns
    -------
    RunShares
        In the order of the pairs.
    """
    runs = _place_runs(scores)
    share = np.empty((len(runs.place), len(first)))
    for dataset, (place, n_runs) in enumerate(zip(*runs, strict=True)):
        share[dataset] = _shares(place, n_runs, first, second)
    met = ~np.isnan(share)
    n_datasets = np.count_nonzero(met, axis=0)
    with np.errstate(invalid="ignore"):
        mean = np.where(met, share, 0.0).sum(axis=0) / n_datasets
    return RunShares(n_datasets, mean)


def resample_runs(
    scores: Floats,
    first: Places,
    second: Places,
    *,
    n_resamples: int,
    resample: str,
    rng: np.random.Generator,
) -> Floats:
    """
    Give the shares of `compare_runs` in bootstrap samples.

    Parameters
    ----------
    scores, first, second
        As of `compare_runs`. The order of the runs of a method makes no difference.
    n_resamples : int
        Number of samples.
    resample : {"datasets", "runs", "both"}
        What is drawn with replacement: datasets with the runs they have, or runs of each
        method within each dataset ([1]_, section 4.1), or datasets and then runs within
        each dataset drawn, anew if it is drawn twice.
    rng : numpy.random.Generator
        Source of the draws: first the datasets, then dataset by dataset the runs.

    Returns
    -------
    ndarray of float64, shape (n_resamples, n_pairs)
        NaN where no dataset drawn has runs of both methods.
    """
    runs = _place_runs(scores)
    n_datasets = len(runs.place)
    met = (runs.n_runs[:, first] > 0) & (runs.n_runs[:, second] > 0)
    if resample == "runs":
        times = np.ones((n_resamples, n_datasets), dtype=np.int64)
    else:
        times = draw_counts(rng, np.full(n_resamples, n_datasets), n_datasets)
    weight = times.astype(np.float64)
    if resample == "datasets":
        share = [
            _shares(place, n_runs, first, second)
            for place, n_runs in zip(*runs, strict=True)
        ]
        kept = np.where(met, np.reshape(share, met.shape), 0.0)
        total = weight @ kept
    else:
        by_pair = np.zeros((len(first), n_resamples))
        for dataset, of_dataset in enumerate(map(_Runs, *runs)):
            _add_resampled(by_pair, times[:, dataset], of_dataset, (first, second), rng)
        total = np.ascontiguousarray(by_pair.T)
    with np.errstate(invalid="ignore"):
        total /= weight @ met.astype(np.float64)
    return total


def draw_counts(
    rng: np.random.Generator, n_present: NDArray[np.int64], width: int
) -> NDArray[np.int64]:
    """
    Draw with replacement as many as there are, and count how often each was drawn.

    Parameters
    ----------
    rng : numpy.random.Generator
        Gives one uniform number for each place of the result.
    n_present : ndarray of int64, shape (...)
        How many there are to draw from, at the first places.
    width : int
        The most there are.

    Returns
    -------
    ndarray of int64, shape (..., width)
        Each row adds up to the number present.
    """
    present = n_present.reshape(-1, 1)
    result = np.empty((len(present), width), dtype=np.int64)
    step = max(1, _DRAWS // max(1, width))  # few enough for the processor's cache
    row = width * np.arange(step)[:, None]
    for start in range(0, len(present), step):
        part = present[start : start + step]
        drawn = (rng.random((len(part), width)) * part).astype(np.intp)
        drawn += row[: len(part)]
        if part.min() < width:
            drawn = drawn[np.arange(width) < part]
        times = np.bincount(drawn.ravel(), minlength=len(part) * width)
        result[start : start + step] = times.reshape(len(part), width)
    return result.reshape(*n_present.shape, width)


def _place_runs(scores: Floats) -> _Runs:
    """Rank the runs of each dataset together, and sort those of each method."""
    n_datasets, n_methods, n_runs = scores.shape
    ranks = rank_rows(scores.reshape(n_datasets, n_methods * n_runs))
    place = np.sort(ranks.reshape(scores.shape), axis=2)  # NaN come last
    return _Runs(place, np.count_nonzero(~np.isnan(place), axis=2))


def _shares(
    place: Floats, n_runs: NDArray[np.int64], first: Places, second: Places
) -> Floats:
    """Give for each pair the share of pairs of runs on one dataset, in blocks of pairs."""
    width = place.shape[1]
    result = np.empty(len(first))
    step = max(1, _BLOCK // max(1, width * width))
    for start in range(0, len(first), step):
        one, other = place[first[start : start + step]], place[second[start : start + step]]
        better = np.count_nonzero(one[:, :, None] < other[:, None, :], axis=(1, 2))
        worse = np.count_nonzero(one[:, :, None] > other[:, None, :], axis=(1, 2))
        pairs = n_runs[first[start : start + step]] * n_runs[second[start : start + step]]
        with np.errstate(invalid="ignore"):
            result[start : start + step] = (pairs + better - worse) / (2.0 * pairs)
    return result


def _add_resampled(
    total: Floats,
    times: NDArray[np.int64],
    runs: _Runs,
    pairs: tuple[Places, Places],
    rng: np.random.Generator,
) -> None:
    """
    Add the shares on one dataset, its runs drawn anew for each time that it was drawn.

    `total` has a row for each pair and a column for each sample. In blocks of samples; in
    each, one method is taken at a time against all that it is paired with.
    """
    place, n_runs = runs
    n_methods, width = place.shape
    whole = np.min_scalar_type(2 * width * width)  # holds the points of any pair
    order = np.lexsort((pairs[1], pairs[0]))
    order = order[(n_runs[pairs[0]] * n_runs[pairs[1]])[order] > 0]
    first, second = pairs[0][order], pairs[1][order]
    starts = np.flatnonzero(np.diff(first, prepend=-1))
    bounds = list(zip(starts, np.append(starts, len(order))[1:], strict=True))
    ahead = [_ahead(place[first[a]], place[second[a:b]].ravel()) for a, b in bounds]
    pairs_of_runs = 2.0 * n_runs[first] * n_runs[second]
    sample = np.repeat(np.arange(len(times)), times)
    step = max(1, _BLOCK // max(1, n_methods * width))
    for start in range(0, len(sample), step):
        block = sample[start : start + step]
        drawn = draw_counts(rng, np.broadcast_to(n_runs, (len(block), n_methods)), width)
        counts = np.ascontiguousarray(drawn.transpose(1, 2, 0), dtype=whole)
        points = np.empty((len(order), len(block)), dtype=whole)
        for (a, b), counted in zip(bounds, ahead, strict=True):
            points[a:b] = _points(counted, counts[first[a]], _rows(counts, second[a:b]))
        _add_columns(total, order, block, points / pairs_of_runs[:, None])


def _rows(
    counts: NDArray[np.unsignedinteger], methods: Places
) -> NDArray[np.unsignedinteger]:
    """Take the rows of some methods, without a copy where they are neighbours."""
    if (np.diff(methods) == 1).all():
        return counts[methods[0] : methods[-1] + 1]
    return counts[methods]


def _ahead(one: Floats, other: Floats) -> tuple[Places, Places, Places]:
    """
    Count for each run of other methods the runs of one that are better, or no worse.

    Returns
    -------
    better, no_worse, row : ndarray of intp
        The distinct pairs of the two counts, and which of them each run has. Their sum
        tells them apart: between equal runs there is no other.
    """
    better, no_worse = (np.searchsorted(one, other, side=s) for s in ("left", "right"))
    _, first, row = np.unique(better + no_worse, return_index=True, return_inverse=True)
    return better[first], no_worse[first], row


def _points(
    ahead: tuple[Places, Places, Places],
    one: NDArray[np.unsignedinteger],
    others: NDArray[np.unsignedinteger],
) -> NDArray[np.unsignedinteger]:
    """
    Add up 2 for each pair of runs drawn of which the first is better, 1 if they are equal.

    Parameters
    ----------
    ahead
        From `_ahead`.
    one, others : ndarray of an unsigned type, shape ([n_others,] n_runs, n_samples)
        How often each run was drawn.

    Returns
    -------
    ndarray of the same type, shape (n_others, n_samples)
        Twice the statistic of Mann and Whitney.
    """
    better, no_worse, row = ahead
    below = np.zeros((len(one) + 1, one.shape[1]), dtype=one.dtype)
    np.cumsum(one, axis=0, out=below[1:])
    points = np.take(below[better] + below[no_worse], row, axis=0).reshape(others.shape)
    points *= others
    return np.asarray(np.add.reduce(points, axis=1, dtype=one.dtype))


def _add_columns(total: Floats, rows: Places, sample: Places, values: Floats) -> None:
    """Add columns to those of their sample; columns of the same sample are neighbours."""
    start = np.flatnonzero(np.diff(sample, prepend=-1))
    if len(start) < len(sample):
        values = np.add.reduceat(values, start, axis=1)
    columns = sample[start]
    if columns[-1] - columns[0] + 1 == len(columns):  # none left out: a slice is faster
        total[rows, columns[0] : columns[-1] + 1] += values
    else:
        total[np.ix_(rows, columns)] += values
