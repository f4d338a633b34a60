"""Pairs of methods: counts, sign test, posterior, majorities."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

import beam_pandas as bp
from beam_pandas.kernels.pair_counts import count_pairs
from benchmarks.measure import Ratio, median_seconds, paired, peak_bytes, seconds
from benchmarks.tables import long_scores

ROPE = 0.01
SIZE, SAMPLE = 1000, 100  # methods; those that a loop over pairs is timed with


def measure() -> Iterator[Ratio]:
    """Measure what is asked of the functions that compare pairs."""
    frame = long_scores(SIZE, SIZE, share_missing=0.05)
    shared: dict[str, Any] = {"higher_is_better": True}
    calls: dict[str, Callable[[], pd.DataFrame]] = {
        "pairwise": lambda: bp.pairwise(frame, ROPE, **shared),
        "bayesian_sign": lambda: bp.bayesian_sign(frame, ROPE, **shared),
        "transitivity": lambda: bp.transitivity(frame, ROPE, **shared),
    }
    table = bp.wide_scores(frame).to_numpy()
    pairs = SIZE * (SIZE - 1) / (SAMPLE * (SAMPLE - 1))
    for name, loop, peer, most in (
        ("pairwise", _loop_of_sign_tests, "a loop of numpy and scipy's binomtest", 1 / 100),
        ("bayesian_sign", _loop_of_baycomp, "baycomp with 50,000 draws", 1 / 300),
    ):
        ours = median_seconds(calls[name], runs=3)
        few = 12 if name == "bayesian_sign" else SAMPLE
        theirs = seconds(lambda loop=loop, few=few: loop(table[:, :few]))
        theirs *= pairs if few == SAMPLE else SIZE * (SIZE - 1) / (few * (few - 1))
        yield Ratio(
            f"{name}, 1,000 x 1,000, 5 % missing, against {peer}",
            ours / theirs,
            f"at most {most:.4f}",
            f"{ours:.2f} s, {theirs:.0f} s scaled from {few} methods",
        )
    yield _kernel(table)
    first, second, ratio = paired(calls["transitivity"], calls["pairwise"], runs=3)
    yield Ratio(
        "transitivity against pairwise",
        ratio,
        "at most 1.3",
        f"{first:.2f} s, {second:.2f} s",
    )
    for name, call in calls.items():
        yield Ratio(f"memory of {name}, GB", peak_bytes(call) / 1e9, "at most 1.5", "")
    yield from _small()


def _loop_of_sign_tests(table: np.ndarray) -> None:
    """Time a loop over pairs with numpy and scipy.stats.binomtest."""
    from scipy.stats import binomtest

    for i, j in combinations(range(table.shape[1]), 2):
        difference = table[:, i] - table[:, j]
        difference = difference[~np.isnan(difference)]
        wins, losses = (difference > ROPE).sum(), (difference < -ROPE).sum()
        difference.mean()
        binomtest(int(wins), int(wins + losses)).pvalue  # noqa: B018


def _loop_of_baycomp(table: np.ndarray) -> None:
    """Time baycomp's sign test with its 50,000 draws, pair by pair."""
    from baycomp import SignTest

    for i, j in combinations(range(table.shape[1]), 2):
        both = ~np.isnan(table[:, i] + table[:, j])
        SignTest.probs(table[both, i], table[both, j], rope=ROPE)


def _kernel(table: np.ndarray) -> Ratio:
    """Compare the counting of pairs with a compiled triple loop."""
    import numba

    @numba.njit  # type: ignore[untyped-decorator]
    def loop(scores: np.ndarray, rope: float, wins: np.ndarray) -> None:
        n_methods, n_datasets = scores.shape
        for i in range(n_methods):
            for j in range(n_methods):
                count = 0
                for at in range(n_datasets):
                    if scores[i, at] - scores[j, at] > rope:
                        count += 1
                wins[i, j] = count

    columns, wins = np.ascontiguousarray(table.T), np.zeros((SIZE, SIZE), dtype=np.int64)
    first, second, ratio = paired(
        lambda: count_pairs(table, ROPE), lambda: loop(columns, ROPE + 1e-9, wins)
    )
    np.testing.assert_array_equal(count_pairs(table, ROPE).wins, wins)
    return Ratio(
        "counting pairs against a compiled triple loop (numba)",
        ratio,
        "at most 6",
        f"{first:.3f} s, {second:.3f} s",
    )


def _small() -> Iterator[Ratio]:
    """Report the time of each call on a table as people have it."""
    frame = long_scores(20, 50)
    shared: dict[str, Any] = {"higher_is_better": True}
    pivot = median_seconds(
        lambda: frame.pivot(index="dataset", columns="method", values="score"), runs=50
    )
    for name, arguments in (
        ("pairwise", [ROPE]),
        ("standing", [ROPE]),
        ("comparison_matrix", []),
        ("bayesian_sign", [ROPE]),
        ("transitivity", [ROPE]),
        ("majority", [ROPE]),
        ("circular_triads", [ROPE]),
        ("critical_difference", []),
    ):
        function = getattr(bp, name)
        took = median_seconds(
            lambda f=function, a=arguments: f(frame, *a, **shared), runs=50
        )
        yield Ratio(
            f"{name}, 20 methods x 50 datasets, ms",
            took * 1e3,
            "at most 10",
            f"df.pivot {pivot * 1e3:.2f} ms",
        )
