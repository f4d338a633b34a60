import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import beam_pandas as bp
from tests.strategies import frame_of, matrices
from tests.tables import HOLE, REFERENCE, SPLIT, TIES, long


def only(frame):
    (row,) = frame.to_dict("records")
    return row


# Coverage ------------------------------------------------------------------------------


def test_coverage_lists_who_has_what():
    frame = pd.concat(
        [
            long(
                {"A": [1, 2, 3], "B": [1, 2, 3], "C": [1, None, 2], "D": [None] * 3}, "elo"
            ),
            long({"A": [5, 7], "C": [5]}, "elo"),
        ]
    )
    expected = pd.DataFrame(
        {
            "metric": "elo",
            "method": ["A", "B", "C", "D"],
            "n_scores": [3, 3, 2, 0],
            "n_missing": [0, 0, 1, 3],
            "share_missing": [0, 0, 1 / 3, 1],
            "n_runs_min": [1, 1, 1, 0],
            "n_runs_max": [2, 1, 2, 0],
            "n_runs_failed": [0, 2, 2, 5],
        }
    )
    pd.testing.assert_frame_equal(frame.beam.coverage(), expected)


def test_coverage_of_an_absent_row_and_a_missing_score_is_the_same():
    pd.testing.assert_frame_equal(HOLE.beam.coverage(), HOLE.dropna().beam.coverage())
    assert HOLE.beam.coverage()["n_missing"].tolist() == [0, 0, 1]


def test_coverage_lists_a_method_that_has_no_row_of_a_metric():
    frame = pd.concat([TIES, TIES[TIES["method"] != "B"].assign(metric="whatever")])
    table = frame.beam.coverage().set_index(["metric", "method"])
    assert table.loc[("whatever", "B"), "n_missing"] == 4
    grouped = frame.groupby("metric").beam.coverage()
    pd.testing.assert_frame_equal(grouped, frame.beam.coverage())


def test_coverage_needs_neither_a_direction_nor_a_score():
    frame = TIES.drop(columns="metric").assign(score=np.nan)
    table = bp.coverage(frame)
    assert table["n_scores"].tolist() == table["n_missing"].tolist() == [0, 0, 0]
    assert table["share_missing"].isna().all()
    assert table["n_runs_min"].tolist() == table["n_runs_max"].tolist() == [0, 0, 0]


# Missing scores --------------------------------------------------------------------------


def test_missing_scores_are_listed_one_by_one():
    frame = pd.concat([HOLE, TIES[TIES["method"] != "B"].assign(metric="whatever")])
    table = frame.beam.missing_scores()
    assert table.to_numpy().tolist() == [
        ["accuracy", "C", "d03", 0, 1],
        *(["whatever", "B", f"d0{at}", 0, 1] for at in range(1, 5)),
    ]
    assert len(TIES.beam.missing_scores()) == 0


@given(matrices(missing=True))
def test_missing_scores_are_those_that_coverage_counts(matrix):
    frame = frame_of(matrix)
    counts = bp.missing_scores(frame)["method"].value_counts()
    cover = bp.coverage(frame).set_index("method")["n_missing"]
    assert counts.reindex(cover.index, fill_value=0).tolist() == cover.tolist()


# Skillings-Mack --------------------------------------------------------------------------

# Skillings and Mack (1981), Table 1: times of four assembly methods, nine assemblers
ASSEMBLY = long(
    {
        "A": [3.2, 3.1, 4.3, 3.5, 3.6, 4.5, None, 4.3, 3.5],
        "B": [4.1, 3.9, 3.5, 3.6, 4.2, 4.7, 4.2, 4.6, None],
        "C": [3.8, 3.4, 4.6, 3.9, 3.7, 3.7, 3.4, 4.4, 3.7],
        "D": [4.2, 4.0, 4.8, 4.0, 3.9, None, None, 4.9, 3.9],
    }
)
# Brady (1969): dysfluencies of eight stutterers under three rhythms
BRADY = long(
    {
        "R": [3, 1, 5, 2, 0, 0, 0, 0],
        "A": [5, 3, 4, None, 2, 2, 3, 2],
        "B": [15, 18, 21, 6, 17, 10, 8, 13],
    }
)


@pytest.mark.parametrize(
    ("frame", "statistic", "df", "p_value"),
    [(ASSEMBLY, 15.493, 3, 0.00144), (BRADY, 13.281, 2, 0.00131)],
)
def test_published_values(frame, statistic, df, p_value):
    row = only(bp.skillings_mack(frame, higher_is_better=False))
    assert round(row["statistic"], 3) == statistic
    assert row["df"] == df
    assert round(row["p_value"], 5) == p_value
    assert row["n_components"] == 1
    turned = only(bp.skillings_mack(frame, higher_is_better=True))
    assert turned["statistic"] == pytest.approx(row["statistic"])


def test_a_hole_and_a_dataset_of_one_method():
    row = only(HOLE.beam.skillings_mack())
    assert row["statistic"] == pytest.approx(10.8424, abs=5e-5)
    assert (row["n_methods"], row["n_datasets"], row["df"]) == (3, 6, 2)
    assert row["p_value"] == pytest.approx(0.004422, abs=5e-7)
    more = pd.concat([HOLE, long({"A": [0.4]}, "accuracy").assign(dataset="alone")])
    pd.testing.assert_frame_equal(more.beam.skillings_mack(), HOLE.beam.skillings_mack())
    sums = HOLE.beam.adjusted_rank_sums()
    pd.testing.assert_frame_equal(more.beam.adjusted_rank_sums(), sums)


def test_groups_that_never_meet():
    row = only(SPLIT.beam.skillings_mack())
    assert (row["statistic"], row["df"], row["n_components"]) == (pytest.approx(6.0), 2, 2)
    assert row["p_value"] == pytest.approx(0.0498, abs=5e-5)


@given(matrices())
def test_a_complete_table_with_tie_correction_is_friedman(matrix):
    frame = frame_of(matrix)
    test, whole = (
        only(bp.friedman(frame)),
        only(bp.skillings_mack(frame, tie_correction=True)),
    )
    assert whole["statistic"] == pytest.approx(test["statistic"], abs=1e-10)
    plain = only(bp.friedman(frame, tie_correction=False))
    published = only(bp.skillings_mack(frame, tie_correction=False))
    assert published["statistic"] == pytest.approx(plain["statistic"], abs=1e-10)


@given(matrices(missing=True), st.sampled_from([True, False]), st.integers(0, 99))
@pytest.mark.filterwarnings("ignore::beam_pandas.BeamWarning")
def test_no_design_fails_or_depends_on_the_order_of_rows(matrix, correction, seed):
    frame = frame_of(matrix)
    present = ~np.isnan(matrix)
    if not (present.sum(axis=1) > 1).any():
        with pytest.raises(bp.BeamError):
            bp.skillings_mack(frame)
        return
    row = only(bp.skillings_mack(frame, tie_correction=correction))
    again = bp.skillings_mack(
        frame.sample(frac=1, random_state=seed), tie_correction=correction
    )
    assert only(again) == row
    assert row["df"] == row["n_methods"] - row["n_components"]
    assert row["statistic"] >= 0
    assert 0 <= row["p_value"] <= 1


def test_filling_the_last_hole_makes_no_jump():
    for seed in range(20):
        scores = np.random.default_rng(seed).random((8, 4))
        frame = frame_of(scores)
        found = only(bp.skillings_mack(frame, tie_correction=True))
        assert found["statistic"] == pytest.approx(
            only(bp.friedman(frame))["statistic"], abs=1e-10
        )


def test_methods_without_a_part_in_the_test_are_named():
    frame = pd.concat(
        [
            REFERENCE,
            long({"D": [None], "E": [None]}, "elo"),
            long({"F": [3]}, "elo").assign(dataset="z"),
        ]
    )
    message = r"no part in the test: 'D', 'E', 'F' in metric 'elo' \(no dataset shared"
    with pytest.warns(bp.BeamWarning, match=message) as caught:
        row = only(frame.beam.skillings_mack())
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert row["n_methods"] == 3
    assert row["statistic"] == pytest.approx(only(REFERENCE.beam.friedman())["statistic"])
    sums = frame.beam.adjusted_rank_sums().set_index("method")
    assert sums["n_datasets"].to_dict() == {"C": 6, "B": 6, "A": 6, "D": 0, "E": 0, "F": 0}
    assert sums.loc[["D", "E", "F"], "adjusted_rank_sum"].isna().all()
    flat = pd.concat(
        [TIES, long({"D": [None, None, 0.5], "E": [None, None, 0.5]}, "accuracy")]
    )
    with pytest.warns(
        bp.BeamWarning, match=r"'D', 'E' in metric 'accuracy' \(ties with all others\)"
    ):
        flat.beam.skillings_mack(tie_correction=True)


def test_one_warning_names_all_metrics():
    metrics = [f"metric {at}" for at in range(7)]
    lonely = long({"D": [3]}).assign(dataset="z")
    frame = pd.concat(
        [pd.concat([REFERENCE, lonely]).assign(metric=metric) for metric in metrics]
    )
    with pytest.warns(bp.BeamWarning) as caught:
        frame.beam.skillings_mack(higher_is_better=True)
    assert len(caught) == 1
    text = str(caught[0].message)
    assert "'D' in metric 'metric 0'" in text
    assert text.endswith("; and 2 more metrics")


def test_no_comparison_at_all_is_refused():
    frame = long({"A": [1, None], "B": [None, 2]}, "elo")
    for name in ("skillings_mack", "adjusted_rank_sums"):
        message = f"{name} needs a dataset with scores of at least 2 methods, found none in metric"
        with pytest.raises(bp.BeamError, match=message):
            getattr(frame.beam, name)()
    with pytest.raises(bp.BeamError, match="tie_correction must be True or False, got 1"):
        HOLE.beam.skillings_mack(tie_correction=1)


def test_all_tied_is_no_evidence():
    flat = TIES.assign(score=0.5)
    for correction in (True, False):
        row = only(flat.beam.skillings_mack(tie_correction=correction))
        assert (row["statistic"], row["p_value"]) == (0.0, 1.0)


def test_adjusted_rank_sums_put_the_best_first():
    table = HOLE.beam.adjusted_rank_sums()
    assert table["method"].tolist() == ["A", "B", "C"]
    assert table["n_datasets"].tolist() == [6, 6, 5]
    # five datasets of three methods, one of two: sqrt(12/4) a step, sqrt(12/3)/2
    assert table["adjusted_rank_sum"].tolist() == pytest.approx(
        [5 * 3**0.5 + 1, -1, -5 * 3**0.5]
    )
    assert table["adjusted_rank_sum"].sum() == pytest.approx(0)
    loss = HOLE.assign(metric="rmse").beam.adjusted_rank_sums()
    assert loss["method"].tolist() == ["C", "B", "A"]


def test_equal_sums_stand_in_label_order():
    rng = np.random.default_rng(3)
    for _ in range(50):
        scores = rng.random((9, 3))
        scores[rng.random(scores.shape) < 0.3] = np.nan
        twice = frame_of(np.concatenate([scores, scores[:, ::-1]]))
        sums = bp.adjusted_rank_sums(twice)
        outer = sums[sums["method"].isin(["m0", "m2"])]
        assert outer["method"].tolist() == ["m0", "m2"]


def test_the_error_for_missing_scores_names_what_uses_them_all():
    with pytest.raises(
        bp.IncompleteScoresError, match=r"skillings_mack\(\) and pairwise\(\)"
    ):
        HOLE.beam.critical_difference()
    assert len(HOLE.beam.pairwise()) == 3
