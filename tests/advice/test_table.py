"""Following what tables say."""

import sys
from unittest.mock import patch

import pandas as pd
import pytest

import beam_pandas as bp
from tests.advice.cases import Call, Case, Lazy
from tests.advice.frames import LONG, of_metric
from tests.advice.hold import complete, each_once, hold
from tests.advice.reasons import OPTION

table = bp.table
BOTH = pd.concat([LONG, of_metric("f1")])
PAIRS = Lazy(lambda: bp.pairwise(LONG))
RANKED = Lazy(lambda: bp.critical_difference(LONG))


def but(frame=None, **options):
    """Take another frame, or other options; None leaves one out."""

    def follow(_, call: Call) -> Call:
        kept = {
            name: value
            for name, value in (call.options | options).items()
            if value is not None
        }
        return Call(call.function, call.frame if frame is None else frame, kept)

    return follow


def through(function, frame=None):
    """Take the other function that the message names."""

    def follow(text, call: Call) -> Call:
        assert f"table.{function.__name__}" in text
        return Call(function, call.frame if frame is None else frame, {})

    return follow


def marked(frame):
    return Lazy(lambda: bp.pairwise(frame))


def without_jinja(frame):
    with patch.dict(sys.modules, {"jinja2": None}):
        return table.scores(frame)


def hidden(frame):
    """Hide every column of a table before it is written."""
    shown = table.scores(frame)
    return table.to_markdown(shown.hide(subset=list(shown.columns), axis="columns"))


def written(frame, **options):
    return table.to_latex(table.scores(frame), **options)


def doubled():
    found = bp.pairwise(LONG)
    return pd.concat([found, found[["wins"]]], axis=1)


pytestmark = pytest.mark.slow

CASES = [
    Case(
        "table/plan:require_jinja2: tables need jinja2, which is not install",
        without_jinja,
        LONG,
        none="it names what to install, which no test does",
    ),
    Case(
        "table/plan:plan_of: a Styler of beam_pandas.table is needed,",
        table.to_markdown,
        Lazy(lambda: LONG.style),
        follow=lambda text, call: call._replace(frame=Lazy(lambda: table.scores(LONG))),
    ),
    Case(
        "table/plan:shown_part: a table needs a column, all of them are",
        hidden,
        LONG,
        none=OPTION,
    ),
    Case(
        "table/latex:to_latex: label must be text of letters, digits an",
        written,
        LONG,
        label="a{b",
        none=OPTION,
    ),
    Case(
        "table/latex:to_latex: position must be made of the letters htb",
        written,
        LONG,
        position="x",
        none=OPTION,
    ),
    *(
        Case(
            "table/latex:to_latex: … does not go with environment=…: leave",
            written,
            LONG,
            environment="tabular",
            follow=but(label=None, position=None),
            **options,
        )
        for options in [{"label": "tab:a"}, {"position": "h"}]
    ),
    Case(
        "table/captions:describe_result: table.caption needs a pandas DataFrame,",
        table.caption,
        1,
        follow=but(PAIRS),
    ),
    Case(
        "table/captions:_say_rope: rope must be a number, 0 or above, or te",
        table.caption,
        PAIRS,
        rope=-1,
        none=OPTION,
    ),
    Case(
        "table/captions:_say_rope: rope=… is not that of the result, whose",
        table.caption,
        PAIRS,
        rope=0.1,
        follow=but(rope=None),
    ),
    Case(
        "table/captions:_check_alpha: alpha=… is not that of the result: its c",
        table.caption,
        Lazy(lambda: bp.pairwise(LONG).assign(significant=True)),
        alpha=0.001,
        follow=but(PAIRS),
    ),
    # Marks ----------------------------------------------------------------------------
    Case(
        "table/marks:read_verdicts: marks must be a result of pairs, a DataF",
        table.scores,
        LONG,
        marks=1,
        follow=but(marks=PAIRS),
    ),
    Case(
        "table/marks:read_verdicts: marks needs the columns method_1 and met",
        table.scores,
        LONG,
        marks=LONG,
        follow=but(marks=PAIRS),
    ),
    Case(
        "table/marks:read_verdicts: marks must be of one call on the scores",
        table.scores,
        LONG,
        marks=Lazy(lambda: bp.pairwise(LONG).assign(domain="x")),
        follow=but(marks=PAIRS),
    ),
    Case(
        "table/marks:read_verdicts: marks needs the column metric, since the",
        table.scores,
        BOTH,
        marks=Lazy(lambda: bp.pairwise(LONG).drop(columns="metric")),
        follow=but(marks=marked(BOTH)),
    ),
    Case(
        "table/marks:read_verdicts: marks needs each pair once, found … twic",
        table.scores,
        LONG,
        marks=Lazy(lambda: pd.concat([bp.pairwise(LONG)] * 2)),
        follow=but(marks=PAIRS),
    ),
    Case(
        "table/marks:_read: column 'significant' must be True or Fal",
        table.scores,
        LONG,
        marks=Lazy(lambda: bp.pairwise(LONG).assign(significant=None)),
        follow=but(marks=PAIRS),
    ),
    *(
        Case(
            "table/blocks:with_marks_below: marks stand in the footer where there ar",
            table.scores,
            BOTH,
            marks=marked(BOTH),
            footer=[],
            follow=follow,
            drops={"by hand": n},
        )
        for follow, n in [(but(footer=None), 0), (but(LONG, marks=PAIRS), 12)]
    ),
    # Results --------------------------------------------------------------------------
    Case(
        "table/of_results:_lay_out: table.… needs a pandas DataFrame, found",
        table.pairs,
        1,
        follow=but(PAIRS),
    ),
    Case(
        "table/of_results:_lay_out: column … is needed once, found several o",
        table.pairs,
        Lazy(doubled),
        follow=but(PAIRS),
    ),
    Case(
        "table/of_results:_lay_out: table.pairs needs columns that name a pa",
        table.pairs,
        RANKED,
        follow=through(table.ranking),
    ),
    Case(
        "table/of_results:_lay_out: table.ranking shows a row for each metho",
        table.ranking,
        PAIRS,
        follow=through(table.pairs),
    ),
    Case(
        "table/of_results:_lay_out: table.… needs the columns of a result, f",
        table.ranking,
        LONG[["method"]].rename(columns={"method": "x"}),
        follow=through(table.scores, LONG),
    ),
    Case(
        "table/of_results:_chosen: columns must be a list of columns, got …",
        table.pairs,
        PAIRS,
        columns="wins",
        follow=but(columns=["wins"]),
    ),
    Case(
        "table/of_results:_chosen: table.… can show the columns …, got …",
        table.pairs,
        PAIRS,
        columns=["zap"],
        none=OPTION,
    ),
    Case(
        "table/of_results:_show: caption must be text, got …",
        table.pairs,
        PAIRS,
        caption=1,
        none=OPTION,
    ),
    Case(
        "table/numbers:check_digits: digits must be 'auto' or a number of dec",
        table.pairs,
        PAIRS,
        digits="x",
        none=OPTION,
    ),
    Case(
        "table/numbers:check_digits: digits must be from 0 to 15, got …",
        table.pairs,
        PAIRS,
        digits=99,
        none=OPTION,
    ),
    # Scores ---------------------------------------------------------------------------
    Case(
        "table/of_scores:scores: caption must be text, got …",
        table.scores,
        LONG,
        caption=1,
        none=OPTION,
    ),
    *(
        Case(
            "table/of_scores:scores: reference is what marks compare with: pa",
            table.scores,
            LONG,
            reference="A",
            follow=follow,
        )
        for follow in [but(marks=PAIRS), but(reference=None)]
    ),
    Case(
        "table/of_scores:_read_look: footer must be a list of …, got …",
        table.scores,
        LONG,
        footer="mean",
        follow=but(footer=["mean"]),
    ),
    Case(
        "table/of_scores:_chosen_reference: reference must be one of the methods …,",
        table.scores,
        LONG,
        marks=PAIRS,
        reference="Z",
        none=OPTION,
    ),
    *(
        Case(
            "table/of_scores:_chosen_reference: marks compares nothing with the referenc",
            table.scores,
            LONG,
            marks=Lazy(lambda: bp.pairwise(LONG[LONG["method"] != "C"])),
            reference="C",
            follow=follow,
        )
        for follow in [but(marks=PAIRS), but(reference="A")]
    ),
]


@pytest.mark.parametrize("case", each_once(CASES), ids=str)
def test_what_it_says_does_no_harm(case):
    pytest.importorskip("jinja2")
    hold(case)


def test_every_message_has_a_case():
    pytest.importorskip("jinja2")
    complete(("table",), CASES)
