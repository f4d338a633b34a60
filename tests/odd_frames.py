"""Hypothesis strategies for frames that are ill-shaped, or valid in an unusual way."""

from __future__ import annotations

import datetime as dt
import decimal
import fractions
import uuid
import warnings
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st


class Subclass(pd.DataFrame):
    """What other packages make of a frame."""

    @property
    def _constructor(self) -> type[Subclass]:
        return Subclass


# Values ------------------------------------------------------------------------------

TEXT = st.one_of(
    st.sampled_from(["A", "B", "C", "a", "A ", "", " ", "nan", "None", "1", "1.0", "été",
                     "e\u0301te\u0301", "A\u200b", "\x00", "line\nbreak", "x" * 300, "é" * 5,
                     "{0}", "%s", "$x$"]),
    st.text(max_size=3),
)  # fmt: skip
INTEGERS = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([2**63 - 1, -(2**63), 2**53 + 1, 2**64 - 1, 2**70, -(10**400)]),
)
FLOATS = st.one_of(
    st.sampled_from([0.0, -0.0, 0.5, 1.0, 70.0, 1e300, -1e300, 1e-300, 5e-324, 1.7e308,
                     0.1 + 0.2, 0.3]),
    st.floats(allow_nan=True, allow_infinity=True),
)  # fmt: skip
ABSENT = st.sampled_from([None, np.nan, pd.NA, pd.NaT, np.datetime64("NaT")])
ODD = st.sampled_from(
    [True, False, np.bool_(True), np.int8(1), np.float32(0.1), np.float16(0.1), 1j,
     np.complex64(1), decimal.Decimal("0.5"), decimal.Decimal("NaN"),
     fractions.Fraction(1, 3), b"A", ("A", 1), (), ("A",), ["A"], {"a": 1}, {"a"},
     frozenset("a"), object, len, dt.date(2020, 1, 1), dt.datetime(2020, 1, 1),
     dt.timedelta(1), pd.Timestamp("2020", tz="UTC"), pd.Timedelta(1), pd.Period("2020"),
     pd.Interval(0, 1), np.array([1.0]), pd.Series([1]), uuid.UUID(int=0), slice(1),
     ..., np.str_("A"), np.longdouble("1e400")]
)  # fmt: skip


def _column(elements: st.SearchStrategy[Any], n: int) -> st.SearchStrategy[list[Any]]:
    return st.lists(elements, min_size=n, max_size=n)


def _objects(values: list[Any]) -> pd.Series:
    array = np.empty(len(values), dtype=object)
    for at, value in enumerate(values):
        array[at] = value
    return pd.Series(array, dtype=object)


_TEXT_DTYPES = (
    "object",
    "str",
    "string",
    "string[pyarrow]",
    "category",
    "large",
    "ordered",
)
_ARROW_TYPES = (
    "dictionary",
    "binary",
    "null",
    "list",
    "struct",
    "date",
    "time",
    "duration",
)
_NUMBER_DTYPES = (
    "float64", "float32", "float16", "Float64", "Float32", "double[pyarrow]", "object",
    "float[pyarrow]", "category", "Sparse[float64]", "longdouble", "complex128",
)  # fmt: skip
_INTEGER_DTYPES = (
    "int64", "int8", "uint8", "Int64", "UInt8", "int64[pyarrow]", "uint64[pyarrow]", "bool",
    "boolean", "bool[pyarrow]", "category", "Sparse[int64]", "datetime64[ns]",
    "timedelta64[ns]", "period[D]", "decimal",
)  # fmt: skip


def _arrow_type(name: str) -> pd.ArrowDtype:
    import pyarrow as pa

    return pd.ArrowDtype(
        {
            "dictionary": pa.dictionary(pa.int8(), pa.string()),
            "binary": pa.binary(),
            "null": pa.null(),
            "list": pa.list_(pa.string()),
            "struct": pa.struct([("a", pa.string())]),
            "date": pa.date32(),
            "time": pa.time64("us"),
            "duration": pa.duration("s"),
        }[name]
    )


def _arrow_values(values: list[Any], name: str) -> pd.Series:
    """Make a column of an arrow dtype that holds something of each value."""
    wrapped = {"list": lambda v: [str(v)], "struct": lambda v: {"a": str(v)},
               "date": lambda v: dt.date(2020, 1, 1 + len(str(v)) % 9),
               "time": lambda v: dt.time(len(str(v)) % 9),
               "duration": lambda v: dt.timedelta(len(str(v)) % 9),
               "null": lambda v: None, "binary": lambda v: str(v).encode("utf-8", "replace"),
               "dictionary": str}  # fmt: skip
    made = [
        None if pd.api.types.is_scalar(v) and pd.isna(v) else wrapped[name](v)
        for v in values
    ]
    return pd.Series(made, dtype=_arrow_type(name))


def _cast(values: list[Any], dtype: str) -> pd.Series:
    """Make a column of a dtype, or of objects where the dtype cannot hold the values."""
    column = _objects(values)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # what pandas says of the making is no matter
            return _try_cast(column, dtype)
    except (TypeError, ValueError, OverflowError, ArithmeticError, NotImplementedError):
        return column


def _try_cast(column: pd.Series, dtype: str) -> pd.Series:
    import pyarrow

    if dtype == "ordered":
        order = sorted({value for value in column if isinstance(value, str)}, reverse=True)
        return column.astype(pd.CategoricalDtype(["unused", *order], ordered=True))
    if dtype == "large":
        return column.astype(pd.ArrowDtype(pyarrow.large_string()))
    if dtype in _ARROW_TYPES:
        return _arrow_values(list(column), dtype)
    if dtype == "decimal":
        return column.astype(pd.ArrowDtype(pyarrow.decimal128(38, 3)))
    return column.astype(dtype)


@st.composite
def labels(draw: st.DrawFn, n: int) -> pd.Series:
    """A column meant for labels: mostly text, of any dtype, with what goes wrong."""
    plain = st.sampled_from(["A", "B", "C", "D"])
    kind = draw(
        st.sampled_from(["plain"] * 6 + ["text", "number", "absent", "odd", "float"])
    )
    if kind == "plain":
        return _cast(draw(_column(plain, n)), draw(st.sampled_from(_TEXT_DTYPES)))
    if kind == "text":
        return _cast(draw(_column(TEXT, n)), draw(st.sampled_from(_TEXT_DTYPES)))
    if kind == "number":
        small = draw(_column(st.integers(0, 3), n))
        return _cast(small, draw(st.sampled_from(_INTEGER_DTYPES + _NUMBER_DTYPES)))
    if kind == "float":
        return _cast(draw(_column(FLOATS, n)), draw(st.sampled_from(_NUMBER_DTYPES)))
    if kind == "absent":
        some = draw(_column(st.one_of(plain, plain, ABSENT), n))
        return _cast(some, draw(st.sampled_from(_TEXT_DTYPES)))
    mixed = st.one_of(ODD, plain, INTEGERS)
    same = draw(st.booleans())
    values = [draw(ODD)] * n if same else draw(_column(mixed, n))
    return _cast(values, draw(st.sampled_from(["object", "category", *_ARROW_TYPES])))


@st.composite
def numbers(draw: st.DrawFn, n: int) -> pd.Series:
    """A column meant for scores: mostly numbers, of any dtype, with what goes wrong."""
    share = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
    kind = draw(
        st.sampled_from(["share"] * 5 + ["float", "integer", "absent", "odd", "text"])
    )
    if kind == "share":
        return _cast(draw(_column(share, n)), draw(st.sampled_from(_NUMBER_DTYPES)))
    if kind == "float":
        return _cast(draw(_column(FLOATS, n)), draw(st.sampled_from(_NUMBER_DTYPES)))
    if kind == "integer":
        return _cast(draw(_column(INTEGERS, n)), draw(st.sampled_from(_INTEGER_DTYPES)))
    if kind == "absent":
        some = draw(_column(st.one_of(share, share, ABSENT), n))
        return _cast(some, draw(st.sampled_from(_NUMBER_DTYPES)))
    if kind == "text":
        written = st.sampled_from(["0.5", "70%", "n/a", "", "1,5"])
        return _cast(draw(_column(written, n)), draw(st.sampled_from(_TEXT_DTYPES)))
    values = draw(_column(st.one_of(ODD, share, INTEGERS), n))
    return _cast(values, draw(st.sampled_from(["object", *_ARROW_TYPES])))


# Frames ------------------------------------------------------------------------------

_NAMES = ["method", "dataset", "metric", "score"]
_EXTRAS = ["beam", "run", "Model", "task", "measure", "value", "Method", " score", 0, None,
           np.nan, ("method", "x"), pd.Timestamp("2020"), "index", "groups", b"method"]  # fmt: skip
_METRIC_NAMES = ["accuracy", "log_loss", "elo", "Accuracy", "zeal", "loss"]


@st.composite
def odd_frames(draw: st.DrawFn) -> pd.DataFrame:
    """Frames of up to 12 rows: columns of any kind, number and name, any index."""
    shape = draw(st.sampled_from(["grid"] * 4 + ["any"] * 4 + ["empty"]))
    n = {"grid": 6, "any": draw(st.integers(1, 12)), "empty": 0}[shape]
    columns: list[tuple[Any, pd.Series]] = []
    odd = draw(st.sets(st.sampled_from(_NAMES), max_size=2))
    for name in _NAMES:
        if name == "metric" and draw(st.booleans()):
            continue
        columns.append((name, draw(_usual_or_odd(name, n, name in odd))))
    if draw(st.integers(0, 4)) == 0:
        columns.pop(draw(st.integers(0, len(columns) - 1)))
    extras = draw(st.lists(st.sampled_from(_EXTRAS), max_size=2))
    columns += [(name, draw(st.one_of(labels(n), numbers(n)))) for name in extras]
    if columns and draw(st.integers(0, 9)) == 0:
        columns.append(draw(st.sampled_from(columns)))
    columns = list(draw(st.permutations(columns)))
    frame = (
        pd.concat([c for _, c in columns], axis=1)
        if columns
        else pd.DataFrame(index=range(n))
    )
    frame.columns = _column_index(draw, [name for name, _ in columns])
    return _odd_rows(draw, frame)


@st.composite
def _usual_or_odd(draw: st.DrawFn, name: str, n: int, odd: bool) -> pd.Series:
    if odd:
        return draw(numbers(n) if name == "score" else labels(n))
    if name == "score":
        values = draw(
            _column(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, np.nan, 70.0]), n)
        )
        return pd.Series(values, dtype="float64")
    if name == "metric":
        some = draw(st.lists(st.sampled_from(_METRIC_NAMES), min_size=1, max_size=2))
        return pd.Series([some[at % len(some)] for at in range(n)], dtype=object)
    if name == "method":
        return pd.Series([f"{'ABC'[at % 3]}" for at in range(n)], dtype="str")
    return pd.Series([f"d{at // 3}" for at in range(n)], dtype="str")


def _column_index(draw: st.DrawFn, names: list[Any]) -> pd.Index:
    kind = draw(st.sampled_from(["plain"] * 8 + ["levels", "category", "named", "numbers"]))
    if kind == "levels" and names:
        return pd.MultiIndex.from_tuples([(str(name), "") for name in names])
    if kind == "category" and len(set(map(repr, names))) == len(names):
        return pd.CategoricalIndex(pd.Series(names, dtype=object).astype(str))
    if kind == "numbers":
        return pd.RangeIndex(len(names))
    index = pd.Index(names, dtype=object, tupleize_cols=False)
    return index.rename("method") if kind == "named" else index


def _odd_rows(draw: st.DrawFn, frame: pd.DataFrame) -> pd.DataFrame:
    n = len(frame)
    kind = draw(
        st.sampled_from(["plain"] * 4 + ["same", "levels", "time", "name", "absent"])
    )
    if kind == "same":
        frame.index = pd.Index([0] * n, name="dataset")
    elif kind == "levels":
        frame.index = pd.MultiIndex.from_product(
            [["x"], range(n)], names=["method", "method"]
        )
    elif kind == "time":
        frame.index = pd.date_range("2020", periods=n)
    elif kind == "name":
        frame.index.name = ("method", 1)
    elif kind == "absent":
        frame.index = pd.Index([np.nan] * n)
    how = draw(st.sampled_from(["plain"] * 4 + ["view", "step", "subclass", "flags"]))
    if how == "view":
        return frame.iloc[: draw(st.integers(0, n))]
    if how == "step":
        return frame.iloc[::-1]
    if how == "subclass":
        return Subclass(frame)
    if how == "flags" and frame.index.is_unique and frame.columns.is_unique:
        return frame.set_flags(allows_duplicate_labels=False)
    return frame


NO_FRAMES = st.sampled_from(
    [None, 1, "scores.csv", [], {}, pd.Series([1.0]), np.zeros((2, 3)), pd.Index(["a"]),
     pd.DataFrame, pd.DataFrame({"method": ["A"]}).groupby("method"), object()]
)  # fmt: skip

# Options -----------------------------------------------------------------------------

ODD_OPTIONS: dict[str, list[Any]] = {
    "rope": [0, 0.1, -0.1, np.nan, np.inf, None, "noise_floor", "wide", True, [0.1], {},
             {"accuracy": 0.1}, {"accuracy": "x"}, {1: 2}, 1e308, np.float32(0.1), 1j,
             pd.NA, decimal.Decimal("0.1"), np.array(0.1), np.array([0.1, 0.2]), 10**400],
    "alpha": [0.05, 0.5, 0, 1, -1, 2, np.nan, None, "0.05", True, [0.05], 1e-300, pd.NA],
    "adjust": ["holm", "none", "bonferroni", "hochberg", "hommel", "fdr_bh", "holmm", None, 1, ["holm"]],
    "higher_is_better": [True, False, None, {"accuracy": True}, {"zeal": False}, {}, 1, "yes",
                         {"accuracy": 1}, {1: True}, np.True_, pd.NA, [True],
                         pd.Series({"accuracy": True})],
    "aggregate": [None, "mean", "median", "max", 1, np.mean, ["mean"], True],
    "missing": ["raise", "drop_datasets", "drop_methods", "drop", None, 1, ["raise"]],
    "tie_correction": [True, False, None, "yes", 1, 0, np.True_],
    "relation": ["better", "equal", "worse", "worse_or_equal", "better_or_equal", ">", None, 1],
    "kind": ["frequency", "posterior", "other", None],
    "prior": ["rope", "uniform", "neutral", "flat", None, 1],
    "prior_strength": [1.0, 0, 0.5, -1, np.nan, np.inf, "1", None, 1e9, 1e10, True],
    "threshold": [0.95, 0.5, 0.1, 1.0, 0, -1, np.nan, None, "0.95"],
    "control": ["A", "B", "Z", None, 1, np.nan, ["A"], ("A", 1), pd.NA, True, {"A": 1}],
    "min_methods": [3, 2, 1, 0, -1, 2.5, None, "3", True, 10**30, np.int64(3)],
}  # fmt: skip
