"""A function of a frame, applied to each group of a groupby."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.typing import DataFrameGroupBy

from beam_pandas.accessor.at_once import analyse_at_once
from beam_pandas.errors import (
    BeamError,
    is_of_metric,
    list_labels,
    plain,
    settle_failures,
    within,
)
from beam_pandas.labels import read_labels
from beam_pandas.results.vocabulary import columns_of


def apply_to_groups(
    grouped: DataFrameGroupBy[Any, Any],
    function: Callable[..., pd.DataFrame],
    *args: Any,
    **kwargs: Any,
) -> pd.DataFrame:
    """
    Stack the results of a function on each group, sorted by the keys of the groups.

    Grouping by the column `metric` is left to a function that treats each metric on its
    own anyway, so that both ways give the same. `as_index`, `sort`, `observed` and
    `group_keys` of the groupby make no difference.

    Parameters
    ----------
    grouped : DataFrameGroupBy
        The groups.
    function : callable
        Takes a frame of scores first.
    *args, **kwargs
        Passed on. Of a mapping by metric, a group sees the metrics that it has.

    Returns
    -------
    DataFrame
        The keys lead as columns, but for labels that the result has already. If the
        function labels its rows by an index, the keys lead as levels of it.

    Raises
    ------
    BeamError
        As of the function, with the group; if no row has a key; or if a key has the name
        of a column of the result.
    """
    frame: Any = grouped.obj
    selected = _selected(grouped)
    keys = grouped.keys if isinstance(grouped.keys, list) else [grouped.keys]
    declared = columns_of(function)
    if not declared or "metric" in declared:  # looks at each metric by itself anyway
        others = [key for key in keys if not (_is_metric(key) and "metric" in selected)]
    else:
        others = keys
    _check_merging(function, keys)
    if not others or frame.empty:
        return function(_select(frame, selected), *args, **kwargs)
    regrouped = frame.groupby(
        by=None if grouped.keys is None else others,
        level=_sole(grouped.level),
        sort=True,
        observed=True,
        dropna=grouped.dropna,
    )
    try:
        names, levels = _levels(regrouped)
    except (TypeError, ValueError, NotImplementedError) as error:
        raise _odd_keys(error) from error
    scores = _select(frame, selected)
    at_once = analyse_at_once(scores, regrouped, function, args, kwargs)
    if at_once is not None:
        stacked, n_rows = at_once
        labels = [label for label, _ in _parts(regrouped, len(names))]
        arrays = [key.repeat(n_rows) for key in _as_columns(labels, levels)]
        return _insert_keys(stacked, arrays, names)
    return _one_by_one(regrouped, scores, function, args, kwargs, names, levels)


def _one_by_one(
    regrouped: DataFrameGroupBy[Any, Any],
    frame: pd.DataFrame,
    function: Callable[..., pd.DataFrame],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    names: list[Hashable],
    levels: list[Any],
) -> pd.DataFrame:
    """Call the function with each group and stack what comes of it."""
    results, failed = list[pd.DataFrame](), list[BeamError]()
    labels: list[tuple[Hashable, ...]] = []
    errors = kwargs.get("errors", "raise")
    for label, rows in _parts(regrouped, len(names)):
        part = _select(rows, frame.columns)
        given = [_of_part(value, part, frame) for value in args]
        named = {key: _of_part(value, part, frame) for key, value in kwargs.items()}
        told = [f"{name}={plain(at)!r}" for name, at in zip(names, label, strict=True)]
        try:
            with within(f"in group {', '.join(told)}"):
                results.append(_with_metric(function(part, *given, **named), part, frame))
        except BeamError as error:
            if not is_of_metric(error):
                raise
            failed.append(error)
        else:
            labels.append(label)
    if failed:
        settle_failures(failed, len(failed) + len(results), "groups", errors)
    if not results:
        raise BeamError(f"no row has a key: {list_labels(names)} is missing in all rows")
    return _stack(results, _as_columns(labels, levels), names)


def _as_columns(labels: list[tuple[Hashable, ...]], levels: list[Any]) -> list[pd.Index]:
    """Turn the keys of the groups into columns of the dtypes that they have."""
    columns = zip(zip(*labels, strict=True), levels, strict=True)
    return [pd.Index(list(c), tupleize_cols=False).astype(level) for c, level in columns]


def _check_merging(function: Callable[..., pd.DataFrame], keys: list[Any]) -> None:
    """Refuse to merge metrics of which a group has only one."""
    if function.__name__ == "merge_metrics" and any(_is_metric(key) for key in keys):
        raise BeamError(
            "merge_metrics makes one metric of several, and a group by metric has only "
            "one: group by another column, or call df.beam.merge_metrics()"
        )


def _selected(grouped: DataFrameGroupBy[Any, Any]) -> pd.Index:
    """List the columns that the groups have, all unless the user selected some."""
    return grouped.head(0).columns


def _select(frame: pd.DataFrame, columns: pd.Index) -> pd.DataFrame:
    """Take the columns that were selected, which are all unless the user chose some."""
    return frame if columns.equals(frame.columns) else frame[list(columns)]


def _is_metric(key: object) -> bool:
    return isinstance(key, str) and key == "metric"


def _sole(level: Any) -> Any:
    return level[0] if isinstance(level, list) and len(level) == 1 else level


def _levels(regrouped: DataFrameGroupBy[Any, Any]) -> tuple[list[Hashable], list[Any]]:
    """Names and dtypes of the keys; those without a name are group, or group_1, ..."""
    index = regrouped.size().index
    levels = index.levels if isinstance(index, pd.MultiIndex) else [index]
    unnamed = sum(name is None for name in index.names)
    numbers = iter(range(1, unnamed + 1))
    names = [
        name if name is not None else "group" if unnamed == 1 else f"group_{next(numbers)}"
        for name in index.names
    ]
    return names, [level.dtype for level in levels]


def _odd_keys(error: Exception) -> BeamError:
    """Build the error for keys that pandas can group by but not sort, or not index."""
    return BeamError(
        "the keys of the groups must be labels that sort and that an index can hold, all "
        f"text or all numbers ({error}): group by a column of text"
    )


def _parts(
    regrouped: DataFrameGroupBy[Any, Any], n_keys: int
) -> Iterator[tuple[tuple[Hashable, ...], pd.DataFrame]]:
    """Yield each group, its label as a tuple; those without rows were never made."""
    for label, part in regrouped:
        whole = isinstance(label, tuple) and len(label) == n_keys
        yield (label if whole else (label,)), part


def _of_part(value: Any, part: pd.DataFrame, frame: pd.DataFrame) -> Any:
    """Leave out of a mapping by metric the metrics that only other groups have."""
    if not isinstance(value, Mapping) or "metric" not in part.columns:
        return value
    elsewhere = set(frame["metric"].unique()) - set(part["metric"].unique())
    return {key: item for key, item in value.items() if key not in elsewhere}


def _with_metric(
    result: pd.DataFrame, part: pd.DataFrame, frame: pd.DataFrame
) -> pd.DataFrame:
    """Give a wide result of one metric the level that those of several have."""
    if isinstance(result.index, (pd.RangeIndex, pd.MultiIndex)):
        return result
    if "metric" not in part.columns or len(frame["metric"].unique()) == 1:
        return result
    metric = pd.Index(part["metric"].iloc[:1]).repeat(len(result))
    index = pd.MultiIndex.from_arrays(
        [metric, result.index], names=["metric", result.index.name]
    )
    return result.set_axis(index, axis=0)


def _stack(
    results: list[pd.DataFrame], keys: list[pd.Index], names: list[Hashable]
) -> pd.DataFrame:
    """Put the keys before the rows of each result."""
    if not isinstance(results[0].index, pd.RangeIndex):
        return _stack_wide(results, keys, names)
    lengths = [len(result) for result in results]
    stacked = pd.concat(results, ignore_index=True)
    return _insert_keys(stacked, [key.repeat(lengths) for key in keys], names)


def _insert_keys(
    stacked: pd.DataFrame, keys: list[pd.Index], names: list[Hashable]
) -> pd.DataFrame:
    """Put the key of each row before it."""
    at = 0
    for values, name in zip(keys, names, strict=True):
        column = pd.Series(values.array, dtype=values.dtype)
        if name not in stacked.columns:
            stacked.insert(at, name, column)
            at += 1
        elif name not in ("metric", "method", "dataset") or not (
            stacked[name].astype(object).equals(column.astype(object))
        ):
            raise BeamError(
                f"the key {name!r} of the groups has the name of a column of the result: "
                "rename it before grouping"
            )
    return stacked


def _stack_wide(
    results: list[pd.DataFrame], keys: list[pd.Index], names: list[Hashable]
) -> pd.DataFrame:
    """Put the keys before the index; a column that a result lacks is missing, or 0."""
    stacked = pd.concat(results)
    order = read_labels(stacked.columns.to_series().rename("method")).codes.argsort()
    stacked = stacked.iloc[:, order]
    lengths = [len(result) for result in results]
    new = [at for at, name in enumerate(names) if name not in stacked.index.names]
    if new:
        inner = [stacked.index.get_level_values(at) for at in range(stacked.index.nlevels)]
        try:
            stacked.index = pd.MultiIndex.from_arrays(
                [*(keys[at].repeat(lengths) for at in new), *inner],
                names=[*(names[at] for at in new), *stacked.index.names],
            )
        except (TypeError, ValueError, NotImplementedError) as error:
            raise _odd_keys(error) from error
    if all((result.dtypes == np.int64).all() for result in results):
        return stacked.fillna(0).astype(np.int64)
    return stacked
