"""Names come out as they were given, in HTML, LaTeX and Markdown."""

import re
import shutil
import subprocess

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import beam_pandas as bp
from beam_pandas.table.escaping import escape_html, escape_latex, escape_markdown
from tests.table.reading import (
    braces_balance,
    from_latex,
    from_markdown,
    html_rows,
    html_tags,
    latex_rows,
    markdown_rows,
)

pytestmark = pytest.mark.filterwarnings("ignore::beam_pandas.BeamWarning")  # odd names

ODD = [
    "a_b",
    "50%",
    "R&D",
    "$5 to $10",
    "#1",
    "{x}",
    "}{",
    "~u",
    "x^2",
    "a\\b",
    "\\textbf{x}",
    "p|q",
    "`code`",
    "**bold**",
    "<script>alert(1)</script>",
    "a--b---c",
    "[1] x",
    "*star",
    "it's",
    'say "x"',
    "&amp;",
    "!x",
    "-x",
    "{0}",
]
FRAME = pd.DataFrame(
    [
        (method, dataset, 0.1 + 0.01 * i + 0.001 * j)
        for i, method in enumerate(ODD)
        for j, dataset in enumerate(reversed(ODD))
    ],
    columns=["method", "dataset", "score"],
).assign(metric="x_1% {acc}")
STYLED = {"higher_is_better": True, "footer": []}


def styled(**options):
    return bp.table.scores(FRAME, **(STYLED | options))


ALPHABET = st.text("ab -" + r"_%&$#{}~^\|`*<>[]!'.†±↑", max_size=12)


@given(ALPHABET)
def test_escaped_text_reads_as_it_was(text):
    assert from_latex(escape_latex(text)) == text
    assert from_markdown(escape_markdown(text)) == text
    assert braces_balance(escape_latex(text))
    assert "--" not in escape_latex(text)
    assert not re.search(r"(?<!\\)[|`*<]", escape_markdown(text).replace("\\\\", ""))
    assert not set(escape_html(text)) & set("<>'\"")


def test_a_line_break_in_a_name_ends_no_row():
    for write in (escape_latex, escape_markdown, escape_html):
        assert write("a\r\nb\u2028c") == "a b c"


@pytest.mark.parametrize("turned", [False, True])
def test_names_are_those_of_the_frame(turned):
    styler = styled(turned=turned)
    for rows in (
        latex_rows(bp.table.to_latex(styler)),
        markdown_rows(bp.table.to_markdown(styler)),
        html_rows(styler.to_html()),
    ):
        heads = [text for text, _ in rows[0]]
        assert heads[0] == "x_1% {acc} ↑"
        assert sorted(heads[1:]) == sorted(ODD)
        assert sorted(row[0][0] for row in rows[1:]) == sorted(ODD)
        assert {len(row) for row in rows} == {len(ODD) + 1}


def test_no_name_becomes_a_tag():
    assert html_tags(styled().to_html()) <= {
        *("style", "table", "caption", "thead", "tbody", "tr", "th", "td", "b", "u", "i")
    }


def test_styler_of_each_target_has_the_names_in_its_own_spelling():
    assert r"a\_b &" in styled(target="latex").to_latex()
    assert "a_b" in styled(target="text").to_string()
    assert "&lt;script&gt;" in styled(target="html").to_html()
    assert "{0}" in styled(target="html").to_html()


def test_names_in_cells_and_captions_are_escaped():
    pairs = bp.pairwise(FRAME, higher_is_better=True)
    styler = bp.table.pairs(pairs, caption="50% of {x} & y_1 <b>")
    assert r"\caption{50\% of \{x\} \& y\_1 \textless{}b\textgreater{}}" in (
        bp.table.to_latex(styler)
    )
    assert "50% of {x} &amp; y_1 &lt;b&gt;" in styler.to_html()
    rows = latex_rows(bp.table.to_latex(styler))
    assert {row[1][0] for row in rows[1:]} <= set(ODD)


def test_labels_that_are_numbers_or_categories_are_written_as_they_are():
    frame = pd.DataFrame(
        {"method": pd.Categorical([10, 2]), "dataset": [1.5, 1.5], "score": [0.1, 0.2]}
    )
    rows = markdown_rows(bp.table.to_markdown(bp.table.scores(frame, **STYLED)))
    assert [text for text, _ in rows[0]] == ["score ↑", "2", "10"] or (
        [text for text, _ in rows[0]] == ["score ↑", "10", "2"]
    )
    assert rows[1][0][0] == "1.5"


def sources():
    """Every kind of source."""
    styler = styled()
    yield from (
        bp.table.to_latex(styler, environment=each)
        for each in ("table", "table*", "tabular", "longtable")
    )
    yield bp.table.to_latex(styled(turned=True), label="tab:x", position="htbp")
    two = pd.concat([FRAME.head(48), FRAME.head(48).assign(metric="b_2")])
    for turned in (False, True):
        table = bp.table.scores(two, higher_is_better=True, turned=turned)
        yield bp.table.to_latex(table)
        yield bp.table.to_latex(table, environment="longtable", label="tab:y")
    accuracy = bp.load_benchmark().query("metric == 'accuracy'")
    for name in ("nemenyi", "critical_difference"):
        result = getattr(bp, name)(accuracy, missing="drop_methods")
        show = bp.table.pairs if name == "nemenyi" else bp.table.ranking
        yield bp.table.to_latex(
            show(result, caption="\N{GREEK SMALL LETTER ALPHA}, β: ω"),
            environment="longtable",
        )
    yield styled(target="latex").to_latex(hrules=True)


def test_braces_balance_and_every_row_has_as_many_cells():
    for source in sources():
        assert braces_balance(source)
        assert source.count(r"\begin") == source.count(r"\end{")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="to run this: install LaTeX")
def test_the_source_compiles(tmp_path):
    body = "\n".join(f"{source}\n\\clearpage" for source in sources())
    document = "\n".join(
        [
            r"\documentclass{article}",
            r"\usepackage{booktabs,longtable}",
            r"\usepackage[paperwidth=400cm,paperheight=100cm]{geometry}",
            r"\begin{document}",
            body,
            r"\end{document}",
            "",
        ]
    )
    (tmp_path / "tables.tex").write_text(document, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tables.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert run.returncode == 0, run.stdout[-2000:].decode(errors="replace")
    assert (tmp_path / "tables.pdf").stat().st_size > 1000
