"""What an error advises in Python, said as options of the command."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_Replace = str | Callable[[re.Match[str]], str]

_NAME: Final = r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|-?\d[\d.]*)"""


def _directions(match: re.Match[str]) -> str:
    names = re.findall(f"{_NAME}: \\.\\.\\.", match[1])
    told = " ".join(f"--direction {_option(name, '=...')}" for name in names)
    return f"add {told} with higher or lower for each"


def _option(name: str, ending: str = "") -> str:
    """Write a name, given by its repr, as the shell takes it."""
    bare = name[1:-1] if name[:1] in "'\"" else name
    plain = re.fullmatch(r"[\w.@%+\-/]+", bare, re.ASCII)
    return f"{bare}{ending}" if plain else f"{name[:1]}{bare}{ending}{name[:1]}"


#: In this order: what is found first is replaced first.
_RULES: Final[tuple[tuple[str, _Replace], ...]] = (
    (
        r"The frame has no column 'metric' to look it up by: pass higher_is_better=True or "
        r"higher_is_better=False, which holds for every score in it",
        "There is no column 'metric' to look it up by: add --higher-is-better or "
        "--lower-is-better, which holds for every score of the file",
    ),
    (r"pass higher_is_better=\{(.*)\} with True or False for each", _directions),
    (r", or beam_pandas\.register_metric\(.*?higher_is_better=\.\.\.\)", ""),
    (
        rf"pass higher_is_better=\{{{_NAME}: True\}} if more is better here, False if not",
        lambda m: (
            f"--direction {_option(m[1], '=higher')} if more is better here, "
            f"{_option(m[1], '=lower')} if not"
        ),
    ),
    (
        r"leave (it|them) out,? ?:? ?df\[~?df\['metric'\][^;]*",
        r"leave \1 out: name the others after --metric",
    ),
    (
        r"pass aggregate='mean' or aggregate='median' to combine runs",
        "--aggregate mean or --aggregate median combines runs",
    ),
    (rf"df\.rename\(columns=\{{{_NAME}: 'run'\}}\)", lambda m: f"--run {_option(m[1])}"),
    (
        rf"df\.rename\(columns=\{{{_NAME}: 'metric'\}}\)",
        lambda m: f"--metric-column {_option(m[1])}",
    ),
    (r"uneven_runs='(\w+)'", r"--uneven-runs \1"),
    (r"aggregate='(\w+)'", r"--aggregate \1"),
    (r"missing='(\w+)'", r"--missing \1"),
    (
        r"; skillings_mack\(\) and pairwise\(\) use every score",
        "; without --missing the report says what uses every score",
    ),
    (
        r"if they mean the same, df\.assign\(.*",
        "if they mean the same, write them alike in the file",
    ),
    (
        r"if they do, leave them out, df\[~df\['method'\].*",
        "if they do, leave them out: name the others in --methods",
    ),
    (
        r"if they do, leave them out, df\[~df\['dataset'\].*",
        "if they do, leave them out: name the others in --datasets",
    ),
    (
        r"if they are runs, beam_pandas\.fold_datasets\(.*",
        "if they are runs, write the run into a column of its own, --run",
    ),
    (r": beam_pandas\.merge_metrics\(df\) makes one of them", ""),
    (
        r"pass rope=\.\.\., or beam_pandas\.register_metric\(.*?\.\.\.\)",
        "give it a number, --rope METRIC=...",
    ),
    (r": pass a number", ": --rope with a number"),
    (r"rope='noise_floor'", "--rope noise_floor"),
    (
        r"; on one dataset, correlated_t\(.*",
        "",
    ),
    (r" \(resolution\)$", ""),
    (r"write NaN where a run gave no score", "leave the cell empty where a run gave none"),
    (r"correct or leave out what is no", "correct, or empty the cell of, what is no"),
    (
        r"if it holds scores, beam_pandas\.parse_scores\(df\) reads text",
        "--format printed reads text",
    ),
    (
        r"if it holds scores, write a point for the comma, \.str\.replace\(.*",
        "--decimal , if a comma parts the decimals",
    ),
    (
        r"which the registry knows as metrics: for a column for each metric, "
        r"beam_pandas\.from_columns\(.*?\), with a column that names the (\w+)",
        r"which are metrics: --drop leaves them out; for a column for each metric name "
        r"the columns with --method, --dataset and --score, without --wide",
    ),
    (
        r"name the (\w+)s, (?:methods|datasets)=\[\.\.\.\], and carry others along with "
        r"keep=\[\.\.\.\]",
        r"--drop leaves them out, or name the columns that are \1s, --\1s A,B",
    ),
    (r"methods=\[\.\.\.\]", "--methods A,B"),
    (r"datasets=\[\.\.\.\]", "--datasets A,B"),
    (r"scores=\[\.\.\.\]", "--score COL"),
    (r"drop=\[\.\.\.\]", "--drop A,B"),
    (r"pass table=\.\.\., the number of the one to read, among", "keep the one to read of"),
    (r"pass orient='(\w+)'", r"--rows \1"),
    (r"orient='(\w+)'", r"--rows \1"),
    (r"pass decimal='(.)'", r"--decimal \1"),
    (r"decimal='(.)'", r"--decimal \1"),
    (r"pass what each file is as name='\.\.\.'", "--file-is says what each file is"),
    (r"name='(\w+)'", r"--file-is \1"),
    (r"\bpass (method|dataset)='?\.\.\.'?", r"add --\1 COL"),
)
#: What only Python understands.
_PYTHON: Final = re.compile(
    r"\bdf\b|\bbeam_pandas\.|\bpd\.|\bpandas\.|\.str\.|\b[a-z_]+\(|\b[a-z_]+=(?:[\w.\"'\[{]|\x00)"
)
_QUOTED: Final = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_CLAUSE: Final = re.compile(r"(; |: |, (?:or|else|and) )")


def advise(message: str) -> str:
    """
    Say in a terminal what a message says in Python.

    What has no option is left out: the message then says what was found, and no more.
    """
    hidden: list[str] = []
    message = message.replace("\x00", "\\x00")

    def hide(text: str) -> str:
        hidden.append(text)
        return f"\x00{len(hidden) - 1}\x00"

    def replaced(replacement: _Replace) -> Callable[[re.Match[str]], str]:
        if callable(replacement):
            return lambda match: hide(replacement(match))
        return lambda match: hide(match.expand(replacement))

    for pattern, replacement in _RULES:
        message = re.sub(pattern, replaced(replacement), message)
    message = re.sub(r"\bpass (?=\x00)", "add ", message)
    message = re.sub(_QUOTED, lambda match: hide(match[0]), message)
    message = _without_python(message)
    while "\x00" in message:  # a quoted text may hold what was hidden before
        message = re.sub("\x00(\\d+)\x00", lambda match: hidden[int(match[1])], message)
    return message


def _without_python(text: str) -> str:
    """Leave out the clauses that hold Python, but for the first."""
    parts = _CLAUSE.split(text)
    kept = parts[0]
    for sign, clause in zip(parts[1::2], parts[2::2], strict=True):
        if not _PYTHON.search(clause):
            kept += sign + clause
    return kept
