"""Scores of single runs, for what looks at runs themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, of_metric
from beam_pandas.gate.cells import number_cells
from beam_pandas.gate.columns import Columns
from beam_pandas.gate.matrix import ScoreMatrix
from beam_pandas.kernels.equal_scores import merge_equal


@dataclass(frozen=True, eq=False)
class RunScores:
    """
    Scores of the runs of one metric.

    Attributes
    ----------
    matrix : ScoreMatrix
        The same scores aggregated by their mean, with labels and direction; it also says
        whether the runs are uneven.
    scores : ndarray of float64, shape (n_datasets, n_methods, n_runs)
        As given; NaN where a run is missing. A place on the last axis is a label of the
        column `run` on that dataset; where runs have no labels, the scores of each cell
        are in ascending order, so that their rows' order does not matter.
    is_labelled : bool
        Whether runs have labels, so that they can be paired.
    """

    matrix: ScoreMatrix
    scores: NDArray[np.float64]
    is_labelled: bool

    @property
    def metric(self) -> pd.Index | None:
        """The metric, as an index of one label, or None."""
        return self.matrix.metric

    @property
    def refusal(self) -> BeamError | None:
        """Why the scores of this metric allow no analysis."""
        return self.matrix.refusal

    @property
    def benefit(self) -> NDArray[np.float64]:
        """Scores turned so that more is better, equal ones of a dataset the same."""
        turned = -self.scores if self.matrix.higher_is_better is False else self.scores
        flat = merge_equal(turned.reshape(len(turned), -1))
        return flat.reshape(turned.shape)


def arrange_runs(columns: Columns, matrices: Iterator[ScoreMatrix]) -> Iterator[RunScores]:
    """
    Give each score of a frame the place of its run, metric by metric.

    Parameters
    ----------
    columns : Columns
        Columns of the frame.
    matrices : iterator of ScoreMatrix
        The same, aggregated.
    """
    scored = columns.scored()
    shape, cell, metric, dataset = number_cells(columns)
    cell = cell[~np.isnan(columns.score)]
    row = cell // shape[1]
    if scored.run is None:
        place = _count_within(np.lexsort((scored.score, cell)), cell)
    else:
        key = row * len(scored.run.names) + scored.run.codes
        used, place_of_key = np.unique(key, return_inverse=True)
        owner = used // len(scored.run.names)
        place = (np.arange(len(used)) - np.searchsorted(owner, owner))[place_of_key]
    for code, matrix in enumerate(matrices):
        here = np.flatnonzero(metric == code)
        kept = matrix.datasets.get_indexer(columns.dataset.names.take(dataset[here]))
        rows = np.full(shape[0], -1)
        rows[here] = kept
        mine = rows[row] >= 0
        size = (*matrix.scores.shape, int(place[mine].max(initial=-1)) + 1)
        scores = np.full(size, np.nan)
        scores[rows[row[mine]], cell[mine] % shape[1], place[mine]] = scored.score[mine]
        yield RunScores(matrix, scores, scored.run is not None)


def unpaired_runs(matrix: ScoreMatrix, purpose: str, run_like: str | None) -> BeamError:
    """Refuse runs that cannot be paired, since they have no labels."""
    way = "name them in a column 'run' (fold, seed or repeat)"
    if run_like is not None:
        way = f"df.rename(columns={ {run_like: 'run'}!r})"
    return of_metric(
        BeamError(
            f"{purpose} compares the same runs of two methods, and runs have no labels"
            f"{matrix.place}: {way}"
        )
    )


def _count_within(order: NDArray[np.intp], cell: NDArray[np.int64]) -> NDArray[np.intp]:
    """Give the scores of each cell numbers, in the order given."""
    ordered = cell[order]
    place = np.empty(len(cell), dtype=np.intp)
    place[order] = np.arange(len(cell)) - np.searchsorted(ordered, ordered)
    return place
