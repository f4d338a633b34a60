"""References of a docstring as a numbered list whose DOIs lead to the paper."""

from __future__ import annotations

import re
from typing import Any

_HEADING = ["References", "----------"]
_AUTHOR = re.compile(r"[A-ZÀ-Ž][\w'-]+(?: [A-ZÀ-Ž]\w+)*, [A-Z]\.")
_DOI = re.compile(r"doi:(10\.\d+/\S*[^\s.,;])")


def split_references(lines: list[str]) -> list[str]:
    """
    Split a section into its references, each in one line.

    A new one begins at an empty line, or at an author if the line before ends no list of
    authors.
    """
    found: list[str] = []
    begins = True
    for line in lines:
        text = line.strip()
        if not text:
            begins = True
            continue
        if begins or (_AUTHOR.match(text) and not found[-1].endswith((",", "and"))):
            found.append(text)
        else:
            found[-1] += f" {text}"
        begins = False
    return found


def as_list(references: list[str]) -> list[str]:
    """Write a numbered list, in reStructuredText, whose DOIs are links."""
    return [
        f"{at}. " + _DOI.sub(r"`doi:\1 <https://doi.org/\1>`__", text)
        for at, text in enumerate(references, start=1)
    ]


def number_references(
    _app: Any, _what: str, _name: str, _obj: Any, _options: Any, lines: list[str]
) -> None:
    """Rewrite the references of a docstring before numpydoc reads it."""
    for start in range(len(lines) - 1):
        if [line.strip() for line in lines[start : start + 2]] == _HEADING:
            break
    else:
        return
    start += 2
    end = start
    while end < len(lines) and not (
        end + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[end + 1].strip())
    ):
        end += 1
    lines[start:end] = [*as_list(split_references(lines[start:end])), ""]
