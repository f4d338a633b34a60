"""The exact sign test."""

from __future__ import annotations

import numpy as np
import scipy  # its parts load when they are used
from numpy.typing import NDArray


def sign_p_values(
    wins: NDArray[np.int64], losses: NDArray[np.int64], alternative: str = "two-sided"
) -> NDArray[np.float64]:
    """
    Give the exact p-values of wins against losses; ties are left out.

    Under the hypothesis either is as likely, so that the tail from the rarer of the two
    counts twice: p = min(1, 2 P(X <= min(wins, losses))), X binomial with one half. Each
    distinct pair of counts is computed once.

    Parameters
    ----------
    wins, losses : ndarray of int64, shape (n,)
        Counts of datasets.
    alternative : {"two-sided", "greater", "less"}
        With ``"greater"`` p = P(X >= wins), with ``"less"`` p = P(X <= wins).

    Returns
    -------
    ndarray of float64, shape (n,)
        1 where nothing was decided.
    """
    if alternative != "two-sided":
        less, most = (losses, wins) if alternative == "greater" else (wins, losses)
        tail = scipy.special.betainc(np.maximum(most, 1), less + 1.0, 0.5)
        return np.asarray(np.where(most == 0, 1.0, tail), dtype=np.float64)
    fewer, more = np.minimum(wins, losses), np.maximum(wins, losses)
    base = int(more.max(initial=0)) + 1
    codes, inverse = np.unique(fewer * base + more, return_inverse=True)
    fewer, more = np.divmod(codes, base)
    tail = scipy.special.betainc(np.maximum(more, 1), fewer + 1.0, 0.5)
    p_values = np.where(fewer == more, 1.0, np.minimum(2.0 * tail, 1.0))
    return np.asarray(p_values[inverse], dtype=np.float64)
