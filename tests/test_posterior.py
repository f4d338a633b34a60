import importlib

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import beam_pandas as bp
from beam_pandas.kernels.dirichlet import largest_share
from tests.strategies import frame_of, matrices
from tests.tables import REFERENCE, long

P = ["prob_better", "prob_equivalent", "prob_worse"]
MEAN = ["expected_better", "expected_equivalent", "expected_worse"]


def counted(wins, ties, losses):
    scores = [0.9] * wins + [0.5] * ties + [0.1] * losses
    return long({"A": scores, "B": [0.5] * len(scores)}, "accuracy")


def only(frame):
    (row,) = frame.to_dict("records")
    return row


# P(theta_1 > theta_2) of Beta(5, 1) is 1 - 2^-5; the others by adaptive quadrature
@pytest.mark.parametrize(
    ("counts", "prior", "prob_better"),
    [
        ((5, 0, 0), "rope", 0.96875),
        ((5, 0, 0), "uniform", 0.99152446),
        ((9, 0, 1), "rope", 0.99614456),
    ],
)
def test_known_posteriors(counts, prior, prob_better):
    row = only(counted(*counts).beam.bayesian_sign(0.01, prior=prior))
    assert row["prob_better"] == pytest.approx(prob_better, abs=5e-9)
    assert sum(row[name] for name in P) == pytest.approx(1.0, abs=1e-12)


def test_the_mean_share_is_another_thing_than_the_probability():
    row = only(counted(9, 0, 1).beam.bayesian_sign(0.01))
    assert row["expected_better"] == pytest.approx(9 / 11)
    assert row["expected_equivalent"] == pytest.approx(1 / 11)
    assert row["decision"] == "better"


# baycomp 1.0.3, SignTest.probs with nsamples=5_000_000 after np.random.seed(1). It adds
# 0.0001 to each parameter, hence so do we here; the tolerance is five standard errors.
@pytest.mark.parametrize(
    ("alpha", "drawn"),
    [
        ((5, 1, 0), (0.9687996, 0.0312, 4e-7)),
        ((9, 1, 1), (0.9961632, 0.0019192, 0.0019176)),
        ((11, 7, 15), (0.2050046, 0.0233802, 0.7716152)),
        ((22, 3, 8), (0.9959252, 1.4e-5, 0.0040608)),
        ((3, 11, 4), (0.0101106, 0.9621068, 0.0277826)),
        ((40, 8, 30), (0.8857906, 4e-7, 0.114209)),
    ],
)
def test_draws_of_baycomp_scatter_around_the_exact_values(alpha, drawn):
    exact = largest_share(np.array([alpha]) + 0.0001)[0]
    error = np.sqrt(np.maximum(exact, 1e-7) / 5e6)
    assert (np.abs(np.array(drawn) - exact) < 5 * error).all()


@given(
    matrices(missing=True),
    st.sampled_from([0.0, 0.1, 0.3]),
    st.sampled_from(["rope", "uniform", "neutral"]),
    st.sampled_from([0.0, 0.5, 1.0, 7.0]),
)
def test_each_pair_is_the_posterior_of_its_counts(matrix, rope, prior, strength):
    if np.isnan(matrix).all():
        return
    frame = frame_of(matrix)
    table = bp.bayesian_sign(frame, rope, prior=prior, prior_strength=strength)
    pairs = bp.pairwise(frame, rope)
    counts = ["method_1", "method_2", "n_datasets", "wins", "ties", "losses", "rope"]
    pd.testing.assert_frame_equal(table[counts], pairs[counts])
    place = {"rope": [0, 1, 0], "uniform": [1 / 3] * 3, "neutral": [0.5, 0, 0.5]}[prior]
    alpha = table[["wins", "ties", "losses"]] + strength * np.array(place)
    met = (table["n_datasets"] > 0).to_numpy()
    np.testing.assert_allclose(
        table[P][met], largest_share(alpha[met].to_numpy()), atol=1e-12
    )
    np.testing.assert_allclose(
        table[MEAN][met], alpha[met].div(alpha[met].sum(axis=1), axis=0)
    )
    assert table.loc[~met, P + MEAN].isna().all(axis=None)
    assert (table.loc[~met, "decision"] == "undecided").all()
    np.testing.assert_allclose(table[P][met].sum(axis=1), 1.0, atol=1e-9)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_swapping_the_methods_swaps_the_outer_two_exactly(wins, ties, losses):
    if wins + ties + losses == 0:
        return
    there = only(counted(wins, ties, losses).beam.bayesian_sign(0.01))
    back = only(counted(losses, ties, wins).beam.bayesian_sign(0.01))
    assert [there[name] for name in P] == [back[name] for name in reversed(P)]
    assert [there[name] for name in MEAN] == [back[name] for name in reversed(MEAN)]


def test_decisions():
    assert only(counted(1, 0, 1).beam.bayesian_sign(0.01))["decision"] == "undecided"
    assert only(counted(0, 20, 1).beam.bayesian_sign(0.01))["decision"] == "equivalent"
    assert only(counted(1, 0, 20).beam.bayesian_sign(0.01))["decision"] == "worse"
    row = only(counted(5, 0, 0).beam.bayesian_sign(0.01, threshold=0.97))
    assert row["decision"] == "undecided"


def test_a_rope_wider_than_all_differences_is_equivalence():
    rng = np.random.default_rng(0)
    frame = long({"A": list(rng.random(9) * 0.3), "B": list(rng.random(9) * 0.3)}, "elo")
    row = only(frame.beam.bayesian_sign(1.0))
    assert row["prob_equivalent"] == 1.0
    assert row["decision"] == "equivalent"


def test_the_rope_turns_the_answer():
    frame = long({"A": [0.505] * 20, "B": [0.5] * 20}, "accuracy")
    assert only(frame.beam.bayesian_sign(0))["prob_better"] > 0.9999
    assert only(frame.beam.bayesian_sign(0.01))["prob_equivalent"] == 1.0


def test_without_a_prior_a_region_without_datasets_has_no_probability():
    row = only(counted(3, 0, 1).beam.bayesian_sign(0.01, prior_strength=0))
    assert row["prob_equivalent"] == row["expected_equivalent"] == 0.0
    assert row["prob_better"] == pytest.approx(0.875)  # Beta(3, 1) above one half


def test_no_shared_dataset_is_no_posterior_whatever_the_prior():
    frame = long({"A": [1, None], "B": [None, 1]}, "elo")
    row = only(frame.beam.bayesian_sign(0, prior_strength=50))
    assert np.isnan([row[name] for name in P + MEAN]).all()
    assert row["decision"] == "undecided"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"prior": "flat"},
            r"prior must be one of \['rope', 'uniform', 'neutral'\], got 'flat'",
        ),
        (
            {"prior_strength": -1},
            r"prior_strength must be a number from 0 to 1e\+09, got -1",
        ),
        ({"prior_strength": 1e13}, "got 1000"),
        ({"prior_strength": 10**400}, "got 1000"),
        ({"prior_strength": np.inf}, "got inf"),
        ({"prior_strength": "1"}, "got '1'"),
        ({"threshold": 0.5}, "threshold must be a number above 0.5 and at most 1, got 0.5"),
        ({"threshold": 95}, "got 95"),
        ({"threshold": None}, "got None"),
    ],
)
def test_options_that_are_none(options, message):
    with pytest.raises(bp.BeamError, match=message):
        REFERENCE.beam.bayesian_sign(0, **options)


def test_the_rope_must_be_chosen():
    with pytest.raises(TypeError, match="rope"):
        REFERENCE.beam.bayesian_sign()


def test_nothing_random_happens():
    pd.testing.assert_frame_equal(
        REFERENCE.beam.bayesian_sign(1), REFERENCE.beam.bayesian_sign(1), check_exact=True
    )


@pytest.mark.parametrize(
    "module", ["beam_pandas.statistics.posteriors", "beam_pandas.kernels.dirichlet"]
)
def test_counts_too_many_for_one_number_a_row_give_the_same(module, monkeypatch):
    scores = bp.load_benchmark().query("metric == 'accuracy'")
    expected = scores.beam.bayesian_sign(0.01, prior="uniform")
    monkeypatch.setattr(importlib.import_module(module), "_LARGEST_BASE", 3)
    found = scores.beam.bayesian_sign(0.01, prior="uniform")
    pd.testing.assert_frame_equal(found, expected, check_exact=True)
