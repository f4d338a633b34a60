"""The report as lines of text for a terminal, at most 80 columns wide."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from itertools import chain

from beam_pandas.terminal.blocks import Block, Detail, Heading, Rows, Sentence
from beam_pandas.terminal.labels import shorten_names

WIDTH = 80


def to_lines(blocks: Iterable[Block]) -> Iterator[str]:
    """Write blocks line by line."""
    for block in blocks:
        match block:
            case Heading() | Sentence():
                yield from _wrap(block.text, "")
            case Detail():
                yield from _wrap(block.text, "  ")
            case Rows():
                yield from _table(block)


def _wrap(text: str, indent: str) -> list[str]:
    lead = len(text) - len(text.lstrip())
    return textwrap.wrap(
        text.lstrip(),
        WIDTH,
        initial_indent=indent + " " * lead,
        subsequent_indent=indent + "  " if indent else "",
        break_on_hyphens=False,
    ) or [""]


def _table(rows: Rows) -> Iterator[str]:
    """Write a table: names to the left, numbers to the right, words to the left."""
    kinds = [_is_words(column) for column in rows.cells]
    widths = [
        max(map(len, chain([head], column)))
        for head, column in zip(rows.heads[1:], rows.cells, strict=True)
    ]
    room = max(WIDTH - 2 - sum(width + 2 for width in widths), 12)
    names = shorten_names(rows.names, min(room, 44))
    first = max(map(len, [rows.heads[0], *names]))
    columns = [
        [head, *cells] for head, cells in zip(rows.heads[1:], rows.cells, strict=True)
    ]
    for at, name in enumerate([rows.heads[0], *names]):
        cells = [
            f"{column[at]:<{width}}" if words else f"{column[at]:>{width}}"
            for column, width, words in zip(columns, widths, kinds, strict=True)
        ]
        yield "  ".join([f"  {name:<{first}}", *cells]).rstrip()


def _is_words(column: list[str]) -> bool:
    return any(cell[:1].isalpha() for cell in column)
