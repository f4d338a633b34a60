"""What a critical difference diagram shows, read from either result that has it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, list_labels
from beam_pandas.plot.panels import Panel, read_panels

_PICTURE: Final = "critical_difference"
_MAKERS: Final = ("critical_difference", "compare_to_control")
_CLIQUES: Final = ("method", "mean_rank", "groups", "critical_difference")
_CONTROL: Final = (
    "control",
    "method",
    "n_datasets",
    "control_mean_rank",
    "mean_rank",
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
    letters: list[str] | None = None  # where bars would cover methods that differ


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
    gap = _only(part["critical_difference"], panel)
    ranks = _checked(part["mean_rank"], part["method"])
    n_methods = len(ranks)
    if "n_methods" in part.columns:  # rows may be left out: each stays where it was
        n_methods = round(_only(part["n_methods"], panel))
    else:
        _refuse_part(ranks, "critical_difference")
    members: dict[str, list[int]] = {}
    for at, letters in enumerate(part["groups"]):
        for letter in str(letters).split(","):
            members.setdefault(letter, []).append(at)
    bars = [
        (float(ranks[positions[0]]), float(ranks[positions[-1]]))
        for positions in members.values()
        if len(positions) > 1
    ]
    letters = None
    if any(_covers_others(ranks, at) for at in members.values() if len(at) > 1):
        gap, bars = np.nan, []  # letters of another test, which has no such difference
        letters = [str(each) for each in part["groups"]]
    return Diagram(
        title=panel.title,
        methods=part["method"].tolist(),
        ranks=ranks,
        n_methods=n_methods,
        bars=sorted(bars),
        gap=gap,
        control=None,
        is_apart=np.ones(len(part), dtype=bool),
        letters=letters,
    )


def _covers_others(ranks: NDArray[np.float64], group: list[int]) -> bool:
    """Tell whether a bar from the first to the last of a group covers another method."""
    inside = (ranks >= ranks[group[0]]) & (ranks <= ranks[group[-1]])
    return int(inside.sum()) > len(group)


def _read_control(panel: Panel) -> Diagram:
    """Put the control among the methods that are compared with it."""
    part = panel.part
    if len(part["control"].unique()) > 1:
        raise BeamError("plot.critical_difference needs one control for each panel")
    gap = _only(part["critical_difference"], panel)
    if part["significant"].isna().any():
        raise BeamError("column 'significant' must be True or False, found missing values")
    if part["control_mean_rank"].isna().all():
        raise BeamError(
            "plot.critical_difference draws mean ranks, which compare_to_control has only "
            'with test="mean_rank": draw plot.pairwise with reference= for the sign test, '
            "plot.wilcoxon with reference= for that of Wilcoxon"
        )
    of_control = float(_finite(part["control_mean_rank"])[0])
    methods = pd.concat([part["control"].iloc[:1], part["method"]])
    ranks = _checked(
        pd.concat([part["control_mean_rank"].iloc[:1], part["mean_rank"]]), methods
    )
    _refuse_part(ranks, "compare_to_control")
    _refuse_part_of_control(part)
    order = np.argsort(ranks, kind="stable")
    is_apart = np.concatenate([[False], part["significant"].to_numpy(dtype=bool)])
    bars = [] if np.isnan(gap) else [(of_control - gap, of_control + gap)]
    return Diagram(
        title=panel.title,
        methods=[methods.iloc[at] for at in order],
        ranks=ranks[order],
        n_methods=len(ranks),
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


def _checked(column: pd.Series, methods: pd.Series) -> NDArray[np.float64]:
    """Refuse mean ranks that no rank axis has, and methods that have several."""
    ranks = pd.to_numeric(column, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    if len(ranks) < 2:
        raise BeamError(f"plot.critical_difference needs two methods, found {len(ranks)}")
    if not (np.isfinite(ranks).all() and ranks.min() > 1 - 1e-9):
        raise BeamError(
            "mean ranks must be numbers from 1, found "
            f"{len(ranks)} rows with others among them"
        )
    twice = methods[methods.duplicated()].unique()
    if len(twice):
        raise BeamError(
            "plot.critical_difference needs each method once, found "
            f"{list_labels(twice)} several times: pass the "
            "result of one call, or keep the columns that tell results apart"
        )
    return ranks


def _refuse_part(ranks: NDArray[np.float64], maker: str) -> None:
    """Refuse mean ranks that lack some: those of k methods sum to k (k + 1) / 2."""
    if abs(ranks.sum() - len(ranks) * (len(ranks) + 1) / 2.0) > 0.01 * len(ranks):
        raise _incomplete(maker)


def _refuse_part_of_control(part: pd.DataFrame) -> None:
    """
    Refuse a result that lacks rows.

    The statistic is the difference over sqrt(k (k + 1) / (6 N)), so that it holds k.
    """
    difference, n_datasets = _finite(part["rank_diff"]), _finite(part["n_datasets"])
    statistic = _finite(part["statistic"])
    usable = (difference != 0.0) & (statistic != 0.0)
    if not usable.any():  # nobody differs from the control, and the sum tells
        return
    ratio = difference[usable][0] / statistic[usable][0]
    k = (np.sqrt(1.0 + 24.0 * n_datasets[0] * ratio**2) - 1.0) / 2.0
    if abs(k - len(part) - 1) > 0.5:
        raise _incomplete("compare_to_control")


def _incomplete(maker: str) -> BeamError:
    which = " compared with the control" if maker == "compare_to_control" else ""
    return BeamError(
        f"plot.critical_difference needs a row for every method{which}, found a result "
        f"that lacks some: pass the whole result of beam_pandas.{maker}"
    )
