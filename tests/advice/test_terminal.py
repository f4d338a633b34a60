"""Following what the terminal says: its advice is options, or what to write into a file."""

import bz2
import contextlib
import io
import json
import re
import shlex
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import pandas as pd
import pytest

import beam_pandas as bp
from beam_pandas.terminal import command, input_bytes
from beam_pandas.terminal.advice import advise
from beam_pandas.terminal.command import main
from beam_pandas.terminal.options import _parser
from tests.advice.cases import Call, Case, Files, Finished, Lazy, first
from tests.advice.cases import write as write_files
from tests.advice.frames import BARE, LONG, WIDE, of_metric, runs
from tests.advice.hold import complete, each_once, hold
from tests.advice.reasons import NOTHING, OPTION
from tests.advice.test_gate import CASES as GATE
from tests.advice.test_shapes import CASES as SHAPES


def terminal(folder, args="scores.csv", pipe=b"", absent=(), within=None):
    """Give the command in a folder: names of its files are taken from there."""
    folder = Path(folder)
    words = [
        str(folder / word) if (folder / word).is_file() else word
        for word in shlex.split(args)
    ]
    words = [word.replace("FOLDER", str(folder)) for word in words]
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    stdin = SimpleNamespace(buffer=io.BytesIO(pipe))
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        patch.object(sys, "stdin", stdin),
        patch.dict(sys.modules, dict.fromkeys(absent)),
        within or contextlib.nullcontext(),
    ):
        status = main(words)
    texts = [
        stream.buffer.getvalue().decode() for stream in (out, err) if not stream.flush()
    ]
    return Finished(status, *texts)


def check(folder, args, truth, **options):
    """Give the command once more, and hold its numbers against those of the scores."""
    found = terminal(folder, f"{args} --json", **options)
    assert found.status == 0, found.err
    names = truth["metric"].unique() if "metric" in truth else [None]
    parts = {
        str(part["metric"]): part["results"] for part in json.loads(found.out)["metrics"]
    }
    assert len(parts) == len(names)
    for name in names:
        part = truth if name is None else truth[truth["metric"] == name]
        told = (
            {} if bp.metrics()["metric"].isin([name]).any() else {"higher_is_better": True}
        )
        if part.duplicated(["method", "dataset"]).any():
            told["aggregate"] = "mean"
        result = parts[str(name)] if str(name) in parts else next(iter(parts.values()))
        held = bp.coverage(part)
        assert {row["method"]: row["n_scores"] for row in result["coverage"]} == dict(
            zip(held["method"], held["n_scores"], strict=True)
        )
        pairs = bp.pairwise(part, **told)
        means = {
            (row["method_1"], row["method_2"]): row["mean_diff"]
            for row in pairs.to_dict("records")
        }
        assert result["pairwise"]
        for row in result["pairwise"]:
            expected = means[row["method_1"], row["method_2"]]
            assert row["mean_diff"] == pytest.approx(expected, nan_ok=True)
    return found


def add(options, truth=LONG, instead="", says=None):
    """Add options to the command, each of which its message names."""

    def follow(_, call: Call) -> Call:
        said = terminal(_written(call.frame), **call.options).err
        for word in shlex.split(options if says is None else says):
            assert not word.startswith("--") or word in said, (word, said)
        given = call.options | {"args": instead or call.options.get("args", "scores.csv")}
        args = f"{given.pop('args')} {options}"
        return Call(check, call.frame, given | {"args": args, "truth": truth})

    return follow


def write(files, truth=LONG, args=None):
    """Write the file in another way, as the message says."""

    def follow(_, call: Call) -> Call:
        given = call.options | {"args": args or call.options.get("args", "scores.csv")}
        given.pop("within", None)
        return Call(check, files, given | {"truth": truth})

    return follow


def _written(frame):
    return write_files(frame) if isinstance(frame, Files) else frame.make()


def csv(frame, name="scores.csv", **options):
    return Files({name: frame.to_csv(index=False, **options)})


def packed(**files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return stream.getvalue()


def parquet():
    stream = io.BytesIO()
    LONG.to_parquet(stream)
    return stream.getvalue()


def levels(outer, inner):
    return {
        str(key): dict(zip(part[inner], part["score"], strict=True))
        for key, part in LONG.groupby(outer)
    }


PLAIN = csv(LONG)
ROWS = json.dumps(LONG.to_dict("records"))
RENAMED = LONG.rename(columns={"method": "model", "dataset": "task", "metric": "measure"})
THOUSANDS = LONG.assign(metric="elo", score=(LONG["score"] * 10_000).round())
LACKING = "terminal/input_columns:_lacking: f'{message}: add {options.strip()}{_if_w"
#: Without a column for the metric.
UNNAMED = {"args": "scores.csv --higher-is-better"}

ODD = "terminal/input_scores:_odd_score: column … must hold numbers, found … in r"


class Book:
    """A book of sheets, as pandas reads it with a package that need not be there."""

    def __init__(self, tables):
        self.tables, self.sheet_names = tables, list(tables)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def parse(self, name, **_):
        return self.tables[name]


def sheets(**tables):
    """Put a book in place of the file, a broken one if it has no sheets."""
    broken = None if tables else ValueError("no book")
    return patch.object(pd, "ExcelFile", side_effect=broken, return_value=Book(tables))


BOOK = Files({"a.xlsx": b"PK\x03\x04"})


def failing(error):
    return patch.object(command, "read_scores_of", side_effect=error)


def unwritten(folder):
    """Let the standard output be full."""
    error = OSError("No space left on device")
    return terminal(folder, within=patch("builtins.print", side_effect=[error, None]))


pytestmark = pytest.mark.slow

CASES = [
    # The command line -----------------------------------------------------------------
    Case(
        "terminal/options:_Parser.error: …; --help lists the options",
        terminal,
        PLAIN,
        args="scores.csv --nope",
        none=OPTION,
    ),
    Case(
        "terminal/options:read_options: --fail-on needs --candidate NEW and --co",
        terminal,
        PLAIN,
        args="scores.csv --fail-on worse",
        follow=add("--candidate A --control C"),
    ),
    Case(
        "terminal/options:read_options: --candidate needs --control OLD, the met",
        terminal,
        PLAIN,
        args="scores.csv --candidate A",
        follow=add("--control C"),
    ),
    Case(
        "terminal/options:read_options: --json or --markdown, not both",
        terminal,
        PLAIN,
        args="scores.csv --json --markdown",
        follow=add("", instead="scores.csv"),
    ),
    Case(
        "terminal/asked:_rows: --wide takes --dataset if each row is a",
        terminal,
        csv(WIDE.reset_index()),
        args="scores.csv --wide --dataset dataset --method A",
        follow=add("", instead="scores.csv --wide --dataset dataset --metric accuracy"),
    ),
    Case(
        "terminal/command:_check: f'--{error}'",
        terminal,
        PLAIN,
        args="scores.csv --threshold .5",
        none=OPTION,
    ),
    Case(
        "terminal/command:_analyse: --candidate and --control must differ",
        terminal,
        PLAIN,
        args="scores.csv --candidate A --control A",
        none=OPTION,
    ),
    Case(
        "terminal/command:_find: f'{place}{error}'",
        terminal,
        csv(BARE),
        follow=add("--higher-is-better", truth=BARE),
    ),
    Case(
        "terminal/command:_find: f'{place}{error}'",
        terminal,
        csv(of_metric("zeal")),
        follow=add("--direction zeal=higher", truth=of_metric("zeal")),
    ),
    Case(
        "terminal/gate:judge: --candidate and --control must share a d",
        terminal,
        csv(
            LONG[(LONG["method"] != "A") | (LONG["dataset"] == "iris")].query(
                "method != 'B' or dataset != 'iris'"
            )
        ),
        args="scores.csv --candidate A --control B",
        none=NOTHING,
    ),
    *(
        Case(site, terminal, PLAIN, args=f"scores.csv {options}", none=OPTION)
        for site, options in {
            "terminal/choices:find_method: … must be one of the methods …, got ……": "--control a",
            "terminal/choices:parse_directions: --direction must be METRIC=higher or =lo": "--direction accuracy=up",
            "terminal/choices:parse_directions: --direction must name metrics of the tab": "--direction f1=higher",
            "terminal/choices:parse_rope: --rope must be given once for each metri": "--rope f1=0.1",
            "terminal/choices:select_metrics: --metric must name metrics of the table,": "--metric f1",
            "terminal/input_tables:_find_separator: --sep must be one sign, or tab, got …": "--sep ab",
            "terminal/input_shape:_select: --…s must name …s of the table, …, got …": "--methods A,Z",
            "terminal/output_folder:check_folder: --output must be a folder, … is a file": "--output scores.csv",
            "terminal/output_picture:check_target: --plot must end in .png, .svg or .pdf, g": "--plot FOLDER/a.jpg",
            "terminal/output_picture:check_target: --plot …: there is no folder …": "--plot FOLDER/no/a.png",
            "terminal/output_folder:check_page: --html must end in .html or .htm, got …": "--html FOLDER/a.pdf",
            "terminal/output_folder:check_page: --html …: there is no folder …": "--html FOLDER/no/a.html",
            "terminal/input_columns:find_roles: columns … are asked for, … not found amo": "--method model",
            "terminal/input_columns:find_roles: each column can play one part, found … i": "--method dataset",
        }.items()
    ),
    Case(
        "terminal/choices:parse_directions: --direction must name metrics of the tab",
        terminal,
        csv(BARE),
        args="scores.csv --direction f1=higher",
        none=OPTION,
    ),
    Case(
        "terminal/choices:select_metrics: --metric must name metrics of the table,",
        terminal,
        PLAIN,
        args="--metric accuracy scores.csv scores.csv",
        follow=add("--metric accuracy", instead="scores.csv"),
    ),
    Case(
        "terminal/choices:select_metrics: --metric … needs a column 'metric', foun",
        terminal,
        csv(LONG.rename(columns={"metric": "what"})),
        args="scores.csv --metric accuracy",
        follow=add("--metric-column what", says="--metric-column"),
    ),
    Case(
        "terminal/input_columns:find_roles: one --score is needed beside a column …",
        terminal,
        csv(LONG.assign(other=1)),
        args="scores.csv --score score --score other",
        follow=add("--score score", instead="scores.csv"),
    ),
    Case(
        "terminal/command:_run: beam_pandas: --plot needs a critical dif",
        terminal,
        csv(
            LONG[
                (LONG["dataset"] != "glass")
                & (
                    LONG["dataset"]
                    != LONG["method"].map({"A": "iris", "B": "zoo", "C": "wine"})
                )
            ]
        ),
        args="scores.csv --plot FOLDER/a.png",
        none=NOTHING,
    ),
    Case(
        "terminal/command:main: beam_pandas: the table is too large for",
        terminal,
        PLAIN,
        within=failing(MemoryError()),
        none=NOTHING,
    ),
    Case(
        "terminal/command:main: beam_pandas: the program failed, …: …; -",
        terminal,
        PLAIN,
        within=failing(RuntimeError("odd")),
        none="a fault of the program, which no one can write away",
    ),
    Case(
        "terminal/streams:write_report: the report cannot be written, …",
        unwritten,
        PLAIN,
        none=NOTHING,
    ),
    # Columns --------------------------------------------------------------------------
    Case(
        LACKING,
        terminal,
        csv(RENAMED),
        follow=add("--method model --dataset task --metric-column measure"),
    ),
    Case(
        LACKING,
        terminal,
        csv(BARE.rename(columns={"score": "accuracy"})),
        follow=add("--score accuracy"),
    ),
    Case(
        LACKING,
        terminal,
        csv(LONG.rename(columns={"dataset": "Thing"})),
        follow=add("--dataset Thing", says="--dataset COL"),
    ),
    Case(
        LACKING,
        terminal,
        csv(LONG.rename(columns={"dataset": "Thing"})),
        follow=add("--dataset Thing", says="--rows methods --file-is"),
    ),
    Case(
        LACKING,
        terminal,
        csv(LONG.rename(columns={"method": "thing"})),
        follow=add("--method thing", says="--method COL --wide"),
    ),
    Case(
        LACKING,
        terminal,
        Files(
            {
                f"{name}.csv": part.drop(columns="method").to_csv(index=False)
                for name, part in LONG.groupby("method")
            }
        ),
        args="A.csv B.csv C.csv",
        follow=add("--file-is method"),
    ),
    Case(
        "terminal/input_columns:_lacking: f'{message}; {_wide_way(lacking)}'",
        terminal,
        csv(WIDE.reset_index(names="thing")),
        args="scores.csv",
        follow=add("--wide --metric accuracy", says="--wide"),
    ),
    Case(
        "terminal/input_columns:_lacking: f'{message}; {_wide_way(lacking)}'",
        terminal,
        csv(WIDE.T.reset_index(names="thing")),
        args="scores.csv",
        follow=add("--rows methods --metric accuracy", says="--rows methods"),
    ),
    Case(
        "terminal/input_columns:check_labels: every row needs a …, … of … … none (row",
        terminal,
        csv(LONG.assign(method=LONG["method"].where(LONG["method"] != "A"))),
        follow=write(PLAIN),
    ),
    Case(
        "terminal/input_columns:check_labels: every row needs a …, … of … … none (row",
        terminal,
        csv(LONG.assign(method=None)),
        follow=write(PLAIN),
    ),
    Case(
        "terminal/input:_join: each file needs a metric, or none, found",
        terminal,
        Files(
            {
                "a.csv": LONG[LONG["method"] == "A"].to_csv(index=False),
                "b.csv": BARE[BARE["method"] != "A"].to_csv(index=False),
            }
        ),
        args="a.csv b.csv",
        none=OPTION,
    ),
    Case(
        "terminal/input:read_scores_of: the standard input can be read once, got",
        terminal,
        PLAIN,
        args="- -",
        none=NOTHING,
    ),
    Case(
        "terminal/input:_read_evals: text",
        terminal,
        Files({"a.json": '{"results": {"arc": {"alias": "arc"}}}'}),
        args="a.json",
        none=NOTHING,
    ),
    # Bytes ----------------------------------------------------------------------------
    Case(
        "terminal/input_bytes:read_source: a file is needed, found a URL: download",
        terminal,
        PLAIN,
        args="https://x.org/a.csv",
        none="nothing is downloaded by a test",
    ),
    Case(
        "terminal/input_bytes:read_source: the file is empty",
        terminal,
        PLAIN,
        args="-",
        none=NOTHING,
    ),
    Case(
        "terminal/input_bytes:_read_raw: a file is needed, found a folder: name i",
        terminal,
        PLAIN,
        args="FOLDER",
        follow=add("", instead="scores.csv"),
    ),
    Case(
        "terminal/input_bytes:_check_lines: a row of headings is needed, found a fir",
        terminal,
        Files({"scores.csv": "a" * 5_000_000}),
        none=NOTHING,
    ),
    Case(
        "terminal/input_bytes:_unpack: the file cannot be unpacked as …, …",
        terminal,
        Files({"a.csv.gz": b"no"}),
        args="a.csv.gz",
        none=NOTHING,
    ),
    Case(
        "terminal/input_bytes:_unpack: the file cannot be unpacked as zip, …",
        terminal,
        Files({"a.csv.zip": b"no"}),
        args="a.csv.zip",
        none=NOTHING,
    ),
    Case(
        "terminal/input_bytes:_unpack: the file holds … MB and unpacks to more",
        terminal,
        Files({"a.csv.bz2": bz2.compress(b"a" * 3_000_000)}),
        args="a.csv.bz2",
        within=patch.object(input_bytes, "_SMALL", 1 << 20),
        follow=write(PLAIN, args="scores.csv"),
    ),
    Case(
        "terminal/input_bytes:_open_zip: a zip file must hold one file, found …:",
        terminal,
        Files({"a.zip": packed(a="x", b="y")}),
        args="a.zip --format csv",
        follow=write(PLAIN, args="scores.csv"),
    ),
    Case(
        "terminal/input_bytes:_open_zst: to unpack zst, pyarrow is needed (pip in",
        terminal,
        Files({"a.csv.zst": b"\x28\xb5\x2f\xfd"}),
        args="a.csv.zst",
        absent=["compression.zstd", "zstandard", "pyarrow"],
        follow=write(PLAIN, args="scores.csv"),
    ),
    Case(
        "terminal/formats:check_text: found a Parquet file, not …: --format pa",
        terminal,
        Lazy(lambda: write_files(Files({"scores.csv": parquet()}))),
        follow=add("--format parquet"),
    ),
    Case(
        "terminal/formats:check_text: found a file packed as …, not …: give it",
        terminal,
        Files({"scores.csv": packed(a="x")}),
        follow=write(
            Files({"scores.csv.zip": packed(a=LONG.to_csv(index=False))}),
            args="scores.csv.zip",
        ),
    ),
    # JSON -----------------------------------------------------------------------------
    *(
        Case(
            site,
            terminal,
            Files({"a.json": text}),
            args="a.json",
            follow=write(Files({"a.json": ROWS})),
        )
        for site, text in {
            "terminal/input_json:parse_json: the file cannot be read as JSON, …": "{",
            "terminal/input_json:parse_json: the file cannot be read as JSON, it is n": "["
            * 100_000,
            "terminal/input_json:_without_repeats: names in JSON must differ, found … twice": '{"a": {"b": 1, "b": 2}}',
            "terminal/input_json:make_table: JSON must hold a list of rows, a list fo": "3",
            "terminal/input_json:_from_rows: each row in JSON must name its columns,": "[3]",
            "terminal/input_json:_from_lists: each row in JSON must have … cells, foun": '{"columns": ["a"], "data": [[1, 2]]}',
            "terminal/input_json:_from_columns: columns in JSON must be of one length, f": '{"a": [1], "b": [1, 2]}',
            "terminal/input_json:_from_levels: JSON must hold a list of rows, or scores": '{"a": {"b": {"c": 1}}}',
        }.items()
    ),
    Case(
        "terminal/input_json:parse_json_lines: f'line {number}: {error}'",
        terminal,
        Files({"a.jsonl": '{"a": 1}\n{"a": \n'}),
        args="a.jsonl",
        none=NOTHING,
    ),
    *(
        Case(
            "terminal/input_shape:make_long: rows must be datasets or methods, and tw",
            terminal,
            Files({"a.json": json.dumps(levels(outer, inner))}),
            args="a.json",
            follow=add(f"--rows {outer}s --metric accuracy", says="--rows datasets"),
        )
        for outer, inner in [("dataset", "method"), ("method", "dataset")]
    ),
    # Tables ---------------------------------------------------------------------------
    Case(
        "terminal/input_shape:make_long: headings must differ, found … twice",
        terminal,
        Files({"a.json": '{"columns": ["a", "a"], "data": [[1, 2]]}'}),
        args="a.json",
        none=OPTION,
    ),
    Case(
        "terminal/input_tables:_read_sheet: the file cannot be read as xlsx, …",
        terminal,
        BOOK,
        args="a.xlsx",
        within=sheets(),
        none=NOTHING,
    ),
    Case(
        "terminal/input_tables:_read_sheet: --sheet must be one of …, got …",
        terminal,
        BOOK,
        args="a.xlsx --sheet third",
        within=sheets(first=LONG),
        none=OPTION,
    ),
    Case(
        "terminal/input_tables:_read_sheet: one sheet with a table is needed, found",
        terminal,
        BOOK,
        args="a.xlsx",
        within=sheets(first=LONG, second=BARE),
        follow=add("--sheet first", says="--sheet"),
    ),
    Case(
        "terminal/input_tables:_read_sheet: one sheet with a table is needed, found",
        terminal,
        BOOK,
        args="a.xlsx",
        within=sheets(first=LONG.head(0)),
        none=NOTHING,
    ),
    Case(
        "terminal/input_shape:_from_wide: --drop must name columns, …, got …",
        terminal,
        csv(WIDE.reset_index()),
        args="scores.csv --wide --drop z",
        none=OPTION,
    ),
    Case(
        "terminal/input_shape:_from_printed: a table needs a row of headings and at l",
        terminal,
        Files({"a.md": "no table"}),
        args="a.md",
        none=NOTHING,
    ),
    Case(
        "terminal/input_tables:_decode: the file cannot be read as text in UTF-8",
        terminal,
        Files({"a.md": b"\xff\n"}),
        args="a.md",
        none=NOTHING,
    ),
    Case(
        "terminal/input_tables:_read_parquet: to read Parquet, pyarrow is needed: pip",
        terminal,
        Files({"a.parquet": b"PAR1"}),
        args="a.parquet",
        absent=["pyarrow", "fastparquet"],
        none="it names what to install, which no test does",
    ),
    Case(
        "terminal/input_tables:_read_parquet: the file cannot be read as Parquet, …",
        terminal,
        Files({"a.parquet": b"PAR1"}),
        args="a.parquet",
        none=NOTHING,
    ),
    Case(
        "terminal/input_tables:_read_sheet: to read xlsx, openpyxl is needed: pip in",
        terminal,
        Files({"a.xlsx": b"PK\x03\x04"}),
        args="a.xlsx",
        absent=["openpyxl"],
        none="it names what to install, which no test does",
    ),
    # Cells ----------------------------------------------------------------------------
    Case(
        ODD,
        terminal,
        csv(LONG.assign(score=["OOM", *LONG["score"].astype(str)[1:]])),
        follow=add("--na OOM", truth=LONG[1:]),
    ),
    Case(
        ODD,
        terminal,
        csv(
            LONG.assign(score=[f"{score:.2f}".replace(".", ",") for score in LONG["score"]])
        ),
        follow=add("--decimal ,"),
    ),
    Case(
        ODD,
        terminal,
        csv(THOUSANDS.assign(score=[f"{score:,.0f}" for score in THOUSANDS["score"]])),
        follow=add("--decimal . --format printed", truth=THOUSANDS),
    ),
    Case(
        ODD,
        terminal,
        csv(LONG.assign(score=[f"{score} (3)" for score in LONG["score"]])),
        follow=add("--format printed"),
    ),
    Case(
        ODD,
        terminal,
        csv(LONG.assign(score=["1_0", *LONG["score"].astype(str)[1:]])),
        follow=write(PLAIN),
    ),
    # What others say, as options ------------------------------------------------------
    Case(
        "gate/refusals:duplicate_scores: message",
        terminal,
        csv(runs().drop(columns="run")),
        follow=add("--aggregate mean", truth=runs().drop(columns="run")),
    ),
    Case(
        "gate/refusals:uneven_runs_error: …needs the same runs of all methods on a",
        terminal,
        csv(runs(2).rename(columns={"run": "seed"})[1:]),
        args="scores.csv --aggregate mean",
        follow=add(
            "--run seed --uneven-runs shared",
            truth=runs(2)[
                lambda df: (df["dataset"] != df["dataset"][0]) | (df["run"] == 1)
            ],
        ),
    ),
    Case(
        "shapes/wide_refusals:refuse_headings: _describing(found, beside, each, option)",
        terminal,
        csv(WIDE.reset_index().assign(n_rows=9)),
        args="scores.csv --wide --metric accuracy",
        follow=add("--drop n_rows", says="--drop"),
    ),
    Case(
        "shapes/wide_refusals:refuse_headings: _describing(found, beside, each, option)",
        terminal,
        csv(WIDE.reset_index().assign(n_rows=9)),
        args="scores.csv --wide --metric accuracy",
        follow=add("--methods A,B,C"),
    ),
]


@pytest.mark.parametrize("case", each_once(CASES), ids=str)
def test_what_it_says_does_no_harm(case):
    hold(case)


def test_every_message_has_a_case():
    complete(("terminal",), CASES)


_PYTHON = re.compile(
    r"\bdf\b|\bbeam_pandas\.|\bpd\.|\.astype|\.str\.|\b[a-z_]+=(?!higher|lower)[\w.'\[{]"
)


@pytest.mark.parametrize("cases", [GATE, SHAPES], ids=["gate", "shapes"])
def test_what_python_advises_is_said_in_options_that_exist(cases):
    known = set(_parser("")._option_string_actions)
    for case in cases:
        if "clusters" in case.site:  # which no option asks for
            continue
        said = advise(first(case).said(case.site))
        bare = re.sub(r"--[\w-]+ \S+", "", said)
        bare = re.sub(r"'(?:[^'\\]|\\.)*'|\"[^\"]*\"", "''", bare)
        assert not _PYTHON.search(bare), said
        assert said.strip()
        unknown = set(re.findall(r"(?<!\S)--[a-z][a-z-]*", said)) - known
        assert not unknown, said
