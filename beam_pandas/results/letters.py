"""Results of pairs in letters: methods that share one are not told apart."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import (
    BeamError,
    MissingColumnsError,
    ScoreTypeError,
    check_truth,
    count,
    list_labels,
)
from beam_pandas.kernels.edge_cliques import cover_edges
from beam_pandas.labels import Labels, join_labels, read_labels
from beam_pandas.results.squares import number_blocks
from beam_pandas.results.vocabulary import gives

_PAIR = ["method_1", "method_2"]
_EQUAL = 1e-12  # of a mean rank: sums of gaps that differ by no more are equal
#: What says which method of a pair is ahead: the first of these that a result has.
_AHEAD = ("rank_biserial", "statistic", "wins", "share_better", "median_diff", "mean_diff")
_ESTIMATES = ("median_diff", "mean_diff")


@gives("metric", "method", "groups")
def letters(
    result: pd.DataFrame,
    order: Iterable[Hashable] | None = None,
    *,
    exact: bool = False,
) -> pd.DataFrame:
    """
    Write a result of pairs in letters: two methods share one if they are not told apart.

    The compact letter display. It holds for any pattern, also where a method lies between
    two others and is told apart from neither while they are not told apart from each
    other, which bars beside an axis cannot show.

    Parameters
    ----------
    result : DataFrame
        Result with a row for each pair and the column `significant`, such as that of
        `nemenyi`, `mean_rank_tests`, `wilcoxon` or `pairwise`; all pairs of it.
    order : list of labels, optional
        Methods as they shall stand, the one with the letter ``"a"`` first. By default the
        best first: by mean rank where there is `rank_diff`; else by how many methods it
        is significantly better than, minus those significantly better than it, then by
        the mean of the estimated differences; then in label order.
    exact : bool, default False
        Whether to find the fewest letters whatever the number of methods. To 12 they are
        always the fewest; with `exact` 20 take about a second, many more may take very
        long. Without it there may be a few more than need be.

    Returns
    -------
    DataFrame
        One row per method, in order, block by block with the leading columns of
        `result`, such as `metric` or the keys of groups:

        - **method** : label.
        - **groups** : its letters, such as ``"a,b"``. Two methods share a letter if and
          only if they are not told apart; those of a pair that never met are not. For a
          result of `nemenyi` they are the groups of `critical_difference`.

    Raises
    ------
    MissingColumnsError
        If `result` has not the columns of a pair, or no `significant`.
    BeamError
        If a pair is there twice or not at all, `order` lacks a method or names one that
        is not there, or with `exact` the pattern is too complicated.

    See Also
    --------
    critical_difference : mean ranks and the letters of Nemenyi's test.

    References
    ----------
    Piepho, H.-P. (2004). An algorithm for a letter-based representation of all-pairwise
    comparisons. Journal of Computational and Graphical Statistics 13(2), 456-466.
    doi:10.1198/1061860043515
    Gramm, J. et al. (2007). Algorithms for compact letter displays. Computational
    Statistics and Data Analysis 52(2), 725-736. doi:10.1016/j.csda.2006.09.035

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> pairs = scores.beam.nemenyi(missing="drop_datasets")
    >>> table = scores.beam.critical_difference(missing="drop_datasets")
    >>> bool((beam_pandas.letters(pairs)["groups"] == table["groups"]).all())
    True
    """
    _check_columns(result)
    check_truth("exact", exact)
    codes = _read_pairs(result)
    places = None if order is None else _place(codes.names, order)
    block, leading = number_blocks(result, _PAIR)
    rows: list[NDArray[np.intp]] = []
    texts: list[str] = []
    blocks = range(int(block.max(initial=-1)) + 1)
    for at in blocks:
        inside = np.flatnonzero(block == at)
        methods, first, second = _square(codes, inside, len(result))
        told_apart = np.zeros((len(methods),) * 2, dtype=bool)
        told_apart[first, second] = _verdicts(result)[inside]
        told_apart |= told_apart.T
        best = (
            _best_first(result.iloc[inside], told_apart, first, second)
            if places is None
            else np.argsort(places[methods], kind="stable")
        )
        rows.append(methods[best])
        texts += _name_groups(told_apart[np.ix_(best, best)], exact=exact)
    return _build(rows, texts, codes.names, leading)


def _check_columns(result: pd.DataFrame) -> None:
    """Refuse what is no result of pairs with a verdict."""
    if not isinstance(result, pd.DataFrame):
        found = type(result).__name__
        raise ScoreTypeError(f"result must be a pandas DataFrame, found {found}")
    lacking = [name for name in [*_PAIR, "significant"] if name not in result.columns]
    if lacking:
        raise MissingColumnsError(
            f"columns {list_labels(lacking)} are needed, found "
            f"{list_labels(result.columns, limit=12)}: pass the result of a function that "
            "tests all pairs of methods, such as beam_pandas.wilcoxon"
        )
    double = result.columns[result.columns.duplicated()].unique()
    if len(double):
        raise BeamError(f"every column is needed once, found several {list_labels(double)}")


def _read_pairs(result: pd.DataFrame) -> Labels:
    """Give the labels of both columns numbers, those of method_1 first."""
    both = pd.concat([result[name] for name in _PAIR], ignore_index=True)
    both = both.rename("method")
    if len(both):
        return read_labels(both)
    return Labels(np.zeros(0, dtype=np.intp), pd.Index(both))


def _place(names: pd.Index, order: Iterable[Hashable]) -> NDArray[np.intp]:
    """Give the place of each method in the order that was told."""
    if isinstance(order, (str, bytes)) or not isinstance(order, Iterable):
        raise BeamError(f"order must be a list of methods, got {order!r}")
    told = pd.Index(pd.Series(list(order), dtype=object))
    if told.has_duplicates:
        twice = told[told.duplicated()]
        raise BeamError(f"order must have each method once, got {list_labels(twice)} twice")
    known = names.astype(object)
    absent, unknown = known.difference(told, sort=False), told.difference(known, sort=False)
    if len(absent) or len(unknown):
        lack = f"lacks {list_labels(absent)}" if len(absent) else ""
        odd = f"has {list_labels(unknown)}, not in the result" if len(unknown) else ""
        raise BeamError(
            f"order must have all methods: it {' and '.join(filter(None, (lack, odd)))}"
        )
    return np.asarray(told.get_indexer(known), dtype=np.intp)


def _square(
    codes: Labels, inside: NDArray[np.intp], n_rows: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """List the methods of a block, and the places of its pairs among them."""
    both = np.concatenate([codes.codes[inside], codes.codes[inside + n_rows]])
    methods, place = np.unique(both, return_inverse=True)
    first, second = np.split(place.reshape(-1), 2)
    times = np.zeros((len(methods),) * 2, dtype=np.int64)
    np.add.at(times, (first, second), 1)
    times += times.T
    upper = times[np.triu_indices(len(methods), 1)]
    n_there = int(np.count_nonzero(upper))
    if times.diagonal().any() or upper.max(initial=0) > 1:
        raise BeamError(
            "each pair is needed once, found one twice: pass the result of one call, or "
            "keep what tells the results apart in columns of their own"
        )
    if n_there < len(upper):
        raise BeamError(
            f"all pairs of {count(len(methods), 'method')} are needed, found "
            f"{n_there:,} of {len(upper):,}: pass the result as it came, without control="
        )
    return methods.astype(np.intp), first, second


def _verdicts(result: pd.DataFrame) -> NDArray[np.bool_]:
    """Read which pairs are told apart; a missing verdict does not."""
    column = result["significant"]
    known = column.notna().to_numpy(dtype=bool)
    verdicts = np.zeros(len(result), dtype=bool)
    verdicts[known] = column[known].astype(bool)
    return verdicts


def _best_first(
    part: pd.DataFrame,
    told_apart: NDArray[np.bool_],
    first: NDArray[np.intp],
    second: NDArray[np.intp],
) -> NDArray[np.intp]:
    """Order the methods of a block by what the result says of them."""
    size = len(told_apart)

    def per_method(values: NDArray[np.float64]) -> NDArray[np.float64]:
        known = ~np.isnan(values)
        gain = np.where(known, values, 0.0)
        total = np.bincount(first, gain, size) - np.bincount(second, gain, size)
        met = np.bincount(first[known], minlength=size)
        met += np.bincount(second[known], minlength=size)
        mean: NDArray[np.float64] = total / np.maximum(met, 1)
        return mean

    if "rank_diff" in part:
        return _descending(per_method(_numbers(part, "rank_diff")))
    ahead = _ahead(part)
    won = per_method(np.where(told_apart[first, second], np.sign(ahead), 0.0))
    estimates = [_numbers(part, name) for name in _ESTIMATES if name in part]
    known = [values for values in estimates if not np.isnan(values).all()]
    return _descending(won, per_method(known[0] if known else ahead))


def _numbers(part: pd.DataFrame, name: str) -> NDArray[np.float64]:
    return part[name].to_numpy(dtype=np.float64, na_value=np.nan)


def _ahead(part: pd.DataFrame) -> NDArray[np.float64]:
    """Say of each pair which method is ahead, by the sign, in the sense of its test."""
    other = {"wins": "losses", "share_better": "share_worse"}
    for name in _AHEAD:
        if name in part and other.get(name, name) in part:
            against = _numbers(part, other[name]) if name in other else 0.0
            return _numbers(part, name) - against
    return np.zeros(len(part))


def _descending(*keys: NDArray[np.float64]) -> NDArray[np.intp]:
    """Sort by the first key, largest first, then the next; equal ones in label order."""
    return np.lexsort([-_classes(key) for key in reversed(keys)])


def _classes(values: NDArray[np.float64]) -> NDArray[np.intp]:
    """Give distinct values numbers, upwards; those that differ by rounding are one."""
    ascending = np.argsort(values, kind="stable")
    gaps = np.diff(values[ascending], prepend=values[ascending[:1]])
    classes = np.empty(len(values), dtype=np.intp)
    classes[ascending] = np.cumsum(gaps > _EQUAL * np.abs(values).max(initial=0.0))
    return classes


def _name_groups(told_apart: NDArray[np.bool_], *, exact: bool) -> list[str]:
    """Give each method the letters of its cliques, joined by commas."""
    try:
        members = cover_edges(told_apart, exact=exact)
    except ValueError as error:
        raise BeamError(f"exact=True found {error}") from None
    names = np.array(name_letters(len(members)), dtype=object)
    return [",".join(names[mine]) for mine in members.T]


def name_letters(number: int) -> list[str]:
    """Name so many groups: a to z, then aa, as columns of a spreadsheet."""
    return [_letters(at) for at in range(number)]


def _letters(number: int) -> str:
    """Write a number from 0 in letters: 0 is a, 25 is z, 26 is aa."""
    text = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        text = chr(ord("a") + digit) + text
    return text


def _build(
    rows: list[NDArray[np.intp]], texts: list[str], names: pd.Index, leading: pd.DataFrame
) -> pd.DataFrame:
    """Put the leading columns, the methods and their letters together."""
    every = np.concatenate(rows) if rows else np.zeros(0, dtype=np.intp)
    sizes = [len(part) for part in rows]
    table = leading.loc[leading.index.repeat(sizes)] if len(leading.columns) else leading
    columns: dict[Hashable, pd.Series] = {
        name: table[name].reset_index(drop=True) for name in leading.columns
    }
    columns["method"] = join_labels([names.take(every)])
    columns["groups"] = pd.Series(texts, dtype="str")
    return pd.DataFrame(columns)
