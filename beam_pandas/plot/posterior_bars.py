"""The Bayesian sign test as stacked bars, in a list or in a grid, or as a heat map."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.plot.colours import (
    BLUE,
    ORANGE,
    PALE,
    SEQUENTIAL,
    colour_map,
    ink,
    readable_on,
)
from beam_pandas.plot.heat_map import Grid, draw_cells, fit_labels, grid_axes, label_cells
from beam_pandas.plot.matrix_map import add_colour_bar
from beam_pandas.plot.panels import (
    add_legend,
    add_title,
    add_x_label,
    check_width,
    require_matplotlib,
    returned,
)
from beam_pandas.plot.posterior_data import Posterior, against, read_posteriors
from beam_pandas.plot.rows import fit_rows, label_rows_of, row_axes
from beam_pandas.plot.text import label_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_IN_A_LIST: Final = 5  # methods, ten pairs
_IN_A_GRID: Final = 20
_THICK: Final = 0.8  # of a row
_THIN: Final = 0.35
_BAR: Final = 0.88  # of the width of a cell


def posterior(
    result: pd.DataFrame,
    *,
    ax: Axes | Sequence[Axes] | None = None,
    reference: Hashable = None,
    threshold: float = 0.95,
    width: float | None = None,
) -> Any:
    """
    Draw the posterior probabilities of the Bayesian sign test.

    Each pair is a bar of three parts that sum to 1: the first method is better, both are
    equivalent, the second is better. Thick bars are decided, thin ones are not; two lines
    mark where the outer parts reach the threshold. Up to five methods the pairs stand in a
    list, up to 20 in a grid, row against column; beyond, a heat map shows the probability
    that the row is better, undecided pairs crossed out. The methods with the highest
    probabilities come first.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.bayesian_sign`.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric; by default a new figure.
    reference : label, optional
        Draw each other method against this one, in a list.
    threshold : float, default 0.95
        The probability from which the pairs in `result` are decided.
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
        If there is no method `reference`, or the decisions are not those at `threshold`.

    References
    ----------
    Benavoli, A., Corani, G., Demšar, J., Zaffalon, M. (2017). JMLR 18(77), 1-36.
    https://www.jmlr.org/papers/v18/16-305.html

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> table = scores.beam.bayesian_sign(rope=0.01)
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((7, 5), layout="constrained").add_subplot()
    >>> ax = beam_pandas.plot.posterior(table, ax=ax, reference="SVC")
    >>> len(ax.get_yticklabels())
    15
    """
    require_matplotlib()
    check_width(width)
    panels = read_posteriors(result, threshold)
    largest = max(len(panel.methods) for panel in panels)
    if reference is not None:
        chosen = [against(panel, reference) for panel in panels]
        return returned(_draw_lists(ax, chosen, reference, threshold, width))
    if largest <= _IN_A_LIST:
        return returned(_draw_lists(ax, panels, None, threshold, width))
    grids = [_grid(panel) for panel in panels]
    if largest <= _IN_A_GRID:
        axes = grid_axes(ax, grids, width, cell=3.0, extra=3.0)
        for each, panel, grid in zip(axes, panels, grids, strict=True):
            _draw_grid(each, panel, grid, threshold)
    else:
        axes = grid_axes(ax, grids, width)
        for each, panel, grid in zip(axes, panels, grids, strict=True):
            _draw_heat_map(each, panel, grid)
    return returned(axes)


def _draw_lists(
    ax: Any,
    panels: Sequence[Posterior],
    reference: Hashable,
    threshold: float,
    width: float | None,
) -> list[Axes]:
    """Draw a row for each pair: first method on the left, second one on the right."""
    names = [[label_text(method) for method in panel.methods] for panel in panels]
    left = [[at[i] for i in panel.first] for at, panel in zip(names, panels, strict=True)]
    sides = 2.0 if reference is None else 1.0
    axes = row_axes(ax, left, width, extra=10.0, sides=sides)
    for each, texts, panel, at in zip(axes, left, panels, names, strict=True):
        start = np.zeros(len(texts))
        row = np.arange(len(texts), dtype=float)
        _draw_bars(each, panel, start, row, 1.0)
        each.set_xlim(0.0, 1.0)
        label_rows_of(each, texts)
        add_x_label(each, "posterior probability")
        each.vlines(
            [1.0 - threshold, threshold],
            *each.get_ylim(),
            linestyles="--",
            linewidth=0.8,
            colors=ink(),
            label="_threshold",
        )
        if reference is None:
            _label_right(each, [at[i] for i in panel.second])
        fit_rows(each, texts, sides=sides)
        first = "left" if reference is None else "method"
        second = "right" if reference is None else label_text(reference)
        _add_legend(each, panel.title, first, second, threshold)
        fit_rows(each, texts, sides=sides)
    return axes


def _label_right(ax: Axes, texts: list[str]) -> None:
    """Put the labels of the second methods on the right of the rows."""
    right = ax.secondary_yaxis("right")
    right.set_yticks(range(len(texts)), texts)
    right.tick_params(length=0)
    right.spines["right"].set_visible(False)
    fit_rows(right, texts, sides=2.0)


def _draw_grid(ax: Axes, panel: Posterior, grid: Grid, threshold: float) -> None:
    """Draw the bar of each pair into the cell of its row and column."""
    start = panel.second.astype(np.float64) - _BAR / 2.0
    _draw_bars(ax, panel, start, panel.first.astype(float), _BAR)
    label_cells(ax, grid)
    for part in (1.0 - threshold, threshold):
        at = start + _BAR * part
        ax.vlines(
            at,
            panel.first - _THICK / 2.0,
            panel.first + _THICK / 2.0,
            colors=ink(),
            linewidth=0.5,
            linestyles=":",
            label="_threshold",
        )
    _add_legend(ax, panel.title, "row", "column", threshold)
    ax.set_ylabel("method in row")
    add_x_label(ax, "against method in column")
    fit_labels(ax, grid)


def _draw_bars(
    ax: Axes,
    panel: Posterior,
    start: NDArray[np.float64],
    row: NDArray[np.float64],
    length: float,
) -> None:
    """Draw three parts side by side for each pair that has probabilities."""
    met = ~np.isnan(panel.probability).any(axis=1)
    ends = np.cumsum(panel.probability[met], axis=1)
    height = np.where(panel.is_decided[met], _THICK, _THIN)
    for part, colour in enumerate((BLUE, PALE, ORANGE)):
        share = panel.probability[met, part]
        ax.barh(
            row[met],
            length * share,
            left=start[met] + length * (ends[:, part] - share),
            height=height,
            color=colour,
            label=f"_{('first', 'equivalent', 'second')[part]}",
        )


def _draw_heat_map(ax: Axes, panel: Posterior, grid: Grid) -> None:
    """Draw the probability that the row is better; cross out undecided pairs."""
    image = draw_cells(ax, grid, colours=colour_map(SEQUENTIAL), limits=(0.0, 1.0))
    add_title(ax, panel.title)
    ax.set_ylabel("method in row")
    add_x_label(ax, "against method in column")
    add_colour_bar(ax, image, "P(row is better), x: undecided")
    cell = fit_labels(ax, grid)
    undecided = ~panel.is_decided
    rows = np.concatenate([panel.first[undecided], panel.second[undecided]])
    columns = np.concatenate([panel.second[undecided], panel.first[undecided]])
    colours: Any = image.to_rgba(np.nan_to_num(grid.cells))
    inks = [readable_on(colours[at]) for at in zip(rows, columns, strict=True)]
    ax.scatter(
        columns,
        rows,
        s=(0.35 * min(cell)) ** 2,
        c=inks,
        marker="x",
        linewidths=0.5,
        label="_undecided",
    )


def _grid(panel: Posterior) -> Grid:
    """Arrange the probabilities that the row is better."""
    names = [label_text(method) for method in panel.methods]
    values = np.full((len(names), len(names)), np.nan)
    values[panel.first, panel.second] = panel.probability[:, 0]
    values[panel.second, panel.first] = panel.probability[:, 2]
    return Grid(panel.title, names, names, values)


def _add_legend(ax: Axes, title: str, first: str, second: str, threshold: float) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles = [
        Patch(facecolor=BLUE, label=f"{first} better"),
        Patch(facecolor=PALE, label="equivalent"),
        Patch(facecolor=ORANGE, label=f"{second} better"),
        Line2D([], [], linestyle="--", linewidth=0.8, color=ink(),
               label=f"{threshold:g}; thin bars are undecided"),
    ]  # fmt: skip
    add_legend(ax, handles, title)
