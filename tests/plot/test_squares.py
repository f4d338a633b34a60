"""Heat maps of pairs, by their cells."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

import beam_pandas as bp
from beam_pandas.kernels.order import on_cycle
from beam_pandas.plot.colours import readable_on
from tests.plot.artists import assert_inside, assert_no_overlap, scores, tick_labels
from tests.tables import CYCLE, ordered

ACCURACY = bp.load_benchmark().query("metric == 'accuracy'")
COUNTS = ACCURACY.beam.comparison_matrix()


def axes(size=8.0):
    return Figure((size, size), layout="constrained").add_subplot()


def cells(ax):
    """Text of each cell by row and column."""
    found = {}
    for text in ax.texts:
        column, row = text.get_position()
        found[round(row), round(column)] = text.get_text()
    return found


def luminance(colour):
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)
    ]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_cells_hold_the_counts_of_row_against_column():
    ax = bp.plot.comparison_matrix(COUNTS, ax=axes())
    found = cells(ax)
    for (row, column), value in np.ndenumerate(COUNTS.to_numpy()):
        assert found[row, column] == str(value)
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == COUNTS.index.tolist()
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
    assert cells(ax)[0, 1] == f"{square.iloc[0, 1]:.3f}"
    assert (0, 0) not in cells(ax)
    low, high = ax.images[0].get_clim()
    assert low == -high
    shares = bp.to_matrix(ACCURACY.beam.pairwise(), "share_better")
    ax = bp.plot.comparison_matrix(shares, ax=axes())
    assert ax.images[0].get_clim() == (0.0, 1.0)
    assert cells(ax)[0, 1] == f"{shares.iloc[0, 1]:.2f}"


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
    table = scores(60).beam.comparison_matrix()
    ax = bp.plot.comparison_matrix(table, width=3.5)
    assert not ax.texts
    assert len(ax.figure.axes) == 2
    ax = bp.plot.comparison_matrix(table, ax=axes(3.5), annotate=True)
    assert len(ax.texts) == 3600
    ax = bp.plot.comparison_matrix(COUNTS, ax=axes(), annotate=False)
    assert not ax.texts


@pytest.mark.parametrize("length", [3, 40])
@pytest.mark.parametrize("n_methods", [3, 14, 40])
def test_labels_of_squares_have_room(n_methods, length):
    frame = scores(n_methods, length)
    for width in (None, 3.5):
        for draw in (frame.beam.plot.comparison_matrix, frame.beam.plot.transitivity):
            ax = draw(width=width)
            ax.figure.draw_without_rendering()
            for axis in (ax.get_xticklabels(), ax.get_yticklabels()):
                assert_no_overlap(axis, tolerance=1.0)
            assert_inside(ax.figure, [*tick_labels(ax), ax.title, ax.xaxis.label])
        plt.close("all")


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
    left_out = bp.plot.transitivity(pairs.iloc[1:], ax=axes())
    np.testing.assert_array_equal(states(left_out), states(ax))


def test_a_majority_is_on_a_cycle_if_there_is_a_way_back():
    rng = np.random.default_rng(0)
    for _ in range(50):
        beats = np.triu(rng.random((7, 7)) < 0.4, 1)
        beats |= np.tril(rng.random((7, 7)) < 0.2, -1) & ~beats.T
        reach = beats.copy()
        for _ in range(7):
            reach |= reach @ beats
        np.testing.assert_array_equal(on_cycle(beats), beats & reach.T)
