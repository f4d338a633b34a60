"""
Raw scores over folds whose means are exact, and how results are held against each other.

Every score is a multiple of 1/4096, and over 64 folds in a row the deviations from the mean sum
to 0: sums are exact in any order, and means are the scores that the folds were made from, so
engines and pandas must agree to the last digit.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

KEYS = ["metric", "method", "dataset"]
N_FOLDS = 2560
FOLDS_IN_FILE = 32
ROPE = 0.01


class RawScores(NamedTuple):
    """A folder of parquet files, its size as a frame, and the answer of pandas."""

    folder: str
    n_bytes: int
    pairs: pd.DataFrame


def make_means():
    """A mean score for each cell, some missing; every method has some of each metric."""
    rng = np.random.default_rng(0)
    labels = [
        ["accuracy", "log_loss", "roc_auc"],
        [f"classifier_{i:02d}_with_default_hyperparameters" for i in range(12)],
        [f"dataset_{i:02d}_of_a_collection_for_classifiers" for i in range(60)],
    ]
    cells = pd.MultiIndex.from_product(labels, names=KEYS).to_frame(index=False)
    cells["score"] = rng.integers(16, 48, len(cells)) / 64
    gaps = cells["method"].str.contains("_0[37]_") & (rng.random(len(cells)) < 0.1)
    return cells[~gaps].reset_index(drop=True)


def fold_scores(means, folds):
    """Scores of some folds, around the means: over all folds the deviations sum to 0."""
    deviation = (2 * (folds * 37 % 64) - 63) / 4096
    raw = means.loc[means.index.repeat(len(folds)), KEYS].reset_index(drop=True)
    score = means["score"].to_numpy()[:, None] + deviation
    return raw.assign(fold=np.tile(folds, len(means)), score=score.ravel())


def assert_same_rows(result, expected):
    """The same rows in any order, to the last digit; labels may be text of any dtype."""
    labels = [*KEYS, "method_1", "method_2"]
    frames = []
    for frame in (result, expected):
        kinds = frame.dtypes.map(str)
        texts = frame.columns[~kinds.isin(["int64", "float64", "bool"])].tolist()
        frame = frame.astype(dict.fromkeys(texts, "object"))
        frame[texts] = frame[texts].where(frame[texts].notna(), None)
        keys = [name for name in labels if name in frame]
        frames.append(frame.sort_values(keys, ignore_index=True))
    pd.testing.assert_frame_equal(*frames, check_exact=True)
