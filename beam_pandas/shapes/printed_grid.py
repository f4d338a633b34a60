"""A printed table cut into cells, whatever it was written in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from beam_pandas.errors import BeamError

_CUT_SHORT: Final = frozenset({"...", "…", "⋮", "⋯", "<truncated>"})
_WIDTH: Final = 80  # of a value in a message


class Cut(NamedTuple):
    """One cell: as printed, and as a name without its marks."""

    text: str
    name: str


class Grid(NamedTuple):
    """
    One table.

    Attributes
    ----------
    heads : list of list of str
        One or two rows of headings, as names.
    rows : list of list of Cut
        As many cells in each as there are headings.
    line : int
        Where the table begins in the text.
    kind : str
        What it was written in, for messages.
    """

    heads: list[list[str]]
    rows: list[list[Cut]]
    line: int
    kind: str


def name_row(row: list[str], name: Callable[[str], str]) -> list[Cut]:
    """Take the cells of a row with their names."""
    return [Cut(text, name(text)) for text in row]


def without_empty_column(grid: Grid) -> Grid:
    """Drop a last column without heading and cells, as a sign at the end of lines makes."""
    empty = len(grid.heads[0]) > 1 and not any(
        [*(heads[-1] for heads in grid.heads), *(row[-1].text for row in grid.rows)]
    )
    if not empty:
        return grid
    return grid._replace(
        heads=[heads[:-1] for heads in grid.heads], rows=[row[:-1] for row in grid.rows]
    )


def check_whole(grid: Grid) -> None:
    """Refuse a table that was cut short when it was printed."""
    for row in [grid.heads[0], *([cell.name for cell in row] for row in grid.rows)]:
        for name in row:
            if name in _CUT_SHORT:
                raise BeamError(
                    f"the whole table is needed, found {name!r} in place of a column or "
                    "row: print it whole, such as with df.to_string() or df.to_csv()"
                )


def shorten(value: object) -> str:
    """Write a value by repr, cut at 80 characters."""
    if isinstance(value, str) and len(value) > _WIDTH:
        return f"{value[: _WIDTH - 1]!r}…"
    text = repr(value)
    return text if len(text) <= _WIDTH + 2 else f"{text[:_WIDTH]}…"


def cut_text(value: object) -> str:
    """Cut a label for a message at 80 characters."""
    text = str(value)
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"
