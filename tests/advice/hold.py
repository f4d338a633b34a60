"""What is held of every message: it has a case, comes from its site, and can be followed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from tests.advice.cases import Case, first
from tests.advice.follow import follow
from tests.advice.reasons import OPTION
from tests.advice.sites import Place, pattern, places

_ALLOWED = re.compile(
    r"\b(must|needs?|needed|cannot|can|is for|goes to|belong to|among|has|holds|names|leaves|are|matches|lacks|lists|there is no)\b"
)
_FOUND = re.compile(
    r"\b(got|found|cannot be read|there is no|unrecognized|names|leaves|lacks?|has|have|hold|is|are|asked for)\b"
)


def each_once(cases: Iterable[Case]) -> list[Any]:
    """Mark as slow the cases of a site that has one before."""
    seen: set[str] = set()
    marked = []
    for case in cases:
        again = case.site in seen
        seen.add(case.site)
        marked.append(pytest.param(case, marks=[pytest.mark.slow] if again else []))
    return marked


def hold(case: Case) -> None:
    """Hold that a case gives its message, and that following it does no harm."""
    assert case.site in places(), (
        f"no such site: {case.site!r}; its text, its function or its module has changed. "
        f"Near it: {_near(case.site)}"
    )
    outcome = first(case)
    text = outcome.said(case.site)
    assert text, (
        f"the case no longer gives the message of {case.site!r}, but "
        f"{[seen.site for seen in outcome.seen]}: {outcome.error!r}"
    )
    done = follow(case)
    if case.none:
        assert not done, f"{done} can be followed: give the case no reason against it"
        assert outcome.error is None or _FOUND.search(text), text
        assert case.none != OPTION or _ALLOWED.search(text), text
    else:
        assert done, (
            f"nothing was followed in {text!r}: give the case `follow`, or say in `none` "
            "why there is nothing to follow"
        )


def _near(site: str) -> list[str]:
    where = site.split(": ")[0]
    return [name for name in places() if name.startswith(where)]


def lacking(rooms: Sequence[str], cases: Iterable[Case]) -> list[str]:
    """List the sites and the pieces of some rooms that no case gives."""
    cases = list(cases)
    given = {case.site for case in cases}
    texts = list({seen.text for case in cases for seen in first(case).seen})
    return [
        name
        for name, place in places().items()
        if place.room in rooms and not _is_given(name, place, given, texts)
    ]


def _is_given(name: str, place: Place, given: set[str], texts: list[str]) -> bool:
    if place.kind == "site" or name in given:
        return name in given
    words = max(place.text.split("\0"), key=len)
    fits = pattern(place.text)
    return any(words in text and fits.search(text) for text in texts)


def complete(rooms: Sequence[str], cases: Iterable[Case]) -> None:
    """Hold that every message of some rooms has a case."""
    found = lacking(rooms, cases)
    listed = "\n".join(f"  {name}" for name in found)
    assert not found, (
        f"{len(found)} messages have no case:\n{listed}\n"
        f"Write one for each into tests/advice/test_{rooms[0]}.py: Case(name as above, "
        "function, frame, options), with a small input that gives the message; `fill` says "
        "what its gaps (...) are filled with. A text that gives no advice needs "
        "`none='why'`. What is a piece of a message needs a case whose message has it."
    )
