"""
The calls that `validation` compares: ours and theirs, on one wide table.

Each gives pairs of arrays that should be equal. Programs are imported where they are used.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import beam_pandas as bp

Numbers = NDArray[np.float64]
Pairs = Iterator[tuple[Numbers, Numbers]]


def long_of(wide: pd.DataFrame) -> pd.DataFrame:
    """Make a table long, under a metric of which more is better."""
    melted = wide.melt(ignore_index=False, var_name="method", value_name="score")
    return melted.reset_index().assign(metric="accuracy")


def square(found: pd.DataFrame, result: pd.DataFrame) -> Numbers:
    """Read the entries of a square for the pairs of a result, in its order."""
    order = [found.columns.get_indexer(result[name]) for name in ("method_1", "method_2")]
    return found.to_numpy(dtype=float)[order[0], order[1]]


def each_pair(
    wide: pd.DataFrame, result: pd.DataFrame
) -> Iterator[tuple[Numbers, Numbers]]:
    """Give the two columns of scores of each pair of a result."""
    for one, two in zip(result["method_1"], result["method_2"], strict=True):
        yield wide[one].to_numpy(), wide[two].to_numpy()


def friedman(wide: pd.DataFrame) -> Pairs:
    """Compare chi-square and p-value."""
    from scipy.stats import friedmanchisquare

    ours = bp.friedman(long_of(wide)).iloc[0]
    theirs = friedmanchisquare(*wide.to_numpy().T)
    yield as_numbers(ours[["statistic", "p_value"]]), as_numbers(theirs)


def critical_value(wide: pd.DataFrame) -> Pairs:
    """Compare the quantile of the range, and its tail."""
    from scipy.stats import studentized_range

    n, k = wide.shape
    ours = bp.nemenyi(long_of(wide))
    step = math.sqrt(k * (k + 1) / (12 * n))
    critical = studentized_range.ppf(0.95, k, np.inf) * step
    yield as_numbers(ours["critical_difference"][:1]), as_numbers([critical])
    tail = studentized_range.sf(ours["rank_diff"].abs() / step, k, np.inf)
    yield as_numbers(ours["p_adjusted"]), as_numbers(tail)


def nemenyi(wide: pd.DataFrame) -> Pairs:
    """Compare the p-values of all pairs."""
    from scikit_posthocs import posthoc_nemenyi_friedman

    ours = bp.nemenyi(long_of(wide))
    yield as_numbers(ours["p_adjusted"]), square(posthoc_nemenyi_friedman(wide), ours)


def mean_rank_tests(wide: pd.DataFrame) -> Pairs:
    """Compare the normal p-values of all pairs, by four adjustments."""
    from scikit_posthocs import posthoc_siegel_friedman

    for name in ("holm", "hommel", "bonferroni", "fdr_bh"):
        ours = bp.mean_rank_tests(long_of(wide), adjust=name)
        theirs = posthoc_siegel_friedman(wide, p_adjust=name)
        yield as_numbers(ours["p_adjusted"]), square(theirs, ours)


def sign_test(wide: pd.DataFrame) -> Pairs:
    """Compare the exact p-value of wins against losses."""
    from scipy.stats import binomtest

    ours = bp.pairwise(long_of(wide))
    theirs = []
    for one, two in each_pair(wide, ours):
        wins, losses = int((one > two).sum()), int((one < two).sum())
        theirs.append(binomtest(wins, wins + losses).pvalue if wins + losses else 1.0)
    yield as_numbers(ours["p_value"]), as_numbers(theirs)


def adjustments(wide: pd.DataFrame) -> Pairs:
    """Compare adjusted p-values of the sign test."""
    from statsmodels.stats.multitest import multipletests

    for name in ("holm", "hochberg", "hommel", "bonferroni", "fdr_bh"):
        ours = bp.pairwise(long_of(wide), adjust=name)
        other = "simes-hochberg" if name == "hochberg" else name
        theirs = multipletests(ours["p_value"], method=other)[1]
        yield as_numbers(ours["p_adjusted"]), as_numbers(theirs)


def wilcoxon(wide: pd.DataFrame) -> Pairs:
    """Compare the exact law without ties."""
    from scipy.stats import wilcoxon as other

    ours = bp.wilcoxon(long_of(wide))
    theirs = [other(one, two, method="exact").pvalue for one, two in each_pair(wide, ours)]
    yield as_numbers(ours["p_value"]), as_numbers(theirs)


def wilcoxon_with_ties(wide: pd.DataFrame) -> Pairs:
    """Go through all signs, on whole hundredths, where ties are ties in floats too."""
    from scipy.stats import PermutationMethod
    from scipy.stats import wilcoxon as other

    whole = (wide * 100).round()
    every = PermutationMethod(n_resamples=2 ** len(wide) + 1)
    for zeros, name in (("drop", "wilcox"), ("pratt", "pratt")):
        ours = bp.wilcoxon(long_of(wide), zeros=zeros)
        theirs = [
            other(one, two, zero_method=name, method=every).pvalue
            if (one != two).any()
            else 1.0
            for one, two in each_pair(whole, ours)
        ]
        yield as_numbers(ours["p_value"]), as_numbers(theirs)


def paired_t(wide: pd.DataFrame) -> Pairs:
    """Compare t, its p-value, and the interval."""
    from scipy.stats import ttest_rel

    ours = bp.mean_difference_tests(long_of(wide))
    columns = ["statistic", "p_value", "ci_low", "ci_high"]
    for at, (one, two) in enumerate(each_pair(wide, ours)):
        theirs = ttest_rel(one, two)
        ends = theirs.confidence_interval(0.95)
        yield (
            as_numbers(ours.loc[at, columns]),
            as_numbers([theirs.statistic, theirs.pvalue, ends.low, ends.high]),
        )


def clustered_t(wide: pd.DataFrame) -> Pairs:
    """Compare standard error and p-value, robust to families of three."""
    import statsmodels.api as sm

    family = np.arange(len(wide)) // 3
    by_name = dict(zip(wide.index, family, strict=True))
    frame = long_of(wide)
    ours = bp.mean_difference_tests(
        frame.assign(family=frame["dataset"].map(by_name)), cluster="family"
    )
    for at, (one, two) in enumerate(each_pair(wide, ours)):
        model = sm.OLS(one - two, np.ones(len(wide)))
        options = {"groups": family, "use_correction": True}
        theirs = model.fit(cov_type="cluster", cov_kwds=options, use_t=True)
        yield (
            as_numbers(ours.loc[at, ["standard_error", "p_value"]]),
            as_numbers([theirs.bse[0], theirs.pvalues[0]]),
        )


def skillings_mack(wide: pd.DataFrame) -> Pairs:
    """Take a balanced incomplete design, of which the test of Durbin is the same."""
    from scikit_posthocs import test_durbin

    k = wide.shape[1]
    balanced = wide.iloc[: len(wide) // k * k].copy()
    if balanced.empty:
        return
    for at in range(len(balanced)):
        balanced.iloc[at, at % k] = np.nan
    frame = long_of(balanced).dropna()
    ours = bp.skillings_mack(frame).iloc[0]
    p_value, statistic, _ = test_durbin(
        frame, y_col="score", group_col="method", block_col="dataset",
        block_id_col="dataset", melted=True,
    )  # fmt: skip
    yield as_numbers(ours[["statistic", "p_value"]]), as_numbers([statistic, p_value])


def concordance(wide: pd.DataFrame) -> Pairs:
    """Compare Kendall's tau-b of two datasets."""
    from scipy.stats import kendalltau

    few = wide.iloc[:15]
    ours = bp.dataset_concordance(long_of(few))
    theirs = [
        kendalltau(few.loc[one], few.loc[two]).statistic
        for one, two in zip(ours["dataset_1"], ours["dataset_2"], strict=True)
    ]
    yield as_numbers(ours["kendall_tau"]), as_numbers(theirs)


def strengths(wide: pd.DataFrame) -> Pairs:
    """Compare the strengths with a logistic regression on the pairs."""
    import statsmodels.api as sm

    methods = list(wide.columns)
    ours = bp.bradley_terry(long_of(wide), n_resamples=10).set_index("method")
    counts = bp.pairwise(long_of(wide))
    design = np.zeros((len(counts), len(methods)))
    rows = np.arange(len(counts))
    design[rows, counts["method_1"].map(methods.index)] = 1.0
    design[rows, counts["method_2"].map(methods.index)] = -1.0
    won = counts["wins"] + counts["ties"] / 2
    outcome = np.column_stack([won, counts["n_datasets"] - won])
    fitted = sm.GLM(outcome, design[:, 1:], sm.families.Binomial()).fit(tol=1e-14)
    raw = np.concatenate([[0.0], fitted.params])
    strength = ours.loc[methods, "strength"].to_numpy(dtype=float)
    if np.isfinite(strength).all() and np.abs(raw).max() < 20:
        yield strength, raw - raw.mean()


def improvement(runs: pd.DataFrame) -> Pairs:
    """Compare the share of pairs of runs that are won, ties half, on one dataset."""
    from scipy.stats import mannwhitneyu

    ours = bp.improvement(runs_of(runs), n_resamples=10)
    theirs = [
        mannwhitneyu(one, two).statistic / len(runs) ** 2
        for one, two in each_pair(runs, ours)
    ]
    yield as_numbers(ours["share_improved"]), as_numbers(theirs)


def interquartile(runs: pd.DataFrame) -> Pairs:
    """Compare the mean of the middle half."""
    from scipy.stats import trim_mean

    ours = bp.aggregate_scores(runs_of(runs), "iqm", n_resamples=10).set_index("method")
    theirs = [trim_mean(runs[name], 0.25) for name in ours.index]
    yield as_numbers(ours["estimate"]), as_numbers(theirs)


def correlated_t(runs: pd.DataFrame) -> Pairs:
    """Compare the posterior on one dataset, of ten folds and their repeats."""
    from baycomp import two_on_single

    ours = bp.correlated_t(runs_of(runs), 0.01, test_share=0.1)
    names = ["prob_better", "prob_equivalent", "prob_worse"]
    for at, (one, two) in enumerate(each_pair(runs, ours)):
        theirs = two_on_single(one, two, rope=0.01, runs=len(runs) // 10)
        yield as_numbers(ours.loc[at, names]), as_numbers(theirs)


def bayesian_sign(wide: pd.DataFrame) -> Pairs:
    """Compare the posterior of the largest region; theirs is drawn, 50,000 times."""
    from baycomp import SignTest

    few = wide.iloc[:, :3]
    ours = bp.bayesian_sign(long_of(few), 0.013)
    names = ["prob_better", "prob_equivalent", "prob_worse"]
    for at, (one, two) in enumerate(each_pair(few, ours)):
        theirs = SignTest.probs(one, two, rope=0.013, random_state=0)
        yield as_numbers(ours.loc[at, names]), as_numbers(theirs)


def runs_of(wide: pd.DataFrame) -> pd.DataFrame:
    """Take the rows of a table for the runs on one dataset."""
    frame = long_of(wide).rename(columns={"dataset": "run"})
    return frame.assign(dataset="d")


def as_numbers(values: object) -> Numbers:
    """Make an array of floats."""
    return np.asarray(values, dtype=float)
