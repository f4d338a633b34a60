"""`df.beam.plot`: what is derived from the functions and the pictures."""

import inspect
import itertools
import rlcompleter
import subprocess
import sys

import pandas as pd
import pytest

import beam_pandas as bp
from beam_pandas.plot.accessor import BeamPlots
from beam_pandas.plot.docs import entries, sections

SCORES = bp.load_benchmark()
ACCURACY = SCORES.query("metric == 'accuracy'")
PICTURES = list(bp.plot.__all__)
FUNCTIONS = {
    "critical_difference": ("critical_difference", "compare_to_control"),
    "missing_scores": ("wide_scores",),
    "transitivity": ("pairwise",),
    **dict.fromkeys(["scores", "duel", "overview", "rank_flow", "trade_off"], ("ranks",)),
    "simplex": ("bayesian_sign",),
}


def functions(name):
    return [getattr(bp, each) for each in FUNCTIONS.get(name, (name,))]


def parameters(function):
    return list(inspect.signature(function).parameters)[1:]


@pytest.mark.parametrize("name", PICTURES)
def test_a_method_takes_what_function_and_picture_take(name):
    method = getattr(ACCURACY.beam.plot, name)
    found = list(inspect.signature(method).parameters)
    assert set(found) == {
        key
        for function in (*functions(name), getattr(bp.plot, name))
        for key in parameters(function)
    }
    assert method.__name__ == name
    of_class = inspect.signature(getattr(BeamPlots, name)).parameters
    assert next(iter(of_class)) == "self"


@pytest.mark.parametrize("name", PICTURES)
def test_every_parameter_is_described_where_it_is_needed(name):
    method = getattr(BeamPlots, name)
    doc = sections(method)
    described = entries(doc["Parameters"])
    assert set(described) >= set(list(inspect.signature(method).parameters)[1:])
    assert "As of" not in method.__doc__
    assert method.__doc__.startswith("Draw ")
    assert doc["Returns"] == sections(getattr(bp.plot, name))["Returns"]
    assert f"beam_pandas.plot.{name}" in doc["See Also"]
    for function in functions(name):
        assert f"beam_pandas.{function.__name__} :" in doc["See Also"]
        for key, text in entries(sections(function).get("Parameters", "")).items():
            if key in described and function is functions(name)[0]:
                assert text.splitlines()[1:] == described[key].splitlines()[1:]
    for error in entries(doc["Raises"]):
        assert hasattr(bp, error)


def test_the_control_may_be_left_out():
    text = entries(sections(BeamPlots.critical_difference)["Parameters"])["control"]
    assert text.splitlines()[0] == "control : label, optional"


def test_what_goes_only_with_a_control_is_refused_without():
    plots = ACCURACY.beam.plot
    with pytest.raises(
        bp.BeamError, match="adjust is no parameter of beam_pandas.critical"
    ):
        plots.critical_difference(adjust="holm", missing="drop_methods")
    ax = plots.critical_difference(
        control="SVC", adjust="bonferroni", missing="drop_methods", width=5
    )
    assert len([line for line in ax.lines if line.get_label() == "_bar"]) == 1
    with pytest.raises(TypeError, match="missing a required argument: 'rope'"):
        plots.bayesian_sign()


def test_the_threshold_reaches_both():
    ax = ACCURACY.beam.plot.bayesian_sign(0.01, threshold=0.8, reference="SVC", width=5)
    found = [text.get_text() for text in ax.get_legend().get_texts()]
    assert "decided from 0.8" in found


def test_counts_are_explained_and_shared_datasets_counted():
    ax = ACCURACY.beam.plot.comparison_matrix(relation="worse_or_equal", width=7)
    assert ax.get_title(loc="right") == "datasets on which the row is worse or equal"
    labels = [label.get_text() for label in ax.get_yticklabels()]
    pairs = ACCURACY.beam.pairwise()
    share = bp.to_matrix(pairs, "share_worse") + bp.to_matrix(pairs, "share_equivalent")
    shown = ax.images[0].get_array().filled(float("nan"))
    pd.testing.assert_frame_equal(
        pd.DataFrame(shown, labels, labels), share.loc[labels, labels], check_names=False
    )
    ax = ACCURACY.beam.plot.comparison_matrix(label="mine", width=7)
    assert ax.get_title(loc="right") == "mine"


@pytest.mark.parametrize("target", ["df.beam", "df.groupby('metric').beam"])
def test_names_are_completed_without_evaluating_a_property(target):
    accessor = eval(target, {"df": SCORES})
    assert not isinstance(vars(type(accessor).__mro__[1])["plot"], property)
    assert set(PICTURES) <= set(dir(accessor.plot))
    if "(" not in target:
        completer = rlcompleter.Completer({"df": SCORES})
        each = (completer.complete("df.beam.plot.", at) for at in itertools.count())
        found = itertools.takewhile(lambda text: text is not None, each)
        names = {text.split("(")[0].rpartition(".")[2] for text in found}
        assert set(PICTURES) <= names


def test_ipython_completes_without_jedi():
    pytest.importorskip("IPython")
    code = """
from IPython.core.interactiveshell import InteractiveShell
import beam_pandas
shell = InteractiveShell.instance()
shell.Completer.use_jedi = False
shell.user_ns["df"] = beam_pandas.load_benchmark()
_, found = shell.complete("df.beam.plot.")
names = {text.rpartition(".")[2] for text in found}
assert set(beam_pandas.plot.__all__) <= names, names
_, found = shell.complete("df.beam.plo")
assert any(text.endswith("plot") for text in found), found
"""
    subprocess.run([sys.executable, "-c", code], check=True)
