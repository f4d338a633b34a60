"""What holds for all tables: where they come from, what they need, what they leave alone."""

import copy
import doctest
import inspect
import pickle
import re
import subprocess
import sys

import pandas as pd
import pytest

import beam_pandas as bp
from tests.table.reading import html_rows
from tests.test_docstrings import read_entries, read_parameters, read_sections

PAIRS = bp.pairwise(bp.load_benchmark().query("metric == 'accuracy'"))
SCORES = bp.load_benchmark().query("metric == 'accuracy' and dataset in ['iris', 'tae']")


def test_the_names_are_those_of_the_stub():
    assert bp.table.__all__ == dir(bp.table)
    assert bp.table.__all__ == [
        *("caption", "pairs", "ranking", "scores", "to_latex", "to_markdown")
    ]
    with pytest.raises(AttributeError):
        bp.table.nothing  # noqa: B018


@pytest.mark.parametrize("name", bp.table.__all__)
def test_examples_run(name):
    function = getattr(bp.table, name)
    (example,) = doctest.DocTestFinder(recurse=False).find(function, name, globs={})
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0
    assert function.__module__ == "beam_pandas.table"
    assert pickle.loads(pickle.dumps(function)) is function


@pytest.mark.parametrize("name", bp.table.__all__)
def test_docstrings_have_the_usual_parts(name):
    function = getattr(bp.table, name)
    sections = read_sections(function)
    assert {"Parameters", "Returns", "Raises", "See Also", "Examples"} <= set(sections)
    assert [*read_parameters(function)] == [
        part
        for names in inspect.signature(function).parameters
        for part in [names]
        if part in read_parameters(function)
    ]
    for sibling, words, _ in read_entries(sections["See Also"]):
        assert inspect.isfunction(getattr(bp.table, sibling))
        assert words.endswith(".")


def test_importing_loads_neither_jinja2_nor_the_styler():
    code = (
        "import sys, beam_pandas as bp; dir(bp.table); bp.table.scores; "
        "print([m for m in sys.modules if m.startswith(('jinja2', 'pandas.io.formats.style'))])"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert found.strip() == "[]"


@pytest.mark.parametrize(
    "make", [lambda: bp.table.scores(SCORES), lambda: bp.table.pairs(PAIRS)]
)
def test_without_jinja2_the_error_says_how_to_install_it(make, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(bp.MissingDependencyError, match=re.escape("beam_pandas[table]")):
        make()


@pytest.mark.parametrize("thing", [None, SCORES, SCORES.style, "x"])
@pytest.mark.parametrize("write", ["to_latex", "to_markdown"])
def test_only_tables_of_this_package_are_written(thing, write):
    with pytest.raises(bp.ScoreTypeError, match="a Styler of beam_pandas.table is needed"):
        getattr(bp.table, write)(thing)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"environment": "figure"}, "environment must be one of"),
        ({"label": "a{b"}, "label must be text of letters"),
        ({"position": "x"}, "position must be made of"),
        ({"environment": "tabular", "label": "a"}, "label does not go with"),
        ({"environment": "longtable", "position": "t"}, "position does not go with"),
    ],
)
def test_options_of_the_source_are_checked(options, message):
    with pytest.raises(bp.BeamError, match=message):
        bp.table.to_latex(bp.table.pairs(PAIRS.head(2)), **options)


def test_the_source_has_what_was_asked_for():
    styler = bp.table.pairs(PAIRS.head(2))
    source = bp.table.to_latex(styler, label="tab:x", position="t", environment="table*")
    assert source.startswith("\\begin{table*}[t]\n\\centering\n\\caption{")
    assert "\\label{tab:x}\n\\begin{tabular}{llrr" in source
    assert source.endswith("\\end{tabular}\n\\end{table*}\n")


def test_a_table_is_the_same_each_time_and_can_be_copied():
    one, other = bp.table.scores(SCORES), bp.table.scores(SCORES)
    assert one.to_html() == other.to_html()
    copied = copy.deepcopy(one)
    assert bp.table.to_latex(copied) == bp.table.to_latex(one)
    assert html_rows(copied.to_html()) == html_rows(one.to_html())


def test_options_of_pandas_neither_matter_nor_change():
    expected = bp.table.scores(SCORES).to_html()
    options = ("styler.format.escape", "html", "styler.format.precision", 1)
    with pd.option_context(*options):
        assert bp.table.scores(SCORES).to_html() == expected


def test_results_are_left_as_they_were():
    before = PAIRS.copy()
    bp.table.pairs(PAIRS)
    bp.table.caption(PAIRS)
    pd.testing.assert_frame_equal(PAIRS, before)
    assert PAIRS.attrs == {}
