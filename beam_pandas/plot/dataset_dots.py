"""Which datasets tell the methods apart: spread and concordance, a row for each dataset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from beam_pandas.plot.colours import BLUE, ORANGE, PALE
from beam_pandas.plot.panels import (
    Panel,
    add_legend,
    add_x_label,
    check_width,
    read_panels,
    require_matplotlib,
    returned,
)
from beam_pandas.plot.rows import fit_rows, label_rows_of, row_axes
from beam_pandas.plot.text import label_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NEEDED: Final = ("dataset", "spread", "kendall_w", "significant")


def discrimination(
    result: pd.DataFrame,
    *,
    ax: Axes | Sequence[Axes] | None = None,
    width: float | None = None,
) -> Any:
    """
    Draw how far each dataset spreads the methods, and how far its metrics agree on them.

    Datasets stand in the order of their spread. A circle is the spread, a diamond Kendall's
    W. Where W is not significant the metrics do not agree on an order of the methods:
    the symbols are hollow and the row is shaded. Without a W there is no diamond.

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
        With several groups an array, one panel each.

    Raises
    ------
    MissingColumnsError
        If `result` lacks a column that is drawn.
    MissingDependencyError
        If matplotlib is not installed.

    Examples
    --------
    >>> import beam_pandas
    >>> table = beam_pandas.load_benchmark().beam.dataset_discrimination()
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((7, 6), layout="constrained").add_subplot()
    >>> ax = beam_pandas.plot.discrimination(table, ax=ax)
    >>> len(ax.get_yticklabels())
    32
    """
    require_matplotlib()
    check_width(width)
    panels = [
        panel._replace(
            part=panel.part.sort_values("spread", ascending=False, kind="stable")
        )
        for panel in read_panels(
            result, _NEEDED, "discrimination", ("dataset_discrimination",)
        )
    ]
    labels = [
        [label_text(dataset) for dataset in panel.part["dataset"]] for panel in panels
    ]
    axes = row_axes(ax, labels, width, extra=10.0)
    for each, panel, texts in zip(axes, panels, labels, strict=True):
        _draw(each, panel, texts)
    return returned(axes)


def _draw(ax: Axes, panel: Panel, texts: list[str]) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    row = np.arange(len(texts))
    apart = panel.part["significant"].to_numpy(dtype=bool)
    spread = panel.part["spread"].to_numpy(dtype=np.float64, na_value=np.nan)
    concordance = panel.part["kendall_w"].to_numpy(dtype=np.float64, na_value=np.nan)
    for at in row[~apart]:
        ax.axhspan(at - 0.5, at + 0.5, color=PALE, zorder=0.0, linewidth=0.0)
    kinds = (("spread", "o", BLUE, spread), ("Kendall's W", "D", ORANGE, concordance))
    handles: list[Any] = []
    for name, marker, colour, value in kinds:
        style: dict[str, Any] = {"marker": marker, "linestyle": "none", "color": colour}
        for chosen, fill in ((apart, colour), (~apart, "white")):
            ax.plot(
                value[chosen],
                row[chosen],
                markerfacecolor=fill,
                markersize=5.0,
                label=f"_{name}",
                **style,
            )
        handles.append(Line2D([], [], label=name, **style))
    handles.append(Patch(facecolor=PALE, label="does not tell methods apart"))
    label_rows_of(ax, texts)
    largest = np.nanmax(np.append(np.concatenate([spread, concordance]), 1.0))
    ax.set_xlim(-0.03, 1.03 * largest)
    add_x_label(ax, "spread, Kendall's W")
    add_legend(ax, handles, panel.title)
    size = fit_rows(ax, texts)
    for line in ax.lines:
        line.set_markersize(min(5.0, 0.7 * size))
