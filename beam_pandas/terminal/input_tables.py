"""The table that a file holds, before anybody says which column is what."""

from __future__ import annotations

import csv
import io
import warnings
from pathlib import Path
from typing import Any, Final, NamedTuple

import pandas as pd

from beam_pandas.errors import BeamError, MissingDependencyError, list_labels, within
from beam_pandas.shapes.csv_files import shorten_text
from beam_pandas.shapes.result_files import cut_columns
from beam_pandas.terminal.formats import check_text
from beam_pandas.terminal.input_bytes import Source
from beam_pandas.terminal.input_json import (
    is_lm_eval,
    make_table,
    parse_json,
    parse_json_lines,
)

_SIGNS: Final = (",", "\t", ";", "|")
_NAMED_SIGNS: Final = {
    "tab": "\t",
    "\\t": "\t",
    "comma": ",",
    "semicolon": ";",
    "pipe": "|",
}


class RawTable(NamedTuple):
    """
    A table as a file holds it.

    Attributes
    ----------
    source : Source
        The file.
    frame : DataFrame
        Its cells: text as written, or what the format gives.
    nested : bool
        Whether the names of rows are its index, and all other cells scores.
    """

    source: Source
    frame: pd.DataFrame
    nested: bool = False


class EvalFile(NamedTuple):
    """A result file of the lm-evaluation-harness."""

    source: Source


class PrintedText(NamedTuple):
    """A printed table, still to be cut into cells."""

    source: Source
    text: str


def read_raw(
    source: Source, separator: str | None, sheet: str | None
) -> RawTable | EvalFile | PrintedText:
    """
    Read the table of a file.

    Raises
    ------
    BeamError
        If the file is not what its format says. The message names it.
    MissingDependencyError
        If what reads the format is not installed.
    """
    kind = source.format
    if kind in ("csv", "tsv"):
        return RawTable(source, _read_text(source, separator))
    with within(source.name):
        if kind == "printed":
            check_text(source.content, "a printed table")
            return PrintedText(source, _decode(source.content))
        if kind == "parquet":
            return RawTable(source, _read_parquet(source.content))
        if kind == "xlsx":
            return RawTable(source, _read_sheet(source.content, sheet))
        if kind == "jsonl":
            return RawTable(source, parse_json_lines(source.content))
        data: Any = parse_json(source.content)
        if is_lm_eval(data):
            return EvalFile(source)
        return RawTable(source, *make_table(data))


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BeamError(f"the file cannot be read as text in UTF-8, {error}") from error


def _read_text(source: Source, separator: str | None) -> pd.DataFrame:
    """Read cells parted by a sign, each as it is written."""
    with within(source.name):
        check_text(source.content, source.format)
        sign = _find_separator(source, separator)
    cells = cut_columns(Path(source.name), sign, source.content)
    return pd.DataFrame(cells, dtype=object)


def _find_separator(source: Source, asked: str | None) -> str:
    """Tell what parts the cells: as asked for, by the format, or by the headings."""
    if asked is not None:
        sign = _NAMED_SIGNS.get(asked, asked)
        if len(sign) != 1:
            raise BeamError(f"--sep must be one sign, or tab, got {asked!r}")
        return sign
    if source.format == "tsv":
        return "\t"
    head = source.content[:65536].decode("utf-8-sig", errors="replace")
    lines = head.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found = [sign for sign in _SIGNS if sign in lines[0]]
    if len(found) < 2:
        return found[0] if found else ","
    fitting = [sign for sign in found if _parts(lines[:20], sign)]
    if len(fitting) == 1:
        return fitting[0]
    return _SIGNS[0] if _SIGNS[0] in fitting or not fitting else fitting[0]


def _parts(lines: list[str], sign: str) -> bool:
    """Tell whether a sign cuts all lines into the same number of cells."""
    try:
        rows = [row for row in csv.reader(lines, delimiter=sign) if row]
    except csv.Error:
        return False
    return len({len(row) for row in rows}) == 1 and len(rows[0]) > 1


def _read_parquet(content: bytes) -> pd.DataFrame:
    try:
        frame = pd.read_parquet(io.BytesIO(content))
    except ImportError as error:
        raise MissingDependencyError(
            "to read Parquet, pyarrow is needed: pip install 'beam_pandas[arrow]'"
        ) from error
    except Exception as error:  # of any kind that the engine has
        reason = shorten_text(str(error) or type(error).__name__)
        raise BeamError(f"the file cannot be read as Parquet, {reason}") from error
    named = [name for name in frame.index.names if name is not None]
    return frame.reset_index() if named else frame


def _read_sheet(content: bytes, sheet: str | None) -> pd.DataFrame:
    try:
        with (
            warnings.catch_warnings(action="ignore"),  # of styles and the like
            pd.ExcelFile(io.BytesIO(content), engine="openpyxl") as book,
        ):
            tables = {
                str(name): book.parse(name, keep_default_na=False, na_values=[""])
                for name in book.sheet_names
            }
    except ImportError as error:
        raise MissingDependencyError(
            "to read xlsx, openpyxl is needed: pip install 'beam_pandas[excel]'"
        ) from error
    except Exception as error:  # of any kind that the engine has
        reason = shorten_text(str(error) or type(error).__name__)
        raise BeamError(f"the file cannot be read as xlsx, {reason}") from error
    if sheet is not None and sheet not in tables:
        raise BeamError(f"--sheet must be one of {list_labels(tables)}, got {sheet!r}")
    if sheet is not None:
        return tables[sheet]
    filled = {name: table for name, table in tables.items() if len(table)}
    if len(filled) != 1:
        found = list_labels(filled) if filled else "none with a row"
        way = ": name the one with --sheet" if filled else ""
        raise BeamError(f"one sheet with a table is needed, found {found}{way}")
    return next(iter(filled.values()))
