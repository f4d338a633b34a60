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
    "statistic",
    "significant",
)


class Diagram(NamedTuple):
    """One panel: methods best first, and the bars that say who differs."""

    title: str
    methods: list[Hashable]
    ranks: NDArray[np.float64]
    n_methods: int  # the last rank, whatever is shown
    bars: list[tuple[float, float]]  # first and last mean rank, first ascending
    gap: float  # the critical difference; NaN if there is none
    control: int | None  # position of the control
    is_apart: NDArray[np.bool_]  # differs significantly from the control


def read_diagrams(result: pd.DataFrame) -> list[Diagram]:
    """Read the result of `critical_difference` or of `compare_to_control`."""
    is_control = isinstance(result, pd.DataFrame) and "control" in result.columns
    needed = _CONTROL if is_control else _CLIQUES
    makers = _MAKERS[is_control:] if is_control else _MAKERS
    panels = read_panels(result, needed, _PICTURE, makers)
    return [(_read_control if is_control else _read_cliques)(panel) for panel in panels]


def _read_cliques(panel: Panel) -> Diagram:
    """Take the bars from the letters in `groups`: a bar for each letter of several."""
    part = panel.part.sort_values("mean_rank", kind="stable")
    ranks = _checked(part["mean_rank"])
    gap = _only(part["critical_difference"], panel)
    _refuse_part(ranks, len(ranks), "critical_difference")
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
        ranks=ranks,
        n_methods=len(ranks),
        bars=sorted(bars),
        gap=gap,
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
    difference = _finite(part["rank_diff"])
    n_datasets = _finite(part["n_datasets"])[0]
    if part["significant"].isna().any():
        raise BeamError("column 'significant' must be True or False, found missing values")
    k = len(part) + 1
    of_control = (k + 1) / 2.0 + difference.sum() / k
    statistic = pd.to_numeric(part["statistic"], errors="coerce").to_numpy(np.float64)
    _refuse_part_of_control(k, difference, statistic, n_datasets)
    ranks = np.concatenate([[of_control], of_control - difference])
    order = np.argsort(ranks, kind="stable")
    methods = [part["control"].iloc[0], *part["method"].tolist()]
    is_apart = np.concatenate([[False], part["significant"].to_numpy(dtype=bool)])
    bars = [] if np.isnan(gap) else [(float(of_control - gap), float(of_control + gap))]
    return Diagram(
        title=panel.title,
        methods=[methods[at] for at in order],
        ranks=_checked(pd.Series(ranks[order])),
        n_methods=k,
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
            "of one call, or keep the columns that tell results apart"
        )
    return float(values[0])


def _finite(column: pd.Series) -> NDArray[np.float64]:
    """Read numbers, all of which must be finite."""
    values = pd.to_numeric(column, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    if not np.isfinite(values).all():
        raise BeamError(f"column {column.name!r} must hold finite numbers")
    return values


def _checked(column: pd.Series) -> NDArray[np.float64]:
    """Refuse mean ranks that no rank axis has."""
    ranks = pd.to_numeric(column, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    if len(ranks) < 2:
        raise BeamError(f"plot.critical_difference needs two methods, found {len(ranks)}")
    if not (np.isfinite(ranks).all() and ranks.min() > 1 - 1e-9):
        raise BeamError(
            "mean ranks must be numbers from 1, found "
            f"{len(ranks)} rows with others among them"
        )
    return ranks


def _refuse_part(ranks: NDArray[np.float64], n_rows: int, maker: str) -> None:
    """Refuse mean ranks that lack some: those of k methods sum to k (k + 1) / 2."""
    if abs(ranks.sum() - len(ranks) * (len(ranks) + 1) / 2.0) > 0.01 * len(ranks):
        raise BeamError(
            "plot.critical_difference needs a row for every method, found "
            f"{n_rows} rows whose mean ranks do not add up: pass the whole result of "
            f"beam_pandas.{maker}"
        )


def _refuse_part_of_control(
    k: int,
    difference: NDArray[np.float64],
    statistic: NDArray[np.float64],
    n_datasets: float,
) -> None:
    """
    Refuse a result that lacks rows.

    The statistic is the difference over sqrt(k (k + 1) / (6 N)), so that it holds k.
    """
    usable = np.isfinite(statistic) & (difference != 0.0) & (statistic != 0.0)
    if usable.any():
        ratio = float((difference[usable] / statistic[usable])[0])
        of_result = (np.sqrt(1.0 + 24.0 * n_datasets * ratio**2) - 1.0) / 2.0
        is_whole = abs(of_result - k) < 0.5
    else:  # nobody differs from the control, which is then in the middle
        doubled = n_datasets * (k + 1.0)
        is_whole = abs(doubled - round(doubled)) < 1e-6
    if not is_whole:
        raise BeamError(
            "plot.critical_difference needs a row for every method compared with the "
            f"control, found {k - 1} rows of a result that had others: pass the whole "
            "result of beam_pandas.compare_to_control"
        )
