"""Mean ranks of many methods: a row for each, with a bar of one critical difference."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final

import numpy as np

from beam_pandas.plot.board import Cell, Words
from beam_pandas.plot.cells import Place, board_axes
from beam_pandas.plot.colours import VERMILION, ink, pale
from beam_pandas.plot.diagram_artists import explain_control
from beam_pandas.plot.diagram_data import Diagram
from beam_pandas.plot.text import raw_text

_MOST_NAMED: Final = 150
_DOT: Final = 4.0  # points
_BAR: Final = 2.0


def draw_rank_bars(
    ax: Any, diagrams: Sequence[Diagram], width: float | None, options: dict[str, Any]
) -> list[Any]:
    """
    Draw methods below each other, best first.

    Two methods differ by more than the critical difference where their bars, each half of
    it to either side, do not touch. With a control, a band reaches a critical difference
    to either side of it instead.

    Parameters
    ----------
    ax : Axes, sequence of Axes or None
        As given.
    diagrams : sequence of Diagram
        One for each panel.
    width : float or None
        Of a new figure in inches.
    options : dict
        `best`, `show_ranks` and `chosen` as of the picture.
    """
    words = [_words(each, show_ranks=options["show_ranks"]) for each in diagrams]
    places = board_axes(ax, words, width, n_lines=3.0, is_square=False)
    for place, diagram in zip(places, diagrams, strict=True):
        _draw(place, diagram, options["best"] == "right", options["chosen"])
    return [place.ax for place in places]


def _words(diagram: Diagram, *, show_ranks: bool) -> Words:
    names = [raw_text(method) for method in diagram.methods]
    numbers = [f"{rank:.2f}" for rank in diagram.ranks] if show_ranks else []
    return Words(names, (), numbers, diagram.title, "mean rank", most_rows=_MOST_NAMED)


def _draw(
    place: Place, diagram: Diagram, is_mirrored: bool, chosen: list[Hashable]
) -> None:
    from matplotlib.lines import Line2D

    ax: Any = place.ax
    control, gap = diagram.control, diagram.gap
    lines = []
    for at, (method, rank) in enumerate(zip(diagram.methods, diagram.ranks, strict=True)):
        colour = VERMILION if method in chosen or at == control else ink()
        if control is None and not np.isnan(gap):
            lines += ax.plot([rank - gap / 2.0, rank + gap / 2.0], [at, at], color=colour,
                             solid_capstyle="butt", label="_bar")  # fmt: skip
        is_full = control is None or at == control or diagram.is_apart[at]
        lines += ax.plot([rank], [at], marker="o", linestyle="none", color=colour,
                         markerfacecolor=colour if is_full else "none",
                         label="_mean_rank")  # fmt: skip
    handles: list[Any] = [
        Line2D([], [], marker="o", markersize=_DOT, linestyle="none", color=ink(),
               label="mean rank")
    ]  # fmt: skip
    if control is None and not np.isnan(gap):
        handles.append(
            Line2D([], [], linewidth=_BAR, color=ink(),
                   label=f"CD = {gap:.3g}: apart where bars do not touch")
        )  # fmt: skip
    elif control is not None:
        handles += _explain_band(ax, diagram)
    reach = 0.0 if np.isnan(gap) or control is not None else gap / 2.0
    ends = [*diagram.ranks, 1.0 + reach, diagram.n_methods - reach]
    ends += [end for bar in diagram.bars for end in bar] if control is not None else []
    pad = 0.02 * diagram.n_methods
    low, high = min(ends) - reach - pad, max(ends) + reach + pad
    ax.set_xlim(*((high, low) if is_mirrored else (low, high)))
    place.board(handles).finish(Sized(lines))


def _explain_band(ax: Any, diagram: Diagram) -> list[Any]:
    """Draw the band around a control, and explain it and hollow dots."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = []
    for first, last in diagram.bars:
        ax.axvspan(first, last, color=pale(ax), zorder=0.0, linewidth=0.0, label="_bar")
        handles.append(
            Patch(facecolor=pale(ax), label=f"within CD = {diagram.gap:.3g} of the control")
        )
    for handle in explain_control(diagram):
        dot = handle.get_linestyle() == "--"
        handles.append(
            Line2D([], [], marker="o" if dot else "none", markersize=_DOT,
                   markerfacecolor="none", linestyle="none", color=ink(),
                   label=handle.get_label())
        )  # fmt: skip
    return handles


class Sized:
    """Dots and bars no larger than rows allow."""

    def __init__(self, lines: Sequence[Any]) -> None:
        self._lines = list(lines)

    def __call__(self, cell: Cell) -> None:
        """Make them fit rows of a height."""
        for line in self._lines:
            line.set_markersize(max(0.8, min(_DOT, 0.62 * cell.height)))
            line.set_linewidth(max(0.3, min(_BAR, 0.3 * cell.height)))
