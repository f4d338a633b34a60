"""What every picture needs: the panels of a result, and the Axes to draw them on."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import pandas as pd

from beam_pandas.errors import (
    BeamError,
    MissingColumnsError,
    MissingDependencyError,
    ScoreTypeError,
    is_number,
    list_labels,
    plain,
)
from beam_pandas.plot.text import label_text, rc_points, text_sizes
from beam_pandas.results.build import result_schema

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas.api.typing import DataFrameGroupBy


class Panel(NamedTuple):
    """A part of a result that is drawn on Axes of its own."""

    title: str  # the metric, or the group and the metric
    part: pd.DataFrame


def require_matplotlib() -> None:
    """Import matplotlib, or say how to install it."""
    try:
        import matplotlib as mpl  # noqa: F401
    except ImportError as error:
        raise MissingDependencyError(
            "pictures need matplotlib, which is not installed: "
            'pip install "beam_pandas[plot]"'
        ) from error


def read_panels(
    result: pd.DataFrame, needed: Sequence[str], picture: str, makers: Sequence[str]
) -> list[Panel]:
    """
    Check a tidy result and split it by what stands before its own columns.

    Parameters
    ----------
    result : DataFrame
        What the user passed.
    needed : sequence of str
        Columns that are drawn, the first of them the first of the result's own.
    picture : str
        Name of the public function that draws.
    makers : sequence of str
        Names of the functions whose results it takes.

    Returns
    -------
    list of Panel
        One for each metric and group, in the order of the result.
    """
    check_frame(result, picture, makers)
    lacking = [name for name in needed if name not in result.columns]
    if lacking:
        raise MissingColumnsError(
            f"plot.{picture} needs the columns {list_labels(needed, limit=12)}; lacking "
            f"are {list_labels(lacking, limit=12)}, found "
            f"{list_labels(result.columns, limit=12)}: {_pass_instead(makers)}"
        )
    twice = [name for name in needed if list(result.columns).count(name) > 1]
    if twice:
        raise BeamError(f"column {twice[0]!r} is needed once, found several of that name")
    if result.empty:
        raise BeamError(
            f"plot.{picture} needs at least one row, found none: {_pass_instead(makers)}"
        )
    own = {column for maker in makers for column in result_schema(maker, metric=False)}
    before = result.columns[: list(result.columns).index(needed[0])]
    leading = [column for column in before if column not in own]
    if "metric" in result.columns and "metric" not in leading:
        leading.append("metric")
    if not leading:
        return [Panel("", result)]
    return _titled(result.groupby(leading, sort=False, observed=True, dropna=False))


def read_wide_panels(wide: pd.DataFrame) -> list[Panel]:
    """Split a wide result by the levels that stand before the last one of its rows."""
    if not isinstance(wide.index, pd.MultiIndex):
        return [Panel("", wide)]
    if wide.empty:
        raise BeamError(f"a picture needs rows and columns, found {wide.shape} of them")
    leading: list[Hashable] = list(range(wide.index.nlevels - 1))
    level = leading if len(leading) > 1 else leading[0]
    groups = wide.groupby(level=level, sort=False, observed=True, dropna=False)
    return [Panel(title, part.droplevel(leading)) for title, part in _titled(groups)]


def check_frame(result: object, picture: str, makers: Sequence[str]) -> None:
    """Refuse what is no DataFrame."""
    if not isinstance(result, pd.DataFrame):
        raise ScoreTypeError(
            f"plot.{picture} needs a pandas DataFrame, found {type(result).__name__}: "
            f"{_pass_instead(makers)}"
        )


def _pass_instead(makers: Sequence[str]) -> str:
    names = " or ".join(f"beam_pandas.{name}" for name in makers)
    return f"pass the result of {names}"


def _titled(groups: DataFrameGroupBy[Any, Any]) -> list[Panel]:
    """Name the panels by metric and group; one alone needs no title."""
    keys = [key if isinstance(key, tuple) else (key,) for key, _ in groups]
    parts = [part for _, part in groups]
    if len(parts) == 1:
        return [Panel("", parts[0])]
    titles = [", ".join(str(plain(label)) for label in key) for key in keys]
    return [Panel(title, part) for title, part in zip(titles, parts, strict=True)]


def given_axes(ax: Any, n_panels: int) -> list[Axes]:
    """
    Check the Axes that the user passed.

    Parameters
    ----------
    ax : Axes or sequence of Axes
        As given.
    n_panels : int
        How many are needed.

    Returns
    -------
    list of Axes
    """
    from matplotlib.axes import Axes

    found = list(np.asarray(ax, dtype=object).ravel())
    if not all(isinstance(each, Axes) for each in found):
        raise ScoreTypeError(
            f"ax must be matplotlib Axes or a sequence of them, got {type(ax).__name__}"
        )
    for each in found:
        _check_usable(each)
    if len({id(each) for each in found}) < len(found):
        raise BeamError("ax must be different Axes, got one of them twice")
    if len(found) != n_panels:
        panels = "1 panel" if n_panels == 1 else f"{n_panels} panels, one for each metric"
        raise BeamError(
            f"ax must be {n_panels} Axes for {panels}, got "
            f"{len(found)}: pass as many, for example those of plt.subplots({n_panels}), "
            "or a part of the result"
        )
    return found


def _check_usable(ax: Axes) -> None:
    """Refuse Axes that nothing can be drawn on; straighten their scales."""
    if ax.get_figure() is None:
        raise BeamError(
            "ax must belong to a figure, got Axes that were removed from theirs"
        )
    if ax.name != "rectilinear":
        raise BeamError(f"ax must be plain Axes, got a projection: {ax.name!r}")
    width, height = size_in_points(ax)
    if not (width >= 1.0 and height >= 1.0):
        raise BeamError(
            f"ax must have room to draw, got {width:.1f} x {height:.1f} points: make the "
            "figure larger"
        )
    ax.set_xscale("linear")
    ax.set_yscale("linear")


def new_axes(
    n_panels: int, width: float, height: float, layout: str | None = "constrained"
) -> list[Axes]:
    """Make a figure in inches with a panel below the other, as pyplot knows it."""
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(
        n_panels, 1, figsize=(width, height), squeeze=False, layout=layout
    )
    return list(axes.ravel())


def size_in_points(ax: Any) -> tuple[float, float]:
    """Width and height of Axes, after the figure's layout, if it has one, is done."""
    figure = ax.get_figure()
    whole = figure.canvas.figure  # the figure of a subfigure
    engine = whole.get_layout_engine()
    if engine is not None:
        engine.execute(whole)
    box = ax.get_window_extent()
    return 72.0 * box.width / figure.dpi, 72.0 * box.height / figure.dpi


def add_title(ax: Any, title: str) -> None:
    """Write a title that ends with the Axes and is no wider than the figure leaves room."""
    if title:
        text = label_text(title)
        size = rc_points("axes.titlesize")
        width = float(text_sizes([text], size)[0, 0])
        ax.set_title(text, loc="right", fontsize=min(size, size * _room(ax) / width))


def add_x_label(ax: Any, text: str) -> None:
    """Name the x axis so that the words end with the Axes and stay inside the figure."""
    size = rc_points("axes.labelsize")
    width = float(text_sizes([text], size)[0, 0])
    ax.set_xlabel(text, loc="right", fontsize=min(size, size * _room(ax) / width))


def add_legend(ax: Any, handles: Sequence[Any], title: str) -> None:
    """Put a legend above the Axes, with the panel's title, as wide as there is room."""
    size = min(rc_points("legend.fontsize"), rc_points("ytick.labelsize"))
    texts = [handle.get_label() for handle in handles]
    width = float(text_sizes(texts, size)[:, 0].max()) + 4.0 * size
    size = min(size, size * _room(ax) / width)
    ax.legend(
        handles=handles,
        title=label_text(title) if title else None,
        title_fontsize=size,
        fontsize=size,
        alignment="left",
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        frameon=False,
        borderaxespad=0.2,
    )


def _room(ax: Any) -> float:
    """Width from the left edge of the figure to the right one of the Axes, in points."""
    size_in_points(ax)
    figure = ax.get_figure()
    edge = 72.0 * (ax.get_window_extent().x1 - figure.bbox.x0) / figure.dpi
    return max(float(edge) - 6.0, 1.0)


def returned(axes: Sequence[Axes]) -> Any:
    """Give the Axes of one panel as they are, those of several as an array."""
    if len(axes) == 1:
        return axes[0]
    array = np.empty(len(axes), dtype=object)
    array[:] = axes
    return array


def check_width(width: float | None) -> None:
    """Refuse a width that is no length."""
    if width is not None and not (is_number(width) and 1.5 <= width < np.inf):
        raise BeamError(f"width must be a number of inches, at least 1.5, got {width!r}")


def as_labels(value: object, known: Iterable[Hashable], name: str) -> list[Hashable]:
    """
    Read labels that the user names: one, or several.

    Parameters
    ----------
    value : label or sequence of labels
        As given; None is none.
    known : iterable of labels
        Those there are.
    name : str
        Of the parameter, for messages.

    Returns
    -------
    list of labels
    """
    if value is None:
        return []
    several = [value] if pd.api.types.is_scalar(value) else value
    chosen = list(cast("Iterable[Hashable]", several))
    labels = list(known)
    unknown = [label for label in chosen if label not in labels]
    if unknown:
        raise BeamError(
            f"{name} must name methods of the result, {list_labels(labels)}; "
            f"got {list_labels(unknown)}"
        )
    return chosen
