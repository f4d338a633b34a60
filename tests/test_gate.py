from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import beam_pandas as bp
from beam_pandas.gate.scores import (
    complete_scores,
    read_cells,
    read_metrics,
    read_scores,
    read_stack,
)
from tests.strategies import frame_of, matrices
from tests.tables import HOLE, REFERENCE, TIES, long


def read_one(frame, **kwargs):
    (matrix,) = read_scores(frame, **kwargs)
    return matrix


@given(matrices(missing=True), st.randoms(use_true_random=False))
def test_scores_are_placed_by_label_whatever_the_order_of_rows(matrix, random):
    if np.isnan(matrix).all():
        return
    frame = frame_of(matrix)
    rows = list(range(len(frame)))
    random.shuffle(rows)
    read = read_one(frame.iloc[rows])
    scored = ~np.isnan(matrix).all(axis=1)
    np.testing.assert_array_equal(read.scores, matrix[scored])
    assert read.datasets.tolist() == [f"d{at}" for at in np.flatnonzero(scored)]


def test_a_matrix_cannot_be_written_to():
    read, stack = read_one(REFERENCE), read_stack(REFERENCE)
    for kept, scores in ((read, read.scores), (stack, stack.benefit[0])):
        with pytest.raises(ValueError, match="read-only"):
            scores[0, 0] = 1
        with pytest.raises(FrozenInstanceError):
            kept.methods = None


def test_label_order_is_that_of_categories_else_sorted():
    order = ["C", "A", "unused", "B"]
    frame = REFERENCE.assign(method=pd.Categorical(REFERENCE["method"], order))
    assert read_one(frame).methods.tolist() == ["C", "A", "B"]
    assert read_one(REFERENCE.iloc[::-1]).methods.tolist() == ["A", "B", "C"]


def test_metrics_come_one_by_one_in_label_order():
    frame = pd.concat([TIES.assign(metric="f1"), HOLE.assign(metric="accuracy")])
    assert [m.metric.tolist() for m in read_scores(frame)] == [["accuracy"], ["f1"]]
    shapes = [m.scores.shape for m in read_scores(frame)]
    assert shapes == [(6, 3), (4, 3)]
    assert read_metrics(frame) == ["accuracy", "f1"]
    assert read_metrics(TIES.drop(columns="metric")) == [None]


@pytest.mark.parametrize("metric", [None, "accuracy"])
def test_a_missing_score_is_an_absent_row_or_nan(metric):
    frame = HOLE.drop(columns="metric") if metric is None else HOLE
    absent = read_one(frame.dropna(), higher_is_better=True)
    written = read_one(frame, higher_is_better=True)
    np.testing.assert_array_equal(absent.scores, written.scores)
    assert absent.methods.equals(written.methods)


def test_a_dataset_without_a_score_is_left_out_and_a_method_without_stays():
    frame = pd.concat(
        [
            REFERENCE,
            long({"A": [None]}, "elo").assign(dataset="empty"),
            long({"D": [None]}, "elo"),
        ]
    )
    read = read_one(frame)
    assert "empty" not in read.datasets
    assert read.methods.tolist() == ["A", "B", "C", "D"]
    assert np.isnan(read.scores[:, 3]).all()


def test_every_method_of_the_frame_stands_in_each_metric():
    frame = pd.concat([REFERENCE, long({"D": [None, 1]}, "unheard of")])
    first, second = read_cells(frame)
    assert first.methods.tolist() == second.methods.tolist() == ["A", "B", "C", "D"]
    assert second.datasets.tolist() == ["d02"]
    assert first.higher_is_better is None


def test_a_stack_holds_each_score_of_each_metric_turned_so_that_more_is_better():
    loss = long({"A": [1, None, 3], "C": [4, None, 6]}).assign(metric="rmse")
    other = long({"B": [0.5, 0.25]}).replace({"d01": "d00", "d02": "d03"})
    frame = pd.concat([loss, other.assign(metric="accuracy"), other.assign(metric="f1")])
    stack = read_stack(frame)
    assert stack.datasets.tolist() == ["d00", "d01", "d03"]
    assert stack.methods.tolist() == ["A", "B", "C"]
    nan = np.nan
    right = [[nan, 0.5, nan], [nan, nan, nan], [nan, 0.25, nan]]
    lost = [[nan, nan, nan], [-1, nan, -4], [-3, nan, -6]]
    np.testing.assert_array_equal(stack.benefit, [right, right, lost])
    told = {"rmse": True, "accuracy": False, "f1": True}
    turned = read_stack(pd.concat([frame, frame]), higher_is_better=told, aggregate="mean")
    last = [[nan, -0.25, nan], [nan, 0.25, nan], [3, nan, 6]]
    np.testing.assert_array_equal(turned.benefit[:, 2], last)


def test_runs_are_counted_in_each_cell_of_the_datasets_that_have_a_score():
    runs = pd.concat([TIES, TIES[TIES["method"] == "B"], TIES.iloc[:1]])
    frame = pd.concat([long({"A": [None]}, "accuracy").assign(dataset="a"), runs])
    read = read_one(frame, aggregate="mean")
    assert read.datasets.tolist() == ["d01", "d02", "d03", "d04"]
    assert read.n_runs.tolist() == [[2, 2, 1], [1, 2, 1], [1, 2, 1], [1, 2, 1]]
    assert read_one(HOLE).n_runs.tolist() == [[1, 1, 1]] * 2 + [[1, 1, 0]] + [[1, 1, 1]] * 3


def test_the_rule_of_aggregation_is_checked_before_a_score_is_read():
    for read in (read_scores, read_cells):
        with pytest.raises(bp.BeamError, match="aggregate must be one of .*got 'sum'"):
            read(TIES, aggregate="sum")


# Columns -----------------------------------------------------------------------------


def test_missing_columns_are_named_with_a_renaming():
    frame = pd.DataFrame({"Model": ["A"], "task": ["x"], "score": [1.0]})
    with pytest.raises(bp.MissingColumnsError) as caught:
        bp.ranks(frame)
    assert str(caught.value) == (
        "columns 'method', 'dataset', 'score' are needed, 'method', 'dataset' not found "
        "among 'Model', 'task', 'score'; found 'Model', 'task': "
        "df.rename(columns={'Model': 'method', 'task': 'dataset'})"
    )
    renamed = frame.rename(columns={"Model": "method", "task": "dataset"})
    assert len(bp.ranks(renamed, higher_is_better=True)) == 1
    assert isinstance(caught.value, KeyError)


def test_missing_columns_may_stand_in_the_index():
    frame = TIES.set_index(["method", "dataset"])
    with pytest.raises(bp.MissingColumnsError, match=r"in the index: df\.reset_index\(\)"):
        bp.ranks(frame)
    assert len(bp.ranks(frame.reset_index())) == 12


def test_a_wide_table_is_told_where_to_go():
    with pytest.raises(bp.MissingColumnsError, match="beam_pandas.from_matrix"):
        bp.ranks(pd.DataFrame({"A": [1.0], "B": [2.0]}))


def test_columns_of_two_levels_are_refused_with_a_way_out():
    frame = TIES.pivot_table(index="dataset", columns=["metric", "method"], values="score")
    with pytest.raises(bp.MissingColumnsError, match=r"2 levels.*from_matrix"):
        bp.ranks(frame)
    block = bp.from_matrix(frame["accuracy"], metric="accuracy")
    pd.testing.assert_frame_equal(bp.friedman(block), bp.friedman(TIES))


def test_a_column_that_is_there_twice_is_refused():
    frame = pd.concat([TIES, TIES[["score"]]], axis=1)
    with pytest.raises(
        bp.BeamError, match="column 'score' is needed once, found 2 columns"
    ):
        bp.ranks(frame)


def test_levels_with_the_metrics_last_are_told_to_be_swapped():
    frame = pd.concat([TIES, TIES.assign(metric="f1")])
    wide = frame.pivot_table(index="dataset", columns=["method", "metric"], values="score")
    with pytest.raises(bp.MissingColumnsError, match=r"first df\.swaplevel\(axis=1\)$"):
        wide.beam.ranks()
    block = bp.from_matrix(wide.swaplevel(axis=1)["f1"], metric="f1")
    pd.testing.assert_frame_equal(block.beam.ranks(), TIES.assign(metric="f1").beam.ranks())


@pytest.mark.parametrize("frame", [None, [1, 2], TIES["score"], {"method": ["A"]}])
def test_what_is_no_frame_is_refused(frame):
    with pytest.raises(bp.ScoreTypeError, match="must be a pandas DataFrame, found"):
        bp.ranks(frame)


def test_an_empty_frame_is_refused():
    with pytest.raises(bp.BeamError, match="it has 0 rows"):
        TIES.iloc[:0].beam.ranks()


# Labels ------------------------------------------------------------------------------


@pytest.mark.parametrize("column", ["method", "dataset", "metric"])
def test_missing_labels_are_counted(column):
    frame = TIES.assign(**{column: TIES[column].where(TIES.index > 1)})
    message = f"every row needs a {column}, 2 rows of 12 have none: .*df.fillna"
    with pytest.raises(bp.BeamError, match=message):
        bp.ranks(frame)
    one = TIES.assign(**{column: pd.Categorical(TIES[column].where(TIES.index > 0))})
    with pytest.raises(bp.BeamError, match="1 row of 12 has none"):
        bp.ranks(one)


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ([("A", 1), ("B", 2)], r"tuple \(\('A', 1\)\)"),
        (["A", 1], r"str \('A'\), int \(1\)"),
        ([True, "A"], r"bool \(True\), str \('A'\)"),
        ([b"A", b"B"], r"bytes \(b'A'\)"),
        ([True, False], r"bool \(True\)"),
        ([["A"], ["B"]], r"list \(\['A'\]\)"),
        ([{"a": 1}, "B"], r"dict"),
    ],
)
def test_labels_of_mixed_or_other_types_are_refused(labels, found):
    column = pd.Series(labels * 6, dtype=object)
    with pytest.raises(bp.BeamError, match=f"'method' must be all text.*{found}"):
        bp.ranks(TIES.assign(method=column))
    if isinstance(labels[0], (str, bool)):
        TIES.assign(method=column.map(str)).beam.coverage()


@pytest.mark.parametrize(
    "labels",
    [
        pd.Series([True, False] * 6),
        pd.Series([1j, 2j] * 6),
        pd.Series(pd.to_datetime(["2020-01-01", "2021-01-01"] * 6)),
        pd.Series(pd.period_range("2020", periods=2, freq="Y").tolist() * 6),
        pd.Series(pd.interval_range(0, 2).tolist() * 6),
        pd.Series(pd.to_datetime(["2020-01-01", "2021-01-01"] * 6)).astype("category"),
    ],
)
def test_labels_that_are_neither_text_nor_numbers_are_refused(labels):
    frame = TIES.assign(dataset=labels)
    with pytest.raises(
        bp.BeamError, match="'dataset' must be all text or all numbers"
    ) as caught:
        frame.beam.coverage()
    fixed = eval(str(caught.value).split("): ")[-1], {"df": frame})
    assert fixed["dataset"].nunique() == 2


def test_an_unused_category_of_another_type_does_not_matter():
    dtype = pd.CategoricalDtype(["A", "B", "C", 1, (2, 3)])
    frame = TIES.assign(method=TIES["method"].astype(dtype))
    plain = frame.beam.friedman()
    pd.testing.assert_frame_equal(plain, TIES.beam.friedman())


LABELS = {
    "object": lambda text: text.astype(object),
    "str": lambda text: text.astype("str"),
    "string": lambda text: text.astype("string"),
    "arrow": lambda text: text.astype("string[pyarrow]"),
    "category": lambda text: text.astype("category"),
    "ordered": lambda text: pd.Categorical(text, ["C", "Z", "B", "A"], ordered=True),
    "int64": lambda text: text.map(ord).astype("int64"),
    "int8": lambda text: text.map(ord).astype("int8"),
    "Int64": lambda text: text.map(ord).astype("Int64"),
    "float": lambda text: text.map(ord).astype("float64"),
    "numeric categories": lambda text: text.map(ord).astype("category"),
    "object numbers": lambda text: text.map(ord).astype(object),
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_keep_their_dtype_and_the_numbers_do_not_change(kind):
    labels = LABELS[kind](REFERENCE["method"])
    frame = REFERENCE.assign(method=labels)
    result = frame.beam.critical_difference()
    plain = REFERENCE.beam.critical_difference()
    assert result["method"].dtype == frame["method"].dtype
    numbers = ["mean_rank", "critical_difference", "groups"]
    pd.testing.assert_frame_equal(result[numbers], plain[numbers])
    for pairs in (frame.beam.nemenyi(), frame.beam.compare_to_control(labels[0])):
        texts = [c for c in pairs if c in ("method_1", "method_2", "control", "method")]
        assert all(pairs[column].dtype == frame["method"].dtype for column in texts)


# Scores ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "dtype",
    ["float64", "float32", "float16", "Float64", "Float32", "double[pyarrow]",
     "float[pyarrow]"],
)  # fmt: skip
def test_scores_of_any_float_dtype_give_the_same(dtype):
    frame = HOLE.assign(score=HOLE["score"].astype(dtype))
    result = frame.beam.ranks()
    pd.testing.assert_frame_equal(result, HOLE.beam.ranks(), check_exact=True)


@pytest.mark.parametrize("dtype", ["int64", "int8", "uint16", "Int64", "int32[pyarrow]"])
def test_scores_of_any_integer_dtype_give_the_same(dtype):
    frame = REFERENCE.assign(score=REFERENCE["score"].astype(dtype))
    pd.testing.assert_frame_equal(frame.beam.friedman(), REFERENCE.beam.friedman())


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        (["0.5"] * 12, "first value that is no number: '0.5'"),
        ([0.5, "n/a"] * 6, "first value that is no number: 'n/a'"),
        ([True, False] * 6, "found dtype bool"),
        (pd.array([True, None] * 6, dtype="boolean"), "found dtype boolean"),
        ([1j] * 12, "found dtype complex128"),
        (pd.to_datetime(["2020-01-01"] * 12), "found dtype datetime64"),
        (pd.to_timedelta([1] * 12), "found dtype timedelta64"),
        (pd.Categorical([1.0] * 12), "found dtype category"),
    ],
)
def test_scores_that_are_no_numbers_are_refused(scores, found):
    with pytest.raises(bp.ScoreTypeError, match=found) as caught:
        TIES.assign(score=scores).beam.ranks()
    assert "column 'score' must be numeric" in str(caught.value)
    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_every_short_decimal_survives_a_narrow_float(dtype):
    digits = 3 if dtype == "float16" else 6
    rng = np.random.default_rng(0)
    written = np.round(rng.random(2000), digits - 1) * 10.0 ** rng.integers(-2, 3, 2000)
    written = np.array([float(f"{value:.{digits}g}") for value in written])
    frame = pd.DataFrame({"method": "A", "dataset": range(2000), "score": written})
    narrow = frame.assign(score=frame["score"].astype(dtype))
    found = narrow.beam.ranks(higher_is_better=True)["score"]
    assert found.tolist() == written.tolist()


def test_arrow_decimals_are_numbers_and_too_wide_floats_are_infinite():
    import pyarrow

    decimals = pd.ArrowDtype(pyarrow.decimal128(10, 3))
    frame = HOLE.assign(score=HOLE["score"].astype("double[pyarrow]").astype(decimals))
    pd.testing.assert_frame_equal(frame.beam.ranks(), HOLE.beam.ranks())
    huge = TIES.assign(score=np.full(12, np.longdouble("1e400")))
    with pytest.raises(bp.BeamError, match="12 infinite scores"):
        huge.beam.ranks()


@pytest.mark.parametrize(
    ("scores", "advice"),
    [
        (["0,25", "0,5", "0,75"], "the comma, .str.replace(',', '.').astype(float)"),
        (["25%", "50 %", "75%"], "in percent or none, .str.rstrip(' %').astype(float)"),
        (["0.25", "0.5", "0.75"], "convert it with pd.to_numeric(...)"),
    ],
)
def test_text_is_told_how_to_become_numbers(scores, advice):
    frame = REFERENCE.iloc[:3].assign(score=scores, dataset=["x", "y", "z"])
    with pytest.raises(bp.ScoreTypeError) as caught:
        frame.beam.ranks()
    assert str(caught.value).endswith(advice)
    name = advice.split(", .str")[-1]
    text = frame["score"]
    numbers = pd.to_numeric(text) if "to_numeric" in name else eval(f"text.str{name}")
    assert (numbers / numbers.max()).tolist() == [1 / 3, 2 / 3, 1.0]


def test_text_that_says_no_number_is_named_and_not_dropped():
    frame = TIES.assign(score=TIES["score"].astype(str).replace("0.5", "0.5±0.1"))
    with pytest.raises(bp.ScoreTypeError, match=r"parse_scores\(df\) reads .*'0\.5±0\.1'"):
        frame.beam.ranks()


def test_the_value_that_is_no_number_is_the_one_that_does_not_read_as_one():
    frame = TIES.assign(score=[".5", None, "1e3", "nan", "failed", "0.3"] * 2)
    with pytest.raises(bp.ScoreTypeError, match="no number: 'failed'.*pd.to_numeric"):
        frame.beam.ranks()
    fixed = frame.assign(score=pd.to_numeric(frame["score"], errors="coerce"))
    assert fixed["score"].notna().sum() == 6
    times = TIES.assign(score=pd.to_timedelta(TIES["score"], unit="s"))
    with pytest.raises(
        bp.ScoreTypeError, match=r"such as \.dt\.total_seconds\(\)"
    ) as caught:
        times.beam.ranks()
    assert "astype" not in str(caught.value)
    seconds = times.assign(score=times["score"].dt.total_seconds())
    pd.testing.assert_frame_equal(seconds.beam.ranks(), TIES.beam.ranks())


class ElsewhereFrame:
    """A frame of another library."""

    def to_pandas(self):
        return TIES


def test_a_frame_of_another_library_is_told_to_convert():
    with pytest.raises(
        bp.ScoreTypeError, match=r"ElsewhereFrame: pass its \.to_pandas\(\)$"
    ):
        bp.ranks(ElsewhereFrame())
    with pytest.raises(
        bp.ScoreTypeError, match=r"found dict: pass pd\.DataFrame\(\.\.\.\)$"
    ):
        bp.ranks({"method": ["A"]})


def test_decimals_are_refused_by_name():
    from decimal import Decimal

    with pytest.raises(bp.ScoreTypeError, match=r"Decimal\('0.5'\)"):
        TIES.assign(score=[Decimal("0.5")] * 12).beam.ranks()


def test_infinite_scores_are_named_and_counted():
    scores = TIES["score"].mask(TIES.index < 7, np.inf).mask(TIES.index == 0, -np.inf)
    with pytest.raises(bp.BeamError) as caught:
        TIES.assign(score=scores).beam.ranks()
    assert str(caught.value) == (
        "scores must be finite, found 7 infinite scores: 'A' on 'd01' (-inf), 'A' on "
        "'d02' (inf), 'A' on 'd03' (inf), 'A' on 'd04' (inf), 'B' on 'd01' (inf) and 2 "
        "more; write NaN where a run gave no score"
    )


def test_no_score_at_all_is_refused_by_metric():
    frame = pd.concat([TIES, TIES.assign(metric="f1", score=np.nan)])
    with pytest.raises(
        bp.BeamError,
        match=r"all 12 are missing in metric 'f1'; leave it out: df\[df\['metric'\] != 'f1'\]",
    ):
        frame.beam.ranks()
    with pytest.raises(bp.BeamError, match="all 3 are missing in metric 'f1'"):
        bp.ranks(pd.concat([TIES, long({"A": [None, None], "B": [None]}, "f1")]))
    with pytest.raises(bp.BeamError, match="the only one is missing$"):
        long({"A": [None]}).beam.ranks(higher_is_better=True)
    with pytest.raises(bp.BeamError, match="all 2 are missing$"):
        long({"A": [None, None]}).beam.ranks(higher_is_better=True)


@pytest.mark.parametrize("scale", [1e300, 1e-300, -(2.0**63)])
def test_scores_of_extreme_magnitude(scale):
    frame = REFERENCE.assign(score=REFERENCE["score"] * scale / 16)
    expected = REFERENCE.assign(score=REFERENCE["score"] * np.sign(scale)).beam.friedman()
    pd.testing.assert_frame_equal(frame.beam.friedman(), expected)


# Duplicates --------------------------------------------------------------------------


def test_duplicates_are_named_and_counted():
    frame = pd.concat([TIES, TIES.assign(score=0.5), TIES.iloc[:1]])
    with pytest.raises(bp.DuplicateScoresError) as caught:
        frame.beam.ranks()
    assert str(caught.value) == (
        "one score for each method and dataset is needed, found 3 for 'A' on 'd01', 2 for "
        "'B' on 'd01', 2 for 'C' on 'd01', 2 for 'A' on 'd02', 2 for 'B' on 'd02' and 7 "
        "more such pairs in metric 'accuracy': pass aggregate='mean' or "
        "aggregate='median' to combine runs; if they are settings of a method, give each "
        "its own name in column 'method'"
    )


def test_repeated_rows_and_a_metric_under_another_name_are_pointed_out():
    frame = pd.concat([TIES, TIES.iloc[:1]])
    with pytest.raises(
        bp.DuplicateScoresError, match="equal, so either keeps them .* uneven_runs='ignore'"
    ):
        frame.beam.ranks()
    for how in ("mean", "median"):
        kept = frame.beam.ranks(aggregate=how, uneven_runs="ignore")
        pd.testing.assert_frame_equal(kept, TIES.beam.ranks())
    by_domain = frame.assign(domain=1).groupby("domain").beam
    with pytest.raises(bp.DuplicateScoresError, match="in group domain=1: .*so either"):
        by_domain.ranks()
    two = pd.concat([TIES, TIES.assign(metric="f1", score=0.1)])
    renamed = two.rename(columns={"metric": "measure"})
    advice = r"df\.rename\(columns=\{'measure': 'metric'\}\)"
    with pytest.warns(bp.BeamWarning, match="if 'measure' names the metric") as caught:
        with pytest.raises(bp.DuplicateScoresError, match=advice):
            renamed.beam.ranks(higher_is_better=True)
    assert len(caught) == 1


def test_a_column_that_may_be_the_metric_is_pointed_out():
    frame = pd.concat(
        [TIES, TIES.assign(metric="f1", dataset="f" + TIES["dataset"])]
    ).rename(columns={"metric": "Measure"})
    with pytest.warns(bp.BeamWarning) as caught:
        pooled = frame.beam.friedman(higher_is_better=True)
    assert pooled["n_datasets"].tolist() == [8]
    assert "df.rename(columns={'Measure': 'metric'})" in str(caught[0].message)
    assert caught[0].filename == __file__
    two_rows = long({"A": [1, 2]}).assign(measure=["x", "y"])
    with pytest.warns(bp.BeamWarning, match="if 'measure' names the metric"):
        two_rows.beam.ranks(higher_is_better=True)
    other = frame.rename(columns={"score": "value"})
    with pytest.raises(
        bp.MissingColumnsError, match=r"'value': 'score', 'Measure': 'metric'"
    ):
        other.beam.ranks()


@pytest.mark.parametrize("values", [[["x"]] * 12, [{"a": 1}] * 12, ["one"] * 12])
def test_a_column_that_may_be_the_metric_but_tells_nothing_apart(values):
    frame = TIES.rename(columns={"metric": "measure"}).assign(measure=values)
    assert len(frame.beam.ranks(higher_is_better=True)) == 12
    twice = pd.concat([frame, frame[["measure"]]], axis=1)
    assert len(twice.beam.ranks(higher_is_better=True)) == 12


def test_a_missing_score_beside_one_is_no_duplicate():
    frame = pd.concat([TIES, TIES.assign(score=np.nan)])
    pd.testing.assert_frame_equal(frame.beam.ranks(), TIES.beam.ranks())


def test_the_rule_of_aggregation_decides_and_n_stays_the_number_of_datasets():
    runs = pd.concat(
        [
            long({"A": [score] * 5, "B": [0.2] * 5}, "error_rate")
            for score in (0.1, 0.1, 0.9)
        ]
    )
    mean = runs.beam.critical_difference(aggregate="mean")
    assert mean["method"].tolist() == ["B", "A"]
    median = runs.beam.critical_difference(aggregate="median")
    assert median["method"].tolist() == ["A", "B"]
    assert mean["n_datasets"].tolist() == [5, 5]
    with pytest.raises(bp.BeamError, match=r"one of \['mean', .*'best'\], got 'sum'"):
        runs.beam.ranks(aggregate="sum")


# Completeness ------------------------------------------------------------------------


def gaps():
    rng = np.random.default_rng(1)
    frame = frame_of(rng.random((12, 14)))
    drop = [("m3", "d2"), ("m3", "d5"), ("m9", "d5"), ("m9", "d7"), ("m9", "d0")]
    at = pd.MultiIndex.from_frame(frame[["method", "dataset"]])
    return frame[~at.isin(drop)]


def test_what_is_missing_is_named_and_what_each_choice_keeps_is_kept():
    frame = gaps()
    with pytest.raises(bp.IncompleteScoresError) as caught:
        frame.beam.critical_difference()
    assert str(caught.value) == (
        "critical_difference needs a score of every method on every dataset in metric "
        "'accuracy', found missing scores: 'm3' lacks 2 of 12 datasets ('d2', 'd5'), 'm9' "
        "lacks 3 of 12 datasets ('d0', 'd5', 'd7'). missing='drop_datasets' keeps 14 "
        "methods on 8 datasets, missing='drop_methods' keeps 12 methods on 12 datasets, "
        "missing='worst' ranks a missing score last; skillings_mack() and pairwise() use "
        "every score"
    )
    for choice, size in (
        ("drop_datasets", [14, 8]),
        ("drop_methods", [12, 12]),
        ("largest_block", [12, 12]),
        ("worst", [14, 12]),
    ):
        result = frame.beam.friedman(missing=choice)
        assert result[["n_methods", "n_datasets"]].to_numpy().tolist() == [size]


def test_only_choices_that_leave_something_are_offered():
    none = long({"A": [1, None, 3], "B": [None, 2, 3], "C": [1, 2, None]}, "elo")
    with pytest.raises(bp.IncompleteScoresError) as caught:
        none.beam.friedman()
    assert str(caught.value).endswith(
        ". missing='worst' ranks a missing score last; skillings_mack() and "
        "pairwise() use every score"
    )
    one = long({"A": [1, 2, 3], "B": [3, 2, 1], "C": [None, None, 1]}, "elo")
    with pytest.raises(bp.IncompleteScoresError) as caught:
        one.beam.friedman()
    assert (
        "). missing='drop_methods' keeps 2 methods on 3 datasets, missing='worst'"
        in str(caught.value)
    )
    assert one.beam.friedman(missing="drop_methods")["n_datasets"].tolist() == [3]


def test_more_than_five_incomplete_methods_are_counted():
    frame = gaps()
    fewer = frame[(frame["dataset"] != "d1") | (frame["method"] == "m0")]
    with pytest.raises(bp.IncompleteScoresError, match="and 8 more methods lack some"):
        fewer.beam.friedman()


def test_a_choice_that_leaves_too_little_is_refused():
    frame = long({"A": [1, 2, None], "B": [None, 1, 2], "C": [None, 2, 1]}, "elo")
    with pytest.raises(
        bp.BeamError,
        match=r"missing='drop_datasets' leaves 3 methods and 1 dataset \('d02'\)",
    ):
        frame.beam.friedman(missing="drop_datasets")
    with pytest.raises(bp.BeamError, match="leaves 0 methods and 3 datasets"):
        frame.beam.friedman(missing="drop_methods")
    with pytest.raises(bp.BeamError, match=r"missing must be one of \['raise'"):
        frame.beam.friedman(missing="drop")


def test_a_method_without_any_score_is_named():
    frame = pd.concat([TIES, long({"D": [None] * 4}, "accuracy")])
    with pytest.raises(bp.IncompleteScoresError, match="'D' lacks all 4 datasets"):
        frame.beam.friedman()
    kept = frame.beam.friedman(missing="drop_methods")
    pd.testing.assert_frame_equal(kept, TIES.beam.friedman())


def test_a_method_on_one_dataset_only():
    frame = pd.concat([TIES, long({"D": [0.5]}, "accuracy")])
    with pytest.raises(bp.IncompleteScoresError, match="'D' lacks 3 of 4 datasets"):
        frame.beam.nemenyi()


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ({"A": [1, 2, 3]}, r"found 1 method \('A'\) and 3 datasets"),
        ({"A": [1], "B": [2]}, r"found 2 methods and 1 dataset \('d01'\)"),
        ({"A": [1]}, r"found 1 method \('A'\) and 1 dataset \('d01'\)"),
    ],
)
@pytest.mark.parametrize("name", ["friedman", "critical_difference", "cliques", "nemenyi"])
def test_one_method_or_one_dataset_is_too_few(rows, found, name):
    message = f"^{name} needs at least 2 methods and 2 datasets, {found} in metric 'elo'$"
    with pytest.raises(bp.BeamError, match=message):
        getattr(long(rows, "elo").beam, name)()


def test_complete_scores_is_the_matrix_itself_where_nothing_is_missing():
    matrix = read_one(REFERENCE)
    assert complete_scores(matrix, "raise", "friedman") is matrix
