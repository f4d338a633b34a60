"""The critical difference diagram: methods on a rank axis, bars join the like."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import pandas as pd

from beam_pandas.errors import check_option, warn
from beam_pandas.plot.diagram_artists import Labels, Sheet, draw_diagram
from beam_pandas.plot.diagram_data import Diagram, read_diagrams
from beam_pandas.plot.diagram_layout import (
    BAR_GAP,
    Heights,
    Reach,
    Scale,
    fit_scale,
    fit_width,
    label_rows,
    natural_width,
    plan_heights,
    stack_bars,
)
from beam_pandas.plot.panels import (
    as_labels,
    check_width,
    given_axes,
    new_axes,
    require_matplotlib,
    returned,
    size_in_points,
)
from beam_pandas.plot.text import label_text, rc_points, text_sizes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Best = Literal["left", "right"]
_READABLE = 4.0  # points


def critical_difference(
    result: pd.DataFrame,
    *,
    ax: Axes | Sequence[Axes] | None = None,
    best: Best = "left",
    show_ranks: bool = True,
    highlight: Hashable | Sequence[Hashable] = None,
    width: float | None = None,
) -> Any:
    """
    Draw the critical difference diagram of Demšar.

    Each method hangs on the rank axis at its mean rank. A bar joins the methods of a
    clique, which do not differ significantly; bars that overlap have different heights.
    With a control, one bar reaches a critical difference to either side of it: methods
    within do not differ from it, and their lines are dashed.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.critical_difference`, whose letters in `groups` give the
        bars, or of `beam_pandas.compare_to_control`, whole.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric. Text is made smaller until all fits. By
        default a new figure, as large as the text needs.
    best : {"left", "right"}, default "left"
        Where rank 1 is.
    show_ranks : bool, default True
        Whether to print the mean ranks beside the names.
    highlight : label or sequence of labels, optional
        Methods to draw bold and in colour.
    width : float, optional
        Width of the new figure in inches, such as 3.5 for a column of a paper; by default
        as wide as `rcParams` say, or more if the names are long.

    Returns
    -------
    Axes or ndarray of Axes
        With several metrics (or groups) an array, one panel each on a common rank axis.
        The x axis is in ranks, the y axis in points from the top.

    Raises
    ------
    MissingColumnsError
        If `result` lacks a column that is drawn.
    MissingDependencyError
        If matplotlib is not installed.
    BeamError
        If an option is out of its range, or rows of a control's result are missing.

    Warns
    -----
    BeamWarning
        If text had to be made smaller than can be read.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets.
    JMLR 7, 1-30, figure 1. https://www.jmlr.org/papers/v7/demsar06a.html

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> table = scores.beam.critical_difference(missing="drop_methods")
    >>> from matplotlib.figure import Figure
    >>> ax = beam_pandas.plot.critical_difference(table, ax=Figure((7, 3)).add_subplot())
    >>> ax.get_xlabel()
    'mean rank'
    """
    require_matplotlib()
    check_option("best", best, get_args(Best))
    check_width(width)
    diagrams = read_diagrams(result)
    methods = dict.fromkeys(method for each in diagrams for method in each.methods)
    chosen = as_labels(highlight, methods, "highlight")
    axes = None if ax is None else given_axes(ax, len(diagrams))
    labels = [_write_labels(each, best, show_ranks, chosen) for each in diagrams]
    reach = _common_reach(diagrams, labels, best)
    if axes is None:
        axes = _make_axes(diagrams, labels, reach, width)
    factor = _draw_panels(axes, diagrams, labels, best)
    if factor * rc_points("xtick.labelsize") < _READABLE:
        warn(
            f"the labels have {factor * rc_points('xtick.labelsize'):.1f} points to fit "
            "into the Axes: give them more room, or leave ax out"
        )
    return returned(axes)


def _draw_panels(
    axes: list[Axes], diagrams: list[Diagram], labels: list[Labels], best: Best
) -> float:
    """Draw each panel on its Axes; give the factor on the size of text that it took."""
    reach = _common_reach(diagrams, labels, best)
    sizes = [size_in_points(each) for each in axes]
    factor = 1.0
    for _ in range(3):  # the width of letters is not quite in proportion to their size
        factor = _common_factor(diagrams, labels, reach, sizes)
        dpi = axes[0].figure.dpi
        labels = [_measure(each, factor, dpi) for each in labels]
        reach = _common_reach(diagrams, labels, best)
    for each, diagram, names, size in zip(axes, diagrams, labels, sizes, strict=True):
        scale = fit_scale(reach, size[0], factor)
        heights = _heights(diagram, names, scale)
        sheet = Sheet(
            factor=factor,
            width=size[0],
            height=size[1],
            scale=scale,
            heights=heights.scaled(min(factor, size[1] / heights.total)),
            levels=_levels(diagram, scale),
            is_mirrored=best == "right",
        )
        draw_diagram(each, diagram, names, sheet)
    return factor


def _write_labels(
    diagram: Diagram, best: Best, show_ranks: bool, chosen: list[Hashable]
) -> Labels:
    """Write the labels of a panel, measured at the size that text has by default."""
    row, is_best_half = label_rows(len(diagram.methods))
    is_left = is_best_half == (best == "left")
    texts = []
    for method, rank, left in zip(diagram.methods, diagram.ranks, is_left, strict=True):
        name, number = label_text(method), f"{rank:.2f}"
        both = f"{name}  {number}" if left else f"{number}  {name}"
        texts.append(both if show_ranks else name)
    is_chosen = [method in chosen for method in diagram.methods]
    is_bold = [on or at == diagram.control for at, on in enumerate(is_chosen)]
    labels = Labels(texts, row, is_left, is_chosen, is_bold, np.empty((0, 2)))
    return _measure(labels, 1.0, None)


def _measure(labels: Labels, factor: float, dpi: float | None) -> Labels:
    """Measure labels at a factor on their size; keep what they would be without it."""
    size = factor * rc_points("xtick.labelsize")
    sizes = text_sizes(labels.texts, size, bold=labels.is_bold, dpi=dpi)
    return labels._replace(sizes=sizes / factor)


def _common_reach(diagrams: list[Diagram], labels: list[Labels], best: Best) -> Reach:
    """Collect what must fit; ranks are negative where 1 is at the right."""
    sign = 1.0 if best == "left" else -1.0
    ranks = sign * np.concatenate([each.ranks for each in diagrams])
    axis = sign * np.array([1.0, max(len(each.methods) for each in diagrams)])
    bars = [(1.0, 1.0 + each.gap) for each in diagrams if not np.isnan(each.gap)]
    bars += [bar for each in diagrams for bar in each.bars]
    ends = np.append(sign * np.array(bars).ravel(), axis)
    return Reach(
        low=float(axis.min()),
        high=float(axis.max()),
        first=float(ranks.min()),
        last=float(ranks.max()),
        bars=(float(ends.min()), float(ends.max())),
        left=max(each.width(left=True) for each in labels),
        right=max(each.width(left=False) for each in labels),
    )


def _make_axes(
    diagrams: list[Diagram], labels: list[Labels], reach: Reach, width: float | None
) -> list[Axes]:
    """Make a figure that the Axes fill, as high as its panels need."""
    import matplotlib as mpl

    wide = 72.0 * (width or mpl.rcParams["figure.figsize"][0])
    if width is None:
        wide = natural_width(reach, wide)
    factor = fit_width(reach, wide)
    scale = fit_scale(reach, wide, factor)
    heights = [
        factor * _heights(diagram, names, scale).total
        for diagram, names in zip(diagrams, labels, strict=True)
    ]
    axes = new_axes(len(diagrams), wide / 72.0, sum(heights) / 72.0, layout=None)
    tops = 1.0 - np.cumsum([0.0, *heights]) / sum(heights)
    for each, top, bottom in zip(axes, tops[:-1], tops[1:], strict=True):
        each.set_position((0.0, float(bottom), 1.0, float(top - bottom)))
    return axes


def _common_factor(
    diagrams: list[Diagram],
    labels: list[Labels],
    reach: Reach,
    sizes: list[tuple[float, float]],
) -> float:
    """Find how much smaller text must be, the same for all panels."""
    factor = min(fit_width(reach, width) for width, _ in sizes)
    lower = [
        height / _heights(diagram, names, fit_scale(reach, width, factor)).total
        for diagram, names, (width, height) in zip(diagrams, labels, sizes, strict=True)
    ]
    return min(factor, *lower)


def _heights(diagram: Diagram, labels: Labels, scale: Scale) -> Heights:
    """Plan a panel at the size that text has by default."""
    return plan_heights(
        label=rc_points("xtick.labelsize"),
        row=float(labels.sizes[:, 1].max()),
        title=rc_points("axes.titlesize") if diagram.title else 0.0,
        n_bars=max(_levels(diagram, scale), default=-1) + 1,
        n_rows=int(labels.row.max()) + 1,
    )


def _levels(diagram: Diagram, scale: Scale) -> list[int]:
    first, last = zip(*diagram.bars, strict=True) if diagram.bars else ((), ())
    return stack_bars(first, last, BAR_GAP / scale.slope)
