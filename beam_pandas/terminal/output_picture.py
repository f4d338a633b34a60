"""The critical difference diagram, saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from beam_pandas.errors import BeamError


def check_target(path: Path) -> None:
    """Refuse a picture that could not be saved, before anything is computed."""
    if path.suffix not in (".png", ".svg", ".pdf"):
        raise BeamError(f"--plot must end in .png, .svg or .pdf, got {str(path)!r}")
    if not path.parent.is_dir():
        raise BeamError(f"--plot {str(path)!r}: there is no folder {str(path.parent)!r}")


def save_diagram(
    tables: Sequence[pd.DataFrame],
    path: str,
    width: float,
    metadata: Mapping[str, Any] | None = None,
) -> None:
    """Draw the mean ranks of all metrics that have them, and save the picture."""
    from beam_pandas import plot  # matplotlib only if asked

    axes = plot.critical_difference(pd.concat(tables, ignore_index=True), width=width)
    plot.save(axes, path, metadata=metadata)
