"""One result file made long."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, MissingColumnsError, ScoreTypeError, list_labels
from beam_pandas.shapes.headings import is_metric, metrics_among, role_of
from beam_pandas.shapes.printed_grid import cut_text, shorten
from beam_pandas.shapes.sources import as_numbers, read_table

_OTHER: Final = {"method": "dataset", "dataset": "method"}


class Asked(NamedTuple):
    """
    What the caller says of the files.

    Attributes
    ----------
    name : {"method", "dataset", "metric", "run"}
        What a file's name is.
    columns : dict
        For a role the column that plays it.
    scores : tuple of str or None
        Columns of scores.
    orient : {"datasets", "methods"} or None
        What the rows of a wide file are.
    """

    name: str
    columns: dict[str, str]
    scores: tuple[str, ...] | None
    orient: str | None


class Read(NamedTuple):
    """A file made long, and the columns that were left out."""

    frame: pd.DataFrame
    left_out: list[str]


def read_file(path: Path, label: str, asked: Asked) -> Read:
    """Read one file, whose name is `label`."""
    tabs = path.name.lower().removesuffix(".gz").endswith((".tsv", ".tab"))
    frame = read_table(path, "\t" if tabs else ",")
    columns = _find_columns(frame, asked)
    own = columns.pop(asked.name, None)
    _check_own_name(frame, own, label, asked)
    frame = frame.drop(columns=[own]) if own is not None else frame
    told = {asked.name, *columns}
    if {"method", "dataset"} <= told:
        return _read_long(frame, columns, label, asked)
    return _read_wide(frame, columns, label, asked)


def _find_columns(frame: pd.DataFrame, asked: Asked) -> dict[str, str]:
    """Find the column of each role: as asked for, else by its name."""
    wanted = [*asked.columns.values(), *(asked.scores or ())]
    absent = [name for name in wanted if name not in frame.columns]
    if absent:
        raise MissingColumnsError(
            f"columns {list_labels(wanted, limit=12)} are asked for, {list_labels(absent)} "
            f"not found among {list_labels(frame.columns, limit=12)}"
        )
    columns = dict(asked.columns)
    for name in frame.columns:
        role = role_of(str(name))
        free = name not in columns.values() and name not in (asked.scores or ())
        if role in ("method", "dataset", "metric", "run") and free:
            columns.setdefault(role, name)
    return columns


def _check_own_name(
    frame: pd.DataFrame, column: str | None, label: str, asked: Asked
) -> None:
    """Refuse a file that names several of what it should be one of."""
    if column is None:
        return
    found = frame[column].dropna().unique().tolist()
    if len(found) > 1:
        raise BeamError(
            f"a file is one {asked.name}, {shorten(label)}, found {len(found):,} in its "
            f"column {column!r}, {list_labels(map(cut_text, found))}: pass what each file "
            "is as name='...'"
        )


def _read_long(
    frame: pd.DataFrame, columns: dict[str, str], label: str, asked: Asked
) -> Read:
    """Read a file with a row for each method and dataset."""
    rest = [name for name in frame.columns if name not in columns.values()]
    scores = _find_scores(rest, asked)
    values = np.column_stack([_numbers(frame[name]) for name in scores])
    by_column = "metric" not in columns and asked.name != "metric" and not _is_plain(scores)
    if len(scores) > 1 and not by_column:
        raise BeamError(
            f"one column of scores is needed beside a metric, found {list_labels(scores)}: "
            "name it in scores=[...]"
        )
    long: dict[str, Any] = {
        role: frame[name].to_numpy(dtype=object).repeat(len(scores))
        for role, name in columns.items()
    }
    if by_column:
        long["metric"] = scores * len(frame)
    long[asked.name] = label
    _check_labels(long)
    left_out = [str(name) for name in rest if name not in scores]
    if asked.scores is not None:
        left_out = []
    return Read(pd.DataFrame({**long, "score": values.ravel()}), left_out)


def _find_scores(rest: Sequence[str], asked: Asked) -> list[str]:
    """Find the columns of scores of a long file."""
    if asked.scores is not None:
        return list(asked.scores)
    called = [name for name in rest if role_of(str(name)) == "score"]
    scores = called[:1] or [name for name in rest if is_metric(str(name))]
    if not scores and len(rest) == 1:
        scores = list(rest)
    if not scores:
        raise MissingColumnsError(
            "a column of scores is needed, found none called score and no metric that is "
            f"known among {list_labels(rest, limit=12) or 'no columns'}: name them in "
            "scores=[...]"
        )
    return scores


def _is_plain(scores: Sequence[str]) -> bool:
    """Tell whether a column is called score, which says nothing of the metric."""
    return len(scores) == 1 and role_of(str(scores[0])) == "score"


def _read_wide(
    frame: pd.DataFrame, columns: dict[str, str], label: str, asked: Asked
) -> Read:
    """Read a file whose rows are methods and columns datasets, or the reverse."""
    rows = _rows_are(frame, columns, asked)
    first = columns.get(rows, frame.columns[0])
    others = [name for role, name in columns.items() if role in ("metric", "run")]
    rest = [name for name in frame.columns if name not in (first, *others)]
    scores = list(asked.scores) if asked.scores is not None else rest
    known = metrics_among([str(name) for name in rest])
    if asked.scores is None and (known or not rest):
        raise BeamError(
            f"a column for each {_OTHER[rows]} is needed, found "
            f"{list_labels(known) or 'none'}{', which are metrics' if known else ''}: pass "
            f"{_OTHER[rows]}=..., the column that names it, or those with scores in "
            "scores=[...]"
        )
    values = np.column_stack([_numbers(frame[name]) for name in scores])
    long: dict[str, Any] = {
        rows: frame[first].to_numpy(dtype=object).repeat(len(scores)),
        _OTHER[rows]: scores * len(frame),
    }
    for role in ("metric", "run"):
        if role in columns:
            cells = frame[columns[role]].to_numpy(dtype=object)
            long[role] = cells.repeat(len(scores))
    long[asked.name] = label
    _check_labels(long)
    return Read(pd.DataFrame({**long, "score": values.ravel()}), [])


def _rows_are(frame: pd.DataFrame, columns: dict[str, str], asked: Asked) -> str:
    """Tell what the rows of a wide file are."""
    if asked.name in _OTHER:
        raise MissingColumnsError(
            f"a column that names each {_OTHER[asked.name]} is needed, found none among "
            f"{list_labels(frame.columns, limit=12)}: pass {_OTHER[asked.name]}=..."
        )
    if asked.orient is not None:
        return "dataset" if asked.orient == "datasets" else "method"
    told = [role for role in _OTHER if role in columns]
    if len(told) == 1:
        return told[0]
    raise BeamError(
        f"rows must be datasets or methods, and the headings "
        f"{list_labels(frame.columns)} do not tell which: pass orient='datasets' if each "
        "row is a dataset, orient='methods' if each row is a method"
    )


def _numbers(column: pd.Series) -> NDArray[np.float64]:
    """Take a column of scores as floats."""
    numbers = as_numbers(column)
    if numbers.dtype != np.float64:
        odd = next(
            cell for cell in numbers if isinstance(cell, str) and not _is_number(cell)
        )
        way_out = (
            "read the file with beam_pandas.read_printed"
            if any(sign.isdigit() for sign in odd)
            else "name only columns with scores in scores=[...], or leave such cells empty"
        )
        raise ScoreTypeError(
            f"column {column.name!r} must hold numbers, found {shorten(odd)}: {way_out}"
        )
    return numbers.to_numpy()


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _check_labels(long: dict[str, Any]) -> None:
    """Refuse rows without a label."""
    for role, labels in long.items():
        if isinstance(labels, np.ndarray) and (absent := pd.isna(labels)).any():
            raise BeamError(
                f"each row needs a {role}, found none in {int(absent.sum()):,} of "
                f"{len(labels):,}"
            )
