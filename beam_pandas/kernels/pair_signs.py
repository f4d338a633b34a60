"""Who outperforms whom on each dataset: a sign for each pair."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.equal_scores import EQUALITY
from beam_pandas.kernels.strength_draws import NOT_COMPARED, outcome_signs

_BLOCK = 2**18  # comparisons at a time


def pair_signs(
    benefit: NDArray[np.float64],
    rope: float | NDArray[np.float64],
    *,
    missing_is_worst: bool = False,
) -> NDArray[np.int8]:
    """
    Say on each dataset which method of each pair outperforms the other.

    Parameters
    ----------
    benefit : ndarray of float64, shape (n_datasets, n_methods)
        Scores turned so that more is better; NaN where missing, never infinite.
    rope : float or ndarray of float64, same shape
        One half-width for all, as in `count_pairs`, or one for each score, as in
        `count_pairs_within`.
    missing_is_worst : bool
        Whether a missing score loses against every score and ties with another missing
        one.

    Returns
    -------
    ndarray of int8, shape (n_datasets, n_methods * (n_methods - 1) / 2)
        Pairs in the order of ``np.triu_indices(n_methods, 1)``: 1 if the first outperforms
        the second, -1 if the second does, 0 if neither, `NOT_COMPARED` if a score is
        missing.
    """
    if isinstance(rope, np.ndarray):
        signs = _signs_within(benefit, rope)
    else:
        signs = outcome_signs(benefit, rope)
    missing = np.isnan(benefit)
    if missing_is_worst and missing.any():
        first, second = np.triu_indices(benefit.shape[1], 1)
        lacks = missing.astype(np.int8)
        rows = np.flatnonzero(missing.any(axis=1))
        forfeit = lacks[rows][:, second] - lacks[rows][:, first]
        signs[rows] = np.where(signs[rows] == NOT_COMPARED, forfeit, signs[rows])
    return signs


def _signs_within(
    benefit: NDArray[np.float64], ropes: NDArray[np.float64]
) -> NDArray[np.int8]:
    """Compare with a rope for each score: for a pair the larger of both holds."""
    first, second = np.triu_indices(benefit.shape[1], 1)
    signs = np.empty((len(benefit), len(first)), dtype=np.int8)
    step = max(1, _BLOCK // max(1, len(first)))
    for start in range(0, len(benefit), step):
        part = slice(start, start + step)
        one, other = benefit[part][:, first], benefit[part][:, second]
        rope = np.maximum(ropes[part][:, first], ropes[part][:, second])
        won, lost = _beyond(one, other, rope), _beyond(other, one, rope)
        signs[part] = won.view(np.int8) - lost.view(np.int8)
        signs[part][np.isnan(one) | np.isnan(other)] = NOT_COMPARED
    return signs


def _beyond(
    one: NDArray[np.float64], other: NDArray[np.float64], rope: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Tell where one score is above another by more than the rope; see `count_pairs`."""
    with np.errstate(over="ignore", invalid="ignore"):
        beyond = other + rope
        bar = beyond + EQUALITY * np.maximum(np.abs(other), np.abs(beyond))
        return np.asarray(one > bar, dtype=np.bool_)
