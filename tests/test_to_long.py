import gzip

import numpy as np
import pandas as pd
import pytest

import beam_pandas as bp
from tests.tables import HOLE, TIES

WIDE = TIES.pivot_table(index="dataset", columns="method", values="score")


def by_cell(frame):
    keys = [c for c in ("metric", "method", "dataset") if c in frame]
    return frame.set_index(keys)["score"].sort_index()


def test_a_matrix_with_its_datasets_in_the_index():
    long = WIDE.pipe(bp.from_matrix, metric="accuracy")
    assert list(long.columns) == ["method", "dataset", "metric", "score"]
    pd.testing.assert_series_equal(by_cell(long), by_cell(TIES))
    pd.testing.assert_frame_equal(long.beam.nemenyi(), TIES.beam.nemenyi())


def test_a_matrix_with_its_datasets_in_a_column():
    first = WIDE.rename_axis(columns=None).reset_index()
    for frame in (first, first[["A", "dataset", "B", "C"]]):
        pd.testing.assert_series_equal(
            by_cell(bp.from_matrix(frame, metric="accuracy")), by_cell(TIES)
        )
    numbered = first.assign(dataset=range(4))
    long = bp.from_matrix(numbered, metric="accuracy", dataset="dataset")
    assert long["dataset"].dtype == np.int64
    pd.testing.assert_frame_equal(long.beam.friedman(), TIES.beam.friedman())


def test_the_result_does_not_depend_on_the_kind_of_index():
    first = WIDE.rename_axis(columns=None).reset_index()
    expected = by_cell(bp.from_matrix(first, metric="accuracy"))
    for frame in (
        first.sample(frac=1, random_state=1),
        first[first["A"] > 0],
        first.set_axis([7, 7, 1, 2]),
    ):
        found = by_cell(bp.from_matrix(frame, metric="accuracy"))
        pd.testing.assert_series_equal(found, expected)
    numbers = WIDE.set_axis(pd.RangeIndex(1, 5, name="id"))
    assert sorted(bp.from_matrix(numbers)["dataset"].unique()) == [1, 2, 3, 4]


def test_a_column_of_scores_with_a_word_is_no_column_of_names():
    frame = pd.DataFrame({"id": [11, 12], "A": ["0.9", "timeout"], "B": [0.7, 0.8]})
    with pytest.raises(bp.ScoreTypeError, match="column 'A' must be numeric.*'timeout'"):
        bp.from_matrix(frame)
    numbers = pd.DataFrame({"id": [11, 12], "A": pd.Series([0.9, None], dtype=object)})
    with pytest.raises(bp.MissingColumnsError, match="nothing names the datasets"):
        bp.from_matrix(numbers)


def test_wide_scores_of_several_metrics_come_back_whole():
    frame = pd.concat(
        [TIES, TIES.assign(metric="f1", score=0.5), HOLE.assign(metric="recall")]
    )
    back = frame.beam.wide_scores().pipe(bp.from_matrix)
    pd.testing.assert_frame_equal(back.beam.ranks(), frame.beam.ranks())


def test_without_a_metric_there_is_no_such_column():
    assert list(bp.from_matrix(WIDE).columns) == ["method", "dataset", "score"]


def test_missing_cells_stay_and_the_input_is_not_touched():
    wide = HOLE.pivot_table(index="dataset", columns="method", values="score")
    before = wide.copy(deep=True)
    long = bp.from_matrix(wide, metric="accuracy")
    assert len(long) == 18
    assert long["score"].isna().sum() == 1
    pd.testing.assert_frame_equal(wide, before)


def test_a_matrix_of_nullable_and_narrow_dtypes():
    wide = WIDE.astype({"A": "Float64", "B": "float32", "C": "double[pyarrow]"})
    long = bp.from_matrix(wide, metric="accuracy")
    pd.testing.assert_series_equal(by_cell(long), by_cell(TIES), check_exact=True)


@pytest.mark.parametrize(
    ("frame", "error", "message"),
    [
        (pd.DataFrame([[1, "iris", 2]], columns=["A", "d", "A"]), bp.BeamError,
         "must differ, found 'A' more than once"),
        (WIDE.assign(B=["x", "y", "z", "1"]), bp.ScoreTypeError,
         "column 'B' must be numeric, .*first value that is no number: 'x'"),
        (WIDE.assign(B=True), bp.ScoreTypeError, "column 'B' must be numeric, found dtype bool"),
        (WIDE.reset_index(drop=True), bp.MissingColumnsError,
         "nothing names the datasets.*pass dataset='...'"),
        (WIDE[[]], bp.MissingColumnsError, "a column for each method is needed, found none"),
        (pd.concat({"f1": WIDE}, axis=1), bp.BeamError, r"one level.*found 2 levels: .*block"),
        (pd.concat({"f1": WIDE}), bp.BeamError, "index of one level is needed, found 2 levels"),
        (WIDE["A"], bp.ScoreTypeError, "must be a pandas DataFrame, found Series"),
    ],
)  # fmt: skip
def test_a_matrix_that_is_none(frame, error, message):
    with pytest.raises(error, match=message):
        bp.from_matrix(frame, metric="accuracy")


def test_names_that_cannot_be():
    for metric in (["a"], ("a", "b")):
        with pytest.raises(bp.BeamError, match="metric must be the name of one metric"):
            bp.from_matrix(WIDE, metric=metric)
    with pytest.raises(bp.MissingColumnsError, match="column 'd' is asked for"):
        bp.from_matrix(WIDE, dataset=["d"])
    with pytest.raises(
        bp.BeamError, match=r"a column or a list of columns, got \[\['m'\]\]"
    ):
        bp.from_columns(RUNS, method=[["m"]], scores=["f1"])
    for source in (None, ["a.csv"]):
        with pytest.raises(bp.BeamError, match="source must be a folder or a mapping"):
            bp.read_matrices(source)


def test_a_column_of_datasets_that_is_not_there():
    with pytest.raises(
        bp.MissingColumnsError, match="'task' is asked for, not found among 'A'"
    ):
        bp.from_matrix(WIDE, dataset="task")


# One column for each metric ------------------------------------------------------------

RUNS = pd.DataFrame(
    {
        "model": ["A", "B", "A", "B"],
        "task": ["x", "x", "y", "y"],
        "fold": [0, 0, 1, 1],
        "f1": [0.9, 0.8, np.nan, 0.7],
        "rmse": [1, 2, 3, 4],
    }
)


def test_columns_of_metrics():
    long = RUNS.pipe(
        bp.from_columns,
        method="model",
        dataset="task",
        scores=["f1", "rmse"],
        keep=["fold"],
    )
    assert list(long.columns) == ["method", "dataset", "fold", "metric", "score"]
    assert long["score"].dtype == np.float64
    assert long[long["metric"] == "rmse"]["score"].tolist() == [1, 2, 3, 4]
    assert long[long["metric"] == "f1"]["fold"].tolist() == [0, 0, 1, 1]
    assert len(long) == 8
    assert long.beam.coverage()["n_missing"].tolist() == [1, 0, 0, 0]


def test_columns_named_as_they_should_be_need_no_names():
    frame = RUNS.rename(columns={"model": "method", "task": "dataset"})
    long = bp.from_columns(frame, scores=["rmse"])
    assert list(long.columns) == ["method", "dataset", "metric", "score"]


def test_label_dtypes_stay():
    frame = RUNS.assign(model=RUNS["model"].astype("category"))
    long = bp.from_columns(frame, method="model", dataset="task", scores=["f1", "rmse"])
    assert long["method"].dtype == frame["model"].dtype


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"scores": ["f2"]},
            bp.MissingColumnsError,
            "'f2' not found among 'model', 'task'",
        ),
        ({"scores": []}, bp.BeamError, "scores must name at least one column"),
        ({"scores": "f1"}, bp.BeamError, "scores must be a list of columns, got 'f1'"),
        (
            {"scores": ["f1"], "keep": "fold"},
            bp.BeamError,
            "keep must be a list of columns",
        ),
        ({"scores": ["f1", "f1"]}, bp.BeamError, "found 'f1' in two"),
        ({"scores": ["f1"], "keep": ["task"]}, bp.BeamError, "found 'task' in two"),
        (
            {"scores": ["task"], "dataset": "fold"},
            bp.ScoreTypeError,
            "column 'task' must be",
        ),
        ({"scores": ["f1"], "dataset": "model"}, bp.BeamError, "found 'model' in two"),
    ],
)
def test_columns_that_cannot_be(arguments, error, message):
    with pytest.raises(error, match=message):
        bp.from_columns(RUNS, **{"method": "model", "dataset": "task"} | arguments)


def test_a_column_to_keep_may_not_hide_a_column_of_the_result():
    frame = RUNS.assign(score=1.0)
    with pytest.raises(bp.BeamError, match="found 'score' in two"):
        bp.from_columns(
            frame, method="model", dataset="task", scores=["f1"], keep=["score"]
        )


# Files ---------------------------------------------------------------------------------


def write(path, frame, encoding="utf-8", **kwargs):
    path.write_text(frame.to_csv(**kwargs), encoding=encoding)
    return path


def test_files_of_a_folder_are_named_by_their_metric(tmp_path):
    write(tmp_path / "accuracy.csv", WIDE, encoding="utf-8-sig")
    write(tmp_path / "f1.csv", WIDE.rename_axis(None) / 2)
    write(tmp_path / "rmse.CSV", WIDE.reset_index(), index=True)
    (tmp_path / "notes.txt").write_text("none of these")
    long = bp.read_matrices(tmp_path)
    assert long["metric"].unique().tolist() == ["accuracy", "f1", "rmse"]
    assert len(long) == 36
    assert sorted(long["method"].unique()) == ["A", "B", "C"]
    accuracy = long[long["metric"] == "accuracy"]
    pd.testing.assert_series_equal(by_cell(accuracy), by_cell(TIES))
    pd.testing.assert_frame_equal(
        bp.read_matrices(str(tmp_path)).beam.friedman(), long.beam.friedman()
    )


def test_files_of_a_mapping(tmp_path):
    path = tmp_path / "table.csv.gz"
    path.write_bytes(gzip.compress(WIDE.to_csv().encode()))
    long = bp.read_matrices({"accuracy": path})
    pd.testing.assert_series_equal(by_cell(long), by_cell(TIES))


def test_names_are_as_written_and_numbers_exact(tmp_path):
    text = "d,A,B,\nNA,0.1,,\n1.10,1e-3,NaN,\n1.1,0.30000000000000004,2,\n"
    (tmp_path / "f1.csv").write_text(text)
    long = bp.read_matrices(tmp_path)
    assert long["dataset"].unique().tolist() == ["NA", "1.10", "1.1"]
    assert long["method"].unique().tolist() == ["A", "B"]
    assert long[long["method"] == "A"]["score"].tolist() == [
        0.1,
        0.001,
        0.30000000000000004,
    ]
    assert long[long["method"] == "B"]["score"].isna().tolist() == [True, True, False]


def test_datasets_named_by_numbers(tmp_path):
    write(tmp_path / "accuracy.csv", WIDE.set_axis([31, 3, 7, 1]))
    long = bp.read_matrices(tmp_path)
    assert sorted(long["dataset"].unique()) == ["1", "3", "31", "7"]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("d,A,A\nx,1,2\n", bp.BeamError, "must differ, found 'A' more than once"),
        ("d,A,B\nx,1,oops\n", bp.ScoreTypeError, "column 'B' must be numeric.*'oops'"),
        ("", bp.BeamError, "the file is empty"),
        ("d,A\nx,1\ny,1,2,3\n", bp.BeamError, "cannot be read as CSV"),
        ("d\nx\n", bp.MissingColumnsError, "a column for each method is needed"),
        ("d,A\n", bp.BeamError, "a header and no rows"),
        ("d,A,B\nx,0,1,0,2\ny,0,3,0,4\n", bp.BeamError, "more cells than the header"),
        ("A,B\nx,.1,.2\ny,.1,.2\n", bp.BeamError, "more cells than the header"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path, text, error, message):
    path = tmp_path / "f1.csv"
    path.write_text(text)
    with pytest.raises(error, match=message) as caught:
        bp.read_matrices(tmp_path)
    assert str(path) in str(caught.value)


def test_a_file_of_another_encoding(tmp_path):
    path = write(tmp_path / "f1.csv", WIDE.rename(columns={"A": "Ä"}), encoding="latin-1")
    with pytest.raises(bp.BeamError, match=r"f1\.csv: cannot be read as CSV in UTF-8"):
        bp.read_matrices({"f1": path})


def test_no_file(tmp_path):
    with pytest.raises(
        bp.BeamError, match="at least one CSV file is needed, found none in"
    ):
        bp.read_matrices(tmp_path)
    with pytest.raises(FileNotFoundError):
        bp.read_matrices({"f1": tmp_path / "f1.csv"})


# Tables that are not what they seem -----------------------------------------------------


@pytest.mark.parametrize("name", ["method", "Model", "algorithm"])
def test_a_row_for_each_method_is_refused_with_the_way_to_turn_it(name):
    table = pd.DataFrame({name: ["A", "B"], "iris": [0.1, 0.2], "wine": [0.3, 0.4]})
    expected = by_cell(bp.from_matrix(table.set_index(name).T.rename_axis("dataset")))
    assert expected["B", "iris"] == 0.2
    for frame in (table, table.set_index(name)):
        with pytest.raises(bp.BeamError, match=f"found rows named by '{name}'") as caught:
            bp.from_matrix(frame)
        advice = str(caught.value).split("methods, ")[1].split(", else")[0]
        turned = bp.from_matrix(eval(advice, {"df": frame}))
        pd.testing.assert_series_equal(by_cell(turned), expected)
    told = bp.from_matrix(table, dataset=name)
    assert sorted(set(told["method"])) == ["iris", "wine"]


@pytest.mark.parametrize("name", ["fold", "Seed", "Unnamed: 0", "run"])
def test_a_column_that_counts_runs_is_no_method(name):
    table = pd.DataFrame({"dataset": ["x", "y"], name: [0, 1], "A": [0.1, 0.2]})
    with pytest.raises(bp.BeamError, match="a column for each method is needed") as caught:
        bp.from_matrix(table)
    advice = str(caught.value).split(": ", 1)[1].split(", or pass")[0]
    if name.startswith("Unnamed"):
        advice = f"df.drop(columns=[{name!r}])"
        assert advice in str(caught.value)
    dropped = bp.from_matrix(eval(advice, {"df": table}))
    assert dropped["method"].tolist() == ["A", "A"]
    pd.testing.assert_frame_equal(bp.from_matrix(table, methods=["A"]), dropped)
    pd.testing.assert_frame_equal(
        bp.from_matrix(table.set_index("dataset"), methods=["A"]), dropped
    )


def test_methods_that_are_asked_for_must_be_there():
    table = pd.DataFrame({"data": ["x", "y"], "n": [150, 214], "A": [1, 2], "B": [3, 4]})
    chosen = bp.from_matrix(table, methods=["B", "A"])
    assert chosen["method"].tolist() == ["B", "A"] * 2
    assert chosen["score"].tolist() == [3.0, 1.0, 4.0, 2.0]
    with pytest.raises(bp.MissingColumnsError, match="columns 'C' are asked for"):
        bp.from_matrix(table, methods=["A", "C"])
    with pytest.raises(bp.BeamError, match="methods must be a list of columns, got 'A'"):
        bp.from_matrix(table, methods="A")


def test_a_column_of_numbers_may_name_the_datasets():
    table = pd.DataFrame({"id": [3, 1], "A": [0.1, 0.2], "B": [0.3, 0.4]})
    with pytest.raises(
        bp.MissingColumnsError, match="pass dataset='id' if that names them"
    ):
        bp.from_matrix(table)
    assert bp.from_matrix(table, dataset="id")["dataset"].tolist() == [3, 3, 1, 1]
