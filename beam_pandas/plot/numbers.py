"""Numbers as they are written into pictures, all of a kind with as many decimals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

MINUS: Final = "\N{MINUS SIGN}"
_DIGITS: Final = 3  # of the largest number
_PLAIN: Final = (1e-4, 1e6)  # within these numbers are written without a power of ten


def number_format(values: NDArray[np.float64]) -> str:
    """Give the format in which the largest of values has three digits."""
    largest = float(np.nanmax(np.abs(values), initial=0.0))
    if largest == 0.0:
        return ".0f"
    if not _PLAIN[0] <= largest < _PLAIN[1]:
        return f".{_DIGITS}g"
    return f".{max(0, _DIGITS - 1 - math.floor(math.log10(largest)))}f"


def signed(value: float, form: str) -> str:
    """Write a difference with its sign, 0 without."""
    text = f"{value:+{form}}"
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
    if not ticks:
        return []
    size = max(abs(tick) for tick in ticks)
    steps = [after - before for before, after in pairwise(ticks)]
    step = min(steps, default=size)
    if _PLAIN[0] <= size < _PLAIN[1] and step > 0.0:
        forms = [f".{decimals}f" for decimals in range(9)]
    else:
        forms = [f".{digits}g" for digits in range(1, 16)]
    for form in forms:
        texts = [f"{tick:{form}}" for tick in ticks]
        off = max(abs(float(t) - tick) for t, tick in zip(texts, ticks, strict=True))
        if off <= 0.01 * step:
            return texts
    return [f"{tick:g}" for tick in ticks]
