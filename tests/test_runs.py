"""Runs: their labels, their number, and what is made of them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import beam_pandas as bp
from tests.surface import DIRECTED, WITH_AGGREGATE, run

COLUMNS = ["method", "dataset", "run", "score"]


def hard_folds(column="run"):
    """A fails on the hard folds 3 and 4 of six datasets; where both have a score B wins."""
    rows = [("A", f"d{d}", f, None if f > 2 else 0.90) for d in range(6) for f in range(5)]
    rows += [("B", f"d{d}", f, 0.52 if f > 2 else 0.92) for d in range(6) for f in range(5)]
    return pd.DataFrame(rows, columns=["method", "dataset", column, "score"])


def tried_once_or_four_times():
    """Both solve one task in four; A was tried once, B four times."""
    rows = []
    for t in range(20):
        rows += [("A", f"t{t}", float(t % 4 == 0))]
        rows += [("B", f"t{t}", float(k == t % 4)) for k in range(4)]
    return pd.DataFrame(rows, columns=["method", "dataset", "score"])


@pytest.mark.parametrize("name", [name for name in WITH_AGGREGATE if name in DIRECTED])
def test_failed_runs_are_no_reason_to_win(name):
    with pytest.raises(bp.UnevenRunsError, match="cells of 3 to 5 runs: 'A' lacks 12 on"):
        run(name, hard_folds(), higher_is_better=True, aggregate="mean")


def test_failed_runs_are_missing_and_named():
    frame = hard_folds()
    with pytest.raises(bp.UnevenRunsError, match="12 of 60 scores are missing"):
        frame.beam.pairwise(higher_is_better=True, aggregate="mean")
    lacking = frame.beam.missing_scores()
    assert lacking["method"].tolist() == ["A"] * 6
    assert lacking["n_runs"].tolist() == [3] * 6
    assert lacking["n_runs_missing"].tolist() == [2] * 6
    cover = frame.beam.coverage()
    assert cover["n_runs_failed"].tolist() == [12, 0]
    assert cover["n_runs_max"].tolist() == [3, 5]
    shared = frame.beam.pairwise(
        higher_is_better=True, aggregate="mean", uneven_runs="shared"
    )
    assert shared[["wins", "losses"]].to_numpy().tolist() == [[0, 6]]
    by_fold = frame.assign(dataset=frame["dataset"] + frame["run"].astype(str))
    folds = by_fold.drop(columns="run").beam.pairwise(higher_is_better=True)
    assert folds[["wins", "losses"]].to_numpy().tolist() == [[0, 18]]


def test_absent_rows_and_failed_runs_are_the_same():
    frame = hard_folds()
    absent = frame.dropna()
    for name in ("coverage", "missing_scores"):
        pd.testing.assert_frame_equal(run(name, absent), run(name, frame))
    for uneven_runs in ("ignore", "shared"):
        options = {
            "aggregate": "mean",
            "uneven_runs": uneven_runs,
            "higher_is_better": True,
        }
        pd.testing.assert_frame_equal(
            absent.beam.pairwise(**options), frame.beam.pairwise(**options)
        )


def test_means_of_one_run_are_not_compared_with_means_of_four():
    frame = tried_once_or_four_times()
    with pytest.raises(bp.UnevenRunsError, match="cells of 1 to 4 runs"):
        frame.beam.bayesian_sign(0.01, higher_is_better=True, aggregate="mean")
    told = frame.beam.pairwise(
        higher_is_better=True, aggregate="mean", uneven_runs="ignore"
    )
    assert told[["wins", "losses"]].to_numpy().tolist() == [[5, 15]]


def test_the_advice_on_unlabelled_runs_names_the_column_and_works():
    frame = hard_folds("fold")
    with pytest.raises(bp.UnevenRunsError) as caught:
        frame.beam.pairwise(higher_is_better=True, aggregate="mean")
    advice = "df.rename(columns={'fold': 'run'})"
    assert advice in str(caught.value)
    named = eval(advice, {"df": frame})
    table = named.beam.pairwise(
        higher_is_better=True, aggregate="mean", uneven_runs="shared"
    )
    assert table["losses"].tolist() == [6]


def test_shared_runs_need_labels():
    with pytest.raises(bp.MissingColumnsError, match="df.assign\\(run=...\\)"):
        tried_once_or_four_times().beam.pairwise(
            higher_is_better=True, aggregate="mean", uneven_runs="shared"
        )


def test_a_run_that_comes_twice_is_a_duplicate_whatever_aggregate_says():
    frame = pd.concat([hard_folds().dropna(), hard_folds().iloc[:1]])
    for aggregate in ("mean", "median", "best"):
        with pytest.raises(bp.DuplicateScoresError, match="a run that comes twice"):
            frame.beam.standing(
                higher_is_better=True, aggregate=aggregate, uneven_runs="ignore"
            )
    assert len(frame.beam.coverage()) == 2


def test_one_run_a_cell_with_differing_labels_is_no_error():
    frame = pd.DataFrame(
        [("A", "x", 0, 1.0), ("B", "x", 1, 2.0), ("A", "y", 2, 1.0), ("B", "y", 3, 0.0)],
        columns=COLUMNS,
    )
    assert frame.beam.pairwise(higher_is_better=True)["wins"].tolist() == [1]
    with pytest.raises(bp.UnevenRunsError, match="1 run that are not the same"):
        frame.beam.pairwise(higher_is_better=True, aggregate="mean")


def test_as_many_runs_with_other_labels_are_uneven():
    frame = pd.DataFrame(
        [("A", "x", 0, 1.0), ("A", "x", 1, 2.0), ("B", "x", 1, 5.0), ("B", "x", 2, 9.0)]
        + [(m, "y", r, 1.0) for m in "AB" for r in (0, 1)],
        columns=COLUMNS,
    )
    with pytest.raises(bp.UnevenRunsError, match="2 runs that are not the same"):
        frame.beam.pairwise(higher_is_better=True, aggregate="mean")
    table = frame.beam.wide_scores(aggregate="mean", uneven_runs="shared")
    assert table.loc["x"].tolist() == [2.0, 5.0]


def test_datasets_without_a_shared_run_are_named():
    frame = pd.DataFrame(
        [("A", "x", 0, 1.0), ("B", "x", 1, 5.0)]
        + [(m, "y", r, 1.0) for m in "AB" for r in (0, 1)],
        columns=COLUMNS,
    )
    with pytest.warns(bp.BeamWarning, match="leaves out 1 dataset .*: 'x'"):
        table = frame.beam.wide_scores(aggregate="mean", uneven_runs="shared")
    assert table.index.tolist() == ["y"]


def test_a_method_without_any_score_of_a_dataset_is_missing_and_not_uneven():
    frame = hard_folds().dropna()
    frame = frame[(frame["dataset"] != "d0") | (frame["method"] == "B")]
    even = frame[frame["run"] <= 2]
    table = even.beam.wide_scores(aggregate="mean")
    assert np.isnan(table.loc["d0", "A"])
    assert table.loc["d0", "B"] == 0.92
    lacking = even.beam.missing_scores()
    assert lacking[["n_runs", "n_runs_missing"]].to_numpy().tolist() == [[0, 3]]


@pytest.mark.parametrize(
    ("aggregate", "higher_is_better", "expected"),
    [
        ("min", True, 1.0),
        ("max", True, 9.0),
        ("best", True, 9.0),
        ("best", False, 1.0),
        ("median", True, 2.0),
        ("mean", True, 4.0),
    ],
)
def test_what_is_made_of_runs(aggregate, higher_is_better, expected):
    frame = pd.DataFrame(
        [(m, "x", r, s) for m in "AB" for r, s in enumerate([1.0, 9.0, 2.0])],
        columns=COLUMNS,
    )
    table = frame.beam.ranks(aggregate=aggregate, higher_is_better=higher_is_better)
    assert table["score"].tolist() == [expected] * 2
    wide = frame.beam.wide_scores(aggregate=aggregate, higher_is_better=higher_is_better)
    assert wide.to_numpy().tolist() == [[expected] * 2]


def test_the_best_of_each_metric_goes_by_its_own_direction():
    rows = [
        (m, "x", k, r, s)
        for m in "AB"
        for k in ("accuracy", "log_loss")
        for r, s in enumerate([0.2, 0.7])
    ]
    frame = pd.DataFrame(rows, columns=["method", "dataset", "metric", "run", "score"])
    table = frame.beam.ranks(aggregate="best").groupby("metric")["score"].first()
    assert table.to_dict() == {"accuracy": 0.7, "log_loss": 0.2}


def test_options_are_checked():
    for name, value in (("uneven_runs", "drop"), ("aggregate", "sum")):
        with pytest.raises(bp.BeamError, match=f"{name} must be one of"):
            hard_folds().beam.pairwise(higher_is_better=True, **{name: value})


def slow_shared(frame):
    """Keep run by run what all methods have that have a score on the dataset."""
    kept = []
    for _, part in frame.dropna(subset=["score"]).groupby("dataset"):
        methods = set(part["method"])
        for _, same in part.groupby("run"):
            if set(same["method"]) == methods:
                kept.append(same)
    return pd.concat(kept) if kept else frame.iloc[:0]


@given(
    st.lists(
        st.tuples(
            st.sampled_from("ABC"), st.sampled_from("xyz"), st.integers(0, 3),
            st.one_of(st.none(), st.integers(0, 9).map(float)),
        ),
        min_size=1, max_size=40, unique_by=lambda row: row[:3],
    )
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::beam_pandas.BeamWarning")
def test_shared_runs_are_those_of_a_plain_loop(rows):
    frame = pd.DataFrame(rows, columns=COLUMNS).astype({"score": "float64"})
    expected = slow_shared(frame)
    if expected.empty:
        return
    found = frame.beam.wide_scores(aggregate="mean", uneven_runs="shared")
    mean = expected.groupby(["dataset", "method"])["score"].mean().unstack()  # noqa: PD010
    pd.testing.assert_frame_equal(
        found, mean.reindex(columns=found.columns), check_names=False
    )
    runs = frame.dropna(subset=["score"]).groupby(["dataset", "method"])["run"].agg(set)
    uneven = runs.map(frozenset).groupby("dataset").nunique().gt(1).any()
    if uneven:
        with pytest.raises(bp.UnevenRunsError):
            frame.beam.wide_scores(aggregate="mean")
    else:
        pd.testing.assert_frame_equal(frame.beam.wide_scores(aggregate="mean"), found)
