"""How figures look: one place for type, ink, colours, markers and lines.

Colours are close to those of Okabe & Ito (2008), which differ for readers who confuse red and
green, and can be read on white and on black. In grey, markers and lines tell series apart.
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
    "savefig.dpi": 300,
}


class Look(NamedTuple):
    """How one series is drawn."""

    colour: str
    marker: str
    size: float
    line: Any


_LOOKS = (
    Look("#0072b2", "o", 4.6, "-"),
    Look("#e08e00", "s", 4.4, (0, (5, 1.5))),
    Look("#009e73", "^", 5.2, (0, (1, 1.2))),
    Look("#56b4e9", "v", 5.2, (0, (6, 1.5, 1, 1.5))),
    Look("#cc6fa3", "D", 4.4, (0, (3, 1.2))),
    Look("#c64a00", "X", 5.8, "-"),
)
_MEASURES = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea")


def look(series: str, at: int) -> Look:
    """Return the look of a measure, the same in every figure, or of the nth of other series."""
    return _LOOKS[_MEASURES.index(series) if series in _MEASURES else at]
