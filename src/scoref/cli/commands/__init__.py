"""The subcommands: each module declares a `COMMAND`, and has a function `run` that only wires."""

from __future__ import annotations

GROUPS = {
    "score": ("score", "compare", "gate", "power", "agreement", "stress", "estimate"),
    "look": (
        *("report", "errors", "slices", "seams", "curves", "sweep"),
        *("explain", "view", "playground"),
    ),
    "files": ("validate", "convert", "stats", "count", "align", "stitch", "baseline", "sample"),
    "more": ("metrics", "papers", "official", "completion"),
}
COMMANDS = tuple(name for names in GROUPS.values() for name in names)
