"""The table of scores: datasets against methods, or turned."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, check_option, check_truth, list_labels
from beam_pandas.statistics.score_tables import (
    RunValue,
    ScoreTable,
    Spread,
    read_score_tables,
)
from beam_pandas.table.blocks import Block, Look, make_block, with_marks_below
from beam_pandas.table.escaping import Target
from beam_pandas.table.marks import Verdicts, read_verdicts
from beam_pandas.table.numbers import (
    Digits,
    check_digits,
)
from beam_pandas.table.of_scores_caption import describe_scores
from beam_pandas.table.plan import (
    Cell,
    Emphasis,
    Plan,
    check_target,
    label_text,
    require_jinja2,
    style,
)
from beam_pandas.types import HigherIsBetter, UnevenRuns

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

Footer = Literal["mean", "mean_rank", "wins"]
Order = Literal["best", "label"]

_NAMES: Final = {
    "mean": "mean",
    "mean_rank": "mean rank",
    "wins": "times best",
    "n_datasets": "datasets",
}


def scores(
    frame: pd.DataFrame,
    *,
    spread: Spread = "std",
    digits: Digits = "auto",
    best: Emphasis = "bold",
    second: Emphasis = "underline",
    marks: pd.DataFrame | None = None,
    reference: Hashable | None = None,
    order: Order = "best",
    footer: Sequence[Footer] = ("mean", "mean_rank", "wins"),
    turned: bool = False,
    caption: str | None = None,
    target: Target = "html",
    higher_is_better: HigherIsBetter = None,
    aggregate: RunValue = "mean",
    uneven_runs: UnevenRuns = "raise",
) -> Styler:
    """
    Show scores as a table of datasets against methods, ready for a paper.

    A cell is the mean over the runs and their spread. The best and the second best value
    of each dataset stand out, all methods that share it. What is equal is settled as in all
    of the package, by the scores and not by what is printed of them: so the best ones are
    those that win in `beam_pandas.pairwise`, share rank 1 in `beam_pandas.ranks` and are
    counted in the footer. Two cells may print alike and only one be the best; more `digits`
    tell them apart.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric` and `run`.
    spread : {"std", "stderr"} or None, default "std"
        What follows a mean: the standard deviation of the runs (n - 1 in the denominator),
        that over the root of their number, or nothing. A single run has no spread.
    digits : "auto" or int, default "auto"
        Number of decimals. By default those of a dataset show the first digit of its
        smallest spread that is not 0, and six digits of its largest score at most; without
        spreads four digits of its largest score, or all that the scores have.
    best, second : {"bold", "underline", "italic"} or None
        How the best and the second best value of a dataset stand out; by default
        ``"bold"`` and ``"underline"``. A dataset that one method alone has, has no best.
    marks : DataFrame, optional
        Result of pairs, such as that of `beam_pandas.nemenyi` or
        `beam_pandas.compare_to_control`: a method is marked † that differs from the
        reference by `significant` (or by `decision`, ``"better"`` or ``"worse"``), and ‡
        that the result does not compare with it. The mark is at the name of the method,
        with several metrics at its mean rank (or what the footer begins with); with a
        verdict for each dataset, such as that of `beam_pandas.correlated_t`, in the cell.
    reference : label, optional
        Method that the marks compare with. By default the control of the result, else the
        method of the best mean rank, and in a cell the best of the dataset; of several that
        share this place a method has to differ from each.
    order : {"best", "label"}, default "best"
        Methods by their mean rank, over all metrics, or in label order. Datasets are in
        label order.
    footer : sequence of {"mean", "mean_rank", "wins"}
        Rows below the datasets, by default all of them: mean score, mean rank among the
        methods present, and number of datasets with the best value. Each is over the
        datasets that a method has: where these differ by method, their number is a row of
        its own, and nothing in the footer stands out.
    turned : bool, default False
        Whether methods are the rows.
    caption : str, optional
        In place of the one that says what is shown; ``""`` for none.
    target : {"html", "latex", "text"}, default "html"
        What the Styler is rendered as, which settles how names are escaped:
        ``Styler.to_html`` and notebooks, ``Styler.to_latex``, or ``Styler.to_string``.
        `to_latex` and `to_markdown` take any.
    higher_is_better : bool or mapping from metric to bool, optional
        Direction of the metrics; those not told are looked up in the registry.
    aggregate : {"mean", "median", "min", "max", "best"}, default "mean"
        What the runs of a cell give; ``"best"`` is the better of them by direction. The
        last three have no spread.
    uneven_runs : {"raise", "ignore", "shared"}, default "raise"
        Where methods have different runs on a dataset: an error, or take what is there, or
        keep the runs that all methods with a score there have, by the column `run`.

    Returns
    -------
    Styler
        With raw labels, and what is shown as text. Several metrics are blocks below each
        other, or if turned beside each other; an arrow says which way is better. A missing
        score is a dash; a dataset without any score is left out.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, or an option is none of those above.
    UnevenRunsError
        If methods have different runs on a dataset, unless told what to do.
    MissingDependencyError
        If jinja2 is not installed.

    See Also
    --------
    ranking : a result with a row for each method.
    pairs : a result with a row for each pair.
    to_latex : the source of a table.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> few = scores.query(
    ...     "dataset in ['glass', 'vowel'] and method in ['MLP', 'GaussianNB', 'SVC']"
    ... )
    >>> styler = beam_pandas.table.scores(few, footer=["mean"], caption="")
    >>> print(beam_pandas.table.to_markdown(styler))
    | accuracy ↑ |        SVC |               MLP | GaussianNB |
    | :--------- | ---------: | ----------------: | ---------: |
    | glass      | **0.6986** | <ins>0.6983</ins> |     0.4556 |
    | vowel      | **0.9399** | <ins>0.9197</ins> |     0.6611 |
    | mean       | **0.8192** | <ins>0.8090</ins> |     0.5584 |
    <BLANKLINE>
    """
    look = _read_look(digits, best, second, footer)
    check_option("order", order, get_args(Order))
    check_truth("turned", turned)
    check_target(target)
    if spread is not None:
        check_option("spread", spread, ["std", "stderr"])
    if caption is not None and not isinstance(caption, str):
        raise BeamError(f"caption must be text, got {caption!r}")
    require_jinja2()
    if aggregate in ("min", "max", "best"):
        spread = None
    tables = read_score_tables(
        frame,
        "table.scores",
        spread=spread,
        aggregate=aggregate,
        higher_is_better=higher_is_better,
        uneven_runs=uneven_runs,
    )
    verdicts = None
    if marks is not None:
        verdicts = read_verdicts(marks, [table.metric for table in tables])
    elif reference is not None:
        raise BeamError("reference is what marks compare with: pass marks, or leave it out")
    at = _ordered(tables, order)
    chosen = _chosen_reference(tables[0].methods, verdicts, reference)
    blocks = [make_block(table, look, verdicts, chosen) for table in tables]
    if len(blocks) > 1 and verdicts is not None and not verdicts.by_dataset:
        blocks = [with_marks_below(block) for block in blocks]
    if caption is None:
        caption = describe_scores(
            tables,
            spread=spread,
            aggregate=aggregate,
            best=best,
            second=second,
            footer=look.footer,
            against=[block.against for block in blocks] if verdicts is not None else None,
            shown=_shown_symbols(blocks),
            verdict="" if verdicts is None else verdicts.verdict,
        )
    return style(_arrange(blocks, at, caption, turned=turned), target)


def _read_look(digits: Digits, best: Any, second: Any, footer: Any) -> Look:
    """Check how the cells are to look."""
    check_digits(digits)
    for name, value in (("best", best), ("second", second)):
        if value is not None:
            check_option(name, value, ["bold", "underline", "italic"])
    if isinstance(footer, str) or not isinstance(footer, Sequence):
        raise BeamError(
            f"footer must be a list of {list(get_args(Footer))}, got {footer!r}"
        )
    for each in footer:
        check_option("footer", each, get_args(Footer))
    return Look(digits, best, second, tuple(dict.fromkeys(footer)))


def _ordered(tables: list[ScoreTable], order: str) -> NDArray[np.intp]:
    """Put the methods in order, the same in all metrics."""
    n_methods = len(tables[0].methods)
    if order == "label":
        return np.arange(n_methods)
    means = np.vstack([table.mean_rank for table in tables])
    number = np.count_nonzero(~np.isnan(means), axis=0)
    total = np.where(np.isnan(means), 0.0, means).sum(axis=0)
    mean = np.where(number > 0, total / np.maximum(number, 1), np.inf)
    return np.argsort(mean, kind="stable")


def _chosen_reference(
    methods: pd.Index, verdicts: Verdicts | None, reference: Hashable
) -> list[Hashable]:
    """Find the method that the marks compare with; none for the best."""
    if verdicts is None:
        return []
    known = methods.tolist()
    if reference is not None:
        if isinstance(reference, (bool, np.bool_)) or reference not in known:
            raise BeamError(
                f"reference must be one of the methods {list_labels(known)}, "
                f"got {reference!r}"
            )
        met = any(reference in key[2:] for key in verdicts.known)
        if not met:
            raise BeamError(
                f"marks compares nothing with the reference {reference!r}: pass a result "
                "that does, or another reference"
            )
        return [reference]
    if verdicts.control is not None and verdicts.control in known:
        return [verdicts.control]
    return []


def _shown_symbols(blocks: list[Block]) -> set[str]:
    """Collect the marks that a table has."""
    tails = {c.tail[-1:] for block in blocks for row in block.cells for c in row}
    return {symbol for block in blocks for symbol in block.symbols} | tails


def _heading(table: ScoreTable) -> str:
    """Name a metric, with an arrow to its better end."""
    name = "score" if table.metric is None else label_text(table.metric)
    return f"{name} {'↑' if table.higher_is_better else '↓'}"


class Lines(NamedTuple):
    """Datasets and footers of all metrics, in a line."""

    labels: pd.Index
    texts: list[tuple[str, ...]]
    cells: list[list[Cell]]  # of each the methods, in order
    rules: tuple[int, ...]  # lines before which a part of the table begins


def _lines(blocks: list[Block], at: NDArray[np.intp]) -> Lines:
    """Put the datasets and footers of all metrics in a line."""
    several = len(blocks) > 1
    labels, texts, cells, rules = list[Any](), list[tuple[str, ...]](), [], list[int]()
    for block in blocks:
        raw = block.table.datasets.tolist()
        names = [_NAMES[name] for name in block.footer]
        heading = _heading(block.table)
        rules += [len(labels)] if labels else []
        rules += [len(labels) + len(raw)] if names else []
        for label, text in zip(
            [*raw, *names], [*map(label_text, raw), *names], strict=True
        ):
            labels.append((block.table.metric, label) if several else label)
            texts.append((heading, text) if several else (text,))
        cells += [[row[i] for i in at.tolist()] for row in block.cells]
    index = pd.MultiIndex.from_tuples(labels) if several else pd.Index(labels)
    return Lines(index, texts, cells, tuple(rules))


def _arrange(
    blocks: list[Block], at: NDArray[np.intp], caption: str, *, turned: bool
) -> Plan:
    """Put the metrics below each other, or if turned beside each other."""
    methods = blocks[0].table.methods.take(at)
    lines = _lines(blocks, at)
    signs = blocks[0].symbols if len(blocks) == 1 else [""] * len(methods)
    names: list[tuple[str, ...]] = [
        (label_text(label) + signs[i],)
        for label, i in zip(methods.tolist(), at.tolist(), strict=True)
    ]
    corner = _heading(blocks[0].table) if len(blocks) == 1 else ""
    if turned:
        return Plan(
            rows=methods,
            columns=lines.labels,
            row_texts=names,
            column_texts=lines.texts,
            row_names=("",),
            column_names=("", "") if len(blocks) > 1 else (corner,),
            body=[list(row) for row in zip(*lines.cells, strict=True)],
            aligned=["r"] * len(lines.texts),
            caption=caption,
        )
    return Plan(
        rows=lines.labels,
        columns=methods,
        row_texts=lines.texts,
        column_texts=names,
        row_names=("", "") if len(blocks) > 1 else ("",),
        column_names=(corner,),
        body=lines.cells,
        aligned=["r"] * len(methods),
        rules=lines.rules,
        caption=caption,
    )
