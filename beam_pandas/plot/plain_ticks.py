"""Numbers on an axis, written out: no factor or offset that is overlooked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.ticker import Formatter

from beam_pandas.plot.numbers import tick_texts


class PlainTicks(Formatter):
    """Writes ticks with the decimals that tell them apart."""

    def __call__(self, x: float, pos: Any = None) -> str:  # noqa: ARG002
        """Write one number."""
        return f"{x:g}"

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        """Write all of them."""
        return tick_texts([float(value) for value in values])
