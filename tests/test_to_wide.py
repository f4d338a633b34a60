import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import beam_pandas as bp
from tests.strategies import frame_of, matrices
from tests.tables import HOLE, REFERENCE, TIES, long


@given(matrices(missing=True, min_side=1))
def test_wide_scores_are_those_of_a_pivot(matrix):
    frame = frame_of(matrix)
    wide = bp.wide_scores(frame.sample(frac=1, random_state=1))
    expected = frame.pivot(index="dataset", columns="method", values="score")  # noqa: PD010
    expected = expected.dropna(how="all")  # a dataset without a score is none
    pd.testing.assert_frame_equal(wide, expected)


def test_several_metrics_lead_the_index():
    frame = pd.concat([HOLE.assign(metric="unknown"), REFERENCE, long({"D": [1]}, "elo")])
    wide = frame.beam.wide_scores()
    assert wide.index.names == ["metric", "dataset"]
    assert wide.columns.tolist() == ["A", "B", "C", "D"]
    assert wide.loc[("unknown", "d01"), "A"] == 0.9
    assert np.isnan(wide.loc[("unknown", "d03"), "C"])
    assert wide["D"].count() == 1


def test_wide_scores_of_runs():
    runs = pd.concat([TIES, TIES.assign(score=0.1)])
    with pytest.raises(bp.DuplicateScoresError):
        runs.beam.wide_scores()
    assert runs.beam.wide_scores(aggregate="mean").loc["d01", "A"] == pytest.approx(0.5)


def test_labels_keep_their_dtype():
    frame = TIES.assign(
        method=pd.Categorical(TIES["method"], ["C", "B", "A"]), dataset=[1, 2, 3, 4] * 3
    )
    wide = frame.beam.wide_scores()
    assert wide.columns.tolist() == ["C", "B", "A"]
    assert wide.index.dtype == np.int64


# Squares -------------------------------------------------------------------------------


def test_a_square_reads_row_against_column():
    pairs = bp.nemenyi(REFERENCE)
    square = bp.to_matrix(pairs, "rank_diff")
    assert square.index.name == square.columns.name == "method"
    assert square.loc["A", "C"] == pytest.approx(-5 / 3)
    assert square.loc["C", "A"] == pytest.approx(5 / 3)
    assert np.isnan(np.diag(square)).all()


@pytest.mark.parametrize("values", ["p_value", "significant", "n_datasets"])
def test_what_has_no_direction_is_symmetric(values):
    square = bp.to_matrix(bp.nemenyi(REFERENCE), values)
    np.testing.assert_array_equal(square, square.T)
    assert (square.dtypes == np.float64).all()


def test_rows_in_any_order_and_pairs_left_out():
    pairs = bp.nemenyi(REFERENCE)
    square = bp.to_matrix(pairs, "p_value")
    pd.testing.assert_frame_equal(bp.to_matrix(pairs.iloc[::-1], "p_value"), square)
    two = bp.to_matrix(pairs.query("method_1 == 'A'"), "p_value")
    assert np.isnan(two.loc["B", "C"])
    assert two.loc["B", "A"] == square.loc["A", "B"]


def test_metrics_and_groups_lead_the_rows():
    frame = pd.concat([TIES.assign(metric="f1"), REFERENCE])
    square = bp.to_matrix(frame.beam.nemenyi(), "p_value")
    assert square.index.names == ["metric", "method"]
    alone = bp.to_matrix(REFERENCE.beam.nemenyi(), "p_value")
    pd.testing.assert_frame_equal(square.loc["elo"], alone)
    both = pd.concat([frame.assign(domain="y"), frame.assign(domain="x")])
    nested = bp.to_matrix(both.groupby("domain").beam.nemenyi(), "p_value")
    assert nested.index.names == ["domain", "metric", "method"]
    pd.testing.assert_frame_equal(nested.loc[("x", "elo")], alone)


def test_no_pairs_at_all_make_an_empty_square():
    pairs = bp.nemenyi(REFERENCE)
    square = bp.to_matrix(pairs[pairs["p_value"] < 0], "p_value")
    assert square.shape == (0, 0)


def test_columns_in_another_order_and_fewer_of_them():
    pairs = bp.nemenyi(REFERENCE)
    square = bp.to_matrix(pairs, "p_value")
    some = pairs[["p_value", "method_1", "method_2", "rank_diff"]]
    pd.testing.assert_frame_equal(bp.to_matrix(some, "p_value"), square)


def test_a_key_may_have_the_name_of_another_kind_of_pair():
    both = pd.concat([REFERENCE.assign(dataset_1="y"), REFERENCE.assign(dataset_1="x")])
    square = bp.to_matrix(both.groupby("dataset_1").beam.nemenyi(), "p_value")
    assert square.index.names == ["dataset_1", "metric", "method"]


def test_equal_methods_differ_by_a_plain_zero():
    square = bp.to_matrix(bp.nemenyi(TIES.assign(score=0.5)), "rank_diff")
    assert not np.signbit(square.fillna(0.0)).any(axis=None)


def test_categories_keep_their_order():
    frame = REFERENCE.assign(
        method=pd.Categorical(REFERENCE["method"], ["C", "Z", "A", "B"])
    )
    square = bp.to_matrix(frame.beam.nemenyi(), "rank_diff")
    assert square.columns.tolist() == ["C", "A", "B"]
    assert square.loc["A", "C"] == pytest.approx(-5 / 3)


@pytest.mark.parametrize(
    ("result", "values", "error", "message"),
    [
        (bp.nemenyi(REFERENCE), "wins", bp.BeamError,
         r"values must be one of \['n_datasets', 'mean_rank_1', .*\], got 'wins'"),
        (bp.nemenyi(REFERENCE), "method_1", bp.BeamError, "got 'method_1'"),
        (bp.ranks(REFERENCE), "score", bp.MissingColumnsError,
         "columns 'method_1' and 'method_2' are needed, found 'metric', 'dataset'"),
        (bp.nemenyi(REFERENCE)[["method_1", "method_2"]], "p_value", bp.BeamError, "got 'p_value'"),
        (bp.nemenyi(REFERENCE), ["p_value"], bp.BeamError, "got \\['p_value'\\]"),
        (None, "p_value", bp.ScoreTypeError, "result must be a pandas DataFrame, found None"),
        (pd.concat([bp.nemenyi(REFERENCE)] * 2), "p_value", bp.BeamError,
         "each pair is needed once, found one twice"),
    ],
)  # fmt: skip
def test_what_makes_no_square(result, values, error, message):
    with pytest.raises(error, match=message):
        bp.to_matrix(result, values)


def test_a_column_of_a_result_that_is_there_twice_is_refused():
    pairs = REFERENCE.beam.pairwise()
    twice = pd.concat([pairs, pairs[["wins"]]], axis=1)
    with pytest.raises(bp.BeamError, match="column 'wins' is needed once, found several"):
        bp.to_matrix(twice, "wins")
