"""One result file made long."""

from __future__ import annotations

import csv
import gzip
import io
import math
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from beam_pandas.errors import BeamError, MissingColumnsError, ScoreTypeError, list_labels
from beam_pandas.shapes.column_scales import odd_columns
from beam_pandas.shapes.csv_files import as_numbers, read_number, read_table
from beam_pandas.shapes.headings import describes, is_metric, metrics_among, role_of
from beam_pandas.shapes.printed_grid import cut_text, shorten

Cell = str | None
Table = dict[str, list[Cell]]

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
    """A file made long, column by column, and the columns that were left out."""

    long: dict[str, list[Any]]
    left_out: list[str]


def read_columns(path: Path) -> Table:
    """Read a file column by column, each cell as written, an empty one as None."""
    name = path.name.lower()
    sign = "\t" if name.removesuffix(".gz").endswith((".tsv", ".tab")) else ","
    if name.endswith((".csv", ".tsv")):
        return cut_columns(path, sign, path.read_bytes())
    if name.endswith((".csv.gz", ".tsv.gz")):
        try:
            return cut_columns(path, sign, gzip.decompress(path.read_bytes()))
        except (ValueError, OSError, EOFError, zlib.error):
            pass  # whose reason `read_table` gives
    return cut_columns(path, sign, None)


def cut_columns(path: Path, sign: str, content: bytes | None) -> Table:
    """
    Cut what a file holds into columns; `content` is None for what is still to be read.

    What `read_table` reads, five times as fast; it takes over where a file is not plain.
    """
    rows = None if content is None else _cut_rows(content, sign)
    if rows is not None:
        cells = zip(*rows[1:], strict=True)
        columns = ([cell or None for cell in column] for column in cells)
        return dict(zip(rows[0], columns, strict=True))
    frame = read_table(path, sign, content)
    present = frame.astype(object).where(frame.notna(), None)
    return {str(name): present[name].tolist() for name in frame.columns}


def _cut_rows(content: bytes, sign: str) -> list[list[str]] | None:
    """Cut a file into rows of one length; None if anything about it is unusual."""
    try:
        text = content.decode()
        if "\r" in text.replace("\r\n", "") or "\0" in text:
            return None
        lines = io.StringIO(text.removeprefix("\ufeff"), newline="")
        rows = [row for row in csv.reader(lines, delimiter=sign, strict=True) if row]
    except (ValueError, csv.Error):
        return None
    if len(rows) < 2 or len(rows[0]) < 2:
        return None
    heads = rows[0]
    plain = len(set(heads)) == len(heads) and all(heads)
    return rows if plain and {len(row) for row in rows} == {len(heads)} else None


def read_file(path: Path, label: str, asked: Asked) -> Read:
    """Read one file, whose name is `label`."""
    frame = read_columns(path)
    columns = _find_columns(frame, asked)
    own = columns.pop(asked.name, None)
    _check_own_name(frame, own, label, asked)
    frame = {name: cells for name, cells in frame.items() if name != own}
    told = {asked.name, *columns}
    if {"method", "dataset"} <= told:
        return _read_long(frame, columns, label, asked)
    return _read_wide(frame, columns, label, asked)


def _find_columns(frame: Table, asked: Asked) -> dict[str, str]:
    """Find the column of each role: as asked for, else by its name."""
    wanted = [*asked.columns.values(), *(asked.scores or ())]
    absent = [name for name in wanted if name not in frame]
    if absent:
        raise MissingColumnsError(
            f"columns {list_labels(wanted, limit=12)} are asked for, {list_labels(absent)} "
            f"not found among {list_labels(frame, limit=12)}"
        )
    columns = dict(asked.columns)
    for name in frame:
        role = role_of(str(name))
        free = name not in columns.values() and name not in (asked.scores or ())
        if role in ("method", "dataset", "metric", "run") and free:
            columns.setdefault(role, name)
    return columns


def _check_own_name(frame: Table, column: str | None, label: str, asked: Asked) -> None:
    """Refuse a file that names several of what it should be one of."""
    if column is None:
        return
    found = list(dict.fromkeys(cell for cell in frame[column] if cell is not None))
    if len(found) > 1:
        raise BeamError(
            f"a file is one {asked.name}, {shorten(label)}, found {len(found):,} in its "
            f"column {column!r}, {list_labels(map(cut_text, found))}: pass what each file "
            "is as name='...'"
        )


def _read_long(frame: Table, columns: dict[str, str], label: str, asked: Asked) -> Read:
    """Read a file with a row for each method and dataset."""
    rest = [name for name in frame if name not in columns.values()]
    scores = _find_scores(rest, asked)
    by_column = "metric" not in columns and asked.name != "metric" and not _is_plain(scores)
    if len(scores) > 1 and not by_column:
        raise BeamError(
            f"one column of scores is needed beside a metric, found {list_labels(scores)}: "
            "name it in scores=[...]"
        )
    long: dict[str, list[Any]] = {
        role: _repeat(frame[name], len(scores)) for role, name in columns.items()
    }
    _check_labels(long)
    long["score"] = _all_scores(frame, scores)
    if by_column:
        long["metric"] = scores * (len(long["score"]) // len(scores))
    long[asked.name] = [label] * len(long["score"])
    left_out = [str(name) for name in rest if name not in scores]
    if asked.scores is not None:
        left_out = []
    return Read(long, left_out)


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


def _read_wide(frame: Table, columns: dict[str, str], label: str, asked: Asked) -> Read:
    """Read a file whose rows are methods and columns datasets, or the reverse."""
    rows = _rows_are(frame, columns, asked)
    first = columns.get(rows, next(iter(frame)))
    others = [role for role in ("metric", "run") if role in columns]
    taken = {first, *(columns[role] for role in others)}
    rest = [name for name in frame if name not in taken]
    scores = list(asked.scores) if asked.scores is not None else rest
    if asked.scores is None:
        _refuse_odd([name for name in rest if describes(name)], rows)
    known = metrics_among([str(name) for name in rest])
    if asked.scores is None and (known or not rest):
        raise BeamError(
            f"a column for each {_OTHER[rows]} is needed, found "
            f"{list_labels(known) or 'none'}{', which are metrics' if known else ''}: pass "
            f"{_OTHER[rows]}=..., the column that names it, or those with scores in "
            "scores=[...]"
        )
    parts: dict[str, str] = {rows: first, **{role: columns[role] for role in others}}
    long: dict[str, list[Any]] = {
        role: _repeat(frame[name], len(scores)) for role, name in parts.items()
    }
    _check_labels(long)
    long["score"] = _all_scores(frame, scores)
    if asked.scores is None:
        wide = np.array(long["score"]).reshape(-1, len(scores))
        odd = odd_columns(wide, methods=rows == "dataset")
        _refuse_odd([scores[at] for at in odd], rows)
    long[_OTHER[rows]] = scores * (len(long["score"]) // len(scores))
    long[asked.name] = [label] * len(long["score"])
    return Read(long, [])


def _refuse_odd(odd: Sequence[str], rows: str) -> None:
    """Refuse columns that look as if they described the rows."""
    if odd:
        raise BeamError(
            f"a column for each {_OTHER[rows]} is needed, found "
            f"{list_labels(map(cut_text, odd))}, which look as if they described the rows: "
            f"name the columns that are {_OTHER[rows]}s in scores=[...]"
        )


def _rows_are(frame: Table, columns: dict[str, str], asked: Asked) -> str:
    """Tell what the rows of a wide file are."""
    if asked.name in _OTHER:
        raise MissingColumnsError(
            f"a column that names each {_OTHER[asked.name]} is needed, found none among "
            f"{list_labels(frame, limit=12)}: pass {_OTHER[asked.name]}=..."
        )
    if asked.orient is not None:
        return "dataset" if asked.orient == "datasets" else "method"
    told = [role for role in _OTHER if role in columns]
    if len(told) == 1:
        return told[0]
    raise BeamError(
        f"rows must be datasets or methods, and the headings "
        f"{list_labels(frame)} do not tell which: pass orient='datasets' if each "
        "row is a dataset, orient='methods' if each row is a method"
    )


def _repeat(cells: Sequence[Cell], number: int) -> list[Cell]:
    """Give each cell of a column of names to all scores of its row."""
    return [cell for cell in cells for _ in range(number)]


def _all_scores(frame: Table, scores: Sequence[str]) -> list[float]:
    """Take the columns of scores as floats, row by row."""
    columns = [_numbers(name, frame[name]) for name in scores]
    return [number for row in zip(*columns, strict=True) for number in row]


def _numbers(name: str, cells: Sequence[Cell]) -> list[float]:
    """Turn a column into floats, each number exactly as written."""
    if all(cell is None or (cell.isascii() and "_" not in cell) for cell in cells):
        try:
            return [math.nan if cell is None else float(cell) for cell in cells]
        except ValueError:
            pass  # some cell is a word
    numbers = as_numbers(pd.Series(list(cells), dtype=object))
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
            f"column {name!r} must hold numbers, found {shorten(odd)}: {way_out}"
        )
    return numbers.tolist()


def _is_number(text: str) -> bool:
    try:
        read_number(text)
    except ValueError:
        return False
    return True


def _check_labels(long: dict[str, list[Any]]) -> None:
    """Refuse rows without a label."""
    for role, labels in long.items():
        if absent := labels.count(None):
            raise BeamError(
                f"each row needs a {role}, found none in {absent:,} of {len(labels):,}"
            )
