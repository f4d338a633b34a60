"""Links as they lie in the repository, turned into those of the site."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from beam_pandas._lazy import read_stub

#: Files outside of ``docs/``, and the pages that show them.
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/results.md": "speed.md",
    "beam_pandas/benchmark_scores.md": "bundled_table.md",
}
#: Where the notebooks stand on the site.
NOTEBOOKS = "generated/notebooks"

_TARGET = re.compile(r"(?<=\]\()([^)\s#]+)")
_CALL = re.compile(r"(?:beam_pandas\.|df\.beam\.|scores\.beam\.|\.)?([a-z_.]+?)(?:\(.*\))?")


def site_target(target: str) -> str:
    """Turn a link of a page in ``docs/`` into one of the site."""
    if not target.startswith("../"):
        return target
    outside = target.removeprefix("../")
    if outside.startswith("notebooks/"):
        return f"{NOTEBOOKS}/{outside.removeprefix('notebooks/')}"
    return PAGES.get(outside, target)


def turn_links(_app: Any, docname: str, content: list[str]) -> None:
    """Turn the links of a page, as Sphinx reads it."""
    if not docname.startswith("generated/"):
        content[0] = _TARGET.sub(lambda found: site_target(found[1]), content[0])


def turn_notebook(text: str) -> str:
    """Turn the links of the words in a notebook, which moves two folders down."""
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            source = cell["source"]
            words = source if isinstance(source, str) else "".join(source)
            cell["source"] = _TARGET.sub(lambda found: _from_notebook(found[1]), words)
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _from_notebook(target: str) -> str:
    if not target.startswith("../"):
        return target
    outside = target.removeprefix("../")
    page = outside.removeprefix("docs/") if outside.startswith("docs/") else ""
    page = page or PAGES.get(outside, "")
    return f"../../{page}" if page else target


@cache
def public_functions() -> dict[str, str]:
    """Map what stands in the text, such as ``plot.save``, to its full name."""
    found: dict[str, str] = {}
    for name, module in read_stub().items():
        if module == "beam_pandas":
            inner = read_stub(f"beam_pandas.{name}")
            found |= {f"{name}.{each}": f"beam_pandas.{name}.{each}" for each in inner}
        else:
            found[name] = f"beam_pandas.{name}"
    return found


def named_function(text: str) -> str | None:
    """Find the public function that a piece of code names or calls, and nothing else."""
    found = _CALL.fullmatch(text)
    return public_functions().get(found[1]) if found else None


def link_names(app: Any, doctree: Any) -> None:
    """Link each name of a function that stands as code in a text to its documentation."""
    from docutils import nodes
    from sphinx.addnodes import pending_xref

    for literal in list(doctree.findall(nodes.literal)):
        target = named_function(literal.astext())
        above = literal.parent
        if target is None or isinstance(
            above, (nodes.reference, nodes.title, pending_xref)
        ):
            continue
        link = pending_xref(
            "",
            refdomain="py",
            reftype="obj",
            reftarget=target,
            refexplicit=True,
            refwarn=True,
            refdoc=app.env.docname,
        )
        above.replace(literal, link)
        link += literal
