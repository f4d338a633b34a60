"""
The pages that are derived from the package: API, columns, metrics, gallery, notebooks.

They are written into ``docs/generated`` when the site is built, and never committed, so
that they cannot go stale.
"""

from __future__ import annotations

import ast
import doctest
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import beam_pandas
from beam_pandas._lazy import read_stub
from beam_pandas.results.vocabulary import VOCABULARY, Column, columns_of
from docs._links import turn_notebook

FOLDER = "generated"
#: Questions of the rooms that are no statistics; those of statistics head their modules.
QUESTIONS = {
    "shapes": "How does a table of mine become a table of scores?",
    "examples": "Is there a table to try it on?",
    "gate": "Which metrics are known, and which way is better?",
    "results": "What else can be made of a result?",
    "errors": "What can go wrong, and how is it said?",
}
_EXCHANGED = {
    None: "",
    "same": "stays",
    "sign": "changes its sign",
    "complement": "becomes 1 minus it",
    "decision": '"better" becomes "worse"',
}


class Page(NamedTuple):
    """A page of the API: a question, and the full names of what answers it."""

    slug: str
    question: str
    package: str
    names: tuple[str, ...]


def first_line(thing: Any) -> str:
    """Give the first line of a docstring."""
    return (inspect.getdoc(thing) or "").strip().splitlines()[0]


def api_pages() -> list[Page]:
    """List the pages of the API: each question once, each public name on one page."""
    inner: list[Page] = []
    asked: dict[tuple[str, str], list[str]] = {}
    for name, module in read_stub().items():
        if module == "beam_pandas":  # a package in the package
            package = f"beam_pandas.{name}"
            question = first_line(import_module(package))
            inner.append(Page(name, question, package, tuple(read_stub(package))))
            continue
        room, *rest = module.split(".")[1:]
        own = room == "statistics"
        slug = rest[-1] if own else room
        question = first_line(import_module(module)) if own else QUESTIONS.get(room, "")
        question = question or first_line(import_module(f"beam_pandas.{room}"))
        asked.setdefault((slug, question), []).append(name)
    outer = [
        Page(slug, question, "beam_pandas", tuple(names))
        for (slug, question), names in asked.items()
    ]
    return sorted(outer, key=lambda page: page.slug in QUESTIONS) + inner


def write(docs: Path) -> None:
    """Write all that is derived, below ``docs``; what has not changed is left alone."""
    folder = docs / FOLDER
    wanted = {folder / name: text for name, text in texts(docs).items()}
    wanted |= {folder / name: text for name, text in pictures().items()}
    if folder.exists():
        for path in folder.rglob("*"):
            if path.is_file() and path not in wanted:
                path.unlink()
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def texts(docs: Path) -> dict[str, str]:
    """Make the texts of all pages that are derived, by path."""
    found = {"api/index.md": _api_index(), "glossary.md": glossary()}
    found |= {f"api/{page.slug}.rst": _api_page(page) for page in api_pages()}
    found |= {"registry.md": registry(), "gallery.md": gallery()}
    for path in sorted((docs.parent / "notebooks").glob("*.ipynb")):
        found[f"notebooks/{path.name}"] = turn_notebook(path.read_text(encoding="utf-8"))
    return found


def _api_index() -> str:
    rows = [
        f"| [{page.question}]({page.slug}.rst) | "
        + ", ".join(f"`{_short(page, name)}`" for name in page.names)
        + " |"
        for page in api_pages()
    ]
    entries = "\n".join(page.slug for page in api_pages())
    return (
        "# API by question\n\n"
        "What takes a frame of scores is a function of `beam_pandas`, a method of\n"
        "`df.beam` and of `df.groupby(...).beam`.\n\n"
        + _filterable(["| question | answered by |", "|---|---|", *rows])
        + f"\n```{{toctree}}\n:hidden:\n\n{entries}\n```\n"
    )


def _short(page: Page, name: str) -> str:
    return ".".join([*page.package.split(".")[1:], name])


def _api_page(page: Page) -> str:
    things = {name: getattr(import_module(page.package), name) for name in page.names}
    lines = [page.question, "=" * len(page.question), ""]
    lines += [f".. currentmodule:: {page.package}", ""]
    if len(things) > 1:
        lines += [f"- `{name}`: {first_line(thing)}" for name, thing in things.items()]
        lines.append("")
    for name, thing in things.items():
        kind = "function"
        if isinstance(thing, type):
            kind = "exception" if issubclass(thing, BaseException) else "class"
        lines += [f"{name}", "-" * len(name), ""]
        lines += [f".. auto{kind}:: {page.package}.{name}", ""]
    return "\n".join(lines)


def _filterable(rows: list[str]) -> str:
    return "\n".join(["```{container} filterable", *rows, "```", ""])


def functions_with(column: str) -> list[str]:
    """List the public functions whose result has a column."""
    return [
        name
        for name in beam_pandas.__all__
        if column in columns_of(getattr(beam_pandas, name))
    ]


def _exchanged(column: Column) -> str:
    words = _EXCHANGED.get(column.exchanged)
    return f"changes places with **{column.exchanged}**" if words is None else words


def glossary() -> str:
    """Write the page of all columns of all results."""
    rows = [
        f"| **{name}** | {column.dtype} | {column.meaning} | {_exchanged(column)} | "
        + ", ".join(f"`{each}`" for each in functions_with(name))
        + " |"
        for name, column in VOCABULARY.items()
    ]
    head = [
        "| column | dtype | meaning | if methods change places | results that have it |",
        "|---|---|---|---|---|",
    ]
    return (
        "# Glossary of columns\n\n"
        "A column means the same wherever it stands. Better is positive, everywhere; what\n"
        "is said of a pair is said of `method_1`. What begins with `share_` was counted,\n"
        "`prob_` is a probability, `p_` a p-value. `result_schema` gives the columns of a\n"
        "result without data. A label has the dtype that it has in your frame.\n\n"
        + _filterable([*head, *rows])
    )


def registry() -> str:
    """Write the page of all metrics that are known."""
    head = ["| metric | better | lowest | highest | field | other names |"]
    known: list[Any] = list(beam_pandas.metrics().itertuples())
    rows = [
        f"| `{row.metric}` | {'more' if row.higher_is_better else 'less'} "
        f"| {_bound(row.lower)} | {_bound(row.upper)} | {row.field} "
        f"| {row.aliases.replace(';', ', ')} |"
        for row in known
        if row.field != "custom"
    ]
    return (
        f"# Registry of metrics\n\n{len(rows)} metrics whose direction is known. Names are "
        "found whatever their case, with\nspaces, hyphens and slashes as underscores, with "
        "`test_` or `val_` in front or a unit in\nbrackets behind. What is missing takes "
        "`higher_is_better=`, or `register_metric`. `metrics`\ngives the same as a frame, "
        "with the noise floor and the source of each entry.\n\n"
        + _filterable([*head, "|---|---|---|---|---|---|", *rows])
    )


def _bound(value: float) -> str:
    return "" if value != value else f"{value:g}"


def picture_names() -> list[str]:
    """List the pictures, as the package does."""
    names: list[str] = import_module("beam_pandas.plot").__all__
    return names


def picture_code(name: str) -> str:
    """
    Take the code of a picture out of its docstring.

    What stands at the end to test the picture, and draws nothing, is left out.
    """
    doc = inspect.getdoc(getattr(beam_pandas.plot, name)) or ""
    code = "".join(each.source for each in doctest.DocTestParser().get_examples(doc))
    lines = code.splitlines()
    for node in reversed(ast.parse(code).body):
        if not isinstance(node, ast.Expr) or "plot." in ast.unparse(node):
            break
        del lines[node.lineno - 1 :]
    return "\n".join(lines) + "\n"


def gallery() -> str:
    """Write the page of all pictures, each with its code."""
    parts = ["# Gallery\n"]
    parts.append(
        "Each picture is drawn by the code above it when this page is built. A picture of\n"
        "a result bears the name of the function that gives it; `df.beam.plot` computes\n"
        "and draws in one call.\n"
    )
    for name in picture_names():
        line = first_line(getattr(beam_pandas.plot, name))
        parts.append(
            f"## {name}\n\n{line} All options: `plot.{name}`.\n\n"
            f"```python\n{picture_code(name)}```\n\n"
            f"![{line}](gallery/{name}.svg)\n"
        )
    return "\n".join(parts)


def pictures() -> dict[str, str]:
    """Draw all pictures of the gallery, as SVG, the same each time."""
    from matplotlib import rc_context

    found = {}
    for name in picture_names():
        with rc_context({"svg.hashsalt": name}):
            found[f"gallery/{name}.svg"] = _draw(name)
    return found


def _draw(name: str) -> str:
    from io import StringIO

    names: dict[str, Any] = {}
    with _figures_made() as made:
        exec(compile(picture_code(name), f"gallery: {name}", "exec"), names)  # noqa: S102
    held = [figure for value in names.values() for figure in _figures_of(value)]
    drawn = [figure for figure in held or made if figure.axes]
    if not drawn:
        raise ValueError(f"the example of plot.{name} draws no picture")
    target = StringIO()
    drawn[-1].savefig(target, format="svg", metadata={"Date": None})
    return target.getvalue()


def _figures_of(value: Any) -> list[Any]:
    """List the figures that a value is, or whose Axes it holds."""
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    flat = list(getattr(value, "flat", [value]))
    axes = [each.figure.figure for each in flat if isinstance(each, Axes)]
    return [value] if isinstance(value, Figure) else axes


@contextmanager
def _figures_made() -> Iterator[list[Any]]:
    """Keep the figures that are made within a block, for examples that keep none."""
    from matplotlib.figure import Figure

    made: list[Any] = []
    before = Figure.__init__

    def keep(figure: Any, *args: Any, **kwargs: Any) -> None:
        before(figure, *args, **kwargs)
        made.append(figure)

    kind: Any = Figure
    kind.__init__ = keep
    try:
        yield made
    finally:
        kind.__init__ = before
