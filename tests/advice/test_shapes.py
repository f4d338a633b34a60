"""Following what is said of wide tables."""

import pandas as pd
import pytest

import beam_pandas as bp
from tests.advice.cases import Call, Case
from tests.advice.frames import BARE, LONG, WIDE
from tests.advice.hold import complete, each_once, hold
from tests.advice.reasons import OPTION, STATES
from tests.advice.test_shapes_files import CASES as OF_FILES
from tests.advice.test_shapes_printed import CASES as OF_PRINTED

TABLE = WIDE.reset_index()
TURNED = WIDE.T.rename_axis("model")  # a row for each method
METRICS = pd.DataFrame(
    {
        "model": ["A", "B"],
        "task": ["iris", "iris"],
        "accuracy": [0.9, 0.8],
        "f1": [0.7, 0.6],
    }
)
LONG_OF_METRICS = pd.DataFrame(
    {
        "method": ["A", "A", "B", "B"],
        "dataset": "iris",
        "metric": ["accuracy", "f1"] * 2,
        "score": [0.9, 0.7, 0.8, 0.6],
    }
)
IRIS = BARE[BARE["dataset"] == "iris"]
RUNS = pd.DataFrame({"fold": [0, 1], "A": [0.91, 0.9], "B": [0.82, 0.8]})
BY_RUN = pd.DataFrame(
    {
        "method": list("ABAB"),
        "dataset": "iris",
        "score": [0.91, 0.82, 0.9, 0.8],
        "run": [0, 0, 1, 1],
    }
)
FOLDS = pd.DataFrame(
    {"dataset": ["iris", "zoo"], "fold1": [0.91, 0.66], "fold2": [0.9, 0.65]}
)
BY_FOLD = pd.DataFrame(
    {"method": "A", "dataset": ["iris", "zoo"] * 2, "score": [0.91, 0.66, 0.9, 0.65]}
)
MANY = pd.DataFrame(
    {
        "dataset": [1, 1, 2, 2],
        "fold": [0, 1, 0, 1],
        "A": [0.91, 0.9, 0.66, 0.65],
        "B": [0.82, 0.8, 0.58, 0.57],
    }
)
BY_DATASET = MANY.melt(id_vars=["dataset", "fold"], var_name="method", value_name="score")
BLOCKS = pd.concat({"u": WIDE[["A", "B"]], "v": WIDE[["A", "B"]] / 2}, axis=1)
BY_BLOCK = pd.concat(
    [
        frame[frame["method"] != "C"].assign(metric=name)
        for name, frame in [("u", BARE), ("v", BARE.assign(score=BARE["score"] / 2))]
    ]
)


def as_method(name="A"):
    """Give what was melted the column for the method."""

    def follow(text, call: Call) -> Call:
        code = text[text.index("df.") :].split(" with ")[0].replace("'...'", "'dataset'")
        melted = eval(code, {"df": call.frame})
        return Call(bp.coverage, melted.assign(method=name), {})

    return follow


def carried(after, **options):
    """Take the frame to another function."""

    def follow(_, call: Call) -> Call:
        return Call(after, call.frame, options)

    return follow


def read(frame, **options):
    """Use a long frame as it is, for the advice not to convert it."""
    if {"method", "dataset", "score"} <= set(frame):
        return bp.coverage(frame)
    return bp.from_matrix(frame, **options)


CASES = [
    Case(
        "shapes/to_long:from_matrix: metric must be the name of one metric, g",
        bp.from_matrix,
        WIDE,
        metric=["a"],
        none=OPTION,
    ),
    Case(
        "shapes/to_long:from_columns: scores must name at least one column, go",
        bp.from_columns,
        METRICS,
        method="model",
        dataset="task",
        scores=[],
        none=OPTION,
    ),
    Case(
        "shapes/to_long:from_columns: each column can play one part, found … i",
        bp.from_columns,
        METRICS,
        method="model",
        dataset="model",
        scores=["f1"],
        none=OPTION,
    ),
    Case(
        "shapes/to_long:read_matrices: source must be a folder or a mapping fro",
        bp.read_matrices,
        3,
        none=OPTION,
    ),
    # What was asked for ---------------------------------------------------------------
    Case(
        "shapes/wide_names:check_asked: rows are … and columns … here, got …: pa",
        bp.from_matrix,
        WIDE,
        orient="datasets",
        method="name",
        fill="dataset",
        follow=lambda text, call: Call(
            bp.from_matrix, TABLE, {"orient": "datasets", "dataset": "dataset"}
        ),
        truth=BARE,
    ),
    Case(
        "shapes/wide_names:check_asked: rows are … and columns … here, got …: pa",
        bp.from_matrix,
        TURNED,
        orient="methods",
        methods=["A"],
        follow=lambda text, call: Call(
            bp.from_matrix, TURNED, {"orient": "methods", "datasets": list(TURNED)}
        ),
        truth=BARE,
    ),
    Case(
        "shapes/wide_names:check_asked: keep must name each column once and none",
        bp.from_matrix,
        TABLE.assign(score=1),
        methods=["A", "B", "C"],
        keep=["score"],
        follow=lambda text, call: Call(
            bp.from_matrix,
            call.frame.rename(columns={"score": "old"}),
            {"methods": ["A", "B", "C"], "keep": ["old"]},
        ),
        truth=BARE,
    ),
    Case(
        "shapes/wide_names:as_list: … must be a list of columns, got …",
        bp.from_matrix,
        WIDE,
        methods="A",
        none=OPTION,
    ),
    Case(
        "shapes/wide_names:as_key: … must be a column or a list of columns,",
        bp.from_matrix,
        TABLE,
        dataset=[["dataset"]],
        none=OPTION,
    ),
    Case(
        "shapes/wide_names:check_flat: the table must be a pandas DataFrame, fo",
        bp.from_matrix,
        [1],
        none=OPTION,
    ),
    Case(
        "shapes/wide_names:check_flat: columns of one level are needed, found …",
        bp.from_columns,
        BLOCKS,
        method="A",
        dataset="B",
        scores=["u"],
        follow=lambda text, call: Call(
            bp.coverage,
            pd.concat([bp.from_matrix(call.frame[block], metric=block) for block in "uv"]),
            {},
        ),
        truth=BY_BLOCK,
    ),
    Case(
        "shapes/wide_names:check_flat: column names must differ, found … more t",
        bp.from_matrix,
        pd.concat([TABLE, TABLE[["A"]]], axis=1),
        follow=lambda text, call: call._replace(frame=TABLE),
        truth=BARE,
    ),
    Case(
        "shapes/wide_names:part_by_metric: column names must differ, found … more t",
        bp.from_matrix,
        pd.concat([BLOCKS, BLOCKS.iloc[:, :1]], axis=1).rename_axis(
            columns=["metric", "method"]
        ),
        follow=lambda text, call: call._replace(frame=call.frame.iloc[:, :4]),
        truth=BY_BLOCK,
    ),
    Case(
        "shapes/wide_names:_metric_level: of two rows of headings one must name me",
        bp.from_matrix,
        BLOCKS,
        truth=BY_BLOCK,
    ),
    Case(
        "shapes/wide_names:check_present: message",
        bp.from_columns,
        METRICS.set_index("model"),
        method="model",
        dataset="task",
        scores=["accuracy", "f1"],
        truth=LONG_OF_METRICS,
    ),
    Case(
        "shapes/wide_names:check_present: message",
        bp.from_columns,
        pd.DataFrame(index=[1]),
        method="model",
        dataset="task",
        scores=["f1"],
        none=OPTION,
    ),
    Case(
        "shapes/wide_names:check_present: message",
        bp.from_matrix,
        WIDE,
        dataset="z",
        none=OPTION,
    ),
    Case(
        "shapes/wide_names:split_table: columns … are asked for, not found among",
        bp.from_matrix,
        TABLE,
        methods=["Z"],
        none=OPTION,
    ),
    Case(
        "shapes/wide_names:split_table: columns … are asked for, not found among",
        bp.from_matrix,
        TABLE[["dataset"]],
        methods=["Z"],
        none=OPTION,
    ),
    Case(
        "shapes/wide_names:split_table: a column for each … is needed, found non",
        bp.from_matrix,
        TABLE[["dataset"]],
        none=OPTION,
    ),
    # What names the rows --------------------------------------------------------------
    Case(
        "shapes/wide_names:_split_names: an index of one level is needed, found …",
        bp.from_matrix,
        WIDE.set_index(
            pd.MultiIndex.from_product(
                [["flower"], WIDE.index], names=["domain", "dataset"]
            )
        ),
        follow=lambda text, call: Call(
            bp.from_matrix,
            call.frame.reset_index(),
            {"dataset": "dataset", "keep": ["domain"]},
        ),
        truth=BARE,
    ),
    Case(
        "shapes/wide_names:_split_names: an index of one level is needed, found …",
        bp.from_matrix,
        WIDE.set_index(
            pd.MultiIndex.from_product(
                [["flower"], WIDE.index], names=["domain", "dataset"]
            )
        ),
        follow=lambda text, call: Call(
            bp.from_matrix, call.frame.reset_index(), {"dataset": ["domain", "dataset"]}
        ),
        truth=BARE.assign(dataset="flower / " + BARE["dataset"]),
    ),
    Case(
        "shapes/wide_names:_warn_of_runs: rows named by … look like runs of one da",
        bp.from_matrix,
        RUNS,
        dataset="fold",
        none=STATES,
    ),
    Case(
        "shapes/wide_names:_first_of_text: nothing names the …s: found no column of",
        bp.from_matrix,
        TABLE.assign(dataset=range(4)),
        fill={"dataset": "iris"},
        skip={"beam_pandas.from_matrix": "these rows are no runs"},
        truth=BARE.assign(
            dataset=BARE["dataset"].map(
                {"iris": "0", "wine": "1", "zoo": "2", "glass": "3"}
            )
        ),
    ),
    Case(
        "shapes/wide_names:_first_of_text: nothing names the …s: found no column of",
        bp.from_matrix,
        WIDE.reset_index(drop=True),
        fill={"dataset": "A"},
        skip={
            "dataset=": "the next says what is meant",
            "beam_pandas.": "these rows are no runs",
        },
        truth=BARE.assign(
            dataset=BARE["dataset"].map(
                {"iris": "0", "wine": "1", "zoo": "2", "glass": "3"}
            )
        ),
    ),
    Case(
        "shapes/wide_names:_first_of_text: nothing names the …s: found no column of",
        read,
        RUNS.drop(columns="fold"),
        fill={"dataset": "iris"},
        skip={
            "dataset='...'": "rows are runs",
            "df.rename_axis('dataset')": "rows are runs",
        },
        truth=BY_RUN,
    ),
    Case(
        "shapes/wide_names:_refuse_text: column … must be numeric, found text wit",
        bp.from_matrix,
        TABLE.assign(kind="flower"),
        fill={"methods": ["A", "B", "C"]},
        truth=BARE,
    ),
    # What is no column of scores ------------------------------------------------------
    Case(
        "shapes/wide_refusals:refuse_long: a column for each method is needed, foun",
        bp.from_matrix,
        LONG,
        follow=carried(bp.coverage),
    ),
    Case(
        "shapes/wide_refusals:refuse_long: a column for each method is needed, foun",
        read,
        LONG.rename(columns={"method": "model", "dataset": "task"}),
        truth=LONG,
    ),
    Case(
        "shapes/wide_refusals:refuse_long: a column for each method is needed, foun (2)",
        bp.from_matrix,
        METRICS,
        fill=["A"],
        skip={"methods=": "here columns are metrics"},
        truth=LONG_OF_METRICS,
        follow=lambda text, call: Call(
            bp.coverage,
            eval(
                text.split("metric, ")[1].split("; else")[0],
                {"beam_pandas": bp, "df": call.frame},
            ),
            {},
        ),
    ),
    *(
        Case(
            "shapes/wide_refusals:refuse_run_rows: a row for each dataset is needed, found",
            read,
            frame,
            fill={"dataset": "iris"},
            truth=BY_RUN,
        )
        for frame in [RUNS, RUNS.rename(columns={"fold": "run"}), RUNS.set_index("fold")]
    ),
    Case(
        "shapes/wide_names:_first_of_text: nothing names the …s: found no column of",
        bp.from_matrix,
        MANY,
        then="shapes/wide_refusals:refuse_headings: f'{found}{list_labels(runs)}: {_way_from",
    ),
    Case(
        "shapes/wide_refusals:refuse_headings: f'{found}{list_labels(runs)}: {_way_from",
        read,
        MANY,
        dataset="dataset",
        fill=["A", "B"],
        truth=BY_DATASET,
    ),
    Case(
        "shapes/wide_refusals:refuse_methods: a row for each dataset is needed, found",
        bp.from_matrix,
        TURNED,
        skip={"dataset=": "these rows are methods"},
        truth=BARE,
    ),
    Case(
        "shapes/wide_refusals:refuse_methods: a row for each dataset is needed, found",
        bp.from_matrix,
        TURNED.reset_index(),
        skip={"dataset=": "these rows are methods"},
        truth=BARE,
    ),
    Case(
        "shapes/wide_refusals:refuse_methods: a row for each dataset is needed, found",
        bp.from_matrix,
        TABLE.rename(columns={"dataset": "name"}),
        skip={"df.": "these rows are datasets", "orient=": "the same"},
        truth=BARE,
    ),
    *(
        Case(
            site,
            read,
            TABLE.assign(**{name: range(4)}),
            fill={"methods": ["A", "B", "C"], "keep": [name]},
            truth=BARE,
        )
        for site in [
            "shapes/wide_refusals:refuse_headings: f'{found}{list_labels(runs)}: {_way_from"
        ]
        for name in ["fold", "Unnamed: 7"]
    ),
    Case(
        "shapes/wide_refusals:refuse_headings: f'{found}{list_labels(runs)}: {_way_from",
        read,
        RUNS.assign(task="iris"),
        fill=["A", "B"],
        truth=BY_RUN,
    ),
    Case(
        "shapes/wide_refusals:refuse_headings: ……, which the registry knows as metrics:",
        bp.from_matrix,
        METRICS.drop(columns="model").assign(task=["iris", "zoo"]),
        skip={"methods=": "they are metrics"},
        truth=LONG_OF_METRICS.assign(method="A", dataset=["iris", "iris", "zoo", "zoo"]),
        follow=lambda text, call: Call(
            bp.from_columns,
            call.frame.assign(method="A"),
            {"dataset": "task", "method": "method", "scores": ["accuracy", "f1"]},
        ),
    ),
    Case(
        "shapes/wide_refusals:refuse_headings: ……, which the registry knows as metrics:",
        bp.from_matrix,
        WIDE.rename(columns={"A": "accuracy"}),
        fill={
            "methods": ["accuracy", "B", "C"],
            "scores": ["accuracy"],
            "dataset": "dataset",
            "method": "method",
        },
        then={"beam_pandas.": "shapes/wide_names:check_present"},
        truth=BARE.replace({"A": "accuracy"}),
    ),
    *(
        Case(
            "shapes/wide_refusals:refuse_headings: ……, which look like runs: ….melt(id_vars",
            bp.from_matrix,
            frame,
            follow=as_method(),
            truth=BY_FOLD,
        )
        for frame in [
            FOLDS,
            FOLDS.set_axis(["dataset", "0", "1"], axis=1),
            FOLDS.set_index("dataset"),
        ]
    ),
    *(
        Case(
            "shapes/wide_refusals:refuse_headings: _describing(found, beside, each, option)",
            bp.from_matrix,
            frame,
            fill={"methods": ["A", "B", "C"], "keep": ["n_rows"]},
            truth=BARE,
        )
        for frame in [
            TABLE.assign(n_rows=[150, 178, 101, 214]),
            WIDE.assign(n_rows=[150, 178, 101, 214]),
        ]
    ),
    Case(
        "shapes/wide_refusals:refuse_numbers: _describing(found, names, each, option)",
        bp.from_matrix,
        TABLE.assign(thing=[150, 178, 101, 214]),
        fill={"methods": ["A", "B", "C"], "keep": ["thing"]},
        truth=BARE,
    ),
]


@pytest.mark.parametrize("case", each_once(CASES), ids=str)
def test_what_it_says_does_no_harm(case):
    hold(case)


def test_every_message_has_a_case():
    complete(("shapes",), [*CASES, *OF_PRINTED, *OF_FILES])
