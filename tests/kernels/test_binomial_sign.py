import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from beam_pandas.kernels.binomial_sign import sign_p_values


# exact binomial tails, R: binom.test(wins, wins + losses)
@pytest.mark.parametrize(
    ("wins", "losses", "p_value"),
    [(5, 0, 0.0625), (6, 1, 0.125), (9, 1, 0.021484375), (8, 2, 0.109375),
     (10, 5, 0.30175781), (7, 1, 0.0703125), (6, 2, 0.2890625), (0, 0, 1.0),
     (15, 15, 1.0), (8, 3, 0.22656250), (7, 2, 0.17968750), (6, 5, 1.0)],
)  # fmt: skip
def test_known_values(wins, losses, p_value):
    for pair in ((wins, losses), (losses, wins)):
        found = sign_p_values(*(np.array([count]) for count in pair))
        assert found[0] == pytest.approx(p_value, abs=5e-9)


@given(
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), min_size=1, max_size=20)
)
def test_equals_scipy(pairs):
    wins, losses = (np.array(column) for column in zip(*pairs, strict=True))
    expected = [binomtest(w, w + l).pvalue if w + l else 1.0 for w, l in pairs]
    np.testing.assert_allclose(sign_p_values(wins, losses), expected, rtol=1e-10)


def test_the_far_tail_is_no_zero():
    found = sign_p_values(np.array([1000]), np.array([0]))
    assert found[0] == pytest.approx(2.0 * 0.5**1000, rel=1e-10)
