"""The cells of one printed table read together: numbers, spreads, marks and warnings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, ScoreTypeError, count, is_number, warn
from beam_pandas.shapes.printed_cells import Cell, read_cell
from beam_pandas.shapes.printed_grid import shorten
from beam_pandas.shapes.printed_marks import drop_signs
from beam_pandas.shapes.printed_numbers import decimal_sign, read_number

_INFINITE = ("inf", "infinity", "∞")


class CellOptions(NamedTuple):
    """
    How cells are to be read.

    Attributes
    ----------
    decimal : {".", ","} or None
        The decimal sign; None to tell it from all numbers of the table.
    part : int or None
        Which of several scores in a cell, the first is 1; None if there is one.
    missing : frozenset of str
        Texts that stand for no score, whatever they hold.
    """

    decimal: str | None = None
    part: int | None = None
    missing: frozenset[str] = frozenset()


class Scores(NamedTuple):
    """What the cells of a table say, an entry for each."""

    score: NDArray[np.float64]
    spread: NDArray[np.float64]
    marked: NDArray[np.bool_]


def check_options(decimal: object, part: object, missing: object) -> CellOptions:
    """Refuse options that cannot be, and put them together."""
    if decimal not in (None, ".", ","):
        raise BeamError(f"decimal must be one of ['.', ','] or None, got {decimal!r}")
    whole = isinstance(part, (int, np.integer)) and not isinstance(part, bool)
    if part is not None and not (whole and int(part) >= 1):  # type: ignore[call-overload]
        raise BeamError(f"part must be a whole number from 1 or None, got {part!r}")
    texts = list(missing) if isinstance(missing, (list, tuple, set, frozenset)) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise BeamError(f"missing must be a list of texts, got {shorten(missing)}")
    return CellOptions(
        None if decimal is None else str(decimal),
        None if part is None else int(part),  # type: ignore[call-overload]
        frozenset(drop_signs(str(text)) for text in texts),
    )


def read_cells(
    cells: Sequence[object],
    where: Callable[[int], str],
    options: CellOptions,
    tables: Sequence[Hashable] | None = None,
    notices: Iterable[str] = (),
) -> Scores:
    """
    Read the cells of a table.

    Parameters
    ----------
    cells : sequence
        Texts, numbers or missing values.
    where : callable
        Names the place of a cell, from its number.
    options : CellOptions
        How to read them.
    tables : sequence, optional
        What the cells belong to, such as a metric: one unit is needed within each.
    notices : iterable of str
        What else to say in the one warning.

    Raises
    ------
    ScoreTypeError
        If a text that holds a number gives no score, or a value is neither text nor number.
    BeamError
        If numbers can be read in two ways, or units differ.
    """
    read = [_read_any(cell, options) for cell in cells]
    _refuse_problems(cells, read, where, options)
    groups = [None] * len(read) if tables is None else list(tables)
    _check_units(cells, read, groups, where)
    read = _drop_whole_brackets(read, groups)
    printed = [text for cell in read for text in (cell.score, cell.spread) if text]
    decimal = decimal_sign((t for t in printed if t[0] not in "\0"), options.decimal)
    scores = _to_floats(cells, [cell.score for cell in read], decimal, where)
    spreads = _to_floats(cells, [cell.spread for cell in read], decimal, where)
    _warn_once(cells, read, options, notices)
    marked = np.array([cell.marked for cell in read], dtype=bool)
    return Scores(scores, spreads, marked)


def _read_any(value: object, options: CellOptions) -> Cell:
    """Read a text, or carry a number through; its digits are marked by a leading null."""
    if isinstance(value, str):
        if drop_signs(value) in options.missing:
            return Cell()
        return read_cell(value, options.part)
    if is_number(value):
        return Cell() if math.isnan(value) else Cell(score=f"\0{float(value)!r}")
    if pd.api.types.is_scalar(value) and pd.isna(value):  # type: ignore[call-overload]
        return Cell()
    return Cell(problem="type")


def _refuse_problems(
    cells: Sequence[object],
    read: Sequence[Cell],
    where: Callable[[int], str],
    options: CellOptions,
) -> None:
    """Refuse what cannot be read, with what to do about it."""
    odd = [at for at, cell in enumerate(read) if cell.problem]
    if not odd:
        return
    several = [at for at in odd if read[at].problem == "several"]
    if several:
        raise ScoreTypeError(
            f"cells must hold one score each, found {_name_cells(cells, several, where)} "
            "with several: read the first of them with part=1, the second with part=2"
        )
    alone = " (part is given, so each cell needs scores parted by '/')"
    raise ScoreTypeError(
        f"cells must hold one score or none, found {_name_cells(cells, odd, where)}"
        f"{alone if options.part else ''}: write the score alone, or list the text in "
        "missing=[...] if it stands for no score"
    )


def _name_cells(
    cells: Sequence[object], which: Sequence[int], where: Callable[[int], str]
) -> str:
    """Name cells with their places, at most five of them."""
    shown = ", ".join(f"{shorten(cells[at])} ({where(at)})" for at in which[:5])
    more = len(which) - 5
    return f"{shown} and {more:,} more" if more > 0 else shown


def _check_units(
    cells: Sequence[object],
    read: Sequence[Cell],
    groups: Sequence[Hashable],
    where: Callable[[int], str],
) -> None:
    """Refuse a percent sign or another unit that stands behind some scores only."""
    first: dict[Hashable, int] = {}
    for at, (cell, group) in enumerate(zip(read, groups, strict=True)):
        if cell.score is None:
            continue
        other = first.setdefault(group, at)
        if read[other].unit != cell.unit:
            percent = "%" in (cell.unit, read[other].unit)
            sign = "percent sign" if percent else "unit"
            raise BeamError(
                f"the same {sign} must stand behind all scores or none, found "
                f"{_name_cells(cells, [other, at], where)}: bring them to one unit"
            )


def _drop_whole_brackets(read: list[Cell], groups: Sequence[Hashable]) -> list[Cell]:
    """Make notes of whole numbers in brackets, which may be ranks, beside decimals."""
    spreads: dict[Hashable, bool] = {}
    for cell, group in zip(read, groups, strict=True):
        if cell.spread is not None:
            spreads[group] = spreads.get(group, True) and cell.bracketed
    return [
        cell._replace(spread=None, notes=(*cell.notes, f"({cell.spread})"))
        if cell.spread is not None and spreads[group]
        else cell
        for cell, group in zip(read, groups, strict=True)
    ]


def _to_floats(
    cells: Sequence[object],
    printed: Sequence[str | None],
    decimal: str,
    where: Callable[[int], str],
) -> NDArray[np.float64]:
    """Turn numbers as printed into floats, each number exactly as written."""
    values = np.full(len(printed), np.nan)
    odd = []
    for at, text in enumerate(printed):
        if text is None:
            continue
        try:
            values[at] = _to_float(text, decimal)
        except ValueError:
            odd.append(at)
    if odd:
        raise ScoreTypeError(
            f"{_name_cells(cells, odd, where)} cannot be read with {decimal!r} as the "
            "decimal sign, and with three digits after each sign between thousands"
        )
    return values


def _to_float(text: str, decimal: str) -> float:
    if text.startswith("\0"):
        return float(text[1:])
    if text.lower().endswith(_INFINITE):
        return -math.inf if text[0] in "-\u2212" else math.inf
    return read_number(text, decimal)


def _warn_once(
    cells: Sequence[object],
    read: Sequence[Cell],
    options: CellOptions,
    notices: Iterable[str],
) -> None:
    """Say in one warning what was taken as missing and what was left out."""
    words = Counter(
        cell.strip()
        for cell, said in zip(cells, read, strict=True)
        if isinstance(cell, str)
        and said.score is None
        and drop_signs(cell) not in options.missing
    )
    notes = Counter(note for cell in read for note in cell.notes)
    said = list(notices)
    if words:
        said.append(f"{_cells(words)} without a number taken as missing: {_tally(words)}")
    if notes:
        said.append(
            f"{_cells(notes)} with more than score and spread: left out {_tally(notes)}"
        )
    if said:
        warn("; ".join(said))


def _cells(tally: Counter[str]) -> str:
    return count(tally.total(), "cell")


def _tally(tally: Counter[str]) -> str:
    """Name texts with how often each occurs, the commonest first."""
    common = tally.most_common(5)
    shown = ", ".join(
        shorten(text) + (f" ({number:,} times)" if number > 1 else "")
        for text, number in common
    )
    more = len(tally) - len(common)
    return f"{shown} and {more:,} more" if more > 0 else shown
