"""Kendall's tau-b between all pairs of datasets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.all_pairs import list_pairs

#: Number of values in each of the arrays that hold a block of pairs of methods.
_BLOCK = 2**21


class ConcordanceResult(NamedTuple):
    """Common methods and tau-b of each pair of datasets."""

    n_common: NDArray[np.int64]
    tau: NDArray[np.float64]


def kendall_tau(benefit: NDArray[np.float64]) -> ConcordanceResult:
    """
    Correlate the order of the methods on each dataset with that on each other dataset.

    With x the sign of the difference of two methods on one dataset and y on the
    other, tau-b is sum(xy) / sqrt(sum(x²) sum(y²)) over the pairs of methods that both
    datasets hold (Kendall 1945, the form for ties). Sums of products over all pairs of
    datasets at once are matrix products of the signs, here of a block of pairs of
    methods at a time. The terms are -1, 0 and 1, so that float32 holds the sums exactly.

    Parameters
    ----------
    benefit : ndarray of float64, shape (n_datasets, n_methods)
        Scores turned so that more is better, equal ones the same to the last bit (see
        `merge_equal`); NaN where missing, never infinite.

    Returns
    -------
    ConcordanceResult
        Both of shape (n_datasets (n_datasets - 1) / 2,), the pairs in the row-major order
        of the upper triangle, as `numpy.triu_indices(n_datasets, 1)` lists them:

        - **n_common** : int64; methods that both datasets hold.
        - **tau** : float64, from -1 to 1; NaN with fewer than two common methods and
          where one dataset is constant on them.

    References
    ----------
    Kendall, M. G. (1945). The treatment of ties in ranking problems. Biometrika 33(3),
    239-251. doi:10.1093/biomet/33.3.239
    """
    present = ~np.isnan(benefit)
    upper = list_pairs(benefit.shape[0])
    held = present.astype(np.float32)
    n_common = (held @ held.T)[upper].astype(np.int64)
    agreement, untied = _sums_of_products(benefit, present)
    first, second = untied[upper], untied.T[upper]
    tau = np.full(n_common.shape, np.nan)
    np.divide(
        agreement[upper],
        np.sqrt(first * second),
        out=tau,
        where=(first > 0.0) & (second > 0.0),
    )
    return ConcordanceResult(n_common, tau)


def _sums_of_products(
    benefit: NDArray[np.float64], present: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """
    Sum over pairs of methods what two datasets say of them.

    Of two datasets, the first result has the concordant pairs of methods less the
    discordant ones, the second how many of the common pairs the first dataset unties.
    """
    n_datasets, n_methods = benefit.shape
    by_method = np.ascontiguousarray(np.where(present, benefit, 0.0).T)
    held = np.ascontiguousarray(present.T, dtype=np.float32)
    complete = bool(present.all())
    agreement, untied = np.zeros((2, n_datasets, n_datasets))
    for one, other in _pair_blocks(n_methods, max(1, _BLOCK // max(1, n_datasets))):
        this, that = by_method[one], by_method[other]
        sign = (that > this).astype(np.float32)
        sign -= this > that
        if complete:
            untied += np.abs(sign).sum(axis=0)[:, np.newaxis]
        else:
            common = held[one] * held[other]
            sign *= common
            untied += np.abs(sign).T @ common
        agreement += sign.T @ sign
    return agreement, untied


def _pair_blocks(
    n_methods: int, size: int
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Split the pairs of methods into blocks of at most the given size."""
    one, other = list_pairs(n_methods)
    for start in range(0, one.size, size):
        yield one[start : start + size], other[start : start + size]
