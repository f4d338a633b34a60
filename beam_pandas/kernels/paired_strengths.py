"""Strengths of methods from counts of wins and ties, by maximum likelihood."""

from __future__ import annotations

from enum import IntEnum
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.strength_model import covariance_against_mean, log_likelihood
from beam_pandas.kernels.strength_solver import maximise
from beam_pandas.kernels.strong_connection import (
    is_strongly_connected,
    joined_groups,
    wins_outweigh_ties,
)

TiesAs = Literal["half", "davidson"]


class Finding(IntEnum):
    """Why a component of methods that met has finite strengths or none."""

    FINITE = 0  # the likelihood has one maximum
    ALONE = 1  # one method, compared with none
    NOT_CONNECTED = 2  # some methods never lost to or tied with the others
    TIES_WITHOUT_BOUND = 3  # Davidson's tie parameter grows for ever
    NOT_CONVERGED = 4  # out of reach of double precision


class PairedStrengths(NamedTuple):
    """
    Strengths of methods and what they rest on.

    Attributes
    ----------
    strength : ndarray of float64, shape (n_methods,)
        Log-worths, higher is better, with mean 0 in each component; NaN where the component
        has no finite maximum.
    standard_error : ndarray of float64, shape (n_methods,)
        Of the strength against the mean of its component, as if all comparisons were
        independent.
    component : ndarray of int64, shape (n_methods,)
        Groups of methods that comparisons join, from 0 in order of the first member.
    strong_component : ndarray of int64, shape (n_methods,)
        Groups within which wins and ties lead from every method to every other, from 0
        in order of the first member; a component of several has no finite maximum.
    finding : ndarray of int64, shape (n_components,)
        A `Finding` for each component.
    log_tie : ndarray of float64, shape (n_components,)
        Davidson's log nu, -inf in a component without ties; NaN with half ties.
    log_likelihood : ndarray of float64, shape (n_components,)
        At the maximum, without the terms that depend on the counts alone.
    """

    strength: NDArray[np.float64]
    standard_error: NDArray[np.float64]
    component: NDArray[np.int64]
    strong_component: NDArray[np.int64]
    finding: NDArray[np.int64]
    log_tie: NDArray[np.float64]
    log_likelihood: NDArray[np.float64]


def paired_strengths(
    wins: NDArray[np.float64] | NDArray[np.int64],
    ties: NDArray[np.float64] | NDArray[np.int64],
    ties_as: TiesAs = "half",
    prior_strength: float = 0.0,
) -> PairedStrengths:
    """
    Estimate strengths by maximum likelihood (Bradley and Terry 1952).

    A method of strength a outperforms one of strength b with probability
    e^a / (e^a + e^b). A tie counts as half a win for either (a quasi-likelihood), or is an
    outcome of its own with probability nu sqrt(e^a e^b) / (e^a + e^b + nu sqrt(e^a e^b))
    (Davidson 1970), nu apart for each component, as methods that never met say nothing
    about each other.

    With half ties a component has a finite maximum, and then one only, if for any split in
    two some method of either part outperformed or tied with one of the other: if edges from
    winner to loser, and both ways for a tie, connect it strongly (Ford 1957). Davidson's
    likelihood needs that too. A direction in which it never falls changes strengths by x
    and log nu by t with x_i - x_j >= 2 max(t, 0) for every win of i over j and
    abs(x_i - x_j) <= 2 t for every tie. With t = 0 that is Ford's condition. With t < 0 it
    takes a component without a tie: there nu is 0, the strengths those of the wins alone.
    With t > 0 it exists unless some cycle has more wins than ties (add the inequalities
    up around it; the converse is Farkas' lemma). So where a component has ties it has a
    finite maximum if it is strongly connected and has such a cycle; two methods that
    outperformed each other are one.

    Parameters
    ----------
    wins : ndarray, shape (n_methods, n_methods)
        How often the method in the row outperformed that in the column; diagonal 0.
    ties : ndarray, same shape
        How often neither outperformed the other; symmetric, diagonal 0.
    ties_as : {"half", "davidson"}
        What a tie counts as.
    prior_strength : float
        Wins added in both directions to every pair that met, at least 0. Above 0 every
        component has a finite maximum; methods that never met stay apart.

    Returns
    -------
    PairedStrengths
        A component of one method has no strength.

    References
    ----------
    Bradley, R. A., Terry, M. E. (1952). Rank analysis of incomplete block designs: I.
    Biometrika 39(3/4), 324-345. doi:10.2307/2334029

    Davidson, R. R. (1970). On extending the Bradley-Terry model to accommodate ties in
    paired comparison experiments. JASA 65(329), 317-328.
    doi:10.1080/01621459.1970.10481082

    Ford, L. R. (1957). Solution of a ranking problem from binary comparisons. American
    Mathematical Monthly 64(8), 28-33. doi:10.2307/2308513
    """
    won, tied = settle_counts(wins, ties, met_pairs(wins, ties), ties_as, prior_strength)
    edges = (won > 0.0) | (tied > 0.0)
    component = joined_groups(edges, both_ways=False)
    n_methods, n_components = len(won), int(component.max(initial=-1)) + 1
    strength, error = np.full((2, n_methods), np.nan)
    log_tie, reached = np.full((2, n_components), np.nan)
    finding = np.zeros(n_components, dtype=np.int64)
    for number in range(n_components):
        members = np.flatnonzero(component == number)
        games = np.ix_(members, members)
        part = won[games][np.newaxis], tied[games][np.newaxis]
        finding[number] = find_maximum(*part)[0]
        if finding[number] == Finding.FINITE:
            solution = maximise(*part, np.zeros((1, members.size)))
            if not solution.converged[0]:
                finding[number] = Finding.NOT_CONVERGED
                continue
            strength[members] = solution.strength[0]
            found = solution.strength, solution.log_tie
            covariance = covariance_against_mean(*part, *found)[0]
            error[members] = np.sqrt(covariance.diagonal())
            reached[number] = log_likelihood(*part, *found)[0]
            if ties_as == "davidson":
                log_tie[number] = solution.log_tie[0]
    return PairedStrengths(
        strength=strength,
        standard_error=error,
        component=component,
        strong_component=joined_groups(edges, both_ways=True),
        finding=finding,
        log_tie=log_tie,
        log_likelihood=reached,
    )


def met_pairs(
    wins: NDArray[np.float64] | NDArray[np.int64],
    ties: NDArray[np.float64] | NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Tell which pairs of methods were compared at all."""
    return (wins > 0) | (wins.swapaxes(-1, -2) > 0) | (ties > 0)


def settle_counts(
    wins: NDArray[np.float64] | NDArray[np.int64],
    ties: NDArray[np.float64] | NDArray[np.int64],
    met: NDArray[np.bool_],
    ties_as: TiesAs,
    prior_strength: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the wins and ties to be fitted: half ties and prior wins become wins."""
    won = wins + prior_strength * met
    if ties_as == "half":
        return won + ties / 2.0, np.zeros(won.shape)
    return won, ties.astype(np.float64)


def find_maximum(won: NDArray[np.float64], tied: NDArray[np.float64]) -> NDArray[np.int64]:
    """
    Tell for a batch of counts whether the likelihood has a finite maximum.

    Parameters
    ----------
    won, tied : ndarray of float64, shape (n_fits, n_methods, n_methods)
        Counts to be fitted; half ties are wins already.

    Returns
    -------
    ndarray of int64, shape (n_fits,)
        A `Finding` each. A tie parameter without bound comes first: where it grows,
        nothing is known about any strength.
    """
    won_, tied_ = won > 0.0, tied > 0.0
    finding = np.full(len(won), Finding.FINITE, dtype=np.int64)
    if won.shape[1] < 2:
        finding[:] = Finding.ALONE
        return finding
    finding[~is_strongly_connected(won_ | tied_)] = Finding.NOT_CONNECTED
    some = np.flatnonzero(tied_.any(axis=(1, 2)))
    if some.size:
        grows = some[~wins_outweigh_ties(won_[some], tied_[some])]
        finding[grows] = Finding.TIES_WITHOUT_BOUND
    return finding


def elo(strength: NDArray[np.float64]) -> NDArray[np.float64]:
    """
    Turn log-worths into Elo points, 1500 in the middle.

    400 points more are odds of ten to one (Elo 1978): 400 / ln 10 points a unit.
    """
    return np.asarray(1500.0 + 400.0 / np.log(10.0) * strength)
