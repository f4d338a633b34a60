"""Numbers as text, rounded to the digit that is shown."""

from __future__ import annotations

import math
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.errors import BeamError

Digits = int | Literal["auto"]
Floats = NDArray[np.float64]

NOTHING: Final = "\N{EN DASH}"  # in place of a number that is missing
_SIGNIFICANT: Final = 4  # digits of the largest number where nothing says how many
_FINEST: Final = 6  # digits that a small spread may ask for
_MOST: Final = 15  # decimals that are looked for
_LONGEST: Final = 7  # decimals, and digits before the point, of a number without exponent


class Style(NamedTuple):
    """How numbers that belong together are written."""

    decimals: int
    is_exponential: bool = False

    def write(self, value: float) -> str:
        """Write a number; one that is missing as a dash, never a negative zero."""
        if math.isnan(value):
            return NOTHING
        if math.isinf(value):
            return "∞" if value > 0 else "-∞"
        text = f"{value:.{self.decimals}{'e' if self.is_exponential else 'f'}}"
        return text.removeprefix("-") if float(text) == 0.0 else text


def check_digits(digits: object) -> None:
    """Refuse what is no number of decimals."""
    is_whole = isinstance(digits, (int, np.integer)) and not isinstance(digits, bool)
    if not (digits == "auto" if isinstance(digits, str) else is_whole):
        raise BeamError(f"digits must be 'auto' or a number of decimals, got {digits!r}")
    if is_whole and not 0 <= int(digits) <= 15:  # type: ignore[call-overload]
        raise BeamError(f"digits must be from 0 to 15, got {digits!r}")


def exponent(value: float) -> int:
    """Give the power of ten of a number's first digit, once it is rounded to that."""
    return int(f"{value:.0e}".partition("e")[2])


def styles_of_rows(value: Floats, spread: Floats, digits: Digits) -> list[Style]:
    """
    Choose how the numbers of each row are written.

    Parameters
    ----------
    value, spread : ndarray of float64, shape (n_rows, n_columns)
        Scores and their spreads; NaN where there is none.
    digits : int or "auto"
        Number of decimals; by default those that show the first digit of the smallest
        spread of the row that is not 0 (of the largest score six digits at most), and
        without a spread four digits of its largest score, or all that the scores have.
    """
    if digits != "auto":
        return [Style(int(digits))] * len(value)
    needed = needed_decimals(value)
    sizes = np.where(np.isfinite(value), np.abs(value), 0.0)
    largest = sizes.max(axis=1, initial=0.0)
    floor = np.where(spread > 0.0, spread, np.inf).min(axis=1, initial=np.inf)
    pairs = zip(largest.tolist(), floor.tolist(), strict=True)
    return [_style(size, small, needed) for size, small in pairs]


def style_of(values: Floats, digits: Digits = "auto") -> Style:
    """Choose how the numbers of a column are written."""
    row = values[None, :]
    return styles_of_rows(row, np.full(row.shape, np.nan), digits)[0]


def needed_decimals(values: Floats) -> int:
    """Count the decimals that all numbers have, at most 15."""
    found = values[np.isfinite(values)]
    for decimals in range(_MOST):
        off = np.abs(np.round(found, decimals) - found)
        found = found[off > 1e-12 * np.abs(found)]
        if not found.size:
            return decimals
    return _MOST


def _style(largest: float, spread: float, needed: int) -> Style:
    """Choose how a row is written, by its largest number and its smallest spread."""
    if largest == 0.0 and math.isinf(spread):
        return Style(0)
    # 1 is written as the shares below it are, and 100 as other percentages
    first = math.ceil(math.log10(largest)) - 1 if largest > 0.0 else exponent(spread)
    if math.isinf(spread):
        decimals = _SIGNIFICANT - 1 - first
        if needed < _MOST:  # else nothing is known of the decimals of small numbers
            decimals = min(decimals, needed)
    else:
        decimals = min(-exponent(spread), _FINEST - 1 - max(first, exponent(spread)))
    if first >= _LONGEST or decimals > _LONGEST:
        return Style(max(decimals + first, 0), is_exponential=True)
    return Style(max(decimals, 0))


def write_p(value: float) -> str:
    """Write a p-value to three decimals and without the zero before the point."""
    if math.isnan(value):
        return NOTHING
    if value < 0.001:
        return "< .001"
    return f"{value:.3f}".removeprefix("0")
