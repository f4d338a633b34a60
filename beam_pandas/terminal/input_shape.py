"""The table of a file made long, as the functions take it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pandas as pd

from beam_pandas.errors import BeamError, MissingColumnsError, list_labels, within
from beam_pandas.terminal.asked import Asked
from beam_pandas.terminal.input_columns import Roles, check_labels, find_roles, names_metric
from beam_pandas.terminal.input_scores import read_score_column
from beam_pandas.terminal.input_tables import PrintedText, RawTable


def make_long(raw: RawTable | PrintedText, asked: Asked) -> pd.DataFrame:
    """
    Make the table of a file long.

    Raises
    ------
    BeamError
        If it cannot be told which column is what. The message names the file.
    """
    with within(raw.source.name):
        if isinstance(raw, PrintedText):
            return _from_printed(raw.text, asked)
        frame = raw.frame.set_axis([str(name) for name in raw.frame.columns], axis=1)
        if frame.columns.has_duplicates:
            repeated = frame.columns[frame.columns.duplicated()]
            raise BeamError(f"headings must differ, found {list_labels(repeated)} twice")
        if raw.nested and asked.rows is None and not asked.wide:
            raise BeamError(
                "rows must be datasets or methods, and two levels of names do not tell "
                f"which, found {list_labels(frame.index, 3)} above "
                f"{list_labels(frame.columns, 3)}: --rows datasets if the outer ones are "
                "datasets, --rows methods if they are methods"
            )
        if asked.is_wide:
            return _from_wide(frame, asked)
        return _from_long(frame, find_roles(frame, asked), asked)


def _from_long(frame: pd.DataFrame, roles: Roles, asked: Asked) -> pd.DataFrame:
    """Take a row for each score, or for each method and dataset and several metrics."""
    n_rows, n_scores = len(frame), len(roles.score)
    rows = np.repeat(np.arange(n_rows), n_scores)
    keys: dict[str, pd.Index] = {
        "method": _join_key(frame, roles.method),
        "dataset": _join_key(frame, roles.dataset),
    }
    for role, name in (("metric", roles.metric), ("run", roles.run)):
        if name is not None:
            keys[role] = _join_key(frame, [name])
    long: dict[str, Any] = {}
    for role, labels in keys.items():
        column = _alike(pd.Series(labels))
        check_labels(column, role)
        long[role] = column.array.take(rows)
    by_column = roles.metric is None and (n_scores > 1 or names_metric(roles.score[0]))
    if by_column:
        long["metric"] = np.array(roles.score * n_rows, dtype=object)
    columns = [
        read_score_column(frame[name], asked).to_numpy(dtype=np.float64)
        for name in roles.score
    ]
    long["score"] = np.column_stack(columns).ravel() if columns else []
    for name in frame.columns:  # a rope, or what the gate doubts
        if name not in roles.named and name not in long:
            column = frame[name]
            if name in asked.beside:
                column = read_score_column(column, asked)
            long[name] = column.array.take(rows)
    return _select(pd.DataFrame(long), asked)


def _join_key(frame: pd.DataFrame, key: Sequence[str]) -> pd.Index:
    """Take the labels of a column, or those of several joined by " / "."""
    if len(key) == 1:
        alone: pd.Index = pd.Index(frame[key[0]])
        return alone
    from beam_pandas.shapes.wide_names import join_key  # slow to load

    joined: pd.Index = join_key(frame, key)
    return joined


def _alike(labels: pd.Series) -> pd.Series:
    """Write labels as text unless all are text, or all are numbers."""
    if labels.dtype != object:
        kind = labels.dtype
        plain = kind.kind in "iuf" or pd.api.types.is_string_dtype(kind)
        if plain or isinstance(kind, pd.CategoricalDtype):
            return labels
        return labels.map(str, na_action="ignore")
    if pd.api.types.infer_dtype(labels, skipna=True) in ("string", "empty"):
        return labels
    return labels.map(str, na_action="ignore")


def _from_wide(frame: pd.DataFrame, asked: Asked) -> pd.DataFrame:
    """Take a row for each dataset and a column for each method, or the reverse."""
    absent = [name for name in asked.drop if name not in frame.columns]
    if absent:
        raise MissingColumnsError(
            f"--drop must name columns, {list_labels(frame.columns, 12)}, got "
            f"{list_labels(absent)}"
        )
    from beam_pandas.shapes.to_long import from_matrix  # slow to load

    frame = frame.drop(columns=list(asked.drop))
    by_methods = asked.rows == "methods"
    key = asked.method if by_methods else asked.dataset
    chosen = asked.datasets if by_methods else asked.methods
    if chosen is not None or asked.decimal == "," or asked.missing:
        frame = _read_cells(frame, key, chosen, asked)
    options: dict[str, Any] = {
        "method" if by_methods else "dataset": list(key) or None,
        "datasets" if by_methods else "methods": None if chosen is None else list(chosen),
        "orient": asked.rows,
    }
    long = from_matrix(frame, metric=None, **options)
    for role in ("method", "dataset"):
        long[role] = _alike(long[role])
        check_labels(long[role], role)
    return _select(_name_metric(long, asked), asked)


def _read_cells(
    frame: pd.DataFrame,
    key: tuple[str, ...],
    chosen: tuple[str, ...] | None,
    asked: Asked,
) -> pd.DataFrame:
    """Read the cells of all columns but those that name the rows."""
    outside = set(key) if key else {frame.columns[0]}
    columns = [name for name in frame if name not in outside]
    if chosen is not None:
        columns = [name for name in chosen if name in frame.columns]
    read = {name: read_score_column(frame[name], asked) for name in columns}
    return frame.assign(**{str(name): column for name, column in read.items()})


def _from_printed(text: str, asked: Asked) -> pd.DataFrame:
    """Take a printed table, whose headings tell what is what."""
    from beam_pandas.shapes.printed import read_printed  # slow to load

    if "\n" not in text.strip("\n"):
        raise BeamError("a table needs a row of headings and at least one more, found one")
    by_methods = asked.rows == "methods"
    chosen = asked.datasets if by_methods else asked.methods
    scores = list(chosen or asked.score) or None
    read = read_printed(
        text,
        orient=asked.rows,
        scores=scores,
        drop=list(asked.drop),
        decimal=asked.decimal,
        missing=list(asked.missing),
    )
    long = read.drop(columns=["spread", "marked"])
    return _select(_name_metric(long, asked), asked)


def _name_metric(long: pd.DataFrame, asked: Asked) -> pd.DataFrame:
    """Give the metric of a table its name, if one is told and the table does not."""
    if asked.metric is None or "metric" in long.columns:
        return long
    return long.assign(metric=asked.metric)


def _select(long: pd.DataFrame, asked: Asked) -> pd.DataFrame:
    """Keep the methods and datasets that are asked for, each of which must be there."""
    for role, wanted in (("method", asked.methods), ("dataset", asked.datasets)):
        if wanted is None:
            continue
        names = cast("pd.Series", long[role].astype(str))
        absent = [name for name in wanted if not (names == name).any()]
        if absent:
            raise BeamError(
                f"--{role}s must name {role}s of the table, "
                f"{list_labels(names.unique(), 12)}, got {list_labels(absent)}"
            )
        long = long[names.isin(wanted)]
    return long.reset_index(drop=True)
