"""Which datasets tell the methods apart: spread and concordance, a row for each dataset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.plot.board import Words
from beam_pandas.plot.cells import Place, board_axes, markers_sized
from beam_pandas.plot.colours import BLUE, ORANGE, face, pale
from beam_pandas.plot.figures import check_width, require_matplotlib, returned
from beam_pandas.plot.panels import Panel, read_panels
from beam_pandas.plot.text import raw_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PICTURE: Final = "dataset_discrimination"
_NEEDED: Final = ("dataset", "spread", "kendall_w", "significant")
_MARKER: Final = 5.0  # points
_SHARE: Final = 0.4  # of the width that Kendall's W takes


def dataset_discrimination(
    result: pd.DataFrame,
    *,
    ax: Axes | Sequence[Axes] | None = None,
    width: float | None = None,
) -> Any:
    """
    Draw how far each dataset spreads the methods, and how far its metrics agree on them.

    Datasets stand in the order of their spread, a circle each. Beside it, on an axis of
    its own, a diamond is Kendall's W. Where W is not significant the metrics do not agree
    on an order of the methods: the symbols are hollow and the row is shaded. Where there
    is no W, as with a single metric, nothing is said about that.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.dataset_discrimination`.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each group; by default a new figure.
    width : float, optional
        Width of the new figure in inches.

    Returns
    -------
    Axes or ndarray of Axes
        Those with the spread, with several groups an array, one panel each. Axes with
        Kendall's W are a child of them, if there is a W. Of more than 60 datasets the
        first and the last are named, with the number between.

    Raises
    ------
    MissingColumnsError
        If `result` lacks a column that is drawn.
    MissingDependencyError
        If matplotlib is not installed.

    See Also
    --------
    beam_pandas.dataset_discrimination : the numbers.

    Examples
    --------
    >>> import beam_pandas
    >>> table = beam_pandas.load_benchmark().beam.dataset_discrimination()
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((7, 6)).add_subplot()
    >>> ax = beam_pandas.plot.dataset_discrimination(table, ax=ax)
    >>> len(ax.get_yticklabels())
    32
    """
    require_matplotlib()
    check_width(width)
    panels = [
        panel._replace(
            part=panel.part.sort_values("spread", ascending=False, kind="stable")
        )
        for panel in read_panels(result, _NEEDED, _PICTURE, (_PICTURE,))
    ]
    words = [
        Words(
            rows=[raw_text(dataset) for dataset in panel.part["dataset"]],
            title=panel.title,
            x_label="spread",
        )
        for panel in panels
    ]
    places = board_axes(ax, words, width, n_lines=3.0, is_square=False)
    for place, panel in zip(places, panels, strict=True):
        _draw(place, panel)
    return returned([place.ax for place in places])


def _draw(place: Place, panel: Panel) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    ax = place.ax
    apart = panel.part["significant"].to_numpy(dtype=bool)
    spread = panel.part["spread"].to_numpy(dtype=np.float64, na_value=np.nan)
    concordance = panel.part["kendall_w"].to_numpy(dtype=np.float64, na_value=np.nan)
    has_w = ~np.isnan(concordance)
    alike = ~apart & has_w
    circle: dict[str, Any] = {"marker": "o", "linestyle": "none", "color": BLUE}
    diamond: dict[str, Any] = {"marker": "D", "linestyle": "none", "color": ORANGE}
    lines = _draw_symbols(ax, "_spread", spread, alike, circle)
    _set_limits(ax, spread)
    handles: list[Any] = []
    if has_w.any():
        handles = [
            Line2D([], [], markersize=_MARKER, label="spread", **circle),
            Line2D([], [], markersize=_MARKER, label="Kendall's W", **diamond),
            Patch(facecolor=pale(ax), label="metrics do not agree on an order"),
        ]
    board = place.board(handles)
    parts = [ax]
    if has_w.any():
        other = board.add_axes_beside(_SHARE)
        lines += _draw_symbols(other, "_Kendall's W", concordance, alike, diamond)
        other.set(xlim=(-0.04, 1.04), xticks=[0.0, 0.5, 1.0], ylim=ax.get_ylim())
        other.set_xlabel("Kendall's W", loc="right", labelpad=2.5)
        other.tick_params("y", left=False, labelleft=False)
        for side in ("left", "right", "top"):
            other.spines[side].set_visible(False)
        parts.append(other)
    for part in parts:
        for at in np.flatnonzero(alike):
            part.axhspan(at - 0.5, at + 0.5, color=pale(ax), zorder=0.0, linewidth=0.0)
    board.finish(markers_sized(lines, _MARKER))


def _draw_symbols(
    ax: Any,
    name: str,
    value: NDArray[np.float64],
    alike: NDArray[np.bool_],
    style: dict[str, Any],
) -> list[Any]:
    """Draw full symbols, and hollow ones where the metrics do not agree."""
    row = np.arange(len(value))
    lines = []
    for chosen, fill in ((~alike, style["color"]), (alike, face(ax))):
        lines += ax.plot(
            value[chosen], row[chosen], markerfacecolor=fill, label=name, **style
        )
    return lines


def _set_limits(ax: Axes, spread: NDArray[np.float64]) -> None:
    """Let the axis start at 0 and leave room for symbols at its ends."""
    largest = float(np.nanmax(np.append(spread, 0.0))) or 1.0
    ax.set_xlim(-0.04 * largest, 1.04 * largest)
