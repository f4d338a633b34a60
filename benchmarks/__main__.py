"""
Measure every speed demand and write the table: ``python -m benchmarks``.

Needs, beside the package, what ``benchmarks/requirements.txt`` lists.
"""

from __future__ import annotations

import argparse
import importlib
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.measure import Ratio

PARTS = (
    "mean_ranks",
    "pairs",
    "small_tables",
    "gaps",
    "wilcoxon",
    "runs",
    "order",
    "many_metrics",
    "terminal",
    "papers",
    "pictures",
)
PACKAGES = ("pandas", "numpy", "scipy", "pyarrow", "autorank", "baycomp", "numba")


def main() -> None:
    """Run the parts asked for, print each ratio and write all of them as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("results.md"))
    options = parser.parse_args()
    rows: list[Ratio] = []
    for part in options.parts or PARTS:
        for row in importlib.import_module(f"benchmarks.{part}").measure():
            print(
                f"{row.value:10.4g}  {row.bound:14s}  {row.what}  [{row.detail}]",
                flush=True,
            )
            rows.append(row)
    if not options.parts:
        options.out.write_text(_markdown(rows), encoding="utf-8")


def _markdown(rows: list[Ratio]) -> str:
    lines = [
        "# Speed",
        "",
        "Ratios of wall time by `python -m benchmarks`, in one run, medians of pairs,",
        f"on {platform.machine()}, Python {platform.python_version()}, "
        + ", ".join(_versions())
        + ".",
        "",
        "| what | measured | asked | seconds |",
        "|---|---|---|---|",
    ]
    lines += [f"| {r.what} | {r.value:.3g} | {r.bound} | {r.detail} |" for r in rows]
    return "\n".join(lines) + "\n"


def _versions() -> list[str]:
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return found


if __name__ == "__main__":
    main()
