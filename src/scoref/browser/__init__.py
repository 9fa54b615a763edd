"""Scripts that count, read files and edit entities in a page, without Python and without a server.

Each is a plain script that adds functions to the object `Scoref`. A page contains the scripts that
it needs, and a policy that allows nothing else.
"""

from __future__ import annotations

from importlib.resources import files

COUNTING = ("exact_sums.js", "alignment.js", "counting.js")
"""The scripts that turn entities into scores."""


def program(*names: str) -> str:
    """Return scripts, or style sheets, as one text."""
    return "\n".join((files("scoref.browser") / name).read_text("utf-8") for name in names)
