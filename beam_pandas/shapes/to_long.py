"""Tables of other shapes made long."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from beam_pandas.errors import BeamError, list_labels, within
from beam_pandas.shapes.csv_files import as_numbers, read_table, repeated_names
from beam_pandas.shapes.wide_names import (
    Asked,
    as_key,
    as_list,
    check_asked,
    check_flat,
    check_present,
    check_rows,
    has_two_headers,
    join_key,
    part_by_metric,
    read_cells,
    split_table,
)


def from_matrix(
    frame: pd.DataFrame,
    *,
    metric: Hashable = None,
    dataset: Hashable = None,
    methods: Sequence[Hashable] | None = None,
    orient: Literal["datasets", "methods"] | None = None,
    method: Hashable = None,
    datasets: Sequence[Hashable] | None = None,
    keep: Sequence[Hashable] = (),
) -> pd.DataFrame:
    """
    Turn a table with a row for each dataset and a column for each method into a long one.

    Parameters
    ----------
    frame : DataFrame
        Scores: numbers, or text that says plain ones. The rows are named by the column
        `dataset` if given, else by the index if it has a name or holds no whole numbers,
        else by the first column of text. Columns of two levels, of which one names
        metrics, are converted metric by metric, and so is a result of `wide_scores`.
    metric : label, optional
        Name of the metric; without it the result has no column `metric`.
    dataset : label or list of labels, optional
        Column that names the datasets, or several whose labels are joined by " / ".
    methods : list of labels, optional
        Columns that hold scores, one for each method; by default all others, if none of
        them looks like something else.
    orient : {"datasets", "methods"}, optional
        What each row is; ``"methods"`` for a table on its side.
    method : label or list of labels, optional
        With rows that are methods, the column that names them, or several.
    datasets : list of labels, optional
        With rows that are methods, the columns that hold scores.
    keep : list of labels, optional
        Further columns to carry along, such as a run or the domain of a dataset.

    Returns
    -------
    DataFrame
        One row per cell, missing ones included, in the order of the table:

        - **method** : name of the column.
        - **dataset** : name of the row.
        - the columns to keep.
        - **metric** : as given.
        - **score** : float64, in the unit of the table.

    Raises
    ------
    MissingColumnsError
        If nothing names the datasets, or a column asked for is not there.
    ScoreTypeError
        If a cell is not a number; missing ones are.
    BeamError
        If two columns have the same name, the table is long already, its rows are called
        methods or runs, or columns look as if they held no scores: metrics, runs, what
        describes a row. Columns named in `methods` are taken as they are.

    Warns
    -----
    BeamWarning
        If `dataset` names a column that looks as if it numbered runs.

    See Also
    --------
    from_columns : a row for each method and dataset, a column for each metric.
    read_matrices : the same from files.
    wide_scores : the way back.

    Examples
    --------
    >>> import pandas as pd, beam_pandas
    >>> table = pd.DataFrame({"data": ["iris", "wine"], "A": [0.9, 0.8], "B": [0.7, 0.8]})
    >>> table.pipe(beam_pandas.from_matrix, metric="accuracy")
      method dataset    metric  score
    0      A    iris  accuracy    0.9
    1      B    iris  accuracy    0.7
    2      A    wine  accuracy    0.8
    3      B    wine  accuracy    0.8
    """
    if not pd.api.types.is_scalar(metric):
        raise BeamError(f"metric must be the name of one metric, got {metric!r}")
    asked = check_asked(orient, dataset, method, methods, datasets, keep)
    if has_two_headers(frame) and metric is None:
        return _convert_blocks(frame, asked)
    check_flat(frame)
    if metric is None and asked.key is None and frame.index.names == ["metric", "dataset"]:
        return _convert_levels(frame)
    table = split_table(frame, asked)
    n_rows, n_columns = table.scores.shape
    rows = np.repeat(np.arange(n_rows), n_columns)
    columns = np.tile(np.arange(n_columns), n_rows)
    by_row, by_column = table.names.take(rows).array, table.columns.take(columns).array
    long: dict[Hashable, Any] = {
        "method": by_row if asked.by_methods else by_column,
        "dataset": by_column if asked.by_methods else by_row,
        **{name: frame[name].array.take(rows) for name in asked.keep},
    }
    if metric is not None:
        long["metric"] = metric
    long["score"] = table.scores.ravel()
    return pd.DataFrame(long)


def from_columns(
    frame: pd.DataFrame,
    *,
    scores: Sequence[Hashable],
    method: Hashable = "method",
    dataset: Hashable = "dataset",
    keep: Sequence[Hashable] = (),
) -> pd.DataFrame:
    """
    Turn a table with a column for each metric into a long one.

    Parameters
    ----------
    frame : DataFrame
        A row for each method and dataset, or for each run.
    scores : list of labels
        Columns that hold scores; their names become the metrics.
    method, dataset : label or list of labels
        Columns that name the method and the dataset; labels of several are joined by
        " / ".
    keep : list of labels, optional
        Further columns to keep, such as a fold or the domain of a dataset.

    Returns
    -------
    DataFrame
        One row per row of `frame` and metric: `method`, `dataset`, the columns to keep,
        `metric` and `score` (float64, NaN where missing).

    Raises
    ------
    MissingColumnsError
        If a column is not there.
    ScoreTypeError
        If a score is not a number.
    BeamError
        If a column is named twice, in the frame or in the arguments.

    See Also
    --------
    from_matrix : a row for each dataset, a column for each method.

    Examples
    --------
    >>> import pandas as pd, beam_pandas
    >>> table = pd.DataFrame({"model": ["A", "B"], "task": "iris", "f1": [0.9, 0.8]})
    >>> beam_pandas.from_columns(table, method="model", dataset="task", scores=["f1"])
      method dataset metric  score
    0      A    iris     f1    0.9
    1      B    iris     f1    0.8
    """
    check_flat(frame)
    scores, keep = as_list("scores", scores), as_list("keep", keep)
    if not scores:
        raise BeamError("scores must name at least one column, got none")
    keys = [as_key("method", method), as_key("dataset", dataset)]
    wanted = [*keys[0], *keys[1], *keep, *scores]
    check_present(frame, wanted)
    names = ["method", "dataset", *keep, "metric", "score"]
    repeated = repeated_names([*keep, *scores, *keys[0], *keys[1]]) + repeated_names(names)
    if repeated:
        raise BeamError(
            f"each column can play one part, found {list_labels(repeated)} in two: "
            "method, dataset, scores and keep must not share a column, and no column to "
            "keep may be called method, dataset, metric or score"
        )
    values = [read_cells(frame[name], name) for name in scores]
    rows = np.repeat(np.arange(len(frame)), len(scores))
    long: dict[Hashable, Any] = {
        name: join_key(frame, key).array.take(rows)
        for name, key in zip(("method", "dataset"), keys, strict=True)
    }
    long |= {name: frame[name].array.take(rows) for name in keep}
    long["metric"] = pd.Index(scores).take(np.tile(np.arange(len(scores)), len(frame)))
    long["score"] = np.column_stack(values).ravel()
    return pd.DataFrame(long)


def read_matrices(
    source: Mapping[str, str | os.PathLike[str]] | str | os.PathLike[str],
    *,
    methods: Sequence[Hashable] | None = None,
    orient: Literal["datasets", "methods"] | None = None,
) -> pd.DataFrame:
    """
    Read CSV files, each with the scores of one metric, into one long table.

    Parameters
    ----------
    source : mapping from metric to path, or path of a folder
        In a folder every file whose name ends in ``.csv`` is read, and its name without
        that ending is the metric. Each file has a row for each dataset, whose name comes
        first, and a column for each method; UTF-8, with or without a byte order mark.
    methods, orient
        As in `from_matrix`.

    Returns
    -------
    DataFrame
        As of `from_matrix`, one metric after the other.

    Raises
    ------
    BeamError
        If a folder holds no such file, or a file has two columns of one name or is no
        table; its kinds as in `from_matrix`. The message names the file.
    OSError
        If a file or folder cannot be read.

    See Also
    --------
    from_matrix : the same from a frame.

    Examples
    --------
    >>> import beam_pandas
    >>> beam_pandas.read_matrices({"accuracy": "results/accuracy.csv"})  # doctest: +SKIP
    """
    if not isinstance(source, (Mapping, str, os.PathLike)):
        raise BeamError(
            f"source must be a folder or a mapping from metric to path, got {source!r}"
        )
    if isinstance(source, Mapping):
        files = {metric: Path(path) for metric, path in source.items()}
    else:
        paths = sorted(Path(source).iterdir())
        files = {path.stem: path for path in paths if path.suffix.lower() == ".csv"}
    if not files:
        raise BeamError(f"at least one CSV file is needed, found none in {source!r}")
    tables = [_read_matrix(metric, path, methods, orient) for metric, path in files.items()]
    return pd.concat(tables, ignore_index=True)


def _convert_blocks(frame: pd.DataFrame, asked: Asked) -> pd.DataFrame:
    """Convert a table with two rows of headings, metric by metric."""
    tables = []
    for metric, block in part_by_metric(frame, asked):
        inner = [name for name in block.columns if name not in asked.outside(block)]
        chosen = None
        if asked.chosen is not None:
            chosen = [name for name in asked.chosen if name in inner]
        tables.append(
            from_matrix(
                block,
                metric=metric,
                orient=asked.orient,
                keep=asked.keep,
                **asked.names(chosen),
            )
        )
    return pd.concat(tables, ignore_index=True)


def _convert_levels(frame: pd.DataFrame) -> pd.DataFrame:
    """Convert a table whose rows are labelled by metric and dataset, metric by metric."""
    tables = [
        from_matrix(part.droplevel("metric"), metric=metric, methods=list(frame.columns))
        for metric, part in frame.groupby(level="metric", sort=False, observed=True)
    ]
    return pd.concat(tables, ignore_index=True)


def _read_matrix(
    metric: Hashable,
    path: Path,
    methods: Sequence[Hashable] | None,
    orient: Literal["datasets", "methods"] | None,
) -> pd.DataFrame:
    """Read one file; what is wrong with it is told with its name."""
    frame = read_table(path)
    numbers = {name: as_numbers(frame[name]) for name in frame.columns[1:]}
    if str(frame.columns[0]).startswith("Unnamed: ") and _is_saved_index(frame, numbers):
        frame = frame.iloc[:, 1:]
        numbers = {name: numbers[name] for name in frame.columns[1:]}
    with within(str(path)):
        asked = check_asked(orient, None, None, None, None, ())
        check_rows(frame.columns[0], asked, chosen=methods is not None)
        first = frame.columns[0]
        named: dict[str, Any] = {
            "method" if asked.by_methods else "dataset": first,
            "datasets" if asked.by_methods else "methods": methods,
        }
        table = frame.assign(**numbers)
        return from_matrix(table, metric=metric, orient=orient, **named)


def _is_saved_index(frame: pd.DataFrame, numbers: Mapping[str, pd.Series]) -> bool:
    """Tell whether the first column only counts the rows, before one with names."""
    counts = frame.iloc[:, 0].tolist() == [str(at) for at in range(len(frame))]
    return counts and not pd.api.types.is_numeric_dtype(next(iter(numbers.values())).dtype)
