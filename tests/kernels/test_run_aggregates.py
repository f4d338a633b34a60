from fractions import Fraction
from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from scipy.stats import trim_mean

from beam_pandas.kernels import draws as draws_module
from beam_pandas.kernels import run_aggregates as module
from beam_pandas.kernels import run_draws
from beam_pandas.kernels.draws import percentile_interval
from beam_pandas.kernels.run_aggregates import (
    KINDS,
    aggregate_over_runs,
    ends_of_datasets,
    rescale,
)
from beam_pandas.kernels.run_draws import RESAMPLES, draw_runs, pick_runs

VALUES = st.one_of(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]), st.floats(-2.0, 2.0))


@st.composite
def tables(draw, *, ragged=True, max_side=4):
    sides = st.integers(1, max_side)
    shape = draw(st.tuples(st.integers(1, 3), sides, sides))
    scores = draw(npst.arrays(np.float64, shape, elements=VALUES))
    if ragged:
        gone = draw(npst.arrays(np.bool_, shape, elements=st.booleans()))
        gone[:, :, draw(st.integers(0, shape[2] - 1))] = False
        scores[gone] = np.nan
    return scores


def run(scores, kind, resample="datasets", *, n_resamples=20, level=0.9, seed=0, **kwargs):
    return aggregate_over_runs(
        scores,
        kind,
        resample=resample,
        n_resamples=n_resamples,
        confidence_level=level,
        rng=np.random.default_rng(seed),
        **kwargs,
    )


def naive_iqm(cells):
    """Weighted trimmed mean in fractions, one score after the other."""
    pairs = sorted((Fraction(x), Fraction(1, len(cell))) for cell in cells for x in cell)
    total = sum(weight for _, weight in pairs)
    cut = Fraction(len(pairs) // 4, len(pairs)) * total
    low, high, below, value = cut, total - cut, Fraction(0), Fraction(0)
    for x, weight in pairs:
        kept = min(below + weight, high) - max(below, low)
        value += max(kept, Fraction(0)) * x
        below += weight
    return value / (high - low)


def naive(cells, kind, gamma=1.0, sign=1):
    """Of one method: a list of scores for each dataset."""
    if kind == "iqm":
        return float(naive_iqm(cells))
    if kind == "optimality_gap":
        target = sign * Fraction(gamma)
        cells = [[min(sign * Fraction(x), target) for x in cell] for cell in cells]
    means = [sum(Fraction(x) for x in cell) / len(cell) for cell in cells]
    if kind == "median":
        return float(median(means))
    mean = sum(means) / len(means)
    return float(sign * Fraction(gamma) - mean if kind == "optimality_gap" else mean)


def cells_of(scores, method):
    return [sorted(x for x in row if x == x) for row in scores[method].tolist()]


def all_draws(scores, resample, n_resamples, seed):
    """The cells of each method in each draw, by the numbers that the generator gives."""
    k, n_datasets, width = scores.shape
    rng = np.random.default_rng(seed)
    if resample == "datasets":
        units = rng.integers(n_datasets, size=(n_resamples, n_datasets)).tolist()
        for draw in units:
            yield [[cells_of(scores, m)[d] for d in draw] for m in range(k)]
        return
    both = resample == "both"
    for draw in rng.random((n_resamples, n_datasets, width + both)).tolist():
        chosen = []
        for m in range(k):
            own = []
            for at, shares in enumerate(draw):
                dataset = int(shares[0] * n_datasets) if both else at
                cell = cells_of(scores, m)[dataset]
                first = shares[1:] if both else shares
                own.append([cell[int(u * len(cell))] for u in first[: len(cell)]])
            chosen.append(own)
        yield chosen


@pytest.mark.parametrize("kind", KINDS)
def test_estimates_equal_those_in_fractions(kind):
    @given(tables(max_side=6), st.sampled_from([1, -1]), st.sampled_from([0.0, 0.25, 1.0]))
    def check(scores, sign, gamma):
        found = run(scores, kind, n_resamples=1, gamma=gamma, sign=float(sign))
        for m in range(len(scores)):
            expected = naive(cells_of(scores, m), kind, gamma, sign)
            assert found.estimate[m] == pytest.approx(expected, rel=1e-12, abs=1e-14)

    check()


@given(tables(ragged=False, max_side=7))
def test_equal_runs_give_the_definitions_of_agarwal(scores):
    for m, own in enumerate(scores):
        expected = {
            "mean": own.mean(),
            "median": np.median(own.mean(axis=1)),
            "iqm": trim_mean(own, 0.25, axis=None),
            "optimality_gap": 1.0 - np.minimum(own, 1.0).mean(),
        }
        for kind, value in expected.items():
            found = run(scores, kind, n_resamples=1).estimate[m]
            assert found == pytest.approx(value, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("resample", RESAMPLES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ragged", [False, True])
def test_intervals_equal_those_of_a_plain_loop_with_the_same_draws(kind, resample, ragged):
    rng = np.random.default_rng(11)
    for n_datasets, width in ((8, 3), (9, 5), (10, 1)):
        scores = np.round(rng.normal(size=(3, n_datasets, width)), 2)
        if ragged:
            scores[:, :, 1:][rng.random((3, n_datasets, width - 1)) < 0.4] = np.nan
        found = run(scores, kind, resample, n_resamples=30, seed=7, gamma=0.3, sign=-1.0)
        values = np.array(
            [
                [naive(cells, kind, 0.3, -1) for cells in draw]
                for draw in all_draws(scores, resample, 30, 7)
            ]
        ).T
        expected = percentile_interval(values, np.ones(30), 0.9)
        np.testing.assert_allclose(found.ci_low, expected[0], rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(found.ci_high, expected[1], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_few_datasets_are_gone_through(kind):
    scores = np.random.default_rng(2).random((2, 3, 4))
    values = np.array(
        [
            [naive([cells_of(scores, m)[d] for d in (a, b, c)], kind) for m in (0, 1)]
            for a in range(3)
            for b in range(3)
            for c in range(3)
        ]
    ).T
    for level in (0.5, 0.9):
        found = run(scores, kind, level=level)
        low, high = percentile_interval(values, np.ones(27), level)
        np.testing.assert_allclose(found.ci_low, low, rtol=1e-12)
        np.testing.assert_allclose(found.ci_high, high, rtol=1e-12)
        again = run(scores, kind, level=level, seed=99)
        np.testing.assert_array_equal(found.ci_low, again.ci_low)


@pytest.mark.parametrize(
    ("values", "expected"),
    [([1, 2, 9], 4.0), ([1, 2, 4, 9], 3.0), ([1, 2, 4, 5, 9], 11 / 3),
     ([0, 1, 2, 3, 4, 5, 6, 100], 3.5), (list(range(9)), 4.0)],
)  # fmt: skip
def test_a_quarter_is_cut_in_whole_scores(values, expected):
    for shape in ((1, 1, len(values)), (1, len(values), 1)):
        found = run(np.array(values, dtype=float).reshape(shape), "iqm", n_resamples=1)
        assert found.estimate[0] == pytest.approx(expected, rel=1e-15)


def test_a_cut_through_a_score_keeps_the_rest_of_its_weight():
    # weights 1 (dataset 1), 1/3 each (dataset 2): of 4 scores 1/4 of the weight 2 goes at
    # each end: half of the 0, and 8 with half of 6
    scores = np.array([[[0.0, np.nan, np.nan], [8.0, 4.0, 6.0]]])
    expected = (0.5 * 0.0 + 4.0 / 3.0 + 6.0 / 6.0) / 1.0
    assert run(scores, "iqm").estimate[0] == pytest.approx(expected, rel=1e-15)


def test_equal_scores_have_their_own_value_in_every_draw():
    scores = np.full((2, 9, 7), 0.1)
    scores[1, 2:, 3:] = np.nan
    for kind in ("mean", "median", "iqm"):
        for resample in RESAMPLES:
            for column in run(scores, kind, resample):
                np.testing.assert_array_equal(column, [0.1, 0.1])


def test_a_score_equal_to_gamma_has_no_gap():
    scores = np.array([[[1.0, 2.0], [1.0, 1.0]], [[0.5, 1.0], [1.0, 3.0]]])
    np.testing.assert_array_equal(run(scores, "optimality_gap").estimate, [0.0, 0.125])
    lower = run(scores, "optimality_gap", sign=-1.0, gamma=1.0)
    np.testing.assert_array_equal(lower.estimate, [0.25, 0.5])
    assert (run(scores, "optimality_gap", "both").ci_low >= 0.0).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("resample", RESAMPLES)
def test_neither_the_order_of_runs_nor_blocks_change_a_result(kind, resample, monkeypatch):
    rng = np.random.default_rng(3)
    scores = rng.random((4, 8, 5))
    scores[:, :, 2:][rng.random((4, 8, 3)) < 0.3] = np.nan
    expected = run(scores, kind, resample)
    shuffled = run(rng.permuted(scores, axis=2), kind, resample)
    for one, other in zip(shuffled, expected, strict=True):
        np.testing.assert_array_equal(one, other)
    for place in (module, run_draws, draws_module):
        monkeypatch.setattr(place, "_BLOCK", 100)
    for one, other in zip(run(scores, kind, resample), expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-13)


@pytest.mark.parametrize("kind", KINDS)
def test_all_methods_see_the_same_draws(kind):
    rng = np.random.default_rng(4)
    scores = rng.random((3, 9, 4))
    scores[1] = scores[0]
    for resample in RESAMPLES:
        both = run(scores, kind, resample)
        alone = run(scores[2:], kind, resample)
        for together, single in zip(both, alone, strict=True):
            assert together[0] == together[1]
            assert together[2] == pytest.approx(single[0], rel=1e-13)


def test_the_same_datasets_are_drawn_as_for_ranks():
    draws = next(draw_runs((9, 2), "datasets", 5, np.random.default_rng(6), width=2))
    expected = np.random.default_rng(6).integers(9, size=(5, 9))
    np.testing.assert_array_equal(draws.datasets, expected)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 7, 1000, 2**20 - 1, 2**31 + 1])
def test_the_largest_share_is_still_a_run(n):
    share = np.array([[[np.nextafter(1.0, 0.0)]]])
    draws = run_draws.RunDraws(np.zeros((1, 1), dtype=np.int64), share, np.ones(1))
    assert pick_runs(draws, np.array([n]), 1).at[0, 0, 0] == n - 1


def test_runs_alone_say_less_than_datasets():
    # scores differ between datasets, hardly between runs
    rng = np.random.default_rng(8)
    scores = rng.random((2, 30, 1)) + 0.01 * rng.normal(size=(2, 30, 10))
    width = {}
    for resample in RESAMPLES:
        found = run(scores, "mean", resample, n_resamples=2000)
        width[resample] = found.ci_high - found.ci_low
    assert (width["datasets"] > 7 * width["runs"]).all()
    np.testing.assert_allclose(width["both"], width["datasets"], rtol=0.1)
    # the normal interval of a mean of 30 datasets
    normal = 2 * 1.6449 * scores.mean(axis=2).std(axis=1) / np.sqrt(30)
    np.testing.assert_allclose(width["datasets"], normal, rtol=0.1)


def test_scale_of_the_scores_on_each_dataset():
    scores = np.array([[[1.0, 3.0], [5.0, np.nan]], [[2.0, np.nan], [5.0, 5.0]]])
    low, high = ends_of_datasets(scores)
    np.testing.assert_array_equal(low, [1.0, 5.0])
    np.testing.assert_array_equal(high, [3.0, 5.0])
    found = rescale(scores, low, high, 1.0)
    np.testing.assert_array_equal(found[:, 0], [[0.0, 1.0], [0.5, np.nan]])
    assert np.isnan(found[:, 1]).all()  # no scale where all are equal
    turned = rescale(scores, low, high, -1.0)
    np.testing.assert_array_equal(turned[:, 0], [[1.0, 0.0], [0.5, np.nan]])


def test_scores_beyond_the_ends_are_beyond_0_and_1():
    scores = np.array([[[-10.0, 0.0, 5.0, 10.0, 20.0]]])
    found = rescale(scores, np.array([0.0]), np.array([10.0]), 1.0)
    np.testing.assert_array_equal(found[0, 0], [-1.0, 0.0, 0.5, 1.0, 2.0])
    found = rescale(scores, np.array([0.0]), np.array([10.0]), -1.0)
    np.testing.assert_array_equal(found[0, 0], [2.0, 1.0, 0.5, 0.0, -1.0])
    for wrong in (10.0, 11.0):
        assert np.isnan(rescale(scores, np.array([wrong]), np.array([10.0]), 1.0)).all()
