"""The subcommands: each module declares a `COMMAND`, and has a function `run` that only wires."""

from __future__ import annotations

GROUPS = {
    "score": ("score", "compare", "gate", "power", "agreement", "stress"),
    "look": ("report", "errors", "slices", "seams", "curves", "explain", "view", "playground"),
    "files": ("validate", "convert", "stats", "count", "align", "stitch", "baseline"),
    "more": ("metrics", "papers", "official", "completion"),
}
COMMANDS = tuple(name for names in GROUPS.values() for name in names)
