"""Every code block of the pages in ``docs/`` runs, and prints what stands below it."""

import contextlib
import io
import re
import warnings
from pathlib import Path

import pytest

from beam_pandas.terminal.command import main

FOLDER = Path(__file__).parent.parent / "docs"
#: A block that is shown, or one in a comment, which prepares what the others need.
BLOCK = re.compile(
    r"^(?:```(?P<kind>\w+)\n(?P<shown>.*?)^```|<!--python\n(?P<hidden>.*?)^-->)$",
    re.DOTALL | re.MULTILINE,
)
PAGES = {
    path.name: blocks
    for path in sorted(FOLDER.glob("*.md"))
    if (blocks := list(BLOCK.finditer(path.read_text(encoding="utf-8"))))
    and any(block["kind"] == "python" for block in blocks)
}


def test_blocks_of_pages_are_found():
    assert {"runs.md", "quickstart.md", "wilcoxon.md"} <= set(PAGES)
    kinds = [block["kind"] for block in PAGES["runs.md"]]
    assert kinds.count("python") == kinds.count("text") >= 6


@pytest.mark.parametrize("page", PAGES)
def test_every_block_runs_and_prints_what_is_shown(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    names, printed = {}, None
    for block in PAGES[page]:
        if block["kind"] == "text" and printed is not None:
            assert printed.rstrip().splitlines() == block["shown"].rstrip().splitlines()
        if block["kind"] not in {"python", None}:
            printed = None  # what stands below is that of another program
            continue
        output = io.StringIO()
        with contextlib.redirect_stdout(output), warnings.catch_warnings():
            code = block["shown"] or block["hidden"]
            exec(compile(code, page, "exec"), names)
        printed = output.getvalue()


def test_the_report_of_the_terminal_is_as_shown(capsys):
    page = (FOLDER / "terminal.md").read_text(encoding="utf-8")
    command, shown = re.findall(
        r"^```(?:bash|text)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE
    )
    words = command.split()
    assert words[:3] == ["python", "-m", "beam_pandas"]
    assert main(words[3:]) == 0
    assert capsys.readouterr().out.splitlines() == shown.splitlines()
