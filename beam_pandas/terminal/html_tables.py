"""Tables of a page: captions, scopes, and what a script needs to sort them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from beam_pandas.terminal.blocks import Rows
from beam_pandas.terminal.html_cells import NONE, Column, safe, write_column, write_share
from beam_pandas.terminal.labels import show_label

#: Rows of a table that stand on the page; a result that is saved has all of them.
MOST_ROWS = 1000
_OPEN_ROWS = 40
_MOST_CELLS = 20_000


def write_frame(
    frame: pd.DataFrame, caption: str, name: str, *, n_labels: int = 1
) -> Iterator[str]:
    """
    Write a result, or the beginning of a long one.

    Parameters
    ----------
    frame : DataFrame
        The result; a column metric is left out.
    caption : str
        What it is.
    name : str
        Its id on the page.
    n_labels : int
        Leading columns that name the row.
    """
    shown = frame.drop(columns="metric", errors="ignore")
    most = min(MOST_ROWS, max(_MOST_CELLS // max(len(shown.columns), 1), 1))
    if len(shown) > most:
        caption = (
            f"{caption}. The first {most:,} of {len(shown):,} rows; "
            "--output FOLDER saves them all"
        )
        shown = shown.head(most)
    columns = [write_column(str(head), shown.iloc[:, at]) for at, head in _heads(shown)]
    yield from _fold(write_table(columns, caption, name, n_labels), len(shown), caption)


def _heads(frame: pd.DataFrame) -> list[tuple[int, object]]:
    return list(enumerate(frame.columns))


def write_scores(ranks: pd.DataFrame, caption: str, name: str) -> Iterator[str]:
    """Write scores with a row for each dataset and a column for each method."""
    wide = ranks.set_index(["dataset", "method"])["score"].unstack("method")  # noqa: PD010
    most = max(_MOST_CELLS // max(len(wide.columns), 1), 1)
    if len(wide) > most:
        caption = f"{caption}. The first {most:,} of {len(wide):,} datasets"
        wide = wide.head(most)
    labels = Column("dataset", False, [show_label(d) for d in wide.index], [])
    columns = [
        write_column("value", wide.iloc[:, at])._replace(head=show_label(method))
        for at, method in _heads(wide)
    ]
    table = write_table([labels, *columns], caption, name, 1)
    yield from _fold(table, len(wide), caption)


def write_rows(rows: Rows, caption: str, name: str) -> Iterator[str]:
    """Write a table of the report in words, whose cells are written already."""
    columns = [Column(rows.heads[0], False, [show_label(n) for n in rows.names], [])]
    for head, cells in zip(rows.heads[1:], rows.cells, strict=True):
        is_number = not any(cell[:1].isalpha() for cell in cells)
        keys = ["" if cell == "-" else cell.replace(",", "") for cell in cells]
        texts = [NONE if cell == "-" else cell for cell in cells]
        if head == "p":
            texts = [NONE if key == "" else write_share(float(key)) for key in keys]
        columns.append(Column(head, is_number, texts, keys if is_number else []))
    yield from write_table(columns, caption, name, 1)


def write_table(
    columns: Sequence[Column], caption: str, name: str, n_labels: int
) -> Iterator[str]:
    """Write a table that scrolls in a region of its own, which a keyboard reaches."""
    yield (
        f'<div class="scroll" role="region" tabindex="0" aria-labelledby="{name}-caption">'
        f'<table class="sortable" id="{name}">'
        f'<caption id="{name}-caption"><span>{safe(caption)}</span></caption><thead><tr>'
    )
    for column in columns:
        kind = ' class="n"' if column.is_number else ""
        yield f'<th scope="col"{kind}>{safe(column.head)}</th>'
    yield "</tr></thead><tbody>"
    cells = [list(_cells(column, at < n_labels)) for at, column in enumerate(columns)]
    for row in zip(*cells, strict=True):
        yield f"<tr>{''.join(row)}</tr>\n"
    yield "</tbody></table></div>\n"


def _cells(column: Column, is_label: bool) -> Iterator[str]:
    start, end = ('<th scope="row"', "</th>") if is_label else ("<td", "</td>")
    if column.is_number:
        start += ' class="n"'
    keys = column.keys or column.texts
    for text, key in zip(column.texts, keys, strict=True):
        sort = "" if key == text else f' data-v="{safe(key)}"'
        yield f"{start}{sort}>{safe(text)}{end}"


def _fold(table: Iterator[str], n_rows: int, caption: str) -> Iterator[str]:
    """Fold a long table, so that what comes after it is found."""
    if n_rows <= _OPEN_ROWS:
        yield from table
        return
    yield f"<details><summary>{safe(caption)} ({n_rows:,} rows)</summary>"
    yield from table
    yield "</details>\n"
