"""Colours that colour-blind readers and grey prints tell apart (Okabe and Ito, 2008)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from matplotlib.colors import Colormap

BLUE: Final = "#0072B2"  # dark in grey
ORANGE: Final = "#E69F00"  # middling
PALE: Final = "#DDDDDD"  # light
VERMILION: Final = "#D55E00"
SEQUENTIAL: Final = "cividis"  # lightness rises evenly


def colour_map(name: Any) -> Colormap:
    """Look a colour map up and leave missing values blank."""
    import matplotlib as mpl

    found: Any = mpl.colormaps[name] if isinstance(name, str) else name
    blank: Colormap = found.with_extremes(bad="none")
    return blank


def readable_on(colour: Any) -> str:
    """Give black or white, whichever stands out more from a colour."""
    from matplotlib.colors import to_rgb

    parts = to_rgb(colour)
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "white" if luminance < 0.179 else "black"


def ink() -> str:
    """Give the colour of lines and text in the caller's rcParams."""
    import matplotlib as mpl

    colour: str = mpl.rcParams["text.color"]
    return colour
