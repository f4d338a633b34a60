"""Numbers and words of a result, as a reader of a page takes them in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any, Final, NamedTuple

import pandas as pd

from beam_pandas.terminal.labels import printable, show_label

NONE: Final = "n/a"
_MINUS: Final = "\u2212"
#: Columns of labels, which may be numbers and are none to compute with.
_LABELS: Final = ("method", "method_1", "method_2", "dataset", "control", "best_method")
_DIGITS: Final = 4  # of the largest number of a column
_MOST_DECIMALS: Final = 6


class Column(NamedTuple):
    """
    A column of a table, written.

    Attributes
    ----------
    head : str
        Its name.
    is_number : bool
        Whether it stands to the right and is sorted by size.
    texts : list of str
        What is read.
    keys : list of str
        What is sorted by, where the text does not tell; empty where nothing is there.
    """

    head: str
    is_number: bool
    texts: list[str]
    keys: list[str]


def write_column(head: str, values: pd.Series) -> Column:
    """Write a column by its name and its dtype."""
    found: list[Any] = [None if pd.isna(value) else value for value in values.tolist()]
    if pd.api.types.is_bool_dtype(values):
        texts = ["yes" if value else "no" for value in found]
        return Column(head, False, texts, texts)
    if head in _LABELS or not pd.api.types.is_numeric_dtype(values):
        texts = [NONE if value is None else show_label(value) for value in found]
        return Column(head, False, texts, ["" if v is None else str(v) for v in found])
    keys = ["" if value is None else _key(value) for value in found]
    if head.startswith(("p_", "prob_")) or head.endswith("_p_value"):
        texts = [NONE if value is None else write_share(value) for value in found]
    elif pd.api.types.is_integer_dtype(values):
        texts = [NONE if value is None else _signed(str(value)) for value in found]
    elif head.startswith(("share_", "expected_")) or head == "standing":
        texts = [NONE if value is None else f"{value:.3f}" for value in found]
    else:
        texts = write_floats(found)
    return Column(head, True, texts, keys)


def write_share(value: float) -> str:
    """Write a probability with three decimals; never as 0 or 1 what is neither."""
    if value in (0.0, 1.0):
        return f"{value:.0f}"
    if value < 0.001:
        return "< .001"
    if value > 0.999:
        return "> .999"
    return f"{value:.3f}".removeprefix("0")


def write_floats(values: Sequence[float | None]) -> list[str]:
    """Write numbers with the decimals that give the largest of them four digits."""
    sizes = [abs(v) for v in values if v is not None and math.isfinite(v) and v]
    if not sizes:
        return [NONE if value is None else _float(value, 1.0, 0) for value in values]
    top = max(sizes)
    decimals = min(max(_DIGITS - 1 - math.floor(math.log10(top)), 0), _MOST_DECIMALS)
    return [NONE if value is None else _float(value, top, decimals) for value in values]


def _float(value: float, top: float, decimals: int) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else f"{_MINUS}∞"
    if top >= 1e9 or top < 10.0**-_MOST_DECIMALS:
        return _signed(f"{value:.3e}" if value else "0")
    text = f"{value:.{decimals}f}"
    return _signed(text.removeprefix("-") if float(text) == 0 else text)


def _signed(text: str) -> str:
    return f"{_MINUS}{text[1:]}" if text.startswith("-") else text


def _key(value: float) -> str:
    """Write a number for a script to sort by."""
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def safe(text: object) -> str:
    """Escape a text for a page, within and without quotes; signs that do not print, too."""
    return escape(printable(str(text)), quote=True)
