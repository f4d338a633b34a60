"""What quality costs: a point for each method, and those that no other one dominates."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import (
    BeamError,
    IncompleteScoresError,
    check_option,
    check_truth,
    count,
    list_labels,
    warn,
)
from beam_pandas.kernels.pareto_front import undominated
from beam_pandas.plot.colours import BLUE, VERMILION, face, ink, mixed
from beam_pandas.plot.figures import check_width, require_matplotlib, returned
from beam_pandas.plot.panels import as_labels
from beam_pandas.plot.plain_axes import Axis, PlainPicture, Room, limits_of, plain_axes
from beam_pandas.plot.point_names import PointNames
from beam_pandas.plot.score_tables import ScoreTable, read_score_tables
from beam_pandas.plot.text import raw_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Average = Literal["mean", "median"]

_DOT: Final = 6.0  # points
_MOST_NAMED: Final = 20  # methods: of more those on the front are named
_WIDE: Final = 20.0  # the largest cost by the least, from which the axis is logarithmic


class Exchange(NamedTuple):
    """One panel: what is said of each method."""

    title: str
    methods: list[Hashable]
    quality: NDArray[np.float64]
    cost: NDArray[np.float64]
    is_turned: tuple[bool, bool]  # less quality is better, more cost is better
    n_datasets: tuple[int, int]  # that count, and all
    on_front: NDArray[np.bool_]


def trade_off(
    result: pd.DataFrame,
    quality: Hashable,
    cost: Hashable,
    *,
    average: Average = "mean",
    log: bool | None = None,
    ax: Axes | Sequence[Axes] | None = None,
    highlight: Hashable | Sequence[Hashable] = None,
    width: float | None = None,
) -> Any:
    """
    Draw the average quality of each method against its average cost.

    Better is up and to the left, whatever the directions of the metrics. A line joins the
    methods of the Pareto front: no other method is at least as good in both and better in
    one. The averages are over the datasets on which every method has both.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.ranks` with both metrics.
    quality : label
        Metric of the vertical axis.
    cost : label
        Metric of the horizontal axis, such as a time.
    average : {"mean", "median"}, default "mean"
        Of the scores over the datasets.
    log : bool, optional
        Whether the axis of the cost is logarithmic; by default where all are above 0 and
        the largest is over 20 times the least.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each group; by default a new figure.
    highlight : label or sequence of labels, optional
        Methods to draw in another colour.
    width : float, optional
        Width of the new figure in inches.

    Returns
    -------
    Axes or ndarray of Axes
        With several groups an array, one panel each. Of up to 20 methods all are named
        where names have room, of more those on the front and those highlighted.

    Raises
    ------
    MissingColumnsError
        If `result` lacks a column that is drawn.
    MissingDependencyError
        If matplotlib is not installed.
    IncompleteScoresError
        If there is no dataset on which every method has both metrics.
    BeamError
        If a metric or a method is not there, or costs for a logarithmic axis are not
        above 0.

    Warns
    -----
    BeamWarning
        If methods are left out that have no scores of one of the two metrics.

    See Also
    --------
    beam_pandas.ranks : the scores with their ranks.
    beam_pandas.plot.overview : methods by all metrics.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("method != 'ComplementNB'")
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((7, 4)).add_subplot()
    >>> ax = beam_pandas.plot.trade_off(scores.beam.ranks(), "accuracy", "fit_time", ax=ax)
    >>> ax.get_xscale()
    'log'
    """
    require_matplotlib()
    check_width(width)
    check_option("average", average, get_args(Average))
    if log is not None:
        check_truth("log", log)
    tables = read_score_tables(result, "trade_off", needs_ranks=False)
    pairs = _pair_up(tables, quality, cost)
    panels = [_average(*pair, average) for pair in pairs]
    known = dict.fromkeys(method for each in tables for method in each.methods)
    chosen = as_labels(highlight, known, "highlight")
    names = (raw_text(quality), raw_text(cost))
    axes = plain_axes(ax, len(panels), width, 0.85)
    for place, each in zip(axes, panels, strict=True):
        _draw(place, each, names, average, chosen, log)
    return returned(axes)


def _pair_up(
    tables: Sequence[ScoreTable], quality: Hashable, cost: Hashable
) -> list[tuple[str, ScoreTable, ScoreTable]]:
    """Find both metrics of each group."""
    known = dict.fromkeys(table.metric for table in tables)
    if quality == cost:
        raise BeamError(f"quality and cost must be two metrics, got {quality!r} twice")
    for name, metric in (("quality", quality), ("cost", cost)):
        if metric not in known:
            raise BeamError(
                f"{name} must name a metric of the result, {list_labels(list(known))}; "
                f"got {metric!r}"
            )
    groups: dict[Any, dict[Hashable, ScoreTable]] = {}
    for table in tables:
        key = tuple(part for part in table.key if part[0] != "metric")
        groups.setdefault(key, {})[table.metric] = table
    found = []
    for key, metrics in groups.items():
        title = ", ".join(str(label) for _, label in key) if len(groups) > 1 else ""
        lacking = [metric for metric in (quality, cost) if metric not in metrics]
        if lacking:
            raise BeamError(f"metric {lacking[0]!r} is missing in group {title}")
        found.append((title, metrics[quality], metrics[cost]))
    return found


def _average(
    title: str, quality: ScoreTable, cost: ScoreTable, average: Average
) -> Exchange:
    """Average both metrics over the datasets on which every method has both."""
    frames = [
        pd.DataFrame(table.scores, pd.Index(table.datasets), pd.Index(table.methods))
        for table in (quality, cost)
    ]
    alone = _without(frames)
    if alone:
        warn(
            f"{list_labels(alone)} {'has' if len(alone) == 1 else 'have'} no scores of one "
            "of the two metrics: left out of plot.trade_off"
        )
    methods = [name for name in quality.methods if name not in set(alone)]
    datasets = [name for name in quality.datasets if name in set(cost.datasets)]
    values = np.stack([frame.loc[datasets, methods].to_numpy() for frame in frames])
    is_whole = ~np.isnan(values).any(axis=(0, 2))
    if not is_whole.any():
        raise IncompleteScoresError(
            "plot.trade_off needs a dataset on which every method has both metrics, found "
            "none: leave methods out"
        )
    how = np.mean if average == "mean" else np.median
    good, dear = how(values[:, is_whole], axis=1)
    is_turned = quality.is_higher_better is False, cost.is_higher_better is True
    benefit = np.column_stack(
        [-good if is_turned[0] else good, dear if is_turned[1] else -dear]
    )
    n_all = len(dict.fromkeys([*quality.datasets, *cost.datasets]))
    n_datasets = int(is_whole.sum()), n_all
    return Exchange(title, methods, good, dear, is_turned, n_datasets, undominated(benefit))


def _without(frames: Sequence[pd.DataFrame]) -> list[Hashable]:
    """List the methods that lack one of the two metrics everywhere."""
    known = [frame.columns[frame.notna().any()] for frame in frames]
    every = frames[0].columns.append(frames[1].columns).unique()
    return [name for name in every if not all(name in each for each in known)]


def _axes_of(
    each: Exchange, names: tuple[str, str], average: str, log: bool | None
) -> tuple[Axis, Axis]:
    """Name the axes, and choose their ends so that better is up and to the left."""
    low = float(each.cost.min())
    if log and not low > 0.0:
        raise BeamError(f"log=True needs costs above 0, found {low:g}")
    is_log = bool(log) if log is not None else low > 0 and each.cost.max() > _WIDE * low
    x_limits = limits_of(each.cost, is_log=is_log, pad=0.08)
    y_limits = limits_of(each.quality, pad=0.08)
    (left, right), (low_y, high_y) = x_limits, y_limits
    x_ends = (right, left) if each.is_turned[1] else (left, right)
    y_ends = (high_y, low_y) if each.is_turned[0] else (low_y, high_y)
    return (
        Axis(f"{average} {names[1]}", x_ends, is_log=is_log),
        Axis(f"{average} {names[0]}", y_ends),
    )


def _draw(
    ax: Any,
    each: Exchange,
    names: tuple[str, str],
    average: str,
    chosen: list[Hashable],
    log: bool | None,
) -> None:
    """Draw one panel: the front, points, names."""
    from matplotlib.lines import Line2D

    x, y = _axes_of(each, names, average, log)
    front = np.flatnonzero(each.on_front)
    front = front[np.argsort(each.cost[front] * (-1 if each.is_turned[1] else 1))]
    line: dict[str, Any] = {"color": mixed(ax, ink(), 0.5), "linewidth": 1.0}
    ax.step(each.cost[front], each.quality[front], where="post", zorder=1.0,
            label="_front", **line)  # fmt: skip
    dot: dict[str, Any] = {"marker": "o", "linestyle": "none"}
    is_chosen = np.array([method in chosen for method in each.methods])
    dots = []
    for on_front in (False, True):
        for told, colour in ((False, BLUE), (True, VERMILION)):
            part = (each.on_front == on_front) & (is_chosen == told)
            dots += ax.plot(
                each.cost[part], each.quality[part], color=colour, label="_method",
                markerfacecolor=colour if on_front else face(ax), zorder=3.0, **dot,
            )  # fmt: skip
    handles = [
        Line2D([], [], color=BLUE, marker="o", markersize=_DOT, label="Pareto front"),
        Line2D([], [], color=BLUE, markerfacecolor=face(ax), markersize=_DOT,
               label="another method is better", **dot),
    ]  # fmt: skip
    handles[0].set(linewidth=line["linewidth"])
    n, n_all = each.n_datasets
    of = count(n, "dataset") if n == n_all else f"{n} of {n_all} datasets"
    handles.append(Line2D([], [], linestyle="none", label=f"{of}, better is up and left"))
    named = each.on_front | is_chosen | (len(each.methods) <= _MOST_NAMED)
    order = np.lexsort((~is_chosen, ~each.on_front))
    points = np.column_stack([x.places(each.cost), y.places(each.quality)])
    texts = PointNames(
        ax, [raw_text(method) for method in each.methods], points,
        [at for at in order.tolist() if named[at]], is_chosen, _corners(points[front]),
    )  # fmt: skip
    PlainPicture(ax, x, y, handles, each.title, Sized(dots, texts)).start()


def _corners(front: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the ends of the lines that join points by level steps, then upright ones."""
    middle = np.column_stack([front[1:, 0], front[:-1, 1]])
    found = np.empty((max(2 * len(front) - 1, 0), 2))
    found[::2], found[1::2] = front, middle
    return found


class Sized:
    """Dots no larger than the axes allow, and names beside them."""

    def __init__(self, dots: Sequence[Any], names: PointNames) -> None:
        self._dots, self._names = list(dots), names

    def __call__(self, room: Room) -> None:
        """Size them for axes of a size."""
        size = max(1.5, min(_DOT, min(room.width, room.height) / 25.0))
        for line in self._dots:
            line.set_markersize(size)
        self._names.place(room, size)
