"""What the picture of two methods shows: a pair of scores and an outcome a dataset."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, is_number, list_labels, plain
from beam_pandas.kernels.decimals import shortest_decimals
from beam_pandas.kernels.equal_scores import EQUALITY
from beam_pandas.plot.score_tables import ScoreTable

_PERCENT: Final = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*%\s*")


class RopeWidth(NamedTuple):
    """Half-width of the region in which two scores are as good as equal."""

    width: float  # in the unit of the score
    share: float  # of the larger of two absolute scores

    def of(self, one: NDArray[np.float64], other: NDArray[np.float64]) -> Any:
        """Give the half-width for pairs of scores."""
        return self.width + self.share * np.maximum(np.abs(one), np.abs(other))

    @property
    def is_none(self) -> bool:
        """Tell whether only equal scores are as good as equal."""
        return self.width == 0.0 and self.share == 0.0

    def above(self, score: float) -> float:
        """Give the score from which on another one is beyond the region of this one."""
        if self.share == 0.0:
            return score + self.width
        if score < 0.0:
            return score * (1.0 - self.share)
        return score / (1.0 - self.share)

    def below(self, score: float) -> float:
        """Give the score down to which another one is within it."""
        return -self.above(-score)


class Duel(NamedTuple):
    """One panel: the datasets that both methods have."""

    table: ScoreTable
    rope: RopeWidth
    datasets: list[Hashable]
    scores: NDArray[np.float64]  # two columns, of the first and of the second method
    outcome: NDArray[np.int64]  # 1 where the first is better, -1 where the second is

    @property
    def counts(self) -> tuple[int, int, int]:
        """Count wins of the first, ties, and wins of the second."""
        won, tied, lost = (int((self.outcome == sign).sum()) for sign in (1, 0, -1))
        return won, tied, lost


def read_duels(
    tables: Sequence[ScoreTable], method_1: Hashable, method_2: Hashable, rope: Any
) -> list[Duel]:
    """Find the two methods in each panel, and decide each dataset."""
    known = list(dict.fromkeys(name for table in tables for name in table.methods))
    methods = [plain(method_1), plain(method_2)]
    for name, method in zip(("method_1", "method_2"), methods, strict=True):
        if method not in known:
            raise BeamError(
                f"{name} must be a method of the result, {list_labels(known)}; got "
                f"{method!r}"
            )
    if methods[0] == methods[1]:
        raise BeamError(
            f"method_1 and method_2 must be two methods, got {methods[0]!r} twice"
        )
    ropes = _read_ropes(rope, tables)
    return [
        _decide(table, methods, width) for table, width in zip(tables, ropes, strict=True)
    ]


def _decide(table: ScoreTable, methods: list[Hashable], rope: RopeWidth) -> Duel:
    """Compare the two methods on each dataset that both have, as `count_pairs` does."""
    both = np.full((len(table.datasets), 2), np.nan)
    benefit = both.copy()
    turned = table.benefit
    for column, method in enumerate(methods):
        if method in table.methods:
            at = table.methods.index(method)
            both[:, column] = table.scores[:, at]
            benefit[:, column] = turned[:, at]
    (shared,) = np.nonzero(~np.isnan(both).any(axis=1))
    one, other = benefit[shared].T
    width = rope.of(one, other)
    outcome = _is_beyond(one, other, width).astype(np.int64) - _is_beyond(other, one, width)
    datasets = [table.datasets[at] for at in shared]
    return Duel(table, rope, datasets, both[shared], outcome)


def _is_beyond(
    one: NDArray[np.float64], other: NDArray[np.float64], width: Any
) -> NDArray[np.bool_]:
    """Tell where one is above the other by more than a width."""
    with np.errstate(over="ignore", invalid="ignore"):
        edge = other + width
        bar = edge + EQUALITY * np.maximum(np.abs(other), np.abs(edge))
        found: NDArray[np.bool_] = one > bar
    return found


def _read_ropes(rope: Any, tables: Sequence[ScoreTable]) -> list[RopeWidth]:
    """Read the rope of each panel."""
    if not isinstance(rope, Mapping):
        return [_read_rope(rope)] * len(tables)
    told = {plain(name): value for name, value in rope.items()}
    lacking = [table.metric for table in tables if table.metric not in told]
    if lacking:
        raise BeamError(f"rope must have a number for each metric, none of {lacking[0]!r}")
    return [_read_rope(told[table.metric]) for table in tables]


def _read_rope(rope: Any) -> RopeWidth:
    share = _PERCENT.fullmatch(rope) if isinstance(rope, str) else None
    if share and float(share[1]) < 100.0:
        return RopeWidth(0.0, float(share[1]) / 100.0)
    if isinstance(rope, str) or not is_number(rope) or not 0.0 <= rope < math.inf:
        raise BeamError(
            "rope of a picture must be a finite number, not negative, a text such as '2%', "
            f"below 100, or a mapping from metric to these, got {rope!r}"
        )
    if isinstance(rope, np.floating) and rope.itemsize < 8:  # float32 or float16
        return RopeWidth(float(shortest_decimals(np.array([rope]))[0]), 0.0)
    return RopeWidth(float(rope), 0.0)
