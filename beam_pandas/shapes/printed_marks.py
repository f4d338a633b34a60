"""The marks of Markdown, HTML and LaTeX in one cell, taken off."""

from __future__ import annotations

import html
import re
from functools import partial
from typing import Final, NamedTuple

#: Opening and closing of what is bold, raised or lowered in a text without other marks.
BOLD, RAISED, LOWERED, CLOSE = "\x02", "\x03", "\x04", "\x05"
_BOLD: Final = frozenset(
    [
        "textbf",
        "mathbf",
        "boldsymbol",
        "bm",
        "pmb",
        "underline",
        "uline",
        "uuline",
        "underbar",
        "ul",
        "best",
    ]
)
_BOLD_SWITCHES: Final = frozenset({"bf", "bfseries", "boldmath"})
_DROPPED: Final = frozenset(  # with the group that follows them
    [
        "phantom",
        "hphantom",
        "vphantom",
        "cellcolor",
        "color",
        "rowcolor",
        "columncolor",
        "cite",
        "citep",
        "citet",
        "citealp",
        "citealt",
        "citeauthor",
        "citeyear",
        "parencite",
        "textcite",
        "autocite",
        "footnote",
        "footnotemark",
        "footnotetext",
        "tablefootnote",
        "tnote",
        "label",
        "ref",
        "hspace",
        "vspace",
        "rule",
        "textcolor",
        "colorbox",
        "rotatebox",
        "raisebox",
        "scalebox",
        "fontsize",
    ]
)
_OPENING: Final = {"textsuperscript": RAISED, "textsubscript": LOWERED}
_SWITCHES: Final = frozenset(
    [
        "tiny",
        "scriptsize",
        "footnotesize",
        "small",
        "normalsize",
        "large",
        "Large",
        "LARGE",
        "huge",
        "Huge",
        "itshape",
        "it",
        "em",
        "rm",
        "sc",
        "tt",
        "sf",
        "mdseries",
        "upshape",
        "scshape",
        "slshape",
        "normalfont",
        "rmfamily",
        "sffamily",
        "ttfamily",
        "displaystyle",
        "textstyle",
        "scriptstyle",
        "left",
        "right",
        "big",
        "Big",
        "centering",
        "raggedright",
        "raggedleft",
        "arraybackslash",
        "strut",
        "hfill",
        "hfil",
        "protect",
        "selectfont",
        "noindent",
        "relax",
        "newline",
        "unboldmath",
        "null",
    ]
)
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

_HTML_BOLD: Final = re.compile(r"</?\s*(b|strong|u|ins|mark)\b[^<>]*>", re.IGNORECASE)
_HTML_RAISED: Final = re.compile(r"</?\s*sup\b[^<>]*>", re.IGNORECASE)
_HTML_LOWERED: Final = re.compile(r"</?\s*sub\b[^<>]*>", re.IGNORECASE)
_HTML_BREAK: Final = re.compile(r"<\s*br\s*/?\s*>", re.IGNORECASE)
_HTML_OTHER: Final = re.compile(
    r"</?\s*(i|em|span|font|code|a|small|big|center|div|p|kbd|s|del|nobr|img)\b[^<>]*>",
    re.IGNORECASE,
)
_FOOTNOTE: Final = re.compile(r"\[\^[^\]\s]+\]")
_IMAGE: Final = re.compile(r"!\[[^\[\]]*\]\([^()]*\)")
_LINK: Final = re.compile(r"\[((?:\\.|\[[^\[\]]*\]|[^\[\]])*)\]\((?:[^()]|\([^()]*\))*\)")
_STRONG: Final = re.compile(r"(?<!\\)(\*\*|__)(?=\S)(.+?)(?<=\S)(?<!\\)\1(?![*_]*\w)")
_SLANTED: Final = re.compile(
    r"(?<![\\\w*])([*_])(?=[^\s*_])([^*_]*|[^*]*?)(?<=[^\s\\])\1(?![\w*])"
)
_CODE: Final = re.compile(r"(`+)([^`]+)\1")
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")


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


def strip_latex(text: str) -> str:
    """Write LaTeX as plain text, in which `BOLD`, `RAISED` and `LOWERED` open a mark."""
    parts: list[str] = []
    at = 0
    closing = ""  # of what a switch such as \bfseries has opened
    while at < len(text):
        sign = text[at]
        if sign == "\\":
            piece, at, opens = _command(text, at + 1)
            parts.append(piece)
            closing += CLOSE if opens else ""
        elif sign == "{" and (group := take_group(text, at)):
            parts.append(strip_latex(group.text))
            at = group.end
        elif sign in "^_" and _is_script(text, at):
            piece, at = _script(text, at)
            parts.append(piece)
        else:
            parts.append({"$": "", "~": "\u00a0", "{": "", "}": ""}.get(sign, sign))
            at += 1
    return "".join(parts) + closing


def _command(text: str, at: int) -> tuple[str, int, bool]:
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
    while option := _OPTION.match(text, end):
        end = option.end()
    group = take_group(text, end)
    if name in _DROPPED:
        return "", (group.end if group else end), False
    if name in ("multirow", "multicolumn"):
        return _spanned(text, end)
    if group is None:
        return f"\\{name}", end, False
    inner = strip_latex(group.text.replace("\\\\", " "))
    opening = BOLD if name in _BOLD else _OPENING.get(name)
    return (f"{opening}{inner}{CLOSE}" if opening else inner), group.end, False


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


def strip_markdown(text: str) -> str:
    """Write Markdown and HTML as plain text, with the signs that open a mark."""
    text = _HTML_BREAK.sub(" ", text)
    text = _FOOTNOTE.sub("", _IMAGE.sub("", text))
    text = _LINK.sub(r"\1", text)
    for pattern, opening in (
        (_HTML_BOLD, BOLD),
        (_HTML_RAISED, RAISED),
        (_HTML_LOWERED, LOWERED),
    ):
        text = pattern.sub(partial(_open_or_close, opening), text)
    text = _CODE.sub(r"\2", _HTML_OTHER.sub("", text))
    text = _STRONG.sub(rf"{BOLD}\2{CLOSE}", text)
    text = _SLANTED.sub(r"\2", text)
    return html.unescape(text)


def _open_or_close(opening: str, tag: re.Match[str]) -> str:
    return CLOSE if tag[0].startswith("</") else opening


def unescape_markdown(text: str) -> str:
    """Take off the backslash before a sign that has a meaning in Markdown."""
    return _ESCAPED.sub(r"\1", text)


def drop_signs(text: str) -> str:
    """Take off the signs that open and close a mark, and spaces that are too many."""
    for sign in (BOLD, RAISED, LOWERED, CLOSE):
        text = text.replace(sign, "")
    return " ".join(text.split())
