"""Every public function of a frame of scores, and how to compare what comes of it."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import pandas as pd

import beam_pandas as bp
from beam_pandas.accessor.methods import method_names
from beam_pandas.results.vocabulary import columns_of

CONTROL = "A"  # the method that others are compared with, in every good frame
#: Of what must be given, and of what tests need less of.
SAMPLES = {"control": CONTROL, "rope": 0.1, "test_share": 0.1, "n_draws": 2000}


def _parameters(name: str) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(getattr(bp, name)).parameters)


def _having(parameter: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """List the functions that have a parameter."""
    return tuple(name for name in names if parameter in _parameters(name))


def _must_be_given(name: str, *, by_place: bool) -> dict[str, Any]:
    """Give samples of what has no default, or none that suits the tests."""
    return {
        parameter.name: SAMPLES[parameter.name]
        for parameter in _parameters(name).values()
        if parameter.name in SAMPLES
        and (
            parameter.default is parameter.empty
            or parameter.name in ("test_share", "n_draws")
        )
        and (parameter.kind is parameter.KEYWORD_ONLY) != by_place
    }


def _asks_direction(name: str) -> bool:
    """Tell whether a function refuses a metric of unknown direction."""
    rows = [(m, d, "zeal", 1.0) for m in "AB" for d in "xy"]
    frame = pd.DataFrame(rows, columns=["method", "dataset", "metric", "score"])
    needed = [
        SAMPLES[parameter.name]
        for parameter in _parameters(name).values()
        if parameter.default is parameter.empty and parameter.name != "frame"
    ]
    try:
        getattr(bp, name)(frame, *needed)
    except bp.UnknownMetricError:
        return True
    except bp.BeamError:
        return False
    return False


#: All that is known of the functions is read from the stub and from their signatures.
_ALL = tuple(sorted(method_names()))
LONG = _having("keep", _ALL)  # what gives a frame of scores again: tests/test_arranged.py
LASTING = _having("progress", _ALL)  # seconds for a pair: tests/test_hierarchical.py
DOCUMENTED = tuple(name for name in _ALL if name not in LONG)
FUNCTIONS = tuple(name for name in DOCUMENTED if name not in LASTING)
COLUMNS = {name: columns_of(getattr(bp, name)) for name in DOCUMENTED}
TIDY = tuple(name for name in FUNCTIONS if COLUMNS[name])
SQUARE = tuple(name for name in FUNCTIONS if not COLUMNS[name])
EACH_METRIC = tuple(name for name in TIDY if "metric" in COLUMNS[name])
ACROSS_METRICS = tuple(name for name in TIDY if "metric" not in COLUMNS[name])
PAIRS = tuple(
    name for name in TIDY if "method_2" in COLUMNS[name] and "method_3" not in COLUMNS[name]
)
BY_METHOD = tuple(
    name for name in TIDY if "method" in COLUMNS[name] and "dataset" not in COLUMNS[name]
)
BY_METRIC = tuple(
    name
    for name in EACH_METRIC
    if not {"method", "method_1", "dataset", "dataset_1"} & set(COLUMNS[name])
)
DIRECTED = tuple(name for name in FUNCTIONS if _asks_direction(name))
WITH_AGGREGATE = _having("aggregate", FUNCTIONS)
COMPLETE = tuple(
    name
    for name in _having("missing", FUNCTIONS)
    if _parameters(name)["missing"].default == "raise"
)
ROPED = _having("rope", FUNCTIONS)
ARGUMENTS: dict[str, list[Any]] = {
    name: list(_must_be_given(name, by_place=True).values()) for name in DOCUMENTED
}
#: The same by keyword.
GIVEN: dict[str, dict[str, Any]] = {
    name: _must_be_given(name, by_place=False) for name in FUNCTIONS
}
PAIRED_RUNS = _having("test_share", FUNCTIONS)  # they need the labels of runs

_UNITS = {"score", "mean_score", "mean_diff", "median_diff", "estimate", "gap_to_best"}
_UNITS |= {"rope", "scale", "threshold", "smallest_detectable"}
_OF_DIFFERENCE = {"ci_low", "ci_high", "standard_error"}  # or of ranks, elsewhere


def in_units(name: str) -> set[str]:
    """Name the columns of a result that are in the unit of the score."""
    columns = set(COLUMNS[name])
    of_scores = bool({"mean_diff", "estimate"} & columns)
    return (_UNITS | _OF_DIFFERENCE if of_scores else _UNITS) & columns


def run(name: str, frame: Any, **options: Any) -> pd.DataFrame:
    """Call a public function by name, with what it must be given."""
    if name in PAIRED_RUNS and "run" not in frame:
        frame = frame.assign(run=0)
    options = GIVEN[name] | options
    result: pd.DataFrame = getattr(bp, name)(frame, *ARGUMENTS[name], **options)
    return result


class Outcome(NamedTuple):
    """What a call gives: a frame or an error, and the warnings on the way."""

    result: pd.DataFrame | None
    error: tuple[type, str] | None
    warned: list[str]


def arguments(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Take of some options those that a function has."""
    known = {
        "higher_is_better": DIRECTED,
        "missing": COMPLETE,
        "aggregate": WITH_AGGREGATE,
        "uneven_runs": WITH_AGGREGATE,
    }
    return {key: value for key, value in options.items() if name in known[key]}


def call(name: str, frame: Any, *, control: Any = CONTROL, **options: Any) -> Outcome:
    """Call a public function by name."""
    given = [control if value == CONTROL else value for value in ARGUMENTS[name]]
    function = getattr(bp, name)
    kept = GIVEN[name] | arguments(name, options)
    return outcome(lambda: function(frame, *given, **kept))


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
