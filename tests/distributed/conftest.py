import numpy as np
import pandas as pd
import pytest

from tests.distributed.raw import (
    FOLDS_IN_FILE,
    KEYS,
    N_FOLDS,
    ROPE,
    RawScores,
    fold_scores,
    make_means,
)


@pytest.fixture(scope="session")
def means():
    return make_means()


@pytest.fixture(scope="session")
def raw_scores(tmp_path_factory, means):
    """Several files that hold the scores of all folds, and their local comparison."""
    folder = tmp_path_factory.mktemp("raw_scores")
    text = means.astype(dict.fromkeys(KEYS, "string[pyarrow]"))
    n_bytes = 0
    for start in range(0, N_FOLDS, FOLDS_IN_FILE):
        part = fold_scores(text, np.arange(start, start + FOLDS_IN_FILE))
        n_bytes += int(part[[*KEYS, "score"]].memory_usage(deep=True, index=False).sum())
        part.to_parquet(folder / f"{start:04d}.parquet")
    raw = pd.read_parquet(folder, columns=[*KEYS, "score"])
    pairs = raw.beam.pairwise(rope=ROPE, aggregate="mean")
    return RawScores(str(folder), n_bytes, pairs)
