"""Doubts of what the scores of a frame are of, from its labels and its cells."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import count, list_labels, warn
from beam_pandas.gate.cells import Cells
from beam_pandas.gate.columns import Columns
from beam_pandas.gate.label_doubts import find_groups, find_replicates, find_summaries
from beam_pandas.gate.registry import find_metric
from beam_pandas.kernels.row_means import (
    find_far_columns,
    find_mean_rows,
    is_mean_of,
    parts_with_far_columns,
    parts_with_mean_columns,
    parts_with_mean_rows,
)


@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # of scores of any size
def warn_of_cells(columns: Columns, cells: Cells) -> None:
    """
    Warn of rows and columns that sum up others, of replicates, of scales, of islands.

    Parameters
    ----------
    columns : Columns
        Of the frame.
    cells : Cells
        Its scores.
    """
    _warn_of_summaries(columns, cells)
    _warn_of_replicates(columns)
    _warn_of_far_methods(columns, cells)
    _warn_of_islands(columns, cells)


def _starts(cells: Cells) -> NDArray[np.intp]:
    """Give the first row of each metric; every one has a row."""
    return np.flatnonzero(np.diff(cells.metric, prepend=-1))


def _each_metric(cells: Cells, marked: NDArray[np.bool_]) -> Iterator[tuple[int, slice]]:
    """Yield the code of each metric that is marked, with its rows."""
    ends = [*_starts(cells).tolist(), len(cells.metric)]
    for at, (start, end) in enumerate(pairwise(ends)):
        if marked[at]:
            yield int(cells.metric[start]), slice(start, end)


def _warn_of_summaries(columns: Columns, cells: Cells) -> None:
    """Warn of datasets and methods that are means, totals or ranks of others."""
    datasets, methods = columns.dataset.names.tolist(), columns.method.names.tolist()
    groups = find_groups(datasets)
    by_value: dict[Hashable, None] = {}
    heads: dict[Hashable, None] = {}
    others: dict[Hashable, None] = {}
    named = dict.fromkeys(find_summaries(datasets, methods=False))
    named_methods = dict.fromkeys(find_summaries(methods, methods=True))
    known = {datasets.index(label) for label in named}
    starts = _starts(cells)
    summed = np.full(len(starts), bool(groups or known))
    by_rows = summed | parts_with_mean_rows(cells.scores, starts)
    by_columns = parts_with_mean_columns(cells.scores, starts)
    for _, rows in _each_metric(cells, by_rows):
        scores, codes = cells.scores[rows], cells.dataset[rows]
        heads |= dict.fromkeys(
            datasets[parent] for parent in _group_rows(scores, codes, groups)
        )
        aside = {*named, *heads}
        kept = _kept(scores, codes, datasets, aside)
        by_value |= dict.fromkeys(datasets[codes[at]] for at in _mean_rows(scores, kept))
    for _, rows in _each_metric(cells, by_columns):
        part = cells.scores[rows][:1000].T
        others |= dict.fromkeys(methods[at] for at in find_mean_rows(part))
    found = [
        _said(named, "named like a summary"),
        _said(by_value, "the mean of all others for every method"),
        _said(heads, "above those whose names it begins"),
    ]
    _warn_of_labels("dataset", found, [*named, *by_value, *heads])
    found = [
        _said(named_methods, "named like a summary"),
        _said(others, "the mean of all others on every dataset"),
    ]
    _warn_of_labels("method", found, [*named_methods, *others])


def _kept(
    scores: NDArray[np.float64],
    codes: NDArray[np.int64],
    datasets: list[Hashable],
    known: set[Hashable],
) -> NDArray[np.intp]:
    """Take the rows that are not known as summaries, among which to look for means."""
    if not known:
        return np.arange(len(scores))
    return np.array(
        [at for at, code in enumerate(codes) if datasets[code] not in known], int
    )


def _mean_rows(scores: NDArray[np.float64], kept: NDArray[np.intp]) -> list[int]:
    return [int(kept[at]) for at in find_mean_rows(scores[kept])]


def _said(labels: Iterable[Hashable], what: str) -> str:
    return f"{list_labels(labels)} ({what})" if labels else ""


def _warn_of_labels(column: str, found: list[str], labels: list[Hashable]) -> None:
    """Say which labels sum up others and how to leave them out."""
    if labels:
        distinct = list(dict.fromkeys(labels))
        said = "; ".join(part for part in found if part)
        warn(
            f"{column}s that sum up others count as {column}s of their own, found {said}: "
            f"if they do, leave them out, df[~df[{column!r}].isin({distinct!r})]"
        )


def _group_rows(
    scores: NDArray[np.float64],
    codes: NDArray[np.int64],
    groups: dict[int, list[int]],
) -> list[int]:
    """
    List the datasets that sum up those whose names they begin.

    Their score is the mean of these for every method, or, of at least three, lies between
    the least and the largest as every weighted mean does, for at least two methods.
    """
    if not groups:
        return []
    at = {int(code): row for row, code in enumerate(codes)}
    found = []
    for parent, members in groups.items():
        rows = [at[code] for code in members if code in at]
        if parent not in at or len(rows) < 2:
            continue
        own, parts = scores[at[parent]], scores[rows]
        both = ~np.isnan(own) & ~np.isnan(parts).all(axis=0)
        if both.sum() < 2:
            continue
        own, parts = own[both], parts[:, both]
        low, high = np.nanmin(parts, axis=0), np.nanmax(parts, axis=0)
        between = len(rows) >= 3 and ((own >= low) & (own <= high)).all()
        if between or is_mean_of(own, parts):
            found.append(parent)
    return found


def _warn_of_replicates(columns: Columns) -> None:
    """Warn of datasets that look like runs of fewer."""
    found = find_replicates(columns.dataset.names.tolist())
    if found is None:
        return
    n_labels, n_families = len(found.labels), len(found.families)
    warn(
        f"{count(n_labels, 'dataset')} look like replicates of "
        f"{count(n_families, 'dataset')} ({list_labels(found.families, limit=3)}), found "
        f"{list_labels(found.labels)}: each would count as evidence of its own; if they "
        f"are runs, beam_pandas.fold_datasets(df, r'{found.pattern}') and aggregate='mean'"
    )


def _warn_of_far_methods(columns: Columns, cells: Cells) -> None:
    """Warn of methods whose scores are on another scale than all others."""
    if len(columns.method.names) < 3:
        return
    found: dict[Hashable, list[Hashable]] = {}
    marked = parts_with_far_columns(cells.scores, _starts(cells))
    for code, rows in _each_metric(cells, marked):
        name = None if columns.metric is None else columns.metric.names[code]
        far = find_far_columns(cells.scores[rows])
        if not far:
            continue
        entry = None if name is None else find_metric(name)
        if entry is not None and (entry.field == "efficiency" or entry.upper == 1.0):
            continue  # times differ so much; bounds have a doubt of their own
        for at in far:
            found.setdefault(columns.method.names[at], []).append(name)
    if found:
        metrics = [name for names in found.values() for name in names if name is not None]
        place = f" in {list_labels(dict.fromkeys(metrics))}" if metrics else ""
        warn(
            f"scores of {list_labels(found)} are 100 times as large or as small as those "
            f"of all other methods on every dataset{place}: are they in the same unit?"
        )


def _warn_of_islands(columns: Columns, cells: Cells) -> None:
    """Warn of metrics none of which shares a dataset with another."""
    if columns.metric is None or len(columns.metric.names) < 2:
        return
    scored = ~np.isnan(cells.scores).all(axis=1)
    metric, dataset = cells.metric[scored], cells.dataset[scored]
    n_metrics = len(np.unique(metric))
    if n_metrics < 2 or len(np.unique(dataset)) < len(dataset):
        return
    names: pd.Index = columns.metric.names
    warn(
        f"each of {count(len(dataset), 'dataset')} has scores of one metric only, so the "
        f"comparison falls apart into {n_metrics:,} ({list_labels(names)}): "
        "beam_pandas.merge_metrics(df) makes one of them"
    )
