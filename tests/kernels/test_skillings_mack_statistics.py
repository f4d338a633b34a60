import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import linalg

from beam_pandas.kernels.friedman_statistics import friedman_statistics
from beam_pandas.kernels.row_ranks import rank_rows
from beam_pandas.kernels.skillings_mack_statistics import (
    _quadratic_form,
    skillings_mack_statistics,
)
from tests.strategies import matrices

NAN = np.nan

# Skillings and Mack (1981), Table 1: assembly times, methods A to D by assembler.
ASSEMBLY = np.array(
    [
        [3.2, 4.1, 3.8, 4.2],
        [3.1, 3.9, 3.4, 4.0],
        [4.3, 3.5, 4.6, 4.8],
        [3.5, 3.6, 3.9, 4.0],
        [3.6, 4.2, 3.7, 3.9],
        [4.5, 4.7, 3.7, NAN],
        [NAN, 4.2, 3.4, NAN],
        [4.3, 4.6, 4.4, 4.9],
        [3.5, NAN, 3.7, 3.9],
    ]
)
# Brady (1969), conditions R, A and B for eight stutterers, fewer is better; example 7.8
# (metronome and fluency) of Hollander, Wolfe and Chicken, in R: pSkilMack of package NSM3.
STUTTERERS = np.array(
    [
        [3, 1, 5, 2, 0, 0, 0, 0],
        [5, 3, 4, NAN, 2, 2, 3, 2],
        [15, 18, 21, 6, 17, 10, 8, 13],
    ]
).T
HOLE = np.array(
    [
        [0.9, 0.8, 0.7, 0.6, 0.5, 0.95],
        [0.8, 0.7, 0.6, 0.5, 0.4, 0.9],
        [0.7, 0.6, NAN, 0.4, 0.3, 0.85],
    ]
).T
SPLIT = np.array(
    [
        [2, 2, 2, NAN, NAN, NAN],
        [1, 1, 1, NAN, NAN, NAN],
        [NAN, NAN, NAN, 2, 2, 2],
        [NAN, NAN, NAN, 1, 1, 1],
    ]
).T
TIES = np.array([[0.9, 0.9, 0.5, 0.3], [0.8, 0.9, 0.5, 0.2], [0.7, 0.7, 0.5, 0.1]]).T


def textbook(benefit, tie_correction=False):
    """Add up datasets one by one, then take the generalised inverse."""
    n_methods = benefit.shape[1]
    sums, covariance = np.zeros(n_methods), np.zeros((n_methods, n_methods))
    for row in benefit:
        held = [i for i in range(n_methods) if not np.isnan(row[i])]
        k = len(held)
        if k < 2:
            continue
        rank = {
            i: sum(row[j] < row[i] for j in held)
            + (sum(row[j] == row[i] for j in held) + 1) / 2
            for i in held
        }
        variance = sum((rank[i] - (k + 1) / 2) ** 2 for i in held) / k
        full = (k * k - 1) / 12
        share = variance / full if tie_correction else 1.0
        for i in held:
            sums[i] += (rank[i] - (k + 1) / 2) * (12 / (k + 1)) ** 0.5
            covariance[i, i] += (k - 1) * share
            for j in held:
                covariance[i, j] -= share if i != j else 0.0
    statistic = sums @ np.linalg.pinv(covariance, hermitian=True) @ sums
    return statistic, np.linalg.matrix_rank(covariance, hermitian=True), sums


def scatter(seed, n_datasets, sizes, share=0.3):
    """Scores with ties and holes of groups of methods that share no dataset."""
    rng = np.random.default_rng(seed)
    blocks = [rng.integers(0, 6, (n_datasets, size)).astype(float) for size in sizes]
    benefit = linalg.block_diag(*blocks)
    benefit[linalg.block_diag(*[np.ones_like(block) for block in blocks]) == 0] = NAN
    benefit[rng.random(benefit.shape) < share] = NAN
    return benefit


@pytest.mark.parametrize(
    ("benefit", "statistic", "df", "p_value"),
    [
        # Skillings and Mack (1981) give T = 15.493 for their Table 1.
        (-ASSEMBLY, 15.493, 3, 0.00144),
        # The same with either sign: the statistic does not know better from worse.
        (-STUTTERERS, 13.281, 2, 0.00131),
    ],
)
def test_gives_the_published_values(benefit, statistic, df, p_value):
    found = skillings_mack_statistics(benefit)
    assert found.statistic == pytest.approx(statistic, abs=5e-4)
    assert found.df == df
    assert found.p_value == pytest.approx(p_value, abs=5e-6)
    assert (found.n_datasets, found.n_methods) == benefit.shape
    assert found.n_components == 1
    assert skillings_mack_statistics(-benefit).statistic == pytest.approx(
        found.statistic, rel=1e-12
    )


def test_uses_every_score_around_a_hole():
    found = skillings_mack_statistics(HOLE)
    assert found.statistic == pytest.approx(10.8424, abs=5e-5)
    assert (found.df, found.n_datasets) == (2, 6)
    assert found.p_value == pytest.approx(0.004422, abs=5e-7)
    # By hand: A leads five datasets of three and one of two, each worth sqrt(3) and 1.
    expected = [5 * 3**0.5 + 1, -1.0, -5 * 3**0.5]
    np.testing.assert_allclose(found.adjusted_rank_sums, expected, rtol=1e-14)
    np.testing.assert_array_equal(found.n_datasets_by_method, [6, 6, 5])


@pytest.mark.parametrize("tie_correction", [False, True])
def test_a_dataset_with_fewer_than_two_scores_changes_nothing(tie_correction):
    wider = np.vstack([HOLE, [0.4, NAN, NAN], [NAN, NAN, NAN]])
    for found, expected in zip(
        skillings_mack_statistics(wider, tie_correction),
        skillings_mack_statistics(HOLE),
        strict=True,
    ):
        np.testing.assert_array_equal(found, expected)


def test_groups_that_never_meet_add_up():
    found = skillings_mack_statistics(SPLIT)
    assert (found.n_components, found.df, found.n_methods) == (2, 2, 4)
    assert found.statistic == pytest.approx(6.0, rel=1e-14)
    assert found.p_value == pytest.approx(0.0498, abs=5e-5)
    np.testing.assert_array_equal(found.component, [0, 0, 1, 1])


@given(st.integers(0, 10**6), st.integers(3, 8), st.permutations(range(9)))
def test_components_of_different_size_add_up_and_are_numbered_by_first_member(
    seed, n_datasets, order
):
    benefit = scatter(seed, n_datasets, [2, 4, 3], share=0.0)[:, order]
    group = np.repeat([0, 1, 2], [2, 4, 3])[order]
    found = skillings_mack_statistics(benefit)
    parts = [skillings_mack_statistics(benefit[:, group == at]) for at in range(3)]
    assert found.n_components == 3
    assert found.df == 6
    assert found.statistic == pytest.approx(sum(p.statistic for p in parts), abs=1e-10)
    leaders = list(dict.fromkeys(group))
    np.testing.assert_array_equal(found.component, [leaders.index(at) for at in group])


@pytest.mark.parametrize("tie_correction", [False, True])
@given(
    seed=st.integers(0, 10**6),
    n_datasets=st.integers(1, 6),
    sizes=st.lists(st.integers(1, 4), min_size=1, max_size=3),
)
def test_equals_the_textbook_with_holes_ties_and_groups(
    tie_correction, seed, n_datasets, sizes
):
    benefit = scatter(seed, n_datasets, sizes)
    statistic, df, sums = textbook(benefit, tie_correction)
    found = skillings_mack_statistics(benefit, tie_correction)
    if df:
        assert found.df == df
        assert found.statistic == pytest.approx(statistic, rel=1e-9, abs=1e-9)
    assert found.df == found.n_methods - found.n_components
    np.testing.assert_allclose(
        found.adjusted_rank_sums, np.where(found.usable, sums, NAN), atol=1e-12
    )
    np.testing.assert_array_equal(found.usable, found.component >= 0)


@given(
    matrices(missing=True),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_order_of_rows_and_columns_never_matters(benefit, tie_correction, random):
    n_datasets, n_methods = benefit.shape
    rows = random.sample(range(n_datasets), n_datasets)
    columns = random.sample(range(n_methods), n_methods)
    found = skillings_mack_statistics(benefit, tie_correction)
    again = skillings_mack_statistics(benefit[rows][:, columns], tie_correction)
    close = {"rel": 1e-10, "abs": 1e-10, "nan_ok": True}
    assert again.statistic == pytest.approx(found.statistic, **close)
    assert again.p_value == pytest.approx(found.p_value, **close)
    assert again[:3] == found[:3]
    np.testing.assert_array_equal(again.usable, found.usable[columns])
    np.testing.assert_allclose(
        again.adjusted_rank_sums, found.adjusted_rank_sums[columns], atol=1e-12
    )


@pytest.mark.parametrize("left_out", range(6))
def test_which_row_is_left_out_never_matters(left_out):
    # A chain: neighbours meet on a few datasets each, the ends never.
    rng = np.random.default_rng(3)
    benefit = np.full((25, 6), NAN)
    for row in range(25):
        benefit[row, row % 5 : row % 5 + 2] = rng.permutation(2)
    statistic, _, sums = textbook(benefit)
    present = (~np.isnan(benefit)).astype(float)
    covariance = np.diag(present.sum(axis=0) * 2) - present.T @ present
    kept = np.delete(np.arange(6), left_out)
    found = _quadratic_form(sums[kept], covariance[np.ix_(kept, kept)])
    assert found == pytest.approx(statistic, rel=1e-12)
    assert skillings_mack_statistics(benefit).statistic == pytest.approx(
        statistic, rel=1e-12
    )


@given(matrices())
def test_equals_friedman_on_complete_data_whatever_the_ties(benefit):
    ranks = rank_rows(benefit)
    for tie_correction in (False, True):
        expected = friedman_statistics(ranks, tie_correction)
        found = skillings_mack_statistics(benefit, tie_correction)
        assert found.statistic == pytest.approx(expected.statistic, rel=1e-10, abs=1e-10)
        assert found.df == expected.df
        assert found.p_value == pytest.approx(expected.p_value, rel=1e-9)


def test_ties_that_differ_between_datasets_are_weighed_as_friedman_does():
    assert skillings_mack_statistics(TIES).statistic == pytest.approx(3.875)
    found = skillings_mack_statistics(TIES, tie_correction=True)
    assert found.statistic == pytest.approx(5.6364, abs=5e-5)
    assert found.p_value == pytest.approx(0.0597, abs=5e-5)
    assert found.n_datasets == 4


@pytest.mark.parametrize("tie_correction", [False, True])
def test_mean_over_all_permutations_is_the_degrees_of_freedom(tie_correction):
    # T = A' S⁻ A has mean rank(S) exactly when S is the covariance of A.
    rows = [[1.0, 2.0, 3.0], [1.0, 2.0, 4.0], [5.0, NAN, 6.0]]
    if tie_correction:
        rows = [[1.0, 1.0, 2.0], [1.0, 2.0, 3.0], [5.0, NAN, 6.0]]
    shuffles = []
    for row in rows:
        held = [at for at, value in enumerate(row) if not np.isnan(value)]
        shuffles.append([])
        for values in itertools.permutations([row[at] for at in held]):
            shuffled = np.full(3, NAN)
            shuffled[held] = values
            shuffles[-1].append(shuffled)
    mean = np.mean(
        [
            skillings_mack_statistics(np.array(table), tie_correction).statistic
            for table in itertools.product(*shuffles)
        ]
    )
    assert mean == pytest.approx(2.0, rel=1e-12)


def test_a_method_that_never_meets_another_has_no_row():
    benefit = np.array([[1.0, 2.0, NAN, NAN], [3.0, 1.0, NAN, NAN], [NAN, NAN, 5.0, NAN]])
    found = skillings_mack_statistics(benefit)
    np.testing.assert_array_equal(found.usable, [True, True, False, False])
    np.testing.assert_array_equal(found.component, [0, 0, -1, -1])
    np.testing.assert_array_equal(found.adjusted_rank_sums, [0.0, 0.0, NAN, NAN])
    np.testing.assert_array_equal(found.n_datasets_by_method, [2, 2, 0, 0])
    assert (found.n_methods, found.n_datasets, found.df) == (2, 2, 1)
    assert (found.statistic, found.p_value) == (0.0, 1.0)


def test_no_dataset_with_two_scores_leaves_no_statistic():
    found = skillings_mack_statistics(np.array([[1.0, NAN], [NAN, 2.0]]))
    assert found[:3] == (0, 0, 0)
    assert found.df == 0
    assert np.isnan(found.statistic)
    assert np.isnan(found.p_value)
    compared = skillings_mack_statistics(HOLE)
    for name, expected in (
        ("adjusted_rank_sums", [NAN, NAN]),
        ("n_datasets_by_method", [0, 0]),
        ("usable", [False, False]),
        ("component", [-1, -1]),
    ):
        column = getattr(found, name)
        np.testing.assert_array_equal(column, expected)
        assert column.dtype == getattr(compared, name).dtype


def test_two_methods_on_thousands_of_datasets_give_the_sign_statistic():
    # Each dataset adds 1 for the better and -1 for the worse, and 1 to the variance.
    wins, losses = 1100, 949
    benefit = np.array([[1.0, 0.0]] * wins + [[0.0, 1.0]] * losses)
    found = skillings_mack_statistics(benefit)
    np.testing.assert_allclose(found.adjusted_rank_sums, [151, -151], rtol=1e-12)
    assert found.statistic == pytest.approx(151**2 / 2049, rel=1e-12)


def test_an_all_tied_dataset_joins_nobody_once_ties_are_corrected():
    # A and B differ, C and D differ, and only a dataset without differences links them.
    benefit = np.array(
        [[2, 1, NAN, NAN], [2, 1, NAN, NAN], [NAN, NAN, 2, 1], [NAN, 7, 7, NAN]]
    )
    plain, corrected = (
        skillings_mack_statistics(benefit),
        skillings_mack_statistics(benefit, tie_correction=True),
    )
    assert (plain.n_components, plain.df) == (1, 3)
    assert (corrected.n_components, corrected.df) == (2, 2)
    assert corrected.statistic == pytest.approx(2.0 + 1.0)
    assert plain.n_datasets == corrected.n_datasets == 4


def test_a_method_met_only_in_all_tied_datasets_is_not_usable_once_ties_are_corrected():
    benefit = np.array([[2.0, 1.0, NAN], [NAN, 3.0, 3.0]])
    found = skillings_mack_statistics(benefit, tie_correction=True)
    np.testing.assert_array_equal(found.usable, [True, True, False])
    np.testing.assert_array_equal(found.n_datasets_by_method, [1, 2, 1])
    assert found.statistic == pytest.approx(1.0)


@pytest.mark.parametrize("tie_correction", [False, True])
def test_equal_scores_everywhere_are_no_evidence(tie_correction):
    found = skillings_mack_statistics(np.array([[1, 1, NAN], [2, 2, 2.0]]), tie_correction)
    assert (found.statistic, found.df, found.p_value) == (0.0, 2, 1.0)
    assert found.usable.all()


def test_the_last_digits_of_a_score_break_no_tie():
    benefit = np.array([[0.1 + 0.2, 0.3, 0.1], [0.5, 0.4, 0.3]])
    exact = np.array([[0.3, 0.3, 0.1], [0.5, 0.4, 0.3]])
    for tie_correction in (False, True):
        found = skillings_mack_statistics(benefit, tie_correction)
        assert found.statistic == skillings_mack_statistics(exact, tie_correction).statistic
