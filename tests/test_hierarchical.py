"""The posterior of the next dataset from all runs of all datasets, by quadrature."""

import inspect
from functools import cache

import numpy as np
import pandas as pd
import pytest

import beam_pandas as bp
from tests.hierarchical_twin import twin

PROBS = ["prob_better", "prob_equivalent", "prob_worse"]
EXPECTED = ["expected_better", "expected_equivalent", "expected_worse"]
TOLD = {"rope": 0.02, "test_share": 0.2}


def runs_of(differences, metric="accuracy", level=0.7):
    """A long frame of A and B, whose runs on each dataset differ as told."""
    rows = [
        (method, f"d{at}", metric, run, level + (0.01 * run if method == "B" else value))
        for at, runs in enumerate(differences)
        for run, value in enumerate(0.01 * np.arange(len(runs)) + np.asarray(runs))
        for method in "AB"
    ]
    return pd.DataFrame(rows, columns=["method", "dataset", "metric", "run", "score"])


def simulate(seed, n_datasets, n_runs=5, centre=0.02, spread=0.05, noise=0.05):
    rng = np.random.default_rng(seed)
    true = centre + spread * rng.standard_t(4, n_datasets)
    return [mean + rng.normal(0, noise, n_runs) for mean in true]


THREE = runs_of(simulate(1, 3, centre=0.06))


@cache
def of_three():
    """The result of THREE, once."""
    return THREE.beam.hierarchical(**TOLD)


def numbers(result):
    return result[PROBS + EXPECTED].to_numpy(dtype=float)


# The numbers ---------------------------------------------------------------------------

CLUSTERS = [mean + np.random.default_rng(3).normal(0, 0.01, 5) * sign
            for mean, sign in zip((-0.1, -0.097, -0.102, 0.13, 0.133, 0.136),
                                  (1, -1, 1, -1, 1, -1), strict=True)]  # fmt: skip
CONSTANT = [*simulate(5, 3), np.full(5, 0.05), np.full(5, 0.02)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("differences", "hyperprior", "grid"),
    [
        (simulate(2, 6), "paper", (0.0025, 0.6, (-14.0, 2.0, 60))),
        (simulate(2, 6), "baycomp", (0.0025, 0.6, (-14.0, 2.0, 60))),
        (CLUSTERS, "baycomp", (0.001, 0.4, (-14.0, 2.0, 60))),
        (CONSTANT, "paper", (0.002, 0.6, (-14.0, 2.0, 60))),
        (simulate(4, 7, n_runs=12), "paper", (0.002, 0.5, (-14.0, 2.0, 60))),
    ],
    ids=["five runs", "the other hyperprior", "two modes", "two constant", "twelve runs"],
)
def test_it_is_what_a_uniform_grid_finds(differences, hyperprior, grid):
    step, reach, log_sigma = grid
    expected = twin(
        differences, 0.02, 0.2, hyperprior, step=step, reach=reach, log_sigma=log_sigma
    )
    found = runs_of(differences).beam.hierarchical(**TOLD, hyperprior=hyperprior)
    np.testing.assert_allclose(numbers(found)[0, :3], expected[:3], atol=1e-3)
    np.testing.assert_allclose(numbers(found)[0, 3:], expected[3:], atol=5e-4)


@pytest.mark.slow
@pytest.mark.parametrize("data", [CLUSTERS, CONSTANT], ids=["two modes", "two constant"])
def test_a_grid_twice_as_fine_changes_nothing(data):
    one, other = (runs_of(data).beam.hierarchical(**TOLD, fineness=f) for f in (1, 2))
    np.testing.assert_allclose(numbers(one), numbers(other), atol=2e-5)
    np.testing.assert_allclose(one["mean_diff"], other["mean_diff"], atol=1e-6)


def test_columns_are_what_they_say():
    found = of_three()
    pd.testing.assert_series_equal(found.dtypes, bp.result_schema("hierarchical").dtypes)
    row = found.iloc[0]
    assert (row["n_datasets"], row["rope"]) == (3, 0.02)
    assert row[PROBS].sum() == pytest.approx(1.0, abs=1e-12)
    assert row[EXPECTED].sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.slow
def test_without_a_name_of_the_metric_there_is_no_such_column():
    found = bp.hierarchical(THREE.drop(columns="metric"), **TOLD, higher_is_better=True)
    pd.testing.assert_frame_equal(found, of_three().drop(columns="metric"))
    schema = bp.result_schema("hierarchical", metric=False)
    pd.testing.assert_series_equal(found.dtypes, schema.dtypes)


# What it must not depend on ------------------------------------------------------------


def test_methods_change_places_exactly():
    turned = THREE.assign(method=THREE["method"].map({"A": "B", "B": "A"}))
    one, other = (r.iloc[0] for r in (of_three(), turned.beam.hierarchical(**TOLD)))
    assert one[PROBS].tolist() == other[PROBS[::-1]].tolist()
    assert one[EXPECTED].tolist() == other[EXPECTED[::-1]].tolist()
    assert one["mean_diff"] == -other["mean_diff"]


def test_order_labels_direction_and_other_columns_do_not_matter():
    expected = of_three()
    other = THREE.sample(frac=1.0, random_state=1).assign(note="x")
    other["dataset"] = pd.Categorical(other["dataset"], ["z", "d0", "d1", "d2"])
    other["run"] = other["run"].map("fold {}".format)
    other["score"] *= -1.0
    before = other.copy(deep=True)
    found = other.beam.hierarchical(**TOLD, higher_is_better=False)
    pd.testing.assert_frame_equal(found, expected, check_exact=True)
    pd.testing.assert_frame_equal(other, before)


def test_a_power_of_two_as_unit_changes_the_unit_alone():
    expected = of_three().assign(metric="elo")
    for unit in (2.0**-900, 2.0**1000):
        scaled = THREE.assign(metric="elo", score=unit * THREE["score"])
        found = scaled.beam.hierarchical(0.02 * unit, test_share=0.2)
        for column in ("rope", "mean_diff"):
            found[column] /= unit
        pd.testing.assert_frame_equal(found, expected, check_exact=True)


@pytest.mark.slow
def test_percent_are_what_fractions_are():
    expected = of_three()
    percent = THREE.assign(score=100.0 * THREE["score"])
    found = percent.beam.hierarchical(2.0, test_share=0.2)
    np.testing.assert_allclose(numbers(found), numbers(expected), atol=1e-10)
    np.testing.assert_allclose(found["mean_diff"], 100 * expected["mean_diff"], rtol=1e-9)


@pytest.mark.slow
def test_ropes_beyond_all_bounds_are_ropes():
    elo = THREE.assign(metric="elo")
    wide = elo.beam.hierarchical(1e308, test_share=0.2).iloc[0]
    assert wide["prob_equivalent"] == 1.0 and wide["decision"] == "equivalent"
    narrow, none = (elo.beam.hierarchical(r, test_share=0.2) for r in (5e-324, 0.0))
    np.testing.assert_allclose(numbers(narrow), numbers(none), atol=1e-12)


def test_by_group_it_is_the_same():
    both = pd.concat([THREE, THREE.assign(metric="f1", score=1.0 - THREE["score"])])
    turned = both.pipe(bp.hierarchical, **TOLD, higher_is_better={"f1": False})
    np.testing.assert_allclose(numbers(turned)[0], numbers(turned)[1], atol=1e-9)
    grouped = both.groupby("metric").beam
    by_metric = grouped.hierarchical(**TOLD, higher_is_better={"f1": False})
    pd.testing.assert_frame_equal(by_metric, turned)


@pytest.mark.slow
def test_a_dataset_more_that_says_the_same_makes_it_surer():
    data = [np.array([0.03, 0.05, 0.09, 0.07, 0.06])] * 5
    three, five = (
        runs_of(data[:n]).beam.hierarchical(**TOLD).iloc[0] for n in (3, 5)
    )  # fmt: skip
    assert five["prob_better"] > three["prob_better"] > 0.5
    assert five["expected_better"] > three["expected_better"] > 0.5


@pytest.mark.slow
def test_runs_that_differ_by_the_same_keep_their_mean_and_get_the_spread_of_the_rope():
    still = runs_of([*simulate(1, 3, centre=0.06), np.full(5, 0.3)])
    found = still.beam.hierarchical(**TOLD)
    spread = 0.02 / np.sqrt(3.0) * np.sqrt(5 / 4) * np.array([-1, 1, -1, 1, 0])
    noisy = runs_of(
        [*simulate(1, 3, centre=0.06), 0.3 + spread]
    )  # standard deviation rope / sqrt 3
    np.testing.assert_allclose(
        numbers(found), numbers(noisy.beam.hierarchical(**TOLD)), atol=1e-9
    )
    assert found["mean_diff"].iloc[0] > of_three()["mean_diff"].iloc[0]


# Options -------------------------------------------------------------------------------


def test_a_probability_equal_to_the_threshold_decides():
    at = float(of_three()["prob_better"].iloc[0])
    assert at > 0.5
    for threshold, decision in ((at, "better"), (np.nextafter(at, 1), "undecided")):
        found = THREE.beam.hierarchical(**TOLD, threshold=threshold)
        assert found["decision"].tolist() == [decision]


def with_a_third(frame):
    """A method C that is A with its differences turned."""
    wide = frame.pivot_table(
        index=["dataset", "metric", "run"], columns="method", values="score"
    )
    third = (2 * wide["B"] - wide["A"]).rename("score").reset_index().assign(method="C")
    return pd.concat([frame, third], ignore_index=True)


def test_progress_is_told_after_each_pair_and_a_control_has_fewer(capsys):
    seen = []
    frame = with_a_third(THREE)
    found = frame.beam.hierarchical(
        **TOLD, control="B", progress=lambda done, total: seen.append((done, total))
    )
    assert seen == [(1, 2), (2, 2)]
    assert found[["method_1", "method_2"]].to_numpy().tolist() == [["A", "B"], ["B", "C"]]
    np.testing.assert_allclose(numbers(found)[0], numbers(found)[1], atol=1e-9)
    assert capsys.readouterr() == ("", "")
    signature = inspect.signature(bp.hierarchical)
    assert signature.parameters["progress"].default is None


def test_what_progress_raises_ends_it():
    def stop(done, total):
        raise KeyboardInterrupt(done, total)

    with pytest.raises(KeyboardInterrupt):
        THREE.beam.hierarchical(**TOLD, progress=stop)


@pytest.mark.slow
def test_the_hyperprior_is_that_of_the_paper_unless_told():
    one, other = (
        numbers(THREE.beam.hierarchical(**TOLD, **{"hyperprior": name} if name else {}))
        for name in (None, "baycomp")
    )
    paper = numbers(THREE.beam.hierarchical(**TOLD, hyperprior="paper"))
    np.testing.assert_array_equal(one, paper)
    assert 1e-4 < np.abs(one - other).max() < 0.12


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"test_share": None}, "test_share must be given"),
        ({"test_share": 1.0}, "test_share must be a number from 0"),
        ({"hyperprior": "stan"}, r"hyperprior must be one of \['paper', 'baycomp'\]"),
        ({"fineness": 3}, "fineness must be 1, or 2"),
        ({"fineness": True}, "fineness must be 1, or 2"),
        ({"fineness": np.ones(2)}, "fineness must be 1, or 2"),
        ({"threshold": 0.5}, "threshold must be"),
        ({"progress": 1}, "progress must be a callable"),
        ({"control": "Z"}, "control must be one of the methods"),
        ({"uneven_runs": "ignore"}, "uneven_runs must be one of"),
        ({"errors": "ignore"}, "errors must be one of"),
        ({"rope": "2%"}, "one for all datasets in hierarchical: a finite number.*bayesian"),
        ({"rope": "score"}, "one for all datasets in hierarchical"),
        ({"rope": {"accuracy": "2%"}}, "one for all datasets in hierarchical"),
        ({"rope": -0.1}, "not negative"),
        ({"rope": np.inf}, "a finite number"),
        ({"rope": {"f1": 0.1}}, "rope must have a number for each metric"),
    ],
)
def test_what_is_no_option_is_refused(options, match):
    with pytest.raises(bp.BeamError, match=match):
        bp.hierarchical(THREE, **TOLD | options)


# Runs that allow nothing ---------------------------------------------------------------


def test_runs_need_labels_and_must_be_the_same():
    with pytest.raises(bp.BeamError, match="hierarchical compares the same runs of two"):
        THREE.drop(columns="run").beam.hierarchical(**TOLD)
    uneven = THREE.drop(index=THREE.index[0])
    with pytest.raises(bp.UnevenRunsError, match="hierarchical needs the same runs"):
        uneven.beam.hierarchical(**TOLD)


@pytest.mark.slow
def test_uneven_runs_are_compared_where_a_pair_has_both():
    found = THREE.drop(index=0).beam.hierarchical(**TOLD, uneven_runs="shared")
    kept = THREE.drop(index=THREE.index[:2])
    pd.testing.assert_frame_equal(found, kept.beam.hierarchical(**TOLD), check_exact=True)


@pytest.mark.parametrize("n_runs", [1, 2])
def test_fewer_than_three_runs_on_a_dataset_are_refused_by_name(n_runs):
    few = runs_of([*simulate(1, 3), simulate(2, 1)[0][:n_runs]])
    match = (
        r"needs three runs of both methods on each dataset in metric 'accuracy', found "
        r"fewer of 'A' and 'B' on 'd3': leave out the datasets concerned, 'd3', or "
        r"bayesian_sign with aggregate='mean'"
    )
    with pytest.raises(bp.BeamError, match=match):
        few.beam.hierarchical(**TOLD)
    everywhere = THREE[THREE["run"] < n_runs]
    with pytest.raises(bp.BeamError, match="found fewer") as caught:
        everywhere.beam.hierarchical(**TOLD)
    assert "leave out" not in str(caught.value)
    advised = everywhere.beam.bayesian_sign(0.02, aggregate="mean")
    assert advised["n_datasets"].tolist() == [3]


@pytest.mark.slow
def test_three_runs_are_enough():
    found = THREE[THREE["run"] < 3].beam.hierarchical(**TOLD)
    assert np.isfinite(numbers(found)).all()


def test_fewer_than_three_datasets_are_refused_and_none_at_all_is_nan():
    two = THREE[THREE["dataset"] < "d2"]
    with pytest.raises(bp.BeamError, match="found that 'A' and 'B' share 2: correlated_t"):
        two.beam.hierarchical(**TOLD)
    frame = with_a_third(THREE)
    without = frame["dataset"] < "d2"
    short = frame[(frame["method"] != "C") | without]
    match = "'A' and 'C' share 2, 'B' and 'C' share 2: .*or with a control"
    with pytest.raises(bp.BeamError, match=match):
        short.beam.hierarchical(**TOLD)
    absent = frame.assign(score=frame["score"].mask(frame["method"] == "C"))
    seen = []
    found = absent.beam.hierarchical(**TOLD, progress=lambda *told: seen.append(told))
    assert found["n_datasets"].tolist() == [3, 0, 0] and seen == [(1, 1)]
    assert found["decision"].tolist()[1:] == ["undecided"] * 2
    assert np.isnan(numbers(found)[1:]).all() and np.isfinite(numbers(found)[0]).all()


def test_runs_that_all_differ_by_the_same_need_a_rope():
    still = runs_of([*simulate(1, 3, centre=0.06), np.full(5, 0.3)])
    match = "needs a rope above 0 where all runs differ by the same.*those of 'A' and 'B' on 'd3'"
    with pytest.raises(bp.BeamError, match=match):
        still.beam.hierarchical(0.0, test_share=0.2)


def test_a_metric_that_fails_is_left_out_with_a_warning_and_costs_nothing():
    both = pd.concat([THREE, THREE[THREE["run"] < 2].assign(metric="f1")])
    seen = []
    options = {**TOLD, "progress": lambda *told: seen.append(told)}
    with pytest.raises(bp.BeamError, match="three runs .*in metric 'f1'"):
        both.beam.hierarchical(**options)
    assert seen == []
    with pytest.warns(bp.BeamWarning, match="1 of 2 metrics are left out: hierarchical"):
        found = both.beam.hierarchical(**options, errors="warn")
    pd.testing.assert_frame_equal(found, of_three())
    assert seen == [(1, 1)]


# A table of real folds -----------------------------------------------------------------


@pytest.mark.slow
def test_the_bundled_folds_have_what_a_uniform_grid_found():
    # twin(differences, .01, .2, "paper", step=.0004, reach=.2, log_sigma=(-13, -1, 60),
    # n_nu=27), which takes a minute
    expected = [0.187719, 0.43105, 0.381232, 0.275633, 0.378712, 0.345655]
    folds = bp.load_benchmark(folds=True).query("metric == 'accuracy'")
    some = folds.query("method in ['RandomForest', 'SVC']")
    found = numbers(some.beam.hierarchical(0.01, test_share=0.2))[0]
    np.testing.assert_allclose(found[:3], expected[:3], atol=3e-4)
    np.testing.assert_allclose(found[3:], expected[3:], atol=3e-5)


@pytest.mark.slow
def test_what_is_seen_in_the_bundled_folds():
    folds = bp.load_benchmark(folds=True).query("metric == 'accuracy'")
    some = folds.query("method in ['DecisionTree', 'RandomForest']")
    row = some.beam.hierarchical(0.01, test_share=0.2).iloc[0]
    assert row["decision"] == "worse"
    sign = some.beam.bayesian_sign(0.01, aggregate="mean").iloc[0]
    assert abs(row["expected_worse"] - sign["expected_worse"]) < 0.1
    assert row["mean_diff"] == pytest.approx(-0.05, abs=0.02)
