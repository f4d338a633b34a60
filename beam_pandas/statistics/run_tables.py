"""Scores of runs as tables, the common ground of all that looks at runs themselves."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import (
    BeamError,
    IncompleteScoresError,
    MissingColumnsError,
    UnevenRunsError,
    check_option,
    count,
    list_labels,
    of_metric,
    warn,
)
from beam_pandas.gate.scores import RunScores, ScoreMatrix, complete_scores, read_runs
from beam_pandas.statistics.each_metric import attempt
from beam_pandas.types import (
    HigherIsBetter,
    MissingRuns,
    PairedRuns,
    UnevenRuns,
)

Floats = NDArray[np.float64]


class RunTable(NamedTuple):
    """Runs of one metric, settled."""

    matrix: ScoreMatrix  # labels and direction; its scores are not those of the runs kept
    benefit: Floats  # (n_datasets, n_methods, n_runs), more is better, NaN where missing
    expected: NDArray[np.int64]  # runs that a dataset has

    @property
    def metric(self) -> pd.Index | None:
        """The metric, as an index of one label, or None."""
        return self.matrix.metric

    @property
    def sign(self) -> float:
        """What turns the scores so that more is better, and back."""
        return -1.0 if self.matrix.higher_is_better is False else 1.0

    @property
    def n_runs(self) -> NDArray[np.int64]:
        """Number of runs of each dataset and method."""
        n_runs: NDArray[np.int64] = np.count_nonzero(~np.isnan(self.benefit), axis=2)
        return n_runs

    def take(self, datasets: NDArray[np.bool_], methods: NDArray[np.bool_]) -> RunTable:
        """Keep the datasets and methods that are marked."""
        kept = self.benefit[np.ix_(datasets, methods)]
        return RunTable(self.matrix.take(datasets, methods), kept, self.expected[datasets])


def read_paired_runs(
    frame: pd.DataFrame,
    purpose: str,
    *,
    higher_is_better: HigherIsBetter,
    uneven_runs: PairedRuns,
) -> list[RunScores]:
    """
    Read the runs of each metric for a function that pairs them by their labels.

    Parameters
    ----------
    frame, higher_is_better, uneven_runs
        As the public functions take them.
    purpose : str
        Name of the public function, for messages.

    Returns
    -------
    list of RunScores
        One for each metric, in label order; one that its own data do not allow to analyse
        says so. With ``"shared"`` all runs are there, for whoever keeps those of a pair.
    """
    check_option("uneven_runs", uneven_runs, get_args(PairedRuns))
    found = read_runs(
        frame, higher_is_better=higher_is_better, uneven_runs="ignore", paired=purpose
    )
    return [_checked(runs, purpose, uneven_runs, _ways_of_pairs(runs)) for runs in found]


def read_run_tables(
    frame: pd.DataFrame,
    purpose: str,
    *,
    higher_is_better: HigherIsBetter,
    uneven_runs: UnevenRuns,
) -> list[RunTable | BeamError]:
    """
    Read the runs of each metric for a function that does not pair them.

    Parameters as in `read_paired_runs`.

    Returns
    -------
    list of RunTable or BeamError
        One for each metric, in label order; an error where the data of the metric refuse.
        The runs of a cell are in ascending order, in as many places as the largest number
        of runs.
    """
    check_option("uneven_runs", uneven_runs, get_args(UnevenRuns))
    found = read_runs(frame, higher_is_better=higher_is_better, uneven_runs="ignore")
    return [attempt(_settle, runs, purpose, uneven_runs) for runs in found]


def complete_runs(table: RunTable, missing: MissingRuns, purpose: str) -> RunTable:
    """
    Bring a table to completeness: at least a run of each method on each dataset.

    Parameters
    ----------
    table : RunTable
        Runs of one metric.
    missing : {"raise", "drop_datasets", "drop_methods", "largest_block"}
        What to do if a method has no run on a dataset.
    purpose : str
        Name of the public function, for messages.

    Raises
    ------
    IncompleteScoresError
        If a cell is empty and `missing` is ``"raise"``.
    BeamError
        If nothing would be left.
    """
    holes = table.n_runs == 0
    if not holes.any():
        return table
    if missing == "raise":
        raise of_metric(_incomplete(table, holes, purpose))
    datasets, methods = _kept(table, holes, missing, purpose)
    if not (datasets.any() and methods.any()):
        raise of_metric(
            BeamError(
                f"{purpose} needs a method and a dataset, missing={missing!r} leaves "
                f"{count(int(methods.sum()), 'method')} and "
                f"{count(int(datasets.sum()), 'dataset')}{table.matrix.place}"
            )
        )
    return table.take(datasets, methods)


def _checked(runs: RunScores, purpose: str, uneven_runs: str, ways: list[str]) -> RunScores:
    """Let runs that are uneven refuse an analysis, where that was asked for."""
    described = runs.matrix.runs
    if uneven_runs != "raise" or runs.refusal is not None or described is None:
        return runs
    if not described.uneven.any():
        return runs
    refusal = of_metric(_uneven(runs.matrix, described.uneven, purpose, ways))
    return replace(runs, matrix=replace(runs.matrix, refusal=refusal))


def _ways_of_pairs(runs: RunScores) -> list[str]:
    """Say what is left of uneven runs where each pair is looked at by itself."""
    present = np.count_nonzero(~np.isnan(runs.scores), axis=1)
    if not np.any(present > 1):
        return ["no two methods have a run in common"]
    return ["uneven_runs='shared' compares each pair on the runs that both have"]


def _ways_of_all(runs: RunScores) -> list[str]:
    """Say what each choice of `uneven_runs` leaves, but for one that leaves nothing."""
    described = runs.matrix.runs
    if described is None or not described.n_runs.any():
        return []
    found = described.n_runs[described.n_runs > 0]
    ways = [
        f"uneven_runs='ignore' takes what is there, {found.min():,} to {found.max():,} runs"
    ]
    if described.n_shared is not None and described.n_shared.any():
        n_scored = np.count_nonzero(described.n_runs, axis=1)
        kept = int((described.n_shared * n_scored).sum())
        left = int(np.count_nonzero(described.n_shared))
        ways.insert(
            0,
            "uneven_runs='shared' keeps the runs that all methods with a score there "
            f"have, {kept:,} of {int(found.sum()):,} scores on {count(left, 'dataset')}",
        )
    return ways


def _settle(runs: RunScores, purpose: str, uneven_runs: UnevenRuns) -> RunTable:
    """Keep the runs that count, in ascending order."""
    if uneven_runs == "shared" and not runs.is_labelled:
        raise MissingColumnsError(
            "uneven_runs='shared' needs a column 'run' that names the runs (fold, seed or "
            "repeat), the frame has none: df.rename(columns={...: 'run'}) or "
            "df.assign(run=...)"
        )
    matrix = runs.matrix
    refusal = _checked(runs, purpose, uneven_runs, _ways_of_all(runs)).refusal
    if refusal is not None:
        raise refusal
    benefit = runs.benefit
    expected = np.ones(len(benefit), dtype=np.int64)
    if matrix.runs is not None:
        expected = matrix.runs.expected
    table = RunTable(matrix, benefit, expected)
    if uneven_runs == "shared":
        table = _keep_shared(table)
    ascending = np.sort(table.benefit, axis=2)  # NaN come last
    width = int(table.n_runs.max(initial=0))
    return table._replace(benefit=ascending[:, :, :width])


def _keep_shared(table: RunTable) -> RunTable:
    """Keep, on each dataset, the runs that all methods have that have a run there."""
    present = ~np.isnan(table.benefit)
    absent = ~np.any(present, axis=2)
    shared = np.all(present | absent[:, :, None], axis=1)
    kept = np.any(shared, axis=1)
    if not kept.all():
        lost = ~kept
        message = (
            f"{count(int(lost.sum()), 'dataset')} on which the methods share no run"
            f"{table.matrix.place}: {list_labels(table.matrix.datasets[lost])}"
        )
        if lost.all():
            raise of_metric(BeamError(f"uneven_runs='shared' leaves nothing: {message}"))
        warn(f"uneven_runs='shared' leaves out {message}")
    benefit = np.where(shared[:, None], table.benefit, np.nan)
    table = RunTable(table.matrix, benefit, shared.sum(axis=1))
    return table.take(kept, np.ones(benefit.shape[1], dtype=bool))


def _kept(
    table: RunTable, holes: NDArray[np.bool_], missing: str, purpose: str
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Choose the datasets and methods that stay."""
    n_datasets, n_methods = holes.shape
    everything = np.ones(n_datasets, dtype=bool), np.ones(n_methods, dtype=bool)
    if missing == "drop_datasets":
        return ~np.any(holes, axis=1), everything[1]
    if missing == "drop_methods" or n_datasets < 2:
        return everything[0], ~np.any(holes, axis=0)
    if n_methods < 2:
        return ~np.any(holes, axis=1), everything[1]
    scores = np.where(holes, np.nan, 0.0)
    block = complete_scores(replace(table.matrix, scores=scores), "largest_block", purpose)
    return (
        np.isin(np.arange(n_datasets), table.matrix.datasets.get_indexer(block.datasets)),
        np.isin(np.arange(n_methods), table.matrix.methods.get_indexer(block.methods)),
    )


def _incomplete(
    table: RunTable, holes: NDArray[np.bool_], purpose: str
) -> IncompleteScoresError:
    """Refuse missing scores, and say what each choice of `missing` would leave."""
    matrix, ways = table.matrix, []
    for choice in get_args(MissingRuns)[1:]:
        kept = attempt(_kept, table, holes, choice, purpose)
        if isinstance(kept, BeamError):
            continue
        n_datasets, n_methods = (int(part.sum()) for part in kept)
        if n_datasets and n_methods:
            ways.append(
                f"missing={choice!r} keeps {count(n_methods, 'method')} on "
                f"{count(n_datasets, 'dataset')}"
            )
    shown = _who(holes, matrix, "datasets")
    return IncompleteScoresError(
        f"{purpose} needs a score of every method on every dataset{matrix.place}, found "
        f"missing scores: {shown}. {', '.join(ways)}; improvement() compares each pair on "
        "the datasets that both have"
    )


def _uneven(
    matrix: ScoreMatrix, uneven: NDArray[np.bool_], purpose: str, ways: list[str]
) -> UnevenRunsError:
    """Refuse methods that have different runs on a dataset, and say what can be done."""
    some = (matrix.n_runs_missing > 0) & (matrix.n_runs > 0) & uneven[:, None]
    return UnevenRunsError(
        f"{purpose} needs the same runs of all methods on a dataset{matrix.place}, found "
        f"that {_who(some, matrix, 'runs')}: {', or '.join(ways)}"
    )


def _who(lacking: NDArray[np.bool_], matrix: ScoreMatrix, what: str) -> str:
    """Name the methods that lack something, at most five, and where."""
    who = np.flatnonzero(np.any(lacking, axis=0))
    shown = []
    for at, name in zip(who[:5], matrix.methods.take(who[:5]).tolist(), strict=True):
        here = lacking[:, at]
        where = list_labels(matrix.datasets[here])
        if what == "runs":
            number = int(matrix.n_runs_missing[here, at].sum())
            shown.append(f"{name!r} lacks {count(number, 'run')} on {where}")
        elif here.all():
            shown.append(f"{name!r} lacks all {count(len(here), 'dataset')}")
        else:
            shown.append(
                f"{name!r} lacks {here.sum():,} of {len(here):,} datasets ({where})"
            )
    more = f" and {len(who) - 5:,} more methods" if len(who) > 5 else ""
    return f"{', '.join(shown)}{more}"
