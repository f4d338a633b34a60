"""The region of practical equivalence, for each metric."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, is_number, list_labels, plain, warn
from beam_pandas.gate.scores import ScoreMatrix, column_names, read_beside
from beam_pandas.kernels.decimals import shortest_decimals
from beam_pandas.kernels.pair_counts import PairCounts, count_pairs, count_pairs_within
from beam_pandas.types import Rope

_PERCENT = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*%\s*")
_FINE = 0.05  # a rope up to it is made for fractions, and 1 and more for percent


class Ropes(NamedTuple):
    """
    Half-width of the region for one metric.

    Attributes
    ----------
    width : float
        In the unit of the score; NaN where it differs by dataset.
    cells : ndarray of float64, shape (n_datasets, n_methods), or None
        Where it differs: a value for each score. For a pair the larger of both holds.
    """

    width: float
    cells: NDArray[np.float64] | None = None

    def count_pairs(self, matrix: ScoreMatrix) -> PairCounts:
        """Count for all pairs the datasets on which one is better by more than the rope."""
        if self.cells is None:
            return count_pairs(matrix.benefit, self.width)
        return count_pairs_within(matrix.benefit, self.cells)


def resolve_ropes(
    rope: Rope, matrices: Sequence[ScoreMatrix], frame: pd.DataFrame
) -> list[Ropes]:
    """
    Decide the half-width of the region for each metric.

    Parameters
    ----------
    rope : float, text, or mapping from metric to either
        In the unit of the scores; ``"noise_floor"`` takes it from the registry, a text
        that ends in % is relative to the larger of two scores, any other text is the
        name of a column of the frame.
    matrices : sequence of ScoreMatrix
        One for each metric.
    frame : DataFrame
        The scores, as the caller gave them.

    Returns
    -------
    list of Ropes
        One for each matrix, not negative.

    Raises
    ------
    BeamError
        If a number is negative or not finite, or a metric or a score has none.
    """
    names: list[Hashable] = [matrix.label for matrix in matrices]
    told = _from_mapping(rope, names) if isinstance(rope, Mapping) else [rope] * len(names)
    return [
        _resolve(each, name, matrix, frame)
        for each, name, matrix in zip(told, names, matrices, strict=True)
    ]


def resolve_widths(
    rope: Rope, matrices: Sequence[ScoreMatrix], frame: pd.DataFrame, purpose: str
) -> list[float]:
    """
    Decide the half-width of the region where one is needed for all datasets of a metric.

    Parameters
    ----------
    rope, matrices, frame
        As for `resolve_ropes`.
    purpose : str
        Name of the public function, for messages.

    Raises
    ------
    BeamError
        Also if a rope is relative or a column.
    """
    for told in rope.values() if isinstance(rope, Mapping) else [rope]:
        if told != "noise_floor" if isinstance(told, str) else not _is_width(told):
            raise BeamError(
                f"rope must be one for all datasets in {purpose}: a finite number, not "
                "negative, in the unit of the score, 'noise_floor', or a mapping from "
                f"metric to these, got {told!r}; a rope that differs by dataset is for "
                "bayesian_sign"
            )
    return [each.width for each in resolve_ropes(rope, matrices, frame)]


def _resolve(
    rope: object,
    name: Hashable,
    matrix: ScoreMatrix,
    frame: pd.DataFrame,
) -> Ropes:
    """Decide the rope of one metric."""
    if not isinstance(rope, str):
        width = _checked(rope)
        _warn_of_scale(width, matrix)
        return Ropes(width)
    if rope == "noise_floor":
        return Ropes(_noise_floor(name, matrix.noise_floor))
    if share := _PERCENT.fullmatch(rope):
        return Ropes(np.nan, float(share[1]) / 100.0 * np.abs(matrix.benefit))
    columns = column_names(frame)
    if rope not in columns:
        raise BeamError(
            "rope must be a number, 'noise_floor', a text such as '2%' or the name of a "
            f"column, {list_labels(columns, limit=12)}, got {rope!r}"
        )
    if matrix.refusal is not None:  # is said when it is this metric's turn
        return Ropes(np.nan, np.zeros(matrix.scores.shape))
    return Ropes(np.nan, read_beside(frame, rope, matrix, "a rope that is not negative"))


def _from_mapping(rope: Mapping[Any, Any], names: list[Hashable]) -> list[Any]:
    told = {plain(name): value for name, value in rope.items()}
    extra = [name for name in told if name not in names]
    lacking = [name for name in names if name not in told]
    if names == [None]:
        raise BeamError(
            "rope by metric needs a column 'metric', the frame has none: pass a number"
        )
    if extra or lacking:
        wrong = (
            f"names {list_labels(extra)}, which the frame has not"
            if extra
            else f"says nothing of {list_labels(lacking)}"
        )
        raise BeamError(
            f"rope must have a number for each metric, {list_labels(names)}, but it {wrong}"
        )
    return [told[name] for name in names]


def _noise_floor(name: Hashable, known: float | None) -> float:
    if name is None:
        raise BeamError(
            "rope='noise_floor' needs a column 'metric', the frame has none: pass a number"
        )
    if known is None:
        entry = ""
        if isinstance(name, str):  # as all names of the registry are
            entry = f", or beam_pandas.register_metric({name!r}, noise_floor=...)"
        raise BeamError(
            f"rope='noise_floor' needs a noise floor of metric {name!r}, the registry has "
            f"none: pass rope=...{entry}"
        )
    return known


def _is_width(rope: object) -> TypeGuard[float]:
    return is_number(rope) and math.isfinite(rope) and rope >= 0.0


def _checked(rope: object) -> float:
    if not _is_width(rope):
        raise BeamError(
            "rope must be a finite number, not negative, 'noise_floor', a text such as "
            f"'2%', the name of a column, or a mapping from metric to these, got {rope!r}"
        )
    if isinstance(rope, np.floating) and rope.itemsize < 8:  # float32 or float16
        return float(shortest_decimals(np.array([rope]))[0])
    return float(rope)


def _warn_of_scale(width: float, matrix: ScoreMatrix) -> None:
    """Warn of a rope that was made for fractions where scores are in percent, or for it."""
    if matrix.upper != 1.0 or not matrix.scores.size or width == 0.0:
        return
    largest = np.nanmax(np.abs(matrix.scores), initial=0.0)
    if largest > 2.0 and width <= _FINE:
        warn(
            f"rope={width:g} looks as if made for fractions, but scores{matrix.place} are "
            f"in percent, up to {largest:.6g}: rope={100.0 * width:g} is the same there"
        )
    elif largest <= 1.0 and width >= 1.0:
        warn(
            f"rope={width:g} looks as if made for percent, but scores{matrix.place} are "
            f"fractions, up to {largest:.6g}: rope={width / 100.0:g} is the same there"
        )
