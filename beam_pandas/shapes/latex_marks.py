"""The marks of LaTeX in one cell, taken off."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from beam_pandas.shapes.printed_marks import (
    APART,
    BOLD,
    CLOSE,
    LOWERED,
    RAISED,
    drop_signs,
)

_BOLD: Final = frozenset({
    "textbf", "mathbf", "boldsymbol", "bm", "pmb", "underline", "uline", "uuline",
    "underbar", "ul", "best",
})  # fmt: skip
_BOLD_SWITCHES: Final = frozenset({"bf", "bfseries", "boldmath"})
_DROPPED: Final = frozenset({  # with the group that follows them
    "phantom", "hphantom", "vphantom", "cellcolor", "color", "rowcolor", "columncolor",
    "cite", "citep", "citet", "citealp", "citealt", "citeauthor", "citeyear",
    "parencite", "textcite", "autocite", "footnote", "footnotemark", "footnotetext",
    "tablefootnote", "tnote", "label", "ref", "hspace", "vspace", "rule", "textcolor",
    "colorbox", "rotatebox", "raisebox", "scalebox", "fontsize", "href",
})  # fmt: skip
_OPENING: Final = {"textsuperscript": RAISED, "textsubscript": LOWERED}
#: Smaller than the text around: behind a score its spread or a note.
_SMALL: Final = frozenset(
    {"tiny", "scriptsize", "footnotesize", "small", "scriptscriptstyle"}
)
#: Commands that change how their text looks, and no more.
_PLAIN: Final = frozenset({
    "textit", "emph", "mathit", "mathrm", "textrm", "text", "mbox", "hbox", "textsc",
    "texttt", "textsf", "textup", "textnormal", "mathtt", "mathsf", "mathbb", "mathcal",
    "num", "ensuremath", "makecell", "shortstack", "thead", "operatorname", "centering",
    "uppercase", "lowercase", "boxed", "fbox",
})  # fmt: skip
_SWITCHES: Final = frozenset({
    "normalsize", "large", "Large", "LARGE", "huge", "Huge", "itshape", "it", "em",
    "rm", "sc", "tt", "sf", "mdseries", "upshape", "scshape", "slshape", "normalfont",
    "rmfamily", "sffamily", "ttfamily", "displaystyle", "textstyle", "scriptstyle",
    "left", "right", "big", "Big", "centering", "raggedright", "raggedleft",
    "arraybackslash", "strut", "hfill", "hfil", "protect", "selectfont", "noindent",
    "relax", "newline", "unboldmath", "null",
})  # fmt: skip
_SYMBOLS: Final = {
    "pm": "±", "textpm": "±", "dagger": "†", "dag": "†", "textdagger": "†",
    "ddagger": "‡", "ddag": "‡", "textdaggerdbl": "‡", "ast": "*", "star": "*",
    "textasteriskcentered": "*", "times": "\u00d7", "texttimes": "\u00d7", "cdot": "\u00d7",
    "infty": "∞", "uparrow": "↑", "textuparrow": "↑", "downarrow": "↓",
    "textdownarrow": "↓", "checkmark": "✓", "textendash": "\u2013", "textemdash": "—",
    "textminus": "\u2212", "quad": " ", "qquad": " ", "enspace": " ", "dots": "…",
    "ldots": "…", "cdots": "…", "vdots": "⋮", "textellipsis": "…", "lbrack": "[",
    "rbrack": "]", "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^",
    "textunderscore": "_", "textbar": "|", "textless": "<", "textgreater": ">", "le": "≤",
    "leq": "≤", "ge": "≥", "geq": "≥", "S": "§", "P": "¶", "lt": "<", "gt": ">",
    "textregistered": "®", "textdollar": "$", "textpercent": "%", "slash": "/",
}  # fmt: skip
_ESCAPES: Final = {",": "\u202f", ";": " ", ":": " ", " ": " ", "!": "", "/": "", "@": ""}
_NAME: Final = re.compile(r"[A-Za-z]+\*?")
_POWER: Final = re.compile(r"[-+\u2212]?[0-9]+")
_OPTION: Final = re.compile(r"\s*\[[^\[\]]*\]")


class Group(NamedTuple):
    """What stands in a pair of braces, and where the text goes on."""

    text: str
    end: int


def take_group(text: str, start: int) -> Group | None:
    """Take the group in braces that begins at `start`, or after spaces."""
    while start < len(text) and text[start].isspace():
        start += 1
    if start >= len(text) or text[start] != "{":
        return None
    depth, at = 0, start
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] in "{}":
            depth += 1 if text[at] == "{" else -1
            if not depth:
                return Group(text[start + 1 : at], at + 1)
        at += 1
    return None


def strip_latex(text: str, *, behind: bool = False) -> str:
    """
    Write LaTeX as plain text, in which `BOLD`, `RAISED` and `LOWERED` open a mark.

    Parameters
    ----------
    text : str
        A cell, or what stands in braces in one.
    behind : bool
        Whether a number stands before it.
    """
    parts: list[str] = []
    at = 0
    closing = ""  # of what a switch such as \bfseries has opened
    while at < len(text):
        sign = text[at]
        if sign == "\\":
            behind = behind or any(_holds_digit(part) for part in parts)
            piece, at, opens = _command(text, at + 1, behind=behind)
            parts.append(piece)
            closing += CLOSE if opens else ""
        elif sign == "{" and (group := take_group(text, at)):
            behind = behind or any(_holds_digit(part) for part in parts)
            parts.append(strip_latex(group.text, behind=behind))
            at = group.end
        elif sign in "^_" and _is_script(text, at):
            piece, at = _script(text, at)
            parts.append(piece)
        else:
            parts.append({"$": "", "~": "\u00a0", "{": "", "}": ""}.get(sign, sign))
            at += 1
    return "".join(parts) + closing


def _command(text: str, at: int, *, behind: bool = False) -> tuple[str, int, bool]:
    """Read the command after a backslash: what it prints, where it ends, if it opens."""
    found = _NAME.match(text, at)
    if not found:
        sign = text[at : at + 1]
        return ("" if sign in "()" else _ESCAPES.get(sign, sign)), at + 1, False
    name, end = found[0].rstrip("*"), found.end()
    if name in _BOLD_SWITCHES:
        return BOLD, _skip_spaces(text, end), True
    if name in _SWITCHES or name in _SYMBOLS:
        empty = take_group(text, end) if name in _SYMBOLS else None
        end = empty.end if empty and not empty.text else _skip_spaces(text, end)
        return _SYMBOLS.get(name, ""), end, False
    if name in _SMALL and take_group(text, end) is None:
        return (LOWERED if behind else ""), _skip_spaces(text, end), behind
    while option := _OPTION.match(text, end):
        end = option.end()
    group = take_group(text, end)
    if name in _DROPPED:
        return "", (group.end if group else end), False
    spans = name in ("multirow", "multicolumn")
    if group is None or spans:
        return _spanned(text, end) if spans else (f"\\{name}", end, False)
    inner = strip_latex(group.text.replace("\\\\", " "))
    opening = BOLD if name in _BOLD else _OPENING.get(name)
    if opening is None and name not in _PLAIN:  # of the paper's own, such as \std{0.1}
        opening = LOWERED if behind else None
        inner = inner if opening else f"{inner}{APART}"
    if opening in (LOWERED, RAISED):
        inner = drop_signs(inner)
    return (f"{opening}{inner}{CLOSE}" if opening else inner), group.end, False


def _holds_digit(text: str) -> bool:
    return any(sign.isdigit() for sign in text)


def _spanned(text: str, end: int) -> tuple[str, int, bool]:
    """Read what is printed by a command with two arguments before its text."""
    inner = ""
    for _ in range(3):
        while option := _OPTION.match(text, end):
            end = option.end()
        group = take_group(text, end)
        if group is None and text[end : end + 1] == "*":
            group = Group("*", end + 1)
        if group is None:
            break
        inner, end = group
    return strip_latex(inner), end, False


def _is_script(text: str, at: int) -> bool:
    """Tell whether a ^ or _ raises or lowers what follows it."""
    return text[at + 1 : at + 2] in ("{", "\\") or text[at] == "^"


def _script(text: str, at: int) -> tuple[str, int]:
    opening = RAISED if text[at] == "^" else LOWERED
    group = take_group(text, at + 1)
    if group:
        inner, end = strip_latex(group.text), group.end
    elif text[at + 1 : at + 2] == "\\":
        inner, end, _ = _command(text, at + 2)
    else:
        power = _POWER.match(text, at + 1)
        inner, end = (power[0], power.end()) if power else (text[at + 1 : at + 2], at + 2)
    return f"{opening}{inner}{CLOSE}", end


def _skip_spaces(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\n":
        at += 1
    return at
