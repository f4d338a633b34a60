"""Random numbers: one stream for each metric and group, begun anew from the seed."""

from __future__ import annotations

from copy import deepcopy
from numbers import Integral

import numpy as np

from beam_pandas.errors import BeamError
from beam_pandas.types import Rng


def check_rng(rng: object) -> None:
    """
    Refuse what random numbers cannot come from.

    Raises
    ------
    BeamError
        If it is no whole number from 0, no Generator and not None.
    """
    if rng is None or isinstance(rng, np.random.Generator):
        return
    is_seed = isinstance(rng, Integral) and not isinstance(rng, (bool, np.bool_))
    if not (is_seed and int(rng) >= 0):  # type: ignore[call-overload]
        raise BeamError(
            "rng must be a whole number from 0, a numpy.random.Generator or None, got "
            f"{rng!r}"
        )


def start_stream(rng: Rng) -> np.random.Generator:
    """
    Begin the stream of a metric.

    A generator of the caller is copied and stays where it is: were it drawn from, a
    metric would depend on those before it, and a call by group on the other groups.
    """
    if isinstance(rng, np.random.Generator):
        return deepcopy(rng)
    return np.random.default_rng(None if rng is None else int(rng))


def check_count(name: str, value: object, least: int) -> None:
    """Refuse a value that is no whole number, or a smaller one."""
    is_whole = isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))
    if not (is_whole and int(value) >= least):  # type: ignore[call-overload]
        raise BeamError(f"{name} must be a whole number from {least}, got {value!r}")
