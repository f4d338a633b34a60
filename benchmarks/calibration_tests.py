"""
How often the tests of pairs claim a difference: a false one, and a true one.

Run as ``python -m benchmarks.calibration_tests``; it takes some minutes. It prints the
tables of ``docs/calibration.md``.

On each dataset a method scores its own level plus normal noise of standard deviation 1,
drawn anew for each method and dataset, and rounded to halves: about a seventh of the
comparisons of equal methods are ties. Without a difference all levels are 0. With one,
the second half of the methods is better by 1: pairs within a half are equal, pairs across
differ. All tests are two-sided at .05 for all pairs of a table.

Where nothing differs at all, Holm, Shaffer and Bergmann-Hommel claim something in the very
same tables: those with a p-value of at most .05 over the number of pairs.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.adjustment import adjust_p_values
from beam_pandas.kernels.binomial_sign import sign_p_values
from beam_pandas.kernels.critical_gap import beyond
from beam_pandas.kernels.logical_adjustment import bergmann_hommel, shaffer
from beam_pandas.kernels.nemenyi import nemenyi_gap, normal_p_values, standard_error
from beam_pandas.kernels.row_ranks import rank_rows
from beam_pandas.kernels.signed_ranks import signed_rank_tests

ALPHA = 0.05
METHODS = (3, 5, 10)
DATASETS = (5, 8, 15, 30)
#: Tables where nothing differs; and where some do, by the number of methods, since
#: Bergmann-Hommel is slow for ten.
TABLES = 2000
TABLES_WITH_SHIFT = {3: 2000, 5: 1000, 10: 300}
SHIFT = 1.0
_WORKERS = 4
TESTS = (
    "Nemenyi",
    "mean ranks, Holm",
    "Shaffer",
    "Bergmann-Hommel",
    "sign, Holm",
    "Wilcoxon, Holm",
)
_AT_ONCE = 100  # tables

Verdicts = dict[str, NDArray[np.bool_]]


def draw_tables(
    n_methods: int, n_datasets: int, size: int, shift: float, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Draw tables: first the table, then the dataset, then the method."""
    level = np.where(np.arange(n_methods) >= n_methods // 2, shift, 0.0)
    noise = rng.normal(size=(size, n_datasets, n_methods))
    return np.rint(2.0 * (level + noise)) / 2.0


def judge(scores: NDArray[np.float64]) -> Verdicts:
    """Say for each test, table and pair whether it claims a difference."""
    size, n_datasets, k = scores.shape
    first, second = np.triu_indices(k, 1)
    ranks = rank_rows(scores.reshape(-1, k)).reshape(scores.shape)
    doubled = np.rint(2.0 * ranks).sum(axis=1)
    gaps = (doubled[:, second] - doubled[:, first]) / (2.0 * n_datasets)
    of_ranks = normal_p_values(gaps / standard_error(k, n_datasets))
    better = scores[:, :, first] > scores[:, :, second]
    worse = scores[:, :, first] < scores[:, :, second]
    of_signs = sign_p_values(
        np.count_nonzero(better, axis=1).ravel(), np.count_nonzero(worse, axis=1).ravel()
    ).reshape(gaps.shape)
    side_by_side = np.moveaxis(scores, 0, 1).reshape(n_datasets, size * k)
    start = k * np.arange(size)[:, np.newaxis]
    of_sizes = signed_rank_tests(
        side_by_side,
        confidence_level=None,
        pairs=((start + first).ravel(), (start + second).ravel()),
    ).p_value.reshape(gaps.shape)
    return {
        "Nemenyi": beyond(np.abs(gaps), nemenyi_gap(ALPHA, k, n_datasets)),
        "mean ranks, Holm": _claims(of_ranks, "holm"),
        "Shaffer": _claims(of_ranks, "shaffer"),
        "Bergmann-Hommel": _claims(of_ranks, "bergmann_hommel"),
        "sign, Holm": _claims(of_signs, "holm"),
        "Wilcoxon, Holm": _claims(of_sizes, "holm"),
    }


def _claims(p_values: NDArray[np.float64], adjust: str) -> NDArray[np.bool_]:
    """Adjust each table's p-values, where anything can come of it."""
    n_pairs = p_values.shape[1]
    n_methods = round((1 + np.sqrt(1 + 8 * n_pairs)) / 2)
    claims = np.zeros(p_values.shape, dtype=bool)
    for at in np.flatnonzero(p_values.min(axis=1) * n_pairs <= ALPHA):
        row = p_values[at]
        if adjust == "shaffer":
            adjusted = shaffer(row, n_methods)
        elif adjust == "bergmann_hommel":
            adjusted = bergmann_hommel(row, n_methods)
        else:
            adjusted = adjust_p_values(row, adjust)
        claims[at] = adjusted <= ALPHA
    return claims


def simulate(
    n_methods: int, n_datasets: int, shift: float, rng: np.random.Generator
) -> tuple[dict[str, float], dict[str, float]]:
    """Give the share of tables with a false claim, and of true differences found."""
    first, second = np.triu_indices(n_methods, 1)
    half = np.arange(n_methods) >= n_methods // 2
    differ = (half[first] != half[second]) & (shift > 0.0)
    size = TABLES_WITH_SHIFT[n_methods] if shift else TABLES
    false, found = dict.fromkeys(TESTS, 0.0), dict.fromkeys(TESTS, 0.0)
    for _ in range(size // _AT_ONCE):
        tables = draw_tables(n_methods, n_datasets, _AT_ONCE, shift, rng)
        for test, claims in judge(tables).items():
            false[test] += claims[:, ~differ].any(axis=1).sum() / size
            found[test] += claims[:, differ].sum() / (size * max(1, differ.sum()))
    return false, found


def cell(n_methods: int, n_datasets: int) -> tuple[dict[str, float], ...]:
    """Give size, false and true claims for tables of one size."""
    rng = np.random.default_rng([14, n_methods, n_datasets])
    size, _ = simulate(n_methods, n_datasets, 0.0, rng)
    return size, *simulate(n_methods, n_datasets, SHIFT, rng)


def tables() -> Iterator[str]:
    """Give the three tables line by line, as Markdown."""
    heads = (
        "Nothing differs: share of tables with any claim",
        "Half of the methods are better: share of tables with a false claim",
        "Half of the methods are better: share of the true differences found",
    )
    rows: list[list[str]] = [[], [], []]
    sizes = list(itertools.product(METHODS, DATASETS))
    with ProcessPoolExecutor(_WORKERS) as pool:
        cells = list(pool.map(cell, *zip(*sizes, strict=True)))
    for (k, n), found in zip(sizes, cells, strict=True):
        for lines, shares in zip(rows, found, strict=True):
            values = " | ".join(f"{shares[test]:.3f}" for test in TESTS)
            lines.append(f"| {k} | {n} | {values} |")
    for head, lines in zip(heads, rows, strict=True):
        yield f"### {head}\n"
        yield f"| methods | datasets | {' | '.join(TESTS)} |"
        yield "|---" * (2 + len(TESTS)) + "|"
        yield from lines
        yield ""


if __name__ == "__main__":
    for line in tables():
        print(line, flush=True)
    print(f"{TABLES} tables a line in the first, {TABLES_WITH_SHIFT} by methods else.")
