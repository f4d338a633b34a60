"""
Pictures: results in, matplotlib Axes out.

Nothing is computed here or shown. Pictures are loaded when they are first asked for, and
matplotlib when one is drawn; it comes with ``pip install "beam_pandas[plot]"``. `save`
writes one to a file.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from beam_pandas.plot.dataset_dots import dataset_discrimination
    from beam_pandas.plot.diagram import critical_difference
    from beam_pandas.plot.figures import save as save  # no picture, so not in __all__
    from beam_pandas.plot.majority_map import transitivity
    from beam_pandas.plot.matrix_map import comparison_matrix
    from beam_pandas.plot.posterior_bars import bayesian_sign
    from beam_pandas.plot.score_gaps import missing_scores

__all__ = [
    "bayesian_sign",
    "comparison_matrix",
    "critical_difference",
    "dataset_discrimination",
    "missing_scores",
    "transitivity",
]

_MODULES = {
    "bayesian_sign": "posterior_bars",
    "comparison_matrix": "matrix_map",
    "critical_difference": "diagram",
    "dataset_discrimination": "dataset_dots",
    "missing_scores": "score_gaps",
    "save": "figures",
    "transitivity": "majority_map",
}


if not TYPE_CHECKING:  # a type checker would take it for a promise of any name

    def __getattr__(name: str) -> Any:
        """Load a picture from its module."""
        if name not in _MODULES:
            raise AttributeError(f"module 'beam_pandas.plot' has no attribute {name!r}")
        return getattr(import_module(f"beam_pandas.plot.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    """List the pictures, loaded or not."""
    return sorted(_MODULES)
