"""Tests of the probabilities that each Dirichlet share is the largest."""

from __future__ import annotations

import itertools
import warnings
from fractions import Fraction
from math import comb, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import integrate, special

from beam_pandas.kernels.dirichlet import largest_share

Floats = NDArray[np.float64]

GRID = [0.0, 1 / 3, 0.5, 1.0, 50.0, 1000.0, 10000.0]
EXTREME = [0.0, 5e-324, 1e-200, 1e-31, 1e-9, 1e-3, 0.3, 1.0, 7.5, 400.0, 1e6]

pytestmark = pytest.mark.filterwarnings("error")


def one(*alpha: float) -> Floats:
    """Return the probabilities of a single row."""
    share: Floats = largest_share(np.array([alpha], dtype=np.float64))[0]
    return share


def exact(a: int, b: int, c: int) -> Fraction:
    """Return P(first is the largest) for positive integers, exactly.

    For independent gamma variables with integer parameters, P(g1 < g2) is the
    probability that of events in a common Poisson stream a of the first kind
    come before b of the second, a sum of binomial terms; P(g1 is the smallest)
    is the same with three kinds. Then inclusion and exclusion:
    P(g1 > g2, g1 > g3) = 1 - P(g1 < g2) - P(g1 < g3) + P(g1 < g2, g1 < g3).
    """

    def before(m: int, n: int) -> Fraction:
        return sum(
            (Fraction(comb(m - 1 + j, j), 2 ** (m + j)) for j in range(n)), Fraction(0)
        )

    smallest = sum(
        Fraction(comb(a - 1 + j + k, j + k) * comb(j + k, j), 3 ** (a + j + k))
        for j in range(b)
        for k in range(c)
    )
    return 1 - before(a, b) - before(a, c) + smallest


def by_beta(a: float, b: float, c: float) -> float:
    """Return P(third is the largest) by adaptive quadrature of a beta mixture.

    The first share of the first two, v ~ Beta(a, b), is independent of their
    sum s ~ Beta(a + b, c), and the third is the largest if and only if
    s < 1 / (1 + max(v, 1 - v)). The variable here is the logit of v.
    """
    constant = special.betaln(a, b)

    def integrand(z: float) -> float:
        density = -a * np.logaddexp(0.0, -z) - b * np.logaddexp(0.0, z) - constant
        bound = 1.0 / (1.0 + special.expit(abs(z)))
        return float(np.exp(density) * special.betainc(a + b, c, bound))

    centre, width = log(a / b), (1.0 / a + 1.0 / b) ** 0.5
    offsets = width * np.array([-40.0, -10, -5, -2, 0, 2, 5, 10, 40])
    ends = {0.0, *(centre + offsets)}
    return sum(
        integrate.quad(integrand, low, high, epsabs=1e-13, epsrel=1e-12, limit=200)[0]
        for low, high in itertools.pairwise(sorted(ends))
    )


@pytest.mark.parametrize(
    ("alpha", "first"),
    [
        ((5, 1, 0), 0.96875),
        ((5 + 1 / 3, 1 / 3, 1 / 3), 0.99152446),
        ((9, 1, 1), 0.99614456),
    ],
)
def test_known_values(alpha: tuple[float, ...], first: float) -> None:
    """The probabilities are the published ones."""
    assert one(*alpha)[0] == pytest.approx(first, abs=5e-9)


def test_by_hand() -> None:
    """Small integer parameters have closed forms.

    (1, 1, 1) by symmetry. (2, 1, 1): the integral of x e^-x (1 - e^-x)^2 is
    1 - 2 / 2^2 + 1 / 3^2 = 11 / 18, and the others share the rest. (3, 1, 1):
    half the integral of x^2 e^-x (1 - e^-x)^2, 1 - 2 / 2^3 + 1 / 3^3 = 85 / 108.
    """
    assert one(1, 1, 1) == pytest.approx([1 / 3] * 3, abs=1e-15)
    assert one(2, 1, 1) == pytest.approx([11 / 18, 7 / 36, 7 / 36], abs=1e-15)
    assert one(1, 1, 3) == pytest.approx([23 / 216, 23 / 216, 85 / 108], abs=1e-15)


def test_integer_parameters_exactly() -> None:
    """Integer parameters agree with sums of fractions."""
    rng = np.random.default_rng(1)
    small = list(itertools.product(range(1, 7), repeat=3))
    wide = [tuple(row) for row in rng.integers(1, 60, (40, 3)).tolist()]
    rows = np.array(small + wide)
    expected = [
        [float(exact(a, b, c)), float(exact(b, a, c)), float(exact(c, a, b))]
        for a, b, c in rows.tolist()
    ]
    np.testing.assert_allclose(
        largest_share(rows.astype(np.float64)), expected, rtol=0, atol=2e-15
    )


def test_grid_against_adaptive_quadrature() -> None:
    """An independent formulation gives the same on a grid."""
    for row in itertools.combinations_with_replacement(GRID, 3):
        got = one(*row)
        if row[1] == 0.0:
            expected = [0.0, 0.0, 1.0] if row[2] else [np.nan] * 3
        elif row[0] == 0.0:
            expected = [0.0, *special.betainc(row[:0:-1], row[1:], 0.5)]
        else:
            a, b, c = row
            expected = [by_beta(b, c, a), by_beta(a, c, b), by_beta(a, b, c)]
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-9, err_msg=str(row))


def test_grid_in_any_order() -> None:
    """The whole grid sums to one, and permutes with the columns."""
    for values in (GRID, EXTREME):
        rows = np.array(list(itertools.product(values, repeat=3)))
        share = largest_share(rows)
        none = (rows == 0.0).all(axis=1)
        assert np.isnan(share[none]).all() and none.sum() == 1
        assert (share[~none] >= 0.0).all() and (share[~none] <= 1.0).all()
        assert np.abs(share[~none].sum(axis=1) - 1.0).max() < 1e-13
        assert (share[~none][rows[~none] == 0.0] == 0.0).all()
        for order in itertools.permutations(range(3)):
            permuted = largest_share(rows[:, order])
            np.testing.assert_array_equal(permuted, share[:, order])


def test_vanishing_third_entry() -> None:
    """Three-way sums meet the two-way closed form, up to huge parameters."""
    z = np.linspace(-8.0, 8.0, 33)
    for c in (1e2, 1e4, 9.9e4, 1.01e5, 1e6, 1e7):
        b = np.maximum(c + z * np.sqrt(2.0 * c), 1.0)
        rows = np.column_stack([b, np.full(z.size, 1e-13), np.full(z.size, c)])
        limit = rows * [1.0, 0.0, 1.0]
        got, expected = largest_share(rows), largest_share(limit)
        np.testing.assert_allclose(got, expected, rtol=0, atol=2e-12)


def test_small_probabilities_keep_digits() -> None:
    """For tiny parameters the probabilities follow their first-order law."""
    assert one(1e-200, 2e-200, 1)[:2] == pytest.approx(
        [1e-200 * log(2), 2e-200 * log(2)], rel=1e-10, abs=0
    )
    assert one(1e-40, 2e-40, 5e-40) == pytest.approx([1 / 8, 2 / 8, 5 / 8], rel=1e-12)
    assert one(5e-324, 0, 5e-324).tolist() == [0.5, 0.0, 0.5]
    assert one(0, 1, 60)[1] == pytest.approx(2.0**-60, rel=1e-12, abs=0)


def test_support() -> None:
    """Zeros give zero, one positive entry certainty, none NaN."""
    assert one(0, 3, 0).tolist() == [0.0, 1.0, 0.0]
    assert one(4, 0, 4).tolist() == [0.5, 0.0, 0.5]
    assert np.isnan(one(0, 0, 0)).all()
    assert largest_share(np.empty((0, 3))).shape == (0, 3)


@pytest.mark.parametrize(
    "alpha",
    [np.ones(3), np.ones((2, 2)), [[1, -1, 1]], [[1, np.nan, 1]], [[1, 1, np.inf]]],
)
def test_bad_input(alpha: Floats) -> None:
    """Another shape, a negative, a NaN or an infinity are refused."""
    with pytest.raises(ValueError, match="alpha must"):
        largest_share(np.asarray(alpha, dtype=np.float64))


def test_rows_do_not_depend_on_each_other() -> None:
    """A row alone, repeated or among others gives the same."""
    rng = np.random.default_rng(2)
    rows = 10.0 ** rng.uniform(-3, 4, (300, 3))
    share = largest_share(rows)
    alone = np.concatenate([largest_share(row[None]) for row in rows])
    np.testing.assert_allclose(alone, share, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(largest_share(np.tile(rows, (3, 1)))[600:], share)


def test_blocks() -> None:
    """Many distinct rows, over several tables, agree with the rows apart."""
    rng = np.random.default_rng(3)
    rows = rng.multinomial(900, [0.4, 0.2, 0.4], 60_000) + [0.0, 1.0, 0.0]
    share = largest_share(rows)
    assert np.abs(share.sum(axis=1) - 1.0).max() < 1e-14
    picked = rng.choice(60_000, 200, replace=False)
    np.testing.assert_allclose(
        largest_share(rows[picked]), share[picked], rtol=0, atol=1e-15
    )


@pytest.mark.parametrize("prior", [(0, 1, 0), (1 / 3, 1 / 3, 1 / 3), (0.5, 0, 0.5)])
def test_more_wins_never_lower(prior: tuple[float, float, float]) -> None:
    """Along more wins, P(win) ascends and the other two descend."""
    for ties, losses in itertools.product((0, 1, 5, 40, 700), repeat=2):
        wins = np.arange(0.0, 1000.0)
        rows = np.column_stack([wins, wins * 0 + ties, wins * 0 + losses]) + prior
        rows = rows[(rows > 0.0).any(axis=1)]
        steps = np.diff(largest_share(rows), axis=0)
        assert steps[:, 0].min() > -1e-14
        assert steps[:, 1:].max() < 1e-14


entry = st.one_of(
    st.just(0.0),
    st.floats(1e-12, 1.0),
    st.floats(1.0, 1e6),
    st.integers(0, 2000).map(float),
    st.sampled_from(EXTREME),
)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(entry, entry, entry), min_size=1, max_size=8))
def test_properties(rows: list[tuple[float, float, float]]) -> None:
    """Range, sum, swap and order of the probabilities hold for any rows."""
    alpha = np.array(rows)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        share = largest_share(alpha)
        swapped = largest_share(alpha[:, ::-1])
    np.testing.assert_array_equal(swapped, share[:, ::-1])
    for row, p in zip(alpha, share, strict=True):
        if not row.any():
            assert np.isnan(p).all()
            continue
        assert ((p >= 0.0) & (p <= 1.0)).all()
        assert abs(p.sum() - 1.0) < 1e-12
        # stochastic order: a larger parameter never has a smaller probability
        assert (np.diff(p[np.argsort(row, kind="stable")]) >= -1e-13).all()


@settings(deadline=None, max_examples=200)
@given(st.tuples(entry, entry, entry), st.floats(0.0, 50.0))
def test_adding_to_one_entry(row: tuple[float, float, float], more: float) -> None:
    """Raising an entry never lowers its probability, nor raises another."""
    if not any(row):
        return
    p, q = largest_share(np.array([row, (row[0] + more, row[1], row[2])]))
    assert q[0] >= p[0] - 1e-11
    assert (q[1:] <= p[1:] + 1e-11).all()
