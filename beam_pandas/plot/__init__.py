"""
Pictures: results in, matplotlib Axes out.

Nothing is computed here, shown or saved. Pictures are loaded when they are first asked
for, and matplotlib when one is drawn; it comes with ``pip install "beam_pandas[plot]"``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from beam_pandas.plot.dataset_dots import discrimination
    from beam_pandas.plot.diagram import critical_difference
    from beam_pandas.plot.majority_map import majority
    from beam_pandas.plot.matrix_map import comparison_matrix
    from beam_pandas.plot.posterior_bars import posterior
    from beam_pandas.plot.score_gaps import coverage

__all__ = [
    "comparison_matrix",
    "coverage",
    "critical_difference",
    "discrimination",
    "majority",
    "posterior",
]

_MODULES = {
    "comparison_matrix": "matrix_map",
    "coverage": "score_gaps",
    "critical_difference": "diagram",
    "discrimination": "dataset_dots",
    "majority": "majority_map",
    "posterior": "posterior_bars",
}


if not TYPE_CHECKING:  # a type checker would take it for a promise of any name

    def __getattr__(name: str) -> Any:
        """Load a picture from its module."""
        if name not in _MODULES:
            raise AttributeError(f"module 'beam_pandas.plot' has no attribute {name!r}")
        return getattr(import_module(f"beam_pandas.plot.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    """List the pictures, loaded or not."""
    return list(__all__)
