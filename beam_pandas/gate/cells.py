"""Scores scattered to their cells: a row for each metric and dataset."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.gate.columns import Columns
from beam_pandas.gate.refusals import duplicate_scores, repeated_runs
from beam_pandas.gate.runs import Runs, read_runs_of_cells
from beam_pandas.kernels.aggregation import aggregate_runs

_BLOCK = 2**18  # rows of the frame taken at a time, few enough for the cache


class Cells(NamedTuple):
    """
    Every score of a frame in its cell.

    Attributes
    ----------
    metric, dataset : ndarray of int64, shape (n_rows,)
        Codes of the metric (0 if the frame has none) and the dataset of each row, in
        label order; only those that a row of the frame names together.
    scores : ndarray of float64, shape (n_rows, n_methods)
        A column for each method, in label order; NaN where missing.
    runs : Runs or None
        Of each cell; None if every score is the only one of its cell.
    """

    metric: NDArray[np.int64]
    dataset: NDArray[np.int64]
    scores: NDArray[np.float64]
    runs: Runs | None


def arrange_cells(
    columns: Columns,
    aggregate: str | None,
    *,
    shared: bool = False,
    tolerant: bool = False,
    worse: NDArray[np.bool_] | None = None,
) -> Cells:
    """
    Scatter scores to cells, at once for all metrics.

    Parameters
    ----------
    columns : Columns
        Columns of the frame.
    aggregate : {"mean", "median", "min", "max", "best"} or None
        What to make of several scores in one cell.
    shared : bool
        Whether to keep, on each dataset, only the runs that all methods have that have a
        score there.
    tolerant : bool
        Whether a run may come twice.
    worse : ndarray of bool, shape (n_metrics,), optional
        For ``"best"``: whether a larger score of the metric is the worse one.

    Raises
    ------
    DuplicateScoresError
        If a cell has several scores and `aggregate` is None, or several of one run.
    """
    shape, number = _number_rows(columns)
    scores = np.full(shape[0] * shape[1], np.nan)
    n_scored = 0
    for part in columns.blocks(_BLOCK):
        scored = part.scored()
        scores[_cell(scored, number)] = scored.score
        n_scored += len(scored.score)
    metric, dataset = np.nonzero(number >= 0)
    repeated = scores.size - np.count_nonzero(np.isnan(scores)) < n_scored
    if not repeated and (columns.run is None or aggregate is None):
        return Cells(metric, dataset, scores.reshape(shape), None)
    scored = columns.scored()
    cell = _cell(scored, number)
    if aggregate is None:
        n_runs = np.bincount(cell, minlength=scores.size)
        raise duplicate_scores(scored, cell, n_runs, metric, dataset)
    runs, kept = read_runs_of_cells(scored, cell, shape, shared=shared)
    if runs.twice is not None and not tolerant:
        raise repeated_runs(scored, runs.twice, metric, dataset)
    score = scored.score[kept]
    signs = np.ones(shape[0])
    if aggregate == "best" and worse is not None:
        signs[worse[metric]] = -1.0
    sign = signs[cell[kept] // shape[1]]
    how = "max" if aggregate == "best" else aggregate
    value = aggregate_runs(score * sign, cell[kept], runs.n_runs.ravel(), how)
    value *= np.repeat(signs, shape[1])
    return Cells(metric, dataset, value.reshape(shape), runs)


def number_cells(
    columns: Columns,
) -> tuple[tuple[int, int], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """
    Find the cell of each row of a frame, whether or not it has a score.

    Returns
    -------
    shape : tuple of int
        Of the wide table.
    cell : ndarray of int64, shape (n,)
        Place of each row of the frame in the flat wide table.
    metric, dataset : ndarray of int64, shape (n_rows,)
        What a row of the wide table stands for.
    """
    shape, number = _number_rows(columns)
    metric, dataset = np.nonzero(number >= 0)
    return shape, _cell(columns, number), metric, dataset


def _number_rows(columns: Columns) -> tuple[tuple[int, int], NDArray[np.int64]]:
    """Give each pair of metric and dataset that occurs a number, the others -1."""
    n_datasets = len(columns.dataset.names)
    count = np.zeros(columns.n_metrics * n_datasets, dtype=np.int64)
    for part in columns.blocks(_BLOCK):
        joint = _codes(part) * n_datasets + part.dataset.codes
        count += np.bincount(joint, minlength=len(count))
    number = np.where(count > 0, np.cumsum(count > 0) - 1, -1)
    shape = (int(number.max()) + 1, len(columns.method.names))
    return shape, number.reshape(columns.n_metrics, n_datasets)


def _cell(part: Columns, number: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the place of each score in the flat table."""
    row = number.ravel()[_codes(part) * number.shape[1] + part.dataset.codes]
    cell: NDArray[np.int64] = row * len(part.method.names) + part.method.codes
    return cell


def _codes(part: Columns) -> NDArray[np.int64] | np.int64:
    """Give the code of each metric; all are 0 where they have no name."""
    return np.int64(0) if part.metric is None else part.metric.codes.astype(np.int64)
