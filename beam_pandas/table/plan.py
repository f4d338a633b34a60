"""What a table shows, before anything is escaped, and the Styler that shows it."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from beam_pandas.errors import (
    BeamError,
    MissingDependencyError,
    ScoreTypeError,
    check_option,
    plain,
)
from beam_pandas.table.escaping import (
    Target,
    escape,
    escape_html,
    escape_latex,
    escape_markdown,
    one_line,
)

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

Emphasis = Literal["bold", "underline", "italic"] | None

_ATTRIBUTE: Final = "beam_pandas.table"
_MINUS: Final = re.compile(r"(?<![\we])-(?=[\d.$])")
_WRITERS: Final[dict[str, Callable[[str], str]]] = {
    "html": escape_html,
    "latex": escape_latex,
    "text": one_line,
    "markdown": escape_markdown,
}
_WRAPS: Final[dict[tuple[str, str], tuple[str, str]]] = {
    ("html", "bold"): ("<b>", "</b>"),
    ("html", "underline"): ("<u>", "</u>"),
    ("html", "italic"): ("<i>", "</i>"),
    ("latex", "bold"): (r"\textbf{", "}"),
    ("latex", "underline"): (r"\underline{", "}"),
    ("latex", "italic"): (r"\textit{", "}"),
    ("text", "bold"): ("**", "**"),
    ("text", "underline"): ("_", "_"),
    ("text", "italic"): ("*", "*"),
    ("markdown", "bold"): ("**", "**"),
    ("markdown", "underline"): ("<ins>", "</ins>"),
    ("markdown", "italic"): ("*", "*"),
}


class Cell(NamedTuple):
    """A cell of the body: its number or label, how that stands out, and what follows."""

    text: str
    emphasis: Emphasis = None
    tail: str = ""
    is_label: bool = False


@dataclass(frozen=True, eq=False)
class Plan:
    """
    A table as plain text.

    Attributes
    ----------
    rows, columns : Index
        Raw labels, which the Styler has too.
    row_texts, column_texts : list of tuples of str
        The same as shown, a text for each level.
    row_names, column_names : tuples of str
        Headings of the levels.
    body : list of lists of Cell
        A list for each row.
    aligned : list of {"l", "r", "c"}
        For each column.
    rules : tuple of int
        Rows before which there is a rule.
    caption : str
        Empty for none.
    """

    rows: pd.Index
    columns: pd.Index
    row_texts: list[tuple[str, ...]]
    column_texts: list[tuple[str, ...]]
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    body: list[list[Cell]]
    aligned: list[str]
    rules: tuple[int, ...] = ()
    caption: str = ""

    def __deepcopy__(self, _: dict[int, Any]) -> Plan:
        """Give itself, since nothing changes it: pandas copies attrs often."""
        return self


def label_text(label: Hashable) -> str:
    """Write a label as it was given."""
    return str(plain(label))


def check_target(target: object) -> None:
    """Refuse an unknown target."""
    check_option("target", target, ["html", "latex", "text"])


def write_cell(cell: Cell, target: str) -> str:
    """Write a cell for a target: HTML, LaTeX, text or Markdown."""
    write, text = _WRITERS[target], cell.text
    if cell.is_label:
        text = write(text)
    elif target == "markdown":  # no mark of it begins in a number
        write = one_line
    elif not text.replace(".", "", 1).isdecimal():  # which most are
        text = write(text)
        text = _MINUS.sub("$-$", text) if target == "latex" else text
    if cell.emphasis is not None:
        before, after = _WRAPS[target, cell.emphasis]
        text = f"{before}{text}{after}"
    return text + (write(cell.tail) if cell.tail else "")


def require_jinja2() -> None:
    """Import what pandas' Styler needs, or say how to install it."""
    try:
        import_module("pandas.io.formats.style")
        import_module("jinja2")
    except ImportError as error:
        raise MissingDependencyError(
            "tables need jinja2, which is not installed or too old: "
            'pip install "beam_pandas[table]"'
        ) from error


def style(plan: Plan, target: Target) -> Styler:
    """Make the Styler that shows a table."""
    require_jinja2()
    from pandas.io.formats.style import Styler

    texts = [[write_cell(cell, target) for cell in row] for row in plan.body]
    shape = (len(plan.rows), len(plan.columns))
    values = np.empty(shape, dtype=object)
    if values.size:
        values[:] = texts
    data = pd.DataFrame(values, plan.rows, plan.columns)
    data.index.names = _named(plan.row_names, target)
    data.columns.names = _named(plan.column_names, target)
    data.attrs[_ATTRIBUTE] = plan
    seen = repr((plan.row_texts, plan.column_texts, plan.caption, texts))
    identity = f"beam_{zlib.crc32(seen.encode(errors='replace')):08x}"
    styler = Styler(data, uuid=identity, cell_ids=False).format(str)
    for axis, labels in ((0, plan.row_texts), (1, plan.column_texts)):
        if labels:
            _relabel(styler, labels, axis, target)
    if plan.caption:
        styler.set_caption(escape(plan.caption, target))
    if target == "html":
        styler.set_table_styles(_css(plan))
    return styler


def plan_of(styler: object) -> Plan:
    """
    Find what a Styler of this package shows, without what was hidden, with its caption.

    Raises
    ------
    ScoreTypeError
        If it is not one.
    """
    data: Any = getattr(styler, "data", None)
    found = data.attrs.get(_ATTRIBUTE) if isinstance(data, pd.DataFrame) else None
    if not isinstance(found, Plan):
        raise ScoreTypeError(
            "a Styler of beam_pandas.table is needed, such as that of table.scores, "
            f"found {type(styler).__name__}"
        )
    return found


def caption_of(styler: Any, plan: Plan) -> str | None:
    """Give the caption that was set in place of that of the table; None if none was."""
    given = styler.caption
    if given is None or any(given == escape(plan.caption, t) for t in get_args(Target)):
        return None
    return str(given if isinstance(given, str) else given[0])


def shown_part(styler: Any, plan: Plan) -> Plan:
    """Leave out the rows and columns that were hidden in a Styler."""
    hidden_rows = {int(at) for at in styler.hidden_rows}
    hidden_columns = {int(at) for at in styler.hidden_columns}
    if not (hidden_rows or hidden_columns):
        return plan
    rows = [at for at in range(len(plan.rows)) if at not in hidden_rows]
    columns = [at for at in range(len(plan.columns)) if at not in hidden_columns]
    if not columns:
        raise BeamError("a table needs a column, all of them are hidden")
    after = [sum(row < rule for row in rows) for rule in plan.rules]
    return Plan(
        rows=plan.rows.take(rows),
        columns=plan.columns.take(columns),
        row_texts=[plan.row_texts[at] for at in rows],
        column_texts=[plan.column_texts[at] for at in columns],
        row_names=plan.row_names,
        column_names=plan.column_names,
        body=[[plan.body[row][at] for at in columns] for row in rows],
        aligned=[plan.aligned[at] for at in columns],
        rules=tuple(sorted({at for at in after if 0 < at < len(rows)})),
        caption=plan.caption,
    )


def sparse(labels: tuple[str, ...], before: tuple[str, ...] | None) -> list[str]:
    """Leave out the labels that the row before has too, but for that of the last level."""
    shown = list(labels)
    if before is not None:
        for level in range(len(labels) - 1):
            if labels[level] != before[level]:
                break
            shown[level] = ""
    return shown


def _named(names: Sequence[str], target: Target) -> list[str | None]:
    """Write the headings of levels, which pandas shows as they are."""
    return [escape(name, target) or None for name in names]


def _relabel(
    styler: Styler, labels: list[tuple[str, ...]], axis: Any, target: Target
) -> None:
    """Show labels as they were given; pandas takes braces in them for places to fill."""
    braced = [
        [_spell(text, target).replace("{", "{{").replace("}", "}}") for text in label]
        for label in labels
    ]
    single = len(labels[0]) == 1
    shown: Any = [row[0] for row in braced] if single else braced
    styler.relabel_index(shown, axis=axis)


def _spell(label: str, target: Target) -> str:
    """Write a label that may begin a row."""
    text = escape(label, target)
    return start_row(text) if target == "latex" else text


def start_row(text: str) -> str:
    """Begin a row of LaTeX, where a bracket or star would be an argument of the last."""
    return f"{{}}{text}" if text[:1] in ("[", "*") else text


def _css(plan: Plan) -> list[Any]:
    """Align what belongs together, and draw a line where a part of the table ends."""
    right = [("text-align", "right")]
    left = [("text-align", "left")]
    rules = [
        {
            "selector": f"tbody tr:nth-child({at + 1}) > *",
            "props": [("border-top", "1px solid")],
        }
        for at in plan.rules
    ]
    texts = [
        {"selector": f"td.col{at}", "props": left}
        for at, side in enumerate(plan.aligned)
        if side == "l"
    ]
    return [
        {"selector": "td", "props": [*right, ("white-space", "nowrap")]},
        {"selector": "th.row_heading", "props": [*left, ("vertical-align", "top")]},
        {"selector": "caption", "props": [*left, ("caption-side", "bottom")]},
        *texts,
        *rules,
    ]
