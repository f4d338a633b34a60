"""Numbers as they are printed: what a point and a comma mean in a table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from beam_pandas.errors import BeamError

_SIGNS: Final = "-+\u2212\u2013\u2010\u2011\u2012\ufe63\uff0d"
_SPACES: Final = "\u00a0\u2007\u2009\u202f"  # those that part thousands
#: A number as printed: sign, digits with what parts them, power of ten.
NUMBER: Final = (
    rf"(?:[{_SIGNS}]\s*)?(?:[0-9](?:[0-9.,'\u2019]|[{_SPACES}](?=[0-9]{{3}}(?![0-9])))*"
    rf"|[.,][0-9]+)(?:[eE][{_SIGNS}]?[0-9]+)?"
)
_PARTS: Final = re.compile(rf"([{_SIGNS}]?)\s*([^eE]*)(?:[eE](.*))?")
_POINT_LAST: Final = re.compile(
    r"[0-9]{1,3}(?:,[0-9]{3})+\.[0-9]*|[0-9]{1,3}(?:,[0-9]{3}){2,}"
)
_COMMA_LAST: Final = re.compile(
    r"[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]*|[0-9]{1,3}(?:\.[0-9]{3}){2,}"
)
_MINUS: Final = frozenset(_SIGNS) - {"+"}


class Marks(NamedTuple):
    """Examples of numbers that say, or leave open, what a point and a comma mean."""

    point: str | None  # says that a point is the decimal sign
    comma: str | None  # says that a comma is
    open_point: str | None  # 1.014
    open_comma: str | None  # 1,014


def decimal_sign(numbers: Iterable[str], decimal: str | None) -> str:
    """
    Tell the decimal sign of a table from all its numbers.

    Parameters
    ----------
    numbers : iterable of str
        Numbers as printed.
    decimal : {".", ","} or None
        The sign, if the caller knows it.

    Raises
    ------
    BeamError
        If numbers contradict each other, or one such as ``1,014`` can be read in two ways.
    """
    if decimal is not None:
        return decimal
    marks = _find_marks(numbers)
    if marks.point and marks.comma:
        raise BeamError(
            f"one decimal sign is needed, found both: {marks.point!r} has a point and "
            f"{marks.comma!r} a comma; read them as two tables, or pass decimal='.' or "
            "decimal=',' if one of them is thousands"
        )
    if marks.comma:
        return ","
    if marks.open_comma and not marks.point:
        whole = marks.open_comma.replace(",", "")
        broken = marks.open_comma.replace(",", ".")
        raise BeamError(
            f"{marks.open_comma!r} can be read in two ways and no number says which: as "
            f"{whole} (the comma parts thousands), pass decimal='.', or as {broken} (it is "
            "the decimal sign), pass decimal=','"
        )
    return "."


def read_number(text: str, decimal: str) -> float:
    """
    Read one number as printed.

    Raises
    ------
    ValueError
        If it is none with this decimal sign.
    """
    found = _PARTS.fullmatch(text.strip())
    if not found:
        raise ValueError(text)
    sign, digits, power = found.groups()
    other = "," if decimal == "." else "."
    whole, _, rest = digits.partition(decimal)
    whole = _join_thousands(whole, other)
    if not (whole or rest) or (rest and not _plain(rest)):
        raise ValueError(text)
    exponent = "0" if power is None else _ascii_sign(power)
    return float(f"{_ascii_sign(sign)}{whole or '0'}.{rest or '0'}e{exponent}")


def _join_thousands(whole: str, other: str) -> str:
    """Take the signs between thousands out, if there are three digits after each."""
    if not whole or _plain(whole):
        return whole
    for sign in (other, "'", "\u2019", *_SPACES):
        first, *groups = whole.split(sign)
        if groups and 1 <= len(first) <= 3 and all(len(group) == 3 for group in groups):
            joined = first + "".join(groups)
            if _plain(joined):
                return joined
    raise ValueError(whole)


def _plain(digits: str) -> bool:
    return digits.isascii() and digits.isdigit()


def _ascii_sign(text: str) -> str:
    return "".join("-" if sign in _MINUS else sign for sign in text)


def _find_marks(numbers: Iterable[str]) -> Marks:
    """Find the first example of each kind."""
    found: dict[str, str] = {}
    for number in numbers:
        match = _PARTS.fullmatch(number.strip())
        if match and (kind := _kind(match[2])):
            found.setdefault(kind, number.strip())
    return Marks(*(found.get(kind) for kind in Marks._fields))


def _kind(digits: str) -> str | None:
    """Tell what the signs in one number say."""
    points, commas = digits.count("."), digits.count(",")
    if not (points or commas):
        return None
    if _POINT_LAST.fullmatch(digits):
        return "point"
    if _COMMA_LAST.fullmatch(digits):
        return "comma"
    if points + commas > 1:
        return None  # no number in either reading
    name = "point" if points else "comma"
    head, tail = digits.split("." if points else ",")
    closed = len(tail) != 3 or not 1 <= len(head) <= 3 or head.startswith("0")
    return name if closed else f"open_{name}"
