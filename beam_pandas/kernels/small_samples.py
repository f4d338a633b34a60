"""What a table of so many methods and datasets can show at best."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray


def smallest_sign_p(n_datasets: NDArray[np.int64]) -> NDArray[np.float64]:
    """
    Give the p-value of the sign test where one method wins on every dataset.

    It is 2^(1 - n), and 1 without a dataset. The signed-rank test has no smaller one.
    """
    return np.asarray(np.ldexp(1.0, np.minimum(1 - n_datasets, 0)), dtype=np.float64)


def smallest_sign_p_adjusted(
    n_datasets: NDArray[np.int64], n_methods: int
) -> NDArray[np.float64]:
    """Give it adjusted by Holm for all pairs: k (k - 1) / 2 times as large, at most 1."""
    n_pairs = n_methods * (n_methods - 1) // 2
    return np.minimum(n_pairs * smallest_sign_p(n_datasets), 1.0)


def smallest_friedman_p(n_methods: int, n_datasets: int) -> float:
    """
    Give the exact p-value of Friedman's test where all datasets agree, without ties.

    The other datasets would have to repeat the order of the first by chance:
    (k!)^(1 - n). It is the true quotient of integers, rounded once.
    """
    repeats = max(n_datasets - 1, 0)
    if repeats * math.lgamma(n_methods + 1.0) > 1000.0:  # below the least float
        return 0.0
    return float(1 / math.factorial(n_methods) ** repeats)


def fewest_separating_datasets(n_methods: int, alpha: float) -> int:
    """
    Give the number of datasets from which on a perfect pair can be significant.

    The least n for which the smallest p-value of the sign test, adjusted by Holm for
    all pairs, is no more than alpha: k (k - 1) / 2 times 2^(1 - n). A power of two
    times a whole number is exact, so that equality is recognised.

    Parameters
    ----------
    n_methods : int
        At least two.
    alpha : float
        Level, above 0.
    """
    n_pairs = n_methods * (n_methods - 1) // 2
    n = max(1, math.frexp(n_pairs)[1] - math.frexp(alpha)[1])  # one or two too few
    while math.ldexp(n_pairs, 1 - n) > alpha:
        n += 1
    return n
