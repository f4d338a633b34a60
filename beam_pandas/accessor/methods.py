"""`df.beam` and `df.groupby(...).beam`: one line a method, no logic, no state."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from importlib import import_module
from types import MethodType
from typing import TYPE_CHECKING, Any

import pandas as pd
import pandas_flavor
from pandas.api.typing import DataFrameGroupBy

if TYPE_CHECKING:
    from beam_pandas.plot.accessor import BeamPlots

    Function = Callable[..., pd.DataFrame]


class _Method:
    """
    The function of the same name, called with what the accessor is on.

    Its module is loaded when the method is first asked for, so that importing the package
    stays cheap.

    Parameters
    ----------
    module : str
        Module of this package that has the function.
    """

    def __init__(self, module: str) -> None:
        self._module = f"beam_pandas.{module}"

    def __set_name__(self, owner: type, name: str) -> None:
        """Take the name of the function from that of the attribute."""
        self._name = name

    def __get__(self, accessor: Any, owner: type | None = None) -> Any:
        """Give the method, with documentation and parameters of the function."""
        function: Function = getattr(import_module(self._module), self._name)
        if accessor is None:
            return function

        def method(self: Any, /, *args: Any, **kwargs: Any) -> pd.DataFrame:
            result: pd.DataFrame = self._call(function, *args, **kwargs)
            return result

        return MethodType(update_wrapper(method, function), accessor)


class _Methods:
    """The functions that take a frame of scores, as methods of either accessor."""

    @property
    def plot(self) -> BeamPlots:
        """Pictures of the scores."""
        return _plots(self)

    adjusted_rank_sums = _Method("statistics.incomplete")
    bayesian_sign = _Method("statistics.posteriors")
    circular_triads = _Method("statistics.majorities")
    cliques = _Method("statistics.mean_ranks")
    compare_to_control = _Method("statistics.post_hoc")
    comparison_matrix = _Method("statistics.pairs")
    coverage = _Method("statistics.incomplete")
    critical_difference = _Method("statistics.mean_ranks")
    dataset_concordance = _Method("statistics.datasets")
    dataset_discrimination = _Method("statistics.datasets")
    friedman = _Method("statistics.mean_ranks")
    majority = _Method("statistics.majorities")
    missing_scores = _Method("statistics.incomplete")
    nemenyi = _Method("statistics.post_hoc")
    pairwise = _Method("statistics.pairs")
    pooled_scores = _Method("statistics.datasets")
    ranks = _Method("statistics.mean_ranks")
    skillings_mack = _Method("statistics.incomplete")
    standing = _Method("statistics.pairs")
    transitivity = _Method("statistics.majorities")
    wide_scores = _Method("statistics.arranged")


class BeamAccessor(_Methods):
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
        return f"<df.beam: {_describe(self._frame)}>"

    def _call(self, function: Function, *args: Any, **kwargs: Any) -> pd.DataFrame:
        return function(self._frame, *args, **kwargs)


class BeamGroupByAccessor(_Methods):
    """
    Compare methods over the datasets of each group.

    The keys of the groups lead the result as columns; rows without a key are left out, as
    the groupby says. Grouping by the column `metric` is what every function does anyway:
    there a row without a metric is an error, as it is without a groupby.

    Parameters
    ----------
    grouped : DataFrameGroupBy
        Scores, grouped by anything.
    """

    def __init__(self, grouped: DataFrameGroupBy[Any, Any]) -> None:
        self._grouped = grouped

    def __repr__(self) -> str:
        """Say in a line what the frame holds, or what it lacks."""
        return f"<df.groupby(...).beam: {_describe(self._grouped.obj)}>"

    def _call(self, function: Function, *args: Any, **kwargs: Any) -> pd.DataFrame:
        apply_to_groups = import_module("beam_pandas.accessor.grouping").apply_to_groups
        result: pd.DataFrame = apply_to_groups(self._grouped, function, *args, **kwargs)
        return result


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


def _describe(frame: Any) -> str:
    text: str = import_module("beam_pandas.accessor.summary").describe_scores(frame)
    return text


def _plots(accessor: Any) -> BeamPlots:
    module = import_module("beam_pandas.plot.accessor")
    plots: BeamPlots = module.BeamPlots(accessor._call)
    return plots
