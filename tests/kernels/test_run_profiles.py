import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from beam_pandas.kernels.run_profiles import (
    ratios_to_best,
    share_reaching,
    spread_thresholds,
)

TENTHS = st.integers(-5, 10).map(lambda tenths: tenths / 10)
LAYOUTS = st.tuples(st.integers(1, 4), st.integers(1, 3), st.integers(1, 4)).flatmap(
    lambda shape: npst.arrays(float, shape, elements=st.one_of(TENTHS, st.just(np.nan)))
)


@given(LAYOUTS, st.lists(TENTHS, max_size=6), st.integers(0, 2))
def test_equals_the_twin(benefit, thresholds, n_failed):
    n_runs = np.count_nonzero(~np.isnan(benefit), axis=2) + n_failed
    found = share_reaching(benefit, n_runs, np.array(thresholds))
    n_datasets, n_methods, _ = benefit.shape
    assert found.shape == (n_methods, len(thresholds))
    for m in range(n_methods):
        for at, tau in enumerate(thresholds):
            shares = [
                sum(score >= tau for score in benefit[d, m]) / max(1, n_runs[d, m])
                for d in range(n_datasets)
            ]
            assert found[m, at] == pytest.approx(sum(shares) / n_datasets, rel=1e-15)


def test_a_score_equal_to_the_threshold_reaches_it():
    benefit = np.array([[[0.3, 0.1 + 0.2, -0.3, 0.0]]])
    found = share_reaching(
        benefit, np.array([[4]]), np.array([-0.3, 0.0, 0.3, 0.1 + 0.2, 0.3 + 1e-12])
    )
    assert found[0].tolist() == [1, 0.75, 0.5, 0.5, 0]
    close = share_reaching(-benefit, np.array([[4]]), np.array([-(0.1 + 0.2), -0.3]))
    assert close[0].tolist() == [1, 1]


def test_what_is_missing_reaches_nothing_and_each_dataset_weighs_the_same():
    benefit = np.array([[[1.0, np.nan]], [[0.0, 1.0]], [[np.nan, np.nan]]])
    found = share_reaching(benefit, np.array([[2], [2], [0]]), np.array([-9.0, 1.0]))
    np.testing.assert_allclose(found, [[1.5 / 3, 1 / 3]], rtol=1e-15)


def test_profiles_of_costs():
    # solver times of three problems; the second solver fails on the last
    cost = np.array([[[1.0], [2.0]], [[6.0], [2.0]], [[0.6], [np.nan]]])
    ratio = ratios_to_best(cost)
    np.testing.assert_allclose(ratio[:, :, 0], [[1, 2], [3, 1], [1, np.nan]])
    n_runs = np.ones((3, 2), dtype=int)
    found = share_reaching(-ratio, n_runs, -np.array([1.0, 2.0, 3.0, 1e9]))
    np.testing.assert_allclose(found, [[2 / 3, 2 / 3, 1, 1], [1 / 3, 2 / 3, 2 / 3, 2 / 3]])


def test_a_factor_equal_in_decimals_is_within():
    for best, cost, factor in (
        (0.1, 0.3, 3),
        (0.2, 0.6, 3),
        (0.1, 0.7, 7),
        (0.7, 0.77, 1.1),
    ):
        ratio = ratios_to_best(np.array([[[best], [cost]]]))
        found = share_reaching(-ratio, np.ones((1, 2), dtype=int), np.array([-factor]))
        assert found[1, 0] == 1.0


def test_a_dataset_without_a_cost():
    ratio = ratios_to_best(np.array([[[np.nan], [np.nan]], [[2.0], [3.0]]]))
    np.testing.assert_array_equal(ratio[..., 0], [[np.nan, np.nan], [1, 1.5]])


def test_no_dataset_and_no_threshold():
    assert np.isnan(
        share_reaching(np.ones((0, 2, 3)), np.ones((0, 2), int), np.ones(1))
    ).all()
    assert share_reaching(np.ones((1, 2, 3)), np.ones((1, 2), int), np.ones(0)).shape == (
        2,
        0,
    )


@pytest.mark.parametrize(("n", "expected"), [(0, 0), (1, 1), (201, 201), (202, 201)])
def test_thresholds_are_the_values_up_to_so_many(n, expected):
    values = np.random.default_rng(0).permutation(np.append(np.arange(n) ** 2 / 7, np.nan))
    found = spread_thresholds(np.concatenate([values, values]).reshape(2, -1))
    assert len(found) == expected
    if 0 < n <= 201:
        np.testing.assert_array_equal(found, np.arange(n) ** 2 / 7)
    if n > 201:
        np.testing.assert_allclose(np.diff(found), (n - 1) ** 2 / 7 / 200)


def test_values_equal_in_decimals_are_one_threshold():
    found = spread_thresholds(np.array([0.3, 0.1 + 0.2, 0.5, 0.3]))
    assert found.tolist() == [0.1 + 0.2, 0.5]
