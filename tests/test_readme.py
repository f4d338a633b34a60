"""Every code block of the README runs, and prints what stands below it."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pandas as pd
import pytest

import beam_pandas as bp
from beam_pandas.terminal.command import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)


def run_python(code, names):
    exec(compile(code, "README.md", "exec"), names)


def run_bash(line):
    """Run the package's own command; set-up is run by the check of a clean clone."""
    if "pip install" in line:
        assert f"\n{line}\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
        return
    words = shlex.split(line)
    assert words[:3] == ["python", "-m", "beam_pandas"]
    assert main(words[3:]) == 0


def test_every_block_runs_and_prints_what_is_shown(monkeypatch):
    monkeypatch.chdir(ROOT)
    names, printed, checked = {}, None, 0
    for kind, text in BLOCKS:
        if kind == "text":
            assert printed.rstrip("\n").splitlines() == text.rstrip("\n").splitlines()
            checked += 1
            continue
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            if kind == "python":
                run_python(text, names)
            else:
                assert kind == "bash"
                for line in text.splitlines():
                    run_bash(line)
        printed = output.getvalue()
    assert checked >= 5


def test_the_two_set_up_commands_come_first():
    bash = [text.strip() for kind, text in BLOCKS if kind == "bash"][:2]
    assert bash[0].endswith("python -m beam_pandas")
    assert bash[1].endswith("python -m pytest")


def test_every_public_function_is_listed():
    table = (ROOT / "docs" / "functions.md").read_text(encoding="utf-8")
    functions = {name for name in bp.__all__ if name[0].islower()}
    functions |= {"plot", "table"}
    assert {name for name in functions if f"`{name}`" not in table} == set()


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"])
def test_links_to_files_lead_somewhere(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        if "://" not in target:
            assert (ROOT / target).exists(), target


def test_the_bundled_table_is_as_it_is_described():
    scores, folds = bp.load_benchmark(), bp.load_benchmark(folds=True)
    assert list(folds.columns) == ["method", "dataset", "run", "metric", "score"]
    assert folds.shape == (24_295, 5)
    assert (folds["method"].nunique(), folds["dataset"].nunique()) == (16, 32)
    assert sorted(folds["run"].unique()) == list(range(10))
    assert not folds.duplicated(["method", "dataset", "run", "metric"]).any()
    counts = folds.groupby(["method", "dataset", "metric"])["score"].count()
    assert len(scores) == len(counts)
    mean = folds.groupby(["metric", "method", "dataset"])["score"].mean()
    by_label = scores.set_index(["metric", "method", "dataset"])["score"]
    pd.testing.assert_series_equal(by_label.sort_index(), mean)
    from_folds = folds.beam.ranks(aggregate="mean", uneven_runs="ignore")
    pd.testing.assert_frame_equal(from_folds, scores.beam.ranks())
    assert scores.groupby("metric").size()["accuracy"] == 499
    assert folds["score"].notna().all()
