"""CSV files read as they are, with a clear word on what cannot be read."""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence

import pandas as pd

from beam_pandas.errors import BeamError, list_labels


def read_table(path: str | os.PathLike[str]) -> pd.DataFrame:
    """
    Read a CSV file, UTF-8 with or without a byte order mark, compressed or not.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    DataFrame
        With a RangeIndex.

    Raises
    ------
    BeamError
        If two columns have the same name, which pandas alone would rename, or the file
        is no CSV file.
    OSError
        If the file cannot be opened.
    """
    try:
        header = pd.read_csv(path, encoding="utf-8-sig", header=None, nrows=1, dtype=str)
        repeated = repeated_names(header.iloc[0].dropna().tolist())
        if not repeated:
            return pd.read_csv(path, encoding="utf-8-sig", index_col=False)
    except pd.errors.EmptyDataError as error:
        raise BeamError(f"{path}: the file is empty") from error
    except (UnicodeDecodeError, pd.errors.ParserError) as error:
        raise BeamError(f"{path}: cannot be read as CSV in UTF-8, {error}") from error
    raise BeamError(
        f"{path}: column names must differ, found {list_labels(repeated)} more than once"
    )


def repeated_names(names: Sequence[Hashable]) -> list[Hashable]:
    """List the names that occur a second time."""
    return [name for at, name in enumerate(names) if name in names[:at]]
