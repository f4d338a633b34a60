"""How sure an order by mean ranks is: the bootstrap over datasets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.draws import draw_units, is_exact, n_draws_of, percentile_interval

_EXACT_SINGLE = 2.0**24  # up to here every whole number is a float32
_BLOCK = 2**20  # numbers of an array handled at a time


class RankBootstrap(NamedTuple):
    """
    Intervals and probabilities, an entry for each method.

    Attributes
    ----------
    n_datasets : ndarray of int64
        Datasets on which the method has a rank.
    mean_rank : ndarray of float64
        Mean over these datasets.
    ci_low, ci_high : ndarray of float64
        Ends of the percentile interval of the mean rank.
    place_low, place_high : ndarray of float64
        Ends of the percentile interval of the place: 1, the methods with a smaller mean
        rank, and half of the others with the same one.
    prob_best : ndarray of float64
        Share of the draws in which the mean rank is the smallest, shared evenly by those
        that have it.
    prob_top : ndarray of float64
        Expected share in the first `top` places; methods of one mean rank that straddle
        the last of them share evenly.
    standard_error : ndarray of float64
        Deviation of the mean rank over the draws.
    """

    n_datasets: NDArray[np.int64]
    mean_rank: NDArray[np.float64]
    ci_low: NDArray[np.float64]
    ci_high: NDArray[np.float64]
    place_low: NDArray[np.float64]
    place_high: NDArray[np.float64]
    prob_best: NDArray[np.float64]
    prob_top: NDArray[np.float64]
    standard_error: NDArray[np.float64]


class _Units(NamedTuple):
    """What is drawn as a whole: a dataset, or a cluster of them."""

    sums: NDArray[np.floating]  # doubled ranks, (n_units, n_methods)
    present: NDArray[np.floating] | None  # datasets of each method; None: all the same
    divisor: float  # of doubled sums, where present is None


class _Tally(NamedTuple):
    """What is known of all draws."""

    means: NDArray[np.floating]  # (n_methods, n_draws), times the divisor; NaN: none drawn
    places: NDArray[np.float32]  # doubled, (n_methods, n_draws)
    weights: NDArray[np.float64]
    best: NDArray[np.float64]
    top: NDArray[np.float64]


def bootstrap_mean_ranks(
    ranks: NDArray[np.float64],
    *,
    n_resamples: int,
    confidence_level: float,
    top: int,
    rng: np.random.Generator,
    cluster: NDArray[np.integer] | None = None,
) -> RankBootstrap:
    """
    Draw datasets with replacement, and see how mean ranks and places vary.

    Ranks within a dataset do not change when datasets are drawn, so that the rank sums of
    all draws are one product of matrices. Doubled ranks are whole numbers and so are
    their sums, exact in floats: equal mean ranks tie, whatever the order of the methods.
    Where ranks are missing, a mean is a sum over a count: division rounds equal fractions
    to equal floats, and keeps distinct ones apart as long as N² k is below 2**51.

    Seven datasets (clusters) and fewer are not sampled: all compositions are gone through
    with their multinomial weights.

    Parameters
    ----------
    ranks : ndarray of float64, shape (n_datasets, n_methods)
        Ranks within each row among those present, ties averaged; NaN where missing. A row
        without a rank is left out.
    n_resamples : int
        Number of draws.
    confidence_level : float
        Of both intervals, between 0 and 1.
    top : int
        Number of places that count for `prob_top`.
    rng : Generator
        Draws rows by ``rng.integers``; not used where all compositions are gone through.
    cluster : ndarray of int, shape (n_datasets,), optional
        Code of the family of each dataset. Families are drawn, in ascending order of
        their codes, as many as there are, and a mean is over all datasets drawn.

    Returns
    -------
    RankBootstrap
        A draw that holds no dataset of a method says nothing of it: the method has no
        place there and the others rank among themselves. Intervals and deviations are
        over the draws that do hold one, probabilities over all draws, so that `prob_best`
        sums to 1. A method without any rank has NaN.

    References
    ----------
    Efron, B., Tibshirani, R. J. (1993). An Introduction to the Bootstrap, chapter 13.
    doi:10.1201/9780429246593
    """
    present = ~np.isnan(ranks)
    n_datasets = np.count_nonzero(present, axis=0).astype(np.int64)
    scored, ranked = present.any(axis=1), n_datasets > 0
    result = np.full((len(RankBootstrap._fields) - 1, ranks.shape[1]), np.nan)
    if scored.any():
        units = _make_units(
            ranks[scored][:, ranked], None if cluster is None else cluster[scored]
        )
        tally = _tally_draws(units, n_resamples, top, rng)
        means = percentile_interval(tally.means, tally.weights, confidence_level)
        places = percentile_interval(tally.places, tally.weights, confidence_level)
        total = tally.weights.sum()
        result[:, ranked] = (
            np.nansum(2.0 * ranks[:, ranked], axis=0) / (2.0 * n_datasets[ranked]),
            *(end / units.divisor for end in means),
            *(end / 2.0 for end in places),
            tally.best / total,
            tally.top / total,
            _deviation(tally, is_exact(len(units.sums))) / units.divisor,
        )
    return RankBootstrap(n_datasets, *result)


def _make_units(ranks: NDArray[np.float64], cluster: NDArray[np.integer] | None) -> _Units:
    """Sum doubled ranks by cluster, in the narrowest float that holds all draws exactly."""
    present = ~np.isnan(ranks)
    sums, counts = np.where(present, 2.0 * ranks, 0.0), present.astype(np.float64)
    if cluster is not None:
        _, code = np.unique(cluster, return_inverse=True)
        order = np.argsort(code, kind="stable")
        start = np.flatnonzero(np.diff(code[order], prepend=-1))
        sums = np.add.reduceat(sums[order], start, axis=0)
        counts = np.add.reduceat(counts[order], start, axis=0)
    n_units = len(sums)
    largest = n_units * float(sums.max(initial=0.0))
    dtype = np.float32 if largest < _EXACT_SINGLE else np.float64
    if (counts == counts[0, 0]).all():
        return _Units(sums.astype(dtype), None, 2.0 * n_units * float(counts[0, 0]))
    return _Units(sums.astype(dtype), counts.astype(dtype), 2.0)


def _tally_draws(
    units: _Units, n_resamples: int, top: int, rng: np.random.Generator
) -> _Tally:
    """Go through all draws in blocks."""
    n_units, k = units.sums.shape
    n_draws = n_draws_of(n_units, n_resamples)
    kind = units.sums.dtype if units.present is None else np.dtype(np.float64)
    means = np.empty((k, n_draws), dtype=kind)
    places = np.empty((k, n_draws), dtype=np.float32)
    weights = np.empty(n_draws)
    best, first_few = np.zeros(k), np.zeros(k)
    start = 0
    for draws in draw_units(n_units, n_resamples, rng, width=k):
        part = slice(start, start + len(draws.weights))
        mean = _means_of(units, draws.counts())
        order, first, last = _levels(mean)
        ordered = first + last + 2.0
        if units.present is not None:
            ordered[np.isnan(np.take_along_axis(mean, order, axis=1))] = np.nan
        place = np.empty(mean.shape, dtype=np.float32)
        np.put_along_axis(place, order, ordered.astype(np.float32), axis=1)
        means[:, part], places[:, part], weights[part] = mean.T, place.T, draws.weights
        absent = np.isnan(ordered)
        for count, share in ((1, best), (top, first_few)):
            share += _share_of_first(count, order, first, last, absent, draws.weights)
        start += len(draws.weights)
    return _Tally(means, places, weights, best, first_few)


def _means_of(units: _Units, counts: NDArray[np.int64]) -> NDArray[np.floating]:
    """Give the mean ranks of each draw, up to the divisor; NaN where nothing was drawn."""
    times = counts.astype(units.sums.dtype)
    sums = times @ units.sums
    if units.present is None:
        return np.asarray(sums)
    drawn = (times @ units.present).astype(np.float64)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums.astype(np.float64) / drawn)


def _levels(
    mean: NDArray[np.floating],
) -> tuple[NDArray[np.intp], NDArray[np.int32], NDArray[np.int32]]:
    """
    Sort each row and find the levels of equal values.

    Returns
    -------
    order, first, last : ndarray, same shape as mean
        The columns in ascending order, NaN last, and for each place in it the first and
        the last place of its level, from 0.
    """
    k = mean.shape[1]
    order = np.argsort(mean, axis=1)
    ordered = np.take_along_axis(mean, order, axis=1)
    opens = np.ones(mean.shape, dtype=bool)
    opens[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    closes = np.ones(mean.shape, dtype=bool)
    closes[:, :-1] = opens[:, 1:]
    position = np.arange(k, dtype=np.int32)
    first = np.where(opens, position, np.int32(0))
    np.maximum.accumulate(first, axis=1, out=first)
    last = np.where(closes, position, np.int32(k))[:, ::-1]
    return order, first, np.minimum.accumulate(last, axis=1)[:, ::-1]


def _share_of_first(
    count: int,
    order: NDArray[np.intp],
    first: NDArray[np.int32],
    last: NDArray[np.int32],
    absent: NDArray[np.bool_],
    weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Sum for each method its shares in the first few places of each draw."""
    row, at = np.nonzero((first < count) & ~absent)
    low, length = first[row, at], last[row, at] - first[row, at] + 1
    share = np.minimum(count - low, length) / length
    method = order[row, at]
    total = np.bincount(method, weights=share * weights[row], minlength=order.shape[1])
    return total.astype(np.float64)


def _deviation(tally: _Tally, exact: bool) -> NDArray[np.float64]:
    """Give the deviation of the means over the draws, of their sample where sampled."""
    k, n_draws = tally.means.shape
    result = np.empty(k)
    step = max(1, _BLOCK // max(1, n_draws))
    for start in range(0, k, step):
        value = tally.means[start : start + step].astype(np.float64)
        weight = np.where(np.isnan(value), 0.0, tally.weights)
        value[np.isnan(value)] = 0.0
        total = weight.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            centre = (weight * value).sum(axis=1) / total
            squares = (weight * (value - centre[:, None]) ** 2).sum(axis=1)
            result[start : start + step] = np.sqrt(squares / (total - (not exact)))
    return result
