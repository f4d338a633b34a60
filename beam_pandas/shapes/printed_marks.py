"""The marks of Markdown and HTML in one cell, taken off."""

from __future__ import annotations

import html
import re
from functools import partial
from typing import Final

#: Opening and closing of what is bold, raised or lowered in a text without other marks.
BOLD, RAISED, LOWERED, CLOSE = "\x02", "\x03", "\x04", "\x05"
#: Parts digits and shows nothing.
APART: Final = "\u2063"
_HTML_BOLD: Final = re.compile(r"</?\s*(b|strong|u|ins|mark)\b[^<>]*>", re.IGNORECASE)
_HTML_RAISED: Final = re.compile(r"</?\s*sup\b[^<>]*>", re.IGNORECASE)
_HTML_LOWERED: Final = re.compile(r"</?\s*(sub|small)\b[^<>]*>", re.IGNORECASE)
_HTML_BREAK: Final = re.compile(r"<\s*br\s*/?\s*>", re.IGNORECASE)
_HTML_OTHER: Final = re.compile(
    r"</?\s*(i|em|span|font|code|a|big|center|div|p|kbd|s|del|nobr|img)\b[^<>]*>",
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
    for sign in (BOLD, RAISED, LOWERED, CLOSE, APART):
        text = text.replace(sign, "")
    return " ".join(text.split())
