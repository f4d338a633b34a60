"""The main job in a terminal: ``python -m beam_pandas [FILE.csv]``."""

from __future__ import annotations

import argparse
import io
import sys
import warnings
from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from beam_pandas.errors import (
    BeamError,
    BeamWarning,
    DuplicateScoresError,
    IncompleteScoresError,
    UnknownMetricError,
    list_labels,
)
from beam_pandas.examples import load_benchmark
from beam_pandas.incomplete import coverage
from beam_pandas.ranking import critical_difference, friedman
from beam_pandas.tables import as_numbers, read_table

_WIDTH = 80
_LISTED = 8


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Print Friedman's test and the critical difference of each metric.

    Parameters
    ----------
    arguments : sequence of str, optional
        In place of those of the command line.

    Returns
    -------
    int
        0, or 2 if the scores do not allow it; the reason is on the standard error.
    """
    options = _parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # labels beyond the terminal's letters
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", BeamWarning)
            lines = list(_report(options))
        print("\n".join(lines), flush=True)
    except (BeamError, OSError) as error:
        print(f"beam_pandas: {error}{_option_for(error)}", file=sys.stderr)
        return 2
    for warning in caught:
        print(f"note: {warning.message}", file=sys.stderr)
    return 0


def _option_for(error: BaseException) -> str:
    """Name the option of the command that does what an error advises in Python."""
    for kind, option in (
        (UnknownMetricError, "--higher-is-better or --lower-is-better"),
        (DuplicateScoresError, "--aggregate mean or --aggregate median"),
        (IncompleteScoresError, "--missing drop_datasets or --missing drop_methods"),
    ):
        if isinstance(error, kind):
            return f" (here: {option})"
    return ""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m beam_pandas",
        description="Which methods differ over datasets? Friedman's test and Nemenyi's "
        "critical difference for each metric of a table of scores.",
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
        help="what to do if scores are missing: raise, drop_datasets or drop_methods "
        "(default: raise; for the bundled scores drop_methods)",
    )
    parser.add_argument("--aggregate", help="how to combine runs: mean or median")
    direction = parser.add_mutually_exclusive_group()
    for flag, value in (("--higher-is-better", True), ("--lower-is-better", False)):
        direction.add_argument(
            flag, dest="higher_is_better", action="store_const", const=value
        )
    return parser


def _report(options: argparse.Namespace) -> Iterator[str]:
    """Compute everything and yield it line by line."""
    scores = load_benchmark() if options.file is None else _read(options.file)
    if options.metric is not None:
        scores = _select_metrics(scores, options.metric)
    bundled = "drop_methods" if options.file is None else "raise"
    missing = options.missing or bundled
    shared = {
        "higher_is_better": options.higher_is_better,
        "aggregate": options.aggregate,
        "missing": missing,
    }
    table = critical_difference(scores, alpha=options.alpha, **shared)
    tests = friedman(scores, **shared)
    cover = coverage(scores)
    metrics = tests["metric"].tolist() if "metric" in tests else [None]
    for number, metric in enumerate(metrics):
        if number:
            yield ""
        name = "scores" if metric is None else str(metric)
        test = _of_metric(tests, metric).to_dict("records")[0]
        yield f"{name}: {test['n_methods']} methods on {test['n_datasets']} datasets"
        yield from _describe_gaps(_of_metric(cover, metric), missing)
        yield from _describe_ranks(test, _of_metric(table, metric), options.alpha)


def _read(path: str) -> pd.DataFrame:
    """Read a file of scores: labels as they are written, scores as numbers."""
    table = read_table(path)
    return table.assign(
        **{name: as_numbers(table[name]) for name in table if name == "score"}
    )


def _select_metrics(scores: pd.DataFrame, wanted: list[str]) -> pd.DataFrame:
    """Keep the rows of the metrics asked for, each of which must be there."""
    if "metric" not in scores.columns:
        raise BeamError(
            f"--metric {' '.join(wanted)} needs a column 'metric', found "
            f"{list_labels(scores.columns, limit=12)}"
        )
    names = scores["metric"].astype(str)
    absent = [metric for metric in wanted if not (names == metric).any()]
    if absent:
        files = [name for name in absent if Path(name).exists()]
        hint = f"; put the file {files[0]!r} before --metric" if files else ""
        raise BeamError(
            f"--metric must name metrics of the table, {list_labels(names.unique(), 12)}, "
            f"got {list_labels(absent)}{hint}"
        )
    return scores[names.isin(wanted)]


def _of_metric(frame: pd.DataFrame, metric: object) -> pd.DataFrame:
    return frame if metric is None else frame[frame["metric"] == metric]


def _describe_gaps(cover: pd.DataFrame, missing: str) -> Iterator[str]:
    """Say which methods lack what, if any does, and what was done about it."""
    lacking = cover[cover["n_missing"] > 0]
    if lacking.empty:
        return
    yield f"missing scores ({missing}):"
    for row in lacking.head(_LISTED).to_dict("records"):
        total = row["n_scores"] + row["n_missing"]
        method = _cut(str(row["method"]), 40)
        yield f"  {method} lacks {row['n_missing']} of {total} datasets"
    if len(lacking) > _LISTED:
        yield f"  {len(lacking) - _LISTED} more methods lack some"


def _describe_ranks(
    test: dict[Hashable, Any], table: pd.DataFrame, alpha: float
) -> Iterator[str]:
    """Write the test in a line and the mean ranks in a table."""
    yield (
        f"Friedman chi-square {test['statistic']:.4g}, df {test['df']}, "
        f"p {test['p_value']:.3g}; Kendall's W {test['kendall_w']:.3f}"
    )
    gap = table["critical_difference"].iloc[0]
    yield f"Critical difference {gap:.4g} at alpha {alpha:g}; methods that share a letter"
    yield "do not differ significantly"
    longest = max(len(str(method)) for method in table["method"])
    width = min(max(longest, len("method")), _WIDTH - 36)
    yield f"  {'method':<{width}}  mean rank  groups"
    for row in table.to_dict("records"):
        method, groups = _cut(str(row["method"]), width), _short_groups(row["groups"])
        yield f"  {method:<{width}}  {row['mean_rank']:9.3f}  {groups}"


def _cut(text: str, width: int) -> str:
    text = " ".join(text.split())  # a line break would break the table
    return text if len(text) <= width else text[: width - 3] + "..."


def _short_groups(groups: str) -> str:
    """Write many letters as first to last: the groups of a method are consecutive."""
    letters = groups.split(",")
    return groups if len(groups) <= 20 else f"{letters[0]} to {letters[-1]}"


if __name__ == "__main__":
    sys.exit(main())
