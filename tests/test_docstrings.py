"""
What the docstrings of public functions have in common, and where one may differ.

The documentation of a shared parameter stays in each docstring, where it is read; it is the
same text wherever the parameter stands, in one of the variants of the table below.
"""

import inspect
import re
from collections import defaultdict

import pytest

import beam_pandas as bp
from tests.surface import DOCUMENTED

PUBLIC = {
    name: getattr(bp, name) for name in bp.__all__ if inspect.isfunction(getattr(bp, name))
}
PICTURES = {
    name: getattr(bp.plot, name)
    for name in dir(bp.plot)
    if inspect.isfunction(getattr(bp.plot, name))
}
NEEDED = ("Returns", "Raises", "See Also", "Examples")
#: Which of these a function lacks, and may.
LACKING = {
    "load_benchmark": {"Raises"},
    "metrics": {"Raises"},
    "register_metric": {"See Also"},
}
#: As numpydoc orders them.
SECTIONS = ["Summary", "Parameters", "Returns", "Raises", "Warns", "See Also", "Notes"]
SECTIONS += ["References", "Examples"]

#: THE table: every text that a parameter of two functions or more may have. Lines may be
#: broken elsewhere in a docstring; all else is the same.
SHARED = """
frame : DataFrame
    Scores: columns `method`, `dataset`, `score` and optionally `metric`.
frame : DataFrame
    Scores: columns `method`, `dataset`, `score` and optionally `metric` and `run`.
frame : DataFrame
    Scores: columns `method`, `dataset`, `run`, `score` and optionally `metric`. Runs of
    two methods are paired by their label in the column `run`.
higher_is_better : bool or mapping from metric to bool, optional
    Direction of the metrics; those not told are looked up in the registry.
higher_is_better : bool or mapping from metric to bool, optional
    Direction of the metrics; those not told are looked up in the registry. Pass True to
    count larger scores as better, whatever the metric.
higher_is_better : bool or mapping from metric to bool, optional
    Direction of the metrics; those not told are looked up in the registry. Only
    ``aggregate="best"`` asks for it.
aggregate : {"mean", "median", "min", "max", "best"}, optional
    How to combine several runs of one method, dataset and metric; ``"best"`` is the
    better of them by direction. By default several scores are an error.
uneven_runs : {"raise", "ignore", "shared"}, default "raise"
    With `aggregate`, where methods have different runs on a dataset: an error, or
    combine what is there, or keep the runs that all methods with a score there have, by
    the column `run`.
uneven_runs : {"raise", "ignore", "shared"}, default "raise"
    Where methods have different runs on a dataset: an error, or take what is there, or
    keep the runs that all methods with a score there have, by the column `run`.
uneven_runs : {"raise", "shared"}, default "raise"
    Where methods have different runs on a dataset: an error, or compare each pair on
    the runs that both have.
errors : {"raise", "warn"}, default "raise"
    Whether metrics that their own data do not allow to analyse are an error, or are
    left out with a `BeamWarning` that names them.
kind : {"mean", "median", "iqm", "optimality_gap"}, default "mean"
    Mean or median of the means on the datasets; the interquartile mean, that of all
    scores without the int(n / 4) smallest and largest of them; or the mean shortfall
    from `gamma`. The last two mix scores of all datasets: if nothing says that these
    share a scale, they are refused unless `normalize` gives them one.
kind : {"score", "ratio"}, default "score"
    Whether scores have to reach the threshold (score distributions), or costs have to
    be within that factor of the least of any method and run on the dataset (performance
    profiles of Dolan and Moré; costs are positive and less is better).
kind : {"frequency", "posterior"}, default "frequency"
    Whether to average the shares of datasets of `pairwise`, or the probabilities of
    `bayesian_sign`.
resample : {"datasets", "runs", "both"}, default "datasets"
    What is drawn with replacement for the interval: datasets, with the runs they have
    (all ways to draw them, if there are up to seven); runs within each dataset, which
    answers what other runs on these datasets would give; or datasets and then runs.
resample : {"runs", "datasets", "both"}, default "runs"
    What is drawn with replacement for the interval: runs of each method within each
    dataset (the stratified bootstrap), which answers what other runs on these datasets
    would give; datasets, with the runs they have, which answers what other datasets
    would; or datasets and then runs.
confidence_level : float, default 0.95
    Level of the intervals.
confidence_level : float, default 0.95
    Level of the interval.
confidence_level : float or None, default 0.95
    Level of the interval, at least. None leaves out the estimate and the interval,
    whose columns are then NaN: several times faster for many methods.
n_resamples : int, default 2000
    Number of bootstrap draws.
n_resamples : int, default 1000
    Number of bootstrap draws; 0 leaves out the intervals.
n_resamples : int, default 10000
    Number of bootstrap draws.
rng : int, Generator or None, default 0
    Seed of the draws. The stream starts anew for each metric and group; a generator is
    copied; None takes another seed each time.
missing : {"raise", "drop_datasets", "drop_methods", "largest_block"}, default "raise"
    What to do if a method has no score on a dataset: an error, or drop the datasets or
    the methods concerned, or keep the complete block with the most scores.
missing : {"available", "worst"}, default "available"
    Whether a pair is compared on the datasets that both have, or a missing score of a
    dataset that anybody scored is worse than every score by more than any rope and ties
    with another missing one.
missing : {"raise", "drop_datasets", "drop_methods", "largest_block", "worst"}
    What to do if a method lacks a dataset: an error (default), leave out such datasets
    or such methods, keep the complete block with the most scores, or rank a missing
    score last, as a tie with other missing ones.
missing : {"raise", "drop_datasets", "drop_methods", "largest_block", "worst"}
    What to do if a method lacks a dataset: an error (default), leave out such datasets
    or such methods, keep the complete block with the most scores, or rank a missing
    score last, as a tie with other missing ones. Only for mean ranks: the other tests
    take what is there.
missing : {"available", "raise", "drop_datasets", "drop_methods", "largest_block", ...}
    What to do if a method lacks a dataset: take each mean over the datasets that the
    method has, ranks among the methods present and a pair on the datasets that both
    have (default); an error; leave out such datasets or such methods; keep the complete
    block with the most scores; or, ``"worst"``, let a missing score be worse than every
    score by more than any rope and tie with another missing one (means of scores and
    gaps are over what is there; not with ``test="wilcoxon"``).
missing : {"raise", "drop_datasets", "drop_methods", "largest_block", "worst", ...}
    What to do if a method lacks a dataset: an error (default), leave out such datasets
    or such methods, keep the complete block with the most scores, or rank a missing
    score last, as a tie with other missing ones. ``"available"`` ranks the methods
    present on each dataset and takes means over the datasets that a method has; a rank
    among few is not the same as one among many.
rope : float, text, or mapping from metric to either
    Half-width of the region of practical equivalence, in the unit of the score. A text
    is ``"noise_floor"`` (of the registry, where few metrics have one: see `metrics`), a
    share of the larger score such as ``"2%"``, or the name of a column with a number
    for each score, of which for a pair the larger holds. It has no default, since
    without a rope nothing is ever equivalent.
rope : float, text, or mapping from metric to either, default 0.0
    Differences up to it, in the unit of the score, are ties. A text is
    ``"noise_floor"`` (of the registry, where few metrics have one: see `metrics`), a
    share of the larger score such as ``"2%"``, or the name of a column with a number
    for each score, of which for a pair the larger holds.
rope : float, mapping from metric to float, "noise_floor", "2%" or name of a column
    Half-width of the region of practical equivalence, in the unit of the score.
    ``"noise_floor"`` takes it from the registry, where few metrics have one: see
    `metrics`. A text that ends in % is relative to the larger of the two mean absolute
    scores; of a column of the frame, over runs its mean, the larger of both methods
    counts.
rope : float, "noise_floor", or mapping from metric to either
    Half-width of the region of practical equivalence, in the unit of the score, one for
    all datasets. ``"noise_floor"`` takes it from the registry, where few metrics have
    one: see `metrics`. It has no default, since without a rope nothing is ever
    equivalent.
test_share : float
    Share of the data of a dataset that a run is tested on, from 0 to below 1. It must be
    given: 1 / k for k folds, repeated or not (0.1 for ten folds, ten times ten folds
    too), the share held out for a repeated hold-out, and 0 for runs that are independent,
    such as seeds on a given split.
prior : {"rope", "uniform", "neutral"}, default "rope"
    Where the pseudo-datasets of the prior are: all within the rope, a third in each
    region, or half on either side of the rope.
prior : {"rope", "uniform", "neutral"}, optional
    Where the prior of the posterior is, see `bayesian_sign`, of which it has the
    default; only with ``kind="posterior"``.
prior_strength : float, default 1.0
    Number of pseudo-datasets, from 0 to 1e9.
prior_strength : float, optional
    Wins added in both directions to each pair that met. They pull strengths together
    and make them finite where the data do not; by default there are none.
prior_strength : float, optional
    Number of its pseudo-datasets, likewise.
threshold : float, default 0.95
    Probability from which a pair is decided, above 0.5 and at most 1.
control : label, optional
    Only the pairs with this method.
control : label
    The method to compare with.
control : label, optional
    Only the pairs with this method; the adjustment is for these.
alpha : float, default 0.05
    Probability of any false difference, if there is none at all.
alpha : float, default 0.05
    Significance level of the adjusted p-values.
alpha : float, default 0.05
    Significance level of each dataset by itself.
alpha : float, default 0.05
    Level of the two-sided test of one pair, not adjusted for their number.
alpha : float, default 0.05
    Significance level of all pairs together.
test : {"mean_rank", "sign", "wilcoxon"}, default "mean_rank"
    What is compared: mean ranks on the complete table; or, on the datasets that the
    method and the control share, wins and losses by the exact sign test, or the ranks
    of the sizes of the differences by Wilcoxon's signed-rank test, equal scores
    dropped.
test : {"sign", "wilcoxon", "nemenyi"}, default "sign"
    Whose verdicts the groups show: those of `pairwise`, of `wilcoxon` or of `nemenyi`.
    The last needs complete scores and has its adjustment in it; the last two know no
    rope.
adjust : {"holm", "hochberg", "hommel", "bonferroni", "fdr_bh", "none"}, default "holm"
    Adjustment for the k - 1 comparisons of a metric. ``"bonferroni"`` gives the
    Bonferroni-Dunn test; the step methods have more power but no single critical
    difference.
adjust : {"holm", "hochberg", "hommel", "bonferroni", "fdr_bh", "none"}, default "holm"
    Adjustment for the number of pairs of a dataset and metric; pairs with fewer than
    two runs do not count.
adjust : {"holm", "hochberg", "hommel", "bonferroni", "fdr_bh", "none"}, default "holm"
    Adjustment for the number of pairs of a metric; pairs without a shared dataset do
    not count.
adjust : {"holm", "hochberg", "hommel", "bonferroni", "fdr_bh", "none", "shaffer", "bergmann_hommel"}, default "holm"
    Adjustment for the number of pairs of a metric. ``"shaffer"`` and
    ``"bergmann_hommel"``, this to 12 methods, use that equality of mean ranks is
    transitive: of three pairs not just two can be equal. They find more than ``"holm"``
    at the same error rate, for all pairs and two-sided tests alone.
alternative : {"two-sided", "greater", "less"}, default "two-sided"
    What the test looks for: any difference, that the method is better than the control,
    or that it is worse.
alternative : {"two-sided", "greater", "less"}, default "two-sided"
    What the test looks for: any difference, that method_1 is better, or that it is
    worse.
tie_correction : bool, default True
    Whether to correct for ties; False gives the form printed by Demšar, which is
    conservative with ties.
tie_correction : bool, default True
    Whether the variance takes account of ties. False is the published form; with True a
    complete table gives Friedman's chi-square corrected for ties.
exact : bool, default False
    Whether to compute `exact_p_value` too: the law over all ways to deal the ranks at
    hand. It goes to 500 datasets with three methods, 99 with four, 26 with five, 10
    with six; to about two thirds of that where there are ties. An error says how far.
exact : bool, default False
    Whether p-values come from the exact law of the difference of two rank sums, ties
    and all, in place of the normal law; `statistic` stays the same.
cluster : str, optional
    Name of a column that says which family each dataset belongs to, the same for all
    rows of a dataset. By default every dataset is a family of its own.
power : float, default 0.8
    Probability with which `smallest_detectable` is found.
power : float, default 0.8
    Probability that the method which is better more often is found to be so.
"""


def read_sections(function):
    """Split a docstring at its headings."""
    found, heading = defaultdict(list), "Summary"
    lines = inspect.getdoc(function).splitlines()
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if after and set(after) == {"-"} and len(after) == len(line):
            heading = line
            found[heading] = []
        elif not (line and set(line) == {"-"}):
            found[heading].append(line)
    return {heading: "\n".join(lines).strip() for heading, lines in found.items()}


def read_entries(section):
    """List the entries of a section: what stands before the colon, after it, and below."""
    for entry in re.split(r"\n(?=\S)", section.strip()):
        head, _, text = entry.partition("\n")
        names, _, kind = head.partition(" : ")
        yield names, kind, " ".join(text.split())


def read_parameters(function):
    """Map each parameter to what the docstring says of it."""
    section = read_sections(function).get("Parameters", "")
    return {
        name: (kind, text)
        for names, kind, text in read_entries(section)
        for name in names.split(", ")
        if name
    }


def shared_parameters():
    """For each parameter of two functions of scores or more, which say what of it."""
    found = defaultdict(lambda: defaultdict(list))
    for name in DOCUMENTED:
        for parameter, said in read_parameters(PUBLIC[name]).items():
            found[parameter][said].append(name)
    return {
        parameter: texts
        for parameter, texts in found.items()
        if sum(map(len, texts.values())) > 1
    }


def allowed_texts():
    found = defaultdict(list)
    for name, kind, text in read_entries(SHARED):
        found[name].append((kind, text))
    return found


def test_a_shared_parameter_has_one_text_or_one_of_its_variants():
    allowed = allowed_texts()
    others = {
        (parameter, *said): functions
        for parameter, texts in shared_parameters().items()
        for said, functions in texts.items()
        if said not in allowed[parameter]
    }
    assert others == {}


def test_the_table_of_shared_texts_has_none_that_is_not_used():
    shared = shared_parameters()
    unused = [
        (parameter, *said)
        for parameter, texts in allowed_texts().items()
        for said in texts
        if said not in shared.get(parameter, {})
    ]
    assert unused == []
    assert all(len(texts) == len(set(texts)) for texts in allowed_texts().values())


def test_every_function_says_what_it_returns_and_raises_with_siblings_and_an_example():
    lacking = {
        name: {heading for heading in NEEDED if not read_sections(function).get(heading)}
        for name, function in PUBLIC.items()
    }
    assert {name: found for name, found in lacking.items() if found} == LACKING


@pytest.mark.parametrize("name", PUBLIC)
def test_sections_stand_in_the_usual_order(name):
    found = list(read_sections(PUBLIC[name]))
    assert found == [heading for heading in SECTIONS if heading in found]


@pytest.mark.parametrize("name", PUBLIC)
def test_parameters_are_those_of_the_signature_in_its_order(name):
    documented = list(read_parameters(PUBLIC[name]))
    assert documented == list(inspect.signature(PUBLIC[name]).parameters)


@pytest.mark.parametrize(
    "function",
    [*PUBLIC.values(), *PICTURES.values()],
    ids=[*PUBLIC, *(f"plot.{name}" for name in PICTURES)],
)
def test_siblings_are_public_functions_told_in_a_few_words(function):
    names = bp.plot if function.__module__.startswith("beam_pandas.plot") else bp
    section = read_sections(function).get("See Also", "")
    siblings = [entry for entry in read_entries(section) if entry[0]]
    for name, words, _ in siblings:
        place, _, last = name.rpartition(".")
        assert place in ("", "beam_pandas", "beam_pandas.plot")
        home = {"": names, "beam_pandas": bp, "beam_pandas.plot": bp.plot}[place]
        assert inspect.isfunction(getattr(home, last)), name
        assert getattr(home, last) is not function
        assert words.endswith("."), f"{name}: {words}"
    assert len({name for name, _, _ in siblings}) == len(siblings)
