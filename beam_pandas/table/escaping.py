"""Text as it has to be written so that HTML, LaTeX or Markdown show it as it was given."""

from __future__ import annotations

import html
import re
from typing import Final, Literal

Target = Literal["html", "latex", "text"]

_GREEK: Final = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "eta",
    "theta",
    "iota",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "omicron",
    "pi",
    "rho",
    "varsigma",
    "sigma",
    "tau",
    "upsilon",
    "phi",
    "chi",
    "psi",
    "omega",
]
_LATEX: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "`": r"\textasciigrave{}",
        "'": r"\textquotesingle{}",
        "†": r"$^{\dagger}$",
        "‡": r"$^{\ddagger}$",
        "±": r"$\pm$",
        "↑": r"$\uparrow$",
        "↓": r"$\downarrow$",
        "∞": r"$\infty$",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
        "\N{MINUS SIGN}": r"$-$",
        "\N{MULTIPLICATION SIGN}": r"$\times$",
        "\N{EN DASH}": r"\textendash{}",
        "…": r"\ldots{}",
        "\u00a0": "~",
    }
    | {sign: f"\\{sign}" for sign in "_%&$#{}"}
    | {
        chr(0x3B1 + at): f"${'o' if name == 'omicron' else chr(92) + name}$"
        for at, name in enumerate(_GREEK)
    }
)
_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]<>#|~$!^&])")


def one_line(text: str) -> str:
    """Put text on one line, since a cell of a source file is one."""
    return re.sub(r"[\r\n\t\v\f\x85\u2028\u2029]+", " ", text)


def escape_html(text: str) -> str:
    """Write text for HTML."""
    return html.escape(one_line(text))


def escape_latex(text: str) -> str:
    """Write text for LaTeX, with what its kernel and booktabs have."""
    # two hyphens would become a dash
    return re.sub("-(?=-)", "-{}", one_line(text).translate(_LATEX))


def escape_markdown(text: str) -> str:
    """Write text for Markdown and its tables."""
    return _MARKDOWN.sub(r"\\\1", one_line(text))


def escape(text: str, target: Target) -> str:
    """Write text for a target; plain text is what it is, on one line."""
    if target == "html":
        return escape_html(text)
    return escape_latex(text) if target == "latex" else one_line(text)
