"""Groups that all hold the same methods and datasets, analysed in one call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.typing import DataFrameGroupBy

from beam_pandas.errors import BeamError, Doubted, doubts_raised
from beam_pandas.gate.column_names import find_other_name
from beam_pandas.results.vocabulary import columns_of

_FEWEST: Final = 16  # groups that are worth it
_PLAIN: Final = (bool, int, float, str, type(None))


def analyse_at_once(
    frame: pd.DataFrame,
    grouped: DataFrameGroupBy[Any, Any],
    function: Callable[..., pd.DataFrame],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
) -> tuple[pd.DataFrame, NDArray[np.int64]] | None:
    """
    Analyse many groups as if each were a metric, where that is the same.

    It is the same for a function that looks at each metric by itself, on a frame of one
    metric without a name, if each group has all methods and datasets and nothing is to be
    said: what is doubted or refused is said group by group, by whoever goes through them.

    Parameters
    ----------
    frame : DataFrame
        Scores, without the columns that the user left out.
    grouped : DataFrameGroupBy
        Its groups, sorted.
    function, args, kwargs
        What is called, and with what.

    Returns
    -------
    result : DataFrame
        Of all groups in their order, without the column `metric`.
    n_rows : ndarray of int64, shape (n_groups,)
        Number of its rows for each group.
    None
        Instead of both where groups must be looked at one by one.
    """
    if not _is_of_each_metric(function, (*args, *kwargs.values())):
        return None
    if grouped.ngroups < _FEWEST or not _has_plain_columns(frame):
        return None
    number = grouped.ngroup().fillna(-1).to_numpy()
    keyed = number >= 0
    group = number[keyed].astype(np.int64)
    frame = frame if keyed.all() else frame[keyed]
    if not all(
        _is_whole(frame[name], group, grouped.ngroups) for name in ("method", "dataset")
    ):
        return None
    try:
        with doubts_raised():
            result = function(frame.assign(metric=group), *args, **kwargs)
    except (BeamError, Doubted):
        return None
    n_rows = np.bincount(result["metric"].to_numpy(), minlength=grouped.ngroups)
    return result.drop(columns="metric"), n_rows


def _is_of_each_metric(
    function: Callable[..., pd.DataFrame], arguments: Sequence[Any]
) -> bool:
    """Tell whether metrics make no difference to each other, by what is declared."""
    if "metric" not in columns_of(function):
        return False
    if "errors" not in inspect.signature(function).parameters:
        return False
    return all(isinstance(value, _PLAIN) for value in arguments)


def _has_plain_columns(frame: pd.DataFrame) -> bool:
    """Tell whether a frame has the columns needed and none that names the metric."""
    if isinstance(frame.columns, pd.MultiIndex) or not frame.columns.is_unique:
        return False
    if "metric" in frame.columns or not {"method", "dataset", "score"} <= {*frame.columns}:
        return False
    return find_other_name(frame, "metric") is None


def _is_whole(labels: pd.Series, group: NDArray[np.int64], n_groups: int) -> bool:
    """Tell whether each label that occurs occurs in each group."""
    try:
        codes, distinct = pd.factorize(labels)
    except (TypeError, NotImplementedError):  # refused by whoever reads them
        return False
    if not len(codes) or codes.min() < 0:
        return False
    seen = np.zeros((n_groups, len(distinct)), dtype=bool)
    seen[group, codes] = True
    return bool(seen.all())
