import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beam_pandas.kernels.adjustment import adjust_p_values
from beam_pandas.kernels.logical_adjustment import (
    MOST_METHODS,
    bergmann_hommel,
    largest_true_numbers,
    shaffer,
)

# Garcia and Herrera (2008), JMLR 9, 2677-2694: mean ranks of five methods on 30
# datasets; adjusted p-values by scmamp, with its running maximum
METHODS = ["C4.5", "CN2", "Kernel", "NaiveBayes", "kNN"]
RANK_SUMS = np.array([63.0, 93.5, 130.0, 66.0, 97.5])
PAPER = {
    ("C4.5", "Kernel"): (4.48699e-08, 4.487e-07, 4.487e-07),
    ("Kernel", "NaiveBayes"): (1.73612e-07, 1.0417e-06, 1.0417e-06),
    ("CN2", "Kernel"): (0.00288048, 0.017283, 0.011522),
    ("C4.5", "kNN"): (0.00484876, 0.029093, 0.029093),
    ("Kernel", "kNN"): (0.00796349, 0.047781, 0.031854),
    ("NaiveBayes", "kNN"): (0.0101123, 0.047781, 0.031854),
    ("C4.5", "CN2"): (0.0127630, 0.051052, 0.038289),
    ("CN2", "NaiveBayes"): (0.0247447, 0.074234, 0.038289),
    ("CN2", "kNN"): (0.743971, 1.0, 1.0),
    ("C4.5", "NaiveBayes"): (0.806496, 1.0, 1.0),
}


def test_values_of_the_paper():
    first, second = np.triu_indices(5, 1)
    z = (RANK_SUMS[second] - RANK_SUMS[first]) / 30 / math.sqrt(5 * 6 / (6 * 30))
    p_values = np.array([math.erfc(abs(value) / math.sqrt(2)) for value in z])
    expected = np.array(
        [PAPER[METHODS[i], METHODS[j]] for i, j in zip(first, second, strict=True)]
    )
    np.testing.assert_allclose(p_values, expected[:, 0], rtol=5e-6)
    np.testing.assert_allclose(shaffer(p_values, 5), expected[:, 1], rtol=5e-5)
    np.testing.assert_allclose(bergmann_hommel(p_values, 5), expected[:, 2], rtol=5e-5)


@pytest.mark.parametrize(
    ("n_methods", "expected"),
    [
        (1, []),
        (2, [1]),
        (3, [3, 1, 1]),
        (4, [6, 3, 3, 3, 2, 1]),
        (5, [10, 6, 6, 6, 6, 4, 4, 3, 2, 1]),
        (6, [15, 10, 10, 10, 10, 10, 7, 7, 7, 6, 4, 4, 3, 2, 1]),
    ],
)
def test_numbers_of_pairs_that_can_be_equal_at_once(n_methods, expected):
    assert largest_true_numbers(n_methods).tolist() == expected


def possible_numbers(n_methods):
    """S(k) as bits of an integer, by its recursion."""
    sets = [1, 1]
    for k in range(2, n_methods + 1):
        bits = 0
        for j in range(1, k + 1):
            bits |= sets[k - j] << (j * (j - 1) // 2)
        sets.append(bits)
    return sets


def test_numbers_of_pairs_equal_the_recursion():
    sets = possible_numbers(120)
    for k in range(2, 121):
        m = k * (k - 1) // 2
        expected, last = [], 0
        for x in range(1, m + 1):
            last = x if sets[k] >> x & 1 else last
            expected.append(last)
        assert largest_true_numbers(k).tolist() == expected[::-1]


def partitions(members):
    """All partitions of a list into blocks."""
    if not members:
        yield []
        return
    head, *tail = members
    for partition in partitions(tail):
        yield [[head], *partition]
        for at, block in enumerate(partition):
            yield [*partition[:at], [head, *block], *partition[at + 1 :]]


def by_enumeration(p_values, n_methods):
    """Garcia and Herrera (2008), definition 1, then the largest of smaller p-values."""
    number = {
        pair: at for at, pair in enumerate(zip(*np.triu_indices(n_methods, 1), strict=True))
    }
    raw = np.zeros(len(p_values))
    for partition in partitions(list(range(n_methods))):
        held = [number[i, j] for block in partition for i in block for j in block if i < j]
        if held:
            raw[held] = np.maximum(raw[held], len(held) * min(p_values[held]))
    monotone = [max(raw[p_values <= p]) for p in p_values]
    return np.minimum(monotone, 1.0)


VALUES = st.floats(0, 1) | st.sampled_from([0.0, 0.001, 0.01, 0.02, 0.04, 0.05, 0.5, 1.0])


@st.composite
def families(draw, most=6):
    k = draw(st.integers(2, most))
    m = k * (k - 1) // 2
    return k, np.array(draw(st.lists(VALUES, min_size=m, max_size=m)))


@given(families())
@settings(deadline=None)
def test_bergmann_hommel_equals_enumeration(family):
    k, p_values = family
    np.testing.assert_array_equal(bergmann_hommel(p_values, k), by_enumeration(p_values, k))


@pytest.mark.parametrize("k", [7, 8])
def test_bergmann_hommel_of_more_methods_equals_enumeration(k):
    p_values = np.random.default_rng(k).random(k * (k - 1) // 2) ** 4
    np.testing.assert_array_equal(bergmann_hommel(p_values, k), by_enumeration(p_values, k))


@given(families())
def test_shaffer_equals_its_definition(family):
    k, p_values = family
    bits = possible_numbers(k)[k]
    order = np.argsort(p_values, kind="stable")
    m, largest = len(p_values), 0.0
    found = shaffer(p_values, k)
    for j, at in enumerate(order, start=1):
        t = max(x for x in range(m - j + 2) if bits >> x & 1)
        largest = max(largest, t * p_values[at])
        assert found[at] == min(largest, 1.0)


@given(families(most=8), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_order_of_the_methods_never_matters(family, random):
    k, p_values = family
    first, second = np.triu_indices(k, 1)
    square = np.zeros((k, k))
    square[first, second] = square[second, first] = p_values
    turned = list(range(k))
    random.shuffle(turned)
    for adjust in (shaffer, bergmann_hommel):
        adjusted = np.zeros((k, k))
        adjusted[first, second] = adjusted[second, first] = adjust(p_values, k)
        again = adjust(square[np.ix_(turned, turned)][first, second], k)
        np.testing.assert_array_equal(
            again, adjusted[np.ix_(turned, turned)][first, second]
        )


@given(families(most=8))
@settings(deadline=None)
def test_both_are_monotone_and_no_larger_than_holm(family):
    k, p_values = family
    before = p_values.copy()
    holm = adjust_p_values(p_values, "holm")
    order = np.argsort(p_values)
    for adjusted in (shaffer(p_values, k), bergmann_hommel(p_values, k)):
        assert (np.diff(adjusted[order]) >= 0).all()
        assert (adjusted >= p_values).all()
        assert (adjusted <= holm * (1 + 1e-15)).all()
    np.testing.assert_array_equal(p_values, before)


def test_all_p_values_equal_are_one_set_of_all_pairs():
    k = MOST_METHODS
    m = k * (k - 1) // 2
    for adjust in (shaffer, bergmann_hommel):
        np.testing.assert_array_equal(adjust(np.full(m, 0.001), k), np.full(m, m * 0.001))


def test_a_single_pair_and_no_pair_keep_their_p_values():
    for adjust in (shaffer, bergmann_hommel):
        assert adjust(np.array([0.03]), 2).tolist() == [0.03]
        assert adjust(np.empty(0), 1).size == 0


def test_a_smaller_p_value_never_gets_a_larger_adjusted_one():
    # the sets alone give .031854 to the smaller and .030337 to the larger p-value
    p_values = np.array([PAPER[pair][0] for pair in sorted(PAPER)])
    adjusted = bergmann_hommel(p_values, 5)
    by_pair = dict(zip(sorted(PAPER), adjusted, strict=True))
    assert by_pair["NaiveBayes", "kNN"] == by_pair["Kernel", "kNN"]
