"""Scripts that count, read files and edit entities in a page, without Python and without a server.

Each is a plain script that adds functions to the object `Scoref`. A page contains the scripts that
it needs, and a policy that allows nothing else.
"""

from __future__ import annotations

WHAT_IF = (
    *("elements.js", "counting.js", "annotation.js"),
    *("whatif_views.js", "whatif.js", "whatif_actions.js"),
)
"""The scripts of the what-if editor; its style is `base.css` and `whatif.css`."""
READING = ("json_reader.js", "conll_reader.js", "readers.js")
"""The scripts that read files; they also require `elements.js` and `annotation.js`."""
