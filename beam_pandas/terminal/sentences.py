"""The report in words: what the results of a metric say, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pandas as pd

from beam_pandas.errors import count
from beam_pandas.terminal.advice import advise
from beam_pandas.terminal.analysis import MetricReport
from beam_pandas.terminal.blocks import Block, Detail, Heading, Rows, Sentence
from beam_pandas.terminal.gate import Verdict
from beam_pandas.terminal.labels import shorten_names

_LISTED: Final = 8
_NAME: Final = 40


def describe(report: MetricReport) -> Iterator[Block]:
    """Say everything of a metric."""
    results, alpha = report.results, report.plan.alpha
    cover = results["coverage"]
    n_datasets = (cover["n_scores"] + cover["n_missing"]).iloc[0]
    yield Heading(
        f"{report.name}: {count(len(cover), 'method')} on {count(n_datasets, 'dataset')}"
    )
    if "friedman" in results:
        yield _friedman(results["friedman"])
    else:
        yield from _gaps(cover)
        yield from _skillings_mack(results["skillings_mack"])
    if report.no_ranks:
        yield Sentence(f"No critical difference: {advise(report.no_ranks)}")
    else:
        yield from _ranks(results["critical_difference"], alpha, report.missing)
        yield from _agreement(results["critical_difference"], alpha)
        yield from _resolution(results["resolution"], alpha)
    pairs, posterior = results["pairwise"], results["bayesian_sign"]
    yield from _standing(results["standing"], pairs["rope"])
    yield from _order(report)
    if report.plan.control is not None:
        yield from _against_control(report)
    yield from _decisions(pairs, posterior["decision"], report)
    if report.verdict is not None:
        yield from _verdict(report.verdict, report.plan.threshold)


def _friedman(tests: pd.DataFrame) -> Block:
    test = tests.to_dict("records")[0]
    return Sentence(
        f"Friedman chi-square {test['statistic']:.4g}, df {test['df']}, "
        f"p {test['p_value']:.3g}; Kendall's W {test['kendall_w']:.3f}"
    )


def _skillings_mack(tests: pd.DataFrame) -> Iterator[Block]:
    test = tests.to_dict("records")[0]
    size = f"{count(test['n_methods'], 'method')} on {count(test['n_datasets'], 'dataset')}"
    yield Sentence(
        f"Skillings-Mack {test['statistic']:.4g}, df {test['df']}, "
        f"p {test['p_value']:.3g}, corrected for ties"
    )
    yield Detail(f"{size} with two scores or more")
    if test["n_components"] > 1:
        yield Detail(f"in {test['n_components']} groups of methods that never meet")


def _gaps(cover: pd.DataFrame) -> Iterator[Block]:
    """Say which methods lack what."""
    lacking = cover[cover["n_missing"] > 0]
    if len(lacking):
        yield Sentence("Missing scores:")
    shown = lacking.head(_LISTED)
    names = shorten_names(shown["method"], _NAME)
    for name, row in zip(names, shown.to_dict("records"), strict=True):
        total = row["n_scores"] + row["n_missing"]
        yield Detail(f"{name} lacks {row['n_missing']} of {count(total, 'dataset')}")
    more = len(lacking) - _LISTED
    if more > 0:
        yield Detail(
            f"{count(more, 'more method')} {'lacks' if more == 1 else 'lack'} some"
        )


def _ranks(table: pd.DataFrame, alpha: float, missing: str) -> Iterator[Block]:
    """Write the mean ranks; `missing` is how their table was made complete."""
    if missing != "raise":
        size = (
            f"{count(len(table), 'method')} on "
            f"{count(table['n_datasets'].iloc[0], 'dataset')}"
        )
        how = "a missing score last" if missing == "worst" else "without gaps"
        yield Sentence(f"Mean ranks of {size} {how} ({missing})")
    gap = table["critical_difference"].iloc[0]
    yield Sentence(
        f"Critical difference {gap:.4g} at alpha {alpha:g}; methods that share a letter do "
        "not differ significantly"
    )
    yield Rows(
        ["method", "mean rank", "groups"],
        table["method"].tolist(),
        [
            [f"{rank:.3f}" for rank in table["mean_rank"]],
            [_short_groups(groups) for groups in table["groups"]],
        ],
    )


def _short_groups(groups: str) -> str:
    """Write many letters as first to last: the groups of a method are consecutive."""
    letters = groups.split(",")
    return groups if len(groups) <= 20 else f"{letters[0]} to {letters[-1]}"


def _agreement(table: pd.DataFrame, alpha: float) -> Iterator[Block]:
    """Say that the test of all methods and those of pairs may disagree, where they do."""
    first, last = table["groups"].iloc[0], table["groups"].iloc[-1]
    separates = not set(first.split(",")) & set(last.split(","))
    p_value = table["friedman_p_value"].iloc[0]
    if (p_value <= alpha) and not separates:
        yield Sentence(
            f"Friedman's test finds a difference (p {p_value:.3g}), but no two methods are "
            "further apart than the critical difference. That can be: it asks of all "
            "methods at once, and says of no pair that it differs"
        )
    elif separates and not p_value <= alpha:
        yield Sentence(
            "Two methods are further apart than the critical difference, though "
            f"Friedman's test finds no difference (p {p_value:.3g}). That can be: the two "
            "are different tests, and here they disagree; take the pair with caution"
        )


def _resolution(sizes: pd.DataFrame, alpha: float) -> Iterator[Block]:
    """Say where there are so few datasets that a test of all pairs can show nothing."""
    row = sizes.to_dict("records")[0]
    if row["can_separate"] and row["n_datasets"] >= row["datasets_needed"]:
        return
    yield Sentence(
        f"At best the sign test gives p {row['smallest_sign_p_adjusted']:.3g} after Holm; "
        f"{alpha:g} needs {count(row['datasets_needed'], 'dataset')}"
    )


def _standing(table: pd.DataFrame, rope: pd.Series) -> Iterator[Block]:
    """Write how often each method is better than another, over all it shares."""
    used = ""
    if len(rope):
        used = ", rope by dataset" if rope.isna().all() else f", rope {rope.iloc[0]:g}"
    yield Sentence(
        f"Pair by pair on shared datasets{used}: mean share won, ties half, over the "
        "opponents met"
    )
    values = ["-" if pd.isna(value) else f"{value:.3f}" for value in table["standing"]]
    met = [f"{number:,}" for number in table["n_opponents"]]
    yield Rows(["method", "standing", "opponents"], table["method"].tolist(), [values, met])


def _order(report: MetricReport) -> Iterator[Block]:
    """Say whether one order agrees with all majorities, or what stands in the way."""
    row = report.results["transitivity"].to_dict("records")[0]
    if row["has_consistent_order"]:
        yield Sentence("One order agrees with all majorities")
        return
    n_methods = row["n_methods"]
    met = int(report.results["standing"]["n_opponents"].sum()) // 2
    unmet = n_methods * (n_methods - 1) // 2 - met
    undecided = [
        (row["n_tied_pairs"], count(row["n_tied_pairs"], "tied pair")),
        (unmet, f"{count(unmet, 'pair')} without a shared dataset"),
    ]
    open_pairs = [text for number, text in undecided if number]
    if not row["has_cycle"]:
        yield Sentence("No majority contradicts the others, but not every pair has one:")
        yield Detail(", ".join(open_pairs))
        return
    triads = row["n_circular_triads"]
    reason = (
        count(triads, "circular triad")
        if triads
        else f"a cycle of {len(report.cycle)} methods"
    )
    yield Sentence("No one order agrees with all majorities:")
    yield Detail(", ".join([reason, *open_pairs]))
    yield from _name_cycle(report)


def _name_cycle(report: MetricReport) -> Iterator[Block]:
    names = shorten_names(report.cycle[:6], 20)
    shown = " beats ".join(names)
    if len(report.cycle) > 6:
        yield Detail(f"{shown}, and so on through {len(report.cycle)} methods to the first")
    elif names:
        yield Detail(f"{shown} beats {names[0]}")


def _against_control(report: MetricReport) -> Iterator[Block]:
    """Write each pair from the side of the other method."""
    control = report.plan.control
    pairs = report.results["pairwise"].to_dict("records")
    decisions = report.results["bayesian_sign"]["decision"]
    sides = [(row, row["method_2"] == control) for row in pairs]
    name = shorten_names([control], _NAME)[0]
    yield Sentence(
        f"Against {name}: datasets won, tied and lost; the sign test after "
        f"Holm; the posterior at {report.plan.threshold:g}"
    )
    names: list[object] = [r["method_1"] if own else r["method_2"] for r, own in sides]
    won = [str(r["wins"] if own else r["losses"]) for r, own in sides]
    lost = [str(r["losses"] if own else r["wins"]) for r, own in sides]
    turned = {"better": "worse", "worse": "better"}
    decided = [
        str(text if own else turned.get(text, text))
        for text, (_, own) in zip(decisions, sides, strict=True)
    ]
    p_values = [
        "-" if pd.isna(r["p_adjusted"]) else f"{r['p_adjusted']:.3g}" for r, _ in sides
    ]
    tied = [str(r["ties"]) for r, _ in sides]
    yield Rows(
        ["method", "won", "tied", "lost", "p", "posterior"],
        names,
        [won, tied, lost, p_values, decided],
    )


def _decisions(
    pairs: pd.DataFrame, decision: pd.Series, report: MetricReport
) -> Iterator[Block]:
    """Count the pairs that each of the two tests decides."""
    numbers = decision.value_counts()
    better = numbers.get("better", 0) + numbers.get("worse", 0)
    met = int((pairs["n_datasets"] > 0).sum())
    alpha, threshold = report.plan.alpha, report.plan.threshold
    yield Sentence(f"Of {count(met, 'pair')} with a shared dataset are decided")
    yield Detail(
        f"{pairs['significant'].sum():5,} by the sign test (Holm, alpha {alpha:g})"
    )
    yield Detail(
        f"{better:5,} as better, {numbers.get('equivalent', 0):,} as equivalent by the "
        f"posterior (at {threshold:g})"
    )


def _verdict(verdict: Verdict, threshold: float) -> Iterator[Block]:
    """Say what the gate found."""
    candidate, control = shorten_names([verdict.candidate, verdict.control], 24)
    yield Sentence(
        f"Gate: {candidate} against {control} on {count(verdict.n_datasets, 'dataset')}: "
        f"{verdict.decision} (at {threshold:g})"
    )
    yield Detail(
        f"better with probability {verdict.prob_better:.3f}, equivalent "
        f"{verdict.prob_equivalent:.3f}, worse {verdict.prob_worse:.3f}"
    )
    if verdict.fails:
        yield Detail("this fails")
