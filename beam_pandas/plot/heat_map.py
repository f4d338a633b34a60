"""Cells in rows and columns: the common ground of the pictures of squares and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.plot.colours import readable_on
from beam_pandas.plot.panels import given_axes, new_axes, size_in_points
from beam_pandas.plot.text import LINE_HEIGHT, rc_points, text_sizes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

_READABLE: Final = 4.0  # points


class Grid(NamedTuple):
    """One panel: cells with a label for each row and column."""

    title: str
    rows: list[str]
    columns: list[str]
    cells: NDArray[np.float64]


def grid_axes(
    ax: Any,
    grids: Sequence[Grid],
    width: float | None,
    *,
    cell: float = 2.0,
    extra: float = 0.0,
    is_square: bool = True,
) -> list[Axes]:
    """
    Take the given Axes, or make a figure whose cells are about square.

    Parameters
    ----------
    ax : Axes, sequence of Axes or None
        As given.
    grids : sequence of Grid
        One for each panel.
    width : float or None
        Of a new figure in inches.
    cell : float, default 2.0
        Width of a cell where no width is given, in font sizes.
    extra : float, default 0.0
        Room for a legend, in lines of text.
    is_square : bool, default True
        Whether cells are square, however small; else rows are high enough for text.
    """
    if ax is not None:
        return given_axes(ax, len(grids))
    import matplotlib as mpl

    font = rc_points("ytick.labelsize")
    row_label = max(text_sizes(grid.rows, font)[:, 0].max() for grid in grids)
    column_label = max(text_sizes(grid.columns, font)[:, 0].max() for grid in grids)
    n_columns = max(len(grid.columns) for grid in grids)
    beside = row_label + 4.0 * font
    wide = max(72.0 * mpl.rcParams["figure.figsize"][0], beside + cell * font * n_columns)
    wide = 72.0 * width if width else wide
    factor = min(1.0, wide / (beside + LINE_HEIGHT * font * n_columns))
    side = min((wide - factor * beside) / n_columns, 4.0 * font)
    row_font = font * min(1.0, 0.4 * wide / row_label)
    if is_square:
        row_font = factor * font
    row = max(side, LINE_HEIGHT * row_font)
    around = factor * column_label + (5.0 + 1.5 * extra) * font
    tall = sum(row * len(grid.rows) + around for grid in grids)
    axes = new_axes(len(grids), wide / 72.0, tall / 72.0)
    for each in axes:
        each.tick_params("x", labelsize=factor * font)
        each.tick_params("y", labelsize=row_font)
    return axes


def draw_cells(
    ax: Axes, grid: Grid, *, colours: Any, limits: tuple[float, float]
) -> AxesImage:
    """Draw the cells, the first row on top, and their labels."""
    image = ax.imshow(
        np.ma.masked_invalid(grid.cells),
        cmap=colours,
        vmin=limits[0],
        vmax=limits[1],
        aspect="auto",
        interpolation="nearest",
        origin="upper",
    )
    label_cells(ax, grid)
    return image


def label_cells(ax: Axes, grid: Grid) -> None:
    """Put labels on rows and columns."""
    ax.set_xlim(-0.5, len(grid.columns) - 0.5)
    ax.set_ylim(len(grid.rows) - 0.5, -0.5)
    ax.set_xticks(range(len(grid.columns)), grid.columns, rotation=90)
    ax.set_yticks(range(len(grid.rows)), grid.rows)
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)


def fit_labels(ax: Any, grid: Grid) -> tuple[float, float]:
    """Make the labels as large as rows and columns allow; give the size of a cell."""
    font = rc_points("ytick.labelsize")
    row_label = text_sizes(grid.rows, font)[:, 0].max()
    cell = (font, font)
    for _ in range(3):  # smaller labels leave more room to the cells
        width, height = size_in_points(ax)
        cell = width / len(grid.columns), height / len(grid.rows)
        ax.tick_params("x", labelsize=max(0.5, min(font, cell[0] / LINE_HEIGHT)))
        widest = 0.4 * 72.0 * ax.get_figure().bbox.width / ax.get_figure().dpi / row_label
        largest = min(font * widest, cell[1] / LINE_HEIGHT)
        ax.tick_params("y", labelsize=max(0.5, min(font, largest)))
    return cell


def annotation_size(texts: NDArray[Any], cell: tuple[float, float]) -> float:
    """Find the font size at which the widest text fits a cell, at most the labels'."""
    font = rc_points("ytick.labelsize")
    width = float(text_sizes([max(texts.ravel(), key=len)], font)[0, 0])
    return min(font, font * 0.85 * cell[0] / max(width, 1.0), cell[1] / LINE_HEIGHT)


def annotate_cells(ax: Axes, image: AxesImage, texts: NDArray[Any], size: float) -> None:
    """Write a text into each cell, black or white, whichever can be read on its colour."""
    values: Any = image.get_array()
    colours: Any = image.to_rgba(values)
    blank = np.ma.getmaskarray(values)
    for (row, column), text in np.ndenumerate(texts):
        if text:
            written = ax.text(column, row, text, ha="center", va="center", fontsize=size)
            if not blank[row, column]:
                written.set_color(readable_on(colours[row, column]))


def wants_annotation(annotate: bool | None, size: float) -> bool:
    """Tell whether to write into the cells: as told, else if the text can be read."""
    return size >= _READABLE if annotate is None else bool(annotate)
