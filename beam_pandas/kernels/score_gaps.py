"""Mean scores, and how far they are from the best score of each dataset."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def mean_scores(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """
    Average each column over the rows where it has a value.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_datasets, n_methods)
        NaN where missing, never infinite.

    Returns
    -------
    ndarray of float64, shape (n_methods,)
        NaN for a column without a value; never infinite.
    """
    present = ~np.isnan(scores)
    count = np.count_nonzero(present, axis=0)
    filled = np.where(present, scores, 0.0)
    mean = np.full(scores.shape[1], np.nan)
    with np.errstate(over="ignore", invalid="ignore"):
        np.divide(filled.sum(axis=0), count, out=mean, where=count > 0)
    large = (count > 0) & ~np.isfinite(mean)  # the sum overflows, the mean does not
    mean[large] = (filled[:, large] / count[large]).sum(axis=0)
    return mean


def mean_gaps_to_best(benefit: NDArray[np.float64]) -> NDArray[np.float64]:
    """
    Average how far each method is behind the best of each dataset it has.

    Parameters
    ----------
    benefit : ndarray of float64, shape (n_datasets, n_methods)
        Scores turned so that more is better, equal ones the same; NaN where missing,
        never infinite. Each row has a score.

    Returns
    -------
    ndarray of float64, shape (n_methods,)
        0 for a method that is the best everywhere; NaN for one without a score; infinite
        where no float holds the mean.
    """
    best = np.max(benefit, axis=1, where=~np.isnan(benefit), initial=-np.inf)
    halves = mean_scores(best[:, None] / 2.0 - benefit / 2.0)  # none of which overflows
    with np.errstate(over="ignore"):
        return np.asarray(2.0 * halves)
