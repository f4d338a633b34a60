"""Rows, and perhaps columns, with labels that fit: common ground of most pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from beam_pandas.plot.board_plan import LEVEL, MOST, Labels, Side, plan_labels
from beam_pandas.plot.fitting import Beside, Fit, Margins
from beam_pandas.plot.legends import Legend, Title, fitting_size
from beam_pandas.plot.text import LINE_HEIGHT, label_text, rc_points, widest

_EDGE: Final = 3.0  # points left free at the edges of the slot
_PAD: Final = 2.5  # points between labels and cells
_LEAST: Final = 0.25  # of width and height that the cells keep, however small the text
_LARGER: Final = 1.15  # words than labels, where labels are small
_NAMES: Final = 0.6  # of their usual size that words keep beside the smallest labels
_TALLEST: Final = 690.0  # points of all rows on a figure of their own
_LEAST_ROW: Final = 4.5  # points of a row without a label
_BAR: Final = 0.9  # width of a colour bar in font sizes


class Words(NamedTuple):
    """What is written around the cells, unescaped."""

    rows: Sequence[str]
    columns: Sequence[str] = ()  # none where the x axis is one of numbers
    right: Sequence[str] = ()
    title: str = ""
    x_label: str = ""
    y_label: str = ""
    most_rows: int = MOST  # named, if there is room
    size: float = 1.0  # of labels, in the caller's size, where there is room
    is_level: bool = False  # columns are named level where that fits


class Cell(NamedTuple):
    """Room of a cell in points, and the size of the labels beside it."""

    width: float
    height: float
    font: float
    dpi: float


class Board:
    """
    Labels, legend and colour bar around cells; what is in the cells is up to the picture.

    Parameters
    ----------
    ax : Axes
        Where everything is drawn.
    words : Words
        Labels and names.
    handles : sequence of Artist
        What the legend explains; without any the title stands alone.
    """

    def __init__(self, ax: Any, words: Words, handles: Sequence[Any] = ()) -> None:
        self.ax = ax
        self._words = words
        title = label_text(words.title) if words.title else ""
        self._top: Any = Legend(ax, handles, title) if handles else Title(ax, title)
        self._shown: list[Side | None] = [None, None, None]
        self._right: Any = None
        self._bar: Any = None
        self._bar_place: Any = None
        self._numbers = 0.0  # font size of those on the x axis
        self._beside: list[tuple[Any, float]] = []  # other Axes, and their share of width
        self._contents: list[Any] = []
        self._x_text = ax.set_xlabel(words.x_label, loc="right", labelpad=_PAD)
        self._y_text = ax.set_ylabel(words.y_label, labelpad=_PAD)
        for text in (self._x_text, self._y_text):
            text.set_parse_math(False)
        self._draw_frame()

    def _draw_frame(self) -> None:
        """Set up the axes: rows from the top, no ticks beside labels."""
        ax, words = self.ax, self._words
        ax.set_ylim(len(words.rows) - 0.5, -0.5)
        ax.tick_params("y", length=0, pad=_PAD)
        for side in ("left", "right", "top"):
            ax.spines[side].set_visible(False)
        if words.columns:
            ax.set_xlim(-0.5, len(words.columns) - 0.5)
            ax.tick_params("x", length=0, pad=_PAD)
            ax.spines["bottom"].set_visible(False)
        if words.right:
            self._right = ax.secondary_yaxis("right", functions=(_same, _same))
            self._right.tick_params(length=0, pad=_PAD)
            self._right.spines["right"].set_visible(False)
            self._right.yaxis.set_label_coords(1.1, 0.5)

    def add_colour_bar(self, image: Any, label: str) -> None:
        """Explain the colours beside the cells."""
        bar_axes = self.ax.get_figure().add_axes((0, 0, 1, 1), label="_colour_bar")
        self._bar_place = Beside(self.ax, 0.0, 1.0)
        bar_axes.set_axes_locator(self._bar_place)  # which the colour bar wraps
        self._bar = self.ax.get_figure().colorbar(image, cax=bar_axes)
        self._bar.set_label(label_text(label), parse_math=False)
        self._bar.outline.set_visible(False)

    def add_axes_beside(self, share: float) -> Any:
        """Add Axes with the same rows on the right, with a share of the width."""
        other = self.ax.inset_axes((1.0, 0.0, 1.0, 1.0))
        other.set_axes_locator(Beside(self.ax, 0.0, 1.0))
        self._beside.append((other, share))
        return other

    def finish(self, *contents: Any) -> None:
        """Fit everything, now and whenever the slot changes."""
        self._contents = list(contents)
        Fit(self.ax, self).start()

    def arrange(self, width: float, height: float, dpi: float) -> Margins:
        """Place and size everything for a slot in points."""
        factor = 1.0
        while True:
            margins, labels = self._try(width, height, dpi, factor, factor)
            other = max(
                _LARGER * labels.size / rc_points("ytick.labelsize"), _NAMES * factor
            )
            if other < 0.9 * factor:  # words beside small labels are small too
                margins, labels = self._try(width, height, dpi, factor, other)
            inner = (
                width - margins.left - margins.right,
                height - margins.bottom - margins.top,
            )
            if factor < 0.1 or (inner[0] >= _LEAST * width and inner[1] >= _LEAST * height):
                break
            factor *= 0.85
        self._write(labels)
        self._place_names(labels, inner)
        self._place_beside(margins)
        words = self._words
        cell = Cell(
            max(inner[0], 1.0) / max(len(words.columns), 1),
            max(inner[1], 1.0) / len(words.rows),
            labels.size,
            dpi,
        )
        for content in self._contents:
            content(cell)
        return margins

    def _try(
        self, width: float, height: float, dpi: float, factor: float, other: float
    ) -> tuple[Margins, Labels]:
        """Plan margins, labels smaller by a factor, and what else is written by another."""
        words = self._words
        font = words.size * factor * rc_points("ytick.labelsize")
        name = other * rc_points("axes.labelsize")
        line = LINE_HEIGHT * name + 2.0 * _PAD
        left = _EDGE + (line if words.y_label else 0.0) + _PAD
        bottom = _EDGE + (line if words.x_label else 0.0) + _PAD
        if not words.columns:  # an axis of numbers
            bottom += LINE_HEIGHT * other * rc_points("xtick.labelsize") + 4.0
            self._numbers = other * rc_points("xtick.labelsize")
            self.ax.tick_params("x", labelsize=self._numbers)
        right = _EDGE + (0.0 if words.columns else 1.5 * font)
        if words.right:
            right += _PAD
        if self._bar is not None:
            right += self._size_bar(other * rc_points("ytick.labelsize"), name)
        beside = sum(share for _, share in self._beside)
        right += beside * (width - left - right)
        room_x = width - right - _EDGE
        left_to_do = 1 + bool(words.right)  # labels there leave less room above
        while True:
            self._top.arrange(max(room_x, 1.0), other, dpi)
            top = _EDGE + self._top.height
            room = (max(width - left - right, 1.0), max(height - bottom - top, 1.0))
            labels = plan_labels(
                *words[:3], room, font, dpi, words.most_rows, may_be_level=words.is_level
            )
            room_x = max(width - right - labels.right.room - _EDGE, 1.0)
            left_to_do -= 1
            if not left_to_do:
                break
        for text in (self._x_text, self._y_text):
            text.set_fontsize(name)
        if words.x_label:
            self._x_text.set_fontsize(
                fitting_size(self._x_text.get_text(), name, room_x, dpi)
            )
        if words.y_label:
            self._y_text.set_fontsize(
                fitting_size(self._y_text.get_text(), name, height - 2.0 * _EDGE, dpi)
            )
        margins = Margins(
            left + labels.rows.room,
            bottom + labels.columns.room,
            right + labels.right.room,
            top,
        )
        return margins, labels

    def _size_bar(self, font: float, name: float) -> float:
        """Size the texts of the colour bar; give the width it takes with them."""
        self._bar.ax.tick_params(labelsize=font, length=2.0, pad=_PAD)
        self._bar.ax.yaxis.label.set_fontsize(name)
        numbers = widest([text.get_text() for text in self._bar.ax.get_yticklabels()], font)
        self._bar_place.start = 0.8 * font
        self._bar_place.width = _BAR * font
        label = LINE_HEIGHT * name + 4.0 if self._bar.ax.get_ylabel() else 0.0
        return (0.8 + _BAR) * font + 2.0 + 2.0 * _PAD + 1.15 * numbers + label

    def _place_names(self, labels: Labels, inner: tuple[float, float]) -> None:
        """Put the names of the axes beside the labels, which spares measuring these."""
        numbers = 0.0 if self._words.columns else LINE_HEIGHT * self._numbers + 4.0
        below = labels.columns.room + numbers + 2.0 * _PAD
        beside = labels.rows.room + 2.0 * _PAD
        self.ax.xaxis.set_label_coords(1.0, -below / max(inner[1], 1.0))
        self.ax.yaxis.set_label_coords(-beside / max(inner[0], 1.0), 0.5)
        for other, _ in self._beside:
            other.xaxis.set_label_coords(1.0, -below / max(inner[1], 1.0))

    def _place_beside(self, margins: Margins) -> None:
        """Divide what is right of the cells among the Axes that stand there."""
        font = rc_points("ytick.labelsize")
        for other, _ in self._beside:
            place = other.get_axes_locator()
            free = margins.right - _EDGE - 0.6 * font
            place.start = 1.4 * font
            place.width = max(free - place.start, 1.0)
            other.tick_params("x", labelsize=self._numbers)
            other.xaxis.label.set_fontsize(self._x_text.get_fontsize())

    def _write(self, labels: Labels) -> None:
        """Write the labels that are shown, unless they are there."""
        axes = (self.ax.yaxis, self.ax.xaxis, getattr(self._right, "yaxis", None))
        for at, (axis, side) in enumerate(
            zip(axes, (labels.rows, labels.columns, labels.right), strict=True)
        ):
            if axis is None or not side.texts:
                continue
            if self._shown[at] != side._replace(room=0.0):
                more: dict[str, Any] = {"rotation": 0 if side.is_level else 90}
                more = more if at == 1 else {}
                axis.set_ticks(side.places, side.texts, parse_math=False, **more)
                self._shown[at] = side._replace(room=0.0)
            axis.set_tick_params(labelsize=labels.size)


def _same(places: Any) -> Any:
    """Let both sides have the same scale; matplotlib's own function cannot be pickled."""
    return places


def natural_height(
    words: Words, width: float, *, is_square: bool, n_lines: float = 0.0
) -> float:
    """
    Give the height in inches that a board would like.

    Parameters
    ----------
    words : Words
        What is written around the cells.
    width : float
        Of the slot, in inches.
    is_square : bool
        Whether cells are square if there is room; else rows are as high as text.
    n_lines : float, default 0.0
        Room for a legend, in lines of text.
    """
    font = rc_points("ytick.labelsize")
    name = rc_points("axes.labelsize")
    wide = 72.0 * width
    rows = min(0.38 * wide, widest([label_text(text) for text in words.rows], font))
    columns = min(0.38 * wide, widest([label_text(text) for text in words.columns], font))
    if words.is_level and columns * len(words.columns) < LEVEL * (wide - rows):
        columns = LINE_HEIGHT * font
    around = columns + (LINE_HEIGHT * font + 4.0 if not words.columns else 0.0)
    around += (LINE_HEIGHT * name + 5.0) * bool(words.x_label) + n_lines * 1.3 * font + 12.0
    row = 1.35 * font
    if is_square:
        inner = wide - rows - (LINE_HEIGHT * name + 12.0)
        side = min(inner / len(words.columns), 4.0 * font)
        row = max(side, 5.5)
    n_rows = len(words.rows)
    if is_square:
        tall = min(row * n_rows, 1.1 * wide)
    elif n_rows > words.most_rows:
        tall = min(_LEAST_ROW * n_rows, _TALLEST)
    else:
        tall = min(row * n_rows, _TALLEST)
    return (tall + around) / 72.0


def natural_width(words: Words, cell: float) -> float:
    """Give the width in inches that a board with columns would like."""
    import matplotlib as mpl

    font = rc_points("ytick.labelsize")
    least = float(mpl.rcParams["figure.figsize"][0])
    rows = widest([label_text(text) for text in words.rows], font)
    n_columns = len(words.columns)
    if n_columns > MOST:
        return min(max(least, 9.0), 11.0)
    wanted = (rows + cell * font * n_columns + 4.0 * font) / 72.0
    return min(max(least, wanted), 11.0)
