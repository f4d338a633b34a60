"""The gate's longer errors: what was found, where, and what each way out would do."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import (
    BeamError,
    DuplicateScoresError,
    IncompleteScoresError,
    MissingColumnsError,
    UnevenRunsError,
    count,
    list_labels,
)
from beam_pandas.gate.column_names import find_runs
from beam_pandas.gate.columns import Columns
from beam_pandas.gate.runs import Runs
from beam_pandas.kernels.largest_block import find_largest_block


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
    message = (
        "one score for each method and dataset is needed, found "
        f"{_list_repeated(columns, n_runs, metric, dataset)}: pass aggregate='mean' or "
        "aggregate='median' to combine runs; if they are settings of a method, give each "
        "its own name in column 'method'"
    )
    distinct = np.unique(np.column_stack([cell, columns.score]), axis=0)
    if len(distinct) == np.count_nonzero(n_runs):
        message += (
            "; the repeated scores are equal, so either keeps them as they are, with "
            "uneven_runs='ignore' where only some are repeated"
        )
    if columns.metric_like is not None:
        message += (
            f"; if {columns.metric_like!r} names the metric: "
            f"df.rename(columns={ {columns.metric_like: 'metric'}!r})"
        )
    return DuplicateScoresError(message)


def repeated_runs(
    columns: Columns,
    twice: NDArray[np.int64],
    metric: NDArray[np.int64],
    dataset: NDArray[np.int64],
) -> DuplicateScoresError:
    """Refuse several scores of one run; parameters as in `duplicate_scores`."""
    return DuplicateScoresError(
        "one score for each method, dataset and run is needed, found a run that comes "
        f"twice among {_list_repeated(columns, twice.ravel(), metric, dataset)}: give each "
        "run a label of its own in column 'run'; if they are settings of a method, give "
        "each its own name in column 'method'"
    )


def _list_repeated(
    columns: Columns,
    n_runs: NDArray[np.int64],
    metric: NDArray[np.int64],
    dataset: NDArray[np.int64],
) -> str:
    """List cells with several scores, in the first metric that has them."""
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
    return f"{shown}{more}{in_metric(first)}"


def uneven_runs_error(
    metric: pd.Index | None,
    runs: Runs,
    datasets: pd.Index,
    methods: pd.Index,
    aggregate: str | None,
    run_like: str | None,
) -> UnevenRunsError:
    """
    Refuse to compare methods that have different runs on a dataset.

    Parameters
    ----------
    metric : Index or None
        The metric, as an index of one label.
    runs : Runs
        Of each dataset and method of the metric.
    datasets, methods : Index
        Labels of rows and columns.
    aggregate : str or None
        As the caller gave it.
    run_like : str or None
        A column that looks as if it named the runs.
    """
    found = runs.n_runs[runs.n_runs > 0]
    lacking = runs.expected[:, None] - runs.n_runs
    shown = _which_lack_runs(runs, lacking, datasets, methods)
    total = int(runs.expected.sum()) * len(methods)
    sizes = f"{found.min():,} to {found.max():,} runs"
    if found.min() == found.max():
        sizes = f"{count(int(found[0]), 'run')} that are not the same"
    ways = [f"uneven_runs='ignore' combines what is there, of {sizes}"]
    if runs.n_shared is not None:
        n_scored = np.count_nonzero(runs.n_runs, axis=1)
        kept = int((runs.n_shared * n_scored).sum())
        left = int((runs.n_shared > 0).sum())
        if kept:
            ways.insert(
                0,
                "uneven_runs='shared' keeps the runs that all methods with a score there "
                f"have, {kept:,} of {int(runs.n_runs.sum()):,} scores on "
                f"{count(left, 'dataset')}",
            )
    else:
        way = "a column 'run' that names them (seed, fold or repeat)"
        if run_like is not None:
            way = f"df.rename(columns={ {run_like: 'run'}!r})"
        ways.insert(0, f"to compare the same runs, {way} and uneven_runs='shared'")
    how = "" if aggregate is None else f"aggregate={aggregate!r} "
    return UnevenRunsError(
        f"{how}needs the same runs of all methods on a dataset{in_metric(metric)}, found "
        f"cells of {sizes}: {shown}; {int(lacking.sum()):,} of {total:,} scores are "
        f"missing. {'; '.join(ways)}"
    )


def _which_lack_runs(
    runs: Runs, lacking: NDArray[np.int64], datasets: pd.Index, methods: pd.Index
) -> str:
    """Name the methods that lack runs where they have some, and on which datasets."""
    some = (lacking > 0) & (runs.n_runs > 0)
    who = np.flatnonzero(some.any(axis=0))
    shown = [
        f"{name!r} lacks {int(lacking[some[:, at], at].sum()):,} on "
        f"{list_labels(datasets[some[:, at]])}"
        for at, name in zip(who[:5], methods.take(who[:5]).tolist(), strict=True)
    ]
    more = f" and {len(who) - 5:,} more methods" if len(who) > 5 else ""
    return f"{', '.join(shown)}{more}"


def unnamed_runs(frame: pd.DataFrame) -> MissingColumnsError:
    """Refuse to pair runs that have no labels."""
    like = find_runs(frame)
    way = f"df.rename(columns={ {like: 'run'}!r})" if like else "df.assign(run=...)"
    return MissingColumnsError(
        "uneven_runs='shared' needs a column 'run' that names the runs, found "
        f"{list_labels(frame.columns, limit=12)}: {way}"
    )


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
    kept = [
        f"missing={choice!r} keeps {count(k, 'method')} on {count(n, 'dataset')}"
        for choice, (k, n) in what_is_left(holes).items()
        if min(k, n) >= 2
    ]
    kept.append("missing='worst' ranks a missing score last")
    return IncompleteScoresError(
        f"{purpose} needs a score of every method on every dataset{in_metric(metric)}, "
        f"found missing scores: {', '.join(shown)}. {', '.join(kept)}; skillings_mack() "
        "and pairwise() use every score"
    )


def what_is_left(holes: NDArray[np.bool_]) -> dict[str, tuple[int, int]]:
    """
    Give the number of methods and datasets that each choice of `missing` would keep.

    The largest block is left out where the search for it was given up.
    """
    n_datasets, n_methods = holes.shape
    left = {
        "drop_datasets": (n_methods, int((~holes.any(axis=1)).sum())),
        "drop_methods": (int((~holes.any(axis=0)).sum()), n_datasets),
    }
    block = find_largest_block(~holes)
    if block.methods is not None and block.datasets is not None:
        size = (int(block.methods.sum()), int(block.datasets.sum()))
        if size not in left.values():
            left["largest_block"] = size
    return left


def _which(holes: NDArray[np.bool_], datasets: pd.Index) -> str:
    """Write how many of the datasets a method lacks, and which."""
    if holes.all():
        return f"all {count(len(holes), 'dataset')}"
    missing = list_labels(datasets[holes])
    return f"{holes.sum():,} of {len(holes):,} datasets ({missing})"
