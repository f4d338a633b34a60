"""Signed-rank tests of all pairs, and mean differences over many items."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

import numpy as np
import pandas as pd

import beam_pandas as bp
from benchmarks.measure import Ratio, median_seconds, peak_bytes, seconds

METHODS, DATASETS = 1000, 100
SAMPLE = 400  # pairs that the loop over scipy is timed with
BETTER: dict[str, Any] = {"higher_is_better": True}


def measure() -> Iterator[Ratio]:
    """Measure what is asked of `wilcoxon` and of `mean_difference_tests`."""
    yield from _many(long_scores(METHODS, DATASETS))
    yield from _many_ties(long_scores(METHODS, DATASETS, decimals=3))
    yield from _small()
    yield from _items()


def long_scores(n_methods: int, n_datasets: int, decimals: int | None = None) -> Any:
    """Scores without ties, or rounded so that nearly every pair has its own ties."""
    rng = np.random.default_rng(0)
    scores = rng.random((n_methods, n_datasets)) + rng.normal(size=(n_methods, 1)) * 0.03
    if decimals is not None:
        scores = scores.round(decimals)
    names = pd.Index([f"method_{at:04d}" for at in range(n_methods)], dtype="str")
    places = pd.Index([f"dataset_{at:04d}" for at in range(n_datasets)], dtype="str")
    return pd.DataFrame(
        {
            "method": names.repeat(n_datasets),
            "dataset": places.take(np.tile(np.arange(n_datasets), n_methods)),
            "score": scores.ravel(),
        }
    )


def _many(frame: pd.DataFrame) -> Iterator[Ratio]:
    """Time all pairs without ties, with and without an interval, against the loop."""
    ours = seconds(lambda: bp.wilcoxon(frame, **BETTER))
    fast = seconds(lambda: bp.wilcoxon(frame, confidence_level=None, **BETTER))
    loop = _loop_of_scipy(frame)
    what = "wilcoxon, 1,000 methods x 100 datasets without ties"
    yield Ratio(f"{what}, s", ours, "at most 60", "499,500 pairs")
    detail = f"{loop:.0f} s scaled from {SAMPLE} pairs"
    yield Ratio(
        f"{what}, against a loop over scipy's",
        ours / loop,
        "at most 0.167",
        f"{ours:.1f} s, {detail}",
    )
    yield Ratio(
        f"{what}, without an interval, against the same",
        fast / loop,
        "at most 0.04",
        f"{fast:.1f} s, {detail}",
    )
    peak = peak_bytes(lambda: bp.wilcoxon(frame, **BETTER)) / 1e9
    yield Ratio("memory of that call above the frame, GB", peak, "at most 1", "")


def _many_ties(frame: pd.DataFrame) -> Iterator[Ratio]:
    """Time all pairs where nearly every one has a law of its own."""
    took = seconds(lambda: bp.wilcoxon(frame, **BETTER))
    yield Ratio(
        "wilcoxon, 1,000 methods x 100 datasets of three decimals, s",
        took,
        "at most 300",
        "nearly every pair with its own ties",
    )


def _loop_of_scipy(frame: pd.DataFrame) -> float:
    """Time scipy's exact test on some pairs, and scale up to all."""
    from scipy.stats import wilcoxon

    table = frame["score"].to_numpy().reshape(METHODS, DATASETS)
    pairs = list(islice(combinations(range(METHODS), 2), SAMPLE))

    def loop() -> None:
        for i, j in pairs:
            wilcoxon(table[i], table[j], method="exact")

    loop()
    return seconds(loop) * METHODS * (METHODS - 1) / 2 / SAMPLE


def _small() -> Iterator[Ratio]:
    """Time a table as people have it."""
    for decimals, bound in ((None, 30), (3, 60)):
        frame = long_scores(20, 50, decimals)
        took = median_seconds(lambda frame=frame: bp.wilcoxon(frame, **BETTER), runs=20)
        ties = "without ties" if decimals is None else "with ties"
        yield Ratio(
            f"wilcoxon, 20 methods x 50 datasets {ties}, ms",
            took * 1e3,
            f"at most {bound}",
            "190 pairs",
        )


def _items() -> Iterator[Ratio]:
    """Time 20 models on 100,000 items in families of five."""
    n_items, n_models = 100_000, 20
    rng = np.random.default_rng(0)
    order = rng.permutation(n_items * n_models)
    item, model = np.divmod(order, n_models)
    items = pd.Index([f"item_{at:06d}" for at in range(n_items)], dtype="str")
    passages = pd.Index([f"passage_{at:05d}" for at in range(n_items // 5)], dtype="str")
    models = pd.Index([f"model_{at:02d}" for at in range(n_models)], dtype="str")
    frame = pd.DataFrame(
        {
            "method": models.take(model),
            "dataset": items.take(item),
            "passage": passages.take(item // 5),
            "score": rng.integers(0, 2, len(order)).astype(np.float64),
        }
    )
    took = median_seconds(
        lambda: bp.mean_difference_tests(frame, cluster="passage", **BETTER), runs=3
    )
    yield Ratio(
        "mean_difference_tests, 20 models x 100,000 items with families, s",
        took,
        "at most 2",
        "2 million rows in no order",
    )
