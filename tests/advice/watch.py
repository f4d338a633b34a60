"""Which places of the package gave the messages of a call: seen where they are made."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch

from beam_pandas import errors
from tests.advice.sites import PACKAGE, places


class Seen(NamedTuple):
    """A message and the site that made it."""

    site: str
    text: str


@cache
def _at() -> dict[tuple[str, tuple[int, int, int, int]], str]:
    """Give the sites by where they are."""
    return {
        (place.path, place.lines): name
        for name, place in places().items()
        if place.kind == "site"
    }


def _site_of(frame: FrameType, at: dict[tuple[str, tuple[int, int, int, int]], str]) -> str:
    """Name the site that a frame executes, "" if it is none."""
    try:
        path = Path(frame.f_code.co_filename).relative_to(PACKAGE).as_posix()
    except ValueError:
        return ""
    positions = islice(frame.f_code.co_positions(), frame.f_lasti // 2, None)
    first, last, left, right = next(positions)
    return at.get((path, (first or 0, last or 0, left or 0, right or 0)), "")


@contextmanager
def watching() -> Iterator[list[Seen]]:
    """List the messages that sites make in a block, in their order."""
    seen: list[Seen] = []
    at = _at()

    def note(frame: FrameType, text: object) -> None:
        site = _site_of(frame, at)
        if site:
            seen.append(Seen(site, str(text)))

    def initialise(self: BaseException, *args: Any) -> None:
        note(sys._getframe(1), args[0] if args else "")

    def warned(message: str, category: type[Warning], stacklevel: int) -> None:
        note(sys._getframe(2), message)
        warnings.warn(message, category, stacklevel=stacklevel + 1)  # this frame is one

    with (
        patch.object(errors.BeamError, "__init__", initialise, create=True),
        patch.object(errors.MissingDependencyError, "__init__", initialise, create=True),
        patch.object(errors, "warnings", SimpleNamespace(warn=warned)),
    ):
        yield seen
