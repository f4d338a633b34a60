"""The relation that pairwise majorities make: triads, cycles, an order if there is one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy  # its parts load when they are used
from numpy.typing import NDArray

_BLOCK = 2**24  # triples looked at a time


class Relation(NamedTuple):
    """
    Who outperforms whom on most of the shared datasets.

    Attributes
    ----------
    beats : ndarray of bool, shape (n_methods, n_methods)
        Whether the method in the row wins more often than that in the column.
    tied : ndarray of bool, same shape
        Whether both win equally often; the diagonal is not.
    """

    beats: NDArray[np.bool_]
    tied: NDArray[np.bool_]

    @property
    def decided(self) -> NDArray[np.bool_]:
        """Whether one of a pair outperforms the other."""
        return self.beats | self.beats.T


class Consistency(NamedTuple):
    """What a relation says about one order of all methods."""

    n_tied_pairs: int
    n_triads: int
    n_circular_triads: int
    coefficient_of_consistence: float
    is_transitive: bool
    has_cycle: bool
    has_consistent_order: bool


def majority_relation(wins: NDArray[np.int64], shared: NDArray[np.int64]) -> Relation:
    """Compare wins with losses; a pair without a shared dataset is neither."""
    tied = (wins == wins.T) & (shared > 0)
    np.fill_diagonal(tied, val=False)
    return Relation(wins > wins.T, tied)


def examine_relation(relation: Relation) -> Consistency:
    """
    Count triads and cycles of a relation, and tell whether it is an order.

    Circular triads are triples of methods in which each outperforms the next, trace of
    the third power of the relation over 3. Their largest number is (k³ - k) / 24 for odd
    k and (k³ - 4 k) / 24 for even k; the coefficient of consistence is 1 less their share
    of it.

    Parameters
    ----------
    relation : Relation
        Of k methods.

    Returns
    -------
    Consistency
        `n_triads` counts the triples of which all three pairs are decided. The
        coefficient is NaN if any pair is undecided, and for less than three methods.

    References
    ----------
    Kendall, M. G., Babington Smith, B. (1940). On the method of paired comparisons.
    Biometrika 31(3/4), 324-345. doi:10.1093/biomet/31.3-4.324
    """
    k = len(relation.beats)
    beats = relation.beats.astype(np.float32)  # no entry of a product exceeds k
    through = beats @ beats
    decided = relation.decided.astype(np.float32)
    n_circular = round(_sum_of_products(through, beats.T) / 3)
    n_triads = round(_sum_of_products(decided @ decided, decided) / 6)
    is_transitive = not bool(((through > 0) & ~relation.beats).any())
    complete = int(relation.decided.sum()) == k * (k - 1)
    settled = n_circular > 0 or complete or is_transitive  # longer cycles need gaps
    largest = (k**3 - (k if k % 2 else 4 * k)) / 24
    return Consistency(
        n_tied_pairs=int(relation.tied.sum()) // 2,
        n_triads=n_triads,
        n_circular_triads=n_circular,
        coefficient_of_consistence=(
            1.0 - n_circular / largest if complete and largest else np.nan
        ),
        is_transitive=is_transitive,
        has_cycle=n_circular > 0 or (not settled and _has_cycle(relation.beats)),
        has_consistent_order=complete and is_transitive,
    )


def smith_set(beats: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """
    Mark the smallest set whose members each outperform everyone outside it.

    Draw an arrow to everyone whom a method is not outperformed by. Between any two
    methods there is one, so that the strongly connected components stand in a line, and
    the set is the one that no arrow enters.
    """
    arrows = ~beats.T
    component = _components(arrows)
    entered = (arrows & (component[:, None] != component)).any(axis=0)
    return ~np.isin(component, component[entered])


def list_circular_triads(beats: NDArray[np.bool_]) -> NDArray[np.int64]:
    """
    List the triples of methods in which each outperforms the next.

    Parameters
    ----------
    beats : ndarray of bool, shape (n_methods, n_methods)
        Who outperforms whom.

    Returns
    -------
    ndarray of int64, shape (n_triads, 3)
        Positions; the first of each is the smallest, rows ascend.
    """
    k = len(beats)
    found = [np.empty((0, 3), dtype=np.int64)]
    step = max(1, _BLOCK // max(1, k * k))
    later = np.triu(np.ones((k, k), dtype=bool), k=1)
    for start in range(0, k, step):
        first = slice(start, start + step)
        onward = beats[first] & later[first]
        back = beats.T[first] & later[first]
        triads = np.argwhere(onward[:, :, None] & beats & back[:, None, :])
        triads[:, 0] += start
        found.append(triads)
    return np.concatenate(found)


def on_cycle(beats: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """
    Mark who outperforms whom as part of a cycle of any length.

    There is a way back if, and only if, both are in one strongly connected component.
    """
    component = _components(beats)
    is_back: NDArray[np.bool_] = component[:, None] == component
    return beats & is_back


def _sum_of_products(first: NDArray[np.float32], second: NDArray[np.float32]) -> float:
    return float(np.einsum("ij,ij->", first, second, dtype=np.float64))


def _has_cycle(beats: NDArray[np.bool_]) -> bool:
    """
    Tell whether a cycle is left when those whom nobody outperforms are taken out in turn.

    What finds components would tell it too, and takes longer to load than the rest.
    """
    n_above = beats.sum(axis=0)
    left = np.ones(len(beats), dtype=bool)
    while (free := np.flatnonzero(left & (n_above == 0))).size:
        left[free] = False
        n_above = n_above - beats[free].sum(axis=0)
    return bool(left.any())


def _components(arrows: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Give the members of each strongly connected component of a graph one number."""
    graph = scipy.sparse.csr_array(arrows.astype(np.int8))
    labels = scipy.sparse.csgraph.connected_components(graph, connection="strong")[1]
    return np.asarray(labels, dtype=np.int32)
