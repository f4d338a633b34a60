"""Small tables of scores whose results are known from elsewhere."""

from __future__ import annotations

import numpy as np
import pandas as pd


def long(rows: dict[str, list[float | None]], metric: str | None = None) -> pd.DataFrame:
    """A long frame from one list of scores a method, datasets d01, d02, ..."""
    frame = pd.DataFrame(
        [
            (method, f"d{at + 1:02d}", np.nan if score is None else score)
            for method, scores in rows.items()
            for at, score in enumerate(scores)
        ],
        columns=["method", "dataset", "score"],
    )
    if metric is not None:
        frame.insert(2, "metric", metric)
    return frame


def ordered(n_methods: int, n_datasets: int) -> pd.DataFrame:
    """Methods m1, m2, ... in the same order on every dataset, m1 best."""
    return long(
        {f"m{at}": [1.0 - 0.1 * at] * n_datasets for at in range(1, n_methods + 1)},
        "accuracy",
    )


REFERENCE = long(
    {"A": [4, 6, 3, 5, 4, 5], "B": [7, 8, 6, 7, 9, 6], "C": [6, 9, 7, 8, 8, 9]}, "elo"
)
TIES = long(
    {"A": [0.9, 0.9, 0.5, 0.3], "B": [0.8, 0.9, 0.5, 0.2], "C": [0.7, 0.7, 0.5, 0.1]},
    "accuracy",
)
CYCLE = long({"A": [3, 1, 2], "B": [2, 3, 1], "C": [1, 2, 3]}, "elo")
TWO = long({"A": [0.9] * 7 + [0.7], "B": [0.8] * 7 + [0.75]}, "accuracy")
HOLE = long(
    {
        "A": [0.9, 0.8, 0.7, 0.6, 0.5, 0.95],
        "B": [0.8, 0.7, 0.6, 0.5, 0.4, 0.9],
        "C": [0.7, 0.6, None, 0.4, 0.3, 0.85],
    },
    "accuracy",
)
SPLIT = long(
    {
        "A": [2, 2, 2, None, None, None],
        "B": [1, 1, 1, None, None, None],
        "C": [None, None, None, 2, 2, 2],
        "D": [None, None, None, 1, 1, 1],
    },
    "elo",
)
# ranks of nine methods on two datasets, as negative scores: more is better
FEW = long(
    {
        f"m{at}": [-first, -second]
        for at, (first, second) in enumerate(
            zip([1, 8, 6, 4, 7, 2, 5, 3, 9], [1, 6, 3, 9, 7, 2, 8, 4, 5], strict=True)
        )
    }
)

# Demšar (2006), Table 6: AUC of C4.5, C4.5+m, C4.5+cf, C4.5+m+cf
_DEMSAR = {
    "adult (sample)": [0.763, 0.768, 0.771, 0.798],
    "breast cancer": [0.599, 0.591, 0.590, 0.569],
    "breast cancer wisconsin": [0.954, 0.971, 0.968, 0.967],
    "cmc": [0.628, 0.661, 0.654, 0.657],
    "ionosphere": [0.882, 0.888, 0.886, 0.898],
    "iris": [0.936, 0.931, 0.916, 0.931],
    "liver disorders": [0.661, 0.668, 0.609, 0.685],
    "lung cancer": [0.583, 0.583, 0.563, 0.625],
    "lymphography": [0.775, 0.838, 0.866, 0.875],
    "mushroom": [1.000, 1.000, 1.000, 1.000],
    "primary tumor": [0.940, 0.962, 0.965, 0.962],
    "rheum": [0.619, 0.666, 0.614, 0.669],
    "voting": [0.972, 0.981, 0.975, 0.975],
    "wine": [0.957, 0.978, 0.946, 0.970],
}
DEMSAR = pd.DataFrame(
    [
        (method, dataset, "AUC", score)
        for dataset, scores in _DEMSAR.items()
        for method, score in zip(
            ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"], scores, strict=True
        )
    ],
    columns=["method", "dataset", "metric", "score"],
)
# The paper ranks the two .975 of voting 2 (C4.5+cf) and 3 (C4.5+m+cf): they differed
# before they were rounded for print.
DEMSAR_RANKED = DEMSAR.assign(
    score=DEMSAR["score"].mask(
        (DEMSAR["dataset"] == "voting") & (DEMSAR["method"] == "C4.5+cf"), 0.9751
    )
)
