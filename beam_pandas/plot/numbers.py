"""Numbers as they are written into pictures, all of a kind with as many decimals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

MINUS = "\N{MINUS SIGN}"
_DIGITS = 3  # of the largest number
_MOST = 6  # decimals


def decimals_of(values: NDArray[np.float64]) -> int:
    """Give the decimals with which the largest of values has three digits."""
    largest = float(np.nanmax(np.abs(values), initial=0.0))
    if not 0.0 < largest < math.inf:
        return 0
    return min(_MOST, max(0, _DIGITS - 1 - math.floor(math.log10(largest))))


def signed(value: float, decimals: int) -> str:
    """Write a difference with its sign, 0 without."""
    text = f"{value:+.{decimals}f}"
    return text if any(digit in text for digit in "123456789") else text[1:]


def p_text(p_value: float) -> str:
    """Write a p-value as short as can be; nothing where it is missing."""
    if math.isnan(p_value):
        return ""
    if p_value < 0.001:
        return "p<.001"
    rounded = f"{p_value:.3f}"
    return "p 1" if rounded == "1.000" else f"p {rounded[1:]}"


def tick_texts(ticks: Sequence[float]) -> list[str]:
    """Write numbers on an axis, with the decimals that tell them apart."""
    size = max((abs(tick) for tick in ticks), default=0.0)
    steps = [after - before for before, after in pairwise(ticks)]
    step = min(steps, default=size)
    if not 1e-4 <= size < 1e6 or step <= 0.0:
        return [f"{tick:g}" for tick in ticks]
    for decimals in range(_MOST + 2):
        texts = [f"{tick:.{decimals}f}" for tick in ticks]
        off = max(abs(float(t) - tick) for t, tick in zip(texts, ticks, strict=True))
        if off < 0.01 * step:
            return texts
    return [f"{tick:g}" for tick in ticks]
