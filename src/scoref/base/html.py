"""HTML as function calls, in which text is always escaped, and pieces of HTML for notebooks."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any

from scoref.base.visible import visible

MOST_ROWS = 50
"""How many rows of a table a notebook shows."""

_SIGNS = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"}
_EMPTY = frozenset({"br", "circle", "input", "line", "link", "meta", "path", "rect"})


class Markup(str):
    """A string that is already HTML."""

    __slots__ = ()


def escape(text: object, keep: str = "") -> Markup:
    """Show a text of unknown origin, such as the name of a document, as it is."""
    shown = visible(str(text), keep)
    for sign, name in _SIGNS.items():
        shown = shown.replace(sign, name)
    return Markup(shown)


def tag(name: str, /, *content: str | Iterable[str], **attributes: object) -> Markup:
    """Make an element; `class_` is its class, `data_x` its data-x; None omits an attribute."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _EMPTY and not content:
        return Markup(f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{join(*content)}</{name}>")


def join(*content: str | Iterable[str]) -> Markup:
    """Concatenate markup and texts; texts are escaped."""
    parts: list[str] = []
    for part in content:
        if isinstance(part, Markup):
            parts.append(part)
        else:
            parts.append(escape(part) if isinstance(part, str) else join(*part))
    return Markup("".join(parts))


# Notebooks: in the colours of the page that shows them, and without scripts.
_PLAIN = "background:transparent;color:inherit"
_RULE = "1px solid color-mix(in srgb,currentColor 25%,transparent)"
_CELL = "padding:0.15em 0.7em;border:0"
_SMALL = "margin:0.3em 0;font-size:smaller;opacity:0.8"
_TABLE = f"{_PLAIN};border-collapse:collapse;margin:0.3em 0 0.6em;font-variant-numeric:tabular-nums"


def block(*parts: str) -> Markup:
    """Put pieces below each other, in a box that scrolls if it is too wide."""
    return tag("div", parts, style=f"{_PLAIN};overflow-x:auto")


def heading(text: object) -> Markup:
    """Write a title."""
    return tag("p", str(text), style="margin:0.3em 0;font-weight:bold") if text else Markup("")


def note(text: object) -> Markup:
    """Write a line in small letters."""
    return tag("p", str(text), style=_SMALL) if text else Markup("")


def code(text: object) -> Markup:
    """Write a signature, which may break anywhere."""
    shown = tag("code", str(text), style=f"{_PLAIN};padding:0;overflow-wrap:anywhere")
    return tag("p", shown, style=_SMALL) if text else Markup("")


def table(
    header: Sequence[Any],
    rows: Sequence[Sequence[Any]],
    left: Container[int] = (0,),
    total: Sequence[Any] = (),
    cell: Callable[[Any], Markup] = escape,
) -> Markup:
    """Write a table; `cell` makes HTML of a cell, and escapes it. A long table is cut."""

    def row(cells: Sequence[Any], kind: str, rule: str) -> Markup:
        aligned = ["left" if at in left else "right" for at in range(len(cells))]
        written = [
            tag(kind, cell(one), style=f"{_CELL};{rule}text-align:{side}")
            for one, side in zip(cells, aligned, strict=True)
        ]
        return tag("tr", written, style=_PLAIN)

    body = [row(cells, "td", "") for cells in rows[:MOST_ROWS]]
    if total:
        body.append(row(total, "td", f"border-top:{_RULE};"))
    head = row(header, "th", f"border-bottom:{_RULE};")
    more = f"... {len(rows) - MOST_ROWS:,} more rows" if len(rows) > MOST_ROWS else ""
    return join(tag("table", tag("thead", head), tag("tbody", body), style=_TABLE), note(more))
