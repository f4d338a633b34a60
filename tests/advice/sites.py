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
ROOMS = ("gate", "shapes", "statistics", "results", "accessor", "plot", "terminal")
SHARED = ("errors.py", "labels.py")  # whose texts every room gives
MAKERS = {
    name
    for name, value in vars(errors).items()
    if isinstance(value, type) and issubclass(value, (errors.BeamError, ImportError))
}
TEXTS = {"str", *MAKERS}  # what a helper gives that writes for others
_GAP = "\0"  # stands where a text has a value


class Place(NamedTuple):
    """Where a message, or a piece of one, is written."""

    id: str
    kind: str  # "site" or "piece"
    room: str
    path: str
    lines: tuple[int, int, int, int]  # first and last line, first and last column
    texts: tuple[str, ...]  # the ways to put it, with gaps for values


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


def makes_message(call: ast.Call) -> bool:
    """Tell whether a call makes an error of the package or gives its warning."""
    if isinstance(call.func, ast.Name) and call.func.id in MAKERS | {"warn"}:
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
    return bool(TEXTS & set(re.findall(r"\w+", annotation)))


@cache
def _sources() -> dict[str, ast.Module]:
    """Parse the modules whose messages are walked through."""
    paths = [path for room in ROOMS for path in sorted((PACKAGE / room).rglob("*.py"))]
    paths += [PACKAGE / name for name in SHARED]
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in paths
    }


def _lines(node: ast.expr) -> tuple[int, int, int, int]:
    return (node.lineno, node.end_lineno or 0, node.col_offset, node.end_col_offset or 0)


def _room(module: str) -> str:
    return module.split("/")[0] if "/" in module else "shared"


def _name(function: _Function, text: str) -> str:
    """Name a place: its module, its function, the first words of its text."""
    words = " ".join(text.replace(_GAP, "…").split())[:40].strip()
    return f"{function.module.removesuffix('.py')}:{function.scope}: {words}"


@cache
def places() -> dict[str, Place]:
    """Find all sites and pieces, by their names."""
    functions = [
        function
        for module, tree in _sources().items()
        for function in _functions(tree, module)
    ]
    by_name: dict[str, list[_Function]] = {}
    for function in functions:
        by_name.setdefault(function.name, []).append(function)
    found: dict[str, Place] = {}
    seen: set[tuple[str, tuple[int, int, int, int]]] = set()

    def add(function: _Function, kind: str, node: ast.expr, texts: list[str]) -> None:
        key = (function.module, _lines(node))
        if key in seen and kind == "piece":
            return
        seen.add(key)
        name = base = _name(function, texts[0] if texts else "")
        again = 2
        while name in found:
            name, again = f"{base} ({again})", again + 1
        room = _room(function.module)
        found[name] = Place(name, kind, room, function.module, _lines(node), tuple(texts))

    writers: list[tuple[_Function, list[ast.AST]]] = []
    for function in functions:
        if (function.module, function.name) == ("errors.py", "warn"):
            continue  # it gives the texts of others
        nodes = list(_own(function.node))
        assignments = [node for node in nodes if isinstance(node, _Assignment)]
        for node in nodes:
            if isinstance(node, ast.Call) and makes_message(node):
                own = list(_texts(list(node.args)))
                said = [text for _, text in own[:1]] or [ast.unparse(node.args[0])]
                add(function, "site", node, said)
                for each, _ in own:
                    seen.add((function.module, _lines(each)))
                near = _close(node, assignments)
                for each, text in [*own[1:], *_texts(near[1:])]:
                    seen.discard((function.module, _lines(each)))
                    add(function, "piece", each, [text])
                writers.append((function, near))
    done: set[tuple[str, str]] = set()
    while writers:
        function, nodes = writers.pop()
        for node in nodes:
            for call in ast.walk(node):
                if not isinstance(call, ast.Call):
                    continue
                for helper in by_name.get(_called(call), []):
                    key = (helper.module, helper.scope)
                    if key in done or not _returns_text(helper.node):
                        continue
                    done.add(key)
                    body = helper.node.body
                    documented = ast.get_docstring(helper.node) is not None
                    kept: list[ast.AST] = list(body[1:] if documented else body)
                    for each, text in _texts(kept):
                        add(helper, "piece", each, [text])
                    writers.append((helper, kept))
    return found


def pattern(text: str) -> re.Pattern[str]:
    """Write a text as the regular expression that a message with it fits."""
    return re.compile(".*?".join(re.escape(part) for part in text.split(_GAP)), re.DOTALL)
