"""Small charts as inline SVG, which follow the colours of the page: light, dark or printed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from scoref.comparison.comparison import Comparison, System
from scoref.report.markup import Markup, tag

_LEFT, _WIDTH, _ROW, _TOP = 74, 720, 17, 22


def whiskers(comparison: Comparison) -> Markup:
    """Draw a dot for each system and metric, with its interval as whiskers."""
    systems, metrics = comparison.systems, comparison.metrics
    values = [one.scores[metric].f1 for one in systems for metric in metrics]
    values += [end for one in systems for metric in metrics for end in _ends(one, metric)]
    known = [value for value in values if not math.isnan(value)] or [0.0, 1.0]
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
        marks.append(tag("text", metric, x=0, y=top + band / 2 + 4, class_="metric"))
        for at, system in enumerate(systems):
            y = round(top + 9 + at * _ROW + _ROW / 2 - 3, 1)
            value = system.scores[metric].f1
            if math.isnan(value):
                continue
            left, right = _ends(system, metric)
            title, line = f"{system.name}, {metric}: {100 * value:.2f}", ""
            if left < right:
                title += f" [{100 * left:.2f}, {100 * right:.2f}]"
                line = tag("line", x1=x(left), x2=x(right), y1=y, y2=y, class_="whisker")
            beaten = "".join(system.beats.get(metric, ()))
            label = tag("tspan", beaten, dy="-3", class_="beats") if beaten else ""
            place = {"x": x(max(right, value)) + 7, "y": y + 3.5}
            name = tag("text", system.label, label, **place, class_="letter")
            parts = tag("title", title), line, shape(at, x(value), y), name
            marks.append(tag("g", parts, class_=f"s s{at % 6}"))
    about = "F1 of each system by metric, with intervals"
    box = f"0 0 {_WIDTH} {height}"
    return tag("svg", marks, viewBox=box, role="img", aria_label=about, class_="whiskers")


def _ends(system: System, metric: str) -> tuple[float, float]:
    """Return the ends of an interval, or twice the score if it has none."""
    value = system.scores[metric].f1
    low, high = system.intervals[metric].f1 if metric in system.intervals else (value, value)
    return (value, value) if math.isnan(low) else (low, high)


def _axis(x: Callable[[float], float], low: float, high: float, height: float) -> list[Markup]:
    step = 0.05 if high - low <= 0.35 else 0.1 if high - low <= 0.7 else 0.2
    first = math.ceil(low / step - 1e-9)
    ticks = [round(at * step, 4) for at in range(first, math.floor(high / step + 1e-9) + 1)]
    marks = []
    for tick in ticks:
        at = x(tick)
        marks.append(tag("line", x1=at, x2=at, y1=_TOP - 4, y2=height - 20, class_="grid"))
        marks.append(tag("text", f"{100 * tick:.0f}", x=at, y=height - 6, class_="tick"))
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
    start, style = zero, "bar"
    if value < 0:
        length = min(length, zero)
        start, style = zero - length, "bar loss"
    place = {"x": round(start, 1), "y": 3, "width": round(length, 1), "height": 10}
    axis = tag("line", x1=zero, x2=zero, y1=0, y2=16, class_="zero")
    parts = tag("title", label), axis, tag("rect", **place, rx=2, class_=style)
    box = f"0 0 {width:.0f} 16"
    return tag("svg", parts, viewBox=box, class_="bars", role="img", aria_label=label)


def legend(systems: Sequence[System]) -> Markup:
    """Show the mark and the name of each system."""
    items = []
    for at, system in enumerate(systems):
        mark = tag("g", shape(at, 7, 7), class_=f"s s{at % 6}")
        picture = tag("svg", mark, viewBox="0 0 14 14", class_="mark", aria_hidden="true")
        items.append(tag("li", picture, tag("b", system.label), " ", system.name))
    return tag("ul", items, class_="legend")
