"""Following what is said of files: CSV, results of other programs, cross-validation."""

import json

import pandas as pd
import pytest

import beam_pandas as bp
from tests.advice.cases import Call, Case, Files
from tests.advice.frames import BARE, LONG, WIDE
from tests.advice.hold import each_once, hold
from tests.advice.reasons import DONE, NOTHING, OPTION

CSV = WIDE.to_csv()
ALONE = {name: f"dataset,accuracy\n{WIDE[[name]].to_csv(header=False)}" for name in WIDE}
OF_EACH = Files({f"{name}.csv": text for name, text in ALONE.items()})
FOLDS = {"test_accuracy": [0.9, 0.8]}
BY_FOLD = pd.DataFrame(
    {"method": "svm", "dataset": "iris", "metric": ["accuracy"] * 2, "score": [0.9, 0.8]}
)
SEARCH = {"params": [{"C": 1}, {"C": 2}], "split0_test_score": [0.5, 0.6]}
BY_SETTING = pd.DataFrame({"method": ["C=1", "C=2"], "dataset": "d", "score": [0.5, 0.6]})
HARNESS = {
    "results": {"arc": {"acc,none": 0.6, "alias": "arc"}},
    "model_name": "m",
    "date": 1.0,
}


def matrix(text):
    """A CSV file read as the matrix of one metric."""
    return Files({"accuracy.csv": text})


def results(source, **options):
    return bp.read_results(source, name=options.pop("name", "method"), **options)


def listed(source, **options):
    """The files of a folder, as a list of paths."""
    return results(sorted(source.iterdir()), **options)


def taken(files, function=None, **options):
    """Take other files."""

    def follow(_, call: Call) -> Call:
        return Call(function or call.function, files, options or call.options)

    return follow


def by_name(source, **options):
    """Files by their labels, where their names are alike."""
    return results(
        {path.name.replace(".", "_"): path for path in source.iterdir()}, **options
    )


def one(text, name="A.csv"):
    return Files({name: text})


CASES = [
    # CSV ------------------------------------------------------------------------------
    Case(
        "shapes/to_long:read_matrices: at least one CSV file is needed, found n",
        bp.read_matrices,
        Files({}),
        none=NOTHING,
    ),
    Case(
        "shapes/csv_files:read_table: …: the file is empty",
        bp.read_matrices,
        matrix(""),
        none=NOTHING,
    ),
    Case(
        "shapes/csv_files:read_table: …: the file has a header and no rows",
        bp.read_matrices,
        matrix("dataset,A,B\n"),
        none=NOTHING,
    ),
    Case(
        "shapes/csv_files:read_table: …: cannot be read as CSV in UTF-8, …",
        bp.read_matrices,
        matrix(b"dataset,A\n\xff\xfe,1\n"),
        none=NOTHING,
    ),
    Case(
        "shapes/csv_files:read_table: …: a row has more cells than the header",
        bp.read_matrices,
        matrix(CSV.replace("0.", "0,")),
        follow=taken(matrix(CSV)),
        truth=LONG,
    ),
    Case(
        "shapes/csv_files:_check_header: …: column names must differ, found … mor",
        bp.read_matrices,
        matrix("dataset,A,A\niris,1,2\n"),
        none=OPTION,
    ),
    Case(
        "shapes/csv_files:_check_header: …: cells must be separated by …, the hea",
        bp.read_matrices,
        matrix(CSV.replace(",", ";")),
        follow=taken(matrix(CSV)),
        truth=LONG,
    ),
    # Results of other programs --------------------------------------------------------
    Case(
        "shapes/readers:read_results: scores must be a list of columns, got …",
        results,
        OF_EACH,
        scores="f1",
        none=OPTION,
    ),
    Case(
        "shapes/readers:read_results: name=… takes it from the names of the fi",
        results,
        OF_EACH,
        method="x",
        follow=taken(OF_EACH, results, name="method"),
        truth=LONG,
    ),
    Case(
        "shapes/readers:_find_files: source must be a folder, a list of paths",
        results,
        3,
        none=OPTION,
    ),
    Case(
        "shapes/readers:_find_files: files must be given by their paths, got",
        results,
        [3],
        none=OPTION,
    ),
    Case(
        "shapes/readers:_find_files: at least one file ending in … is needed,",
        results,
        Files({"a.txt": "a"}),
        none=NOTHING,
    ),
    Case(
        "shapes/readers:_by_stem: files need names of their own, found …:",
        listed,
        Files({"A.csv": ALONE["A"], "A.tsv": ALONE["A"].replace(",", "\t")}),
        follow=lambda text, call: call._replace(function=by_name),
        truth=pd.concat(
            [LONG[LONG["method"] == "A"].assign(method=name) for name in ["A_csv", "A_tsv"]]
        ),
    ),
    Case(
        "shapes/readers:_warn_of_rest: '; '.join(said)",
        results,
        one("dataset,accuracy,note\niris,0.91,0.5\n"),
        fill=["accuracy", "note"],
        truth=pd.DataFrame(
            {
                "method": "A",
                "dataset": "iris",
                "metric": ["accuracy", "note"],
                "score": [0.91, 0.5],
            }
        ),
    ),
    Case(
        "shapes/readers:_warn_of_rest: '; '.join(said)",
        results,
        Files({"A.csv": ALONE["A"], "notes.txt": "x"}),
        none=DONE,
    ),
    Case(
        "shapes/readers:_join: each file needs a metric, or none, found",
        results,
        Files({"A.csv": ALONE["A"], "B.csv": "dataset,score\niris,0.5\n"}),
        none=OPTION,
    ),
    Case(
        "shapes/result_files:_find_columns: columns … are asked for, … not found amo",
        results,
        OF_EACH,
        scores=["f1"],
        none=OPTION,
    ),
    Case(
        "shapes/result_files:_check_own_name: a file is one …, …, found … in its colum",
        results,
        one(BARE.to_csv(index=False), "results.csv"),
        fill="metric",
        truth=BARE.assign(metric="results"),
    ),
    Case(
        "shapes/result_files:_read_long: one column of scores is needed beside a",
        results,
        one("dataset,metric,accuracy,f1\niris,x,0.91,0.7\n"),
        fill=["accuracy"],
        drops={"scores=": 1},
        truth=pd.DataFrame(
            {"method": "A", "dataset": "iris", "metric": ["x", "y"], "score": [0.91, 0.7]}
        ),
    ),
    Case(
        "shapes/result_files:_find_scores: a column of scores is needed, found none",
        results,
        one("dataset,zap,zip\niris,0.91,0.7\n"),
        fill=["zap", "zip"],
        truth=pd.DataFrame(
            {
                "method": "A",
                "dataset": "iris",
                "metric": ["zap", "zip"],
                "score": [0.91, 0.7],
            }
        ),
    ),
    Case(
        "shapes/result_files:_find_scores: a column of scores is needed, found none",
        results,
        one("dataset,run\niris,1\n"),
        fill=["run"],
        then="shapes/result_files:_",
        none=OPTION,
        skip={"scores=": "there is no column that could be one"},
    ),
    Case(
        "shapes/result_files:_read_wide: a column for each … is needed, found ……:",
        results,
        one("task,accuracy,f1\niris,0.91,0.7\n", "seed1.csv"),
        name="run",
        fill={"method": "f1", "scores": ["accuracy", "f1"]},
        skip={"method=": "no column names the methods"},
        truth=pd.DataFrame(
            {"method": ["accuracy", "f1"], "dataset": "iris", "score": [0.91, 0.7]}
        ),
    ),
    Case(
        "shapes/result_files:_refuse_odd: a column for each … is needed, found …,",
        results,
        one("dataset,A,B,params\niris,0.91,0.82,3\n", "seed1.csv"),
        name="run",
        fill=["A", "B"],
        truth=pd.DataFrame(
            {"method": ["A", "B"], "dataset": "iris", "score": [0.91, 0.82]}
        ),
    ),
    Case(
        "shapes/result_files:_rows_are: a column that names each … is needed, fo",
        results,
        one("thing,accuracy\niris,0.91\n"),
        fill="thing",
        truth=pd.DataFrame(
            {"method": ["A"], "dataset": "iris", "metric": "accuracy", "score": [0.91]}
        ),
    ),
    Case(
        "shapes/result_files:_rows_are: rows must be datasets or methods, and th",
        results,
        one("thing,A,B\niris,0.91,0.82\n", "seed1.csv"),
        name="run",
        skip={"orient='methods'": "these rows are datasets"},
        truth=pd.DataFrame(
            {"method": ["A", "B"], "dataset": "iris", "score": [0.91, 0.82]}
        ),
    ),
    Case(
        "shapes/result_files:_numbers: column … must hold numbers, found …: …",
        results,
        one("dataset,accuracy\niris,**0.91**\nzoo,0.66\n"),
        follow=taken(
            one("dataset,accuracy\niris,**0.91**\nzoo,0.66\n").texts["A.csv"],
            bp.read_printed,
            method="A",
        ),
        truth=pd.DataFrame(
            {
                "method": "A",
                "dataset": ["iris", "zoo"],
                "metric": "accuracy",
                "score": [0.91, 0.66],
            }
        ),
    ),
    Case(
        "shapes/result_files:_numbers: column … must hold numbers, found …: …",
        results,
        one("dataset,accuracy\niris,failed\nzoo,0.66\n"),
        follow=taken(one("dataset,accuracy\niris,\nzoo,0.66\n")),
        truth=pd.DataFrame(
            {"method": "A", "dataset": ["zoo"], "metric": "accuracy", "score": [0.66]}
        ),
    ),
    Case(
        "shapes/result_files:_check_labels: each row needs a …, found none in … of …",
        results,
        one("dataset,accuracy\n,0.91\n"),
        none=OPTION,
    ),
    # The harness ----------------------------------------------------------------------
    Case(
        "shapes/lm_eval:_read_files: source must be a file, a folder or a lis",
        bp.read_lm_eval,
        3,
        none=OPTION,
    ),
    Case(
        "shapes/lm_eval:_read_files: at least one result file of the lm-evalu",
        bp.read_lm_eval,
        Files({"a.txt": ""}),
        none=NOTHING,
    ),
    Case(
        "shapes/lm_eval:_read_result: …: cannot be read as JSON, …",
        bp.read_lm_eval,
        one("{oops", "a.json"),
        none=NOTHING,
    ),
    Case(
        "shapes/lm_eval:_read_result: …: a result file of the lm-evaluation-ha",
        bp.read_lm_eval,
        Files({"a.json": "{}"}, "a.json"),
        none=NOTHING,
    ),
    Case(
        "shapes/lm_eval:read_lm_eval: at least one score is needed, found none",
        bp.read_lm_eval,
        one('{"results": {}}', "a.json"),
        none=NOTHING,
    ),
    Case(
        "shapes/lm_eval:_warn_of_rest: '; '.join(said)",
        bp.read_lm_eval,
        Files({"a.json": json.dumps(HARNESS), "notes.json": "{}"}),
        none=DONE,
    ),
    # Cross-validation -----------------------------------------------------------------
    Case(
        "shapes/cross_validation:from_cross_validation: metric must be the name of one metric, g",
        bp.from_cross_validation,
        {"svm": FOLDS},
        dataset="iris",
        metric=3,
        none=OPTION,
    ),
    Case(
        "shapes/cross_validation:from_cross_validation: without dataset a mapping from dataset t",
        bp.from_cross_validation,
        {"svm": FOLDS},
        fill="iris",
        truth=BY_FOLD,
    ),
    Case(
        "shapes/cross_validation:_check_mapping: … must be a mapping with scores, got …",
        bp.from_cross_validation,
        {},
        none=OPTION,
    ),
    Case(
        "shapes/cross_validation:_read_validation: …: what cross_validate returned is neede",
        bp.from_cross_validation,
        {"iris": {"svm": FOLDS}},
        dataset="iris",
        follow=lambda text, call: call._replace(options={}),
        truth=BY_FOLD,
    ),
    Case(
        "shapes/cross_validation:_read_validation: …: as many scores in each metric are nee",
        bp.from_cross_validation,
        {"svm": {"test_a": [1.0], "test_b": [1.0, 2.0]}},
        dataset="d",
        none=NOTHING,
    ),
    Case(
        "shapes/cross_validation:_as_scores: …: a score for each split is needed, got",
        bp.from_cross_validation,
        {"svm": [[0.5]]},
        dataset="d",
        follow=taken({"svm": [0.5]}),
    ),
    Case(
        "shapes/cross_validation:_find_splits: search.cv_results_ is needed, with 'para",
        bp.from_search,
        FOLDS,
        dataset="d",
        follow=taken(SEARCH),
        truth=BY_SETTING,
    ),
    Case(
        "shapes/cross_validation:from_search: a score for each of … settings is needed",
        bp.from_search,
        {"params": [{}], "split0_test_score": [1.0, 2.0]},
        dataset="d",
        none=NOTHING,
    ),
    Case(
        "shapes/cross_validation:_name_settings: each setting must be a mapping, found …",
        bp.from_search,
        {"params": [3], "split0_test_score": [1.0]},
        dataset="d",
        none=NOTHING,
    ),
    Case(
        "shapes/cross_validation:_name_settings: settings need names of their own, found",
        bp.from_search,
        {"params": [{"C": 1}] * 2, "split0_test_score": [0.5, 0.6]},
        dataset="d",
        none=NOTHING,
    ),
]


@pytest.mark.slow  # test_shapes.py gives each message once in any case
@pytest.mark.parametrize("case", each_once(CASES), ids=str)
def test_what_it_says_does_no_harm(case):
    hold(case)
