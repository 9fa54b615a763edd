"""What all figures share: matplotlib if it is installed, one style, and files that do not vary.

The same content gives the same SVG, byte for byte: nothing of the time, of the machine or of a
user's own style is written. Colours are close to those of Okabe & Ito (2008), which differ for
readers who confuse red and green, and can be read on white and on black. In grey, markers and
lines distinguish series.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from scoref.exceptions import ScorefError, UsageError
from scoref.formats.io.output_files import write_whole

Axes = Any  # matplotlib need not be installed, not even for a type checker

INK, SOFT, GRID, PAPER = "#1f2328", "#656d76", "#d0d7de", "#ffffff"
_SETTINGS: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same letters everywhere
    "svg.fonttype": "path",  # letters as shapes: no font is needed to read them
    "svg.hashsalt": "scoref",
    "savefig.dpi": 300,
    **dict.fromkeys(("axes.grid", "axes.axisbelow"), True),
    **dict.fromkeys(("axes.spines.top", "axes.spines.right", "legend.frameon"), False),
    **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.labelcolor", "ytick.labelcolor"), INK),
    **dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), SOFT),
    "grid.color": GRID,
    "figure.facecolor": PAPER,
    "axes.facecolor": "none",
    **dict.fromkeys(("font.size", "axes.labelsize"), 8.5),
    "axes.titlesize": 9,
    "legend.fontsize": 8.2,
    **dict.fromkeys(("axes.linewidth", "xtick.major.width"), 0.7),
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.5,
    **dict.fromkeys(("lines.markeredgewidth", "ytick.major.size"), 0),
    "axes.grid.axis": "y",
    "axes.titlelocation": "left",
    "axes.titlepad": 5,
    "legend.handlelength": 2.3,
    "legend.columnspacing": 0.9,
    "legend.handletextpad": 0.4,
}


class SeriesStyle(NamedTuple):
    """How one series is drawn."""

    colour: str
    marker: str
    size: float
    line: Any


SERIES = (
    SeriesStyle("#0072b2", "o", 4.6, "-"),
    SeriesStyle("#e08e00", "s", 4.4, (0, (5, 1.5))),
    SeriesStyle("#009e73", "^", 5.2, (0, (1, 1.2))),
    SeriesStyle("#56b4e9", "v", 5.2, (0, (6, 1.5, 1, 1.5))),
    SeriesStyle("#cc6fa3", "D", 4.4, (0, (3, 1.2))),
    SeriesStyle("#c64a00", "X", 5.8, "-"),
)


def check_matplotlib(alternative: str = "") -> None:
    """Say that matplotlib is missing, if it is, before anything is written."""
    try:
        import_module("matplotlib.figure")  # an extra
    except ImportError as error:
        raise ScorefError(
            f"figures require matplotlib, which cannot be imported: {error}",
            f"pip install 'scoref[figures]'{alternative}",
        ) from None


@contextmanager
def drawing(settings: dict[str, Any] | None = None) -> Iterator[Any]:
    """Give the class of matplotlib's figures, and draw with scoref's style inside."""
    check_matplotlib()
    matplotlib = import_module("matplotlib")
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # a user's own style would change the drawing
        matplotlib.rcParams.update({**_SETTINGS, **(settings or {})})
        yield import_module("matplotlib.figure").Figure


def figure_bytes(figure: Any, kind: str, title: str = "scoref") -> bytes:
    """Return a figure as `svg` or `png`."""
    svg = {"Date": None, "Creator": "scoref", "Title": title}
    stream = io.BytesIO()
    figure.savefig(stream, format=kind, metadata=svg if kind == "svg" else {"Software": "scoref"})
    return stream.getvalue()


def draw_file(
    path: str | PathLike[str],
    size: tuple[float, float],
    paint: Callable[[Axes], None],
    settings: dict[str, Any] | None = None,
    panels: int = 1,
) -> None:
    """Paint axes, or a list of them side by side, and write the file of the kind in its name."""
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in {"svg", "png"}:
        raise UsageError(f"a figure is written as .svg or .png, not as {Path(path).name!r}")
    with drawing(settings) as figures:
        figure = figures(figsize=size, layout="constrained")
        paint(figure.subplots(1, panels))
        data = figure_bytes(figure, kind)
    with write_whole(path) as stream:
        stream.write(data)
