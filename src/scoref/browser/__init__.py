"""Scripts that count, read files and edit entities in a page, without Python and without a server.

Each is a plain script that adds functions to the object `Scoref`. A page contains the scripts that
it needs, and a policy that allows nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

COUNTING = ("exact_sums.js", "alignment.js", "counting.js")
"""The scripts that turn entities into scores."""
WHAT_IF = (
    *COUNTING,
    *("annotation.js", "writers.js", "elements.js", "score_cards.js", "marked_text.js"),
    *("whatif.js", "whatif_actions.js"),
)
"""The scripts of the what-if editor; its style is `whatif.css`."""
READING = ("json_text.js", "conll_reader.js", "json_readers.js", "readers.js")
"""The scripts that read files; they also require `annotation.js`."""


def program(*names: str) -> str:
    """Return scripts, or style sheets, as one text."""
    return "\n".join((files("scoref.browser") / name).read_text("utf-8") for name in names)


def content_security_policy(script: str, style: str) -> str:
    """Return a policy that allows one script and one style sheet, and no request."""
    return (
        f"default-src 'none'; script-src 'sha256-{_hash(script)}';"
        f" style-src 'sha256-{_hash(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
