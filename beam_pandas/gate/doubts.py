"""The gate's warnings: what is allowed in a frame of scores but may not be meant."""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import count, warn
from beam_pandas.gate.columns import Columns
from beam_pandas.gate.registry import find_metric
from beam_pandas.labels import Labels

_SHOWN = 5
_SLACK = 1e-6  # of a bound: a score a few digits beyond 1 is a rounded 1, as of float32


def warn_of_columns(frame: pd.DataFrame, columns: Columns) -> None:
    """
    Warn of a metric under another name, and of labels that nearly collide.

    Parameters
    ----------
    frame : DataFrame
        Scores.
    columns : Columns
        As read from it.
    """
    if columns.metric_like is not None and _differs(frame.loc[:, [columns.metric_like]]):
        renaming = {columns.metric_like: "metric"}
        warn(
            f"the frame has no column 'metric', so all scores are taken to be of one; if "
            f"{columns.metric_like!r} names the metric: df.rename(columns={renaming!r})"
        )
    named = {"metric": columns.metric, "dataset": columns.dataset, "method": columns.method}
    alike = {
        name: groups
        for name, labels in named.items()
        if labels is not None and (groups := _near_collisions(labels))
    }
    if alike:
        warn(_near_collision_message(alike))


def warn_of_scale(metric: pd.Index | None, columns: Columns, code: int) -> None:
    """
    Warn of scores in 0 to 1 among scores in percent, for a metric that is at most 1.

    Parameters
    ----------
    metric : Index or None
        The metric, as an index of one label; one that the registry knows no bound of, or
        that has no name, is never doubted.
    columns : Columns
        Of the frame.
    code : int
        Code of the metric among them.
    """
    entry = None if metric is None else find_metric(metric.tolist()[0])
    if entry is None or entry.upper != 1.0 or columns.metric is None:
        return
    rows = columns.metric.codes == code
    score = columns.score[rows]
    size = np.abs(score) if entry.lower is not None and entry.lower < 0.0 else score
    beyond = size > 1.0 + _SLACK  # a missing score, NaN, is neither
    within = (size > 0.0) & ~beyond  # 0 is 0 on any scale, below the bounds anything goes
    too_large = size > 100.0 * (1.0 + _SLACK)
    if too_large.any():
        warn(_bound_message(metric, columns.at(rows), too_large))
    elif _are_two_scales(size, within, beyond):
        warn(_scale_message(metric, columns.at(rows), within, beyond))


def _are_two_scales(
    size: NDArray[np.float64], within: NDArray[np.bool_], beyond: NDArray[np.bool_]
) -> bool:
    """
    Tell whether scores of a metric of at most 1 are some in percent and some not.

    A score a little beyond 1 among fractions is odd but no percentage, and a single one
    below 1 among percentages may be as small as that.
    """
    n_within, n_beyond = int(within.sum()), int(beyond.sum())
    if n_within >= n_beyond:
        return bool((size > 2.0).any()) and n_within > 0
    return n_within > 1 and 20 * n_within > n_beyond


def _differs(columns: pd.DataFrame) -> bool:
    """Tell whether a column of labels, whatever they are, has more than one."""
    return len(columns.iloc[:, 0].dropna().astype(str).unique()) > 1


def _near_collisions(labels: Labels) -> list[list[str]]:
    """List the labels that look the same but for case and spaces, group by group."""
    names = labels.names.tolist()
    if not isinstance(names[0], str):
        return []
    folded = [" ".join(_visible(name).split()).casefold() for name in names]
    if len(set(folded)) == len(folded):
        return []
    groups: dict[str, list[str]] = {}
    for name, form in zip(names, folded, strict=True):
        groups.setdefault(form, []).append(name)
    return [group for group in groups.values() if len(group) > 1]


def _visible(label: str) -> str:
    """Bring letters to one form and leave out what does not show."""
    if label.isascii():
        return label
    text = unicodedata.normalize("NFKC", label)
    return "".join(letter for letter in text if unicodedata.category(letter) != "Cf")


def _show(label: str) -> str:
    """Write a label so that what does not show in it does."""
    return repr(label) if _visible(label) == label else ascii(label)


def _near_collision_message(alike: dict[str, list[list[str]]]) -> str:
    """Name the labels and say how to join them."""
    listed = [
        f"{', '.join(map(_show, group[:-1]))} and {_show(group[-1])} in column {name!r}"
        for name, groups in alike.items()
        for group in groups
    ]
    more = f" and {len(listed) - _SHOWN} more such" if len(listed) > _SHOWN else ""
    joined = ", ".join(_joining(name, groups) for name, groups in alike.items())
    return (
        "labels that differ only in case, spaces or invisible marks count as different, "
        f"found {'; '.join(listed[:_SHOWN])}{more}: if they mean the same, "
        f"df.assign({joined})"
    )


def _joining(name: str, groups: list[list[str]]) -> str:
    """Write the argument of `assign` that gives alike labels of a column the first one."""
    renaming = ", ".join(
        f"{_show(label)}: {_show(first)}" for first, *others in groups for label in others
    )
    return f"{name}=df[{name!r}].astype(str).replace({{{renaming}}})"


def _bound_message(
    metric: pd.Index | None, columns: Columns, too_large: NDArray[np.bool_]
) -> str:
    """Name the scores that are beyond what a metric can be, even in percent."""
    name = None if metric is None else metric.tolist()[0]
    return (
        f"{name!r} is at most 1, or 100 in percent, found "
        f"{count(int(too_large.sum()), 'score')} above 100: "
        f"{_list_cells(columns, too_large)}; correct or leave out what is no {name}"
    )


def _list_cells(columns: Columns, which: NDArray[np.bool_]) -> str:
    """Name some cells with their scores."""
    rows = np.flatnonzero(which)[:_SHOWN]
    cells: list[tuple[Hashable, Hashable, float]] = list(
        zip(
            columns.method.names.take(columns.method.codes[rows]).tolist(),
            columns.dataset.names.take(columns.dataset.codes[rows]).tolist(),
            columns.score[rows].tolist(),
            strict=True,
        )
    )
    shown = ", ".join(f"{m!r} on {d!r} ({score:.6g})" for m, d, score in cells)
    more = int(which.sum()) - len(cells)
    return f"{shown}{f' and {more:,} more' if more else ''}"


def _scale_message(
    metric: pd.Index | None,
    columns: Columns,
    within: NDArray[np.bool_],
    beyond: NDArray[np.bool_],
) -> str:
    """Count the scores on either scale and name those of the rarer one."""
    n_within, n_beyond = int(within.sum()), int(beyond.sum())
    name = None if metric is None else metric.tolist()[0]
    rarer = within if n_within <= n_beyond else beyond
    return (
        f"{name!r} is at most 1, or 100 in percent, and scores are found on both scales, "
        f"{n_within:,} up to 1 (other than 0) and {n_beyond:,} beyond: "
        f"{_list_cells(columns, rarer)}; if some are in "
        "percent, divide those by 100"
    )
