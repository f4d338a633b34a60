"""Which scores, spreads and places does a table of datasets against methods hold?"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal, NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, check_option, settle_failures
from beam_pandas.kernels.aggregation import aggregate_runs
from beam_pandas.kernels.equal_scores import merge_equal
from beam_pandas.kernels.row_ranks import rank_rows
from beam_pandas.statistics.run_tables import RunTable, read_run_tables
from beam_pandas.types import HigherIsBetter, UnevenRuns

RunValue = Literal["mean", "median", "min", "max", "best"]
Spread = Literal["std", "stderr"] | None

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


class ScoreTable(NamedTuple):
    """
    Scores of one metric, a row for each dataset and a column for each method.

    Attributes
    ----------
    metric : label or None
        None if the frame has no such column.
    higher_is_better : bool
        Direction.
    datasets, methods : Index
        In label order.
    value : ndarray of float64, shape (n_datasets, n_methods)
        Score, or what the runs of a cell give; NaN where missing.
    spread : ndarray of float64, same shape
        Of the runs of a cell; NaN with fewer than two of them, or if not asked for.
    n_runs : ndarray of int64, same shape
        Number of runs.
    benefit : ndarray of float64, same shape
        The values turned so that more is better, equal ones the same to the last bit.
    """

    metric: Hashable
    higher_is_better: bool
    datasets: pd.Index
    methods: pd.Index
    value: Floats
    spread: Floats
    n_runs: Counts
    benefit: Floats

    @property
    def n_datasets(self) -> Counts:
        """Number of datasets on which each method has a score."""
        number: Counts = np.count_nonzero(~np.isnan(self.value), axis=0)
        return number

    @property
    def mean(self) -> Floats:
        """Mean of each method over the datasets that it has; NaN without any."""
        return _column_means(self.value)

    @property
    def mean_rank(self) -> Floats:
        """Mean rank of each method among those present; NaN without any score."""
        return _column_means(rank_rows(self.benefit))

    @property
    def places(self) -> Counts:
        """Whether a cell holds the best value of its dataset (1), the next (2), or not."""
        return places_of(self.benefit)

    @property
    def wins(self) -> Counts:
        """Number of datasets on which a method has the best value, ties for each."""
        number: Counts = np.asarray(np.count_nonzero(self.places == 1, axis=0))
        return number

    def places_below(self, name: str) -> Counts:
        """
        Find the best methods in a row below the datasets: mean, mean_rank or wins.

        None is where methods have different datasets, whose means cannot be compared.
        """
        if name not in ("mean", "mean_rank", "wins") or not self.is_complete:
            return np.zeros(len(self.methods), dtype=np.int64)
        values = np.asarray(getattr(self, name), dtype=np.float64)[None, :]
        is_larger = name == "wins" or (name == "mean" and self.higher_is_better)
        places: Counts = places_of(merge_equal(values if is_larger else -values))[0]
        if name == "wins":
            places[values[0] == 0.0] = 0
        return places

    @property
    def is_complete(self) -> bool:
        """Whether every method has the same datasets, so that means can be compared."""
        return not np.isnan(self.value).any()


def places_of(benefit: Floats) -> Counts:
    """
    Find the best and the second best value of each row.

    Parameters
    ----------
    benefit : ndarray of float64, shape (n_rows, n_columns)
        More is better, equal values the same to the last bit; NaN where missing.

    Returns
    -------
    ndarray of int64, same shape
        1 for the best value, however many have it, 2 for the next smaller one, else 0. A
        row with one value has no best: nothing was compared.
    """
    low = np.where(np.isnan(benefit), -np.inf, benefit)
    best = low.max(axis=1, keepdims=True, initial=-np.inf)
    rest = np.where(low < best, low, -np.inf)
    second = rest.max(axis=1, keepdims=True, initial=-np.inf)
    places = np.where(low == best, 1, np.where(low == second, 2, 0))
    alone = np.count_nonzero(~np.isnan(benefit), axis=1, keepdims=True) < 2
    places[np.isnan(benefit) | alone] = 0
    return places.astype(np.int64)


def read_score_tables(
    frame: pd.DataFrame,
    purpose: str,
    *,
    spread: Spread,
    aggregate: RunValue,
    higher_is_better: HigherIsBetter,
    uneven_runs: UnevenRuns,
) -> list[ScoreTable]:
    """
    Read what a table of scores shows, one metric after the other in label order.

    Parameters
    ----------
    frame, higher_is_better, uneven_runs
        As the public functions take them.
    purpose : str
        Name of the public function, for messages.
    spread : {"std", "stderr"} or None
        Standard deviation of the runs of a cell (of the sample, n - 1), or that of their
        mean.
    aggregate : {"mean", "median", "min", "max", "best"}
        What the runs of a cell give.
    """
    check_option("aggregate", aggregate, get_args(RunValue))
    found = read_run_tables(
        frame, purpose, higher_is_better=higher_is_better, uneven_runs=uneven_runs
    )
    failed = [each for each in found if isinstance(each, BeamError)]
    if failed:
        settle_failures(failed, len(found), "metrics", "raise")
    tables = [each for each in found if not isinstance(each, BeamError)]
    return [_tabulate(table, spread, aggregate) for table in tables]


def _tabulate(table: RunTable, spread: Spread, aggregate: RunValue) -> ScoreTable:
    """Settle the runs of each cell."""
    runs, n_runs = table.sign * table.benefit, table.n_runs
    value = _combine(runs, n_runs, aggregate, table.sign)
    return ScoreTable(
        metric=table.matrix.label,
        higher_is_better=table.sign > 0.0,
        datasets=table.matrix.datasets,
        methods=table.matrix.methods,
        value=value,
        spread=np.full(value.shape, np.nan) if spread is None else _spread(runs, spread),
        n_runs=n_runs,
        benefit=merge_equal(table.sign * value),
    )


def _combine(runs: Floats, n_runs: Counts, how: RunValue, sign: float) -> Floats:
    """Make one number of the runs of each cell."""
    present = ~np.isnan(runs)
    flat = runs.reshape(-1, runs.shape[2])
    cell = np.nonzero(present.reshape(flat.shape))[0]
    named = how if how != "best" else ("max" if sign > 0.0 else "min")
    return aggregate_runs(runs[present], cell, n_runs.ravel(), named).reshape(n_runs.shape)


def _spread(runs: Floats, kind: str) -> Floats:
    """Give the standard deviation of the runs of each cell, or that of their mean."""
    present = ~np.isnan(runs)
    number = present.sum(axis=2)
    # from a run of the cell, so that runs that are equal have a spread of exactly 0
    excess = np.where(present, runs - runs[:, :, :1], 0.0)
    mean = excess.sum(axis=2) / np.maximum(number, 1)
    off = np.where(present, excess - mean[:, :, None], 0.0)
    variance = (off**2).sum(axis=2) / np.maximum(number - 1, 1)
    if kind == "stderr":
        variance /= np.maximum(number, 1)
    return np.where(number > 1, np.sqrt(variance), np.nan)


def _column_means(values: Floats) -> Floats:
    """Average each column over what is there."""
    number = np.count_nonzero(~np.isnan(values), axis=0)
    total = np.where(np.isnan(values), 0.0, values).sum(axis=0)
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)
