"""Results of scikit-learn's cross-validation and searches made long."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, ScoreTypeError, check_truth, list_labels
from beam_pandas.shapes.printed_grid import shorten

_TIMES: Final = ("fit_time", "score_time")
_NO_SCORES: Final = frozenset({"estimator", "indices"})
_SPLIT: Final = re.compile(r"split([0-9]+)_(test|train)_(.+)")


class Scores(NamedTuple):
    """The scores of one method on one dataset in one metric, a run each."""

    method: Hashable
    dataset: Hashable
    metric: str
    by_run: NDArray[np.float64]


def from_cross_validation(
    results: Mapping[Hashable, Any],
    *,
    dataset: Hashable = None,
    metric: str | None = None,
    train: bool = False,
) -> pd.DataFrame:
    """
    Make results of scikit-learn's ``cross_validate`` and ``cross_val_score`` long.

    Parameters
    ----------
    results : mapping
        From method to what ``cross_validate`` (a dict of arrays) or ``cross_val_score``
        (an array) returned; without `dataset`, from dataset to such a mapping.
    dataset : label, optional
        The dataset, if there is one.
    metric : str, optional
        Name of what was scored where scikit-learn calls it only ``test_score``; without
        it the metric is ``score``, whose direction nobody knows.
    train : bool
        Whether to take scores on the training data too.

    Returns
    -------
    DataFrame
        One row per method, dataset, metric and run:

        - **method**, **dataset** : keys of the mappings.
        - **metric** : name of the scorer; ``train_`` leads it on training data. Negated
          losses are turned back: of ``neg_log_loss`` comes ``log_loss``, positive, where
          less is better. Times are metrics as well, ``fit_time`` and ``score_time``.
        - **run** : int64, the split, from 0.
        - **score** : float64; NaN where a fit failed.

    Raises
    ------
    ScoreTypeError
        If scores are not numbers, one for each split.
    BeamError
        If the mapping is of another form.

    See Also
    --------
    from_search : results of a grid or random search.

    Examples
    --------
    >>> import beam_pandas
    >>> scores = {"svm": [0.9, 0.8], "tree": [0.7, 0.8]}  # of cross_val_score
    >>> beam_pandas.from_cross_validation(scores, dataset="iris", metric="accuracy")
      method dataset    metric  run  score
    0    svm    iris  accuracy    0    0.9
    1    svm    iris  accuracy    1    0.8
    2   tree    iris  accuracy    0    0.7
    3   tree    iris  accuracy    1    0.8
    """
    check_truth("train", train)
    _check_mapping("results", results)
    if not (metric is None or isinstance(metric, str)):
        raise BeamError(f"metric must be the name of one metric, got {shorten(metric)}")
    nested = {dataset: results} if dataset is not None else results
    found: list[Scores] = []
    for one, methods in nested.items():
        if not isinstance(methods, Mapping) or (
            dataset is None and any(str(key).startswith("test_") for key in methods)
        ):
            raise BeamError(
                "without dataset a mapping from dataset to method to scores is needed, "
                f"found scores for {shorten(one)}: if keys are methods, pass dataset='...'"
            )
        for method, scores in methods.items():
            found += _read_validation(method, one, scores, metric or "score", train=train)
    return _to_frame(found)


def from_search(
    results: Any,
    *,
    dataset: Hashable,
    method: Hashable = None,
    metric: str | None = None,
    train: bool = False,
) -> pd.DataFrame:
    """
    Make results of scikit-learn's searches long, a method for each setting.

    Parameters
    ----------
    results : mapping, DataFrame or search
        ``search.cv_results_``, as it is or as a frame, or the fitted search.
    dataset : label
        The dataset that was searched on.
    method : label, optional
        Name of what was tuned; without it settings alone are the names.
    metric : str, optional
        Name of what was scored where scikit-learn calls it only ``score``.
    train : bool
        Whether to take scores on the training data too.

    Returns
    -------
    DataFrame
        One row per setting, metric and run, as of `from_cross_validation`; methods are
        named by their parameters, ``svm(C=1, kernel=rbf)`` or ``C=1, kernel=rbf``. Times
        are left out: searches keep their means only.

    Raises
    ------
    ScoreTypeError
        If scores are not numbers.
    BeamError
        If these are no results of a search, or two settings have the same name.

    See Also
    --------
    from_cross_validation : results of one method after the other.

    Examples
    --------
    >>> import beam_pandas
    >>> found = {"params": [{"C": 1}, {"C": 10}], "split0_test_score": [0.8, 0.9],
    ...          "split1_test_score": [0.7, 0.9]}
    >>> beam_pandas.from_search(found, dataset="iris", method="svm", metric="accuracy")
          method dataset    metric  run  score
    0   svm(C=1)    iris  accuracy    0    0.8
    1   svm(C=1)    iris  accuracy    1    0.7
    2  svm(C=10)    iris  accuracy    0    0.9
    3  svm(C=10)    iris  accuracy    1    0.9
    """
    check_truth("train", train)
    results = getattr(results, "cv_results_", results)
    if isinstance(results, pd.DataFrame):
        results = {name: results[name].tolist() for name in results.columns}
    _check_mapping("results", results)
    splits = _find_splits(results, metric or "score", train=train)
    names = _name_settings(results, method)
    found = []
    for name, columns in splits.items():
        table = np.column_stack([_as_scores(name, column) for column in columns])
        if len(table) != len(names):
            raise BeamError(
                f"a score for each of {len(names)} settings is needed, found {len(table)} "
                f"of {name!r}"
            )
        found += [
            Scores(one, dataset, name, row) for one, row in zip(names, table, strict=True)
        ]
    order: dict[Hashable, int] = {one: at for at, one in enumerate(names)}
    return _to_frame(sorted(found, key=lambda scores: order[scores.method]))


def _check_mapping(name: str, value: object) -> None:
    if not isinstance(value, Mapping) or not value:
        raise BeamError(f"{name} must be a mapping with scores, got {shorten(value)}")


def _read_validation(
    method: Hashable, dataset: Hashable, scores: object, metric: str, *, train: bool
) -> Iterator[Scores]:
    """Yield the scores of one method, metric by metric."""
    place = f"{shorten(method)} on {shorten(dataset)}"
    if not isinstance(scores, Mapping):
        yield Scores(method, dataset, metric, _as_scores(place, scores))
        return
    odd = [
        key
        for key in scores
        if not str(key).startswith(("test_", "train_"))
        and key not in _NO_SCORES.union(_TIMES)
    ]
    if odd or not any(str(key).startswith("test_") for key in scores):
        raise BeamError(
            f"{place}: what cross_validate returned is needed, with keys such as "
            f"'test_score' and 'fit_time', found {list_labels(scores) or 'none'}; if keys "
            "are methods, pass a mapping from dataset to method to scores, without dataset"
        )
    length: int | None = None
    for key, values in scores.items():
        name = _metric_name(str(key), metric, train=train)
        if name is None:
            continue
        read = _as_scores(f"{place}, {key!r}", values)
        if length not in (None, len(read)):
            raise BeamError(
                f"{place}: as many scores in each metric are needed, found {length} and "
                f"{len(read)}"
            )
        length = len(read)
        yield Scores(method, dataset, name, read)


def _metric_name(key: str, metric: str, *, train: bool) -> str | None:
    """Name the metric of one entry; None if it is not to be taken."""
    if key in _TIMES:
        return key
    part, _, name = key.partition("_")
    if part not in ("test", "train") or (part == "train" and not train):
        return None
    name = metric if name == "score" else name
    return name if part == "test" else f"train_{name}"


def _find_splits(
    results: Mapping[Hashable, Any], metric: str, *, train: bool
) -> dict[str, list[Any]]:
    """Collect the columns of each metric, split by split."""
    found: dict[str, dict[int, Any]] = {}
    for key, values in results.items():
        match = _SPLIT.fullmatch(str(key))
        if match and (name := _metric_name(f"{match[2]}_{match[3]}", metric, train=train)):
            found.setdefault(name, {})[int(match[1])] = values
    if "params" not in results or not found:
        raise BeamError(
            "search.cv_results_ is needed, with 'params' and keys such as "
            f"'split0_test_score', found {list_labels(results, limit=12)}"
        )
    return {name: [by[at] for at in sorted(by)] for name, by in found.items()}


def _name_settings(results: Mapping[Hashable, Any], method: Hashable) -> list[str]:
    """Name each setting by its parameters, and by its budget where halving repeats it."""
    names = []
    for params in results["params"]:
        if not isinstance(params, Mapping):
            raise BeamError(f"each setting must be a mapping, found {shorten(params)}")
        names.append(", ".join(f"{key}={_plain(value)}" for key, value in params.items()))
    if len(set(names)) < len(names) and "n_resources" in results:
        budgets = [f"n_resources={_plain(number)}" for number in results["n_resources"]]
        names = [
            f"{name}, {budget}" if name else budget
            for name, budget in zip(names, budgets, strict=True)
        ]
    repeated = [name for at, name in enumerate(names) if name in names[:at]]
    if repeated:
        raise BeamError(
            f"settings need names of their own, found {shorten(repeated[0])} more than once"
        )
    return names if method is None else [f"{method}({name})" for name in names]


def _plain(value: object) -> str:
    """Write the value of a parameter in one line."""
    item = value.item() if isinstance(value, np.generic) else value
    text = getattr(item, "__name__", None) if callable(item) else str(item)
    return " ".join((text or str(item)).split())


def _as_scores(place: str, values: object) -> NDArray[np.float64]:
    """Take scores, one for each split."""
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "iuf":
            array = np.ma.filled(np.ma.asarray(values, dtype=np.float64), np.nan)
        scores = array.astype(np.float64)
    except (TypeError, ValueError):
        scores = np.empty((0, 0))
    if scores.ndim != 1 or not scores.size:
        raise ScoreTypeError(
            f"{place}: a score for each split is needed, got {shorten(values)}"
        )
    return scores


def _to_frame(found: Sequence[Scores]) -> pd.DataFrame:
    """Put all scores under each other, with negated losses turned back."""
    turned = _negated(found)
    lengths = [len(scores.by_run) for scores in found]
    values = [
        0.0 - scores.by_run if scores.metric in turned else scores.by_run
        for scores in found
    ]
    metrics = [turned.get(scores.metric, scores.metric) for scores in found]

    def spread_out(labels: Sequence[Hashable]) -> Any:
        index = pd.Index(list(labels), tupleize_cols=False)
        return index.repeat(lengths).array

    return pd.DataFrame(
        {
            "method": spread_out([scores.method for scores in found]),
            "dataset": spread_out([scores.dataset for scores in found]),
            "metric": spread_out(metrics),
            "run": np.concatenate([np.arange(length) for length in lengths]),
            "score": np.concatenate(values),
        }
    )


def _negated(found: Sequence[Scores]) -> dict[str, str]:
    """Map each loss that scikit-learn negated, so that none is above 0, to its name."""
    names = {}
    for metric in {scores.metric for scores in found}:
        lead = "train_" if metric.startswith("train_") else ""
        bare = metric.removeprefix(lead)
        values = [scores.by_run for scores in found if scores.metric == metric]
        if bare.startswith("neg_") and not any((part > 0.0).any() for part in values):
            names[metric] = lead + bare.removeprefix("neg_")
    return names
