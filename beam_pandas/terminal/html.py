"""The report as a page: one file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import shlex
from collections.abc import Iterator, Sequence
from importlib import resources
from typing import NamedTuple

import pandas as pd

from beam_pandas.errors import count
from beam_pandas.results.vocabulary import VOCABULARY
from beam_pandas.terminal.analysis import MetricReport
from beam_pandas.terminal.html_cells import safe, write_column
from beam_pandas.terminal.html_sections import direction_of, write_metric
from beam_pandas.terminal.html_tables import write_table


class Read(NamedTuple):
    """
    What the command was given.

    Attributes
    ----------
    files : list of str
        Their names; none for the bundled scores.
    n_rows : int
        Of scores, of all metrics.
    words : list of str
        The command line after its name.
    version : str
        Of the package.
    """

    files: Sequence[str]
    n_rows: int
    words: Sequence[str]
    version: str


def to_html(
    reports: Sequence[MetricReport],
    notes: Sequence[str],
    failures: Sequence[tuple[str, str]],
    read: Read,
) -> str:
    """
    Write everything as a page.

    Parameters
    ----------
    reports : list of MetricReport
        One for each metric that has one, looked at closer.
    notes : list of str
        Doubts.
    failures : list of (str, str)
        Metrics without a report, and why.
    read : Read
        What was read.
    """
    names = [f"metric-{at}" for at in range(1, len(reports) + 1)]
    style, script = _load("page.css"), _load("page.js")
    source = ", ".join(_names(read.files))
    parts = [_head(f"Methods compared: {source}", style, script)]
    parts.append(f"<header><h1>Methods compared: {safe(source)}</h1></header>\n")
    parts += _contents(reports, names)
    parts.append('<main id="content" tabindex="-1">\n')
    parts += _what_was_read(reports, notes, failures, read)
    for report, name in zip(reports, names, strict=True):
        parts += write_metric(report, name)
    parts += _glossary(reports)
    parts.append(
        '<section id="made" aria-labelledby="made-head"><h2 id="made-head">How this page '
        f"was made</h2>\n<p>beam_pandas {safe(read.version)}, with</p>\n"
        f"<pre><code>beam-pandas {safe(shlex.join(read.words))}</code></pre></section>\n"
        f"</main>\n<script>{script}</script>\n</body>\n</html>\n"
    )
    return "".join(parts)


def _names(files: Sequence[str]) -> list[str]:
    named = ["standard input" if name == "-" else name for name in files]
    return named or ["the bundled scores"]


def _load(name: str) -> str:
    return (resources.files("beam_pandas.terminal") / name).read_text(encoding="utf-8")


def _head(title: str, style: str, script: str) -> str:
    """Write the beginning; nothing may be loaded or run but what stands on the page."""
    policy = (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; "
        f"script-src {_hash(script)}"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{safe(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#content">Skip to the content</a>\n'
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _contents(reports: Sequence[MetricReport], names: Sequence[str]) -> Iterator[str]:
    yield '<nav aria-label="Contents"><ul>\n<li><a href="#read">What was read</a></li>\n'
    for report, name in zip(reports, names, strict=True):
        yield f'<li><a href="#{name}">{safe(report.name)}</a></li>\n'
    yield '<li><a href="#columns">Columns</a></li>\n'
    yield '<li><a href="#made">How this page was made</a></li>\n</ul></nav>\n'


def _what_was_read(
    reports: Sequence[MetricReport],
    notes: Sequence[str],
    failures: Sequence[tuple[str, str]],
    read: Read,
) -> Iterator[str]:
    yield '<section id="read" aria-labelledby="read-head">'
    yield '<h2 id="read-head">What was read</h2>\n'
    rows, metrics = count(read.n_rows, "row"), len(reports) + len(failures)
    yield (
        f"<p>{rows} of scores from {safe(', '.join(_names(read.files)))}; "
        f"{count(metrics, 'metric')} compared.</p>\n"
    )
    if reports:
        table = pd.DataFrame([_overview(report) for report in reports])
        columns = [write_column(str(head), table[head]) for head in table]
        yield from write_table(columns, "Metrics", "read-metrics", 1)
    for name, reason in failures:
        yield f'<p class="doubt"><strong>{safe(name)}: no report.</strong> '
        yield f"{safe(reason)}</p>\n"
    if notes:
        yield '<h3>Doubts</h3>\n<ul class="doubt">'
        yield from (f"<li>{safe(note)}</li>\n" for note in notes)
        yield "</ul>\n"
    else:
        yield "<p>Nothing about the scores looked doubtful.</p>\n"
    yield "</section>\n"


def _overview(report: MetricReport) -> dict[str, object]:
    """Count what there is of a metric, and name who is first."""
    cover = report.results["coverage"]
    board = report.results.get("leaderboard")
    return {
        "metric": report.name,
        "direction": direction_of(report),
        "methods": len(cover),
        "datasets": int((cover["n_scores"] + cover["n_missing"]).iloc[0]),
        "scores": int(cover["n_scores"].sum()),
        "missing scores": int(cover["n_missing"].sum()),
        "fewest runs": int(cover["n_runs_min"].min()),
        "most runs": int(cover["n_runs_max"].max()),
        "failed runs": int(cover["n_runs_failed"].sum()),
        "first by mean rank": None if board is None else str(board["method"].iloc[0]),
    }


def _glossary(reports: Sequence[MetricReport]) -> Iterator[str]:
    """Say what each column of the results means."""
    shown = ("leaderboard", "pairwise", "bayesian_sign", "coverage", "missing_scores")
    columns = [
        column
        for report in reports
        for name in (*shown, "influence")
        if name in report.results
        for column in report.results[name].columns
        if column != "metric"
    ]
    yield '<section id="columns" aria-labelledby="columns-head">'
    yield '<h2 id="columns-head">Columns</h2>\n<dl>'
    for column in dict.fromkeys(columns):
        meaning = VOCABULARY[column].meaning
        yield f"<dt><code>{safe(column)}</code></dt><dd>{safe(meaning)}</dd>\n"
    yield "</dl></section>\n"
