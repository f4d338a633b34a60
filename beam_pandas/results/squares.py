"""Results of pairs as squares: method in the row against method in the column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError
from beam_pandas.labels import join_labels, read_labels

# How a pair column reads with its two methods in the other order.
_SYMMETRIC: Final = frozenset(
    {
        "critical_difference",
        "kendall_tau",
        "mean_equivalent",
        "n_datasets",
        "n_methods",
        "p_adjusted",
        "p_equivalent",
        "p_value",
        "prob_equivalent",
        "rope",
        "significant",
        "ties",
    }
)
_SIGN_CHANGED: Final = frozenset({"mean_diff", "rank_diff"})
_TURNED: Final = {
    "wins": "losses",
    "prob_superior": "prob_inferior",
    "p_method_1": "p_method_2",
    "mean_method_1": "mean_method_2",
}
_SWAPPED: Final = _TURNED | {second: first for first, second in _TURNED.items()}


def mirrored(pairs: pd.DataFrame, column: str) -> tuple[pd.Series, pd.Series]:
    """
    Give a pair column as it stands and as it reads with the methods swapped.

    Raises
    ------
    BeamError
        If the column has no such reading.
    """
    known = _SYMMETRIC | _SIGN_CHANGED | set(_SWAPPED)
    offered = [
        name
        for name in pairs.columns
        if name in known and _SWAPPED.get(name, name) in pairs.columns
    ]
    if not isinstance(column, str) or column not in offered:
        raise BeamError(f"values must be one of {offered}, got {column!r}")
    if offered.count(column) > 1:
        raise BeamError(f"column {column!r} is needed once, found several of that name")
    if column in _SIGN_CHANGED:
        return pairs[column], 0.0 - pairs[column]
    return pairs[column], pairs[_SWAPPED.get(column, column)]


def build_square(
    squares: Sequence[tuple[pd.Index | None, pd.Index, NDArray[np.int64]]],
) -> pd.DataFrame:
    """
    Put counts of all ordered pairs into a frame.

    Parameters
    ----------
    squares : sequence of (metric, methods, counts)
        The metric as an index of one label, or None; the methods in label order; their
        counts, row against column.

    Returns
    -------
    DataFrame
        int64; several metrics lead the rows, and a method that one of them has not
        counts 0 there.
    """
    names = [methods for _, methods, _ in squares]
    labels = read_labels(join_labels(names).rename("method"))
    columns = labels.names.rename("method")
    ends = np.cumsum([len(methods) for methods in names])
    rows = np.zeros((ends[-1], len(columns)), dtype=np.int64)
    for (_, _, counts), end in zip(squares, ends.tolist(), strict=True):
        start = end - len(counts)
        rows[start:end, labels.codes[start:end]] = counts
    if len(squares) == 1:
        return pd.DataFrame(rows, index=columns, columns=columns)
    metrics = [
        metric.repeat(len(methods)) for metric, methods, _ in squares if metric is not None
    ]
    index = pd.MultiIndex.from_arrays(
        [join_labels(metrics), join_labels(names)],
        names=["metric", "method"],
    )
    return pd.DataFrame(rows, index=index, columns=columns)
