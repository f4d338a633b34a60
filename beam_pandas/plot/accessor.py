"""`df.beam.plot` and `df.groupby(...).beam.plot`: compute and draw in one call."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from beam_pandas import plot
from beam_pandas.plot.colours import SEQUENTIAL
from beam_pandas.plot.panels import require_matplotlib
from beam_pandas.statistics import arranged as to_wide
from beam_pandas.statistics import controls, pairs
from beam_pandas.statistics import mean_ranks as ranking
from beam_pandas.statistics import posteriors as bayes
from beam_pandas.statistics.datasets import dataset_discrimination

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from beam_pandas.plot.diagram import Best
    from beam_pandas.statistics.pairs import PairRelation
    from beam_pandas.statistics.posteriors import Prior
    from beam_pandas.types import Aggregate, HigherIsBetter, Missing, Rope

    Given = Axes | Sequence[Axes] | None


class BeamPlots:
    """
    Pictures of scores: each method computes a result and draws it.

    The first parameters are those of the function that computes, the others those of the
    picture of that name in `beam_pandas.plot`, which also say what is returned.

    Parameters
    ----------
    call : callable
        Calls a function with the scores, or with each group of them.
    """

    def __init__(self, call: Callable[..., pd.DataFrame]) -> None:
        self._call = call

    def __repr__(self) -> str:
        """List the pictures."""
        return f"<beam.plot: {', '.join(plot.__all__)}>"

    def critical_difference(
        self,
        alpha: float = 0.05,
        *,
        control: Hashable = None,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        missing: Missing = "raise",
        ax: Given = None,
        best: Best = "left",
        show_ranks: bool = True,
        highlight: Hashable | Sequence[Hashable] = None,
        width: float | None = None,
    ) -> Any:
        """
        Draw who differs in mean rank, from each other or from a `control`.

        Parameters
        ----------
        alpha : float, default 0.05
            Significance level.
        control : label, optional
            Method to compare with, as in `beam_pandas.compare_to_control`; by default all
            are compared with each other.
        higher_is_better, aggregate, missing
            Direction of the metrics, how to combine runs, what to do if scores are missing,
            as of the function.
        ax, best, show_ranks, highlight, width
            As of the picture.

        Returns
        -------
        Axes or ndarray of Axes
            As of the picture: one for each metric or group.

        Raises
        ------
        MissingDependencyError
            If matplotlib is not installed.
        BeamError
            As of the function and the picture.

        See Also
        --------
        beam_pandas.critical_difference : what is computed.
        beam_pandas.plot.critical_difference : what is drawn of it.
        """
        require_matplotlib()
        options: dict[str, Any] = {
            "alpha": alpha,
            "higher_is_better": higher_is_better,
            "aggregate": aggregate,
            "missing": missing,
        }
        if control is None:
            result = self._call(ranking.critical_difference, **options)
        else:
            result = self._call(controls.compare_to_control, control, **options)
        return plot.critical_difference(
            result,
            ax=ax,
            best=best,
            show_ranks=show_ranks,
            highlight=highlight,
            width=width,
        )

    def comparison_matrix(
        self,
        relation: PairRelation = "better",
        *,
        rope: Rope = 0.0,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        ax: Given = None,
        order: Sequence[Hashable] | None = None,
        annotate: bool | None = None,
        fmt: str | None = None,
        cmap: Any = SEQUENTIAL,
        width: float | None = None,
    ) -> Any:
        """
        Draw on how many datasets each method is better, or else, than each other.

        Parameters
        ----------
        relation, rope
            What to count, and up to which difference scores are equal, as of the function.
        higher_is_better, aggregate
            Direction of the metrics and how to combine runs, as of the function.
        ax, order, annotate, fmt, cmap, width
            As of the picture.

        Returns
        -------
        Axes or ndarray of Axes
            As of the picture: one for each metric or group.

        Raises
        ------
        MissingDependencyError
            If matplotlib is not installed.
        BeamError
            As of the function and the picture.

        See Also
        --------
        beam_pandas.comparison_matrix : what is computed.
        beam_pandas.plot.comparison_matrix : what is drawn of it.
        """
        require_matplotlib()
        result = self._call(
            pairs.comparison_matrix,
            relation,
            rope=rope,
            higher_is_better=higher_is_better,
            aggregate=aggregate,
        )
        words = relation.replace("_or_", " or ")
        label = f"datasets on which the row is {words}"
        return plot.comparison_matrix(
            result,
            ax=ax,
            order=order,
            annotate=annotate,
            fmt=fmt,
            label=label,
            cmap=cmap,
            width=width,
        )

    def majority(
        self,
        rope: Rope = 0.0,
        *,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        ax: Given = None,
        annotate: bool | None = None,
        width: float | None = None,
    ) -> Any:
        """
        Draw who outperforms whom on most of the shared datasets.

        Parameters
        ----------
        rope : float, mapping from metric to float, or "noise_floor", default 0.0
            Differences up to it are ties, as of the function.
        higher_is_better, aggregate
            Direction of the metrics and how to combine runs, as of the function.
        ax, annotate, width
            As of the picture.

        Returns
        -------
        Axes or ndarray of Axes
            As of the picture: one for each metric or group.

        Raises
        ------
        MissingDependencyError
            If matplotlib is not installed.
        BeamError
            As of the function and the picture.

        See Also
        --------
        beam_pandas.pairwise : what is computed.
        beam_pandas.plot.majority : what is drawn of it.
        """
        require_matplotlib()
        result = self._call(
            pairs.pairwise, rope, higher_is_better=higher_is_better, aggregate=aggregate
        )
        return plot.majority(result, ax=ax, annotate=annotate, width=width)

    def posterior(
        self,
        rope: Rope,
        *,
        prior: Prior = "rope",
        prior_strength: float = 1.0,
        threshold: float = 0.95,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        ax: Given = None,
        reference: Hashable = None,
        width: float | None = None,
    ) -> Any:
        """
        Draw with what probability one method is better than another.

        Parameters
        ----------
        rope : float, mapping from metric to float, or "noise_floor"
            Differences up to it are equivalent, as of the function.
        prior, prior_strength, threshold
            Prior, and probability from which a pair is decided, as of the function.
        higher_is_better, aggregate
            Direction of the metrics and how to combine runs, as of the function.
        ax, reference, width
            As of the picture.

        Returns
        -------
        Axes or ndarray of Axes
            As of the picture: one for each metric or group.

        Raises
        ------
        MissingDependencyError
            If matplotlib is not installed.
        BeamError
            As of the function and the picture.

        See Also
        --------
        beam_pandas.bayesian_sign : what is computed.
        beam_pandas.plot.posterior : what is drawn of it.
        """
        require_matplotlib()
        result = self._call(
            bayes.bayesian_sign,
            rope,
            prior=prior,
            prior_strength=prior_strength,
            threshold=threshold,
            higher_is_better=higher_is_better,
            aggregate=aggregate,
        )
        return plot.posterior(
            result, ax=ax, reference=reference, threshold=threshold, width=width
        )

    def discrimination(
        self,
        *,
        alpha: float = 0.05,
        min_methods: int = 3,
        higher_is_better: HigherIsBetter = None,
        aggregate: Aggregate = None,
        ax: Given = None,
        width: float | None = None,
    ) -> Any:
        """
        Draw which datasets tell the methods apart.

        Parameters
        ----------
        alpha, min_methods
            Significance level, and least number of methods for Kendall's W, as of the
            function.
        higher_is_better, aggregate
            Direction of the metrics and how to combine runs, as of the function.
        ax, width
            As of the picture.

        Returns
        -------
        Axes or ndarray of Axes
            As of the picture: one for each metric or group.

        Raises
        ------
        MissingDependencyError
            If matplotlib is not installed.
        BeamError
            As of the function and the picture.

        See Also
        --------
        beam_pandas.dataset_discrimination : what is computed.
        beam_pandas.plot.discrimination : what is drawn of it.
        """
        require_matplotlib()
        result = self._call(
            dataset_discrimination,
            alpha=alpha,
            min_methods=min_methods,
            higher_is_better=higher_is_better,
            aggregate=aggregate,
        )
        return plot.discrimination(result, ax=ax, width=width)

    def coverage(
        self,
        *,
        aggregate: Aggregate = None,
        ax: Given = None,
        width: float | None = None,
    ) -> Any:
        """
        Draw which methods have a score on which datasets.

        Parameters
        ----------
        aggregate : {"mean", "median"}, optional
            How to combine runs, as of the function.
        ax, width
            As of the picture.

        Returns
        -------
        Axes or ndarray of Axes
            As of the picture: one for each metric or group.

        Raises
        ------
        MissingDependencyError
            If matplotlib is not installed.
        BeamError
            As of the function and the picture.

        See Also
        --------
        beam_pandas.wide_scores : what is computed.
        beam_pandas.plot.coverage : what is drawn of it.
        """
        require_matplotlib()
        result = self._call(to_wide.wide_scores, aggregate=aggregate)
        return plot.coverage(result, ax=ax, width=width)
