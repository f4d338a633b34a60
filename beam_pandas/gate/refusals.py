"""The gate's longer errors: what was found, where, and what each way out would do."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import (
    BeamError,
    DuplicateScoresError,
    IncompleteScoresError,
    count,
    list_labels,
)
from beam_pandas.gate.columns import Columns


def in_metric(metric: pd.Index | None) -> str:
    """Name the metric, given as an index of one label, at the end of a sentence."""
    return "" if metric is None else f" in metric {metric.tolist()[0]!r}"


def no_scores(metric: pd.Index | None, n_rows: int) -> BeamError:
    """Refuse a metric of which every score is missing."""
    scores = "the only one is" if n_rows == 1 else f"all {n_rows:,} are"
    name = None if metric is None else metric.tolist()[0]
    way_out = "" if metric is None else f"; leave it out: df[df['metric'] != {name!r}]"
    return BeamError(
        f"at least one score is needed, {scores} missing{in_metric(metric)}{way_out}"
    )


def negated_scores(metric: pd.Index | None, scores: NDArray[np.float64]) -> BeamError:
    """Refuse scores of a loss that were all turned negative, unless told which way."""
    label = None if metric is None else metric.tolist()[0]
    return BeamError(
        f"scores of {label!r} look negated: it is never negative and lower is better, yet "
        f"all scores lie between {np.nanmin(scores):.6g} and {np.nanmax(scores):.6g}; pass "
        f"higher_is_better={{{label!r}: True}} if more is better here, False if not"
    )


def duplicate_scores(
    columns: Columns,
    cell: NDArray[np.int64],
    n_runs: NDArray[np.int64],
    metric: NDArray[np.int64],
    dataset: NDArray[np.int64],
) -> DuplicateScoresError:
    """
    Refuse several scores for one method and dataset, in the first metric that has them.

    Parameters
    ----------
    columns : Columns
        Rows that have a score.
    cell : ndarray of int64, shape (n,)
        Cell of each: number of the row in a wide table times number of methods, plus
        method.
    n_runs : ndarray of int64, shape (n_rows * n_methods,)
        Number of scores of each cell.
    metric, dataset : ndarray of int64, shape (n_rows,)
        What a row of the wide table stands for.
    """
    repeated = np.flatnonzero(n_runs > 1)
    rows, methods = np.divmod(repeated, len(columns.method.names))
    here = metric[rows] == metric[rows[0]]
    shown = ", ".join(
        f"{n} for {name!r} on {place!r}"
        for n, name, place in zip(
            n_runs[repeated[here][:5]],
            columns.method.names.take(methods[here][:5]).tolist(),
            columns.dataset.names.take(dataset[rows[here][:5]]).tolist(),
            strict=True,
        )
    )
    more = f" and {here.sum() - 5:,} more such pairs" if here.sum() > 5 else ""
    first = None if columns.metric is None else columns.metric.names[metric[rows[:1]]]
    message = (
        "one score for each method and dataset is needed, found "
        f"{shown}{more}{in_metric(first)}: pass aggregate='mean' or "
        "aggregate='median' to combine runs, or tell apart by name what differs"
    )
    distinct = np.unique(np.column_stack([cell, columns.score]), axis=0)
    if len(distinct) == np.count_nonzero(n_runs):
        message += "; the repeated scores are equal, so either keeps them as they are"
    if columns.metric_like is not None:
        message += (
            f"; if {columns.metric_like!r} names the metric: "
            f"df.rename(columns={ {columns.metric_like: 'metric'}!r})"
        )
    return DuplicateScoresError(message)


def incomplete_scores(
    metric: pd.Index | None,
    holes: NDArray[np.bool_],
    datasets: pd.Index,
    methods: pd.Index,
    purpose: str,
) -> IncompleteScoresError:
    """
    Refuse missing scores, and say what each choice of `missing` would leave.

    Parameters
    ----------
    metric : Index or None
        The metric, as an index of one label.
    holes : ndarray of bool, shape (n_datasets, n_methods)
        Where a score is missing.
    datasets, methods : Index
        Labels of rows and columns.
    purpose : str
        Name of the function that needs complete scores.
    """
    lacking = np.flatnonzero(holes.any(axis=0))
    names = methods.take(lacking[:5]).tolist()
    shown = [
        f"{name!r} lacks {_which(holes[:, at], datasets)}"
        for at, name in zip(lacking[:5], names, strict=True)
    ]
    more = len(lacking) - 5
    if more > 0:
        shown.append(
            f"and {more:,} more {'methods lack' if more > 1 else 'method lacks'} some"
        )
    choices = {
        "drop_datasets": (len(methods), int((~holes.any(axis=1)).sum())),
        "drop_methods": (int((~holes.any(axis=0)).sum()), len(datasets)),
    }
    kept = [
        f"missing={choice!r} keeps {count(k, 'method')} on {count(n, 'dataset')}"
        for choice, (k, n) in choices.items()
        if min(k, n) >= 2
    ]
    ways = ", ".join(kept) or "Without gaps no 2 methods on 2 datasets are left"
    return IncompleteScoresError(
        f"{purpose} needs a score of every method on every dataset{in_metric(metric)}, "
        f"found missing scores: {', '.join(shown)}. {ways}; skillings_mack() and "
        "pairwise() use every score"
    )


def _which(holes: NDArray[np.bool_], datasets: pd.Index) -> str:
    """Write how many of the datasets a method lacks, and which."""
    if holes.all():
        return f"all {count(len(holes), 'dataset')}"
    missing = list_labels(datasets[holes])
    return f"{holes.sum():,} of {len(holes):,} datasets ({missing})"
