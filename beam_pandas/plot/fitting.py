"""
Pictures that fit the room they have, whenever that changes.

Axes are a slot in a figure. A picture keeps its labels, legend and colour bar inside the
slot, so that no neighbour is overlapped and nothing leaves the figure. matplotlib asks the
locator of Axes for their place before it draws or measures them, after any layout of the
figure; that is when a picture is fitted again if its slot or the resolution has changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from matplotlib.transforms import Bbox

_SAME = 0.25  # points by which a slot may differ without being another


class Margins(NamedTuple):
    """Room around the Axes proper within their slot, in points."""

    left: float = 0.0
    bottom: float = 0.0
    right: float = 0.0
    top: float = 0.0


class Picture(Protocol):
    """What can be fitted: artists on Axes that were drawn already."""

    def arrange(self, width: float, height: float, dpi: float) -> Margins:
        """Place and size the artists for a slot in points; give the room around them."""
        ...


class Fit:
    """
    The locator of Axes with a picture.

    Parameters
    ----------
    ax : Axes
        Which get this locator.
    picture : Picture
        What is drawn on them.
    """

    def __init__(self, ax: Any, picture: Picture) -> None:
        self._ax = ax
        self._picture = picture
        self._known: tuple[float, float, float] | None = None
        self._margins = Margins()
        self._slot = ax.add_artist(_slot_artist(self))
        ax.set_axes_locator(self)

    def __call__(self, ax: Any, _renderer: Any = None) -> Bbox:
        """Give the place of the Axes proper, after fitting what is on them."""
        from matplotlib.transforms import Bbox

        whole: Bbox = ax.get_position(original=True)
        if self._slot.axes is not self._ax:  # cleared: somebody else draws here now
            return whole
        self.fit()
        width, height = slot_in_points(self._ax)
        left, bottom, right, top = self._margins
        x, y = whole.width / max(width, 1e-9), whole.height / max(height, 1e-9)
        return Bbox.from_extents(
            whole.x0 + x * left,
            whole.y0 + y * bottom,
            max(whole.x1 - x * right, whole.x0 + x * (left + 1.0)),
            max(whole.y1 - y * top, whole.y0 + y * (bottom + 1.0)),
        )

    def start(self) -> None:
        """Fit the picture for the first time; from now on layouts see the slot alone."""
        self._ax.apply_aspect(self(self._ax))
        for artist in self._ax.get_children():
            if artist is not self._slot:
                artist.set_in_layout(False)

    def fit(self) -> None:
        """Fit the picture to its slot, unless nothing has changed."""
        now = (*slot_in_points(self._ax), float(self._ax.get_figure().dpi))
        if self._known is not None and now[2] == self._known[2]:
            changes = [
                abs(at - before) for at, before in zip(now, self._known, strict=True)
            ]
            if max(changes) < _SAME:
                return
        self._known = now
        self._margins = self._picture.arrange(*now)

    def get_subplotspec(self) -> Any:
        """Say where the Axes are in a grid, for `tight_layout`."""
        return self._ax.get_subplotspec()


class Beside:
    """
    The locator of Axes that stand in the slot of others, such as a colour bar.

    Parameters
    ----------
    ax : Axes
        Those with the picture.
    start, width : float
        Place in points to the right of them, and width; changed by the picture.
    """

    def __init__(self, ax: Any, start: float, width: float) -> None:
        self._ax = ax
        self.start = start
        self.width = width

    def __call__(self, _ax: Any, renderer: Any = None) -> Bbox:
        """Give the place, as high as the Axes with the picture."""
        from matplotlib.transforms import Bbox

        main = self._ax.get_axes_locator()(self._ax, renderer)
        whole = self._ax.get_position(original=True)
        point = whole.width / max(slot_in_points(self._ax)[0], 1e-9)
        left = main.x1 + point * self.start
        return Bbox.from_extents(left, main.y0, left + point * self.width, main.y1)

    def get_subplotspec(self) -> Any:
        """Say where the Axes are in a grid, for `tight_layout`."""
        return self._ax.get_subplotspec()


def slot_in_points(ax: Any) -> tuple[float, float]:
    """Width and height of what the figure gives to Axes."""
    figure = ax.get_figure()
    slot = ax.get_position(original=True)
    scale = 72.0 / figure.dpi
    return (
        float(slot.width * figure.bbox.width * scale),
        float(slot.height * figure.bbox.height * scale),
    )


def run_layout(ax: Any) -> None:
    """Let the layout of the figure, if it has one, give Axes their slot."""
    whole = ax.get_figure().canvas.figure  # the figure of a subfigure
    engine = whole.get_layout_engine()
    if engine is not None:
        engine.execute(whole)


def _slot_artist(fit: Fit) -> Any:
    """Make an artist that draws nothing and tells layouts how large the slot is."""
    from beam_pandas.plot.slot import Slot

    return Slot(fit)
