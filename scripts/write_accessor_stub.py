"""
Write what type checkers and editors read of the accessors; run it without arguments.

The methods of ``df.beam`` are functions that are looked up when they are first asked for,
which no checker follows. The stub ``accessor/methods.pyi`` lists them, with the parameters
of the functions as they are written there and the first line of each docstring.
"""

import ast
import builtins
import inspect
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import beam_pandas
from beam_pandas.accessor import methods
from beam_pandas.plot.accessor import BeamPlots

TARGET = Path(methods.__file__).with_suffix(".pyi")
WIDTH = 92
INDENT = "    "
#: What the stub says of its own, and where the names in it come from.
OWN_IMPORTS = {
    "Any": "typing",
    "pd": "import pandas as pd",
    "DataFrameGroupBy": "pandas.api.typing",
}
HEAD = (
    "# Written by scripts/write_accessor_stub.py: change the functions, then run it again."
)
TAIL = '''
class BeamAccessor(_Methods):
    """{frame}"""

    def __init__(self, frame: pd.DataFrame) -> None: ...

class BeamGroupByAccessor(_Methods):
    """{groups}"""

    def __init__(self, grouped: DataFrameGroupBy[Any, Any]) -> None: ...

def method_names() -> list[str]: ...
def register_accessors() -> None: ...
'''


def write_stub(target: Path = TARGET) -> Path:
    """Write the stub, the same bytes each time."""
    target.write_text(stub_text(), encoding="utf-8", newline="\n")
    return target


def stub_text() -> str:
    """Give the text of the stub, laid out as the formatter would."""
    functions = {name: getattr(beam_pandas, name) for name in methods.method_names()}
    pictures = {name: getattr(BeamPlots, name) for name in beam_pandas.plot.__all__}
    sources = [function.__code__.co_filename for function in functions.values()]
    drawn = [
        getattr(beam_pandas.plot, name).__code__.co_filename for name in pictures
    ]  # whose words stand in the signatures of the pictures
    drawn += [  # letters are of results, and no method of the accessor
        getattr(beam_pandas, name).__code__.co_filename
        for name in pictures
        if hasattr(beam_pandas, name)
    ]
    drawn += [sys.modules[BeamPlots.__module__].__file__ or "", *sources]
    imports = {**OWN_IMPORTS}
    plots = [
        _method(name, picture, drawn, imports, getattr(beam_pandas.plot, name))
        for name, picture in sorted(pictures.items())
    ]
    called = [
        _method(name, function, [function.__code__.co_filename], imports, function)
        for name, function in sorted(functions.items())
    ]
    body = [
        "class _Plots:",
        f'{INDENT}"""{_first_line(BeamPlots)}"""\n',
        "\n".join(plots),
        "class _Methods:",
        f"{INDENT}@property",
        f"{INDENT}def plot(self) -> _Plots:",
        f'{INDENT * 2}"""Pictures of the scores."""\n',
        "\n".join(called),
    ]
    tail = TAIL.format(
        frame=_first_line(methods.BeamAccessor),
        groups=_first_line(methods.BeamGroupByAccessor),
    )
    return "\n".join([HEAD, _import_lines(imports), "", *body]) + tail


def _method(
    name: str,
    function: Callable[..., object],
    sources: Iterable[str],
    imports: dict[str, str],
    returning: Callable[..., object],
) -> str:
    """Write a method, and note where the names in its signature come from."""
    signature = inspect.signature(function)
    first, *others = signature.parameters.values()
    parts = ["self"]
    if first.kind is first.POSITIONAL_ONLY:
        parts.append("/")
    starred = False
    for parameter in others:
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        parts.append(_parameter(parameter, sources, imports))
    result = inspect.signature(returning).return_annotation
    returned = _annotation(result, sources, imports)
    lines = [f"{INDENT}def {name}(", *(f"{INDENT * 2}{part}," for part in parts)]
    lines += [f"{INDENT}) -> {returned}:", f'{INDENT * 2}"""{_first_line(function)}"""', ""]
    return "\n".join(lines)


def _parameter(
    parameter: inspect.Parameter, sources: Iterable[str], imports: dict[str, str]
) -> str:
    text = f"{parameter.name}: {_annotation(parameter.annotation, sources, imports)}"
    if parameter.default is not parameter.empty:
        value = repr(parameter.default)
        text += f" = {value.replace(chr(39), chr(34)) if value[0] == chr(39) else value}"
    return text


def _annotation(text: object, sources: Iterable[str], imports: dict[str, str]) -> str:
    """Take an annotation as it is written; import the names in it as its module does."""
    if not isinstance(text, str):
        raise TypeError(f"annotations must be text as in the source, got {text!r}")
    for node in ast.walk(ast.parse(text, mode="eval")):
        if isinstance(node, ast.Name) and not hasattr(builtins, node.id):
            found = {
                origin
                for source in sources
                if (origin := _origins(source).get(node.id)) is not None
            }
            found |= {imports[node.id]} if node.id in imports else set()
            if len(found) != 1:
                raise LookupError(f"{node.id} must be one thing everywhere, got {found}")
            imports[node.id] = found.pop()
    return text.replace(chr(39), chr(34))


@cache
def _origins(source: str) -> dict[str, str]:
    """Map the names at the top of a module to where they come from."""
    folder = Path(beam_pandas.__file__).parent
    parts = Path(source).relative_to(folder.parent).with_suffix("").parts
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse(Path(source).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {alias.asname or alias.name: node.module for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {
                alias.asname or alias.name: f"import {ast.unparse(alias)}"
                for alias in node.names
            }
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, ".".join(parts))
    return found


def _import_lines(imports: dict[str, str]) -> str:
    """Sort the imports as the linter does: of Python, of others, of this package."""
    plain = sorted({line for line in imports.values() if line.startswith("import ")})
    members: dict[str, list[str]] = {}
    for name, module in sorted(imports.items()):
        if not module.startswith("import "):
            members.setdefault(module, []).append(name)
    blocks: list[list[str]] = [[], [], []]
    for line in plain:
        blocks[_block(line.split()[1])].append(line)
    for module, names in sorted(members.items()):
        line = f"from {module} import {', '.join(names)}"
        if len(line) > WIDTH:
            each = "".join(f"{INDENT}{name},\n" for name in names)
            line = f"from {module} import (\n{each})"
        blocks[_block(module)].append(line)
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _block(module: str) -> int:
    top = module.split(".")[0]
    if top == "beam_pandas":
        return 2
    return 0 if top in sys.stdlib_module_names else 1


def _first_line(documented: object) -> str:
    return (inspect.getdoc(documented) or "").partition("\n")[0]


if __name__ == "__main__":
    write_stub()
