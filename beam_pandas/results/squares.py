"""Results of pairs as squares: method in the row against method in the column."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, MissingColumnsError, ScoreTypeError, list_labels
from beam_pandas.labels import join_labels, read_labels
from beam_pandas.results.vocabulary import VOCABULARY, describes_pairs

_TURNED: Final = {"better": "worse", "worse": "better"}


def mirrored(pairs: pd.DataFrame, column: str) -> tuple[pd.Series, pd.Series]:
    """
    Give a pair column as it stands and as it reads with the methods exchanged.

    Raises
    ------
    BeamError
        If the column has no such reading.
    """
    offered = [name for name in pairs.columns if _can_exchange(name, pairs.columns)]
    if not isinstance(column, str) or column not in offered:
        raise BeamError(f"values must be one of {offered}, got {column!r}")
    if offered.count(column) > 1:
        raise BeamError(f"column {column!r} is needed once, found several of that name")
    return pairs[column], _exchange(pairs, column)


def _can_exchange(name: Hashable, columns: pd.Index) -> bool:
    """Tell whether a column reads both ways with what else is there."""
    if not isinstance(name, str) or name not in VOCABULARY:
        return False
    other = VOCABULARY[name].exchanged
    return other is not None and (other not in VOCABULARY or other in columns)


def _exchange(pairs: pd.DataFrame, column: str) -> pd.Series:
    """Read a column with the two methods exchanged."""
    how = VOCABULARY[column].exchanged
    if how == "same":
        return pairs[column]
    if how == "decision":
        return pairs[column].replace(_TURNED)
    if how == "sign":
        return 0.0 - pairs[column]
    if how == "complement":
        return 1.0 - pairs[column]
    if how in ("ci_low", "ci_high"):  # ends turn with the estimate that they belong to
        known = [name for name in pairs if isinstance(name, str) and name in VOCABULARY]
        estimates = [VOCABULARY[name].exchanged for name in known]
        turned: pd.Series = (1.0 if "complement" in estimates else 0.0) - pairs[how]
        return turned
    return pairs[how]


def build_square(
    squares: Sequence[tuple[pd.Index | None, pd.Index, NDArray[np.int64]]],
) -> pd.DataFrame:
    """
    Put counts of all ordered pairs into a frame.

    Parameters
    ----------
    squares : sequence of (metric, methods, counts)
        The metric as an index of one label, or None; the methods in label order; their
        counts, row against column.

    Returns
    -------
    DataFrame
        int64; several metrics lead the rows, and a method that one of them has not
        counts 0 there.
    """
    names = [methods for _, methods, _ in squares]
    labels = read_labels(join_labels(names).rename("method"))
    columns = labels.names.rename("method")
    ends = np.cumsum([len(methods) for methods in names])
    rows = np.zeros((ends[-1], len(columns)), dtype=np.int64)
    for (_, _, counts), end in zip(squares, ends.tolist(), strict=True):
        start = end - len(counts)
        rows[start:end, labels.codes[start:end]] = counts
    if len(squares) == 1:
        return pd.DataFrame(rows, index=columns, columns=columns)
    metrics = [
        metric.repeat(len(methods)) for metric, methods, _ in squares if metric is not None
    ]
    index = pd.MultiIndex.from_arrays(
        [join_labels(metrics), join_labels(names)],
        names=["metric", "method"],
    )
    return pd.DataFrame(rows, index=index, columns=columns)


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
        triangle: the same for two-sided p-values, the opposite sign for differences, the
        losses for the wins.

    Returns
    -------
    DataFrame
        float64 (text of a decision: object), method in the row against method in the
        column, labels in label order, NaN on the diagonal and for pairs that are not in
        `result`. Where `result` has several metrics or groups, these lead the rows in a
        MultiIndex.

    Raises
    ------
    MissingColumnsError
        If `result` has no columns `method_1` and `method_2`.
    BeamError
        If `values` is no column that can be read both ways, or a pair occurs twice.

    See Also
    --------
    pairwise : a result with a row for each pair.
    nemenyi : another one.
    comparison_matrix : the counts of wins as a square at once.

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
    block, leading = _number_blocks(result, pair)
    size = len(labels.names)
    kind = np.float64 if pd.api.types.is_numeric_dtype(upper.dtype) else object
    cells = np.full((max(len(leading), 1), size, size), np.nan, dtype=kind)
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
    result: pd.DataFrame, pair: list[str]
) -> tuple[NDArray[np.integer], pd.DataFrame]:
    """Give the rows numbers by what is no column of a pair, and list what that is."""
    names = [name for name in result.columns if not (name in pair or describes_pairs(name))]
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
