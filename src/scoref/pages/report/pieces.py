"""Pieces that the sections of a report share: tables, controls, links and small charts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import NamedTuple
from urllib.parse import urlencode

from scoref.base.html import Markup, join, tag
from scoref.pages.report.content import Content
from scoref.pages.toolkit.systems import COLOURS, DASH, badge, signed

HEAT_LEVELS = 9
MOST_GROUPS = 3
"""With more systems than this, tables have one column for each."""
_LOOSE = 10


def file_name(source: str) -> str:
    """Return the last part of a path, for a file that others will read."""
    return PurePath(source).name or source


def mention_text(content: Content, words: str, span: object) -> str:
    """Show a mention by its words, or by its tokens if words must not be shown."""
    if words and content.with_text:
        return words
    if isinstance(span, tuple) and len(span) == 2:
        if span[0] == span[1]:
            return f"token {span[0]}"
        return f"tokens {span[0]}{DASH}{span[1]}"
    return f"mention {span}" if not isinstance(span, int) else f"token {span}"


class Heat(NamedTuple):
    """A cell with a coloured background: a value, a smaller remark, and a share from -1 to 1."""

    value: str
    remark: str
    share: float


Cell = str | Heat


def heats(columns: int) -> str:
    """Return the class of a table of heat cells, which are set closely if they are many."""
    return "numbers heats dense" if columns > _LOOSE else "numbers heats"


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
        body.append(
            tag("tr", tag("th", head if isinstance(head, str) else head.value, scope="row"), values)
        )
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


def control(label: str, element: str, name: str, **attributes: object) -> Markup:
    """Make a control with a label that is read and clicked with it."""
    return tag("label", tag("span", label, class_="label"), tag(element, id=name, **attributes))


def cases_link(content: Content, system: int, text: str, **filters: object) -> Markup:
    """Link to the errors of a system, filtered; without spans the page cannot list them."""
    if any(analysis.mentions.spans is None for analysis in content.analyses):
        return tag("span", text)
    return tag("a", text, href=f"#cases?{urlencode({'s': system, **filters})}")


def chart(name: str, title: str) -> Markup:
    """Make the frame of a chart; the page's program draws it, and offers its data and picture."""
    heading = tag("span", title, class_="chart-title", id=f"{name}-title")
    top = tag("div", heading, tag("span", class_="tools"), class_="over")
    body = tag("div", class_="canvas")
    return tag("figure", top, body, id=name, class_="chart", aria_labelledby=f"{name}-title")


def bar(value: float, most: float, label: str, at: int = 0, *, losses: bool = False) -> Markup:
    """Draw a bar of the nth system: to the right for a gain, or to the left for a loss."""
    zero = 22.0 if losses else 0.0
    length = 0.0 if most <= 0 else abs(value) / most * (100 - zero)
    start, style = zero, "bar"
    if value < 0:
        length = min(length, zero)
        start, style = zero - length, "bar loss"
    place = {"x": f"{start:.1f}%", "y": 3, "width": f"{length:.1f}%", "height": 10}
    parts = tag("rect", **place, rx=2, class_=style)
    style = f"bars s{at % COLOURS}"
    return tag("svg", parts, class_=style, height=16, role="img", aria_label=label)


def system_groups(content: Content, columns: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the groups of a table: columns for each system, or one column each if many."""
    systems = content.comparison.systems
    if len(systems) > MOST_GROUPS:
        return [("", tuple(badge(at, one) for at, one in enumerate(systems)))]
    if len(systems) == 1:
        return [("", columns)]
    return [(signed(at, one), columns) for at, one in enumerate(systems)]
