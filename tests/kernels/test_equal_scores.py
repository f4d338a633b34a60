import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from beam_pandas.kernels.equal_scores import EQUALITY, merge_equal
from beam_pandas.kernels.row_ranks import rank_rows

CLOSE = st.sampled_from([1.0, 1 + 0.8e-14, 1 + 1.6e-14, 1 + 3e-14, 0.0, -0.0, -1.0, np.nan])


def by_chains(row):
    """Link neighbours one after the other, and give each chain its farthest value."""
    order = [at for at in np.argsort(row) if not np.isnan(row[at])]
    result, chain = row.copy(), []
    for before, at in zip([None, *order], order, strict=False):
        linked = before is not None and row[at] - row[before] <= EQUALITY * max(
            abs(row[at]), abs(row[before])
        )
        chain = [*chain, at] if linked else [at]
        result[chain] = max((row[i] for i in chain), key=abs)
    return result


@given(
    npst.arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 6)), elements=CLOSE)
)
def test_is_that_of_a_plain_loop_and_agrees_with_the_ranks(table):
    found = merge_equal(table)
    np.testing.assert_array_equal(found, [by_chains(row) for row in table])
    np.testing.assert_array_equal(rank_rows(found), rank_rows(table))
    np.testing.assert_array_equal(merge_equal(-table), -found)
    np.testing.assert_array_equal(merge_equal(found), found)


def test_a_chain_is_one_class():
    row = np.array([[1.0, 1 + 0.8e-14, 1 + 1.6e-14]])
    assert len(set(merge_equal(row)[0])) == 1


def test_the_gap_at_the_boundary_is_equal_and_the_next_float_is_not():
    larger = 2.0
    bound = larger - EQUALITY * larger
    assert larger - bound <= EQUALITY * larger
    assert len(set(merge_equal(np.array([[larger, bound]]))[0])) == 1
    below = bound
    while larger - below <= EQUALITY * larger:
        below = np.nextafter(below, 0.0)
    assert len(set(merge_equal(np.array([[larger, below]]))[0])) == 2


def test_scores_that_differ_are_given_back_as_they_are():
    table = np.random.default_rng(0).random((1000, 100))
    assert merge_equal(table) is table


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_blocks_agree(scale):
    rng = np.random.default_rng(1)
    table = scale * rng.integers(1, 4, (3000, 40)) * (1 + 1e-15 * rng.random((3000, 40)))
    found = merge_equal(table)
    assert all(len(set(row)) == len(set(np.round(row / scale))) for row in found[:200])
