"""A square of pairs as a heat map: method in the row against method in the column."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, MissingColumnsError, list_labels
from beam_pandas.plot.colours import SEQUENTIAL, colour_map
from beam_pandas.plot.heat_map import (
    Grid,
    annotate_cells,
    annotation_size,
    draw_cells,
    fit_labels,
    grid_axes,
    wants_annotation,
)
from beam_pandas.plot.panels import (
    add_title,
    add_x_label,
    as_labels,
    check_frame,
    check_width,
    read_wide_panels,
    require_matplotlib,
    returned,
)
from beam_pandas.plot.text import label_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MAKERS = ("comparison_matrix", "to_matrix")


def comparison_matrix(
    result: pd.DataFrame,
    *,
    ax: Axes | Sequence[Axes] | None = None,
    order: Sequence[Hashable] | None = None,
    annotate: bool | None = None,
    fmt: str | None = None,
    label: str | None = None,
    cmap: Any = SEQUENTIAL,
    width: float | None = None,
) -> Any:
    """
    Draw a square of pairs as a heat map, with the values in the cells.

    A cell tells about the method in its row against the method in its column. The colours
    start at 0, or lie evenly about 0 if a value is negative.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.comparison_matrix`, or a square that `beam_pandas.to_matrix`
        makes of any column of a result with a row for each pair.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric; by default a new figure.
    order : sequence of labels, optional
        Methods to show, in this order; by default all as they come.
    annotate : bool, optional
        Whether to write the values into the cells; by default if there is room. A colour
        bar is drawn if not.
    fmt : str, optional
        How to write them, such as ``".3f"``; by default whole numbers as such, others with
        two decimals.
    label : str, optional
        What the values are, for the title of a single panel and the colour bar.
    cmap : str or Colormap, default "cividis"
        Colours.
    width : float, optional
        Width of the new figure in inches.

    Returns
    -------
    Axes or ndarray of Axes
        With several metrics an array, one panel each.

    Raises
    ------
    MissingColumnsError
        If `result` is no square of methods.
    MissingDependencyError
        If matplotlib is not installed.
    BeamError
        If `order` names a method that is not there.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((7, 7), layout="constrained").add_subplot()
    >>> table = scores.beam.comparison_matrix()
    >>> beam_pandas.plot.comparison_matrix(table, ax=ax).get_ylabel()
    'method in row'
    """
    require_matplotlib()
    check_width(width)
    squares = read_squares(result, "comparison_matrix", order)
    grids = [grid for grid, _ in squares]
    axes = grid_axes(ax, grids, width)
    colours = colour_map(cmap)
    for each, (grid, name) in zip(axes, squares, strict=True):
        image = draw_cells(each, grid, colours=colours, limits=value_limits(grid.cells))
        each.set_ylabel(f"{name} in row")
        add_x_label(each, f"against {name} in column")
        add_title(each, grid.title or label or "")
        cell = fit_labels(each, grid)
        texts = cell_texts(grid.cells, fmt)
        size = annotation_size(texts, cell)
        if wants_annotation(annotate, size):
            annotate_cells(each, image, texts, size)
        else:
            add_colour_bar(each, image, label if grid.title else None)
            fit_labels(each, grid)
    return returned(axes)


def add_colour_bar(ax: Any, image: Any, label: str | None) -> None:
    """Draw a colour bar beside the Axes, from which it takes room."""
    bar = ax.get_figure().colorbar(image, ax=ax)
    if label:
        bar.set_label(label_text(label))


def read_squares(
    result: pd.DataFrame, picture: str, order: Sequence[Hashable] | None = None
) -> list[tuple[Grid, str]]:
    """Check a square, split it by metric, and name what its labels are."""
    check_frame(result, picture, _MAKERS)
    squares = []
    for title, part in read_wide_panels(result):
        labels = part.index.tolist()
        _check_square(part, labels, picture)
        chosen = as_labels(order, labels, "order") if order is not None else labels
        if not chosen or len(set(chosen)) < len(chosen):
            raise BeamError(f"order must name each method once, got {list_labels(chosen)}")
        values = part.loc[chosen, chosen].to_numpy(dtype=np.float64, na_value=np.nan)
        names = [label_text(each) for each in chosen]
        squares.append(
            (Grid(title, names, names, values), str(part.index.name or "method"))
        )
    return squares


def _check_square(part: pd.DataFrame, labels: list[Hashable], picture: str) -> None:
    """Refuse a frame that has no column for each of its rows."""
    lacking = [label for label in labels if label not in part.columns]
    if lacking or not labels or not part.index.is_unique or not part.columns.is_unique:
        raise MissingColumnsError(
            f"plot.{picture} needs a square, the same methods in rows and columns, found "
            f"rows {list_labels(labels)} and columns {list_labels(part.columns)}: pass the "
            "result of beam_pandas.comparison_matrix, or "
            "beam_pandas.to_matrix(result, 'wins')"
        )


def value_limits(values: NDArray[np.float64]) -> tuple[float, float]:
    """Choose the ends of the colours, which differ even if all values are equal."""
    finite = values[np.isfinite(values)]
    largest = float(np.abs(finite).max(initial=0.0)) or 1.0
    if (finite < 0).any():
        return -largest, largest
    is_share = largest <= 1.0 and bool((finite % 1 != 0).any())
    return 0.0, 1.0 if is_share else largest


def cell_texts(values: NDArray[np.float64], fmt: str | None) -> NDArray[Any]:
    """Write the values, nothing where one is missing."""
    finite = values[np.isfinite(values)]
    form = fmt or (".0f" if bool((finite % 1 == 0).all()) else ".2f")
    texts = ["" if np.isnan(value) else format(value, form) for value in values.ravel()]
    return np.array(texts, dtype=object).reshape(values.shape)
