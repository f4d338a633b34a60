import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beam_pandas.kernels import strength_draws as module
from beam_pandas.kernels.pair_counts import count_pairs
from beam_pandas.kernels.paired_strengths import Finding, paired_strengths
from beam_pandas.kernels.strength_draws import (
    NOT_COMPARED,
    StrengthDraws,
    outcome_signs,
    strength_draws,
    strength_intervals,
)
from tests.strategies import matrices

NAN, INF = np.nan, np.inf


def multinomial(n_datasets, n_draws, seed=0):
    rng = np.random.default_rng(seed)
    return rng.multinomial(n_datasets, np.full(n_datasets, 1 / n_datasets), size=n_draws)


def count(benefit, rope=0.0):
    counts = count_pairs(benefit, rope)
    ties = counts.ties
    np.fill_diagonal(ties, 0)
    return counts.wins, ties


def reach(edges):
    closure = edges | np.eye(len(edges), dtype=bool)
    for middle, i, j in itertools.product(range(len(edges)), repeat=3):
        closure[i, j] |= closure[i, middle] and closure[middle, j]
    return closure


def plain_draws(benefit, weights, model, prior=0.0):
    """Repeat the rows of each draw, count again, and fit one component after another."""
    wins, ties = count(benefit)
    met = wins + wins.T + ties > 0
    component = paired_strengths(wins, ties, model).component
    strength = np.full((len(weights), len(wins)), NAN)
    for row, weight in zip(strength, weights, strict=True):
        wins, ties = count(np.repeat(benefit, weight, axis=0))
        wins = wins + prior * met
        for number in range(component.max() + 1):
            members = np.flatnonzero(component == number)
            won, tied = (a[np.ix_(members, members)] for a in (wins, ties))
            found = paired_strengths(won, tied, model)
            if len(members) == 1:
                continue
            if len(set(found.component)) == 1 and found.finding[0] == Finding.FINITE:
                row[members] = found.strength
            elif model == "half" or Finding.TIES_WITHOUT_BOUND not in found.finding:
                paths = reach((won > 0) | (tied > 0))
                row[members[paths.all(axis=0)]] = -INF
                row[members[paths.all(axis=1)]] = INF
    return strength


@given(matrices(missing=True, max_side=5), st.sampled_from(["half", "davidson"]))
def test_all_draws_at_once_agree_with_one_after_the_other(benefit, model):
    weights = multinomial(len(benefit), 6)
    found = strength_draws(outcome_signs(benefit, 0.0), weights, benefit.shape[1], model)
    wins, ties = count(benefit)
    whole = paired_strengths(wins, ties, model)
    known = (whole.finding == Finding.FINITE)[whole.component]
    expected = plain_draws(benefit, weights, model)
    np.testing.assert_allclose(
        found.strength[:, known], expected[:, known], rtol=0, atol=1e-10
    )
    assert np.isnan(found.strength[:, ~known]).all()
    assert not found.finite[:, whole.finding != Finding.FINITE].any()
    for number in np.flatnonzero(whole.finding == Finding.FINITE):
        members = np.flatnonzero(whole.component == number)
        some = np.isfinite(found.strength[:, members])
        np.testing.assert_array_equal(some.all(axis=1), found.finite[:, number])
        np.testing.assert_array_equal(some.any(axis=1), found.finite[:, number])


@given(matrices(missing=True, max_side=5), st.sampled_from(["half", "davidson"]))
def test_with_prior_wins_every_draw_is_finite(benefit, model):
    weights = multinomial(len(benefit), 6)
    signs = outcome_signs(benefit, 0.0)
    found = strength_draws(signs, weights, benefit.shape[1], model, 0.5)
    expected = plain_draws(benefit, weights, model, 0.5)
    np.testing.assert_allclose(found.strength, expected, rtol=0, atol=1e-10)
    in_company = np.bincount(found.component)[found.component] > 1
    assert np.isfinite(found.strength[:, in_company]).all()


@pytest.mark.parametrize("model", ["half", "davidson"])
def test_blocks_do_not_matter(monkeypatch, model):
    benefit = np.random.default_rng(3).integers(0, 5, (12, 6)).astype(float)
    signs, weights = outcome_signs(benefit, 0.0), multinomial(12, 40)
    whole = strength_draws(signs, weights, 6, model)
    monkeypatch.setattr(module, "_COUNTED", 200)
    monkeypatch.setattr(module, "_FITTED", 100)
    parts = strength_draws(signs, weights, 6, model)
    np.testing.assert_array_equal(parts.finite, whole.finite)
    np.testing.assert_allclose(parts.strength, whole.strength, rtol=0, atol=1e-11)


def test_a_draw_of_every_dataset_once_is_the_table():
    benefit = np.random.default_rng(5).integers(0, 5, (20, 4)).astype(float)
    for model in ("half", "davidson"):
        whole = paired_strengths(*count(benefit), model)
        signs = outcome_signs(benefit, 0.0)
        found = strength_draws(signs, np.ones((1, 20), dtype=np.int64), 4, model)
        np.testing.assert_allclose(found.strength[0], whole.strength, rtol=0, atol=1e-12)


def test_where_draws_without_a_maximum_run_off():
    # Dataset 0: A > B > C > D; dataset 1: the reverse; dataset 2: A > B = C > D.
    benefit = np.array([[4.0, 3, 2, 1], [1, 2, 3, 4], [3, 2, 2, 1]])
    weights = np.array([[3, 0, 0], [0, 3, 0], [0, 0, 3], [2, 1, 0], [0, 0, 0]])
    found = strength_draws(outcome_signs(benefit, 0.0), weights, 4)
    assert found.strength[0].tolist() == pytest.approx([INF, NAN, NAN, -INF], nan_ok=True)
    assert found.strength[1].tolist() == pytest.approx([-INF, NAN, NAN, INF], nan_ok=True)
    assert found.strength[2].tolist() == pytest.approx([INF, NAN, NAN, -INF], nan_ok=True)
    assert np.isfinite(found.strength[3]).all()
    assert np.isnan(found.strength[4]).all()  # nothing drawn that compares
    assert found.finite[:, 0].tolist() == [False, False, False, True, False]


def test_who_loses_everything_takes_the_mean_along():
    benefit = np.array([[2.0, 1, 0], [1, 2, 0], [0, 1, 2]])
    found = strength_draws(outcome_signs(benefit, 0.0), np.array([[2, 1, 0]]), 3)
    assert found.strength[0].tolist() == [INF, INF, -INF]


def test_davidson_draws_with_ties_only_are_undetermined():
    benefit = np.array([[1.0, 0], [0, 1], [1, 1]])
    weights = np.array([[0, 0, 3], [1, 0, 2], [1, 1, 1], [1, 2, 0]])
    found = strength_draws(outcome_signs(benefit, 0.0), weights, 2, "davidson")
    assert np.isnan(found.strength[:2]).all()
    expected = [0.0, -math.log(2) / 2]
    np.testing.assert_allclose(found.strength[2:, 0], expected, rtol=0, atol=1e-12)
    half = strength_draws(outcome_signs(benefit, 0.0), weights, 2)
    np.testing.assert_allclose(half.strength[:2, 0], [0.0, math.log(2 / 1) / 2], atol=1e-12)


# Signs --------------------------------------------------------------------------------


@given(matrices(missing=True), st.sampled_from([0.0, 0.1, 0.2]))
def test_signs_add_up_to_the_counts_of_pairs(benefit, rope):
    signs = outcome_signs(benefit, rope)
    counts = count_pairs(benefit, rope)
    pairs = itertools.combinations(range(benefit.shape[1]), 2)
    for at, (i, j) in enumerate(pairs):
        assert np.count_nonzero(signs[:, at] == 1) == counts.wins[i, j]
        assert np.count_nonzero(signs[:, at] == -1) == counts.wins[j, i]
        assert np.count_nonzero(signs[:, at] == 0) == counts.ties[i, j]
        missing = np.isnan(benefit[:, i]) | np.isnan(benefit[:, j])
        np.testing.assert_array_equal(signs[:, at] == NOT_COMPARED, missing)


def test_a_difference_equal_to_the_rope_is_within():
    benefit = np.array([[0.898, 0.888, 0.887, NAN]])
    assert outcome_signs(benefit, 0.01)[0].tolist() == [0, 1, 2, 0, 2, 2]


# Intervals ----------------------------------------------------------------------------


def draws_of(values):
    """Draws of one component of methods in the columns."""
    strength = np.array(values, dtype=float)
    finite = np.isfinite(strength).all(axis=1, keepdims=True)
    return StrengthDraws(strength, finite, np.zeros(strength.shape[1], dtype=np.int64))


def test_ends_are_draws_counted_from_below():
    values = np.random.default_rng(0).permutation(1000.0 + np.arange(1000))
    found = strength_intervals(draws_of(values[:, np.newaxis]), 0.95)
    # 25 and 975 of 1,000 draws, although (1 - 0.95) / 2 * 1000 is above 25 as a float.
    assert (found.low[0], found.high[0]) == (1024.0, 1974.0)
    assert found.share_finite.tolist() == pytest.approx([1.0])
    found = strength_intervals(draws_of(np.arange(999.0)[:, np.newaxis]), 0.95)
    assert (found.low[0], found.high[0]) == (24.0, 974.0)  # 24.975 and 974.025, rounded up


def test_as_many_infinite_draws_as_the_tail_holds_leave_a_finite_end():
    values = np.arange(1000.0)
    values[-25:] = INF
    assert strength_intervals(draws_of(values[:, None]), 0.95).high[0] == 974.0
    values[-26] = INF
    assert strength_intervals(draws_of(values[:, None]), 0.95).high[0] == INF


def test_undetermined_draws_count_against_either_end():
    values = np.arange(100.0)
    values[50:53] = NAN
    found = strength_intervals(draws_of(values[:, None]), 0.95)
    assert (found.low[0], found.high[0]) == (-INF, INF)
    values[50] = 50.0
    found = strength_intervals(draws_of(values[:, None]), 0.95)
    assert (found.low[0], found.high[0]) == (0.0, 99.0)


def test_more_than_half_without_a_maximum_gives_no_interval():
    values = np.array([[-INF]] * 5 + [[1.0]] * 5)
    found = strength_intervals(draws_of(values), 0.5)
    assert (found.low[0], found.high[0]) == (-INF, 1.0)
    assert found.share_finite[0] == pytest.approx(0.5)
    values[5] = -INF
    found = strength_intervals(draws_of(values), 0.5)
    assert np.isnan([found.low[0], found.high[0]]).all()
    assert found.share_finite[0] == pytest.approx(0.4)


def test_components_have_their_own_share():
    strength = np.array([[1.0, -1, NAN, NAN], [2, -2, 3, -3], [0, 0, INF, -INF]])
    finite = np.array([[True, False], [True, True], [True, False]])
    found = strength_intervals(StrengthDraws(strength, finite, np.array([0, 0, 1, 1])), 0.9)
    assert found.low.tolist() == pytest.approx([0.0, -2.0, NAN, NAN], nan_ok=True)
    assert found.high.tolist() == pytest.approx([2.0, 0.0, NAN, NAN], nan_ok=True)
    np.testing.assert_allclose(found.share_finite, [1, 1 / 3])


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(1, 5)), min_size=1, max_size=12),
    st.sampled_from([0.5, 0.8, 0.95]),
)
def test_mass_is_the_same_as_repeated_draws(pairs, level):
    values = np.array([[float(value)] for value, _ in pairs])
    times = np.array([number for _, number in pairs])
    weighed = strength_intervals(draws_of(values), level, times / times.sum())
    repeated = strength_intervals(draws_of(np.repeat(values, times, axis=0)), level)
    plain = sorted(np.repeat(values[:, 0], times))
    tail = round((1 - level) / 2 * len(plain), 9)
    assert weighed.low[0] == repeated.low[0] == plain[max(math.ceil(tail), 1) - 1]
    top = math.ceil(round(len(plain) - tail, 9))
    assert weighed.high[0] == repeated.high[0] == plain[top - 1]


def test_weights_for_all_compositions_are_the_exact_distribution():
    benefit = np.array([[2.0, 1, 0], [1, 2, 0], [0, 1, 2], [2, 0, 1]])
    rows = [w for w in itertools.product(range(5), repeat=4) if sum(w) == 4]
    mass = [24 / math.prod(map(math.factorial, w)) / 4**4 for w in rows]
    signs = outcome_signs(benefit, 0.0)
    exact = strength_draws(signs, np.array(rows), 3)
    found = strength_intervals(exact, 0.5, np.array(mass))
    plain = [
        np.bincount(drawn, minlength=4) for drawn in itertools.product(range(4), repeat=4)
    ]
    every = strength_intervals(strength_draws(signs, np.array(plain), 3), 0.5)
    np.testing.assert_allclose(found.share_finite, every.share_finite, rtol=1e-12)
    np.testing.assert_allclose(found.low, every.low, atol=1e-10)
    np.testing.assert_allclose(found.high, every.high, atol=1e-10)
