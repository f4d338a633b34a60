"""The main job in a terminal: ``python -m beam_pandas [FILE.csv]``."""

from __future__ import annotations

import argparse
import io
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
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
from beam_pandas.order import transitivity
from beam_pandas.pairs import pairwise, standing
from beam_pandas.posterior import bayesian_sign
from beam_pandas.ranking import critical_difference, friedman
from beam_pandas.report import (
    describe_decisions,
    describe_gaps,
    describe_order,
    describe_ranks,
    describe_standing,
)
from beam_pandas.tables import as_numbers, read_table


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
        help="what to do if scores are missing: raise, drop_datasets or drop_methods "
        "(default: raise; for the bundled scores drop_methods)",
    )
    parser.add_argument("--aggregate", help="how to combine runs: mean or median")
    parser.add_argument(
        "--rope",
        nargs="+",
        default=["0"],
        metavar="R",
        help="differences up to it are ties: a number, noise_floor, or METRIC=NUMBER for "
        "each metric (default: 0)",
    )
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
    missing: Any = options.missing or bundled
    shared = {
        "higher_is_better": options.higher_is_better,
        "aggregate": options.aggregate,
    }
    table = critical_difference(scores, alpha=options.alpha, missing=missing, **shared)
    tests = friedman(scores, missing=missing, **shared)
    cover = coverage(scores)
    rope = _parse_rope(options.rope)
    ordered = standing(scores, rope, **shared)
    majorities = transitivity(scores, rope, **shared)
    signs = pairwise(scores, rope, alpha=options.alpha, **shared)
    posterior = bayesian_sign(scores, rope, **shared)
    metrics = tests["metric"].tolist() if "metric" in tests else [None]
    for number, metric in enumerate(metrics):
        if number:
            yield ""
        name = "scores" if metric is None else str(metric)
        test = _of_metric(tests, metric).to_dict("records")[0]
        yield f"{name}: {test['n_methods']} methods on {test['n_datasets']} datasets"
        yield from describe_gaps(_of_metric(cover, metric), missing)
        yield from describe_ranks(test, _of_metric(table, metric), options.alpha)
        yield from describe_standing(
            _of_metric(ordered, metric), _of_metric(signs, metric)["rope"]
        )
        pairs = _of_metric(signs, metric)
        unmet = int((pairs["n_datasets"] == 0).sum())
        yield from describe_order(
            _of_metric(majorities, metric).to_dict("records")[0], unmet
        )
        yield from describe_decisions(
            pairs, _of_metric(posterior, metric)["decision"], options.alpha
        )


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
    chosen = names.isin(wanted)
    others = scores[~chosen & ~scores["method"].isin(scores["method"][chosen])]
    others = others.drop_duplicates("method").assign(metric=wanted[0], score=np.nan)
    return pd.concat([scores[chosen], others])  # a method without a score is still one


def _of_metric(frame: pd.DataFrame, metric: object) -> pd.DataFrame:
    return frame if metric is None else frame[frame["metric"] == metric]


def _parse_rope(words: list[str]) -> Any:
    """Read the rope as the functions take it; they check it."""
    if len(words) == 1 and "=" not in words[0]:
        return _number_or_text(words[0])
    return {
        metric: _number_or_text(number)
        for metric, _, number in (word.rpartition("=") for word in words)
    }


def _number_or_text(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word


if __name__ == "__main__":
    sys.exit(main())
