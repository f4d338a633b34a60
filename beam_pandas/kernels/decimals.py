"""Narrow floats as the decimal numbers they were written as."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def shortest_decimals(
    values: NDArray[np.float32] | NDArray[np.float16],
) -> NDArray[np.float64]:
    """
    Turn narrow floats into the float64 nearest to a short decimal that they stand for.

    A decimal of so many digits that the type holds every one of them is found first;
    the few values that need more digits are tried with more.

    Parameters
    ----------
    values : ndarray of float32 or float16
        NaN and infinities stay what they are.

    Returns
    -------
    ndarray of float64, same shape
        0.1 for the float32 that is nearest to 0.1.
    """
    wide = values.astype(np.float64)
    result = wide.copy()
    open_ = np.isfinite(wide) & (wide != 0.0)
    exponent = np.zeros(wide.shape)
    exponent[open_] = np.floor(np.log10(np.abs(wide[open_])))
    least = np.finfo(values.dtype).precision
    for digits in range(least, least + 4):
        places = digits - 1 - exponent[open_]
        scale = 10.0 ** np.abs(places)  # exact up to 10**22
        rounded = np.where(
            places >= 0,
            np.rint(wide[open_] * scale) / scale,
            np.rint(wide[open_] / scale) * scale,
        )
        with np.errstate(over="ignore"):
            found = (rounded.astype(values.dtype) == values[open_]) & (np.abs(places) <= 22)
        at = np.flatnonzero(open_)
        result.ravel()[at[found]] = rounded[found]
        open_.ravel()[at[found]] = False
    return result
