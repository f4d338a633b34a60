"""The artists of one panel of a critical difference diagram, drawn once, placed anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.plot.colours import VERMILION, ink
from beam_pandas.plot.diagram_data import Diagram
from beam_pandas.plot.diagram_layout import MARGIN, Heights, Scale, choose_ticks
from beam_pandas.plot.legends import Legend
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
    widths: NDArray[np.float64]  # points, at the size that text has by default
    height: float  # of the tallest

    def width(self, *, left: bool) -> float:
        """Width of the widest label on a side."""
        return float(self.widths[self.is_left == left].max(initial=0.0))


class Sheet(NamedTuple):
    """Places and sizes of everything on a panel, in points."""

    factor: float  # on the size of text and lines
    width: float
    height: float
    dpi: float
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


class DiagramArtists:
    """
    Everything on the Axes of a panel.

    Places are ranks across and points from the top edge down, so that a smaller Axes cuts
    what is below, and nothing overlaps.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    diagram : Diagram
        What to draw.
    labels : Labels
        How methods are written.
    is_mirrored : bool
        Whether rank 1 is at the right.
    """

    def __init__(
        self, ax: Axes, diagram: Diagram, labels: Labels, *, is_mirrored: bool
    ) -> None:
        self._ax: Any = ax
        self._diagram = diagram
        self._where = points_down(ax)
        ends = (diagram.n_methods, 1.0) if is_mirrored else (1.0, diagram.n_methods)
        ax.set_xlim(*ends)
        ax.set_ylim(1.0, 0.0)
        self._set_up_axis()
        self._title = ax.set_title(
            label_text(diagram.title) if diagram.title else "", y=1.0, va="top",
            parse_math=False,
        )  # fmt: skip
        self._gap = self._draw_gap(right=is_mirrored)
        self._leaders = [
            self._draw_leader(at, is_chosen=chosen)
            for at, chosen in enumerate(labels.is_chosen)
        ]
        self._texts = [self._draw_label(labels, at) for at in range(len(labels.texts))]
        self._bars = [
            ax.plot([first, last], [0.0, 0.0], color=ink(), transform=self._where,
                    solid_capstyle="projecting" if last > first else "round",
                    label="_bar", zorder=3.0)[0]
            for first, last in diagram.bars
        ]  # fmt: skip
        handles = explain_control(diagram)
        self._note = Legend(ax, handles, "", is_below=True) if handles else None

    def _set_up_axis(self) -> None:
        """Turn the x axis into the rank axis, from 1 to the number of methods."""
        ax, n_methods = self._ax, self._diagram.n_methods
        for side in ("left", "right", "bottom"):
            ax.spines[side].set_visible(False)
        ax.yaxis.set_visible(False)
        ax.spines["top"].set_bounds(1.0, float(n_methods))
        ax.xaxis.set_ticks_position("top")
        ax.xaxis.set_label_position("top")
        ax.set_xticks(range(1, n_methods + 1), minor=True)
        ax.set_xlabel("mean rank")

    def _draw_gap(self, *, right: bool) -> tuple[Any, Any] | None:
        """Draw the critical difference to scale, from rank 1, and write its value above."""
        gap = self._diagram.gap
        if np.isnan(gap):
            return None
        (line,) = self._ax.plot(
            [1.0, 1.0 + gap],
            [0.0, 0.0],
            color=ink(),
            marker="|",
            solid_capstyle="butt",
            transform=self._where,
            label="_critical_difference",
        )
        text = self._ax.text(
            1.0,
            0.0,
            f"CD = {gap:.3g}",
            ha="right" if right else "left",
            va="baseline",
            transform=self._where,
            clip_on=True,
        )
        return line, text

    def _draw_leader(self, at: int, *, is_chosen: bool) -> Any:
        """Lead a label to its mean rank, by a dashed line if it is no other's."""
        is_solid = self._diagram.is_apart[at] or at == self._diagram.control
        (line,) = self._ax.plot(
            [0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0],
            color=VERMILION if is_chosen else ink(),
            linestyle="-" if is_solid else "--",
            solid_capstyle="butt",
            solid_joinstyle="miter",
            transform=self._where,
            label="_leader",
            zorder=2.0,
        )
        return line

    def _draw_label(self, labels: Labels, at: int) -> Any:
        return self._ax.text(
            0.0,
            0.0,
            labels.texts[at],
            ha="right" if labels.is_left[at] else "left",
            va="center_baseline",
            fontweight="bold" if labels.is_bold[at] else "normal",
            color=VERMILION if labels.is_chosen[at] else ink(),
            transform=self._where,
            parse_math=False,
            clip_on=True,
        )

    def note_height(self, width: float, factor: float, dpi: float) -> float:
        """Give the height of what is explained at the foot, in points."""
        if self._note is None:
            return 0.0
        self._note.arrange(max(width - 2.0 * MARGIN, 1.0), factor, dpi)
        return self._note.height

    def place(self, labels: Labels, sheet: Sheet) -> None:
        """Put all parts where they belong on a sheet."""
        self._ax.set_xlim(sheet.rank_at(0.0), sheet.rank_at(sheet.width))
        self._ax.set_ylim(sheet.height, 0.0)
        self._place_axis(sheet)
        size = max(sheet.heights.title, 0.5)
        self._ax.set_title(
            self._title.get_text(), fontsize=size, y=1.0, va="top", pad=-0.2 * size
        )
        self._place_gap(sheet)
        self._place_labels(labels, sheet)
        for bar, level in zip(self._bars, sheet.levels, strict=True):
            y = sheet.heights.first_bar + sheet.heights.bar_step * level
            bar.set(ydata=[y, y], linewidth=3.2 * sheet.factor)

    def _place_axis(self, sheet: Sheet) -> None:
        ax, label = self._ax, sheet.label
        ax.spines["top"].set_position(("outward", -sheet.heights.axis))
        n_methods = self._diagram.n_methods
        room = (0.7 * len(str(n_methods)) + 0.6) * label / sheet.scale.slope
        ax.set_xticks(choose_ticks(n_methods, room))
        for which, length in (("major", 0.45), ("minor", 0.25)):
            ax.tick_params(
                "x",
                which=which,
                labelsize=label,
                length=length * label,
                pad=0.2 * label,
                direction="out",
            )
        ax.xaxis.label.set_fontsize(label)
        ax.xaxis.labelpad = 0.45 * label

    def _place_gap(self, sheet: Sheet) -> None:
        if self._gap is None:
            return
        line, text = self._gap
        y = sheet.heights.gap_bar
        line.set(
            ydata=[y, y],
            linewidth=1.2 * sheet.factor,
            markersize=0.5 * sheet.label,
            markeredgewidth=1.2 * sheet.factor,
        )
        text.set(y=sheet.heights.gap_text, fontsize=sheet.label)

    def _place_labels(self, labels: Labels, sheet: Sheet) -> None:
        """Put labels on both sides, and lead each to its mean rank."""
        edges = {
            True: MARGIN + sheet.factor * labels.width(left=True),
            False: sheet.width - MARGIN - sheet.factor * labels.width(left=False),
        }
        gap = 0.25 * sheet.label
        axis = sheet.heights.axis
        for at, rank in enumerate(self._diagram.ranks):
            left = bool(labels.is_left[at])
            y = sheet.heights.first_row + sheet.heights.row_step * float(labels.row[at])
            start = sheet.rank_at(edges[left] + (gap if left else -gap))
            self._leaders[at].set(
                data=([start, rank, rank], [y, y, axis]),
                linewidth=(1.6 if labels.is_chosen[at] else 0.8) * sheet.factor,
            )
            self._texts[at].set(
                x=sheet.rank_at(edges[left]),
                y=y,
                text=labels.texts[at],
                fontsize=sheet.label,
            )


def points_down(ax: Any) -> Any:
    """Make the transform of data across and points from the top edge down."""
    from matplotlib.transforms import Affine2D, ScaledTranslation, blended_transform_factory

    inches = Affine2D().scale(1.0, -1.0 / 72.0) + ax.get_figure().dpi_scale_trans
    down = inches + ScaledTranslation(0.0, 1.0, ax.transAxes)
    return blended_transform_factory(ax.transData, down)


def explain_control(diagram: Diagram) -> Sequence[Any]:
    """Say what dashed lines mean, and how to get a critical difference."""
    from matplotlib.lines import Line2D

    if diagram.control is None:
        return []
    control = label_text(diagram.methods[diagram.control])
    handles = []
    if not diagram.is_apart.all():
        handles.append(
            Line2D([], [], linestyle="--", linewidth=0.8, color=ink(),
                   label=f"not significantly different from {control}")
        )  # fmt: skip
    if np.isnan(diagram.gap):
        handles.append(
            Line2D([], [], linestyle="none",
                   label='a bar of the critical difference needs adjust="bonferroni"')
        )  # fmt: skip
    return handles
