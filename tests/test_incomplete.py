import numpy as np
import pandas as pd

import beam_pandas as bp
from tests.tables import HOLE, TIES, long


def test_coverage_lists_who_has_what():
    frame = pd.concat(
        [
            long(
                {"A": [1, 2, 3], "B": [1, 2, 3], "C": [1, None, 2], "D": [None] * 3}, "elo"
            ),
            long({"A": [5, 7], "C": [5]}, "elo"),
        ]
    )
    expected = pd.DataFrame(
        {
            "metric": "elo",
            "method": ["A", "B", "C", "D"],
            "n_scores": [3, 3, 2, 0],
            "n_missing": [0, 0, 1, 3],
            "share_missing": [0, 0, 1 / 3, 1],
            "n_runs_min": [1, 1, 1, 0],
            "n_runs_max": [2, 1, 2, 0],
        }
    )
    pd.testing.assert_frame_equal(frame.beam.coverage(), expected)


def test_coverage_of_an_absent_row_and_a_missing_score_is_the_same():
    pd.testing.assert_frame_equal(HOLE.beam.coverage(), HOLE.dropna().beam.coverage())
    assert HOLE.beam.coverage()["n_missing"].tolist() == [0, 0, 1]


def test_coverage_lists_a_method_that_has_no_row_of_a_metric():
    frame = pd.concat([TIES, TIES[TIES["method"] != "B"].assign(metric="whatever")])
    table = frame.beam.coverage().set_index(["metric", "method"])
    assert table.loc[("whatever", "B"), "n_missing"] == 4
    grouped = frame.groupby("metric").beam.coverage()
    pd.testing.assert_frame_equal(grouped, frame.beam.coverage())


def test_coverage_needs_neither_a_direction_nor_a_score():
    frame = TIES.drop(columns="metric").assign(score=np.nan)
    table = bp.coverage(frame)
    assert table["n_scores"].tolist() == table["n_missing"].tolist() == [0, 0, 0]
    assert table["share_missing"].isna().all()
    assert table["n_runs_min"].tolist() == table["n_runs_max"].tolist() == [0, 0, 0]
