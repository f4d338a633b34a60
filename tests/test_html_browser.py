"""
The page in a real browser: nothing in its console, pictures seen, tables sorted by a click.

The page stands as it is, its policy too, in frames of a phone's and of a screen's width; a
script beside the frames clicks, measures and writes down what it found.
"""

import json
import os
import re
import shutil
import subprocess
import warnings

import pandas as pd
import pytest

from beam_pandas.terminal.command import main
from tests.tables import HOLE, REFERENCE, TIES

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER = os.environ.get("BEAM_BROWSER") or next(
    filter(None, map(shutil.which, BROWSERS)), ""
)
WIDTHS = (400, 1400)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.skipif(
        not BROWSER,
        reason="THE PAGE WAS NOT OPENED: no chromium here, and BEAM_BROWSER names no browser",
    ),
]

PROBE = """
function look(frame) {
  const page = frame.contentDocument, found = {};
  found.width = frame.contentWindow.innerWidth;
  found.wide = page.documentElement.scrollWidth;
  found.images = Array.from(page.images).map(function (image) {
    const box = image.getBoundingClientRect();
    return [image.complete, image.naturalWidth, box.width, box.height];
  });
  const table = page.querySelector("#metric-1-board");
  const heads = Array.from(table.tHead.rows[0].cells);
  const at = heads.findIndex(function (head) { return head.textContent === "mean_rank"; });
  function read(column) {
    return Array.from(table.tBodies[0].rows).map(function (row) {
      return row.cells[column].textContent;
    });
  }
  function click(column) { heads[column].querySelector("button").click(); }
  found.before = read(at);
  click(at);
  found.up = [read(at), heads[at].getAttribute("aria-sort")];
  click(at);
  found.down = [read(at), read(0), heads[at].getAttribute("aria-sort")];
  click(0);
  found.names = [read(0), heads[at].getAttribute("aria-sort")];
  const button = heads[at].querySelector("button");
  button.focus();
  found.focused = page.activeElement === button;
  found.buttons = page.querySelectorAll("th[scope=col] > button").length;
  found.heads = page.querySelectorAll("th[scope=col]").length;
  found.scripts = page.scripts.length;
  const box = page.querySelector("h1").getBoundingClientRect();
  found.heading = [box.left, box.right];
  return found;
}
window.addEventListener("load", function () {
  const found = Array.from(document.querySelectorAll("iframe")).map(look);
  document.getElementById("found").textContent = JSON.stringify(found);
});
"""


def open_in_browser(text, folder, widths=WIDTHS):
    """Open a page in frames of some widths: what the probe found, and the console."""
    content = json.dumps(text).replace("<", "\\u003c")
    made = "".join(
        f"""
        frame = document.createElement("iframe");
        frame.width = {width}; frame.height = 900; frame.style.border = "0";
        frame.srcdoc = page;
        document.body.appendChild(frame);"""
        for width in widths
    )
    around = folder / "around.html"
    around.write_text(
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>frames</title><body>'
        f'<pre id="found"></pre><script>{PROBE}\nlet frame; const page = {content};{made}'
        "</script></body></html>",
        encoding="utf-8",
    )
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += [
        "--disable-dev-shm-usage",
        "--enable-logging=stderr",
        "--window-size=1500,950",
    ]
    command += [f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=20000"]
    done = subprocess.run(
        [*command, around.as_uri()],
        capture_output=True,
        encoding="utf-8",
        timeout=240,
        check=True,
    )
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    found = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.DOTALL)[1]
    return json.loads(found.replace("&lt;", "<").replace("&gt;", ">")), console


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    pytest.importorskip("matplotlib")
    folder = tmp_path_factory.mktemp("page")
    frame = pd.concat([HOLE, REFERENCE.assign(metric="f1"), TIES.assign(metric="roc_auc")])
    frame = frame.replace({"method": {"A": "<script>boom()</script>", "B": "b" * 60}})
    frame.to_csv(folder / "scores.csv", index=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = folder / "report.html"
        assert main([str(folder / "scores.csv"), "--html", str(path)]) == 0
    return open_in_browser(path.read_text(encoding="utf-8"), folder)


def test_nothing_stands_in_the_console(opened):
    assert opened[1] == []


def test_an_error_would_stand_in_the_console(tmp_path):
    table = "<table id=metric-1-board><thead><tr><th>mean_rank<button></button></th></tr>"
    text = f"<h1>x</h1>{table}</thead><tbody></tbody></table><script>boom()</script>"
    console = open_in_browser(text, tmp_path, [400])[1]
    assert len(console) == 1
    assert "boom is not defined" in console[0]


@pytest.mark.parametrize("at", range(len(WIDTHS)), ids=WIDTHS)
def test_the_page_is_as_wide_as_the_window_and_no_wider(opened, at):
    found = opened[0][at]
    assert found["width"] == WIDTHS[at]
    assert found["wide"] <= found["width"]
    assert 0 <= found["heading"][0] < found["heading"][1] <= found["width"]


@pytest.mark.parametrize("at", range(len(WIDTHS)), ids=WIDTHS)
def test_every_picture_is_seen(opened, at):
    images = opened[0][at]["images"]
    assert len(images) == 3
    for complete, natural, width, height in images:
        assert complete
        assert min(natural, width, height) > 50


@pytest.mark.parametrize("at", range(len(WIDTHS)), ids=WIDTHS)
def test_a_click_sorts_and_says_so(opened, at):
    found = opened[0][at]
    assert found["up"] == [sorted(found["before"], key=float), "ascending"]
    assert found["down"][0] == found["up"][0][::-1]
    assert found["down"][2] == "descending"
    assert found["down"][1] != found["names"][0]
    assert found["names"] == [sorted(found["names"][0], key=str.lower), None]
    assert found["focused"]
    assert found["buttons"] == found["heads"] > 20
    assert found["scripts"] == 1
