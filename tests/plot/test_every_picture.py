"""What holds for every picture: nothing else changes, files, errors, labels, accessors."""

import inspect
import io
import shutil
import subprocess
import sys
from functools import cache
from typing import NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import beam_pandas as bp
from beam_pandas.plot.accessor import BeamPlots
from beam_pandas.plot.text import escape_tex, label_text
from tests.plot.artists import tick_labels, written
from tests.plot.samples import (
    ACCURACY,
    ASKED,
    BENCHMARK,
    FEWER,
    FEWEST,
    MAKERS,
    PICTURES,
    POOLED,
    SCORES,
    asked,
    axes,
    call,
    draw,
    small,
)

BENCHMARK_ACCURACY = BENCHMARK.query("metric == 'accuracy'")
NEEDED = {
    "critical_difference": ["method", "mean_rank", "groups", "critical_difference"],
    "transitivity": ["method_1", "method_2", "n_datasets", "wins", "losses"],
    "bayesian_sign": [
        "method_1",
        "prob_better",
        "prob_equivalent",
        "prob_worse",
        "decision",
    ],
    "dataset_discrimination": ["dataset", "spread", "kendall_w", "significant"],
    "pairwise": ["method_1", "method_2", "wins", "mean_diff", "p_adjusted", "significant"],
    **{
        name: ["dataset", "method", "score", "score_rank"]
        for name in ("scores", "duel", "overview", "rank_flow", "trade_off")
    },
    "rank_intervals": ["method", "mean_rank", "ci_low", "ci_high"],
    "aggregate_scores": ["method", "estimate", "ci_low", "ci_high"],
    "bradley_terry": ["method", "strength", "component", "ci_low", "ci_high"],
    "wilcoxon": ["method_1", "method_2", "median_diff", "ci_low", "significant"],
    "performance_profile": ["method", "threshold", "share"],
    "simplex": ["method_1", "method_2", "wins", "expected_better", "prob_worse"],
    "dataset_concordance": ["dataset_1", "dataset_2", "kendall_tau"],
    "letters": ["method", "groups"],
}
MATHS = ["cost $5 to $10", "$m^2$", "$\\frac{1}$", "plain"]
ODD = ["a_b", "50%", "R&D", "$x^2$", "a$b", "#1", "{c}", "~d", "e\\f", "$y"]


class Drawn(NamedTuple):
    """A picture on given Axes, and what else there was before and after."""

    given: Axes
    returned: Axes
    result_before: pd.DataFrame
    params_before: dict
    params_after: dict
    figures_after: list


@pytest.fixture(scope="module")
def drawn():
    """Draw a picture on Axes once, for all tests that only look at it."""

    @cache
    def draw_once(name):
        result, params, ax = small(name).copy(deep=True), dict(mpl.rcParams), axes()
        returned = draw(name, ax=ax)
        return Drawn(ax, returned, result, params, dict(mpl.rcParams), plt.get_fignums())

    return draw_once


def test_these_are_all():
    assert sorted(bp.plot.__all__) == sorted(PICTURES)
    assert {name for name in vars(BeamPlots) if not name.startswith("_")} == set(PICTURES)
    assert set(dir(bp.plot)) == {*PICTURES, "save"}
    with pytest.raises(AttributeError, match="has no attribute 'majority'"):
        bp.plot.majority  # noqa: B018


@pytest.mark.parametrize("name", PICTURES)
def test_given_axes_are_returned_and_nothing_else_changes(name, drawn):
    picture = drawn(name)
    assert picture.returned is picture.given
    pd.testing.assert_frame_equal(small(name), picture.result_before)
    assert picture.params_after == picture.params_before
    assert picture.figures_after == []


@pytest.mark.parametrize("name", FEWER)
def test_without_axes_there_is_a_figure_that_pyplot_does_not_keep(name):
    ax = draw(name, width=5.0)
    assert plt.get_fignums() == []
    assert ax.figure.get_size_inches()[0] == pytest.approx(5.0)


@pytest.mark.parametrize("name", FEWEST)
def test_files_are_written(name, drawn):
    ax = draw(name, ax=axes())  # of its own: what is saved is fitted anew
    for suffix in ("png", "svg", "pdf"):
        buffer = io.BytesIO()
        ax.figure.savefig(buffer, format=suffix, dpi=72)
        assert buffer.tell() > 1000


@pytest.mark.parametrize("name", PICTURES)
def test_a_wrong_frame_is_refused_with_the_function_that_makes_it(name):
    with pytest.raises(bp.MissingColumnsError, match=f"beam_pandas.{MAKERS[name]}"):
        call(name, ACCURACY, ax=axes())
    with pytest.raises(bp.BeamError, match=r"needs a pandas DataFrame, found list"):
        call(name, [1, 2])
    with pytest.raises(bp.BeamError, match=rf"beam_pandas\.{MAKERS[name]}"):
        call(name, small(name).head(0))
    assert plt.get_fignums() == []


@pytest.mark.parametrize("name", NEEDED)
def test_each_column_that_is_drawn_is_needed(name):
    for column in NEEDED[name]:
        lacking = small(name).drop(columns=column)
        with pytest.raises(bp.MissingColumnsError, match=f"lacking are '{column}', found"):
            call(name, lacking, ax=axes())


@pytest.fixture(scope="module")
def two_axes():
    return Figure().subplots(2)


@pytest.mark.parametrize("name", PICTURES)
def test_axes_are_checked(name, two_axes):
    with pytest.raises(bp.ScoreTypeError, match="ax must be matplotlib Axes"):
        draw(name, ax=Figure())
    with pytest.raises(bp.BeamError, match="ax must be 1 Axes for 1 panel, got 2"):
        draw(name, ax=two_axes)


@pytest.mark.parametrize("name", FEWEST)
def test_several_metrics_take_a_panel_each(name):
    metrics = ["accuracy", "fit_time"]
    part = SCORES[SCORES["metric"].isin(metrics)]
    if name in POOLED:
        frame = pd.concat([part.assign(half=half) for half in metrics])
        target = frame.groupby("half").beam.plot
    elif name == "letters":
        target = part.beam.pairwise().beam.plot
    else:
        target = part.beam.plot
    method = getattr(target, name)
    panels = method(**asked(name))
    assert [isinstance(panels, np.ndarray), len(panels)] == [True, 2]
    given = Figure((7.0, 14.0)).subplots(2)
    assert list(method(**asked(name), ax=given)) == list(given)
    with pytest.raises(bp.BeamError, match="ax must be 2 Axes for 2 panels, one for each"):
        method(**asked(name), ax=axes())


@pytest.mark.parametrize("name", FEWER)
def test_the_accessor_draws_what_the_function_draws(name, drawn):
    scores = SCORES if name in POOLED else ACCURACY
    if name == "letters":  # of a result of pairs
        scores = ACCURACY.beam.pairwise()
    one = getattr(scores.beam.plot, name)(**asked(name), ax=axes())
    more = {"ranks": ACCURACY.beam.ranks()} if name == "pairwise" else {}
    other = draw(name, ax=axes(), **more) if more else drawn(name).given
    assert [t.get_text() for t in one.texts] == [t.get_text() for t in other.texts]
    assert [t.get_text() for t in tick_labels(one)] == [
        t.get_text() for t in tick_labels(other)
    ]
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        getattr(scores.beam.plot, name)(**asked(name), colour="red")


@pytest.mark.parametrize("name", PICTURES)
def test_every_option_of_a_picture_is_one_of_the_accessor(name):
    picture = inspect.signature(getattr(bp.plot, name)).parameters
    method = inspect.signature(getattr(BeamPlots, name)).parameters
    assert set(picture) - {"result"} <= set(method)
    asked = {"result", "rope", *ASKED.get(name, {})}
    assert all(p.kind is p.KEYWORD_ONLY for key, p in picture.items() if key not in asked)
    assert all(method[key].kind is p.kind for key, p in picture.items() if key != "result")
    for key in set(picture) & set(method):
        assert picture[key].default == method[key].default


def test_a_control_is_computed_and_drawn():
    ax = ACCURACY.beam.plot.critical_difference(
        control="SVC", missing="drop_methods", ax=axes()
    )
    bold = [text.get_text() for text in ax.texts if text.get_fontweight() == "bold"]
    table = ACCURACY.beam.compare_to_control("SVC", missing="drop_methods")
    assert bold == [f"SVC  {table['control_mean_rank'].iloc[0]:.2f}"]


def test_accessors_keep_nothing_and_say_what_they_draw():
    assert repr(ACCURACY.beam.plot) == f"<beam.plot: {', '.join(bp.plot.__all__)}>"
    assert ACCURACY.beam.plot is not ACCURACY.beam.plot
    dir(pd.DataFrame({"a": [1]}).beam.plot)


def test_odd_labels_are_drawn_as_given():
    rename = dict(zip(sorted(BENCHMARK_ACCURACY["method"].unique()), ODD, strict=False))
    odd = BENCHMARK_ACCURACY.assign(method=BENCHMARK_ACCURACY["method"].replace(rename))
    ax = odd.beam.plot.comparison_matrix(annotate=False, width=7)
    found = [label.get_text() for label in ax.get_yticklabels()]
    assert set(ODD) <= set(found)
    ax.figure.draw_without_rendering()
    ax = odd.beam.plot.critical_difference(missing="drop_datasets", width=7)
    ax.figure.savefig(io.BytesIO())


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("a_b", r"a\_b"),
        (r"a\_b", r"a\_b"),
        ("50%", r"50\%"),
        ("R&D #1", r"R\&D \#1"),
        ("a$b", r"a\$b"),
        ("$x_1$", r"\$x\_1\$"),
        ("cost $5 to $10", r"cost \$5 to \$10"),
        ("{c}", r"\{c\}"),
        ("~^", r"\textasciitilde{}\textasciicircum{}"),
        ("e\\f", r"e\textbackslash{}f"),
        ("a<b>c|", r"a\textless{}b\textgreater{}c\textbar{}"),
    ],
)
def test_labels_are_escaped_once_and_only_for_tex(given, expected):
    assert escape_tex(given) == expected
    assert label_text(given) == given
    with mpl.rc_context({"text.usetex": True}):
        assert label_text(given) == expected


def test_labels_are_one_line_of_text():
    assert label_text("$\\nonsense{$") == "$\\nonsense{$"
    assert label_text(np.int64(3)) == "3"
    assert label_text("two\nlines") == "two lines"
    assert label_text("") == " "


@pytest.mark.parametrize("name", FEWEST)
def test_no_name_is_taken_for_maths(name):  # noqa: C901, a case for each picture
    rename = dict(zip(sorted(ACCURACY["method"].unique()), MATHS, strict=False))
    frame = ACCURACY.replace({"method": rename}).query("method in @MATHS")
    frame = frame.replace(
        {"dataset": dict(zip(sorted(frame["dataset"].unique()), MATHS, strict=False))}
    )
    two = [
        frame.assign(metric="$a$", part="$p$ and $q$"),
        frame.assign(metric="$b$", part="r"),
    ]
    frame = pd.concat(two)
    options = {key: value for key, value in asked(name).items() if key != "missing"}
    if name == "critical_difference":
        options |= {"control": "$m^2$", "missing": "drop_datasets"}
    if name in ("rank_intervals", "aggregate_scores", "critical_difference"):
        options["missing"] = "drop_datasets"
    if name == "trade_off":
        frame = pd.concat(
            [frame.assign(metric=metric) for metric in ("accuracy", "fit_time")]
        )
    if name == "simplex":
        options |= {"method_1": "cost $5 to $10", "method_2": "$m^2$"}
    if name == "duel":
        options = {"method_1": "cost $5 to $10", "method_2": "$m^2$"}
    if name == "rank_flow":
        frame = pd.concat([frame.assign(metric=metric) for metric in ("$a$", "$b$")])
    draw = getattr(frame.groupby("part").beam.plot, name)
    if name not in ("missing_scores", "letters"):
        options["higher_is_better"] = True
    if name == "letters":
        pairs = frame.groupby("part").beam.pairwise(higher_is_better=True)
        draw = pairs.beam.plot.letters
    for ax in draw(**options):
        ax.figure.draw_without_rendering()
        found = [
            *written(ax),
            *(text for child in ax.child_axes for text in written(child)),
        ]
        legend = ax.get_legend()
        found += [legend.get_title()] if legend else []
        assert any("$" in text.get_text() for text in found)
        for text in found:
            if "$" in text.get_text():
                assert not text.get_parse_math()


def test_text_takes_the_callers_size_and_colour():
    with mpl.rc_context({"xtick.labelsize": 6.0, "text.color": "navy"}):
        ax = draw("critical_difference", ax=axes())
    assert {text.get_fontsize() for text in ax.texts} == {6.0}
    assert {text.get_color() for text in ax.texts} == {"navy"}


def test_matplotlib_is_loaded_to_draw_and_pyplot_never(tmp_path):
    code = """
import sys
import beam_pandas
assert not any(name.startswith("matplotlib") for name in sys.modules)
beam_pandas.plot
assert not any(name.startswith("matplotlib") for name in sys.modules)
scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
result = scores.beam.critical_difference(missing="drop_methods")
sys.modules["matplotlib"] = None
for call in (
    lambda: beam_pandas.plot.critical_difference(result),
    lambda: scores.beam.plot.critical_difference(),
    lambda: scores.beam.plot.missing_scores(),
):
    try:
        call()
    except beam_pandas.MissingDependencyError as error:
        assert 'pip install "beam_pandas[plot]"' in str(error)
    else:
        raise SystemExit(1)
del sys.modules["matplotlib"]
from matplotlib.figure import Figure
ax = Figure().add_subplot()
scores.beam.plot.critical_difference(missing="drop_methods", ax=ax)
scores.beam.plot.missing_scores(ax=Figure(layout="constrained").add_subplot())
beam_pandas.plot.save(scores.beam.plot.transitivity(width=3), sys.argv[1])
assert "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code, tmp_path / "a.png"], check=True)


@pytest.mark.skipif(shutil.which("latex") is None, reason="LaTeX is not installed")
@pytest.mark.skipif(shutil.which("dvipng") is None, reason="dvipng is not installed")
def test_odd_labels_are_set_by_latex():
    frame = pd.DataFrame(
        [(method, f"d_{at}", "50%_f1", place + at % 3) for place, method in enumerate(ODD[:4])
         for at in range(9)],
        columns=["method", "dataset", "metric", "score"],
    )  # fmt: skip
    with mpl.rc_context({"text.usetex": True}):
        ax = Figure((7, 3)).add_axes((0, 0, 1, 1))
        frame.beam.plot.critical_difference(higher_is_better=True, ax=ax)
        written = io.BytesIO()
        ax.figure.savefig(written, format="png")
    assert written.getvalue().startswith(b"\x89PNG")


@pytest.fixture(scope="module")
def wrong_axes():
    """Axes that no picture can be drawn on, with what an error says of them."""
    removed = Figure().add_subplot()
    removed.remove()
    return [
        (Figure().add_subplot(projection="polar"), "got a projection: 'polar'"),
        (Figure().add_subplot(projection="3d"), "got a projection: '3d'"),
        (removed, "must belong to a figure"),
        (Figure().add_axes((0.5, 0.5, 0, 0)), "must have room to draw"),
    ]


@pytest.mark.parametrize("name", PICTURES)
def test_axes_that_cannot_be_drawn_on_are_refused(name, wrong_axes):
    for ax, message in wrong_axes:
        with pytest.raises(bp.BeamError, match=message):
            draw(name, ax=ax)


@pytest.mark.parametrize("name", FEWEST)
def test_axes_of_a_subfigure_and_with_other_scales(name):
    figure = Figure((14, 7), layout="constrained")
    ax = figure.subfigures(1, 2)[1].add_subplot()
    ax.set_xscale("log")
    assert draw(name, ax=ax) is ax
    assert ax.get_xscale() == "linear"
    figure.savefig(io.BytesIO(), format="png")


def test_one_axes_for_two_panels_is_refused():
    result = SCORES.beam.critical_difference(missing="drop_methods")
    two = result[result["metric"].isin(["accuracy", "roc_auc"])]
    ax = axes()
    with pytest.raises(bp.BeamError, match="one of them twice"):
        bp.plot.critical_difference(two, ax=[ax, ax])


def test_columns_in_another_order_make_no_panels():
    result = small("transitivity").drop(columns="metric")
    ax = bp.plot.transitivity(result[result.columns[::-1]], ax=axes())
    assert ax.get_title() == ""


@pytest.mark.parametrize(
    ("column", "value"),
    [
        *((name, value) for name in ("rank_diff", "n_datasets")
          for value in (np.nan, np.inf, "text", pd.NA)),
        ("significant", np.nan),
        ("significant", pd.NA),
    ],
)  # fmt: skip
def test_a_control_with_values_that_are_none_is_refused(column, value):
    result = ACCURACY.beam.compare_to_control("SVC", missing="drop_methods")
    odd = result.astype(object).assign(**{column: [value] * len(result)})
    with pytest.raises(bp.BeamError):
        bp.plot.critical_difference(odd, ax=axes())


def test_an_empty_square_of_several_metrics_is_refused():
    square = SCORES.beam.comparison_matrix()
    with pytest.raises(bp.BeamError, match="needs rows and columns"):
        bp.plot.comparison_matrix(square.iloc[:0], ax=axes())


def test_without_matplotlib_a_picture_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(bp.MissingDependencyError, match="pictures need matplotlib"):
        draw("critical_difference")


@pytest.mark.parametrize("name", NEEDED)
def test_a_result_without_rows_or_with_a_column_twice_is_refused(name):
    result = small(name)
    with pytest.raises(bp.BeamError, match="needs at least one row, found none: pass"):
        call(name, result.iloc[:0])
    column = NEEDED[name][0]
    twice = pd.concat([result, result[[column]]], axis=1)
    with pytest.raises(bp.BeamError, match=f"column '{column}' is needed once"):
        call(name, twice)


def test_two_controls_in_one_panel_are_refused():
    results = [ACCURACY.beam.compare_to_control(name, missing="drop_methods")
               for name in ("SVC", "MLP")]  # fmt: skip
    with pytest.raises(bp.BeamError, match="needs one control for each panel"):
        bp.plot.critical_difference(pd.concat(results, ignore_index=True))


def test_colours_and_format_of_the_cells_reach_the_picture():
    ax = ACCURACY.beam.plot.comparison_matrix(
        cmap="magma", fmt=".1f", annotate=True, ax=axes()
    )
    assert ax.images[0].get_cmap().name == "magma"
    counts = small("comparison_matrix").to_numpy()
    assert f"{counts.max():.1f}" in {text.get_text() for text in ax.texts}
