"""`df.beam` and `df.groupby(...).beam`: one line a method, no logic, no state."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import pandas as pd
import pandas_flavor
from pandas.api.typing import DataFrameGroupBy

from beam_pandas import (
    discrimination,
    incomplete,
    order,
    pairs,
    post_hoc,
    posterior,
    ranking,
    to_wide,
)
from beam_pandas.grouping import apply_to_groups
from beam_pandas.summary import describe_scores

P = ParamSpec("P")
S = TypeVar("S")
Function = Callable[Concatenate[pd.DataFrame, P], pd.DataFrame]
Method = Callable[Concatenate[S, P], pd.DataFrame]


def _on_frame(function: Function[P]) -> Method[BeamAccessor, P]:
    """Make a method that calls a function on the frame."""

    def method(self: BeamAccessor, /, *args: P.args, **kwargs: P.kwargs) -> pd.DataFrame:
        return function(self._frame, *args, **kwargs)

    return update_wrapper(method, function)


def _on_groups(function: Function[P]) -> Method[BeamGroupByAccessor, P]:
    """Make a method that calls a function on each group."""

    def method(
        self: BeamGroupByAccessor, /, *args: P.args, **kwargs: P.kwargs
    ) -> pd.DataFrame:
        return apply_to_groups(self._grouped, function, *args, **kwargs)

    return update_wrapper(method, function)


class BeamAccessor:
    """
    Compare methods over datasets: each method is the function of that name.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`. They are
        looked at by the methods, not before.
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def __repr__(self) -> str:
        """Say in a line what the frame holds, or what it lacks."""
        return f"<df.beam: {describe_scores(self._frame)}>"

    adjusted_rank_sums = _on_frame(incomplete.adjusted_rank_sums)
    bayesian_sign = _on_frame(posterior.bayesian_sign)
    circular_triads = _on_frame(order.circular_triads)
    cliques = _on_frame(ranking.cliques)
    compare_to_control = _on_frame(post_hoc.compare_to_control)
    comparison_matrix = _on_frame(pairs.comparison_matrix)
    coverage = _on_frame(incomplete.coverage)
    critical_difference = _on_frame(ranking.critical_difference)
    dataset_concordance = _on_frame(discrimination.dataset_concordance)
    dataset_discrimination = _on_frame(discrimination.dataset_discrimination)
    friedman = _on_frame(ranking.friedman)
    majority = _on_frame(order.majority)
    missing_scores = _on_frame(incomplete.missing_scores)
    nemenyi = _on_frame(post_hoc.nemenyi)
    pairwise = _on_frame(pairs.pairwise)
    pooled_scores = _on_frame(discrimination.pooled_scores)
    ranks = _on_frame(ranking.ranks)
    skillings_mack = _on_frame(incomplete.skillings_mack)
    standing = _on_frame(pairs.standing)
    transitivity = _on_frame(order.transitivity)
    wide_scores = _on_frame(to_wide.wide_scores)


class BeamGroupByAccessor:
    """
    Compare methods over the datasets of each group.

    The keys of the groups lead the result as columns; rows without a key are left out,
    as the groupby says.

    Parameters
    ----------
    grouped : DataFrameGroupBy
        Scores, grouped by anything.
    """

    def __init__(self, grouped: DataFrameGroupBy[Any, Any]) -> None:
        self._grouped = grouped

    def __repr__(self) -> str:
        """Say in a line what the frame holds, or what it lacks."""
        frame = cast("pd.DataFrame", self._grouped.obj)
        return f"<df.groupby(...).beam: {describe_scores(frame)}>"

    adjusted_rank_sums = _on_groups(incomplete.adjusted_rank_sums)
    bayesian_sign = _on_groups(posterior.bayesian_sign)
    circular_triads = _on_groups(order.circular_triads)
    cliques = _on_groups(ranking.cliques)
    compare_to_control = _on_groups(post_hoc.compare_to_control)
    comparison_matrix = _on_groups(pairs.comparison_matrix)
    coverage = _on_groups(incomplete.coverage)
    critical_difference = _on_groups(ranking.critical_difference)
    dataset_concordance = _on_groups(discrimination.dataset_concordance)
    dataset_discrimination = _on_groups(discrimination.dataset_discrimination)
    friedman = _on_groups(ranking.friedman)
    majority = _on_groups(order.majority)
    missing_scores = _on_groups(incomplete.missing_scores)
    nemenyi = _on_groups(post_hoc.nemenyi)
    pairwise = _on_groups(pairs.pairwise)
    pooled_scores = _on_groups(discrimination.pooled_scores)
    ranks = _on_groups(ranking.ranks)
    skillings_mack = _on_groups(incomplete.skillings_mack)
    standing = _on_groups(pairs.standing)
    transitivity = _on_groups(order.transitivity)
    wide_scores = _on_groups(to_wide.wide_scores)


def register_accessors() -> None:
    """Register both accessors; doing so again changes nothing and warns of nothing."""
    for owner, accessor, register in (
        (pd.DataFrame, BeamAccessor, pandas_flavor.register_dataframe_accessor),
        (
            DataFrameGroupBy,
            BeamGroupByAccessor,
            pandas_flavor.register_dataframe_groupby_accessor,
        ),
    ):
        registered = getattr(owner, "beam", None)
        if getattr(registered, "__module__", None) == __name__:
            delattr(owner, "beam")
        register("beam")(accessor)
