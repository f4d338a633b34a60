"""
False claims about equal methods on one dataset: ``python -m benchmarks.calibration_runs``.

Two methods learn from the same rows. Each sees its own half of the features; the halves
are alike in law, so that both methods are equally good on average over datasets of this
size: every claim that one is better is false. Each table is one such dataset, on which
both methods are cross-validated with the same folds.

A line gives the shares of tables with a claim: of the plain paired t test over the runs
(as if these were independent), of the corrected resampled t test, both two-sided at .05,
and of the posterior of `correlated_t` at .95 with rope 0 and with rope .01. A posterior
without a rope that claims at .95 on either side claims in .10 of tables if it is right.
The last column is the share of tables declared equivalent with rope .01.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import beam_pandas as bp

TABLES = 2000
FEATURES = 5  # of each method
SHIFT = 0.3  # of the mean of a feature, in either class, in standard deviations
FOLDS = 10
ROPE = 0.01

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Learner = Callable[[Floats, Floats, Bools], Bools]


def nearest_mean(features: Floats, label: Floats, tested: Bools) -> Bools:
    """
    Predict the class whose mean over the training rows is nearer.

    Parameters
    ----------
    features : ndarray of float64, shape (n_rows, n_features)
        Of one dataset.
    label : ndarray of float64, shape (n_rows,)
        1 or -1.
    tested : ndarray of bool, shape (n_folds, n_rows)
        The rows that each fold leaves out of training.

    Returns
    -------
    ndarray of bool, shape (n_folds, n_rows)
        Whether each row is predicted as 1.
    """
    means = []
    for side in (1.0, -1.0):
        used = (~tested & (label == side)).astype(np.float64)
        means.append(used @ features / used.sum(axis=1, keepdims=True))
    normal = means[0] - means[1]
    middle = (normal * (means[0] + means[1])).sum(axis=1, keepdims=True) / 2.0
    return normal @ features.T > middle


def nearest_row(features: Floats, label: Floats, tested: Bools) -> Bools:
    """Predict the class of the nearest training row; parameters as of `nearest_mean`."""
    square = (features**2).sum(axis=1)
    distance = square[:, None] + square - 2.0 * features @ features.T
    order = np.argsort(distance, axis=1)
    trained = ~tested[:, order]  # the neighbours of each row, the nearest first
    return label[order[np.arange(len(label)), trained.argmax(axis=2)]] > 0.0


LEARNERS: dict[str, Learner] = {"nearest mean": nearest_mean, "nearest row": nearest_row}


def scores(
    learn: Learner, n_rows: int, n_repeats: int, rng: np.random.Generator
) -> pd.DataFrame:
    """Cross-validate both methods on many datasets; each table is a dataset."""
    label = np.tile([1.0, -1.0], n_rows // 2)
    accuracy = np.empty((TABLES, 2, n_repeats * FOLDS))
    for table in range(TABLES):
        features = rng.normal(size=(n_rows, 2 * FEATURES)) + SHIFT * label[:, None]
        fold = np.array([_folds(label, rng) for _ in range(n_repeats)])
        tested = (fold[:, None] == np.arange(FOLDS)[:, None]).reshape(-1, n_rows)
        for method in range(2):
            part = features[:, method * FEATURES : (method + 1) * FEATURES]
            right = (learn(part, label, tested) == (label > 0.0)) & tested
            accuracy[table, method] = right.sum(axis=1) / tested.sum(axis=1)
    index = pd.MultiIndex.from_product(
        [range(TABLES), ["A", "B"], range(n_repeats * FOLDS)],
        names=["dataset", "method", "run"],
    )
    return pd.Series(accuracy.ravel(), index=index, name="score").reset_index()


def _folds(label: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    """Deal the rows of each class to the folds."""
    fold = np.empty(len(label), dtype=np.int64)
    for side in (1.0, -1.0):
        rows = rng.permutation(np.flatnonzero(label == side))
        fold[rows] = np.arange(len(rows)) % FOLDS
    return fold


def shares(frame: pd.DataFrame) -> list[float]:
    """Give the shares of tables with a claim."""
    told = {"alpha": 0.05, "threshold": 0.95, "higher_is_better": True}
    plain = bp.correlated_t(frame, 0.0, test_share=0.0, **told)
    right = bp.correlated_t(frame, 0.0, test_share=1 / FOLDS, **told)
    roped = bp.correlated_t(frame, ROPE, test_share=1 / FOLDS, **told)
    claims = [plain["significant"], right["significant"]]
    claims += [one["decision"].isin(["better", "worse"]) for one in (right, roped)]
    return [float(claim.mean()) for claim in [*claims, roped["decision"] == "equivalent"]]


def table() -> Iterator[str]:
    """Give the table line by line, as Markdown."""
    yield (
        "| learner | rows | runs | plain t | corrected t | posterior, rope 0 | "
        "posterior, rope .01 | equivalent |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    rng = np.random.default_rng(15)
    for name, n_rows, n_repeats in itertools.product(LEARNERS, (100, 200), (1, 10)):
        found = shares(scores(LEARNERS[name], n_rows, n_repeats, rng))
        cells = " | ".join(f"{share:.3f}" for share in found)
        yield f"| {name} | {n_rows} | {n_repeats} x {FOLDS} | {cells} |"


if __name__ == "__main__":
    start = time.process_time()
    for line in table():
        print(line, flush=True)
    print(f"\n{TABLES:,} tables a line; {time.process_time() - start:.0f} s of CPU")
