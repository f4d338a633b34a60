"""Posteriors, datasets and coverage, by their artists."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import beam_pandas as bp
from tests.plot.artists import (
    assert_inside,
    assert_no_overlap,
    lines,
    names,
    scores,
)

SCORES = bp.load_benchmark()
ACCURACY = SCORES.query("metric == 'accuracy'")
POSTERIOR = ACCURACY.beam.bayesian_sign(0.01)
FEW = ["SVC", "MLP", "RandomForest", "GaussianNB"]


def axes(width=7.0, height=6.0):
    return Figure((width, height), layout="constrained").add_subplot()


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


def test_many_methods_make_a_heat_map():
    frame = scores(25)
    result = frame.beam.bayesian_sign(0.1)
    ax = bp.plot.bayesian_sign(result, ax=axes())
    rows = [label.get_text() for label in ax.get_yticklabels()]
    square = bp.to_matrix(result, "prob_better").loc[rows, rows]
    shown = ax.images[0].get_array().filled(np.nan)
    np.testing.assert_allclose(shown, square, atol=1e-12)
    crosses = [c for c in ax.collections if c.get_label() == "_undecided"]
    assert len(crosses[0].get_offsets()) == 2 * (result["decision"] == "undecided").sum()


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
    for kind, column in (("_spread", "spread"), ("_Kendall's W", "kendall_w")):
        apart, alike = lines(ax, kind)
        for line, chosen in ((apart, True), (alike, False)):
            part = ordered[ordered["significant"] == chosen]
            np.testing.assert_array_equal(line.get_xdata(), part[column])
        assert apart.get_markerfacecolor() != "white"
        assert alike.get_markerfacecolor() == "white"
    assert len(ax.patches) == (~table["significant"]).sum()


def test_a_table_without_any_concordance():
    table = datasets(4, 5).assign(kendall_w=np.nan, p_value=np.nan, significant=False)
    ax = bp.plot.dataset_discrimination(table, ax=axes())
    ax.figure.draw_without_rendering()
    assert len(ax.patches) == 4


@pytest.mark.parametrize("length", [3, 40])
@pytest.mark.parametrize("n_datasets", [3, 30, 100])
def test_labels_of_rows_have_room(n_datasets, length):
    for options in ({}, {"width": 3.5}, {"ax": axes(4.0, 9.0)}):
        ax = bp.plot.dataset_discrimination(datasets(n_datasets, length), **options)
        ax.figure.draw_without_rendering()
        assert_no_overlap(ax.get_yticklabels())
        legend = ax.get_legend()
        assert_inside(ax.figure, [*ax.get_yticklabels(), ax.xaxis.label, legend])
    plt.close("all")


@pytest.mark.parametrize("length", [3, 40])
@pytest.mark.parametrize("n_methods", [3, 14, 25])
def test_labels_of_posteriors_have_room(n_methods, length):
    result = scores(n_methods, length).beam.bayesian_sign(0.1)
    for width in (None, 3.5):
        for reference in (None, names(n_methods, length)[0]):
            ax = bp.plot.bayesian_sign(result, width=width, reference=reference)
            ax.figure.draw_without_rendering()
            assert_no_overlap(ax.get_yticklabels())
            assert_inside(ax.figure, [*ax.get_yticklabels(), ax.xaxis.label])
    plt.close("all")


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


def test_labels_of_too_many_datasets_are_left_out():
    wide = scores(3, n_datasets=400).beam.wide_scores()
    ax = bp.plot.missing_scores(wide, width=3.5)
    assert not ax.get_xticklabels()
    assert ax.get_xlabel() == "dataset (400)"
