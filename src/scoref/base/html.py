"""Pieces of HTML for notebooks, in the colours of the page that shows them, and without scripts."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any

from scoref.base.visible import visible

MOST_ROWS = 50
"""How many rows of a table a notebook shows."""

_SIGNS = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"}
_PLAIN = "background:transparent;color:inherit"
_RULE = "1px solid color-mix(in srgb,currentColor 25%,transparent)"
_CELL = "padding:0.15em 0.7em;border:0"
_SMALL = "margin:0.3em 0;font-size:smaller;opacity:0.8"


def escape(text: object, keep: str = "") -> str:
    """Show a text of unknown origin, such as the name of a document, as it is."""
    shown = visible(str(text), keep)
    for sign, name in _SIGNS.items():
        shown = shown.replace(sign, name)
    return shown


def block(*parts: str) -> str:
    """Put pieces below each other, in a box that scrolls if it is too wide."""
    return f'<div style="{_PLAIN};overflow-x:auto">{"".join(filter(None, parts))}</div>'


def heading(text: object) -> str:
    """Write a title."""
    return f'<p style="margin:0.3em 0;font-weight:bold">{escape(text)}</p>' if text else ""


def note(text: object) -> str:
    """Write a line in small letters."""
    return f'<p style="{_SMALL}">{escape(text)}</p>' if text else ""


def code(text: object) -> str:
    """Write a signature, which may break anywhere."""
    shown = f'<code style="{_PLAIN};padding:0;overflow-wrap:anywhere">{escape(text)}</code>'
    return f'<p style="{_SMALL}">{shown}</p>' if text else ""


def table(
    header: Sequence[Any],
    rows: Sequence[Sequence[Any]],
    left: Container[int] = (0,),
    total: Sequence[Any] = (),
    cell: Callable[[Any], str] = escape,
) -> str:
    """Write a table; `cell` makes HTML of a cell, and escapes it. A long table is cut."""

    def row(cells: Sequence[Any], kind: str, rule: str) -> str:
        written = "".join(
            f'<{kind} style="{_CELL};{rule}text-align:{"left" if at in left else "right"}">'
            f"{cell(one)}</{kind}>"
            for at, one in enumerate(cells)
        )
        return f'<tr style="{_PLAIN}">{written}</tr>'

    body = [row(cells, "td", "") for cells in rows[:MOST_ROWS]]
    if total:
        body.append(row(total, "td", f"border-top:{_RULE};"))
    head = row(header, "th", f"border-bottom:{_RULE};")
    more = f"... {len(rows) - MOST_ROWS:,} more rows" if len(rows) > MOST_ROWS else ""
    style = (
        f"{_PLAIN};border-collapse:collapse;margin:0.3em 0 0.6em;font-variant-numeric:tabular-nums"
    )
    return f'<table style="{style}"><thead>{head}</thead><tbody>{"".join(body)}</tbody></table>' + (
        note(more)
    )
