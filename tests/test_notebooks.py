"""Every notebook runs from top to bottom, and was saved with the output it has now."""

import os
import warnings
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).parent.parent / "notebooks"
ELSEWHERE = {"05_more_than_one_machine.ipynb"}  # needs engines: tests/distributed
NOTEBOOKS = sorted({path.name for path in FOLDER.glob("*.ipynb")} - ELSEWHERE)


def shown(cell):
    """What a cell prints or shows as plain text, however it was cut into messages."""
    found = []
    for output in cell.get("outputs", []):
        text = output.get("text") or output.get("data", {}).get("text/plain", "")
        text = text if isinstance(text, str) else "".join(text)
        if "<Axes" not in text and "<Figure" not in text and ".Styler at" not in text:
            found.append(text if "text" in output else f"{text}\n")
    return "".join(found).strip()


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.slow
@pytest.mark.parametrize("name", NOTEBOOKS)
@pytest.mark.filterwarnings("default")  # those of Jupyter itself are not ours
def test_a_notebook_runs_and_shows_what_was_saved(name, monkeypatch):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from nbclient import NotebookClient

    monkeypatch.setenv("PYTHONPATH", str(FOLDER.parent))
    monkeypatch.setenv("PYTHONWARNINGS", "error::UserWarning")
    monkeypatch.setenv("MPLBACKEND", os.environ.get("MPLBACKEND", "Agg"))
    saved = nbformat.read(FOLDER / name, as_version=4)
    run = nbformat.read(FOLDER / name, as_version=4)
    NotebookClient(run, timeout=300, kernel_name="python3").execute(cwd=str(FOLDER))
    for before, after in zip(saved.cells, run.cells, strict=True):
        assert shown(after) == shown(before), before["source"]
