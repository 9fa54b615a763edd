"""Small charts as inline SVG, and what identifies a system in them: letter, colour and shape.

Seven shapes and eight colours are combined so that no two of 56 systems share both, and systems
with the same shape have colours that also differ for readers who confuse red and green.
"""

from __future__ import annotations

import math

from scoref.base.html import Markup, tag
from scoref.comparison.comparison import Comparison, System

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


def mark(at: int) -> Markup:
    """Draw the mark of the nth system."""
    path = tag("path", d=SHAPES[at % len(SHAPES)], fill_rule="evenodd")
    box = {"viewBox": "0 0 16 16", "aria_hidden": "true", "class_": f"mark s{at % COLOURS}"}
    return tag("svg", path, **box)


def badge(at: int, system: System) -> Markup:
    """Show the mark and the letter of the nth system."""
    return tag("span", mark(at), tag("b", letter(system)), class_="badge")


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
