"""The sentences that say what a result is, made of its numbers and of what is told."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pandas as pd

from beam_pandas._lazy import load
from beam_pandas.errors import (
    BeamError,
    ScoreTypeError,
    check_option,
    check_probability,
    count,
    is_number,
)
from beam_pandas.results.build import tidy_functions
from beam_pandas.results.vocabulary import VOCABULARY, columns_of
from beam_pandas.table.columns import read_numbers
from beam_pandas.table.marks import DIFFERS
from beam_pandas.table.numbers import NOTHING, style_of, write_p
from beam_pandas.table.plan import label_text
from beam_pandas.types import Alternative

_PROCEDURES: Final = {
    "nemenyi": "Nemenyi test of mean ranks",
    "critical_difference": "Mean ranks; methods that share a letter are not told apart by "
    "the Nemenyi test",
    "cliques": "Groups of methods that the Nemenyi test does not tell apart",
    "mean_rank_tests": "Tests of mean ranks, pair by pair",
    "compare_to_control": "Comparison with a control",
    "pairwise": "Exact sign tests, pair by pair",
    "wilcoxon": "Wilcoxon signed-rank tests, pair by pair",
    "mean_difference_tests": "Paired t tests of mean differences",
    "improvement": "Probability of improvement, pair by pair",
    "bayesian_sign": "Bayesian sign test, pair by pair",
    "bayesian_signed_rank": "Bayesian signed-rank test, pair by pair",
    "hierarchical": "Hierarchical correlated t test over runs, pair by pair",
    "correlated_t": "Correlated t tests over runs, pair by pair on each dataset",
    "friedman": "Friedman test",
    "skillings_mack": "Skillings-Mack test",
    "leaderboard": "Leaderboard",
    "rank_intervals": "Mean ranks with bootstrap intervals",
    "aggregate_scores": "Scores over runs and datasets",
    "bradley_terry": "Strengths of the Bradley-Terry model",
    "standing": "Mean share of datasets won, over the opponents met",
}
_ADJUSTMENTS: Final = {
    "holm": "Holm",
    "hochberg": "Hochberg",
    "hommel": "Hommel",
    "bonferroni": "Bonferroni",
    "shaffer": "Shaffer",
    "bergmann_hommel": "Bergmann and Hommel",
    "fdr_bh": "Benjamini and Hochberg (false discovery rate)",
}
_MISSING: Final = {
    "raise": "No score is missing",
    "available": "Missing scores are left out",
    "drop_datasets": "Datasets that lack a score of any method are left out",
    "drop_methods": "Methods that lack a score on any dataset are left out",
    "largest_block": "The complete block of methods and datasets with the most scores is "
    "kept",
    "worst": "A missing score counts as worse than every score",
}
_ALTERNATIVES: Final = {
    "two-sided": "Tests are two-sided",
    "greater": "Tests are one-sided, for the first of a pair being better",
    "less": "Tests are one-sided, for the first of a pair being worse",
}
_OF_A_CONTROL: Final = {
    "two-sided": "Tests are two-sided",
    "greater": "Tests are one-sided, for a method being better than the control",
    "less": "Tests are one-sided, for a method being worse than the control",
}
_RUNS: Final = {
    "mean": "Runs are averaged",
    "median": "Of several runs the median counts",
    "min": "Of several runs the smallest score counts",
    "max": "Of several runs the largest score counts",
    "best": "Of several runs the best score counts",
}


def caption(
    result: pd.DataFrame,
    *,
    alpha: float | None = None,
    adjust: str | None = None,
    alternative: Alternative | None = None,
    rope: float | str | None = None,
    missing: str | None = None,
    aggregate: str | None = None,
    confidence_level: float | None = None,
    threshold: float | None = None,
) -> str:
    """
    Say what a result is, in sentences for the caption of a table or a figure.

    A frame does not know how it was made. So they are of what the result holds (the
    numbers of methods, datasets and comparisons, a rope, a critical difference, how many
    are significant) and of what is told here; what is not told is not said. A difference
    that is not significant is never called equality.

    Parameters
    ----------
    result : DataFrame
        Result of a function of `beam_pandas`.
    alpha : float, optional
        Significance level that it was made with.
    adjust : str, optional
        Adjustment of its p-values, such as ``"holm"``.
    alternative : {"two-sided", "greater", "less"}, optional
        What its tests look for.
    rope : float or text, optional
        Its rope, where the result does not hold it.
    missing : str, optional
        What was done about missing scores, such as ``"drop_datasets"``.
    aggregate : {"mean", "median", "min", "max", "best"}, optional
        How runs were combined.
    confidence_level : float, optional
        Level of its intervals.
    threshold : float, optional
        Probability from which its pairs are decided.

    Returns
    -------
    str
        Plain text, which `pairs`, `ranking` and `scores` escape if it is passed to them as
        `caption`.

    Raises
    ------
    BeamError
        If an option is none of those above, or contradicts the result.
    ScoreTypeError
        If the result is no DataFrame.

    See Also
    --------
    pairs : a table with it.
    ranking : another one.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> result = scores.beam.nemenyi(missing="drop_methods")
    >>> said = beam_pandas.table.caption(result, alpha=0.05, missing="drop_methods")
    >>> for sentence in said.split(". "):
    ...     print(sentence)
    Nemenyi test of mean ranks
    accuracy: 13 methods on 32 datasets
    Methods that lack a score on any dataset are left out
    Critical difference 3.225 at alpha 0.05
    21 of 78 comparisons are significant (†) at alpha 0.05.
    """
    to_control = isinstance(result, pd.DataFrame) and "control" in result
    told = [
        _say_adjust(adjust),
        _say("alternative", alternative, _OF_A_CONTROL if to_control else _ALTERNATIVES),
        _say("aggregate", aggregate, _RUNS),
        _say("missing", missing, _MISSING),
        _say_level(confidence_level),
    ]
    return describe_result(result, alpha, rope, threshold, [each for each in told if each])


def describe_result(
    result: pd.DataFrame,
    alpha: float | None = None,
    rope: float | str | None = None,
    threshold: float | None = None,
    told: list[str] | None = None,
) -> str:
    """Say what a result is; see `caption`, with sentences to put before the counts."""
    if not isinstance(result, pd.DataFrame):
        raise ScoreTypeError(
            f"table.caption needs a pandas DataFrame, found {type(result).__name__}: pass "
            "the result of a function of beam_pandas"
        )
    if alpha is not None:
        check_probability("alpha", alpha)
        _check_alpha(result, alpha)
    if threshold is not None:
        check_probability("threshold", threshold)
    parts = [
        _say_procedure(result),
        _say_size(result),
        _say_rope(result, rope),
        *(told or []),
        _say_gap(result, alpha),
        _say_friedman(result),
        _say_significant(result, alpha),
        _say_decided(result, threshold),
    ]
    return "".join(f"{part}. " for part in parts if part).rstrip()


def maker_of(result: pd.DataFrame) -> str | None:
    """Find the function whose result has just these columns; None if there is none."""
    own = {name for name in result.columns if isinstance(name, str) and name in VOCABULARY}
    for name in tidy_functions():
        columns = set(columns_of(load(name)))
        if own | {"metric"} == columns | {"metric"}:
            return name
    return None


def constant_of(result: pd.DataFrame, name: str) -> float | None:
    """Give the one number of a column; None if it has several, or none at all."""
    if name not in result.columns:
        return None
    values = read_numbers(result[name])
    if not values.size or not np.isfinite(values).all() or (values != values[0]).any():
        return None
    return float(values[0])


def _say(name: str, value: Any, words: dict[str, str]) -> str:
    if value is None:
        return ""
    check_option(name, value, list(words))
    return words[value]


def _say_adjust(adjust: str | None) -> str:
    if adjust is None:
        return ""
    check_option("adjust", adjust, [*_ADJUSTMENTS, "none"])
    if adjust == "none":
        return "p-values are not adjusted for the number of comparisons"
    return f"p-values are adjusted after {_ADJUSTMENTS[adjust]}"


def _say_level(level: float | None) -> str:
    if level is None:
        return ""
    check_probability("confidence_level", level)
    return f"Intervals have a level of {100.0 * level:.10g} %"


def _say_procedure(result: pd.DataFrame) -> str:
    """Name the procedure that the columns are those of."""
    maker = maker_of(result)
    said = _PROCEDURES.get(maker or "", "")
    if "control" in result.columns:
        controls = result["control"].unique().tolist()
        if len(controls) == 1:
            return f"Comparison with {label_text(controls[0])}"
    return said


def _say_size(result: pd.DataFrame) -> str:
    """Count methods, datasets, runs and metrics, as far as the result has them."""
    found = []
    ends = [
        name for name in ("control", "method", "method_1", "method_2") if name in result
    ]
    if ends:
        methods = pd.unique(pd.concat([result[name].astype(object) for name in ends]))
        found.append(count(len(methods), "method"))
    elif (number := constant_of(result, "n_methods")) is not None:
        found.append(count(int(number), "method"))
    datasets = _range(result, "n_datasets", "dataset")
    if not datasets and "dataset" in result:
        datasets = count(int(result["dataset"].nunique()), "dataset")
    text = " on ".join([*found, datasets]) if datasets else " ".join(found)
    runs = _range(result, "n_runs", "run")
    text = f"{text}, {runs}" if runs and text else text
    metrics = result["metric"].unique().tolist() if "metric" in result else []
    names = ", ".join(label_text(each) for each in metrics)
    return f"{names}: {text}" if names and text else text or names


def _range(result: pd.DataFrame, name: str, noun: str) -> str:
    """Say a number of things, or from how many to how many."""
    if name not in result or result.empty:
        return ""
    values = read_numbers(result[name])
    values = values[np.isfinite(values)]
    if not values.size:
        return ""
    low, high = int(values.min()), int(values.max())
    return count(low, noun) if low == high else f"{low:,} to {high:,} {noun}s"


def _say_rope(result: pd.DataFrame, rope: float | str | None) -> str:
    """Say what counts as a tie, by the result if it holds it."""
    held = constant_of(result, "rope")
    is_counted = "ties" in result.columns or "prob_equivalent" not in result.columns
    what = "ties" if is_counted else "equivalent"
    if rope is None:
        return _tie(held, what) if held is not None else ""
    if isinstance(rope, str):
        return f"Differences within the rope {rope} count as {what}"
    if not (is_number(rope) and 0.0 <= float(rope) < np.inf):
        raise BeamError(f"rope must be a number, 0 or above, or text, got {rope!r}")
    if held is not None and held != float(rope):
        raise BeamError(
            f"rope={rope!r} is not that of the result, whose column has {held!r}"
        )
    return _tie(float(rope), what)


def _tie(rope: float, what: str) -> str:
    if rope == 0.0:
        return f"Equal scores count as {what}"
    return f"Differences up to {rope:.15g} count as {what}"


def _say_gap(result: pd.DataFrame, alpha: float | None) -> str:
    gap = constant_of(result, "critical_difference")
    if gap is None:
        return ""
    level = f" at alpha {alpha:.10g}" if alpha is not None else ""
    return f"Critical difference {gap:.4g}{level}"


def _say_friedman(result: pd.DataFrame) -> str:
    statistic = constant_of(result, "friedman_statistic")
    p_value = constant_of(result, "friedman_p_value")
    if statistic is None or p_value is None:
        return ""
    sign = "" if p_value < 0.001 else "= "
    written = style_of(np.array([statistic])).write(statistic)
    return f"Friedman chi-square {written}, p {sign}{write_p(p_value)}"


def _say_significant(result: pd.DataFrame, alpha: float | None) -> str:
    """Count the comparisons that are significant, and those that were not made."""
    if "significant" not in result or result.empty:
        return ""
    total, found = len(result), int(result["significant"].fillna(False).sum())
    noun = "dataset" if maker_of(result) == "dataset_discrimination" else "comparison"
    mark = f" ({DIFFERS})" if found and "p_adjusted" in result else ""
    level = f" at alpha {alpha:.10g}" if alpha is not None else ""
    verb = "is" if found == 1 else "are"
    said = f"{found:,} of {count(total, noun)} {verb} significant{mark}{level}"
    column = next((name for name in ("p_adjusted", "p_value") if name in result), None)
    absent = 0 if column is None else int(result[column].isna().sum())
    if absent:
        said += f"; {absent:,} could not be made ({NOTHING})"
    return said


def _say_decided(result: pd.DataFrame, threshold: float | None) -> str:
    """Count the decisions."""
    if "decision" not in result or result.empty:
        return ""
    number = result["decision"].value_counts()
    words = ("better", "equivalent", "worse", "undecided")
    said = ", ".join(f"{int(number.get(word, 0)):,} {word}" for word in words)
    level = f" from a probability of {threshold:.10g} on" if threshold is not None else ""
    return f"Decided{level}, of method 1: {said}"


def _check_alpha(result: pd.DataFrame, alpha: float) -> None:
    """Refuse a level that the verdicts of the result cannot have been made with."""
    if not {"significant", "p_adjusted"} <= set(result.columns):
        return
    p_adjusted = read_numbers(result["p_adjusted"])
    said = result["significant"].fillna(False).to_numpy(dtype=bool)
    wrong = (p_adjusted <= alpha) != said
    if "critical_difference" in result and result["critical_difference"].notna().any():
        # a gap equal to it is within, whatever the last digits of the p-value
        wrong &= np.abs(p_adjusted - alpha) > 1e-9
    if wrong.any():
        raise BeamError(
            f"alpha={alpha!r} is not that of the result: its column significant says "
            "otherwise of some p-values"
        )
