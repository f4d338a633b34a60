"""Tables of other shapes made long."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from beam_pandas.errors import (
    BeamError,
    MissingColumnsError,
    ScoreTypeError,
    list_labels,
    within,
)
from beam_pandas.gate.column_names import counts_runs, names_methods
from beam_pandas.gate.columns import read_numbers
from beam_pandas.shapes.csv_files import as_numbers, read_table, repeated_names


def from_matrix(
    frame: pd.DataFrame,
    *,
    metric: Hashable = None,
    dataset: Hashable = None,
    methods: Sequence[Hashable] | None = None,
) -> pd.DataFrame:
    """
    Turn a table with a row for each dataset and a column for each method into a long one.

    Parameters
    ----------
    frame : DataFrame
        Scores. The datasets are named by the column `dataset` if given, else by the
        index if it has a name or holds no whole numbers, else by the first column of
        text. A result of `wide_scores` with several metrics is converted whole.
    metric : label, optional
        Name of the metric; without it the result has no column `metric`.
    dataset : label, optional
        Column that names the datasets.
    methods : list of labels, optional
        Columns that hold scores, one for each method; by default all but that of the
        datasets.

    Returns
    -------
    DataFrame
        One row per cell, missing ones included, in the order of the table:

        - **method** : name of the column.
        - **dataset** : name of the row.
        - **metric** : as given.
        - **score** : float64, in the unit of the table.

    Raises
    ------
    MissingColumnsError
        If nothing names the datasets, or a column asked for is not there.
    ScoreTypeError
        If a cell is not a number; missing ones are.
    BeamError
        If two columns have the same name, a column numbers runs, or the rows are methods.

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
    check_flat(frame)
    if not pd.api.types.is_scalar(metric):
        raise BeamError(f"metric must be the name of one metric, got {metric!r}")
    if metric is None and dataset is None and frame.index.names == ["metric", "dataset"]:
        return _unstack_levels(frame)
    names, scores = _split_names(frame, dataset)
    scores = _select_methods(scores, methods)
    if scores.columns.empty:
        raise MissingColumnsError("a column for each method is needed, found none")
    cells = np.column_stack(
        [
            read_numbers(scores.iloc[:, at], f"column {column!r}")
            for at, column in enumerate(scores.columns)
        ]
    )
    n_datasets, n_methods = cells.shape
    which = np.tile(np.arange(n_methods), n_datasets)
    long = {
        "method": scores.columns.take(which).array,
        "dataset": names.repeat(n_methods).array,
        "metric": metric,
        "score": cells.ravel(),
    }
    if metric is None:
        del long["metric"]
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
    method, dataset : label
        Columns that name the method and the dataset.
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
    scores, keep = _as_list("scores", scores), _as_list("keep", keep)
    if not scores:
        raise BeamError("scores must name at least one column, got none")
    wanted = [method, dataset, *keep, *scores]
    odd = [name for name in wanted if not pd.api.types.is_hashable(name)]
    if odd:
        raise BeamError(f"columns must be named one by one, got {odd[0]!r}")
    lacking = [name for name in wanted if name not in frame.columns]
    if lacking:
        raise MissingColumnsError(
            f"columns {list_labels(wanted, limit=12)} are asked for, "
            f"{list_labels(lacking)} not found among "
            f"{list_labels(frame.columns, limit=12) or 'no columns'}"
        )
    names = ["method", "dataset", *keep, "metric", "score"]
    repeated = repeated_names([*keep, *scores, method, dataset]) + repeated_names(names)
    if repeated:
        raise BeamError(
            f"each column can play one part, found {list_labels(repeated)} in two: "
            "method, dataset, scores and keep must not share a column, and no column to "
            "keep may be called method, dataset, metric or score"
        )
    values = [read_numbers(frame[name], f"column {name!r}") for name in scores]
    rows = np.repeat(np.arange(len(frame)), len(scores))
    long: dict[Hashable, Any] = {
        name: frame[column].array.take(rows)
        for name, column in zip(names, [method, dataset, *keep], strict=False)
    }
    long["metric"] = pd.Index(scores).take(np.tile(np.arange(len(scores)), len(frame)))
    long["score"] = np.column_stack(values).ravel()
    return pd.DataFrame(long)


def read_matrices(
    source: Mapping[str, str | os.PathLike[str]] | str | os.PathLike[str],
) -> pd.DataFrame:
    """
    Read CSV files, each with the scores of one metric, into one long table.

    Parameters
    ----------
    source : mapping from metric to path, or path of a folder
        In a folder every file whose name ends in ``.csv`` is read, and its name without
        that ending is the metric. Each file has a row for each dataset, whose name comes
        first, and a column for each method; UTF-8, with or without a byte order mark.

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
    tables = [_read_matrix(metric, path) for metric, path in files.items()]
    return pd.concat(tables, ignore_index=True)


def check_flat(frame: pd.DataFrame) -> None:
    """Refuse what is no frame, columns of several levels or of the same name."""
    if not isinstance(frame, pd.DataFrame):
        found = type(frame).__name__
        raise ScoreTypeError(f"the table must be a pandas DataFrame, found {found}")
    if isinstance(frame.columns, pd.MultiIndex):
        raise BeamError(
            f"columns of one level are needed, found {frame.columns.nlevels} levels: "
            "convert one block at a time, such as df[block], and pd.concat the results"
        )
    repeated = repeated_names(list(frame.columns))
    if repeated:
        raise BeamError(
            f"column names must differ, found {list_labels(repeated)} more than once: "
            "rename or drop all but one of each"
        )


def _as_list(name: str, value: Sequence[Hashable]) -> list[Hashable]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise BeamError(f"{name} must be a list of columns, got {value!r}")
    return list(value)


def _split_names(frame: pd.DataFrame, dataset: Hashable) -> tuple[pd.Index, pd.DataFrame]:
    """Part the names of the datasets from the columns of scores."""
    if dataset is None and isinstance(frame.index, pd.MultiIndex):
        raise BeamError(
            f"an index of one level is needed, found {frame.index.nlevels} levels: "
            "df.reset_index() and pass dataset='...', once for each metric"
        )
    if dataset is None and _names_rows(frame.index):
        _check_no_methods(frame.index.name, "df")
        return frame.index, frame
    if dataset is None:
        text = [name for name in frame.columns if _is_text(frame[name])]
        if not text:
            whole = [n for n in frame if pd.api.types.is_integer_dtype(frame[n].dtype)]
            way_out = (
                f"dataset={whole[0]!r} if that names them"
                if whole
                else "dataset='...', or use df.rename_axis('dataset')"
            )
            raise MissingColumnsError(
                "nothing names the datasets: found no column of text and an index without "
                f"a name; pass {way_out}"
            )
        dataset = text[0]
        _check_no_methods(dataset, f"df.set_index({dataset!r})")
        if dataset != frame.columns[0] and _holds_numbers(frame[dataset]):
            read_numbers(frame[dataset], f"column {dataset!r}")  # refuses it
    elif not pd.api.types.is_hashable(dataset) or dataset not in frame.columns:
        raise MissingColumnsError(
            f"column {dataset!r} is asked for, not found among "
            f"{list_labels(frame.columns, limit=12) or 'no columns'}"
        )
    return pd.Index(frame[dataset]), frame.drop(columns=[dataset])


def _check_no_methods(name: Hashable, indexed: str) -> None:
    """Refuse rows that are called methods."""
    if name is not None and names_methods(name):
        raise BeamError(
            f"a row for each dataset is needed, found rows named by {name!r}: if they are "
            f"methods, {indexed}.T.rename_axis('dataset'), else pass dataset={name!r}"
        )


def _select_methods(
    scores: pd.DataFrame, methods: Sequence[Hashable] | None
) -> pd.DataFrame:
    """Take the columns that are methods: those asked for, or all if none counts runs."""
    if methods is not None:
        wanted = _as_list("methods", methods)
        absent = [name for name in wanted if name not in scores.columns]
        if absent:
            raise MissingColumnsError(
                f"columns {list_labels(absent)} are asked for, not found among "
                f"{list_labels(scores.columns, limit=12) or 'no columns'}"
            )
        return scores[wanted]
    odd = [name for name in scores.columns if counts_runs(name)]
    if odd:
        raise BeamError(
            f"a column for each method is needed, found {list_labels(odd)}: "
            f"df.drop(columns={odd!r}), or pass methods=[...]; tables with a row for each "
            "run are for from_columns"
        )
    return scores


def _names_rows(index: pd.Index) -> bool:
    """Tell whether an index says more than the number of a row."""
    return index.name is not None or not pd.api.types.is_integer_dtype(index.dtype)


def _is_text(column: pd.Series) -> bool:
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        dtype = dtype.categories.dtype
    if pd.api.types.is_object_dtype(dtype):
        return all(isinstance(value, str) for value in column.dropna())
    return pd.api.types.is_string_dtype(dtype)


def _holds_numbers(column: pd.Series) -> bool:
    """Tell whether a column of text has a number in it, as one of scores would."""
    return bool(pd.to_numeric(column.astype(str), errors="coerce").notna().any())


def _unstack_levels(frame: pd.DataFrame) -> pd.DataFrame:
    """Convert a table whose rows are labelled by metric and dataset, metric by metric."""
    tables = [
        from_matrix(part.droplevel("metric"), metric=metric)
        for metric, part in frame.groupby(level="metric", sort=False, observed=True)
    ]
    return pd.concat(tables, ignore_index=True)


def _read_matrix(metric: Hashable, path: Path) -> pd.DataFrame:
    """Read one file; what is wrong with it is told with its name."""
    frame = read_table(path)
    numbers = {name: as_numbers(frame[name]) for name in frame.columns[1:]}
    if str(frame.columns[0]).startswith("Unnamed: ") and _is_saved_index(frame, numbers):
        frame = frame.iloc[:, 1:]
        numbers = {name: numbers[name] for name in frame.columns[1:]}
    with within(str(path)):
        return from_matrix(frame.assign(**numbers), metric=metric, dataset=frame.columns[0])


def _is_saved_index(frame: pd.DataFrame, numbers: Mapping[str, pd.Series]) -> bool:
    """Tell whether the first column only counts the rows, before one with names."""
    counts = frame.iloc[:, 0].tolist() == [str(at) for at in range(len(frame))]
    return counts and not pd.api.types.is_numeric_dtype(next(iter(numbers.values())).dtype)
