"""Documentation of a call that computes and draws, made of that of its two parts."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

_HEADING: Final = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)


def sections(function: Callable[..., Any]) -> dict[str, str]:
    """Split a docstring into its sections; what stands before the first has no name."""
    text = inspect.getdoc(function) or ""
    pieces = _HEADING.split(text)
    names = ["", *pieces[1::2]]
    return {name: piece.strip("\n") for name, piece in zip(names, pieces[::2], strict=True)}


def entries(section: str) -> dict[str, str]:
    """Split a section into what it lists, by name; names may share an entry."""
    found: dict[str, str] = {}
    block: list[str] = []
    for line in [*section.splitlines(), "end"]:
        if line and not line.startswith(" "):
            if block:
                text = "\n".join(block).rstrip()
                for name in re.split(r",\s*", block[0].split(" : ")[0]):
                    found[name.strip()] = text
            block = []
        block.append(line)
    return found


def joined_doc(
    picture: Callable[..., Any],
    functions: Sequence[Callable[..., Any]],
    optional: Mapping[str, bool],
) -> str:
    """
    Write the docstring of a method that calls a function and a picture.

    Parameters
    ----------
    picture : callable
        What draws.
    functions : sequence of callable
        What computes; the parameters of the first are described first.
    optional : mapping from str to bool
        Parameters of the method, in order, and whether they may be left out.
    """
    of_picture = sections(picture)
    of_functions = [sections(function) for function in functions]
    known: dict[str, str] = {}
    for part in (of_picture, *reversed(of_functions)):
        known |= entries(part.get("Parameters", ""))
    described = dict.fromkeys(
        _as_optional(known[name]) if can_be_left_out else known[name]
        for name, can_be_left_out in optional.items()
        if name in known
    )
    raised: dict[str, dict[str, None]] = {}
    for part in (*of_functions, of_picture):
        for name, text in entries(part.get("Raises", "")).items():
            raised.setdefault(name, {})["\n".join(text.splitlines()[1:])] = None
    also = [f"beam_pandas.{each.__name__} : what is computed." for each in functions]
    also.append(f"beam_pandas.plot.{picture.__name__} : what is drawn of it.")
    parts = {
        "Parameters": "\n".join(described),
        "Returns": of_picture.get("Returns", ""),
        "Raises": "\n".join("\n".join([name, *texts]) for name, texts in raised.items()),
        "See Also": "\n".join(also),
        "References": of_picture.get("References", ""),
    }
    written = [of_picture[""]]
    written += [
        f"{name}\n{'-' * len(name)}\n{part}" for name, part in parts.items() if part
    ]
    return "\n\n".join(written) + "\n"


def _as_optional(entry: str) -> str:
    """Say of a parameter that it may be left out, if its entry does not."""
    head, _, rest = entry.partition("\n")
    if "optional" in head or "default" in head:
        return entry
    return f"{head}, optional\n{rest}"
