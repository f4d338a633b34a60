"""`df.beam.plot` and `df.groupby(...).beam.plot`: compute and draw in one call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from inspect import Parameter, Signature
from types import MethodType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from beam_pandas import plot
from beam_pandas.errors import BeamError
from beam_pandas.plot.docs import joined_doc
from beam_pandas.plot.figures import require_matplotlib

if TYPE_CHECKING:
    import pandas as pd

    Call = Callable[..., pd.DataFrame]

# The functions whose results a picture draws, where it does not bear the name of the only
# one. The second is called where its first parameter is given.
_COMPUTED_BY: Final[dict[str, tuple[str, ...]]] = {
    "critical_difference": ("critical_difference", "compare_to_control"),
    "duel": ("ranks",),
    "missing_scores": ("wide_scores",),
    "overview": ("ranks",),
    "rank_flow": ("ranks",),
    "scores": ("ranks",),
    "simplex": ("bayesian_sign",),
    "trade_off": ("ranks",),
    "transitivity": ("pairwise",),
}


class Recipe(NamedTuple):
    """What a picture computes, and the parameters of doing both."""

    picture: Callable[..., Any]
    functions: tuple[Call, ...]
    switch: str | None  # the parameter that asks for the second function
    signature: Signature


class _Picture:
    """
    The picture of the same name, drawn of what the accessor is on.

    Its module is loaded when the method is first asked for.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        """Take the name of the picture from that of the attribute."""
        self._name = name

    def __get__(self, plots: BeamPlots | None, owner: type | None = None) -> Any:
        """Give the method, with the parameters of the function and of the picture."""
        recipe = _recipe(self._name)

        def method(self: BeamPlots, /, *args: Any, **kwargs: Any) -> Any:
            return _draw(self._call, recipe, args, kwargs)

        method.__name__ = self._name
        method.__qualname__ = f"BeamPlots.{self._name}"
        own = Parameter("self", Parameter.POSITIONAL_ONLY)
        parameters = [own, *recipe.signature.parameters.values()]
        method.__signature__ = recipe.signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        optional = {
            key: parameter.default is not Parameter.empty
            for key, parameter in recipe.signature.parameters.items()
        }
        method.__doc__ = joined_doc(recipe.picture, recipe.functions, optional)
        return method if plots is None else MethodType(method, plots)


class BeamPlots:
    """
    Pictures of scores: each method computes a result and draws it.

    The first parameters are those of the function that computes, the others those of the
    picture of that name in `beam_pandas.plot`.

    Parameters
    ----------
    call : callable
        Calls a function with the scores, or with each group of them.
    """

    def __init__(self, call: Call) -> None:
        self._call = call

    def __repr__(self) -> str:
        """List the pictures."""
        return f"<beam.plot: {', '.join(plot.__all__)}>"


for _name in plot.__all__:
    setattr(BeamPlots, _name, _Picture())
    vars(BeamPlots)[_name].__set_name__(BeamPlots, _name)


def _recipe(name: str) -> Recipe:
    """Look up what a picture needs."""
    package = import_module("beam_pandas")
    picture = getattr(plot, name)
    functions = tuple(getattr(package, each) for each in _COMPUTED_BY.get(name, (name,)))
    own = [_parameters(function) for function in functions]
    drawn = _parameters(picture)
    switch = next(iter(own[1])) if len(own) > 1 else None
    merged = {
        key: parameter
        for key, parameter in drawn.items()
        if parameter.default is Parameter.empty and key not in own[0]
    } | own[0]
    for others in own[1:]:
        for key, parameter in others.items():
            if key == switch:
                added = parameter.replace(default=None)
            else:
                added = parameter.replace(kind=Parameter.KEYWORD_ONLY)
            merged.setdefault(key, added)
    merged |= {key: each for key, each in drawn.items() if key not in merged}
    return Recipe(
        picture, functions, switch, Signature(sorted(merged.values(), key=_order))
    )


def _order(parameter: Parameter) -> tuple[int, bool]:
    """Order parameters by kind, those that may be left out last."""
    return int(parameter.kind), parameter.default is not Parameter.empty


def _parameters(function: Callable[..., Any]) -> dict[str, Parameter]:
    """List the parameters but the first, the frame."""
    return dict(list(inspect.signature(function).parameters.items())[1:])


def _draw(
    call: Call, recipe: Recipe, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    """Compute and draw, each with the arguments that it takes."""
    given = recipe.signature.bind(*args, **kwargs).arguments
    require_matplotlib()
    is_switched = recipe.switch is not None and given.get(recipe.switch) is not None
    function = recipe.functions[is_switched]
    taken, drawn = _parameters(function), _parameters(recipe.picture)
    unused = [key for key in given if key not in taken and key not in drawn]
    if [key for key in unused if key != recipe.switch]:
        raise BeamError(
            f"{unused[0]} is no parameter of beam_pandas.{function.__name__}, which is "
            f"called {'with' if is_switched else 'without'} {recipe.switch}: leave it out"
        )
    options = {key: value for key, value in given.items() if key in taken}
    result = call(function, **options)
    added = _ADDED.get(recipe.picture.__name__)
    shown = {key: value for key, value in given.items() if key in drawn}
    extra = {} if added is None else added(call, function, options)
    return recipe.picture(result, **(extra | shown))


def _explain_counts(call: Call, function: Call, options: dict[str, Any]) -> dict[str, Any]:
    """Say what is counted, and of how many datasets."""
    relation = options.get("relation", "better")
    parts = [call(function, **options | {"relation": each}) for each in _ALL_RELATIONS]
    words = relation.replace("_or_", " or ")
    return {
        "label": f"datasets on which the row is {words}",
        "n_datasets": parts[0] + parts[1],
    }


def _add_scores(call: Call, _function: Call, options: dict[str, Any]) -> dict[str, Any]:
    """Compute the scores that the mean scores are of."""
    ranks: Call = import_module("beam_pandas").ranks
    taken = _parameters(ranks)
    return {"ranks": call(ranks, **{k: v for k, v in options.items() if k in taken})}


_ALL_RELATIONS: Final = ("better", "worse_or_equal")  # each shared dataset is in one
_ADDED: Final = {"comparison_matrix": _explain_counts, "pairwise": _add_scores}
