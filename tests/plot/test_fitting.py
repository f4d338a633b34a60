"""Pictures fit the room they have: in grids, after a resize, at any resolution."""

import io
import pickle
from functools import cache

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import beam_pandas as bp
from tests.plot.artists import (
    assert_no_overlap,
    assert_within,
    names,
    result,
    scores,
    texts,
    written,
)
from tests.plot.samples import FEWEST, draw

SLOW = pytest.mark.slow
LAYOUTS = [  # each with both orders of drawing, one of them as a newcomer's test
    (None, (0, 1)), ("constrained", (1, 0)),
    *(pytest.param(*case, marks=SLOW)
      for case in ((None, (1, 0)), ("constrained", (0, 1)), ("tight", (0, 1)),
                   ("tight", (1, 0)), ("compressed", (0, 1)), ("compressed", (1, 0)))),
]  # fmt: skip
LESS = [pytest.param(None, marks=SLOW), "constrained"]


@pytest.fixture(scope="module")
def narrow():
    """Draw a picture in one column of a page once; what a test changes, it says."""
    return cache(lambda name: draw(name, width=3.5))


def assert_fits(ax, page=None, tolerance=1.0):
    """Nothing overlaps, and all is in the slot that the figure gives the Axes."""
    slot = [child for child in ax.get_children() if child.get_label() == "_slot"][-1]
    assert_within(page or slot.get_window_extent(), written(ax), tolerance)
    assert_no_overlap(texts(ax), tolerance)
    assert_no_overlap(ax.get_yticklabels(), tolerance)


@pytest.mark.parametrize(("layout", "order"), LAYOUTS)
def test_a_panel_that_comes_later_takes_room_but_makes_no_overlap(layout, order):
    figure, axes = plt.subplots(2, 2, figsize=(9, 7), layout=layout)
    drawn = [("critical_difference", axes[0, 0]), ("transitivity", axes[0, 1])]
    for at in order:
        name, ax = drawn[at]
        draw(name, ax=ax)
    axes[1, 1].plot([1, 2], [1000000, 2000000])
    axes[1, 1].set_ylabel("something\nof others")
    figure.draw_without_rendering()
    for _, ax in drawn:
        assert_fits(ax)
    plt.close(figure)


@pytest.mark.parametrize("layout", LESS)
@pytest.mark.parametrize("name", FEWEST)
def test_a_figure_that_changes_size_and_resolution(name, layout):
    figure = Figure((7.0, 6.0), layout=layout)
    ax = draw(name, ax=figure.add_subplot())
    for size, dpi in (((4.0, 4.0), 100), ((8.0, 3.0), 150)):
        figure.set_size_inches(size)
        figure.set_dpi(dpi)
        figure.draw_without_rendering()
        assert_fits(ax)


@pytest.mark.parametrize("name", FEWEST)
def test_text_is_inside_whatever_the_resolution_it_is_saved_at(name, narrow):
    ax = narrow(name)
    before = ax.figure.dpi
    for dpi in (72, 150, 300, before):
        ax.figure.set_dpi(dpi)
        ax.figure.draw_without_rendering()
        assert_within(ax.figure.bbox, written(ax), tolerance=1.0)


def test_rows_of_a_diagram_keep_their_distance_even_before_it_is_fitted_anew():
    figure = Figure((7.0, 4.0))
    ax = draw("critical_difference", ax=figure.add_subplot())
    before = [text.get_window_extent().height for text in texts(ax)]
    ax.set_position((0.1, 0.1, 0.8, 0.3))
    after = [text.get_window_extent().height for text in texts(ax)]
    assert after == pytest.approx(before)
    left = [text for text in texts(ax) if text.get_ha() == "right"]
    assert_no_overlap(left)


@pytest.mark.parametrize("name", FEWEST)
def test_a_picture_drawn_twice_is_the_same(name, narrow):
    ax = narrow(name)
    images = []
    for dpi in (60, 90, 60):
        buffer = io.BytesIO()
        ax.figure.savefig(buffer, dpi=dpi)
        images.append(buffer.getvalue())
    assert images[0] == images[2]


@pytest.mark.parametrize("name", FEWEST)
def test_a_figure_can_be_pickled(name, narrow):
    ax = narrow(name)
    again = pickle.loads(pickle.dumps(ax.figure))
    again.draw_without_rendering()
    assert [text.get_text() for text in again.axes[0].texts] == [
        text.get_text() for text in ax.texts
    ]
    again.set_size_inches((5.0, 5.0))
    again.draw_without_rendering()
    assert_fits(again.axes[0])


def test_what_a_user_changes_stays_unless_the_room_changes():
    ax = draw("critical_difference", width=7.0)
    ax.texts[0].set_color("red")
    ax.texts[1].set_fontsize(5.0)
    ax.figure.draw_without_rendering()
    assert ax.texts[0].get_color() == "red"
    assert ax.texts[1].get_fontsize() == 5.0
    ax.figure.set_dpi(200)
    ax.figure.draw_without_rendering()
    assert ax.texts[0].get_color() == "red"
    draw("transitivity", ax=(other := Figure((6, 6)).add_subplot()))
    other.get_legend().remove()
    other.figure.set_size_inches((4, 4))
    other.figure.draw_without_rendering()
    assert other.get_legend() is None


def test_axes_that_are_cleared_are_as_any_others():
    figure = Figure((6, 6))
    ax = draw("transitivity", ax=figure.add_subplot())
    inner = ax.get_window_extent().width
    ax.clear()
    ax.plot([1, 2], [1, 2])
    figure.draw_without_rendering()
    assert ax.get_window_extent().width > inner
    draw("comparison_matrix", ax=ax)
    figure.draw_without_rendering()
    assert_fits(ax)


@pytest.mark.parametrize("length", [pytest.param(3, marks=SLOW), 120])
def test_pictures_in_tiny_axes(length):
    frame = pd.DataFrame(
        [(name, f"d{at}", (at * place) % 7) for place, name in enumerate(names(4, 3))
         for at in range(6)],
        columns=["method", "dataset", "score"],
    ).replace({"method": {names(4, 3)[0]: "x" * length}})  # fmt: skip
    for name, options in (
        ("comparison_matrix", {}),
        ("transitivity", {}),
        ("bayesian_sign", {"rope": 0.5}),
    ):
        figure = Figure((3.0, 3.0))
        ax = figure.subplots(2, 2)[0, 0]
        getattr(frame.beam.plot, name)(**options, higher_is_better=True, ax=ax)
        figure.draw_without_rendering()
        assert_fits(ax)


def test_metrics_stand_in_a_grid_that_goes_on_a_page():
    parts = [scores(7, 12).assign(metric=f"metric {at}") for at in range(5)]
    frame = pd.concat(parts)
    panels = frame.beam.plot.bayesian_sign(0.1, higher_is_better=True)
    width, height = panels[0].figure.get_size_inches()
    assert width <= 13
    assert height <= 11.01
    places = {(round(ax.get_position(original=True).x0, 3),
               round(ax.get_position(original=True).y0, 3)) for ax in panels}  # fmt: skip
    assert len(places) == 5
    panels[0].figure.draw_without_rendering()
    for ax in panels:
        assert_fits(ax)
    explained = [ax.get_legend() is not None for ax in panels]
    assert explained[0]
    assert not explained[-1]
    assert {ax.get_ylabel() for ax in panels} == {"method in row", ""}


def test_ticks_beside_a_map_without_texts_stay_in_the_slot():
    table = result("comparison_matrix", 30)
    figure = Figure((4.0, 4.0), layout="constrained")
    ax, other = figure.subplots(1, 2)
    bp.plot.comparison_matrix(table, ax=ax)
    figure.draw_without_rendering()
    bar = next(each for each in figure.axes if each.get_label() == "_colour_bar")
    right = ax.get_position(original=True).x1 * figure.bbox.width
    for label in bar.get_yticklabels():
        assert label.get_window_extent().x1 <= right + 1.0
    assert bar.get_window_extent().x0 >= ax.get_window_extent().x1
    np.testing.assert_allclose(bar.get_window_extent().y0, ax.get_window_extent().y0)
