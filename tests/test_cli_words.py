"""What the terminal shows of labels, orders and advice."""

import itertools
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import beam_pandas as bp
from beam_pandas.terminal.advice import advise
from beam_pandas.terminal.asked import split_names
from beam_pandas.terminal.command import main
from beam_pandas.terminal.cycles import find_cycle
from beam_pandas.terminal.labels import printable, shorten_names, show_label
from tests.tables import CYCLE, DEMSAR_RANKED, REFERENCE, long

#: A beats B beats C beats D beats A, and the two other pairs are even.
FOUR = long(
    {"A": [4, 1, 2, 3], "B": [3, 2, 1, 4], "C": [2, 4, 3, 1], "D": [1, 3, 4, 2]}, "elo"
)
FOUR = FOUR.assign(score=[4, 2, 3, 1, 3, 1, 2, 4, 2, 4, 1, 3, 1, 3, 4, 2])


@pytest.fixture
def shown(tmp_path, capsys):
    def call(frame, *options):
        path = tmp_path / "scores.csv"
        frame.to_csv(path, index=False)
        assert main([str(path), *options]) == 0
        return capsys.readouterr()

    return call


@given(
    st.lists(st.text(alphabet="ab#.1\x1b\u202e ", max_size=40), unique=True, max_size=12),
    st.integers(12, 24),
)
def test_names_are_cut_to_a_width_and_never_the_same(names, width):
    short = shorten_names(names, width)
    assert len(set(short)) == len({show_label(name) for name in names})
    assert max(map(len, short), default=0) <= width
    assert all(text.isprintable() for text in short)
    whole = [show_label(name) for name in names]
    assert all(a == b or len(b) > width for a, b in zip(short, whole, strict=True))


def test_names_are_cut_in_the_middle():
    names = [f"openrlbenchmark/envpool-atari/ppo_{kind}" for kind in ("a", "b", "c" * 30)]
    assert shorten_names(names, 20) == [
        "openrlben...ri/ppo_a",
        "openrlben...ri/ppo_b",
        "openrlben...cccccccc",
    ]
    middle = [f"{'x' * 30}{kind}{'y' * 30}" for kind in "ab"]
    assert shorten_names(middle, 20) == ["xxxx...ayyyyyyyyy...", "xxxx...byyyyyyyyy..."]
    assert (
        len(set(shorten_names([f"{'x' * 30}{at}{'y' * 30}" * 3 for at in "ab"], 12))) == 2
    )


@pytest.mark.parametrize(
    "label", ["x\x1b]0;title\x07", "a\u202eb", "two\nlines", "a\tb", "\x9b2J"]
)
def test_signs_that_do_not_print_are_shown_by_repr(shown, label):
    out, err = shown(REFERENCE.replace({"method": {"A": label}}))
    assert repr(label) in out
    assert all(line.isprintable() for line in [*out.splitlines(), *err.splitlines()])
    assert printable(label).isprintable()


def test_ties_alone_do_not_forbid_an_order(shown):
    frame = long({"A": [2, 3], "B": [2, 3], "C": [1, 1]}, "elo")
    out = shown(frame).out
    assert (
        "No majority contradicts the others, but not every pair has one:\n  1 tied" in out
    )
    assert "No one order" not in out


def test_a_cycle_through_ties_is_named(shown):
    out = shown(FOUR).out
    row = bp.transitivity(FOUR).iloc[0]
    assert (row["n_circular_triads"], row["has_cycle"]) == (0, True)
    assert "No one order agrees with all majorities:\n  a cycle of 4 methods, 2 tied" in out
    beaten = re.search(r"\n  (\w( beats \w){4})\n", out)[1].split(" beats ")
    pairs = FOUR.beam.pairwise().set_index(["method_1", "method_2"])
    for one, other in itertools.pairwise(beaten):
        row = pairs.loc[tuple(sorted([one, other]))]
        assert (row["wins"] > row["losses"]) == (one < other)
    assert "A beats B beats C beats A" in shown(CYCLE, "--control", "A").out


@given(st.integers(1, 7), st.integers(0, 2**32 - 1))
def test_a_cycle_is_found_where_there_is_one(k, seed):
    sign = np.random.default_rng(seed).integers(-1, 2, (k, k))
    first, second = np.triu_indices(k, 1)
    pairs = pd.DataFrame(
        {
            "method_1": first,
            "method_2": second,
            "wins": (sign[first, second] > 0).astype(int),
            "losses": (sign[first, second] < 0).astype(int),
        }
    )
    beats = np.zeros((k, k), dtype=bool)
    beats[first, second], beats[second, first] = pairs["wins"] > 0, pairs["losses"] > 0
    power, closed = beats.copy(), beats.copy()
    for _ in range(k):
        power = power @ beats
        closed |= power
    cycle = find_cycle(pairs)
    assert bool(cycle) == bool(closed.diagonal().any())
    assert len(set(cycle)) == len(cycle)
    assert all(beats[a, b] for a, b in itertools.pairwise([*cycle, *cycle[:1]]))


def test_friedman_and_the_pairs_may_disagree_either_way(shown):
    sure = long({"A": [1, 1, 1, 1, 1], "B": [2, 2, 2, 2, 2]}, "elo")
    assert "That can be" not in shown(sure).out
    together = "but no two methods are further apart than the critical difference. That can"
    assert together in " ".join(shown(DEMSAR_RANKED).out.split())
    apart = long(
        {
            "A": [2, 2, 2, 2, 1],
            "B": [0, 0, 0, 0, 2],
            "C": [3, 3, 3, 1, 3],
            "D": [0, 3, 0, 1, 2],
        },
        "elo",
    )
    said = "though Friedman's test finds no difference (p 0.0567). That can be"
    assert said in " ".join(shown(apart).out.split())


def test_opponents_stand_beside_a_standing(shown):
    frame = long({"A": [1, 2, None], "B": [2, 1, None], "C": [None, 3, None]}, "elo")
    out = shown(frame).out
    rows = out[out.index("standing  opponents") :].splitlines()[1:4]
    assert {row.split()[0]: row.split()[2] for row in rows} == {
        "A": "2",
        "B": "2",
        "C": "2",
    }


def test_names_are_parted_by_commas_but_for_those_in_quotes():
    assert split_names(["A,B", '"C, D"']) == ("A", "B", "C, D")
    assert split_names(None) is None


@pytest.mark.parametrize(
    ("python", "terminal"),
    [
        (
            "a: df.rename(columns={'fold': 'run'}) and uneven_runs='shared'; b",
            "a: --run fold",
        ),
        ("found 'df.x'; df.dropna()", "found 'df.x'"),
        ("x; see beam_pandas.metrics()", "x"),
        ("plain: nothing to say", "plain: nothing to say"),
        ("is 'a=1' one; missing='worst' ranks", "is 'a=1' one; --missing worst ranks"),
        ("odd \x00 sign", "odd \\x00 sign"),
    ],
)
def test_advice_is_that_of_a_terminal(python, terminal):
    assert advise(python).startswith(terminal)


_MESSAGES = re.compile(
    r"df\.[a-z]|df\[|beam_pandas\.[a-z]|\bpd\.|higher_is_better=|\.str\."
)


def awkward_frames():
    """Frames that are refused or doubted, a kind each."""
    ones = REFERENCE.assign(metric="accuracy", score=REFERENCE["score"] / 10)
    again = pd.concat([REFERENCE, REFERENCE])
    yield "no direction", REFERENCE.drop(columns="metric")
    yield "unknown metric", pd.concat([REFERENCE, REFERENCE.assign(metric="it's zeal")])
    yield "spread", pd.concat([REFERENCE, REFERENCE.assign(metric="elo_std")])
    yield "repeated", again
    yield "runs under another name", again.assign(fold=[0] * 18 + [1] * 18).iloc[:-1]
    yield "metric under another name", REFERENCE.rename(columns={"metric": "measure"})
    yield "nearly alike", REFERENCE.replace({"method": {"A": "b"}})
    yield "a summary", pd.concat([ones, ones[:3].assign(dataset="average")])
    yield "a summary of methods", REFERENCE.replace({"method": {"A": "average"}})
    yield (
        "replicates",
        REFERENCE.assign(dataset=[f"d{n % 3}_rep{n % 6 // 3}" for n in range(18)]),
    )
    yield "above 100", ones.assign(score=[663.0, *range(50, 67)])
    yield "two scales", ones.assign(score=[0.5, *range(50, 67)])
    yield "negated", REFERENCE.assign(metric="mse", score=-REFERENCE["score"])
    yield "infinite", REFERENCE.assign(score=float("inf"))
    yield "no scores", pd.concat([ones, REFERENCE.assign(score=float("nan"))])
    yield "one method", REFERENCE[:6]
    yield "a metric a dataset", REFERENCE.assign(metric=["elo", "f1", "mse"] * 6)
    yield "apart", ones.assign(score=[1e6] * 6 + [0.5] * 12)
    yield "names", REFERENCE.rename(columns={"method": "model", "dataset": "task"})
    yield "no names", REFERENCE.rename(columns={"method": "foo", "dataset": "bar"})
    yield (
        "wide",
        REFERENCE.pivot(index="dataset", columns="method", values="score").reset_index(),
    )


@pytest.mark.parametrize(
    ("kind", "frame"), [pytest.param(*c, id=c[0]) for c in awkward_frames()]
)
@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--missing", "raise", "--rope", "noise_floor"]])
def test_no_message_speaks_python(tmp_path, capsys, kind, frame, options):
    path = tmp_path / "scores.csv"
    frame.to_csv(path, index=False)
    status = main([str(path), *options])
    out, err = capsys.readouterr()
    assert status in (0, 2)
    assert not _MESSAGES.search(out + err.replace(str(path), "")), err
    for line in err.splitlines():
        if line.startswith("beam_pandas: "):
            assert line.startswith(f"beam_pandas: {path}: ")


def test_the_docs_name_every_option():
    page = Path(__file__).parent.parent / "docs" / "continuous_integration.md"
    text = page.read_text(encoding="utf-8")
    for option in ("--candidate", "--control", "--fail-on", "--threshold", "--json"):
        assert option in text
