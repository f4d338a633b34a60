"""
The gate: a long frame of scores becomes one `ScoreMatrix` for each metric.

Nothing else in the package takes the columns of such a frame or arranges its scores.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import check_option, count, list_labels, of_metric, warn
from beam_pandas.gate.at_once import said_at_once
from beam_pandas.gate.beside import read_beside as read_beside
from beam_pandas.gate.cell_doubts import warn_of_cells
from beam_pandas.gate.cells import arrange_cells
from beam_pandas.gate.clusters import check_cluster as check_cluster
from beam_pandas.gate.clusters import read_clusters as read_clusters
from beam_pandas.gate.columns import Columns, as_frame, read_columns
from beam_pandas.gate.completeness import complete_scores as complete_scores
from beam_pandas.gate.direction import Direction, resolve_directions
from beam_pandas.gate.doubts import warn_of_columns, warn_of_scale
from beam_pandas.gate.matrix import ScoreMatrix as ScoreMatrix
from beam_pandas.gate.raw_runs import RunScores as RunScores
from beam_pandas.gate.raw_runs import arrange_runs, unpaired_runs
from beam_pandas.gate.refusals import (
    negated_scores,
    no_scores,
    uneven_runs_error,
    unnamed_runs,
)
from beam_pandas.gate.registry import looks_negated
from beam_pandas.gate.rows import Rows as Rows
from beam_pandas.gate.rows import read_rows as read_rows
from beam_pandas.gate.rows import turn_rows as turn_rows
from beam_pandas.labels import Picked, join_labels, read_labels
from beam_pandas.types import Aggregate, HigherIsBetter, UnevenRuns


def read_metrics(frame: pd.DataFrame) -> list[Hashable]:
    """List the metrics of a frame of scores in label order; None is one without a name."""
    metric = _read(frame).metric
    return [None] if metric is None else metric.names.tolist()


def column_names(frame: pd.DataFrame) -> list[Hashable]:
    """List the columns of a frame, of pandas or another library."""
    return list(as_frame(frame).columns)


def read_scores(
    frame: pd.DataFrame,
    *,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
) -> Iterator[ScoreMatrix]:
    """
    Read a frame of scores, one metric after the other in label order.

    Every method of the frame stands in each matrix, with all its scores missing if it has
    none of the metric: an absent row and a missing score are the same. A dataset without
    any score of the metric is left out.

    Parameters
    ----------
    frame : DataFrame
        Columns method, dataset, score and, if it likes, metric and run.
    higher_is_better : bool, mapping or None
        Direction of all metrics, of some, or None to look them up.
    aggregate : {"mean", "median", "min", "max", "best"}, optional
        What to make of several scores for one method, dataset and metric.
    uneven_runs : {"raise", "ignore", "shared"}
        What to do where methods have different runs on a dataset.

    Yields
    ------
    ScoreMatrix
        At least one; one that its own data do not allow to analyse says so.

    Raises
    ------
    BeamError
        Or one of its kinds, for a frame that is not as it should be. The columns are
        checked at once, the scores of a metric when it is their turn.
    """
    _check_aggregate(aggregate)
    check_option("uneven_runs", uneven_runs, get_args(UnevenRuns))
    with said_at_once(frame, higher_is_better, aggregate):
        columns = _read(frame)
        if uneven_runs == "shared" and columns.run is None and aggregate is not None:
            raise unnamed_runs(as_frame(frame))
        labels = None if columns.metric is None else columns.metric.names
        directions = resolve_directions(labels, higher_is_better)
    return _read_each(columns, directions, aggregate, uneven_runs)


def read_cells(
    frame: pd.DataFrame,
    *,
    aggregate: Aggregate = "mean",
    higher_is_better: HigherIsBetter = None,
    uneven_runs: UnevenRuns = "ignore",
    tolerant: bool = False,
) -> Iterator[ScoreMatrix]:
    """
    Read a frame of scores whatever the direction of its metrics, even without any score.

    Parameters, yields and errors otherwise as in `read_scores`; a direction is needed for
    ``"best"`` alone, and with `tolerant` a run may come twice.
    """
    if aggregate == "best":
        return read_scores(
            frame,
            higher_is_better=higher_is_better,
            aggregate=aggregate,
            uneven_runs=uneven_runs,
        )
    _check_aggregate(aggregate)
    check_option("uneven_runs", uneven_runs, get_args(UnevenRuns))
    columns = _read(frame)
    if uneven_runs == "shared" and columns.run is None and aggregate is not None:
        raise unnamed_runs(as_frame(frame))
    return _read_each(columns, None, aggregate, uneven_runs, tolerant)


def read_runs(
    frame: pd.DataFrame,
    *,
    higher_is_better: HigherIsBetter = None,
    uneven_runs: UnevenRuns = "raise",
    paired: str | None = None,
) -> Iterator[RunScores]:
    """
    Read the scores of single runs, one metric after the other in label order.

    Parameters
    ----------
    frame, higher_is_better
        As in `read_scores`.
    uneven_runs : {"raise", "ignore", "shared"}
        With ``"raise"`` a metric says so whose methods have different runs; otherwise all
        runs are given, and whoever compares keeps what both have.
    paired : str, optional
        Name of the function, if it pairs runs and so needs their labels.

    Yields
    ------
    RunScores
        At least one.
    """
    check_option("uneven_runs", uneven_runs, get_args(UnevenRuns))
    columns = _read(frame)
    labels = None if columns.metric is None else columns.metric.names
    directions = resolve_directions(labels, higher_is_better)
    kept: UnevenRuns = "raise" if uneven_runs == "raise" else "ignore"
    matrices = _read_each(columns, directions, "mean", kept)
    for runs in arrange_runs(columns, matrices):
        if paired is None or runs.is_labelled or runs.refusal is not None:
            yield runs
            continue
        refusal = unpaired_runs(runs.matrix, paired, columns.run_like)
        yield replace(runs, matrix=replace(runs.matrix, refusal=refusal))


@dataclass(frozen=True, eq=False)
class ScoreStack:
    """
    Scores of all metrics on the same datasets and methods, turned so that more is better.

    Attributes
    ----------
    datasets, methods : Index
        Labels in label order; a dataset without any score is left out.
    benefit : ndarray of float64, shape (n_metrics, n_datasets, n_methods)
        NaN where missing. Read-only.
    """

    datasets: pd.Index
    methods: pd.Index
    benefit: NDArray[np.float64]

    def __post_init__(self) -> None:
        """Make the scores read-only."""
        self.benefit.flags.writeable = False


def read_stack(
    frame: pd.DataFrame,
    *,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
) -> ScoreStack:
    """
    Read a frame of scores for what looks at all its metrics together.

    Parameters, errors: as in `read_scores`.
    """
    matrices = list(
        read_scores(
            frame,
            higher_is_better=higher_is_better,
            aggregate=aggregate,
            uneven_runs=uneven_runs,
        )
    )
    for matrix in matrices:
        if matrix.refusal is not None:
            raise matrix.refusal
    names = [matrix.datasets for matrix in matrices]
    labels = read_labels(join_labels(names).rename("dataset"))
    methods = matrices[0].methods
    benefit = np.full((len(matrices), len(labels.names), len(methods)), np.nan)
    rows = np.split(labels.codes, np.cumsum([len(name) for name in names])[:-1])
    for at, matrix in enumerate(matrices):
        benefit[at, rows[at]] = matrix.benefit
    return ScoreStack(labels.names, methods, benefit)


def _read(frame: pd.DataFrame) -> Columns:
    """Read the columns of a frame, and warn of what may not be meant."""
    frame = as_frame(frame)
    columns = read_columns(frame)
    warn_of_columns(frame, columns)
    return columns


def _check_aggregate(aggregate: Aggregate) -> None:
    if aggregate is not None:
        check_option("aggregate", aggregate, ["mean", "median", "min", "max", "best"])


def _read_each(
    columns: Columns,
    directions: list[Direction] | None,
    aggregate: Aggregate,
    uneven_runs: UnevenRuns,
    tolerant: bool = False,
) -> Iterator[ScoreMatrix]:
    """Yield the matrix of each metric, without directions even if it has no score."""
    worse = None
    if directions is not None:
        worse = np.array([not direction.higher_is_better for direction in directions])
    shared = uneven_runs == "shared"
    cells = arrange_cells(columns, aggregate, shared=shared, tolerant=tolerant, worse=worse)
    warn_of_cells(columns, cells)
    ends = np.cumsum(np.bincount(cells.metric)).tolist()
    metrics = None if columns.metric is None else columns.metric.names
    labels: list[Hashable] = [None] if metrics is None else metrics.tolist()
    for code, (start, end) in enumerate(pairwise([0, *ends])):
        rows = slice(start, end)
        matrix = ScoreMatrix(
            named=None if metrics is None else Picked(metrics, np.array([code])),
            label=labels[code],
            rows=Picked(columns.dataset.names, cells.dataset[rows]),
            methods=columns.method.names,
            scores=cells.scores[rows],
            runs=None if cells.runs is None else cells.runs.take(rows),
            higher_is_better=None,
            row_datasets=columns.dataset.codes,
        )
        if shared and matrix.runs is not None:
            _warn_of_unshared(matrix)
        scored = np.any(~np.isnan(matrix.scores), axis=1)
        matrix = matrix.take(scored, np.ones(len(matrix.methods), dtype=bool))
        if uneven_runs == "raise" and matrix.runs is not None and matrix.runs.uneven.any():
            refusal = uneven_runs_error(
                matrix.metric,
                matrix.runs,
                matrix.datasets,
                matrix.methods,
                aggregate,
                columns.run_like,
            )
            matrix = replace(matrix, refusal=of_metric(refusal))
        if directions is not None:
            matrix = _check_scores(matrix, directions[code], columns, code)
        yield matrix


def _warn_of_unshared(matrix: ScoreMatrix) -> None:
    """Name the datasets on which methods have runs, but no run in common."""
    had = np.any(matrix.n_runs_missing > 0, axis=1)  # of these somebody has runs
    lost = np.flatnonzero(np.isnan(matrix.scores).all(axis=1) & had)
    if lost.size:
        warn(
            f"uneven_runs='shared' leaves out {count(len(lost), 'dataset')} on which "
            f"the methods share no run{matrix.place}: {list_labels(matrix.datasets[lost])}"
        )


def _check_scores(
    matrix: ScoreMatrix, direction: Direction, columns: Columns, code: int
) -> ScoreMatrix:
    """Say that a metric has no score at all, refuse scores that look negated."""
    matrix = replace(matrix, higher_is_better=direction.higher_is_better)
    if not len(matrix.rows):
        refusal = no_scores(matrix.metric, len(_scores_of(columns, code)))
        return replace(matrix, refusal=of_metric(refusal))
    if direction.entry is not None and looks_negated(direction.entry, matrix.scores):
        given = _scores_of(
            columns, code
        )  # the mean of runs may be negative where one is not
        if looks_negated(direction.entry, given):
            raise negated_scores(matrix.metric, given)
    if matrix.upper == 1.0:  # of others nothing is known
        size = np.abs(matrix.scores)
        if matrix.runs is not None or np.nanmax(size) > 1.0:
            warn_of_scale(matrix.metric, columns, code)
    return matrix


def _scores_of(columns: Columns, code: int) -> NDArray[np.float64]:
    """Take the scores of a metric as they were given."""
    rows = slice(None) if columns.metric is None else columns.metric.codes == code
    return columns.score[rows]
