"""Aggregates over runs: numbers, shares of improved runs, profiles."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import beam_pandas as bp
from tests.surface import COLUMNS

NEARLY = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
# runs in rows, datasets in columns
ONE = np.array([[0.1, 0.5, 0.9], [0.2, 0.5, 0.7], [0.3, 0.6, 0.8], [0.4, 0.1, 1.0]])
TWO = np.array([[0.2, 0.5, 0.3], [0.2, 0.4, 0.7], [0.1, 0.6, 0.9], [0.4, 0.2, 0.6]])
KINDS = ["mean", "median", "iqm", "optimality_gap"]


def frame_of(tables, metric="accuracy"):
    """A long frame from {method: runs by datasets}."""
    rows = [
        (method, f"d{d}", metric, run, score)
        for method, table in tables.items()
        for (run, d), score in np.ndenumerate(np.asarray(table, dtype=float))
    ]
    return pd.DataFrame(rows, columns=["method", "dataset", "metric", "run", "score"])


BOTH = frame_of({"A": ONE, "B": TWO})
FOLDS = bp.load_benchmark(folds=True).query("metric == 'accuracy'")
SOME = FOLDS.query("method in ['DecisionTree', 'RandomForest', 'SVC']")


# aggregate_scores ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "a", "b"),  # rliable 1.2.0
    [
        ("mean", 0.5083333333333334, 0.425),
        ("median", 0.425, 0.425),
        ("iqm", 0.5, 0.4),
        ("optimality_gap", 0.4916666666666667, 0.575),
    ],
)
def test_the_values_of_rliable(kind, a, b):
    result = BOTH.beam.aggregate_scores(kind).set_index("method")
    assert result["estimate"].to_dict() == pytest.approx({"A": a, "B": b}, abs=1e-12)
    assert (result["n_datasets"] == 3).all()
    assert (result[["n_runs_min", "n_runs_max"]] == 4).all(axis=None)


def test_gaps_are_best_first_though_less_is_better():
    for kind in KINDS:
        assert BOTH.beam.aggregate_scores(kind)["method"].tolist() == ["A", "B"]
    loss = BOTH.assign(metric="error_rate")
    assert loss.beam.aggregate_scores("iqm")["method"].tolist() == ["B", "A"]
    gap = loss.beam.aggregate_scores("optimality_gap", gamma=0.0)
    assert gap["method"].tolist() == ["B", "A"]
    assert gap["estimate"].tolist() == pytest.approx([0.425, 61 / 120])


def slow_interval(values, resample, n, rng):
    """Draw in plain loops."""
    n_runs, n_datasets = values.shape
    draws = []
    for _ in range(n):
        columns = np.arange(n_datasets)
        if resample != "runs":
            columns = rng.integers(n_datasets, size=n_datasets)
        drawn = values[:, columns]
        if resample != "datasets":
            rows = rng.integers(n_runs, size=drawn.shape)
            drawn = np.take_along_axis(drawn, rows, axis=0)
        draws.append(drawn.mean())
    return np.quantile(draws, [0.025, 0.975])


@pytest.mark.parametrize("resample", ["datasets", "runs", "both"])
def test_intervals_against_plain_loops(resample):
    cube = SOME.pivot_table(index="run", columns=["method", "dataset"], values="score")
    result = SOME.beam.aggregate_scores(resample=resample).set_index("method")
    for method, row in result.iterrows():
        values = cube[method].to_numpy()
        low, high = slow_interval(values, resample, 4000, np.random.default_rng(1))
        width = high - low
        assert row["estimate"] == pytest.approx(values.mean(), abs=1e-12)
        assert row["ci_low"] == pytest.approx(low, abs=0.1 * width)
        assert row["ci_high"] == pytest.approx(high, abs=0.1 * width)


def test_an_interval_of_runs_is_much_narrower_than_one_of_datasets():
    width = {
        resample: SOME.beam.aggregate_scores(resample=resample)
        .eval("ci_high - ci_low")
        .mean()
        for resample in ("datasets", "runs", "both")
    }
    assert width["both"] > 0.9 * width["datasets"] > 6 * width["runs"]


def test_each_dataset_weighs_the_same_whatever_its_runs():
    few = BOTH.query("not (dataset == 'd0' and run > 0)")
    with pytest.raises(bp.UnevenRunsError, match="aggregate_scores needs the same runs"):
        few.query(
            "not (method == 'A' and dataset == 'd1' and run == 0)"
        ).beam.aggregate_scores()
    mean = few.beam.aggregate_scores().set_index("method")
    assert mean.loc["A", "estimate"] == pytest.approx((0.1 + 0.425 + 0.85) / 3)
    assert mean.loc["A", ["n_runs_min", "n_runs_max"]].tolist() == [1, 4]


def test_uneven_runs_are_taken_as_they_are_or_where_all_have_them():
    uneven = BOTH.query("not (method == 'B' and dataset == 'd2' and run < 2)")
    with pytest.raises(bp.UnevenRunsError) as caught:
        uneven.beam.aggregate_scores()
    text = str(caught.value)
    assert "'B' lacks 2 runs on 'd2'" in text
    assert "have, 20 of 22 scores on 3 datasets" in text
    assert "uneven_runs='ignore' takes what is there, 2 to 4 runs" in text
    ignored = uneven.beam.aggregate_scores(uneven_runs="ignore").set_index("method")
    assert ignored.loc["B", "estimate"] == pytest.approx((0.225 + 0.425 + 0.75) / 3)
    assert ignored.loc["A", "estimate"] == pytest.approx(61 / 120)
    shared = uneven.beam.aggregate_scores(uneven_runs="shared").set_index("method")
    assert shared.loc["A", "estimate"] == pytest.approx((0.25 + 0.425 + 0.9) / 3)
    with pytest.raises(bp.MissingColumnsError, match="'shared' needs a column 'run'"):
        uneven.drop(columns="run").beam.aggregate_scores(uneven_runs="shared")


def test_datasets_without_a_shared_run_are_left_out_with_a_warning():
    gone = BOTH["dataset"].eq("d0") & BOTH["method"].eq("A").eq(BOTH["run"] < 2)
    with pytest.warns(bp.BeamWarning, match="leaves out 1 dataset .*: 'd0'"):
        result = BOTH[~gone].beam.aggregate_scores(uneven_runs="shared")
    assert result["n_datasets"].tolist() == [2, 2]
    with pytest.raises(bp.BeamError, match="'shared' leaves nothing"):
        BOTH[BOTH["dataset"].eq("d0") & ~gone].beam.aggregate_scores(uneven_runs="shared")


def test_missing_scores_have_four_ways_out():
    three = pd.concat([BOTH, BOTH.query("method == 'A'").assign(method="C")])
    holes = three.query("not (method == 'C' and dataset == 'd2')")
    with pytest.raises(
        bp.IncompleteScoresError, match="'C' lacks 1 of 3 datasets"
    ) as error:
        holes.beam.aggregate_scores()
    assert "missing='drop_datasets' keeps 3 methods on 2 datasets" in str(error.value)
    assert "worst" not in str(error.value)
    sizes = {"drop_datasets": (3, 2), "drop_methods": (2, 3), "largest_block": (2, 3)}
    for missing, (n_methods, n_datasets) in sizes.items():
        result = holes.beam.aggregate_scores(missing=missing)
        assert (len(result), result["n_datasets"].iloc[0]) == (n_methods, n_datasets)
    alone = three.query("dataset == 'd0' and method != 'C'")
    assert alone.beam.aggregate_scores()["n_datasets"].tolist() == [1, 1]
    split = BOTH.query("(method == 'A') == (dataset == 'd0')")
    with pytest.raises(bp.BeamError, match="'drop_methods' leaves 0 methods"):
        split.beam.aggregate_scores(missing="drop_methods")


def test_scores_of_different_scale_are_refused_until_normalised():
    scales = BOTH.assign(metric="elo")
    for kind in ("iqm", "optimality_gap"):
        with pytest.raises(bp.BeamError, match="pass normalize='min_max'"):
            scales.beam.aggregate_scores(kind)
        assert len(scales.beam.aggregate_scores(kind, normalize="min_max")) == 2
        assert len(scales.query("dataset == 'd0'").beam.aggregate_scores(kind)) == 2
    negated = BOTH.assign(metric="neg_log_loss", score=-BOTH["score"])
    with pytest.raises(bp.BeamError, match="kind='iqm' mixes the scores"):
        negated.beam.aggregate_scores("iqm")
    with bp.register_metric("zeal", higher_is_better=True, upper=1.0):
        assert len(BOTH.assign(metric="zeal").beam.aggregate_scores("iqm")) == 2


def test_normalised_scores_run_from_the_worse_end_to_the_better():
    own = BOTH.beam.aggregate_scores(normalize="min_max").set_index("method")["estimate"]
    low, high = np.minimum(ONE, TWO).min(axis=0), np.maximum(ONE, TWO).max(axis=0)
    assert own["A"] == pytest.approx(((ONE - low) / (high - low)).mean())
    loss = BOTH.assign(metric="log_loss").beam.aggregate_scores(normalize="min_max")
    assert loss.set_index("method")["estimate"]["A"] == pytest.approx(1.0 - own["A"])
    given = {"d0": (0.0, 0.5), "d1": (0.5, 1.0), "d2": (0.0, 1.0)}
    expected = np.mean([0.25 / 0.5, (0.425 - 0.5) / 0.5, 0.85])
    frame = pd.DataFrame(given, index=["low", "high"]).T
    named = frame.rename_axis("dataset").reset_index()
    for normalize in (given, frame, named, named.assign(metric="accuracy")):
        found = BOTH.beam.aggregate_scores(normalize=normalize).set_index("method")
        assert found["estimate"]["A"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("normalize", "text"),
    [
        ("z", "normalize must be None, 'min_max'"),
        (3, "normalize must be None, 'min_max'"),
        ({"d0": (0, 1)}, "has none of 'd1', 'd2'"),
        ({"d0": (1, 0)}, "low below high"),
        ({"d0": (1, 1)}, "low below high"),
        ({"d0": 1}, "two finite numbers"),
        ({"d0": (0, np.inf)}, "two finite numbers"),
        (pd.DataFrame({"dataset": ["d0"], "low": [0]}), "lacks 'high'"),
        (pd.DataFrame({"dataset": ["d0"] * 2, "low": 0, "high": 1}), "two rows"),
    ],
)
def test_wrong_reference_scores_are_refused(normalize, text):
    with pytest.raises(bp.BeamError, match=text):
        BOTH.beam.aggregate_scores(normalize=normalize)


def test_reference_scores_of_several_metrics_say_which():
    two = pd.concat([BOTH, BOTH.assign(metric="f1")])
    given = {"d0": (0, 1), "d1": (0, 1), "d2": (0, 1)}
    with pytest.raises(bp.BeamError, match="for each metric, 'accuracy', 'f1'"):
        two.beam.aggregate_scores(normalize=given)
    flat = BOTH.assign(score=BOTH["score"].mask(BOTH["dataset"] == "d1", 0.5))
    with pytest.raises(bp.BeamError, match="all are equal on 'd1'"):
        flat.beam.aggregate_scores(normalize="min_max")


def test_a_gap_that_is_nowhere_is_a_warning():
    percent = BOTH.assign(score=BOTH["score"] * 100)
    with pytest.warns(bp.BeamWarning, match="in percent, gamma=100 may be meant"):
        percent.beam.aggregate_scores("optimality_gap")
    with pytest.warns(bp.BeamWarning, match="less is better here, gamma=0.0"):
        BOTH.assign(metric="error_rate").beam.aggregate_scores("optimality_gap")


def test_the_stream_starts_anew_and_a_generator_stays_as_it_is():
    two = pd.concat([BOTH, BOTH.assign(metric="f1")])
    for name in ("aggregate_scores", "improvement"):
        result = getattr(two.beam, name)(resample="both", rng=3)
        parts = [part for _, part in result.groupby("metric")]
        pd.testing.assert_frame_equal(
            parts[0].drop(columns="metric").reset_index(drop=True),
            parts[1].drop(columns="metric").reset_index(drop=True),
        )
        generator = np.random.default_rng(3)
        again = getattr(two.beam, name)(resample="both", rng=generator)
        pd.testing.assert_frame_equal(again, result)
        assert generator.random() == np.random.default_rng(3).random()
        other = getattr(two.beam, name)(resample="both", rng=4)
        assert not other.equals(result)
        for wrong in (-1, 0.5, "0", True):
            with pytest.raises(bp.BeamError, match="rng must be a whole number"):
                getattr(two.beam, name)(rng=wrong)
        for wrong in (0, -1, 2.5, None, True):
            with pytest.raises(bp.BeamError, match="n_resamples must be a whole number"):
                getattr(two.beam, name)(n_resamples=wrong)


# improvement -----------------------------------------------------------------------------


def slow_share(one, two):
    """Mann-Whitney by loops, a dataset a column."""
    shares = [
        np.mean([(x > y) + 0.5 * (x == y) for x in one[:, d] for y in two[:, d]])
        for d in range(one.shape[1])
    ]
    return float(np.mean(shares))


def test_the_share_of_improved_runs_is_that_of_rliable():
    row = BOTH.beam.improvement().iloc[0]
    assert row["share_improved"] == pytest.approx(0.6354166666666666, abs=1e-12)
    assert row["n_datasets"] == 3
    assert 0 < row["ci_low"] < row["share_improved"] < row["ci_high"] < 1


def test_runs_and_datasets_are_two_questions():
    one = np.array([[0.5, 0.5], [0.7, 0.7], [0.9, 0.9]])
    frame = frame_of({"A": one, "B": one - 0.1})
    assert frame.beam.improvement()["share_improved"].tolist() == [pytest.approx(6 / 9)]
    pair = frame.beam.pairwise(aggregate="mean")
    assert pair["share_better"].tolist() == [1.0]


@NEARLY
@given(st.data(), st.integers(1, 4), st.integers(1, 3))
def test_shares_against_plain_loops_and_under_exchange(data, n_runs, n_datasets):
    grid = st.lists(
        st.integers(0, 4), min_size=n_runs * n_datasets, max_size=n_runs * n_datasets
    )
    one, two = (
        np.array(data.draw(grid), dtype=float).reshape(n_runs, n_datasets) / 4 for _ in "ab"
    )
    share = frame_of({"A": one, "B": two}).beam.improvement(n_resamples=10)
    assert share["share_improved"].iloc[0] == pytest.approx(slow_share(one, two))
    loss = frame_of({"A": one, "B": two}, "error_rate").beam.improvement(n_resamples=10)
    assert loss["share_improved"].iloc[0] == pytest.approx(slow_share(two, one))


def test_pairs_are_compared_where_both_have_runs():
    holes = BOTH.query("not (method == 'B' and dataset == 'd0')")
    row = holes.beam.improvement().iloc[0]
    assert row["n_datasets"] == 2
    assert row["share_improved"] == pytest.approx(slow_share(ONE[:, 1:], TWO[:, 1:]))
    three = pd.concat([BOTH, BOTH.query("method == 'A'").assign(method="C")])
    control = three.beam.improvement(control="C")
    assert control["method_2"].tolist() == ["C", "C"]
    assert control["share_improved"].iloc[0] == pytest.approx(slow_share(ONE, ONE))


# performance_profile ---------------------------------------------------------------------


def test_a_profile_counts_what_equals_the_threshold():
    profile = BOTH.beam.performance_profile(thresholds=[0.5, 0.2, 0.95])
    found = profile.pivot_table(index="threshold", columns="method", values="share")
    for threshold, row in found.iterrows():
        assert row["A"] == pytest.approx((threshold <= ONE).mean())
        assert row["B"] == pytest.approx((threshold <= TWO).mean())
    assert profile["threshold"].tolist() == [0.2, 0.5, 0.95] * 2
    loss = BOTH.assign(metric="error_rate").beam.performance_profile(thresholds=[0.5])
    shares = loss.set_index("method")["share"]
    assert shares["A"] == pytest.approx((ONE <= 0.5).mean())


def test_thresholds_are_every_value_or_201_steps():
    profile = BOTH.beam.performance_profile()
    values = np.unique([ONE, TWO])
    assert profile["threshold"].tolist() == [*values, *values]
    many = frame_of({"A": np.arange(202.0)[:, None]}, "elo").beam.performance_profile()
    np.testing.assert_allclose(many["threshold"], np.linspace(0, 201, 201))
    few = frame_of({"A": np.arange(201.0)[:, None]}, "elo").beam.performance_profile()
    assert few["threshold"].tolist() == list(range(201))


def test_missing_scores_and_runs_reach_nothing():
    holes = BOTH.query("not (method == 'B' and dataset == 'd0')")
    profile = holes.beam.performance_profile(thresholds=[0.0]).set_index("method")["share"]
    assert profile.to_dict() == pytest.approx({"A": 1.0, "B": 2 / 3})
    failed = BOTH.assign(score=BOTH["score"].mask(BOTH.index == 0))
    absent = failed.dropna()
    for frame in (failed, absent):
        told = frame.beam.performance_profile(thresholds=[0.0], uneven_runs="ignore")
        assert told.set_index("method")["share"]["A"] == pytest.approx(11 / 12)


def test_ratios_are_to_the_best_of_each_dataset():
    cost = {
        "A": np.array([[1.0, 8.0], [2.0, 8.0]]),
        "B": np.array([[4.0, 2.0], [4.0, 4.0]]),
    }
    frame = frame_of(cost, "fit_time")
    profile = frame.beam.performance_profile("ratio", thresholds=[1, 2, 4])
    found = profile.pivot_table(index="threshold", columns="method", values="share")
    assert found["A"].tolist() == [0.25, 0.5, 1.0]
    assert found["B"].tolist() == [0.25, 0.5, 1.0]
    assert frame.beam.performance_profile("ratio")["threshold"].tolist() == [1, 2, 4] * 2
    with pytest.raises(bp.BeamError, match="needs costs, less is better"):
        BOTH.beam.performance_profile("ratio")
    with pytest.raises(bp.BeamError, match="needs positive costs.*'d0'"):
        frame.replace({"score": {1.0: 0.0}}).beam.performance_profile("ratio")
    for wrong in ([0.5], [], "1", 1, [np.nan], [np.inf], {"a": 1}):
        with pytest.raises(bp.BeamError, match="thresholds"):
            frame.beam.performance_profile("ratio", thresholds=wrong)


def test_columns_are_those_of_the_design():
    assert COLUMNS["aggregate_scores"][1:] == (
        "method", "n_datasets", "n_runs_min", "n_runs_max", "estimate", "ci_low", "ci_high",
    )  # fmt: skip
    assert COLUMNS["improvement"][-3:] == ("share_improved", "ci_low", "ci_high")
    assert COLUMNS["performance_profile"][1:] == ("method", "threshold", "share")


@pytest.mark.parametrize("name", ["aggregate_scores", "improvement", "performance_profile"])
def test_a_run_without_any_score_is_said_to_be_none(name):
    frame = pd.DataFrame({"method": ["B"], "dataset": ["d"], "run": [1], "score": [np.nan]})
    with pytest.raises(bp.BeamError, match="score"):
        getattr(bp, name)(frame, higher_is_better=True)
