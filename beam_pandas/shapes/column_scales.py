"""Columns of a wide table whose numbers look as if they were no scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_APART = 100.0


def odd_columns(
    scores: NDArray[np.float64], *, methods: bool, strict: bool = False
) -> list[int]:
    """
    Find columns that look as if they described the rows, from their numbers.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_rows, n_columns)
        A wide table, NaN where missing.
    methods : bool
        Whether columns are methods, whose scores on one dataset share a scale.
    strict : bool
        Whether one column within 0 and 1 is enough to doubt any number of whole ones, and
        two columns to doubt one scale.

    Returns
    -------
    list of int
        Columns of whole numbers with one above 1, beside at least as many within 0 and 1
        (a column of ones and zeros may be a perfect method); if columns are methods, those
        that a gap of 100 times parts from the most. Sizes are compared within rows, in
        the median row.
    """
    present = ~np.isnan(scores)
    within = np.all(~present | ((scores >= 0.0) & (scores <= 1.0)), axis=0)
    whole = np.all(~present | (scores == np.floor(scores)), axis=0)
    fractions = within & ~whole
    counts = whole & ~within & np.any(scores > 1.0, axis=0)
    if strict:
        counts &= present.sum(axis=0) >= min(2, len(scores))
    enough = 1 if strict else counts.sum()
    odd = counts if fractions.sum() >= enough else np.zeros_like(counts)
    if methods and np.count_nonzero(~odd) >= (2 if strict else 3):
        odd[~odd] = _apart(np.abs(scores[:, ~odd]))
    return np.flatnonzero(odd).tolist()


def _apart(sizes: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mark columns that a gap of 100 times parts from the most, by their median size."""
    apart = np.zeros(sizes.shape[1], dtype=bool)
    usable = np.array([np.nanmedian(row) > 0.0 for row in sizes if not np.isnan(row).all()])
    rows = sizes[~np.isnan(sizes).all(axis=1)][usable]
    if not len(rows):
        return apart
    ratios = rows / np.nanmedian(rows, axis=1, keepdims=True)
    filled = np.flatnonzero(~np.isnan(ratios).all(axis=0))
    ratio = np.nanmedian(ratios[:, filled], axis=0)
    filled, ratio = filled[ratio > 0.0], ratio[ratio > 0.0]
    order = np.argsort(ratio, kind="stable")
    gaps = ratio[order][1:] >= _APART * ratio[order][:-1]
    group = np.concatenate([[0], np.cumsum(gaps)])
    sizes_of = np.bincount(group, minlength=1)
    if len(sizes_of) > 1 and np.count_nonzero(sizes_of == sizes_of.max()) > 1:
        apart[filled[order[group > 0]]] = True  # as many on either scale: doubt the larger
        return apart
    apart[filled[order[group != sizes_of.argmax()]]] = True
    return apart
