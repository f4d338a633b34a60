"""The signed-rank test of pairs: published values, a twin in plain Python, and edges."""

import inspect
import math
import warnings
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import beam_pandas as bp
from tests.tables import DEMSAR, HOLE, SPLIT, long

OPPOSITE = {"two-sided": "two-sided", "greater": "less", "less": "greater"}


def of_differences(differences, metric="elo"):
    """Methods A and B, A ahead by so much; elo has no bounds and more is better."""
    return long({"A": list(differences), "B": [0.0] * len(differences)}, metric)


def only(frame, **options):
    (row,) = frame.beam.wilcoxon(**options).to_dict("records")
    return row


# Exact arithmetic and brute force over all sign vectors; coin 1.4 (R 4.2.2),
# wilcoxsign_test(distribution = "exact", zero.method = "Wilcoxon" or "Pratt"), agrees.
PUBLISHED = [
    ("2 2 2 2 2 2 -20", 0.359375, 0.359375, 21, 2, (-9, 2), 0.953125, 0.5, 0.5),
    ("1 1 2 2 2 3 -1 -2", 0.1875, 0.1875, 28.5, 1.25, (-0.5, 2.5), 0.9609375, 7 / 12, 7 / 12),
    ("0 0 1 2 3 4 -1 5", 0.09375, 0.09375, 19.5, 1.75, (0, 4), 0.9609375, 6 / 7, 13 / 18),
    ("0 0 0 1 1 1 1 -1", 0.375, 0.375, 12, 0.5, (-0.5, 1), 0.9609375, 0.6, 0.5),
    ("1 2 3 4 5", 0.0625, 0.0625, 15, 3, (-math.inf, math.inf), 1, 1, 1),
    ("1 1 2 2 3 3 4 4 5 5 -1 -2 6 7", 0.00244140625, 0.00244140625, 98, 3, (1.5, 4.5), 0.9505615234375, 13 / 15, 13 / 15),
    ("1 1 2 2 3 3 4 4 5 5 -1 -2 -2 -3 -3 6 7 8 9 10", 0.004680633544921875, 0.004680633544921875, 178, 3, (1, 5), 0.951555, 73 / 105, 73 / 105),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "p_drop", "p_pratt", "plus", "median", "ends", "level", "r_drop", "r_pratt"),
    PUBLISHED,
)
@pytest.mark.parametrize("turned", [False, True])
def test_published_rows(
    text, p_drop, p_pratt, plus, median, ends, level, r_drop, r_pratt, turned
):
    differences = np.array([float(word) for word in text.split()])
    frame = of_differences(-differences if turned else differences)
    better = {"higher_is_better": not turned}
    drop, pratt = only(frame, **better), only(frame, zeros="pratt", **better)
    assert (drop["p_value"], pratt["p_value"]) == (p_drop, p_pratt)
    assert (drop["p_adjusted"], drop["significant"]) == (p_drop, p_drop <= 0.05)
    assert drop["rank_sum_1"] == plus
    assert drop["rank_biserial"] == pytest.approx(r_drop, rel=1e-15)
    assert pratt["rank_biserial"] == pytest.approx(r_pratt, rel=1e-15)
    n = len(differences)
    for found in (drop, pratt):
        assert (found["method_1"], found["method_2"]) == ("A", "B")
        assert (found["n_datasets"], found["n_zeros"]) == (n, (differences == 0).sum())
        assert (found["median_diff"], found["ci_low"], found["ci_high"]) == (median, *ends)
        assert found["ci_level"] == pytest.approx(level, abs=5e-6 if n == 20 else 0)
        assert found["mean_diff"] == pytest.approx(differences.mean(), rel=1e-15)
        expected = differences.mean() / differences.std(ddof=1)
        assert found["cohen_d"] == pytest.approx(expected, rel=1e-14)


# --- the twin: decimals as fractions, every vector of signs -------------------------------


def mid_ranks(sizes):
    return [
        sum(other < own for other in sizes) + Fraction(sizes.count(own) + 1, 2)
        for own in sizes
    ]


def sign_sums(ranks):
    """The sum of the positive ranks for each vector of signs."""
    return [
        sum((rank for rank, sign in zip(ranks, signs, strict=True) if sign), Fraction(0))
        for signs in product((0, 1), repeat=len(ranks))
    ]


def slow(differences, zeros, alternative):
    """The row of a pair in exact numbers."""
    kept = differences if zeros == "pratt" else [d for d in differences if d]
    ranks = mid_ranks([abs(d) for d in kept])
    signed = [(d, rank) for d, rank in zip(kept, ranks, strict=True) if d]
    plus = sum((rank for d, rank in signed if d > 0), Fraction(0))
    minus = sum((rank for d, rank in signed if d < 0), Fraction(0))
    law = sign_sums([rank for _, rank in signed])
    above = Fraction(sum(value >= plus for value in law), len(law))
    below = Fraction(sum(value <= plus for value in law), len(law))
    p = {"greater": above, "less": below, "two-sided": min(1, 2 * min(above, below))}
    walsh = sorted(
        (x + y) / 2 for at, x in enumerate(differences) for y in differences[: at + 1]
    )
    middle = len(walsh) // 2
    return {
        "n_zeros": differences.count(0),
        "rank_sum_1": plus,
        "rank_sum_2": minus,
        "median_diff": (walsh[middle] + walsh[-1 - middle]) / 2,
        "rank_biserial": (plus - minus) / sum(ranks) if ranks else math.nan,
        "p_value": p[alternative],
        "walsh": walsh,
    }


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(st.one_of(st.integers(0, 12), st.none()), min_size=3, max_size=3),
        min_size=1,
        max_size=7,
    ),
    st.sampled_from([1, 10, 1000]),
    st.sampled_from(["drop", "pratt"]),
    st.sampled_from(sorted(OPPOSITE)),
)
def test_every_pair_is_that_of_the_twin(rows, unit, zeros, alternative):
    columns = list(zip(*rows, strict=True))
    if all(value is None for row in rows for value in row):
        return
    scores = {
        name: [None if value is None else value / unit for value in column]
        for name, column in zip("ABC", columns, strict=True)
    }
    found = bp.wilcoxon(
        long(scores, "elo"), zeros=zeros, alternative=alternative, adjust="none"
    )
    pairs = list(combinations(range(3), 2))
    for row, (i, j) in zip(found.to_dict("records"), pairs, strict=True):
        differences = [
            Fraction(x - y, unit)
            for x, y in zip(columns[i], columns[j], strict=True)
            if x is not None and y is not None
        ]
        assert row["n_datasets"] == len(differences)
        if not differences:
            assert np.isnan([row["p_value"], row["mean_diff"], row["ci_level"]]).all()
            assert not row["significant"]
            continue
        expected = slow(differences, zeros, alternative)
        walsh = expected.pop("walsh")
        for name, value in expected.items():
            assert row[name] == pytest.approx(
                float(value), rel=1e-13, abs=1e-15, nan_ok=True
            )
        check_interval(row, walsh, len(differences), alternative)


def check_interval(row, walsh, n, alternative):
    """Check both ends and the level against the law of all vectors of signs."""
    law = sign_sums([Fraction(at) for at in range(1, n + 1)])
    sides = 2 if alternative == "two-sided" else 1
    k = 0
    while sides * Fraction(sum(v <= k for v in law), len(law)) <= Fraction(1, 20):
        k += 1
    level = 1 - sides * Fraction(sum(v <= k - 1 for v in law), len(law))
    assert row["ci_level"] == pytest.approx(float(level), rel=1e-14)
    low = -math.inf if k == 0 or alternative == "less" else float(walsh[k - 1])
    high = math.inf if k == 0 or alternative == "greater" else float(walsh[-k])
    assert row["ci_low"] == pytest.approx(low, rel=1e-13, abs=1e-15)
    assert row["ci_high"] == pytest.approx(high, rel=1e-13, abs=1e-15)


# --- boundaries ---------------------------------------------------------------------------


def test_a_p_value_equal_to_alpha_is_significant():
    six = of_differences([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    assert only(six)["p_value"] == 0.03125
    assert only(six, alpha=0.03125)["significant"]
    assert not only(six, alpha=np.nextafter(0.03125, 0))["significant"]
    assert not only(of_differences([1.0, 2.0, 3.0, 4.0, 5.0]))["significant"]  # 0.0625


def test_an_adjusted_p_value_equal_to_alpha_is_significant():
    # three pairs, each with the smallest p of six datasets: 3 / 32 after Holm
    frame = long({"A": [9, 8, 7, 6, 5, 4], "B": [6, 6, 6, 6, 6, 6.5], "C": [0] * 6}, "elo")
    frame["score"] = [4, 8, 12, 16, 20, 24, 2, 4, 6, 8, 10, 12, 1, 2, 3, 4, 5, 6]
    table = frame.beam.wilcoxon(alpha=3 / 32)
    assert table["p_value"].tolist() == [1 / 32] * 3
    assert table["p_adjusted"].tolist() == [3 / 32] * 3
    assert table["significant"].all()
    assert not frame.beam.wilcoxon(alpha=np.nextafter(3 / 32, 0))["significant"].any()


def test_sizes_equal_in_decimals_are_tied_though_their_floats_are_not():
    first = [0.3, 0.9, 0.7, 0.25, 0.9, 0.65]
    second = [0.2, 0.8, 0.8, 0.2, 0.85, 0.7]  # 0.1 0.1 -0.1 0.05 0.05 -0.05
    sizes = np.abs(np.array(first) - np.array(second))
    assert len(set(sizes)) > 2
    row = only(long({"A": first, "B": second}, "accuracy"))
    assert (row["rank_sum_1"], row["rank_sum_2"]) == (2 * 5 + 2 * 2, 5 + 2)
    signs = [Fraction(1), Fraction(1), -Fraction(1), *[Fraction(1, 2)] * 2, -Fraction(1, 2)]
    exact = slow(signs, "drop", "two-sided")["p_value"]
    assert row["p_value"] == float(exact)
    # without ties the ranks are 4 to 6 in whatever order rounding gives: another p
    untied = stats.wilcoxon(first, second, method="exact").pvalue
    assert row["p_value"] != untied


@pytest.mark.parametrize(("steps", "n_zeros"), [(45, 1), (46, 0)])
def test_scores_equal_up_to_the_bound_are_a_zero(steps, n_zeros):
    first = 1.0 + steps * 2.0**-52  # the last float within 1e-14 of 1, and the next
    assert (first - 1.0 <= 1e-14 * first) == (n_zeros == 1)
    row = only(long({"A": [first, 2.0, 3.0], "B": [1.0, 1.0, 1.0]}, "elo"))
    assert row["n_zeros"] == n_zeros


def test_the_rules_for_zeros_are_two():
    # Demsar (2006), C4.5+m against C4.5+m+cf: mushroom is equal
    table = DEMSAR.beam.wilcoxon().set_index(["method_1", "method_2"])
    pratt = DEMSAR.beam.wilcoxon(zeros="pratt").set_index(["method_1", "method_2"])
    pair = ("C4.5+m", "C4.5+m+cf")
    assert table.loc[pair, "n_zeros"] == pratt.loc[pair, "n_zeros"] > 0
    assert round(table.loc[pair, "p_value"], 3) == 0.354
    assert round(pratt.loc[pair, "p_value"], 3) == 0.450


@pytest.mark.skipif(
    tuple(map(int, scipy.__version__.split(".")[:2])) < (1, 17), reason="says it of 1.17"
)
def test_values_of_other_programs_are_not_these():
    """Hold what the page on this test says of scipy, where it is so."""
    row_1 = [2.0] * 6 + [-20.0]
    row_4 = [0, 0, 0, 1, 1, 1, 1, -1]
    row_6 = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, -1, -2, 6, 7]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert stats.wilcoxon(row_1, method="exact").pvalue == 0.296875
        pratt = stats.wilcoxon(row_4, zero_method="pratt", method="exact").pvalue
        assert round(pratt, 6) == 0.460938
        assert round(stats.wilcoxon(row_6).pvalue, 6) == 0.004182
    assert only(of_differences(row_1))["p_value"] == 0.359375
    assert only(of_differences(row_4), zeros="pratt")["p_value"] == 0.375
    assert only(of_differences(row_6))["p_value"] == 0.00244140625


@pytest.mark.parametrize("alternative", sorted(OPPOSITE))
def test_without_ties_it_is_that_of_scipy(alternative):
    rng = np.random.default_rng(5)
    scores = rng.normal(size=(4, 30)) + np.arange(4)[:, None] / 4
    frame = long({f"m{at}": row.tolist() for at, row in enumerate(scores)}, "elo")
    table = frame.beam.wilcoxon(alternative=alternative)
    for row, (i, j) in zip(table.itertuples(), combinations(range(4), 2), strict=True):
        expected = stats.wilcoxon(
            scores[i], scores[j], alternative=alternative, method="exact"
        )
        assert row.p_value == pytest.approx(expected.pvalue, rel=1e-12)
        t = min(row.rank_sum_1, row.rank_sum_2)
        assert expected.statistic == (t if alternative == "two-sided" else row.rank_sum_1)


# --- pairs, families, groups --------------------------------------------------------------


def test_exchange_of_the_methods_turns_the_row():
    there = long({"A": [3, 1, 4, 1, 5, 9, 2], "B": [2, 7, 1, 8, 2, 8, 1]}, "elo")
    back = there.assign(method=there["method"].map({"A": "B", "B": "A"}))
    for alternative, other in OPPOSITE.items():
        first = only(there, alternative=alternative)
        second = only(back, alternative=other)
        for name in ("n_datasets", "n_zeros", "ci_level", "p_value", "p_adjusted"):
            assert first[name] == second[name]
        for name in ("mean_diff", "median_diff", "cohen_d", "rank_biserial"):
            assert first[name] == -second[name] != 0
        assert first["rank_sum_1"] == second["rank_sum_2"]
        assert (first["ci_low"], first["ci_high"]) == (
            -second["ci_high"],
            -second["ci_low"],
        )
    assert only(there, alternative="greater")["ci_high"] == math.inf


def test_squares_of_a_result_are_turned_the_same_way():
    square = bp.to_matrix(DEMSAR.beam.wilcoxon(), "rank_sum_1")
    other = bp.to_matrix(DEMSAR.beam.wilcoxon(), "rank_sum_2")
    pd.testing.assert_frame_equal(square, other.T, check_names=False)


def test_only_the_pairs_with_the_control_are_the_family():
    every = DEMSAR.beam.wilcoxon()
    some = DEMSAR.beam.wilcoxon(control="C4.5+cf")
    chosen = every[(every["method_1"] == "C4.5+cf") | (every["method_2"] == "C4.5+cf")]
    columns = [name for name in some if name not in ("p_adjusted", "significant")]
    pd.testing.assert_frame_equal(some[columns], chosen[columns].reset_index(drop=True))
    smallest = some["p_value"].min()
    assert some.loc[some["p_value"].idxmin(), "p_adjusted"] == 3 * smallest


def test_each_pair_uses_the_datasets_that_it_shares():
    table = HOLE.beam.wilcoxon().set_index(["method_1", "method_2"])
    assert table["n_datasets"].tolist() == [6, 5, 5]
    assert table.loc[("A", "C"), "p_value"] == 0.0625


def test_pairs_without_a_shared_dataset_are_no_members_of_the_family():
    table = SPLIT.beam.wilcoxon()
    apart = table["n_datasets"] == 0
    assert apart.sum() == 4
    numbers = table.drop(columns=["metric", "method_1", "method_2", "significant"])
    assert numbers[apart].drop(columns=["n_datasets", "n_zeros"]).isna().all(axis=None)
    assert not table["significant"].any()
    assert table.loc[~apart, "p_adjusted"].tolist() == [0.5, 0.5]


def test_equal_methods_and_single_datasets():
    row = only(long({"A": [1, 2, 3], "B": [1, 2, 3]}, "elo"))
    assert (row["p_value"], row["n_zeros"], row["median_diff"]) == (1, 3, 0)
    assert np.isnan([row["rank_biserial"], row["cohen_d"]]).all()
    assert (
        only(long({"A": [1, 2], "B": [1, 2]}, "elo"), zeros="pratt")["rank_biserial"] == 0
    )
    row = only(long({"A": [2], "B": [1]}, "elo"))
    assert (row["p_value"], row["rank_biserial"], row["median_diff"]) == (1, 1, 1)
    assert math.isnan(row["cohen_d"])


def test_by_group_as_alone():
    frame = pd.concat([DEMSAR.assign(part="x"), DEMSAR.iloc[:-8].assign(part="y")])
    found = frame.groupby("part").beam.wilcoxon(zeros="pratt")
    for part, rows in frame.groupby("part"):
        alone = rows.beam.wilcoxon(zeros="pratt")
        mine = found[found["part"] == part].drop(columns="part").reset_index(drop=True)
        pd.testing.assert_frame_equal(mine, alone)


def test_without_a_level_there_is_no_estimate():
    fast, full = DEMSAR.beam.wilcoxon(confidence_level=None), DEMSAR.beam.wilcoxon()
    estimates = ["median_diff", "ci_low", "ci_high", "ci_level"]
    assert fast[estimates].isna().all(axis=None)
    pd.testing.assert_frame_equal(
        fast.drop(columns=estimates), full.drop(columns=estimates)
    )


def test_a_level_that_is_reached_on_its_bound():
    # five datasets: 2 P(T+ <= 0) = 1/16
    frame = of_differences([1.0, 2.0, 3.0, 4.0, 5.0])
    row = only(frame, confidence_level=1 - 1 / 16)
    assert (row["ci_low"], row["ci_high"], row["ci_level"]) == (1, 5, 1 - 1 / 16)
    row = only(frame, confidence_level=np.nextafter(1 - 1 / 16, 1))
    assert (row["ci_low"], row["ci_high"], row["ci_level"]) == (-math.inf, math.inf, 1)


# --- what is said -------------------------------------------------------------------------


def test_the_normal_law_is_said_once_a_call():
    rng = np.random.default_rng(1)
    many = {name: rng.integers(0, 9, 800).tolist() for name in "ABC"}
    frame = pd.concat([long(many, "elo"), long(many, "accuracy").assign(score=0.5)])
    with pytest.warns(bp.BeamWarning, match="of 3 of 6 pairs is of the normal law") as said:
        table = frame.beam.wilcoxon(confidence_level=None)
    assert len(said) == 1
    assert said[0].filename == __file__
    row = table[table["metric"] == "elo"].iloc[0]
    difference = np.array(many["A"]) - np.array(many["B"])
    expected = stats.wilcoxon(difference, correction=True, method="approx").pvalue
    assert row["p_value"] == pytest.approx(expected, abs=1e-4)  # corrects by half a rank


@pytest.mark.parametrize("adjust", ["shaffer", "bergmann_hommel"])
@pytest.mark.parametrize("name", ["wilcoxon", "pairwise"])
def test_adjustments_for_transitive_nulls_are_refused_in_words(name, adjust):
    with pytest.raises(bp.BeamError, match="transitive.* are not: .*mean_rank_tests"):
        getattr(bp, name)(DEMSAR, adjust=adjust)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"zeros": "zsplit"}, r"zeros must be one of \['drop', 'pratt'\], got 'zsplit'"),
        ({"alpha": 1.0}, "alpha must be a number between 0 and 1, got 1.0"),
        ({"adjust": "holmm"}, r"adjust must be one of \['holm', .*got 'holmm'"),
        ({"alternative": "better"}, "alternative must be one of"),
        ({"confidence_level": 95}, "confidence_level must be a number between 0 and 1"),
        ({"control": "C5"}, "control must be one of the methods 'C4.5'"),
        ({"errors": "ignore"}, "errors must be one of"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(bp.BeamError, match=message):
        DEMSAR.beam.wilcoxon(**options)


def test_there_is_no_rope_and_no_way_with_missing_scores():
    names = inspect.signature(bp.wilcoxon).parameters
    assert not {"rope", "missing", "method"} & set(names)
    with pytest.raises(TypeError, match="rope"):
        bp.wilcoxon(DEMSAR, rope=0.01)
    assert "no `rope`" in bp.wilcoxon.__doc__
