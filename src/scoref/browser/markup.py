"""HTML as function calls: text that is not markup is always escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

_EMPTY = frozenset({"br", "circle", "input", "line", "link", "meta", "path", "rect"})
HEAT_LEVELS = 9
_LOOSE = 10


class Markup(str):
    """A string that is already HTML."""

    __slots__ = ()


class Heat(NamedTuple):
    """A cell with a coloured background: a value, a smaller remark, and a share from -1 to 1."""

    value: str
    remark: str
    share: float


Cell = str | Heat


def heats(columns: int) -> str:
    """Return the class of a table of heat cells, which are set closely if they are many."""
    return "numbers heats dense" if columns > _LOOSE else "numbers heats"


def tag(name: str, /, *content: str | Iterable[str], **attributes: object) -> Markup:
    """Make an element; `class_` is its class, `data_x` its data-x; None omits an attribute."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _EMPTY and not content:
        return Markup(f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{join(*content)}</{name}>")


def join(*content: str | Iterable[str]) -> Markup:
    """Concatenate markup and texts; texts are escaped."""
    parts = []
    for part in content:
        if isinstance(part, Markup):
            parts.append(str(part))
        elif isinstance(part, str):
            parts.append(escape(part))
        else:
            parts.append(str(join(*part)))
    return Markup("".join(parts))


def section(name: str, title: str, lead: str, *content: str | Iterable[str]) -> Markup:
    """Make a section with a heading that can be linked to; `lead` introduces it, or is empty."""
    first = tag("p", lead, class_="lead") if lead else ""
    return tag("section", tag("h2", title), first, *content, id=name, class_="part")


def table(
    first: str,
    groups: Sequence[tuple[str, Sequence[str]]],
    rows: Iterable[Sequence[Cell]],
    caption: str,
    *,
    class_: str = "numbers",
    note: str = "",
) -> Markup:
    """Make a table that scrolls if it is too wide, and whose data can be saved.

    `first` is the header of the first column, which has the headers of the rows. `groups` are the
    other columns: a title and column names for each group. Several groups are set apart by a gap,
    with their titles in a row above. `note` explains the columns and is shown above the table.
    """
    names = [name for _, columns in groups for name in columns]
    opens = [at for _, columns in groups for at in range(len(columns))]  # 0 opens a group
    titled = any(title for title, _ in groups)
    gap = [None if at or not titled else "opens" for at in opens]
    headers = [tag("th", name, scope="col", class_=c) for name, c in zip(names, gap, strict=True)]
    header = tag("tr", tag("th", first, scope="col"), headers)
    if titled:
        titles = [
            tag("th", title, colspan=len(names), class_="group", scope="colgroup")
            for title, names in groups
        ]
        header = join(tag("tr", tag("td", ""), titles), header)
    body = []
    for head, *cells in rows:
        values = [_cell(cell, c) for cell, c in zip(cells, gap, strict=True)]
        body.append(tag("tr", tag("th", _text(head), scope="row"), values))
    inside = tag(
        "table", tag("caption", caption), tag("thead", header), tag("tbody", body), class_=class_
    )
    scroll = tag("div", inside, class_="scroll", tabindex="0", role="region", aria_label=caption)
    above = tag("p", note, class_="note") if note else ""
    tools = tag("div", above, tag("span", class_="tools"), class_="over")
    return tag("div", tools, scroll, class_="sheet", data_csv=caption)


def _cell(cell: Cell, class_: str | None) -> Markup:
    if not isinstance(cell, Heat):
        return tag("td", cell, class_=class_)
    level = round(HEAT_LEVELS * min(1.0, abs(cell.share)))
    heat = f"h{level}" if cell.share >= 0 else f"h{level} loss"
    small = tag("small", cell.remark) if cell.remark else ""
    return tag("td", cell.value, small, class_=f"heat {heat}")


def _text(cell: Cell) -> str:
    return cell.value if isinstance(cell, Heat) else cell
