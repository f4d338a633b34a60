"""Estimates with their intervals, a row each: the forest plot of several results."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.errors import check_truth
from beam_pandas.plot.board import Cell, Words
from beam_pandas.plot.cells import Place, board_axes
from beam_pandas.plot.colours import BLUE, VERMILION, face, ink, mixed
from beam_pandas.plot.figures import returned
from beam_pandas.plot.numbers import MINUS, number_format
from beam_pandas.plot.text import raw_text

_DOT: Final = 5.5  # points
_LINE: Final = 2.0
_MOST_NAMED: Final = 150
_PAD: Final = 0.03  # of the axis left free at its ends


class Rows(NamedTuple):
    """One panel: an estimate and the ends of its interval in each row."""

    title: str
    labels: list[Hashable]
    estimate: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    right: list[Hashable] | None = None  # instead of the numbers
    is_full: NDArray[np.bool_] | None = None  # filled dots; all by default
    parts: NDArray[np.int64] | None = None  # rows of one part can be compared


class Look(NamedTuple):
    """What is the same in all panels."""

    x_label: str
    estimate: str  # what a dot is
    full: str = ""  # what filled dots are, where others are hollow
    hollow: str = ""
    zero: float | None = None  # where a line says that nothing differs
    form: str = ""  # of the numbers on the right, by default three digits


def draw_intervals(
    ax: Any,
    panels: Sequence[Rows],
    look: Look,
    width: float | None,
    *,
    highlight: Sequence[Hashable] = (),
    show_values: bool = True,
) -> Any:
    """
    Draw a dot with a bar for each row, first row on top.

    Parameters
    ----------
    ax : Axes, sequence of Axes or None
        As given.
    panels : sequence of Rows
        What to draw.
    look : Look
        Names of the axis and in the legend.
    width : float or None
        Of a new figure in inches.
    highlight : sequence of labels
        Rows to draw in another colour.
    show_values : bool, default True
        Whether the estimates stand on the right.

    Returns
    -------
    Axes or ndarray of Axes
    """
    check_truth("show_values", show_values)
    words = [_words(each, look, show_values=bool(show_values)) for each in panels]
    places = board_axes(ax, words, width, n_lines=2.0, is_square=False)
    for place, each in zip(places, panels, strict=True):
        _draw(place, each, look, highlight)
    return returned([place.ax for place in places])


def _words(each: Rows, look: Look, *, show_values: bool) -> Words:
    right: list[str] = []
    if each.right is not None:
        right = [raw_text(label) for label in each.right]
    elif show_values:
        form = look.form or number_format(each.estimate[np.isfinite(each.estimate)])
        right = [_number(value, form) for value in each.estimate]
    names = [raw_text(label) for label in each.labels]
    return Words(names, (), right, each.title, look.x_label, most_rows=_MOST_NAMED)


def _number(value: float, form: str) -> str:
    """Write an estimate with a true minus; nothing where there is none."""
    if np.isnan(value):
        return ""
    if np.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    text = f"{value:{form}}"
    return text.lstrip("-") if not text.strip("-0.") else text.replace("-", MINUS)


def _draw(place: Place, each: Rows, look: Look, highlight: Sequence[Hashable]) -> None:
    """Draw one panel."""
    ax: Any = place.ax
    limits = _limits(each, look.zero)
    chosen = [label in highlight for label in each.labels]
    colours = [VERMILION if on else BLUE for on in chosen]
    if look.zero is not None:
        ax.axvline(look.zero, color=ink(), linewidth=0.8, linestyle="--", zorder=1.0,
                   label="_zero")  # fmt: skip
    _draw_parts(ax, each)
    known = ~np.isnan(each.low) & ~np.isnan(each.high)
    row = np.arange(len(each.labels))
    bars = ax.hlines(
        row[known],
        np.clip(each.low[known], *limits),
        np.clip(each.high[known], *limits),
        colors=[mixed(ax, colour, 0.75) for colour, on in zip(colours, known) if on],  # noqa: B905
        label="_interval",
        zorder=2.0,
    )
    dots = _draw_dots(ax, each, colours, limits)
    dots += _draw_arrows(ax, each, limits)
    ax.set_xlim(*limits)
    place.board(_handles(ax, each, look)).finish(Sizes(bars, dots))


def _limits(each: Rows, zero: float | None) -> tuple[float, float]:
    """Choose the ends of the axis by what is finite."""
    ends = np.concatenate([each.estimate, each.low, each.high])
    ends = ends[np.isfinite(ends)]
    if zero is not None:
        ends = np.append(ends, zero)
    low, high = (float(ends.min()), float(ends.max())) if ends.size else (0.0, 1.0)
    room = high - low or 0.1 * abs(low) or 1.0
    return low - _PAD * room, high + _PAD * room


def _draw_parts(ax: Any, each: Rows) -> None:
    """Separate rows that nothing compares."""
    if each.parts is None:
        return
    for at in np.flatnonzero(np.diff(each.parts)):
        ax.axhline(at + 0.5, color=ink(), linewidth=0.8, linestyle=":", label="_part")


def _draw_dots(
    ax: Any, each: Rows, colours: Sequence[str], limits: tuple[float, float]
) -> list[Any]:
    """Draw the estimates, a line of dots for each colour and filling."""
    is_full = np.ones(len(colours), bool) if each.is_full is None else each.is_full
    inside = np.clip(each.estimate, *limits)
    lines = []
    for colour in dict.fromkeys(colours):
        for full in (True, False):
            is_one = np.array([other == colour for other in colours]) & (is_full == full)
            if is_one.any():
                lines += ax.plot(
                    inside[is_one], np.flatnonzero(is_one), marker="o", linestyle="none",
                    color=colour, markerfacecolor=colour if full else face(ax),
                    label="_estimate", zorder=3.0,
                )  # fmt: skip
    return lines


def _draw_arrows(ax: Any, each: Rows, limits: tuple[float, float]) -> list[Any]:
    """Point out where an interval has no end."""
    lines = []
    for ends, marker, place in (
        (each.low == -np.inf, "<", limits[0]),
        (each.high == np.inf, ">", limits[1]),
    ):
        if ends.any():
            lines += ax.plot(
                np.full(int(ends.sum()), place), np.flatnonzero(ends), marker=marker,
                linestyle="none", color=mixed(ax, BLUE, 0.75), label="_no_end",
                clip_on=False, zorder=2.5,
            )  # fmt: skip
    return lines


def _handles(ax: Any, each: Rows, look: Look) -> list[Any]:
    """Explain dots and bars."""
    from matplotlib.lines import Line2D

    dot: dict[str, Any] = {"marker": "o", "markersize": _DOT, "color": BLUE}
    has_bars = bool((~np.isnan(each.low)).any())
    line: dict[str, Any] = {"linewidth": _LINE if has_bars else 0.0}
    said = f"{look.estimate}, interval" if has_bars else look.estimate
    if each.is_full is None:
        handles = [Line2D([], [], label=said, **dot, **line)]
    else:
        handles = [
            Line2D([], [], label=f"{said}: {look.full}", **dot, **line),
            Line2D([], [], label=look.hollow, markerfacecolor=face(ax), **dot, **line),
        ]
    if each.parts is not None and len(np.unique(each.parts)) > 1:
        said = "not compared across"
        handles.append(
            Line2D([], [], color=ink(), linewidth=0.8, linestyle=":", label=said)
        )
    return handles


class Sizes:
    """Dots and bars no larger than rows allow."""

    def __init__(self, bars: Any, dots: Sequence[Any]) -> None:
        self._bars, self._dots = bars, list(dots)

    def __call__(self, cell: Cell) -> None:
        """Size them for rows of a height."""
        for line in self._dots:
            line.set_markersize(max(1.2, min(_DOT, 0.6 * cell.height)))
        self._bars.set_linewidth(max(0.5, min(_LINE, 0.25 * cell.height)))
