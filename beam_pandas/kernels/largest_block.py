"""The largest complete block of an incomplete table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_MOST_WORK = 250_000  # missing scores of distinct rows, times methods
_MOST_NODES = 20  # of one integer program


class Block(NamedTuple):
    """
    Datasets and methods of a complete block, as masks.

    Both are empty if no two datasets have two methods in common, and None if the search
    was given up.
    """

    datasets: NDArray[np.bool_] | None
    methods: NDArray[np.bool_] | None


def find_largest_block(present: NDArray[np.bool_]) -> Block:
    """
    Find the complete block of at least two datasets and two methods with the most scores.

    Of blocks with as many scores the one with the most datasets counts, of those the one
    whose methods come first in order. For each number of methods the most datasets that
    have so many in common are found by an integer program: a dataset and a method cannot
    both stay where a score is missing. But for that number the program is a flow, whose
    linear relaxation is nearly always whole. The problem is NP-hard in general, so that
    the search is bounded, by counts and not by time: it ends alike everywhere.

    Parameters
    ----------
    present : ndarray of bool, shape (n_datasets, n_methods)
        Where a score is.

    Returns
    -------
    Block
        Masks of datasets and methods.
    """
    nothing = Block(*(np.zeros(n, dtype=bool) for n in present.shape))
    if min(present.shape) < 2:
        return nothing
    rows, inverse, size = np.unique(
        present, axis=0, return_inverse=True, return_counts=True
    )
    if np.count_nonzero(~rows) * rows.shape[1] > _MOST_WORK:
        return Block(None, None)
    program = _Program(rows, size)
    n_present = rows.sum(axis=1)
    best: tuple[int, int] | None = None
    for k in range(present.shape[1], 1, -1):
        bound = int(size[n_present >= k].sum())
        if bound < 2 or (best is not None and bound * k < best[0]):
            continue
        n_datasets = program.most_datasets(k)
        if program.gave_up:
            return Block(None, None)
        if n_datasets >= 2 and (best is None or n_datasets * k >= best[0]):
            best = (n_datasets * k, k)
    if best is None:
        return nothing
    methods = program.first_methods(best[1], best[0] // best[1])
    if program.gave_up:
        return Block(None, None)
    kept = np.all(rows[:, methods], axis=1)
    return Block(kept[inverse.reshape(-1)], methods)


class _Program:
    """Which methods to keep, for the most datasets: an integer program, solved anew."""

    def __init__(self, rows: NDArray[np.bool_], size: NDArray[np.int64]) -> None:
        self._size = size
        n_rows, self._n_methods = rows.shape
        self._gain = np.concatenate([-size.astype(np.float64), np.zeros(self._n_methods)])
        row, column = np.nonzero(~rows)
        self._holes = (row, n_rows + column)
        self._found: dict[int, NDArray[np.bool_]] = {}
        self.gave_up = False

    def most_datasets(self, k: int) -> int:
        """Find the most datasets that have k methods in common."""
        lower = np.zeros(self._n_methods)
        answer = self._solve(k, lower)
        if answer is None:
            return 0
        self._found[k] = answer[1]
        return answer[0]

    def first_methods(self, k: int, n_datasets: int) -> NDArray[np.bool_]:
        """Of the sets of k methods with so many datasets take the first in order."""
        lower, upper = np.zeros(self._n_methods), np.ones(self._n_methods)
        methods = self._found[k]
        for at in range(self._n_methods):
            if lower.sum() == k:
                break
            lower[at] = 1.0
            if not methods[at]:
                answer = self._solve(k, lower, upper)
                if answer is None or answer[0] < n_datasets:
                    lower[at] = upper[at] = 0.0
                    continue
                methods = answer[1]
        return methods

    def _solve(
        self, k: int, lower: NDArray[np.float64], upper: NDArray[np.float64] | None = None
    ) -> tuple[int, NDArray[np.bool_]] | None:
        """Keep k methods, some of them fixed, so that the most datasets are complete."""
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array

        n_rows, n_holes = len(self._size), len(self._holes[0])
        n_all = n_rows + self._n_methods
        one = np.ones(n_holes)
        at = np.arange(n_holes)
        exclude = csr_array(
            (np.concatenate([one, one]), (np.tile(at, 2), np.concatenate(self._holes))),
            shape=(n_holes, n_all),
        )
        number = csr_array(np.repeat([0.0, 1.0], [n_rows, self._n_methods])[None])
        constraints = [LinearConstraint(number, k, k)]
        if n_holes:
            constraints.append(LinearConstraint(exclude, -np.inf, 1.0))
        ends = np.ones(self._n_methods) if upper is None else upper
        found = milp(
            self._gain,
            integrality=np.repeat([0, 1], [n_rows, self._n_methods]),
            bounds=Bounds(
                np.concatenate([np.zeros(n_rows), lower]),
                np.concatenate([np.ones(n_rows), ends]),
            ),
            constraints=constraints,
            options={"node_limit": _MOST_NODES},
        )
        self.gave_up |= found.status == 1
        if found.x is None:
            return None
        methods = found.x[n_rows:] > 0.5
        kept = np.ones(n_rows, dtype=bool)
        holes = methods[self._holes[1] - n_rows]
        kept[self._holes[0][holes]] = False
        return int(self._size[kept].sum()), methods
