"""A square of pairs as a heat map: method in the row against method in the column."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, MissingColumnsError, check_option, list_labels
from beam_pandas.plot.board import Words
from beam_pandas.plot.cells import CellTexts, board_axes, draw_cells, wants_text
from beam_pandas.plot.colours import SEQUENTIAL, colour_map
from beam_pandas.plot.figures import check_width, require_matplotlib, returned
from beam_pandas.plot.panels import as_labels, check_frame, read_wide_panels
from beam_pandas.plot.text import raw_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MAKERS: Final = ("comparison_matrix", "to_matrix")
_PICTURE: Final = "comparison_matrix"
_RELATIONS: Final = ("better", "better_or_equal", "equal", "worse_or_equal", "worse")


class Square(NamedTuple):
    """One panel: the values that are written and the shares that are coloured."""

    title: str
    labels: list[str]
    kind: str  # what the labels are, such as "method"
    values: NDArray[np.float64]
    colours: NDArray[np.float64]
    is_share: bool  # colours are shares of counts


def comparison_matrix(
    result: pd.DataFrame,
    *,
    ax: Axes | Sequence[Axes] | None = None,
    order: Sequence[Hashable] | None = None,
    annotate: bool | None = None,
    fmt: str | None = None,
    label: str | None = None,
    cmap: Any = SEQUENTIAL,
    n_datasets: pd.DataFrame | None = None,
    relation: str = "better",
    width: float | None = None,
) -> Any:
    """
    Draw a square of pairs as a heat map, with the values in the cells.

    A cell tells about the method in its row against the method in its column. Counts are
    coloured by their share: of the datasets that the two share if `n_datasets` says how
    many these are, else of both counts of the pair, so that 108 of 112 is ahead of 113 of
    142. Other values have the colours of what they are, from 0, or evenly about 0 if one
    is negative. The diagonal is blank.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.comparison_matrix`, or a square that `beam_pandas.to_matrix`
        makes of any column of a result with a row for each pair.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric; by default a new figure.
    order : sequence of labels, optional
        Methods to show, in this order; by default all, those with the highest values
        first. A square that is the same both ways keeps its order.
    annotate : bool, optional
        Whether to write the values into the cells; by default up to 20 methods, where
        they can be read. A colour bar is drawn if not.
    fmt : str, optional
        How to write them, such as ``".3f"``; by default whole numbers as such, others with
        two decimals.
    label : str, optional
        What the values are, for the title of a single panel and the colour bar.
    cmap : str or Colormap, default "cividis"
        Colours.
    relation : str, default "better"
        What is counted of the row against the column: ``"better"``, ``"better_or_equal"``,
        ``"equal"``, ``"worse_or_equal"`` or ``"worse"``. With the last two the methods with
        the lowest values stand first.
    n_datasets : DataFrame, optional
        Square with the number of datasets that each two methods share, such as
        ``to_matrix(pairs, "n_datasets")``, rows and columns as those of `result`.
    width : float, optional
        Width of the new figure in inches.

    Returns
    -------
    Axes or ndarray of Axes
        With several metrics an array, one panel each.

    Raises
    ------
    MissingColumnsError
        If `result` is no square of methods.
    MissingDependencyError
        If matplotlib is not installed.
    BeamError
        If there is no such relation, `order` names a method that is not there, there are
        no such colours, or values cannot be written by `fmt`.

    See Also
    --------
    beam_pandas.comparison_matrix : the counts.
    beam_pandas.to_matrix : other squares.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((7, 7)).add_subplot()
    >>> table = scores.beam.comparison_matrix()
    >>> beam_pandas.plot.comparison_matrix(table, ax=ax).get_ylabel()
    'method in row'
    """
    require_matplotlib()
    check_width(width)
    check_option("relation", relation, _RELATIONS)
    colours = colour_map(cmap)
    squares = _read_squares(
        result, order, n_datasets, is_low_first=relation.startswith("worse")
    )
    texts = [_write_values(square.values, fmt) for square in squares]
    words = [
        Words(
            square.labels,
            square.labels,
            title=square.title or label or "",
            x_label=f"against {square.kind} in column",
            y_label=f"{square.kind} in row",
        )
        for square in squares
    ]
    places = board_axes(ax, words, width, n_lines=1.5 if words[0].title else 0.0)
    for place, square, written in zip(places, squares, texts, strict=True):
        limits = (0.0, 1.0) if square.is_share else _limits(square.values)
        image = draw_cells(place.ax, square.colours, colours, limits)
        board = place.board()
        if wants_text(annotate, len(square.labels)):
            cells = image.to_rgba(image.get_array())
            board.finish(
                CellTexts(place.ax, written, cells, is_forced=annotate is not None)
            )
        else:
            board.add_colour_bar(image, _bar_label(square, label))
            board.finish()
    return returned([place.ax for place in places])


def _bar_label(square: Square, label: str | None) -> str:
    """Say what the colours are."""
    if square.is_share:
        return f"share of {label}" if label else "share"
    return label or ""


def _read_squares(
    result: pd.DataFrame,
    order: Sequence[Hashable] | None,
    n_datasets: pd.DataFrame | None,
    *,
    is_low_first: bool,
) -> list[Square]:
    """Check a square, split it by metric, and name what its labels are."""
    check_frame(result, _PICTURE, _MAKERS)
    panels = read_wide_panels(result, result.columns.name)
    if n_datasets is None:
        shared: list[Any] = [None] * len(panels)
    else:
        check_frame(n_datasets, _PICTURE, _MAKERS)
        if not n_datasets.index.equals(result.index):
            raise BeamError("n_datasets must have the rows and columns of the result")
        shared = [panel.part for panel in read_wide_panels(n_datasets, result.columns.name)]
    return [
        _read_square(title, part, order, of, is_low_first=is_low_first)
        for (title, part), of in zip(panels, shared, strict=True)
    ]


def _read_square(
    title: str,
    part: pd.DataFrame,
    order: Sequence[Hashable] | None,
    shared: Any,
    *,
    is_low_first: bool,
) -> Square:
    """Read one panel, its methods in the order in which they are drawn."""
    labels = part.index.tolist()
    _check_square(part, labels)
    is_count = all(dtype.kind in "iu" for dtype in part.dtypes)
    values = part.loc[labels, labels].to_numpy(dtype=np.float64, na_value=np.nan, copy=True)
    np.fill_diagonal(values, np.nan)
    colours, is_share = values, False
    if is_count and (values[np.isfinite(values)] >= 0).all():
        total = values + values.T
        if shared is not None:
            total = shared.loc[labels, labels].to_numpy(np.float64, na_value=np.nan)
        if shared is not None or not _is_symmetric(values):
            with np.errstate(invalid="ignore", divide="ignore"):
                colours, is_share = values / np.where(total > 0, total, np.nan), True
    if order is None:
        places = _best_first(-colours if is_low_first else colours)
    else:
        chosen = as_labels(order, labels, "order")
        if not chosen or len(set(chosen)) < len(chosen):
            raise BeamError(f"order must name each method once, got {list_labels(chosen)}")
        places = np.array([labels.index(each) for each in chosen])
    return Square(
        title,
        [raw_text(labels[at]) for at in places],
        "method" if part.index.name is None else str(part.index.name),
        values[np.ix_(places, places)],
        colours[np.ix_(places, places)],
        is_share,
    )


def _is_symmetric(values: NDArray[np.float64]) -> bool:
    return bool(np.array_equal(values, values.T, equal_nan=True))


def _best_first(values: NDArray[np.float64]) -> NDArray[np.intp]:
    """Order by the mean over the others; what is the same both ways stays as it comes."""
    if _is_symmetric(values):
        return np.arange(len(values))
    known = np.isfinite(values)
    total = np.where(known, values, 0.0).sum(axis=1)
    mean = np.where(known.any(axis=1), total / np.maximum(known.sum(axis=1), 1), -np.inf)
    return np.argsort(-mean, kind="stable")


def _check_square(part: pd.DataFrame, labels: list[Hashable]) -> None:
    """Refuse a frame that has no column for each of its rows."""
    lacking = [label for label in labels if label not in part.columns]
    if lacking or not labels or not part.index.is_unique or not part.columns.is_unique:
        raise MissingColumnsError(
            f"plot.{_PICTURE} needs a square, the same methods in rows and columns, found "
            f"rows {list_labels(labels)} and columns {list_labels(part.columns)}: pass the "
            "result of beam_pandas.comparison_matrix, or "
            "beam_pandas.to_matrix(result, 'wins')"
        )


def _limits(values: NDArray[np.float64]) -> tuple[float, float]:
    """Choose the ends of the colours, which differ even if all values are equal."""
    finite = values[np.isfinite(values)]
    largest = float(np.abs(finite).max(initial=0.0)) or 1.0
    if (finite < 0).any():
        return -largest, largest
    is_share = largest <= 1.0 and bool((finite % 1 != 0).any())
    return 0.0, 1.0 if is_share else largest


def _write_values(values: NDArray[np.float64], fmt: str | None) -> NDArray[Any]:
    """Write the values, nothing where one is missing."""
    finite = values[np.isfinite(values)]
    form = fmt or (".0f" if bool((finite % 1 == 0).all()) else ".2f")
    try:
        texts = ["" if np.isnan(value) else format(value, form) for value in values.ravel()]
        format(0.5, form)  # said even where there is nothing to write
    except (TypeError, ValueError) as error:
        raise BeamError(
            f"fmt must be a format of numbers such as '.2f', got {fmt!r}"
        ) from error
    return np.array(texts, dtype=object).reshape(values.shape)
