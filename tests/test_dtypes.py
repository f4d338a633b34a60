"""Every function on every dtype of labels and scores, and on every kind of frame."""

import decimal

import numpy as np
import pandas as pd
import pytest

import beam_pandas as bp
from beam_pandas.results.vocabulary import VOCABULARY
from tests.surface import (
    ARGUMENTS,
    FUNCTIONS,
    GIVEN,
    SAMPLES,
    SQUARE,
    TIDY,
    call,
    in_units,
    plain,
)
from tests.tables import long

# in eighths, which every float dtype holds; a tie, and in "auc" a method that wins
GRID = {"A": [0.5, 0.25, 0.75, 0.5], "B": [0.5, 0.5, 0.5, 0.125], "C": [1, 0, 0.25, 0.25]}
FRAME = pd.concat([long(GRID, "auc"), long(GRID, "log_loss")], ignore_index=True)
FRAME["run"] = 0
WHOLE = FRAME.assign(score=FRAME["score"] * 8, metric=FRAME["metric"].replace("auc", "elo"))
LABEL_COLUMNS = [
    name for name, column in VOCABULARY.items() if column.dtype.startswith("label")
]
every = pytest.mark.parametrize("name", FUNCTIONS)


def same_numbers(found, expected):
    """Compare all but labels, which may be of another dtype."""
    assert found.error is None
    assert found.warned == expected.warned
    one, other = plain(found.result), plain(expected.result)
    labels = [n for n in one if n in LABEL_COLUMNS]
    if found.result.columns.name == "method":  # a wide result
        one.columns = other.columns = range(one.shape[1])
    pd.testing.assert_frame_equal(
        one.drop(columns=labels).reset_index(drop=True),
        other.drop(columns=labels).reset_index(drop=True),
        check_exact=True,
        check_column_type=False,
    )


LABELS = {
    "object": lambda text: text.astype(object),
    "str": lambda text: text.astype("str"),
    "python": lambda text: text.astype("string[python]"),
    "pyarrow": lambda text: text.astype("string[pyarrow]"),
    "ArrowDtype": lambda text: text.convert_dtypes(dtype_backend="pyarrow"),
    "category": lambda text: text.astype("category"),
    "ordered": lambda text: pd.Categorical(text, sorted({*text, "unused"}), ordered=True),
    "numeric categories": lambda text: number(text).astype("category"),
    "unused numeric category": lambda text: pd.Categorical(number(text), [-7, *range(999)]),
    "int64": lambda text: number(text),
    "uint8": lambda text: number(text).mod(256).astype("uint8"),
    "Int16": lambda text: number(text).astype("Int16"),
    "int64[pyarrow]": lambda text: number(text).astype("int64[pyarrow]"),
    "float64": lambda text: number(text) / 4,
    "float32": lambda text: (number(text) / 4).astype("float32"),
    "Float64": lambda text: (number(text) / 4).astype("Float64"),
    "object numbers": lambda text: number(text).astype(object),
}


def number(text):
    """Number labels in their order."""
    return pd.Series(pd.factorize(text, sort=True)[0], index=text.index)


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("column", ["method", "dataset", "metric"])
@every
def test_labels_of_any_dtype(name, column, kind):
    labels = LABELS[kind](FRAME[column])
    frame = FRAME.assign(**{column: labels})
    first = frame["method"].iloc[0]
    told = {"auc": True, "log_loss": False}
    names = dict(zip(FRAME["metric"], frame["metric"], strict=True))
    directions = {names[metric]: better for metric, better in told.items()}
    found = call(name, frame, control=first, higher_is_better=directions)
    same_numbers(found, call(name, FRAME, higher_is_better=told))
    names = dict(zip(FRAME[column], frame[column], strict=True)) | {None: None}
    expected = call(name, FRAME, higher_is_better=told).result
    for label in (c for c in expected if c in LABEL_COLUMNS):
        of_method = not label.startswith(("dataset", "metric"))
        if label.startswith(column) or (column == "method" and of_method):
            result = found.result[label]
            kept = result.dtype == frame[column].dtype
            assert kept or label == "condorcet_method"  # which may be missing
            values = expected[label].astype(object).where(expected[label].notna(), None)
            for value, renamed in zip(result, map(names.get, values), strict=True):
                assert pd.isna(value) if renamed is None else value == renamed


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("metrics", [["elo"], ["elo", "log_loss"]])
@pytest.mark.parametrize("name", SQUARE)
def test_labels_keep_their_dtype_in_rows_and_columns(name, metrics, kind):
    if kind == "object numbers" and len(metrics) > 1 and pd.__version__ < "3":
        pytest.skip("levels of an index of pandas 2 cannot be objects that are numbers")
    frame = WHOLE[WHOLE["metric"].isin(metrics)].reset_index(drop=True)
    frame = frame.assign(
        method=LABELS[kind](frame["method"]), dataset=LABELS[kind](frame["dataset"])
    )
    result = call(name, frame).result
    assert result.columns.dtype == frame["method"].dtype
    rows = "dataset" if name == "wide_scores" else "method"
    assert result.index.get_level_values(rows).dtype == frame[rows].dtype


@pytest.mark.parametrize(
    "dtype", ["float64", "Float64", "double[pyarrow]", "Sparse[float64]"]
)
def test_minus_zero_and_zero_are_one_label_and_nan_is_none(dtype):
    labels = pd.Series([0.0, 1.0, -0.0, 1.0]).astype(dtype)
    frame = pd.DataFrame({"method": labels, "dataset": [1, 1, 2, 2], "score": range(4)})
    assert frame.beam.coverage()["n_scores"].tolist() == [2, 2]
    absent = pd.Series(np.array([0.0, np.nan, -0.0, 1.0])).astype(dtype)
    if dtype == "double[pyarrow]":
        import pyarrow

        absent = pd.Series(pd.array(pyarrow.array([0.0, np.nan, -0.0, 1.0]), dtype=dtype))
    with pytest.raises(bp.BeamError, match="needs a method, 1 row of 4 has none"):
        frame.assign(method=absent).beam.coverage()


@pytest.mark.parametrize("column", ["method", "dataset", "metric"])
@pytest.mark.parametrize("dtype", ["float16", "longdouble", "dictionary"])
def test_labels_that_no_index_can_hold_are_refused_with_a_way_out(column, dtype):
    import pyarrow

    labels = number(FRAME[column])
    if dtype == "dictionary":
        dtype = pd.ArrowDtype(pyarrow.dictionary(pyarrow.int8(), pyarrow.string()))
        labels = FRAME[column]
    frame = FRAME.assign(**{column: labels.astype(dtype)})
    with pytest.raises(bp.BeamError, match=f"labels in column '{column}' are of") as caught:
        frame.beam.coverage()
    fixed = eval(str(caught.value).split("and sort: ")[1], {"df": frame})
    assert fixed[column].nunique() == FRAME[column].nunique()
    assert len(fixed.beam.coverage()) == 6


SCORES = ["float64", "float32", "float16", "Float64", "Float32", "double[pyarrow]",
          "float[pyarrow]", "Sparse[float64]", "longdouble"]  # fmt: skip


@pytest.mark.parametrize("dtype", SCORES)
@every
def test_scores_of_any_float_dtype_with_a_gap(name, dtype):
    gap = FRAME.assign(score=FRAME["score"].mask(FRAME.index == 3))
    options = {"missing": "drop_methods"}
    expected = call(name, gap, control="B", **options)
    found = call(name, gap.assign(score=gap["score"].astype(dtype)), control="B", **options)
    pd.testing.assert_frame_equal(found.result, expected.result, check_exact=True)


@pytest.mark.parametrize("dtype", ["int64", "int8", "uint8", "uint64", "Int64", "UInt8",
                                   "int64[pyarrow]", "Sparse[int64]"])  # fmt: skip
@every
def test_scores_of_any_integer_dtype(name, dtype):
    found = call(name, WHOLE.assign(score=WHOLE["score"].astype(dtype)))
    pd.testing.assert_frame_equal(found.result, call(name, WHOLE).result, check_exact=True)


@pytest.mark.parametrize("dtype", ["Float64", "double[pyarrow]", "Int64", "int64[pyarrow]"])
@every
def test_a_missing_score_is_na_or_an_absent_row(name, dtype):
    gap = WHOLE.assign(score=WHOLE["score"].mask(WHOLE.index == 3).astype(dtype))
    assert gap["score"].isna().sum() == 1
    options = {"missing": "drop_methods", "control": "B"}
    found, expected = call(name, gap, **options), call(name, gap.dropna(), **options)
    pd.testing.assert_frame_equal(found.result, expected.result, check_exact=True)


REFUSED = {
    "bool": (lambda s: s > 0.3, "found dtype bool"),
    "boolean": (lambda s: (s > 0.3).astype("boolean"), "found dtype boolean"),
    "bool[pyarrow]": (lambda s: (s > 0.3).astype("bool[pyarrow]"), r"found dtype bool"),
    "text": (lambda s: s.astype(str), r"first value that is no number: '0\.5'"),
    "string": (lambda s: s.astype("string"), r"first value that is no number: '0\.5'"),
    "Decimal": (lambda s: s.map(decimal.Decimal), r"Decimal\('0\.5'\)"),
    "complex": (lambda s: s.astype(complex), "found dtype complex128"),
    "category": (lambda s: s.astype("category"), "found dtype category"),
    "object": (lambda s: s.astype(object), r"found dtype object.*\.astype\(float\)"),
    "datetime": (lambda s: pd.to_datetime(s), "found dtype datetime64"),
    "list": (lambda s: s.map(lambda value: [value]), r"first value that is no number: \[0\.5\]"),
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
@every
def test_scores_that_are_no_numbers_are_refused_by_name(name, kind):
    make, found = REFUSED[kind]
    with pytest.raises(
        bp.ScoreTypeError, match=f"column 'score' must be numeric, .*{found}"
    ):
        getattr(FRAME.assign(score=make(FRAME["score"])).beam, name)(
            *ARGUMENTS[name], **GIVEN[name]
        )


# Magnitudes ----------------------------------------------------------------------------

UNIT_FREE = [
    name for name in TIDY if not in_units(name) and SAMPLES["rope"] not in ARGUMENTS[name]
]


@pytest.mark.parametrize("unit", [1e300, 1e-300, 2.0**-1060, 2.0**1019])
@pytest.mark.parametrize("name", UNIT_FREE)
def test_huge_and_tiny_scores_give_the_same_as_ordinary_ones(name, unit):
    scaled = WHOLE.assign(score=WHOLE["score"] * unit)
    pd.testing.assert_frame_equal(
        call(name, scaled).result, call(name, WHOLE).result, rtol=1e-12
    )


@pytest.mark.parametrize("name", UNIT_FREE)
def test_the_smallest_integer_is_a_score(name):
    lowest = np.iinfo(np.int64).min
    steps = WHOLE["score"].astype("int64") * 2**58  # 8 steps are more than int64 spans
    frame = WHOLE.assign(score=lowest + steps)
    assert frame["score"].min() == lowest
    assert frame["score"].dtype == np.int64
    told = {"elo": True, "log_loss": False}
    found = call(name, frame, higher_is_better=told)
    pd.testing.assert_frame_equal(found.result, call(name, WHOLE).result, rtol=1e-12)


def test_differences_of_huge_scores_do_not_overflow():
    frame = long({"A": [1.7e308, 1e308], "B": [-1.7e308, 1e308]}, "elo")
    pair = frame.beam.pairwise().iloc[0]
    assert pair[["wins", "ties", "losses"]].tolist() == [1, 1, 0]
    assert pair["mean_diff"] == 1.7e308
    same = long({"A": [1.7e308] * 3, "B": [-1.7e308] * 3}, "elo").beam.pairwise().iloc[0]
    assert same["mean_diff"] == np.inf  # what no float can hold
    assert same["wins"] == 3


@every
def test_minus_zero_is_zero(name):
    zeros = WHOLE.assign(score=WHOLE["score"] * 0.0)
    zeros.loc[::2, "score"] = -0.0
    found = call(name, zeros, higher_is_better=True)
    expected = call(name, zeros.assign(score=0.0), higher_is_better=True)
    pd.testing.assert_frame_equal(found.result, expected.result, check_exact=True)


# Kinds of frames -------------------------------------------------------------------------


class Subclass(pd.DataFrame):
    @property
    def _constructor(self):
        return Subclass


FRAMES = {
    "view": lambda: pd.concat([FRAME, FRAME.assign(score=9.0)]).iloc[: len(FRAME)],
    "every other row": lambda: pd.DataFrame(
        np.repeat(FRAME.to_numpy(), 2, axis=0), columns=FRAME.columns
    ).iloc[::2].astype(FRAME.dtypes),
    "subclass": lambda: Subclass(FRAME),
    "duplicate index": lambda: FRAME.set_axis([0] * len(FRAME)),
    "levels": lambda: FRAME.set_axis(
        pd.MultiIndex.from_product([["x"], range(len(FRAME))], names=["method", "beam"])
    ),
    "named columns": lambda: FRAME.rename_axis(columns="method"),
    "categorical columns": lambda: FRAME.set_axis(pd.CategoricalIndex(FRAME.columns), axis=1),
    "a column beam": lambda: FRAME.assign(beam=1),
    "no duplicates allowed": lambda: FRAME.copy().set_flags(allows_duplicate_labels=False),
    "read-only": lambda: read_only(FRAME),
}  # fmt: skip


def read_only(frame):
    columns = {name: frame[name].to_numpy(copy=True) for name in frame}
    for values in columns.values():
        values.flags.writeable = False
    return pd.DataFrame(columns, copy=False).astype(frame.dtypes.drop("score"))


@pytest.mark.parametrize("kind", FRAMES)
@every
def test_any_kind_of_frame_gives_a_plain_result(name, kind):
    frame = FRAMES[kind]()
    function = getattr(frame.beam, name)
    result = function(*ARGUMENTS[name], **GIVEN[name])
    assert type(result) is pd.DataFrame
    expected = call(name, FRAME).result
    pd.testing.assert_frame_equal(result, expected, check_exact=True)
    if name not in SQUARE:
        assert isinstance(result.index, pd.RangeIndex)
    if "beam" in frame:
        assert frame["beam"].tolist() == [1] * len(frame)


@every
def test_an_empty_frame_and_columns_of_levels_are_refused_with_a_way_out(name):
    assert "it has 0 rows" in call(name, FRAME.iloc[:0]).error[1]
    wide = FRAME.pivot_table(index="dataset", columns=["metric", "method"], values="score")
    kind, text = call(name, wide).error
    assert kind is bp.MissingColumnsError
    assert "use beam_pandas.from_matrix(df[block], metric=block)" in text
    block = wide["auc"].pipe(bp.from_matrix, metric="auc").assign(run=0)
    pd.testing.assert_frame_equal(
        call(name, block).result, call(name, FRAME[FRAME["metric"] == "auc"]).result
    )
