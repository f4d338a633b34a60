"""Two methods against each other, dataset by dataset."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from beam_pandas.errors import BeamError
from beam_pandas.plot.colours import BLUE, ORANGE, ink, mixed, pale
from beam_pandas.plot.duel_data import Duel, read_duels
from beam_pandas.plot.duel_layout import DuelPicture
from beam_pandas.plot.figures import (
    check_width,
    given_axes,
    new_axes,
    plan_panels,
    require_matplotlib,
    returned,
)
from beam_pandas.plot.fitting import Fit
from beam_pandas.plot.score_tables import read_score_tables
from beam_pandas.plot.text import raw_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NATURAL: Final = 4.2  # inches of a panel
_LEGEND: Final = 0.3  # inches by which it is higher than wide
_PAD: Final = 0.05  # of the range of the scores
_TINT: Final = 0.1


def duel(
    result: pd.DataFrame,
    method_1: Hashable,
    method_2: Hashable,
    rope: float | str | Mapping[Any, float | str] = 0.0,
    *,
    label: int = 3,
    ax: Axes | Sequence[Axes] | None = None,
    width: float | None = None,
) -> Any:
    """
    Draw two methods against each other: a point for each dataset that both have.

    On the diagonal they are equal; in the band about it they differ by no more than the
    rope. Points, areas and counts of the datasets on which method_1 is better are blue,
    those on which method_2 is better orange, whatever the direction of the metric. Both
    axes have the same scale; the datasets on which the methods differ most are named.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.ranks`.
    method_1, method_2 : label
        The methods: the first on the vertical axis, the second on the horizontal one.
    rope : float, text, or mapping from metric to either, default 0.0
        Differences up to it, in the unit of the score, are ties; a text such as ``"2%"``
        is a share of the larger score.
    label : int, default 3
        How many datasets to name, those of the largest differences first, where there is
        room.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric; by default a new figure.
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
        If the methods are not two of the result, `rope` is no half-width, or `label` no
        number of datasets.

    See Also
    --------
    beam_pandas.pairwise : the counts, with a test.
    beam_pandas.plot.scores : all methods, dataset by dataset.
    beam_pandas.plot.pairwise : all pairs.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((5, 5)).add_subplot()
    >>> ax = beam_pandas.plot.duel(scores.beam.ranks(), "SVC", "MLP", rope=0.01, ax=ax)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['SVC better: 6', 'within the rope: 17', 'MLP better: 9']
    """
    require_matplotlib()
    check_width(width)
    if isinstance(label, bool) or not isinstance(label, int | np.integer) or label < 0:
        raise BeamError(f"label must be a number of datasets, 0 or more, got {label!r}")
    tables = read_score_tables(result, "duel", needs_ranks=False)
    duels = read_duels(tables, method_1, method_2, rope)
    if ax is not None:
        axes = given_axes(ax, len(duels))
    else:
        panels = plan_panels(
            len(duels), width, _NATURAL, lambda each: [each + _LEGEND] * len(duels)
        )
        axes = new_axes(len(duels), panels)
    names = [raw_text(method_1), raw_text(method_2)]
    for each, part in zip(axes, duels, strict=True):
        _draw(each, part, names, int(label))
    return returned(axes)


def _draw(ax: Any, duel_of: Duel, names: list[str], n_labels: int) -> None:
    """Draw one panel."""
    limits = _limits(duel_of)
    _draw_areas(ax, duel_of, limits)
    ax.plot(limits, limits, color=ink(), linewidth=0.8, zorder=2.0, label="_diagonal")
    ax.set(xlim=limits, ylim=limits)
    dots = []
    for sign, colour in zip((1, 0, -1), _colours(ax), strict=True):
        second, first = duel_of.scores[duel_of.outcome == sign].T[::-1]
        dots += ax.plot(
            second,
            first,
            marker="o",
            linestyle="none",
            color=colour,
            markeredgecolor=ink(),
            markeredgewidth=0.4,
            zorder=3.0,
            label="_dataset",
        )
    for side in ("right", "top"):
        ax.spines[side].set_visible(False)
    Fit(ax, DuelPicture(ax, duel_of, names, dots, limits, n_labels)).start()


def _colours(ax: Any) -> list[Any]:
    return [BLUE, mixed(ax, ink(), 0.35), ORANGE]


def _limits(duel_of: Duel) -> tuple[float, float]:
    """Give both axes the range of all scores, and some more."""
    if not duel_of.scores.size:
        return 0.0, 1.0
    low, high = float(duel_of.scores.min()), float(duel_of.scores.max())
    pad = _PAD * (high - low) or 0.05 * max(abs(high), 1.0)
    return low - pad, high + pad


def _draw_areas(ax: Any, duel_of: Duel, limits: tuple[float, float]) -> None:
    """Tint the areas of wins, and the band of the rope if there is one."""
    low, high = limits
    at = np.array(sorted({low, high, min(max(0.0, low), high)}))
    rope = duel_of.rope
    upper = np.clip([rope.above(x) for x in at.tolist()], low, None)
    lower = np.clip([rope.below(x) for x in at.tolist()], None, high)
    is_upper_first = duel_of.table.is_higher_better is not False
    tints = [mixed(ax, colour, _TINT) for colour in (BLUE, ORANGE)]
    above, below = tints if is_upper_first else tints[::-1]
    style: dict[str, Any] = {"linewidth": 0.0, "zorder": 0.5}
    top, bottom = np.maximum(upper, high), np.minimum(lower, low)
    ax.fill_between(at, upper, top, color=above, label="_above", **style)
    ax.fill_between(at, bottom, lower, color=below, label="_below", **style)
    if not rope.is_none:
        ax.fill_between(at, lower, upper, color=pale(ax), label="_rope", **style)
