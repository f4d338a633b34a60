"""Which methods differ from the best or from a reference, as a result of pairs says."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import (
    BeamError,
    MissingColumnsError,
    ScoreTypeError,
    list_labels,
)
from beam_pandas.results.vocabulary import VOCABULARY

DIFFERS: Final = "†"
NOT_COMPARED: Final = "‡"


class Verdicts(NamedTuple):
    """
    What a result says of pairs of methods.

    Attributes
    ----------
    known : dict
        For (metric, dataset, method, method), in both orders, whether the two differ; None
        where nothing was compared. Metric and dataset are None where the result has none.
    by_dataset : bool
        Whether the result has a verdict for each dataset.
    control : label or None
        The one method that all others were compared with.
    """

    known: dict[tuple[Hashable, ...], bool | None]
    by_dataset: bool
    control: Hashable
    has_metric: bool
    verdict: str  # the column that is read

    def differs(
        self, metric: Hashable, dataset: Hashable, one: Hashable, other: Hashable
    ) -> bool | None:
        """Tell whether two methods differ; None if they were not compared."""
        where = (metric if self.has_metric else None, dataset if self.by_dataset else None)
        return self.known.get((*where, one, other))


def read_verdicts(marks: pd.DataFrame, metrics: Sequence[Hashable]) -> Verdicts:
    """
    Read the verdicts of a result of pairs.

    Parameters
    ----------
    marks : DataFrame
        With `method_1` and `method_2`, or `control` and `method`, and with `significant`
        or `decision`.
    metrics : sequence of labels
        Those of the table; None is one without a name.
    """
    if not isinstance(marks, pd.DataFrame):
        raise ScoreTypeError(
            f"marks must be a result of pairs, a DataFrame, found {type(marks).__name__}"
        )
    columns = set(marks.columns)
    pair = next(
        (p for p in (("method_1", "method_2"), ("control", "method")) if set(p) <= columns),
        None,
    )
    verdict = next((name for name in ("significant", "decision") if name in columns), None)
    if pair is None or verdict is None:
        raise MissingColumnsError(
            "marks needs the columns method_1 and method_2 (or control and method), and "
            f"significant or decision, found {list_labels(marks.columns, limit=12)}: pass "
            "a result such as that of beam_pandas.pairwise"
        )
    keys = [name for name in marks.columns if name not in VOCABULARY]
    if keys:
        raise BeamError(
            f"marks must be of one call on the scores of the table, found the columns "
            f"{list_labels(keys)} of groups: pass the part of one group"
        )
    has_metric = "metric" in columns
    if not has_metric and len(metrics) > 1:
        raise BeamError(
            f"marks needs the column metric, since the table has {len(metrics)} metrics"
        )
    by_dataset = "dataset" in columns
    lead = [
        marks[name].tolist() if there else [None] * len(marks)
        for name, there in (("metric", has_metric), ("dataset", by_dataset))
    ]
    known: dict[tuple[Hashable, ...], bool | None] = {}
    ends = (marks[pair[0]].tolist(), marks[pair[1]].tolist())
    for metric, dataset, one, other, said in zip(
        *lead, *ends, _read(marks, verdict), strict=True
    ):
        if (metric, dataset, one, other) in known:
            raise BeamError(
                f"marks needs each pair once, found {list_labels([one, other])} twice: "
                "pass the result of one call"
            )
        known[metric, dataset, one, other] = said
        known[metric, dataset, other, one] = said
    controls = marks["control"].unique().tolist() if pair[0] == "control" else []
    control = controls[0] if len(controls) == 1 else None
    return Verdicts(known, by_dataset, control, has_metric, verdict)


def _read(marks: pd.DataFrame, verdict: str) -> list[bool | None]:
    """Read whether each pair differs; None where nothing could be compared."""
    column: Any = marks[verdict]
    if verdict == "decision":
        return [None if pd.isna(d) else d in ("better", "worse") for d in column]
    tested = np.ones(len(marks), dtype=bool)
    for name in ("p_adjusted", "p_value"):
        if name in marks:
            tested = marks[name].notna().to_numpy()
            break
    if column.isna().any():
        raise BeamError("column 'significant' must be True or False, found missing values")
    pairs = zip(column.tolist(), tested.tolist(), strict=True)
    return [bool(said) if ok else None for said, ok in pairs]


def symbols(
    verdicts: Verdicts,
    metric: Hashable,
    dataset: Hashable,
    methods: list[Hashable],
    against: list[Hashable],
    present: NDArray[np.bool_],
) -> list[str]:
    """
    Give each method its mark.

    Parameters
    ----------
    verdicts : Verdicts
        What is known.
    metric, dataset : label or None
        Where.
    methods : list of labels
        Those to be marked.
    against : list of labels
        The reference, or the best, of which there may be several: a method is marked that
        differs from each of them.
    present : ndarray of bool
        Whether a method has a score there.
    """
    found = []
    for method, there in zip(methods, present.tolist(), strict=True):
        if not there or method in against or not against:
            found.append("")
            continue
        said = [verdicts.differs(metric, dataset, method, other) for other in against]
        if None in said:
            found.append(NOT_COMPARED)
        else:
            found.append(DIFFERS if all(said) else "")
    return found
