"""Axes of numbers both ways, fitted to their slot with the legend above."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.plot.figures import given_axes, new_axes, plan_panels
from beam_pandas.plot.fitting import Fit, Margins
from beam_pandas.plot.legends import Legend, fitting_size
from beam_pandas.plot.numbers import tick_texts
from beam_pandas.plot.text import LINE_HEIGHT, label_text, rc_points, widest

_EDGE: Final = 3.0  # points left free at the edges of the slot
_PAD: Final = 2.5
_TICK: Final = 4.5  # points that a tick and the gap to its number take
_LEAST: Final = 0.35  # of the slot that the axes keep, however small the text


class Axis(NamedTuple):
    """What is said of one axis."""

    label: str
    limits: tuple[float, float]  # the first is at the left or at the foot
    is_log: bool = False

    def places(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give places of values as shares of the axis."""
        start, end = self.limits
        if self.is_log:
            values, start, end = np.log(values), np.log(start), np.log(end)
        return (values - start) / (end - start)


class Room(NamedTuple):
    """Width and height of the axes in points, and the size of text in them."""

    width: float
    height: float
    font: float
    dpi: float


class PlainPicture:
    """
    Fits ticks, names of axes and legend; what is inside is up to the picture.

    Parameters
    ----------
    ax : Axes
        With everything drawn.
    x, y : Axis
        Their names and limits.
    handles : sequence of Artist
        What the legend explains.
    title : str
        In front of it, or empty.
    content : callable, optional
        Sizes what is inside for a `Room`.
    """

    def __init__(
        self,
        ax: Any,
        x: Axis,
        y: Axis,
        handles: Sequence[Any],
        title: str,
        content: Callable[[Room], None] | None = None,
    ) -> None:
        self._ax, self._x, self._y = ax, x, y
        self._legend = Legend(ax, handles, label_text(title) if title else "")
        self._content = content
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
        if x.is_log:
            ax.set_xscale("log")
        ax.minorticks_off()
        ax.set_xlim(*x.limits)
        ax.set_ylim(*y.limits)
        for setter, axis in ((ax.set_xlabel, x), (ax.set_ylabel, y)):
            setter(label_text(axis.label), parse_math=False)

    def start(self) -> None:
        """Fit everything, now and whenever the slot changes."""
        Fit(self._ax, self).start()

    def arrange(self, width: float, height: float, dpi: float) -> Margins:
        """Place and size everything for a slot in points."""
        factor = 1.0
        while True:
            margins, inner = self._try(width, height, dpi, factor)
            if factor < 0.1 or (inner[0] >= _LEAST * width and inner[1] >= _LEAST * height):
                break
            factor *= 0.85
        if self._content is not None:
            self._content(Room(*inner, factor * rc_points("ytick.labelsize"), dpi))
        return margins

    def _try(
        self, width: float, height: float, dpi: float, factor: float
    ) -> tuple[Margins, tuple[float, float]]:
        """Plan margins with text smaller by a factor; give the room inside too."""
        font = factor * rc_points("ytick.labelsize")
        name = factor * rc_points("axes.labelsize")
        line = LINE_HEIGHT * name + _PAD
        self._legend.arrange(max(width - 2.0 * _EDGE, 1.0), factor, dpi)
        top = _EDGE + max(self._legend.height, 0.5 * font)
        bottom = _EDGE + line + LINE_HEIGHT * font + _TICK
        tall = max(1.0, height - top - bottom)
        y_ticks = choose_ticks(self._y, tall / (2.5 * font))
        y_texts = tick_texts(y_ticks)
        wide = widest(y_texts, font, dpi)
        left = _EDGE + line + wide + _TICK + _PAD
        across = max(1.0, width - left - _EDGE)
        x_ticks = choose_ticks(self._x, across / (4.5 * font))
        x_texts = tick_texts(x_ticks)
        right = _EDGE + self._overhang(x_ticks, x_texts, font, across)
        across = max(1.0, width - left - right)
        ax = self._ax
        for axis, ticks, texts in (
            (ax.xaxis, x_ticks, x_texts), (ax.yaxis, y_ticks, y_texts)
        ):  # fmt: skip
            axis.set_ticks(ticks, texts, parse_math=False)
            axis.set_tick_params(labelsize=font, length=2.5, pad=1.5)
        for text, room in ((ax.xaxis.label, across), (ax.yaxis.label, tall)):
            text.set_fontsize(fitting_size(text.get_text(), name, max(room, 1.0), dpi))
        ax.xaxis.set_label_coords(0.5, -(LINE_HEIGHT * font + _TICK) / tall)
        ax.yaxis.set_label_coords(-(wide + _TICK + _PAD) / across, 0.5)
        return Margins(left, bottom, right, top), (across, tall)

    def _overhang(
        self, ticks: Sequence[float], texts: Sequence[str], font: float, across: float
    ) -> float:
        """Give how far the last number on the x axis reaches beyond it."""
        if not ticks:
            return 0.0
        place = self._x.places(np.array(ticks, dtype=np.float64))
        half = [0.5 * widest([text], font) for text in texts]
        beyond = np.array(half) - (1.0 - place) * across
        return float(np.max(beyond, initial=0.0))


def choose_ticks(axis: Axis, n_most: float) -> list[float]:
    """Choose ticks that numbers have room for."""
    from matplotlib.ticker import LogLocator, MaxNLocator

    low, high = sorted(axis.limits)
    n_bins = int(min(7, max(1, n_most)))
    found: Any = []
    if axis.is_log:
        found = LogLocator(numticks=n_bins + 1).tick_values(low, high)
        if sum(low <= tick <= high for tick in found) < 2:
            found = []
    if not len(found):
        locator = MaxNLocator(nbins=n_bins, steps=[1, 2, 2.5, 5, 10])
        found = locator.tick_values(low, high)
    return [float(tick) for tick in found if low <= tick <= high]


def plain_axes(ax: Any, n_panels: int, width: float | None, share: float) -> list[Any]:
    """
    Take the given Axes, or make a figure with a panel for each.

    Parameters
    ----------
    ax : Axes, sequence of Axes or None
        As given.
    n_panels : int
        How many.
    width : float or None
        Of a new figure in inches.
    share : float
        Height of a panel by its width.
    """
    import matplotlib as mpl

    if ax is not None:
        return list(given_axes(ax, n_panels))
    usual = float(mpl.rcParams["figure.figsize"][0])

    def heights(each: float) -> list[float]:
        return [share * each] * n_panels

    return list(new_axes(n_panels, plan_panels(n_panels, width, usual, heights)))


def limits_of(
    values: NDArray[np.float64], *, is_log: bool = False, pad: float = 0.05
) -> tuple[float, float]:
    """Give ends of an axis that leave a little room around values."""
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    if is_log:
        room = (high / low) ** pad if high > low else 2.0
        return low / room, high * room
    room = pad * (high - low) or 0.1 * abs(low) or 0.5
    return low - room, high + room
