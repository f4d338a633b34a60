"""Tails of a law on a grid, and what is said when a law would be too large."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BLOCK = 256


class TableTooLargeError(Exception):
    """
    The exact law of a table would take too long.

    Attributes
    ----------
    most_datasets : int
        As many datasets as the law can be had for, with as many methods and ties as in
        the table; 0 if it cannot be had at all.
    """

    def __init__(self, most_datasets: int) -> None:
        super().__init__(f"the exact law goes to {most_datasets} datasets")
        self.most_datasets = most_datasets


def upper_tails(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """
    Give the sum of each probability and all after it.

    Summed from the end, so that small tails keep their digits, and in two levels, so
    that the rounding errors of a long law do not add up.
    """
    size = probabilities.size
    padded = np.zeros(-(-size // _BLOCK) * _BLOCK)
    padded[:size] = probabilities[::-1]
    within = np.cumsum(padded.reshape(-1, _BLOCK), axis=1)
    before = np.zeros((within.shape[0], 1))
    np.cumsum(within[:-1, -1], out=before[1:, 0])
    return (within + before).ravel()[:size][::-1]
