"""Time and memory of a call, and ratios of two calls taken in turn."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import statistics
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import psutil


class Ratio(NamedTuple):
    """A measured ratio and the bound it is held against."""

    what: str
    value: float
    bound: str
    detail: str


def seconds(call: Callable[[], Any]) -> float:
    """Wall time of one call."""
    gc.collect()
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def median_seconds(call: Callable[[], Any], runs: int = 5) -> float:
    """Give the median wall time of some calls after one that is not counted."""
    call()
    return statistics.median(seconds(call) for _ in range(runs))


def paired(
    ours: Callable[[], Any], other: Callable[[], Any], runs: int = 5
) -> tuple[float, float, float]:
    """
    Time two calls in turn, after one of each that is not counted.

    Returns
    -------
    ours, other : float
        Median seconds.
    ratio : float
        Median of the ratios ours / other of each pair of runs.
    """
    ours()
    other()
    pairs = [(seconds(ours), seconds(other)) for _ in range(runs)]
    ratios = [first / second for first, second in pairs]
    first, second = zip(*pairs, strict=True)
    return statistics.median(first), statistics.median(second), statistics.median(ratios)


def peak_bytes(call: Callable[[], Any]) -> int:
    """Highest resident memory during a call above what was there before."""
    process = psutil.Process()
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):  # where there is a glibc
        ctypes.CDLL("libc.so.6").malloc_trim(0)  # give freed memory back before counting
    before = process.memory_info().rss
    peak = before
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.002):
            peak = max(peak, process.memory_info().rss)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        call()
    finally:
        done.set()
        watcher.join()
    return peak - before
