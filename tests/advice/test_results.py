"""Following what results and groups say."""

from unittest.mock import patch

import pandas as pd
import pytest

import beam_pandas as bp
from beam_pandas.kernels import edge_cliques
from tests.advice.cases import Call, Case
from tests.advice.frames import BARE, LONG, of_metric
from tests.advice.hold import complete, each_once, hold
from tests.advice.reasons import NOTHING, OPTION

PAIRS = bp.nemenyi(LONG)
TWICE = pd.concat([PAIRS, PAIRS])
LETTERS = "results/letters:_check_columns: columns … are needed, found …: pass the"
GROUPED = LONG.assign(domain="x")


def result_of(function, **options):
    """Pass the result of another function, as the message says."""

    def follow(text, call: Call) -> Call:
        assert f"beam_pandas.{function.__name__}" in text or not call.options.get("named")
        return call._replace(frame=function(LONG, **options))

    return follow


def kept(text, call: Call) -> Call:
    """Keep what tells results apart in a column before the pair."""
    parts = [PAIRS.assign(domain=name) for name in "xy"]
    frame = pd.concat(parts)[["domain", *PAIRS.columns]]
    return call._replace(frame=frame)


def without(name):
    def follow(_, call: Call) -> Call:
        return call._replace(frame=call.frame.loc[:, ~call.frame.columns.duplicated()])

    return follow


def schema(dtype):
    return bp.result_schema("pairwise", labels=dtype)


def hard_letters(frame, **options):
    """Let groups be too many to be covered by the fewest letters."""
    with patch.multiple(edge_cliques, _MOST=0, _ALWAYS_EXACT=0):
        return bp.letters(frame, **options)


def grouped(frame, by="domain", **options):
    name = options.pop("beam", "coverage")
    return getattr(frame.groupby(by, **options).beam, name)()


CASES = [
    Case(
        "results/squares:mirrored: values must be one of …, got …",
        bp.to_matrix,
        PAIRS,
        values="wins",
    ),
    Case(
        "results/squares:mirrored: column … is needed once, found several o",
        bp.to_matrix,
        pd.concat([PAIRS, PAIRS[["p_value"]]], axis=1),
        values="p_value",
        follow=without("p_value"),
    ),
    Case(
        "results/squares:to_matrix: result must be a pandas DataFrame, found",
        bp.to_matrix,
        None,
        values="p_value",
        none=OPTION,
    ),
    Case(
        "results/squares:to_matrix: each pair is needed once, found one twic",
        bp.to_matrix,
        TWICE,
        values="p_value",
        follow=kept,
    ),
    Case(
        "results/squares:_pair_columns: columns 'method_1' and 'method_2' are ne",
        bp.to_matrix,
        LONG,
        values="p_value",
        follow=result_of(bp.nemenyi),
    ),
    Case(
        "results/letters:_check_columns: result must be a pandas DataFrame, found",
        bp.letters,
        1,
        none=OPTION,
    ),
    Case(LETTERS, bp.letters, LONG, follow=result_of(bp.wilcoxon)),
    Case(
        "results/letters:_check_columns: every column is needed once, found sever",
        bp.letters,
        pd.concat([PAIRS, PAIRS[["significant"]]], axis=1),
        follow=without("significant"),
    ),
    Case(
        "results/letters:_place: order must be a list of methods, got …",
        bp.letters,
        PAIRS,
        order="ABC",
        none=OPTION,
    ),
    Case(
        "results/letters:_place: order must have each method once, got …",
        bp.letters,
        PAIRS,
        order=["A", "A", "B"],
        none=OPTION,
    ),
    Case(
        "results/letters:_place: order must have all methods: it …",
        bp.letters,
        PAIRS,
        order=["A", "B"],
        none=OPTION,
    ),
    Case(
        "results/letters:_place: order must have all methods: it …",
        bp.letters,
        PAIRS,
        order=["A", "B", "C", "D"],
        none=OPTION,
    ),
    Case(
        "results/letters:_square: each pair is needed once, found one twic",
        bp.letters,
        TWICE,
        follow=kept,
    ),
    Case(
        "results/letters:_square: all pairs of … are needed, found … of …:",
        bp.letters,
        bp.pairwise(LONG, control="A"),
        follow=result_of(bp.pairwise),
    ),
    Case(
        "results/letters:_name_groups: exact=True found …",
        hard_letters,
        PAIRS,
        exact=True,
        follow=lambda text, call: call._replace(options={}),
    ),
    Case(
        "results/build:_label_dtype: labels must be a dtype of text, numbers",
        schema,
        "bool",
        none=OPTION,
    ),
    # Groups ---------------------------------------------------------------------------
    Case(
        "accessor/grouping:_one_by_one: no row has a key: … is missing in all ro",
        grouped,
        LONG.assign(domain=None),
        none=NOTHING,
    ),
    Case(
        "accessor/grouping:_check_merging: merge_metrics makes one metric of severa",
        grouped,
        pd.concat([GROUPED, of_metric("f1").assign(domain="x")]),
        by="metric",
        beam="merge_metrics",
        follow=lambda text, call: call.but(by="domain"),
        truth=pd.concat(
            [
                BARE.assign(metric="merged_benefit", dataset=BARE["dataset"] + f" | {name}")
                for name in ["accuracy", "f1"]
            ]
        ),
    ),
    Case(
        "accessor/grouping:_odd_keys: the keys of the groups must be labels th",
        grouped,
        GROUPED.assign(domain=[(1,) if name == "A" else 1 for name in LONG["method"]]),
        beam="wide_scores",
        sort=False,
        follow=lambda text, call: call._replace(
            frame=GROUPED.assign(domain=GROUPED["method"])
        ),
        truth=GROUPED,
    ),
    Case(
        "accessor/grouping:_insert_keys: the key … of the groups has the name of",
        grouped,
        LONG.assign(n_scores="x"),
        by="n_scores",
        follow=lambda text, call: call._replace(frame=GROUPED).but(by="domain"),
        truth=GROUPED,
    ),
]


@pytest.mark.parametrize("case", each_once(CASES), ids=str)
def test_what_it_says_does_no_harm(case):
    hold(case)


def test_every_message_has_a_case():
    complete(("results", "accessor"), CASES)
