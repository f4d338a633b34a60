"""Where the parts of a critical difference diagram go: numbers only, nothing is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

MARGIN: Final = 4.0  # points left free at either edge
STUB: Final = 5.0  # points of a leader between its label and the outermost method
BAR_GAP: Final = 7.0  # points between two bars at one height, which reach beyond their ends
_LEAST_SHARE: Final = 0.4  # of the width that the rank axis takes
_SMALLEST: Final = 0.05
_FLAT: Final = 1e-3
_STEPS: Final = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 50, 100, 200, 500)


class Reach(NamedTuple):
    """What must fit into the width, for all panels on one rank axis."""

    low: float  # ends of the rank axis
    high: float
    first: float  # outermost of the mean ranks
    last: float
    bars: tuple[float, float]  # ends of what else is drawn to scale
    left: float  # width of the labels on either side, in points
    right: float


class Scale(NamedTuple):
    """How a rank becomes a place: ``offset + slope * rank`` points from the left."""

    offset: float
    slope: float


def fit_scale(reach: Reach, width: float, size: float) -> Scale:
    """
    Find the largest scale on which labels stay beside the methods and all stays inside.

    Labels stand below the rank axis, so that they may reach below its ends, up to the
    outermost method.

    Parameters
    ----------
    reach : Reach
        What must fit.
    width : float
        In points.
    size : float
        Factor on the widths of the labels.

    Returns
    -------
    Scale
        With a slope next to 0 if the labels leave no room.
    """
    edge = MARGIN + 8.0 * size  # half of a number below the end of the axis
    left = [
        (MARGIN + STUB + size * reach.left, reach.first),
        (edge, reach.low),
        (MARGIN, reach.bars[0]),
    ]
    right = [
        (width - MARGIN - STUB - size * reach.right, reach.last),
        (width - edge, reach.high),
        (width - MARGIN, reach.bars[1]),
    ]
    slope = min(
        (stop - start) / (high - low)
        for start, low in left
        for stop, high in right
        if high > low
    )
    if right[0][0] < left[0][0]:
        slope = 0.0
    slope = max(slope, _FLAT)
    lower = max(start - slope * low for start, low in left)
    upper = min(stop - slope * high for stop, high in right)
    return Scale((lower + upper) / 2.0, slope)


def fit_width(reach: Reach, width: float) -> float:
    """Find the largest factor on the size of text, at most 1, that leaves the axis room."""
    size = 1.0
    while size > _SMALLEST:
        slope = fit_scale(reach, width, size).slope
        if slope * (reach.high - reach.low) >= _LEAST_SHARE * width * _room(reach):
            return size
        size *= 0.98
    return _SMALLEST


def _room(reach: Reach) -> float:
    """Share of what is drawn to scale that is the axis: less than 1 for a long bar."""
    whole = max(reach.high, reach.bars[1]) - min(reach.low, reach.bars[0])
    return (reach.high - reach.low) / whole


def natural_width(reach: Reach, width: float) -> float:
    """Widen until text keeps its size, up to two and a half times the width."""
    wider = width
    while fit_width(reach, wider) < 1.0 and wider < 2.5 * width:
        wider *= 1.04
    return wider


def stack_bars(first: Sequence[float], last: Sequence[float], gap: float) -> list[int]:
    """
    Give bars heights, 0 for the lowest, so that those which overlap differ.

    Parameters
    ----------
    first, last : sequence of float
        Ends of each bar, the first ascending.
    gap : float
        Room between two bars at one height.

    Returns
    -------
    list of int
        The lowest that is free for each bar in turn, which takes as few as possible.
    """
    ends: list[float] = []
    heights = []
    for start, stop in zip(first, last, strict=True):
        free = [at for at, end in enumerate(ends) if end + gap <= start]
        height = free[0] if free else len(ends)
        ends[height : height + 1] = [stop]
        heights.append(height)
    return heights


def choose_ticks(n_methods: int, room: float) -> list[int]:
    """
    Choose the ranks that get a number: the first and the last, and others evenly between.

    If no step divides the axis evenly, the last gap is a longer one.

    Parameters
    ----------
    n_methods : int
        The last rank.
    room : float
        Ranks that the number of one rank takes.
    """
    length = n_methods - 1
    least = next((step for step in _STEPS if step >= room), _STEPS[-1])
    even = [step for step in range(1, length + 1) if length % step == 0 and step >= room]
    step = even[0] if even and even[0] <= 2 * least else least
    ticks = [rank for rank in range(1, n_methods, step) if n_methods - rank >= step]
    return [*(ticks or [1]), n_methods]


def label_rows(n_methods: int) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """
    Share methods, ordered along the axis, between the two sides.

    Returns
    -------
    row : ndarray of intp, shape (n_methods,)
        Row of each label, the outermost methods in row 0.
    is_left : ndarray of bool, same shape
        Whether it stands on the left.
    """
    position = np.arange(n_methods)
    is_left = position < (n_methods + 1) // 2
    return np.where(is_left, position, n_methods - 1 - position), is_left


class Heights(NamedTuple):
    """Places from the top of a panel downward, in points."""

    title: float  # font size, 0 without a title
    gap_text: float  # foot of the value of the critical difference
    gap_bar: float
    axis: float
    first_bar: float
    bar_step: float
    first_row: float
    row_step: float
    total: float  # with the note at the foot

    def scaled(self, size: float) -> Heights:
        """Make all of it smaller by a factor."""
        return Heights(*(size * value for value in self))


def plan_heights(
    label: float, row: float, title: float, n_bars: int, n_rows: int, note: float = 0.0
) -> Heights:
    """
    Put the parts of a panel one below the other.

    Parameters
    ----------
    label : float
        Font size of the labels, in points.
    row : float
        Height of the tallest label.
    title : float
        Font size of the title, 0 without.
    n_bars : int
        How many bars lie one above the other.
    n_rows : int
        Number of labels on the fuller side.
    note : float, default 0.0
        Height of what is explained at the foot.
    """
    gap_text = 1.6 * title + 1.3 * label
    gap_bar = gap_text + 0.6 * label
    axis = gap_bar + 3.7 * label  # the numbers, and above them "mean rank"
    first_bar = axis + 0.9 * label
    bar_step = 0.75 * label
    first_row = first_bar + bar_step * max(n_bars - 1, 0) + 1.3 * label
    row_step = max(1.3 * label, 1.08 * row)
    below = 1.1 * label + 0.8 * title + note  # room before the next panel
    total = first_row + row_step * (n_rows - 1) + below
    return Heights(
        title, gap_text, gap_bar, axis, first_bar, bar_step, first_row, row_step, total
    )
