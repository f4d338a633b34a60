"""The gate for continuous integration, and the comparison with a control."""

import json
import re
import shlex
from pathlib import Path

import pandas as pd
import pytest

import beam_pandas as bp
from beam_pandas.terminal.command import main
from beam_pandas.terminal.gate import judge
from tests.tables import REFERENCE, SPLIT, long

DOCS = Path(__file__).parent.parent / "docs" / "continuous_integration.md"

#: "old" is better than "new" on nine of ten datasets; "same" is close to "old".
SCORES = long(
    {
        "old": [0.8] * 10,
        "new": [0.7] * 9 + [0.9],
        "same": [0.8] * 10,
        "unsure": [0.9, 0.7] * 5,
        "better": [0.95] * 10,
    },
    "accuracy",
)


@pytest.fixture
def gate(tmp_path, capsys):
    def call(frame, *options):
        path = tmp_path / "scores.csv"
        frame.to_csv(path, index=False)
        status = main([str(path), "--control", "old", *options])
        return status, *capsys.readouterr()

    return call


@pytest.mark.parametrize(
    ("candidate", "decision", "worse", "undecided"),
    [
        ("new", "worse", 1, 1),
        ("same", "equivalent", 0, 0),
        ("unsure", "undecided", 0, 1),
        ("better", "better", 0, 0),
    ],
)
def test_the_gate_shuts_as_the_posterior_says(gate, candidate, decision, worse, undecided):
    options = ["--candidate", candidate, "--rope", "0.01"]
    status, out, err = gate(SCORES, *options)
    assert (status, err) == (0, "")
    assert f"\nGate: {candidate} against old on 10 datasets: {decision} (at 0.95)\n" in out
    assert gate(SCORES, *options, "--fail-on", "worse")[0] == worse
    status, out, _ = gate(SCORES, *options, "--fail-on", "undecided")
    assert status == undecided
    assert ("  this fails\n" in out) == bool(undecided)


def test_the_probabilities_are_those_of_the_posterior(gate):
    out = gate(SCORES, "--candidate", "new", "--rope", "0.01", "--json")[1]
    verdict = json.loads(out)["metrics"][0]["gate"]
    row = bp.bayesian_sign(SCORES, 0.01, control="old").set_index("method_1").loc["new"]
    assert row["method_2"] == "old"
    for region in ("better", "equivalent", "worse"):
        assert verdict[f"prob_{region}"] == row[f"prob_{region}"]
    assert verdict["decision"] == row["decision"]


def test_a_probability_equal_to_the_threshold_decides(gate):
    row = bp.bayesian_sign(SCORES, 0.01, control="old").set_index("method_1").loc["new"]
    reached = float(row["prob_worse"])
    options = ["--candidate", "new", "--rope", "0.01", "--fail-on", "worse", "--threshold"]
    assert gate(SCORES, *options, repr(reached))[0] == 1
    assert gate(SCORES, *options, repr(reached + 1e-9))[0] == 0


def test_either_order_of_the_labels_gives_the_same_verdict():
    swapped = SCORES.replace({"method": {"old": "a", "new": "b"}})
    posterior = bp.bayesian_sign(SCORES, 0.01)
    mirrored = bp.bayesian_sign(swapped, 0.01)
    one = judge(posterior, "new", "old", "worse")
    other = judge(mirrored, "b", "a", "worse")
    assert one[2:] == pytest.approx(other[2:])
    back = judge(posterior, "old", "new", "worse")
    assert (back.prob_better, back.decision, back.fails) == (
        one.prob_worse,
        "better",
        False,
    )


def test_one_metric_of_several_is_enough(gate):
    frame = pd.concat([SCORES, SCORES.assign(metric="f1", score=0.5)])
    options = ["--candidate", "new", "--rope", "0.01", "--fail-on", "worse"]
    assert gate(frame, *options)[0] == 1
    assert gate(frame, *options, "--metric", "f1")[0] == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--candidate", "nwe"], "--candidate must be one of the methods"),
        (["--candidate", "nwe"], "similar: 'new'"),
        (["--candidate", "old"], "--candidate and --control must differ"),
        (["--fail-on", "worse"], "--fail-on needs --candidate NEW and --control OLD"),
        (["--candidate", "new", "--fail-on", "never"], "invalid choice: 'never'"),
    ],
)
def test_a_gate_that_cannot_be_asked_ends_with_2(gate, options, said):
    status, out, err = gate(SCORES, *options)
    assert (status, out) == (2, "")
    assert said in err


def test_a_gate_without_a_control(capsys):
    assert main(["--candidate", "SVC"]) == 2
    assert "--candidate needs --control OLD" in capsys.readouterr().err


def test_what_shares_no_dataset_does_not_pass(gate):
    frame = SPLIT.replace({"method": {"A": "old", "C": "new"}})
    status, _, err = gate(frame, "--candidate", "new", "--fail-on", "worse")
    assert status == 2
    assert (
        "--candidate and --control must share a dataset, found none of 'new', 'old'" in err
    )
    other = frame.assign(metric="f1")
    both = pd.concat([SCORES, other])
    status, out, err = gate(
        both, "--candidate", "new", "--fail-on", "worse", "--rope", "0.01"
    )
    assert status == 2  # though accuracy alone would be 1
    assert "f1: no report" in out


def test_pairs_with_a_control_stand_from_the_side_of_the_other(gate):
    out = gate(SCORES, "--rope", "0.01")[1]
    table = out[out.index("Against old: ") :].splitlines()
    rows = [line.split() for line in table if line.startswith("  ")]
    assert rows[0] == ["method", "won", "tied", "lost", "p", "posterior"]
    assert ["new", "1", "0", "9", "0.0645", "worse"] in rows
    assert ["better", "10", "0", "0", "0.00781", "better"] in rows
    assert "Of 4 pairs with a shared dataset are decided" in out


def test_a_control_whose_label_is_a_number(tmp_path, capsys):
    path = tmp_path / "a.json"
    numbers = REFERENCE["method"].map({"A": 1, "B": 2, "C": 3})
    REFERENCE.assign(method=numbers).to_json(path, orient="records")
    assert (
        main([str(path), "--control", "1", "--candidate", "3", "--fail-on", "worse"]) == 0
    )
    assert "Gate: 3 against 1 on 6 datasets: better" in capsys.readouterr().out


def test_the_worked_gate_of_the_docs(tmp_path, monkeypatch, capsys):
    text = DOCS.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    files = [body for kind, body in blocks if kind == "csv"]
    Path("scores.csv").write_text(files[0], encoding="utf-8")
    commands = [body for kind, body in blocks if kind == "bash"]
    outputs = [body for kind, body in blocks if kind == "text"]
    statuses = [int(number) for number in re.findall(r"ends with (\d)", text)]
    ran = 0
    for body in commands:
        for line in body.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] != ["beam-pandas"]:
                continue
            assert main(words[1:]) == statuses[ran], line
            out = capsys.readouterr().out
            if ran < len(outputs):
                assert outputs[ran] in out
            ran += 1
    assert ran == len(statuses) >= 3
