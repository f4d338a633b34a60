"""How far each dataset tells the methods apart, over several metrics."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy  # its parts load when they are used
from numpy.typing import NDArray

from beam_pandas.kernels.equal_scores import EQUALITY
from beam_pandas.kernels.row_ranks import rank_rows


class AgreementResult(NamedTuple):
    """Kendall's W of the metrics of each dataset."""

    kendall_w: NDArray[np.float64]
    p_value: NDArray[np.float64]
    n_methods: NDArray[np.int64]
    n_metrics: NDArray[np.int64]


def pool_scores(benefit: NDArray[np.float64]) -> NDArray[np.float64]:
    """
    Average the metrics of each dataset and method, each scaled from 0 to 1.

    The smallest score of a metric anywhere becomes 0, the largest 1. A metric whose
    scores are all equal has no scale and drops out. Scores of a dataset that are equal
    but for their last digits are made one first, or a narrow scale would pull them apart.

    Parameters
    ----------
    benefit : ndarray of float64, shape (n_metrics, n_datasets, n_methods)
        Scores turned so that more is better; NaN where missing, never infinite.

    Returns
    -------
    ndarray of float64, shape (n_datasets, n_methods)
        Mean of the scaled metrics present, from 0 to 1; NaN where there is none.
    """
    total = np.zeros(benefit.shape[1:])
    n_present = np.zeros(benefit.shape[1:])
    for scores in benefit:
        scaled = _scale(scores)
        if scaled is not None:
            present = ~np.isnan(scaled)
            np.add(total, scaled, out=total, where=present)
            n_present += present
    pooled = np.full(total.shape, np.nan)
    np.divide(total, n_present, out=pooled, where=n_present > 0.0)
    return pooled


def varying_metrics(benefit: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mark the metrics of which not all scores are equal; the others tell nothing."""
    return np.array([_scale(scores) is not None for scores in benefit], dtype=bool)


def spread_rows(pooled: NDArray[np.float64]) -> NDArray[np.float64]:
    """
    Give the standard deviation (n - 1) of each row of pooled scores.

    Parameters
    ----------
    pooled : ndarray of float64, shape (n_datasets, n_methods)
        Pooled scores, none negative; NaN where missing.

    Returns
    -------
    ndarray of float64, shape (n_datasets,)
        Exactly 0 where the scores present are equal, NaN with fewer than two.
    """
    present = ~np.isnan(pooled)
    n = np.count_nonzero(present, axis=1)
    filled = np.where(present, pooled, 0.0)
    mean = filled.sum(axis=1) / np.maximum(n, 1)
    deviation = np.where(present, pooled - mean[:, np.newaxis], 0.0)
    squares = np.einsum("ij,ij->i", deviation, deviation)
    largest = filled.max(axis=1, initial=0.0)
    smallest = np.where(present, pooled, np.inf).min(axis=1, initial=np.inf)
    squares[largest - smallest <= EQUALITY * largest] = 0.0
    return np.where(n >= 2, np.sqrt(squares / np.maximum(n - 1, 1)), np.nan)


def metric_agreement(benefit: NDArray[np.float64], min_methods: int = 3) -> AgreementResult:
    """
    Give Kendall's W of each dataset: do its metrics order the methods alike.

    The metrics of a dataset are those with any score on it, the methods those with a
    score in all of these metrics. With m metrics and n methods, S the sum of squared
    deviations of the rank sums and A that of the ranks themselves, W = S / (m A). Without
    ties A is m n (n² - 1) / 12 and this is the coefficient of Kendall and Babington Smith
    (1939); with A taken from the ranks it is corrected for ties. A metric equal for
    all methods of a dataset counts in m and in neither sum. m (n - 1) W is the Friedman
    statistic of the block, taken as chi-square with n - 1 degrees of freedom.

    Parameters
    ----------
    benefit : ndarray of float64, shape (n_metrics, n_datasets, n_methods)
        Scores turned so that more is better; NaN where missing, never infinite.
    min_methods : int
        Least number of methods for which W is given.

    Returns
    -------
    AgreementResult
        All of shape (n_datasets,):

        - **kendall_w** : from 0 to 1; NaN with fewer than `min_methods` methods or two
          metrics, and where every metric is equal for all methods.
        - **p_value** : upper tail of chi-square; NaN where W is.
        - **n_methods**, **n_metrics** : int64; size of the block, also where W is NaN.

    References
    ----------
    Kendall, M. G., Babington Smith, B. (1939). The problem of m rankings. Annals of
    Mathematical Statistics 10(3), 275-287. doi:10.1214/aoms/1177732186
    """
    present = ~np.isnan(benefit)
    observed = np.count_nonzero(present, axis=2) > 0
    n_metrics = np.count_nonzero(observed, axis=0)
    lacking = (observed[:, :, np.newaxis] & ~present).any(axis=0)
    complete = (n_metrics > 0)[:, np.newaxis] & ~lacking
    n_methods = np.count_nonzero(complete, axis=1)
    between, within = _sums_of_squares(benefit, observed, complete)
    given = (n_methods >= min_methods) & (n_metrics >= 2) & (within > 0.0)
    kendall_w = np.full(n_methods.shape, np.nan)
    np.divide(between, n_metrics * within, out=kendall_w, where=given)
    df = np.where(given, n_methods - 1, 1)
    return AgreementResult(
        kendall_w=kendall_w,
        p_value=np.asarray(scipy.special.chdtrc(df, n_metrics * df * kendall_w)),
        n_methods=n_methods.astype(np.int64),
        n_metrics=n_metrics.astype(np.int64),
    )


def _sums_of_squares(
    benefit: NDArray[np.float64],
    observed: NDArray[np.bool_],
    complete: NDArray[np.bool_],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give S and A of each dataset's block for doubled ranks, which are whole numbers."""
    middle = np.count_nonzero(complete, axis=1)[:, np.newaxis] + 1.0
    sums = np.zeros(complete.shape)
    within = np.zeros(complete.shape[0])
    everything = bool(complete.all())
    for scores, seen in zip(benefit, observed, strict=True):
        block = complete & seen[:, np.newaxis]
        ranks = rank_rows(scores if everything else np.where(block, scores, np.nan))
        deviation = np.where(block, 2.0 * ranks - middle, 0.0)
        sums += deviation
        within += np.einsum("ij,ij->i", deviation, deviation)
    return np.einsum("ij,ij->i", sums, sums), within


def _scale(scores: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Min-max scale one metric; None if it has no two scores that differ."""
    if np.isnan(scores).all():
        return None
    lowest, highest = float(np.nanmin(scores)), float(np.nanmax(scores))
    size = max(abs(lowest), abs(highest))
    exponent = int(np.frexp(size)[1])  # a power of two: exact, and no range overflows
    lowest, highest = (
        float(np.ldexp(lowest, -exponent)),
        float(np.ldexp(highest, -exponent)),
    )
    if highest - lowest <= EQUALITY * np.ldexp(size, -exponent):
        return None
    scaled = np.asarray(np.ldexp(_merge_equal(scores), -exponent))
    scaled -= lowest
    scaled /= highest - lowest
    return scaled


def _merge_equal(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give scores of a row that share a rank one value, the smallest of them."""
    near = _has_near_equal(scores)
    if not near.any():
        return scores
    rows = scores[near]
    order = np.argsort(rows, axis=1)
    ranks = np.take_along_axis(rank_rows(rows), order, axis=1)
    opens = np.ones(rows.shape, dtype=bool)
    np.not_equal(ranks[:, 1:], ranks[:, :-1], out=opens[:, 1:])  # NaN last, each alone
    first = np.maximum.accumulate(np.where(opens, np.arange(rows.shape[1]), 0), axis=1)
    source = np.take_along_axis(order, first, axis=1)
    np.put_along_axis(rows, order, np.take_along_axis(rows, source, axis=1), axis=1)
    merged = scores.copy()
    merged[near] = rows
    return merged


def _has_near_equal(scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Find the rows in which equal scores may differ in their last digits."""
    ordered = np.sort(scores, axis=1)
    before, after = ordered[:, :-1], ordered[:, 1:]
    with np.errstate(over="ignore"):  # a gap too wide for a float is no tie
        gap = after - before
    close = gap <= 2.0 * EQUALITY * np.maximum(np.abs(before), np.abs(after))
    return np.asarray((close & (gap > 0.0)).any(axis=1))
