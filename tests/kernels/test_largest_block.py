import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from beam_pandas.kernels.largest_block import find_largest_block


def brute_force(present):
    """Look at every set of methods."""
    best = None
    for size in range(2, present.shape[1] + 1):
        for methods in itertools.combinations(range(present.shape[1]), size):
            n = int(present[:, methods].all(axis=1).sum())
            found = (n * size, n, tuple(-at for at in methods))
            if n >= 2 and (best is None or found > best):
                best = found
    return best


@given(npst.arrays(bool, st.tuples(st.integers(1, 8), st.integers(1, 6))))
def test_is_the_best_of_all_sets_of_methods(present):
    datasets, methods = find_largest_block(present)
    expected = brute_force(present)
    if expected is None:
        assert not datasets.any() and not methods.any()
        return
    assert present[np.ix_(datasets, methods)].all()
    n, k = datasets.sum(), methods.sum()
    assert (n * k, n, tuple(-np.flatnonzero(methods))) == expected


def test_of_as_many_scores_more_datasets_count():
    present = np.zeros((9, 6), dtype=bool)
    present[:3, :4] = True  # 12 scores
    present[3:, 4:] = True  # 12 scores on more datasets
    datasets, methods = find_largest_block(present)
    assert datasets.tolist() == [False] * 3 + [True] * 6
    assert methods.tolist() == [False] * 4 + [True] * 2


def test_of_equal_blocks_the_first_methods_count():
    present = np.zeros((4, 4), dtype=bool)
    present[:2, 2:] = present[2:, :2] = True
    assert find_largest_block(present).methods.tolist() == [True, True, False, False]


def test_scattered_crashes_of_a_large_table():
    present = np.random.default_rng(0).random((90, 30)) < 0.97
    datasets, methods = find_largest_block(present)
    complete = present.all(axis=1).sum() * 30
    assert present[np.ix_(datasets, methods)].all()
    assert datasets.sum() * methods.sum() > complete


@pytest.mark.parametrize("shape", [(400, 60)])
def test_a_table_full_of_holes_is_given_up(shape):
    present = np.random.default_rng(0).random(shape) < 0.5
    assert find_largest_block(present) == (None, None)
