"""Rows that are the mean of others."""

import numpy as np

from beam_pandas.kernels.row_means import find_mean_rows


def test_rows_that_hardly_differ_are_no_means_of_each_other():
    rng = np.random.default_rng(5)
    alike = np.full((600, 3), 0.5) + rng.integers(0, 2, (600, 3)) * 1e-4
    assert find_mean_rows(np.round(alike, 4)) == []
    assert find_mean_rows(np.ones((600, 3))) == []
    scores = np.round(rng.random((30, 3)), 3)
    scores[4] = np.round(np.delete(scores, 4, axis=0).mean(axis=0), 3)
    assert find_mean_rows(scores) == [4]
