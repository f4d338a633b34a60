"""
Pictures: results in, matplotlib Axes out.

Nothing is computed here, shown or saved. matplotlib is loaded when the first picture is
drawn; it comes with ``pip install "beam_pandas[plot]"``.
"""

from beam_pandas.plot.diagram import critical_difference
from beam_pandas.plot.majority_map import majority
from beam_pandas.plot.matrix_map import comparison_matrix

__all__ = ["comparison_matrix", "critical_difference", "majority"]
