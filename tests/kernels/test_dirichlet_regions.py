"""Regions of highest density, against closed forms and draws."""

import numpy as np
import pytest
from scipy import stats

from beam_pandas.kernels.dirichlet_regions import density_levels, log_density

SHARES = [0.5, 0.9, 0.99]


def test_a_density_that_depends_on_one_part_alone():
    # Dirichlet(3, 1, 1): density ~ x**2, and x has the distribution Beta(3, 2).
    levels = density_levels(np.array([3.0, 1.0, 1.0]), SHARES)
    masses = stats.beta(3, 2).sf(np.exp(levels / 2.0))
    np.testing.assert_allclose(masses, SHARES, atol=2e-4)
    # Dirichlet(1, 5, 1) likewise, by the second part: Beta(5, 2).
    levels = density_levels(np.array([1.0, 5.0, 1.0]), SHARES)
    masses = stats.beta(5, 2).sf(np.exp(levels / 4.0))
    np.testing.assert_allclose(masses, SHARES, atol=3e-4)


def test_many_datasets_are_nearly_normal():
    # The region of a normal distribution in two dimensions: -2 log(1 - share) by chi2.
    weights = np.array([4e4, 3e4, 5e4])
    mode = log_density(weights, ((weights - 1.0) / (weights.sum() - 3.0)))
    depth = mode - density_levels(weights, SHARES)
    np.testing.assert_allclose(stats.chi2(2).cdf(2.0 * depth), SHARES, atol=3e-4)


@pytest.mark.parametrize("weights", [(12.0, 9.0, 4.5), (1.0, 33.0, 2.0), (0.5, 8.0, 3.0)])
def test_draws_are_inside_as_often_as_told(weights):
    weights = np.array(weights)
    draws = np.random.default_rng(0).dirichlet(weights, 200_000)
    density = log_density(weights, draws)
    for share, level in zip(SHARES, density_levels(weights, SHARES), strict=True):
        assert (density >= level).mean() == pytest.approx(share, abs=0.004)


def test_the_density_is_that_of_scipy_up_to_a_constant():
    weights = np.array([2.0, 3.5, 1.0])
    points = np.random.default_rng(1).dirichlet(np.ones(3), 20)
    gap = log_density(weights, points) - [
        stats.dirichlet(weights).logpdf(p) for p in points
    ]
    np.testing.assert_allclose(gap, gap[0])
    edge = np.array([[0.5, 0.5, 0.0], [0.0, 1.0, 0.0]])
    np.testing.assert_allclose(log_density(weights, edge), [3.5 * np.log(0.5), -np.inf])


def test_all_points_of_a_flat_density_are_alike():
    levels = density_levels(np.ones(3), SHARES)
    np.testing.assert_array_equal(levels, 0.0)
