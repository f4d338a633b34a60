"""The critical difference diagram: methods on a rank axis, bars join the like."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import pandas as pd

from beam_pandas.errors import check_option, check_truth, warn
from beam_pandas.plot.diagram_data import read_diagrams
from beam_pandas.plot.diagram_group import DiagramGroup
from beam_pandas.plot.diagram_layout import natural_width
from beam_pandas.plot.figures import (
    check_width,
    given_axes,
    new_axes,
    plan_panels,
    require_matplotlib,
    returned,
)
from beam_pandas.plot.fitting import Fit
from beam_pandas.plot.panels import as_labels
from beam_pandas.plot.rank_bars import draw_rank_bars
from beam_pandas.plot.text import rc_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Best = Literal["left", "right"]
_READABLE: Final = 4.0  # points
_MOST: Final = 40  # methods that hang on one axis


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
    Draw who differs in mean rank, from each other or from a control.

    This is the diagram of Demšar: each method hangs on the rank axis at its mean rank. A
    bar joins the methods of a clique, which do not differ significantly; bars that overlap
    have different heights. With a control, one bar reaches a critical difference to either
    side of it: methods within do not differ from it, and their lines are dashed.

    More than 40 methods stand below each other instead, each with a bar of one critical
    difference about its mean rank: bars that do not touch differ significantly.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.critical_difference`, whose letters in `groups` give the
        bars, or of `beam_pandas.compare_to_control`, whole.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric. Text is made smaller until all fits, then names
        are shortened, and again if the Axes change their size. By default a new figure, as
        large as the text needs.
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
        If an option is out of its range, or rows of the result are missing.

    Warns
    -----
    BeamWarning
        If text had to be made smaller than can be read, or there are more than 40 methods.

    See Also
    --------
    beam_pandas.critical_difference : the mean ranks and who does not differ.
    beam_pandas.compare_to_control : the comparison with a control.

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
    check_truth("show_ranks", show_ranks)
    check_width(width)
    diagrams = read_diagrams(result)
    methods = dict.fromkeys(method for each in diagrams for method in each.methods)
    chosen = as_labels(highlight, methods, "highlight")
    most = max(len(each.methods) for each in diagrams)
    if most > _MOST:
        warn(
            f"{most} methods are too many to hang on one axis: each is drawn in a row of "
            "its own, with a bar of one critical difference about its mean rank"
        )
        options = {"best": best, "show_ranks": show_ranks, "chosen": chosen}
        return returned(draw_rank_bars(ax, diagrams, width, options))
    group = DiagramGroup(diagrams, best, show_ranks=show_ranks, chosen=chosen)
    axes = _make_axes(group, width) if ax is None else given_axes(ax, len(diagrams))
    for each, panel in zip(axes, group.draw(axes), strict=True):
        Fit(each, panel).start()
    size = group.factor(float(axes[0].figure.dpi)) * rc_points("xtick.labelsize")
    if size < _READABLE:
        warn(
            f"the labels have {size:.1f} points to fit into the Axes: give them more room, "
            "or leave ax out"
        )
    return returned(axes)


def _make_axes(group: DiagramGroup, width: float | None) -> list[Axes]:
    """Make a figure that the Axes fill, as high as its panels need."""
    import matplotlib as mpl

    usual = float(mpl.rcParams["figure.figsize"][0])
    natural = natural_width(group.full_reach(), 72.0 * usual) / 72.0

    def heights(each: float) -> list[float]:
        return [height / 72.0 for height in group.natural_heights(72.0 * each)]

    n_panels = len(group.diagrams)
    return new_axes(n_panels, plan_panels(n_panels, width, natural, heights))
