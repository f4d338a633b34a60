"""Each result as a CSV file in a folder."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from beam_pandas.errors import BeamError
from beam_pandas.terminal.analysis import MetricReport


def check_folder(name: str) -> None:
    """Refuse a folder that cannot be one, before anything is computed."""
    path = Path(name)
    if path.exists() and not path.is_dir():
        raise BeamError(f"--output must be a folder, {name!r} is a file")


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
