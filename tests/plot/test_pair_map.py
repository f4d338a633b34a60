"""The multi-comparison matrix, by its artists."""

import itertools

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import beam_pandas as bp
from beam_pandas.plot.colours import BLUE, ORANGE
from beam_pandas.plot.numbers import number_format, p_text, signed, tick_texts
from tests.plot.artists import (
    assert_no_overlap,
    assert_within,
    contrast,
    luminance,
    result,
    scores,
    written,
)

SCORES = bp.load_benchmark()
ACCURACY = SCORES.query("metric == 'accuracy'")
PAIRS = ACCURACY.beam.pairwise(0.01)
RANKS = ACCURACY.beam.ranks()
FEW = ["SVC", "MLP", "GaussianNB", "DecisionTree"]  # without gaps


def cells(ax):
    """Texts in the cells by row and column."""
    found = {}
    for text in ax.texts:
        column, row = text.get_position()
        found[round(row), round(column)] = text
    return found


def rows_of(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def columns_of(ax):
    return [label.get_text() for label in ax.get_xticklabels()]


def turned(pairs, row, column, name):
    return bp.to_matrix(pairs, name).loc[row, column]


def test_a_cell_holds_counts_and_p_value_of_row_against_column():
    ax = bp.plot.pairwise(PAIRS, ranks=RANKS, width=9)
    rows = rows_of(ax)
    mean = bp.to_matrix(PAIRS, "mean_diff").mean(axis=1)
    assert rows == mean.sort_values(ascending=False).index.tolist()
    assert columns_of(ax) == ["mean accuracy", *rows]
    found = cells(ax)
    square = {name: bp.to_matrix(PAIRS, name) for name in ("wins", "ties", "losses")}
    adjusted = bp.to_matrix(PAIRS, "p_adjusted")
    significant = bp.to_matrix(PAIRS, "significant")
    for (i, row), (j, column) in itertools.product(enumerate(rows), repeat=2):
        if row == column:
            assert (i, j + 1) not in found
            continue
        text = found[i, j + 1]
        counts, p_value = text.get_text().split("\n")
        assert counts == "/".join(
            str(int(part.loc[row, column])) for part in square.values()
        )
        assert p_value == p_text(adjusted.loc[row, column])
        assert (text.get_fontweight() == "bold") == (significant.loc[row, column] > 0)
    assert PAIRS["significant"].any()
    # mean scores, with a star where datasets are missing
    by_method = ACCURACY.groupby("method")["score"]
    for i, row in enumerate(rows):
        star = "*" if by_method.size()[row] < 32 else ""
        assert found[i, 0].get_text() == f"{by_method.mean()[row]:.3f}{star}"
    said = [text.get_text() for text in ax.get_legend().get_texts()]
    assert said[2:] == [
        "wins/ties/losses, adjusted p",
        "bold, or a dot: significant",
        "* datasets are missing",
    ]
    dots = [line for line in ax.lines if line.get_label() == "_significant"]
    assert not any(line.get_visible() for line in dots)
    # colours: the mean difference, evenly about 0
    image = ax.images[0]
    low, high = image.get_clim()
    expected = bp.to_matrix(PAIRS, "mean_diff").loc[rows, rows].to_numpy()
    assert -low == high == np.nanmax(np.abs(expected))
    np.testing.assert_array_equal(image.get_array().filled(np.nan), expected)
    ends = image.to_rgba(np.array([low, 0.0, high]))[:, :3]
    np.testing.assert_allclose(ends, [to_rgb(ORANGE), (1, 1, 1), to_rgb(BLUE)], atol=0.01)
    assert image.get_extent() == [0.5, len(rows) + 0.5, len(rows) - 0.5, -0.5]
    for (i, j), text in found.items():
        if j:
            colour = image.to_rgba(image.get_array())[i, j - 1]
            assert contrast(text.get_color(), colour) >= 4.5
    ax.figure.draw_without_rendering()
    assert_within(ax.figure.bbox, written(ax))


def test_few_methods_have_the_difference_too():
    few = ACCURACY[ACCURACY["method"].isin(FEW)]
    pairs = few.beam.pairwise()
    ax = bp.plot.pairwise(pairs, width=5)
    rows = rows_of(ax)
    means = few.groupby("method")["score"].mean().sort_values(ascending=False)
    assert rows == columns_of(ax) == means.index.tolist()
    for (i, j), text in cells(ax).items():
        difference = means.iloc[i] - means.iloc[j]
        assert text.get_text().split("\n")[0] == f"{difference:+.3f}"
    ax.figure.draw_without_rendering()
    box = ax.get_window_extent()
    for text in ax.texts:
        assert text.get_window_extent().width <= box.width / len(rows)
        assert text.get_window_extent().height <= box.height / len(rows)


def test_a_metric_of_which_less_is_better_is_turned():
    part = SCORES.query("metric == 'fit_time' and method in @FEW")
    ax = part.beam.plot.pairwise(width=5)
    means = part.groupby("method")["score"].mean().sort_values()
    assert rows_of(ax) == means.index.tolist()
    assert cells(ax)[0, 4].get_text().startswith("+")
    assert columns_of(ax)[0] == "mean fit_time"


def test_one_reference_has_a_row_for_each_method_and_all_in_a_line():
    ax = bp.plot.pairwise(PAIRS, ranks=RANKS, reference="SVC", width=7)
    assert columns_of(ax) == ["mean accuracy", "SVC"]
    rows = rows_of(ax)
    found = cells(ax)
    assert (rows.index("SVC"), 1) not in found
    wins, losses = (turned(PAIRS, "MLP", "SVC", name) for name in ("wins", "losses"))
    text = found[rows.index("MLP"), 1].get_text()
    assert "\n" not in text
    assert text.split()[1] == f"{wins:.0f}/17/{losses:.0f}"
    two = bp.plot.pairwise(PAIRS, reference=["SVC", "MLP"], order=FEW, width=7)
    assert (rows_of(two), columns_of(two)) == (FEW, ["SVC", "MLP"])


def test_pairs_with_a_control_are_its_column():
    ax = ACCURACY.beam.plot.pairwise(0.01, control="SVC", width=7)
    assert columns_of(ax) == ["mean accuracy", "SVC"]
    part = ACCURACY.beam.pairwise(0.01, control="SVC")
    difference = bp.to_matrix(part, "mean_diff")["SVC"].fillna(0.0)
    assert rows_of(ax) == difference.sort_values(ascending=False).index.tolist()


def test_pairs_that_were_left_out_are_refused():
    significant = PAIRS[PAIRS["significant"]]
    with pytest.raises(bp.BeamError, match="needs all pairs, or those with one control"):
        bp.plot.pairwise(significant)
    with pytest.raises(bp.BeamError, match="reference must name methods of the result"):
        bp.plot.pairwise(PAIRS, reference="svc")
    with pytest.raises(bp.BeamError, match="reference must name one method or more"):
        bp.plot.pairwise(PAIRS, reference=["SVC", "SVC"])
    with pytest.raises(bp.BeamError, match="order must name each method once"):
        bp.plot.pairwise(PAIRS, order=["SVC", "SVC"])
    for other in (
        RANKS[RANKS["method"] != "SVC"],
        RANKS.assign(metric="other"),
        RANKS.drop(columns="metric"),
    ):
        with pytest.raises(bp.BeamError, match="of the scores that the pairs are of"):
            bp.plot.pairwise(PAIRS, ranks=other)


def test_several_metrics_and_groups_have_their_own_means():
    part = SCORES.query("method in @FEW and metric in ['accuracy', 'fit_time']")
    frame = part.assign(half=np.where(part["dataset"] < "h", "a", "b"))
    panels = frame.groupby("half").beam.plot.pairwise(width=9)
    assert [ax.get_legend() is not None for ax in panels] == [True, True, False, False]
    for ax, (_half, _metric) in zip(
        panels, itertools.product("ab", ["accuracy", "fit_time"]), strict=True
    ):
        chosen = frame.query("half == @_half and metric == @_metric")
        means = chosen.groupby("method")["score"].mean()
        form = number_format(means.to_numpy())
        assert [cells(ax)[i, 0].get_text() for i in range(4)] == [
            f"{means[row]:{form}}" for row in rows_of(ax)
        ]


def test_pairs_without_a_shared_dataset_are_blank():
    apart = pd.DataFrame(
        {
            "method": [*"aabbcc"],
            "dataset": [1, 2, 2, 3, 3, 4],
            "score": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
        }
    )
    ax = apart.beam.plot.pairwise(higher_is_better=True, width=4)
    rows = rows_of(ax)
    assert rows == ["c", "b", "a"]  # b wins by as much as it loses
    found = {key for key in cells(ax) if key[1]}
    assert found == {(0, 2), (1, 1), (1, 3), (2, 2)}
    equal = apart.assign(score=1.0).beam.plot.pairwise(higher_is_better=True, width=4)
    assert equal.images[0].get_clim() == (-1.0, 1.0)
    assert {text.get_text().split()[0] for at, text in cells(equal).items() if at[1]} == {
        "0"
    }


def test_without_room_for_texts_dots_mark_what_is_significant():
    table = result("pairwise", 40)
    ax = bp.plot.pairwise(table, width=5)
    assert not ax.texts
    assert len(ax.figure.axes) == 2
    bar = ax.figure.axes[1]
    ax.figure.draw_without_rendering()
    assert 5.0 < bar.get_window_extent().width < 20.0
    assert bar.get_ylabel() == "mean difference in elo, positive: row better"
    dots = [line for line in ax.lines if line.get_label() == "_significant"]
    assert sum(len(line.get_xdata()) for line in dots) == 2 * table["significant"].sum()
    assert all(line.get_visible() for line in dots)
    small = bp.plot.pairwise(PAIRS, ranks=RANKS, width=3.5)
    assert not any(text.get_visible() for text in small.texts)
    forced = bp.plot.pairwise(PAIRS, annotate=True, order=FEW, width=1.5)
    assert all(text.get_visible() for text in forced.texts)
    assert not bp.plot.pairwise(PAIRS, annotate=False, order=FEW, width=3.5).texts


@pytest.mark.parametrize("style", ["dark_background", "grayscale"])
def test_other_styles(style):
    with mpl.style.context(style):
        ax = ACCURACY.query("method in @FEW").beam.plot.pairwise(width=4)
        image = ax.images[0]
        low, middle, high = image.to_rgba(np.array([*image.get_clim(), 0.0]))[[0, 2, 1], :3]
        np.testing.assert_allclose(middle, to_rgb(ax.get_facecolor()), atol=0.01)
        assert luminance(low) > luminance(high) + 0.1  # told apart in grey
        for (i, j), text in cells(ax).items():
            ground = middle if j == 0 else image.to_rgba(image.get_array())[i, j - 1]
            assert contrast(text.get_color(), ground[:3]) >= 4.5


SOME = [(3, 60, 3.5)]
SIZES = [  # each number of methods with each length, and with both widths
    *SOME, (3, 3, 7.0), (3, 40, 3.5), (14, 3, 3.5), (14, 40, 7.0), (14, 60, 3.5),
    (40, 3, 7.0), (40, 40, 3.5), (40, 60, 7.0), (60, 3, 3.5), (60, 40, 7.0), (60, 60, 3.5),
]  # fmt: skip


@pytest.mark.parametrize(
    "size", [pytest.param(s, marks=[] if s in SOME else pytest.mark.slow) for s in SIZES]
)
def test_nothing_is_cut_and_nothing_overlaps(size):
    n_methods, length, width = size
    frame = scores(n_methods, length)
    ax = bp.plot.pairwise(
        result("pairwise", n_methods, length), ranks=frame.beam.ranks(), width=width
    )
    ax.figure.draw_without_rendering()
    assert_within(ax.figure.bbox, written(ax))
    for labels in (ax.get_xticklabels(), ax.get_yticklabels()):
        assert_no_overlap(labels, tolerance=1.0)
    if n_methods < 20:
        shown = [text for text in ax.texts if text.get_visible()]
        for row in range(n_methods):
            assert_no_overlap([t for t in shown if round(t.get_position()[1]) == row])


@pytest.mark.parametrize(
    ("p_value", "text"),
    [(0.0, "p<.001"), (0.00099, "p<.001"), (0.001, "p .001"), (0.05, "p .050"),
     (0.9994, "p .999"), (0.9995, "p 1"), (1.0, "p 1"), (np.nan, "")],
)  # fmt: skip
def test_p_values_are_short(p_value, text):
    assert p_text(p_value) == text


@pytest.mark.parametrize(
    ("values", "text"),
    [([0.8], "0.800"), ([1.0], "1.00"), ([9.99], "9.99"), ([10.0], "10.0"), ([999.0], "999"),
     ([999999.0], "999999"), ([1e6], "1e+06"), ([1e-4], "0.000100"), ([9e-5], "9e-05"),
     ([0.0], "0"), ([np.nan], "nan"), ([-20.0, 3.0], "-20.0")],
)  # fmt: skip
def test_numbers_have_three_digits(values, text):
    assert f"{values[0]:{number_format(np.array(values))}}" == text
    assert number_format(np.array([])) == ".0f"


def test_no_zero_has_a_sign():
    assert [signed(value, ".2f") for value in (0.0, -0.001, 0.001, 0.01, -0.01)] == [
        "0.00", "0.00", "0.00", "+0.01", "-0.01",
    ]  # fmt: skip
    assert signed(-1e-9, ".3g") == "-1e-09"


@pytest.mark.parametrize(
    ("ticks", "texts"),
    [([0.0, 0.25, 0.5], ["0.00", "0.25", "0.50"]), ([1.0, 2.0], ["1", "2"]),
     ([-1e7, 0.0, 1e7], ["-1e+07", "0", "1e+07"]), ([0.5], ["0.5"]), ([], []), ([0.0], ["0"]),
     ([1e-6, 2e-6], ["1e-06", "2e-06"]), ([1e9, 1e9 + 0.5], ["1000000000", "1000000000.5"])],
)  # fmt: skip
def test_ticks_are_told_apart(ticks, texts):
    assert tick_texts(ticks) == texts


def test_colours_can_be_chosen():
    ax = bp.plot.pairwise(PAIRS, cmap="coolwarm", order=FEW, ax=Figure().add_subplot())
    assert ax.images[0].get_cmap().name == "coolwarm"
    with pytest.raises(bp.BeamError, match="cmap must be a matplotlib Colormap"):
        bp.plot.pairwise(PAIRS, cmap="nope")
