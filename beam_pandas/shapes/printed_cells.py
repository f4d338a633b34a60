"""Cells of printed tables: a score with its spread, marks and notes, or a word."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple

from beam_pandas.shapes.latex_marks import strip_latex
from beam_pandas.shapes.printed_marks import (
    BOLD,
    CLOSE,
    LOWERED,
    RAISED,
    drop_signs,
    strip_markdown,
)
from beam_pandas.shapes.printed_numbers import NUMBER

_MINUS: Final = "\\-\u2212\u2013"  # within brackets of a pattern
_NOTES: Final = "*†‡§¶#↑↓▲▼△▽✓✔★☆◦•°^'\u2019 \u00a0\u202f\u2009\t"
_NUMBER: Final = re.compile(NUMBER)
_INFINITE: Final = re.compile(rf"[+{_MINUS}]?\s*(?:inf|infinity|∞)", re.IGNORECASE)
_UNIT: Final = re.compile(r"%|[^\W\d_]+(?:/[^\W\d_]+)?")
_POWER: Final = re.compile(
    rf"[\s\xa0]*[\u00d7x·*][\s\xa0]*10(?:{RAISED}|\^)([+{_MINUS}]?[0-9]+){CLOSE}?"
)
_NOTHING: Final = rf"[{_MINUS}—]+|nan|n/?a"
_PLUS_MINUS: Final = re.compile(
    rf"(?:±|\+\s?/?\s?[{_MINUS}]|\+(?=\s*[0-9.]))\s*"
    rf"[{RAISED}{LOWERED}]?\s*({NUMBER}|{_NOTHING}){CLOSE}?",
    re.IGNORECASE,
)
_SIGNED: Final = re.compile(rf"[+{_MINUS}]")
_BRACKET: Final = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_IN_BRACKET: Final = re.compile(
    rf"(±|\+\s?/?\s?[{_MINUS}])?\s*((?![+{_MINUS}]){NUMBER})\s*(%|[^\W\d_]+)?",
    re.IGNORECASE,
)
_SCRIPT: Final = re.compile(rf"([{RAISED}{LOWERED}])([^{CLOSE}]*){CLOSE}")
_BOUND: Final = re.compile(
    rf"(?:[<>≤≥]=?)\s*{NUMBER}\s*"
    r"(?:d|days?|h|hr?s?|hours?|m|mins?|minutes?|s|secs?|seconds?|ms|[kmgt]i?b)\.?",
    re.IGNORECASE,
)
_SEVERAL: Final = re.compile(r"(?<!\+)/|\|")
_NOT_AVAILABLE: Final = re.compile(r"\bn/a\b", re.IGNORECASE)
_POWERS: Final = re.compile("[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_LEVEL: Final = str.maketrans("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹", "-+0123456789")
_NO_SCORE: Final = re.compile(_NOTHING, re.IGNORECASE)


class Cell(NamedTuple):
    """
    What one cell says, its numbers still as printed.

    Attributes
    ----------
    score, spread : str or None
        Numbers as printed; None where there is none.
    marked : bool
        Whether the score is bold or underlined.
    unit : str
        A percent sign or another unit behind the score.
    bracketed : bool
        Whether the spread is a whole number in brackets, beside a score that has decimals.
    notes : tuple of str
        What holds a number and is neither score nor spread, such as an interval.
    problem : {"", "several", "unreadable"}
        Why a text that holds a number gives no score.
    """

    score: str | None = None
    spread: str | None = None
    marked: bool = False
    unit: str = ""
    bracketed: bool = False
    notes: tuple[str, ...] = ()
    problem: str = ""


def read_cell(text: str, part: int | None = None) -> Cell:
    """
    Read one cell.

    Parameters
    ----------
    text : str
        The cell, in Markdown, HTML, LaTeX or plain.
    part : int, optional
        Which of several scores, parted by slashes, to take; the first is 1.
    """
    if part is None and text.isascii() and text.replace(".", "", 1).isdigit():
        return Cell(score=text)  # the most common by far
    signed = _POWERS.sub(_raise, strip_latex(strip_markdown(text))).strip()
    cell = _read(signed)
    if not cell.problem:
        whole = part is None or cell.score is None
        return cell if whole else Cell(problem="unreadable")
    pieces = _split_scores(signed)
    if len(pieces) < max(part or 0, 2):
        return cell
    return pieces[part - 1] if part else Cell(problem="several")


def _split_scores(signed: str) -> list[Cell]:
    """Read a cell with a slash between scores; none if one of them is no score."""
    pieces = _SEVERAL.split(_NOT_AVAILABLE.sub("-", signed))
    cells = [
        _read(piece)._replace(marked=marked)
        for piece, marked in zip(pieces, _marked_parts(pieces), strict=True)
    ]
    return [] if any(cell.problem for cell in cells) else cells


def _raise(found: re.Match[str]) -> str:
    return f"{RAISED}{found[0].translate(_LEVEL)}{CLOSE}"


def _read(signed: str) -> Cell:
    """Read a cell whose marks are signs: word, score, and then what follows it."""
    bare = _bare(signed)
    if not _holds_number(bare):
        infinite = _INFINITE.fullmatch(bare.strip(_NOTES))
        return Cell(score=infinite[0]) if infinite else Cell()
    if _BOUND.fullmatch(bare.strip()):
        return Cell()
    rest = _skip_notes(bare)
    found = _NUMBER.match(rest)
    if found is None:
        return Cell(problem="unreadable")
    score, at = found[0].rstrip(","), found.end()
    if power := _POWER.match(rest, at):
        score, at = f"{score}e{power[1]}", power.end()
    return _read_rest(rest[at:], Cell(score=score, marked=_is_marked(signed)))


def _read_rest(rest: str, cell: Cell) -> Cell:
    """Read what follows a score, piece by piece."""
    while rest := _skip_notes(rest):
        if found := _PLUS_MINUS.match(rest):
            cell = _add_spread(cell, found[1])
        elif found := _BRACKET.match(rest):
            cell = _add_bracket(cell, found[0], found[1] if found[1] is not None else "")
        elif found := _SCRIPT.match(rest):
            cell = _add_script(cell, found[1], found[2].strip())
        elif found := _UNIT.match(rest):
            if cell.unit not in ("", found[0]):
                return cell._replace(problem="unreadable")
            cell = cell._replace(unit=found[0])
        else:
            return cell._replace(problem="unreadable")
        if cell.problem:
            return cell
        rest = rest[found.end() :]
    return cell


def _add_spread(cell: Cell, number: str) -> Cell:
    if _NO_SCORE.fullmatch(number):
        return cell
    if cell.spread is not None or _SIGNED.match(number):
        return cell._replace(problem="unreadable")
    return cell._replace(spread=number.rstrip(","))


def _add_bracket(cell: Cell, whole: str, inner: str) -> Cell:
    """Take a plain number in round brackets as the spread, anything else as a note."""
    found = _IN_BRACKET.fullmatch(inner.strip())
    if found and cell.spread is None and found[3] in (None, "%", cell.unit):
        score = cell.score or ""
        decimals = any(sign in score for sign in ".,") and not found[1]
        bracketed = decimals and found[2].isdigit()
        return cell._replace(spread=found[2].rstrip(","), bracketed=bracketed)
    return _add_note(cell, whole)


def _add_script(cell: Cell, sign: str, inner: str) -> Cell:
    """Take a number below the line, or one behind ±, as the spread."""
    found = _IN_BRACKET.fullmatch(inner.strip("()"))
    if found and cell.spread is None and (sign == LOWERED or found[1]):
        return cell._replace(spread=found[2].rstrip(","))
    return _add_note(cell, inner)


def _add_note(cell: Cell, note: str) -> Cell:
    if not _holds_number(note):
        return cell
    return cell._replace(notes=(*cell.notes, drop_signs(note)))


def _bare(signed: str) -> str:
    """Drop the signs of bold, and a pair of brackets around everything."""
    depth: list[str] = []
    kept: list[str] = []
    for sign in signed:
        if sign in (BOLD, RAISED, LOWERED):
            depth.append(sign)
        closes = depth.pop() if sign == CLOSE and depth else ""
        if sign == BOLD or closes == BOLD or (sign == CLOSE and not closes):
            continue
        kept.append(sign)
    return "".join(kept).strip()


def _is_marked(signed: str) -> bool:
    """Tell whether the first digit is bold."""
    depth: list[str] = []
    for sign in signed:
        if sign in (BOLD, RAISED, LOWERED):
            depth.append(sign)
        elif sign == CLOSE and depth:
            depth.pop()
        elif sign.isdigit():
            return BOLD in depth
    return False


def _marked_parts(pieces: list[str]) -> list[bool]:
    """Tell which pieces are bold, where one mark may reach over several of them."""
    marked, depth = [], 0
    for piece in pieces:
        marked.append(_is_marked(BOLD * max(depth, 0) + piece))
        depth += piece.count(BOLD) - piece.count(CLOSE)
    return marked


def _skip_notes(text: str) -> str:
    """Go past stars, daggers, arrows and pictures."""
    at = 0
    while at < len(text) and (
        text[at] in _NOTES or unicodedata.category(text[at]) in ("So", "Mn", "Cf")
    ):
        at += 1
    return text[at:]


def _holds_number(text: str) -> bool:
    return any(sign.isnumeric() for sign in text)
