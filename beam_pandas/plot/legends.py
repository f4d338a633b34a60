"""Legends and titles above Axes, in the room that their slot leaves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from beam_pandas.plot.text import LINE_HEIGHT, rc_points, text_widths, widest

_HANDLE: Final = 1.4  # of a legend's font size: width of a symbol
_SMALLEST: Final = 0.5  # points
_GAPS: Final = 0.5 + 1.4  # after the symbol, and between columns


class Legend:
    """
    A legend that is made anew when its size changes.

    Parameters
    ----------
    ax : Axes
        Above which it stands, its end above theirs.
    handles : sequence of Artist
        What it explains, with labels.
    title : str
        In front of it, or empty.
    is_below : bool, default False
        Whether it stands inside the Axes, at their lower edge.
    """

    def __init__(
        self, ax: Any, handles: Sequence[Any], title: str, *, is_below: bool = False
    ) -> None:
        self._ax = ax
        self._place: dict[str, Any] = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0)}
        if is_below:
            self._place = {"loc": "lower center", "bbox_to_anchor": (0.5, 0.0)}
        else:
            ax.set_title("", y=1.0)  # matplotlib need not look for a place
        self._handles = list(handles)
        self._title = title
        self._texts = [handle.get_label() for handle in handles]
        self._size = 0.0
        self._columns = 0
        self._drawn: Any = None
        self.height = 0.0  # points

    def rename(self, texts: Sequence[str]) -> None:
        """Give the symbols other texts, which are drawn when it is next arranged."""
        if list(texts) != self._texts:
            self._texts = list(texts)
            for handle, text in zip(self._handles, texts, strict=True):
                handle.set_label(text)
            self._size = 0.0

    def arrange(self, width: float, factor: float, dpi: float) -> None:
        """Choose size and columns for a width in points."""
        size = factor * min(rc_points("legend.fontsize"), rc_points("ytick.labelsize"))
        nominal = widest(self._texts, 1.0, dpi=None) * 1.06 + _HANDLE + _GAPS
        title = widest([self._title], 1.0) * 1.06 if self._title else 0.0
        size = max(0.5, min(size, width / max(nominal, title)))
        n = len(self._texts)
        most = max(1, min(n, int(width / (size * nominal))))
        columns = math.ceil(n / math.ceil(n / most))
        if (size, columns) != (self._size, self._columns) and self._is_ours():
            self._draw(size, columns)
        if self._drawn is not None and self._is_ours():
            box = self._drawn.get_window_extent()
            self.height = 72.0 * float(box.height) / dpi + 0.6 * size
        else:
            self.height = 0.0

    def _is_ours(self) -> bool:
        """Tell whether nobody has removed or replaced it."""
        return self._drawn is None or self._ax.get_legend() is self._drawn

    def _draw(self, size: float, columns: int) -> None:
        legend = self._ax.legend(
            handles=self._handles,
            title=self._title or None,
            title_fontsize=size,
            fontsize=size,
            alignment="left",
            **self._place,
            frameon=False,
            borderaxespad=0.3,
            borderpad=0.0,
            labelspacing=0.25,
            handlelength=_HANDLE,
            handletextpad=0.5,
            columnspacing=1.4,
            ncols=columns,
        )
        for text in [*legend.get_texts(), legend.get_title()]:
            text.set_parse_math(False)
        self._size, self._columns, self._drawn = size, columns, legend


class Title:
    """A title that ends with the Axes and is no wider than there is room."""

    def __init__(self, ax: Any, title: str) -> None:
        self._title = title
        self.height = 0.0
        self._text = ax.set_title(title, loc="right", y=1.0, parse_math=False, pad=3.0)

    def arrange(self, width: float, factor: float, dpi: float) -> None:
        """Choose the size for a width in points."""
        if self._title:
            size = fitting_size(
                self._title, factor * rc_points("axes.titlesize"), width, dpi
            )
            self._text.set_fontsize(size)
            self.height = LINE_HEIGHT * size + 4.0


def fitting_size(text: str, size: float, width: float, dpi: float) -> float:
    """Give the font size, at most that given, at which a text is no wider than a width."""
    for _ in range(3):  # small letters are not quite in proportion
        exact = float(text_widths([text], size, dpi=dpi)[0])
        if exact <= width or size <= _SMALLEST:
            break
        size = max(_SMALLEST, 0.98 * size * width / exact)
    return size
