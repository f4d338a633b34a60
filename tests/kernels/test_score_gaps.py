import numpy as np
from hypothesis import given

from beam_pandas.kernels.score_gaps import mean_gaps_to_best, mean_scores
from tests.strategies import matrices


@given(matrices(missing=True))
def test_means_and_gaps_equal_a_loop(scores):
    scores = scores[~np.isnan(scores).all(axis=1)]
    gaps, means = mean_gaps_to_best(scores), mean_scores(scores)
    for at, column in enumerate(scores.T):
        has = [row for row in range(len(scores)) if not np.isnan(column[row])]
        if not has:
            assert np.isnan(gaps[at]) and np.isnan(means[at])
            continue
        expected = sum(np.nanmax(scores[row]) - column[row] for row in has) / len(has)
        np.testing.assert_allclose(gaps[at], expected, rtol=0, atol=1e-15)
        np.testing.assert_allclose(means[at], sum(column[has]) / len(has), rtol=1e-15)
        always = all(column[row] == np.nanmax(scores[row]) for row in has)
        assert (gaps[at] == 0.0) == always


def test_sums_that_no_float_holds():
    scores = np.array([[1.5e308, -1.5e308], [1.5e308, -1.5e308]])
    np.testing.assert_allclose(mean_scores(scores), [1.5e308, -1.5e308], rtol=1e-15)
    assert mean_gaps_to_best(scores).tolist() == [0.0, np.inf]
    near = np.array([[0.8e308, -0.8e308], [0.8e308, -0.8e308]])
    np.testing.assert_allclose(mean_gaps_to_best(near), [0.0, 1.6e308], rtol=1e-15)
