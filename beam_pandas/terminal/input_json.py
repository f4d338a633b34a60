"""JSON made a table: rows, columns, or scores in two levels of names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pandas as pd

from beam_pandas.errors import BeamError, is_number, list_labels, shorten


def parse_json(content: bytes) -> Any:
    """
    Read JSON, in which no name may come twice.

    Raises
    ------
    BeamError
        If it is none, or a name comes twice, of which one would be lost.
    """
    try:
        return json.loads(content, object_pairs_hook=_without_repeats)
    except RecursionError as error:
        raise BeamError("the file cannot be read as JSON, it is nested too deep") from error
    except (ValueError, UnicodeDecodeError) as error:
        if isinstance(error, BeamError):
            raise
        raise BeamError(f"the file cannot be read as JSON, {error}") from error


def _without_repeats(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = [name for at, name in enumerate(names) if name in names[:at]]
        raise BeamError(f"names in JSON must differ, found {list_labels(repeated)} twice")
    return found


def parse_json_lines(content: bytes) -> pd.DataFrame:
    """Read a table of which each line is a row in JSON."""
    rows = []
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            rows.append(parse_json(line))
        except BeamError as error:
            raise BeamError(f"line {number}: {error}") from error
    return _from_rows(rows)


def is_lm_eval(data: Any) -> bool:
    """Tell whether JSON is what the lm-evaluation-harness writes."""
    tasks = data.get("results") if isinstance(data, dict) else None
    return (
        isinstance(tasks, dict)
        and bool(tasks)
        and all(isinstance(entry, dict) for entry in tasks.values())
    )


def make_table(data: Any) -> tuple[pd.DataFrame, bool]:
    """
    Make a table of JSON.

    Returns
    -------
    frame : DataFrame
        As it stands there.
    nested : bool
        Whether it is scores under two levels of names, whose outer ones are the index.
    """
    if isinstance(data, list):
        return _from_rows(data), False
    if isinstance(data, dict) and isinstance(data.get("data"), list):
        names = data.get("columns")
        if isinstance(names, list) and all(isinstance(row, list) for row in data["data"]):
            return _from_lists(names, data["data"]), False
        return _from_rows(data["data"]), False
    if isinstance(data, dict) and data:
        inner = list(data.values())
        if all(isinstance(column, list) for column in inner):
            return _from_columns(data), False
        if all(isinstance(row, dict) for row in inner):
            return _from_levels(data)
    raise BeamError(
        "JSON must hold a list of rows, a list for each column, or scores under two levels "
        f"of names, found {shorten(data)}"
    )


def _from_rows(rows: Sequence[Any]) -> pd.DataFrame:
    odd = [row for row in rows if not isinstance(row, dict)]
    if odd or not rows:
        found = shorten(odd[0]) if odd else "none"
        raise BeamError(f"each row in JSON must name its columns, found {found}")
    return pd.DataFrame(list(rows))


def _from_lists(names: Sequence[Any], rows: Sequence[Sequence[Any]]) -> pd.DataFrame:
    odd = [row for row in rows if len(row) != len(names)]
    if odd:
        raise BeamError(
            f"each row in JSON must have {len(names)} cells, found {len(odd[0])}"
        )
    return pd.DataFrame(list(rows), columns=[str(name) for name in names])


def _from_columns(data: dict[str, list[Any]]) -> pd.DataFrame:
    sizes = {len(column) for column in data.values()}
    if len(sizes) > 1:
        raise BeamError(
            f"columns in JSON must be of one length, found {min(sizes)} to {max(sizes)}"
        )
    return pd.DataFrame(data)


def _from_levels(data: dict[str, dict[str, Any]]) -> tuple[pd.DataFrame, bool]:
    """Take scores under two levels of names, or the columns of pandas by row."""
    cells = [cell for row in data.values() for cell in row.values()]
    odd = [cell for cell in cells if isinstance(cell, (dict, list))]
    if odd:
        raise BeamError(
            "JSON must hold a list of rows, or scores under two levels of names, found "
            f"more levels, {shorten(odd[0])}: write a row for each score"
        )
    if all(cell is None or is_number(cell) for cell in cells):
        return pd.DataFrame.from_dict(data, orient="index"), True
    numbered = all(name.isdigit() for row in data.values() for name in row)
    if numbered:  # columns of numbered cells, as pandas writes them
        return pd.DataFrame(data).reset_index(drop=True), False
    return pd.DataFrame.from_dict(data, orient="index").reset_index(drop=True), False
