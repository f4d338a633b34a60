"""
Following what a message says, and what is held of that.

What it says to write is read from its text as code: an option
(``missing='drop_datasets'``), or an expression of the frame (``df.rename(...)``,
``beam_pandas.from_matrix(df)``). Gaps (``...``) are filled with what the case states. The call
is then made again, and must work or give another message; its scores must be those of
before, under the same labels, and no direction may be turned.
"""

from __future__ import annotations

import ast
import inspect
import re
import warnings
from collections.abc import Mapping
from typing import Any

import pandas as pd

import beam_pandas as bp
from beam_pandas.gate import registry
from tests.advice.cases import WORKS, Call, Case, Outcome, first, kept_registry, run
from tests.advice.reading import Advice, advice_of
from tests.advice.watch import watching
from tests.surface import FUNCTIONS


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
    text = first(case).said(case.site)
    done = []
    if case.follow is not None:
        _check(case, [Advice("by hand", "")], case.follow(text, case.call), text)
        return ["by hand"]
    names = inspect.signature(case.call.function).parameters
    is_open = any(each.kind is each.VAR_KEYWORD for each in names.values())
    for advice in advice_of(text):
        if _of(case.skip, advice, ""):
            continue
        unknown = [each.code for each in advice if each.name and each.name not in names]
        assert is_open or not unknown, f"{unknown} are options that the function lacks"
        if all(each.name and _is_asked(each, case) for each in advice):
            continue
        with kept_registry():
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
