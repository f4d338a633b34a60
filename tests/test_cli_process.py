"""The command as a process of its own: its exit status, whatever happens around it."""

import gzip
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.tables import REFERENCE

COMMAND = [sys.executable, "-W", "error", "-m", "beam_pandas"]
FULL = Path("/dev/full")
needs_full_device = pytest.mark.skipif(not FULL.exists(), reason="no device that is full")


def run(*arguments, **options):
    settings = {"capture_output": True, "timeout": 120, "check": False, **options}
    if "stdout" in options or "stderr" in options:
        settings.pop("capture_output")
    return subprocess.run([*COMMAND, *map(str, arguments)], **settings)


def test_a_gate_on_a_pipe():
    scores = gzip.compress(REFERENCE.to_csv(index=False).encode())
    done = run(
        *["-", "--control", "C", "--candidate", "A", "--fail-on", "worse"], input=scores
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"Gate: A against C on 6 datasets: worse" in done.stdout


@pytest.mark.slow
@needs_full_device
def test_a_standard_error_that_is_full_does_not_change_the_status():
    with FULL.open("wb") as full:
        assert run("no such file", stderr=full, stdout=subprocess.DEVNULL).returncode == 2


@pytest.mark.slow
@needs_full_device
def test_no_stream_can_be_written(tmp_path):
    path = tmp_path / "scores.csv"
    REFERENCE.to_csv(path, index=False)
    with FULL.open("wb") as full:
        done = run(path, stdout=full, stderr=subprocess.PIPE)
        assert done.returncode == 2
        assert done.stderr.startswith(b"beam_pandas: the report cannot be written, ")
        assert run(path, stdout=full, stderr=full).returncode == 2
        assert run("--nope", stderr=full).returncode == 2


@pytest.mark.slow
def test_a_reader_that_has_read_enough():
    process = subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert (process.stderr.read(), process.wait()) == (b"", 0)
    process.stderr.close()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_an_interrupt_ends_with_130_and_no_traceback():
    process = subprocess.Popen(
        [*COMMAND, "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(5)  # until it waits for its input
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")


@pytest.mark.slow
def test_huge_cells_and_bombs_are_refused_soon_and_in_few_words(tmp_path):
    wide, bomb = tmp_path / "wide.csv", tmp_path / "bomb.csv.gz"
    wide.write_bytes(b"a" * 100_000_000 + b",b\n1,2\n")
    with gzip.open(bomb, "wb") as stream:
        for _ in range(300):
            stream.write(b"a" * 1_000_000)
    cell = tmp_path / "cell.csv"
    cell.write_text(f"method,dataset,score\nA,x,{'z' * 3_000_000}\n")
    for path in (wide, bomb, cell):
        done = run(path, "--higher-is-better")
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.startswith(f"beam_pandas: {path}: ".encode())
        assert len(done.stderr) < 1000


@pytest.mark.slow
def test_the_console_script_is_the_same_command():
    script = Path(sys.executable).with_name("beam-pandas")
    if not script.exists():
        pytest.skip("the package is not installed here")
    done = subprocess.run([script, "--version"], capture_output=True, check=False)
    assert (done.returncode, done.stdout[:12]) == (0, b"beam_pandas ")
