"""
Compare methods over datasets, from a long DataFrame of scores.

Importing the package registers ``df.beam`` and ``df.groupby(...).beam``. Each of their
methods is a function of this namespace that takes the frame first. Names are listed in
the stub ``__init__.pyi`` and loaded when they are first asked for, so that the import is
cheap.
"""

from typing import Any

from beam_pandas._lazy import load, read_stub
from beam_pandas.accessor.methods import register_accessors

__version__ = "0.2.0"

__all__ = sorted(name for name, module in read_stub().items() if module != __name__)


def __getattr__(name: str) -> Any:
    """Load a name of the stub from its module."""
    return load(name)


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted([*read_stub(), "__version__"])


register_accessors()
