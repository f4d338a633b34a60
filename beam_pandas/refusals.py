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
from beam_pandas.intake import Columns


def in_metric(metric: pd.Index | None) -> str:
    """Name the metric, given as an index of one label, at the end of a sentence."""
    return "" if metric is None else f" in metric {metric.tolist()[0]!r}"


def no_scores(metric: pd.Index | None, n_rows: int) -> BeamError:
    """Refuse a metric of which every score is missing."""
    scores = "the only one is" if n_rows == 1 else f"all {n_rows:,} are"
    return BeamError(f"at least one score is needed, {scores} missing{in_metric(metric)}")


def duplicate_scores(
    metric: pd.Index | None,
    part: Columns,
    cell: NDArray[np.int64],
    n_runs: NDArray[np.int64],
) -> DuplicateScoresError:
    """
    Refuse several scores for one method and dataset.

    Parameters
    ----------
    metric : Index or None
        The metric, as an index of one label.
    part : Columns
        Its rows.
    cell : ndarray of int64, shape (n_rows,)
        Cell of each row: number of the dataset times number of methods, plus method.
    n_runs : ndarray of int64, shape (n_cells,)
        Number of rows of each cell.
    """
    repeated = np.flatnonzero(n_runs > 1)
    rows, columns = np.divmod(repeated[:5], len(part.method.names))
    methods = part.method.names.take(columns).tolist()
    datasets = part.dataset.names.take(rows).tolist()
    shown = ", ".join(
        f"{n_runs[at]} for {method!r} on {dataset!r}"
        for at, method, dataset in zip(repeated[:5], methods, datasets, strict=True)
    )
    more = f" and {len(repeated) - 5:,} more such pairs" if len(repeated) > 5 else ""
    message = (
        "one score for each method and dataset is needed, found "
        f"{shown}{more}{in_metric(metric)}: pass aggregate='mean' or "
        "aggregate='median' to combine runs"
    )
    distinct = np.unique(np.column_stack([cell, part.score]), axis=0)
    if len(distinct) == np.count_nonzero(n_runs):
        message += "; the repeated scores are equal, so df.drop_duplicates() may do"
    if part.metric_like is not None:
        message += (
            f"; if {part.metric_like!r} names the metric: "
            f"df.rename(columns={ {part.metric_like: 'metric'}!r})"
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
    n_datasets = int((~holes.any(axis=1)).sum())
    n_methods = int((~holes.any(axis=0)).sum())
    return IncompleteScoresError(
        f"{purpose} needs a score of every method on every dataset{in_metric(metric)}, "
        f"found missing scores: {', '.join(shown)}. missing='drop_datasets' keeps "
        f"{count(len(methods), 'method')} on {count(n_datasets, 'dataset')}, "
        f"missing='drop_methods' keeps {count(n_methods, 'method')} on "
        f"{count(len(datasets), 'dataset')}"
    )


def _which(holes: NDArray[np.bool_], datasets: pd.Index) -> str:
    """Write how many of the datasets a method lacks, and which."""
    if holes.all():
        return f"all {len(holes):,} datasets"
    missing = list_labels(datasets[holes])
    return f"{holes.sum():,} of {len(holes):,} datasets ({missing})"
