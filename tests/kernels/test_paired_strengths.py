import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from beam_pandas.kernels.paired_strengths import Finding, elo, paired_strengths
from beam_pandas.kernels.strength_model import Slope
from beam_pandas.kernels.strength_solver import _newton_step, maximise

# Garcia and Herrera (2008), 30 data sets: C4.5, CN2, Kernel, NaiveBayes, 1-NN. Counts of
# accuracies as printed.
WINS = np.array(
    [
        [0, 23, 27, 14, 22],
        [6, 0, 25, 7, 17],
        [3, 5, 0, 5, 7],
        [16, 21, 25, 0, 21],
        [7, 13, 23, 9, 0],
    ]
)
TIES = np.array(
    [
        [0, 1, 0, 0, 1],
        [1, 0, 0, 2, 0],
        [0, 0, 0, 0, 0],
        [0, 2, 0, 0, 0],
        [1, 0, 0, 0, 0],
    ]
)
MODELS = ("half", "davidson")


@st.composite
def counts(draw, most=3, largest=5):
    """Wins and ties of a few methods, many pairs one-sided or never met."""
    k = draw(st.integers(2, largest))
    wins, ties = np.zeros((2, k, k), dtype=np.int64)
    for i, j in itertools.combinations(range(k), 2):
        number = st.sampled_from([0, 0, 0, *range(1, most + 1)])
        wins[i, j], wins[j, i], ties[i, j] = draw(st.tuples(number, number, number))
    return wins, ties + ties.T


def chances(a, b, nu):
    """Probabilities of a win, a loss and a tie."""
    parts = [math.exp(a), math.exp(b), nu * math.exp((a + b) / 2)]
    return [part / sum(parts) for part in parts]


def zermelo(scores):
    """Raise each worth to wins over expected games (Zermelo 1929), in plain Python."""
    k = len(scores)
    worth = [1.0] * k
    for _ in range(200_000):
        new = [
            sum(scores[i])
            / sum(
                (scores[i][j] + scores[j][i]) / (worth[i] + worth[j])
                for j in range(k)
                if j != i
            )
            for i in range(k)
        ]
        mean = math.exp(sum(map(math.log, new)) / k)
        new = [value / mean for value in new]
        change = max(abs(math.log(x / y)) for x, y in zip(new, worth, strict=True))
        worth = new
        if change < 1e-15:
            break
    return [math.log(value) for value in worth]


def plain_information(wins, ties, strength, nu):
    """Add up covariances of (half wins less half losses of each method, tie) by game."""
    k = len(strength)
    total = np.zeros((k + 1, k + 1))
    for i, j in itertools.combinations(range(k), 2):
        unit = np.eye(k + 1)
        outcomes = [(unit[i] - unit[j]) / 2, (unit[j] - unit[i]) / 2, unit[k]]
        p = chances(strength[i], strength[j], nu)
        mean = sum(q * y for q, y in zip(p, outcomes, strict=True))
        spread = sum(
            q * np.outer(y - mean, y - mean) for q, y in zip(p, outcomes, strict=True)
        )
        total += (wins[i, j] + wins[j, i] + ties[i, j]) * spread
    return total


def splits_allow_a_maximum(scores):
    """Try all splits in two: each part must have something against the other."""
    k = len(scores)
    for size in range(1, k):
        for part in itertools.combinations(range(k), size):
            rest = [i for i in range(k) if i not in part]
            if not scores[np.ix_(part, rest)].any():
                return False
    return True


def components_of(met):
    k = len(met)
    group = list(range(k))
    for _ in range(k):
        for i, j in itertools.product(range(k), repeat=2):
            if met[i, j]:
                group[i] = group[j] = min(group[i], group[j])
    names = sorted(set(group))
    return [names.index(value) for value in group]


# Published and recorded values --------------------------------------------------------


def test_half_ties_give_the_recorded_values():
    # R: BradleyTerry2, ties half a win each; strengths less their mean, vcov centred.
    found = paired_strengths(WINS, TIES)
    expected = [0.876265, -0.087951, -1.351384, 0.775101, -0.212030]
    np.testing.assert_allclose(found.strength, expected, rtol=0, atol=5.1e-7)
    # choix 0.4.1: ilsr_pairwise_dense(WINS + TIES / 2, alpha=0, tol=1e-13)
    more = [
        0.876264573276873,
        -0.087951345486683,
        -1.351383976427002,
        0.775100570606496,
        -0.212029821969684,
    ]
    np.testing.assert_allclose(found.strength, more, rtol=0, atol=1e-12)
    errors = [0.173823, 0.160724, 0.200557, 0.170665, 0.161674]
    np.testing.assert_allclose(found.standard_error, errors, rtol=0, atol=5.1e-7)
    assert np.isnan(found.log_tie).all()
    assert found.finding.tolist() == [Finding.FINITE]


def test_davidson_gives_the_recorded_values():
    # R: a log-linear Poisson model of the same counts.
    found = paired_strengths(WINS, TIES, "davidson")
    expected = [0.891802, -0.089256, -1.375880, 0.788846, -0.215512]
    np.testing.assert_allclose(found.strength, expected, rtol=0, atol=5.1e-7)
    assert found.log_tie[0] == pytest.approx(-3.438045, abs=5.1e-7)
    assert found.log_likelihood[0] == pytest.approx(-181.862866, abs=5.1e-7)


def test_sparse_counts_agree_with_choix():
    # choix 0.4.1: ilsr_pairwise_dense(wins, alpha=0, tol=1e-13)
    wins = np.array([[0, 3, 1, 0], [1, 0, 2, 5], [4, 1, 0, 1], [2, 1, 3, 0]])
    expected = [
        -0.431277874502788,
        0.379528379534581,
        -0.050553444458602,
        0.102302939426808,
    ]
    found = paired_strengths(wins, np.zeros((4, 4)))
    np.testing.assert_allclose(found.strength, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("ties", [0, 1, 5])
def test_two_methods_have_a_closed_form(ties):
    wins, tied = np.array([[0, 9], [4, 0]]), np.array([[0, ties], [ties, 0]])
    half = paired_strengths(wins, tied)
    gap = math.log((9 + ties / 2) / (4 + ties / 2))
    np.testing.assert_allclose(half.strength, [gap / 2, -gap / 2], rtol=1e-12)
    error = math.sqrt(1 / (9 + ties / 2) + 1 / (4 + ties / 2)) / 2
    np.testing.assert_allclose(half.standard_error, [error, error], rtol=1e-12)
    davidson = paired_strengths(wins, tied, "davidson")
    gap = math.log(9 / 4)  # three outcomes, two parameters: fitted exactly
    np.testing.assert_allclose(davidson.strength, [gap / 2, -gap / 2], rtol=1e-12)
    error = math.sqrt(1 / 9 + 1 / 4) / 2  # of a log odds of two counts of three
    np.testing.assert_allclose(davidson.standard_error, [error, error], rtol=1e-12)
    nu = math.log(ties / 6) if ties else -math.inf
    assert davidson.log_tie[0] == pytest.approx(nu, abs=1e-12)


def test_elo_is_ten_to_one_at_400_points():
    points = elo(np.array([math.log(10), 0.0, -math.log(10), np.nan]))
    np.testing.assert_allclose(points, [1900, 1500, 1100, np.nan], rtol=1e-14)


# Slow twins ---------------------------------------------------------------------------


@given(counts())
def test_half_ties_agree_with_zermelo(case):
    wins, ties = case
    found = paired_strengths(wins, ties)
    scores = wins + ties / 2
    for number in range(len(found.finding)):
        members = np.flatnonzero(found.component == number)
        part = scores[np.ix_(members, members)]
        if found.finding[number] != Finding.FINITE:
            assert np.isnan(found.strength[members]).all()
            continue
        strength = zermelo(part.tolist())
        np.testing.assert_allclose(found.strength[members], strength, rtol=0, atol=1e-11)
        information = plain_information(part, np.zeros_like(part), strength, 0.0)[:-1, :-1]
        covariance = np.linalg.pinv(information, hermitian=True)
        np.testing.assert_allclose(
            found.standard_error[members], np.sqrt(covariance.diagonal()), rtol=1e-8
        )
        likelihood = sum(
            part[i, j] * math.log(chances(strength[i], strength[j], 0.0)[0])
            for i, j in itertools.permutations(range(len(members)), 2)
        )
        assert found.log_likelihood[number] == pytest.approx(likelihood, rel=1e-11)


@given(counts())
def test_davidson_expects_what_was_observed(case):
    wins, ties = case
    found = paired_strengths(wins, ties, "davidson")
    for number in np.flatnonzero(found.finding == Finding.FINITE):
        members = np.flatnonzero(found.component == number)
        won, tied = wins[np.ix_(members, members)], ties[np.ix_(members, members)]
        strength, nu = found.strength[members], math.exp(found.log_tie[number])
        assert strength.sum() == pytest.approx(0.0, abs=1e-11)
        expected, expected_ties, likelihood = np.zeros(len(members)), 0.0, 0.0
        for i, j in itertools.combinations(range(len(members)), 2):
            p = chances(strength[i], strength[j], nu)
            games = won[i, j] + won[j, i] + tied[i, j]
            expected[i] += games * (p[0] + p[2] / 2)
            expected[j] += games * (p[1] + p[2] / 2)
            expected_ties += games * p[2]
            for count, q in zip((won[i, j], won[j, i], tied[i, j]), p, strict=True):
                likelihood += count * math.log(q) if count else 0.0
        np.testing.assert_allclose(expected, won.sum(1) + tied.sum(1) / 2, atol=1e-9)
        assert expected_ties == pytest.approx(tied.sum() / 2, abs=1e-9)
        assert found.log_likelihood[number] == pytest.approx(likelihood, rel=1e-10)
        information = plain_information(won, tied, strength, nu)
        covariance = np.linalg.pinv(information, hermitian=True)[:-1, :-1]
        np.testing.assert_allclose(
            found.standard_error[members], np.sqrt(covariance.diagonal()), rtol=1e-7
        )


@given(counts(most=1, largest=6))
def test_a_maximum_exists_where_every_split_has_something_either_way(case):
    wins, ties = case
    found = paired_strengths(wins, ties)
    scores = wins + ties / 2
    assert found.component.tolist() == components_of(scores + scores.T > 0)
    for number, finding in enumerate(found.finding):
        members = np.flatnonzero(found.component == number)
        exists = splits_allow_a_maximum(scores[np.ix_(members, members)])
        if len(members) == 1:
            assert finding == Finding.ALONE
        else:
            assert finding == (Finding.FINITE if exists else Finding.NOT_CONNECTED)
            n_strong = len(set(found.strong_component[members]))
            assert (n_strong == 1) == exists


def likelihood_never_falls_somewhere(won, tied):
    """Look for a direction (strengths, t) along which no outcome loses to another."""
    k = len(won)
    rows = []
    for i, j in itertools.permutations(range(k), 2):
        gap = np.zeros(k + 1)
        gap[i], gap[j] = 0.5, -0.5
        tie = np.eye(k + 1)[k]
        if won[i, j]:  # a win gains as much as a loss and a tie at least
            rows += [-2 * gap, tie - gap]
        if tied[i, j]:
            rows += [gap - tie, -gap - tie]
    bounds = [(0, 0), *[(-1, 1)] * (k - 1), (-1, 1) if tied.any() else (0, 0)]
    for at, sign in itertools.product(range(k + 1), (1, -1)):
        answer = linprog(sign * np.eye(k + 1)[at], rows, np.zeros(len(rows)), bounds=bounds)
        if answer.fun < -1e-6:
            return True
    return False


@given(counts(most=1, largest=4))
def test_davidson_has_a_maximum_unless_a_direction_never_falls(case):
    wins, ties = case
    found = paired_strengths(wins, ties, "davidson")
    for number, finding in enumerate(found.finding):
        members = np.flatnonzero(found.component == number)
        if len(members) > 1:
            part = (counted[np.ix_(members, members)] > 0 for counted in (wins, ties))
            assert (finding != Finding.FINITE) == likelihood_never_falls_somewhere(*part)


@given(counts())
def test_davidson_without_ties_is_bradley_terry(case):
    wins, _ = case
    none = np.zeros_like(wins)
    half, davidson = (paired_strengths(wins, none, model) for model in MODELS)
    np.testing.assert_array_equal(half.strength, davidson.strength)
    np.testing.assert_array_equal(half.standard_error, davidson.standard_error)
    assert np.isneginf(davidson.log_tie[davidson.finding == Finding.FINITE]).all()


# Invariances --------------------------------------------------------------------------


@given(counts(), st.sampled_from(MODELS), st.randoms(use_true_random=False))
def test_the_order_of_methods_does_not_matter(case, model, random):
    wins, ties = case
    order = list(range(len(wins)))
    random.shuffle(order)
    found = paired_strengths(wins, ties, model)
    moved = paired_strengths(wins[np.ix_(order, order)], ties[np.ix_(order, order)], model)
    np.testing.assert_allclose(moved.strength, found.strength[order], rtol=0, atol=1e-12)
    np.testing.assert_allclose(moved.standard_error, found.standard_error[order], rtol=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_turning_all_outcomes_turns_the_strengths(model):
    found, turned = (paired_strengths(won, TIES, model) for won in (WINS, WINS.T))
    np.testing.assert_allclose(turned.strength, -found.strength, rtol=0, atol=1e-12)


@pytest.mark.parametrize("model", MODELS)
def test_more_of_the_same_narrows_the_errors_only(model):
    found = paired_strengths(WINS, TIES, model)
    more = paired_strengths(9 * WINS, 9 * TIES, model)
    np.testing.assert_allclose(more.strength, found.strength, rtol=0, atol=1e-12)
    np.testing.assert_allclose(more.standard_error, found.standard_error / 3, rtol=1e-11)


@pytest.mark.parametrize("model", MODELS)
def test_the_start_does_not_matter(model):
    won, tied = (WINS + TIES / 2, 0 * TIES) if model == "half" else (WINS, TIES)
    won, tied = won[np.newaxis].astype(float), tied[np.newaxis].astype(float)
    near = maximise(won, tied, np.zeros((1, 5)))
    far = maximise(won, tied, np.array([[-30.0, 10.0, 40.0, 7.0, 100.0]]))
    assert far.converged.all()
    np.testing.assert_allclose(far.strength, near.strength, rtol=0, atol=1e-12)
    np.testing.assert_allclose(far.log_tie, near.log_tie, rtol=1e-12)


# No maximum, components, prior wins ---------------------------------------------------


@pytest.mark.parametrize("model", MODELS)
def test_a_perfect_winner_has_no_finite_strength(model):
    wins = np.array([[0, 5, 5], [0, 0, 3], [0, 2, 0]])
    found = paired_strengths(wins, np.zeros((3, 3)), model)
    assert np.isnan(found.strength).all() and np.isnan(found.standard_error).all()
    assert np.isnan(found.log_likelihood).all() and np.isnan(found.log_tie).all()
    assert found.finding.tolist() == [Finding.NOT_CONNECTED]
    assert found.component.tolist() == [0, 0, 0]
    assert found.strong_component.tolist() == [0, 1, 1]
    one = wins.copy()
    one[1, 0] = 1  # a single loss is enough
    assert np.isfinite(paired_strengths(one, np.zeros((3, 3)), model).strength).all()


def test_a_tie_of_the_winner_is_enough_for_half_ties():
    wins, ties = np.array([[0, 5, 5], [0, 0, 3], [0, 2, 0]]), np.zeros((3, 3))
    ties[0, 1] = ties[1, 0] = 1
    for model in MODELS:
        found = paired_strengths(wins, ties, model)
        assert found.finding.tolist() == [Finding.FINITE]


@pytest.mark.parametrize("model", MODELS)
def test_groups_that_never_met_stand_apart(model):
    # Methods 0, 2 and 1, 4 met; 3 met nobody.
    wins = np.zeros((5, 5))
    wins[0, 2], wins[2, 0], wins[1, 4], wins[4, 1] = 3, 1, 2, 8
    found = paired_strengths(wins, np.zeros((5, 5)), model)
    assert found.component.tolist() == [0, 1, 0, 2, 1]
    assert found.finding.tolist() == [Finding.FINITE, Finding.FINITE, Finding.ALONE]
    expected = [
        math.log(3) / 2,
        -math.log(4) / 2,
        -math.log(3) / 2,
        np.nan,
        math.log(4) / 2,
    ]
    np.testing.assert_allclose(found.strength, expected, rtol=1e-12)
    prior = paired_strengths(wins, np.zeros((5, 5)), model, prior_strength=0.5)
    assert prior.component.tolist() == found.component.tolist()  # islands stay islands
    expected = math.log(3.5 / 1.5) / 2
    np.testing.assert_allclose(prior.strength[[0, 2]], [expected, -expected], rtol=1e-12)
    assert np.isnan(prior.strength[3])


@pytest.mark.parametrize("model", MODELS)
def test_one_component_without_a_maximum_leaves_the_other(model):
    wins = np.zeros((4, 4))
    wins[0, 1], wins[2, 3], wins[3, 2] = 4, 1, 1
    found = paired_strengths(wins, np.zeros((4, 4)), model)
    assert found.finding.tolist() == [Finding.NOT_CONNECTED, Finding.FINITE]
    np.testing.assert_allclose(found.strength, [np.nan, np.nan, 0.0, 0.0], atol=1e-15)


def test_ties_everywhere():
    ties = 7 * (1 - np.eye(4))
    half = paired_strengths(np.zeros((4, 4)), ties)
    np.testing.assert_array_equal(half.strength, np.zeros(4))
    # Information 7/4 for each pair: the pseudo-inverse is (I - J/4) / (4 * 7/4).
    np.testing.assert_allclose(half.standard_error, np.sqrt(0.75 / 7), rtol=1e-12)
    davidson = paired_strengths(np.zeros((4, 4)), ties, "davidson")
    assert davidson.finding.tolist() == [Finding.TIES_WITHOUT_BOUND]
    assert np.isnan(davidson.strength).all()


@pytest.mark.parametrize("prior", [1e-9, 0.5, 3.0])
@pytest.mark.parametrize("model", MODELS)
def test_prior_wins_are_wins_of_either_against_every_method_met(model, prior):
    wins = np.array([[0, 5, 5], [0, 0, 3], [0, 2, 0]])
    ties = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]])
    found = paired_strengths(wins, ties, model, prior_strength=prior)
    more = paired_strengths(wins + prior * (1 - np.eye(3)), ties, model)
    np.testing.assert_array_equal(found.strength, more.strength)
    assert np.isfinite(found.strength).all()


def test_a_tiny_prior_keeps_its_digits():
    wins = np.array([[0.0, 5.0], [0.0, 0.0]])
    found = paired_strengths(wins, np.zeros((2, 2)), prior_strength=1e-12)
    assert found.strength[0] == pytest.approx(math.log(5 / 1e-12) / 2, rel=1e-12)


@pytest.mark.parametrize("model", MODELS)
def test_one_method_alone(model):
    found = paired_strengths(np.zeros((1, 1)), np.zeros((1, 1)), model, 0.5)
    assert found.finding.tolist() == [Finding.ALONE]
    assert np.isnan(found.strength).all()


# Shapes that are hard to climb --------------------------------------------------------


def test_a_long_chain_of_lopsided_pairs():
    k = 200
    wins, above = np.zeros((k, k)), np.arange(k - 1)
    wins[above, above + 1], wins[above + 1, above] = 1e6, 1
    found = paired_strengths(wins, np.zeros((k, k)))
    np.testing.assert_allclose(np.diff(found.strength), -math.log(1e6), rtol=1e-11)


def test_one_upset_in_a_perfect_order():
    k = 60
    wins = np.triu(np.ones((k, k)), 1)
    wins[0, -1], wins[-1, 0] = 0, 1  # the last beat the first, all else as ordered
    found = paired_strengths(wins, np.zeros((k, k)))
    strength = found.strength
    assert found.finding.tolist() == [Finding.FINITE]
    np.testing.assert_allclose(strength, -strength[::-1], rtol=0, atol=1e-11)
    for split in range(1, k):  # across every split one upset is observed, so expected
        across = strength[:split, np.newaxis] - strength[np.newaxis, split:]
        assert (1 / (1 + np.exp(across))).sum() == pytest.approx(1.0, abs=1e-9)


def test_counts_of_very_different_size():
    wins = np.array([[0, 1e9, 0, 0], [1e9, 0, 1, 0], [0, 1, 0, 2e9], [0, 0, 1e9, 0]])
    found = paired_strengths(wins, np.zeros((4, 4)))
    gaps = -np.diff(found.strength)
    np.testing.assert_allclose(gaps, [0.0, 0.0, math.log(2)], rtol=0, atol=1e-6)


def test_a_singular_matrix_still_gives_an_upward_step():
    information = np.array([[[1.0, -1, 0], [-1, 1, 0], [0, 0, 0]]])
    step = _newton_step(Slope(np.array([[1.0, -1.0, 0.0]]), information), 3)
    assert np.isfinite(step).all()
    assert step[0, 0] > step[0, 1]
