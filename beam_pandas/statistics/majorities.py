"""Do the majorities of all pairs agree on one order of the methods?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError
from beam_pandas.kernels.order import (
    Relation,
    examine_relation,
    list_circular_triads,
    smith_set,
)
from beam_pandas.labels import Picked, take_or_missing
from beam_pandas.results.vocabulary import gives
from beam_pandas.statistics.each_metric import analyse
from beam_pandas.statistics.pair_tables import Pairs, read_pairs
from beam_pandas.types import (
    Aggregate,
    Errors,
    HigherIsBetter,
    MissingPairs,
    Rope,
    UnevenRuns,
)


@gives(
    "metric",
    "n_methods",
    "n_tied_pairs",
    "n_triads",
    "n_circular_triads",
    "coefficient_of_consistence",
    "is_transitive",
    "has_cycle",
    "has_consistent_order",
    "condorcet_method",
)
def transitivity(
    frame: pd.DataFrame,
    rope: Rope = 0.0,
    *,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    missing: MissingPairs = "available",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Examine whether the majorities of all pairs are consistent with one order.

    A method outperforms another one if it wins on more of the shared datasets than it
    loses. As many wins as losses are a tied pair; neither a tied pair nor one without a
    shared dataset counts for anyone.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    rope : float, text, or mapping from metric to either, default 0.0
        Differences up to it, in the unit of the score, are ties. A text is
        ``"noise_floor"`` (of the registry, where few metrics have one: see `metrics`), a
        share of the larger score such as ``"2%"``, or the name of a column with a number
        for each score, of which for a pair the larger holds.
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
        One row per metric, with leading `metric` if `frame` has it:

        - **n_methods** : number of methods, k.
        - **n_tied_pairs** : pairs with as many wins as losses.
        - **n_triads** : triples of methods of which all three pairs are decided.
        - **n_circular_triads** : those in which each outperforms the next.
        - **coefficient_of_consistence** : 1 without circular triads, 0 with as many as k
          methods can have; NaN if any pair is undecided or k is less than 3.
        - **is_transitive** : whether i over j and j over k always imply i over k.
        - **has_cycle** : whether there is a cycle of any length. This is not the opposite
          of `is_transitive`: with A over B, B over C and a tie of A and C there is
          neither. And a longer cycle may pass through ties, without a circular triad.
        - **has_consistent_order** : whether every pair is decided and the relation is
          transitive, so that one order agrees with all majorities.
        - **condorcet_method** : the method that outperforms every other; missing if there
          is none.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, or the rope of a metric is not known.

    See Also
    --------
    majority : the same majorities, one row per method.
    circular_triads : the triples that contradict an order.
    pairwise : the counts that make the majorities, with a test.

    References
    ----------
    Kendall, M. G., Babington Smith, B. (1940). On the method of paired comparisons.
    Biometrika 31(3/4), 324-345. doi:10.1093/biomet/31.3-4.324

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> int(scores.beam.transitivity()["n_circular_triads"].iloc[0])
    4
    """
    names: dict[int, pd.Index] = {}  # the same for all metrics

    def compute(pairs: Pairs) -> Mapping[str, Any]:
        relation = pairs.relation
        found = examine_relation(relation)._asdict()
        counts = {"n_methods": len(pairs.methods)} | found
        columns: dict[str, Any] = {name: [value] for name, value in counts.items()}
        key = id(pairs.methods)
        if key not in names:
            names[key] = _or_missing(pairs.methods)
        columns["condorcet_method"] = Picked(names[key], _condorcet(relation))
        return columns

    items = read_pairs(
        frame,
        rope=rope,
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        uneven_runs=uneven_runs,
        missing=missing,
    )
    return analyse(transitivity, items, compute, errors)


@gives(
    "metric",
    "method",
    "n_beaten",
    "n_tied",
    "n_beaten_by",
    "n_not_compared",
    "copeland_score",
    "in_smith_set",
    "order_rank",
)
def majority(
    frame: pd.DataFrame,
    rope: Rope = 0.0,
    *,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    missing: MissingPairs = "available",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    Count for each method whom it outperforms on most of the shared datasets.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    rope : float, text, or mapping from metric to either, default 0.0
        Differences up to it, in the unit of the score, are ties. A text is
        ``"noise_floor"`` (of the registry, where few metrics have one: see `metrics`), a
        share of the larger score such as ``"2%"``, or the name of a column with a number
        for each score, of which for a pair the larger holds.
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
        One row per method, highest Copeland score first, with leading `metric` if `frame`
        has it:

        - **method** : label.
        - **n_beaten** : methods that it outperforms.
        - **n_tied** : methods with which it has as many wins as losses.
        - **n_beaten_by** : methods that outperform it.
        - **n_not_compared** : methods that it shares no dataset with.
        - **copeland_score** : n_beaten + n_tied / 2. It depends on who is in the pool.
        - **in_smith_set** : whether it is in the smallest set whose members each
          outperform everyone outside it.
        - **order_rank** : place in the one order that agrees with all majorities, 1 for
          the best; NaN for all if there is none.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, or the rope of a metric is not known.

    See Also
    --------
    transitivity : whether the majorities agree on an order.
    circular_triads : the triples that contradict an order.
    standing : by how much a method outperforms the others.

    References
    ----------
    Smith, J. H. (1973). Aggregation of preferences with variable electorate. Econometrica
    41(6), 1027-1041. doi:10.2307/1914033

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> table = scores.beam.majority()
    >>> table.loc[table["in_smith_set"], "method"].tolist()
    ['MLP', 'SVC']
    """

    def compute(pairs: Pairs) -> Mapping[str, Any]:
        relation = pairs.relation
        n_methods = len(pairs.methods)
        n_beaten, n_tied = relation.beats.sum(axis=1), relation.tied.sum(axis=1)
        n_beaten_by = relation.beats.sum(axis=0)
        copeland = n_beaten + n_tied / 2.0
        order = np.argsort(-copeland, kind="stable")
        columns = {
            "method": Picked(pairs.methods, np.arange(n_methods)),
            "n_beaten": n_beaten,
            "n_tied": n_tied,
            "n_beaten_by": n_beaten_by,
            "n_not_compared": n_methods - 1 - n_beaten - n_tied - n_beaten_by,
            "copeland_score": copeland,
            "in_smith_set": smith_set(relation.beats),
            "order_rank": _order_ranks(relation, n_beaten),
        }
        return {name: col[order] for name, col in columns.items()}

    items = read_pairs(
        frame,
        rope=rope,
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        uneven_runs=uneven_runs,
        missing=missing,
    )
    return analyse(majority, items, compute, errors)


@gives(
    "metric",
    "method_1",
    "method_2",
    "method_3",
)
def circular_triads(
    frame: pd.DataFrame,
    rope: Rope = 0.0,
    *,
    limit: int | None = 20_000_000,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
    missing: MissingPairs = "available",
    errors: Errors = "raise",
) -> pd.DataFrame:
    """
    List the triples of methods in which each outperforms the next.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    rope : float, text, or mapping from metric to either, default 0.0
        Differences up to it, in the unit of the score, are ties. A text is
        ``"noise_floor"`` (of the registry, where few metrics have one: see `metrics`), a
        share of the larger score such as ``"2%"``, or the name of a column with a number
        for each score, of which for a pair the larger holds.
    limit : int or None, default 20,000,000
        More triads than this are refused; None lists them however many they are.
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
        One row per triad, none if there is no such, with leading `metric` if `frame` has
        it:

        - **method_1**, **method_2**, **method_3** : labels; 1 outperforms 2, 2 outperforms
          3 and 3 outperforms 1. The first is the first of the three in label order.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, or the rope of a metric is not known.

    See Also
    --------
    transitivity : how many there are, and what they leave of an order.
    majority : whom each method outperforms.

    References
    ----------
    Kendall, M. G., Babington Smith, B. (1940). On the method of paired comparisons.
    Biometrika 31(3/4), 324-345. doi:10.1093/biomet/31.3-4.324

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> len(scores.beam.circular_triads())
    4
    """

    def compute(pairs: Pairs) -> Mapping[str, Any]:
        _check_number(pairs, limit)
        triads = list_circular_triads(pairs.relation.beats)
        return {
            f"method_{number}": pairs.methods.take(triads[:, number - 1])
            for number in (1, 2, 3)
        }

    items = read_pairs(
        frame,
        rope=rope,
        higher_is_better=higher_is_better,
        aggregate=aggregate,
        uneven_runs=uneven_runs,
        missing=missing,
    )
    return analyse(circular_triads, items, compute, errors)


def _check_number(pairs: Pairs, limit: int | None) -> None:
    """Refuse to list more triads than a table can be read with."""
    if limit is None or len(pairs.methods) ** 3 / 24 <= limit:  # there cannot be more
        return
    number = examine_relation(pairs.relation).n_circular_triads
    if number > limit:
        raise BeamError(
            f"circular_triads lists at most limit={limit:,} triads, found {number:,}"
            f"{pairs.matrix.place}: transitivity() counts them, limit=None lists them all"
        )


def _or_missing(methods: pd.Index) -> pd.Index:
    """Give the methods and, last, a missing one."""
    return take_or_missing(methods, np.append(np.arange(len(methods)), -1))


def _condorcet(relation: Relation) -> NDArray[np.intp]:
    """Find the method that outperforms every other; -1, the missing one, if none does."""
    n_others = len(relation.beats) - 1
    found = np.flatnonzero(relation.beats.sum(axis=1) == n_others)
    return found if len(found) == 1 and n_others else np.array([-1])


def _order_ranks(relation: Relation, n_beaten: NDArray[np.int64]) -> NDArray[np.float64]:
    """Rank by the number of methods beaten, which in an order are all different."""
    if examine_relation(relation).has_consistent_order:
        return len(n_beaten) - n_beaten.astype(np.float64)
    return np.full(len(n_beaten), np.nan)
