import itertools
import math
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from beam_pandas.kernels import signed_rank_law, signed_rank_tails, walsh_averages
from beam_pandas.kernels.equal_scores import EQUALITY
from beam_pandas.kernels.signed_rank_law import (
    normal_lower_tails,
    tied_lower_tails,
    untied_lower_tails,
)
from beam_pandas.kernels.signed_ranks import signed_rank_tests
from beam_pandas.kernels.walsh_averages import interval_rank, median_and_ends

ALTERNATIVES = ("two-sided", "greater", "less")
FLOATS = [
    *("rank_sum_1", "rank_sum_2", "mean_diff", "median_diff", "ci_low", "ci_high"),
    *("ci_level", "cohen_d", "rank_biserial", "p_value"),
]


def table_of(differences):
    """Two methods whose scores have these differences exactly."""
    differences = np.asarray(differences, dtype=float)
    return np.column_stack([differences, np.zeros_like(differences)])


def one(differences, **options):
    """The test of a single pair, field by field."""
    found = signed_rank_tests(table_of(differences), **options)
    return {name: getattr(found, name)[0] for name in found._fields}


# Values by exact arithmetic and brute force over all sign vectors; R coin agrees.
@pytest.mark.parametrize(
    ("text", "p_drop", "p_pratt", "plus", "median", "ends", "level", "r_drop", "r_pratt"),
    [
        ("2 2 2 2 2 2 -20", 0.359375, 0.359375, 21, 2, (-9, 2), 0.953125, 0.5, 0.5),
        ("1 1 2 2 2 3 -1 -2", 0.1875, 0.1875, 28.5, 1.25, (-0.5, 2.5), 0.9609375, 7 / 12, 7 / 12),
        ("0 0 1 2 3 4 -1 5", 0.09375, 0.09375, 19.5, 1.75, (0, 4), 0.9609375, 6 / 7, 13 / 18),
        ("0 0 0 1 1 1 1 -1", 0.375, 0.375, 12, 0.5, (-0.5, 1), 0.9609375, 0.6, 0.5),
        ("1 2 3 4 5", 0.0625, 0.0625, 15, 3, (-math.inf, math.inf), 1, 1, 1),
        ("1 1 2 2 3 3 4 4 5 5 -1 -2 6 7", 0.00244140625, 0.00244140625, 98, 3, (1.5, 4.5), 0.9505615234375, 13 / 15, 13 / 15),
        ("1 1 2 2 3 3 4 4 5 5 -1 -2 -2 -3 -3 6 7 8 9 10", 0.004680633544921875, 0.004680633544921875, 178, 3, (1, 5), 0.95156, 73 / 105, 73 / 105),
    ],
)  # fmt: skip
def test_published_rows(text, p_drop, p_pratt, plus, median, ends, level, r_drop, r_pratt):
    differences = [float(word) for word in text.split()]
    drop, pratt = one(differences), one(differences, zeros="pratt")
    assert drop["p_value"] == p_drop
    assert pratt["p_value"] == p_pratt
    assert drop["rank_sum_1"] == plus
    n_zeros = differences.count(0.0)
    n = len(differences)
    assert drop["rank_sum_2"] == (n - n_zeros) * (n - n_zeros + 1) / 2 - plus
    assert drop["rank_biserial"] == pytest.approx(r_drop, rel=1e-15)
    assert pratt["rank_biserial"] == pytest.approx(r_pratt, rel=1e-15)
    for found in (drop, pratt):
        assert (found["n_datasets"], found["n_zeros"]) == (n, n_zeros)
        assert found["median_diff"] == median
        assert (found["ci_low"], found["ci_high"]) == ends
        assert found["ci_level"] == pytest.approx(level, abs=5e-6 if n == 20 else 0)
        assert found["mean_diff"] == pytest.approx(np.mean(differences), rel=1e-15)
        expected = np.mean(differences) / np.std(differences, ddof=1)
        assert found["cohen_d"] == pytest.approx(expected, rel=1e-14)
        assert not found["approximate"]


# --- the twin: fractions, one pair after the other ----------------------------------------


def naive_ranks(one_score, other, rank_zeros):
    """Differences other than zero with their mid-ranks, and the number of zeros."""
    kept, n_zeros = [], 0
    for x, y in zip(one_score, other, strict=True):
        if np.isnan(x) or np.isnan(y):
            continue
        scale = max(abs(x), abs(y))
        if abs(x - y) <= EQUALITY * scale:
            n_zeros += 1
        else:
            kept.append((x - y, scale))
    widest = {}
    for difference, scale in kept:
        widest[abs(difference)] = max(scale, widest.get(abs(difference), 0.0))
    level, number = {}, 0
    sizes = sorted(widest)
    for at, size in enumerate(sizes):
        if at:
            before = sizes[at - 1]
            larger = max(widest[size], widest[before])
            number += not (size - before <= EQUALITY * larger)
        level[size] = number
    levels = [level[abs(difference)] for difference, _ in kept]
    first = n_zeros if rank_zeros else 0
    ranks = []
    for own in levels:
        below = sum(other < own for other in levels)
        ranks.append(first + below + Fraction(levels.count(own) + 1, 2))
    return [difference for difference, _ in kept], ranks, n_zeros


def naive_law(ranks):
    """Probability of each value of the rank sum."""
    law = {Fraction(0): Fraction(1)}
    for rank in ranks:
        grown = {}
        for value, share in law.items():
            for heads in (value, value + rank):
                grown[heads] = grown.get(heads, 0) + share / 2
        law = grown
    return law


def naive_p(ranks, plus, alternative):
    law = naive_law(ranks)
    upper = sum(share for value, share in law.items() if value >= plus)
    lower = sum(share for value, share in law.items() if value <= plus)
    both = min(Fraction(1), 2 * min(lower, upper))
    return {"two-sided": both, "greater": upper, "less": lower}[alternative]


def naive_interval(differences, level, alternative):
    """Walsh averages one by one, and the rank of the ends from the law without ties."""
    n = len(differences)
    averages = sorted(
        (differences[i] + differences[j]) / 2 for i in range(n) for j in range(i, n)
    )
    size = len(averages)
    law = naive_law([Fraction(rank) for rank in range(1, n + 1)])
    sides = 2 if alternative == "two-sided" else 1
    k, risk = 0, Fraction(0)
    while k < size:
        more = sides * sum(share for value, share in law.items() if value <= k)
        if more > Fraction(1.0 - level):
            break
        k, risk = k + 1, more
    low, high = (averages[k - 1], averages[size - k]) if k else (-math.inf, math.inf)
    low = -math.inf if alternative == "less" else low
    high = math.inf if alternative == "greater" else high
    median = (averages[(size - 1) // 2] + averages[size // 2]) / 2
    return median, low, high, float(1 - risk)


GRIDS = st.sampled_from([1, 2, 10, 1000])


@st.composite
def tables(draw):
    shape = draw(st.tuples(st.integers(0, 9), st.integers(2, 4)))
    grid = draw(GRIDS)
    scores = st.integers(-grid, grid).map(lambda step: step / grid)
    free = st.floats(-1.0, 1.0)
    elements = st.one_of(draw(st.sampled_from([scores, free])), st.just(np.nan))
    return draw(npst.arrays(np.float64, shape, elements=elements))


@given(
    tables(),
    st.sampled_from(["drop", "pratt"]),
    st.sampled_from(ALTERNATIVES),
    st.sampled_from([0.2, 0.75, 0.9, 0.95]),
)
def test_every_pair_is_that_of_the_twin(table, zeros, alternative, level):
    found = signed_rank_tests(
        table, zeros=zeros, alternative=alternative, confidence_level=level
    )
    at = 0
    for i, j in itertools.combinations(range(table.shape[1]), 2):
        row = {name: getattr(found, name)[at] for name in found._fields}
        at += 1
        differences, ranks, n_zeros = naive_ranks(
            table[:, i], table[:, j], zeros == "pratt"
        )
        n = len(ranks) + n_zeros
        assert (row["first"], row["second"]) == (i, j)
        assert (row["n_datasets"], row["n_zeros"]) == (n, n_zeros)
        if n == 0:
            assert all(np.isnan(row[name]) for name in FLOATS)
            continue
        plus = sum(r for r, d in zip(ranks, differences, strict=True) if d > 0)
        minus = sum(ranks) - plus
        assert (row["rank_sum_1"], row["rank_sum_2"]) == (plus, minus)
        expected = float(naive_p(ranks, plus, alternative))
        assert row["p_value"] == pytest.approx(expected, rel=1e-15)
        everything = sum(ranks) + (n_zeros * (n_zeros + 1) // 2 if zeros == "pratt" else 0)
        if everything:
            assert row["rank_biserial"] == float((plus - minus) / everything)
        else:
            assert np.isnan(row["rank_biserial"])
        every = differences + [0.0] * n_zeros
        median, *ends, reached = naive_interval(every, level, alternative)
        assert row["median_diff"] == median
        assert [row["ci_low"], row["ci_high"]] == ends
        assert row["ci_level"] == pytest.approx(reached, rel=1e-15)
        assert row["mean_diff"] == pytest.approx(math.fsum(every) / n, abs=1e-15)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("zeros", ["drop", "pratt"])
@pytest.mark.parametrize("seed", range(8))
def test_brute_force_over_all_signs(seed, zeros, alternative):
    rng = np.random.default_rng(seed)
    differences = rng.integers(-4, 5, size=10).astype(float)
    values, ranks, _ = naive_ranks(differences, np.zeros(10), zeros == "pratt")
    plus = sum(r for r, d in zip(ranks, values, strict=True) if d > 0)
    sums = [
        sum(r for r, s in zip(ranks, signs, strict=True) if s)
        for signs in itertools.product([0, 1], repeat=len(ranks))
    ]
    upper = Fraction(sum(value >= plus for value in sums), len(sums))
    lower = Fraction(sum(value <= plus for value in sums), len(sums))
    expected = {
        "two-sided": min(1, 2 * min(upper, lower)),
        "greater": upper,
        "less": lower,
    }[alternative]
    found = one(differences, zeros=zeros, alternative=alternative)
    assert found["p_value"] == float(expected)


# --- laws ---------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 7, 40, 64])
def test_untied_law_against_whole_numbers(n):
    count = [1] + [0] * (n * (n + 1) // 2)
    for rank in range(1, n + 1):
        for value in range(len(count) - 1, rank - 1, -1):
            count[value] += count[value - rank]
    exact = [float(Fraction(total, 2**n)) for total in itertools.accumulate(count)][
        : n * (n + 1) // 4 + 1
    ]
    np.testing.assert_allclose(untied_lower_tails(n), exact, rtol=3e-15)


@pytest.mark.parametrize(
    "n",
    [
        999,
        1000,
        1001,
        *(pytest.param(n, marks=pytest.mark.slow) for n in (1499, 1501, 2000)),
    ],
)
def test_untied_law_leaves_no_range(n):
    tails = untied_lower_tails(n)
    total = n * (n + 1) // 2
    # P(T <= total // 2) is one half, and half of the middle value where there is one
    middle = tails[-1] - tails[-2]
    assert tails[-1] == pytest.approx(
        0.5 + (middle / 2 if total % 2 == 0 else 0), rel=1e-12
    )
    # sets with a sum of at most 3: {}, {1}, {2}, {3}, {1, 2}
    if n <= 1001:
        np.testing.assert_allclose(np.ldexp(tails[:4], n), [1.0, 2.0, 3.0, 5.0])
    assert (np.diff(tails) >= 0).all()
    deviation = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    at = int(total / 2 - 2 * deviation)
    normal = normal_lower_tails(
        np.array([2 * at]),
        np.array([2 * total]),
        np.array([16 * deviation**2]),
        np.array([2]),
    )
    assert tails[at] == pytest.approx(normal[0], rel=1e-3)


def test_the_law_is_found_once_and_cannot_be_changed():
    assert untied_lower_tails(30) is untied_lower_tails(30)
    with pytest.raises(ValueError, match="read-only"):
        untied_lower_tails(30)[0] = 1.0


def exact_tails(doubled, at):
    """Share of the sets with a sum of at most each a, in whole numbers."""
    count = {0: 1}
    for value in doubled:
        grown = dict(count)
        for total, sets in count.items():
            grown[total + value] = grown.get(total + value, 0) + sets
        count = grown
    shares = []
    for limit in at:
        sets = sum(number for total, number in count.items() if total <= limit)
        shares.append(float(Fraction(sets, 2 ** len(doubled))))
    return shares


@pytest.mark.parametrize("block", [1, 300, 2**19])
@pytest.mark.parametrize("window", [1, 2**19])
def test_tied_laws_in_blocks_of_any_size(monkeypatch, block, window):
    monkeypatch.setattr(signed_rank_law, "_BLOCK", block)
    monkeypatch.setattr(signed_rank_law, "_WINDOW", window)
    rng = np.random.default_rng(1)
    patterns = np.zeros((25, 12), dtype=np.uint16)
    for row in patterns:
        size = rng.integers(0, 13)
        row[12 - size :] = np.sort(rng.integers(1, 25, size=size))
    member = rng.integers(0, 25, size=120)
    at = (patterns.sum(axis=1)[member] * rng.uniform(-0.05, 0.6, size=120)).astype(int)
    at = np.maximum(at, -1)
    found = tied_lower_tails(patterns, member, at)
    expected = [
        exact_tails([int(v) for v in patterns[row] if v], [a])[0]
        for row, a in zip(member, at, strict=True)
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-15, atol=0)


def test_tied_law_of_many_mid_ranks_against_whole_numbers():
    rng = np.random.default_rng(2)
    sizes = np.sort(rng.integers(1, 40, size=142))
    doubled = np.array(
        [(sizes < size).sum() * 2 + (sizes == size).sum() + 1 for size in sizes],
        dtype=np.uint16,
    )
    half = int(doubled.sum()) // 2
    at = np.array([-1, 0, 5, 400, half // 3, half - 1, half])
    found = tied_lower_tails(doubled[None, :], np.zeros(len(at), dtype=np.intp), at)
    expected = exact_tails(doubled.tolist(), at.tolist())
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=0)


def test_ties_that_are_none_give_the_law_without_ties():
    doubled = 2 * np.arange(1, 501, dtype=np.uint16)
    at = np.array([20000, 80000, 100000, 125250])
    found = tied_lower_tails(doubled[None, :], np.zeros(4, dtype=np.intp), at)
    np.testing.assert_allclose(found, untied_lower_tails(500)[at // 2], rtol=1e-13)


# --- ties and zeros: the value on the boundary and the next float ---------------------------


def test_differences_are_zero_up_to_the_boundary():
    x = 1.0
    y = x - EQUALITY
    while abs(x - y) <= EQUALITY * x:
        y = np.nextafter(y, 0.0)
    inside = np.nextafter(y, 1.0)
    assert abs(x - inside) <= EQUALITY * x < abs(x - y)
    rest = [[2.0, 1.0], [3.0, 1.0]]
    assert signed_rank_tests(np.array([[x, inside], *rest])).n_zeros == [1]
    assert signed_rank_tests(np.array([[x, y], *rest])).n_zeros == [0]
    assert signed_rank_tests(np.array([[x, x], *rest])).n_zeros == [1]


def test_sizes_are_tied_up_to_the_boundary():
    # the larger of the four scores is 4: gaps up to 4e-14 tie
    gap = EQUALITY * 4.0
    inside = 1.0
    while inside - 1.0 <= gap:
        inside = np.nextafter(inside, 2.0)
    outside, inside = inside, np.nextafter(inside, 1.0)

    def sums(size):
        table = np.array([[4.0, 3.0], [0.0, size], [9.0, 0.0]])
        found = signed_rank_tests(table)
        return found.rank_sum_1[0], found.rank_sum_2[0]

    assert inside - 1.0 <= gap < outside - 1.0
    assert sums(1.0) == (4.5, 1.5)
    assert sums(inside) == (4.5, 1.5)
    assert sums(outside) == (4.0, 2.0)


def test_the_scale_of_the_scores_decides_not_that_of_the_difference():
    near = np.nextafter(0.25, 1.0)
    wide = np.array([[1000.25, 1000.0], [0.0, near + 1e-13], [9.0, 0.0]])
    assert signed_rank_tests(wide).rank_sum_2 == [1.5]  # 1e-13 is within 1e-14 of 1000
    narrow = np.array([[0.25, 0.0], [0.0, near + 1e-13], [9.0, 0.0]])
    assert signed_rank_tests(narrow).rank_sum_2 == [2.0]


def test_one_size_at_several_scales_ties_whatever_the_order():
    rows = np.array([[0.25, 0.0], [1000.25, 1000.0], [0.0, 0.25 + 1e-13], [9.0, 0.0]])
    for order in itertools.permutations(range(4)):
        found = signed_rank_tests(rows[list(order)])
        assert found.rank_sum_2 == [2.0]
        assert found.rank_sum_1 == [8.0]


@pytest.mark.parametrize("digits", [1, 2, 3, 4, 5])
def test_sizes_equal_in_decimals_are_tied(digits):
    steps = 10**digits
    rng = np.random.default_rng(digits)
    whole = rng.integers(0, steps + 1, size=(40, 30))
    exact = signed_rank_tests(whole.astype(float), confidence_level=None)
    found = signed_rank_tests(whole / steps, confidence_level=None)
    for name in ("n_zeros", "rank_sum_1", "rank_sum_2", "p_value", "rank_biserial"):
        np.testing.assert_array_equal(getattr(found, name), getattr(exact, name))


# --- edge cases -----------------------------------------------------------------------------


def test_no_shared_dataset_is_nan():
    found = signed_rank_tests(np.array([[1.0, np.nan, 2.0], [np.nan, 1.0, 3.0]]))
    assert found.n_datasets.tolist() == [0, 1, 1]
    for name in FLOATS:
        assert np.isnan(getattr(found, name)[0])
    assert not found.approximate[0]
    assert found.p_value[1:].tolist() == [1.0, 1.0]


@pytest.mark.parametrize(("zeros", "r"), [("drop", np.nan), ("pratt", 0.0)])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_nothing_but_zeros(zeros, r, alternative):
    found = one([0.0] * 8, zeros=zeros, alternative=alternative)
    assert found["p_value"] == 1.0
    assert found["rank_sum_1"] == found["rank_sum_2"] == 0.0
    np.testing.assert_equal(found["rank_biserial"], r)
    assert found["median_diff"] == found["mean_diff"] == 0.0
    assert np.isnan(found["cohen_d"])


def test_one_dataset():
    found = one([3.0])
    assert found["p_value"] == 1.0
    assert found["median_diff"] == found["mean_diff"] == 3.0
    assert (found["ci_low"], found["ci_high"], found["ci_level"]) == (-np.inf, np.inf, 1.0)
    assert np.isnan(found["cohen_d"])
    assert found["rank_biserial"] == 1.0
    assert one([3.0], alternative="greater")["p_value"] == 0.5
    assert one([3.0], alternative="less")["p_value"] == 1.0


def test_differences_equal_in_decimals_have_no_deviation():
    table = np.array([[0.9, 0.8], [0.8, 0.7], [0.4, 0.3]])
    assert signed_rank_tests(table).cohen_d == [np.inf]
    assert signed_rank_tests(table[:, ::-1]).cohen_d == [-np.inf]
    assert np.isfinite(one([1.0, -1.0])["cohen_d"])
    assert one([1.0, 0.0])["cohen_d"] == pytest.approx(math.sqrt(0.5))


@pytest.mark.parametrize("shape", [(0, 3), (4, 0), (4, 1), (0, 0)])
def test_empty_tables(shape):
    found = signed_rank_tests(np.ones(shape))
    assert len(found.p_value) == max(0, shape[1] * (shape[1] - 1) // 2)
    assert np.isnan(found.p_value).all()


@pytest.mark.parametrize("scale", [5e-324, 1e-200, 1e200, 1.7e308 / 5])
def test_scores_at_the_ends_of_the_floats(scale):
    whole = np.array([[5.0, -5.0], [3.0, 1.0], [1.0, 2.0], [4.0, 4.0]])
    exact, found = signed_rank_tests(whole), signed_rank_tests(whole * scale)
    assert found.p_value == exact.p_value
    assert found.rank_sum_1 == exact.rank_sum_1
    assert found.cohen_d == pytest.approx(exact.cohen_d, rel=1e-14)
    assert found.median_diff == pytest.approx(
        float(exact.median_diff[0]) * scale, rel=1e-15
    )


def test_without_a_level_nothing_is_estimated():
    table = np.random.default_rng(0).normal(size=(20, 4))
    with_level, without = (
        signed_rank_tests(table, confidence_level=level) for level in (0.95, None)
    )
    for name in ("median_diff", "ci_low", "ci_high", "ci_level"):
        assert np.isnan(getattr(without, name)).all()
    for name in ("p_value", "mean_diff", "cohen_d", "rank_biserial", "rank_sum_1"):
        np.testing.assert_array_equal(getattr(without, name), getattr(with_level, name))


# --- invariances ----------------------------------------------------------------------------

OPPOSITE = {"two-sided": "two-sided", "greater": "less", "less": "greater"}


@given(tables(), st.sampled_from(["drop", "pratt"]), st.sampled_from(ALTERNATIVES))
def test_exchange_of_the_methods_turns_signs_exactly(table, zeros, alternative):
    found = signed_rank_tests(table, zeros=zeros, alternative=alternative)
    turned = signed_rank_tests(
        table,
        zeros=zeros,
        alternative=OPPOSITE[alternative],
        pairs=(found.second, found.first),
    )
    for name in ("mean_diff", "median_diff", "cohen_d", "rank_biserial"):
        np.testing.assert_array_equal(getattr(turned, name), -getattr(found, name))
    np.testing.assert_array_equal(turned.ci_low, -found.ci_high)
    np.testing.assert_array_equal(turned.ci_high, -found.ci_low)
    np.testing.assert_array_equal(turned.rank_sum_1, found.rank_sum_2)
    for name in ("n_zeros", "n_datasets", "ci_level", "p_value"):
        np.testing.assert_array_equal(getattr(turned, name), getattr(found, name))


@given(tables(), st.randoms(use_true_random=False))
def test_some_pairs_are_those_of_all(table, random):
    every = signed_rank_tests(table)
    some = np.array(
        random.sample(range(len(every.first)), random.randint(0, len(every.first))),
        dtype=np.intp,
    )
    found = signed_rank_tests(table, pairs=(every.first[some], every.second[some]))
    for name in found._fields:
        np.testing.assert_array_equal(getattr(found, name), getattr(every, name)[some])


def test_blocks_of_any_size_give_the_same(monkeypatch):
    rng = np.random.default_rng(4)
    table = np.round(rng.normal(size=(30, 12)), 1)
    table[rng.random(table.shape) < 0.1] = np.nan
    whole = signed_rank_tests(table)
    monkeypatch.setattr("beam_pandas.kernels.signed_ranks._BLOCK", 1)
    monkeypatch.setattr(walsh_averages, "_BLOCK", 1)
    monkeypatch.setattr(signed_rank_tails, "_WAITING", 1)
    for name, values in signed_rank_tests(table)._asdict().items():
        np.testing.assert_array_equal(values, getattr(whole, name))


def test_scipy_without_ties():
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(5)
    table = rng.normal(size=(25, 5))
    for alternative in ALTERNATIVES:
        found = signed_rank_tests(table, alternative=alternative)
        for at, (i, j) in enumerate(zip(found.first, found.second, strict=True)):
            expected = stats.wilcoxon(
                table[:, i], table[:, j], alternative=alternative, method="exact"
            )
            assert found.p_value[at] == pytest.approx(expected.pvalue, rel=1e-12)


# --- intervals ------------------------------------------------------------------------------


def test_the_level_on_its_boundary_is_reached():
    # five differences: 2 P(T <= 0) = 1/16 exactly
    assert interval_rank(5, 1 - 1 / 16, "two-sided") == (1, 1 - 1 / 16)
    assert interval_rank(5, np.nextafter(1 - 1 / 16, 1), "two-sided") == (0, 1.0)
    assert interval_rank(5, 1 - 1 / 32, "greater") == (1, 1 - 1 / 32)
    assert interval_rank(5, np.nextafter(1 - 1 / 32, 1), "less") == (0, 1.0)


@pytest.mark.parametrize("n", [1999, 2000, 2001])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_the_rank_of_the_ends_hardly_changes_where_the_law_becomes_normal(n, alternative):
    k, level = interval_rank(n, 0.95, alternative)
    deviation = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    quantile = 1.959963984540054 if alternative == "two-sided" else 1.6448536269514722
    assert k == pytest.approx(n * (n + 1) / 4 - quantile * deviation, abs=20)
    assert 0.95 <= level < 0.9501


@pytest.mark.parametrize("n", [1, 2, 3, 10, 60])
@pytest.mark.parametrize("rounded", [False, True])
def test_choosing_is_sorting_where_not_all_are_listed(monkeypatch, n, rounded):
    rng = np.random.default_rng(n)
    differences = rng.normal(size=(6, n))
    differences = np.round(differences, 1) if rounded else differences
    size = n * (n + 1) // 2
    sums = differences[:, :, None] + differences[:, None, :]
    ordered = np.sort(sums[:, *np.triu_indices(n)], axis=1) / 2
    monkeypatch.setattr(walsh_averages, "_SPARE", 0)
    for listed in (0, n):
        monkeypatch.setattr(walsh_averages, "_LISTED", listed)
        for k in {1, 2, size // 3, (size + 1) // 2} - {0}:
            if k > size:
                continue
            low, median, high = median_and_ends(differences, k)
            np.testing.assert_array_equal(low, ordered[:, k - 1])
            np.testing.assert_array_equal(high, ordered[:, size - k])
            np.testing.assert_array_equal(median, np.median(ordered, axis=1))


# --- above the limits -----------------------------------------------------------------------


@pytest.mark.parametrize(("n", "approximate"), [(2000, False), (2001, True)])
def test_the_limit_without_ties(n, approximate):
    differences = np.arange(1.0, n + 1) * np.where(np.arange(n) % 2, 1.0, -1.0)
    found = one(differences, confidence_level=None)
    assert found["approximate"] == approximate


@pytest.mark.parametrize("zeros", ["drop", "pratt"])
@pytest.mark.parametrize(("n", "approximate"), [(500, False), (501, True)])
def test_the_limit_with_ties(n, approximate, zeros):
    differences = np.arange(1.0, n + 1) * np.where(np.arange(n) % 2, 1.0, -1.0)
    differences[1] = differences[2]
    found = one([0.0, *differences], confidence_level=None, zeros=zeros)
    assert found["approximate"] == approximate


@pytest.mark.parametrize(("n_zeros", "approximate"), [(1990, False), (1991, True)])
def test_the_limit_with_many_zeros(n_zeros, approximate):
    differences = [0.0] * n_zeros + [1, 2, 3, 4, 4, -5, 6, 7, 8, -9]
    options = {"confidence_level": None}
    assert one(differences, zeros="pratt", **options)["approximate"] == approximate
    dropped = one(differences, **options)
    assert not dropped["approximate"]
    assert dropped["p_value"] == one(differences[n_zeros:], **options)["p_value"]


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("rank_zeros", [False, True])
def test_error_of_the_normal_law_just_above_the_limits(
    monkeypatch, alternative, rank_zeros
):
    rng = np.random.default_rng(6)
    zeros = "pratt" if rank_zeros else "drop"
    worst = 0.0
    for shift in (0.0, 0.05, 0.1, 0.15):
        table = np.round(rng.normal(size=(500, 4)), 1) + [0.0, shift, 0.0, -shift]
        options = {"alternative": alternative, "zeros": zeros, "confidence_level": None}
        exact = signed_rank_tests(np.round(table, 1), **options)
        with monkeypatch.context() as patch:
            patch.setattr(signed_rank_tails, "MOST_TIED", 0)
            normal = signed_rank_tests(np.round(table, 1), **options)
        assert normal.approximate.all() and not exact.approximate.any()
        worst = max(worst, np.abs(normal.p_value - exact.p_value).max())
    assert 1e-5 < worst < 5e-4


def test_error_of_the_normal_law_without_ties():
    n = 2000
    exact = untied_lower_tails(n)
    at = 2 * np.arange(len(exact))
    total = np.full(len(at), n * (n + 1))
    squares = np.full(len(at), 2 * n * (n + 1) * (2 * n + 1) / 3)
    normal = normal_lower_tails(at, total, squares, np.full(len(at), 2))
    error = np.abs(2 * normal - 2 * exact)
    assert 8e-5 < error.max() < 9e-5
    assert error[exact < 0.005].max() < 3e-5
    tiny = np.searchsorted(exact, 0.5e-4)
    assert 0.01 < normal[tiny] / exact[tiny] - 1 < 0.02


def test_error_of_the_normal_law_with_two_sizes_is_large():
    # 10 sizes of one kind and 490 of another: the sum moves in steps of a whole rank
    doubled = np.repeat([11, 511], [10, 490])
    half, total = int(doubled.sum()) // 2, int(doubled.sum())
    at = np.arange(half - 20000, half + 1, 50)
    exact = tied_lower_tails(
        doubled[None, :].astype(np.uint16), np.zeros(len(at), dtype=np.intp), at
    )
    squares = np.full(len(at), float((doubled**2).sum()))
    normal = normal_lower_tails(at, np.full(len(at), total), squares, np.full(len(at), 1))
    assert 0.02 < np.abs(2 * normal - 2 * exact).max() < 0.03


def test_memory_stays_in_blocks():
    table = np.round(np.random.default_rng(7).normal(size=(40, 150)), 2)
    signed_rank_tests(table[:, :5])
    tracemalloc.start()
    signed_rank_tests(table)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6  # 11,175 pairs of 820 averages are 73 MB
