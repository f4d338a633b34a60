"""Tables in LaTeX cut into cells."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from beam_pandas.errors import BeamError
from beam_pandas.shapes.latex_marks import strip_latex, take_group
from beam_pandas.shapes.printed_grid import Cut, Grid, shorten, without_empty_column
from beam_pandas.shapes.printed_marks import drop_signs

_TABLES: Final = "tabular|tabularx|tabulary|tabu|longtable|longtabu|array|tblr|supertabular"
_BEGIN: Final = re.compile(rf"\\begin\s*\{{({_TABLES})(\*?)\}}")
_COMMENT: Final = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*\n?[ \t]*")
_WIDE: Final = frozenset({"tabular*", "tabularx", "tabulary", "longtabu*"})
_PARTIAL: Final = re.compile(
    r"\\(?:cmidrule|cline|cdashline)\s*(?:\[[^\]]*\])?\s*(?:\([^)]*\))?\s*\{[^{}]*\}"
)
_RULE: Final = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|hdashline|Xhline|thickhline|specialrule|"
    r"heavyrule|lightrule|endhead|endfirsthead)(?![A-Za-z])\s*(?:\[[^\]]*\])?"
    r"(?:\s*\{[^{}]*\})*"
)
_OTHER: Final = re.compile(
    r"\\(?:addlinespace|noalign|rowcolor|arrayrulecolor|label|caption|endfoot|endlastfoot|"
    r"morecmidrules|centering|pagebreak|newpage|defaultaddspace)(?![A-Za-z])\*?\s*"
    r"(?:\[[^\]]*\])*(?:\s*\{[^{}]*\})*"
)
_SPACE: Final = re.compile(r"\*?(?:\s*\[\s*-?[0-9.]+\s*[a-z\\][^\]]*\])?")
_SPAN: Final = re.compile(r"\s*\\multicolumn\s*\{\s*([0-9]+)\s*\}")
_DIGIT: Final = re.compile(r"[0-9]")


class Line(NamedTuple):
    """A row of cells, and whether a rule over the whole width stands above it."""

    cells: list[Cut]
    ruled: bool
    spanned: bool  # some cell reaches over several columns


def is_latex(text: str) -> bool:
    """Tell whether a text holds a LaTeX table, or rows of one."""
    if _BEGIN.search(text):
        return True
    ends = len(
        re.findall(r"\\\\\s*(?:\[[^\]\n]*\])?\s*(?:\\[a-z]+.*)?$", text, re.MULTILINE)
    )
    return ends > 0 and bool(re.search(r"(?<!\\)&", text))


def find_latex(text: str) -> list[Grid]:
    """Find every table of a LaTeX text."""
    _refuse_percent_signs(text)
    clean = _COMMENT.sub(r"\1", text)
    bodies = list(_bodies(clean))
    if not bodies:  # rows copied without their environment
        bodies = [(1, clean)]
    return [_read_body(body, line) for line, body in bodies]


def _refuse_percent_signs(text: str) -> None:
    """Refuse a percent sign amid a row, which would make a comment of its other cells."""
    for number, line in enumerate(text.split("\n"), start=1):
        found = _COMMENT.search(line)
        if found is None:
            continue
        before, after = line[: found.start()].rstrip(), line[found.start() :]
        whole = (
            not before or before.endswith("\\\\") or before.count("{") > before.count("}")
        )
        if not whole and "&" in before and "&" in after:
            raise BeamError(
                f"a percent sign begins a comment in LaTeX, found one amid line {number}, "
                f"{shorten(line.strip())}: write '\\%', or end the row before a comment"
            )


def _bodies(text: str) -> list[tuple[int, str]]:
    """List what stands within each table, with the line it begins in."""
    found: list[tuple[int, str]] = []
    at = 0
    while begin := _BEGIN.search(text, at):
        name = begin[1] + begin[2]
        end = text.find(f"\\end{{{name}}}", begin.end())
        if end < 0:
            raise BeamError(f"\\begin{{{name}}} lacks its \\end{{{name}}}: copy it whole")
        start = _skip_arguments(text, begin.end(), 2 if name in _WIDE else 1)
        inner = text[start:end]
        if _BEGIN.search(inner):  # a table within a cell: makes no rows of its own
            raise BeamError(
                f"a table within a table cannot be read: {shorten(inner[:200])}"
            )
        found.append((text.count("\n", 0, begin.start()) + 1, inner))
        at = end
    return found


def _skip_arguments(text: str, at: int, number: int) -> int:
    """Go past options in brackets and the groups that give widths and alignment."""
    for _ in range(number):
        while option := re.compile(r"\s*\[[^\[\]]*\]").match(text, at):
            at = option.end()
        group = take_group(text, at)
        at = group.end if group else at
    return at


def _read_body(body: str, line: int) -> Grid:
    """Cut the inside of a table into rows of headings and rows of cells."""
    lines = _read_lines(body)
    if len(lines) < 2:
        raise BeamError(
            "a table needs a row of headings and at least one more, found "
            f"{len(lines)} in {shorten(body.strip())}"
        )
    width = max(len(row.cells) for row in lines)
    lines = [
        row._replace(cells=row.cells + [Cut("", "")] * (width - len(row.cells)))
        for row in lines
    ]
    number = _count_heads(lines)
    if number > 2:
        raise BeamError(
            f"one or two rows of headings can be read, found {number}: "
            "leave one row of them, with a name for each column"
        )
    heads = [[cell.name for cell in row.cells] for row in lines[:number]]
    rows = [row.cells for row in lines[number:]]
    return without_empty_column(Grid(heads, rows, line, "LaTeX"))


def _count_heads(lines: list[Line]) -> int:
    """Count the rows above the first rule, and those below that go on with headings."""
    ruled = [at for at, row in enumerate(lines) if at and row.ruled]
    number = ruled[0] if ruled else 1
    while number < len(lines) - 1 and _goes_on(lines[number], lines[:number]):
        number += 1
    return number


def _goes_on(row: Line, above: list[Line]) -> bool:
    """Tell whether a row below spanning headings names single columns."""
    spanned = any(line.spanned for line in above)
    named = [cell.name for cell in row.cells if cell.name]
    return (
        spanned
        and not row.spanned
        and len(named) > 1
        and not (row.cells[0].name and above[0].cells[0].name)
        and not any(_DIGIT.match(name.lstrip("-\u2212.$")) for name in named)
    )


def _read_lines(body: str) -> list[Line]:
    lines: list[Line] = []
    down: dict[int, tuple[int, Cut]] = {}  # column -> rows left, cell that reaches down
    ruled = False
    for text in _split_rows(body):
        bare = _OTHER.sub(" ", _PARTIAL.sub(" ", text))
        ruled = ruled or bool(_RULE.search(bare))
        bare = _RULE.sub(" ", bare)
        if not bare.strip():
            continue
        cells, spanned = _read_row(bare, down)
        if any(cell.text for cell in cells):
            lines.append(Line(cells, ruled, spanned))
            ruled = False
    return lines


def _read_row(text: str, down: dict[int, tuple[int, Cut]]) -> tuple[list[Cut], bool]:
    """Cut a row at its ampersands; a cell stands in each column that it reaches over."""
    cells: list[Cut] = []
    spanned = False
    for part in _split_at(text, "&"):
        over = _SPAN.match(part)
        number = int(over[1]) if over else 1
        spanned = spanned or number > 1
        name = drop_signs(strip_latex(part))
        cell = Cut(part.strip(), name)
        rows = re.search(r"\\multirow\s*(?:\[[^\]]*\])?\s*\{\s*(-?[0-9]+)", part)
        for _ in range(number):
            at = len(cells)
            if rows and int(rows[1]) > 1:
                down[at] = (int(rows[1]) - 1, cell)
            elif at in down:
                left, above = down.pop(at)
                if left > 1:
                    down[at] = (left - 1, above)
                cells.append(above if not cell.text else cell)
                continue
            cells.append(cell)
    return cells, spanned


def _split_rows(body: str) -> list[str]:
    r"""Split at \\ and \tabularnewline outside of braces."""
    body = re.sub(r"\\tabularnewline(?![A-Za-z])", r"\\\\", body)
    rows, start, depth, at = [], 0, 0, 0
    while at < len(body):
        if body.startswith("\\\\", at) and not depth:
            rows.append(body[start:at])
            space = _SPACE.match(body, at + 2)
            at = start = space.end() if space else at + 2
            continue
        if body[at] == "\\":
            at += 1
        elif body[at] in "{}":
            depth += 1 if body[at] == "{" else -1
        at += 1
    rows.append(body[start:])
    return rows


def _split_at(text: str, sign: str) -> list[str]:
    """Split at a sign outside of braces and not behind a backslash."""
    parts, start, depth, at = [], 0, 0, 0
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] in "{}":
            depth += 1 if text[at] == "{" else -1
        elif text[at] == sign and not depth:
            parts.append(text[start:at])
            start = at + 1
        at += 1
    parts.append(text[start:])
    return parts
