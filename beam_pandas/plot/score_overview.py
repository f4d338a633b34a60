"""How the methods stand by each metric: a row for each, a column for each metric."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import check_option
from beam_pandas.plot.board import Cell, Words
from beam_pandas.plot.board_plan import READABLE
from beam_pandas.plot.cells import Place, board_axes, wants_text
from beam_pandas.plot.colours import BLUE, colour_map, ink, mixed
from beam_pandas.plot.figures import check_width, require_matplotlib, returned
from beam_pandas.plot.score_tables import (
    ScoreGroup,
    Standing,
    best_first,
    chosen_first,
    read_score_groups,
)
from beam_pandas.plot.text import LINE_HEIGHT, raw_text, text_widths

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SMALLEST: Final = 0.12  # of the largest diameter, so that the worst can be seen
_LARGEST: Final = 15.0  # points
_SAID: Final = {
    "standing": "standing: share of datasets won, ties half",
    "mean_rank": "mean rank, 1 is the best",
}


def overview(
    result: pd.DataFrame,
    *,
    what: Standing = "standing",
    ax: Axes | Sequence[Axes] | None = None,
    order: Sequence[Hashable] | None = None,
    annotate: bool | None = None,
    cmap: Any = None,
    width: float | None = None,
) -> Any:
    """
    Draw how each method stands by each metric: the larger and darker, the better.

    The area of a circle is the standing: 1 outperforms every other method on every
    dataset, 0.5 is even. It compares each pair on the datasets that both have, so that
    missing scores are no obstacle, and has no unit, so that metrics of any scale and
    direction stand side by side. With mean ranks a circle is largest for rank 1 and
    smallest for the last. Methods are sorted by their mean over the metrics; the best of
    a metric is bold. Where a method has no scores the cell is blank.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.ranks`.
    what : {"standing", "mean_rank"}, default "standing"
        What is drawn. Mean ranks need a score of every method on every dataset.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each group; by default a new figure.
    order : sequence of labels, optional
        Methods to show, in this order; by default all, best first.
    annotate : bool, optional
        Whether to write the values beside the circles; by default up to 20 methods, where
        they can be read. A colour bar is drawn if not.
    cmap : str or Colormap, optional
        Colours from the worst to the best; by default ever darker blue.
    width : float, optional
        Width of the new figure in inches.

    Returns
    -------
    Axes or ndarray of Axes
        With several groups an array, one panel each.

    Raises
    ------
    MissingColumnsError
        If `result` lacks a column that is drawn.
    MissingDependencyError
        If matplotlib is not installed.
    IncompleteScoresError
        If mean ranks are asked for and scores are missing.
    BeamError
        If ranks are those among methods that were left out afterwards, or `order` names a
        method that is not there.

    See Also
    --------
    beam_pandas.standing : the numbers.
    beam_pandas.plot.rank_flow : how places change from metric to metric.

    Examples
    --------
    >>> import beam_pandas
    >>> table = beam_pandas.load_benchmark().beam.ranks()
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((7, 6)).add_subplot()
    >>> ax = beam_pandas.plot.overview(table, ax=ax)
    >>> ax.get_yticklabels()[0].get_text()
    'LogisticRegression'
    """
    require_matplotlib()
    check_width(width)
    check_option("what", what, get_args(Standing))
    chosen = None if cmap is None else colour_map(cmap)
    groups = [
        _ordered(group, what, order)
        for group in read_score_groups(result, "overview", what)
    ]
    words = [
        Words(
            [raw_text(method) for method in group.methods],
            [table.unit for table in group.tables],
            title=group.title,
            is_level=True,
        )
        for group in groups
    ]
    places = board_axes(ax, words, width, cell=4.0, n_lines=2.0, is_square=False)
    for place, group in zip(places, groups, strict=True):
        is_written = wants_text(annotate, len(group.methods))
        colours = _own_colours(place.ax) if chosen is None else chosen
        _draw(place, group, what, colours, is_written, is_forced=annotate is not None)
    return returned([place.ax for place in places])


def _ordered(
    group: ScoreGroup, what: Standing, order: Sequence[Hashable] | None
) -> ScoreGroup:
    """Put the methods in order: as told, else by their mean over the metrics."""
    rows = chosen_first(order, group.methods)
    if rows is None:
        share = goodness(group, what)
        known = ~np.isnan(share)
        total = np.where(known, share, 0.0).sum(axis=1)
        mean = np.where(known.any(axis=1), total / np.maximum(known.sum(axis=1), 1), np.nan)
        rows = best_first(mean)
    return group._replace(
        methods=[group.methods[at] for at in rows],
        worth=group.worth[rows],
        places=group.places[rows],
    )


def goodness(group: ScoreGroup, what: Standing) -> NDArray[np.float64]:
    """Give the values as shares of the best that can be."""
    if what == "standing":
        return group.worth
    n_methods = np.array([float(len(table.methods)) for table in group.tables])
    share: NDArray[np.float64] = (n_methods - group.worth) / np.maximum(n_methods - 1, 1)
    return share


def _own_colours(ax: Axes) -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    ends: Any = [mixed(ax, BLUE, 0.15), BLUE]
    return LinearSegmentedColormap.from_list("standing", ends)


def _draw(
    place: Place,
    group: ScoreGroup,
    what: Standing,
    colours: Any,
    is_written: bool,
    *,
    is_forced: bool,
) -> None:
    """Draw one panel."""
    from matplotlib.lines import Line2D

    ax: Any = place.ax
    share = goodness(group, what)
    row, column = np.nonzero(~np.isnan(share))
    shown = share[row, column]
    dots = ax.scatter(
        column.astype(np.float64),
        row.astype(np.float64),
        c=shown,
        cmap=colours,
        vmin=0.0,
        vmax=1.0,
        linewidths=0.0,
        label="_standing",
    )
    texts = []
    if is_written:
        decimals = 2 if what == "standing" else 1
        best = group.places == np.nanmin(
            np.where(np.isnan(group.places), np.inf, group.places), axis=0
        )
        for at in zip(row, column, strict=True):
            text = ax.text(
                at[1], at[0], f"{group.worth[at]:.{decimals}f}", va="center_baseline",
                parse_math=False,
            )  # fmt: skip
            text.set_fontweight("bold" if best[at] else "normal")
            texts.append(text)
    style: dict[str, Any] = {"marker": "o", "linestyle": "none", "markersize": 6.0}
    handle = Line2D([], [], color=colours(1.0), label=_SAID[what], **style)
    board = place.board([handle])
    if not is_written:
        _add_bar(board, dots, what)
    board.finish(Circles(ax, dots, texts, row, column, shown, is_forced=is_forced))
    ax.spines["bottom"].set_visible(False)
    for edge in np.arange(len(group.methods) - 1) + 0.5:
        ax.axhline(edge, color=mixed(ax, ink(), 0.1), linewidth=0.5, zorder=0, label="_row")


def _add_bar(board: Any, dots: Any, what: Standing) -> None:
    """Explain the colours by a bar."""
    if what == "standing":
        board.add_colour_bar(dots, "standing")
    else:
        board.add_colour_bar(dots, "1: always first, 0: always last")


class Circles:
    """Circles with an area in proportion to what they show, and values beside them."""

    def __init__(
        self,
        ax: Any,
        dots: Any,
        texts: Sequence[Any],
        row: NDArray[Any],
        column: NDArray[Any],
        share: NDArray[np.float64],
        *,
        is_forced: bool,
    ) -> None:
        self._ax = ax
        self._dots = dots
        self._texts = list(texts)
        self._places = (row, column)
        self._share = share
        self._is_forced = is_forced
        bold = [text.get_fontweight() == "bold" for text in texts]
        words = [text.get_text() for text in texts]
        self._width = float(text_widths(words, 1.0, bold=bold).max()) if words else 0.0

    def __call__(self, cell: Cell) -> None:
        """Size and place them for cells of a size."""
        row, column = self._places
        most = min(_LARGEST, 0.86 * cell.height)
        size = min(cell.font, cell.height / LINE_HEIGHT)
        room = 0.92 * cell.width
        if self._texts and most + (0.3 + self._width) * size > room:
            size = min(size, room / (1.5 + self._width))
            most = min(most, 1.2 * size)
        has_texts = bool(self._texts) and (self._is_forced or size >= READABLE)
        most = max(1.0, min(most, room))
        shift = 0.5 * (0.3 + self._width) * size / cell.width if has_texts else 0.0
        diameter = most * np.maximum(np.sqrt(self._share), _SMALLEST)
        self._dots.set_sizes(diameter**2)
        self._dots.set_offsets(np.column_stack([column - shift, row]))
        for text, at in zip(self._texts, column, strict=False):
            text.set_visible(has_texts)
            text.set_fontsize(size)
            text.set_x(at - shift + (most / 2.0 + 0.3 * size) / cell.width)
