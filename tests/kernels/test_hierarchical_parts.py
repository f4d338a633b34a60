"""Tests of the prior, the tables and the regions of the hierarchical posterior."""

from __future__ import annotations

import itertools
from math import exp, lgamma, log, log1p, pi

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, optimize, special, stats

from beam_pandas.kernels import hierarchical_prior as prior
from beam_pandas.kernels import hierarchical_regions as regions
from beam_pandas.kernels.hierarchical_likelihood import likelihood_at, prepare_datasets
from beam_pandas.kernels.hierarchical_table import (
    RunTables,
    cubic_weights,
    log_convolution,
)
from beam_pandas.kernels.hierarchical_windows import cells

TABLES = RunTables()


def t_density(x: float, df: float) -> float:
    """The density of Student's t, by the book."""
    constant = lgamma((df + 1) / 2) - lgamma(df / 2) - log(df * pi) / 2
    return exp(constant - (df + 1) / 2 * log1p(x * x / df))


@pytest.mark.parametrize("name", ["paper", "baycomp"])
@pytest.mark.parametrize("level", [0, 1])
def test_the_prior_of_nu_has_mass_one(name, level):
    t = prior.lattice(level)
    assert np.diff(t) == pytest.approx(0.5 / 2**level)
    mass = np.sum(np.exp(prior.log_prior(t, name))) * (t[1] - t[0])
    assert mass == pytest.approx(1.0, abs=2e-6)


@pytest.mark.parametrize("name", ["paper", "baycomp"])
@pytest.mark.parametrize("t", [-3.0, 1.0, 5.0])
def test_the_prior_of_nu_is_the_double_integral(name, t):
    a_low, a_high, b_low, b_high = prior.HYPERPRIORS[name]
    x = float(prior.degrees(t)) - 1.0
    value, _ = integrate.dblquad(
        lambda b, a: stats.gamma.pdf(x, a, scale=1 / b),
        a_low, a_high, b_low, b_high, epsabs=0, epsrel=1e-8,
    )  # fmt: skip
    value /= (a_high - a_low) * (b_high - b_low)
    slope = (prior.degrees(t + 1e-5) - prior.degrees(t - 1e-5)) / 2e-5
    assert np.exp(prior.log_prior(np.array([t]), name)[0]) == pytest.approx(
        value * slope, rel=1e-7
    )


def test_nu_begins_at_one():
    nu = prior.degrees(prior.lattice(0))
    assert nu[0] - 1.0 < 1e-8 and nu[-1] > 1000.0
    assert (np.diff(nu) > 0.0).all()


@pytest.mark.parametrize("y", [-12.0, -3.0, 0.0, 0.7, 10.0])
def test_two_cauchy_variables_make_one(y):
    z = np.array([0.0, 1e-9, 0.1, 1.0, 7.0, 50.0, 1000.0])
    a = 1.0 / np.hypot(1.0, np.exp(y))
    scale = a + a * np.exp(y)
    exact = np.log(scale / np.pi / (scale**2 + z**2))
    np.testing.assert_allclose(log_convolution(z, y, 1.0, 1.0, 0.2), exact, atol=2e-7)
    np.testing.assert_allclose(log_convolution(z, y, 1.0, 1.0, 0.3), exact, atol=5e-5)


@pytest.mark.parametrize("k", [1, 3, 8, 98])
@pytest.mark.parametrize("nu", [1.05, 2.5, 40.0])
def test_the_convolution_is_the_integral(k, nu):
    for y, z in [(-1.5, 0.0), (-0.2, 2.0), (0.9, 5.0), (-2.5, 4.0)]:
        a = 1.0 / np.hypot(1.0, np.exp(y))
        b = a * np.exp(y)
        breaks = sorted([0.0, z, -6 * a, 6 * a, z - 6 * b, z + 6 * b, -300.0, 300.0])
        value = sum(
            integrate.quad(
                lambda v, a=a, b=b, z=z: t_density(v / a, k) / a * t_density((z - v) / b, nu) / b,
                low, high, epsabs=0, epsrel=1e-9,
            )[0]
            for low, high in itertools.pairwise(breaks)
            if high > low
        )  # fmt: skip
        assert log_convolution(np.array([z]), y, k, nu, 0.3)[0] == pytest.approx(
            np.log(value), abs=3e-5
        )


@pytest.mark.parametrize(("n_runs", "t"), [(3, -1.0), (5, 4.0), (10, 1.5), (100, 0.5)])
def test_the_table_is_the_convolution(n_runs, t):
    table, nu = TABLES.get(n_runs, t), float(prior.degrees(t))
    rng = np.random.default_rng(n_runs)
    y = np.concatenate([rng.uniform(-12.0, 10.0, 60), [-12.0, 10.0, 0.0]])
    z = np.abs(rng.normal(0.0, 3.0, (y.size, 8)))
    z[:, 0] = 0.0
    place = np.arange(y.size)[:, None]
    read = table.read(table.rows(y), np.broadcast_to(place, z.shape), z)
    exact = np.stack(
        [log_convolution(r, u, n_runs - 2, nu, 0.2) for r, u in zip(z, y, strict=True)]
    )
    error = np.abs(read - exact)
    assert error[exact > -15.0].max() < 1e-3
    assert np.sqrt(np.mean(error**2)) < 2e-4


def test_beyond_the_table_it_falls_as_a_power():
    table = TABLES.get(5, 1.0)
    nu = float(prior.degrees(1.0))
    rows = table.rows(np.array([0.3]))
    z = np.array([250.0, 310.0, 3e3, 1e5, 1e7])
    exact = log_convolution(z, 0.3, 3, nu, 0.2)
    np.testing.assert_allclose(
        table.read(rows, np.zeros(5, dtype=int), z), exact, atol=0.03
    )
    np.testing.assert_array_equal(
        table.rows(np.array([-12.0])), table.rows(np.array([-40.0]))
    )
    np.testing.assert_array_equal(
        table.rows(np.array([10.0])), table.rows(np.array([40.0]))
    )


def test_the_tables_are_made_once_and_bounded(monkeypatch):
    from beam_pandas.kernels import hierarchical_table as module

    tables = RunTables()
    assert tables.get(3, 1.0) is tables.get(3, 1.0)
    monkeypatch.setattr(module, "_BYTES", 1)
    for t in (1.0, 1.5):
        tables.get(3, t)
        assert list(tables._tables) == [(3, t)]
    assert RunTables().get(3, 1.0) is tables.get(3, 1.0)  # remembered from call to call


@given(st.floats(0.0, 1.0))
def test_the_spline_weights_are_those_of_cubic_splines(share):
    weights = cubic_weights(np.array([share]))
    expected = []
    for centre in (-1.0, 0.0, 1.0, 2.0):
        r = abs(share - centre)
        inside = (4 - 6 * r**2 + 3 * r**3) / 6
        outside = (2 - r) ** 3 / 6
        expected.append(inside if r < 1 else max(0.0, outside))
    np.testing.assert_allclose(np.ravel(weights), expected, atol=1e-15)


@settings(max_examples=60, deadline=None)
@given(
    st.floats(1.0001, 500.0), st.floats(1e-3, 1e3), st.floats(1e-3, 1e3)
)  # fmt: skip
def test_the_cut_is_where_two_regions_are_as_probable(nu, sigma, rope):
    cut = regions.cut_points(np.array([sigma]), nu, rope)[0]

    def excess(delta):
        better = special.stdtr(nu, (delta - rope) / sigma)
        worse = special.stdtr(nu, (-rope - delta) / sigma)
        return better - (1.0 - better - worse)

    if excess(0.0) >= 0.0:
        assert cut == 0.0
    else:
        root = optimize.brentq(excess, 0.0, rope, xtol=1e-14 * rope)
        assert cut == pytest.approx(root, abs=1e-8 * rope)


@pytest.mark.parametrize("nu", [1.2, 3.0, 100.0])
def test_the_cut_begins_where_the_rope_can_be_the_most_probable(nu):
    widest = regions.widest_rope(nu, 1.0)
    sigma = np.array([0.999, 1.001, 1e-9]) * widest
    cut = regions.cut_points(sigma, nu, 1.0)
    assert 0.0 < cut[0] < 0.01 and cut[1] == 0.0 and cut[2] == pytest.approx(1.0)
    np.testing.assert_array_equal(regions.cut_points(sigma, nu, 0.0), 0.0)


@pytest.mark.parametrize("sigma", [0.01, 0.2, 1.0, 5.0])
def test_sums_over_a_strip_are_the_integrals(sigma):
    rope, nu, low, high = 0.7, 2.3, -1.0, 1.4
    middle, half = np.array([(low + high) / 2]), np.array([(high - low) / 2])
    cut = regions.cut_points(np.array([sigma]), nu, rope)
    strips = regions.Strips(middle, half, np.array([sigma]), cut)

    def log_density(delta):
        return -((delta - 0.5) ** 2) / 0.6 + 0.1 * delta**3

    log_mass = log_density(regions.nodes(middle, half))
    sums = regions.region_sums(log_mass, strips, nu, rope)[0]
    points = np.concatenate([[-cut[0], cut[0]], rope + sigma * np.arange(-4, 5)])
    points = np.sort(np.concatenate([points, -rope + sigma * np.arange(-4, 5)]))
    points = points[(points > low) & (points < high)]

    def integral(weight):
        return integrate.quad(
            lambda d: np.exp(log_density(d)) * weight(d), low, high,
            points=points, limit=200, epsabs=1e-12,
        )[0]  # fmt: skip

    expected = [
        integral(lambda d: 1.0),
        integral(lambda d: float(d > cut[0])),
        integral(lambda d: float(d < -cut[0])),
        integral(lambda d: special.stdtr(nu, (d - rope) / sigma)),
        integral(lambda d: special.stdtr(nu, (-rope - d) / sigma)),
        integral(lambda d: d),
    ]
    np.testing.assert_allclose(sums, expected, atol=2e-6)


def data(seed, n_datasets=9, n_runs=10, centre=0.3, spread=1.0, noise=1.0):
    """Sufficient statistics of simulated runs."""
    rng = np.random.default_rng(seed)
    means = (
        centre + spread * rng.standard_t(3, n_datasets) + 0.4 * rng.normal(size=n_datasets)
    )
    squares = noise**2 * rng.chisquare(n_runs - 1, n_datasets)
    return np.full(n_datasets, n_runs), means, squares


def test_the_likelihood_is_the_product_of_integrals():
    n_runs, means, squares = data(1, 4)
    datasets = prepare_datasets(n_runs, means, squares, 0.1, 0.1)
    t, sigma, delta = 0.5, 0.7, 0.2
    nu = float(prior.degrees(t))
    total = 0.0
    for mean, scale in zip(datasets.means, datasets.scales, strict=True):
        value = integrate.quad(
            lambda d, mean=mean, scale=scale: t_density((mean - d) / scale, 8) / scale
            * t_density((d - delta) / sigma, nu) / sigma,
            -60.0, 60.0, points=[mean, delta], limit=300, epsabs=1e-13,
        )[0]  # fmt: skip
        total += np.log(value)
    conditional = likelihood_at(t, datasets, TABLES).given(np.array([sigma]))
    got = conditional.at(np.array([0]), np.array([delta]))[0]
    assert got == pytest.approx(total, abs=2e-4)


@pytest.mark.parametrize("seed", range(3))
def test_no_point_of_an_interval_exceeds_its_bound_and_none_that_counts_is_dropped(seed):
    n_runs, means, squares = data(seed, 7, 5)
    datasets = prepare_datasets(n_runs, means, squares, 0.1, 0.2)
    likelihood = likelihood_at(0.0, datasets, TABLES)
    rng = np.random.default_rng(seed)
    conditional = likelihood.given(np.array([0.02, 0.5]))
    low = rng.uniform(-3.0, 3.0, 50)
    high = low + rng.exponential(1.0, 50)
    place = rng.integers(0, 2, 50)
    bound = conditional.bound(place, low, high)
    for share in (0.0, 0.3, 0.7, 1.0):
        at = conditional.at(place, low + share * (high - low))
        assert (at <= bound + 1e-3).all()
    edges = np.log([0.02, 0.05])
    delta = np.linspace(-8.0, 8.0, 4001)
    height = conditional.at(np.zeros(delta.size, dtype=int), delta) + edges[0]
    _, start, stop = cells(likelihood, edges, height.max(), 1)
    inside = ((delta[:, None] >= start) & (delta[:, None] <= stop)).sum(axis=1)
    assert (inside[height > height.max() - 17.9] >= 1).all()
    assert np.diff(np.sort(start)).min() > 0.0
    assert inside.max() <= 2  # an edge that two share


def test_statistics_come_in_one_order_and_sign():
    n_runs, means, squares = data(3)
    one = prepare_datasets(n_runs, means, squares, 0.1, 0.1)
    other = prepare_datasets(n_runs, -means, squares, 0.1, 0.1)
    np.testing.assert_array_equal(one.means, other.means)
    np.testing.assert_array_equal(one.scales, other.scales)
    assert one.sign == -other.sign != 0.0
    both = prepare_datasets(
        np.tile(n_runs, 2), np.concatenate([means, -means]), np.tile(squares, 2), 0.1, 0.1
    )
    assert both.sign == 0.0
    # only the scales tell the methods apart
    apart = prepare_datasets(
        np.array([5, 5]), np.array([1.0, -1.0]), np.array([2.0, 1.0]), 0.1, 0.1
    )
    assert apart.sign != 0.0
