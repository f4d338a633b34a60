import importlib
import inspect
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import beam_pandas as bp
from beam_pandas.results.vocabulary import VOCABULARY
from tests.strategies import frame_of, matrices
from tests.surface import (
    ARGUMENTS,
    COMPLETE,
    DIRECTED,
    EACH_METRIC,
    FUNCTIONS,
    GIVEN,
    run,
)
from tests.tables import FEW, HOLE, REFERENCE, TIES, long

# some tables have no strengths, which is said
pytestmark = pytest.mark.filterwarnings(
    "ignore:bradley_terry has no:beam_pandas.BeamWarning"
)

TWO_METRICS = pd.concat(
    [TIES.assign(metric="f1"), REFERENCE, TIES.assign(metric="log_loss")], ignore_index=True
).assign(run=0)
DOMAINS = pd.concat(
    [TWO_METRICS.assign(domain="text"), TWO_METRICS.assign(domain="image")],
    ignore_index=True,
)


def call(name, target, **kwargs):
    """Call a method of an accessor."""
    return getattr(target.beam, name)(*ARGUMENTS[name], **GIVEN[name], **kwargs)


@pytest.mark.parametrize("name", EACH_METRIC)
def test_each_way_to_call_gives_the_same(name):
    function = run(name, TWO_METRICS)
    pd.testing.assert_frame_equal(call(name, TWO_METRICS), function)
    pd.testing.assert_frame_equal(
        TWO_METRICS.pipe(getattr(bp, name), *ARGUMENTS[name], **GIVEN[name]), function
    )
    pd.testing.assert_frame_equal(call(name, TWO_METRICS.groupby("metric")), function)
    for options in ({"sort": False}, {"as_index": False}, {"group_keys": False}):
        grouped = TWO_METRICS.groupby("metric", **options)
        pd.testing.assert_frame_equal(call(name, grouped), function)


@pytest.mark.filterwarnings("ignore::beam_pandas.BeamWarning")
@pytest.mark.parametrize("name", EACH_METRIC)
def test_grouping_leads_with_the_keys_sorted(name):
    expected = pd.concat(
        [run(name, TWO_METRICS).assign(domain=key) for key in ("image", "text")],
        ignore_index=True,
    )
    expected.insert(0, "domain", expected.pop("domain"))
    for options in (
        {}, {"sort": False}, {"as_index": False}, {"group_keys": False}, {"observed": True},
    ):  # fmt: skip
        result = call(name, DOMAINS.groupby("domain", **options))
        pd.testing.assert_frame_equal(result, expected)
    for keys in (["domain"], ["domain", "metric"], ["metric", "domain"]):
        pd.testing.assert_frame_equal(call(name, DOMAINS.groupby(keys)), expected)


def test_keys_of_a_groupby_keep_their_dtype():
    domain = pd.Categorical(DOMAINS["domain"], ["text", "none", "image"])
    frame = DOMAINS.assign(domain=domain, year=np.int16(2020), kind="a")
    for observed in (True, False):
        grouped = frame.groupby(["domain", "year", "kind"], observed=observed)
        result = grouped.beam.friedman()
        assert result["domain"].dtype == domain.dtype
        assert result["domain"].tolist() == ["text"] * 3 + ["image"] * 3
        assert result["year"].dtype == np.int16
        assert list(result.columns[:4]) == ["domain", "year", "kind", "metric"]


def test_keys_that_are_no_columns():
    named = DOMAINS.groupby(DOMAINS["domain"].rename("area")).beam.friedman()
    assert list(named.columns[:2]) == ["area", "metric"]
    unnamed = DOMAINS.groupby(lambda row: row // len(TWO_METRICS)).beam.friedman()
    assert list(unnamed.columns[:2]) == ["group", "metric"]
    assert unnamed["group"].tolist() == [0] * 3 + [1] * 3
    level = DOMAINS.set_index("domain").groupby(level="domain").beam.friedman()
    pd.testing.assert_frame_equal(level, DOMAINS.groupby("domain").beam.friedman())


def test_several_keys_without_a_name_are_numbered():
    half = np.arange(len(DOMAINS)) < len(TWO_METRICS)
    result = DOMAINS.groupby([half, ~half]).beam.friedman()
    assert list(result.columns[:3]) == ["group_1", "group_2", "metric"]


def test_a_level_in_a_list_and_labels_that_are_tuples():
    frame = DOMAINS.set_index("domain")
    expected = DOMAINS.groupby("domain").beam.friedman()
    pd.testing.assert_frame_equal(frame.groupby(level=["domain"]).beam.friedman(), expected)
    pd.testing.assert_frame_equal(frame.groupby(level=[0]).beam.friedman(), expected)
    pair = DOMAINS["domain"].map({"text": ("t", 1), "image": ("i", 2)})
    result = DOMAINS.assign(pair=pair).groupby("pair").beam.friedman()
    assert result["pair"].tolist() == [("i", 2)] * 3 + [("t", 1)] * 3


def test_a_key_that_the_result_has_already_is_not_repeated():
    grouped = TIES.groupby("dataset")
    pd.testing.assert_frame_equal(grouped.beam.ranks(), TIES.beam.ranks())


@pytest.mark.parametrize("key", ["groups", "n_datasets", "friedman_p_value"])
def test_a_key_with_the_name_of_a_result_is_refused_before_it_is_lost(key):
    frame = DOMAINS.rename(columns={"domain": key})
    message = f"the key '{key}' of the groups has the name of a column of the result"
    with pytest.raises(bp.BeamError, match=message):
        frame.groupby(key).beam.critical_difference()
    other = TIES.groupby(TIES["dataset"].map({"d01": "f1"}).fillna("f2").rename("metric"))
    with pytest.raises(bp.BeamError, match="key 'metric' of the groups"):
        other.beam.ranks()


def test_rows_without_a_key_are_left_out_as_the_groupby_says():
    frame = DOMAINS.assign(domain=DOMAINS["domain"].where(DOMAINS["domain"] == "text"))
    result = frame.groupby("domain").beam.friedman()
    assert result["domain"].unique().tolist() == ["text"]
    kept = frame.groupby("domain", dropna=False).beam.friedman()
    assert len(kept) == 2 * len(result)
    with pytest.raises(bp.BeamError, match="no row has a key: 'domain' is missing in all"):
        frame.assign(domain=np.nan).groupby("domain").beam.friedman()


def test_a_selection_of_columns_is_respected():
    unnamed = REFERENCE.groupby("metric")[["method", "dataset", "score"]]
    with pytest.raises(bp.UnknownMetricError, match="in group metric='elo': is a higher"):
        unnamed.beam.friedman()
    result = unnamed.beam.friedman(higher_is_better=True)
    pd.testing.assert_frame_equal(result, REFERENCE.beam.friedman())
    with pytest.raises(bp.MissingColumnsError, match="'dataset' not found"):
        DOMAINS.groupby("domain")[["method", "score"]].beam.friedman()


def test_an_error_names_the_group():
    frame = DOMAINS.assign(score=DOMAINS["score"].mask(DOMAINS.index == 3))
    with pytest.raises(
        bp.IncompleteScoresError, match="in group domain='text': friedman needs"
    ):
        frame.groupby("domain").beam.friedman()


def test_a_warning_names_the_group_and_points_at_the_call():
    frame = pd.concat([FEW.assign(domain="a"), FEW.assign(domain="b")])
    with pytest.warns(bp.BeamWarning) as caught:
        frame.groupby("domain").beam.nemenyi(higher_is_better=True)
    texts = [str(warning.message) for warning in caught]
    assert [text.split(": ")[0] for text in texts] == [
        "in group domain='a'",
        "in group domain='b'",
    ]
    assert all("no two methods can differ" in text for text in texts)
    assert {warning.filename for warning in caught} == {__file__}
    with pytest.warns(bp.BeamWarning, match="^no two methods can differ"):
        FEW.beam.nemenyi(higher_is_better=True)


def test_a_mapping_may_name_metrics_that_only_some_groups_have():
    frame = pd.concat(
        [TIES.assign(domain="a", metric="x"), REFERENCE.assign(domain="b", metric="y")]
    )
    told = {"x": True, "y": False}
    result = frame.groupby("domain").beam.friedman(higher_is_better=told)
    assert result[["domain", "metric"]].to_numpy().tolist() == [["a", "x"], ["b", "y"]]
    pairs = frame.groupby("domain").beam.pairwise({"x": 0.1, "y": 2}, higher_is_better=told)
    assert pairs.groupby("metric")["rope"].first().to_dict() == {"x": 0.1, "y": 2.0}
    with pytest.raises(bp.BeamError, match="names 'z'"):
        frame.groupby("domain").beam.friedman(higher_is_better=told | {"z": True})


def test_wide_scores_of_groups_lead_with_the_key_in_the_index():
    wide = DOMAINS.groupby("domain").beam.wide_scores()
    assert wide.index.names == ["domain", "metric", "dataset"]
    same = TWO_METRICS.groupby("metric").beam.wide_scores()
    pd.testing.assert_frame_equal(same, TWO_METRICS.beam.wide_scores())


def test_wide_scores_of_groups_that_differ_in_metrics_and_methods():
    frame = pd.concat(
        [
            REFERENCE[REFERENCE["method"] != "A"].assign(domain=1, run=0),
            TWO_METRICS.assign(domain=2),
        ]
    )
    wide = frame.groupby("domain").beam.wide_scores()
    assert wide.index.names == ["domain", "metric", "dataset"]
    assert wide.columns.tolist() == ["A", "B", "C"]
    assert wide.loc[1].index.get_level_values("metric").unique().tolist() == ["elo"]
    by_dataset = TIES.groupby("dataset").beam.wide_scores()
    pd.testing.assert_frame_equal(by_dataset, TIES.beam.wide_scores())


def test_comparison_matrices_of_groups_lead_with_the_key_in_the_index():
    frame = pd.concat(
        [TIES.assign(domain="a"), REFERENCE[REFERENCE["method"] != "A"].assign(domain="b")]
    )
    square = frame.groupby("domain").beam.comparison_matrix()
    assert square.index.names == ["domain", "metric", "method"]
    assert (square.dtypes == np.int64).all()
    assert square.columns.tolist() == ["A", "B", "C"]
    assert square.loc[("b", "elo", "B")].tolist() == [0, 0, 2]
    unnamed = frame.drop(columns="metric").groupby("domain").beam
    assert unnamed.comparison_matrix(higher_is_better=True).index.names == [
        "domain",
        "method",
    ]
    same = TWO_METRICS.groupby("metric").beam.comparison_matrix()
    pd.testing.assert_frame_equal(same, TWO_METRICS.beam.comparison_matrix())


def test_columns_without_a_name_or_named_twice_are_no_matter_to_groups():
    frame = DOMAINS.assign(x=1, y=2, z=3).rename(columns={"x": None, "y": "w", "z": "w"})
    expected = DOMAINS.groupby("domain").beam.friedman()
    pd.testing.assert_frame_equal(frame.groupby("domain").beam.friedman(), expected)
    same = frame.drop(columns="run").groupby("metric").beam.pairwise
    with pytest.raises(bp.DuplicateScoresError, match="2 for 'A' on 'd01'"):
        same()
    pd.testing.assert_frame_equal(same(aggregate="mean"), TWO_METRICS.beam.pairwise())


def test_wide_results_of_groups_without_a_key_or_with_labels_that_do_not_mix():
    frame = DOMAINS.assign(domain=DOMAINS["domain"].where(DOMAINS["domain"] == "text"))
    wide = frame.groupby("domain", dropna=False).beam.wide_scores()
    assert wide.index.get_level_values("domain").isna().sum() == len(wide) / 2
    pd.testing.assert_frame_equal(
        wide[wide.index.get_level_values("domain").isna()].droplevel("domain"),
        TWO_METRICS.beam.wide_scores(),
    )
    mixed = pd.concat([TIES.assign(domain=1), TIES.assign(domain=2, method=[1, 2, 3] * 4)])
    square = mixed.sort_values("dataset").groupby("domain").beam
    with pytest.raises(bp.BeamError, match="'method' must be all text or all numbers"):
        square.wide_scores(aggregate="mean")


@pytest.mark.parametrize("name", ["friedman", "wide_scores"])
def test_keys_that_do_not_sort_or_fit_no_index_are_refused(name):
    message = "the keys of the groups must be labels that sort and that an index can hold"
    mixed = DOMAINS.assign(key=[("a", 1), 1] * (len(DOMAINS) // 2))
    with pytest.raises(bp.BeamError, match=message):
        getattr(mixed.groupby("key", sort=False).beam, name)()


def test_keys_that_pandas_tells_apart_but_no_index_can_hold():
    import pyarrow

    zeros = pyarrow.array([0.0] * len(TWO_METRICS) + [-0.0] * len(TWO_METRICS))
    groups = DOMAINS.assign(key=pd.arrays.ArrowExtensionArray(zeros)).groupby("key").beam
    assert groups.friedman()["key"].tolist() == [0.0] * 6
    with pytest.raises(bp.BeamError, match="keys of the groups must be labels that sort"):
        groups.wide_scores()


def test_an_empty_groupby_says_so():
    with pytest.raises(bp.BeamError, match="0 rows"):
        DOMAINS.iloc[:0].groupby("domain").beam.friedman()


# Promises ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", EACH_METRIC)
@pytest.mark.filterwarnings("ignore::beam_pandas.BeamWarning")
@given(data=st.data())
def test_order_of_rows_index_and_other_columns_do_not_matter(name, data):
    matrix = data.draw(matrices())
    frame = frame_of(matrix).replace({"method": {"m0": "A"}})
    expected = run(name, frame)
    order = data.draw(st.permutations(range(len(frame))))
    shuffled = frame.iloc[list(order)].assign(other=1.5, note="x")
    shuffled.index = pd.Index(np.zeros(len(frame), dtype=int), name="run")
    shuffled["dataset"] = pd.Categorical(
        shuffled["dataset"], [*sorted(set(frame.dataset)), "z"]
    )
    result = run(name, shuffled)
    for column in ("dataset", "dataset_1", "dataset_2"):
        if column in result:
            result[column] = result[column].astype("str")
    pd.testing.assert_frame_equal(result, expected, check_exact=True)


@pytest.mark.parametrize("name", EACH_METRIC)
def test_nothing_is_touched_and_nothing_is_printed(name, capsys):
    frame = TWO_METRICS.copy()
    frame.attrs["note"] = "kept"
    before = frame.copy(deep=True)
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    run(name, frame)
    pd.testing.assert_frame_equal(frame, before)
    assert frame.attrs == {"note": "kept"}
    np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", EACH_METRIC)
def test_a_dataset_that_nobody_scored_changes_nothing(name):
    nobody = long({"A": [None], "B": [None]}, "elo").assign(dataset="z")
    padded = pd.concat([REFERENCE, nobody])
    pd.testing.assert_frame_equal(run(name, padded), run(name, REFERENCE))


@pytest.mark.filterwarnings("ignore:some methods have no part")
@pytest.mark.parametrize("name", EACH_METRIC)
def test_an_absent_row_and_a_missing_score_are_the_same_in_several_metrics(name):
    b_of_f1 = (TWO_METRICS["method"] == "B") & (TWO_METRICS["metric"] == "f1")
    written = TWO_METRICS.assign(score=TWO_METRICS["score"].mask(b_of_f1))
    options = {"missing": "drop_methods"} if name in COMPLETE else {}
    if name in COMPLETE:
        for frame in (written, TWO_METRICS[~b_of_f1]):
            with pytest.raises(bp.IncompleteScoresError, match="'B' lacks all 4 datasets"):
                run(name, frame)
    absent = run(name, TWO_METRICS[~b_of_f1], **options)
    pd.testing.assert_frame_equal(run(name, written, **options), absent)
    grouped = call(name, TWO_METRICS[~b_of_f1].groupby("metric"), **options)
    pd.testing.assert_frame_equal(grouped, absent)


@pytest.mark.parametrize("name", [name for name in EACH_METRIC if name in DIRECTED])
def test_renaming_in_order_only_renames(name):
    methods = {"A": "A", "B": "Bx", "C": "Cy"}
    renamed = REFERENCE.assign(method=REFERENCE["method"].map(methods))
    result, expected = run(name, renamed), run(name, REFERENCE)
    others = ("metric", "dataset", "dataset_1", "dataset_2")
    kinds = {c: VOCABULARY[c].dtype for c in result if c not in others}
    labels = [c for c, kind in kinds.items() if kind.startswith("label")]
    expected = expected.assign(**{c: expected[c].map(methods) for c in labels})
    pd.testing.assert_frame_equal(result, expected)


class Subclass(pd.DataFrame):
    @property
    def _constructor(self):
        return Subclass


def test_a_subclass_of_a_frame_and_a_view_give_a_plain_frame():
    assert type(Subclass(TIES).beam.ranks()) is pd.DataFrame
    half = TWO_METRICS.iloc[: len(TIES)]
    pd.testing.assert_frame_equal(half.beam.ranks(), TIES.assign(metric="f1").beam.ranks())


# The accessor as an attribute ---------------------------------------------------------


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame({"x": [1]}), pd.DataFrame(), TIES.T, TIES.assign(method=[("t",)] * 12)],
)
def test_the_accessor_never_gets_in_the_way_of_a_frame(frame):
    assert hasattr(frame, "beam")
    assert "beam" in dir(frame)
    assert repr(frame.beam).startswith("<df.beam: no table of scores yet: ")
    assert len(repr(frame.beam)) < 500
    assert not repr(frame.beam).endswith("...>")  # the advice is there to its end
    assert "no table" in repr(frame.groupby(np.zeros(len(frame))).beam)


def test_the_repr_says_what_is_there():
    frame = pd.concat([TWO_METRICS, HOLE.assign(metric="f2", run=0)])
    assert repr(frame.beam) == (
        "<df.beam: 3 methods, 6 datasets, metrics 'elo', 'f1', 'f2' and 1 more, 59 scores, "
        "1 missing; begin with .leaderboard()>"
    )
    assert repr(TIES.groupby("dataset").beam) == (
        "<df.groupby(...).beam: 3 methods, 4 datasets, metric 'accuracy', 12 scores; "
        "begin with .leaderboard()>"
    )


def test_a_column_of_the_same_name_is_still_there():
    frame = TIES.assign(beam=1)
    pd.testing.assert_frame_equal(frame.beam.ranks(), TIES.beam.ranks())
    assert frame["beam"].tolist() == [1] * 12


def test_reloading_warns_of_nothing():
    importlib.reload(bp)
    bp.accessor.methods.register_accessors()
    pd.testing.assert_frame_equal(TIES.beam.ranks(), bp.ranks(TIES))


def test_methods_carry_the_documentation_and_the_parameters_of_their_function():
    for accessor in (TIES.beam, TIES.groupby("dataset").beam):
        for name in FUNCTIONS:
            function, method = getattr(bp, name), getattr(accessor, name)
            assert method.__name__ == name
            assert inspect.getdoc(method) == inspect.getdoc(function)
            parameters = list(inspect.signature(function).parameters)
            assert list(inspect.signature(method).parameters) == parameters[1:]


def test_a_method_of_the_class_is_the_function():
    assert bp.accessor.methods.BeamAccessor.pairwise is bp.pairwise
    assert bp.accessor.methods.BeamGroupByAccessor.pairwise is bp.pairwise


def test_a_misspelt_keyword_is_an_error():
    with pytest.raises(TypeError, match="alfa"):
        TIES.beam.critical_difference(alfa=0.1)


def run_fresh(code):
    """Run code in a fresh interpreter and give what it prints."""
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(
        command, capture_output=True, text=True, check=True
    ).stdout.strip()


def test_importing_loads_neither_scipy_stats_nor_matplotlib():
    code = "import sys, beam_pandas; print([m for m in ('scipy.stats', 'matplotlib') if m in sys.modules])"
    assert run_fresh(code) == "[]"


def test_the_main_functions_do_not_load_scipy_stats():
    code = (
        "import sys, beam_pandas as bp; s = bp.load_benchmark(); "
        "s.beam.nemenyi(missing='drop_methods'); print('scipy.stats' in sys.modules)"
    )
    assert run_fresh(code) == "False"
