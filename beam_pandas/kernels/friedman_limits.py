"""How large a table may be for the exact law of Friedman's statistic."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.tails import TableTooLargeError

#: As many datasets as the law is given for with three methods.
MOST_DATASETS_OF_THREE = 500
_MOST_STEPS = 4e8  # pairs of a state and an order of the ranks: some seconds
_MOST_CELLS = 2.5e7  # 200 MB of probabilities
_MOST_RANKS = 1e7  # in the table of orders: to nine different ranks


def refuse_too_large(
    k: int,
    whole: list[tuple[NDArray[np.int64], int]],
    halves: list[tuple[NDArray[np.int64], int]],
) -> None:
    """Raise if the law takes too long, before any of it is made."""
    n_whole = sum(count for _, count in whole)
    n_halves = sum(count for _, count in halves)
    if k == 3:
        if n_whole + n_halves > MOST_DATASETS_OF_THREE:
            raise TableTooLargeError(MOST_DATASETS_OF_THREE)
        return
    orders = [max(map(_n_orders, group), default=0) for group in (whole, halves)]
    if _is_feasible(k, n_whole, n_halves, (orders[0], orders[1])):
        return
    widest, n_datasets = max(orders), 0
    while _is_feasible(
        k,
        0 if halves else n_datasets + 1,
        n_datasets + 1 if halves else 0,
        (widest, widest),
    ):
        n_datasets += 1
    raise TableTooLargeError(n_datasets)


def _n_orders(group: tuple[NDArray[np.int64], int]) -> int:
    """Count the distinct orders of the ranks of a dataset."""
    sizes = np.unique(group[0], return_counts=True)[1].tolist()
    return math.factorial(sum(sizes)) // math.prod(map(math.factorial, sizes))


def _is_feasible(k: int, n_whole: int, n_halves: int, orders: tuple[int, int]) -> bool:
    """Tell whether the tables fit in memory and the steps in some seconds."""
    n = n_whole + n_halves
    scale = 2 if n_halves else 1  # the last dataset has no states
    cells = math.comb(scale * (n - 1) * (2 * k - 3) // 2 + k - 1, k - 1)
    if max(cells / _MOST_CELLS, k * max(orders) / _MOST_RANKS) > 1.0:
        return False
    states = [most_states(k, at if at < n_whole else 2 * at) for at in range(n)]
    states[:2] = [1.0] * min(n, 2)  # all orders of one dataset are one state
    return sum(states[:n_whole]) * orders[0] + sum(states[n_whole:]) * orders[1] <= (
        _MOST_STEPS
    )


@lru_cache(maxsize=4096)
def most_states(k: int, n: int) -> float:
    """
    Bound the number of sorted rank sums of n datasets, in whole ranks.

    With 0, 1, ..., k - 1 added they are distinct points of the permutohedron for n + 1
    datasets, of which all orders lie in it, too. It holds as many points as the sum,
    over the forests on k labelled nodes, of (n + 1) to the number of edges (Stanley
    1980, doi:10.1016/S0167-5060(08)70717-9).
    """
    points = [1.0]  # by the number of nodes
    for nodes in range(1, k + 1):  # the tree of the last node has `tree` nodes
        trees = range(1, nodes + 1)
        points.append(
            sum(
                math.comb(nodes - 1, tree - 1)
                * float(tree) ** (tree - 2)
                * (n + 1.0) ** (tree - 1)
                * points[nodes - tree]
                for tree in trees
            )
        )
    return points[k] / math.factorial(k)
