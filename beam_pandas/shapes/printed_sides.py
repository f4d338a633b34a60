"""Which cells of a printed table are scores, and of what: its columns by their headings."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final, Literal, NamedTuple, cast

import pandas as pd

from beam_pandas.errors import BeamError, MissingColumnsError, check_option, list_labels
from beam_pandas.shapes.headings import (
    Role,
    describes,
    is_metric,
    metrics_among,
    role_of,
)
from beam_pandas.shapes.printed_cells import read_cell
from beam_pandas.shapes.printed_grid import Cut, Grid, shorten

Orient = Literal["datasets", "methods"] | None
ORIENTS: Final = ("datasets", "methods")
_OTHER: Final[dict[Role, Role]] = {"method": "dataset", "dataset": "method"}


class Choice(NamedTuple):
    """
    What the caller says of a table.

    Attributes
    ----------
    metric, method, dataset : str or None
        Name of the only one there is.
    orient : {"datasets", "methods"} or None
        What the rows are.
    scores : frozenset of str or None
        Headings of the columns with scores; None to tell them from all.
    drop : frozenset of str
        Headings of columns to leave out.
    """

    metric: object = None
    method: object = None
    dataset: object = None
    orient: str | None = None
    scores: frozenset[str] | None = None
    drop: frozenset[str] = frozenset()


class Heads(NamedTuple):
    """Headings of a table in one row: label and metric of each column, side if it tells."""

    labels: list[str]
    metrics: list[str | None]
    side: Role | None


class Plan(NamedTuple):
    """
    What stands in which column.

    Attributes
    ----------
    names : dict
        For a role the column that names it in each row.
    scores : list of int
        Columns of scores.
    labels : Role or None
        What the headings of these are; None if they say nothing.
    left_out : list of str
        Headings of columns that are neither.
    """

    names: dict[Role, int]
    scores: list[int]
    labels: Role | None
    left_out: list[str]


def check_choice(
    *,
    metric: Hashable = None,
    method: Hashable = None,
    dataset: Hashable = None,
    orient: object = None,
    scores: object = None,
    drop: object = (),
) -> Choice:
    """Refuse names and options that cannot be, and put them together."""
    for name, value in (("metric", metric), ("method", method), ("dataset", dataset)):
        if not pd.api.types.is_scalar(value):
            raise BeamError(f"{name} must be one name, got {shorten(value)}")
    if orient is not None:
        check_option("orient", orient, ORIENTS)
    chosen = None if orient is None else str(orient)
    wanted = None if scores is None else _headings("scores", scores)
    return Choice(metric, method, dataset, chosen, wanted, _headings("drop", drop))


def _headings(name: str, value: object) -> frozenset[str]:
    if isinstance(value, str) or not isinstance(value, (list, tuple, set, frozenset)):
        raise BeamError(f"{name} must be a list of headings, got {shorten(value)}")
    return frozenset(str(heading) for heading in value)


def join_heads(grid: Grid) -> Heads:
    """Make one row of headings of two, where it is clear which of them is what."""
    if len(grid.heads) == 1:
        labels = grid.heads[0]
        return Heads(labels, [None] * len(labels), None)
    top, bottom = grid.heads
    labels = [low or high for high, low in zip(top, bottom, strict=True)]
    over = [
        at for at in range(len(top)) if top[at] and bottom[at] and top[at] != bottom[at]
    ]
    groups = list(dict.fromkeys(top[at] for at in over))
    below = [bottom[at] for at in over]
    metrics: list[str | None] = [None] * len(labels)
    sides = {role_of(name) for name in groups}
    if len(groups) == 1 and (side := sides.pop()) in ("method", "dataset"):
        return Heads(labels, metrics, side)
    if groups and all(is_metric(name) for name in groups):
        for at in over:
            metrics[at] = top[at]
    elif groups and all(is_metric(name) for name in below):
        for at in over:
            metrics[at], labels[at] = bottom[at], top[at]
    elif len(set(below)) < len(below):
        raise BeamError(
            f"of two rows of headings one must name metrics, found {list_labels(groups)} "
            f"above {list_labels(dict.fromkeys(below))}: make those that are metrics known "
            "with beam_pandas.register_metric, or leave one row with a name for each column"
        )
    return Heads(labels, metrics, None)


def plan_columns(heads: Heads, rows: Sequence[Sequence[Cut]], choice: Choice) -> Plan:
    """
    Tell what stands in which column.

    Raises
    ------
    MissingColumnsError
        If no column holds scores.
    BeamError
        If headings do not tell, and the caller does not say, what rows and columns are.
    """
    labels = heads.labels
    absent = sorted((choice.drop | (choice.scores or frozenset())) - set(labels))
    if absent:
        raise MissingColumnsError(
            f"columns {list_labels(absent)} are asked for, not found among "
            f"{list_labels(labels, limit=12)}"
        )
    kept = [at for at, label in enumerate(labels) if label not in choice.drop]
    filled = {at: [row[at].text for row in rows if row[at].text] for at in kept}
    names = _find_names(labels, kept, filled)
    given: set[Role] = {role for role in _OTHER if getattr(choice, role) is not None}
    if "method" in names and "dataset" in names and not given:
        return _plan_long(labels, kept, filled, names, choice)
    first = _first_name(names, choice, kept, heads, given)
    names = cast("dict[Role, int]", {r: names[r] for r in names if r in ("metric", "run")})
    rest = [at for at in kept if at not in (first[1], *names.values())]
    scores, left_out = _choose_scores(rest, filled, labels, choice)
    if not scores:
        raise _no_scores(labels)
    names[first[0]] = first[1]
    if given:
        called = [at for at in scores if role_of(labels[at]) == "score"][:1]
        if called and "metric" in names:
            left_out += [labels[at] for at in scores if at not in called]
            return Plan(names, called, None, [label for label in left_out if label])
        return Plan(names, scores, "metric", left_out)
    if choice.scores is None:
        _refuse_metrics([labels[at] for at in scores], first[0])
    return Plan(names, scores, _OTHER[first[0]], left_out)


def _find_names(
    labels: Sequence[str], kept: Sequence[int], filled: dict[int, list[str]]
) -> dict[Role, int]:
    """Find the columns whose headings say that they name something, and which do."""
    has_score = any(role_of(labels[at]) == "score" for at in kept)
    names: dict[Role, int] = {}
    for at in kept:
        role = role_of(labels[at])
        if role is None or role == "score" or role in names:
            continue
        words = any(not _is_score(text) for text in filled[at])
        if at == kept[0] or words or has_score or role == "run":
            names[role] = at
    return names


def _plan_long(
    labels: Sequence[str],
    kept: Sequence[int],
    filled: dict[int, list[str]],
    names: dict[Role, int],
    choice: Choice,
) -> Plan:
    """Plan a table with a row for each method and dataset."""
    rest = [at for at in kept if at not in names.values()]
    scores = [at for at in rest if role_of(labels[at]) == "score"][:1]
    if scores and choice.scores is None:
        left_out = [labels[at] for at in rest if at not in scores]
        return Plan(names, scores, None, left_out)
    about = [at for at in rest if choice.scores is None and describes(labels[at])]
    rest = [at for at in rest if at not in about]
    scores, left_out = _choose_scores(rest, filled, labels, choice)
    left_out += [labels[at] for at in about]
    if not scores:
        raise _no_scores(labels)
    return Plan(names, scores, None if "metric" in names else "metric", left_out)


def _first_name(
    names: dict[Role, int],
    choice: Choice,
    kept: Sequence[int],
    heads: Heads,
    given: set[Role],
) -> tuple[Role, int]:
    """Tell what the rows are, and which column names them."""
    if len(given) == 2:
        raise BeamError(
            f"method or dataset can be named, not both, got {shorten(choice.method)} and "
            f"{shorten(choice.dataset)}: one stands in the rows"
        )
    told: list[Role] = [name for name in names if name in _OTHER]
    if given:
        role: Role = _OTHER[given.pop()]
        given.add(_OTHER[role])
    elif choice.orient is not None:
        role = "dataset" if choice.orient == "datasets" else "method"
    elif heads.side is not None:
        role = _OTHER[heads.side]
    elif len(told) == 1:
        role = told[0]
    else:
        raise BeamError(
            "rows must be datasets or methods, and the headings "
            f"{list_labels([heads.labels[at] for at in kept])} do not tell which: pass "
            "orient='datasets' if each row is a dataset, orient='methods' if each row is a "
            "method"
        )
    return role, names.get(role, kept[0])


def _choose_scores(
    columns: Sequence[int],
    filled: dict[int, list[str]],
    labels: Sequence[str],
    choice: Choice,
) -> tuple[list[int], list[str]]:
    """Take the columns that are asked for, or those that hold a number."""
    if choice.scores is not None:
        return [at for at in columns if labels[at] in choice.scores], []
    scores = [at for at in columns if any(_holds_digit(text) for text in filled[at])]
    return scores, [labels[at] for at in columns if at not in scores]


def _refuse_metrics(labels: Sequence[str], rows: Role) -> None:
    """Refuse columns that would become methods or datasets and are none."""
    refuse_odd([label for label in labels if describes(label)], _OTHER[rows])
    known = metrics_among(labels)
    known += [label for label in labels if role_of(label) == "score"]
    if known:
        columns = _OTHER[rows]
        raise BeamError(
            f"a column for each {columns} is needed, found metrics among them, "
            f"{list_labels(known)}: pass {columns}='...', the name of the one they belong "
            f"to, or drop=[...] to leave columns out, or scores=[...] to name those that "
            f"are {columns}s"
        )


def refuse_odd(odd: Sequence[str], columns: Role) -> None:
    """Refuse columns that look as if they described the rows."""
    if odd:
        raise BeamError(
            f"a column for each {columns} is needed, found {list_labels(odd)}, which look "
            f"as if they described the rows: pass drop=[...] to leave columns out, or "
            f"scores=[...] to name those that are {columns}s"
        )


def _no_scores(labels: Sequence[str]) -> MissingColumnsError:
    return MissingColumnsError(
        "a column of scores is needed, found none that holds a number among "
        f"{list_labels([shorten(label) for label in labels], limit=12)}"
    )


def _is_score(text: str) -> bool:
    cell = read_cell(text)
    return cell.score is not None and not cell.problem


def _holds_digit(text: str) -> bool:
    return any(sign.isnumeric() for sign in text) or _is_score(text)
