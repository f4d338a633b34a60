import inspect
import pickle
import re

import numpy as np
import pandas as pd
import pytest

import beam_pandas as bp
from beam_pandas.results import build
from beam_pandas.results.vocabulary import VOCABULARY, gives
from tests.surface import (
    ACROSS_METRICS,
    COLUMNS,
    DIRECTED,
    EACH_METRIC,
    LASTING,
    TIDY,
    WITH_AGGREGATE,
    run,
)
from tests.tables import REFERENCE, TIES

# some tables have no strengths, which is said
pytestmark = pytest.mark.filterwarnings(
    "ignore:bradley_terry has no:beam_pandas.BeamWarning"
)


def assert_plain(result, name, *, metric):
    schema = bp.result_schema(name, metric=metric)
    assert type(result) is pd.DataFrame
    assert isinstance(result.index, pd.RangeIndex)
    pd.testing.assert_series_equal(result.dtypes, schema.dtypes)
    assert all(
        column.isidentifier() and not hasattr(pd.DataFrame, column) for column in schema
    )


@pytest.mark.parametrize("name", EACH_METRIC)
def test_a_result_has_the_columns_and_dtypes_of_its_schema(name):
    assert_plain(run(name, REFERENCE), name, metric=True)
    unnamed = REFERENCE.drop(columns="metric")
    kwargs = {"higher_is_better": True} if name in DIRECTED else {}
    assert_plain(run(name, unnamed, **kwargs), name, metric=False)


@pytest.mark.parametrize(
    "name", [name for name in EACH_METRIC if name in DIRECTED and name in WITH_AGGREGATE]
)
def test_no_argument_changes_the_columns(name):
    runs = pd.concat([TIES, TIES]).assign(metric="any")
    for higher_is_better in (True, False, {"any": True}):
        result = run(name, runs, aggregate="mean", higher_is_better=higher_is_better)
        assert_plain(result, name, metric=True)


@pytest.mark.parametrize("name", EACH_METRIC)
def test_several_metrics_are_stacked_and_each_is_as_if_alone(name):
    both = pd.concat([TIES.assign(metric="f1"), REFERENCE])
    result = run(name, both)
    alone = [run(name, both[both["metric"] == metric]) for metric in ("elo", "f1")]
    pd.testing.assert_frame_equal(result, pd.concat(alone, ignore_index=True))


def test_schemas_of_unknown_names_are_refused():
    with pytest.raises(
        bp.BeamError, match=r"name must be one of \['adjusted_rank_sums'.*got 'rank'"
    ):
        bp.result_schema("rank")


@pytest.mark.parametrize("name", ACROSS_METRICS)
def test_what_pools_the_metrics_has_no_metric(name):
    both = pd.concat([TIES.assign(metric="f1"), REFERENCE])
    for frame in (both, REFERENCE):
        assert_plain(run(name, frame), name, metric=True)
    assert "metric" not in bp.result_schema(name)


@pytest.mark.parametrize("name", [*TIDY, *LASTING])
def test_every_schema_is_the_name_of_a_public_function_that_pickles(name):
    function = getattr(bp, name)
    assert pickle.loads(pickle.dumps(function)) is function
    assert next(iter(inspect.signature(function).parameters)) == "frame"


def test_all_options_are_keyword_only():
    for name in bp.__all__:
        function = getattr(bp, name)
        if inspect.isfunction(function):
            kinds = [p.kind for p in inspect.signature(function).parameters.values()]
            positional = kinds.count(inspect.Parameter.POSITIONAL_OR_KEYWORD)
            assert positional <= 2


@pytest.mark.parametrize("name", [*TIDY, *LASTING])
def test_the_docstring_lists_every_column_in_order_and_no_other(name):
    text = inspect.getdoc(getattr(bp, name))
    returned = text[text.index("Returns\n---") : text.index("Raises\n---")]
    listed = re.findall(r"\*\*(\w+)\*\*(?=[^:]*:)", returned)
    assert listed == [column for column in COLUMNS[name] if column != "metric"]


def test_the_vocabulary_has_a_line_for_each_column_and_exchanges_turn_back():
    for name, column in VOCABULARY.items():
        assert name.isidentifier()
        assert 0 < len(column.meaning) < 80
        other = column.exchanged
        if other in VOCABULARY:
            assert VOCABULARY[other].exchanged == name


def test_an_undeclared_column_cannot_be_given():
    with pytest.raises(KeyError, match="no column of the vocabulary.*p_method_1"):
        gives("method", "p_method_1")


LABEL_DTYPES = ["str", "object", "string", "int64", "uint8", "Int32", "float32"]
ARROW_DTYPES = ["string[pyarrow]", "int64[pyarrow]", "large_string[pyarrow]"]


def with_labels(dtype):
    """The reference table with numbers for labels, or the text of these numbers."""
    names = ["metric", "method", "dataset"]
    numbers = REFERENCE[names].apply(lambda column: column.factorize(sort=True)[0])
    is_number = pd.api.types.is_numeric_dtype(dtype)
    labels = numbers if is_number else numbers.astype("str")
    return labels.astype(dtype).assign(score=REFERENCE["score"])


@pytest.mark.parametrize("dtype", LABEL_DTYPES + ARROW_DTYPES)
@pytest.mark.parametrize("name", ["pairwise", "critical_difference", "transitivity"])
def test_a_schema_can_have_the_dtype_of_the_labels(name, dtype):
    if dtype in ARROW_DTYPES:
        pytest.importorskip("pyarrow", reason="a dtype of pyarrow")
    dtype = "str" if dtype == "str" else pd.api.types.pandas_dtype(dtype)
    result = run(name, with_labels(dtype), higher_is_better=True)
    schema = bp.result_schema(name, labels=dtype)
    assert len(result) > 0 and len(schema) == 0
    pd.testing.assert_series_equal(result.dtypes, schema.dtypes)


def test_a_schema_can_have_labels_of_categories():
    categories = pd.CategoricalDtype(["B", "A"], ordered=True)
    schema = bp.result_schema("cliques", labels=categories)
    assert schema["method"].dtype == schema["metric"].dtype == categories
    assert schema["n_methods"].dtype == "int64"


def test_the_dtype_of_the_labels_is_text_unless_told():
    for labels in ("str", str, "U5"):
        pd.testing.assert_frame_equal(
            bp.result_schema("bayesian_sign", labels=labels),
            bp.result_schema("bayesian_sign"),
        )
    told = bp.result_schema("bayesian_sign", labels="int64").dtypes
    assert told["method_1"] == told["method_2"] == told["metric"] == "int64"
    assert told["decision"] == bp.result_schema("bayesian_sign")["decision"].dtype


@pytest.mark.parametrize(
    "dtype", ["bool", "datetime64[ns]", "complex128", "S3", "text", "", None, 5, {"a": 1}]
)
def test_what_labels_cannot_be_is_no_dtype_of_a_schema(dtype):
    message = r"labels must be a dtype of text, numbers or categories, got .+"
    with pytest.raises(bp.BeamError, match=message):
        bp.result_schema("pairwise", labels=dtype)


@pytest.mark.parametrize("name", ["pairwise", "friedman", "wilcoxon"])
def test_large_results_are_not_copied_once_more_and_belong_to_the_caller(name, monkeypatch):
    frame = REFERENCE
    expected = run(name, frame, adjust="none") if name != "friedman" else run(name, frame)
    monkeypatch.setattr(build, "_LARGE", 0)
    found = run(name, frame, adjust="none") if name != "friedman" else run(name, frame)
    pd.testing.assert_frame_equal(found, expected)
    for column in found.columns[[dtype.kind in "if" for dtype in found.dtypes]]:
        found.iloc[0, found.columns.get_loc(column)] = 7
        others = [other for other in found.columns if other != column]
        pd.testing.assert_frame_equal(found[others], expected[others])
        found[column] = expected[column]


def test_a_column_that_is_held_elsewhere_is_copied():
    shared = np.arange(3.0)
    assert build._own(shared, [shared]) is not shared
    assert build._own(shared, [shared.copy()]) is shared
    assert build._own(shared[:2], []).base is None
    shared.flags.writeable = False
    assert build._own(shared, []).flags.writeable
