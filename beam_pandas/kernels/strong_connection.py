"""Which methods comparisons join, and whether strengths of them can be finite."""

from __future__ import annotations

import numpy as np
import scipy  # its parts load when they are used
from numpy.typing import NDArray


def joined_groups(edges: NDArray[np.bool_], *, both_ways: bool) -> NDArray[np.int64]:
    """
    Give each node of a directed graph its group.

    Parameters
    ----------
    edges : ndarray of bool, shape (n_nodes, n_nodes)
        Whether an edge leads from the node in the row to that in the column.
    both_ways : bool
        Whether two nodes belong together only if a path leads from each to the other
        (strongly connected components); else if edges of any direction join them.

    Returns
    -------
    ndarray of int64, shape (n_nodes,)
        Groups, from 0 in order of their first node.
    """
    _, label = scipy.sparse.csgraph.connected_components(
        edges, directed=both_ways, connection="strong"
    )
    _, first, group = np.unique(label, return_index=True, return_inverse=True)
    order = np.empty(first.size, dtype=np.int64)
    order[np.argsort(first)] = np.arange(first.size)
    return order[group]


def is_strongly_connected(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """
    Tell of each graph of a batch whether paths lead from every node to every other.

    Parameters
    ----------
    edges : ndarray of bool, shape (n_graphs, n_nodes, n_nodes)
        As in `joined_groups`.

    Returns
    -------
    ndarray of bool, shape (n_graphs,)
        Whether the first node reaches all and all reach it.
    """
    lines = edges.astype(np.float32)
    return _first_reaches_all(lines) & _first_reaches_all(lines.swapaxes(1, 2))


def _first_reaches_all(lines: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Walk all edges of the nodes reached so far until no graph gains a node."""
    reached = np.zeros((len(lines), 1, lines.shape[1]), dtype=np.float32)
    reached[:, :, 0] = 1.0
    grows = True
    while grows:
        further = np.minimum(reached + reached @ lines, 1.0)
        grows, reached = bool((further > reached).any()), further
    return np.asarray(reached.all(axis=(1, 2)))


def reachable(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """
    Tell for each graph of a batch which nodes a path leads to; each node reaches itself.

    Parameters
    ----------
    edges : ndarray of bool, shape (n_graphs, n_nodes, n_nodes)
        As in `joined_groups`.

    Returns
    -------
    ndarray of bool, same shape
        Whether a path leads from the node in the row to that in the column.
    """
    n_nodes = edges.shape[1]
    paths = (edges | np.eye(n_nodes, dtype=bool)).astype(np.float32)
    for _ in range(max(0, n_nodes - 1).bit_length()):  # paths of twice the length
        paths = np.minimum(paths @ paths, 1.0)
    return np.asarray(paths > 0.0)


def wins_outweigh_ties(
    won: NDArray[np.bool_], tied: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """
    Tell of each graph of a batch whether some cycle has more wins than ties.

    A cycle goes from winner to loser along a win and either way along a tie. Without such
    a cycle the methods can be placed on a line so that every win bridges a distance of
    at least 1 and no tie one of more: Davidson's likelihood then grows for ever with
    the tie parameter (see `paired_strengths`).

    Parameters
    ----------
    won, tied : ndarray of bool, shape (n_graphs, n_nodes, n_nodes)
        Whether the node in the row has outperformed that in the column, has tied with it.

    Returns
    -------
    ndarray of bool, shape (n_graphs,)
        Whether there is a cycle with more wins than ties.
    """
    found = np.asarray((won & won.swapaxes(1, 2)).any(axis=(1, 2)))
    open_ = np.flatnonzero(~found)
    if open_.size:
        found[open_] = _has_rising_cycle(won[open_], tied[open_])
    return found


def _has_rising_cycle(won: NDArray[np.bool_], tied: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """
    Look for a cycle of positive weight: 1 for a win, -1 for a tie (Bellman and Ford).

    The heaviest path to each node is raised edge by edge. Without a rising cycle no path
    needs more edges than there are other nodes, and none weighs as much as the nodes are.
    """
    n_nodes = won.shape[1]
    # Winner or tied in the column here, so that the maximum is over adjacent values.
    weight = np.where(won, 1.0, np.where(tied, -1.0, -np.inf)).astype(np.float32)
    weight = np.ascontiguousarray(weight.swapaxes(1, 2))
    heaviest = np.zeros(won.shape[:2], dtype=np.float32)
    rising = np.zeros(len(won), dtype=bool)
    open_ = np.arange(len(won))
    for _ in range(n_nodes + 1):
        raised = np.maximum(heaviest, (weight + heaviest[:, np.newaxis, :]).max(axis=2))
        rises = raised.max(axis=1) >= n_nodes
        rising[open_[rises]] = True
        moved = (raised > heaviest).any(axis=1) & ~rises
        heaviest = raised
        if not moved.all():
            open_, weight, heaviest = open_[moved], weight[moved], heaviest[moved]
        if not open_.size:
            break
    rising[open_] = True  # still rising after as many edges as there are nodes
    return rising
