import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from scipy.optimize import linprog

from beam_pandas.kernels.strong_connection import (
    is_strongly_connected,
    joined_groups,
    reachable,
    wins_outweigh_ties,
)


@st.composite
def graphs(draw, largest=6):
    k = draw(st.integers(1, largest))
    number = draw(st.integers(1, 4))
    sparse = st.sampled_from([False, False, True])
    edges = draw(npst.arrays(bool, (number, k, k), elements=sparse))
    return edges & ~np.eye(k, dtype=bool)


@st.composite
def outcomes(draw, largest=5):
    """Wins one way only, ties, so that cycles of both matter."""
    k = draw(st.integers(2, largest))
    won, tied = np.zeros((2, k, k), dtype=bool)
    for i, j in itertools.combinations(range(k), 2):
        won[i, j], won[j, i], tied[i, j] = draw(
            st.sampled_from(
                [(1, 0, 0), (0, 1, 0), (1, 0, 1), (0, 1, 1), (0, 0, 1), (0, 0, 0)]
            )
        )
    return won, tied | tied.T


def warshall(edges):
    closure = edges | np.eye(len(edges), dtype=bool)
    for middle, i, j in itertools.product(range(len(edges)), repeat=3):
        closure[i, j] |= closure[i, middle] and closure[middle, j]
    return closure


@given(graphs())
def test_reach_agrees_with_warshall(edges):
    expected = np.array([warshall(graph) for graph in edges])
    np.testing.assert_array_equal(reachable(edges), expected)
    np.testing.assert_array_equal(is_strongly_connected(edges), expected.all(axis=(1, 2)))


@given(graphs())
def test_groups_are_numbered_by_their_first_member(edges):
    graph = edges[0]
    both = warshall(graph) & warshall(graph).T
    weak = warshall(graph | graph.T)
    for closure, both_ways in ((both, True), (weak, False)):
        first = closure.argmax(axis=1)
        expected = np.searchsorted(np.unique(first), first)
        found = joined_groups(graph, both_ways=both_ways)
        np.testing.assert_array_equal(found, expected)


def can_be_placed(won, tied):
    """Ask for places on a line: wins bridge 2 or more, ties 2 at most."""
    k = len(won)
    rows, limits = [], []
    for i, j in itertools.permutations(range(k), 2):
        gap = np.zeros(k)
        gap[i], gap[j] = 1, -1
        if won[i, j]:
            rows.append(-gap), limits.append(-2)
        if tied[i, j]:
            rows.append(gap), limits.append(2)
    if not rows:
        return True
    answer = linprog(np.zeros(k), A_ub=rows, b_ub=limits, bounds=(None, None))
    return answer.status == 0


@given(outcomes())
def test_a_rising_cycle_or_places_on_a_line(case):
    won, tied = case
    found = wins_outweigh_ties(won[np.newaxis], tied[np.newaxis])
    assert found.tolist() == [not can_be_placed(won, tied)]


@given(st.lists(outcomes(4), min_size=1, max_size=5))
def test_graphs_of_a_batch_do_not_mix(cases):
    k = max(len(won) for won, _ in cases)
    grown = [[np.pad(a, (0, k - len(a))) for a in case] for case in cases]
    won, tied = (np.array(part) for part in zip(*grown, strict=True))
    expected = [wins_outweigh_ties(*(a[np.newaxis] for a in case))[0] for case in cases]
    assert wins_outweigh_ties(won, tied).tolist() == expected


def cycle(steps):
    """A ring whose steps are wins (1) or ties (0)."""
    k = len(steps)
    won, tied = np.zeros((2, 1, k, k), dtype=bool)
    for at, step in enumerate(steps):
        kind = won if step else tied
        kind[0, at, (at + 1) % k] = True
    return won, tied | tied.swapaxes(1, 2)


def test_as_many_ties_as_wins_are_not_enough():
    assert not wins_outweigh_ties(*cycle([1, 0, 1, 0]))[0]
    assert wins_outweigh_ties(*cycle([1, 0, 1, 1, 0]))[0]
    assert not wins_outweigh_ties(*cycle([1, 0, 0, 1, 0]))[0]
    assert wins_outweigh_ties(*cycle([1, 1, 1]))[0]


def test_long_rings_are_walked_to_the_end():
    assert wins_outweigh_ties(*cycle([1, 0] * 30 + [1]))[0]
    assert not wins_outweigh_ties(*cycle([1, 0] * 30))[0]
    ring = cycle([1] * 60)[0]
    assert is_strongly_connected(ring)[0]
    ring[0, 59, 0] = False
    assert not is_strongly_connected(ring)[0]
