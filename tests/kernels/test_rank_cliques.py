import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from beam_pandas.kernels import rank_cliques
from beam_pandas.kernels.rank_cliques import find_cliques

MEANS = st.lists(st.integers(0, 40), min_size=1, max_size=12).map(
    lambda values: np.sort(np.array(values, dtype=float)) / 4
)


def naive(means, gap):
    """All runs within the gap, less those inside another."""
    k = len(means)
    runs = [(i, j) for i in range(k) for j in range(i, k) if means[j] - means[i] <= gap]
    return [
        run
        for run in runs
        if not any(
            other != run and other[0] <= run[0] and run[1] <= other[1] for other in runs
        )
    ]


@given(MEANS, st.sampled_from([0.1, 0.8, 1.3, 2.6, 7.7]))
def test_equals_the_twin(means, gap):
    first, last = find_cliques(means, gap)
    assert list(zip(first.tolist(), last.tolist(), strict=True)) == naive(means, gap)


def test_two_cliques_that_overlap_and_methods_alone():
    first, last = find_cliques(np.array([1.0, 1.9, 2.5, 6.0]), 1.0)
    assert list(zip(first, last, strict=True)) == [(0, 1), (1, 2), (3, 3)]


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=12),
    st.integers(0, 20) | st.just(math.nan),
)
def test_few_and_many_methods_are_treated_alike(places, gap):
    means = np.sort(np.array(places) / 4.0)  # gaps that equal the critical difference
    critical = gap / 4.0
    few = rank_cliques._last_of_few(means, critical)
    np.testing.assert_array_equal(few, rank_cliques._last_of_many(means, critical))
