"""The options of the command."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from beam_pandas.errors import BeamError
from beam_pandas.terminal.formats import FORMATS


class UsageError(BeamError):
    """The command line cannot be understood."""


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is an error like any other, so that it ends like one."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; --help lists the options")


def read_options(arguments: Sequence[str] | None, version: str) -> argparse.Namespace:
    """
    Read the command line.

    Raises
    ------
    UsageError
        If an option is unknown, lacks its value, or belongs to another one.
    """
    options = _parser(version).parse_args(arguments)
    if options.fail_on is not None and options.candidate is None:
        raise UsageError("--fail-on needs --candidate NEW and --control OLD")
    if options.candidate is not None and options.control is None:
        raise UsageError("--candidate needs --control OLD, the method it is held against")
    if options.json and options.markdown:
        raise UsageError("--json or --markdown, not both")
    return options


def _parser(version: str) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="beam-pandas",
        description="Which methods differ over datasets? Friedman's test and Nemenyi's "
        "critical difference for each metric of a table of scores, and how the methods "
        "compare pair by pair. Ends with 0, or with 1 if --fail-on says so, or with 2 if "
        "the input does not allow an answer.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"beam_pandas {version}")
    _add_input(parser)
    _add_columns(parser)
    _add_analysis(parser)
    _add_gate(parser)
    _add_output(parser)
    return parser


def _add_input(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what is read")
    group.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="columns method, dataset, score and optionally metric and run: csv, tsv, "
        "parquet, json, jsonl, xlsx, or a printed table in md, tex or txt; also packed by "
        "gz, bz2, xz or zst; - is the standard input; without a file the bundled scores "
        "of scikit-learn classifiers",
    )
    group.add_argument(
        "--format", choices=FORMATS, help="what files hold, if the ending does not tell"
    )
    group.add_argument("--sep", metavar="SIGN", help="what parts cells, such as ';' or tab")
    group.add_argument("--decimal", choices=[".", ","], help="the decimal sign")
    group.add_argument("--sheet", metavar="NAME", help="the sheet of an xlsx file")
    group.add_argument(
        "--na",
        action="append",
        metavar="TEXT",
        default=[],
        help="a text that stands for no score, such as OOM; may be repeated",
    )


def _add_columns(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("which column is what")
    for name, what in (
        ("method", "names the method; repeated, several are joined"),
        ("dataset", "names the dataset; repeated, several are joined"),
        ("score", "holds scores; repeated, or a known metric, its name is the metric"),
    ):
        group.add_argument(
            f"--{name}", action="append", metavar="COL", help=f"column that {what}"
        )
    group.add_argument(
        "--metric-column", metavar="COL", help="column that names the metric"
    )
    group.add_argument(
        "--run", metavar="COL", help="column that names the run (seed, fold or repeat)"
    )
    group.add_argument(
        "--wide",
        action="store_true",
        help="a row for each dataset and a column for each method",
    )
    group.add_argument(
        "--rows",
        choices=["datasets", "methods"],
        help="what the rows of a wide or printed table are",
    )
    for name, what in (
        ("methods", "only these methods, parted by commas; wide, the columns with scores"),
        ("datasets", "only these datasets, parted by commas"),
        ("drop", "columns to leave out of a wide table, parted by commas"),
    ):
        group.add_argument(f"--{name}", action="append", metavar="A,B", help=what)
    group.add_argument(
        "--file-is",
        choices=["method", "dataset", "metric", "run"],
        help="what each file is, under its name without the ending",
    )


def _add_analysis(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how it is compared")
    group.add_argument(
        "--metric",
        nargs="+",
        action="extend",
        metavar="M",
        help="only these metrics; one names the metric of a wide table",
    )
    group.add_argument(
        "--alpha", type=float, default=0.05, help="significance level (default: 0.05)"
    )
    group.add_argument(
        "--missing",
        help="for the mean ranks, if scores are missing: drop_datasets, drop_methods, "
        "largest_block, worst or raise (default: what keeps most of the scores)",
    )
    group.add_argument(
        "--aggregate", help="how to combine runs: mean, median, min, max or best"
    )
    group.add_argument(
        "--uneven-runs",
        default="raise",
        help="where methods have different runs on a dataset: raise, ignore, or shared "
        "for those that all have, by the column run (default: raise)",
    )
    group.add_argument(
        "--rope",
        action="append",
        metavar="R",
        help="differences up to it are ties: a number, 2%%, noise_floor, a column, or "
        "METRIC=NUMBER, once for each metric (default: 0)",
    )
    _add_direction(group)


def _add_direction(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--direction",
        action="append",
        metavar="METRIC=WORD",
        default=[],
        help="whether higher or lower is better of a metric; may be repeated",
    )
    direction = group.add_mutually_exclusive_group()
    values: tuple[tuple[str, Any], ...] = (
        ("--higher-is-better", True),
        ("--lower-is-better", False),
    )
    for flag, value in values:
        direction.add_argument(
            flag,
            dest="higher_is_better",
            action="store_const",
            const=value,
            help="direction of the metric; of several, of those that are not known",
        )


def _add_gate(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("one method against others")
    group.add_argument(
        "--control", metavar="METHOD", help="compare only pairs with this method"
    )
    group.add_argument(
        "--candidate", metavar="METHOD", help="say whether it is worse than --control"
    )
    group.add_argument(
        "--threshold",
        type=float,
        default=0.95,
        help="probability from which the posterior decides a pair (default: 0.95)",
    )
    group.add_argument(
        "--fail-on",
        choices=["worse", "undecided"],
        help="end with 1 if the candidate is worse in a metric; undecided: also unless it "
        "is better or equivalent",
    )


def _add_output(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what is written")
    group.add_argument("--json", action="store_true", help="the results as JSON")
    group.add_argument("--markdown", action="store_true", help="the report as Markdown")
    group.add_argument(
        "--html", metavar="FILE", help="also save the report as a page, in one file"
    )
    group.add_argument(
        "--output",
        metavar="FOLDER",
        help="also save there each result as CSV, the diagram as SVG, and the page",
    )
    group.add_argument(
        "--plot",
        metavar="FILE",
        help="save the critical difference diagram: png, svg or pdf",
    )
    group.add_argument(
        "--width", type=float, default=7.0, help="its width in inches (default: 7)"
    )
    group.add_argument(
        "--debug", action="store_true", help="show where the program itself failed"
    )
