"""What headings tell: which side methods are on, which columns are metrics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from beam_pandas.gate.registry import find_metric
from beam_pandas.gate.role_names import Role as Role
from beam_pandas.gate.role_names import role_named

_DESCRIBES: Final = re.compile(
    r"(?:(?:avg|average|mean|overall) )?ranks?|no|nr|id|index|n|"
    r"(?:number|num|no) of \w+(?: \w+)?|(?:number|num) \w+|"
    r"(?:model )?(?:params?|parameters)|"
    r"(?:model |parameter )?size|g?flops|macs|year|date|epochs?|rows|samples|features|"
    r"(?:\w+ )?(?:std|stdev|sd|stderr|se|ci|var|variance)"
)
_COUNTS: Final = re.compile(r"(?:n|no)[_ ][a-z]")  # N-BEATS is a method
_MORE_OFTEN_METHODS: Final = frozenset({"em", "map", "mlp"})
_UNIT: Final = re.compile(r"\s*(\([^()]*\)|\[[^\[\]]*\]|[↑↓:*†‡▲▼%])\s*$")
_BETWEEN: Final = re.compile(r"\s*(?:[/\\|,;]|\bvs\.?\b|\band\b)\s*")


def role_of(heading: str) -> Role | None:
    """Tell what a column of this heading holds; None if it says nothing, or two things."""
    roles: set[Role | None] = {
        role_named(part) for part in _BETWEEN.split(bare_heading(heading)) if part
    }
    return roles.pop() if len(roles) == 1 else None


def bare_heading(heading: str) -> str:
    """Drop units, arrows and notes behind a heading."""
    while found := _UNIT.search(heading):
        heading = heading[: found.start()]
    return heading.strip()


def drop_arrow(heading: str) -> str:
    """Drop the arrow that says whether more or less of a metric is better."""
    return re.sub(r"\s*(?:[↑↓▲▼]|\([↑↓▲▼]\))\s*$", "", heading)


def is_metric(heading: str) -> bool:
    """Tell whether the registry knows a heading, with or without its unit and arrow."""
    return bool(find_metric(heading) or find_metric(bare_heading(heading)))


def describes(heading: str) -> bool:
    """Tell whether a column of this heading describes a row, and holds no scores."""
    words = re.sub(r"[\s\-_.#]+", " ", bare_heading(heading).lower()).strip()
    counts = heading.lstrip().startswith("#") and "win" not in words
    counts = counts or bool(_COUNTS.match(heading.strip()))
    return bool(heading) and (counts or bool(_DESCRIBES.fullmatch(words)))


def metrics_among(headings: Sequence[str]) -> list[str]:
    """List the headings that are metrics, but for a few that are more often methods."""
    known = [heading for heading in headings if is_metric(heading)]
    if 2 * len(known) >= len(headings):
        return known
    return [heading for heading in known if heading.lower() not in _MORE_OFTEN_METHODS]
