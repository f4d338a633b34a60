"""An analysis of each metric on its own, whether it succeeds or fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, get_args

import pandas as pd

from beam_pandas.errors import BeamError, check_option, is_of_metric, settle_failures
from beam_pandas.results.build import build_result
from beam_pandas.types import Errors

_Item = TypeVar("_Item")  # knows of which metric it is
_Made = TypeVar("_Made")


def attempt(make: Callable[..., _Made], *args: Any, **kwargs: Any) -> _Made | BeamError:
    """Make something of a metric; what the data of that metric refuse is a value too."""
    try:
        return make(*args, **kwargs)
    except BeamError as error:
        if not is_of_metric(error):
            raise
        return error


def analyse(
    function: Callable[..., pd.DataFrame],
    items: Iterable[_Item | BeamError],
    compute: Callable[[_Item], Mapping[str, Any]],
    errors: Errors,
) -> pd.DataFrame:
    """
    Compute the result of each metric and stack them.

    Parameters
    ----------
    function : callable
        The public function, which declares the columns.
    items : iterable
        For each metric what it is computed from, or the error that refuses it.
    compute : callable
        Gives the columns of a metric.
    errors : {"raise", "warn"}
        Whether metrics that fail are an error, or are left out with a warning.

    Raises
    ------
    BeamError
        That of the only metric that fails, or one that names all that do; with
        ``"warn"`` if none is left.
    """
    check_option("errors", errors, get_args(Errors))
    parts, failed = [], list[BeamError]()
    for item in items:
        if isinstance(item, BeamError):
            failed.append(item)
            continue
        refusal = getattr(item, "refusal", None)
        columns = refusal if refusal is not None else attempt(compute, item)
        if isinstance(columns, BeamError):
            failed.append(columns)
        else:
            matrix: Any = getattr(item, "matrix", item)
            parts.append((matrix.named, columns))
    if failed:
        settle_failures(failed, len(parts) + len(failed), "metrics", errors)
    return build_result(function, parts)
