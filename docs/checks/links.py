"""Links of the built pages: each leads to a page, a picture or a heading that exists.

Sphinx checks the references that it resolves itself. This check reads the pages that it wrote, so
that raw HTML, pictures and files for download are covered as well. Nothing is looked up on the
network.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """The anchors and the links of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors = {""}
        self.links: list[tuple[int, str]] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value and tag != "base":
                self.links.append((self.getpos()[0], value))


_parse = cache(_Page)


def broken_links(root: Path) -> Iterator[str]:
    """Find the links of all pages below a folder that lead nowhere."""
    for path in sorted(root.rglob("*.html")):
        for line, link in _parse(path).links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            place = f"{path.relative_to(root)}:{line}"
            if not target.exists():
                yield f"{place}: the link {link} leads to a file that does not exist"
            elif target.suffix == ".html" and not _has_anchor(target, unquote(parts.fragment)):
                yield f"{place}: the link {link} leads to a heading that does not exist"


def _has_anchor(page: Path, anchor: str) -> bool:
    # The state of the report and of the playground follows the sign, as in `#doc/3/1`.
    return anchor in _parse(page).anchors or "playground" in page.name
