"""Names beside points, where they cover no point and no other name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from beam_pandas.plot.colours import VERMILION, ink, mixed
from beam_pandas.plot.plain_axes import Room
from beam_pandas.plot.text import LINE_HEIGHT, label_text, shorten, text_widths

_NAME: Final = 0.4  # of the width of the axes that a name takes at most
_SMALLER: Final = 0.85  # than other labels
_AROUND: Final = (
    (1, 0), (-1, 0), (0, 1), (0, -1), (1, 0.8), (-1, 0.8), (1, -0.8), (-1, -0.8),
    (0.5, 1), (-0.5, 1), (0.5, -1), (-0.5, -1),
)  # fmt: skip
_AWAY: Final = (0.0, 1.3, 2.6, 4.0)  # heights of a name from its point, nearest first
_STEPS: Final = 40  # points of a line that names do not cover


class PointNames:
    """
    Names that find their place anew when the axes change.

    Parameters
    ----------
    ax : Axes
        With the points.
    names : sequence of str
        Of the points, unescaped.
    points : ndarray of float64, shape (n_points, 2)
        In shares of the axes from their lower left.
    order : sequence of int
        Points to name, the most important first.
    is_chosen : ndarray of bool
        Which stand out.
    line : ndarray of float64, shape (n_corners, 2)
        A line that names do not cover, likewise in shares.
    """

    def __init__(
        self,
        ax: Any,
        names: Sequence[str],
        points: NDArray[np.float64],
        order: Sequence[int],
        is_chosen: NDArray[np.bool_],
        line: NDArray[np.float64],
    ) -> None:
        part = np.linspace(0.0, 1.0, _STEPS)[:, None, None]
        self._line = ((1.0 - part) * line[:-1] + part * line[1:]).reshape(-1, 2)
        self._names, self._points, self._order = list(names), points, list(order)
        self._texts = [
            ax.annotate(
                " ", tuple(points[at]), (0.0, 0.0), xycoords="axes fraction",
                textcoords="offset points", ha="center", va="center", parse_math=False,
                color=VERMILION if is_chosen[at] else ink(), zorder=5.0,
                annotation_clip=False,
            )
            for at in self._order
        ]  # fmt: skip

        (self._leaders,) = ax.plot(
            [], [], linewidth=0.4, color=mixed(ax, ink(), 0.5), label="_leader",
            transform=ax.transAxes, zorder=2.0,
        )  # fmt: skip

    def place(self, room: Room, dot: float) -> None:
        """Write each name at the first place beside its point that is free."""
        sides = np.array([room.width, room.height])
        points, line = self._points * sides, self._line * sides
        size = _SMALLER * room.font
        names = shorten([self._names[at] for at in self._order], _NAME * room.width, size)
        texts = [label_text(name) for name in names]
        widths = text_widths(texts, size) if texts else np.zeros(0)
        taken = np.zeros((0, 4))
        leaders: list[Any] = []
        for text, name, at, wide in zip(
            self._texts, texts, self._order, widths, strict=True
        ):
            box = np.array([1.06 * float(wide), LINE_HEIGHT * size])
            others = np.delete(points, at, axis=0)
            middle = _free_place(points[at], box, dot, (others, line), sides, taken)
            text.set_visible(middle is not None)
            if middle is not None:
                text.set_text(name)
                text.set_fontsize(size)
                text.xyann = tuple(middle - points[at])
                ends = np.concatenate([middle - box / 2.0, middle + box / 2.0])
                taken = np.vstack([taken, ends])
                near = np.clip(points[at], ends[:2], ends[2:])
                if np.hypot(*(near - points[at])) > dot / 2.0 + 2.0:
                    leaders += [points[at] / sides, near / sides, (np.nan, np.nan)]
        self._leaders.set_data(*np.reshape(leaders, (-1, 2)).T)


def _free_place(
    point: NDArray[np.float64],
    box: NDArray[np.float64],
    dot: float,
    kept: tuple[NDArray[np.float64], NDArray[np.float64]],
    sides: NDArray[np.float64],
    taken: NDArray[np.float64],
) -> NDArray[np.float64] | None:
    """Find the middle of a name near its point, where it covers no other point or line."""
    away = np.repeat(_AWAY, len(_AROUND))[:, None] * box[1]
    around = np.tile(np.array(_AROUND), (len(_AWAY), 1))
    middle = point + around * (box / 2.0 + dot / 2.0 + 1.0 + away)
    low, high = middle - box / 2.0, middle + box / 2.0
    free = ((low >= 0.0) & (high <= sides)).all(axis=1)
    free &= ~_touch(low, high, taken[:, :2], taken[:, 2:])
    for points, size in zip(kept, (dot / 2.0, 0.5), strict=True):
        free &= ~_touch(low, high, points - size, points + size)
    places = np.flatnonzero(free)
    return middle[places[0]] if places.size else None


def _touch(
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    start: NDArray[np.float64],
    end: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Tell which boxes overlap any of others."""
    is_over = (low[:, None] < end) & (high[:, None] > start)
    found: NDArray[np.bool_] = np.any(np.all(is_over, axis=2), axis=1)
    return found
