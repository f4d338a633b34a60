import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beam_pandas.kernels.order import (
    Relation,
    examine_relation,
    list_circular_triads,
    majority_relation,
    smith_set,
)


@st.composite
def relations(draw, undecided=True):
    """Who outperforms whom, with tied (0) and uncompared (2) pairs."""
    k = draw(st.integers(1, 7))
    beats, tied = np.zeros((k, k), dtype=bool), np.zeros((k, k), dtype=bool)
    for i, j in itertools.combinations(range(k), 2):
        outcome = draw(st.sampled_from([1, -1, 0, 2] if undecided else [1, -1]))
        beats[i, j], beats[j, i] = outcome == 1, outcome == -1
        tied[i, j] = tied[j, i] = outcome == 0
    return Relation(beats, tied)


def triples(relation):
    k = len(relation.beats)
    decided = relation.beats | relation.beats.T
    for i, j, m in itertools.combinations(range(k), 3):
        if decided[i, j] and decided[j, m] and decided[i, m]:
            yield i, j, m


def reach(beats):
    """Transitive closure, by Warshall."""
    closure = beats.copy()
    for middle in range(len(beats)):
        closure |= closure[:, [middle]] & closure[[middle], :]
    return closure


@given(relations())
def test_equals_the_twin(relation):
    beats = relation.beats
    found = examine_relation(relation)
    circular = [
        t
        for t in triples(relation)
        if beats[np.ix_(t, t)].sum(axis=1).tolist() == [1, 1, 1]
    ]
    assert found.n_triads == len(list(triples(relation)))
    assert found.n_circular_triads == len(circular)
    assert {tuple(sorted(t)) for t in list_circular_triads(beats).tolist()} == set(circular)
    assert found.n_tied_pairs == relation.tied.sum() // 2
    assert found.has_cycle == reach(beats).diagonal().any()
    pairs = list(itertools.product(range(len(beats)), repeat=3))
    assert found.is_transitive == all(
        beats[i, m] for i, j, m in pairs if beats[i, j] and beats[j, m]
    )


@given(relations())
def test_the_smith_set_is_the_smallest_dominating_set(relation):
    beats = relation.beats
    k = len(beats)
    for size in range(1, k + 1):
        found = [
            members
            for members in itertools.combinations(range(k), size)
            if all(beats[i, j] for i in members for j in set(range(k)) - set(members))
        ]
        if found:
            break
    assert len(found) == 1
    assert np.flatnonzero(smith_set(beats)).tolist() == list(found[0])


@given(relations(undecided=False))
def test_a_consistent_order_is_one_without_cycles_and_consistence_one(relation):
    found = examine_relation(relation)
    assert found.has_consistent_order == (not found.has_cycle) == found.is_transitive
    if len(relation.beats) > 2:
        assert (found.coefficient_of_consistence == 1.0) == found.has_consistent_order


def test_triads_are_listed_once_with_the_first_label_leading():
    beats = np.zeros((4, 4), dtype=bool)
    for i, j in ((0, 2), (2, 1), (1, 0), (3, 0), (3, 1), (3, 2)):
        beats[i, j] = True
    assert list_circular_triads(beats).tolist() == [[0, 2, 1]]


def circulant(k):
    """The relation with the most circular triads: each outperforms the next half."""
    ahead = (np.arange(k)[None, :] - np.arange(k)[:, None]) % k
    beats = (ahead > 0) & (ahead < k / 2)
    if k % 2 == 0:
        beats |= (ahead == k // 2) & (np.arange(k)[:, None] < k // 2)
    return Relation(beats, np.zeros((k, k), dtype=bool))


@pytest.mark.parametrize(("k", "most"), [(3, 1), (4, 2), (5, 5), (6, 8), (7, 14)])
def test_the_largest_number_of_circular_triads(k, most):
    found = examine_relation(circulant(k))
    assert found.n_circular_triads == most
    assert found.coefficient_of_consistence == 0.0


def scores_of(k, edges):
    beats = np.zeros((k, k), dtype=bool)
    beats[tuple(np.array(edges).T)] = True
    return Relation(beats, ~(beats | beats.T | np.eye(k, dtype=bool)))


def test_a_longer_cycle_through_ties_without_a_circular_triad():
    found = examine_relation(scores_of(4, [(0, 1), (1, 2), (2, 3), (3, 0)]))
    assert found.n_circular_triads == 0
    assert found.has_cycle
    assert not found.is_transitive


def test_a_relation_that_is_neither_transitive_nor_cyclic():
    found = examine_relation(scores_of(3, [(0, 1), (1, 2)]))
    assert not found.is_transitive
    assert not found.has_cycle
    assert found.n_circular_triads == 0
    assert np.isnan(found.coefficient_of_consistence)


# Kendall and Babington Smith (1940): 1 triad of 1, 1 of 2, 2 of 2, 5 of 5
@pytest.mark.parametrize(
    ("edges", "k", "zeta"),
    [
        ([(0, 1), (1, 2), (2, 0)], 3, 0.0),
        ([(0, 1), (1, 2), (2, 0), (3, 0), (3, 1), (3, 2)], 4, 0.5),
        ([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)], 4, 0.0),
        ([(i, j % 5) for i in range(5) for j in (i + 1, i + 2)], 5, 0.0),
        ([(0, 1), (0, 2), (1, 2)], 3, 1.0),
    ],
)
def test_coefficient_of_consistence(edges, k, zeta):
    assert examine_relation(scores_of(k, edges)).coefficient_of_consistence == zeta


def test_majorities_from_counts():
    wins = np.array([[0, 3, 1], [1, 0, 0], [1, 0, 0]])
    shared = np.array([[5, 4, 2], [4, 4, 0], [2, 0, 2]])
    found = majority_relation(wins, shared)
    assert np.argwhere(found.beats).tolist() == [[0, 1]]
    assert np.argwhere(found.tied).tolist() == [[0, 2], [2, 0]]
