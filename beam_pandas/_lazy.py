"""
Public names of a package, read from its stub and loaded when they are first asked for.

The stub ``__init__.pyi`` is the one list of them. A line of it such as
``from beam_pandas.statistics.pairs import pairwise as pairwise`` tells a type checker, an
editor and this module alike where a name comes from (the idea of Scientific Python's
SPEC 1).
"""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent


@cache
def read_stub(package: str = "beam_pandas") -> dict[str, str]:
    """Map each public name of a package to the module that its stub takes it from."""
    stub = _FOLDER.joinpath(*package.split(".")[1:], "__init__.pyi")
    return {
        alias.asname: line.module
        for line in ast.parse(stub.read_text(encoding="utf-8")).body
        if isinstance(line, ast.ImportFrom) and line.module
        for alias in line.names
        if alias.asname
    }


def load(name: str, package: str = "beam_pandas") -> Any:
    """
    Load a public name; a function then says that it belongs to the package.

    Raises
    ------
    AttributeError
        If the stub does not have the name.
    """
    module = read_stub(package).get(name)
    if module is None:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    if module == package:  # a package in the package
        return import_module(f"{package}.{name}")
    found = getattr(import_module(module), name)
    if callable(found) and not isinstance(found, type):
        found.__module__ = package
    return found
