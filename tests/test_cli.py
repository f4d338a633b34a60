import io
import re
import subprocess
import sys

import pandas as pd
import pytest

import beam_pandas as bp
from beam_pandas.terminal.command import main
from beam_pandas.terminal.sentences import _short_groups
from tests.tables import CYCLE, DEMSAR_RANKED, FEW, HOLE, REFERENCE, SPLIT, TIES, long

#: No two methods share two datasets.
SPARSE = long({"A": [1, 2, None], "B": [None, 1, 2], "C": [2, None, 1]}, "elo")


@pytest.fixture
def save(tmp_path):
    def write(frame):
        path = tmp_path / "scores.csv"
        frame.to_csv(path, index=False)
        return str(path)

    return write


def test_the_report_of_a_file(save, capsys):
    assert main([save(DEMSAR_RANKED)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.splitlines() == [
        "AUC: 4 methods on 14 datasets",
        "Friedman chi-square 10.23, df 3, p 0.0167; Kendall's W 0.244",
        "Critical difference 1.254 at alpha 0.05; methods that share a letter do not",
        "differ significantly",
        "  method     mean rank  groups",
        "  C4.5+m+cf      1.964  a",
        "  C4.5+m         2.000  a",
        "  C4.5+cf        2.893  a",
        "  C4.5           3.143  a",
        "Friedman's test finds a difference (p 0.0167), but no two methods are further",
        "apart than the critical difference. That can be: it asks of all methods at once,",
        "and says of no pair that it differs",
        "Pair by pair on shared datasets, rope 0: mean share won, ties half, over the",
        "opponents met",
        "  method     standing  opponents",
        "  C4.5+m+cf     0.679          3",
        "  C4.5+m        0.667          3",
        "  C4.5+cf       0.369          3",
        "  C4.5          0.286          3",
        "One order agrees with all majorities",
        "Of 6 pairs with a shared dataset are decided",
        "      0 by the sign test (Holm, alpha 0.05)",
        "      3 as better, 0 as equivalent by the posterior (at 0.95)",
    ]


def test_a_report_of_each_metric_in_80_columns(save, capsys):
    long_names = {name: name * 70 for name in "ABC"}
    frame = pd.concat([REFERENCE, TIES]).replace({"method": long_names})
    assert main([save(frame)]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert out.startswith("accuracy: 3 methods on 4 datasets\nFriedman")
    assert "\n\nelo: 3 methods on 6 datasets\nFriedman" in out
    assert f"  {'A' * 21}...{'A' * 20}  " in out
    assert main([save(frame), "--metric", "elo"]) == 0
    assert "accuracy" not in capsys.readouterr().out


def test_many_groups_are_shortened():
    assert [_short_groups(",".join(letters)) for letters in ("abcdefghijkl", "klm")] == [
        "a to l",
        "k,l,m",
    ]


def test_options_reach_the_functions(save, capsys):
    path = save(pd.concat([REFERENCE, REFERENCE]).drop(columns="metric"))
    assert main([path, "--higher-is-better", "--aggregate", "mean", "--alpha", "0.06"]) == 0
    out = capsys.readouterr().out
    assert "scores: 3 methods on 6 datasets" in out
    assert "alpha 0.06" in out
    assert "  A           3.000  b" in out
    assert main([path, "--lower-is-better", "--aggregate", "median"]) == 0
    assert "  A           1.000  a" in capsys.readouterr().out


def test_an_incomplete_table_gets_a_test_for_it_and_a_choice_that_is_named(save, capsys):
    path = save(HOLE)
    assert main([path]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:6] == [
        "accuracy: 3 methods on 6 datasets",
        "Missing scores:",
        "  C lacks 1 of 6 datasets",
        "Skillings-Mack 10.84, df 2, p 0.00442, corrected for ties",
        "  3 methods on 6 datasets with two scores or more",
        "Mean ranks of 3 methods on 5 datasets without gaps (drop_datasets)",
    ]
    assert main([path, "--missing", "drop_methods"]) == 0
    assert "Mean ranks of 2 methods on 6 datasets" in capsys.readouterr().out
    assert main([path, "--missing", "raise"]) == 2
    assert "'C' lacks 1 of 6 datasets ('d03')" in capsys.readouterr().err


def test_a_table_that_no_choice_completes(save, capsys):
    assert main([save(SPLIT)]) == 0
    out = capsys.readouterr().out
    assert "Skillings-Mack 6, df 2, p 0.0498, corrected for ties" in out
    assert "  in 2 groups of methods that never meet\n" in out
    assert "Mean ranks of 2 methods on 3 datasets without gaps (largest_block)" in out
    assert main([save(SPARSE)]) == 0
    reason = "No critical difference: critical_difference needs at least 2 methods and"
    assert reason in capsys.readouterr().out


def test_many_incomplete_methods_are_counted(save, capsys):
    frame = pd.DataFrame(
        [
            (f"m{at}", f"d{row}", at)
            for at in range(12)
            for row in range(9)
            if row or at < 2
        ],
        columns=["method", "dataset", "score"],
    )
    assert main([save(frame), "--higher-is-better", "--missing", "drop_datasets"]) == 0
    assert "  2 more methods lack some" in capsys.readouterr().out


def test_pairs_with_a_rope(save, capsys):
    path = save(pd.concat([REFERENCE, CYCLE.assign(metric="f1")]))
    assert main([path, "--rope", "elo=1", "--rope", "f1=0"]) == 0
    out = capsys.readouterr().out
    assert "rope 1: mean share" in out
    assert "rope 0: mean share" in out
    assert "No one order agrees with all majorities:\n  1 circular triad\n" in out
    assert "\n  A beats B beats C beats A\n" in out
    assert main([path, "--rope", "0.5"]) == 0
    assert capsys.readouterr().out.count("rope 0.5: mean share") == 2
    ari = save(REFERENCE.assign(metric="ari"))
    assert main([ari, "--rope", "noise_floor"]) == 0
    assert "rope 0.01: mean share" in capsys.readouterr().out
    for words, message in (
        (["much"], "got 'much'"),
        (["elo=1"], "once for each metric, 'ari', or once for all, got 'elo=1'"),
        (["ari=1", "typo=2"], "got 'ari=1', 'typo=2'"),
        (["ari=1", "ari=2"], "got 'ari=1', 'ari=2'"),
        (["1", "2"], "got '1', '2'"),
    ):
        assert main([ari, *(part for word in words for part in ("--rope", word))]) == 2
        assert message in capsys.readouterr().err
    assert main(["--rope", "1", save(REFERENCE)]) == 0
    assert "elo: 3 methods" in capsys.readouterr().out


def test_methods_that_never_met(capsys):
    assert main(["--metric", "log_loss"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"\n  SVC +- +0\n", out)
    assert "29 pairs without a shared dataset" in out
    assert "Of 91 pairs with a shared dataset" in out


def test_labels_are_read_as_they_are_written(tmp_path, capsys):
    path = tmp_path / "scores.csv"
    rows = [f"{m},{d},f1,{i}" for i, m in enumerate(["1.1", "1.10", "NA"]) for d in "xyz"]
    path.write_text("method,dataset,metric,score\n" + "\n".join(rows), encoding="utf-8-sig")
    assert main([str(path)]) == 0
    out = capsys.readouterr().out
    assert "f1: 3 methods on 3 datasets" in out
    assert out.index("  NA  ") < out.index("  1.10  ") < out.index("  1.1  ")


def test_an_error_names_the_option_of_the_command(save, capsys):
    for frame, option in (
        (REFERENCE.drop(columns="metric"), "add --higher-is-better or --lower-is-better"),
        (pd.concat([REFERENCE, REFERENCE]), "--aggregate mean or --aggregate median"),
        (HOLE, "--missing drop_datasets keeps 3 methods on 5 datasets"),
    ):
        assert main([save(frame), "--missing", "raise"]) == 2
        assert option in capsys.readouterr().err


def test_a_file_taken_for_a_metric(save, capsys):
    assert main(["--metric", "accuracy", save(REFERENCE)]) == 2
    assert "before --metric" in capsys.readouterr().err


def test_a_warning_is_a_note_on_the_standard_error(save, capsys):
    assert main([save(FEW), "--higher-is-better"]) == 0
    out, err = capsys.readouterr()
    assert "critical difference 8.494" in err
    assert err.startswith("note: ")
    assert "Critical difference 8.494" in out


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        (
            "model,dataset,score\nA,x,1\n",
            [],
            "scores.csv: columns 'method', 'dataset', 'score' are needed, 'method' not",
        ),
        (
            "method,dataset,score\nA,x,1\n",
            [],
            "add --higher-is-better or --lower-is-better",
        ),
        (
            "method,dataset,score\nA,x,one\n",
            [],
            "column 'score' must hold numbers, found 'one' in row 1",
        ),
        ("method,dataset,score,score\nA,x,1,2\n", [], "'score' more than once"),
        ("", [], "the file is empty"),
        (
            "method;dataset;score\nA;x;1\n",
            ["--sep", ","],
            "looks as if they were by ';'",
        ),
        (
            "method,dataset,score\nA,x,0,91\n",
            [],
            "more cells than the header has columns (3)",
        ),
        ("method,dataset,score\n", [], "a header and no rows"),
        ("method,dataset,score\nA,x,1\n", ["--metric", "f1"], "needs a column 'metric'"),
        ("method,dataset,metric,score\nA,x,f1,1\n", ["--metric", "f2"], "got 'f2'"),
        ("method,dataset,metric,score\nA,x,f1,1\n", ["--alpha", "2"], "alpha must be"),
        ("method,dataset,metric,score\nA,x,f1,1\n", ["--missing", "x"], "missing must be"),
        (
            "method,dataset,metric,score\nA,x,f1,1\n",
            ["--aggregate", "x"],
            "aggregate must be",
        ),
    ],
)
def test_a_bad_file_ends_with_the_message_and_code_2(
    tmp_path, capsys, content, arguments, message
):
    path = tmp_path / "scores.csv"
    path.write_text(content)
    assert main([str(path), *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("beam_pandas: ")
    assert message in err


@pytest.mark.parametrize("name", ["scores.csv.gz", "scores.csv.xz", "scores.zip"])
def test_a_broken_archive(tmp_path, capsys, name):
    (tmp_path / name).write_bytes(b"no archive")
    assert main([str(tmp_path / name)]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_file_that_is_not_there(capsys):
    assert main(["no such file.csv"]) == 2
    assert "no such file.csv" in capsys.readouterr().err


def test_the_command_itself_runs_on_the_bundled_table():
    command = [sys.executable, "-W", "error", "-m", "beam_pandas", "--metric", "accuracy"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("accuracy: ")


def test_a_metric_that_is_not_there(capsys):
    assert main(["--metric", "nope"]) == 2
    assert "got 'nope'" in capsys.readouterr().err


@pytest.mark.slow
def test_the_bundled_table_prints_every_metric(capsys):
    assert main([]) == 0
    out = capsys.readouterr().out
    for metric in bp.load_benchmark()["metric"].unique():
        assert f"{metric}: " in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    "name",
    [
        "diagram.svg",
        pytest.param("diagram.png", marks=pytest.mark.slow),
        pytest.param("diagram.pdf", marks=pytest.mark.slow),
    ],
)
def test_the_diagram_is_saved(save, tmp_path, capsys, name):
    frame = pd.concat([REFERENCE, REFERENCE.assign(metric="f1")])
    target = tmp_path / name
    assert main([save(frame), "--plot", str(target)]) == 0
    assert f"Diagram saved as {str(target)!r}" in capsys.readouterr().out
    kinds = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}
    assert target.read_bytes().startswith(kinds[target.suffix])


def test_a_diagram_that_cannot_be_saved(save, tmp_path, capsys):
    assert main([save(SPARSE), "--plot", str(tmp_path / "a.png")]) == 2
    assert "--plot needs a critical difference" in capsys.readouterr().err
    for name, message in (
        ("a.odd", "must end in .png, .svg or .pdf, got"),
        ("a", "must end in .png, .svg or .pdf, got"),
        ("no/a.png", "there is no folder"),
    ):
        assert main([save(REFERENCE), "--plot", str(tmp_path / name)]) == 2
        out, err = capsys.readouterr()
        assert (out, message in err) == ("", True)


def test_a_file_without_scores_and_a_reader_that_has_read_enough(save, capsys, monkeypatch):
    assert main([save(TIES.drop(columns="score"))]) == 2
    assert (
        "'score' not found among 'method', 'dataset', 'metric'" in capsys.readouterr().err
    )

    class Closed(io.StringIO):
        def write(self, text):
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Closed())
    assert main([save(TIES)]) == 0
    sys.stdout.close()  # what takes the rest


def test_a_direction_is_for_metrics_that_are_not_known_unless_there_is_one(save, capsys):
    frame = pd.concat([REFERENCE, REFERENCE.assign(metric="zeal")])
    assert main([save(frame), "--lower-is-better"]) == 0
    first, second = capsys.readouterr().out.split("\n\n")
    for report, best in ((first, "C"), (second, "A")):
        rows = report.splitlines()
        assert rows[rows.index("  method  mean rank  groups") + 1].split()[0] == best
    assert main([save(REFERENCE), "--lower-is-better"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[lines.index("  method  mean rank  groups") + 1].split()[0] == "A"


def test_a_metric_that_allows_no_report_leaves_the_others(save, capsys):
    frame = pd.concat([TIES, REFERENCE.assign(score=float("nan"))])
    assert main([save(frame)]) == 2
    shown = capsys.readouterr()
    assert "accuracy: 3 methods on 4 datasets\nFriedman chi-square 5.636" in shown.out
    assert "\n\nelo: no report\n" in shown.out
    assert "scores.csv: at least one score is needed, all 18 are missing" in shown.err
    unknown = pd.concat([TIES, TIES.assign(metric="zeal")])
    assert main([save(unknown)]) == 2
    shown = capsys.readouterr()
    assert "zeal: no report" in shown.out
    assert shown.err.endswith("add --direction zeal=... with higher or lower for each\n")


@pytest.mark.parametrize("scores", [[3, 2, 1], [3, None, 1]])
def test_one_dataset_gets_a_report_without_mean_ranks(save, capsys, scores):
    frame = pd.DataFrame(
        {"method": list("ABC"), "dataset": "d", "metric": "elo", "score": scores}
    )
    assert main([save(frame)]) == 0
    out = capsys.readouterr().out
    assert "Skillings-Mack" in out
    assert "No critical difference: critical_difference needs at least 2 methods" in out
    assert ("B lacks 1 of 1 dataset\n" in out) == (scores[1] is None)
