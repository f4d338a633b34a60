"""The picture of two methods, fitted to its slot: a square, and names in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from beam_pandas.plot.colours import BLUE, ORANGE, ink, mixed
from beam_pandas.plot.duel_data import Duel
from beam_pandas.plot.fitting import Margins
from beam_pandas.plot.legends import Legend
from beam_pandas.plot.numbers import tick_texts
from beam_pandas.plot.text import (
    LINE_HEIGHT,
    label_text,
    raw_text,
    rc_points,
    shorten,
    text_widths,
    widest,
)

_EDGE: Final = 3.0  # points left free at the edges of the slot
_PAD: Final = 2.5
_TICK: Final = 3.5  # points that a tick and the gap to its number take
_DOT: Final = 5.0  # points
_LEAST: Final = 0.5  # of the slot that the square keeps, however small the text
_NAME: Final = 0.4  # of the square that the name of a dataset takes at most
_COUNT: Final = 0.12  # of the square: height of the counts in the corners
_AROUND: Final = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))


class DuelPicture:
    """
    Fits axes, legend and names around the points.

    Parameters
    ----------
    ax : Axes
        With points and areas.
    duel : Duel
        What is drawn.
    names : list of str
        Of the two methods.
    dots : sequence of Line2D
        The points.
    limits : tuple of float
        Of both axes.
    n_labels : int
        How many datasets are named at most.
    """

    def __init__(
        self,
        ax: Any,
        duel: Duel,
        names: list[str],
        dots: Sequence[Any],
        limits: tuple[float, float],
        n_labels: int,
    ) -> None:
        self._ax, self._duel, self._names = ax, duel, names
        self._dots, self._limits = list(dots), limits
        self._legend = Legend(ax, _handles(dots), label_text(duel.table.title or ""))
        self._labels = [ax.set_xlabel(" ", parse_math=False)]
        self._labels.append(ax.set_ylabel(" ", parse_math=False))
        self._counts = self._draw_counts()
        gaps = np.abs(duel.scores[:, 0] - duel.scores[:, 1])
        self._farthest = [
            at
            for at in np.argsort(-gaps, kind="stable")[:n_labels].tolist()
            if gaps[at] > 0
        ]
        style: dict[str, Any] = {"parse_math": False, "ha": "center", "va": "center"}
        self._texts = [
            ax.annotate(" ", duel.scores[at, ::-1], (0.0, 0.0), textcoords="offset points",
                        zorder=5.0, annotation_clip=False, **style)
            for at in self._farthest
        ]  # fmt: skip

    def _draw_counts(self) -> list[Any]:
        """Write the counts into the corners of the areas."""
        is_upper_first = self._duel.table.is_higher_better is not False
        won, _, lost = self._duel.counts
        found = []
        for count, colour, is_upper in (
            (won, BLUE, is_upper_first),
            (lost, ORANGE, not is_upper_first),
        ):
            x, y, ha, va = (0.02, 0.98, "left", "top")
            if not is_upper:
                x, y, ha, va = (0.98, 0.02, "right", "bottom")
            found.append(
                self._ax.text(x, y, str(count), ha=ha, va=va, zorder=1.0,
                              transform=self._ax.transAxes, parse_math=False,
                              color=mixed(self._ax, colour, 0.75))
            )  # fmt: skip
        return found

    def arrange(self, width: float, height: float, dpi: float) -> Margins:
        """Place and size everything for a slot in points."""
        factor = 1.0
        while True:
            margins, side = self._try(width, height, dpi, factor)
            if side >= _LEAST * min(width, height) or factor < 0.1:
                break
            factor *= 0.85
        size = max(1.0, min(_DOT, side / 30.0))
        for line in self._dots:
            line.set_markersize(size)
        for text in self._counts:
            text.set_fontsize(max(0.5, min(22.0, _COUNT * side)))
        self._name_datasets(side, size, factor * rc_points("ytick.labelsize"))
        return margins

    def _try(
        self, width: float, height: float, dpi: float, factor: float
    ) -> tuple[Margins, float]:
        """Plan the margins around a square; give its side."""
        ax = self._ax
        font = factor * rc_points("ytick.labelsize")
        name = factor * rc_points("axes.labelsize")
        line = LINE_HEIGHT * name + _PAD
        room = 0.75 * min(width, height)
        is_first = True
        while True:
            ticks = _ticks(self._limits, room, font)
            texts = tick_texts(ticks)
            wide = widest(texts, font, dpi)
            left = _EDGE + line + wide + _TICK + _PAD
            bottom = _EDGE + line + LINE_HEIGHT * font + _TICK
            right = _EDGE + wide / 2.0
            room = max(1.0, min(width - left - right, height - bottom - _EDGE))
            self._rename(left + room - _EDGE, factor, dpi)
            top = _EDGE + self._legend.height
            room = max(1.0, min(room, height - bottom - top))
            if not is_first:
                break
            is_first = False
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_ticks(ticks, texts, parse_math=False)
            axis.set_tick_params(labelsize=font, length=2.5, pad=1.0)
        table = self._duel.table
        unit = "" if table.title else f"{table.unit} of "  # which the title says
        for text, method, axis in zip(
            self._labels, self._names[::-1], (ax.xaxis, ax.yaxis), strict=True
        ):
            text.set_text(_fitted(method, unit, room, name))
            text.set_fontsize(name)
            taken = LINE_HEIGHT * font if axis is ax.xaxis else wide
            off = -(taken + _TICK + _PAD) / room
            axis.set_label_coords(*((0.5, off) if axis is ax.xaxis else (off, 0.5)))
        spare = max(0.0, width - left - right - room)
        below = max(0.0, height - bottom - top - room)
        return Margins(left + spare / 2.0, bottom + below, right + spare / 2.0, top), room

    def _rename(self, width: float, factor: float, dpi: float) -> None:
        """Write what the legend says, with names shortened where it is narrow."""
        size = factor * rc_points("ytick.labelsize")
        won, tied, lost = self._duel.counts
        one, other = shorten(self._names, max(0.55 * width, 20.0), size)
        middle = "equal" if self._duel.rope.is_none else "within the rope"
        self._legend.rename(
            [
                label_text(f"{one} better: {won}"),
                f"{middle}: {tied}",
                label_text(f"{other} better: {lost}"),
            ]
        )
        self._legend.arrange(width, factor, dpi)

    def _name_datasets(self, side: float, dot: float, font: float) -> None:
        """Write names beside points, where they cover no point, name or count."""
        low, high = self._limits
        points = side * (self._duel.scores[:, ::-1] - low) / (high - low)
        size = 0.85 * font
        names = [raw_text(self._duel.datasets[at]) for at in self._farthest]
        names = shorten(names, _NAME * side, size)
        texts = [label_text(name) for name in names]
        taken = [_corner(text, side) for text in self._counts]
        widths = text_widths(texts, size).tolist() if texts else []
        for text, name, at, wide in zip(
            self._texts, texts, self._farthest, widths, strict=True
        ):
            box = np.array([1.06 * wide, LINE_HEIGHT * size])
            place = _find_place(points, at, box, dot, side, taken)
            text.set_visible(place is not None)
            if place is not None:
                text.set_text(name)
                text.set_fontsize(size)
                text.xyann = tuple(place - points[at])
                text.set_color(ink())
                taken.append((place - box / 2.0, place + box / 2.0))


Box = tuple[NDArray[np.float64], NDArray[np.float64]]


def _find_place(
    points: NDArray[np.float64],
    at: int,
    box: NDArray[np.float64],
    dot: float,
    side: float,
    taken: Sequence[Box],
) -> NDArray[np.float64] | None:
    """Find the middle of a name beside a point, if there is room for it."""
    for direction in _AROUND:
        middle = points[at] + np.array(direction) * (box / 2.0 + dot / 2.0 + 1.0)
        low, high = middle - box / 2.0, middle + box / 2.0
        if (low < 0.0).any() or (high > side).any():
            continue
        if any((low < end).all() and (high > start).all() for start, end in taken):
            continue
        covered = ((points > low - dot / 2.0) & (points < high + dot / 2.0)).all(axis=1)
        covered[at] = False
        if not covered.any():
            found: NDArray[np.float64] = middle
            return found
    return None


def _corner(text: Any, side: float) -> Box:
    """Give the box of a count, in points from the lower left of the square."""
    size = float(text.get_fontsize())
    box = np.array([float(text_widths([text.get_text()], size)[0]), LINE_HEIGHT * size])
    if text.get_ha() == "left":
        start = np.array([0.0, side - box[1] - 0.02 * side])
        return start, np.array([box[0] + 0.02 * side, side])
    return np.array([side * 0.98 - box[0], 0.0]), np.array([side, box[1] + 0.02 * side])


def _handles(dots: Sequence[Any]) -> list[Any]:
    """Make what stands for the points in the legend."""
    from matplotlib.lines import Line2D

    style: dict[str, Any] = {"marker": "o", "linestyle": "none", "markersize": _DOT}
    edge: dict[str, Any] = {"markeredgecolor": ink(), "markeredgewidth": 0.4}
    return [
        Line2D([], [], color=line.get_color(), label=" ", **style, **edge) for line in dots
    ]


def _ticks(limits: tuple[float, float], side: float, font: float) -> list[float]:
    """Choose ticks that numbers have room for."""
    from matplotlib.ticker import MaxNLocator

    n_bins = int(min(6, max(1, side / (4.5 * font))))
    found = MaxNLocator(nbins=n_bins, steps=[1, 2, 2.5, 5, 10]).tick_values(*limits)
    return [float(tick) for tick in found if limits[0] <= tick <= limits[1]]


def _fitted(method: str, unit: str, width: float, size: float) -> str:
    """Write a method after its unit, or alone, shortened to a width."""
    wide = float(text_widths([label_text(unit + method)], size)[0])
    taken = float(text_widths([label_text(unit)], size)[0]) if unit else 0.0
    if wide > width and taken > 0.5 * width:
        unit, taken = "", 0.0
    return label_text(unit + shorten([method], width - taken, size)[0])
