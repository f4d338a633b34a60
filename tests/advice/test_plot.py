"""Following what pictures say."""

import re
import sys
from functools import cache
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest

import beam_pandas as bp
from tests.advice.cases import Call, Case, Files, Lazy
from tests.advice.frames import BARE, LONG, holed, of_metric
from tests.advice.hold import complete, hold
from tests.advice.reasons import DONE, NOTHING, OPTION
from tests.tables import long

plot = bp.plot
#: What the functions must be given, whose results are drawn.
NEEDED = {"compare_to_control": {"control": "A"}, "bayesian_sign": {"rope": 0.01}}
BOTH = pd.concat([LONG, of_metric("f1")])


@cache
def gap():
    return bp.critical_difference(LONG)


@cache
def control():
    return bp.compare_to_control(LONG, "A", adjust="bonferroni")


@cache
def wins():
    return bp.comparison_matrix(LONG)


@cache
def ranks():
    return bp.ranks(LONG)


@cache
def places():
    return bp.rank_intervals(LONG, n_resamples=20)


@cache
def sizes():
    return bp.wilcoxon(LONG)


SIGNS = Lazy(lambda: bp.bayesian_sign(LONG, 0.01))


def profile(thresholds=None):
    return bp.performance_profile(LONG, thresholds=thresholds)


def costs(kept=lambda df: df["score"] > -1, cost=2.0):
    """Ranks of a quality and of a cost."""
    both = pd.concat([LONG, LONG.assign(metric="runtime", score=LONG["score"] * cost)])
    return bp.ranks(both[kept(both)])


def holed_ranks(frame):
    """Ranks of scores of which one is missing."""
    kept = holed(("A", "iris"), frame=frame)
    return bp.ranks(kept, higher_is_better=True)


RANKS = Lazy(ranks)
FOUR = pd.concat([LONG, LONG[LONG["method"] == "A"].assign(method="D", score=0.3)])
GAP, CONTROL, WINS = Lazy(gap), Lazy(control), Lazy(wins)


def results(text):
    """Compute what a message says to pass: of each function that it names."""
    for name in re.findall(r"beam_pandas\.(\w+)", text.split("pass the ")[1]):
        if name != "to_matrix":
            yield getattr(bp, name)(LONG, **NEEDED.get(name, {}))


def passed(text, call: Call) -> Call:
    """Pass the result of the first function that is named."""
    return call._replace(frame=next(results(text)))


def passed_last(text, call: Call) -> Call:
    *_, last = results(text)
    return call._replace(frame=last)


def but(frame=None, **options):
    """Take another result, or other options."""

    def follow(_, call: Call) -> Call:
        kept = {
            name: value
            for name, value in (call.options | options).items()
            if value is not None
        }
        return Call(call.function, call.frame if frame is None else frame, kept)

    return follow


def draw_on(n=1, size=(8, 6), **options):
    from matplotlib.figure import Figure

    figure = Figure(size)
    found = [figure.add_subplot(1, n, at + 1, **options) for at in range(n)]
    return found[0] if n == 1 else found


def axes(n=1, **options):
    return Lazy(lambda: draw_on(n, **options))


def removed():
    found = draw_on()
    found.remove()
    return found


def without_matplotlib(frame, **options):
    with patch.dict(sys.modules, {"matplotlib": None}):
        return plot.critical_difference(frame, **options)


def drawn(frame, control=None, **options):
    """Compute and draw in one call."""
    return frame.beam.plot.critical_difference(control, ax=draw_on(), **options)


def saved(folder, name="a.png", ax=None, **options):
    """Save a picture into a folder."""
    folder = Path(folder)
    return plot.save(draw_on() if ax is None else ax, folder / name, **options)


def doubled(frame, name):
    return pd.concat([frame, frame[[name]]], axis=1)


ROOM = Files({"a.txt": ""})
COLUMNS = "plot/panels:read_panels: plot.… needs the columns …; lacking are"

pytestmark = pytest.mark.slow  # pictures are

CASES = [
    Case(
        "plot/figures:require_matplotlib: pictures need matplotlib, which is not i",
        without_matplotlib,
        GAP,
        none="it names what to install, which no test does",
    ),
    Case(
        "plot/accessor:_draw: … is no parameter of beam_pandas.…, whic",
        drawn,
        LONG,
        adjust="holm",
        follow=but(adjust=None),
    ),
    Case(
        "plot/colours:colour_map: cmap must be a matplotlib Colormap or th",
        plot.comparison_matrix,
        WINS,
        cmap="nope",
        ax=axes(),
        follow=but(cmap="cividis"),
    ),
    # Results --------------------------------------------------------------------------
    *(
        Case(COLUMNS, picture, LONG, ax=axes(), follow=follow)
        for picture, follow in [
            (plot.critical_difference, passed),
            (plot.critical_difference, passed_last),
            (plot.bayesian_sign, passed),
        ]
    ),
    Case(
        "plot/panels:read_panels: column … is needed once, found several o",
        plot.critical_difference,
        Lazy(lambda: doubled(gap(), "method")),
        ax=axes(),
        follow=but(GAP),
    ),
    Case(
        "plot/panels:read_panels: plot.… needs at least one row, found non",
        plot.critical_difference,
        Lazy(lambda: gap().head(0)),
        ax=axes(),
        follow=passed,
    ),
    Case(
        "plot/panels:check_frame: plot.… needs a pandas DataFrame, found …",
        plot.critical_difference,
        [1],
        ax=axes(),
        follow=passed,
    ),
    Case(
        "plot/panels:read_wide_panels: a picture needs rows and columns, found",
        plot.comparison_matrix,
        Lazy(lambda: bp.comparison_matrix(BOTH).iloc[:0]),
        ax=axes(),
        follow=but(WINS),
    ),
    Case(
        "plot/panels:as_labels: … must name methods of the result, …; go",
        plot.critical_difference,
        GAP,
        highlight="Z",
        ax=axes(),
        none=OPTION,
    ),
    Case(
        "plot/matrix_map:_check_square: plot.… needs a square, the same methods",
        plot.comparison_matrix,
        LONG,
        ax=axes(),
        follow=passed,
    ),
    Case(
        "plot/matrix_map:_check_square: plot.… needs a square, the same methods",
        plot.comparison_matrix,
        Lazy(lambda: bp.pairwise(LONG)),
        ax=axes(),
        follow=but(Lazy(lambda: bp.to_matrix(bp.pairwise(LONG), "wins"))),
    ),
    Case(
        "plot/matrix_map:_read_squares: n_datasets must have the rows and column",
        plot.comparison_matrix,
        WINS,
        n_datasets=Lazy(lambda: wins().iloc[::-1]),
        ax=axes(),
        follow=but(n_datasets=WINS),
    ),
    Case(
        "plot/matrix_map:_read_square: order must name each method once, got …",
        plot.comparison_matrix,
        WINS,
        order=["A", "A"],
        ax=axes(),
        follow=but(order=["A", "B"]),
    ),
    Case(
        "plot/matrix_map:_write_values: fmt must be a format of numbers such as",
        plot.comparison_matrix,
        WINS,
        fmt="%d",
        ax=axes(),
        follow=but(fmt=".2f"),
    ),
    Case(
        "plot/score_gaps:missing_scores: plot.… needs a row for each dataset and",
        plot.missing_scores,
        LONG,
        ax=axes(),
        follow=passed,
    ),
    Case(
        "plot/posterior_data:read_posteriors: threshold must be a number above 0.5 and",
        plot.bayesian_sign,
        Lazy(lambda: bp.bayesian_sign(LONG, 0.01)),
        threshold=2,
        ax=axes(),
        none=OPTION,
    ),
    Case(
        "plot/posterior_data:_read: threshold must be that of the result, go",
        plot.bayesian_sign,
        Lazy(lambda: bp.bayesian_sign(LONG, 0.01, threshold=0.9999)),
        threshold=0.51,
        ax=axes(),
        follow=but(threshold=0.9999),
    ),
    # The diagram ----------------------------------------------------------------------
    Case(
        "plot/diagram_data:_read_control: plot.critical_difference needs one contr",
        plot.critical_difference,
        Lazy(lambda: control().assign(control=["A", "B"])),
        ax=axes(),
        follow=but(CONTROL),
    ),
    Case(
        "plot/diagram_data:_read_control: column 'significant' must be True or Fal",
        plot.critical_difference,
        Lazy(lambda: control().assign(significant=None)),
        ax=axes(),
        follow=but(CONTROL),
    ),
    Case(
        "plot/diagram_data:_only: … needs one value…, found …: pass the re",
        plot.critical_difference,
        Lazy(lambda: gap().assign(critical_difference=[1.0, 2.0, 3.0])),
        ax=axes(),
        follow=but(GAP),
    ),
    Case(
        "plot/diagram_data:_only: … needs one value…, found …: pass the re",
        plot.critical_difference,
        Lazy(
            lambda: pd.concat(
                [gap().assign(critical_difference=1.0).head(2), gap().tail(1)]
            )
        ),
        ax=axes(),
        follow=but(
            Lazy(
                lambda: pd.concat([gap().assign(domain=name) for name in "xy"])[
                    ["domain", *gap()]
                ]
            ),
            ax=axes(2),
        ),
    ),
    Case(
        "plot/diagram_data:_finite: column … must hold finite numbers",
        plot.critical_difference,
        Lazy(lambda: control().assign(rank_diff=np.nan)),
        ax=axes(),
        follow=but(CONTROL),
    ),
    Case(
        "plot/diagram_data:_checked: plot.critical_difference needs two metho",
        plot.critical_difference,
        Lazy(lambda: gap().head(1)),
        ax=axes(),
        follow=but(GAP),
    ),
    Case(
        "plot/diagram_data:_checked: mean ranks must be numbers from 1, found",
        plot.critical_difference,
        Lazy(lambda: gap().assign(mean_rank=0.0)),
        ax=axes(),
        follow=but(GAP),
    ),
    Case(
        "plot/diagram_data:_checked: plot.critical_difference needs each meth",
        plot.critical_difference,
        Lazy(lambda: pd.concat([gap(), gap()])),
        ax=axes(),
        follow=but(GAP),
    ),
    Case(
        "plot/diagram_data:_incomplete: plot.critical_difference needs a row for",
        plot.critical_difference,
        Lazy(lambda: gap().drop(columns="n_methods").tail(2)),
        ax=axes(),
        follow=but(GAP),
    ),
    Case(
        "plot/diagram_data:_incomplete: plot.critical_difference needs a row for",
        plot.critical_difference,
        Lazy(lambda: bp.compare_to_control(LONG, "A").head(1)),
        ax=axes(),
        follow=but(CONTROL),
    ),
    Case(
        "plot/diagram:critical_difference: … methods are too many to hang on one ax",
        plot.critical_difference,
        Lazy(
            lambda: bp.critical_difference(
                long(
                    {
                        f"m{at}": np.random.default_rng(at).random(9).round(3).tolist()
                        for at in range(41)
                    },
                    "elo",
                )
            )
        ),
        ax=axes(),
        none=DONE,
    ),
    Case(
        "plot/diagram:critical_difference: the labels have … points to fit into the",
        plot.critical_difference,
        GAP,
        ax=axes(size=(0.6, 0.4)),
        follow=but(ax=axes()),
    ),
    # Pictures of scores, of pairs and of intervals -------------------------------------
    *(
        Case(site, plot.duel, RANKS, ax=axes(), none=OPTION, **options)
        for site, options in {
            "plot/duel_data:read_duels: … must be a method of the result, …; got": {
                "method_1": "A",
                "method_2": "Z",
            },
            "plot/duel_data:read_duels: method_1 and method_2 must be two method": {
                "method_1": "A",
                "method_2": "A",
            },
            "plot/duel_data:_read_rope: rope of a picture must be a finite numbe": {
                "method_1": "A",
                "method_2": "B",
                "rope": -1,
            },
            "plot/duel_points:duel: label must be a number of datasets, 0 or": {
                "method_1": "A",
                "method_2": "B",
                "label": -1,
            },
        }.items()
    ),
    Case(
        "plot/duel_data:_read_ropes: rope must have a number for each metric,",
        plot.duel,
        RANKS,
        method_1="A",
        method_2="B",
        rope={"f1": 0.1},
        ax=axes(),
        follow=but(rope={"accuracy": 0.1}),
    ),
    Case(
        "plot/rank_bumps:_read: plot.rank_flow needs two metrics or more",
        plot.rank_flow,
        RANKS,
        ax=axes(),
        follow=but(Lazy(lambda: bp.ranks(BOTH))),
    ),
    Case(
        "plot/score_dots:_check_joined: join must name datasets of the result, …",
        plot.scores,
        RANKS,
        join="moon",
        ax=axes(),
        none=OPTION,
    ),
    Case(
        "plot/score_dots:_make_logarithmic: log=True needs scores above 0, found … i",
        plot.scores,
        Lazy(lambda: bp.ranks(LONG.assign(metric="elo", score=-LONG["score"]))),
        log=True,
        ax=axes(),
        follow=but(log=None),
    ),
    *(
        Case(site, plot.overview, Lazy(frame), ax=axes(), follow=follow)
        for site, frame, follow in [
            (
                "plot/score_tables:_read_table: plot.… needs one row for each dataset an",
                lambda: pd.concat([ranks(), ranks()]),
                but(RANKS),
            ),
            (
                "plot/score_tables:_check_pool: plot.… needs ranks among the methods of",
                lambda: ranks().query("method != 'A'"),
                but(Lazy(lambda: bp.ranks(LONG[LONG["method"] != "A"]))),
            ),
            (
                "plot/score_tables:_direction: plot.… needs a rank wherever there is a",
                lambda: ranks().assign(
                    score=ranks()["score"].where(ranks()["method"] != "A")
                ),
                but(RANKS),
            ),
            (
                "plot/score_tables:_direction: plot.… needs ranks that go with the scor",
                lambda: ranks().assign(
                    score=ranks()["score"] * ranks()["dataset"].map({"iris": -1}).fillna(1)
                ),
                but(RANKS),
            ),
        ]
    ),
    *(
        Case(
            "plot/score_tables:mean_ranks: what='mean_rank' needs a score of every",
            plot.overview,
            Lazy(lambda frame=frame: holed_ranks(frame)),
            what="mean_rank",
            ax=axes(),
        )
        for frame in [BOTH, BARE]
    ),
    Case(
        "plot/score_tables:chosen_first: order must name each method once, got …",
        plot.scores,
        RANKS,
        order=["A", "A"],
        ax=axes(),
        none=OPTION,
    ),
    Case(
        "plot/method_intervals:_read: each method is needed once, found … seve",
        plot.rank_intervals,
        Lazy(lambda: pd.concat([places(), places()])),
        ax=axes(),
        follow=but(Lazy(lambda: places())),
    ),
    Case(
        "plot/method_intervals:_read: each method is needed once, found … seve",
        plot.rank_intervals,
        Lazy(lambda: pd.concat([places(), places()])),
        ax=axes(),
        follow=but(
            Lazy(lambda: pd.concat([places().assign(domain=name) for name in "xy"])),
            ax=axes(2),
        ),
    ),
    Case(
        "plot/pair_intervals:_check_pairs: each pair is needed once, found one seve",
        plot.wilcoxon,
        Lazy(lambda: pd.concat([sizes(), sizes()])),
        ax=axes(),
        follow=but(Lazy(lambda: sizes())),
    ),
    Case(
        "plot/pair_intervals:_read: reference must be in a pair…, got …",
        plot.wilcoxon,
        Lazy(
            lambda: bp.wilcoxon(pd.concat([FOUR, of_metric("f1")])).dropna(subset="p_value")
        ),
        reference="D",
        ax=axes(2),
        none=OPTION,
    ),
    Case(
        "plot/pair_map_data:read_pair_maps: _OTHERS",
        plot.pairwise,
        Lazy(lambda: bp.pairwise(BOTH)),
        ranks=RANKS,
        ax=axes(2),
        follow=but(ranks=Lazy(lambda: bp.ranks(BOTH))),
    ),
    Case(
        "plot/pair_map_data:_means: _OTHERS",
        plot.pairwise,
        Lazy(lambda: bp.pairwise(LONG)),
        ranks=Lazy(lambda: bp.ranks(LONG[LONG["method"] != "A"])),
        ax=axes(),
        follow=but(ranks=RANKS),
    ),
    Case(
        "plot/pair_map_data:_labels: reference must name one method or more,",
        plot.pairwise,
        Lazy(lambda: bp.pairwise(LONG)),
        reference=[],
        ax=axes(),
        none=OPTION,
    ),
    Case(
        "plot/pair_map_data:_find_control: plot.… needs all pairs…, or those with o",
        plot.pairwise,
        Lazy(lambda: bp.pairwise(FOUR).iloc[:4]),
        ax=axes(),
        follow=but(Lazy(lambda: bp.pairwise(FOUR)), reference="A"),
    ),
    Case(
        "plot/panels:refuse_part_of_pairs: plot.… needs a row for every pair of its",
        plot.transitivity,
        Lazy(lambda: bp.pairwise(FOUR).iloc[:4]),
        ax=axes(),
        follow=but(Lazy(lambda: bp.pairwise(FOUR))),
    ),
    Case(
        "plot/diagram_data:_read_control: plot.critical_difference draws mean rank",
        plot.critical_difference,
        Lazy(lambda: bp.compare_to_control(LONG, "A", test="sign")),
        ax=axes(),
        follow=lambda text, call: Call(
            plot.pairwise, Lazy(lambda: bp.pairwise(LONG)), {"reference": "A", "ax": axes()}
        ),
    ),
    Case(
        "plot/diagram_data:_read_control: plot.critical_difference draws mean rank",
        plot.critical_difference,
        Lazy(lambda: bp.compare_to_control(LONG, "A", test="wilcoxon")),
        ax=axes(),
        follow=lambda text, call: Call(
            plot.wilcoxon, Lazy(lambda: bp.wilcoxon(LONG)), {"reference": "A", "ax": axes()}
        ),
    ),
    Case(
        "plot/concordance_map:_read: plot.… needs every pair of datasets once",
        plot.dataset_concordance,
        Lazy(lambda: bp.dataset_concordance(LONG).head(3)),
        ax=axes(),
        follow=passed,
    ),
    Case(
        "plot/letter_columns:_read: each method is needed once, found … seve",
        plot.letters,
        Lazy(lambda: pd.concat([gap(), gap()])),
        ax=axes(),
        follow=but(GAP),
    ),
    Case(
        "plot/letter_columns:_read: plot.… needs letters in 'groups', found",
        plot.letters,
        Lazy(lambda: gap().assign(groups=None)),
        ax=axes(),
        follow=but(GAP),
    ),
    Case(
        "plot/profile_lines:_read: each method is needed once at a threshol",
        plot.performance_profile,
        Lazy(lambda: pd.concat([profile(), profile()])),
        ax=axes(),
        follow=but(Lazy(lambda: profile())),
    ),
    Case(
        "plot/profile_lines:_read: plot.… needs the same thresholds for all",
        plot.performance_profile,
        Lazy(lambda: profile().iloc[1:]),
        ax=axes(),
        follow=passed,
    ),
    Case(
        "plot/profile_lines:_read: log=True needs thresholds above 0, found",
        plot.performance_profile,
        Lazy(lambda: profile([-1, 0.5])),
        log=True,
        ax=axes(),
        follow=but(log=None),
    ),
    *(
        Case(
            site,
            plot.simplex,
            SIGNS,
            ax=axes(),
            **({"method_1": "A", "method_2": "B"} | options),
        )
        for site, options in [
            (
                "plot/simplex_data:read_triangles: prior must be one of …, got …",
                {"prior": "x", "follow": but(prior="rope")},
            ),
            (
                "plot/simplex_data:read_triangles: prior_strength must be a number from 0,",
                {"prior_strength": -1, "none": OPTION},
            ),
            (
                "plot/simplex_data:read_triangles: method_1 and method_2 must differ, got …",
                {"method_2": "A", "none": OPTION},
            ),
            (
                "plot/simplex_data:_read: prior and prior_strength must be those o",
                {"prior_strength": 9.0, "follow": but(prior_strength=None)},
            ),
        ]
    ),
    Case(
        "plot/simplex_data:_read: plot.… needs one row with ……, found …: p",
        plot.simplex,
        Lazy(lambda: bp.bayesian_sign(LONG, 0.01, control="A")),
        method_1="B",
        method_2="C",
        ax=axes(),
        follow=passed,
    ),
    Case(
        "plot/simplex_data:_read: … share no dataset…, and so have no post",
        plot.simplex,
        Lazy(
            lambda: bp.bayesian_sign(
                LONG[
                    LONG["dataset"].isin(["iris", "zoo"]) == LONG["method"].isin(["A", "B"])
                ],
                0.01,
            )
        ),
        method_1="A",
        method_2="C",
        ax=axes(),
        none=NOTHING,
    ),
    *(
        Case(
            site,
            plot.trade_off,
            Lazy(frame),
            ax=axes(),
            **({"quality": "accuracy", "cost": "runtime"} | options),
        )
        for site, frame, options in [
            (
                "plot/trade_off_points:_pair_up: quality and cost must be two metrics, go",
                costs,
                {"cost": "accuracy", "none": OPTION},
            ),
            (
                "plot/trade_off_points:_pair_up: … must name a metric of the result, …; g",
                costs,
                {"cost": "f1", "none": OPTION},
            ),
            (
                "plot/trade_off_points:_pair_up: metric … is missing in group …",
                lambda: pd.concat([costs().assign(domain="x"), ranks().assign(domain="y")]),
                {"none": NOTHING},
            ),
            (
                "plot/trade_off_points:_average: … … no scores of one of the two metrics:",
                lambda: costs(
                    lambda df: (df["metric"] != "runtime") | (df["method"] != "C")
                ),
                {"none": DONE},
            ),
            (
                "plot/trade_off_points:_average: plot.trade_off needs a dataset on which",
                lambda: costs(
                    lambda df: (
                        (df["metric"] != "runtime")
                        | ((df["method"] != "C") == (df["dataset"] != "iris"))
                    )
                ),
                {"follow": but(Lazy(lambda: costs(lambda df: df["method"] != "C")))},
            ),
            (
                "plot/trade_off_points:_axes_of: log=True needs costs above 0, found …",
                lambda: costs(cost=0.0),
                {"log": True, "follow": but(log=None)},
            ),
        ]
    ),
    # Axes and files -------------------------------------------------------------------
    Case(
        "plot/figures:given_axes: ax must be matplotlib Axes or a sequence",
        plot.critical_difference,
        GAP,
        ax=LONG,
        follow=but(ax=axes()),
    ),
    Case(
        "plot/figures:given_axes: ax must be different Axes, got one of th",
        plot.critical_difference,
        Lazy(lambda: bp.critical_difference(BOTH)),
        ax=Lazy(lambda: [draw_on()] * 2),
        follow=but(ax=axes(2)),
    ),
    *(
        Case(
            "plot/figures:given_axes: ax must be … Axes for …, got …: pass as",
            plot.critical_difference,
            frame,
            ax=found,
            follow=but(ax=needed),
        )
        for frame, found, needed in [
            (GAP, axes(2), axes()),
            (Lazy(lambda: bp.critical_difference(BOTH)), axes(), axes(2)),
        ]
    ),
    Case(
        "plot/figures:_check_figures: ax must belong to a figure, got Axes tha",
        plot.critical_difference,
        GAP,
        ax=Lazy(removed),
        follow=but(ax=axes()),
    ),
    Case(
        "plot/figures:_check_figures: ax must be plain Axes, got a projection:",
        plot.critical_difference,
        GAP,
        ax=axes(projection="polar"),
        follow=but(ax=axes()),
    ),
    Case(
        "plot/figures:_check_figures: ax must have room to draw, got … x … poi",
        plot.critical_difference,
        GAP,
        ax=axes(size=(0.001, 0.001)),
        follow=but(ax=axes()),
    ),
    Case(
        "plot/figures:check_width: width must be a number of inches, at lea",
        plot.critical_difference,
        GAP,
        width=0,
        none=OPTION,
    ),
    Case(
        "plot/figures:save: ax must be matplotlib Axes or an array o",
        saved,
        ROOM,
        ax=GAP,
        follow=but(ax=axes()),
    ),
    Case(
        "plot/figures:save: ax must be Axes of one figure: save each",
        saved,
        ROOM,
        ax=Lazy(lambda: [draw_on(), draw_on()]),
        follow=but(ax=axes()),
    ),
    Case(
        "plot/figures:save: dpi must be a number above 0, got …",
        saved,
        ROOM,
        dpi=0,
        none=OPTION,
    ),
    Case(
        "plot/figures:save: path must end in .png, .svg or .pdf, got",
        saved,
        ROOM,
        name="a.jpg",
        none=OPTION,
    ),
    Case(
        "plot/figures:save: there is no folder … to write to",
        saved,
        ROOM,
        name="no/a.png",
        none=OPTION,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_it_says_does_no_harm(case):
    pytest.importorskip("matplotlib")
    hold(case)


def test_every_message_has_a_case():
    pytest.importorskip("matplotlib")
    complete(("plot",), CASES)
