"""Errors and the warning of the package, and the words their messages share."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Real
from pathlib import Path
from typing import TypeGuard

import numpy as np

_PACKAGE = str(Path(__file__).parent) + os.sep


class BeamError(ValueError):
    """Base class: the input does not allow the answer that was asked for."""


class MissingColumnsError(BeamError, KeyError):
    """The frame lacks a column that the function needs."""

    def __str__(self) -> str:
        """Return the message as written, where KeyError would quote it."""
        return str(self.args[0]) if self.args else ""


class UnknownMetricError(BeamError):
    """Nothing says whether more or less of a metric is better."""


class DuplicateScoresError(BeamError):
    """A method has several scores for one dataset and metric."""


class IncompleteScoresError(BeamError):
    """A test for complete tables met missing scores."""


class UnevenRunsError(IncompleteScoresError):
    """Methods have different runs on a dataset."""


class ScoreTypeError(BeamError, TypeError):
    """A score, or the table that should hold it, is of a type that cannot be one."""


class MissingDependencyError(ImportError):
    """A package is needed that the installation left out."""


class BeamWarning(UserWarning):
    """The result is right but may not be what it seems."""


_OWN = "is_of_metric"  # marks an error that the data of one metric or group cause


def of_metric(error: BeamError) -> BeamError:
    """Mark an error that the data of one metric cause, and that others need not share."""
    setattr(error, _OWN, True)
    return error


def is_of_metric(error: BeamError) -> bool:
    """Tell whether only the data of one metric, or of one group, caused an error."""
    return getattr(error, _OWN, False)


_place: ContextVar[str] = ContextVar("_place", default="")


@contextmanager
def within(place: str) -> Iterator[None]:
    """Say in front of each warning and `BeamError` where it happened."""
    token = _place.set(f"{_place.get()}{place}: ")
    try:
        yield
    except BeamError as error:
        placed = type(error)(f"{place}: {error}")
        raise (of_metric(placed) if is_of_metric(error) else placed) from error
    finally:
        _place.reset(token)


class Doubted(Exception):  # noqa: N818 - no error of the caller's
    """What would be a warning, where doubts are not to be said."""


_is_silent: ContextVar[bool] = ContextVar("_is_silent", default=False)


@contextmanager
def doubts_raised() -> Iterator[None]:
    """Raise `Doubted` instead of a warning, for whoever then says it in another way."""
    token = _is_silent.set(True)
    try:
        yield
    finally:
        _is_silent.reset(token)


def warn(message: str) -> None:
    """Give a `BeamWarning` that points at the first line outside this package."""
    if _is_silent.get():
        raise Doubted(message)
    level = 2
    frame = sys._getframe(1)
    while frame.f_back and _is_internal(frame.f_code.co_filename):
        frame = frame.f_back
        level += 1
    warnings.warn(f"{_place.get()}{message}", BeamWarning, stacklevel=level)


def _is_internal(filename: str) -> bool:
    path = Path(filename).as_posix()
    inside = ("/site-packages/pandas/", "/contextlib.py")
    return filename.startswith(_PACKAGE) or any(part in path for part in inside)


def settle_failures(failed: list[BeamError], total: int, what: str, errors: str) -> None:
    """Raise one error for all that failed, or warn of them where others are left."""
    if errors == "warn" and len(failed) < total:
        reasons = " | ".join(str(error) for error in failed)
        warn(f"{len(failed):,} of {total:,} {what} are left out: {reasons}")
        return
    if len(failed) == 1:
        raise failed[0]
    kinds = {type(error) for error in failed}
    kind = kinds.pop() if len(kinds) == 1 else BeamError
    reasons = " | ".join(str(error) for error in failed)
    raise of_metric(
        kind(f"{len(failed):,} of {total:,} {what} allow no analysis: {reasons}")
    ) from failed[0]


def plain(label: Hashable) -> Hashable:
    """Turn a numpy scalar into the Python value it holds, for its shorter repr."""
    item: Callable[[], Hashable] | None = getattr(label, "item", None)
    return label if item is None else item()


def list_labels(labels: Iterable[Hashable], limit: int = 5) -> str:
    """Write labels by repr, at most `limit` of them and then how many more."""
    shown = [shorten(plain(label)) for label in labels]
    more = len(shown) - limit
    text = ", ".join(shown[:limit])
    return f"{text} and {more} more" if more > 0 else text


def shorten(value: object) -> str:
    """Write a value by repr, cut at 80 characters."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def count(number: int, noun: str) -> str:
    """Write a number with its noun, in the plural where it needs one."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def check_option(name: str, value: object, options: Sequence[str]) -> None:
    """Refuse a value that is none of the options."""
    if not (isinstance(value, str) and value in options):
        raise BeamError(f"{name} must be one of {list(options)}, got {value!r}")


def check_probability(name: str, value: object) -> None:
    """Refuse a value that does not lie strictly between 0 and 1."""
    if not (is_number(value) and 0.0 < float(value) < 1.0):
        raise BeamError(f"{name} must be a number between 0 and 1, got {value!r}")


def check_truth(name: str, value: object) -> None:
    """Refuse a value that is neither True nor False."""
    if not isinstance(value, (bool, np.bool_)):
        raise BeamError(f"{name} must be True or False, got {value!r}")


def is_number(value: object) -> TypeGuard[float]:
    """Tell whether a value is a real number that a float can hold; no truth value is."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True
