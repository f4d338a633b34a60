"""
Every place of the package that gives a message, read from the sources.

A *site* is a call that makes an error of the package or gives a warning. A *piece* is a
text of several words in a function that writes for such a call: what a helper adds to a
message, or one of the ways in which it puts it. Both are known by module, function and the
first words of their text, so that an edit of other lines does not lose them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import beam_pandas as bp
from beam_pandas import errors

PACKAGE = Path(bp.__file__).parent
ROOMS = ("gate", "shapes", "statistics", "results", "accessor", "plot", "table", "terminal")
SHARED = ("errors.py", "labels.py")  # whose texts every room gives
_TEXTS_ELSE = ("table/of_scores_caption.py", "accessor/summary.py")  # captions, a repr
_OWN_ERRORS = {
    name
    for name, value in vars(errors).items()
    if isinstance(value, type) and issubclass(value, (errors.BeamError, ImportError))
}
_SPEAKERS = {"write_messages"}  # what is called with texts that no error holds
_GAP = "\0"  # stands where a text has a value


class Place(NamedTuple):
    """Where a message, or a piece of one, is written."""

    id: str
    kind: str  # "site" or "piece"
    room: str
    path: str
    lines: tuple[int, int, int, int]  # first and last line, first and last column
    text: str  # with gaps for values


class _Function(NamedTuple):
    name: str
    module: str  # as a path in the package
    node: ast.FunctionDef
    scope: str


def template(node: ast.expr) -> str:
    """Write a text with a gap for each value in it; no text gives nothing."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            template(part) if isinstance(part, ast.Constant) else _GAP
            for part in node.values
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return (template(node.left) or _GAP) + (template(node.right) or _GAP)
    return ""


def is_words(text: str) -> bool:
    """Tell whether a text says something: two words side by side."""
    return re.search(r"[A-Za-z][,;:]? [A-Za-z]", text) is not None


def _texts(nodes: list[ast.AST]) -> Iterator[tuple[ast.expr, str]]:
    """Find the whole texts below some nodes, also those in the gaps of others."""
    for node in nodes:
        if isinstance(node, (ast.Constant, ast.JoinedStr)):
            text = template(node)
            if is_words(text):
                yield node, text
            if isinstance(node, ast.JoinedStr):
                gaps = [
                    part for part in node.values if isinstance(part, ast.FormattedValue)
                ]
                yield from _texts([gap.value for gap in gaps])
        else:
            yield from _texts(list(ast.iter_child_nodes(node)))


def _functions(tree: ast.AST, module: str, scope: str = "") -> Iterator[_Function]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            inner = f"{scope}.{node.name}".lstrip(".")
            if isinstance(node, ast.FunctionDef):
                yield _Function(node.name, module, node, inner)
            yield from _functions(node, module, inner)
        elif isinstance(node, ast.stmt):
            yield from _functions(node, module, scope)


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """Walk a function without the functions inside it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            yield child
            yield from _own(child)


def _called(call: ast.Call) -> str:
    function = call.func
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


@cache
def makers() -> set[str]:
    """Name the errors of the package, also those that a module derives for itself."""
    found = set(_OWN_ERRORS)
    for tree in _sources().values():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
                found |= {node.name} if bases & _OWN_ERRORS else set()
    return found


def makes_message(call: ast.Call) -> bool:
    """Tell whether a call makes an error of the package or gives its warning."""
    if isinstance(call.func, ast.Name) and call.func.id in makers() | {"warn"}:
        return True
    computed = isinstance(call.func, ast.Call) and _called(call.func) == "type"
    return (computed or _called(call) == "kind") and bool(list(_texts(list(call.args))))


_Assignment = ast.Assign | ast.AugAssign | ast.AnnAssign


def _close(node: ast.AST, assignments: list[_Assignment]) -> list[ast.AST]:
    """Give an expression and what the local names in it were made of."""
    found: list[ast.AST] = [node]
    names: set[str] = set()
    while True:
        new = {
            each.id
            for part in found
            for each in ast.walk(part)
            if isinstance(each, ast.Name)
        } - names
        if not new:
            return found
        names |= new
        for each in assignments:
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            bound = {
                part.id
                for target in targets
                for part in ast.walk(target)
                if isinstance(part, ast.Name)
            }
            if bound & new and each.value is not None and each.value not in found:
                found.append(each.value)


def _returns_text(node: ast.FunctionDef) -> bool:
    annotation = "" if node.returns is None else ast.unparse(node.returns)
    return bool(({"str"} | makers()) & set(re.findall(r"\w+", annotation)))


@cache
def _sources() -> dict[str, ast.Module]:
    """Parse the modules whose messages are walked through."""
    paths = [path for room in ROOMS for path in sorted((PACKAGE / room).rglob("*.py"))]
    paths += [PACKAGE / name for name in SHARED]
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in paths
    }


@cache
def _all_functions() -> list[_Function]:
    return [
        function
        for module, tree in _sources().items()
        for function in _functions(tree, module)
    ]


def _lines(node: ast.expr) -> tuple[int, int, int, int]:
    return (node.lineno, node.end_lineno or 0, node.col_offset, node.end_col_offset or 0)


def _room(module: str) -> str:
    return module.split("/")[0] if "/" in module else "shared"


def _name(function: _Function, text: str) -> str:
    """Name a place: its module, its function, the first words of its text."""
    words = " ".join(text.replace(_GAP, "…").split())[:40].strip()
    return f"{function.module.removesuffix('.py')}:{function.scope}: {words}"


class _Places:
    """What was found so far, by name and by place."""

    def __init__(self) -> None:
        self.by_name: dict[str, Place] = {}
        self._seen: set[tuple[str, tuple[int, int, int, int]]] = set()

    def add(self, function: _Function, kind: str, node: ast.expr, text: str) -> None:
        """Add a site, or a piece that is part of none so far."""
        key = (function.module, _lines(node))
        if key in self._seen and kind == "piece":
            return
        self._seen.add(key)
        name = base = _name(function, text)
        again = 2
        while name in self.by_name:
            name, again = f"{base} ({again})", again + 1
        room = _room(function.module)
        self.by_name[name] = Place(name, kind, room, function.module, _lines(node), text)

    def add_message(
        self, function: _Function, call: ast.Call, assignments: list[_Assignment]
    ) -> list[ast.AST]:
        """Add a call that makes a message, with its pieces; give what its text is made of."""
        first, *more = [*_texts(list(call.args)), (None, ast.unparse(call.args[0]))]
        self.add(function, "site", call, first[1])
        self._seen.add((function.module, _lines(first[0] or call)))
        near = _close(call, assignments)
        for node, text in [*more, *_texts(near[1:])]:
            if node is not None:
                self.add(function, "piece", node, text)
        return near


def _sites(found: _Places) -> Iterator[list[ast.AST]]:
    """Find all calls that make messages, and give what their texts are made of."""
    for function in _all_functions():
        if (function.module, function.name) == ("errors.py", "warn"):
            continue  # it gives the texts of others
        nodes = list(_own(function.node))
        assignments = [node for node in nodes if isinstance(node, _Assignment)]
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        for node in calls:
            if makes_message(node):
                yield found.add_message(function, node, assignments)
        if any(_called(call) in _SPEAKERS for call in calls):
            for node, text in _texts(list(function.node.body[1:])):
                found.add(function, "piece", node, text)


def _calls(nodes: list[ast.AST]) -> Iterator[str]:
    """Name the functions that are called in some code."""
    for node in nodes:
        for call in ast.walk(node):
            if isinstance(call, ast.Call):
                yield _called(call)


@cache
def places() -> dict[str, Place]:
    """Find all sites and pieces, by their names."""
    writers: dict[str, list[_Function]] = {}
    for function in _all_functions():
        if _returns_text(function.node) and function.module not in _TEXTS_ELSE:
            writers.setdefault(function.name, []).append(function)
    found = _Places()
    waiting = list(_sites(found))
    while waiting:
        for name in set(_calls(waiting.pop())):
            for writer in writers.pop(name, []):
                body = writer.node.body
                is_documented = ast.get_docstring(writer.node) is not None
                kept: list[ast.AST] = list(body[is_documented:])
                for node, text in _texts(kept):
                    found.add(writer, "piece", node, text)
                waiting.append(kept)
    return found.by_name


def pattern(text: str) -> re.Pattern[str]:
    """Write a text as the regular expression that a message with it fits."""
    return re.compile(".*?".join(re.escape(part) for part in text.split(_GAP)), re.DOTALL)
