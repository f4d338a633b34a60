"""What a frame of scores holds, and what can be asked of it."""

from __future__ import annotations

from html import escape
from importlib import import_module

import numpy as np
import pandas as pd

from beam_pandas._lazy import read_stub
from beam_pandas.errors import count, list_labels
from beam_pandas.gate.columns import read_columns

_LONGEST = 600
_FIRST = "leaderboard"  # the one table


def describe_scores(frame: pd.DataFrame) -> str:
    """
    Describe a frame in a line or two, whatever it is, without ever raising.

    Parameters
    ----------
    frame : DataFrame
        Scores, or not.

    Returns
    -------
    str
        Numbers of methods, datasets and scores and the names of the metrics; or, of a
        frame that is no table of scores, what it lacks.
    """
    try:
        return _describe(frame)
    except Exception as error:  # a repr must not raise, whatever the frame
        text = " ".join(str(error).split())
        short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
        return f"no table of scores yet: {short}"


def describe_as_html(what: str, frame: pd.DataFrame) -> str:
    """
    Describe a frame in a notebook, with the functions by the question they answer.

    Parameters
    ----------
    what : str
        What the accessor is called, such as ``"df.beam"``.
    frame : DataFrame
        Scores, or not.

    Returns
    -------
    str
        A line and a table, in HTML. The questions are the first lines of the modules.
    """
    asked: dict[str, list[str]] = {}
    public = read_stub()
    for name in (_FIRST, *(name for name in public if name != _FIRST)):
        module = public[name]
        if module.startswith("beam_pandas.statistics."):
            lines = (import_module(module).__doc__ or "").strip().splitlines()
            asked.setdefault(lines[0], []).append(name)
    rows = "".join(
        f"<tr><td>{escape(question)}</td><td><code>"
        + "</code>, <code>".join(f".{name}" for name in names)
        + "</code></td></tr>"
        for question, names in asked.items()
    )
    line = escape(describe_scores(frame))
    return f"<p><code>{escape(what)}</code>: {line}</p><table>{rows}</table>"


def _describe(frame: pd.DataFrame) -> str:
    columns = read_columns(frame)
    sizes = [
        count(len(labels.names), noun)
        for labels, noun in ((columns.method, "method"), (columns.dataset, "dataset"))
    ]
    if columns.metric is not None:
        metrics = columns.metric.names
        noun = "metric" if len(metrics) == 1 else "metrics"
        sizes.append(f"{noun} {list_labels(metrics, limit=3)}")
    n_missing = int(np.isnan(columns.score).sum())
    sizes.append(count(len(columns.score) - n_missing, "score"))
    if n_missing:
        sizes.append(f"{n_missing:,} missing")
    return f"{', '.join(sizes)}; begin with .{_FIRST}()"
