"""Scores whose messages are tried: no two are alike, so that each names its cell."""

from __future__ import annotations

import numpy as np
import pandas as pd

METHODS = ["A", "B", "C"]
DATASETS = ["iris", "wine", "zoo", "glass"]
_SCORES = [[0.91, 0.82, 0.73], [0.84, 0.75, 0.62], [0.66, 0.58, 0.44], [0.55, 0.61, 0.47]]
#: A column for each method, the datasets in the index.
WIDE = pd.DataFrame(_SCORES, index=pd.Index(DATASETS, name="dataset"), columns=METHODS)
#: The same scores, without and with the name of their metric.
BARE = (
    WIDE.reset_index()
    .melt(id_vars=["dataset"], var_name="method", value_name="score")
    .loc[:, ["method", "dataset", "score"]]
)
LONG = BARE.assign(metric="accuracy")


def of_metric(name: object) -> pd.DataFrame:
    """Give the scores another metric."""
    return BARE.assign(metric=name)


def holed(*cells: tuple[str, str], frame: pd.DataFrame = LONG) -> pd.DataFrame:
    """Take some scores out, each of a method on a dataset."""
    lacks = [pair in cells for pair in zip(frame["method"], frame["dataset"], strict=True)]
    return frame.assign(score=frame["score"].mask(lacks))


def runs(n_runs: int = 3, frame: pd.DataFrame = LONG) -> pd.DataFrame:
    """Repeat the scores in runs that differ a little."""
    parts = [
        frame.assign(run=at, score=(frame["score"] + 0.001 * at).round(3))
        for at in range(n_runs)
    ]
    return pd.concat(parts, ignore_index=True)


def text(frame: pd.DataFrame, sign: str = ".", behind: str = "") -> pd.DataFrame:
    """Write the scores as text."""
    column = [f"{score:.2f}".replace(".", sign) + behind for score in frame["score"]]
    return frame.assign(score=np.array(column, dtype=object))
