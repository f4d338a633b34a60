"""What is sent to workers and back: functions, partials of them, errors and the warning."""

import inspect
import pickle
from functools import partial

import pandas as pd
import pytest

import beam_pandas as bp

PUBLIC = {name: getattr(bp, name) for name in bp.__all__}
FUNCTIONS = {name: f for name, f in PUBLIC.items() if inspect.isfunction(f)}
KINDS = [kind for kind in PUBLIC.values() if inspect.isclass(kind)]


@pytest.fixture(params=["pickle", "cloudpickle"])
def copy(request):
    reason = "cloudpickle comes with dask: python -m pip install '.[distributed]'"
    pickler = pytest.importorskip(request.param, reason=reason)
    return lambda value: pickle.loads(pickler.dumps(value))


def test_functions_and_errors_are_all_that_is_public():
    assert len(FUNCTIONS) + len(KINDS) == len(PUBLIC)
    assert {"pairwise", "skillings_mack", "result_schema"} <= FUNCTIONS.keys()
    assert {bp.BeamError, bp.BeamWarning, bp.MissingDependencyError} <= set(KINDS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_pickles_and_so_does_a_partial_of_it(name, copy):
    function = FUNCTIONS[name]
    assert copy(function) is function
    copied = copy(partial(function, rope=0.01))
    assert copied.func is function and copied.keywords == {"rope": 0.01}


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_keeps_its_kind_and_message(kind, copy):
    message = "scores of 'A' are needed, found none"
    copied = copy(kind(message))
    assert type(copied) is kind
    assert str(copied) == message and copied.args == (message,)


def test_a_method_of_the_accessor_pickles_with_its_frame(copy):
    scores = bp.load_benchmark().query("metric == 'accuracy'")
    method = copy(scores.beam.pairwise)
    pd.testing.assert_frame_equal(method(rope=0.01), scores.beam.pairwise(rope=0.01))
