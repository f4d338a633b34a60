"""The report as JSON, for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from beam_pandas.terminal.analysis import MetricReport


def to_json(
    reports: Sequence[MetricReport],
    notes: Sequence[str],
    failures: Sequence[tuple[str, str]],
    version: str,
) -> str:
    """
    Write everything as JSON: numbers unrounded, what is missing as null.

    Parameters
    ----------
    reports : list of MetricReport
        One for each metric that has one.
    notes : list of str
        Warnings.
    failures : list of (str, str)
        Metrics without a report, and why.
    version : str
        Of the package.
    """
    content = {
        "beam_pandas": version,
        "metrics": [_metric(report) for report in reports],
        "failed": [{"metric": name, "reason": reason} for name, reason in failures],
        "notes": list(notes),
    }
    return json.dumps(content, indent=1, allow_nan=False)


def _metric(report: MetricReport) -> dict[str, Any]:
    plan = report.plan
    return {
        "metric": report.name,
        "alpha": plan.alpha,
        "threshold": plan.threshold,
        "missing": report.missing or None,
        "no_ranks": report.no_ranks or None,
        "cycle": [_value(label) for label in report.cycle],
        "gate": None
        if report.verdict is None
        else {key: _value(value) for key, value in report.verdict._asdict().items()},
        "results": {name: _records(table) for name, table in report.results.items()},
    }


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {str(key): _value(value) for key, value in row.items()}
        for row in table.to_dict("records")
    ]


def _value(value: Any) -> Any:
    """Write a value as JSON has it; infinity, which it has not, as text."""
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, float) and math.isinf(plain):
        return "inf" if plain > 0 else "-inf"
    if plain is None or (pd.api.types.is_scalar(plain) and pd.isna(plain)):
        return None
    return plain if isinstance(plain, (bool, int, float, str)) else str(plain)
