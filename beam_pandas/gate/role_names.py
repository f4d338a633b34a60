"""What columns of scores are called: THE list of names, for the gate and for headings."""

from __future__ import annotations

import re
from typing import Final, Literal

Role = Literal["method", "dataset", "metric", "run", "score"]

ROLES: Final[dict[Role, frozenset[str]]] = {
    "method": frozenset(
        """
        agent ai algo algorithm approach architecture backbone baseline bot chatbot
        classifier clusterer detector embedder embedding encoder engine ensemble estimator
        forecaster framework generator heuristic imputer learner library llm lm method model
        net network optimiser optimizer package pipeline planner policy predictor program
        ranker recommender regressor retriever segmenter software solver strategy system
        technique tool tracker transformer variant
        """.split()  # noqa: SIM905
    ),
    "dataset": frozenset(
        """
        benchmark corpora corpus data data_set dataset domain env environment game instance
        problem scenario series subject subtask task testset time_series
        """.split()  # noqa: SIM905
    ),
    "metric": frozenset(["criterion", "measure", "measurement", "metric", "score_name"]),
    "run": frozenset(
        """
        cv_fold fold iter iteration random_seed random_state rep repeat repetition replicate
        resample run seed split trial
        """.split()  # noqa: SIM905
    ),
    "score": frozenset(
        ["metric_value", "performance", "result", "score", "score_value", "value"]
    ),
}
#: What names methods more often than datasets where nothing else is known of a table.
_LIKELY_METHODS: Final = frozenset(
    """
    candidate checkpoint competitor config configuration contender entry implementation
    name participant player setting setup submission team version
    """.split()  # noqa: SIM905
)
_NUMBERS: Final = frozenset({"n", "num", "number", "no", "nr", "count", "total", "max"})


def role_named(name: str) -> Role | None:
    """
    Tell what a column of this name holds, by its words.

    Singular and plural, case, spaces, hyphens and underscores are one, and ``name`` or
    ``id`` may follow: ``Model name`` holds what ``models`` does.
    """
    words = re.sub(r"[\s\-_]+", "_", name.strip().lower())
    for bare in (words, re.sub(r"_(?:name|names|id|ids|label)$", "", words)):
        for form in (bare, bare.removesuffix("s"), bare.removesuffix("es")):
            for role, names in ROLES.items():
                if form in names:
                    return role
    return None


def role_hinted(name: str) -> Role | None:
    """Tell what a column holds if its last word says so, such as ``base model``."""
    words = re.sub(r"[\s\-_]+", "_", name.strip().lower()).split("_")
    role = role_named(name)
    if role is not None or len(words) == 1 or words[0] in _NUMBERS:
        return role
    last = role_named("_".join(words[-2:]) if words[-1] in ("name", "id") else words[-1])
    return last if last in ("method", "dataset") else None


def names_methods_likely(name: str) -> bool:
    """Tell whether rows of a wide table under this heading are more likely methods."""
    words = re.sub(r"[\s\-_]+", "_", name.strip().lower())
    return role_hinted(name) == "method" or words.removesuffix("s") in _LIKELY_METHODS
