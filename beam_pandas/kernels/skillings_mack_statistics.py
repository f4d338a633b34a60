"""The Skillings-Mack test: Friedman's test for tables with missing scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy  # its parts load when they are used
from numpy.typing import NDArray

from beam_pandas.kernels.row_ranks import rank_rows


class SkillingsMackResult(NamedTuple):
    """Statistic and p-value, and what each method adds to them."""

    n_methods: int
    n_datasets: int
    n_components: int
    statistic: float
    df: int
    p_value: float
    adjusted_rank_sums: NDArray[np.float64]
    n_datasets_by_method: NDArray[np.int64]
    usable: NDArray[np.bool_]
    component: NDArray[np.int64]


def skillings_mack_statistics(
    benefit: NDArray[np.float64], tie_correction: bool = False
) -> SkillingsMackResult:
    """
    Test whether the methods differ, using every dataset that scores at least two of them.

    In a dataset with k methods the rank R, from 1 for the worst to k, counts as
    (R - (k + 1)/2) sqrt(12/(k + 1)). Over the datasets a method's values add up to
    its adjusted rank sum, and T = A' S⁻ A, with S the covariance of the sums A under the
    hypothesis: minus the number of common datasets off the diagonal, on it the sum of
    k - 1 (Skillings and Mack 1981). S is the Laplacian of the graph that
    joins methods with a common dataset. Hence its rank, the degrees of freedom, is the
    number of methods less that of connected components, T is a sum over components, and
    leaving out any one method of each component gives a regular matrix and the same T.

    Ties lower the variance of the ranks of a dataset, and with it that dataset's share of
    S, by the factor c = var(R) / ((k² - 1)/12). The published statistic takes c = 1.
    The correction uses the actual c: S is then the exact covariance over all
    permutations of the ranks at hand, and on a complete table T is the Friedman statistic
    corrected for ties. A dataset on which all are equal has c = 0: it adds nothing to A
    or S and joins no methods. If all datasets are like that, nothing is corrected.

    Parameters
    ----------
    benefit : ndarray of float64, shape (n_datasets, n_methods)
        Scores turned so that more is better; NaN where missing, never infinite.
    tie_correction : bool
        Whether the covariance takes account of ties.

    Returns
    -------
    SkillingsMackResult
        - **n_methods** : number of methods with a row in the test, the `usable` ones.
        - **n_datasets** : number of datasets with at least two scores, tied or not.
        - **n_components** : number of groups of methods that share no dataset.
        - **statistic**, **df**, **p_value** : T, its degrees of freedom, upper tail of
          chi-square. Without a dataset that has two scores NaN, 0 and NaN.
        - **adjusted_rank_sums** : float64, shape (n_methods,); above 0 is better than
          average, NaN where not usable.
        - **n_datasets_by_method** : int64, shape (n_methods,); how many of `n_datasets`
          score the method.
        - **usable** : bool, shape (n_methods,); False for a method that no dataset
          compares with another (if ties are corrected for: none that tells any apart).
        - **component** : int64, shape (n_methods,); from 0 in order of the first member,
          -1 where not usable.

    References
    ----------
    Skillings, J. H., Mack, G. A. (1981). On the use of a Friedman-type statistic in
    balanced and unbalanced block designs. Technometrics 23(2), 171-177.
    doi:10.1080/00401706.1981.10486261
    """
    present = ~np.isnan(benefit)
    compared = np.count_nonzero(present, axis=1) >= 2
    if not compared.all():
        benefit, present = benefit[compared], present[compared]
    held = np.count_nonzero(present, axis=0)
    if not held.any():
        return _nothing_compared(held)
    k = np.count_nonzero(present, axis=1)
    doubled = (k + 1.0)[:, np.newaxis] - 2.0 * rank_rows(benefit)  # R - (k + 1)/2, twice
    doubled[~present] = 0.0
    weight = _tie_factor(doubled, k) if tie_correction else None
    covariance = _covariance(present, weight)
    usable = covariance.diagonal() > 0.0
    sums = np.where(usable, np.sqrt(3.0 / (k + 1.0)) @ doubled, np.nan)
    n_components, component = _components(covariance, usable)
    left_out = np.unique(component[usable], return_index=True)[1]
    kept = np.delete(np.flatnonzero(usable), left_out)
    statistic = _quadratic_form(sums[kept], covariance[np.ix_(kept, kept)])
    return SkillingsMackResult(
        n_methods=kept.size + n_components,
        n_datasets=k.size,
        n_components=n_components,
        statistic=statistic,
        df=kept.size,
        p_value=float(scipy.special.chdtrc(kept.size, statistic)),
        adjusted_rank_sums=sums,
        n_datasets_by_method=held.astype(np.int64),
        usable=usable,
        component=component,
    )


def _nothing_compared(held: NDArray[np.intp]) -> SkillingsMackResult:
    """Give the result of a table in which no dataset has two scores."""
    return SkillingsMackResult(
        n_methods=0,
        n_datasets=0,
        n_components=0,
        statistic=np.nan,
        df=0,
        p_value=np.nan,
        adjusted_rank_sums=np.full(held.shape, np.nan),
        n_datasets_by_method=held.astype(np.int64),
        usable=np.zeros(held.shape, dtype=bool),
        component=np.full(held.shape, -1, dtype=np.int64),
    )


def _tie_factor(
    doubled: NDArray[np.float64], k: NDArray[np.intp]
) -> NDArray[np.float64] | None:
    """
    Divide each dataset's variance of ranks by that of ranks without ties.

    Doubled deviations are whole numbers, so that 0 is exact; all 0 corrects nothing.
    """
    squares = np.einsum("ij,ij->i", doubled, doubled)
    if not squares.any():
        return None
    size = k.astype(np.float64)
    return np.asarray(squares / (size * (size * size - 1.0) / 3.0))


def _covariance(
    present: NDArray[np.bool_], weight: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Count, or weigh, the datasets that hold two methods; rows add up to 0."""
    if weight is None:
        counted = present.astype(np.float32)  # whole numbers: exact up to 2**24
        covariance = -(counted.T @ counted).astype(np.float64)
    else:
        weighed = np.sqrt(weight)[:, np.newaxis] * present
        covariance = -(weighed.T @ weighed)
    np.fill_diagonal(covariance, 0.0)
    np.fill_diagonal(covariance, -covariance.sum(axis=1))  # the sum of weight (k - 1)
    return covariance


def _components(
    covariance: NDArray[np.float64], usable: NDArray[np.bool_]
) -> tuple[int, NDArray[np.int64]]:
    """Give each usable method its group, numbered in order of the first member."""
    joined = covariance < 0.0
    component = np.where(usable, 0, -1)
    if np.count_nonzero(joined, axis=1).max() == np.count_nonzero(usable) - 1:
        return 1, component  # some method meets every other
    label = scipy.sparse.csgraph.connected_components(joined, directed=False)[1][usable]
    names, component[usable] = np.unique(label, return_inverse=True)
    return names.size, component


def _quadratic_form(sums: NDArray[np.float64], covariance: NDArray[np.float64]) -> float:
    """Give A' S⁻¹ A as a sum of squares, never below 0."""
    factor = scipy.linalg.cholesky(covariance, lower=True, check_finite=False)
    standardized = scipy.linalg.solve_triangular(
        factor, sums, lower=True, check_finite=False
    )
    return float(standardized @ standardized)
