"""Who outperforms whom, and which of these majorities contradict an order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.kernels.order import Relation, majority_relation, on_cycle
from beam_pandas.plot.colours import BLUE, ORANGE, PALE
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
    Panel,
    add_legend,
    add_x_label,
    check_width,
    read_panels,
    require_matplotlib,
    returned,
)
from beam_pandas.plot.text import label_text
from beam_pandas.results.squares import to_matrix

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NEEDED = ("method_1", "method_2", "n_datasets", "wins", "losses")
_LOST = "#F7F7F7"


def majority(
    result: pd.DataFrame,
    *,
    ax: Axes | Sequence[Axes] | None = None,
    annotate: bool | None = None,
    width: float | None = None,
) -> Any:
    """
    Draw who outperforms whom, ordered by the number of methods beaten.

    If the majorities agree on an order, every cell above the diagonal is dark and none
    below. What is below the diagonal and part of a cycle, so that no order agrees with it
    and with all others, is framed.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.pairwise` or of `beam_pandas.bayesian_sign`: wins and
        losses of each pair, and the number of datasets it shares.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric; by default a new figure.
    annotate : bool, optional
        Whether to write the wins of the row over the column into the cells; by default if
        there is room.
    width : float, optional
        Width of the new figure in inches.

    Returns
    -------
    Axes or ndarray of Axes
        With several metrics an array, one panel each.

    Raises
    ------
    MissingColumnsError
        If `result` lacks a column that is drawn.
    MissingDependencyError
        If matplotlib is not installed.

    See Also
    --------
    beam_pandas.majority : the numbers of methods beaten.
    beam_pandas.circular_triads : the shortest cycles.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((7, 7), layout="constrained").add_subplot()
    >>> ax = beam_pandas.plot.majority(scores.beam.pairwise(), ax=ax)
    >>> ax.get_yticklabels()[0].get_text()
    'MLP'
    """
    require_matplotlib()
    check_width(width)
    panels = read_panels(result, _NEEDED, "majority", ("pairwise", "bayesian_sign"))
    squares = [_read_square(panel) for panel in panels]
    grids = [grid for grid, _, _ in squares]
    axes = grid_axes(ax, grids, width, extra=2.0)
    for each, (grid, wins, cycles) in zip(axes, squares, strict=True):
        _draw(each, grid, wins, cycles, annotate)
    return returned(axes)


def _read_square(panel: Panel) -> tuple[Grid, NDArray[Any], NDArray[np.bool_]]:
    """Order the methods; give the relation, the wins, and what to mark as a cycle."""
    pairs = panel.part[list(_NEEDED)]
    square = to_matrix(pairs, "wins")
    wins = square.fillna(0).to_numpy(dtype=np.int64)
    shared = to_matrix(pairs, "n_datasets").fillna(0).to_numpy(dtype=np.int64)
    relation = majority_relation(wins, shared)
    order = np.lexsort((relation.beats.sum(axis=0), -relation.beats.sum(axis=1)))
    among = np.ix_(order, order)
    names = [label_text(method) for method in square.index[order]]
    values = _states(relation)[among]
    texts = np.where(shared > 0, wins.astype(str), "").astype(object)[among]
    cycles = np.tril(on_cycle(relation.beats)[among], k=-1)
    return Grid(panel.title, names, names, values), texts, cycles


def _states(relation: Relation) -> NDArray[np.float64]:
    """Write 1 where the row outperforms the column, 0 where it is outperformed."""
    states = np.full(relation.beats.shape, np.nan)
    states[relation.beats] = 1.0
    states[relation.beats.T] = 0.0
    states[relation.tied] = 0.5
    return states


def _draw(
    ax: Axes,
    grid: Grid,
    wins: NDArray[Any],
    cycles: NDArray[np.bool_],
    annotate: bool | None,
) -> None:
    """Draw one panel with its legend."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch, Rectangle

    image = draw_cells(
        ax, grid, colours=ListedColormap([_LOST, PALE, BLUE]), limits=(0.0, 1.0)
    )
    style: dict[str, Any] = {"facecolor": ORANGE, "edgecolor": "black", "linewidth": 1.2}
    for row, column in np.argwhere(cycles):
        ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1.0, 1.0, **style))
    handles = [
        Patch(facecolor=BLUE, label="row outperforms column"),
        Patch(facecolor=PALE, label="as many wins as losses"),
        Patch(label="in a cycle, against the order", **style),
    ]
    add_legend(ax, handles, grid.title)
    ax.set_ylabel("method in row")
    add_x_label(ax, "against method in column")
    size = annotation_size(wins, fit_labels(ax, grid))
    if wants_annotation(annotate, size):
        annotate_cells(ax, image, np.where(cycles, "", wins), size)
        for row, column in np.argwhere(cycles):
            text = str(wins[row, column])
            ax.text(
                column, row, text, ha="center", va="center", fontsize=size, color="black"
            )
