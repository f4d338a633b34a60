import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from scipy.stats import friedmanchisquare, kendalltau

import beam_pandas as bp
from tests.strategies import frame_of, matrices
from tests.tables import REFERENCE, TIES, long


def by_dataset(frame, **kwargs):
    return bp.dataset_discrimination(frame, **kwargs).set_index("dataset")


def random_frame(seed, n_metrics=4, n_datasets=6, n_methods=5):
    rng = np.random.default_rng(seed)
    names = ["accuracy", "f1", "rmse", "log_loss"][:n_metrics]
    parts = [
        frame_of(rng.integers(0, 9, (n_datasets, n_methods)) / 8 * 10**at, name)
        for at, name in enumerate(names)
    ]
    return pd.concat(parts, ignore_index=True)


def naive_pooled(frame):
    """Scale with pandas, metric by metric."""
    parts = []
    for metric, part in frame.groupby("metric"):
        score = part["score"] * (1 if metric in ("accuracy", "f1") else -1)
        if score.max() > score.min():
            scaled = (score - score.min()) / (score.max() - score.min())
            parts.append(part.assign(scaled=scaled))
    return pd.concat(parts).groupby(["dataset", "method"])["scaled"].mean()


@pytest.mark.parametrize("seed", range(8))
def test_pooled_scores_and_spread_equal_the_twin(seed):
    frame = random_frame(seed).sample(frac=0.8, random_state=seed)
    pooled = frame.beam.pooled_scores().set_index(["dataset", "method"])["pooled_score"]
    expected = naive_pooled(frame)
    pd.testing.assert_series_equal(pooled.dropna(), expected, check_names=False)
    spread = by_dataset(frame)["spread"].sort_index()
    pd.testing.assert_series_equal(
        spread, expected.groupby("dataset").std(), check_names=False
    )


@pytest.mark.parametrize("seed", range(8))
def test_kendall_w_equals_scipy(seed):
    frame = random_frame(seed)
    table = by_dataset(frame)
    for dataset, part in frame.groupby("dataset"):
        wide = part.pivot(index="metric", columns="method", values="score")  # noqa: PD010
        wide.loc[["rmse", "log_loss"]] *= -1
        test = friedmanchisquare(*wide.to_numpy().T)
        row = table.loc[dataset]
        assert row["kendall_w"] == pytest.approx(test.statistic / (4 * 4))
        assert row["p_value"] == pytest.approx(test.pvalue)
        assert row["significant"] == (test.pvalue <= 0.05)
        assert (row["n_methods"], row["n_metrics"]) == (5, 4)


def test_turning_a_metric_with_its_direction_changes_nothing():
    frame = random_frame(3)
    turned = frame.assign(
        score=frame["score"].where(frame["metric"] != "f1", -frame["score"])
    )
    found = turned.beam.dataset_discrimination(higher_is_better={"f1": False})
    pd.testing.assert_frame_equal(found, frame.beam.dataset_discrimination())


def test_a_dataset_on_which_all_are_equal_separates_nothing():
    flat = random_frame(1).assign(
        score=lambda f: f["score"].mask(f["dataset"] == "d2", 0.0)
    )
    row = by_dataset(flat).loc["d2"]
    assert row["spread"] == 0.0
    assert np.isnan(row["kendall_w"])
    assert not row["significant"]
    assert by_dataset(flat).index[-1] == "d2"


def test_a_constant_metric_drops_out():
    frame = random_frame(2, n_metrics=3)
    constant = frame_of(np.full((6, 5), 0.9), "recall")
    found = pd.concat([frame, constant]).beam.dataset_discrimination()
    pd.testing.assert_frame_equal(found, frame.beam.dataset_discrimination())


def test_a_sparse_metric_shrinks_the_block_and_that_is_said():
    frame = random_frame(4, n_metrics=2)
    sparse = frame_of(np.random.default_rng(0).random((6, 5)), "recall")
    sparse = sparse[(sparse["dataset"] == "d0") & sparse["method"].isin(["m0", "m1", "m2"])]
    table = by_dataset(pd.concat([frame, sparse]))
    assert table.loc["d0", ["n_methods", "n_metrics"]].tolist() == [3, 3]
    assert table.loc["d1", ["n_methods", "n_metrics"]].tolist() == [5, 2]
    few = by_dataset(pd.concat([frame, sparse]), min_methods=4)
    assert np.isnan(few.loc["d0", "kendall_w"])
    assert few.loc["d1", "kendall_w"] == table.loc["d1", "kendall_w"]


def test_with_one_metric_the_spread_still_tells_datasets_apart():
    scores = {
        f"m{at}": [0.9 + at / 10_000] * 8 + [at / 20, 1 - at / 20] for at in range(16)
    }
    table = long(scores, "accuracy").beam.dataset_discrimination()
    assert table["dataset"].tolist()[:2] == ["d09", "d10"]
    assert table["kendall_w"].isna().all()
    assert table["n_metrics"].tolist() == [1] * 10
    assert table["spread"].iloc[1] > 50 * table["spread"].iloc[2]
    assert table["spread_rank"].tolist()[2:] == [6.5] * 8


def test_a_dataset_without_a_score_is_none_and_one_score_has_no_spread():
    frame = pd.concat(
        [
            REFERENCE,
            long({"A": [None]}, "elo").assign(dataset="empty"),
            long({"A": [5]}, "elo").assign(dataset="single"),
        ]
    )
    table = by_dataset(frame)
    assert "empty" not in table.index
    assert np.isnan(table.loc["single", "spread"])
    assert np.isnan(table.loc["single", "spread_rank"])
    assert table.index[-1] == "single"


def test_a_frame_without_any_variation_has_no_spread():
    table = TIES.assign(score=0.5).beam.dataset_discrimination()
    assert table["spread"].isna().all()
    assert table["n_metrics"].tolist() == [0] * 4


def test_directions_must_be_known():
    frame = random_frame(0).replace({"metric": {"f1": "quality"}})
    with pytest.raises(bp.UnknownMetricError, match="'quality'"):
        frame.beam.dataset_discrimination()
    with pytest.raises(bp.UnknownMetricError, match="'quality'"):
        frame.beam.pooled_scores()
    unnamed = TIES.drop(columns="metric")
    assert len(unnamed.beam.dataset_discrimination(higher_is_better=True)) == 4


@pytest.mark.parametrize("value", [1, 2.5, "3", None, True, np.nan, np.inf, 10**400])
def test_min_methods_is_a_number_of_methods(value):
    with pytest.raises(
        bp.BeamError, match="min_methods must be a whole number from 2, got"
    ):
        TIES.beam.dataset_discrimination(min_methods=value)


def test_groups_lead_with_their_key():
    frame = pd.concat(
        [random_frame(0).assign(domain="a"), random_frame(1).assign(domain="b")]
    )
    table = frame.groupby("domain").beam.dataset_discrimination()
    assert list(table.columns[:2]) == ["domain", "dataset"]
    assert len(table) == 12


# Concordance -----------------------------------------------------------------------------


@given(matrices(missing=True))
def test_concordance_equals_scipy(matrix):
    if np.isnan(matrix).all():
        return
    table = bp.dataset_concordance(frame_of(matrix))
    for row in table.itertuples():
        first, second = (matrix[int(name[1:])] for name in (row.dataset_1, row.dataset_2))
        both = ~np.isnan(first + second)
        assert row.n_methods == both.sum()
        expected = np.nan
        if both.sum() > 1 and np.ptp(first[both]) > 0 and np.ptp(second[both]) > 0:
            expected = kendalltau(first[both], second[both]).statistic
        np.testing.assert_allclose(row.kendall_tau, expected, atol=1e-12)


def test_concordance_by_metric_and_as_a_square():
    frame = random_frame(5, n_metrics=2)
    table = frame.beam.dataset_concordance()
    assert table["metric"].value_counts().to_dict() == {"accuracy": 15, "f1": 15}
    square = bp.to_matrix(table[table["metric"] == "f1"], "kendall_tau")
    assert square.index.name == "dataset"
    np.testing.assert_array_equal(square, square.T)
    turned = frame.assign(score=-frame["score"])
    lower = turned.beam.dataset_concordance(higher_is_better=False)
    pd.testing.assert_frame_equal(lower, table)
