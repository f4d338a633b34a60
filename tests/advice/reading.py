"""What a message says to write, taken out of its text as code."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from tests.surface import FUNCTIONS


class Advice(NamedTuple):
    """What a message says to write: code of a frame, or an option."""

    code: str
    name: str  # of the option; "" for code

    def starts(self, words: str) -> bool:
        """Tell whether it begins with some words."""
        return self.code.startswith(words)


_START = re.compile(
    r"(?<![\w.'\"\])])(?:(?:df|pd|beam_pandas)(?=[.\[])|\.(?:str|dt|astype|map)\b|[a-z_]\w*=(?![=\s]))"
)
_NAMED = re.compile(r"(?<![\w.])([a-z_]+)\(\)")
_LISTED = re.compile(r"(\w+) must be one of (\[.*?\])")
_CLOSES = {"(": ")", "[": "]", "{": "}"}


def _end(text: str, start: int) -> int:
    """Find where code ends: at a space or a mark outside its brackets and quotes."""
    open_, at = [], start
    while at < len(text):
        letter = text[at]
        if letter in "'\"":
            quoted = re.compile(rf"{letter}(?:\\.|[^\\{letter}])*{letter}").match(text, at)
            if quoted is None:
                return at
            at = quoted.end()
            continue
        if letter in _CLOSES:
            open_.append(_CLOSES[letter])
        elif open_ and letter == open_[-1]:
            open_.pop()
        elif not open_ and letter in " ,;:)]}\n":
            return at
        at += 1
    return at


def advice_of(text: str) -> list[list[Advice]]:
    """List what a message says to write; what is joined by "and" goes together."""
    found: list[list[Advice]] = []
    for name, options in _LISTED.findall(text):
        found += [[Advice(f"{name}={each!r}", name)] for each in ast.literal_eval(options)]
    for name in dict.fromkeys(_NAMED.findall(text)):
        if name in FUNCTIONS:
            found.append([Advice(f"{name}()", "")])
    at, last = 0, -1
    while (start := _START.search(text, at)) is not None:
        end = _end(text, start.start())
        code = text[start.start() : end]
        if not code.endswith("..."):
            code = code.rstrip(".")
        at = max(end, start.end())
        name = start[0][:-1] if start[0].endswith("=") else ""
        if code.startswith("."):
            code = f"df[COLUMN]{code}"
        if not _is_code(code[len(name) + 1 :] if name else code, is_value=bool(name)):
            continue
        advice = Advice(code, name)
        joined = last >= 0 and re.fullmatch(r"\s*,?\s*and\s*", text[last : start.start()])
        if joined:
            found[-1].append(advice)
        else:
            found.append([advice])
        last = end
    return found


def _is_code(code: str, *, is_value: bool) -> bool:
    """Tell whether a text is a value, or an expression that does something."""
    try:
        body = ast.parse(code, mode="eval").body
    except SyntaxError:
        return False
    return is_value or isinstance(body, (ast.Call, ast.Subscript))
