"""Which share of the runs of each method is good enough, as lines over the threshold."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, check_truth, count, plain
from beam_pandas.plot.colours import CYCLE, ink, mixed
from beam_pandas.plot.figures import check_width, require_matplotlib, returned
from beam_pandas.plot.panels import Panel, as_labels, read_panels
from beam_pandas.plot.plain_axes import Axis, PlainPicture, plain_axes
from beam_pandas.plot.text import label_text, raw_text, rc_points, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PICTURE: Final = "performance_profile"
_NEEDED: Final = ("method", "threshold", "share")
_STYLES: Final = ("-", "--", "-.", ":")
_NAME: Final = 0.42  # of the width of the figure that a name in the legend takes


class Profile(NamedTuple):
    """One panel: shares by method and threshold, the largest on average first."""

    title: str
    methods: list[Hashable]
    thresholds: NDArray[np.float64]  # ascending
    share: NDArray[np.float64]  # a row for each method


def performance_profile(
    result: pd.DataFrame,
    *,
    ax: Axes | Sequence[Axes] | None = None,
    highlight: Hashable | Sequence[Hashable] = None,
    label: str | None = None,
    log: bool = False,
    width: float | None = None,
) -> Any:
    """
    Draw the share of the runs of each method that reach a threshold, a line each.

    A line that is nowhere below another one is as good whatever is good enough. Up to six
    lines have colours of their own, by default the highest on average; the others are
    thin.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.performance_profile`.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric; by default a new figure.
    highlight : label or sequence of labels, optional
        Methods that have colours of their own instead.
    label : str, optional
        Name of the axis of the thresholds.
    log : bool, default False
        Whether that axis is logarithmic, as for factors of the best; thresholds have to be
        above 0.
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
        If `highlight` names no method of the result, methods have different thresholds,
        or those for a logarithmic axis are not above 0.

    See Also
    --------
    beam_pandas.performance_profile : the numbers.
    aggregate_scores : one number for each method.

    References
    ----------
    Dolan, E. D., Moré, J. J. (2002). Benchmarking optimization software with performance
    profiles. Mathematical Programming 91, 201-213, figure 1. doi:10.1007/s101070100263

    Examples
    --------
    >>> import beam_pandas
    >>> folds = beam_pandas.load_benchmark(folds=True).query("metric == 'roc_auc'")
    >>> some = folds.query("method in ['DecisionTree', 'RandomForest', 'SVC']")
    >>> table = some.beam.performance_profile(thresholds=[0.5, 0.6, 0.7, 0.8, 0.9])
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((7, 4)).add_subplot()
    >>> ax = beam_pandas.plot.performance_profile(table, ax=ax)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['SVC', 'RandomForest', 'DecisionTree']
    """
    require_matplotlib()
    check_width(width)
    check_truth("log", log)
    panels = read_panels(result, _NEEDED, _PICTURE, (_PICTURE,))
    profiles = [_read(panel, is_log=bool(log)) for panel in panels]
    known = dict.fromkeys(method for each in profiles for method in each.methods)
    chosen = as_labels(highlight, known, "highlight")
    for place, each in zip(
        axes := plain_axes(ax, len(profiles), width, 0.75), profiles, strict=True
    ):
        _draw(place, each, chosen, label or "threshold", is_log=bool(log))
    return returned(axes)


def _read(panel: Panel, *, is_log: bool) -> Profile:
    """Arrange one panel as a table, and refuse one that is none."""
    part = panel.part
    if part.duplicated(["method", "threshold"]).any():
        raise BeamError(
            "each method is needed once at a threshold, found one several times: pass the "
            "result of one call, or keep the columns that tell results apart"
        )
    row, methods = pd.factorize(part["method"])
    column, thresholds = pd.factorize(part["threshold"], sort=True)
    if len(part) != len(methods) * len(thresholds):
        raise BeamError(
            f"plot.{_PICTURE} needs the same thresholds for all methods: pass the result "
            f"of beam_pandas.{_PICTURE}"
        )
    bars = np.asarray(thresholds, dtype=np.float64)
    if is_log and not (bars > 0.0).all():
        raise BeamError(f"log=True needs thresholds above 0, found {bars.min():g}")
    share = np.empty((len(methods), len(bars)))
    share[row, column] = part["share"].to_numpy(dtype=np.float64, na_value=np.nan)
    order = np.argsort(-np.nan_to_num(share).mean(axis=1), kind="stable")
    labels = methods.tolist()
    return Profile(panel.title, [plain(labels[at]) for at in order], bars, share[order])


def _draw(
    ax: Any, each: Profile, chosen: list[Hashable], label: str, *, is_log: bool
) -> None:
    """Draw one panel: lines that are told apart above the others."""
    from matplotlib.lines import Line2D

    told = [method for method in each.methods if method in chosen]
    told = told or each.methods[: len(CYCLE)]
    falls = each.share[:, 0].sum() >= each.share[:, -1].sum()
    step = "pre" if falls else "post"  # a threshold itself is reached
    handles: list[Any] = []
    names = _names(ax, told)
    for method, share in zip(each.methods, each.share, strict=True):
        style: dict[str, Any] = {"color": mixed(ax, ink(), 0.35), "linewidth": 0.6}
        name, above = "_other", 2.0
        if method in told:
            at = told.index(method)
            style = {
                "color": CYCLE[::-1][at % len(CYCLE)],
                "linestyle": _STYLES[(at + at // len(CYCLE)) % len(_STYLES)],
                "linewidth": 1.6,
            }
            name, above = names[at], 4.0 - 0.01 * at
            handles.append(Line2D([], [], label=name, **style))
        ax.step(each.thresholds, share, where=step, zorder=above, label=name, **style)
    n_others = len(each.methods) - len(told)
    if n_others:
        thin: dict[str, Any] = {"color": mixed(ax, ink(), 0.35), "linewidth": 0.6}
        handles.append(Line2D([], [], label=count(n_others, "other"), **thin))
    ends = float(each.thresholds[0]), float(each.thresholds[-1])
    if ends[0] == ends[1]:
        ends = (0.5 * ends[0], 1.5 * ends[0]) if ends[0] > 0 else (ends[0] - 1, ends[0] + 1)
    x = Axis(label, ends, is_log=is_log)
    y = Axis("share of runs", (-0.02, 1.02))
    PlainPicture(ax, x, y, handles, each.title).start()


def _names(ax: Any, methods: Sequence[Hashable]) -> list[str]:
    """Write methods for the legend, shortened to a part of the figure."""
    wide = 72.0 * float(ax.get_figure().bbox.width) / float(ax.get_figure().dpi)
    names = [raw_text(method) for method in methods]
    size = rc_points("legend.fontsize")
    return [label_text(name) for name in shorten(names, max(_NAME * wide, 40.0), size)]
