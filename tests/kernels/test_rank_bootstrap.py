from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beam_pandas.kernels import draws as draws_module
from beam_pandas.kernels import rank_bootstrap as module
from beam_pandas.kernels.rank_bootstrap import bootstrap_mean_ranks
from beam_pandas.kernels.row_ranks import rank_rows
from tests.strategies import matrices
from tests.tables import DEMSAR_RANKED

N_RESAMPLES = 40


def run(ranks, *, level=0.95, top=3, seed=0, n_resamples=N_RESAMPLES, cluster=None):
    return bootstrap_mean_ranks(
        ranks,
        n_resamples=n_resamples,
        confidence_level=level,
        top=top,
        rng=np.random.default_rng(seed),
        cluster=cluster,
    )


def draws_of(n_units, seed):
    """All ordered draws where there are few units, else those of the seed."""
    if n_units <= 4:
        return list(product(range(n_units), repeat=n_units))
    rng = np.random.default_rng(seed)
    return rng.integers(n_units, size=(N_RESAMPLES, n_units)).tolist()


def mean_of(ranks, rows, method):
    """The mean rank of a method over some rows, or None, in fractions."""
    values = [Fraction(ranks[row, method]) for row in rows]
    return sum(values) / len(values) if values else None


def inverted_cdf(values, share):
    ordered = sorted(values)
    return next(
        value
        for at, value in enumerate(ordered, start=1)
        if Fraction(at, len(ordered)) >= share
    )


def naive(ranks, families, draws, tail, top):
    """One draw after the other, one method after the other."""
    k = ranks.shape[1]
    means, places = [[] for _ in range(k)], [[] for _ in range(k)]
    best, first = [Fraction(0)] * k, [Fraction(0)] * k
    for draw in draws:
        rows = [row for unit in draw for row in families[unit]]
        mean = [
            mean_of(ranks, [row for row in rows if not np.isnan(ranks[row, m])], m)
            for m in range(k)
        ]
        there = [value for value in mean if value is not None]
        for m, value in enumerate(mean):
            if value is None:
                continue
            smaller, tied = sum(v < value for v in there), there.count(value)
            means[m].append(value)
            places[m].append(1 + smaller + Fraction(tied - 1, 2))
            best[m] += Fraction(smaller == 0, tied)
            first[m] += Fraction(min(max(top - smaller, 0), tied), tied)
    result = []
    for m in range(k):
        if not means[m]:
            result.append([np.nan] * 7)
            continue
        ends = [inverted_cdf(x[m], q) for x in (means, places) for q in (tail, 1 - tail)]
        centre = sum(means[m]) / len(means[m])
        squares = sum((value - centre) ** 2 for value in means[m])
        chances = [best[m] / len(draws), first[m] / len(draws)]
        result.append([*ends, *chances, (squares, len(means[m]))])
    return result


def assert_equal_to_naive(found, expected, exact):
    columns = ("ci_low", "ci_high", "place_low", "place_high", "prob_best", "prob_top")
    for m, row in enumerate(expected):
        for name, value in zip(columns, row, strict=False):
            assert getattr(found, name)[m] == pytest.approx(
                float(value), rel=1e-7, abs=1e-12, nan_ok=True
            ), name
        if isinstance(row[-1], tuple):
            squares, count = row[-1]
            divisor = count if exact else count - 1
            error = np.sqrt(float(squares) / divisor) if divisor else np.nan
            assert found.standard_error[m] == pytest.approx(
                error, rel=1e-9, abs=1e-12, nan_ok=True
            )
        else:
            assert np.isnan(found.standard_error[m])


def check_against_naive(ranks, code, top, level, seed):
    scored = ~np.isnan(ranks).all(axis=1)
    found = run(ranks, level=float(level), top=top, seed=seed, cluster=code)
    ranks = ranks[scored]
    code = np.arange(len(ranks)) if code is None else code[scored]
    families = [np.flatnonzero(code == unit).tolist() for unit in np.unique(code)]
    if not families:
        assert np.isnan(found.mean_rank).all()
        return
    if 4 < len(families) <= 7:
        return  # too many ordered draws to go through one by one
    draws = draws_of(len(families), seed)
    tail = (1 - Fraction(level)) / 2
    expected = naive(ranks, families, draws, tail, top)
    assert_equal_to_naive(found, expected, exact=len(families) <= 4)
    for m in range(ranks.shape[1]):
        there = [row for row in range(len(ranks)) if not np.isnan(ranks[row, m])]
        assert found.n_datasets[m] == len(there)
        value = mean_of(ranks, there, m)
        assert found.mean_rank[m] == pytest.approx(
            np.nan if value is None else float(value), rel=1e-15, nan_ok=True
        )


LEVELS = st.sampled_from(["0.5", "0.8", "0.9", "0.95"])


@pytest.mark.parametrize("missing", [False, True])
def test_equals_a_plain_loop_over_every_draw(missing):
    @given(matrices(missing=missing, max_side=4), st.integers(1, 5), LEVELS)
    def check(matrix, top, level):
        check_against_naive(rank_rows(matrix), None, top, level, 0)

    check()


@pytest.mark.parametrize("missing", [False, True])
def test_equals_a_plain_loop_with_the_same_draws(missing):
    @given(
        matrices(missing=missing, min_side=3, max_side=10),
        st.integers(1, 5),
        LEVELS,
        st.integers(0, 9),
    )
    def check(matrix, top, level, seed):
        check_against_naive(rank_rows(matrix), None, top, level, seed)

    check()


@pytest.mark.parametrize("n_families", [2, 3, 9])
def test_whole_clusters_are_drawn(n_families):
    @given(matrices(missing=True, min_side=2, max_side=14), st.data())
    def check(matrix, data):
        code = st.integers(0, n_families - 1)
        n = len(matrix)
        codes = np.array(data.draw(st.lists(code, min_size=n, max_size=n)))
        check_against_naive(rank_rows(matrix), codes, 2, "0.9", 5)

    check()


def test_two_datasets_by_hand():
    # drawn: the first twice (1/4), one of each (1/2), the second twice (1/4)
    found = run(np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 3.0]]), top=2)
    np.testing.assert_array_equal(found.prob_best, [0.5, 0.5, 0.0])
    np.testing.assert_array_equal(found.prob_top, [1.0, 1.0, 0.0])
    np.testing.assert_array_equal(found.mean_rank, [1.5, 1.5, 3.0])
    np.testing.assert_array_equal(found.ci_low, [1.0, 1.0, 3.0])
    np.testing.assert_array_equal(found.ci_high, [2.0, 2.0, 3.0])
    np.testing.assert_array_equal(found.place_low, [1.0, 1.0, 3.0])
    np.testing.assert_array_equal(found.place_high, [2.0, 2.0, 3.0])
    # variance 1/4 · 1/4 twice
    np.testing.assert_allclose(found.standard_error, [np.sqrt(1 / 8)] * 2 + [0.0])


def test_an_end_that_is_reached_exactly_is_within():
    # P(mean rank 1) = 1/4 is the tail of a 50 % interval, to the last bit
    ranks = np.array([[1.0, 2.0], [2.0, 1.0]])
    found = run(ranks, level=0.5)
    assert (found.ci_low[0], found.ci_high[0]) == (1.0, 1.5)
    assert (found.place_low[0], found.place_high[0]) == (1.0, 1.5)
    found = run(ranks, level=0.49)
    assert (found.ci_low[0], found.ci_high[0]) == (1.5, 1.5)


def demsar():
    wide = DEMSAR_RANKED.pivot(index="dataset", columns="method", values="score")
    return rank_rows(wide.to_numpy())  # columns C4.5, C4.5+cf, C4.5+m, C4.5+m+cf


def test_demsar_mean_ranks_and_their_analytic_deviation():
    ranks = demsar()
    found = run(ranks, n_resamples=20_000)
    # Demšar (2006), section 3.2.2, and the deviation sd / sqrt(N) of a drawn mean
    assert found.mean_rank == pytest.approx([3.143, 2.893, 2.000, 1.964], abs=5e-4)
    assert found.standard_error == pytest.approx(ranks.std(axis=0) / np.sqrt(14), rel=0.02)
    assert found.prob_best.sum() == pytest.approx(1.0, abs=1e-12)
    assert found.prob_top.sum() == pytest.approx(3.0, abs=1e-12)


def test_exact_deviation_is_the_analytic_one():
    ranks = demsar()[:7]
    found = run(ranks)
    np.testing.assert_allclose(
        found.standard_error, ranks.std(axis=0) / np.sqrt(7), rtol=1e-12
    )


@pytest.mark.parametrize("n_datasets", [6, 12])
@pytest.mark.parametrize("share", [0.0, 0.3])
def test_the_order_of_the_methods_changes_no_bit(n_datasets, share):
    rng = np.random.default_rng(2)
    scores = rng.integers(0, 5, size=(n_datasets, 30)).astype(float)
    scores[rng.random(scores.shape) < share] = np.nan
    ranks = rank_rows(scores)
    order = rng.permutation(30)
    plain, shuffled = run(ranks, n_resamples=500), run(ranks[:, order], n_resamples=500)
    for one, other in zip(plain, shuffled, strict=True):
        np.testing.assert_array_equal(one[order], other)


def test_probabilities_sum_to_what_there_is():
    ranks = rank_rows(np.random.default_rng(4).integers(0, 3, (9, 6)).astype(float))
    for top in (1, 2, 6, 9):
        found = run(ranks, top=top)
        assert found.prob_best.sum() == pytest.approx(1.0, abs=1e-12)
        assert found.prob_top.sum() == pytest.approx(min(top, 6), abs=1e-12)


def test_all_equal_methods_share_everything():
    found = run(np.full((10, 4), 2.5), top=3)
    np.testing.assert_array_equal(found.prob_best, [0.25] * 4)
    np.testing.assert_array_equal(found.prob_top, [0.75] * 4)
    np.testing.assert_array_equal(found.place_low, [2.5] * 4)
    np.testing.assert_array_equal(found.standard_error, [0.0] * 4)


def test_equal_means_over_different_counts_tie():
    # A has 4/3 over three datasets, B 4/3 over six: 2/3 as sums of floats differ
    ranks = np.full((6, 3), np.nan)
    ranks[:3, 0], ranks[:, 1] = [1, 1, 2], [2, 2, 1, 1, 1, 1]
    ranks[:, 2] = [3, 3, 3, 2, 2, 2]
    # one cluster: the single draw is the table itself
    found = run(ranks, cluster=np.zeros(6, dtype=int))
    np.testing.assert_array_equal(found.place_low, [1.5, 1.5, 3.0])
    np.testing.assert_array_equal(found.prob_best, [0.5, 0.5, 0.0])
    assert found.mean_rank[0] == found.mean_rank[1]


def test_a_draw_without_a_method_says_nothing_of_it():
    # B is on the second dataset alone; with it A ranks 2 there
    ranks = np.array([[1.0, np.nan], [2.0, 1.0]])
    found = run(ranks, top=1)
    # first twice: A alone is best; one of each: A 1.5, B 1; second twice: A 2, B 1
    np.testing.assert_array_equal(found.prob_best, [0.25, 0.75])
    np.testing.assert_array_equal([found.ci_low[1], found.ci_high[1]], [1.0, 1.0])
    np.testing.assert_array_equal([found.place_low[0], found.place_high[0]], [1.0, 2.0])
    np.testing.assert_array_equal([found.place_low[1], found.place_high[1]], [1.0, 1.0])


def test_a_method_without_a_rank_and_a_dataset_nobody_has():
    ranks = rank_rows(np.random.default_rng(5).integers(0, 9, (9, 3)).astype(float))
    expected = run(ranks)
    more = np.column_stack([ranks, np.full(9, np.nan)])
    more = np.insert(more, 4, np.nan, axis=0)
    for one, other in zip(run(more), expected, strict=True):
        np.testing.assert_array_equal(one[:3], other)
        assert one[3] == 0 if one.dtype == np.int64 else np.isnan(one[3])
    nothing = run(np.full((3, 2), np.nan))
    assert np.isnan(nothing.mean_rank).all() and (nothing.n_datasets == 0).all()


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_neither_blocks_nor_the_width_of_floats_change_a_result(share, monkeypatch):
    rng = np.random.default_rng(6)
    scores = rng.integers(0, 4, size=(11, 5)).astype(float)
    scores[rng.random(scores.shape) < share] = np.nan
    ranks = rank_rows(scores)
    expected = run(ranks, n_resamples=200)
    monkeypatch.setattr(module, "_EXACT_SINGLE", 0.0)
    for one, other in zip(run(ranks, n_resamples=200), expected, strict=True):
        np.testing.assert_array_equal(one, other)
    monkeypatch.setattr(draws_module, "_BLOCK", 64)
    monkeypatch.setattr(module, "_BLOCK", 64)
    found = run(ranks, n_resamples=200)
    for name in ("ci_low", "ci_high", "place_low", "place_high"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    for name in ("prob_best", "prob_top", "standard_error"):
        np.testing.assert_allclose(
            getattr(found, name), getattr(expected, name), rtol=1e-12
        )


def test_every_dataset_its_own_cluster_is_no_cluster():
    ranks = rank_rows(np.random.default_rng(7).normal(size=(12, 4)))
    for one, other in zip(
        run(ranks), run(ranks, cluster=np.arange(12) * 3 + 5), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_the_generator_is_left_alone_where_nothing_is_drawn():
    rng = np.random.default_rng(1)
    before = rng.bit_generator.state
    bootstrap_mean_ranks(
        np.array([[1.0, 2.0]] * 7), n_resamples=9, confidence_level=0.9, top=1, rng=rng
    )
    assert rng.bit_generator.state == before
