"""Runs as evidence: aggregates with bootstrap intervals, shares of runs, correlated t."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

import beam_pandas as bp
from benchmarks.measure import Ratio, median_seconds, peak_bytes

RESAMPLES = 2000


def measure() -> Iterator[Ratio]:
    """Measure what is asked of the functions that look at runs."""
    small, large = scores_of_runs(5, 26, 10), scores_of_runs(50, 100, 20)
    shared: dict[str, Any] = {"n_resamples": RESAMPLES}
    for kind in ("iqm", "mean"):
        for resample in ("datasets", "runs"):
            told = {"kind": kind, "resample": resample, **shared}
            took = median_seconds(lambda t=told: bp.aggregate_scores(small, **t), runs=3)
            what = f"aggregate_scores, {kind} of {resample}, 5 x 26 x 10, s"
            yield Ratio(what, took, "at most 1", f"{RESAMPLES:,} draws; rliable 20 s")
    took = median_seconds(lambda: bp.improvement(small, **shared), runs=3)
    yield Ratio("improvement, 5 x 26 x 10, s", took, "at most 1", "rliable 369 s, 4 pairs")
    for name, call in (
        ("aggregate_scores, iqm of runs", lambda: bp.aggregate_scores(
            large, "iqm", resample="runs", **shared)),
        ("improvement", lambda: bp.improvement(large, **shared)),
    ):  # fmt: skip
        took = median_seconds(call, runs=1)
        yield Ratio(f"{name}, 50 x 100 x 20, s", took, "at most 25", "")
        memory = peak_bytes(call) / 1e6
        yield Ratio(f"memory of {name}, 50 x 100 x 20, MB", memory, "at most 300", "")
    many = scores_of_runs(100, 50, 10)
    took = median_seconds(lambda: bp.correlated_t(many, 0.01, test_share=0.1), runs=3)
    yield Ratio("correlated_t, 100 x 50 x 10, s", took, "at most 2", "")


def scores_of_runs(
    n_methods: int, n_datasets: int, n_runs: int, seed: int = 0
) -> pd.DataFrame:
    """Scores in four decimals: a level of each dataset, a little skill, noise of a run."""
    rng = np.random.default_rng(seed)
    index = pd.MultiIndex.from_product(
        [
            [f"method_{at:03d}" for at in range(n_methods)],
            [f"dataset_{at:03d}" for at in range(n_datasets)],
            range(n_runs),
        ],
        names=["method", "dataset", "run"],
    )
    level = rng.uniform(0.4, 0.9, size=(1, n_datasets, 1))
    skill = rng.normal(scale=0.02, size=(n_methods, 1, 1))
    noise = rng.normal(scale=0.02, size=(n_methods, n_datasets, n_runs))
    score = (level + skill + noise).round(4).ravel()
    frame = pd.DataFrame({"score": score}, index=index).reset_index()
    return frame.assign(metric="accuracy").sample(frac=1, random_state=seed)
