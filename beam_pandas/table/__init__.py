"""
Publication tables: scores or results in, pandas' Styler out.

Names are listed in the stub ``__init__.pyi``, and loaded when they are first asked for.
pandas' Styler needs jinja2, which comes with ``pip install "beam_pandas[table]"``.
"""

from typing import Any

from beam_pandas._lazy import load, read_stub

__all__ = sorted(read_stub(__name__))


def __getattr__(name: str) -> Any:
    """Load a name of the stub from its module."""
    return load(name, __name__)


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return list(__all__)
