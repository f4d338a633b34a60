from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import beam_pandas as bp
from tests.kernels.test_paired_strengths import TIES as GH_TIES
from tests.kernels.test_paired_strengths import WINS as GH_WINS
from tests.strategies import frame_of
from tests.tables import CYCLE, HOLE, REFERENCE, SPLIT, long

NAMES = ["C4.5", "CN2", "Kernel", "NaiveBayes", "k-NN"]


def games(wins, ties, names=NAMES):
    """A table with a dataset for each comparison, which has two scores."""
    rows = []
    for i, j in combinations(range(len(names)), 2):
        outcomes = [(1, 0)] * int(wins[i, j]) + [(0, 1)] * int(wins[j, i])
        outcomes += [(1, 1)] * int(ties[i, j])
        for at, scores in enumerate(outcomes):
            for method, score in zip((names[i], names[j]), scores, strict=True):
                rows.append((method, f"{i}-{j}-{at:03d}", "elo", float(score)))
    return pd.DataFrame(rows, columns=["method", "dataset", "metric", "score"])


GH2008 = games(GH_WINS, GH_TIES)


def fit(frame, **options):
    return bp.bradley_terry(frame, **{"n_resamples": 0, **options}).set_index("method")


def test_half_ties_as_in_bradley_terry_2():
    # R: BradleyTerry2::BTm on the counts of Garcia and Herrera (2008), ties half a win each,
    # less the mean; vcov centred
    found = fit(GH2008)
    strength = [0.876265, -0.087951, -1.351384, 0.775101, -0.212030]
    error = [0.173823, 0.160724, 0.200557, 0.170665, 0.161674]
    np.testing.assert_allclose(found.loc[NAMES, "strength"], strength, atol=5.1e-7)
    np.testing.assert_allclose(found.loc[NAMES, "standard_error"], error, atol=5.1e-7)
    assert found.index.tolist() == ["C4.5", "NaiveBayes", "CN2", "k-NN", "Kernel"]
    assert (found["component"] == 1).all() and (found["n_opponents"] == 4).all()
    elo = 1500 + 400 / np.log(10) * found["strength"]
    np.testing.assert_allclose(found["elo"], elo, rtol=1e-15)
    assert found["elo"].mean() == pytest.approx(1500.0, abs=1e-9)
    assert found[["ci_low", "ci_high"]].isna().all(axis=None)


def test_davidson_as_in_a_log_linear_fit():
    # R: glm(family = poisson) on the same counts
    expected = [0.891802, -0.089256, -1.375880, 0.788846, -0.215512]
    found = fit(GH2008, ties="davidson")
    np.testing.assert_allclose(found.loc[NAMES, "strength"], expected, atol=5.1e-7)


def test_choix_agrees():
    choix = pytest.importorskip("choix", reason="only to compare")
    expected = choix.ilsr_pairwise_dense(GH_WINS + GH_TIES / 2, alpha=0, tol=1e-13)
    np.testing.assert_allclose(fit(GH2008).loc[NAMES, "strength"], expected, atol=1e-9)


def test_two_methods_are_the_log_odds():
    frame = long({"A": [1] * 6 + [0] * 2, "B": [0] * 6 + [1] * 2}, "elo")
    found = fit(frame)
    np.testing.assert_allclose(found["strength"], [np.log(3) / 2, -np.log(3) / 2])


@pytest.mark.parametrize("missing", ["available", "worst"])
@pytest.mark.parametrize("rope", [0.0, 0.1, "15%", "width"])
def test_strengths_fit_the_wins_and_ties_of_pairwise(rope, missing):
    rng = np.random.default_rng(2)
    wide = rng.random((40, 5)).round(1) + 0.1
    wide[rng.random(wide.shape) < 0.1] = np.nan
    frame = frame_of(wide, "elo").assign(width=0.1)
    pairs = bp.pairwise(frame, rope, missing=missing)
    found = fit(frame, rope=rope, missing=missing)["strength"]
    won = dict.fromkeys(found.index, 0.0)
    expected = dict.fromkeys(found.index, 0.0)
    for row in pairs.itertuples():
        chance = 1 / (1 + np.exp(found[row.method_2] - found[row.method_1]))
        won[row.method_1] += row.wins + row.ties / 2
        won[row.method_2] += row.losses + row.ties / 2
        expected[row.method_1] += row.n_datasets * chance
        expected[row.method_2] += row.n_datasets * (1 - chance)
    for method in found.index:  # where the likelihood has its maximum
        assert expected[method] == pytest.approx(won[method], abs=1e-8)


def test_intervals_are_the_percentiles_of_fits_to_drawn_datasets():
    rng = np.random.default_rng(7)
    wide = (rng.random((10, 3)) + [0.0, 0.1, 0.2]).round(2)
    found = bp.bradley_terry(
        frame_of(wide, "elo"), n_resamples=39, confidence_level=0.9, rng=4
    )
    drawn = np.random.default_rng(4).integers(10, size=(39, 10))
    fits = []
    for rows in drawn:
        again = fit(frame_of(wide[rows], "elo"))["strength"]
        fits.append(again.loc[["m0", "m1", "m2"]].to_numpy())
    ordered = np.sort(fits, axis=0)  # 0.05 * 39 = 1.95, 0.95 * 39 = 37.05
    assert np.isfinite(ordered).all()
    for row in found.itertuples():
        at = int(row.method[1:])
        ends = ordered[[1, 37], at]
        np.testing.assert_allclose([row.ci_low, row.ci_high], ends, atol=1e-9)


def test_few_datasets_need_no_random_number():
    one, other = (bp.bradley_terry(CYCLE, rng=seed, n_resamples=1) for seed in (0, 1))
    pd.testing.assert_frame_equal(one, other)


def test_no_finite_maximum_is_said_and_a_prior_makes_one():
    frame = long({"A": [3, 2, 3], "B": [2, 3, 2], "C": [1, 1, 1]}, "elo")
    message = (
        r"no finite strengths in metric 'elo': between these 2 groups of methods wins and "
        r"ties lead one way only: \('A', 'B'\), \('C'\)\. prior_strength=0\.5 adds"
    )
    with pytest.warns(bp.BeamWarning, match=message):
        found = bp.bradley_terry(frame)
    assert found["strength"].isna().all() and found["elo"].isna().all()
    assert found["component"].tolist() == [1, 1, 1]
    with_prior = bp.bradley_terry(frame, prior_strength=0.5)
    assert np.isfinite(with_prior[["strength", "ci_low", "ci_high"]]).all(axis=None)
    assert with_prior["method"].tolist() == ["A", "B", "C"]
    counts = np.array([[0, 2.5, 3.5], [1.5, 0, 3.5], [0.5, 0.5, 0]])
    doubled = games(2 * counts, np.zeros((3, 3)), ["A", "B", "C"])
    np.testing.assert_allclose(with_prior["strength"], fit(doubled)["strength"], atol=1e-10)


def test_ties_without_bound_are_said():
    frame = long({"A": [1, 1, 1], "B": [1, 1, 1]}, "elo")
    with pytest.warns(bp.BeamWarning, match="ties are so many that their parameter has no"):
        assert fit(frame, ties="davidson")["strength"].isna().all()
    assert fit(frame)["strength"].tolist() == [0.0, 0.0]


def test_groups_that_never_met_stand_apart():
    wins = np.array([[0, 3, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 3, 0]])
    frame = games(wins, np.zeros((4, 4)), ["A", "B", "C", "D"])
    message = r"only within each of 2 groups .*: \('A', 'B'\), \('C', 'D'\)"
    with pytest.warns(bp.BeamWarning, match=message):
        found = bp.bradley_terry(frame, n_resamples=20)
    assert found["method"].tolist() == ["A", "B", "D", "C"]
    assert found["component"].tolist() == [1, 1, 2, 2]
    half = np.log(3) / 2
    np.testing.assert_allclose(found["strength"], [half, -half, half, -half])
    assert found["n_opponents"].tolist() == [1, 1, 1, 1]


@pytest.mark.filterwarnings("ignore:.*no finite strengths:beam_pandas.BeamWarning")
def test_components_that_are_never_beaten_have_none():
    with pytest.warns(bp.BeamWarning, match="2 groups of methods that never met"):
        assert fit(SPLIT)["strength"].isna().all()


def test_a_method_that_met_nobody_has_no_strength():
    alone = pd.DataFrame(
        {"method": ["Z"], "dataset": ["other"], "metric": ["elo"], "score": [1.0]}
    )
    found = fit(pd.concat([CYCLE, alone]))
    last = found.loc["Z"]
    assert (last["n_opponents"], last["component"]) == (0, 2)
    assert np.isnan(last["strength"])
    # a dataset that compares nobody changes no draw of the others
    both = [bp.bradley_terry(frame) for frame in (CYCLE, pd.concat([CYCLE, alone]))]
    pd.testing.assert_frame_equal(both[1].head(3), both[0])


def test_draws_in_which_one_loses_everything_are_infinite():
    # seven datasets, C is better on one: without it, (6/7)^7 = .34 of the draws, C is
    # at -inf and the mean with it, so that the others are at +inf
    frame = long({"A": [3, 2] * 3 + [2], "B": [2, 3] * 3 + [1], "C": [1] * 6 + [3]}, "elo")
    found = bp.bradley_terry(frame).set_index("method")
    assert found.loc["C", "ci_low"] == -np.inf
    assert found.loc["A", "ci_high"] == found.loc["B", "ci_high"] == np.inf
    assert np.isfinite(found["strength"]).all()


def test_more_than_half_of_the_draws_without_strengths_give_no_interval():
    frame = long({"A": [1, 1, 1, 0], "B": [0, 0, 0, 1]}, "elo")
    # only A wins in 81 of 256 draws, only B in 1: that is an interval
    assert bp.bradley_terry(frame)["ci_low"].notna().all()
    frame = long({"A": [1, 0], "B": [0, 1]}, "elo")  # half of the draws, not more
    assert bp.bradley_terry(frame)["ci_low"].tolist() == [-np.inf, -np.inf]
    # without the second C loses everything, without the third A wins: 12 of 27 have both
    three = {"A": [3, 3, 2], "B": [2, 1, 3], "C": [1, 2, 1]}
    with pytest.warns(bp.BeamWarning, match="no intervals .*: 56% of the draws of datas"):
        found = bp.bradley_terry(long(three, "elo"))
    assert found["ci_low"].isna().all() and found["strength"].notna().all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ties": "rao"}, r"ties must be one of \['half', 'davidson'\], got 'rao'"),
        ({"prior_strength": 0}, "prior_strength must be a positive number or None, got 0"),
        ({"prior_strength": np.inf}, "prior_strength must be"),
        ({"n_resamples": -1}, "n_resamples must be a whole number from 1"),
        ({"rng": "0"}, "rng must be"),
        ({"confidence_level": 0}, "confidence_level must be"),
        ({"missing": "raise"}, "missing must be one of"),
        ({"rope": -1}, "rope must be"),
    ],
)
def test_options_that_do_not_exist_are_refused(options, message):
    with pytest.raises(bp.BeamError, match=message):
        bp.bradley_terry(REFERENCE, **options)


@pytest.mark.filterwarnings("ignore::beam_pandas.BeamWarning")
def test_a_missing_score_that_is_worst_is_a_loss():
    found = fit(HOLE, missing="worst", prior_strength=1.0)
    full = HOLE.fillna({"score": -1.0})
    pd.testing.assert_frame_equal(found, fit(full, prior_strength=1.0))
