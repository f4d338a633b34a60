"""
Whatever a frame is, a function gives what the definition says or raises a `BeamError`.

Ten thousand frames: ``python -m pytest tests/test_odd_frames.py --hypothesis-profile many``.
"""

import inspect
import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import beam_pandas as bp
from tests.conftest import CORE, IS_WHOLE
from tests.odd_frames import NO_FRAMES, ODD_OPTIONS, odd_frames
from tests.surface import (
    ARGUMENTS,
    DOCUMENTED,
    FUNCTIONS,
    GIVEN,
    assert_same,
    call,
    outcome,
)

PARAMETERS = {
    name: [p for p in inspect.signature(getattr(bp, name)).parameters if p != "frame"]
    for name in FUNCTIONS
}
SOME = FUNCTIONS if IS_WHOLE else tuple(sorted(CORE))  # the rest is for patient people
slow = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def written_plainly(frame):
    """
    Read a frame cell by cell and write it again as an ordinary one.

    In plain Python, without the package: the labels become text or floats in sorted order,
    the scores floats, missing ones are left out. A reference for what is accepted.
    """
    names = [
        name for name in ("method", "dataset", "metric") if name in list(frame.columns)
    ]
    rows = []
    for at in range(len(frame)):
        label = {name: frame[name].iloc[at] for name in names}
        score = frame["score"].iloc[at]
        label["score"] = math.nan if pd.isna(score) else float(str(score))
        rows.append(label)
    plain = pd.DataFrame(rows, columns=[*names, "score"])
    for name in names:
        column = frame[name]
        if isinstance(column.dtype, pd.CategoricalDtype):
            order = [label for label in column.cat.categories if label in set(column)]
        else:
            order = sorted(set(column))
        plain[name] = pd.Categorical(plain[name].tolist(), pd.Index(order))
    return plain.astype({"score": "float64"})


def without_categories(found):
    """Turn labels into objects, in a result and in the text of an error."""
    if found.result is None:
        return found
    result = found.result.reset_index()
    result.columns = [n if isinstance(n, str) else str(float(n)) for n in result.columns]
    for at, name in enumerate(result):
        if name.startswith(
            ("metric", "method", "dataset", "control", "condorcet", "best_", "groups")
        ):
            values = [None if pd.isna(value) else value for value in result.iloc[:, at]]
            result.isetitem(at, pd.Series(values, index=result.index, dtype=object))
    return found._replace(result=result)


@slow
@given(odd_frames())
def test_every_function_gives_a_result_or_a_reason_and_touches_nothing(frame):
    before = frame.copy(deep=True)
    for name in SOME:
        found = call(name, frame, higher_is_better=True)
        assert (found.result is None) != (found.error is None)
        if found.result is not None:
            assert type(found.result) is pd.DataFrame
    pd.testing.assert_frame_equal(frame, before, check_exact=True)
    assert isinstance(repr(frame.beam), str)


@slow
@given(odd_frames())
def test_what_is_accepted_is_read_as_it_is_written(frame):
    accepted = call("coverage", frame)
    if accepted.result is None:
        return
    plain = written_plainly(frame)
    for name in SOME:
        options = {"higher_is_better": True, "aggregate": "mean", "missing": "drop_methods"}
        found = without_categories(call(name, frame, **options))
        expected = without_categories(call(name, plain, **options))
        if expected.result is None or found.result is None:
            assert (found.error is None) == (expected.error is None), (found, expected)
            assert found.error[0] is expected.error[0]
        else:
            pd.testing.assert_frame_equal(found.result, expected.result, check_dtype=False)


@slow
@given(st.data(), odd_frames())
def test_odd_options_give_a_result_or_a_reason(data, frame):
    for name in SOME:
        known = [key for key in PARAMETERS[name] if key in ODD_OPTIONS]
        chosen = data.draw(st.sets(st.sampled_from(known), max_size=3)) if known else set()
        chosen |= {"control", "rope"}.intersection(known[:1])  # the first has no default
        options = {
            key: data.draw(st.sampled_from(ODD_OPTIONS[key])) for key in sorted(chosen)
        }
        function = getattr(bp, name)
        found = outcome(lambda f=function, o=options: f(frame, **o))
        assert (found.result is None) != (found.error is None)
        by_method = outcome(lambda n=name, o=options: getattr(frame.beam, n)(**o))
        assert_same(by_method, found)


@slow
@given(st.data(), odd_frames())
def test_odd_groups_give_a_result_or_a_reason(data, frame):
    keys = [name for name in frame.columns if list(frame.columns).count(name) == 1]
    if not keys or isinstance(frame.columns, pd.MultiIndex):
        return
    by = data.draw(st.sampled_from(keys))
    options = {
        "sort": data.draw(st.booleans()),
        "observed": data.draw(st.booleans()),
        "dropna": data.draw(st.booleans()),
    }
    if pd.isna(by) if np.isscalar(by) or by is None else False:
        return  # pandas does not group by such a name
    try:
        grouped = frame.groupby([by], **options)
        list(grouped)
    except (TypeError, ValueError, NotImplementedError, KeyError, ArithmeticError):
        return  # labels that pandas itself cannot group by
    for name in SOME:
        known = {} if name in ("coverage", "missing_scores", "wide_scores") else {
            "higher_is_better": True}  # fmt: skip
        extra, known = ARGUMENTS[name], known | GIVEN[name]
        found = outcome(lambda n=name, k=known, e=extra: getattr(grouped.beam, n)(*e, **k))
        assert (found.result is None) != (found.error is None)


@pytest.mark.parametrize("name", [*DOCUMENTED, "from_matrix", "from_columns", "to_matrix"])
@given(NO_FRAMES)
def test_what_is_no_frame_is_refused_by_every_function(name, value):
    extra = {
        "compare_to_control": {"control": "A"},
        "bayesian_sign": {"rope": 0.1},
        "bayesian_signed_rank": {"rope": 0.1},
        "correlated_t": {"rope": 0.1},
        "hierarchical": {"rope": 0.1},
        "required_datasets": {"rope": 0.1},
        "to_matrix": {"values": "wins"},
        "from_columns": {"scores": ["accuracy"]},
    }
    function = getattr(bp, name)
    found = outcome(lambda: function(value, **extra.get(name, {})))
    assert found.error[0] is bp.ScoreTypeError
    assert "DataFrame" in found.error[1]


@slow
@given(st.data(), odd_frames())
def test_other_shapes_give_a_long_frame_or_a_reason(data, frame):
    names = st.sampled_from(
        [*list(frame.columns), "nowhere", None, ["score"], 1, ("a", "b")]
    )
    for _ in range(4):
        metric = data.draw(st.one_of(st.just("accuracy"), names))
        found = outcome(lambda m=metric: bp.from_matrix(frame, metric=m))
        assert (found.result is None) != (found.error is None)
        columns = data.draw(st.one_of(st.lists(names, max_size=2), names))
        found = outcome(lambda c=columns: bp.from_columns(frame, scores=c))
        assert (found.result is None) != (found.error is None)
        column = data.draw(st.one_of(st.sampled_from(["wins", "p_value", "score"]), names))
        found = outcome(lambda c=column: bp.to_matrix(frame, c))
        assert (found.result is None) != (found.error is None)


@pytest.mark.slow
def test_the_strategy_makes_frames_of_both_kinds():
    seen = Counter()

    @settings(slow, max_examples=300, derandomize=True, database=None)
    @given(odd_frames())
    def count(frame):
        for name in ("coverage", "pairwise", "friedman"):
            found = call(name, frame, higher_is_better=True)
            seen[name, "result" if found.error is None else found.error[0].__name__] += 1

    count()
    for name in ("coverage", "pairwise", "friedman"):
        assert seen[name, "result"] >= 8, seen
    kinds = {kind for _, kind in seen}
    assert {"BeamError", "ScoreTypeError", "MissingColumnsError", "DuplicateScoresError",
            "IncompleteScoresError"} <= kinds  # fmt: skip
