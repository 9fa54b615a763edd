"""How figures look: one place for type, ink, colours, markers and lines.

Colours have a similar lightness, so that they can be read on white and on black, and differ for
readers who confuse red and green. In grey, markers and line styles tell the series apart.
"""

from __future__ import annotations

from typing import Any, NamedTuple

INK, SOFT, GRID, PAPER = "#1f2328", "#656d76", "#d0d7de", "#ffffff"
WIDTH = 5.0  # inches: small enough for a phone to show its letters at a readable size
SURFACE = "viridis"

SETTINGS: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same letters everywhere
    "font.size": 8.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.labelsize": 8.5,
    "axes.edgecolor": SOFT,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.titlepad": 5,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "axes.facecolor": "none",
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.major.width": 0.7,
    "ytick.major.size": 0,
    "figure.facecolor": PAPER,
    "legend.frameon": False,
    "legend.fontsize": 8.2,
    "legend.handlelength": 2.3,
    "legend.columnspacing": 0.9,
    "legend.handletextpad": 0.4,
    "lines.linewidth": 1.5,
    "lines.markeredgewidth": 0,
    "svg.fonttype": "path",  # letters as shapes: no font is needed to read them
    "savefig.dpi": 200,
}


class Look(NamedTuple):
    """How one series is drawn."""

    colour: str
    marker: str
    size: float
    line: Any


_LOOKS = (
    Look("#3b6fb6", "o", 4.6, "-"),
    Look("#c77700", "s", 4.4, (0, (5, 1.5))),
    Look("#1b8a5a", "^", 5.2, (0, (1, 1.2))),
    Look("#2a9fc4", "v", 5.2, (0, (6, 1.5, 1, 1.5))),
    Look("#a0489c", "D", 4.4, (0, (3, 1.2))),
    Look("#d1495b", "X", 5.8, "-"),
)
_MEASURES = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea")


def look(series: str, at: int) -> Look:
    """Return the look of a measure, the same in every figure, or of the nth of other series."""
    return _LOOKS[_MEASURES.index(series) if series in _MEASURES else at]
