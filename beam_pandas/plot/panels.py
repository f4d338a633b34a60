"""What every picture reads first: the panels of a result, by the names of its columns."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import pandas as pd

from beam_pandas.errors import (
    BeamError,
    MissingColumnsError,
    ScoreTypeError,
    list_labels,
    plain,
)
from beam_pandas.results.build import result_schema

if TYPE_CHECKING:
    from pandas.api.typing import DataFrameGroupBy


class Panel(NamedTuple):
    """A part of a result that is drawn on Axes of its own."""

    title: str  # the metric, or the group and the metric
    part: pd.DataFrame


def read_panels(
    result: pd.DataFrame,
    needed: Sequence[str],
    picture: str,
    makers: Sequence[str],
    *,
    is_pooled: bool = False,
) -> list[Panel]:
    """
    Check a tidy result and split it by what is no column of the functions that make it.

    Those are the metric and the keys of groups, wherever they stand.

    Parameters
    ----------
    result : DataFrame
        What the user passed.
    needed : sequence of str
        Columns that are drawn.
    picture : str
        Name of the public function that draws.
    makers : sequence of str
        Names of the functions whose results it takes.
    is_pooled : bool, default False
        Whether all metrics go into one panel.

    Returns
    -------
    list of Panel
        One for each metric and group, in the order of the result.
    """
    check_frame(result, picture, makers)
    lacking = [name for name in needed if name not in result.columns]
    if lacking:
        raise MissingColumnsError(
            f"plot.{picture} needs the columns {list_labels(needed, limit=12)}; lacking "
            f"are {list_labels(lacking, limit=12)}, found "
            f"{list_labels(result.columns, limit=12)}: {_pass_instead(makers)}"
        )
    own = {column for maker in makers for column in result_schema(maker, metric=is_pooled)}
    keys = [column for column in result.columns if column not in own]
    twice = [name for name in [*needed, *keys] if list(result.columns).count(name) > 1]
    if twice:
        raise BeamError(f"column {twice[0]!r} is needed once, found several of that name")
    if result.empty:
        raise BeamError(
            f"plot.{picture} needs at least one row, found none: {_pass_instead(makers)}"
        )
    if not keys:
        return [Panel("", result)]
    keys.sort(key=lambda name: name == "metric")  # groups first, as functions put them
    return _titled(result.groupby(keys, sort=False, observed=True, dropna=False))


def panel_key(part: pd.DataFrame, makers: Sequence[str]) -> tuple[Any, ...]:
    """Give what tells a panel from the others of its result: names and labels."""
    own = {column for maker in makers for column in result_schema(maker, metric=False)}
    keys = sorted(str(column) for column in part.columns if column not in own)
    return tuple((key, plain(part[key].iloc[0])) for key in keys if key in part.columns)


def read_wide_panels(wide: pd.DataFrame, row: Hashable = None) -> list[Panel]:
    """
    Split a wide result by the levels of its rows but one.

    Parameters
    ----------
    wide : DataFrame
        Labels in the index.
    row : label, optional
        Name of the level whose labels are the rows of a panel, by default the last.
    """
    if not isinstance(wide.index, pd.MultiIndex):
        return [Panel("", wide)]
    if wide.empty:
        raise BeamError(f"a picture needs rows and columns, found {wide.shape} of them")
    names = list(wide.index.names)
    at = names.index(row) if row in names else len(names) - 1
    leading: list[Hashable] = [level for level in range(len(names)) if level != at]
    level = leading if len(leading) > 1 else leading[0]
    groups = wide.groupby(level=level, sort=False, observed=True, dropna=False)
    return [Panel(title, part.droplevel(leading)) for title, part in _titled(groups)]


def check_frame(result: object, picture: str, makers: Sequence[str]) -> None:
    """Refuse what is no DataFrame."""
    if not isinstance(result, pd.DataFrame):
        raise ScoreTypeError(
            f"plot.{picture} needs a pandas DataFrame, found {type(result).__name__}: "
            f"{_pass_instead(makers)}"
        )


def refuse_part_of_pairs(
    part: pd.DataFrame, title: str, picture: str, makers: Sequence[str]
) -> None:
    """Refuse a square that lacks pairs, which would look like pairs that never met."""
    methods = pd.unique(pd.concat([part["method_1"], part["method_2"]]))
    n_all = len(methods) * (len(methods) - 1) // 2
    if len(part) != n_all:
        place = f" of {title}" if title else ""
        raise BeamError(
            f"plot.{picture} needs a row for every pair of its methods{place}, found "
            f"{len(part)} of the {n_all} pairs of {len(methods)} methods: pass the whole "
            f"result of {' or '.join(f'beam_pandas.{name}' for name in makers)}, and "
            "select methods in the scores"
        )


def _pass_instead(makers: Sequence[str]) -> str:
    names = " or ".join(f"beam_pandas.{name}" for name in makers)
    return f"pass the result of {names}"


def _titled(groups: DataFrameGroupBy[Any, Any]) -> list[Panel]:
    """Name the panels by metric and group; one alone needs no title."""
    keys = [key if isinstance(key, tuple) else (key,) for key, _ in groups]
    parts = [part for _, part in groups]
    if len(parts) == 1:
        return [Panel("", parts[0])]
    titles = [", ".join(str(plain(label)) for label in key) for key in keys]
    return [Panel(title, part) for title, part in zip(titles, parts, strict=True)]


def as_labels(value: object, known: Iterable[Hashable], name: str) -> list[Hashable]:
    """
    Read labels that the user names: one, or several.

    Parameters
    ----------
    value : label or sequence of labels
        As given; None is none.
    known : iterable of labels
        Those there are.
    name : str
        Of the parameter, for messages.

    Returns
    -------
    list of labels
    """
    if value is None:
        return []
    several = [value] if pd.api.types.is_scalar(value) else value
    chosen = list(cast("Iterable[Hashable]", several))
    labels = list(known)
    unknown = [label for label in chosen if label not in labels]
    if unknown:
        raise BeamError(
            f"{name} must name methods of the result, {list_labels(labels)}; "
            f"got {list_labels(unknown)}"
        )
    return chosen
