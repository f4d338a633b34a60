"""What a critical difference diagram shows, read from either result that has it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError
from beam_pandas.plot.panels import Panel, read_panels

_PICTURE: Final = "critical_difference"
_MAKERS: Final = ("critical_difference", "compare_to_control")
_CLIQUES: Final = ("method", "mean_rank", "groups", "critical_difference")
_CONTROL: Final = (
    "control",
    "method",
    "n_datasets",
    "rank_diff",
    "critical_difference",
    "significant",
)


class Diagram(NamedTuple):
    """One panel: methods best first, and the bars that say who differs."""

    title: str
    methods: list[Hashable]
    ranks: NDArray[np.float64]
    bars: list[tuple[float, float]]  # first and last mean rank, first ascending
    gap: float  # the critical difference; NaN if there is none
    control: int | None  # position of the control
    is_apart: NDArray[np.bool_]  # differs significantly from the control


def read_diagrams(result: pd.DataFrame) -> list[Diagram]:
    """Read the result of `critical_difference` or of `compare_to_control`."""
    is_control = isinstance(result, pd.DataFrame) and "control" in result.columns
    needed = _CONTROL if is_control else _CLIQUES
    panels = read_panels(result, needed, _PICTURE, _MAKERS)
    return [(_read_control if is_control else _read_cliques)(panel) for panel in panels]


def _read_cliques(panel: Panel) -> Diagram:
    """Take the bars from the letters in `groups`: a bar for each letter of several."""
    part = panel.part.sort_values("mean_rank", kind="stable")
    ranks = part["mean_rank"].to_numpy(dtype=np.float64)
    members: dict[str, list[int]] = {}
    for at, letters in enumerate(part["groups"]):
        for letter in str(letters).split(","):
            members.setdefault(letter, []).append(at)
    bars = [
        (float(ranks[positions[0]]), float(ranks[positions[-1]]))
        for positions in members.values()
        if len(positions) > 1
    ]
    return Diagram(
        title=panel.title,
        methods=part["method"].tolist(),
        ranks=_checked(ranks, panel),
        bars=sorted(bars),
        gap=_only(part["critical_difference"], panel),
        control=None,
        is_apart=np.ones(len(part), dtype=bool),
    )


def _read_control(panel: Panel) -> Diagram:
    """
    Recover the mean ranks from their differences to the control.

    The mean ranks of k methods sum to k (k + 1) / 2, and the differences are those of the
    control minus those of the others.
    """
    part = panel.part
    if len(part["control"].unique()) > 1:
        raise BeamError("plot.critical_difference needs one control for each panel")
    gap = _only(part["critical_difference"], panel)
    difference = pd.to_numeric(part["rank_diff"], errors="coerce").to_numpy(np.float64)
    n_datasets = pd.to_numeric(part["n_datasets"], errors="coerce").iloc[0]
    if not (np.isfinite(difference).all() and np.isfinite(n_datasets)):
        raise BeamError("columns 'rank_diff' and 'n_datasets' must hold finite numbers")
    if part["significant"].isna().any():
        raise BeamError("column 'significant' must be True or False, found missing values")
    k = len(part) + 1
    of_control = (k + 1) / 2.0 + difference.sum() / k
    doubled = 2.0 * n_datasets * of_control
    ranks = np.concatenate([[of_control], of_control - difference])
    if abs(doubled - round(doubled)) > 1e-6 * max(1.0, doubled):
        raise BeamError(
            "plot.critical_difference needs a row for every method compared with the "
            f"control, found {len(part)} rows whose mean ranks do not add up: pass the "
            "whole result of beam_pandas.compare_to_control"
        )
    order = np.argsort(ranks, kind="stable")
    methods = [part["control"].iloc[0], *part["method"].tolist()]
    is_apart = np.concatenate([[False], part["significant"].to_numpy(dtype=bool)])
    bars = [] if np.isnan(gap) else [(float(of_control - gap), float(of_control + gap))]
    return Diagram(
        title=panel.title,
        methods=[methods[at] for at in order],
        ranks=_checked(ranks[order], panel),
        bars=bars,
        gap=gap,
        control=int(np.flatnonzero(order == 0)[0]),
        is_apart=is_apart[order],
    )


def _only(column: pd.Series, panel: Panel) -> float:
    """Give the one value of a column."""
    values = column.unique()
    if len(values) > 1:
        place = f" in {panel.title!r}" if panel.title else ""
        raise BeamError(
            f"{column.name} needs one value{place}, found {len(values)}: pass the result "
            "of one call, or keep what tells results apart in columns before 'method'"
        )
    return float(values[0])


def _checked(ranks: NDArray[np.float64], panel: Panel) -> NDArray[np.float64]:
    """Refuse mean ranks that no rank axis has."""
    if len(ranks) < 2:
        raise BeamError(f"plot.critical_difference needs two methods, found {len(ranks)}")
    if not (np.isfinite(ranks).all() and ranks[0] > 1 - 1e-9):
        raise BeamError(
            "mean ranks must be numbers from 1, found "
            f"{panel.part.shape[0]} rows with others among them"
        )
    return ranks
