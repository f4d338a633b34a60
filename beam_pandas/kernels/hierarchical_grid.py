"""The posterior of the hierarchical correlated t test, by quadrature.

Notes
-----
The model ([1]_, section 3): the n runs of dataset i have differences that are normal
around delta_i with standard deviation sigma_i and correlation rho; the delta_i come from a
t distribution with centre delta0, scale sigma0 and nu degrees of freedom; sigma_i, sigma0
and delta0 have flat priors, nu that of `hierarchical_prior`.

sigma_i integrates out: the mean of the runs has a t distribution around delta_i with n - 2
degrees of freedom and squared scale (1 / n + rho / (1 - rho)) SS / (n - 2), SS being the
sum of squared deviations. So does delta_i, by the tables of `hierarchical_table`. What
remains are three dimensions: the trapezoidal rule in a function of nu, and panels of
Gauss-Legendre rules in log sigma0 and in delta0, broken where the most probable region of
the next dataset changes.

The flat priors have no bounds here. With three datasets or more the posterior is proper
without.

References
----------
.. [1] G. Corani, A. Benavoli, J. Demsar, F. Mangili and M. Zaffalon,
   "Statistical comparison of classifiers through Bayesian hierarchical
   modelling", Machine Learning 106, 1817-1837, 2017.
   https://doi.org/10.1007/s10994-017-5641-9
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.hierarchical_likelihood import (
    Datasets,
    Likelihood,
    likelihood_at,
    prepare_datasets,
)
from beam_pandas.kernels.hierarchical_prior import Hyperprior, degrees, log_prior
from beam_pandas.kernels.hierarchical_regions import (
    NODES,
    SUMS,
    Strips,
    cut_points,
    nodes,
    region_sums,
    widest_rope,
)
from beam_pandas.kernels.hierarchical_table import RunTables
from beam_pandas.kernels.hierarchical_windows import (
    Search,
    cells,
    panel_edges,
    profile,
    search,
)

__all__ = ["HierarchicalPosterior", "RunTables", "integrate_hierarchy"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_FEWEST = 3  # datasets
_POINTS = 16  # of the profile in log sigma0, at least
_SPACING = 1.0  # of the profile, in about the least width of the posterior
_NODE, _WEIGHT = np.polynomial.legendre.leggauss(6)


class HierarchicalPosterior(NamedTuple):
    """
    The posterior of one pair of methods.

    Attributes
    ----------
    prob_better, prob_equivalent, prob_worse : float
        Posterior probability that this region is the most probable for the next dataset.
    expected_better, expected_equivalent, expected_worse : float
        Probability that the next dataset's true difference is above the rope, within, or
        below.
    mean_diff : float
        Posterior mean of delta0, in the unit of the scores.
    sigma0, nu : float
        Posterior means of the scale, in the unit of the scores, and of the degrees of
        freedom.
    """

    prob_better: float
    prob_equivalent: float
    prob_worse: float
    expected_better: float
    expected_equivalent: float
    expected_worse: float
    mean_diff: float
    sigma0: float
    nu: float


def integrate_hierarchy(
    n_runs: Ints,
    means: Floats,
    sum_squares: Floats,
    rope: float,
    test_share: float,
    *,
    hyperprior: Hyperprior = "paper",
    tables: RunTables | None = None,
) -> HierarchicalPosterior:
    """
    Integrate the posterior of the hierarchical correlated t test of one pair.

    Parameters
    ----------
    n_runs : ndarray of int64, shape (n_datasets,)
        Number of runs on each dataset, at least 3.
    means : ndarray of float64, same shape
        Mean over the runs of the differences, positive where the first method is better.
    sum_squares : ndarray of float64, same shape
        Sum of the squared deviations of the differences from their mean; exactly 0 for
        runs that are all equal, whose standard deviation is then taken as rope / sqrt(3).
    rope : float
        Half-width of the region of practical equivalence, not negative.
    test_share : float
        The share of a dataset that each run tests on, the correlation of two runs.
    hyperprior : {"paper", "baycomp"}, default "paper"
        Bounds of the hyperparameters of nu.
    tables : RunTables, optional
        Tables to share with other pairs. A finer grid is asked for by
        ``RunTables(fineness=2)``.

    Returns
    -------
    HierarchicalPosterior
        Accurate to about 1e-5. With -`means` the fields for better and worse change
        places and `mean_diff` changes sign, exactly; a permutation of the datasets
        changes nothing.

    Raises
    ------
    ValueError
        If there are fewer than three datasets, fewer than three runs on one, values that
        are not finite, or runs that are all equal with a rope of 0.
    """
    if means.size < _FEWEST:
        raise ValueError(f"at least {_FEWEST} datasets are needed, got {means.size}")
    tables = RunTables() if tables is None else tables
    datasets = prepare_datasets(n_runs, means, sum_squares, rope, test_share)
    found = search(datasets, tables, hyperprior, tables.fineness)
    prior = log_prior(found.t, hyperprior)
    total = np.zeros(SUMS + 2)
    for at, t in enumerate(found.t.tolist()):
        likelihood = likelihood_at(t, datasets, tables)
        nu = float(degrees(t))
        floor = found.top - float(prior[at])
        sums = _integrate_nu(
            likelihood, nu, rope / datasets.unit, floor, found, at, tables.fineness
        )
        total[:-1] += sums
        total[-1] += nu * sums[0]
    return _result(total, datasets, rope)


def _integrate_nu(
    likelihood: Likelihood,
    nu: float,
    rope: float,
    top: float,
    found: Search,
    at: int,
    fineness: int,
) -> Floats:
    """Return the sums of `region_sums` over sigma0 at one nu, and that of sigma0."""
    low, high = found.windows[at].tolist()
    n_points = int((high - low) * np.sqrt(likelihood.means.size) / _SPACING)
    x = np.linspace(low, high, max(_POINTS, n_points))
    height = profile(likelihood, x, found.candidates)
    edges = panel_edges(x, height, top, likelihood.means.size, fineness)
    sums = np.zeros(SUMS + 1)
    if edges.size == 0:
        return sums
    if rope > 0.0:
        change = np.log(widest_rope(nu, rope))
        if edges[0] < change < edges[-1]:
            edges = np.insert(edges, np.searchsorted(edges, change), change)
    panel, lowest, highest = cells(likelihood, edges, top, fineness)
    start, length = edges[:-1, None], np.diff(edges)[:, None]
    x = (start + length * (_NODE + 1.0) / 2.0).reshape(-1)
    sigma = np.exp(x)
    log_weight = x + np.log(length * _WEIGHT / 2.0).reshape(-1) - top
    place = (panel[:, None] * _NODE.size + np.arange(_NODE.size)).reshape(-1)
    middle = np.repeat((lowest + highest) / 2.0, _NODE.size)
    half = np.repeat((highest - lowest) / 2.0, _NODE.size)
    delta = nodes(middle, half)
    conditional = likelihood.given(sigma)
    log_mass = conditional.at(np.repeat(place, NODES), delta.reshape(-1))
    log_mass = log_mass.reshape(-1, NODES) + log_weight[place, None]
    cut = cut_points(sigma, nu, rope)
    strips = Strips(middle, half, sigma[place], cut[place])
    rows = region_sums(log_mass, strips, nu, rope)
    sums[:-1] = rows.sum(axis=0)
    sums[-1] = rows[:, 0] @ strips.sigma
    return sums


def _result(total: Floats, datasets: Datasets, rope: float) -> HierarchicalPosterior:
    """Return the posterior from its integrals, the methods in the order they came in."""
    top_better, top_worse, better, worse, delta, sigma, nu = (total[1:] / total[0]).tolist()
    if rope == 0.0:
        top_worse, worse = 1.0 - top_better, 1.0 - better
    if datasets.sign == 0.0:
        top_better = top_worse = (top_better + top_worse) / 2.0
        better = worse = (better + worse) / 2.0
        delta = 0.0
    top_equivalent = max(0.0, 1.0 - (top_better + top_worse))
    equivalent = max(0.0, 1.0 - (better + worse))
    if datasets.sign < 0.0:
        top_better, top_worse = top_worse, top_better
        better, worse = worse, better
        delta = -delta
    return HierarchicalPosterior(
        prob_better=top_better,
        prob_equivalent=top_equivalent,
        prob_worse=top_worse,
        expected_better=better,
        expected_equivalent=equivalent,
        expected_worse=worse,
        mean_diff=delta * datasets.unit,
        sigma0=sigma * datasets.unit,
        nu=nu,
    )
