"""Printed tables of papers and READMEs made long."""

from __future__ import annotations

import gzip
import os
from collections.abc import Hashable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Literal

import pandas as pd

from beam_pandas.errors import BeamError, within
from beam_pandas.shapes.printed_frames import parse_scores
from beam_pandas.shapes.printed_grid import Grid, check_whole, shorten
from beam_pandas.shapes.printed_long import read_grid
from beam_pandas.shapes.printed_scores import check_options
from beam_pandas.shapes.printed_sides import Orient, check_choice
from beam_pandas.shapes.printed_tables import find_tables

__all__ = ["parse_scores", "read_printed"]


def read_printed(
    source: str | os.PathLike[str],
    *,
    metric: Hashable = None,
    orient: Orient = None,
    method: Hashable = None,
    dataset: Hashable = None,
    scores: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    decimal: Literal[".", ","] | None = None,
    part: int | None = None,
    missing: Sequence[str] = (),
    table: int | None = None,
) -> pd.DataFrame:
    r"""
    Read a table as it is printed in a paper or a README into a long frame.

    Parameters
    ----------
    source : str or path
        A text with a line break is the table, any other the path of a file (also .gz).
        Markdown, LaTeX (``tabular`` and its kin, or rows of one), CSV (parted by commas
        or semicolons), TSV, or text aligned in columns. What stands around a table in
        Markdown or LaTeX is passed over. Two rows of headings are read in LaTeX, if one
        of them names metrics, or the lower one tells all columns apart.
    metric : label, optional
        Name of the metric, where the table does not give it.
    orient : {"datasets", "methods"}, optional
        What each row is. Needed if no heading, such as Dataset or Model, tells.
    method, dataset : label, optional
        Name of the only method or dataset, if each column is a metric.
    scores : list of str, optional
        Headings of the columns with scores. Left out, all with a number are taken, and
        columns of a wide table that look as if they described its rows, by name (rank,
        params) or by their numbers (counts beside fractions, 100 times apart), are refused.
    drop : list of str
        Headings of columns to leave out, such as a number of parameters.
    decimal : {".", ","}, optional
        The decimal sign; by default all numbers of the table together tell. The other
        sign parts thousands.
    part : int, optional
        Which score to take of cells with several, such as ``90.9/84.1``; the first is 1.
    missing : list of str
        Texts that stand for no score, whatever they hold. Without it, text without any
        number is missing, and so is a limit of time or memory, such as ``>24h``; a
        warning names them.
    table : int, optional
        Which table to take of a text with several; the first is 1.

    Returns
    -------
    DataFrame
        One row per cell, missing ones included, in the order of the table:

        - **method**, **dataset** : names as text, without marks of Markdown or LaTeX.
        - **metric** : as given or as in the table; without either there is no such column.
        - **run** : if a column of the table is called run, seed, fold or the like.
        - **score** : float64, in the unit of the table (91.0 for ``91.0 %``).
        - **spread** : float64, what stands behind ``±`` or in brackets, whatever it is
          (deviation, standard error); NaN where there is none.
        - **marked** : bool, whether the score is bold or underlined.

        Rows such as Average stay in.

    Raises
    ------
    ScoreTypeError
        If a text that holds a number cannot be read as a score, or is several.
    MissingColumnsError
        If no column holds scores.
    BeamError
        If the text is no table, headings do not tell methods from datasets, or numbers
        can be read in two ways. The message names the file.
    OSError
        If a file cannot be read.

    Warns
    -----
    BeamWarning
        Once, naming what was taken as missing or left out.

    See Also
    --------
    parse_scores : the same for the cells of a frame.
    from_matrix : for tables of numbers.

    Examples
    --------
    >>> import beam_pandas
    >>> text = '''
    ... | Dataset | SVM             | Forest      |
    ... |:--------|----------------:|------------:|
    ... | iris    | **0.95 ± 0.01** | 0.93 ± 0.02 |
    ... | wine    | 0.97 ± 0.01     | 0.97 ± 0.00 |
    ... '''
    >>> beam_pandas.read_printed(text, metric="accuracy")
       method dataset    metric  score  spread  marked
    0     SVM    iris  accuracy   0.95    0.01    True
    1  Forest    iris  accuracy   0.93    0.02   False
    2     SVM    wine  accuracy   0.97    0.01   False
    3  Forest    wine  accuracy   0.97    0.00   False
    """
    choice = check_choice(
        metric=metric,
        method=method,
        dataset=dataset,
        orient=orient,
        scores=scores,
        drop=drop,
    )
    options = check_options(decimal, part, missing)
    if not isinstance(source, (str, os.PathLike)):
        raise BeamError(f"source must be a text or a path, got {shorten(source)}")
    is_text = isinstance(source, str) and "\n" in source.strip("\n")
    with nullcontext() if is_text else within(os.fspath(source)):
        text = str(source) if is_text else _read_text(Path(source))
        grid = _choose(find_tables(text), table)
        check_whole(grid)
        return read_grid(grid, choice, options)


def _read_text(path: Path) -> str:
    raw = path.read_bytes()
    try:
        if raw[:2] == b"\x1f\x8b":
            raw = gzip.decompress(raw)
        return raw.decode("utf-8-sig")
    except (UnicodeDecodeError, EOFError, OSError) as error:
        raise BeamError(f"the file cannot be read as text in UTF-8, {error}") from error


def _choose(tables: list[Grid], number: int | None) -> Grid:
    """Take the only table, or the one that is asked for."""
    if number is None and len(tables) == 1:
        return tables[0]
    if number is None:
        found = ", ".join(
            f"{at} (line {table.line}: {shorten(' | '.join(table.heads[0]))})"
            for at, table in enumerate(tables[:5], start=1)
        )
        raise BeamError(
            f"one table is needed, found {len(tables)}: pass table=..., the number of the "
            f"one to read, among {found}{' and more' if len(tables) > 5 else ''}"
        )
    if isinstance(number, bool) or number not in range(1, len(tables) + 1):
        raise BeamError(
            f"table must be a whole number from 1 to {len(tables)}, got {number!r}"
        )
    return tables[number - 1]
