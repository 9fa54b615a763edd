"""Cost against size as a figure: `python -m benchmarks.plot POINTS.json FIGURE.svg`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

_COLOURS = {"scoref score": "#0072b2", "wc -lw": "#777777"}
_OTHERS = ("#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


def draw(points: list[dict[str, str | float]], target: Path) -> None:
    """Draw CPU time and peak memory against the size of both files, on logarithmic axes."""
    import matplotlib as mpl  # noqa: PLC0415

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "scoref"
    mpl.rcParams["svg.fonttype"] = "none"
    import matplotlib.pyplot as plt  # noqa: PLC0415
    from matplotlib.ticker import FuncFormatter, LogLocator  # noqa: PLC0415

    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    names = list(dict.fromkeys(str(point["name"]) for point in points))
    sizes = sorted({float(point["megabytes"]) for point in points})
    spare = iter(_OTHERS * 3)
    for name in names:
        colour = _COLOURS.get(name) or next(spare)
        mine = [point for point in points if point["name"] == name]
        size = [point["megabytes"] for point in mine]
        for axis, what in zip(axes, ("cpu", "peak"), strict=True):
            axis.plot(size, [point[what] for point in mine], "o-", color=colour, label=name)
    for axis, label in zip(axes, ("CPU seconds", "peak memory (MB)"), strict=True):
        axis.set(xscale="log", yscale="log", xlabel="size of both files (MB)", ylabel=label)
        axis.set_xticks(sizes, [f"{size:,.0f}" for size in sizes])
        axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
        axis.minorticks_off()
        axis.grid(alpha=0.3, which="major")
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].legend(frameon=False)
    figure.savefig(target, dpi=150, metadata={"Date": None} if target.suffix == ".svg" else None)


if __name__ == "__main__":
    source, figure_path = map(Path, sys.argv[1:])
    draw(json.loads(source.read_text(encoding="utf-8")), figure_path)
