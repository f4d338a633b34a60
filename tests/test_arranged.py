"""Frames of scores arranged anew: one metric of several, families of datasets."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import beam_pandas as bp
from beam_pandas.gate.registry import find_metric
from tests.tables import TIES, long

TASKS = pd.DataFrame(
    [
        ("A", "qa", "accuracy", 0.9),
        ("B", "qa", "accuracy", 0.7),
        ("C", "qa", "accuracy", 0.8),
        ("A", "lm", "perplexity", 12.0),
        ("B", "lm", "perplexity", 20.0),
        ("C", "lm", "perplexity", None),
        ("A", "mt", "bleu", 30.0),
        ("B", "mt", "bleu", 30.0),
        ("A", "mt", "ter", 0.5),
        ("B", "mt", "ter", 0.4),
    ],
    columns=["method", "dataset", "metric", "score"],
)


def cells(frame):
    return frame.set_index(["method", "dataset"])["score"]


def test_losses_are_turned_and_each_task_has_a_name():
    merged = bp.merge_metrics(TASKS)
    assert list(merged.columns) == ["method", "dataset", "metric", "score"]
    assert set(merged["metric"]) == {"merged_benefit"}
    assert set(merged["dataset"]) == {"qa", "lm", "mt | bleu", "mt | ter"}
    at = cells(merged)
    assert at["A", "lm"] == -12.0
    assert at["B", "mt | ter"] == -0.4
    assert np.isnan(at["C", "lm"])
    assert len(merged) == len(TASKS)
    assert find_metric("merged_benefit").higher_is_better
    pairs = merged.beam.pairwise(control="A")
    assert pairs[["wins", "ties", "losses"]].iloc[0].tolist() == [2, 1, 1]


def test_scaled_tasks_lie_between_0_and_1():
    at = cells(bp.merge_metrics(TASKS, scale="min_max"))
    assert [at[m, "qa"] for m in "ABC"] == [1.0, 0.0, pytest.approx(0.5, abs=1e-15)]
    assert [at[m, "lm"] for m in "AB"] == [1.0, 0.0]
    assert [at[m, "mt | bleu"] for m in "AB"] == [0.0, 0.0]  # all equal
    assert [at[m, "mt | ter"] for m in "AB"] == [0.0, 1.0]


@given(st.randoms(use_true_random=False))
def test_the_order_of_rows_is_no_matter(random):
    rows = list(range(len(TASKS)))
    random.shuffle(rows)
    shuffled = TASKS.iloc[rows].assign(more=1)
    before = shuffled.copy(deep=True)
    pd.testing.assert_frame_equal(bp.merge_metrics(shuffled), bp.merge_metrics(TASKS))
    by = {"qa": "text", "lm": "text"}
    pd.testing.assert_frame_equal(
        bp.fold_datasets(shuffled, by), bp.fold_datasets(TASKS, by)
    )
    pd.testing.assert_frame_equal(shuffled, before)


def test_one_metric_a_dataset_keeps_labels_as_they_are():
    numbered = TIES.assign(dataset=pd.Series([7, 8, 9, 3] * 3, dtype="Int64"))
    merged = bp.merge_metrics(numbered)
    assert merged["dataset"].dtype == "Int64"
    pd.testing.assert_frame_equal(
        merged.beam.ranks().drop(columns="metric"),
        numbered.beam.ranks().drop(columns="metric"),
    )
    both = pd.concat([numbered, numbered.query("dataset == 7").assign(metric="f1")])
    merged = bp.merge_metrics(both)
    assert set(merged["dataset"]) == {"3", "7 | accuracy", "7 | f1", "8", "9"}


def test_runs_and_further_columns_are_kept_and_nothing_is_aggregated():
    runs = pd.concat([TASKS.assign(run=run, domain="text") for run in (1, 2)])
    merged = bp.merge_metrics(runs, keep=["domain"])
    assert list(merged.columns) == ["method", "dataset", "domain", "metric", "run", "score"]
    assert len(merged) == 2 * len(TASKS)
    assert merged["run"].value_counts().tolist() == [len(TASKS)] * 2


def test_all_ways_to_call_give_the_same_but_by_metric_there_is_none():
    frame = TASKS.assign(domain=["a"] * 6 + ["b"] * 4)
    expected = bp.merge_metrics(frame)
    pd.testing.assert_frame_equal(frame.beam.merge_metrics(), expected)
    pd.testing.assert_frame_equal(frame.pipe(bp.merge_metrics), expected)
    grouped = frame.groupby("domain").beam.merge_metrics()
    assert grouped.columns[0] == "domain"
    assert len(grouped) == len(frame)
    for key in ("metric", ["domain", "metric"]):
        with pytest.raises(bp.BeamError, match="a group by metric has only one"):
            frame.groupby(key).beam.merge_metrics()


def test_directions_are_no_guess():
    odd = TASKS.replace({"ter": "zeal"})
    with pytest.raises(bp.UnknownMetricError, match=r"\{'zeal': \.\.\.\}"):
        bp.merge_metrics(odd)
    at = cells(bp.merge_metrics(odd, higher_is_better={"zeal": True}))
    assert at["A", "mt | zeal"] == 0.5
    negated = TASKS.assign(score=-TASKS["score"])
    with pytest.raises(bp.BeamError, match="look negated"):
        bp.merge_metrics(negated)
    with pytest.raises(bp.BeamError, match="scale must be one of"):
        bp.merge_metrics(TASKS, scale="z")


def test_two_tasks_of_one_name_are_refused():
    frame = pd.concat([TASKS, TASKS.iloc[:3].assign(dataset="mt | ter")])
    with pytest.raises(bp.BeamError, match=r"names of their own, found 'mt \| ter'"):
        bp.merge_metrics(frame)


# Families of datasets -------------------------------------------------------------------

NAMED = long({"A": [0.9, 0.8, 0.7], "B": [0.8, 0.9, 0.6]}, "accuracy").replace(
    {"d01": "iris_rep1", "d02": "iris_rep2", "d03": "wine"}
)


def test_replicates_become_runs_by_pattern_or_mapping():
    by = {"iris_rep1": "iris", "iris_rep2": "iris"}
    expected = bp.fold_datasets(NAMED, by)
    pd.testing.assert_frame_equal(bp.fold_datasets(NAMED, r"(.+)_rep\d+"), expected)
    pd.testing.assert_frame_equal(NAMED.beam.fold_datasets(by), expected)
    assert list(expected.columns) == ["method", "dataset", "metric", "run", "score"]
    at = expected.set_index(["method", "dataset", "run"])["score"]
    assert at["A", "iris", "iris_rep2"] == 0.8
    assert at["B", "wine", "wine"] == 0.6
    pairs = expected.beam.pairwise(aggregate="mean")
    assert pairs["n_datasets"].tolist() == [2]


def test_a_run_before_is_joined():
    runs = pd.concat([NAMED.assign(run=run) for run in (0, 1)])
    folded = bp.fold_datasets(runs, r"(.+)_rep\d+")
    assert len(folded) == 12
    assert "iris_rep1 / 0" in set(folded["run"])
    assert "wine / 1" in set(folded["run"])


def test_further_columns_are_kept_on_request():
    frame = NAMED.assign(stderr=range(6))
    folded = bp.fold_datasets(frame, r"(.+)_rep\d+", keep=["stderr"])
    merged = folded.merge(frame, left_on=["method", "run"], right_on=["method", "dataset"])
    assert (merged["stderr_x"] == merged["stderr_y"]).all()


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ({"rose": "iris"}, "by names 'rose', not found among the datasets 'iris_rep1'"),
        (r".+_rep\d+", "must have a group that is the family"),
        (r"(.+)_fold\d+", "matches none of the datasets"),
        (r"(", "must be a regular expression"),
        (3, "must be a mapping from dataset to family or a regular expression, got 3"),
    ],
)
def test_families_that_cannot_be(by, message):
    with pytest.raises(bp.BeamError, match=message):
        bp.fold_datasets(NAMED, by)


@pytest.mark.parametrize("value", [None, [1], {"a": 1}])
def test_what_is_no_frame(value):
    for call in (bp.merge_metrics, lambda frame: bp.fold_datasets(frame, "(.)")):
        with pytest.raises(bp.ScoreTypeError, match="must be a pandas DataFrame"):
            call(value)


@pytest.mark.parametrize(
    ("keep", "message"),
    [
        ("domain", "keep must be a list of columns"),
        (["score"], "besides those of the result"),
        (["domain"], "'domain' not found among"),
    ],
)
def test_columns_to_keep_that_cannot_be(keep, message):
    with pytest.raises(bp.BeamError, match=message):
        bp.merge_metrics(TASKS, keep=keep)
