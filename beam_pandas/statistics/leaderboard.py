"""What is the one table to show: who is first, how sure, and who is told apart?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, check_option, check_probability
from beam_pandas.gate.scores import ScoreMatrix, complete_scores, read_scores
from beam_pandas.kernels.adjustment import ADJUSTMENTS, Adjustment, adjust_p_values
from beam_pandas.kernels.binomial_sign import sign_p_values
from beam_pandas.kernels.critical_gap import beyond
from beam_pandas.kernels.edge_cliques import cover_edges
from beam_pandas.kernels.nemenyi import nemenyi_gap
from beam_pandas.kernels.rank_bootstrap import bootstrap_mean_ranks
from beam_pandas.kernels.score_gaps import mean_gaps_to_best, mean_scores
from beam_pandas.kernels.signed_ranks import signed_rank_tests
from beam_pandas.labels import Picked
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.statistics.pair_tables import Pairs, count_matrix
from beam_pandas.statistics.pairs import standings
from beam_pandas.statistics.rank_tables import MeanRanks, name_letters, rank_matrices
from beam_pandas.statistics.rope import Ropes, resolve_ropes
from beam_pandas.statistics.streams import check_resamples, start_stream
from beam_pandas.types import (
    Aggregate,
    Errors,
    HigherIsBetter,
    MissingRanks,
    Rng,
    Rope,
    UnevenRuns,
)

LeaderboardTest = Literal["sign", "wilcoxon", "nemenyi"]


@gives(
    "metric",
    "method",
    "n_datasets",
    "n_missing",
    "mean_score",
    "mean_rank",
    "ci_low",
    "ci_high",
    "prob_best",
    "standing",
    "n_beaten",
    "gap_to_best",
    "groups",
)
def leaderboard(
    frame: pd.DataFrame,
    rope: Rope = 0.0,
    *,
    test: LeaderboardTest = "sign",
    alpha: float = 0.05,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    rng: Rng = 0,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    missing: MissingRanks = "available",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Make the one table: scores, ranks with intervals, wins, gaps, who is told apart.

    Each column is that of another function: see there for what it means and what it
    depends on. Mean ranks, standing and beaten methods depend on who is in the pool. The
    rope counts in `standing`, `n_beaten` and the sign test; scores, ranks and gaps know
    none.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    rope : float, text, or mapping from metric to either, default 0.0
        Differences up to it, in the unit of the score, are ties. A text is
        ``"noise_floor"`` (of the registry, where few metrics have one: see `metrics`), a
        share of the larger score such as ``"2%"``, or the name of a column with a number
        for each score, of which for a pair the larger holds.
    test : {"sign", "wilcoxon", "nemenyi"}, default "sign"
        Whose verdicts the groups show: those of `pairwise`, of `wilcoxon` or of
        `nemenyi`. The last needs complete scores and has its adjustment in it; the last
        two know no rope.
    alpha : float, default 0.05
        Significance level of the adjusted p-values.
    adjust : {"holm", "hochberg", "hommel", "bonferroni", "fdr_bh", "none"}, default "holm"
        Adjustment for the number of pairs of a metric; pairs without a shared dataset do
        not count.
    confidence_level : float, default 0.95
        Level of the intervals.
    n_resamples : int, default 10000
        Number of bootstrap draws.
    rng : int, Generator or None, default 0
        Seed of the draws. The stream starts anew for each metric and group; a generator is
        copied; None takes another seed each time.
    higher_is_better : bool or mapping from metric to bool, optional
        Direction of the metrics; those not told are looked up in the registry.
    aggregate : {"mean", "median", "min", "max", "best"}, optional
        How to combine several runs of one method, dataset and metric; ``"best"`` is the
        better of them by direction. By default several scores are an error.
    uneven_runs : {"raise", "ignore", "shared"}, default "raise"
        With `aggregate`, where methods have different runs on a dataset: an error, or
        combine what is there, or keep the runs that all methods with a score there have,
        by the column `run`.
    missing : {"available", "raise", "drop_datasets", "drop_methods", "largest_block", ...}
        What to do if a method lacks a dataset: take each mean over the datasets that the
        method has, ranks among the methods present and a pair on the datasets that both
        have (default); an error; leave out such datasets or such methods; keep the
        complete block with the most scores; or, ``"worst"``, let a missing score be worse
        than every score by more than any rope and tie with another missing one (means of
        scores and gaps are over what is there; not with ``test="wilcoxon"``).
    errors : {"raise", "warn"}, default "raise"
        Whether metrics that their own data do not allow to analyse are an error, or are
        left out with a `BeamWarning` that names them.

    Returns
    -------
    DataFrame
        One row per method, best first, with leading `metric` if `frame` has it. Best is
        the smallest mean rank; where scores are missing, so that mean ranks are over
        different datasets, the largest standing.

        - **method** : label.
        - **n_datasets**, **n_missing** : number of datasets with a score of the method,
          and without one that somebody has.
        - **mean_score** : mean score over the datasets it has, in the unit of the score,
          not turned; NaN without any.
        - **mean_rank** : mean rank over these, 1 is the best.
        - **ci_low**, **ci_high** : interval of the mean rank, as in `rank_intervals`.
        - **prob_best** : share of the draws of datasets in which its mean rank is the
          smallest, likewise.
        - **standing** : mean share of datasets won from its opponents, ties half, as in
          `standing`.
        - **n_beaten** : methods that it outperforms on more datasets than they it, as in
          `majority`.
        - **gap_to_best** : mean over the datasets it has of the best score there less its
          own, turned so that it is never negative; 0 is always best. In the unit of the
          score.
        - **groups** : letters of the groups that the test does not tell apart, such as
          ``"a,b"``. Two methods share a letter if and only if they do not differ
          significantly.

    Raises
    ------
    IncompleteScoresError
        If scores are missing and `missing` is ``"raise"``, or `test` is ``"nemenyi"``
        without a choice that completes them.
    BeamError
        If the frame is not a table of scores, has fewer than two methods or datasets, or
        the rope of a metric is not known.

    Warns
    -----
    BeamWarning
        With ``test="nemenyi"`` if so few datasets could not tell any two methods apart.

    See Also
    --------
    rank_intervals : intervals of the place, and of families of datasets.
    pairwise : the pairs behind the groups.

    References
    ----------
    Piepho, H.-P. (2004). An algorithm for a letter-based representation of all-pairwise
    comparisons. JCGS 13(2), 456-466. doi:10.1198/1061860043515

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> table = scores.beam.leaderboard(rope=0.01)
    >>> columns = ["method", "mean_rank", "standing", "gap_to_best", "groups"]
    >>> print(table[columns].head(3).round(3).to_string(index=False))
                method  mean_rank  standing  gap_to_best groups
                   MLP      5.516     0.687        0.021      a
                   SVC      5.109     0.678        0.026      a
    LogisticRegression      6.453     0.621        0.044    a,b
    """
    _check_options(test, missing, adjust)
    check_probability("alpha", alpha)
    check_probability("confidence_level", confidence_level)
    n_draws = check_resamples(n_resamples)
    stream = start_stream(rng)

    def compute(board: _Board) -> Mapping[str, Any]:
        matrix, pairs = board.table.matrix, board.count_pairs()
        told_apart = board.told_apart(pairs, test, alpha, adjust)
        drawn = bootstrap_mean_ranks(
            board.table.ranks,
            n_resamples=n_draws,
            confidence_level=float(confidence_level),
            top=1,
            rng=stream(),
        )
        standing = standings(pairs)
        holes = np.isnan(board.table.ranks).any()
        order = np.argsort(standing.rank, kind="stable") if holes else board.table.order
        n_datasets = np.count_nonzero(~np.isnan(matrix.scores), axis=0)
        columns = {
            "n_datasets": n_datasets,
            "n_missing": len(matrix.datasets) - n_datasets,
            "mean_score": mean_scores(matrix.scores),
            "mean_rank": drawn.mean_rank,
            "ci_low": drawn.ci_low,
            "ci_high": drawn.ci_high,
            "prob_best": drawn.prob_best,
            "standing": standing.value,
            "n_beaten": pairs.relation.beats.sum(axis=1),
            "gap_to_best": mean_gaps_to_best(matrix.benefit),
        }
        return {name: values[order] for name, values in columns.items()} | {
            "method": Picked(matrix.methods, order),
            "groups": _letters(told_apart[np.ix_(order, order)]),
        }

    matrices = list(
        read_scores(
            frame,
            higher_is_better=higher_is_better,
            aggregate=aggregate,
            uneven_runs=uneven_runs,
        )
    )
    tables = rank_matrices(matrices, missing, "leaderboard")
    kept = [
        matrix if isinstance(table, BeamError) else table.matrix
        for matrix, table in zip(matrices, tables, strict=True)
    ]
    items = [
        table if isinstance(table, BeamError) else _Board(table, width, missing == "worst")
        for table, width in zip(tables, resolve_ropes(rope, kept, frame), strict=True)
    ]
    return analyse(leaderboard, items, compute, errors)


def _check_options(test: object, missing: object, adjust: object) -> None:
    """Refuse options that do not exist, or not together."""
    check_option("test", test, get_args(LeaderboardTest))
    check_option("adjust", adjust, ADJUSTMENTS)
    check_option("missing", missing, get_args(MissingRanks))
    if test == "wilcoxon" and missing == "worst":
        raise BeamError(
            "test='wilcoxon' ranks the sizes of differences, which a missing score has "
            "not: with missing='worst' use test='sign'"
        )


class _Board(NamedTuple):
    """Ranks of one metric, and what counts as a win there."""

    table: MeanRanks
    rope: Ropes
    missing_is_worst: bool

    @property
    def matrix(self) -> ScoreMatrix:
        """Scores of the metric."""
        return self.table.matrix

    @property
    def metric(self) -> pd.Index | None:
        """The metric, as an index of one label, or None."""
        return self.table.metric

    def count_pairs(self) -> Pairs:
        """Count wins and ties of all pairs."""
        return count_matrix(self.table.matrix, self.rope, self.missing_is_worst)

    def told_apart(
        self, pairs: Pairs, test: LeaderboardTest, alpha: float, adjust: Adjustment
    ) -> NDArray[np.bool_]:
        """Tell which pairs differ significantly by a test, as a square."""
        if test == "nemenyi":
            return self._beyond_critical(alpha)
        if test == "sign":
            p_value = sign_p_values(pairs.wins, pairs.losses)
            p_value[pairs.shared == 0] = np.nan
        else:
            benefit = self.table.matrix.benefit
            p_value = signed_rank_tests(benefit, confidence_level=None).p_value
        k = len(pairs.methods)
        square = np.zeros((k, k), dtype=bool)
        square[pairs.first, pairs.second] = adjust_p_values(p_value, adjust) <= alpha
        return square | square.T

    def _beyond_critical(self, alpha: float) -> NDArray[np.bool_]:
        """Tell which mean ranks are further apart than the critical difference."""
        table = self.table
        if not self.missing_is_worst:  # else the ranks are complete, though scores are not
            complete_scores(table.matrix, "raise", "leaderboard(test='nemenyi')")
        gap = nemenyi_gap(alpha, table.n_methods, table.n_datasets)
        table.warn_if_hopeless(gap)
        return beyond(np.abs(table.mean[:, None] - table.mean), gap)


def _letters(told_apart: NDArray[np.bool_]) -> list[str]:
    """Write the letters of each method, which stand best first."""
    cliques = cover_edges(told_apart)
    names = name_letters(len(cliques))
    return [
        ",".join(names[at] for at in np.flatnonzero(member).tolist())
        for member in cliques.T
    ]
