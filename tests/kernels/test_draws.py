import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beam_pandas.kernels import draws as module
from beam_pandas.kernels.draws import draw_units, n_draws_of, percentile_interval


def collect(n_units, n_resamples=10, seed=0, width=1):
    blocks = list(
        draw_units(n_units, n_resamples, np.random.default_rng(seed), width=width)
    )
    units = np.concatenate([block.units for block in blocks])
    weights = np.concatenate([block.weights for block in blocks])
    counts = np.concatenate([block.counts() for block in blocks])
    return units, weights, counts


@pytest.mark.parametrize("n_units", range(1, 8))
def test_few_units_are_gone_through_with_the_weight_of_each_composition(n_units):
    units, weights, counts = collect(n_units)
    assert len(units) == n_draws_of(n_units, 10) == math.comb(2 * n_units - 1, n_units)
    assert weights.sum() == n_units**n_units
    assert (counts.sum(axis=1) == n_units).all()
    assert len({tuple(row) for row in counts.tolist()}) == len(counts)
    if n_units <= 5:  # every ordered draw, one by one
        expected: dict[tuple[int, ...], int] = {}
        for draw in product(range(n_units), repeat=n_units):
            key = tuple(draw.count(unit) for unit in range(n_units))
            expected[key] = expected.get(key, 0) + 1
        found = {tuple(c): int(w) for c, w in zip(counts.tolist(), weights, strict=True)}
        assert found == expected


def test_six_and_seven_units_have_462_and_1716_compositions():
    assert [n_draws_of(n, 99) for n in (6, 7, 8)] == [462, 1716, 99]


@pytest.mark.parametrize("block", [1, 30, 2**20])
def test_the_stream_does_not_depend_on_the_blocks(block, monkeypatch):
    monkeypatch.setattr(module, "_BLOCK", block)
    units, weights, counts = collect(9, 25, seed=3, width=4)
    expected = np.random.default_rng(3).integers(9, size=(25, 9))
    np.testing.assert_array_equal(units, expected)
    assert (weights == 1.0).all()
    naive = [[row.count(unit) for unit in range(9)] for row in expected.tolist()]
    np.testing.assert_array_equal(counts, naive)


def naive_end(values, weights, share):
    """The smallest value up to which the share lies, in fractions."""
    pairs = sorted(
        (v, int(w)) for v, w in zip(values, weights, strict=True) if not math.isnan(v)
    )
    if not pairs:
        return math.nan
    total, below = sum(weight for _, weight in pairs), 0
    for value, weight in pairs:
        below += weight
        if Fraction(below, total) >= share:
            return value
    raise AssertionError


@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 1.0, 1.5, 2.0, math.nan]), st.integers(1, 40)),
        min_size=1,
        max_size=60,
    ),
    st.booleans(),
    st.sampled_from(["0.5", "0.8", "0.9", "0.95", "0.975", "0.99"]),
)
def test_the_ends_are_those_of_fractions(pairs, weighted, level):
    values = np.array([[value for value, _ in pairs]])
    weights = np.array([float(weight) if weighted else 1.0 for _, weight in pairs])
    tail = (1 - Fraction(level)) / 2
    found = percentile_interval(values, weights, float(level))
    for end, share in zip(found, (tail, 1 - tail), strict=True):
        np.testing.assert_array_equal(end, [naive_end(values[0], weights, share)])


@pytest.mark.parametrize("n_draws", [40, 200, 1000, 2000, 10_000, 100_000])
def test_a_share_that_is_reached_exactly_is_reached(n_draws):
    values = np.random.default_rng(0).permutation(np.arange(1.0, n_draws + 1))[None]
    for weights in (np.ones(n_draws), np.full(n_draws, 2.0)):
        low, high = percentile_interval(values, weights, 0.95)
        assert (low[0], high[0]) == (n_draws // 40, n_draws - n_draws // 40)
        low, high = percentile_interval(values, weights, 0.9)
        assert (low[0], high[0]) == (n_draws // 20, n_draws - n_draws // 20)


def test_rows_come_in_blocks(monkeypatch):
    values = np.random.default_rng(1).normal(size=(7, 50))
    expected = percentile_interval(values, np.ones(50), 0.8)
    monkeypatch.setattr(module, "_BLOCK", 100)
    np.testing.assert_array_equal(percentile_interval(values, np.ones(50), 0.8), expected)
