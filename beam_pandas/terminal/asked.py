"""What the command line says of the columns, taken out of its options."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from typing import Literal, NamedTuple

from beam_pandas.terminal.options import UsageError


class Asked(NamedTuple):
    """
    What is said of the columns of all files.

    Attributes
    ----------
    method, dataset, score : tuple of str
        Columns; several of the first two are joined.
    metric_column, run : str or None
        Columns.
    wide : bool
        Whether columns are methods, or datasets.
    rows : {"datasets", "methods"} or None
        What rows of a wide or printed table are.
    methods, datasets : tuple of str or None
        The only ones to take.
    drop : tuple of str
        Columns to leave out.
    metric : str or None
        Name of the metric of a table that does not tell it.
    decimal : {".", ","} or None
        The decimal sign.
    missing : tuple of str
        Texts that stand for no score.
    beside : tuple of str
        Columns of numbers for each score, such as a rope.
    """

    method: tuple[str, ...]
    dataset: tuple[str, ...]
    score: tuple[str, ...]
    metric_column: str | None
    run: str | None
    wide: bool
    rows: Literal["datasets", "methods"] | None
    methods: tuple[str, ...] | None
    datasets: tuple[str, ...] | None
    drop: tuple[str, ...]
    metric: str | None
    decimal: Literal[".", ","] | None
    missing: tuple[str, ...]
    beside: tuple[str, ...]

    @property
    def is_wide(self) -> bool:
        """Whether a column for each method or dataset was asked for."""
        return self.wide or self.rows is not None


def read_asked(options: argparse.Namespace) -> Asked:
    """Take what is said of columns out of the options."""
    ropes = [word.rpartition("=")[2] for word in options.rope or []]
    metrics = options.metric or []
    return Asked(
        method=tuple(options.method or ()),
        dataset=tuple(options.dataset or ()),
        score=tuple(options.score or ()),
        metric_column=options.metric_column,
        run=options.run,
        wide=options.wide,
        rows=_rows(options),
        methods=split_names(options.methods),
        datasets=split_names(options.datasets),
        drop=split_names(options.drop) or (),
        metric=metrics[0] if len(metrics) == 1 else None,
        decimal=options.decimal,
        missing=tuple(options.na),
        beside=tuple(word for word in ropes if not _says_width(word)),
    )


def _rows(options: argparse.Namespace) -> Literal["datasets", "methods"] | None:
    """Tell what the rows of a wide table are: as said, or by what names them."""
    rows: Literal["datasets", "methods"] | None = options.rows
    if rows is None and options.wide and options.method and not options.dataset:
        return "methods"
    if rows is None and options.wide and options.dataset and not options.method:
        return "datasets"
    if options.wide and options.method and options.dataset:
        raise UsageError(
            "--wide takes --dataset if each row is a dataset, or --method if each is a "
            "method, got both"
        )
    return rows


def split_names(words: Sequence[str] | None) -> tuple[str, ...] | None:
    """Part names by commas; one that holds a comma stands in quotes."""
    if words is None:
        return None
    parts = [part for row in csv.reader(words, skipinitialspace=True) for part in row]
    return tuple(part for part in parts if part)


def _says_width(word: str) -> bool:
    """Tell whether a rope is a number, a share or the noise floor, and no column."""
    if word == "noise_floor" or word.strip().endswith("%"):
        return True
    try:
        float(word)
    except ValueError:
        return False
    return True
