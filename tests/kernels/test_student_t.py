import mpmath
import numpy as np
import pytest

from beam_pandas.kernels.student_t import t_p_values, t_quantile, t_tail

DEGREES = [1, 2, 3, 5, 9, 29, 32, 33, 99, 999]


def exact_tail(t, df):
    t, df = mpmath.mpf(t), mpmath.mpf(df)
    share = df / (df + t * t)
    half = mpmath.mpf(1) / 2
    if share < half:
        tail = mpmath.betainc(df / 2, half, 0, share, regularized=True) / 2
    else:
        tail = half - mpmath.betainc(half, df / 2, 0, 1 - share, regularized=True) / 2
    return tail if t >= 0 else 1 - tail


@pytest.mark.parametrize("df", DEGREES)
def test_tails_to_the_last_digits(df):
    values = [1e-9, 1e-4, 0.1, 0.5, 0.99, 1.0, 1.01, 1.7, 3.0, 5.0, 7.0, 10.0, 30.0]
    values = np.array([*values, *(-v for v in values)])
    found = t_tail(values, np.array(float(df)))
    with mpmath.workdps(300):
        expected = [float(exact_tail(t, df)) for t in values]
    np.testing.assert_allclose(found, expected, rtol=5e-14, atol=1e-300)


@pytest.mark.parametrize("df", DEGREES)
@pytest.mark.parametrize("tail", [0.2, 0.05, 0.025, 0.005, 0.4, 0.8])
def test_quantiles_turn_tails_back(df, tail):
    found = t_quantile(tail, np.array([float(df), np.nan]))
    assert np.isnan(found[1])
    with mpmath.workdps(40):
        assert float(exact_tail(found[0], df)) == pytest.approx(tail, rel=1e-14)


def test_quantiles_of_a_table():
    # Student's t, two-sided .05: any table
    found = t_quantile(0.025, np.array([[1.0, 2.0], [10.0, 120.0]]))
    expected = [
        [12.706204736174698, 4.302652729749464],
        [2.2281388519862735, 1.9799304050824413],
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_ends_and_what_is_missing():
    values = np.array([np.inf, -np.inf, 0.0, np.nan, 1e200, -1e200])
    np.testing.assert_array_equal(t_tail(values, np.array(2.0)), [0, 1, 0.5, np.nan, 0, 1])
    assert np.isnan(t_tail(np.array([1.0]), np.array([np.nan]))).all()


def test_p_values_of_each_alternative():
    statistic, df = np.array([1.2, -1.2, 0.0, np.inf, -np.inf]), np.array(7.0)
    tail = t_tail(np.array(1.2), df)
    both = t_p_values(statistic, df, "two-sided")
    np.testing.assert_array_equal(both, [2 * tail, 2 * tail, 1, 0, 0])
    greater = t_p_values(statistic, df, "greater")
    np.testing.assert_array_equal(greater, [tail, 1 - tail, 0.5, 0, 1])
    np.testing.assert_array_equal(t_p_values(-statistic, df, "less"), greater)
