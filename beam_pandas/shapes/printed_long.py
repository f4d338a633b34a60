"""A printed table, cut into cells, made long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from beam_pandas.errors import BeamError, list_labels
from beam_pandas.shapes.column_scales import odd_columns
from beam_pandas.shapes.headings import drop_arrow
from beam_pandas.shapes.printed_grid import Cut, Grid, cut_text, shorten
from beam_pandas.shapes.printed_scores import CellOptions, read_cells
from beam_pandas.shapes.printed_sides import (
    Choice,
    Heads,
    Plan,
    join_heads,
    plan_columns,
    refuse_odd,
)


def read_grid(grid: Grid, choice: Choice, options: CellOptions) -> pd.DataFrame:
    """Read the scores of a table that is cut into cells."""
    heads = join_heads(grid)
    plan = plan_columns(heads, grid.rows, choice)
    rows, notices = _rows_with_cells(grid.rows, plan)
    if plan.left_out:
        notices.append(f"columns left out: {list_labels(plan.left_out)}")
    _check_labels(heads, rows, plan)
    long = _label_cells(heads, rows, plan, choice)
    cells = [row[at].text for row in rows for at in plan.scores]
    names = [heads.labels[at] for at in plan.scores]
    first = min(plan.names.values())

    def where(at: int) -> str:
        row, column = divmod(at, len(names))
        return f"{shorten(rows[row][first].name)}, column {shorten(names[column])}"

    scores = read_cells(cells, where, options, long.get("metric"), notices)
    if choice.scores is None and plan.labels in ("method", "dataset"):
        wide = scores.score.reshape(len(rows), len(names))
        odd = odd_columns(wide, methods=plan.labels == "method")
        refuse_odd([names[at] for at in odd], plan.labels)
    return pd.DataFrame({**long, **scores._asdict()})


def _rows_with_cells(
    rows: Sequence[list[Cut]], plan: Plan
) -> tuple[list[list[Cut]], list[str]]:
    """Leave out rows without any cell, such as headings of parts; fill names down."""
    wide = len(plan.scores) > 1 and not {"method", "dataset"} <= set(plan.names)
    kept: list[list[Cut]] = []
    empty: list[str] = []
    for row in rows:
        texts = {row[at].text for at in plan.scores}
        first = row[min(plan.names.values())]
        if wide and texts in ({""}, {first.text}):
            empty.append(first.name)
            continue
        if kept and len(plan.names) > 1:
            row = [
                kept[-1][at] if at == min(plan.names.values()) and not cut.text else cut
                for at, cut in enumerate(row)
            ]
        kept.append(row)
    if not kept:
        raise BeamError("a table with scores is needed, found rows without any")
    said = f"rows without a cell left out: {list_labels(map(cut_text, empty))}"
    return kept, [said] if empty else []


def _check_labels(heads: Heads, rows: Sequence[list[Cut]], plan: Plan) -> None:
    """Refuse columns and rows without a name, or with the same one."""
    names = [(heads.labels[at], heads.metrics[at]) for at in plan.scores]
    if plan.labels is not None and ("", None) in names:
        at = plan.scores[names.index(("", None))]
        raise BeamError(f"each column needs a heading, found none over column {at + 1}")
    repeated = [name for at, (name, _) in enumerate(names) if names[at] in names[:at]]
    if repeated:
        raise BeamError(
            "headings must differ, found more than once "
            f"{list_labels(map(cut_text, repeated))}"
        )
    for role, at in plan.names.items():
        lacking = [number for number, row in enumerate(rows, start=1) if not row[at].name]
        if lacking:
            raise BeamError(f"each row needs a {role}, found none in row {lacking[0]}")
    keys = [tuple(row[at].name for at in plan.names.values()) for row in rows]
    seen: set[tuple[str, ...]] = set()
    for key in keys:
        if key in seen:
            raise BeamError(
                f"each row needs a name of its own, found {', '.join(map(shorten, key))} "
                "in two: write what tells them apart into the name"
            )
        seen.add(key)


def _label_cells(
    heads: Heads, rows: Sequence[list[Cut]], plan: Plan, choice: Choice
) -> dict[str, Any]:
    """Give each cell its method, dataset, metric and run."""
    labels: dict[str, Any] = {}
    width = len(plan.scores)
    for role in ("method", "dataset", "metric", "run"):
        given = getattr(choice, role, None)
        if role in plan.names:
            column = [row[plan.names[role]].name for row in rows]
            labels[role] = np.repeat(np.array(column, dtype=object), width).tolist()
        elif plan.labels == role and not (role == "metric" and given is not None):
            labels[role] = [_label(heads, at, role) for at in plan.scores] * len(rows)
        elif role == "metric" and any(heads.metrics[at] for at in plan.scores):
            metrics = [heads.metrics[at] for at in plan.scores]
            labels[role] = [metric and drop_arrow(metric) for metric in metrics] * len(rows)
        elif given is not None:
            labels[role] = [given] * (width * len(rows))
    _check_metric(choice, plan, labels)
    if "run" in labels and all(run.isascii() and run.isdigit() for run in labels["run"]):
        labels["run"] = [int(run) for run in labels["run"]]
    return labels


def _label(heads: Heads, at: int, role: str) -> str:
    return drop_arrow(heads.labels[at]) if role == "metric" else heads.labels[at]


def _check_metric(choice: Choice, plan: Plan, labels: dict[str, Any]) -> None:
    """Refuse a name for the metric where the table has several, or lacks some."""
    found = list(dict.fromkeys(labels.get("metric", [])))
    if choice.metric is not None and (
        (plan.labels == "metric" and len(plan.scores) > 1) or found != [choice.metric]
    ):
        columns = "columns" if plan.labels == "metric" else "metrics"
        raise BeamError(
            f"metric names the only one there is, got {shorten(choice.metric)} for a table "
            f"with several {columns} of its own: leave metric out"
        )
    if None in found:
        raise BeamError(
            "each column needs a metric above or below it, found columns without one: "
            "leave them out with drop=[...]"
        )
