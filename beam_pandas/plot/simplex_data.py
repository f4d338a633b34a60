"""What the triangle of a pair shows, read from a result of the Bayesian sign test."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, is_number, list_labels, plain
from beam_pandas.plot.panels import Panel, as_labels, read_panels

_PICTURE: Final = "simplex"
_MAKERS: Final = ("bayesian_sign",)
_COUNTS: Final = ("wins", "ties", "losses")
_EXPECTED: Final = ("expected_better", "expected_equivalent", "expected_worse")
_PROBS: Final = ("prob_better", "prob_equivalent", "prob_worse")
_PRIORS: Final = {
    "rope": (0.0, 1.0, 0.0),
    "uniform": (1 / 3, 1 / 3, 1 / 3),
    "neutral": (0.5, 0.0, 0.5),
}


class Triangle(NamedTuple):
    """One panel: the posterior of a pair, its first method better, equivalent, worse."""

    title: str
    names: tuple[Hashable, Hashable]
    weights: NDArray[np.float64]  # of the Dirichlet distribution
    probability: NDArray[np.float64]


def read_triangles(
    result: pd.DataFrame,
    method_1: Hashable,
    method_2: Hashable,
    prior: str,
    prior_strength: float,
) -> list[Triangle]:
    """Find the pair in each panel and the posterior that goes with its prior."""
    if not (isinstance(prior, str) and prior in _PRIORS):
        raise BeamError(f"prior must be one of {list(_PRIORS)}, got {prior!r}")
    if not (is_number(prior_strength) and 0.0 <= prior_strength < np.inf):
        raise BeamError(f"prior_strength must be a number from 0, got {prior_strength!r}")
    needed = ("method_1", "method_2", *_COUNTS, *_EXPECTED, *_PROBS)
    panels = read_panels(result, needed, _PICTURE, _MAKERS)
    known = list(pd.unique(pd.concat([result["method_1"], result["method_2"]])))
    as_labels([method_1], known, "method_1")
    as_labels([method_2], known, "method_2")
    if method_1 == method_2:
        raise BeamError(f"method_1 and method_2 must differ, got {method_1!r} twice")
    added = float(prior_strength) * np.array(_PRIORS[prior])
    return [_read(panel, (method_1, method_2), added) for panel in panels]


def _read(
    panel: Panel, pair: tuple[Hashable, Hashable], added: NDArray[np.float64]
) -> Triangle:
    """Read one pair, whichever way round it stands."""
    one, other = panel.part["method_1"], panel.part["method_2"]
    straight = ((one == pair[0]) & (other == pair[1])).to_numpy(dtype=bool)
    turned = ((one == pair[1]) & (other == pair[0])).to_numpy(dtype=bool)
    rows = np.flatnonzero(straight | turned)
    place = f" of {panel.title}" if panel.title else ""
    if len(rows) != 1:
        raise BeamError(
            f"plot.{_PICTURE} needs one row with {list_labels(pair)}{place}, found "
            f"{len(rows)}: pass the result of beam_pandas.bayesian_sign"
        )
    row = panel.part.iloc[rows[0]]
    counts, expected, probability = (
        np.array([row[name] for name in names], dtype=np.float64)
        for names in (_COUNTS, _EXPECTED, _PROBS)
    )
    weights = counts + added
    total = weights.sum()
    if np.isnan(expected).any() or not total > 0.0:
        raise BeamError(
            f"{list_labels(pair)} share no dataset{place}, and so have no posterior"
        )
    if np.abs(weights / total - expected).max() > 1e-6:
        raise BeamError(
            "prior and prior_strength must be those of the result, whose expected shares "
            f"are {', '.join(f'{each:.3f}' for each in expected)} and not "
            f"{', '.join(f'{each:.3f}' for each in weights / total)}: pass them as they "
            "were passed to bayesian_sign"
        )
    if turned.any():
        weights, probability = weights[::-1], probability[::-1]
    names = plain(pair[0]), plain(pair[1])
    return Triangle(panel.title, names, weights, probability)
