"""Figures of their own, files, and panels by the names of columns."""

import re
import zlib
from unittest.mock import MagicMock

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import beam_pandas as bp
from beam_pandas.plot.figures import plan_panels

SCORES = bp.load_benchmark()
ACCURACY = SCORES.query("metric == 'accuracy'")
TABLE = ACCURACY.beam.critical_difference(missing="drop_methods")


def test_fonts_of_a_pdf_are_of_type_42(tmp_path):
    ax = bp.plot.critical_difference(TABLE, width=3.5)
    before = dict(mpl.rcParams)
    path = bp.plot.save(ax, tmp_path / "a.pdf", metadata={"CreationDate": None})
    assert dict(mpl.rcParams) == before
    assert path == tmp_path / "a.pdf"
    raw = path.read_bytes()
    streams = [raw]
    for match in re.finditer(rb"stream\r?\n(.*?)endstream", raw, re.DOTALL):
        try:
            streams.append(zlib.decompress(match.group(1)))
        except zlib.error:
            continue
    whole = b"".join(streams)
    assert b"/CIDFontType2" in whole
    assert b"/Type3" not in whole
    again = bp.plot.save(ax, str(tmp_path / "b.pdf"), metadata={"CreationDate": None})
    assert again.read_bytes() == raw


def test_text_of_an_svg_is_text_and_a_png_has_its_size(tmp_path):
    ax = bp.plot.critical_difference(TABLE, width=3.5)
    svg = bp.plot.save(ax, tmp_path / "a.svg", metadata={"Date": None}).read_text("utf-8")
    assert "LogisticRegression" in svg
    assert "</text>" in svg
    png = bp.plot.save(ax, tmp_path / "a.PNG", dpi=200)
    assert plt.imread(png, format="png").shape[1] == 700
    part = SCORES.query("metric in ['accuracy', 'roc_auc']")
    panels = part.beam.plot.critical_difference(missing="drop_methods")
    assert bp.plot.save(panels, tmp_path / "all.png", dpi=50).stat().st_size > 1000
    sub = Figure((4, 4)).subfigures(1, 2)[1].add_subplot()
    bp.plot.save(bp.plot.critical_difference(TABLE, ax=sub), tmp_path / "sub.png")


def test_files_that_cannot_be_written_are_refused(tmp_path):
    ax = bp.plot.critical_difference(TABLE, width=3.5)
    for path in ("a.jpg", "a", ".png"):
        with pytest.raises(bp.BeamError, match=r"path must end in .png, .svg or .pdf"):
            bp.plot.save(ax, tmp_path / path)
    with pytest.raises(bp.BeamError, match="there is no folder"):
        bp.plot.save(ax, tmp_path / "no" / "a.png")
    with pytest.raises(bp.BeamError, match="dpi must be a number above 0, got 0"):
        bp.plot.save(ax, tmp_path / "a.png", dpi=0)
    with pytest.raises(bp.ScoreTypeError, match="ax must be matplotlib Axes"):
        bp.plot.save(TABLE, tmp_path / "a.png")
    others = [Figure().add_subplot(), Figure().add_subplot()]
    with pytest.raises(bp.BeamError, match="Axes of one figure"):
        bp.plot.save(others, tmp_path / "a.png")
    removed = Figure().add_subplot()
    removed.remove()
    with pytest.raises(bp.BeamError, match="Axes of one figure"):
        bp.plot.save(removed, tmp_path / "a.png")


def test_a_notebook_shows_figures_as_before(monkeypatch):
    import IPython

    monkeypatch.setattr(IPython, "get_ipython", MagicMock())
    ax = bp.plot.critical_difference(TABLE, width=3.5)
    assert plt.get_fignums() == [ax.figure.number]
    plt.close(ax.figure)


def test_panels_take_another_column_before_a_longer_page():
    def heights(width):
        return [4.0 / width] * 6

    one = plan_panels(6, 7.0, 7.0, heights)
    assert one.n_columns == 1
    tall = plan_panels(6, 7.0, 7.0, lambda width: [width] * 6)
    assert tall.n_columns == 2
    assert sum(tall.heights) == pytest.approx(10.5)
    assert tall.width == 7.0
    squeezed = plan_panels(6, 7.0, 7.0, lambda width: [5.0] * 6)
    assert squeezed.n_columns == 3
    assert sum(squeezed.heights) == pytest.approx(10.0)
    squeezed = plan_panels(6, 5.0, 7.0, lambda width: [5.0] * 6)
    assert squeezed.n_columns == 2
    assert sum(squeezed.heights) == pytest.approx(11.0)
    wide = plan_panels(4, None, 6.0, lambda width: [8.0] * 4)
    assert (wide.n_columns, wide.width) == (4, 13.0)
    alone = plan_panels(1, None, 20.0, lambda width: [30.0])
    assert (alone.width, alone.heights) == (20.0, [30.0])
    slots = tall.slots(6)
    assert len(set(slots)) == 6
    np.testing.assert_allclose([slot[2] for slot in slots], 0.5)


def turned(frame):
    return frame[frame.columns[::-1]]


def halves_of_two_metrics():
    few = ACCURACY[ACCURACY["method"].isin(["SVC", "MLP", "AdaBoost", "GaussianNB"])]
    halves = pd.concat([few.assign(half=half) for half in ("one", "two")])
    return pd.concat([halves, halves.assign(metric="f1")]).groupby("half").beam


@pytest.mark.parametrize(
    ("name", "function", "options"),
    [
        ("transitivity", "pairwise", {}),
        *(pytest.param(*case, marks=pytest.mark.slow) for case in (
            ("critical_difference", "critical_difference", {"missing": "drop_methods"}),
            ("bayesian_sign", "bayesian_sign", {"rope": 0.01}),
        )),
    ],
)  # fmt: skip
def test_panels_depend_on_names_of_columns_not_on_their_place(name, function, options):
    table = getattr(halves_of_two_metrics(), function)(**options)
    one = getattr(bp.plot, name)(table)
    other = getattr(bp.plot, name)(turned(table))
    assert len(one) == len(other) == 4
    titles = [[_title(ax) for ax in axes] for axes in (one, other)]
    assert titles[0] == titles[1]
    assert titles[0][0] == "one, accuracy"
    plain = getattr(bp.plot, name)(
        turned(table.query("half == 'one'").drop(columns="half"))
    )
    assert len(plain) == 2


def test_panels_depend_on_names_of_levels_not_on_their_place():
    grouped = halves_of_two_metrics()
    wide = grouped.wide_scores().query("dataset < 'd'")
    one = bp.plot.missing_scores(wide)
    other = bp.plot.missing_scores(wide.reorder_levels(["dataset", "half", "metric"]))
    assert [_title(ax) for ax in one] == [_title(ax) for ax in other]
    square = grouped.comparison_matrix()
    other = bp.plot.comparison_matrix(square.reorder_levels(["method", "half", "metric"]))
    assert len(other) == 4


def _title(ax):
    legend = ax.get_legend()
    title = legend.get_title().get_text() if legend else ""
    return title or ax.get_title() or ax.get_title(loc="right")


def test_a_constant_column_makes_no_panels():
    ax = bp.plot.critical_difference(TABLE.assign(note="mine"), width=4)
    assert ax.get_title() == ""
