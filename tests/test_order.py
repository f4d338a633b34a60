import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import beam_pandas as bp
from tests.strategies import frame_of, matrices
from tests.tables import CYCLE, REFERENCE, TIES, long, ordered


def only(frame):
    (row,) = frame.to_dict("records")
    return row


def duels(counts):
    """Each pair of methods on datasets of its own: wins of the first, of the second."""
    rows = []
    for (first, second), (wins, losses) in counts.items():
        for at in range(wins + losses):
            better, worse = (first, second) if at < wins else (second, first)
            dataset = f"{first}{second}{at}"
            rows += [(better, dataset, "elo", 1.0), (worse, dataset, "elo", 0.0)]
    return pd.DataFrame(rows, columns=["method", "dataset", "metric", "score"])


def test_a_cycle_of_three():
    row = only(CYCLE.beam.transitivity())
    assert row["n_methods"] == 3
    assert (row["n_circular_triads"], row["n_triads"]) == (1, 1)
    assert row["coefficient_of_consistence"] == 0.0
    assert row["has_cycle"]
    assert not row["is_transitive"]
    assert not row["has_consistent_order"]
    assert pd.isna(row["condorcet_method"])
    table = CYCLE.beam.majority()
    assert table["copeland_score"].tolist() == [1.0] * 3
    assert table["in_smith_set"].all()
    assert table["order_rank"].isna().all()
    triads = CYCLE.beam.circular_triads()
    assert triads.to_numpy().tolist() == [["elo", "A", "B", "C"]]


def test_one_order_on_all_datasets():
    row = only(ordered(4, 3).beam.transitivity())
    assert row["has_consistent_order"]
    assert row["condorcet_method"] == "m1"
    assert row["coefficient_of_consistence"] == 1.0
    assert (row["n_triads"], row["n_circular_triads"]) == (4, 0)
    table = ordered(4, 3).beam.majority()
    assert table["method"].tolist() == ["m1", "m2", "m3", "m4"]
    assert table["order_rank"].tolist() == [1, 2, 3, 4]
    assert table["n_beaten"].tolist() == [3, 2, 1, 0]
    assert table["in_smith_set"].tolist() == [True, False, False, False]
    assert len(ordered(4, 3).beam.circular_triads()) == 0


def test_a_cycle_that_one_rating_would_hide():
    frame = duels({("A", "B"): (8, 3), ("B", "C"): (7, 2), ("C", "A"): (6, 5)})
    assert frame.beam.circular_triads().to_numpy().tolist() == [["elo", "A", "B", "C"]]
    pairs = frame.beam.pairwise(adjust="none")
    assert pairs["p_value"].round(3).tolist() == [0.227, 1.0, 0.180]
    assert not pairs["significant"].any()


def test_tied_pairs_make_no_strict_cycle():
    frame = duels({("A", "B"): (3, 3), ("B", "C"): (4, 2), ("C", "A"): (4, 2)})
    row = only(frame.beam.transitivity())
    assert row["n_tied_pairs"] == 1
    assert (row["n_triads"], row["n_circular_triads"]) == (0, 0)
    assert not row["has_cycle"]
    assert not row["is_transitive"]
    assert np.isnan(row["coefficient_of_consistence"])


def test_copeland_depends_on_the_pool():
    orders = ["ABCD", "BCDA", "CDAB"]
    frame = long(
        {name: [float(4 - order.index(name)) for order in orders] for name in "ABCD"}, "elo"
    )
    table = frame.beam.majority().set_index("method")
    net = table["n_beaten"] - table["n_beaten_by"]
    assert net.to_dict() == {"B": 1, "C": 1, "A": -1, "D": -1}
    assert frame.beam.comparison_matrix().loc["A", "B"] == 2


def test_a_longer_cycle_without_circular_triads():
    frame = duels(
        {("A", "B"): (1, 0), ("B", "C"): (1, 0), ("C", "D"): (1, 0), ("D", "A"): (1, 0),
         ("A", "C"): (1, 1), ("B", "D"): (1, 1)}
    )  # fmt: skip
    row = only(frame.beam.transitivity())
    assert row["n_circular_triads"] == 0
    assert row["has_cycle"]
    assert len(frame.beam.circular_triads()) == 0


def test_pairs_that_never_met():
    frame = duels({("A", "B"): (2, 0), ("C", "D"): (1, 0)})
    table = frame.beam.majority().set_index("method")
    assert table["n_not_compared"].tolist() == [2] * 4
    assert table["in_smith_set"].to_dict() == {"A": True, "C": True, "B": True, "D": True}
    row = only(frame.beam.transitivity())
    assert row["n_tied_pairs"] == 0
    assert row["is_transitive"]
    assert not row["has_consistent_order"]


def test_two_and_one_methods():
    row = only(long({"A": [1], "B": [2]}, "elo").beam.transitivity())
    assert row["condorcet_method"] == "B"
    assert row["has_consistent_order"]
    assert np.isnan(row["coefficient_of_consistence"])
    alone = only(long({"A": [1]}, "elo").beam.transitivity())
    assert pd.isna(alone["condorcet_method"])


def test_the_rope_makes_ties_of_small_differences():
    assert only(TIES.beam.transitivity())["condorcet_method"] == "A"
    assert pd.isna(only(TIES.beam.transitivity(0.5))["condorcet_method"])


@given(matrices(missing=True))
def test_majorities_equal_the_counts(matrix):
    if np.isnan(matrix).all():
        return
    frame = frame_of(matrix)
    pairs, table = bp.pairwise(frame), bp.majority(frame).set_index("method")
    edge = np.sign(pairs["wins"] - pairs["losses"])
    for name in table.index:
        first, second = pairs["method_1"] == name, pairs["method_2"] == name
        met = pairs["n_datasets"] > 0
        mine = pd.concat([edge[first & met], -edge[second & met]])
        row = table.loc[name]
        assert row["n_beaten"] == (mine > 0).sum()
        assert row["n_tied"] == (mine == 0).sum()
        assert row["n_beaten_by"] == (mine < 0).sum()
        assert row["n_not_compared"] == len(table) - 1 - len(mine)
        assert row["copeland_score"] == (mine > 0).sum() + (mine == 0).sum() / 2
    found = only(bp.transitivity(frame))
    assert found["has_consistent_order"] == table["order_rank"].notna().all()
    winner = table.index[table["n_beaten"] == len(table) - 1].tolist()
    assert winner == (
        [] if pd.isna(found["condorcet_method"]) else [found["condorcet_method"]]
    )


@pytest.mark.parametrize(
    ("labels", "dtype"),
    [
        (pd.Series([1, 2, 3] * 4, dtype="int64"), "Int64"),
        (pd.Series([1, 2, 3] * 4, dtype="int8"), "Int8"),
        (pd.Series([0.5, 1.5, 2.5] * 4), "float64"),
        (pd.Series(["A", "B", "C"] * 4, dtype="string"), "string"),
        (pd.Series(["A", "B", "C"] * 4, dtype="category"), None),
        (pd.Series(["A", "B", "C"] * 4, dtype=object), "object"),
        (pd.Series([1, 2, 3] * 4, dtype="int16[pyarrow]"), "int16[pyarrow]"),
    ],
)
@pytest.mark.parametrize("flat", [True, False])
def test_a_missing_condorcet_method_for_labels_of_any_dtype(labels, dtype, flat):
    frame = pd.DataFrame(
        {
            "method": labels,
            "dataset": np.repeat(np.arange(4), 3),
            "score": 0.5 if flat else [1.0, 2.0, 3.0] * 4,
        }
    )
    found = frame.beam.transitivity(higher_is_better=True)["condorcet_method"]
    assert found.dtype == (labels.dtype if dtype is None else dtype)
    assert found.isna().tolist() == [flat]
    if not flat:
        assert found[0] == labels[2]
    two = pd.concat([frame.assign(metric=metric) for metric in ("elo", "psnr")])
    assert two.beam.transitivity()["condorcet_method"].dtype == found.dtype


def test_several_metrics():
    frame = pd.concat([CYCLE, REFERENCE.assign(metric="f1")])
    assert frame.beam.transitivity()["has_cycle"].tolist() == [True, False]
    assert frame.beam.circular_triads()["metric"].tolist() == ["elo"]
    assert frame.beam.majority()["metric"].tolist() == ["elo"] * 3 + ["f1"] * 3
