"""All pairs of so many things, listed once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_MOST_KEPT = 500  # things whose pairs stay in memory


def list_pairs(number: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """List the pairs in the order of the upper triangle, once for tables of one size."""
    return _kept(number) if number <= _MOST_KEPT else np.triu_indices(number, 1)


@lru_cache(maxsize=8)
def _kept(number: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    one, other = np.triu_indices(number, 1)
    one.flags.writeable = other.flags.writeable = False
    return one, other
