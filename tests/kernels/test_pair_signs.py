from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beam_pandas.kernels import pair_signs as module
from beam_pandas.kernels.pair_counts import (
    count_missing_as_worst,
    count_pairs,
    count_pairs_within,
)
from beam_pandas.kernels.pair_signs import pair_signs
from beam_pandas.kernels.strength_draws import NOT_COMPARED
from tests.strategies import matrices


def counted(signs, k):
    wins = np.zeros((k, k), dtype=np.int64)
    for at, (i, j) in enumerate(combinations(range(k), 2)):
        wins[i, j] = np.count_nonzero(signs[:, at] == 1)
        wins[j, i] = np.count_nonzero(signs[:, at] == -1)
    return wins


@given(st.data(), matrices(missing=True, min_side=1), st.booleans(), st.booleans())
def test_signs_add_up_to_the_counts_of_pairs(data, scores, by_cell, worst):
    k = scores.shape[1]
    if by_cell:
        chosen = st.sampled_from([0.0, 0.05, 0.1, 0.2])
        size = scores.size
        rope = np.array(data.draw(st.lists(chosen, min_size=size, max_size=size)))
        rope = rope.reshape(scores.shape)
        counts = count_pairs_within(scores, rope)
    else:
        rope = data.draw(st.sampled_from([0.0, 0.1, 0.2]))
        counts = count_pairs(scores, rope)
    if worst:
        counts = count_missing_as_worst(counts, scores)
    signs = pair_signs(scores, rope, missing_is_worst=worst)
    assert signs.dtype == np.int8
    np.testing.assert_array_equal(counted(signs, k), counts.wins)
    shared = [counts.shared[pair] for pair in combinations(range(k), 2)]
    np.testing.assert_array_equal(np.count_nonzero(signs != NOT_COMPARED, axis=0), shared)


@pytest.mark.parametrize("rope", [0.01, np.full((2, 2), 0.01)])
def test_a_difference_that_equals_the_rope_in_decimals_is_within_it(rope):
    scores = np.array([[0.898, 0.888], [0.8981, 0.888]])
    assert pair_signs(scores, rope).tolist() == [[0], [1]]


def test_the_larger_rope_of_a_pair_holds():
    scores, cells = np.array([[0.5, 0.4]]), np.array([[0.0, 0.2]])
    assert pair_signs(scores, cells).tolist() == [[0]]
    assert pair_signs(scores[:, ::-1], cells[:, ::-1]).tolist() == [[0]]
    assert pair_signs(scores, np.zeros((1, 2))).tolist() == [[1]]


@given(matrices(missing=True))
def test_blocks_do_not_show(scores):
    ropes = np.full(scores.shape, 0.1)
    expected = pair_signs(scores, ropes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", 1)
        np.testing.assert_array_equal(pair_signs(scores, ropes), expected)


def test_a_missing_score_that_is_worst():
    scores = np.array([[np.nan, 0.1, np.nan]])
    assert pair_signs(scores, 0.0).tolist() == [[NOT_COMPARED] * 3]
    found = pair_signs(scores, 5.0, missing_is_worst=True)
    assert found.tolist() == [[-1, 0, 1]]
