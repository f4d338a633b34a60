"""Several things wrong with a frame, said in one error where they can be seen at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pandas as pd

from beam_pandas.errors import BeamError, MissingColumnsError, UnknownMetricError
from beam_pandas.gate.cells import arrange_cells
from beam_pandas.gate.column_names import find_renaming
from beam_pandas.gate.columns import read_columns
from beam_pandas.gate.direction import resolve_directions
from beam_pandas.types import Aggregate, HigherIsBetter


@contextmanager
def said_at_once(
    frame: pd.DataFrame, higher_is_better: HigherIsBetter, aggregate: Aggregate
) -> Iterator[None]:
    """
    Add to an error of columns or directions what would be refused next.

    Parameters
    ----------
    frame : DataFrame
        Scores, as the caller gave it.
    higher_is_better, aggregate
        As the caller gave them.
    """
    try:
        yield
    except (MissingColumnsError, UnknownMetricError) as error:
        more = _what_comes_next(frame, error, higher_is_better, aggregate)
        if not more:
            raise
        raise type(error)(f"{error}. Besides: {'. And: '.join(more)}") from None


def _what_comes_next(
    frame: pd.DataFrame,
    error: BeamError,
    higher_is_better: HigherIsBetter,
    aggregate: Aggregate,
) -> list[str]:
    """List what else is wrong, once the columns are called as they should be."""
    if not isinstance(frame, pd.DataFrame) or isinstance(frame.columns, pd.MultiIndex):
        return []
    renamed = frame.rename(columns=find_renaming(frame))
    if not {"method", "dataset", "score"} <= set(renamed.columns):
        return []
    more = []
    try:
        columns = read_columns(renamed)
        if isinstance(error, MissingColumnsError) and columns.metric is not None:
            try:
                resolve_directions(columns.metric.names, higher_is_better)
            except UnknownMetricError as unknown:
                more.append(str(unknown))
        if aggregate is None:
            arrange_cells(columns, None)
    except BeamError as next_error:
        more.append(str(next_error))
    return more
