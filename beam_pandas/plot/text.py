"""Labels as text: drawn as given whatever the backend, measured before they are placed."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from beam_pandas.errors import plain

LINE_HEIGHT: Final = 1.2  # of a line of text, by its font size
_MATHS: Final = re.compile(r"(?<!\\)(\$(?:[^$\\]|\\.)*\$)")
_SPECIAL: Final = re.compile(r"\\[_%&#${}]|[\\_%&#${}~^<>|]")
_PRINT: Final = 600.0  # dpi
_SMALL: Final = (0.1, 0.1)  # inches: the figure that texts are measured on is never drawn
_IN_TEX: Final = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


def label_text(label: Hashable) -> str:
    """
    Write a label so that it is drawn as given.

    With ``rcParams["text.usetex"]`` what TeX takes for a command is escaped, but for what
    is escaped already and for maths between two dollars. Without it the only trouble is a
    pair of dollars that encloses no maths.
    """
    import matplotlib as mpl

    text = str(plain(label))
    if mpl.rcParams["text.usetex"]:
        return escape_tex(text)
    return text if _can_be_parsed(text) else re.sub(r"(?<!\\)\$", r"\\$", text)


def escape_tex(text: str) -> str:
    """Escape what is special in TeX, outside of maths and unless escaped already."""
    pieces = _MATHS.split(text)
    pieces[::2] = [_SPECIAL.sub(_escape, piece) for piece in pieces[::2]]
    return "".join(pieces)


def _escape(match: re.Match[str]) -> str:
    found = match.group()
    if len(found) == 2:
        return found
    return _IN_TEX.get(found, f"\\{found}")


def _can_be_parsed(text: str) -> bool:
    """Tell whether matplotlib can draw a text: one without maths, or with proper maths."""
    if text.count("$") - text.count(r"\$") < 2:
        return True
    from matplotlib.mathtext import MathTextParser

    try:
        MathTextParser("path").parse(text)
    except ValueError:
        return False
    return True


def points(size: float | str) -> float:
    """Turn a font size, such as ``"medium"``, into points."""
    from matplotlib.font_manager import FontProperties

    return float(FontProperties(size=size).get_size_in_points())


def rc_points(name: Any) -> float:
    """Look a font size up in the caller's rcParams, in points."""
    import matplotlib as mpl

    return points(mpl.rcParams[name])


def text_sizes(
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
        Resolution of the figure, by default that of `rcParams`. Small letters are fitted
        to the pixels, so that their width depends on it.

    Returns
    -------
    ndarray of float64, shape (n_texts, 2)
        Width and height in points, the larger of those at `dpi` and in print.
    """
    from matplotlib.figure import Figure

    weights = ["bold" if is_bold else "normal" for is_bold in bold or [False] * len(texts)]
    sizes = np.zeros((len(texts), 2))
    for figure in (Figure(_SMALL, dpi=dpi), Figure(_SMALL, dpi=_PRINT)):
        for at, (text, weight) in enumerate(zip(texts, weights, strict=True)):
            written = figure.text(0, 0, text, fontsize=size, fontweight=weight)
            box = written.get_window_extent()
            in_points = np.array([box.width, box.height]) * (72.0 / figure.dpi)
            sizes[at] = np.maximum(sizes[at], in_points)
    return sizes
