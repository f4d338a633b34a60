"""Pictures of a page, within it: an image cannot run anything, whatever its labels say."""

from __future__ import annotations

import base64
import tempfile
import warnings
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from beam_pandas.errors import BeamError, MissingDependencyError
from beam_pandas.terminal.output_picture import save_diagram


class Picture(NamedTuple):
    """An SVG as the address of an image, or why there is none."""

    address: str
    reason: str


def draw_diagram(table: pd.DataFrame) -> Picture:
    """Draw the mean ranks of one metric."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "diagram.svg"
        reason = save_picture([table], path)
        if reason:
            return Picture("", reason)
        content = base64.b64encode(path.read_bytes()).decode("ascii")
    return Picture(f"data:image/svg+xml;base64,{content}", "")


def save_picture(tables: list[pd.DataFrame], path: Path) -> str:
    """Save the diagram of some metrics, or say why it cannot be: a page stands without."""
    try:
        import matplotlib as mpl
    except ImportError:
        return 'No picture: it needs matplotlib, pip install "beam_pandas[plot]"'
    with warnings.catch_warnings(), mpl.rc_context({"svg.hashsalt": "beam_pandas"}):
        warnings.simplefilter("ignore")  # signs that a font lacks: the tables have them
        try:
            save_diagram(tables, str(path), 7.0, {"Date": None})
        except (BeamError, MissingDependencyError) as error:
            return f"No picture: {error}"
    return ""
