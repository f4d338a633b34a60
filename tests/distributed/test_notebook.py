"""The notebook about engines runs where both are installed, as the others run everywhere."""

import os
import shutil

import pytest

REASON = "needs dask and Spark: python -m pip install '.[distributed,test]'"
for module in ("dask", "distributed", "pyspark", "ipykernel", "nbclient", "nbformat"):
    pytest.importorskip(module, reason=REASON)
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    reason = "Spark needs Java: no java on the PATH, and JAVA_HOME is not set"
    pytest.skip(reason, allow_module_level=True)

from tests import test_notebooks  # noqa: E402

pytestmark = [pytest.mark.distributed, pytest.mark.filterwarnings("default")]


@pytest.mark.parametrize("name", sorted(test_notebooks.ELSEWHERE))
def test_the_notebook_runs_and_shows_what_was_saved(name, monkeypatch):
    test_notebooks.test_a_notebook_runs_and_shows_what_was_saved(name, monkeypatch)
