"""The toolkit of the pages: HTML files of one style sheet and one script, and the shared scripts.

Each script is a plain script that adds functions to the object `Scoref`. A page contains the
scripts that it needs, and a policy that allows nothing else. It needs no Python and no server.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from importlib.resources import files

from scoref.base.html import Markup, tag
from scoref.version import __version__

WHAT_IF = (
    *("elements.js", "counting.js", "annotation.js"),
    *("whatif_views.js", "whatif.js", "whatif_actions.js"),
)
"""The scripts of the what-if editor; its style is `base.css` and `whatif.css`."""
READING = ("conll_reader.js", "readers.js")
"""The scripts that read files; they also require `elements.js` and `annotation.js`."""


def assets(folder: str, *names: str) -> str:
    """Return scripts, or style sheets, of a folder in `scoref.pages` as one text."""
    place = files("scoref.pages") / folder
    return "\n".join((place / name).read_text("utf-8").strip() for name in names)


def html_file(title: str, style: str, *content: str, script: str = "", data: object = None) -> str:
    """Return an HTML file whose policy allows this style and this script, and no request.

    The script reads `data` from the element with the id `data`.
    """
    policy = content_security_policy(script, style)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="generator", content=f"scoref {__version__}"),
        tag("title", title),
        tag("link", rel="icon", href="data:,"),
        tag("style", Markup(style)),
    )
    scripts = [
        tag("script", Markup(dump(data)), type="application/json", id="data"),
        tag("script", Markup(script)),
    ]
    body = tag("body", content, scripts if script else "")
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def content_security_policy(script: str, style: str) -> str:
    """Return a policy that allows one script and one style sheet, and no request.

    Without a script, elements may have styles of their own, as in drawings of matplotlib.
    """
    styles = f"'sha256-{_hash(style)}'" if script else "'unsafe-inline'"
    scripts = f"'sha256-{_hash(script)}'" if script else "'none'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; img-src data:;"
        " base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def dump(content: object) -> str:
    """Write JSON for a page; no character of it can end its element."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def section(name: str, title: str, lead: str, *content: str | Iterable[str]) -> Markup:
    """Make a section with a heading that can be linked to; `lead` introduces it, or is empty."""
    first = tag("p", lead, class_="lead") if lead else ""
    return tag("section", tag("h2", title), first, *content, id=name, class_="part")


def button(text: str, name: str, **attributes: object) -> Markup:
    """Make a button."""
    return tag("button", text, id=name, type="button", **attributes)


def simple_header(title: str, about: str) -> Markup:
    """Make the header of a page that has no other views, with the switch of the theme."""
    theme = button("Dark", "theme", aria_label="Light or dark")
    return tag("header", tag("div", tag("h1", title), tag("p", about, class_="soft")), theme)


def static(folder: str, name: str) -> Markup:
    """Return a file of HTML in a folder of `scoref.pages` without its line breaks and indents."""
    return Markup("".join(line.strip() for line in assets(folder, name).splitlines()))
