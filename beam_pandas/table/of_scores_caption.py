"""What a table of scores says of itself."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from beam_pandas.errors import count
from beam_pandas.table.marks import DIFFERS, NOT_COMPARED
from beam_pandas.table.numbers import NOTHING
from beam_pandas.table.plan import label_text

if TYPE_CHECKING:
    from beam_pandas.statistics.score_tables import ScoreTable

_VALUES: Final = {
    "mean": "mean",
    "median": "median",
    "min": "smallest",
    "max": "largest",
    "best": "best",
}
_SPREADS: Final = {"std": "standard deviation", "stderr": "standard error"}


def describe_scores(
    tables: Sequence[ScoreTable],
    *,
    spread: str | None,
    aggregate: str,
    best: str | None,
    second: str | None,
    footer: Sequence[str],
    against: Sequence[Sequence[Hashable]] | None,
    shown: set[str],
    verdict: str,
) -> str:
    """
    Write the caption.

    Parameters
    ----------
    tables : sequence of ScoreTable
        One for each metric.
    spread, aggregate, best, second, footer
        As the table was asked for.
    against : sequence of sequences of labels, optional
        For each metric the methods that the marks compare with; empty for the best of each
        dataset.
    shown : set of str
        The marks that occur.
    verdict : {"significant", "decision"}
        What the marks are read from.
    """
    parts = [_what(tables, spread, aggregate)]
    stands = [
        f"{emphasis}: {what}"
        for emphasis, what in ((best, "best of a dataset"), (second, "second best"))
        if emphasis is not None
    ]
    parts += ["; ".join([*stands, "ties included"]).capitalize()] if stands else []
    complete = all(not np.isnan(table.value).any() for table in tables)
    if not complete:
        parts.append(f"{NOTHING}: no score")
        if footer:
            parts.append(
                "The footer is over the datasets that a method has, ranks among the "
                "methods present; their number is given"
            )
    if against is not None:
        parts += _marks(against, shown, verdict)
    return ". ".join(parts) + "."


def _what(tables: Sequence[ScoreTable], spread: str | None, aggregate: str) -> str:
    """Say what a cell holds."""
    runs = np.concatenate([table.n_runs[table.n_runs > 0] for table in tables])
    low, high = int(runs.min()), int(runs.max())
    if high == 1:
        return "Scores of single runs"
    number = count(low, "run") if low == high else f"{low:,} to {high:,} runs"
    value = _VALUES[aggregate].capitalize()
    if spread is None:
        return f"{value} of {number}"
    return f"{value} ± {_SPREADS[spread]} of {number}"


def _marks(
    against: Sequence[Sequence[Hashable]], shown: set[str], verdict: str
) -> list[str]:
    """Say what the marks mean."""
    distinct = {tuple(each) for each in against}
    if len(distinct) == 1 and len(first := next(iter(distinct))) == 1:
        whom = label_text(first[0])
    else:
        whom = "the best"
    parts = []
    if DIFFERS in shown:
        how = "differs significantly from"
        if verdict == "decision":
            how = "is decided to be better or worse than"
        parts.append(f"{DIFFERS}: {how} {whom}")
    if NOT_COMPARED in shown:
        parts.append(f"{NOT_COMPARED}: not compared with {whom}")
    return parts
