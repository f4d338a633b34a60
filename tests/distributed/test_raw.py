"""The raw scores that the engines get are as exact as the tests of the engines need them."""

import numpy as np
import pandas as pd
import pytest

import beam_pandas as bp
from tests.distributed.raw import KEYS, N_FOLDS, ROPE, assert_same_rows, fold_scores


def test_the_mean_over_folds_is_exact_in_any_order(means):
    some = means.head(20)
    raw = fold_scores(some, np.arange(N_FOLDS)).sample(frac=1, random_state=0)
    result = raw.groupby(KEYS)["score"].mean().reset_index()
    pd.testing.assert_frame_equal(result, some, check_exact=True)
    pairs = bp.pairwise(raw, rope=ROPE, aggregate="mean")
    assert_same_rows(pairs, bp.pairwise(some, rope=ROPE))


def test_the_comparison_of_rows_sees_every_difference():
    frame = pd.DataFrame({"metric": ["a", "b"], "method": ["x", None], "wins": [1, 2]})
    assert_same_rows(frame.iloc[::-1].astype({"method": "string"}), frame)
    for other in (
        frame.assign(wins=[1, 3]),
        frame.assign(wins=[1.0, 2.0]),
        frame.assign(method=["x", "y"]),
        frame.head(1),
    ):
        with pytest.raises(AssertionError):
            assert_same_rows(other, frame)
