"""The main job in a terminal: ``python -m beam_pandas [FILE ...]``."""

from __future__ import annotations

import argparse
import sys
import traceback
import warnings
from collections.abc import Hashable, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from beam_pandas.errors import (
    BeamError,
    BeamWarning,
    MissingDependencyError,
    check_probability,
)
from beam_pandas.gate.scores import read_metrics
from beam_pandas.statistics.posteriors import check_threshold
from beam_pandas.terminal.advice import advise
from beam_pandas.terminal.analysis import MetricReport, Plan, analyse_metric
from beam_pandas.terminal.choices import (
    find_method,
    parse_directions,
    parse_rope,
    select_metrics,
    shared_options,
)
from beam_pandas.terminal.input import read_scores_of
from beam_pandas.terminal.labels import show_label
from beam_pandas.terminal.options import UsageError, read_options
from beam_pandas.terminal.output_folder import (
    check_folder,
    check_page,
    save_page,
    save_results,
)
from beam_pandas.terminal.output_picture import check_target, save_diagram
from beam_pandas.terminal.streams import (
    ReportUnreadError,
    prepare_streams,
    write_messages,
    write_report,
)

DONE, SHUT, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


class Findings(NamedTuple):
    """Reports of metrics, why others have none, warnings, and how many rows there were."""

    reports: list[MetricReport]
    failures: list[tuple[str, str]]
    notes: list[str]
    n_rows: int


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Print the critical difference and the pairwise comparison of each metric.

    Parameters
    ----------
    arguments : sequence of str, optional
        In place of those of the command line.

    Returns
    -------
    int
        0; 1 if the gate is shut; 2 if the scores of a metric do not allow a report, or
        anything else is wrong with the input: the reason is on the standard error, the
        report of other metrics on the standard output; 130 if interrupted.
    """
    prepare_streams()
    try:
        options = read_options(arguments, import_module("beam_pandas").__version__)
        options.words = sys.argv[1:] if arguments is None else list(arguments)
    except UsageError as error:
        write_messages([f"beam_pandas: {error}"])
        return BAD_INPUT
    except SystemExit as done:  # --help and --version
        return int(done.code or 0)
    try:
        return _run(options)
    except KeyboardInterrupt:
        return INTERRUPTED
    except ReportUnreadError:
        return DONE
    except (BeamError, MissingDependencyError) as error:
        write_messages([f"beam_pandas: {advise(str(error))}"])
    except OSError as error:
        write_messages([f"beam_pandas: {error}"])
    except MemoryError:
        write_messages(["beam_pandas: the table is too large for the memory at hand"])
    except Exception as error:  # a terminal is no place for a traceback
        if options.debug:
            write_messages(traceback.format_exc().splitlines())
        write_messages(
            [
                f"beam_pandas: the program failed, {type(error).__name__}: {error}; "
                "--debug shows where"
            ]
        )
    return BAD_INPUT


def _run(options: argparse.Namespace) -> int:
    """Read, analyse and write."""
    _check(options)
    findings = _find(options)
    tables = [
        report.results["critical_difference"]
        for report in findings.reports
        if not report.no_ranks
    ]
    if options.html is not None or options.output is not None:
        _save(findings, tables, options)
    unable = options.plot is not None and not tables
    if options.plot is not None and tables:
        save_diagram(tables, options.plot, options.width)
    write_report(_render(findings, options))
    messages = [f"note: {note}" for note in findings.notes]
    messages += [f"beam_pandas: {reason}" for _, reason in findings.failures]
    if unable:
        messages.append(
            "beam_pandas: --plot needs a critical difference, no metric has one"
        )
    write_messages(messages)
    if findings.failures or unable:
        return BAD_INPUT
    shut = any(report.verdict and report.verdict.fails for report in findings.reports)
    return SHUT if shut else DONE


def _check(options: argparse.Namespace) -> None:
    """Refuse options that cannot be met, before anything is read."""
    check_probability("--alpha", options.alpha)
    try:
        check_threshold(options.threshold)
    except BeamError as error:
        raise UsageError(f"--{error}") from error
    if options.plot is not None:
        check_target(Path(options.plot))
    if options.html is not None:
        check_page(options.html)
    if options.output is not None:
        check_folder(options.output)


def _save(
    findings: Findings, tables: Sequence[pd.DataFrame], options: argparse.Namespace
) -> None:
    """Write the page, and what else belongs into the folder."""
    page = import_module("beam_pandas.terminal.html")
    read = page.Read(
        options.files,
        findings.n_rows,
        options.words,
        import_module("beam_pandas").__version__,
    )
    text: str = page.to_html(findings.reports, findings.notes, findings.failures, read)
    if options.output is not None:
        save_results(findings.reports, options.output)
        save_page(text, tables, options.output)
    if options.html is not None:
        Path(options.html).write_text(text, encoding="utf-8")


def _find(options: argparse.Namespace) -> Findings:
    """Compute everything; keep the errors of single metrics."""
    reports: list[MetricReport] = []
    failures: list[tuple[str, str]] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", BeamWarning)
        scores = read_scores_of(options)
        place = _place(options.files)
        try:
            _analyse(scores, options, place, reports, failures)
        except UsageError:
            raise
        except BeamError as error:
            raise BeamError(f"{place}{error}") from error
    notes = [str(one.message) for one in caught if issubclass(one.category, BeamWarning)]
    doubts = [advise(note) for note in dict.fromkeys(notes)]
    return Findings(reports, failures, doubts, len(scores))


def _place(files: Sequence[str]) -> str:
    """Name the files, in front of what is wrong with their scores."""
    names = ["standard input" if name == "-" else name for name in files]
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{names[0]}{more}: " if names else ""


def _analyse(
    scores: pd.DataFrame,
    options: argparse.Namespace,
    place: str,
    reports: list[MetricReport],
    failures: list[tuple[str, str]],
) -> None:
    """Analyse metric by metric; of a single one the error is raised."""
    if options.metric is not None:
        scores = select_metrics(scores, options.metric)
    metrics = read_metrics(scores)
    rope = parse_rope(options.rope or ["0"], metrics)
    told = parse_directions(options.direction, metrics)
    control = find_method(scores, options.control, "--control")
    candidate = find_method(scores, options.candidate, "--candidate")
    if candidate is not None and candidate == control:
        raise UsageError("--candidate and --control must differ")
    for metric in metrics:
        part = scores if len(metrics) == 1 else select_metrics(scores, [metric])
        name = "scores" if metric is None else show_label(metric)
        plan = Plan(
            alpha=options.alpha,
            threshold=options.threshold,
            missing=options.missing,
            control=control,
            candidate=candidate,
            fail_on=options.fail_on,
            shared=shared_options(options, metric, told, single=len(metrics) == 1),
            closer=options.html is not None or options.output is not None,
        )
        width = rope[_key(metric)] if isinstance(rope, dict) else rope
        try:
            reports.append(analyse_metric(name, part, width, plan))
        except BeamError as error:
            if len(metrics) == 1:
                raise
            failures.append((name, f"{place}{advise(str(error))}"))


def _key(metric: Hashable) -> str:
    return "scores" if metric is None else str(metric)


def _render(findings: Findings, options: argparse.Namespace) -> str:
    """Write the report in the form that is asked for; what writes it loads when needed."""
    if options.json:
        to_json = import_module("beam_pandas.terminal.output_json").to_json
        version = import_module("beam_pandas").__version__
        text: str = to_json(findings.reports, findings.notes, findings.failures, version)
        return text
    describe = import_module("beam_pandas.terminal.sentences").describe
    if options.markdown:
        to_markdown = import_module("beam_pandas.terminal.output_markdown").to_markdown
        blocks = [block for report in findings.reports for block in describe(report)]
        written: str = to_markdown(blocks)
        return written
    to_lines = import_module("beam_pandas.terminal.report").to_lines
    parts = ["\n".join(to_lines(describe(report))) for report in findings.reports]
    parts += [f"{name}: no report" for name, _ in findings.failures]
    if options.output is not None:
        parts.append(f"Results saved in {options.output!r}")
    if options.html is not None:
        parts.append(f"Page saved as {options.html!r}")
    if options.plot is not None and any(not r.no_ranks for r in findings.reports):
        parts.append(f"Diagram saved as {options.plot!r}")
    return "\n\n".join(parts)
