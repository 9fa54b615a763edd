"""The figures of a report as SVG and PNG files: systems, documents, costs of errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scoref.analysis.errors import KINDS, TITLES
from scoref.exceptions import ScorefError
from scoref.render.figures import GRID, SERIES, SOFT, check_matplotlib, draw_file
from scoref.report.content import Content


def draw_all(content: Content, folder: Path) -> list[Path]:
    """Draw all figures into a folder; return their paths."""
    check_matplotlib()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ScorefError(f"cannot write {folder}: {error.strerror or error}") from None
    drawn = []
    for kind in ("svg", "png"):
        path = folder / f"systems.{kind}"
        content.comparison.draw(path)
        drawn.append(path)
        if len(content.analyses) > 1:
            path = folder / f"documents.{kind}"
            content.comparison.draw_documents(path)
            drawn.append(path)
        path = folder / f"errors.{kind}"
        draw_errors(content, path)
        drawn.append(path)
    return sorted(drawn)


def draw_errors(content: Content, path: Path) -> None:
    """Draw bars of what each kind of error costs each system."""
    size = (5.0, 0.9 + len(KINDS) * (0.16 + 0.17 * len(content.analyses)))
    draw_file(path, size, lambda axes: _paint(axes, content), {"axes.grid.axis": "x"})


def _paint(axes: Any, content: Content) -> None:
    metric, analyses = content.comparison.metric, content.analyses
    height = 0.8 / len(analyses)
    for at, analysis in enumerate(analyses):
        gains = [100 * one.gains[metric] for one in analysis.summary.repairs[: len(KINDS)]]
        places = [row + (at - (len(analyses) - 1) / 2) * height for row in range(len(KINDS))]
        name = analysis.name.replace("$", r"\$")
        axes.barh(places, gains, height * 0.86, color=SERIES[at % len(SERIES)].colour, label=name)
        for place, gain, one in zip(places, gains, analysis.summary.repairs, strict=False):
            axes.annotate(
                f"{one.count:,}",
                (max(gain, 0), place),
                xytext=(3, 0),
                textcoords="offset points",
                va="center",
                color=SOFT,
                fontsize=7,
            )
    axes.axvline(0, color=GRID, linewidth=0.8)
    axes.set_yticks(range(len(KINDS)), [TITLES[kind] for kind in KINDS])
    axes.set_ylim(len(KINDS) - 0.5, -0.5)
    axes.set_xlabel(f"gain in {metric} F1 (points) if repaired; numbers count errors")
    axes.margins(x=0.12)
    if len(analyses) > 1:
        axes.figure.legend(loc="outside upper right", ncols=min(len(analyses), 4))
