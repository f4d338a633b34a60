"""Following what is said of printed tables, and of cells that are text."""

import pandas as pd
import pytest

import beam_pandas as bp
from tests.advice.cases import Call, Case, Files
from tests.advice.frames import BARE, LONG, WIDE, text
from tests.advice.hold import each_once, hold
from tests.advice.reasons import DONE, NOTHING, OPTION

PRINTED = "| Model | iris | wine | zoo | glass |\n|-|-|-|-|-|\n" + "".join(
    f"| {name} | {' | '.join(map(str, WIDE[name]))} |\n" for name in WIDE
)
ROWS = [line.split(",") for line in WIDE.reset_index().to_csv(index=False).splitlines()]
CSV = "\n".join(",".join(row) for row in ROWS)
TABULAR = r"\begin{tabular}{ccc}" + "\n{}\n" + r"\end{tabular}"
TABLE = WIDE.reset_index()
METRICS = pd.DataFrame({"task": ["iris", "zoo"], "accuracy": [0.9, 0.8], "f1": [0.7, 0.6]})
LONG_OF_METRICS = pd.DataFrame(
    {
        "dataset": ["iris", "iris", "zoo", "zoo"],
        "metric": ["accuracy", "f1"] * 2,
        "score": [0.9, 0.7, 0.8, 0.6],
    }
)


def written(source, **options):
    """Take another text to the reader."""

    def follow(_, call: Call) -> Call:
        return Call(bp.read_printed, source, options or call.options)

    return follow


def through_html(said, call: Call) -> Call:
    """Do what reads HTML needs another package for, which gives text as it stands."""
    assert "read_html(..., thousands=None)[0]" in said  # else 0,91 would be 91
    return Call(bp.parse_scores, TABLE.astype(str), {})


def parsed(frame, **options):
    """Parse the scores of a frame, then see whether they can be compared."""
    return bp.parse_scores(frame, **options)


def cells(*texts, n=None):
    """Scores of methods on one dataset, as printed."""
    return pd.DataFrame(
        {
            "method": [f"m{at}" for at in range(len(texts))],
            "dataset": "d",
            "score": list(texts),
        }
    )


def numbers(*values):
    return cells(*values)


def two(*rows):
    """A Markdown table of a few rows."""
    head, *rest = rows
    rule = "|" + "-|" * head.count("|")
    return "\n".join([f"| {head} |", rule + "-|", *(f"| {row} |" for row in rest)])


NO_TABLE = "shapes/printed_tables:_no_table: rows must have as many cells as there ar"
CASES = [
    # Options --------------------------------------------------------------------------
    Case(
        "shapes/printed:read_printed: source must be a text or a path, got …",
        bp.read_printed,
        3,
        none=OPTION,
    ),
    Case(
        "shapes/printed_sides:check_choice: … must be one name, got …",
        bp.read_printed,
        PRINTED,
        metric=["a"],
        none=OPTION,
    ),
    Case(
        "shapes/printed_sides:_headings: … must be a list of headings, got …",
        bp.read_printed,
        PRINTED,
        drop="x",
        none=OPTION,
    ),
    Case(
        "shapes/printed_sides:plan_columns: columns … are asked for, not found among",
        bp.read_printed,
        PRINTED,
        drop=["z"],
        none=OPTION,
    ),
    Case(
        "shapes/printed_sides:_first_name: method or dataset can be named, not both",
        bp.read_printed,
        PRINTED,
        method="a",
        dataset="b",
        none=OPTION,
    ),
    Case(
        "shapes/printed_scores:check_options: decimal must be one of ['.', ','] or Non",
        bp.read_printed,
        PRINTED,
        decimal=";",
        skip={"decimal=','": "these have a point"},
        truth=BARE,
    ),
    Case(
        "shapes/printed_scores:check_options: part must be a whole number from 1 or No",
        bp.read_printed,
        PRINTED,
        part=0,
        none=OPTION,
    ),
    Case(
        "shapes/printed_scores:check_options: missing must be a list of texts, got …",
        bp.read_printed,
        PRINTED,
        missing="-",
        none=OPTION,
    ),
    Case(
        "shapes/printed:_choose: one table is needed, found …: pass table",
        bp.read_printed,
        f"{PRINTED}\n{two('Model | iris', 'A | 0.1')}",
        fill=1,
        truth=BARE,
    ),
    Case(
        "shapes/printed:_choose: one table is needed, found …: pass table",
        bp.read_printed,
        "\n\n".join([PRINTED] * 7),
        fill=7,
        truth=BARE,
    ),
    Case(
        "shapes/printed:_choose: table must be a whole number from 1 to …",
        bp.read_printed,
        PRINTED,
        table=3,
        none=OPTION,
    ),
    Case(
        "shapes/printed:_read_text: the file cannot be read as text in UTF-8",
        bp.read_printed,
        Files({"a.md": b"\xff\xfe|a|"}, "a.md"),
        none=NOTHING,
    ),
    # What is no table -----------------------------------------------------------------
    Case(
        "shapes/printed_tables:find_tables: a table in Markdown, LaTeX, CSV, TSV or",
        bp.read_printed,
        "<table><tr><th>Model</th></tr>\n</table>",
        follow=through_html,
        truth=BARE,
    ),
    Case(
        "shapes/printed_tables:_read_markdown: rows must have as many cells as there ar",
        bp.read_printed,
        two("Model | x", "A|b | 1"),
        follow=written(two("Model | x", "A\\|b | 1")),
        truth=pd.DataFrame({"method": ["A|b"], "dataset": ["x"], "score": [1.0]}),
    ),
    Case(
        "shapes/printed_tables:_read_plain: a table needs a row of headings and at l",
        bp.read_printed,
        two("Model | x"),
        none=NOTHING,
    ),
    Case(
        "shapes/printed_tables:_read_plain: a table needs a row of headings and at l",
        bp.read_printed,
        Files({"a.md": "\n"}, "a.md"),
        none=NOTHING,
    ),
    Case(
        NO_TABLE,
        bp.read_printed,
        CSV.replace("dataset", "Dataset").replace("0.", "0,"),
        follow=written("\n".join(";".join(row).replace("0.", "0,") for row in ROWS)),
        truth=BARE,
    ),
    Case(
        "shapes/printed_tables:_no_table: columns must be parted by pipes, tabs, s",
        bp.read_printed,
        "no table\nat all here",
        none=NOTHING,
    ),
    Case(
        "shapes/printed_grid:check_whole: the whole table is needed, found … in pl",
        bp.read_printed,
        two("Model | x | ... | z", "A | 1 | ... | 3"),
        follow=written(TABLE.to_string(index=False)),
        truth=BARE,
    ),
    Case(
        "shapes/printed_grid:check_whole: the whole table is needed, found … in pl",
        bp.read_printed,
        two("Model | x | ... | z", "A | 1 | ... | 3"),
        follow=written(TABLE.to_csv(index=False)),
        truth=BARE,
    ),
    # LaTeX ----------------------------------------------------------------------------
    Case(
        "shapes/latex_tables:_refuse_percent_signs: a percent sign begins a comment in LaTeX",
        bp.read_printed,
        TABULAR.replace("{}", r"Model & x & y \\ A & 91 % & 92 \\"),
        follow=written(TABULAR.replace("{}", r"Model & x & y \\ A & 91 \% & 92 \% \\")),
        truth=pd.DataFrame({"method": "A", "dataset": ["x", "y"], "score": [91.0, 92.0]}),
    ),
    Case(
        "shapes/latex_tables:_bodies: \\begin{…} lacks its \\end{…}: copy it who",
        bp.read_printed,
        TABULAR.replace("{}", r"Model & x \\ A & 1").split("\n\\end")[0] + "\n",
        follow=written(TABULAR.replace("{}", r"Model & x & y \\ A & 1 & 2 \\")),
        truth=pd.DataFrame({"method": "A", "dataset": ["x", "y"], "score": [1.0, 2.0]}),
    ),
    Case(
        "shapes/latex_tables:_bodies: a table within a table cannot be read: …",
        bp.read_printed,
        TABULAR.replace("{}", r"Model & x \\ A & \begin{tabular}{c} 1 \end{tabular} \\"),
        none=NOTHING,
    ),
    Case(
        "shapes/latex_tables:_read_body: a table needs a row of headings and at l",
        bp.read_printed,
        TABULAR.replace("{}", r"Model & x \\"),
        none=NOTHING,
    ),
    Case(
        "shapes/latex_tables:_read_body: one or two rows of headings can be read,",
        bp.read_printed,
        TABULAR.replace(
            "{}",
            "Model & x & y \\\\\n & a & b \\\\\n & c & d \\\\\n\\midrule\nA & 1 & 2 \\\\",
        ),
        follow=written(
            TABULAR.replace("{}", "Model & x & y \\\\\n\\midrule\nA & 1 & 2 \\\\")
        ),
        truth=pd.DataFrame({"method": "A", "dataset": ["x", "y"], "score": [1.0, 2.0]}),
    ),
    # Headings and names ---------------------------------------------------------------
    Case(
        "shapes/printed_sides:join_heads: of two rows of headings one must name me",
        bp.read_printed,
        TABULAR.replace(
            "{}",
            "Model & \\multicolumn{2}{c}{iris} & \\multicolumn{2}{c}{wine} \\\\\n & zap & zip & zap & zip \\\\\n\\midrule\nA & 1 & 2 & 3 & 4 \\\\",
        ),
        follow=lambda text, call: (
            bp.register_metric("zap", higher_is_better=True)
            and bp.register_metric("zip", higher_is_better=True)
            and call
        ),
        truth=pd.DataFrame(
            {
                "method": "A",
                "dataset": ["iris", "iris", "wine", "wine"],
                "metric": ["zap", "zip"] * 2,
                "score": [1.0, 2.0, 3.0, 4.0],
            }
        ),
    ),
    Case(
        "shapes/printed_sides:_first_name: rows must be datasets or methods, and th",
        bp.read_printed,
        PRINTED.replace("Model", " "),
        skip={"orient='datasets'": "rows are methods here"},
        truth=BARE,
    ),
    Case(
        "shapes/printed_sides:_refuse_metrics: a column for each … is needed, found met",
        bp.read_printed,
        two("Model | Accuracy | F1", "A | 0.91 | 0.7", "B | 0.82 | 0.6"),
        fill={"dataset": "iris", "drop": ["F1"], "scores": ["Accuracy", "F1"]},
        skip={"scores=": "these are metrics"},
        drops={"drop=": 2},
        then={"drop=": "shapes/printed_sides:_refuse_metrics"},
        truth=pd.DataFrame(
            {
                "method": list("AABB"),
                "dataset": "iris",
                "metric": ["Accuracy", "F1"] * 2,
                "score": [0.91, 0.7, 0.82, 0.6],
            }
        ),
        follow=lambda text, call: call.but(dataset="iris"),
    ),
    Case(
        "shapes/printed_sides:refuse_odd: a column for each … is needed, found …,",
        bp.read_printed,
        PRINTED.replace("glass", "params"),
        fill={"drop": ["params"], "scores": ["iris", "wine", "zoo"]},
        truth=BARE[BARE["dataset"] != "glass"],
    ),
    Case(
        "shapes/printed_sides:_no_scores: a column of scores is needed, found none",
        bp.read_printed,
        two("Model | x", "A | b"),
        none=NOTHING,
    ),
    Case(
        "shapes/printed_long:_rows_with_cells: a table with scores is needed, found row",
        bp.read_printed,
        two("Model | x | y", "A | A | A", "B | B | B"),
        scores=["x", "y"],
        none=NOTHING,
    ),
    Case(
        "shapes/printed_long:_check_labels: each column needs a heading, found none",
        bp.read_printed,
        two("Model | x | ", "A | 1 | 2"),
        none=OPTION,
    ),
    Case(
        "shapes/printed_long:_check_labels: headings must differ, found more than on",
        bp.read_printed,
        two("Model | x | x", "A | 1 | 2"),
        none=OPTION,
    ),
    Case(
        "shapes/printed_long:_check_labels: each row needs a …, found none in row …",
        bp.read_printed,
        two("Model | x | y", "A | 1 | 2", "  | 2 | 3"),
        none=OPTION,
    ),
    Case(
        "shapes/printed_long:_check_labels: each row needs a name of its own, found",
        bp.read_printed,
        two("Model | x", "A | 1", "A | 2"),
        follow=written(two("Model | x", "A1 | 1", "A2 | 2")),
        truth=pd.DataFrame({"method": ["A1", "A2"], "dataset": "x", "score": [1.0, 2.0]}),
    ),
    Case(
        "shapes/printed_long:_check_metric: metric names the only one there is, got",
        bp.read_printed,
        two("Model | Dataset | Accuracy | F1", "A | iris | 0.91 | 0.7"),
        metric="acc",
        follow=lambda text, call: call._replace(options={}),
        truth=pd.DataFrame(
            {
                "method": "A",
                "dataset": "iris",
                "metric": ["Accuracy", "F1"],
                "score": [0.91, 0.7],
            }
        ),
    ),
    Case(
        "shapes/printed_long:_check_metric: each column needs a metric above or belo",
        bp.read_printed,
        TABULAR.replace(
            "{}",
            "Model & \\multicolumn{2}{c}{iris} & other \\\\\n & accuracy & f1 & \\\\\n\\midrule\nA & 1 & 2 & 3 \\\\",
        ),
        fill=["other"],
        drops={"drop=": 1},
        truth=pd.DataFrame(
            {
                "method": "A",
                "dataset": ["iris", "iris", "wine"],
                "metric": ["accuracy", "f1", "x"],
                "score": [1.0, 2.0, 3.0],
            }
        ),
    ),
    # Cells ----------------------------------------------------------------------------
    Case(
        "shapes/printed_numbers:decimal_sign: one decimal sign is needed, found both:",
        parsed,
        cells("0.5", "0,91"),
        skip={"decimal=": "neither parts thousands"},
        follow=lambda text, call: call._replace(frame=cells("0.5", "0.91")),
        truth=numbers(0.5, 0.91),
    ),
    Case(
        "shapes/printed_numbers:decimal_sign: one decimal sign is needed, found both:",
        parsed,
        cells("1.234,5", "2,345.5"),
        none="one of the two signs parts thousands in each: they contradict each other",
        skip={"decimal=": "nothing is read with either"},
    ),
    Case(
        "shapes/printed_numbers:decimal_sign: … can be read in two ways and no number",
        parsed,
        cells("1,014", "2,345"),
        skip={"decimal=','": "the other reading"},
        truth=numbers(1014.0, 2345.0),
    ),
    Case(
        "shapes/printed_numbers:decimal_sign: … can be read in two ways and no number",
        parsed,
        cells("1,014", "2,345"),
        skip={"decimal='.'": "the other reading"},
        truth=numbers(1.014, 2.345),
    ),
    Case(
        "shapes/printed_scores:_refuse_problems: cells must hold one score each, found …",
        parsed,
        cells("90.9/84.1", "91.2/80.0"),
        skip={"part=2": "the other score"},
        truth=numbers(90.9, 91.2),
    ),
    Case(
        "shapes/printed_scores:_refuse_problems: cells must hold one score or none, found",
        parsed,
        cells("0.91", "OOM (32GB)"),
        fill=["OOM (32GB)"],
        truth=numbers(0.91, None),
    ),
    Case(
        "shapes/printed_scores:_refuse_problems: cells must hold one score or none, found",
        parsed,
        cells("90.9/84.1", "91.2"),
        part=2,
        follow=lambda text, call: call._replace(frame=cells("90.9/84.1", "91.2/80.0")),
        truth=numbers(84.1, 80.0),
    ),
    *(
        Case(
            "shapes/printed_scores:_check_units: the same … must stand behind all scores",
            parsed,
            cells(first, second),
            follow=lambda text, call: call._replace(frame=cells("91.0", "90")),
            truth=numbers(91.0, 90.0),
        )
        for first, second in [("91.0 %", "90"), ("91 ms", "90 s")]
    ),
    Case(
        "shapes/printed_scores:_to_floats: … cannot be read with … as the decimal s",
        parsed,
        cells("0.9", "1,2"),
        decimal=".",
        follow=lambda text, call: call._replace(frame=cells("0.9", "1.2")),
        truth=numbers(0.9, 1.2),
    ),
    Case(
        "shapes/printed_scores:_warn_once: '; '.join(said)",
        parsed,
        cells("0.9", "-"),
        none=DONE,
    ),
    Case(
        "shapes/printed_scores:_warn_once: '; '.join(said)",
        parsed,
        cells("0.9 (3)", "0.8 (2)"),
        none=DONE,
    ),
    # Frames of text -------------------------------------------------------------------
    Case(
        "shapes/printed_frames:parse_scores: a column 'score', or a wide table, is ne",
        bp.parse_scores,
        METRICS.rename(columns={"task": "dataset"}).assign(method="A"),
        fill=["method", "dataset"],
        truth=LONG_OF_METRICS.assign(method="A"),
    ),
    Case(
        "shapes/printed_frames:_parse_long: columns 'spread' and 'marked' are added,",
        bp.parse_scores,
        text(LONG).assign(spread=0.1, marked=True),
        truth=LONG,
    ),
    Case(
        "shapes/printed_frames:_parse_long: metric and orient are for wide frames, f",
        bp.parse_scores,
        text(LONG),
        metric="f1",
        follow=lambda text, call: call._replace(options={}),
        truth=LONG,
    ),
    Case(
        "shapes/printed_frames:_parse_wide: a column with a number is needed, found",
        bp.parse_scores,
        pd.DataFrame({"model": ["A"], "iris": ["x"]}),
        none=NOTHING,
    ),
    Case(
        "shapes/printed_frames:_split_names: an index of one level is needed, found …",
        bp.parse_scores,
        WIDE.set_index(
            pd.MultiIndex.from_product(
                [["flower"], WIDE.index], names=["domain", "dataset"]
            )
        ),
        follow=lambda text, call: call._replace(frame=call.frame.droplevel("domain")),
        truth=BARE,
    ),
    Case(
        "shapes/printed_frames:_split_names: a column with a number is needed, found",
        bp.parse_scores,
        pd.DataFrame(index=[0, 1]),
        none=NOTHING,
    ),
    Case(
        "shapes/printed_frames:_split_names: nothing names the rows: the first column",
        bp.parse_scores,
        WIDE.reset_index(drop=True),
        truth=BARE.assign(
            dataset=BARE["dataset"].map(
                {"iris": "0", "wine": "1", "zoo": "2", "glass": "3"}
            )
        ),
    ),
    Case(
        "shapes/printed_frames:_refuse_metrics: a column for each method or dataset is n",
        bp.parse_scores,
        METRICS,
        fill={"id_vars": ["task"], "columns": ["f1"]},
        skip={"df.drop": "both are wanted"},
        truth=LONG_OF_METRICS.drop(columns="dataset").assign(
            task=LONG_OF_METRICS["dataset"]
        ),
    ),
    Case(
        "shapes/printed_frames:_refuse_odd: a column for each method or dataset is n",
        bp.parse_scores,
        TABLE.assign(seconds=[1234.5, 2345.5, 99.5, 345.5]),
        fill=["seconds"],
        skip={"df.melt": "it holds no scores"},
        truth=BARE,
    ),
]


@pytest.mark.slow  # test_shapes.py gives each message once in any case
@pytest.mark.parametrize("case", each_once(CASES), ids=str)
def test_what_it_says_does_no_harm(case):
    hold(case)
