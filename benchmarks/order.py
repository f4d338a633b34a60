"""How sure the order is: bootstrap, leaving out, strengths, the one table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import beam_pandas as bp
from benchmarks.measure import Ratio, median_seconds, peak_bytes, seconds
from benchmarks.tables import long_scores


def measure() -> Iterator[Ratio]:
    """Measure what is asked of the functions that look at the order."""
    shared: dict[str, Any] = {"higher_is_better": True}
    frame = long_scores(40, 150)
    took = median_seconds(lambda: bp.rank_intervals(frame, **shared))
    yield Ratio("rank_intervals, 40 x 150, s", took, "at most 0.4", "10,000 draws")
    large = long_scores(1000, 1000)
    took = seconds(lambda: bp.rank_intervals(large, **shared))
    yield Ratio("rank_intervals, 1,000 x 1,000, s", took, "at most 5", "10,000 draws")
    peak = peak_bytes(lambda: bp.rank_intervals(large, **shared)) / 1e6
    yield Ratio("memory of rank_intervals, 1,000 x 1,000, MB", peak, "at most 600", "")
    frame = long_scores(100, 1000)
    took = median_seconds(lambda: bp.influence(frame, **shared), runs=3)
    yield Ratio("influence, 100 methods x 1,000 datasets, s", took, "at most 1", "")
    took = seconds(lambda: bp.bradley_terry(large, n_resamples=0, **shared))
    yield Ratio("bradley_terry, 1,000 methods, s", took, "at most 5", "no intervals")
    frame = long_scores(50, 200)
    took = median_seconds(lambda: bp.bradley_terry(frame, **shared), runs=3)
    yield Ratio("bradley_terry, 50 x 200, s", took, "at most 2", "1,000 draws")
    took = median_seconds(lambda: bp.leaderboard(frame, **shared))
    yield Ratio("leaderboard, 50 x 200, s", took, "at most 0.5", "10,000 draws")
