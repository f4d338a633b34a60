"""Every public function of a frame of scores, and how to compare what comes of it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import pandas as pd

import beam_pandas as bp

CONTROL = "A"  # the method that others are compared with, in every good frame

ARGUMENTS: dict[str, list[Any]] = {
    "compare_to_control": [CONTROL],
    "bayesian_sign": [0.1],
}
FUNCTIONS = (
    "adjusted_rank_sums",
    "bayesian_sign",
    "circular_triads",
    "cliques",
    "compare_to_control",
    "comparison_matrix",
    "coverage",
    "critical_difference",
    "dataset_concordance",
    "dataset_discrimination",
    "friedman",
    "majority",
    "missing_scores",
    "nemenyi",
    "pairwise",
    "pooled_scores",
    "ranks",
    "skillings_mack",
    "standing",
    "transitivity",
    "wide_scores",
)
COMPLETE = ("cliques", "compare_to_control", "critical_difference", "friedman", "nemenyi")
UNDIRECTED = ("coverage", "missing_scores", "wide_scores")
DIRECTED = tuple(name for name in FUNCTIONS if name not in UNDIRECTED)
SQUARE = ("comparison_matrix", "wide_scores")
TIDY = tuple(name for name in FUNCTIONS if name not in SQUARE)
WITHOUT_RUNS = ("coverage", "missing_scores")  # they count runs, whatever they are


class Outcome(NamedTuple):
    """What a call gives: a frame or an error, and the warnings on the way."""

    result: pd.DataFrame | None
    error: tuple[type, str] | None
    warned: list[str]


def arguments(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Take of some options those that a function has."""
    known = {"higher_is_better": DIRECTED, "missing": COMPLETE}
    known["aggregate"] = tuple(n for n in FUNCTIONS if n not in WITHOUT_RUNS)
    return {key: value for key, value in options.items() if name in known[key]}


def call(name: str, frame: Any, *, control: Any = CONTROL, **options: Any) -> Outcome:
    """Call a public function by name."""
    given = [control] if name == "compare_to_control" else ARGUMENTS.get(name, [])
    function = getattr(bp, name)
    return outcome(lambda: function(frame, *given, **arguments(name, options)))


def outcome(thunk: Callable[[], pd.DataFrame]) -> Outcome:
    """Run something; only a `BeamError` is an outcome, and only a `BeamWarning` is let by."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("error")
        warnings.simplefilter("always", bp.BeamWarning)
        try:
            result, error = thunk(), None
        except bp.BeamError as found:
            result, error = None, (type(found), str(found))
    assert error is None or error[1].strip()
    return Outcome(result, error, sorted(str(warning.message) for warning in caught))


def assert_same(
    found: Outcome, expected: Outcome, *, labels: bool = True, **kwargs: Any
) -> None:
    """Compare two outcomes; the dtype of labels only if asked for."""
    assert found.error == expected.error
    assert found.warned == expected.warned
    if expected.result is not None:
        assert found.result is not None
        one, other = found.result, expected.result
        if not labels:
            one, other = plain(one), plain(other)
        pd.testing.assert_frame_equal(one, other, **kwargs)


def plain(result: pd.DataFrame) -> pd.DataFrame:
    """Turn the labels of a result, in columns or index, into plain objects."""
    result = result.copy()
    for name in result.columns[
        [not pd.api.types.is_numeric_dtype(d) for d in result.dtypes]
    ]:
        result[name] = result[name].astype(object).where(result[name].notna(), None)
    if not isinstance(result.index, pd.RangeIndex):
        result.columns = result.columns.astype(object)
        names = result.index.names
        result.index = pd.MultiIndex.from_tuples(
            [label if isinstance(label, tuple) else (label,) for label in result.index]
        ).set_names(names)
    return result
