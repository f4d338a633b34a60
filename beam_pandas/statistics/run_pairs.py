"""What the runs of two methods say of their difference on each dataset."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, count, list_labels, of_metric
from beam_pandas.gate.scores import RunScores, ScoreMatrix
from beam_pandas.kernels.correlated_runs import run_differences
from beam_pandas.statistics.pair_tables import choose_pairs
from beam_pandas.statistics.rank_tables import find_control

Floats = NDArray[np.float64]

_FEWEST_RUNS = 3  # with two the spread of a dataset has no posterior
_FEWEST_DATASETS = 3  # with two that of the datasets has none


class RunPairs(NamedTuple):
    """
    What the runs of one metric say of each pair of methods and dataset.

    Attributes
    ----------
    matrix : ScoreMatrix
        Labels and direction.
    rope : float
        In the unit of the score.
    first, second : ndarray of intp, shape (n_pairs,)
        The methods of each pair.
    n_runs : ndarray of int64, shape (n_datasets, n_pairs)
        Runs that both have.
    means, sum_squares : ndarray of float64, same shape
        Of their differences, scores being divided by 2 ** `exponent`.
    exponent : int
        So that the largest score is about 1, and no square overflows.
    """

    matrix: ScoreMatrix
    rope: float
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    n_runs: NDArray[np.int64]
    means: Floats
    sum_squares: Floats
    exponent: int

    @property
    def met(self) -> list[int]:
        """Pairs that have a dataset."""
        met: list[int] = np.flatnonzero(self.n_runs.any(axis=0)).tolist()
        return met


def describe_pairs(runs: RunScores, rope: float, control: Hashable | None) -> RunPairs:
    """Reduce the runs of a metric to what the posterior depends on, or refuse them."""
    if runs.refusal is not None:
        raise runs.refusal
    matrix = runs.matrix
    at = None if control is None else find_control(control, matrix)
    first, second = choose_pairs(len(matrix.methods), at)
    benefit = runs.benefit
    exponent = int(np.frexp(np.nanmax(np.abs(benefit), initial=0.0))[1])
    found = run_differences(np.ldexp(benefit, -exponent), first, second)
    pairs = RunPairs(
        matrix=matrix,
        rope=rope,
        first=first,
        second=second,
        n_runs=found.n_runs,
        means=found.mean,
        sum_squares=found.variance * (found.n_runs - 1.0),
        exponent=exponent,
    )
    reasons = list(_refusals(pairs))
    if reasons:
        raise of_metric(BeamError("; ".join(reasons)))
    return pairs


def _refusals(pairs: RunPairs) -> Iterator[str]:
    """Say what the posterior cannot be had of."""
    place, met = pairs.matrix.place, pairs.n_runs > 0
    few = met & (pairs.n_runs < _FEWEST_RUNS)
    n_datasets = np.count_nonzero(met, axis=0)
    if few.any():
        ways = ["bayesian_sign with aggregate='mean' asks for the means of the runs only"]
        concerned = np.asarray(few.any(axis=1))
        n_left = np.count_nonzero(met[~concerned], axis=0)
        if n_left[n_datasets > 0].min() >= _FEWEST_DATASETS:
            left_out = list_labels(pairs.matrix.datasets[concerned])
            ways.insert(0, f"leave out the datasets concerned, {left_out}")
        yield (
            f"hierarchical needs three runs of both methods on each dataset{place}, found "
            f"fewer {_where(pairs, few)}: {', or '.join(ways)}"
        )
    is_short = n_datasets < _FEWEST_DATASETS
    if is_short.any() and (n_datasets[is_short].any() or is_short.all()):
        short = np.flatnonzero(is_short & (is_short.all() | (n_datasets > 0)))
        names = [f"{_name(pairs, at)} share {n_datasets[at]}" for at in short[:5].tolist()]
        more = f" and {len(short) - 5:,} more pairs" if len(short) > 5 else ""
        way = "correlated_t speaks of one dataset at a time"
        if not is_short.all():
            way += ", and without these methods, or with a control, it can be had"
        yield (
            "hierarchical needs three datasets of each pair, fewer say next to nothing "
            f"about others{place}, found that {', '.join(names)}{more}: {way}"
        )
    still = met & ~few & (pairs.sum_squares == 0.0)
    if pairs.rope == 0.0 and still.any():
        yield (
            f"hierarchical needs a rope above 0 where all runs differ by the same{place}, "
            f"as those {_where(pairs, still)}: such a dataset gets the spread of the rope"
        )


def _where(pairs: RunPairs, marked: NDArray[np.bool_]) -> str:
    """Name the first pair that is marked, its datasets, and how many more pairs are."""
    which = np.flatnonzero(marked.any(axis=0))
    at = int(which[0])
    more = f" and of {count(len(which) - 1, 'more pair')}" if len(which) > 1 else ""
    shown = list_labels(pairs.matrix.datasets[marked[:, at]])
    return f"of {_name(pairs, at)} on {shown}{more}"


def _name(pairs: RunPairs, at: int) -> str:
    methods = pairs.matrix.methods.take([pairs.first[at], pairs.second[at]])
    return " and ".join(map(repr, methods.tolist()))
