"""Pieces that the sections of a report share: numbers, tables, controls, links and small charts.

A system is identified by letter, colour and shape. Seven shapes and eight colours are combined so
that no two of 56 systems share both, and systems with the same shape have colours that also differ
for readers who confuse red and green.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import NamedTuple
from urllib.parse import urlencode

from scoref.base.html import Markup, join, tag
from scoref.comparison.comparison import Comparison, System
from scoref.pages.report.content import Content

DASH, MINUS = "\u2013", "\u2212"
HEAT_LEVELS = 9
MOST_GROUPS = 3
"""With more systems than this, tables have one column for each."""
_LOOSE = 10


def percent(value: float | None) -> str:
    """Show a score in percent, or a dash if it does not exist."""
    return DASH if value is None or math.isnan(value) else f"{100 * value:.2f}"


def points(value: float) -> str:
    """Show a difference in points, with its sign, or a dash if it does not exist."""
    if math.isnan(value):
        return DASH
    if abs(value) < 5e-5:
        return "0.00"
    return f"{'+' if value > 0 else MINUS}{100 * abs(value):.2f}"


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


COLOURS = 8
SHAPES = (
    "M8,2.6a5.4,5.4 0 1,0 .01,0z",  # circle
    "M3.2,3.2h9.6v9.6h-9.6z",  # square
    "M8,2l6.2,11.2h-12.4z",  # triangle
    "M8,1.4l6.6,6.6l-6.6,6.6l-6.6,-6.6z",  # diamond
    "M8,14l6.2,-11.2h-12.4z",  # triangle that points down
    "M6.1,2h3.8v4.1h4.1v3.8h-4.1v4.1h-3.8v-4.1h-4.1v-3.8h4.1z",  # plus
    "M8,2a6,6 0 1,0 .01,0zm0,3.6a2.4,2.4 0 1,1 -.01,0z",  # ring
)
"""Outlines in a box of 16 by 16."""


def letter(system: System) -> str:
    """Return the letter of a system; capital, because systems are often called a and b."""
    return system.label.upper()


def beaten(labels: tuple[str, ...]) -> str:
    """Return the letters of beaten systems, runs of three or more as a range."""
    runs: list[list[str]] = []
    for label in map(str.upper, labels):
        if runs and len(label) == 1 and ord(label) == ord(runs[-1][-1][-1]) + 1:
            runs[-1].append(label)
        else:
            runs.append([label])
    parts = [run if len(run) < 3 else [f"{run[0]}\u2013{run[-1]}"] for run in runs]
    return " ".join(part for run in parts for part in run)


def badge(at: int, system: System) -> Markup:
    """Show the mark and the letter of the nth system."""
    path = tag("path", d=SHAPES[at % len(SHAPES)], fill_rule="evenodd")
    box = {"viewBox": "0 0 16 16", "aria_hidden": "true", "class_": f"mark s{at % COLOURS}"}
    return tag("span", tag("svg", path, **box), tag("b", letter(system)), class_="badge")


def signed(at: int, system: System, *, alone: bool = False) -> Markup:
    """Show the name of a system with its badge; a single system needs none."""
    name = tag("span", system.name, class_="name")
    return tag("span", "" if alone else badge(at, system), name, class_="system")


def chart(name: str, title: str) -> Markup:
    """Make the frame of a chart; the page's program draws it, and offers its data and picture."""
    heading = tag("span", title, class_="chart-title", id=f"{name}-title")
    top = tag("div", heading, tag("span", class_="tools"), class_="over")
    body = tag("div", class_="canvas")
    return tag("figure", top, body, id=name, class_="chart", aria_labelledby=f"{name}-title")


def f1_range(comparison: Comparison, metric: str) -> tuple[float, float]:
    """Return a range in steps of 5 points that has all scores of a metric and their intervals."""
    values = [end for one in comparison.systems for end in ends(one, metric)]
    known = [value for value in values if not math.isnan(value)] or [0.0, 1.0]
    low = max(0.0, math.floor(20 * (min(known) - 0.005)) / 20)
    high = min(1.0, math.ceil(20 * (max(known) + 0.005)) / 20)
    return (low, high) if low < high else (max(0.0, low - 0.05), min(1.0, high + 0.05))


def ends(system: System, metric: str) -> tuple[float, float]:
    """Return the ends of an interval, or twice the score if it has none."""
    value = system.scores[metric].f1
    low, high = system.intervals[metric].f1 if metric in system.intervals else (value, value)
    return (value, value) if math.isnan(low) else (low, high)


def whisker(at: int, system: System, metric: str, limits: tuple[float, float]) -> Markup:
    """Draw one score with its interval, in a picture as wide as its cell."""
    low, high = limits

    def x(value: float) -> str:
        return f"{4 + 92 * (value - low) / (high - low):.2f}%"

    value = system.scores[metric].f1
    if math.isnan(value):
        return Markup("")
    left, right = ends(system, metric)
    path = tag("path", d=SHAPES[at % len(SHAPES)], fill_rule="evenodd", transform="translate(-8 0)")
    parts = [
        tag("line", x1="4%", x2="96%", y1=8, y2=8, class_="zero"),
        tag("line", x1=x(left), x2=x(right), y1=8, y2=8, class_="whisker"),
        tag("svg", path, x=x(value), y=0, width=16, height=16, overflow="visible"),
    ]
    title = f"{system.name}: {100 * value:.2f}"
    if left < right:
        title += f", interval {100 * left:.2f} to {100 * right:.2f}"
    style = f"spark s{at % COLOURS}"
    return tag("svg", parts, class_=style, height=16, role="img", aria_label=title)


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
