"""What pictures of scores show, read from a result of ranks."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, IncompleteScoresError, list_labels, plain
from beam_pandas.kernels.equal_scores import merge_equal
from beam_pandas.kernels.pair_counts import count_pairs
from beam_pandas.kernels.row_ranks import rank_rows
from beam_pandas.plot.panels import as_labels, panel_key, read_panels
from beam_pandas.plot.text import raw_text

Standing = Literal["standing", "mean_rank"]

MAKERS: Final = ("ranks",)
_NEEDED: Final = ("dataset", "method", "score", "score_rank")
_CLOSE: Final = 1e-6


class ScoreTable(NamedTuple):
    """Scores of one metric: a row for each dataset, a column for each method."""

    title: str  # of the panel
    key: tuple[Any, ...]  # of the panel
    metric: Hashable  # None where the result has no such column
    methods: list[Hashable]
    datasets: list[Hashable]
    scores: NDArray[np.float64]
    ranks: NDArray[np.float64]
    is_higher_better: bool | None  # None where all scores of each dataset are equal

    @property
    def benefit(self) -> NDArray[np.float64]:
        """Scores turned so that more is better, equal ones the same to the last bit."""
        turned = -self.scores if self.is_higher_better is False else self.scores
        return merge_equal(turned)

    @property
    def direction(self) -> str:
        """Say which scores are the better ones."""
        if self.is_higher_better is None:
            return ""
        return "higher is better" if self.is_higher_better else "lower is better"

    @property
    def unit(self) -> str:
        """Say what the scores are."""
        return "score" if self.metric is None else raw_text(self.metric)


class ScoreGroup(NamedTuple):
    """All metrics of one group, for a picture that shows them side by side."""

    title: str
    tables: list[ScoreTable]
    methods: list[Hashable]  # of any metric
    worth: NDArray[np.float64]  # a row for each method, a column for each metric
    places: NDArray[np.float64]  # likewise, 1 is the best, ties averaged


def read_score_tables(
    result: pd.DataFrame, picture: str, *, needs_ranks: bool
) -> list[ScoreTable]:
    """
    Read a result of ranks, a table for each metric and group.

    Parameters
    ----------
    result : DataFrame
        What the user passed.
    picture : str
        Name of the public function that draws.
    needs_ranks : bool
        Whether ranks are shown, which have to be those among the methods that are there.
    """
    panels = read_panels(result, _NEEDED, picture, MAKERS)
    return [
        _read_table(panel.part, panel.title, picture, needs_ranks=needs_ranks)
        for panel in panels
    ]


def read_score_groups(
    result: pd.DataFrame, picture: str, what: Standing
) -> list[ScoreGroup]:
    """
    Read a result of ranks, its metrics side by side.

    Parameters
    ----------
    result : DataFrame
        What the user passed.
    picture : str
        Name of the public function that draws.
    what : {"standing", "mean_rank"}
        What is said of a method by each metric.
    """
    panels = read_panels(result, _NEEDED, picture, MAKERS, is_pooled=True)
    return [_read_group(panel.part, panel.title, picture, what) for panel in panels]


def _read_group(part: pd.DataFrame, title: str, picture: str, what: Standing) -> ScoreGroup:
    """Read the metrics of a group and what each says of the methods."""
    if "metric" in part.columns:
        pieces = [each for _, each in part.groupby("metric", sort=False, observed=True)]
    else:
        pieces = [part]
    tables = [_read_table(each, title, picture, needs_ranks=True) for each in pieces]
    methods = list(dict.fromkeys(each for table in tables for each in table.methods))
    values = np.full((len(methods), len(tables)), np.nan)
    at = {method: place for place, method in enumerate(methods)}
    for column, table in enumerate(tables):
        rows = [at[method] for method in table.methods]
        values[rows, column] = STANDINGS[what](table)
    sign = 1.0 if what == "standing" else -1.0
    places = rank_rows(np.ascontiguousarray(sign * values.T)).T
    return ScoreGroup(title, tables, methods, values, places)


def _read_table(
    part: pd.DataFrame, title: str, picture: str, *, needs_ranks: bool
) -> ScoreTable:
    """Arrange one metric; refuse ranks of a pool that is no longer there."""
    row, datasets = pd.factorize(part["dataset"])
    column, methods = pd.factorize(part["method"])
    cell = row * len(methods) + column
    if (row < 0).any() or (column < 0).any() or len(np.unique(cell)) < len(cell):
        raise BeamError(
            f"plot.{picture} needs one row for each dataset and method{_of(title)}: pass "
            "the result of beam_pandas.ranks, with its columns metric and those of groups"
        )
    shape = (len(datasets), len(methods))
    scores, ranks = (
        _filled(part[name].to_numpy(dtype=np.float64, na_value=np.nan), cell, shape)
        for name in ("score", "score_rank")
    )
    if needs_ranks:
        _check_pool(ranks, title, picture)
    metric = plain(part["metric"].iloc[0]) if "metric" in part.columns else None
    return ScoreTable(
        title,
        panel_key(part, MAKERS),
        metric,
        [plain(method) for method in methods],
        [plain(dataset) for dataset in datasets],
        scores,
        ranks,
        _direction(scores, ranks, title, picture),
    )


def _filled(
    values: NDArray[np.float64], cell: NDArray[Any], shape: tuple[int, int]
) -> NDArray[np.float64]:
    """Put values into their cells of a table."""
    table = np.full(shape[0] * shape[1], np.nan)
    table[cell] = values
    return table.reshape(shape)


def _check_pool(ranks: NDArray[np.float64], title: str, picture: str) -> None:
    """Refuse ranks that are not those among the methods at hand."""
    n_present = (~np.isnan(ranks)).sum(axis=1)
    expected = n_present * (n_present + 1) / 2.0
    if (np.abs(np.nansum(ranks, axis=1) - expected) > _CLOSE).any():
        raise BeamError(
            f"plot.{picture} needs ranks among the methods of the result{_of(title)}, "
            "found those among more: select methods in the scores, and pass the whole "
            "result of beam_pandas.ranks"
        )


def _direction(
    scores: NDArray[np.float64], ranks: NDArray[np.float64], title: str, picture: str
) -> bool | None:
    """Find out by the ranks whether higher scores are the better ones."""
    present = ~np.isnan(scores)
    known = np.where(present, ranks, np.nan)
    if (np.isnan(known) != np.isnan(ranks)).any() or np.isnan(known[present]).any():
        raise BeamError(
            f"plot.{picture} needs a rank wherever there is a score{_of(title)}"
        )
    usable = present.any(axis=1)
    if not usable.any():
        return None
    rows = np.arange(int(usable.sum()))
    part, among = scores[usable], known[usable]
    best, worst = np.nanargmin(among, axis=1), np.nanargmax(among, axis=1)
    is_apart = among[rows, best] < among[rows, worst]
    is_higher = (part[rows, best] > part[rows, worst])[is_apart]
    if not is_higher.size:
        return None
    if is_higher.any() != is_higher.all():
        raise BeamError(
            f"plot.{picture} needs ranks that go with the scores{_of(title)}, found some "
            "with the higher score ahead and some with the lower: pass the result of "
            "beam_pandas.ranks"
        )
    return bool(is_higher[0])


def _of(title: str) -> str:
    return f" of {title}" if title else ""


def standings(table: ScoreTable) -> NDArray[np.float64]:
    """Give the share of datasets won, ties half, on average over the opponents met."""
    counts = count_pairs(-table.ranks, 0.0)
    shared = counts.shared.astype(np.float64)
    np.fill_diagonal(shared, 0.0)
    met = shared > 0
    divisor = np.where(met, shared, 1.0)
    share = np.where(met, counts.wins / divisor + counts.ties / divisor / 2.0, 0.0)
    n_opponents = met.sum(axis=1)
    value = np.full(len(table.methods), np.nan)
    np.divide(share.sum(axis=1), n_opponents, out=value, where=n_opponents > 0)
    return value


def mean_ranks(table: ScoreTable) -> NDArray[np.float64]:
    """Give the mean ranks, of a table without gaps."""
    holes = np.flatnonzero(np.isnan(table.ranks).any(axis=0))
    if holes.size:
        lacking = [table.methods[at] for at in holes]
        place = "" if table.metric is None else f" of metric {table.metric!r}"
        raise IncompleteScoresError(
            f"what='mean_rank' needs a score of every method on every dataset{place}; "
            f"scores are missing of {list_labels(lacking)}: what='standing' compares each "
            "pair on the datasets that both have, or leave methods or datasets out"
        )
    mean: NDArray[np.float64] = table.ranks.mean(axis=0)
    return mean


STANDINGS: Final = {"standing": standings, "mean_rank": mean_ranks}


def best_first(values: NDArray[np.float64]) -> NDArray[np.intp]:
    """Order by values of which more is better; those that are missing come last."""
    return np.argsort(np.where(np.isnan(values), np.inf, -values), kind="stable")


def chosen_first(
    order: Sequence[Hashable] | None, methods: Sequence[Hashable]
) -> NDArray[np.intp] | None:
    """Give the places of methods that the user put in order, if any."""
    if order is None:
        return None
    chosen = as_labels(order, methods, "order")
    if not chosen or len(set(chosen)) < len(chosen):
        raise BeamError(f"order must name each method once, got {list_labels(chosen)}")
    return np.array([list(methods).index(each) for each in chosen])
