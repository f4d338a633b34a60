"""What is exact on small tables: adjustments of all pairs, letters, laws of ranks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

import beam_pandas as bp
from beam_pandas.kernels.friedman_law import _law as friedman_law
from beam_pandas.kernels.rank_sum_law import _tails as rank_difference_law
from benchmarks.measure import Ratio, seconds


def _scores(n_datasets: int, n_methods: int, decimals: int | None = None) -> pd.DataFrame:
    """Draw scores of methods that lie a fifth of the noise apart."""
    noise = np.random.default_rng(n_methods).normal(size=(n_datasets, n_methods))
    scores = noise + np.arange(n_methods) / 5.0
    table = pd.DataFrame(scores if decimals is None else scores.round(decimals))
    table.index = [f"d{at:03d}" for at in table.index]
    table.columns = [f"m{at:03d}" for at in table.columns]
    long = table.rename_axis("dataset").reset_index()
    return long.melt("dataset", var_name="method", value_name="score").assign(metric="elo")


def measure() -> Iterator[Ratio]:
    """Measure what is asked of small tables; the laws anew, without what is kept."""
    bp.mean_rank_tests(_scores(5, 3), adjust="bergmann_hommel")
    for n_methods, most in ((9, 0.2), (12, 2.0)):
        frame = _scores(30, n_methods)
        took = seconds(
            lambda frame=frame: bp.mean_rank_tests(frame, adjust="bergmann_hommel")
        )
        yield Ratio(f"Bergmann-Hommel, {n_methods} methods, s", took, f"at most {most}", "")
    for n_methods, exact, most in ((40, False, 0.1), (20, True, 1.0)):
        pairs = bp.pairwise(_scores(40, n_methods), adjust="none")
        took = seconds(lambda pairs=pairs, exact=exact: bp.letters(pairs, exact=exact))
        word = ", the fewest" if exact else ""
        yield Ratio(f"letters of {n_methods} methods{word}, s", took, f"at most {most}", "")
    for n_datasets, n_methods, decimals, most in (
        (30, 4, None, 1.0),
        (30, 4, 0, 5.0),
        (12, 5, None, 3.0),
        (12, 5, 0, 10.0),
    ):
        frame = _scores(n_datasets, n_methods, decimals)
        friedman_law.cache_clear()
        rank_difference_law.cache_clear()
        took = seconds(lambda frame=frame: bp.friedman(frame, exact=True))
        took += seconds(lambda frame=frame: bp.mean_rank_tests(frame, exact=True))
        ties = "" if decimals is None else ", ties"
        what = f"exact Friedman and pairs, {n_methods} x {n_datasets}{ties}, s"
        yield Ratio(what, took, f"at most {most}", "")
