"""Columns and dtypes of every result, and the one place where results are built."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from pandas.api.extensions import ExtensionDtype

from beam_pandas.errors import BeamError, check_option
from beam_pandas.labels import join_labels, take_or_missing

_LABEL: Final = "label"  # keeps the dtype it has in the caller's frame
_SOME_LABEL: Final = "label or none"  # so does this, as the nullable dtype of whole numbers

_PAIR: Final = {
    "method_1": _LABEL,
    "method_2": _LABEL,
    "n_datasets": "int64",
    "wins": "int64",
    "ties": "int64",
    "losses": "int64",
}

_COLUMNS: Final[dict[str, dict[str, str]]] = {
    "coverage": {
        "method": _LABEL,
        "n_scores": "int64",
        "n_missing": "int64",
        "share_missing": "float64",
        "n_runs_min": "int64",
        "n_runs_max": "int64",
    },
    "missing_scores": {
        "method": _LABEL,
        "dataset": _LABEL,
    },
    "skillings_mack": {
        "n_methods": "int64",
        "n_datasets": "int64",
        "n_components": "int64",
        "statistic": "float64",
        "df": "int64",
        "p_value": "float64",
    },
    "adjusted_rank_sums": {
        "method": _LABEL,
        "n_datasets": "int64",
        "adjusted_rank_sum": "float64",
    },
    "dataset_discrimination": {
        "dataset": _LABEL,
        "spread": "float64",
        "spread_rank": "float64",
        "kendall_w": "float64",
        "p_value": "float64",
        "significant": "bool",
        "n_methods": "int64",
        "n_metrics": "int64",
    },
    "pooled_scores": {
        "dataset": _LABEL,
        "method": _LABEL,
        "pooled_score": "float64",
    },
    "dataset_concordance": {
        "dataset_1": _LABEL,
        "dataset_2": _LABEL,
        "n_methods": "int64",
        "kendall_tau": "float64",
    },
    "ranks": {
        "dataset": _LABEL,
        "method": _LABEL,
        "score": "float64",
        "score_rank": "float64",
    },
    "friedman": {
        "n_methods": "int64",
        "n_datasets": "int64",
        "statistic": "float64",
        "df": "int64",
        "p_value": "float64",
        "kendall_w": "float64",
        "f_statistic": "float64",
        "f_df_1": "int64",
        "f_df_2": "int64",
        "f_p_value": "float64",
    },
    "critical_difference": {
        "method": _LABEL,
        "n_datasets": "int64",
        "mean_rank": "float64",
        "groups": "str",
        "critical_difference": "float64",
        "friedman_statistic": "float64",
        "friedman_p_value": "float64",
    },
    "cliques": {
        "clique": "int64",
        "method": _LABEL,
        "mean_rank": "float64",
        "n_methods": "int64",
    },
    "nemenyi": {
        "method_1": _LABEL,
        "method_2": _LABEL,
        "n_datasets": "int64",
        "rank_diff": "float64",
        "critical_difference": "float64",
        "p_value": "float64",
        "significant": "bool",
    },
    "compare_to_control": {
        "control": _LABEL,
        "method": _LABEL,
        "n_datasets": "int64",
        "rank_diff": "float64",
        "critical_difference": "float64",
        "statistic": "float64",
        "p_value": "float64",
        "p_adjusted": "float64",
        "significant": "bool",
    },
    "pairwise": {
        **_PAIR,
        "prob_superior": "float64",
        "prob_equivalent": "float64",
        "prob_inferior": "float64",
        "mean_diff": "float64",
        "rope": "float64",
        "p_value": "float64",
        "p_adjusted": "float64",
        "significant": "bool",
    },
    "standing": {
        "method": _LABEL,
        "n_opponents": "int64",
        "standing": "float64",
        "standing_rank": "float64",
    },
    "bayesian_sign": {
        **_PAIR,
        "rope": "float64",
        "p_method_1": "float64",
        "p_equivalent": "float64",
        "p_method_2": "float64",
        "mean_method_1": "float64",
        "mean_equivalent": "float64",
        "mean_method_2": "float64",
        "decision": "str",
    },
    "transitivity": {
        "n_methods": "int64",
        "n_tied_pairs": "int64",
        "n_triads": "int64",
        "n_circular_triads": "int64",
        "coefficient_of_consistence": "float64",
        "is_transitive": "bool",
        "has_cycle": "bool",
        "has_consistent_order": "bool",
        "condorcet_method": _SOME_LABEL,
    },
    "majority": {
        "method": _LABEL,
        "n_beaten": "int64",
        "n_tied": "int64",
        "n_beaten_by": "int64",
        "n_not_compared": "int64",
        "copeland_score": "float64",
        "in_smith_set": "bool",
        "order_rank": "float64",
    },
    "circular_triads": {
        "method_1": _LABEL,
        "method_2": _LABEL,
        "method_3": _LABEL,
    },
}


_ACROSS_METRICS: Final = frozenset({"dataset_discrimination", "pooled_scores"})


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

    Examples
    --------
    >>> import beam_pandas
    >>> list(beam_pandas.result_schema("cliques"))
    ['metric', 'clique', 'method', 'mean_rank', 'n_methods']
    >>> beam_pandas.result_schema("cliques", labels="int64")["method"].dtype
    dtype('int64')
    """
    check_option("name", name, list(_COLUMNS))
    label = pd.Index([], dtype=_label_dtype(labels))
    columns = {"metric": _LABEL} if metric and name not in _ACROSS_METRICS else {}
    columns = columns | _COLUMNS[name]
    return pd.DataFrame(
        {column: _empty_column(kind, label) for column, kind in columns.items()}
    )


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
    if kind == _SOME_LABEL:
        label = take_or_missing(label, np.empty(0, dtype=np.intp))
    if kind in (_LABEL, _SOME_LABEL):
        return pd.Series(label.array, dtype=label.dtype)
    return pd.Series([], dtype=kind)


def build_result(
    name: str, parts: Sequence[tuple[pd.Index | None, Mapping[str, Any]]]
) -> pd.DataFrame:
    """
    Stack the columns computed for each metric into the result of a function.

    Parameters
    ----------
    name : str
        Name of the function, which fixes columns, their order and dtypes.
    parts : sequence of (metric, columns)
        The metric as an index of one label, or None where the scores have no such
        column; and for each column of the schema its values: an index of labels or an
        array, all of one length.

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
    for column, kind in _COLUMNS[name].items():
        pieces = [values[column] for _, values in parts]
        if kind in (_LABEL, _SOME_LABEL):
            columns[column] = join_labels(pieces)
        elif kind == "str":
            joined = [text for piece in pieces for text in piece]
            columns[column] = pd.Series(joined, dtype="str")
        else:
            columns[column] = np.concatenate(pieces).astype(kind, copy=False)
    return pd.DataFrame(columns)


def is_pair_column(name: Hashable, first: str) -> bool:
    """Tell whether a result with the column `first` has a column of that name too."""
    return any(name in columns for columns in _COLUMNS.values() if first in columns)
