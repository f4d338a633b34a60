"""A table as LaTeX source."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final, Literal, get_args

from beam_pandas.errors import BeamError, check_option
from beam_pandas.table.escaping import escape_latex
from beam_pandas.table.plan import (
    Plan,
    caption_of,
    plan_of,
    shown_part,
    sparse,
    start_row,
    write_cell,
)

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

Environment = Literal["table", "table*", "tabular", "longtable"]
_LABEL: Final = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:-._/+ "
)


def to_latex(
    styler: Styler,
    *,
    environment: Environment = "table",
    label: str | None = None,
    position: str | None = None,
) -> str:
    r"""
    Write a table as LaTeX source with the rules of booktabs.

    The source needs ``\usepackage{booktabs}`` and nothing else, but for ``"longtable"`` the
    package of that name. Special characters of names are escaped. It is written anew from
    the table, whatever the target of the Styler: what was hidden in the Styler stays out
    and its caption is kept, other styles that were added are for ``styler.to_latex()``.

    Parameters
    ----------
    styler : Styler
        What a function of `beam_pandas.table` returned.
    environment : {"table", "table*", "tabular", "longtable"}, default "table"
        What surrounds the rows: a float with its caption, one over both columns of a page,
        the bare tabular without a caption, or a table that goes over several pages.
    label : str, optional
        Key for ``\ref``, such as ``"tab:scores"``.
    position : str, optional
        Where the float may go, such as ``"htbp"``.

    Returns
    -------
    str
        Finished source, which ends in a line break.

    Raises
    ------
    ScoreTypeError
        If the Styler is not one of this package.
    BeamError
        If an option is none of those above, or does not go with the environment.

    See Also
    --------
    to_markdown : the same as a text table.
    scores : a table of scores.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> pairs = scores.beam.nemenyi(missing="drop_methods").head(2)
    >>> styler = beam_pandas.table.pairs(pairs, columns=["rank_diff", "p_adjusted"])
    >>> print(beam_pandas.table.to_latex(styler, environment="tabular"))
    \begin{tabular}{llrr}
    \toprule
    method 1 & method 2 & rank difference & p adjusted \\
    \midrule
    AdaBoost & DecisionTree & 3.39 & .029$^{\dagger}$ \\
     & ExtraTrees & $-$1.53 & .938 \\
    \bottomrule
    \end{tabular}
    <BLANKLINE>
    """
    check_option("environment", environment, get_args(Environment))
    floats = environment in ("table", "table*")
    if label is not None and not (isinstance(label, str) and set(label) <= _LABEL):
        raise BeamError(
            f"label must be text of letters, digits and any of ':-._/+ ', got {label!r}"
        )
    if position is not None and not (
        isinstance(position, str) and position and set(position) <= set("htbpH!")
    ):
        raise BeamError(f"position must be made of the letters htbpH!, got {position!r}")
    if (position is not None and not floats) or (
        label is not None and environment == "tabular"
    ):
        what = "label" if label is not None else "position"
        raise BeamError(
            f"{what} does not go with environment={environment!r}: leave it out"
        )
    plan = shown_part(styler, plan_of(styler))
    given = caption_of(styler, plan)
    caption = escape_latex(plan.caption) if given is None else given
    head, rows = _head(plan), _rows(plan)
    form = "l" * len(plan.row_names) + "".join(plan.aligned)
    marked = [rf"\caption{{{caption}}}"] if caption else []
    marked += [rf"\label{{{label}}}"] if label is not None else []
    if environment == "longtable":
        marked[-1:] = [rf"{line} \\" for line in marked[-1:]]
        top = [r"\toprule", *head, r"\midrule"]
        lines = [rf"\begin{{longtable}}{{{form}}}", *marked, *top, r"\endfirsthead"]
        lines += [*top, r"\endhead", r"\bottomrule", r"\endfoot", *rows]
        return "\n".join([*lines, r"\end{longtable}", ""])
    lines = [rf"\begin{{tabular}}{{{form}}}", r"\toprule", *head, r"\midrule", *rows]
    lines += [r"\bottomrule", r"\end{tabular}"]
    if floats:
        place = f"[{position}]" if position is not None else ""
        opening = [rf"\begin{{{environment}}}{place}", r"\centering", *marked]
        lines = [*opening, *lines, rf"\end{{{environment}}}"]
    return "\n".join([*lines, ""])


def _head(plan: Plan) -> list[str]:
    """Write the rows of headings: labels that several columns share once above them."""
    n_levels = len(plan.column_names)
    lines = []
    for level in range(n_levels):
        is_last = level == n_levels - 1
        names = list(plan.row_names if is_last else [""] * len(plan.row_names))
        if plan.column_names[level]:
            names[-1] = plan.column_names[level]
        cells = [escape_latex(name) for name in names]
        rules, at = [], len(names) + 1
        for label, same in groupby(t[: level + 1] for t in plan.column_texts):
            size = len(list(same))
            text = escape_latex(label[-1])
            if is_last:
                cells += [text] * size
            else:
                cells.append(rf"\multicolumn{{{size}}}{{c}}{{{text}}}")
                rules.append(rf"\cmidrule(lr){{{at}-{at + size - 1}}}")
            at += size
        lines.append(_line(cells))
        lines += [" ".join(rules)] if rules else []
    return lines


def _rows(plan: Plan) -> list[str]:
    """Write the rows; a label of a level before the last is not repeated."""
    lines, before = [], None
    for at, (labels, cells) in enumerate(zip(plan.row_texts, plan.body, strict=True)):
        if at in plan.rules:
            lines.append(r"\midrule")
        texts = [escape_latex(text) for text in sparse(labels, before)]
        texts += [write_cell(cell, "latex") for cell in cells]
        lines.append(_line(texts))
        before = labels
    return lines


def _line(cells: list[str]) -> str:
    return start_row(rf"{' & '.join(cells)} \\")
