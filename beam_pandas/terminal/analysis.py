"""The report as data: for each metric the results of the functions."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

import pandas as pd

from beam_pandas.errors import BeamError, is_of_metric
from beam_pandas.results.build import result_schema
from beam_pandas.statistics.incomplete import coverage, missing_scores, skillings_mack
from beam_pandas.statistics.majorities import transitivity
from beam_pandas.statistics.mean_ranks import critical_difference, friedman
from beam_pandas.statistics.pairs import pairwise, standing
from beam_pandas.statistics.posteriors import bayesian_sign
from beam_pandas.statistics.small_samples import resolution
from beam_pandas.terminal.cycles import find_cycle
from beam_pandas.terminal.gate import Verdict, judge


class Plan(NamedTuple):
    """
    What is asked of each metric.

    Attributes
    ----------
    alpha, threshold : float
        Level of the tests, and probability from which the posterior decides.
    missing : str or None
        How mean ranks come to a complete table; None for what keeps most.
    control, candidate : label or None
        Methods as they are called in the table.
    fail_on : {"worse", "undecided"} or None
        When the gate is shut.
    shared : dict
        What all functions are told: direction, aggregate, uneven_runs.
    closer : bool
        Whether the board and the single datasets are looked at, too.
    """

    alpha: float
    threshold: float
    missing: str | None
    control: Hashable
    candidate: Hashable
    fail_on: str | None
    shared: dict[str, Any]
    closer: bool = False


class MetricReport(NamedTuple):
    """
    All that is said of a metric.

    Attributes
    ----------
    name : str
        As it is shown.
    plan : Plan
        What was asked.
    results : dict of DataFrame
        By the name of the function.
    missing : str
        How the table of the mean ranks was made complete; "raise" if it is.
    no_ranks : str
        Why there are no mean ranks, empty if there are.
    cycle : list of labels
        Methods of which each beats the next, and the last the first.
    verdict : Verdict or None
        Of the gate.
    """

    name: str
    plan: Plan
    results: dict[str, pd.DataFrame]
    missing: str
    no_ranks: str
    cycle: list[Hashable]
    verdict: Verdict | None


def analyse_metric(name: str, scores: pd.DataFrame, rope: Any, plan: Plan) -> MetricReport:
    """
    Compute everything that is said of one metric.

    Raises
    ------
    BeamError
        If its scores do not allow it.
    """
    cover = coverage(scores)
    lacking = _what_lacks(scores, cover)
    results = {"coverage": cover, "missing_scores": lacking}
    gaps = lacking[lacking["n_runs"] == 0]
    choices = [plan.missing] if plan.missing is not None else _what_to_keep(cover, gaps)
    table, choice, reason = _rank(scores, choices, plan)
    complete = gaps.empty and table is not None
    shared = plan.shared
    if complete:
        results["friedman"] = friedman(scores, **shared)
    else:
        results["skillings_mack"] = skillings_mack(scores, **shared)
    if table is not None:
        results["critical_difference"] = table
        complete_by: dict[str, Any] = {"missing": choice, **shared}
        results["resolution"] = resolution(scores, alpha=plan.alpha, **complete_by)
    pairs: dict[str, Any] = {"control": plan.control, **shared}
    results["pairwise"] = pairwise(scores, rope, alpha=plan.alpha, **pairs)
    results["standing"] = standing(scores, rope, **shared)
    results["transitivity"] = transitivity(scores, rope, **shared)
    results["bayesian_sign"] = bayesian_sign(
        scores, rope, threshold=plan.threshold, **pairs
    )
    cycle: list[Hashable] = []
    if results["transitivity"]["has_cycle"].any():
        every = results["pairwise"]
        if plan.control is not None:
            every = pairwise(scores, rope, **shared)
        cycle = find_cycle(every)
    if plan.closer:
        # loads more than the rest of the report needs
        from beam_pandas.terminal.closer import look_closer

        results |= look_closer(scores, rope, choice, plan.alpha, shared)
    verdict = None
    if plan.candidate is not None:
        verdict = judge(
            results["bayesian_sign"], plan.candidate, plan.control, plan.fail_on
        )
    return MetricReport(name, plan, results, choice, reason, cycle, verdict)


def _what_lacks(scores: pd.DataFrame, cover: pd.DataFrame) -> pd.DataFrame:
    """List the missing scores, if there can be any."""
    has_one = (cover[["n_runs_min", "n_runs_max"]] == 1).all(axis=None)
    if has_one and not cover["n_missing"].any():
        labels = scores["method"].dtype
        named = "metric" in scores.columns
        return result_schema("missing_scores", metric=named, labels=labels)
    return missing_scores(scores)


def _what_to_keep(cover: pd.DataFrame, gaps: pd.DataFrame) -> list[str]:
    """List the ways to a complete table, the one that keeps most first."""
    if gaps.empty:
        return ["raise"]
    n_methods = len(cover)
    n_datasets = int((cover["n_scores"] + cover["n_missing"]).iloc[0])
    kept = {
        "drop_datasets": (n_methods, n_datasets - gaps["dataset"].nunique()),
        "drop_methods": (n_methods - gaps["method"].nunique(), n_datasets),
    }
    sizes = {name: k * n for name, (k, n) in kept.items() if min(k, n) >= 2}
    simple = sorted(sizes, key=lambda name: -sizes[name])
    at_one = 1 in (gaps["method"].nunique(), gaps["dataset"].nunique())
    if at_one and simple:  # a block has that one method or dataset, or has it not
        return simple
    return [*simple, "largest_block"]


def _rank(
    scores: pd.DataFrame, choices: list[str], plan: Plan
) -> tuple[pd.DataFrame | None, str, str]:
    """Rank the largest of the complete tables that the choices lead to, if there is one."""
    best, chosen, reason = None, "", ""
    for choice in choices:
        options: dict[str, Any] = {"missing": choice, **plan.shared}
        try:
            table = critical_difference(scores, alpha=plan.alpha, **options)
        except BeamError as error:
            if plan.missing is not None or not is_of_metric(error):
                raise
            reason = str(error)
            continue
        size = len(table) * table["n_datasets"].iloc[0]
        if best is None or size > len(best) * best["n_datasets"].iloc[0]:
            best, chosen = table, choice
    return best, chosen, "" if best is not None else reason
