"""The exact law of the difference of two rank sums."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beam_pandas.kernels.tails import TableTooLargeError, upper_tails

#: Additions and multiplications that a law may take: some seconds.
_MOST_STEPS = 4e9
_RAMP_STEPS = 8  # additions for each doubling of a ramp

Alternative = Literal["two-sided", "greater", "less"]
#: The doubled ranks of a dataset in ascending order, and how many datasets have them.
Patterns = tuple[tuple[tuple[int, ...], int], ...]


class _Tails(NamedTuple):
    """The probability of a doubled difference of i units or more, for i from 0."""

    unit: int
    tails: NDArray[np.float64]


def rank_difference_p_values(
    ranks: NDArray[np.float64],
    doubled_differences: NDArray[np.int64],
    alternative: Alternative = "two-sided",
) -> NDArray[np.float64]:
    """
    Give the exact probability that two rank sums are so far apart by chance.

    The hypothesis: in each dataset the ranks at hand are dealt to the methods at random.
    Without ties the difference of two ranks is then d, not 0, with the probability
    (k - abs(d)) / (k (k - 1)) (Eisinga et al. 2017, eq. 2). With ties the two ranks are
    an ordered pair of that dataset's, drawn without replacement. The law of the sum is
    their convolution; all its terms are positive, so the far tail keeps its digits.

    Parameters
    ----------
    ranks : ndarray of float64, shape (n_datasets, n_methods)
        Ranks within each row, ties averaged, none missing; at least two columns.
    doubled_differences : ndarray of int64, shape (m,)
        Twice the difference of two rank sums.
    alternative : {"two-sided", "greater", "less"}
        Whether differences count that are as far from 0, as large, or as small.

    Returns
    -------
    ndarray of float64, shape (m,)

    Raises
    ------
    TableTooLargeError
        The law would take too long.

    References
    ----------
    Eisinga, R., Heskes, T., Pelzer, B., Te Grotenhuis, M. (2017). BMC Bioinformatics
    18, 68. doi:10.1186/s12859-017-1486-2
    """
    unit, tails = _tails(patterns_of(ranks))
    last = tails.size - 1  # no difference is so large
    if alternative == "two-sided":
        at = np.minimum(-(-np.abs(doubled_differences) // unit), last)
        return np.asarray(np.minimum(np.where(at == 0, 1.0, 2.0 * tails[at]), 1.0))
    turned = doubled_differences if alternative == "greater" else -doubled_differences
    at = np.clip(-(-turned // unit), -last, last)
    # P(D >= d) = 1 - P(D > -d), and the law is symmetric
    below = 1.0 - tails[np.clip(1 - at, 0, last)]
    return np.asarray(np.where(at > 0, tails[np.maximum(at, 0)], below), dtype=np.float64)


def patterns_of(ranks: NDArray[np.float64]) -> Patterns:
    """Give the distinct rows of ranks, doubled and sorted, and how often each occurs."""
    doubled = np.sort(np.rint(2.0 * ranks).astype(np.int64), axis=1)
    rows, counts = np.unique(doubled, axis=0, return_counts=True)
    return tuple(zip(map(tuple, rows.tolist()), counts.tolist(), strict=True))


class _Row(NamedTuple):
    """The law of the doubled difference of two ranks in one dataset."""

    differences: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    is_untied: bool
    n_datasets: int


def _row_law(doubled: tuple[int, ...], count: int) -> _Row:
    """Give the law of an ordered pair of ranks, drawn without replacement."""
    k, lowest = len(doubled), min(doubled)
    counts = np.bincount(np.array(doubled) - lowest).astype(np.float64)
    weights = np.convolve(counts, counts[::-1])  # whole numbers
    middle = counts.size - 1
    weights[middle] -= k  # no rank is paired with itself
    differences = np.flatnonzero(weights) - middle
    probabilities = weights[differences + middle] / (k * (k - 1))
    return _Row(differences, probabilities, bool(counts.max() == 1), count)


@lru_cache(maxsize=16)
def _tails(patterns: Patterns) -> _Tails:
    """Give the upper tails of the law, rows with ties first while it is short."""
    rows = [_row_law(doubled, count) for doubled, count in patterns]
    rows.sort(key=lambda row: (row.is_untied, row.differences.size))
    unit = math.gcd(*(int(value) for row in rows for value in row.differences)) or 1
    k = len(patterns[0][0])
    _refuse_too_large(rows, unit, k)
    law = np.ones(1)
    for row in rows:
        for _ in range(row.n_datasets):
            law = (
                _add_untied(law, k, 2 // unit)
                if row.is_untied
                else _add_tied(law, row, unit)
            )
    tails = np.append(upper_tails(law[law.size // 2 :]), 0.0)
    tails.setflags(write=False)
    return _Tails(unit, tails)


def _refuse_too_large(rows: list[_Row], unit: int, k: int) -> None:
    """Count the steps before any is taken; they grow with the square of the datasets."""
    steps, length, n_datasets = 0.0, 1.0, 0
    for row in rows:
        added = 2 * int(row.differences[-1]) // unit
        cost = _RAMP_STEPS * k.bit_length() if row.is_untied else added + 1
        steps += cost * row.n_datasets * (length + added * (row.n_datasets + 1) / 2)
        length += added * row.n_datasets
        n_datasets += row.n_datasets
    if steps > _MOST_STEPS:
        raise TableTooLargeError(int(n_datasets * math.sqrt(_MOST_STEPS / steps)))


def _add_tied(law: NDArray[np.float64], row: _Row, unit: int) -> NDArray[np.float64]:
    """Convolve with the law of a row with ties."""
    places = row.differences // unit
    dense = np.zeros(2 * int(places[-1]) + 1)
    dense[places + int(places[-1])] = row.probabilities
    result = np.convolve(law, dense)
    return (result + result[::-1]) / 2.0


def _add_untied(law: NDArray[np.float64], k: int, stride: int) -> NDArray[np.float64]:
    """
    Convolve with the law of a row without ties, a falling ramp to either side of 0.

    The sum of (n - d) law[x - d] over d from 1 to n - 1 is called ramp, that of
    law[x - d] over d from 1 to n window. Both are known for n = 1, and n is doubled or
    raised by one until it is k: nothing is subtracted, so no digit is lost. The ramp on
    the other side is the mirror image.
    """
    margin = (k - 1) * stride
    padded = np.pad(law, margin)
    n, ramp, window = 1, np.zeros(padded.size), _shifted(padded, stride)
    for bit in bin(k)[3:]:
        ramp = ramp + n * window + _shifted(ramp, n * stride)
        window = window + _shifted(window, n * stride)
        n *= 2
        if bit == "1":
            ramp = ramp + window
            n += 1
            window = window + _shifted(padded, n * stride)
    return (ramp + ramp[::-1]) / (k * (k - 1))


def _shifted(values: NDArray[np.float64], places: int) -> NDArray[np.float64]:
    """Move values to the right; what is moved beyond the end is not needed there."""
    result = np.zeros(values.size)
    if places < values.size:
        result[places:] = values[: values.size - places]
    return result
