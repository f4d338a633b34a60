"""Draw the picture of the README from the bundled table; run it without arguments."""

from pathlib import Path

from matplotlib import rc_context
from matplotlib.figure import Figure

import beam_pandas

FOLDER = Path(__file__).parent.parent / "pictures"


def draw(folder: Path = FOLDER) -> Path:
    """Write the critical difference diagram of the accuracies, the same bytes each time."""
    scores = beam_pandas.load_benchmark().query("metric == 'accuracy'")
    target = folder / "critical_difference.svg"
    with rc_context({"svg.hashsalt": "beam_pandas", "font.size": 10.0}):
        figure = Figure((7.0, 3.0))
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        scores.beam.plot.critical_difference(missing="drop_methods", ax=ax)
        figure.savefig(target, metadata={"Date": None})
    return target


if __name__ == "__main__":
    draw()
