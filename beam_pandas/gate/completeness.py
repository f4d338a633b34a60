"""What is done about missing scores, where a complete table is needed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beam_pandas.errors import BeamError, count, list_labels, of_metric
from beam_pandas.gate.matrix import ScoreMatrix
from beam_pandas.gate.refusals import incomplete_scores
from beam_pandas.kernels.largest_block import find_largest_block
from beam_pandas.types import Missing


def complete_scores(matrix: ScoreMatrix, missing: Missing, purpose: str) -> ScoreMatrix:
    """
    Bring a matrix to completeness, at least two methods and two datasets.

    Parameters
    ----------
    matrix : ScoreMatrix
        Scores of one metric.
    missing : {"raise", "drop_datasets", "drop_methods", "largest_block", "worst"}
        What to do if a score is missing; with ``"worst"`` they stay missing, for whoever
        ranks them.
    purpose : str
        Name of the function that needs complete scores, for messages.

    Raises
    ------
    IncompleteScoresError
        If scores are missing and `missing` is ``"raise"``.
    BeamError
        If fewer than two methods or two datasets are there, or left.
    """
    if matrix.refusal is not None:
        raise matrix.refusal
    _check_size(matrix, purpose, "found")
    holes = np.isnan(matrix.scores)
    if missing == "worst" or not holes.any():
        return matrix
    if missing == "raise":
        raise of_metric(
            incomplete_scores(
                matrix.metric, holes, matrix.datasets, matrix.methods, purpose
            )
        )
    datasets, methods = _kept(matrix, holes, missing)
    kept = matrix.take(datasets, methods)
    _check_size(kept, purpose, f"missing={missing!r} leaves")
    return kept


def _kept(
    matrix: ScoreMatrix, holes: NDArray[np.bool_], missing: Missing
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Choose the datasets and methods that stay."""
    n_datasets, n_methods = holes.shape
    if missing == "drop_datasets":
        return ~np.any(holes, axis=1), np.ones(n_methods, dtype=bool)
    if missing == "drop_methods":
        return np.ones(n_datasets, dtype=bool), ~np.any(holes, axis=0)
    block = find_largest_block(~holes)
    if block.datasets is None or block.methods is None:
        raise of_metric(
            BeamError(
                f"missing='largest_block' gave up{matrix.place}: with "
                f"{count(int(holes.sum()), 'missing score')} of "
                f"{holes.size:,} the largest complete block is too hard to find; use "
                "missing='drop_datasets', 'drop_methods' or 'worst'"
            )
        )
    return block.datasets, block.methods


def _check_size(matrix: ScoreMatrix, purpose: str, found: str) -> None:
    """Refuse fewer than two methods or two datasets."""
    n_datasets, n_methods = matrix.scores.shape
    if n_datasets >= 2 and n_methods >= 2:
        return
    methods = count(n_methods, "method") + (
        f" ({list_labels(matrix.methods)})" if n_methods == 1 else ""
    )
    datasets = count(n_datasets, "dataset") + (
        f" ({list_labels(matrix.datasets)})" if n_datasets == 1 else ""
    )
    raise of_metric(
        BeamError(
            f"{purpose} needs at least 2 methods and 2 datasets, {found} {methods} and "
            f"{datasets}{matrix.place}{_with_runs(matrix)}"
        )
    )


def _with_runs(matrix: ScoreMatrix) -> str:
    """Say what one dataset with runs can be asked."""
    if matrix.scores.shape[0] != 1 or matrix.n_runs.max(initial=0) < 2:
        return ""
    return (
        "; on one dataset, correlated_t(rope, test_share=...) compares methods over its "
        "runs (1 / k for k folds, 0 for seeds)"
    )
