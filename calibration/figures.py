"""Figures of the page on calibration: a line per method over the number of documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from scoref.views.figures import SERIES, SOFT, Axes, draw_file

FIGURES = Path(__file__).resolve().parents[1] / "docs" / "figures"


def draw_lines(
    name: str,
    sizes: Sequence[int],
    lines: Mapping[str, Sequence[float]],
    title: str,
    promised: float,
) -> None:
    """Draw percentages by number of documents, and what was promised."""

    def paint(axes: Axes) -> None:
        axes.axhline(promised, color=SOFT, linewidth=0.8, zorder=0)
        for style, (label, values) in zip(SERIES, lines.items(), strict=False):
            axes.plot(
                sizes,
                values,
                color=style.colour,
                marker=style.marker,
                markersize=4,
                linestyle=style.line,
                label=label,
            )
        axes.set_xscale("log")
        axes.set_xticks(sizes, [str(size) for size in sizes])
        axes.minorticks_off()
        axes.set_ylim(*((75, 100) if promised > 50 else (0, 10)))
        axes.set_xlabel("documents")
        axes.set_title(title)
        axes.legend()

    draw_file(FIGURES / f"calibration-{name}.svg", (5.6, 2.9), paint, {"svg.fonttype": "none"})
