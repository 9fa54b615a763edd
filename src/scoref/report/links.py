"""Links from numbers to their evidence: the list of errors behind them."""

from __future__ import annotations

from urllib.parse import urlencode

from scoref.browser.markup import Markup, tag
from scoref.report.content import Content


def cases_link(content: Content, system: int, text: str, **filters: object) -> Markup:
    """Link to the errors of a system, filtered; without spans the page cannot list them."""
    if any(analysis.mentions.spans is None for analysis in content.analyses):
        return tag("span", text)
    return tag("a", text, href=f"#cases?{urlencode({'s': system, **filters})}")


def slice_name(by: str) -> str:
    """Return the short name of a slice in a link: size, distance, genre or length."""
    return "length" if by.startswith("document length") else by.split(maxsplit=1)[0]
