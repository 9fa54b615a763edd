"""An HTML file with one style sheet and one script, which can do nothing else and needs nothing."""

from __future__ import annotations

import json

from scoref.browser import content_security_policy
from scoref.browser.markup import Markup, tag
from scoref.version import __version__


def html_file(title: str, style: str, script: str, data: object, *content: str) -> str:
    """Return an HTML file whose policy allows this style and this script, and no request.

    The script reads `data` from the element with the id `data`.
    """
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag(
            "meta",
            http_equiv="Content-Security-Policy",
            content=content_security_policy(script, style),
        ),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="generator", content=f"scoref {__version__}"),
        tag("title", title),
        tag("link", rel="icon", href="data:,"),
        tag("style", Markup(style)),
    )
    body = tag(
        "body",
        content,
        tag("script", Markup(dump(data)), type="application/json", id="data"),
        tag("script", Markup(script)),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def dump(content: object) -> str:
    """Write JSON for a page; no character of it can end its element."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
