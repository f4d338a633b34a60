"""Is a candidate worse than the control, as a gate for continuous integration asks?"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import pandas as pd

from beam_pandas.errors import BeamError, list_labels, of_metric

_TURNED = {"better": "worse", "worse": "better"}


class Verdict(NamedTuple):
    """
    What the posterior says of the candidate in one metric.

    Attributes
    ----------
    candidate, control : label
        The two methods.
    n_datasets : int
        Datasets that both have.
    prob_better, prob_equivalent, prob_worse : float
        Of the candidate.
    decision : str
        "better", "equivalent", "worse" or "undecided", of the candidate.
    fails : bool
        Whether the gate is shut.
    """

    candidate: Hashable
    control: Hashable
    n_datasets: int
    prob_better: float
    prob_equivalent: float
    prob_worse: float
    decision: str
    fails: bool


def judge(
    posterior: pd.DataFrame, candidate: Hashable, control: Hashable, fail_on: str | None
) -> Verdict:
    """
    Read the pair of candidate and control, from the side of the candidate.

    Raises
    ------
    BeamError
        If they share no dataset: nothing is known then, and a gate must not open.
    """
    is_first = (posterior["method_1"] == candidate) & (posterior["method_2"] == control)
    is_second = (posterior["method_2"] == candidate) & (posterior["method_1"] == control)
    row = posterior[is_first | is_second].to_dict("records")[0]
    if row["n_datasets"] == 0:
        raise of_metric(
            BeamError(
                f"--candidate and --control must share a dataset, found none of "
                f"{list_labels([candidate, control])}"
            )
        )
    better, worse = row["prob_better"], row["prob_worse"]
    decision = str(row["decision"])
    if is_second.any():
        better, worse = worse, better
        decision = _TURNED.get(decision, decision)
    shut = {"worse": ("worse",), "undecided": ("worse", "undecided")}
    fails = fail_on is not None and decision in shut[fail_on]
    return Verdict(
        candidate,
        control,
        int(row["n_datasets"]),
        float(better),
        float(row["prob_equivalent"]),
        float(worse),
        decision,
        fails,
    )
