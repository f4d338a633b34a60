"""Small results that each picture can be drawn of, and the pictures that stand for others."""

from __future__ import annotations

from functools import cache

import pandas as pd
import pytest
from matplotlib.figure import Figure

import beam_pandas as bp

FEW = ["AdaBoost", "ComplementNB", "GaussianNB", "LogisticRegression", "MLP", "SVC"]
BENCHMARK = bp.load_benchmark()
SCORES = BENCHMARK.query("method in @FEW and dataset < 'd'")
ACCURACY = SCORES.query("metric == 'accuracy'")
_GAPS = {"missing": "drop_methods"}
_UNEVEN = {"uneven_runs": "ignore"}
_TWO = {"method_1": "SVC", "method_2": "MLP"}
#: The function whose result a picture draws.
MAKERS = {
    "critical_difference": "critical_difference",
    "comparison_matrix": "comparison_matrix",
    "transitivity": "pairwise",
    "bayesian_sign": "bayesian_sign",
    "dataset_discrimination": "dataset_discrimination",
    "missing_scores": "wide_scores",
    "pairwise": "pairwise",
    **dict.fromkeys(["scores", "duel", "overview", "rank_flow"], "ranks"),
    **{name: name for name in (
        "rank_intervals", "aggregate_scores", "bradley_terry", "wilcoxon",
        "performance_profile", "dataset_concordance", "letters",
    )},
    "trade_off": "ranks",
    "simplex": "bayesian_sign",
}  # fmt: skip
PICTURES = list(MAKERS)
#: Pictures that show all metrics in one panel.
POOLED = {"dataset_discrimination", "overview", "rank_flow", "trade_off"}
#: What a picture has to be told.
ASKED = {
    "duel": _TWO,
    "simplex": _TWO,
    "trade_off": {"quality": "accuracy", "cost": "fit_time", "log": False},
}
#: What the function has to be told.
OPTIONS = {
    "critical_difference": _GAPS,
    "bayesian_sign": {"rope": 0.01},
    "simplex": {"rope": 0.01},
    "rank_intervals": {"n_resamples": 50, **_GAPS},
    "aggregate_scores": {"n_resamples": 50, **_GAPS, **_UNEVEN},
    "bradley_terry": {"n_resamples": 50, "prior_strength": 0.5},
    "performance_profile": _UNEVEN,
}
#: One of each kind: a diagram, a map of texts, a plain map, rows of intervals, points.
STAND_FOR_OTHERS = (
    "critical_difference", "pairwise", "transitivity", "rank_intervals", "trade_off",
)  # fmt: skip


def fewer(*kept: str) -> list:
    """List all pictures, those that are not kept as slow tests."""
    return [
        name if name in kept else pytest.param(name, marks=pytest.mark.slow)
        for name in PICTURES
    ]


#: For tests that draw a picture once.
FEWER = fewer(*STAND_FOR_OTHERS)
#: For tests that draw it several times or write files.
FEWEST = fewer("critical_difference", "transitivity", "trade_off")


def asked(name: str) -> dict:
    """All that the method of the accessor has to be told."""
    return ASKED.get(name, {}) | OPTIONS.get(name, {})


@cache
def small(name: str) -> pd.DataFrame:
    """What a picture is drawn of, computed once a process."""
    if name == "letters":
        return bp.letters(ACCURACY.beam.pairwise())
    frame = SCORES if name in POOLED else ACCURACY
    return getattr(frame.beam, MAKERS[name])(**OPTIONS.get(name, {}))


def axes(size: float = 7.0, layout: str | None = None):
    return Figure((size, size), layout=layout).add_subplot()


def call(name: str, result, **options):
    return getattr(bp.plot, name)(result, **ASKED.get(name, {}) | options)


def draw(name: str, **options):
    return call(name, small(name), **options)
