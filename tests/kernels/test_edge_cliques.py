from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beam_pandas.kernels.edge_cliques import cover_edges, maximal_cliques
from beam_pandas.kernels.rank_cliques import find_cliques
from beam_pandas.kernels.smallest_cover import smallest_cover

# Significant pairs (methods from 1, best first), the letters of R's
# multcompView::multcompLetters, which are those of all maximal cliques, and the fewest.
PATTERNS = [
    (4, "14", "a ab ab b", 2),
    (5, "12 13 14 15", "a b b b b", 2),
    (5, "13 24 35 14 25", "ab ac cd de be", 5),
    (4, "12 34", "ab cd ac bd", 4),
    (6, "15 16 23 25 45", "ab ac bde abcd e cde", 4),
    (6, "12 34 56", "abcd efgh abef cdgh aceg bdfh", 4),
    (3, "12 13 23", "a b c", 3),
    (3, "", "a a a", 1),
    (4, "13 14 24", "a ab bc c", 3),
]


def told_apart(k, pairs):
    matrix = np.zeros((k, k), dtype=bool)
    for pair in pairs.split():
        i, j = int(pair[0]) - 1, int(pair[1]) - 1
        matrix[i, j] = matrix[j, i] = True
    return matrix


def letters(member):
    return " ".join(
        "".join(chr(ord("a") + c) for c in np.flatnonzero(column)) for column in member.T
    )


def random_pattern(k, share, seed):
    upper = np.triu(np.random.default_rng(seed).random((k, k)) < share, k=1)
    return upper | upper.T


def assert_a_letter_is_shared_where_not_told_apart(member, apart):
    weight = member.astype(int)
    shared = weight.T @ weight > 0
    assert shared.diagonal().all()
    expected = ~apart
    np.fill_diagonal(expected, True)
    np.testing.assert_array_equal(shared, expected)


def naive_maximal(apart):
    """All sets of methods that are cliques and lie in no other."""
    k = len(apart)
    sets = [
        set(chosen)
        for size in range(1, k + 1)
        for chosen in combinations(range(k), size)
        if not any(apart[i, j] for i, j in combinations(chosen, 2))
    ]
    return sorted(sorted(s) for s in sets if not any(s < other for other in sets))


def fewest(apart):
    """Number of the fewest cliques that cover: every choice of maximal ones is tried."""
    cliques = naive_maximal(apart)
    k = len(apart)
    needed = {(i, j) for i in range(k) for j in range(i, k) if i == j or not apart[i, j]}
    covers = [{(i, j) for i in c for j in c if i <= j} for c in cliques]
    for size in range(1, len(cliques) + 1):
        for chosen in combinations(covers, size):
            if set().union(*chosen) >= needed:
                return size
    return 0


@pytest.mark.parametrize(("k", "pairs", "all_letters", "n_fewest"), PATTERNS)
def test_patterns_in_letters(k, pairs, all_letters, n_fewest):
    apart = told_apart(k, pairs)
    assert letters(maximal_cliques(apart)) == all_letters
    found = cover_edges(apart)
    assert len(found) == n_fewest
    assert_a_letter_is_shared_where_not_told_apart(found, apart)
    if n_fewest == len(set(all_letters) - {" "}):
        assert letters(found) == all_letters


def test_the_pattern_of_six_methods_loses_the_one_letter_it_can():
    found = cover_edges(told_apart(6, "15 16 23 25 45"))
    assert letters(found) == "ab ac bd abc d cd"


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_all_graphs_of_up_to_five_methods(k):
    pairs = list(combinations(range(k), 2))
    for code in range(2 ** len(pairs)):
        apart = np.zeros((k, k), dtype=bool)
        for bit, (i, j) in enumerate(pairs):
            apart[i, j] = apart[j, i] = bool(code >> bit & 1)
        everything = maximal_cliques(apart)
        listed = [np.flatnonzero(row).tolist() for row in everything]
        assert listed == naive_maximal(apart)
        found = cover_edges(apart)
        assert_a_letter_is_shared_where_not_told_apart(found, apart)
        # inserting and absorbing is minimal up to five methods
        assert len(found) == len(everything) == fewest(apart)


@pytest.mark.parametrize("k", [6, 7, 8])
@pytest.mark.parametrize("seed", range(20))
def test_no_cover_is_smaller(k, seed):
    apart = random_pattern(k, (0.15, 0.25, 0.35, 0.5)[seed % 4], seed)
    found = cover_edges(apart)
    assert_a_letter_is_shared_where_not_told_apart(found, apart)
    assert len(found) == fewest(apart)
    listed = [np.flatnonzero(row).tolist() for row in maximal_cliques(apart)]
    assert listed == naive_maximal(apart)
    assert all(np.flatnonzero(row).tolist() in listed for row in found)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 60), st.floats(0, 1), st.integers(0, 2**20))
def test_a_letter_is_shared_if_and_only_if_not_told_apart(k, share, seed):
    apart = random_pattern(k, share, seed)
    found = cover_edges(apart)
    assert_a_letter_is_shared_where_not_told_apart(found, apart)
    assert found[0, 0]  # the best method has the first letter
    rows = [np.flatnonzero(row).tolist() for row in found]
    assert rows == sorted(rows)
    for row in found:  # maximal: everyone else is told apart from a member
        assert (apart[:, row].any(axis=1) | row).all()


@given(
    st.lists(st.integers(0, 60), min_size=1, max_size=30),
    st.sampled_from([0.0, 0.25, 0.8, 1.0, 2.6, 7.75]),
    st.booleans(),
)
def test_one_critical_difference_gives_the_cliques_of_mean_ranks(values, gap, exact):
    means = np.sort(np.array(values)) / 4
    apart = np.abs(means[:, None] - means[None, :]) > gap  # a gap equal to it is within
    first, last = find_cliques(means, gap)
    place = np.arange(len(means))
    expected = (first[:, None] <= place) & (place <= last[:, None])
    np.testing.assert_array_equal(maximal_cliques(apart), expected)
    np.testing.assert_array_equal(cover_edges(apart, exact=exact), expected)


@pytest.mark.parametrize(("n_pairs", "fewest_known"), [(2, 4), (3, 4), (4, 5), (6, 6)])
def test_the_complement_of_a_matching(n_pairs, fewest_known):
    # Gregory and Pullman 1982: the least c with n_pairs <= C(c - 1, ceil(c / 2)), n > 3
    apart = np.kron(np.eye(n_pairs, dtype=bool), ~np.eye(2, dtype=bool))
    assert len(maximal_cliques(apart)) == 2**n_pairs
    found = cover_edges(apart)
    assert len(found) == fewest_known
    assert_a_letter_is_shared_where_not_told_apart(found, apart)


@pytest.mark.parametrize("n_pairs", [9, 10, 14, 15, 20])  # 512 and 1024 to a million
def test_more_maximal_cliques_than_are_listed(n_pairs):
    apart = np.kron(np.eye(n_pairs, dtype=bool), ~np.eye(2, dtype=bool))
    found = cover_edges(apart)
    assert len(found) < 30
    assert_a_letter_is_shared_where_not_told_apart(found, apart)


def test_a_smallest_cover_of_too_many_cliques_is_refused():
    apart = np.kron(np.eye(15, dtype=bool), ~np.eye(2, dtype=bool))
    with pytest.raises(ValueError, match="20000 maximal cliques"):
        cover_edges(apart, exact=True)


def test_methods_beyond_those_of_the_promise():
    apart = random_pattern(16, 0.2, 3)
    swept, smallest = cover_edges(apart), cover_edges(apart, exact=True)
    assert len(smallest) <= len(swept) <= len(maximal_cliques(apart))
    assert_a_letter_is_shared_where_not_told_apart(smallest, apart)


def test_branching_and_integer_programming_agree(monkeypatch):
    for seed in range(12):
        apart = random_pattern(11, 0.2, seed)
        branched = cover_edges(apart)
        with monkeypatch.context() as patch:
            patch.setattr("beam_pandas.kernels.smallest_cover._NODES", 0)
            assert len(cover_edges(apart)) == len(branched)


def test_a_thousand_methods_that_are_all_alike_or_all_apart():
    nothing = np.zeros((1000, 1000), dtype=bool)
    np.testing.assert_array_equal(cover_edges(nothing), np.ones((1, 1000), dtype=bool))
    np.testing.assert_array_equal(maximal_cliques(nothing), np.ones((1, 1000), dtype=bool))
    np.testing.assert_array_equal(cover_edges(~nothing), np.eye(1000, dtype=bool))


@pytest.mark.parametrize("k", [0, 1])
def test_no_method_and_one(k):
    for function in (cover_edges, maximal_cliques):
        np.testing.assert_array_equal(function(np.zeros((k, k))), np.ones((k, k)))


def test_the_input_is_left_as_it_was():
    apart = random_pattern(9, 0.5, 1)
    before = apart.copy()
    cover_edges(apart)
    np.testing.assert_array_equal(apart, before)


def test_a_smallest_cover_of_sets():
    owns = np.array([[1, 0, 0, 1], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]], dtype=bool)
    assert smallest_cover(owns).tolist() in ([0, 2], [1, 3])
    assert smallest_cover(np.zeros((0, 3), dtype=bool)).tolist() == []
