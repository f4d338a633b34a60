"""What a report consists of, whatever it is written in."""

from __future__ import annotations

from typing import NamedTuple


class Heading(NamedTuple):
    """What follows is about this."""

    text: str


class Sentence(NamedTuple):
    """A statement."""

    text: str


class Detail(NamedTuple):
    """What belongs to the sentence before."""

    text: str


class Rows(NamedTuple):
    """
    A table: a name in each row, then cells that are written already.

    Attributes
    ----------
    heads : list of str
        The first over the names.
    names : list of object
        Labels, all different.
    cells : list of list of str
        For each column but the first its cells.
    """

    heads: list[str]
    names: list[object]
    cells: list[list[str]]


Block = Heading | Sentence | Detail | Rows
