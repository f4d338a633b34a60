"""Columns of the caller's frame, checked and turned into arrays, for the gate."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from importlib import import_module
from numbers import Real
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import (
    BeamError,
    MissingDependencyError,
    ScoreTypeError,
    count,
    shorten,
)
from beam_pandas.gate.column_names import check_names, find_other_name, find_runs
from beam_pandas.kernels.decimals import shortest_decimals
from beam_pandas.labels import Labels, read_labels


class Columns(NamedTuple):
    """The columns of a frame of scores; `metric` is None where it has none."""

    metric: Labels | None
    dataset: Labels
    method: Labels
    score: NDArray[np.float64]
    run: Labels | None  # None where runs have no labels
    metric_like: str | None  # another column that may name the metric
    run_like: str | None = None  # another column that may name the runs

    @property
    def n_metrics(self) -> int:
        """Number of metrics; 1 if they have no name."""
        return 1 if self.metric is None else len(self.metric.names)

    def at(self, rows: NDArray[np.bool_] | slice) -> Columns:
        """Take some rows."""
        return self._replace(
            metric=None if self.metric is None else self.metric.at(rows),
            dataset=self.dataset.at(rows),
            method=self.method.at(rows),
            score=self.score[rows],
            run=None if self.run is None else self.run.at(rows),
        )

    def scored(self) -> Columns:
        """Take the rows that have a score."""
        missing = np.isnan(self.score)
        return self.at(~missing) if missing.any() else self

    def blocks(self, size: int) -> Iterator[Columns]:
        """Take the rows in blocks of at most a size."""
        for start in range(0, len(self.score), size):
            yield self.at(slice(start, start + size))


def as_frame(frame: Any) -> pd.DataFrame:
    """
    Take a frame of another library that exports the Arrow stream as one of pandas.

    Parameters
    ----------
    frame : DataFrame or object with ``__arrow_c_stream__``
        The latter of polars, pyarrow, duckdb, ibis and others.

    Returns
    -------
    DataFrame
        The frame itself if it is one of pandas.

    Raises
    ------
    ScoreTypeError
        If it is neither.
    MissingDependencyError
        If it is the latter and pyarrow is not there to read it.
    """
    if isinstance(frame, pd.DataFrame):
        return frame
    kind = type(frame).__name__
    if not hasattr(frame, "__arrow_c_stream__") or isinstance(frame, (pd.Series, type)):
        ways = [way for way in ("collect", "to_pandas", "df") if hasattr(frame, way)]
        made = f"its .{ways[0]}()" if ways else "pd.DataFrame(...)"
        raise ScoreTypeError(
            f"scores must be a pandas DataFrame, found {kind}: pass {made}"
        )
    try:
        pyarrow: Any = import_module("pyarrow")
    except ImportError as error:
        raise MissingDependencyError(
            f"to read scores from {kind}, a frame of another library, pyarrow is "
            'needed: pip install "beam_pandas[arrow]"'
        ) from error
    table: pd.DataFrame = pyarrow.table(frame).to_pandas()
    return table


def read_columns(frame: pd.DataFrame) -> Columns:
    """
    Read and check the columns method, dataset, score and, if there are, metric and run.

    Parameters
    ----------
    frame : DataFrame
        Long: a row for each score.

    Returns
    -------
    Columns
        Labels as codes in label order; scores as float64, NaN where missing.

    Raises
    ------
    BeamError
        If the frame is no frame of scores; the message says what is wrong with it.
    """
    check_names(frame)
    if not len(frame):
        raise BeamError("the frame holds no scores: it has 0 rows")
    metric = read_labels(frame["metric"]) if "metric" in frame.columns else None
    dataset, method = read_labels(frame["dataset"]), read_labels(frame["method"])
    score = read_numbers(frame["score"], "column 'score'")
    if np.isinf(score).any():
        raise _infinite_scores(score, method, dataset)
    metric_like = None if metric is not None else find_other_name(frame, "metric")
    run = read_labels(frame["run"]) if "run" in frame.columns else None
    run_like = None if run is not None else find_runs(frame)
    return Columns(metric, dataset, method, score, run, metric_like, run_like)


def read_numbers(column: pd.Series, what: str) -> NDArray[np.float64]:
    """
    Read a numeric column as float64, NaN where a value is missing.

    Narrower floats become the number that their shortest decimal form says, so that
    0.1 is 0.1 in every dtype.

    Raises
    ------
    ScoreTypeError
        If the column holds truth values, text or other objects.
    """
    dtype = column.dtype
    kind = getattr(dtype, "kind", "O")
    decimal = str(dtype).startswith("decimal")  # of arrow
    if not pd.api.types.is_numeric_dtype(dtype) or not (kind in "iuf" or decimal):
        raise _not_numeric(column, what)
    if isinstance(dtype, np.dtype):
        values = column.to_numpy()
    else:
        values = column.to_numpy(dtype=_numpy_dtype(dtype), na_value=np.nan)
    if values.dtype in (np.float32, np.float16):
        return shortest_decimals(values)
    with np.errstate(over="ignore"):  # what no float64 can hold is refused as infinite
        return values.astype(np.float64, copy=False)


def _numpy_dtype(dtype: object) -> np.dtype[np.floating]:
    inner = np.dtype(getattr(dtype, "numpy_dtype", np.float64))
    narrow = inner in (np.float32, np.float16)
    return inner if narrow else np.dtype(np.float64)


def _not_numeric(column: pd.Series, what: str) -> ScoreTypeError:
    """Build the error for a column that holds no numbers, with its first such value."""
    first = next((value for value in column if not _reads_as_number(value)), None)
    if first is None:
        first = next((value for value in column if isinstance(value, str)), None)
    example = "" if first is None else f" (first value that is no number: {shorten(first)})"
    kind = getattr(column.dtype, "kind", "O")
    if any(isinstance(value, str) for value in column):
        texts = [cell for cell in column if isinstance(cell, str)]
        mixed = len(texts) < int(column.notna().sum())  # .str loses what is no text
        way_out = _way_to_numbers(texts, first, mixed)
        if mixed:  # .astype(str) would make text of what is missing
            way_out = way_out.replace(", .str.", f", {_AS_TEXT}.str.")
    elif kind in "mMc":
        parts = {
            "m": ".dt.total_seconds()",
            "M": "a difference of times",
            "c": "its modulus",
        }
        way_out = f"write it as numbers, such as {parts[kind]}"
    elif first is not None and not np.isscalar(first) and not _is_decimal(first):
        way_out = (
            f"write one number in each row, for lists df.explode({column.name!r})"
            f".astype({{{column.name!r}: float}})"
        )
    else:
        way_out = "convert it with .astype(float)"
    if column.dtype == object and any(value is pd.NA for value in column):  # no float
        way_out = re.sub(
            r"(\.(?:map|str)\b.*?)\.astype\(float\)",
            rf"pd.to_numeric(df[{column.name!r}]\1)",
            way_out.replace("it with .astype(float)", "it with pd.to_numeric(...)"),
        )
    return ScoreTypeError(
        f"{what} must be numeric, found dtype {column.dtype}{example}: if it holds scores, "
        f"{way_out}"
    )


def _way_to_numbers(texts: list[str], first: object, mixed: bool) -> str:
    """
    Say how to make numbers of text.

    Advice is given that loses no score: text that holds a number beside other signs is for
    `parse_scores`, a comma that may part thousands is shown in both readings, and NaN is
    for words alone.
    """
    odd = [text.strip() for text in texts if not _reads_as_number(text)]
    digits = [text for text in odd if any(letter.isdigit() for letter in text)]
    if not odd:
        return "convert it with pd.to_numeric(...)"
    if not digits:
        return (
            f"write NaN for {shorten(first)} and the like, words that say no number, then "
            "convert it with pd.to_numeric(...); pd.to_numeric(..., errors='coerce') does "
            "both"
        )
    commas = [text for text in digits if "," in text]
    if (
        commas
        and all(_THOUSANDS.fullmatch(text) for text in commas)
        and all(_reads_as_number(text.replace(",", "")) for text in odd)
    ):
        return _both_readings(commas)
    if not any(text in _BLANK for text in odd):  # which no float is made of
        if all(_reads_as_number(text.replace(",", ".", 1)) for text in odd):
            return "write a point for the comma, .str.replace(',', '.').astype(float)"
        bare = [text for text in texts if _reads_as_number(text) and text.strip() != "nan"]
        if all(_reads_as_number(text.rstrip(" %")) for text in texts):
            if bare or mixed:  # not of one unit, which no code can tell
                return (
                    f"write all in percent or none, {shorten(digits[0])} stands beside "
                    "numbers without the sign"
                )
            return "write all in percent or none, .str.rstrip(' %').astype(float)"
    return (
        f"beam_pandas.parse_scores(df) reads text that holds numbers beside other signs, "
        f"such as {shorten(digits[0])}"
    )


_THOUSANDS: Final = re.compile(r"[-+]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?")
_AS_TEXT: Final = ".map(str, na_action='ignore')"
_BLANK: Final = frozenset({"", "-"})


def _both_readings(texts: list[str]) -> str:
    """Say that a comma may part thousands or decimals, and how to read it in either way."""
    sure = [text for text in texts if text.count(",") > 1 or "." in text]
    text = (sure or texts)[0]
    whole = f"{float(text.replace(',', '')):.10g}, .str.replace(',', '').astype(float)"
    if sure:
        return f"commas part thousands, {text!r} is {whole}"
    return (
        f"{text!r} may be {whole}, or {float(text.replace(',', '.')):.10g}, "
        ".str.replace(',', '.').astype(float): look which, or "
        "beam_pandas.parse_scores(df, decimal=...) with '.' or ','"
    )


def _is_decimal(value: object) -> bool:
    return isinstance(value, Decimal)


def _reads_as_number(value: Any) -> bool:
    """Tell whether a value is a number, is missing, or is text that says a plain number."""
    if isinstance(value, str):
        if "_" in value:  # which Python takes, and no table means
            return False
        try:
            float(value)
        except ValueError:
            return False
        return True
    return isinstance(value, Real) or (pd.api.types.is_scalar(value) and pd.isna(value))


def _infinite_scores(
    score: NDArray[np.float64], method: Labels, dataset: Labels
) -> BeamError:
    """Build the error that names the infinite scores."""
    rows = np.flatnonzero(np.isinf(score))
    cells = zip(
        method.names.take(method.codes[rows[:5]]),
        dataset.names.take(dataset.codes[rows[:5]]),
        score[rows[:5]],
        strict=True,
    )
    shown = ", ".join(f"{m!r} on {d!r} ({s})" for m, d, s in cells)
    more = f" and {len(rows) - 5} more" if len(rows) > 5 else ""
    return BeamError(
        f"scores must be finite, found {count(len(rows), 'infinite score')}: "
        f"{shown}{more}; write NaN where a run gave no score"
    )
