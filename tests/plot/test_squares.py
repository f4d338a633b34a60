"""Heat maps of pairs, by their cells."""

import itertools

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

import beam_pandas as bp
from beam_pandas.kernels.order import on_cycle
from beam_pandas.plot.colours import readable_on
from beam_pandas.plot.text import shorten, text_widths
from tests.plot.artists import (
    assert_no_overlap,
    assert_within,
    contrast,
    luminance,
    result,
    written,
)
from tests.tables import CYCLE, ordered

ACCURACY = bp.load_benchmark().query("metric == 'accuracy'")
COUNTS = ACCURACY.beam.comparison_matrix()


def axes(size=8.0):
    return Figure((size, size)).add_subplot()


def cells(ax):
    """Text of each cell by row and column."""
    found = {}
    for text in ax.texts:
        column, row = text.get_position()
        found[round(row), round(column)] = text.get_text()
    return found


def test_cells_hold_the_counts_of_row_against_column():
    ax = bp.plot.comparison_matrix(COUNTS, ax=axes())
    found = cells(ax)
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert sorted(labels) == COUNTS.index.tolist()
    for (row, column), value in np.ndenumerate(COUNTS.loc[labels, labels].to_numpy()):
        if row == column:
            assert (row, column) not in found
        else:
            assert found[row, column] == str(value)
    assert labels == [label.get_text() for label in ax.get_xticklabels()]
    assert (ax.get_ylabel(), ax.get_xlabel()) == (
        "method in row",
        "against method in column",
    )
    assert ax.get_ylim()[0] > ax.get_ylim()[1]


def test_the_order_of_methods_can_be_chosen():
    order = ["SVC", "AdaBoost", "MLP"]
    ax = bp.plot.comparison_matrix(COUNTS, ax=axes(), order=order)
    assert [label.get_text() for label in ax.get_yticklabels()] == order
    assert cells(ax)[0, 1] == str(COUNTS.loc["SVC", "AdaBoost"])
    with pytest.raises(bp.BeamError, match="order must name methods of the result"):
        bp.plot.comparison_matrix(COUNTS, order=["svm"])
    with pytest.raises(bp.BeamError, match="order must name each method once"):
        bp.plot.comparison_matrix(COUNTS, order=["SVC", "SVC"])


def test_any_column_of_pairs_can_be_drawn():
    square = bp.to_matrix(ACCURACY.beam.nemenyi(missing="drop_methods"), "rank_diff")
    ax = bp.plot.comparison_matrix(square, ax=axes(), fmt=".3f")
    first, second = [label.get_text() for label in ax.get_yticklabels()[:2]]
    assert first == square.mean(axis=1).idxmax()
    assert cells(ax)[0, 1] == f"{square.loc[first, second]:.3f}"
    assert (0, 0) not in cells(ax)
    low, high = ax.images[0].get_clim()
    assert low == -high
    shares = bp.to_matrix(ACCURACY.beam.pairwise(), "share_better")
    ax = bp.plot.comparison_matrix(shares, ax=axes())
    assert ax.images[0].get_clim() == (0.0, 1.0)
    first, second = [label.get_text() for label in ax.get_yticklabels()[:2]]
    assert cells(ax)[0, 1] == f"{shares.loc[first, second]:.2f}"


@pytest.mark.parametrize("value", [0, 7, -1.5, np.nan])
def test_equal_values_can_be_read(value):
    square = pd.DataFrame(value, index=["a", "b"], columns=["a", "b"])
    ax = bp.plot.comparison_matrix(square, ax=axes())
    low, high = ax.images[0].get_clim()
    assert low < high
    ax.figure.draw_without_rendering()


def test_texts_stand_out_from_every_colour():
    ax = bp.plot.comparison_matrix(COUNTS, ax=axes())
    image = ax.images[0]
    for text in ax.texts:
        column, row = (round(place) for place in text.get_position())
        colour = image.to_rgba(image.get_array())[row, column]
        assert contrast(text.get_color(), colour) >= 4.5
    for grey in np.linspace(0, 1, 50):
        assert contrast(readable_on((grey, grey, grey)), (grey, grey, grey)) >= 4.5


def test_without_room_a_colour_bar_takes_the_place_of_the_values():
    table = result("comparison_matrix", 60)
    ax = bp.plot.comparison_matrix(table, width=3.5)
    assert not ax.texts
    assert len(ax.figure.axes) == 2
    table = result("comparison_matrix", 25)
    ax = bp.plot.comparison_matrix(table, ax=axes(3.5), annotate=True)
    assert len(ax.texts) == 25 * 24
    ax = bp.plot.comparison_matrix(COUNTS, ax=axes(), annotate=False)
    assert not ax.texts


SIZES = list(itertools.product([3, 14, 40], [3, 40, 60], [None, 3.5]))
SOME = [(3, 60, 3.5), (14, 40, 3.5)]


@pytest.mark.parametrize(
    "size", [pytest.param(s, marks=[] if s in SOME else pytest.mark.slow) for s in SIZES]
)
def test_labels_of_squares_have_room_and_one_size(size):
    n_methods, length, width = size
    for draw, function in (
        (bp.plot.comparison_matrix, "comparison_matrix"),
        (bp.plot.transitivity, "pairwise"),
    ):
        ax = draw(result(function, n_methods, length), width=width)
        ax.figure.draw_without_rendering()
        labels = [*ax.get_xticklabels(), *ax.get_yticklabels()]
        for axis in (ax.get_xticklabels(), ax.get_yticklabels()):
            assert_no_overlap(axis, tolerance=1.0)
        assert len({label.get_fontsize() for label in labels}) == 1
        assert labels[0].get_fontsize() >= 4.0
        assert_within(ax.figure.bbox, written(ax))


def test_names_are_shortened_in_the_middle_and_still_differ():
    names = [f"{'same_start_' * 3}{letter}{'_same_end' * 3}" for letter in "abcd"]
    assert shorten(names, 1000.0, 10.0) == names
    for width in (60.0, 90.0):
        short = shorten(names, width, 10.0)
        assert all(len(text) < len(name) for text, name in zip(short, names, strict=True))
        assert max(text_widths(short, 10.0)) <= width
    ends = [f"{'a' * 40}{at}" for at in range(3)]
    assert len(set(shorten(ends, 50.0, 10.0))) == 3


def counts(rows):
    labels = ["a", "b", "c"]
    return pd.DataFrame(rows, index=pd.Index(labels, name="method"),
                        columns=pd.Index(labels, name="method"))  # fmt: skip


def brightness(ax, row, column):
    labels = [label.get_text() for label in ax.get_yticklabels()]
    image = ax.images[0]
    place = labels.index(row), labels.index(column)
    return luminance(image.to_rgba(image.get_array())[place][:3])


def test_counts_are_coloured_by_their_share():
    square = counts([[0, 113, 10], [29, 0, 108], [10, 4, 0]])
    ax = bp.plot.comparison_matrix(square, ax=axes())
    assert brightness(ax, "b", "c") > brightness(ax, "a", "b")
    assert brightness(ax, "a", "c") == brightness(ax, "c", "a")
    image = ax.images[0]
    shown = np.ma.getmaskarray(image.get_array())
    assert shown.diagonal().all()
    assert shown.sum() == 3
    shared = counts([[0, 142, 200], [142, 0, 112], [200, 112, 0]])
    ax = bp.plot.comparison_matrix(square, ax=axes(), n_datasets=shared)
    labels = [label.get_text() for label in ax.get_yticklabels()]
    at = labels.index("a"), labels.index("c")
    assert ax.images[0].get_array()[at] == pytest.approx(10 / 200)
    with pytest.raises(bp.BeamError, match="n_datasets must have the rows and columns"):
        bp.plot.comparison_matrix(square, n_datasets=shared.iloc[:2])


def test_a_pair_without_a_decision_is_blank_and_equal_counts_are_not():
    square = counts([[0, 0, 3], [0, 0, 1], [1, 0, 0]])
    ax = bp.plot.comparison_matrix(square, ax=axes(), order=["a", "b", "c"])
    mask = np.ma.getmaskarray(ax.images[0].get_array())
    assert mask[0, 1]
    assert mask[1, 0]
    assert not mask[1, 2]
    assert cells(ax)[0, 1] == "0"
    equal = ACCURACY.beam.plot.comparison_matrix(relation="equal", ax=axes())
    share = bp.to_matrix(ACCURACY.beam.pairwise(), "share_equivalent")
    np.testing.assert_allclose(
        equal.images[0].get_array().filled(np.nan), share, equal_nan=True
    )


def test_the_best_stand_first():
    ax = bp.plot.comparison_matrix(COUNTS, ax=axes())
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels[0] in ("MLP", "SVC")
    assert labels[-1] == "ComplementNB"
    of_ranks = bp.to_matrix(ACCURACY.beam.nemenyi(missing="drop_methods"), "p_value")
    ax = bp.plot.comparison_matrix(of_ranks, ax=axes())
    assert [label.get_text() for label in ax.get_yticklabels()] == of_ranks.index.tolist()


def test_formats_and_colours_that_are_none_are_refused():
    for fmt in ("%d", "d", 3, "q"):
        with pytest.raises(bp.BeamError, match="fmt must be a format of numbers such as"):
            bp.plot.comparison_matrix(COUNTS, fmt=fmt)
    for cmap in ("nope", None, 3):
        with pytest.raises(bp.BeamError, match="cmap must be a matplotlib Colormap or"):
            bp.plot.comparison_matrix(COUNTS, cmap=cmap)
    ax = bp.plot.comparison_matrix(COUNTS, cmap=plt.get_cmap("magma"), ax=axes())
    assert ax.images[0].get_cmap().name == "magma"
    with pytest.raises(bp.BeamError, match="annotate must be True or False"):
        bp.plot.comparison_matrix(COUNTS, annotate="yes")


@pytest.mark.parametrize(
    ("picture", "function"),
    [
        pytest.param("comparison_matrix", "comparison_matrix", marks=pytest.mark.slow),
        ("transitivity", "pairwise"),
    ],
)
def test_values_are_written_up_to_twenty_methods(picture, function):
    for n_methods, is_written in ((20, True), (21, False)):
        ax = getattr(bp.plot, picture)(result(function, n_methods), width=8)
        assert bool(ax.texts) == is_written


def test_every_colour_of_the_majority_map_is_explained():
    with plt.style.context("dark_background"):
        ax = CYCLE.beam.plot.transitivity(width=4)
    legend = ax.get_legend()
    assert [text.get_text() for text in legend.get_texts()] == [
        "row outperforms column",
        "column outperforms row",
        "as many wins as losses",
        "row outperforms column, in a cycle",
    ]
    assert "numbers: wins of the row" in ax.get_xlabel()
    image = ax.images[0]
    won, lost, tied = (image.cmap(image.norm(at))[:3] for at in (1.0, 0.0, 0.5))
    black = (0.0, 0.0, 0.0)
    assert contrast(won, black) > contrast(tied, black) > contrast(lost, black) >= 1.0
    assert contrast(tied, black) < 2.0


def test_what_is_no_square_is_refused():
    with pytest.raises(bp.MissingColumnsError, match=r"to_matrix\(result, 'wins'\)"):
        bp.plot.comparison_matrix(ACCURACY.beam.pairwise())
    with pytest.raises(bp.MissingColumnsError, match="needs a square"):
        bp.plot.comparison_matrix(COUNTS.drop(columns="SVC"))


def states(ax):
    return np.asarray(ax.images[0].get_array().filled(np.nan))


def frames(ax):
    return [(p.get_y() + 0.5, p.get_x() + 0.5) for p in ax.patches if type(p) is Rectangle]


def test_an_order_is_a_triangle():
    ax = ordered(5, 4).beam.plot.transitivity(ax=axes())
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        f"m{at}" for at in range(1, 6)
    ]
    expected = np.triu(np.ones((5, 5)), 1)
    np.fill_diagonal(expected, np.nan)
    np.testing.assert_array_equal(states(ax), expected)
    assert not frames(ax)
    assert cells(ax)[0, 1] == "4"
    assert cells(ax)[1, 0] == "0"


def test_a_cycle_is_framed_below_the_diagonal():
    ax = CYCLE.beam.plot.transitivity(ax=axes())
    below = np.tril(states(ax) == 1.0, -1)
    assert below.any()
    assert frames(ax) == [tuple(at) for at in np.argwhere(below)]


def test_majorities_of_the_bundled_table():
    pairs = ACCURACY.beam.pairwise()
    ax = bp.plot.transitivity(pairs, ax=axes())
    table = ACCURACY.beam.majority().set_index("method")
    names = [label.get_text() for label in ax.get_yticklabels()]
    beaten = table.loc[names, "n_beaten"].tolist()
    assert beaten == sorted(beaten, reverse=True)
    assert (states(ax) == 1.0).sum(axis=1).tolist() == beaten
    assert (states(ax) == 0.5).sum(axis=1).tolist() == table.loc[names, "n_tied"].tolist()
    assert len(frames(ax)) == 5
    wins = bp.to_matrix(pairs, "wins")
    for (row, column), text in cells(ax).items():
        assert text == f"{wins.loc[names[row], names[column]]:.0f}"
    bayes = bp.plot.transitivity(ACCURACY.beam.bayesian_sign(0.0), ax=axes())
    np.testing.assert_array_equal(states(bayes), states(ax))


def test_pairs_that_never_met_are_blank():
    pairs = ACCURACY.beam.pairwise()
    pairs.loc[0, ["n_datasets", "wins", "ties", "losses"]] = 0
    ax = bp.plot.transitivity(pairs, ax=axes())
    assert np.isnan(states(ax)).sum() == 16 + 2


def test_a_majority_is_on_a_cycle_if_there_is_a_way_back():
    rng = np.random.default_rng(0)
    for _ in range(50):
        beats = np.triu(rng.random((7, 7)) < 0.4, 1)
        beats |= np.tril(rng.random((7, 7)) < 0.2, -1) & ~beats.T
        reach = beats.copy()
        for _ in range(7):
            reach |= reach @ beats
        np.testing.assert_array_equal(on_cycle(beats), beats & reach.T)
