"""What the terminal writes for programs and papers: JSON, Markdown, CSV."""

import json

import numpy as np
import pandas as pd
import pytest

import beam_pandas as bp
from beam_pandas.terminal.command import main
from tests.tables import CYCLE, HOLE, REFERENCE, SPLIT, TIES, long

#: Methods whose labels are numbers, as text: 1.10 is not 1.1, and 10 comes before 9.
NUMBERED = long(
    {
        "10": [4, 6, 3, 5, 4, 5],
        "9": [7, 8, 6, 7, 9, 6],
        "1.10": [6, 9, 7, 8, 8, 9],
        "1.1": [6, 9, 7, 8, 8, 9],
        "007": [7, 8, 6, 7, 9, 6],
    },
    "elo",
)


@pytest.fixture
def save(tmp_path):
    def write(frame):
        path = tmp_path / "scores.csv"
        frame.to_csv(path, index=False)
        return str(path)

    return write


def read_back(folder, name):
    """Read a result as the page on the terminal says."""
    columns = pd.read_csv(folder / f"{name}.csv", nrows=0).columns
    labels = [
        column for column in columns if column.startswith(("method", "metric", "dataset"))
    ]
    text = dict.fromkeys([*labels, "groups", "decision"], str)
    return pd.read_csv(
        folder / f"{name}.csv", dtype=text, keep_default_na=False, na_values=[""]
    )


def test_json_holds_every_result_unrounded(save, capsys):
    frame = pd.concat([HOLE, CYCLE, REFERENCE.assign(metric="f1", score=float("nan"))])
    assert main([save(frame), "--json", "--alpha", "0.1"]) == 2
    out, err = capsys.readouterr()
    content = json.loads(out)
    assert content["beam_pandas"] == bp.__version__
    assert [part["metric"] for part in content["metrics"]] == ["accuracy", "elo"]
    assert [part["metric"] for part in content["failed"]] == ["f1"]
    assert "at least one score is needed" in content["failed"][0]["reason"]
    assert content["notes"] == []
    first, second = content["metrics"]
    assert (first["alpha"], first["missing"], first["gate"]) == (0.1, "drop_datasets", None)
    assert second["cycle"] == ["A", "B", "C"]
    table = bp.critical_difference(HOLE, missing="drop_datasets", alpha=0.1)
    rows = first["results"]["critical_difference"]
    assert [row["mean_rank"] for row in rows] == table["mean_rank"].tolist()
    assert list(rows[0]) == list(table.columns)
    pairs = bp.pairwise(HOLE)
    assert [row["p_value"] for row in first["results"]["pairwise"]] == pairs[
        "p_value"
    ].tolist()


@pytest.mark.slow
def test_json_says_null_for_what_is_missing(save, capsys):
    assert main([save(SPLIT), "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    pairs = content["metrics"][0]["results"]["pairwise"]
    assert None in [row["p_value"] for row in pairs]
    assert content["metrics"][0]["results"]["transitivity"][0]["condorcet_method"] is None


def test_markdown_has_tables_and_labels_that_are_no_marks(save, capsys):
    frame = pd.concat([REFERENCE, TIES]).replace({"method": {"A": "a|b*c_d"}})
    assert main([save(frame), "--markdown"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(
        "## accuracy: 3 methods on 4 datasets\n\nFriedman chi-square 5.636"
    )
    assert "\n| method | mean rank | groups |\n| --- | ---: | ---: |\n| " in out
    assert "\n| a\\|b\\*c\\_d | 3.000 | b |\n" in out
    assert "\n## elo: 3 methods on 6 datasets\n" in out


@pytest.mark.parametrize(
    "frame",
    [REFERENCE, HOLE, NUMBERED, pd.concat([REFERENCE, TIES])],
    ids=["one", "hole", "numbers", "two"],
)
def test_what_was_saved_reads_back(save, tmp_path, capsys, frame):
    folder = tmp_path / "out" / "deeper"
    assert main([save(frame), "--output", str(folder)]) == 0
    assert f"Results saved in {str(folder)!r}" in " ".join(capsys.readouterr().out.split())
    names = {path.stem for path in folder.iterdir()}
    assert {
        "coverage",
        "critical_difference",
        "pairwise",
        "standing",
        "bayesian_sign",
    } <= names
    for name in ("pairwise", "standing", "transitivity", "coverage", "missing_scores"):
        expected = getattr(bp, name)(frame)
        columns = [
            column
            for column in expected
            if column not in ("condorcet_method", "coefficient_of_consistence")
        ]
        found = read_back(folder, name)
        pd.testing.assert_frame_equal(
            found[columns], expected[columns], check_dtype=False, rtol=1e-15, atol=0.0
        )


def test_a_gap_in_one_metric_alone_is_saved_without_a_warning(save, tmp_path, recwarn):
    frame = pd.concat([REFERENCE, HOLE.assign(metric="rmse")])
    assert main([save(frame), "--output", str(tmp_path / "out")]) == 0
    assert [str(each.message) for each in recwarn] == []
    gaps = read_back(tmp_path / "out", "missing_scores")
    assert gaps["metric"].tolist() == ["rmse"] * len(gaps)
    assert len(gaps) > 0


def drawn(picture, *args):
    from matplotlib.figure import Figure

    axes = picture(*args, ax=Figure((7, 3)).add_axes((0, 0, 1, 1)))
    axes.figure.canvas.draw()
    texts = [(text.get_text(), _rounded(text.get_position())) for text in axes.texts]
    return texts, [_rounded(line.get_xydata()) for line in axes.lines]


def _rounded(values):
    return np.round(values, 9).tolist()  # a file may change the last digit


@pytest.mark.parametrize("frame", [REFERENCE, NUMBERED], ids=["names", "numbers"])
def test_what_was_saved_draws_the_same(save, tmp_path, frame):
    pytest.importorskip("matplotlib")
    assert main([save(frame), "--output", str(tmp_path)]) == 0
    for name in ("critical_difference", "bayesian_sign"):
        extra = [0.0] if name == "bayesian_sign" else []
        result = getattr(bp, name)(frame, *extra)
        picture = getattr(bp.plot, name)
        assert drawn(picture, read_back(tmp_path, name)) == drawn(picture, result)


@pytest.mark.slow
def test_numbers_as_labels_draw_the_same_as_text(save, tmp_path):
    pytest.importorskip("matplotlib")
    frame = NUMBERED.replace({"method": {"1.10": "2", "1.1": "3", "007": "7"}})
    assert main([save(frame), "--output", str(tmp_path)]) == 0
    plain = pd.read_csv(tmp_path / "critical_difference.csv")
    assert plain["method"].dtype == "int64"
    expected = bp.critical_difference(frame)
    assert drawn(bp.plot.critical_difference, plain) == drawn(
        bp.plot.critical_difference, expected
    )


def test_a_folder_that_is_a_file(save, capsys):
    path = save(REFERENCE)
    assert main([path, "--output", path]) == 2
    assert f"--output must be a folder, {path!r} is a file" in capsys.readouterr().err


def test_the_version_and_help(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"beam_pandas {bp.__version__}\n"
    assert main(["--help"]) == 0
    assert "--fail-on {worse,undecided}" in capsys.readouterr().out
