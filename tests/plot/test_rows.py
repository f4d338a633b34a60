"""Posteriors, datasets and coverage, by their artists."""

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import beam_pandas as bp
from beam_pandas.plot.colours import BLUE, GREEN, ORANGE
from tests.plot.artists import (
    assert_no_overlap,
    assert_within,
    contrast,
    lines,
    names,
    result,
    scores,
    written,
)

SCORES = bp.load_benchmark()
ACCURACY = SCORES.query("metric == 'accuracy'")
POSTERIOR = ACCURACY.beam.bayesian_sign(0.01)
FEW = ["SVC", "MLP", "RandomForest", "GaussianNB"]


def axes(width=7.0, height=6.0):
    return Figure((width, height)).add_subplot()


def parts(ax):
    """Bars of the three regions: left, width and height of each."""
    found = {bars.get_label(): bars for bars in ax.containers}
    return [
        np.array([(bar.get_x(), bar.get_width(), bar.get_height()) for bar in found[name]])
        for name in ("_first", "_equivalent", "_second")
    ]


def test_each_method_against_a_reference():
    ax = bp.plot.bayesian_sign(POSTERIOR, ax=axes(), reference="SVC")
    first, equivalent, second = parts(ax)
    np.testing.assert_allclose(
        first[:, 1] + equivalent[:, 1] + second[:, 1], 1.0, atol=1e-12
    )
    np.testing.assert_array_equal(first[:, 0], 0.0)
    np.testing.assert_allclose(equivalent[:, 0], first[:, 1], atol=1e-12)
    better = bp.to_matrix(POSTERIOR, "prob_better")["SVC"]
    rows = [label.get_text() for label in ax.get_yticklabels()]
    assert sorted([*rows, "SVC"]) == sorted(ACCURACY["method"].unique())
    np.testing.assert_allclose(first[:, 1], better[rows], atol=1e-12)
    involved = POSTERIOR[(POSTERIOR[["method_1", "method_2"]] == "SVC").any(axis=1)]
    thick = int((first[:, 2] > 0.5).sum())
    assert thick == (involved["decision"] != "undecided").sum()
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert "SVC better" in texts
    with pytest.raises(bp.BeamError, match="reference must name methods of the result"):
        bp.plot.bayesian_sign(POSTERIOR, reference="svc")


def test_few_methods_stand_in_a_list_of_pairs():
    few = ACCURACY[ACCURACY["method"].isin(FEW)].beam.bayesian_sign(0.01)
    ax = bp.plot.bayesian_sign(few, ax=axes())
    assert all(len(part) == 6 for part in parts(ax))
    (right,) = ax.child_axes
    pairs = zip(
        [label.get_text() for label in ax.get_yticklabels()],
        [label.get_text() for label in right.get_yticklabels()],
        strict=True,
    )
    square = bp.to_matrix(few, "prob_better")
    np.testing.assert_allclose(
        parts(ax)[0][:, 1], [square.loc[pair] for pair in pairs], atol=1e-12
    )


def test_more_methods_stand_in_a_grid():
    ax = bp.plot.bayesian_sign(POSTERIOR, ax=axes())
    total = sum(part[:, 1] for part in parts(ax))
    np.testing.assert_allclose(total, total[0])
    assert len(total) == len(POSTERIOR)
    thick = (parts(ax)[0][:, 2] > 0.5).sum()
    assert thick == (POSTERIOR["decision"] != "undecided").sum()


def colour_of(ax, row, column):
    """Colour of a cell by the labels of its row and column."""
    rows = [label.get_text() for label in ax.get_yticklabels()]
    return np.asarray(ax.images[0].get_array())[rows.index(row), rows.index(column)]


def test_many_methods_make_a_map_of_decisions():
    table = result("bayesian_sign", 25, rope=0.1)
    ax = bp.plot.bayesian_sign(table, ax=axes())
    hues = {"better": BLUE, "equivalent": GREEN, "worse": ORANGE}
    assert (table["decision"] == "better").any()
    assert (table["decision"] == "worse").any()
    for row in table.itertuples():
        one = colour_of(ax, row.method_1, row.method_2)
        other = colour_of(ax, row.method_2, row.method_1)
        turned = {"better": "worse", "worse": "better"}
        for colour, decision in (
            (one, row.decision),
            (other, turned.get(row.decision, row.decision)),
        ):
            if decision in hues:
                np.testing.assert_allclose(colour[:3], to_rgb(hues[decision]))
            else:
                assert colour[:3].min() >= 0.49  # pale
    assert np.asarray(ax.images[0].get_array())[np.arange(25), np.arange(25), 3].max() == 0
    found = [text.get_text() for text in ax.get_legend().get_texts()]
    assert found[:3] == ["row better", "equivalent", "row worse"]


def test_equivalence_is_no_defeat():
    frame = scores(22)
    first, second = sorted(frame["method"].unique())[:2]
    twin = frame[frame["method"] == first].assign(method=second)
    frame = pd.concat([frame[frame["method"] != second], twin])
    ax = frame.beam.plot.bayesian_sign(0.1, ax=axes())
    for pair in ((first, second), (second, first)):
        np.testing.assert_allclose(colour_of(ax, *pair)[:3], to_rgb(GREEN))


def test_undecided_pairs_are_the_paler_the_further():
    table = result("bayesian_sign", 25, rope=0.5).copy()
    table["decision"] = "undecided"
    nearness = np.linspace(0.34, 0.94, len(table))
    table["prob_better"], table["prob_worse"] = nearness, (1 - nearness) / 2
    table["prob_equivalent"] = (1 - nearness) / 2
    ax = bp.plot.bayesian_sign(table, ax=axes())
    red = [colour_of(ax, row.method_1, row.method_2)[0] for row in table.itertuples()]
    assert (np.diff(red) < 0).all()


def test_pairs_without_a_shared_dataset_have_no_bar():
    frame = ACCURACY[ACCURACY["method"].isin(FEW[:3])]
    half = frame["dataset"] < "h"
    apart = frame[(frame["method"] == "MLP") | ((frame["method"] == "SVC") == half)]
    result = apart.beam.bayesian_sign(0.01)
    assert result["prob_better"].isna().sum() == 1
    ax = bp.plot.bayesian_sign(result, ax=axes())
    assert all(len(part) == 2 for part in parts(ax))
    assert len(ax.get_yticklabels()) == 3


def test_a_threshold_other_than_that_of_the_decisions_is_refused():
    with pytest.raises(bp.BeamError, match="threshold must be that of the result, got 0.6"):
        bp.plot.bayesian_sign(POSTERIOR, threshold=0.6)
    with pytest.raises(bp.BeamError, match="threshold must be a number above 0.5"):
        bp.plot.bayesian_sign(POSTERIOR, threshold="high")
    ax = ACCURACY.beam.plot.bayesian_sign(0.01, threshold=0.8, reference="SVC", ax=axes())
    (marks,) = [c for c in ax.collections if c.get_label() == "_threshold"]
    np.testing.assert_allclose([s[0, 0] for s in marks.get_segments()], [0.2, 0.8])


def datasets(n_datasets, length):
    """A result of dataset_discrimination, with and without a W."""
    rng = np.random.default_rng(n_datasets)
    w = np.where(np.arange(n_datasets) % 5 == 4, np.nan, rng.random(n_datasets))
    return pd.DataFrame(
        {
            "dataset": names(n_datasets, length),
            "spread": rng.random(n_datasets) / 3,
            "spread_rank": 1.0,
            "kendall_w": w,
            "p_value": 1.0 - w,
            "significant": w > 0.5,
            "n_methods": 5,
            "n_metrics": 3,
        }
    )


def test_datasets_stand_in_the_order_of_their_spread():
    table = datasets(30, 10)
    ax = bp.plot.dataset_discrimination(table, ax=axes())
    ordered = table.sort_values("spread", ascending=False)
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == ordered["dataset"].tolist()
    (other,) = ax.child_axes
    is_alike = ~ordered["significant"] & ordered["kendall_w"].notna()
    for where, kind, column in (
        (ax, "_spread", "spread"),
        (other, "_Kendall's W", "kendall_w"),
    ):
        full, hollow = lines(where, kind)
        np.testing.assert_array_equal(full.get_xdata(), ordered.loc[~is_alike, column])
        np.testing.assert_array_equal(hollow.get_xdata(), ordered.loc[is_alike, column])
        assert to_rgb(hollow.get_markerfacecolor()) == (1.0, 1.0, 1.0)
        assert to_rgb(full.get_markerfacecolor()) != (1.0, 1.0, 1.0)
    assert ax.get_ylim() == other.get_ylim()
    assert (ax.get_xlabel(), other.get_xlabel()) == ("spread", "Kendall's W")
    alike = ~table["significant"] & table["kendall_w"].notna()
    assert len(ax.patches) == alike.sum()


def test_a_table_without_any_concordance():
    table = datasets(4, 5).assign(kendall_w=np.nan, p_value=np.nan, significant=False)
    ax = bp.plot.dataset_discrimination(table, ax=axes())
    ax.figure.draw_without_rendering()
    assert not ax.patches
    assert not ax.child_axes
    full, hollow = lines(ax, "_spread")
    assert (len(full.get_xdata()), len(hollow.get_xdata())) == (4, 0)


@pytest.mark.parametrize(
    ("n_datasets", "length"),
    [
        (100, 40),
        *(pytest.param(*size, marks=pytest.mark.slow)
          for size in ((3, 3), (3, 40), (30, 3), (30, 40), (100, 3))),
    ],
)  # fmt: skip
def test_labels_of_rows_have_room(n_datasets, length):
    for options in ({}, {"width": 3.5}, {"ax": axes(4.0, 9.0)}):
        ax = bp.plot.dataset_discrimination(datasets(n_datasets, length), **options)
        ax.figure.draw_without_rendering()
        assert_no_overlap(ax.get_yticklabels())
        assert_within(ax.figure.bbox, written(ax))
        assert ax.figure.get_size_inches()[1] < 11.5


@pytest.mark.parametrize(
    ("n_methods", "length", "width"),
    [
        (3, 40, 3.5),
        *(pytest.param(*size, marks=pytest.mark.slow)
          for size in ((3, 3, None), (25, 40, None), (14, 40, 3.5), (14, 3, None), (14, 40, None),
                       (25, 3, 3.5), (25, 40, 3.5))),
    ],
)  # fmt: skip
def test_labels_of_posteriors_have_room(n_methods, length, width):
    table = result("bayesian_sign", n_methods, length, rope=0.1)
    for reference in (None, names(n_methods, length)[0]):
        ax = bp.plot.bayesian_sign(table, width=width, reference=reference)
        ax.figure.draw_without_rendering()
        assert_no_overlap(ax.get_yticklabels())
        assert_within(ax.figure.bbox, written(ax))


def test_thick_and_thin_bars_are_explained():
    for options in ({"reference": "SVC"}, {}):
        ax = bp.plot.bayesian_sign(POSTERIOR, ax=axes(), **options)
        legend = ax.get_legend()
        found = [text.get_text() for text in legend.get_texts()]
        assert found[1] == "equivalent"
        assert found[3:] == ["thick: decided", "thin: undecided", "decided from 0.95"]
        thick, thin = legend.get_lines()[3:5]
        assert thick.get_linewidth() > 2 * thin.get_linewidth()


def test_coverage_puts_gaps_side_by_side():
    wide = ACCURACY.beam.wide_scores()
    ax = bp.plot.missing_scores(wide, ax=axes())
    rows = [label.get_text() for label in ax.get_yticklabels()]
    columns = [label.get_text() for label in ax.get_xticklabels()]
    present = wide.notna().T.loc[rows, columns].to_numpy()
    np.testing.assert_array_equal(np.asarray(ax.images[0].get_array()), present)
    counts = present.sum(axis=1)
    assert (np.diff(counts) <= 0).all()
    assert (np.diff(present.sum(axis=0)) <= 0).all()
    (right,) = ax.child_axes
    shares = [label.get_text() for label in right.get_yticklabels()]
    assert shares == [f"{100 * share:.0f} %" for share in present.mean(axis=1)]


def test_blocks_of_missing_scores_form_blocks():
    present = np.ones((6, 8), dtype=bool)
    present[::2, 1::2] = False
    wide = pd.DataFrame(
        np.where(present, 1.0, np.nan).T,
        index=pd.Index([f"d{at}" for at in range(8)], name="dataset"),
        columns=pd.Index(list("abcdef"), name="method"),
    )
    ax = bp.plot.missing_scores(wide, ax=axes())
    shown = np.asarray(ax.images[0].get_array())
    expected = np.ones((6, 8))
    expected[3:, 4:] = 0.0
    np.testing.assert_array_equal(shown, expected)


def test_of_many_datasets_the_first_and_the_last_are_named():
    wide = scores(3, n_datasets=400).beam.wide_scores()
    ax = bp.plot.missing_scores(wide, width=3.5)
    found = [label.get_text() for label in ax.get_xticklabels()]
    assert found == [wide.index[0], "398 more", wide.index[-1]]
    assert ax.get_xlabel() == "dataset (400)"
    assert [label.get_text() for label in ax.get_yticklabels()] == list(wide.columns)
    table = datasets(150, 8).sort_values("spread", ascending=False)
    ax = bp.plot.dataset_discrimination(table)
    found = [label.get_text() for label in ax.get_yticklabels()]
    assert found == [table["dataset"].iloc[0], "148 more", table["dataset"].iloc[-1]]
    assert sum(len(line.get_xdata()) for line in lines(ax, "_spread")) == 150
    assert ax.figure.get_size_inches()[1] < 11.5
    sixty = bp.plot.dataset_discrimination(datasets(60, 8))
    assert len(sixty.get_yticklabels()) == 60


def test_gaps_stand_out_more_than_scores():
    wide = ACCURACY.beam.wide_scores()
    for style in ("default", "dark_background"):
        with plt.style.context(style):
            ax = bp.plot.missing_scores(wide, width=4)
        image = ax.images[0]
        ground = to_rgb(ax.get_facecolor())
        gap, score = (np.array(image.cmap(image.norm(at))[:3]) for at in (0.0, 1.0))
        assert contrast(gap, ground) > 3 > 1.6 > contrast(score, ground) > 1.05
        for grid in (c for c in ax.collections if c.get_label() == "_grid"):
            np.testing.assert_allclose(grid.get_colors()[0][:3], ground)
            assert grid.get_linewidths()[0] <= 0.8
