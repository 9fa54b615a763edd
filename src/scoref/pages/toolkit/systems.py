"""How the pages show systems: a letter, a colour and a shape for each, and scores with intervals.

Seven shapes and eight colours are combined so that no two of 56 systems share both, and systems
with the same shape have colours that also differ for readers who confuse red and green. The style
is `systems.css`.
"""

from __future__ import annotations

import math

from scoref.base.html import Markup, tag
from scoref.comparison.comparison import Comparison, System

DASH, MINUS = "\u2013", "\u2212"


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
