"""Columns of numbers: exactly as written, or refused with an option that reads them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from beam_pandas.errors import ScoreTypeError, shorten
from beam_pandas.gate.columns import read_numbers
from beam_pandas.shapes.csv_files import as_numbers
from beam_pandas.terminal.asked import Asked


def read_score_column(column: pd.Series, asked: Asked) -> pd.Series:
    """
    Read a column of scores.

    Parameters
    ----------
    column : Series
        Numbers, or text.
    asked : Asked
        The decimal sign, and what stands for no score.

    Raises
    ------
    ScoreTypeError
        If a score is no number. The message says where, and the option that reads it.
    """
    numeric = pd.api.types.is_numeric_dtype(column.dtype)
    if numeric and not pd.api.types.is_bool_dtype(column.dtype):
        values = read_numbers(column, f"column {column.name!r}")
        return pd.Series(values, index=column.index, name=column.name)
    present = column.where(~column.isin(asked.missing)) if asked.missing else column
    if asked.decimal == ",":
        from beam_pandas.shapes.printed import parse_scores  # slow to load

        frame = pd.DataFrame({"score": present.astype(object).where(present.notna(), None)})
        read = parse_scores(frame, decimal=asked.decimal, missing=asked.missing)
        return pd.Series(read["score"].array, index=column.index, name=column.name)
    plain = _plain_numbers(present.tolist())
    if plain is not None:
        return pd.Series(plain, index=column.index, name=column.name)
    texts = present.map(_as_text, na_action="ignore")
    numbers = as_numbers(texts)
    if numbers.dtype != "float64":
        raise _odd_score(texts, column)
    return numbers


def _plain_numbers(cells: Sequence[object]) -> list[float] | None:
    """Read a column at once if every cell is a plain number or empty."""
    texts = [cell for cell in cells if isinstance(cell, str)]
    together = "".join(texts)
    if "_" in together or not together.isascii():
        return None  # which `read_number` refuses
    if len(texts) + cells.count(None) < len(cells):
        return None
    try:
        return [math.nan if cell is None else float(str(cell)) for cell in cells]
    except ValueError:
        return None


def _as_text(cell: object) -> str:
    """Write a cell as text; a truth value is no number."""
    return cell.strip() if isinstance(cell, str) else repr(cell)


def _odd_score(texts: pd.Series, column: pd.Series) -> ScoreTypeError:
    """Say which score is no number, and what would read it."""
    at, text = next(
        (at, text)
        for at, text in enumerate(texts)
        if not pd.isna(text) and as_numbers(pd.Series([text])).dtype != "float64"
    )
    return ScoreTypeError(
        f"column {column.name!r} must hold numbers, found {shorten(column.iloc[at])} in "
        f"row {at + 1} below the headings: {_way_out(text)}"
    )


def _way_out(text: str) -> str:
    if not any(sign.isdigit() for sign in text):
        word = text if text.isalnum() and len(text) < 40 else shorten(text)
        return f"if it stands for no score, --na {word}"
    if "_" in text or any(sign.isdigit() and not sign.isascii() for sign in text):
        return "write numbers in the digits 0 to 9, without '_' between them"
    if "," in text:
        return (
            "--decimal , if a comma parts the decimals, --decimal . --format printed if it "
            "parts thousands"
        )
    return "--format printed reads numbers beside other signs"
