"""Which datasets order the methods alike: a square of datasets, the like side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, plain
from beam_pandas.plot.cells import (
    CellTexts,
    Grid,
    Place,
    board_axes,
    draw_cells,
    wants_text,
)
from beam_pandas.plot.colours import BLUE, ORANGE, colour_map, face
from beam_pandas.plot.figures import check_width, require_matplotlib, returned
from beam_pandas.plot.numbers import MINUS
from beam_pandas.plot.panels import Panel, read_panels
from beam_pandas.plot.text import raw_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PICTURE: Final = "dataset_concordance"
_NEEDED: Final = ("dataset_1", "dataset_2", "kendall_tau")


def dataset_concordance(
    result: pd.DataFrame,
    *,
    ax: Axes | Sequence[Axes] | None = None,
    annotate: bool | None = None,
    cmap: Any = None,
    width: float | None = None,
) -> Any:
    """
    Draw how far each two datasets agree on the order of the methods.

    Datasets that agree with each other stand side by side: average linkage of one minus
    Kendall's tau, its branches turned so that neighbours agree as much as they can. A
    pair without a tau is blank and counts as 0 for the order; so is the diagonal blank.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.dataset_concordance`, whole.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric; by default a new figure.
    annotate : bool, optional
        Whether to write the values into the cells; by default up to 20 datasets, where
        they can be read. A colour bar is drawn if not.
    cmap : str or Colormap, optional
        Colours from -1 to 1; by default orange for datasets that order the methods the
        other way round, blue for those that agree.
    width : float, optional
        Width of the new figure in inches.

    Returns
    -------
    Axes or ndarray of Axes
        With several metrics an array, one panel each. Of more than 60 datasets the first
        and the last are named, with the number between.

    Raises
    ------
    MissingColumnsError
        If `result` lacks a column that is drawn.
    MissingDependencyError
        If matplotlib is not installed.
    BeamError
        If there are no such colours, or a pair of datasets is missing or comes twice.

    See Also
    --------
    beam_pandas.dataset_concordance : the numbers.
    dataset_discrimination : which datasets tell the methods apart.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((7, 7)).add_subplot()
    >>> ax = beam_pandas.plot.dataset_concordance(scores.beam.dataset_concordance(), ax=ax)
    >>> len(ax.get_yticklabels())
    32
    """
    require_matplotlib()
    check_width(width)
    chosen = None if cmap is None else colour_map(cmap)
    panels = read_panels(result, _NEEDED, _PICTURE, (_PICTURE,))
    grids = [_read(panel) for panel in panels]
    words = [grid.words() for grid in grids]
    places = board_axes(ax, words, width, n_lines=1.5 if words[0].title else 0.0)
    for place, grid in zip(places, grids, strict=True):
        colours = _own_colours(place.ax) if chosen is None else chosen
        _draw(place, grid, colours, annotate)
    return returned([place.ax for place in places])


def _read(panel: Panel) -> Grid:
    """Fill a square, ordered so that the like stand side by side."""
    part = panel.part
    codes, datasets = pd.factorize(pd.concat([part["dataset_1"], part["dataset_2"]]))
    first, second = codes.reshape(2, -1)
    n_datasets = len(datasets)
    ends = np.sort(codes.reshape(2, -1), axis=0)
    n_all = n_datasets * (n_datasets - 1) // 2
    if not len(np.unique(ends, axis=1).T) == len(part) == n_all:
        place = f" of {panel.title}" if panel.title else ""
        raise BeamError(
            f"plot.{_PICTURE} needs every pair of datasets once{place}, found {len(part)} "
            f"rows for {n_all} pairs of {n_datasets}: pass the whole result of "
            f"beam_pandas.{_PICTURE}"
        )
    tau = np.full((n_datasets, n_datasets), np.nan)
    tau[first, second] = part["kendall_tau"].to_numpy(dtype=np.float64, na_value=np.nan)
    tau[second, first] = tau[first, second]
    order = clustered_order(tau)
    labels = datasets.tolist()
    names = [raw_text(plain(labels[at])) for at in order]
    return Grid(panel.title, names, names, tau[np.ix_(order, order)])


def clustered_order(tau: NDArray[np.float64]) -> NDArray[np.intp]:
    """Order datasets by average linkage, neighbours as alike as the tree allows."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    if len(tau) < 3:
        return np.arange(len(tau))
    distance = 1.0 - np.nan_to_num(tau)
    np.fill_diagonal(distance, 0.0)
    tree = linkage(squareform(distance, checks=False), "average", optimal_ordering=True)
    order: NDArray[np.intp] = leaves_list(tree).astype(np.intp)
    return order


def _own_colours(ax: Axes) -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    ends: Any = [ORANGE, face(ax), BLUE]
    return LinearSegmentedColormap.from_list("tau", ends).with_extremes(bad="none")


def _draw(place: Place, grid: Grid, colours: Any, annotate: bool | None) -> None:
    """Draw one panel, with values or a colour bar."""
    image = draw_cells(place.ax, grid.cells, colours, (-1.0, 1.0))
    board = place.board()
    if wants_text(annotate, len(grid.rows)):
        texts = np.array(
            ["" if np.isnan(each) else _short(each) for each in grid.cells.ravel()],
            dtype=object,
        ).reshape(grid.cells.shape)
        cells = image.to_rgba(image.get_array())
        board.finish(CellTexts(place.ax, texts, cells, is_forced=annotate is not None))
    else:
        board.add_colour_bar(image, "Kendall's tau")
        board.finish()


def _short(value: float) -> str:
    """Write a correlation with two decimals, without the 0 in front."""
    text = f"{value:.2f}".replace("0.", ".", 1)
    return "0" if not text.strip("-.0") else text.replace("-", MINUS)
