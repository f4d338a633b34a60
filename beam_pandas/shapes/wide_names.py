"""What names the rows and columns of a wide table, and which of them hold scores."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import (
    BeamError,
    MissingColumnsError,
    ScoreTypeError,
    check_option,
    list_labels,
    warn,
)
from beam_pandas.gate.columns import read_numbers
from beam_pandas.gate.registry import find_metric
from beam_pandas.gate.role_names import role_named
from beam_pandas.shapes.csv_files import repeated_names
from beam_pandas.shapes.wide_refusals import (
    names_runs,
    refuse_headings,
    refuse_long,
    refuse_methods,
    refuse_numbers,
    refuse_run_rows,
)

_PLAIN: Final = re.compile(r"\s*[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\s*")
_ABSENT: Final = frozenset({"", "nan", "NaN", "NA", "N/A", "n/a", "<NA>", "None", "null"})


class Asked(NamedTuple):
    """
    What the caller says of a wide table.

    Attributes
    ----------
    orient : {"datasets", "methods"} or None
        What rows are.
    key : list of labels or None
        Columns that name the rows.
    chosen : list of labels or None
        Columns that hold scores.
    keep : list of labels
        Columns to carry along.
    """

    orient: Literal["datasets", "methods"] | None
    key: list[Hashable] | None
    chosen: list[Hashable] | None
    keep: list[Hashable]

    @property
    def by_methods(self) -> bool:
        """Whether rows are methods."""
        return self.orient == "methods"

    @property
    def row(self) -> str:
        """Name of the parameter that names the rows."""
        return "method" if self.by_methods else "dataset"

    @property
    def column(self) -> str:
        """Name of the parameter that names the columns of scores."""
        return "datasets" if self.by_methods else "methods"

    def outside(self, frame: pd.DataFrame) -> list[Hashable]:
        """List the columns that are said to hold no scores."""
        return [name for name in frame.columns if name in [*(self.key or []), *self.keep]]

    def names(self, chosen: Sequence[Hashable] | None) -> dict[str, Any]:
        """Give the key and some columns of scores as arguments of `from_matrix`."""
        return {self.row: self.key, self.column: chosen}


class Table(NamedTuple):
    """A wide table parted: names of its rows, of its columns, and float64 scores."""

    names: pd.Index
    columns: pd.Index
    scores: NDArray[np.float64]


def check_asked(
    orient: Literal["datasets", "methods"] | None,
    dataset: Hashable,
    method: Hashable,
    methods: Sequence[Hashable] | None,
    datasets: Sequence[Hashable] | None,
    keep: Sequence[Hashable],
) -> Asked:
    """Check what the caller says, and that it agrees with itself."""
    if orient is not None:
        check_option("orient", orient, ("datasets", "methods"))
    by_methods = orient == "methods" or (
        orient is None and (method is not None or datasets is not None)
    )
    against = {"dataset": dataset, "methods": methods}
    if not by_methods:
        against = {"method": method, "datasets": datasets}
    odd = [name for name, value in against.items() if value is not None]
    if odd:
        rows, columns = ("methods", "datasets") if by_methods else ("datasets", "methods")
        other = {"method": "dataset", "dataset": "method"}
        instead = {"methods": "datasets", "datasets": "methods", **other}[odd[0]]
        raise BeamError(
            f"rows are {rows} and columns {columns} here, got {odd[0]}: pass {instead}="
            "..., or another orient"
        )
    key, chosen = (method, datasets) if by_methods else (dataset, methods)
    side: Literal["datasets", "methods"] | None = "methods" if by_methods else orient
    row, column = ("method", "datasets") if by_methods else ("dataset", "methods")
    kept = as_list("keep", keep)
    taken = [name for name in kept if name in ("method", "dataset", "metric", "score")]
    if taken or repeated_names(kept):
        raise BeamError(
            f"keep must name each column once and none of the result, got {kept!r}: rename "
            "the column first"
        )
    return Asked(
        side,
        None if key is None else as_key(row, key),
        None if chosen is None else as_list(column, chosen),
        kept,
    )


def as_list(name: str, value: Iterable[Hashable]) -> list[Hashable]:
    """Take a list of columns, refuse the name of one."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise BeamError(f"{name} must be a list of columns, got {value!r}")
    return list(value)


def as_key(name: str, value: Hashable | Sequence[Hashable]) -> list[Hashable]:
    """Take the name of a column, or a list of them, as a list."""
    names = list(value) if isinstance(value, list) else [value]
    odd = [part for part in names if not pd.api.types.is_hashable(part)]
    if odd or not names:
        raise BeamError(f"{name} must be a column or a list of columns, got {value!r}")
    return names


def check_flat(frame: pd.DataFrame) -> None:
    """Refuse what is no frame, columns of several levels or of the same name."""
    if not isinstance(frame, pd.DataFrame):
        found = type(frame).__name__
        raise ScoreTypeError(f"the table must be a pandas DataFrame, found {found}")
    if isinstance(frame.columns, pd.MultiIndex):
        raise BeamError(
            f"columns of one level are needed, found {frame.columns.nlevels} levels: "
            "convert one block at a time, such as df[block] with metric=block, and "
            "pd.concat the results"
        )
    repeated = repeated_names(list(frame.columns))
    if repeated:
        raise BeamError(
            f"column names must differ, found {list_labels(repeated)} more than once: "
            "rename or drop all but one of each"
        )


def has_column(frame: pd.DataFrame, name: object) -> bool:
    """Tell whether a frame has a column, whatever is asked for."""
    try:
        return name in frame.columns
    except TypeError:  # what does not hash names no column
        return False


def check_present(frame: pd.DataFrame, wanted: Sequence[Hashable]) -> None:
    """Refuse columns that are not there."""
    lacking = [name for name in wanted if not has_column(frame, name)]
    if not lacking:
        return
    noun = "column" if len(wanted) == 1 else "columns"
    verb = "is" if len(wanted) == 1 else "are"
    message = (
        f"{noun} {list_labels(wanted, limit=12)} {verb} asked for, "
        f"{f'{list_labels(lacking)} ' if len(wanted) > 1 else ''}not found among "
        f"{list_labels(frame.columns, limit=12) or 'no columns'}"
    )
    in_index = [name for name in lacking if name in frame.index.names]
    if in_index:
        message += f"; {list_labels(in_index)} found in the index: df.reset_index()"
    raise MissingColumnsError(message)


def join_key(frame: pd.DataFrame, key: Sequence[Hashable]) -> pd.Index:
    """Take the labels of a column, or those of several joined by " / "."""
    if len(key) == 1:
        alone: pd.Index = pd.Index(frame[key[0]])
        return alone
    parts = [frame[name] for name in key]
    gap = np.logical_or.reduce([part.isna().to_numpy() for part in parts])
    texts = [part.astype(str).tolist() for part in parts]
    rows = zip(*texts, strict=True)
    joined = [
        None if lost else " / ".join(row) for row, lost in zip(rows, gap, strict=True)
    ]
    texts_joined = pd.Series(joined, dtype="str" if not gap.any() else object)
    labels: pd.Index = pd.Index(texts_joined)
    return labels


def split_table(frame: pd.DataFrame, asked: Asked) -> Table:
    """Part the names of rows and columns from the scores, or refuse what is neither."""
    if asked.chosen is None and asked.key is None:
        refuse_long(frame)
    check_present(frame, asked.keep)
    names, used = _split_names(frame, asked)
    rest = frame.drop(columns=[*used, *asked.keep], errors="ignore")
    if asked.chosen is not None:
        absent = [name for name in asked.chosen if name not in rest.columns]
        if absent:
            raise MissingColumnsError(
                f"columns {list_labels(absent)} are asked for, not found among "
                f"{list_labels(rest.columns, limit=12) or 'no columns'}"
            )
        rest = rest[asked.chosen]
    else:
        _refuse_text(rest, asked)
        refuse_headings(rest.columns, asked.by_methods, names, used)
    if rest.columns.empty:
        raise MissingColumnsError(
            f"a column for each {asked.column[:-1]} is needed, found none"
        )
    cells = [read_cells(rest.iloc[:, at], name) for at, name in enumerate(rest.columns)]
    scores = np.column_stack(cells)
    if asked.chosen is None:
        refuse_numbers(rest.columns, scores, asked.by_methods)
    return Table(names, rest.columns, scores)


def check_rows(
    name: Hashable,
    asked: Asked,
    *,
    chosen: bool,
    in_index: bool = False,
) -> None:
    """Refuse rows that are called runs, or methods where rows are to be datasets."""
    refuse_run_rows(name, in_index)
    if asked.orient is None and not chosen:
        refuse_methods(name, in_index)


def _split_names(frame: pd.DataFrame, asked: Asked) -> tuple[pd.Index, Sequence[Hashable]]:
    """Find what names the rows, and the columns that do."""
    if asked.key is not None:
        check_present(frame, asked.key)
        _warn_of_runs(asked)
        return join_key(frame, asked.key), asked.key
    chosen = asked.chosen is not None
    if isinstance(frame.index, pd.MultiIndex):
        levels = list(frame.index.names)
        raise BeamError(
            f"an index of one level is needed, found {frame.index.nlevels} levels: "
            f"df.reset_index() and pass {asked.row}='...', or {asked.row}={levels!r} to "
            "join them"
        )
    if frame.index.name is not None or not pd.api.types.is_integer_dtype(frame.index.dtype):
        check_rows(frame.index.name, asked, chosen=chosen, in_index=True)
        return frame.index, []
    first = _first_of_text(frame, asked)
    check_rows(first, asked, chosen=chosen)
    return pd.Index(frame[first]), [first]


def _warn_of_runs(asked: Asked) -> None:
    """Warn of runs that the caller names as datasets."""
    if not asked.by_methods and asked.key is not None:
        runs = [name for name in asked.key if names_runs(name)]
        if len(runs) == len(asked.key):
            warn(
                f"rows named by {list_labels(runs)} look like runs of one dataset, which "
                "are no datasets: a test over datasets would take each for one"
            )


def _first_of_text(frame: pd.DataFrame, asked: Asked) -> Hashable:
    """Find the column that names the rows: the first of text that says no numbers."""
    text = [
        name for name in frame.columns if _is_text(frame[name]) and name not in asked.keep
    ]
    for name in text:
        if name == frame.columns[0] or not _some_number(frame[name]):
            return name
    whole = [
        name
        for name in frame
        if pd.api.types.is_integer_dtype(frame[name].dtype) and not names_runs(name)
    ]
    called = [name for name in frame if role_named(str(name)) == asked.row]
    runs = [name for name in frame if names_runs(name)]
    if runs and not called:
        refuse_run_rows(runs[0], in_index=False)
    if text:
        read_cells(frame[text[0]], text[0])  # refuses what is no number
    if called or whole:
        way_out = f"pass {asked.row}={[*called, *whole][0]!r} if that names them"
    else:
        way_out = f"pass {asked.row}='...', or use df.rename_axis('{asked.row}')"
    if not asked.by_methods and not called:  # whose numbers that would take away
        way_out += (
            "; if each row is a run of one dataset, beam_pandas.from_matrix("
            "df.rename_axis('run').reset_index().assign(dataset='...'), dataset='dataset', "
            "keep=['run'])"
        )
    raise MissingColumnsError(
        f"nothing names the {asked.row}s: found no column of text and an index without a "
        f"name; {way_out}"
    )


def _refuse_text(rest: pd.DataFrame, asked: Asked) -> None:
    """Refuse columns of words, which can be carried along."""
    words = [
        name
        for name in rest.columns
        if _is_text(rest[name]) and rest[name].notna().any() and not _some_digit(rest[name])
    ]
    if words and len(words) < len(rest.columns):
        raise ScoreTypeError(
            f"column {words[0]!r} must be numeric, found text without a number in it "
            f"(first: {rest[words[0]].dropna().iloc[0]!r}): if it describes the rows, pass "
            f"keep={words!r}, or name the columns of scores, {asked.column}=[...]"
        )


def read_cells(column: pd.Series, name: Hashable) -> NDArray[np.float64]:
    """Read a column of numbers, or of text that says nothing but plain ones, as float64."""
    if _is_text(column):
        cells = [None if pd.isna(cell) else str(cell) for cell in column]
        if all(c is None or c.strip() in _ABSENT or _PLAIN.fullmatch(c) for c in cells):
            numbers = [
                np.nan if c is None or c.strip() in _ABSENT else float(c) for c in cells
            ]
            return np.array(numbers, dtype=np.float64)
    return read_numbers(column, f"column {name!r}")


def _is_text(column: pd.Series) -> bool:
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        dtype = dtype.categories.dtype
    if pd.api.types.is_object_dtype(dtype):
        present = column.dropna()
        return len(present) > 0 and all(isinstance(value, str) for value in present)
    return pd.api.types.is_string_dtype(dtype)


def _some_number(column: pd.Series) -> bool:
    """Tell whether a column of text has a plain number in it, as one of scores would."""
    return any(_PLAIN.fullmatch(str(cell)) for cell in column.dropna())


def _some_digit(column: pd.Series) -> bool:
    return any(any(letter.isdigit() for letter in str(cell)) for cell in column.dropna())


def has_two_headers(frame: object) -> bool:
    """Tell whether a table has columns of two levels."""
    return (
        isinstance(frame, pd.DataFrame)
        and isinstance(frame.columns, pd.MultiIndex)
        and frame.columns.nlevels == 2
    )


def part_by_metric(
    frame: pd.DataFrame, asked: Asked
) -> Iterator[tuple[Hashable, pd.DataFrame]]:
    """
    Cut a table with two rows of headings, in either order, into one for each metric.

    Raises
    ------
    BeamError
        If neither row, or both, can be that of the metrics.
    """
    repeated = repeated_names(list(frame.columns))
    if repeated:
        raise BeamError(
            f"column names must differ, found {list_labels(repeated)} more than once: "
            "rename or drop all but one of each"
        )
    labels = {at: _flat_name(cast("Any", name)) for at, name in enumerate(frame.columns)}
    named = [*(asked.key or []), *asked.keep]
    aside = {
        at: name
        for at, name in labels.items()
        if name in named
        or (_is_text(frame.iloc[:, at]) and not _some_number(frame.iloc[:, at]))
    }
    inner = [at for at in labels if at not in aside]
    columns = cast("pd.MultiIndex", frame.columns[inner])
    level = _metric_level(columns, asked)
    rest = frame.iloc[:, list(aside)].set_axis(list(aside.values()), axis=1)
    of_metric, of_column = (
        columns.get_level_values(level),
        columns.get_level_values(1 - level),
    )
    for metric in dict.fromkeys(of_metric):
        at = np.flatnonzero(of_metric == metric)
        block = frame.iloc[:, [inner[n] for n in at]].set_axis(of_column[at], axis=1)
        yield (
            metric,
            pd.concat([rest, block], axis=1).rename_axis(
                columns=cast("str", of_column.name)
            ),
        )


def _metric_level(columns: pd.MultiIndex, asked: Asked) -> int:
    """Find the row of headings that names metrics, by its name, else by the registry."""
    roles = [None if name is None else role_named(str(name)) for name in columns.names]
    if roles.count("metric") == 1:
        return roles.index("metric")
    levels = [columns.get_level_values(at).unique() for at in (0, 1)]
    known = [all(find_metric(name) for name in level) for level in levels]
    if known.count(True) == 1:
        return known.index(True)
    raise BeamError(
        f"of two rows of headings one must name metrics, found {list_labels(levels[0])} "
        f"above {list_labels(levels[1])}: name the rows, df.rename_axis(columns=['metric', "
        f"'{asked.column[:-1]}']) or the other way round"
    )


def _flat_name(column: tuple[Hashable, Hashable]) -> Hashable:
    """Take of two headings the one that says something."""
    said = [
        part
        for part in column
        if str(part).strip() and not str(part).startswith("Unnamed: ")
    ]
    roles = [part for part in said if role_named(str(part)) in ("dataset", "method", "run")]
    return roles[0] if roles else said[-1] if said else column[0]
