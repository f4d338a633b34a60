"""The critical difference diagram, by its artists."""

import itertools
import math

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

import beam_pandas as bp
from beam_pandas.plot.diagram_layout import choose_ticks, stack_bars
from tests.plot.artists import assert_inside, assert_no_overlap, lines, scores, texts
from tests.tables import DEMSAR

ACCURACY = bp.load_benchmark().query("metric == 'accuracy'")
TABLE = ACCURACY.beam.critical_difference(missing="drop_methods")
CONTROL = ACCURACY.beam.compare_to_control("RandomForest", missing="drop_methods")
MANY = bp.load_benchmark().beam.critical_difference(missing="drop_methods")


def axes(width=7.0, height=4.0):
    return Figure((width, height)).add_subplot()


def labels(ax):
    return [text for text in texts(ax) if not text.get_text().startswith("CD = ")]


@pytest.mark.parametrize("best", ["left", "right"])
def test_labels_stand_on_both_sides_in_the_order_of_the_ranks(best):
    ax = bp.plot.critical_difference(TABLE, ax=axes(), best=best, show_ranks=False)
    assert [text.get_text() for text in labels(ax)] == TABLE["method"].tolist()
    sides = [text.get_ha() for text in labels(ax)]
    near, far = ("right", "left") if best == "left" else ("left", "right")
    assert sides == [near] * 7 + [far] * 6
    y = [text.get_position()[1] for text in labels(ax)]
    assert y[:7] == sorted(y[:7])
    assert y[7:] == sorted(y[7:], reverse=True)
    first, last = ax.get_xlim()
    assert (first < last) == (best == "left")


def test_mean_ranks_are_printed_next_to_their_lines():
    ax = bp.plot.critical_difference(TABLE, ax=axes())
    found = [text.get_text() for text in labels(ax)]
    assert found[0] == "SVC  4.61"
    assert found[-1] == "10.81  DecisionTree"


def test_each_method_hangs_at_its_mean_rank():
    ax = bp.plot.critical_difference(TABLE, ax=axes())
    ends = [line.get_xdata()[-1] for line in lines(ax, "_leader")]
    np.testing.assert_array_equal(ends, TABLE["mean_rank"])


@pytest.mark.parametrize("best", ["left", "right"])
def test_a_bar_joins_the_first_and_last_of_each_clique(best):
    ax = bp.plot.critical_difference(TABLE, ax=axes(), best=best)
    members = ACCURACY.beam.cliques(missing="drop_methods").query("n_methods > 1")
    ends = members.groupby("groups")["mean_rank"].agg(["min", "max"])
    found = [tuple(line.get_xdata()) for line in lines(ax, "_bar")]
    assert found == list(ends.itertuples(index=False, name=None))


@pytest.mark.parametrize("n_methods", [3, 14, 25, 40, 60])
def test_bars_that_overlap_have_different_heights(n_methods):
    table = scores(n_methods).beam.critical_difference()
    ax = bp.plot.critical_difference(table)
    bars = [(*line.get_xdata(), line.get_ydata()[0]) for line in lines(ax, "_bar")]
    for one, other in itertools.combinations(bars, 2):
        if min(one[1], other[1]) >= max(one[0], other[0]):
            assert one[2] != other[2]


def test_methods_alone_have_no_bar_and_equal_ones_have():
    table = pd.DataFrame(
        {
            "method": ["a", "b", "c"],
            "n_datasets": 9,
            "mean_rank": [1.5, 1.5, 3.0],
            "groups": ["a", "a", "b"],
            "critical_difference": 0.5,
            "friedman_statistic": 1.0,
            "friedman_p_value": 0.1,
        }
    )
    ax = bp.plot.critical_difference(table, ax=axes())
    assert [tuple(line.get_xdata()) for line in lines(ax, "_bar")] == [(1.5, 1.5)]
    assert lines(ax, "_bar")[0].get_solid_capstyle() == "round"


@pytest.mark.parametrize("best", ["left", "right"])
def test_the_critical_difference_is_drawn_to_scale_from_rank_one(best):
    ax = bp.plot.critical_difference(TABLE, ax=axes(), best=best)
    (bar,) = lines(ax, "_critical_difference")
    start, stop = bar.get_xdata()
    assert start == 1.0
    assert stop - start == pytest.approx(TABLE["critical_difference"].iloc[0], rel=1e-12)
    assert "CD = 3.23" in [text.get_text() for text in texts(ax)]


def test_a_critical_difference_beyond_the_axis_stays_inside():
    table = DEMSAR[DEMSAR["dataset"].isin(["cmc", "iris", "wine"])]
    with pytest.warns(bp.BeamWarning, match="whatever the scores"):
        table = table.beam.critical_difference(alpha=0.001)
    for best in ("left", "right"):
        ax = bp.plot.critical_difference(table, best=best)
        assert_inside(ax.figure, [*lines(ax, "_critical_difference"), *texts(ax)])


def assert_tidy(ax):
    figure = ax.figure
    figure.draw_without_rendering()
    ticks = [label for label in ax.get_xticklabels() if label.get_text()]
    assert len(ticks) >= 2
    items = [*texts(ax), *ticks, ax.xaxis.label]
    assert_no_overlap(items)
    assert_inside(figure, [*items, *ax.lines])


@pytest.mark.filterwarnings("ignore:the labels have:beam_pandas.BeamWarning")
@pytest.mark.parametrize("width", [None, 3.5, 7.0])
@pytest.mark.parametrize("length", [3, 40])
@pytest.mark.parametrize("n_methods", [3, 14, 25, 40, 60])
def test_nothing_overlaps_and_nothing_leaves_the_figure(n_methods, length, width):
    table = scores(n_methods, length).beam.critical_difference()
    for best in ("left", "right"):
        ax = bp.plot.critical_difference(table, width=width, best=best)
        assert_tidy(ax)
        if width is not None:
            assert ax.figure.get_size_inches()[0] == pytest.approx(width)
    plt.close("all")


@pytest.mark.filterwarnings("ignore:the labels have:beam_pandas.BeamWarning")
@pytest.mark.parametrize("layout", [None, "constrained", "tight"])
def test_given_axes_hold_everything_however_small(layout):
    table = scores(25, 40).beam.critical_difference()
    figure = Figure((6.0, 2.0), layout=layout)
    upper, lower = figure.subplots(2)
    lower.plot([1, 2], [1, 2])
    assert bp.plot.critical_difference(table, ax=upper) is upper
    assert_tidy(upper)


def test_labels_too_small_to_read_are_announced():
    table = scores(60).beam.critical_difference()
    with pytest.warns(bp.BeamWarning, match=r"the labels have \d\.\d points") as caught:
        bp.plot.critical_difference(table, ax=axes(3.5, 1.0))
    assert caught[0].filename == __file__


def test_panels_share_the_rank_axis():
    panels = bp.plot.critical_difference(MANY)
    assert isinstance(panels, np.ndarray)
    assert [ax.get_title() for ax in panels] == MANY["metric"].unique().tolist()
    assert len({ax.get_xlim() for ax in panels}) == 1
    for ax in panels:
        assert_tidy(ax)
    every = [text for ax in panels for text in [*texts(ax), ax.title]]
    assert_no_overlap(every)
    assert_inside(panels[0].figure, every)
    one = bp.plot.critical_difference(MANY.query("metric == 'roc_auc'"), ax=axes())
    assert one.get_title() == ""


def test_groups_are_panels_too():
    frame = pd.concat([ACCURACY.assign(half=half) for half in ("one", "two")])
    table = frame.groupby("half").beam.critical_difference(missing="drop_methods")
    panels = bp.plot.critical_difference(table)
    assert [ax.get_title() for ax in panels] == ["one, accuracy", "two, accuracy"]


@pytest.mark.parametrize("best", ["left", "right"])
def test_the_interval_around_a_control(best):
    ax = bp.plot.critical_difference(CONTROL, ax=axes(), best=best)
    ranks = TABLE.set_index("method")["mean_rank"]
    (bar,) = lines(ax, "_bar")
    gap = CONTROL["critical_difference"].iloc[0]
    center = ranks["RandomForest"]
    np.testing.assert_allclose(bar.get_xdata(), [center - gap, center + gap], rtol=1e-12)
    ends = [line.get_xdata()[-1] for line in lines(ax, "_leader")]
    np.testing.assert_allclose(ends, ranks, rtol=1e-12)
    dashed = [line.get_linestyle() == "--" for line in lines(ax, "_leader")]
    apart = CONTROL.set_index("method")["significant"]
    assert dashed == [not apart.get(method, True) for method in TABLE["method"]]
    bold = [text.get_text() for text in labels(ax) if text.get_fontweight() == "bold"]
    assert len(bold) == 1
    assert "RandomForest" in bold[0]


def test_a_step_method_has_no_interval():
    table = ACCURACY.beam.compare_to_control("SVC", adjust="holm", missing="drop_methods")
    ax = bp.plot.critical_difference(table, ax=axes())
    assert not lines(ax, "_bar")
    assert not lines(ax, "_critical_difference")
    assert len(lines(ax, "_leader")) == 13


def test_a_control_without_all_rows_is_refused():
    part = CONTROL[CONTROL["method"] != "KNeighbors"]
    with pytest.raises(
        bp.BeamError, match="a row for every method compared with the control"
    ):
        bp.plot.critical_difference(part)


def test_chosen_methods_are_bold_and_coloured():
    ax = bp.plot.critical_difference(TABLE, ax=axes(), highlight=["MLP", "SVC"])
    bold = [text for text in labels(ax) if text.get_fontweight() == "bold"]
    assert [text.get_text().split()[0] for text in bold] == ["SVC", "MLP"]
    plain = {text.get_color() for text in labels(ax)} - {text.get_color() for text in bold}
    assert plain == {"black"}
    one = bp.plot.critical_difference(TABLE, ax=axes(), highlight="MLP")
    assert sum(text.get_fontweight() == "bold" for text in labels(one)) == 1


def test_what_is_refused():
    with pytest.raises(bp.BeamError, match=r"highlight must name methods.*got 'mlp'"):
        bp.plot.critical_difference(TABLE, highlight="mlp")
    with pytest.raises(bp.BeamError, match=r"best must be one of \['left', 'right'\]"):
        bp.plot.critical_difference(TABLE, best="top")
    with pytest.raises(
        bp.BeamError, match="width must be a number of inches, at least 1.5"
    ):
        bp.plot.critical_difference(TABLE, width=0)
    with pytest.raises(bp.BeamError, match="critical_difference needs one value"):
        bp.plot.critical_difference(MANY.drop(columns="metric"))
    with pytest.raises(bp.BeamError, match="two methods, found 1"):
        bp.plot.critical_difference(TABLE.head(1))
    with pytest.raises(bp.BeamError, match="mean ranks must be numbers from 1"):
        bp.plot.critical_difference(TABLE.assign(mean_rank=math.nan))


def test_rows_in_any_order_give_the_same_picture():
    shuffled = TABLE.sample(frac=1.0, random_state=1)
    one, other = (bp.plot.critical_difference(t, ax=axes()) for t in (TABLE, shuffled))
    assert [t.get_text() for t in one.texts] == [t.get_text() for t in other.texts]


intervals = st.lists(
    st.tuples(st.integers(1, 40), st.integers(0, 15)).map(lambda t: (t[0], t[0] + t[1])),
    max_size=30,
).map(sorted)


@given(intervals)
def test_bars_are_packed_as_low_as_they_fit(bars):
    heights = stack_bars([bar[0] for bar in bars], [bar[1] for bar in bars], 0.5)
    for (one, low), (other, high) in itertools.combinations(
        zip(bars, heights, strict=True), 2
    ):
        if min(one[1], other[1]) >= max(one[0], other[0]):
            assert low != high
    deepest = max(
        (sum(a <= at and at < b + 0.5 for a, b in bars) for at in range(60)), default=0
    )
    assert max(heights, default=-1) + 1 == deepest


@given(st.integers(2, 200), st.floats(0.1, 50))
def test_numbers_of_ranks_have_room_and_include_the_ends(n_methods, room):
    ticks = choose_ticks(n_methods, room)
    assert ticks[0] == 1
    assert ticks[-1] == n_methods
    assert ticks == sorted(set(ticks))
    if len(ticks) > 2:
        assert min(np.diff(ticks)) >= room
