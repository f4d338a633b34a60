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
