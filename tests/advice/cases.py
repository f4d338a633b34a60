"""
What a case of a message is: a call that gives it, and what following it must give.

Cases stand in the test files, a room of the package each; `tests.advice.follow` says how
they are followed.
"""

from __future__ import annotations

import atexit
import inspect
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

import beam_pandas as bp
from beam_pandas.gate import registry
from tests.advice.sites import pattern, places
from tests.advice.watch import Seen, watching

WORKS = "works"


class Files(NamedTuple):
    """Files of a call: it takes their folder, or one of them."""

    texts: dict[str, str | bytes]
    name: str = ""  # the file to take; the folder where empty


class Finished(NamedTuple):
    """How the command ended, and what it wrote."""

    status: int
    out: str
    err: str


class Lazy(NamedTuple):
    """What a call takes, made anew for it."""

    make: Callable[[], Any]


class Call(NamedTuple):
    """A call of the package."""

    function: Callable[..., Any]
    frame: Any  # the first argument
    options: dict[str, Any]

    def but(self, **options: Any) -> Call:
        """Change some options."""
        return self._replace(options=self.options | options)


class Case:
    """
    A call with its message, and what following the message must give.

    Parameters
    ----------
    site : str
        Name of the site that the message comes from, as `tests.advice.sites` gives it.
    function, frame, args, options
        The call.
    none : str
        Why the message has no advice to follow, if it has none.
    fill : object, optional
        What a gap of the advice is filled with; a mapping from the advice's first word, or
        the name before the gap, to it, where there are several.
    skip : mapping
        Advice that is not followed here, by its beginning, with the reason.
    then : str or mapping
        What the second call gives: it works, or the beginning of the new site's name; a
        mapping by the beginning of the advice where it differs.
    drops : mapping
        How many scores advice drops that says so, by its beginning.
    truth : DataFrame, optional
        The scores as they are meant, where the frame does not say it itself.
    higher : mapping
        Direction of the metrics that the registry does not know.
    follow : callable, optional
        What is done where the advice is no code: the text and the call in, a call out.
    column : str
        The column that a beginning such as ``.str`` is of.
    """

    def __init__(
        self,
        site: str,
        function: Callable[..., Any],
        frame: Any,
        *args: Any,
        none: str = "",
        fill: Any = None,
        skip: Mapping[str, str] | None = None,
        then: str | Mapping[str, str] = WORKS,
        drops: Mapping[str, int] | None = None,
        truth: pd.DataFrame | None = None,
        higher: Mapping[Any, bool] | None = None,
        follow: Callable[[str, Call], Call] | None = None,
        column: str = "score",
        **options: Any,
    ) -> None:
        names = list(inspect.signature(function).parameters)[1:]
        given = dict(zip(names, args, strict=False))
        self.site, self.call = site, Call(function, frame, given | options)
        self.none, self.fill, self.skip, self.then = none, fill, skip or {}, then
        self.drops, self.truth, self.higher = drops or {}, truth, higher or {}
        self.follow, self.column = follow, column

    def __repr__(self) -> str:
        return self.site


class Outcome(NamedTuple):
    """What a call gives: its result or its error, and the messages on the way."""

    result: Any
    error: Exception | None
    seen: list[Seen]

    def said(self, place: str) -> str:
        """Give the message of a site, or one with a piece; "" if there is none."""
        known = places().get(place)
        if known is None or known.kind == "site":
            return next((seen.text for seen in self.seen if seen.site == place), "")
        fits = pattern(known.text)
        return next((seen.text for seen in self.seen if fits.search(seen.text)), "")


@cache
def _room() -> Path:
    """Make a folder for the files of all cases."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def write(files: Files) -> Path:
    """Write the files of a case into a folder of their own."""
    folder = _room() / str(len(list(_room().iterdir())))
    folder.mkdir()
    for name, text in files.texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text, encoding="utf-8")
    return folder / files.name if files.name else folder


@contextmanager
def kept_registry() -> Iterator[None]:
    """Take back what a block registers."""
    before = dict(registry._custom)
    try:
        yield
    finally:
        registry._custom.clear()
        registry._custom.update(before)


def _made(value: Any) -> Any:
    if isinstance(value, Files):
        return write(value)
    return value.make() if isinstance(value, Lazy) else value


def run(call: Call) -> Outcome:
    """Make a call and note all its messages."""
    frame = _made(call.frame)
    options = {name: _made(value) for name, value in call.options.items()}
    result, error = None, None
    with watching() as seen, warnings.catch_warnings(record=True):
        warnings.simplefilter("error")
        warnings.simplefilter("always", bp.BeamWarning)
        try:
            result = call.function(frame, **options)
        except (bp.BeamError, bp.MissingDependencyError) as raised:
            error = raised
    if isinstance(result, Finished):
        seen.append(Seen("the standard error", result.err))
    return Outcome(result, error, seen)


@cache
def first(case: Case) -> Outcome:
    """Make the call of a case, once."""
    with kept_registry():
        return run(case.call)
