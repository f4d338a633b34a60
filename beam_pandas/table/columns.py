"""How each column of a result is headed and written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pandas as pd

from beam_pandas.results.vocabulary import LABEL, SOME_LABEL, VOCABULARY
from beam_pandas.table.numbers import NOTHING, Digits, Style, style_of, write_p
from beam_pandas.table.plan import Cell, label_text

_HEADINGS: Final = {
    "mean_diff": "mean difference",
    "median_diff": "median difference",
    "rank_diff": "rank difference",
    "p_value": "p",
    "p_adjusted": "p adjusted",
    "exact_p_value": "exact p",
    "f_p_value": "p of F",
    "friedman_p_value": "Friedman p",
    "friedman_statistic": "Friedman statistic",
    "f_statistic": "F",
    "kendall_w": "Kendall W",
    "kendall_tau": "Kendall tau",
    "cohen_d": "Cohen d",
    "elo": "Elo",
    "in_smith_set": "in Smith set",
    "ci_level": "level of interval",
    "ci_low": "interval",
    "prob_best": "P(best)",
    "prob_top": "P(top)",
    "prob_better": "P(better)",
    "prob_equivalent": "P(equivalent)",
    "prob_worse": "P(worse)",
}
_RANKS: Final = 2  # decimals of mean ranks and their differences
_OF_RANKS: Final = {"rank_diff", "critical_difference", "largest_rank_diff", "rank_shift"}
_SHARES: Final = 3  # and of shares and probabilities


def heading(name: str) -> str:
    """Head a column of a result."""
    return _HEADINGS.get(name, name.removeprefix("n_").replace("_", " "))


def is_p_value(name: object) -> bool:
    """Tell whether a column holds p-values."""
    return isinstance(name, str) and (
        name.startswith(("p_value", "p_adjusted")) or name.endswith("p_value")
    )


def is_text(name: str) -> bool:
    """Tell whether a column holds words or labels, which are aligned left."""
    return VOCABULARY[name].dtype in (LABEL, SOME_LABEL, "str", "bool")


def write_column(part: pd.DataFrame, name: str, digits: Digits) -> list[Cell]:
    """
    Write a column of a result.

    Parameters
    ----------
    part : DataFrame
        The rows of one metric and group: the numbers of a column have as many decimals.
    name : str
        Of the column, one of the vocabulary; ``"ci_low"`` stands for both ends.
    digits : int or "auto"
        Number of decimals of what is no p-value and no whole number.
    """
    column = part[name]
    kind = VOCABULARY[name].dtype
    if kind == "bool":
        return [_missing_or(value, _truth) for value in column.tolist()]
    if is_text(name):
        return [_missing_or(value, label_text) for value in column.tolist()]
    values = read_numbers(column)
    if is_p_value(name):
        return [Cell(write_p(value)) for value in values.tolist()]
    form = _form(part, name, values, digits)
    texts = [form.write(value) for value in values.tolist()]
    if name == "ci_low" and "ci_high" in part:
        ends = read_numbers(part["ci_high"]).tolist()
        texts = [
            NOTHING if low == NOTHING and end != end else f"[{low}, {form.write(end)}]"
            for low, end in zip(texts, ends, strict=True)
        ]
    return [Cell(text) for text in texts]


def read_numbers(column: pd.Series) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Read the numbers of a column; what is none is missing."""
    return pd.to_numeric(column, errors="coerce").to_numpy(np.float64, na_value=np.nan)


def _form(part: pd.DataFrame, name: str, values: Any, digits: Digits) -> Style:
    """Choose how the numbers of a column are written."""
    if VOCABULARY[name].dtype == "int64":
        return Style(0)
    if digits != "auto":
        return Style(int(digits))
    if "mean_rank" in name or name in _OF_RANKS:
        return Style(_RANKS)
    if name == "standing" or name.startswith(("share", "prob_", "expected_", "kendall")):
        return Style(_SHARES)
    if name in ("ci_low", "ci_high", "standard_error") and "mean_rank" in part:
        return Style(_RANKS)
    if name in ("ci_low", "ci_high"):
        ends = [read_numbers(part[end]) for end in ("ci_low", "ci_high") if end in part]
        return style_of(np.concatenate(ends))
    return style_of(values)


def _missing_or(value: Any, write: Callable[[Any], str]) -> Cell:
    """Write a word, or a dash for what is missing."""
    missing = pd.api.types.is_scalar(value) and pd.isna(value)
    return Cell(NOTHING if missing else write(value), is_label=True)


def _truth(value: object) -> str:
    return "yes" if value else "no"
