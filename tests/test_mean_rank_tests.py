from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy.special import erfc
from scipy.stats import norm

import beam_pandas as bp
from beam_pandas.kernels.row_ranks import rank_rows
from tests.strategies import frame_of, matrices
from tests.tables import DEMSAR, REFERENCE, TIES, long, ordered

few = settings(max_examples=30)

# 30 datasets with the rank sums of García, Herrera (2008), Table 4, on which all depends:
# ten on which all five are tied, 19 without ties, and one with CN2 and kNN tied
GH_METHODS = ["C4.5", "NaiveBayes", "CN2", "kNN", "Kernel"]
GH_ROWS = [
    *[[3, 3, 3, 3, 3]] * 10,
    [1, 2, 3.5, 3.5, 5],
    *[[1, 2, 4, 3, 5]] * 4,
    *[[1, 2, 3, 4, 5]] * 3,
    *[[2, 1, 3, 4, 5]] * 3,
    *[[1, 3, 2, 4, 5]] * 4,
    *[[3, 1, 2, 4, 5]],
    *[[3, 1, 4, 2, 5]] * 4,
]
GH = long(
    {
        name: [-row[at] for row in GH_ROWS]  # ranks as scores, more is better
        for at, name in enumerate(GH_METHODS)
    },
    "elo",
)
GH_ADJUST = ["holm", "hommel", "fdr_bh", "shaffer", "bergmann_hommel"]
# |z|, p, and adjusted as in GH_ADJUST: R p.adjust, scmamp, and Bergmann-Hommel after a
# running maximum (.030337 before it for NaiveBayes - kNN)
GH_VALUES = {
    "C4.5 Kernel": [5.4705, 4.48699e-08, *[4.48699e-07] * 5],
    "Kernel NaiveBayes": [
        *[5.2256, 1.73612e-07],
        *[1.5625e-06, 1.5625e-06, 8.6806e-07, 1.04167e-06, 1.04167e-06],
    ],
    "CN2 Kernel": [
        *[2.9802, 0.00288048, 0.0230438, 0.0201633, 0.0096016, 0.0172829, 0.0115219],
    ],
    "C4.5 kNN": [2.8169, 0.00484876, 0.0339413, 0.025526, 0.0121219, 0.0290926, 0.0290926],
    "Kernel kNN": [2.6536, 0.00796349, 0.0477809, 0.031908, 0.015927, 0.0477809, 0.031854],
    "NaiveBayes kNN": [
        *[2.5720, 0.0101123, 0.0505617, 0.0404493, 0.0168539, 0.0477809, 0.031854],
    ],
    "C4.5 CN2": [2.4903, 0.0127630, 0.051052, 0.0494893, 0.0182329, 0.051052, 0.038289],
    "CN2 NaiveBayes": [2.2454, 0.0247447, 0.0742342, 0.0742342, 0.0309309, 0.0742342, 0.038289],
    "CN2 kNN": [0.3266, 0.743971, 1, 0.806496, 0.806496, 1, 1],
    "C4.5 NaiveBayes": [0.2449, 0.806496, 1, 0.806496, 0.806496, 1, 1],
}  # fmt: skip


@pytest.mark.parametrize("adjust", GH_ADJUST)
def test_the_table_of_garcia_and_herrera(adjust):
    table = bp.mean_rank_tests(GH, adjust=adjust)
    pairs = table["method_1"] + " " + table["method_2"]
    expected = pd.DataFrame(GH_VALUES, index=["z", "p", *GH_ADJUST]).T
    assert sorted(pairs) == sorted(expected.index)
    np.testing.assert_allclose(
        table["statistic"].abs(), expected["z"].loc[pairs], atol=5.1e-5
    )
    np.testing.assert_allclose(table["p_value"], expected["p"].loc[pairs], rtol=2e-5)
    np.testing.assert_allclose(table["p_adjusted"], expected[adjust].loc[pairs], rtol=5e-5)
    ranks = bp.critical_difference(GH).set_index("method")["mean_rank"]
    assert ranks.round(4).to_dict() == {
        "C4.5": 2.1, "NaiveBayes": 2.2, "CN2": 3.1167, "kNN": 3.25, "Kernel": 4.3333
    }  # fmt: skip


def test_signs_and_order_of_pairs():
    table = bp.mean_rank_tests(REFERENCE)
    assert table["method_1"].tolist() == ["A", "A", "B"]
    assert table["method_2"].tolist() == ["B", "C", "C"]
    assert table["rank_diff"].round(4).tolist() == [-1.3333, -1.6667, -0.3333]
    error = np.sqrt(3 * 4 / (6 * 6))
    assert table["statistic"].tolist() == pytest.approx(table["rank_diff"] / error)
    nemenyi = bp.nemenyi(REFERENCE)
    same = ["mean_rank_1", "mean_rank_2", "rank_diff"]
    pd.testing.assert_frame_equal(table[same], nemenyi[same], check_exact=True)
    np.testing.assert_allclose(table["p_value"], nemenyi["p_value"], rtol=1e-14)


@few
@given(matrices(min_side=2))
def test_it_is_its_formula(matrix):
    ranks = rank_rows(matrix)
    n, k = ranks.shape
    first, second = np.triu_indices(k, 1)
    means = ranks.mean(axis=0)
    z = (means[second] - means[first]) / np.sqrt(k * (k + 1) / (6 * n))
    for alternative, p in (
        ("two-sided", erfc(abs(z) / np.sqrt(2))),
        ("greater", norm.sf(z)),
        ("less", norm.cdf(z)),
    ):
        table = bp.mean_rank_tests(frame_of(matrix), alternative=alternative, adjust="none")
        np.testing.assert_allclose(table["p_value"], p, rtol=1e-12)
        np.testing.assert_array_equal(table["p_adjusted"], table["p_value"])
        np.testing.assert_array_equal(table["significant"], table["p_value"] <= 0.05)


def dealt(ranks):
    """The law of the difference of the first two rank sums, by all ways to deal ranks."""
    rows = [list(permutations(Fraction(2 * r).limit_denominator() for r in row))
            for row in ranks.tolist()]  # fmt: skip
    differences = [sum(row[1] - row[0] for row in table) for table in product(*rows)]
    return np.array(differences, dtype=float) / 2


@settings(max_examples=15, deadline=None)
@given(matrices(min_side=2, max_side=3))
def test_the_exact_law_is_that_of_all_ways_to_deal_the_ranks(matrix):
    ranks = rank_rows(matrix)
    law = dealt(ranks)
    first, second = np.triu_indices(ranks.shape[1], 1)
    sums = ranks.sum(axis=0)
    found = sums[second] - sums[first]
    expected = {
        "two-sided": [(abs(law) >= abs(d)).mean() for d in found],
        "greater": [(law >= d).mean() for d in found],
        "less": [(law <= d).mean() for d in found],
    }
    plain = bp.mean_rank_tests(frame_of(matrix))
    for alternative, p in expected.items():
        table = bp.mean_rank_tests(frame_of(matrix), exact=True, alternative=alternative)
        np.testing.assert_allclose(table["p_value"], p, rtol=1e-13)
        pd.testing.assert_series_equal(table["statistic"], plain["statistic"])


# Eisinga et al. (2017) by PMCMRplus pexactfrsd: k 3, N 4, difference 5 of the rank sums
def test_the_exact_p_value_of_a_table_without_ties():
    # rank sums 5, 10, 9
    frame = long({"A": [3, 3, 3, 2], "B": [2, 2, 1, 1], "C": [1, 1, 2, 3]}, "elo")
    table = bp.mean_rank_tests(frame, exact=True, adjust="none")
    by_difference = dict(
        zip((4 * table["rank_diff"].abs()).round(), table["p_value"], strict=True)
    )
    assert table["rank_diff"].tolist() == [1.25, 1.0, -0.25]
    assert by_difference[5.0] == pytest.approx(0.112654320987654, rel=1e-14)


def test_a_p_value_equal_to_alpha_is_significant():
    two = long({"A": [2] * 5, "B": [1] * 5}, "elo")  # exact p .0625, a power of two
    at, below = 0.0625, np.nextafter(0.0625, 0)
    for alpha, expected in ((at, True), (below, False)):
        table = bp.mean_rank_tests(two, exact=True, alpha=alpha)
        assert table["p_adjusted"].tolist() == [0.0625]
        assert table["significant"].tolist() == [expected]


def test_equal_gaps_have_equal_p_values():
    table = bp.mean_rank_tests(ordered(7, 3), adjust="bergmann_hommel")
    for _, same in table.groupby(table["rank_diff"].round(9)):
        assert len(set(same["p_value"])) == len(set(same["p_adjusted"])) == 1


@few
@given(matrices(min_side=2, max_side=5))
def test_the_logical_adjustments_are_no_larger_than_holm_and_rise_with_p(matrix):
    frame = frame_of(matrix)
    adjusted = {
        adjust: bp.mean_rank_tests(frame, adjust=adjust)["p_adjusted"].to_numpy()
        for adjust in ("holm", "shaffer", "bergmann_hommel")
    }
    p = bp.mean_rank_tests(frame, adjust="none")["p_value"].to_numpy()
    assert (adjusted["shaffer"] <= adjusted["holm"]).all()
    assert (adjusted["bergmann_hommel"] <= adjusted["shaffer"]).all()
    order = np.argsort(p)
    for values in adjusted.values():
        assert (values >= p).all()
        assert (np.diff(values[order]) >= 0).all()


def test_a_control_makes_the_family_its_pairs():
    table = bp.mean_rank_tests(DEMSAR, control="C4.5", adjust="holm")
    assert len(table) == 3
    assert ((table["method_1"] == "C4.5") | (table["method_2"] == "C4.5")).all()
    other = bp.compare_to_control(DEMSAR, "C4.5")
    assert sorted(table["p_adjusted"]) == pytest.approx(sorted(other["p_adjusted"]))
    with pytest.raises(bp.BeamError, match="control must be one of the methods"):
        bp.mean_rank_tests(DEMSAR, control="C5")


@pytest.mark.parametrize("adjust", ["shaffer", "bergmann_hommel"])
def test_the_logical_adjustments_are_for_all_pairs_and_two_sides(adjust):
    with pytest.raises(bp.BeamError, match=f"adjust='{adjust}' is for all pairs"):
        bp.mean_rank_tests(REFERENCE, adjust=adjust, control="A")
    with pytest.raises(bp.BeamError, match="is for alternative='two-sided', got 'less'"):
        bp.mean_rank_tests(REFERENCE, adjust=adjust, alternative="less")
    with pytest.raises(bp.BeamError, match="those of the sign test are not.*mean_rank"):
        bp.pairwise(REFERENCE, adjust=adjust)


def test_bergmann_hommel_goes_to_twelve_methods():
    assert len(bp.mean_rank_tests(ordered(12, 3), adjust="bergmann_hommel")) == 66
    message = r"goes to 12 methods, found 13 in metric 'accuracy': use adjust='shaffer'"
    with pytest.raises(bp.BeamError, match=message):
        bp.mean_rank_tests(ordered(13, 3), adjust="bergmann_hommel")
    both = pd.concat([ordered(13, 3), ordered(12, 3).assign(metric="f1")])
    with pytest.warns(bp.BeamWarning, match="1 of 2 metrics are left out"):
        left = bp.mean_rank_tests(
            both, adjust="bergmann_hommel", errors="warn", missing="drop_methods"
        )
    assert left["metric"].unique().tolist() == ["f1"]


def test_an_exact_law_that_is_too_large_says_how_far_it_goes():
    with pytest.raises(bp.BeamError) as caught:
        bp.mean_rank_tests(ordered(40, 6000), exact=True)
    message = str(caught.value)
    assert "exact=True with 40 methods goes to" in message
    assert "found 6,000 datasets in metric 'accuracy': leave exact out" in message


def test_odd_options_are_refused():
    with pytest.raises(bp.BeamError, match="exact must be True or False, got 1"):
        bp.mean_rank_tests(TIES, exact=1)
    with pytest.raises(bp.BeamError, match="adjust must be one of .*'bergmann_hommel'"):
        bp.mean_rank_tests(TIES, adjust="finner")


def test_all_scores_equal():
    equal = TIES.assign(score=0.5)
    for exact in (False, True):
        table = bp.mean_rank_tests(equal, exact=exact, adjust="bergmann_hommel")
        assert table["statistic"].tolist() == [0.0] * 3
        assert table["p_adjusted"].tolist() == [1.0] * 3
        assert not table["significant"].any()
