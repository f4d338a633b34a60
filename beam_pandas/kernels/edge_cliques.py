"""Cliques that cover every edge of a graph: the fewest, or nearly.

Two methods that are not told apart are joined by an edge. A compact letter display gives
each clique of a cover one letter: two methods then share a letter if and only if they are
not told apart [1]_. Inserting and absorbing letters [1]_ ends with all maximal cliques;
the fewest letters are a smallest set of them that covers every edge [2]_.

References
----------
.. [1] H.-P. Piepho, "An algorithm for a letter-based representation of all-pairwise
   comparisons", Journal of Computational and Graphical Statistics 13(2), 456-466, 2004.
.. [2] J. Gramm, J. Guo, F. Huffner, R. Niedermeier, H.-P. Piepho and R. Schmid,
   "Algorithms for compact letter displays: comparison and evaluation", Computational
   Statistics and Data Analysis 52(2), 725-736, 2007.
.. [3] E. Tomita, A. Tanaka and H. Takahashi, "The worst-case time complexity for
   generating all maximal cliques", Theoretical Computer Science 363(1), 28-42, 2006.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.smallest_cover import smallest_cover

_ALWAYS_EXACT = 12  # methods up to which the cover is the smallest, asked or not
_MOST = 20_000  # maximal cliques that are listed
_SWEPT = 1000  # maximal cliques beyond which grown ones are fewer, and found sooner
_BLOCK = 2**22  # edges of cliques held at a time

Members = NDArray[np.bool_]


def cover_edges(told_apart: NDArray[np.bool_], *, exact: bool = False) -> Members:
    """
    Choose cliques so that two methods share one if and only if they are not told apart.

    Up to 12 methods, and beyond with `exact`, there is no smaller choice. Else the better
    of two: all maximal cliques, or cliques grown around edges not yet covered, in either
    case less those whose edges others cover, dropped smallest first. Where there are more
    than 1,000 maximal cliques, they are not listed and the grown ones are taken. All
    chosen cliques are maximal. Methods told apart from exactly the same others count as
    one.

    Parameters
    ----------
    told_apart : ndarray of bool, shape (n_methods, n_methods)
        Symmetric; the diagonal is ignored. Best method first.
    exact : bool
        Whether to find the fewest cliques whatever the number of methods. Takes about a
        second for 20, and may take very long for many more.

    Returns
    -------
    ndarray of bool, shape (n_cliques, n_methods)
        Members of each clique, sorted by the places of its members: the best method is in
        the first. Every method is in at least one.

    Raises
    ------
    ValueError
        If `exact` is asked for and there are more than 20,000 maximal cliques.
    """
    if not len(told_apart):
        return np.zeros((0, 0), dtype=bool)
    joined = ~np.asarray(told_apart, dtype=bool)
    np.fill_diagonal(joined, True)
    _, first, class_of = np.unique(joined, axis=0, return_index=True, return_inverse=True)
    keep = np.sort(first)  # one method of each class of twins, best first
    class_of = np.searchsorted(keep, first[class_of.reshape(-1)])
    around = _neighbours(joined[np.ix_(keep, keep)])
    exact |= len(around) <= _ALWAYS_EXACT
    cliques = _listed(around, _MOST if exact else _SWEPT)
    if not exact:
        chosen = _nearly_fewest(cliques, around)
    elif cliques is not None:
        chosen = _fewest(cliques, len(around))
    else:
        raise ValueError(f"more than {_MOST} maximal cliques: leave exact out")
    return _member_matrix(chosen, len(around))[:, class_of]


def maximal_cliques(told_apart: NDArray[np.bool_]) -> Members:
    """
    List all maximal sets of methods of which no two are told apart.

    Parameters
    ----------
    told_apart : ndarray of bool, shape (n_methods, n_methods)
        Symmetric; the diagonal is ignored. Best method first.

    Returns
    -------
    ndarray of bool, shape (n_cliques, n_methods)
        As from `cover_edges`, which chooses some of these. There may be 3^(n/3).
    """
    joined = ~np.asarray(told_apart, dtype=bool)
    np.fill_diagonal(joined, True)
    return _member_matrix(list(_enumerate(_neighbours(joined))), len(joined))


def _neighbours(joined: NDArray[np.bool_]) -> list[int]:
    """Write the neighbours of each method as bits of a number, itself not among them."""
    rows = joined & ~np.eye(len(joined), dtype=bool)
    return _as_bits(rows)


def _as_bits(rows: NDArray[np.generic]) -> list[int]:
    """Write each row of zeros and ones as a number, the first entry in the lowest bit."""
    packed = np.packbits(rows.astype(bool), axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def _member_matrix(cliques: list[int], n_methods: int) -> Members:
    """Turn bits into rows of members, sorted by the places of the members."""
    width = (n_methods + 7) // 8
    packed = np.frombuffer(
        b"".join(clique.to_bytes(width, "little") for clique in cliques), dtype=np.uint8
    ).reshape(len(cliques), width)
    member = np.unpackbits(packed, axis=1, count=n_methods, bitorder="little").view(bool)
    return member[np.lexsort(~member.T[::-1])] if n_methods else member


def _bits(number: int) -> Iterator[int]:
    """Give the places of the bits of a number, lowest first."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


def _listed(around: list[int], most: int) -> list[int] | None:
    """List the maximal cliques, or give nothing if there are more than that."""
    cliques: list[int] = []
    for clique in _enumerate(around):
        if len(cliques) == most:
            return None
        cliques.append(clique)
    return cliques


def _enumerate(around: list[int]) -> Iterator[int]:
    """
    Give each maximal clique once, by the algorithm of Bron and Kerbosch with pivots [3]_.

    A branch holds a clique, the methods that may still join it and those that were tried;
    a pivot is the method with most neighbours among the former, which need no branch.
    """
    stack = [(0, (1 << len(around)) - 1, 0)] if around else []
    while stack:
        clique, open_, tried = stack.pop()
        if not open_:
            if not tried:
                yield clique
            continue
        pivot = max(
            (around[v] for v in _bits(open_ | tried)),
            key=lambda row: (row & open_).bit_count(),
        )
        for v in _bits(open_ & ~pivot):
            bit = 1 << v
            stack.append((clique | bit, open_ & around[v], tried & around[v]))
            open_ ^= bit
            tried |= bit


def _fewest(cliques: list[int], n_methods: int) -> list[int]:
    """Choose the fewest cliques that cover every edge, and every method that has none."""
    member = _member_matrix(cliques, n_methods)
    first, second = np.triu_indices(n_methods)
    edge = member[:, first] & member[:, second]
    chosen = member[smallest_cover(edge[:, edge.any(axis=0)].T)]
    return _as_bits(chosen)


def _nearly_fewest(cliques: list[int] | None, around: list[int]) -> list[int]:
    """Sweep all maximal cliques, if they are listed, and grown ones; take the fewer."""
    swept = None if cliques is None else _sweep(cliques, len(around))
    if swept is not None and len(swept) == len(cliques or ()):
        return swept
    grown = _sweep(_grown(around), len(around))
    return grown if swept is None else min(swept, grown, key=len)


def _sweep(cliques: list[int], n_methods: int) -> list[int]:
    """
    Drop the cliques whose edges others cover, smallest first, among equals the last first.

    How often each edge is covered is held in binary, a number a digit with a bit an edge,
    so that a clique is dropped from all its edges at once. A clique with an edge of its
    own stays whatever else is dropped.
    """
    member = _member_matrix(cliques, n_methods)
    first, second = np.triu_indices(n_methods)
    weight = member.astype(np.float32)
    times = (weight.T @ weight).astype(np.int64)
    single = np.einsum("ij,ij->i", weight @ (times == 1), weight) > 0
    order = np.lexsort((-np.arange(len(member)), member.sum(axis=1)))
    order = order[~single[order]]
    counts = times[first, second]
    digits = _as_bits(counts >> np.arange(len(cliques).bit_length())[:, None] & 1)
    keep = np.ones(len(member), dtype=bool)
    step = max(1, _BLOCK // max(1, len(first)))
    for start in range(0, len(order), step):
        rows = order[start : start + step]
        edges = _as_bits(member[rows][:, first] & member[rows][:, second])
        keep[rows] = [not _drop(edge, digits) for edge in edges]
    return _as_bits(member[keep])


def _drop(edges: int, digits: list[int]) -> bool:
    """Take a clique off the counts of its edges, unless one is covered by it alone."""
    several = 0
    for digit in digits[1:]:
        several |= digit
    if edges & ~several:
        return False
    borrowed, place = edges, 0
    while borrowed:
        digits[place] ^= borrowed
        borrowed &= digits[place]
        place += 1
    return True


def _grown(around: list[int]) -> list[int]:
    """
    Grow maximal cliques around uncovered edges, best methods first.

    To an uncovered edge the method is added that shares most uncovered edges with the
    members so far, of several the best, until none is a neighbour of all.
    """
    uncovered = list(around)
    cliques = [1 << v for v, row in enumerate(around) if not row]
    for v in range(len(around)):
        while uncovered[v]:
            w = next(_bits(uncovered[v]))
            clique, open_ = 1 << v | 1 << w, around[v] & around[w]
            while open_:
                best = max(
                    _bits(open_), key=lambda u: ((uncovered[u] & clique).bit_count(), -u)
                )
                clique |= 1 << best
                open_ &= around[best]
            for u in _bits(clique):
                uncovered[u] &= ~clique
            cliques.append(clique)
    return cliques
