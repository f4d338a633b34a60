"""Columns of the caller's frame, checked and turned into arrays, for the gate."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from numbers import Real
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.extensions import ExtensionDtype

from beam_pandas.column_names import check_names, find_other_name
from beam_pandas.errors import (
    BeamError,
    ScoreTypeError,
    count,
    is_number,
)
from beam_pandas.kernels.decimals import shortest_decimals

_NO_INDEX: Final = ("float16", "float96", "float128", "dictionary")  # the last of arrow


class Labels(NamedTuple):
    """A label column: a code for each row; the names of the codes, in label order."""

    codes: NDArray[np.integer]
    names: pd.Index

    def at(self, rows: NDArray[np.bool_] | slice) -> Labels:
        """Take some rows."""
        return Labels(self.codes[rows], self.names)


class Columns(NamedTuple):
    """The columns of a frame of scores; `metric` is None where it has none."""

    metric: Labels | None
    dataset: Labels
    method: Labels
    score: NDArray[np.float64]
    metric_like: str | None  # another column that may name the metric

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
        )

    def scored(self) -> Columns:
        """Take the rows that have a score."""
        missing = np.isnan(self.score)
        return self.at(~missing) if missing.any() else self

    def blocks(self, size: int) -> Iterator[Columns]:
        """Take the rows in blocks of at most a size."""
        for start in range(0, len(self.score), size):
            yield self.at(slice(start, start + size))


def read_columns(frame: pd.DataFrame) -> Columns:
    """
    Read and check the columns method, dataset, score and, if there is one, metric.

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
    if not isinstance(frame, pd.DataFrame):
        made = "its .to_pandas()" if hasattr(frame, "to_pandas") else "pd.DataFrame(...)"
        raise ScoreTypeError(
            f"scores must be a pandas DataFrame, found {type(frame).__name__}: pass {made}"
        )
    check_names(frame)
    if not len(frame):
        raise BeamError("the frame holds no scores: it has 0 rows")
    metric = read_labels(frame["metric"]) if "metric" in frame.columns else None
    dataset, method = read_labels(frame["dataset"]), read_labels(frame["method"])
    score = read_numbers(frame["score"], "column 'score'")
    if np.isinf(score).any():
        raise _infinite_scores(score, method, dataset)
    metric_like = None if metric is not None else find_other_name(frame, "metric")
    return Columns(metric, dataset, method, score, metric_like)


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


def read_labels(column: pd.Series) -> Labels:
    """Give the labels that occur numbers, in category order, else in sorted order."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        categories = column.cat.categories
        codes = column.cat.codes.to_numpy()
        _check_present(codes, column)
        used = np.bincount(codes, minlength=len(categories)) > 0
        _check_labels(categories[used], column.name)
        kept = pd.CategoricalIndex(categories, dtype=column.dtype)[used]
        return Labels(_narrow(np.cumsum(used) - 1)[codes], kept)
    codes, names = _factorize(column)
    order = np.asarray(names.argsort())
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    return Labels(_narrow(position)[codes], names.take(order))


def _factorize(column: pd.Series) -> tuple[NDArray[np.integer], pd.Index]:
    """Give the labels that occur numbers, in the order of their first row."""
    name, dtype = column.name, column.dtype
    if str(dtype).startswith(_NO_INDEX):
        raise BeamError(
            f"labels in column {name!r} are of dtype {dtype}, which no index of pandas can "
            f"hold and sort: df.assign({name}=df[{name!r}].map(str))"
        )
    values: pd.Series | NDArray[np.float64] = column
    if (
        isinstance(dtype, ExtensionDtype) and dtype.kind == "f"
    ):  # -0.0 is 0.0, NaN is missing
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    try:
        codes, distinct = pd.factorize(values)
    except (TypeError, NotImplementedError):  # labels that do not hash, such as lists
        raise _odd_labels(column, name) from None
    _check_present(codes, column)
    names = pd.Index(distinct, dtype=dtype, tupleize_cols=False)
    _check_labels(names, name)
    return codes, names


def _narrow(codes: NDArray[np.int64]) -> NDArray[np.integer]:
    """Hold codes in few bytes: there is one for each row of the frame."""
    return codes.astype(np.min_scalar_type(len(codes)))


def _check_present(codes: NDArray[np.integer], column: pd.Series) -> None:
    if codes.min() < 0:
        absent = int((codes < 0).sum())
        verb = "has" if absent == 1 else "have"
        raise BeamError(
            f"every row needs a {column.name}, {count(absent, 'row')} of {len(codes):,} "
            f"{verb} none: fill the column or drop them with "
            f"df.dropna(subset=[{column.name!r}])"
        )


def _check_labels(names: pd.Index, column: Hashable) -> None:
    """Refuse labels that are neither all text nor all numbers."""
    if names.dtype != object and names.dtype.kind in "iuf":
        return
    if names.dtype != object and pd.api.types.is_string_dtype(names.dtype):
        return
    if all(isinstance(label, str) for label in names):
        return
    if all(is_number(label) for label in names):
        return
    raise _odd_labels(names, column)


def _odd_labels(labels: Iterable[Hashable], column: Hashable) -> BeamError:
    """Build the error for labels that are no text and no numbers, with one of each."""
    kinds: dict[str, Hashable] = {}
    for label in labels:
        kinds.setdefault(type(label).__name__, label)
    found = ", ".join(f"{kind} ({label!r})" for kind, label in kinds.items())
    return BeamError(
        f"labels in column {column!r} must be all text or all numbers, found {found}: "
        f"df.assign({column}=df[{column!r}].map(str))"
    )


def _not_numeric(column: pd.Series, what: str) -> ScoreTypeError:
    """Build the error for a column that holds no numbers, with its first such value."""
    first = next((value for value in column if not _reads_as_number(value)), None)
    if first is None:
        first = next((value for value in column if isinstance(value, str)), None)
    example = "" if first is None else f" (first value that is no number: {first!r})"
    kind = getattr(column.dtype, "kind", "O")
    if any(isinstance(value, str) for value in column):
        way_out = _way_to_numbers(first)
    elif kind in "mMc":
        parts = {
            "m": ".dt.total_seconds()",
            "M": "a difference of times",
            "c": "its modulus",
        }
        way_out = f"write it as numbers, such as {parts[kind]}"
    else:
        way_out = "convert it with .astype(float)"
    return ScoreTypeError(
        f"{what} must be numeric, found dtype {column.dtype}{example}: if it holds scores, "
        f"{way_out}"
    )


def _way_to_numbers(value: object) -> str:
    """Say how to make numbers of text, from the first value that is none."""
    text = str(value).strip()
    if _reads_as_number(text):
        return "convert it with pd.to_numeric(...)"
    if _reads_as_number(text.replace(",", ".", 1)):
        return "write a point for the comma, .str.replace(',', '.').astype(float)"
    if _reads_as_number(text.rstrip(" %")):
        return "write all in percent or none, .str.rstrip(' %').astype(float)"
    return f"write NaN for {value!r} and the like, then convert it with pd.to_numeric(...)"


def _reads_as_number(value: Any) -> bool:
    """Tell whether a value is a number, is missing, or is text that says a number."""
    if isinstance(value, str):
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
