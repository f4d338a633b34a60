"""Time to the first result of the terminal."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.measure import Ratio

_RUNS = 7


def measure() -> Iterator[Ratio]:
    """Compare a report on 1 MB with the import of what it stands on, by time of the CPU."""
    imports = [sys.executable, "-c", "import pandas, pandas_flavor, scipy.special"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.csv"
        _scores().to_csv(path, index=False)
        report = [sys.executable, "-m", "beam_pandas", str(path)]
        pairs = [(_cpu(report), _cpu(imports)) for _ in range(_RUNS)]
    ours, other = (min(times) for times in zip(*pairs, strict=True))
    yield Ratio(
        "terminal, first result on 1 MB, against its imports (CPU)",
        ours / other,
        "at most 1.5",
        f"{ours:.2f} s, {other:.2f} s, least of {_RUNS}",
    )


def _scores() -> pd.DataFrame:
    """Draw scores of 25 methods on 1,000 datasets, about 1 MB as CSV."""
    noise = np.random.default_rng(0).random((25, 1000)) / 3.0
    scores = (noise + np.arange(25)[:, None] / 100.0).round(6)
    wide = pd.DataFrame(scores, index=[f"method_{at:02d}" for at in range(25)])
    wide.columns = [f"dataset_{at:04d}" for at in range(1000)]
    long = wide.rename_axis("method").reset_index()
    long = long.melt("method", var_name="dataset", value_name="score")
    return long.assign(metric="accuracy")[["method", "dataset", "metric", "score"]]


def _cpu(command: Sequence[str]) -> float:
    """CPU seconds of a process, by user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
