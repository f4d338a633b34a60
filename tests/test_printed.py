"""Printed tables: cells, numbers, shapes, and errors followed as advice."""

import gzip
import math
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import beam_pandas as bp
from beam_pandas.shapes.column_scales import odd_columns
from beam_pandas.shapes.printed import parse_scores, read_printed


def parse(*cells, **options):
    """Scores of a long frame, a row per cell."""
    frame = pd.DataFrame({"method": [f"m{at}" for at in range(len(cells))], "dataset": "d"})
    return parse_scores(frame.assign(score=pd.Series(cells, dtype=object)), **options)


CELLS = [  # cell, score, spread, marked
    ("0.91", 0.91, None, False),
    ("0.91 ± 0.01", 0.91, 0.01, False),
    ("0.91±0.01", 0.91, 0.01, False),
    ("0.91+-0.01", 0.91, 0.01, False),
    ("0.91 +/- 0.01", 0.91, 0.01, False),
    ("0.91+0.01", 0.91, 0.01, False),
    (r"0.91\pm0.01", 0.91, 0.01, False),
    (r"$0.91 \pm 0.01$", 0.91, 0.01, False),
    ("0.91 (0.01)", 0.91, 0.01, False),
    ("0.91(0.01)", 0.91, 0.01, False),
    ("0.91 (± 0.01)", 0.91, 0.01, False),
    ("0.91<sub>±0.01</sub>", 0.91, 0.01, False),
    ("0.91&plusmn;0.01", 0.91, 0.01, False),
    ("**0.91**", 0.91, None, True),
    ("__0.91__", 0.91, None, True),
    ("***0.91***", 0.91, None, True),
    ("<b>0.91</b>", 0.91, None, True),
    ("<u>0.91</u>", 0.91, None, True),
    (r"\textbf{0.91}", 0.91, None, True),
    (r"\underline{0.91}", 0.91, None, True),
    (r"$\mathbf{0.91}$", 0.91, None, True),
    (r"{\bf 0.91}", 0.91, None, True),
    (r"\bfseries 0.91", 0.91, None, True),
    ("**0.91 ± 0.01**", 0.91, 0.01, True),
    ("**0.91** ± 0.01", 0.91, 0.01, True),
    (r"\textbf{0.91}$_{\pm 0.01}$", 0.91, 0.01, True),
    (r"$\mathbf{0.91}_{\pm 0.01}$", 0.91, 0.01, True),
    (r"\underline{\textbf{0.91}} {\scriptsize $\pm$ 0.01}", 0.91, 0.01, True),
    ("0.91 ± **0.01**", 0.91, 0.01, False),
    ("*0.91+0.01*", 0.91, 0.01, False),
    ("_0.91_", 0.91, None, False),
    (r"\textit{0.91}", 0.91, None, False),
    (r"\textcolor{red}{0.91}", 0.91, None, False),
    (r"\cellcolor{gray!20}0.91", 0.91, None, False),
    (r"\phantom{0}9.1", 9.1, None, False),
    (r"95.3 {\scriptsize 0.1}", 95.3, 0.1, False),
    (r"95{\tiny 3}", 95.0, 3.0, False),  # never 953
    (r"95\scriptsize{3}", 95.0, 3.0, False),
    ("95<small>3</small>", 95.0, 3.0, False),
    (r"95.3$\pm$\scriptsize{0.1}", 95.3, 0.1, False),
    (r"95\std{3}", 95.0, 3.0, False),  # a command of the paper's own
    (r"\best{0.9\std{0.1}}", 0.9, 0.1, True),
    (r"\second{0.91}", 0.91, None, False),
    (r"0.91\rlap{$^*$}", 0.91, None, False),
    (r"\small 0.91", 0.91, None, False),
    ("$0.91$", 0.91, None, False),
    ("0.91*", 0.91, None, False),
    ("0.91**", 0.91, None, False),
    ("**0.91***", 0.91, None, True),
    ("0.91†", 0.91, None, False),
    (r"0.91$^{\dagger}$", 0.91, None, False),
    (r"0.91\textsuperscript{a}", 0.91, None, False),
    ("↑0.91", 0.91, None, False),
    ("🥇 0.91", 0.91, None, False),
    ("`0.91`", 0.91, None, False),
    ("[0.91](https://example.org/run_1)", 0.91, None, False),
    ("\u22120.5", -0.5, None, False),
    ("\u20130.5", -0.5, None, False),
    ("$-$0.5", -0.5, None, False),
    ("-0.5 ± 0.1", -0.5, 0.1, False),
    ("+0.5", 0.5, None, False),
    (".91", 0.91, None, False),
    ("91.", 91.0, None, False),
    ("1e-3", 0.001, None, False),
    ("1.5E+02", 150.0, None, False),
    (r"$1.2 \times 10^{-3}$", 0.0012, None, False),
    ("1.2\u00d710\u207b³", 0.0012, None, False),
    ("1.2x10^-3", 0.0012, None, False),
    ("1,014.45", 1014.45, None, False),
    ("1,014,450", 1014450.0, None, False),
    ("1'014", 1014.0, None, False),
    ("1\u202f014", 1014.0, None, False),
    (r"1\,014", 1014.0, None, False),
    ("0.91 ± nan", 0.91, None, False),
    ("0.91 (-)", 0.91, None, False),
    ("0", 0.0, None, False),
    ("100", 100.0, None, False),
]


@pytest.mark.parametrize(("cell", "score", "spread", "marked"), CELLS)
def test_a_cell(cell, score, spread, marked):
    row = parse(cell).iloc[0]
    assert row["score"] == score
    assert math.isnan(row["spread"]) if spread is None else row["spread"] == spread
    assert row["marked"] == marked


@pytest.mark.parametrize("cell", ["91.0 %", "91.0%", r"91.0\%", r"91.0\,\%", "91.0±0.5%"])
def test_percent_signs_stand_everywhere_or_nowhere(cell):
    found = parse(cell, "90 %", "-", missing=["-"])
    assert found["score"].tolist()[:2] == [91.0, 90.0]
    with pytest.raises(bp.BeamError, match="percent sign must stand behind all.*or none"):
        parse(cell, "90")
    with pytest.raises(bp.BeamError, match="same unit must stand"):
        parse("5 ms", "3 s")
    assert parse("5 ms", "3ms ± 1 ms")["score"].tolist() == [5, 3]


def test_a_unit_is_looked_for_within_a_metric():
    frame = pd.DataFrame(
        {"method": "A", "dataset": "d", "metric": ["acc", "f1"], "score": ["91 %", "0.9"]}
    )
    assert parse_scores(frame)["score"].tolist() == [91.0, 0.9]


@pytest.mark.parametrize(
    "cell", ["-", "--", "---", "—", "OOM", "n/a", "N/A", "nan", "nan+nan", ">24h", "> 24 h",
             "≥ 3 days", "timeout", "", "**-**", r"\textemdash", "✗"]
)  # fmt: skip
def test_a_word_is_missing_and_named_once(cell):
    with pytest.warns(bp.BeamWarning) as caught:
        found = parse("0.5", cell, cell)
    assert len(caught) == 1
    assert f"taken as missing: {cell!r} (2 times)" in str(caught[0].message)
    assert found["score"].isna().tolist() == [False, True, True]
    assert caught[0].filename == __file__
    silent = parse("0.5", cell, missing=[cell])
    assert silent["score"].isna().tolist() == [False, True]


def test_what_is_missing_already_is_not_named():
    assert parse("0.5", None, np.nan, pd.NA)["score"].isna().sum() == 3


@pytest.mark.parametrize(
    "cell", ["OOM (32GB)", "error 137", "<0.01", "1_000", "1 014", "0.91 0.9", "0.91 - 0.93",
             "nan (0.01)", "(0.91)", "t5", "0.91±0.01±0.02", "½", "0.9.1.1,2", "٣"]
)  # fmt: skip
def test_text_that_holds_a_number_is_never_missing(cell):
    with pytest.raises(bp.ScoreTypeError) as caught:
        parse("0.5", cell)
    assert repr(cell) in str(caught.value)
    assert parse("0.5", cell, missing=[cell])["score"].isna().tolist() == [False, True]


def test_a_long_text_is_cut_in_messages():
    with pytest.raises(bp.ScoreTypeError) as caught:
        parse("7" + "x y" * 5_000)
    assert len(str(caught.value)) < 400
    with pytest.raises(bp.ScoreTypeError) as caught:
        parse([1] * 10_000)
    assert len(str(caught.value)) < 400
    with pytest.warns(bp.BeamWarning) as warned:
        parse("1", "x" * 10_000)
    assert len(str(warned[0].message)) < 400


def test_two_scores_in_a_cell_are_read_part_by_part():
    cells = ("90.9/84.1", "**91.2** / 80.0", "-/3", "n/a/4.5", "OOM")
    with pytest.raises(bp.ScoreTypeError, match="part=1, the second with part=2"):
        parse(*cells)
    with pytest.warns(bp.BeamWarning, match="taken as missing"):
        first, second = parse(*cells, part=1), parse(*cells, part=2)
    assert first["score"].tolist()[:2] == [90.9, 91.2]
    assert first["score"].isna().tolist()[2:] == [True] * 3
    assert second["score"].tolist()[:4] == [84.1, 80.0, 3.0, 4.5]
    assert first["marked"].tolist() == [False, True, False, False, False]
    assert not second["marked"].any()
    with pytest.raises(bp.ScoreTypeError, match="parted by '/'"):
        parse("0.9/0.8", "0.7", part=1)


def test_thousands_that_can_be_read_in_two_ways():
    with pytest.raises(bp.BeamError) as caught:
        parse("1,014", "998")
    for reading in ("1014", "decimal='.'", "1.014", "decimal=','"):
        assert reading in str(caught.value)
    assert parse("1,014", "998", decimal=".")["score"].tolist() == [1014.0, 998.0]
    assert parse("1,014", "0,998", decimal=",")["score"].tolist() == [1.014, 0.998]


@pytest.mark.parametrize(
    ("cells", "scores"),
    [
        (("1,014", "0.5"), (1014.0, 0.5)),  # a point is seen to be decimal
        (("1,014", "12,345,678"), (1014.0, 12345678.0)),
        (("1,014", "2,014.5"), (1014.0, 2014.5)),
        (("1,014", "0,98"), (1.014, 0.98)),  # a comma is
        (("1,014", "0,981"), (1.014, 0.981)),
        (("1,014", "1234,567"), (1.014, 1234.567)),
        (("1.014", "0,98"), (1014.0, 0.98)),
        (("1.014,5", "998"), (1014.5, 998.0)),
        (("1.014.450", "0,5"), (1014450.0, 0.5)),
        (("1.014", "998"), (1.014, 998.0)),  # a point is decimal if nothing says otherwise
        (("0,91 ± 0,01", "1"), (0.91, 1.0)),
        (("5 ± 0,5", "1,014"), (5.0, 1.014)),
    ],
)
def test_all_numbers_of_a_table_tell_its_decimal_sign(cells, scores):
    assert tuple(parse(*cells)["score"]) == scores


def test_decimal_signs_that_contradict_each_other():
    with pytest.raises(bp.BeamError, match="found both: '0.5' .* '0,91'"):
        parse("0,91", "0.5")
    with pytest.raises(bp.ScoreTypeError, match="'0,91'.*cannot be read with '.'"):
        parse("0,91", "0.5", decimal=".")


def test_infinite_scores_stay_so_and_are_refused_by_name_later():
    found = parse("inf", "-∞", "1")
    assert found["score"].tolist() == [np.inf, -np.inf, 1.0]
    with pytest.raises(bp.BeamError, match="scores must be finite"):
        bp.ranks(found, higher_is_better=True)


def test_intervals_changes_and_ranks_are_no_spread():
    with pytest.warns(bp.BeamWarning, match="left out '\\[0.89, 0.93\\]', '\\(\\+0.02\\)'"):
        found = parse("0.91 [0.89, 0.93]", "0.90 (+0.02)", "0.5 (0.1)")
    assert found["score"].tolist() == [0.91, 0.90, 0.5]
    assert found["spread"].isna().tolist() == [True, True, False]
    with pytest.warns(bp.BeamWarning, match="left out '\\(1\\)', '\\(2\\)'"):
        assert parse("0.91 (1)", "0.90 (2)")["spread"].isna().all()
    assert parse("0.91 (1)", "0.90 (0.2)")["spread"].tolist() == [1.0, 0.2]
    assert parse("120 (1)", "115 (2)")["spread"].tolist() == [1.0, 2.0]


def test_a_long_frame_keeps_all_else():
    frame = pd.DataFrame(
        {
            "score": ["0.9*", "**0.8**"],
            "method": ["A", "B"],
            "dataset": "d",
            "fold": [1, 1],
        },
        index=[7, 3],
    )
    before = frame.copy()
    found = parse_scores(frame)
    assert list(found.columns) == ["score", "spread", "marked", "method", "dataset", "fold"]
    assert found.index.tolist() == [7, 3]
    assert found["score"].dtype == found["spread"].dtype == np.float64
    assert found["marked"].dtype == np.bool_
    pd.testing.assert_frame_equal(frame, before)
    with pytest.raises(bp.BeamError, match="'spread', 'marked' there already"):
        parse_scores(found)
    again = parse_scores(
        found.rename(columns={"spread": "spread_before", "marked": "marked_before"})
    )
    assert again["score"].tolist() == [0.9, 0.8]


def test_numbers_pass_through_a_long_frame():
    found = parse(1, 2.5, np.float32(0.5), "3", True if False else 4)
    assert found["score"].tolist() == [1.0, 2.5, 0.5, 3.0, 4.0]
    with pytest.raises(bp.ScoreTypeError, match="True"):
        parse(True)


# Cases that were wrong, misleading or clumsy ------------------------------------------


def test_the_winners_in_bold_are_not_deleted():
    wide = pd.DataFrame(
        {
            "d": ["d1", "d2", "d3"],
            "A": ["**0.91**", "**0.92**", "0.80"],
            "B": ["0.90", "0.91", "**0.85**"],
        }
    )
    found = parse_scores(wide)
    result = bp.pairwise(found, higher_is_better=True).iloc[0]
    assert (result["wins"], result["losses"], result["n_datasets"]) == (2, 1, 3)
    assert found.loc[found["marked"], "score"].tolist() == [0.91, 0.92, 0.85]


def test_thousands_are_not_turned_into_decimals():
    frame = pd.DataFrame(
        {"method": list("AABB"), "dataset": ["x", "y"] * 2, "metric": "latency",
         "score": ["900", "1,200", "1,000", "1,100"]}
    )  # fmt: skip
    with pytest.raises(bp.BeamError, match="1200.*decimal='.'"):
        parse_scores(frame)
    ranks = bp.ranks(parse_scores(frame, decimal="."), higher_is_better=False)
    on_x = ranks[ranks["dataset"] == "x"].set_index("method")["score_rank"]
    assert on_x.to_dict() == {"A": 1.0, "B": 2.0}


def test_a_wide_frame_of_methods():
    wide = pd.DataFrame({"iris": ["0.9*", "0.8"], "wine": ["0.7", "0.6 (0.1)"]})
    named = wide.set_axis(pd.Index(["A", "B"], name="model"))
    for found in (
        parse_scores(named, metric="accuracy"),
        parse_scores(named.rename_axis(None), orient="methods", metric="accuracy"),
        parse_scores(named.reset_index(), metric="accuracy"),
    ):
        assert found["method"].tolist() == ["A", "A", "B", "B"]
        assert found["dataset"].tolist() == ["iris", "wine"] * 2
        assert found["score"].tolist() == [0.9, 0.7, 0.8, 0.6]
        assert set(found["metric"]) == {"accuracy"}


def test_wide_frames_that_cannot_be():
    wide = pd.DataFrame({"A": ["0.9", "0.8"], "B": ["0.7", "0.6"]})
    with pytest.raises(bp.MissingColumnsError, match="nothing names the rows"):
        parse_scores(wide)
    assert len(parse_scores(wide.rename_axis("dataset"))) == 4  # as it advises
    mixed = pd.DataFrame({"d": ["x"], "accuracy": ["0.9*"], "f1": ["0.8"]})
    with pytest.raises(bp.BeamError, match="found metrics among.*df.melt"):
        parse_scores(mixed)
    both = pd.DataFrame({"method": ["A"], "dataset": ["x"], "accuracy": ["0.9*"]})
    with pytest.raises(bp.BeamError, match="df.melt"):
        parse_scores(both)
    long = both.melt(id_vars=["method", "dataset"], var_name="metric", value_name="score")
    assert parse_scores(long)["score"].tolist() == [0.9]
    with pytest.raises(bp.ScoreTypeError):
        parse_scores([1])
    family = pd.DataFrame({"d": ["x", "y"], "family": ["a", "b"], "A": ["1", "2*"]})
    with pytest.warns(bp.BeamWarning, match="left out: 'family'"):
        assert parse_scores(family)["method"].unique().tolist() == ["A"]


# Shapes of tables ---------------------------------------------------------------------

MARKDOWN = """
Some words before, with | a pipe.

| Dataset | [SVM](http://x/y_z) | **Forest** | my\\_net |
|:--------|--------:|:---:|---|
| iris    | **0.95** | 0.93 | 0.90 |
| a \\| b  | 0.97 | OOM | 0.5

Words after.
"""
LATEX = r"""
\begin{table}[t]
\caption{Scores & more}
\begin{tabular}{l|cc@{}c} % \\ & no row
\toprule
Dataset & SVM~\cite{vapnik} & \textbf{Forest} & my\_net \\
\midrule
% iris & 1 & 2 & 3 \\
iris & \textbf{0.95} & 0.93 & 0.90 \\[2pt]
a | b & 0.97 & OOM & 0.5 \\ \bottomrule
\end{tabular}
\end{table}
"""
CSV = 'Dataset,SVM,Forest,my_net\niris,**0.95**,0.93,0.90\na | b,"0.97",OOM,0.5\n'
ALIGNED = """
Dataset   SVM       Forest  my_net
iris      **0.95**    0.93    0.90
a | b         0.97     OOM     0.5
"""


@pytest.mark.parametrize(
    "text",
    [MARKDOWN, LATEX, CSV, CSV.replace(",", "\t"), CSV.replace(",", ";"),
     ALIGNED.replace("|", "!"), CSV.replace("\n", "\r\n"), "\ufeff" + CSV],
    ids=["markdown", "latex", "csv", "tsv", "semicolons", "aligned", "windows", "bom"],
)  # fmt: skip
def test_one_table_in_every_form(text, tmp_path):
    with pytest.warns(bp.BeamWarning, match="'OOM'"):
        found = read_printed(text, metric="accuracy")
    columns = ["method", "dataset", "metric", "score", "spread", "marked"]
    assert list(found.columns) == columns
    assert found["method"].tolist() == ["SVM", "Forest", "my_net"] * 2
    assert found["dataset"].str.replace("!", "|").tolist() == ["iris"] * 3 + ["a | b"] * 3
    assert found["score"].tolist()[:4] == [0.95, 0.93, 0.90, 0.97]
    assert math.isnan(found["score"][4]) and found["score"][5] == 0.5
    assert found["marked"].tolist() == [True] + [False] * 5
    for path, raw in (
        (tmp_path / "table.txt", text.encode()),
        (tmp_path / "table.gz", gzip.compress(text.encode())),
    ):
        path.write_bytes(raw)
        with pytest.warns(bp.BeamWarning, match="table"):
            again = read_printed(path, metric="accuracy")
        pd.testing.assert_frame_equal(again, found)


def test_the_side_must_be_given_if_headings_do_not_tell():
    text = "| | A | B |\n|-|-|-|\n| x | 1 | 2 |\n"
    with pytest.raises(bp.BeamError) as caught:
        read_printed(text)
    assert "orient='datasets'" in str(caught.value)
    assert "orient='methods'" in str(caught.value)
    assert read_printed(text, orient="datasets")["method"].tolist() == ["A", "B"]
    assert read_printed(text, orient="methods")["dataset"].tolist() == ["A", "B"]


@pytest.mark.parametrize(
    "heading", ["Method", "Models", "Algorithm", "framework", "Solver", "Agents", "System",
                "Approach", "Baselines", "Methods ↓"]
)  # fmt: skip
def test_headings_that_name_methods(heading):
    found = read_printed(f"{heading}\tiris\twine\nA\t1\t2\n")
    assert found["method"].tolist() == ["A", "A"]


@pytest.mark.parametrize("heading", ["Dataset", "Data sets", "Task", "Problems", "Game"])
def test_headings_that_name_datasets(heading):
    found = read_printed(f"{heading}\tA\tB\nx\t1\t2\n")
    assert found["dataset"].tolist() == ["x", "x"]


@pytest.mark.parametrize("heading", ["", "name", "Dataset / Method", "Name\\Task\\Model"])
def test_headings_that_tell_nothing(heading):
    with pytest.raises(bp.BeamError, match="do not tell"):
        read_printed(f"{heading};A;B\nx;1;2\n")


def test_columns_that_are_metrics():
    text = "| Model | Accuracy ↑ | F1 |\n|-|-|-|\n| A | 0.9 | 0.8 |\n| B | 0.7 | 0.6 |\n"
    with pytest.raises(bp.BeamError, match="found metrics.*dataset='...'"):
        read_printed(text)
    found = read_printed(text, dataset="iris")
    assert found["metric"].tolist() == ["Accuracy", "F1"] * 2
    assert set(found["dataset"]) == {"iris"}
    other = read_printed(text.replace("Model", "Task"), method="A")
    assert set(other["method"]) == {"A"}
    only = read_printed(text, orient="methods", scores=["Accuracy ↑"])
    assert only["dataset"].tolist() == ["Accuracy ↑"] * 2


@pytest.mark.parametrize(
    "heading", ["Rank", "Avg. rank", "#Params", "# params (M)", "Params", "FLOPs (B)", "Year",
                "iris std", "n_rows", "Number of mutants"]
)  # fmt: skip
def test_columns_that_describe_rows_are_no_datasets(heading):
    text = f"| Method | {heading} | iris | wine |\n|-|-|-|-|\n| A | 1 | 2 | 3 |\n"
    with pytest.raises(bp.BeamError) as caught:
        read_printed(text)
    assert repr(heading) in str(caught.value)
    found = read_printed(text, drop=[heading])
    assert found["score"].tolist() == [2.0, 3.0]
    with pytest.warns(bp.BeamWarning, match="columns left out"):
        long = read_printed(f"Method,Task,Acc,{heading}\nA,x,0.5,7\n", drop=[])
    assert long["score"].tolist() == [0.5]


def test_columns_whose_numbers_look_like_no_scores():
    wide = pd.DataFrame(
        {"file": ["x", "y", "z"], "A": [0.9, 0.8, 1.0], "B": [0.1, 0.25, 1.0],
         "perfect": [1, 1, 1], "ts_len": [1, 24, 300], "seconds": [1234.5, 2345.5, 99.5]}
    )  # fmt: skip
    text = wide.to_csv(index=False)
    with pytest.raises(bp.BeamError, match="found 'ts_len', 'seconds'.*drop=.*scores="):
        read_printed(text, orient="datasets")  # the side alone makes no scores of them
    dropped = read_printed(text, orient="datasets", drop=["ts_len", "seconds"])
    named = read_printed(text, orient="datasets", scores=["A", "B", "perfect"])
    pd.testing.assert_frame_equal(dropped, named)
    assert dropped["method"].unique().tolist() == ["A", "B", "perfect"]
    assert len(read_printed(text, orient="datasets", scores=list(wide.columns[1:]))) == 15
    with pytest.raises(bp.BeamError, match="found 'ts_len', 'seconds'"):
        parse_scores(wide)
    assert len(parse_scores(wide.drop(columns=["ts_len", "seconds"]))) == 9
    # datasets may be on scales of their own
    sides = read_printed("Model,a,b,c\nA,0.5,1234.5,3\nB,0.25,999.5,4.5\n")
    assert len(sides) == 6


@pytest.mark.parametrize(
    ("columns", "methods", "odd"),
    [
        ({"a": [0.5, 0.5], "b": [0.5, 1.0], "c": [1.0, 1.0]}, True, []),
        ({"a": [0.5, 0.5], "b": [1.0, 2.0]}, True, [1]),
        ({"a": [0.5, 0.5], "b": [1.0, 2.0]}, False, [1]),
        ({"a": [0.5, 0.5], "b": [1.0, 2.0], "c": [3.0, 4.0]}, True, []),  # more counts
        ({"a": [0.5, 0.5], "b": [-1.0, 0.0]}, True, []),
        ({"a": [2.5, 2.5], "b": [3.5, 2.5], "c": [350.0, 250.0]}, True, [2]),  # 100 times
        ({"a": [2.5, 2.5], "b": [3.5, 2.5], "c": [349.0, 249.0]}, True, []),
        (
            {"a": [0.5, 0.5], "b": [0.5, 1.0], "c": [900.5, 900.5], "d": [90.5, 950.5]},
            True,
            [2, 3],
        ),
        ({"a": [2.5, 2.5], "b": [3.5, 2.5], "c": [350.0, 250.0]}, False, []),
        ({"a": [2.5, 2.5], "b": [3.5, 2.5], "c": [0.025, 0.025]}, True, [2]),
        ({"a": [2.5, 2.5], "b": [3.5, 2.5], "c": [0.0, 0.0]}, True, []),
        ({"a": [2.5, np.nan], "b": [3.5, np.nan], "c": [np.nan, 9.0]}, True, []),
    ],
)
def test_odd_columns(columns, methods, odd):
    table = pd.DataFrame(columns).to_numpy()
    assert odd_columns(table, methods=methods) == odd


def test_the_table_that_lm_eval_prints():
    text = (
        "hf (pretrained=gpt2), limit: None\n"
        "|  Tasks |Version|Metric|   |Value|   |Stderr|\n"
        "|--------|------:|------|---|----:|---|-----:|\n"
        "|arc     |      1|acc     |↑  |0.34|±  |0.01|\n"
        "|        |       |acc_norm|↑  |0.38|±  |0.02|\n"
    )
    with pytest.warns(bp.BeamWarning, match="left out"):
        found = read_printed(text, method="gpt2")
    assert found["dataset"].tolist() == ["arc", "arc"]
    assert found["metric"].tolist() == ["acc", "acc_norm"]
    assert found["score"].tolist() == [0.34, 0.38]


def test_a_percent_sign_amid_a_row_of_latex_takes_no_cell_away():
    text = "Method & x & y \\\\\nA & 91 % & 92 \\\\\nB & 90 \\% & 5 \\\\"
    with pytest.raises(bp.BeamError, match="percent sign begins a comment.*line 2"):
        read_printed(text)
    with pytest.raises(bp.BeamError, match="same percent sign"):
        read_printed(text.replace("91 %", "91 \\%"))
    commented = "Method & x \\\\ % & y\n% A & 1 \\\\\nB & 90 \\\\\n"
    assert read_printed(commented)["score"].tolist() == [90.0]


def test_a_row_for_each_method_and_dataset():
    text = (
        "| Dataset | Method | Acc | Log loss |\n|-|-|-|-|\n"
        "| iris | A | 0.9 | 0.2 |\n| | B | 0.8 | 0.3 |\n| wine | A | 0.7 | 0.4 |\n"
    )
    found = read_printed(text)
    assert found["dataset"].tolist() == ["iris"] * 4 + ["wine"] * 2
    assert found["metric"].tolist() == ["Acc", "Log loss"] * 3
    scores = "Model,Task,Metric,Seed,Score,Note\nA,x,f1,0,0.5,ok\nA,x,f1,1,0.6,so\n"
    with pytest.warns(bp.BeamWarning, match="columns left out: 'Note'"):
        found = read_printed(scores)
    assert found["run"].tolist() == [0, 1] and set(found["metric"]) == {"f1"}
    assert list(found.columns)[:4] == ["method", "dataset", "metric", "run"]


def test_two_rows_of_headings():
    def table(top, bottom):
        return (
            r"\begin{tabular}{lcccc} \toprule \multirow{2}{*}{Method} & "
            rf"\multicolumn{{2}}{{c}}{{{top[0]}}} & \multicolumn{{2}}{{c}}{{{top[1]}}} \\"
            "\n"
            r"\cmidrule(lr){2-3} \cmidrule(lr){4-5}"
            "\n"
            rf"& {' & '.join(bottom)} \\ \midrule"
            "\n"
            r"Ours & 1 & 2 & 3 & \textbf{4} \\ SVM & 5 & 6 & 7 & 8 \\ \bottomrule"
            "\n"
            r"\end{tabular}"
        )

    found = read_printed(table(("Accuracy", "Log loss"), ["x", "y", "x", "y"]))
    assert found["metric"].tolist() == (["Accuracy"] * 2 + ["Log loss"] * 2) * 2
    assert found["dataset"].tolist() == ["x", "y"] * 4
    assert found["score"].tolist() == list(range(1, 9))
    below = read_printed(table(("iris", "wine"), ["Acc", "F1", "Acc", "F1"]))
    assert below["metric"].tolist() == ["Acc", "F1"] * 4
    assert below["dataset"].tolist() == (["iris"] * 2 + ["wine"] * 2) * 2
    apart = read_printed(table(("small", "large"), ["a", "b", "c", "d"]))
    assert apart["dataset"].tolist() == list("abcd") * 2 and "metric" not in apart
    with pytest.raises(bp.BeamError, match="one must name metrics.*register_metric"):
        read_printed(table(("iris", "wine"), ["zap", "zip", "zap", "zip"]))


def test_spanning_rows_and_multirow():
    text = r"""
\begin{tabular}{llcc} \hline
Dataset & Metric & A & B \\ \hline
\multirow{2}{*}{R\&D} & Acc & 0.9 & 0.8 \\
 & F1 & 0.7 & 0.6 \\ \cline{2-4}
\multicolumn{4}{l}{\textit{Others}} \\
wine & Acc & 0.5 & 0.4 \\ \hline
\end{tabular}
"""
    with pytest.warns(bp.BeamWarning, match="rows without a cell left out: 'Others'"):
        found = read_printed(text)
    assert found["dataset"].tolist() == ["R&D"] * 4 + ["wine"] * 2
    assert found["metric"].tolist() == ["Acc"] * 2 + ["F1"] * 2 + ["Acc"] * 2
    assert found["score"].tolist() == [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]


def test_rows_copied_without_their_environment():
    found = read_printed("Model & x & y \\\\ \\hline\nA & 1 & 2 \\\\\nB & 3 & 4 \\\\")
    assert found["score"].tolist() == [1, 2, 3, 4]


def test_aligned_text_as_pandas_and_others_print_it():
    wide = pd.DataFrame(
        {"SVM": [0.95, 0.5], "random forest": [0.9, 1.25]},
        index=pd.Index(["iris", "my data"]),
    )
    found = read_printed(wide.to_string(), orient="datasets")
    assert found["method"].tolist() == ["SVM", "random forest"] * 2
    assert found["dataset"].tolist() == ["iris"] * 2 + ["my data"] * 2
    assert found["score"].tolist() == [0.95, 0.9, 0.5, 1.25]
    holes = "data     A     B\nx     0.91\ny           0.5\nz      0.1   0.2\n"
    with pytest.warns(bp.BeamWarning, match="missing: '' "):
        found = read_printed(holes)
    assert found["score"].isna().tolist() == [False, True, True, False, False, False]
    narrow = read_printed("     A   B\nx 0.9 0.8\ny 0.7 0.6\n", orient="datasets")
    assert narrow["score"].tolist() == [0.9, 0.8, 0.7, 0.6]
    grid = "+---+---+\n| task | A |\n+===+===+\n| x | 1 |\n+---+---+\n"
    assert read_printed(grid)["score"].tolist() == [1.0]


def test_an_empty_cell_does_not_move_the_others():
    text = "        A    B    C\nx     0.9  0.8\ny     0.7       0.6\n"
    with pytest.warns(bp.BeamWarning):
        found = read_printed(text, orient="datasets")
    wide = found.set_index(["dataset", "method"])["score"].unstack("method")  # noqa: PD010
    expected = {"A": [0.9, 0.7], "B": [0.8, np.nan], "C": [np.nan, 0.6]}
    assert np.array_equal(
        wide.to_numpy(), pd.DataFrame(expected).to_numpy(), equal_nan=True
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no table\nat all here\n", "columns must be parted by"),
        ("Dataset,A,B\niris,0,91,0,85\n", "found 5 in line 2.*semicolons"),
        ("| Model | x |\n|-|-|\n| A | 1 | 2 |\n", "as many cells.*found 3 in line 3"),
        ("| Model | x | x |\n|-|-|-|\n| A | 1 | 2 |\n", "headings must differ.*'x'"),
        ("| Model | x | |\n|-|-|-|\n| A | 1 | 2 |\n", "needs a heading.*column 3"),
        ("| Model | x |\n|-|-|\n| A | 1 |\n| A | 2 |\n", "name of its own, found 'A'"),
        (
            "| Model | x | y |\n|-|-|-|\n| A | 1 | 2 |\n| | 2 | 3 |\n",
            "needs a method.*row 2",
        ),
        ("| Model | x |\n|-|-|\n| A | b |\n", "column of scores is needed"),
        ("| Model | x | ... | z |\n|-|-|-|-|\n| A | 1 | ... | 3 |\n", "whole table"),
        ("<table><tr><td>1</td></tr>\n</table>", "read_html"),
        ("\\begin{tabular}{cc}\nA & 1 \\\\ B & 2", "lacks its"),
        ("| Model | x |\n|-|-|\n", "rows?"),
    ],
)
def test_what_is_no_table(text, words, tmp_path):
    with pytest.raises(bp.BeamError, match=words):
        read_printed(text)
    path = tmp_path / "table.md"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(bp.BeamError, match=r"table\.md: "):
        read_printed(path)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        read_printed(tmp_path / "nowhere.md")
    path = tmp_path / "odd.md"
    for raw in (b"\xff\xfe\x00", b"\x1f\x8b\x08broken", b""):
        path.write_bytes(raw)
        with pytest.raises(bp.BeamError, match=r"odd\.md"):
            read_printed(path)


def test_one_of_several_tables():
    text = "| Model | x |\n|-|-|\n| A | 1 |\n\n| Model | x |\n|-|-|\n| B | 2 |\n"
    with pytest.raises(bp.BeamError, match="found 2: pass table=.*line 1.*line 5"):
        read_printed(text)
    assert read_printed(text, table=2)["method"].tolist() == ["B"]
    with pytest.raises(bp.BeamError, match="from 1 to 2, got 3"):
        read_printed(text, table=3)


def test_options_that_cannot_be():
    text = "| Model | x |\n|-|-|\n| A | 1 |\n"
    for options in (
        {"decimal": ";"}, {"part": 0}, {"part": True}, {"missing": "-"}, {"orient": "rows"},
        {"drop": "x"}, {"drop": ["z"]}, {"scores": "x"}, {"scores": ["z"]}, {"metric": ["a"]}, {"method": "a", "dataset": "b"},
    ):  # fmt: skip
        with pytest.raises(
            bp.BeamError, match=f"{next(iter(options))}|asked for, not found"
        ):
            read_printed(text, **options)
    with pytest.raises(bp.BeamError, match="source"):
        read_printed(3)
    with pytest.raises(bp.BeamError, match="leave metric out"):
        read_printed("Model,Task,Acc,F1\nA,x,1,2\n", metric="acc")


def test_summary_rows_stay():
    found = read_printed("Task\tA\tB\nx\t1\t2\nAverage\t1\t2\n")
    assert "Average" in set(found["dataset"])


# Round trips --------------------------------------------------------------------------

NAMES = st.text("abXY12_&%#*-. é", min_size=1, max_size=8).map(
    lambda s: " ".join(s.split())
)
NAMES = NAMES.filter(lambda s: s and s[0].isalpha() and s[-1].isalnum() and "*" not in s)
NUMBERS = st.one_of(
    st.floats(-1e6, 1e6, allow_nan=False), st.integers(-999, 999).map(float),
    st.sampled_from([0.0, 0.1, 0.95, 1e-7, 1e17]),
)  # fmt: skip


@st.composite
def tables(draw):
    rows = draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
    columns = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    cells = [
        [(draw(NUMBERS), draw(st.none() | st.floats(0, 10)), draw(st.booleans()))
         for _ in columns] for _ in rows
    ]  # fmt: skip
    return rows, columns, cells


def plain(number, spread, marked):
    text = f"{number!r}" if spread is None else f"{number!r} ± {spread!r}"
    return f"**{text}**" if marked else text


def latex(number, spread, marked):
    text = f"{number!r}"
    if marked:
        text = rf"\textbf{{{text}}}"
    return text if spread is None else rf"{text} $\pm$ {spread!r}"


def write(kind, rows, columns, cells):
    if kind == "latex":

        def escape(name):
            return "".join(f"\\{c}" if c in "_&%#" else c for c in name)

        lines = [" & ".join(map(escape, ["Dataset", *columns])) + r" \\ \midrule"]
        for name, row in zip(rows, cells, strict=True):
            lines.append(" & ".join([escape(name), *(latex(*c) for c in row)]) + r" \\")
        body = "\n".join(lines)
        return f"\\begin{{tabular}}{{l{'c' * len(columns)}}}\n{body}\n\\end{{tabular}}"
    table = [["Dataset", *columns]]
    table += [
        [name, *(plain(*c) for c in row)] for name, row in zip(rows, cells, strict=True)
    ]
    if kind == "markdown":

        def escape(name):
            return name.replace("_", "\\_").replace("&", "&amp;")

        table = [[escape(row[0]), *row[1:]] for row in table]
        table[0] = [escape(name) for name in table[0]]
        table.insert(1, ["---"] * len(table[0]))
        return "\n".join("| " + " | ".join(row) + " |" for row in table)
    if kind == "csv":
        return "\n".join(",".join(f'"{cell}"' for cell in row) for row in table)
    if kind == "tsv":
        return "\n".join("\t".join(row) for row in table)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join(
        "   ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in table
    )


@pytest.mark.parametrize("kind", ["markdown", "latex", "csv", "tsv", "aligned"])
@given(table=tables())
def test_a_table_that_was_written_is_read_back(kind, table):
    rows, columns, cells = table
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = read_printed(
            write(kind, rows, columns, cells),
            orient="datasets",
            decimal=".",
            scores=columns,
        )
    flat = [cell for row in cells for cell in row]
    assert found["method"].tolist() == columns * len(rows)
    assert found["dataset"].tolist() == [name for name in rows for _ in columns]
    assert found["score"].tolist() == [number for number, _, _ in flat]
    spreads = [np.nan if spread is None else spread for _, spread, _ in flat]
    assert np.array_equal(found["spread"], spreads, equal_nan=True)
    assert found["marked"].tolist() == [marked for _, _, marked in flat]


@given(
    st.lists(st.text("0123456789.,-+±*/ ()eE%nao'", max_size=12), min_size=1, max_size=4)
)
def test_no_text_with_a_digit_becomes_missing(cells):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bp.BeamWarning)
        try:
            found = parse(*cells)
        except bp.BeamError:
            return
    for cell, score in zip(cells, found["score"], strict=True):
        assert not (any(sign.isdigit() for sign in cell) and math.isnan(score))
