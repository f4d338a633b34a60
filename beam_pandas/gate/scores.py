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

from beam_pandas.errors import BeamError, check_option, count, list_labels
from beam_pandas.gate.cells import arrange_cells
from beam_pandas.gate.columns import Columns, read_columns
from beam_pandas.gate.direction import Direction, resolve_directions
from beam_pandas.gate.doubts import warn_of_columns, warn_of_scale
from beam_pandas.gate.refusals import (
    in_metric,
    incomplete_scores,
    negated_scores,
    no_scores,
)
from beam_pandas.gate.registry import find_metric, looks_negated
from beam_pandas.labels import join_labels, read_labels
from beam_pandas.types import Aggregate, HigherIsBetter, Missing


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """
    Scores of one metric: a row for each dataset, a column for each method.

    Attributes
    ----------
    metric : Index or None
        The metric, as an index of one label; None if the frame has no such column.
    datasets, methods : Index
        Labels in label order, of the dtype they have in the frame.
    scores : ndarray of float64, shape (n_datasets, n_methods)
        As given, or aggregated over runs; NaN where missing. Read-only.
    runs : ndarray of int64, shape (n_datasets, n_methods), or None
        Number of scores given for each cell; None if it is nowhere more than one.
    higher_is_better : bool or None
        Whether a larger score is the better one; None if nobody asked.
    """

    metric: pd.Index | None
    datasets: pd.Index
    methods: pd.Index
    scores: NDArray[np.float64]
    runs: NDArray[np.int64] | None
    higher_is_better: bool | None

    def __post_init__(self) -> None:
        """Make the scores read-only."""
        self.scores.flags.writeable = False

    @property
    def n_runs(self) -> NDArray[np.int64]:
        """Number of scores given for each cell."""
        return (~np.isnan(self.scores)).astype(np.int64) if self.runs is None else self.runs

    @property
    def benefit(self) -> NDArray[np.float64]:
        """Scores turned so that more is better."""
        return -self.scores if self.higher_is_better is False else self.scores

    @property
    def noise_floor(self) -> float | None:
        """Difference below which scores of the metric are not worth telling apart."""
        entry = None if self.metric is None else find_metric(self.metric[0])
        return None if entry is None else entry.noise_floor

    @property
    def place(self) -> str:
        """Words that name the metric at the end of a message."""
        return in_metric(self.metric)

    def take(self, datasets: NDArray[np.bool_], methods: NDArray[np.bool_]) -> ScoreMatrix:
        """Keep the datasets and methods that are marked."""
        if datasets.all() and methods.all():
            return self
        cells = np.ix_(datasets, methods)
        return ScoreMatrix(
            metric=self.metric,
            datasets=self.datasets[datasets],
            methods=self.methods[methods],
            scores=self.scores[cells],
            runs=None if self.runs is None else self.runs[cells],
            higher_is_better=self.higher_is_better,
        )


def read_metrics(frame: pd.DataFrame) -> list[Hashable]:
    """List the metrics of a frame of scores in label order; None is one without a name."""
    metric = _read(frame).metric
    return [None] if metric is None else metric.names.tolist()


def read_scores(
    frame: pd.DataFrame,
    *,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
) -> Iterator[ScoreMatrix]:
    """
    Read a frame of scores, one metric after the other in label order.

    Every method of the frame stands in each matrix, with all its scores missing if it has
    none of the metric: an absent row and a missing score are the same. A dataset without
    any score of the metric is left out.

    Parameters
    ----------
    frame : DataFrame
        Columns method, dataset, score and, if it likes, metric.
    higher_is_better : bool, mapping or None
        Direction of all metrics, of some, or None to look them up.
    aggregate : {"mean", "median"}, optional
        What to make of several scores for one method, dataset and metric.

    Yields
    ------
    ScoreMatrix
        At least one.

    Raises
    ------
    BeamError
        Or one of its kinds, for a frame that is not as it should be. The columns are
        checked at once, the scores of a metric when it is their turn.
    """
    _check_aggregate(aggregate)
    columns = _read(frame)
    labels = None if columns.metric is None else columns.metric.names
    directions = resolve_directions(labels, higher_is_better)
    return _read_each(columns, directions, aggregate)


def read_cells(
    frame: pd.DataFrame, *, aggregate: Aggregate = "mean"
) -> Iterator[ScoreMatrix]:
    """
    Read a frame of scores whatever the direction of its metrics, even without any score.

    Parameters, yields and errors otherwise as in `read_scores`.
    """
    _check_aggregate(aggregate)
    return _read_each(_read(frame), None, aggregate)


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
) -> ScoreStack:
    """
    Read a frame of scores for what looks at all its metrics together.

    Parameters, errors: as in `read_scores`.
    """
    matrices = list(
        read_scores(frame, higher_is_better=higher_is_better, aggregate=aggregate)
    )
    names = [matrix.datasets for matrix in matrices]
    labels = read_labels(join_labels(names).rename("dataset"))
    methods = matrices[0].methods
    benefit = np.full((len(matrices), len(labels.names), len(methods)), np.nan)
    rows = np.split(labels.codes, np.cumsum([len(name) for name in names])[:-1])
    for at, matrix in enumerate(matrices):
        benefit[at, rows[at]] = matrix.benefit
    return ScoreStack(labels.names, methods, benefit)


def complete_scores(matrix: ScoreMatrix, missing: Missing, purpose: str) -> ScoreMatrix:
    """
    Bring a matrix to completeness, at least two methods and two datasets.

    Parameters
    ----------
    matrix : ScoreMatrix
        Scores of one metric.
    missing : {"raise", "drop_datasets", "drop_methods"}
        What to do if a score is missing.
    purpose : str
        Name of the function that needs complete scores, for messages.

    Raises
    ------
    IncompleteScoresError
        If scores are missing and `missing` is ``"raise"``.
    BeamError
        If fewer than two methods or two datasets are there, or left.
    """
    check_option("missing", missing, get_args(Missing))
    _check_size(matrix, purpose, "found")
    holes = np.isnan(matrix.scores)
    if not holes.any():
        return matrix
    if missing == "raise":
        raise incomplete_scores(
            matrix.metric, holes, matrix.datasets, matrix.methods, purpose
        )
    n_datasets, n_methods = holes.shape
    if missing == "drop_datasets":
        kept = matrix.take(~np.any(holes, axis=1), np.ones(n_methods, dtype=bool))
    else:
        kept = matrix.take(np.ones(n_datasets, dtype=bool), ~np.any(holes, axis=0))
    _check_size(kept, purpose, f"missing={missing!r} leaves")
    return kept


def _read(frame: pd.DataFrame) -> Columns:
    """Read the columns of a frame, and warn of what may not be meant."""
    columns = read_columns(frame)
    warn_of_columns(frame, columns)
    return columns


def _check_aggregate(aggregate: Aggregate) -> None:
    if aggregate is not None:
        check_option("aggregate", aggregate, ["mean", "median"])


def _read_each(
    columns: Columns, directions: list[Direction] | None, aggregate: Aggregate
) -> Iterator[ScoreMatrix]:
    """Yield the matrix of each metric, without directions even if it has no score."""
    cells = arrange_cells(columns, aggregate)
    ends = np.cumsum(np.bincount(cells.metric)).tolist()
    for code, (start, end) in enumerate(pairwise([0, *ends])):
        rows = slice(start, end)
        n_runs = None if cells.n_runs is None else cells.n_runs[rows]
        matrix = ScoreMatrix(
            metric=None if columns.metric is None else columns.metric.names[[code]],
            datasets=columns.dataset.names.take(cells.dataset[rows]),
            methods=columns.method.names,
            scores=cells.scores[rows],
            runs=n_runs,
            higher_is_better=None,
        )
        scored = np.any(~np.isnan(matrix.scores), axis=1)
        matrix = matrix.take(scored, np.ones(len(matrix.methods), dtype=bool))
        if directions is None:
            yield matrix
        else:
            _check_scores(matrix, directions[code], columns, code)
            yield replace(matrix, higher_is_better=directions[code].higher_is_better)


def _check_scores(
    matrix: ScoreMatrix, direction: Direction, columns: Columns, code: int
) -> None:
    """Refuse a metric without a single score, or with scores that look negated."""
    rows = slice(None) if columns.metric is None else columns.metric.codes == code
    if not len(matrix.datasets):
        raise no_scores(matrix.metric, len(columns.score[rows]))
    if direction.entry is not None and looks_negated(direction.entry, matrix.scores):
        given = columns.score[rows]  # the mean of runs may be negative where one is not
        if looks_negated(direction.entry, given):
            raise negated_scores(matrix.metric, given)
    scores = matrix.scores
    if matrix.runs is not None or np.nanmax(scores) > 1.0 or np.nanmin(scores) < -1.0:
        warn_of_scale(matrix.metric, columns, code)


def _check_size(matrix: ScoreMatrix, purpose: str, found: str) -> None:
    """Refuse fewer than two methods or two datasets."""
    n_datasets, n_methods = matrix.scores.shape
    if n_datasets >= 2 and n_methods >= 2:
        return
    methods = count(n_methods, "method") + (
        f" ({list_labels(matrix.methods)})" if n_methods == 1 else ""
    )
    datasets = count(n_datasets, "dataset") + (
        f" ({list_labels(matrix.datasets)})" if n_datasets == 1 else ""
    )
    raise BeamError(
        f"{purpose} needs at least 2 methods and 2 datasets, {found} {methods} and "
        f"{datasets}{matrix.place}"
    )
