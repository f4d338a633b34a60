"""The scores themselves, or the ranks: a row for each method, a dot for each dataset."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, check_option, check_truth, list_labels
from beam_pandas.plot.board import Cell, Words
from beam_pandas.plot.cells import Place, board_axes
from beam_pandas.plot.colours import BLUE, CYCLE, ink, mixed
from beam_pandas.plot.figures import check_width, require_matplotlib, returned
from beam_pandas.plot.score_tables import ScoreTable, chosen_first, read_score_tables
from beam_pandas.plot.text import raw_text, rc_points, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Shown = Literal["score", "rank"]
Summary = Literal["box", "median", "none"]

_GOLDEN: Final = 0.6180339887498949  # its multiples spread evenly over 0 to 1
_SPREAD: Final = 0.56  # of the height of a row
_BOX: Final = 0.74
_DOT: Final = 4.0  # points
_NAME: Final = 90.0  # points of a joined dataset's name


class Rows(NamedTuple):
    """One panel, its methods in order."""

    table: ScoreTable
    methods: list[Hashable]
    shown: NDArray[np.float64]  # a row for each dataset, a column for each method
    joined: list[int]  # datasets


def scores(
    result: pd.DataFrame,
    *,
    what: Shown = "score",
    summary: Summary = "box",
    join: bool | Hashable | Sequence[Hashable] = False,
    log: bool = False,
    ax: Axes | Sequence[Axes] | None = None,
    order: Sequence[Hashable] | None = None,
    width: float | None = None,
) -> Any:
    """
    Draw the scores of each method, or its ranks, as a dot for each dataset.

    Methods are sorted by their median, best first by the direction of the metric. The box
    holds the middle half of the datasets; within a row a dataset is always at the same
    height. Where a method lacks scores, the number of those it has stands on the right:
    medians of different datasets are no fair comparison.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.ranks`.
    what : {"score", "rank"}, default "score"
        Whether to draw scores, in their unit, or ranks on the dataset, 1 for the best.
    summary : {"box", "median", "none"}, default "box"
        What to draw behind the dots: quartiles and median, the median, or nothing.
    join : bool, label or sequence of labels, default False
        Datasets whose dots are joined by a line: all of them, or those named, which the
        legend tells apart.
    log : bool, default False
        Whether the axis of the scores is logarithmic, as for times; they have to be
        above 0.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric; by default a new figure.
    order : sequence of labels, optional
        Methods to show, in this order; by default all, best first.
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
    BeamError
        If ranks are those among methods that were left out afterwards, `order` or `join`
        names what is not there, or scores for a logarithmic axis are not above 0.

    See Also
    --------
    beam_pandas.ranks : the numbers.
    beam_pandas.plot.duel : two methods, dataset by dataset.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'fit_time'")
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((7, 4)).add_subplot()
    >>> ax = beam_pandas.plot.scores(scores.beam.ranks(), log=True, ax=ax)
    >>> ax.get_xlabel()
    'fit_time (lower is better)'
    """
    require_matplotlib()
    check_width(width)
    check_option("what", what, get_args(Shown))
    check_option("summary", summary, get_args(Summary))
    check_truth("log", log)
    tables = read_score_tables(result, "scores", needs_ranks=what == "rank")
    _check_joined(join, tables)
    panels = [_arrange(table, what, join, order) for table in tables]
    words = [_words(panel, what) for panel in panels]
    places = board_axes(ax, words, width, n_lines=2.0, is_square=False)
    for place, panel in zip(places, panels, strict=True):
        is_log = log and what == "score"
        _draw(place, panel, summary, named=join is not True, is_log=is_log)
    return returned([place.ax for place in places])


def _check_joined(join: Any, tables: Sequence[ScoreTable]) -> None:
    """Refuse datasets that no panel has."""
    if isinstance(join, bool | np.bool_):
        return
    known = list(dict.fromkeys(name for table in tables for name in table.datasets))
    unknown = [name for name in _as_list(join) if name not in known]
    if unknown:
        raise BeamError(
            f"join must name datasets of the result, {list_labels(known)}; got "
            f"{list_labels(unknown)}"
        )


def _as_list(join: Any) -> list[Hashable]:
    return [join] if pd.api.types.is_scalar(join) else list(join)


def _arrange(
    table: ScoreTable, what: Shown, join: Any, order: Sequence[Hashable] | None
) -> Rows:
    """Put the methods in order: as told, else by the median, then the mean."""
    values = table.ranks if what == "rank" else table.scores
    rows = chosen_first(order, table.methods)
    if rows is None:
        turned = -table.ranks if what == "rank" else table.benefit
        middle, mean = (-summarise(turned, at) for at in ("median", "mean"))
        rows = np.lexsort((mean, middle))
    if isinstance(join, bool | np.bool_):
        joined = list(range(len(table.datasets))) if join else []
    else:
        chosen = _as_list(join)
        joined = [table.datasets.index(name) for name in chosen if name in table.datasets]
    return Rows(table, [table.methods[at] for at in rows], values[:, rows], joined)


def summarise(values: NDArray[np.float64], how: str) -> NDArray[np.float64]:
    """Give a quantile or the mean of each column that has any value."""
    found = np.full(values.shape[1], np.nan)
    some = ~np.isnan(values).all(axis=0)
    part = values[:, some]
    if how == "mean":
        found[some] = np.nanmean(part, axis=0)
    else:
        share = {"low": 0.25, "median": 0.5, "high": 0.75}[how]
        found[some] = np.nanquantile(part, share, axis=0)
    return found


def _words(panel: Rows, what: Shown) -> Words:
    """Name rows and axis, and how many datasets a method has where some are missing."""
    table = panel.table
    if what == "rank":
        x_label = "rank (1 is the best)"
    else:
        x_label = f"{table.unit} ({table.direction})" if table.direction else table.unit
    n_known = (~np.isnan(panel.shown)).sum(axis=0)
    most = int((~np.isnan(panel.shown).all(axis=1)).sum())
    right = [f"{n} of {most}" if n < most else "" for n in n_known]
    right = right if any(right) else []
    rows = [raw_text(method) for method in panel.methods]
    return Words(rows, (), right, table.title, x_label)


def _draw(
    place: Place, panel: Rows, summary: Summary, *, named: bool, is_log: bool
) -> None:
    """Draw one panel: summary, lines, dots."""
    from matplotlib.lines import Line2D

    ax: Any = place.ax
    values = panel.shown
    if is_log:
        _make_logarithmic(ax, values, panel.table)
    else:
        from beam_pandas.plot.plain_ticks import PlainTicks

        ax.xaxis.set_major_formatter(PlainTicks())
    handles, medians = _draw_summary(ax, values, summary)
    row = np.arange(values.shape[1])
    offset = _SPREAD * (np.arange(len(values)) * _GOLDEN % 1.0 - 0.5)
    height = row + offset[:, None]
    lines = _draw_joined(ax, panel, height, named=named)
    style: dict[str, Any] = {"marker": "o", "linestyle": "none", "color": BLUE}
    (dots,) = ax.plot(values.ravel(), height.ravel(), alpha=0.6, markeredgewidth=0.0,
                      zorder=3.0, label="_dataset", **style)  # fmt: skip
    handles.insert(0, Line2D([], [], markersize=_DOT, label="dataset", **style))
    if named:
        handles += lines
    place.board(handles).finish(Marks(dots, medians))


def _make_logarithmic(ax: Any, values: NDArray[np.float64], table: ScoreTable) -> None:
    """Give the axis of the scores a logarithmic scale, with plain numbers."""
    from matplotlib.ticker import NullFormatter, StrMethodFormatter

    if (values <= 0.0).any():
        raise BeamError(
            f"log=True needs scores above 0, found {float(np.nanmin(values)):g} in "
            f"{table.unit!r}: leave it out"
        )
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.xaxis.set_minor_formatter(NullFormatter())


def _draw_summary(
    ax: Any, values: NDArray[np.float64], summary: Summary
) -> tuple[list[Any], Any]:
    """Draw boxes and medians; give what explains them, and the lines of the medians."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    if summary == "none":
        return [], None
    low, middle, high = (summarise(values, at) for at in ("low", "median", "high"))
    (row,) = np.nonzero(~np.isnan(middle))
    handles: list[Any] = []
    if summary == "box":
        colour = mixed(ax, ink(), 0.2)
        ax.barh(row, (high - low)[row], left=low[row], height=_BOX, color=colour,
                zorder=1.0, label="_box")  # fmt: skip
        handles.append(Patch(facecolor=colour, label="middle half"))
    medians = ax.vlines(middle[row], row - _BOX / 2.0, row + _BOX / 2.0, colors=ink(),
                        linewidth=2.0, zorder=4.0, label="_median")  # fmt: skip
    handles.append(Line2D([], [], color=ink(), linewidth=2.0, label="median"))
    return handles, medians


def _draw_joined(
    ax: Any, panel: Rows, height: NDArray[np.float64], *, named: bool
) -> list[Any]:
    """Join the dots of a dataset, from row to row."""
    names = [raw_text(panel.table.datasets[at]) for at in panel.joined]
    if named and names:
        names = shorten(names, _NAME, rc_points("legend.fontsize"))
    lines: list[Any] = []
    for number, (at, name) in enumerate(zip(panel.joined, names, strict=True)):
        there = ~np.isnan(panel.shown[at])
        colour = CYCLE[number % len(CYCLE)] if named else mixed(ax, ink(), 0.35)
        lines += ax.plot(
            panel.shown[at, there],
            height[at, there],
            color=colour,
            linewidth=1.4 if named else 0.5,
            zorder=2.0,
            label=name if named else "_joined",
        )
    return lines


class Marks:
    """Dots and medians no larger than rows allow."""

    def __init__(self, dots: Any, medians: Any) -> None:
        self._dots, self._medians = dots, medians

    def __call__(self, cell: Cell) -> None:
        """Size them for rows of a height."""
        self._dots.set_markersize(max(1.0, min(_DOT, 0.3 * cell.height)))
        if self._medians is not None:
            self._medians.set_linewidth(max(0.6, min(2.0, 0.2 * cell.height)))
