import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from scipy.stats import friedmanchisquare

from beam_pandas.kernels.discrimination import metric_agreement, pool_scores, spread_rows
from tests.strategies import SCORES

NAN = np.nan


@st.composite
def stacks(draw, *, missing=True):
    """Scores of metrics in layers, datasets in rows, methods in columns, many tied."""
    shape = draw(st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 6)))
    elements = st.one_of(SCORES, SCORES, st.just(NAN)) if missing else SCORES
    stack = draw(npst.arrays(np.float64, shape, elements=elements))
    if missing:  # a metric that a dataset lacks altogether
        stack[draw(npst.arrays(bool, shape[:2], elements=st.sampled_from([0, 0, 1])))] = NAN
    return stack


def textbook_pool(stack):
    """Pool cell by cell."""
    n_datasets, n_methods = stack.shape[1:]
    pooled = np.full((n_datasets, n_methods), NAN)
    for d in range(n_datasets):
        for i in range(n_methods):
            scaled = []
            for layer in stack:
                cells = layer[~np.isnan(layer)]
                if not np.isnan(layer[d, i]) and cells.max() > cells.min():
                    width = cells.max() - cells.min()
                    scaled.append((layer[d, i] - cells.min()) / width)
            if scaled:
                pooled[d, i] = sum(scaled) / len(scaled)
    return pooled


def block_of(stack, d):
    """Find the scores of one dataset: metrics observed by methods complete on them."""
    layers = [layer[d] for layer in stack if not np.isnan(layer[d]).all()]
    block = np.array(layers).reshape(len(layers), stack.shape[2])
    return block[:, ~np.isnan(block).any(axis=0)] if layers else block[:, :0]


def textbook_w(block):
    """Kendall's W as printed, with the correction for ties: 12 S / (m²(n³ - n) - m T)."""
    m, n = block.shape
    ranks = [[sum(v < u for v in row) + (sum(v == u for v in row) + 1) / 2 for u in row]
             for row in block.tolist()]  # fmt: skip
    sums = [sum(column) for column in zip(*ranks, strict=True)]
    s = sum((total - m * (n + 1) / 2) ** 2 for total in sums)
    ties = sum(row.count(u) ** 2 - 1 for row in block.tolist() for u in row)
    scale = m * m * (n**3 - n) - m * ties
    return 12 * s / scale if scale else NAN


@given(stacks())
def test_pooled_scores_and_spread_equal_their_definition_cell_by_cell(stack):
    pooled = pool_scores(stack)
    np.testing.assert_allclose(pooled, textbook_pool(stack), rtol=1e-13, atol=1e-15)
    for row, spread in zip(pooled, spread_rows(pooled), strict=True):
        held = row[~np.isnan(row)].tolist()
        if len(held) < 2:
            assert math.isnan(spread)
        else:
            assert spread == pytest.approx(statistics.stdev(held), rel=1e-9, abs=1e-15)


@given(stacks(), st.integers(1, 4))
def test_agreement_equals_its_definition_dataset_by_dataset(stack, min_methods):
    found = metric_agreement(stack, min_methods)
    for d in range(stack.shape[1]):
        block = block_of(stack, d)
        m, n = block.shape
        assert (found.n_metrics[d], found.n_methods[d]) == (m, n)
        if m < 2 or n < max(min_methods, 2):
            assert np.isnan(found.kendall_w[d])
            assert np.isnan(found.p_value[d])
            continue
        expected = textbook_w(block)
        assert found.kendall_w[d] == pytest.approx(expected, rel=1e-12, nan_ok=True)
        assert np.isnan(found.p_value[d]) == np.isnan(expected)
        assert not found.kendall_w[d] > 1.0


@given(stacks(missing=False))
def test_agreement_is_scipys_friedman_over_the_block(stack):
    found = metric_agreement(stack)
    m, _, n = stack.shape
    for d in range(stack.shape[1]):
        if m < 2 or n < 3 or (stack[:, d] == stack[:, d, :1]).all():
            assert np.isnan(found.kendall_w[d])
        else:
            expected = friedmanchisquare(*stack[:, d].T)
            w = expected.statistic / (m * (n - 1))
            assert found.kendall_w[d] == pytest.approx(w, rel=1e-9, abs=1e-12)
            assert found.p_value[d] == pytest.approx(expected.pvalue, rel=1e-9)


@given(stacks(), st.integers(0, 3))
def test_turning_a_metric_and_its_direction_changes_nothing(stack, at):
    at %= stack.shape[0]
    # An error rate: 1 - accuracy, where less is better, turned by its sign.
    turned = stack.copy()
    turned[at] = -(1.0 - stack[at])
    np.testing.assert_allclose(pool_scores(turned), pool_scores(stack), rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        spread_rows(pool_scores(turned)), spread_rows(pool_scores(stack)), atol=1e-12
    )
    for new, old in zip(metric_agreement(turned), metric_agreement(stack), strict=True):
        np.testing.assert_array_equal(new, old)


@given(stacks(), st.sampled_from([1e-300, 0.125, 1e6, 1e300]))
def test_the_unit_of_a_metric_changes_nothing(stack, unit):
    found = pool_scores(stack * unit)
    np.testing.assert_allclose(found, pool_scores(stack), rtol=1e-12, atol=1e-13)


@given(stacks(), st.randoms(use_true_random=False))
def test_order_of_metrics_datasets_and_methods_never_matters(stack, random):
    axes = [random.sample(range(size), size) for size in stack.shape]
    shuffled = stack[np.ix_(*axes)]
    pooled = pool_scores(stack)[np.ix_(*axes[1:])]
    np.testing.assert_allclose(pool_scores(shuffled), pooled, rtol=1e-12, atol=1e-15)
    for new, old in zip(metric_agreement(shuffled), metric_agreement(stack), strict=True):
        np.testing.assert_array_equal(new, old[axes[1]])


@given(stacks(missing=False), stacks(missing=False))
def test_agreement_on_a_dataset_is_its_own_affair(stack, other):
    m, k = min(stack.shape[0], other.shape[0]), min(stack.shape[2], other.shape[2])
    alone = metric_agreement(stack[:m, :, :k])
    joint = metric_agreement(np.concatenate([stack[:m, :, :k], other[:m, :, :k]], axis=1))
    for new, old in zip(joint, alone, strict=True):
        np.testing.assert_array_equal(new[: stack.shape[1]], old)


def test_a_small_table_by_hand():
    accuracy = [[0.9, 0.8, 0.5], [0.7, 0.7, 0.7]]
    speed = [[30.0, 20.0, 10.0], [20.0, NAN, 20.0]]
    stack = np.array([accuracy, speed])
    pooled = pool_scores(stack)
    expected = [[1.0, 0.625, 0.0], [0.5, 0.5, 0.5]]
    np.testing.assert_allclose(pooled, expected, rtol=1e-14)
    spread = spread_rows(pooled)
    assert spread[0] == pytest.approx(statistics.stdev(expected[0]), rel=1e-14)
    assert spread[1] == 0.0
    found = metric_agreement(stack)
    np.testing.assert_array_equal(found.kendall_w, [1.0, NAN])
    # Two metrics in the same order over three methods: chi-square 4 with 2 df, exp(-2).
    assert found.p_value[0] == pytest.approx(math.exp(-2.0), rel=1e-14)
    np.testing.assert_array_equal(found.n_methods, [3, 2])
    np.testing.assert_array_equal(found.n_metrics, [2, 2])


def test_a_sparse_metric_shrinks_the_block_where_it_is_observed():
    stack = np.array(
        [
            [[0.1, 0.2, 0.3, 0.4, 0.5]] * 2,
            [[1.0, 2.0, 3.0, 4.0, 5.0]] * 2,
            [[NAN, 7.0, NAN, 8.0, 9.0], [NAN] * 5],
        ]
    )
    found = metric_agreement(stack)
    np.testing.assert_array_equal(found.n_methods, [3, 5])
    np.testing.assert_array_equal(found.n_metrics, [3, 2])
    np.testing.assert_array_equal(found.kendall_w, [1.0, 1.0])
    assert np.isnan(metric_agreement(stack, min_methods=4).kendall_w[0])
    assert metric_agreement(stack, min_methods=4).kendall_w[1] == 1.0


def test_a_constant_metric_drops_out_of_the_pool_and_is_a_tied_rater():
    stack = np.array([[[1.0, 2.0, 3.0]], [[5.0, 6.0, 8.0]], [[4.0, 4.0, 4.0]]])
    np.testing.assert_array_equal(pool_scores(stack), pool_scores(stack[:2]))
    with_constant, without = metric_agreement(stack), metric_agreement(stack[:2])
    assert without.kendall_w[0] == 1.0
    assert with_constant.kendall_w[0] == pytest.approx(2 / 3)
    assert with_constant.p_value[0] == pytest.approx(without.p_value[0], rel=1e-14)
    assert with_constant.n_metrics[0] == 3


def test_nothing_but_equal_scores_spreads_nothing_and_agrees_on_nothing():
    flat = np.zeros(4)
    other = np.array([0.1, 0.4, 0.7, 0.9])
    stack = np.array([[flat, other], [flat + 0.3, other]])
    assert spread_rows(pool_scores(stack))[0] == 0.0
    found = metric_agreement(stack)
    assert np.isnan(found.kendall_w[0])
    assert np.isnan(found.p_value[0])
    assert found.kendall_w[1] == 1.0
    # Every metric constant everywhere: there is no scale, so there are no pooled scores.
    assert np.isnan(pool_scores(stack[:, :1])).all()
    assert np.isnan(spread_rows(pool_scores(stack[:, :1]))).all()


def test_scores_equal_but_for_their_last_digits_are_equal():
    # The metric spans a millionth, which would blow a last digit up to 1e-10.
    near = np.array([0.1 + 0.2, 0.3, NAN, 0.3]) + 0.0
    far = np.array([0.3, 0.300001, 0.300001, 0.3])
    stack = np.array([[near, far], [near, far]])
    pooled = pool_scores(stack)
    assert pooled[0, 0] == pooled[0, 1] == pooled[0, 3]
    np.testing.assert_array_equal(spread_rows(pooled)[0], 0.0)
    assert np.isnan(metric_agreement(stack).kendall_w[0])
    noise = np.array([[[0.1 + 0.2, 0.3], [0.3, NAN]]])
    assert np.isnan(pool_scores(noise)).all()


def test_pooled_scores_that_cancel_do_not_spread():
    steps = np.linspace(0.0, 1.0, 11)
    stack = np.array([[steps], [1.0 - steps], [np.full(11, 0.3)]])
    assert spread_rows(pool_scores(stack))[0] == 0.0


def test_huge_and_tiny_scores_are_scaled_without_overflow():
    stack = np.array([[[-1.7e308, 1.7e308, 0.0]], [[0.0, 1e-323, 5e-324]]])
    np.testing.assert_allclose(pool_scores(stack), [[0.0, 1.0, 0.5]])


def test_no_scores_at_all():
    stack = np.full((2, 3, 4), NAN)
    assert np.isnan(pool_scores(stack)).all()
    assert np.isnan(spread_rows(pool_scores(stack))).all()
    found = metric_agreement(stack)
    assert np.isnan(found.kendall_w).all()
    np.testing.assert_array_equal(found.n_methods, 0)
    np.testing.assert_array_equal(found.n_metrics, 0)
