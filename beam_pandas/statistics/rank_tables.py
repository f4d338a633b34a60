"""Complete tables of ranks, the common ground of the tests on mean ranks."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, check_option, count, list_labels, of_metric, warn
from beam_pandas.gate.scores import ScoreMatrix, complete_scores, read_scores
from beam_pandas.kernels.critical_gap import beyond
from beam_pandas.kernels.row_ranks import rank_rows
from beam_pandas.kernels.small_samples import fewest_separating_datasets
from beam_pandas.results.letters import name_letters as name_letters
from beam_pandas.statistics.each_metric import attempt
from beam_pandas.types import Aggregate, HigherIsBetter, Missing, MissingRanks, UnevenRuns


class MeanRanks(NamedTuple):
    """Ranks of one metric, on a complete table unless told otherwise, and their means."""

    matrix: ScoreMatrix
    before: pd.Index  # the methods before incomplete ones were dropped
    ranks: NDArray[np.float64]  # a row for each dataset
    mean: NDArray[np.float64]  # in label order, over the datasets that a method has
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

    @property
    def doubled_sums(self) -> NDArray[np.int64]:
        """Twice the sum of the ranks of each method, a whole number."""
        doubled = np.rint(2.0 * self.ranks).astype(np.int64)
        sums: NDArray[np.int64] = doubled.sum(axis=0)
        return sums

    def position(self, control: Hashable) -> int:
        """Find a method by its label."""
        return find_control(control, self.matrix, self.before)

    def too_large(self, most_datasets: int) -> BeamError:
        """Say how large a table may be for an exact p-value."""
        size = count(self.n_methods, "method")
        if most_datasets >= 2:
            goes = f"goes to {count(most_datasets, 'dataset')} with such ties"
        else:
            goes = "goes to no table of so many methods with such ties"
        return of_metric(
            BeamError(
                f"exact=True with {size} {goes}, found "
                f"{count(self.n_datasets, 'dataset')}{self.matrix.place}: leave exact out"
            )
        )

    def warn_if_hopeless(
        self,
        gap: float,
        who: str = "no two methods can differ",
        *,
        alpha: float | None = None,
    ) -> None:
        """Warn if mean ranks cannot be further apart than the critical difference."""
        if separates(self.n_methods, gap):
            return
        needed = ""
        if alpha is not None:
            fewest = fewest_separating_datasets(self.n_methods, alpha)
            needed = f"; the sign test of all pairs with Holm needs {fewest:,} (resolution)"
        warn(
            f"{who}{self.matrix.place}, whatever the scores: the "
            f"critical difference {gap:.4g} is no less than {self.n_methods - 1}, the "
            f"largest possible gap of {count(self.n_methods, 'method')}; "
            f"{count(self.n_datasets, 'dataset')} are too few{needed}"
        )


def separates(n_methods: int, gap: float) -> bool:
    """Tell whether two mean ranks can be further apart than a critical difference."""
    return bool(beyond(np.array(n_methods - 1.0), gap))


def find_control(
    control: Hashable, matrix: ScoreMatrix, before: pd.Index | None = None
) -> int:
    """
    Find the method that others are compared with.

    Parameters
    ----------
    control : label
        As the caller gave it.
    matrix : ScoreMatrix
        Scores of one metric.
    before : Index, optional
        The methods before incomplete ones were dropped.

    Raises
    ------
    BeamError
        If it is none of the methods.
    """
    try:
        found = matrix.methods.get_loc(control)
    except (KeyError, TypeError, ValueError, pd.errors.InvalidIndexError):
        found = None
    if isinstance(found, int) and not isinstance(control, (bool, np.bool_)):
        return found
    is_label = pd.api.types.is_scalar(control) and not isinstance(control, (bool, np.bool_))
    known = is_label and before is not None and before.astype(object).isin([control]).any()
    dropped = "; it lacks datasets, missing='drop_methods' drops it" if known else ""
    raise of_metric(
        BeamError(
            f"control must be one of the methods {list_labels(matrix.methods)}"
            f"{matrix.place}, got {control!r}{dropped}"
        )
    )


def read_mean_ranks(
    frame: pd.DataFrame,
    purpose: str,
    *,
    higher_is_better: HigherIsBetter,
    aggregate: Aggregate,
    uneven_runs: UnevenRuns,
    missing: Missing,
) -> list[MeanRanks | BeamError]:
    """
    Rank the complete table of each metric.

    Parameters
    ----------
    frame, higher_is_better, aggregate, uneven_runs, missing
        As the public functions take them.
    purpose : str
        Name of the public function, for messages.

    Returns
    -------
    list of MeanRanks or BeamError
        One for each metric, in label order; an error where the data of the metric refuse.
    """
    check_option("missing", missing, get_args(Missing))
    matrices = read_scores(
        frame,
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        uneven_runs=uneven_runs,
    )
    return rank_matrices(matrices, missing, purpose)


def rank_matrices(
    matrices: Iterable[ScoreMatrix], missing: MissingRanks, purpose: str
) -> list[MeanRanks | BeamError]:
    """
    Rank the scores of each metric, completed as told.

    Parameters
    ----------
    matrices : iterable of ScoreMatrix
        One for each metric.
    missing : text
        As the public functions take it. With ``"available"`` what is missing stays so: a
        rank is among the methods present, a mean over the datasets that the method has.
    purpose : str
        Name of the public function, for messages.

    Returns
    -------
    list of MeanRanks or BeamError
        One for each metric, in label order; an error where the data of the metric refuse.
    """
    kept = "worst" if missing == "available" else missing  # which leaves the gaps
    tables = [
        (matrix.methods, attempt(complete_scores, matrix, kept, purpose))
        for matrix in matrices
    ]
    complete = [table for _, table in tables if not isinstance(table, BeamError)]
    ranks = iter(rank_tables([table.turned for table in complete], missing == "worst"))
    return [
        table if isinstance(table, BeamError) else _mean_ranks(table, before, next(ranks))
        for before, table in tables
    ]


def rank_tables(
    tables: Sequence[NDArray[np.float64]], missing_is_worst: bool
) -> list[NDArray[np.float64]]:
    """Rank the rows of several tables, those of as many methods all at once."""
    ranked: dict[int, list[NDArray[np.float64]]] = {}
    widths = [table.shape[1] for table in tables]
    for width in set(widths):
        same = [table for table in tables if table.shape[1] == width]
        ranks = rank_rows(np.concatenate(same))
        if missing_is_worst:  # ranks of ranks are the same, and a last place can be added
            ranks = rank_rows(-np.where(np.isnan(ranks), width + 1.0, ranks))
        ends = np.cumsum([len(table) for table in same])[:-1]
        ranked[width] = list(reversed(np.split(ranks, ends)))
    return [ranked[width].pop() for width in widths]


def _mean_ranks(
    matrix: ScoreMatrix, before: pd.Index, ranks: NDArray[np.float64]
) -> MeanRanks:
    mean = ranks.sum(axis=0) / max(1, len(ranks))
    if np.isnan(mean).any():  # of the datasets that a method has
        present = ~np.isnan(ranks)
        total = np.where(present, ranks, 0.0).sum(axis=0)
        mean = np.full(ranks.shape[1], np.nan)
        np.divide(total, present.sum(axis=0), out=mean, where=present.any(axis=0))
    return MeanRanks(matrix, before, ranks, mean, mean.argsort(kind="stable"))


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
