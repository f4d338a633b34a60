"""Scores row by row, turned so that more is better, for what arranges frames anew."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, MissingColumnsError, list_labels
from beam_pandas.gate.columns import Columns, as_frame, read_columns
from beam_pandas.gate.direction import resolve_directions
from beam_pandas.gate.doubts import warn_of_columns
from beam_pandas.gate.refusals import negated_scores
from beam_pandas.gate.registry import looks_negated
from beam_pandas.labels import Labels
from beam_pandas.types import HigherIsBetter


class Rows(NamedTuple):
    """
    The rows of a frame of scores, in label order: of dataset, method, run, then of scores.

    Attributes
    ----------
    metric, run : Labels or None
        None if the frame has no such column.
    dataset, method : Labels
        A code for each row.
    score : ndarray of float64, shape (n_rows,)
        As given, NaN where missing; `benefit` is turned so that more is better.
    keep : DataFrame
        The columns that were asked for besides.
    """

    metric: Labels | None
    dataset: Labels
    method: Labels
    run: Labels | None
    score: NDArray[np.float64]
    keep: pd.DataFrame


def read_rows(frame: pd.DataFrame, keep: list[Hashable]) -> Rows:
    """
    Read a frame of scores row by row, in an order that is not that of its rows.

    Parameters
    ----------
    frame : DataFrame
        As for `read_scores`.
    keep : list of labels
        Further columns of it.
    """
    frame = as_frame(frame)
    columns = read_columns(frame)
    warn_of_columns(frame, columns)
    _check_keep(frame, keep)
    keys = [columns.score, *_codes(columns)]
    order = np.lexsort(keys)
    at = columns.at(order)  # type: ignore[arg-type]
    kept = frame[keep].iloc[order].reset_index(drop=True)
    return Rows(at.metric, at.dataset, at.method, at.run, at.score, kept)


def turn_rows(rows: Rows, higher_is_better: HigherIsBetter) -> NDArray[np.float64]:
    """Turn the scores of each metric so that more is better, whatever its direction."""
    labels = None if rows.metric is None else rows.metric.names
    directions = resolve_directions(labels, higher_is_better)
    for code, direction in enumerate(directions):
        here = slice(None) if rows.metric is None else rows.metric.codes == code
        score = rows.score[here]
        if direction.entry is not None and looks_negated(direction.entry, score):
            raise negated_scores(None if labels is None else labels[[code]], score)
    sign = np.array([1.0 if d.higher_is_better else -1.0 for d in directions])
    codes = 0 if rows.metric is None else rows.metric.codes
    turned: NDArray[np.float64] = rows.score * sign[codes] + 0.0  # no negative zero
    return turned


def _codes(columns: Columns) -> list[NDArray[np.integer]]:
    """List the codes to sort by, the first at last."""
    parts = [columns.run, columns.method, columns.dataset, columns.metric]
    return [part.codes for part in parts if part is not None]


def _check_keep(frame: pd.DataFrame, keep: list[Hashable]) -> None:
    taken = [
        name for name in keep if name in ("method", "dataset", "metric", "score", "run")
    ]
    if taken:
        raise BeamError(
            f"keep names columns besides those of the result, got {list_labels(taken)}"
        )
    lacking = [name for name in keep if name not in frame.columns]
    if lacking:
        raise MissingColumnsError(
            f"columns {list_labels(keep, limit=12)} are asked for, {list_labels(lacking)} "
            f"not found among {list_labels(frame.columns, limit=12)}"
        )
