"""One number for each method over its runs and datasets, with a bootstrap interval."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.draws import percentile_interval
from beam_pandas.kernels.run_draws import (
    Picks,
    RunDraws,
    draw_runs,
    n_run_draws,
    no_draw,
    pick_runs,
)

AggregateKind = Literal["mean", "median", "iqm", "optimality_gap"]
KINDS: tuple[str, ...] = get_args(AggregateKind)
_BLOCK = 2**19  # scores of all draws handled at a time


class RunAggregates(NamedTuple):
    """
    An entry for each method.

    Attributes
    ----------
    estimate : ndarray of float64
        The number, in the unit of the scores.
    ci_low, ci_high : ndarray of float64
        Ends of its percentile interval.
    """

    estimate: NDArray[np.float64]
    ci_low: NDArray[np.float64]
    ci_high: NDArray[np.float64]


class _Table(NamedTuple):
    """
    Scores of all methods, those of a cell in ascending order.

    Every sum is of what exceeds the smallest score that it can hold, so that equal scores
    have exactly their own value as mean.
    """

    scores: NDArray[np.float64]  # (n_methods, n_datasets, n_runs), NaN last
    n_runs: NDArray[np.int64]  # (n_methods, n_datasets)
    means: NDArray[np.float64]  # (n_methods, n_datasets)


def aggregate_over_runs(
    scores: NDArray[np.float64],
    kind: str,
    *,
    resample: str,
    n_resamples: int,
    confidence_level: float,
    rng: np.random.Generator,
    gamma: float = 1.0,
    sign: float = 1.0,
) -> RunAggregates:
    """
    Aggregate the scores of each method, each dataset weighing the same.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_methods, n_datasets, n_runs)
        In their own unit; NaN where a method has fewer runs, at least one score of each
        method on each dataset. The order of the runs makes no difference.
    kind : {"mean", "median", "iqm", "optimality_gap"}
        - mean: of the means on the datasets.
        - median: of the means on the datasets.
        - iqm, the interquartile mean: of all n scores, int(n / 4) cut off at each end.
          Where the numbers of runs differ, a score weighs the inverse of the number of
          runs on its dataset, the share int(n / 4) / n of the weight is cut off at each
          end, and the score on which a cut falls counts by the rest of its weight.
        - optimality_gap: mean shortfall from `gamma`, 0 for scores as good or better.
    resample : {"datasets", "runs", "both"}
        What the interval speaks of: other datasets, other runs on these datasets, or both.
        See `draw_runs`; all methods see the same draws.
    n_resamples : int
        Number of draws.
    confidence_level : float
        Between 0 and 1.
    rng : Generator
        Source of random numbers.
    gamma : float
        Score to be reached, in the unit of the scores.
    sign : {1.0, -1.0}
        Whether more is better, or less. It matters for the optimality gap alone, which is
        then how far scores are above `gamma`: the other kinds treat both ends of the
        scores alike.

    Returns
    -------
    RunAggregates
        In the unit of the scores, not turned; the optimality gap is never negative and
        smaller is better.

    References
    ----------
    Agarwal, R., Schwarzer, M., Castro, P. S., Courville, A., Bellemare, M. G. (2021).
    Deep reinforcement learning at the edge of the statistical precipice. NeurIPS 34,
    sections 4.2 and 4.3. https://arxiv.org/abs/2108.13264
    """
    if kind == "optimality_gap":
        scores, kind = np.maximum(sign * (gamma - scores), 0.0), "mean"
    table = _arrange(scores)
    k, n_datasets, n_runs = table.scores.shape
    estimate = _aggregate(table, kind, no_draw(n_datasets))[:, 0]
    n_draws = n_run_draws(n_datasets, resample, n_resamples)
    values, weights = np.empty((k, n_draws)), np.empty(n_draws)
    start, shape = 0, (n_datasets, n_runs)
    for draws in draw_runs(shape, resample, n_resamples, rng, width=max(n_runs, k)):
        part = slice(start, start + len(draws.weights))
        values[:, part], weights[part] = _aggregate(table, kind, draws), draws.weights
        start += len(draws.weights)
    low, high = percentile_interval(values, weights, confidence_level)
    return RunAggregates(estimate, low, high)


def ends_of_datasets(
    scores: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """
    Give the smallest and the largest score on each dataset, over all methods and runs.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_methods, n_datasets, n_runs)
        NaN where missing.

    Returns
    -------
    low, high : ndarray of float64, shape (n_datasets,)
    """
    low = np.fmin.reduce(scores, axis=(0, 2))
    return low, np.fmax.reduce(scores, axis=(0, 2))


def rescale(
    scores: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    sign: float,
) -> NDArray[np.float64]:
    """
    Put the scores of each dataset on a scale from 0, the worse end, to 1, the better.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_methods, n_datasets, n_runs)
        In their own unit; NaN where missing.
    low, high : ndarray of float64, shape (n_datasets,)
        Ends of the scale, whichever is the better; scores beyond them are beyond 0 or 1.
    sign : {1.0, -1.0}
        Whether more is better, or less.

    Returns
    -------
    ndarray of float64, same shape
        More is better. NaN on a dataset whose low end is not below its high end, which has
        no scale.
    """
    bottom = low if sign > 0.0 else high
    width = np.where(low < high, high - low, np.nan)
    return sign * (scores - bottom[:, None]) / width[:, None]


def _arrange(scores: NDArray[np.float64]) -> _Table:
    """Sort the scores of each cell, so that the order of runs makes no difference."""
    ordered = np.sort(scores, axis=2)
    n_runs = np.count_nonzero(~np.isnan(ordered), axis=2)
    smallest = ordered[:, :, 0]
    excess = np.nan_to_num(ordered - smallest[:, :, None], nan=0.0)
    return _Table(ordered, n_runs, smallest + excess.sum(axis=2) / n_runs)


def _aggregate(table: _Table, kind: str, draws: RunDraws) -> NDArray[np.float64]:
    """Aggregate each draw, an array of shape (n_methods, n_draws)."""
    if kind == "iqm":
        return _interquartile_means(table, draws)
    if draws.shares is None:
        means = table.means[:, draws.datasets]
    else:
        means = _means_of_picks(table, draws)
    if kind == "median":
        return np.asarray(np.median(means, axis=2))
    least = means.min(axis=2)
    return np.asarray(least + (means - least[:, :, None]).mean(axis=2))


def _alike(
    table: _Table, draws: RunDraws
) -> Iterator[tuple[Picks, list[NDArray[np.intp]]]]:
    """Give methods of the same numbers of runs what was drawn for them, in blocks."""
    width = table.scores.shape[2]
    patterns, code = np.unique(table.n_runs, axis=0, return_inverse=True)
    step = max(1, _BLOCK // (draws.datasets.size * width))
    for at, n_runs in enumerate(patterns):
        members = np.flatnonzero(code.ravel() == at)
        blocks = [members[start : start + step] for start in range(0, len(members), step)]
        yield pick_runs(draws, n_runs, width), blocks


def _means_of_picks(table: _Table, draws: RunDraws) -> NDArray[np.float64]:
    """Average the runs drawn of each dataset drawn: (n_methods, n_draws, n_datasets)."""
    k, n_datasets, width = table.scores.shape
    smallest = table.scores[:, :, 0]
    excess = np.zeros((k, n_datasets * width + 1))  # the last stands for no run
    excess[:, :-1] = np.nan_to_num(table.scores - smallest[:, :, None], nan=0.0).reshape(
        k, -1
    )
    means = np.empty((k, *draws.datasets.shape))
    for picks, blocks in _alike(table, draws):
        at = np.where(picks.used, picks.at, n_datasets * width)
        for methods in blocks:
            total = excess[methods][:, at].sum(axis=3)
            means[methods] = smallest[methods][:, draws.datasets] + total / picks.n_runs
    return means


def _interquartile_means(table: _Table, draws: RunDraws) -> NDArray[np.float64]:
    """
    Cut a quarter of the weight off at each end of the scores, in every draw.

    The scores are sorted once. What a draw changes is how often each of them comes, and
    what of its weight lies between the cuts is the rise of the cumulative weight there.
    """
    k, n_datasets, width = table.scores.shape
    size = n_datasets * width
    flat = table.scores.reshape(k, size)
    order = np.argsort(flat, axis=1)
    ordered = np.take_along_axis(flat, order, axis=1)
    least = ordered[:, :1]
    excess = np.nan_to_num(ordered - least, nan=0.0)
    most = table.n_runs.max(axis=1, keepdims=True)
    weight = np.repeat(most / table.n_runs, width, axis=1)  # 1 where no numbers differ
    weight = np.take_along_axis(weight, order, axis=1)
    result = np.empty((k, len(draws.weights)))
    for picks, blocks in _alike(table, draws):
        counts = picks.counts(size)
        n_scores = counts.sum(axis=1)[:, None]
        for methods in blocks:
            reached = counts[:, order[methods]] * weight[methods]
            np.cumsum(reached, axis=2, out=reached)
            total = reached[:, :, -1].copy()
            cut = np.floor(n_scores / 4.0) * (total / n_scores)
            ends = cut[:, :, None], (total - cut)[:, :, None]
            np.clip(reached, *ends, out=reached)
            kept = np.diff(reached, axis=2, prepend=ends[0])
            total_kept = np.einsum("bms,ms->mb", kept, excess[methods])
            result[methods] = least[methods] + total_kept / (total - 2.0 * cut).T
    return result
