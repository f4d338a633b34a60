"""Intervals, profiles, trade-offs, triangles, concordance and letters, by their artists."""

import itertools

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import beam_pandas as bp
from beam_pandas.kernels.dirichlet_regions import density_levels, log_density
from beam_pandas.plot.numbers import MINUS
from tests.plot.artists import (
    assert_no_overlap,
    assert_within,
    contrast,
    lines,
    names,
    scores,
    texts,
    written,
)

SCORES = bp.load_benchmark()
ACCURACY = SCORES.query("metric == 'accuracy'")
RANKS = SCORES.query("metric in ['accuracy', 'fit_time', 'log_loss']").beam.ranks()
INTERVALS = ACCURACY.beam.rank_intervals(missing="drop_methods", n_resamples=200)
PAIRS = ACCURACY.beam.wilcoxon()
POSTERIOR = ACCURACY.beam.bayesian_sign(0.01)


def rows_of(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def right_of(ax):
    (right,) = ax.child_axes
    return [label.get_text() for label in right.get_yticklabels()]


def legend_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def estimates(ax):
    """Place of the dot of each row."""
    found = {}
    for line in lines(ax, "_estimate"):
        found |= dict(
            zip(line.get_ydata().tolist(), line.get_xdata().tolist(), strict=True)
        )
    return [found[row] for row in sorted(found)]


def intervals(ax):
    (bars,) = [part for part in ax.collections if part.get_label() == "_interval"]
    return {int(s[0, 1]): tuple(s[:, 0]) for s in bars.get_segments()}


def test_a_method_has_its_mean_rank_its_interval_and_its_place():
    shuffled = INTERVALS.sample(frac=1.0, random_state=0)
    ax = bp.plot.rank_intervals(shuffled, width=3.5, highlight="MLP")
    assert rows_of(ax) == INTERVALS["method"].tolist()
    assert estimates(ax) == INTERVALS["mean_rank"].tolist()
    ends = list(zip(INTERVALS["ci_low"], INTERVALS["ci_high"], strict=True))
    assert [intervals(ax)[row] for row in range(len(ends))] == ends
    assert right_of(ax) == [f"{rank:.2f}" for rank in INTERVALS["mean_rank"]]
    assert legend_of(ax) == ["mean rank, interval"]
    assert {line.get_color() for line in lines(ax, "_estimate")} == {"#0072B2", "#D55E00"}
    assert not bp.plot.rank_intervals(INTERVALS, width=3.5, show_values=False).child_axes
    with pytest.raises(bp.BeamError, match="each method is needed once, found 'SVC'"):
        bp.plot.rank_intervals(pd.concat([INTERVALS, INTERVALS.head(1)]))
    with pytest.raises(bp.BeamError, match="highlight must name methods of the result"):
        bp.plot.rank_intervals(INTERVALS, highlight="svm")


def test_aggregates_stand_in_the_order_of_the_result_and_strengths_by_component():
    table = pd.DataFrame(
        {"method": ["b", "a"], "n_datasets": 3, "n_runs_min": 1, "n_runs_max": 1,
         "estimate": [0.1, 0.4], "ci_low": [0.0, np.nan], "ci_high": [0.2, np.nan]}
    )  # fmt: skip
    ax = bp.plot.aggregate_scores(table, width=3.0, label="median")
    assert (rows_of(ax), ax.get_xlabel()) == (["b", "a"], "median")
    assert list(intervals(ax)) == [0]
    strengths = pd.DataFrame(
        {"method": list("abcd"), "n_opponents": 1, "component": [1, 2, 1, 2],
         "strength": [0.5, np.inf, -0.5, -np.inf], "standard_error": 0.1,
         "ci_low": [0.1, 0.2, -0.9, -np.inf], "ci_high": [0.9, np.inf, -0.1, 0.1],
         "elo": 1500.0}
    )  # fmt: skip
    ax = bp.plot.bradley_terry(strengths, width=3.5)
    assert rows_of(ax) == ["a", "c", "b", "d"]
    assert right_of(ax) == ["0.500", f"{MINUS}0.500", "∞", f"{MINUS}∞"]
    (part,) = lines(ax, "_part")
    assert part.get_ydata()[0] == 1.5
    assert legend_of(ax)[-1] == "not compared across"
    arrows = {line.get_marker(): line.get_ydata().tolist() for line in lines(ax, "_no_end")}
    assert arrows == {"<": [3], ">": [2]}
    assert np.isfinite(estimates(ax)).all()


def test_pairs_are_turned_so_that_the_method_ahead_stands_left():
    few = ["AdaBoost", "GaussianNB", "MLP", "SVC"]
    part = ACCURACY[ACCURACY["method"].isin(few)].beam.wilcoxon()
    ax = bp.plot.wilcoxon(part, width=5)
    left, right = rows_of(ax), right_of(ax)
    assert left == ["MLP"] * 3 + ["SVC"] * 2 + ["AdaBoost"]
    assert right == [
        "SVC",
        "AdaBoost",
        "GaussianNB",
        "AdaBoost",
        "GaussianNB",
        "GaussianNB",
    ]
    gap, low, high = (
        bp.to_matrix(part, name) for name in ("median_diff", "ci_low", "ci_high")
    )
    pairs = list(zip(left, right, strict=True))
    assert estimates(ax) == [gap.loc[pair] for pair in pairs]
    assert [intervals(ax)[row] for row in range(6)] == [
        (low.loc[pair], high.loc[pair]) for pair in pairs
    ]
    significant = bp.to_matrix(part, "significant").astype(bool)
    hollow = [
        line.get_ydata().tolist()
        for line in lines(ax, "_estimate")
        if line.get_markerfacecolor() != "#0072B2"
    ]
    expected = [row for row, pair in enumerate(pairs) if not significant.loc[pair]]
    assert hollow == [expected]
    assert legend_of(ax) == ["median difference, interval: significant", "not significant"]
    (zero,) = lines(ax, "_zero")
    assert zero.get_xdata()[0] == 0.0
    turned = part.rename(columns={"method_1": "method_2", "method_2": "method_1"})
    with pytest.raises(bp.BeamError, match="each pair is needed once"):
        bp.plot.wilcoxon(pd.concat([part, turned]))


def test_a_reference_is_compared_with_each_other_method_best_first():
    ax = bp.plot.wilcoxon(PAIRS, reference="SVC", width=5)
    gap = bp.to_matrix(PAIRS, "median_diff")["SVC"].drop("SVC")
    assert rows_of(ax) == gap.sort_values(ascending=False, kind="stable").index.tolist()
    assert estimates(ax) == sorted(gap, reverse=True)
    assert ax.get_xlabel() == "median difference to SVC"
    control = bp.plot.wilcoxon(ACCURACY.beam.wilcoxon(control="SVC"), width=5)
    assert rows_of(control) == rows_of(ax)
    one_sided = ACCURACY.beam.wilcoxon(control="SVC", alternative="greater")
    ax = bp.plot.wilcoxon(one_sided, width=5)
    assert sum(len(line.get_xdata()) for line in lines(ax, "_no_end")) == 15
    with pytest.raises(bp.BeamError, match="reference must name methods of the result"):
        bp.plot.wilcoxon(PAIRS, reference="svm")


def profile(n_methods=3, **more):
    part = pd.DataFrame({"threshold": [0.2, 0.5, 0.9]})
    table = pd.DataFrame({"method": names(n_methods, 8)}).merge(part, how="cross")
    level = np.repeat(np.linspace(1.0, 0.4, n_methods), 3)
    return table.assign(share=level * np.tile([1.0, 0.5, 0.1], n_methods), **more)


def test_a_profile_is_a_step_that_a_threshold_itself_reaches():
    ax = bp.plot.performance_profile(profile(), width=4)
    assert legend_of(ax) == names(3, 8)
    first = lines(ax, names(3, 8)[0])[0]
    np.testing.assert_allclose(first.get_ydata(), [1.0, 0.5, 0.1])
    assert first.get_drawstyle() == "steps-pre"  # higher is better: P(score >= x)
    rising = profile().assign(share=lambda t: 1.0 - t["share"])
    ax = bp.plot.performance_profile(rising, width=4, log=True, label="factor")
    assert lines(ax, names(3, 8)[0])[0].get_drawstyle() == "steps-post"
    assert (ax.get_xscale(), ax.get_xlabel()) == ("log", "factor")
    ax = bp.plot.performance_profile(profile(40), width=3.5)
    assert legend_of(ax) == [*names(40, 8)[:6], "34 others"]
    assert len(lines(ax, "_other")) == 34
    styles = {
        (li.get_color(), li.get_linestyle()) for li in ax.lines if li.get_zorder() > 3
    }
    assert len(styles) == 6
    ax = bp.plot.performance_profile(profile(40), width=3.5, highlight=names(40, 8)[30])
    assert legend_of(ax) == [names(40, 8)[30], "39 others"]
    for broken, message in (
        (profile().iloc[1:], "needs the same thresholds for all methods"),
        (pd.concat([profile(), profile().head(1)]), "once at a threshold"),
    ):
        with pytest.raises(bp.BeamError, match=message):
            bp.plot.performance_profile(broken)
    with pytest.raises(bp.BeamError, match="log=True needs thresholds above 0"):
        bp.plot.performance_profile(profile().assign(threshold=[0, 1, 2] * 3), log=True)


def points_of(ax):
    """Cost and quality of full and hollow points."""
    full, hollow = {}, {}
    for line in lines(ax, "_method"):
        found = full if line.get_markerfacecolor() == line.get_color() else hollow
        found |= dict.fromkeys(zip(line.get_xdata(), line.get_ydata(), strict=True))
    return set(full), set(hollow)


def test_a_trade_off_averages_the_datasets_of_all_and_marks_the_front():
    ax = bp.plot.trade_off(RANKS, "accuracy", "fit_time", width=7)
    wide = RANKS.pivot_table(index="dataset", columns=["metric", "method"], values="score")
    part = wide[["accuracy", "fit_time"]].dropna()
    quality, cost = part["accuracy"].mean(), part["fit_time"].mean()
    full, hollow = points_of(ax)
    expected = set()
    for method in quality.index:
        better = (quality >= quality[method]) & (cost <= cost[method])
        strict = (quality > quality[method]) | (cost < cost[method])
        if not (better & strict).any():
            expected.add(method)
    found = [
        sorted(p)
        for p in (full, zip(cost[list(expected)], quality[list(expected)]))  # noqa: B905
    ]
    np.testing.assert_allclose(found[0], found[1])
    assert len(full) + len(hollow) == len(quality)
    assert legend_of(ax)[-1] == f"{len(part)} of 32 datasets, better is up and left"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("mean fit_time", "mean accuracy")
    assert ax.get_xscale() == "log"
    ax.figure.draw_without_rendering()
    shown = [text for text in texts(ax) if text.get_visible()]
    assert {"SVC", "MLP", "GaussianNB"} <= {text.get_text() for text in shown}
    assert_no_overlap(shown)


def test_less_quality_is_better_and_methods_without_a_metric_are_named():
    with pytest.warns(
        bp.BeamWarning, match="'RidgeClassifier', 'SVC' have no scores of one"
    ):
        ax = bp.plot.trade_off(RANKS, "log_loss", "fit_time", width=5, average="median")
    low, high = ax.get_ylim()
    assert low > high
    assert ax.get_ylabel() == "median log_loss"
    turned = bp.plot.trade_off(RANKS, "fit_time", "accuracy", width=5, log=False)
    assert turned.get_xlim()[0] > turned.get_xlim()[1]
    for quality, cost, message in (
        ("acc", "fit_time", "quality must name a metric of the result"),
        ("accuracy", "time", "cost must name a metric of the result"),
        ("accuracy", "accuracy", "must be two metrics"),
    ):
        with pytest.raises(bp.BeamError, match=message):
            bp.plot.trade_off(RANKS, quality, cost)
    apart = RANKS[(RANKS["metric"] == "accuracy") ^ (RANKS["dataset"] < "h")]
    with pytest.raises(bp.IncompleteScoresError, match="found none: leave methods out"):
        bp.plot.trade_off(apart, "accuracy", "fit_time")
    shifted = RANKS.assign(score=RANKS["score"] - 9.0)
    with pytest.raises(bp.BeamError, match="log=True needs costs above 0"):
        bp.plot.trade_off(shifted, "accuracy", "fit_time", log=True)


def test_regions_of_a_triangle_are_those_of_the_dirichlet():
    ax = bp.plot.simplex(POSTERIOR, "SVC", "MLP", width=3.5)
    row = POSTERIOR.query("method_1 == 'MLP' and method_2 == 'SVC'").iloc[0]
    weights = np.array([row["losses"], row["ties"] + 1.0, row["wins"]], dtype=float)
    regions = [part for part in ax.collections if part.get_label() == "_region"]
    assert len(regions) == 3
    levels = density_levels(weights, [0.99, 0.9, 0.5])
    for region, level in zip(regions, levels, strict=True):
        (path,) = region.get_paths()
        x, y = path.vertices[path.codes != 79].T
        top = y / np.sqrt(0.75)
        shares = np.column_stack([1.0 - top - (x - top / 2.0), top, x - top / 2.0])
        np.testing.assert_allclose(log_density(weights, shares), level, atol=0.02)
    corners = [text.get_text() for text in ax.texts]
    assert corners == [
        f"SVC better\n{100 * row['prob_worse']:.1f} %",
        f"equivalent\n{100 * row['prob_equivalent']:.1f} %",
        f"MLP better\n{100 * row['prob_better']:.1f} %",
    ]
    assert legend_of(ax) == ["50 %", "90 %", "99 %"]


def posterior(wins, ties, losses, **options):
    rows = [
        (f"d{at}", gap) for at, gap in enumerate([1] * wins + [0] * ties + [-1] * losses)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "score"]).assign(method="a")
    both = pd.concat([frame, frame.assign(method="b", score=0)])
    return both.beam.bayesian_sign(0.5, higher_is_better=True, **options)


def test_what_is_sure_to_be_nothing_leaves_an_edge_or_a_corner():
    ax = bp.plot.simplex(posterior(9, 3, 0), "a", "b", width=3)
    regions = lines(ax, "_region")
    assert len(regions) == 3
    widths = [np.ptp(region.get_xdata()) for region in regions]
    assert widths == sorted(widths, reverse=True)
    assert not ax.collections
    ax = bp.plot.simplex(posterior(0, 4, 0), "a", "b", width=3)
    (point,) = lines(ax, "_posterior")
    assert point.get_xydata().tolist() == [[0.5, np.sqrt(0.75)]]


def test_the_prior_of_a_triangle_has_to_be_that_of_the_result():
    table = posterior(5, 2, 1, prior="uniform", prior_strength=3.0)
    with pytest.raises(bp.BeamError, match="prior and prior_strength must be those of"):
        bp.plot.simplex(table, "a", "b")
    bp.plot.simplex(table, "b", "a", prior="uniform", prior_strength=3.0, width=3)
    for options, message in (
        ({"method_2": "c"}, "method_2 must name methods of the result"),
        ({"method_2": "a"}, "must differ, got 'a' twice"),
        ({"prior": "flat"}, "prior must be one of"),
        ({"prior_strength": -1}, "prior_strength must be a number from 0"),
    ):
        with pytest.raises(bp.BeamError, match=message):
            bp.plot.simplex(table, **{"method_1": "a", "method_2": "b"} | options)


def test_datasets_that_agree_stand_side_by_side():
    labels = list("abcd")
    alike = {("a", "c"): 0.9, ("b", "d"): 0.8}
    rows = [(*pair, 5, alike.get(pair, -0.5)) for pair in itertools.combinations(labels, 2)]
    columns = ["dataset_1", "dataset_2", "n_methods", "kendall_tau"]
    table = pd.DataFrame(rows, columns=columns)
    ax = bp.plot.dataset_concordance(table, width=4)
    order = rows_of(ax)
    assert {frozenset(order[:2]), frozenset(order[2:])} == {
        frozenset("ac"),
        frozenset("bd"),
    }
    square = ax.images[0].get_array()
    assert np.ma.getmaskarray(square).diagonal().all()
    for i, j in itertools.combinations(range(4), 2):
        pair = tuple(sorted([order[i], order[j]]))
        assert square[i, j] == square[j, i] == alike.get(pair, -0.5)
    assert ax.images[0].get_clim() == (-1.0, 1.0)
    assert {text.get_text() for text in ax.texts} == {".90", ".80", f"{MINUS}.50"}
    blank = table.assign(kendall_tau=np.nan)
    assert not bp.plot.dataset_concordance(blank, width=4).texts
    with pytest.raises(
        bp.BeamError, match="needs every pair of datasets once, found 5 rows"
    ):
        bp.plot.dataset_concordance(table.iloc[1:])


LETTERS = pd.DataFrame({"method": list("pqrs"), "groups": ["a,b", "b", "a", "a,c"]})


def test_a_line_never_passes_a_method_without_the_letter():
    ax = bp.plot.letters(LETTERS, width=3.5, highlight="r")
    assert rows_of(ax) == list("pqrs")
    assert [label.get_text() for label in ax.get_xticklabels()] == list("abc")
    dots = {tuple(p) for line in lines(ax, "_letter") for p in line.get_xydata().tolist()}
    assert dots == {(0, 0), (1, 0), (1, 1), (0, 2), (0, 3), (2, 3)}
    (joins,) = [part for part in ax.collections if part.get_label() == "_shared"]
    found = {(s[0, 0], s[0, 1], s[1, 1]) for s in joins.get_segments()}
    assert found == {(1, 0, 1), (0, 2, 3)}
    with pytest.raises(bp.BeamError, match="each method is needed once"):
        bp.plot.letters(pd.concat([LETTERS, LETTERS]))
    with pytest.raises(bp.BeamError, match="needs letters in 'groups', found none"):
        bp.plot.letters(LETTERS.assign(groups=""))


def test_a_diagram_shows_letters_where_a_bar_would_cover_what_differs():
    table = ACCURACY.beam.critical_difference(missing="drop_methods")
    assert lines(bp.plot.critical_difference(table, width=7), "_bar")
    other = table.assign(groups=["a"] + ["b"] * (len(table) - 2) + ["a"])
    ax = bp.plot.critical_difference(other, width=7)
    assert not lines(ax, "_bar")
    assert not lines(ax, "_critical_difference")
    first, last = table.iloc[0], table.iloc[-1]
    written_texts = {text.get_text() for text in ax.texts}
    assert f"{first['method']}  a  {first['mean_rank']:.2f}" in written_texts
    assert f"{last['mean_rank']:.2f}  a  {last['method']}" in written_texts


def drawn(n_methods, length, **options):
    """Draw every picture of a table, once."""
    frame = scores(n_methods, length, 12)
    more = pd.concat([frame, frame.assign(metric="cost", score=np.exp(frame["score"]))])
    labels = names(n_methods, length)
    told = {"higher_is_better": True}
    tables = {
        "rank_intervals": frame.beam.rank_intervals(n_resamples=50, **told),
        "wilcoxon": frame.beam.wilcoxon(**told, control=labels[0]),
        "letters": bp.letters(frame.beam.pairwise(**told)),
        "performance_profile": frame.beam.performance_profile(**told),
        "simplex": frame.beam.bayesian_sign(0.1, **told),
        "trade_off": more.beam.ranks(higher_is_better={"elo": True, "cost": False}),
    }
    asked = {"simplex": labels[:2], "trade_off": ["elo", "cost"]}
    for name, table in tables.items():
        yield getattr(bp.plot, name)(table, *asked.get(name, []), **options)


FEW = [(3, 60, 3.5)]
MORE = [  # each number of methods with each length and each width with both
    (3, 3, 7.0), (3, 30, 3.5), (14, 3, 3.5), (14, 12, 3.5), (14, 30, 7.0), (14, 60, 3.5),
    (40, 3, 7.0), (40, 30, 3.5), (40, 60, 7.0), (60, 3, 3.5), (60, 30, 7.0), (60, 60, 3.5),
]  # fmt: skip


@pytest.mark.parametrize(
    "size",
    [*FEW, *(pytest.param(s, marks=pytest.mark.slow) for s in MORE)],
)
def test_texts_have_room_whatever_the_number_and_length_of_names(size):
    n_methods, length, width = size
    for ax in drawn(n_methods, length, width=width):
        ax.figure.draw_without_rendering()
        found = [text for text in written(ax) if text.get_visible()]
        assert_within(ax.figure.bbox, [*found, ax.get_legend()], tolerance=1.0)
        assert_no_overlap([text for text in texts(ax) if text.get_visible()], tolerance=1.0)
        assert_no_overlap(ax.get_yticklabels(), tolerance=1.0)
        assert min(text.get_fontsize() for text in ax.get_yticklabels() or found) >= 4.0


def test_pictures_in_a_dark_style_stand_out():
    with plt.style.context("dark_background"):
        for ax in drawn(5, 5, width=4):
            for text in written(ax):
                assert contrast(text.get_color(), "black") >= 4.5
            for line in lines(ax, "_estimate"):
                assert contrast(to_rgb(line.get_color()), "black") >= 2.5


def test_several_metrics_and_parts_of_pairs():
    pairs = ACCURACY.beam.pairwise()
    with pytest.raises(bp.BeamError, match="needs a row for every pair of its methods"):
        bp.plot.transitivity(pairs.iloc[1:], width=3)
    with pytest.raises(bp.BeamError, match="found 119 of the 120 pairs of 16 methods"):
        bp.plot.bayesian_sign(POSTERIOR.iloc[1:], width=3)
    control = ACCURACY.beam.bayesian_sign(0.01, control="SVC")
    one = bp.plot.bayesian_sign(control, width=4)
    other = bp.plot.bayesian_sign(POSTERIOR, reference="SVC", width=4)
    assert sorted(rows_of(one)) == sorted(rows_of(other))
    for test in ("sign", "wilcoxon"):
        table = ACCURACY.beam.compare_to_control("SVC", test=test)
        with pytest.raises(bp.BeamError, match='has only with test="mean_rank"'):
            bp.plot.critical_difference(table)


def test_the_best_stand_first_whatever_is_counted():
    figure = Figure((6, 6))
    orders = []
    for relation in ("better", "worse_or_equal"):
        ax = ACCURACY.beam.plot.comparison_matrix(
            relation=relation, ax=figure.add_subplot(), annotate=False
        )
        orders.append(rows_of(ax))
    assert orders[1][0] in orders[0][:3]
    assert orders[1][-1] == orders[0][-1] == "ComplementNB"
    with pytest.raises(bp.BeamError, match="relation must be one of"):
        bp.plot.comparison_matrix(ACCURACY.beam.comparison_matrix(), relation="more")
