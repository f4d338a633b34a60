"""Letters of methods that do not differ: a row a method, a column a letter."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, list_labels, plain
from beam_pandas.plot.board import Words
from beam_pandas.plot.cells import Place, board_axes, markers_sized
from beam_pandas.plot.colours import BLUE, VERMILION
from beam_pandas.plot.figures import check_width, require_matplotlib, returned
from beam_pandas.plot.panels import Panel, as_labels, read_panels
from beam_pandas.plot.text import raw_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PICTURE: Final = "letters"
_DOT: Final = 6.0  # points


class Membership(NamedTuple):
    """One panel: which methods have which letter."""

    title: str
    methods: list[Hashable]
    letters: list[str]
    has: NDArray[np.bool_]  # a row for each method


def letters(
    result: pd.DataFrame,
    *,
    ax: Axes | Sequence[Axes] | None = None,
    highlight: Hashable | Sequence[Hashable] = None,
    width: float | None = None,
) -> Any:
    """
    Draw which methods share a letter, and so do not differ significantly.

    A dot stands for a method that has the letter. Dots of rows that follow each other are
    joined; a line never passes a method that does not have the letter.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.letters`, or of any function with columns `method` and
        `groups`, in whose order the methods stand.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric; by default a new figure.
    highlight : label or sequence of labels, optional
        Methods to draw in another colour.
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
        If `highlight` names no method of the result, or a method comes twice.

    See Also
    --------
    beam_pandas.letters : the letters of any result of pairs.
    critical_difference : the same of mean ranks, as bars.

    References
    ----------
    Piepho, H.-P. (2004). An algorithm for a letter-based representation of all-pairwise
    comparisons. Journal of Computational and Graphical Statistics 13(2), 456-466.
    doi:10.1198/1061860043515

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> table = beam_pandas.letters(scores.beam.pairwise())
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((5, 4)).add_subplot()
    >>> ax = beam_pandas.plot.letters(table, ax=ax)
    >>> [text.get_text() for text in ax.get_xticklabels()][:2]
    ['a', 'b']
    """
    require_matplotlib()
    check_width(width)
    panels = read_panels(result, ("method", "groups"), _PICTURE, _makers(result))
    parts = [_read(panel) for panel in panels]
    known = dict.fromkeys(method for each in parts for method in each.methods)
    chosen = as_labels(highlight, known, "highlight")
    words = [
        Words([raw_text(m) for m in each.methods], each.letters, (), each.title,
              is_level=True)
        for each in parts
    ]  # fmt: skip
    places = board_axes(ax, words, width, cell=1.6, n_lines=2.0, is_square=False)
    for place, each in zip(places, parts, strict=True):
        _draw(place, each, chosen)
    return returned([place.ax for place in places])


def _makers(result: object) -> tuple[str, ...]:
    """Name the function whose result this is, so that its columns make no panels."""
    columns = set(result.columns) if isinstance(result, pd.DataFrame) else set()
    if "standing" in columns:
        return (_PICTURE, "leaderboard")
    return (_PICTURE, "critical_difference") if "mean_rank" in columns else (_PICTURE,)


def _read(panel: Panel) -> Membership:
    """Take the letters apart."""
    methods = [plain(method) for method in panel.part["method"]]
    twice = [name for name, n in pd.Series(methods).value_counts().items() if n > 1]
    if twice:
        raise BeamError(
            f"each method is needed once, found {list_labels(twice)} several times: pass "
            "the result of one call, or keep the columns that tell results apart"
        )
    groups = [
        [letter for letter in str(text).split(",") if letter] if pd.notna(text) else []
        for text in panel.part["groups"]
    ]
    found = sorted({x for each in groups for x in each}, key=lambda x: (len(x), x))
    has = np.array([[letter in each for letter in found] for each in groups], dtype=bool)
    if not found:
        raise BeamError(f"plot.{_PICTURE} needs letters in 'groups', found none")
    return Membership(panel.title, methods, found, has)


def _draw(place: Place, each: Membership, chosen: list[Hashable]) -> None:
    """Draw one panel: lines of neighbours that share a letter, and dots."""
    from matplotlib.lines import Line2D

    ax: Any = place.ax
    top, column = np.nonzero(each.has[:-1] & each.has[1:])
    joins = ax.vlines(column, top, top + 1, colors=BLUE, label="_shared", zorder=2.0)
    joins.set_linewidth(2.0)
    style: dict[str, Any] = {"marker": "o", "linestyle": "none"}
    is_chosen = np.array([method in chosen for method in each.methods])
    dots = []
    for colour, part in ((BLUE, ~is_chosen), (VERMILION, is_chosen)):
        row, at = np.nonzero(each.has & part[:, None])
        dots += ax.plot(at, row, color=colour, label="_letter", zorder=3.0, **style)
    said = "not significantly different: share a column"
    handles = [Line2D([], [], color=BLUE, markersize=_DOT, label=said, **style)]
    place.board(handles).finish(markers_sized(dots, _DOT))
