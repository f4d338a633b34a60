"""Pictures are drawn without a screen, and leave no trace unless a figure is asked for."""

import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def _nothing_else_changes():
    import matplotlib.pyplot as plt

    before = dict(matplotlib.rcParams)
    numbers = plt.get_fignums()
    yield
    assert dict(matplotlib.rcParams) == before
    if numbers != plt.get_fignums():
        plt.close("all")
