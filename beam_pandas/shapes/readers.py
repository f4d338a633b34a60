"""Result files: one each for a method, dataset, metric or run, and of other programs."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

import pandas as pd

from beam_pandas.errors import BeamError, check_option, count, list_labels, warn, within
from beam_pandas.shapes.cross_validation import from_cross_validation, from_search
from beam_pandas.shapes.lm_eval import read_lm_eval
from beam_pandas.shapes.printed_grid import shorten
from beam_pandas.shapes.result_files import Asked, Read, read_file

__all__ = ["from_cross_validation", "from_search", "read_lm_eval", "read_results"]

_NAMES: Final = ("method", "dataset", "metric", "run")
_ENDINGS: Final = (".csv", ".tsv", ".csv.gz", ".tsv.gz")


def read_results(
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Mapping[str, str],
    *,
    name: Literal["method", "dataset", "metric", "run"],
    method: str | None = None,
    dataset: str | None = None,
    metric: str | None = None,
    run: str | None = None,
    scores: Sequence[str] | None = None,
    orient: Literal["datasets", "methods"] | None = None,
) -> pd.DataFrame:
    """
    Read result files, one each for a method, a dataset, a metric or a run.

    Parameters
    ----------
    source : folder, list of paths, or mapping from label to path
        Files with cells parted by commas (``.csv``) or tabs (``.tsv``), also ``.gz``. Of a
        folder all files with these endings are read, not those of folders within it.
    name : {"method", "dataset", "metric", "run"}
        What each file is: its name without the ending becomes the label there.
    method, dataset, metric, run : str, optional
        Columns that name these in the files. Left out, columns with names such as model,
        task, measure, seed are taken.
    scores : list of str, optional
        Columns of scores. Left out, a column called score or the like is taken, else all
        that are metrics known to the registry, else, in a file where only methods or
        only datasets have a column, all others: they are datasets or methods.
    orient : {"datasets", "methods"}, optional
        What the rows of such a wide file are, if the heading of its first column does not
        tell.

    Returns
    -------
    DataFrame
        One row per score, missing ones included, file by file in the order of the labels:

        - **method**, **dataset** : labels as written.
        - **metric** : if the files, or their columns, name one.
        - **run** : if files are runs or have such a column; whole numbers if all are.
        - **score** : float64, NaN where a cell is empty.

    Raises
    ------
    MissingColumnsError
        If a column that is asked for, or one that names methods or datasets, is not there.
    ScoreTypeError
        If a score is not a number.
    BeamError
        If there is no file, two have the same name, or one is no table. The message names
        the file.
    OSError
        If a file cannot be read.

    Warns
    -----
    BeamWarning
        Once, naming the files and columns that were left out.

    See Also
    --------
    read_matrices : wide files, one for each metric.
    read_printed : one table as it is printed.

    Examples
    --------
    >>> import beam_pandas
    >>> beam_pandas.read_results("results", name="method")  # doctest: +SKIP
    """
    check_option("name", name, _NAMES)
    if orient is not None:
        check_option("orient", orient, ("datasets", "methods"))
    if isinstance(scores, str) or not (scores is None or isinstance(scores, Iterable)):
        raise BeamError(f"scores must be a list of columns, got {shorten(scores)}")
    files, skipped = _find_files(source)
    columns = {"method": method, "dataset": dataset, "metric": metric, "run": run}
    asked = Asked(
        name,
        {role: column for role, column in columns.items() if column is not None},
        None if scores is None else tuple(scores),
        orient,
    )
    if name in asked.columns:
        raise BeamError(
            f"name={name!r} takes it from the names of the files, got {name}="
            f"{asked.columns[name]!r} too: leave one of them out"
        )
    parts = []
    for label, path in files.items():
        with within(str(path)):
            parts.append(read_file(path, label, asked))
    _warn_of_rest(skipped, parts)
    return _join(parts)


def _find_files(source: object) -> tuple[dict[str, Path], list[str]]:
    """List files by label, and what is left out of a folder."""
    if isinstance(source, Mapping):
        files = {str(label): Path(path) for label, path in source.items()}
        skipped: list[str] = []
    elif isinstance(source, (str, os.PathLike)):
        entries = sorted(Path(source).iterdir())
        files = _by_stem([path for path in entries if _is_result(path)])
        skipped = [path.name for path in entries if not _is_result(path)]
    elif isinstance(source, Iterable):
        paths = list(source)
        odd = [path for path in paths if not isinstance(path, (str, os.PathLike))]
        if odd:
            raise BeamError(f"files must be given by their paths, got {shorten(odd[0])}")
        files, skipped = _by_stem([Path(path) for path in paths]), []
    else:
        raise BeamError(
            "source must be a folder, a list of paths or a mapping from label to path, got "
            f"{shorten(source)}"
        )
    if not files:
        raise BeamError(
            f"at least one file ending in {', '.join(_ENDINGS)} is needed, found none in "
            f"{shorten(source)}"
        )
    return files, skipped


def _is_result(path: Path) -> bool:
    ends = path.name.lower().endswith(_ENDINGS)
    return ends and not path.name.startswith(".") and path.is_file()


def _by_stem(paths: Sequence[Path]) -> dict[str, Path]:
    """Label files by their names without the ending."""
    stems = [_stem(path) for path in paths]
    repeated = [stem for stem, number in Counter(stems).items() if number > 1]
    if repeated:
        both = [str(path) for path in paths if _stem(path) == repeated[0]]
        raise BeamError(
            f"files need names of their own, found {list_labels(both)}: pass a mapping "
            "from label to path"
        )
    return dict(sorted(zip(stems, paths, strict=True)))


def _stem(path: Path) -> str:
    for ending in sorted(_ENDINGS, key=len, reverse=True):
        if path.name.lower().endswith(ending):
            return path.name[: -len(ending)]
    return path.stem


def _warn_of_rest(skipped: Sequence[str], parts: Sequence[Read]) -> None:
    """Say once which files and columns were left out."""
    said = []
    if skipped:
        verb = "was" if len(skipped) == 1 else "were"
        said.append(
            f"{count(len(skipped), 'file')} {verb} left out: {list_labels(skipped)}"
        )
    columns = list(dict.fromkeys(name for part in parts for name in part.left_out))
    if columns:
        said.append(
            f"{count(len(columns), 'column')} left out: {list_labels(columns)}; name those "
            "with scores in scores=[...] to take them"
        )
    if said:
        warn("; ".join(said))


def _join(parts: Sequence[Read]) -> pd.DataFrame:
    """Put files under each other, with the columns that any of them has."""
    order = ["method", "dataset", "metric", "run", "score"]
    columns = [name for name in order if any(name in part.long for part in parts)]
    long = {
        name: [
            cell
            for part in parts
            for cell in part.long.get(name, [None] * len(part.long["score"]))
        ]
        for name in columns
    }
    frame = pd.DataFrame(long)
    present = [part for part in parts if "metric" in part.long]
    if present and len(present) < len(parts):
        raise BeamError(
            "each file needs a metric, or none, found "
            f"{count(len(parts) - len(present), 'file')} of {len(parts):,} without one"
        )
    if "run" in frame and all(_is_whole(run) for run in long["run"]):
        frame["run"] = [int(run) for run in long["run"]]
    return frame


def _is_whole(run: str | None) -> bool:
    """Tell whether a text is a whole number in its only form, without leading zeros."""
    return run is not None and bool(re.fullmatch("0|[1-9][0-9]{0,17}", run))
