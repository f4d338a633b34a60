"""Counts of pairwise comparison, the common ground of all that looks at pairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.gate.scores import ScoreMatrix, read_scores
from beam_pandas.kernels.order import Relation, majority_relation
from beam_pandas.kernels.pair_counts import PairCounts, count_pairs
from beam_pandas.statistics.rope import resolve_ropes
from beam_pandas.types import Aggregate, HigherIsBetter, Rope


class Pairs(NamedTuple):
    """All pairs of methods of one metric: each once, in label order."""

    matrix: ScoreMatrix
    rope: float
    counts: PairCounts
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    wins: NDArray[np.int64]  # datasets on which the first outperforms the second
    losses: NDArray[np.int64]  # on which the second outperforms the first
    shared: NDArray[np.int64]  # that both have

    @property
    def metric(self) -> pd.Index | None:
        """The metric, as an index of one label, or None."""
        return self.matrix.metric

    @property
    def methods(self) -> pd.Index:
        """Methods in label order."""
        return self.matrix.methods

    @property
    def ties(self) -> NDArray[np.int64]:
        """Datasets on which each pair is within the rope."""
        return self.shared - self.wins - self.losses

    def labels_and_counts(self) -> dict[str, Any]:
        """Give the columns that every result with a row for each pair begins with."""
        return {
            "method_1": self.methods.take(self.first),
            "method_2": self.methods.take(self.second),
            "n_datasets": self.shared,
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "rope": np.full(len(self.first), self.rope),
        }

    @property
    def relation(self) -> Relation:
        """Who outperforms whom on most of the shared datasets."""
        return majority_relation(self.counts.wins, self.counts.shared)


def read_pairs(
    frame: pd.DataFrame,
    *,
    rope: Rope,
    higher_is_better: HigherIsBetter,
    aggregate: Aggregate,
) -> Iterator[Pairs]:
    """
    Count the pairs of each metric.

    Parameters
    ----------
    frame, rope, higher_is_better, aggregate
        As the public functions take them.

    Yields
    ------
    Pairs
        One for each metric, in label order.
    """
    matrices = list(
        read_scores(frame, higher_is_better=higher_is_better, aggregate=aggregate)
    )
    ropes = resolve_ropes(rope, matrices)
    for matrix, width in zip(matrices, ropes, strict=True):
        first, second = np.triu_indices(len(matrix.methods), k=1)
        counts = count_pairs(matrix.benefit, width)
        yield Pairs(
            matrix=matrix,
            rope=width,
            counts=counts,
            first=first,
            second=second,
            wins=counts.wins[first, second],
            losses=counts.wins[second, first],
            shared=counts.shared[first, second],
        )
