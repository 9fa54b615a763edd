"""The identity of a system on the page: a letter, a colour and a shape, the same everywhere.

Seven shapes and eight colours are combined so that no two of 56 systems share both, and systems
with the same shape have colours that also differ for readers who confuse red and green.
"""

from __future__ import annotations

from scoref.browser.markup import Markup, tag
from scoref.comparison.comparison import System

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
