"""How far two methods are apart, with an interval: a row for each pair."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError
from beam_pandas.plot.figures import check_width, require_matplotlib
from beam_pandas.plot.interval_rows import Look, Rows, draw_intervals
from beam_pandas.plot.panels import Panel, as_labels, read_panels
from beam_pandas.plot.text import raw_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PICTURE: Final = "wilcoxon"
_ENDS: Final = ("median_diff", "ci_low", "ci_high")
_NEEDED: Final = ("method_1", "method_2", *_ENDS, "significant")

Floats = NDArray[np.float64]


def wilcoxon(
    result: pd.DataFrame,
    *,
    ax: Axes | Sequence[Axes] | None = None,
    reference: Hashable = None,
    width: float | None = None,
) -> Any:
    """
    Draw the median difference of each pair with its interval, a row for each pair.

    Each pair is turned so that the method that is ahead in most comparisons stands on the
    left; to the right of the dashed line it is better. Full dots are significant after
    adjustment, which the intervals, each for itself, are not adjusted for. An arrow is an
    interval without an end.

    Parameters
    ----------
    result : DataFrame
        Result of `beam_pandas.wilcoxon`, or a part of it.
    ax : Axes or sequence of Axes, optional
        Where to draw, one for each metric; by default a new figure.
    reference : label, optional
        Draw only the pairs with this method, seen from the other one, best first. By
        default the control, if all pairs have one.
    width : float, optional
        Width of the new figure in inches.

    Returns
    -------
    Axes or ndarray of Axes
        With several metrics an array, one panel each. Of more than 150 pairs, or where
        there is no room, the first and the last are named, with the number between.

    Raises
    ------
    MissingColumnsError
        If `result` lacks a column that is drawn.
    MissingDependencyError
        If matplotlib is not installed.
    BeamError
        If there is no method `reference`, or a pair comes twice.

    See Also
    --------
    beam_pandas.wilcoxon : the numbers.
    pairwise : mean differences of all pairs in a square.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> table = scores.beam.wilcoxon()
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((7, 4)).add_subplot()
    >>> ax = beam_pandas.plot.wilcoxon(table, reference="SVC", ax=ax)
    >>> ax.get_xlabel()
    'median difference to SVC'
    """
    require_matplotlib()
    check_width(width)
    panels = read_panels(result, _NEEDED, _PICTURE, (_PICTURE,))
    for panel in panels:
        _check_pairs(panel)
    if reference is None:
        reference = _control(panels)
    else:
        known = pd.unique(pd.concat([result["method_1"], result["method_2"]]))
        as_labels([reference], list(known), "reference")
    rows = [_read(panel, reference) for panel in panels]
    to = " (positive: left is better)"
    if reference is not None:
        to = f" to {raw_text(reference)}"
    look = Look(
        f"median difference{to}",
        "median difference",
        "significant",
        "not significant",
        zero=0.0,
    )
    return draw_intervals(ax, rows, look, width)


def _check_pairs(panel: Panel) -> None:
    """Refuse pairs that come twice, either way round."""
    one, other = panel.part["method_1"], panel.part["method_2"]
    codes, _ = pd.factorize(pd.concat([one, other]))
    pairs = np.sort(codes.reshape(2, -1), axis=0)
    if len(np.unique(pairs, axis=1).T) < len(panel.part):
        raise BeamError(
            "each pair is needed once, found one several times: pass the result of one "
            "call, or keep the columns that tell results apart"
        )


def _control(panels: Sequence[Panel]) -> Hashable:
    """Give the one method that three pairs or more of each panel share, or None."""
    found: set[Hashable] | None = None
    for panel in panels:
        pairs = zip(panel.part["method_1"], panel.part["method_2"], strict=True)
        common = set.intersection(*(set(pair) for pair in pairs))
        found = common if found is None else found & common
        if len(panel.part) < 3:
            return None
    return next(iter(found)) if found and len(found) == 1 else None


def _read(panel: Panel, reference: Hashable) -> Rows:
    """Turn the pairs, and put them in order."""
    part = panel.part
    if reference is not None:
        is_there = (part["method_1"] == reference) | (part["method_2"] == reference)
        part = part[is_there.to_numpy(dtype=bool)]
        if part.empty:
            where = f" of {panel.title}" if panel.title else ""
            raise BeamError(f"reference must be in a pair{where}, got {reference!r}")
    values = part[list(_ENDS)].to_numpy(dtype=np.float64, na_value=np.nan, copy=True)
    codes, methods = pd.factorize(pd.concat([part["method_1"], part["method_2"]]))
    first, second = codes.reshape(2, -1)
    place = _places(first, second, values[:, 0], len(methods))
    if reference is None:
        is_turned = place[first] > place[second]
    else:
        is_turned = first == list(methods).index(reference)
    values[is_turned] = 0.0 - values[is_turned][:, [0, 2, 1]]
    first, second = np.where(is_turned, (second, first), (first, second))
    order = np.lexsort((place[second], place[first]))
    if reference is not None:
        order = np.argsort(-values[:, 0], kind="stable")
    estimate, low, high = values[order].T
    labels: list[Hashable] = methods.tolist()
    return Rows(
        panel.title,
        [labels[at] for at in first[order]],
        estimate,
        low,
        high,
        right=None if reference is not None else [labels[at] for at in second[order]],
        is_full=part["significant"].to_numpy(dtype=bool)[order],
    )


def _places(
    first: NDArray[np.intp], second: NDArray[np.intp], gap: Floats, n_methods: int
) -> NDArray[np.intp]:
    """Order methods by the pairs in which they are ahead less those behind, then by gap."""
    known = np.nan_to_num(gap)
    ahead, lead = np.zeros(n_methods), np.zeros(n_methods)
    for methods, sign in ((first, 1.0), (second, -1.0)):
        np.add.at(ahead, methods, sign * np.sign(known))
        np.add.at(lead, methods, sign * known)
    place = np.empty(n_methods, dtype=np.intp)
    place[np.lexsort((-lead, -ahead))] = np.arange(n_methods)
    return place
