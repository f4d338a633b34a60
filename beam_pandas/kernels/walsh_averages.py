"""The median of the averages of all pairs of differences, and its interval."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from beam_pandas.kernels.signed_rank_law import MOST_UNTIED, untied_lower_tails

Alternative = Literal["two-sided", "greater", "less"]

_BLOCK = 2**18  # averages listed at a time
_LISTED = 1024  # differences up to which all averages are listed
_SPARE = 4  # averages left over for each difference, from which on they are listed


def interval_rank(
    n: int, confidence_level: float, alternative: Alternative
) -> tuple[int, float]:
    """
    Find how many averages to count off from an end of their order.

    The largest k with s P(T <= k - 1) <= 1 - confidence_level, where T is the sum of signed
    ranks of n differences without ties and s is 2 for an interval with two ends and 1 for
    one (Hollander, Wolfe and Chicken, ch. 3.3).

    Parameters
    ----------
    n : int
        Number of differences, zeros included, at least 1.
    confidence_level : float
        Between 0 and 1.
    alternative : {"two-sided", "greater", "less"}
        Two ends, or one.

    Returns
    -------
    k : int
        The interval reaches from the k-th smallest average to the k-th largest; 0 if n
        differences cannot give the level, and the ends are infinite.
    level : float
        1 - s P(T <= k - 1), exact up to `MOST_UNTIED` differences, normal above.
    """
    sides = 2.0 if alternative == "two-sided" else 1.0
    risk = 1.0 - confidence_level
    if n <= MOST_UNTIED:
        tails = sides * untied_lower_tails(n)
        if sides == 1.0:  # its level may be below one half
            size = n * (n + 1) // 2
            tails = np.append(tails, 1.0 - tails[: size - len(tails)][::-1])
        k = int(np.searchsorted(tails, risk, side="right"))
        return k, 1.0 - (float(tails[k - 1]) if k else 0.0)
    mean = n * (n + 1) / 4.0
    deviation = math.sqrt(n * (n + 1) * (2 * n + 1) / 24.0)
    k = max(0, math.floor(mean + 0.5 + deviation * float(ndtri(risk / sides))))
    return k, 1.0 - (sides * float(ndtr((k - 0.5 - mean) / deviation)) if k else 0.0)


def median_and_ends(differences: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """
    Find the median and the k-th average from either end of each row.

    Averages are those of all pairs of differences i <= j (Walsh averages); their median is
    the estimate of Hodges and Lehmann (1963).

    Parameters
    ----------
    differences : ndarray of float64, shape (n_rows, n)
        Finite, at least one a row.
    k : int
        From 0; the ends for 0 are infinite.

    Returns
    -------
    ndarray of float64, shape (3, n_rows)
        Lower end, median, upper end.
    """
    n_rows, n = differences.shape
    size = n * (n + 1) // 2
    ends = [k - 1, size - k] if k else []
    places = sorted({*ends, (size - 1) // 2, size // 2})
    chosen = np.empty((len(places), n_rows))
    if n <= _LISTED:
        step = max(1, _BLOCK // size)
        for start in range(0, n_rows, step):
            part = slice(start, start + step)
            chosen[:, part] = _choose_listed(differences[part], places)
    else:
        ascending = np.sort(differences, axis=1)
        for row in range(n_rows):
            chosen[:, row] = [_choose_sum(ascending[row], place) for place in places]
    found = dict(zip(places, chosen, strict=True))
    # Sums of two are halved, and the two in the middle halved again.
    median = (found[(size - 1) // 2] + found[size // 2]) / 4.0
    low = found[k - 1] / 2.0 if k else np.full(n_rows, -np.inf)
    high = found[size - k] / 2.0 if k else np.full(n_rows, np.inf)
    return np.stack([low, median, high])


def _choose_listed(
    differences: NDArray[np.float64], places: list[int]
) -> NDArray[np.float64]:
    """List the sums of all pairs of each row, and choose some places of their order."""
    n_rows, n = differences.shape
    sums = np.empty((n_rows, n * (n + 1) // 2))
    start = 0
    for lag in range(n):
        stop = start + n - lag
        np.add(differences[:, : n - lag], differences[:, lag:], out=sums[:, start:stop])
        start = stop
    chosen = np.empty((len(places), n_rows))
    done = 0
    for at, place in enumerate(places):  # what lies below a place is in order with it
        rest = sums[:, done:]
        rest.partition(place - done, axis=1)
        chosen[at] = rest[:, place - done]
        done = place
    return chosen


def _choose_sum(ascending: NDArray[np.float64], place: int) -> float:
    """
    Choose a place of the order of all sums of two without listing them.

    Each row i of the table of sums keeps the columns that may still hold the place. The
    median of the rows' middles, weighted by what they keep, takes away a quarter of it or
    more (Johnson and Mizoguchi 1978).
    """
    n = len(ascending)
    rows = np.arange(n)
    low, high = rows.copy(), np.full(n, n)  # columns kept: low <= j < high
    while True:
        kept = high - low
        if kept.sum() <= _SPARE * n:
            break
        open_ = np.flatnonzero(kept)
        middle = ascending[open_] + ascending[(low + high)[open_] // 2]
        order = np.argsort(middle)
        weight = np.cumsum(kept[open_][order])
        at = int(np.searchsorted(weight, weight[-1] / 2.0))
        pivot = float(middle[order[at]])
        below = _count_columns(ascending, pivot, strict=True)
        if place < (below - rows).sum():
            high = np.maximum(low, np.minimum(high, below))
            continue
        up_to = _count_columns(ascending, pivot, strict=False)
        if place < (up_to - rows).sum():
            return pivot
        low = np.minimum(high, np.maximum(low, up_to))
    row = np.repeat(rows, kept)
    column = np.arange(kept.sum()) - np.repeat(np.cumsum(kept) - kept - low, kept)
    rest = place - int((low - rows).sum())
    return float(np.partition(ascending[row] + ascending[column], rest)[rest])


def _count_columns(
    ascending: NDArray[np.float64], pivot: float, *, strict: bool
) -> NDArray[np.intp]:
    """Find for each i the first j >= i whose sum with i is not below or up to the pivot."""
    n = len(ascending)
    low, high = np.arange(n), np.full(n, n)
    while (low < high).any():
        middle = (low + high) // 2
        sums = ascending + ascending[np.minimum(middle, n - 1)]
        inside = (sums < pivot) if strict else (sums <= pivot)
        inside &= low < high
        low = np.where(inside, middle + 1, low)
        high = np.where(inside, high, np.minimum(high, middle))
    return low
