"""A cycle of majorities, by name."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import pandas as pd
from numpy.typing import NDArray


def find_cycle(pairs: pd.DataFrame) -> list[Hashable]:
    """
    Name a cycle: methods of which each beats the next, and the last the first.

    Parameters
    ----------
    pairs : DataFrame
        Result of `pairwise` with all pairs.

    Returns
    -------
    list
        A shortest cycle through one of the methods; empty if there is none.
    """
    codes, names = pd.factorize(pd.concat([pairs["method_1"], pairs["method_2"]]))
    first, second = np.split(codes, 2)
    beats = np.zeros((len(names), len(names)), dtype=bool)
    wins, losses = pairs["wins"].to_numpy(), pairs["losses"].to_numpy()
    beats[first[wins > losses], second[wins > losses]] = True
    beats[second[losses > wins], first[losses > wins]] = True
    start = _on_a_cycle(beats)
    return [] if start is None else [names[at] for at in _shortest_through(beats, start)]


def _on_a_cycle(beats: NDArray[np.bool_]) -> int | None:
    """Find a method on a cycle: leave out who beats nobody, till none is left or all do."""
    kept = np.ones(len(beats), dtype=bool)
    while kept.any():
        losing = kept & ~beats[:, kept].any(axis=1)
        if not losing.any():
            break
        kept &= ~losing
    if not kept.any():
        return None
    at, seen = int(np.flatnonzero(kept)[0]), set[int]()
    while at not in seen:  # from each of them a step leads on, and so around at last
        seen.add(at)
        at = int(np.flatnonzero(beats[at] & kept)[0])
    return at


def _shortest_through(beats: NDArray[np.bool_], start: int) -> list[int]:
    """Go from a method by the fewest steps back to itself."""
    before = np.full(len(beats), -1)
    reached = [start]
    while not beats[reached, start].any():
        fresh: list[int] = []
        for at in reached:
            new = np.flatnonzero(beats[at] & (before < 0))
            new = new[new != start]
            before[new] = at
            fresh += new.tolist()
        reached = fresh
    path = [next(at for at in reached if beats[at, start])]
    while path[-1] != start:
        path.append(int(before[path[-1]]))
    return path[::-1]
