"""The report as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from beam_pandas.terminal.blocks import Block, Detail, Heading, Rows, Sentence
from beam_pandas.terminal.labels import show_label

_SIGNS = re.compile(r"([\\`*_\[\]<>|~#])")


def to_markdown(blocks: Iterable[Block]) -> str:
    """Write blocks as Markdown: headings, paragraphs, lists and tables of pipes."""
    listed = list(blocks)
    lines: list[str] = []
    for block, after in pairwise([*listed, None]):
        if block is None:
            break
        lines += _write(block)
        if not (isinstance(block, Detail) and isinstance(after, Detail)):
            lines.append("")
    return "\n".join(lines).rstrip("\n")


def _write(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield f"## {_escape(block.text)}"
        case Sentence():
            yield _escape(block.text)
        case Detail():
            yield f"- {_escape(block.text.strip())}"
        case Rows():
            yield _row(block.heads)
            yield _row(["---", *["---:"] * len(block.cells)])
            for name, *cells in zip(block.names, *block.cells, strict=True):
                yield _row([_escape(show_label(name)), *map(str, cells)])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escape(text: str) -> str:
    """Keep signs of a label from being taken for those of Markdown."""
    return _SIGNS.sub(r"\\\1", text)
