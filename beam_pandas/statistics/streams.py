"""Streams of random numbers that start anew, so that every way of calling agrees."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from numbers import Integral

import numpy as np

from beam_pandas.errors import BeamError


def start_stream(
    rng: int | np.random.Generator | None,
) -> Callable[[], np.random.Generator]:
    """
    Give a function that starts the same stream each time that it is called.

    Parameters
    ----------
    rng : int, Generator or None
        A seed; a generator, of which copies are made, so that it stays as it is; or None
        for a seed of the system's choice.

    Raises
    ------
    BeamError
        If it is none of these.
    """
    if isinstance(rng, np.random.Generator):
        kept = deepcopy(rng)
        return lambda: deepcopy(kept)
    is_seed = isinstance(rng, Integral) and not isinstance(rng, (bool, np.bool_))
    if rng is not None and not (is_seed and int(rng) >= 0):
        raise BeamError(
            "rng must be a whole number, not negative, a numpy.random.Generator or None, "
            f"got {rng!r}"
        )
    seed = np.random.SeedSequence(None if rng is None else int(rng))
    return lambda: np.random.default_rng(seed)


def check_resamples(n_resamples: object, name: str = "n_resamples") -> int:
    """Refuse a number of resamples or draws that is none."""
    is_whole = isinstance(n_resamples, Integral) and not isinstance(n_resamples, bool)
    if not (is_whole and 1 <= int(n_resamples) <= _MOST):  # type: ignore[call-overload]
        raise BeamError(
            f"{name} must be a whole number from 1 to {_MOST:,}, got {n_resamples!r}"
        )
    return int(n_resamples)  # type: ignore[call-overload, no-any-return]


_MOST = 1_000_000
