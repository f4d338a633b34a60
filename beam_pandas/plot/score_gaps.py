"""Which scores there are: methods by datasets, ordered so that gaps form blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import MissingColumnsError, list_labels
from beam_pandas.plot.colours import BLUE, PALE
from beam_pandas.plot.heat_map import Grid, draw_cells, fit_labels, grid_axes
from beam_pandas.plot.panels import (
    Panel,
    add_legend,
    add_x_label,
    check_frame,
    check_width,
    read_wide_panels,
    require_matplotlib,
    returned,
)
from beam_pandas.plot.text import label_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SMALLEST_LABEL = 3.0  # points


def coverage(
    result: pd.DataFrame,
    *,
    ax: Axes | Sequence[Axes] | None = None,
    width: float | None = None,
) -> Any:
    """
    Draw which methods have a score on which datasets.

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
        With several metrics an array, one panel each. Labels of datasets that would be
        too small to read are left out.

    Raises
    ------
    MissingColumnsError
        If `result` has no level `dataset` in its rows, as a wide table does.
    MissingDependencyError
        If matplotlib is not installed.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((7, 5), layout="constrained").add_subplot()
    >>> ax = beam_pandas.plot.coverage(scores.beam.wide_scores(), ax=ax)
    >>> ax.get_yticklabels()[-1].get_text()
    'ComplementNB'
    """
    require_matplotlib()
    check_width(width)
    check_frame(result, "coverage", ("wide_scores",))
    if result.index.names[-1] != "dataset" or result.empty:
        raise MissingColumnsError(
            "plot.coverage needs a row for each dataset and a column for each method, "
            f"found columns {list_labels(result.columns)}: pass the result of "
            "beam_pandas.wide_scores"
        )
    grids = [_arrange(panel) for panel in read_wide_panels(result)]
    axes = grid_axes(ax, grids, width, cell=1.3, extra=2.0, is_square=False)
    for each, grid in zip(axes, grids, strict=True):
        _draw(each, grid)
    return returned(axes)


def _arrange(panel: Panel) -> Grid:
    """Turn a wide table into 1 for present and 0 for missing, gaps side by side."""
    present = panel.part.notna().to_numpy().T
    methods = _block_order(present)
    datasets = _block_order(present[methods].T)
    return Grid(
        panel.title,
        [label_text(method) for method in panel.part.columns[methods]],
        [label_text(dataset) for dataset in panel.part.index[datasets]],
        present[np.ix_(methods, datasets)].astype(np.float64),
    )


def _block_order(present: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Order rows by how many are missing, then equal patterns side by side."""
    missing = ~present
    rarest_last = np.argsort(missing.sum(axis=0), kind="stable")
    return np.lexsort((*missing.T[rarest_last], missing.sum(axis=1)))


def _draw(ax: Any, grid: Grid) -> None:
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    draw_cells(ax, grid, colours=ListedColormap([PALE, BLUE]), limits=(0.0, 1.0))
    ax.set_xticks(np.arange(0.5, len(grid.columns) - 1), minor=True)
    ax.set_yticks(np.arange(0.5, len(grid.rows) - 1), minor=True)
    ax.grid(which="minor", color="white", linewidth=0.5)
    ax.tick_params(which="minor", length=0)
    ax.set_ylabel("method")
    add_x_label(ax, f"dataset ({len(grid.columns)})")
    shares = [f"{100.0 * share:.0f} %" for share in grid.cells.mean(axis=1)]
    right = ax.secondary_yaxis("right")
    right.set_yticks(range(len(shares)), [label_text(share) for share in shares])
    right.tick_params(length=0)
    right.spines["right"].set_visible(False)
    handles = [Patch(facecolor=BLUE, label="score"), Patch(facecolor=PALE, label="missing")]
    add_legend(ax, handles, grid.title)
    cell = fit_labels(ax, grid)
    if cell[0] < _SMALLEST_LABEL:
        ax.set_xticks([])
        cell = fit_labels(ax, grid)
    right.tick_params(labelsize=ax.get_yticklabels()[0].get_fontsize())
