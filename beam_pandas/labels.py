"""Labels put together and taken apart without a change of their dtype."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray


def join_labels(pieces: Sequence[pd.Index]) -> pd.Series:
    """
    Append labels of one dtype, as a column of that dtype.

    `Index.append` would turn objects that are all text into the dtype of text.
    """
    columns = [pd.Series(piece.array, dtype=piece.dtype) for piece in pieces]
    return pd.concat(columns, ignore_index=True) if len(columns) > 1 else columns[0]


def take_or_missing(labels: pd.Index, positions: NDArray[np.intp]) -> pd.Index:
    """
    Take labels by position, a missing one for -1.

    Whole numbers and truth values become nullable, whether or not one is missing.
    """
    if isinstance(labels.dtype, np.dtype) and labels.dtype.kind in "iub":
        labels = pd.Index(pd.array(labels.to_numpy()))
    return labels.take(positions, allow_fill=True, fill_value=np.nan)
