"""Which scores there are: methods by datasets, ordered so that gaps form blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import MissingColumnsError, list_labels
from beam_pandas.plot.board import Cell, Words
from beam_pandas.plot.cells import Place, board_axes, draw_cells
from beam_pandas.plot.colours import VERMILION, face, pale
from beam_pandas.plot.figures import check_width, require_matplotlib, returned
from beam_pandas.plot.panels import Panel, check_frame, read_wide_panels
from beam_pandas.plot.text import raw_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PICTURE: Final = "missing_scores"
_MAKERS: Final = ("wide_scores",)
_ROW: Final = "dataset"
_WIDEST_LINE: Final = 0.8  # points between cells
_LEAST_CELL: Final = 4.0  # points of a cell that has lines around it


def missing_scores(
    result: pd.DataFrame,
    *,
    ax: Axes | Sequence[Axes] | None = None,
    width: float | None = None,
) -> Any:
    """
    Draw which methods lack a score on which datasets.

    Methods and datasets that lack the fewest come first, those that lack the same ones
    side by side. The share of the datasets that a method has stands on the right.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.wide_scores`: a row for each dataset, a column for each
        method, missing where there is no score.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric; by default a new figure.
    width : float, optional
        Width of the new figure in inches.

    Returns
    -------
    Axes or ndarray of Axes
        With several metrics an array, one panel each. Of more than 60 methods or datasets
        the first and the last are named, with the number between.

    Raises
    ------
    MissingColumnsError
        If `result` has no level `dataset` in its rows, as a wide table does.
    MissingDependencyError
        If matplotlib is not installed.

    See Also
    --------
    beam_pandas.missing_scores : the gaps as a table.
    beam_pandas.coverage : how many scores each method lacks.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((7, 5)).add_subplot()
    >>> ax = beam_pandas.plot.missing_scores(scores.beam.wide_scores(), ax=ax)
    >>> ax.get_yticklabels()[-1].get_text()
    'ComplementNB'
    """
    require_matplotlib()
    check_width(width)
    check_frame(result, _PICTURE, _MAKERS)
    if _ROW not in result.index.names or result.empty:
        raise MissingColumnsError(
            f"plot.{_PICTURE} needs a row for each dataset and a column for each method, "
            f"found columns {list_labels(result.columns)}: pass the result of "
            "beam_pandas.wide_scores"
        )
    parts = [_arrange(panel) for panel in read_wide_panels(result, _ROW)]
    words = [around for around, _ in parts]
    places = board_axes(ax, words, width, cell=1.3, n_lines=2.5, is_square=False)
    for place, (_, present) in zip(places, parts, strict=True):
        _draw(place, present)
    return returned([place.ax for place in places])


def _arrange(panel: Panel) -> tuple[Words, NDArray[np.float64]]:
    """Turn a wide table into 1 for present and 0 for missing, gaps side by side."""
    present = panel.part.notna().to_numpy().T
    methods = _block_order(present)
    datasets = _block_order(present[methods].T)
    ordered = present[np.ix_(methods, datasets)].astype(np.float64)
    words = Words(
        rows=[raw_text(method) for method in panel.part.columns[methods]],
        columns=[raw_text(dataset) for dataset in panel.part.index[datasets]],
        right=[f"{100.0 * share:.0f} %" for share in ordered.mean(axis=1)],
        title=panel.title,
        x_label=f"dataset ({len(datasets)})",
        y_label="method",
    )
    return words, ordered


def _block_order(present: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Order rows by how many are missing, then equal patterns side by side."""
    missing = ~present
    rarest_last = np.argsort(missing.sum(axis=0), kind="stable")
    return np.lexsort((*missing.T[rarest_last], missing.sum(axis=1)))


def _draw(place: Place, present: NDArray[np.float64]) -> None:
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    ax = place.ax
    chosen: Any = [VERMILION, pale(ax)]
    colours = ListedColormap(chosen)
    draw_cells(ax, present, colours, (0.0, 1.0))
    handles = [
        Patch(facecolor=VERMILION, label="missing"),
        Patch(facecolor=pale(ax), label="score"),
    ]
    place.board(handles).finish(Lines(ax, present.shape))


class Lines:
    """Lines between cells in the colour of the ground, none where cells are small."""

    def __init__(self, ax: Any, shape: tuple[int, ...]) -> None:
        edges = {"color": face(ax), "label": "_grid"}
        down = np.arange(0.5, shape[0] - 1)
        across = np.arange(0.5, shape[1] - 1)
        self._lines = [
            ax.hlines(down, -0.5, shape[1] - 0.5, **edges),
            ax.vlines(across, -0.5, shape[0] - 0.5, **edges),
        ]

    def __call__(self, cell: Cell) -> None:
        """Make the lines as thin as cells are small."""
        for lines, size in zip(self._lines, (cell.height, cell.width), strict=True):
            lines.set_visible(size >= _LEAST_CELL)
            lines.set_linewidth(min(_WIDEST_LINE, 0.08 * size))
