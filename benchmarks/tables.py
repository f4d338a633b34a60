"""Made-up scores of any size, with labels of text and rows in no order."""

from __future__ import annotations

import numpy as np
import pandas as pd


def long_scores(
    n_methods: int,
    n_datasets: int,
    n_metrics: int = 1,
    share_missing: float = 0.0,
    seed: int = 0,
) -> pd.DataFrame:
    """Scores with four decimals, so that some tie, and a little skill of the methods."""
    rng = np.random.default_rng(seed)
    size = n_methods * n_datasets * n_metrics
    order = rng.permutation(size)
    method = order % n_methods
    dataset = order // n_methods % n_datasets
    metric = order // (n_methods * n_datasets)
    skill = rng.normal(size=n_methods)[method] * 0.03
    frame = pd.DataFrame(
        {
            "method": _names("method", n_methods).take(method),
            "dataset": _names("dataset", n_datasets).take(dataset),
            "metric": _names("metric", n_metrics).take(metric),
            "score": (rng.random(size) + skill).round(4),
        }
    )
    if share_missing:
        frame = frame[rng.random(size) >= share_missing].reset_index(drop=True)
    return frame


def _names(stem: str, number: int) -> pd.Index:
    return pd.Index([f"{stem}_{at:04d}" for at in range(number)], dtype="str")
