import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from beam_pandas.kernels.clustered_means import clustered_means, mean_tests

FIRST, SECOND = np.array([0]), np.array([1])
OPTIONS = {"alternative": "two-sided", "level": 0.95, "alpha": 0.05, "power": 0.8}
# d = 1 2 3 4 0 -1
DIFFERENCES = np.column_stack([[1.0, 2.0, 3.0, 4.0, 0.0, -1.0], np.zeros(6)])
CLUSTERS = np.array([0, 0, 1, 1, 2, 2])


@st.composite
def tables(draw):
    n, k = draw(st.integers(0, 9)), draw(st.integers(2, 4))
    cents = st.integers(-50, 100).map(lambda cents: cents / 100)
    table = draw(npst.arrays(float, (n, k), elements=st.one_of(cents, st.just(np.nan))))
    codes = st.one_of(st.none(), npst.arrays(np.int64, n, elements=st.integers(-2, 3)))
    return table, draw(codes)


def naive(one, other, cluster):
    """Exact decimals, item by item: n, G, mean and squared standard error."""
    sums, sizes, differences = {}, {}, []
    for item, (x, y) in enumerate(zip(one, other, strict=True)):
        if math.isnan(x) or math.isnan(y):
            continue
        d = Fraction(str(x)) - Fraction(str(y))
        code = item if cluster is None else int(cluster[item])
        differences.append(d)
        sums[code] = sums.get(code, 0) + d
        sizes[code] = sizes.get(code, 0) + 1
    n, g = len(differences), len(sums)
    mean = sum(differences) / Fraction(n) if n else math.nan
    if g < 2:
        return n, g, float(mean), math.nan
    square = sum((sums[c] - sizes[c] * mean) ** 2 for c in sums) / Fraction(n * n)
    return n, g, float(mean), math.sqrt(Fraction(g, g - 1) * square)


def one_test(differences, cluster=None, **options):
    table = np.column_stack([differences, np.zeros(len(differences))])
    means = clustered_means(table, FIRST, SECOND, cluster)
    return means, mean_tests(means, **{**OPTIONS, **options})


def test_clusters_of_two():
    # statsmodels 0.15: OLS(d, ones).fit(cov_type="cluster", groups=..., use_t=True)
    means = clustered_means(DIFFERENCES, FIRST, SECOND, CLUSTERS)
    tests = mean_tests(means, **OPTIONS)
    assert (means.n_items[0], means.n_clusters[0], means.mean[0]) == (6, 3, 1.5)
    assert means.standard_error[0] == pytest.approx(1.1547005383792515, rel=1e-15)
    assert tests.df[0] == 2
    assert tests.statistic[0] == pytest.approx(1.29903811, abs=1e-8)
    assert tests.p_value[0] == pytest.approx(0.323518574797454, rel=1e-14)
    assert tests.low[0] == pytest.approx(-3.46827542, abs=1e-8)
    assert tests.high[0] == pytest.approx(6.46827542, abs=1e-8)
    assert tests.smallest_detectable[0] == pytest.approx(6.193020294892249, rel=1e-14)


def test_items_on_their_own_are_the_paired_t_test():
    # scipy.stats.ttest_1samp
    means = clustered_means(DIFFERENCES, FIRST, SECOND, None)
    tests = mean_tests(means, **OPTIONS)
    assert means.n_clusters[0] == 6
    assert means.standard_error[0] == pytest.approx(0.763762615825973, rel=1e-14)
    assert tests.statistic[0] == pytest.approx(1.96396101, abs=1e-8)
    assert tests.p_value[0] == pytest.approx(0.106745522355092, rel=1e-14)
    assert tests.smallest_detectable[0] == pytest.approx(2.665627469943562, rel=1e-14)


@given(tables())
def test_equals_the_twin_in_exact_decimals(drawn):
    table, cluster = drawn
    first, second = np.triu_indices(table.shape[1], k=1)
    found = clustered_means(table, first, second, cluster)
    for pair, (i, j) in enumerate(zip(first, second, strict=True)):
        n, g, mean, error = naive(table[:, i], table[:, j], cluster)
        assert (found.n_items[pair], found.n_clusters[pair]) == (n, g)
        np.testing.assert_allclose(found.mean[pair], mean, rtol=2e-13, atol=0)
        np.testing.assert_allclose(found.standard_error[pair], error, rtol=2e-13, atol=0)


@given(tables())
def test_a_pair_turned_around_has_the_opposite_mean(drawn):
    table, cluster = drawn
    first, second = np.triu_indices(table.shape[1], k=1)
    found = clustered_means(table, first, second, cluster)
    turned = clustered_means(table, second, first, cluster)
    np.testing.assert_array_equal(found.mean, -turned.mean)
    np.testing.assert_array_equal(found.standard_error, turned.standard_error)


@pytest.mark.parametrize("cluster", [None, np.array([5, 5, 1, 1])])
def test_differences_equal_in_decimals_have_no_spread(cluster):
    low = np.array([0.888, 0.788, 0.1, 0.2])
    table = np.column_stack([np.round(low + 0.01, 3), low])
    assert len(set(table[:, 0] - table[:, 1])) > 1  # the float differences are not equal
    means = clustered_means(table, FIRST, SECOND, cluster)
    assert means.standard_error[0] == 0.0
    assert means.mean[0] == pytest.approx(0.01, rel=1e-13)
    for alternative, p_value in (("two-sided", 0), ("greater", 0), ("less", 1)):
        tests = mean_tests(means, **{**OPTIONS, "alternative": alternative})
        assert tests.statistic[0] == np.inf
        assert tests.p_value[0] == p_value
        low = -np.inf if alternative == "less" else means.mean[0]
        high = np.inf if alternative == "greater" else means.mean[0]
        assert (tests.low[0], tests.high[0]) == (low, high)
        assert tests.smallest_detectable[0] == 0


def test_differences_that_cancel_in_decimals_have_mean_0():
    table = np.array([[0.3, 0.2], [0.7, 0.9], [0.8, 0.7]])
    means = clustered_means(table, FIRST, SECOND, None)
    assert means.mean[0] == 0.0
    assert means.standard_error[0] == pytest.approx(0.1, rel=1e-14)
    tests = mean_tests(means, **OPTIONS)
    assert (tests.statistic[0], tests.p_value[0]) == (0, 1)


def test_clusters_within_which_all_cancels():
    means, tests = one_test([0.1, -0.1, 0.3, -0.3], np.array([0, 0, 1, 1]))
    assert (means.mean[0], means.standard_error[0]) == (0, 0)
    assert (tests.statistic[0], tests.p_value[0]) == (0, 1)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_no_difference_at_all_is_evidence_of_nothing(alternative):
    _, tests = one_test([0.0, 0.0, 0.0], alternative=alternative)
    assert (tests.statistic[0], tests.p_value[0]) == (0, 1)
    ends = {"two-sided": (0, 0), "greater": (0, np.inf), "less": (-np.inf, 0)}
    assert (tests.low[0], tests.high[0]) == ends[alternative]


def test_one_sided_tests_and_the_difference_they_detect():
    _, both = one_test([1.0, 2.0, 3.0, 0.5])
    _, greater = one_test([1.0, 2.0, 3.0, 0.5], alternative="greater")
    _, less = one_test([1.0, 2.0, 3.0, 0.5], alternative="less")
    assert greater.p_value[0] == both.p_value[0] / 2
    assert less.p_value[0] == 1 - greater.p_value[0]
    _, wider = one_test([1.0, 2.0, 3.0, 0.5], alpha=0.1)
    assert greater.smallest_detectable[0] == wider.smallest_detectable[0]
    _, wide = one_test([1.0, 2.0, 3.0, 0.5], level=0.9)
    assert greater.low[0] == pytest.approx(wide.low[0], rel=1e-13)
    assert less.high[0] == pytest.approx(wide.high[0], rel=1e-13)
    assert (greater.high[0], less.low[0]) == (np.inf, -np.inf)


@pytest.mark.parametrize("cluster", [np.zeros(3, dtype=int), np.array([7, 7, 8])])
def test_a_single_cluster_says_nothing_of_the_spread(cluster):
    table = np.array([[1.0, 0.0], [2.0, 1.5], [np.nan, 1.0]])
    means = clustered_means(table, FIRST, SECOND, cluster)
    tests = mean_tests(means, **OPTIONS)
    assert (means.n_items[0], means.n_clusters[0], means.mean[0]) == (2, 1, 0.75)
    assert np.isnan([means.standard_error[0], *(column[0] for column in tests)]).all()


@pytest.mark.parametrize("table", [np.zeros((0, 2)), np.array([[np.nan, 1.0]] * 3)])
@pytest.mark.parametrize("clustered", [False, True])
def test_no_shared_item(table, clustered):
    cluster = np.arange(len(table)) if clustered else None
    means = clustered_means(table, FIRST, SECOND, cluster)
    tests = mean_tests(means, **OPTIONS)
    assert means.n_items[0] == means.n_clusters[0] == 0
    assert np.isnan([*means[2:], *tests]).all()


def test_small_spread_around_a_large_difference_keeps_its_digits():
    noise = np.array([1.0, 2.0, 3.0, 4.0, 0.0, -1.0]) / 2**20
    means, _ = one_test(noise + 1000.0, CLUSTERS)
    assert means.standard_error[0] == pytest.approx(1.1547005383792515 / 2**20, rel=1e-12)


def test_items_and_pairs_of_more_than_one_block():
    rng = np.random.default_rng(3)
    table = rng.integers(0, 2, (70_000, 5)).astype(float)
    table[rng.random(table.shape) < 0.01] = np.nan
    cluster = rng.integers(0, 900, len(table))
    first, second = np.triu_indices(5, k=1)
    found = clustered_means(table, first, second, cluster)
    for pair in (0, 9):
        d = table[:, first[pair]] - table[:, second[pair]]
        kept = ~np.isnan(d)
        sums = np.bincount(cluster[kept], (d - d[kept].mean())[kept], 900)
        expected = math.sqrt(900 / 899 * (sums**2).sum()) / kept.sum()
        assert found.standard_error[pair] == pytest.approx(expected, rel=1e-10)
        assert found.mean[pair] == pytest.approx(d[kept].mean(), rel=1e-10)
    shuffled = rng.permutation(len(table))
    again = clustered_means(table[shuffled], first, second, 10 - cluster[shuffled])
    np.testing.assert_allclose(again.standard_error, found.standard_error, rtol=1e-12)
