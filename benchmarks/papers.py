"""Publication tables of several thousand rows."""

from __future__ import annotations

from collections.abc import Iterator

import beam_pandas as bp
from benchmarks.measure import Ratio, median_seconds
from benchmarks.tables import long_scores


def measure() -> Iterator[Ratio]:
    """Measure what is asked of tables."""
    frame = long_scores(10, 5000)
    took = median_seconds(lambda: bp.table.scores(frame, higher_is_better=True), runs=3)
    yield Ratio("table.scores, 10 methods x 5,000 datasets, s", took, "at most 4", "")
    styler = bp.table.scores(frame, higher_is_better=True)
    took = median_seconds(lambda: bp.table.to_latex(styler), runs=3)
    yield Ratio("table.to_latex of it, s", took, "at most 2", "")
    pairs = bp.pairwise(long_scores(100, 100), higher_is_better=True)
    took = median_seconds(lambda: bp.table.pairs(pairs), runs=3)
    yield Ratio("table.pairs, 4,950 pairs, s", took, "at most 4", "")
