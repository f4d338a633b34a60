"""Which way each metric of a frame is better, from the caller or the registry."""

from __future__ import annotations

import difflib
from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from beam_pandas.errors import BeamError, UnknownMetricError, list_labels, plain
from beam_pandas.gate.registry import (
    Metric,
    find_metric,
    looks_like_spread,
    metrics,
    normalise,
)
from beam_pandas.types import HigherIsBetter


class Direction(NamedTuple):
    """Direction of one metric; `entry` is set where the registry decided it."""

    higher_is_better: bool
    entry: Metric | None


def resolve_directions(
    labels: pd.Index | None, higher_is_better: HigherIsBetter
) -> list[Direction]:
    """
    Decide the direction of each metric.

    Parameters
    ----------
    labels : Index or None
        Metrics of the frame; None if it has no column for them.
    higher_is_better : bool, mapping or None
        What the caller says of all metrics, of some, or of none.

    Returns
    -------
    list of Direction
        One for each label; a single one for `labels` None.

    Raises
    ------
    UnknownMetricError
        If neither the caller nor the registry knows a metric.
    BeamError
        If `higher_is_better` is of another type or names a metric that is not there.
    """
    names: list[Hashable] = [None] if labels is None else labels.tolist()
    if isinstance(higher_is_better, (bool, np.bool_)):
        return [Direction(bool(higher_is_better), None)] * len(names)
    told = _told(higher_is_better, labels)
    found = [
        Direction(told[name], None) if name in told else _registered(name) for name in names
    ]
    unknown = [name for name, entry in zip(names, found, strict=True) if entry is None]
    if unknown:
        raise UnknownMetricError(_unknown_message(unknown))
    return [direction for direction in found if direction is not None]


def _told(
    higher_is_better: Mapping[Any, bool] | None, labels: pd.Index | None
) -> dict[Hashable, bool]:
    """Check the caller's mapping against the metrics of the frame."""
    if higher_is_better is None:
        return {}
    if not isinstance(higher_is_better, Mapping):
        raise BeamError(
            "higher_is_better must be True, False, a mapping from metric to bool, or "
            f"None, got {higher_is_better!r}"
        )
    names = [] if labels is None else labels.tolist()
    told = {plain(name): value for name, value in higher_is_better.items()}
    extra = [name for name in told if name not in names]
    if extra:
        present = f"metrics {list_labels(names)}" if names else "no column 'metric'"
        raise BeamError(
            f"higher_is_better names {list_labels(extra)}, but the frame has {present}"
        )
    for name, value in told.items():
        if not isinstance(value, (bool, np.bool_)):
            raise BeamError(
                f"higher_is_better must map to True or False, got {value!r} for {name!r}"
            )
    return {name: bool(value) for name, value in told.items()}


def _registered(name: Hashable) -> Direction | None:
    entry = find_metric(name)
    return None if entry is None else Direction(entry.higher_is_better, entry)


def _unknown_message(unknown: list[Hashable]) -> str:
    """Say which metrics have no direction and how to give them one."""
    if unknown[0] is None:
        return (
            "is a higher score better? The frame has no column 'metric' to look it up "
            "by: pass higher_is_better=True or higher_is_better=False, which holds for "
            "every score in it; scores of several metrics need the column 'metric'"
        )
    spreads = [name for name in unknown if looks_like_spread(name)]
    others = [name for name in unknown if name not in spreads]
    parts = []
    if others:
        noun = "metric" if len(others) == 1 else "metrics"
        told = ", ".join(f"{name!r}: ..." for name in others[:5])
        more = ", ..." if len(others) > 5 else ""
        parts.append(
            f"is a higher score better? The registry has no {noun} {list_labels(others)}"
            f"{_similar(others[0])}: pass higher_is_better={{{told}{more}}} with True or "
            "False for each"
        )
        first = others[0]
        if isinstance(first, str) and first.strip():
            parts[0] += f", or beam_pandas.register_metric({first!r}, higher_is_better=...)"
    if spreads:
        one = len(spreads) == 1
        looks = "looks like a spread, no metric" if one else "look like spreads, no metrics"
        parts.append(
            f"{list_labels(spreads)} {looks}: leave {'it' if one else 'them'} out, "
            f"df[~df['metric'].isin({[plain(name) for name in spreads]!r})]"
        )
    return "; ".join(parts)


def _similar(name: Hashable) -> str:
    known = metrics()["metric"].tolist()
    close = difflib.get_close_matches(normalise(str(name)), known, n=2, cutoff=0.8)
    return f" (similar: {list_labels(close)})" if close else ""
