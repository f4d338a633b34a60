"""What headings tell: which side methods are on, which columns are metrics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from beam_pandas.gate.column_names import names_methods
from beam_pandas.gate.registry import find_metric

Role = Literal["method", "dataset", "metric", "run", "score"]

_ROLES: Final[dict[Role, frozenset[str]]] = {
    "method": frozenset(
        [
            "method",
            "model",
            "algorithm",
            "algo",
            "classifier",
            "regressor",
            "estimator",
            "learner",
            "system",
            "tool",
            "approach",
            "technique",
            "framework",
            "solver",
            "agent",
            "baseline",
            "optimizer",
            "optimiser",
            "network",
            "architecture",
            "detector",
            "forecaster",
            "encoder",
            "backbone",
            "policy",
            "llm",
            "variant",
            "pipeline",
            "program",
            "package",
            "library",
            "software",
            "engine",
            "strategy",
            "predictor",
            "embedding",
            "method_name",
            "model_name",
            "model_id",
            "algorithm_name",
            "classifier_name",
        ]
    ),
    "dataset": frozenset(
        [
            "dataset",
            "data_set",
            "data",
            "task",
            "problem",
            "benchmark",
            "instance",
            "scenario",
            "corpus",
            "game",
            "environment",
            "env",
            "subject",
            "domain",
            "series",
            "time_series",
            "dataset_name",
            "dataset_id",
            "task_name",
            "task_id",
            "problem_name",
            "data_id",
        ]
    ),
    "metric": frozenset(["metric", "measure", "measurement", "criterion", "metric_name"]),
    "run": frozenset(
        [
            "run",
            "seed",
            "fold",
            "repeat",
            "repetition",
            "replicate",
            "resample",
            "split",
            "trial",
        ]
    ),
    "score": frozenset(["score", "value", "result", "performance", "metric_value"]),
}
_DESCRIBES: Final = re.compile(
    r"(?:(?:avg|average|mean|overall) )?ranks?|no|nr|id|index|n|"
    r"(?:number|num|n|no)(?: of)? \w+|(?:model )?(?:params?|parameters)|"
    r"(?:model |parameter )?size|g?flops|macs|year|date|epochs?|rows|samples|features|"
    r"(?:\w+ )?(?:std|stdev|sd|stderr|se|ci|var|variance)"
)
_MORE_OFTEN_METHODS: Final = frozenset({"em", "map", "mlp"})
_UNIT: Final = re.compile(r"\s*(\([^()]*\)|\[[^\[\]]*\]|[↑↓:*†‡▲▼%])\s*$")
_BETWEEN: Final = re.compile(r"\s*(?:[/\\|,;]|\bvs\.?\b|\band\b)\s*")


def role_of(heading: str) -> Role | None:
    """Tell what a column of this heading holds; None if it says nothing, or two things."""
    roles = {_role(part) for part in _BETWEEN.split(bare_heading(heading)) if part}
    return roles.pop() if len(roles) == 1 else None


def _role(heading: str) -> Role | None:
    words = re.sub(r"[\s\-_]+", "_", heading.strip().lower())
    for form in (words, words.removesuffix("s"), words.removesuffix("es")):
        for role, names in _ROLES.items():
            if form in names:
                return role
    return "method" if names_methods(words) else None


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
    return bool(heading) and (counts or bool(_DESCRIBES.fullmatch(words)))


def metrics_among(headings: Sequence[str]) -> list[str]:
    """List the headings that are metrics, but for a few that are more often methods."""
    known = [heading for heading in headings if is_metric(heading)]
    if 2 * len(known) >= len(headings):
        return known
    return [heading for heading in known if heading.lower() not in _MORE_OFTEN_METHODS]
