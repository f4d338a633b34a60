"""Texts in the cells of a multi-comparison matrix, in one line or three, or dots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from beam_pandas.plot.board import Cell
from beam_pandas.plot.board_plan import READABLE
from beam_pandas.plot.colours import readable_on
from beam_pandas.plot.pair_map_data import PairMap
from beam_pandas.plot.text import LINE_HEIGHT, text_widths

_FILLED: Final = (0.85, 0.94)  # of width and height of a cell that texts may take
_DOT: Final = 5.0  # points
_JOINS: Final = ("\n", "   ")


class PairTexts:
    """
    Difference, counts and p-value in each cell; dots where they cannot be read.

    Parameters
    ----------
    ax : Axes
        Where the cells are.
    pair_map : PairMap
        What is written.
    colours : ndarray
        RGBA of each cell.
    dots : sequence of Line2D
        What marks significant cells without texts.
    start : int
        Column of the first cell; before it stand mean scores.
    is_written, is_forced : bool
        Whether there are texts, and whether also those too small to be read.
    """

    def __init__(
        self,
        ax: Any,
        pair_map: PairMap,
        colours: NDArray[np.float64],
        dots: Sequence[Any],
        start: int,
        *,
        is_written: bool,
        is_forced: bool,
    ) -> None:
        self._is_forced = is_forced
        self._dots = list(dots)
        self._cells: list[tuple[Any, list[str]]] = []
        self._means: list[Any] = []
        self._join = ""
        self._n_lines = 1
        if is_written:
            self._write(ax, pair_map, colours, start)
        parts = [parts for _, parts in self._cells]
        bold = [text.get_fontweight() == "bold" for text, _ in self._cells]
        self._widths = [
            _widest([join_of.join(each) for each in parts], bold, join_of)
            for join_of in _JOINS
        ]
        texts = [text.get_text() for text in self._means]
        self._mean_width = _widest(texts, [False] * len(texts), "\n")

    def _write(self, ax: Any, pair_map: PairMap, colours: Any, start: int) -> None:
        style: dict[str, Any] = {"ha": "center", "va": "center", "parse_math": False}
        cells = np.argwhere(pair_map.parts[:, :, 1] != "")
        for row, column in cells:
            parts = [part for part in pair_map.parts[row, column] if part]
            text = ax.text(column + start, row, parts[0], linespacing=1.05, **style)
            text.set_color(readable_on(colours[row, column, :3]))
            if pair_map.is_significant[row, column]:
                text.set_fontweight("bold")
            self._cells.append((text, parts))
            self._n_lines = max(self._n_lines, len(parts))
        if start:
            self._means = [
                ax.text(0, row, mean, **style)
                for row, mean in enumerate(pair_map.means)
                if mean
            ]

    def __call__(self, cell: Cell) -> None:
        """Make the texts as large as the cells allow; or show dots."""
        sizes = [_size(width, n_lines, cell) for width, n_lines in
                 zip(self._widths, (self._n_lines, 1), strict=True)]  # fmt: skip
        best = int(np.argmax(sizes))
        size = sizes[best]
        is_shown = bool(self._cells) and (self._is_forced or size >= READABLE)
        for text, parts in self._cells:
            text.set_visible(is_shown)
            text.set_fontsize(size)
            if self._join != _JOINS[best]:
                text.set_text(_JOINS[best].join(parts))
        self._join = _JOINS[best]
        mean_size = _size(self._mean_width, 1, cell)
        for text in self._means:
            text.set_visible(self._is_forced or mean_size >= READABLE)
            text.set_fontsize(mean_size)
        for dots in self._dots:
            dots.set_visible(not is_shown)
            dots.set_markersize(max(0.8, min(_DOT, 0.4 * min(cell.width, cell.height))))


def _size(width: float, n_lines: int, cell: Cell) -> float:
    """Find the font size at which texts fit a cell, at most that of labels."""
    wide = _FILLED[0] * cell.width / max(width, 1e-9)
    tall = _FILLED[1] * cell.height / (LINE_HEIGHT * n_lines)
    return max(0.5, min(cell.font, wide, tall))


def _widest(texts: Sequence[str], bold: Sequence[bool], join: str) -> float:
    """Measure the widest line of texts, in font sizes."""
    if not texts:
        return 0.0
    lines = [
        (line, is_bold)
        for text, is_bold in zip(texts, bold, strict=True)
        for line in (text.split("\n") if join == "\n" else [text])
    ]
    lines = list(dict.fromkeys(lines))
    return float(
        text_widths([line for line, _ in lines], 1.0, bold=[at for _, at in lines]).max()
    )
