"""Runs as evidence: aggregates with bootstrap intervals, shares of runs, correlated t."""

from __future__ import annotations

import time
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
    yield from _next_dataset()


def _next_dataset() -> Iterator[Ratio]:
    """Measure processor time of the hierarchical posterior, tables apart."""
    for n_datasets, n_runs, bound in ((54, 100, "at most 2"), (10, 10, "at most 0.6")):
        scores, ends = scores_of_runs(6, n_datasets, n_runs), [time.process_time()]

        def note(done: int, total: int, ends: list[float] = ends) -> None:  # noqa: ARG001
            ends.append(time.process_time())

        bp.hierarchical(scores, 0.01, test_share=0.1, progress=note)
        took = np.diff(ends)
        shape = f"{n_datasets} x {n_runs}"
        detail = f"the first, with the tables, {took[0]:.2g} s"
        what = f"hierarchical, a pair, {shape}, s of CPU"
        yield Ratio(what, float(np.median(took[1:])), bound, detail)
        if n_runs == 100:
            what = f"hierarchical, fifteen pairs, {shape}, s of CPU"
            yield Ratio(what, float(took.sum()), "at most 40", "tables and all")
    means = scores_of_runs(16, 54, 1).drop(columns="run")
    start = time.process_time()
    bp.bayesian_signed_rank(means, 0.01)
    took_all = time.process_time() - start
    yield Ratio("bayesian_signed_rank, 16 x 54, s of CPU", took_all, "-", "50,000 draws")


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
