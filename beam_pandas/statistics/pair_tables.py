"""Counts of pairwise comparison, the common ground of all that looks at pairs."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, check_option
from beam_pandas.gate.scores import ScoreMatrix, read_scores
from beam_pandas.kernels.all_pairs import list_pairs
from beam_pandas.kernels.order import Relation, majority_relation
from beam_pandas.kernels.pair_counts import PairCounts, count_missing_as_worst
from beam_pandas.labels import Picked
from beam_pandas.statistics.each_metric import attempt
from beam_pandas.statistics.rank_tables import find_control
from beam_pandas.statistics.rope import Ropes, resolve_ropes
from beam_pandas.types import Aggregate, HigherIsBetter, MissingPairs, Rope, UnevenRuns

#: Adjustments that need hypotheses whose truth is transitive, as equality of mean ranks.
LOGICAL_ADJUSTMENTS = ("shaffer", "bergmann_hommel")


def refuse_logical_adjustment(adjust: object, test: str) -> None:
    """
    Refuse Shaffer and Bergmann-Hommel where hypotheses are no equalities.

    That A and B win as often as they lose, and B and C, does not say it of A and C: with
    orders B>A>C, A>B>C, A>C>B and C>B>A at a quarter each two of three hypotheses are
    true, and Shaffer's procedure makes false claims in more than alpha of the tables.
    """
    if isinstance(adjust, str) and adjust in LOGICAL_ADJUSTMENTS:
        raise BeamError(
            f"adjust={adjust!r} needs hypotheses that are transitive, and those of the "
            f"{test} are not: use adjust='holm' or 'hommel', or mean_rank_tests"
        )


class Pairs(NamedTuple):
    """All pairs of methods of one metric, or those with a control: each once, in order."""

    matrix: ScoreMatrix
    rope: float  # NaN where it differs by dataset
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
            "method_1": Picked(self.methods, self.first),
            "method_2": Picked(self.methods, self.second),
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


def choose_pairs(
    n_methods: int, control: int | None = None
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """List all pairs, each once in label order, or only those with a control."""
    if control is None:
        return list_pairs(n_methods)
    others = np.delete(np.arange(n_methods), control)
    return np.minimum(others, control), np.maximum(others, control)


def read_pairs(
    frame: pd.DataFrame,
    *,
    rope: Rope,
    higher_is_better: HigherIsBetter,
    aggregate: Aggregate,
    uneven_runs: UnevenRuns,
    missing: MissingPairs,
    control: Hashable | None = None,
) -> list[Pairs | BeamError]:
    """
    Count the pairs of each metric.

    Parameters
    ----------
    frame, rope, higher_is_better, aggregate, uneven_runs, missing, control
        As the public functions take them.

    Returns
    -------
    list of Pairs or BeamError
        One for each metric, in label order; an error where the data of the metric refuse.
    """
    check_option("missing", missing, get_args(MissingPairs))
    matrices = list(
        read_scores(
            frame,
            higher_is_better=higher_is_better,
            aggregate=aggregate,
            uneven_runs=uneven_runs,
        )
    )
    ropes = resolve_ropes(rope, matrices, frame)
    return [
        attempt(count_matrix, matrix, width, missing == "worst", control)
        for matrix, width in zip(matrices, ropes, strict=True)
    ]


def count_matrix(
    matrix: ScoreMatrix,
    rope: Ropes,
    missing_is_worst: bool,
    control: Hashable | None = None,
) -> Pairs:
    """Count the pairs of a metric."""
    if matrix.refusal is not None:
        raise matrix.refusal
    at = None if control is None else find_control(control, matrix)
    first, second = choose_pairs(len(matrix.methods), at)
    counts = rope.count_pairs(matrix)
    if missing_is_worst:
        counts = count_missing_as_worst(counts, matrix.benefit)
    return Pairs(
        matrix=matrix,
        rope=rope.width,
        counts=counts,
        first=first,
        second=second,
        wins=counts.wins[first, second],
        losses=counts.wins[second, first],
        shared=counts.shared[first, second],
    )
