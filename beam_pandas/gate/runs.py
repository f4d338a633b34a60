"""Runs of a cell: how many, whether all methods have the same, which are shared."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.gate.columns import Columns

_DENSE = 4  # codes up to so many times the rows are counted in an array, not sorted


class Runs(NamedTuple):
    """
    Runs of each cell of the wide table.

    Attributes
    ----------
    n_runs : ndarray of int64, shape (n_rows, n_methods)
        Number of runs with a score that were kept.
    expected : ndarray of int64, shape (n_rows,)
        Number of runs that any method has on the dataset: with labels different ones,
        without the largest number of a method.
    uneven : ndarray of bool, shape (n_rows,)
        Whether two methods with a score there have different runs.
    n_shared : ndarray of int64, shape (n_rows,), or None
        Number of runs that all methods have that have a score there; None without labels.
    twice : ndarray of int64, shape (n_rows, n_methods), or None
        Number of scores, where a run has several in a cell; None if none has.
    """

    n_runs: NDArray[np.int64]
    expected: NDArray[np.int64]
    uneven: NDArray[np.bool_]
    n_shared: NDArray[np.int64] | None
    twice: NDArray[np.int64] | None

    def take(self, rows: slice | NDArray[np.bool_]) -> Runs:
        """Take some rows."""
        return Runs(
            n_runs=self.n_runs[rows],
            expected=self.expected[rows],
            uneven=self.uneven[rows],
            n_shared=None if self.n_shared is None else self.n_shared[rows],
            twice=None if self.twice is None else self.twice[rows],
        )

    def take_methods(self, methods: NDArray[np.bool_]) -> Runs:
        """Take some methods; what is said of a dataset is said of all of them."""
        return self._replace(n_runs=self.n_runs[:, methods], twice=None)


def read_runs_of_cells(
    scored: Columns, cell: NDArray[np.int64], shape: tuple[int, int], *, shared: bool
) -> tuple[Runs, NDArray[np.bool_] | slice]:
    """
    Count the runs of each cell.

    Parameters
    ----------
    scored : Columns
        Rows that have a score.
    cell : ndarray of int64, shape (n,)
        Cell of each.
    shape : tuple of int
        Rows and methods of the wide table.
    shared : bool
        Whether to keep only the runs of a dataset that all methods have that have a score
        there; needs labels of runs.

    Returns
    -------
    Runs
        Those that were kept; whether they are uneven is said of all.
    kept : ndarray of bool, shape (n,), or slice
        Which of the rows were kept.
    """
    counts = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
    everything = slice(None)
    if scored.run is None:
        most = counts.max(axis=1, initial=0)
        uneven = np.any((counts > 0) & (counts != most[:, None]), axis=1)
        return Runs(counts, most, uneven, None, None), everything
    run = scored.run.codes.astype(np.int64)
    n_labels = len(scored.run.names)
    twice = _twice(cell, run, n_labels, counts)
    place, size = _count_codes((cell // shape[1]) * n_labels + run, shape[0] * n_labels)
    row = cell // shape[1]
    n_scored = np.count_nonzero(counts, axis=1)
    partly = size[place] < n_scored[row]  # runs that not all methods have
    uneven = np.zeros(shape[0], dtype=bool)
    uneven[row[partly]] = True
    expected = _distinct_by_row(place, row, shape[0])
    n_shared = _distinct_by_row(place[~partly], row[~partly], shape[0])
    if not shared or not partly.any():
        return Runs(counts, expected, uneven, n_shared, twice), everything
    kept = ~partly
    counts = np.bincount(cell[kept], minlength=counts.size).reshape(shape)
    return Runs(counts, expected, uneven, n_shared, twice), kept


def _twice(
    cell: NDArray[np.int64],
    run: NDArray[np.int64],
    n_labels: int,
    counts: NDArray[np.int64],
) -> NDArray[np.int64] | None:
    """Count the scores of the cells in which a run has several."""
    place, size = _count_codes(cell * n_labels + run, counts.size * n_labels)
    again = size[place] > 1
    if not again.any():
        return None
    marked = np.zeros(counts.size, dtype=np.int64)
    marked[cell[again]] = counts.ravel()[cell[again]]
    return marked.reshape(counts.shape)


def _count_codes(
    codes: NDArray[np.int64], n_codes: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give each row the place of its code in a list of counts, and that list."""
    if n_codes <= _DENSE * max(1, len(codes)):
        return codes, np.bincount(codes, minlength=n_codes)
    _, place, size = np.unique(codes, return_inverse=True, return_counts=True)
    return place.reshape(-1), size


def _distinct_by_row(
    place: NDArray[np.int64], row: NDArray[np.int64], n_rows: int
) -> NDArray[np.int64]:
    """Count the different runs of each row."""
    owner = np.full(int(place.max(initial=-1)) + 1, -1)
    owner[place] = row
    return np.bincount(owner[owner >= 0], minlength=n_rows)
