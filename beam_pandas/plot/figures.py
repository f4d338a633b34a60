"""The Axes that pictures are drawn on: those the user gives, or a figure of their own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from beam_pandas.errors import BeamError, MissingDependencyError, ScoreTypeError, is_number
from beam_pandas.plot.fitting import run_layout, slot_in_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FORMATS: Final = (".png", ".svg", ".pdf")
_PAGE: Final = (13.0, 11.0)  # inches: no figure of several panels is larger if it can help
_LEAST_PANEL: Final = 2.2  # inches wide
_SQUEEZED: Final = 0.6  # of the height that a panel would like
_EMBEDDED: Final[dict[Any, Any]] = {
    "pdf.fonttype": 42,  # whole fonts, which publishers take and editors can edit
    "ps.fonttype": 42,
    "svg.fonttype": "none",  # text as text
}


def require_matplotlib() -> None:
    """Import matplotlib, or say how to install it."""
    try:
        import matplotlib as mpl  # noqa: F401
    except ImportError as error:
        raise MissingDependencyError(
            "pictures need matplotlib, which is not installed: "
            'pip install "beam_pandas[plot]"'
        ) from error


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
        After a layout of their figure, if it has one.
    """
    from matplotlib.axes import Axes

    found = list(np.asarray(ax, dtype=object).ravel())
    if not all(isinstance(each, Axes) for each in found):
        raise ScoreTypeError(
            f"ax must be matplotlib Axes or a sequence of them, got {type(ax).__name__}"
        )
    if len({id(each) for each in found}) < len(found):
        raise BeamError("ax must be different Axes, got one of them twice")
    _check_figures(found)
    if len(found) != n_panels:
        panels = "1 panel" if n_panels == 1 else f"{n_panels} panels, one for each metric"
        raise BeamError(
            f"ax must be {n_panels} Axes for {panels}, got "
            f"{len(found)}: pass as many, for example those of plt.subplots({n_panels}), "
            "or a part of the result"
        )
    return found


def _check_figures(axes: Sequence[Axes]) -> None:
    """Refuse Axes that nothing can be drawn on; straighten their scales."""
    for each in axes:
        if each.get_figure() is None:
            raise BeamError(
                "ax must belong to a figure, got Axes that were removed from theirs"
            )
        if each.name != "rectilinear":
            raise BeamError(f"ax must be plain Axes, got a projection: {each.name!r}")
    for each in {id(each.get_figure().canvas): each for each in axes}.values():  # type: ignore[union-attr]
        run_layout(each)
    for each in axes:
        width, height = slot_in_points(each)
        if not (width >= 1.0 and height >= 1.0):
            raise BeamError(
                f"ax must have room to draw, got {width:.1f} x {height:.1f} points: make "
                "the figure larger"
            )
        each.set_xscale("linear")
        each.set_yscale("linear")


class Panels(NamedTuple):
    """How panels stand on a figure of their own, in inches."""

    n_columns: int
    width: float  # of the figure
    heights: list[float]  # of its rows

    def slots(self, n_panels: int) -> list[tuple[float, float, float, float]]:
        """Give the place of each panel in shares of the figure."""
        tops = 1.0 - np.cumsum([0.0, *self.heights]) / sum(self.heights)
        wide = 1.0 / self.n_columns
        places = (divmod(at, self.n_columns) for at in range(n_panels))
        return [
            (wide * column, float(tops[row + 1]), wide, float(tops[row] - tops[row + 1]))
            for row, column in places
        ]


def plan_panels(
    n_panels: int,
    width: float | None,
    natural: float,
    heights: Callable[[float], Sequence[float]],
) -> Panels:
    """
    Put panels below each other, or into a grid if they would not go on a page.

    Parameters
    ----------
    n_panels : int
        How many.
    width : float or None
        Of the figure in inches, as the user wants it.
    natural : float
        Width in inches that a panel would like.
    heights : callable
        Gives for a width of a panel in inches the height that each would like.
    """
    options = []
    for n_columns in range(1, n_panels + 1):
        wide = float(width or max(min(n_columns * natural, _PAGE[0]), natural))
        each = wide / n_columns
        if n_columns > 1 and each < min(_LEAST_PANEL, natural):
            break
        wanted = list(heights(each))
        rows = [max(wanted[at : at + n_columns]) for at in range(0, n_panels, n_columns)]
        options.append(Panels(n_columns, wide, rows))
    if n_panels == 1:
        return options[0]
    for squeezed in (1.0, _SQUEEZED):
        for option in options:
            total = sum(option.heights)
            if squeezed * total <= _PAGE[1]:
                factor = min(1.0, _PAGE[1] / total)
                return option._replace(heights=[factor * each for each in option.heights])
    last = min(options, key=lambda option: sum(option.heights))
    return last._replace(heights=[_SQUEEZED * each for each in last.heights])


def new_axes(n_panels: int, panels: Panels) -> list[Axes]:
    """Make a figure with Axes that fill it, which a notebook shows."""
    figure = _new_figure((panels.width, sum(panels.heights)))
    return [figure.add_axes(slot) for slot in panels.slots(n_panels)]


def _new_figure(size: tuple[float, float]) -> Any:
    """
    Make a figure, known to pyplot only where that is what shows it.

    A notebook shows the figures that pyplot knows and forgets them; elsewhere they would
    stay for good.
    """
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None:
        import matplotlib.pyplot as plt

        return plt.figure(figsize=size, layout="none")
    from matplotlib import figure as figures
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    make: Any = figures.Figure
    figure = make(size, layout="none")
    FigureCanvasAgg(figure)
    return figure


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


def save(
    ax: Any,
    path: str | os.PathLike[str],
    *,
    dpi: float = 300.0,
    metadata: Mapping[str, Any] | None = None,
) -> Path:
    """
    Write the figure of a picture as png, svg or pdf with fonts that can be edited.

    matplotlib embeds Type 3 fonts in PDF files by default, which many publishers refuse.
    Here they are Type 42, and the text of an SVG file is text.

    Parameters
    ----------
    ax : Axes or array of Axes
        What a picture returned; the whole figure that it belongs to is written.
    path : str or path
        File to write, which ends in ``.png``, ``.svg`` or ``.pdf``.
    dpi : float, default 300
        Pixels per inch of a png.
    metadata : mapping, optional
        What `matplotlib.figure.Figure.savefig` takes; ``{"Date": None}`` for an svg and
        ``{"CreationDate": None}`` for a pdf that are the same each time.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    BeamError
        If the path has another ending, the folder does not exist, `dpi` is no number
        above 0, or the Axes belong to several figures or to none.
    ScoreTypeError
        If `ax` holds no Axes.
    MissingDependencyError
        If matplotlib is not installed.

    See Also
    --------
    critical_difference : one of the pictures.
    """
    require_matplotlib()
    import matplotlib as mpl
    from matplotlib.axes import Axes

    found = list(np.asarray(ax, dtype=object).ravel())
    if not found or not all(isinstance(each, Axes) for each in found):
        raise ScoreTypeError(
            f"ax must be matplotlib Axes or an array of them, got {type(ax).__name__}"
        )
    figures = {id(each.get_figure()): each.get_figure() for each in found}
    if len(figures) > 1 or None in figures.values():
        raise BeamError("ax must be Axes of one figure: save each figure on its own")
    if not (is_number(dpi) and 0.0 < dpi < np.inf):
        raise BeamError(f"dpi must be a number above 0, got {dpi!r}")
    target = Path(path)
    if target.suffix.lower() not in _FORMATS:
        raise BeamError(f"path must end in .png, .svg or .pdf, got {str(target)!r}")
    if not target.parent.is_dir():
        raise BeamError(f"there is no folder {str(target.parent)!r} to write to")
    figure = found[0].get_figure().canvas.figure
    with mpl.rc_context(_EMBEDDED):
        figure.savefig(target, dpi=dpi, metadata=metadata)
    return target
