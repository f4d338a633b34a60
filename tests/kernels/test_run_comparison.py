import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from beam_pandas.kernels import run_comparison
from beam_pandas.kernels.run_comparison import compare_runs, draw_counts, resample_runs

FIRST, SECOND = np.array([0]), np.array([1])
TENTHS = st.integers(-5, 10).map(lambda tenths: tenths / 10)


@st.composite
def layouts(draw):
    shape = draw(st.tuples(st.integers(1, 4), st.integers(2, 4), st.integers(1, 5)))
    return draw(npst.arrays(float, shape, elements=st.one_of(TENTHS, st.just(np.nan))))


def better(x, y):
    gap = abs(x - y) <= 1e-14 * max(abs(x), abs(y))
    return 0.5 if gap else float(x > y)


def share(one, other):
    """Of all pairs of runs, with equal ones as a half; None without a pair."""
    points = [better(x, y) for x in one for y in other]
    return sum(points) / len(points) if points else None


def present(scores, dataset, method):
    runs = np.sort(-scores[dataset, method])  # the draws number them from the best
    return -runs[~np.isnan(runs)]


def mean(shares):
    known = [value for value in shares if value is not None]
    return sum(known) / len(known) if known else np.nan


@given(layouts())
def test_equals_the_twin(scores):
    first, second = np.triu_indices(scores.shape[1], k=1)
    found = compare_runs(scores, first, second)
    for pair, (i, j) in enumerate(zip(first, second, strict=True)):
        shares = [
            share(present(scores, d, i), present(scores, d, j)) for d in range(len(scores))
        ]
        assert found.n_datasets[pair] == len(shares) - shares.count(None)
        np.testing.assert_allclose(found.share[pair], mean(shares), rtol=1e-14)
    turned = compare_runs(scores, second, first)
    np.testing.assert_allclose(turned.share, 1 - found.share, atol=1e-15)


def test_by_hand():
    # on the first dataset 3 of 6 pairs and a tie, on the second, of one run each, a loss
    scores = np.full((2, 2, 3), np.nan)
    scores[0, 0], scores[0, 1, :2] = [0.3, 0.5, 0.9], [0.3, 0.6]
    scores[1, :, 0] = 0.1, 0.2
    found = compare_runs(scores, FIRST, SECOND)
    assert found.share[0] == pytest.approx((3.5 / 6 + 0) / 2, rel=1e-15)
    assert found.n_datasets[0] == 2


def test_scores_equal_in_decimals_are_equal():
    scores = np.array([[[0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2]]])
    assert compare_runs(scores, FIRST, SECOND).share[0] == 0.5
    for resample in ("datasets", "runs", "both"):
        found = resample_runs(
            scores,
            FIRST,
            SECOND,
            n_resamples=9,
            resample=resample,
            rng=np.random.default_rng(0),
        )
        np.testing.assert_array_equal(found, 0.5)


def drawn_indices(rng, sizes, width):
    """Give the same draws as lists of places."""
    uniform = rng.random((len(sizes), width))
    return [(uniform[row, :n] * n).astype(int) for row, n in enumerate(sizes)]


def naive_resample(scores, first, second, n_resamples, resample, rng):
    """Draw the same runs, put them in lists, compare all."""
    n_datasets, n_methods, width = scores.shape
    runs = [[present(scores, d, m) for m in range(n_methods)] for d in range(n_datasets)]
    if resample == "runs":
        datasets = [list(range(n_datasets))] * n_resamples
    else:
        datasets = drawn_indices(rng, [n_datasets] * n_resamples, n_datasets)
    shares = [[[] for _ in first] for _ in range(n_resamples)]
    for d in range(n_datasets):
        for sample in range(n_resamples):
            for _ in range(list(datasets[sample]).count(d)):
                now = runs[d]
                if resample != "datasets":
                    places = drawn_indices(rng, [len(r) for r in now], width)
                    now = [r[at] for r, at in zip(now, places, strict=True)]
                for pair, (i, j) in enumerate(zip(first, second, strict=True)):
                    shares[sample][pair].append(share(now[i], now[j]))
    return np.array([[mean(of_pair) for of_pair in sample] for sample in shares])


@settings(max_examples=60, deadline=None)
@given(layouts(), st.sampled_from(["datasets", "runs", "both"]), st.integers(0, 99))
def test_resamples_equal_the_twin_with_the_same_draws(scores, resample, seed):
    first, second = np.triu_indices(scores.shape[1], k=1)
    found = resample_runs(
        scores,
        first,
        second,
        n_resamples=7,
        resample=resample,
        rng=np.random.default_rng(seed),
    )
    expected = naive_resample(
        scores, first, second, 7, resample, np.random.default_rng(seed)
    )
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("resample", ["datasets", "runs", "both"])
def test_blocks_make_no_difference(resample, monkeypatch):
    scores = np.round(np.random.default_rng(1).random((5, 4, 6)), 1)
    scores[0, 1, 2:] = np.nan
    first, second = np.array([2, 0, 3, 0]), np.array([1, 3, 0, 1])  # in any order

    def sample():
        return resample_runs(
            scores,
            first,
            second,
            n_resamples=50,
            resample=resample,
            rng=np.random.default_rng(2),
        )

    whole = sample()
    monkeypatch.setattr(run_comparison, "_BLOCK", 100)
    monkeypatch.setattr(run_comparison, "_DRAWS", 20)
    np.testing.assert_allclose(sample(), whole, rtol=1e-14)


@pytest.mark.parametrize("width", [5, 11, 12, 181, 182])  # 2 n n about a byte and two
def test_the_points_of_as_many_runs_as_a_type_holds(width):
    scores = np.stack([np.full(width, 2.0), np.full(width, 1.0)])[None]
    found = resample_runs(
        scores, FIRST, SECOND, n_resamples=20, resample="runs", rng=np.random.default_rng(0)
    )
    np.testing.assert_array_equal(found, 1.0)


def test_the_spread_of_resampled_runs_is_that_of_theory():
    # one run of y between two of x: the share is the part of x above it, binomial / n
    scores = np.array([[[0.0] * 5 + [2.0] * 5, [1.0] + [np.nan] * 9]])
    found = resample_runs(
        scores,
        FIRST,
        SECOND,
        n_resamples=20_000,
        resample="runs",
        rng=np.random.default_rng(4),
    )
    assert found.mean() == pytest.approx(0.5, abs=0.005)
    assert found.std() == pytest.approx(np.sqrt(0.25 / 10), rel=0.02)


def test_datasets_that_are_drawn_but_have_no_runs_of_both():
    scores = np.full((3, 2, 1), np.nan)
    scores[:, 0, 0] = 1.0
    scores[0, 1, 0] = 0.5
    found = resample_runs(
        scores,
        FIRST,
        SECOND,
        n_resamples=400,
        resample="datasets",
        rng=np.random.default_rng(0),
    )
    assert set(found[~np.isnan(found)]) == {1.0}
    assert np.isnan(found).mean() == pytest.approx((2 / 3) ** 3, abs=0.1)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=9), st.integers(0, 99))
def test_counts_of_draws(sizes, seed):
    sizes = np.array(sizes)
    counts = draw_counts(np.random.default_rng(seed), sizes, 6)
    np.testing.assert_array_equal(counts.sum(axis=1), sizes)
    assert not counts[np.arange(6) >= sizes[:, None]].any()
    for row, at in enumerate(drawn_indices(np.random.default_rng(seed), sizes, 6)):
        np.testing.assert_array_equal(counts[row], np.bincount(at, minlength=6))


def test_the_input_is_left_as_it_was():
    scores = np.random.default_rng(0).random((2, 3, 4))
    before = scores.copy()
    compare_runs(scores, FIRST, SECOND)
    resample_runs(
        scores, FIRST, SECOND, n_resamples=3, resample="both", rng=np.random.default_rng(0)
    )
    np.testing.assert_array_equal(scores, before)
