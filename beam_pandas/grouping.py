"""A function of a frame, applied to each group of a groupby."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.typing import DataFrameGroupBy


def apply_to_groups(
    grouped: DataFrameGroupBy[Any, Any],
    function: Callable[..., pd.DataFrame],
    *args: Any,
    **kwargs: Any,
) -> pd.DataFrame:
    """
    Stack the results of a function on each group, sorted by the keys of the groups.

    Grouping by the column `metric` is left to the function, which treats each metric on
    its own anyway, so that both ways give the same. `as_index`, `sort`, `observed` and
    `group_keys` of the groupby make no difference.

    Parameters
    ----------
    grouped : DataFrameGroupBy[Any, Any]
        The groups.
    function : callable
        Takes a frame of scores first.
    *args, **kwargs
        Passed on. Of a mapping by metric, a group sees the metrics that it has.

    Returns
    -------
    DataFrame
        The keys lead as columns, but for those that the result has already. If the
        function labels its rows by an index, the keys lead as levels of it.
    """
    frame: Any = grouped.obj
    keys = grouped.keys if isinstance(grouped.keys, list) else [grouped.keys]
    others = [key for key in keys if not (isinstance(key, str) and key == "metric")]
    if not others or frame.empty:
        return function(frame, *args, **kwargs)
    regrouped = frame.groupby(
        by=None if grouped.keys is None else others,
        level=grouped.level,
        sort=True,
        observed=True,
        dropna=grouped.dropna,
    )
    names, levels = _levels(regrouped)
    results, labels = [], []
    for label, part in _parts(regrouped, len(names)):
        named = {key: _of_part(value, part, frame) for key, value in kwargs.items()}
        results.append(function(part, *[_of_part(v, part, frame) for v in args], **named))
        labels.append(label)
    keyed = pd.MultiIndex.from_arrays(
        [
            pd.Index(list(column)).astype(level)
            for column, level in zip(zip(*labels, strict=True), levels, strict=True)
        ],
        names=names,
    )
    return _stack(results, keyed)


def _levels(regrouped: DataFrameGroupBy[Any, Any]) -> tuple[list[Hashable], list[Any]]:
    """Names and dtypes of the keys; a key without a name is called group."""
    index = regrouped.size().index
    levels = index.levels if isinstance(index, pd.MultiIndex) else [index]
    names = ["group" if name is None else name for name in index.names]
    return names, [level.dtype for level in levels]


def _parts(
    regrouped: DataFrameGroupBy[Any, Any], n_keys: int
) -> Iterator[tuple[tuple[Hashable, ...], pd.DataFrame]]:
    """Yield each group that has rows, its label as a tuple."""
    for label, part in regrouped:
        if len(part):
            whole = isinstance(label, tuple) and len(label) == n_keys
            yield (label if whole else (label,)), part


def _of_part(value: Any, part: pd.DataFrame, frame: pd.DataFrame) -> Any:
    """Leave out of a mapping by metric the metrics that only other groups have."""
    if not isinstance(value, Mapping) or "metric" not in frame.columns:
        return value
    elsewhere = set(frame["metric"].unique()) - set(part["metric"].unique())
    return {key: item for key, item in value.items() if key not in elsewhere}


def _stack_wide(results: list[pd.DataFrame], keyed: pd.MultiIndex) -> pd.DataFrame:
    """Put the keys before the index; a column that a result lacks is missing, or 0."""
    stacked = pd.concat(results, keys=keyed).sort_index(axis=1)
    if all((result.dtypes == np.int64).all() for result in results):
        return stacked.fillna(0).astype(np.int64)
    return stacked


def _stack(results: list[pd.DataFrame], keyed: pd.MultiIndex) -> pd.DataFrame:
    """Put the keys before the rows of each result."""
    if not isinstance(results[0].index, pd.RangeIndex):
        return _stack_wide(results, keyed)
    stacked = pd.concat(results, ignore_index=True)
    lengths = [len(result) for result in results]
    at = 0
    for level, name in enumerate(keyed.names):
        if name not in stacked.columns:
            values = keyed.get_level_values(level).repeat(lengths)
            stacked.insert(at, name, pd.Series(values.array, dtype=values.dtype))
            at += 1
    return stacked
