"""Which points are ahead of every other one in one respect at least."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["undominated"]


def undominated(benefits: NDArray[np.float64]) -> NDArray[np.bool_]:
    """
    Tell which points no other one dominates.

    A point dominates another if it is at least as good in every respect and better in one,
    so that equal points are both on the front.

    Parameters
    ----------
    benefits : ndarray of float64, shape (n_points, n_respects)
        More is better; no NaN.

    Returns
    -------
    ndarray of bool, shape (n_points,)
    """
    as_good = np.ones((len(benefits), len(benefits)), dtype=bool)
    better = np.zeros_like(as_good)
    for respect in benefits.T:
        as_good &= respect[:, None] >= respect
        better |= respect[:, None] > respect
    is_dominated = np.any(as_good & better, axis=0)
    front: NDArray[np.bool_] = np.logical_not(is_dominated)
    return front
