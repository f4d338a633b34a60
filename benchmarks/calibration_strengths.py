"""
How often the intervals of strengths hold the truth.

Run as ``python -m benchmarks.calibration_strengths``; it takes some minutes.

On each dataset a method scores its own level plus noise, drawn anew for each method and
dataset. So the chance that one outperforms another is known, and with it the truth: the
strengths that fit these chances, which a table of ever more datasets would give. Kinds:

- ``equal``: no method is better;
- ``close``: levels spread evenly over one standard deviation of the noise;
- ``apart``: over three;
- ``families``: as close, in two families whose members share as much noise again;
- ``ties``: as close, and within 0.3 of each other is a tie.

Printed: the share of methods whose interval holds the truth, for the percentiles of the
bootstrap over datasets and for strength +- normal quantile * standard error (as if pairs
were independent); the share of bootstrap intervals with an infinite end; the share of
tables without any interval (no finite maximum, or none in more than half of the draws),
which are left out of the other three.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from beam_pandas.kernels.paired_strengths import TiesAs, paired_strengths
from beam_pandas.kernels.strength_draws import (
    count_signs,
    outcome_signs,
    strength_draws,
    strength_intervals,
)

METHODS = 8
DATASETS = (10, 30, 100)
TABLES = 200
DRAWS = 1000
LEVEL = 0.95


class Kind(NamedTuple):
    """How scores come about, and what counts as a tie."""

    name: str
    spread: float
    shared: float = 0.0  # deviation of the noise that a family shares
    rope: float = 0.0
    ties_as: TiesAs = "half"

    @property
    def levels(self) -> NDArray[np.float64]:
        """Levels of the methods, spread evenly; families alternate."""
        return np.linspace(0.0, self.spread, METHODS)

    def scores(self, rng: np.random.Generator, n_datasets: int) -> NDArray[np.float64]:
        """Draw a table, datasets in rows."""
        family = rng.normal(scale=self.shared, size=(n_datasets, 2))
        noise = rng.normal(size=(n_datasets, METHODS))
        return self.levels + noise + family[:, np.arange(METHODS) % 2]

    def chances(self) -> NDArray[np.float64]:
        """Give the chance that the method in the row outperforms that in the column."""
        family = np.arange(METHODS) % 2
        apart = family[:, np.newaxis] != family
        deviation = np.sqrt(2.0 + 2.0 * self.shared**2 * apart)
        gap = self.levels[:, np.newaxis] - self.levels
        win = ndtr((gap - self.rope) / deviation)
        np.fill_diagonal(win, 0.0)
        return win

    def truth(self) -> NDArray[np.float64]:
        """Fit the chances themselves."""
        win = self.chances()
        tie = np.maximum(1.0 - win - win.T - np.eye(METHODS), 0.0)
        return paired_strengths(win, tie if self.rope else 0.0 * tie, self.ties_as).strength


KINDS = (
    Kind("equal", 0.0),
    Kind("close", 1.0),
    Kind("apart", 3.0),
    Kind("families", 1.0, shared=1.0),
    Kind("ties, half", 1.0, rope=0.3),
    Kind("ties, davidson", 1.0, rope=0.3, ties_as="davidson"),
)


class Coverage(NamedTuple):
    """Shares over all tables and methods."""

    bootstrap: float
    model: float
    infinite: float
    without: float


def cover(kind: Kind, n_datasets: int, rng: np.random.Generator) -> Coverage:
    """Draw tables of one kind and look whether the intervals hold the truth."""
    truth = kind.truth()
    results = [_one(kind, n_datasets, rng, truth) for _ in range(TABLES)]
    some = [result for result in results if result is not None]
    bootstrap, model, infinite = np.mean(some, axis=(0, 2))
    return Coverage(bootstrap, model, infinite, 1.0 - len(some) / TABLES)


def _one(
    kind: Kind, n_datasets: int, rng: np.random.Generator, truth: NDArray[np.float64]
) -> NDArray[np.bool_] | None:
    signs = outcome_signs(kind.scores(rng, n_datasets), kind.rope)
    found = paired_strengths(*count_signs(signs, METHODS), kind.ties_as)
    equal = np.full(n_datasets, 1.0 / n_datasets)
    weights = rng.multinomial(n_datasets, equal, size=DRAWS)
    draws = strength_draws(signs, weights, METHODS, kind.ties_as)
    interval = strength_intervals(draws, LEVEL)
    if np.isnan(interval.low).any():
        return None
    half = -ndtri((1.0 - LEVEL) / 2.0) * found.standard_error
    return np.array(
        [
            (interval.low <= truth) & (truth <= interval.high),
            np.abs(found.strength - truth) <= half,
            np.isinf(interval.low) | np.isinf(interval.high),
        ]
    )


def table() -> Iterator[str]:
    """Give the table line by line, as Markdown."""
    yield "| kind | datasets | bootstrap | model | infinite end | no interval |"
    yield "|---|---|---|---|---|---|"
    rng = np.random.default_rng(17)
    for kind, n_datasets in itertools.product(KINDS, DATASETS):
        shares = " | ".join(f"{share:.3f}" for share in cover(kind, n_datasets, rng))
        yield f"| {kind.name} | {n_datasets} | {shares} |"


if __name__ == "__main__":
    start = time.process_time()
    for line in table():
        print(line, flush=True)
    print(f"\n{METHODS} methods, {TABLES} tables a line, {DRAWS} draws of each.")
    print(f"{time.process_time() - start:.0f} s of CPU")
