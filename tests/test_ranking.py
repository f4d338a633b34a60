import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import beam_pandas as bp
from tests.strategies import frame_of, matrices
from tests.tables import (
    CYCLE,
    DEMSAR,
    DEMSAR_RANKED,
    FEW,
    REFERENCE,
    TIES,
    TWO,
    long,
    ordered,
)


def one(frame, **kwargs):
    """The only row of a Friedman test."""
    (row,) = bp.friedman(frame, **kwargs).to_dict("records")
    return row


def mean_ranks(frame, **kwargs):
    return bp.critical_difference(frame, **kwargs).set_index("method")["mean_rank"]


def groups(frame, **kwargs):
    return bp.critical_difference(frame, **kwargs).set_index("method")["groups"].to_dict()


def members(frame, **kwargs):
    table = bp.cliques(frame, **kwargs)
    return [part["method"].tolist() for _, part in table.groupby("groups")]


# Ranks -------------------------------------------------------------------------------


def test_ranks_are_one_row_for_each_cell_with_no_rank_for_a_missing_score():
    frame = long({"A": [0.9, 0.1], "B": [0.9, None], "C": [0.5, 0.2]}, "accuracy")
    expected = pd.DataFrame(
        {
            "metric": "accuracy",
            "dataset": ["d01"] * 3 + ["d02"] * 3,
            "method": ["A", "B", "C"] * 2,
            "score": [0.9, 0.9, 0.5, 0.1, np.nan, 0.2],
            "score_rank": [1.5, 1.5, 3.0, 2.0, np.nan, 1.0],
        }
    )
    pd.testing.assert_frame_equal(frame.beam.ranks(), expected)
    pd.testing.assert_frame_equal(frame.dropna().beam.ranks(), expected)


@pytest.mark.parametrize("metric", ["rmse", "smape", "fid", "latency", "log_loss", "MSE"])
def test_of_a_loss_the_smallest_is_best(metric):
    frame = long({"A": [5.0, 12.0], "B": [50.0, 30.0]}, metric)
    assert frame.beam.ranks()["score_rank"].tolist() == [1, 2, 1, 2]


@given(matrices(missing=True, min_side=2))
def test_turning_scores_and_direction_changes_no_rank(matrix):
    if np.isnan(matrix).all():
        return
    frame = frame_of(matrix, "score")
    up = bp.ranks(frame, higher_is_better=True)
    down = bp.ranks(frame.assign(score=-frame["score"]), higher_is_better=False)
    pd.testing.assert_series_equal(up["score_rank"], down["score_rank"])


@given(matrices(), st.sampled_from([np.exp, np.cbrt, lambda x: 3 * x - 7]))
def test_ranks_do_not_depend_on_a_monotone_change_of_scale(matrix, change):
    frame = frame_of(matrix, "elo")
    changed = frame.assign(score=change(frame["score"]))
    pd.testing.assert_frame_equal(
        bp.friedman(frame), bp.friedman(changed, higher_is_better=True)
    )


def test_sums_taken_in_another_order_are_ties():
    folds = [0.1, 0.2, 0.3]
    frame = long({"A": [sum(folds) / 3], "B": [sum(folds[::-1]) / 3]}, "accuracy")
    assert frame["score"].nunique() == 2
    assert frame.beam.ranks()["score_rank"].tolist() == [1.5, 1.5]


# Friedman ----------------------------------------------------------------------------


def test_demsar_as_printed():
    """
    Demšar (2006), Table 6 from the printed scores.

    With rank sums 44, 28, 41, 27 over 14 datasets chi-square is 69/7 = 9.857143, with the
    correction for ties 230/21 = 10.952381; F follows as 13 chi² / (42 - chi²), 299/75 and
    1495/326.
    """
    assert mean_ranks(DEMSAR).round(6).to_dict() == {
        "C4.5+m+cf": 1.928571,
        "C4.5+m": 2.0,
        "C4.5+cf": 2.928571,
        "C4.5": 3.142857,
    }
    plain, tied = one(DEMSAR, tie_correction=False), one(DEMSAR)
    assert plain["statistic"] == pytest.approx(69 / 7, rel=1e-14)
    assert tied["statistic"] == pytest.approx(230 / 21, rel=1e-14)
    assert plain["f_statistic"] == pytest.approx(299 / 75, rel=1e-14)
    assert tied["f_statistic"] == pytest.approx(1495 / 326, rel=1e-14)
    assert (tied["df"], tied["f_df_1"], tied["f_df_2"]) == (3, 3, 39)


def test_demsar_with_the_ranks_of_the_paper():
    ranks = mean_ranks(DEMSAR_RANKED)
    assert ranks.round(3).tolist() == [1.964, 2.0, 2.893, 3.143]
    plain = one(DEMSAR_RANKED, tie_correction=False)
    assert round(plain["statistic"], 2) == 9.28
    assert round(plain["f_statistic"], 2) == 3.69
    for alpha, printed in ((0.05, 1.25), (0.10, 1.12)):
        table = bp.critical_difference(DEMSAR_RANKED, alpha=alpha)
        assert round(table["critical_difference"].iloc[0], 2) == printed


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (REFERENCE, {"statistic": 9.3333, "p_value": 0.00940, "kendall_w": 0.7778,
                     "f_statistic": 17.5, "f_p_value": 0.000542}),
        (TIES, {"statistic": 5.6364, "p_value": 0.0597, "kendall_w": 0.7045}),
        (ordered(3, 5), {"statistic": 10, "p_value": 0.00674, "kendall_w": 1,
                         "f_statistic": np.inf, "f_p_value": 0}),
        (ordered(5, 10), {"statistic": 40, "kendall_w": 1}),
        (CYCLE, {"statistic": 0, "p_value": 1, "kendall_w": 0, "f_statistic": 0,
                 "f_p_value": 1}),
        (TWO, {"statistic": 4.5, "p_value": 0.0339}),
    ],
)  # fmt: skip
def test_known_tables(frame, expected):
    found = one(frame)
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, rel=6e-3 if 0 < value < 1e-2 else 2e-3)
        assert round(found[name], 4) == pytest.approx(value, abs=5.1e-5) or value < 1e-3


def test_few_datasets_and_ties_without_their_correction():
    few = one(FEW, higher_is_better=True)
    assert round(few["statistic"], 4) == 11.7333
    assert round(few["p_value"], 4) == 0.1635
    assert round(few["f_statistic"], 2) == 2.75
    assert round(few["f_p_value"], 4) == 0.0870
    assert one(TIES, tie_correction=False)["statistic"] == pytest.approx(3.875)


def test_two_methods_are_the_chi_square_of_the_sign_test():
    assert one(TWO)["statistic"] == pytest.approx((7 - 1) ** 2 / 8)


def test_the_tie_correction_is_on_or_off():
    with pytest.raises(
        bp.BeamError, match="tie_correction must be True or False, got 'no'"
    ):
        TIES.beam.friedman(tie_correction="no")


def test_scores_that_are_all_equal():
    found = one(long({"A": [0.5] * 3, "B": [0.5] * 3}, "f1"))
    assert (found["statistic"], found["p_value"]) == (0, 1)
    assert np.isnan(found["kendall_w"])


def test_a_dataset_on_which_all_are_equal_only_ties():
    frame = pd.concat([TIES, TIES.iloc[[0, 4, 8]].assign(dataset="flat", score=0.0)])
    assert one(frame)["n_datasets"] == 5
    assert one(frame)["statistic"] == pytest.approx(one(TIES)["statistic"])


# Textbook example: pages read by three groups, the fewest are best. Friedman with ties
# 13.3514, without 12.35; from scipy and by hand.
def test_a_widely_copied_example():
    frame = long(
        {
            "g1": [4, 6, 3, 4, 3, 2, 2, 7, 6, 5],
            "g2": [5, 6, 8, 7, 7, 8, 4, 6, 4, 5],
            "g3": [2, 2, 5, 3, 2, 2, 1, 4, 3, 2],
        }
    )
    found = one(frame, higher_is_better=False)
    assert round(found["statistic"], 4) == 13.3514
    assert round(found["p_value"], 5) == 0.00126
    plain = one(frame, higher_is_better=False, tie_correction=False)
    assert round(plain["statistic"], 2) == 12.35
    ranks = mean_ranks(frame, higher_is_better=False)
    assert ranks.to_dict() == pytest.approx({"g3": 1.15, "g1": 2.15, "g2": 2.7})


# Critical difference and cliques -----------------------------------------------------


@pytest.mark.parametrize(
    ("k", "n", "gap"),
    [(5, 30, 1.1136), (5, 10, 1.9288), (10, 20, 3.0290), (20, 30, 5.4132),
     (50, 30, 15.0266), (100, 50, 24.9643)],
)  # fmt: skip
def test_critical_difference_for_any_number_of_methods(k, n, gap):
    table = bp.critical_difference(ordered(k, n), higher_is_better=True)
    assert table["critical_difference"].round(4).unique().tolist() == [gap]


def test_groups_of_the_reference_table():
    assert groups(REFERENCE) == {"C": "a", "B": "a,b", "A": "b"}
    assert members(REFERENCE) == [["C", "B"], ["B", "A"]]
    assert (
        round(bp.critical_difference(REFERENCE)["critical_difference"].iloc[0], 4) == 1.3531
    )


def test_alpha_decides_the_groups():
    assert members(REFERENCE, alpha=0.06) == [["C", "B"], ["A"]]
    assert groups(REFERENCE, alpha=0.06) == {"C": "a", "B": "a", "A": "b"}


def test_neighbours_are_joined_though_every_dataset_agrees():
    table = bp.critical_difference(ordered(3, 5))
    assert table["critical_difference"].round(4).tolist() == [1.4823] * 3
    assert members(ordered(3, 5)) == [["m1", "m2"], ["m2", "m3"]]
    assert members(ordered(5, 10)) == [[f"m{i}", f"m{i + 1}"] for i in range(1, 5)]


def test_methods_that_differ_from_all_others_are_alone():
    table = bp.cliques(ordered(3, 60))
    assert table["n_methods"].tolist() == [1, 1, 1]
    assert groups(ordered(3, 60)) == {"m1": "a", "m2": "b", "m3": "c"}


def test_no_difference_joins_all():
    assert groups(CYCLE) == {"A": "a", "B": "a", "C": "a"}


def test_equal_mean_ranks_stand_in_label_order():
    assert bp.critical_difference(CYCLE)["method"].tolist() == ["A", "B", "C"]


def test_groups_go_on_after_z_as_in_a_spreadsheet():
    table = groups(ordered(30, 20_000), higher_is_better=True)
    assert table["m1"], table["m26"] == ("a", "z")
    assert (table["m27"], table["m30"]) == ("aa", "ad")


@given(matrices(max_side=9), st.sampled_from([0.001, 0.05, 0.4]))
@pytest.mark.filterwarnings("ignore::beam_pandas.BeamWarning")
def test_no_shared_letter_means_a_significant_difference(matrix, alpha):
    frame = frame_of(matrix)
    letters = {
        name: set(text.split(",")) for name, text in groups(frame, alpha=alpha).items()
    }
    pairs = bp.nemenyi(frame, alpha=alpha)
    for row in pairs.itertuples():
        shared = letters[row.method_1] & letters[row.method_2]
        assert row.significant == (not shared)
    assert [len(m) for m in members(frame, alpha=alpha)] == (
        bp.cliques(frame, alpha=alpha).groupby("groups")["n_methods"].first().tolist()
    )


def test_too_few_datasets_to_tell_anything_apart_is_said():
    message = (
        "no two methods can differ, whatever the scores: the critical difference 8.494 is "
        "no less than 8, the largest possible gap of 9 methods; 2 datasets are too few; "
        "the sign test of all pairs with Holm needs 11 (resolution)"
    )
    for function in (bp.critical_difference, bp.cliques, bp.nemenyi):
        with pytest.warns(bp.BeamWarning) as caught:
            function(FEW, higher_is_better=True)
        assert [str(warning.message) for warning in caught] == [message]
        assert caught[0].filename == __file__
    with pytest.warns(bp.BeamWarning, match="in metric 'f1'") as caught:
        FEW.assign(metric="f1").beam.cliques()
    assert caught[0].filename == __file__
    with pytest.warns(bp.BeamWarning) as caught:
        FEW.pipe(bp.cliques, higher_is_better=True)
    assert caught[0].filename == __file__


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 5, "0.05", None, True, np.nan])
def test_alpha_is_a_probability(alpha):
    for function in (bp.critical_difference, bp.cliques, bp.nemenyi):
        with pytest.raises(bp.BeamError, match="alpha must be a number between 0 and 1"):
            function(REFERENCE, alpha=alpha)


def test_an_alpha_from_numpy_will_do():
    found = bp.critical_difference(REFERENCE, alpha=np.float64(0.05))
    pd.testing.assert_frame_equal(found, bp.critical_difference(REFERENCE))
