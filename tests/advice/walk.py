"""
What a case of a message is, how its advice is taken out of the text, and followed.

A case is a call whose message is known by its site. What the message says to write is read
from its text as code: an option (``missing='drop_datasets'``), or an expression of the frame
(``df.rename(...)``, ``beam_pandas.from_matrix(df)``). Gaps (``...``) are filled with what
the case states. The call is then made again, and must work or give another message; its
scores must be those of before, under the same labels, and no direction may be turned.
"""

from __future__ import annotations

import ast
import atexit
import inspect
import re
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

import beam_pandas as bp
from beam_pandas.gate import registry
from tests.advice.watch import Seen, watching
from tests.surface import FUNCTIONS

Result = Any
WORKS = "works"


class Files(NamedTuple):
    """Files of a call: it takes their folder, or one of them."""

    texts: dict[str, str | bytes]
    name: str = ""  # the file to take; the folder where empty


class Lazy(NamedTuple):
    """What a call takes, made anew for it."""

    make: Callable[[], Any]


class Call(NamedTuple):
    """A call of the package."""

    function: Callable[..., Any]
    frame: Any  # the first argument
    options: dict[str, Any]

    def but(self, **options: Any) -> Call:
        """Change some options."""
        return self._replace(options=self.options | options)


class Case:
    """
    A call with its message, and what following the message must give.

    Parameters
    ----------
    site : str
        Name of the site that the message comes from, as `tests.advice.sites` gives it.
    function, frame, args, options
        The call.
    none : str
        Why the message has no advice to follow, if it has none.
    fill : object, optional
        What a gap of the advice is filled with; a mapping from the advice's first word, or
        the name before the gap, to it, where there are several.
    skip : mapping
        Advice that is not followed here, by its beginning, with the reason.
    then : str or mapping
        What the second call gives: it works, or the beginning of the new site's name; a
        mapping by the beginning of the advice where it differs.
    drops : mapping
        How many scores advice drops that says so, by its beginning.
    truth : DataFrame, optional
        The scores as they are meant, where the frame does not say it itself.
    higher : mapping
        Direction of the metrics that the registry does not know.
    follow : callable, optional
        What is done where the advice is no code: the text and the call in, a call out.
    column : str
        The column that a beginning such as ``.str`` is of.
    """

    def __init__(
        self,
        site: str,
        function: Callable[..., Any],
        frame: Any,
        *args: Any,
        none: str = "",
        fill: Any = None,
        skip: Mapping[str, str] | None = None,
        then: str | Mapping[str, str] = WORKS,
        drops: Mapping[str, int] | None = None,
        truth: pd.DataFrame | None = None,
        higher: Mapping[Any, bool] | None = None,
        follow: Callable[[str, Call], Call] | None = None,
        column: str = "score",
        **options: Any,
    ) -> None:
        names = list(inspect.signature(function).parameters)[1:]
        given = dict(zip(names, args, strict=False))
        self.site, self.call = site, Call(function, frame, given | options)
        self.none, self.fill, self.skip, self.then = none, fill, skip or {}, then
        self.drops, self.truth, self.higher = drops or {}, truth, higher or {}
        self.follow, self.column = follow, column

    def __repr__(self) -> str:
        return self.site


class Outcome(NamedTuple):
    """What a call gives: its result or its error, and the messages on the way."""

    result: Any
    error: Exception | None
    seen: list[Seen]

    def text_of(self, site: str) -> str:
        """Give the message of a site, "" if there is none."""
        return next((seen.text for seen in self.seen if seen.site == site), "")


@cache
def _room() -> Path:
    """Make a folder for the files of all cases."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def write(files: Files) -> Path:
    """Write the files of a case into a folder of their own."""
    folder = _room() / str(len(list(_room().iterdir())))
    folder.mkdir()
    for name, text in files.texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text, encoding="utf-8")
    return folder / files.name if files.name else folder


@contextmanager
def _registry_kept() -> Iterator[None]:
    """Take back what a block registers."""
    before = dict(registry._custom)
    try:
        yield
    finally:
        registry._custom.clear()
        registry._custom.update(before)


def _made(value: Any) -> Any:
    if isinstance(value, Files):
        return write(value)
    return value.make() if isinstance(value, Lazy) else value


def run(call: Call) -> Outcome:
    """Make a call and note all its messages."""
    frame = _made(call.frame)
    options = {name: _made(value) for name, value in call.options.items()}
    result, error = None, None
    with watching() as seen, warnings.catch_warnings(record=True):
        warnings.simplefilter("error")
        warnings.simplefilter("always", bp.BeamWarning)
        try:
            result = call.function(frame, **options)
        except (bp.BeamError, bp.MissingDependencyError) as raised:
            error = raised
    return Outcome(result, error, seen)


@cache
def first(case: Case) -> Outcome:
    """Make the call of a case, once."""
    with _registry_kept():
        return run(case.call)


# What a message says to write ----------------------------------------------------------


class Advice(NamedTuple):
    """What a message says to write: code of a frame, or an option."""

    code: str
    name: str  # of the option; "" for code

    def starts(self, words: str) -> bool:
        """Tell whether it begins with some words."""
        return self.code.startswith(words)


_START = re.compile(
    r"(?<![\w.'\"\])])(?:(?:df|pd|beam_pandas)(?=[.\[])|\.(?:str|dt|astype|map)\b|[a-z_]\w*=(?![=\s]))"
)
_NAMED = re.compile(r"(?<![\w.])([a-z_]+)\(\)")
_LISTED = re.compile(r"(\w+) must be one of (\[.*?\])")
_CLOSES = {"(": ")", "[": "]", "{": "}"}


def _end(text: str, start: int) -> int:
    """Find where code ends: at a space or a mark outside its brackets and quotes."""
    open_, at = [], start
    while at < len(text):
        letter = text[at]
        if letter in "'\"":
            quoted = re.compile(rf"{letter}(?:\\.|[^\\{letter}])*{letter}").match(text, at)
            if quoted is None:
                return at
            at = quoted.end()
            continue
        if letter in _CLOSES:
            open_.append(_CLOSES[letter])
        elif open_ and letter == open_[-1]:
            open_.pop()
        elif not open_ and letter in " ,;:)]}\n":
            return at
        at += 1
    return at


def advice_of(text: str) -> list[list[Advice]]:
    """List what a message says to write; what is joined by "and" goes together."""
    found: list[list[Advice]] = []
    for name, options in _LISTED.findall(text):
        found += [[Advice(f"{name}={each!r}", name)] for each in ast.literal_eval(options)]
    for name in dict.fromkeys(_NAMED.findall(text)):
        if name in FUNCTIONS:
            found.append([Advice(f"{name}()", "")])
    at, last = 0, -1
    while (start := _START.search(text, at)) is not None:
        end = _end(text, start.start())
        code = text[start.start() : end]
        if not code.endswith("..."):
            code = code.rstrip(".")
        at = max(end, start.end())
        name = start[0][:-1] if start[0].endswith("=") else ""
        if code.startswith("."):
            code = f"df[COLUMN]{code}"
        if not _is_code(code[len(name) + 1 :] if name else code, is_value=bool(name)):
            continue
        advice = Advice(code, name)
        joined = last >= 0 and re.fullmatch(r"\s*,?\s*and\s*", text[last : start.start()])
        if joined:
            found[-1].append(advice)
        else:
            found.append([advice])
        last = end
    return found


def _is_code(code: str, *, is_value: bool) -> bool:
    """Tell whether a text is a value, or an expression that does something."""
    try:
        body = ast.parse(code, mode="eval").body
    except SyntaxError:
        return False
    return is_value or isinstance(body, (ast.Call, ast.Subscript))


class _Fill(ast.NodeTransformer):
    """Put values where code has a gap."""

    def __init__(self, fill: Any) -> None:
        self.fill, self.key = fill, ""

    def _value(self) -> Any:
        if isinstance(self.fill, Mapping):
            return self.fill[self.key]
        return self.fill

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        self.key = node.arg or ""
        return self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        keys, values = [], []
        for key, value in zip(node.keys, node.values, strict=True):
            if _is_gap(key):
                key = self.visit(key)
            elif isinstance(key, ast.Constant):
                self.key = key.value
            keys.append(key)
            values.append(self.visit(value))
        return ast.Dict(keys, values)

    def visit_List(self, node: ast.List) -> ast.AST:
        gaps = [each for each in node.elts if _is_gap(each)]
        if gaps and len(node.elts) == 1 and isinstance(self._value(), list):
            return ast.parse(repr(self._value()), mode="eval").body
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.parse(repr(self._value()), mode="eval").body if _is_gap(node) else node


def _is_gap(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value in (..., "...")


def _evaluate(code: str, case: Case, key: str, frame: Any) -> Any:
    filler = _Fill(case.fill)
    filler.key = key
    code = code.replace("pd.to_numeric(...", "pd.to_numeric(df[COLUMN]")
    tree = ast.fix_missing_locations(filler.visit(ast.parse(code, mode="eval")))
    names = {"df": frame, "pd": pd, "pandas": pd, "beam_pandas": bp, "COLUMN": case.column}
    return eval(compile(tree, "<advice>", "eval"), names)


# Following it --------------------------------------------------------------------------


def take(advice: list[Advice], case: Case, call: Call) -> Call:
    """Do what a message says, one piece after the other."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bp.BeamWarning)  # of what the advice itself says
        return _take(advice, case, call)


def _take(advice: list[Advice], case: Case, call: Call) -> Call:
    for each in advice:
        if each.code.endswith("()") and each.code[:-2] in FUNCTIONS:
            function = getattr(bp, each.code[:-2])
            names = inspect.signature(function).parameters
            kept = {name: value for name, value in call.options.items() if name in names}
            call = Call(function, call.frame, kept)
            continue
        if each.name:
            value = _evaluate(each.code[len(each.name) + 1 :], case, each.name, call.frame)
            call = call.but(**{each.name: value})
            continue
        made = _evaluate(each.code, case, "", call.frame)
        if isinstance(made, pd.Series):
            made = call.frame.assign(**{case.column: made})
        if isinstance(made, pd.DataFrame):
            call = call._replace(frame=made)
    return call


def _of(mapping: Mapping[str, Any], advice: list[Advice], default: Any) -> Any:
    fits = [value for key, value in mapping.items() if advice[0].starts(key)]
    return fits[0] if fits else default


def scores_of(frame: pd.DataFrame) -> list[tuple[Any, ...]]:
    """List the scores of a long frame with their labels, in order."""
    columns = [name for name in ("metric", "method", "dataset") if name in frame]
    scores = frame["score"].tolist()
    labels = [map(str, frame[name].tolist()) for name in columns]
    rows = zip(*labels, scores, strict=True)
    return sorted((*row[:-1], float(row[-1])) for row in rows if not pd.isna(row[-1]))


def check_scores(before: pd.DataFrame, after: pd.DataFrame, dropped: int) -> None:
    """Hold the scores after advice against those before it, label by label."""
    shared = [name for name in ("metric", "method", "dataset") if name in before]
    missing = [name for name in shared if name not in after]
    assert not missing, f"advice lost the columns {missing}"
    found = scores_of(after[[*shared, "score"]])
    meant = scores_of(before[[*shared, "score"]])
    lost = len(meant) - len(found)
    assert lost == dropped, f"advice lost {lost} of {len(meant)} scores, not {dropped}"
    strange = sorted(set(found) - set(meant))
    assert not strange, f"scores stand under other labels: {strange[:5]}"


def is_long(frame: object) -> bool:
    """Tell whether a value is a long frame of scores, with numbers in it."""
    if not isinstance(frame, pd.DataFrame) or isinstance(frame.columns, pd.MultiIndex):
        return False
    names = list(frame.columns)
    if any(names.count(name) != 1 for name in ("method", "dataset", "score")):
        return False
    return pd.api.types.is_numeric_dtype(frame["score"])


def check_directions(call: Call, case: Case) -> None:
    """Check that a direction that was given, or is known, is the one that is meant."""
    frame, told = call.frame, call.options.get("higher_is_better")
    if not is_long(frame):
        return
    names = frame["metric"].unique() if "metric" in frame else [None]
    for name in names:
        entry = registry.find_metric(name)
        found = told.get(name) if isinstance(told, Mapping) else told
        if found is None and entry is not None:
            found = entry.higher_is_better
        meant = case.higher.get(name, None if entry is None else entry.higher_is_better)
        assert found is None or meant is None or found == meant, f"{name!r} was turned"


_KEEPS = re.compile(r"(missing='\w+') keeps ([\d,]+) methods? on ([\d,]+) datasets?")


def check_claim(text: str, advice: list[Advice], result: object) -> None:
    """Check what a message says that a choice would keep."""
    if not isinstance(result, pd.DataFrame):
        return
    for code, n_methods, n_datasets in _KEEPS.findall(text):
        if code != advice[0].code:
            continue
        if "n_datasets" in result:
            assert int(result["n_datasets"].max()) == int(n_datasets)
        if "n_methods" in result:
            assert int(result["n_methods"].max()) == int(n_methods)


def follow(case: Case) -> list[str]:
    """Follow all that the message of a case says to write; give what was followed."""
    text = first(case).text_of(case.site)
    done = []
    if case.follow is not None:
        _check(case, [Advice("by hand", "")], case.follow(text, case.call), text)
        return ["by hand"]
    names = inspect.signature(case.call.function).parameters
    is_open = any(each.kind is each.VAR_KEYWORD for each in names.values())
    for advice in advice_of(text):
        if _of(case.skip, advice, "") or not all(
            not each.name or each.name in names or is_open for each in advice
        ):
            continue
        if all(each.name and _is_asked(each, case) for each in advice):
            continue
        with _registry_kept():
            try:
                with watching() as seen:
                    call = take(advice, case, case.call)
            except bp.BeamError as error:
                _judge(case, advice, Outcome(None, error, seen), text)
            else:
                _check(case, advice, call, text)
        done.append(" and ".join(each.code for each in advice))
    return done


def _is_asked(advice: Advice, case: Case) -> bool:
    """Tell whether an option is what the call says already."""
    given = case.call.options
    if advice.name not in given:
        return False
    try:
        return bool(
            given[advice.name] == ast.literal_eval(advice.code[len(advice.name) + 1 :])
        )
    except ValueError:
        return False


def _judge(case: Case, advice: list[Advice], outcome: Outcome, text: str) -> None:
    """Check that a call after advice works, or says what it is known to say."""
    words = advice[0].code
    then = case.then if isinstance(case.then, str) else _of(case.then, advice, WORKS)
    sites = [seen.site for seen in outcome.seen]
    assert case.site not in sites, f"{words} gives the same message again: {text}"
    if then == WORKS:
        assert outcome.error is None, f"{words} gives {outcome.error}"
    else:
        assert any(site.startswith(then) for site in sites), f"{words} gives {sites}"


def _check(case: Case, advice: list[Advice], call: Call, text: str) -> None:
    before = case.truth
    if before is None and is_long(case.call.frame):
        before = case.call.frame
    outcome = run(call)
    _judge(case, advice, outcome, text)
    dropped = _of(case.drops, advice, 0)
    after = outcome.result if is_long(outcome.result) else call.frame
    if before is not None and is_long(after):
        check_scores(before, after, dropped)
    check_directions(call, case)
    check_claim(text, advice, outcome.result)
