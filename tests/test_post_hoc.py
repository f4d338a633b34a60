from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from scipy.stats import binomtest, norm, rankdata, studentized_range

import beam_pandas as bp
from beam_pandas.kernels.adjustment import adjust_p_values
from tests.strategies import frame_of, matrices
from tests.tables import (
    CYCLE,
    DEMSAR,
    DEMSAR_RANKED,
    FEW,
    HOLE,
    REFERENCE,
    SPLIT,
    TIES,
    TWO,
    long,
    ordered,
)


def p_values(frame, **kwargs):
    table = bp.nemenyi(frame, **kwargs)
    return dict(
        zip(table["method_1"] + table["method_2"], table["p_adjusted"], strict=True)
    )


# scikit-posthocs 0.17.1: posthoc_nemenyi_friedman gives the same to four decimals
@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (REFERENCE, {"AB": 0.0545, "AC": 0.0109, "BC": 0.8322}),
        (TIES, {"AB": 0.7593, "AC": 0.1263, "BC": 0.4310}),
        (ordered(3, 5), {"m1m2": 0.2538, "m1m3": 0.0045, "m2m3": 0.2538}),
        (TWO, {"AB": 0.0339}),
        (CYCLE, {"AB": 1.0, "AC": 1.0, "BC": 1.0}),
    ],
)
def test_nemenyi_of_known_tables(frame, expected):
    assert p_values(frame) == pytest.approx(expected, abs=5e-5)


def test_nemenyi_of_a_widely_copied_example():
    frame = long(
        {
            "g1": [4, 6, 3, 4, 3, 2, 2, 7, 6, 5],
            "g2": [5, 6, 8, 7, 7, 8, 4, 6, 4, 5],
            "g3": [2, 2, 5, 3, 2, 2, 1, 4, 3, 2],
        }
    )
    expected = {"g1g2": 0.4355, "g1g3": 0.0653, "g2g3": 0.0015}
    assert p_values(frame, higher_is_better=False) == pytest.approx(expected, abs=5e-5)


def test_nemenyi_signs_and_order_of_pairs():
    table = bp.nemenyi(REFERENCE)
    assert table["method_1"].tolist() == ["A", "A", "B"]
    assert table["method_2"].tolist() == ["B", "C", "C"]
    assert table["rank_diff"].round(4).tolist() == [-1.3333, -1.6667, -0.3333]
    assert table["significant"].tolist() == [False, True, False]


@given(matrices())
@pytest.mark.filterwarnings("ignore::beam_pandas.BeamWarning")
def test_nemenyi_equals_the_studentized_range_of_scipy(matrix):
    table = bp.nemenyi(frame_of(matrix))
    n, k = matrix.shape
    q = table["rank_diff"].abs() / np.sqrt(k * (k + 1) / (12 * n))
    expected = studentized_range.sf(q, k, np.inf)
    np.testing.assert_allclose(table["p_adjusted"], expected, atol=1e-9, rtol=0)
    error = np.sqrt(k * (k + 1) / (6 * n))
    z = table["rank_diff"] / error
    np.testing.assert_allclose(table["p_value"], 2 * norm.sf(abs(z)), rtol=1e-12)
    np.testing.assert_array_equal(
        table["rank_diff"], table["mean_rank_2"] - table["mean_rank_1"]
    )


def test_nemenyi_far_apart_is_a_small_number_and_no_zero():
    table = bp.nemenyi(ordered(2, 600))
    assert 1e-140 < table["p_adjusted"].iloc[0] < 1e-120


# Demšar (2006), section 3.2.2: against C4.5 at .05 q 2.394, CD 1.16; C4.5+m+cf differs
# by 1.179, C4.5+m by 1.143, C4.5+cf by .250.
def test_bonferroni_dunn_of_demsar():
    dunn = bp.compare_to_control(DEMSAR_RANKED, "C4.5", adjust="bonferroni")
    table = dunn.set_index("method")
    assert table["rank_diff"].round(3).to_dict() == {
        "C4.5+m+cf": 1.179,
        "C4.5+m": 1.143,
        "C4.5+cf": 0.25,
    }
    assert table["significant"].tolist() == [True, False, False]
    assert table["critical_difference"].round(3).unique().tolist() == [1.168]
    assert table["control"].unique().tolist() == ["C4.5"]
    q = table["critical_difference"].iloc[0] / np.sqrt(4 * 5 / (6 * 14))
    assert round(q, 3) == 2.394


@given(matrices(min_side=2))
@pytest.mark.filterwarnings("ignore::beam_pandas.BeamWarning")
def test_control_equals_its_formula(matrix):
    frame = frame_of(matrix)
    n, k = matrix.shape
    table = bp.compare_to_control(frame, "m0", adjust="none")
    means = bp.critical_difference(frame).set_index("method")["mean_rank"]
    error = np.sqrt(k * (k + 1) / (6 * n))
    z = (means["m0"] - means[table["method"]].to_numpy()) / error
    np.testing.assert_allclose(table["statistic"], z, atol=1e-12)
    np.testing.assert_allclose(table["p_value"], 2 * norm.sf(abs(z)), rtol=1e-12)
    np.testing.assert_allclose(table["critical_difference"], norm.isf(0.025) * error)
    assert table["method"].tolist() == [m for m in means.index if m != "m0"]
    assert table["mean_rank"].tolist() == means[table["method"]].tolist()
    assert (table["control_mean_rank"] == means["m0"]).all()


@pytest.mark.parametrize("adjust", ["holm", "hochberg", "fdr_bh"])
def test_step_methods_have_no_single_critical_difference(adjust):
    table = bp.compare_to_control(DEMSAR_RANKED, "C4.5", adjust=adjust)
    assert table["critical_difference"].isna().all()
    assert table["significant"].tolist() == [True, True, False]


def test_adjusted_p_values_of_a_control():
    p_value = bp.compare_to_control(DEMSAR_RANKED, "C4.5")["p_value"]
    holm = bp.compare_to_control(DEMSAR_RANKED, "C4.5")["p_adjusted"]
    told = bp.compare_to_control(DEMSAR_RANKED, "C4.5", adjust="bonferroni")
    dunn = told["p_adjusted"]
    assert holm.tolist() == pytest.approx(
        [3 * p_value[0], 3 * p_value[0], p_value[2]]
    )  # monotone
    assert dunn.tolist() == pytest.approx([3 * p_value[0], 3 * p_value[1], 1.0])


def test_a_control_that_is_not_there_is_refused():
    message = r"control must be one of the methods 'A', 'B', 'C' in metric 'elo', got 'D'"
    with pytest.raises(bp.BeamError, match=message):
        bp.compare_to_control(REFERENCE, "D")
    frame = pd.concat([REFERENCE, long({"D": [1]}, "elo")])
    with pytest.raises(
        bp.BeamError, match="got 'D'; it lacks datasets, missing='drop_methods' drops it"
    ):
        bp.compare_to_control(frame, "D", missing="drop_methods")
    for odd in (["A"], np.array(["A", "B"]), pd.NA, None, True, pd.Series(["A"])):
        with pytest.raises(bp.BeamError, match="control must be one of the methods"):
            bp.compare_to_control(REFERENCE, odd)
    numbered = REFERENCE.assign(method=REFERENCE["method"].map(ord))
    with pytest.raises(bp.BeamError, match="got True"):
        bp.compare_to_control(numbered.replace({"method": {65: 1}}), True)


def test_an_adjustment_that_is_none_is_refused():
    message = (
        r"adjust must be one of \['holm', 'hochberg', 'hommel', 'bonferroni', 'fdr_bh', 'none'\], "
        "got 'holmm'"
    )
    with pytest.raises(bp.BeamError, match=message):
        bp.compare_to_control(REFERENCE, "A", adjust="holmm")


def test_too_few_datasets_to_differ_from_a_control_is_said():
    for adjust in ("bonferroni", "holm", "hochberg", "none"):
        with pytest.warns(
            bp.BeamWarning, match="no method can differ from the control.*2 data"
        ):
            bp.compare_to_control(
                FEW, "m0", alpha=1e-5, adjust=adjust, higher_is_better=True
            )


def test_swapping_two_methods_turns_the_difference():
    swapped = REFERENCE.assign(
        method=REFERENCE["method"].map({"A": "C", "B": "B", "C": "A"})
    )
    before, after = bp.nemenyi(REFERENCE), bp.nemenyi(swapped)
    assert after["rank_diff"].tolist() == pytest.approx(
        (-before["rank_diff"][::-1]).tolist()
    )
    assert after["p_value"].tolist() == before["p_value"][::-1].tolist()


def by_hand(frame, control, method):
    """Shared datasets, wins, losses and the mean difference from a wide table."""
    wide = bp.wide_scores(frame)
    gap = (wide[method] - wide[control]).dropna().round(12)
    return len(gap), (gap > 0).sum(), (gap < 0).sum(), gap.mean(), gap[gap != 0]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("test", ["sign", "wilcoxon"])
def test_a_control_on_shared_datasets(test, alternative):
    frame = pd.concat([HOLE, long({"D": [None, 0.6, 0.75, 0.5, 0.6, None]}, "accuracy")])
    table = bp.compare_to_control(frame, "B", test=test, alternative=alternative)
    assert table["method"].tolist() == ["A", "D", "C"]  # 1, 0, -1: wins minus losses
    for row in table.itertuples():
        n, wins, losses, mean, gap = by_hand(frame, "B", row.method)
        assert row.n_datasets == n
        assert row.share_better == pytest.approx(wins / n)
        assert row.share_worse == pytest.approx(losses / n)
        assert row.mean_diff == pytest.approx(mean)
        if test == "sign":
            expected = binomtest(wins, wins + losses, 0.5, alternative).pvalue
        else:
            signs = np.array(list(product([-1, 1], repeat=len(gap))))
            ranks = rankdata(gap.abs())
            law, found = signs @ ranks, np.sign(gap) @ ranks
            expected = {
                "two-sided": (abs(law) >= abs(found)).mean(),
                "greater": (law >= found).mean(),
                "less": (law <= found).mean(),
            }[alternative]
        assert row.p_value == pytest.approx(expected, rel=1e-12)
    unknown = ["control_mean_rank", "mean_rank", "rank_diff", "critical_difference"]
    assert table[[*unknown, "statistic"]].isna().all(axis=None)
    assert (
        table["p_adjusted"].tolist()
        == adjust_p_values(table["p_value"].to_numpy(), "holm").tolist()
    )


@pytest.mark.parametrize("test", ["sign", "wilcoxon"])
def test_a_control_on_shared_datasets_does_not_depend_on_the_pool(test):
    alone = DEMSAR[DEMSAR["method"].isin(["C4.5", "C4.5+m"])]
    kwargs = {"test": test, "adjust": "none"}
    one = bp.compare_to_control(alone, "C4.5", **kwargs)
    all_ = bp.compare_to_control(DEMSAR, "C4.5", **kwargs).query("method == 'C4.5+m'")
    pd.testing.assert_frame_equal(all_.reset_index(drop=True), one)
    pairs = bp.pairwise(DEMSAR, control="C4.5", adjust="none").set_index("method_2")
    if test == "sign":
        assert all_["p_value"].item() == pairs["p_value"]["C4.5+m"]
    assert all_["mean_diff"].item() == -pairs["mean_diff"]["C4.5+m"]


def test_a_control_that_a_method_never_met():
    table = bp.compare_to_control(SPLIT, "A", test="sign").set_index("method")
    assert table.index.tolist() == ["B", "C", "D"]
    assert table.loc[["C", "D"], "n_datasets"].tolist() == [0, 0]
    unknown = ["share_better", "share_worse", "mean_diff", "p_value", "p_adjusted"]
    assert table.loc[["C", "D"], unknown].isna().all(axis=None)
    assert not table["significant"].any()
    assert table.loc["B", "p_adjusted"] == table.loc["B", "p_value"] == 0.25  # 0 : 3


@given(matrices(min_side=2))
@pytest.mark.filterwarnings("ignore::beam_pandas.BeamWarning")
def test_shares_and_mean_difference_of_mean_ranks_are_those_of_pairs(matrix):
    frame = frame_of(matrix)
    pairs = bp.pairwise(frame, control="m0").set_index("method_2")
    for test in ("mean_rank", "sign"):
        table = bp.compare_to_control(frame, "m0", test=test).set_index("method")
        same = pairs.loc[table.index]
        np.testing.assert_array_equal(table["share_better"], same["share_worse"])
        np.testing.assert_array_equal(table["share_worse"], same["share_better"])
        np.testing.assert_allclose(table["mean_diff"], -same["mean_diff"], atol=1e-15)


def test_shares_of_mean_ranks_with_missing_scores_as_the_worst():
    table = bp.compare_to_control(HOLE, "A", missing="worst").set_index("method")
    assert table.loc["C", "share_worse"] == 1.0
    assert table.loc["C", "n_datasets"] == 6
    assert table.loc["C", "mean_diff"] == pytest.approx(-0.18)  # over what is there
    back = bp.compare_to_control(HOLE, "C", missing="worst").set_index("method")
    assert back.loc["A", "share_better"] == 1.0


def test_missing_is_for_mean_ranks():
    for test in ("sign", "wilcoxon"):
        with pytest.raises(bp.BeamError, match=f"test='{test}' compares on the datasets"):
            bp.compare_to_control(HOLE, "A", test=test, missing="worst")
    with pytest.raises(bp.BeamError, match="missing must be one of"):
        bp.compare_to_control(HOLE, "A", test="sign", missing="available")
    with pytest.raises(bp.BeamError, match=r"test must be one of \['mean_rank', 'sign'"):
        bp.compare_to_control(HOLE, "A", test="t")
    with pytest.raises(bp.BeamError, match="adjust='shaffer' needs hypotheses"):
        bp.compare_to_control(REFERENCE, "A", adjust="shaffer")


def test_too_many_datasets_for_the_exact_law_of_signed_ranks_is_said():
    rng = np.random.default_rng(1)
    frame = frame_of(rng.integers(0, 4, size=(700, 3)).astype(float), "elo")
    with pytest.warns(bp.BeamWarning, match="2 p-values of 2 .* come from the normal law"):
        bp.compare_to_control(frame, "m0", test="wilcoxon")
