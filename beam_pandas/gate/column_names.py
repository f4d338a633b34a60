"""Which columns a frame of scores needs, and what others call them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

import pandas as pd

from beam_pandas.errors import BeamError, MissingColumnsError, list_labels
from beam_pandas.gate.registry import find_metric
from beam_pandas.gate.role_names import (
    Role,
    names_methods_likely,
    role_hinted,
    role_named,
)

_NEEDED: Final[tuple[Role, ...]] = ("method", "dataset", "score")
_TAKEN: Final = (*_NEEDED, "metric", "run")


def check_names(frame: pd.DataFrame) -> None:
    """Refuse a frame that lacks a needed column or has one of them twice."""
    if isinstance(frame.columns, pd.MultiIndex):
        raise MissingColumnsError(
            "columns 'method', 'dataset', 'score' are needed, found columns of "
            f"{frame.columns.nlevels} levels: for a block of columns with a method each, "
            "use beam_pandas.from_matrix(df[block], metric=block), with the datasets in "
            f"the index{_swapped(frame.columns)}"
        )
    names = list(frame.columns)
    twice = [name for name in _TAKEN if names.count(name) > 1]
    if twice:
        raise BeamError(
            f"column {twice[0]!r} is needed once, found {names.count(twice[0])} columns "
            f"of that name: rename or drop all but one"
        )
    lacking: list[Role] = [name for name in _NEEDED if name not in names]
    if lacking:
        raise MissingColumnsError(_lacking_message(frame, lacking))


def _swapped(columns: pd.MultiIndex) -> str:
    """Say how to turn levels of which the last, not the first, names metrics."""
    first, last = (columns.get_level_values(at).unique() for at in (0, -1))
    known = [all(find_metric(name) for name in names) for names in (first, last)]
    return (
        "; here metrics come last: first df.swaplevel(axis=1)"
        if known == [False, True]
        else ""
    )


def names_methods(name: Hashable) -> bool:
    """Tell whether a column of this name holds methods rather than datasets."""
    return isinstance(name, str) and names_methods_likely(name)


def counts_runs(name: Hashable) -> bool:
    """Tell whether a column of this name numbers rows or runs, and holds no scores."""
    bare = str(name).strip().lower()
    return role_named(bare) == "run" or bare.startswith("unnamed:")


def _lacking_message(frame: pd.DataFrame, lacking: list[Role]) -> str:
    """Say which columns are needed, which were found, and how to get there."""
    message = (
        f"columns 'method', 'dataset', 'score' are needed, {list_labels(lacking)} "
        f"not found among {list_labels(frame.columns, limit=12) or 'no columns'}"
    )
    in_index = [name for name in lacking if name in frame.index.names]
    if in_index:
        return f"{message}; {list_labels(in_index)} found in the index: df.reset_index()"
    return f"{message}; {_way_to_columns(frame, lacking)}"


def _way_to_columns(frame: pd.DataFrame, lacking: list[Role]) -> str:
    """Say how to get the columns that are lacking from those that are there."""
    renaming = find_renaming(frame)
    found = {role: column for column, role in renaming.items()}
    has = {role: role not in lacking or role in found for role in _NEEDED}
    if has["method"] and has["dataset"] and not has["score"]:
        columns = {
            role: found.get(role, role) for role in ("method", "dataset") if role in found
        }
        scores = _metrics_of(frame, renaming)
        named = "".join(f"{role}={column!r}, " for role, column in columns.items())
        listed = "..." if not scores else ", ".join(map(repr, scores[:5]))
        listed += ", ..." if len(scores) > 5 else ""
        what = (
            f"columns of scores ({list_labels(scores)})" if scores else "columns of scores"
        )
        return f"for {what}: beam_pandas.from_columns(df, {named}scores=[{listed}])"
    if all(has.values()):
        shown = {column: role for role in _TAKEN if (column := found.get(role))}
        return f"found {list_labels(shown)}: df.rename(columns={shown!r})"
    if has["method"] and has["score"] and not has["dataset"]:
        return (
            "nothing names the datasets: if all scores are of one, df.assign(dataset='...')"
            f"{_also_renamed(found, lacking)}"
        )
    if has["dataset"] and has["score"] and not has["method"]:
        return (
            "nothing names the methods: if all scores are of one, df.assign(method='...')"
            f"{_also_renamed(found, lacking)}"
        )
    return (
        "for a table with a column for each method use "
        "beam_pandas.from_matrix, with a column for each metric from_columns"
    )


def _also_renamed(found: dict[str, str], lacking: list[Role]) -> str:
    """Say which columns to rename besides."""
    shown = {found[role]: role for role in lacking if role in found}
    return f", and df.rename(columns={shown!r})" if shown else ""


def _metrics_of(frame: pd.DataFrame, renaming: dict[str, str]) -> list[str]:
    """List the numeric columns that the registry knows as metrics."""
    return [
        name
        for name in frame.columns
        if isinstance(name, str)
        and name not in renaming
        and find_metric(name) is not None
        and _holds_numbers(frame, name)
    ]


def find_renaming(frame: pd.DataFrame) -> dict[str, str]:
    """Map columns that hold what is lacking to the names that they need."""
    renaming: dict[str, str] = {}
    for role in _TAKEN:
        if role not in frame.columns and (found := find_other_name(frame, role)):
            renaming[found] = role
    return renaming


def find_runs(frame: pd.DataFrame) -> str | None:
    """Find a column that looks as if it named the runs."""
    return find_other_name(frame, "run")


def find_other_name(frame: pd.DataFrame, name: Role) -> str | None:
    """
    Find a column that looks like the one that is lacking.

    One whose whole name says so goes before one whose last word does; numbers never name
    methods, and text is never the score of a column called otherwise.
    """
    names = [column for column in frame.columns if isinstance(column, str)]
    for tell in (role_named, role_hinted):
        for column in names:
            if column in _TAKEN or tell(column) != name:
                continue
            if name == "method" and _holds_numbers(frame, column):
                continue
            if name == "score" and find_metric(column) is not None:
                continue
            return column
    return None


def _holds_numbers(frame: pd.DataFrame, column: str) -> bool:
    """Tell whether a column, or the first of two of that name, is of numbers."""
    found = frame.loc[:, [column]].dtypes.iloc[0]
    return bool(pd.api.types.is_numeric_dtype(found))
