"""Types of the parameters that functions share, for annotations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

#: Direction of all metrics, of some by name, or None to look them up.
HigherIsBetter = bool | Mapping[Any, bool] | None
#: What to make of several scores of a method, dataset and metric; None refuses them.
Aggregate = Literal["mean", "median"] | None
#: What to do where a method lacks a dataset.
Missing = Literal["raise", "drop_datasets", "drop_methods"]
#: Half-width of the region of practical equivalence.
Rope = float | Mapping[Any, float] | Literal["noise_floor"]
