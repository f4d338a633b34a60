import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beam_pandas.kernels import friedman_law, friedman_limits
from beam_pandas.kernels.binomial_sign import sign_p_values
from beam_pandas.kernels.friedman_law import friedman_permutation_p_value
from beam_pandas.kernels.friedman_statistics import friedman_statistics
from beam_pandas.kernels.rank_sum_law import patterns_of
from beam_pandas.kernels.row_ranks import rank_rows
from beam_pandas.kernels.tails import TableTooLargeError
from tests.strategies import matrices


def untied(n_methods, n_datasets):
    return np.tile(np.arange(1.0, n_methods + 1), (n_datasets, 1))


def law_of(ranks):
    return friedman_law._law(patterns_of(ranks))


# Hollander, Wolfe, Chicken (2014), table A.22: the least statistic with a tail of .05
# or less, and its tail
@pytest.mark.parametrize(
    ("k", "n", "statistic", "tail"),
    [(3, 3, 6.0, 0.028), (3, 4, 6.5, 0.042), (3, 5, 6.4, 0.039), (3, 6, 7.0, 0.029),
     (3, 7, 7.143, 0.027), (3, 8, 6.25, 0.047), (3, 9, 6.222, 0.048), (3, 10, 6.2, 0.046),
     (3, 15, 6.4, 0.047), (4, 2, 6.0, 0.042), (4, 3, 7.4, 0.033), (4, 4, 7.8, 0.036),
     (4, 5, 7.8, 0.044), (4, 6, 7.6, 0.043), (4, 8, 7.65, 0.049), (5, 4, 8.8, 0.049),
     (5, 5, 8.96, 0.049)],
)  # fmt: skip
def test_critical_values(k, n, statistic, tail):
    law = law_of(untied(k, n))
    at = np.flatnonzero(law.tails <= 0.05)[0]
    centred = law.squares[at] - n**2 * k * (k - 1) ** 2  # doubled ranks above the least
    assert 3 * centred / (n * k * (k + 1)) == pytest.approx(statistic, abs=5e-4)
    assert law.tails[at] == pytest.approx(tail, abs=5e-4)


# Demsar (2006), JMLR 7, 1-30, table 6: C4.5, C4.5+m, C4.5+cf, C4.5+m+cf
DEMSAR = np.array([
    [.763, .768, .771, .798], [.599, .591, .590, .569], [.954, .971, .968, .967],
    [.628, .661, .654, .657], [.882, .888, .886, .898], [.936, .931, .916, .931],
    [.661, .668, .609, .685], [.583, .583, .563, .625], [.775, .838, .866, .875],
    [1., 1., 1., 1.], [.940, .962, .965, .962], [.619, .666, .614, .669],
    [.972, .981, .975, .975], [.957, .978, .946, .970]])  # fmt: skip


def test_demsars_table():
    ranks = rank_rows(DEMSAR)
    assert friedman_statistics(ranks).statistic == pytest.approx(10.9524, abs=5e-5)
    assert friedman_permutation_p_value(ranks) == pytest.approx(0.009124952, abs=5e-10)
    assert friedman_permutation_p_value(ranks[:, :3]) > 0.0


def test_demsars_printed_ranks():
    ranks = rank_rows(DEMSAR)
    ranks[12] = [4.0, 1.0, 2.0, 3.0]  # as printed: not tied
    statistic = friedman_statistics(ranks, tie_correction=False).statistic
    assert statistic == pytest.approx(9.28, abs=0.005)
    assert friedman_statistics(ranks).statistic == pytest.approx(10.2283, abs=5e-5)
    assert friedman_permutation_p_value(ranks) == pytest.approx(0.013592870, abs=5e-10)


@pytest.mark.parametrize(
    ("k", "n"), [(3, 5), (3, 100), (4, 6), (4, 25), (5, 8), (6, 5), (7, 3), (8, 2)]
)
def test_perfect_agreement_has_the_least_probability(k, n):
    expected = float(Fraction(1, math.factorial(k) ** (n - 1)))
    assert friedman_permutation_p_value(untied(k, n)) == pytest.approx(expected, rel=1e-12)


def by_permutations(ranks):
    """Tails by the sum of squares of the doubled rank sums, over all permutations."""
    sums = Counter({(0,) * ranks.shape[1]: 1})
    total = 1
    for row in np.rint(2 * ranks).astype(int).tolist():
        after = Counter()
        for orders in itertools.permutations(row):
            for before, count in sums.items():
                after[tuple(a + b for a, b in zip(before, orders, strict=True))] += count
        sums, total = after, total * math.factorial(len(row))
    squares = Counter()
    for state, count in sums.items():
        squares[sum(value * value for value in state)] += count
    observed = int(np.sum(np.rint(2 * ranks).astype(int).sum(axis=0) ** 2))
    return Fraction(sum(c for value, c in squares.items() if value >= observed), total)


@st.composite
def small_tables(draw):
    k, most = draw(st.sampled_from([(2, 6), (3, 6), (4, 5), (5, 3)]))
    n = draw(st.integers(1, most))
    row = st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.5]), min_size=k, max_size=k)
    return np.array(draw(st.lists(row, min_size=n, max_size=n)))


@given(small_tables())
def test_equals_all_permutations(matrix):
    ranks = rank_rows(matrix)
    found = friedman_permutation_p_value(ranks)
    assert found == pytest.approx(float(by_permutations(ranks)), rel=1e-13, abs=0)


def dictionary_law(ranks):
    """Counts of sorted rank sums, a dataset at a time, in integers."""
    sums, total = {(0,) * ranks.shape[1]: 1}, 1
    for row in np.rint(2 * ranks).astype(int).tolist():
        orders = Counter(itertools.permutations(row))
        after = Counter()
        for before, count in sums.items():
            for order, times in orders.items():
                state = tuple(sorted(map(int.__add__, before, order)))
                after[state] += count * times
        sums, total = after, total * math.factorial(len(row))
    return sums, total


@pytest.mark.parametrize(
    ("k", "n", "decimals"),
    [(3, 20, 9), (3, 20, 1), (4, 9, 9), (4, 8, 1), (5, 5, 1), (6, 3, 1)],
)
def test_the_whole_law_equals_integers(k, n, decimals):
    ranks = rank_rows(np.round(np.random.default_rng(n + k).random((n, k)), decimals))
    sums, total = dictionary_law(ranks)
    lows = int(
        np.rint(2 * ranks).min(axis=1).sum()
    )  # the kernel counts from the least rank
    counts = Counter()
    for state, count in sums.items():
        counts[sum((value - lows) ** 2 for value in state)] += count
    law = law_of(ranks)
    assert law.squares.tolist() == sorted(counts)
    running, expected = 0, []
    for square in sorted(counts, reverse=True):
        running += counts[square]
        expected.append(float(Fraction(running, total)))
    np.testing.assert_allclose(law.tails[::-1], expected, rtol=1e-12, atol=0)


@given(matrices(max_side=4))
@settings(deadline=None)
def test_order_of_rows_and_columns_never_matters(matrix):
    ranks = rank_rows(matrix)
    expected = friedman_permutation_p_value(ranks)
    assert friedman_permutation_p_value(ranks[::-1]) == expected
    assert friedman_permutation_p_value(ranks[:, ::-1]) == expected


def test_equal_ranks_everywhere_and_a_single_dataset_are_no_evidence():
    for k in (2, 3, 4):
        assert friedman_permutation_p_value(np.full((5, k), (k + 1) / 2)) == 1.0
        assert friedman_permutation_p_value(untied(k, 1)) == pytest.approx(1.0, rel=1e-15)


def test_rows_that_are_fully_tied_change_nothing():
    ranks = rank_rows(np.random.default_rng(5).integers(0, 4, (6, 4)).astype(float))
    more = np.vstack([ranks, np.full((7, 4), 2.5)])
    assert friedman_permutation_p_value(more) == friedman_permutation_p_value(ranks)


def test_two_methods_are_the_sign_test():
    ranks = np.array([[1.0, 2.0]] * 9 + [[2.0, 1.0]] * 2 + [[1.5, 1.5]] * 3)
    expected = sign_p_values(np.array([9]), np.array([2]))[0]
    assert friedman_permutation_p_value(ranks) == expected
    assert expected == pytest.approx(float(by_permutations(ranks[:11])), rel=1e-14)


def test_a_law_is_made_once_for_a_pattern_of_ties():
    friedman_law._law.cache_clear()
    for seed in range(3):
        rng = np.random.default_rng(seed)
        friedman_permutation_p_value(rank_rows(rng.random((6, 4))))
    assert friedman_law._law.cache_info().misses == 1


@pytest.mark.parametrize("k", [3, 4, 5, 6, 7, 9])
@pytest.mark.parametrize("tied", [False, True])
def test_too_large_a_table_says_how_far_the_law_goes(k, tied):
    row = np.arange(1.0, k + 1)
    if tied:
        row[:2] = 1.5
    with pytest.raises(TableTooLargeError) as caught:
        friedman_permutation_p_value(np.tile(row, (3000, 1)))
    most = caught.value.most_datasets
    assert most >= 2 if k > 3 else most == 500
    steps = np.rint(2 * (row - row[0])).astype(int)
    steps, groups = (steps, 1) if tied else (steps // 2, 0)
    refused = [[], []]
    refused[groups] = [(steps, most)]
    friedman_limits.refuse_too_large(k, *refused)  # as far as it goes
    refused[groups] = [(steps, most + 1)]
    with pytest.raises(TableTooLargeError):
        friedman_limits.refuse_too_large(k, *refused)


@pytest.mark.parametrize(("k", "n"), [(2, 9), (3, 6), (4, 5), (5, 3)])
def test_the_number_of_states_is_bounded(k, n):
    for rows in range(1, n + 1):
        states, _ = dictionary_law(untied(k, rows))
        assert len(states) <= friedman_limits.most_states(k, rows)
