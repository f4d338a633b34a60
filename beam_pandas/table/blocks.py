"""The cells of a table of scores, metric by metric, before they are put in order."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from beam_pandas.errors import BeamError
from beam_pandas.table.marks import Verdicts, symbols
from beam_pandas.table.numbers import Digits, Style, style_of, styles_of_rows
from beam_pandas.table.plan import Cell, Emphasis

if TYPE_CHECKING:
    from beam_pandas.statistics.score_tables import ScoreTable

_RANK_DECIMALS = 2


class Look(NamedTuple):
    """How the cells of a table look."""

    digits: Digits
    best: Emphasis
    second: Emphasis
    footer: tuple[str, ...]


class Block(NamedTuple):
    """What a table shows of one metric, datasets in the rows and methods in the columns."""

    table: ScoreTable
    cells: list[list[Cell]]  # a row for each dataset, then one for each footer
    footer: tuple[str, ...]
    symbols: list[str]  # of the methods
    against: list[Hashable]  # the methods that the others were compared with


def make_block(
    table: ScoreTable, look: Look, verdicts: Verdicts | None, chosen: list[Hashable]
) -> Block:
    """Write the cells of a metric."""
    styles = styles_of_rows(table.value, table.spread, look.digits)
    emphases: list[Emphasis] = [None, look.best, look.second]
    cells = []
    rows = zip(
        styles,
        table.value.tolist(),
        table.spread.tolist(),
        table.places.tolist(),
        strict=True,
    )
    for form, values, spreads, places in rows:
        row = zip(values, spreads, places, strict=True)
        cells.append([_cell(form, *each, emphases) for each in row])
    against, heads = list[Hashable](), [""] * len(table.methods)
    if verdicts is not None:
        against = chosen or _best_methods(table)
        if verdicts.by_dataset:
            _mark_cells(table, cells, verdicts, chosen)
        else:
            present = table.n_datasets > 0
            names = table.methods.tolist()
            heads = symbols(verdicts, table.metric, None, names, against, present)
    footer = look.footer
    if footer and not table.is_complete:
        footer = (*footer, "n_datasets")
    cells += [_footer_row(table, name, look, styles) for name in footer]
    return Block(table, cells, footer, heads, against)


def with_marks_below(block: Block) -> Block:
    """Put the marks of the methods at their mean rank, else the first of the footer."""
    if not block.footer:
        raise BeamError(
            "marks stand in the footer where there are several metrics: leave footer out, "
            "or make a table of each metric"
        )
    name = "mean_rank" if "mean_rank" in block.footer else block.footer[0]
    at = len(block.table.datasets) + block.footer.index(name)
    cells = list(block.cells)
    pairs = zip(cells[at], block.symbols, strict=True)
    cells[at] = [cell._replace(tail=cell.tail + symbol) for cell, symbol in pairs]
    return block._replace(cells=cells)


def _cell(
    form: Style, value: float, spread: float, place: int, emphases: list[Emphasis]
) -> Cell:
    """Write a score and its spread."""
    text = form.write(value)
    tail = "" if spread != spread else f" ± {form.write(spread)}"
    return Cell(text, emphases[place], tail)


def _best_methods(table: ScoreTable) -> list[Hashable]:
    """List the methods of the best mean rank."""
    mean = table.mean_rank
    best: list[Hashable] = table.methods[mean == np.nanmin(mean)].tolist()
    return best


def _mark_cells(
    table: ScoreTable, cells: list[list[Cell]], verdicts: Verdicts, chosen: list[Hashable]
) -> None:
    """Mark the cells of methods that differ on a dataset."""
    methods = table.methods.tolist()
    present, is_best = ~np.isnan(table.value), table.places == 1
    for at, dataset in enumerate(table.datasets.tolist()):
        against = chosen or table.methods[is_best[at]].tolist()
        found = symbols(verdicts, table.metric, dataset, methods, against, present[at])
        cells[at] = [
            cell._replace(tail=cell.tail + symbol) if symbol else cell
            for cell, symbol in zip(cells[at], found, strict=True)
        ]


def _footer_row(
    table: ScoreTable, name: str, look: Look, styles: list[Style]
) -> list[Cell]:
    """Write a row below the datasets."""
    values = np.asarray(getattr(table, name), dtype=np.float64)
    if name == "mean":
        plain = [each.decimals for each in styles if not each.is_exponential]
        form = Style(max(plain)) if len(plain) == len(styles) else style_of(values)
    elif name == "mean_rank":
        form = Style(_RANK_DECIMALS if look.digits == "auto" else int(look.digits))
    else:
        form = Style(0)
    texts = [form.write(value) for value in values.tolist()]
    emphases: list[Emphasis] = [None, look.best, look.second]
    places = table.places_below(name).tolist()
    return [Cell(text, emphases[place]) for text, place in zip(texts, places, strict=True)]
