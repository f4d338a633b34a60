"""The posterior of one pair in a triangle: which shares of datasets are likely?"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.kernels.dirichlet_regions import density_levels, log_density
from beam_pandas.plot.colours import BLUE, ink, mixed
from beam_pandas.plot.figures import check_width, require_matplotlib, returned
from beam_pandas.plot.fitting import Fit, Margins
from beam_pandas.plot.legends import Legend
from beam_pandas.plot.plain_axes import plain_axes
from beam_pandas.plot.simplex_data import Triangle, read_triangles
from beam_pandas.plot.text import (
    LINE_HEIGHT,
    label_text,
    raw_text,
    rc_points,
    shorten,
    text_widths,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHARES: Final = (0.5, 0.9, 0.99)
_TONES: Final = (0.75, 0.45, 0.18)  # of the regions, the most likely first
_HEIGHT: Final = float(np.sqrt(0.75))  # of a triangle with sides of 1
# Corners: the first method better, equivalent, the second better.
_CORNERS: Final = np.array([[0.0, 0.0], [0.5, _HEIGHT], [1.0, 0.0]])
_FINE: Final = 400  # points along a side
_EDGE: Final = 3.0  # points left free at the edges of the slot
_LEAST: Final = 0.5  # of the slot that the triangle keeps


def simplex(
    result: pd.DataFrame,
    method_1: Hashable,
    method_2: Hashable,
    *,
    prior: str = "rope",
    prior_strength: float = 1.0,
    ax: Axes | Sequence[Axes] | None = None,
    width: float | None = None,
) -> Any:
    """
    Draw the posterior of one pair as a density over a triangle.

    Each point is a split of the datasets into those where the first method is better, both
    are equivalent, or the second is better; it is the nearer to a corner the larger that
    share. The regions hold 50, 90 and 99 % of the posterior, where its density is highest;
    they come from the Dirichlet distribution itself, not from draws. The percentages at
    the corners are the posterior probabilities that the share there is the largest. A
    share without any win, tie or pseudo-dataset is 0 for sure: then all is on an edge or
    in a corner.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.bayesian_sign`.
    method_1 : label
        Stands at the lower left.
    method_2 : label
        Stands at the lower right.
    prior : {"rope", "uniform", "neutral"}, default "rope"
        As it was passed to `beam_pandas.bayesian_sign`.
    prior_strength : float, default 1.0
        Likewise.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric; by default a new figure.
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
        If the pair is not there or shares no dataset, or the prior is not that of the
        result.

    See Also
    --------
    beam_pandas.bayesian_sign : the probabilities of all pairs.
    bayesian_sign : the same of all pairs, as bars.

    References
    ----------
    Benavoli, A., Corani, G., Demšar, J., Zaffalon, M. (2017). Time for a change: a
    tutorial for comparing multiple classifiers through Bayesian analysis. JMLR 18(77),
    1-36, figure 4. https://www.jmlr.org/papers/v18/16-305.html

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> table = scores.beam.bayesian_sign(rope=0.01)
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((4, 4)).add_subplot()
    >>> ax = beam_pandas.plot.simplex(table, "SVC", "RandomForest", ax=ax)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['50 %', '90 %', '99 %']
    """
    require_matplotlib()
    check_width(width)
    panels = read_triangles(result, method_1, method_2, prior, prior_strength)
    axes = plain_axes(ax, len(panels), width, 0.95)
    for place, each in zip(axes, panels, strict=True):
        handles = _draw(place, each)
        Fit(place, TrianglePicture(place, each, handles)).start()
    return returned(axes)


def _draw(ax: Any, each: Triangle) -> list[Any]:
    """Draw the regions, the triangle and what parts it; give what explains the regions."""
    from matplotlib.patches import Patch, Polygon

    ax.set_axis_off()
    ax.set(xticks=[], yticks=[])
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(0.0, _HEIGHT)
    colours = [mixed(ax, BLUE, tone) for tone in _TONES]
    style: dict[str, Any] = {"color": ink(), "linewidth": 1.0, "clip_on": False}
    there = np.flatnonzero(each.weights > 0.0)
    if len(there) == 3:
        _draw_regions(ax, each.weights, colours)
    elif len(there) == 2:
        _draw_edge(ax, each.weights, there, colours)
    else:
        point = _CORNERS[there[0]]
        ax.plot(*point, marker="o", markersize=9.0, label="_posterior", zorder=4.0,
                color=colours[0], clip_on=False)  # fmt: skip
    ax.add_patch(Polygon(_CORNERS, closed=True, fill=False, label="_triangle", zorder=3.0,
                         edgecolor=ink(), linewidth=1.0, clip_on=False))  # fmt: skip
    middle = _CORNERS.mean(axis=0)
    for at in range(3):  # where two shares are equal and the third is less
        end = (_CORNERS[at] + _CORNERS[(at + 1) % 3]) / 2.0
        ax.plot([middle[0], end[0]], [middle[1], end[1]], linestyle="--", label="_equal",
                zorder=3.0, **(style | {"linewidth": 0.7}))  # fmt: skip
    return [
        Patch(facecolor=colour, label=f"{100 * share:.0f} %")
        for share, colour in zip(SHARES, colours, strict=True)
    ]


def _draw_regions(ax: Any, weights: NDArray[np.float64], colours: Sequence[Any]) -> None:
    """Fill where the density exceeds that of each region."""
    levels = density_levels(weights, SHARES)  # falling
    x, y = np.meshgrid(np.linspace(0.0, 1.0, _FINE), np.linspace(0.0, _HEIGHT, _FINE))
    top = y / _HEIGHT
    right = x - top / 2.0
    shares = np.stack([1.0 - top - right, top, right], axis=-1)
    inside = (shares > -1e-12).all(axis=-1)
    density = log_density(weights, np.clip(shares, 1e-12, 1.0))
    density = np.where(inside, density, np.nan)
    highest = float(np.nanmax(density, initial=-np.inf))
    for level, colour, above in zip(
        levels[::-1], colours[::-1], (1.0, 1.1, 1.2), strict=True
    ):
        if level < highest:
            filled = ax.contourf(
                x, y, np.ma.masked_invalid(density), levels=[level, np.inf],
                colors=[colour], zorder=above,
            )  # fmt: skip
            filled.set_label("_region")


def _draw_edge(
    ax: Any, weights: NDArray[np.float64], there: NDArray[np.intp], colours: Sequence[Any]
) -> None:
    """Draw the intervals of highest density on the edge that the posterior is on."""
    first, second = there
    part = np.linspace(0.0, 1.0, 4001)[1:-1]
    points = np.column_stack([1.0 - part, part])
    pair = weights[there]
    density = log_density(pair, points)
    levels = _edge_levels(pair)
    for level, colour, size in zip(
        levels[::-1], colours[::-1], (4.0, 6.0, 8.0), strict=True
    ):
        inside = part[density >= level]
        if inside.size:
            ends = np.array([inside.min(), inside.max()])[:, None]
            line = (1.0 - ends) * _CORNERS[first] + ends * _CORNERS[second]
            ax.plot(*line.T, color=colour, linewidth=size, solid_capstyle="butt",
                    label="_region", zorder=2.0, clip_on=False)  # fmt: skip


def _edge_levels(pair: NDArray[np.float64]) -> NDArray[np.float64]:
    """Find the densities of a beta distribution that the regions exceed."""
    from scipy.special import betainccinv, betaincinv

    steps = (np.arange(20_000) + 0.5) / 20_000
    points = np.column_stack(
        [betaincinv(pair[0], pair[1], steps), betainccinv(pair[1], pair[0], steps)]
    )
    found: NDArray[np.float64] = np.quantile(
        log_density(pair, points), 1.0 - np.array(SHARES)
    )
    return found


class TrianglePicture:
    """Fits the triangle, the names at its corners and the legend into the slot."""

    def __init__(self, ax: Any, each: Triangle, handles: Sequence[Any]) -> None:
        self._ax, self._each = ax, each
        self._names = [raw_text(name) for name in each.names]
        title = label_text(each.title) if each.title else ""
        self._legend = Legend(ax, handles, title)
        style: dict[str, Any] = {"parse_math": False, "clip_on": False}
        places = ((0.0, 0.0, "left", "top"), (0.5, _HEIGHT, "center", "bottom"),
                  (1.0, 0.0, "right", "top"))  # fmt: skip
        self._texts = [
            ax.annotate(" ", (x, y), (0.0, 0.0), textcoords="offset points", ha=ha, va=va,
                        annotation_clip=False, color=ink(), **style)
            for x, y, ha, va in places
        ]  # fmt: skip

    def arrange(self, width: float, height: float, dpi: float) -> Margins:
        """Place and size everything for a slot in points."""
        factor = 1.0
        while True:
            font = factor * rc_points("ytick.labelsize")
            line = 1.1 * LINE_HEIGHT * font
            self._legend.arrange(max(width - 2.0 * _EDGE, 1.0), factor, dpi)
            top = _EDGE + self._legend.height + 2.0 * line
            bottom = _EDGE + 2.0 * line
            side = min(width - 2.0 * _EDGE, (height - top - bottom) / _HEIGHT)
            if factor < 0.1 or side >= _LEAST * min(width, height):
                break
            factor *= 0.85
        side = max(side, 1.0)
        self._write(font, max((width - 2.0 * _EDGE - 0.5 * font) / 2.0, 1.0))
        beside = (width - side) / 2.0 - _EDGE
        spare = max(0.0, height - top - bottom - side * _HEIGHT)
        self._ax.set_xlim(-beside / side, 1.0 + beside / side)
        self._ax.set_ylim(0.0, _HEIGHT + 2.0 * line / side)
        gap = 0.25 * font
        for text, offset in zip(
            self._texts, ((-beside, -gap), (0.0, gap), (beside, -gap)), strict=True
        ):
            text.xyann = offset
        return Margins(_EDGE, bottom + spare / 2.0, _EDGE, top - 2.0 * line + spare / 2.0)

    def _write(self, font: float, room: float) -> None:
        """Write what each corner is, and how probable."""
        one, other = shorten(
            self._names, max(room - self._width(" better", font), font), font
        )
        said = (f"{one} better", "equivalent", f"{other} better")
        for text, words, share in zip(
            self._texts, said, self._each.probability, strict=True
        ):
            text.set_text(f"{label_text(words)}\n{_percent(share)}")
            text.set_fontsize(font)
            text.set_linespacing(1.1)

    @staticmethod
    def _width(text: str, size: float) -> float:
        return float(text_widths([text], size)[0])


def _percent(share: float) -> str:
    """Write a probability, never as certain if it is not."""
    percent = 100.0 * share
    if 0.0 < percent < 0.1:
        return "< 0.1 %"
    if 99.9 < percent < 100.0:
        return "> 99.9 %"
    return f"{percent:.1f} %"
