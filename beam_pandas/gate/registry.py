"""What is known of each metric: direction, bounds, noise floor."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Hashable, Iterator
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, is_number

_LEAD = re.compile(
    r"(?:eval(?:uation)?_metrics?_|mean_(?:test|train)_|split\d+_(?:test|train)_|"
    r"validation_|valid_|train_|test_|eval_|val_)"
)
_CUT_OFF = re.compile(r"_at_(\d+(\.\d+)?|k)$")
_FILTER = re.compile(r",[^\s,()\[\]]+$")  # of lm-evaluation-harness: acc,none
_BRACKETS = re.compile(r"\s*(?:\(([^()\[\]]*)\)|\[([^()\[\]]*)\])$")
_UNITS = frozenset(
    """
    % percent pct pp s sec secs second seconds ms msec millisecond milliseconds us µs μs ns
    min mins minute minutes h hr hrs hour hours d day days b byte bytes kb mb gb tb kib mib
    gib kbytes mbytes gbytes w kw j kj mj wh kwh mwh mg g kg t db bit bits nat nats usd $
    eur € k m mm cm km px m/s km/h hz khz mhz token tokens word words sample samples
    image images item items query queries request requests it frame frames step steps char
    chars char. point points pt pts
    """.split()  # noqa: SIM905
)
_SPREAD = re.compile(
    r"(?:^|.*_)(?:std|stdev|std_?dev|std_?err|stderr|sd|se|sem|ci|ci95|ci_?(?:low|lower|high|"
    r"upper)|standard_(?:deviation|error))|std_.*"
)


class Metric(NamedTuple):
    """One entry of the registry; None where a fact is not known."""

    name: str
    higher_is_better: bool
    lower: float | None = None
    upper: float | None = None
    noise_floor: float | None = None
    aliases: tuple[str, ...] = ()
    field: str = ""
    source: str = ""


_custom: dict[str, Metric] = {}


def metrics() -> pd.DataFrame:
    """
    Registry of metrics: the built-in entries and those of `register_metric`.

    Returns
    -------
    DataFrame
        One row per metric, in the order of their names:

        - **metric** : name of the entry.
        - **higher_is_better** : whether more of it is better.
        - **lower**, **upper** : bounds, in the unit of the score; NaN if unbounded.
        - **noise_floor** : difference below which scores are not worth telling apart,
          in the unit of the score; NaN if none is agreed upon.
        - **aliases** : other names that find the entry, joined by semicolons.
        - **field** : where the metric is at home, ``"custom"`` if registered by hand.
        - **source** : where direction and bounds are documented.

    See Also
    --------
    register_metric : add or change an entry.

    Examples
    --------
    >>> import beam_pandas
    >>> table = beam_pandas.metrics().set_index("metric")
    >>> bool(table.loc["log_loss", "higher_is_better"])
    False
    """
    entries = {**_built_in(), **_custom}
    rows = [
        {
            "metric": entry.name,
            "higher_is_better": entry.higher_is_better,
            "lower": entry.lower,
            "upper": entry.upper,
            "noise_floor": entry.noise_floor,
            "aliases": ";".join(entry.aliases),
            "field": entry.field,
            "source": entry.source,
        }
        for _, entry in sorted(entries.items())
    ]
    numbers = ["lower", "upper", "noise_floor"]
    return pd.DataFrame(rows).astype(dict.fromkeys(numbers, "float64"))


def register_metric(
    name: str,
    *,
    higher_is_better: bool | None = None,
    lower: float | None = None,
    upper: float | None = None,
    noise_floor: float | None = None,
) -> Registration:
    """
    Add a metric to the registry, or change what it says of one, while this program runs.

    Worker processes have a registry of their own: register there too, or pass
    `higher_is_better` to each call.

    Parameters
    ----------
    name : str
        Name of the metric, or another name of one that the registry knows already.
        What is left out below stays as it is known, if it is.
    higher_is_better : bool, optional
        Whether more of it is better. Needed for a metric that is not known.
    lower, upper : float, optional
        Bounds, in the unit of the score.
    noise_floor : float, optional
        Difference below which scores are not worth telling apart, in the unit of the
        score; not negative.

    Returns
    -------
    Registration
        Holds for the rest of the program; used with ``with``, to the end of the block.

    Raises
    ------
    BeamError
        If the direction is missing for a metric that is not known, or bounds and noise
        floor contradict each other.

    Examples
    --------
    >>> import beam_pandas
    >>> with beam_pandas.register_metric("tokens_per_joule", higher_is_better=True):
    ...     "tokens_per_joule" in beam_pandas.metrics()["metric"].tolist()
    True
    >>> "tokens_per_joule" in beam_pandas.metrics()["metric"].tolist()
    False
    """
    if not (isinstance(name, str) and name.strip()):
        raise BeamError(f"name must be a non-empty text, got {name!r}")
    if not (higher_is_better is None or isinstance(higher_is_better, (bool, np.bool_))):
        raise BeamError(f"higher_is_better must be True or False, got {higher_is_better!r}")
    known = _entry_named(_names().get(normalise(name)))
    if known is None:
        if higher_is_better is None:
            raise BeamError(
                f"register_metric needs the direction of {name!r}, which is not in the "
                "registry: pass higher_is_better=True or higher_is_better=False"
            )
        known = Metric(normalise(name), bool(higher_is_better))
    facts = {"lower": lower, "upper": upper, "noise_floor": noise_floor}
    changed = {
        key: _finite(key, value) for key, value in facts.items() if value is not None
    }
    direction = known.higher_is_better if higher_is_better is None else higher_is_better
    entry = known._replace(
        higher_is_better=bool(direction),
        field="custom",
        source="register_metric",
        **changed,  # type: ignore[arg-type]
    )
    _check_consistent(entry)
    before = _custom.get(entry.name)
    _custom[entry.name] = entry
    return Registration(entry.name, before)


class Registration:
    """
    What `register_metric` did: as a context manager, it is undone at the end of the block.

    Parameters
    ----------
    name : str
        Name of the entry.
    before : Metric or None
        The session's own entry of that name until then.
    """

    def __init__(self, name: str, before: Metric | None) -> None:
        self._name, self._before = name, before

    def __repr__(self) -> str:
        """Say what was registered."""
        return f"<metric {self._name!r}, registered>"

    def __enter__(self) -> None:
        """Begin the block in which the entry holds."""

    def __exit__(self, *_: object) -> None:
        """Bring back what the session knew before."""
        if self._before is None:
            _custom.pop(self._name, None)
        else:
            _custom[self._name] = self._before


def find_metric(label: Hashable) -> Metric | None:
    """
    Look a metric up by its name, an alias, or either without lead, unit and cut-off.

    Case, and whether words are joined by spaces, hyphens, slashes or underscores, do
    not matter. The fullest form that is known wins: ``recall@10`` is recall at a
    cut-off before it is recall.
    """
    if not isinstance(label, str):
        return None
    names = _names()
    for text in dict.fromkeys((label, _without_unit(label))):
        for form in _forms(normalise(text)):
            if form in names:
                return _entry_named(names[form])
    return None


def looks_like_spread(label: Hashable) -> bool:
    """Tell whether a name says that it is no metric but the spread of one."""
    if not isinstance(label, str):
        return False
    bare = normalise(_FILTER.sub("", label.strip())).strip("()[]_ ")
    words = re.sub(r"[()\[\]]", "_", bare)
    return bool(_SPREAD.fullmatch(normalise(words)))


def _without_unit(label: str) -> str:
    """Drop a filter's name and a unit in brackets behind the name of a metric."""
    text = _FILTER.sub("", label.strip())
    found = _BRACKETS.search(text)
    if found is None:
        return text
    inside = (found[1] or found[2] or "").strip().lower()
    first = re.split(r"\s*/\s*|\s+per\s+|\s*[·*]\s*", inside)[0].strip()
    is_unit = inside in _UNITS or first in _UNITS or re.fullmatch(r"\d*\.?\d+%?", inside)
    return text[: found.start()] if is_unit else text


def normalise(name: str) -> str:
    """Bring a metric's name into the form that the registry is keyed by."""
    return re.sub(r"[\s\-/_]+", "_", name.strip().lower().replace("@", "_at_"))


def looks_negated(metric: Metric, scores: NDArray[np.float64]) -> bool:
    """Tell whether scores that cannot be negative are, all of them, 0 or below."""
    if metric.higher_is_better or metric.lower != 0.0:
        return False
    present = scores[~np.isnan(scores)]
    return bool(present.size and present.max() <= 0.0 and present.min() < 0.0)


def _forms(name: str) -> Iterator[str]:
    """Yield the forms of a normalised name under which to look, fullest first."""
    while name:
        yield name
        if _CUT_OFF.search(name):
            yield _CUT_OFF.sub("_at_k", name)
            yield _CUT_OFF.sub("", name)
        found = _LEAD.match(name)
        name = name[found.end() :] if found else ""


def _entry_named(name: str | None) -> Metric | None:
    return None if name is None else _custom.get(name) or _built_in()[name]


def _names() -> dict[str, str]:
    """Map every name and alias to the name of its entry; names go before aliases."""
    return {**_built_in_names(), **{name: name for name in _custom}}


@lru_cache(maxsize=1)
def _built_in_names() -> dict[str, str]:
    entries = _built_in()
    aliases = {alias: e.name for e in entries.values() for alias in e.aliases}
    return {**aliases, **{name: name for name in entries}}


@lru_cache(maxsize=1)
def _built_in() -> dict[str, Metric]:
    source = resources.files("beam_pandas").joinpath("gate", "metrics.csv")
    with source.open(encoding="utf-8") as lines:
        return {row["name"]: _entry(row) for row in csv.DictReader(lines)}


def _entry(row: dict[str, str]) -> Metric:
    return Metric(
        name=row["name"],
        higher_is_better=row["higher_is_better"] == "True",
        lower=float(row["lower"]) if row["lower"] else None,
        upper=float(row["upper"]) if row["upper"] else None,
        noise_floor=float(row["noise_floor"]) if row["noise_floor"] else None,
        aliases=tuple(filter(None, row["aliases"].split(";"))),
        field=row["field"],
        source=row["source"],
    )


def _finite(key: str, value: object) -> float:
    if not is_number(value) or not math.isfinite(float(value)):
        raise BeamError(f"{key} must be a finite number, got {value!r}")
    return float(value)


def _check_consistent(entry: Metric) -> None:
    lower = -math.inf if entry.lower is None else entry.lower
    upper = math.inf if entry.upper is None else entry.upper
    floor = 0.0 if entry.noise_floor is None else entry.noise_floor
    if lower >= upper:
        raise BeamError(f"lower must be below upper, got {lower!r} and {upper!r}")
    if not 0.0 <= floor <= upper - lower:
        raise BeamError(
            f"noise_floor must lie between 0 and the range {upper - lower!r} of "
            f"{entry.name!r}, got {floor!r}"
        )
