"""CSV files read as they are, with a clear word on what cannot be read."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import cast

import numpy as np
import pandas as pd

from beam_pandas.errors import BeamError, list_labels, shorten

#: What stands for a missing number in a file.
_MISSING = frozenset(
    {"#N/A", "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"}
)


def read_table(
    path: str | os.PathLike[str], separator: str = ",", content: bytes | None = None
) -> pd.DataFrame:
    """
    Read a CSV file, UTF-8 with or without a byte order mark, compressed or not.

    Parameters
    ----------
    path : str or path
        The file.
    separator : str
        What parts its cells, such as a comma or a tab.
    content : bytes, optional
        What the file holds, if that was read before; `path` is its name then.

    Returns
    -------
    DataFrame
        Every cell as text, as it is written: ``1.10`` is another name than ``1.1``, and
        ``NA`` is one; only an empty cell is missing. RangeIndex.

    Raises
    ------
    BeamError
        If two columns have the same name, a row has more cells than there are columns, or
        the file is no CSV file.
    OSError
        If the file cannot be opened.
    """
    read = cast(
        "Callable[..., pd.DataFrame]",
        partial(
            pd.read_csv,
            sep=separator,
            encoding="utf-8-sig",
            dtype=str,
            keep_default_na=False,
        ),
    )
    header: list[str] = []

    def source() -> str | os.PathLike[str] | io.BytesIO:
        return path if content is None else io.BytesIO(content)

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            header = read(source(), header=None, nrows=1).iloc[0].tolist()
            _check_header(path, header, separator)
            frame = read(source(), index_col=False)
    except pd.errors.EmptyDataError as error:
        raise BeamError(f"{path}: the file is empty") from error
    except pd.errors.ParserWarning as error:
        raise BeamError(
            f"{path}: a row has more cells than the header has columns ({len(header)}); is "
            "a comma used for decimals, or does the name of the first column lack?"
        ) from error
    except (OSError, BeamError):
        raise
    except Exception as error:  # of any decompressor or parser
        reason = shorten_text(str(error) or type(error).__name__)
        raise BeamError(f"{path}: cannot be read as CSV in UTF-8, {reason}") from error
    if not len(frame):
        raise BeamError(f"{path}: the file has a header and no rows")
    frame = frame.mask(frame == "")
    last = frame.columns[-1]  # a comma at the end of each line makes an empty column
    if str(last).startswith("Unnamed: ") and frame[last].isna().all():
        frame = frame.drop(columns=[last])
    return frame


def as_numbers(column: pd.Series) -> pd.Series:
    """Turn a column of text into float64, each number exactly as written, if it is one."""
    present = column.where(~column.isin(_MISSING))
    try:
        numbers = [np.nan if pd.isna(cell) else read_number(cell) for cell in present]
    except ValueError:
        return present
    return pd.Series(numbers, index=column.index, name=column.name, dtype="float64")


def read_number(text: str) -> float:
    """
    Read a number as it is written.

    Raises
    ------
    ValueError
        If it is none; nor is ``1_000``, nor one in other digits than 0 to 9, both of which
        Python takes.
    """
    if "_" in text or not text.isascii():
        raise ValueError(text)
    return float(text)


def shorten_text(text: str, limit: int = 200) -> str:
    """Cut a text that a message quotes from elsewhere."""
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def repeated_names(names: Sequence[Hashable]) -> list[Hashable]:
    """List the names that occur a second time."""
    return [name for at, name in enumerate(names) if name in names[:at]]


def _check_header(path: str | os.PathLike[str], header: list[str], separator: str) -> None:
    repeated = repeated_names([name for name in header if name])
    if repeated:
        raise BeamError(
            f"{path}: column names must differ, found {list_labels(repeated)} more than "
            "once"
        )
    wanted = {",": "commas", "\t": "tabs"}.get(separator, repr(separator))
    for other in (";", "\t", ","):
        if other != separator and len(header) == 1 and other in header[0]:
            raise BeamError(
                f"{path}: cells must be separated by {wanted}, the header "
                f"{shorten(header[0])} looks as if they were by {other!r}"
            )
