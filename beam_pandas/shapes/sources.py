"""What this folder takes from its older modules, in one place."""

from __future__ import annotations

from beam_pandas.tables import as_numbers, read_table, repeated_names
from beam_pandas.to_long import _check_flat as check_flat
from beam_pandas.to_long import from_matrix

__all__ = ["as_numbers", "check_flat", "from_matrix", "read_table", "repeated_names"]
