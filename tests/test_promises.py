"""The four promises, and what follows from them, on any good frame, for every function."""

import os

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import beam_pandas as bp
from beam_pandas.results.squares import mirrored
from tests.conftest import IS_WHOLE
from tests.strategies import frame_of, good_frames, matrices
from tests.surface import (
    ACROSS_METRICS,
    ARGUMENTS,
    BY_METHOD,
    BY_METRIC,
    COLUMNS,
    COMPLETE,
    CONTROL,
    DIRECTED,
    FUNCTIONS,
    GIVEN,
    PAIRS,
    ROPED,
    SQUARE,
    TIDY,
    WITH_AGGREGATE,
    arguments,
    assert_same,
    call,
    in_units,
    outcome,
    plain,
)

few = settings(
    max_examples=12 if IS_WHOLE else 5, suppress_health_check=[HealthCheck.too_slow]
)
every = pytest.mark.parametrize("name", FUNCTIONS)
MISSING = st.sampled_from(["raise", "drop_methods", "drop_datasets"])
NEW_NAMES = {"A": "K", "B": "Ki", "C": "L", "D": "M 1", "E": "N"}  # in the same order
TURNED = {"A": "Z", "B": "Y", "C": "X", "D": "W", "E": "V"}  # in the opposite order
INDEXES = {
    "all the same": lambda n: pd.Index(np.zeros(n, dtype=int), name="run"),
    "named as a column": lambda n: pd.Index([f"A{at}" for at in range(n)], name="method"),
    "missing": lambda n: pd.Index([np.nan] * n),
    "levels": lambda n: pd.MultiIndex.from_product(
        [["x"], range(n)], names=["method", None]
    ),
    "time": lambda n: pd.date_range("2020", periods=n, freq="D")[::-1],
    "category": lambda n: pd.CategoricalIndex(["z"] * n),
}


def told(frame):
    """The options that a good frame needs."""
    return {} if "metric" in frame else {"higher_is_better": True}


def relabel(frame, names, column="method"):
    """Give labels new names, in categories too; the dtype stays."""
    labels = frame[column]
    if isinstance(labels.dtype, pd.CategoricalDtype):
        return frame.assign(**{column: labels.cat.rename_categories(names)})
    return frame.assign(**{column: labels.map(names).astype(labels.dtype)})


# 1. Order never matters ----------------------------------------------------------------


@every
@few
@given(st.data(), good_frames(), MISSING)
def test_rows_index_and_other_columns_in_any_order(name, data, frame, missing):
    rows = data.draw(st.permutations(range(len(frame))))
    columns = data.draw(
        st.permutations(["score", "method", "dataset", "metric", "beam", "x"])
    )
    other = frame.assign(beam=1, x=[[at] for at in range(len(frame))])
    other = other.loc[:, [column for column in columns if column in other]]
    other = other.iloc[list(rows)]
    index = INDEXES[data.draw(st.sampled_from(sorted(INDEXES)))]
    other.index = index(len(other))
    options = {"missing": missing, **told(frame)}
    assert_same(
        call(name, other, **options), call(name, frame, **options), check_exact=True
    )


def categories(labels, unused):
    """Make labels categories, in sorted order, some of them unused."""
    order = sorted({*labels, *unused})
    return pd.Categorical(labels.astype(object), order)


@every
@few
@given(good_frames(), MISSING)
def test_unused_categories_change_nothing(name, frame, missing):
    options = {"missing": missing, **told(frame)}
    labels = [column for column in ("method", "dataset", "metric") if column in frame]
    categorical = frame.assign(**{c: categories(frame[c], []) for c in labels})
    padded = frame.assign(**{c: categories(frame[c], ["0", "z"]) for c in labels})
    found = call(name, padded, **options)
    assert_same(found, call(name, categorical, **options), labels=False, check_exact=True)


@every
@few
@given(good_frames(), MISSING)
def test_new_names_in_the_same_order_only_rename(name, frame, missing):
    options = {"missing": missing, **told(frame)}
    expected = call(name, frame, **options)
    found = call(name, relabel(frame, NEW_NAMES), control=NEW_NAMES[CONTROL], **options)
    if expected.result is None:
        assert found.error is not None
        assert found.error[0] is expected.error[0]
        return
    renamed = plain(expected.result).replace({"unused": "unused"} | NEW_NAMES)
    if name in SQUARE:
        renamed = plain(renamed.rename(index=NEW_NAMES, columns=NEW_NAMES))
    groups = [column for column in renamed if column == "groups"]
    renamed[groups] = expected.result[groups].astype(object)  # letters, not labels
    pd.testing.assert_frame_equal(plain(found.result), renamed, check_exact=True)


@pytest.mark.parametrize("name", PAIRS)
@few
@given(good_frames(), MISSING)
def test_names_in_the_opposite_order_turn_each_pair(name, frame, missing):
    options = {"missing": missing, **told(frame)}
    frame = frame.astype({"method": object})
    expected = call(name, frame, **options).result
    found = call(name, relabel(frame, TURNED), **options).result
    if expected is None:
        assert found is None
        return
    back = {new: old for old, new in TURNED.items()}
    keys = [c for c in ("metric", "method_1", "method_2") if c in expected]
    found = found.assign(
        method_1=found["method_2"].map(back), method_2=found["method_1"].map(back)
    ).astype(expected.dtypes)
    found = found.sort_values(keys, ignore_index=True)
    expected = expected.sort_values(keys, ignore_index=True)
    pd.testing.assert_frame_equal(found[keys], expected[keys], check_dtype=False)
    for column in COLUMNS[name]:
        if column not in ("metric", "dataset", "method_1", "method_2"):
            _, other = mirrored(found, column)
            pd.testing.assert_series_equal(other.rename(column), expected[column])


@pytest.mark.parametrize("name", [*BY_METHOD, *BY_METRIC])
@few
@given(good_frames(), MISSING)
def test_names_in_the_opposite_order_do_not_change_what_a_method_gets(name, frame, missing):
    options = {"missing": missing, **told(frame)}
    frame = frame.astype({"method": object})
    expected = call(name, frame, **options).result
    turned = relabel(frame, TURNED)
    found = call(name, turned, control=TURNED[CONTROL], **options).result
    if expected is None:
        assert found is None
        return
    back = {new: old for old, new in TURNED.items()}
    for column in ("method", "control", "condorcet_method"):
        if column in found:
            found[column] = found[column].map(back, na_action="ignore")
    names = ("metric", "groups", "method", "threshold")
    found = found.drop(columns="component", errors="ignore")  # numbered in label order
    expected = expected.drop(columns="component", errors="ignore")
    keys = [column for column in names if column in expected]
    if keys:
        found = found.sort_values(keys, ignore_index=True)
        expected = expected.sort_values(keys, ignore_index=True)
    pd.testing.assert_frame_equal(plain(found), plain(expected), rtol=1e-9)


# 2. Nothing is guessed ------------------------------------------------------------------


@every
@few
@given(st.data(), good_frames())
def test_a_score_that_comes_twice_is_an_error_until_told_what_to_make_of_it(
    name, data, frame
):
    scored = np.flatnonzero(frame["score"].notna())
    if name not in WITH_AGGREGATE or not len(scored):
        return
    at = data.draw(st.sampled_from(scored.tolist()))
    again = pd.concat([frame, frame.iloc[[at]]])
    options = {"missing": "drop_methods", **told(frame)}
    kind, text = call(name, again, **options).error
    if kind is not bp.DuplicateScoresError:  # some metrics are refused before
        assert frame["metric"].nunique() == 2 or "negated" in text or "at least one" in text
        return
    assert f"2 for {frame['method'].iloc[at]!r} on {frame['dataset'].iloc[at]!r}" in text
    for how in ("mean", "median"):
        found = call(name, again, aggregate=how, uneven_runs="ignore", **options)
        if found.error is not None:  # where there are runs, what they can be asked is said
            kept = found.error[1].split("; on one dataset, correlated_t")[0]
            found = found._replace(error=(found.error[0], kept))
        assert_same(found, call(name, frame, **options), check_exact=True)


@pytest.mark.parametrize("name", DIRECTED)
@few
@given(good_frames())
def test_an_unknown_metric_is_an_error(name, frame):
    unknown = frame.assign(metric="zeal")
    assert call(name, unknown).error[0] is bp.UnknownMetricError
    unnamed = frame.drop(columns="metric", errors="ignore")
    assert call(name, unnamed).error[0] is bp.UnknownMetricError


@pytest.mark.parametrize("name", COMPLETE)
@few
@given(good_frames())
def test_missing_scores_are_an_error_where_complete_ones_are_needed(name, frame):
    found = call(name, frame, **told(frame))
    counted = call("coverage", frame).result
    metrics = [counted] if "metric" not in frame else [g for _, g in counted.groupby(
        "metric", observed=True)]  # fmt: skip
    scored = [part for part in metrics if part["n_scores"].sum()]
    small = any((part["n_scores"] + part["n_missing"]).max() < 2 for part in metrics)
    holes = any(part["n_missing"].sum() for part in scored)
    if found.error is None:
        assert not holes
    elif len(scored) == len(metrics) and not small and "negated" not in found.error[1]:
        assert holes == (found.error[0] is bp.IncompleteScoresError)


@every
@few
@given(st.data(), good_frames())
def test_an_infinite_score_is_an_error(name, data, frame):
    at = data.draw(st.integers(0, len(frame) - 1))
    value = data.draw(st.sampled_from([np.inf, -np.inf]))
    score = frame["score"].astype("float64").mask(np.arange(len(frame)) == at, value)
    kind, text = call(name, frame.assign(score=score), **told(frame)).error
    assert kind is bp.BeamError
    assert f"found 1 infinite score: {frame['method'].iloc[at]!r} on " in text


# 3. Nothing is touched ------------------------------------------------------------------


@every
@settings(
    few,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(frame=good_frames(runs=True), missing=MISSING)
def test_frame_and_surroundings_stay_as_they_are(name, capfd, frame, missing):
    frame.attrs = {"source": ["paper"], "metric": "other"}
    before, values = frame.copy(deep=True), frame["score"].to_numpy(copy=True)
    options = {
        key: pd.get_option(key) for key in ("display.precision", "mode.sim_interactive")
    }
    state, folder, errors = np.random.get_state()[1].copy(), os.getcwd(), np.geterr()  # noqa: NPY002, PTH109
    call(name, frame, missing=missing, aggregate="mean", **told(frame))
    pd.testing.assert_frame_equal(frame, before, check_exact=True)
    np.testing.assert_array_equal(frame["score"].to_numpy(), values)
    assert frame.attrs == {"source": ["paper"], "metric": "other"}
    assert {key: pd.get_option(key) for key in options} == options
    np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002
    assert (os.getcwd(), np.geterr()) == (folder, errors)  # noqa: PTH109
    assert capfd.readouterr() == ("", "")


@every
@few
@given(good_frames(), MISSING)
def test_what_is_done_to_a_result_does_not_reach_the_frame_nor_the_next_result(
    name, frame, missing
):
    options = {"missing": missing, **told(frame)}
    first = call(name, frame, **options)
    if first.result is None:
        return
    before, expected = frame.copy(deep=True), first.result.copy(deep=True)
    for at, dtype in enumerate(first.result.dtypes):
        if dtype.kind in "iuf" and len(first.result):
            first.result.iloc[:, at] = dtype.type(7)
    pd.testing.assert_frame_equal(frame, before, check_exact=True)
    again = call(name, frame, **options).result
    pd.testing.assert_frame_equal(again, expected, check_exact=True)


# 4. The same answer everywhere ----------------------------------------------------------


@every
@few
@given(good_frames(), MISSING)
def test_function_method_pipe_and_group_give_the_same(name, frame, missing):
    options = {"missing": missing, **told(frame)}
    expected = call(name, frame, **options)
    extra, kept = ARGUMENTS[name], GIVEN[name] | arguments(name, options)
    ways = {
        "method": lambda: getattr(frame.beam, name)(*extra, **kept),
        "pipe": lambda: frame.pipe(getattr(bp, name), *extra, **kept),
    }
    if "metric" in frame and name not in ACROSS_METRICS:
        for sort in (True, False):
            grouped = frame.groupby("metric", sort=sort, observed=sort)
            ways[f"group {sort}"] = lambda g=grouped: getattr(g.beam, name)(*extra, **kept)
    for way in ways.values():
        assert_same(outcome(way), expected, check_exact=True)


@pytest.mark.parametrize("name", TIDY)
@few
@given(good_frames(), MISSING)
def test_a_group_is_what_its_rows_alone_give(name, frame, missing):
    options = {"missing": missing, **told(frame)}
    expected = call(name, frame, **options)
    key = pd.Series(["k"] * len(frame), index=frame.index)
    extra, kept = ARGUMENTS[name], GIVEN[name] | arguments(name, options)
    grouped = frame.assign(key=key).groupby("key")
    found = outcome(lambda: getattr(grouped.beam, name)(*extra, **kept))
    if expected.error is None:
        assert found.result.pop("key").tolist() == ["k"] * len(expected.result)
        pd.testing.assert_frame_equal(found.result, expected.result, check_exact=True)
    else:
        assert found.error == (expected.error[0], f"in group key='k': {expected.error[1]}")


# Direction and scale --------------------------------------------------------------------


def turned_back(result):
    """Turn what is in the unit of the score and not turned by direction."""
    result = result.copy()
    for column in {"score", "mean_score", "estimate", "threshold"}.intersection(result):
        result[column] *= -1.0
    if "estimate" in result:
        result["ci_low"], result["ci_high"] = -result["ci_high"], -result["ci_low"]
    if "threshold" in result:
        block = result.groupby([c for c in ("metric", "method") if c in result],
                               observed=True, sort=False)  # fmt: skip
        result["threshold"] = block["threshold"].transform(
            lambda values: values[::-1].array
        )
        result["share"] = block["share"].transform(lambda values: values[::-1].array)
    return result


@pytest.mark.parametrize("name", DIRECTED)
@few
@given(good_frames(), MISSING)
def test_turning_sign_and_direction_changes_nothing(name, frame, missing):
    gain = call(name, frame, missing=missing, higher_is_better=True)
    turned = frame.assign(score=-frame["score"])
    loss = call(name, turned, missing=missing, higher_is_better=False)
    if loss.result is not None:
        loss = loss._replace(result=turned_back(loss.result))
    assert loss.error == gain.error
    if gain.result is not None:  # sums of scores may differ in the last digit
        pd.testing.assert_frame_equal(loss.result, gain.result, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", DIRECTED)
@few
@given(good_frames(), MISSING, st.sampled_from([2.0, 0.25, 1024.0]))
def test_a_power_of_two_as_unit_changes_only_what_has_the_unit(name, frame, missing, unit):
    frame = frame.drop(columns="metric", errors="ignore")
    frame = frame[(frame["score"].abs() > 1e-290) & (frame["score"].abs() < 1e290)]
    if not len(frame):
        return
    options = {"missing": missing, "higher_is_better": True}
    expected = call(name, frame, **options)
    scaled = frame.assign(score=frame["score"] * unit)
    if name in ROPED:  # the rope has the unit too
        function, kept = getattr(bp, name), arguments(name, options)
        expected = outcome(lambda: function(frame, rope=0.125, **kept))
        found = outcome(lambda: function(scaled, rope=0.125 * unit, **kept))
    else:
        found = call(name, scaled, **options)
    if expected.result is None:
        assert found.error == expected.error
        return
    result = found.result.copy()
    for column in in_units(name):
        result[column] /= unit
    pd.testing.assert_frame_equal(result, expected.result, rtol=1e-12)


RANKS_ALONE = ("friedman", "critical_difference", "cliques", "nemenyi", "compare_to_control",
               "skillings_mack", "adjusted_rank_sums", "transitivity", "majority",
               "circular_triads", "comparison_matrix", "standing",
               "dataset_concordance", "coverage", "missing_scores")  # fmt: skip


@pytest.mark.parametrize("name", RANKS_ALONE)
@few
@given(matrices(missing=True), MISSING)
def test_what_depends_on_ranks_alone_is_the_same_for_any_rising_function(
    name, matrix, missing
):
    frame = frame_of(matrix, None).replace({"method": {"m0": CONTROL}})
    options = {"missing": missing, "higher_is_better": True}
    expected = call(name, frame, **options)
    for rising in (np.exp, np.cbrt, lambda score: 100 * score - 3):
        found = call(name, frame.assign(score=rising(frame["score"])), **options)
        assert_same(found, expected, check_exact=True)
