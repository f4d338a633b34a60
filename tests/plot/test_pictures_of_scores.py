"""Dots of scores, duels, overviews and flows of places, by their artists."""

import itertools

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure

import beam_pandas as bp
from beam_pandas.plot.colours import BLUE, ORANGE
from beam_pandas.plot.duel_data import read_duels
from beam_pandas.plot.score_tables import read_score_tables
from tests.plot.artists import (
    assert_no_overlap,
    assert_within,
    contrast,
    lines,
    scores,
    written,
)

SCORES = bp.load_benchmark()
ACCURACY = SCORES.query("metric == 'accuracy'")
RANKS = ACCURACY.beam.ranks()
ALL_RANKS = SCORES.beam.ranks()
FEW = ["SVC", "MLP", "GaussianNB", "DecisionTree"]  # without gaps in accuracy


def axes(width=7.0, height=6.0):
    return Figure((width, height)).add_subplot()


def rows_of(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def legend_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


# scores


def test_a_dot_for_each_score_and_methods_by_their_median():
    ax = bp.plot.scores(RANKS, width=9)
    wide = ACCURACY.pivot_table(index="dataset", columns="method", values="score")
    rows = rows_of(ax)
    assert sorted(rows) == sorted(wide.columns)
    median = wide.median()[rows]
    assert (np.diff(median) <= 0).all()
    (dots,) = lines(ax, "_dataset")
    x, y = dots.get_data()
    for at, method in enumerate(rows):
        inside = np.abs(y - at) < 0.5
        np.testing.assert_array_equal(
            np.sort(x[inside & ~np.isnan(x)]), np.sort(wide[method].dropna())
        )
    (box,) = [bars for bars in ax.containers if bars.get_label() == "_box"]
    quartiles = wide[rows].quantile([0.25, 0.75])
    np.testing.assert_allclose([bar.get_x() for bar in box], quartiles.loc[0.25])
    ends = [bar.get_x() + bar.get_width() for bar in box]
    np.testing.assert_allclose(ends, quartiles.loc[0.75])
    middle = [
        part.get_segments() for part in ax.collections if part.get_label() == "_median"
    ]
    np.testing.assert_allclose([segment[0, 0] for segment in middle[0]], median)
    assert legend_of(ax) == ["dataset", "middle half", "median"]
    assert ax.get_xlabel() == "accuracy (higher is better)"
    (right,) = ax.child_axes  # only where datasets are missing
    found = dict(
        zip(rows, [t.get_text().strip() for t in right.get_yticklabels()], strict=True)
    )
    assert {key: text for key, text in found.items() if text} == {
        "ComplementNB": "25 of 32",
        "GaussianProcess": "29 of 32",
        "QuadraticDiscriminant": "29 of 32",
    }
    ax.figure.draw_without_rendering()
    assert_within(ax.figure.bbox, written(ax))


def test_directions_ranks_and_joined_datasets():
    times = SCORES.query("metric == 'fit_time' and method in @FEW")
    table = times.beam.ranks()
    ax = bp.plot.scores(table, log=True, summary="median", join=["iris", "wine"], width=5)
    median = times.groupby("method")["score"].median().sort_values()
    assert rows_of(ax) == median.index.tolist()
    assert ax.get_xlabel() == "fit_time (lower is better)"
    assert ax.get_xscale() == "log"
    assert not ax.containers
    assert not ax.child_axes
    assert legend_of(ax) == ["dataset", "median", "iris", "wine"]
    (iris,) = lines(ax, "iris")
    wide = times.pivot_table(index="dataset", columns="method", values="score")
    np.testing.assert_array_equal(iris.get_xdata(), wide.loc["iris", rows_of(ax)])
    ax = bp.plot.scores(table, what="rank", summary="none", join=True, order=FEW, width=5)
    assert rows_of(ax) == FEW
    assert len(lines(ax, "_joined")) == wide.shape[0]
    (dots,) = lines(ax, "_dataset")
    assert set(np.unique(dots.get_xdata())) <= set(np.arange(1.0, 4.5, 0.5))
    assert ax.get_xlabel() == "rank (1 is the best)"
    for options, message in (
        ({"what": "score", "join": "iriss"}, "join must name datasets of the result"),
        ({"what": "ranks"}, "what must be one of"),
        ({"summary": "mean"}, "summary must be one of"),
        ({"log": "yes"}, "log must be"),
        ({"order": ["nope"]}, "order must name methods"),
    ):
        with pytest.raises(bp.BeamError, match=message):
            bp.plot.scores(table, **options)
    below = pd.DataFrame({"method": [*"ab"], "dataset": "d", "score": [-1.0, 2.0]})
    with pytest.raises(bp.BeamError, match="log=True needs scores above 0, found -1"):
        below.beam.plot.scores(higher_is_better=True, log=True)


@pytest.mark.parametrize("picture", ["scores", "overview", "rank_flow"])
def test_ranks_among_methods_that_are_gone_are_refused(picture):
    part = ALL_RANKS[ALL_RANKS["method"].isin(FEW)]
    options = {"what": "rank"} if picture == "scores" else {}
    with pytest.raises(bp.BeamError, match="found those among more: select methods in the"):
        getattr(bp.plot, picture)(part, **options)
    if picture == "scores":
        assert len(bp.plot.scores(part)) == 5  # the scores are what they were
    odd = RANKS.assign(score_rank=RANKS["score_rank"].where(RANKS["method"] != "SVC"))
    with pytest.raises(bp.BeamError, match="needs a rank wherever there is a score"):
        bp.plot.scores(odd)
    twice = pd.concat([RANKS, RANKS.head(1)])
    with pytest.raises(bp.BeamError, match="needs one row for each dataset and method"):
        bp.plot.scores(twice)
    mixed = pd.concat([RANKS.iloc[:16], RANKS.iloc[16:].assign(score=-RANKS["score"])])
    with pytest.raises(bp.BeamError, match="needs ranks that go with the scores"):
        bp.plot.scores(mixed)


def test_datasets_may_be_left_out_or_missing():
    part = RANKS[RANKS["dataset"] < "d"].dropna()
    ax = bp.plot.scores(part, what="rank", width=5)
    assert len(rows_of(ax)) == 16
    empty = RANKS.assign(score=np.nan, score_rank=np.nan)
    ax = bp.plot.scores(empty, width=5)
    assert ax.get_xlabel() == "accuracy"
    ax.figure.draw_without_rendering()


# duel


def dots_of(ax):
    return [np.column_stack(line.get_data()[::-1]) for line in lines(ax, "_dataset")]


def test_counts_of_a_duel_are_those_of_pairwise():
    for metric, rope in (("accuracy", 0.01), ("accuracy", 0.0), ("fit_time", "20%")):
        part = SCORES[SCORES["metric"] == metric]
        pairs = part.beam.pairwise(rope).set_index(["method_1", "method_2"])
        table = part.beam.ranks()
        (read,) = read_score_tables(table, "duel", needs_ranks=False)
        for first, second in list(itertools.combinations(read.methods, 2))[::3]:
            (found,) = read_duels([read], first, second, rope)
            row = pairs.loc[(first, second)]
            assert found.counts == (row["wins"], row["ties"], row["losses"])
            (turned,) = read_duels([read], second, first, rope)
            assert turned.counts == found.counts[::-1]


@given(
    st.lists(
        st.tuples(st.integers(-40, 40), st.integers(-40, 40)), min_size=1, max_size=30
    ),
    st.sampled_from([0.0, 0.01, 0.05, 0.1, 0.3, "5%", "20%", "50%"]),
    st.booleans(),
)
def test_a_difference_on_the_edge_of_the_rope_is_within_as_in_pairwise(pairs, rope, higher):
    values = np.array(pairs) / 100.0  # decimals, so that many are on the edge
    frame = pd.DataFrame(
        {
            "method": [*"ab"] * len(values),
            "dataset": np.repeat(np.arange(len(values)), 2),
            "score": values.ravel(),
        }
    )
    row = frame.beam.pairwise(rope, higher_is_better=higher).iloc[0]
    (read,) = read_score_tables(
        frame.beam.ranks(higher_is_better=higher), "duel", needs_ranks=False
    )
    (found,) = read_duels([read], "a", "b", rope)
    assert found.counts == (row["wins"], row["ties"], row["losses"])
    for one, other, sign in zip(*found.scores.T, found.outcome, strict=True):
        slack = 1e-9  # the areas have their edges where the outcomes change
        above = one > found.rope.above(other) + slack
        below = one < found.rope.below(other) - slack
        if above or below:
            assert sign == (1 if above == higher else -1)


@pytest.mark.parametrize(("metric", "upper"), [("accuracy", BLUE), ("fit_time", ORANGE)])
def test_a_duel_has_equal_axes_areas_and_names(metric, upper):
    table = SCORES[SCORES["metric"] == metric].beam.ranks()
    ax = bp.plot.duel(table, "SVC", "MLP", 0.01, width=4)
    ax.figure.draw_without_rendering()
    assert ax.get_xlim() == ax.get_ylim()
    assert list(ax.get_xticks()) == list(ax.get_yticks())
    box = ax.get_window_extent()
    assert box.width == pytest.approx(box.height, abs=1.0)
    assert (ax.get_ylabel(), ax.get_xlabel()) == (f"{metric} of SVC", f"{metric} of MLP")
    wide = table.pivot_table(index="dataset", columns="method", values="score")[
        ["SVC", "MLP"]
    ]
    both = wide.dropna().to_numpy()
    found = np.vstack(dots_of(ax))
    assert sorted(map(tuple, found)) == sorted(map(tuple, both))
    won, tied, lost = (len(part) for part in dots_of(ax))
    assert legend_of(ax) == [
        f"SVC better: {won}",
        f"within the rope: {tied}",
        f"MLP better: {lost}",
    ]
    counts = {text.get_text() for text in ax.texts[:2]}
    assert counts == {str(won), str(lost)}
    areas = {part.get_label(): part for part in ax.collections}
    assert set(areas) == {"_above", "_below", "_rope"}
    tint = np.array(areas["_above"].get_facecolor()[0][:3])
    expected = 0.9 * np.ones(3) + 0.1 * np.array(to_rgb(upper))
    np.testing.assert_allclose(tint, expected, atol=1e-9)
    if metric == "accuracy":  # those that are far from each other have their names
        farthest = (wide["SVC"] - wide["MLP"]).abs().sort_values(ascending=False).index[:3]
        shown = [text for text in ax.texts[2:] if text.get_visible()]
        assert {text.get_text() for text in shown} <= set(farthest)
        assert shown
        assert_no_overlap([*shown, *ax.texts[:2]])
        assert_within(box, shown)
    assert_within(ax.figure.bbox, written(ax))


def test_arguments_of_a_duel_by_place_and_its_errors():
    ax = ACCURACY.beam.plot.duel("SVC", "MLP", 0.01, label=0, width=4)
    assert legend_of(ax) == ["SVC better: 6", "within the rope: 17", "MLP better: 9"]
    assert len(ax.texts) == 2
    same = ACCURACY.beam.plot.duel("SVC", method_2="MLP", rope={"accuracy": 0.01}, width=4)
    assert legend_of(same) == legend_of(ax)
    groups = SCORES.query("metric in ['accuracy', 'log_loss']").groupby("metric")
    panels = groups.beam.plot.duel("SVC", "MLP", higher_is_better={"log_loss": False})
    assert [legend_of(panel)[0] for panel in panels] == ["SVC better: 16", "SVC better: 0"]
    with pytest.raises(TypeError, match="missing a required argument: 'method_2'"):
        ACCURACY.beam.plot.duel("SVC")
    for arguments, message in (
        (("SVC", "mlp"), "method_2 must be a method of the result"),
        (("SVC", "SVC"), "must be two methods, got 'SVC' twice"),
        (("SVC", "MLP", -0.1), "rope of a picture must be"),
        (("SVC", "MLP", np.nan), "rope of a picture must be"),
        (("SVC", "MLP", "100%"), "rope of a picture must be"),
        (("SVC", "MLP", "stderr"), "rope of a picture must be"),
        (("SVC", "MLP", True), "rope of a picture must be"),
        (("SVC", "MLP", {"f1": 0.1}), "rope must have a number for each metric"),
    ):
        with pytest.raises(bp.BeamError, match=message):
            bp.plot.duel(RANKS, *arguments)
    for label in (-1, 1.5, True):
        with pytest.raises(bp.BeamError, match="label must be a number of datasets"):
            bp.plot.duel(RANKS, "SVC", "MLP", label=label)


# overview and flow


def test_an_overview_is_the_standing_of_each_method_by_each_metric():
    ax = bp.plot.overview(ALL_RANKS, ax=axes())
    rows = rows_of(ax)
    columns = [label.get_text() for label in ax.get_xticklabels()]
    assert columns == sorted(SCORES["metric"].unique())
    table = SCORES.beam.standing().pivot_table(
        index="method", columns="metric", values="standing"
    )
    expected = table.loc[rows, columns]
    assert rows == table.mean(axis=1).sort_values(ascending=False).index.tolist()
    (dots,) = [part for part in ax.collections if part.get_label() == "_standing"]
    known = expected.notna().to_numpy()
    np.testing.assert_array_equal(dots.get_array(), expected.to_numpy()[known])
    ax.figure.draw_without_rendering()
    size = dots.get_sizes()
    value = np.asarray(dots.get_array())
    large = value > 0.05
    np.testing.assert_allclose(size[large] / value[large], size.max() / value.max())
    found = [text.get_text() for text in ax.texts]
    assert found == [f"{value:.2f}" for value in expected.to_numpy()[known]]
    bold = {text.get_text() for text in ax.texts if text.get_fontweight() == "bold"}
    assert bold == {f"{value:.2f}" for value in expected.max()}
    for text, offset, area in zip(ax.texts, dots.get_offsets(), size, strict=True):
        start = text.get_window_extent().x0
        assert start > ax.transData.transform(offset)[0] + np.sqrt(area) / 2 * 100 / 72 - 1
    assert_within(ax.figure.bbox, written(ax))
    assert legend_of(ax) == ["standing: share of datasets won, ties half"]


def test_an_overview_of_mean_ranks_needs_all_scores():
    with pytest.raises(
        bp.IncompleteScoresError, match="needs a score of every method on ev"
    ):
        bp.plot.overview(ALL_RANKS, what="mean_rank")
    part = SCORES.query("method in @FEW and metric in ['accuracy', 'fit_time']")
    ax = part.beam.plot.overview(what="mean_rank", width=5)
    expected = part.beam.critical_difference(missing="raise")
    expected = expected.pivot_table(index="method", columns="metric", values="mean_rank")
    assert [text.get_text() for text in ax.texts] == [
        f"{value:.1f}" for value in expected.loc[rows_of(ax)].to_numpy().ravel()
    ]
    (dots,) = [each for each in ax.collections if each.get_label() == "_standing"]
    np.testing.assert_allclose(
        dots.get_array(), (4 - expected.loc[rows_of(ax)].to_numpy().ravel()) / 3
    )
    ax = part.beam.plot.overview(what="mean_rank", annotate=False, order=FEW, width=5)
    assert rows_of(ax) == FEW
    assert not ax.texts
    assert ax.figure.axes[1].get_ylabel() == "1: always first, 0: always last"
    one = ACCURACY.drop(columns="metric").beam.ranks(higher_is_better=True)
    ax = bp.plot.overview(one, width=4)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["score"]


def test_a_flow_has_the_places_by_standing_in_each_metric():
    ax = bp.plot.rank_flow(ALL_RANKS, ax=axes())
    table = SCORES.beam.standing()
    places = table.pivot_table(index="method", columns="metric", values="standing_rank")
    columns = [label.get_text() for label in ax.get_xticklabels()]
    (right,) = ax.child_axes
    ends = (rows_of(ax), [label.get_text() for label in right.get_yticklabels()])
    for names_of, metric in zip(ends, (columns[0], columns[-1]), strict=True):
        assert sorted(names_of) == sorted(places.index)
        assert (np.diff(places.loc[names_of, metric]) >= 0).all()
    written_places = {}
    for text in ax.texts:
        column, row = text.get_position()
        written_places[round(column), round(row)] = text.get_text()
    assert [written_places[0, row] for row in range(16)] == [
        str(at + 1) for at in range(16)
    ]
    log_loss = columns.index("log_loss")
    assert [written_places[log_loss, row] for row in (13, 14, 15)] == ["14", "-", "-"]
    assert len(lines(ax, "_flow")) == 16
    firsts = set(places.columns[places.loc[["MLP"]].to_numpy().ravel() == 1])
    assert firsts  # MLP is first somewhere, so that it is coloured
    coloured = {to_hex(line.get_color()) for line in lines(ax, "_flow")}
    winners = {places[metric].idxmin() for metric in columns}
    assert len(coloured) == len(winners) + 1
    assert ax.get_xlabel() == "place by standing"
    ax.figure.draw_without_rendering()
    assert_within(ax.figure.bbox, written(ax))
    assert_no_overlap(ax.get_yticklabels(), tolerance=1.0)
    one = bp.plot.rank_flow(ALL_RANKS, highlight="SVC", width=5)
    assert len({to_hex(line.get_color()) for line in lines(one, "_flow")}) == 2
    with pytest.raises(bp.BeamError, match="needs two metrics or more, found one"):
        bp.plot.rank_flow(RANKS)
    with pytest.raises(bp.BeamError, match="highlight must name methods"):
        bp.plot.rank_flow(ALL_RANKS, highlight="svc")


def test_shared_places_say_so():
    frame = pd.DataFrame(
        {
            "method": [*"abc"] * 2,
            "dataset": "d",
            "metric": np.repeat(["f1", "r2"], 3),
            "score": [0.5, 0.5, 0.1, 0.3, 0.2, 0.1],
        }
    )
    frame = pd.concat([frame, frame.assign(dataset="e")])
    ax = frame.beam.plot.rank_flow(width=4)
    texts = [text.get_text() for text in ax.texts]
    assert texts == ["1=", "1", "1=", "2", "3", "3"]


# all of them


def several(n_methods, length):
    frame = scores(n_methods, length, 20)
    rng = np.random.default_rng(0)
    other = frame.assign(metric="another_metric", score=rng.normal(size=len(frame)))
    return pd.concat([frame, other]).beam.ranks(higher_is_better=True)


def drawn(table, width):
    """Each picture of one table at one width."""
    first, last = sorted(table["method"].unique())[:: len(table["method"].unique()) - 1]
    one = table[table["metric"] == "elo"]
    return [
        bp.plot.scores(one, width=width),
        bp.plot.duel(one, first, last, 0.2, width=width),
        bp.plot.overview(table, width=width),
        bp.plot.rank_flow(table, width=width),
    ]


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
    for ax in drawn(several(n_methods, length), width):
        ax.figure.draw_without_rendering()
        assert_within(ax.figure.bbox, written(ax))
        for labels in (ax.get_xticklabels(), ax.get_yticklabels()):
            assert_no_overlap(labels, tolerance=1.0)
        assert min(label.get_fontsize() for label in ax.get_yticklabels()) >= 4.0
        shown = [text for text in ax.texts if text.get_visible()]
        assert_no_overlap(shown[:60], tolerance=1.0)


@pytest.mark.parametrize("style", ["dark_background", "grayscale"])
def test_other_styles(style):
    with mpl.style.context(style):
        for ax in drawn(several(6, 8), 5.0):
            ground = to_rgb(ax.figure.get_facecolor())
            for text in written(ax):
                if text not in ax.texts:
                    assert contrast(text.get_color(), ground) >= 4.5
            for line in [*lines(ax, "_flow"), *lines(ax, "_diagonal")]:
                assert contrast(line.get_color(), to_rgb(ax.get_facecolor())) >= 1.5
