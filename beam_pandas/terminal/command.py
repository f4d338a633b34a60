"""The main job in a terminal: ``python -m beam_pandas [FILE.csv]``."""

from __future__ import annotations

import argparse
import io
import os
import sys
import warnings
from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from beam_pandas.errors import (
    BeamError,
    BeamWarning,
    DuplicateScoresError,
    IncompleteScoresError,
    MissingDependencyError,
    UnevenRunsError,
    UnknownMetricError,
    check_probability,
    count,
    is_of_metric,
    list_labels,
)
from beam_pandas.examples import load_benchmark
from beam_pandas.gate.registry import find_metric
from beam_pandas.gate.scores import read_metrics
from beam_pandas.shapes.csv_files import as_numbers, read_table
from beam_pandas.statistics.incomplete import coverage, missing_scores, skillings_mack
from beam_pandas.statistics.majorities import transitivity
from beam_pandas.statistics.mean_ranks import critical_difference, friedman
from beam_pandas.statistics.pairs import pairwise, standing
from beam_pandas.statistics.posteriors import bayesian_sign
from beam_pandas.statistics.small_samples import resolution
from beam_pandas.terminal.report import (
    describe_decisions,
    describe_friedman,
    describe_gaps,
    describe_order,
    describe_ranks,
    describe_resolution,
    describe_skillings_mack,
    describe_standing,
)


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
        0, or 2 if the scores of a metric do not allow it; the reason is on the standard
        error, the report of other metrics on the standard output.
    """
    options = _parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # labels beyond the terminal's letters
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", BeamWarning)
            failed: list[BeamError] = []
            lines = list(_report(options, failed))
        print("\n".join(lines), flush=True)
    except BrokenPipeError:  # whoever read has read enough
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
        return 0
    except (BeamError, MissingDependencyError, OSError) as error:
        print(f"beam_pandas: {error}{_option_for(error)}", file=sys.stderr)
        return 2
    for note in dict.fromkeys(str(warning.message) for warning in caught):
        print(f"note: {note}", file=sys.stderr)
    for reason in failed:
        print(f"beam_pandas: {reason}{_option_for(reason)}", file=sys.stderr)
    return 2 if failed else 0


def _option_for(error: BaseException) -> str:
    """Name the option of the command that does what an error advises in Python."""
    for kind, option in (
        (UnknownMetricError, "--higher-is-better or --lower-is-better"),
        (DuplicateScoresError, "--aggregate mean or --aggregate median"),
        (UnevenRunsError, "--uneven-runs shared or --uneven-runs ignore"),
        (
            IncompleteScoresError,
            "--missing drop_datasets, drop_methods, largest_block or worst",
        ),
    ):
        if isinstance(error, kind):
            return f" (here: {option})"
    return ""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m beam_pandas",
        description="Which methods differ over datasets? Friedman's test and Nemenyi's "
        "critical difference for each metric of a table of scores, and how the methods "
        "compare pair by pair.",
    )
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE.csv",
        help="columns method, dataset, score and optionally metric; without a file the "
        "bundled scores of scikit-learn classifiers",
    )
    parser.add_argument(
        "--metric", nargs="+", action="extend", metavar="M", help="only these metrics"
    )
    parser.add_argument(
        "--alpha", type=float, default=0.05, help="significance level (default: 0.05)"
    )
    parser.add_argument(
        "--missing",
        help="for the mean ranks, if scores are missing: drop_datasets, drop_methods, "
        "largest_block, worst or raise (default: what keeps most of the scores)",
    )
    parser.add_argument(
        "--aggregate", help="how to combine runs: mean, median, min, max or best"
    )
    parser.add_argument(
        "--uneven-runs",
        default="raise",
        help="where methods have different runs on a dataset: raise, ignore, or shared "
        "for those that all have, by the column run (default: raise)",
    )
    parser.add_argument(
        "--rope",
        action="append",
        metavar="R",
        help="differences up to it are ties: a number, noise_floor, or METRIC=NUMBER, once "
        "for each metric (default: 0)",
    )
    parser.add_argument(
        "--plot",
        metavar="FILE",
        help="save the critical difference diagram: png, svg or pdf",
    )
    parser.add_argument(
        "--width", type=float, default=7.0, help="its width in inches (default: 7)"
    )
    direction = parser.add_mutually_exclusive_group()
    for flag, value in (("--higher-is-better", True), ("--lower-is-better", False)):
        direction.add_argument(
            flag,
            dest="higher_is_better",
            action="store_const",
            const=value,
            help="direction of the metric; of several, of those that are not known",
        )
    return parser


def _report(options: argparse.Namespace, failed: list[BeamError]) -> Iterator[str]:
    """Compute everything and yield it line by line; keep the errors of single metrics."""
    check_probability("alpha", options.alpha)
    scores = load_benchmark() if options.file is None else _read(options.file)
    if options.metric is not None:
        scores = _select_metrics(scores, options.metric)
    metrics = read_metrics(scores)
    rope = _parse_rope(options.rope or ["0"], metrics)
    if options.plot is not None:
        _check_target(Path(options.plot))
    tables: list[pd.DataFrame] = []
    for number, metric in enumerate(metrics):
        if number:
            yield ""
        part = scores if len(metrics) == 1 else _select_metrics(scores, [metric])
        name = "scores" if metric is None else str(metric)
        width = rope[name] if isinstance(rope, dict) else rope
        known = len(metrics) > 1 and find_metric(name) is not None
        shared = {
            "higher_is_better": None if known else options.higher_is_better,
            "aggregate": options.aggregate,
            "uneven_runs": options.uneven_runs,
        }
        try:
            lines = list(_report_metric(name, part, width, options, shared, tables))
        except BeamError as error:
            if len(metrics) == 1:
                raise
            failed.append(error)
            lines = [f"{name}: no report"]
        yield from lines
    if options.plot is not None and tables:
        _save_diagram(tables, options.plot, options.width)
        yield f"\nDiagram saved as {options.plot!r}"
    elif options.plot is not None:
        text = "--plot needs a critical difference, no metric has one"
        failed.append(BeamError(text))


def _report_metric(
    name: str,
    scores: pd.DataFrame,
    rope: Any,
    options: argparse.Namespace,
    shared: dict[str, Any],
    tables: list[pd.DataFrame],
) -> Iterator[str]:
    """Compute everything of one metric and yield it line by line; keep the mean ranks."""
    lacking = missing_scores(scores).query("n_runs == 0")
    cover = coverage(scores)
    n_datasets = (cover["n_scores"] + cover["n_missing"]).iloc[0]
    yield f"{name}: {count(len(cover), 'method')} on {count(n_datasets, 'dataset')}"
    choices: list[Any] = [options.missing]
    if options.missing is None:
        choices = _what_to_keep(len(cover), n_datasets, lacking)
    table, choice, reason = _rank(
        scores, choices, options.alpha, shared, is_asked=options.missing is not None
    )
    ranks = [f"No critical difference: {reason}"]
    if table is not None:
        ranks = list(describe_ranks(table, options.alpha, choice))
        sizes = resolution(scores, alpha=options.alpha, missing=choice, **shared)
        ranks += describe_resolution(sizes, options.alpha)
        tables.append(table)
    if lacking.empty and table is not None:
        yield describe_friedman(friedman(scores, **shared))
    else:
        yield from describe_gaps(cover)
        test = skillings_mack(scores, tie_correction=True, **shared)
        yield from describe_skillings_mack(test)
    yield from ranks
    pairs = pairwise(scores, rope, alpha=options.alpha, **shared)
    yield from describe_standing(standing(scores, rope, **shared), pairs["rope"])
    unmet = int((pairs["n_datasets"] == 0).sum())
    yield from describe_order(transitivity(scores, rope, **shared), unmet)
    posterior = bayesian_sign(scores, rope, **shared)
    yield from describe_decisions(pairs, posterior["decision"], options.alpha)


def _check_target(path: Path) -> None:
    """Refuse a picture that could not be saved, before anything is computed."""
    if path.suffix not in (".png", ".svg", ".pdf"):
        raise BeamError(f"--plot must end in .png, .svg or .pdf, got {str(path)!r}")
    if not path.parent.is_dir():
        raise BeamError(f"--plot {str(path)!r}: there is no folder {str(path.parent)!r}")


def _save_diagram(tables: list[pd.DataFrame], path: str, width: float) -> None:
    """Draw the mean ranks of all metrics that have them, and save the picture."""
    from beam_pandas import plot  # matplotlib only if asked

    axes = plot.critical_difference(pd.concat(tables, ignore_index=True), width=width)
    plot.save(axes, path)


def _what_to_keep(n_methods: int, n_datasets: int, lacking: pd.DataFrame) -> list[str]:
    """List the ways to a complete table, the one that keeps most first."""
    if lacking.empty:
        return ["raise"]
    kept = {
        "drop_datasets": (n_methods, n_datasets - lacking["dataset"].nunique()),
        "drop_methods": (n_methods - lacking["method"].nunique(), n_datasets),
    }
    sizes = {name: k * n for name, (k, n) in kept.items() if min(k, n) >= 2}
    simple = sorted(sizes, key=lambda name: -sizes[name])
    return [*simple, "largest_block"]


def _rank(
    scores: pd.DataFrame,
    choices: list[Any],
    alpha: float,
    shared: dict[str, Any],
    *,
    is_asked: bool,
) -> tuple[pd.DataFrame | None, Any, str]:
    """Rank the largest of the complete tables that the choices lead to, if there is one."""
    best, chosen, reason = None, "", ""
    for choice in choices:
        try:
            table = critical_difference(scores, alpha=alpha, missing=choice, **shared)
        except BeamError as error:
            if is_asked or not is_of_metric(error):
                raise
            reason = str(error)
            continue
        size = len(table) * table["n_datasets"].iloc[0]
        if best is None or size > len(best) * best["n_datasets"].iloc[0]:
            best, chosen = table, choice
    return best, chosen, reason


def _read(path: str) -> pd.DataFrame:
    """Read a file of scores: labels as they are written, scores as numbers."""
    table = read_table(path)
    if "score" not in table.columns:
        return table
    return table.assign(score=as_numbers(table["score"]))


def _select_metrics(scores: pd.DataFrame, wanted: Sequence[Hashable]) -> pd.DataFrame:
    """Keep the rows of the metrics asked for, each of which must be there."""
    if "metric" not in scores.columns:
        raise BeamError(
            f"--metric {list_labels(wanted)} needs a column 'metric', found "
            f"{list_labels(scores.columns, limit=12)}"
        )
    names = scores["metric"].astype(str)
    absent = [metric for metric in wanted if not (names == str(metric)).any()]
    if absent:
        files = [name for name in absent if Path(str(name)).exists()]
        hint = f"; put the file {files[0]!r} before --metric" if files else ""
        raise BeamError(
            f"--metric must name metrics of the table, {list_labels(names.unique(), 12)}, "
            f"got {list_labels(absent)}{hint}"
        )
    chosen = names.isin([str(metric) for metric in wanted])
    others = scores[~chosen & ~scores["method"].isin(scores["method"][chosen])]
    others = others.drop_duplicates("method").assign(metric=str(wanted[0]), score=np.nan)
    return pd.concat([scores[chosen], others])  # a method without a score is still one


def _parse_rope(words: list[str], metrics: Sequence[Hashable]) -> Any:
    """Read the rope as the functions take it: one for all metrics, or one for each."""
    if len(words) == 1 and "=" not in words[0]:
        return _number_or_text(words[0])
    parts = [word.rpartition("=") for word in words]
    names = [metric for metric, _, _ in parts]
    if sorted(names) != sorted(str(metric) for metric in metrics):
        raise BeamError(
            f"--rope must be given once for each metric, {list_labels(metrics)}, or once "
            f"for all, got {list_labels(words)}"
        )
    return {metric: _number_or_text(number) for metric, _, number in parts}


def _number_or_text(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word
