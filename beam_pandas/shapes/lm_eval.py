"""Result files of the lm-evaluation-harness."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pandas as pd

from beam_pandas.errors import BeamError, count, is_number, list_labels, warn
from beam_pandas.shapes.printed_grid import shorten

#: Settings of a run that do not change what is measured.
_INCIDENTAL: Final = frozenset(
    {"batch_size", "device", "max_batch_size", "parallelize", "device_map", "num_threads"}
)
#: Settings that may be made for each task, and then tell no methods apart.
_BY_TASK: Final = frozenset({"num_fewshot", "limit"})
_NO_METRICS: Final = frozenset(
    {
        "alias",
        "name",
        "n-shot",
        "n_shot",
        "samples",
        "sample_len",
        "sample_count",
        "version",
    }
)


class Result(NamedTuple):
    """
    One file.

    Attributes
    ----------
    path : Path
        Where it is.
    model : str
        Name of the model.
    settings : dict
        Arguments of the model and number of examples shown.
    date : float
        When it was made, 0 if the file does not say.
    tasks : dict
        For each task its entries.
    groups : set of str
        Tasks that only sum up others.
    """

    path: Path
    model: str
    settings: dict[str, str]
    date: float
    tasks: dict[str, Mapping[str, Any]]
    groups: set[str]


class Score(NamedTuple):
    """One score of one file."""

    dataset: str
    metric: str
    filtered_by: str
    score: float
    spread: float


def read_lm_eval(
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
) -> pd.DataFrame:
    """
    Read results of the lm-evaluation-harness into a long frame.

    Parameters
    ----------
    source : file, folder, or list of files
        JSON files as the program writes them, old versions and new. Of a folder all files
        that end in ``.json`` are looked at, those of folders within it too.

    Returns
    -------
    DataFrame
        One row per model, task and metric:

        - **method** : name of the model; where files of one model differ in a setting,
          such as the revision or the number of examples shown, followed by it in brackets.
        - **dataset** : name of the task. Groups, which sum up tasks that are there
          themselves, are left out.
        - **metric** : name without the filter, ``acc`` for ``acc,none``; with it where a
          task has one metric under several filters.
        - **run** : only if files repeat a model, task and metric: from 0, oldest first.
        - **score** : float64, in the unit of the file.
        - **spread** : float64, the standard error; NaN where the file has none.

    Raises
    ------
    BeamError
        If there is no such file, or a file that was named is none. The message names it.
    OSError
        If a file cannot be read.

    Warns
    -----
    BeamWarning
        Once, naming groups and files that were left out.

    See Also
    --------
    read_results : files of tables, one each for a method.

    Examples
    --------
    >>> import beam_pandas
    >>> beam_pandas.read_lm_eval("results")  # doctest: +SKIP
    """
    results, skipped = _read_files(source)
    methods = _name_methods(results)
    rows = [
        (method, score, at)
        for at, (result, method) in enumerate(zip(results, methods, strict=True))
        for score in _scores(result)
    ]
    if not rows:
        raise BeamError(f"at least one score is needed, found none in {shorten(source)}")
    _warn_of_rest(results, skipped)
    return _to_frame(rows)


def _read_files(source: object) -> tuple[list[Result], list[str]]:
    """Read every file; of a folder those that are no results are left out."""
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        paths = sorted(path.rglob("*.json")) if path.is_dir() else [path]
        lenient = path.is_dir()
    elif isinstance(source, (list, tuple)) and all(
        isinstance(path, (str, os.PathLike)) for path in source
    ):
        paths, lenient = [Path(path) for path in source], False
    else:
        raise BeamError(
            f"source must be a file, a folder or a list of files, got {shorten(source)}"
        )
    results, skipped = [], []
    for path in paths:
        result = _read_result(path, lenient=lenient)
        if result is None:
            skipped.append(path.name)
        else:
            results.append(result)
    if not results:
        raise BeamError(
            "at least one result file of the lm-evaluation-harness is needed, found none "
            f"in {shorten(source)}"
        )
    return sorted(results, key=lambda result: result.date), skipped


def _read_result(path: Path, *, lenient: bool) -> Result | None:
    try:
        content = json.loads(path.read_bytes())
    except ValueError as error:
        raise BeamError(f"{path}: cannot be read as JSON, {error}") from error
    tasks = content.get("results") if isinstance(content, dict) else None
    if not isinstance(tasks, dict) or not all(isinstance(v, dict) for v in tasks.values()):
        if lenient:
            return None
        raise BeamError(
            f"{path}: a result file of the lm-evaluation-harness is needed, found no "
            "'results' with an entry for each task"
        )
    config = content.get("config")
    config = config if isinstance(config, dict) else {}
    settings = _settings(config)
    date = content.get("date")
    return Result(
        path,
        _model_name(content, config, settings, path),
        settings,
        float(date) if is_number(date) else 0.0,
        tasks,
        _groups(content, tasks),
    )


def _settings(config: Mapping[str, Any]) -> dict[str, str]:
    """Take the arguments of the model apart, which are a text or a mapping."""
    given = config.get("model_args")
    if isinstance(given, str):
        pairs = [pair.partition("=") for pair in given.split(",") if pair]
        settings = {key.strip(): value.strip() for key, _, value in pairs}
    else:
        given = given if isinstance(given, dict) else {}
        settings = {str(key): str(value) for key, value in given.items()}
    for key in ("num_fewshot", "limit"):
        if config.get(key) is not None:
            settings[key] = str(config[key])
    return {key: value for key, value in settings.items() if key not in _INCIDENTAL}


def _model_name(
    content: Mapping[str, Any],
    config: Mapping[str, Any],
    settings: Mapping[str, str],
    path: Path,
) -> str:
    names = [
        content.get("model_name"),
        *(settings.get(key) for key in ("pretrained", "model", "engine", "path")),
        config.get("model"),
    ]
    return next((name for name in names if isinstance(name, str) and name), path.stem)


def _groups(content: Mapping[str, Any], tasks: Mapping[str, Any]) -> set[str]:
    """List the entries that sum up others which are there."""
    members = content.get("group_subtasks")
    members = members if isinstance(members, dict) else {}
    groups = {name for name, below in members.items() if below and set(below) != {name}}
    listed = content.get("groups")
    return (groups | set(listed if isinstance(listed, dict) else ())) & set(tasks)


def _name_methods(results: Sequence[Result]) -> list[str]:
    """Name each file's model, with the settings in which files of one model differ."""
    by_model: dict[str, list[Result]] = {}
    for result in results:
        by_model.setdefault(result.model, []).append(result)
    differing = {model: _differing(files) for model, files in by_model.items()}
    names = []
    for result in results:
        said = [
            f"{key}={result.settings[key]}"
            for key in differing[result.model]
            if key in result.settings
        ]
        names.append(f"{result.model} ({', '.join(said)})" if said else result.model)
    return names


def _differing(files: Sequence[Result]) -> list[str]:
    """List the settings that make several methods of one model."""
    differing = []
    for key in sorted({key for result in files for key in result.settings}):
        tasks: dict[str | None, set[str]] = {}
        for result in files:
            tasks.setdefault(result.settings.get(key), set()).update(result.tasks)
        shared = sum(map(len, tasks.values())) > len(set().union(*tasks.values()))
        if len(tasks) > 1 and (shared or key not in _BY_TASK):
            differing.append(key)
    return differing


def _scores(result: Result) -> Iterator[Score]:
    """Yield the scores of a file, without those of groups."""
    for task, entry in result.tasks.items():
        if task in result.groups:
            continue
        new = any("," in key for key in entry)  # metric and filter, since version 0.4
        for key, value in entry.items():
            metric, _, filtered_by = key.partition(",")
            is_score = is_number(value) and key not in _NO_METRICS and ("," in key) == new
            if not is_score or metric.endswith("_stderr"):
                continue
            error = entry.get(
                f"{metric}_stderr,{filtered_by}" if new else f"{metric}_stderr"
            )
            spread = float(error) if is_number(error) else float("nan")
            yield Score(task, metric, filtered_by, float(value), spread)


def _to_frame(rows: Sequence[tuple[str, Score, int]]) -> pd.DataFrame:
    filters: dict[tuple[str, str], set[str]] = {}
    for _, score, _ in rows:
        filters.setdefault((score.dataset, score.metric), set()).add(score.filtered_by)
    metrics = [
        f"{score.metric},{score.filtered_by}"
        if len(filters[score.dataset, score.metric]) > 1
        else score.metric
        for _, score, _ in rows
    ]
    long: dict[str, Any] = {
        "method": [method for method, _, _ in rows],
        "dataset": [score.dataset for _, score, _ in rows],
        "metric": metrics,
    }
    keys = list(zip(*long.values(), strict=True))
    seen: Counter[tuple[str, ...]] = Counter()
    runs = []
    for key in keys:
        runs.append(seen[key])
        seen[key] += 1
    if any(runs):
        long["run"] = runs
    long["score"] = [score.score for _, score, _ in rows]
    long["spread"] = [score.spread for _, score, _ in rows]
    return pd.DataFrame(long)


def _warn_of_rest(results: Sequence[Result], skipped: Sequence[str]) -> None:
    """Say once which groups and files were left out."""
    groups = sorted({group for result in results for group in result.groups})
    said = []
    if groups:
        said.append(
            f"{count(len(groups), 'group')} of tasks left out, whose scores sum up others: "
            f"{list_labels(groups)}"
        )
    if skipped:
        said.append(
            f"{count(len(skipped), 'file')} without results left out: "
            f"{list_labels(skipped)}"
        )
    if said:
        warn("; ".join(said))
