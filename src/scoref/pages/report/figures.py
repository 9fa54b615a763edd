"""The figures of a report as SVG and PNG files: systems, documents, costs of errors."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from scoref.analysis.errors import KINDS, TITLES
from scoref.exceptions import ScorefError
from scoref.pages.report.content import Content
from scoref.views.figures import GRID, SERIES, SOFT, check_matplotlib, draw_file


def draw_all(content: Content, folder: Path) -> list[Path]:
    """Draw all figures into a folder; return their paths."""
    check_matplotlib()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ScorefError(f"cannot write {folder}: {error.strerror or error}") from None
    comparison = content.comparison
    figures: dict[str, Callable[[Path], None]] = {
        "errors": partial(draw_errors, content),
        "systems": comparison.draw,
    }
    if len(content.analyses) > 1:
        figures["documents"] = comparison.draw_documents
    paths = sorted(folder / f"{name}.{kind}" for name in figures for kind in ("svg", "png"))
    for path in paths:
        figures[path.stem](path)
    return paths


def draw_errors(content: Content, path: Path) -> None:
    """Draw bars of what each kind of error costs each system."""
    size = (5.0, 0.9 + len(KINDS) * (0.16 + 0.17 * len(content.analyses)))
    draw_file(path, size, partial(_paint, content), {"axes.grid.axis": "x"})


def _paint(content: Content, axes: Any) -> None:
    metric, analyses = content.comparison.metric, content.analyses
    height = 0.8 / len(analyses)
    for at, analysis in enumerate(analyses):
        gains = [100 * one.gains[metric] for one in analysis.summary.repairs[: len(KINDS)]]
        places = [row + (at - (len(analyses) - 1) / 2) * height for row in range(len(KINDS))]
        name = analysis.name.replace("$", r"\$")
        axes.barh(places, gains, height * 0.86, color=SERIES[at % len(SERIES)].colour, label=name)
        for place, gain, one in zip(places, gains, analysis.summary.repairs, strict=False):
            beside = {"xytext": (3, 0), "textcoords": "offset points", "va": "center"}
            axes.annotate(f"{one.count:,}", (max(gain, 0), place), color=SOFT, fontsize=7, **beside)
    axes.axvline(0, color=GRID, linewidth=0.8)
    axes.set_yticks(range(len(KINDS)), [TITLES[kind] for kind in KINDS])
    axes.set_ylim(len(KINDS) - 0.5, -0.5)
    axes.set_xlabel(f"gain in {metric} F1 (points) if repaired; numbers count errors")
    axes.margins(x=0.12)
    if len(analyses) > 1:
        axes.figure.legend(loc="outside upper right", ncols=min(len(analyses), 4))
