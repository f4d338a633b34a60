"""
How often the intervals of mean ranks and of places hold the truth.

Run as ``python -m benchmarks.calibration_intervals``; it takes some minutes.

Scores are made as in `calibration_strengths`, with its kinds of tables. The true mean rank
of a method is 1 and the chances of all others to outperform it, the true place comes from
the order of these; where methods are equal they share one, 4.5 of eight.

Printed: the share of methods whose interval of the mean rank holds the truth; the same for
mean rank +- Student's quantile (N - 1 degrees of freedom) * standard_error *
sqrt(N / (N - 1)), which the columns of the result allow; the share whose interval of the
place holds the truth; the mean width of the first in ranks; and the share of tables in
which the method with the largest prob_best is truly the best (equal ones aside), with the
mean of that prob_best.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator

import numpy as np
import scipy
from numpy.typing import NDArray

from beam_pandas.kernels.rank_bootstrap import bootstrap_mean_ranks
from beam_pandas.kernels.row_ranks import rank_rows
from benchmarks.calibration_strengths import (
    DATASETS,
    DRAWS,
    KINDS,
    LEVEL,
    METHODS,
    Kind,
)

TABLES = 1000


def cover(kind: Kind, n_datasets: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw tables of one kind and look whether the intervals hold the truth."""
    truth = 1.0 + kind.chances().sum(axis=0)
    place = rank_rows(-truth.round(9)[None])[0]
    half = scipy.special.stdtrit(n_datasets - 1, (1.0 + LEVEL) / 2.0)
    half *= np.sqrt(n_datasets / (n_datasets - 1.0))
    rows = []
    for _ in range(TABLES):
        found = bootstrap_mean_ranks(
            rank_rows(kind.scores(rng, n_datasets)),
            n_resamples=DRAWS,
            confidence_level=LEVEL,
            top=1,
            rng=rng,
        )
        first = int(np.argmax(found.prob_best))
        rows.append(
            [
                np.mean((found.ci_low <= truth) & (truth <= found.ci_high)),
                np.mean(np.abs(found.mean_rank - truth) <= half * found.standard_error),
                np.mean((found.place_low <= place) & (place <= found.place_high)),
                np.mean(found.ci_high - found.ci_low),
                place[first] == 1.0,
                found.prob_best[first],
            ]
        )
    return np.mean(rows, axis=0)


def table() -> Iterator[str]:
    """Give the table line by line, as Markdown."""
    yield (
        "| kind | datasets | mean rank | with Student's t | place | width, ranks "
        "| first is best | its prob_best |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    rng = np.random.default_rng(17)
    kinds = [kind for kind in KINDS if not kind.rope]  # ranks know no rope
    for kind, n_datasets in itertools.product(kinds, DATASETS):
        shares = [f"{share:.3f}" for share in cover(kind, n_datasets, rng)]
        if not kind.spread:
            shares[4] = "-"
        yield f"| {kind.name} | {n_datasets} | {' | '.join(shares)} |"


if __name__ == "__main__":
    start = time.process_time()
    for line in table():
        print(line, flush=True)
    print(f"\n{METHODS} methods, {TABLES} tables a line, {DRAWS} draws of each.")
    print(f"{time.process_time() - start:.0f} s of CPU")
