"""Files of scores read into one long frame."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from beam_pandas.errors import BeamError, within
from beam_pandas.examples import load_benchmark
from beam_pandas.terminal.asked import Asked, read_asked
from beam_pandas.terminal.input_bytes import Source, read_source
from beam_pandas.terminal.input_shape import make_long
from beam_pandas.terminal.input_tables import EvalFile, read_raw


def read_scores_of(options: argparse.Namespace) -> pd.DataFrame:
    """
    Read the files that the command names; the bundled scores if it names none.

    Raises
    ------
    BeamError
        If a file is no table of scores. The message names it.
    OSError
        If a file cannot be read.
    """
    asked = read_asked(options)
    names: list[str] = options.files
    if not names:
        return load_benchmark()
    if names.count("-") > 1:
        raise BeamError("the standard input can be read once, got - twice")
    if options.file_is is not None:
        return _read_named(names, options.file_is, asked)
    sources = []
    for name in names:
        with within(name if name != "-" else "standard input"):
            sources.append(read_source(name, options.format))
    raw = [read_raw(source, options.sep, options.sheet) for source in sources]
    evals = [item.source for item in raw if isinstance(item, EvalFile)]
    tables = [make_long(item, asked) for item in raw if not isinstance(item, EvalFile)]
    if evals:
        tables.append(_read_evals(evals))
    return _counted(_join(tables, [source.name for source in sources]))


def _counted(scores: pd.DataFrame) -> pd.DataFrame:
    """Keep labels of text as categories: ten functions read them in a report."""
    roles = ("method", "dataset", "metric", "run")
    texts = [name for name in roles if name in scores and scores[name].dtype == object]
    return scores.assign(**{name: _as_categories(scores[name]) for name in texts})


def _as_categories(labels: pd.Series) -> pd.Categorical:
    """Count labels of text; they stay objects, since Arrow is slow to begin with."""
    codes, names = pd.factorize(labels.to_numpy())
    order = np.argsort(names)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    dtype = pd.CategoricalDtype(pd.Index(names[order], dtype=object))
    return pd.Categorical.from_codes(place[codes], dtype=dtype)


def _read_named(names: Sequence[str], file_is: str, asked: Asked) -> pd.DataFrame:
    """Read files that are a method, dataset, metric or run each."""
    from beam_pandas.shapes.readers import read_results  # slow to load

    columns = {
        "method": asked.method,
        "dataset": asked.dataset,
        "metric": (asked.metric_column,) if asked.metric_column else (),
        "run": (asked.run,) if asked.run else (),
    }
    return read_results(
        list(names),
        name=file_is,  # type: ignore[arg-type]
        scores=list(asked.score) or None,
        orient=asked.rows,
        **{role: found[0] for role, found in columns.items() if found},
    )


def _read_evals(sources: Sequence[Source]) -> pd.DataFrame:
    """Read results of the lm-evaluation-harness, all at once."""
    from beam_pandas.shapes.lm_eval import read_lm_eval  # slow to load

    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for at, source in enumerate(sources):
            place = Path(folder) / str(at)
            place.mkdir()
            paths.append(place / f"{source.stem}.json")
            paths[-1].write_bytes(source.content)
        try:
            frame = read_lm_eval(paths)
        except BeamError as error:
            text = str(error)
            for path, source in zip(paths, sources, strict=True):
                text = text.replace(str(path), source.name)
            raise BeamError(text) from error
    return frame.drop(columns=["spread"])


def _join(tables: Sequence[pd.DataFrame], names: Sequence[str]) -> pd.DataFrame:
    """Put tables under each other, whose labels must be of one kind."""
    if len(tables) == 1:
        return tables[0]
    told = [
        name
        for table, name in zip(tables, names, strict=False)
        if "metric" in table.columns
    ]
    if told and len(told) < len(tables):
        raise BeamError(
            f"each file needs a metric, or none, found {len(told)} of {len(tables)} with "
            "one"
        )
    roles = ("method", "dataset", "metric", "run")
    for role in roles:
        kinds = {str(table[role].dtype) for table in tables if role in table.columns}
        if len(kinds) > 1:
            tables = [
                table.assign(**{role: table[role].astype(str)}) if role in table else table
                for table in tables
            ]
    return pd.concat(tables, ignore_index=True)
