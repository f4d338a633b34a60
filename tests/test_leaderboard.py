from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import beam_pandas as bp
from tests.strategies import frame_of, matrices
from tests.tables import CYCLE, HOLE, REFERENCE, TIES, long, ordered


def shares_a_letter(board):
    groups = {row.method: set(row.groups.split(",")) for row in board.itertuples()}
    return {
        pair: bool(groups[pair[0]] & groups[pair[1]])
        for pair in combinations(sorted(groups), 2)
    }


def same_as(board, result, columns):
    left = board.set_index("method")[columns].sort_index()
    right = result.set_index("method")[columns].sort_index()
    pd.testing.assert_frame_equal(left, right, check_exact=True)


@given(
    matrices(missing=True),
    st.sampled_from([0.0, 0.1, "10%"]),
    st.sampled_from(["available", "worst", "drop_methods", "largest_block"]),
)
@settings(max_examples=12)
def test_each_column_is_that_of_the_function_it_comes_from(matrix, rope, missing):
    frame = frame_of(matrix)
    try:
        board = bp.leaderboard(frame, rope, missing=missing, alpha=0.6, adjust="none")
    except bp.BeamError:
        return
    kept = frame[frame["method"].isin(board["method"])]
    if missing == "largest_block":
        kept = None
    intervals = bp.rank_intervals(frame, missing=missing)
    same_as(board, intervals, ["mean_rank", "ci_low", "ci_high", "prob_best"])
    if kept is None:
        return
    how = "worst" if missing == "worst" else "available"
    same_as(board, bp.standing(kept, rope, missing=how), ["standing"])
    same_as(board, bp.majority(kept, rope, missing=how), ["n_beaten"])
    pairs = bp.pairwise(kept, rope, missing=how, alpha=0.6, adjust="none")
    together = shares_a_letter(board)
    for row in pairs.itertuples():
        assert together[row.method_1, row.method_2] == (not row.significant)
    cells = kept.set_index(["dataset", "method"])["score"]
    wide = cells.unstack().dropna(how="all")  # noqa: PD010
    gap = wide.rsub(wide.max(axis=1), axis=0).mean()
    for row in board.itertuples():
        has = wide[row.method].notna().sum()
        assert (row.n_datasets, row.n_missing) == (has, len(wide) - has)
        np.testing.assert_allclose(row.mean_score, wide[row.method].mean(), rtol=1e-14)
        np.testing.assert_allclose(row.gap_to_best, gap[row.method], atol=1e-15)


def test_the_columns_by_hand():
    board = bp.leaderboard(long({"A": [3, 1, 2], "B": [1, 1, 1]}, "elo"))
    first, second = board.to_dict("records")
    assert (first["method"], second["method"]) == ("A", "B")
    assert (first["mean_score"], second["mean_score"]) == (2.0, 1.0)
    assert (first["gap_to_best"], second["gap_to_best"]) == (0.0, 1.0)
    np.testing.assert_allclose(first["mean_rank"], 3.5 / 3)
    np.testing.assert_allclose(first["standing"], 2.5 / 3)
    assert (first["n_beaten"], second["n_beaten"]) == (1, 0)
    # B is never ahead; all draws but that of the tie alone, 1 of 27, put A in front
    np.testing.assert_allclose(first["prob_best"], 1 - 1 / 54)
    assert (first["ci_low"], second["groups"]) == (1.0, "a")


def test_the_gap_is_turned_so_that_0_is_always_best():
    loss = long({"A": [0.1, 0.2], "B": [0.3, 0.1]}, "log_loss")
    board = bp.leaderboard(loss).set_index("method")
    np.testing.assert_allclose(board.loc["A", "gap_to_best"], 0.05)
    np.testing.assert_allclose(board.loc["B", "gap_to_best"], 0.1)
    np.testing.assert_allclose(board.loc["A", "mean_score"], 0.15)  # in its unit


def test_equal_scores_have_no_gap():
    near = long({"A": [0.1 + 0.2], "B": [0.3]}, "accuracy")
    board = bp.leaderboard(pd.concat([near, near.assign(dataset="d02")]))
    assert board["gap_to_best"].tolist() == [0.0, 0.0]


def test_a_difference_that_equals_the_rope_is_no_win():
    frame = long({"A": [0.898] * 8, "B": [0.888] * 8}, "accuracy")
    assert bp.leaderboard(frame, 0.01)["standing"].tolist() == [0.5, 0.5]
    assert bp.leaderboard(frame, 0.00999)["standing"].tolist() == [1.0, 0.0]


def test_complete_tables_are_in_the_order_of_mean_ranks_others_of_standing():
    # A wins narrowly in three of five, and is far behind otherwise
    table = {
        "A": [4, 4, 4, 1, 1], "B": [3, 3, 3, 4, 4], "C": [2, 2, 2, 3, 3],
        "D": [1, 1, 1, 2, 2],
    }  # fmt: skip
    board = bp.leaderboard(long(table, "elo"))
    assert board["mean_rank"].is_monotonic_increasing
    table["D"] = [1, 1, 1, 2, None]
    board = bp.leaderboard(long(table, "elo"))
    assert board["standing"].is_monotonic_decreasing
    worst = bp.leaderboard(long(table, "elo"), missing="worst")
    assert worst["mean_rank"].is_monotonic_increasing


@pytest.mark.parametrize("level", [0.05, 0.2, 0.6])
def test_nemenyi_gives_the_groups_of_critical_difference(level):
    rng = np.random.default_rng(1)
    frame = frame_of(rng.random((15, 9)) + np.linspace(0, 0.8, 9), "elo")
    board = bp.leaderboard(frame, test="nemenyi", alpha=level)
    expected = bp.critical_difference(frame, alpha=level)
    assert board["method"].tolist() == expected["method"].tolist()
    assert board["groups"].tolist() == expected["groups"].tolist()
    assert len(set(board["groups"])) > 1


def test_nemenyi_needs_complete_scores():
    with pytest.raises(bp.IncompleteScoresError, match=r"test='nemenyi'\) needs a score"):
        bp.leaderboard(HOLE, test="nemenyi")
    for missing in ("drop_methods", "worst"):
        assert len(bp.leaderboard(HOLE, test="nemenyi", missing=missing)) >= 2
    with pytest.raises(bp.IncompleteScoresError):
        bp.leaderboard(HOLE, missing="raise")


def test_nemenyi_says_when_nothing_can_differ():
    with pytest.warns(bp.BeamWarning, match="no two methods can differ"):
        bp.leaderboard(CYCLE, test="nemenyi", alpha=0.01)


def test_wilcoxon_sees_sizes():
    # six wins and three losses, which are small: 2^9 signs, T- = 1 + 2 + 3
    frame = long({"A": [9, 8, 7, 6, 5, 4, -1, -2, -3], "B": [0] * 9}, "elo")
    assert bp.leaderboard(frame, alpha=0.06)["groups"].tolist() == ["a", "a"]
    # T- <= 6 has 14 of 512 sign patterns on either side: p = 28 / 512
    at_level = bp.leaderboard(frame, test="wilcoxon", alpha=28 / 512)
    assert at_level["groups"].tolist() == ["a", "b"]
    below = bp.leaderboard(frame, test="wilcoxon", alpha=0.0546)
    assert below["groups"].tolist() == ["a", "a"]


def test_p_values_equal_to_alpha_are_significant():
    frame = ordered(2, 6)  # six wins of six: p = 2 / 64
    assert bp.leaderboard(frame, alpha=2 / 64)["groups"].tolist() == ["a", "b"]
    assert bp.leaderboard(frame, alpha=0.03124)["groups"].tolist() == ["a", "a"]


def test_a_method_without_a_score_is_last():
    empty = pd.DataFrame({"method": ["0"], "dataset": ["d01"], "metric": "elo"})
    board = bp.leaderboard(pd.concat([REFERENCE, empty]))
    last = board.iloc[-1]
    assert (last["method"], last["n_datasets"], last["n_missing"]) == ("0", 0, 6)
    assert last[["mean_score", "mean_rank", "standing", "gap_to_best"]].isna().all()
    assert set(last["groups"].split(",")) == set(",".join(board["groups"]).split(","))


def test_a_block_for_each_metric():
    both = pd.concat([TIES, REFERENCE])
    board = bp.leaderboard(both)
    assert board["metric"].tolist() == ["accuracy"] * 3 + ["elo"] * 3
    alone = bp.leaderboard(REFERENCE)
    pd.testing.assert_frame_equal(board.tail(3).reset_index(drop=True), alone)


def test_the_stream_is_that_of_rank_intervals():
    frame = frame_of(np.random.default_rng(0).random((20, 4)))
    boards = [bp.leaderboard(frame, n_resamples=30, rng=seed) for seed in (0, 0, 1)]
    pd.testing.assert_frame_equal(boards[0], boards[1])
    assert not boards[0].equals(boards[2])
    same_as(boards[2], bp.rank_intervals(frame, n_resamples=30, rng=1), ["prob_best"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "t"}, r"test must be one of \['sign', 'wilcoxon', 'nemenyi'\]"),
        ({"missing": "none"}, "missing must be one of"),
        ({"adjust": "sidak"}, "adjust must be one of"),
        ({"alpha": 0}, "alpha must be"),
        ({"n_resamples": 0}, "n_resamples must be a whole number from 1"),
        ({"confidence_level": 95}, "confidence_level must be"),
        ({"rng": None, "rope": "2 per cent"}, "rope must be"),
        ({"test": "wilcoxon", "missing": "worst"}, "use test='sign'"),
    ],
)
def test_options_that_do_not_exist_are_refused(options, message):
    with pytest.raises(bp.BeamError, match=message):
        bp.leaderboard(REFERENCE, **options)
