"""A posterior of pairs as stacked bars, in a list or in a grid, or as a heat map."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.plot.board import Words
from beam_pandas.plot.cells import Place, board_axes
from beam_pandas.plot.colours import BLUE, GREEN, ORANGE, face, ink, mixed
from beam_pandas.plot.figures import check_width, require_matplotlib, returned
from beam_pandas.plot.posterior_data import (
    Posterior,
    against,
    common_method,
    read_posteriors,
    refuse_part,
)
from beam_pandas.plot.text import label_text, raw_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_IN_A_LIST: Final = 5  # methods, ten pairs
_IN_A_GRID: Final = 20
_THICK: Final = 0.8  # of a row
_THIN: Final = 0.35
_BAR: Final = 0.88  # of the width of a cell
_PARTS: Final = (("first", BLUE), ("equivalent", GREEN), ("second", ORANGE))
_UNDECIDED: Final = (0.08, 0.5)  # share of the hue at no and at nearly enough probability


def bayesian_sign(
    result: pd.DataFrame,
    *,
    ax: Axes | Sequence[Axes] | None = None,
    reference: Hashable = None,
    threshold: float = 0.95,
    width: float | None = None,
) -> Any:
    """
    Draw with what probability one method is better than another, or equivalent.

    Each pair is a bar of three parts that sum to 1: the first method is better, both are
    equivalent, the second is better. Thick bars are decided, thin ones are not; two lines
    mark where the outer parts reach the threshold. Up to five methods the pairs stand in a
    list, up to 20 in a grid, row against column; beyond, the colour of a cell is the
    decision for its row, full where it is one, and pale where the most probable of the
    three does not reach the threshold, the paler the further. The methods with the highest
    probabilities come first.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.bayesian_sign`, or another posterior of pairs.
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
        If there is no method `reference`, the decisions are not those at `threshold`, or
        pairs are missing where more than five methods are drawn against each other.

    See Also
    --------
    beam_pandas.bayesian_sign : the probabilities.

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
    >>> ax = Figure((7, 5)).add_subplot()
    >>> ax = beam_pandas.plot.bayesian_sign(table, ax=ax, reference="SVC")
    >>> len(ax.get_yticklabels())
    15
    """
    require_matplotlib()
    check_width(width)
    panels = read_posteriors(result, threshold)
    if reference is None:
        reference = common_method(panels)
    largest = max(len(panel.methods) for panel in panels)
    if reference is not None:
        panels = [against(panel, reference) for panel in panels]
    if reference is not None or largest <= _IN_A_LIST:
        return returned(_draw_lists(ax, panels, reference, threshold, width))
    for panel in panels:
        refuse_part(panel)
    words = [_square_words(panel) for panel in panels]
    places = board_axes(ax, words, width, cell=3.0, n_lines=5.0)
    draw = _draw_grid if largest <= _IN_A_GRID else _draw_decisions
    for place, panel in zip(places, panels, strict=True):
        draw(place, panel, threshold)
    return returned([place.ax for place in places])


def _square_words(panel: Posterior) -> Words:
    names = [raw_text(method) for method in panel.methods]
    sides = ("against method in column", "method in row")
    return Words(names, names, (), panel.title, *sides)


def _draw_lists(
    ax: Any,
    panels: Sequence[Posterior],
    reference: Hashable,
    threshold: float,
    width: float | None,
) -> list[Axes]:
    """Draw a row for each pair: first method on the left, second one on the right."""
    names = [[raw_text(method) for method in panel.methods] for panel in panels]
    words = [
        Words(
            rows=[at[i] for i in panel.first],
            right=() if reference is not None else [at[i] for i in panel.second],
            title=panel.title,
            x_label="posterior probability",
        )
        for at, panel in zip(names, panels, strict=True)
    ]
    first = "left" if reference is None else "method"
    second = "right" if reference is None else label_text(reference)
    places = board_axes(ax, words, width, n_lines=5.0, is_square=False)
    for place, panel in zip(places, panels, strict=True):
        each, n_rows = place.ax, len(panel.first)
        start = np.zeros(n_rows)
        row = np.arange(n_rows, dtype=float)
        _draw_bars(each, panel, start, row, 1.0)
        each.set_xlim(0.0, 1.0)
        each.vlines(
            [1.0 - threshold, threshold],
            -0.5,
            n_rows - 0.5,
            linestyles="--",
            linewidth=0.8,
            colors=ink(),
            label="_threshold",
        )
        place.board(_handles(each, first, second, threshold, "--")).finish()
    return [place.ax for place in places]


def _draw_grid(place: Place, panel: Posterior, threshold: float) -> None:
    """Draw the bar of each pair into the cell of its row and column."""
    ax = place.ax
    start = panel.second.astype(np.float64) - _BAR / 2.0
    _draw_bars(ax, panel, start, panel.first.astype(float), _BAR)
    met = ~np.isnan(panel.probability).any(axis=1)
    for part in (1.0 - threshold, threshold):
        ax.vlines(
            start[met] + _BAR * part,
            panel.first[met] - _THICK / 2.0,
            panel.first[met] + _THICK / 2.0,
            colors=ink(),
            linewidth=0.5,
            linestyles=":",
            label="_threshold",
        )
    place.board(_handles(ax, "row", "column", threshold, ":")).finish()


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
    for part, (name, colour) in enumerate(_PARTS):
        share = panel.probability[met, part]
        ax.barh(
            row[met],
            length * share,
            left=start[met] + length * (ends[:, part] - share),
            height=height,
            color=colour,
            label=f"_{name}",
        )


def _handles(ax: Axes, first: str, second: str, threshold: float, style: Any) -> list[Any]:
    """Explain colours, thickness and lines."""
    from matplotlib.lines import Line2D

    names = (f"{first} better", "equivalent", f"{second} better")
    grey = mixed(ax, ink(), 0.45)
    bar: dict[str, Any] = {"solid_capstyle": "butt"}
    return [
        *(
            Line2D([], [], linewidth=6.0, color=colour, label=name, **bar)
            for name, (_, colour) in zip(names, _PARTS, strict=True)
        ),
        Line2D([], [], linewidth=6.0, color=grey, label="thick: decided", **bar),
        Line2D([], [], linewidth=2.6, color=grey, label="thin: undecided", **bar),
        Line2D([], [], linestyle=style, linewidth=0.8, color=ink(),
               label=f"decided from {threshold:g}"),
    ]  # fmt: skip


def _draw_decisions(place: Place, panel: Posterior, threshold: float) -> None:
    """Colour each cell by what is decided of its row, pale where nothing is."""
    from matplotlib.patches import Patch

    ax = place.ax
    both = np.concatenate([panel.probability, panel.probability[:, ::-1]])
    rows = np.concatenate([panel.first, panel.second])
    columns = np.concatenate([panel.second, panel.first])
    cells = np.zeros((len(panel.methods), len(panel.methods), 4))
    cells[rows, columns] = _decision_colours(ax, both, threshold)
    ax.imshow(cells, aspect="auto", interpolation="nearest", origin="upper")
    names = ("row better", "equivalent", "row worse")
    handles = [
        *(
            Patch(facecolor=colour, label=name)
            for name, (_, colour) in zip(names, _PARTS, strict=True)
        ),
        Patch(
            facecolor=mixed(ax, BLUE, _UNDECIDED[1] / 2.0),
            edgecolor=BLUE,
            linewidth=0.5,
            label=f"pale: most probable, but below {threshold:g}",
        ),
    ]
    place.board(handles).finish()


def _decision_colours(
    ax: Axes, probability: NDArray[np.float64], threshold: float
) -> NDArray[np.float64]:
    """Give each pair the hue of the most probable part, full from the threshold on."""
    from matplotlib.colors import to_rgb

    met = ~np.isnan(probability).any(axis=1)
    known = np.where(np.reshape(met, (-1, 1)), probability, 0.0)
    most = known.max(axis=1)
    hues = np.array([to_rgb(colour) for _, colour in _PARTS])[known.argmax(axis=1)]
    low, high = _UNDECIDED
    near = np.clip((most - 1.0 / 3.0) / (threshold - 1.0 / 3.0), 0.0, 1.0)
    part = np.where(most >= threshold, 1.0, low + (high - low) * near)
    share = part.reshape(-1, 1)
    ground = np.array(face(ax))
    colours = (1.0 - share) * ground + share * hues
    return np.column_stack([colours, met.astype(np.float64)])
