"""What the pages of metrics say of themselves, made from the program: it cannot go out of date.

A page names a metric, and a directive writes its part: facts, the worked example in exact
fractions, a picture of the computation, scores at the edges, counter-examples, and papers. Each
part is a module that returns Markdown or SVG and knows nothing of Sphinx; `directives.py` brings
them into a page.
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

from metric_pages.directives import DIRECTIVES


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives, and the colours of the pictures."""
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    app.add_css_file("metrics.css")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
