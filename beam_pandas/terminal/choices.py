"""What the command line says of metrics and methods, checked against the table."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from beam_pandas.errors import BeamError, list_labels
from beam_pandas.gate.registry import find_metric


def select_metrics(scores: pd.DataFrame, wanted: Sequence[Hashable]) -> pd.DataFrame:
    """Keep the rows of the metrics asked for, each of which must be there."""
    if "metric" not in scores.columns:
        raise BeamError(
            f"--metric {list_labels(wanted)} needs a column 'metric', found "
            f"{list_labels(scores.columns, limit=12)}: --metric-column COL names it; "
            "without it all scores are of one metric"
        )
    names = scores["metric"].astype(str)
    absent = [metric for metric in wanted if not (names == str(metric)).any()]
    if absent:
        files = [name for name in absent if _is_file(str(name))]
        hint = f"; put the file {files[0]!r} before --metric" if files else ""
        raise BeamError(
            f"--metric must name metrics of the table, {list_labels(names.unique(), 12)}, "
            f"got {list_labels(absent)}{hint}"
        )
    chosen = names.isin([str(metric) for metric in wanted])
    others = scores[~chosen & ~scores["method"].isin(scores["method"][chosen])]
    others = others.drop_duplicates("method")
    if others.empty:
        return scores[chosen]
    metric = scores["metric"][chosen].iloc[[0] * len(others)].array
    others = others.assign(metric=metric, score=np.nan)
    return pd.concat([scores[chosen], others])  # a method without a score is still one


def _is_file(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):
        return False


def find_method(scores: pd.DataFrame, word: str | None, option: str) -> Hashable:
    """Find the method that a word names, whatever the dtype of its label."""
    if word is None:
        return None
    if "method" not in scores.columns:
        return word  # the gate says what is lacking
    names = scores["method"].dropna().unique().tolist()
    found: list[Hashable] = [name for name in names if str(name) == word]
    if found:
        return found[0]
    close = difflib.get_close_matches(word, [str(name) for name in names], n=2)
    hint = f"; similar: {list_labels(close)}" if close else ""
    raise BeamError(
        f"{option} must be one of the methods {list_labels(names, 12)}, got {word!r}{hint}"
    )


def parse_directions(words: Sequence[str], metrics: Sequence[Hashable]) -> dict[str, bool]:
    """Read which metrics are better higher, and which lower."""
    values = {"higher": True, "lower": False}
    told: dict[str, bool] = {}
    names = [str(metric) for metric in metrics if metric is not None]
    for word in words:
        metric, _, value = word.rpartition("=")
        if value not in values or not metric:
            raise BeamError(f"--direction must be METRIC=higher or =lower, got {word!r}")
        if metric not in names:
            listed = f", {list_labels(names, 12)}" if names else ", which has none"
            raise BeamError(
                f"--direction must name metrics of the table{listed}, got {metric!r}"
            )
        told[metric] = values[value]
    return told


def shared_options(
    options: argparse.Namespace,
    metric: Hashable,
    told: Mapping[str, bool],
    *,
    single: bool,
) -> dict[str, Any]:
    """Give what all functions are told of a metric."""
    known = not single and find_metric(str(metric)) is not None
    direction = None if known else options.higher_is_better
    return {
        "higher_is_better": told.get(str(metric), direction),
        "aggregate": options.aggregate,
        "uneven_runs": options.uneven_runs,
    }


def parse_rope(words: list[str], metrics: Sequence[Hashable]) -> Any:
    """Read the rope as the functions take it: one for all metrics, or one for each."""
    if len(words) == 1 and "=" not in words[0]:
        return _number_or_text(words[0])
    parts = [word.rpartition("=") for word in words]
    names = [metric for metric, _, _ in parts]
    if sorted(names) != sorted(str(metric) for metric in metrics):
        raise BeamError(
            f"--rope must be given once for each metric, {list_labels(metrics)}, or once "
            f"for all, got {list_labels(words)}"
        )
    return {metric: _number_or_text(number) for metric, _, number in parts}


def _number_or_text(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word
