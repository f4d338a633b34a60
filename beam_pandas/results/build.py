"""The one place where results are built, and their columns without data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.extensions import ExtensionDtype

from beam_pandas._lazy import load, read_stub
from beam_pandas.errors import BeamError, check_option
from beam_pandas.labels import Picked, join_labels, take_or_missing
from beam_pandas.results.vocabulary import LABEL, SOME_LABEL, VOCABULARY, columns_of

_LARGE = 1_000_000  # rows from which a second copy of all columns is too much


def result_schema(
    name: str,
    *,
    metric: bool = True,
    labels: str | type | np.dtype[Any] | ExtensionDtype = "str",
) -> pd.DataFrame:
    """
    Empty frame with the columns and dtypes of a function's result.

    Parameters
    ----------
    name : str
        Name of a function that returns a tidy frame, such as ``"nemenyi"``.
    metric : bool, default True
        Whether to lead with the column `metric`, as the result does when the scores
        have that column and the function does not pool the metrics.
    labels : dtype, default "str"
        Dtype of the columns metric, method and dataset in the scores, of which those of
        the result take theirs: ``"string[pyarrow]"`` for what dask reads from text.

    Returns
    -------
    DataFrame
        No rows. Columns of labels (metric, method, dataset) have the dtype `labels`; that
        of a method that may be missing is its nullable form if it is one of numbers.

    Raises
    ------
    BeamError
        If no function of that name has a fixed set of columns, or if labels cannot have
        the dtype.

    See Also
    --------
    pairwise : a function whose result has one.
    to_matrix : a result of pairs as a square, which has none.

    Examples
    --------
    >>> import beam_pandas
    >>> list(beam_pandas.result_schema("cliques"))
    ['metric', 'groups', 'method', 'mean_rank', 'n_methods']
    >>> beam_pandas.result_schema("cliques", labels="int64")["method"].dtype
    dtype('int64')
    """
    columns = columns_of(load(name)) if name in read_stub() else ()
    if not columns:
        check_option("name", name, tidy_functions())
    label = pd.Index([], dtype=_label_dtype(labels))
    return pd.DataFrame(
        {
            column: _empty_column(VOCABULARY[column].dtype, label)
            for column in columns
            if metric or column != "metric"
        }
    )


def tidy_functions() -> list[str]:
    """Name the public functions whose result has a fixed set of columns."""
    public = [name for name, module in sorted(read_stub().items()) if "." in module]
    return [name for name in public if columns_of(load(name))]


def _label_dtype(dtype: object) -> Any:
    """Check that labels can have a dtype: one of text, numbers or categories."""
    try:
        found = None if dtype is None else pd.api.types.pandas_dtype(dtype)
    except (TypeError, ValueError):
        found = None
    if isinstance(found, np.dtype) and found.kind == "U":
        return "str"  # no column holds text of a fixed width
    if found is None or not (
        isinstance(found, pd.CategoricalDtype)
        or (pd.api.types.is_string_dtype(found) and found.kind != "S")
        or found.kind in "iuf"
    ):
        raise BeamError(
            f"labels must be a dtype of text, numbers or categories, got {dtype!r}"
        )
    return found


def _empty_column(kind: str, label: pd.Index) -> pd.Series:
    """Build a column without rows."""
    if kind == SOME_LABEL:
        label = take_or_missing(label, np.empty(0, dtype=np.intp))
    if kind in (LABEL, SOME_LABEL):
        return pd.Series(label.array, dtype=label.dtype)
    return pd.Series([], dtype=kind)


def build_result(
    function: Callable[..., Any],
    parts: Sequence[tuple[pd.Index | Picked | None, Mapping[str, Any]]],
) -> pd.DataFrame:
    """
    Stack the columns computed for each metric into the result of a function.

    Parameters
    ----------
    function : callable
        The function, which declares the columns and their order.
    parts : sequence of (metric, columns)
        The metric as an index of one label, or None where the scores have no such
        column; and for each declared column its values: an index of labels or an array,
        all of one length.

    Returns
    -------
    DataFrame
        With a RangeIndex.
    """
    columns: dict[str, Any] = {}
    if parts[0][0] is not None:
        columns["metric"] = join_labels(
            [
                metric.repeat(len(next(iter(values.values()))))
                for metric, values in parts
                if metric is not None
            ]
        )
    for column in columns_of(function):
        if column == "metric":
            continue
        kind = VOCABULARY[column].dtype
        pieces = [values[column] for _, values in parts]
        if kind in (LABEL, SOME_LABEL):
            columns[column] = join_labels(pieces)
        elif kind == "str":
            joined = [text for piece in pieces for text in piece]
            columns[column] = pd.Series(joined, dtype="str")
        else:
            whole = np.concatenate(pieces) if len(pieces) > 1 else np.asarray(pieces[0])
            columns[column] = whole.astype(kind, copy=False)
    if len(next(iter(columns.values()))) < _LARGE:
        return pd.DataFrame(columns)
    taken: dict[str, Any] = {}
    for column in list(columns):  # each its own, without a second copy of all
        values = columns.pop(column)
        taken[column] = _own(values, taken.values())
    return pd.DataFrame(taken, copy=False)


def _own(values: Any, others: Iterable[Any]) -> Any:
    """Copy an array that somebody else may hold too."""
    if not isinstance(values, np.ndarray):
        return values
    alone = values.flags.owndata and values.flags.writeable
    return (
        values if alone and all(values is not other for other in others) else values.copy()
    )
