"""
Every column of every result, once: its dtype, its meaning, and how it reads in exchange.

A column means the same wherever it stands. A function says beside itself, by `gives`,
which columns its result has; all that depends on columns reads it from here and there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

LABEL: Final = "label"  # keeps the dtype that it has in the caller's frame
SOME_LABEL: Final = "label or none"  # so does this, as the nullable dtype of whole numbers

# What becomes of a column of a pair when its two methods change places.
SAME: Final = "same"
SIGN: Final = "sign"  # the opposite number
COMPLEMENT: Final = "complement"  # 1 minus the number
DECISION: Final = "decision"  # "better" is "worse"

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Column(NamedTuple):
    """
    What there is to know of a column.

    Attributes
    ----------
    dtype : str
        Of the values; that of a label is the caller's.
    meaning : str
        In a line.
    exchanged : str or None
        What becomes of it when the two methods of a pair change places: one of the words
        above, or the name of the column that it changes places with. None if it describes
        no pair.
    """

    dtype: str
    meaning: str
    exchanged: str | None = None


VOCABULARY: Final[dict[str, Column]] = {
    # labels
    "metric": Column(LABEL, "metric of the scores; each is analysed on its own"),
    "dataset": Column(LABEL, "dataset"),
    "dataset_1": Column(LABEL, "first dataset of a pair, in label order"),
    "dataset_2": Column(LABEL, "second dataset of a pair"),
    "method": Column(LABEL, "method"),
    "method_1": Column(LABEL, "first method of a pair, in label order"),
    "method_2": Column(LABEL, "second method of a pair"),
    "method_3": Column(LABEL, "third method of a triad"),
    "control": Column(LABEL, "method that the others are compared with"),
    "best_method": Column(LABEL, "first in label order of the methods in first place"),
    "condorcet_method": Column(SOME_LABEL, "method that outperforms every other one"),
    # numbers of things
    "n_methods": Column("int64", "number of methods", SAME),
    "n_datasets": Column("int64", "number of datasets", SAME),
    "n_metrics": Column("int64", "number of metrics"),
    "n_runs": Column("int64", "number of runs", SAME),
    "n_runs_min": Column("int64", "least number of runs on a dataset that has any"),
    "n_runs_max": Column("int64", "largest number of runs on a dataset"),
    "n_runs_failed": Column("int64", "number of runs without a score"),
    "n_runs_missing": Column("int64", "number of runs that others have there"),
    "n_scores": Column("int64", "number of datasets with a score"),
    "n_missing": Column("int64", "number of datasets without a score"),
    "n_clusters": Column("int64", "number of families of datasets", SAME),
    "n_components": Column("int64", "number of groups of methods that never met"),
    "n_opponents": Column("int64", "number of methods that it shares a dataset with"),
    "n_zeros": Column("int64", "number of datasets on which a pair is equal", SAME),
    "n_tied_pairs": Column("int64", "number of pairs with as many wins as losses"),
    "n_triads": Column("int64", "number of triples whose three pairs are decided"),
    "n_circular_triads": Column("int64", "number of those in which each beats the next"),
    "n_beaten": Column("int64", "number of methods that it outperforms"),
    "n_tied": Column("int64", "number of methods that it is even with"),
    "n_beaten_by": Column("int64", "number of methods that outperform it"),
    "n_not_compared": Column("int64", "number of methods that it shares no dataset with"),
    "n_best": Column("int64", "number of methods in first place"),
    "n_pairs": Column("int64", "number of pairs"),
    "n_flips": Column("int64", "number of pairs whose verdict changes"),
    "n_flips_nemenyi": Column("int64", "number of pairs whose verdict by Nemenyi changes"),
    "n_flips_sign": Column("int64", "number of pairs whose verdict by signs changes"),
    "n_required": Column("float64", "number of datasets that would be needed", SAME),
    "datasets_needed": Column("int64", "number of datasets that would be needed"),
    "component": Column("int64", "number of the group of methods that met, from 1"),
    "wins": Column("int64", "datasets on which method_1 is better", "losses"),
    "ties": Column("int64", "datasets on which a pair is within the rope", SAME),
    "losses": Column("int64", "datasets on which method_2 is better", "wins"),
    # scores and ranks
    "score": Column("float64", "score, in its unit"),
    "mean_score": Column("float64", "mean score over the datasets, in its unit"),
    "pooled_score": Column("float64", "mean of the scaled metrics, 1 is the best"),
    "score_rank": Column("float64", "rank on the dataset, 1 is the best"),
    "mean_rank": Column("float64", "mean rank over the datasets, 1 is the best"),
    "mean_rank_1": Column("float64", "mean rank of method_1, 1 is the best", "mean_rank_2"),
    "mean_rank_2": Column("float64", "mean rank of method_2, 1 is the best", "mean_rank_1"),
    "control_mean_rank": Column("float64", "mean rank of the control, 1 is the best"),
    "adjusted_rank_sum": Column("float64", "Skillings-Mack sum of weighted ranks"),
    "rank_sum_1": Column("float64", "sum of the ranks in favour of method_1", "rank_sum_2"),
    "rank_sum_2": Column("float64", "sum of the ranks in favour of method_2", "rank_sum_1"),
    "place_low": Column("float64", "lower end of the interval of the place"),
    "place_high": Column("float64", "upper end of the interval of the place"),
    "rank_shift": Column("float64", "largest shift of a mean rank"),
    "standing": Column("float64", "mean share of datasets won from the opponents met"),
    "standing_rank": Column("float64", "place by standing, 1 is the best"),
    "copeland_score": Column("float64", "methods outperformed, and half of those even"),
    "order_rank": Column("float64", "place in the one order of all majorities"),
    "threshold": Column("float64", "value that is reached, in the unit of the score"),
    "gap_to_best": Column("float64", "mean gap to the best of each dataset, 0 or more"),
    # observed shares, and probabilities
    "share": Column("float64", "share of the runs that reach the threshold"),
    "share_missing": Column("float64", "share of the datasets without a score"),
    "share_better": Column("float64", "share of datasets won by method_1", "share_worse"),
    "share_equivalent": Column("float64", "share of datasets within the rope", SAME),
    "share_worse": Column("float64", "share of datasets won by method_2", "share_better"),
    "share_improved": Column("float64", "mean share of pairs of runs won", COMPLEMENT),
    "prob_better": Column(
        "float64", "posterior probability that method_1 is mostly better", "prob_worse"
    ),
    "prob_equivalent": Column(
        "float64", "posterior probability that a pair is mostly within the rope", SAME
    ),
    "prob_worse": Column(
        "float64", "posterior probability that method_2 is mostly better", "prob_better"
    ),
    "expected_better": Column(
        "float64", "expected share of datasets won by method_1", "expected_worse"
    ),
    "expected_equivalent": Column(
        "float64", "expected share of datasets within the rope", SAME
    ),
    "expected_worse": Column(
        "float64", "expected share of datasets won by method_2", "expected_better"
    ),
    "prob_best": Column("float64", "share of bootstrap draws in which it is the best"),
    "prob_top": Column("float64", "share of bootstrap draws in which it is near the top"),
    # differences and other estimates
    "mean_diff": Column("float64", "mean difference, positive favours method_1", SIGN),
    "median_diff": Column("float64", "Hodges-Lehmann estimate of the difference", SIGN),
    "rank_diff": Column("float64", "difference of mean ranks, positive is better", SIGN),
    "ci_low": Column("float64", "lower end of the interval of the estimate", "ci_high"),
    "ci_high": Column("float64", "upper end of the interval of the estimate", "ci_low"),
    "ci_level": Column("float64", "level that the interval really has", SAME),
    "cohen_d": Column("float64", "mean difference over its standard deviation", SIGN),
    "rank_biserial": Column("float64", "balance of the signed ranks, -1 to 1", SIGN),
    "standard_error": Column("float64", "standard error of the estimate", SAME),
    "simulation_error": Column("float64", "Monte Carlo error of the probabilities", SAME),
    "smallest_detectable": Column("float64", "smallest difference that is found", SAME),
    "scale": Column("float64", "scale of the Student law of the difference", SAME),
    "rope": Column("float64", "half-width of the region of equivalence", SAME),
    "estimate": Column("float64", "score over runs and datasets"),
    "strength": Column("float64", "log of the worth, 0 on average, more is better"),
    "elo": Column("float64", "strength on the Elo scale, 1500 on average"),
    "spread": Column("float64", "standard deviation over the methods"),
    "spread_rank": Column("float64", "place by spread, 1 is the largest"),
    "kendall_w": Column("float64", "coefficient of concordance, 0 to 1"),
    "kendall_tau": Column("float64", "rank correlation tau-b, -1 to 1", SAME),
    "coefficient_of_consistence": Column("float64", "1 without circular triads, 0 to 1"),
    # tests
    "critical_difference": Column(
        "float64", "gap in mean rank beyond which two differ", SAME
    ),
    "statistic": Column("float64", "statistic of the test", SIGN),
    "df": Column("int64", "degrees of freedom", SAME),
    "f_statistic": Column("float64", "F form of the statistic"),
    "f_df_1": Column("int64", "degrees of freedom of its numerator"),
    "f_df_2": Column("int64", "degrees of freedom of its denominator"),
    "p_value": Column("float64", "p-value, not adjusted", SAME),
    "p_adjusted": Column("float64", "p-value, adjusted for the comparisons made", SAME),
    "f_p_value": Column("float64", "p-value of the F form"),
    "exact_p_value": Column("float64", "exact p-value, NaN unless asked for"),
    "friedman_statistic": Column("float64", "Friedman's chi-square, corrected for ties"),
    "friedman_p_value": Column("float64", "its p-value"),
    "largest_rank_diff": Column("float64", "largest possible gap of two mean ranks"),
    "smallest_sign_p": Column("float64", "smallest possible p of the sign test"),
    "smallest_sign_p_adjusted": Column("float64", "the same after Holm over all pairs"),
    "smallest_wilcoxon_p_adjusted": Column("float64", "that of Wilcoxon's test after Holm"),
    "smallest_friedman_p": Column("float64", "smallest possible p of Friedman's test"),
    # verdicts
    "significant": Column("bool", "whether the difference is significant", SAME),
    "can_separate": Column("bool", "whether any outcome could exceed what is critical"),
    "is_transitive": Column("bool", "whether i over j and j over k imply i over k"),
    "has_cycle": Column("bool", "whether there is a cycle of majorities"),
    "has_consistent_order": Column("bool", "whether one order agrees with all majorities"),
    "in_smith_set": Column("bool", "whether in the smallest set that beats all others"),
    "decision": Column("str", "better, equivalent, worse or undecided", DECISION),
    "groups": Column("str", "letters of the groups that are not told apart"),
}


def gives(*columns: str) -> Callable[[_Function], _Function]:
    """
    Declare which columns the result of a function has, `metric` first where it leads them.

    Parameters
    ----------
    *columns : str
        In order, each of the vocabulary.
    """
    unknown = [name for name in columns if name not in VOCABULARY]
    if unknown:
        raise KeyError(f"no column of the vocabulary: {unknown}")

    def hang(function: _Function) -> _Function:
        vars(function)["result_columns"] = columns
        return function

    return hang


def columns_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """List the columns that a function declares; none if its result is a square."""
    columns: tuple[str, ...] = vars(function).get("result_columns", ())
    return columns


def describes_pairs(name: object) -> bool:
    """Tell whether a column says something of a pair, and is not what leads its rows."""
    known = VOCABULARY.get(name) if isinstance(name, str) else None
    return known is not None and known.exchanged is not None
