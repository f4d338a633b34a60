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
        told: dict[str, Any] = {"higher_is_better": True}
        intervals = frame.beam.rank_intervals(n_resamples=200, **told)
        tests, alike = frame.beam.wilcoxon(**told), frame.beam.dataset_concordance(**told)
        posterior, groups = frame.beam.bayesian_sign(0.1, **told), bp.letters(pairs)
        two = metrics["metric"].unique()[:2]
        one, other = ranks["method"].unique()[[0, -1]]
        pictures: dict[str, Callable[[], Any]] = {
            "pairwise": lambda: bp.plot.pairwise(pairs, ranks=ranks),  # noqa: B023
            "scores": lambda: bp.plot.scores(ranks),  # noqa: B023
            "duel": lambda: bp.plot.duel(ranks, one, other),  # noqa: B023
            "overview, 5 metrics": lambda: bp.plot.overview(metrics),  # noqa: B023
            "rank_flow, 5 metrics": lambda: bp.plot.rank_flow(metrics),  # noqa: B023
            "rank_intervals": lambda: bp.plot.rank_intervals(intervals),  # noqa: B023
            "wilcoxon": lambda: bp.plot.wilcoxon(tests),  # noqa: B023
            "trade_off": lambda: bp.plot.trade_off(metrics, *two),  # noqa: B023
            "simplex": lambda: bp.plot.simplex(posterior, one, other),  # noqa: B023
            "dataset_concordance": lambda: bp.plot.dataset_concordance(alike),  # noqa: B023
            "letters": lambda: bp.plot.letters(groups),  # noqa: B023
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
