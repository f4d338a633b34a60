"""Label columns read, put together and taken apart without a change of their dtype."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.extensions import ExtensionDtype

from beam_pandas.errors import BeamError, count, is_number, shorten

_NO_INDEX: Final = ("float16", "float96", "float128", "dictionary")  # the last of arrow


class Labels(NamedTuple):
    """A label column: a code for each row; the names of the codes, in label order."""

    codes: NDArray[np.integer]
    names: pd.Index

    def at(self, rows: NDArray[np.bool_] | slice) -> Labels:
        """Take some rows."""
        return Labels(self.codes[rows], self.names)


def read_labels(column: pd.Series) -> Labels:
    """Give the labels that occur numbers, in category order, else in sorted order."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        categories = column.cat.categories
        codes = column.cat.codes.to_numpy()
        _check_present(codes, column)
        used = np.bincount(codes, minlength=len(categories)) > 0
        _check_labels(categories[used], column.name)
        kept = pd.CategoricalIndex(categories, dtype=column.dtype)[used]
        return Labels(_narrow(np.cumsum(used) - 1)[codes], kept)
    codes, names = _factorize(column)
    order = np.asarray(names.argsort())
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    return Labels(_narrow(position)[codes], names.take(order))


def _factorize(column: pd.Series) -> tuple[NDArray[np.integer], pd.Index]:
    """Give the labels that occur numbers, in the order of their first row."""
    name, dtype = column.name, column.dtype
    if str(dtype).startswith(_NO_INDEX):
        raise BeamError(
            f"labels in column {name!r} are of dtype {dtype}, which no index of pandas can "
            f"hold and sort: {_as_text(name)}"
        )
    values: pd.Series | NDArray[np.float64] = column
    if (
        isinstance(dtype, ExtensionDtype) and dtype.kind == "f"
    ):  # -0.0 is 0.0, NaN is missing
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    try:
        codes, distinct = pd.factorize(values)
    except (TypeError, NotImplementedError):  # labels that do not hash, such as lists
        raise _odd_labels(column, name) from None
    _check_present(codes, column)
    names = pd.Index(distinct, dtype=dtype, tupleize_cols=False)
    _check_labels(names, name)
    return codes, names


def _narrow(codes: NDArray[np.int64]) -> NDArray[np.integer]:
    """Hold codes in few bytes: there is one for each row of the frame."""
    return codes.astype(np.min_scalar_type(len(codes)))


def _check_present(codes: NDArray[np.integer], column: pd.Series) -> None:
    if codes.min() < 0:
        absent = int((codes < 0).sum())
        name = column.name
        way = f"df.fillna({{{name!r}: ...}})"
        if isinstance(column.dtype, pd.CategoricalDtype):  # which take no new label
            way = f"df.assign({name}=df[{name!r}].astype(object).fillna(...))"
        verb = "has" if absent == 1 else "have"
        raise BeamError(
            f"every row needs a {name}, {count(absent, 'row')} of {len(codes):,} "
            f"{verb} none: write what it is, {way}"
        )


def _check_labels(names: pd.Index, column: Hashable) -> None:
    """Refuse labels that are neither all text nor all numbers."""
    if names.dtype != object and names.dtype.kind in "iuf":
        return
    if names.dtype != object and pd.api.types.is_string_dtype(names.dtype):
        return
    if all(isinstance(label, str) for label in names):
        return
    if all(is_number(label) for label in names):
        return
    raise _odd_labels(names, column)


def _odd_labels(labels: Iterable[Hashable], column: Hashable) -> BeamError:
    """Build the error for labels that are no text and no numbers, with one of each."""
    kinds: dict[str, Hashable] = {}
    for label in labels:
        kinds.setdefault(type(label).__name__, label)
    found = ", ".join(f"{kind} ({shorten(label)})" for kind, label in kinds.items())
    return BeamError(
        f"labels in column {column!r} must be all text or all numbers, found {found}: "
        f"{_as_text(column)}"
    )


def _as_text(column: Hashable) -> str:
    """Say how to make text of labels; one that is missing stays missing."""
    return f"df.assign({column}=df[{column!r}].map(str, na_action='ignore'))"


class Picked:
    """
    Labels by their position, taken only when a result is built: at once for all metrics.

    Parameters
    ----------
    labels : Index
        All labels.
    at : ndarray of whole numbers
        Position of each.
    """

    __slots__ = ("at", "labels")

    def __init__(self, labels: pd.Index, at: NDArray[np.integer]) -> None:
        self.labels, self.at = labels, at

    def __len__(self) -> int:
        """Count the labels picked."""
        return len(self.at)

    def __getitem__(self, rows: NDArray[np.integer] | NDArray[np.bool_] | slice) -> Picked:
        """Pick some of them."""
        return Picked(self.labels, self.at[rows])

    def repeat(self, times: int) -> Picked:
        """Pick each several times."""
        return Picked(self.labels, np.repeat(self.at, times))

    def taken(self) -> pd.Index:
        """Take the labels."""
        return self.labels.take(self.at)


def join_labels(pieces: Sequence[pd.Index | Picked]) -> pd.Series:
    """
    Append labels of one dtype, as a column of that dtype.

    `Index.append` would turn objects that are all text into the dtype of text.
    """
    picked = [piece for piece in pieces if isinstance(piece, Picked)]
    if len(picked) == len(pieces) and len({id(piece.labels) for piece in picked}) == 1:
        whole = Picked(picked[0].labels, np.concatenate([piece.at for piece in picked]))
        pieces = [whole]
    taken = [piece.taken() if isinstance(piece, Picked) else piece for piece in pieces]
    columns = [pd.Series(piece.array, dtype=piece.dtype) for piece in taken]
    return pd.concat(columns, ignore_index=True) if len(columns) > 1 else columns[0]


def take_or_missing(labels: pd.Index, positions: NDArray[np.intp]) -> pd.Index:
    """
    Take labels by position, a missing one for -1.

    Whole numbers and truth values become nullable, whether or not one is missing.
    """
    if isinstance(labels.dtype, np.dtype) and labels.dtype.kind in "iub":
        labels = pd.Index(pd.array(labels.to_numpy()))
    return labels.take(positions, allow_fill=True, fill_value=np.nan)
