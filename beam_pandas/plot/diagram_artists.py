"""Draw one panel of a critical difference diagram, whose layout is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.plot.colours import VERMILION, ink
from beam_pandas.plot.diagram_data import Diagram
from beam_pandas.plot.diagram_layout import MARGIN, Heights, Scale, choose_ticks
from beam_pandas.plot.text import label_text, rc_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Labels(NamedTuple):
    """Labels of a panel, best method first."""

    texts: list[str]
    row: NDArray[np.intp]
    is_left: NDArray[np.bool_]
    is_chosen: list[bool]
    is_bold: list[bool]
    sizes: NDArray[np.float64]  # width and height in points

    def width(self, *, left: bool) -> float:
        """Width of the widest label on a side."""
        return float(self.sizes[self.is_left == left, 0].max(initial=0.0))


class Sheet(NamedTuple):
    """Places and sizes of everything on a panel, in points."""

    factor: float  # on the size of text and lines
    width: float
    height: float
    scale: Scale
    heights: Heights
    levels: list[int]  # height of each bar, 0 next to the axis
    is_mirrored: bool  # rank 1 is at the right

    @property
    def label(self) -> float:
        """Font size of the labels."""
        return self.factor * rc_points("xtick.labelsize")

    def rank_at(self, place: float) -> float:
        """Rank at a distance from the left."""
        rank = (place - self.scale.offset) / self.scale.slope
        return -rank if self.is_mirrored else rank


def draw_diagram(ax: Axes, diagram: Diagram, labels: Labels, sheet: Sheet) -> None:
    """Draw all parts; the y axis is in points from the top."""
    ax.set_xlim(sheet.rank_at(0.0), sheet.rank_at(sheet.width))
    ax.set_ylim(sheet.height, 0.0)
    _draw_axis(ax, len(diagram.methods), sheet)
    if diagram.title:
        size = sheet.heights.title
        ax.set_title(
            label_text(diagram.title), fontsize=size, y=1.0, va="top", pad=-0.2 * size
        )
    _draw_gap(ax, diagram, sheet)
    _draw_labels(ax, diagram, labels, sheet)
    _draw_bars(ax, diagram, sheet)


def _draw_axis(ax: Axes, n_methods: int, sheet: Sheet) -> None:
    """Turn the x axis into the rank axis, from 1 to the number of methods."""
    for side in ("left", "right", "bottom"):
        ax.spines[side].set_visible(False)
    ax.yaxis.set_visible(False)
    ax.spines["top"].set_position(("data", sheet.heights.axis))
    ax.spines["top"].set_bounds(1.0, float(n_methods))
    ax.xaxis.set_ticks_position("top")
    ax.xaxis.set_label_position("top")
    digits = len(str(n_methods))
    room = (0.7 * digits + 0.6) * sheet.label / sheet.scale.slope
    ax.set_xticks(choose_ticks(n_methods, room))
    ax.set_xticks(range(1, n_methods + 1), minor=True)
    for which, length in (("major", 0.45), ("minor", 0.25)):
        ax.tick_params(
            "x",
            which=which,
            labelsize=sheet.label,
            length=length * sheet.label,
            pad=0.2 * sheet.label,
            direction="out",
        )
    ax.set_xlabel("mean rank", fontsize=sheet.label, labelpad=0.45 * sheet.label)


def _draw_gap(ax: Axes, diagram: Diagram, sheet: Sheet) -> None:
    """Draw the critical difference to scale, from rank 1, and write its value above."""
    if np.isnan(diagram.gap):
        return
    colour = ink()
    y = sheet.heights.gap_bar
    ends = [1.0, 1.0 + diagram.gap]
    ax.plot(
        ends,
        [y, y],
        color=colour,
        linewidth=1.2 * sheet.factor,
        marker="|",
        markersize=0.5 * sheet.label,
        markeredgewidth=1.2 * sheet.factor,
        solid_capstyle="butt",
        label="_critical_difference",
    )
    ax.text(
        1.0,
        sheet.heights.gap_text,
        f"CD = {diagram.gap:.3g}",
        ha="right" if sheet.is_mirrored else "left",
        va="baseline",
        fontsize=sheet.label,
    )


def _draw_labels(ax: Axes, diagram: Diagram, labels: Labels, sheet: Sheet) -> None:
    """Write the labels on both sides, and lead each to its mean rank."""
    edges = {
        True: MARGIN + sheet.factor * labels.width(left=True),
        False: sheet.width - MARGIN - sheet.factor * labels.width(left=False),
    }
    gap = 0.25 * sheet.label
    for at, rank in enumerate(diagram.ranks):
        left = bool(labels.is_left[at])
        colour = VERMILION if labels.is_chosen[at] else ink()
        y = sheet.heights.first_row + sheet.heights.row_step * labels.row[at]
        start = sheet.rank_at(edges[left] + (gap if left else -gap))
        ax.plot(
            [start, rank, rank],
            [y, y, sheet.heights.axis],
            color=colour,
            linewidth=(1.6 if labels.is_chosen[at] else 0.8) * sheet.factor,
            linestyle="-" if diagram.is_apart[at] or at == diagram.control else "--",
            solid_capstyle="butt",
            solid_joinstyle="miter",
            label="_leader",
            zorder=2.0,
        )
        ax.text(
            sheet.rank_at(edges[left]),
            y,
            labels.texts[at],
            ha="right" if left else "left",
            va="center_baseline",
            fontsize=sheet.label,
            fontweight="bold" if labels.is_bold[at] else "normal",
            color=colour,
        )


def _draw_bars(ax: Axes, diagram: Diagram, sheet: Sheet) -> None:
    """Draw the bars of the cliques, or that around the control."""
    for (first, last), level in zip(diagram.bars, sheet.levels, strict=True):
        y = sheet.heights.first_bar + sheet.heights.bar_step * level
        ax.plot(
            [first, last],
            [y, y],
            color=ink(),
            linewidth=3.2 * sheet.factor,
            solid_capstyle="butt" if last > first else "round",
            label="_bar",
            zorder=3.0,
        )
