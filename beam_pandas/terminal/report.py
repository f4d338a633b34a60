"""Results as lines of text for a terminal, at most 80 columns wide."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from beam_pandas.errors import count

_WIDTH = 80
_LISTED = 8


def describe_friedman(tests: pd.DataFrame) -> str:
    """Write the test of a complete table in a line."""
    test = tests.to_dict("records")[0]
    return (
        f"Friedman chi-square {test['statistic']:.4g}, df {test['df']}, "
        f"p {test['p_value']:.3g}; Kendall's W {test['kendall_w']:.3f}"
    )


def describe_skillings_mack(tests: pd.DataFrame) -> Iterator[str]:
    """Write the test of an incomplete table."""
    test = tests.to_dict("records")[0]
    size = f"{count(test['n_methods'], 'method')} on {count(test['n_datasets'], 'dataset')}"
    yield (
        f"Skillings-Mack {test['statistic']:.4g}, df {test['df']}, "
        f"p {test['p_value']:.3g}, corrected for ties"
    )
    yield f"  {size} with two scores or more"
    if test["n_components"] > 1:
        yield f"  in {test['n_components']} groups of methods that never meet each other"


def describe_gaps(cover: pd.DataFrame) -> Iterator[str]:
    """Say which methods lack what."""
    lacking = cover[cover["n_missing"] > 0]
    if len(lacking):
        yield "Missing scores:"
    for row in lacking.head(_LISTED).to_dict("records"):
        total = row["n_scores"] + row["n_missing"]
        method = _cut(str(row["method"]), 40)
        yield f"  {method} lacks {row['n_missing']} of {count(total, 'dataset')}"
    if len(lacking) > _LISTED:
        yield f"  {len(lacking) - _LISTED} more methods lack some"


def describe_ranks(table: pd.DataFrame, alpha: float, missing: str) -> Iterator[str]:
    """Write the mean ranks in a table; `missing` is how it was made complete."""
    if missing != "raise":
        n_datasets = table["n_datasets"].iloc[0]
        size = f"{count(len(table), 'method')} on {count(n_datasets, 'dataset')}"
        yield f"Mean ranks of {size} without gaps ({missing})"
    gap = table["critical_difference"].iloc[0]
    yield f"Critical difference {gap:.4g} at alpha {alpha:g}; methods that share a letter"
    yield "do not differ significantly"
    width = _name_width(table["method"])
    yield f"  {'method':<{width}}  mean rank  groups"
    for row in table.to_dict("records"):
        method, groups = _cut(str(row["method"]), width), _short_groups(row["groups"])
        yield f"  {method:<{width}}  {row['mean_rank']:9.3f}  {groups}"


def describe_resolution(sizes: pd.DataFrame, alpha: float) -> Iterator[str]:
    """Say where there are so few datasets that a test of all pairs can show nothing."""
    row = sizes.to_dict("records")[0]
    if row["can_separate"] and row["n_datasets"] >= row["datasets_needed"]:
        return
    yield (
        f"At best the sign test gives p {row['smallest_sign_p_adjusted']:.3g} after Holm; "
        f"{alpha:g} needs {count(row['datasets_needed'], 'dataset')}"
    )


def describe_standing(table: pd.DataFrame, rope: pd.Series) -> Iterator[str]:
    """Write how often each method is better than another, over all it shares."""
    used = f", rope {rope.iloc[0]:g}" if len(rope) else ""
    yield f"Pair by pair on shared datasets{used}: mean share won, ties half"
    width = _name_width(table["method"])
    yield f"  {'method':<{width}}  standing"
    for row in table.to_dict("records"):
        value = "-" if pd.isna(row["standing"]) else f"{row['standing']:.3f}"
        yield f"  {_cut(str(row['method']), width):<{width}}  {value:>8}"


def describe_order(majorities: pd.DataFrame, n_unmet: int) -> Iterator[str]:
    """Say whether the majorities agree on an order, else why not."""
    row = majorities.to_dict("records")[0]
    if row["has_consistent_order"]:
        yield "One order agrees with all majorities"
        return
    reasons = [
        (row["n_circular_triads"], count(row["n_circular_triads"], "circular triad")),
        (row["n_tied_pairs"], count(row["n_tied_pairs"], "tied pair")),
        (n_unmet, f"{count(n_unmet, 'pair')} without a shared dataset"),
    ]
    yield "No one order agrees with all majorities:"
    yield f"  {', '.join(text for number, text in reasons if number)}"


def describe_decisions(
    pairs: pd.DataFrame, decision: pd.Series, alpha: float
) -> Iterator[str]:
    """Count the pairs that each of the two tests decides."""
    equivalent = int((decision == "equivalent").sum())
    better = int(decision.isin(["better", "worse"]).sum())
    met = int((pairs["n_datasets"] > 0).sum())
    yield f"Of {count(met, 'pair')} with a shared dataset are decided"
    yield f"  {pairs['significant'].sum():5,} by the sign test (Holm, alpha {alpha:g})"
    yield (
        f"  {better:5,} as better, {equivalent:,} as equivalent by the posterior (at 0.95)"
    )


def _name_width(names: pd.Series) -> int:
    longest = max(len(_cut(str(name), _WIDTH)) for name in names)
    return min(max(longest, len("method")), _WIDTH - 36)


def _cut(text: str, width: int) -> str:
    text = " ".join(text.split())  # a line break would break the table
    return text if len(text) <= width else text[: width - 3] + "..."


def _short_groups(groups: str) -> str:
    """Write many letters as first to last: the groups of a method are consecutive."""
    letters = groups.split(",")
    return groups if len(groups) <= 20 else f"{letters[0]} to {letters[-1]}"
