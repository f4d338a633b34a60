"""The multi-comparison matrix: by how much, how often and how surely one is better."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from beam_pandas.plot.board import Board, Words
from beam_pandas.plot.cells import Place, board_axes, draw_cells, wants_text
from beam_pandas.plot.colours import BLUE, ORANGE, colour_map, face, ink
from beam_pandas.plot.figures import check_width, require_matplotlib, returned
from beam_pandas.plot.pair_map_data import PairMap, read_pair_maps
from beam_pandas.plot.pair_map_texts import PairTexts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CELL: Final = 4.6  # width of a cell with texts, in font sizes
_DOT: Final = 5.0  # points
_FEW: Final = 10  # columns; of more the labels leave room to the cells
_SMALLER: Final = 0.75


def pairwise(
    result: pd.DataFrame,
    *,
    ranks: pd.DataFrame | None = None,
    reference: Hashable | Sequence[Hashable] | None = None,
    ax: Axes | Sequence[Axes] | None = None,
    order: Sequence[Hashable] | None = None,
    annotate: bool | None = None,
    cmap: Any = None,
    width: float | None = None,
) -> Any:
    """
    Draw how all methods compare with each other: a multi-comparison matrix.

    A cell tells about the method in its row against the method in its column. Its colour
    is the mean difference of their scores, in their unit, evenly about 0: positive where
    the row is better, whatever the direction of the metric. In the cell stand the mean
    difference (up to 13 methods), wins/ties/losses and the adjusted p-value, bold where it
    is significant; where there is no room for them, a dot marks what is significant.
    Methods are sorted by their mean difference from the others, best first, which is the
    order of their mean scores where no score is missing. A pair without a shared dataset
    is blank.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.pairwise`, with all its pairs.
    ranks : DataFrame, optional
        Result of `beam_pandas.ranks` of the same scores, of which the mean score of each
        method is written beside its name, with a star where datasets are missing.
        `df.beam.plot.pairwise` has it computed.
    reference : label or sequence of labels, optional
        Show the columns of these methods alone. A result of ``pairwise(control=...)`` has
        the control as its reference.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric; by default a new figure.
    order : sequence of labels, optional
        Methods to show, in this order; by default all, best first.
    annotate : bool, optional
        Whether to write into the cells; by default up to 20 methods, where they can be
        read. A colour bar is drawn if not.
    cmap : str or Colormap, optional
        Colours from the worst to the best; by default orange, the ground, blue.
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
        If pairs are missing, `order` or `reference` names a method that is not there, or
        `ranks` are those of other scores.

    See Also
    --------
    beam_pandas.pairwise : the numbers.
    beam_pandas.plot.comparison_matrix : counts alone, or any other square.
    beam_pandas.plot.duel : one pair, dataset by dataset.

    References
    ----------
    Ismail-Fawaz, A. et al. (2023). An approach to multiple comparison benchmark
    evaluations that is stable under manipulation of the comparate set.
    https://arxiv.org/abs/2305.11921

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((9, 9)).add_subplot()
    >>> pairs = scores.beam.pairwise()
    >>> ax = beam_pandas.plot.pairwise(pairs, ranks=scores.beam.ranks(), ax=ax)
    >>> ax.get_xticklabels()[0].get_text()
    'mean accuracy'
    """
    require_matplotlib()
    check_width(width)
    chosen = None if cmap is None else colour_map(cmap)
    maps = read_pair_maps(result, ranks, reference, order)
    written = [wants_text(annotate, len(each.rows)) for each in maps]
    words = [
        _words(each, is_written) for each, is_written in zip(maps, written, strict=True)
    ]
    cell = _CELL if any(written) else 1.4
    is_square = not any(each.is_against for each in maps)
    places = board_axes(ax, words, width, cell=cell, n_lines=4.5, is_square=is_square)
    for place, each, is_written in zip(places, maps, written, strict=True):
        colours = _own_colours(place.ax) if chosen is None else chosen
        _draw(place, each, colours, is_written, is_forced=annotate is not None)
    return returned([place.ax for place in places])


def _words(each: PairMap, is_written: bool) -> Words:
    """Name rows and columns; mean scores stand in a column of their own."""
    columns = each.columns
    if is_written and each.mean_name:
        columns = [each.mean_name, *columns]
    return Words(
        each.rows,
        columns,
        title=each.title,
        x_label="against method in column",
        y_label="method in row",
        is_level=True,
        size=_SMALLER if is_written and len(columns) > _FEW else 1.0,
    )


def _own_colours(ax: Axes) -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    ends: Any = [ORANGE, face(ax), BLUE]
    return LinearSegmentedColormap.from_list("mean_diff", ends).with_extremes(bad="none")


def _draw(
    place: Place, each: PairMap, colours: Any, is_written: bool, *, is_forced: bool
) -> None:
    """Draw one panel: the cells, and in them texts or dots."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    ax: Any = place.ax
    start = int(is_written and bool(each.mean_name))
    limits = (-each.limit, each.limit)
    image = draw_cells(ax, each.mean_diff, colours, limits)
    image.set_extent(
        (start - 0.5, start + len(each.columns) - 0.5, len(each.rows) - 0.5, -0.5)
    )
    dot: dict[str, Any] = {"marker": "o", "linestyle": "none"}
    groups = _draw_dots(ax, each, image, start, dot)
    handles: list[Any] = []
    if is_written:
        edge: dict[str, Any] = {"edgecolor": ink(), "linewidth": 0.5}
        handles = [
            Patch(facecolor=colours(1.0), label=f"row better by {each.limit:.3g}", **edge),
            Patch(facecolor=colours(0.0), label=f"row worse by {each.limit:.3g}", **edge),
            Line2D([], [], linestyle="none", label=each.explanation),
        ]
    said = "bold, or a dot: significant" if is_written else "significant"
    handles.append(Line2D([], [], color=ink(), markersize=_DOT, label=said, **dot))
    if start and each.has_gaps:
        said = "* datasets are missing"
        handles.append(Line2D([], [], linestyle="none", label=said))
    board = place.board(handles)
    if not is_written:
        board.add_colour_bar(image, _bar_label(each))
    _finish(board, each, image, groups, start, is_written=is_written, is_forced=is_forced)


def _finish(
    board: Board,
    each: PairMap,
    image: Any,
    dots: Sequence[Any],
    start: int,
    *,
    is_written: bool,
    is_forced: bool,
) -> None:
    """Write into the cells and fit everything."""
    cells = image.to_rgba(image.get_array())
    texts = PairTexts(
        board.ax,
        each,
        cells,
        dots,
        start,
        is_written=is_written,
        is_forced=is_forced,
    )
    board.finish(texts)


def _bar_label(each: PairMap) -> str:
    unit = f" in {each.unit}" if each.unit else ""
    return f"mean difference{unit}, positive: row better"


def _draw_dots(
    ax: Any, each: PairMap, image: Any, start: int, style: dict[str, Any]
) -> list[Any]:
    """Mark what is significant, in black or white, whichever stands out."""
    from beam_pandas.plot.colours import readable_on

    row, column = each.is_significant.nonzero()
    cells = image.to_rgba(image.get_array())
    tones = [readable_on(cells[at][:3]) for at in zip(row, column, strict=True)]
    groups = []
    for tone in ("black", "white"):
        chosen = [at for at, each_tone in enumerate(tones) if each_tone == tone]
        groups += ax.plot(
            column[chosen] + start, row[chosen], color=tone, label="_significant", **style
        )
    return groups
