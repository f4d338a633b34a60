"""
Compare methods over datasets, from a long DataFrame of scores.

Importing the package registers ``df.beam`` and ``df.groupby(...).beam``. Each of their
methods is a function of this namespace that takes the frame first. Functions are loaded
when they are first asked for, so that the import is cheap.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from beam_pandas.accessor.methods import register_accessors
from beam_pandas.errors import (
    BeamError,
    BeamWarning,
    DuplicateScoresError,
    IncompleteScoresError,
    MissingColumnsError,
    MissingDependencyError,
    ScoreTypeError,
    UnknownMetricError,
)

if TYPE_CHECKING:
    from beam_pandas import plot as plot
    from beam_pandas.examples import load_benchmark
    from beam_pandas.gate.registry import metrics, register_metric
    from beam_pandas.results.build import result_schema
    from beam_pandas.shapes.to_long import from_columns, from_matrix, read_matrices
    from beam_pandas.statistics.arranged import to_matrix, wide_scores
    from beam_pandas.statistics.datasets import (
        dataset_concordance,
        dataset_discrimination,
        pooled_scores,
    )
    from beam_pandas.statistics.incomplete import (
        adjusted_rank_sums,
        coverage,
        missing_scores,
        skillings_mack,
    )
    from beam_pandas.statistics.majorities import circular_triads, majority, transitivity
    from beam_pandas.statistics.mean_ranks import (
        cliques,
        critical_difference,
        friedman,
        ranks,
    )
    from beam_pandas.statistics.pairs import comparison_matrix, pairwise, standing
    from beam_pandas.statistics.post_hoc import compare_to_control, nemenyi
    from beam_pandas.statistics.posteriors import bayesian_sign

__version__ = "0.1.0"

__all__ = [
    "BeamError",
    "BeamWarning",
    "DuplicateScoresError",
    "IncompleteScoresError",
    "MissingColumnsError",
    "MissingDependencyError",
    "ScoreTypeError",
    "UnknownMetricError",
    "adjusted_rank_sums",
    "bayesian_sign",
    "circular_triads",
    "cliques",
    "compare_to_control",
    "comparison_matrix",
    "coverage",
    "critical_difference",
    "dataset_concordance",
    "dataset_discrimination",
    "friedman",
    "from_columns",
    "from_matrix",
    "load_benchmark",
    "majority",
    "metrics",
    "missing_scores",
    "nemenyi",
    "pairwise",
    "pooled_scores",
    "ranks",
    "read_matrices",
    "register_metric",
    "result_schema",
    "skillings_mack",
    "standing",
    "to_matrix",
    "transitivity",
    "wide_scores",
]

_MODULES = {
    "adjusted_rank_sums": "statistics.incomplete",
    "bayesian_sign": "statistics.posteriors",
    "circular_triads": "statistics.majorities",
    "cliques": "statistics.mean_ranks",
    "compare_to_control": "statistics.post_hoc",
    "comparison_matrix": "statistics.pairs",
    "coverage": "statistics.incomplete",
    "critical_difference": "statistics.mean_ranks",
    "dataset_concordance": "statistics.datasets",
    "dataset_discrimination": "statistics.datasets",
    "friedman": "statistics.mean_ranks",
    "from_columns": "shapes.to_long",
    "from_matrix": "shapes.to_long",
    "load_benchmark": "examples",
    "majority": "statistics.majorities",
    "metrics": "gate.registry",
    "missing_scores": "statistics.incomplete",
    "nemenyi": "statistics.post_hoc",
    "pairwise": "statistics.pairs",
    "pooled_scores": "statistics.datasets",
    "ranks": "statistics.mean_ranks",
    "read_matrices": "shapes.to_long",
    "register_metric": "gate.registry",
    "result_schema": "results.build",
    "skillings_mack": "statistics.incomplete",
    "standing": "statistics.pairs",
    "to_matrix": "statistics.arranged",
    "transitivity": "statistics.majorities",
    "wide_scores": "statistics.arranged",
}


if not TYPE_CHECKING:  # a type checker would take it for a promise of any name

    def __getattr__(name: str) -> Any:
        """Load a function of this namespace from its module, or the pictures."""
        if name == "plot":
            return import_module("beam_pandas.plot")
        if name not in _MODULES:
            raise AttributeError(f"module 'beam_pandas' has no attribute {name!r}")
        return getattr(import_module(f"beam_pandas.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted([*__all__, "__version__", "plot"])


register_accessors()
