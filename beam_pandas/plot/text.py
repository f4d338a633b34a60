"""Labels as text: drawn as given, measured before they are placed, shortened if need be."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from beam_pandas.errors import plain

LINE_HEIGHT: Final = 1.2  # of a line of text, by its font size
_SPECIAL: Final = re.compile(r"\\[_%&#${}]|[\\_%&#${}~^<>|]")
_IN_TEX: Final = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
_LARGE: Final = 100.0  # points: letters of this size are not fitted to pixels
_SPLITS: Final = (0.5, 0.3, 0.7, 0.1, 0.9)  # shares of a shortened name that its start has


def raw_text(label: Hashable) -> str:
    """Write a label in one line."""
    return " ".join(str(plain(label)).splitlines()) or " "


def label_text(label: Hashable) -> str:
    """
    Write a label so that it is drawn as given.

    Only TeX needs help, with ``rcParams["text.usetex"]``. Everything else is told not to
    look for maths, with ``parse_math=False``.
    """
    import matplotlib as mpl

    text = raw_text(label)
    return escape_tex(text) if mpl.rcParams["text.usetex"] else text


def escape_tex(text: str) -> str:
    """Escape what is special in TeX, unless it is escaped already."""
    return _SPECIAL.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    found = match.group()
    if len(found) == 2:
        return found
    return _IN_TEX.get(found, f"\\{found}")


def points(size: float | str) -> float:
    """Turn a font size, such as ``"medium"``, into points."""
    from matplotlib.font_manager import FontProperties

    return float(FontProperties(size=size).get_size_in_points())


def rc_points(name: Any) -> float:
    """Look a font size up in the caller's rcParams, in points."""
    import matplotlib as mpl

    return points(mpl.rcParams[name])


def text_widths(
    texts: Sequence[str],
    size: float,
    *,
    bold: Sequence[bool] | None = None,
    dpi: float | None = None,
) -> NDArray[np.float64]:
    """
    Measure texts.

    Parameters
    ----------
    texts : sequence of str
        As they will be drawn.
    size : float
        Font size in points.
    bold : sequence of bool, optional
        Which of them are bold.
    dpi : float, optional
        Resolution of the figure. Small letters are fitted to its pixels, so that their
        width depends on it; by default the width without that.

    Returns
    -------
    ndarray of float64, shape (n_texts,)
        Widths in points, the larger of those at `dpi` and without.
    """
    fonts = _fonts()
    weights = bold or [False] * len(texts)
    pairs = list(zip(texts, weights, strict=True))
    widths = np.array([_unfitted(*pair, fonts) for pair in pairs], dtype=np.float64) * size
    if dpi is not None:
        fitted = [_measure(*pair, round(size, 2), float(dpi), fonts)[0] for pair in pairs]
        widths = np.maximum(widths, fitted)
    return widths


def widest(texts: Sequence[str], size: float, dpi: float | None = None) -> float:
    """Measure the widest of texts, which may be none; those that cannot be it are not."""
    if not texts:
        return 0.0
    widths = text_widths(texts, size)
    largest = float(widths.max())
    if dpi is None:
        return largest
    near = [
        text for text, width in zip(texts, widths, strict=True) if width > 0.8 * largest
    ]
    return float(text_widths(near, size, dpi=dpi).max())


def line_height(texts: Sequence[str], size: float, dpi: float) -> float:
    """Give the height in points of the tallest of texts at a resolution."""
    fonts, is_bold = _fonts(), False
    heights = [
        _measure(text, is_bold, round(size, 2), dpi, fonts)[1] for text in [*texts, "lp"]
    ]
    return max(heights, default=0.0)


@lru_cache(maxsize=20_000)
def _unfitted(text: str, is_bold: bool, fonts: Any) -> float:
    """Measure a text in font sizes; what has letters alone is the sum of its letters."""
    if fonts[0] or not text.isascii():
        return _measure(text, is_bold, _LARGE, 72.0, fonts)[0] / _LARGE
    return sum(_advance(letter, is_bold, fonts) for letter in text)


@lru_cache(maxsize=1_000)
def _advance(letter: str, is_bold: bool, fonts: Any) -> float:
    """Measure how far a letter moves the next one."""
    one, eleven = (_measure(n * letter, is_bold, _LARGE, 72.0, fonts)[0] for n in (1, 11))
    return (eleven - one) / (10.0 * _LARGE) if letter != " " else one / _LARGE


@lru_cache(maxsize=20_000)
def _measure(
    text: str, is_bold: bool, size: float, dpi: float, fonts: Any
) -> tuple[float, float]:
    """Measure width and height in points; `fonts` is what else they depend on."""
    from matplotlib.font_manager import FontProperties

    font = FontProperties(size=size, weight="bold" if is_bold else "normal")
    is_math: Any = "TeX" if fonts[0] else False
    width, height, _ = _renderer(dpi).get_text_width_height_descent(text, font, is_math)
    return float(width) * 72.0 / dpi, float(height) * 72.0 / dpi


@lru_cache(maxsize=16)
def _renderer(dpi: float) -> Any:
    from matplotlib.backends import backend_agg

    make: Any = backend_agg.RendererAgg
    return make(8, 8, dpi)


def _fonts() -> tuple[Any, ...]:
    """List what the width of a text depends on in the caller's rcParams."""
    import matplotlib as mpl

    names = ("font.family", "font.sans-serif", "font.serif", "font.monospace")
    params: Any = mpl.rcParams
    families = tuple(tuple(params[name]) for name in names)
    return (
        params["text.usetex"],
        params["text.hinting"],
        params["text.hinting_factor"],
        params["font.style"],
        families,
    )


def shorten(texts: Sequence[str], width: float, size: float) -> list[str]:
    """
    Shorten texts in the middle until they are no wider, and still differ if they can.

    Parameters
    ----------
    texts : sequence of str
        Unescaped.
    width : float
        In points.
    size : float
        Font size in points.
    """
    widths = text_widths([label_text(text) for text in texts], size)
    if float(widths.max(initial=0.0)) <= width:
        return list(texts)
    best: list[str] = []
    for split in _SPLITS:
        cut = [
            _cut(text, width, size, split) if wide > width else text
            for text, wide in zip(texts, widths, strict=True)
        ]
        if len(set(cut)) > len(set(best)):
            best = cut
        if len(set(cut)) == len(set(texts)):
            break
    return best


def _cut(text: str, width: float, size: float, split: float) -> str:
    """Keep the start and the end of a text, three letters at least."""
    room = width / float(text_widths([label_text(text)], size)[0])
    kept = max(3, min(len(text) - 1, int(len(text) * room)))
    while True:
        start = max(1, round(kept * split))
        end = max(1, kept - start)
        cut = f"{text[:start]}…{text[len(text) - end :]}"
        if kept <= 3 or float(text_widths([label_text(cut)], size)[0]) <= width:
            return cut
        kept -= 1
