"""The law of the sum of signed ranks when each sign is a fair coin, with ties and zeros."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

#: Up to so many differences other than zero the law is exact, without ties and with ties.
MOST_UNTIED, MOST_TIED = 2000, 500

_SAFE = 1000  # 2 ** 1000 and its inverse are floats
_STEP = 500  # powers of two taken out at a time
_BLOCK = 2**18  # numbers of all laws that grow together; smaller blocks are slower
_WORKERS = 2  # threads that grow laws; numpy lets go of the lock while it adds
_WINDOW = 2**19  # numbers of the sums over two laws at a time


@lru_cache(maxsize=32)
def untied_lower_tails(n: int) -> NDArray[np.float64]:
    """
    Tabulate P(T <= s) for the sum T of those of the ranks 1 to n whose coin shows heads.

    The number of sets of ranks with a sum of at most s is c(s) + c(s - r) when rank r joins
    (Hollander, Wolfe and Chicken, ch. 3.1). Powers of two are taken out on the way so that
    nothing leaves the range of a float.

    Parameters
    ----------
    n : int
        Number of ranks, at most `MOST_UNTIED`.

    Returns
    -------
    ndarray of float64, shape (n (n + 1) // 4 + 1,)
        The lower half of the law, s from 0; the other half is its mirror image. Read-only.
    """
    half = n * (n + 1) // 4
    count, grown = np.ones((2, half + 1))
    reach, everything, exponent = 0, 1.0, n
    for rank in range(1, n + 1):
        end = min(half, reach + rank) + 1
        count[reach + 1 : end] = everything  # beyond the largest sum so far
        np.add(count[rank:end], count[: max(0, end - rank)], out=grown[rank:end])
        grown[: min(rank, end)] = count[: min(rank, end)]
        count, grown = grown, count
        reach, everything = end - 1, 2.0 * everything
        if rank >= _SAFE and rank % _STEP == 0 and rank < n:
            count *= 2.0**-_STEP
            everything *= 2.0**-_STEP
            exponent -= _STEP
    tails = np.ldexp(count, -exponent)
    tails.setflags(write=False)
    return tails


def tied_lower_tails(
    doubled: NDArray[np.uint16], member: NDArray[np.intp], at: NDArray[np.int64]
) -> NDArray[np.float64]:
    """
    Find P(2 T <= a) for the sum T of those mid-ranks whose coin shows heads.

    Whole mid-ranks and halves grow a law each: that of the whole ones needs every second
    place only. The laws of many patterns grow together, each no further than asked for.

    Parameters
    ----------
    doubled : ndarray of uint16, shape (n_patterns, n)
        Twice the mid-ranks, a pattern a row; 0 where a row has fewer.
    member : ndarray of intp, shape (n_values,)
        Pattern that each value is asked of.
    at : ndarray of int64, shape (n_values,)
        The values a, from -1.

    Returns
    -------
    ndarray of float64, shape (n_values,)
        The probabilities.
    """
    # a row also holds how often it has each mid-rank, and is never wider than both need
    limit = np.full(len(doubled), int(doubled.max(initial=0)), dtype=np.int64)
    np.maximum.at(limit, member, at)
    order = np.argsort(limit, kind="stable")
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    asked = np.argsort(place[member], kind="stable")
    opens = np.searchsorted(place[member[asked]], np.arange(len(order) + 1))
    limit = limit[order]
    result = np.empty(len(at))

    def settle(start: int, stop: int) -> None:
        values = asked[opens[start] : opens[stop]]
        row = place[member[values]] - start
        result[values] = _tails_of_block(doubled[order[start:stop]], row, at[values])

    bounds = _bounds_of_blocks(limit)
    with ThreadPoolExecutor(min(_WORKERS, max(1, len(bounds) - 1))) as pool:
        list(pool.map(settle, bounds[:-1], bounds[1:]))
    return result


def _bounds_of_blocks(limit: NDArray[np.int64]) -> list[int]:
    """Cut ascending widths of laws into blocks of laws as wide as the last of a block."""
    bounds = [0]
    while (start := bounds[-1]) < len(limit):
        stop = len(limit)
        while stop - start > 1 and (stop - start) * (limit[stop - 1] + 1) > _BLOCK:
            fits = start + max(1, _BLOCK // int(limit[stop - 1] + 1))
            stop = min(stop - 1, fits)
        bounds.append(stop)
    return bounds


def _tails_of_block(
    doubled: NDArray[np.uint16], row: NDArray[np.intp], at: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Find the lower tails of some patterns, few enough for the processor's cache."""
    n_rows, most = len(doubled), int(doubled.max(initial=0))
    cell = doubled + (most + 1) * np.arange(n_rows)[:, None]
    times = np.bincount(cell.ravel(), minlength=n_rows * (most + 1)).reshape(n_rows, -1)
    top = int(at.max(initial=0))
    whole = _grow_laws(times[:, 2::2], np.arange(1, most // 2 + 1), top // 2)
    odd = np.arange(1, most + 1, 2)
    halves = _grow_laws(times[:, 1::2], odd, top)
    np.cumsum(whole, axis=1, out=whole)
    tails = np.zeros(len(at))
    for parity in (0, 1):
        tails += _sum_over_both(whole, halves[:, parity::2], row, (at - parity) // 2)
    n_coins = np.count_nonzero(doubled, axis=1)[row]
    return np.asarray(np.ldexp(tails, -n_coins), dtype=np.float64)


def _grow_laws(
    times: NDArray[np.intp], values: NDArray[np.intp], top: int
) -> NDArray[np.float64]:
    """Count for each row the sets of its values with each sum up to the top."""
    reach = np.cumsum(times * values, axis=1).max(axis=0, initial=0)
    width = min(top, int(reach[-1]) if reach.size else 0) + 1
    laws, spare = np.zeros((2, len(times), width))
    laws[:, 0] = 1.0
    most = times.max(axis=0, initial=0)
    columns = np.flatnonzero((most > 0) & (values < width))
    ends = np.minimum(reach[columns] + 1, width)
    by_column = np.ascontiguousarray(times[:, columns].T)
    steps = zip(
        values[columns].tolist(), ends.tolist(), most[columns].tolist(), strict=True
    )
    for some, (value, end, often) in zip(by_column, steps, strict=True):
        grown, moved = laws[:, value:end], spare[:, : end - value]
        for time in range(often):
            _add_shifted(grown, laws[:, : end - value], moved, some > time)
    return laws


def _add_shifted(
    grown: NDArray[np.float64],
    shifted: NDArray[np.float64],
    spare: NDArray[np.float64],
    joins: NDArray[np.bool_],
) -> None:
    """Let a value join the laws of some rows, in place: c(s) += c(s - value)."""
    n_joins = np.count_nonzero(joins)
    if 2 * n_joins > len(joins):  # adding zeros to the others is cheaper than choosing
        np.copyto(spare, shifted)
        if n_joins < len(joins):
            spare[~joins] = 0.0
        grown += spare
    else:
        rows = joins.nonzero()[0]
        grown[rows] += shifted[rows]


def _sum_over_both(
    tails: NDArray[np.float64],
    law: NDArray[np.float64],
    row: NDArray[np.intp],
    at: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Sum law(s) tails(a - s) over s for each row and a asked for."""
    (n_rows, width), depth = tails.shape, law.shape[1]
    result = np.zeros(len(at))
    if not depth:
        return result
    # A window over the tails in reverse is tails(a), tails(a - 1), ...; zeros follow.
    longest = max(width, int(at.max(initial=0)) + 1)
    reverse = np.zeros((n_rows, longest + depth))
    reverse[:, longest - width : longest] = tails[:, ::-1]
    reverse[:, : longest - width] = tails[:, -1:]
    windows = np.lib.stride_tricks.sliding_window_view(reverse.ravel(), depth)
    step = max(1, _WINDOW // depth)
    for start in range(0, len(at), step):
        part = slice(start, start + step)
        some, value = row[part], at[part]
        opening = some * (longest + depth) + longest - 1 - np.maximum(value, -1)
        result[part] = np.einsum("ps,ps->p", law[some], windows[opening])
    return result


def normal_lower_tails(
    at: NDArray[np.int64],
    total: NDArray[np.int64],
    squares: NDArray[np.float64],
    span: NDArray[np.int64],
) -> NDArray[np.float64]:
    """
    Approximate P(2 T <= a) by the normal law, half a step added for continuity.

    Parameters
    ----------
    at, total : ndarray of int64
        The values a, and twice the sum of the mid-ranks.
    squares : ndarray of float64
        Sum of the squares of twice the mid-ranks, four times the variance of 2 T: ties are
        in it as they are.
    span : ndarray of int64
        Greatest common divisor of twice the mid-ranks, the step between values of 2 T.

    Returns
    -------
    ndarray of float64
        Probabilities.
    """
    middle = (at // span + 0.5) * span
    return np.asarray(ndtr((2.0 * middle - total) / np.sqrt(squares)), dtype=np.float64)
