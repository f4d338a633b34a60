"""Which columns a frame of scores needs, and what others call them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

import pandas as pd

from beam_pandas.errors import BeamError, MissingColumnsError, list_labels
from beam_pandas.gate.registry import find_metric

_OTHER_NAMES: Final = {
    "method": (
        "methods", "model", "model_name", "models", "algorithm", "algo", "classifier",
        "estimator", "learner", "regressor", "system", "tool", "approach", "technique",
        "classifier_name", "method_name", "model_id", "algorithm_name",
    ),
    "dataset": (
        "datasets", "data_set", "dataset_name", "data", "task", "task_name", "problem",
        "benchmark", "instance", "scenario", "dataset_id", "task_id", "data_id",
        "problem_name",
    ),
    "score": (
        "scores", "value", "values", "result", "performance", "metric_value", "score_value",
    ),
    "metric": (
        "metrics", "metric_name", "measure", "measurement", "criterion", "score_name",
    ),
}  # fmt: skip

_RUNS: Final = frozenset(
    {
        "fold", "folds", "run", "runs", "seed", "seeds", "repeat", "repeats", "repetition",
        "replicate", "rep", "resample", "split", "trial", "iteration", "iter", "cv_fold",
        "random_state", "run_id", "random_seed",
    }
)  # fmt: skip


def check_names(frame: pd.DataFrame) -> None:
    """Refuse a frame that lacks a needed column or has one of them twice."""
    if isinstance(frame.columns, pd.MultiIndex):
        raise MissingColumnsError(
            "columns 'method', 'dataset', 'score' are needed, found columns of "
            f"{frame.columns.nlevels} levels: for a block of columns with a method each, "
            "use beam_pandas.from_matrix(df[block], metric=block), with the datasets in "
            f"the index{_swapped(frame.columns)}"
        )
    names = list(frame.columns)
    twice = [name for name in _OTHER_NAMES if names.count(name) > 1]
    if twice:
        raise BeamError(
            f"column {twice[0]!r} is needed once, found {names.count(twice[0])} columns "
            f"of that name: rename or drop all but one"
        )
    lacking = [name for name in ("method", "dataset", "score") if name not in names]
    if lacking:
        raise MissingColumnsError(_lacking_message(frame, lacking))


def _swapped(columns: pd.MultiIndex) -> str:
    """Say how to turn levels of which the last, not the first, names metrics."""
    first, last = (columns.get_level_values(at).unique() for at in (0, -1))
    known = [all(find_metric(name) for name in names) for names in (first, last)]
    return (
        "; here metrics come last: first df.swaplevel(axis=1)"
        if known == [False, True]
        else ""
    )


def names_methods(name: Hashable) -> bool:
    """Tell whether a column of this name holds methods rather than datasets."""
    bare = _bare(str(name))
    return bare == "method" or bare in _OTHER_NAMES["method"]


def counts_runs(name: Hashable) -> bool:
    """Tell whether a column of this name numbers rows or runs, and holds no scores."""
    bare = _bare(str(name))
    return bare in _RUNS or bare.startswith("unnamed:")


def _bare(name: str) -> str:
    """Bring the name of a column into the form that names are compared in."""
    return name.strip().lower().replace(" ", "_")


def _lacking_message(frame: pd.DataFrame, lacking: list[str]) -> str:
    """Say which columns are needed, which were found, and how to get there."""
    message = (
        f"columns 'method', 'dataset', 'score' are needed, {list_labels(lacking)} "
        f"not found among {list_labels(frame.columns, limit=12) or 'no columns'}"
    )
    in_index = [name for name in lacking if name in frame.index.names]
    if in_index:
        return f"{message}; {list_labels(in_index)} found in the index: df.reset_index()"
    renaming = {found: name for name in lacking if (found := find_other_name(frame, name))}
    if renaming:
        if "metric" not in frame.columns and (found := find_other_name(frame, "metric")):
            renaming[found] = "metric"
        found = list_labels(renaming)
        return f"{message}; found {found}: df.rename(columns={renaming!r})"
    return (
        f"{message}; for a table with a column for each method use "
        "beam_pandas.from_matrix, with a column for each metric from_columns"
    )


def find_runs(frame: pd.DataFrame) -> str | None:
    """Find a column that looks as if it named the runs."""
    for column in frame.columns:
        if isinstance(column, str) and _bare(column) in _RUNS:
            return column
    return None


def find_other_name(frame: pd.DataFrame, name: str) -> str | None:
    """Find a column that looks like the one that is lacking."""
    for column in frame.columns:
        if isinstance(column, str):
            bare = _bare(column)
            if column != name and (bare == name or bare in _OTHER_NAMES[name]):
                return column
    return None
