"""What the multi-comparison matrix shows, read from a result of pairs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, count, list_labels, plain
from beam_pandas.plot.numbers import number_format, p_text, signed
from beam_pandas.plot.panels import Panel, as_labels, panel_key, read_panels
from beam_pandas.plot.score_tables import (
    ScoreTable,
    best_first,
    chosen_first,
    read_score_tables,
)
from beam_pandas.plot.text import raw_text
from beam_pandas.results.squares import to_matrix

_PICTURE: Final = "pairwise"
_PAIR: Final = ("method_1", "method_2")
_COUNTS: Final = ("wins", "ties", "losses")
_OTHERS: Final = (
    "ranks must be the result of beam_pandas.ranks of the scores that the pairs are of"
)
_NEEDED: Final = (*_PAIR, *_COUNTS, "mean_diff", "p_adjusted", "significant")
_MOST_LINES: Final = 500  # drawing one takes a thousandth of a second or two


class PairMap(NamedTuple):
    """One panel: rows against columns, best first."""

    title: str
    unit: str  # of the mean difference, empty if it has no name
    rows: list[str]
    columns: list[str]
    is_against: bool  # columns are references alone
    mean_diff: NDArray[np.float64]
    parts: NDArray[Any]  # texts of each cell: difference, counts, p-value
    is_significant: NDArray[np.bool_]
    limit: float  # of the colours
    mean_name: str  # of the column of mean scores, empty if there is none
    means: list[str]
    has_gaps: bool  # some mean is one of fewer datasets

    @property
    def explanation(self) -> str:
        """Say what stands in the cells."""
        told = "mean difference, " if (self.parts[:, :, 0] != "").any() else ""
        return f"{told}wins/ties/losses, adjusted p"


def read_pair_maps(
    result: pd.DataFrame,
    ranks: pd.DataFrame | None,
    reference: Hashable | Sequence[Hashable] | None,
    order: Sequence[Hashable] | None,
) -> list[PairMap]:
    """Read a result of pairs and, if given, the scores that it was made of."""
    panels = read_panels(result, _NEEDED, _PICTURE, (_PICTURE,))
    if ranks is None:
        return [_read_map(panel, None, reference, order) for panel in panels]
    tables = {
        table.key: table for table in read_score_tables(ranks, _PICTURE, needs_ranks=False)
    }
    found = [tables.get(panel_key(panel.part, (_PICTURE,))) for panel in panels]
    if None in found:
        raise BeamError(_OTHERS)
    return [
        _read_map(panel, table, reference, order)
        for panel, table in zip(panels, found, strict=True)
    ]


def _read_map(
    panel: Panel,
    table: ScoreTable | None,
    reference: Hashable | Sequence[Hashable] | None,
    order: Sequence[Hashable] | None,
) -> PairMap:
    """Read one panel."""
    pairs = panel.part[list(_NEEDED)]
    squares = {name: to_matrix(pairs, name) for name in _NEEDED[2:]}
    methods = [plain(label) for label in squares["mean_diff"].index]
    value = {
        name: square.to_numpy(dtype=np.float64, na_value=np.nan)
        for name, square in squares.items()
    }
    control = _find_control(value["wins"], panel.title)
    rows = chosen_first(order, methods)
    if rows is None:
        rows = _best_first(value["mean_diff"], control)
    columns = rows
    if reference is not None:
        columns = np.array([methods.index(at) for at in _labels(reference, methods)])
    elif control is not None:
        columns = np.array([control])
    among = np.ix_(rows, columns)
    shown = {name: square[among] for name, square in value.items()}
    means = _means(table, [methods[at] for at in rows])
    metric = panel.part["metric"].iloc[0] if "metric" in panel.part.columns else None
    return PairMap(
        title=panel.title,
        unit="" if metric is None else raw_text(metric),
        rows=[raw_text(methods[at]) for at in rows],
        columns=[raw_text(methods[at]) for at in columns],
        is_against=columns is not rows,
        mean_diff=shown["mean_diff"],
        parts=_write(shown),
        is_significant=shown["significant"] > 0,
        limit=float(np.nanmax(np.abs(shown["mean_diff"]), initial=0.0)) or 1.0,
        mean_name="" if table is None else f"mean {table.unit}",
        means=means,
        has_gaps=any(text.endswith("*") for text in means),
    )


def _labels(reference: Any, methods: list[Hashable]) -> list[Hashable]:
    """Read the references, each once."""
    chosen = as_labels(reference, methods, "reference")
    if not chosen or len(set(chosen)) < len(chosen):
        raise BeamError(
            f"reference must name one method or more, each once, got {list_labels(chosen)}"
        )
    return chosen


def _find_control(wins: NDArray[np.float64], title: str) -> int | None:
    """Find the method that all pairs are with, if these are not all pairs."""
    is_there = ~np.isnan(wins)
    size = len(wins)
    n_pairs = int(is_there.sum()) // 2
    if n_pairs == size * (size - 1) // 2:
        return None
    full = np.flatnonzero(is_there.sum(axis=1) == size - 1)
    if n_pairs == size - 1 and len(full) == 1:
        return int(full[0])
    place = f" of {title}" if title else ""
    raise BeamError(
        f"plot.{_PICTURE} needs all pairs{place}, or those with one control, found "
        f"{n_pairs} of the {size * (size - 1) // 2} of {count(size, 'method')}: pass the "
        "whole result of beam_pandas.pairwise, and what to show as order= or reference="
    )


def _best_first(mean_diff: NDArray[np.float64], control: int | None) -> NDArray[np.intp]:
    """Order by the mean difference from the others, or from the control alone."""
    if control is not None:
        standing = mean_diff[:, control].copy()
        standing[control] = 0.0
        return best_first(standing)
    known = ~np.isnan(mean_diff)
    total = np.where(known, mean_diff, 0.0).sum(axis=1)
    n_known = known.sum(axis=1)
    mean = np.where(n_known > 0, total / np.maximum(n_known, 1), np.nan)
    return best_first(mean)


def _means(table: ScoreTable | None, methods: list[Hashable]) -> list[str]:
    """Write the mean score of each method, with a star where some are missing."""
    if table is None:
        return []
    if set(methods) - set(table.methods):
        raise BeamError(_OTHERS)
    known = table.scores[:, [table.methods.index(method) for method in methods]]
    n_known = (~np.isnan(known)).sum(axis=0)
    total = np.nansum(known, axis=0)
    mean = np.where(n_known > 0, total / np.maximum(n_known, 1), np.nan)
    most = int((~np.isnan(table.scores).all(axis=1)).sum())
    form = number_format(mean)
    return [
        "" if np.isnan(value) else f"{value:{form}}" + "*" * bool(n < most)
        for value, n in zip(mean, n_known, strict=True)
    ]


def _write(shown: dict[str, NDArray[np.float64]]) -> NDArray[Any]:
    """Write difference, counts and p-value of each cell, nothing where there are none."""
    difference = shown["mean_diff"]
    texts = np.full((*difference.shape, 3), "", dtype=object)
    form = number_format(difference)
    known = np.argwhere(~np.isnan(difference))
    is_told = 3 * len(known) <= _MOST_LINES  # else by the colours alone
    for at in known:
        cell = tuple(at)
        counts = "/".join(f"{shown[name][cell]:.0f}" for name in _COUNTS)
        number = signed(float(difference[cell]), form) if is_told else ""
        texts[cell] = (number, counts, p_text(float(shown["p_adjusted"][cell])))
    return texts
