"""A folder of results: each as CSV, the diagram as SVG, the report as a page."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from beam_pandas.errors import BeamError
from beam_pandas.terminal.analysis import MetricReport
from beam_pandas.terminal.html_pictures import save_picture


def check_folder(name: str) -> None:
    """Refuse a folder that cannot be one, before anything is computed."""
    path = Path(name)
    if path.exists() and not path.is_dir():
        raise BeamError(f"--output must be a folder, {name!r} is a file")


def check_page(name: str) -> None:
    """Refuse a page that could not be saved, before anything is computed."""
    path = Path(name)
    if path.suffix not in (".html", ".htm"):
        raise BeamError(f"--html must end in .html or .htm, got {name!r}")
    if not path.parent.is_dir():
        raise BeamError(f"--html {name!r}: there is no folder {str(path.parent)!r}")


def save_page(text: str, tables: Sequence[pd.DataFrame], name: str) -> None:
    """Save the page, and the mean ranks of all metrics as a picture if it can be drawn."""
    folder = Path(name)
    (folder / "report.html").write_text(text, encoding="utf-8")
    if tables:
        save_picture(list(tables), folder / "critical_difference.svg")


def save_results(reports: Sequence[MetricReport], name: str) -> list[str]:
    """
    Save each result under its name, those of all metrics below each other.

    Text stands in quotes, numbers do not, so that a method called ``1.10`` is told from
    a number; numbers are unrounded.

    Returns
    -------
    list of str
        Names of the files.
    """
    folder = Path(name)
    folder.mkdir(parents=True, exist_ok=True)
    tables: dict[str, list[pd.DataFrame]] = {}
    for report in reports:
        for function, table in report.results.items():
            tables.setdefault(function, []).append(table)
    for function, parts in tables.items():
        # one without rows has no say in the dtypes, and pandas 2 warns of it
        parts = [part for part in parts if len(part)] or parts[:1]
        whole = pd.concat(parts, ignore_index=True) if len(parts) > 1 else parts[0]
        path = folder / f"{function}.csv"
        whole.to_csv(path, index=False, quoting=csv.QUOTE_NONNUMERIC)
    return [f"{function}.csv" for function in tables]
