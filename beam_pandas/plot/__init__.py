"""
Pictures: results in, matplotlib Axes out.

Nothing is computed here, shown or saved. matplotlib is loaded when the first picture is
drawn; it comes with ``pip install "beam_pandas[plot]"``.
"""

from beam_pandas.plot.diagram import critical_difference

__all__ = ["critical_difference"]
