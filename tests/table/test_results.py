"""Tables of results: every function's, to the printed digit, and what is said of them."""

import re

import numpy as np
import pandas as pd
import pytest

import beam_pandas as bp
from beam_pandas.results.vocabulary import VOCABULARY
from beam_pandas.table.captions import maker_of
from beam_pandas.table.columns import heading, is_p_value
from tests.surface import COLUMNS, TIDY, run
from tests.table.reading import braces_balance, html_rows, latex_rows, markdown_rows

_RNG = np.random.default_rng(1)
FRAME = pd.DataFrame(
    [
        (method, f"d{at}", run_, round(shift + _RNG.normal(0.5, 0.05), 3))
        for method, shift in (("A", 0.2), ("B", 0.1), ("C", 0.07), ("D", 0.19))
        for at in range(8)
        for run_ in range(3)
    ],
    columns=["method", "dataset", "run", "score"],
).assign(metric="accuracy")
ONE_RUN = FRAME.query("run == 0").drop(columns="run")
#: The results that a newcomer's tests show; the others are slow tests.
CORE = {"pairwise", "nemenyi", "wilcoxon", "leaderboard", "friedman", "correlated_t"}
CORE |= {"bayesian_sign", "compare_to_control", "critical_difference", "influence"}
each_result = pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in CORE else [pytest.mark.slow])
        for name in TIDY
        if name != "circular_triads"  # may have no row: shown by itself
    ],
)
PAIRS = {"method_1", "dataset_1"}


def result_of(name):
    frame = FRAME if name in RUNS else ONE_RUN
    options = {"prior_strength": 0.5} if name == "bradley_terry" else {}
    return run(name, frame, **options)


RUNS = {
    "correlated_t",
    "aggregate_scores",
    "improvement",
    "performance_profile",
    "coverage",
}


def shown(name, **options):
    result = result_of(name)
    is_pair = PAIRS & set(result.columns)
    show = bp.table.pairs if is_pair else bp.table.ranking
    return result, show(result, **options)


@each_result
def test_every_result_is_shown_to_the_printed_digit(name):
    result = result_of(name)
    body = [c for c in COLUMNS[name] if c in result and VOCABULARY[c].dtype in NUMBERS]
    body = [c for c in body if c != "ci_high"]
    _, styler = shown(name, columns=body)
    rows = markdown_rows(bp.table.to_markdown(styler))
    assert len(rows) == len(result) + 1
    heads = [text for text, _ in rows[0]]
    for column in body:
        at = len(heads) - len(body) + body.index(column)
        assert heads[at] == heading(column)
        for row, value in zip(rows[1:], result[column].tolist(), strict=True):
            assert_prints(row[at][0], value, column)
    assert latex_rows(bp.table.to_latex(styler)) == rows
    assert braces_balance(bp.table.to_latex(styler))
    assert styler.to_html().count("<tr>") >= len(result) + 1


NUMBERS = {"int64", "float64"}


def assert_prints(text, value, column):
    text = text.removesuffix("†")
    if text.startswith("["):
        text = text[1:].partition(",")[0]
    if pd.isna(value):
        assert text == "\N{EN DASH}"
    elif is_p_value(column):
        assert text == "< .001" if value < 0.001 else abs(float(text) - value) <= 0.0005
    elif np.isinf(value):
        assert text == ("∞" if value > 0 else "-∞")
    else:
        mantissa, _, power = text.partition("e")
        unit = 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))
        assert abs(float(text) - value) <= 0.5 * unit * (1 + 1e-9)


@each_result
def test_every_result_has_a_table_and_a_caption_of_its_own(name):
    result, styler = shown(name)
    assert maker_of(result) == name
    said = bp.table.caption(result)
    assert said.endswith(".")
    assert not re.search(r"equal\b(?! scores)|no difference|nan", said.lower())
    assert styler.caption.replace("&lt;", "<") == said
    html = html_rows(styler.to_html())
    assert len(html) >= len(result) + 1


def test_what_is_the_same_in_all_rows_is_said_and_not_shown():
    pairs = bp.nemenyi(ONE_RUN)
    rows = markdown_rows(bp.table.to_markdown(bp.table.pairs(pairs)))
    heads = [text for text, _ in rows[0]]
    assert heads == [
        *("method 1", "method 2", "mean rank 1", "mean rank 2", "rank difference"),
        *("p", "p adjusted"),
    ]
    said = bp.table.caption(pairs, alpha=0.05, adjust=None)
    gap = pairs["critical_difference"].iloc[0]
    assert said == (
        "Nemenyi test of mean ranks. accuracy: 4 methods on 8 datasets. Critical difference "
        f"{gap:.4g} at alpha 0.05. {pairs['significant'].sum()} of 6 comparisons are "
        "significant (†) at alpha 0.05."
    )


def test_significant_rows_are_marked_and_no_others():
    pairs = bp.pairwise(ONE_RUN, adjust="none")
    rows = markdown_rows(bp.table.to_markdown(bp.table.pairs(pairs)))[1:]
    assert [row[-1][0].endswith("†") for row in rows] == pairs["significant"].tolist()
    assert 0 < pairs["significant"].sum() < len(pairs)


def test_metrics_and_groups_lead_the_rows_in_blocks():
    frame = pd.concat([ONE_RUN, ONE_RUN.assign(metric="f1")])
    frame = frame.assign(domain=np.where(frame["dataset"] < "d4", "x|y", "z"))
    result = frame.groupby("domain").beam.standing()
    styler = bp.table.ranking(result)
    rows = markdown_rows(bp.table.to_markdown(styler))
    assert [text for text, _ in rows[0][:3]] == ["domain", "metric", "method"]
    assert [row[0][0] for row in rows[1:] if row[0][0]] == ["x|y", "z"]
    assert [row[1][0] for row in rows[1:] if row[1][0]] == ["accuracy", "f1"] * 2
    assert bp.table.to_latex(styler).count(r"\midrule") == 4  # the head, and three blocks
    shuffled = bp.table.ranking(result[["metric", "standing", "domain", "method"]])
    names = list(shuffled.data.index.names)
    assert names == ["domain", "metric", "method"]


def test_columns_may_be_chosen_and_hidden():
    pairs = bp.wilcoxon(ONE_RUN)
    styler = bp.table.pairs(pairs, columns=["p_adjusted", "mean_diff", "ci_low"], digits=1)
    rows = markdown_rows(bp.table.to_markdown(styler))
    assert [t for t, _ in rows[0]][2:] == ["p adjusted", "mean difference", "interval"]
    assert re.fullmatch(r"\[-?\d\.\d, -?\d\.\d\]", rows[1][4][0])
    styler.hide(subset=["mean_diff"], axis="columns")
    styler.hide(subset=styler.data.index[:2], axis="index").set_caption("Mine")
    hidden = markdown_rows(bp.table.to_markdown(styler))
    assert [t for t, _ in hidden[0]][2:] == ["p adjusted", "interval"]
    assert len(hidden) == len(pairs) - 1
    assert latex_rows(bp.table.to_latex(styler)) == hidden
    assert r"\caption{Mine}" in bp.table.to_latex(styler)
    assert "Mine" in bp.table.to_markdown(styler)


def test_a_column_of_missing_values_is_left_out_unless_asked_for():
    result = bp.friedman(ONE_RUN)
    assert "exact p" not in bp.table.to_markdown(bp.table.ranking(result))
    styler = bp.table.ranking(result, columns=["exact_p_value"])
    assert "exact p" in bp.table.to_markdown(styler)
    assert markdown_rows(bp.table.to_markdown(styler))[1][-1][0] == "\N{EN DASH}"


def test_a_result_without_rows_is_a_table_without_rows():
    styler = bp.table.ranking(bp.circular_triads(ONE_RUN))
    assert len(markdown_rows(bp.table.to_markdown(styler))) == 1
    assert r"\bottomrule" in bp.table.to_latex(styler)
    styler.to_html()
    empty = bp.pairwise(ONE_RUN).head(0)
    assert len(markdown_rows(bp.table.to_markdown(bp.table.pairs(empty)))) == 1


def test_metrics_without_a_name_and_letters_are_shown():
    frame = ONE_RUN.drop(columns="metric")
    pairs = bp.pairwise(frame, higher_is_better=True)
    rows = markdown_rows(bp.table.to_markdown(bp.table.ranking(bp.letters(pairs))))
    assert [text for text, _ in rows[0]] == ["method", "groups"]
    result = bp.friedman(frame, higher_is_better=True)
    rows = markdown_rows(bp.table.to_markdown(bp.table.ranking(result)))
    assert len(rows) == 2


@pytest.mark.parametrize(
    ("show", "result", "message"),
    [
        ("pairs", "x", "table.pairs needs a pandas DataFrame, found str"),
        ("pairs", bp.standing(ONE_RUN), "table.ranking shows other results"),
        ("ranking", bp.pairwise(ONE_RUN), "pass it to table.pairs"),
        ("ranking", pd.DataFrame({"x": [1]}), "table.scores shows a frame of scores"),
        (
            "ranking",
            pd.DataFrame([[1, 2]], columns=["method"] * 2),
            "'method' is needed once",
        ),
        ("caption", 3, "table.caption needs a pandas DataFrame, found int"),
    ],
)
def test_what_is_no_result_is_refused(show, result, message):
    with pytest.raises(bp.BeamError, match=re.escape(message)):
        getattr(bp.table, show)(result)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": "wins"}, "columns must be a list of columns"),
        ({"columns": ["score"]}, "table.pairs can show the columns"),
        ({"digits": 99}, "digits must be from 0 to 15"),
        ({"target": "rtf"}, "target must be one of"),
        ({"caption": 1}, "caption must be text"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(bp.BeamError, match=message):
        bp.table.pairs(bp.pairwise(ONE_RUN), **options)


# Captions ------------------------------------------------------------------------------


def test_a_caption_says_all_that_it_is_told_and_nothing_else():
    pairs = bp.wilcoxon(ONE_RUN)
    bare = bp.table.caption(pairs)
    told = bp.table.caption(
        pairs,
        alpha=0.05,
        adjust="holm",
        alternative="two-sided",
        rope=0,
        missing="available",
        aggregate="mean",
        confidence_level=0.95,
    )
    for said in ("alpha", "Holm", "two-sided", "averaged", "left out", "95 %", "ties"):
        assert said in told
        assert said not in bare
    for sentence in bare.removesuffix(".").split(". ")[:-1]:
        assert sentence in told


def test_a_rope_is_that_of_the_result():
    pairs = bp.pairwise(ONE_RUN, 0.01)
    assert "Differences up to 0.01 count as ties." in bp.table.caption(pairs)
    shares = pairs.rename(columns={"ties": "prob_equivalent"})  # no dataset is tied there
    assert "Differences up to 0.01 count as equivalent." in bp.table.caption(shares)
    assert bp.table.caption(pairs, rope=0.01) == bp.table.caption(pairs)
    with pytest.raises(bp.BeamError, match=re.escape("whose column has 0.01")):
        bp.table.caption(pairs, rope=0.02)
    assert "within the rope 2% count" in bp.table.caption(bp.nemenyi(ONE_RUN), rope="2%")


def test_a_level_that_is_not_that_of_the_result_is_refused():
    pairs = bp.pairwise(ONE_RUN, adjust="none")
    assert "at alpha 0.05" in bp.table.caption(pairs, alpha=0.05)
    with pytest.raises(bp.BeamError, match=re.escape("alpha=0.001 is not that")):
        bp.table.caption(pairs, alpha=0.001)
    ranks = bp.nemenyi(ONE_RUN)
    assert "at alpha 0.05" in bp.table.caption(ranks, alpha=0.05)
    with pytest.raises(bp.BeamError, match=re.escape("alpha=1e-06 is not that")):
        bp.table.caption(ranks, alpha=1e-6)
    # a p-value that equals the level is significant
    level = pairs["p_adjusted"].min()
    exact = bp.pairwise(ONE_RUN, adjust="none", alpha=level)
    assert f"at alpha {level:.10g}" in bp.table.caption(exact, alpha=level)


def test_one_side_is_of_the_method_where_there_is_a_control():
    told = {"greater": "for a method being better than the control", "two-sided": "two"}
    for alternative, words in told.items():
        control = bp.compare_to_control(ONE_RUN, "A", alternative=alternative)
        assert words in bp.table.caption(control, alternative=alternative)
    pairs = bp.pairwise(ONE_RUN, alternative="greater")
    said = bp.table.caption(pairs, alternative="greater")
    assert "for the first of a pair being better" in said


def test_a_caption_names_posteriors_and_counts_datasets_that_tell_methods_apart():
    posterior = bp.bayesian_signed_rank(ONE_RUN, 0.01, n_draws=100)
    assert "Bayesian signed-rank test" in bp.table.caption(posterior)
    assert "Hierarchical" in bp.table.caption(bp.result_schema("hierarchical"))
    apart = bp.dataset_discrimination(ONE_RUN)
    assert " of 8 datasets " in bp.table.caption(apart)
    assert "comparison" not in bp.table.caption(apart)


def test_what_could_not_be_compared_is_counted():
    frame = ONE_RUN[~(ONE_RUN["method"].eq("A") & (ONE_RUN["dataset"] < "d4"))]
    frame = frame[~(frame["method"].eq("B") & (frame["dataset"] >= "d4"))]
    pairs = bp.pairwise(frame)
    assert "; 1 could not be made (\N{EN DASH})" in bp.table.caption(pairs)
    assert "4 methods on 0 to 8 datasets" in bp.table.caption(pairs)


def test_decisions_are_counted_as_they_are():
    pairs = bp.bayesian_sign(ONE_RUN, 0.01)
    number = pairs["decision"].value_counts()
    said = bp.table.caption(pairs, threshold=0.95)
    assert "from a probability of 0.95 on" in said
    for word, times in number.items():
        assert f"{times} {word}" in said


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 2}, "alpha must be a number between 0 and 1"),
        ({"adjust": "sidak"}, "adjust must be one of"),
        ({"missing": "impute"}, "missing must be one of"),
        ({"aggregate": "sum"}, "aggregate must be one of"),
        ({"alternative": "both"}, "alternative must be one of"),
        ({"rope": -1}, "rope must be a number"),
        ({"confidence_level": 95}, "confidence_level must be"),
        ({"threshold": 1.5}, "threshold must be"),
    ],
)
def test_what_a_caption_is_told_is_checked(options, message):
    with pytest.raises(bp.BeamError, match=message):
        bp.table.caption(bp.pairwise(ONE_RUN), **options)
