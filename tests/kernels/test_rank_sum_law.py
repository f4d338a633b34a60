import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beam_pandas.kernels import rank_sum_law
from beam_pandas.kernels.rank_sum_law import rank_difference_p_values
from beam_pandas.kernels.row_ranks import rank_rows
from beam_pandas.kernels.tails import TableTooLargeError, upper_tails
from tests.strategies import matrices


def untied(n_methods, n_datasets):
    return np.tile(np.arange(1.0, n_methods + 1), (n_datasets, 1))


# R: PMCMRplus:::pexactfrsd (Eisinga et al. 2017), which uses Rmpfr
@pytest.mark.parametrize(
    ("k", "n", "difference", "p_value"),
    [
        (3, 4, 5, 0.112654320987654),
        (3, 6, 8, 0.0261917009602195),
        (4, 2, 6, 0.0138888888888889),
        (4, 8, 10, 0.0646398259706385),
        (5, 5, 13, 0.009164375),
        (5, 15, 20, 0.0232981837322707),
        (5, 30, 40, 0.00109192535335756),
        (10, 10, 59, 3.51563314029923e-06),
    ],
)
def test_published_values(k, n, difference, p_value):
    found = rank_difference_p_values(untied(k, n), np.array([2, -2]) * difference)
    np.testing.assert_allclose(found, p_value, rtol=2e-14)


def exact_law(ranks):
    """The law of the doubled difference as fractions, from all ordered pairs."""
    law = {0: Fraction(1)}
    for row in np.rint(2 * ranks).astype(int).tolist():
        pairs = list(itertools.permutations(row, 2))
        after = {}
        for total, probability in law.items():
            for first, second in pairs:
                place = total + first - second
                after[place] = after.get(place, 0) + probability / len(pairs)
        law = after
    return law


def assert_equals_fractions(ranks):
    law = exact_law(ranks)
    most = 2 * ranks.shape[0] * ranks.shape[1]
    asked = np.arange(-most, most + 1)
    found = {
        alternative: rank_difference_p_values(ranks, asked, alternative)
        for alternative in ("two-sided", "greater", "less")
    }
    for at, d in enumerate(asked.tolist()):
        expected = {
            "two-sided": sum(p for x, p in law.items() if abs(x) >= abs(d)),
            "greater": sum(p for x, p in law.items() if x >= d),
            "less": sum(p for x, p in law.items() if x <= d),
        }
        for alternative, p_value in expected.items():
            assert found[alternative][at] == pytest.approx(float(p_value), rel=1e-13, abs=0)


@given(matrices())
@settings(deadline=None)
def test_equals_all_ordered_pairs_of_ranks_with_ties(matrix):
    assert_equals_fractions(rank_rows(matrix))


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6, 7, 8, 9, 11, 13])
def test_equals_all_ordered_pairs_of_ranks_without_ties(k):
    assert_equals_fractions(untied(k, 4))


def test_the_far_tail_keeps_its_digits():
    # all datasets agree: (1 / (k (k - 1)))^n to either side
    for k, n in ((5, 40), (12, 30), (40, 50)):
        found = rank_difference_p_values(untied(k, n), np.array([2 * n * (k - 1)]))
        assert found[0] == pytest.approx(2.0 / (k * (k - 1.0)) ** n, rel=1e-13)


def test_a_long_law_equals_integers():
    k, n = 30, 60
    step = np.array([k - abs(d) if d else 0 for d in range(-k + 1, k)], dtype=object)
    law = np.array([1], dtype=object)
    for _ in range(n):
        law = np.convolve(law, step)
    middle = law.size // 2
    differences = np.arange(1, middle + 1, 37)
    expected = [
        float(Fraction(2 * sum(law[middle + d :].tolist()), (k * (k - 1)) ** n))
        for d in differences
    ]
    ranks = untied(k, n)
    found = rank_difference_p_values(ranks, 2 * differences)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=0)


def test_all_rows_tied_and_no_difference_are_no_evidence():
    found = rank_difference_p_values(np.full((4, 3), 2.0), np.array([0]))
    assert found.tolist() == [1.0]
    assert rank_difference_p_values(untied(4, 3), np.array([0])).tolist() == [1.0]


def test_order_of_rows_and_columns_never_matters():
    rng = np.random.default_rng(3)
    ranks = rank_rows(rng.integers(0, 3, (9, 5)).astype(float))
    shuffled = ranks[rng.permutation(9)][:, rng.permutation(5)]
    asked = np.arange(0, 40)
    np.testing.assert_array_equal(
        rank_difference_p_values(ranks, asked), rank_difference_p_values(shuffled, asked)
    )


def test_a_law_is_made_once_for_a_pattern_of_ties():
    rank_sum_law._tails.cache_clear()
    ranks = rank_rows(np.random.default_rng(1).integers(0, 4, (6, 4)).astype(float))
    for rows in (ranks, ranks[::-1], ranks[:, ::-1]):
        rank_difference_p_values(rows, np.array([3]))
    assert rank_sum_law._tails.cache_info().misses == 1


def test_too_large_a_table_says_how_far_the_law_goes():
    with pytest.raises(TableTooLargeError) as caught:
        rank_difference_p_values(untied(1000, 2000), np.array([2]))
    most = caught.value.most_datasets
    assert 100 < most < 2000
    rank_sum_law._refuse_too_large(
        [rank_sum_law._row_law(tuple(range(2, 2002, 2)), most)], 2, 1000
    )
    with pytest.raises(TableTooLargeError):
        rank_sum_law._refuse_too_large(
            [rank_sum_law._row_law(tuple(range(2, 2002, 2)), most + 2)], 2, 1000
        )


@given(st.lists(st.floats(0, 1), max_size=600))
def test_tails_equal_exact_sums(values):
    found = upper_tails(np.array(values))
    expected = [math.fsum(values[at:]) for at in range(len(values))]
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=0)
