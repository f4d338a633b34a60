"""The report as a page: one file, whole without anything else, safe whatever labels say."""

import base64
import builtins
import hashlib
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import beam_pandas as bp
from beam_pandas.terminal import html_pictures
from beam_pandas.terminal.command import main
from beam_pandas.terminal.html_cells import write_column, write_floats, write_share
from beam_pandas.terminal.html_tables import write_frame
from tests.tables import HOLE, REFERENCE, TIES, long

SPARSE = long({"A": [1, 2, None], "B": [None, 1, 2], "C": [2, None, 1]}, "elo")
EVIL = "<script>alert('x')</script>"
VOID = {"meta", "img", "link", "br", "hr", "input"}


class Reader(HTMLParser):
    """Read a page strictly: what is opened is closed, in order; keep elements and texts."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.texts = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs), tuple(self.open)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"script", "style"} & set(self.open):
            self.texts.append((data, self.open[-1] if self.open else ""))

    def all(self, tag):
        return [attrs for name, attrs, _ in self.elements if name == tag]

    def count(self, text, tag):
        return self.texts.count((text, tag))


def make(folder, frame, *options):
    """Save scores, write the page and read it."""
    source, target = folder / "scores.csv", folder / "report.html"
    frame.to_csv(source, index=False)
    status = main([str(source), "--html", str(target), *options])
    return status, target.read_text(encoding="utf-8")


@pytest.fixture
def without_matplotlib(monkeypatch):
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name.split(".")[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    pytest.importorskip("matplotlib")
    frame = pd.concat([HOLE, REFERENCE.assign(metric="f1")])
    frame = pd.concat([frame, REFERENCE.assign(metric="log_loss", score=float("nan"))])
    frame = frame.replace({"method": {"A": EVIL}, "dataset": {"d01": 'a"b&c'}})
    status, text = make(tmp_path_factory.mktemp("page"), frame)
    assert status == 2  # for the metric without a score
    return text


def test_the_page_needs_nothing_from_elsewhere(page):
    read = Reader(page)
    assert not {"link", "iframe", "object", "base"} & {name for name, _, _ in read.elements}
    sources = [attrs["src"] for _, attrs, _ in read.elements if "src" in attrs]
    assert len(sources) == 2
    assert all(source.startswith("data:image/svg+xml;base64,") for source in sources)
    targets = [attrs["href"] for _, attrs, _ in read.elements if "href" in attrs]
    assert all(target.startswith("#") for target in targets)
    names = [attrs["id"] for _, attrs, _ in read.elements if "id" in attrs]
    assert len(set(names)) == len(names)
    assert {target[1:] for target in targets} <= set(names)
    assert "url(" not in page
    assert "@import" not in page


def test_a_policy_lets_only_what_stands_there_run(page):
    policy = Reader(page).all("meta")[1]["content"]
    assert policy.startswith("default-src 'none'; img-src data:; ")
    for tag in ("style", "script"):
        content = re.search(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_labels_are_text_whatever_they_hold(page):
    read = Reader(page)
    assert len(read.all("script")) == 1
    assert read.count(EVIL, "th") > 5
    assert read.count('a"b&c', "th") > 1
    assert EVIL not in page


def test_pictures_are_whole_and_say_what_they_show(page):
    from xml.etree import ElementTree

    images = Reader(page).all("img")
    for image in images:
        content = base64.b64decode(image["src"].partition(",")[2]).decode("utf-8")
        assert ElementTree.fromstring(content).tag.endswith("svg")
        assert EVIL not in content
    assert images[0]["alt"] == (
        "Critical difference diagram of accuracy: mean ranks of 3 methods on 5 datasets, "
        "best is 1"
    )


def test_headings_and_regions_lead_through_the_page(page):
    read = Reader(page)
    assert read.all("html") == [{"lang": "en"}]
    levels = [int(name[1]) for name, _, _ in read.elements if re.fullmatch("h[1-6]", name)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert max(np.diff(levels)) <= 1
    assert read.all("a")[0] == {"class": "skip", "href": "#content"}
    assert len(read.all("main")) == len(read.all("nav")) == 1
    for region in read.all("div"):
        assert region["role"] == "region"
        assert region["tabindex"] == "0"
        assert "aria-label" in region or "aria-labelledby" in region


def test_tables_have_captions_and_scopes(page):
    read = Reader(page)
    tables = read.all("table")
    assert len(tables) == len(read.all("caption")) > 10
    assert {head["scope"] for head in read.all("th")} == {"col", "row"}
    rights = [attrs for attrs in read.all("td") if attrs.get("class") == "n"]
    assert rights


def test_everything_that_is_asked_for_stands_there(page):
    read = Reader(page)
    heads = [text for text, tag in read.texts if tag == "h3"]
    for head in ("Verdict", "Diagram", "In words", "Pairs", "Posterior", "Gaps and runs"):
        assert heads.count(head) == 2
    assert heads.count("Datasets") == heads.count("How it was computed") == 2
    said = " ".join(text for text, _ in read.texts)
    assert f"{len(HOLE) + 2 * len(REFERENCE)} rows of scores from" in said
    assert "3 metrics compared" in said
    assert "log_loss: no report." in said
    assert "at least one score is needed" in said
    assert "C lacks 1 of 6 datasets" in said
    assert "0: equal scores are ties" in said
    assert f"beam_pandas {bp.__version__}, with" in said
    assert "--html" in said


def test_doubts_stand_on_the_page(tmp_path, without_matplotlib):
    frame = long({"A": [0.5, 0.6, 0.7], "a ": [0.6, 0.7, 0.9], "C": [0.4, 0.3, 0.2]}, "f1")
    frame["method"] = frame["method"].replace({"a ": "a"})
    status, text = make(tmp_path, frame)
    assert status == 0
    read = Reader(text)
    assert read.count("Doubts", "h3") == 1
    assert any("differ only in" in said for said, tag in read.texts if tag == "li")
    assert "No picture: it needs matplotlib" in text
    assert read.all("img") == []
    assert "<h3>Datasets</h3>" in text


def test_the_folder_holds_page_picture_and_results(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    (tmp_path / "scores.csv").write_text(TIES.to_csv(index=False))
    folder = tmp_path / "out"
    assert main([str(tmp_path / "scores.csv"), "--output", str(folder)]) == 0
    made = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert {"report.html", "critical_difference.svg", "leaderboard.csv"} < set(made)
    assert {"influence.csv", "ranks.csv", "pairwise.csv"} < set(made)
    assert b"<svg" in made["critical_difference.svg"]
    assert "Page saved" not in capsys.readouterr().out


def test_the_picture_is_the_same_each_time():
    pytest.importorskip("matplotlib")
    table = bp.critical_difference(REFERENCE)
    first, second = (html_pictures.draw_diagram(table) for _ in range(2))
    assert first == second
    assert first.reason == ""


def test_a_picture_that_is_refused_is_no_end(tmp_path):
    pytest.importorskip("matplotlib")
    table = bp.critical_difference(REFERENCE).head(1)
    reason = html_pictures.save_picture([table], tmp_path / "a.svg")
    assert reason.startswith("No picture: ")


@pytest.mark.slow
def test_the_page_is_the_same_each_time_and_says_what_the_folder_holds(tmp_path):
    pytest.importorskip("matplotlib")
    _, first = make(tmp_path, TIES)
    _, second = make(tmp_path, TIES, "--output", str(tmp_path / "out"))
    saved = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert saved == second
    main_part = re.compile("<main.*How this page was made", re.DOTALL)
    assert main_part.search(first)[0] == main_part.search(second)[0]


@pytest.mark.slow
def test_what_a_page_shows_is_what_the_functions_give(tmp_path):
    frame = REFERENCE
    _, text = make(tmp_path, frame, "--rope", "0.01")
    pairs = bp.pairwise(frame, 0.01)
    table = re.search(
        '<table class="sortable" id="metric-1-pairwise">.*?</table>', text, re.S
    )
    rows = re.findall("<tr>(.*?)</tr>", table[0])[1:]
    found = [
        re.findall(r'<t[hd][^>]*?(?: data-v="([^"]*)")?>([^<]*)<', row) for row in rows
    ]
    assert [[cell[1] for cell in row[:2]] for row in found] == pairs[
        ["method_1", "method_2"]
    ].to_numpy().tolist()
    for head in ("wins", "mean_diff", "p_value", "p_adjusted"):
        at = list(pairs.drop(columns="metric")).index(head)
        shown = [float(row[at][0] or row[at][1]) for row in found]
        np.testing.assert_allclose(shown, pairs[head], rtol=1e-11)


@pytest.mark.slow
def test_a_table_without_mean_ranks(tmp_path):
    status, text = make(tmp_path, SPARSE)
    assert status == 0
    assert "No diagram: there are no mean ranks" in text
    assert "No critical difference" in text
    Reader(text)


@pytest.mark.parametrize(
    ("name", "what"),
    [("a.txt", "must end in .html or .htm"), ("nowhere/a.html", "there is no folder")],
)
def test_a_page_that_could_not_be_saved(tmp_path, capsys, name, what):
    (tmp_path / "scores.csv").write_text(REFERENCE.to_csv(index=False))
    assert main([str(tmp_path / "scores.csv"), "--html", str(tmp_path / name)]) == 2
    assert what in capsys.readouterr().err


@pytest.mark.slow
def test_five_metrics_of_twenty_methods_stay_small(tmp_path):
    pytest.importorskip("matplotlib")
    rng = np.random.default_rng(0)
    methods = [f"classifier number {at:02}" for at in range(20)]
    metrics = ["accuracy", "f1", "roc_auc", "log_loss", "mse"]
    scores = {name: rng.uniform(size=60) for name in methods}
    frame = pd.concat([long(scores, metric) for metric in metrics])
    status, text = make(tmp_path, frame)
    assert status == 0
    assert len(text.encode()) < 3_000_000
    assert len(Reader(text).all("img")) == 5
    assert text.count("(190 rows)</summary>") == 10


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1e-300, "< .001"),
        (np.nextafter(0.001, 0), "< .001"),
        (0.001, ".001"),
        (0.05, ".050"),
        (0.999, ".999"),
        (np.nextafter(0.999, 1), "> .999"),
        (np.nextafter(1, 0), "> .999"),
        (1.0, "1"),
    ],
)
def test_probabilities_are_never_0_or_1_by_rounding(value, text):
    assert write_share(value) == text


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([12.3456, -1.0, None], ["12.35", "\u22121.00", "n/a"]),
        ([0.98765, 0.5], ["0.9877", "0.5000"]),
        ([1.0, 0.25], ["1.000", "0.250"]),
        ([123456.0, 7.25], ["123456", "7"]),
        ([np.inf, -np.inf, 2.5], ["∞", "\u2212∞", "2.500"]),
        ([0.0, -0.0, np.inf], ["0", "0", "∞"]),
        ([-1e-9, 0.5], ["0.0000", "0.5000"]),
        ([1e-9, 0.0], ["1.000e-09", "0"]),
        ([None], ["n/a"]),
    ],
)
def test_numbers_of_a_column_have_decimals_in_common(values, texts):
    assert write_floats(values) == texts


def test_labels_that_are_numbers_are_no_numbers():
    column = write_column("method", pd.Series([10, 9]))
    assert (column.is_number, column.texts) == (False, ["10", "9"])
    column = write_column("mean_rank", pd.Series([2.5, float("nan")]))
    assert (column.is_number, column.keys) == (True, ["2.5", ""])
    column = write_column("friedman_p_value", pd.Series([1e-9, 0.5]))
    assert column.texts == ["< .001", ".500"]
    column = write_column("share_better", pd.Series([0.25, float("nan")]))
    assert column.texts == ["0.250", "n/a"]
    assert write_column("significant", pd.Series([True, False])).texts == ["yes", "no"]


@pytest.mark.parametrize(("n_rows", "most"), [(1000, 1000), (1001, 1000)])
def test_a_long_table_says_that_it_is_cut(n_rows, most):
    frame = pd.DataFrame({"method": [f"m{at}" for at in range(n_rows)], "wins": 1})
    text = "".join(write_frame(frame, "Pairs", "pairs"))
    assert text.count('<th scope="row">') == most
    assert ("The first 1,000 of 1,001 rows" in text) == (n_rows > most)
