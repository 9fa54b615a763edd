"""HTML made of calls: whatever is not markup already is escaped, so nothing can be forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_EMPTY = frozenset({"br", "circle", "line", "link", "meta", "path", "rect"})


class Markup(str):
    """Text that is HTML."""

    __slots__ = ()


def tag(name: str, /, *content: str | Iterable[str], **attributes: object) -> Markup:
    """Make an element; `class_` is its class, `data_x` its data-x; None leaves one out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _EMPTY and not content:
        return Markup(f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{join(*content)}</{name}>")


def join(*content: str | Iterable[str]) -> Markup:
    """Put markup and texts together, and escape the texts."""
    parts = []
    for part in content:
        if isinstance(part, Markup):
            parts.append(str(part))
        elif isinstance(part, str):
            parts.append(escape(part))
        else:
            parts.append(str(join(*part)))
    return Markup("".join(parts))


def table(
    header: Iterable[str], rows: Iterable[Iterable[str]], caption: str = "", **attributes: object
) -> Markup:
    """Make a table whose first column heads its rows; it scrolls where it is too wide."""
    head = tag("tr", [tag("th", cell, scope="col") for cell in header])
    body = []
    for row in rows:
        first, *others = row
        body.append(tag("tr", tag("th", first, scope="row"), [tag("td", c) for c in others]))
    inside = tag(
        "table",
        tag("caption", caption) if caption else "",
        tag("thead", head),
        tag("tbody", body),
        **attributes,
    )
    return tag("div", inside, class_="scroll", tabindex="0", role="region", aria_label=caption)


def grouped_table(
    first: str,
    groups: Sequence[tuple[str, Sequence[str]]],
    rows: Iterable[Sequence[str]],
    caption: str,
    **attributes: object,
) -> Markup:
    """Make a table with a heading over each group of columns, which a wider gap sets apart."""
    above = [tag("th", title, colspan=len(names), class_="group") for title, names in groups]
    opens = set()
    names: list[str] = []
    for _, columns in groups:
        opens.add(len(names))
        names += columns
    below = [
        tag("th", name, scope="col", class_="opens" if at in opens else None)
        for at, name in enumerate(names)
    ]
    body = []
    for head, *cells in rows:
        inner = [
            tag("td", cell, class_="opens" if at in opens else None)
            for at, cell in enumerate(cells)
        ]
        body.append(tag("tr", tag("th", head, scope="row"), inner))
    inside = tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", tag("td", ""), above), tag("tr", tag("th", first), below)),
        tag("tbody", body),
        **attributes,
    )
    return tag("div", inside, class_="scroll", tabindex="0", role="region", aria_label=caption)
