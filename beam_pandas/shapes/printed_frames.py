"""Scores that are text as printed, in frames."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from beam_pandas.errors import BeamError, MissingColumnsError, list_labels
from beam_pandas.shapes.column_scales import odd_columns
from beam_pandas.shapes.headings import describes, metrics_among, role_of
from beam_pandas.shapes.printed_cells import read_cell
from beam_pandas.shapes.printed_grid import shorten
from beam_pandas.shapes.printed_scores import (
    CellOptions,
    check_options,
    read_cells,
)
from beam_pandas.shapes.printed_sides import Choice, Orient, check_choice
from beam_pandas.shapes.wide_names import check_flat


def parse_scores(
    frame: pd.DataFrame,
    *,
    metric: Hashable = None,
    orient: Orient = None,
    decimal: Literal[".", ","] | None = None,
    part: int | None = None,
    missing: Sequence[str] = (),
) -> pd.DataFrame:
    r"""
    Read scores that are text as printed, such as ``**0.91** ± 0.02``, in a frame.

    Parameters
    ----------
    frame : DataFrame
        Long, with a column score: that is read, all else stays. Or wide: every cell is
        read. The rows of a wide frame are named by its index, if that has a name or holds
        no whole numbers, else by the first column.
    metric : label, optional
        Name of the metric of a wide frame.
    orient : {"datasets", "methods"}, optional
        What each row of a wide frame is; by default what the name of the index or first
        column tells, and datasets, as in `from_matrix`, where it tells nothing.
    decimal, part, missing
        As in `read_printed`.

    Returns
    -------
    DataFrame
        Of a long frame a copy with **score** as float64 and, behind it, two more columns;
        of a wide one a long frame as of `read_printed`:

        - **spread** : float64, what stands behind ``±`` or in brackets; NaN where there
          is none.
        - **marked** : bool, whether the score is bold or underlined.

    Raises
    ------
    ScoreTypeError
        If a cell that holds a number cannot be read as a score, or is several.
    BeamError
        If numbers can be read in two ways, or the frame has columns of these names.

    Warns
    -----
    BeamWarning
        Once, naming what was taken as missing or left out.

    See Also
    --------
    read_printed : read such a table from a text or file.

    Examples
    --------
    >>> import pandas as pd, beam_pandas
    >>> cells = ["**0.91**", "0.90 (0.02)"]
    >>> frame = pd.DataFrame({"method": ["A", "B"], "dataset": "iris", "score": cells})
    >>> beam_pandas.parse_scores(frame)
      method dataset  score  spread  marked
    0      A    iris   0.91     NaN    True
    1      B    iris   0.90    0.02   False
    """
    options = check_options(decimal, part, missing)
    choice = check_choice(metric=metric, orient=orient)
    check_flat(frame)
    if "score" in frame.columns:
        return _parse_long(frame, choice, options)
    if "method" in frame.columns and "dataset" in frame.columns:
        raise BeamError(
            "a column 'score', or a wide table, is needed, found columns "
            f"{list_labels(frame.columns, limit=12)}: for a column for each metric, first "
            "df.melt(id_vars=[...], var_name='metric', value_name='score'), with the "
            "columns that hold no scores in id_vars"
        )
    return _parse_wide(frame, choice, options)


def _parse_long(frame: pd.DataFrame, choice: Choice, options: CellOptions) -> pd.DataFrame:
    """Read the column score; everything else stays as it is."""
    taken = [name for name in ("spread", "marked") if name in frame.columns]
    if taken:
        renaming = {name: f"{name}_before" for name in taken}
        raise BeamError(
            f"columns 'spread' and 'marked' are added, found {list_labels(taken)} there "
            f"already: df.rename(columns={renaming!r})"
        )
    if choice.metric is not None or choice.orient is not None:
        raise BeamError("metric and orient are for wide frames, found a column 'score'")
    places = [name for name in ("method", "dataset") if name in frame.columns]

    def where(at: int) -> str:
        row = frame.iloc[at]
        return ", ".join(shorten(row[name]) for name in places) or f"row {at}"

    tables = frame["metric"].tolist() if "metric" in frame.columns else None
    scores = read_cells(frame["score"].tolist(), where, options, tables)
    result = frame.copy()
    result["score"] = scores.score
    at = list(result.columns).index("score") + 1
    result.insert(at, "spread", scores.spread)
    result.insert(at + 1, "marked", scores.marked)
    return result


def _parse_wide(frame: pd.DataFrame, choice: Choice, options: CellOptions) -> pd.DataFrame:
    """Read every cell of a wide frame."""
    names, scores = _split_names(frame)
    told = None if names.name is None else role_of(str(names.name))
    by_methods = told == "method" if choice.orient is None else choice.orient == "methods"
    _refuse_metrics([str(name) for name in scores.columns])
    numbered = [any(_holds_number(cell) for cell in scores[name]) for name in scores]
    left_out = [name for name, kept in zip(scores, numbered, strict=True) if not kept]
    scores = scores.loc[:, numbered]
    if scores.columns.empty:
        raise MissingColumnsError("a column with a number is needed, found none")
    notices = [f"columns without a number left out: {list_labels(left_out)}"]
    n_rows, n_columns = scores.shape
    rows = names.repeat(n_columns)
    columns = scores.columns.take(np.tile(np.arange(n_columns), n_rows))
    cells = [cell for row in scores.itertuples(index=False, name=None) for cell in row]

    def where(at: int) -> str:
        return f"{shorten(rows[at])}, column {shorten(columns[at])}"

    read = read_cells(cells, where, options, notices=notices if left_out else [])
    odd = odd_columns(read.score.reshape(n_rows, n_columns), methods=not by_methods)
    _refuse_odd([scores.columns[at] for at in odd])
    long: dict[str, Any] = {
        "method": (rows if by_methods else columns).array,
        "dataset": (columns if by_methods else rows).array,
    }
    if choice.metric is not None:
        long["metric"] = choice.metric
    return pd.DataFrame({**long, **read._asdict()})


def _split_names(frame: pd.DataFrame) -> tuple[pd.Index, pd.DataFrame]:
    """Part the names of the rows from the columns of scores, as `from_matrix` does."""
    if isinstance(frame.index, pd.MultiIndex):
        raise BeamError(
            f"an index of one level is needed, found {frame.index.nlevels} levels: name "
            "the rows by one level, the others dropped or joined to it"
        )
    if frame.index.name is not None or not pd.api.types.is_integer_dtype(frame.index.dtype):
        return frame.index, frame
    if frame.columns.empty:
        raise MissingColumnsError("a column with a number is needed, found no columns")
    first = frame.columns[0]
    cells = [cell for cell in frame[first].tolist() if isinstance(cell, (str, float))]
    told = role_of(str(first)) in ("method", "dataset")
    if cells and not told and all(_is_decimal(cell) for cell in cells):
        raise MissingColumnsError(
            f"nothing names the rows: the first column, {first!r}, looks like scores and "
            "the index has no name: df.rename_axis('dataset') if the index names datasets"
        )
    return pd.Index(frame[first]), frame.drop(columns=[first])


def _refuse_metrics(labels: Sequence[str]) -> None:
    """Refuse columns that are metrics where they would become methods or datasets."""
    _refuse_odd([label for label in labels if describes(label)])
    if known := metrics_among(labels):
        raise BeamError(
            "a column for each method or dataset is needed, found metrics among the "
            f"columns, {list_labels(known)}: for a column for each metric, "
            "df.melt(id_vars=[...], var_name='metric', value_name='score') with the "
            "columns that hold no scores in id_vars; else leave them out with "
            "df.drop(columns=[...]), or rename them if they are methods or datasets"
        )


def _refuse_odd(odd: Sequence[Hashable]) -> None:
    """Refuse columns that look as if they described the rows."""
    if odd:
        raise BeamError(
            f"a column for each method or dataset is needed, found {list_labels(odd)}, "
            "which look as if they described the rows: leave them out with "
            "df.drop(columns=[...]), or, if they hold scores, make the frame long with "
            "df.melt and read its column score"
        )


def _holds_number(cell: object) -> bool:
    if isinstance(cell, str):
        said = read_cell(cell)
        return said.score is not None or bool(said.problem)
    return not (pd.api.types.is_scalar(cell) and pd.isna(cell))  # type: ignore[call-overload]


def _is_decimal(cell: object) -> bool:
    """Tell whether a cell is a number with decimals, which no name is."""
    score = read_cell(str(cell)).score
    return score is not None and any(sign in score for sign in ".,")
