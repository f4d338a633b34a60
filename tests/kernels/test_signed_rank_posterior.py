"""Tests of the Bayesian signed-rank test against plain loops and published scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from beam_pandas.kernels.signed_rank_posterior import simulate_signed_ranks
from tests.tables import _DEMSAR

Floats = NDArray[np.float64]


def run(differences, sizes, rope, n_draws=2000, seed=0):
    return simulate_signed_ranks(
        np.asarray(differences, dtype=float),
        np.asarray(sizes, dtype=float),
        rope,
        n_draws=n_draws,
        rng=np.random.default_rng(seed),
    )


def sides(z: Floats, size: Floats, rope: float) -> NDArray[np.int64]:
    """1 where a sum of two differences is above twice the rope, -1 where below minus that."""
    z, size = np.concatenate([[0.0], z]), np.concatenate([[0.0], size])
    n = z.size
    side = np.zeros((n, n), dtype=np.int64)
    for i in range(n):
        for j in range(n):
            slack = 1e-14 * (size[i] + size[j])
            if z[i] + z[j] > 2 * rope + slack:
                side[i, j] = 1
            elif z[i] + z[j] < -2 * rope - slack:
                side[i, j] = -1
    return side


def expected_by_loops(z: Floats, size: Floats, rope: float) -> Floats:
    side = sides(z, size, rope)
    a = np.concatenate([[0.5], np.ones(z.size)])
    total = a.sum()
    share = np.zeros(3)
    for i in range(a.size):
        for j in range(a.size):
            moment = a[i] * (a[i] + 1) if i == j else a[i] * a[j]
            share[1 - side[i, j]] += moment / (total * (total + 1))
    return share


def prob_by_loops(z: Floats, size: Floats, rope: float, n_draws: int, seed: int) -> Floats:
    """The same draws as the kernel's, each looked at by itself."""
    side = sides(z, size, rope)
    seeds = np.random.default_rng(seed).integers(1 << 32, size=(z.size + 1, 4))
    rng = np.random.default_rng(seeds[z.size])
    first = rng.standard_gamma(0.5, n_draws)
    weights = np.vstack([first, rng.standard_exponential((z.size, n_draws))]).T
    count = np.zeros(3)
    for w in weights:
        joint = np.outer(w, w)
        shares = np.array([joint[side == s].sum() for s in (1, 0, -1)])
        largest = np.isclose(shares, shares.max(), rtol=1e-12, atol=0.0)
        count += largest / largest.sum()
    return count / n_draws


# whole hundredths, so that sums which equal the rope in decimals are common
HUNDREDTHS = st.lists(
    st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=1, max_size=12
)


@settings(max_examples=60, deadline=None)
@given(HUNDREDTHS, st.integers(0, 12), st.integers(0, 5))
def test_it_is_the_plain_double_loop(scores, rope, seed):
    first, second = np.array(scores, dtype=float).T / 100
    rope = rope / 100
    z, size = first - second, np.maximum(first, second)
    result = run(z[:, None], size[:, None], rope, n_draws=40, seed=seed)
    np.testing.assert_allclose(
        result.expected[0], expected_by_loops(z, size, rope), rtol=0, atol=1e-14
    )
    np.testing.assert_allclose(
        result.prob[0], prob_by_loops(z, size, rope, 40, seed), rtol=0, atol=1e-12
    )


@settings(max_examples=40, deadline=None)
@given(HUNDREDTHS, st.integers(0, 12))
def test_sums_that_equal_the_rope_in_decimals_are_within(scores, rope):
    first, second = np.array(scores, dtype=float).T
    z, size = first - second, np.maximum(first, second)
    whole = run(z[:, None], size[:, None], float(rope), 50)
    z, size = first / 100 - second / 100, size / 100
    hundredths = run(z[:, None], size[:, None], rope / 100, 50)
    np.testing.assert_array_equal(hundredths.expected, whole.expected)
    np.testing.assert_array_equal(hundredths.prob, whole.prob)


@settings(max_examples=40, deadline=None)
@given(HUNDREDTHS, st.integers(0, 12))
def test_methods_change_places_exactly(scores, rope):
    first, second = np.array(scores, dtype=float).T / 7
    z, size = (first - second)[:, None], np.maximum(first, second)[:, None]
    one, other = run(z, size, rope / 7, 200), run(-z, size, rope / 7, 200)
    np.testing.assert_array_equal(one.prob, other.prob[:, ::-1])
    np.testing.assert_array_equal(one.expected, other.expected[:, ::-1])
    np.testing.assert_array_equal(one.simulation_error, other.simulation_error)


def test_demsar_with_a_rope_of_one_hundredth():
    # 0.789 with sums that equal 2 rope within; they are halved in baycomp, 0.723.
    scores = np.array(list(_DEMSAR.values()))
    z, size = scores[:, 1] - scores[:, 3], np.maximum(scores[:, 1], scores[:, 3])
    result = run(z[:, None], size[:, None], 0.01, 100_000)
    assert result.prob[0, 1] == pytest.approx(0.789, abs=0.005)
    p = result.prob[0]
    assert result.simulation_error[0] == pytest.approx(
        np.sqrt(p * (1 - p)).max() / 100_000**0.5
    )
    exact = np.rint(z * 1000).astype(int).tolist()
    sums = np.add.outer([0, *exact], [0, *exact])
    assert np.count_nonzero(sums > 20) == np.count_nonzero(sides(z, size, 0.01) == 1)
    assert np.count_nonzero(np.abs(sums) == 20) == 5


def test_a_share_is_what_the_draws_average():
    rng = np.random.default_rng(4)
    z = rng.normal(0.3, 1.0, 9)
    side = sides(z, np.abs(z), 0.2)
    w = rng.dirichlet([0.5] + [1.0] * 9, 40_000)
    shares = [np.einsum("di,ij,dj->d", w, side == s, w).mean() for s in (1, 0, -1)]
    result = run(z[:, None], np.abs(z)[:, None], 0.2)
    np.testing.assert_allclose(result.expected[0], shares, atol=4e-3)
    assert result.expected.sum() == pytest.approx(1.0, abs=1e-15)


def test_pairs_do_not_feel_each_other_and_missing_ones_are_dropped():
    rng = np.random.default_rng(2)
    z = rng.normal(0.1, 1.0, (11, 5))
    z[rng.random(z.shape) < 0.3] = np.nan
    z[:, 3] = np.nan
    z[:, 4] = z[:, 0]
    together = run(z, np.abs(z), 0.1, 3000)
    assert np.isnan(together.prob[3]).all() and np.isnan(together.expected[3]).all()
    assert np.isnan(together.simulation_error[3])
    np.testing.assert_array_equal(together.prob[4], together.prob[0])
    for pair in (0, 1, 2):
        kept = z[~np.isnan(z[:, pair]), pair][:, None]
        alone = run(kept, np.abs(kept), 0.1, 3000)
        np.testing.assert_array_equal(alone.prob[0], together.prob[pair])
        np.testing.assert_array_equal(alone.expected[0], together.expected[pair])


def test_everything_within_the_rope_and_everything_beyond():
    result = run([[0.0, 2.0], [0.5, 2.0], [-0.5, 2.0]], np.full((3, 2), 3.0), 0.5, 500)
    np.testing.assert_array_equal(result.prob, [[0.0, 1.0, 0.0], result.prob[1]])
    np.testing.assert_array_equal(result.expected[0], [0.0, 1.0, 0.0])
    assert result.simulation_error[0] == 0.0
    # z_0 + z_0 alone is within: E w_0 ** 2 = 0.5 * 1.5 / (3.5 * 4.5)
    assert result.expected[1, 1] == pytest.approx(0.75 / 15.75, abs=1e-15)


def test_draws_come_in_blocks_of_any_size(monkeypatch):
    from beam_pandas.kernels import signed_rank_posterior as kernel

    z = np.random.default_rng(1).normal(0.2, 1.0, (8, 6))
    before = run(z, np.abs(z), 0.1, 700)
    monkeypatch.setattr(kernel, "_ELEMENTS", 1)  # a pair at a time
    after = run(z, np.abs(z), 0.1, 700)
    np.testing.assert_array_equal(before.prob, after.prob)
    monkeypatch.setattr(kernel, "_DRAWN", 90)  # ten draws at a time: others, as many
    assert np.abs(run(z, np.abs(z), 0.1, 705).prob - after.prob).max() < 0.1


def test_the_generator_is_the_only_state():
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    z = np.random.default_rng(3).normal(size=(6, 1))
    one, other = run(z, np.abs(z), 0.1, seed=7), run(z, np.abs(z), 0.1, seed=7)
    np.testing.assert_array_equal(one.prob, other.prob)
    assert (run(z, np.abs(z), 0.1, seed=8).prob != one.prob).any()
    np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002
