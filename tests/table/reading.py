"""Tables read back from their source, by other rules than those that wrote them."""

import re
from html.parser import HTMLParser

_LATEX = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\textasciigrave{}": "`",
    r"\textquotesingle{}": "'",
    r"\textendash{}": "\N{EN DASH}",
    r"$^{\dagger}$": "†",
    r"$^{\ddagger}$": "‡",
    r"$\pm$": "±",
    r"$\uparrow$": "↑",
    r"$\downarrow$": "↓",
    r"$\infty$": "∞",
    "$-$": "-",
    "-{}": "-",
    **{rf"\{sign}": sign for sign in "_%&$#{}"},
}
_WRAPPED = re.compile(r"^\\(textbf|underline|textit)\{((?:[^{}\\]|\\[_%&$#{}])*)\}(.*)$")


def from_latex(text):
    """Undo what a cell of LaTeX escapes; nothing that is special may be left."""
    found = ""
    while text:
        known = next((key for key in _LATEX if text.startswith(key)), None)
        if known is None:
            assert text[0] not in "\\_%&$#{}~^|<>", text
            found, text = found + text[0], text[1:]
        else:
            found, text = found + _LATEX[known], text[len(known) :]
    return found


def latex_rows(source):
    """Give the headings and rows of a tabular: for each cell its text and how it stands out."""
    lines = source[source.index(r"\toprule") : source.index(r"\bottomrule")].splitlines()
    return [
        [_latex_cell(cell) for cell in re.split(r"(?<!\\) ?& ?", line.removesuffix(r" \\"))]
        for line in lines
        if line.endswith(r"\\")
    ]


def _latex_cell(cell):
    cell = cell.strip().removeprefix("{}")
    found = _WRAPPED.match(cell)
    if found is None:
        return from_latex(cell), None
    kind = {"textbf": "bold", "underline": "underline", "textit": "italic"}[found[1]]
    return from_latex(found[2] + found[3]), kind


def braces_balance(source):
    """Tell whether every brace of a source is closed, those of names aside."""
    depth = 0
    for sign in re.sub(r"\\[{}\\]", "", source):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    return depth == 0


def markdown_rows(source):
    """Give the headings and rows of a pipe table likewise."""
    lines = [line for line in source.splitlines() if line.startswith("|")]
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines]
    assert len({len(row) for row in rows}) == 1
    assert all(re.fullmatch(r" *:?-+:? *", cell) for cell in rows[1])
    return [[_markdown_cell(cell.strip()) for cell in row] for row in [rows[0], *rows[2:]]]


def _markdown_cell(cell):
    for kind, pattern in (
        ("bold", r"\*\*(.*)\*\*(.*)"),
        ("underline", "<ins>(.*)</ins>(.*)"),
        ("italic", r"\*(.*)\*(.*)"),
    ):
        found = re.fullmatch(pattern, cell)
        if found:
            return from_markdown(found[1] + found[2]), kind
    return from_markdown(cell), None


def from_markdown(text):
    """Undo backslashes."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)


class _Html(HTMLParser):
    def __init__(self):
        super().__init__()
        self.rows, self.tags, self.kind, self.caption, self.into = [], [], None, "", None

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            span = int(dict(attrs).get("rowspan", dict(attrs).get("colspan", 1)))
            self.rows[-1].append(["", None, span])
            self.into = self.rows[-1][-1]
        elif tag in ("b", "u", "i"):
            self.into[1] = {"b": "bold", "u": "underline", "i": "italic"}[tag]

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.into = None

    def handle_data(self, data):
        if self.into is not None:
            self.into[0] += data
        elif self.tags and self.tags[-1] == "caption":
            self.caption += data


def html_rows(source):
    """Give the headings and rows of a table in HTML likewise."""
    reader = _Html()
    reader.feed(source)
    return [[(text.strip(), kind) for text, kind, _ in row] for row in reader.rows if row]


def html_tags(source):
    """List the tags that a browser would see."""
    reader = _Html()
    reader.feed(source)
    return set(reader.tags)
