"""Spark on this machine: scores are averaged by it, groups are compared by its workers."""

import os
import shutil
import sys
from pathlib import Path

import pandas as pd
import pytest

import beam_pandas as bp
from tests.distributed.on_workers import standing_by_accessor
from tests.distributed.raw import KEYS, ROPE, assert_same_rows

REASON = "needs Spark: python -m pip install '.[distributed]'"
sql = pytest.importorskip("pyspark.sql", reason=REASON)
errors = pytest.importorskip("pyspark.errors", reason=REASON)
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    reason = "Spark needs Java: no java on the PATH, and JAVA_HOME is not set"
    pytest.skip(reason, allow_module_level=True)

pytestmark = [
    pytest.mark.distributed,
    pytest.mark.filterwarnings(
        "ignore:PySpark does not yet fully support pandas:FutureWarning",
        "ignore:The copy keyword is deprecated:DeprecationWarning",  # in toPandas
        "ignore:unclosed <socket:ResourceWarning",  # toPandas again, of Spark 4.0
    ),
]


@pytest.fixture(scope="module")
def spark():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
        patch.setenv("PYSPARK_PYTHON", sys.executable)  # else the first python3 of the PATH
        builder = sql.SparkSession.builder.master("local[2]").appName("beam_pandas")
        for key, value in {
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.sql.shuffle.partitions": "2",
            "spark.ui.enabled": "false",
        }.items():
            builder = builder.config(key, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        yield session
        session.stop()


def schema_of(name, **kwargs):
    """The recipe: a schema in the words of Spark, whatever pandas calls text."""
    words = {"int64": "bigint", "float64": "double", "bool": "boolean"}
    dtypes = bp.result_schema(name, **kwargs).dtypes.astype(str)
    return ", ".join(
        f"{column} {words.get(dtypes[column], 'string')}" for column in dtypes.index
    )


def by_metric(scores, name, **options):
    """The recipe: a function of one parameter, the frame of a group with its metric."""

    def compare(part):
        return getattr(bp, name)(part, **options)

    return scores.groupBy("metric").applyInPandas(compare, schema=schema_of(name))


def test_raw_scores_give_the_result_of_pandas(spark, raw_scores):
    raw = spark.read.parquet(raw_scores.folder)
    means = raw.groupBy(*KEYS).agg(sql.functions.mean("score").alias("score"))
    result = by_metric(means, "pairwise", rope=ROPE).toPandas()
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
def test_other_functions_give_the_result_of_pandas(spark, means, name, options):
    scores = spark.createDataFrame(means.sample(frac=1, random_state=0))
    result = by_metric(scores, name, **options).toPandas()
    assert set(result["metric"]) == {"accuracy", "log_loss", "roc_auc"}
    assert_same_rows(result, getattr(bp, name)(means, **options))


def test_a_method_that_is_missing_is_null(spark):
    circle = pd.DataFrame(
        {
            "method": list("AAABBBCCC"),
            "dataset": ["x", "y", "z"] * 3,
            "score": [3.0, 1.0, 2.0, 2.0, 3.0, 1.0, 1.0, 2.0, 3.0],
        }
    )
    line = circle.assign(score=circle["method"].map({"A": 1.0, "B": 2.0, "C": 3.0}))
    scores = pd.concat([circle.assign(metric="circle"), line.assign(metric="line")])
    table = by_metric(
        spark.createDataFrame(scores), "transitivity", rope=0.0, higher_is_better=True
    )
    found = {row["metric"]: row["condorcet_method"] for row in table.collect()}
    assert found == {"circle": None, "line": "C"}
    assert_same_rows(table.toPandas(), bp.transitivity(scores, higher_is_better=True))


@pytest.mark.parametrize("metric", [True, False])
@pytest.mark.parametrize("name", ["pairwise", "transitivity", "critical_difference"])
def test_the_schema_is_one_for_spark(spark, name, metric):
    fields = spark.createDataFrame([], schema_of(name, metric=metric)).schema
    empty = bp.result_schema(name, metric=metric)
    assert fields.names == list(empty)
    assert all(field.nullable for field in fields)
    expected = {"int64": "bigint", "float64": "double", "bool": "boolean"}
    for field in fields:
        word = expected.get(str(empty[field.name].dtype), "string")
        assert field.dataType.simpleString() == word


def test_numbers_as_labels_are_numbers_in_the_schema(spark):
    fields = spark.createDataFrame([], schema_of("pairwise", labels="int64")).schema
    assert fields["method_1"].dataType.simpleString() == "bigint"


def test_the_accessor_is_there_once_a_worker_has_imported_the_package(spark, means):
    groups = spark.createDataFrame(means).groupBy("metric")
    table = groups.applyInPandas(standing_by_accessor, schema=schema_of("standing"))
    assert_same_rows(table.toPandas(), bp.standing(means, rope=0.01))


def test_a_metric_is_compared_among_the_methods_that_have_it(spark):
    scores = bp.load_benchmark().query("metric in ['accuracy', 'log_loss']")
    result = by_metric(spark.createDataFrame(scores), "pairwise", rope=ROPE).toPandas()
    assert result["metric"].value_counts().to_dict() == {"accuracy": 120, "log_loss": 91}
    alone = [bp.pairwise(part, rope=ROPE) for _, part in scores.groupby("metric")]
    assert_same_rows(result, pd.concat(alone))


def test_with_a_row_for_each_cell_no_method_is_lost(spark):
    scores = bp.load_benchmark().query("metric in ['accuracy', 'log_loss']")
    cells = spark.createDataFrame(scores)
    grid = cells.select("metric").distinct()
    for key in ("method", "dataset"):
        grid = grid.crossJoin(cells.select(key).distinct())
    full = grid.join(cells, KEYS, "left")
    result = by_metric(full, "pairwise", rope=ROPE).toPandas()
    assert result["metric"].value_counts().to_dict() == {"accuracy": 120, "log_loss": 120}
    assert_same_rows(result, bp.pairwise(scores, rope=ROPE))


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        (
            {"metric": "applause"},
            bp.UnknownMetricError,
            "The registry has no metric 'applause'",
        ),
        ({"dataset": "x"}, bp.DuplicateScoresError, "'A'"),
        ({"score": "1"}, bp.ScoreTypeError, "must be numeric"),
    ],
)
def test_an_error_is_named_with_its_message(spark, change, kind, message):
    frame = pd.DataFrame(
        {
            "method": ["A", "A", "B"],
            "dataset": ["x", "y", "x"],
            "score": 1.0,
            "metric": "f1",
        }
    ).assign(**change)
    with pytest.raises(kind, match=message) as here:
        bp.pairwise(frame)
    with pytest.raises(errors.PythonException) as there:
        by_metric(spark.createDataFrame(frame), "pairwise", rope=0.0).collect()
    assert f"{kind.__name__}: {here.value}" in str(there.value)


def test_spark_hands_the_key_to_a_function_of_two_parameters(spark, means):
    groups = spark.createDataFrame(means).groupBy("metric")
    for name in ("pairwise", "transitivity"):
        table = groups.applyInPandas(getattr(bp, name), schema=schema_of(name))
        with pytest.raises(errors.PythonException, match="DataFrame, found tuple"):
            table.collect()
    table = groups.applyInPandas(bp.skillings_mack, schema=schema_of("skillings_mack"))
    assert_same_rows(table.toPandas(), bp.skillings_mack(means))
