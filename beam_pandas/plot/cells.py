"""Cells in rows and columns: colours, and texts that can be read on them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.errors import check_truth
from beam_pandas.plot.board import Board, Cell, Words, natural_height, natural_width
from beam_pandas.plot.board_plan import READABLE
from beam_pandas.plot.colours import readable_on
from beam_pandas.plot.figures import given_axes, new_axes, plan_panels
from beam_pandas.plot.text import LINE_HEIGHT, rc_points, text_widths

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_WRITTEN: Final = 20  # methods: the values of more are left to the colours
_LARGEST: Final = 1.0  # of the size of labels


class Grid(NamedTuple):
    """One panel: cells with a label for each row and column."""

    title: str
    rows: list[str]
    columns: list[str]
    cells: NDArray[np.float64]

    def words(self, x_label: str = "", y_label: str = "") -> Words:
        """Give what is written around the cells."""
        return Words(self.rows, self.columns, (), self.title, x_label, y_label)


class Place(NamedTuple):
    """Axes of a panel, what is written on them, and whether they have a legend."""

    ax: Axes
    words: Words
    is_explained: bool

    def board(self, handles: Sequence[Any] = ()) -> Board:
        """Write around the cells."""
        return Board(self.ax, self.words, handles if self.is_explained else ())


def board_axes(
    ax: Any,
    words: Sequence[Words],
    width: float | None,
    *,
    cell: float = 2.0,
    n_lines: float = 0.0,
    is_square: bool = True,
) -> list[Place]:
    """
    Take the given Axes, or make a figure with a panel for each of the boards.

    In a figure of several panels what is the same is written once: the legend above, the
    names of the axes at the left and at the foot.

    Parameters
    ----------
    ax : Axes, sequence of Axes or None
        As given.
    words : sequence of Words
        For each panel what is written around the cells.
    width : float or None
        Of a new figure in inches.
    cell : float, default 2.0
        Width of a cell where no width is given, in font sizes.
    n_lines : float, default 0.0
        Room for a legend, in lines of text.
    is_square : bool, default True
        Whether cells are square, however small; else rows are high enough for text.
    """
    if ax is not None:
        given = given_axes(ax, len(words))
        return [Place(*each, is_explained=True) for each in zip(given, words, strict=True)]

    def heights(each: float) -> list[float]:
        return [
            natural_height(part, each, is_square=is_square, n_lines=n_lines)
            for part in words
        ]

    natural = max(natural_width(part, cell) for part in words)
    panels = plan_panels(len(words), width, natural, heights)
    axes = new_axes(len(words), panels)
    return [
        Place(each, _not_repeated(words, at, panels.n_columns), at < panels.n_columns)
        for at, each in enumerate(axes)
    ]


def _not_repeated(words: Sequence[Words], at: int, n_columns: int) -> Words:
    """Leave out names of axes that a panel at the left or below has too."""
    part = words[at]
    if at % n_columns:
        part = part._replace(y_label="")
    below = at + n_columns
    if below < len(words) and words[below].x_label == part.x_label:
        part = part._replace(x_label="")
    return part


def draw_cells(
    ax: Axes, values: NDArray[np.float64], colours: Any, limits: tuple[float, float]
) -> Any:
    """Draw cells by value, the first row on top, blank where one is missing."""
    return ax.imshow(
        np.ma.masked_invalid(values),
        cmap=colours,
        vmin=limits[0],
        vmax=limits[1],
        aspect="auto",
        interpolation="nearest",
        origin="upper",
    )


def wants_text(annotate: bool | None, n_cells: int) -> bool:
    """Tell whether to write into the cells: as told, else up to a number of them."""
    if annotate is None:
        return n_cells <= _MOST_WRITTEN
    check_truth("annotate", annotate)
    return bool(annotate)


class CellTexts:
    """
    Texts in cells, black or white, whichever can be read on their colour.

    Parameters
    ----------
    ax : Axes
        Where the cells are.
    texts : ndarray of str
        For each cell, empty for none.
    colours : ndarray
        RGBA of each cell; those that are transparent take the usual colour of text.
    is_forced : bool
        Whether texts that are too small to be read are written all the same.
    """

    def __init__(
        self, ax: Axes, texts: NDArray[Any], colours: NDArray[Any], *, is_forced: bool
    ) -> None:
        self._is_forced = is_forced
        shown = [(at, text) for at, text in np.ndenumerate(texts) if text]
        self.widest = max((text for _, text in shown), key=len, default="")
        self.texts = []
        for (row, column), text in shown:
            written = ax.text(
                column, row, text, ha="center", va="center_baseline", parse_math=False
            )
            if colours[row, column, 3] > 0.0:
                written.set_color(readable_on(colours[row, column, :3]))
            self.texts.append(written)

    def __call__(self, cell: Cell) -> None:
        """Make the texts as large as the cells allow; hide them where that is too small."""
        font = rc_points("ytick.labelsize")
        size = cell_text_size(self.widest, cell, font)
        for text in self.texts:
            text.set_fontsize(size)
            text.set_visible(self._is_forced or size >= READABLE)


def cell_text_size(text: str, cell: Cell, font: float) -> float:
    """Find the font size at which a text fits a cell, at most that of labels."""
    width = float(text_widths([text], 1.0)[0]) if text else 0.0
    fitting = 0.85 * cell.width / max(width, 1e-9)
    return max(0.5, min(_LARGEST * font, fitting, cell.height / LINE_HEIGHT))


def size_markers(lines: Sequence[Any], largest: float, cell: Cell) -> None:
    """Make markers no larger than rows allow."""
    for line in lines:
        line.set_markersize(max(1.0, min(largest, 0.62 * cell.height)))


def markers_sized(lines: Sequence[Any], largest: float) -> Any:
    """Give what sizes markers whenever the rows change."""
    return partial(size_markers, list(lines), largest)
