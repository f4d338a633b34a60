"""What the picture of a posterior shows, read from a result of pairs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, is_number
from beam_pandas.plot.panels import Panel, as_labels, read_panels, refuse_part_of_pairs
from beam_pandas.results.squares import to_matrix

_PAIR: Final = ("method_1", "method_2")
_PARTS: Final = ("prob_better", "prob_equivalent", "prob_worse")
_DECISION: Final = "decision"
_UNDECIDED: Final = "undecided"
_MAKERS: Final = ("bayesian_sign",)


class Posterior(NamedTuple):
    """One panel: the three probabilities of each pair, from the side of its first."""

    title: str
    methods: list[Hashable]  # that with the highest probabilities first
    first: NDArray[np.intp]  # positions among the methods
    second: NDArray[np.intp]
    probability: NDArray[np.float64]  # first is better, equivalent, second is better
    is_decided: NDArray[np.bool_]


def read_posteriors(result: pd.DataFrame, threshold: float) -> list[Posterior]:
    """Read a result that was decided at the threshold that is to be drawn."""
    if not (is_number(threshold) and 0.5 < threshold <= 1.0):
        raise BeamError(
            f"threshold must be a number above 0.5 and at most 1, got {threshold!r}"
        )
    needed = (*_PAIR, *_PARTS, _DECISION)
    panels = read_panels(result, needed, "bayesian_sign", _MAKERS)
    return [_read(panel, threshold) for panel in panels]


def _read(panel: Panel, threshold: float) -> Posterior:
    part = panel.part[[*_PAIR, *_PARTS, _DECISION]]
    probability = part[list(_PARTS)].to_numpy(dtype=np.float64, na_value=np.nan, copy=True)
    is_decided = (part[_DECISION] != _UNDECIDED).to_numpy(dtype=bool)
    reached = (probability >= threshold).any(axis=1)
    if (reached != is_decided).any():
        raise BeamError(
            f"threshold must be that of the result, got {threshold!r}, at which "
            f"{(reached != is_decided).sum()} of its decisions would be others: pass "
            "threshold= as it was passed to bayesian_sign"
        )
    better = to_matrix(part, _PARTS[0]) + to_matrix(part, _PARTS[1]) / 2.0
    standing = better.mean(axis=1).fillna(-1.0).to_numpy()
    methods = better.index[np.argsort(-standing, kind="stable")]
    first = methods.get_indexer(pd.Index(part[_PAIR[0]]))
    second = methods.get_indexer(pd.Index(part[_PAIR[1]]))
    is_turned = first > second
    probability[is_turned] = probability[is_turned, ::-1]
    first, second = np.where(is_turned, (second, first), (first, second))
    order = np.lexsort((second, first))
    return Posterior(
        panel.title,
        methods.tolist(),
        first[order],
        second[order],
        probability[order],
        is_decided[order],
    )


def common_method(panels: Sequence[Posterior]) -> Hashable:
    """Give the one method that all pairs share, as those with a control do, or None."""
    found = None
    for panel in panels:
        ends = np.concatenate([panel.first, panel.second])
        count = np.bincount(ends, minlength=len(panel.methods))
        shared = np.flatnonzero(count == len(panel.first))
        if len(panel.methods) < 4 or len(shared) != 1:
            return None
        method = panel.methods[shared[0]]
        if found is not None and method != found:
            return None
        found = method
    return found


def refuse_part(panel: Posterior) -> None:
    """Refuse a square that lacks pairs."""
    pairs = pd.DataFrame({"method_1": panel.first, "method_2": panel.second})
    refuse_part_of_pairs(pairs, panel.title, "bayesian_sign", _MAKERS)


def against(posterior: Posterior, reference: Hashable) -> Posterior:
    """Keep the pairs with the reference, seen from the side of the other method."""
    as_labels([reference], posterior.methods, "reference")
    at = posterior.methods.index(reference)
    is_first = posterior.first == at
    kept = is_first | (posterior.second == at)
    probability = posterior.probability.copy()
    probability[is_first] = probability[is_first, ::-1]
    first = np.where(is_first, posterior.second, posterior.first)[kept]
    order = np.argsort(first, kind="stable")
    return posterior._replace(
        first=first[order],
        second=np.full(len(order), at),
        probability=probability[kept][order],
        is_decided=posterior.is_decided[kept][order],
    )
