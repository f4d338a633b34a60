"""
Pictures: results in, matplotlib Axes out.

Nothing is computed here, shown or saved. matplotlib is loaded when the first picture is
drawn; it comes with ``pip install "beam_pandas[plot]"``.
"""

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
