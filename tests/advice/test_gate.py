"""Following what the gate says: columns, labels, scores, runs, directions."""

import decimal
import inspect
import itertools
import sys
from functools import partial
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest

import beam_pandas as bp
from tests import surface
from tests.advice.cases import Call, Case, run
from tests.advice.frames import BARE, LONG, WIDE, holed, of_metric, runs, text
from tests.advice.hold import complete, each_once, hold
from tests.advice.reading import advice_of
from tests.advice.reasons import DONE, OPTION, STATES

OTHER_WAY = "the other direction, for scores that are not these"


class Stream:
    """A frame of another library."""

    def __arrow_c_stream__(self):
        raise NotImplementedError


class Collected:
    """A frame of another library that is computed when it is asked for."""

    def collect(self):
        return LONG


def without_pyarrow(frame, **options):
    with patch.dict(sys.modules, {"pyarrow": None}):
        return bp.pairwise(frame, **options)


def taken(frame):
    """Stand for the frame as pandas has it, or for what installs what lacks."""

    def follow(_, call: Call) -> Call:
        return call._replace(frame=frame)

    return follow


def labelled(**columns):
    """Replace labels: column={old: new}."""
    frame = LONG
    for name, renaming in columns.items():
        frame = frame.assign(**{name: frame[name].replace(renaming)})
    return frame


def twice(column):
    """Give a frame one of its columns a second time."""
    return pd.concat([LONG, LONG[[column]]], axis=1)


def large_holes():
    """A table too large for the search of its largest block, with six complete rows."""
    rng = np.random.default_rng(0)
    present = rng.random((700, 40)) > 0.5
    present[:6] = True
    at, method = np.nonzero(present)
    return pd.DataFrame(
        {
            "method": method,
            "dataset": at,
            "metric": "elo",
            "score": rng.random(len(at)).round(6),
        }
    )


def mixed_text():
    """Scores of which one is a word and the others are numbers in a column of objects."""
    column = LONG["score"].astype(object)
    column.iloc[3] = "n/a"
    return LONG.assign(score=column)


def blank(frame, value):
    """Put something else in place of the first score."""
    return frame.assign(
        score=pd.Series([value, *frame["score"].tolist()[1:]], dtype=object)
    )


SUMMARISED = pd.concat(
    [
        LONG,
        LONG.groupby("method", as_index=False)["score"]
        .mean()
        .assign(dataset="Average", metric="accuracy"),
    ],
    ignore_index=True,
)
REPLICATES = pd.concat(
    [
        LONG.assign(dataset=LONG["dataset"] + f"_fold{at}", score=LONG["score"] + at / 1000)
        for at in (1, 2)
    ],
    ignore_index=True,
)
FOLDED = pd.concat(
    [LONG.assign(score=LONG["score"] + at / 1000) for at in (1, 2)], ignore_index=True
)
NUMBERS = {"iris": 1, "wine": 2, "zoo": 3, "glass": 4}
ISLANDS = LONG.assign(
    metric=LONG["dataset"].map({"iris": "f1", "wine": "f1", "zoo": "auc", "glass": "auc"})
)
FAMILY = LONG.assign(
    family=LONG["dataset"].map(
        {"iris": "flower", "wine": "drink", "zoo": "beast", "glass": "drink"}
    )
)
UNEVEN = runs().drop(index=[1, 14])
BLOCKS = pd.concat({"accuracy": WIDE, "f1": WIDE}, axis=1)

NOT_NUMERIC = "gate/columns:_not_numeric: … must be numeric, found dtype ……: if it"
LARGE = LONG.assign(metric="elo", score=(LONG["score"] * 10_000).astype(int))
PERCENT = LONG.assign(score=(LONG["score"] * 100).round(2))
THOUSANDS = LARGE.assign(score=[f"{score:,}" for score in LARGE["score"]])
AFTER_NAN = {
    "pd.to_numeric(...)": "after NaN was written, which the other way does as well"
}
SMALL = LARGE.assign(score=LARGE["score"] / 1000)
ODD_LABELS = "labels:_odd_labels: labels in column … must be all text or a"
NO_INDEX = "labels:_factorize: labels in column … are of dtype …, which"
#: Scores that are no numbers, and what they are, and what else a case needs.
NO_NUMBERS = [
    (text(LONG), LONG, {}),
    (mixed_text(), holed(("A", "glass")), {"skip": AFTER_NAN}),
    (text(LONG, ","), LONG, {}),
    (blank(text(LONG, ","), "-"), holed(("A", "iris")), {}),
    (blank(text(LONG, ","), ""), holed(("A", "iris")), {}),
    (blank(text(LONG, ","), None), holed(("A", "iris")), {}),
    (blank(text(LONG, ","), np.nan), holed(("A", "iris")), {}),
    (blank(text(LONG, ","), 0.91), LONG, {}),
    (text(PERCENT, behind=" %"), PERCENT, {}),
    (blank(text(PERCENT, behind="%"), "-"), holed(("A", "iris"), frame=PERCENT), {}),
    (
        blank(text(PERCENT, behind="%"), "0.91"),
        PERCENT,
        {"follow": lambda text, call: call._replace(frame=PERCENT)},
    ),
    (
        blank(text(PERCENT, behind="%"), 0.91),
        PERCENT,
        {"follow": lambda text, call: call._replace(frame=PERCENT)},
    ),
    (text(LONG, behind=" ± 0.01"), LONG, {}),
    *(
        (
            blank(frame, missing).astype({"score": dtype}),
            holed(("A", "iris"), frame=truth),
            {},
        )
        for missing in [None, pd.NA]
        for dtype in ["object", "string", "category"]
        for frame, truth in [
            (text(LONG), LONG),
            (text(LONG, ","), LONG),
            (text(PERCENT, behind="%"), PERCENT),
        ]
    ),
    *(
        (
            LONG.assign(
                score=pd.Series(
                    [missing, 0.91, *text(LONG, ",")["score"].tolist()[2:]], dtype=object
                )
            ),
            holed(
                ("A", "iris"),
                frame=LONG.assign(score=[0.91, 0.91, *LONG["score"].tolist()[2:]]),
            ),
            {},
        )
        for missing in [None, np.nan, pd.NA]
    ),
    (blank(LONG, pd.NA), holed(("A", "iris")), {}),
    (
        LONG.assign(score=pd.array([None, *([True] * 11)], dtype="boolean")),
        LONG.assign(score=[np.nan, *([1.0] * 11)]),
        {},
    ),
    (
        THOUSANDS,
        None,
        {"fill": ".", "skip": {"df[COLUMN].str.replace(',', '.')": "the other reading"}},
    ),
    (
        THOUSANDS,
        SMALL,
        {"fill": ",", "skip": {"df[COLUMN].str.replace(',', '')": "the other reading"}},
    ),
    (blank(THOUSANDS, "1,234,567"), None, {}),
    (blank(THOUSANDS, "-"), None, {"then": "shapes/printed_numbers:decimal_sign"}),
    (blank(THOUSANDS, "n/a"), None, {"then": "shapes/printed_numbers:decimal_sign"}),
    (
        blank(THOUSANDS, "nan"),
        None,
        {"fill": ".", "skip": {"df[COLUMN].str.replace(',', '.')": "the other reading"}},
    ),
    (LONG.assign(score=LONG["score"] > 0.6), None, {}),
    (LONG.assign(score=pd.to_timedelta(LONG["score"], unit="s")), LONG, {}),
    (
        LONG.assign(score=pd.Timestamp("2026-01-01")),
        None,
        {"none": "only its owner knows from when a time counts"},
    ),
    (
        LONG.assign(score=LONG["score"] * 1j),
        LONG,
        {
            "follow": lambda text, call: call._replace(
                frame=call.frame.assign(score=np.abs(call.frame["score"].to_numpy()))
            )
        },
    ),
    (
        LONG.groupby(["method", "dataset", "metric"], as_index=False)["score"].agg(list),
        LONG,
        {},
    ),
    (LONG.assign(score=[decimal.Decimal(str(score)) for score in LONG["score"]]), LONG, {}),
]

CASES = [
    # Columns --------------------------------------------------------------------------
    Case(
        "gate/column_names:check_names: columns 'method', 'dataset', 'score' are",
        bp.ranks,
        BLOCKS,
        fill=None,
        truth=LONG,
        follow=lambda text, call: call._replace(
            frame=eval(
                "pd.concat([bp.from_matrix(df[block], metric=block) for block in ['accuracy']])",
                {"pd": pd, "bp": bp, "df": call.frame},
            )
        ),
    ),
    Case(
        "gate/column_names:check_names: columns 'method', 'dataset', 'score' are",
        bp.ranks,
        BLOCKS.swaplevel(axis=1),
        truth=LONG,
        follow=lambda text, call: call._replace(
            frame=bp.from_matrix(
                call.frame.swaplevel(axis=1)["accuracy"], metric="accuracy"
            )
        ),
    ),
    Case(
        "gate/column_names:check_names: column … is needed once, found … columns",
        bp.ranks,
        twice("dataset"),
        truth=LONG,
        follow=taken(twice("dataset").loc[:, lambda df: ~df.columns.duplicated()]),
    ),
    Case(
        "gate/column_names:check_names: _lacking_message(frame, lacking)",
        bp.ranks,
        LONG.rename(columns={"method": "model", "dataset": "task"}),
        truth=LONG,
    ),
    Case(
        "gate/column_names:check_names: _lacking_message(frame, lacking)",
        bp.ranks,
        LONG.rename(columns={"method": "model", "dataset": "task", "metric": "measure"}),
        truth=LONG,
    ),
    Case(
        "gate/column_names:check_names: _lacking_message(frame, lacking)",
        bp.ranks,
        LONG.set_index(["method", "dataset"]),
        truth=LONG,
    ),
    Case(
        "gate/column_names:check_names: _lacking_message(frame, lacking)",
        bp.ranks,
        BARE.rename(columns={"score": "accuracy", "method": "model"}),
        truth=LONG,
    ),
    Case(
        "gate/column_names:check_names: _lacking_message(frame, lacking)",
        bp.ranks,
        BARE.rename(columns={"score": "zeal"}),
        fill=["zeal"],
        then="gate/direction:resolve_directions",
        truth=of_metric("zeal"),
    ),
    Case(
        "gate/column_names:check_names: _lacking_message(frame, lacking)",
        bp.ranks,
        LONG[LONG["dataset"] == "iris"]
        .drop(columns="dataset")
        .rename(columns={"method": "Model"}),
        fill="iris",
        truth=LONG[LONG["dataset"] == "iris"],
    ),
    Case(
        "gate/column_names:check_names: _lacking_message(frame, lacking)",
        bp.ranks,
        LONG[LONG["method"] == "A"].drop(columns="method"),
        fill="A",
        truth=LONG[LONG["method"] == "A"],
    ),
    Case(
        "gate/column_names:check_names: _lacking_message(frame, lacking)",
        bp.ranks,
        pd.DataFrame(index=range(3)),
        none="a frame without columns holds nothing to convert",
    ),
    Case(
        "gate/column_names:check_names: _lacking_message(frame, lacking)",
        bp.ranks,
        WIDE.reset_index(),
        truth=LONG,
        follow=lambda text, call: call._replace(
            frame=bp.from_matrix(call.frame, metric="accuracy")
        ),
    ),
    Case(
        "gate/columns:as_frame: scores must be a pandas DataFrame, found",
        bp.ranks,
        LONG["score"],
        follow=taken(LONG),
    ),
    Case(
        "gate/columns:as_frame: scores must be a pandas DataFrame, found",
        bp.ranks,
        Collected(),
        follow=lambda text, call: call._replace(
            frame=eval("df" + text.split("pass its ")[1], {"df": call.frame})
        ),
    ),
    Case(
        "gate/columns:as_frame: to read scores from …, a frame of anothe",
        without_pyarrow,
        Stream(),
        none="it names what to install, which no test does",
    ),
    Case(
        "gate/columns:read_columns: the frame holds no scores: it has 0 rows",
        bp.ranks,
        LONG.head(0),
        none="there is nothing to compare, whatever is written",
    ),
    Case(
        "gate/rows:_check_keep: keep names columns besides those of the",
        bp.fold_datasets,
        LONG,
        r"(.+)",
        keep=["score"],
        none=OPTION,
    ),
    Case(
        "gate/rows:_check_keep: columns … are asked for, … not found amo",
        bp.fold_datasets,
        LONG,
        r"(.+)",
        keep=["domain"],
        none=OPTION,
    ),
    # Scores ---------------------------------------------------------------------------
    Case(
        "gate/columns:_infinite_scores: scores must be finite, found …: ……; writ",
        bp.pairwise,
        LONG.assign(score=LONG["score"].where(LONG["score"] < 0.9, np.inf)),
        truth=holed(("A", "iris")),
        follow=lambda text, call: call._replace(
            frame=call.frame.assign(score=call.frame["score"].replace(np.inf, np.nan))
        ),
    ),
    Case(
        "gate/columns:_infinite_scores: scores must be finite, found …: ……; writ",
        bp.pairwise,
        LONG.assign(score=np.inf),
        follow=lambda text, call: call._replace(
            frame=call.frame.assign(score=call.frame["score"].replace(np.inf, np.nan))
        ),
        truth=LONG.assign(score=np.nan),
        then="gate/refusals:no_scores",
    ),
    *(
        Case(NOT_NUMERIC, bp.pairwise, frame, truth=truth, **said)
        for frame, truth, said in NO_NUMBERS
    ),
    # Directions -----------------------------------------------------------------------
    Case(
        "gate/direction:resolve_directions: _unknown_message(unknown)",
        bp.ranks,
        of_metric("zeal"),
        fill={"zeal": True, "higher_is_better": True},
        higher={"zeal": True},
    ),
    Case(
        "gate/direction:resolve_directions: _unknown_message(unknown)",
        bp.ranks,
        BARE,
        skip={"higher_is_better=False": OTHER_WAY},
        higher={None: True},
    ),
    Case(
        "gate/direction:resolve_directions: _unknown_message(unknown)",
        bp.ranks,
        pd.concat([LONG, of_metric("accuracy_std")]),
        drops={"df[": 12},
    ),
    Case(
        "gate/direction:resolve_directions: _unknown_message(unknown)",
        bp.ranks,
        pd.concat([LONG, of_metric("accuracy_std"), of_metric("accuracy_ci")]),
        drops={"df[": 24},
    ),
    Case(
        "gate/direction:resolve_directions: _unknown_message(unknown)",
        bp.ranks,
        pd.concat([of_metric(name) for name in ["u", "v", "w", "x", "y", "z"]]),
        fill=dict.fromkeys("uvwxyz", True),
        follow=lambda text, call: call.but(higher_is_better=dict.fromkeys("uvwxyz", True)),
        higher=dict.fromkeys("uvwxyz", True),
    ),
    Case(
        "gate/direction:_told: higher_is_better must be True, False, a",
        bp.ranks,
        LONG,
        higher_is_better="yes",
        none=OPTION,
    ),
    Case(
        "gate/direction:_told: higher_is_better names …, but the frame",
        bp.ranks,
        LONG,
        higher_is_better={"zeal": True},
        none=OPTION,
    ),
    Case(
        "gate/direction:_told: higher_is_better names …, but the frame",
        bp.ranks,
        BARE,
        higher_is_better={"zeal": True},
        none=OPTION,
    ),
    Case(
        "gate/direction:_told: higher_is_better must map to True or Fal",
        bp.ranks,
        LONG,
        higher_is_better={"accuracy": ...},
        none=OPTION,
    ),
    Case(
        "gate/refusals:negated_scores: scores of … look negated: it is never ne",
        bp.ranks,
        of_metric("log_loss").assign(score=-LONG["score"]),
        higher={"log_loss": True},
    ),
    *(
        Case(site, bp.register_metric, "zeal", none=OPTION, **options)
        for site, options in {
            "gate/registry:register_metric: higher_is_better must be True or False,": {
                "higher_is_better": "up"
            },
            "gate/registry:_finite: … must be a finite number, got …": {
                "higher_is_better": True,
                "upper": np.inf,
            },
            "gate/registry:_check_consistent: lower must be below upper, got … and …": {
                "higher_is_better": True,
                "lower": 1,
                "upper": 0,
            },
            "gate/registry:_check_consistent: noise_floor must lie between 0 and the r": {
                "higher_is_better": True,
                "noise_floor": -1,
            },
        }.items()
    ),
    Case(
        "gate/registry:register_metric: name must be a non-empty text, got …",
        bp.register_metric,
        "",
        none=OPTION,
    ),
    Case(
        "gate/registry:register_metric: register_metric needs the direction of …",
        bp.register_metric,
        "zeal",
    ),
    # Cells ----------------------------------------------------------------------------
    Case(
        "gate/refusals:no_scores: at least one score is needed, … missing…",
        bp.pairwise,
        pd.concat([LONG, of_metric("f1").assign(score=np.nan)]),
    ),
    Case(
        "gate/refusals:no_scores: at least one score is needed, … missing…",
        bp.pairwise,
        BARE.head(1).assign(score=np.nan),
        higher_is_better=True,
        none="the frame holds no score and no other metric to look at",
    ),
    Case(
        "gate/refusals:duplicate_scores: message",
        bp.pairwise,
        runs().drop(columns="run"),
    ),
    Case(
        "gate/refusals:duplicate_scores: message",
        bp.pairwise,
        pd.concat([LONG, LONG.head(2)]),
        then={
            "aggregate=": "gate/refusals:uneven_runs_error",
            "uneven_runs=": "gate/refusals:duplicate_scores",
        },
        skip={"uneven_runs=": "goes with aggregate, which the next case follows"},
    ),
    Case(
        "gate/refusals:duplicate_scores: message",
        bp.pairwise,
        pd.concat([LONG, LONG.head(2)]),
        follow=lambda text, call: call.but(aggregate="mean", uneven_runs="ignore"),
    ),
    Case(
        "gate/refusals:duplicate_scores: message",
        bp.pairwise,
        pd.concat([LONG, LONG]),
        skip={"uneven_runs=": "goes with aggregate, and only some repeated scores need it"},
    ),
    Case(
        "gate/refusals:duplicate_scores: message",
        bp.pairwise,
        pd.concat([BARE.assign(measure="accuracy"), BARE.assign(measure="f1")]),
        higher_is_better=True,
        skip={"aggregate=": "the scores are of two metrics", "uneven_runs=": "the same"},
        truth=pd.concat([BARE, BARE]),
    ),
    Case(
        "gate/refusals:repeated_runs: one score for each method, dataset and r",
        bp.pairwise,
        runs().assign(run=0),
        aggregate="mean",
        follow=taken(runs()),
    ),
    Case(
        "gate/refusals:uneven_runs_error: …needs the same runs of all methods on a",
        bp.pairwise,
        UNEVEN,
        aggregate="mean",
    ),
    Case(
        "gate/refusals:uneven_runs_error: …needs the same runs of all methods on a",
        bp.pairwise,
        UNEVEN.rename(columns={"run": "seed"}),
        aggregate="mean",
    ),
    Case(
        "gate/refusals:uneven_runs_error: …needs the same runs of all methods on a",
        bp.pairwise,
        UNEVEN.drop(columns="run"),
        aggregate="mean",
        then={"uneven_runs='shared'": "gate/refusals:unnamed_runs"},
    ),
    Case(
        "gate/refusals:uneven_runs_error: …needs the same runs of all methods on a",
        bp.pairwise,
        runs(2).drop(index=[0, 13]),
        aggregate="mean",
    ),
    Case(
        "gate/refusals:uneven_runs_error: …needs the same runs of all methods on a",
        bp.pairwise,
        pd.concat(
            [
                runs(
                    2,
                    pd.concat(
                        [
                            LONG[LONG["method"] == "A"].assign(
                                method=f"{name}{at}", score=LONG["score"] - at / 100
                            )
                            for at in range(1, 5)
                            for name in ["low", "high"]
                        ]
                    ),
                ),
            ]
        ).pipe(
            lambda df: df[
                df["method"].isin(["low1", "high1"])
                | (df["run"] == 0)
                | (df["dataset"] != "iris")
            ]
        ),
        aggregate="mean",
    ),
    Case(
        "gate/refusals:uneven_runs_error: …needs the same runs of all methods on a",
        bp.pairwise,
        runs(3)[lambda df: df["run"] != df["method"].map({"A": 0, "B": 1, "C": 1})],
        aggregate="mean",
    ),
    Case(
        "gate/refusals:unnamed_runs: uneven_runs='shared' needs a column 'run",
        bp.pairwise,
        runs().rename(columns={"run": "seed"}),
        aggregate="mean",
        uneven_runs="shared",
    ),
    Case(
        "gate/refusals:unnamed_runs: uneven_runs='shared' needs a column 'run",
        bp.pairwise,
        LONG,
        aggregate="mean",
        uneven_runs="shared",
        fill=0,
    ),
    Case(
        "gate/scores:_warn_of_unshared: uneven_runs='shared' leaves out … on whi",
        bp.pairwise,
        runs(2)[
            lambda df: (
                (df["dataset"] != "iris") | ((df["method"] == "A") == (df["run"] == 0))
            )
        ],
        aggregate="mean",
        uneven_runs="shared",
        none=DONE,
    ),
    Case(
        "gate/refusals:incomplete_scores: … needs a score of every method on every",
        bp.friedman,
        holed(("A", "iris"), ("C", "iris")),
    ),
    Case(
        "gate/refusals:incomplete_scores: … needs a score of every method on every",
        bp.friedman,
        holed(("A", "iris"), ("B", "wine"), ("A", "wine")),
    ),
    Case(
        "gate/completeness:_kept: missing='largest_block' gave up…: with …",
        bp.friedman,
        large_holes(),
        missing="largest_block",
        then={"missing='drop_methods'": "gate/completeness:_check_size"},
        follow=lambda text, call: call.but(missing="drop_datasets"),
    ),
    Case(
        "gate/completeness:_check_size: … needs at least 2 methods and 2 dataset",
        bp.friedman,
        LONG[LONG["method"] == "A"],
        none="scores of one method cannot be compared, whatever is written",
    ),
    Case(
        "gate/completeness:_check_size: … needs at least 2 methods and 2 dataset",
        bp.friedman,
        runs()[lambda df: df["dataset"] == "iris"],
        aggregate="mean",
        follow=lambda text, call: Call(
            bp.correlated_t, call.frame, {"rope": 0.01, "test_share": 0}
        ),
    ),
    Case(
        "gate/raw_runs:unpaired_runs: … compares the same runs of two methods,",
        bp.correlated_t,
        runs().rename(columns={"run": "fold"}),
        0.01,
        test_share=0.1,
    ),
    Case(
        "gate/raw_runs:unpaired_runs: … compares the same runs of two methods,",
        bp.correlated_t,
        runs().drop(columns="run"),
        0.01,
        test_share=0.1,
        follow=taken(runs()),
    ),
    # Columns beside the scores --------------------------------------------------------
    Case(
        "gate/beside:read_beside: column … needs … for each score, found …",
        bp.pairwise,
        LONG.assign(spread=-0.1),
        rope="spread",
        none="what the column should hold is known to its owner alone",
    ),
    Case(
        "gate/clusters:check_cluster: cluster must be the name of a column, go",
        bp.rank_intervals,
        FAMILY,
        cluster=3,
        none=OPTION,
    ),
    Case(
        "gate/clusters:check_cluster: cluster must be the name of a column, on",
        bp.rank_intervals,
        FAMILY,
        cluster="group",
        none=OPTION,
    ),
    Case(
        "gate/clusters:check_cluster: cluster=… must be the name of one column",
        bp.rank_intervals,
        pd.concat([FAMILY, FAMILY[["family"]]], axis=1),
        cluster="family",
        follow=taken(FAMILY),
    ),
    Case(
        "gate/clusters:read_clusters: column … must name the family of each da",
        bp.rank_intervals,
        FAMILY.assign(family=[[1]] * len(FAMILY)),
        cluster="family",
        follow=taken(FAMILY),
    ),
    *(
        Case(
            "gate/clusters:_no_one_family: cluster=… needs one value for all rows o",
            bp.rank_intervals,
            FAMILY.assign(family=FAMILY["family"].where(kept, other)),
            cluster="family",
            follow=taken(FAMILY),
        )
        for kept, other in [
            (FAMILY["method"] != "A", "odd"),
            (FAMILY["method"] != "A", None),
            (FAMILY["dataset"] != "zoo", None),
        ]
    ),
    # Doubts ---------------------------------------------------------------------------
    Case(
        "gate/cell_doubts:_warn_of_labels: …s that sum up others count as …s of the",
        bp.coverage,
        SUMMARISED,
        truth=LONG,
    ),
    Case(
        "gate/cell_doubts:_warn_of_replicates: … look like replicates of … (…), found …",
        bp.pairwise,
        REPLICATES,
        truth=FOLDED,
    ),
    Case(
        "gate/cell_doubts:_warn_of_replicates: … look like replicates of … (…), found …",
        bp.pairwise,
        runs(2, REPLICATES),
        aggregate="mean",
        truth=runs(2, FOLDED),
    ),
    Case(
        "gate/cell_doubts:_warn_of_labels: …s that sum up others count as …s of the",
        bp.coverage,
        pd.concat(
            [
                LONG.assign(dataset=LONG["dataset"].map(NUMBERS)),
                LONG.groupby("method", as_index=False)["score"]
                .mean()
                .assign(dataset=9, metric="accuracy"),
            ]
        ),
        truth=LONG.assign(dataset=LONG["dataset"].map(NUMBERS)),
    ),
    Case(
        "gate/cell_doubts:_warn_of_labels: …s that sum up others count as …s of the",
        bp.coverage,
        pd.concat(
            [
                LONG,
                LONG.groupby("dataset", as_index=False)["score"]
                .mean()
                .assign(method="mean", metric="accuracy"),
            ]
        ).astype({"method": "category"}),
        truth=LONG,
    ),
    Case(
        "gate/doubts:warn_of_columns: _near_collision_message(alike)",
        bp.coverage,
        LONG.assign(
            dataset=LONG["dataset"].where(
                LONG["method"] != "B", LONG["dataset"] + "\u200b"
            ),
            method=LONG["method"].where(
                LONG["dataset"] != "zoo", LONG["method"].str.lower()
            ),
        ).astype({"dataset": "category"}),
        truth=LONG,
    ),
    Case(
        "gate/cell_doubts:_warn_of_far_methods: scores of … are 100 times as large or as",
        bp.coverage,
        of_metric("rmse").assign(
            score=LONG["score"].where(LONG["method"] != "C", LONG["score"] * 1000)
        ),
        none=STATES,
    ),
    Case(
        "gate/cell_doubts:_warn_of_islands: each of … has scores of one metric only,",
        bp.coverage,
        ISLANDS,
        truth=LONG.assign(metric="merged_benefit"),
    ),
    Case(
        "gate/doubts:warn_of_columns: the frame has no column 'metric', so all",
        bp.pairwise,
        BARE.assign(
            measure=LONG["dataset"].map(
                {"iris": "f1", "wine": "f1", "zoo": "auc", "glass": "auc"}
            )
        ),
        higher_is_better=True,
    ),
    Case(
        "gate/doubts:warn_of_columns: _near_collision_message(alike)",
        bp.coverage,
        LONG.assign(
            dataset=LONG["dataset"].where(
                LONG["method"] != "B", LONG["dataset"].str.upper()
            )
        ),
        truth=LONG.assign(dataset=LONG["dataset"].str.upper()),
    ),
    Case(
        "gate/doubts:warn_of_columns: _near_collision_message(alike)",
        bp.coverage,
        pd.concat(
            [LONG.assign(dataset=[f"{case}{at}" for at in range(6) for case in "aA"])]
        ),
        truth=LONG.assign(dataset=[f"A{at}" for at in range(6) for case in "aA"]),
    ),
    Case(
        "gate/doubts:warn_of_scale: _bound_message(metric, columns.at(rows),",
        bp.pairwise,
        LONG.assign(score=LONG["score"].where(LONG["score"] < 0.9, 910)),
        none=STATES,
    ),
    Case(
        "gate/doubts:warn_of_scale: _scale_message(metric, columns.at(rows),",
        bp.pairwise,
        LONG.assign(score=LONG["score"].where(LONG["method"] != "A", LONG["score"] * 100)),
        truth=LONG,
        follow=lambda text, call: call._replace(
            frame=call.frame.assign(
                score=call.frame["score"].where(
                    lambda s: s <= 1, lambda s: (s / 100).round(6)
                )
            )
        ),
    ),
    # Labels, and what all share -------------------------------------------------------
    *(
        Case(ODD_LABELS, bp.pairwise, labelled(method={"A": 1}), truth=truth)
        for truth in [labelled(method={"A": "1"})]
    ),
    Case(
        ODD_LABELS,
        bp.pairwise,
        pd.concat(
            [labelled(method={"A": 1}), LONG[LONG["method"] == "A"].assign(method="1")]
        ),
        truth=pd.concat(
            [labelled(method={"A": "1"}), LONG[LONG["method"] == "A"].assign(method="1")]
        ),
        then="gate/refusals:duplicate_scores",
    ),
    Case(
        ODD_LABELS,
        bp.pairwise,
        LONG.assign(method=[[name] for name in LONG["method"]]),
        truth=LONG.assign(method=[str([name]) for name in LONG["method"]]),
    ),
    Case(
        ODD_LABELS,
        bp.pairwise,
        LONG.assign(method=[[name] if name != "A" else None for name in LONG["method"]]),
        truth=LONG.assign(
            method=[str([name]) if name != "A" else None for name in LONG["method"]]
        ),
        then="labels:_check_present",
    ),
    Case(
        NO_INDEX,
        bp.pairwise,
        LONG.assign(dataset=np.arange(12, dtype=np.float16) % 4),
        truth=LONG.assign(dataset=[f"{at % 4}.0" for at in range(12)]),
    ),
    Case(
        NO_INDEX,
        bp.pairwise,
        LONG.assign(
            dataset=np.array([np.nan, *(at % 4 for at in range(1, 12))], dtype=np.float16)
        ),
        truth=LONG.assign(dataset=[np.nan, *(f"{at % 4}.0" for at in range(1, 12))]),
        then="labels:_check_present",
    ),
    *(
        Case(
            "labels:_check_present: every row needs a …, … of … … none: writ",
            bp.pairwise,
            labelled(method={"A": None}).astype({"method": dtype}),
            fill="A",
            truth=LONG,
        )
        for dtype in ["object", "category", "string"]
    ),
    Case(
        "labels:_check_present: every row needs a …, … of … … none: writ",
        bp.pairwise,
        LONG.assign(method=LONG["method"].map({"A": None, "B": 2, "C": 3})),
        fill=1,
        truth=LONG.assign(method=LONG["method"].map({"A": 1.0, "B": 2.0, "C": 3.0})),
    ),
    Case(
        "errors:check_option: … must be one of …, got …", bp.pairwise, LONG, adjust="holmm"
    ),
    Case(
        "errors:check_option: … must be one of …, got …",
        bp.pairwise,
        runs(),
        aggregate="Mean",
    ),
    Case(
        "errors:check_option: … must be one of …, got …",
        bp.friedman,
        holed(("A", "iris")),
        missing="drop",
        then={"missing='raise'": "gate/refusals:incomplete_scores"},
    ),
    Case(
        "errors:check_probability: … must be a number between 0 and 1, got",
        bp.pairwise,
        LONG,
        alpha=5,
        none=OPTION,
    ),
    Case(
        "errors:check_truth: … must be True or False, got …",
        bp.friedman,
        LONG,
        exact="yes",
        none=OPTION,
    ),
    Case(
        "errors:settle_failures: … of … … are left out: …",
        bp.friedman,
        pd.concat([LONG, holed(("A", "iris"), frame=of_metric("f1"))]),
        errors="warn",
        none=DONE,
        skip=dict.fromkeys(["missing=", "skillings_mack", "pairwise"], "of the reason"),
    ),
    Case(
        "errors:settle_failures: … of … … allow no analysis: …",
        bp.friedman,
        pd.concat([holed(("A", "iris")), holed(("A", "iris"), frame=of_metric("f1"))]),
    ),
]


@pytest.mark.parametrize("case", each_once(CASES), ids=str)
def test_what_it_says_does_no_harm(case):
    hold(case)


def test_every_message_has_a_case():
    complete(("gate", "shared"), CASES)


ODD_FRAMES = {
    "runs": runs(),
    "uneven runs": UNEVEN,
    "runs without labels": runs().drop(columns="run"),
    "holes": holed(("A", "iris"), ("B", "wine")),
    "an unknown metric": of_metric("zeal"),
    "no metric": BARE,
}


@pytest.mark.slow
@pytest.mark.parametrize("frame", ODD_FRAMES.values(), ids=ODD_FRAMES)
@pytest.mark.parametrize("name", surface.FUNCTIONS)
def test_no_message_names_an_option_that_the_function_lacks(name, frame):
    parameters = inspect.signature(getattr(bp, name)).parameters
    outcome = run(Call(partial(surface.run, name), frame, {}))
    for seen in outcome.seen:
        for each in itertools.chain(*advice_of(seen.text)):
            assert not each.name or each.name in parameters, seen.text
