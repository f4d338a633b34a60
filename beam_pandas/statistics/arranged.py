"""How do the scores look, arranged otherwise?"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, check_option, list_labels
from beam_pandas.gate.scores import Rows, read_cells, read_rows, turn_rows
from beam_pandas.labels import Labels, join_labels
from beam_pandas.types import Aggregate, HigherIsBetter, UnevenRuns


def wide_scores(
    frame: pd.DataFrame,
    *,
    higher_is_better: HigherIsBetter = None,
    aggregate: Aggregate = None,
    uneven_runs: UnevenRuns = "raise",
) -> pd.DataFrame:
    """
    Arrange scores with a row for each dataset and a column for each method.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric`.
    higher_is_better : bool or mapping from metric to bool, optional
        Direction of the metrics; those not told are looked up in the registry. Only
        ``aggregate="best"`` asks for it.
    aggregate : {"mean", "median", "min", "max", "best"}, optional
        How to combine several runs of one method, dataset and metric; ``"best"`` is the
        better of them by direction. By default several scores are an error.
    uneven_runs : {"raise", "ignore", "shared"}, default "raise"
        With `aggregate`, where methods have different runs on a dataset: an error, or
        combine what is there, or keep the runs that all methods with a score there have,
        by the column `run`.

    Returns
    -------
    DataFrame
        float64 scores as given, NaN where missing. Index `dataset`, or `metric` and
        `dataset` if there are several metrics; columns `method`; all in label order.

    Raises
    ------
    DuplicateScoresError
        If a cell has several scores and `aggregate` does not say what to do.
    BeamError
        If the frame is not a table of scores.

    See Also
    --------
    from_matrix : the way back.
    ranks : the scores with their ranks, in long form.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    >>> scores.beam.wide_scores().index.name
    'dataset'
    """
    matrices = list(
        read_cells(
            frame,
            aggregate=aggregate,
            higher_is_better=higher_is_better,
            uneven_runs=uneven_runs,
        )
    )
    for matrix in matrices:
        if matrix.refusal is not None and len(matrix.datasets):
            raise matrix.refusal
    datasets = [matrix.datasets for matrix in matrices]
    index = pd.Index(join_labels(datasets), name="dataset")
    metrics = [matrix.metric for matrix in matrices if matrix.metric is not None]
    if len(metrics) > 1:
        repeated = [m.repeat(len(d)) for m, d in zip(metrics, datasets, strict=True)]
        index = pd.MultiIndex.from_arrays(
            [join_labels(repeated), index], names=["metric", "dataset"]
        )
    return pd.DataFrame(
        np.vstack([matrix.scores for matrix in matrices]),
        index=index,
        columns=matrices[0].methods.rename("method"),
    )


def merge_metrics(
    frame: pd.DataFrame,
    *,
    higher_is_better: HigherIsBetter = None,
    scale: Literal["min_max"] | None = None,
    keep: Sequence[Hashable] = (),
) -> pd.DataFrame:
    """
    Make one metric of several, for a comparison over tasks whose metric differs.

    Losses are turned, so that more is better everywhere: ranks, wins and what rests on
    them then count each task once. Nothing is aggregated.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric` and `run`.
    higher_is_better : bool or mapping from metric to bool, optional
        Direction of the metrics; those not told are looked up in the registry.
    scale : {"min_max"}, optional
        With ``"min_max"`` the scores of each dataset and metric are scaled to 0 to 1 over
        its methods and runs, so that differences mean something from one task to the
        next; where all are equal they are 0. Without it, scores keep their units: then a
        mean difference, a rope or any other size over datasets means nothing.
    keep : list of labels, optional
        Further columns to carry along, such as the domain of a dataset.

    Returns
    -------
    DataFrame
        One row per row of `frame`, in label order:

        - **method** : as given.
        - **dataset** : as given where every dataset has one metric; else text for all,
          and ``dataset | metric`` for those that have several.
        - the columns to keep.
        - **metric** : ``"merged_benefit"``, known to the registry: more is better.
        - **run** : if there is one.
        - **score** : float64, turned and scaled; NaN where missing.

    Raises
    ------
    UnknownMetricError
        If the direction of a metric is neither told nor known.
    BeamError
        If the frame is not a table of scores, two datasets would have one label, or the
        groups of a groupby are metrics.

    See Also
    --------
    pooled_scores : the mean over metrics, for each dataset and method.
    fold_datasets : make runs of datasets that are replicates.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = beam_pandas.load_benchmark().query("metric in ['accuracy', 'log_loss']")
    >>> merged = scores.beam.merge_metrics(scale="min_max")
    >>> merged["metric"].unique().tolist()
    ['merged_benefit']
    >>> merged["dataset"].nunique()
    64
    """
    if scale is not None:
        check_option("scale", scale, ["min_max"])
    rows = read_rows(frame, _as_columns(keep))
    score = turn_rows(rows, higher_is_better)
    if scale is not None:
        score = _scaled(score, _task_codes(rows))
    dataset = rows.dataset.names.take(rows.dataset.codes).array
    if rows.metric is not None and (several := _with_several_metrics(rows)).any():
        dataset = _join_names(rows, rows.metric, several)
    return _arrange(rows, {"dataset": dataset, "metric": "merged_benefit", "score": score})


def fold_datasets(
    frame: pd.DataFrame,
    by: Mapping[Hashable, Hashable] | str,
    *,
    keep: Sequence[Hashable] = (),
) -> pd.DataFrame:
    r"""
    Make families of datasets the datasets, and the datasets in each its runs.

    The remedy where replicates, seeds or subtasks are part of the names of datasets: each
    would count as evidence of its own.

    Parameters
    ----------
    frame : DataFrame
        Scores: columns `method`, `dataset`, `score` and optionally `metric` and `run`.
    by : mapping from dataset to family, or str
        Which family a dataset belongs to: a mapping, or a regular expression that matches
        whole labels and whose first group is the family, such as ``r"(.+)_rep\d+"``.
        Datasets that it leaves out stay on their own.
    keep : list of labels, optional
        Further columns to carry along, such as the domain of a dataset.

    Returns
    -------
    DataFrame
        One row per row of `frame`, in label order:

        - **method** : as given.
        - **dataset** : the family.
        - the columns to keep.
        - **metric** : if there is one.
        - **run** : the dataset as it was called; with a run before, both joined by " / ".
        - **score** : float64, NaN where missing.

    Raises
    ------
    BeamError
        If the frame is not a table of scores, `by` names a dataset that is not there, or
        no dataset matches.

    See Also
    --------
    merge_metrics : one metric of several.
    coverage : how many runs there are of each method.

    Examples
    --------
    >>> import pandas as pd, beam_pandas
    >>> names = ["iris_rep1", "iris_rep2"]
    >>> scores = pd.DataFrame({"method": "A", "dataset": names, "score": [0.9, 0.8]})
    >>> scores.beam.fold_datasets(r"(.+)_rep\d+")
      method dataset        run  score
    0      A    iris  iris_rep1    0.9
    1      A    iris  iris_rep2    0.8
    """
    rows = read_rows(frame, _as_columns(keep))
    names = rows.dataset.names
    families = _families(names.tolist(), by)
    codes = rows.dataset.codes
    run: Any = names.take(codes).array
    if rows.run is not None:
        parts = zip(run, rows.run.names.take(rows.run.codes), strict=True)
        run = [f"{dataset} / {before}" for dataset, before in parts]
    family = pd.Index(families).take(codes)
    metric = None if rows.metric is None else rows.metric.names.take(rows.metric.codes)
    folded = _arrange(
        rows,
        {"dataset": family.array, "metric": metric, "score": rows.score},
        run=run,
    )
    by_name = [name for name in ("metric", "dataset", "method", "run") if name in folded]
    return folded.sort_values(by_name, kind="stable", ignore_index=True)


def _as_columns(keep: Sequence[Hashable]) -> list[Hashable]:
    if isinstance(keep, (str, bytes)) or not isinstance(keep, Sequence):
        raise BeamError(f"keep must be a list of columns, got {keep!r}")
    return list(keep)


def _task_codes(rows: Rows) -> NDArray[np.int64]:
    """Give each pair of dataset and metric a number."""
    if rows.metric is None:
        return rows.dataset.codes.astype(np.int64)
    return rows.dataset.codes * np.int64(len(rows.metric.names)) + rows.metric.codes


def _scaled(score: NDArray[np.float64], task: NDArray[np.int64]) -> NDArray[np.float64]:
    """Scale the scores of each task to 0 to 1; 0 where all are equal."""
    _, code = np.unique(task, return_inverse=True)
    low, high = np.full(code.max() + 1, np.inf), np.full(code.max() + 1, -np.inf)
    present = ~np.isnan(score)
    np.minimum.at(low, code[present], score[present])
    np.maximum.at(high, code[present], score[present])
    with np.errstate(invalid="ignore"):  # of tasks without any score
        size = high / 2.0 - low / 2.0  # the range of huge scores may overflow
    size[~(size > 0.0)] = 1.0
    return np.asarray((score / 2.0 - low[code] / 2.0) / size[code], dtype=np.float64)


def _with_several_metrics(rows: Rows) -> NDArray[np.bool_]:
    """Mark the datasets, by code, that have rows of several metrics."""
    pairs = np.unique(_task_codes(rows))
    metrics = 1 if rows.metric is None else len(rows.metric.names)
    return np.bincount(pairs // metrics, minlength=len(rows.dataset.names)) > 1


def _join_names(rows: Rows, metric: Labels, several: NDArray[np.bool_]) -> list[str]:
    """Name each task: by its dataset, and its metric where the dataset has several."""
    datasets = [str(name) for name in rows.dataset.names]
    metrics = [str(name) for name in metric.names]
    made: dict[tuple[int, int], str] = {}
    pairs = zip(rows.dataset.codes.tolist(), metric.codes.tolist(), strict=True)
    tasks = [(d, m if several[d] else -1) for d, m in pairs]
    for d, m in dict.fromkeys(tasks):
        made[d, m] = datasets[d] if m < 0 else f"{datasets[d]} | {metrics[m]}"
    labels = list(made.values())
    if len(set(labels)) < len(labels):
        twice = [label for label in dict.fromkeys(labels) if labels.count(label) > 1]
        raise BeamError(
            f"datasets need names of their own, found {list_labels(twice)} for two: rename "
            "one of the datasets"
        )
    return [made[task] for task in tasks]


def _families(
    names: list[Hashable], by: Mapping[Hashable, Hashable] | str
) -> list[Hashable]:
    """Find the family of each dataset."""
    if isinstance(by, Mapping):
        absent = [name for name in by if name not in names]
        if absent:
            raise BeamError(
                f"by names {list_labels(absent)}, not found among the datasets "
                f"{list_labels(names)}"
            )
        families: list[Hashable] = [by.get(name, name) for name in names]
        if any(isinstance(family, str) for family in families):
            families = [str(family) for family in families]
        return families
    if not isinstance(by, str):
        raise BeamError(
            "by must be a mapping from dataset to family or a regular expression, got "
            f"{by!r}"
        )
    try:
        pattern = re.compile(by)
    except re.error as error:
        raise BeamError(f"by must be a regular expression, got {by!r}: {error}") from error
    if not pattern.groups:
        raise BeamError(
            rf"by must have a group that is the family, such as r'(.+)_rep\d+', got {by!r}"
        )
    found = [pattern.fullmatch(str(name)) for name in names]
    if not any(found):
        raise BeamError(f"by matches none of the datasets {list_labels(names)}, got {by!r}")
    pairs = zip(found, names, strict=True)
    return [str(name) if match is None else match[1] or str(name) for match, name in pairs]


def _arrange(rows: Rows, given: Mapping[str, Any], run: Any = None) -> pd.DataFrame:
    """Put the columns of a long frame beside each other."""
    if run is None and rows.run is not None:
        run = rows.run.names.take(rows.run.codes).array
    columns: dict[Hashable, Any] = {
        "method": rows.method.names.take(rows.method.codes).array,
        "dataset": given["dataset"],
        **{name: rows.keep[name].array for name in rows.keep},
        "metric": given["metric"],
        "run": run,
        "score": given["score"],
    }
    lacking = [name for name in ("metric", "run") if columns[name] is None]
    for name in lacking:
        del columns[name]
    return pd.DataFrame(columns)
