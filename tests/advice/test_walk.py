"""The walk itself: what it finds, and that it would find harm."""

import pytest

import beam_pandas as bp
from tests.advice.cases import Call, Case
from tests.advice.follow import check_directions, check_scores
from tests.advice.frames import BARE, LONG, holed, of_metric
from tests.advice.hold import complete, hold, lacking
from tests.advice.reading import advice_of
from tests.advice.reasons import OPTION
from tests.advice.sites import places
from tests.advice.test_results import CASES

OPTION_SITE = "errors:check_option: … must be one of …, got …"


def test_messages_are_many_and_known_by_where_they_stand():
    kinds = [place.kind for place in places().values()]
    assert kinds.count("site") > 400
    assert kinds.count("piece") > 100
    assert all(name.startswith(place.path[:-3]) for name, place in places().items())


def test_a_message_without_a_case_is_named_with_what_to_write():
    left_out = CASES[0].site
    others = [case for case in CASES if case.site != left_out]
    assert lacking(("results", "accessor"), others) == [left_out]
    with pytest.raises(AssertionError, match="1 messages have no case:\n.*\nWrite one"):
        complete(("results", "accessor"), others)


@pytest.mark.parametrize(
    ("case", "words"),
    [
        (Case("gate/nowhere:f: no such text", bp.ranks, LONG), "no such site"),
        (Case(OPTION_SITE, bp.ranks, LONG), "the case no longer gives the message"),
        (
            Case("gate/columns:read_columns: the frame holds no scores: it has 0 rows",
                 bp.ranks, LONG.head(0)),
            "nothing was followed",
        ),
        (Case(OPTION_SITE, bp.pairwise, LONG, adjust="x", none=OPTION), "can be followed"),
        (
            Case("labels:_check_present: every row needs a …, … of … … none: writ",
                 bp.pairwise, LONG.replace({"method": {"A": None}}), fill="B", truth=LONG),
            "gives one score for each method and dataset is needed",
        ),
    ],
)  # fmt: skip
def test_a_case_that_is_none_fails(case, words):
    with pytest.raises(AssertionError, match=words):
        hold(case)


@pytest.mark.parametrize(
    "after",
    [
        holed(("A", "iris")),
        LONG.replace({"method": {"A": "B"}}),
        LONG.replace({"dataset": {"iris": "zoo"}}),
        LONG.assign(score=LONG["score"] * 100),
        of_metric("f1"),
        BARE,
    ],
)
def test_harm_is_found(after):
    check_scores(LONG, LONG.iloc[::-1], 0)
    check_scores(LONG, holed(("A", "iris")), 1)
    with pytest.raises(AssertionError):
        check_scores(LONG, after, 0)


def test_a_direction_that_is_turned_is_found():
    case = Case("", bp.ranks, LONG, higher={"zeal": True})
    check_directions(Call(bp.ranks, LONG, {}), case)
    for frame, told in [(LONG, False), (of_metric("zeal"), {"zeal": False})]:
        with pytest.raises(AssertionError, match="was turned"):
            check_directions(Call(bp.ranks, frame, {"higher_is_better": told}), case)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("pass higher_is_better={'a b': ...} with True", [["higher_is_better={'a b': ...}"]]),
        ("use aggregate='mean' or aggregate='max', then", [["aggregate='mean'"], ["aggregate='max'"]]),
        ("df.rename(columns={'it\\'s': 'run'}) and uneven_runs='shared'; else",
         [["df.rename(columns={'it\\'s': 'run'})", "uneven_runs='shared'"]]),
        ("leave it out: df[df['metric'] != 'elo']", [["df[df['metric'] != 'elo']"]]),
        ("the comma, .str.replace(',', '.').astype(float)",
         [["df[COLUMN].str.replace(',', '.').astype(float)"]]),
        ("x must be one of ['a', 'b'], got 'c'", [["x='a'"], ["x='b'"]]),
        ("friedman() and nothing() of beam_pandas.ranks", [["friedman()"]]),
        ("no 'df.rename(x)' in a label, df and 1 == 1", []),
    ],
)  # fmt: skip
def test_advice_is_read_from_a_text(text, codes):
    assert [[each.code for each in found] for found in advice_of(text)] == codes
