"""Which tail of the law of signed ranks each pair asks for, and its p-value."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.signed_rank_law import (
    MOST_TIED,
    MOST_UNTIED,
    normal_lower_tails,
    tied_lower_tails,
    untied_lower_tails,
)
from beam_pandas.kernels.size_ranks import SizeRanks
from beam_pandas.kernels.walsh_averages import Alternative

_WAITING = 2**25  # mid-ranks that wait for their laws at a time


class Tails(NamedTuple):
    """
    Lower tails P(2 T <= at), a pair a place, filled in as they become known.

    Attributes
    ----------
    at : ndarray of int64
        At most half of what 2 T can be, from -1.
    upper : ndarray of bool
        Whether one minus the tail is meant.
    n_nonzero : ndarray of int64
        Differences other than zero; -1 where the law is not that of the ranks from 1 on.
    lower : ndarray of float64
        The tails.
    approximate : ndarray of bool
        By the normal law.
    """

    at: NDArray[np.int64]
    upper: NDArray[np.bool_]
    n_nonzero: NDArray[np.int64]
    lower: NDArray[np.float64]
    approximate: NDArray[np.bool_]


class WaitingTails(NamedTuple):
    """Pairs whose laws are not known yet, and twice their mid-ranks, 0 for none."""

    pairs: NDArray[np.intp]
    doubled: NDArray[np.uint16]


def unasked_tails(n_pairs: int) -> Tails:
    """Make room for the tails of so many pairs."""
    return Tails(
        at=np.zeros(n_pairs, dtype=np.int64),
        upper=np.zeros(n_pairs, dtype=bool),
        n_nonzero=np.full(n_pairs, -1, dtype=np.int64),
        lower=np.full(n_pairs, np.nan),
        approximate=np.zeros(n_pairs, dtype=bool),
    )


def ask_tails(
    tails: Tails,
    waiting: list[WaitingTails],
    block: NDArray[np.intp],
    ranks: SizeRanks,
    alternative: Alternative,
) -> None:
    """
    Note which tails some pairs need; approximate those that no exact law reaches.

    Parameters
    ----------
    tails : Tails
        Filled in, in place.
    waiting : list of WaitingTails
        Pairs with ties or ranked zeros are added, and settled when there are many.
    block : ndarray of intp
        Places of the pairs.
    ranks : SizeRanks
        Their ranks, all of as many differences.
    alternative : {"two-sided", "greater", "less"}
        ``greater`` asks for P(T >= t), ``less`` for P(T <= t), and two-sided for the
        smaller of both. The law is its own mirror image, so P(T >= t) = P(T <= total - t).
    """
    minus = ranks.total - ranks.plus
    side = {
        "two-sided": np.minimum(ranks.plus, minus),
        "greater": minus,
        "less": ranks.plus,
    }
    near = side[alternative]
    upper = 2 * near > ranks.total
    tails.upper[block] = upper
    tails.at[block] = np.where(upper, ranks.total - near - 1, near)
    n_nonzero = np.count_nonzero(ranks.doubled, axis=1)
    n = ranks.doubled.shape[1]
    uneven = block[ranks.uneven]
    # ranked zeros push the ranks up, and the law is as long as the highest asks for
    exact = (n_nonzero <= MOST_TIED) & (ranks.doubled[:, -1] <= 2 * MOST_UNTIED)
    even = np.ones(len(block), dtype=bool)
    even[ranks.uneven] = False
    tails.n_nonzero[block[even]] = (n - ranks.n_zeros)[even]
    if exact.any():
        last = ranks.doubled[exact, max(0, n - MOST_TIED) :].astype(np.uint16)
        waiting.append(WaitingTails(uneven[exact], last))
        if sum(some.doubled.size for some in waiting) > _WAITING:
            settle_waiting(tails, waiting)
    if not exact.all():
        doubled, far = ranks.doubled[~exact], uneven[~exact]
        total = ranks.total[ranks.uneven[~exact]]
        squares = (doubled.astype(np.float64) ** 2).sum(axis=1)
        span = np.gcd.reduce(doubled, axis=1)
        tails.lower[far] = normal_lower_tails(tails.at[far], total, squares, span)
        tails.approximate[far] = True


def settle_waiting(tails: Tails, waiting: list[WaitingTails]) -> None:
    """Find the tails of the pairs that wait, a law for each distinct set of mid-ranks."""
    if not waiting:
        return
    pairs = np.concatenate([some.pairs for some in waiting])
    doubled = np.ascontiguousarray(np.concatenate([some.doubled for some in waiting]))
    waiting.clear()
    key = doubled.view(np.dtype((np.void, doubled.itemsize * doubled.shape[1]))).ravel()
    _, where, member = np.unique(key, return_index=True, return_inverse=True)
    tails.lower[pairs] = tied_lower_tails(doubled[where], member, tails.at[pairs])


def settle_untied(tails: Tails) -> None:
    """Find the tails of the pairs whose mid-ranks are 1, 2, ..."""
    order = np.argsort(tails.n_nonzero, kind="stable")
    sizes, opens = np.unique(tails.n_nonzero[order], return_index=True)
    for n, members in zip(sizes.tolist(), np.split(order, opens)[1:], strict=True):
        at = tails.at[members]
        if 0 <= n <= MOST_UNTIED:
            tails.lower[members] = np.where(at < 0, 0.0, untied_lower_tails(n)[at // 2])
        elif n > MOST_UNTIED:
            total = np.full(len(at), n * (n + 1), dtype=np.int64)
            squares = np.full(len(at), 2.0 * n * (n + 1.0) * (2.0 * n + 1.0) / 3.0)
            span = np.full(len(at), 2, dtype=np.int64)
            tails.lower[members] = normal_lower_tails(at, total, squares, span)
            tails.approximate[members] = True


def p_values(tails: Tails, alternative: Alternative) -> NDArray[np.float64]:
    """Turn the tails into p-values."""
    if alternative == "two-sided":
        return np.minimum(1.0, 2.0 * tails.lower)
    return np.where(tails.upper, 1.0 - tails.lower, tails.lower)
