"""`df.beam` and `df.groupby(...).beam`: one line a method, no logic, no state."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from importlib import import_module
from types import MethodType
from typing import TYPE_CHECKING, Any, ClassVar

import pandas as pd
import pandas_flavor
from pandas.api.typing import DataFrameGroupBy

from beam_pandas._lazy import load, read_stub
from beam_pandas.plot.attribute import PlotAttribute

if TYPE_CHECKING:
    Function = Callable[..., pd.DataFrame]


class _Method:
    """
    The function of the same name, called with what the accessor is on.

    It is loaded when the method is first asked for, so that importing the package stays
    cheap.

    Parameters
    ----------
    name : str
        A public name of this package.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, accessor: Any, owner: type | None = None) -> Any:
        """Give the method, with documentation and parameters of the function."""
        function: Function = load(self._name)
        if accessor is None:
            return function

        def method(self: Any, /, *args: Any, **kwargs: Any) -> pd.DataFrame:
            result: pd.DataFrame = self._call(function, *args, **kwargs)
            return result

        return MethodType(update_wrapper(method, function), accessor)


def method_names() -> list[str]:
    """List the public functions of a frame of scores: those of `statistics`."""
    return [
        name
        for name, module in read_stub().items()
        if module.startswith("beam_pandas.statistics.")
    ]


class _Methods:
    """The functions that take a frame of scores, as methods of either accessor."""

    _what: ClassVar[str]

    plot = PlotAttribute()

    def _scores(self) -> Any:
        """Give the frame that holds the scores."""
        raise NotImplementedError

    def __repr__(self) -> str:
        """Say in a line what the frame holds, or what it lacks."""
        return f"<{self._what}: {_summary().describe_scores(self._scores())}>"

    def _repr_html_(self) -> str:
        """Say the same in a notebook, and list the functions by question."""
        text: str = _summary().describe_as_html(self._what, self._scores())
        return text


for _name in method_names():
    setattr(_Methods, _name, _Method(_name))


class BeamAccessor(_Methods):
    """
    Compare methods over datasets: each method is the function of that name.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`. They are
        looked at by the methods, not before.
    """

    _what = "df.beam"

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def _scores(self) -> Any:
        return self._frame

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

    _what = "df.groupby(...).beam"

    def __init__(self, grouped: DataFrameGroupBy[Any, Any]) -> None:
        self._grouped = grouped

    def _scores(self) -> Any:
        return self._grouped.obj

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


def _summary() -> Any:
    return import_module("beam_pandas.accessor.summary")
