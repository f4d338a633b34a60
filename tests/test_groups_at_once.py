"""Groups that are analysed in one call give what they give one by one."""

import inspect

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import beam_pandas as bp
from beam_pandas.accessor import at_once, grouping
from tests.conftest import IS_WHOLE
from tests.strategies import frame_of
from tests.surface import ARGUMENTS, DIRECTED, EACH_METRIC, GIVEN, assert_same, outcome

FEW = at_once._FEWEST


def scores_of(n_groups, n_datasets=5, n_methods=4, seed=3):
    rng = np.random.default_rng(seed)
    shape = (n_groups, n_datasets, n_methods)
    group, dataset, method = (at.ravel() for at in np.indices(shape))
    return pd.DataFrame(
        {
            "part": [f"p{at:03d}" for at in group],
            "dataset": [f"data {at}" for at in dataset],
            "method": np.array(list("ABCD"))[method],
            "run": 0,
            "score": np.round(rng.random(group.size), 2),
        }
    )


def both_ways(name, frame, by="part", **options):
    """Call by group, one by one and as it comes, and tell whether it was at once."""
    given = GIVEN[name] | ({"higher_is_better": True} if name in DIRECTED else {}) | options
    used = []

    def spy(*args):
        found = original(*args)
        used.append(found is not None)
        return found

    original = at_once.analyse_at_once
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grouping, "analyse_at_once", spy)
        grouped = frame.groupby(by, observed=True)
        found = outcome(lambda: getattr(grouped.beam, name)(*ARGUMENTS[name], **given))
        patch.setattr(grouping, "analyse_at_once", lambda *args: None)
        expected = outcome(lambda: getattr(grouped.beam, name)(*ARGUMENTS[name], **given))
    assert_same(found, expected)
    return used == [True]


@pytest.mark.parametrize("name", EACH_METRIC)
def test_each_function_gives_the_same(name):
    parameters = inspect.signature(getattr(bp, name)).parameters
    at_once_used = both_ways(name, scores_of(FEW))
    assert at_once_used == ("errors" in parameters) or name == "bradley_terry"


def test_fewer_groups_are_looked_at_one_by_one():
    assert both_ways("friedman", scores_of(FEW))
    assert not both_ways("friedman", scores_of(FEW - 1))


@pytest.mark.parametrize(
    "change",
    [
        lambda f: f.drop(f.index[(f["part"] == "p003") & (f["method"] == "B")]),
        lambda f: f.drop(f.index[(f["part"] == "p003") & (f["dataset"] == "data 2")]),
        lambda f: f.assign(metric="f1"),
        lambda f: f.assign(measure=f["dataset"]),  # may name the metric, which is said
        lambda f: f.replace({"dataset": {"data 1": "DATA 0"}}),
        lambda f: f.replace({"dataset": {"data 1": "average"}}),
        lambda f: f.assign(score=f["score"].where(f["part"] != "p002", np.inf)),
        lambda f: f.assign(score=f["score"].where(f["part"] != "p002")),
        lambda f: pd.concat([f, f.iloc[:1]]),
        lambda f: f.assign(dataset=f["dataset"].where(f["part"] != "p001")),
    ],
)
def test_what_is_doubted_or_refused_is_said_of_each_group(change):
    assert not both_ways("friedman", change(scores_of(FEW)))


@pytest.mark.parametrize("dtype", ["category", "object", "string"])
@pytest.mark.parametrize("by", ["part", ["part", "run"], "number"])
def test_keys_and_labels_keep_their_dtype(dtype, by):
    frame = scores_of(FEW).astype({"part": dtype, "method": dtype, "dataset": dtype})
    frame["number"] = pd.factorize(frame["part"])[0][::-1] / 2.0
    names = ("pairwise", "transitivity", "leaderboard") if IS_WHOLE else ("transitivity",)
    for name in names:
        assert both_ways(name, frame.sample(frac=1.0, random_state=1), by=by)


def test_rows_without_a_key_are_left_out():
    frame = scores_of(FEW + 1)
    frame["part"] = frame["part"].where(frame["part"] != "p000")
    assert both_ways("standing", frame)


def test_the_noise_floor_and_unknown_directions_are_refused_as_before():
    frame = scores_of(FEW)
    assert not both_ways("pairwise", frame, rope="noise_floor")
    assert not both_ways("pairwise", frame, higher_is_better=None)


@pytest.mark.slow
@given(
    data=st.data(), missing=st.sampled_from([0.0, 0.05]), name=st.sampled_from(EACH_METRIC)
)
def test_random_groups(data, missing, name):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**31)))
    frame = scores_of(FEW, *rng.integers(2, 6, 1), seed=rng)
    frame.loc[rng.random(len(frame)) < missing, "score"] = np.nan
    both_ways(name, frame)


def test_what_is_silent_inside_is_not_silent_outside():
    frame = frame_of(np.array([[1.0, 2.0], [2.0, 1.0]]))
    doubted = frame.replace({"dataset": {frame["dataset"].iloc[0]: "average"}})
    grouped = pd.concat([doubted.assign(part=at) for at in range(FEW)]).groupby("part")
    with pytest.warns(bp.BeamWarning, match="sum up others"):
        grouped.beam.friedman(higher_is_better=True)
    with pytest.warns(bp.BeamWarning, match="sum up others"):
        doubted.beam.friedman(higher_is_better=True)
