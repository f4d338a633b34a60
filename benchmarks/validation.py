"""
Compare the package with other programs: ``python -m benchmarks.validation``.

Needs, beside the package, what ``benchmarks/requirements.txt`` lists; a program that is not
there is left out and said. Tables are made from a seed, with scores of four decimals
(without ties) and of two (with), and one is the table that comes with the package. The rows
between the two marks of ``docs/validation.md`` are written anew.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

import beam_pandas as bp
from benchmarks import validation_calls as calls
from benchmarks.validation_calls import Pairs

PAGE = Path(__file__).parent.parent / "docs" / "validation.md"
BEGIN, END = "<!-- begin: written by benchmarks.validation -->", "<!-- end -->"
PROGRAMS = ("scipy", "statsmodels", "scikit-posthocs", "baycomp")
SEED = 20_261_201


class Check(NamedTuple):
    """
    A comparison: columns of a function, and the call that gives the same.

    `compare` takes one wide table, datasets as rows, and gives our numbers and theirs.
    """

    function: str
    columns: str
    program: str
    call: str
    tables: str
    compare: Callable[[pd.DataFrame], Pairs]


class Row(NamedTuple):
    """What a comparison found."""

    check: Check
    n_tables: int
    n_values: int
    largest: float


def wide_table(rng: np.random.Generator, k: int, n: int, decimals: int) -> pd.DataFrame:
    """Make scores of k methods on n datasets of differing difficulty."""
    level = 0.5 + 0.3 * rng.random((n, 1))
    scores = level + 0.03 * rng.normal(size=k) + 0.05 * rng.normal(size=(n, k))
    names = [f"m{at:02d}" for at in range(k)]
    rows = pd.Index([f"d{at:03d}" for at in range(n)], name="dataset")
    return pd.DataFrame(scores.round(decimals), index=rows, columns=names)


def bundled() -> pd.DataFrame:
    """Give the accuracies of the bundled table, of the methods that have all of them."""
    scores = bp.load_benchmark().query("metric == 'accuracy'")
    wide = scores.pivot_table(index="dataset", columns="method", values="score")
    return wide.dropna(axis="columns")


def tables(kind: str) -> list[pd.DataFrame]:
    """List the tables of a kind; the same ones each time."""
    rng = np.random.default_rng(SEED)
    if kind == "small, ties":
        return [wide_table(rng, 3, n, 2) for n in (5, 7, 9, 11) for _ in range(5)]
    if kind == "runs":
        return [wide_table(rng, 4, n, 3) for n in (10, 30, 100) for _ in range(10)]
    sizes = [(k, n) for k in (3, 5, 10) for n in (6, 15, 40, 100)]
    made = [
        wide_table(rng, k, n, 9 if kind == "no ties" else 2)
        for k, n in sizes
        for _ in range(3)
    ]
    return made if kind == "no ties" else [*made, bundled()]


BOTH = "ties, bundled"
CHECKS: Sequence[Check] = (
    Check(
        "friedman", "statistic, p_value", "scipy", "friedmanchisquare", BOTH,
        calls.friedman,
    ),
    Check(
        "nemenyi", "critical_difference, p_adjusted", "scipy", "studentized_range", BOTH,
        calls.critical_value,
    ),
    Check(
        "nemenyi", "p_adjusted", "scikit-posthocs", "posthoc_nemenyi_friedman", BOTH,
        calls.nemenyi,
    ),
    Check(
        "mean_rank_tests", "p_adjusted, four ways", "scikit-posthocs",
        "posthoc_siegel_friedman", BOTH, calls.mean_rank_tests,
    ),
    Check("pairwise", "p_value", "scipy", "binomtest", BOTH, calls.sign_test),
    Check(
        "pairwise", "p_adjusted, five ways", "statsmodels", "multipletests", BOTH,
        calls.adjustments,
    ),
    Check(
        "wilcoxon", "p_value", "scipy", 'wilcoxon(method="exact")', "no ties",
        calls.wilcoxon,
    ),
    Check(
        "wilcoxon", "p_value, both rules for zeros", "scipy",
        "wilcoxon(method=PermutationMethod())", "small, ties", calls.wilcoxon_with_ties,
    ),
    Check(
        "mean_difference_tests", "statistic, p_value, ci_low, ci_high", "scipy",
        "ttest_rel", "no ties", calls.paired_t,
    ),
    Check(
        "mean_difference_tests", "standard_error, p_value, families", "statsmodels",
        'OLS().fit(cov_type="cluster")', "no ties", calls.clustered_t,
    ),
    Check(
        "skillings_mack", "statistic, p_value", "scikit-posthocs", "test_durbin",
        "no ties", calls.skillings_mack,
    ),
    Check(
        "dataset_concordance", "kendall_tau", "scipy", "kendalltau", BOTH, calls.concordance
    ),
    Check(
        "bradley_terry", "strength", "statsmodels", "GLM(family=Binomial())", BOTH,
        calls.strengths,
    ),
    Check(
        "improvement", "share_improved", "scipy", "mannwhitneyu", "runs", calls.improvement,
    ),
    Check(
        "aggregate_scores", "estimate, iqm", "scipy", "trim_mean", "runs",
        calls.interquartile,
    ),
    Check(
        "correlated_t", "prob_*", "baycomp", "two_on_single", "runs", calls.correlated_t,
    ),
    Check(
        "bayesian_sign", "prob_*", "baycomp", "SignTest.probs", "no ties",
        calls.bayesian_sign,
    ),
)  # fmt: skip


def run(check: Check) -> Row | None:
    """Make one comparison on all of its tables; None if the program is not there."""
    try:
        importlib.import_module(check.program.replace("-", "_"))
    except ImportError:
        return None
    largest, values, used = 0.0, 0, 0
    for wide in tables(check.tables):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # separated methods, fits without an end
            found = list(check.compare(wide))
        used += bool(found)
        for ours, theirs in found:
            values += len(ours)
            largest = max(largest, float(np.abs(ours - theirs).max()))
    return Row(check, used, values, largest)


def as_markdown(rows: Sequence[Row]) -> str:
    """Write the table of the page."""
    lines = [
        f"By `python -m benchmarks.validation`, with {', '.join(_versions())}.",
        "",
        "| function | columns | compared with | tables | values | largest difference |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| `{row.check.function}` | {row.check.columns} | {row.check.program}, "
        f"`{row.check.call}` | {row.n_tables} ({row.check.tables}) | {row.n_values:,} "
        f"| {row.largest:.1e} |"
        for row in rows
    ]
    return "\n".join(lines)


def _versions() -> list[str]:
    found = []
    for name in ("numpy", "pandas", *PROGRAMS):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return found


def main() -> None:
    """Make all comparisons, print each and write the page."""
    rows = []
    for check in CHECKS:
        row = run(check)
        if row is None:
            print(f"left out, {check.program} is not there: {check.function}")
            continue
        print(f"{row.largest:9.1e}  {row.n_values:6d}  {check.function}: {check.call}")
        rows.append(row)
    if len(rows) < len(CHECKS):
        print("not all programs are there: the page stays as it is")
        return
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(
        f"{before}{BEGIN}\n\n{as_markdown(rows)}\n\n{END}{after}", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
