"""Files of every kind through the terminal: what is read, and what is refused in words."""

import bz2
import gzip
import io
import json
import lzma
import sys
import zipfile

import pandas as pd
import pytest

from beam_pandas.terminal.command import main
from beam_pandas.terminal.formats import read_ending
from beam_pandas.terminal.input_bytes import read_source
from tests.tables import REFERENCE, TIES

ELO = "method,dataset,metric,score\nA,x,elo,1\nB,x,elo,2\nA,y,elo,1\nB,y,elo,3\n"


def after(cases, number):
    """Leave all but the first cases to who asks for what is slow."""
    return [
        *cases[:number],
        *(pytest.param(*c, marks=pytest.mark.slow) for c in cases[number:]),
    ]


@pytest.fixture
def run(capsys):
    def call(*arguments):
        status = main([str(argument) for argument in arguments])
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return call


@pytest.fixture
def report(run, tmp_path):
    """What the plain CSV file gives, for all other formats to give too."""
    path = tmp_path / "plain.csv"
    REFERENCE.to_csv(path, index=False)
    status, out, err = run(path)
    assert (status, err) == (0, "")
    return out


def csv_bytes(sep=",", decimal="."):
    frame = REFERENCE.assign(score=REFERENCE["score"] + 0.5)
    return frame.to_csv(index=False, sep=sep, decimal=decimal).encode()


def zipped(content):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("scores.csv", content)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "options"),
    after(
        [
            ("a.tsv", csv_bytes("\t"), []),
            ("a.csv", csv_bytes(";"), []),
            ("a.csv", csv_bytes("\t"), []),
            ("a.csv", csv_bytes(";", ","), ["--decimal", ","]),
            ("a.dat", csv_bytes("|"), ["--sep", "|"]),
            ("a", csv_bytes("\t"), ["--format", "tsv"]),
            ("a", csv_bytes("\t"), ["--sep", "tab"]),
            ("a.csv.gz", gzip.compress(csv_bytes(), mtime=0), []),
            ("a.csv.bz2", bz2.compress(csv_bytes()), []),
            ("a.csv.xz", lzma.compress(csv_bytes()), []),
            ("a.csv.zip", zipped(csv_bytes()), []),
            ("a.gz", gzip.compress(csv_bytes(), mtime=0), []),
            ("no_ending", gzip.compress(csv_bytes(), mtime=0), []),
            ("a.csv", b"\xef\xbb\xbf" + csv_bytes(), []),
            ("a.csv", csv_bytes().replace(b"\n", b"\r\n"), []),
            (
                "a.json",
                REFERENCE.to_json(orient="records").encode(),
                [],
            ),
            ("a.json", REFERENCE.to_json(orient="columns").encode(), []),
            ("a.json", REFERENCE.to_json(orient="index").encode(), []),
            ("a.json", REFERENCE.to_json(orient="split", index=False).encode(), []),
            ("a.json", REFERENCE.to_json(orient="table", index=False).encode(), []),
            ("a.json", json.dumps(REFERENCE.to_dict("list")).encode(), []),
            ("a.jsonl", REFERENCE.to_json(orient="records", lines=True).encode(), []),
            (
                "a.md",
                b"| method | dataset | metric | score |\n|---|---|---|---|\n"
                + b"\n".join(
                    f"| {m} | {d} | {x} | **{s}** |".encode()
                    for m, d, x, s in REFERENCE.to_numpy().tolist()
                ),
                [],
            ),
        ],
        4,
    ),
)
def test_every_format_gives_the_same_report(run, report, tmp_path, name, content, options):
    path = tmp_path / name
    path.write_bytes(content)
    assert run(path, *options) == (0, report, "")


def test_parquet_and_xlsx_and_zst(run, report, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    REFERENCE.to_parquet(tmp_path / "a.parquet")
    assert run(tmp_path / "a.parquet") == (0, report, "")
    REFERENCE.set_index(["method", "dataset"]).to_parquet(tmp_path / "b.pq")
    assert run(tmp_path / "b.pq") == (0, report, "")
    (tmp_path / "c").write_bytes((tmp_path / "a.parquet").read_bytes())
    assert run(tmp_path / "c") == (0, report, "")
    packed = pyarrow.compress(csv_bytes(), codec="zstd", asbytes=True)
    (tmp_path / "a.csv.zst").write_bytes(packed)
    assert run(tmp_path / "a.csv.zst") == (0, report, "")


@pytest.mark.slow
def test_an_excel_file_and_its_sheets(run, report, tmp_path):
    pytest.importorskip("openpyxl")
    path = tmp_path / "a.xlsx"
    REFERENCE.to_excel(path, index=False)
    assert run(path) == (0, report, "")
    (tmp_path / "b.xlsx").write_bytes(b"PK")
    assert "b.xlsx: the file cannot be read as xlsx, " in run(tmp_path / "b.xlsx")[2]
    with pd.ExcelWriter(path) as book:
        REFERENCE.to_excel(book, sheet_name="first", index=False)
        TIES.to_excel(book, sheet_name="second", index=False)
    status, _, err = run(path)
    assert status == 2
    assert "found 'first', 'second': name the one with --sheet" in err
    assert run(path, "--sheet", "first") == (0, report, "")
    assert "--sheet must be one of" in run(path, "--sheet", "third")[2]


def test_what_is_not_installed_is_named(run, tmp_path, monkeypatch):
    pytest.importorskip("openpyxl")
    REFERENCE.to_excel(tmp_path / "a.xlsx", index=False)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    status, _, err = run(tmp_path / "a.xlsx")
    assert status == 2
    assert "pip install 'beam_pandas[excel]'" in err


def test_the_standard_input_is_read_once(run, report, monkeypatch):
    class Pipe(io.BytesIO):
        @property
        def buffer(self):
            return self

    for content in (csv_bytes(), gzip.compress(csv_bytes(), mtime=0)):
        monkeypatch.setattr(sys, "stdin", Pipe(content))
        assert run("-") == (0, report, "")
    monkeypatch.setattr(sys, "stdin", Pipe(b""))
    assert run("-")[::2] == (2, "beam_pandas: standard input: the file is empty\n")
    assert "read once, got - twice" in run("-", "-")[2]


def test_columns_are_named_by_options(run, report, tmp_path):
    frame = REFERENCE.rename(
        columns={"method": "model", "dataset": "task", "metric": "what", "score": "value"}
    )
    path = tmp_path / "a.csv"
    frame.to_csv(path, index=False)
    status, out, err = run(path)
    advice = "--method model --dataset task --score value"
    assert (status, out) == (2, "")
    assert advice in err
    assert run(path, *advice.split(), "--metric-column", "what") == (0, report, "")
    assert run(path, *advice.split(), "--metric", "elo")[0] == 2


@pytest.mark.slow
def test_what_the_advice_adds_makes_it_run(run, report, tmp_path):
    frame = REFERENCE.rename(
        columns={"method": "model", "dataset": "task", "metric": "measure"}
    )
    path = tmp_path / "a.csv"
    frame.to_csv(path, index=False)
    advice = run(path)[2].rsplit("add ", 1)[1].strip().split()
    assert advice == [
        "--method",
        "model",
        "--dataset",
        "task",
        "--metric-column",
        "measure",
    ]
    assert run(path, *advice) == (0, report, "")


def test_several_columns_of_scores_are_metrics(run, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("method,dataset,f1,joules\nA,x,.1,3\nB,x,.2,4\nA,y,.3,3\nB,y,.4,5\n")
    assert "--score f1" in run(path)[2]
    status, out, err = run(path, "--score", "f1", "--score", "joules")
    assert status == 2
    assert err.splitlines()[-1].startswith(
        f"beam_pandas: {path}: is a higher score better?"
    )
    assert "joules: no report" in out
    status, out, _ = run(
        path, "--score", "f1", "--score", "joules", "--direction", "joules=lower"
    )
    assert status == 0
    f1, joules = out.split("\n\n")
    assert "  B           1.000" in f1
    assert "  A           1.000" in joules
    assert run(path, "--score", "f1")[1].startswith("f1: 2 methods on 2 datasets")


@pytest.mark.parametrize(
    ("text", "options"),
    after(
        [
            ("data,A,B\nx,1,2\ny,1,3\n", ["--wide"]),
            ("data,A,size,B\nx,1,99,2\ny,1,98,3\n", ["--wide", "--methods", "A,B"]),
            ("data,A,size,B\nx,1,99,2\ny,1,98,3\n", ["--wide", "--drop", "size"]),
            ("data;A;B\nx;1,0;2\ny;1;3\n", ["--wide", "--decimal", ","]),
            ("data,A,B\nx,1,2\ny,1,3\n", ["--rows", "datasets"]),
            ("name,x,y\nA,1,1\nB,2,3\n", ["--rows", "methods"]),
            ("name,x,y\nA,1,1\nB,2,3\n", ["--wide", "--method", "name"]),
            ("name,x,y,z\nA,1,1,5\nB,2,3,5\n", ["--rows", "methods", "--datasets", "x,y"]),
            ("dataset,A,B\nx,1 ± 1,**2**\ny,1,3\n", ["--format", "printed"]),
            (
                "n;A;B\nx;1,0;2\ny;1;3\n",
                ["--format", "md", "--rows", "datasets", "--decimal", ","],
            ),
        ],
        2,
    ),
)
def test_wide_tables(run, tmp_path, text, options):
    plain, wide = tmp_path / "a.csv", tmp_path / "wide.csv"
    plain.write_text(ELO)
    wide.write_text(text)
    assert run(wide, *options, "--metric", "elo") == (0, run(plain)[1], run(plain)[2])


@pytest.mark.slow
def test_joined_names_and_levels_of_json(run, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("name,kind,x,y\nA,1,1,1\nA,2,2,3\n")
    options = ["--wide", "--method", "name", "--method", "kind", "--higher-is-better"]
    assert "  A / 2       1.000  a\n" in run(path, *options)[1]
    nested = tmp_path / "a.json"
    nested.write_text('{"x": {"A": 1, "B": 2}, "y": {"A": 1, "B": null}, "z": {"A": 1}}')
    status, _, err = run(nested)
    assert status == 2
    assert "--rows datasets if the outer ones are datasets" in err
    out = run(nested, "--rows", "datasets", "--higher-is-better")[1]
    assert "B lacks 1 of 2 datasets" not in out
    assert out.startswith(
        "scores: 2 methods on 3 datasets\nMissing scores:\n  B lacks 2 of"
    )


@pytest.mark.slow
def test_several_files(run, report, tmp_path):
    paths = []
    for method, part in REFERENCE.groupby("method"):
        paths.append(tmp_path / f"{method}.csv")
        part.to_csv(paths[-1], index=False)
    assert run(*paths) == (0, report, "")
    for path in paths:
        pd.read_csv(path).drop(columns="method").to_csv(path, index=False)
    assert run(*paths, "--file-is", "method") == (0, report, "")
    assert "or --file-is method if each file is one" in run(*paths)[2]
    pd.read_csv(paths[0]).drop(columns="metric").to_csv(paths[0], index=False)
    assert run(*paths, "--method", "dataset", "--dataset", "dataset")[0] == 2


def test_results_of_the_lm_evaluation_harness(run, tmp_path):
    paths = []
    for at, model in enumerate("AB"):
        path = tmp_path / f"{model}.json"
        tasks = {task: {"acc": 0.5 + at / 10, "acc_stderr": 0.1} for task in "xyz"}
        config = {"model_args": f"pretrained={model}"}
        path.write_text(json.dumps({"results": tasks, "config": config}))
        paths.append(path)
    status, out, _ = run(*paths)
    assert status == 0
    assert out.startswith("acc: 2 methods on 3 datasets\n")


@pytest.mark.slow
def test_only_some_methods_and_datasets(run, tmp_path):
    path = tmp_path / "a.csv"
    REFERENCE.replace({"method": {"A": "A, old"}}).to_csv(path, index=False)
    out = run(path, "--methods", '"A, old",B', "--datasets", "d01,d02,d03")[1]
    assert out.startswith("elo: 2 methods on 3 datasets")
    status, _, err = run(path, "--methods", "B,D")
    assert status == 2
    assert "--methods must name methods of the table, 'A, old', 'B', 'C', got 'D'" in err


def test_runs_and_words_for_no_score(run, tmp_path):
    path = tmp_path / "a.csv"
    rows = [
        f"{m},{d},{r},{v}" for m, v in (("A", 1), ("B", 2)) for d in "xyz" for r in (0, 1)
    ]
    path.write_text(
        "method,dataset,seed,score\n" + "\n".join(rows).replace(",2", ",OOM", 1)
    )
    options = ["--higher-is-better", "--aggregate", "mean", "--run", "seed"]
    assert "if it stands for no score, --na OOM" in run(path, *options)[2]
    err = run(path, *options, "--na", "OOM")[2]
    assert "--uneven-runs shared keeps the runs that all methods" in err
    assert run(path, *options, "--na", "OOM", "--uneven-runs", "shared")[0] == 0


@pytest.mark.slow
def test_a_column_as_rope(run, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(ELO.replace("score", "score,err").replace("\nA", ",1\nA", 9))
    rows = [line + ("" if "err" in line else ",1") for line in ELO.splitlines()]
    path.write_text("\n".join(rows).replace("score", "score,err"))
    status, out, _ = run(path, "--rope", "err")
    assert status == 0
    assert "rope by dataset" in out
    assert "rope must be a number, 'noise_floor'" in run(path, "--rope", "nope")[2]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", b"method,dataset,score\nA,x,1_000\nB,x,2\n", "found '1_000' in row 1"),
        (
            "a.csv",
            "method,dataset,score\nA,x,2\nB,x,١٢\n".encode(),
            "in row 2 below the headings: write numbers in the digits 0 to 9",
        ),
        ("a.csv", b'method,dataset,score\nA,x,"1,2"\nB,x,2\n', "--decimal , if a comma"),
        ("a.csv", b"method,dataset,score\nA,x,1 (2)\n", "--format printed reads numbers"),
        (
            "a.csv",
            b"method,dataset,metric,score\nA,x,,1\n",
            "every row needs a metric, 1 row",
        ),
        (
            "a.csv",
            b"method,dataset,score\n,x,1\nB,x,2\n",
            "every row needs a method, 1 row",
        ),
        ("a.csv", b"a" * 5_000_000, "a first line of more than 4 million letters"),
        ("a.csv.gz", b"no", "cannot be unpacked as gz, Not a gzipped file"),
        ("a.csv.bz2", b"no", "cannot be unpacked as bz2"),
        ("a.csv.xz", b"no", "cannot be unpacked as xz"),
        ("a.csv.zst", b"no", "cannot be unpacked as zst"),
        ("a.csv.zip", b"no", "cannot be unpacked as zip"),
        ("a.csv.gz", gzip.compress(ELO.encode(), mtime=0)[:-9], "cannot be unpacked as gz"),
        ("a.json", b"{", "cannot be read as JSON"),
        ("a.json", b"[" * 100_000, "cannot be read as JSON"),
        ("a.json", b"3", "JSON must hold a list of rows"),
        ("a.json", b"[3]", "each row in JSON must name its columns, found 3"),
        (
            "a.json",
            b'{"a": {"b": 1, "b": 2}}',
            "names in JSON must differ, found 'b' twice",
        ),
        ("a.json", b'{"a": {"b": {"c": 1}}}', "more levels"),
        ("a.json", b'{"a": [1], "b": [1, 2]}', "of one length, found 1 to 2"),
        ("a.json", b'{"columns": ["a"], "data": [[1, 2]]}', "must have 1 cells, found 2"),
        ("a.jsonl", b'{"a": 1}\n{"a": \n', "line 2: the file cannot be read as JSON"),
        ("a.parquet", b"PAR1", "cannot be read as Parquet"),
        ("a.md", b"no table", "a table needs a row of headings"),
        ("a.md", b"\xff\n", "cannot be read as text in UTF-8"),
        ("a.csv", b"PAR1 and more", "found a Parquet file, not csv: --format parquet"),
        ("a.csv", b"a,b\n\xff,2\n", "cannot be read as CSV in UTF-8"),
    ],
)
def test_what_cannot_be_read_is_said_with_the_file(run, tmp_path, name, content, said):
    path = tmp_path / name
    path.write_bytes(content)
    status, out, err = run(path)
    assert (status, out) == (2, "")
    assert err.startswith(f"beam_pandas: {path}: ")
    assert said in err
    assert err.count("\n") == 1
    assert len(err) < 1000


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["http://x.org/a.csv"], "found a URL: download it first"),
        (["s3://x/a.csv"], "found a URL"),
        (["."], "a file is needed, found a folder"),
        (["a", "--sep", "ab"], "No such file"),
        (["--nope"], "unrecognized arguments: --nope"),
        (["--alpha", "x"], "invalid float value: 'x'"),
        (["--json", "--markdown"], "--json or --markdown, not both"),
        (["--threshold", ".5"], "--threshold must be a number above 0.5"),
        (["--direction", "accuracy=up"], "--direction must be METRIC=higher or =lower"),
        (["--direction", "nope=lower"], "--direction must name metrics of the table"),
        (["--wide", "--method", "a", "--dataset", "b", "x"], "--wide takes --dataset if"),
    ],
)
def test_what_cannot_be_asked(run, arguments, said):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("beam_pandas: ")
    assert said in err


def test_a_bomb_is_not_unpacked(tmp_path, monkeypatch):
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(b"a" * 3_000_000, mtime=0))
    monkeypatch.setattr("beam_pandas.terminal.input_bytes._SMALL", 1 << 20)
    with pytest.raises(ValueError, match="and unpacks to more than 1 MB: unpack it"):
        read_source(str(path), None)
    path.write_bytes(gzip.compress(b"a" * (1 << 20)))  # exactly as much as is taken
    assert len(read_source(str(path), None).content) == 1 << 20


def test_endings():
    assert read_ending("folder.csv/a.b.tsv.GZ") == ("tsv", "gz", "a.b")
    assert read_ending("a") == (None, None, "a")
    assert read_ending("v1.2") == (None, None, "v1.2")


@pytest.mark.slow
def test_labels_as_text_whatever_is_mixed(run, tmp_path):
    path = tmp_path / "a.json"
    rows = [
        {"method": m, "dataset": d, "score": s}
        for s, m in enumerate([1, "B", 2.5])
        for d in ["x", 3]
    ]
    path.write_text(json.dumps(rows))
    status, out, _ = run(path, "--higher-is-better")
    assert status == 0
    assert out.index("  2.5  ") < out.index("  B  ") < out.index("  1  ")
