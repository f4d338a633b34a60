"""Tests of the hierarchical posterior against a plain grid, and of what it must not depend on."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import interpolate, special, stats

from beam_pandas.kernels.hierarchical_grid import (
    HierarchicalPosterior,
    RunTables,
    integrate_hierarchy,
)

Floats = NDArray[np.float64]

TABLES, FINE = RunTables(), RunTables(fineness=2)
ROPE, SHARE = 0.2, 0.1


def simulate(seed, n_datasets, n_runs, centre=0.15, spread=0.4, noise=1.0):
    """Sufficient statistics of correlated runs on simulated datasets."""
    rng = np.random.default_rng(seed)
    n = np.broadcast_to(n_runs, (n_datasets,)).astype(np.int64)
    true = centre + spread * rng.standard_t(4, n_datasets)
    runs = [noise * (SHARE**0.5 * rng.normal() + (1 - SHARE) ** 0.5 * rng.normal(size=m)) + d
            for m, d in zip(n, true, strict=True)]  # fmt: skip
    return n, np.array([r.mean() for r in runs]), np.array([r.var() * r.size for r in runs])


def posterior(data, rope=ROPE, hyperprior="paper", tables=TABLES, share=SHARE):
    return integrate_hierarchy(*data, rope, share, hyperprior=hyperprior, tables=tables)


def mixture(df: float) -> tuple[Floats, Floats]:
    """Variances and weights: a t variable as a mixture of normal ones."""
    deviation = np.sqrt(special.polygamma(1, df / 2))
    step = min(0.6 * deviation, 0.6)
    low = -16.0 if df < 20 else -9 * deviation - 1
    y = np.arange(low, np.log(1 + 12 * np.sqrt(2 / df) + 60 / df), step)
    log_weight = df / 2 * (np.log(df / 2) + y - np.exp(y)) - special.gammaln(df / 2)
    return np.exp(-y), np.exp(log_weight) * step


def prior_of_log_excess(t: Floats, hyperprior: str) -> Floats:
    a_low, a_high, b_low, b_high = {
        "paper": (0.5, 5, 0.05, 0.15),
        "baycomp": (1, 2, 0.01, 0.1),
    }[hyperprior]
    a, b = np.linspace(a_low, a_high, 201)[:, None], np.linspace(b_low, b_high, 201)
    weight = np.full(201, 1.0)
    weight[[0, -1]] = 0.5
    density = stats.gamma.pdf(np.exp(t)[:, None, None], a, scale=1 / b)
    return np.einsum("tab,a,b->t", density, weight, weight) / 200**2 * np.exp(t)


def plain_grid(data, rope, hyperprior) -> Floats:
    """
    The posterior on a uniform grid of asinh(4 delta0), log sigma0 and log(nu - 1).

    Both t distributions of a dataset's likelihood are mixtures of normal ones here. The
    log density is read off a spline of the grid at many more points, where the most
    probable region is looked up.
    """
    n, means, squares = data
    squares = np.where(squares == 0.0, n * rope**2 / 3, squares)
    scale = np.sqrt((1 / n + SHARE / (1 - SHARE)) * squares / (n - 2))
    u, x = np.linspace(-6.0, 6.0, 45), np.linspace(-8.0, 4.5, 24)
    dense_u, dense_x = np.linspace(-6.0, 6.0, 1201), np.linspace(-8.0, 4.5, 101)[:, None]
    d, dense_d, sigma = np.sinh(u) / 4, np.sinh(dense_u) / 4, np.exp(dense_x)
    total, top = np.zeros(6), None
    t = np.arange(-9.0, 6.1, 1.0)
    for at, weight in zip(t, prior_of_log_excess(t, hyperprior), strict=True):
        nu = 1.0 + np.exp(at)
        outer, outer_weight = mixture(nu)
        height = x[:, None] + np.log(np.cosh(u))
        for mean, s, runs in zip(means, scale, n, strict=True):
            inner, inner_weight = mixture(runs - 2.0)
            for row, log_s in enumerate(x):
                variance = (s**2 * inner[:, None] + np.exp(2 * log_s) * outer).ravel()
                joint = np.outer(inner_weight, outer_weight).ravel() / np.sqrt(variance)
                kernel = np.exp(np.outer((d - mean) ** 2, -0.5 / variance))
                height[row] += np.log(kernel @ joint)
        top = height.max() if top is None else top
        spline = interpolate.RectBivariateSpline(x, u, height, kx=5, ky=5)
        mass = weight * np.exp(spline(dense_x[:, 0], dense_u) - top)
        better = special.stdtr(nu, (dense_d - rope) / sigma)
        worse = special.stdtr(nu, (-rope - dense_d) / sigma)
        regions = np.stack([better, 1 - better - worse, worse])
        largest = regions == regions.max(axis=0)
        total[:3] += (mass * largest).sum(axis=(1, 2))
        total[3:] += (mass * regions).sum(axis=(1, 2))
    return total / total[:3].sum()


CONSTANT = (
    np.full(5, 5),
    np.array([0.1, 0.5, -0.1, 0.3, 0.2]),
    np.array([3.0, 0.0, 5.0, 2.0, 0.0]),
)
# three datasets near -1, three near 1.3, little noise: two modes at small scales
CLUSTERS = (
    np.full(6, 5),
    np.array([-1.02, -1.0, -0.97, 1.3, 1.33, 1.36]),
    np.full(6, 0.006),
)
UNEVEN = simulate(5, 5, np.array([3, 5, 5, 8, 8]), noise=0.6)
UNEVEN[2][3] = 0.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "hyperprior"),
    [(simulate(2, 4, 5, 0.6), "baycomp"), (UNEVEN, "paper")],
    ids=["five runs", "uneven, one constant"],
)
def test_it_is_what_a_plain_grid_finds(data, hyperprior):
    expected = plain_grid(data, ROPE, hyperprior)
    result = posterior(data, hyperprior=hyperprior)
    np.testing.assert_allclose(result[:6], expected, atol=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize(
    "data",
    [simulate(1, 15, 5), CONSTANT, CLUSTERS],
    ids=["fifteen", "constant", "clusters"],
)
def test_a_finer_grid_changes_nothing(data):
    one, other = posterior(data), posterior(data, tables=FINE)
    np.testing.assert_allclose(one[:7], other[:7], atol=2e-5)
    assert sum(one[:3]) == pytest.approx(1.0, abs=1e-15)
    assert sum(one[3:6]) == pytest.approx(1.0, abs=1e-15)


def swapped(result: HierarchicalPosterior) -> HierarchicalPosterior:
    return result._replace(
        prob_better=result.prob_worse,
        prob_worse=result.prob_better,
        expected_better=result.expected_worse,
        expected_worse=result.expected_better,
        mean_diff=-result.mean_diff,
    )


@pytest.mark.parametrize(
    "data",
    [
        CLUSTERS,
        *(pytest.param(data, marks=pytest.mark.slow) for data in (CONSTANT, UNEVEN)),
    ],
)
def test_methods_change_places_exactly_and_order_does_not_matter(data):
    n, means, squares = data
    result = posterior(data)
    assert posterior((n, -means, squares)) == swapped(result)
    order = np.random.default_rng(0).permutation(n.size)
    assert posterior((n[order], means[order], squares[order])) == result


def test_equal_evidence_for_both_is_split_exactly():
    n, means, squares = simulate(8, 4, 5)
    both = (np.tile(n, 2), np.concatenate([means, -means]), np.tile(squares, 2))
    result = posterior(both)
    assert result.prob_better == result.prob_worse
    assert result.expected_better == result.expected_worse
    assert result.mean_diff == 0.0
    nothing = posterior((n, np.zeros(4), squares))
    assert nothing.prob_better == nothing.prob_worse and nothing.mean_diff == 0.0


def test_another_unit_changes_only_the_unit():
    n, means, squares = CONSTANT
    result = posterior(CONSTANT)
    for factor in (2.0**-30,):
        scaled = posterior((n, factor * means, factor**2 * squares), ROPE * factor)
        assert scaled[:6] == result[:6] and scaled.nu == result.nu
        assert scaled.mean_diff == factor * result.mean_diff
    for factor in (0.7e-5,):
        scaled = posterior((n, factor * means, factor**2 * squares), ROPE * factor)
        np.testing.assert_allclose(scaled[:6], result[:6], atol=1e-12)
        assert scaled.mean_diff == pytest.approx(factor * result.mean_diff, rel=1e-11)


def test_a_dataset_that_says_the_same_makes_it_surer():
    n, squares = np.full(9, 5), np.full(9, 2.5)
    means = np.full(9, 0.9)
    probs = [posterior((n[:m], means[:m], squares[:m])) for m in (3, 4, 9)]
    for fewer, more in itertools.pairwise(probs):
        assert more.prob_better > fewer.prob_better
        assert more.expected_better > fewer.expected_better


@pytest.mark.slow
def test_a_wider_rope_holds_more():
    data = simulate(9, 8, 5, 0.3)
    results = [posterior(data, rope) for rope in (0.0, 0.2, 2.0)]
    assert results[0].prob_equivalent == results[0].expected_equivalent == 0.0
    for narrow, wide in itertools.pairwise(results):
        assert wide.expected_equivalent > narrow.expected_equivalent
        assert wide.prob_equivalent >= narrow.prob_equivalent
    assert results[-1].prob_equivalent > 0.99


@pytest.mark.slow
def test_runs_that_are_all_equal_keep_their_mean():
    n, means, squares = CONSTANT
    moved = means.copy()
    moved[[1, 4]] = 4.0  # the constant ones
    assert posterior((n, moved, squares)).mean_diff > posterior(CONSTANT).mean_diff + 0.3
    same = squares.copy()
    same[[1, 4]] = 5 * ROPE**2 / 3  # standard deviation rope / sqrt(3)
    np.testing.assert_allclose(posterior((n, means, same)), posterior(CONSTANT), rtol=1e-9)


def test_means_that_are_nearly_known():
    # means known to 1e-4 and far from the rope: better on each, so surely better on most
    n = np.full(12, 5)
    means = np.linspace(0.8, 1.2, 12)
    result = posterior((n, means, np.full(12, 5e-6)), 0.01)
    assert result.prob_better > 0.999999
    assert result.mean_diff == pytest.approx(1.0, abs=0.02)
    assert result.sigma0 == pytest.approx(0.13, abs=0.05)


@pytest.mark.slow
def test_one_call_may_hold_far_outliers_and_scales():
    n = np.full(6, 5)
    means = np.array([0.1, 0.2, 0.15, 1e6, -3.0, 0.12])
    squares = np.array([1e-3, 1e-3, 2e-3, 1e9, 1.0, 1e-12])
    result = posterior((n, means, squares), 0.01)
    assert np.isfinite(result).all()
    assert posterior((n, -means, squares), 0.01) == swapped(result)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"n": np.array([8, 8])}, "one number of runs"),
        ({"n": np.array([8, 2, 8])}, "at least 3 runs"),
        ({"means": np.array([0.1, np.nan, 0.2])}, "finite"),
        ({"squares": np.array([0.1, np.inf, 0.2])}, "finite"),
        ({"squares": np.array([0.1, -1.0, 0.2])}, "at least 0"),
        ({"squares": np.array([0.1, 0.0, 0.2]), "rope": 0.0}, "all equal"),
        ({"rope": -1.0}, "at least 0"),
        ({"share": 1.0}, "test_share"),
        ({"means": np.array([0.1, 0.2])}, "three|3 datasets"),
    ],
)
def test_what_cannot_be_integrated_is_refused(change, match):
    n, means, squares = np.full(3, 8), np.array([0.1, 0.2, 0.3]), np.ones(3)
    n, means = change.get("n", n), change.get("means", means)
    squares, rope = change.get("squares", squares), change.get("rope", 0.1)
    with pytest.raises(ValueError, match=match):
        posterior((n, means, squares), rope, share=change.get("share", 0.1))


def test_runs_need_not_be_correlated():
    n, means, squares = np.full(3, 5), np.array([0.1, 0.5, 0.2]), np.ones(3)
    free, bound = (posterior((n, means, squares), share=share) for share in (0.0, 0.5))
    assert 0.0 < free.prob_worse < bound.prob_worse < bound.prob_better < free.prob_better
