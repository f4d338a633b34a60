"""A table as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beam_pandas.table.escaping import escape_markdown
from beam_pandas.table.plan import Plan, caption_of, plan_of, shown_part, sparse, write_cell

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler


def to_markdown(styler: Styler) -> str:
    """
    Write a table as a text table, as GitHub and notebooks read it.

    Special characters of names, and what Markdown would take for a mark, are escaped. It
    is written anew from the table, whatever the target of the Styler: what was hidden in
    the Styler stays out and its caption is kept, other styles have no counterpart.

    Parameters
    ----------
    styler : Styler
        What a function of `beam_pandas.table` returned.

    Returns
    -------
    str
        A row a line, columns aligned; then, after an empty line, the caption.

    Raises
    ------
    ScoreTypeError
        If the Styler is not one of this package.

    See Also
    --------
    to_latex : the same as LaTeX source.
    scores : a table of scores.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> result = scores.beam.critical_difference(missing="drop_methods").head(3)
    >>> styler = beam_pandas.table.ranking(result, caption="")
    >>> print(beam_pandas.table.to_markdown(styler))
    | method             | mean rank | groups |
    | :----------------- | --------: | :----- |
    | SVC                |      4.61 | a      |
    | MLP                |      4.94 | a      |
    | LogisticRegression |      5.75 | a,b    |
    <BLANKLINE>
    """
    plan = shown_part(styler, plan_of(styler))
    lines = [_headings(plan)]
    before = None
    for labels, cells in zip(plan.row_texts, plan.body, strict=True):
        shown = [escape_markdown(text) for text in sparse(labels, before)]
        lines.append(shown + [write_cell(cell, "markdown") for cell in cells])
        before = labels
    aligned = ["l"] * len(plan.row_names) + plan.aligned
    widths = [
        max(3, *(len(text) for text in column)) for column in zip(*lines, strict=True)
    ]
    bars = [
        f"{'-' * (width - 1)}:" if side == "r" else f":{'-' * (width - 1)}"
        for width, side in zip(widths, aligned, strict=True)
    ]
    lines.insert(1, bars)
    rows = [
        " | ".join(
            text.rjust(width) if side == "r" else text.ljust(width)
            for text, width, side in zip(line, widths, aligned, strict=True)
        )
        for line in lines
    ]
    text = "\n".join(f"| {row} |" for row in rows)
    given = caption_of(styler, plan)
    caption = escape_markdown(plan.caption if given is None else given)
    return f"{text}\n\n{caption}\n" if caption else f"{text}\n"


def _headings(plan: Plan) -> list[str]:
    """Write the one row of headings, those of several levels joined."""
    names = list(plan.row_names)
    if plan.column_names[-1]:
        names[-1] = plan.column_names[-1]
    labels = [" / ".join(text for text in texts if text) for texts in plan.column_texts]
    return [escape_markdown(text) for text in [*names, *labels]]
