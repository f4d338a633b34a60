import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beam_pandas.kernels.aggregation import aggregate_runs

RUNS = st.lists(st.tuples(st.integers(0, 4), st.floats(-1e6, 1e6)), min_size=1, max_size=40)


@pytest.mark.parametrize("how", ["mean", "median"])
@given(runs=RUNS, seed=st.integers(0, 99))
def test_equals_numpy_cell_by_cell_and_is_the_same_in_any_order(how, runs, seed):
    cell, score = (np.array(column) for column in zip(*runs, strict=True))
    found = aggregate_runs(score, cell, np.bincount(cell, minlength=6), how)
    for at in range(6):
        values = score[cell == at]
        expected = getattr(np, how)(values) if values.size else np.nan
        np.testing.assert_allclose(found[at], expected, rtol=1e-12, atol=1e-9)
    shuffled = np.random.default_rng(seed).permutation(len(score))
    again = aggregate_runs(
        score[shuffled], cell[shuffled], np.bincount(cell, minlength=6), how
    )
    np.testing.assert_array_equal(found, again)


def test_equal_scores_have_their_own_value_as_mean():
    score = np.full(3, 0.1)
    assert aggregate_runs(score, np.zeros(3, dtype=int), np.array([3]), "mean")[0] == 0.1


def test_means_of_huge_scores_do_not_overflow():
    score = np.array([1.7e308, 1.7e308, -1.7e308, -1.7e308])
    found = aggregate_runs(score, np.array([0, 0, 1, 1]), np.array([2, 2]), "mean")
    np.testing.assert_array_equal(found, [1.7e308, -1.7e308])
    three = np.array([1.7e308, 1.7e308, -1.7e308])
    found = aggregate_runs(three, np.zeros(3, dtype=int), np.array([3]), "mean")
    assert found[0] == pytest.approx(1.7e308 / 3)
    spread = np.array([1.7e308, -1.7e308])
    for how in ("mean", "median"):
        assert aggregate_runs(spread, np.zeros(2, dtype=int), np.array([2]), how)[0] == 0.0


def test_scores_that_cancel_have_no_mean():
    score = np.array([0.3, -0.1, -0.2, 0.1, -0.1])
    cell = np.array([0, 0, 0, 1, 1])
    assert aggregate_runs(score, cell, np.array([3, 2]), "mean").tolist() == [0.0, 0.0]


@pytest.mark.parametrize("score", [3.622733e-308, 5e-324, 1.7e308, 0.1])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_equal_scores_of_any_magnitude_have_their_own_value_as_mean(score, n):
    for sign in (1.0, -1.0):
        scores, cells = np.full(n, sign * score), np.zeros(n, dtype=np.int64)
        assert aggregate_runs(scores, cells, np.array([n]), "mean").tolist() == [
            sign * score
        ]
