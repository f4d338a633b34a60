"""Mean differences over many items: values of statsmodels, a twin in fractions, families."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import beam_pandas as bp
from beam_pandas.gate.scores import read_clusters, read_scores
from tests.tables import HOLE, SPLIT, long

SIX = long({"A": [1, 2, 3, 4, 0, -1], "B": [0] * 6}, "elo")
FAMILIES = SIX.assign(passage=["a", "a", "b", "b", "c", "c"] * 2)


def only(frame, **options):
    (row,) = frame.beam.mean_difference_tests(**options).to_dict("records")
    return row


def test_families_of_two():
    # statsmodels 0.15: OLS(d, ones).fit(cov_type="cluster", groups=..., use_t=True)
    row = only(FAMILIES, cluster="passage")
    assert (row["n_datasets"], row["n_clusters"], row["df"]) == (6, 3, 2)
    assert row["mean_diff"] == 1.5
    assert row["standard_error"] == pytest.approx(1.1547005383792515, rel=1e-15)
    assert row["statistic"] == pytest.approx(1.29903811, abs=5e-9)
    assert row["p_value"] == pytest.approx(0.323518574797454, rel=1e-14)
    assert row["ci_low"] == pytest.approx(-3.46827542, abs=5e-9)
    assert row["ci_high"] == pytest.approx(6.46827542, abs=5e-9)
    assert row["smallest_detectable"] == pytest.approx(6.193020294892249, rel=1e-14)
    assert not row["significant"]


def test_every_dataset_its_own_family_is_the_paired_t_test():
    # statsmodels 0.15, and scipy 1.17: ttest_1samp
    row = only(FAMILIES)
    assert (row["n_clusters"], row["df"]) == (6, 5)
    assert row["standard_error"] == pytest.approx(0.763762615825973, rel=1e-15)
    assert row["statistic"] == pytest.approx(1.96396101, abs=5e-9)
    assert row["p_value"] == pytest.approx(0.106745522355092, rel=1e-13)
    assert row["smallest_detectable"] == pytest.approx(2.665627469943562, rel=1e-14)
    assert row == only(FAMILIES, cluster="dataset")


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_all_of_scipy_without_families(alternative):
    rng = np.random.default_rng(3)
    scores = {name: rng.normal(size=40).tolist() for name in "ABC"}
    frame = long(scores, "elo")
    table = frame.beam.mean_difference_tests(
        alternative=alternative, adjust="none", confidence_level=0.9
    )
    for row, (i, j) in zip(table.itertuples(), combinations("ABC", 2), strict=True):
        test = stats.ttest_rel(scores[i], scores[j], alternative=alternative)
        assert row.p_value == row.p_adjusted == pytest.approx(test.pvalue, rel=1e-12)
        assert row.statistic == pytest.approx(test.statistic, rel=1e-12)
        ends = test.confidence_interval(0.9)
        assert (row.ci_low, row.ci_high) == pytest.approx((ends.low, ends.high), rel=1e-11)


# --- the twin -----------------------------------------------------------------------------


def slow(differences, families):
    """Mean and squared standard error in fractions, item by item."""
    n, names = len(differences), sorted(set(families))
    mean = sum(differences, Fraction(0)) / n
    if len(names) < 2:
        return mean, len(names), None
    total = Fraction(0)
    for name in names:
        inside = [d - mean for d, f in zip(differences, families, strict=True) if f == name]
        total += sum(inside, Fraction(0)) ** 2
    return mean, len(names), Fraction(len(names), len(names) - 1) * total / n**2


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(*[st.one_of(st.integers(0, 20), st.none())] * 3, st.sampled_from("xyz")),
        min_size=1,
        max_size=9,
    ),
    st.sampled_from([1, 10, 1000]),
    st.booleans(),
)
def test_every_pair_is_that_of_the_twin(rows, unit, lower):
    *columns, families = zip(*rows, strict=True)
    if all(value is None for column in columns for value in column):
        return
    scores = {
        name: [None if value is None else value / unit for value in column]
        for name, column in zip("ABC", columns, strict=True)
    }
    frame = long(scores, "elo").assign(family=list(families) * 3)
    found = frame.beam.mean_difference_tests(cluster="family", higher_is_better=not lower)
    for row, (i, j) in zip(
        found.to_dict("records"), combinations(range(3), 2), strict=True
    ):
        both = [
            (Fraction(x - y, -unit if lower else unit), family)
            for x, y, family in zip(columns[i], columns[j], families, strict=True)
            if x is not None and y is not None
        ]
        assert row["n_datasets"] == len(both)
        if not both:
            assert math.isnan(row["mean_diff"])
            continue
        mean, n_clusters, square = slow(*map(list, zip(*both, strict=True)))
        assert row["mean_diff"] == pytest.approx(float(mean), rel=1e-12, abs=1e-15)
        assert (row["n_clusters"], row["df"]) == (n_clusters, n_clusters - 1)
        if square is None:
            assert np.isnan([row["standard_error"], row["p_value"], row["ci_low"]]).all()
            continue
        error = math.sqrt(square)
        assert row["standard_error"] == pytest.approx(error, rel=1e-12, abs=1e-15)
        if square:
            p = 2 * stats.t.sf(abs(float(mean)) / error, n_clusters - 1)
            assert row["p_value"] == pytest.approx(p, rel=1e-10)
        else:
            assert row["p_value"] == (mean == 0)


# --- edges --------------------------------------------------------------------------------


def test_a_p_value_equal_to_alpha_is_significant():
    row = only(FAMILIES)
    assert only(FAMILIES, alpha=row["p_value"])["significant"]
    assert not only(FAMILIES, alpha=np.nextafter(row["p_value"], 0))["significant"]


def test_exchange_of_the_methods_turns_the_row():
    back = FAMILIES.assign(method=FAMILIES["method"].map({"A": "B", "B": "A"}))
    first, second = only(FAMILIES, cluster="passage"), only(back, cluster="passage")
    for name in ("mean_diff", "statistic"):
        assert first[name] == -second[name]
    for name in ("standard_error", "df", "p_value", "smallest_detectable", "n_clusters"):
        assert first[name] == second[name]
    assert (first["ci_low"], first["ci_high"]) == (-second["ci_high"], -second["ci_low"])


def test_no_spread_and_no_difference():
    row = only(long({"A": [0.9, 0.8, 0.4], "B": [0.8, 0.7, 0.3]}, "accuracy"))
    assert (row["standard_error"], row["statistic"], row["p_value"]) == (0, math.inf, 0)
    row = only(long({"A": [0.9, 0.8], "B": [0.9, 0.8]}, "accuracy"))
    assert (row["standard_error"], row["statistic"], row["p_value"]) == (0, 0, 1)


def test_one_family_says_nothing_of_the_spread():
    row = only(SIX.assign(passage=1), cluster="passage")
    assert (row["mean_diff"], row["n_clusters"], row["df"]) == (1.5, 1, 0)
    assert np.isnan([row["standard_error"], row["p_value"], row["p_adjusted"]]).all()
    assert not row["significant"]


def test_pairs_without_a_shared_dataset_are_no_members_of_the_family():
    found = SPLIT.beam.mean_difference_tests()
    apart = found["n_datasets"] == 0
    assert (found.loc[apart, ["n_clusters", "df"]] == 0).all(axis=None)
    assert found.loc[apart, ["mean_diff", "p_value", "p_adjusted"]].isna().all(axis=None)
    assert not found.loc[apart, "significant"].any()


def test_only_the_pairs_with_the_control_are_the_family():
    table = HOLE.beam.mean_difference_tests(control="B", adjust="bonferroni")
    assert list(zip(table["method_1"], table["method_2"], strict=True)) == [
        ("A", "B"),
        ("B", "C"),
    ]
    every = HOLE.beam.mean_difference_tests(adjust="none")
    both = every[(every["method_1"] == "B") | (every["method_2"] == "B")]
    expected = np.minimum(2 * both["p_value"].to_numpy(), 1)
    np.testing.assert_array_equal(table["p_adjusted"], expected)


def test_the_smallest_difference_is_found_with_the_power_asked_for():
    """Hold the formula against the law of t where the difference is that large."""
    row = only(long({"A": np.linspace(-1, 1, 400).tolist(), "B": [0.0] * 400}, "elo"))
    shift = row["smallest_detectable"] / row["standard_error"]
    critical = stats.t.isf(0.025, 399)
    assert stats.nct.sf(critical, 399, shift) == pytest.approx(0.8, abs=2e-3)
    assert only(FAMILIES, power=0.9)["smallest_detectable"] > 2.67


# --- the column of the families -----------------------------------------------------------


def matrix_of(frame):
    (matrix,) = read_scores(frame, higher_is_better=True)
    return matrix


def test_numbers_of_families_depend_on_no_order():
    codes = [0, 0, 1, 1, 2, 2]
    names = {"a": "z", "b": "y", "c": "x"}
    for frame in (
        FAMILIES,
        FAMILIES.iloc[::-1],
        FAMILIES.assign(passage=FAMILIES["passage"].map(names)),
        FAMILIES.assign(passage=FAMILIES["passage"].astype("category")),
        FAMILIES.assign(passage=pd.factorize(FAMILIES["passage"])[0] * 1.5),
        FAMILIES.assign(dataset=FAMILIES["dataset"].astype("category")),
        FAMILIES.drop(columns="metric"),
    ):
        assert read_clusters(frame, "passage", matrix_of(frame)).tolist() == codes


def test_rows_without_a_score_and_of_other_metrics_have_no_say():
    absent = FAMILIES.iloc[[0]].assign(method="C", score=np.nan, passage=None)
    other = FAMILIES.iloc[[0]].assign(metric="accuracy", score=0.5, passage="b")
    frame = pd.concat([absent, FAMILIES, other], ignore_index=True)
    found = frame.beam.mean_difference_tests(cluster="passage", control="A")
    row = found[(found["metric"] == "elo") & (found["method_2"] == "B")].iloc[0]
    assert row["standard_error"] == only(FAMILIES, cluster="passage")["standard_error"]


@pytest.mark.parametrize(
    ("passages", "found"),
    [
        ({3: "z"}, "found 'b', 'z' for 'd04' in metric 'elo'"),
        ({3: None, 9: None}, "found a missing value for 'd04' in metric 'elo'"),
        ({9: None}, "found 'b' and a missing value for 'd04' in metric 'elo'"),
    ],
)
@pytest.mark.parametrize("errors", ["raise", "warn"])
def test_a_dataset_in_several_families_is_named(passages, found, errors):
    frame = FAMILIES.copy()
    for at, passage in passages.items():
        frame.loc[at, "passage"] = passage
    with pytest.raises(bp.BeamError, match=f"cluster='passage' needs one value.*{found}"):
        frame.beam.mean_difference_tests(cluster="passage", errors=errors)


def test_columns_that_are_none_are_refused():
    with pytest.raises(bp.MissingColumnsError, match="one of 'method', .*got 'passages'"):
        FAMILIES.beam.mean_difference_tests(cluster="passages")
    with pytest.raises(bp.BeamError, match="cluster must be the name of a column, got 3"):
        FAMILIES.beam.mean_difference_tests(cluster=3)
    twice = pd.concat([FAMILIES, FAMILIES[["passage"]]], axis=1)
    with pytest.raises(bp.BeamError, match="found 2 of that name"):
        twice.beam.mean_difference_tests(cluster="passage")
    lists = FAMILIES.assign(passage=[[1]] * 12)
    with pytest.raises(bp.BeamError, match="by a text, a number or a date, found list"):
        lists.beam.mean_difference_tests(cluster="passage")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"power": 80}, "power must be a number between 0 and 1, got 80"),
        ({"alpha": 0}, "alpha must be a number between 0 and 1"),
        ({"confidence_level": None}, "confidence_level must be a number between 0 and 1"),
        ({"alternative": "better"}, "alternative must be one of"),
        ({"adjust": "tukey"}, "adjust must be one of"),
        ({"control": "C"}, "control must be one of the methods 'A', 'B'"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(bp.BeamError, match=message):
        SIX.beam.mean_difference_tests(**options)


def test_without_families_zero_and_one_scores_agree_with_counts():
    rng = np.random.default_rng(0)
    frame = long({name: rng.integers(0, 2, 500).tolist() for name in "AB"}, "accuracy")
    pair, row = frame.beam.pairwise().iloc[0], only(frame)
    assert row["mean_diff"] == pytest.approx(
        (pair["wins"] - pair["losses"]) / 500, rel=1e-12
    )
