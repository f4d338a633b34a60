"""Labels of datasets and methods that say that they are none: summaries, replicates."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import Final, NamedTuple

_MOST = 10_000  # labels that are looked at; more are no table that anybody printed
_SUMMARIES: Final = frozenset(
    """
    average|avg|mean|overall|total|all|average rank|avg rank|mean rank|wins|number of wins|
    num wins|n wins|win count|average score|avg score|mean score|overall score|total score|
    overall average|overall mean|grand mean|macro average|micro average|macro avg|micro avg|
    avg all|average all|all avg|all average|mean all|aggregate|aggregated|wins ties losses|
    average accuracy|mean accuracy|avg accuracy|geometric mean|geomean|rank sum|sum
    """.replace("\n", "")
    .replace("    ", "")
    .split("|")
)
_ALSO_METHODS: Final = frozenset(  # which may be predictors too
    {"mean", "all", "aggregate", "aggregated", "geometric mean", "sum", "total", "overall"}
)
_MARKED: Final = re.compile(
    r"(.+?)[\s_\-/.:|(\[]+(?:rep|replicate|fold|seed|run|split|trial|resample|repeat|"
    r"repetition|iter|iteration|cv|cvfold|shuffle|bootstrap)[\s_\-=:]*\d+[)\]]?",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(r"(.*?[^\d\s_\-/.:|])([\s_\-/.:|]*)(\d+)")
_THINGS: Final = frozenset(
    """
    data database dataset set task problem prob fn func function
    instance inst i game level env environment domain subject sub subj participant patient
    person user client donor site batch slide sample series sequence seq case q question
    query topic prompt item image img video scene file file_ doc document text region
    country store sensor class group block bin part year month day week city g x y z no nr
    number n exp experiment scenario benchmark test story room map world maze station
    machine device corpus book paper chapter section city house building plot field
    """.split()  # noqa: SIM905
)
_SEPARATORS: Final = "_-/:. |"


def find_summaries(labels: Sequence[Hashable], *, methods: bool) -> list[str]:
    """List the labels that are names of a mean, a total or a rank of others."""
    if len(labels) < 2 or len(labels) > _MOST:
        return []
    left_out = _ALSO_METHODS if methods else frozenset[str]()
    names = _SUMMARIES - left_out
    return [label for label in labels if isinstance(label, str) and _words(label) in names]


def _words(label: str) -> str:
    return re.sub(r"[\s_\-.#:()]+", " ", label).strip().lower()


class Replicates(NamedTuple):
    """Labels that look like replicates of fewer, and the pattern that finds what of."""

    labels: list[str]
    families: list[str]
    pattern: str


def find_replicates(labels: Sequence[Hashable]) -> Replicates | None:
    """
    Find labels that look like replicates of fewer things.

    Either several have the same stem and a word such as fold or seed with a number; or all
    are stems with running numbers, the same ones for each stem, and the stem is no word
    for a thing that is numbered, such as task or patient.
    """
    if len(labels) < 2 or len(labels) > _MOST or not isinstance(labels[0], str):
        return None
    names = [str(label) for label in labels]
    if not any(name[-1:].isdigit() or name[-1:] in ")]" for name in names):
        return None
    marked = {name: found[1] for name in names if (found := _MARKED.fullmatch(name))}
    repeated = _repeated(marked)
    if repeated:
        return _as_replicates(repeated, _MARKED_PATTERN)
    return _find_numbered(names)


_MARKED_PATTERN: Final = (
    r"(.+?)[\s_/.:|(\[-]+(?:rep|replicate|fold|seed|run|split|trial|resample|repeat|"
    r"repetition|iter|iteration|cv|cvfold|shuffle|bootstrap)[\s_=:-]*\d+[)\]]?"
)


def _find_numbered(names: Sequence[str]) -> Replicates | None:
    """Find stems that all have the same running numbers."""
    numbers: dict[str, list[int]] = defaultdict(list)
    stems = {}
    for name in names:
        found = _NUMBERED.fullmatch(name)
        if found is None:
            return None
        stems[name] = found[1]
        numbers[found[1]].append(int(found[3]))
    runs = {tuple(sorted(found)) for found in numbers.values()}
    first = next(iter(runs))
    if len(runs) > 1 or len(first) < 2 or first not in (_count(0, first), _count(1, first)):
        return None
    if any(_is_thing(stem) for stem in numbers):
        return None
    return _as_replicates(stems, r"(.*?[^\d\s_/.:|-])[\s_/.:|-]*\d+")


def _count(start: int, numbers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(range(start, start + len(numbers)))


def _is_thing(stem: str) -> bool:
    """Tell whether a stem is a word for what is numbered, or two letters."""
    word = re.split(r"[\s_\-/.:|]+", stem.lower())[-1]
    return len(word) < 3 or word in _THINGS or word.removesuffix("s") in _THINGS


def _repeated(stems: dict[str, str]) -> dict[str, str]:
    """Take the labels whose stem another one shares."""
    counts: dict[str, int] = defaultdict(int)
    for stem in stems.values():
        counts[stem] += 1
    return {name: stem for name, stem in stems.items() if counts[stem] > 1}


def _as_replicates(stems: dict[str, str], pattern: str) -> Replicates:
    return Replicates(list(stems), list(dict.fromkeys(stems.values())), pattern)


def find_groups(labels: Sequence[Hashable]) -> dict[int, list[int]]:
    """Map labels whose name, and a mark between words, begins others, to those."""
    if len(labels) < 3 or len(labels) > _MOST or not isinstance(labels[0], str):
        return {}
    names = [str(label) for label in labels]
    at = {name: code for code, name in enumerate(names)}
    groups: dict[int, list[int]] = defaultdict(list)
    for code, name in enumerate(names):
        for end, letter in enumerate(name):
            if letter in _SEPARATORS and 0 < end < len(name) - 1 and name[:end] in at:
                groups[at[name[:end]]].append(code)
    return {parent: found for parent, found in groups.items() if len(found) > 1}
