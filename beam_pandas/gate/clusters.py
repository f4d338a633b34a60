"""Families of datasets, named in another column of the frame."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, MissingColumnsError, list_labels, plain
from beam_pandas.gate.columns import as_frame
from beam_pandas.gate.matrix import ScoreMatrix
from beam_pandas.labels import read_labels


def check_cluster(frame: pd.DataFrame, column: object) -> None:
    """
    Refuse what is not the name of one column of the frame.

    Raises
    ------
    BeamError
        If `column` is no name, or the frame has it twice.
    MissingColumnsError
        If the frame does not have it.
    """
    if not isinstance(column, str):
        raise BeamError(f"cluster must be the name of a column, got {column!r}")
    columns = as_frame(frame).columns.tolist()
    found = columns.count(column)
    if found == 0:
        raise MissingColumnsError(
            "cluster must be the name of a column, one of "
            f"{list_labels(columns, limit=12)}, got {column!r}"
        )
    if found > 1:
        raise BeamError(
            f"cluster={column!r} must be the name of one column, found {found} of that "
            "name: rename or drop all but one"
        )


def read_clusters(
    frame: pd.DataFrame, column: str, matrix: ScoreMatrix
) -> NDArray[np.int64]:
    """
    Read which family each dataset belongs to, from a column beside the scores.

    Parameters
    ----------
    frame : DataFrame
        The scores.
    column : str
        Name of the column that names the families. Within a metric it is the same in all
        rows of a dataset that have a score.
    matrix : ScoreMatrix
        Scores of one metric, of which only the rows are looked at.

    Returns
    -------
    ndarray of int64, shape (n_datasets,)
        A number for each dataset of the matrix, the same for those of a family; families
        are numbered in the order of their first dataset, whatever the order of the rows.

    Raises
    ------
    BeamError
        If there is no such column, or if a dataset has several families or none in it;
        the first such dataset is named.
    """
    check_cluster(frame, column)
    frame = as_frame(frame)
    dataset, values = _rows_of(frame, column, matrix)
    try:
        family, names = pd.factorize(values)
    except TypeError:  # values that do not hash, such as lists
        raise BeamError(
            f"column {column!r} must name the family of each dataset by a text, a number "
            f"or a date, found {type(values.iloc[0]).__name__}"
        ) from None
    of_dataset = np.full(len(matrix.datasets), -1, dtype=np.int64)
    of_dataset[dataset] = family
    wrong = np.zeros(len(matrix.datasets), dtype=bool)
    wrong[dataset[(family < 0) | (family != of_dataset[dataset])]] = True
    if wrong.any():
        at = int(np.argmax(wrong))
        codes = np.unique(family[(dataset == at) & (family >= 0)])
        raise _no_one_family(column, matrix, at, list(names.take(codes)))
    return pd.factorize(of_dataset)[0].astype(np.int64)


def _rows_of(
    frame: pd.DataFrame, column: str, matrix: ScoreMatrix
) -> tuple[NDArray[np.intp], pd.Series]:
    """Give the place of the dataset and the family of each row with a score of a metric."""
    scored = frame["score"].notna().to_numpy(dtype=bool)
    if matrix.named is not None:
        scored = scored & (frame["metric"] == matrix.label).to_numpy(dtype=bool)
    codes = matrix.row_datasets
    if codes is None:
        codes = read_labels(frame["dataset"]).codes
    position = np.full(len(matrix.rows.labels), -1)
    position[matrix.rows.at] = np.arange(len(matrix.rows))
    place = position[codes]
    values = frame[column]
    if not scored.all():
        place, values = place[scored], values[scored]
    known = place >= 0  # or all that uneven runs share was left out
    return (place, values) if known.all() else (place[known], values[known])


def _no_one_family(
    column: str, matrix: ScoreMatrix, at: int, families: list[Hashable]
) -> BeamError:
    """Build the error that names a dataset with several families, or with none."""
    dataset = plain(matrix.datasets[at])
    found = "a missing value"
    if len(families) > 1:
        found = list_labels(sorted(families, key=repr))
    elif families:
        found = f"{plain(families[0])!r} and a missing value"
    return BeamError(
        f"cluster={column!r} needs one value for all rows of a dataset, found {found} for "
        f"{dataset!r}{matrix.place}: write the family that each dataset belongs to in it"
    )
