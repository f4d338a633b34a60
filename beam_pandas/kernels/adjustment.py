"""Adjustment of a family of p-values for multiplicity."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Adjustment = Literal["holm", "hochberg", "bonferroni", "fdr_bh", "none"]
ADJUSTMENTS: tuple[str, ...] = get_args(Adjustment)


def adjust_p_values(p_values: NDArray[np.float64], adjust: str) -> NDArray[np.float64]:
    """
    Adjust p-values for the size of their family.

    Parameters
    ----------
    p_values : ndarray of float64, shape (m,)
        NaN entries are no members of the family and stay NaN.
    adjust : {"holm", "hochberg", "bonferroni", "fdr_bh", "none"}
        Holm's step-down, Hochberg's step-up, Bonferroni, the false discovery rate of
        Benjamini and Hochberg, or none. The step methods are monotone in p: a
        smaller p-value never gets a larger adjusted one, hence repeated values.

    Returns
    -------
    ndarray of float64, shape (m,)
        Adjusted p-values, at most 1.

    References
    ----------
    Holm, S. (1979). Scandinavian Journal of Statistics 6(2), 65-70.
    Hochberg, Y. (1988). Biometrika 75(4), 800-802. doi:10.1093/biomet/75.4.800
    Benjamini, Y., Hochberg, Y. (1995). JRSS B 57(1), 289-300.
    doi:10.1111/j.2517-6161.1995.tb02031.x
    """
    adjusted = np.array(p_values, dtype=np.float64)
    family = np.flatnonzero(~np.isnan(adjusted))
    m = family.size
    if adjust == "none" or m == 0:
        return adjusted
    order = family[np.argsort(adjusted[family], kind="stable")]
    ascending = adjusted[order]
    if adjust == "bonferroni":
        ascending = ascending * m
    elif adjust == "holm":
        ascending = np.maximum.accumulate(ascending * np.arange(m, 0, -1))
    elif adjust == "hochberg":
        ascending = _running_minimum_from_end(ascending * np.arange(m, 0, -1))
    else:
        ascending = _running_minimum_from_end(ascending * m / np.arange(1, m + 1))
    adjusted[order] = np.minimum(ascending, 1.0)
    return adjusted


def _running_minimum_from_end(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.minimum.accumulate(values[::-1])[::-1]
