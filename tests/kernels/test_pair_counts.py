from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from beam_pandas.kernels.pair_counts import count_pairs, mean_differences

CENTS = st.integers(0, 100).map(lambda cents: cents / 100)


@st.composite
def tables(draw, elements=CENTS):
    shape = draw(st.tuples(st.integers(0, 6), st.integers(1, 6)))
    return draw(
        npst.arrays(np.float64, shape, elements=st.one_of(elements, st.just(np.nan)))
    )


def naive(table, rope):
    """Count in decimals, pair by pair and dataset by dataset."""
    n_datasets, k = table.shape
    wins, shared = np.zeros((k, k), dtype=int), np.zeros((k, k), dtype=int)
    for row in table:
        for i in range(k):
            for j in range(k):
                if np.isnan(row[i]) or np.isnan(row[j]):
                    continue
                shared[i, j] += 1
                wins[i, j] += Decimal(str(row[i])) - Decimal(str(row[j])) > Decimal(
                    str(rope)
                )
    return wins, shared


@given(tables(), st.sampled_from([0, 0.01, 0.02, 0.05, 0.1, 0.3, 1, 2.5]))
def test_counts_are_those_of_decimal_arithmetic(table, rope):
    found = count_pairs(table, rope)
    wins, shared = naive(table, rope)
    np.testing.assert_array_equal(found.wins, wins)
    np.testing.assert_array_equal(found.shared, shared)
    np.testing.assert_array_equal(found.ties, shared - wins - wins.T)
    np.testing.assert_array_equal(found.losses, wins.T)


@pytest.mark.parametrize("digits", [1, 2, 3, 4, 5])
def test_all_scores_that_differ_by_exactly_the_rope_are_ties(digits):
    steps = 10**digits
    low = np.arange(0, steps, max(1, steps // 1000)) / steps
    for times in (1, 3, 7):
        rope = times / steps
        high = np.round(low + rope, digits)
        found = count_pairs(np.column_stack([low, high]), rope)
        assert found.ties[0, 1] == len(low)
        beyond = count_pairs(np.column_stack([low, high]), rope - 0.1 / steps)
        assert beyond.wins[1, 0] == len(low)


@pytest.mark.parametrize(
    ("first", "second", "rope"),
    [(0.8, 0.7, 0.1), (0.3, 0.2, 0.1), (0.06, 0.05, 0.01), (0.81, 0.80, 0.01),
     (0.898, 0.888, 0.01), (89.8, 88.8, 1.0), (-0.2, -0.3, 0.1), (0.05, -0.05, 0.1),
     (100.302, 0.002, 100.3), (-0.1, -1000.1, 1000.0)],
)  # fmt: skip
def test_a_difference_that_equals_the_rope_in_decimals_is_within_it(first, second, rope):
    found = count_pairs(np.array([[first, second]]), rope)
    assert found.wins.sum() == 0
    assert count_pairs(np.array([[first, second]]), rope * 0.99).wins[0, 1] == 1


def test_many_methods_and_datasets_cross_the_blocks():
    rng = np.random.default_rng(5)
    table = rng.integers(0, 50, (700, 300)) / 50
    table[rng.random(table.shape) < 0.1] = np.nan
    found = count_pairs(table, 0.1)
    for i, j in rng.integers(0, 300, (40, 2)):
        difference = np.round(table[:, i] - table[:, j], 9)
        assert found.wins[i, j] == (difference > 0.1).sum()
        assert found.shared[i, j] == np.isfinite(difference).sum()


def test_methods_of_more_than_one_block_of_rows():
    table = np.random.default_rng(6).random((255, 1100))
    other = np.random.default_rng(7).permutation(1100)
    wins = count_pairs(table, 0.0).wins[np.arange(1100), other]
    np.testing.assert_array_equal(wins, (table > table[:, other]).sum(axis=0))


@pytest.mark.parametrize("n_methods", [254, 255, 256])
def test_as_many_methods_as_a_byte_counts(n_methods):
    table = np.tile(np.arange(n_methods) / 1000, (3, 1))
    table[1] *= -1
    table[2, 0] = np.nan
    wins = count_pairs(table, 0.0).wins
    np.testing.assert_array_equal(wins, (table[:, :, None] > table[:, None, :]).sum(axis=0))


@pytest.mark.parametrize("shape", [(0, 0), (3, 0), (0, 3), (3, 2)])
def test_counts_are_whole_numbers_even_of_nothing(shape):
    found = count_pairs(np.ones(shape), 0.0)
    for counts, each in ((found.wins, 0), (found.ties, shape[0]), (found.shared, shape[0])):
        assert counts.dtype == np.int64
        np.testing.assert_array_equal(counts, np.full((shape[1], shape[1]), each))


def test_extreme_magnitudes():
    table = np.array([[1.7e308, -1.7e308, 0.0, -0.0, 1e-300, 2e-300]])
    wins = count_pairs(table, 0.0).wins
    assert wins[0, 1:].tolist() == [1, 1, 1, 1, 1]
    assert wins[2, 3] == wins[3, 2] == 0
    assert wins[5, 4] == 1
    assert count_pairs(table, 1.7e308).wins[0, 1] == 1
    assert count_pairs(table, 1e308).wins[0, 2] == 1


def square_of(table):
    """Mean differences of all pairs as a square, each way round computed for itself."""
    table = np.asarray(table)
    k = table.shape[1]
    first, second = (side.ravel() for side in np.indices((k, k)))
    return mean_differences(table, first, second).reshape(k, k)


@given(tables(st.floats(-1e6, 1e6)))
def test_mean_differences_equal_those_of_numpy(table):
    found = square_of(table)
    k = table.shape[1]
    for i in range(k):
        for j in range(k):
            difference = table[:, i] - table[:, j]
            difference = difference[~np.isnan(difference)]
            expected = difference.mean() if difference.size else np.nan
            np.testing.assert_allclose(found[i, j], expected, rtol=1e-9, atol=1e-8)
    np.testing.assert_array_equal(found, -found.T)


def test_equal_methods_differ_by_exactly_nothing():
    rng = np.random.default_rng(1)
    column = rng.random(333)
    found = square_of(np.column_stack([column, column, column[::-1]]))
    assert found[0, 1] == 0.0
    assert found[0, 2] == 0.0  # what cancels in decimals is exactly 0


def test_datasets_of_more_than_one_block():
    scores = np.tile([1.0, 1.0 + 2.0**-20, 1.0 + 2.0**-20], (300_000, 1))
    scores[::2, 2] = 1.0
    found = square_of(scores)
    np.testing.assert_allclose(found[1], [2.0**-20, 0.0, 2.0**-21], rtol=1e-10)
    np.testing.assert_allclose(found[2, 0], 2.0**-21, rtol=1e-10)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ([[1e11, np.nan], [0.9005, 0.9]], 0.0005),
        ([[1e15, 1e15], [0.9, 0.8]], 0.05),
        ([[-1e15, -1e15], [0.9, 0.8]], 0.05),
        ([[1e12, 1e12], [0.9, 0.8]], 0.05),
        ([[2e-300, 1e-300]], 1e-300),
        ([[2.0**-1000, 2.0**-1000 - 2.0**-1020]], 2.0**-1020),
        ([[1.5e308, 1.0e308], [1.5e308, 1.0e308]], 5e307),
        ([[1.7e308, -1.7e308], [-1.7e308, 1.7e308]], 0.0),
        ([[1.7e308, -1.7e308]], np.inf),
        ([[0.1 + 0.2, 0.3]], 0.0),
    ],
)
def test_mean_differences_lose_no_digits(table, expected):
    wide = np.column_stack([table, np.full(len(table), 1e300)])  # changes no other pair
    for scores in (np.array(table), wide):
        found = square_of(scores)
        assert found[0, 1] == pytest.approx(expected, rel=1e-12, abs=0)
        assert found[1, 0] == -found[0, 1]
        assert found.diagonal().tolist() == [0.0] * len(found)
