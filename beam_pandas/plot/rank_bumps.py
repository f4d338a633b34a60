"""How the places of the methods change from metric to metric."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, check_option
from beam_pandas.plot.board import Cell, Words
from beam_pandas.plot.board_plan import READABLE
from beam_pandas.plot.cells import Place, board_axes
from beam_pandas.plot.colours import BLUE, CYCLE, face, ink, mixed, readable_on
from beam_pandas.plot.figures import check_width, require_matplotlib, returned
from beam_pandas.plot.panels import as_labels
from beam_pandas.plot.score_tables import ScoreGroup, Standing, read_score_groups
from beam_pandas.plot.text import raw_text, text_widths

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS: Final = (BLUE, *CYCLE[:-1])
_STYLES: Final = ("-", "--", "-.")  # for more methods than colours
_BENDS: Final = 24  # points of a line from a metric to the next
_STRONG: Final = 2.0  # times as wide are lines in colour, which tells in grey, too
_LARGEST: Final = 16.0  # points
_SAID: Final = {"standing": "standing", "mean_rank": "mean rank"}
_MOST_WRITTEN: Final = 300  # places


class Flow(NamedTuple):
    """One panel: where each method stands in each metric."""

    group: ScoreGroup
    slots: NDArray[np.intp]  # a row for each method, a column for each metric
    texts: NDArray[Any]  # the place, "2=" where it is shared, a dash where there is none
    chosen: list[Hashable]


def rank_flow(
    result: pd.DataFrame,
    *,
    what: Standing = "standing",
    highlight: Hashable | Sequence[Hashable] | None = None,
    ax: Axes | Sequence[Axes] | None = None,
    width: float | None = None,
) -> Any:
    """
    Draw how the places of the methods change from metric to metric.

    In each column the methods stand best first, joined from metric to metric: where lines
    cross, the metrics disagree. Directions of the metrics are those of the ranks. Places
    that are shared are marked "="; a method without scores in a metric stands below the
    others, without a line to it.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.ranks`, of two metrics or more, which stand in its order.
    what : {"standing", "mean_rank"}, default "standing"
        By what methods are placed. Mean ranks need a score of every method on every
        dataset.
    highlight : label or sequence of labels, optional
        Methods to show in colours; by default those that are first by a metric.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each group; by default a new figure.
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
        If there is one metric only, ranks are those among methods that were left out
        afterwards, or `highlight` names a method that is not there.

    See Also
    --------
    beam_pandas.standing : places by standing.
    beam_pandas.plot.overview : by how much methods are apart.

    Examples
    --------
    >>> import beam_pandas
    >>> table = beam_pandas.load_benchmark().beam.ranks()
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((8, 5)).add_subplot()
    >>> ax = beam_pandas.plot.rank_flow(table, ax=ax, highlight="SVC")
    >>> [label.get_text() for label in ax.get_xticklabels()][:2]
    ['accuracy', 'balanced_accuracy']
    """
    require_matplotlib()
    check_width(width)
    check_option("what", what, get_args(Standing))
    flows = [
        _read(group, highlight) for group in read_score_groups(result, "rank_flow", what)
    ]
    words = [_words(flow, what) for flow in flows]
    places = board_axes(ax, words, width, cell=6.0, n_lines=1.0, is_square=False)
    for place, flow in zip(places, flows, strict=True):
        _draw(place, flow)
    return returned([place.ax for place in places])


def _read(group: ScoreGroup, highlight: Any) -> Flow:
    """Find the slot of each method in each metric, with few crossings among equals."""
    if len(group.tables) < 2:
        place = f" in {group.title}" if group.title else ""
        raise BeamError(
            f"plot.rank_flow needs two metrics or more{place}, found one: pass the result "
            "of beam_pandas.ranks with its column metric"
        )
    n_methods = len(group.methods)
    slots = np.empty(group.places.shape, dtype=np.intp)
    texts = np.full(group.places.shape, "-", dtype=object)
    before = np.arange(n_methods)
    for column, places in enumerate(group.places.T):
        order = np.lexsort((before, np.where(np.isnan(places), np.inf, places)))
        before = slots[:, column] = np.argsort(order)
        for place in np.unique(places[~np.isnan(places)]):
            (tied,) = np.nonzero(places == place)
            first = f"{place - (len(tied) - 1) / 2.0:.0f}"
            texts[tied, column] = first if len(tied) == 1 else f"{first}="
    if highlight is None:
        firsts = (slots == 0) & ~np.isnan(group.places)
        chosen = [group.methods[at] for at in np.flatnonzero(firsts.any(axis=1))]
    else:
        chosen = as_labels(highlight, group.methods, "highlight")
    return Flow(group, slots, texts, chosen)


def _words(flow: Flow, what: Standing) -> Words:
    """Name the methods at both ends, and the metrics."""
    group = flow.group
    left, right = (np.argsort(flow.slots[:, at]) for at in (0, -1))
    return Words(
        [raw_text(group.methods[at]) for at in left],
        [table.unit for table in group.tables],
        [raw_text(group.methods[at]) for at in right],
        title=group.title,
        x_label=f"place by {_SAID[what]}",
        is_level=True,
    )


def _draw(place: Place, flow: Flow) -> None:
    """Draw one panel: lines first, nodes on top of them."""
    ax: Any = place.ax
    group = flow.group
    grey = mixed(ax, ink(), 0.3)
    columns = np.arange(len(group.tables), dtype=np.float64)
    known = ~np.isnan(group.places)
    colours = []
    lines = []
    for at, method in enumerate(group.methods):
        number = flow.chosen.index(method) if method in flow.chosen else None
        colour: Any = grey if number is None else _COLOURS[number % len(_COLOURS)]
        turn = 0 if number is None else number // len(_COLOURS)
        across, down = _bend(columns, np.where(known[at], flow.slots[at], np.nan))
        lines += ax.plot(across, down, color=colour, linestyle=_STYLES[turn % len(_STYLES)],
                         zorder=1.0 + (number is not None), label="_flow")  # fmt: skip
        colours.append(colour)
    row, column = np.indices(flow.slots.shape)
    ground = face(ax)
    nodes = ax.scatter(
        column.ravel().astype(np.float64),
        flow.slots.ravel(),
        edgecolors=[colours[at] for at in row.ravel()],
        facecolors=[
            colours[at] if there else ground
            for at, there in zip(row.ravel(), known.ravel(), strict=True)
        ],
        zorder=3.0,
        label="_place",
    )
    texts = []
    if flow.texts.size <= _MOST_WRITTEN:
        for (at, column), text in np.ndenumerate(flow.texts):
            tone = readable_on(colours[at]) if known[at, column] else ink()
            texts.append(
                ax.text(column, flow.slots[at, column], text, color=tone, zorder=4.0,
                        ha="center", va="center_baseline", parse_math=False)
            )  # fmt: skip
    widths = [_STRONG if method in flow.chosen else 1.0 for method in group.methods]
    place.board().finish(Nodes(lines, widths, nodes, texts))


def _bend(
    columns: NDArray[np.float64], slots: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lead a line level through its nodes."""
    part = np.arange(_BENDS) / _BENDS
    smooth = part * part * (3.0 - 2.0 * part)
    across = (columns[:-1, None] + part).ravel()
    down = (slots[:-1, None] + smooth * np.diff(slots)[:, None]).ravel()
    return np.append(across, columns[-1]), np.append(down, slots[-1])


class Nodes:
    """Lines, nodes and the places in them, no larger than rows allow."""

    def __init__(
        self,
        lines: Sequence[Any],
        widths: Sequence[float],
        nodes: Any,
        texts: Sequence[Any],
    ) -> None:
        self._lines = list(zip(lines, widths, strict=True))
        self._nodes, self._texts = nodes, list(texts)
        written = [text.get_text() for text in texts]
        self._widths = text_widths(written, 1.0).tolist() if written else []

    def __call__(self, cell: Cell) -> None:
        """Size them for rows of a height."""
        most = max(1.5, min(_LARGEST, 0.8 * cell.height, 0.45 * cell.width))
        size = 0.58 * most
        is_shown = bool(self._texts) and size >= READABLE
        for line, strength in self._lines:
            line.set_linewidth(strength * max(0.5, min(1.5, 0.12 * cell.height)))
        self._nodes.set_sizes([(most if is_shown else 0.6 * most) ** 2])
        self._nodes.set_linewidth(0.08 * most)
        for text, width in zip(self._texts, self._widths, strict=True):
            text.set_visible(is_shown)
            text.set_fontsize(min(size, 0.82 * most / width))
