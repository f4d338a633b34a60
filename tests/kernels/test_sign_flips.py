import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beam_pandas.kernels import sign_flips as module
from beam_pandas.kernels.adjustment import ADJUSTMENTS, adjust_p_values
from beam_pandas.kernels.binomial_sign import sign_p_values
from beam_pandas.kernels.pair_counts import count_pairs
from beam_pandas.kernels.sign_flips import count_sign_flips, pair_outcomes
from tests.strategies import matrices


def verdicts(benefit, rope, alpha, adjust):
    counts = count_pairs(benefit, rope)
    pairs = np.triu_indices(benefit.shape[1], k=1)
    p_values = sign_p_values(counts.wins[pairs], counts.losses[pairs])
    return adjust_p_values(p_values, adjust) <= alpha


def fast(benefit, rope, alpha, adjust):
    counts = count_pairs(benefit, rope)
    pairs = np.triu_indices(benefit.shape[1], k=1)
    return count_sign_flips(
        pair_outcomes(benefit, rope),
        counts.wins[pairs],
        counts.losses[pairs],
        len(benefit),
        alpha=alpha,
        adjust=adjust,
    )


def naive(benefit, rope, alpha, adjust):
    before = verdicts(benefit, rope, alpha, adjust)
    return [
        np.count_nonzero(
            verdicts(np.delete(benefit, at, axis=0), rope, alpha, adjust) != before
        )
        for at in range(len(benefit))
    ]


@given(matrices(min_side=2, max_side=9), st.sampled_from([0.0, 0.1, 0.25]), st.data())
def test_equals_the_tests_made_anew(matrix, rope, data):
    adjust = data.draw(st.sampled_from(ADJUSTMENTS))
    # p-values of few datasets are 2^-n times whole numbers: these levels are reached
    alpha = data.draw(st.sampled_from([0.05, 0.1, 0.25, 0.5, 0.125, 0.375, 0.75]))
    found = fast(matrix, rope, alpha, adjust)
    np.testing.assert_array_equal(found, naive(matrix, rope, alpha, adjust))


@pytest.mark.parametrize("adjust", ADJUSTMENTS)
@pytest.mark.parametrize("shift", [0.0, 0.6, 1.0])
def test_equals_the_tests_made_anew_where_many_flip(adjust, shift):
    rng = np.random.default_rng(3)
    benefit = np.round(rng.normal(size=(25, 7)) + shift * np.arange(7), 1)
    found = fast(benefit, 0.2, 0.05, adjust)
    np.testing.assert_array_equal(found, naive(benefit, 0.2, 0.05, adjust))
    if shift == 0.6:
        assert found.any()


def test_six_wins_of_six_are_significant_and_five_of_five_are_not():
    # 2 / 2^6 = .03125, 2 / 2^5 = .0625
    benefit = np.column_stack([np.ones(6), np.zeros(6)])
    np.testing.assert_array_equal(fast(benefit, 0.0, 0.05, "holm"), [1] * 6)
    # a level that is reached exactly is reached: no flip at .0625, one just below
    np.testing.assert_array_equal(fast(benefit, 0.0, 0.0625, "holm"), [0] * 6)
    below = np.nextafter(0.0625, 0)
    np.testing.assert_array_equal(fast(benefit, 0.0, below, "holm"), [1] * 6)
    # within the rope there is nothing to flip
    np.testing.assert_array_equal(fast(benefit, 1.0, 0.05, "holm"), [0] * 6)


def test_a_tie_left_out_flips_nothing():
    benefit = np.column_stack([np.ones(7), np.zeros(7)])
    benefit[3] = 0.5
    np.testing.assert_array_equal(fast(benefit, 0.0, 0.05, "none"), [1, 1, 1, 0, 1, 1, 1])


def test_a_family_of_none():
    assert fast(np.ones((3, 1)), 0.0, 0.05, "holm").tolist() == [0, 0, 0]


@pytest.mark.parametrize("adjust", ADJUSTMENTS)
def test_a_rule_of_its_own_and_the_adjustment_itself_agree(adjust):
    rng = np.random.default_rng(5)
    p_values = np.unique(np.round(rng.random(30) ** 3, 3))
    for alpha in (0.01, 0.05, 0.3, *p_values[:3]):
        number = rng.integers(0, 4, size=(20, len(p_values)))
        number[0] = 0
        for row, cut in zip(
            number, module._cut(number, p_values, alpha, adjust), strict=True
        ):
            adjusted = adjust_p_values(np.repeat(p_values, row), adjust)
            assert row[:cut].sum() == np.count_nonzero(adjusted <= alpha)
            one = module._cut_one(row, p_values, alpha, adjust)
            assert row[:one].sum() == row[:cut].sum()


@pytest.mark.parametrize("block", [1, 60])
def test_blocks_change_nothing(block, monkeypatch):
    benefit = np.random.default_rng(1).normal(size=(11, 5)) + np.arange(5)
    expected = fast(benefit, 0.1, 0.05, "holm")
    monkeypatch.setattr(module, "_BLOCK", block)
    np.testing.assert_array_equal(fast(benefit, 0.1, 0.05, "holm"), expected)
