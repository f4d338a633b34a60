"""The table of scores: what it prints, what stands out, what it says of itself."""

import re

import numpy as np
import pandas as pd
import pytest

import beam_pandas as bp
from tests.table.reading import html_rows, latex_rows, markdown_rows
from tests.tables import DEMSAR, DEMSAR_RANKED

TEXT = re.compile(r"^(\S+)(?: ± (\S+?))?([†‡]?)$")
FOLDS = bp.load_benchmark(folds=True).query(
    "metric == 'accuracy' and dataset in ['glass', 'iris', 'tae', 'wine'] "
    "and method in ['MLP', 'SVC', 'GaussianNB', 'ComplementNB']"
)
ONE = bp.load_benchmark().query(
    "metric == 'accuracy' and dataset in ['glass', 'iris', 'tae', 'wine', 'vowel', 'sonar']"
)


def grid(styler):
    """Read a table back from Markdown: its cells by row and column, and how they stand out."""
    head, *rows = markdown_rows(bp.table.to_markdown(styler))
    columns = [text for text, _ in head[1:]]
    cells = {row[0][0]: row[1:] for row in rows}
    texts = pd.DataFrame({k: [t for t, _ in v] for k, v in cells.items()}, columns).T
    kinds = pd.DataFrame({k: [s or "" for _, s in v] for k, v in cells.items()}, columns).T
    return texts, kinds


def assert_prints(text, value, spread):
    """Hold what is printed against a number, to half a unit of its last digit."""
    if np.isnan(value):
        assert text == "\N{EN DASH}"
        return
    printed, tail, _ = TEXT.match(text).groups()
    unit = 10.0 ** -len(printed.partition(".")[2])
    assert abs(float(printed) - value) <= 0.5 * unit * (1 + 1e-9)
    if tail is None:
        assert np.isnan(spread)
    else:
        assert abs(float(tail) - spread) <= 0.5 * unit * (1 + 1e-9)


@pytest.mark.parametrize("spread", ["std", "stderr", None])
@pytest.mark.parametrize("digits", ["auto", 2, 5])
def test_values_are_those_of_pandas_to_the_printed_digit(spread, digits):
    styler = bp.table.scores(FOLDS, spread=spread, digits=digits)
    texts, kinds = grid(styler)
    mean = FOLDS.pivot_table("score", "dataset", "method", "mean")
    off = FOLDS.pivot_table("score", "dataset", "method", "std")
    off *= {"std": 1.0, "stderr": 10**-0.5, None: np.nan}[spread]
    for dataset in mean.index:
        for method in mean.columns:
            assert_prints(
                texts.loc[dataset, method],
                mean.loc[dataset, method],
                off.loc[dataset, method],
            )
            expected = ""
            order = mean.loc[dataset].dropna().sort_values(ascending=False)
            if method in order.index:
                expected = {0: "bold", 1: "underline"}.get(order.index.get_loc(method), "")
            assert kinds.loc[dataset, method] == expected
    if digits != "auto":
        assert all(len(t.split()[0].partition(".")[2]) == digits for t in texts.loc["wine"])


def test_html_latex_and_markdown_hold_the_same():
    styler = bp.table.scores(FOLDS, marks=FOLDS.beam.pairwise(aggregate="mean"))
    rows = markdown_rows(bp.table.to_markdown(styler))
    assert latex_rows(bp.table.to_latex(styler)) == rows
    assert html_rows(styler.to_html()) == rows


def test_the_first_digit_of_the_spread_is_shown():
    frame = pd.DataFrame(
        {
            "method": ["A"] * 2 + ["B"] * 2,
            "dataset": "x",
            "run": [0, 1] * 2,
            "score": [0.911, 0.933, 0.52, 0.5201],
        }
    )
    texts, _ = grid(bp.table.scores(frame, higher_is_better=True, footer=[]))
    # deviations 0.0156 and 0.00007
    assert texts.loc["x"].tolist() == ["0.92200 ± 0.01556", "0.52005 ± 0.00007"]


def test_all_that_share_the_best_value_stand_out():
    frame = pd.DataFrame(
        {"method": list("ABCD"), "dataset": "x", "score": [0.9, 0.9, 0.8, 0.7]}
    )
    for higher, kinds in (
        (True, ["bold", "bold", "underline", ""]),
        (False, ["", "", "underline", "bold"]),
    ):
        styler = bp.table.scores(frame, higher_is_better=higher, footer=[], order="label")
        found = grid(styler)[1].loc["x"].tolist()
        assert found == kinds


def test_bold_follows_the_scores_and_not_what_is_printed_of_them():
    frame = pd.DataFrame(
        {"method": ["A", "B"], "dataset": "x", "score": [0.90001, 0.90002]}
    )
    texts, kinds = grid(bp.table.scores(frame, higher_is_better=True, digits=3, footer=[]))
    assert texts.loc["x"].tolist() == ["0.900", "0.900"]
    assert kinds.loc["x", ["A", "B"]].tolist() == ["underline", "bold"]


def test_the_footer_has_the_ranks_that_demsar_printed():
    texts, kinds = grid(bp.table.scores(DEMSAR_RANKED, digits=3))
    assert texts.loc["mean rank"].to_dict() == {
        "C4.5+m+cf": "1.964",
        "C4.5+m": "2.000",
        "C4.5+cf": "2.893",
        "C4.5": "3.143",
    }
    assert kinds.loc["mean rank"].tolist() == ["bold", "underline", "", ""]
    mean = DEMSAR_RANKED.groupby("method")["score"].mean()
    for method, text in texts.loc["mean"].items():
        assert_prints(text, mean[method], np.nan)


def test_a_missing_score_is_a_dash_and_the_footer_says_of_how_many():
    frame = DEMSAR.drop(index=DEMSAR.index[[0, 5]])
    styler = bp.table.scores(frame)
    texts, kinds = grid(styler)
    assert (texts == "\N{EN DASH}").sum().sum() == 2
    n = frame.groupby("method")["dataset"].nunique().astype(str)
    assert texts.loc["datasets"].to_dict() == n.to_dict()
    assert kinds.loc[["mean", "mean rank", "times best", "datasets"]].eq("").all(axis=None)
    assert "\N{EN DASH}: no score" in bp.table.to_markdown(styler)
    assert "datasets" not in grid(bp.table.scores(DEMSAR))[0].index


def test_nan_and_an_absent_row_are_the_same():
    absent = DEMSAR.drop(index=3)
    nan = DEMSAR.assign(score=DEMSAR["score"].where(DEMSAR.index != 3))
    assert bp.table.scores(absent).to_html() == bp.table.scores(nan).to_html()


def test_neither_order_nor_index_nor_other_columns_matter():
    expected = bp.table.scores(FOLDS).to_html()
    other = FOLDS.sample(frac=1, random_state=0).assign(x=1)
    before = other.copy()
    assert bp.table.scores(other).to_html() == expected
    pd.testing.assert_frame_equal(other, before)
    assert FOLDS.pipe(bp.table.scores).to_html() == expected


def test_turned_has_the_same_cells():
    texts, kinds = grid(bp.table.scores(FOLDS))
    turned, turned_kinds = grid(bp.table.scores(FOLDS, turned=True))
    pd.testing.assert_frame_equal(turned, texts.T)
    pd.testing.assert_frame_equal(turned_kinds, kinds.T)


def test_methods_stand_in_order_of_their_mean_rank_or_of_their_labels():
    ranks = bp.ranks(ONE).groupby("method")["score_rank"].mean()
    by_rank = ranks.sort_values(kind="stable").index.tolist()
    assert bp.table.scores(ONE).data.columns.tolist() == by_rank
    found = bp.table.scores(ONE, order="label").data.columns.tolist()
    assert found == sorted(by_rank)


def test_several_metrics_are_blocks_with_arrows():
    frame = bp.load_benchmark().query(
        "metric in ['accuracy', 'log_loss'] and dataset in ['iris', 'wine'] "
        "and method in ['MLP', 'GaussianNB', 'DecisionTree']"
    )
    head, *rows = markdown_rows(bp.table.to_markdown(bp.table.scores(frame)))
    assert [row[0][0] for row in rows if row[0][0]] == ["accuracy ↑", "log_loss ↓"]
    assert len(rows) == 10
    for metric, part in frame.groupby("metric"):
        alone = grid(bp.table.scores(part, order="label"))[0]
        at = [row[0][0].startswith(metric) for row in rows].index(True)
        order = [text for text, _ in head[2:]]
        found = [[text for text, _ in row[2:]] for row in rows[at : at + 5]]
        assert found == alone[order].to_numpy().tolist()
    source = bp.table.to_latex(bp.table.scores(frame, turned=True))
    assert r"\multicolumn{5}{c}{accuracy $\uparrow$}" in source
    assert r"\cmidrule(lr){2-6} \cmidrule(lr){7-11}" in source


# Marks ---------------------------------------------------------------------------------


def marks_of(pairs, columns=("method_1", "method_2", "significant")):
    return pd.DataFrame(pairs, columns=list(columns))


def heads(styler):
    return [text for text, _ in markdown_rows(bp.table.to_markdown(styler))[0][1:]]


ABC = pd.DataFrame(
    [(m, d, s) for m, s in zip("ABC", (0.9, 0.8, 0.7), strict=True) for d in "xy"],
    columns=["method", "dataset", "score"],
).assign(metric="accuracy")


def test_methods_that_differ_from_the_best_are_marked():
    marks = marks_of([("A", "B", False), ("A", "C", True), ("B", "C", True)])
    styler = bp.table.scores(ABC, marks=marks)
    assert heads(styler) == ["A", "B", "C†"]
    assert "†: differs significantly from A" in bp.table.to_markdown(styler)
    assert styler.data.columns.tolist() == ["A", "B", "C"]


def test_methods_that_differ_from_a_reference_are_marked():
    marks = marks_of([("A", "B", False), ("A", "C", True), ("B", "C", False)])
    assert heads(bp.table.scores(ABC, marks=marks, reference="C")) == ["A†", "B", "C"]


def test_what_was_not_compared_has_another_mark():
    marks = marks_of([("A", "B", False)]).assign(p_adjusted=0.3)
    styler = bp.table.scores(ABC, marks=marks)
    assert heads(styler) == ["A", "B", "C‡"]
    assert "‡: not compared with A" in bp.table.to_markdown(styler)
    nan = marks_of([("A", "B", False), ("A", "C", False)]).assign(p_adjusted=[0.3, np.nan])
    assert heads(bp.table.scores(ABC, marks=nan)) == ["A", "B", "C‡"]


def test_of_several_best_a_method_has_to_differ_from_each():
    frame = ABC.assign(score=ABC["score"].where(ABC["method"] != "B", 0.9))
    marks = marks_of([("A", "B", False), ("A", "C", True), ("B", "C", False)])
    assert heads(bp.table.scores(frame, marks=marks)) == ["A", "B", "C"]
    marks = marks.assign(significant=[False, True, True])
    styler = bp.table.scores(frame, marks=marks)
    assert heads(styler) == ["A", "B", "C†"]
    assert "differs significantly from the best" in bp.table.to_markdown(styler)


def test_marks_are_those_of_the_result():
    for marks in (
        bp.nemenyi(ONE, missing="drop_methods", alpha=0.3),
        bp.pairwise(ONE, adjust="none"),
        bp.wilcoxon(ONE, adjust="none"),
    ):
        methods = bp.table.scores(ONE).data.columns.tolist()
        best = methods[0]
        square = bp.to_matrix(marks, "p_adjusted")
        found = heads(bp.table.scores(ONE, marks=marks))
        alpha = 0.3 if "rank_diff" in marks else 0.05
        for method, head in zip(methods[1:], found[1:], strict=True):
            p = square[best].get(method, np.nan)
            expected = "‡" if np.isnan(p) else "†" if p <= alpha else ""
            assert head == f"{method}{expected}"


def test_the_control_of_a_result_is_the_reference():
    marks = bp.compare_to_control(
        ONE, "DecisionTree", missing="drop_methods", adjust="none"
    )
    styler = bp.table.scores(ONE, marks=marks)
    expected = set(marks.loc[marks["significant"], "method"])
    found = heads(styler)
    assert {head[:-1] for head in found if head.endswith("†")} == expected
    assert "DecisionTree" in found


def test_decisions_are_marked_in_their_own_words():
    marks = bp.bayesian_sign(ABC, 0.01)
    decided = marks.assign(decision=["undecided", "better", "equivalent"])
    styler = bp.table.scores(ABC, marks=decided)
    assert heads(styler) == ["A", "B", "C†"]
    assert "is decided to be better or worse than A" in bp.table.to_markdown(styler)


def test_a_verdict_for_each_dataset_is_marked_in_the_cell():
    marks = FOLDS.beam.correlated_t(0.01, test_share=0.2)
    texts, kinds = grid(bp.table.scores(FOLDS, marks=marks, footer=[]))
    for row in marks.itertuples():
        best = kinds.columns[kinds.loc[row.dataset] == "bold"].item()
        if best in (row.method_1, row.method_2):
            other = row.method_2 if best == row.method_1 else row.method_1
            assert texts.loc[row.dataset, other].endswith("†") == row.significant


def test_with_several_metrics_the_marks_stand_at_the_mean_ranks():
    frame = pd.concat([ABC, ABC.assign(metric="log_loss")])
    marks = marks_of(
        [("accuracy", "A", "C", True), ("accuracy", "A", "B", False)]
        + [("log_loss", "A", "C", False), ("log_loss", "B", "C", True)],
        ("metric", "method_1", "method_2", "significant"),
    )
    styler = bp.table.scores(frame, marks=marks)
    assert heads(styler)[1:] == ["A", "B", "C"]
    rows = markdown_rows(bp.table.to_markdown(styler))
    found = [[t for t, _ in row[2:]] for row in rows if row[1][0] == "mean rank"]
    assert found == [["1.00", "2.00", "3.00†"], ["3.00", "2.00†", "1.00"]]
    with pytest.raises(bp.BeamError, match="marks stand in the footer"):
        bp.table.scores(frame, marks=marks, footer=[])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"marks": "x"}, "marks must be a result of pairs"),
        ({"marks": pd.DataFrame({"method_1": []})}, "marks needs the columns"),
        ({"marks": marks_of([("A", "B", True)] * 2)}, "marks needs each pair once"),
        (
            {"marks": marks_of([("A", "B", True)]).assign(domain="x")},
            "'domain' of groups",
        ),
        (
            {"marks": marks_of([("A", "B", True)]), "reference": "C"},
            "marks compares nothing with the reference 'C'",
        ),
        (
            {"marks": marks_of([("A", "B", True)]), "reference": "Z"},
            "reference must be one of the methods 'A', 'B', 'C', got 'Z'",
        ),
        ({"reference": "A"}, "reference is what marks compare with"),
    ],
)
def test_marks_that_are_none_are_refused(options, message):
    with pytest.raises(bp.BeamError, match=re.escape(message)):
        bp.table.scores(ABC, **options)


# Options -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"spread": "range"}, "spread must be one of"),
        ({"digits": "all"}, "digits must be"),
        ({"best": "red"}, "best must be one of"),
        ({"second": "red"}, "second must be one of"),
        ({"order": "score"}, "order must be one of"),
        ({"footer": "mean"}, "footer must be a list of"),
        ({"footer": ["median"]}, "footer must be one of"),
        ({"turned": "yes"}, "turned must be True or False"),
        ({"target": "pdf"}, "target must be one of"),
        ({"aggregate": "sum"}, "aggregate must be one of"),
        ({"uneven_runs": "drop"}, "uneven_runs must be one of"),
        ({"caption": 3}, "caption must be text"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(bp.BeamError, match=message):
        bp.table.scores(ABC, **options)


def test_what_the_gate_refuses_is_refused():
    with pytest.raises(bp.UnknownMetricError):
        bp.table.scores(ABC.assign(metric="zeal"))
    with pytest.raises(bp.MissingColumnsError):
        bp.table.scores(ABC.drop(columns="score"))
    uneven = pd.concat([ABC.assign(run=0), ABC.head(1).assign(run=1)])
    with pytest.raises(bp.UnevenRunsError, match="table.scores needs the same runs"):
        bp.table.scores(uneven)
    texts, _ = grid(bp.table.scores(uneven, uneven_runs="shared"))
    assert texts.loc["x", "A"] == "0.9"
    styler = bp.table.scores(uneven, uneven_runs="ignore")
    assert "1 to 2 runs" in bp.table.to_markdown(styler)


def test_how_what_stands_out_may_be_told_or_left_out():
    styler = bp.table.scores(ABC, best="italic", second=None, footer=[])
    assert grid(styler)[1].loc["x"].tolist() == ["italic", "", ""]
    assert "best of a dataset" in bp.table.to_markdown(styler)
    plain = bp.table.scores(ABC, best=None, second=None, footer=[])
    assert grid(plain)[1].eq("").all(axis=None)
    assert "best of a dataset" not in bp.table.to_markdown(plain)


def test_the_caption_says_what_is_shown():
    said = bp.table.to_markdown(bp.table.scores(FOLDS)).splitlines()[-1]
    assert said.startswith("Mean ± standard deviation of 10 runs.")
    said = bp.table.to_markdown(bp.table.scores(ABC)).splitlines()[-1]
    assert said.startswith("Scores of single runs.")
    assert bp.table.to_markdown(bp.table.scores(ABC, caption="Mine_1")).endswith(
        "Mine\\_1\n"
    )
    assert bp.table.scores(ABC, caption="").caption is None


@pytest.mark.slow
def test_several_thousand_datasets_are_quick():
    import time

    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "method": np.tile(list("ABCDEFGH"), 5000),
            "dataset": np.repeat([f"d{at}" for at in range(5000)], 8),
            "score": rng.random(40_000),
        }
    )
    begin = time.process_time()
    styler = bp.table.scores(frame, higher_is_better=True)
    bp.table.to_latex(styler)
    bp.table.to_markdown(styler)
    assert time.process_time() - begin < 8.0
