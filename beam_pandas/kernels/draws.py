"""Bootstrap draws: which units come how often, and the ends of percentile intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: So many units and fewer are not sampled: all their compositions are gone through.
EXACT_UNITS = 7
_BLOCK = 2**20  # numbers of an array handled at a time


class Draws(NamedTuple):
    """
    Some draws of units with replacement.

    Attributes
    ----------
    units : ndarray of int64, shape (n_draws, n_units)
        Positions of the units drawn, one row a draw.
    weights : ndarray of float64, shape (n_draws,)
        Whole numbers: how often the draw counts.
    """

    units: NDArray[np.int64]
    weights: NDArray[np.float64]

    def counts(self) -> NDArray[np.int64]:
        """Count how often each unit comes, a row for each draw."""
        n_draws, n_units = self.units.shape
        row = n_units * np.arange(n_draws)[:, None]
        flat = np.bincount((self.units + row).ravel(), minlength=n_draws * n_units)
        return flat.reshape(n_draws, n_units)


def is_exact(n_units: int) -> bool:
    """Tell whether all draws are gone through, so that no random number is needed."""
    return n_units <= EXACT_UNITS


def draw_units(
    n_units: int, n_resamples: int, rng: np.random.Generator, *, width: int
) -> Iterator[Draws]:
    """
    Draw as many units as there are, with replacement, again and again.

    Up to `EXACT_UNITS` units nothing is drawn: each composition comes once, with the
    number of the ordered draws that it stands for as weight.

    Parameters
    ----------
    n_units : int
        Number of units, at least 1.
    n_resamples : int
        Number of draws where they are sampled.
    rng : Generator
        Source of random numbers. What it gives does not depend on `width`: it is that of
        ``rng.integers(n_units, size=(n_resamples, n_units))``.
    width : int
        Numbers that the caller keeps for each draw, which settles how many come at a time.

    Yields
    ------
    Draws
        Blocks, together all draws.
    """
    step = max(1, _BLOCK // max(1, width, n_units))
    if is_exact(n_units):
        everything = _all_draws(n_units)
        for start in range(0, len(everything.weights), step):
            part = slice(start, start + step)
            yield Draws(everything.units[part], everything.weights[part])
        return
    for start in range(0, n_resamples, step):
        n_draws = min(step, n_resamples - start)
        units = rng.integers(n_units, size=(n_draws, n_units))
        yield Draws(units, np.ones(n_draws))


def _all_draws(n_units: int) -> Draws:
    """
    List the C(2n - 1, n) compositions of n with their multinomial coefficients.

    A composition of n into n parts is a choice of n - 1 bars among 2n - 1 places.
    """
    n_places = 2 * n_units - 1
    chosen = list(combinations(range(n_places), n_units - 1))
    bars = np.array(chosen, dtype=np.int64).reshape(len(chosen), n_units - 1)
    counts = np.diff(bars, axis=1, prepend=-1, append=n_places) - 1
    factorial = np.array([math.factorial(count) for count in range(n_units + 1)])
    weights = factorial[n_units] // factorial[counts].prod(axis=1)
    units = np.repeat(np.tile(np.arange(n_units), len(counts)), counts.ravel())
    return Draws(units.reshape(-1, n_units), weights.astype(np.float64))


def n_draws_of(n_units: int, n_resamples: int) -> int:
    """Count the draws that `draw_units` gives."""
    return math.comb(2 * n_units - 1, n_units) if is_exact(n_units) else n_resamples


def percentile_interval(
    values: NDArray[np.floating], weights: NDArray[np.float64], confidence_level: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """
    Give the percentile interval of each row, by the inverse of its distribution function.

    An end is the smallest value up to which at least its share of the weight lies; a share
    that is reached exactly is reached, though 1 - 0.95 is a little above 0.05 in floats.

    Parameters
    ----------
    values : ndarray of float, shape (n_rows, n_draws)
        What each draw gave; NaN where it gave nothing, which is left out.
    weights : ndarray of float64, shape (n_draws,)
        Whole numbers.
    confidence_level : float
        Between 0 and 1.

    Returns
    -------
    low, high : ndarray of float64, shape (n_rows,)
        NaN for a row without a value.

    References
    ----------
    Hyndman, R. J., Fan, Y. (1996). The American Statistician 50(4), 361-365, definition 1.
    doi:10.1080/00031305.1996.10473566
    """
    n_rows, n_draws = values.shape
    tail = (1.0 - confidence_level) / 2.0
    ends = np.full((2, n_rows), np.nan)
    plain = bool((weights == 1.0).all())
    step = max(1, _BLOCK // max(1, n_draws))
    for start in range(0, n_rows, step):
        part = values[start : start + step]
        if plain:
            ordered = np.sort(part, axis=1)  # NaN last
            total = np.count_nonzero(~np.isnan(part), axis=1).astype(np.float64)
            cumulative = None
        else:
            order = np.argsort(part, axis=1)
            ordered = np.take_along_axis(part, order, axis=1)
            weight = np.where(np.isnan(ordered), 0.0, weights[order])
            cumulative = np.cumsum(weight, axis=1)
            total = cumulative[:, -1]
        for end, share in enumerate((tail, 1.0 - tail)):
            need = _weight_needed(share, total)
            if cumulative is None:
                at = need.astype(np.intp) - 1
            else:
                at = np.count_nonzero(cumulative < need[:, None], axis=1)
            found = ordered[np.arange(len(part)), np.minimum(at, n_draws - 1)]
            ends[end, start : start + step] = np.where(total > 0.0, found, np.nan)
    return ends[0], ends[1]


def _weight_needed(share: float, total: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the smallest whole weight, from 1, that is at least the share of the total."""
    exact = share * total
    nearest = np.rint(exact)
    reached = np.abs(exact - nearest) <= 1e-13 * total
    return np.maximum(np.where(reached, nearest, np.ceil(exact)), 1.0)
