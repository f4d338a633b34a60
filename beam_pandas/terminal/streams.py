"""Lines written to the standard streams, whatever becomes of these."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterable
from typing import TextIO

from beam_pandas.errors import BeamError
from beam_pandas.terminal.labels import printable

_LONGEST = 4_000  # of a message


class ReportUnreadError(Exception):
    """Whoever read the report has read enough."""


def prepare_streams() -> None:
    """Let labels pass that have letters beyond those of the terminal."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def write_report(text: str) -> None:
    """
    Write to the standard output.

    Raises
    ------
    ReportUnreadError
        If its reader is gone.
    BeamError
        If it cannot be written otherwise.
    """
    try:
        print("\n".join(printable(line) for line in text.split("\n")), flush=True)
    except BrokenPipeError as error:
        _silence(sys.stdout)
        raise ReportUnreadError from error
    except OSError as error:
        _silence(sys.stdout)
        raise BeamError(f"the report cannot be written, {error}") from error


def write_messages(messages: Iterable[str]) -> None:
    """Write to the standard error, if it takes them."""
    try:
        for message in messages:
            text = printable(message.replace("\n", " "))
            cut = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}... (cut)"
            print(cut, file=sys.stderr, flush=True)
    except (OSError, ValueError, AttributeError):
        _silence(sys.stderr)


def _silence(stream: TextIO | None) -> None:
    """Keep the end of the process from writing what was refused once more."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        descriptor = stream.fileno() if stream is not None else -1
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, descriptor)
        os.close(nowhere)
