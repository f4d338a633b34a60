"""
Pictures: results in, matplotlib Axes out.

Nothing is computed here or shown. Names are listed in the stub ``__init__.pyi``. Pictures
are loaded when they are first asked for, and matplotlib when one is drawn; it comes with
``pip install "beam_pandas[plot]"``. `save` writes one to a file.
"""

from typing import Any

from beam_pandas._lazy import load, read_stub

_NO_PICTURE = "save"

__all__ = sorted(name for name in read_stub(__name__) if name != _NO_PICTURE)


def __getattr__(name: str) -> Any:
    """Load a name of the stub from its module."""
    return load(name, __name__)


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(read_stub(__name__))
