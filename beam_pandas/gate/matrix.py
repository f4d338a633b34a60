"""Scores of one metric as a matrix, which is what every analysis works on."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError
from beam_pandas.gate.refusals import in_metric
from beam_pandas.gate.registry import find_metric
from beam_pandas.gate.runs import Runs
from beam_pandas.kernels.equal_scores import merge_equal
from beam_pandas.labels import Picked


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """
    Scores of one metric: a row for each dataset, a column for each method.

    Attributes
    ----------
    named : Picked or None
        The metric, picked among all; None if the frame has no such column.
    label : label or None
        The same as a plain label.
    rows : Picked
        The datasets, in label order, picked among all.
    methods : Index
        Labels in label order, of the dtype they have in the frame.
    scores : ndarray of float64, shape (n_datasets, n_methods)
        As given, or aggregated over runs; NaN where missing. Read-only.
    runs : Runs or None
        Of each cell; None if every score is the only one of its cell.
    higher_is_better : bool or None
        Whether a larger score is the better one; None if nobody asked.
    refusal : BeamError or None
        Why the scores of this metric allow no analysis, for whoever analyses them.
    """

    named: Picked | None
    label: Hashable
    rows: Picked
    methods: pd.Index
    scores: NDArray[np.float64]
    runs: Runs | None
    higher_is_better: bool | None
    refusal: BeamError | None = None

    def __post_init__(self) -> None:
        """Make the scores read-only."""
        self.scores.flags.writeable = False

    @cached_property
    def metric(self) -> pd.Index | None:
        """The metric, as an index of one label; None if the frame has no such column."""
        return None if self.named is None else self.named.taken()

    @cached_property
    def datasets(self) -> pd.Index:
        """Labels of the rows, of the dtype they have in the frame."""
        return self.rows.taken()

    @property
    def n_runs(self) -> NDArray[np.int64]:
        """Number of scores given for each cell."""
        given = (~np.isnan(self.scores)).astype(np.int64)
        return given if self.runs is None else self.runs.n_runs

    @property
    def n_runs_missing(self) -> NDArray[np.int64]:
        """Number of runs that a cell lacks of those that others have on the dataset."""
        most = 1 if self.runs is None else self.runs.expected[:, None]
        return most - self.n_runs

    @property
    def turned(self) -> NDArray[np.float64]:
        """Scores turned so that more is better."""
        return -self.scores if self.higher_is_better is False else self.scores

    @cached_property
    def benefit(self) -> NDArray[np.float64]:
        """Scores turned so that more is better, equal ones the same to the last bit."""
        return merge_equal(self.turned)

    @property
    def noise_floor(self) -> float | None:
        """Difference below which scores of the metric are not worth telling apart."""
        entry = find_metric(self.label)
        return None if entry is None else entry.noise_floor

    @property
    def upper(self) -> float | None:
        """Largest value that a score of the metric can have, as far as it is known."""
        entry = find_metric(self.label)
        return None if entry is None else entry.upper

    @property
    def place(self) -> str:
        """Words that name the metric at the end of a message."""
        return in_metric(self.metric)

    def take(self, datasets: NDArray[np.bool_], methods: NDArray[np.bool_]) -> ScoreMatrix:
        """Keep the datasets and methods that are marked."""
        if datasets.all() and methods.all():
            return self
        runs = self.runs
        if runs is not None:
            runs = runs.take(datasets).take_methods(methods)
        return replace(
            self,
            rows=self.rows[datasets],
            methods=self.methods[methods],
            scores=self.scores[np.ix_(datasets, methods)],
            runs=runs,
        )
