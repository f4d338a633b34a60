"""Whether a gap of mean ranks is beyond a critical difference."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.equal_scores import EQUALITY


def beyond(gap: NDArray[np.float64], critical: float) -> NDArray[np.bool_]:
    """
    Tell which gaps are larger than the critical difference; one equal to it is within.

    Parameters
    ----------
    gap : ndarray of float64
        Gaps of mean ranks, not negative.
    critical : float
        Critical difference, not negative; NaN if there is none, which nothing exceeds.

    Returns
    -------
    ndarray of bool, same shape as gap
        Equal are two that differ by no more than `EQUALITY` of the larger.
    """
    return np.asarray(gap - critical > EQUALITY * gap, dtype=np.bool_)


def least_beyond(critical: float, divisor: int) -> int:
    """
    Give the smallest whole number that, divided, is a gap beyond the critical difference.

    Parameters
    ----------
    critical : float
        Critical difference, not negative; NaN if there is none.
    divisor : int
        What turns differences of doubled rank sums into gaps, twice the datasets.

    Returns
    -------
    int
        So that whole numbers can be compared instead; larger than any rank sum if there
        is no critical difference.
    """
    if not math.isfinite(critical):
        return int(np.iinfo(np.int64).max)
    about = math.floor(critical * divisor * (1.0 + EQUALITY))
    candidates = np.maximum(about + np.arange(-2, 4), 0)
    first = int(np.argmax(beyond(candidates / divisor, critical)))
    return int(candidates[first])
