"""Sections of a page: all that is said of one metric, in the order of the questions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pandas as pd

from beam_pandas.gate.registry import find_metric
from beam_pandas.terminal.analysis import MetricReport
from beam_pandas.terminal.blocks import Detail, Heading, Rows, Sentence
from beam_pandas.terminal.html_cells import safe, write_share
from beam_pandas.terminal.html_pictures import draw_diagram
from beam_pandas.terminal.html_tables import write_frame, write_rows, write_scores
from beam_pandas.terminal.sentences import describe

_OMNIBUS: Final = ("Friedman chi-square", "Skillings-Mack")
_P_VALUE: Final = re.compile(r", p ([0-9][0-9.e+-]*)")


def write_metric(report: MetricReport, name: str) -> Iterator[str]:
    """
    Write the section of a metric.

    Parameters
    ----------
    report : MetricReport
        Looked at closer.
    name : str
        Its id on the page.
    """
    yield f'<section id="{name}" aria-labelledby="{name}-head">'
    yield f'<h2 id="{name}-head">{safe(report.name)}</h2>\n'
    yield from _verdict(report, name)
    yield from _picture(report)
    yield from _words(report, name)
    yield from _pairs(report, name)
    yield from _gaps(report, name)
    yield from _datasets(report, name)
    yield from _how(report)
    yield "</section>\n"


def direction_of(report: MetricReport) -> str:
    """Say which way the metric is better."""
    told = report.plan.shared["higher_is_better"]
    if told is None:
        entry = find_metric(report.name)
        told = None if entry is None else entry.higher_is_better
    if told is None:
        return ""
    return "higher is better" if told else "lower is better"


def _verdict(report: MetricReport, name: str) -> Iterator[str]:
    yield "<h3>Verdict</h3>\n"
    board = report.results.get("leaderboard")
    if board is None:
        return
    columns = [column for column in board if column not in ("metric", "groups")]
    shown = board[["method", "groups", *columns[1:]]]
    caption = (
        f"{report.name}: methods, best first; those that share a letter in groups are not "
        f"told apart by the sign test (Holm, alpha {report.plan.alpha:g})"
    )
    yield from write_frame(shown, caption, f"{name}-board")


def _picture(report: MetricReport) -> Iterator[str]:
    yield "<h3>Diagram</h3>\n"
    if report.no_ranks:
        yield "<p>No diagram: there are no mean ranks, and below stands why.</p>\n"
        return
    table = report.results["critical_difference"]
    address, reason = draw_diagram(table)
    if reason:
        yield f'<p class="doubt">{safe(reason)}</p>\n'
        return
    about = (
        f"Critical difference diagram of {report.name}: mean ranks of {len(table)} methods "
        f"on {table['n_datasets'].iloc[0]} datasets, best is 1"
    )
    yield (
        f'<figure><div class="scroll" role="region" tabindex="0" aria-label="Diagram">'
        f'<img src="{address}" alt="{safe(about)}"></div>'
        f"<figcaption>{safe(about)}. Methods that a bar joins do not differ significantly "
        "by Nemenyi's test; the numbers stand in the table of mean ranks.</figcaption>"
        "</figure>\n"
    )


def _words(report: MetricReport, name: str) -> Iterator[str]:
    """Write what the terminal says, with its tables."""
    yield "<h3>In words</h3>\n"
    details = False
    for at, block in enumerate(describe(report)):
        if details and not isinstance(block, Detail):
            yield "</ul>\n"
            details = False
        match block:
            case Heading() | Sentence():
                yield f"<p>{safe(_readable(block.text))}</p>\n"
            case Detail():
                yield "" if details else "<ul>"
                details = True
                yield f"<li>{safe(block.text.strip())}</li>"
            case Rows():
                caption = f"{report.name}: {', '.join(block.heads[1:])} of methods"
                yield from write_rows(block, caption, f"{name}-words-{at}")
    if details:
        yield "</ul>\n"


def _readable(text: str) -> str:
    """Write the p-value of the test of all methods as the tables write theirs."""
    if not text.startswith(_OMNIBUS):
        return text
    return _P_VALUE.sub(lambda found: f", p {write_share(float(found[1]))}", text, count=1)


def _pairs(report: MetricReport, name: str) -> Iterator[str]:
    captions = {
        "pairwise": "pairs by the sign test; wins, shares and differences are of method_1",
        "bayesian_sign": "pairs by the posterior of the sign test; of method_1",
    }
    heads = {"pairwise": "Pairs", "bayesian_sign": "Posterior"}
    for function, about in captions.items():
        yield f"<h3>{heads[function]}</h3>\n"
        table = report.results[function]
        if table.empty:
            yield "<p>No pair.</p>\n"
            continue
        caption = f"{report.name}: {about}"
        yield from write_frame(table, caption, f"{name}-{function}", n_labels=2)


def _gaps(report: MetricReport, name: str) -> Iterator[str]:
    yield "<h3>Gaps and runs</h3>\n"
    cover, lacking = report.results["coverage"], report.results["missing_scores"]
    yield from write_frame(
        cover, f"{report.name}: what there is of each method", f"{name}-coverage"
    )
    if lacking.empty:
        yield "<p>No score is missing, and no run.</p>\n"
        return
    caption = f"{report.name}: cells that lack a score or runs that others have"
    yield from write_frame(lacking, caption, f"{name}-missing", n_labels=2)


def _datasets(report: MetricReport, name: str) -> Iterator[str]:
    yield "<h3>Datasets</h3>\n"
    weights = report.results.get("influence")
    if weights is not None:
        caption = f"{report.name}: what changes if a dataset is left out"
        yield from write_frame(weights, caption, f"{name}-influence")
    scores = report.results.get("ranks")
    if scores is not None:
        yield from write_scores(scores, f"{report.name}: scores", f"{name}-scores")


def _how(report: MetricReport) -> Iterator[str]:
    yield "<h3>How it was computed</h3>\n<dl>"
    for term, meaning in _choices(report):
        yield f"<dt>{safe(term)}</dt><dd>{safe(meaning)}</dd>\n"
    yield "</dl>\n"


def _choices(report: MetricReport) -> Iterator[tuple[str, str]]:
    plan, results = report.plan, report.results
    yield "Direction", direction_of(report)
    combined = plan.shared["aggregate"]
    runs = "one score a cell" if combined is None else f"combined by their {combined}"
    yield "Runs", f"{runs}; where they differ in number: {plan.shared['uneven_runs']}"
    if report.missing:
        complete = "no score is missing" if report.missing == "raise" else report.missing
        yield "Table of the mean ranks", complete
    yield "Rope", _rope(results["pairwise"]["rope"])
    omnibus = "Friedman" if "friedman" in results else "Skillings-Mack"
    yield "Test of all methods", f"{omnibus}, with the correction for ties"
    family = "all pairs" if plan.control is None else "all pairs with the control"
    yield "Critical difference", f"Nemenyi's, at alpha {plan.alpha:g}"
    yield (
        "Pairs",
        "exact sign test on the datasets that both have, ties dropped, Holm's adjustment "
        f"for {family} of the metric, at alpha {plan.alpha:g}",
    )
    yield "Posterior", f"Bayesian sign test, decided from probability {plan.threshold:g}"
    if "leaderboard" in results:
        yield (
            "Verdict",
            "ci_low and ci_high: 95 % bootstrap intervals of the mean rank over datasets, "
            "10,000 draws, seed 0; a missing score leaves the means of its method to the "
            "datasets it has",
        )


def _rope(rope: pd.Series) -> str:
    if rope.empty:
        return "none"
    if rope.isna().all():
        return "differs by dataset"
    width = rope.iloc[0]
    return f"differences up to {width:g} are ties" if width else "0: equal scores are ties"
