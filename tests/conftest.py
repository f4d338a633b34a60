"""
How much is tested: what a newcomer waits for, or all of it.

``python -m pytest`` leaves out what is marked `slow` and tries few examples; with
``BEAM_TESTS=whole`` in the environment everything runs, on many examples, the same each
time. Examples have no deadline, for busy machines.
"""

import os

import pytest
from hypothesis import settings

IS_WHOLE = os.environ.get("BEAM_TESTS") == "whole"
#: Functions whose promises are held in either case; those of the others are slow tests.
CORE = {"bayesian_sign", "coverage", "critical_difference", "pairwise", "wide_scores"}
EVERY_FUNCTION = (
    "test_promises",
    "test_dtypes",
    "test_odd_frames",
    "test_accessor",
    "test_groups_at_once",
)

settings.register_profile("newcomer", deadline=None, max_examples=10)
settings.register_profile("whole", deadline=None, max_examples=40, derandomize=True)
settings.register_profile("many", deadline=None, max_examples=10_000)
settings.load_profile("whole" if IS_WHOLE else "newcomer")


def pytest_collection_modifyitems(config, items):
    """Mark as slow what repeats a test for yet another function, or leave slow ones out."""
    for item in items:
        name = getattr(item, "callspec", None) and item.callspec.params.get("name")
        module = item.path.stem
        if module in EVERY_FUNCTION and isinstance(name, str) and name not in CORE:
            item.add_marker(pytest.mark.slow)
    if IS_WHOLE or config.option.markexpr:
        return
    kept = [item for item in items if not item.get_closest_marker("slow")]
    left_out = [item for item in items if item.get_closest_marker("slow")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept
