"""Tables of results: a row for each pair, or for each method, metric or dataset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pandas as pd

from beam_pandas.errors import (
    BeamError,
    MissingColumnsError,
    ScoreTypeError,
    list_labels,
)
from beam_pandas.results.vocabulary import VOCABULARY
from beam_pandas.table.captions import constant_of, describe_result
from beam_pandas.table.columns import heading, is_text, write_column
from beam_pandas.table.escaping import Target
from beam_pandas.table.marks import DIFFERS
from beam_pandas.table.numbers import NOTHING, Digits, check_digits
from beam_pandas.table.plan import (
    Cell,
    Plan,
    check_target,
    label_text,
    require_jinja2,
    style,
)

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

# What has one value in the whole of a result is said in the caption.
_SAID_ONCE: Final = (
    "n_datasets",
    "n_methods",
    "rope",
    "critical_difference",
    "ci_level",
    "friedman_statistic",
    "friedman_p_value",
)
# Which labels lead the rows, and those of pairs; the first that are all there.
_LABELS: Final = (
    "dataset",
    "dataset_1",
    "dataset_2",
    "control",
    "method",
    "method_1",
    "method_2",
    "method_3",
)
_PAIRS: Final = (
    ("method_1", "method_2"),
    ("dataset_1", "dataset_2"),
    ("control", "method"),
)


class Layout(NamedTuple):
    """Which columns of a result lead its rows, and which are its body."""

    groups: list[Any]  # keys of groups, and the metric
    labels: list[str]
    body: list[str]


def pairs(
    result: pd.DataFrame,
    *,
    columns: Sequence[str] | None = None,
    digits: Digits = "auto",
    caption: str | None = None,
    target: Target = "html",
) -> Styler:
    """
    Show a result with a row for each pair as a table, ready for a paper.

    P-values have three decimals, below .001 they are "< .001". What has one value in all
    rows, such as the metric, the number of datasets, the rope or the critical difference,
    is said in the caption, and a column of missing values is left out. A row that is
    significant is marked † at its adjusted p-value.

    Parameters
    ----------
    result : DataFrame
        Result of a function that compares pairs, such as `beam_pandas.pairwise`, or
        methods with a control; rows and columns may be left out.
    columns : sequence of str, optional
        Columns to show, in this order; by default all of them. `ci_low` stands for the
        interval.
    digits : "auto" or int, default "auto"
        Number of decimals of what is no p-value and no whole number; by default two for
        ranks, three for shares and probabilities, else four digits of the largest number
        of the column, or all that its numbers have.
    caption : str, optional
        In place of that of `caption`; ``""`` for none.
    target : {"html", "latex", "text"}, default "html"
        What the Styler is rendered as, see `scores`.

    Returns
    -------
    Styler
        With the labels of the pairs as rows; metrics and groups lead them.

    Raises
    ------
    MissingColumnsError
        If the result has no columns that name a pair, or lacks one that is to be shown.
    MissingDependencyError
        If jinja2 is not installed.

    See Also
    --------
    caption : the sentence that says what was done.
    ranking : a result with a row for each method.
    to_latex : the source of a table.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> result = scores.beam.pairwise(rope=0.01).head(3)
    >>> shown = ["wins", "ties", "losses", "p_adjusted"]
    >>> styler = beam_pandas.table.pairs(result, columns=shown, caption="")
    >>> print(beam_pandas.table.to_markdown(styler))
    | method 1 | method 2     | wins | ties | losses | p adjusted |
    | :------- | :----------- | ---: | ---: | -----: | ---------: |
    | AdaBoost | ComplementNB |   21 |    2 |      2 |      .006† |
    |          | DecisionTree |   22 |    2 |      8 |      1.000 |
    |          | ExtraTrees   |   11 |    6 |     15 |      1.000 |
    <BLANKLINE>
    """
    layout = _lay_out(result, "pairs", columns)
    return _show(result, layout, digits, caption, target)


def ranking(
    result: pd.DataFrame,
    *,
    columns: Sequence[str] | None = None,
    digits: Digits = "auto",
    caption: str | None = None,
    target: Target = "html",
) -> Styler:
    """
    Show a result with a row for each method as a table, ready for a paper.

    Results with a row for each dataset or each metric are shown, too. P-values have three
    decimals, below .001 they are "< .001". What has one value in all rows, such as the
    metric, the number of datasets or the critical difference, is said in the caption, and
    a column of missing values is left out.

    Parameters
    ----------
    result : DataFrame
        Result such as that of `beam_pandas.leaderboard`; rows and columns may be left out.
    columns : sequence of str, optional
        Columns to show, in this order; by default all of them. `ci_low` stands for the
        interval.
    digits : "auto" or int, default "auto"
        Number of decimals of what is no p-value and no whole number; by default two for
        ranks, three for shares and probabilities, else four digits of the largest number
        of the column, or all that its numbers have.
    caption : str, optional
        In place of that of `caption`; ``""`` for none.
    target : {"html", "latex", "text"}, default "html"
        What the Styler is rendered as, see `scores`.

    Returns
    -------
    Styler
        With the labels as rows, in the order of the result; metrics and groups lead them.

    Raises
    ------
    MissingColumnsError
        If the result has none of the labels that lead rows, or lacks a column that is to
        be shown.
    MissingDependencyError
        If jinja2 is not installed.

    See Also
    --------
    caption : the sentence that says what was done.
    pairs : a result with a row for each pair.
    to_latex : the source of a table.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> result = scores.beam.standing(rope=0.01).head(3)
    >>> styler = beam_pandas.table.ranking(result, caption="")
    >>> print(beam_pandas.table.to_markdown(styler))
    | method             | opponents | standing | standing rank |
    | :----------------- | --------: | -------: | ------------: |
    | MLP                |        15 |    0.687 |             1 |
    | SVC                |        15 |    0.678 |             2 |
    | LogisticRegression |        15 |    0.621 |             3 |
    <BLANKLINE>
    """
    layout = _lay_out(result, "ranking", columns)
    return _show(result, layout, digits, caption, target)


def _lay_out(result: object, name: str, columns: Sequence[str] | None) -> Layout:
    """Sort the columns of a result into those that lead and those that are shown."""
    if not isinstance(result, pd.DataFrame):
        raise ScoreTypeError(
            f"table.{name} needs a pandas DataFrame, found {type(result).__name__}: pass "
            "the result of a function of beam_pandas"
        )
    found = list(result.columns)
    twice = [each for each in found if found.count(each) > 1]
    if twice:
        raise BeamError(f"column {twice[0]!r} is needed once, found several of that name")
    pair = next((list(each) for each in _PAIRS if set(each) <= set(found)), None)
    if name == "pairs" and pair is None:
        raise MissingColumnsError(
            "table.pairs needs columns that name a pair, such as method_1 and method_2, "
            f"found {list_labels(found, limit=12)}: table.ranking shows other results"
        )
    is_pair = pair is not None and pair[0] != "control" and "method_3" not in found
    if name == "ranking" and is_pair:
        raise BeamError(
            f"table.ranking shows a row for each method, found the columns {pair} of "
            "pairs: pass it to table.pairs"
        )
    known = [each for each in found if isinstance(each, str) and each in VOCABULARY]
    groups = [each for each in found if each not in known]
    groups += ["metric"] if "metric" in known and _leads(result, known) else []
    if not known:
        raise MissingColumnsError(
            f"table.{name} needs the columns of a result, found "
            f"{list_labels(found, limit=12)}: table.scores shows a frame of scores"
        )
    labels = [each for each in known if each in _LABELS]
    body = [each for each in known if each not in labels and each != "metric"]
    if not labels and not groups:  # the one row of a metric without a name
        labels, body = body[:1], body[1:]
    return Layout(groups, labels, _chosen(result, name, body, columns))


def _leads(result: pd.DataFrame, known: list[str]) -> bool:
    """Tell whether the metric leads rows: one alone is said in the caption."""
    return not set(known) & set(_LABELS) or len(result["metric"].unique()) > 1


def _chosen(
    result: pd.DataFrame, name: str, body: list[str], columns: Sequence[str] | None
) -> list[str]:
    """Choose the columns of the body."""
    if columns is not None:
        if isinstance(columns, str) or not isinstance(columns, Sequence):
            raise BeamError(f"columns must be a list of columns, got {columns!r}")
        lacking = [each for each in columns if each not in body]
        if lacking:
            raise MissingColumnsError(
                f"table.{name} can show the columns {list_labels(body, limit=20)}, got "
                f"{list_labels(lacking)}"
            )
        body = list(dict.fromkeys(columns))
    else:
        said = [each for each in _SAID_ONCE if constant_of(result, each) is not None]
        said += [each for each in body if len(result) and result[each].isna().all()]
        left = [each for each in body if each not in said]
        body = left or body
    if "significant" in body and "p_adjusted" in body:
        body.remove("significant")
    if "ci_low" in body and "ci_high" in body:
        body.remove("ci_high")
    return body


def _show(
    result: pd.DataFrame,
    layout: Layout,
    digits: Digits,
    caption: str | None,
    target: Target,
) -> Styler:
    """Write the cells and make the Styler."""
    check_digits(digits)
    check_target(target)
    if caption is not None and not isinstance(caption, str):
        raise BeamError(f"caption must be text, got {caption!r}")
    require_jinja2()
    leading = [*layout.groups, *layout.labels]
    starts = _starts(result, layout.groups)
    body: list[list[Cell]] = []
    for start, end in zip(starts, [*starts[1:], len(result)], strict=True):
        part = result.iloc[start:end]
        body += _rows(part, layout.body, digits)
    texts = [[_label(value) for value in result[name].tolist()] for name in leading]
    labels = [result[name].tolist() for name in leading]
    index = pd.MultiIndex.from_arrays(labels) if len(leading) > 1 else pd.Index(labels[0])
    names = [
        heading(name) if isinstance(name, str) else label_text(name) for name in leading
    ]
    plan = Plan(
        rows=index,
        columns=pd.Index(layout.body, dtype=object),
        row_texts=list(zip(*texts, strict=True)),
        column_texts=[(heading(name),) for name in layout.body],
        row_names=tuple(names),
        column_names=("",),
        body=body,
        aligned=["l" if is_text(name) else "r" for name in layout.body],
        rules=tuple(starts[1:]),
        caption=describe_result(result) if caption is None else caption,
    )
    return style(plan, target)


def _label(value: Any) -> str:
    missing = pd.api.types.is_scalar(value) and pd.isna(value)
    return NOTHING if missing else label_text(value)


def _starts(result: pd.DataFrame, groups: list[Any]) -> list[int]:
    """Find the rows at which another metric or group begins."""
    if not groups or result.empty:
        return [0]
    code = result.groupby(groups, sort=False, observed=True, dropna=False).ngroup()
    changes = np.flatnonzero(np.diff(code.to_numpy())) + 1
    return [0, *changes.tolist()]


def _rows(part: pd.DataFrame, body: list[str], digits: Digits) -> list[list[Cell]]:
    """Write the rows of a metric or group."""
    columns = [write_column(part, name, digits) for name in body]
    if "p_adjusted" in body and "significant" in part:
        at = body.index("p_adjusted")
        is_marked = part["significant"].fillna(False).tolist()
        columns[at] = [
            cell._replace(tail=DIFFERS) if marked else cell
            for cell, marked in zip(columns[at], is_marked, strict=True)
        ]
    if not columns:
        return [[] for _ in range(len(part))]
    return [list(row) for row in zip(*columns, strict=True)]
