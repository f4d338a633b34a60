"""Mean ranks, aggregates and strengths with their intervals, best method on top."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, list_labels, plain
from beam_pandas.plot.figures import check_width, require_matplotlib
from beam_pandas.plot.interval_rows import Look, Rows, draw_intervals
from beam_pandas.plot.panels import Panel, as_labels, read_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def rank_intervals(
    result: pd.DataFrame,
    *,
    ax: Axes | Sequence[Axes] | None = None,
    highlight: Hashable | Sequence[Hashable] = None,
    show_values: bool = True,
    width: float | None = None,
) -> Any:
    """
    Draw the mean rank of each method with its bootstrap interval, best first.

    Rank 1 is at the left. Two intervals that overlap do not say that the methods are
    alike: both are of the same datasets.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.rank_intervals`.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric; by default a new figure.
    highlight : label or sequence of labels, optional
        Methods to draw in another colour.
    show_values : bool, default True
        Whether to print the estimates on the right.
    width : float, optional
        Width of the new figure in inches.

    Returns
    -------
    Axes or ndarray of Axes
        With several metrics an array, one panel each. Of more than 150 rows, or where
        there is no room, the first and the last are named, with the number between.

    Raises
    ------
    MissingColumnsError
        If `result` lacks a column that is drawn.
    MissingDependencyError
        If matplotlib is not installed.
    BeamError
        If `highlight` names no method of the result, or a method comes twice.

    See Also
    --------
    beam_pandas.rank_intervals : the numbers.
    critical_difference : mean ranks, and who differs significantly.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> table = scores.beam.rank_intervals(missing="drop_methods", n_resamples=1000)
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((7, 4)).add_subplot()
    >>> ax = beam_pandas.plot.rank_intervals(table, ax=ax)
    >>> ax.get_yticklabels()[0].get_text()
    'SVC'
    """
    require_matplotlib()
    check_width(width)
    panels = [
        _read(panel, "mean_rank", sign=1.0)
        for panel in _panels(result, "rank_intervals", "mean_rank")
    ]
    look = Look("mean rank", "mean rank", form=".2f")
    chosen = _chosen(highlight, panels)
    return draw_intervals(
        ax, panels, look, width, highlight=chosen, show_values=show_values
    )


def aggregate_scores(
    result: pd.DataFrame,
    *,
    label: str | None = None,
    ax: Axes | Sequence[Axes] | None = None,
    highlight: Hashable | Sequence[Hashable] = None,
    show_values: bool = True,
    width: float | None = None,
) -> Any:
    """
    Draw the aggregate score of each method with its bootstrap interval, best first.

    Methods stand in the order of the result. Two intervals that overlap do not say that
    the methods are alike: both are of the same datasets.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.aggregate_scores`.
    label : str, optional
        Name of the axis, such as "interquartile mean".
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric; by default a new figure.
    highlight : label or sequence of labels, optional
        Methods to draw in another colour.
    show_values : bool, default True
        Whether to print the estimates on the right.
    width : float, optional
        Width of the new figure in inches.

    Returns
    -------
    Axes or ndarray of Axes
        With several metrics an array, one panel each. Of more than 150 rows, or where
        there is no room, the first and the last are named, with the number between.

    Raises
    ------
    MissingColumnsError
        If `result` lacks a column that is drawn.
    MissingDependencyError
        If matplotlib is not installed.
    BeamError
        If `highlight` names no method of the result, or a method comes twice.

    See Also
    --------
    beam_pandas.aggregate_scores : the numbers.
    performance_profile : the whole distribution of the scores.

    Examples
    --------
    >>> import beam_pandas
    >>> folds = beam_pandas.load_benchmark(folds=True).query("metric == 'roc_auc'")
    >>> some = folds.query("method in ['DecisionTree', 'RandomForest', 'SVC']")
    >>> table = some.beam.aggregate_scores("iqm", n_resamples=200)
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((7, 2)).add_subplot()
    >>> ax = beam_pandas.plot.aggregate_scores(table, ax=ax, label="interquartile mean")
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['RandomForest', 'SVC', 'DecisionTree']
    """
    require_matplotlib()
    check_width(width)
    panels = [
        _read(panel, "estimate", sign=0.0)
        for panel in _panels(result, "aggregate_scores", "estimate")
    ]
    look = Look(label or "aggregate score", "estimate")
    chosen = _chosen(highlight, panels)
    return draw_intervals(
        ax, panels, look, width, highlight=chosen, show_values=show_values
    )


def bradley_terry(
    result: pd.DataFrame,
    *,
    ax: Axes | Sequence[Axes] | None = None,
    highlight: Hashable | Sequence[Hashable] = None,
    show_values: bool = True,
    width: float | None = None,
) -> Any:
    """
    Draw the strength of each method with its bootstrap interval, strongest first.

    A dotted line separates groups of methods that no chain of comparisons joins: their
    strengths cannot be compared. An arrow is an interval without an end.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.bradley_terry`.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric; by default a new figure.
    highlight : label or sequence of labels, optional
        Methods to draw in another colour.
    show_values : bool, default True
        Whether to print the estimates on the right.
    width : float, optional
        Width of the new figure in inches.

    Returns
    -------
    Axes or ndarray of Axes
        With several metrics an array, one panel each. Of more than 150 rows, or where
        there is no room, the first and the last are named, with the number between.

    Raises
    ------
    MissingColumnsError
        If `result` lacks a column that is drawn.
    MissingDependencyError
        If matplotlib is not installed.
    BeamError
        If `highlight` names no method of the result, or a method comes twice.

    See Also
    --------
    beam_pandas.bradley_terry : the numbers.
    rank_intervals : mean ranks with their intervals.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> table = scores.beam.bradley_terry(n_resamples=200)
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((7, 4)).add_subplot()
    >>> beam_pandas.plot.bradley_terry(table, ax=ax).get_xlabel()
    'strength (log odds)'
    """
    require_matplotlib()
    check_width(width)
    panels = [
        _read(panel, "strength", sign=-1.0)
        for panel in _panels(result, "bradley_terry", "strength", "component")
    ]
    look = Look("strength (log odds)", "strength")
    chosen = _chosen(highlight, panels)
    return draw_intervals(
        ax, panels, look, width, highlight=chosen, show_values=show_values
    )


def _panels(result: pd.DataFrame, picture: str, *columns: str) -> list[Panel]:
    """Split a result whose rows are methods."""
    needed = ("method", *columns, "ci_low", "ci_high")
    return read_panels(result, needed, picture, (picture,))


def _read(panel: Panel, column: str, sign: float) -> Rows:
    """Read one panel, in the order of the estimates by a sign, or as it comes."""
    part = panel.part
    twice = part["method"][part["method"].duplicated()].unique()
    if len(twice):
        raise BeamError(
            f"each method is needed once, found {list_labels(twice)} several times: pass "
            "the result of one call, or keep the columns that tell results apart"
        )
    estimate = _numbers(part[column])
    component = None
    keys = [np.where(np.isnan(estimate), np.inf, sign * estimate)]
    if "component" in part.columns and column == "strength":
        component = _numbers(part["component"]).astype(np.int64)
        keys.append(component)
    order = np.lexsort(keys) if sign else np.arange(len(part))
    return Rows(
        panel.title,
        [plain(method) for method in part["method"].iloc[order]],
        estimate[order],
        _numbers(part["ci_low"])[order],
        _numbers(part["ci_high"])[order],
        parts=None if component is None else component[order],
    )


def _numbers(column: pd.Series) -> NDArray[np.float64]:
    return column.to_numpy(dtype=np.float64, na_value=np.nan, copy=True)


def _chosen(highlight: Any, panels: Sequence[Rows]) -> list[Hashable]:
    """Read the methods that stand out."""
    known = dict.fromkeys(label for panel in panels for label in panel.labels)
    return as_labels(highlight, known, "highlight")
