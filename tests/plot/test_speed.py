"""No picture takes long: one layout, each text measured once."""

import io
import resource
import time

import numpy as np
import pandas as pd
import pytest
from matplotlib import layout_engine
from matplotlib.figure import Figure

import beam_pandas as bp
from tests.plot.artists import result, scores

pytestmark = pytest.mark.filterwarnings("ignore:.*too many to hang:beam_pandas.BeamWarning")
SLACK = 2.0  # this may run beside other things


def seconds(call):
    start = time.process_time()
    value = call()
    return time.process_time() - start, value


def cases(n_methods, n_datasets):
    frame = scores(n_methods, 12, n_datasets)
    other = frame.assign(metric="other", score=frame["score"] ** 2)
    spread = pd.concat([frame, other]).beam.dataset_discrimination(higher_is_better=True)
    return {
        "critical_difference": frame.beam.critical_difference(),
        "comparison_matrix": frame.beam.comparison_matrix(),
        "transitivity": frame.beam.pairwise(),
        "bayesian_sign": frame.beam.bayesian_sign(0.1),
        "dataset_discrimination": spread,
        "missing_scores": frame.beam.wide_scores(),
        "pairwise": frame.beam.pairwise(),
        "scores": frame.beam.ranks(),
        "duel": frame.beam.ranks(),
        "overview": pd.concat([frame, other]).beam.ranks(higher_is_better=True),
        "rank_flow": pd.concat([frame, other]).beam.ranks(higher_is_better=True),
    }


def draw(name, table, **options):
    if name == "duel":
        methods = table["method"].unique()
        options |= {"method_1": methods[0], "method_2": methods[-1]}
    return getattr(bp.plot, name)(table, **options)


@pytest.mark.slow
@pytest.mark.parametrize(("n_methods", "n_datasets"), [(20, 60), (40, 150)])
def test_a_picture_takes_a_second_and_another_to_be_saved(n_methods, n_datasets):
    bp.plot.critical_difference(result("critical_difference", 3), width=3).figure.savefig(
        io.BytesIO()
    )
    for name, table in cases(n_methods, n_datasets).items():
        drawn, ax = seconds(lambda: draw(name, table))  # noqa: B023
        saved, _ = seconds(lambda: ax.figure.savefig(io.BytesIO()))  # noqa: B023
        assert drawn < 1.0 * SLACK, name
        assert drawn + saved < 2.0 * SLACK, name


@pytest.mark.slow
def test_thirteen_metrics_of_104_datasets():
    frame = scores(20, 8, 104)
    rng = np.random.default_rng(0)
    parts = [
        frame.assign(metric=f"metric {at}")[rng.random(len(frame)) > 0.05]
        for at in range(13)
    ]
    wide = pd.concat(parts).beam.wide_scores()
    took, _ = seconds(lambda: bp.plot.missing_scores(wide)[0].figure.savefig(io.BytesIO()))
    assert took < 4.0 * SLACK


@pytest.mark.slow
def test_a_hundred_methods():
    for name, table in cases(100, 100).items():
        took, _ = seconds(
            lambda: draw(name, table).figure.savefig(io.BytesIO())  # noqa: B023
        )
        assert took < 5.0 * SLACK, name
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 1e6 * 2  # kB, of all tests


@pytest.mark.parametrize(
    "names",
    [
        ["critical_difference", "transitivity", "duel", "missing_scores"],
        pytest.param(None, marks=pytest.mark.slow),  # all of them
    ],
)
def test_a_figure_of_its_own_runs_no_layout_and_a_given_one_runs_one(names, monkeypatch):
    runs = []
    execute = layout_engine.ConstrainedLayoutEngine.execute
    monkeypatch.setattr(
        layout_engine.ConstrainedLayoutEngine,
        "execute",
        lambda self, figure: (runs.append(figure), execute(self, figure)),
    )
    tables = cases(5, 8)
    for name in names or tables:
        table = tables[name]
        draw(name, table)
        assert not runs
        draw(name, table, ax=Figure(layout="constrained").add_subplot())
        assert len(runs) == 1
        runs.clear()
