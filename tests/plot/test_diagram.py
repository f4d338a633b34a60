"""The critical difference diagram, by its artists."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

import beam_pandas as bp
from beam_pandas.plot.diagram_layout import choose_ticks, stack_bars
from tests.plot.artists import (
    assert_inside,
    assert_no_overlap,
    assert_within,
    lines,
    result,
    scores,
    texts,
    tick_labels,
    written,
)
from tests.tables import DEMSAR

ACCURACY = bp.load_benchmark().query("metric == 'accuracy'")
TABLE = ACCURACY.beam.critical_difference(missing="drop_methods")
CONTROL = ACCURACY.beam.compare_to_control(
    "RandomForest", adjust="bonferroni", missing="drop_methods"
)
THREE = bp.load_benchmark().query("metric in ['accuracy', 'log_loss', 'roc_auc']")
MANY = THREE.beam.critical_difference(missing="drop_methods")


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


@pytest.mark.parametrize("n_methods", [3, 14, pytest.param(25, marks=pytest.mark.slow), 40])
def test_bars_that_overlap_have_different_heights(n_methods):
    ax = bp.plot.critical_difference(result("critical_difference", n_methods))
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


SIZES = list(itertools.product([3, 14, 25, 40], [3, 40], [None, 3.5, 7.0]))
SOME = [(3, 40, 3.5), (14, 40, 7.0), (40, 3, 3.5)]


@pytest.mark.filterwarnings("ignore:the labels have:beam_pandas.BeamWarning")
@pytest.mark.parametrize(
    "size", [pytest.param(s, marks=[] if s in SOME else pytest.mark.slow) for s in SIZES]
)
def test_nothing_overlaps_and_nothing_leaves_the_figure(size):
    n_methods, length, width = size
    table = result("critical_difference", n_methods, length)
    for best in ("left", "right"):
        ax = bp.plot.critical_difference(table, width=width, best=best)
        assert_tidy(ax)
        if width is not None:
            assert ax.figure.get_size_inches()[0] == pytest.approx(width)


@pytest.mark.filterwarnings("ignore:the labels have:beam_pandas.BeamWarning")
@pytest.mark.parametrize(
    "layout",
    [
        "constrained",
        *(pytest.param(name, marks=pytest.mark.slow) for name in (None, "tight")),
    ],
)
def test_given_axes_hold_everything_however_small(layout):
    table = result("critical_difference", 14, 40)
    figure = Figure((6.0, 2.0), layout=layout)
    upper, lower = figure.subplots(2)
    lower.plot([1, 2], [1, 2])
    assert bp.plot.critical_difference(table, ax=upper) is upper
    assert_tidy(upper)


def test_labels_too_small_to_read_are_announced():
    table = result("critical_difference", 40)
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
    for left_out in CONTROL["method"]:
        with pytest.raises(bp.BeamError, match="a row for every method"):
            bp.plot.critical_difference(CONTROL[CONTROL["method"] != left_out])


def test_a_missing_row_that_fits_the_sum_of_mean_ranks_is_noticed():
    values = {"A": [3, 1, 0], "B": [0, 2, 1], "C": [1, 0, 3], "D": [2, 3, 2]}
    frame = pd.DataFrame(
        [(m, d, s) for m, v in values.items() for d, s in enumerate(v)],
        columns=["method", "dataset", "score"],
    )
    table = frame.beam.compare_to_control("A", higher_is_better=True)
    ax = bp.plot.critical_difference(table, ax=axes())
    assert [text.get_text() for text in ax.texts] == [
        "D  1.67", "A  2.67", "2.67  C", "3.00  B",
    ]  # fmt: skip
    with pytest.raises(bp.BeamError, match="that lacks some: pass the whole result"):
        bp.plot.critical_difference(table.query("method != 'B'"))


def test_the_best_of_many_stay_where_they_are():
    ax = bp.plot.critical_difference(TABLE.head(5), ax=axes())
    ends = [line.get_xdata()[-1] for line in lines(ax, "_leader")]
    np.testing.assert_array_equal(ends, TABLE["mean_rank"].head(5))
    assert [label.get_text() for label in ax.get_xticklabels()][-1] == "13"
    with pytest.raises(bp.BeamError, match="lacks some: pass the whole result"):
        bp.plot.critical_difference(TABLE.head(5).drop(columns="n_methods"))
    with pytest.raises(bp.BeamError, match="each method once, found 'SVC'"):
        bp.plot.critical_difference(pd.concat([TABLE, TABLE.head(1)]))


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


@given(st.integers(3, 60), st.floats(0.1, 12))
def test_numbers_of_ranks_are_even_but_for_a_longer_last_gap(n_methods, room):
    gaps = np.diff(choose_ticks(n_methods, room))
    assert len(set(gaps[:-1])) <= 1
    assert gaps[-1] >= gaps[0]


def test_thirteen_ranks_are_numbered_evenly():
    assert choose_ticks(13, 1.7) == [1, 3, 5, 7, 9, 11, 13]
    assert choose_ticks(13, 2.2) == [1, 4, 7, 10, 13]
    assert choose_ticks(12, 2.0) == [1, 3, 5, 7, 9, 12]


def test_bars_reach_beyond_the_leaders():
    ax = bp.plot.critical_difference(TABLE, ax=axes())
    assert {bar.get_solid_capstyle() for bar in lines(ax, "_bar")} == {"projecting"}


def three_long_names():
    rows = [
        (f"{name * 13}{at}", f"d{j}", 0.5 + ((at + j) % 3) * 0.1)
        for at, name in enumerate(("abc", "def", "ghi"))
        for j in range(30)
    ]
    return pd.DataFrame(rows, columns=["method", "dataset", "score"])


@pytest.mark.filterwarnings("ignore:the labels have:beam_pandas.BeamWarning")
def test_names_wider_than_the_axes_are_shortened():
    table = three_long_names().beam.critical_difference(higher_is_better=True)
    ax = bp.plot.critical_difference(table, width=5)
    assert_tidy(ax)
    assert all("…" in text.get_text() for text in labels(ax))
    assert {text.get_text()[:3] for text in labels(ax)} >= {"abc"}
    sizes = {text.get_fontsize() for text in labels(ax)}
    assert len(sizes) == 1
    assert sizes.pop() >= 6.5
    long = pd.DataFrame(
        [(m, d, (7 * i * d) % 5) for i, m in enumerate(["x" * 120, "A", "B", "C"])
         for d in range(12)],
        columns=["method", "dataset", "score"],
    )  # fmt: skip
    table = long.beam.critical_difference(higher_is_better=True)
    assert_tidy(bp.plot.critical_difference(table, width=1.5))
    for ax in Figure((6.4, 4.8)).subplots(1, 3):
        assert_tidy(bp.plot.critical_difference(table, ax=ax))


def test_dashed_lines_of_a_control_are_explained():
    ax = bp.plot.critical_difference(CONTROL, ax=axes())
    (text,) = ax.get_legend().get_texts()
    assert text.get_text() == "not significantly different from RandomForest"
    (line,) = ax.get_legend().get_lines()
    assert line.get_linestyle() == "--"
    table = ACCURACY.beam.compare_to_control("SVC", adjust="holm", missing="drop_methods")
    ax = bp.plot.critical_difference(table, width=3.5)
    found = [text.get_text() for text in ax.get_legend().get_texts()]
    assert found[1] == 'a bar of the critical difference needs adjust="bonferroni"'
    ax.figure.draw_without_rendering()
    assert_within(ax.figure.bbox, written(ax))
    assert_no_overlap([*labels(ax), *ax.get_legend().get_texts()])
    assert bp.plot.critical_difference(TABLE, ax=axes()).get_legend() is None


MANY_WORDS = "41 methods are too many to hang on one axis: each is drawn in a row"


@pytest.mark.parametrize("best", ["left", "right"])
def test_many_methods_stand_in_rows_with_a_bar_of_one_critical_difference(best):
    table = result("critical_difference", 41)
    with pytest.warns(bp.BeamWarning, match=MANY_WORDS):
        ax = bp.plot.critical_difference(table, width=3.5, best=best)
    gap = table["critical_difference"].iloc[0]
    bars, dots = lines(ax, "_bar"), lines(ax, "_mean_rank")
    found = np.array([bar.get_xdata() for bar in bars])
    np.testing.assert_allclose(found.mean(axis=1), table["mean_rank"])
    np.testing.assert_allclose(np.ptp(found, axis=1), gap)
    assert [dot.get_xdata()[0] for dot in dots] == table["mean_rank"].tolist()
    assert [label.get_text() for label in ax.get_yticklabels()] == table["method"].tolist()
    first, last = ax.get_xlim()
    assert (first < last) == (best == "left")
    assert f"CD = {gap:.3g}: apart where bars do not touch" in [
        text.get_text() for text in ax.get_legend().get_texts()
    ]
    ax.figure.draw_without_rendering()
    assert_within(ax.figure.bbox, written(ax))
    assert_no_overlap(ax.get_yticklabels())


def test_forty_methods_still_hang_on_an_axis():
    ax = bp.plot.critical_difference(result("critical_difference", 40))
    assert len(lines(ax, "_leader")) == 40


def test_many_methods_and_a_control():
    options = {"control": "cl0", "adjust": "bonferroni"}
    frame = scores(41)
    options["control"] = frame["method"].iloc[0]
    table = frame.beam.compare_to_control(**options)
    with pytest.warns(bp.BeamWarning, match=MANY_WORDS):
        ax = bp.plot.critical_difference(table, width=3.5)
    (band,) = [patch for patch in ax.patches if patch.get_label() == "_bar"]
    gap, rank = table["critical_difference"].iloc[0], table["control_mean_rank"].iloc[0]
    x = band.get_extents().transformed(ax.transData.inverted()).intervalx
    np.testing.assert_allclose(sorted(x), [rank - gap, rank + gap])
    hollow = [dot.get_markerfacecolor() == "none" for dot in lines(ax, "_mean_rank")]
    assert sum(hollow) == (~table["significant"]).sum()
    assert len(tick_labels(ax)) > 41
