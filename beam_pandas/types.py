"""Types of the parameters that functions share, for annotations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

#: Direction of all metrics, of some by name, or None to look them up.
HigherIsBetter = bool | Mapping[Any, bool] | None
#: What to make of several scores of a method, dataset and metric; None refuses them.
Aggregate = Literal["mean", "median", "min", "max", "best"] | None
#: What to do where methods have different runs on a dataset.
UnevenRuns = Literal["raise", "ignore", "shared"]
#: The same in functions that pair runs, each pair by itself.
PairedRuns = Literal["raise", "shared"]
#: What to do where a method lacks a dataset, in functions of scores of runs.
MissingRuns = Literal["raise", "drop_datasets", "drop_methods", "largest_block"]
#: What to do where a method lacks a dataset, in functions of ranks.
Missing = Literal["raise", "drop_datasets", "drop_methods", "largest_block", "worst"]
#: The same in those that also take the mean over the datasets that a method has.
MissingRanks = Literal[
    "raise", "drop_datasets", "drop_methods", "largest_block", "worst", "available"
]
#: The same in functions that count wins.
MissingPairs = Literal["available", "worst"]
#: What to do with a metric whose data allow no analysis.
Errors = Literal["raise", "warn"]
#: What a test looks for.
Alternative = Literal["two-sided", "greater", "less"]
#: Half-width of the region of practical equivalence: a number, by metric, or in words.
Rope = float | str | Mapping[Any, float | str]
#: Source of random numbers: a seed, a generator that is copied, or None for a new one.
Rng = int | np.random.Generator | None
