"""The exact permutation law of Friedman's statistic, with the ties at hand."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.binomial_sign import sign_p_values
from beam_pandas.kernels.friedman_limits import refuse_too_large
from beam_pandas.kernels.rank_sum_law import Patterns, patterns_of
from beam_pandas.kernels.tails import upper_tails

_BLOCK = 2**17  # pairs of a state and an arrangement at a time


def friedman_permutation_p_value(ranks: NDArray[np.float64]) -> float:
    """
    Give the exact probability of a statistic as large as that of a table of ranks.

    The hypothesis: within each dataset the ranks at hand, ties and all, are dealt to
    the methods at random. All forms of the statistic rise with the sum of the squared
    rank sums, and that is compared in whole numbers. Rank sums stay exchangeable when a
    dataset is added, so that their law needs the sorted ones alone.

    Parameters
    ----------
    ranks : ndarray of float64, shape (n_datasets, n_methods)
        Ranks within each row, ties averaged, none missing; at least two columns.

    Returns
    -------
    float
        1 where all ranks are equal.

    Raises
    ------
    TableTooLargeError
        The law would take too long. With two methods it never does, with three it goes
        to 500 datasets.

    References
    ----------
    Friedman, M. (1937). JASA 32(200), 675-701. doi:10.1080/01621459.1937.10503522
    Hollander, M., Wolfe, D. A., Chicken, E. (2014). Nonparametric Statistical Methods,
    3rd edition, section 7.1 and comment 9 there (ties).
    """
    if ranks.shape[1] == 2:
        wins = np.count_nonzero(ranks[:, 0] < ranks[:, 1])
        losses = np.count_nonzero(ranks[:, 0] > ranks[:, 1])
        return float(sign_p_values(np.array([wins]), np.array([losses]))[0])
    doubled = np.rint(2.0 * ranks).astype(np.int64)
    doubled -= doubled.min(axis=1, keepdims=True)
    law = _law(patterns_of(ranks))
    observed = int(np.sum(doubled.sum(axis=0) ** 2))
    return float(min(law.tails[np.searchsorted(law.squares, observed)], 1.0))


class _Law(NamedTuple):
    """Sums of squares of the doubled rank sums, above each row's least; their tails."""

    squares: NDArray[np.int64]
    tails: NDArray[np.float64]


class _Row(NamedTuple):
    """The ranks of one dataset in units above its least, and all orders of them."""

    steps: NDArray[np.int64]
    arrangements: NDArray[np.int16]


@lru_cache(maxsize=64)
def _law(patterns: Patterns) -> _Law:
    """Give the law for tables with these patterns of ties."""
    doubled = [
        (np.array(row) - row[0], count) for row, count in patterns if row[0] < row[-1]
    ]
    # differences in whole ranks first: there are far fewer sums while no half occurs
    whole = [(steps // 2, count) for steps, count in doubled if not (steps % 2).any()]
    halves = [(steps, count) for steps, count in doubled if (steps % 2).any()]
    if not doubled:
        return _Law(np.zeros(1, dtype=np.int64), np.ones(1))
    k = doubled[0][0].size
    refuse_too_large(k, whole, halves)
    unit = 1 if halves else 2
    squares, weights = (_dense_law if k == 3 else _sorted_law)(_rows(whole), _rows(halves))
    tails = upper_tails(weights)
    present = np.flatnonzero(weights)
    return _Law((squares[present] * unit**2).astype(np.int64), tails[present])


def _rows(groups: list[tuple[NDArray[np.int64], int]]) -> list[_Row]:
    """Repeat each pattern as often as it occurs."""
    made = [(_Row(steps, _arrangements(steps)), count) for steps, count in groups]
    return [row for row, count in made for _ in range(count)]


def _arrangements(steps: NDArray[np.int64]) -> NDArray[np.int16]:
    """Give the distinct orders of some numbers, one a row, number by number."""
    levels, counts = np.unique(steps, return_counts=True)
    placed: NDArray[np.int16] = np.empty((1, 0), dtype=np.int16)
    left = counts[None, :].astype(np.int8)
    for _ in range(steps.size):
        row, level = np.nonzero(left)
        placed = np.column_stack([placed[row], levels[level].astype(np.int16)])
        left = left[row]
        left[np.arange(row.size), level] -= 1
    return placed


# Three methods: a table of the first two rank sums --------------------------------------


def _dense_law(
    whole: list[_Row], halves: list[_Row]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Give the sums of squares and their probabilities for three methods."""
    law = np.ones((1, 1))
    for row in whole:
        law = _add_dense(law, row)
    total = sum(int(row.steps.sum()) for row in whole)
    if halves:
        finer = np.zeros((2 * law.shape[0] - 1,) * 2)
        finer[::2, ::2] = law
        law, total = finer, 2 * total + sum(int(row.steps.sum()) for row in halves)
    for row in halves:
        law = _add_dense(law, row)
    first, second = np.nonzero(law)
    squares = first**2 + second**2 + (total - first - second) ** 2
    least = int(squares.min())
    weights = np.bincount(squares - least, weights=law[first, second])
    return np.arange(least, least + weights.size), np.asarray(weights, dtype=np.float64)


def _add_dense(law: NDArray[np.float64], row: _Row) -> NDArray[np.float64]:
    """Add a dataset: the mean of the shifted tables."""
    side = law.shape[0]
    result = np.zeros((side + int(row.steps[-1]),) * 2)
    for first, second, _ in row.arrangements.tolist():
        result[first : first + side, second : second + side] += law
    result /= row.arrangements.shape[0]
    return result


# More methods: the sorted rank sums ------------------------------------------------------


def _sorted_law(
    whole: list[_Row], halves: list[_Row]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """
    Give the sums of squares and their probabilities for four methods and more.

    A column of `sums` holds the sorted rank sums of the datasets so far. The last
    dataset needs no states of its own, only the squares it leads to.
    """
    rows = whole + halves
    k = rows[0].steps.size
    sums, weights = np.zeros((k, 1), dtype=np.int16), np.ones(1)
    for at, row in enumerate(rows):
        if at == len(whole):
            sums = 2 * sums
        if at < len(rows) - 1:
            sums, weights = _add_sorted(sums, weights, row)
    return _last_squares(sums, weights, rows[-1])


def _add_sorted(
    sums: NDArray[np.int16], weights: NDArray[np.float64], row: _Row
) -> tuple[NDArray[np.int16], NDArray[np.float64]]:
    """
    Add a dataset: each state goes to as many as its ranks have orders.

    A sorted state s is numbered by its k - 1 least sums, the sum over i of
    C(s_i + i - 1, i) (the combinatorial number system), so that the probabilities meet
    in an array and nothing is sorted or searched but the k sums of a state.
    """
    n_states = sums.shape[1]
    tables = _number_tables(sums, row)
    law = np.zeros(int(tables[:, -1].sum()) + 1)
    step = max(1, _BLOCK // row.arrangements.shape[0])
    moves = row.arrangements.T[:, :, None]
    for start in range(0, n_states, step):
        block = slice(start, start + step)
        after = _sort_columns(sums[:, None, block] + moves)
        number = tables[0][after[0]]
        for table, values in zip(tables[1:], after[1:-1], strict=True):
            number += table[values]
        share = np.broadcast_to(weights[block], number.shape)
        np.add.at(law, number.ravel(), share.ravel())
    present = np.flatnonzero(law)
    total = int(sums[:, 0].sum()) + int(row.steps.sum())
    states = _states_of(present, tables, total)
    return states, law[present] / row.arrangements.shape[0]


def _number_tables(sums: NDArray[np.int16], row: _Row) -> NDArray[np.int64]:
    """Give C(v + i - 1, i), a row for each i from 1, a column for each sum v."""
    pair = sums[-2:].astype(np.int64).sum(axis=0).max() + row.steps[-2:].sum()
    table = np.arange(int(pair) // 2 + 1)  # the second largest is at most half of both
    tables = [table]
    for _ in range(sums.shape[0] - 2):
        table = np.cumsum(table)
        tables.append(table)
    return np.array(tables, dtype=np.int64)


def _states_of(
    numbers: NDArray[np.int64], tables: NDArray[np.int64], total: int
) -> NDArray[np.int16]:
    """Give the states with these numbers: from the largest sum down, the most that fits."""
    states = np.empty((tables.shape[0] + 1, numbers.size), dtype=np.int16)
    left = numbers.copy()
    for at in range(tables.shape[0] - 1, -1, -1):
        value = np.searchsorted(tables[at], left, side="right") - 1
        left -= tables[at][value]
        states[at] = value
    states[-1] = total - states[:-1].sum(axis=0, dtype=np.int64)
    return states


def _sort_columns(values: NDArray[np.int16]) -> NDArray[np.int16]:
    """Sort along the first axis in place, by exchanges of neighbouring rows."""
    k = values.shape[0]
    for turn in range(k):
        for at in range(turn % 2, k - 1, 2):
            smaller = np.minimum(values[at], values[at + 1])
            np.maximum(values[at], values[at + 1], out=values[at + 1])
            values[at] = smaller
    return values


def _last_squares(
    sums: NDArray[np.int16], weights: NDArray[np.float64], row: _Row
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Give the sums of squares after the last dataset; all numbers are whole, if floats."""
    before = sums.T.astype(np.float64)
    moves = 2.0 * row.arrangements.T.astype(np.float64)
    base = np.sum(before**2, axis=1) + float(np.sum(row.steps**2))
    least = int(before[0].sum() + row.steps.sum()) ** 2 // before.shape[1]
    most = int(np.max(base + before @ (2.0 * row.steps)))  # equally sorted
    result = np.zeros(most - least + 1)
    step = max(1, _BLOCK // moves.shape[1])
    for start in range(0, weights.size, step):
        block = slice(start, start + step)
        squares = (base[block, None] + before[block] @ moves - least).astype(np.int64)
        share = np.broadcast_to(weights[block, None], squares.shape)
        np.add.at(result, squares.ravel(), share.ravel())
    return np.arange(least, most + 1), result / row.arrangements.shape[0]
