"""Small charts as inline SVG, which follow the colours of the page: light, dark or printed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from scoref.comparison.comparison import Comparison
from scoref.report.markup import Markup, tag

_LEFT, _WIDTH, _ROW, _TOP = 74, 720, 17, 22


def whiskers(comparison: Comparison) -> Markup:
    """Draw a dot for each system and metric, with its interval as whiskers."""
    systems, metrics = comparison.systems, comparison.metrics
    ends = [end for system in systems for m in metrics for end in _ends(comparison, system.name, m)]
    known = [end for end in ends if not math.isnan(end)] or [0.0, 1.0]
    low = max(0.0, math.floor(20 * (min(known) - 0.01)) / 20)
    high = min(1.0, math.ceil(20 * (max(known) + 0.01)) / 20)
    band = _ROW * len(systems) + 10
    height = _TOP + band * len(metrics) + 26

    def x(value: float) -> float:
        return round(_LEFT + (value - low) / (high - low) * (_WIDTH - _LEFT - 24), 1)

    marks = [*_axis(x, low, high, height)]
    for row, metric in enumerate(metrics):
        top = _TOP + row * band
        if row:
            marks.append(tag("line", x1=0, x2=_WIDTH, y1=top - 1, y2=top - 1, class_="rule"))
        middle = top + band / 2 + 4
        marks.append(tag("text", metric, x=0, y=middle, class_="metric"))
        for at, system in enumerate(systems):
            y = round(top + 9 + at * _ROW + _ROW / 2 - 3, 1)
            value = system.scores[metric].f1
            if math.isnan(value):
                continue
            left, _, right = _ends(comparison, system.name, metric)
            title = f"{system.name}, {metric}: {100 * value:.2f}"
            if left < right:
                title += f" [{100 * left:.2f}, {100 * right:.2f}]"
            parts = [tag("title", title)]
            if left < right:
                parts.append(tag("line", x1=x(left), x2=x(right), y1=y, y2=y, class_="whisker"))
            parts.append(shape(at, x(value), y))
            beaten = "".join(system.beats.get(metric, ()))
            label = tag("tspan", beaten, dy="-3", class_="beats") if beaten else ""
            name = tag(
                "text", system.label, label, x=x(max(right, value)) + 7, y=y + 3.5, class_="letter"
            )
            marks.append(tag("g", parts, name, class_=f"s s{at % 6}"))
    return tag(
        "svg",
        marks,
        viewBox=f"0 0 {_WIDTH} {height}",
        role="img",
        aria_label="F1 of each system by metric, with intervals",
        class_="whiskers",
    )


def _ends(comparison: Comparison, name: str, metric: str) -> tuple[float, float, float]:
    system = comparison[name]
    value = system.scores[metric].f1
    if metric not in system.intervals:
        return value, value, value
    low, high = system.intervals[metric].f1
    return (value, value, value) if math.isnan(low) else (low, value, high)


def _axis(x: Callable[[float], float], low: float, high: float, height: float) -> list[Markup]:
    step = 0.05 if high - low <= 0.35 else 0.1 if high - low <= 0.7 else 0.2
    first = math.ceil(low / step - 1e-9)
    ticks = [round(at * step, 4) for at in range(first, math.floor(high / step + 1e-9) + 1)]
    marks = []
    for tick in ticks:
        marks.append(
            tag("line", x1=x(tick), x2=x(tick), y1=_TOP - 4, y2=height - 20, class_="grid")
        )
        marks.append(tag("text", f"{100 * tick:.0f}", x=x(tick), y=height - 6, class_="tick"))
    return marks


def shape(at: int, x: float, y: float) -> Markup:
    """Draw the mark of the nth system; shapes distinguish systems without colours."""
    at %= 6
    if at == 0:
        return tag("circle", cx=x, cy=y, r=4.4, class_="dot")
    paths = {
        1: f"M{x - 4},{y - 4}h8v8h-8z",
        2: f"M{x},{y - 5.2}l5,9h-10z",
        3: f"M{x},{y - 5.4}l5.4,5.4l-5.4,5.4l-5.4,-5.4z",
        4: f"M{x},{y + 5.2}l5,-9h-10z",
        5: f"M{x - 4.5},{y - 4.5}l9,9m0,-9l-9,9",
    }
    return tag("path", d=paths[at], class_="dot" if at != 5 else "dot cross")


def bar(value: float, most: float, label: str, *, losses: bool = False) -> Markup:
    """Draw a bar to the right for a gain, or to the left for a loss."""
    width, zero = 120.0, 28.0 if losses else 1.0
    length = 0.0 if most <= 0 else abs(value) / most * (width - zero)
    if value < 0:
        length = min(length, zero)
    rectangle = tag(
        "rect",
        x=round(zero - length if value < 0 else zero, 1),
        y=3,
        width=round(length, 1),
        height=10,
        rx=2,
        class_="bar loss" if value < 0 else "bar",
    )
    axis = tag("line", x1=zero, x2=zero, y1=0, y2=16, class_="zero")
    return tag(
        "svg",
        tag("title", label),
        axis,
        rectangle,
        viewBox=f"0 0 {width:.0f} 16",
        class_="bars",
        role="img",
        aria_label=label,
    )


def legend(names: Sequence[str], labels: Sequence[str]) -> Markup:
    """Show the mark and the name of each system."""
    items = [
        tag(
            "li",
            tag(
                "svg",
                tag("g", shape(at, 7, 7), class_=f"s s{at % 6}"),
                viewBox="0 0 14 14",
                class_="mark",
                aria_hidden="true",
            ),
            tag("b", label),
            " ",
            name,
        )
        for at, (name, label) in enumerate(zip(names, labels, strict=True))
    ]
    return tag("ul", items, class_="legend")
