"""How often, and by how much, is one method better than another?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, check_option, check_probability
from beam_pandas.kernels.adjustment import ADJUSTMENTS, Adjustment, adjust_p_values
from beam_pandas.kernels.binomial_sign import sign_p_values
from beam_pandas.kernels.pair_counts import mean_differences
from beam_pandas.kernels.row_ranks import rank_rows
from beam_pandas.labels import Picked
from beam_pandas.results.squares import build_square
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.statistics.pair_tables import Pairs, read_pairs, refuse_logical_adjustment
from beam_pandas.statistics.posteriors import Posteriors, Prior, check_prior
from beam_pandas.types import (
    Aggregate,
    Alternative,
    Errors,
    HigherIsBetter,
    MissingPairs,
    Rope,
    UnevenRuns,
)

Kind = Literal["frequency", "posterior"]
PairRelation = Literal["better", "better_or_equal", "equal", "worse_or_equal", "worse"]


@gives(
    "metric",
    "method_1",
    "method_2",
    "n_datasets",
    "wins",
    "ties",
    "losses",
    "share_better",
    "share_equivalent",
    "share_worse",
    "mean_diff",
    "rope",
    "p_value",
    "p_adjusted",
    "significant",
)
def pairwise(
    frame: pd.DataFrame,
    rope: Rope = 0.0,
    *,
    alpha: float = 0.05,
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
    control: Hashable | None = None,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    missing: MissingPairs = "available",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Compare each pair of methods on the datasets it shares: how often, by how much.

    Missing scores are no obstacle and nothing depends on the other methods, but for the
    adjustment of the p-values. A majority of wins is no proof: see `p_adjusted`.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    rope : float, text, or mapping from metric to either, default 0.0
        Differences up to it, in the unit of the score, are ties. A text is
        ``"noise_floor"`` (of the registry, where few metrics have one: see `metrics`), a
        share of the larger score such as ``"2%"``, or the name of a column with a number
        for each score, of which for a pair the larger holds.
    alpha : float, default 0.05
        Significance level of the adjusted p-values.
    adjust : {"holm", "hochberg", "hommel", "bonferroni", "fdr_bh", "none"}, default "holm"
        Adjustment for the number of pairs of a metric; pairs without a shared dataset do
        not count.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What the test looks for: any difference, that method_1 is better, or that it is
        worse.
    control : label, optional
        Only the pairs with this method; the adjustment is for these.
    higher_is_better : bool or mapping from metric to bool, optional
        Direction of the metrics; those not told are looked up in the registry.
    aggregate : {"mean", "median", "min", "max", "best"}, optional
        How to combine several runs of one method, dataset and metric; ``"best"`` is the
        better of them by direction. By default several scores are an error.
    uneven_runs : {"raise", "ignore", "shared"}, default "raise"
        With `aggregate`, where methods have different runs on a dataset: an error, or
        combine what is there, or keep the runs that all methods with a score there have,
        by the column `run`.
    missing : {"available", "worst"}, default "available"
        Whether a pair is compared on the datasets that both have, or a missing score of a
        dataset that anybody scored is worse than every score by more than any rope and
        ties with another missing one.
    errors : {"raise", "warn"}, default "raise"
        Whether metrics that their own data do not allow to analyse are an error, or are
        left out with a `BeamWarning` that names them.

    Returns
    -------
    DataFrame
        One row per pair, with leading `metric` if `frame` has it:

        - **method_1**, **method_2** : labels, the first before the second in label order.
        - **n_datasets** : number of datasets that both have.
        - **wins**, **ties**, **losses** : on how many of them method_1 is better by more
          than the rope, neither is, method_2 is.
        - **share_better**, **share_equivalent**, **share_worse** : the same as shares;
          NaN without a shared dataset.
        - **mean_diff** : mean of the differences, in the unit of the score, positive if
          method_1 is better; NaN without a shared dataset.
        - **rope** : as used.
        - **p_value** : exact sign test of wins against losses, ties left out; 1 if none
          is decided, NaN without a shared dataset. On n datasets the two-sided one cannot
          be below 2 to the power of 1 - n: five never get below 0.05.
        - **p_adjusted** : adjusted for the pairs of the metric.
        - **significant** : whether `p_adjusted` is at most alpha.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, or the rope of a metric is not known.

    See Also
    --------
    bayesian_sign : the probability that one is better, by more than the rope.
    standing : the shares of each method, averaged over its opponents.
    nemenyi : all pairs by their mean ranks.
    to_matrix : a column of the result as a square.

    References
    ----------
    Benavoli, A., Corani, G., Mangili, F. (2016). Should we really use post-hoc tests
    based on mean-ranks? JMLR 17(5), 1-10. https://www.jmlr.org/papers/v17/benavoli16a.html
    Demšar, J. (2006). JMLR 7, 1-30, section 3.1.4 (sign test).
    https://www.jmlr.org/papers/v7/demsar06a.html

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> pairs = scores.beam.pairwise(rope=0.01)
    >>> columns = ["method_1", "method_2", "wins", "ties", "losses"]
    >>> print(pairs[columns].head(2).to_string(index=False))
    method_1     method_2  wins  ties  losses
    AdaBoost ComplementNB    21     2       2
    AdaBoost DecisionTree    22     2       8
    """
    check_probability("alpha", alpha)
    refuse_logical_adjustment(adjust, "sign test")
    check_option("adjust", adjust, ADJUSTMENTS)
    check_option("alternative", alternative, get_args(Alternative))

    def compute(pairs: Pairs) -> Mapping[str, Any]:
        shared = pairs.shared
        p_value = sign_p_values(pairs.wins, pairs.losses, alternative)
        p_value[shared == 0] = np.nan
        p_adjusted = adjust_p_values(p_value, adjust)
        return {
            **pairs.labels_and_counts(),
            "share_better": _shares(pairs.wins, shared),
            "share_equivalent": _shares(pairs.ties, shared),
            "share_worse": _shares(pairs.losses, shared),
            "mean_diff": mean_differences(pairs.matrix.benefit, pairs.first, pairs.second),
            "p_value": p_value,
            "p_adjusted": p_adjusted,
            "significant": p_adjusted <= alpha,
        }

    items = read_pairs(
        frame,
        rope=rope,
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        uneven_runs=uneven_runs,
        missing=missing,
        control=control,
    )
    return analyse(pairwise, items, compute, errors)


@gives(
    "metric",
    "method",
    "n_opponents",
    "standing",
    "standing_rank",
)
def standing(
    frame: pd.DataFrame,
    rope: Rope = 0.0,
    *,
    kind: Kind = "frequency",
    prior: Prior | None = None,
    prior_strength: float | None = None,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    missing: MissingPairs = "available",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    How often a method outperforms another one, on average over its opponents.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    rope : float, text, or mapping from metric to either, default 0.0
        Differences up to it, in the unit of the score, are ties. A text is
        ``"noise_floor"`` (of the registry, where few metrics have one: see `metrics`), a
        share of the larger score such as ``"2%"``, or the name of a column with a number
        for each score, of which for a pair the larger holds.
    kind : {"frequency", "posterior"}, default "frequency"
        Whether to average the shares of datasets of `pairwise`, or the probabilities of
        `bayesian_sign`.
    prior : {"rope", "uniform", "neutral"}, optional
        Where the prior of the posterior is, see `bayesian_sign`, of which it has the
        default; only with ``kind="posterior"``.
    prior_strength : float, optional
        Number of its pseudo-datasets, likewise.
    higher_is_better : bool or mapping from metric to bool, optional
        Direction of the metrics; those not told are looked up in the registry.
    aggregate : {"mean", "median", "min", "max", "best"}, optional
        How to combine several runs of one method, dataset and metric; ``"best"`` is the
        better of them by direction. By default several scores are an error.
    uneven_runs : {"raise", "ignore", "shared"}, default "raise"
        With `aggregate`, where methods have different runs on a dataset: an error, or
        combine what is there, or keep the runs that all methods with a score there have,
        by the column `run`.
    missing : {"available", "worst"}, default "available"
        Whether a pair is compared on the datasets that both have, or a missing score of a
        dataset that anybody scored is worse than every score by more than any rope and
        ties with another missing one.
    errors : {"raise", "warn"}, default "raise"
        Whether metrics that their own data do not allow to analyse are an error, or are
        left out with a `BeamWarning` that names them.

    Returns
    -------
    DataFrame
        One row per method, best first, with leading `metric` if `frame` has it:

        - **method** : label.
        - **n_opponents** : number of methods it shares a dataset with.
        - **standing** : mean over them of share_better plus half of share_equivalent, or
          of the probabilities of the posterior likewise. 1 outperforms every other method
          on every dataset, 0.5 is even; NaN without an opponent. It depends on who is in
          the pool: copies of a weak method lift whoever beats it. With missing scores it
          depends on which of them a method met: methods of groups that never meet cannot
          be compared by it.
        - **standing_rank** : 1 for the best, ties averaged; NaN without an opponent.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, or the rope of a metric is not known.

    See Also
    --------
    pairwise : the shares that are averaged.
    majority : whom a method outperforms on most datasets.
    critical_difference : mean ranks, and which of them differ.

    References
    ----------
    Benavoli, A., Corani, G., Demšar, J., Zaffalon, M. (2017). Time for a change: a
    tutorial for comparing multiple classifiers through Bayesian analysis. JMLR 18(77),
    1-36. https://www.jmlr.org/papers/v18/16-305.html

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> table = scores.beam.standing(rope=0.01)
    >>> table["method"].iloc[0]
    'MLP'
    """
    check_option("kind", kind, get_args(Kind))
    posteriors = Posteriors(*_settle_prior(kind, prior, prior_strength))

    def compute(pairs: Pairs) -> Mapping[str, Any]:
        if kind == "frequency":
            found = standings(pairs)
        else:
            posterior = posteriors.of(pairs)
            better, even, worse = posterior.probability.T
            found = _average_over_opponents(pairs, better + even / 2.0, worse + even / 2.0)
        n_opponents, value, rank = found
        order = np.argsort(rank, kind="stable")
        return {
            "method": Picked(pairs.methods, order),
            "n_opponents": n_opponents[order],
            "standing": value[order],
            "standing_rank": rank[order],
        }

    items = read_pairs(
        frame,
        rope=rope,
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        uneven_runs=uneven_runs,
        missing=missing,
    )
    return analyse(standing, items, compute, errors)


def comparison_matrix(
    frame: pd.DataFrame,
    rope: Rope = 0.0,
    *,
    relation: PairRelation = "better",
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    missing: MissingPairs = "available",
) -> pd.DataFrame:
    """
    Count the datasets on which the method in the row does better than that in the column.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    rope : float, text, or mapping from metric to either, default 0.0
        Differences up to it, in the unit of the score, are ties. A text is
        ``"noise_floor"`` (of the registry, where few metrics have one: see `metrics`), a
        share of the larger score such as ``"2%"``, or the name of a column with a number
        for each score, of which for a pair the larger holds.
    relation : {"better", "better_or_equal", "equal", "worse_or_equal", "worse"}
        What to count; equal is within the rope. By default ``"better"``.
    higher_is_better : bool or mapping from metric to bool, optional
        Direction of the metrics; those not told are looked up in the registry. Pass True
        to count larger scores as better, whatever the metric.
    aggregate : {"mean", "median", "min", "max", "best"}, optional
        How to combine several runs of one method, dataset and metric; ``"best"`` is the
        better of them by direction. By default several scores are an error.
    uneven_runs : {"raise", "ignore", "shared"}, default "raise"
        With `aggregate`, where methods have different runs on a dataset: an error, or
        combine what is there, or keep the runs that all methods with a score there have,
        by the column `run`.
    missing : {"available", "worst"}, default "available"
        Whether a pair is compared on the datasets that both have, or a missing score of a
        dataset that anybody scored is worse than every score by more than any rope and
        ties with another missing one.

    Returns
    -------
    DataFrame
        int64, square: index and columns `method`, in label order. On the diagonal stands
        the number of scores of the method for the relations that include equality, 0 for
        the strict ones. With several metrics the rows have the levels `metric` and
        `method`.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, or the rope of a metric is not known.

    See Also
    --------
    pairwise : the same counts, one row per pair, with a test.
    to_matrix : any column of a result of pairs as a square.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> int(scores.beam.comparison_matrix().loc["SVC", "DecisionTree"])
    29
    """
    check_option("relation", relation, get_args(PairRelation))
    squares = []
    for pairs in read_pairs(
        frame,
        rope=rope,
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        uneven_runs=uneven_runs,
        missing=missing,
    ):
        if isinstance(pairs, BeamError):
            raise pairs
        squares.append((pairs.metric, pairs.methods, _count(pairs, relation)))
    return build_square(squares)


def _settle_prior(
    kind: Kind, prior: Prior | None, prior_strength: float | None
) -> tuple[Prior, float]:
    """Fill in what was not told of the prior; without a posterior there is none."""
    if kind == "frequency" and not (prior is None and prior_strength is None):
        raise BeamError(
            "prior and prior_strength belong to kind='posterior', got kind='frequency': "
            "leave them out, or pass kind='posterior'"
        )
    settled: tuple[Prior, float] = (
        "rope" if prior is None else prior,
        1.0 if prior_strength is None else prior_strength,
    )
    check_prior(*settled)
    return settled


def _count(pairs: Pairs, relation: PairRelation) -> NDArray[np.int64]:
    counts = pairs.counts
    return {
        "better": counts.wins,
        "better_or_equal": counts.wins + counts.ties,
        "equal": counts.ties,
        "worse_or_equal": counts.losses + counts.ties,
        "worse": counts.losses,
    }[relation]


def _shares(count: NDArray[np.int64], total: NDArray[np.int64]) -> NDArray[np.float64]:
    """Divide counts by the number of shared datasets; NaN where there is none."""
    shares = np.full(len(total), np.nan)
    np.divide(count, total, out=shares, where=total > 0)
    return shares


class Standings(NamedTuple):
    """How often each method outperforms its opponents, in label order."""

    n_opponents: NDArray[np.int64]
    value: NDArray[np.float64]  # NaN without an opponent
    rank: NDArray[np.float64]  # 1 for the best, ties averaged


def standings(pairs: Pairs) -> Standings:
    """Average the shares of datasets won, ties half, over the opponents met."""
    counts = (pairs.wins, pairs.ties, pairs.losses)
    better, even, worse = (_shares(n, pairs.shared) for n in counts)
    return _average_over_opponents(pairs, better + even / 2.0, worse + even / 2.0)


def _average_over_opponents(
    pairs: Pairs, better: NDArray[np.float64], worse: NDArray[np.float64]
) -> Standings:
    """Average what each pair that met says of its first and of its second method."""
    n_methods = len(pairs.methods)
    square = np.zeros((n_methods, n_methods))
    met = ~np.isnan(better)
    first, second = pairs.first[met], pairs.second[met]
    square[first, second] = better[met]
    square[second, first] = worse[met]
    n_opponents = (pairs.counts.shared > 0).sum(axis=1) - (
        pairs.counts.shared.diagonal() > 0
    )
    value = np.full(n_methods, np.nan)
    np.divide(square.sum(axis=1), n_opponents, out=value, where=n_opponents > 0)
    rank = rank_rows(value[None])[0]
    _, same, which = np.unique(rank, return_index=True, return_inverse=True)
    return Standings(n_opponents, value[same][which], rank)  # equal to the last digit
