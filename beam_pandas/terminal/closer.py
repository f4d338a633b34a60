"""What a page shows beyond the lines of a terminal: the board, and single datasets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from beam_pandas.errors import BeamError, is_of_metric
from beam_pandas.statistics.leaderboard import leaderboard
from beam_pandas.statistics.mean_ranks import ranks
from beam_pandas.statistics.resampling import influence


def look_closer(
    scores: pd.DataFrame, rope: Any, choice: str, alpha: float, shared: dict[str, Any]
) -> dict[str, pd.DataFrame]:
    """
    Compute the board of the methods, the ranks, and what each dataset weighs.

    Parameters
    ----------
    scores : DataFrame
        Of one metric.
    rope : object
        As the functions take it.
    choice : str
        How the table of the mean ranks was made complete, empty if there is none.
    alpha : float
        Level of the tests.
    shared : dict
        What all functions are told.

    Returns
    -------
    dict of DataFrame
        By the name of the function, those that the scores allow.
    """
    calls: dict[str, Callable[[], pd.DataFrame]] = {
        "leaderboard": lambda: leaderboard(scores, rope, alpha=alpha, **shared),
        "ranks": lambda: ranks(scores, **shared),
    }
    if choice:
        complete: dict[str, Any] = {"missing": choice, **shared}
        calls["influence"] = lambda: influence(scores, rope, alpha=alpha, **complete)
    found: dict[str, pd.DataFrame] = {}
    for name, call in calls.items():
        try:
            found[name] = call()
        except BeamError as error:  # the report holds without it
            if not is_of_metric(error):
                raise
    return found
