"""Small inputs on which a comparison went wrong before the statistics, and what is right."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest

import beam_pandas as bp


def refused(call, kind=bp.BeamError):
    """Give the message of the error that a call raises."""
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)


def warned(call):
    """Give the texts of the warnings of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert all(warning.category is bp.BeamWarning for warning in caught)
    return [str(warning.message) for warning in caught]


def long(scores, metric="accuracy"):
    """A long frame of a mapping from method to a mapping from dataset to score."""
    rows = [(m, d, metric, s) for m, row in scores.items() for d, s in row.items()]
    return pd.DataFrame(rows, columns=["method", "dataset", "metric", "score"])


# Runs --------------------------------------------------------------------------------


def test_a_method_that_fails_on_the_hard_folds_is_no_winner():
    rows = [("A", f"c{d}", f, None if f > 2 else 0.90) for d in range(6) for f in range(5)]
    rows += [("B", f"c{d}", f, 0.52 if f > 2 else 0.92) for d in range(6) for f in range(5)]
    t = pd.DataFrame(rows, columns=["method", "dataset", "run", "score"])
    told = {"higher_is_better": True, "aggregate": "mean"}
    assert "12 of 60 scores" in refused(lambda: t.beam.pairwise(**told), bp.UnevenRunsError)
    shared = t.beam.pairwise(uneven_runs="shared", **told)
    assert shared[["wins", "losses"]].to_numpy().tolist() == [[0, 6]]
    assert t.beam.missing_scores()["n_runs_missing"].sum() == 12


def test_one_trial_against_four_is_an_error():
    rows = []
    for t in range(20):
        rows += [("A", f"t{t}", float(t % 4 == 0))]
        rows += [("B", f"t{t}", float(k == t % 4)) for k in range(4)]
    f = pd.DataFrame(rows, columns=["method", "dataset", "score"])
    text = refused(
        lambda: f.beam.pairwise(higher_is_better=True, aggregate="mean"), bp.UnevenRunsError
    )
    assert "1 to 4 runs" in text


# Wide tables --------------------------------------------------------------------------

BEFORE = {"A": [0.9, 0.8, 0.7], "B": [0.8, 0.7, 0.6]}
ASIDE = {
    "n_rows": [150, 178, 214],
    "ts_len": [150, 178, 2140],
    "Number of Mutants": [1, 2, 3],
    "classes": [3, 3, 6],
    "A_std": [0.01, 0.02, 0.03],
    "B_stderr": [0.1, 0.2, 0.3],
    "A_rank": [1.0, 1.0, 2.0],
    "A_time": [0.5, 0.6, 0.7],
    "param_max_depth": [0.5, 0.6, 0.7],
    "num_params": [0.1, 0.2, 0.3],
    "flops_in_millions": [512.5, 300.2, 410.7],
}


@pytest.mark.parametrize("name", ASIDE)
def test_columns_that_describe_rows_are_no_methods(name):
    w = pd.DataFrame({"task": ["iris", "wine", "glass"], name: ASIDE[name], **BEFORE})
    text = refused(lambda: bp.from_matrix(w))
    assert f"found {name!r}, which" in text
    assert "methods=[...]" in text
    kept = bp.from_matrix(w, methods=["A", "B"], keep=[name])
    assert kept["method"].unique().tolist() == ["A", "B"]
    assert kept[name].tolist() == [value for value in ASIDE[name] for _ in "AB"]
    every = bp.from_matrix(w, methods=[name, "A", "B"])
    assert len(every) == 9


def test_a_perfect_method_is_a_method_and_so_is_n_beats():
    w = pd.DataFrame({"task": list("xyz"), "oracle": [1, 1, 1], "N-BEATS": [0.5, 0.6, 0.7]})
    assert bp.from_matrix(w)["method"].unique().tolist() == ["oracle", "N-BEATS"]


def test_columns_that_are_metrics():
    m = pd.DataFrame({"dataset": list("xyz"), "accuracy": [0.9, 0.8, 0.7], "fit_time": 0.5})
    text = refused(lambda: bp.from_matrix(m))
    assert "'accuracy', 'fit_time', which the registry knows as metrics" in text
    assert "beam_pandas.from_columns(df, dataset='...', method='...'" in text
    several = pd.DataFrame({"model": ["A", "B"], "task": ["x", "x"], "f1": [0.5, 0.6]})
    text = refused(lambda: bp.from_matrix(several))
    advice = re.search(r"beam_pandas\.from_columns\(.*?\]\)", text)[0]
    assert eval(advice, {"df": several, "beam_pandas": bp})["score"].tolist() == [0.5, 0.6]


@pytest.mark.parametrize(
    "names", [["0", "1", "2"], [0, 1, 2], [1, 2, 3], ["fold_0", "fold_1", "fold_2"],
              ["split0_test_score", "split1_test_score", "split2_test_score"],
              ["seed1", "seed2", "seed3"]]
)  # fmt: skip
def test_columns_that_count_are_runs(names):
    r = pd.DataFrame([[0.9, 0.8, 0.7], [0.8, 0.9, 0.7]], columns=names)
    r.insert(0, "dataset", ["d1", "d2"])
    assert "which look like runs" in refused(lambda: bp.from_matrix(r))
    assert len(bp.from_matrix(r, methods=names)) == 6


HEADINGS = """name framework solver agent system approach baseline algorithm classifier model
learner regressor estimator tool technique detector forecaster pipeline network architecture
optimizer policy llm variant encoder backbone Method Models Model_name model_id agents
classifier_name Configuration team submission""".split()  # noqa: SIM905


@pytest.mark.parametrize("name", HEADINGS)
def test_rows_that_are_methods_are_refused_until_said(name, tmp_path):
    n = pd.DataFrame({name: ["tree", "forest"], "iris": [0.9, 0.95], "wine": [0.8, 0.97]})
    for frame in (n, n.set_index(name)):
        text = refused(lambda frame=frame: bp.from_matrix(frame))
        assert f"found rows named by {name!r}" in text
        turned = bp.from_matrix(frame, orient="methods")
        assert turned["method"].tolist() == ["tree", "tree", "forest", "forest"]
        assert turned["dataset"].tolist() == ["iris", "wine"] * 2
        advice = text.split("if they are methods, ")[1].split(", else")[0]
        by_hand = bp.from_matrix(eval(advice, {"df": frame}))
        keys = ["method", "dataset"]
        pd.testing.assert_frame_equal(
            by_hand.sort_values(keys, ignore_index=True).astype({"method": str}),
            turned.sort_values(keys, ignore_index=True).astype({"method": str}),
        )
    n.to_csv(tmp_path / "accuracy.csv", index=False)
    assert "found rows named by" in refused(lambda: bp.read_matrices(tmp_path))
    read = bp.read_matrices(tmp_path, orient="methods")
    assert read["method"].tolist() == turned["method"].tolist()


def test_files_of_methods_are_no_files_of_metrics(tmp_path):
    for name in ("SVM", "Tree"):
        (tmp_path / f"{name}.csv").write_text("dataset,accuracy,f1\niris,0.9,0.8\n")
    assert "knows as metrics" in refused(lambda: bp.read_matrices(tmp_path))
    assert set(bp.read_results(tmp_path, name="method")["method"]) == {"SVM", "Tree"}


def test_keys_of_several_columns_are_joined():
    table = pd.DataFrame(
        {"model": ["a", "a"], "config": [1, 2], "iris": [0.1, 0.2], "wine": [0.3, 0.4]}
    )
    key = ["model", "config"]
    found = bp.from_matrix(table, method=key)
    assert found["method"].tolist() == ["a / 1", "a / 1", "a / 2", "a / 2"]
    table = table.assign(dataset="d", f1=0.5)
    found = bp.from_columns(table, method=key, scores=["f1"])
    assert found["method"].tolist() == ["a / 1", "a / 2"]


def test_two_rows_of_headings_in_either_order():
    columns = pd.MultiIndex.from_product([["A", "B"], ["accuracy", "f1"]])
    table = pd.DataFrame([[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8]], ["x", "y"], columns)
    found = bp.from_matrix(table)
    at = found.set_index(["method", "dataset", "metric"])["score"]
    assert at["B", "x", "f1"] == 0.4
    assert at["A", "y", "accuracy"] == 0.5
    pd.testing.assert_frame_equal(bp.from_matrix(table.swaplevel(axis=1)), found)
    first = table.reset_index(names=[("Unnamed: 0_level_0", "dataset")])
    pd.testing.assert_frame_equal(bp.from_matrix(first), found)
    odd = table.rename(columns={"accuracy": "u", "f1": "v"})
    assert "one must name metrics" in refused(lambda: bp.from_matrix(odd))
    named = odd.rename_axis(columns=["method", "metric"])
    assert set(bp.from_matrix(named)["metric"]) == {"u", "v"}


def test_text_that_is_all_plain_numbers_is_read():
    table = pd.DataFrame({"d": ["x", "y"], "A": ["0.5", " 1e-1"], "B": ["", "-.5"]})
    assert bp.from_matrix(table)["score"].fillna(9).tolist() == [0.5, 9.0, 0.1, -0.5]
    for odd in ("1_000", "0,5", "inf", "\u0660"):
        assert "must be numeric" in refused(
            lambda odd=odd: bp.from_matrix(table.assign(B=[odd, "1"])), bp.ScoreTypeError
        )


def test_a_long_frame_is_long_already():
    t = long({"A": {"x": 1.0}, "B": {"x": 2.0}}).drop(columns="metric")
    assert "long already" in refused(lambda: bp.from_matrix(t))
    other = t.rename(columns={"method": "solver", "score": "result"})
    text = refused(lambda: bp.from_matrix(other))
    assert "df.rename(columns={'solver': 'method', 'result': 'score'})" in text


@pytest.mark.parametrize("name", ["fold", "Seed", "run", "split", "iteration", "repeat"])
def test_runs_name_no_datasets(name):
    t = pd.DataFrame({"A": [0.5, 0.6], "B": [0.4, 0.3]}, pd.RangeIndex(2, name=name))
    for frame in (t, t.reset_index(), t.reset_index().astype({name: str})):
        text = refused(lambda frame=frame: bp.from_matrix(frame))
        assert "no datasets" in text
        assert "'dataset')" not in text.split("beam_pandas")[0]
        advice = text[text.index("beam_pandas.from_matrix") :]
        found = eval(advice, {"df": frame, "beam_pandas": bp})
        assert found["dataset"].unique().tolist() == ["..."]
        assert len(found["run"].unique()) == 2
    unnamed = t.reset_index(drop=True)
    assert "each row is a run of one dataset" in refused(lambda: bp.from_matrix(unnamed))
    (text,) = warned(lambda: bp.from_matrix(t.reset_index(), dataset=name))
    assert "runs of one dataset" in text


def test_a_column_in_the_index_is_pointed_at():
    t = pd.DataFrame({"dataset": ["x"], "f1": [1.0]}, pd.Index(["A"], name="model"))
    text = refused(lambda: bp.from_columns(t, method="model", scores=["f1"]))
    assert text.endswith("'model' found in the index: df.reset_index()")
    fixed = bp.from_columns(t.reset_index(), method="model", scores=["f1"])
    assert fixed["method"].tolist() == ["A"]


# Text ---------------------------------------------------------------------------------

HELD = [
    "**0.91**",
    "0.91 ± 0.01",
    "0.91+-0.01",
    "0.91 (0.01)",
    "0.91*",
    "\u22120.5",
    "0.91±0.02",
]


@pytest.mark.parametrize("text", HELD)
def test_text_that_holds_a_number_is_never_advised_away(text):
    t = long({"A": {"x": text, "y": "0.8"}, "B": {"x": "0.7", "y": "0.9"}})
    said = refused(lambda: t.beam.ranks(), bp.ScoreTypeError)
    assert "NaN" not in said
    assert "beam_pandas.parse_scores(df)" in said
    read = bp.parse_scores(t)
    assert read["score"].notna().all()
    assert abs(read["score"].iloc[0]) in (0.91, 0.5)


def test_the_best_scores_stay_when_the_advice_is_followed():
    b = pd.DataFrame(
        {
            "d": ["d1", "d2", "d3"],
            "A": ["**0.91**", "**0.92**", "0.80"],
            "B": ["0.90", "0.91", "**0.85**"],
        }
    )
    assert "parse_scores(df)" in refused(lambda: bp.from_matrix(b), bp.ScoreTypeError)
    read = bp.parse_scores(b, metric="accuracy")
    pairs = read.beam.pairwise()
    assert pairs[["wins", "losses"]].to_numpy().tolist() == [[2, 1]]


def test_words_alone_are_missing():
    t = long({"A": {"x": "0.5", "y": "OOM"}})
    said = refused(lambda: t.beam.ranks(), bp.ScoreTypeError)
    assert "write NaN for 'OOM' and the like" in said
    fixed = t.assign(score=pd.to_numeric(t["score"], errors="coerce"))
    assert fixed["score"].notna().sum() == 1


def test_thousands_are_shown_in_both_readings():
    scores = {"A": {"x": "900", "y": "1,200"}, "B": {"x": "1,000", "y": "1,100"}}
    t = long(scores, "latency")
    said = refused(lambda: t.beam.ranks(), bp.ScoreTypeError)
    assert "1200, .str.replace(',', '').astype(float)" in said
    assert "or 1.2, .str.replace(',', '.').astype(float)" in said
    right = t.assign(score=t["score"].str.replace(",", "").astype(float))
    ranks = right.beam.ranks().set_index(["method", "dataset"])["score_rank"]
    assert ranks["B", "x"] == 2.0
    sure = t.assign(score=["900", "1,200.5", "1,000", "1,100"])
    said = refused(lambda: sure.beam.ranks(), bp.ScoreTypeError)
    assert said.endswith("1200.5, .str.replace(',', '').astype(float)")
    comma = t.assign(score=["0,9", "1,200", "1,5", "1,1"])
    assert "a point for the comma" in refused(lambda: comma.beam.ranks(), bp.ScoreTypeError)


def test_underscores_are_named_as_what_is_no_number():
    t = long({"A": {"x": "900", "y": "1_000"}})
    said = refused(lambda: t.beam.ranks(), bp.ScoreTypeError)
    assert "first value that is no number: '1_000'" in said


def test_a_value_in_a_message_is_short():
    t = pd.DataFrame({"method": ["A"], "dataset": ["x"], "score": [[0.5] * 9000]})
    said = refused(lambda: t.beam.ranks(higher_is_better=True), bp.ScoreTypeError)
    assert len(said) < 400
    assert ".astype(float)" not in said


# Columns and directions ---------------------------------------------------------------


def test_numbers_name_no_methods():
    t = pd.DataFrame(
        {
            "task": ["x", "y"],
            "framework": ["a", "a"],
            "models": [16, 17],
            "result": [1.0, 2.0],
        }
    )
    text = refused(lambda: t.beam.ranks(), bp.MissingColumnsError)
    assert "'models':" not in text
    fixed = eval(re.search(r"df\.rename\(.*?\}\)", text)[0], {"df": t})
    assert fixed.beam.ranks(higher_is_better=True)["score"].tolist() == [1.0, 2.0]


def test_a_column_for_each_metric_is_pointed_at():
    t = pd.DataFrame({"classifier_name": ["A"], "dataset_name": ["d"], "rmse": [1.0]})
    text = refused(lambda: t.beam.pairwise(), bp.MissingColumnsError)
    advice = text[text.index("beam_pandas.from_columns") :]
    fixed = eval(advice, {"df": t, "beam_pandas": bp})
    assert fixed.to_numpy().tolist() == [["A", "d", "rmse", 1.0]]


def test_a_wide_table_is_not_told_to_rename():
    t = pd.DataFrame({"task": ["x", "y"], "tree": [0.1, 0.2], "forest": [0.3, 0.4]})
    text = refused(lambda: t.beam.ranks(), bp.MissingColumnsError)
    assert "rename" not in text
    assert "beam_pandas.from_matrix" in text


def test_what_is_wrong_is_said_at_once():
    t = long({"A": {"x": 1.0}, "B": {"x": 2.0}}, "zeal")
    t = pd.concat([t, t.assign(score=3.0)]).rename(columns={"method": "solver"})
    text = refused(lambda: t.beam.ranks(), bp.MissingColumnsError)
    assert "df.rename(columns={'solver': 'method'})" in text
    assert "higher_is_better={'zeal': ...}" in text
    assert "found 2 for 'A' on 'x'" in text
    fixed = t.rename(columns={"solver": "method"})
    assert len(fixed.beam.ranks(higher_is_better={"zeal": True}, aggregate="mean")) == 2


def test_a_mapping_to_fill_in_has_no_values():
    names = ["bits_of_luck", "TestErr_mean", "acc_stderr"]
    t = pd.concat([long({"A": {"x": 1.0}}, name) for name in names])
    text = refused(lambda: t.beam.ranks(), bp.UnknownMetricError)
    assert "{'TestErr_mean': ..., 'bits_of_luck': ...}" in text
    assert ": True" not in text
    assert "'acc_stderr' looks like a spread" in text
    left = eval(text[text.index("df[~") :], {"df": t})
    assert set(left["metric"]) == {"bits_of_luck", "TestErr_mean"}
    pattern = "must map to True or False, got Ellipsis"
    with pytest.raises(bp.BeamError, match=pattern):
        left.beam.ranks(higher_is_better={"bits_of_luck": ..., "TestErr_mean": ...})


# Doubts -------------------------------------------------------------------------------

PARTS = {
    "A": {f"mmlu_{p}": s for p, s in zip("abcdef", (51.3, 62.1, 48.7, 70.2, 55.5, 61.9), strict=True)},
    "B": {f"mmlu_{p}": s for p, s in zip("abcdef", (49.9, 64.4, 45.1, 68.8, 58.3, 60.0), strict=True)},
    "C": {f"mmlu_{p}": s for p, s in zip("abcdef", (40.2, 50.9, 39.5, 61.4, 47.7, 52.8), strict=True)},
}  # fmt: skip


def with_mean(name, digits=1):
    rows = {
        m: {**p, name: round(np.mean(list(p.values())), digits)} for m, p in PARTS.items()
    }
    return long(rows)


@pytest.mark.parametrize("name", ["Average", "avg", "Mean", "overall", "TOTAL", "all",
                                  "avg. rank", "# wins", "Mean rank"])  # fmt: skip
def test_summary_rows_by_name(name):
    t = with_mean(name)
    (text,) = warned(t.beam.coverage)
    assert f"found {name!r} (named like a summary)" in text
    left = eval(text[text.index("df[~") :], {"df": t})
    assert set(left["dataset"]) == set(PARTS["A"])
    assert warned(left.beam.coverage) == []


@pytest.mark.parametrize("digits", [1, 2, 3, 12])
def test_summary_rows_by_value(digits):
    (text,) = warned(with_mean("suite", digits).beam.coverage)
    assert "'suite' (the mean of all others for every method)" in text


def test_a_value_that_is_no_mean_of_one_method_is_none():
    t = with_mean("suite")
    off = t.assign(score=t["score"].where((t.index != 6), 55.6))
    assert warned(off.beam.coverage) == []


def test_a_group_above_its_parts_and_a_mean_of_all():
    t = pd.concat([with_mean("mmlu"), with_mean("Average").query("dataset == 'Average'")])
    (text,) = warned(t.beam.coverage)
    assert "'Average' (named like a summary); 'mmlu' (above those" in text
    lone = long({m: {"bank": 10.0, **p} for m, p in PARTS.items()})
    assert warned(lone.beam.coverage) == []


def test_a_method_that_is_the_mean_of_others():
    t = long({m: p for m, p in PARTS.items() if m != "C"})
    middle = t.groupby("dataset", as_index=False)["score"].mean().assign(metric="accuracy")
    three = pd.concat([t, middle.assign(method="ensemble")])
    (text,) = warned(three.beam.coverage)
    assert "methods that sum up others" in text
    assert "'ensemble'" in text


REPLICATES = [
    [f"set{s}_rep{r}" for s in range(2) for r in range(5)],
    ["iris_fold1", "iris_fold2", "wine_fold1", "wine_fold2"],
    ["iris/seed2", "iris/seed3"],
    [f"{game}_{seed}" for game in ("Pong", "Breakout", "Alien") for seed in range(4)],
    ["iris1", "iris2", "iris3"],
]


@pytest.mark.parametrize("labels", REPLICATES)
def test_replicates_in_names_are_doubted_and_folded(labels):
    t = long({m: dict.fromkeys(labels, 0.5) for m in "AB"})
    (text,) = warned(t.beam.coverage)
    assert f"{len(labels)} datasets look like replicates of" in text
    advice = text[text.index("beam_pandas.fold_datasets") :].split(" and aggregate")[0]
    folded = eval(advice, {"df": t, "beam_pandas": bp})
    families = {re.split(r"[_/]?(?:rep|fold|seed)?\d+$", label)[0] for label in labels}
    assert set(folded["dataset"]) == families
    assert warned(lambda: folded.beam.pairwise(aggregate="mean")) == []


@pytest.mark.parametrize(
    "labels",
    [[f"d{at:02d}" for at in range(9)], [f"task {at}" for at in range(9)],
     [f"DB{at}" for at in range(1, 11)], ["monks-1", "monks-2", "iris"],
     ["ECG200", "ECG5000"], ["Y1", "Y2", "M1", "M2"], ["patient_1", "patient_2"]],
)  # fmt: skip
def test_numbered_things_are_no_replicates(labels):
    t = long({m: dict.fromkeys(labels, 0.5) for m in "AB"})
    assert warned(t.beam.coverage) == []


def test_a_method_on_another_scale():
    rows = {m: dict(zip("xyz", (1.0, 2.0, 3.0), strict=True)) for m in "ABC"}
    for factor, n in ((100.0, 1), (99.0, 0), (0.01, 1), (0.0102, 0)):
        far = {**rows, "C": {d: s * factor for d, s in rows["C"].items()}}
        assert len(warned(long(far, "rmse").beam.coverage)) == n
        assert warned(long(far, "runtime").beam.coverage) == []


def test_above_100_percent_is_no_accuracy():
    scores = {
        "A": {"x": 70.0, "y": 50.0, "z": 80.0},
        "B": {"x": 663.0, "y": 66.0, "z": 60.0},
    }
    (text,) = warned(long(scores).beam.ranks)
    assert "found 1 score above 100: 'B' on 'x' (663)" in text
    scores["B"]["x"] = 100.0
    assert warned(long(scores).beam.ranks) == []


@pytest.mark.parametrize(("odd", "scale"), [(0.48, 100.0), (1.2, 1.0), (2.0, 1.0)])
def test_a_single_odd_score_is_no_alarm(odd, scale):
    scores = {m: {d: scale * s for d, s in zip("xyz", (0.5, 0.6, 0.7), strict=True)} for m in "AB"}  # fmt: skip
    scores["A"]["x"] = odd
    assert warned(long(scores, "silhouette").beam.ranks) == []


def test_metrics_that_share_no_dataset_fall_apart():
    parts = [
        long({"A": {f"{m} task": 0.5}, "B": {f"{m} task": 0.6}}, m) for m in ("f1", "rmse")
    ]
    t = pd.concat(parts)
    (text,) = warned(t.beam.coverage)
    assert "falls apart into 2" in text
    assert "beam_pandas.merge_metrics(df)" in text
    merged = bp.merge_metrics(t)
    pairs = merged.beam.pairwise()
    assert pairs[["n_datasets", "wins", "losses"]].to_numpy().tolist() == [[2, 1, 1]]
    assert warned(merged.beam.coverage) == []
    both = pd.concat([t, long({"A": {"f1 task": 1.0}}, "rmse")])
    assert warned(both.beam.coverage) == []
