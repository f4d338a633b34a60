"""The Friedman test in both its chi-square and its F form."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy  # its parts load when they are used
from numpy.typing import NDArray


class FriedmanResult(NamedTuple):
    """Statistic and p-value of both forms, and Kendall's coefficient W."""

    statistic: float
    df: int
    p_value: float
    kendall_w: float
    f_statistic: float
    f_df_1: int
    f_df_2: int
    f_p_value: float


def friedman_statistics(
    ranks: NDArray[np.float64], tie_correction: bool = True
) -> FriedmanResult:
    """
    Test whether the columns of a complete table of ranks have the same mean rank.

    With S the sum of squared deviations of the rank sums and A that of the ranks
    themselves, chi-square is (k - 1) S / A. On rows without ties A is N k (k² - 1) / 12
    and this is Friedman's own formula; with A taken from the ranks it is the statistic
    corrected for ties (Conover 1999, section 5.8). The F form of Iman and Davenport,
    (N - 1) chi² / (N (k - 1) - chi²), is then (N - 1) S / (N A - S). Doubled ranks are
    whole numbers, so that perfect agreement, N A = S, is recognised exactly.

    Parameters
    ----------
    ranks : ndarray of float64, shape (n_datasets, n_methods)
        Ranks within each row, ties averaged, none missing; at least two columns.
    tie_correction : bool
        Whether A is taken from the ranks or as if there were no ties.

    Returns
    -------
    FriedmanResult
        All scores equal: both statistics 0, both p-values 1, W NaN.

    References
    ----------
    Friedman, M. (1937). JASA 32(200), 675-701. doi:10.1080/01621459.1937.10503522
    Iman, R. L., Davenport, J. M. (1980). Communications in Statistics - Theory and
    Methods 9(6), 571-595. doi:10.1080/03610928008827904
    """
    n_rows, k = ranks.shape
    deviations = 2.0 * ranks - (k + 1)
    sums = deviations.sum(axis=0)
    between, within = float(sums @ sums), float(np.vdot(deviations, deviations))
    df_1, df_2 = k - 1, (k - 1) * (n_rows - 1)
    if within == 0.0:
        return FriedmanResult(0.0, df_1, 1.0, np.nan, 0.0, df_1, df_2, 1.0)
    if not tie_correction:
        within = n_rows * k * (k**2 - 1) / 3.0
    statistic = df_1 * between / within
    residual = n_rows * within - between
    f_statistic = (n_rows - 1) * between / residual if residual > 0.0 else np.inf
    f_p_value = (
        float(scipy.special.fdtrc(df_1, df_2, f_statistic)) if residual > 0.0 else 0.0
    )
    return FriedmanResult(
        statistic=statistic,
        df=df_1,
        p_value=float(scipy.special.chdtrc(df_1, statistic)),
        kendall_w=between / (n_rows * within),
        f_statistic=f_statistic,
        f_df_1=df_1,
        f_df_2=df_2,
        f_p_value=f_p_value,
    )
