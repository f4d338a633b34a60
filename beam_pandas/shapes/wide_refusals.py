"""What a wide table holds besides scores, refused with the way to what was meant."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, list_labels
from beam_pandas.gate.column_names import counts_runs, find_renaming, names_methods
from beam_pandas.gate.role_names import role_named
from beam_pandas.shapes.column_scales import odd_columns
from beam_pandas.shapes.headings import describes, metrics_among

_RUN_NAME: Final = re.compile(
    r"(?:cv[ _-]?)?(?:fold|run|seed|split|rep|repeat|repetition|replicate|resample|trial|"
    r"iter|iteration)[ _-]?\d+(?:[ _-](?:test|train|valid|val)?[ _-]?\w*)?",
    re.IGNORECASE,
)
_PLAIN_ENDS: Final = re.compile(
    r".*\b(?:std|stdev|std dev|stderr|std err|rank|ranks|time|times|secs?|seconds|runtime|"
    r"params?|parameters|num|count|len|length|memory)"
)
_SPREAD_ENDS: Final = re.compile(
    r"(.*\S)\b ?(?:sd|se|sem|ci|ci95|var|variance|iqr|err|error)"
)
_STARTS: Final = re.compile(r"(?:params? |rank |std |count |num )\w.*")


def refuse_long(frame: pd.DataFrame) -> None:
    """Refuse a frame with columns that name methods and others that name datasets."""
    columns = list(frame.columns)
    renaming = find_renaming(frame)
    roles = {role: column for column, role in renaming.items()}
    roles |= {name: name for name in ("method", "dataset", "score") if name in columns}
    if not {"method", "dataset"} <= set(roles):
        return
    if pd.api.types.is_numeric_dtype(frame[roles["method"]].dtype):
        return
    if "score" in roles:
        shown = dict(renaming)
        renamed = f".rename(columns={shown!r})" if shown else ""
        raise BeamError(
            f"a column for each method is needed, found columns {list_labels(columns)}: "
            f"the table is long already, a row for each score: use df{renamed} as it is"
        )
    scores = metrics_among([str(name) for name in columns if name not in roles.values()])
    named = ", ".join(f"{role}={roles[role]!r}" for role in ("method", "dataset"))
    listed = ", ".join(map(repr, scores[:5])) + (", ..." if len(scores) > 5 else "")
    raise BeamError(
        f"a column for each method is needed, found {roles['method']!r}, which looks as if "
        f"it named methods, beside {roles['dataset']!r}: for a column for each metric, "
        f"beam_pandas.from_columns(df, {named}, scores=[{listed or '...'}]); else pass "
        "methods=[...]"
    )


def refuse_run_rows(name: Hashable, in_index: bool) -> None:
    """Refuse rows that are called runs: they are of one dataset."""
    if names_runs(name):
        named = "df.rename_axis('run').reset_index()"
        if not in_index:
            named = "df" if name == "run" else f"df.rename(columns={{{name!r}: 'run'}})"
        raise BeamError(
            f"a row for each dataset is needed, found rows named by {name!r}, which are "
            f"runs of a dataset and no datasets: beam_pandas.from_matrix({named}"
            ".assign(dataset='...'), dataset='dataset', keep=['run'])"
        )


def names_runs(name: Hashable) -> bool:
    """Tell whether rows under this heading are runs."""
    return isinstance(name, str) and role_named(name) == "run"


def refuse_methods(name: Hashable, in_index: bool) -> None:
    """Refuse rows that are called methods."""
    if name is not None and names_methods(name):
        indexed = "df" if in_index else f"df.set_index({name!r})"
        raise BeamError(
            f"a row for each dataset is needed, found rows named by {name!r}: if they are "
            f"methods, {indexed}.T.rename_axis('dataset'), else pass dataset={name!r}; "
            "orient='methods' takes the table as it is"
        )


def refuse_headings(
    columns: pd.Index, by_methods: bool, names: pd.Index, key: Sequence[Hashable]
) -> None:
    """
    Refuse columns whose headings say that they are no methods, or no datasets.

    Parameters
    ----------
    columns : Index
        Those taken for scores.
    by_methods : bool
        Whether rows are methods, and columns so datasets.
    names : Index
        Those of the rows; runs have several rows of a name.
    key : list of labels
        The columns that name them, none if the index does.
    """
    each, option = ("dataset", "datasets") if by_methods else ("method", "methods")
    row = "method" if by_methods else "dataset"
    told = role_named(str(columns.name)) if columns.name is not None else None
    if told == each:
        return
    headings = [str(name) for name in columns]
    found = f"a column for each {each} is needed, found "
    runs = [name for name in columns if counts_runs(name)]
    if runs:
        raise BeamError(
            f"{found}{list_labels(runs)}: "
            f"{_way_from_runs(runs, option, row, bool(names.duplicated().any()), key)}"
        )
    if metrics := metrics_among(headings):
        way = "method='...'" if by_methods else "dataset='...'"
        other = "dataset='...'" if by_methods else "method='...'"
        raise BeamError(
            f"{found}{list_labels(metrics)}, which the registry knows as metrics: for a "
            f"column for each metric, beam_pandas.from_columns(df, {way}, {other}, "
            f"scores=[...]), with a column that names the {other.split('=')[0]}; if they "
            f"are {each}s, pass {option}=[...]"
        )
    numbered = _are_numbered(columns)
    if numbered or (
        len(headings) > 1 and all(_RUN_NAME.fullmatch(name) for name in headings)
    ):
        frame = "df" if key else "df.reset_index()"  # melt loses an index
        raise BeamError(
            f"{found}{list_labels(columns)}, which look like runs: {frame}.melt(id_vars=["
            f"'...'], var_name='run', value_name='score') with the column that names the "
            f"{row}, and a column for the {each}; if they are {each}s, pass {option}=[...]"
        )
    beside = _beside(headings)
    if beside and len(beside) < len(headings):
        raise BeamError(_describing(found, beside, each, option))


def _way_from_runs(
    names: list[Hashable],
    option: str,
    row: str,
    repeated: bool,
    key: Sequence[Hashable],
) -> str:
    """Say what to do with columns that number rows or runs."""
    runs = [name for name in names if role_named(str(name)) == "run"]
    if repeated and runs:
        renamed = "df" if runs[0] == "run" else f"df.rename(columns={{{runs[0]!r}: 'run'}})"
        name = key[0] if len(key) == 1 else list(key)
        named = f"{row}={name!r}, " if key else ""
        return (
            f"if it names runs, beam_pandas.from_matrix({renamed}, {named}keep=['run']), "
            f"or pass {option}=[...]"
        )
    return (
        f"df.drop(columns={names!r}), or pass {option}=[...]; keep=[...] carries columns "
        "along, tables with a column for each metric are for from_columns"
    )


def refuse_numbers(
    columns: pd.Index, scores: NDArray[np.float64], by_methods: bool
) -> None:
    """Refuse columns whose numbers say that they describe rows."""
    each, option = ("dataset", "datasets") if by_methods else ("method", "methods")
    told = role_named(str(columns.name)) if columns.name is not None else None
    if told == each:
        return
    found = f"a column for each {each} is needed, found "
    if odd := odd_columns(scores, methods=not by_methods, strict=True):
        names = [columns[at] for at in odd]
        raise BeamError(_describing(found, names, each, option))


def _describing(found: str, names: Sequence[Hashable], each: str, option: str) -> str:
    """Say that columns look as if they described the rows, and how to go on."""
    return (
        f"{found}{list_labels(names)}, which from name or numbers (whole ones beside "
        f"fractions, another scale) look as if they described the rows: name the {each}s, "
        f"{option}=[...], and carry others along with keep=[...]"
    )


def _are_numbered(columns: pd.Index) -> bool:
    """Tell whether columns are called 0 to n - 1, or 1 to n."""
    names = [str(name) for name in columns]
    n = len(names)
    return n > 1 and names in (
        [str(at) for at in range(n)],
        [str(at) for at in range(1, n + 1)],
    )


def _beside(names: Sequence[str]) -> list[str]:
    """List the headings that say what describes a row, or belongs to a column beside."""
    words = {name: " ".join(re.split(r"[\s\-_.]+", name.lower())).strip() for name in names}
    found = []
    for name, text in words.items():
        spread = _SPREAD_ENDS.fullmatch(text)
        if (
            describes(name)
            or _PLAIN_ENDS.fullmatch(text)
            or _STARTS.fullmatch(text)
            or (spread and spread[1].strip() in words.values())
        ):
            found.append(name)
    return found
