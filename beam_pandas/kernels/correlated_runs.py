"""Differences over the runs of one dataset, and the correlated t law of their mean.

References
----------
.. [1] C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine Learning
   52, 239-281, 2003 (the corrected resampled t test, section 4).
.. [2] G. Corani and A. Benavoli, "A Bayesian approach for comparing cross-validated
   algorithms on multiple data sets", Machine Learning 100, 285-304, 2015 (equation 8).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.equal_scores import EQUALITY
from beam_pandas.kernels.student_t import t_p_values, t_tail

_BLOCK = 2**18  # differences held at a time

Floats = NDArray[np.float64]


class RunDifferences(NamedTuple):
    """
    Differences over shared runs, the first method of a pair less the second.

    Attributes
    ----------
    n_runs : ndarray of int64, shape (n_datasets, n_pairs)
        Runs that both methods have.
    mean, variance : ndarray of float64, same shape
        The variance divides by n - 1. NaN without a run; the variance also with one.
    largest : ndarray of float64, same shape
        Largest absolute score of a shared run, the size that rounding errors go by.
    """

    n_runs: NDArray[np.int64]
    mean: Floats
    variance: Floats
    largest: Floats


class CorrelatedT(NamedTuple):
    """
    The law of the true difference, Student's t around the mean.

    Attributes
    ----------
    scale, df : ndarray of float64
        Scale and degrees of freedom. A scale of 0 is a point mass at the mean.
    p_value : ndarray of float64
        Of the corrected resampled t test; without spread 1 if the mean is 0, else as of a
        certain difference.
    better, equivalent, worse : ndarray of float64
        Probability of a difference above the rope, within it and below it.
    """

    scale: Floats
    df: Floats
    p_value: Floats
    better: Floats
    equivalent: Floats
    worse: Floats


def run_differences(
    scores: Floats, first: NDArray[np.intp], second: NDArray[np.intp]
) -> RunDifferences:
    """
    Give mean and variance of the differences of pairs of methods over shared runs.

    Scores within `EQUALITY` of the larger differ by 0. Differences that all lie within
    `EQUALITY` of the largest score are equal: their variance is exactly 0. A mean that
    small is 0. With the methods exchanged only the sign of the mean changes, exactly.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_datasets, n_methods, n_runs)
        Turned so that more is better; NaN where missing. Runs with the same place are
        paired.
    first, second : ndarray of intp, shape (n_pairs,)
        The methods of each pair.

    Returns
    -------
    RunDifferences
        In the order of the pairs.
    """
    n_datasets, _, n_runs = scores.shape
    shape = n_datasets, len(first)
    result = RunDifferences(
        np.zeros(shape, dtype=np.int64), *(np.full(shape, np.nan) for _ in range(3))
    )
    if not n_runs:
        return result
    step = max(1, _BLOCK // max(1, n_runs))  # pairs of one dataset at a time
    deep = max(1, step // max(1, len(first)))  # datasets at a time
    for top in range(0, n_datasets, deep):
        rows = slice(top, top + deep)
        for start in range(0, len(first), step):
            part = slice(start, start + step)
            block = scores[rows]
            found = _describe(block[:, first[part]], block[:, second[part]])
            for whole, piece in zip(result, found, strict=True):
                whole[rows, part] = piece
    return result


def _describe(one: Floats, other: Floats) -> RunDifferences:
    """Describe the differences along the last axis."""
    difference = one - other
    size = np.maximum(np.abs(one), np.abs(other))
    difference[np.abs(difference) <= EQUALITY * size] = 0.0
    missing = np.isnan(difference)
    n_runs = difference.shape[-1] - np.count_nonzero(missing, axis=-1)
    count = np.where(n_runs > 0, n_runs, np.nan)
    largest = np.fmax.reduce(size, axis=-1)
    low, high = np.fmin.reduce(difference, axis=-1), np.fmax.reduce(difference, axis=-1)
    equal = high - low <= EQUALITY * largest
    # equal differences have their own value as mean, and exchanged methods its negative
    middle = low / 2.0 + high / 2.0
    difference -= middle[..., None]
    difference[missing] = 0.0
    excess = difference.sum(axis=-1) / count
    mean = middle + excess
    mean[np.abs(mean) <= EQUALITY * largest] = 0.0
    difference -= excess[..., None]
    difference[missing] = 0.0
    rest = difference.sum(axis=-1)  # what rounding of the mean has left
    squares = np.einsum("...i,...i->...", difference, difference) - rest * rest / count
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = np.where(equal, 0.0, squares) / (n_runs - 1.0)
    variance[n_runs < 2] = np.nan
    return RunDifferences(n_runs, mean, variance, largest)


def correlated_t_law(
    runs: RunDifferences, test_share: float, rope: Floats | float, alternative: str
) -> CorrelatedT:
    """
    Give the law of the true difference given those of correlated runs.

    The squared scale is (1 / n + rho / (1 - rho)) times the variance, rho being the
    correlation of two runs, for which the share of the data used for testing stands
    ([1]_ and equation 8 of [2]_); there are n - 1 degrees of freedom.

    Parameters
    ----------
    runs : RunDifferences
        Differences over runs.
    test_share : float
        From 0 (independent runs) to below 1.
    rope : ndarray of float64 or float
        Half-width of the region of practical equivalence, not negative. A point mass that
        equals it in decimals is within it.
    alternative : {"two-sided", "greater", "less"}
        For the p-value; "greater" if the first method is better.

    Returns
    -------
    CorrelatedT
        NaN with fewer than two runs.
    """
    n_runs, mean, variance, largest = runs
    known = n_runs > 1
    df = np.where(known, n_runs - 1.0, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = np.sqrt((1.0 / n_runs + test_share / (1.0 - test_share)) * variance)
        statistic = mean / scale
        upper, lower = (rope - mean) / scale, (-rope - mean) / scale
    still = known & (scale == 0.0) & (mean == 0.0)
    statistic[still] = 0.0
    p_value = t_p_values(statistic, df, alternative)
    p_value[still] = 1.0
    point = known & (scale == 0.0)
    bound = rope + EQUALITY * np.maximum(largest, rope)
    upper = np.where(point, np.where(mean > bound, -np.inf, np.inf), upper)
    lower = np.where(point, np.where(mean < -bound, np.inf, -np.inf), lower)
    beyond_upper, beyond_lower = t_tail(np.abs(upper), df), t_tail(np.abs(lower), df)
    better = np.where(upper < 0.0, 1.0 - beyond_upper, beyond_upper)
    worse = np.where(lower > 0.0, 1.0 - beyond_lower, beyond_lower)
    # between two values on one side the difference of the smaller tails keeps its digits
    one_side = np.abs(beyond_upper - beyond_lower)
    within = np.where((upper < 0.0) | (lower > 0.0), one_side, 1.0 - better - worse)
    return CorrelatedT(scale, df, p_value, better, np.maximum(within, 0.0), worse)
