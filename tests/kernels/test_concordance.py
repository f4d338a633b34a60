import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from beam_pandas.kernels import concordance
from beam_pandas.kernels.concordance import kendall_tau
from beam_pandas.kernels.equal_scores import merge_equal
from tests.strategies import matrices

NAN = np.nan


def textbook(benefit):
    """Kendall's tau-b, a pair of datasets and a pair of methods at a time."""
    n_common, tau = [], []
    for one, other in itertools.combinations(benefit.tolist(), 2):
        both = [
            (x, y)
            for x, y in zip(one, other, strict=True)
            if not (math.isnan(x) or math.isnan(y))
        ]
        agreement = untied_one = untied_other = 0
        for (x1, y1), (x2, y2) in itertools.combinations(both, 2):
            x, y = (x1 > x2) - (x1 < x2), (y1 > y2) - (y1 < y2)
            agreement += x * y
            untied_one += x * x
            untied_other += y * y
        scale = math.sqrt(untied_one * untied_other)
        n_common.append(len(both))
        tau.append(agreement / scale if scale else NAN)
    return n_common, tau


@pytest.mark.parametrize("missing", [False, True])
@given(data=st.data(), block=st.sampled_from([1, 7, 2**21]))
def test_equals_the_textbook_with_ties_and_holes_in_blocks_of_any_size(
    missing, data, block
):
    benefit = data.draw(matrices(missing=missing, max_side=7))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(concordance, "_BLOCK", block)
        found = kendall_tau(benefit)
    n_common, tau = textbook(benefit)
    np.testing.assert_array_equal(found.n_common, n_common)
    np.testing.assert_allclose(found.tau, tau, rtol=1e-14, atol=0)
    assert found.n_common.dtype == np.int64


@pytest.mark.parametrize("digits", [1, 8])
@pytest.mark.parametrize("share_missing", [0.0, 0.3])
def test_equals_scipy(digits, share_missing):
    rng = np.random.default_rng(20)
    benefit = np.round(rng.normal(size=(14, 30)), digits)
    benefit[rng.random(benefit.shape) < share_missing] = NAN
    found = kendall_tau(benefit)
    pairs = list(zip(*np.triu_indices(14, 1), strict=True))
    assert found.tau.shape == (len(pairs),)
    for at, (one, other) in enumerate(pairs):
        both = ~np.isnan(benefit[one]) & ~np.isnan(benefit[other])
        expected = kendalltau(benefit[one, both], benefit[other, both])
        assert found.n_common[at] == both.sum()
        assert found.tau[at] == pytest.approx(expected.statistic, rel=1e-12, abs=1e-15)


@given(matrices(missing=True), st.randoms(use_true_random=False))
def test_order_of_methods_and_monotone_transforms_never_matter(benefit, random):
    columns = random.sample(range(benefit.shape[1]), benefit.shape[1])
    found = kendall_tau(benefit)
    for changed in (benefit[:, columns], np.exp(benefit), -benefit):
        again = kendall_tau(changed)
        np.testing.assert_array_equal(again.tau, found.tau)
        np.testing.assert_array_equal(again.n_common, found.n_common)


@given(matrices(missing=True))
def test_turning_one_dataset_turns_the_sign(benefit):
    turned = benefit.copy()
    turned[0] = -turned[0]
    n_first = benefit.shape[0] - 1  # its pairs come first
    found, again = kendall_tau(benefit).tau, kendall_tau(turned).tau
    np.testing.assert_array_equal(again[:n_first], -found[:n_first])
    np.testing.assert_array_equal(again[n_first:], found[n_first:])


def test_full_agreement_is_exactly_one_with_ties_too():
    order = np.array([1.0, 2.0, 2.0, 3.0, 5.0, 5.0, 5.0])
    found = kendall_tau(np.array([order, order**2, -order]))
    np.testing.assert_array_equal(found.tau, [1.0, -1.0, -1.0])
    np.testing.assert_array_equal(found.n_common, [7, 7, 7])


def test_no_tau_on_fewer_than_two_common_methods_or_a_constant_dataset():
    benefit = np.array(
        [
            [1.0, 2.0, 3.0, NAN],
            [NAN, NAN, 4.0, 5.0],  # one method in common with the first
            [7.0, 7.0, 8.0, 9.0],  # constant on the two it shares with the next
            [1.0, 2.0, NAN, NAN],
        ]
    )
    found = kendall_tau(benefit)
    np.testing.assert_array_equal(found.n_common, [1, 3, 2, 2, 0, 2])
    expected = [NAN, 2 / math.sqrt(6), 1.0, 1.0, NAN, NAN]
    np.testing.assert_allclose(found.tau, expected, rtol=1e-15)


def test_the_last_digits_of_a_score_break_no_tie():
    benefit = np.array([[0.1 + 0.2, 0.3, 0.5], [0.3, 0.3, 0.5], [0.1, 0.2, 0.3]])
    found = kendall_tau(merge_equal(benefit))
    np.testing.assert_allclose(found.tau, [1.0, 2 / math.sqrt(6), 2 / math.sqrt(6)])


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (3, 0), (3, 1)])
def test_too_small_a_table_has_pairs_but_no_tau(shape):
    found = kendall_tau(np.zeros(shape))
    n_pairs = math.comb(shape[0], 2)
    assert found.tau.shape == found.n_common.shape == (n_pairs,)
    assert np.isnan(found.tau).all()
    np.testing.assert_array_equal(found.n_common, shape[1])


def test_counts_beyond_one_block_stay_exact():
    # 300 methods make 44850 pairs; all datasets the same, so every count is the largest.
    benefit = np.tile(np.arange(300.0), (3, 1))
    benefit[2, :100] = NAN
    found = kendall_tau(benefit)
    np.testing.assert_array_equal(found.tau, [1.0, 1.0, 1.0])
    np.testing.assert_array_equal(found.n_common, [300, 200, 200])
