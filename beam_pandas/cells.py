"""Scores scattered to their cells: a row for each metric and dataset."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.intake import Columns
from beam_pandas.kernels.aggregation import aggregate_runs
from beam_pandas.refusals import duplicate_scores


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
    n_runs : ndarray of int64, same shape, or None
        Number of scores in each cell; None if no cell has more than one.
    named : ndarray of bool, shape (n_metrics, n_methods)
        Whether a row of the frame, scored or not, has the metric and the method.
    """

    metric: NDArray[np.int64]
    dataset: NDArray[np.int64]
    scores: NDArray[np.float64]
    n_runs: NDArray[np.int64] | None
    named: NDArray[np.bool_]


def arrange_cells(columns: Columns, aggregate: str | None) -> Cells:
    """
    Scatter scores to cells, at once for all metrics.

    Parameters
    ----------
    columns : Columns
        Columns of the frame.
    aggregate : {"mean", "median"} or None
        What to make of several scores in one cell.

    Raises
    ------
    DuplicateScoresError
        If a cell has several scores and `aggregate` is None.
    """
    n_datasets, n_methods = len(columns.dataset.names), len(columns.method.names)
    joint = _joint(columns, columns.dataset.codes, n_datasets)
    rows = np.bincount(joint, minlength=columns.n_metrics * n_datasets) > 0
    metric, dataset = np.divmod(np.flatnonzero(rows), n_datasets)
    missing = np.isnan(columns.score)
    scored = columns.at(~missing) if missing.any() else columns
    number = np.cumsum(rows) - 1  # of the row, by metric and dataset
    cell = number[joint[~missing] if scored is not columns else joint]
    cell *= n_methods
    cell += scored.method.codes
    shape = (len(metric), n_methods)
    scores = np.full(shape[0] * shape[1], np.nan)
    scores[cell] = scored.score
    present = ~np.isnan(scores).reshape(shape)
    n_runs = None
    if np.count_nonzero(present) < len(cell):
        n_runs = np.bincount(cell, minlength=scores.size)
        if aggregate is None:
            raise duplicate_scores(scored, cell, n_runs, metric, dataset)
        scores = aggregate_runs(scored.score, cell, n_runs, aggregate)
        n_runs = n_runs.reshape(shape)
    named = np.logical_or.reduceat(present, np.flatnonzero(np.diff(metric, prepend=-1)))
    if scored is not columns:
        without = columns.at(missing)
        named.ravel()[_joint(without, without.method.codes, n_methods)] = True
    return Cells(metric, dataset, scores.reshape(shape), n_runs, named)


def _joint(columns: Columns, codes: NDArray[np.integer], n_codes: int) -> NDArray[np.int64]:
    """Give each row one number for its metric and another label."""
    if columns.metric is None:
        return codes.astype(np.int64)
    joint = columns.metric.codes.astype(np.int64)
    joint *= n_codes
    joint += codes
    return joint
