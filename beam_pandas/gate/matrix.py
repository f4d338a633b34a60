"""Scores of one metric as a matrix, which is what every analysis works on."""

from __future__ import annotations

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
from beam_pandas.labels import Labels


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """
    Scores of one metric: a row for each dataset, a column for each method.

    Attributes
    ----------
    metric : Index or None
        The metric, as an index of one label; None if the frame has no such column.
    datasets, methods : Index
        Labels in label order, of the dtype they have in the frame.
    scores : ndarray of float64, shape (n_datasets, n_methods)
        As given, or aggregated over runs; NaN where missing. Read-only.
    runs : Runs or None
        Of each cell; None if every score is the only one of its cell.
    higher_is_better : bool or None
        Whether a larger score is the better one; None if nobody asked.
    refusal : BeamError or None
        Why the scores of this metric allow no analysis, for whoever analyses them.
    row_datasets : Labels or None
        Dataset of each row of the frame, of whatever metric, for what stands beside scores.
    """

    metric: pd.Index | None
    datasets: pd.Index
    methods: pd.Index
    scores: NDArray[np.float64]
    runs: Runs | None
    higher_is_better: bool | None
    refusal: BeamError | None = None
    row_datasets: Labels | None = None

    def __post_init__(self) -> None:
        """Make the scores read-only."""
        self.scores.flags.writeable = False

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
        entry = None if self.metric is None else find_metric(self.metric[0])
        return None if entry is None else entry.noise_floor

    @property
    def upper(self) -> float | None:
        """Largest value that a score of the metric can have, as far as it is known."""
        entry = None if self.metric is None else find_metric(self.metric[0])
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
            datasets=self.datasets[datasets],
            methods=self.methods[methods],
            scores=self.scores[np.ix_(datasets, methods)],
            runs=runs,
        )
