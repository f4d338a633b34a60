"""The region of practical equivalence, for each metric."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from beam_pandas.errors import BeamError, is_number, list_labels, plain
from beam_pandas.gate.scores import ScoreMatrix
from beam_pandas.kernels.decimals import shortest_decimals
from beam_pandas.types import Rope


def resolve_ropes(rope: Rope, matrices: Sequence[ScoreMatrix]) -> list[float]:
    """
    Decide the half-width of the region for each metric.

    Parameters
    ----------
    rope : float, mapping from metric to float, or "noise_floor"
        In the unit of the scores; the last takes it from the registry.
    matrices : sequence of ScoreMatrix
        One for each metric.

    Returns
    -------
    list of float
        One for each matrix, not negative.

    Raises
    ------
    BeamError
        If a number is negative or not finite, or a metric has none.
    """
    names: list[Hashable] = [
        None if matrix.metric is None else matrix.metric.tolist()[0] for matrix in matrices
    ]
    if isinstance(rope, str) and rope == "noise_floor":
        pairs = zip(names, matrices, strict=True)
        return [_noise_floor(name, matrix.noise_floor) for name, matrix in pairs]
    if isinstance(rope, Mapping):
        return _from_mapping(rope, names)
    return [_checked(rope)] * len(names)


def _from_mapping(rope: Mapping[Any, float], names: list[Hashable]) -> list[float]:
    told = {plain(name): value for name, value in rope.items()}
    extra = [name for name in told if name not in names]
    lacking = [name for name in names if name not in told]
    if names == [None]:
        raise BeamError(
            "rope by metric needs a column 'metric', the frame has none: pass a number"
        )
    if extra or lacking:
        wrong = (
            f"names {list_labels(extra)}, which the frame has not"
            if extra
            else f"says nothing of {list_labels(lacking)}"
        )
        raise BeamError(
            f"rope must have a number for each metric, {list_labels(names)}, but it {wrong}"
        )
    return [_checked(told[name]) for name in names]


def _noise_floor(name: Hashable, known: float | None) -> float:
    if name is None:
        raise BeamError(
            "rope='noise_floor' needs a column 'metric', the frame has none: pass a number"
        )
    if known is None:
        raise BeamError(
            f"rope='noise_floor' needs a noise floor of metric {name!r}, the registry has "
            f"none: pass rope=..., or beam_pandas.register_metric({str(name)!r}, "
            "noise_floor=...)"
        )
    return known


def _checked(rope: object) -> float:
    if not is_number(rope) or not math.isfinite(rope) or rope < 0.0:
        raise BeamError(
            "rope must be a finite number, not negative, a mapping from metric to such "
            f"numbers, or 'noise_floor', got {rope!r}"
        )
    if isinstance(rope, np.floating) and rope.itemsize < 8:  # float32 or float16
        return float(shortest_decimals(np.array([rope]))[0])
    return float(rope)
