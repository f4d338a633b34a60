"""The posterior of the Bayesian signed-rank test of pairs of methods.

Notes
-----
The differences z_1 ... z_n of a pair have weights w ~ Dirichlet(s, 1, ..., 1), the first
for a pseudo-difference z_0 = 0 with s = 1/2 ([1]_, section 3). Better has the share ::

    sum over i, j of w_i w_j [z_i + z_j > 2 rope],

worse that of z_i + z_j < -2 rope, and equivalent the rest. Once the differences are
sorted, the j of each i are a tail that grows with z_i, so that a sum takes n steps and not
n ** 2. With E w_i w_j = a_i a_j / (A (A + 1)), plus a_i / (A (A + 1)) where i = j, the
expected shares are exact; the probability that a share is the largest of the three has no
closed form and is counted in draws of the weights.

References
----------
.. [1] A. Benavoli, F. Mangili, G. Corani, M. Zaffalon and F. Ruggeri, "A Bayesian Wilcoxon
   signed-rank test based on the Dirichlet process", Proceedings of the 31st International
   Conference on Machine Learning, PMLR 32(2), 1026-1034, 2014.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.equal_scores import EQUALITY

__all__ = ["PRIOR_WEIGHT", "SignedRankPosterior", "simulate_signed_ranks"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PRIOR_WEIGHT = 0.5  # s, of the pseudo-difference 0
_DRAWN = 1 << 18  # weights drawn at a time, the same whatever the pairs
_ELEMENTS = 1 << 20  # of a block of pairs, weights and draws


class SignedRankPosterior(NamedTuple):
    """
    The posteriors of pairs, NaN for a pair without a difference.

    Attributes
    ----------
    prob : ndarray of float64, shape (n_pairs, 3)
        Share of the draws in which better, equivalent, worse has the largest share; where
        several have, they share the draw.
    expected : ndarray of float64, shape (n_pairs, 3)
        Posterior means of the shares, exact.
    simulation_error : ndarray of float64, shape (n_pairs,)
        The largest of the three standard errors of `prob`.
    """

    prob: Floats
    expected: Floats
    simulation_error: Floats


class _Tails(NamedTuple):
    """For pairs and one side: the order of the weights, and how many each meets."""

    order: Ints
    n_met: Ints


def simulate_signed_ranks(
    differences: Floats,
    sizes: Floats,
    rope: float,
    *,
    n_draws: int,
    rng: np.random.Generator,
) -> SignedRankPosterior:
    """
    Compute the posteriors of the Bayesian signed-rank test of pairs.

    Parameters
    ----------
    differences : ndarray of float64, shape (n_datasets, n_pairs)
        Differences of the scores, positive where the first method is better; NaN where
        the pair does not have both.
    sizes : ndarray of float64, same shape
        The larger of the two absolute scores. A sum of two differences that exceeds twice
        the rope by no more than `EQUALITY` of their sizes is within it.
    rope : float
        Half-width of the region of practical equivalence, not negative.
    n_draws : int
        Draws of the weights. Pairs with as many datasets share them, dataset by dataset
        in the order of the rows, whatever other pairs there are.
    rng : numpy.random.Generator
        Where the seeds of the draws come from.

    Returns
    -------
    SignedRankPosterior
        With -`differences` better and worse change places exactly.
    """
    n_pairs = differences.shape[1]
    present = ~np.isnan(differences)
    n_shared = np.count_nonzero(present, axis=0)
    prob, expected = np.full((n_pairs, 3), np.nan), np.full((n_pairs, 3), np.nan)
    # a stream for each number of datasets, whatever other numbers there are
    seeds = rng.integers(1 << 32, size=(differences.shape[0] + 1, 4))
    for n in np.unique(n_shared[n_shared > 0]).tolist():
        pairs = np.flatnonzero(n_shared == n)
        kept = present[:, pairs].T
        shape = (pairs.size, n)
        z = differences[:, pairs].T[kept].reshape(shape)
        slack = EQUALITY * sizes[:, pairs].T[kept].reshape(shape)
        better = _find_tails(z - slack, 2.0 * rope)
        worse = _find_tails(-z - slack, 2.0 * rope)
        expected[pairs] = _complete(_expect(better), _expect(worse), 1.0)
        draws = np.random.default_rng(seeds[n])
        prob[pairs] = _count_largest(better, worse, n_draws, draws) / n_draws
    error = np.sqrt(np.max(prob * (1.0 - prob), axis=1) / n_draws)
    return SignedRankPosterior(prob, expected, error)


def _find_tails(values: Floats, threshold: float) -> _Tails:
    """
    Find for each value how many values make a sum with it above the threshold.

    The pseudo-difference comes first. Those that do are the first ones of the order, in
    which the values descend.
    """
    values = np.concatenate([np.zeros((values.shape[0], 1)), values], axis=1)
    order = np.argsort(-values, axis=1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=1)[:, ::-1]
    wanted = threshold - ascending[:, ::-1]
    n_rows, n_columns = values.shape
    # all rows in one sorted search: a row's place, then its values and thresholds
    both = np.concatenate([ascending, wanted], axis=1)
    is_wanted = np.broadcast_to(np.arange(2 * n_columns) >= n_columns, both.shape)
    row = np.repeat(np.arange(n_rows), 2 * n_columns)
    flat = np.lexsort((is_wanted.reshape(-1), both.reshape(-1), row))
    seen = np.cumsum(~is_wanted.reshape(-1)[flat])
    up_to = np.empty(flat.size, dtype=np.int64)
    up_to[flat] = seen
    up_to = up_to.reshape(both.shape)[:, n_columns:]
    up_to -= n_columns * np.arange(n_rows)[:, None]
    return _Tails(order, n_columns - up_to)


def _expect(tails: _Tails) -> Floats:
    """Return the posterior mean of the share of a side."""
    n_weights = tails.order.shape[1]
    weight = np.where(tails.order == 0, PRIOR_WEIGHT, 1.0)
    total = n_weights - 1.0 + PRIOR_WEIGHT
    below = np.concatenate([np.zeros((len(weight), 1)), np.cumsum(weight, axis=1)], axis=1)
    met = np.take_along_axis(below, tails.n_met, axis=1)
    met += tails.n_met > np.arange(n_weights)  # itself: E w_i ** 2 has one a_i more
    return np.asarray(np.sum(weight * met, axis=1) / (total * (total + 1.0)))


def _complete(better: Floats, worse: Floats, total: Floats | float) -> Floats:
    """Return the three shares from two and their total."""
    return np.stack([better, total - (better + worse), worse], axis=-1)


def _count_largest(
    better: _Tails, worse: _Tails, n_draws: int, rng: np.random.Generator
) -> Floats:
    """Count for each pair the draws in which each share is the largest."""
    n_pairs, n_weights = better.order.shape
    count = np.zeros((n_pairs, 3))
    width = max(1, _DRAWN // n_weights)
    for start in range(0, n_draws, width):
        size = min(width, n_draws - start)
        weight = np.empty((n_weights, size))
        weight[0] = rng.standard_gamma(PRIOR_WEIGHT, size)
        weight[1:] = rng.standard_exponential((n_weights - 1, size))
        total = weight.sum(axis=0) ** 2
        height = max(1, _ELEMENTS // weight.size)
        for first in range(0, n_pairs, height):
            part = slice(first, first + height)
            sides = [
                _sum_tails(_Tails(side.order[part], side.n_met[part]), weight)
                for side in (better, worse)
            ]
            shares = _complete(sides[0], sides[1], total)
            largest = shares == shares.max(axis=2, keepdims=True)
            count[part] += np.sum(largest / largest.sum(axis=2, keepdims=True), axis=1)
    return count


def _sum_tails(tails: _Tails, weight: Floats) -> Floats:
    """Return the share of a side in each draw, times the squared total of the weights."""
    ordered = weight[tails.order]
    first = np.zeros((len(ordered), 1, weight.shape[1]))
    below = np.concatenate([first, np.cumsum(ordered, axis=1)], axis=1)
    met = np.take_along_axis(below, tails.n_met[:, :, None], axis=1)
    return np.asarray(np.einsum("pid,pid->pd", ordered, met))
