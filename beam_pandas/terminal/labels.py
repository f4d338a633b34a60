"""Labels as a terminal may show them: printable, and short without becoming the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence


def printable(text: str) -> str:
    """Write signs that do not print, such as escape sequences, by their codes."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def show_label(label: object) -> str:
    """Write a label as it is, by repr if it holds signs that do not print."""
    text = str(label)
    return text if text.isprintable() else repr(text)


def shorten_names(labels: Iterable[object], width: int) -> list[str]:
    """
    Shorten names in the middle to a width; different ones never become the same.

    Parameters
    ----------
    labels : iterable
        Different labels.
    width : int
        At least 12.

    Returns
    -------
    list of str
        In the order given. Where head and tail do not tell two apart, what follows their
        common beginning is shown, and at last a number.
    """
    names = [show_label(label) for label in labels]
    short = [_cut_middle(name, width) for name in names]
    for group in _alike(short):
        cut = _cut_beginning([names[at] for at in group], width)
        for at, text in zip(group, cut, strict=True):
            short[at] = text
    room = width
    while groups := _alike(short):
        for at in (at for group in groups for at in group if len(names[at]) > width):
            short[at] = _cut_numbered(names[at], room, at + 1)
        room -= 1  # so that a number never stays with a text that was there before
    return short


def _alike(texts: Sequence[str]) -> list[list[int]]:
    """List the positions of texts that are the same."""
    places: dict[str, list[int]] = defaultdict(list)
    for at, text in enumerate(texts):
        places[text].append(at)
    return [group for group in places.values() if len(group) > 1]


def _cut_middle(text: str, width: int) -> str:
    if len(text) <= width:
        return text
    tail = (width - 3) // 2
    return f"{text[: width - 3 - tail]}...{text[-tail:]}"


def _cut_beginning(names: Sequence[str], width: int) -> list[str]:
    """Show what follows the beginning that all share."""
    first, last = min(names), max(names)  # between them stand all others
    same = [a == b for a, b in zip(first, last, strict=False)]
    start = same.index(False) if False in same else len(same)
    head = min(start, (width - 6) // 3)
    room = width - 6 - head
    return [
        name if len(name) <= width else f"{name[:head]}...{name[start : start + room]}..."
        for name in names
    ]


def _cut_numbered(name: str, width: int, number: int) -> str:
    """Cut a name that nothing else tells apart to its beginning and a number."""
    return f"{name[: max(width - 4 - len(str(number)), 0)]}...#{number}"
