"""Mean differences of all pairs of methods over items that come in clusters.

References
----------
.. [1] E. Miller, "Adding error bars to evals: a statistical approach to language model
   evaluations", arXiv 2411.00640, 2024 (section 2.2).
.. [2] A. C. Cameron and D. L. Miller, "A practitioner's guide to cluster-robust
   inference", Journal of Human Resources 50(2), 317-372, 2015 (equation 11, for a
   regression on a constant).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.equal_scores import EQUALITY
from beam_pandas.kernels.student_t import t_p_values, t_quantile

_BLOCK = 2**18  # differences held at a time
_FAR = 300  # powers of two from 1 whose squares, added up, are floats with all digits
_HUGE, _SHRINK = 2.0**1020, 2.0**-4  # differences of smaller scores are floats

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class ClusteredMeans(NamedTuple):
    """
    Mean differences of pairs of methods, positive if the first is better.

    Attributes
    ----------
    n_items, n_clusters : ndarray of int64, shape (n_pairs,)
        Items that both methods have, and the clusters these are in.
    mean, standard_error : ndarray of float64, shape (n_pairs,)
        In the unit of the scores. NaN without an item; the standard error also with a
        single cluster.
    """

    n_items: Ints
    n_clusters: Ints
    mean: Floats
    standard_error: Floats


class MeanTests(NamedTuple):
    """
    What t statistics say of mean differences.

    Attributes
    ----------
    df, statistic, p_value : ndarray of float64, shape (n_pairs,)
        Degrees of freedom, clusters less one; mean over standard error; NaN with fewer
        than two clusters.
    low, high : ndarray of float64, shape (n_pairs,)
        Ends of the interval for the mean; the end that a one-sided alternative leaves open
        is infinite.
    smallest_detectable : ndarray of float64, shape (n_pairs,)
        The true difference at which the test has the power asked for, nearly.
    """

    df: Floats
    statistic: Floats
    p_value: Floats
    low: Floats
    high: Floats
    smallest_detectable: Floats


def clustered_means(
    benefit: Floats, first: NDArray[np.intp], second: NDArray[np.intp], cluster: Ints | None
) -> ClusteredMeans:
    """
    Average the differences of pairs, with standard errors that are robust to clusters.

    With differences d of mean m over n items in G clusters, the squared standard error is
    G / (G - 1) times the sum over clusters of the squared sum of d - m, over n^2. Items
    are clusters of their own if none are given: then it is that of the paired t test.

    Scores within `EQUALITY` of the larger differ by 0. A mean within `EQUALITY` of the
    largest score is 0, and so is the standard error if the mean deviation of every cluster
    is: differences that cancel, or are equal, in decimals do so here.

    Parameters
    ----------
    benefit : ndarray of float64, shape (n_items, n_methods)
        Scores turned so that more is better; NaN where missing.
    first, second : ndarray of intp, shape (n_pairs,)
        Columns of the methods of each pair.
    cluster : ndarray of int64, shape (n_items,), or None
        Any whole number for each cluster.

    Returns
    -------
    ClusteredMeans
        In the order of the pairs.
    """
    start = None
    if cluster is not None:
        order = np.argsort(cluster, kind="stable")
        start = np.flatnonzero(np.diff(cluster[order], prepend=cluster[order][:1] - 1))
        benefit = benefit[order]
    if not len(benefit) or not len(first):
        none = np.zeros(len(first), dtype=np.int64)
        nan = np.full(len(first), np.nan)
        return ClusteredMeans(none, none, nan, nan.copy())
    score = np.ascontiguousarray(benefit.T)
    huge = np.abs(score).max(initial=0.0, where=~np.isnan(score)) > _HUGE
    if huge:
        score = score * _SHRINK
    step = max(1, _BLOCK // score.shape[1])
    blocks = [
        _average(score[first[at : at + step]], score[second[at : at + step]], start)
        for at in range(0, len(first), step)
    ]
    means = ClusteredMeans(*(np.concatenate(part) for part in zip(*blocks, strict=True)))
    if not huge:
        return means
    with np.errstate(over="ignore"):  # a mean too large for a float is infinite
        return means._replace(
            mean=means.mean / _SHRINK, standard_error=means.standard_error / _SHRINK
        )


def _average(
    one: Floats, other: Floats, start: NDArray[np.intp] | None
) -> tuple[Ints, Ints, Floats, Floats]:
    """
    Give items, clusters, mean and standard error of some pairs, one a row.

    The deviations are taken from a first mean, whose rounding error a second one mends.
    """
    difference, largest = _differences(one, other)
    missing = np.isnan(difference)
    n_items = difference.shape[1] - np.count_nonzero(missing, axis=1)
    complete = bool(np.all(n_items == difference.shape[1]))
    exponent = _far_exponents(difference)
    if exponent.any():  # squares would leave the range of a float
        difference = np.ldexp(difference, -exponent[:, None])
        largest = np.ldexp(largest, -exponent)
    present = np.ones((1, difference.shape[1])) if complete else (~missing) * 1.0
    sizes = _cluster_sums(present, start)
    size = np.broadcast_to(sizes, (len(one), sizes.shape[1]))
    n_clusters = np.count_nonzero(size, axis=1)
    count = np.where(n_items > 0, n_items, np.nan)
    if not complete:
        difference[missing] = 0.0
    mean = difference.sum(axis=1) / count
    difference -= mean[:, None]
    if not complete:
        difference[missing] = 0.0
    total = _cluster_sums(difference, start)
    rest = total.sum(axis=1) / count
    mean += rest
    total -= size * rest[:, None]
    no_spread = (np.abs(total) <= EQUALITY * largest[:, None] * size).all(axis=1)
    mean[np.abs(mean) <= EQUALITY * largest] = 0.0
    with np.errstate(invalid="ignore", divide="ignore"):
        total /= count[:, None]
        squares = np.einsum("ij,ij->i", total, total)
        error = np.sqrt(n_clusters / (n_clusters - 1.0)) * np.sqrt(squares)
    error[no_spread] = 0.0
    error[n_clusters < 2] = np.nan
    return n_items, n_clusters, np.ldexp(mean, exponent), np.ldexp(error, exponent)


def _far_exponents(difference: Floats) -> NDArray[np.intc]:
    """Give the power of two that each row is near, 0 where squares of it are floats."""
    size = np.maximum(
        np.fmax.reduce(difference, axis=1, initial=0.0),
        -np.fmin.reduce(difference, axis=1, initial=0.0),
    )
    exponent = np.frexp(size)[1]
    return np.where(np.abs(exponent) < _FAR, 0, exponent)


def _differences(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """Subtract, equal scores giving 0; give also the largest shared score of each row."""
    difference = one - other
    size = np.maximum(np.abs(one), np.abs(other))
    largest = np.fmax.reduce(size, axis=1, initial=0.0)
    gap = np.abs(difference)
    near = (gap <= EQUALITY * largest[:, None]) & (gap > 0.0)  # all that may be equal
    if not near.any():  # much faster than to list them
        return difference, largest
    row, column = np.nonzero(near)
    equal = gap[row, column] <= EQUALITY * size[row, column]
    difference[row[equal], column[equal]] = 0.0
    return difference, largest


def _cluster_sums(values: Floats, start: NDArray[np.intp] | None) -> Floats:
    """Add up each row within clusters, which lie next to each other."""
    return values if start is None else np.add.reduceat(values, start, axis=1)


def mean_tests(
    means: ClusteredMeans, *, alternative: str, level: float, alpha: float, power: float
) -> MeanTests:
    """
    Test mean differences against 0.

    Without spread a mean other than 0 has an infinite statistic and the p-value of a
    certain difference; a mean of 0 has statistic 0 and p-value 1, whatever the alternative.

    Parameters
    ----------
    means : ClusteredMeans
        Means with their standard errors.
    alternative : {"two-sided", "greater", "less"}
        "greater" if the first method is better.
    level : float
        Confidence level of the interval.
    alpha, power : float
        Level and power for the smallest difference that can be detected, equation 9 of
        [1]_ with quantiles of t for those of z.

    Returns
    -------
    MeanTests
        In the order of the pairs.
    """
    error = means.standard_error
    df = np.where(means.n_clusters > 1, means.n_clusters - 1.0, np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        statistic = means.mean / error
    still = (error == 0.0) & (means.mean == 0.0)
    statistic[still] = 0.0
    p_value = t_p_values(statistic, df, alternative)
    p_value[still] = 1.0
    sides = 2.0 if alternative == "two-sided" else 1.0
    margin = t_quantile((1.0 - level) / sides, df) * error
    low, high = means.mean - margin, means.mean + margin
    if alternative != "two-sided":
        open_end = low if alternative == "less" else high
        open_end[~np.isnan(open_end)] = -np.inf if alternative == "less" else np.inf
    tail = alpha / sides
    detectable = (t_quantile(tail, df) + t_quantile(1.0 - power, df)) * error
    return MeanTests(df, statistic, p_value, low, high, detectable)
