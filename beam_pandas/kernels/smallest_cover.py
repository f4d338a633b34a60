"""The fewest sets that cover every element: reductions, then branch and bound.

References
----------
.. [1] J. Gramm, J. Guo, F. Huffner and R. Niedermeier, "Data reduction and exact
   algorithms for clique cover", ACM Journal of Experimental Algorithmics 13, article 2,
   2009.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_NODES = 150  # branches looked at before the problem is left to integer programming


class _Problem(NamedTuple):
    """What is left to cover, by what, and what was chosen on the way."""

    owns: NDArray[np.float64]  # 1 where the set in the column has the element in the row
    sets: NDArray[np.intp]
    chosen: tuple[int, ...] = ()


class _TooLongError(Exception):
    """More branches than allowed."""


class _Count:
    """Branches that may still be looked at."""

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self) -> None:
        """Take note of another branch."""
        self.left -= 1
        if self.left < 0:
            raise _TooLongError


def smallest_cover(owns: NDArray[np.bool_]) -> NDArray[np.intp]:
    """
    Choose the fewest sets that together have every element.

    Parameters
    ----------
    owns : ndarray of bool, shape (n_elements, n_sets)
        Whether the set in the column has the element in the row. Every element is in one.

    Returns
    -------
    ndarray of intp, shape (n_chosen,)
        Columns chosen, ascending. Of several smallest choices the one given is always the
        same for the same matrix.
    """
    start = _reduce(_Problem(owns.astype(np.float64), np.arange(owns.shape[1])))
    if not len(start.owns):
        return np.array(sorted(start.chosen), dtype=np.intp)
    size, count = _lower_bound(start.owns), _Count(_NODES)
    found = None
    try:
        while found is None:
            found = _search(start._replace(chosen=()), size, count)
            size += 1
    except _TooLongError:
        found = _by_integer_programming(start)
    return np.array(sorted(start.chosen + found), dtype=np.intp)


def _reduce(problem: _Problem) -> _Problem:
    """
    Take the sets that must be chosen, drop elements and sets that make no difference.

    An element may go if every set of another element has it too; a set, if another has all
    its elements left (rules 2 and 3 of [1]_, for sets in general). Of equals the first
    stays.
    """
    owns, sets, chosen = problem
    while len(owns):
        n_elements, n_sets = owns.shape
        only = np.unique(owns[owns.sum(axis=1) == 1.0].argmax(axis=1))
        if only.size:
            chosen += tuple(sets[only].tolist())
            owns = owns[owns[:, only].sum(axis=1) == 0.0]
            owns, sets = np.delete(owns, only, axis=1), np.delete(sets, only)
        owns = owns[~_dominated(owns, larger=True)]
        stays = ~_dominated(owns.T, larger=False)
        owns, sets = owns[:, stays], sets[stays]
        if owns.shape == (n_elements, n_sets):
            break
    return _Problem(owns, sets, chosen)


def _dominated(rows: NDArray[np.float64], *, larger: bool) -> NDArray[np.bool_]:
    """Mark rows that hold another row (`larger`), or are held by another."""
    common = rows @ rows.T
    within = common == common.diagonal()[:, None]  # the row is part of the column's
    order = np.arange(len(rows))
    held = within & (~within.T | (order[:, None] > order[None, :]))
    if larger:
        held = within & (~within.T | (order[:, None] < order[None, :]))
        return np.asarray(held.any(axis=0))
    return np.asarray(held.any(axis=1))


def _lower_bound(owns: NDArray[np.float64]) -> int:
    """
    Bound the number of sets from below, in two ways.

    Elements of which no two are in one set need a set each. And if every element pays one
    over the size of the largest set that has it, no set is paid more than 1.
    """
    size = owns.sum(axis=0)
    paid = float((1.0 / (owns * size).max(axis=1)).sum())
    together = owns @ owns.T > 0.0
    left, apart = np.ones(len(owns), dtype=bool), 0
    while left.any():
        met = np.where(left, (together & left).sum(axis=1), len(owns) + 1)
        left &= ~together[int(met.argmin())]
        apart += 1
    return max(apart, int(np.ceil(paid - 1e-9)))


def _search(problem: _Problem, size: int, count: _Count) -> tuple[int, ...] | None:
    """Find a cover of no more than so many sets, or nothing if there is none."""
    count.spend()
    owns, sets, chosen = _reduce(problem)
    size -= len(chosen)
    if not len(owns):
        return chosen if size >= 0 else None
    if _lower_bound(owns) > size:
        return None
    branch = owns[int(owns.sum(axis=1).argmin())]
    choices = np.flatnonzero(branch)
    choices = choices[np.argsort(-owns[:, choices].sum(axis=0), kind="stable")]
    open_ = np.ones(len(sets), dtype=bool)
    for choice in choices.tolist():
        open_[choice] = False  # what was tried before is not in the cover
        left = owns[owns[:, choice] == 0.0][:, open_]
        if not left.any(axis=1).all():
            continue
        rest = _search(_Problem(left, sets[open_]), size - 1, count)
        if rest is not None:
            return (*chosen, int(sets[choice]), *rest)
    return None


def _by_integer_programming(problem: _Problem) -> tuple[int, ...]:
    """Minimise the number of sets under one constraint an element, with HiGHS."""
    import scipy.optimize  # slow to load and hardly ever needed

    n_sets = problem.owns.shape[1]
    result = scipy.optimize.milp(
        np.ones(n_sets),
        constraints=scipy.optimize.LinearConstraint(problem.owns, 1.0, np.inf),
        integrality=np.ones(n_sets, dtype=np.int64),
        bounds=scipy.optimize.Bounds(0.0, 1.0),
        options={"mip_rel_gap": 0.0},
    )
    if result.x is None or not result.success:  # only a time limit could do this
        raise RuntimeError(f"no smallest cover found: {result.message}")
    return tuple(problem.sets[result.x > 0.5].tolist())
