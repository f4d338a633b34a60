"""Printed tables found in a text and cut into cells."""

from __future__ import annotations

import csv
import io
import re
from typing import Final

from beam_pandas.errors import BeamError
from beam_pandas.shapes.latex_tables import find_latex, is_latex
from beam_pandas.shapes.printed_grid import Grid, name_row, shorten, without_empty_column
from beam_pandas.shapes.printed_marks import drop_signs, strip_markdown, unescape_markdown

_DASHES: Final = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*")
_RULE: Final = re.compile(r"[\s\-=─━═+|┼]*[\-=─━═][\s\-=─━═+|┼]*")
_PIPE: Final = re.compile(r"(?<!\\)\|")
_GAP: Final = re.compile(r"\s{2,}|\t")


def find_tables(text: str) -> list[Grid]:
    """
    Find every table of a text.

    Raises
    ------
    BeamError
        If nothing in the text is a table, or the rows of one differ in length.
    """
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if is_latex(text):
        return find_latex(text)
    if re.search(r"<table\b", text, re.IGNORECASE):
        raise BeamError(
            "a table in Markdown, LaTeX, CSV, TSV or aligned text is needed, found HTML: "
            "beam_pandas.parse_scores(pandas.read_html(..., thousands=None)[0])"
        )
    lines = text.split("\n")
    tables = _find_markdown(lines)
    return tables if tables else [_read_plain(lines)]


def _find_markdown(lines: list[str]) -> list[Grid]:
    """Find tables of pipes: a row of headings, a row of dashes, then rows."""
    tables = []
    at = 0
    while at < len(lines):
        if not _is_pipe_row(lines[at]):
            at += 1
            continue
        end = at
        while end < len(lines) and (_is_pipe_row(lines[end]) or _is_rule(lines[end])):
            end += 1
        block = [
            (number + 1, lines[number])
            for number in range(at, end)
            if not _is_rule(lines[number])
        ]
        if len(block) < end - at and len(block) > 1:  # a row of dashes is among them
            tables.append(_read_markdown(block))
        at = end
    return tables


def _is_pipe_row(line: str) -> bool:
    return bool(_PIPE.search(line))


def _is_rule(line: str) -> bool:
    """Tell whether a line holds nothing but dashes, as under the headings."""
    return bool(line.strip()) and bool(_DASHES.fullmatch(line) or _RULE.fullmatch(line))


def _read_markdown(block: list[tuple[int, str]]) -> Grid:
    rows = [(number, _split_pipes(line)) for number, line in block]
    width = len(rows[0][1])
    for number, row in rows:
        if len(row) > width:
            raise BeamError(
                f"rows must have as many cells as there are headings ({width}), found "
                f"{len(row)} in line {number} {shorten(lines_of(row))}: write '\\|' for a "
                "pipe within a cell"
            )
    cells = [row + [""] * (width - len(row)) for _, row in rows]
    heads = [_markdown_name(cell) for cell in cells[0]]
    body = [name_row(row, _markdown_name) for row in cells[1:]]
    return without_empty_column(Grid([heads], body, rows[0][0], "Markdown"))


def lines_of(row: list[str]) -> str:
    """Write a row for a message."""
    return " | ".join(row)


def _split_pipes(line: str) -> list[str]:
    line = line.strip()
    line = line[1:] if line.startswith("|") else line
    if line.endswith("|") and not line.endswith("\\|"):
        line = line[:-1]
    return [cell.replace("\\|", "|").strip() for cell in _PIPE.split(line)]


def _markdown_name(text: str) -> str:
    return drop_signs(unescape_markdown(strip_markdown(text)))


def _read_plain(lines: list[str]) -> Grid:
    """Read a text without marks of a table: parted by a sign, or aligned."""
    kept = [
        (number, line.rstrip())
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.startswith("```") and not _RULE.fullmatch(line)
    ]
    if len(kept) < 2:
        raise BeamError(
            "a table needs a row of headings and at least one more, found "
            f"{shorten(kept[0][1]) if kept else 'an empty text'}"
        )
    rows = [line for _, line in kept]
    if all(_is_pipe_row(row) for row in rows):
        return _read_markdown(kept)
    for sign in ("\t", ";", ","):
        cells = _split_by(rows, sign)
        if cells is not None:
            return _plain_grid(cells, kept[0][0], "TSV" if sign == "\t" else "CSV")
    for cut in (_cut_by_gaps, _cut_by_wide_spaces, _cut_by_spaces):
        cells = cut(rows)
        if cells is not None:
            return _plain_grid(cells, kept[0][0], "aligned")
    raise _no_table(kept)


def _plain_grid(cells: list[list[str]], line: int, kind: str) -> Grid:
    heads = [cell.strip() for cell in cells[0]]
    body = [name_row([cell.strip() for cell in row], str) for row in cells[1:]]
    return without_empty_column(Grid([heads], body, line, kind))


def _split_by(rows: list[str], sign: str) -> list[list[str]] | None:
    """Split rows by a sign, if all have the same number of cells, and more than one."""
    if sign not in rows[0] and not all(sign in row for row in rows[1:]):
        return None
    cells = list(csv.reader(io.StringIO("\n".join(rows)), delimiter=sign))
    widths = {len(row) for row in cells[1:]}
    if len(widths) != 1 or (width := widths.pop()) < 2:
        return None
    if len(cells[0]) == width - 1:  # as R writes the names of rows
        cells[0].insert(0, "")
    return cells if len(cells[0]) == width else None


def _cut_by_gaps(rows: list[str]) -> list[list[str]] | None:
    """Cut where at least two columns of the text are blank in every row."""
    width = max(len(row) for row in rows)
    padded = [row.expandtabs().ljust(width) for row in rows]
    width = max(len(row) for row in padded)
    blank = [all(row[at : at + 1] in ("", " ") for row in padded) for at in range(width)]
    starts = [
        at
        for at in range(width)
        if not blank[at] and (at == 0 or (blank[at - 1] and (at < 2 or blank[at - 2])))
    ]
    if blank and blank[0]:
        starts = starts[:1] + starts[1:]
    if len(starts) < 2:
        return None
    ends = [*starts[1:], width]
    cells = [
        [row[start:end].strip() for start, end in zip(starts, ends, strict=True)]
        for row in padded
    ]
    pieces = [[piece for piece in _GAP.split(row.strip()) if piece] for row in padded]
    filled = [[cell for cell in row if cell] for row in cells]
    return cells if filled == pieces else None  # no piece lies across a gap


def _cut_by_wide_spaces(rows: list[str]) -> list[list[str]] | None:
    return _cut_all([_GAP.split(row.strip()) for row in rows], rows[0])


def _cut_by_spaces(rows: list[str]) -> list[list[str]] | None:
    cells = [row.split() for row in rows]
    if not any(cell.strip("*_$-")[:1].isdigit() for row in cells[1:] for cell in row[1:]):
        return None  # words, and no table
    unnamed = len(cells[0]) == len(cells[1]) - 1 and not rows[0].startswith(" ")
    return None if unnamed else _cut_all(cells, rows[0])  # a name may be two words


def _cut_all(cells: list[list[str]], head: str) -> list[list[str]] | None:
    """Take rows of one length, whose headings may lack a name for the first column."""
    widths = {len(row) for row in cells[1:]}
    if len(widths) != 1 or (width := widths.pop()) < 2:
        return None
    if head[:1] == " " and len(cells[0]) == width:
        return None  # the first heading stands over a column of scores: a cell is empty
    if len(cells[0]) == width - 1:
        cells[0].insert(0, "")
    return cells if len(cells[0]) == width else None


def _no_table(kept: list[tuple[int, str]]) -> BeamError:
    """Build the error for a text that falls into no columns."""
    for sign, name in (("\t", "tabs"), (";", "semicolons"), (",", "commas")):
        if sign in kept[0][1]:
            lines = [line for _, line in kept]
            read = list(csv.reader(io.StringIO("\n".join(lines)), delimiter=sign))
            number, row = next(
                (
                    (number, row)
                    for (number, _), row in zip(kept, read, strict=False)
                    if len(row) != len(read[0])
                ),
                (kept[-1][0], read[-1]),
            )
            hint = "; is a comma used for decimals? then part cells by semicolons"
            return BeamError(
                f"rows must have as many cells as there are headings ({len(read[0])}), "
                f"parted by {name}, found {len(row)} in line {number} "
                f"{shorten(lines_of(row))}{hint if sign == ',' else ''}"
            )
    return BeamError(
        "columns must be parted by pipes, tabs, semicolons, commas, '&', or at least two "
        f"blanks, found none of these in all rows, the first: {shorten(kept[0][1])}, "
        f"{shorten(kept[1][1])}"
    )
