"""Pictures: drawn, and saved as PNG."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from typing import Any

import beam_pandas as bp
from benchmarks.measure import Ratio
from benchmarks.tables import long_scores


def measure() -> Iterator[Ratio]:
    """Measure the processor time of a figure of its own, drawn and then saved."""
    for n_methods, n_datasets in ((20, 60), (40, 150)):
        frame = long_scores(n_methods, n_datasets)
        ranks = frame.beam.ranks(higher_is_better=True)
        metrics = long_scores(n_methods, n_datasets, 5).beam.ranks(higher_is_better=True)
        pairs = frame.beam.pairwise(higher_is_better=True)
        one, other = ranks["method"].unique()[[0, -1]]
        pictures: dict[str, Callable[[], Any]] = {
            "pairwise": lambda: bp.plot.pairwise(pairs, ranks=ranks),  # noqa: B023
            "scores": lambda: bp.plot.scores(ranks),  # noqa: B023
            "duel": lambda: bp.plot.duel(ranks, one, other),  # noqa: B023
            "overview, 5 metrics": lambda: bp.plot.overview(metrics),  # noqa: B023
            "rank_flow, 5 metrics": lambda: bp.plot.rank_flow(metrics),  # noqa: B023
        }
        for name, draw in pictures.items():
            draw().figure.savefig(io.BytesIO())  # fonts are read once
            start = time.process_time()
            ax = draw()
            drawn = time.process_time() - start
            ax.figure.savefig(io.BytesIO())
            took = time.process_time() - start
            what = f"plot.{name}, {n_methods} x {n_datasets}, saved, s of processor"
            yield Ratio(what, took, "at most 2", f"drawn {drawn:.2f} s")
