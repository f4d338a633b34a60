"""Result files of other programs made long."""

import csv
import gzip
import io
import json
import math
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import beam_pandas as bp
from beam_pandas.shapes.csv_files import read_table
from beam_pandas.shapes.printed import read_printed
from beam_pandas.shapes.readers import (
    from_cross_validation,
    from_search,
    read_lm_eval,
    read_results,
)
from beam_pandas.shapes.result_files import read_columns


@pytest.fixture
def folder(tmp_path):
    """A function that fills a folder with files."""

    def fill(**files):
        for name, text in files.items():
            path = tmp_path / name.replace("__", ".")
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return fill


# Folders ------------------------------------------------------------------------------


def test_a_file_each_for_a_method(folder):
    path = folder(
        svm__csv="task_name,accuracy,f1\niris,0.9,0.8\nwine,,0.6\n",
        tree__csv="task_name,accuracy,f1\niris,0.7,0.5\nwine,0.4,NaN\n",
    )
    found = read_results(path, name="method")
    assert list(found.columns) == ["method", "dataset", "metric", "score"]
    assert found["method"].tolist() == ["svm"] * 4 + ["tree"] * 4
    assert found["dataset"].tolist() == ["iris", "iris", "wine", "wine"] * 2
    assert found["metric"].tolist() == ["accuracy", "f1"] * 4
    expected = [0.9, 0.8, np.nan, 0.6, 0.7, 0.5, 0.4, np.nan]
    assert np.array_equal(found["score"], expected, equal_nan=True)
    assert len(found.beam.coverage()) == 4


def test_a_file_each_for_a_dataset_with_runs(folder):
    path = folder(
        iris__tsv="model\tseed\tscore\nA\t0\t0.9\nA\t1\t0.8\nB\t0\t0.7\n",
        wine__tsv="model\tseed\tscore\nA\t0\t0.6\n",
    )
    found = read_results(path, name="dataset")
    assert list(found.columns) == ["method", "dataset", "run", "score"]
    assert found["run"].tolist() == [0, 1, 0, 0] and found["run"].dtype == np.int64
    assert found["dataset"].tolist() == ["iris"] * 3 + ["wine"]


def test_a_wide_file_each_for_a_metric_on_either_side(folder):
    path = folder(
        accuracy__csv="dataset,A,B\niris,0.9,0.8\nwine,0.7,0.6\n",
        f1__csv="method,iris,wine\nA,0.5,0.4\nB,0.3,0.2\n",
    )
    found = read_results(path, name="metric").set_index(["metric", "method", "dataset"])
    assert found.loc[("accuracy", "A", "wine"), "score"] == 0.7
    assert found.loc[("f1", "B", "iris"), "score"] == 0.3


def test_a_file_each_for_a_run(folder):
    text = "algorithm,problem,metric,value\nA,x,rmse,{}\nB,x,rmse,2\n"
    path = folder(**{f"{seed}__csv": text.format(seed) for seed in (1, 2, 10)})
    found = read_results(path, name="run")
    assert sorted(found["run"].unique()) == [1, 2, 10]
    assert found.query("run == 10 and method == 'A'")["score"].tolist() == [10.0]
    padded = read_results({"01": path / "1.csv", "1": path / "2.csv"}, name="run")
    assert padded["run"].unique().tolist() == ["01", "1"]


def test_labels_stay_as_written(folder):
    path = folder(**{"1.10__csv": "dataset,score\nNA,1\n1.10,2\n"})
    found = read_results(path, name="method")
    assert found["method"].tolist() == ["1.10", "1.10"]
    assert found["dataset"].tolist() == ["NA", "1.10"]


def test_what_is_left_out_is_said_once(folder):
    path = folder(
        a__csv="dataset,accuracy,horizon,note\nx,1,24,ok\n",
        b__csv="dataset,accuracy,horizon,note\nx,2,24,ok\n",
        README__md="words",
        log__json="{}",
    )
    (path / "old").mkdir()
    with pytest.warns(bp.BeamWarning) as caught:
        found = read_results(path, name="method")
    assert len(caught) == 1
    said = str(caught[0].message)
    assert "3 files were left out: 'README.md', 'log.json', 'old'" in said
    assert "2 columns left out: 'horizon', 'note'" in said
    assert found["score"].tolist() == [1.0, 2.0]
    explicit = read_results(
        [path / "a.csv", path / "b.csv"], name="method", scores=["accuracy", "horizon"]
    )
    assert explicit["metric"].tolist() == ["accuracy", "horizon"] * 2


def test_compressed_files_lists_and_mappings(folder):
    path = folder()
    raw = b"\xef\xbb\xbfdataset,score\nx,0.5\n"
    (path / "a.b.csv.gz").write_bytes(gzip.compress(raw))
    (path / "c.tsv.gz").write_bytes(gzip.compress(raw.replace(b",", b"\t")))
    found = read_results(path, name="method")
    assert found["method"].tolist() == ["a.b", "c"]
    listed = read_results([path / "c.tsv.gz", str(path / "a.b.csv.gz")], name="method")
    pd.testing.assert_frame_equal(listed, found)
    mapped = read_results({"svm": path / "a.b.csv.gz"}, name="method")
    assert mapped["method"].tolist() == ["svm"]


@pytest.mark.parametrize(
    ("text", "options", "kind", "words"),
    [
        ("dataset,accuracy\nx,**0.9**\n", {}, bp.ScoreTypeError, "read_printed"),
        ("dataset,accuracy\nx,oops\n", {}, bp.ScoreTypeError, "'oops'"),
        ("dataset,zap,zip\nx,1,2\n", {}, bp.MissingColumnsError, "scores="),
        ("thing,accuracy\nx,1\n", {}, bp.MissingColumnsError, "dataset="),
        ("dataset,accuracy\n,1\n", {}, bp.BeamError, "needs a dataset"),
        ("dataset,accuracy\nx,1\n", {"scores": ["f1"]}, bp.MissingColumnsError, "'f1'"),
        ("model,dataset,score\nA,x,1\nB,x,1\n", {}, bp.BeamError, "found 2 in its column"),
        ("dataset,accuracy\n", {}, bp.BeamError, "no rows"),
        ("", {}, bp.BeamError, "empty"),
        ("dataset;accuracy\nx;1\n", {}, bp.BeamError, "separated by commas"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_its_name(
    folder, text, options, kind, words
):
    path = folder(svm__csv=text)
    with pytest.raises(kind, match=words) as caught:
        read_results(path, name="method", **options)
    assert "svm.csv" in str(caught.value)


def test_advice_for_a_file_that_is_followed(folder):
    path = folder(svm__csv="thing,zap\nx,1\ny,2\n")
    with pytest.raises(bp.MissingColumnsError, match="pass dataset="):
        read_results(path, name="method")
    found = read_results(path, name="method", dataset="thing")
    assert found["score"].tolist() == [1.0, 2.0]
    printed = folder(svm__csv="dataset,accuracy\nx,**0.9**\n")
    both = read_printed(printed / "svm.csv", method="svm")
    assert both["score"].tolist() == [0.9]


def test_sources_that_cannot_be(folder):
    path = folder(a__csv="dataset,score\nx,1\n", a__tsv="dataset\tscore\nx\t1\n")
    with pytest.raises(bp.BeamError, match="names of their own.*mapping"):
        read_results(path, name="method")
    for source in (3, [3], [], {}):
        with pytest.raises(bp.BeamError):
            read_results(source, name="method")
    with pytest.raises(bp.BeamError, match="name must be one of"):
        read_results(path, name="model")
    with pytest.raises(bp.BeamError, match="leave one of them out"):
        read_results({"a": path / "a.csv"}, name="method", method="x")
    with pytest.raises(FileNotFoundError):
        read_results(path / "nowhere", name="method")


def test_wide_files_need_a_side(folder):
    path = folder(rmse__csv=",A,B\nx,1,2\n")
    with pytest.raises(bp.BeamError, match="orient='datasets'.*orient='methods'"):
        read_results(path, name="metric")
    assert read_results(path, name="metric", orient="methods")["method"].tolist() == [
        ""
    ] * 0 + ["x", "x"]
    odd = folder(rmse__csv="dataset,accuracy,f1\nx,1,2\n")
    with pytest.raises(bp.BeamError, match="which are metrics"):
        read_results(odd, name="run")


def test_columns_of_wide_files_that_describe_their_rows(folder):
    text = "dataset,A,B,ts_len\nx,0.9,0.8,24\ny,0.7,0.6,300\n"
    for path in (folder(rmse__csv=text), folder(rmse__csv=text.replace("ts_len", "rank"))):
        with pytest.raises(bp.BeamError, match="found '(ts_len|rank)'.*scores="):
            read_results(path, name="metric")
        found = read_results(path, name="metric", scores=["A", "B"])
        assert found["score"].tolist() == [0.9, 0.8, 0.7, 0.6]


def test_a_thousand_files_in_seconds(tmp_path):
    for at in range(1_000):
        (tmp_path / f"m{at:04}.csv").write_text(f"dataset,accuracy\nx,{at}\ny,{at}.5\n")
    start = time.process_time()
    found = read_results(tmp_path, name="method")
    assert time.process_time() - start < 10
    assert found["score"].tolist() == [v for at in range(1_000) for v in (at, at + 0.5)]


FIELDS = st.text('ab1.,"\t\n\r é;_', max_size=4)


@given(
    rows=st.integers(1, 3).flatmap(
        lambda width: st.lists(
            st.lists(FIELDS, min_size=width, max_size=width), min_size=2, max_size=4
        )
    ),
    raw=st.booleans(),
    sign=st.sampled_from([",", "\t"]),
)
def test_the_fast_way_reads_what_the_slow_one_reads(tmp_path_factory, rows, raw, sign):
    lines = io.StringIO(newline="")
    if raw:  # quotes where they may not be, rows of other lengths
        lines.write("\n".join(sign.join(row) for row in rows))
    else:
        csv.writer(lines, delimiter=sign).writerows(rows)
    path = tmp_path_factory.mktemp("twin") / ("t.csv" if sign == "," else "t.tsv")
    path.write_text(lines.getvalue(), encoding="utf-8", newline="")
    try:
        frame = read_table(path, sign)
    except bp.BeamError:
        with pytest.raises(bp.BeamError):
            read_columns(path)
        return
    expected = {
        n: frame[n].astype(object).where(frame[n].notna(), None).tolist() for n in frame
    }
    assert read_columns(path) == expected


# lm-evaluation-harness ----------------------------------------------------------------

NEW = {
    "results": {
        "arc_easy": {
            "alias": "arc_easy", "acc,none": 0.5, "acc_stderr,none": 0.01,
            "acc_norm,none": 0.4, "acc_norm_stderr,none": 0.02,
        },
        "gsm8k": {
            "alias": "gsm8k", "exact_match,strict-match": 0.1,
            "exact_match_stderr,strict-match": 0.001, "exact_match,flexible-extract": 0.2,
            "exact_match_stderr,flexible-extract": "N/A", "sample_len": 1319,
        },
        "mmlu": {"acc,none": 0.3, "acc_stderr,none": 0.003, "alias": "mmlu"},
        "mmlu_law": {"alias": "  - law", "acc,none": 0.25, "acc_stderr,none": 0.03},
        "mmlu_art": {"alias": "  - art", "acc,none": 0.35, "acc_stderr,none": 0.03},
        "empty": {" ": " ", "alias": "empty"},
    },
    "groups": {"mmlu": {"acc,none": 0.3, "alias": "mmlu"}},
    "group_subtasks": {"mmlu": ["mmlu_law", "mmlu_art"], "arc_easy": [], "gsm8k": []},
    "config": {"model": "hf", "model_args": "pretrained=org/small,dtype=float16"},
    "model_name": "org/small",
    "date": 100.0,
}  # fmt: skip
OLD = {
    "results": {
        "arc_easy": {"acc": 0.6, "acc_stderr": 0.02},
        "lambada": {"ppl": 5.5, "ppl_stderr": 0.1, "acc": 0.7, "acc_stderr": 0.01},
    },
    "versions": {"arc_easy": 0},
    "config": {
        "model": "hf-causal", "model_args": "pretrained=org/old,revision=main",
        "num_fewshot": 0, "batch_size": 16,
    },
}  # fmt: skip


def write_json(path, content, **changes):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**content, **changes}), encoding="utf-8")
    return path


def test_the_new_format(tmp_path):
    path = write_json(tmp_path / "results.json", NEW)
    with pytest.warns(bp.BeamWarning, match="1 group of tasks left out.*'mmlu'"):
        found = read_lm_eval(path)
    assert list(found.columns) == ["method", "dataset", "metric", "score", "spread"]
    assert set(found["method"]) == {"org/small"}
    cells = found.set_index(["dataset", "metric"])
    assert cells.loc[("arc_easy", "acc")].tolist()[1:] == [0.5, 0.01]
    assert cells.loc[("arc_easy", "acc_norm"), "spread"] == 0.02
    assert cells.loc[("gsm8k", "exact_match,strict-match"), "score"] == 0.1
    assert math.isnan(cells.loc[("gsm8k", "exact_match,flexible-extract"), "spread"])
    assert sorted(found["dataset"].unique()) == [
        "arc_easy",
        "gsm8k",
        "mmlu_art",
        "mmlu_law",
    ]
    assert len(found) == 6


def test_the_old_format(tmp_path):
    found = read_lm_eval(write_json(tmp_path / "x.json", OLD))
    assert found["metric"].tolist() == ["acc", "ppl", "acc"]
    assert found["spread"].tolist() == [0.02, 0.1, 0.01]
    assert set(found["method"]) == {"org/old"}


def test_a_folder_with_folders_and_other_files(tmp_path):
    write_json(tmp_path / "a" / "results_1.json", OLD)
    config = {"model": "hf", "model_args": {"pretrained": "org/dict"}}
    write_json(tmp_path / "b" / "results_1.json", OLD, config=config)
    write_json(tmp_path / "b" / "other.json", {"x": 1})
    with pytest.warns(bp.BeamWarning, match="1 file without results.*'other.json'"):
        found = read_lm_eval(tmp_path)
    assert found["method"].unique().tolist() == ["org/old", "org/dict"]
    assert "run" not in found


def test_files_that_repeat_a_model_are_runs_oldest_first(tmp_path):
    write_json(tmp_path / "1.json", OLD, date=200.0)
    twice = json.loads(json.dumps(OLD))
    twice["results"]["arc_easy"]["acc"] = 0.9
    write_json(tmp_path / "2.json", twice, date=100.0)
    found = read_lm_eval(tmp_path)
    acc = found[(found["dataset"] == "arc_easy")].set_index("run")["score"]
    assert acc.to_dict() == {0: 0.9, 1: 0.6}
    assert not found.duplicated(["method", "dataset", "metric", "run"]).any()


def test_files_that_share_a_model_and_no_task_are_one_method(tmp_path):
    first = {**OLD, "results": {"arc_easy": OLD["results"]["arc_easy"]}}
    second = {**OLD, "results": {"lambada": OLD["results"]["lambada"]}}
    second["config"] = {**OLD["config"], "num_fewshot": 5}
    write_json(tmp_path / "1.json", first)
    write_json(tmp_path / "2.json", second)
    found = read_lm_eval(tmp_path)
    assert set(found["method"]) == {"org/old"} and "run" not in found


@pytest.mark.parametrize(
    ("setting", "names"),
    [
        ({"num_fewshot": 5}, {"org/old (num_fewshot=0)", "org/old (num_fewshot=5)"}),
        ({"model_args": "pretrained=org/old,revision=step1"},
         {"org/old (revision=main)", "org/old (revision=step1)"}),
        ({"batch_size": 4, "device": "cpu"}, {"org/old"}),
    ],
)  # fmt: skip
def test_settings_make_methods_of_one_model(tmp_path, setting, names):
    write_json(tmp_path / "1.json", OLD)
    write_json(tmp_path / "2.json", OLD, config={**OLD["config"], **setting})
    found = read_lm_eval([tmp_path / "1.json", tmp_path / "2.json"])
    assert set(found["method"]) == names
    assert ("run" in found) == (len(names) == 1)


def test_what_is_no_result_of_the_harness(tmp_path):
    for text, words in (
        ("{", "JSON"),
        ("[]", "'results'"),
        ('{"results": 3}', "'results'"),
    ):
        path = tmp_path / "odd.json"
        path.write_text(text)
        with pytest.raises(bp.BeamError, match=rf"odd\.json: .*{words}"):
            read_lm_eval(path)
    path.write_text("{}")
    with pytest.raises(bp.BeamError, match="at least one result file"):
        read_lm_eval(tmp_path)
    with pytest.raises(bp.BeamError, match="source"):
        read_lm_eval(3)
    with pytest.raises(FileNotFoundError):
        read_lm_eval(tmp_path / "nowhere.json")


# Cross-validation ---------------------------------------------------------------------

RECORDED = {  # of cross_validate(..., scoring=["accuracy", "neg_log_loss"], cv=2)
    "fit_time": np.array([0.5, 0.25]),
    "score_time": np.array([0.125, 0.25]),
    "test_accuracy": np.array([0.9, np.nan]),
    "train_accuracy": np.array([1.0, 1.0]),
    "test_neg_log_loss": np.array([-0.25, 0.0]),
    "estimator": [None, None],
}


def test_recorded_cross_validation():
    found = from_cross_validation({"svm": RECORDED}, dataset="iris")
    assert list(found.columns) == ["method", "dataset", "metric", "run", "score"]
    by_metric = {
        name: part["score"].tolist() for name, part in found.groupby("metric", sort=False)
    }
    assert list(by_metric) == ["fit_time", "score_time", "accuracy", "log_loss"]
    assert by_metric["log_loss"] == [0.25, 0.0]
    assert not np.signbit(found["score"]).any()
    assert by_metric["fit_time"] == [0.5, 0.25]
    assert found["run"].tolist() == [0, 1] * 4
    both = from_cross_validation({"svm": RECORDED}, dataset="iris", train=True)
    assert "train_accuracy" in set(both["metric"])
    nested = from_cross_validation({"iris": {"svm": RECORDED}})
    pd.testing.assert_frame_equal(nested, found)


def test_arrays_of_cross_val_score():
    scores = {"svm": np.array([-0.5, -0.25]), 1.5: [-1, -2]}
    found = from_cross_validation(scores, dataset=7, metric="neg_mean_squared_error")
    assert set(found["metric"]) == {"mean_squared_error"}
    assert found["score"].tolist() == [0.5, 0.25, 1.0, 2.0]
    assert found["method"].tolist() == ["svm", "svm", 1.5, 1.5]
    assert found["dataset"].dtype == np.int64
    unnamed = from_cross_validation({"svm": [0.5]}, dataset="x")
    assert unnamed["metric"].tolist() == ["score"]


def test_a_metric_called_neg_that_is_positive_is_left_alone():
    results = {
        "A": {"test_neg_x": np.array([-1.0, 2.0])}, "B": {"test_neg_x": np.array([-1.0, -2.0])}
    }  # fmt: skip
    found = from_cross_validation(results, dataset="d")
    assert set(found["metric"]) == {"neg_x"}
    assert found["score"].tolist() == [-1, 2, -1, -2]


@pytest.mark.parametrize(
    ("results", "options", "words"),
    [
        ({"svm": RECORDED}, {}, "if keys are methods, pass dataset="),
        ({"svm": [0.5, 0.6]}, {}, "if keys are methods, pass dataset="),
        ({"iris": {"svm": RECORDED}}, {"dataset": "iris"}, "without dataset"),
        ({"svm": {"accuracy": [1.0]}}, {"dataset": "iris"}, "'accuracy'"),
        ({"svm": {"test_a": [1.0], "test_b": [1.0, 2.0]}}, {"dataset": "d"}, "1 and 2"),
        ({"svm": {"fit_time": [1.0]}}, {"dataset": "d"}, "'test_score'"),
        ({"svm": [[0.5]]}, {"dataset": "d"}, "score for each split"),
        ({"svm": []}, {"dataset": "d"}, "score for each split"),
        ({"svm": "0.5"}, {"dataset": "d"}, "score for each split"),
        ({"svm": ["a"]}, {"dataset": "d"}, "score for each split"),
        ({}, {"dataset": "d"}, "mapping"),
        ([0.5], {"dataset": "d"}, "mapping"),
        ({"svm": [0.5]}, {"dataset": "d", "metric": 3}, "metric"),
        ({"svm": [0.5]}, {"dataset": "d", "train": 1}, "train"),
    ],
)
def test_what_is_no_cross_validation(results, options, words):
    with pytest.raises(bp.BeamError, match=words):
        from_cross_validation(results, **options)


SEARCH = {  # of GridSearchCV(..., scoring=["accuracy", "neg_log_loss"]).cv_results_
    "mean_fit_time": np.array([0.1, 0.2]),
    "param_C": np.ma.array([1, 10]),
    "params": [{"C": 1, "kernel": "rbf"}, {"C": np.float64(10.0), "kernel": "rbf"}],
    **{f"split{at}_test_accuracy": np.array([0.5, at / 100]) for at in range(11)},
    **{f"split{at}_train_accuracy": np.array([1.0, 1.0]) for at in range(11)},
    **{f"split{at}_test_neg_log_loss": np.array([-1.0, -0.5]) for at in range(11)},
    "mean_test_accuracy": np.array([0.5, 0.5]),
    "rank_test_accuracy": np.array([1, 1], dtype=np.int32),
}


def test_a_recorded_search():
    found = from_search(SEARCH, dataset="iris", method="svm")
    names = ["svm(C=1, kernel=rbf)", "svm(C=10.0, kernel=rbf)"]
    assert found["method"].unique().tolist() == names
    assert found["metric"].unique().tolist() == ["accuracy", "log_loss"]
    second = found[(found["method"] == names[1]) & (found["metric"] == "accuracy")]
    assert second["run"].tolist() == list(range(11))  # split10 after split9
    assert second["score"].tolist() == [at / 100 for at in range(11)]
    assert (found.loc[found["metric"] == "log_loss", "score"] > 0).all()
    frame = from_search(pd.DataFrame(SEARCH), dataset="iris", method="svm")
    pd.testing.assert_frame_equal(frame, found)
    trained = from_search(SEARCH, dataset="iris", train=True)
    assert "train_accuracy" in set(trained["metric"])
    assert trained["method"].iloc[0] == "C=1, kernel=rbf"


def test_settings_that_halving_repeats():
    results = {
        "params": [{"C": 1}, {"C": 1}], "n_resources": np.array([10, 20]),
        "split0_test_score": np.array([0.5, 0.6]),
    }  # fmt: skip
    found = from_search(results, dataset="d", metric="accuracy")
    assert found["method"].tolist() == ["C=1, n_resources=10", "C=1, n_resources=20"]
    del results["n_resources"]
    with pytest.raises(bp.BeamError, match="names of their own, found 'C=1'"):
        from_search(results, dataset="d")


def test_what_is_no_search():
    for results in (
        RECORDED,
        {"params": [{}]},
        3,
        {"params": [3], "split0_test_score": [1]},
    ):
        with pytest.raises(bp.BeamError):
            from_search(results, dataset="d")
    with pytest.raises(bp.BeamError, match="each of 1 settings"):
        from_search({"params": [{}], "split0_test_score": [1.0, 2.0]}, dataset="d")


def test_scikit_learn_itself():
    pytest.importorskip("sklearn")
    from sklearn.datasets import load_iris
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
    from sklearn.tree import DecisionTreeClassifier

    x, y = load_iris(return_X_y=True)
    models = {
        "logistic": LogisticRegression(max_iter=1000),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    scoring = ["accuracy", "neg_log_loss"]
    results = {
        name: cross_validate(m, x, y, cv=3, scoring=scoring) for name, m in models.items()
    }
    found = from_cross_validation(results, dataset="iris")
    for name, model in models.items():
        loss = cross_val_score(model, x, y, cv=3, scoring="neg_log_loss")
        part = found[(found["method"] == name) & (found["metric"] == "log_loss")]
        assert part["score"].tolist() == (-loss).tolist()
    assert found.query("metric == 'accuracy'").beam.pairwise(aggregate="mean").shape[0] == 1
    plain = from_cross_validation(
        {name: cross_val_score(m, x, y, cv=3) for name, m in models.items()},
        dataset="iris", metric="accuracy",
    )  # fmt: skip
    same = found[found["metric"] == "accuracy"].reset_index(drop=True)
    pd.testing.assert_frame_equal(plain, same)
    search = GridSearchCV(
        models["tree"], {"max_depth": [1, None]}, cv=3, scoring=scoring, refit=False
    ).fit(x, y)
    long = from_search(search, dataset="iris", method="tree")
    again = from_search(search.cv_results_, dataset="iris", method="tree")
    pd.testing.assert_frame_equal(long, again)
    means = long.query("metric == 'accuracy'").groupby("method", sort=False)["score"].mean()
    np.testing.assert_allclose(means, search.cv_results_["mean_test_accuracy"], rtol=1e-12)
    assert means.index.tolist() == ["tree(max_depth=1)", "tree(max_depth=None)"]
