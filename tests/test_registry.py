import csv
from importlib import resources

import numpy as np
import pandas as pd
import pytest

import beam_pandas as bp
from beam_pandas.gate import registry
from beam_pandas.gate.registry import find_metric, looks_negated
from tests.tables import TIES, long


@pytest.fixture(autouse=True)
def _fresh_custom(monkeypatch):
    monkeypatch.setattr(registry, "_custom", {})


def entry_name(label):
    entry = find_metric(label)
    return None if entry is None else entry.name


def test_every_entry_is_consistent():
    table = bp.metrics()
    assert table["metric"].is_unique
    assert table["metric"].is_monotonic_increasing
    assert table["higher_is_better"].dtype == bool
    lower, upper = table["lower"].fillna(-np.inf), table["upper"].fillna(np.inf)
    assert (lower < upper).all()
    floor = table["noise_floor"].dropna()
    assert floor.between(0, (upper - lower)[floor.index]).all()
    assert (table["source"] != "").all()
    assert list(table.columns) == [
        "metric", "higher_is_better", "lower", "upper", "noise_floor", "aliases", "field",
        "source",
    ]  # fmt: skip


def test_the_table_is_read_whole():
    with (
        resources.files("beam_pandas")
        .joinpath("gate", "metrics.csv")
        .open(encoding="utf-8") as lines
    ):
        names = sorted(row["name"] for row in csv.DictReader(lines))
    assert bp.metrics()["metric"].tolist() == names
    assert len(names) > 200


def test_no_name_leads_to_two_entries():
    table = bp.metrics()
    aliases = table["aliases"].str.split(";").explode()
    names = pd.concat([table["metric"], aliases[aliases != ""]])
    assert not names.duplicated().any()
    for name, entry in zip(aliases, table["metric"].reindex(aliases.index), strict=True):
        if name:
            assert entry_name(name) == entry


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("accuracy", "accuracy"),
        ("Accuracy", "accuracy"),
        ("ROC AUC", "roc_auc"),
        ("F1-score", "f1"),
        ("ARI_cluster/label", "adjusted_rand_index"),
        ("test_f1", "f1"),
        ("val_logloss", "log_loss"),
        ("valid_rmse", "root_mean_squared_error"),
        ("validation_mae", "mean_absolute_error"),
        ("train_accuracy", "accuracy"),
        ("mean_test_neg_log_loss", "neg_log_loss"),
        ("ndcg@5", "ndcg"),
        ("nDCG@10", "ndcg"),
        ("ndcg_at_7", "ndcg"),
        ("recall@13", "recall_at_k"),
        ("recall@k", "recall_at_k"),
        ("pass@7", "pass_at_k"),
        ("test_mrr@10", "mean_reciprocal_rank"),
        ("err@10", "expected_reciprocal_rank"),
        ("neg_log_loss", "neg_log_loss"),
        ("negative_predictive_value", "negative_predictive_value"),
        ("train_time", "fit_time"),
        ("WER", "wer"),
        ("Recall @ 10", "recall_at_k"),
        ("F1 - score", "f1"),
    ],
)
def test_looking_a_metric_up(label, name):
    assert entry_name(label) == name


@pytest.mark.parametrize(
    "label",
    ["score", "loss", "coverage", "correlation", "test_score", "val_loss", "err", "err@5",
     "kbet", "clisi", "bic", "calibration_slope", "neg_accuracy", "score@10", "", "@10",
     "bias", "my metric", "rank", "train_", 7, None, ("accuracy",)],
)  # fmt: skip
def test_what_has_no_direction_has_no_entry(label):
    assert find_metric(label) is None


def test_direction_of_entries_that_are_easily_confused():
    table = bp.metrics().set_index("metric")["higher_is_better"]
    for name in ("log_loss", "brier_score", "smape", "fid", "davies_bouldin", "latency"):
        assert not table[name]
    for name in ("neg_log_loss", "silhouette", "throughput", "log_likelihood", "iou"):
        assert table[name]


def test_registering_a_new_metric():
    bp.register_metric("My Metric", higher_is_better=False, lower=0, noise_floor=0.5)
    row = bp.metrics().set_index("metric").loc["my_metric"]
    assert not row["higher_is_better"]
    assert (row["lower"], row["noise_floor"]) == (0.0, 0.5)
    assert np.isnan(row["upper"])
    frame = TIES.assign(metric="my-metric")
    assert frame.beam.critical_difference()["method"].iloc[0] == "C"


def test_registering_changes_what_is_told_and_keeps_the_rest():
    bp.register_metric("AUC", noise_floor=0.005)
    entry = find_metric("auroc")
    assert (entry.name, entry.noise_floor, entry.upper) == ("roc_auc", 0.005, 1.0)
    assert entry.higher_is_better
    bp.register_metric("auc", higher_is_better=False)
    assert not find_metric("roc_auc").higher_is_better
    assert find_metric("roc_auc").noise_floor == 0.005
    assert (bp.metrics()["metric"] == "roc_auc").sum() == 1


def test_registering_a_cut_off_does_not_touch_the_metric_without():
    bp.register_metric("f1@50", higher_is_better=False)
    assert not find_metric("F1@50").higher_is_better
    assert find_metric("f1").higher_is_better


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "unknown"}, "needs the direction of 'unknown'.*higher_is_better=True"),
        ({"name": ""}, "name must be a non-empty text, got ''"),
        ({"name": 3}, "name must be a non-empty text, got 3"),
        ({"name": "f1", "higher_is_better": "yes"}, "True or False, got 'yes'"),
        ({"name": "f1", "lower": np.inf}, "lower must be a finite number, got inf"),
        ({"name": "f1", "upper": "1"}, "upper must be a finite number, got '1'"),
        ({"name": "f1", "lower": 2}, "lower must be below upper, got 2.0 and 1.0"),
        ({"name": "f1", "noise_floor": 3}, "between 0 and the range 1.0 of 'f1', got 3.0"),
        ({"name": "f1", "noise_floor": -0.1}, "noise_floor must lie between 0"),
    ],
)
def test_registering_what_makes_no_sense(arguments, message):
    with pytest.raises(bp.BeamError, match=message):
        bp.register_metric(**arguments)
    assert registry._custom == {}


# Direction of the metrics in a frame ---------------------------------------------------


def test_an_unknown_direction_is_no_guess():
    frame = TIES.assign(metric="ece2")
    with pytest.raises(bp.UnknownMetricError) as caught:
        frame.beam.ranks()
    assert str(caught.value) == (
        "is a higher score better? The registry has no metric 'ece2': pass "
        "higher_is_better={'ece2': ...} with True or False for each, or "
        "beam_pandas.register_metric('ece2', higher_is_better=...)"
    )
    frame.beam.ranks(higher_is_better={"ece2": True})


def test_unknown_metrics_are_listed_and_near_ones_named():
    frame = pd.concat([TIES, TIES.assign(metric="acuracy"), TIES.assign(metric="x")])
    with pytest.raises(
        bp.UnknownMetricError, match=r"metrics 'acuracy', 'x' \(similar: 'acc"
    ):
        frame.beam.ranks()


def test_without_a_metric_the_direction_must_be_told():
    frame = TIES.drop(columns="metric")
    message = "no column 'metric' to look it up by: pass higher_is_better=True or"
    with pytest.raises(bp.UnknownMetricError, match=message):
        frame.beam.ranks()
    assert "metric" not in frame.beam.ranks(higher_is_better=False)
    with pytest.raises(bp.BeamError, match="names 'accuracy', but the frame has no column"):
        frame.beam.ranks(higher_is_better={"accuracy": True})


def test_a_mapping_decides_for_some_and_the_registry_for_the_rest():
    frame = pd.concat([TIES, TIES.assign(metric="mine")])
    first = frame.beam.critical_difference(higher_is_better={"mine": False})
    best = first.groupby("metric")["method"].first().to_dict()
    assert best == {"accuracy": "A", "mine": "C"}
    with pytest.raises(bp.BeamError, match=r"names 'f1', but the frame has metrics 'acc"):
        frame.beam.ranks(higher_is_better={"mine": True, "f1": True})
    with pytest.raises(bp.BeamError, match="map to True or False, got 'up' for 'mine'"):
        frame.beam.ranks(higher_is_better={"mine": "up"})


@pytest.mark.parametrize("value", ["yes", 1, 0.0, ["accuracy"]])
def test_a_direction_of_another_type_is_refused(value):
    with pytest.raises(bp.BeamError, match="must be True, False, a mapping"):
        TIES.beam.ranks(higher_is_better=value)


def test_a_direction_from_numpy_will_do():
    found = TIES.beam.ranks(higher_is_better=np.True_)
    pd.testing.assert_frame_equal(found, TIES.beam.ranks())


def test_labels_of_metrics_that_are_numbers():
    frame = TIES.assign(metric=np.int64(5))
    with pytest.raises(
        bp.UnknownMetricError, match=r"no metric 5: .*\{5: \.\.\.\}"
    ) as caught:
        frame.beam.ranks()
    assert "register_metric" not in str(caught.value)
    assert frame.beam.ranks(higher_is_better={5: True})["metric"].dtype == np.int64


# Negated losses ----------------------------------------------------------------------


def test_a_loss_of_which_every_score_is_negative_looks_negated():
    frame = long({"A": [-0.3, -0.2], "B": [0.0, -0.1]}, "log_loss")
    with pytest.raises(bp.BeamError) as caught:
        frame.beam.ranks()
    assert str(caught.value) == (
        "scores of 'log_loss' look negated: it is never negative and lower is better, yet "
        "all scores lie between -0.3 and 0; pass higher_is_better={'log_loss': True} if "
        "more is better here, False if not"
    )
    ranks = frame.beam.ranks(higher_is_better={"log_loss": True})
    assert ranks["score_rank"].tolist() == [2, 1, 2, 1]
    ranks = frame.beam.ranks(higher_is_better=False)
    assert ranks["score_rank"].tolist() == [1, 2, 1, 2]


def test_only_the_scores_of_the_metric_at_hand_look_negated():
    loss = long({"A": [-0.3, -0.2], "B": [0.0, -0.1]}, "log_loss")
    with pytest.raises(
        bp.BeamError, match="'log_loss' .*all scores lie between -0.3 and 0;"
    ):
        pd.concat([loss, TIES]).beam.ranks()


def test_runs_whose_mean_alone_is_negative_do_not_look_negated():
    runs = pd.concat([long({"A": [-0.3], "B": [-0.2]}, "log_loss"),
                      long({"A": [0.1], "B": [-0.2]}, "log_loss")])  # fmt: skip
    assert runs.beam.ranks(aggregate="mean")["score_rank"].tolist() == [2, 1]
    with pytest.raises(bp.BeamError, match="all scores lie between -0.3 and -0.1;"):
        runs.assign(score=-runs["score"].abs()).beam.ranks(aggregate="mean")


@pytest.mark.parametrize(
    ("metric", "scores", "negated"),
    [
        ("log_loss", [-1.0, 0.0, np.nan], True),
        ("log_loss", [0.0, 0.0], False),
        ("log_loss", [-1.0, 0.1], False),
        ("accuracy", [-1.0, 0.0], False),
        ("neg_log_loss", [-1.0, -2.0], False),
        ("negative_log_likelihood", [-1.0, -2.0], False),
        ("log_loss", [np.nan], False),
    ],
)
def test_what_looks_negated(metric, scores, negated):
    assert looks_negated(find_metric(metric), np.array(scores)) is negated


def test_other_bounds_are_not_enforced():
    percent = TIES.assign(score=TIES["score"] * 100)
    pd.testing.assert_frame_equal(percent.beam.friedman(), TIES.beam.friedman())
