"""The gate and the critical difference."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import warnings
from collections.abc import Iterator

import numpy as np
import pandas as pd

import beam_pandas as bp
from benchmarks.measure import Ratio, median_seconds, paired, peak_bytes
from benchmarks.tables import long_scores


def measure() -> Iterator[Ratio]:
    """Measure what is asked of `critical_difference` and of the import."""
    yield from _ten_million_rows()
    yield _against_autorank()
    yield _nemenyi_of_a_thousand()
    yield _import()


def _ten_million_rows() -> Iterator[Ratio]:
    frame = long_scores(1000, 1000, 10)

    def ours() -> pd.DataFrame:
        return bp.critical_difference(frame, higher_is_better=True)

    def factorize() -> None:
        for column in ("method", "dataset", "metric"):
            pd.factorize(frame[column])

    first, second, ratio = paired(ours, factorize)
    yield Ratio(
        f"critical_difference, 10 million rows ({frame['method'].dtype} labels), against "
        "pd.factorize of its label columns",
        ratio,
        "at most 3",
        f"{first:.2f} s, {second:.2f} s",
    )
    yield Ratio(
        "memory of that call above the frame, GB",
        peak_bytes(ours) / 1e9,
        "at most 1",
        "",
    )


def _against_autorank() -> Ratio:
    import autorank

    frame = long_scores(1000, 1000)
    wide = bp.wide_scores(frame)

    def peer() -> object:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return autorank.autorank(
                wide, alpha=0.05, verbose=False, force_mode="nonparametric"
            )

    def ours() -> pd.DataFrame:
        return bp.critical_difference(frame, higher_is_better=True)

    theirs, result = peer(), ours().set_index("method")
    ranks = theirs.rankdf["meanrank"]
    np.testing.assert_allclose(result["mean_rank"][ranks.index], ranks, rtol=1e-9)
    # its critical difference comes from statsmodels' approximation of the studentized
    # range, which is made for up to 200 methods: 2 % too large for 1,000
    np.testing.assert_allclose(result["critical_difference"].iloc[0], theirs.cd, rtol=0.03)
    np.testing.assert_allclose(result["friedman_p_value"].iloc[0], theirs.pvalue, rtol=1e-6)
    first, second, ratio = paired(ours, peer, runs=3)
    return Ratio(
        "critical_difference, 1,000 x 1,000, against autorank",
        ratio,
        "at most 0.25",
        f"{first:.3f} s from the long table, {second:.2f} s from the wide one",
    )


def _nemenyi_of_a_thousand() -> Ratio:
    from scipy.stats import studentized_range

    frame = long_scores(1000, 1000)
    ours = median_seconds(lambda: bp.nemenyi(frame, higher_is_better=True), runs=3)
    sample = np.linspace(0.1, 8, 50)
    each = median_seconds(lambda: studentized_range.sf(sample, 1000, np.inf), runs=3) / 50
    return Ratio(
        "nemenyi, 1,000 methods, against scipy.stats.studentized_range once a pair",
        ours / (each * 499_500),
        "",
        f"{ours:.2f} s, {each * 499_500:.0f} s from 50 pairs",
    )


def _import() -> Ratio:
    program = (
        "import time, pandas_flavor; start = time.perf_counter(); "
        "import beam_pandas; print(time.perf_counter() - start)"
    )
    command = [sys.executable, "-c", program]
    took = [
        float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        for _ in range(9)
    ]
    extra = float(np.median(took))
    return Ratio("import beyond that of pandas_flavor, ms", extra * 1e3, "at most 30", "")
