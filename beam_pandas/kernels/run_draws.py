"""Bootstrap draws of datasets, of runs within datasets, or of both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.draws import draw_units, n_draws_of

Resample = Literal["datasets", "runs", "both"]
RESAMPLES: tuple[str, ...] = get_args(Resample)
_BLOCK = 2**20  # numbers of an array handled at a time


class RunDraws(NamedTuple):
    """
    Some draws; every method sees the same.

    Attributes
    ----------
    datasets : ndarray of int64, shape (n_draws, n_datasets)
        Datasets drawn, one row a draw.
    shares : ndarray of float64, shape (n_draws, n_datasets, n_runs), or None
        For each dataset drawn, numbers from 0 to below 1 that choose its runs: of n runs
        the one at position floor(n share), by the first n of them. None: its runs as they
        are.
    weights : ndarray of float64, shape (n_draws,)
        Whole numbers: how often the draw counts.
    """

    datasets: NDArray[np.int64]
    shares: NDArray[np.float64] | None
    weights: NDArray[np.float64]


class Picks(NamedTuple):
    """
    The runs of draws, for methods that have the same number of runs on each dataset.

    Attributes
    ----------
    n_runs : ndarray of int64, shape (n_draws, n_datasets)
        Number of runs of each dataset drawn.
    at : ndarray of int64, shape (n_draws, n_datasets, n_runs)
        Position in a flat table of datasets by runs; only the first `n_runs` are used.
    used : ndarray of bool, same shape
        Which these are.
    """

    n_runs: NDArray[np.int64]
    at: NDArray[np.int64]
    used: NDArray[np.bool_]

    def counts(self, size: int) -> NDArray[np.float64]:
        """Count how often each of so many runs comes, a row for each draw."""
        n_draws = len(self.n_runs)
        row = size * np.arange(n_draws)[:, None, None]
        flat = np.bincount((self.at + row)[self.used], minlength=size * n_draws)
        return flat.astype(np.float64).reshape(n_draws, size)


def no_draw(n_datasets: int) -> RunDraws:
    """Give the one draw that is the table itself."""
    return RunDraws(np.arange(n_datasets)[None], None, np.ones(1))


def draw_runs(
    shape: tuple[int, int],
    resample: str,
    n_resamples: int,
    rng: np.random.Generator,
    *,
    width: int,
) -> Iterator[RunDraws]:
    """
    Draw again and again.

    Parameters
    ----------
    shape : tuple of two int
        Number of datasets and the largest number of runs.
    resample : {"datasets", "runs", "both"}
        Datasets with replacement, their runs as they are (few datasets are not sampled,
        see `draw_units`); runs with replacement within each dataset, datasets as they
        are; or datasets, and for each one drawn runs anew.
    n_resamples : int
        Number of draws where they are sampled.
    rng : Generator
        Gives ``integers(n_datasets, size=(n_resamples, n_datasets))`` for datasets,
        ``random((n_resamples, n_datasets, n_runs))`` for runs, and for both one number
        more for each dataset, which comes first.
    width : int
        Numbers that the caller keeps for each dataset of a draw, at least the number of
        runs; it settles how many draws come at a time.

    Yields
    ------
    RunDraws
        Blocks, together all draws.
    """
    n_datasets, n_runs = shape
    if resample == "datasets":
        for draws in draw_units(n_datasets, n_resamples, rng, width=n_datasets * width):
            yield RunDraws(draws.units, None, draws.weights)
        return
    both = resample == "both"
    step = max(1, _BLOCK // (n_datasets * (width + both)))
    for start in range(0, n_resamples, step):
        n_draws = min(step, n_resamples - start)
        shares = rng.random((n_draws, n_datasets, n_runs + both))
        if both:
            datasets = (shares[:, :, 0] * n_datasets).astype(np.int64)
            yield RunDraws(datasets, shares[:, :, 1:], np.ones(n_draws))
        else:
            datasets = np.broadcast_to(np.arange(n_datasets), (n_draws, n_datasets))
            yield RunDraws(datasets, shares, np.ones(n_draws))


def n_run_draws(n_datasets: int, resample: str, n_resamples: int) -> int:
    """Count the draws that `draw_runs` gives."""
    return n_draws_of(n_datasets, n_resamples) if resample == "datasets" else n_resamples


def pick_runs(draws: RunDraws, n_runs: NDArray[np.int64], width: int) -> Picks:
    """
    Find the runs that draws choose.

    Parameters
    ----------
    draws : RunDraws
        Some draws.
    n_runs : ndarray of int64, shape (n_datasets,)
        Number of runs on each dataset, at least 1.
    width : int
        Runs of a dataset in the flat table, the largest number there is.

    Returns
    -------
    Picks
        A share below 1 of n is below n in floats too.
    """
    chosen = n_runs[draws.datasets]
    position = np.arange(width)
    used = position < chosen[:, :, None]
    at = draws.datasets[:, :, None] * width
    if draws.shares is None:
        return Picks(chosen, at + position, used)
    return Picks(chosen, at + (draws.shares * chosen[:, :, None]).astype(np.int64), used)
