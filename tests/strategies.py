"""Hypothesis strategies for frames of scores."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

SCORES = st.sampled_from([0.0, 0.1, 0.2, 0.25, 0.3, 0.5, 0.7, 0.9, 1.0])


@st.composite
def matrices(
    draw: st.DrawFn, *, missing: bool = False, min_side: int = 2, max_side: int = 6
) -> np.ndarray:
    """Scores with many ties: datasets in rows, methods in columns."""
    shape = draw(
        st.tuples(st.integers(min_side, max_side), st.integers(min_side, max_side))
    )
    elements = st.one_of(SCORES, st.just(np.nan)) if missing else SCORES
    return draw(npst.arrays(np.float64, shape, elements=elements))


def frame_of(matrix: np.ndarray, metric: str | None = "accuracy") -> pd.DataFrame:
    """Write a matrix as a long frame."""
    n_datasets, n_methods = matrix.shape
    frame = pd.DataFrame(
        {
            "method": np.tile([f"m{at}" for at in range(n_methods)], n_datasets),
            "dataset": np.repeat([f"d{at}" for at in range(n_datasets)], n_methods),
            "score": matrix.ravel(),
        }
    )
    return frame if metric is None else frame.assign(metric=metric)


def frames(**kwargs: object) -> st.SearchStrategy[pd.DataFrame]:
    """Long frames of one metric."""
    return matrices(**kwargs).map(frame_of)  # type: ignore[arg-type]


# Good frames: whatever a careful user may bring ----------------------------------------

_TEXT = ["A", "B", "C", "D", "E"]
_DATASETS = ["iris", "Wine", "d10", "d2", "été"]
_METRICS = ("accuracy", "log_loss", "elo")
_LABEL_DTYPES = ("object", "str", "string", "category", "ordered", "string[pyarrow]")
_SCORE_DTYPES = ("float64", "Float64", "double[pyarrow]")


def _as_labels(text: list[str], kind: str, order: list[str]) -> pd.Series:
    if kind in ("category", "ordered"):
        dtype = pd.CategoricalDtype([*order, "unused"], ordered=kind == "ordered")
        return pd.Series(pd.Categorical(text, dtype=dtype))
    return pd.Series(text, dtype=kind)


def _scores_of(metric: str | None) -> st.SearchStrategy[float]:
    if metric in ("accuracy", "log_loss"):
        return SCORES
    return st.one_of(
        st.integers(-5, 5).map(float),
        st.floats(-1e6, 1e6, allow_subnormal=False),
        st.sampled_from([-0.0, 1e300, -1e300, 1e-300, -1e-300, 0.1 + 0.2, 0.3]),
    )


@st.composite
def good_frames(
    draw: st.DrawFn, *, complete: bool = False, runs: bool = False
) -> pd.DataFrame:
    """
    Frames of scores with a method A and at least two methods and two datasets.

    One or two metrics, or none by name; ties, extreme magnitudes, labels of any dtype.
    In half of them scores are missing, as absent rows or as NaN, and a method or a dataset
    may have none. With runs, some scores come again.
    """
    methods = _TEXT[: draw(st.integers(2, 5))]
    datasets = _DATASETS[: draw(st.integers(2, 5))]
    names: list[str | None] = draw(
        st.one_of(
            st.just([None]),
            st.lists(st.sampled_from(_METRICS), min_size=1, max_size=2, unique=True),
        )
    )
    complete = draw(st.booleans())
    rows = []
    for metric in names:
        score = _scores_of(metric)
        gap = st.sampled_from([None, "absent"])
        cell = score if complete else st.one_of(*[score] * 5, gap)
        for dataset in datasets:
            for method in methods:
                times = draw(st.integers(1, 3)) if runs else 1
                rows += [(method, dataset, metric, draw(cell)) for _ in range(times)]
    rows = [row for row in rows if row[3] != "absent"] or rows[:1]
    columns = list(zip(*rows, strict=True))
    kinds = [draw(st.sampled_from(_LABEL_DTYPES)) for _ in range(3)]
    orders = [draw(st.permutations(group)) for group in (methods, datasets, names)]
    values = [np.nan if value in (None, "absent") else value for value in columns[3]]
    frame = pd.DataFrame({"score": np.array(values, dtype=np.float64)})
    frame["score"] = frame["score"].astype(draw(st.sampled_from(_SCORE_DTYPES)))
    for name, text, kind, order in zip(
        ("method", "dataset", "metric"), columns[:3], kinds, orders, strict=True
    ):
        if name != "metric" or names != [None]:
            frame[name] = _as_labels(list(text), kind, list(order))
    return frame
