"""Incomplete tables, and datasets compared with each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

import beam_pandas as bp
from benchmarks.measure import Ratio, median_seconds, paired, seconds
from benchmarks.tables import long_scores


def measure() -> Iterator[Ratio]:
    """Measure what is asked of the functions for gaps and for datasets."""
    yield _skillings_mack()
    yield _discrimination()
    yield _concordance()


def _skillings_mack() -> Ratio:
    complete = long_scores(1000, 1000)
    keep = np.random.default_rng(1).random(len(complete)) >= 0.2
    holes = complete[keep].reset_index(drop=True)
    first, second, ratio = paired(
        lambda: bp.skillings_mack(holes, higher_is_better=True),
        lambda: bp.friedman(complete, higher_is_better=True),
    )
    return Ratio(
        "skillings_mack, 1,000 x 1,000, 20 % missing, against friedman on the whole table",
        ratio,
        "at most 3",
        f"{first:.3f} s, {second:.3f} s",
    )


def _discrimination() -> Ratio:
    frame = long_scores(200, 1000, 10)
    first, second, ratio = paired(
        lambda: bp.dataset_discrimination(frame, higher_is_better=True),
        lambda: bp.ranks(frame, higher_is_better=True),
    )
    return Ratio(
        "dataset_discrimination, 200 methods x 1,000 datasets x 10 metrics, against ranks",
        ratio,
        "at most 3",
        f"{first:.2f} s, {second:.2f} s",
    )


def _concordance() -> Ratio:
    from scipy.stats import kendalltau

    frame = long_scores(200, 1000, share_missing=0.05)
    table = bp.wide_scores(frame).to_numpy()
    few = 60

    def loop() -> None:
        for i, j in combinations(range(few), 2):
            both = ~np.isnan(table[i] + table[j])
            kendalltau(table[i, both], table[j, both])

    ours = median_seconds(
        lambda: bp.dataset_concordance(frame, higher_is_better=True), runs=3
    )
    theirs = seconds(loop) * (1000 * 999) / (few * (few - 1))
    return Ratio(
        "dataset_concordance, 1,000 datasets x 200 methods, against a loop of kendalltau",
        ours / theirs,
        "",
        f"{ours:.2f} s, {theirs:.0f} s scaled from {few} datasets",
    )
