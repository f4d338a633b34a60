"""
The gate: a long frame of scores becomes one `ScoreMatrix` for each metric.

Nothing else in the package takes the columns of such a frame or arranges its scores.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.direction import (
    Direction,
    HigherIsBetter,
    check_not_negated,
    resolve_directions,
)
from beam_pandas.errors import BeamError, check_option, count, list_labels
from beam_pandas.intake import Columns, read_columns
from beam_pandas.kernels.aggregation import aggregate_runs
from beam_pandas.refusals import (
    duplicate_scores,
    in_metric,
    incomplete_scores,
    no_scores,
)

Aggregate = Literal["mean", "median"] | None
Missing = Literal["raise", "drop_datasets", "drop_methods"]


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
    n_runs : ndarray of int64, shape (n_datasets, n_methods)
        Number of scores given for each cell. Read-only.
    higher_is_better : bool or None
        Whether a larger score is the better one; None if nobody asked.
    """

    metric: pd.Index | None
    datasets: pd.Index
    methods: pd.Index
    scores: NDArray[np.float64]
    n_runs: NDArray[np.int64]
    higher_is_better: bool | None

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        self.scores.flags.writeable = False
        self.n_runs.flags.writeable = False

    @property
    def benefit(self) -> NDArray[np.float64]:
        """Scores turned so that more is better."""
        return -self.scores if self.higher_is_better is False else self.scores

    @property
    def place(self) -> str:
        """Words that name the metric at the end of a message."""
        return in_metric(self.metric)

    def take(self, datasets: NDArray[np.bool_], methods: NDArray[np.bool_]) -> ScoreMatrix:
        """Keep the datasets and methods that are marked."""
        cells = np.ix_(datasets, methods)
        return ScoreMatrix(
            metric=self.metric,
            datasets=self.datasets[datasets],
            methods=self.methods[methods],
            scores=self.scores[cells],
            n_runs=self.n_runs[cells],
            higher_is_better=self.higher_is_better,
        )


def read_scores(
    frame: pd.DataFrame,
    *,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
) -> Iterator[ScoreMatrix]:
    """
    Read a frame of scores, one metric after the other in label order.

    A dataset without any score of the metric is left out; a method that has rows but no
    score stays, with all its scores missing.

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
    columns = read_columns(frame)
    metric = columns.metric
    labels = None if metric is None else metric.names[metric.occurring()]
    directions = resolve_directions(labels, higher_is_better)
    return _read_each(columns, directions, aggregate)


def read_cells(
    frame: pd.DataFrame, *, aggregate: Aggregate = "mean"
) -> Iterator[ScoreMatrix]:
    """
    Read what a frame names, scored or not, whatever the direction of its metrics.

    Every method of the frame stands in each matrix, and every dataset that has a row of
    the metric. Parameters, errors: as in `read_scores`.
    """
    _check_aggregate(aggregate)
    return _read_each(read_columns(frame), None, aggregate)


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


def _check_aggregate(aggregate: Aggregate) -> None:
    if aggregate is not None:
        check_option("aggregate", aggregate, ["mean", "median"])


def _read_each(
    columns: Columns, directions: list[Direction] | None, aggregate: Aggregate
) -> Iterator[ScoreMatrix]:
    """Yield the matrix of each metric; without directions, all that is named in it."""
    for number, (metric, part) in enumerate(_by_metric(columns)):
        if directions is None:
            datasets, methods = part.dataset.occurring(), columns.method.occurring()
            part = part.scored()
        else:
            methods, n_rows = part.method.occurring(), len(part.score)
            part = part.scored()
            _check_scored(metric, part, n_rows, directions[number])
            datasets = part.dataset.occurring()
        part = part._replace(
            dataset=part.dataset.keep(datasets), method=part.method.keep(methods)
        )
        scores, n_runs = _scatter(metric, part, aggregate)
        yield ScoreMatrix(
            metric=metric,
            datasets=part.dataset.names,
            methods=part.method.names,
            scores=scores,
            n_runs=n_runs,
            higher_is_better=directions[number].higher_is_better if directions else None,
        )


def _by_metric(columns: Columns) -> Iterator[tuple[pd.Index | None, Columns]]:
    """Split the rows by metric, in label order."""
    if columns.metric is None:
        yield None, columns
        return
    codes, names = columns.metric
    present = np.flatnonzero(columns.metric.occurring())
    if len(present) == 1:
        yield names[present], columns
        return
    narrow = codes.astype(np.min_scalar_type(len(names)))  # sorts in linear time
    order = np.argsort(narrow, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(names)))
    for code in present:
        start = ends[code - 1] if code else 0
        yield names[[int(code)]], columns.take(order[start : ends[code]])


def _scatter(
    metric: pd.Index | None, part: Columns, aggregate: Aggregate
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Put each score in its cell; several in one are aggregated or refused."""
    shape = (len(part.dataset.names), len(part.method.names))
    cell = part.dataset.codes * np.int64(shape[1]) + part.method.codes
    n_runs = np.bincount(cell, minlength=shape[0] * shape[1])
    if n_runs.max(initial=0) <= 1:
        scores = np.full(n_runs.shape, np.nan)
        scores[cell] = part.score
    elif aggregate is None:
        raise duplicate_scores(metric, part, cell, n_runs)
    else:
        scores = aggregate_runs(part.score, cell, n_runs, aggregate)
    return scores.reshape(shape), n_runs.reshape(shape)


def _check_scored(
    metric: pd.Index | None, part: Columns, n_rows: int, direction: Direction
) -> None:
    """Refuse a metric without a single score, or with scores that look negated."""
    if not len(part.score):
        raise no_scores(metric, n_rows)
    label = None if metric is None else metric.tolist()[0]
    check_not_negated(direction, label, part.score)


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
