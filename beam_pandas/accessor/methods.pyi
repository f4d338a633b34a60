# Written by scripts/write_accessor_stub.py: change the functions, then run it again.
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import NDArray
from pandas.api.typing import DataFrameGroupBy

from beam_pandas.kernels.adjustment import Adjustment
from beam_pandas.kernels.hierarchical_prior import Hyperprior
from beam_pandas.kernels.paired_strengths import TiesAs
from beam_pandas.kernels.run_aggregates import AggregateKind
from beam_pandas.kernels.run_draws import Resample
from beam_pandas.kernels.signed_ranks import Zeros
from beam_pandas.plot.diagram import Best
from beam_pandas.plot.score_dots import Shown, Summary
from beam_pandas.plot.score_tables import Standing
from beam_pandas.plot.trade_off_points import Average
from beam_pandas.statistics.controls import ControlTest
from beam_pandas.statistics.leaderboard import LeaderboardTest
from beam_pandas.statistics.mean_rank_tests import RankAdjustment
from beam_pandas.statistics.next_dataset import Progress
from beam_pandas.statistics.normalising import Normalize
from beam_pandas.statistics.pairs import Kind, PairRelation
from beam_pandas.statistics.posteriors import Prior
from beam_pandas.statistics.profiles import ProfileKind
from beam_pandas.types import (
    Aggregate,
    Alternative,
    Errors,
    HigherIsBetter,
    Missing,
    MissingPairs,
    MissingRanks,
    MissingRuns,
    PairedRuns,
    Rng,
    Rope,
    UnevenRuns,
)

class _Plots:
    """Pictures of scores: each method computes a result and draws it."""

    def aggregate_scores(
        self,
        /,
        kind: AggregateKind = "mean",
        *,
        gamma: float = 1.0,
        normalize: Normalize = None,
        resample: Resample = "datasets",
        confidence_level: float = 0.95,
        n_resamples: int = 2000,
        rng: int | np.random.Generator | None = 0,
        higher_is_better: HigherIsBetter = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingRuns = "raise",
        errors: Errors = "raise",
        label: str | None = None,
        ax: Axes | Sequence[Axes] | None = None,
        highlight: Hashable | Sequence[Hashable] = None,
        show_values: bool = True,
        width: float | None = None,
    ) -> Any:
        """Draw the aggregate score of each method with its bootstrap interval, best first."""

    def bayesian_sign(
        self,
        /,
        rope: Rope,
        *,
        prior: Prior = "rope",
        prior_strength: float = 1.0,
        threshold: float = 0.95,
        control: Hashable | None = None,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingPairs = "available",
        errors: Errors = "raise",
        ax: Axes | Sequence[Axes] | None = None,
        reference: Hashable = None,
        width: float | None = None,
    ) -> Any:
        """Draw with what probability one method is better than another, or equivalent."""

    def bradley_terry(
        self,
        /,
        rope: Rope = 0.0,
        *,
        ties: TiesAs = "half",
        prior_strength: float | None = None,
        confidence_level: float = 0.95,
        n_resamples: int = 1000,
        rng: Rng = 0,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingPairs = "available",
        errors: Errors = "raise",
        ax: Axes | Sequence[Axes] | None = None,
        highlight: Hashable | Sequence[Hashable] = None,
        show_values: bool = True,
        width: float | None = None,
    ) -> Any:
        """Draw the strength of each method with its bootstrap interval, strongest first."""

    def comparison_matrix(
        self,
        /,
        rope: Rope = 0.0,
        *,
        relation: PairRelation = "better",
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingPairs = "available",
        ax: Axes | Sequence[Axes] | None = None,
        order: Sequence[Hashable] | None = None,
        annotate: bool | None = None,
        fmt: str | None = None,
        label: str | None = None,
        cmap: Any = "cividis",
        n_datasets: pd.DataFrame | None = None,
        width: float | None = None,
    ) -> Any:
        """Draw a square of pairs as a heat map, with the values in the cells."""

    def critical_difference(
        self,
        /,
        control: Hashable = None,
        *,
        alpha: float = 0.05,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: Missing = "raise",
        errors: Errors = "raise",
        test: ControlTest = "mean_rank",
        adjust: Adjustment = "holm",
        alternative: Alternative = "two-sided",
        ax: Axes | Sequence[Axes] | None = None,
        best: Best = "left",
        show_ranks: bool = True,
        highlight: Hashable | Sequence[Hashable] = None,
        width: float | None = None,
    ) -> Any:
        """Draw who differs in mean rank, from each other or from a control."""

    def dataset_concordance(
        self,
        /,
        *,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        errors: Errors = "raise",
        ax: Axes | Sequence[Axes] | None = None,
        annotate: bool | None = None,
        cmap: Any = None,
        width: float | None = None,
    ) -> Any:
        """Draw how far each two datasets agree on the order of the methods."""

    def dataset_discrimination(
        self,
        /,
        *,
        alpha: float = 0.05,
        min_methods: int = 3,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        ax: Axes | Sequence[Axes] | None = None,
        width: float | None = None,
    ) -> Any:
        """Draw how far each dataset spreads the methods, and how far its metrics agree on them."""

    def duel(
        self,
        /,
        method_1: Hashable,
        method_2: Hashable,
        rope: float | str | Mapping[Any, float | str] = 0.0,
        *,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        errors: Errors = "raise",
        label: int = 3,
        ax: Axes | Sequence[Axes] | None = None,
        width: float | None = None,
    ) -> Any:
        """Draw two methods against each other: a point for each dataset that both have."""

    def letters(
        self,
        /,
        order: Iterable[Hashable] | None = None,
        *,
        exact: bool = False,
        ax: Axes | Sequence[Axes] | None = None,
        highlight: Hashable | Sequence[Hashable] = None,
        width: float | None = None,
    ) -> Any:
        """Draw which methods share a letter, and so do not differ significantly."""

    def missing_scores(
        self,
        /,
        *,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        ax: Axes | Sequence[Axes] | None = None,
        width: float | None = None,
    ) -> Any:
        """Draw which methods lack a score on which datasets."""

    def overview(
        self,
        /,
        *,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        errors: Errors = "raise",
        what: Standing = "standing",
        ax: Axes | Sequence[Axes] | None = None,
        order: Sequence[Hashable] | None = None,
        annotate: bool | None = None,
        cmap: Any = None,
        width: float | None = None,
    ) -> Any:
        """Draw how each method stands by each metric: the larger and darker, the better."""

    def pairwise(
        self,
        /,
        rope: Rope = 0.0,
        *,
        alpha: float = 0.05,
        adjust: Adjustment = "holm",
        alternative: Alternative = "two-sided",
        control: Hashable | None = None,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingPairs = "available",
        errors: Errors = "raise",
        ranks: pd.DataFrame | None = None,
        reference: Hashable | Sequence[Hashable] | None = None,
        ax: Axes | Sequence[Axes] | None = None,
        order: Sequence[Hashable] | None = None,
        annotate: bool | None = None,
        cmap: Any = None,
        width: float | None = None,
    ) -> Any:
        """Draw how all methods compare with each other: a multi-comparison matrix."""

    def performance_profile(
        self,
        /,
        kind: ProfileKind = "score",
        *,
        thresholds: Sequence[float] | NDArray[np.floating] | None = None,
        higher_is_better: HigherIsBetter = None,
        uneven_runs: UnevenRuns = "raise",
        errors: Errors = "raise",
        ax: Axes | Sequence[Axes] | None = None,
        highlight: Hashable | Sequence[Hashable] = None,
        label: str | None = None,
        log: bool = False,
        width: float | None = None,
    ) -> Any:
        """Draw the share of the runs of each method that reach a threshold, a line each."""

    def rank_flow(
        self,
        /,
        *,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        errors: Errors = "raise",
        what: Standing = "standing",
        highlight: Hashable | Sequence[Hashable] | None = None,
        ax: Axes | Sequence[Axes] | None = None,
        width: float | None = None,
    ) -> Any:
        """Draw how the places of the methods change from metric to metric."""

    def rank_intervals(
        self,
        /,
        *,
        confidence_level: float = 0.95,
        n_resamples: int = 10000,
        top: int = 3,
        cluster: str | None = None,
        rng: Rng = 0,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingRanks = "raise",
        errors: Errors = "raise",
        ax: Axes | Sequence[Axes] | None = None,
        highlight: Hashable | Sequence[Hashable] = None,
        show_values: bool = True,
        width: float | None = None,
    ) -> Any:
        """Draw the mean rank of each method with its bootstrap interval, best first."""

    def scores(
        self,
        /,
        *,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        errors: Errors = "raise",
        what: Shown = "score",
        summary: Summary = "box",
        join: bool | Hashable | Sequence[Hashable] = False,
        log: bool = False,
        ax: Axes | Sequence[Axes] | None = None,
        order: Sequence[Hashable] | None = None,
        width: float | None = None,
    ) -> Any:
        """Draw the scores of each method, or its ranks, as a dot for each dataset."""

    def simplex(
        self,
        /,
        method_1: Hashable,
        method_2: Hashable,
        rope: Rope,
        *,
        prior: Prior = "rope",
        prior_strength: float = 1.0,
        threshold: float = 0.95,
        control: Hashable | None = None,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingPairs = "available",
        errors: Errors = "raise",
        ax: Axes | Sequence[Axes] | None = None,
        width: float | None = None,
    ) -> Any:
        """Draw the posterior of one pair as a density over a triangle."""

    def trade_off(
        self,
        /,
        quality: Hashable,
        cost: Hashable,
        *,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        errors: Errors = "raise",
        average: Average = "mean",
        log: bool | None = None,
        ax: Axes | Sequence[Axes] | None = None,
        highlight: Hashable | Sequence[Hashable] = None,
        width: float | None = None,
    ) -> Any:
        """Draw the average quality of each method against its average cost."""

    def transitivity(
        self,
        /,
        rope: Rope = 0.0,
        *,
        alpha: float = 0.05,
        adjust: Adjustment = "holm",
        alternative: Alternative = "two-sided",
        control: Hashable | None = None,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingPairs = "available",
        errors: Errors = "raise",
        ax: Axes | Sequence[Axes] | None = None,
        annotate: bool | None = None,
        width: float | None = None,
    ) -> Any:
        """Draw who outperforms whom, ordered by the number of methods beaten."""

    def wilcoxon(
        self,
        /,
        *,
        zeros: Zeros = "drop",
        alpha: float = 0.05,
        adjust: Adjustment = "holm",
        alternative: Alternative = "two-sided",
        control: Hashable | None = None,
        confidence_level: float | None = 0.95,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        errors: Errors = "raise",
        ax: Axes | Sequence[Axes] | None = None,
        reference: Hashable = None,
        width: float | None = None,
    ) -> Any:
        """Draw the median difference of each pair with its interval, a row for each pair."""

class _Methods:
    @property
    def plot(self) -> _Plots:
        """Pictures of the scores."""

    def adjusted_rank_sums(
        self,
        *,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Sum the ranks of each method over datasets with different numbers of methods."""

    def aggregate_scores(
        self,
        kind: AggregateKind = "mean",
        *,
        gamma: float = 1.0,
        normalize: Normalize = None,
        resample: Resample = "datasets",
        confidence_level: float = 0.95,
        n_resamples: int = 2000,
        rng: int | np.random.Generator | None = 0,
        higher_is_better: HigherIsBetter = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingRuns = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Aggregate the scores of each method over its runs and datasets, with an interval."""

    def bayesian_sign(
        self,
        rope: Rope,
        *,
        prior: Prior = "rope",
        prior_strength: float = 1.0,
        threshold: float = 0.95,
        control: Hashable | None = None,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingPairs = "available",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Compute the posterior of the Bayesian sign test for each pair, exactly."""

    def bayesian_signed_rank(
        self,
        rope: Rope,
        *,
        n_draws: int = 50000,
        rng: Rng = 0,
        threshold: float = 0.95,
        control: Hashable | None = None,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Compute the posterior of the Bayesian signed-rank test for each pair, by simulation."""

    def bradley_terry(
        self,
        rope: Rope = 0.0,
        *,
        ties: TiesAs = "half",
        prior_strength: float | None = None,
        confidence_level: float = 0.95,
        n_resamples: int = 1000,
        rng: Rng = 0,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingPairs = "available",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Strengths of the methods after Bradley and Terry, from wins and ties over datasets."""

    def circular_triads(
        self,
        rope: Rope = 0.0,
        *,
        limit: int | None = 20000000,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingPairs = "available",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """List the triples of methods in which each outperforms the next."""

    def cliques(
        self,
        *,
        alpha: float = 0.05,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: Missing = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Maximal groups of methods that Nemenyi's critical difference does not tell apart."""

    def compare_to_control(
        self,
        control: Hashable,
        *,
        test: ControlTest = "mean_rank",
        alpha: float = 0.05,
        adjust: Adjustment = "holm",
        alternative: Alternative = "two-sided",
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: Missing = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Compare each method with a control, by mean ranks after Dunn or on shared datasets."""

    def comparison_matrix(
        self,
        rope: Rope = 0.0,
        *,
        relation: PairRelation = "better",
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingPairs = "available",
    ) -> pd.DataFrame:
        """Count the datasets on which the method in the row does better than that in the column."""

    def correlated_t(
        self,
        rope: Rope,
        *,
        test_share: float | None = None,
        threshold: float = 0.95,
        alpha: float = 0.05,
        adjust: Adjustment = "holm",
        alternative: Alternative = "two-sided",
        control: Hashable | None = None,
        higher_is_better: HigherIsBetter = None,
        uneven_runs: PairedRuns = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Compare each pair of methods on each dataset by its runs: test and posterior."""

    def coverage(
        self,
    ) -> pd.DataFrame:
        """How many datasets each method has a score for, and over how many runs."""

    def critical_difference(
        self,
        *,
        alpha: float = 0.05,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: Missing = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Mean ranks, and which methods Nemenyi's critical difference does not tell apart."""

    def dataset_concordance(
        self,
        *,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Correlate the order of the methods on each dataset with that on each other dataset."""

    def dataset_discrimination(
        self,
        *,
        alpha: float = 0.05,
        min_methods: int = 3,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
    ) -> pd.DataFrame:
        """Tell how far each dataset separates the methods, over all metrics together."""

    def fold_datasets(
        self,
        by: Mapping[Hashable, Hashable] | str,
        *,
        keep: Sequence[Hashable] = (),
    ) -> pd.DataFrame:
        """Make families of datasets the datasets, and the datasets in each its runs."""

    def friedman(
        self,
        *,
        tie_correction: bool = True,
        exact: bool = False,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: Missing = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Test whether all methods have the same mean rank."""

    def hierarchical(
        self,
        rope: Rope,
        *,
        test_share: float | None = None,
        hyperprior: Hyperprior = "paper",
        threshold: float = 0.95,
        fineness: int = 1,
        progress: Progress | None = None,
        control: Hashable | None = None,
        higher_is_better: HigherIsBetter = None,
        uneven_runs: PairedRuns = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Compute the posterior of the next dataset from all runs of all datasets, by quadrature."""

    def improvement(
        self,
        *,
        resample: Resample = "runs",
        control: Hashable | None = None,
        confidence_level: float = 0.95,
        n_resamples: int = 2000,
        rng: int | np.random.Generator | None = 0,
        higher_is_better: HigherIsBetter = None,
        uneven_runs: UnevenRuns = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """How often a run of one method is better than a run of another, for each pair."""

    def influence(
        self,
        rope: Rope = 0.0,
        *,
        alpha: float = 0.05,
        adjust: Adjustment = "holm",
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: Missing = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Leave out one dataset after the other, and see what each decides."""

    def leaderboard(
        self,
        rope: Rope = 0.0,
        *,
        test: LeaderboardTest = "sign",
        alpha: float = 0.05,
        adjust: Adjustment = "holm",
        confidence_level: float = 0.95,
        n_resamples: int = 10000,
        rng: Rng = 0,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingRanks = "available",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Make the one table: scores, ranks with intervals, wins, gaps, who is told apart."""

    def majority(
        self,
        rope: Rope = 0.0,
        *,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingPairs = "available",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Count for each method whom it outperforms on most of the shared datasets."""

    def mean_difference_tests(
        self,
        *,
        cluster: str | None = None,
        power: float = 0.8,
        alpha: float = 0.05,
        adjust: Adjustment = "holm",
        alternative: Alternative = "two-sided",
        control: Hashable | None = None,
        confidence_level: float = 0.95,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Compare the mean scores of each pair of methods over many items, by a paired t test."""

    def mean_rank_tests(
        self,
        *,
        exact: bool = False,
        alpha: float = 0.05,
        adjust: RankAdjustment = "holm",
        alternative: Alternative = "two-sided",
        control: Hashable | None = None,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: Missing = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Test each pair of methods by its mean ranks, and adjust for the number of pairs."""

    def merge_metrics(
        self,
        *,
        higher_is_better: HigherIsBetter = None,
        scale: Literal["min_max"] | None = None,
        keep: Sequence[Hashable] = (),
    ) -> pd.DataFrame:
        """Make one metric of several, for a comparison over tasks whose metric differs."""

    def missing_scores(
        self,
    ) -> pd.DataFrame:
        """List the scores and runs that are missing, to look at them or to make them."""

    def nemenyi(
        self,
        *,
        alpha: float = 0.05,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: Missing = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Compare all pairs of methods by their mean ranks, after Nemenyi."""

    def pairwise(
        self,
        rope: Rope = 0.0,
        *,
        alpha: float = 0.05,
        adjust: Adjustment = "holm",
        alternative: Alternative = "two-sided",
        control: Hashable | None = None,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingPairs = "available",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Compare each pair of methods on the datasets it shares: how often, by how much."""

    def performance_profile(
        self,
        kind: ProfileKind = "score",
        *,
        thresholds: Sequence[float] | NDArray[np.floating] | None = None,
        higher_is_better: HigherIsBetter = None,
        uneven_runs: UnevenRuns = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Share of the runs of each method that are at least as good as a threshold."""

    def pool_sensitivity(
        self,
        *,
        alpha: float = 0.05,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: Missing = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Leave out one method after the other, and see what each decides for the others."""

    def pooled_scores(
        self,
        *,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
    ) -> pd.DataFrame:
        """Average the metrics of each method and dataset, each scaled to the range from 0 to 1."""

    def rank_intervals(
        self,
        *,
        confidence_level: float = 0.95,
        n_resamples: int = 10000,
        top: int = 3,
        cluster: str | None = None,
        rng: Rng = 0,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingRanks = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """How sure the order by mean ranks is: the bootstrap over datasets."""

    def ranks(
        self,
        *,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Rank of each method on each dataset, 1 for the best, ties averaged."""

    def required_datasets(
        self,
        rope: Rope,
        *,
        power: float = 0.8,
        alpha: float = 0.05,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingPairs = "available",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """How many datasets like these each pair would need to be told apart by the sign test."""

    def resolution(
        self,
        *,
        alpha: float = 0.05,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: Missing = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Say what a table of this size can show at best, whatever its scores are."""

    def skillings_mack(
        self,
        *,
        tie_correction: bool = True,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Test whether the methods differ, with missing scores: Friedman's test for such tables."""

    def standing(
        self,
        rope: Rope = 0.0,
        *,
        kind: Kind = "frequency",
        prior: Prior | None = None,
        prior_strength: float | None = None,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingPairs = "available",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """How often a method outperforms another one, on average over its opponents."""

    def transitivity(
        self,
        rope: Rope = 0.0,
        *,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        missing: MissingPairs = "available",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Examine whether the majorities of all pairs are consistent with one order."""

    def wide_scores(
        self,
        *,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
    ) -> pd.DataFrame:
        """Arrange scores with a row for each dataset and a column for each method."""

    def wilcoxon(
        self,
        *,
        zeros: Zeros = "drop",
        alpha: float = 0.05,
        adjust: Adjustment = "holm",
        alternative: Alternative = "two-sided",
        control: Hashable | None = None,
        confidence_level: float | None = 0.95,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        uneven_runs: UnevenRuns = "raise",
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Compare each pair of methods by Wilcoxon's signed-rank test over the datasets it shares."""

class BeamAccessor(_Methods):
    """Compare methods over datasets: each method is the function of that name."""

    def __init__(self, frame: pd.DataFrame) -> None: ...

class BeamGroupByAccessor(_Methods):
    """Compare methods over the datasets of each group."""

    def __init__(self, grouped: DataFrameGroupBy[Any, Any]) -> None: ...

def method_names() -> list[str]: ...
def register_accessors() -> None: ...
