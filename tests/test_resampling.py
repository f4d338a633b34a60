from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

import beam_pandas as bp
from tests.strategies import frame_of, matrices
from tests.tables import CYCLE, DEMSAR, HOLE, REFERENCE, TIES, long

FIVE = long({"A": [5, 4, 3], "B": [3, 5, 2], "C": [4, 3, 1]}, "elo")
# sixteen datasets, A and B even but for the last one
ONE_DECIDES = long(
    {
        "A": [0.8] * 7 + [0.7] * 8 + [0.9],
        "B": [0.7] * 7 + [0.8] * 8 + [0.1],
        "C": [0.6] * 15 + [0.5],
    },
    "accuracy",
)


def by_method(result):
    return result.set_index("method")


def ranks_of(matrix):
    return rankdata(-matrix, axis=1)


# rank_intervals ---------------------------------------------------------------------------


def test_three_datasets_are_gone_through_in_all_27_draws():
    ranks = ranks_of(np.array([[5, 3, 4], [4, 5, 3], [3, 2, 1]]))
    means = [ranks[list(draw)].mean(axis=0) for draw in product(range(3), repeat=3)]
    found = by_method(bp.rank_intervals(FIVE, top=2))
    best = np.zeros(3)
    for mean in means:
        first = np.isclose(mean, mean.min())
        best += first / first.sum()
    np.testing.assert_allclose(found["prob_best"], best / 27, rtol=1e-14)
    np.testing.assert_allclose(found["standard_error"], np.std(means, axis=0), rtol=1e-14)
    ordered = np.sort(means, axis=0)
    np.testing.assert_allclose(found["ci_low"], ordered[0])  # 0.025 * 27 is below 1
    np.testing.assert_allclose(found["ci_high"], ordered[26])
    assert found["prob_best"].sum() == pytest.approx(1.0, abs=1e-15)
    assert found["prob_top"].sum() == pytest.approx(2.0, abs=1e-15)
    assert found["n_datasets"].tolist() == [3, 3, 3]


@given(matrices(min_side=8, max_side=10), st.integers(0, 3))
@settings(max_examples=12)
def test_draws_equal_a_plain_loop_with_the_same_numbers(matrix, seed):
    found = bp.rank_intervals(frame_of(matrix), n_resamples=40, rng=seed, top=1)
    ranks = ranks_of(matrix)
    drawn = np.random.default_rng(seed).integers(len(matrix), size=(40, len(matrix)))
    means = np.array([ranks[rows].mean(axis=0) for rows in drawn])
    for row in found.itertuples():
        at = int(row.method[1:])
        mine = np.sort(means[:, at])
        assert row.mean_rank == pytest.approx(ranks[:, at].mean(), abs=1e-12)
        assert row.ci_low == pytest.approx(mine[0], abs=1e-12)  # the first of forty
        assert row.ci_high == pytest.approx(mine[38], abs=1e-12)  # the 39th
        assert row.standard_error == pytest.approx(means[:, at].std(ddof=1), abs=1e-12)
        assert row.prob_best == row.prob_top


def test_best_first_and_equal_ones_in_label_order():
    assert bp.rank_intervals(CYCLE)["method"].tolist() == ["A", "B", "C"]
    assert bp.rank_intervals(REFERENCE)["mean_rank"].is_monotonic_increasing


def test_what_is_missing_is_refused_or_left_out_of_the_mean():
    with pytest.raises(bp.IncompleteScoresError, match="rank_intervals needs a score"):
        bp.rank_intervals(HOLE)
    found = by_method(bp.rank_intervals(HOLE, missing="available"))
    assert found["n_datasets"].to_dict() == {"A": 6, "B": 6, "C": 5}
    assert found["mean_rank"].to_dict() == {"A": 1.0, "B": 2.0, "C": 3.0}
    worst = by_method(bp.rank_intervals(HOLE, missing="worst"))
    assert worst.loc["C", ["n_datasets", "mean_rank"]].tolist() == [6, 3.0]
    assert len(bp.rank_intervals(HOLE, missing="drop_methods")) == 2


def test_a_method_without_a_score_is_last_and_has_no_rank():
    frame = pd.concat(
        [
            REFERENCE,
            pd.DataFrame(
                {"method": ["0"], "dataset": ["d01"], "metric": ["elo"], "score": [np.nan]}
            ),
        ]
    )
    last = bp.rank_intervals(frame, missing="available").iloc[-1]
    assert (last["method"], last["n_datasets"]) == ("0", 0)
    assert np.isnan(last["mean_rank"]) and np.isnan(last["prob_best"])


def test_one_method_or_one_dataset_is_refused():
    for missing in ("raise", "available"):
        with pytest.raises(bp.BeamError, match="at least 2 methods and 2 datasets"):
            bp.rank_intervals(long({"A": [1, 2]}, "elo"), missing=missing)
        with pytest.raises(bp.BeamError, match="at least 2 methods and 2 datasets"):
            bp.rank_intervals(long({"A": [1], "B": [2]}, "elo"), missing=missing)


def test_families_are_drawn_whole():
    wide = np.random.default_rng(3).random((9, 4))
    frame = frame_of(wide)
    frame["family"] = frame["dataset"].map(lambda name: "xyz"[int(name[1:]) % 3])
    found = bp.rank_intervals(frame, cluster="family")
    ranks = ranks_of(wide)
    sums = [
        ranks[[at for at in range(9) if at % 3 == part]].sum(axis=0) for part in range(3)
    ]
    means = [sum(sums[part] for part in draw) / 9 for draw in product(range(3), repeat=3)]
    deviation = np.std(means, axis=0)
    for row in found.itertuples():
        assert row.standard_error == pytest.approx(
            deviation[int(row.method[1:])], rel=1e-12
        )
    alone = frame.assign(family=frame["dataset"])
    pd.testing.assert_frame_equal(
        bp.rank_intervals(alone, cluster="family"), bp.rank_intervals(frame)
    )


def test_what_is_no_family_is_refused():
    frame = REFERENCE.assign(family="x")
    with pytest.raises(bp.BeamError, match="needs two families of datasets, found one"):
        bp.rank_intervals(frame, cluster="family")
    with pytest.raises(
        bp.MissingColumnsError, match="cluster must be the name of a column"
    ):
        bp.rank_intervals(frame, cluster="group")


MANY = frame_of(np.random.default_rng(0).random((12, 5)))


def test_the_stream_is_the_seed_s_and_starts_anew_for_each_metric_and_group():
    def run(frame, rng):
        return bp.rank_intervals(frame, n_resamples=50, rng=rng)

    once = run(MANY, 0)
    generator = np.random.default_rng(0)
    before = generator.bit_generator.state
    for rng in (0, np.int64(0), generator):
        pd.testing.assert_frame_equal(run(MANY, rng), once)
    assert generator.bit_generator.state == before
    assert not run(MANY, 1).equals(once)
    assert not run(MANY, None).equals(run(MANY, None))
    both = pd.concat([MANY, MANY.assign(metric="f1")])
    for _, part in run(both, generator).groupby("metric"):
        pd.testing.assert_frame_equal(
            part.drop(columns="metric").reset_index(drop=True), once.drop(columns="metric")
        )
    groups = pd.concat([MANY.assign(part="a"), MANY.assign(part="b")]).groupby("part")
    found = groups.beam.rank_intervals(n_resamples=50)
    assert found[found["part"] == "b"]["prob_best"].tolist() == once["prob_best"].tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rng": -1}, "rng must be a whole number, not negative, a num"),
        ({"rng": True}, "rng must be"),
        ({"rng": np.random.RandomState(0)}, "rng must be"),
        ({"rng": 1.0}, "rng must be"),
        (
            {"n_resamples": 0},
            "n_resamples must be a whole number from 1 to 1,000,000, got 0",
        ),
        ({"n_resamples": 10.0}, "n_resamples must be"),
        ({"top": 0}, "top must be a whole number from 1"),
        ({"confidence_level": 1.0}, "confidence_level must be a number between 0 and 1"),
        ({"missing": "none"}, "missing must be one of .*'available'"),
        ({"cluster": 3}, "cluster must be the name of a column"),
    ],
)
def test_options_that_do_not_exist_are_refused(options, message):
    with pytest.raises(bp.BeamError, match=message):
        bp.rank_intervals(REFERENCE, **options)


# influence --------------------------------------------------------------------------------


def verdicts(frame, name, rope, alpha, adjust):
    if name == "nemenyi":
        return bp.nemenyi(frame, alpha=alpha)["significant"]
    return bp.pairwise(frame, rope, alpha=alpha, adjust=adjust)["significant"]


@pytest.mark.filterwarnings("ignore::beam_pandas.BeamWarning")
@pytest.mark.parametrize(
    ("rope", "adjust"),
    [(0.0, "holm"), (0.1, "hommel"), ("20%", "none"), ("width", "fdr_bh")],
)
def test_influence_is_what_the_functions_give_without_the_dataset(rope, adjust):
    rng = np.random.default_rng(5)
    skill = np.linspace(0, 0.5, 4)
    frame = frame_of((rng.random((10, 4)) + skill).round(1))
    frame["width"] = 0.05 + (frame["score"] * 7).round() % 3 / 20
    found = bp.influence(frame, rope, alpha=0.2, adjust=adjust)
    assert found["dataset"].tolist() == sorted(frame["dataset"].unique())
    mean = bp.rank_intervals(frame, n_resamples=1).set_index("method")["mean_rank"]
    changed = 0
    for row in found.itertuples():
        rest = frame[frame["dataset"] != row.dataset]
        after = bp.rank_intervals(rest, n_resamples=1).set_index("method")["mean_rank"]
        assert row.rank_shift == pytest.approx((after - mean).abs().max(), abs=1e-12)
        first = sorted(after.index[after == after.min()])
        assert (row.best_method, row.n_best) == (first[0], len(first))
        assert row.friedman_p_value == bp.friedman(rest)["p_value"].iloc[0]
        for name, flips in (
            ("nemenyi", row.n_flips_nemenyi), ("sign", row.n_flips_sign)
        ):  # fmt: skip
            options = (name, rope, 0.2, adjust)
            assert flips == (verdicts(frame, *options) != verdicts(rest, *options)).sum()
            changed += flips
    assert changed


@given(matrices(missing=True, min_side=3))
@settings(max_examples=12)
def test_influence_with_missing_scores_as_worst_is_that_of_pairwise(matrix):
    matrix = matrix[~np.isnan(matrix).all(axis=1)]
    if len(matrix) < 3:
        return
    frame, options = frame_of(matrix), {"alpha": 0.5, "adjust": "none", "missing": "worst"}
    found = bp.influence(frame, **options)
    everything = bp.pairwise(frame, **options)["significant"]
    for row in found.itertuples():
        rest = frame[frame["dataset"] != row.dataset]
        without = bp.pairwise(rest, **options)["significant"]
        assert row.n_flips_sign == (without != everything).sum()


def test_one_dataset_decides_first_place():
    found = bp.influence(ONE_DECIDES)
    everything = bp.rank_intervals(ONE_DECIDES)
    assert everything["method"].iloc[0] == "A"
    assert found[found["best_method"] != "A"]["dataset"].tolist() == ["d16"]


def test_the_best_of_demsar_changes_without_six_of_fourteen_datasets():
    # found by recomputing each table; being alone in first place counts as well
    found = bp.influence(DEMSAR, higher_is_better=True)
    assert bp.rank_intervals(DEMSAR)["method"].iloc[0] == "C4.5+m+cf"
    alone = (found["best_method"] == "C4.5+m+cf") & (found["n_best"] == 1)
    assert (~alone).sum() == 6


def test_two_datasets_leave_no_friedman():
    found = bp.influence(long({"A": [1, 2], "B": [2, 3], "C": [3, 1]}, "elo"))
    assert found["friedman_p_value"].isna().all()
    assert found["best_method"].tolist() == ["B", "C"]


def test_influence_needs_complete_scores_or_a_choice():
    with pytest.raises(bp.IncompleteScoresError, match="influence needs a score of every"):
        bp.influence(HOLE)
    assert len(bp.influence(HOLE, missing="drop_datasets")) == 5
    assert bp.influence(HOLE, "2%", missing="drop_methods")["n_best"].tolist() == [1] * 6
    with pytest.raises(bp.BeamError, match="missing must be one of"):
        bp.influence(HOLE, missing="available")


# pool_sensitivity -------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::beam_pandas.BeamWarning")
@given(matrices(min_side=3, max_side=7), st.sampled_from([0.05, 0.3, 0.7]))
@settings(max_examples=12)
def test_pool_sensitivity_is_nemenyi_without_the_method(matrix, alpha):
    frame = frame_of(matrix)
    k = matrix.shape[1]
    keys = ["method_1", "method_2"]
    everything = bp.nemenyi(frame, alpha=alpha).set_index(keys)["significant"]
    found = bp.pool_sensitivity(frame, alpha=alpha)
    assert found["method"].tolist() == bp.critical_difference(frame)["method"].tolist()
    for row in found.itertuples():
        rest = frame[frame["method"] != row.method]
        others = bp.nemenyi(rest, alpha=alpha).set_index(keys)["significant"]
        assert row.n_pairs == len(others) == (k - 1) * (k - 2) // 2
        assert row.n_flips == (everything[others.index] != others).sum()


def test_two_methods_leave_no_pair():
    two = REFERENCE[REFERENCE["method"] != "C"]
    found = bp.pool_sensitivity(two)
    assert found[["n_flips", "n_pairs"]].to_numpy().tolist() == [[0, 0], [0, 0]]


def test_the_pool_decides():
    # Benavoli, Corani and Mangili (2016): A and B differ by the others between them
    k, n = 8, 20
    table = {f"z{at}": [0.5 + 0.001 * at] * n for at in range(k - 2)}
    table |= {"A": [0.9] * 12 + [0.1] * 8, "B": [0.4] * 12 + [0.05] * 8}
    found = by_method(bp.pool_sensitivity(long(table, "accuracy")))
    assert found["n_flips"].sum() > 0
    assert len(list(combinations(range(k - 1), 2))) == found["n_pairs"].iloc[0]


def test_ties_everywhere_change_nothing():
    same = long({name: [0.5] * 5 for name in "ABC"}, "accuracy")
    assert bp.pool_sensitivity(same)["n_flips"].sum() == 0
    found = bp.influence(same)
    assert found["n_best"].tolist() == [3] * 5
    assert found["friedman_p_value"].tolist() == [1.0] * 5
    assert (
        by_method(bp.rank_intervals(same))["prob_best"].round(12).tolist()
        == [pytest.approx(1 / 3, abs=1e-11)] * 3
    )
    assert bp.rank_intervals(TIES)["n_datasets"].tolist() == [4, 4, 4]
