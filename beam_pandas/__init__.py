"""
Compare methods over datasets, from a long DataFrame of scores.

Importing the package registers ``df.beam`` and ``df.groupby(...).beam``. Each of their
methods is a function of this namespace that takes the frame first. Functions are loaded
when they are first asked for, so that the import is cheap.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from beam_pandas.accessor import register_accessors
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
    from beam_pandas.discrimination import (
        dataset_concordance,
        dataset_discrimination,
        pooled_scores,
    )
    from beam_pandas.examples import load_benchmark
    from beam_pandas.incomplete import (
        adjusted_rank_sums,
        coverage,
        missing_scores,
        skillings_mack,
    )
    from beam_pandas.order import circular_triads, majority, transitivity
    from beam_pandas.pairs import comparison_matrix, pairwise, standing
    from beam_pandas.post_hoc import compare_to_control, nemenyi
    from beam_pandas.posterior import bayesian_sign
    from beam_pandas.ranking import cliques, critical_difference, friedman, ranks
    from beam_pandas.registry import metrics, register_metric
    from beam_pandas.results import result_schema
    from beam_pandas.to_long import from_columns, from_matrix, read_matrices
    from beam_pandas.to_wide import to_matrix, wide_scores

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
    "adjusted_rank_sums": "incomplete",
    "bayesian_sign": "posterior",
    "circular_triads": "order",
    "cliques": "ranking",
    "compare_to_control": "post_hoc",
    "comparison_matrix": "pairs",
    "coverage": "incomplete",
    "critical_difference": "ranking",
    "dataset_concordance": "discrimination",
    "dataset_discrimination": "discrimination",
    "friedman": "ranking",
    "from_columns": "to_long",
    "from_matrix": "to_long",
    "load_benchmark": "examples",
    "majority": "order",
    "metrics": "registry",
    "missing_scores": "incomplete",
    "nemenyi": "post_hoc",
    "pairwise": "pairs",
    "pooled_scores": "discrimination",
    "ranks": "ranking",
    "read_matrices": "to_long",
    "register_metric": "registry",
    "result_schema": "results",
    "skillings_mack": "incomplete",
    "standing": "pairs",
    "to_matrix": "to_wide",
    "transitivity": "order",
    "wide_scores": "to_wide",
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
