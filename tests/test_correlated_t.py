"""The correlated t test and posterior of each dataset, over runs paired by label."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

import beam_pandas as bp

NEARLY = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
X = [0.83, 0.79, 0.86, 0.81, 0.90, 0.77, 0.84, 0.85, 0.80, 0.88]
Y = [0.81, 0.80, 0.82, 0.79, 0.87, 0.78, 0.80, 0.84, 0.79, 0.83]


def runs_of(scores, metric="accuracy"):
    """A long frame from {dataset: {method: scores of runs}}."""
    rows = [
        (method, dataset, metric, run, score)
        for dataset, methods in scores.items()
        for method, values in methods.items()
        for run, score in enumerate(values)
    ]
    return pd.DataFrame(rows, columns=["method", "dataset", "metric", "run", "score"])


PAIR = runs_of({"d": {"A": X, "B": Y}})


def naive(x, y, rope, share):
    """The law by its definition, with scipy's t."""
    d = np.asarray(x) - np.asarray(y)
    n = len(d)
    scale = np.sqrt((1 / n + share / (1 - share)) * d.var(ddof=1))
    law = stats.t(n - 1, loc=d.mean(), scale=scale)
    better, worse = law.sf(rope), law.cdf(-rope)
    p = 2 * stats.t.sf(abs(d.mean()) / scale, n - 1)
    return d.mean(), scale, p, better, 1 - better - worse, worse


COLUMNS = ["mean_diff", "scale", "p_value", "prob_better", "prob_equivalent", "prob_worse"]


def test_the_values_of_baycomp():
    # baycomp 1.0.3: CorrelatedTTest.probs(x, y, rope=.01, runs=1)
    row = PAIR.beam.correlated_t(0.01, test_share=0.1).iloc[0]
    expected = [0.8414444992243069, 0.15294123592976328, 0.005614264845929862]
    assert row[COLUMNS[3:]].tolist() == pytest.approx(expected, abs=1e-12)
    assert (row["n_runs"], row["df"], row["rope"]) == (10, 9, 0.01)
    assert row["decision"] == "undecided"


def test_the_bundled_folds_against_the_definition():
    folds = bp.load_benchmark(folds=True).query("metric in ['accuracy', 'log_loss']")
    some = folds.query("method in ['MLP', 'SVC', 'RandomForest', 'GaussianNB']")
    result = some.beam.correlated_t({"accuracy": 0.01, "log_loss": 0.05}, test_share=0.2)
    cube = some.pivot_table(
        index=["metric", "dataset", "run"], columns="method", values="score"
    )
    for row in result.itertuples():
        part = cube.loc[(row.metric, row.dataset)]
        sign = 1 if row.metric == "accuracy" else -1
        x, y = sign * part[row.method_1], sign * part[row.method_2]
        expected = naive(x, y, row.rope, 0.2)
        found = [getattr(row, name) for name in COLUMNS]
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
    family = result.query("metric == 'accuracy' and dataset == 'sonar'")
    adjusted = stats.false_discovery_control(family["p_value"], method="bh")
    fdr = some.query("dataset == 'sonar' and metric == 'accuracy'").beam.correlated_t(
        0.0, test_share=0.2, adjust="fdr_bh"
    )
    np.testing.assert_allclose(fdr["p_adjusted"], adjusted, rtol=1e-12)


def test_ten_times_ten_folds_are_a_tenth_each_and_seeds_are_independent():
    seeds = PAIR.beam.correlated_t(0.0, test_share=0).iloc[0]
    plain = stats.ttest_rel(X, Y)
    assert seeds["p_value"] == pytest.approx(plain.pvalue, rel=1e-12)
    for share in (0.1, 0.3, 0.99):
        row = PAIR.beam.correlated_t(0.02, test_share=share).iloc[0]
        np.testing.assert_allclose(row[COLUMNS].astype(float), naive(X, Y, 0.02, share))


def test_the_alternatives_are_the_two_tails():
    call = PAIR.beam.correlated_t
    p = {
        side: call(0.0, test_share=0.1, alternative=side)["p_value"].iloc[0]
        for side in ("two-sided", "greater", "less")
    }
    assert p["greater"] + p["less"] == pytest.approx(1.0)
    assert p["two-sided"] == pytest.approx(2 * p["greater"])


@pytest.mark.parametrize("share", [0.0, 0.1, 0.9])
@pytest.mark.parametrize(
    ("rope", "decision"), [(0.05, "equivalent"), (0.049, "better"), (0.0, "better")]
)
def test_equal_differences_are_a_point_and_the_rope_holds_its_end(rope, decision, share):
    frame = runs_of({"d": {"A": [0.75, 0.55, 0.95], "B": [0.7, 0.5, 0.9]}})
    row = frame.beam.correlated_t(rope, test_share=share, threshold=1.0).iloc[0]
    assert row["decision"] == decision
    assert (row["scale"], row["p_value"]) == (0.0, 0.0)
    turned = frame.assign(method=frame["method"].map({"A": "B", "B": "A"}))
    other = turned.beam.correlated_t(rope, test_share=share, threshold=1.0).iloc[0]
    assert other["decision"] == {"better": "worse"}.get(decision, decision)
    assert other["mean_diff"] == -row["mean_diff"]


def test_equal_methods_are_equivalent_and_differ_in_no_test():
    frame = runs_of({"d": {"A": X, "B": X}})
    row = frame.beam.correlated_t(0.0, test_share=0.1).iloc[0]
    assert row[["mean_diff", "scale", "p_value"]].tolist() == [0.0, 0.0, 1.0]
    assert (row["prob_equivalent"], row["decision"]) == (1.0, "equivalent")


def test_a_probability_equal_to_the_threshold_decides():
    row = PAIR.beam.correlated_t(0.01, test_share=0.1).iloc[0]
    at = float(row["prob_better"])
    for threshold, decision in ((at, "better"), (np.nextafter(at, 1), "undecided")):
        found = PAIR.beam.correlated_t(0.01, test_share=0.1, threshold=threshold)
        assert found["decision"].tolist() == [decision]
    p = float(row["p_value"])
    for alpha, significant in ((p, True), (np.nextafter(p, 0), False)):
        found = PAIR.beam.correlated_t(0.01, test_share=0.1, alpha=alpha)
        assert found["significant"].tolist() == [significant]


def test_runs_are_paired_by_label_not_by_place():
    shuffled = PAIR.sample(frac=1, random_state=1)
    expected = PAIR.beam.correlated_t(0.01, test_share=0.1)
    pd.testing.assert_frame_equal(
        shuffled.beam.correlated_t(0.01, test_share=0.1), expected
    )
    names = PAIR.assign(run=PAIR["run"].map("fold {}".format))
    pd.testing.assert_frame_equal(names.beam.correlated_t(0.01, test_share=0.1), expected)


def test_unpaired_runs_and_a_share_that_is_not_given_are_errors_that_help():
    with pytest.raises(bp.BeamError, match=r"1 / k for k folds.*hold-out.*test_share=0 "):
        PAIR.beam.correlated_t(0.01)
    for wrong in (1.0, -0.1, np.nan, "0.1", True, None):
        with pytest.raises(bp.BeamError, match="test_share must be"):
            PAIR.beam.correlated_t(0.01, test_share=wrong)
    with pytest.raises(bp.BeamError, match="correlated_t compares the same runs of two"):
        PAIR.drop(columns="run").beam.correlated_t(0.01, test_share=0.1)
    with pytest.raises(bp.BeamError, match=r"df.rename\(columns=\{'seed': 'run'\}\)"):
        PAIR.rename(columns={"run": "seed"}).beam.correlated_t(0.01, test_share=0.1)


def test_uneven_runs_raise_or_are_compared_where_a_pair_has_both():
    uneven = runs_of({"d": {"A": X, "B": Y, "C": X[:4]}})
    message = "needs the same runs .*'C' lacks 6 runs on 'd'.*'shared' compares each pair"
    with pytest.raises(bp.UnevenRunsError, match=message):
        uneven.beam.correlated_t(0.01, test_share=0.1)
    found = uneven.beam.correlated_t(0.01, test_share=0.1, uneven_runs="shared")
    assert found["n_runs"].tolist() == [10, 4, 4]
    expected = PAIR.beam.correlated_t(0.01, test_share=0.1)
    pd.testing.assert_series_equal(found.loc[0, COLUMNS], expected.loc[0, COLUMNS])
    np.testing.assert_allclose(
        found.loc[2, COLUMNS].astype(float), naive(Y[:4], X[:4], 0.01, 0.1)
    )
    with pytest.raises(bp.BeamError, match="uneven_runs must be one of"):
        uneven.beam.correlated_t(0.01, test_share=0.1, uneven_runs="ignore")


def test_a_run_that_failed_is_no_run():
    failed = PAIR.assign(score=PAIR["score"].mask(PAIR.index == 3))
    options = {"test_share": 0.1, "uneven_runs": "shared"}
    expected = PAIR.drop(index=3).beam.correlated_t(0.01, **options)
    pd.testing.assert_frame_equal(failed.beam.correlated_t(0.01, **options), expected)
    assert expected["n_runs"].tolist() == [9]


def test_fewer_than_two_runs_say_nothing_and_are_no_member_of_the_family():
    frame = runs_of({"d": {"A": X, "B": Y, "C": X[:1]}, "e": {"A": X, "B": Y}})
    result = frame.beam.correlated_t(0.01, test_share=0.1, uneven_runs="shared")
    assert result["n_runs"].tolist() == [10, 1, 1, 10, 0, 0]
    assert result["df"].tolist() == [9, 0, 0, 9, 0, 0]
    few = result.query("n_runs < 2")
    assert few[["p_value", "p_adjusted", "prob_better"]].isna().all(axis=None)
    assert set(few["decision"]) == {"undecided"}
    assert not few["significant"].any()
    some = result.query("n_runs > 1")
    assert (some["p_adjusted"] == some["p_value"]).all()


def test_a_rope_by_percent_or_column_is_the_larger_of_both_on_each_dataset():
    frame = pd.concat([PAIR, PAIR.assign(dataset="e", score=PAIR["score"] / 2)])
    by_share = frame.beam.correlated_t("2%", test_share=0.1)
    means = frame.groupby(["dataset", "method"])["score"].mean().groupby("dataset").max()
    np.testing.assert_allclose(by_share["rope"], 0.02 * means)
    error = frame["method"].map({"A": 0.01, "B": 0.03})
    by_column = frame.assign(stderr=error).beam.correlated_t("stderr", test_share=0.1)
    assert by_column["rope"].tolist() == pytest.approx([0.03, 0.03])
    pd.testing.assert_frame_equal(by_column, frame.beam.correlated_t(0.03, test_share=0.1))


def test_a_control_has_its_own_family():
    frame = runs_of({"d": {"A": X, "B": Y, "C": X[::-1]}})
    result = frame.beam.correlated_t(0.01, test_share=0.1, control="B")
    pairs = result[["method_1", "method_2"]].to_numpy().tolist()
    assert pairs == [["A", "B"], ["B", "C"]]
    np.testing.assert_allclose(
        result["p_adjusted"].min(), 2 * result["p_value"].min(), rtol=1e-12
    )
    with pytest.raises(bp.BeamError, match="control must be one of the methods"):
        frame.beam.correlated_t(0.01, test_share=0.1, control="Z")


def test_a_metric_with_uneven_runs_is_left_out_with_a_warning():
    uneven = runs_of({"d": {"A": X, "B": Y[:4]}}, "auc")
    both = pd.concat([PAIR, uneven])
    rope = {"accuracy": 0.01, "auc": 0.01}
    with pytest.raises(bp.UnevenRunsError):
        both.beam.correlated_t(rope, test_share=0.1)
    with pytest.warns(bp.BeamWarning, match="1 of 2 metrics are left out: correlated_t"):
        result = both.beam.correlated_t(rope, test_share=0.1, errors="warn")
    pd.testing.assert_frame_equal(result, PAIR.beam.correlated_t(0.01, test_share=0.1))


@NEARLY
@given(st.data(), st.integers(2, 8), st.sampled_from([0.0, 0.05, 0.1]))
def test_turning_direction_or_exchanging_methods_turns_the_result(data, n, rope):
    run = st.lists(st.integers(0, 20), min_size=n, max_size=n)
    x, y = ([value / 20 for value in data.draw(run)] for _ in range(2))
    frame = runs_of({"d": {"A": x, "B": y}})
    row = frame.beam.correlated_t(rope, test_share=0.2).iloc[0]
    loss = frame.assign(score=-frame["score"]).beam.correlated_t(
        rope, test_share=0.2, higher_is_better=False
    )
    pd.testing.assert_series_equal(loss.iloc[0], row)
    other = runs_of({"d": {"A": y, "B": x}}).beam.correlated_t(rope, test_share=0.2).iloc[0]
    np.testing.assert_allclose(
        [other["mean_diff"], other["prob_better"], other["prob_worse"], other["p_value"]],
        [-row["mean_diff"], row["prob_worse"], row["prob_better"], row["p_value"]],
        atol=1e-12,
    )
    total = row[["prob_better", "prob_equivalent", "prob_worse"]].sum()
    assert total == pytest.approx(1.0)
