"""Two worker processes of dask, each with less memory than the raw scores need."""

import re
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

import beam_pandas as bp
from tests.distributed.on_workers import (
    has_accessor,
    pairwise_with_warnings,
    standing_by_accessor,
)
from tests.distributed.raw import KEYS, ROPE, assert_same_rows

REASON = "needs dask: python -m pip install '.[distributed]'"
dd = pytest.importorskip("dask.dataframe", reason=REASON, exc_type=ImportError)
dask = pytest.importorskip("dask", reason=REASON)
distributed = pytest.importorskip("distributed", reason=REASON)

pytestmark = pytest.mark.distributed

MEMORY_LIMIT = 512_000_000


@pytest.fixture(scope="module")
def client():
    with (
        # what a worker has freed but not given back counts, and could pause it for ever
        dask.config.set({"distributed.worker.memory.pause": False}),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            memory_limit=MEMORY_LIMIT,
            dashboard_address=None,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def by_metric(scores, function, name, **kwargs):
    """The recipe: group by a copy of the metric, which pandas 3 takes out of the groups."""
    groups = scores.assign(key=scores["metric"]).groupby("key", group_keys=False)
    schema = bp.result_schema(name, labels=scores["metric"].dtype)
    return groups.apply(function, **kwargs, meta=schema)


def test_raw_scores_larger_than_a_worker_give_the_result_of_pandas(client, raw_scores):
    workers = client.scheduler_info()["workers"].values()
    assert [worker["memory_limit"] for worker in workers] == [MEMORY_LIMIT] * 2
    assert raw_scores.n_bytes > 1.25 * MEMORY_LIMIT

    raw = dd.read_parquet(raw_scores.folder)
    means = raw.groupby(KEYS)["score"].mean(split_out=2).reset_index()
    pairs = by_metric(means, bp.pairwise, "pairwise", rope=ROPE)
    with distributed.get_task_stream(client) as stream:
        result = pairs.compute()

    assert raw.npartitions == 80
    assert {task["worker"] for task in stream.data} == set(client.nthreads())
    pd.testing.assert_series_equal(result.dtypes, pairs.dtypes)
    assert len(result) == 3 * 66 and result["ties"].sum() > 100
    assert_same_rows(result, raw_scores.pairs)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("critical_difference", {"missing": "drop_methods"}),
        ("skillings_mack", {}),
        ("transitivity", {"rope": ROPE}),
        ("bayesian_sign", {"rope": ROPE}),
    ],
)
def test_other_functions_give_the_result_of_pandas(client, means, name, options):
    function = getattr(bp, name)
    shuffled = means.sample(frac=1, random_state=0)
    scores = dd.from_pandas(shuffled, npartitions=3, sort=False)
    declared = by_metric(scores, function, name, **options)
    result = declared.compute()
    pd.testing.assert_series_equal(result.dtypes, declared.dtypes)
    assert set(result["metric"]) == {"accuracy", "log_loss", "roc_auc"}
    assert_same_rows(result, function(means, **options))


def test_the_recipe_of_the_page_gives_the_result_of_pandas(client, raw_scores):
    page = (Path(__file__).parents[2] / "docs" / "more_than_one_machine.md").read_text(
        encoding="utf-8"
    )
    blocks = re.findall(r"^```python\n(.*?)^```$", page, flags=re.DOTALL | re.MULTILINE)
    (recipe,) = (block for block in blocks if "dask" in block)
    names = {"beam_pandas": bp}
    exec(compile(recipe, "more_than_one_machine.md", "exec"), names)
    files = sorted(Path(raw_scores.folder).iterdir())[:4]  # whose means are those of all
    pairs = names["compare_on_dask"](dd.read_parquet(files))
    result = pairs.compute()
    pd.testing.assert_series_equal(result.dtypes, pairs.dtypes)
    assert_same_rows(result, raw_scores.pairs)


def test_numbers_as_labels_and_a_missing_one_keep_their_dtypes(client):
    circle = pd.DataFrame(
        {
            "method": [7, 7, 7, 8, 8, 8, 9, 9, 9],
            "dataset": [1, 2, 3] * 3,
            "score": [3.0, 1.0, 2.0, 2.0, 3.0, 1.0, 1.0, 2.0, 3.0],
        }
    )
    line = circle.assign(score=circle["method"])
    scores = pd.concat([circle.assign(metric=0), line.assign(metric=1)])
    function = partial(bp.transitivity, higher_is_better=True)
    declared = by_metric(
        dd.from_pandas(scores, npartitions=2, sort=False), function, "transitivity"
    )
    result = declared.compute().sort_values("metric", ignore_index=True)
    assert result["condorcet_method"].fillna(-1).tolist() == [-1, 9]
    assert result["condorcet_method"].dtype == "Int64" and result["metric"].dtype == "int64"
    pd.testing.assert_series_equal(result.dtypes, declared.dtypes)
    pd.testing.assert_frame_equal(result, function(scores))


def test_results_are_written_as_they_were_declared(client, means, tmp_path):
    scores = dd.from_pandas(means, npartitions=3)
    declared = by_metric(scores, bp.pairwise, "pairwise", rope=ROPE)
    declared.to_parquet(tmp_path, write_index=False)
    assert_same_rows(pd.read_parquet(tmp_path), bp.pairwise(means, rope=ROPE))
    again = dd.read_parquet(tmp_path)
    pd.testing.assert_series_equal(again.dtypes, declared.dtypes)


def test_without_the_dtype_of_the_labels_dask_declares_another_one(client, means):
    scores = dd.from_pandas(means, npartitions=3)
    groups = scores.assign(key=scores["metric"]).groupby("key", group_keys=False)
    declared = groups.apply(bp.skillings_mack, meta=bp.result_schema("skillings_mack"))
    assert scores["metric"].dtype == "string[pyarrow]"
    assert declared.compute()["metric"].dtype == scores["metric"].dtype
    assert declared["metric"].dtype != scores["metric"].dtype


def test_a_group_has_no_metric_when_grouped_by_it_on_pandas_3(client, means):
    scores = dd.from_pandas(means, npartitions=3)
    schema = bp.result_schema("pairwise", labels=scores["metric"].dtype)
    by_itself = scores.groupby("metric", group_keys=False).apply(bp.pairwise, meta=schema)
    if pd.__version__ < "3":
        assert_same_rows(by_itself.compute(), bp.pairwise(means))
    else:
        with pytest.raises(bp.UnknownMetricError, match="The frame has no column 'metric'"):
            by_itself.compute()


def test_a_metric_is_compared_among_the_methods_that_have_it(client):
    scores = bp.load_benchmark().query("metric in ['accuracy', 'log_loss']")
    result = by_metric(
        dd.from_pandas(scores, npartitions=3), bp.pairwise, "pairwise", rope=ROPE
    ).compute()
    assert result["metric"].value_counts().to_dict() == {"accuracy": 120, "log_loss": 91}
    local = bp.pairwise(scores, rope=ROPE)
    assert local["metric"].value_counts().to_dict() == {"accuracy": 120, "log_loss": 120}
    alone = [bp.pairwise(part, rope=ROPE) for _, part in scores.groupby("metric")]
    assert_same_rows(result, pd.concat(alone))


def test_the_accessor_is_there_once_a_worker_has_imported_the_package(client, means):
    assert set(client.run(has_accessor, after_import=True).values()) == {True}
    scores = dd.from_pandas(means, npartitions=3)
    result = by_metric(scores, standing_by_accessor, "standing").compute()
    assert_same_rows(result, bp.standing(means, rope=0.01))


def test_a_function_of_the_package_brings_the_accessor_along(client):
    client.restart()  # workers that have imported nothing
    assert set(client.run(has_accessor, after_import=False).values()) == {False}
    scores = bp.load_benchmark().query("metric == 'accuracy'")
    result = client.submit(bp.standing, scores, rope=0.01).result()
    assert result["method"].iloc[0] == "MLP"
    assert True in client.run(has_accessor, after_import=False).values()


def test_a_metric_is_registered_in_each_process(client):
    scores = bp.load_benchmark().query("metric == 'accuracy'").assign(metric="cheers")
    with pytest.raises(bp.UnknownMetricError, match="'cheers'"):
        client.submit(bp.standing, scores, pure=False).result()
    client.run(bp.register_metric, "cheers", higher_is_better=True)
    result = client.submit(bp.standing, scores, pure=False).result()
    expected = bp.standing(scores, higher_is_better=True)
    pd.testing.assert_frame_equal(result, expected)


FRAME = pd.DataFrame(
    {
        "method": ["A", "B", "A", "B", "A"],
        "dataset": ["x", "x", "y", "y", "z"],
        "score": [1.0, 0.5, 0.5, 1.0, 0.0],
        "metric": "accuracy",
    }
)


@pytest.mark.parametrize(
    ("kind", "function", "frame"),
    [
        (bp.BeamError, bp.friedman, FRAME.head(2)),
        (bp.MissingColumnsError, bp.pairwise, FRAME.rename(columns={"method": "model"})),
        (bp.UnknownMetricError, bp.pairwise, FRAME.assign(metric="applause")),
        (bp.DuplicateScoresError, bp.pairwise, pd.concat([FRAME, FRAME])),
        (bp.IncompleteScoresError, bp.cliques, FRAME),
        (bp.ScoreTypeError, bp.pairwise, FRAME.astype({"score": "str"})),
    ],
)
def test_an_error_reaches_the_client_as_it_was(client, kind, function, frame):
    with pytest.raises(bp.BeamError) as here:
        function(frame)
    with pytest.raises(bp.BeamError) as there:
        client.submit(function, frame).result()
    assert type(there.value) is type(here.value) is kind
    assert str(there.value) == str(here.value) != ""


def test_a_warning_that_is_made_an_error_reaches_the_client(client):
    frame = FRAME.drop(columns="metric").assign(measure=["f1", "f1", "f1", "f1", "auc"])
    with pytest.warns(bp.BeamWarning) as here:
        bp.pairwise(frame, higher_is_better=True)
    future = client.submit(pairwise_with_warnings, frame, higher_is_better=True)
    with pytest.raises(bp.BeamWarning) as there:
        future.result()
    assert str(there.value) == str(here[0].message)
