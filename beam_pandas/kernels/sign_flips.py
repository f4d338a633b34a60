"""Which verdicts of the sign test hang on one dataset."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.adjustment import adjust_p_values
from beam_pandas.kernels.binomial_sign import sign_p_values
from beam_pandas.kernels.pair_counts import place_rows

_BLOCK = 2**19  # pairs looked at in one go

#: Outcomes of some datasets: 1 where the first method of a pair wins, -1 where it loses.
Outcomes = Callable[[slice], NDArray[np.int8]]


class _Classes(NamedTuple):
    """The p-values that can occur, ascending, and where each pair finds its own."""

    p_values: NDArray[np.float64]
    now: NDArray[np.int32]  # (n_pairs,), with all datasets, or without one of its ties
    win_gone: NDArray[np.int32]
    loss_gone: NDArray[np.int32]


def pair_outcomes(benefit: NDArray[np.float64], rope: float) -> Outcomes:
    """
    Prepare the outcomes of all pairs on each dataset, by one rope.

    Parameters
    ----------
    benefit : ndarray of float64, shape (n_datasets, n_methods)
        Scores turned so that more is better, none missing, never infinite.
    rope : float
        Half-width of the region of practical equivalence, in the unit of the scores.

    Returns
    -------
    callable
        Takes a slice of datasets and gives an ndarray of int8, shape (n_rows, n_pairs):
        pairs in the order of the upper triangle.
    """
    place, bar = place_rows(benefit, rope)
    first, second = np.triu_indices(benefit.shape[1], k=1)

    def outcomes(part: slice) -> NDArray[np.int8]:
        won = place[part][:, first] >= bar[part][:, second]
        lost = place[part][:, second] >= bar[part][:, first]
        return won.view(np.int8) - lost.view(np.int8)

    return outcomes


def count_sign_flips(
    outcomes: Outcomes,
    wins: NDArray[np.int64],
    losses: NDArray[np.int64],
    n_datasets: int,
    *,
    alpha: float,
    adjust: str,
) -> NDArray[np.int64]:
    """
    Count the pairs whose verdict by the sign test changes without each dataset.

    Without a dataset a pair has one win, or one loss, or one tie less, so that it has one
    of three p-values known beforehand. Equal p-values are adjusted alike and smaller ones
    never to larger ones, so that a verdict is a cut between classes of equal p-values,
    found by counting the pairs of each class; nothing is sorted again.

    Parameters
    ----------
    outcomes : callable
        Gives for a slice of datasets 1 where the first method of a pair wins, -1 where it
        loses, else 0, shape (n_rows, n_pairs).
    wins, losses : ndarray of int64, shape (n_pairs,)
        Their counts over all datasets.
    n_datasets : int
        Number of datasets, at least two.
    alpha : float
        Level.
    adjust : str
        One of those of `adjust_p_values`, over all pairs.

    Returns
    -------
    ndarray of int64, shape (n_datasets,)
        Pairs of which one verdict, but not the other, is significant.
    """
    flips = np.zeros(n_datasets, dtype=np.int64)
    n_pairs = len(wins)
    if not n_pairs:
        return flips
    classes = _classify(wins, losses)
    n_classes = len(classes.p_values)
    number = np.bincount(classes.now, minlength=n_classes)[None]
    verdict = classes.now < _cut(number, classes.p_values, alpha, adjust)
    step = max(1, _BLOCK // max(n_pairs, n_classes))
    for start in range(0, n_datasets, step):
        part = slice(start, min(start + step, n_datasets))
        outcome = outcomes(part)
        own = np.where(outcome == 1, classes.win_gone, classes.now)
        np.copyto(own, classes.loss_gone, where=outcome == -1)
        row = n_classes * np.arange(len(own))[:, None]
        number = np.bincount((own + row).ravel(), minlength=n_classes * len(own))
        cut = _cut(number.reshape(-1, n_classes), classes.p_values, alpha, adjust)
        flips[part] = np.count_nonzero((own < cut[:, None]) != verdict, axis=1)
    return flips


def _classify(wins: NDArray[np.int64], losses: NDArray[np.int64]) -> _Classes:
    """Give each pair its p-values with all datasets and without one of each outcome."""
    less_wins, less_losses = np.maximum(wins - 1, 0), np.maximum(losses - 1, 0)
    p_values, codes = np.unique(
        np.concatenate(
            [sign_p_values(wins, losses), sign_p_values(less_wins, losses),
             sign_p_values(wins, less_losses)]
        ),
        return_inverse=True,
    )  # fmt: skip
    now, win_gone, loss_gone = codes.astype(np.int32).reshape(3, -1)
    return _Classes(p_values, now, win_gone, loss_gone)


def _cut(
    number: NDArray[np.int64], p_values: NDArray[np.float64], alpha: float, adjust: str
) -> NDArray[np.int64]:
    """
    Give for each row how many classes of p-values, from the smallest, are significant.

    Parameters
    ----------
    number : ndarray of int64, shape (n_rows, n_classes)
        Members of each class.
    p_values : ndarray of float64, shape (n_classes,)
        Ascending.
    alpha, adjust
        As `count_sign_flips` takes them.

    Returns
    -------
    ndarray of int64, shape (n_rows,)
        The arithmetic is that of `adjust_p_values`, so that a value equal to alpha is one
        here as there.
    """
    up_to = np.cumsum(number, axis=1)
    m = up_to[:, -1:]
    filled = number > 0
    if adjust == "none":
        passes = np.broadcast_to(p_values <= alpha, number.shape)
    elif adjust == "bonferroni":
        passes = p_values * m <= alpha
    elif adjust == "holm":  # the first of a class has the largest factor of its members
        passes = ~np.logical_or.accumulate(
            filled & (p_values * (m - up_to + number) > alpha), axis=1
        )
    elif adjust == "hochberg":  # the last of a class has the smallest
        passes = p_values * (m - up_to + 1) <= alpha
    elif adjust == "fdr_bh":
        passes = p_values * m / np.maximum(up_to, 1) <= alpha
    else:
        return np.array([_cut_one(row, p_values, alpha, adjust) for row in number])
    passes = (filled & passes)[:, ::-1]
    last = number.shape[1] - passes.argmax(axis=1)
    return np.where(passes.any(axis=1), last, 0).astype(np.int64)


def _cut_one(
    number: NDArray[np.int64], p_values: NDArray[np.float64], alpha: float, adjust: str
) -> int:
    """Give the cut of one row by adjusting every member, for whatever has no rule here."""
    adjusted = adjust_p_values(np.repeat(p_values, number), adjust)
    n_significant = np.count_nonzero(adjusted <= alpha)
    return int(np.searchsorted(np.cumsum(number), n_significant)) + int(n_significant > 0)
