"""Colours that colour-blind readers and grey prints tell apart (Okabe and Ito, 2008)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from beam_pandas.errors import BeamError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

BLUE: Final = "#0072B2"  # dark in grey
ORANGE: Final = "#E69F00"  # middling
GREEN: Final = "#009E73"
VERMILION: Final = "#D55E00"
CYCLE: Final = (ORANGE, GREEN, VERMILION, "#CC79A7", "#56B4E9", BLUE)  # of a few lines
SEQUENTIAL: Final = "cividis"  # lightness rises evenly
_PALE: Final = 0.14  # share of the colour of text in what is to stand back
_FAINT: Final = 0.04


def colour_map(name: Any) -> Colormap:
    """Look a colour map up and leave missing values blank."""
    import matplotlib as mpl
    from matplotlib.colors import Colormap

    if isinstance(name, Colormap):
        found: Any = name
    elif isinstance(name, str) and name in mpl.colormaps:
        found = mpl.colormaps[name]
    else:
        raise BeamError(
            "cmap must be a matplotlib Colormap or the name of one, such as "
            f"{SEQUENTIAL!r}, got {name!r}"
        )
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


def face(ax: Axes) -> tuple[float, float, float]:
    """Give the colour that Axes are drawn on: their own, else that of the figure."""
    from matplotlib.colors import to_rgba

    figure: Any = ax.get_figure()
    for colour in (ax.get_facecolor(), figure.get_facecolor()):
        red, green, blue, alpha = to_rgba(colour)
        if alpha > 0.5:
            return red, green, blue
    return (1.0, 1.0, 1.0) if readable_on(ink()) == "white" else (0.0, 0.0, 0.0)


def mixed(ax: Axes, colour: Any, share: float) -> tuple[float, float, float]:
    """Mix a colour into that of the Axes."""
    from matplotlib.colors import to_rgb

    parts = [
        (1.0 - share) * low + share * high
        for low, high in zip(face(ax), to_rgb(colour), strict=True)
    ]
    return parts[0], parts[1], parts[2]


def pale(ax: Axes) -> tuple[float, float, float]:
    """Give a neutral colour that stands back, whatever the style."""
    return mixed(ax, ink(), _PALE)


def faint(ax: Axes) -> tuple[float, float, float]:
    """Give one that hardly differs from the ground."""
    return mixed(ax, ink(), _FAINT)
