"""Who outperforms whom, and which of these majorities contradict an order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.kernels.order import Relation, majority_relation, on_cycle
from beam_pandas.plot.cells import (
    CellTexts,
    Grid,
    Place,
    board_axes,
    draw_cells,
    wants_text,
)
from beam_pandas.plot.colours import BLUE, ORANGE, faint, ink, pale
from beam_pandas.plot.figures import check_width, require_matplotlib, returned
from beam_pandas.plot.panels import Panel, read_panels, refuse_part_of_pairs
from beam_pandas.plot.text import raw_text
from beam_pandas.results.squares import to_matrix

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NEEDED: Final = ("method_1", "method_2", "n_datasets", "wins", "losses")


class Majorities(NamedTuple):
    """One panel: the relation as 1, 0.5 and 0, the wins, and what is against the order."""

    grid: Grid
    wins: NDArray[Any]
    cycles: NDArray[np.bool_]


def transitivity(
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
    and with all others, is framed. A pair without a shared dataset is blank.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.pairwise` or of `beam_pandas.bayesian_sign`: wins and
        losses of each pair, and the number of datasets it shares.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric; by default a new figure.
    annotate : bool, optional
        Whether to write the wins of the row over the column into the cells; by default up
        to 20 methods, where they can be read.
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
    BeamError
        If `result` lacks pairs.
    MissingDependencyError
        If matplotlib is not installed.

    See Also
    --------
    beam_pandas.transitivity : whether the majorities agree on an order.
    beam_pandas.majority : the numbers of methods beaten.
    beam_pandas.circular_triads : the shortest cycles.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((7, 7)).add_subplot()
    >>> ax = beam_pandas.plot.transitivity(scores.beam.pairwise(), ax=ax)
    >>> ax.get_yticklabels()[0].get_text()
    'MLP'
    """
    require_matplotlib()
    check_width(width)
    makers = ("pairwise", "bayesian_sign")
    panels = read_panels(result, _NEEDED, "transitivity", makers)
    for panel in panels:
        refuse_part_of_pairs(panel.part, panel.title, "transitivity", makers)
    maps = [_read(panel) for panel in panels]
    written = [wants_text(annotate, len(each.grid.rows)) for each in maps]
    words = [
        each.grid.words(
            "against method in column" + (" (numbers: wins of the row)" if numbers else ""),
            "method in row",
        )
        for each, numbers in zip(maps, written, strict=True)
    ]
    places = board_axes(ax, words, width, n_lines=4.0)
    for place, part, numbers in zip(places, maps, written, strict=True):
        _draw(place, part, numbers, is_forced=annotate is not None)
    return returned([place.ax for place in places])


def _read(panel: Panel) -> Majorities:
    """Order the methods; give the relation, the wins, and what to mark as a cycle."""
    pairs = panel.part[list(_NEEDED)]
    square = to_matrix(pairs, "wins")
    wins = square.fillna(0).to_numpy(dtype=np.int64)
    shared = to_matrix(pairs, "n_datasets").fillna(0).to_numpy(dtype=np.int64)
    relation = majority_relation(wins, shared)
    order = np.lexsort((relation.beats.sum(axis=0), -relation.beats.sum(axis=1)))
    among = np.ix_(order, order)
    names = [raw_text(method) for method in square.index[order]]
    texts = np.where(shared > 0, wins.astype(str), "").astype(object)[among]
    cycles = np.tril(on_cycle(relation.beats)[among], k=-1)
    return Majorities(
        Grid(panel.title, names, names, _states(relation)[among]), texts, cycles
    )


def _states(relation: Relation) -> NDArray[np.float64]:
    """Write 1 where the row outperforms the column, 0 where it is outperformed."""
    states = np.full(relation.beats.shape, np.nan)
    states[relation.beats] = 1.0
    states[relation.beats.T] = 0.0
    states[relation.tied] = 0.5
    return states


def _draw(place: Place, part: Majorities, is_written: bool, *, is_forced: bool) -> None:
    """Draw one panel with its legend."""
    from matplotlib.colors import ListedColormap, to_rgba
    from matplotlib.patches import Patch, Rectangle

    ax = place.ax
    lost, tied = faint(ax), pale(ax)
    chosen: Any = [lost, tied, BLUE]
    image = draw_cells(ax, part.grid.cells, ListedColormap(chosen), (0.0, 1.0))
    style: dict[str, Any] = {"facecolor": ORANGE, "edgecolor": ink(), "linewidth": 1.0}
    for row, column in np.argwhere(part.cycles):
        ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1.0, 1.0, **style))
    edge: dict[str, Any] = {"edgecolor": tied, "linewidth": 0.8}
    handles = [
        Patch(facecolor=BLUE, label="row outperforms column"),
        Patch(facecolor=lost, label="column outperforms row", **edge),
        Patch(facecolor=tied, label="as many wins as losses"),
    ]
    handles.append(Patch(label="row outperforms column, in a cycle", **style))
    board = place.board(handles)
    if not is_written:
        board.finish()
        return
    colours: Any = image.to_rgba(image.get_array())
    colours[part.cycles] = to_rgba(ORANGE)
    board.finish(CellTexts(ax, part.wins, colours, is_forced=is_forced))
