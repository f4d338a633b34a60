"""The panels of a critical difference diagram share a rank axis and a size of text."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final

import numpy as np

from beam_pandas.plot.diagram_artists import DiagramArtists, Labels, Sheet
from beam_pandas.plot.diagram_data import Diagram
from beam_pandas.plot.diagram_layout import (
    BAR_GAP,
    Heights,
    Reach,
    Scale,
    fit_scale,
    fit_width,
    label_rows,
    plan_heights,
    stack_bars,
)
from beam_pandas.plot.fitting import Margins, slot_in_points
from beam_pandas.plot.text import (
    label_text,
    line_height,
    raw_text,
    rc_points,
    shorten,
    text_widths,
)

_SHORTENED_BELOW: Final = 0.7  # factor on the size of text: names are shortened instead
_SHORTEST: Final = 3.0  # font sizes that a name keeps


class DiagramGroup:
    """
    What the panels have in common.

    Parameters
    ----------
    diagrams : sequence of Diagram
        One for each panel.
    best : {"left", "right"}
        Where rank 1 is.
    show_ranks : bool
        Whether to print the mean ranks.
    chosen : list of labels
        Methods to highlight.
    """

    def __init__(
        self,
        diagrams: Sequence[Diagram],
        best: str,
        *,
        show_ranks: bool,
        chosen: list[Hashable],
    ) -> None:
        self.diagrams = list(diagrams)
        self._best = best
        self._show_ranks = show_ranks
        self._chosen = chosen
        self._names = [[raw_text(name) for name in each.methods] for each in diagrams]
        self._axes: list[Any] = []
        self._artists: list[DiagramArtists] = []
        self._known: tuple[Any, float, list[Labels], Reach] | None = None

    def draw(self, axes: Sequence[Any]) -> list[Panel]:
        """Draw all panels; give what fits each of them."""
        labels = self._labels(self._names)
        self._axes = list(axes)
        self._artists = [
            DiagramArtists(ax, diagram, each, is_mirrored=self._best == "right")
            for ax, diagram, each in zip(axes, self.diagrams, labels, strict=True)
        ]
        return [Panel(self, at) for at in range(len(axes))]

    def factor(self, dpi: float) -> float:
        """Give the factor on the size of text that lets all panels fit."""
        return self._plan(dpi)[1]

    def natural_heights(self, width: float) -> list[float]:
        """Give the heights in points that the panels would like for a width in points."""
        factor, names = self._fit_names([width], self._names, self._labels(self._names))
        labels = self._labels(names)
        scale = fit_scale(self._reach(labels), width, factor)
        line = 1.3 * rc_points("xtick.labelsize")
        return [
            factor * self._heights(diagram, each, scale, line * _note_lines(diagram)).total
            for diagram, each in zip(self.diagrams, labels, strict=True)
        ]

    def full_reach(self) -> Reach:
        """Collect what must fit with names as they are."""
        return self._reach(self._labels(self._names))

    def arrange(self, at: int, width: float, height: float, dpi: float) -> Margins:
        """Place one panel, with text as small as the smallest panel needs."""
        _, factor, labels, reach = self._plan(dpi)
        diagram = self.diagrams[at]
        scale = fit_scale(reach, width, factor)
        note = self._artists[at].note_height(width, factor, dpi) / factor
        heights = self._heights(diagram, labels[at], scale, note)
        sheet = Sheet(
            factor=factor,
            width=width,
            height=height,
            dpi=dpi,
            scale=scale,
            heights=heights.scaled(min(factor, height / heights.total)),
            levels=_levels(diagram, scale),
            is_mirrored=self._best == "right",
        )
        self._artists[at].place(labels[at], sheet)
        return Margins()

    def _plan(self, dpi: float) -> tuple[Any, float, list[Labels], Reach]:
        """Find the common factor for the sizes that the panels have now."""
        sizes = [slot_in_points(ax) for ax in self._axes]
        key = (np.round(sizes, 2).tolist(), dpi)
        if self._known is None or self._known[0] != key:
            widths = [width for width, _ in sizes]
            labels = self._labels(self._names)
            factor, names = self._fit_names(widths, self._names, labels)
            reach = self._reach(labels)
            for _ in range(6):  # the width of letters is not quite in proportion
                labels = self._labels(names, factor, dpi)
                reach = self._reach(labels)
                other = self._common_factor(labels, reach, sizes, dpi)
                if other >= factor:
                    break
                factor = other
            self._known = (key, factor, labels, reach)
        return self._known

    def _fit_names(
        self, widths: Sequence[float], names: list[list[str]], labels: list[Labels]
    ) -> tuple[float, list[list[str]]]:
        """Make text smaller, then shorten names, until they leave the axis room."""
        width = min(widths)
        font = rc_points("xtick.labelsize")
        longest = max(float(each.widths.max()) for each in labels)
        while True:
            factor = fit_width(self._reach(labels), width)
            if factor >= _SHORTENED_BELOW or longest <= _SHORTEST * font:
                return factor, names
            longest *= 0.85
            names = [
                shorten(each, max(longest - self._number_width(), font), font)
                for each in self._names
            ]
            labels = self._labels(names)

    def _number_width(self) -> float:
        """Give the room that a mean rank takes beside a name."""
        font = rc_points("xtick.labelsize")
        return float(text_widths(["  10.00"], font)[0]) if self._show_ranks else 0.0

    def _labels(
        self, names: list[list[str]], factor: float = 1.0, dpi: float | None = None
    ) -> list[Labels]:
        """Write the labels of all panels, measured at a factor on their size."""
        return [
            self._write(diagram, each, factor, dpi)
            for diagram, each in zip(self.diagrams, names, strict=True)
        ]

    def _write(
        self, diagram: Diagram, names: list[str], factor: float, dpi: float | None
    ) -> Labels:
        row, is_best_half = label_rows(len(names))
        is_left = is_best_half == (self._best == "left")
        texts = []
        letters = diagram.letters or [""] * len(names)
        for name, rank, left, groups in zip(
            names, diagram.ranks, is_left, letters, strict=True
        ):
            written, number = label_text(name), f"{rank:.2f}"
            if groups:
                written = f"{written}  {groups}" if left else f"{groups}  {written}"
            both = f"{written}  {number}" if left else f"{number}  {written}"
            texts.append(both if self._show_ranks else written)
        is_chosen = [method in self._chosen for method in diagram.methods]
        is_bold = [on or at == diagram.control for at, on in enumerate(is_chosen)]
        size = factor * rc_points("xtick.labelsize")
        widths = text_widths(texts, size, bold=is_bold, dpi=dpi) / factor
        height = 1.17 * size if dpi is None else line_height(texts, size, dpi)
        return Labels(texts, row, is_left, is_chosen, is_bold, widths, height / factor)

    def _reach(self, labels: list[Labels]) -> Reach:
        """Collect what must fit; ranks are negative where 1 is at the right."""
        diagrams = self.diagrams
        sign = 1.0 if self._best == "left" else -1.0
        ranks = sign * np.concatenate([each.ranks for each in diagrams])
        axis = sign * np.array([1.0, max(each.n_methods for each in diagrams)])
        bars = [(1.0, 1.0 + each.gap) for each in diagrams if not np.isnan(each.gap)]
        bars += [bar for each in diagrams for bar in each.bars]
        ends = np.append(sign * np.array(bars).ravel(), axis)
        return Reach(
            low=float(axis.min()),
            high=float(axis.max()),
            first=float(ranks.min()),
            last=float(ranks.max()),
            bars=(float(ends.min()), float(ends.max())),
            left=max(each.width(left=True) for each in labels),
            right=max(each.width(left=False) for each in labels),
        )

    def _common_factor(
        self,
        labels: list[Labels],
        reach: Reach,
        sizes: list[tuple[float, float]],
        dpi: float,
    ) -> float:
        """Find how much smaller text must be, the same for all panels."""
        factor = min(fit_width(reach, width) for width, _ in sizes)
        lower = []
        for at, (width, height) in enumerate(sizes):
            note = self._artists[at].note_height(width, factor, dpi) / factor
            scale = fit_scale(reach, width, factor)
            planned = self._heights(self.diagrams[at], labels[at], scale, note)
            lower.append(height / planned.total)
        return min(factor, *lower)

    def _heights(
        self, diagram: Diagram, labels: Labels, scale: Scale, note: float
    ) -> Heights:
        """Plan a panel at the size that text has by default."""
        return plan_heights(
            label=rc_points("xtick.labelsize"),
            row=labels.height,
            title=rc_points("axes.titlesize") if diagram.title else 0.0,
            n_bars=max(_levels(diagram, scale), default=-1) + 1,
            n_rows=int(labels.row.max()) + 1,
            note=note,
        )


class Panel:
    """One panel of a group, as what fits it to its slot sees it."""

    def __init__(self, group: DiagramGroup, at: int) -> None:
        self._group = group
        self._at = at

    def arrange(self, width: float, height: float, dpi: float) -> Margins:
        """Place the panel; it fills its slot."""
        return self._group.arrange(self._at, width, height, dpi)


def _note_lines(diagram: Diagram) -> int:
    """Count the lines of what is explained at the foot."""
    if diagram.control is None:
        return 0
    return int(not diagram.is_apart.all()) + int(np.isnan(diagram.gap))


def _levels(diagram: Diagram, scale: Scale) -> list[int]:
    first, last = zip(*diagram.bars, strict=True) if diagram.bars else ((), ())
    return stack_bars(first, last, BAR_GAP / scale.slope)
