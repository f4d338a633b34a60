"""What a table of scores holds, against pandas and against a slow twin."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import beam_pandas as bp
from beam_pandas.statistics.score_tables import places_of, read_score_tables
from tests.strategies import SCORES
from tests.tables import DEMSAR, DEMSAR_RANKED

SETTINGS = {
    "spread": "std",
    "aggregate": "mean",
    "higher_is_better": None,
    "uneven_runs": "raise",
}


def read(frame, **options):
    (table,) = read_score_tables(frame, "scores", **(SETTINGS | options))
    return table


def slow_places(row):
    """1 for the best values of a row, 2 for the next, where values are told apart exactly."""
    values = sorted({value for value in row if value == value}, reverse=True)
    if sum(value == value for value in row) < 2:
        return [0] * len(row)
    return [values.index(v) + 1 if v == v and values.index(v) < 2 else 0 for v in row]


@st.composite
def runs_of(draw):
    """A frame of two or three runs on a few datasets, some of which nobody has."""
    n_runs = draw(st.integers(1, 3))
    rows = []
    for dataset in "xyz":
        for method in "ABC":
            if draw(st.integers(0, 5)) > 0:
                rows += [(method, dataset, run, draw(SCORES)) for run in range(n_runs)]
    rows += [("A", "w", run, 0.5) for run in range(n_runs)]
    return pd.DataFrame(rows, columns=["method", "dataset", "run", "score"])


@given(runs_of(), st.booleans())
def test_values_spreads_and_places_are_those_of_pandas_and_of_a_slow_twin(frame, higher):
    table = read(frame, higher_is_better=higher)
    wide = {
        "value": frame.pivot_table("score", "dataset", "method", "mean"),
        "spread": frame.pivot_table("score", "dataset", "method", "std"),
        "n_runs": frame.pivot_table("score", "dataset", "method", "count", fill_value=0),
    }
    for name, expected in wide.items():
        found = pd.DataFrame(getattr(table, name), table.datasets, table.methods)
        np.testing.assert_allclose(
            found.to_numpy(float),
            expected.reindex(index=table.datasets, columns=table.methods),
            rtol=1e-12,
            atol=1e-15,
        )
    rounded = np.round(table.value if higher else -table.value, 12)
    np.testing.assert_array_equal(table.places, [slow_places(row) for row in rounded])
    np.testing.assert_array_equal(table.wins, (table.places == 1).sum(axis=0))


@given(runs_of())
def test_the_value_is_that_of_wide_scores_and_the_ranks_are_those_of_ranks(frame):
    table = read(frame, higher_is_better=True)
    wide = bp.wide_scores(frame, aggregate="mean")
    np.testing.assert_allclose(
        table.value, wide.reindex(table.datasets)[table.methods], rtol=1e-13
    )
    ranks = bp.ranks(frame, aggregate="mean", higher_is_better=True)
    mean = ranks.groupby("method")["score_rank"].mean().reindex(table.methods)
    np.testing.assert_allclose(table.mean_rank, mean, rtol=1e-13)
    mean = ranks.groupby("method")["score"].mean().reindex(table.methods)
    np.testing.assert_allclose(table.mean, mean, rtol=1e-12)


def test_the_standard_error_is_the_deviation_over_the_root_of_the_runs():
    score = [0.1, 0.4, 0.9, 0.7]
    frame = pd.DataFrame({"method": "A", "dataset": "x", "run": range(4), "score": score})
    std = read(frame, higher_is_better=True).spread[0, 0]
    stderr = read(frame, spread="stderr", higher_is_better=True).spread[0, 0]
    assert std == pytest.approx(np.std(score, ddof=1), rel=1e-14)
    assert stderr == pytest.approx(np.std(score, ddof=1) / 2.0, rel=1e-14)


def test_equal_runs_have_a_spread_of_exactly_zero():
    frame = pd.DataFrame({"method": "A", "dataset": "x", "run": range(3), "score": 0.1})
    assert read(frame, higher_is_better=True).spread[0, 0] == 0.0


@pytest.mark.parametrize(
    ("gap", "best"), [(0.9e-14, [1, 1]), (1e-14, [1, 1]), (1.2e-14, [2, 1])]
)
def test_what_is_equal_is_best_together_up_to_the_bound(gap, best):
    frame = pd.DataFrame({"method": ["A", "B"], "dataset": "x", "score": [1.0 - gap, 1.0]})
    table = read(frame, higher_is_better=True)
    assert table.places[0].tolist() == best
    pair = bp.pairwise(frame, higher_is_better=True)
    assert bool(pair.loc[0, "ties"]) == (best == [1, 1])


def test_a_dataset_that_one_method_has_has_no_best():
    assert places_of(np.array([[np.nan, 0.5, np.nan], [0.1, np.nan, 0.1]])).tolist() == [
        [0, 0, 0],
        [1, 0, 1],
    ]


def test_mean_ranks_are_those_that_demsar_printed():
    # Demšar (2006), table 6
    table = read(DEMSAR_RANKED)
    named = dict(zip(table.methods, np.round(table.mean_rank, 3), strict=True))
    assert named == {"C4.5": 3.143, "C4.5+m": 2.0, "C4.5+cf": 2.893, "C4.5+m+cf": 1.964}


def test_means_are_not_compared_where_methods_have_different_datasets():
    frame = DEMSAR.iloc[1:]
    assert not read(frame).places_below("mean").any()
    assert read(DEMSAR).places_below("mean").tolist().count(1) == 1


@pytest.mark.parametrize(
    ("how", "higher", "expected"),
    [
        ("median", True, 0.4),
        ("min", True, 0.1),
        ("max", True, 0.9),
        ("best", True, 0.9),
        ("best", False, 0.1),
        ("min", False, 0.1),
    ],
)
def test_runs_are_combined_as_asked(how, higher, expected):
    frame = pd.DataFrame(
        {"method": "A", "dataset": "x", "run": range(3), "score": [0.4, 0.1, 0.9]}
    )
    found = read(frame, aggregate=how, higher_is_better=higher, spread=None)
    assert found.value[0, 0] == expected
