"""Scores of datasets of different scale on one scale, from 0, the worse end, to 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, is_number, list_labels, of_metric, plain
from beam_pandas.kernels.run_aggregates import ends_of_datasets, rescale
from beam_pandas.statistics.run_tables import RunTable

Floats = NDArray[np.float64]
#: How scores are put on one scale: not at all, by their ends, or by reference scores.
Normalize = str | Mapping[Any, tuple[float, float]] | pd.DataFrame | None
_COLUMNS = ("dataset", "low", "high")


def normalised(table: RunTable, references: References) -> Floats:
    """
    Put the scores of each dataset on a scale from 0 to 1, more is better.

    Parameters
    ----------
    table : RunTable
        Runs of one metric, at least one of each method on each dataset.
    references : References
        From `read_references`.

    Returns
    -------
    ndarray of float64, shape (n_methods, n_datasets, n_runs)
        Scores beyond the reference scores are below 0 or above 1.
    """
    scores = table.sign * table.benefit.transpose(1, 0, 2)
    if references is None:
        low, high = ends_of_datasets(scores)
        flat = ~(low < high)
        if flat.any():
            labels = [plain(label) for label in table.matrix.datasets[flat].tolist()]
            shown = list_labels(labels)
            raise of_metric(
                BeamError(
                    "normalize='min_max' needs different scores on each dataset"
                    f"{table.matrix.place}, all are equal on {shown}: pass reference "
                    "scores, or leave these datasets out"
                )
            )
    else:
        low, high = _ends_of(table, references)
    return rescale(scores, low, high, table.sign)


#: Reference scores by dataset, and by metric if there are several; None takes the ends.
References = dict[tuple[Any, Any], tuple[float, float]] | None


def read_references(normalize: object, metrics: list[Any]) -> References:
    """
    Read how scores are to be normalised.

    Parameters
    ----------
    normalize : "min_max", mapping or DataFrame
        As the caller gave it.
    metrics : list
        Labels of all metrics of the scores, a None for one without a name.

    Returns
    -------
    dict or None
        From metric and dataset to the two reference scores; None for the ends of the
        scores.

    Raises
    ------
    BeamError
        If it is no such thing.
    """
    if isinstance(normalize, str) and normalize == "min_max":
        return None
    if isinstance(normalize, pd.DataFrame):
        rows = _rows_of(normalize, metrics)
    elif isinstance(normalize, Mapping):
        _check_one_metric(metrics)
        rows = [(metrics[0], name, value) for name, value in normalize.items()]
    else:
        raise BeamError(
            "normalize must be None, 'min_max', a mapping from dataset to (low, high), or "
            f"a frame with the columns dataset, low and high, got {normalize!r:.80}"
        )
    found: dict[tuple[Any, Any], tuple[float, float]] = {}
    for metric, dataset, value in rows:
        key = plain(metric), plain(dataset)
        if key in found:
            raise BeamError(f"normalize has two rows for dataset {plain(dataset)!r}")
        found[key] = _checked(value, plain(dataset))
    return found


def _rows_of(given: pd.DataFrame, metrics: list[Any]) -> list[tuple[Any, Any, Any]]:
    """Take the rows of a frame of reference scores."""
    if "dataset" not in given.columns and given.index.nlevels == 1:
        given = given.rename_axis(index="dataset").reset_index()
    lacking = [name for name in _COLUMNS if name not in given.columns]
    if lacking:
        raise BeamError(
            "normalize needs the columns 'dataset' (or an index of datasets), 'low' and "
            f"'high', lacks {list_labels(lacking)}, has {list_labels(given.columns)}"
        )
    if "metric" in given.columns and metrics != [None]:
        names = given["metric"].tolist()
    else:
        _check_one_metric(metrics)
        names = metrics * len(given)
    ends = zip(given["low"].tolist(), given["high"].tolist(), strict=True)
    return list(zip(names, given["dataset"].tolist(), ends, strict=True))


def _check_one_metric(metrics: list[Any]) -> None:
    """Refuse reference scores that would have to serve several metrics."""
    if len(metrics) > 1:
        raise BeamError(
            f"normalize needs reference scores for each metric, {list_labels(metrics)}: "
            "pass a frame with the columns metric, dataset, low and high, or one metric"
        )


def _checked(value: Any, dataset: Any) -> tuple[float, float]:
    """Check two reference scores of a dataset."""
    try:
        low, high = value
    except (TypeError, ValueError):
        low = high = None
    ends = [float(end) for end in (low, high) if is_number(end) and np.isfinite(end)]
    if len(ends) < 2 or not ends[0] < ends[1]:
        raise BeamError(
            "normalize needs two finite numbers, low below high, in the unit of the score, "
            f"whichever is the better, got {value!r:.80} for dataset {dataset!r}"
        )
    return ends[0], ends[1]


def _ends_of(
    table: RunTable, references: dict[tuple[Any, Any], tuple[float, float]]
) -> tuple[Floats, Floats]:
    """Look the reference scores of the datasets of a metric up."""
    metric = None if table.metric is None else plain(table.metric.tolist()[0])
    datasets = [plain(label) for label in table.matrix.datasets.tolist()]
    lacking = [name for name in datasets if (metric, name) not in references]
    if lacking:
        raise of_metric(
            BeamError(
                f"normalize needs reference scores of each dataset{table.matrix.place}, "
                f"has none of {list_labels(lacking)}"
            )
        )
    ends = np.array([references[metric, name] for name in datasets])
    return ends[:, 0], ends[:, 1]
