"""A thousand metrics, a thousand groups, five thousand methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import beam_pandas as bp
from beam_pandas.gate.scores import read_scores
from benchmarks.measure import Ratio, paired, peak_bytes
from benchmarks.tables import long_scores

_BOUNDS = {
    "friedman": 1.6,
    "critical_difference": 2.4,
    "cliques": 2.4,
    "standing": 3.5,
    "pairwise": 3.5,
    "transitivity": 3.5,
    "dataset_concordance": 3.5,
    "nemenyi": 3.5,
    "bayesian_sign": 4.5,
}
_UP: dict[str, Any] = {"higher_is_better": True}


def measure() -> Iterator[Ratio]:
    """Measure what many metrics, groups or methods cost beyond reading their scores."""
    frame = long_scores(20, 50, n_metrics=1000).sort_values(["metric", "dataset", "method"])

    def read() -> None:
        for _ in read_scores(frame, **_UP):
            pass

    def against_reading(what: str, call: Callable[[], Any], bound: float) -> Ratio:
        ours, other, ratio = paired(call, read, runs=3)
        return Ratio(
            f"{what} / read_scores, 1,000 x (20 methods x 50 datasets)",
            ratio,
            f"at most {bound}",
            f"{ours:.2f} / {other:.2f}",
        )

    for name, bound in _BOUNDS.items():
        given = [0.01] if name == "bayesian_sign" else []
        function = getattr(bp, name)
        yield against_reading(name, lambda f=function, g=given: f(frame, *g, **_UP), bound)
    by_key = frame.rename(columns={"metric": "key"})
    yield against_reading(
        "friedman by group", lambda: by_key.groupby("key").beam.friedman(**_UP), 4
    )
    wide = long_scores(5000, 20)
    bp.pairwise(long_scores(10, 20), **_UP)
    kept: list[Any] = []
    peak = peak_bytes(lambda: kept.append(bp.pairwise(wide, **_UP)))
    size = int(kept[0].memory_usage(deep=True).sum())
    yield Ratio(
        "memory of pairwise / of its result, 5,000 x 20",
        peak / size,
        "at most 2.5",
        f"{peak / 1e9:.2f} / {size / 1e9:.2f} GB",
    )
