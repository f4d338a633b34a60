from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from beam_pandas.kernels.correlated_runs import (
    RunDifferences,
    correlated_t_law,
    run_differences,
)

FIRST, SECOND = np.array([0]), np.array([1])


def of(mean, variance, n, largest=1.0):
    return RunDifferences(*(np.array([[v]]) for v in (n, mean, variance, largest)))


def law(mean, variance, n, rho=0.1, rope=1.0, alternative="two-sided", largest=1.0):
    found = correlated_t_law(of(mean, variance, n, largest), rho, rope, alternative)
    return type(found)(*(float(value[0, 0]) for value in found))


def test_ten_times_ten_folds():
    # accuracy in percent of aode and hnb on anneal, 10 x 10 folds; baycomp 1.0.3
    n, rho, scale = 100, 0.1, 0.451342845
    found = law(-0.31187, scale**2 / (1 / n + rho / (1 - rho)), n)
    assert found.df == 99
    assert found.scale == pytest.approx(scale, rel=1e-14)
    assert found.better == pytest.approx(0.002254521, abs=5e-9)
    assert found.equivalent == pytest.approx(0.932475405, abs=5e-9)
    assert found.worse == pytest.approx(0.065270074, abs=5e-9)


MEANS = st.integers(-300, 300).map(lambda m: m / 100)


@given(
    MEANS,
    st.floats(1e-4, 9),
    st.integers(2, 120),
    st.sampled_from([0.0, 0.1, 0.25, 0.5]),
    st.sampled_from([0.0, 0.01, 1.0]),
)
def test_equals_the_student_law_of_scipy(mean, variance, n, rho, rope):
    found = law(mean, variance, n, rho, rope)
    scale = np.sqrt((1 / n + rho / (1 - rho)) * variance)
    t = scipy.stats.t(n - 1, loc=mean, scale=scale)
    np.testing.assert_allclose(found.scale, scale, rtol=1e-14)
    np.testing.assert_allclose(found.better, t.sf(rope), rtol=1e-11, atol=1e-300)
    np.testing.assert_allclose(found.worse, t.cdf(-rope), rtol=1e-11, atol=1e-300)
    np.testing.assert_allclose(
        found.equivalent, t.cdf(rope) - t.cdf(-rope), rtol=1e-9, atol=1e-13
    )
    assert found.better + found.equivalent + found.worse == pytest.approx(1, abs=1e-15)
    p_value = 2 * scipy.stats.t.sf(abs(mean) / scale, n - 1)
    np.testing.assert_allclose(found.p_value, p_value, rtol=1e-11, atol=1e-300)
    greater = law(mean, variance, n, rho, rope, "greater")
    less = law(-mean, variance, n, rho, rope, "less")
    assert greater.p_value == less.p_value
    np.testing.assert_allclose(greater.p_value, t.cdf(0), rtol=1e-11, atol=1e-300)


def test_an_equivalence_far_out_keeps_its_digits():
    found = law(40.0, 1.0, 10, 0.0, 0.5)
    t = scipy.stats.t(9, scale=np.sqrt(0.1))
    assert found.equivalent == pytest.approx(t.sf(39.5) - t.sf(40.5), rel=1e-12)
    assert law(-40.0, 1.0, 10, 0.0, 0.5).equivalent == found.equivalent


@given(MEANS, st.integers(2, 30))
def test_without_a_rope_nothing_is_equivalent(mean, n):
    found = law(mean, 0.3, n, 0.1, 0.0)
    assert found.equivalent == pytest.approx(0, abs=1e-16)


@pytest.mark.parametrize(
    ("mean", "rope", "shares"),
    [(0.0, 0.0, (0, 1, 0)), (0.5, 0.5, (0, 1, 0)), (-0.5, 0.5, (0, 1, 0)),
     (0.51, 0.5, (1, 0, 0)), (-0.51, 0.5, (0, 0, 1)),
     (0.898 - 0.888, 0.01, (0, 1, 0)), (0.888 - 0.898, 0.01, (0, 1, 0))],
)  # fmt: skip
def test_a_point_mass(mean, rope, shares):
    found = law(mean, 0.0, 5, 0.1, rope)
    assert (found.better, found.equivalent, found.worse) == shares
    assert found.scale == 0
    assert found.p_value == (1.0 if mean == 0.0 else 0.0)
    greater = law(mean, 0.0, 5, 0.1, rope, "greater").p_value
    assert greater == (0.0 if mean > 0.0 else 1.0)
    assert law(mean, 0.0, 5, 0.1, rope, "less").p_value == (0.0 if mean < 0.0 else 1.0)


@pytest.mark.parametrize("n", [0, 1])
def test_fewer_than_two_runs_say_nothing(n):
    found = law(0.5 if n else np.nan, np.nan, n)
    assert np.isnan(found).all()


@st.composite
def layouts(draw):
    shape = draw(st.tuples(st.integers(0, 3), st.integers(2, 4), st.integers(0, 6)))
    cents = st.integers(-20, 100).map(lambda cents: cents / 100)
    return draw(npst.arrays(float, shape, elements=st.one_of(cents, st.just(np.nan))))


@given(layouts())
def test_equals_the_twin_in_exact_decimals(scores):
    first, second = np.triu_indices(scores.shape[1], k=1)
    found = run_differences(scores, first, second)
    for dataset, pair in np.ndindex(found.mean.shape):
        d = [
            Fraction(str(x)) - Fraction(str(y))
            for x, y in scores[dataset, [first[pair], second[pair]]].T.tolist()
            if x == x and y == y
        ]
        n = len(d)
        mean = sum(d) / Fraction(n) if n else np.nan
        variance = sum((e - mean) ** 2 for e in d) / Fraction(n - 1) if n > 1 else np.nan
        assert found.n_runs[dataset, pair] == n
        np.testing.assert_allclose(
            found.mean[dataset, pair], float(mean), rtol=2e-13, atol=0
        )
        np.testing.assert_allclose(
            found.variance[dataset, pair], float(variance), rtol=2e-13, atol=0
        )


def test_differences_equal_in_decimals_have_variance_0():
    low = np.array([0.888, 0.788, 0.1, 0.2])
    scores = np.stack([np.round(low + 0.01, 3), low])[None]
    assert len(set(scores[0, 0] - scores[0, 1])) > 1
    found = run_differences(scores, FIRST, SECOND)
    assert found.variance[0, 0] == 0.0
    share = correlated_t_law(found, 0.1, 0.01, "two-sided")
    assert share.equivalent[0, 0] == 1.0
    assert correlated_t_law(found, 0.1, 0.0099, "two-sided").better[0, 0] == 1.0


def test_spread_just_beyond_rounding_counts():
    scores = np.array([[[1.0, 1.0 + 4e-14], [0.5, 0.5]]])
    assert run_differences(scores, FIRST, SECOND).variance[0, 0] > 0.0


def test_runs_of_one_method_only_are_not_shared():
    scores = np.array([[[1.0, 2.0, np.nan, 4.0], [0.5, np.nan, 1.0, 3.0]]])
    found = run_differences(scores, FIRST, SECOND)
    assert (found.n_runs[0, 0], found.mean[0, 0], found.variance[0, 0]) == (2, 0.75, 0.125)
    assert found.largest[0, 0] == 4.0


@pytest.mark.parametrize("shape", [(2, 130, 40), (9, 30, 700), (400, 3, 1100)])
def test_more_than_one_block(shape):
    rng = np.random.default_rng(2)
    scores = rng.random(shape)
    first, second = np.triu_indices(shape[1], k=1)
    found = run_differences(scores, first, second)
    for pair in (0, len(first) // 2, len(first) - 1):
        d = scores[:, first[pair]] - scores[:, second[pair]]
        np.testing.assert_allclose(found.mean[:, pair], d.mean(axis=1), rtol=1e-9)
        np.testing.assert_allclose(
            found.variance[:, pair], d.var(axis=1, ddof=1), rtol=1e-11
        )


def test_one_rope_for_each_dataset():
    runs = of(0.3, 0.2, 8)
    both = RunDifferences(*(np.repeat(value, 2, axis=0) for value in runs))
    found = correlated_t_law(both, 0.1, np.array([[0.1], [0.5]]), "two-sided")
    for row, rope in enumerate((0.1, 0.5)):
        assert found.better[row, 0] == law(0.3, 0.2, 8, 0.1, rope).better
