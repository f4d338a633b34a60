"""Which column of a long table is what, or what to say to have it told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import pandas as pd

from beam_pandas.errors import BeamError, MissingColumnsError, count, list_labels
from beam_pandas.gate.column_names import find_renaming
from beam_pandas.shapes.csv_files import as_numbers
from beam_pandas.shapes.headings import describes, is_metric, role_of
from beam_pandas.terminal.asked import Asked

_OPTIONS: Final = {"metric": "metric-column"}


class Roles(NamedTuple):
    """For each role its columns; without a metric column several scores are metrics."""

    method: tuple[str, ...]
    dataset: tuple[str, ...]
    score: tuple[str, ...]
    metric: str | None
    run: str | None

    @property
    def named(self) -> tuple[str, ...]:
        """All columns that play a part."""
        single = [name for name in (self.metric, self.run) if name is not None]
        return (*self.method, *self.dataset, *self.score, *single)


def find_roles(frame: pd.DataFrame, asked: Asked) -> Roles:
    """
    Find the column of each role: as asked for, else by the very name.

    Raises
    ------
    MissingColumnsError
        If one is not there. The message says which options would name it.
    """
    names = [str(name) for name in frame.columns]
    wanted = [*asked.method, *asked.dataset, *asked.score]
    wanted += [name for name in (asked.metric_column, asked.run) if name is not None]
    absent = [name for name in wanted if name not in names]
    if absent:
        raise MissingColumnsError(
            f"columns {list_labels(wanted, limit=12)} are asked for, {list_labels(absent)} "
            f"not found among {list_labels(names, limit=12)}"
        )
    roles = Roles(
        asked.method or _itself("method", names),
        asked.dataset or _itself("dataset", names),
        asked.score or _itself("score", names),
        asked.metric_column or next(iter(_itself("metric", names)), None),
        asked.run or next(iter(_itself("run", names)), None),
    )
    if not (roles.method and roles.dataset and roles.score):
        raise _lacking(frame, roles)
    twice = [name for at, name in enumerate(roles.named) if name in roles.named[:at]]
    if twice:
        raise BeamError(f"each column can play one part, found {list_labels(twice)} in two")
    if len(roles.score) > 1 and roles.metric is not None:
        raise BeamError(
            f"one --score is needed beside a column {roles.metric!r} that names the "
            f"metric, got {list_labels(roles.score)}"
        )
    return roles


def names_metric(column: str) -> bool:
    """Tell whether a column of scores is called by its metric, not score or result."""
    return role_of(column) != "score"


def _itself(role: str, names: Sequence[str]) -> tuple[str, ...]:
    return (role,) if role in names else ()


def _lacking(frame: pd.DataFrame, roles: Roles) -> MissingColumnsError:
    """Say which columns are lacking and which options would name them."""
    lacking = [role for role in ("method", "dataset", "score") if not getattr(roles, role)]
    names = [str(name) for name in frame.columns]
    message = (
        f"columns 'method', 'dataset', 'score' are needed, {list_labels(lacking)} "
        f"not found among {list_labels(names, limit=12)}"
    )
    free = frame.drop(columns=list(roles.named))
    found = {
        role: column
        for column, role in find_renaming(free).items()
        if not (role in ("method", "dataset") and _holds_decimals(free[column]))
    }
    scores = [
        str(name)
        for name in free.columns
        if name not in found.values() and is_metric(str(name)) and not describes(str(name))
    ]
    told = [(role, found[role]) for role in lacking if role in found]
    if "score" in lacking and "score" not in found:
        told += [("score", name) for name in scores[:4]]
    told += [
        (role, found[role])
        for role in ("metric", "run")
        if role in found and getattr(roles, role) is None
    ]
    known = {role for role, _ in told}
    if not {"method", "dataset"} & (known | {"method", "dataset"} - set(lacking)):
        return MissingColumnsError(f"{message}; {_wide_way(lacking)}")
    import shlex  # hardly ever needed

    options = " ".join(
        f"--{_OPTIONS.get(role, role)} {shlex.quote(name)}" for role, name in told
    )
    open_roles = [role for role in lacking if role not in known]
    options += "".join(f" --{role} COL" for role in open_roles)
    return MissingColumnsError(
        f"{message}: add {options.strip()}{_if_wide(open_roles)}{_if_files(open_roles)}"
    )


def _holds_decimals(column: pd.Series) -> bool:
    """Tell whether a column holds numbers with decimals, which are no labels."""
    numbers = column if column.dtype != object else as_numbers(column.map(str))
    if not pd.api.types.is_numeric_dtype(numbers.dtype):
        return False
    return bool((numbers.dropna() % 1 != 0).any())


def _wide_way(lacking: Sequence[str]) -> str:
    options = " ".join(f"--{role} COL" for role in lacking)
    return (
        f"add {options}; for a table with a column for each method --wide, with a row for "
        "each method --rows methods"
    )


def _if_wide(open_roles: Sequence[str]) -> str:
    if not {"method", "dataset"} & set(open_roles):
        return ""
    side = "--rows methods" if "dataset" in open_roles else "--wide"
    return f"; or {side} for a table with a column for each {_wide_side(open_roles)}"


def _wide_side(open_roles: Sequence[str]) -> str:
    return "dataset" if "dataset" in open_roles else "method"


def _if_files(open_roles: Sequence[str]) -> str:
    for role in ("method", "dataset"):
        if role in open_roles:
            return f"; or --file-is {role} if each file is one"
    return ""


def check_labels(labels: pd.Series, role: str) -> None:
    """Refuse rows without a label, which would else vanish."""
    absent = labels.isna().to_numpy()
    if absent.any():
        rows = [at + 1 for at in absent.nonzero()[0][:5].tolist()]
        number = int(absent.sum())
        more = " and more" if number > 5 else ""
        raise BeamError(
            f"every row needs a {role}, {count(number, 'row')} of {len(labels):,} "
            f"{'has' if number == 1 else 'have'} none (row "
            f"{', '.join(map(str, rows))}{more} below the headings): write what it is"
        )
