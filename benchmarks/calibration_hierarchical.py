"""
False claims from folds of many datasets: ``python -m benchmarks.calibration_hierarchical``.

The true differences of two methods on datasets are drawn around 0, so that neither is
better on the next dataset: every claim that one is better is false. Each dataset has ten
folds of a cross-validation, whose differences have a correlation of .1 and a spread of
their own for each dataset.

A line gives the shares of tables with a claim at .95: of `hierarchical` with rope 0, where
.10 is what a posterior that decides for either side may have, and with rope .01; and of
`bayesian_sign` of the means of the folds with rope .01. The last two columns are the shares
of tables declared equivalent with rope .01.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pandas as pd

import beam_pandas as bp

TABLES = {10: 100, 20: 40, 54: 40}  # by number of datasets: more of them take longer
FOLDS = 10
ROPE = 0.01
SPREAD = 0.02  # scale of the true differences over datasets
NOISE = 0.03  # median over datasets of the standard deviation of a fold


def scores(n_datasets: int, rng: np.random.Generator) -> pd.DataFrame:
    """Draw tables of two methods; each is a metric."""
    shape = (TABLES[n_datasets], n_datasets, FOLDS)
    true = SPREAD * rng.standard_t(4, size=(*shape[:2], 1))
    noise = NOISE * np.exp(rng.normal(scale=0.5, size=(*shape[:2], 1)))
    shared = np.sqrt(1 / FOLDS) * rng.normal(size=(*shape[:2], 1))
    own = np.sqrt(1 - 1 / FOLDS) * rng.normal(size=shape)
    differences = true + noise * (shared + own)
    names = ["metric", "dataset", "run"]
    index = pd.MultiIndex.from_product([range(side) for side in shape], names=names)
    first = pd.Series(differences.ravel(), index=index, name="score").reset_index()
    return pd.concat([first.assign(method="A"), first.assign(method="B", score=0.0)])


def shares(frame: pd.DataFrame) -> list[float]:
    """Give the shares of tables with a claim."""
    told = {"higher_is_better": True, "test_share": 1 / FOLDS}
    plain, roped = (bp.hierarchical(frame, rope, **told) for rope in (0.0, ROPE))
    sign = bp.bayesian_sign(frame, ROPE, higher_is_better=True, aggregate="mean")
    claims = [one["decision"].isin(["better", "worse"]) for one in (plain, roped, sign)]
    claims += [one["decision"] == "equivalent" for one in (roped, sign)]
    return [float(claim.mean()) for claim in claims]


def table() -> Iterator[str]:
    """Give the table line by line, as Markdown."""
    yield (
        "| datasets | tables | hierarchical, rope 0 | hierarchical, rope .01 | "
        "sign, rope .01 | equivalent, hierarchical | equivalent, sign |"
    )
    yield "|---|---|---|---|---|---|---|"
    rng = np.random.default_rng(16)
    for n_datasets, n_tables in TABLES.items():
        found = shares(scores(n_datasets, rng))
        cells = " | ".join(f"{share:.2f}" for share in found)
        yield f"| {n_datasets} | {n_tables} | {cells} |"


if __name__ == "__main__":
    start = time.process_time()
    for line in table():
        print(line, flush=True)
    print(f"\n{time.process_time() - start:.0f} s of CPU")
