"""Exact probabilities that each of three Dirichlet shares is the largest.

Notes
-----
With independent gamma variables g_i ~ Gamma(a_i, 1), share i of a
Dirichlet(a) vector is g_i / (g_1 + g_2 + g_3), hence ::

    P_i = integral over x > 0 of f_i(x) F_j(x) F_k(x) dx

with f, F the gamma density and distribution function: a trapezoidal sum in u,
where x = log(1 + exp(u)) ** 2. For large x this is about u ** 2,
which gives every gamma variable a standard deviation near 1/2; for small x it
is exp(2 u), which turns the power of x at 0 into an exponential. The integrand
is analytic in |Im u| < pi and about a product of three Gaussian shapes of
standard deviation 1/2, so a step h leaves an error of order
exp(-1.645 / h ** 2), 2e-15 for h = 0.22. Only the nodes are visited where the
variable with the largest parameter has all but about 1e-15 of its probability;
at the lowest node of all the rest of the sum is a geometric series and is
added in closed form.

Rows are sorted inside and each distinct one is computed once. Rows with close
largest entries share a table of F and f / F, and need three lookups in it.

References
----------
.. [1] A. Benavoli, G. Corani, J. Demsar and M. Zaffalon, "Time for a change: a
   tutorial for comparing multiple classifiers through Bayesian analysis",
   Journal of Machine Learning Research 18(77), 1-36, 2017 (the Bayesian sign
   test).
.. [2] N. M. Temme, "The asymptotic expansion of the incomplete gamma
   functions", SIAM Journal on Mathematical Analysis 10, 757-766, 1979.
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts load when they are used
from numpy.typing import NDArray

__all__ = ["largest_share"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Step of the trapezoidal rule, and the first node ever used.
_STEP, _FLOOR = 0.22, -160
# Node ranges end at multiples of this: a row is summed alike in every table.
_ALIGN = 16
# A tail of probability below exp(-_CUT) is dropped (exp(-36) = 2.3e-16).
_CUT = 36.0
# Below the first only ratios of parameters matter; above the second none is taken.
_TINY, _MAX = 1e-30, 1e12
# From this parameter on, F comes from the uniform expansion for large ones.
_HUGE = 1e5
# Array elements (rows times nodes) per table, piece of a table, chunk of rows.
_LARGEST_BASE = 2_000_000  # whose cube is an int64
_TABLE, _FILL, _CHUNK = 1 << 20, 1 << 17, 1 << 15


def largest_share(alpha: Floats) -> Floats:
    """Return P(theta_i is the largest) for theta ~ Dirichlet(alpha).

    Parameters
    ----------
    alpha : ndarray of float64, shape (n, 3)
        One Dirichlet parameter vector a row, from 0 to 1e12. A zero stands
        for a share that is 0 almost surely.

    Returns
    -------
    ndarray of float64, shape (n, 3)
        Entry (r, i) is the probability that share i is the largest of row r.
        A row of three zeros gives NaN. A permutation of the columns of
        `alpha` permutes the answer exactly.

    Raises
    ------
    ValueError
        If `alpha` has another shape, or an entry is NaN or out of bounds.
    """
    alpha = np.asarray(alpha, dtype=np.float64)
    if alpha.ndim != 2 or alpha.shape[1] != 3:
        raise ValueError(f"alpha must have shape (n, 3), not {alpha.shape}")
    if not bool(np.all((alpha >= 0.0) & (alpha <= _MAX))):
        raise ValueError(f"alpha must lie between 0 and {_MAX:g}")
    if alpha.shape[0] == 0:
        return np.empty((0, 3))
    top = alpha.max(axis=1, keepdims=True)
    tiny = (top > 0.0) & (top < _TINY)
    alpha = np.where(tiny, alpha / np.where(tiny, top, 1.0) * _TINY, alpha)
    rank = np.argsort(alpha, axis=1, kind="stable")
    codes, values, inverse = _distinct(np.take_along_axis(alpha, rank, axis=1))
    distinct = _by_support(codes, values)
    share = np.empty_like(alpha)
    np.put_along_axis(share, rank, distinct[inverse], axis=1)
    return share


def _distinct(rows: Floats) -> tuple[Ints, Floats, Ints]:
    """Find the distinct rows, ordered by the last column, then the middle.

    They are given as positions in the ascending distinct entries. The last
    array is the number of the distinct row that each row equals.
    """
    values = np.unique(rows)
    code = np.searchsorted(values, rows)
    upper = code[:, 2] * values.size + code[:, 1]
    if values.size > _LARGEST_BASE:
        upper = np.unique(upper, return_inverse=True)[1].reshape(-1)
    key = upper * values.size + code[:, 0]
    order = np.argsort(key)
    key = key[order]
    first = np.concatenate(([True], key[1:] != key[:-1]))
    inverse = np.empty(key.size, dtype=np.int64)
    inverse[order] = np.cumsum(first) - 1
    return code[order[first]], values, inverse


def _by_support(codes: Ints, values: Floats) -> Floats:
    """Return the probabilities of ascending rows, by their number of zeros."""
    share = np.zeros(codes.shape)
    positive = np.count_nonzero(values[codes] > 0.0, axis=1)
    share[positive == 0] = np.nan
    share[positive == 1, 2] = 1.0
    two = np.flatnonzero(positive == 2)
    b, c = values[codes[two, 1:]].T
    share[two, 1] = scipy.special.betainc(c, b, 0.5)
    share[two, 2] = scipy.special.betainc(b, c, 0.5)
    three = np.flatnonzero(positive == 3)
    share[three] = _blocks(codes[three], values)
    return share


def _blocks(codes: Ints, values: Floats) -> Floats:
    """Return the probabilities of ascending rows of positive entries.

    A block is a run of rows that share a table of all nodes any of them needs;
    a budget for its rows times nodes bounds the memory.
    """
    share = np.empty(codes.shape)
    low, high = _nodes(values[codes[:, 2]])
    low, high = low // _ALIGN * _ALIGN, high // _ALIGN * _ALIGN + _ALIGN
    start = 0
    while start < codes.shape[0]:
        cost = high[start : start + _TABLE // _ALIGN] - low[start]
        cost *= np.arange(1, cost.size + 1)
        stop = start + max(1, int(np.searchsorted(cost, _TABLE, side="right")))
        used = np.zeros(values.size, dtype=np.bool_)
        used[codes[start:stop]] = True
        place = np.cumsum(used) - 1
        k = np.arange(low[start], high[stop - 1])
        table = _tables(values[used], k)
        rows = max(1, _CHUNK // k.size)
        for at in range(start, stop, rows):
            code = codes[at : min(at + rows, stop)]
            total = values[code].sum(axis=1) if k[0] == _FLOOR else None
            share[at : at + code.shape[0]] = _sum_nodes(place[code], table, total)
        start = stop
    return share


def _sum_nodes(code: Ints, table: Floats, total: Floats | None) -> Floats:
    """Return the probabilities of rows that are given as positions in a table.

    `total` is the sum of each row if the table begins at the lowest node.
    """
    a, b, c = (table[code[:, j]] for j in range(3))
    joint = a[:, 0] * b[:, 0]
    joint *= c[:, 0]
    if total is not None:  # the geometric series down to u = -infinity
        joint[:, 0] /= -np.expm1(-2.0 * _STEP * total)
    sums = [np.einsum("ij,ij->i", joint, ratio[:, 1]) for ratio in (a, b, c)]
    share = np.stack(sums, axis=1)
    for j in (1, 0):  # equal entries: equal to the last bit
        tie = code[:, j] == code[:, j + 1]
        share[tie, j] = share[tie, j + 1]
    share /= (share[:, :1] + share[:, 1:2]) + share[:, 2:]
    return share


def _nodes(a: Floats) -> tuple[Ints, Ints]:
    """Return the first and last node where F of gamma(a) is neither 0 nor 1.

    With t = sqrt(x) and r = sqrt(a), F <= t ** (2 a) / Gamma(a + 1), and
    Chernoff's bound gives F <= exp(-2 (r - t) ** 2). Above r, the last node
    lies over the solution of x - a - a * log(x / a) = 36, the same bound for
    1 - F. Both nodes ascend with `a`.
    """
    root = np.sqrt(a)
    small = np.clip(a, 0.01, 100.0)
    power = np.exp(0.5 * (scipy.special.gammaln(small + 1.0) - _CUT) / small)
    t = np.maximum(power, root - np.sqrt(_CUT / 2.0))
    t = np.maximum(t, np.exp(_FLOOR * _STEP))
    low = np.floor((t + np.log(-np.expm1(-t))) / _STEP)
    t = np.maximum(6.6, root + 4.3 + 2.4 / (root + 1.0))
    high = np.ceil((t + np.log(-np.expm1(-t))) / _STEP)
    return np.maximum(low, _FLOOR).astype(np.int64), high.astype(np.int64)


def _tables(a: Floats, k: Ints) -> Floats:
    """Return F(x) and (f(x) / F(x)) * (dx/du) * step as [:, 0, :] and [:, 1, :].

    One row a parameter, one column a node; 0 where F is taken as 0 or 1.
    """
    u = k * _STEP
    t = np.logaddexp(0.0, u)
    x = t * t
    weight = 2.0 * _STEP / (t * (1.0 + np.exp(-u)))  # step * (dx/du) / x
    low, high = _nodes(a[:, None])
    table = np.empty((a.size, 2, k.size))
    for start in range(0, a.size, max(1, _FILL // k.size)):
        part = slice(start, start + max(1, _FILL // k.size))
        above = k > high[part]
        i, j = np.nonzero(~above & (k >= low[part]))
        cdf, density = _gamma(a[part][i], x[j])
        block = table[part]
        block[:, 0], block[:, 1] = above, 0.0
        block[i, 0, j] = cdf
        block[i, 1, j] = density * weight[j] / cdf
    return table


def _gamma(a: Floats, x: Floats) -> tuple[Floats, Floats]:
    """Return F(x) and x * f(x) of the gamma(a) distribution, by pairs.

    From a = 10 on, Stirling's series and exp(-a (d - log(1 + d))), d = x / a - 1,
    avoid the cancellation of terms of size a * log(a). From `_HUGE` on, where
    d is below 0.04, F is the expansion of [2]_ to the order 1 / a.
    """
    cdf, power = np.empty(a.size), np.empty(a.size)
    small, huge = a < 10.0, a >= _HUGE
    cdf[~huge] = scipy.special.gammainc(np.maximum(a[~huge], 1e-300), x[~huge])
    s, y = a[small], x[small]  # 1 / Gamma(a) = a / Gamma(a + 1) holds as a -> 0
    power[small] = s * np.log(y) - y - scipy.special.gammaln(s + 1.0) + np.log(s)
    s = a[~small]
    d = (x[~small] - s) / s
    half = d - np.log1p(d)
    q = 1.0 / (s * s)
    series = 1 / 360 - q * (1 / 1260 - q * (1 / 1680 - q / 1188))
    series = (1 / 12 - q * series) / s
    power[~small] = 0.5 * np.log(s / (2.0 * np.pi)) - series - s * half
    s, d = s[huge[~small]], d[huge[~small]]
    half = d * d * (0.5 - d * (1 / 3 - d * (1 / 4 - d * (1 / 5 - d * (1 / 6 - d / 7)))))
    eta = np.copysign(np.sqrt(2.0 * half), d)
    c0 = eta * (-2 / 135 + eta * (1 / 864 + eta * (1 / 2835 - eta * 139 / 777600)))
    c0 = -1 / 3 + eta * (1 / 12 + c0) - (1 / 540 + eta / 288) / s
    tail = c0 * np.exp(-s * half) / np.sqrt(2.0 * np.pi * s)
    cdf[huge] = scipy.special.ndtr(eta * np.sqrt(s)) - tail
    return cdf, np.exp(power)
