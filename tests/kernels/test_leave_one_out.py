from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare

from beam_pandas.kernels import leave_one_out as module
from beam_pandas.kernels.critical_gap import beyond
from beam_pandas.kernels.friedman_statistics import friedman_statistics
from beam_pandas.kernels.leave_one_out import (
    count_pool_flips,
    count_rank_flips,
    mean_ranks_without,
)
from beam_pandas.kernels.nemenyi import nemenyi_gap
from beam_pandas.kernels.row_ranks import rank_rows
from tests.strategies import matrices
from tests.tables import DEMSAR, DEMSAR_RANKED

GAPS = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 2 / 3, 0.75, 1.0, 1.2, 1.5, 2.0])


def demsar(table=DEMSAR_RANKED):
    wide = table.pivot(index="dataset", columns="method", values="score")
    return rank_rows(wide.to_numpy())  # columns C4.5, C4.5+cf, C4.5+m, C4.5+m+cf


def verdicts(ranks, critical):
    """Verdicts of all pairs, one pair after the other."""
    sums = (2.0 * ranks).sum(axis=0)
    return [
        bool(beyond(np.array([abs(a - b) / (2.0 * len(ranks))]), critical)[0])
        for a, b in combinations(sums, 2)
    ]


@given(matrices(min_side=2, max_side=7))
def test_equals_the_table_without_the_dataset(matrix):
    ranks = rank_rows(matrix)
    found = mean_ranks_without(ranks)
    for left_out in range(len(ranks)):
        rest = np.delete(ranks, left_out, axis=0)
        shift = np.abs(rest.mean(axis=0) - ranks.mean(axis=0)).max()
        assert found.rank_shift[left_out] == pytest.approx(shift, rel=1e-12, abs=1e-13)
        sums = rest.sum(axis=0)
        best = np.flatnonzero(sums == sums.min())
        assert (found.best[left_out], found.n_best[left_out]) == (best[0], len(best))
        if len(rest) > 1:
            assert found.friedman_p_value[left_out] == friedman_statistics(rest).p_value
        else:
            assert np.isnan(found.friedman_p_value[left_out])


@given(matrices(min_side=2, max_side=7), GAPS, GAPS)
def test_rank_flips_equal_those_counted_pair_by_pair(matrix, critical, without):
    ranks = rank_rows(matrix)
    found = count_rank_flips(ranks, critical, without)
    before = verdicts(ranks, critical)
    for left_out in range(len(ranks)):
        after = verdicts(np.delete(ranks, left_out, axis=0), without)
        assert found[left_out] == sum(a != b for a, b in zip(before, after, strict=True))


@given(matrices(min_side=2, max_side=7), GAPS, GAPS)
def test_pool_flips_equal_those_of_the_table_ranked_anew(matrix, critical, without):
    found = count_pool_flips(rank_rows(matrix), critical, without)
    before = verdicts(rank_rows(matrix), critical)
    pairs = list(combinations(range(matrix.shape[1]), 2))
    for left_out in range(matrix.shape[1]):
        after = verdicts(rank_rows(np.delete(matrix, left_out, axis=1)), without)
        kept = [old for old, p in zip(before, pairs, strict=True) if left_out not in p]
        assert found[left_out] == sum(a != b for a, b in zip(kept, after, strict=True))


@pytest.mark.parametrize(("table", "low", "high"), [
    # by friedmanchisquare of scipy on each table of 13 datasets
    (DEMSAR, 0.0027453923522617867, 0.031426739556459804),
    (DEMSAR_RANKED, 0.004113673733169573, 0.0424442971175316),
])  # fmt: skip
def test_demsar_without_a_dataset(table, low, high):
    ranks = demsar(table)
    found = mean_ranks_without(ranks)
    sums = ranks.sum(axis=0)
    best = np.flatnonzero(sums == sums.min())
    # the best method, or its being alone, changes without one dataset in 6 of 14 cases
    changed = (found.best != best[0]) | (found.n_best != len(best))
    assert np.count_nonzero(changed) == 6
    assert found.friedman_p_value.min() == pytest.approx(low, rel=1e-12)
    assert found.friedman_p_value.max() == pytest.approx(high, rel=1e-12)
    expected = [friedmanchisquare(*np.delete(ranks, at, axis=0).T)[1] for at in range(14)]
    np.testing.assert_allclose(found.friedman_p_value, expected, rtol=1e-10)


def test_demsar_at_ten_percent():
    ranks = demsar()
    gaps = nemenyi_gap(0.1, 4, 14), nemenyi_gap(0.1, 4, 13), nemenyi_gap(0.1, 3, 14)
    # Demšar (2006), section 3.2.2: CD 1.12, C4.5 differs from both with m, 3.143 - 1.964
    # and 3.143 - 2.000
    assert sum(verdicts(ranks, gaps[0])) == 2
    rest = np.delete(ranks, 0, axis=0)
    flips = sum(
        a != b
        for a, b in zip(verdicts(ranks, gaps[0]), verdicts(rest, gaps[1]), strict=True)
    )
    assert count_rank_flips(ranks, gaps[0], gaps[1])[0] == flips


def test_a_gap_that_equals_the_critical_difference_is_within():
    # doubled sums 8, 12, 16 of four datasets: gaps of exactly 0.5, and 1 in all
    ranks = np.array([[1.0, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3]])
    ranks[0], ranks[1] = [2, 1, 3], [1, 3, 2]
    gap = (ranks.sum(axis=0)[1] - ranks.sum(axis=0)[0]) / 4
    assert verdicts(ranks, gap)[0] is False
    assert count_rank_flips(ranks, gap, 99.0).tolist() == [1] * 4
    below = np.nextafter(gap, 0) * (1 - 1e-13)
    assert count_rank_flips(ranks, below, 99.0).tolist() == [3 - (gap >= 1)] * 4


def test_equal_means_after_leaving_one_out_share_the_first_place():
    found = mean_ranks_without(np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0]]))
    np.testing.assert_array_equal(found.n_best, [2, 1, 2])
    np.testing.assert_array_equal(found.best, [0, 0, 0])
    # mean rank 4/3 becomes 3/2 or 1
    np.testing.assert_allclose(found.rank_shift, [1 / 6, 1 / 3, 1 / 6], rtol=1e-15)


def test_all_scores_equal():
    ranks = np.full((4, 3), 2.0)
    found = mean_ranks_without(ranks)
    assert (found.friedman_p_value == 1.0).all() and (found.n_best == 3).all()
    assert (found.rank_shift == 0.0).all()
    # what is left without the one dataset that tells apart
    ranks[2] = [1.0, 2.0, 3.0]
    assert mean_ranks_without(ranks).friedman_p_value[2] == 1.0


def test_two_methods_leave_no_pair():
    ranks = np.array([[1.0, 2.0]] * 5)
    np.testing.assert_array_equal(count_pool_flips(ranks, 0.5, np.nan), [0, 0])


@pytest.mark.parametrize("block", [1, 7, 50])
def test_blocks_change_nothing(block, monkeypatch):
    ranks = rank_rows(np.random.default_rng(0).integers(0, 4, (9, 5)).astype(float))
    expected = count_rank_flips(ranks, 0.6, 0.5), count_pool_flips(ranks, 0.6, 0.5)
    monkeypatch.setattr(module, "_BLOCK", block)
    found = count_rank_flips(ranks, 0.6, 0.5), count_pool_flips(ranks, 0.6, 0.5)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_order_of_the_methods_changes_no_count():
    rng = np.random.default_rng(1)
    ranks = rank_rows(rng.integers(0, 6, (12, 8)).astype(float))
    order = rng.permutation(8)
    one, other = mean_ranks_without(ranks), mean_ranks_without(ranks[:, order])
    for name in ("rank_shift", "n_best"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    np.testing.assert_allclose(one.friedman_p_value, other.friedman_p_value, rtol=1e-13)
    np.testing.assert_array_equal(
        count_rank_flips(ranks, 1.0, 1.1), count_rank_flips(ranks[:, order], 1.0, 1.1)
    )
    np.testing.assert_array_equal(
        count_pool_flips(ranks, 1.0, 1.1)[order],
        count_pool_flips(ranks[:, order], 1.0, 1.1),
    )
