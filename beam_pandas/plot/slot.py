"""The artist that tells a layout how much room a picture takes: the whole of its slot."""

from __future__ import annotations

from typing import Any

from matplotlib.artist import Artist
from matplotlib.transforms import Bbox, TransformedBbox


class Slot(Artist):
    """Nothing to see, as large as the slot of its Axes."""

    def __init__(self, fit: Any) -> None:
        super().__init__()
        self.fit = fit
        self.set_label("_slot")
        self.set_clip_on(False)

    def draw(self, renderer: Any) -> None:
        """Draw nothing."""

    def get_window_extent(self, renderer: Any = None) -> Bbox:  # noqa: ARG002
        """Give the box of the slot in pixels."""
        ax: Any = self.axes
        place = ax.get_position(original=True)
        return Bbox(TransformedBbox(place, ax.get_figure().transSubfigure).get_points())

    def get_tightbbox(self, renderer: Any = None) -> Bbox:
        """Give the same: no part of it is clipped."""
        return self.get_window_extent(renderer)
