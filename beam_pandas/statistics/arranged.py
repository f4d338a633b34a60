"""Long tables made wide: scores by method, pairs as a square."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import (
    BeamError,
    MissingColumnsError,
    ScoreTypeError,
    list_labels,
)
from beam_pandas.gate.scores import Aggregate, read_cells
from beam_pandas.labels import join_labels, read_labels
from beam_pandas.results.build import is_pair_column
from beam_pandas.results.squares import mirrored


def wide_scores(frame: pd.DataFrame, *, aggregate: Aggregate = None) -> pd.DataFrame:
    """
    Arrange scores with a row for each dataset and a column for each method.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    aggregate : {"mean", "median"}, optional
        How to combine several scores of one method, dataset and metric; by default they
        are an error.

    Returns
    -------
    DataFrame
        float64 scores as given, NaN where missing. Index `dataset`, or `metric` and
        `dataset` if there are several metrics; columns `method`; all in label order.

    Raises
    ------
    DuplicateScoresError
        If a cell has several scores and `aggregate` does not say what to do.
    BeamError
        If the frame is not a table of scores.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> scores.beam.wide_scores().index.name
    'dataset'
    """
    matrices = list(read_cells(frame, aggregate=aggregate))
    datasets = [matrix.datasets for matrix in matrices]
    index = pd.Index(join_labels(datasets), name="dataset")
    metrics = [matrix.metric for matrix in matrices if matrix.metric is not None]
    if len(metrics) > 1:
        repeated = [m.repeat(len(d)) for m, d in zip(metrics, datasets, strict=True)]
        index = pd.MultiIndex.from_arrays(
            [join_labels(repeated), index], names=["metric", "dataset"]
        )
    return pd.DataFrame(
        np.vstack([matrix.scores for matrix in matrices]),
        index=index,
        columns=matrices[0].methods.rename("method"),
    )


def to_matrix(result: pd.DataFrame, values: str) -> pd.DataFrame:
    """
    Arrange a column of a result with a row for each pair as a square matrix.

    Parameters
    ----------
    result : DataFrame
        Result of a function that compares pairs, such as `nemenyi`; rows may be left out
        or in another order.
    values : str
        Column to show. Its reading with the two methods swapped fills the other
        triangle: the same for p-values, the opposite sign for differences.

    Returns
    -------
    DataFrame
        float64, method in the row against method in the column, labels in label order,
        NaN on the diagonal and for pairs that are not in `result`. Where `result` has
        several metrics or groups, these lead the rows in a MultiIndex.

    Raises
    ------
    MissingColumnsError
        If `result` has no columns `method_1` and `method_2`.
    BeamError
        If `values` is no column that can be read both ways, or a pair occurs twice.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> pairs = scores.beam.nemenyi(missing="drop_datasets")
    >>> square = beam_pandas.to_matrix(pairs, "rank_diff")
    >>> bool((square.fillna(0) == -square.fillna(0).T).all(axis=None))
    True
    """
    if not isinstance(result, pd.DataFrame):
        found = type(result).__name__
        raise ScoreTypeError(f"result must be a pandas DataFrame, found {found}")
    pair = _pair_columns(result)
    upper, lower = mirrored(result, values)
    if result.empty:
        labels = pd.Index(result[pair[0]], name=pair[0].removesuffix("_1"))
        return pd.DataFrame(index=labels, columns=labels, dtype="float64")
    both = pd.concat([result[pair[0]], result[pair[1]]])
    labels = read_labels(both.rename(pair[0]))
    first, second = np.split(labels.codes, 2)
    block, leading = _number_blocks(result, pair[0])
    size = len(labels.names)
    cells = np.full((max(len(leading), 1), size, size), np.nan)
    count = np.zeros(cells.shape, dtype=np.int64)
    np.add.at(count, (block, first, second), 1)
    np.add.at(count, (block, second, first), 1)
    if count.max(initial=0) > 1:
        raise BeamError(
            "each pair is needed once, found one twice: pass the result of one call, or "
            "keep what tells the results apart in columns before the pair"
        )
    cells[block, first, second] = upper
    cells[block, second, first] = lower
    name = pair[0].removesuffix("_1")
    index = labels.names.rename(name)
    rows = _lead_rows(leading, index) if len(leading) > 1 else index
    return pd.DataFrame(cells.reshape(-1, size), index=rows, columns=index)


def _pair_columns(result: pd.DataFrame) -> list[str]:
    """Find the two columns that hold the members of a pair."""
    for pair in (["method_1", "method_2"], ["dataset_1", "dataset_2"]):
        if set(pair) <= set(result.columns):
            return pair
    raise MissingColumnsError(
        "columns 'method_1' and 'method_2' are needed, found "
        f"{list_labels(result.columns, limit=12)}: pass the result of a function that "
        "compares pairs, such as beam_pandas.nemenyi"
    )


def _number_blocks(
    result: pd.DataFrame, first: str
) -> tuple[NDArray[np.integer], pd.DataFrame]:
    """Give the rows numbers by what is no column of a pair, and list what that is."""
    names = [name for name in result.columns if not is_pair_column(name, first)]
    if not names:
        return np.zeros(len(result), dtype=np.intp), pd.DataFrame()
    blocks = result.groupby(names, sort=True, observed=True, dropna=False)
    leading = result[names].drop_duplicates().sort_values(names, ignore_index=True)
    return blocks.ngroup().to_numpy(), leading


def _lead_rows(leading: pd.DataFrame, index: pd.Index) -> pd.MultiIndex:
    """Repeat the labels of a square under each of the leading ones."""
    n_blocks, size = leading.shape[0], len(index)
    repeated = leading.loc[leading.index.repeat(size)]
    labels = index.take(np.tile(np.arange(size), n_blocks))
    arrays = [pd.Index(repeated[name]) for name in leading]
    names = [*leading.columns, index.name]
    return pd.MultiIndex.from_arrays([*arrays, labels], names=names)
