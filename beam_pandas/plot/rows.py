"""Pictures with a label for each row: the Axes they need, and labels that fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from beam_pandas.plot.panels import given_axes, new_axes, size_in_points
from beam_pandas.plot.text import LINE_HEIGHT, rc_points, text_sizes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LARGEST_SHARE = 0.6  # of the width that labels take


def row_axes(
    ax: Any,
    labels: Sequence[Sequence[str]],
    width: float | None,
    *,
    extra: float,
    sides: float = 1.0,
) -> list[Axes]:
    """
    Take the given Axes, or make a figure high enough for a line of text in each row.

    Parameters
    ----------
    ax : Axes, sequence of Axes or None
        As given.
    labels : sequence of sequences of str
        For each panel those of its rows.
    width : float or None
        Of a new figure in inches.
    extra : float
        Room for legend and axis, in lines of text.
    sides : float, default 1.0
        On how many sides labels of this size stand.
    """
    if ax is not None:
        return given_axes(ax, len(labels))
    import matplotlib as mpl

    wide = float(width or mpl.rcParams["figure.figsize"][0])
    font = rc_points("ytick.labelsize")
    shrink = [_shrink(texts, 72.0 * wide / sides) for texts in labels]
    lines = [
        1.35 * len(texts) * factor + extra
        for texts, factor in zip(labels, shrink, strict=True)
    ]
    axes = new_axes(len(labels), wide, sum(lines) * font / 72.0)
    for each, factor in zip(axes, shrink, strict=True):
        each.tick_params("y", labelsize=font * factor)
    return axes


def label_rows_of(ax: Axes, texts: Sequence[str]) -> None:
    """Put the labels beside the rows, the first on top."""
    ax.set_ylim(len(texts) - 0.5, -0.5)
    ax.set_yticks(range(len(texts)), texts)
    ax.tick_params("y", length=0)
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)


def fit_rows(ax: Any, texts: Sequence[str], *, sides: float = 1.0) -> float:
    """Make the labels as large as the rows allow; give their font size."""
    wide = 72.0 * ax.get_figure().bbox.width / ax.get_figure().dpi
    size = font = rc_points("ytick.labelsize") * _shrink(texts, wide / sides)
    ax.tick_params("y", labelsize=size)
    for _ in range(2):  # smaller labels leave more room to the rows
        _, height = size_in_points(ax)
        size = max(0.5, min(font, height / len(texts) / LINE_HEIGHT))
        ax.tick_params("y", labelsize=size)
    return size


def _shrink(texts: Sequence[str], width: float) -> float:
    """Find the factor on the size of labels that leaves the picture its share."""
    widest = float(text_sizes(texts, rc_points("ytick.labelsize"))[:, 0].max())
    return min(1.0, _LARGEST_SHARE * width / widest)
