"""How large labels of rows and columns are, and which are shown: numbers, no artists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from beam_pandas.plot.text import LINE_HEIGHT, label_text, shorten, widest

READABLE: Final = 4.0  # points
MOST: Final = 60  # labels on a side; of more only the first and the last are shown
LEVEL: Final = 0.9  # of the width of columns that level labels may take
_SHORTENED_BELOW: Final = 0.7  # of the usual size: labels are shortened rather than smaller
_SHARE: Final = 0.38  # of the width or the height that labels take
_FEW: Final = 8  # labels that are never left out


class Side(NamedTuple):
    """Labels on a side of the cells, as they are shown."""

    places: list[int]
    texts: list[str]
    room: float  # points that they take across
    is_level: bool = False  # those of columns, which else stand upright


class Labels(NamedTuple):
    """Labels of rows and columns, all of one size."""

    size: float
    rows: Side
    columns: Side
    right: Side


def plan_labels(
    rows: Sequence[str],
    columns: Sequence[str],
    right: Sequence[str],
    room: tuple[float, float],
    font: float,
    dpi: float,
    most_rows: int = MOST,
    *,
    may_be_level: bool = False,
) -> Labels:
    """
    Find the size of the labels, shorten what is too long, leave out what is too many.

    Parameters
    ----------
    rows, columns, right : sequence of str
        Labels, unescaped, at the left, below, and at the right of the rows.
    room : tuple of float
        Width and height in points for cells and labels.
    font : float
        Size in points that labels have where there is room.
    dpi : float
        Resolution of the figure.
    most_rows : int, default 60
        How many rows are named at most, if there is room.
    may_be_level : bool, default False
        Whether labels of columns are written level where that fits.
    """
    names = (rows, columns, right)
    widths = [widest([label_text(text) for text in texts], font) / font for texts in names]
    most = [_SHARE * room[0], _SHARE * room[1], _SHARE * room[0]]
    if widths[0] > 0.0 and widths[2] > 0.3 * widths[0]:
        most[0] = most[2] = 0.65 * most[0]
    beside = sum(min(most[at], font * widths[at]) for at in (0, 2))
    level = LEVEL * (room[0] - beside) / max(len(columns), 1)
    is_level = may_be_level and 0.0 < font * widths[1] <= level
    if is_level:
        widths[1] = LINE_HEIGHT
    is_thin = [len(rows) > most_rows, len(columns) > MOST, False]
    size = max(_SHORTENED_BELOW * font, min(
        font, *(part / wide for part, wide in zip(most, widths, strict=True) if wide > 0.0)
    ))  # fmt: skip
    largest = size
    for _ in range(3):  # smaller labels leave more room to the cells
        taken = [min(part, size * wide) for part, wide in zip(most, widths, strict=True)]
        extents = (room[1] - taken[1], room[0] - taken[0] - taken[2])
        size = largest
        lines = [
            max(extent, 1.0) / LINE_HEIGHT / max(len(texts), 1)
            for extent, texts in zip(extents, names[:2], strict=True)
        ]
        for at, line in enumerate(lines):
            if line < READABLE and len(names[at]) > _FEW:
                is_thin[at] = True
        if rows == columns and is_thin[0]:  # names stand at the left if at one side only
            is_thin[1] = True
        for at, line in enumerate(lines):
            size = min(size, line * len(names[at]) / 3.0 if is_thin[at] else line)
        size = max(size, 0.5)
    is_thin[2] = is_thin[0]
    most[1] = level if is_level else most[1]
    shown = [
        _shown(texts, thin, part, size, dpi)
        for texts, thin, part in zip(names, is_thin, most, strict=True)
    ]
    if is_level:
        shown[1] = shown[1]._replace(room=LINE_HEIGHT * size, is_level=True)
    return Labels(size, *shown)


def _shown(
    labels: Sequence[str], is_thin: bool, room: float, size: float, dpi: float
) -> Side:
    """Choose what is written where."""
    is_thin = is_thin and len(labels) > 3
    places = [0, len(labels) - 1] if is_thin else list(range(len(labels)))
    texts = shorten([labels[place] for place in places], room, size)
    texts = [label_text(text) for text in texts]
    if is_thin:
        places.insert(1, (len(labels) - 1) // 2)
        texts.insert(1, f"{len(labels) - 2} more")
    return Side(places, texts, widest(texts, size, dpi=dpi))
