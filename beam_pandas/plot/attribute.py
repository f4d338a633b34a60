"""The attribute `plot` of the accessors."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from beam_pandas.plot.accessor import BeamPlots


class PlotAttribute:
    """
    Pictures of what an accessor is on.

    No property, which completion would not look into, since it never runs code of one.
    """

    def __get__(
        self, accessor: Any, owner: type | None = None
    ) -> BeamPlots | PlotAttribute:
        """Make the namespace of pictures; it keeps nothing."""
        if accessor is None:
            return self
        plots: BeamPlots = import_module("beam_pandas.plot.accessor").BeamPlots(
            accessor._call
        )
        return plots
