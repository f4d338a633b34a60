"""
Who may import whom, read from the imports as they are written.

A room is a module or a folder at the top of the package. What only type checkers read, and
what is loaded by name when it is first asked for, is no import.
"""

import ast
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

import beam_pandas as bp
from tests.tables import REFERENCE

PACKAGE = Path(bp.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))


def name_of(path):
    """A module by its place in the package: ("plot", "diagram"); the top is ("__init__",)."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts


def is_for_checkers(node):
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def statements(tree):
    """Walk a module, at its top and inside functions, but for what checkers alone read."""
    for node in ast.iter_child_nodes(tree):
        if not is_for_checkers(node):
            yield node
            yield from statements(node)


def targets(node, package):
    """The modules of the package that a statement names, as dotted names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    base = node.module or ""
    if node.level:
        base = ".".join([*package[: len(package) - node.level + 1], *base.split(".")])
    return [f"{base}.{alias.name}" for alias in node.names]


def read_imports(source, module=("__init__",), known=None):
    """List the modules of the package that some source imports."""
    known = KNOWN if known is None else known
    package = ("beam_pandas", *module[:-1])
    found = set()
    for node in statements(ast.parse(source)):
        for target in targets(node, package):
            first, *rest = target.split(".")
            if first == "beam_pandas":
                while rest and tuple(rest) not in known:  # a name of a module, at its end
                    rest.pop()
                found.add(tuple(rest) or ("__init__",))
    return found


KNOWN = {name_of(path) for path in MODULES}
IMPORTS = {
    name_of(path): read_imports(
        path.read_text(encoding="utf-8"),
        (*path.relative_to(PACKAGE).parts[:-1], path.stem),
    )
    for path in MODULES
}
ROOMS = {module[0] for module in KNOWN}


def arrows():
    """For each room the rooms it imports."""
    found = defaultdict(set)
    for module, imported in IMPORTS.items():
        found[module[0]] |= {target[0] for target in imported} - {module[0]}
    return found


def imported_by(room):
    """All that a room imports from other rooms: (its module, the module imported)."""
    return {
        (module, target)
        for module, imported in IMPORTS.items()
        for target in imported
        if module[0] == room and target[0] != room
    }


def floor_of(room, edges, below=()):
    """The longest chain of imports that starts in a room; 1 if it imports nothing."""
    assert room not in below, f"a circle: {' -> '.join([*below, room])}"
    path = (*below, room)
    return 1 + max((floor_of(next_, edges, path) for next_ in edges[room]), default=0)


def test_imports_are_read_at_the_top_and_inside_functions_but_not_what_checkers_read():
    source = """
from typing import TYPE_CHECKING
from beam_pandas.errors import BeamError, warn
from .heat_map import Grid
from ..results import build
if TYPE_CHECKING:
    from beam_pandas.terminal.command import main
def draw():
    import beam_pandas.gate.scores as scores
    if scores:
        from beam_pandas import pairwise, labels
"""
    known = {("errors",), ("plot", "heat_map"), ("results", "build"), ("labels",)}
    known |= {("gate", "scores"), ("__init__",)}
    assert read_imports(source, ("plot", "diagram"), known) == known


def test_no_module_stands_where_imports_are_not_read():
    assert {path.suffix for path in PACKAGE.rglob("*") if path.is_file()} >= {".py", ".pyi"}
    assert len(IMPORTS) == len(MODULES) > 30
    assert ("gate", "scores") in IMPORTS["statistics", "mean_ranks"]


def test_there_are_few_rooms_on_few_floors_and_no_circle():
    edges = arrows()
    floors = {room: floor_of(room, edges) for room in sorted(ROOMS)}
    assert len(ROOMS) <= 16, sorted(ROOMS)
    assert max(floors.values()) <= 9, floors


def test_a_circle_would_be_found():
    edges = defaultdict(set, {"a": {"b"}, "b": {"c"}, "c": {"a"}})
    with pytest.raises(AssertionError, match="a circle: a -> b -> c -> a"):
        floor_of("a", edges)


def test_modules_of_one_room_do_not_import_each_other_in_a_circle():
    edges = defaultdict(set)
    for module, imported in IMPORTS.items():
        edges[module] = {target for target in imported if target != module}
    seen = set()

    def visit(module, above):
        assert module not in above, f"a circle: {[*above, module]}"
        if module not in seen:
            for target in edges[module]:
                visit(target, (*above, module))
            seen.add(module)

    for module in IMPORTS:
        visit(module, ())


def test_statistics_read_scores_by_the_one_door_of_the_gate():
    through = {target for _, target in imported_by("statistics") if target[0] == "gate"}
    assert through == {("gate", "scores")}
    allowed = {"gate", "kernels", "results", "errors", "labels", "types"}
    assert arrows()["statistics"] <= allowed


@pytest.mark.parametrize("room", sorted({"plot", "table"} & ROOMS))
def test_what_shows_results_takes_them_and_computes_none(room):
    found = {(module, target[0]) for module, target in imported_by(room)}
    shown = {target for _, target in found}
    assert "results" in shown
    assert not shown & {"accessor", "shapes", "terminal"}
    computing = {module for module, target in found if target == "statistics"}
    allowed = {"plot": ("plot", "accessor"), "table": ("table", "of_scores")}
    assert computing <= {allowed[room]}


def test_tables_read_scores_through_statistics_alone():
    assert arrows()["table"] <= {
        "_lazy",
        "errors",
        "labels",
        "results",
        "statistics",
        "types",
    }


def test_kernels_import_kernels_alone():
    assert imported_by("kernels") == set()


def test_nobody_imports_the_terminal_but_main():
    importers = {room for room, targets in arrows().items() if "terminal" in targets}
    assert importers == {"__main__"}


def test_nobody_imports_the_package_itself():
    assert [room for room, targets in arrows().items() if "__init__" in targets] == []


def test_the_ground_imports_no_other_room():
    edges = arrows()
    assert {room: edges[room] for room in ("_lazy", "errors", "types", "kernels")} == {
        "_lazy": set(),
        "errors": set(),
        "types": set(),
        "kernels": set(),
    }


@cache
def _room_of(file):
    path = Path(file)
    return name_of(path)[0] if path.is_relative_to(PACKAGE) else None


def trace_rooms(function, *args):
    """Call something; list the calls from one room into another, in order."""
    calls = []

    def profile(frame, event, _):
        if event == "call" and frame.f_back is not None:
            room = _room_of(frame.f_code.co_filename)
            caller = _room_of(frame.f_back.f_code.co_filename)
            if room and room != caller:
                calls.append((caller, room))

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        function(*args)
    finally:
        sys.setprofile(before)
    return calls


def test_a_frame_visits_few_rooms_and_is_not_called_back_up():
    edges = arrows()
    bp.critical_difference(REFERENCE)  # what is read once a process is no visit
    calls = trace_rooms(bp.critical_difference, REFERENCE)
    visited = {room for _, room in calls}
    climbs = [call for call in calls if call[0] in edges[call[1]]]
    assert "gate" in visited
    assert len(visited) <= 6, sorted(visited)
    assert len(climbs) <= 3, climbs
