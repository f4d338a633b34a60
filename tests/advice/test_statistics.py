"""Following what the statistics say."""

from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest

import beam_pandas as bp
from beam_pandas.kernels.paired_strengths import Finding
from beam_pandas.statistics import strengths
from tests.advice.cases import Call, Case
from tests.advice.frames import BARE, LONG, holed, of_metric, runs
from tests.advice.hold import complete, each_once, hold
from tests.advice.reasons import DONE, NOTHING, OPTION, STATES
from tests.tables import long

ELO = of_metric("elo")
LOSS = of_metric("rmse")
BOTH = pd.concat([LONG, of_metric("f1")])
ENDS = dict.fromkeys(["iris", "wine", "zoo", "glass"], (0.0, 1.0))
RANGES = pd.DataFrame({"dataset": list(ENDS), "low": 0.0, "high": 1.0})
HALVES = long({"A": [3, 3, 2], "B": [2, 1, 3], "C": [1, 2, 1]}, "elo")
APART = long({"A": [2, 1, 2], "B": [1, 2, 1]}, "elo")
APART = pd.concat(
    [APART, APART.replace({"A": "C", "B": "D", "d01": "e1", "d02": "e2", "d03": "e3"})]
)
CYCLE = long({"A": [3, 1, 2], "B": [2, 3, 1], "C": [1, 2, 3]}, "elo")
TASKS = pd.concat([BOTH, LONG[LONG["dataset"] == "wine"].assign(dataset="iris | f1")])
RENAMED = TASKS.assign(dataset=TASKS["dataset"].replace({"iris | f1": "extra"}))
PERCENT = LONG.assign(score=(100 * LONG["score"]).round(2))
FLAT = LONG.assign(score=LONG["score"].where(LONG["dataset"] != "zoo", 0.5))


def many(n_methods, n_datasets, metric="elo"):
    """Scores of many methods and datasets, with many ties."""
    scores = np.random.default_rng(1).integers(0, 9, (n_methods, n_datasets))
    return long({f"m{at:02d}": row.tolist() for at, row in enumerate(scores)}, metric)


def cycles():
    """Nine methods in a circle, each with a majority over the next four."""
    shifted = [[(at + start) % 9 for at in range(9)] for start in range(9)]
    return long({f"m{at}": [row[at] for row in shifted] for at in range(9)}, "elo")


def given(**options):
    """Do what is said in words: give these options in place of the others."""

    def follow(_, call: Call) -> Call:
        kept = {
            name: value
            for name, value in (call.options | options).items()
            if value is not None
        }
        return call._replace(options=kept)

    return follow


def other(frame):
    def follow(_, call: Call) -> Call:
        return call._replace(frame=frame)

    return follow


def of_means(text, call: Call) -> Call:
    """Ask for the means of the runs only, as the message says."""
    assert "bayesian_sign with aggregate='mean'" in text
    return Call(
        bp.bayesian_sign,
        call.frame,
        {"rope": 0.01, "aggregate": "mean", "uneven_runs": "ignore"},
    )


def without_strengths(frame, **options):
    """Stand for a table whose strengths no float can hold."""
    found = strengths.paired_strengths

    def none(*args):
        result = found(*args)
        if args[-1] > 0.0:
            return result
        return result._replace(finding=np.full_like(result.finding, Finding.NOT_CONVERGED))

    with patch.object(strengths, "paired_strengths", none):
        return bp.bradley_terry(frame, **options)


def strengths_of(frame, **options):
    return bp.bradley_terry(frame, n_resamples=20, **options)


NEXT = "statistics/run_pairs:describe_pairs: '; '.join(reasons)"
LEVEL = pd.concat(
    [ELO.assign(score=(ELO["score"] * 64).round() + at / 8, run=at) for at in range(3)]
)
LACKS = holed(("A", "iris"), ("B", "wine"))
GONE = holed(("C", "iris"), ("C", "wine"), ("C", "zoo"), ("C", "glass"))
UNEVEN = runs().drop(index=[1, 14])
UNSHARED = runs(2)[
    lambda df: (df["dataset"] != "iris") | ((df["method"] == "A") == (df["run"] == 0))
]
NONE_SHARED = runs(2)[lambda df: (df["method"] == "A") == (df["run"] == 0)]
MANY_UNEVEN = runs(2, many(7, 3))[
    lambda df: (df["run"] == 0) | (df["dataset"] != "d01") | (df["method"] == "m00")
]

CASES = [
    # Aggregates -----------------------------------------------------------------------
    Case(
        "statistics/aggregates:aggregate_scores: gamma must be a finite number, got …",
        bp.aggregate_scores,
        LONG,
        gamma=np.inf,
        none=OPTION,
    ),
    Case(
        "statistics/aggregates:_check_one_scale: kind=… mixes the scores of all datasets,",
        bp.aggregate_scores,
        ELO,
        kind="iqm",
        fill={"upper": 1.0},
    ),
    Case(
        "statistics/aggregates:_check_one_scale: kind=… mixes the scores of all datasets,",
        bp.aggregate_scores,
        LOSS,
        kind="iqm",
        higher_is_better={"rmse": False},
        fill={"upper": 1.0},
    ),
    Case(
        "statistics/aggregates:_check_one_scale: kind=… mixes the scores of all datasets,",
        bp.aggregate_scores,
        BARE,
        kind="iqm",
        higher_is_better=True,
    ),
    Case(
        "statistics/aggregates:_check_one_scale: kind=… mixes the scores of all datasets,",
        bp.aggregate_scores,
        of_metric(3),
        kind="iqm",
        higher_is_better=True,
        fill={"upper": 1.0},
    ),
    Case(
        "statistics/aggregates:_warn_of_gamma: every gap is 0…: all scores, from … to …",
        bp.aggregate_scores,
        PERCENT,
        kind="optimality_gap",
        gamma=1.0,
    ),
    Case(
        "statistics/aggregates:_warn_of_gamma: every gap is 0…: all scores, from … to …",
        bp.aggregate_scores,
        LONG,
        kind="optimality_gap",
        gamma=0.1,
        none=STATES,
    ),
    Case(
        "statistics/aggregates:_warn_of_gamma: every gap is 0…: all scores, from … to …",
        bp.aggregate_scores,
        of_metric("error_rate"),
        kind="optimality_gap",
        gamma=1.0,
    ),
    *(
        Case(
            "statistics/normalising:read_references: normalize must be None, 'min_max', a map",
            bp.aggregate_scores,
            LONG,
            normalize=value,
            follow=given(normalize=ENDS),
        )
        for value in ["z", 3]
    ),
    Case(
        "statistics/normalising:read_references: normalize has two rows for dataset …",
        bp.aggregate_scores,
        LONG,
        normalize=pd.concat([RANGES, RANGES.head(1)]),
        follow=given(normalize=RANGES),
    ),
    Case(
        "statistics/normalising:_rows_of: normalize needs the columns 'dataset' (o",
        bp.aggregate_scores,
        LONG,
        normalize=RANGES.drop(columns="high"),
        follow=given(normalize=RANGES.set_index("dataset")),
    ),
    Case(
        "statistics/normalising:_check_one_metric: normalize needs reference scores for eac",
        bp.aggregate_scores,
        BOTH,
        normalize=ENDS,
        follow=given(
            normalize=pd.concat([RANGES.assign(metric=name) for name in ["accuracy", "f1"]])
        ),
    ),
    Case(
        "statistics/normalising:_checked: normalize needs two finite numbers, low",
        bp.aggregate_scores,
        LONG,
        normalize=ENDS | {"iris": (1, 0)},
        follow=given(normalize=ENDS),
    ),
    Case(
        "statistics/normalising:_ends_of: normalize needs reference scores of each",
        bp.aggregate_scores,
        LONG,
        normalize={"iris": (0, 1)},
        follow=given(normalize=ENDS),
    ),
    *(
        Case(
            "statistics/normalising:normalised: normalize='min_max' needs different scor",
            bp.aggregate_scores,
            FLAT,
            normalize="min_max",
            follow=follow,
            drops={"by hand": n},
        )
        for follow, n in [
            (given(normalize=ENDS), 0),
            (other(FLAT[FLAT["dataset"] != "zoo"]), 3),
        ]
    ),
    # Runs -----------------------------------------------------------------------------
    Case(
        "statistics/run_tables:_incomplete: … needs a score of every method on every",
        bp.aggregate_scores,
        LACKS,
    ),
    Case(
        "statistics/run_tables:_incomplete: … needs a score of every method on every",
        bp.aggregate_scores,
        GONE,
    ),
    Case(
        "statistics/run_tables:complete_runs: … needs a method and a dataset, missing=",
        bp.aggregate_scores,
        holed(("A", "iris"), ("B", "wine"), ("C", "zoo")),
        missing="drop_methods",
        none=OPTION,
    ),
    Case(
        "statistics/run_tables:_uneven: … needs the same runs of all methods on",
        bp.aggregate_scores,
        UNEVEN,
    ),
    Case(
        "statistics/run_tables:_uneven: … needs the same runs of all methods on",
        bp.correlated_t,
        UNEVEN,
        0.01,
        test_share=0,
    ),
    Case(
        "statistics/run_tables:_uneven: … needs the same runs of all methods on",
        bp.aggregate_scores,
        MANY_UNEVEN,
    ),
    Case(
        "statistics/run_tables:_settle: uneven_runs='shared' needs a column 'run",
        bp.aggregate_scores,
        runs().rename(columns={"run": "seed"}),
        uneven_runs="shared",
        fill={"columns": "seed", "run": range(36)},
        skip={"df.assign": "for runs that no column names, as in the next case"},
    ),
    Case(
        "statistics/run_tables:_settle: uneven_runs='shared' needs a column 'run",
        bp.aggregate_scores,
        LONG,
        uneven_runs="shared",
        fill={"run": 0},
        skip={"df.rename": "for runs that a column names, as in the case before"},
    ),
    Case(
        "statistics/run_tables:_keep_shared: uneven_runs='shared' leaves nothing: …",
        bp.aggregate_scores,
        NONE_SHARED,
        uneven_runs="shared",
        none=NOTHING,
    ),
    Case(
        "statistics/run_tables:_keep_shared: uneven_runs='shared' leaves out …",
        bp.aggregate_scores,
        UNSHARED,
        uneven_runs="shared",
        none=DONE,
    ),
    Case(
        "statistics/run_posteriors:check_test_share: test_share must be given, the share of t",
        bp.correlated_t,
        runs(),
        0.01,
    ),
    Case(
        "statistics/run_posteriors:check_test_share: test_share must be a number from 0 to be",
        bp.correlated_t,
        runs(),
        0.01,
        test_share=1.0,
        none=OPTION,
    ),
    Case(
        "statistics/profiles:_check_thresholds: thresholds must be None or a list of fin",
        bp.performance_profile,
        LONG,
        thresholds=[],
        none=OPTION,
    ),
    Case(
        "statistics/profiles:_check_thresholds: thresholds of kind='ratio' are factors o",
        bp.performance_profile,
        LOSS,
        kind="ratio",
        thresholds=[0.5, 2],
        none=OPTION,
    ),
    Case(
        "statistics/profiles:_check_costs: kind='ratio' needs costs, less is better",
        bp.performance_profile,
        LONG,
        kind="ratio",
    ),
    Case(
        "statistics/profiles:_check_costs: kind='ratio' needs positive costs…, foun",
        bp.performance_profile,
        LOSS.assign(score=LOSS["score"].where(LOSS["score"] < 0.9, 0.0)),
        kind="ratio",
    ),
    # Frames of scores -----------------------------------------------------------------
    Case(
        "statistics/arranged:_as_columns: keep must be a list of columns, got …",
        bp.merge_metrics,
        LONG.assign(domain="x"),
        keep="domain",
        follow=given(keep=["domain"]),
        truth=LONG.assign(metric="merged_benefit"),
    ),
    Case(
        "statistics/arranged:_join_names: datasets need names of their own, found",
        bp.merge_metrics,
        TASKS,
        follow=other(RENAMED),
        truth=RENAMED.assign(
            dataset=RENAMED["dataset"].where(
                RENAMED["dataset"] == "extra",
                RENAMED["dataset"] + " | " + RENAMED["metric"],
            ),
            metric="merged_benefit",
        ),
    ),
    *(
        Case(
            site,
            bp.fold_datasets,
            LONG.assign(dataset=LONG["dataset"] + "_rep1"),
            by,
            none=OPTION,
        )
        for site, by in {
            "statistics/arranged:_families: by names …, not found among the datasets": {
                "rose": "iris"
            },
            "statistics/arranged:_families: by must be a mapping from dataset to fam": 3,
            "statistics/arranged:_families: by must be a regular expression, got …:": "(",
            "statistics/arranged:_families: by matches none of the datasets …, got …": r"(.+)_fold\d+",
        }.items()
    ),
    Case(
        "statistics/arranged:_families: by must have a group that is the family,",
        bp.fold_datasets,
        LONG.assign(dataset=LONG["dataset"] + "_rep1"),
        r".+_rep\d+",
        follow=lambda text, call: call.but(by=text.split("such as r'")[1].split("'")[0]),
        truth=LONG,
    ),
    # Ranks ----------------------------------------------------------------------------
    *(
        Case(
            "statistics/rank_tables:MeanRanks.too_large: exact=True with … …, found ……: leave exa",
            bp.friedman,
            frame,
            exact=True,
            follow=given(exact=None),
        )
        for frame in [many(20, 3), many(5, 200)]
    ),
    Case(
        "statistics/rank_tables:MeanRanks.warn_if_hopeless: ……, whatever the scores: the critical di",
        bp.critical_difference,
        LONG[LONG["method"] != "C"].query("dataset in ['iris', 'wine']"),
        none=NOTHING,
    ),
    Case(
        "statistics/rank_tables:find_control: control must be one of the methods ……, g",
        bp.compare_to_control,
        LONG,
        "Z",
        none=OPTION,
    ),
    Case(
        "statistics/rank_tables:find_control: control must be one of the methods ……, g",
        bp.compare_to_control,
        holed(("A", "iris")),
        "A",
        missing="drop_methods",
        none="it says why the control is gone, and which option took it",
    ),
    Case(
        "statistics/controls:_refuse_missing: missing=… is for test='mean_rank': test=",
        bp.compare_to_control,
        LACKS,
        "C",
        test="sign",
        missing="drop_datasets",
        follow=given(missing=None),
    ),
    Case(
        "statistics/controls:_signed_rank_p_values: … of …… come from the normal law: so man",
        bp.compare_to_control,
        many(2, 700),
        "m00",
        test="wilcoxon",
        none=STATES,
    ),
    Case(
        "statistics/wilcoxon:_warn_of_normal_law: the p-value or the interval of … of … is",
        bp.wilcoxon,
        many(2, 700),
        confidence_level=None,
        none=STATES,
    ),
    *(
        Case(
            "statistics/mean_rank_tests:_check_family: adjust=… is for all pairs of methods and",
            bp.mean_rank_tests,
            LONG,
            adjust=adjust,
            control="A",
        )
        for adjust in ["shaffer", "bergmann_hommel"]
    ),
    Case(
        "statistics/mean_rank_tests:_check_family: adjust=… is for alternative='two-sided',",
        bp.mean_rank_tests,
        LONG,
        adjust="shaffer",
        alternative="less",
    ),
    Case(
        "statistics/mean_rank_tests:_adjust: adjust='bergmann_hommel' goes to …, foun",
        bp.mean_rank_tests,
        many(13, 5),
        adjust="bergmann_hommel",
    ),
    Case(
        "statistics/pair_tables:refuse_logical_adjustment: adjust=… needs hypotheses that are trans",
        bp.pairwise,
        LONG,
        adjust="shaffer",
    ),
    Case(
        "statistics/pair_tables:refuse_logical_adjustment: adjust=… needs hypotheses that are trans",
        bp.compare_to_control,
        LONG,
        "A",
        adjust="shaffer",
    ),
    Case(
        "statistics/leaderboard:_check_options: test='wilcoxon' ranks the sizes of diffe",
        bp.leaderboard,
        LACKS,
        test="wilcoxon",
        missing="worst",
    ),
    Case(
        "statistics/resampling:_check_top: top must be a whole number from 1, got …",
        bp.rank_intervals,
        LONG,
        top=0,
        none=OPTION,
    ),
    Case(
        "statistics/resampling:_families: cluster=… needs two families of datasets",
        bp.rank_intervals,
        LONG.assign(family="one"),
        cluster="family",
        follow=given(cluster=None),
    ),
    Case(
        "statistics/datasets:dataset_discrimination: min_methods must be a whole number from",
        bp.dataset_discrimination,
        LONG,
        min_methods=1,
        none=OPTION,
    ),
    Case(
        "statistics/streams:start_stream: rng must be a whole number, not negative",
        bp.rank_intervals,
        LONG,
        rng=-1,
        none=OPTION,
    ),
    Case(
        "statistics/streams:check_resamples: … must be a whole number from 1 to …, go",
        bp.rank_intervals,
        LONG,
        n_resamples=0,
        none=OPTION,
    ),
    # The next dataset -----------------------------------------------------------------
    *(
        Case(site, bp.hierarchical, runs(), 0.01, test_share=0.1, none=OPTION, **options)
        for site, options in {
            "statistics/next_dataset:hierarchical: progress must be a callable (done, total": {
                "progress": 3
            },
            "statistics/next_dataset:_check_fineness: fineness must be 1, or 2 to check the re": {
                "fineness": 3
            },
        }.items()
    ),
    Case(
        "statistics/rope:resolve_widths: rope must be one for all datasets in …:",
        bp.hierarchical,
        runs(),
        "2%",
        test_share=0.1,
        follow=lambda text, call: Call(
            bp.bayesian_sign, call.frame, {"rope": "2%", "aggregate": "mean"}
        ),
    ),
    Case(  # two runs each: only their means can be asked for
        NEXT,
        bp.hierarchical,
        runs(2),
        0.01,
        test_share=0.1,
        follow=of_means,
    ),
    Case(  # two runs on one dataset, which can be left out
        NEXT,
        bp.hierarchical,
        runs(3)[lambda df: (df["dataset"] != "iris") | (df["run"] < 2)],
        0.01,
        test_share=0.1,
        follow=of_means,
    ),
    Case(  # two datasets, of which each can be looked at alone
        NEXT,
        bp.hierarchical,
        runs(3, many(4, 2)),
        0.01,
        test_share=0.1,
        follow=lambda text, call: call._replace(function=bp.correlated_t),
    ),
    Case(  # C has two datasets, A and B have four
        NEXT,
        bp.hierarchical,
        runs()[lambda df: (df["method"] != "C") | df["dataset"].isin(["iris", "zoo"])],
        0.01,
        test_share=0.1,
        follow=lambda text, call: call._replace(
            frame=call.frame[call.frame["method"] != "C"]
        ),
        drops={"by hand": 6},
    ),
    Case(  # all runs of a dataset differ by the same
        NEXT,
        bp.hierarchical,
        LEVEL,
        0.0,
        test_share=0.1,
        follow=lambda text, call: call._replace(
            frame=call.frame[call.frame["method"] != "C"]
        ).but(rope=0.01),
        drops={"by hand": 12},
    ),
    # Scores that are missing ----------------------------------------------------------
    Case(
        "statistics/incomplete:_test: … needs a dataset with scores of at leas",
        bp.skillings_mack,
        LONG[LONG["dataset"] == LONG["method"].map({"A": "iris", "B": "zoo", "C": "wine"})],
        none=NOTHING,
    ),
    Case(
        "statistics/incomplete:_warn_of_idle: some methods have no part in the test: …",
        bp.skillings_mack,
        pd.concat(
            [
                LONG.query("method != 'C' or dataset == 'other'"),
                LONG.head(1).assign(method="C", dataset="other"),
            ]
        ),
        none=STATES,
    ),
    Case(
        "statistics/incomplete:_warn_of_idle: some methods have no part in the test: …",
        bp.skillings_mack,
        pd.concat(
            [
                pd.concat(
                    [
                        LONG.query("method != 'C'"),
                        LONG.head(1).assign(method="C", dataset="other"),
                    ]
                ).assign(metric=f"m{at}")
                for at in range(7)
            ]
        ),
        higher_is_better=True,
        none=STATES,
    ),
    # Pairs ----------------------------------------------------------------------------
    Case(
        "statistics/majorities:_check_number: circular_triads lists at most limit=… tr",
        bp.circular_triads,
        cycles(),
        limit=2,
    ),
    Case(
        "statistics/pairs:_settle_prior: prior and prior_strength belong to kind=",
        bp.standing,
        LONG,
        kind="frequency",
        prior_strength=2.0,
    ),
    Case(
        "statistics/pairs:_settle_prior: prior and prior_strength belong to kind=",
        bp.standing,
        LONG,
        kind="frequency",
        prior_strength=2.0,
        follow=given(prior_strength=None),
    ),
    Case(
        "statistics/posteriors:check_prior: prior_strength must be a number from 0 t",
        bp.bayesian_sign,
        LONG,
        0.01,
        prior_strength=-1,
        none=OPTION,
    ),
    Case(
        "statistics/posteriors:check_threshold: threshold must be a number above 0.5 and",
        bp.bayesian_sign,
        LONG,
        0.01,
        threshold=0.5,
        none=OPTION,
    ),
    Case(
        "statistics/rope:_resolve: rope must be a number, 'noise_floor', a",
        bp.pairwise,
        LONG,
        rope="much",
        none=OPTION,
    ),
    Case(
        "statistics/rope:_from_mapping: rope by metric needs a column 'metric',",
        bp.pairwise,
        BARE,
        rope={"accuracy": 0.01},
        higher_is_better=True,
        follow=given(rope=0.01),
    ),
    Case(
        "statistics/rope:_from_mapping: rope must have a number for each metric,",
        bp.pairwise,
        LONG,
        rope={"f1": 0.1, "accuracy": 0.1},
        none=OPTION,
    ),
    Case(
        "statistics/rope:_from_mapping: rope must have a number for each metric,",
        bp.pairwise,
        BOTH,
        rope={"f1": 0.1},
        none=OPTION,
    ),
    Case(
        "statistics/rope:_noise_floor: rope='noise_floor' needs a column 'metri",
        bp.pairwise,
        BARE,
        rope="noise_floor",
        higher_is_better=True,
        follow=given(rope=0.01),
    ),
    Case(
        "statistics/rope:_noise_floor: rope='noise_floor' needs a noise floor o",
        bp.pairwise,
        ELO,
        rope="noise_floor",
        fill=0.02,
    ),
    Case(
        "statistics/rope:_noise_floor: rope='noise_floor' needs a noise floor o",
        bp.pairwise,
        of_metric("zeal"),
        rope="noise_floor",
        higher_is_better={"zeal": False},
        fill=0.02,
        then={"beam_pandas.": "gate/registry:register_metric"},
    ),
    Case(
        "statistics/rope:_noise_floor: rope='noise_floor' needs a noise floor o",
        bp.pairwise,
        of_metric(3),
        rope="noise_floor",
        higher_is_better=True,
        fill=0.02,
    ),
    Case(
        "statistics/rope:_checked: rope must be a finite number, not negati",
        bp.pairwise,
        LONG,
        rope=-1,
        none=OPTION,
    ),
    Case(
        "statistics/rope:_warn_of_scale: rope=… looks as if made for fractions, b",
        bp.pairwise,
        PERCENT,
        rope=0.01,
    ),
    Case(
        "statistics/rope:_warn_of_scale: rope=… looks as if made for percent, but",
        bp.pairwise,
        LONG,
        rope=2.0,
    ),
    # Strengths ------------------------------------------------------------------------
    Case(
        "statistics/strengths:_checked_prior: prior_strength must be a positive number",
        bp.bradley_terry,
        LONG,
        prior_strength=0,
        none=OPTION,
    ),
    Case(
        "statistics/strengths:_warn_of_apart: bradley_terry compares strengths only wi",
        strengths_of,
        APART,
        none=STATES,
    ),
    Case(
        "statistics/strengths:_warn_of_apart: bradley_terry has no finite strengths…:",
        bp.bradley_terry,
        long({"A": [3, 3], "B": [2, 1], "C": [1, 2]}, "elo"),
    ),
    Case(
        "statistics/strengths:_warn_of_apart: bradley_terry has no finite strengths…:",
        bp.bradley_terry,
        long({f"m{at}": [at, at] for at in range(8)}, "elo"),
    ),
    Case(
        "statistics/strengths:_warn_of_apart: bradley_terry has no finite strengths wi",
        bp.bradley_terry,
        long({"A": [1, 1, 1], "B": [1, 1, 1]}, "elo"),
        ties="davidson",
    ),
    Case(
        "statistics/strengths:_warn_of_apart: bradley_terry has no strengths that floa",
        without_strengths,
        CYCLE,
        follow=given(prior_strength=0.5),
    ),
    Case(
        "statistics/strengths:_warn_of_unknown: bradley_terry has no intervals… for …: …",
        bp.bradley_terry,
        HALVES,
        none=STATES,
    ),
]


@pytest.mark.parametrize("case", each_once(CASES), ids=str)
def test_what_it_says_does_no_harm(case):
    hold(case)


def test_every_message_has_a_case():
    complete(("statistics",), CASES)
