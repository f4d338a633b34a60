"""
The pages of the site, without building it: what is derived is complete, links lead somewhere.

The build itself, with warnings as errors and links between finished pages checked, is a step
of ``.ci/run``.
"""

import json
import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import beam_pandas as bp
from beam_pandas._lazy import read_stub
from beam_pandas.results.vocabulary import VOCABULARY
from benchmarks.validation import BEGIN, CHECKS, END
from docs import _check, _generate, _links, _references

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
WRITTEN = {path.name: path.read_text(encoding="utf-8") for path in DOCS.glob("*.md")}
LINK = re.compile(r"(?<!\!)\[[^\]]*\]\(([^)\s]+)\)")


@cache
def derived():
    return _generate.texts(DOCS)


def documented():
    """The full name of everything that a page of the API documents, each time it does."""
    found = []
    for name, text in derived().items():
        if name.startswith("api/"):
            found += re.findall(
                r"^\.\. auto(?:function|exception|class):: (\S+)$", text, re.M
            )
    return found


def test_every_public_name_stands_on_one_page():
    expected = {f"beam_pandas.{name}" for name in bp.__all__}
    for name, module in read_stub().items():
        if module == "beam_pandas":
            inner = f"beam_pandas.{name}"
            expected |= {f"{inner}.{each}" for each in read_stub(inner)}
    assert Counter(documented()) == Counter(expected)


def test_every_page_of_the_api_is_a_question_or_a_package_and_is_listed():
    pages = _generate.api_pages()
    index = derived()["api/index.md"]
    assert len({page.slug for page in pages}) == len(pages) > 20
    assert len({page.question for page in pages}) == len(pages)
    for page in pages:
        assert f"({page.slug}.rst)" in index
        assert f"\n{page.slug}\n" in index
        assert page.question.endswith("?") or page.package != "beam_pandas"


def test_every_column_is_in_the_glossary_once_with_the_results_that_have_it():
    rows = re.findall(r"^\| \*\*(\w+)\*\* \|(.*)$", derived()["glossary.md"], re.M)
    assert [name for name, _ in rows] == list(VOCABULARY)
    text = dict(rows)
    assert all(VOCABULARY[name].meaning in line for name, line in rows)
    assert "changes places with **losses**" in text["wins"]
    assert "`pairwise`" in text["wins"]
    assert "|" not in "".join(column.meaning for column in VOCABULARY.values())
    unused = {name for name in text if "`" not in text[name]}
    assert unused <= {name for name in VOCABULARY if not _generate.functions_with(name)}


def test_every_metric_is_in_the_registry_once():
    rows = re.findall(r"^\| `([^`]+)` \| (more|less) \|", derived()["registry.md"], re.M)
    known = bp.metrics().query("field != 'custom'")
    assert [name for name, _ in rows] == list(known["metric"])
    assert [way == "more" for _, way in rows] == list(known["higher_is_better"])


def test_every_picture_is_in_the_gallery_with_code_that_draws_it():
    text = derived()["gallery.md"]
    for name in bp.plot.__all__:
        code = _generate.picture_code(name)
        assert f"plot.{name}(" in code
        assert f"```python\n{code}```" in text
        assert f"(gallery/{name}.svg)" in text
        assert "plot." in code.splitlines()[-1] or "ax" in code


def test_an_example_is_drawn_the_same_each_time():
    first, second = (_generate._draw("missing_scores") for _ in range(2))
    assert first.count("<svg") == 1
    assert len(first) == len(second)


def targets_of(text):
    return [target for target in LINK.findall(text) if "://" not in target]


def anchors_of(text):
    headings = re.findall(
        r"^#{1,3} (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M), re.M
    )
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
        for heading in headings
    }


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_links_of_a_page_lead_somewhere_on_the_site_and_in_the_repository(name):
    for whole in targets_of(WRITTEN[name]):
        target, _, anchor = whole.partition("#")
        inside = target.removeprefix(f"{_generate.FOLDER}/")
        if inside != target:
            assert inside in derived(), whole
            continue
        assert not target or (DOCS / target).exists(), whole
        turned = _links.site_target(target)
        moved = turned.removeprefix(f"{_generate.FOLDER}/")
        assert not target or moved in derived() or (DOCS / turned).exists(), whole
        assert not turned.startswith("../"), f"{whole} leads out of the site"
        page = WRITTEN[target or name] if not target or target in WRITTEN else ""
        assert not anchor or anchor in anchors_of(page), whole


@pytest.mark.parametrize(
    "path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.name
)
def test_links_of_a_notebook_lead_somewhere_on_the_site_and_in_the_repository(path):
    def words(text):
        cells = json.loads(text)["cells"]
        return "\n".join(
            "".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"
        )

    before = path.read_text(encoding="utf-8")
    after = derived()[f"notebooks/{path.name}"]
    for target, turned in zip(
        targets_of(words(before)), targets_of(words(after)), strict=True
    ):
        assert (path.parent / target.partition("#")[0]).exists(), target
        assert "/docs/" not in turned
        place = (DOCS / _generate.FOLDER / "notebooks" / turned.partition("#")[0]).resolve()
        name = place.relative_to(DOCS).as_posix()
        assert name in WRITTEN or name.removeprefix(f"{_generate.FOLDER}/") in derived()


def test_every_page_is_in_a_table_of_contents():
    listed = set()
    for text in [*WRITTEN.values(), derived()["api/index.md"]]:
        for tree in re.findall(r"^```\{toctree\}\n(.*?)^```", text, re.S | re.M):
            listed |= {line for line in tree.splitlines() if line and line[0] != ":"}
    assert {name.removesuffix(".md") for name in WRITTEN} - listed == {"index"}
    for name in ("gallery", "glossary", "registry", "api/index", "notebooks/*"):
        assert f"{_generate.FOLDER}/{name}" in listed


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("pairwise", "beam_pandas.pairwise"),
        ("beam_pandas.pairwise(df)", "beam_pandas.pairwise"),
        ("df.beam.pairwise(rope=0.01)", "beam_pandas.pairwise"),
        ("plot.save", "beam_pandas.plot.save"),
        ("rope", None),
        ("pairwise()['wins']", None),
        ("save", None),
        ("plot", None),
    ],
)
def test_names_of_functions_in_the_text_are_found(text, name):
    assert _links.named_function(text) == name


def test_references_are_split_at_authors_and_their_dois_are_links():
    lines = """
Demšar, J. (2006). JMLR 7, 1-30, section 3.2.2.
https://www.jmlr.org/papers/v7/demsar06a.html
Benavoli, A., Corani, G., Demšar, J.,
Zaffalon, M. (2017). JMLR 18(77), 1-36.
Dunn, O. J. (1961). JASA 56(293), 52-64. doi:10.1080/01621459.1961.10482090.

An entry after a gap.
Méndez García, A. (2020). Of accents.
""".splitlines()
    found = [
        "Summary.",
        "",
        "References",
        "----------",
        *lines,
        "Examples",
        "--------",
        ">>> 1",
    ]
    _references.number_references(None, "function", "f", None, None, found)
    doi = "10.1080/01621459.1961.10482090"
    assert found == [
        "Summary.",
        "",
        "References",
        "----------",
        "1. Demšar, J. (2006). JMLR 7, 1-30, section 3.2.2. "
        "https://www.jmlr.org/papers/v7/demsar06a.html",
        "2. Benavoli, A., Corani, G., Demšar, J., Zaffalon, M. (2017). JMLR 18(77), 1-36.",
        f"3. Dunn, O. J. (1961). JASA 56(293), 52-64. `doi:{doi} <https://doi.org/{doi}>`__.",
        "4. An entry after a gap.",
        "5. Méndez García, A. (2020). Of accents.",
        "",
        "Examples",
        "--------",
        ">>> 1",
    ]


def test_the_page_on_validation_has_every_comparison_in_order():
    table = WRITTEN["validation.md"].split(BEGIN)[1].split(END)[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (\S+), `(.+?)` \|", table, re.M)
    assert rows == [(c.function, c.columns, c.program, c.call) for c in CHECKS]
    assert {c.function for c in CHECKS} <= set(bp.__all__)


def test_broken_links_of_a_finished_site_are_found(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "index.html").write_text(
        '<a href="inner/page.html#there">1</a><a href="https://example.org">2</a>'
        '<a href="#here" id="here">3</a><a href="inner/page.html?q=1">4</a><a href="inner/">5</a>'
    )
    (inner / "page.html").write_text('<p id="there"><a href="../index.html#h%65re">1</a>')
    (inner / "index.html").write_text("")
    assert _check.broken_links(tmp_path) == []
    (inner / "index.html").write_text(
        '<a href="#no">1</a><img src="no.svg"><a href="page.html#no">2</a>'
    )
    _check._read.cache_clear()
    assert [line.split(": ")[1] for line in _check.broken_links(tmp_path)] == [
        "#no",
        "no.svg",
        "page.html#no",
    ]


def test_the_version_to_cite_is_that_of_the_citation_file():
    cited = re.search(r"version = \{(.+)\}", WRITTEN["cite.md"])[1]
    assert f"version: {cited}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_what_builds_the_site_is_listed_alike_for_pip_and_for_groups():
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = (DOCS / "requirements.txt").read_text(encoding="utf-8").split()
    assert groups["dependency-groups"]["docs"] == needed


def test_all_that_derives_pages_is_in_the_sdist_and_what_is_derived_is_not_committed():
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '\n    "docs",\n' in settings.split("[tool.hatch.build.targets.sdist]")[1]
    if (ROOT / ".gitignore").exists():  # an sdist may lack it
        ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
        assert f"docs/{_generate.FOLDER}/" in ignored
