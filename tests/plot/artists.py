"""What a picture holds: its texts and lines, and where they are."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pandas as pd
from matplotlib.colors import to_rgb

import beam_pandas as bp


def names(n_methods: int, length: int) -> list[str]:
    """Labels of a length, all different and in order."""
    stem = "classifier_with_a_rather_long_name_" * 2
    return [f"{stem[: length - 2]}{at:02d}" for at in range(n_methods)]


def scores(n_methods: int, length: int = 3, n_datasets: int = 30) -> pd.DataFrame:
    """Random scores of methods that differ more the more there are."""
    rng = np.random.default_rng(n_methods)
    values = rng.normal(size=(n_datasets, n_methods)) + 0.1 * np.arange(n_methods)
    wide = pd.DataFrame(values, columns=names(n_methods, length))
    wide.insert(0, "dataset", [f"d{at:02d}" for at in range(n_datasets)])
    return wide.melt("dataset", var_name="method", value_name="score").assign(metric="elo")


@cache
def result(function: str, n_methods: int, length: int = 3, **options) -> pd.DataFrame:
    """What a function says of such scores, computed once a process."""
    return getattr(bp, function)(scores(n_methods, length), **options)


def texts(ax, *, drawn=True):
    """Texts inside the Axes that are not empty."""
    return [text for text in ax.texts if text.get_text() or not drawn]


def lines(ax, label):
    """Lines of a kind, as the private label says."""
    return [line for line in ax.lines if line.get_label() == label]


def boxes(items):
    """Boxes in pixels of texts that are drawn."""
    return [item.get_window_extent() for item in items if item.get_text()]


def assert_no_overlap(items, tolerance=0.5):
    for one, other in itertools.combinations(boxes(items), 2):
        width = min(one.x1, other.x1) - max(one.x0, other.x0)
        height = min(one.y1, other.y1) - max(one.y0, other.y0)
        assert min(width, height) <= tolerance, (one, other)


def assert_inside(figure, items):
    figure.draw_without_rendering()
    assert_within(figure.bbox, items)


def assert_within(page, items, tolerance=0.5):
    for item in items:
        box = item.get_window_extent()
        assert box.x0 >= page.x0 - tolerance, item
        assert box.x1 <= page.x1 + tolerance, item
        assert box.y0 >= page.y0 - tolerance, item
        assert box.y1 <= page.y1 + tolerance, item


def written(ax):
    """All texts of Axes that can be seen."""
    legend = ax.get_legend()
    found = [
        *texts(ax), *tick_labels(ax), ax.title, ax.xaxis.label, ax.yaxis.label,
        *(legend.get_texts() if legend else []),
        *(label for child in ax.child_axes for label in tick_labels(child)),
    ]  # fmt: skip
    return [text for text in found if text.get_text() and text.get_visible()]


def luminance(colour):
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)
    ]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def tick_labels(ax):
    """Labels of the ticks that can be seen."""
    found = []
    for axis in (ax.xaxis, ax.yaxis):
        low, high = sorted(axis.get_view_interval())
        places = axis.get_ticklocs()
        if axis.get_visible():
            found += [
                label
                for place, label in zip(places, axis.get_ticklabels(), strict=False)
                if low <= place <= high and label.get_text() and label.get_visible()
            ]
    return found
