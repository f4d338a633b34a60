"""Complete tables of ranks, the common ground of the tests on mean ranks."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, count, list_labels, warn
from beam_pandas.gate.scores import ScoreMatrix, complete_scores, read_scores
from beam_pandas.kernels.row_ranks import rank_rows
from beam_pandas.types import Aggregate, HigherIsBetter, Missing


class MeanRanks(NamedTuple):
    """Ranks of one metric on a complete table, and their means."""

    matrix: ScoreMatrix
    before: pd.Index  # the methods before incomplete ones were dropped
    ranks: NDArray[np.float64]  # a row for each dataset
    mean: NDArray[np.float64]  # in label order
    order: NDArray[np.intp]  # best first, equal means in label order

    @property
    def metric(self) -> pd.Index | None:
        """The metric, as an index of one label, or None."""
        return self.matrix.metric

    @property
    def methods(self) -> pd.Index:
        """Methods in label order."""
        return self.matrix.methods

    @property
    def n_datasets(self) -> int:
        """Number of datasets, N."""
        return int(self.ranks.shape[0])

    @property
    def n_methods(self) -> int:
        """Number of methods, k."""
        return int(self.ranks.shape[1])

    def position(self, control: Hashable) -> int:
        """Find a method by its label."""
        try:
            found = self.methods.get_loc(control)
        except (KeyError, TypeError, ValueError, pd.errors.InvalidIndexError):
            found = None
        if not isinstance(found, int) or isinstance(control, (bool, np.bool_)):
            known = pd.api.types.is_scalar(control) and (
                self.before.astype(object).isin([control]).any()
            )
            dropped = (
                "; it lacks datasets, missing='drop_methods' drops it" if known else ""
            )
            raise BeamError(
                f"control must be one of the methods {list_labels(self.methods)}"
                f"{self.matrix.place}, got {control!r}{dropped}"
            )
        return found

    def warn_if_hopeless(self, gap: float, who: str = "no two methods can differ") -> None:
        """Warn if mean ranks cannot be further apart than the critical difference."""
        largest = self.n_methods - 1
        if gap >= largest:
            warn(
                f"{who}{self.matrix.place}, whatever the scores: the "
                f"critical difference {gap:.4g} is no less than {largest}, the largest "
                f"possible gap of {count(self.n_methods, 'method')}; "
                f"{count(self.n_datasets, 'dataset')} are too few"
            )


def read_mean_ranks(
    frame: pd.DataFrame,
    purpose: str,
    *,
    higher_is_better: HigherIsBetter,
    aggregate: Aggregate,
    missing: Missing,
) -> Iterator[MeanRanks]:
    """
    Rank the complete table of each metric.

    Parameters
    ----------
    frame, higher_is_better, aggregate, missing
        As the public functions take them.
    purpose : str
        Name of the public function, for messages.

    Yields
    ------
    MeanRanks
        One for each metric, in label order.
    """
    for matrix in read_scores(
        frame, higher_is_better=higher_is_better, aggregate=aggregate
    ):
        complete = complete_scores(matrix, missing, purpose)
        ranks = rank_rows(complete.benefit)
        mean = ranks.sum(axis=0) / ranks.shape[0]
        order = np.argsort(mean, kind="stable")
        yield MeanRanks(complete, matrix.methods, ranks, mean, order)


def group_letters(
    first: NDArray[np.intp], last: NDArray[np.intp], n_methods: int
) -> list[str]:
    """
    Name the cliques of each method: a to z, then aa, as columns of a spreadsheet.

    Parameters
    ----------
    first, last : ndarray of intp, shape (n_cliques,)
        Position of the first and the last member of each clique, ascending.
    n_methods : int
        Number of methods.

    Returns
    -------
    list of str
        For each method the letters of its cliques, joined by commas.
    """
    names = name_letters(len(first))
    position = np.arange(n_methods)
    start = np.searchsorted(last, position, side="left").tolist()
    stop = np.searchsorted(first, position, side="right").tolist()
    return [",".join(names[a:b]) for a, b in zip(start, stop, strict=True)]


def name_letters(number: int) -> list[str]:
    """Name so many groups: a to z, then aa, as columns of a spreadsheet."""
    return [_letters(at) for at in range(number)]


def _letters(number: int) -> str:
    """Write a number from 0 in letters: 0 is a, 25 is z, 26 is aa."""
    text = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        text = chr(ord("a") + digit) + text
    return text
