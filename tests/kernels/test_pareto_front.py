"""The Pareto front, against every pair looked at on its own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beam_pandas.kernels.pareto_front import undominated


def dominates(one, other):
    pairs = list(zip(one, other, strict=True))
    return all(a >= b for a, b in pairs) and any(a > b for a, b in pairs)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12))
def test_a_point_is_on_the_front_if_no_other_dominates_it(points):
    found = undominated(np.array(points, dtype=np.float64))
    expected = [not any(dominates(b, a) for b in points) for a in points]
    assert found.tolist() == expected


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([(1, 1), (1, 1)], [True, True]),  # equal points are both on it
        ([(1, 1), (1, 2)], [False, True]),
        ([(2, 1), (1, 2), (1, 1)], [True, True, False]),
    ],
)
def test_equal_values(points, expected):
    assert undominated(np.array(points, dtype=np.float64)).tolist() == expected
